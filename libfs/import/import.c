#include "import/import.h"

#include "base/num.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* 0, 1 when there is no such file, or negative; *name gets what messages call it, which lives as long as the model. */
static int open_file(struct fsi_import *imp, const char *file, const char **name, void **stream)
{
	const char *dir = imp->source->name;
	const size_t n = strlen(dir) + strlen(file) + 1;
	char *path;
	const int rc = imp->source->open(imp->source->ctx, file, stream);

	if (rc > 0)
		return 1;
	if (rc < 0)
		return fsi_fail(imp->err, FS_EIO, "%s/%s: cannot be read", dir, file);
	imp->files++;
	*name = path = fsi_arena_alloc(&imp->m->arena, n + 1);
	if (!path) {
		imp->source->close(*stream);
		return fsi_nomem(imp->err);
	}
	snprintf(path, n + 1, "%s/%s", dir, file);
	return 0;
}

/* A JSON text with each bare word Infinity made null. */
struct finite {
	fs_read_fn read;
	void *stream;
	bool in_string, escaped;
	unsigned at; /* characters of the word seen */
	bool any;    /* was there text at all? */
};

static char finite_char(struct finite *f, char c)
{
	static const char word[] = "Infinity", null[] = "null    ";

	if (f->in_string) {
		f->in_string = f->escaped || c != '"';
		f->escaped = !f->escaped && c == '\\';
		return c;
	}
	f->in_string = c == '"';
	if (c != word[f->at])
		f->at = 0;
	if (c != word[f->at])
		return c;
	c = null[f->at++];
	f->at %= sizeof(word) - 1;
	return c;
}

static ptrdiff_t read_finite(void *ctx, void *buf, size_t size)
{
	struct finite *f = ctx;
	char *s = buf;
	const ptrdiff_t n = f->read(f->stream, buf, size);

	for (ptrdiff_t i = 0; i < n; i++)
		s[i] = finite_char(f, s[i]);
	f->any = f->any || n != 0;
	return n;
}

int fsi_import_json(struct fsi_import *imp, const char *file, const struct fsi_json_split *split)
{
	struct finite f;
	const char *name;
	void *stream;
	int rc = open_file(imp, file, &name, &stream);

	if (rc)
		return rc;
	f = (struct finite){ .read = imp->source->read, .stream = stream };
	rc = fsi_json_split(split, read_finite, &f, name, imp->err);
	imp->source->close(stream);
	return f.any || rc == FS_ENOMEM ? rc : 1;
}

int fsi_import_lines(struct fsi_import *imp, const char *file, fsi_line_fn fn, void *ctx)
{
	struct fsi_lines lines;
	struct fsi_span line;
	const char *name;
	char *s;
	void *stream;
	int rc = open_file(imp, file, &name, &stream);

	if (rc)
		return rc;
	fsi_lines_init(&lines, imp->source->read, stream, name);
	while ((rc = fsi_lines_next(&lines, &s, &line.len, imp->err)) > 0) {
		imp->where = lines.where;
		line.s = s;
		rc = fn(imp, ctx, line);
		if (rc)
			break;
	}
	fsi_lines_release(&lines);
	imp->source->close(stream);
	return rc;
}

int fsi_import_bad(struct fsi_import *imp, const char *field, struct fsi_span value,
		   const char *want)
{
	return fsi_fail_at(imp->err, imp->where, field, "expected %s, got \"%.*s\"", want,
			   (int)(value.len < 64 ? value.len : 64), value.s);
}

static char lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

bool fsi_span_is(struct fsi_span v, const char *word)
{
	for (size_t i = 0; i < v.len; i++, word++)
		if (!*word || lower(v.s[i]) != lower(*word))
			return false;
	return !*word;
}

bool fsi_span_unset(struct fsi_span v)
{
	return !v.len || fsi_span_is(v, "(null)") || fsi_span_is(v, "n/a");
}

bool fsi_span_none(struct fsi_span v)
{
	return fsi_span_unset(v) || fsi_span_is(v, "none") || fsi_span_is(v, "unknown");
}

