#include "base/error.h"
#include "base/num.h"
#include "import/import.h"
#include "import/maui/maui.h"
#include "import/outputs.h"
#include "model/model.h"

#include <string.h>

/* Finds the time of the capture, from the first available source in this list:
 *  - the time in the options
 *  - date_begin
 *  - showq or showq -r: start + limit - remaining time of a running job
 *  - checkjob of an idle job: submit time + time queued
 *  - showres: start of a reservation - time until that start
 *  - in a simulation: start of the simulation + RMPOLLINTERVAL, the time of its first output
 *  - the newest submit time of a queued job, with a warning
 * Finished jobs do not show the time of the capture. The system priorities of jobs are read from the same outputs. */

static int read_date_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	struct fsi_maui_import *x = ctx;
	const struct fsi_span v = fsi_span_trim_blanks(line);
	const char *dot = memchr(v.s, '.', v.len);

	if (imp->where.line > 1)
		return 0;
	return fsi_parse_i64(v.s, dot ? (size_t)(dot - v.s) : v.len, &x->now) || x->now <= 0
		       ? fsi_import_reject_value(imp, "date", v, "seconds since 1970")
		       : 0;
}

/* Reads a line of showq -i: JobName[mark] Priority ... A priority above 1e9 is the sum of 1e9 and a system priority. */
static int read_system_priority_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	struct fsi_maui_import *x = ctx;
	struct fsi_span w[3];
	uint32_t row;
	uint64_t n;
	size_t at = 1;

	if (fsi_span_split_words(line, w, 3) < 3)
		return 0;
	row = fsi_maui_find_job(x, w[0]);
	if (row == FSI_NO_INDEX && w[0].len > 1 && fsi_showq_is_mark(w[0].s[w[0].len - 1]))
		row = fsi_maui_find_job(x, (struct fsi_span){ w[0].s, w[0].len - 1 });
	at += w[1].len == 1 && fsi_showq_is_mark(*w[1].s);
	if (row == FSI_NO_INDEX || fsi_parse_u64(w[at].s, w[at].len, &n) || n <= 1000000000 || n > 3000000000u)
		return 0;
	imp->m->job.v[row].priority_set = (uint32_t)(n - 1000000000);
	FSI_SET(&imp->m->job.v[row], JOB, priority_set);
	return 0;
}

/* Sets x->now from the rows of showq or showq -r, if x->now is unknown. Reads showq -r only if showq does not show the
 * time. */
static int find_listed_time(struct fsi_maui_import *x)
{
	int (*const readers[])(struct fsi_showq *) = { fsi_showq_read_queue, fsi_showq_read_running };
	struct fsi_showq q = { .x = x };
	int rc = 0;

	for (size_t i = 0; i < 2 && !rc && (!i || !x->now); i++) {
		rc = readers[i](&q);
		if (!rc && !x->now)
			x->now = fsi_showq_capture_time(x, &q);
	}
	FSI_VEC_FREE(&q.row);
	return rc;
}

/* Sets x->now, and the system priorities of jobs. */
static int find_capture_time(struct fsi_maui_import *x)
{
	int rc = 0;

	x->now = x->o->time;
	if (!x->now)
		rc = fsi_import_read_lines(x->imp, "date_begin", read_date_line, x);
	if (rc >= 0)
		rc = find_listed_time(x);
	if (!rc)
		rc = fsi_maui_read_checkjob(x);
	if (!rc)
		rc = fsi_maui_read_page(x, "showq_-i.txt", read_system_priority_line, x);
	if (rc >= 0)
		rc = x->now ? 0 : fsi_maui_read_printed_time(x);
	if (rc)
		return rc;
	if (!x->now && x->simulation && x->clock_start)
		x->now = x->clock_start + fsi_config_get_int(x->imp->m, "RMPOLLINTERVAL", FSI_MAUI_POLL_S);
	else if (!x->now && x->newest_queued) {
		x->now = x->newest_queued;
		x->imp->where = (struct fsi_input_position){ 0 };
		fsi_model_add_warning(
			x->imp->m,
			"%s: the capture time is unknown: the import uses the newest submit time of a job; specify the time with --at",
			x->imp->source->name);
	}
	return x->now ? 0
		      : fsi_fail_with_code(x->imp->err, FS_ENODATA,
					   "%s: the capture time is unknown: specify it with --at",
					   x->imp->source->name);
}

/* The import of a Maui capture. The readers are called in a fixed order, because each reader needs the results of the
 * readers before it. */

static int set_maui_header(struct fsi_maui_import *x)
{
	struct fsi_header *h = &x->imp->m->head;
	const uint32_t maui = fsi_name_intern(x->imp->m, "maui");

	FSI_PUT(h, SNAPSHOT, format, 1);
	FSI_PUT(h, SNAPSHOT, time, x->now);
	FSI_PUT(h, SNAPSHOT, utc_offset_s, (int32_t)x->imp->utc_offset_s);
	FSI_PUT(h, SNAPSHOT, scheduler, maui);
	FSI_PUT(h, SNAPSHOT, cluster, h->cluster ? h->cluster : maui);
	return x->imp->zone ? fsi_import_set_zone(x->imp, false) : 0;
}

