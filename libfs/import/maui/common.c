#include "base/num.h"
#include "import/maui/maui.h"
#include "model/model.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Functions shared by the readers: credentials, jobs by name, warnings, and parsing of words, durations and dates in
 * Maui's output. */

struct fsi_credential *fsi_maui_ensure_credential(struct fsi_maui_import *x, enum fs_cred_kind kind,
						  struct fsi_span name)
{
	fs_snapshot *m = x->imp->m;
	const uint32_t key[2] = { (uint32_t)kind, fsi_import_intern_name(x->imp, name) };
	const uint32_t id = fsi_intern_find_id(&x->keys, key, sizeof(key));
	struct fsi_credential *c;

	if (id)
		return &m->credential.v[id - 1];
	if (FSI_VEC_RESERVE(&m->credential) || fsi_intern_add(&x->keys, key, sizeof(key)) == FSI_INTERN_FAILED) {
		m->out_of_memory = true;
		return NULL;
	}
	c = FSI_VEC_ADD(&m->credential);
	FSI_PUT(c, CREDENTIAL, kind, fsi_name_intern(m, fs_cred_kind_name(kind)));
	FSI_PUT(c, CREDENTIAL, name, key[1]);
	FSI_PUT(c, CREDENTIAL, position, x->positions[kind]++);
	return c;
}

/* Adds the warning `fmt` with the file and line of the current input. */
static void add_warning_text(struct fsi_maui_import *x, const char *fmt, va_list ap) FSI_PRINTF(2, 0);

static void add_warning_text(struct fsi_maui_import *x, const char *fmt, va_list ap)
{
	const struct fsi_input_position *w = &x->imp->where;
	char text[400];

	vsnprintf(text, sizeof(text), fmt, ap);
	fsi_model_add_warning(x->imp->m, "%s:%llu: %s", w->file, (unsigned long long)w->line, text);
}

void fsi_maui_add_warning(struct fsi_maui_import *x, const char *key, const char *fmt, ...)
{
	va_list ap;

	if (key && fsi_intern_find_id(&x->warned_keys, key, strlen(key)))
		return;
	if (key && fsi_intern_add(&x->warned_keys, key, strlen(key)) == FSI_INTERN_FAILED)
		x->imp->m->out_of_memory = true;
	va_start(ap, fmt);
	add_warning_text(x, fmt, ap);
	va_end(ap);
}

void fsi_maui_add_note(struct fsi_maui_import *x, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	add_warning_text(x, fmt, ap);
	va_end(ap);
	x->notes++;
}

static struct fsi_span cut_at_dot(struct fsi_span name)
{
	const char *dot = memchr(name.s, '.', name.len);

	if (dot && dot > name.s)
		name.len = (size_t)(dot - name.s);
	return name;
}

uint32_t fsi_maui_find_job(struct fsi_maui_import *x, struct fsi_span name)
{
	const struct fsi_span cut = cut_at_dot(name);
	const uint32_t id = fsi_intern_find_id(&x->imp->m->names, cut.s, cut.len);
	const uint32_t row = id && id < x->job_rows.n ? x->job_rows.v[id] : 0;

	return row ? row - 1 : FSI_NO_INDEX;
}

/* Sets the row of the job whose name has this id. Returns -1 if out of memory. */
static int set_row_of_name(struct fsi_maui_import *x, uint32_t name, uint32_t row)
{
	while (x->job_rows.n <= name) {
		if (FSI_VEC_RESERVE(&x->job_rows))
			return -1;
		x->job_rows.v[x->job_rows.n++] = 0;
	}
	x->job_rows.v[name] = row + 1;
	return 0;
}