struct fsi_span fsi_span_trim(struct fsi_span v)
{
	while (v.len && (*v.s == ' ' || *v.s == '\t')) {
		v.s++;
		v.len--;
	}
	while (v.len && (v.s[v.len - 1] == ' ' || v.s[v.len - 1] == '\t' || v.s[v.len - 1] == '\r'))
		v.len--;
	return v;
}

bool fsi_span_cut(struct fsi_span *rest, char sep, struct fsi_span *part)
{
	const char *end;

	*part = (struct fsi_span){ "", 0 };
	if (!rest->s)
		return false;
	end = memchr(rest->s, sep, rest->len);
	*part = *rest;
	if (end) {
		part->len = (size_t)(end - rest->s);
		rest->len -= part->len + 1;
		rest->s = end + 1;
	} else {
		rest->s = NULL;
		rest->len = 0;
	}
	return true;
}

/* Snapshots are UTF-8 without NUL: other bytes become \xHH, so that names that differ stay different. */
uint32_t fsi_import_name(struct fsi_import *imp, struct fsi_span v)
{
	char buf[1024];
	size_t n = 0, i = 0;

	while (i < v.len && v.s[i] && fsi_utf8_len(v.s + i, v.len - i))
		i += fsi_utf8_len(v.s + i, v.len - i);
	if (i == v.len)
		return fsi_intern(&imp->m->names, v.s, v.len);
	for (i = 0; i < v.len && n + 8 < sizeof(buf);) {
		const size_t len = v.s[i] ? fsi_utf8_len(v.s + i, v.len - i) : 0;

		if (len)
			memcpy(buf + n, v.s + i, len);
		n += len ? len : (size_t)snprintf(buf + n, 8, "\\x%02x", (unsigned char)v.s[i]);
		i += len ? len : 1;
	}
	return fsi_intern(&imp->m->names, buf, n);
}

int fsi_import_local_time(struct fsi_import *imp, struct fsi_span v, int64_t *out)
{
	if (fsi_parse_civil(v.s, v.len, out))
		return -1;
	*out = fsi_import_utc(imp, *out);
	return *out < 0 || *out > FSI_SECONDS_MAX ? -1 : 0;
}

/* `cpu=N(64)`: with used the 64, otherwise the limit before it. */
static struct fsi_span amount_part(struct fsi_span v, bool used)
{
	const char *open = memchr(v.s, '(', v.len);

	if (used) {
		if (!open)
			return (struct fsi_span){ NULL, 0 };
		v.len -= (size_t)(open + 1 - v.s);
		v.s = open + 1;
		v.len -= v.len && v.s[v.len - 1] == ')';
	} else if (open) {
		v.len = (size_t)(open - v.s);
	}
	return v;
}

int fsi_import_tres(struct fsi_import *imp, const char *field, struct fsi_span v,
		    bool used_in_parens, uint32_t *set)
{
	struct fsi_amount amounts[128];
	struct fsi_span item, key;
	size_t n = 0;

	while (fsi_span_cut(&v, ',', &item)) {
		struct fsi_amount *a = &amounts[n];
		struct fsi_span text = item;

		if (!fsi_span_cut(&text, '=', &key) || !text.s)
			return fsi_import_bad(imp, field, item, "name=amount");
		text = amount_part(text, used_in_parens);
		if (!text.len || fsi_span_is(text, "N") || fsi_span_is(text, "N/A"))
			continue;
		*a = (struct fsi_amount){ .tres = fsi_import_name(imp, key) };
		if (a->tres == FSI_INTERN_FAILED)
			return fsi_nomem(imp->err);
		if ((fsi_span_is(key, "mem") || (key.len > 3 && !memcmp(key.s, "bb/", 3)))
			    ? fsi_parse_mem_mb(text.s, text.len, &a->n)
			    : fsi_parse_count(text.s, text.len, &a->n))
			return fsi_import_bad(imp, field, item, "an amount");
		for (size_t i = 0; i < n; i++)
			if (amounts[i].tres == a->tres)
				return fsi_import_bad(imp, field, item, "each TRES once");
		if (a->n < 0)
			return fsi_import_bad(imp, field, item, "an amount, not negative");
		if (++n == sizeof(amounts) / sizeof(*amounts))
			return fsi_import_bad(imp, field, item, "at most 127 TRES");
	}
	*set = fsi_intern(&imp->m->sets, amounts, n * sizeof(*amounts));
	return *set == FSI_INTERN_FAILED ? fsi_nomem(imp->err) : 0;
}

