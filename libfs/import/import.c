#include "import/import.h"

#include "base/num.h"
#include "import/outputs.h"
#include "model/model.h"
#include "model/scheduler.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- the lists in the snapshot's header: the files of the capture (`sources`), the record types that are hidden from
 * the capturing user, and messages about missing data */

enum { HEADER_LIST_MAX = 64 };

/* Appends an interned word to a list of the header. A list that already has HEADER_LIST_MAX words is not changed. */
static int append_header_list(struct fsi_import *imp, uint32_t *list, unsigned bit, uint32_t id)
{
	if (fsi_list_append_name(imp->m, list, HEADER_LIST_MAX, id) < 0)
		return fsi_fail_no_memory(imp->err);
	fsi_mark_known(&imp->m->head.rec, bit);
	return 0;
}

static bool matches_file_name(const char *pattern, const char *name, size_t len)
{
	const size_t n = strlen(pattern);

	if (n && pattern[n - 1] == '*')
		return len >= n - 1 && !memcmp(pattern, name, n - 1);
	return len == n && !memcmp(pattern, name, n);
}

/* Returns a bit set of the rows of imp->outputs that have this file name. A `*` at the end of a row's file name matches
 * any text. */
static uint64_t find_source_rows(const struct fsi_import *imp, const char *name, size_t len)
{
	uint64_t rows = 0;

	for (size_t i = 0; imp->outputs && i < imp->outputs->n; i++)
		if (matches_file_name(imp->outputs->v[i].capture.file, name, len))
			rows |= 1ull << i;
	return rows;
}

/* Notes that the importer looked for the file, and whether the file exists. */
static void note_opened_source(struct fsi_import *imp, const char *file, bool found)
{
	const char *slash = strrchr(file, '/'), *name = slash ? slash + 1 : file;
	const uint64_t rows = find_source_rows(imp, name, strlen(name));

	imp->searched |= rows;
	imp->existing |= found ? rows : 0;
}

/* If the message of a warning begins with FOLDER/FILE:, marks this file as partial. */
static void mark_source_partial(struct fsi_import *imp, const char *sentence)
{
	const size_t dir = imp->source ? strlen(imp->source->name) : 0;
	const char *name = sentence, *end;

	if (!dir || strncmp(sentence, imp->source->name, dir) != 0 || sentence[dir] != '/')
		return;
	name += dir + 1;
	end = strchr(name, ':');
	for (const char *s = name; end && s < end; s++)
		if (*s == '/')
			name = s + 1;
	if (end)
		imp->incomplete |= find_source_rows(imp, name, (size_t)(end - name));
}

/* Appends an item to the list `sources`: the file of row `i` of imp->outputs, with its record type and its state. */
static int append_source(struct fsi_import *imp, size_t i)
{
	const struct fs_output *o = &imp->outputs->v[i].capture;
	const uint64_t bit = 1ull << i;
	char text[120];

	snprintf(text, sizeof(text), "%s %s %s", o->type, o->file,
		 !(imp->existing & bit) ? "missing" : imp->incomplete & bit ? "partial" : "whole");
	return append_header_list(imp, &imp->m->head.sources, FSI_SNAPSHOT_sources, fsi_name_intern(imp->m, text));
}

int fsi_import_list_sources(struct fsi_import *imp)
{
	static const char *const types[] = { "config", "tres",	"association", "user",	      "qos", "credential",
					     "window", "partition", "node",	       "reservation", "job", "usage",
					     "recorded" };
	int rc = 0;

	for (size_t k = 0; k < sizeof(types) / sizeof(*types); k++)
		for (size_t i = 0; i < imp->outputs->n && !rc; i++) {
			const char *type = imp->outputs->v[i].capture.type;

			if (type && !strcmp(type, types[k]) && imp->searched >> i & 1)
				rc = append_source(imp, i);
		}
	return rc;
}

/* ---- string views */

bool fsi_span_is_word(struct fsi_span v, const char *word)
{
	return fsi_is_same_ignoring_case(v.s, v.len, word);
}

bool fsi_span_equals(struct fsi_span v, struct fsi_span other)
{
	return v.len == other.len && (!v.len || !memcmp(v.s, other.s, v.len));
}