uint32_t fsi_maui_add_job(struct fsi_maui_import *x, struct fsi_span name)
{
	fs_snapshot *m = x->imp->m;
	const struct fsi_span cut = cut_at_dot(name);
	const uint32_t id = fsi_import_intern_name(x->imp, cut), row = (uint32_t)m->job.n;
	struct fsi_job *job;

	if (id == FSI_INTERN_FAILED || FSI_VEC_RESERVE(&m->job) || set_row_of_name(x, id, row)) {
		m->out_of_memory = true;
		return FSI_NO_INDEX;
	}
	job = &m->job.v[m->job.n++];
	*job = (struct fsi_job){ .name = id, .state = FSI_STATE_PENDING };
	if (FSI_SET_JOB_EXT(m, job, position, row))
		return FSI_NO_INDEX;
	/* if the name is not a number, the job gets an ID that no other job has */
	if (fsi_parse_u64(cut.s, cut.len, &job->id) || job->id >> 62)
		job->id = (1ull << 62) + row;
	FSI_SET(job, JOB, id);
	FSI_SET(job, JOB, name);
	FSI_SET(job, JOB, state);
	return row;
}

int fsi_maui_read_page(struct fsi_maui_import *x, const char *name, fsi_line_fn fn, void *ctx)
{
	static const char *const dirs[] = { "", "out/" };
	int rc = 1;

	for (size_t i = 0; i < sizeof(dirs) / sizeof(*dirs) && rc > 0; i++) {
		snprintf(x->page, sizeof(x->page), "%s%s", dirs[i], name);
		rc = fsi_import_read_lines(x->imp, x->page, fn, ctx);
	}
	return rc;
}

void fsi_maui_check_count(struct fsi_maui_import *x, const char *file, int64_t counted, size_t read)
{
	const char *dir = x->imp->source->name;

	if (counted < 0)
		fsi_import_warn_incomplete(x->imp, "job", "%s/%s: the line with the number of jobs is missing", dir, file);
	else if ((uint64_t)counted != read)
		fsi_import_warn_incomplete(x->imp, "job",
					   "%s/%s: the total line shows %lld job%s, but the file lists %zu", dir, file,
					   (long long)counted, counted == 1 ? "" : "s", read);
}

int fsi_maui_fail_unreadable_folder(struct fsi_maui_import *x, int rc, const char *dir)
{
	if (rc == FS_ENOMEM)
		return fsi_fail_no_memory(x->imp->err);
	return fsi_fail_with_code(x->imp->err, FS_EIO, "cannot read folder '%s%s%s'", x->imp->source->name,
				  *dir ? "/" : "", dir);
}

int fsi_maui_parse_duration(struct fsi_span v, int64_t *out)
{
	static const int64_t units[] = { 1, 60, 3600, 86400 };
	const bool minus = v.len && *v.s == '-';
	int64_t part[4], total = 0;
	struct fsi_span word;
	int parts = 0;

	if (fsi_span_is_word(v, "INFINITY")) {
		*out = 8640000;
		return 0;
	}
	v.s += minus;
	v.len -= minus;
	while (fsi_span_cut_part(&v, ':', &word))
		if (parts == 4 || fsi_parse_i64(word.s, word.len, &part[parts]) ||
		    part[parts] < 0 || part[parts++] > 1000000)
			return -1;
	for (int i = 0; i < parts; i++)
		total += part[parts - 1 - i] * units[i];
	*out = minus ? -total : total;
	return parts < 2 ? -1 : 0;
}

enum fs_target_mode fsi_maui_parse_target_mark(char mark)
{
	switch (mark) {
	case '+':
		return FS_TARGET_FLOOR;
	case '-':
		return FS_TARGET_CEILING;
	case '%':
		return FS_TARGET_CAP_REL;
	case '^':
		return FS_TARGET_CAP_ABS;
	default:
		return FS_TARGET_EXACT;
	}
}

/* A date falls on the same weekday again after at most six years, except around a century without a leap year.
 * OTHER_WEEKDAY_S is longer than that: any year with the printed weekday is preferred to a nearer year without it. */
enum { WEEKDAY_YEARS = 6, OTHER_WEEKDAY_S = 8 * 366 * 86400 };

/* Returns true if the time is on the weekday `name`: "Sun". */
static bool is_weekday(struct fsi_span name, int64_t t)
{
	static const char days[] = "ThuFriSatSunMonTueWed";

	return name.len == 3 && !memcmp(name.s, days + t / 86400 % 7 * 3, 3);
}