static int set_list(struct fsi_import *imp, struct fsi_span v, uint32_t *set)
{
	size_t n = 0, cap = 1;
	struct fsi_span item;
	uint32_t *ids;

	for (size_t i = 0; i < v.len; i++)
		cap += v.s[i] == ',';
	ids = calloc(cap, sizeof(*ids));
	if (!ids)
		return fsi_nomem(imp->err);
	while (fsi_span_cut(&v, ',', &item))
		if (item.len && (ids[n++] = fsi_import_name(imp, item)) == FSI_INTERN_FAILED)
			break;
	*set = n && ids[n - 1] == FSI_INTERN_FAILED
		       ? FSI_INTERN_FAILED
		       : fsi_intern(&imp->m->sets, ids, n * sizeof(*ids));
	free(ids);
	return *set == FSI_INTERN_FAILED ? fsi_nomem(imp->err) : 0;
}

static int set_duration(struct fsi_import *imp, const struct fsi_field *f, struct fsi_span v,
			int64_t *out, bool *special)
{
	if (fsi_span_is(v, "unlimited") || fsi_span_is(v, "infinite")) {
		*special = true;
		return 0;
	}
	if (!fsi_parse_duration(v.s, v.len, out))
		return 0;
	if (fsi_parse_i64(v.s, v.len, out) || *out < 0 || *out > FSI_SECONDS_MAX / 60)
		return fsi_import_bad(imp, f->key, v, "a duration");
	*out *= 60; /* a bare number is minutes, as everywhere in Slurm */
	return 0;
}

static int set_bool(struct fsi_import *imp, const struct fsi_field *f, struct fsi_span v, bool *out)
{
	*out = fsi_span_is(v, "yes") || fsi_span_is(v, "1");
	return *out || fsi_span_is(v, "no") || fsi_span_is(v, "0")
		       ? 0
		       : fsi_import_bad(imp, f->key, v, "YES or NO");
}

/* Whole numbers: plain, or with a unit letter (NumCPUs=1K). */
static int set_whole(struct fsi_import *imp, const struct fsi_field *f, struct fsi_span v,
		     int64_t min, int64_t max, int64_t *out)
{
	if (fsi_parse_count(v.s, v.len, out) || *out < min || *out > max)
		return fsi_import_bad(imp, f->key, v, "a number in range");
	return 0;
}

