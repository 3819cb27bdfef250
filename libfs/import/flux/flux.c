#include "import/flux/flux.h"

#include "base/num.h"
#include "import/consistency.h"
#include "import/outputs.h"
#include "model/model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reads factor weights, queues and configuration: `flux account list-factors`, `list-queues` and `list-configs`, `flux
 * queue status`. Also reads the time, the Flux version and the user of the capture. */

static const char *const factor_files[] = { "list-factors_--json.json", "list-factors.txt", NULL };
static const char *const queue_files[] = { "list-queues_--json.json", "list-queues.txt", NULL };
static const char *const config_files[] = { "list-configs_--json.json", "list-configs.txt", NULL };

/* Columns that flux-accounting prints for each queue. Every version that has list-queues prints these columns
 * (fluxacct/accounting/queue_subcommands.py). */
static const struct fsi_required_key required_queue_columns[] = {
	FSI_ALWAYS_REQUIRED("priority"),          FSI_ALWAYS_REQUIRED("min_nodes_per_job"),
	FSI_ALWAYS_REQUIRED("max_nodes_per_job"), FSI_ALWAYS_REQUIRED("max_time_per_job"),
	FSI_ALWAYS_REQUIRED("max_running_jobs"),
};

static int fail_bad_value(struct fsi_flux_import *f, const char *column, struct fsi_span v, const char *want)
{
	return fsi_import_reject_value(&f->imp, column, v, want);
}

/* Adds a setting to the configuration. The text of its value becomes an integer, a floating-point number or a boolean
 * if the text has this form; any other text stays a string. Fails if the setting appears twice, or if its name is the
 * key "type", which every record of a snapshot has. */
static int add_config_entry(struct fsi_flux_import *f, const char *prefix, struct fsi_span name, struct fsi_span v)
{
	struct fsi_config_entry e = { .kind = FSI_CONFIG_STR };
	char full[200];

	snprintf(full, sizeof(full), "%s%.*s", prefix, (int)(name.len < 150 ? name.len : 150), name.s);
	if (!strcmp(full, "type"))
		return fail_bad_value(f, "key", name, "a setting with another name");
	if (fsi_config_find(f->imp.m, full))
		return fsi_fail_at(f->imp.err, f->imp.where, full, "the setting appears twice");
	if (!fsi_parse_i64(v.s, v.len, &e.i)) {
		e.kind = FSI_CONFIG_INT;
	} else if (!fsi_parse_double(v.s, v.len, &e.d)) {
		e.kind = FSI_CONFIG_DOUBLE;
	} else if (fsi_span_is_word(v, "true") || fsi_span_is_word(v, "false")) {
		e.kind = FSI_CONFIG_BOOL;
		e.i = fsi_span_is_word(v, "true");
	} else {
		e.i = fsi_import_intern_name(&f->imp, v);
	}
	fsi_import_store_setting(&f->imp, full, e);
	return 0;
}

static int read_factor_row(struct fsi_flux_import *f, const struct fsi_kv *row)
{
	const struct fsi_span name = fsi_kv_get_value(row, "factor");
	const struct fsi_span weight = fsi_flux_get_number_text(fsi_kv_get_value(row, "weight"));
	double number;

	if (!name.s || !name.len)
		return fsi_fail_at(f->imp.err, f->imp.where, "factor", "missing");
	if (!weight.s || fsi_parse_double(weight.s, weight.len, &number))
		return fail_bad_value(f, "weight", weight.s ? weight : name, "a number");
	f->has_factors = true;
	return add_config_entry(f, "weight_", name, weight);
}

/* Returns true if the setting is a number of seconds. */
static bool is_seconds_setting(struct fsi_span key)
{
	return fsi_span_is_word(key, "priority_decay_half_life") || fsi_span_is_word(key, "priority_usage_reset_period");
}

static int read_config_row(struct fsi_flux_import *f, const struct fsi_kv *row)
{
	const struct fsi_span key = fsi_kv_get_value(row, "key"), value = fsi_kv_get_value(row, "value");
	uint64_t n;

	if (!key.s || !key.len || !value.s)
		return fsi_fail_at(f->imp.err, f->imp.where, "key", "the row lacks the name or the value of a setting");
	if (is_seconds_setting(key) && (fsi_parse_u64(value.s, value.len, &n) || n > (uint64_t)FSI_SECONDS_MAX))
		return fsi_fail_at(f->imp.err, f->imp.where, "value", "%.*s: expected seconds, not negative", (int)key.len,
				   key.s);
	return add_config_entry(f, "", key, value);
}

static int read_queue_row(struct fsi_flux_import *f, const struct fsi_kv *row)
{
	static const struct fsi_field_map map[] = {
		{ "queue", FSI_PARTITION_name },
		{ "priority", FSI_PARTITION_priority },
		{ "min_nodes_per_job", FSI_PARTITION_min_nodes },
		{ "max_nodes_per_job", FSI_PARTITION_max_nodes },
		{ "max_time_per_job", FSI_PARTITION_max_time_s },
		{ "max_running_jobs", FSI_PARTITION_max_jobs_per_assoc },
		{ "max_nodes_per_assoc", FSI_PARTITION_max_nodes_per_assoc },
		{ "max_sched_jobs", FSI_PARTITION_max_sched_jobs },
		{ "max_sched_nodes_per_assoc", FSI_PARTITION_max_sched_nodes },
		{ "max_sched_cores_per_assoc", FSI_PARTITION_max_sched_cores },
	};
	fs_snapshot *m = f->imp.m;
	struct fsi_partition *q;
	int rc;

	q = FSI_VEC_ADD(&m->partition);
	if (!q)
		return fsi_fail_no_memory(f->imp.err);
	rc = fsi_flux_set_fields(f, row, map, sizeof(map) / sizeof(*map), FSI_RECORD_PARTITION, &q->rec);
	/* Versions of flux-accounting after 0.60.0 have the column max_nodes. In these versions, jobs in the state
	 * SCHED also count against the limit max_nodes_per_assoc. */
	if (fsi_kv_get_value(row, "max_nodes").s)
		FSI_PUT(q, PARTITION, counts_sched, true);
	return rc ? rc : fsi_import_check_required(&f->imp, FSI_RECORD_PARTITION, &q->rec);
}

/* Updates the state of a queue from one line of flux queue status. is_submission: true if the line says whether the
 * queue accepts jobs, false if it says whether jobs start. The part of the state that the line does not show is
 * unchanged. */
static void update_queue_state(fs_snapshot *m, struct fsi_partition *q, bool off, bool is_submission)
{
	const char *before = fsi_name_text(m, q->state);
	const bool stopped = is_submission ? strstr(before, "STOPPED") != NULL : off;
	const bool closed = is_submission ? off : strstr(before, "DISABLED") != NULL;

	FSI_PUT(q, PARTITION, state,
		fsi_name_intern(m, stopped && closed ? "STOPPED+DISABLED"
				   : stopped         ? "STOPPED"
				   : closed          ? "DISABLED"
						     : "UP"));
}

/* State of reading flux queue status: which lines were read. The command prints two lines for each queue: whether jobs
 * start, and whether the queue accepts jobs. */
enum { HAS_SCHEDULING = 1, HAS_SUBMISSION = 2, HAS_BOTH_LINES = HAS_SCHEDULING | HAS_SUBMISSION };
struct queue_lines {
	/* indexed by queue row: which of the queue's two lines were read (HAS_SCHEDULING, HAS_SUBMISSION) */
	unsigned char *lines_read;
	/* which lines without a queue name were read (HAS_SCHEDULING, HAS_SUBMISSION) */
	unsigned unnamed;
	bool stopped; /* a line without a queue name says that scheduling is stopped */
	size_t unparsed;   /* number of lines that could not be parsed */
};

/* Reads a line like "batch: Scheduling is stopped: maintenance". A Flux instance without named queues prints no name
 * (src/cmd/flux-queue.py: print_enable_status, print_start_status). */
static int read_queue_status_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	static const struct {
		const char *text;
		bool off;
		unsigned what;
	} phrases[] = { { "Scheduling is stopped", true, HAS_SCHEDULING },
			{ "Scheduling is started", false, HAS_SCHEDULING },
			{ "Job submission is disabled", true, HAS_SUBMISSION },
			{ "Job submission is enabled", false, HAS_SUBMISSION } };
	struct queue_lines *lines = ctx;
	fs_snapshot *m = imp->m;
	struct fsi_span rest = line, name;
	const bool named = fsi_span_cut_part(&rest, ':', &name) && rest.s &&
			   !fsi_span_starts_with(name, "Scheduling ") && !fsi_span_starts_with(name, "Job submission ");
	const struct fsi_span text = fsi_span_trim_blanks(named ? rest : line);
	size_t k = 0;

	name = fsi_span_trim_blanks(name);
	while (k < sizeof(phrases) / sizeof(*phrases) && !fsi_span_starts_with(text, phrases[k].text))
		k++;
	if (k == sizeof(phrases) / sizeof(*phrases)) {
		lines->unparsed += fsi_span_trim_blanks(line).len > 0;
		return 0;
	}
	for (size_t i = 0; i < m->partition.n && named; i++)
		if (fsi_span_is_word(name, fsi_name_text(m, m->partition.v[i].name))) {
			lines->lines_read[i] = (unsigned char)(lines->lines_read[i] | phrases[k].what);
			update_queue_state(m, &m->partition.v[i], phrases[k].off, phrases[k].what == HAS_SUBMISSION);
		}
	if (!named) {
		lines->unnamed |= phrases[k].what;
		lines->stopped = phrases[k].what == HAS_SCHEDULING ? phrases[k].off : lines->stopped;
	}
	return 0;
}

/* Warns if flux queue status lacks one of the two lines for a queue, or has any other line. */
static void warn_incomplete_status(struct fsi_flux_import *f, const struct queue_lines *lines, const char *file)
{
	const fs_snapshot *m = f->imp.m;
	const char *first = NULL;
	size_t n = 0;

	for (size_t i = 0; i < m->partition.n; i++)
		if (lines->lines_read[i] != HAS_BOTH_LINES && !n++)
			first = fsi_name_text(m, m->partition.v[i].name);
	if (n)
		fsi_import_warn_incomplete(
			&f->imp, NULL, "%s/%s: the submission or scheduling state of %zu queue%s is missing, first: %.100s",
			f->imp.source->name, file, n, n == 1 ? "" : "s", first);
	if ((lines->unnamed && lines->unnamed != HAS_BOTH_LINES) || (!lines->unnamed && !m->partition.n) ||
	    lines->unparsed)
		fsi_import_warn_incomplete(
			&f->imp, NULL,
			"%s/%s: the output of `flux queue status` is incomplete or has unknown lines (%zu unknown line%s)",
			f->imp.source->name, file, lines->unparsed, lines->unparsed == 1 ? "" : "s");
}

/* Reads flux queue status, and sets the states of the queues. Call it after the queues are read. A Flux instance
 * without named queues has no queue record: if scheduling is stopped, the configuration gets the setting
 * scheduling_stopped. */
static int read_queue_status_file(struct fsi_flux_import *f)
{
	static const char file[] = "flux_queue_status.txt";
	struct queue_lines lines = { .lines_read = calloc(f->imp.m->partition.n + 1, 1) };
	int rc;

	if (!lines.lines_read)
		return fsi_fail_no_memory(f->imp.err);
	rc = fsi_import_read_lines(&f->imp, file, read_queue_status_line, &lines);
	if (!rc && !f->partial)
		warn_incomplete_status(f, &lines, file);
	free(lines.lines_read);
	if (rc >= 0 && lines.stopped)
		rc = add_config_entry(f, "", fsi_string_to_span("scheduling_stopped"), fsi_string_to_span("true"));
	return rc < 0 ? rc : 0;
}

/* Warns if list-factors lacks one of the four factors (flux-accounting, fluxacct/accounting/priorities.py). */
static void warn_missing_factors(struct fsi_flux_import *f)
{
	static const char *const all[] = { "weight_fairshare", "weight_queue", "weight_bank", "weight_urgency" };
	char text[80] = "";
	size_t at = 0;

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		if (!fsi_config_find(f->imp.m, all[i]))
			at += (size_t)snprintf(text + at, sizeof(text) - at, "%s%s", at ? ", " : "", all[i] + strlen("weight_"));
	if (at)
		fsi_import_warn_incomplete(&f->imp, NULL, "%s: the output of list-factors lacks the weights of %s",
					   f->imp.source->name, text);
}

/* Reads list-factors, list-configs and list-queues. */
static int read_accounting_settings(struct fsi_flux_import *f)
{
	int rc = fsi_flux_read_rows(f, factor_files, read_factor_row, NULL, 0);

	if (!rc && !f->partial)
		warn_missing_factors(f);
	if (rc >= 0)
		rc = fsi_flux_read_rows(f, config_files, read_config_row, NULL, 0);
	if (rc >= 0)
		rc = fsi_flux_read_rows(f, queue_files, read_queue_row, required_queue_columns,
					sizeof(required_queue_columns) / sizeof(*required_queue_columns));
	f->has_queues = !rc;
	return rc == 1 ? fsi_import_hide_type(&f->imp, "partition") : rc;
}

/* Reads the time in the first line, which is `epoch` or `epoch.fraction`. */
static int read_clock_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	struct fsi_header *h = ctx;
	double t;

	line = fsi_span_trim_blanks(line);
	if (imp->where.line > 1)
		return 0;
	if (fsi_parse_double(line.s, line.len, &t) || !(t >= 0 && t <= (double)FSI_SECONDS_MAX))
		return fsi_import_reject_value(imp, "date", line, "seconds since 1970");
	FSI_PUT(h, SNAPSHOT, time, (int64_t)t);
	return 0;
}

/* Reads the version from a line of `flux version`: `flux-core:  0.88.0` or `libflux-core:  0.88.0`. */
static int read_version_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	struct fsi_header *h = ctx;
	struct fsi_span key;
	char text[80];

	if (h->scheduler || !fsi_span_cut_part(&line, ':', &key) || !line.s)
		return 0;
	key = fsi_span_trim_blanks(key);
	line = fsi_span_trim_blanks(line);
	if ((!fsi_span_is_word(key, "libflux-core") && !fsi_span_is_word(key, "flux-core") &&
	     !fsi_span_is_word(key, "commands")) ||
	    !line.len || line.len > 40)
		return 0;
	snprintf(text, sizeof(text), "flux %.*s", (int)line.len, line.s);
	h->scheduler = fsi_import_intern_name(imp, fsi_string_to_span(text));
	return 0;
}

/* Reads the files NOW (or date_begin), caller and flux_version.txt. */
static int read_capture_info(struct fsi_flux_import *f)
{
	struct fsi_header *h = &f->imp.m->head;
	int rc = fsi_import_read_lines(&f->imp, "NOW", read_clock_line, h);

	if (rc == 1)
		rc = fsi_import_read_lines(&f->imp, "date_begin", read_clock_line, h);
	if (rc >= 0)
		rc = fsi_import_read_lines(&f->imp, "caller", fsi_import_read_caller, h);
	if (rc >= 0)
		rc = fsi_import_read_lines(&f->imp, "flux_version.txt", read_version_line, h);
	return rc < 0 ? rc : 0;
}

/* Contains fs_import_flux and fs_import_flux_tree. These functions call the readers in order and complete the
 * snapshot's header. */

/* Returns the latest of the submit, eligible and start times of all jobs; 0 if there are no such times. Planned starts,
 * and begin times in the future, are ignored. */
static int64_t find_latest_time(const fs_snapshot *m)
{
	int64_t t = 0;

	for (size_t i = 0; i < m->job.n; i++) {
		const struct fsi_job *job = &m->job.v[i];

		t = job->submit_time > t ? job->submit_time : t;
		/* the eligible time of a job in the state DEPEND is its begin time, which is in the future */
		if (strcmp(fsi_name_text(m, fsi_job_ext(m, job)->phase), "DEPEND") != 0)
			t = job->eligible_time > t ? job->eligible_time : t;
		if (job->state != FSI_STATE_PENDING)
			t = job->start_time > t ? job->start_time : t;
	}
	return t;
}

/* Warns if the factor weights are unknown. If the capture has no data of flux-accounting at all, marks the weights as
 * hidden. If only list-factors is missing, priorities will be computed with the default weights of flux-accounting. */
static void warn_unknown_weights(struct fsi_flux_import *f)
{
	fs_snapshot *m = f->imp.m;

	if (!m->job.n || f->has_factors || f->partial)
		return;
	if (!m->association.n)
		fsi_import_hide_type(&f->imp, "config");
	else
		fsi_model_add_warning(
			m,
			"the weights of the factors (list-factors) are missing: the import uses flux-accounting's defaults "
			"(fairshare 100000, queue 10000, bank 0, urgency 1000)");
}

static void complete_flux_header(struct fsi_flux_import *f)
{
	fs_snapshot *m = f->imp.m;
	struct fsi_header *h = &m->head;

	FSI_PUT(h, SNAPSHOT, format, 1);
	FSI_PUT(h, SNAPSHOT, scheduler, h->scheduler ? h->scheduler : fsi_name_intern(m, "flux"));
	FSI_PUT(h, SNAPSHOT, cluster, fsi_name_intern(m, "unknown"));
	FSI_PUT(h, SNAPSHOT, usage_source, fsi_name_intern(m, f->is_tree ? "tree" : "flux-accounting"));
	if (!FSI_HAS(h, SNAPSHOT, time)) {
		FSI_PUT(h, SNAPSHOT, time, find_latest_time(m));
		if (m->job.n)
			fsi_model_add_warning(
				m, "the capture time is unknown (no file date_begin): the import uses the latest submit, "
				   "eligible or start time of a job");
	}
	warn_unknown_weights(f);
}

/* Hides all types of records of a partial capture. Does not hide the associations if they are a whole tree. */
static int hide_all_types(struct fsi_flux_import *f)
{
	static const char *const types[] = { "association", "config", "partition", "node", "job", FSI_HIDDEN_ASSOCIATION_IDS,
					     NULL };

	return fsi_import_hide_types(&f->imp, types + fsi_flux_is_whole_tree(f->imp.m));
}

static int read_flux_folder(struct fsi_flux_import *f)
{
	int rc = 0;

	FSI_CALL_UNTIL_ERROR(rc, struct fsi_flux_import *, f, read_capture_info, fsi_flux_read_banks,
			     read_accounting_settings, fsi_flux_read_machine, read_queue_status_file,
			     fsi_flux_read_jobs, fsi_flux_read_ended, fsi_flux_read_plugin, fsi_flux_read_jobspecs,
			     fsi_flux_check_jobs, fsi_flux_read_records);
	if (!rc && f->partial)
		rc = hide_all_types(f);
	if (!rc && !f->partial && !f->imp.m->association.n && !f->imp.m->job.n)
		rc = fsi_fail_with_code(f->imp.err, FS_ENODATA,
					"%s: nothing to import: no output of `flux account list-banks` or `flux jobs --json`",
					f->imp.source->name);
	return rc;
}

/* Completes the snapshot if rc is 0, and frees the state of the import. */
static int finish_flux_import(struct fsi_flux_import *f, int rc, fs_snapshot **out)
{
	if (!rc)
		complete_flux_header(f);
	rc = fsi_import_check_memory(&f->imp, rc);
	if (!rc)
		rc = fsi_model_finish(f->imp.m, f->imp.err);
	if (!rc)
		rc = fsi_flux_set_last_jobs(f);
	if (!rc)
		rc = fsi_flux_set_queue_factors(f);
	if (!rc && f->imp.outputs)
		rc = fsi_import_list_sources(&f->imp);
	free(f->bank.row);
	free(f->user.row);
	FSI_VEC_FREE(&f->ended_jobs);
	FSI_VEC_FREE(&f->plugin_states);
	return fsi_import_finish(&f->imp, rc, out);
}

int fsi_import_flux(fs_snapshot **out, const struct fs_source *source, bool partial, struct fs_error *err)
{
	struct fsi_flux_import f = {
		.imp = { .m = fsi_model_create(source->name),
			 .source = source,
			 .err = err,
			 .outputs = &fsi_flux_outputs },
		.partial = partial
	};

	return f.imp.m ? finish_flux_import(&f, read_flux_folder(&f), out) : fsi_fail_no_memory(err);
}

int fs_import_flux(fs_snapshot **out, const struct fs_source *source, struct fs_error *err)
{
	return fsi_import_flux(out, source, false, err);
}

int fs_import_flux_tree(fs_snapshot **out, fs_read_fn read, void *ctx, const char *name, struct fs_error *err)
{
	struct fsi_flux_import f = { .imp = { .m = fsi_model_create(name), .err = err } };
	int rc;

	if (!f.imp.m)
		return fsi_fail_no_memory(err);
	rc = fsi_flux_read_tree(&f, read, ctx, name);
	if (!rc)
		rc = fsi_flux_check_banks(&f);
	if (!rc)
		rc = fsi_import_hide_type(&f.imp, "job");
	return finish_flux_import(&f, rc, out);
}