bool fsi_span_starts_with(struct fsi_span v, const char *with)
{
	const size_t n = strlen(with);

	return v.len >= n && !memcmp(v.s, with, n);
}

const char *fsi_span_find_text(struct fsi_span v, const char *text, size_t rarest)
{
	const size_t n = strlen(text);
	const char *s = v.s, *end = v.s + v.len;

	while ((size_t)(end - s) >= n) {
		const char *p = memchr(s + rarest, text[rarest], (size_t)(end - s) - (n - 1));

		if (!p)
			return NULL;
		s = p - rarest;
		if (!memcmp(s, text, n))
			return s;
		s++;
	}
	return NULL;
}

bool fsi_span_contains_text(struct fsi_span v, const char *text)
{
	return fsi_span_find_text(v, text, 0) != NULL;
}

/* Compares the text with one of the words for "no value". These words differ in length or first letter, so most texts
 * are rejected without a call of fsi_span_is_word. */
static bool equals_short_word(struct fsi_span v, const char *word, size_t len)
{
	return v.len == len && fsi_char_to_lower(*v.s) == *word && fsi_span_is_word(v, word);
}

bool fsi_span_is_unset(struct fsi_span v)
{
	return !v.len || equals_short_word(v, "(null)", 6) || equals_short_word(v, "n/a", 3);
}

bool fsi_span_is_none(struct fsi_span v)
{
	return fsi_span_is_unset(v) || equals_short_word(v, "none", 4) || equals_short_word(v, "unknown", 7);
}

struct fsi_span fsi_span_trim_blanks(struct fsi_span v)
{
	while (v.len && (*v.s == ' ' || *v.s == '\t')) {
		v.s++;
		v.len--;
	}
	while (v.len && (v.s[v.len - 1] == ' ' || v.s[v.len - 1] == '\t' || v.s[v.len - 1] == '\r'))
		v.len--;
	return v;
}

bool fsi_span_cut_part(struct fsi_span *rest, char sep, struct fsi_span *part)
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

size_t fsi_span_split_words(struct fsi_span line, struct fsi_span *word, size_t max)
{
	const char *p = line.s, *end = line.s + line.len;
	size_t n = 0;

	while (p < end) {
		const char *start;

		while (p < end && (*p == ' ' || *p == '\t' || *p == '\r'))
			p++;
		for (start = p; p < end && *p != ' ' && *p != '\t' && *p != '\r'; p++)
			;
		if (p > start && n < max)
			word[n] = (struct fsi_span){ start, (size_t)(p - start) };
		n += p > start;
	}
	return n;
}

/* A snapshot is UTF-8 without NUL. A byte of a name that is 0 or not part of valid UTF-8 is written as \xHH, so that
 * different names stay different. A name with such a byte is truncated at about 1,000 bytes; other names are not
 * truncated. */
uint32_t fsi_import_intern_name(struct fsi_import *imp, struct fsi_span v)
{
	char buf[1024];
	size_t n = 0, i = 0;

	while (i < v.len && v.s[i] && (v.s[i] & 0x80) == 0)
		i++;
	while (i < v.len && v.s[i] && fsi_utf8_sequence_length(v.s + i, v.len - i))
		i += fsi_utf8_sequence_length(v.s + i, v.len - i);
	if (i == v.len)
		return fsi_intern_add(&imp->m->names, v.s, v.len);
	for (i = 0; i < v.len && n + 8 < sizeof(buf);) {
		const size_t len = v.s[i] ? fsi_utf8_sequence_length(v.s + i, v.len - i) : 0;

		if (len)
			memcpy(buf + n, v.s + i, len);
		n += len ? len : (size_t)snprintf(buf + n, 8, "\\x%02x", (unsigned char)v.s[i]);
		i += len ? len : 1;
	}
	return fsi_intern_add(&imp->m->names, buf, n);
}