static int set_value(struct fsi_import *imp, const struct fsi_field *f, struct fsi_span v,
		     void *member, bool *special)
{
	int64_t i = 0;
	int rc;

	switch (f->type) {
	case FSI_SHARES:
		if ((*special = fsi_span_is(v, "parent")))
			return 0;
		if (memchr(v.s, '.', v.len))
			return fsi_import_bad(imp, f->key, v, "a whole number or parent");
		/* fall through */
	case FSI_U32:
		rc = set_whole(imp, f, v, 0, UINT32_MAX, &i);
		*(uint32_t *)member = (uint32_t)i;
		return rc;
	case FSI_I32:
		rc = set_whole(imp, f, v, INT32_MIN, INT32_MAX, &i);
		*(int32_t *)member = (int32_t)i;
		return rc;
	case FSI_U64:
		return fsi_parse_u64(v.s, v.len, member)
			       ? fsi_import_bad(imp, f->key, v, "a number")
			       : 0;
	case FSI_DBL:
		if (fsi_parse_double(v.s, v.len, member) ||
		    ((f->flags & FSI_POS) && *(double *)member < 0) ||
		    ((f->flags & FSI_PART) == FSI_PART && *(double *)member > 1))
			return fsi_import_bad(imp, f->key, v, "a number, in range");
		return 0;
	case FSI_TIME:
		return fsi_import_local_time(imp, v, member)
			       ? fsi_import_bad(imp, f->key, v, "a time")
			       : 0;
	case FSI_DUR:
		return set_duration(imp, f, v, member, special);
	case FSI_BOOL:
		return set_bool(imp, f, v, member);
	case FSI_STR:
		*(uint32_t *)member = fsi_import_name(imp, v);
		return *(uint32_t *)member == FSI_INTERN_FAILED ? fsi_nomem(imp->err) : 0;
	case FSI_STATE:
		*(uint8_t *)member = (uint8_t)fsi_job_state_parse(v.s, (uint32_t)v.len);
		return *(uint8_t *)member == FSI_STATE_COUNT
			       ? fsi_import_bad(imp, f->key, v, "a job state")
			       : 0;
	case FSI_LIST:
		return set_list(imp, v, member);
	case FSI_TRES:
	case FSI_TRESF:
		return fsi_import_tres(imp, f->key, v, false, member);
	}
	return FS_EDATA;
}

int fsi_import_complete(struct fsi_import *imp, enum fsi_record_type type,
			const struct fsi_rec *rec)
{
	const struct fsi_record_table *t = fsi_record_table(type);

	for (unsigned i = 0; i < t->nfields; i++)
		if ((t->fields[i].flags & FSI_REQ) && !fsi_known(rec, i))
			return fsi_fail_at(imp->err, imp->where, t->fields[i].key, "missing");
	return 0;
}

int fsi_import_set(struct fsi_import *imp, const struct fsi_record_table *t, unsigned bit,
		   struct fsi_rec *rec, struct fsi_span value)
{
	const struct fsi_field *f = &t->fields[bit];
	bool special = false;
	int rc;

	if (f->type == FSI_STR ? fsi_span_unset(value) : fsi_span_none(value))
		return 0;
	rc = set_value(imp, f, value, (char *)rec + f->offset, &special);
	if (!rc) {
		fsi_mark_known(rec, bit);
		if (special)
			rec->special |= 1u << bit;
	}
	return rc;
}

enum { HEADER_LIST_MAX = 64 };

/* To a list of the header, unless it is full. */
static int append(struct fsi_import *imp, uint32_t *list, unsigned bit, uint32_t id)
{
	fs_snapshot *m = imp->m;
	uint32_t ids[HEADER_LIST_MAX];
	size_t n;
	const uint32_t *old = fsi_list(m, *list, &n);

	if (id == FSI_INTERN_FAILED)
		return fsi_nomem(imp->err);
	if (n >= HEADER_LIST_MAX)
		return 0;
	if (n)
		memcpy(ids, old, n * sizeof(*ids));
	ids[n] = id;
	*list = fsi_intern(&m->sets, ids, (n + 1) * sizeof(*ids));
	fsi_mark_known(&m->head.rec, bit);
	return *list == FSI_INTERN_FAILED ? fsi_nomem(imp->err) : 0;
}

int fsi_import_hide(struct fsi_import *imp, const char *record_type)
{
	if (fsi_hidden(imp->m, record_type))
		return 0;
	return append(imp, &imp->m->head.hidden, FSI_SNAPSHOT_hidden, fsi_name(imp->m, record_type));
}

int fsi_import_incomplete(struct fsi_import *imp, const char *record_type, const char *fmt, ...)
{
	char text[400];
	va_list ap;
	int rc;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	if (fsi_warn(imp->m, "%s", text))
		return fsi_nomem(imp->err);
	rc = append(imp, &imp->m->head.incomplete, FSI_SNAPSHOT_incomplete,
		    fsi_import_name(imp, (struct fsi_span){ text, strlen(text) }));
	return rc || !record_type ? rc : fsi_import_hide(imp, record_type);
}
