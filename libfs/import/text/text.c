/* fs_import_text: converts a paste to the files of a capture, and runs the importer of the scheduler on these files. */
#include "import/flux/flux.h"
#include "import/maui/maui.h"
#include "import/text/text.h"

#include "base/num.h"
#include "base/error.h"
#include "model/tables.h"

#include <stdio.h>
#include <string.h>

enum { PASTE_BYTES_MAX = 64 * 1024 * 1024, SKIPPED_LINES_MAX = 200, READ_BLOCK_SIZE = 65536 };

/* Reads the stream to its end into *text. The caller frees *text, also after an error. */
static int read_whole_stream(struct fsi_text *t, fs_read_fn read, void *ctx, char **text, size_t *size)
{
	size_t cap = READ_BLOCK_SIZE;
	char *buf = malloc(cap);

	*size = 0;
	while (buf) {
		const ptrdiff_t n = read(ctx, buf + *size, cap - *size);
		char *more;

		if (n <= 0) {
			*text = buf;
			return n < 0 ? fsi_fail_with_code(t->err, FS_EIO, "cannot read '%s'", t->name) : 0;
		}
		*size += (size_t)n;
		if (*size > PASTE_BYTES_MAX) {
			*text = buf;
			return fsi_fail_with_code(t->err, FS_EDATA, "%s: the text is larger than the maximum of %d MiB", t->name,
						  PASTE_BYTES_MAX >> 20);
		}
		if (*size < cap)
			continue;
		more = realloc(buf, cap *= 2);
		if (!more)
			break;
		buf = more;
	}
	free(buf);
	*text = NULL;
	return fsi_fail_no_memory(t->err);
}

/* ---- the time of the capture */

/* Returns the newest time in the paste; FS_UNKNOWN if there is none. The result is t->newest_time, or a later time in
 * scontrol's job records. Ignores keys whose times may be in the future, such as StartTime. */
static int64_t find_newest_time(const struct fsi_text *t)
{
	static const char *const keys[] = { " SubmitTime=", " AccrueTime=", " LastSchedEval=" };
	const struct fsi_text_file *f = fsi_text_find_file(t, "scontrol_job_o.txt");
	int64_t newest = t->newest_time;

	for (size_t i = 0; f && i < f->lines.n; i++)
		for (size_t k = 0; k < sizeof(keys) / sizeof(*keys); k++) {
			const char *p = strstr(f->lines.v[i].s, keys[k]);
			int64_t at;

			if (p && strlen(p += strlen(keys[k])) >= 19 && !fsi_parse_civil_time(p, 19, &at) && at > newest)
				newest = at;
		}
	return newest;
}

/* Returns the value of the key in the job record; an empty span if the record does not have the key. `key`: with a
 * blank before it and an equals sign after it. */
static struct fsi_span get_key_value(const char *record, const char *key)
{
	const char *at = strstr(record, key);

	return at ? (struct fsi_span){ at + strlen(key), strcspn(at + strlen(key), " ") } : (struct fsi_span){ NULL, 0 };
}

/* Returns the time at which a running job has run for its run time, the latest one if there are several running jobs;
 * FS_UNKNOWN: no running job has both its start time and its run time. */
static int64_t find_running_clock(const struct fsi_text *t)
{
	const struct fsi_text_file *f = fsi_text_find_file(t, "scontrol_job_o.txt");
	int64_t latest = FS_UNKNOWN;

	for (size_t i = 0; f && i < f->lines.n; i++) {
		const char *record = f->lines.v[i].s;
		const struct fsi_span start = get_key_value(record, " StartTime="), ran = get_key_value(record, " RunTime=");
		int64_t at, seconds;

		if (fsi_span_is_word(get_key_value(record, " JobState="), "RUNNING") && start.len == 19 && ran.len &&
		    !fsi_parse_civil_time(start.s, start.len, &at) && !fsi_parse_duration(ran.s, ran.len, &seconds) &&
		    (latest == FS_UNKNOWN || at + seconds > latest))
			latest = at + seconds;
	}
	return latest;
}

/* Writes date_begin, the time of the capture, unless `scontrol show config` in the paste shows the time. Uses the first
 * known time in this list: the time in the options, the time of the capture according to the paste, the time at which
 * running jobs have run for their run times, the newest time in the paste, the option `otherwise`. */