int fsi_maui_parse_ctime(const struct fsi_maui_import *x, const struct fsi_span *words, int64_t *local)
{
	static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
	const int64_t near = x->now ? x->now : x->clock_start, year = 1970 + near / 31556952;
	const char *month = NULL;
	int64_t day, best = -1, best_distance = 0;

	for (size_t i = 0; words[1].len == 3 && i < 12 && !month; i++)
		month = memcmp(months + i * 3, words[1].s, 3) ? NULL : months + i * 3;
	if (!near || !month || fsi_parse_i64(words[2].s, words[2].len, &day) || words[3].len != 8)
		return -1;
	for (int64_t y = year - WEEKDAY_YEARS; y <= year + 1; y++) {
		char text[40];
		int64_t t, distance;

		snprintf(text, sizeof(text), "%04d-%02d-%02dT%.8s", (int)y,
			 (int)(month - months) / 3 + 1, (int)day, words[3].s);
		if (fsi_parse_civil_time(text, strlen(text), &t) || t < 0)
			continue;
		distance = llabs(t - near) + (is_weekday(words[0], t) ? 0 : OTHER_WEEKDAY_S);
		if (best >= 0 && distance >= best_distance)
			continue;
		best = t;
		best_distance = distance;
	}
	*local = best;
	return best < 0 ? -1 : 0;
}

bool fsi_maui_is_priority_row(struct fsi_span line, struct fsi_span name, struct fsi_span priority)
{
	const size_t end = (size_t)(priority.s - line.s) + priority.len;

	return name.s == line.s && (end == 31 || (end > 31 && name.len > 20));
}

struct fsi_span fsi_maui_word_after(struct fsi_span line, const char *label)
{
	const size_t len = strlen(label);
	struct fsi_span word = { NULL, 0 };

	for (size_t i = 0; i + len <= line.len; i++)
		if (!memcmp(line.s + i, label, len)) {
			fsi_span_split_words((struct fsi_span){ line.s + i + len, line.len - i - len }, &word, 1);
			break;
		}
	return word;
}

/* The grammar of maui.cfg (src/moab/MConfig.c:MCfgAdjustBuffer, MCfgGetVal):
 *  - A comment begins with #, anywhere in a line. The text after the # is replaced by blanks; the # itself stays.
 *  - A backslash joins lines. Blanks after it are skipped, and the next character is copied unchanged.
 *  - In the name, and between name and value, = counts as a blank.
 *  - `#INCLUDE FILE` adds the lines of FILE after the lines of all other files. */

enum { INCLUDED_FILES_MAX = 32 };
enum parse_state { BEFORE_NAME, IN_NAME, BEFORE_VALUE, IN_VALUE, IN_COMMENT };

struct config_reader {
	struct fsi_maui_import *x;
	struct fsi_cfg *cfg;
	FSI_VEC(char) buf;
	enum parse_state state;
	bool joining;  /* the line continues in the next line of the file */
	bool verbatim; /* the next character is copied unchanged */
	uint64_t first_line;
	const char *file;
	const char *include[INCLUDED_FILES_MAX];
	struct fsi_input_position included_at[INCLUDED_FILES_MAX];
	size_t includes;
};

