/* The grammar of maui.cfg (src/moab/MConfig.c:MCfgAdjustBuffer, MCfgGetVal).
 *
 * # begins a comment anywhere, but stays itself where it stands; a backslash joins lines; `=` is a blank until the
 * value has begun, which it has not while the name itself is being read; the character that follows a continuation
 * is taken as it is. `#INCLUDE FILE` adds that file behind all others. */
#include "import/maui/cfg.h"

#include <string.h>

enum { INCLUDES_MAX = 32 };
enum state { PRE_NAME, ON_NAME, PRE_VALUE, ON_VALUE, COMMENT };

struct reader {
	struct fsi_maui_import *x;
	struct fsi_cfg *cfg;
	FSI_VEC(char) buf;
	enum state state;
	bool joining;  /* the line goes on in the next one of the file */
	bool verbatim; /* the next character is taken as it is */
	uint64_t first_line;
	const char *file;
	const char *include[INCLUDES_MAX];
	struct fsi_where included_at[INCLUDES_MAX];
	size_t includes;
};

static bool blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static int put_char(struct reader *r, char c)
{
	if (FSI_VEC_ROOM(&r->buf))
		return fsi_nomem(r->x->imp->err);
	r->buf.v[r->buf.n++] = c;
	return 0;
}

static char adjust(struct reader *r, char c)
{
	if (c == '#') {
		r->state = COMMENT;
		return c;
	}
	if (r->state == COMMENT)
		return ' ';
	if (c == '=')
		return r->state == ON_VALUE ? c : ' ';
	if (blank(c)) {
		if (r->state == ON_NAME)
			r->state = PRE_VALUE;
		return ' ';
	}
	if (c < ' ' || c > '~')
		return ' ';
	if (r->state == PRE_NAME)
		r->state = ON_NAME;
	else if (r->state == PRE_VALUE)
		r->state = ON_VALUE;
	return c;
}

/* `#INCLUDE FILE` */
static int note_include(struct reader *r, struct fsi_span rest)
{
	static const char word[] = "#INCLUDE";
	const size_t len = sizeof(word) - 1;
	struct fsi_span name;

	if (rest.len <= len || memcmp(rest.s, word, len) != 0 || !blank(rest.s[len]))
		return 0;
	if (!fsi_span_words(fsi_span_from(rest, len), &name, 1))
		return 0;
	if (r->includes == INCLUDES_MAX)
		return fsi_maui_warn(r->x, "includes",
				     "more than %d files included: this one is left out",
				     INCLUDES_MAX);
	r->included_at[r->includes] = r->x->imp->where;
	r->include[r->includes] = fsi_arena_strndup(&r->cfg->arena, name.s, name.len);
	return r->include[r->includes++] ? 0 : fsi_nomem(r->x->imp->err);
}

/* Splits NAME[index] value. */
static void split(struct fsi_cfg_line *l, const char *s, size_t n)
{
	size_t i = 0, end = n, k;

	while (i < n && blank(s[i]))
		i++;
	l->indented = i > 0;
	for (k = i; k < n && !blank(s[k]) && s[k] != '['; k++)
		;
	l->name = (struct fsi_span){ s + i, k - i };
	if (k < n && s[k] == '[') {
		for (i = ++k; i < n && blank(s[i]); i++)
			;
		for (k = i; k < n && !blank(s[k]) && s[k] != ']'; k++)
			;
		l->index = (struct fsi_span){ s + i, k - i };
		while (k < n && blank(s[k]))
			k++;
		k += k < n && s[k] == ']';
	}
	while (k < n && blank(s[k]))
		k++;
	while (end > k && blank(s[end - 1]))
		end--;
	l->value = (struct fsi_span){ s + k, end - k };
}

static int end_line(struct reader *r)
{
	struct fsi_cfg_line l = { .file = r->file, .line = r->first_line };
	const char *copy;

	if (r->joining)
		return 0;
	copy = fsi_arena_strndup(&r->cfg->arena, r->buf.n ? r->buf.v : "", r->buf.n);
	if (!copy || FSI_VEC_ROOM(&r->cfg->line))
		return fsi_nomem(r->x->imp->err);
	split(&l, copy, r->buf.n);
	r->buf.n = 0;
	if (!l.name.len || *l.name.s == '#')
		return 0;
	r->cfg->line.v[r->cfg->line.n++] = l;
	return l.value.len ? 0 : fsi_maui_warn(r->x, copy, "%.100s has no value", copy);
}