static int write_clock_file(struct fsi_text *t)
{
	char text[32];

	if (t->clock_from_config)
		return 0;
	if (t->clock == FS_UNKNOWN)
		t->clock = find_running_clock(t);
	if (t->o->time) {
		t->clock = t->o->time;
	} else if (t->clock == FS_UNKNOWN) {
		t->clock = find_newest_time(t);
		t->clock_guessed = true;
		if (t->clock == FS_UNKNOWN && !t->o->otherwise)
			return fsi_fail_with_code(t->err, FS_ENODATA, "%s: the capture time is unknown: specify it with --at",
						  t->name);
		if (t->clock == FS_UNKNOWN) {
			t->clock = t->o->otherwise;
			if (fsi_text_add_warning(t, "the capture time is unknown: the import uses the file's modification "
						    "time (or the current time if the text is not from a regular file)"))
				return FS_ENOMEM;
		} else if (
			fsi_text_add_warning(
				t,
				"the capture time is unknown: the import uses the newest time in the text, so ages and waits are lower "
				"bounds; specify the time with --at"))
			return FS_ENOMEM;
	}
	snprintf(text, sizeof(text), "%lld", (long long)t->clock);
	return fsi_text_add_line(t, "date_begin", fsi_string_to_span(text), 0);
}

/* ---- functions for the outputs of each scheduler */

static int write_slurm_files(struct fsi_text *t)
{
	int rc = 0;

	FSI_CALL_UNTIL_ERROR(rc, struct fsi_text *, t, fsi_text_write_records, fsi_text_collect_names,
			     fsi_text_write_queue, fsi_text_write_tables);
	return rc;
}

static int import_slurm(struct fsi_text *t, fs_snapshot **out, const struct fs_source *source)
{
	const struct fs_import_options o = { .partial = true };

	return fs_import_slurm(out, source, &o, t->err);
}

static int import_flux(struct fsi_text *t, fs_snapshot **out, const struct fs_source *source)
{
	return fsi_import_flux(out, source, true, t->err);
}

/* Functions for each scheduler, indexed by enum fsi_text_scheduler. */
static const struct {
	const char *name;
	int (*read)(struct fsi_text *t); /* converts the pasted outputs to files of a capture */
	int (*import)(struct fsi_text *t, fs_snapshot **out, const struct fs_source *source);
} schedulers[TEXT_SCHEDULERS] = {
	{ "Slurm", write_slurm_files, import_slurm },
	{ "Flux", fsi_text_write_flux, import_flux },
	{ "Maui", fsi_text_write_maui, fsi_text_import_maui },
};

/* ---- importing: each line that the importer rejects is removed, with a warning */

/* Searches the files made from the paste for the line that caused the error t->err. NULL: no line caused it. */
static struct fsi_text_line *find_bad_line(struct fsi_text *t)
{
	const char *file = t->err->file;
	const size_t n = strlen(t->name);

	if (t->err->code != FS_EDATA || !t->err->line || strncmp(file, t->name, n) != 0 || file[n] != '/')
		return NULL;
	for (size_t i = 0; i < t->files.n; i++)
		if (!strcmp(t->files.v[i].name, file + n + 1) && t->err->line <= t->files.v[i].lines.n)
			return &t->files.v[i].lines.v[t->err->line - 1];
	return NULL;
}

/* Runs the importer. If the importer rejects a line, empties the line, adds a warning, and runs the importer again.
 * Empties at most SKIPPED_LINES_MAX lines. */
static int import_readable_lines(struct fsi_text *t, fs_snapshot **out)
{
	const struct fs_source source = fsi_text_make_source(t);

	for (size_t n = 0;; n++) {
		const int rc = schedulers[t->scheduler].import(t, out, &source);
		struct fsi_text_line *line = rc ? find_bad_line(t) : NULL;

		if (!line || !line->len || n == SKIPPED_LINES_MAX)
			return rc;
		line->len = 0;
		if (fsi_text_add_warning(t, "line %u is left out: %s%s%s", line->no, t->err->field,
					 *t->err->field ? ": " : "", t->err->message))
			return FS_ENOMEM;
	}
}

/* ---- warnings: the importers name files of a capture, which the user of a paste does not have */

/* What the user calls the contents of a file. The names of other files are command lines with _ instead of blanks. */
static const char *const file_contents[][2] = {
	{ "scontrol_job_o.txt", "jobs" },	    { "scontrol_partition_o.txt", "partitions" },
	{ "scontrol_node_o.txt", "nodes" },	    { "scontrol_reservation.txt", "reservations" },
	{ "scontrol_config.txt", "configuration" }, { "scontrol_assoc_mgr_o.txt", "scontrol show assoc_mgr" },
	{ "sprio.txt", "priorities" },		    { "sshare.txt", "shares" },
	{ "sacctmgr_qos_all.txt", "QOS" },	    { "sacctmgr_assoc.txt", "associations" },
	{ "sacctmgr_user.txt", "users" },	    { "sacctmgr_tres.txt", "TRES" },
};