static bool is_blank_char(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static void append_line_char(struct config_reader *r, char c)
{
	if (FSI_VEC_RESERVE(&r->buf))
		r->x->imp->m->out_of_memory = true;
	else
		r->buf.v[r->buf.n++] = c;
}

/* Returns the character c of maui.cfg, or a blank in its place. The result is a blank for each character of a comment
 * after the #, for an = that is not in a value, and for a character that is not printable ASCII. Updates r->state. */
static char convert_config_char(struct config_reader *r, char c)
{
	if (c == '#') {
		r->state = IN_COMMENT;
		return c;
	}
	if (r->state == IN_COMMENT)
		return ' ';
	if (c == '=')
		return r->state == IN_VALUE ? c : ' ';
	if (is_blank_char(c)) {
		if (r->state == IN_NAME)
			r->state = BEFORE_VALUE;
		return ' ';
	}
	if (c < ' ' || c > '~')
		return ' ';
	if (r->state == BEFORE_NAME)
		r->state = IN_NAME;
	else if (r->state == BEFORE_VALUE)
		r->state = IN_VALUE;
	return c;
}

/* Adds the file that is named in a line `#INCLUDE FILE` to the list of included files. */
static void add_included_file(struct config_reader *r, struct fsi_span rest)
{
	static const char word[] = "#INCLUDE";
	const size_t len = sizeof(word) - 1;
	struct fsi_span name;

	if (rest.len <= len || memcmp(rest.s, word, len) != 0 || !is_blank_char(rest.s[len]) ||
	    !fsi_span_split_words(fsi_span_skip_bytes(rest, len), &name, 1))
		return;
	if (r->includes == INCLUDED_FILES_MAX) {
		fsi_maui_add_warning(r->x, "includes", "\"%.*s\" and later included files are not read: the maximum is %d files",
				     (int)(name.len < 100 ? name.len : 100), name.s, INCLUDED_FILES_MAX);
		return;
	}
	r->included_at[r->includes] = r->x->imp->where;
	r->include[r->includes] = fsi_arena_strndup(&r->cfg->arena, name.s, name.len);
	if (r->include[r->includes])
		r->includes++;
	else
		r->x->imp->m->out_of_memory = true;
}

/* Returns the first index from i on at which s[0..n) has a blank (`blank` true) or a byte that is no blank; n: none. A
 * byte equal to `stop` also ends the search. */
static size_t find_blank(const char *s, size_t i, size_t n, bool blank, char stop)
{
	while (i < n && is_blank_char(s[i]) != blank && s[i] != stop)
		i++;
	return i;
}

/* Splits a line of the form NAME[index] value. */
static void split_config_line(struct fsi_cfg_line *l, const char *s, size_t n)
{
	size_t i = find_blank(s, 0, n, false, '\0'), end = n, k;

	l->indented = i > 0;
	k = find_blank(s, i, n, true, '[');
	l->name = (struct fsi_span){ s + i, k - i };
	if (k < n && s[k] == '[') {
		i = find_blank(s, k + 1, n, false, '\0');
		k = find_blank(s, i, n, true, ']');
		l->index = (struct fsi_span){ s + i, k - i };
		k = find_blank(s, k, n, false, '\0');
		k += k < n && s[k] == ']';
	}
	k = find_blank(s, k, n, false, '\0');
	while (end > k && is_blank_char(s[end - 1]))
		end--;
	l->value = (struct fsi_span){ s + k, end - k };
}

static void finish_config_line(struct config_reader *r)
{
	struct fsi_cfg_line l = { .file = r->file, .line = r->first_line };
	const char *copy;

	if (r->joining)
		return;
	copy = fsi_arena_strndup(&r->cfg->arena, r->buf.n ? r->buf.v : "", r->buf.n);
	if (!copy || FSI_VEC_RESERVE(&r->cfg->line)) {
		r->x->imp->m->out_of_memory = true;
		return;
	}
	split_config_line(&l, copy, r->buf.n);
	r->buf.n = 0;
	if (!l.name.len || *l.name.s == '#')
		return;
	r->cfg->line.v[r->cfg->line.n++] = l;
	if (!l.value.len)
		fsi_maui_add_warning(r->x, copy, "parameter %.100s has no value", copy);
}

static int read_config_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	struct config_reader *r = ctx;
	size_t i = 0;

	if (!r->joining) {
		r->state = BEFORE_NAME;
		r->first_line = imp->where.line;
		r->verbatim = false;
	}
	if (r->joining) /* the line before ended with a backslash: skips the blanks at the beginning of this line */
		i = find_blank(line.s, 0, line.len, false, '\0');
	r->joining = r->joining && i == line.len;
	for (; i < line.len; i++) {
		if (r->verbatim) {
			r->verbatim = false;
			append_line_char(r, line.s[i]);
		} else if (line.s[i] == '\\' && r->state != IN_COMMENT) {
			append_line_char(r, ' ');
			i = find_blank(line.s, i + 1, line.len, false, '\0') - 1;
			r->joining = i + 1 >= line.len;
			r->verbatim = true;
		} else {
			if (line.s[i] == '#' && r->state != IN_COMMENT)
				add_included_file(r, fsi_span_skip_bytes(line, i));
			append_line_char(r, convert_config_char(r, line.s[i]));
		}
	}
	finish_config_line(r);
	return 0;
}