int fsi_import_parse_flux_id(struct fsi_span v, uint64_t *id)
{
	char text[64];

	if (!v.len || v.len >= sizeof(text))
		return -1;
	memcpy(text, v.s, v.len);
	text[v.len] = '\0';
	return fsi_f58_parse_id(text, id) && fsi_parse_u64(v.s, v.len, id) ? -1 : 0;
}

/* Opens a file of the capture. Returns 0, 1 if the file does not exist, or a negative error code. Sets *name to the
 * path of the file for messages; imp->m owns the path. */
static int open_source_file(struct fsi_import *imp, const char *file, const char **name, void **stream)
{
	const char *dir = imp->source->name;
	const size_t n = strlen(dir) + strlen(file) + 1;
	char *path;
	const int rc = imp->source->open(imp->source->ctx, file, stream);

	note_opened_source(imp, file, !rc);
	if (rc > 0)
		return 1;
	if (rc < 0)
		return fsi_fail_with_code(imp->err, FS_EIO, "cannot read '%s/%s'", dir, file);
	imp->opened_files++;
	*name = path = fsi_arena_alloc(&imp->m->arena, n + 1);
	if (!path) {
		imp->source->close(*stream);
		return fsi_fail_no_memory(imp->err);
	}
	snprintf(path, n + 1, "%s/%s", dir, file);
	return 0;
}

/* Filter for a JSON text: replaces the bare word Infinity by null, padded with blanks. */
struct infinity_filter {
	fs_read_fn read;
	void *stream;
	bool in_string; /* the next character is inside a string */
	bool escaped;   /* the last character was a backslash in a string */
	unsigned matched; /* number of characters read so far that match the beginning of the word Infinity */
	bool has_text;    /* the file is not empty */
};

static char replace_infinity_char(struct infinity_filter *f, char c)
{
	static const char word[] = "Infinity", null[] = "null    ";

	if (f->in_string) {
		f->in_string = f->escaped || c != '"';
		f->escaped = !f->escaped && c == '\\';
		return c;
	}
	f->in_string = c == '"';
	if (c != word[f->matched])
		f->matched = 0;
	if (c != word[f->matched])
		return c;
	c = null[f->matched++];
	f->matched %= sizeof(word) - 1;
	return c;
}

static ptrdiff_t read_without_infinity(void *ctx, void *buf, size_t size)
{
	struct infinity_filter *f = ctx;
	char *s = buf;
	const ptrdiff_t n = f->read(f->stream, buf, size);

	for (ptrdiff_t i = 0; i < n; i++)
		s[i] = replace_infinity_char(f, s[i]);
	f->has_text = f->has_text || n != 0;
	return n;
}

int fsi_import_read_json(struct fsi_import *imp, const char *file, const struct fsi_json_split *split)
{
	struct infinity_filter f;
	const char *name;
	void *stream;
	int rc = open_source_file(imp, file, &name, &stream);

	if (rc)
		return rc;
	f = (struct infinity_filter){ .read = imp->source->read, .stream = stream };
	rc = fsi_import_check_memory(imp, fsi_json_split_document(split, read_without_infinity, &f, name, imp->err));
	imp->source->close(stream);
	if (f.has_text || rc == FS_ENOMEM)
		return rc;
	return fsi_import_warn_incomplete(imp, NULL, "%s: the file is empty", name) ? fsi_fail_no_memory(imp->err) : 1;
}

int fsi_import_read_lines(struct fsi_import *imp, const char *file, fsi_line_fn fn, void *ctx)
{
	struct fsi_lines lines;
	struct fsi_span line;
	const char *name;
	char *s;
	void *stream;
	int rc = open_source_file(imp, file, &name, &stream);

	if (rc)
		return rc;
	fsi_lines_init_reader(&lines, imp->source->read, stream, name);
	while ((rc = fsi_lines_read_next(&lines, &s, &line.len, imp->err)) > 0) {
		imp->where = lines.where;
		line.s = s;
		rc = fn(imp, ctx, line);
		if (rc)
			break;
	}
	rc = fsi_import_check_memory(imp, rc);
	fsi_lines_release(&lines);
	imp->source->close(stream);
	return rc;
}