static void copy_contents_name(char *out, size_t size, struct fsi_span file)
{
	for (size_t i = 0; i < sizeof(file_contents) / sizeof(*file_contents); i++)
		if (fsi_span_is_word(file, file_contents[i][0])) {
			snprintf(out, size, "%s", file_contents[i][1]);
			return;
		}
	snprintf(out, size, "%.*s", (int)file.len, file.s);
	out[strcspn(out, ".")] = '\0';
	for (char *p = out; (p = strchr(p, '_')) != NULL;)
		*p = ' ';
}

/* Returns the number of the line of the paste from which line `line` of the file comes; 0: unknown. */
static uint32_t find_paste_line(const struct fsi_text *t, struct fsi_span file, unsigned long line)
{
	for (size_t i = 0; i < t->files.n; i++)
		if (fsi_span_is_word(file, t->files.v[i].name) && line && line <= t->files.v[i].lines.n)
			return t->files.v[i].lines.v[line - 1].no;
	return 0;
}

/* Replaces "PASTE/FILE:LINE: " at the beginning of a warning by "PASTE: line N: CONTENTS: ". Returns the warning
 * unchanged if it does not begin with the name of a file; NULL if out of memory. */
static const char *name_paste_line(struct fsi_text *t, const char *warning)
{
	const size_t n = strlen(t->name);
	const char *file = warning + n + 1, *rest;
	struct fsi_span name;
	char text[600], contents[60], place[32] = "";
	unsigned long line = 0;
	char *end;

	if (strncmp(warning, t->name, n) != 0 || warning[n] != '/' || !(rest = strchr(file, ':')))
		return warning;
	name = (struct fsi_span){ file, (size_t)(rest - file) };
	line = strtoul(rest + 1, &end, 10);
	if (line && *end == ':')
		rest = end;
	copy_contents_name(contents, sizeof(contents), name);
	if (find_paste_line(t, name, line))
		snprintf(place, sizeof(place), "line %u: ", find_paste_line(t, name, line));
	snprintf(text, sizeof(text), "%s: %s%s%s", t->name, place, contents, rest);
	return fsi_arena_strndup(&t->arena, text, strlen(text));
}

/* Rewrites the warnings of the importer, and their list in the header. */
static int name_paste_lines(struct fsi_text *t, fs_snapshot *s)
{
	size_t n;
	const uint32_t *old = fsi_list_items(s, s->head.incomplete, &n);
	uint32_t list = 0;

	for (size_t i = 0; i < s->warnings.n; i++) {
		const char *text = name_paste_line(t, s->warnings.v[i]);

		s->warnings.v[i] = text ? fsi_arena_strndup(&s->arena, text, strlen(text)) : NULL;
		if (!s->warnings.v[i])
			return fsi_fail_no_memory(t->err);
	}
	for (size_t i = 0; i < n; i++) {
		const char *text = name_paste_line(t, fsi_name_text(s, old[i]));

		if (!text || fsi_list_append_name(s, &list, n, fsi_name_intern(s, text)) < 0)
			return fsi_fail_no_memory(t->err);
		old = fsi_list_items(s, s->head.incomplete, &n);
	}
	s->head.incomplete = list;
	return 0;
}

static int complete_text_header(struct fsi_text *t, fs_snapshot *s)
{
	struct fsi_import imp = { .m = s, .err = t->err };
	int rc = fsi_import_hide_type(&imp, FSI_HIDDEN_JOB_FIELDS);

	rc = rc ? rc : name_paste_lines(t, s);
	for (size_t i = 0; i < t->warnings.n && !rc; i++)
		rc = fsi_import_warn_incomplete(&imp, NULL, "%s: %s", t->name, t->warnings.v[i]);
	if (!rc && t->cluster.len) {
		s->head.cluster = fsi_import_intern_name(&imp, t->cluster);
		rc = s->head.cluster == FSI_INTERN_FAILED ? fsi_fail_no_memory(t->err) : 0;
	}
	return rc;
}

/* ---- choosing the scheduler whose outputs are imported */

/* Returns the scheduler whose outputs have the most lines. If several schedulers have the same number of lines, returns
 * the first of them in enum fsi_text_scheduler. */