/* Adds the TRES from which processor equivalents are computed. */
static int add_builtin_tres(struct fsi_maui_import *x)
{
	fs_snapshot *m = x->imp->m;

	for (uint32_t i = 0; i < FSI_MAUI_TRES_COUNT; i++) {
		struct fsi_tres *t = FSI_VEC_ADD(&m->tres);

		if (!t)
			return fsi_fail_no_memory(x->imp->err);
		FSI_PUT(t, TRES, id, i + 1);
		FSI_PUT(t, TRES, name, fsi_name_intern(m, fsi_maui_tres_names[i]));
	}
	return 0;
}

/* Texts that identify outputs of Maui's client commands, and traces of jobs and nodes. */
static const struct fsi_signature maui_signatures[] = {
	{ "showq_-r.txt", "JobName", NULL, NULL },	 { "out/showq_-r.txt", "JobName", NULL, NULL },
	{ "showq_-r_-v.txt", "JobName", NULL, NULL },	 { "out/showq_-r_-v.txt", "JobName", NULL, NULL },
	{ "showq_-i.txt", "JobName", NULL, NULL },	 { "out/showq_-i.txt", "JobName", NULL, NULL },
	{ "showres.txt", "Reservations", NULL, NULL },	 { "out/showres.txt", "Reservations", NULL, NULL },
	{ "diagnose_-j.txt", "Name", NULL, NULL },	 { "out/diagnose_-j.txt", "Name", NULL, NULL },
	{ "workload", "", NULL, "job" },		 { "traces/workload", "", NULL, "job" },
	{ "resource", "COMPUTENODE", NULL, "node" },	 { "traces/resource", "COMPUTENODE", NULL, "node" },
};

/* Marks all record types as hidden. Unsets the field `position` of all jobs: the positions in the queue are unknown
 * because jobs may be missing. */
static int hide_partial_types(struct fsi_maui_import *x)
{
	static const char *const types[] = { "config", "credential", "window", "node", "job", NULL };
	const int rc = fsi_import_hide_types(x->imp, types);

	for (size_t i = 0; i < x->imp->m->job.n; i++)
		FSI_UNSET(&x->imp->m->job.v[i], JOB, position);
	return rc;
}

static int run_import_steps(struct fsi_maui_import *x)
{
	int rc = fsi_import_check_signatures(x->imp, maui_signatures,
					     sizeof(maui_signatures) / sizeof(*maui_signatures));

	FSI_CALL_UNTIL_ERROR(rc, struct fsi_maui_import *, x, add_builtin_tres, fsi_maui_read_config,
			     fsi_maui_read_traces, fsi_maui_set_node_partitions);
	x->traced_jobs = x->imp->m->job.n;
	FSI_CALL_UNTIL_ERROR(rc, struct fsi_maui_import *, x, find_capture_time, fsi_maui_read_queue,
			     fsi_maui_read_untraced_jobs);
	if (x->partial)
		FSI_CALL_UNTIL_ERROR(rc, struct fsi_maui_import *, x, fsi_maui_read_printed_shares);
	FSI_CALL_UNTIL_ERROR(rc, struct fsi_maui_import *, x, fsi_maui_read_job_pages, fsi_maui_read_node_lists,
			     fsi_maui_read_access_lists, fsi_maui_read_windows, fsi_maui_resolve_credentials,
			     set_maui_header);
	if (!rc && x->partial)
		rc = hide_partial_types(x);
	if (!rc)
		rc = fsi_import_warn_zone(x->imp);
	return fsi_import_check_memory(x->imp, rc);
}

int fsi_import_maui(fs_snapshot **out, const struct fs_source *source, const struct fs_maui_import_options *options,
		    bool partial, struct fs_error *err)
{
	struct fs_maui_import_options o;
	struct fsi_import imp = {
		.m = fsi_model_create(source->name), .source = source, .err = err, .outputs = &fsi_maui_outputs
	};
	struct fsi_maui_import x = { .imp = &imp, .o = FSI_OPTIONS(o, options), .partial = partial };
	int rc;

	if (!imp.m)
		return fsi_fail_no_memory(err);
	imp.zone = x.o->noffsets ? x.o->offsets : NULL;
	imp.nzone = x.o->noffsets;
	rc = run_import_steps(&x);
	if (!rc)
		rc = fsi_model_finish(imp.m, err);
	if (!rc)
		rc = fsi_import_list_sources(&imp);
	fsi_intern_release(&x.keys);
	fsi_intern_release(&x.warned_keys);
	FSI_VEC_FREE(&x.job_rows);
	FSI_VEC_FREE(&x.node_partition);
	return fsi_import_finish(&imp, rc, out);
}

int fs_import_maui(fs_snapshot **out, const struct fs_source *source,
		   const struct fs_maui_import_options *options, struct fs_error *err)
{
	return fsi_import_maui(out, source, options, false, err);
}