int fsi_import_reject_value(struct fsi_import *imp, const char *field, struct fsi_span value, const char *want)
{
	return fsi_fail_at(imp->err, imp->where, field, "expected %s, got \"%.*s\"", want,
			   (int)(value.len < 64 ? value.len : 64), value.s);
}

int fsi_import_reject_number(struct fsi_import *imp, const char *field, struct fsi_span value, int64_t min,
			     int64_t max)
{
	char want[80];

	snprintf(want, sizeof(want), "a number from %lld to %lld", (long long)min, (long long)max);
	return fsi_import_reject_value(imp, field, value, want);
}

int fsi_import_hide_type(struct fsi_import *imp, const char *record_type)
{
	if (fsi_is_type_hidden(imp->m, record_type))
		return 0;
	return append_header_list(imp, &imp->m->head.hidden, FSI_SNAPSHOT_hidden, fsi_name_intern(imp->m, record_type));
}

int fsi_import_hide_types(struct fsi_import *imp, const char *const *record_types)
{
	int rc = 0;

	for (; *record_types && !rc; record_types++)
		rc = fsi_import_hide_type(imp, *record_types);
	return rc;
}

int fsi_import_check_memory(struct fsi_import *imp, int rc)
{
	return fsi_model_is_out_of_memory(imp->m) ? fsi_fail_no_memory(imp->err) : rc;
}

void fsi_import_store_setting(struct fsi_import *imp, const char *name, struct fsi_config_entry value)
{
	struct fsi_config_entry *e = fsi_config_find_or_add(imp->m, name);

	imp->m->out_of_memory |= !e;
	if (!e)
		return;
	value.name = e->name;
	*e = value;
}

void fsi_import_store_int(struct fsi_import *imp, const char *name, int64_t value)
{
	fsi_import_store_setting(imp, name, (struct fsi_config_entry){ .kind = FSI_CONFIG_INT, .i = value });
}

void fsi_import_store_double(struct fsi_import *imp, const char *name, double value)
{
	fsi_import_store_setting(imp, name, (struct fsi_config_entry){ .kind = FSI_CONFIG_DOUBLE, .d = value });
}

void fsi_import_store_text(struct fsi_import *imp, const char *name, const char *value)
{
	const uint32_t id = fsi_name_intern(imp->m, value);

	fsi_import_store_setting(imp, name, (struct fsi_config_entry){ .kind = FSI_CONFIG_STR, .i = id });
}

int fsi_import_finish(struct fsi_import *imp, int rc, fs_snapshot **out)
{
	if (rc)
		fs_snapshot_free(imp->m);
	else
		*out = imp->m;
	return rc;
}

int fsi_import_warn_incomplete(struct fsi_import *imp, const char *record_type, const char *fmt, ...)
{
	char text[400];
	va_list ap;
	int rc;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	if (fsi_model_add_warning(imp->m, "%s", text))
		return fsi_fail_no_memory(imp->err);
	mark_source_partial(imp, text);
	rc = append_header_list(imp, &imp->m->head.incomplete, FSI_SNAPSHOT_incomplete,
				fsi_import_intern_name(imp, fsi_string_to_span(text)));
	return rc || !record_type ? rc : fsi_import_hide_type(imp, record_type);
}

/* If the time zone is unknown (imp->zone is NULL), one UTC offset applies to all local times of the capture. */

int64_t fsi_import_local_to_utc(struct fsi_import *imp, int64_t local)
{
	int64_t t = local - imp->utc_offset_s;
	const unsigned utc_count = imp->zone ? fsi_zone_local_to_utc(imp->zone, imp->nzone, local, &t) : 1;

	if (utc_count > 1 && !imp->repeated_times.n++)
		imp->repeated_times.first = imp->where;
	if (!utc_count && !imp->skipped_times.n++)
		imp->skipped_times.first = imp->where;
	return t;
}

/* State of searching one file for its signature (struct fsi_signature) and for an error message. */
struct signature_check {
	const struct fsi_signature *signature;
	bool has_signature; /* a line begins with the text that identifies successful output */
	bool has_text;      /* the file is not empty */
	uint64_t error_line; /* line number of the first error message; 0: none */
	char error[81];      /* text of line error_line, truncated */
};