static int take_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	struct reader *r = ctx;
	size_t i = 0;
	int rc = 0;

	if (!r->joining) {
		r->state = PRE_NAME;
		r->first_line = imp->where.line;
		r->verbatim = false;
	}
	if (r->joining) /* the blanks that a continuation swallows may go on here */
		while (i < line.len && blank(line.s[i]))
			i++;
	r->joining = r->joining && i == line.len;
	for (; i < line.len && !rc; i++) {
		if (r->verbatim) {
			r->verbatim = false;
			rc = put_char(r, line.s[i]);
		} else if (line.s[i] == '\\' && r->state != COMMENT) {
			rc = put_char(r, ' ');
			while (i + 1 < line.len && blank(line.s[i + 1]))
				i++;
			r->joining = i + 1 >= line.len;
			r->verbatim = true;
		} else {
			if (line.s[i] == '#' && r->state != COMMENT)
				rc = note_include(r, fsi_span_from(line, i));
			if (!rc)
				rc = put_char(r, adjust(r, line.s[i]));
		}
	}
	return rc ? rc : end_line(r);
}

/* Reads one file; 1 when there is none of that name. */
static int read_file(struct reader *r, const char *name)
{
	char path[300];
	const struct fsi_import *imp = r->x->imp;
	const size_t n = strlen(imp->source->name);
	int rc;

	if (n + strlen(name) + 2 > sizeof(path))
		return 1;
	memcpy(path, imp->source->name, n);
	path[n] = '/';
	strcpy(path + n + 1, name);
	r->file = fsi_arena_strndup(&r->cfg->arena, path, strlen(path));
	if (!r->file)
		return fsi_nomem(imp->err);
	r->joining = false;
	rc = fsi_import_lines(r->x->imp, name, take_line, r);
	if (!rc && r->joining) {
		r->joining = false;
		rc = end_line(r);
	}
	return rc;
}

/* Does the name lead out of the folder? */
static bool leads_out(const char *name)
{
	for (; *name; name += strcspn(name, "/"), name += *name == '/')
		if (!strncmp(name, "..", 2) && (name[2] == '/' || !name[2]))
			return true;
	return false;
}

static int read_includes(struct reader *r)
{
	int rc = 0;

	for (size_t i = 0; i < r->includes && !rc; i++) {
		const char *slash = strrchr(r->include[i], '/');
		const bool out = leads_out(r->include[i]) && !r->x->o->includes_anywhere;

		rc = out ? 1 : read_file(r, r->include[i]);
		if (rc > 0 && slash) /* a capture has it beside maui.cfg, wherever it was */
			rc = read_file(r, slash + 1);
		r->x->imp->where = r->included_at[i];
		if (rc > 0)
			rc = fsi_maui_warn(r->x, r->include[i],
					   out ? "\"%.100s\", which is included, lies outside this folder: not read"
					       : "\"%.100s\", which is included, is not there",
					   r->include[i]);
	}
	return rc;
}

int fsi_cfg_read(struct fsi_maui_import *x, struct fsi_cfg *cfg)
{
	struct reader r = { .x = x, .cfg = cfg };
	int rc = read_file(&r, "maui.cfg");

	if (rc > 0)
		rc = x->partial ? 0
				: fsi_fail(x->imp->err, FS_ENODATA, "%s: there is no maui.cfg",
					   x->imp->source->name);
	if (!rc)
		rc = read_includes(&r);
	FSI_VEC_FREE(&r.buf);
	return rc;
}

void fsi_cfg_release(struct fsi_cfg *cfg)
{
	fsi_arena_release(&cfg->arena);
	FSI_VEC_FREE(&cfg->line);
}

void fsi_cfg_set_location(struct fsi_maui_config *c, const struct fsi_cfg_line *l)
{
	c->x->imp->where = (struct fsi_where){ l->file, l->line, 0 };
}

bool fsi_cfg_is(struct fsi_span s, const char *word)
{
	return strlen(word) == s.len && !memcmp(s.s, word, s.len);
}

struct fsi_span fsi_cfg_first_word(struct fsi_span v)
{
	struct fsi_span word = { "", 0 };

	fsi_span_words(v, &word, 1);
	return word;
}

const char *fsi_cfg_text(struct fsi_span v, char *buf, size_t size)
{
	const size_t n = v.len < size - 1 ? v.len : size - 1;

	if (n)
		memcpy(buf, v.s, n);
	buf[n] = '\0';
	return buf;
}