static enum fsi_text_scheduler find_main_scheduler(const struct fsi_text *t)
{
	size_t lines[TEXT_SCHEDULERS] = { 0 };
	enum fsi_text_scheduler most = TEXT_SLURM;

	for (size_t i = 0; i < t->pieces.n; i++)
		lines[fsi_text_kind_scheduler(t->pieces.v[i].kind)] += t->pieces.v[i].end - t->pieces.v[i].begin;
	for (enum fsi_text_scheduler s = TEXT_SLURM; s < TEXT_SCHEDULERS; s++)
		most = lines[s] > lines[most] ? s : most;
	return most;
}

/* Sets t->scheduler and removes the outputs of other schedulers, with a warning for each. */
static int drop_other_schedulers(struct fsi_text *t)
{
	size_t n = 0;
	int rc = fsi_text_warn_unread(t);

	t->scheduler = find_main_scheduler(t);
	for (size_t i = 0; i < t->pieces.n && !rc; i++) {
		const struct fsi_text_piece *p = &t->pieces.v[i];
		const enum fsi_text_scheduler s = fsi_text_kind_scheduler(p->kind);

		if (s == t->scheduler)
			t->pieces.v[n++] = *p;
		else
			rc = fsi_text_add_warning(
				t, "line %u: the output of %s (%s) is left out, because most of the text is from %s",
				t->lines.v[p->begin].no, fsi_text_kind_name(p->kind), schedulers[s].name,
				schedulers[t->scheduler].name);
	}
	t->pieces.n = rc ? t->pieces.n : n;
	return rc;
}

/* Parses the pasted outputs that are tables with a heading. */
static int parse_piece_tables(struct fsi_text *t)
{
	int rc = 0;

	for (size_t i = 0; i < t->pieces.n && !rc; i++) {
		const enum fsi_text_kind kind = t->pieces.v[i].kind;

		if ((kind >= TEXT_SQUEUE && kind <= TEXT_TRES) || kind == TEXT_FLUX_JOBS ||
		    kind == TEXT_FLUX_PRIORITIES)
			rc = fsi_text_parse_table(t, &t->pieces.v[i]);
	}
	return rc;
}

static int convert_paste_to_files(struct fsi_text *t, const char *text, size_t size)
{
	int rc = fsi_text_clean_paste(t, text, size);

	FSI_CALL_UNTIL_ERROR(rc, struct fsi_text *, t, fsi_text_find_pieces, drop_other_schedulers, parse_piece_tables);
	if (!rc)
		rc = schedulers[t->scheduler].read(t);
	if (!rc && !t->files.n)
		rc = fsi_fail_with_code(t->err, FS_ENODATA, "%s: the text has no output of a supported command%s%s", t->name,
					t->warnings.n ? ": " : "",
					t->warnings.n ? t->warnings.v[0] : "");
	return rc ? rc : write_clock_file(t);
}

static void release_text_import(struct fsi_text *t)
{
	for (size_t i = 0; i < t->files.n; i++) {
		FSI_VEC_FREE(&t->files.v[i].lines);
		FSI_VEC_FREE(&t->files.v[i].key_lines);
		fsi_intern_release(&t->files.v[i].keys);
	}
	for (size_t i = 0; i < TEXT_NAME_KINDS; i++)
		FSI_VEC_FREE(&t->full_names[i]);
	FSI_VEC_FREE(&t->files);
	FSI_VEC_FREE(&t->pieces);
	FSI_VEC_FREE(&t->lines);
	FSI_VEC_FREE(&t->warnings);
	fsi_arena_release(&t->arena);
}

int fs_import_text(fs_snapshot **out, fs_read_fn read, void *ctx, const char *name, const struct fs_text_options *o,
		   struct fs_error *err)
{
	struct fs_text_options own;
	struct fsi_text t = {
		.name = name, .o = FSI_OPTIONS(own, o), .err = err, .clock = FS_UNKNOWN, .newest_time = FS_UNKNOWN
	};
	fs_snapshot *s = NULL;
	char *text = NULL;
	size_t size;
	int rc = read_whole_stream(&t, read, ctx, &text, &size);

	if (!rc)
		rc = convert_paste_to_files(&t, text, size);
	if (!rc)
		rc = import_readable_lines(&t, &s);
	if (!rc)
		rc = complete_text_header(&t, s);
	if (!rc)
		fsi_text_print_report(&t);
	if (rc)
		fs_snapshot_free(s);
	else
		*out = s;
	free(text);
	release_text_import(&t);
	return rc;
}