static bool starts_with_text(struct fsi_span line, const char *with)
{
	return with && line.len >= strlen(with) && !memcmp(line.s, with, strlen(with));
}

/* Returns true for `slurm_load_jobs error: ...`, `sacctmgr: error: ...` (a command's name, then "error:") and Maui's
 * `ERROR: ...`. */
static bool is_error_line(struct fsi_span line)
{
	struct fsi_span word;

	if (starts_with_text(line, "ERROR:"))
		return true;
	fsi_span_cut_part(&line, ' ', &word);
	for (size_t i = 0; i < word.len; i++)
		if (!(word.s[i] >= 'a' && word.s[i] <= 'z') && word.s[i] != '_' && word.s[i] != '-' && word.s[i] != ':')
			return false;
	return word.len && line.s && starts_with_text(line, "error:");
}

static int check_signature_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	struct signature_check *m = ctx;
	size_t n;

	line = fsi_span_trim_blanks(line);
	m->has_text = m->has_text || line.len;
	m->has_signature = m->has_signature || starts_with_text(line, m->signature->text) ||
			   starts_with_text(line, m->signature->alternative);
	if (m->error_line || !is_error_line(line))
		return 0;
	n = line.len < sizeof(m->error) - 1 ? line.len : sizeof(m->error) - 1;
	memcpy(m->error, line.s, n);
	m->error[n] = '\0';
	m->error_line = imp->where.line;
	return 0;
}

/* Warns if the file contains an error message, is empty, or has no line with its signature (struct fsi_signature). */
static int warn_signature_faults(struct fsi_import *imp, const struct signature_check *m)
{
	const char *dir = imp->source->name, *file = m->signature->file, *type = m->signature->type;

	if (m->error_line)
		return fsi_import_warn_incomplete(imp, type, "%s/%s:%llu: the command failed: \"%s\"", dir, file,
						  (unsigned long long)m->error_line, m->error);
	if (!m->has_text)
		return fsi_import_warn_incomplete(imp, type, "%s/%s: the file is empty", dir, file);
	if (!m->has_signature)
		return fsi_import_warn_incomplete(imp, type,
						  "%s/%s: the file is not the output of the expected command: no line begins with \"%s\"",
						  dir, file, m->signature->text);
	return 0;
}

int fsi_import_check_signatures(struct fsi_import *imp, const struct fsi_signature *signatures, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct signature_check m = { .signature = &signatures[i] };
		int rc = fsi_import_read_lines(imp, signatures[i].file, check_signature_line, &m);

		if (!rc)
			rc = warn_signature_faults(imp, &m);
		if (rc < 0)
			return rc;
	}
	return 0;
}

void fsi_missing_add_name(struct fsi_missing_records *x, bool present, const char *name)
{
	x->total++;
	if (!present && !x->n++)
		snprintf(x->first, sizeof(x->first), "%s", name);
}

void fsi_missing_add_id(struct fsi_missing_records *x, bool present, uint64_t id)
{
	x->total++;
	if (!present && !x->n++)
		fsi_format_u64(x->first, id);
}

int fsi_missing_warn(struct fsi_import *imp, const char *type, const struct fsi_missing_records *x, const char *file,
		     const char *what)
{
	return x->n ? fsi_import_warn_incomplete(imp, type, "%s/%s: the file lacks %zu of %zu %s, first: %s",
						 imp->source->name, file, x->n, x->total, what, x->first)
		    : 0;
}

struct fsi_viewer fsi_import_get_viewer(const fs_snapshot *m)
{
	const char *name = fsi_name_text(m, m->head.captured_by);
	struct fsi_viewer viewer;

	fsi_viewer_init(&viewer, m, *name ? name : NULL);
	return viewer;
}

int fs_import_folder(fs_snapshot **out, const char *scheduler, const struct fs_source *source, struct fs_error *err)
{
	const struct fsi_scheduler *s = fsi_scheduler_find_by_name(scheduler);

	return *scheduler && s->import ? s->import(out, source, err)
				       : fsi_fail_with_code(err, FS_EUSAGE, "no importer for scheduler \"%s\"", scheduler);
}