/* Reads the file with this name. Returns 1 if the file does not exist. */
static int read_config_file(struct config_reader *r, const char *name)
{
	char path[300];
	const struct fsi_import *imp = r->x->imp;
	const int n = snprintf(path, sizeof(path), "%s/%s", imp->source->name, name);
	int rc;

	if (n < 0 || (size_t)n >= sizeof(path))
		return 1;
	r->file = fsi_arena_strndup(&r->cfg->arena, path, strlen(path));
	if (!r->file)
		return fsi_fail_no_memory(imp->err);
	r->joining = false;
	rc = fsi_import_read_lines(r->x->imp, name, read_config_line, r);
	if (!rc && r->joining) {
		r->joining = false;
		finish_config_line(r);
	}
	return rc;
}

/* Returns true if the path leads out of the folder of the capture. */
static bool is_path_outside(const char *name)
{
	for (; *name; name += strcspn(name, "/"), name += *name == '/')
		if (!strncmp(name, "..", 2) && (name[2] == '/' || !name[2]))
			return true;
	return false;
}

static int read_included_files(struct config_reader *r)
{
	int rc = 0;

	for (size_t i = 0; i < r->includes && !rc; i++) {
		const char *slash = strrchr(r->include[i], '/');
		const bool out = is_path_outside(r->include[i]) && !r->x->o->includes_anywhere;

		rc = out ? 1 : read_config_file(r, r->include[i]);
		/* the included file may have been in any folder; in a capture it is next to maui.cfg */
		if (rc > 0 && slash)
			rc = read_config_file(r, slash + 1);
		r->x->imp->where = r->included_at[i];
		if (rc > 0)
			fsi_maui_add_warning(
				r->x, r->include[i],
				out ? "included file \"%.100s\" is not read, because it is outside the imported folder"
				    : "cannot find the included file \"%.100s\"",
				r->include[i]);
		rc = rc > 0 ? 0 : rc;
	}
	return rc;
}

int fsi_cfg_read_file(struct fsi_maui_import *x, struct fsi_cfg *cfg)
{
	struct config_reader r = { .x = x, .cfg = cfg };
	int rc = read_config_file(&r, "maui.cfg");

	if (rc > 0)
		rc = x->partial ? 0
				: fsi_fail_with_code(x->imp->err, FS_ENODATA, "%s: the folder has no file maui.cfg",
						     x->imp->source->name);
	if (!rc)
		rc = read_included_files(&r);
	FSI_VEC_FREE(&r.buf);
	return rc;
}

void fsi_cfg_release_lines(struct fsi_cfg *cfg)
{
	fsi_arena_release(&cfg->arena);
	FSI_VEC_FREE(&cfg->line);
}

void fsi_cfg_set_location(struct fsi_maui_config *c, const struct fsi_cfg_line *l)
{
	c->x->imp->where = (struct fsi_input_position){ l->file, l->line, 0 };
}

bool fsi_cfg_text_equals(struct fsi_span s, const char *word)
{
	return strlen(word) == s.len && !memcmp(s.s, word, s.len);
}

struct fsi_span fsi_cfg_first_word(struct fsi_span v)
{
	struct fsi_span word = { "", 0 };

	fsi_span_split_words(v, &word, 1);
	return word;
}

bool fsi_cfg_next_word(struct fsi_span *rest, struct fsi_span *word)
{
	if (!fsi_span_split_words(*rest, word, 1))
		return false;
	*rest = fsi_span_skip_bytes(*rest, (size_t)(word->s + word->len - rest->s));
	return true;
}

const char *fsi_cfg_copy_text(struct fsi_span v, char *buf, size_t size)
{
	const size_t n = v.len < size - 1 ? v.len : size - 1;

	if (n)
		memcpy(buf, v.s, n);
	buf[n] = '\0';
	return buf;
}
