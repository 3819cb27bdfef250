/* Loads the jobs of a page, prints the layout for Flux, and prints the metrics of --openmetrics. */
#include "columns/column.h"
#include "render/doc.h"
#include "render/emit.h"
#include "render/text.h"
#include "showq/showq.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the jobs that Slurm's layouts list, each with its section and its state text */

bool showq_matches_user(const struct showq_run *r, const struct fs_job *job)
{
	return !showq_has_user_filter(r) || !strcmp(job->user, r->user);
}

bool showq_matches_partition(const struct showq_run *r, uint32_t row)
{
	const char *name;

	if (!r->partition)
		return true;
	for (size_t k = 0; (name = fs_job_partition(r->snapshot, row, k)); k++)
		if (!strcmp(name, r->partition))
			return true;
	return false;
}

/* Returns the section of a pending job whose reason the emulated tool does not know. Strict mode does not use this
 * section; it puts every job with an unknown reason into SHOWQ_BLOCKED. */
static enum showq_section_id get_corrected_section(enum fs_section section)
{
	return section == FS_SECTION_ELIGIBLE || section == FS_SECTION_TRANSIENT ? SHOWQ_WAITING : SHOWQ_BLOCKED;
}

static void assign_pending_section(const struct showq_run *r, struct showq_job *j, enum fs_section section,
				   const struct fs_reason *reason)
{
	static const enum showq_section_id sections[] = { [FS_SHOWQ_WAITING] = SHOWQ_WAITING,
							  [FS_SHOWQ_BLOCKED] = SHOWQ_BLOCKED,
							  [FS_SHOWQ_ERRORED] = SHOWQ_ERRORED };
	const struct fs_showq_entry e = reason ? r->style->get_entry(reason) : (struct fs_showq_entry){ 0 };

	j->has_known_reason = e.section != FS_SHOWQ_UNLISTED;
	j->section = (uint8_t)(j->has_known_reason ? sections[e.section]
			       : r->strict         ? SHOWQ_BLOCKED
						   : get_corrected_section(section));
	j->state_text = j->has_known_reason           ? e.state
			: j->section == SHOWQ_BLOCKED ? r->style->unlisted_state
						      : "Waiting";
}

/* Sets the section in which a job is listed, and the job's text in the column STATE. Returns false if the job is not
 * listed. Without strict mode, suspended jobs are listed together with the completing jobs. In strict mode, as in the
 * emulated tools, these jobs are not listed: suspended jobs, active jobs in a state other than RUNNING, and completing
 * jobs with less than 300 s until their time limit. */
static bool assign_job_section(const struct showq_run *r, const struct fs_job *job, struct showq_job *j)
{
	const struct fs_reason *reason;
	const enum fs_section section = fs_job_section(r->snapshot, j->row, &reason);
	const bool running = !strcmp(job->state, "RUNNING");

	j->has_known_reason = true;
	switch (section) {
	case FS_SECTION_RUNNING:
		j->section = SHOWQ_ACTIVE;
		j->state_text = "Running";
		return running || !r->strict;
	case FS_SECTION_COMPLETING:
		j->section = SHOWQ_ERRORED;
		j->state_text = "Complte";
		return !r->strict || showq_get_time_left_s(r, job) >= 300;
	case FS_SECTION_SUSPENDED:
		j->section = SHOWQ_ERRORED;
		j->state_text = "Suspend";
		return !r->strict;
	case FS_SECTION_ENDED:
		if (!j->is_pending)
			return false;
		break;
	default:
		break;
	}
	assign_pending_section(r, j, section, reason);
	return true;
}

/* Returns an array indexed by job row: true if the viewer may see the job. The caller frees the array. NULL if out of
 * memory. */
static bool *find_visible_jobs(const struct showq_run *r)
{
	bool *visible = calloc(r->info->jobs + 1, sizeof(*visible));

	if (visible)
		fs_snapshot_visible_jobs(r->snapshot, input_get_viewer_name(&r->input), visible);
	return visible;
}

/* Computes the queue, and stores the order of the eligible jobs in r->jobs (rank, order_key, previous_row). If the
 * snapshot lacks the priority of a job, sets the priority from the queue. job_index[job row] is the index of the job in
 * r->jobs; FS_NO_ROW: the job is not listed. A job with several queue rows gets the rank of its first eligible row. */
static int load_queue_ranks(struct showq_run *r, const uint32_t *job_index)
{
	const struct fs_queue_options o = { .view = input_get_view(&r->input) };
	uint32_t previous_row = FS_NO_ROW, rank = 0;
	struct fs_queue_row row;
	struct fs_error err;
	fs_queue *q = NULL;

	if (fs_queue_compute(&q, r->snapshot, &o, &err))
		return cmd_report_error(r->inv, &err);
	for (size_t i = 0; i < fs_queue_count(q); i++) {
		struct showq_job *j;

		fs_queue_row(q, i, &row);
		if (job_index[row.job_row] == FS_NO_ROW || (r->partition && strcmp(row.partition, r->partition) != 0))
			continue;
		j = &r->jobs[job_index[row.job_row]];
		if (!j->rank && row.eligible) {
			j->rank = ++rank;
			j->order_key = (uint8_t)(previous_row == FS_NO_ROW ? FS_QUEUE_KEY_NONE
						 : r->partition            ? row.partition_key
									   : row.key);
			j->previous_row = previous_row;
			previous_row = row.job_row;
		}
		if (isnan(j->priority))
			j->priority = row.priority;
	}
	r->queue = q;
	return 0;
}

/* Returns true if the page needs the scheduling order, or needs priorities that the snapshot lacks. */
static bool needs_queue_ranks(const struct showq_run *r)
{
	if (r->why)
		return true;
	for (size_t i = 0; r->by_priority && !r->strict && i < r->n; i++)
		if (isnan(r->jobs[i].priority) && (r->jobs[i].section == SHOWQ_WAITING))
			return true;
	return false;
}

static int load_queue_if_needed(struct showq_run *r)
{
	uint32_t *job_index;
	int status;

	if (!needs_queue_ranks(r))
		return 0;
	job_index = malloc((r->info->jobs + 1) * sizeof(*job_index));
	if (!job_index)
		return cmd_report_no_memory(r->inv);
	memset(job_index, 0xff, (r->info->jobs + 1) * sizeof(*job_index));
	for (size_t i = 0; i < r->n; i++)
		job_index[r->jobs[i].row] = (uint32_t)i;
	status = load_queue_ranks(r, job_index);
	free(job_index);
	return status;
}

int showq_load_jobs(struct showq_run *r)
{
	bool *visible = find_visible_jobs(r);
	struct fs_job job;

	r->jobs = malloc((r->info->jobs + 1) * sizeof(*r->jobs));
	if (!r->jobs || !visible) {
		free(visible);
		return cmd_report_no_memory(r->inv);
	}
	for (uint32_t i = 0; i < r->info->jobs; i++) {
		struct showq_job *j = &r->jobs[r->n];

		if (!visible[i])
			continue;
		fs_snapshot_job(r->snapshot, i, &job);
		*j = (struct showq_job){ .row = i,
					 .is_pending = !strcmp(job.state, "PENDING"),
					 .priority = job.priority == FS_UNKNOWN ? (double)NAN : (double)job.priority };
		r->n += assign_job_section(r, &job, j);
	}
	free(visible);
	return load_queue_if_needed(r);
}

static bool is_active_section(enum fs_section section)
{
	return section == FS_SECTION_RUNNING || section == FS_SECTION_COMPLETING || section == FS_SECTION_SUSPENDED;
}

static bool is_list_job_selected(const struct showq_run *r, uint32_t row)
{
	struct fs_job job;

	fs_snapshot_job(r->snapshot, row, &job);
	return showq_matches_user(r, &job) && showq_matches_partition(r, row);
}

static int64_t get_table_position(const fs_snapshot *s, uint32_t row)
{
	struct fs_job job;

	fs_snapshot_job(s, row, &job);
	return job.position.table == FS_UNKNOWN ? INT64_MAX : job.position.table;
}

int showq_compare_table_order(const fs_snapshot *s, uint32_t a, uint32_t b)
{
	const int64_t x = get_table_position(s, a), y = get_table_position(s, b);

	return x != y ? (x > y) - (x < y) : (a > b) - (a < b);
}

static int compare_by_table_order(const void *x, const void *y, const void *ctx)
{
	const struct fs_queue_row *a = x, *b = y;

	return showq_compare_table_order(ctx, a->job_row, b->job_row);
}

/* Copies the queue rows of selected jobs to the lists of eligible and blocked jobs. A job can have queue rows for
 * several partitions and QOS. It is listed only once, with its first queue row. To prevent a second listing,
 * visible[job row] is set to false when the job is listed. */
static void split_queue_rows(const struct showq_run *r, struct showq_lists *l, bool *visible)
{
	struct fs_queue_row row;

	for (size_t i = 0; i < fs_queue_count(l->queue); i++) {
		fs_queue_row(l->queue, i, &row);
		if (!visible[row.job_row] || !is_list_job_selected(r, row.job_row))
			continue;
		visible[row.job_row] = false;
		if (row.eligible)
			l->eligible[l->neligible++] = row;
		else
			l->blocked[l->nblocked++] = row;
	}
}

/* Fills the lists of active, eligible and blocked jobs. Returns non-zero if out of memory. */
static int fill_job_lists(const struct showq_run *r, struct showq_lists *l, bool *visible)
{
	const struct fs_reason *reason;

	fs_snapshot_visible_jobs(r->snapshot, input_get_viewer_name(&r->input), visible);
	for (uint32_t i = 0; i < r->info->jobs; i++)
		if (visible[i] && is_active_section(fs_job_section(r->snapshot, i, &reason)) &&
		    is_list_job_selected(r, i))
			l->active[l->nactive++] = i;
	split_queue_rows(r, l, visible);
	return fs_sort(l->blocked, l->nblocked, sizeof(*l->blocked), compare_by_table_order, r->snapshot);
}

int showq_lists_load(const struct showq_run *r, struct showq_lists *l)
{
	const struct fs_queue_options o = { .view = input_get_view(&r->input) };
	const size_t n = r->info->jobs + 1;
	bool *visible = calloc(n, sizeof(*visible));
	struct fs_error err;

	*l = (struct showq_lists){ 0 };
	if (fs_queue_compute(&l->queue, r->snapshot, &o, &err)) {
		free(visible);
		return cmd_report_error(r->inv, &err);
	}
	l->active = malloc(n * sizeof(*l->active));
	l->eligible = malloc(n * sizeof(*l->eligible));
	l->blocked = malloc(n * sizeof(*l->blocked));
	if (!visible || !l->active || !l->eligible || !l->blocked || fill_job_lists(r, l, visible)) {
		free(visible);
		showq_lists_release(l);
		return cmd_report_no_memory(r->inv);
	}
	free(visible);
	return 0;
}

void showq_lists_release(struct showq_lists *l)
{
	free(l->active);
	free(l->eligible);
	free(l->blocked);
	fs_queue_free(l->queue);
	*l = (struct showq_lists){ 0 };
}

void showq_print_order_text(const struct showq_run *r, const fs_queue *q, const struct fs_queue_row *row,
			    const char *previous)
{
	char visible[256];

	emit("  ");
	if (!row->eligible)
		showq_print_verdict(r, q, row->job_row);
	else if (row->key != FS_QUEUE_KEY_NONE && previous)
		emit("%s: behind %s", fs_queue_key_name(row->key),
		     text_make_visible(visible, sizeof(visible), previous));
	else
		emit("first");
}

/* ---- layout for Flux: sections with the columns of `flux jobs` and its column INFO (flux-core:
 * src/bindings/python/flux/job/info.py) */

enum { FLUX_TEXT_SIZE = 256 };

struct flux_page {
	const struct showq_run *r;
	struct showq_lists list;
	fs_holds *holds;
};

static const char *format_f58_job_id(char *buf, const struct fs_job *job)
{
	return fs_f58_format(job->id, !text_has_utf8(), buf);
}

/* Formats a duration as flux jobs does: 30s, 1.5m, 2h, 3.125d (flux-core: src/bindings/python/flux/util.py: fsd).
 * Fractions of a second are missing, because snapshots do not contain them. */
static const char *format_flux_duration(char *text, int64_t s)
{
	static const struct {
		int64_t from;
		char letter;
	} units[] = { { 86400, 'd' }, { 3600, 'h' }, { 60, 'm' } };

	snprintf(text, 40, "%llds", (long long)s);
	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++)
		if (s >= units[i].from) {
			format_text(text, 40, "%.4g%c", (double)s / (double)units[i].from, units[i].letter);
			break;
		}
	return text;
}

/* If the expected start of a pending job is known, prints it as flux jobs does (flux-core:
 * src/bindings/python/flux/job/info.py: contextual_info). */
static void print_expected_start(const struct flux_page *p, const struct fs_job *job)
{
	const bool known = job->times.start != FS_UNKNOWN;
	const int64_t s = known ? job->times.start - p->r->info->time : 0;
	char text[40];

	if (known)
		emit(" eta:%s", s < 0 ? "now" : format_flux_duration(text, s));
}

/* A row of the page: a job. */
struct flux_job_row {
	uint32_t row;
	struct fs_job job;
	int64_t time;    /* seconds since the start; negative: the job has not started, or its start is unknown */
	double priority; /* priority; negative: unknown */
};

COLUMN_FORMAT_CELL(format_id_cell, void, struct flux_job_row, format_f58_job_id(buf, &row->job))
COLUMN_GET_VALUE(get_queue_cell, struct flux_page, struct flux_job_row, fs_job_partition(of->r->snapshot, row->row, 0))

static void format_run_time_cell(char buf[COLUMN_TEXT_SIZE], const void *of, const void *row)
{
	const int64_t time = ((const struct flux_job_row *)row)->time;

	(void)of;
	if (time < 0)
		strcpy(buf, "-");
	else
		format_flux_duration(buf, time);
}

COLUMN_FORMAT_CELL(format_flux_priority_cell, void, struct flux_job_row,
		   format_text(buf, COLUMN_TEXT_SIZE, row->priority >= 0 ? "%.0f" : "-", row->priority))

#define FLUX_JOB_MEMBER(m) COLUMN_MEMBER(struct flux_job_row, job.m)

static const struct column flux_page_columns[] = {
	{ "JOBID", NULL, -14, .format_cell = format_id_cell, .help = "job id" },
	{ "QUEUE", NULL, -9, .get_value = get_queue_cell, .help = "queue" },
	{ "USER", NULL, -9, FLUX_JOB_MEMBER(user), .help = "user who submitted the job" },
	{ "NAME", NULL, -10, FLUX_JOB_MEMBER(name), .help = "job name" },
	{ "NTASKS", NULL, 6, FLUX_JOB_MEMBER(request.tasks), .help = "number of requested tasks" },
	{ "NNODES", NULL, 6, FLUX_JOB_MEMBER(request.nodes), .help = "number of requested nodes" },
	{ "TIME", NULL, 8, .format_cell = format_run_time_cell, .help = "run time so far" },
	{ "PRIORITY", NULL, 10, .format_cell = format_flux_priority_cell, .help = "priority of the job" },
	{ "INFO", NULL, .width = 0, .help = "nodes of the job; for a pending job, what the job waits for" },
};

static void print_flux_heading(const char *title, size_t n)
{
	const struct column_page page = { COLUMNS(flux_page_columns), .width_in_characters = true };

	emit("%s (%zu)\n", title, n);
	columns_print_heading(&page);
}

/* Prints the columns of a job, without the column INFO and the newline. */
static void print_flux_job(const struct flux_page *p, uint32_t row, const struct fs_job *job, int64_t time,
			   double priority)
{
	const struct column_page page = { COLUMNS(flux_page_columns), p, .width_in_characters = true };
	const struct flux_job_row l = { row, *job, time, priority };

	columns_print_row(&page, &l);
}

static void print_running_jobs(const struct flux_page *p)
{
	const int64_t now = p->r->info->time;
	char visible[FLUX_TEXT_SIZE];

	print_flux_heading("RUNNING", p->list.nactive);
	for (size_t i = 0; i < p->list.nactive; i++) {
		struct fs_job job;

		fs_snapshot_job(p->r->snapshot, p->list.active[i], &job);
		print_flux_job(p, p->list.active[i], &job, job.times.start == FS_UNKNOWN ? -1 : now - job.times.start,
			       job.priority == FS_UNKNOWN ? -1 : (double)job.priority);
		emit(*job.node_list ? " %s\n" : "%s\n", text_make_visible(visible, sizeof(visible), job.node_list));
	}
}

/* Prints the verdict on the job in the column INFO if the job can never start, or if nodes that it needs are
 * unavailable. flux jobs does not print a verdict. With --why prints nothing; the caller prints the text of --why. */
static void print_blocking_verdict(const struct flux_page *p, uint32_t row)
{
	const enum fs_verdict_kind kind = fs_queue_verdict_kind(p->list.queue, row);

	if (p->r->why || (kind != FS_VERDICT_NEVER && kind != FS_VERDICT_NODES))
		return;
	putchar(' ');
	showq_print_verdict(p->r, p->list.queue, row);
}

static void print_waiting_jobs(const struct flux_page *p)
{
	char previous[FS_F58_TEXT] = "";

	print_flux_heading("WAITING", p->list.neligible);
	for (size_t i = 0; i < p->list.neligible; i++) {
		const struct fs_queue_row *row = &p->list.eligible[i];
		struct fs_job job;

		fs_snapshot_job(p->r->snapshot, row->job_row, &job);
		print_flux_job(p, row->job_row, &job, -1, row->priority);
		print_expected_start(p, &job);
		print_blocking_verdict(p, row->job_row);
		if (p->r->why)
			showq_print_order_text(p->r, p->list.queue, row, *previous ? previous : NULL);
		putchar('\n');
		format_f58_job_id(previous, &job);
	}
}

/* Returns true if `reason`, a reason for which Flux holds a job, is a dependency. */
static bool is_dependency_reason(const char *reason)
{
	return strcmp(reason, "held") != 0 && strcmp(reason, "priority-hold") != 0 &&
	       strcmp(reason, "priority-wait") != 0;
}

/* Formats a reason for which Flux holds a job. A dependency such as "after-success=3915147902976" contains a decimal
 * job id; this id is written in f58, as Flux's commands do. */
static const char *format_flux_hold_reason(const struct flux_page *p, const char *reason, char *buf, size_t size)
{
	const char *equals = !strncmp(reason, "after-", strlen("after-")) ? strchr(reason, '=') : NULL;
	char id[FS_JOB_ID_TEXT];
	uint64_t job;

	if (!equals || fs_job_id_parse(p->r->snapshot, equals + 1, &job))
		return text_make_visible(buf, size, reason);
	snprintf(buf, size, "%.*s%s", (int)(equals + 1 - reason), reason,
		 fs_job_id_format(p->r->snapshot, job, false, id));
	return buf;
}

/* Prints the reasons for which Flux holds a job: " depends:max-run-jobs-queue (max_running_jobs of queue batch: 2 of
 * 2)". */
static void print_job_holds(const struct flux_page *p, uint32_t row)
{
	char visible[FLUX_TEXT_SIZE];

	for (size_t k = 0; k < fs_holds_count(p->holds, row); k++) {
		const struct fs_hold_row *h = fs_holds_row(p->holds, row, k);

		if (is_dependency_reason(h->reason))
			emit_safe_text(k ? "," : " depends:");
		else
			putchar(' ');
		emit_safe_text(format_flux_hold_reason(p, h->reason, visible, sizeof(visible)));
		if (!h->limit)
			continue;
		emit(" (%s of %s %s", h->limit, h->of_queue ? "queue" : "bank",
		     text_make_visible(visible, sizeof(visible), h->scope));
		if (h->used >= 0 && h->value >= 0)
			emit(": %.0f of %.0f)", h->used, h->value);
		else
			putchar(')');
	}
}

static void print_blocked_jobs(const struct flux_page *p)
{
	print_flux_heading("BLOCKED", p->list.nblocked);
	for (size_t i = 0; i < p->list.nblocked; i++) {
		const struct fs_queue_row *row = &p->list.blocked[i];
		struct fs_job job;

		fs_snapshot_job(p->r->snapshot, row->job_row, &job);
		print_flux_job(p, row->job_row, &job, -1, row->priority);
		print_job_holds(p, row->job_row);
		print_blocking_verdict(p, row->job_row);
		if (p->r->why)
			showq_print_order_text(p->r, p->list.queue, row, NULL);
		putchar('\n');
	}
}

static int print_flux_page(struct showq_run *r)
{
	struct flux_page p = { .r = r };
	struct fs_error err;
	int status = showq_lists_load(r, &p.list);

	if (status)
		return status;
	if (fs_holds_compute(&p.holds, r->snapshot, &err)) {
		showq_lists_release(&p.list);
		return cmd_report_error(r->inv, &err);
	}
	print_running_jobs(&p);
	putchar('\n');
	print_waiting_jobs(&p);
	putchar('\n');
	print_blocked_jobs(&p);
	emit("\nTotal Jobs: %zu   Running: %zu   Waiting: %zu   Blocked: %zu\n",
	     p.list.nactive + p.list.neligible + p.list.nblocked, p.list.nactive, p.list.neligible, p.list.nblocked);
	fs_holds_free(p.holds);
	showq_lists_release(&p.list);
	return 0;
}

const struct showq_style showq_flux = { .style = STYLE_FLUX,
					.has_partition_options = true,
					.print_page = print_flux_page };

/* ---- metrics (--openmetrics): number of jobs in each section, CPUs of running jobs, number of pending jobs for each
 * reason, and each user's best position in the scheduling order of a partition */

struct showq_metrics_output {
	struct showq_run *r;
	fs_queue *queue;
	bool *visible;           /* indexed by job row: the viewer may see the job */
	struct metric_record *v; /* collected records of one metric family */
	size_t n;
};

static void add_metric_record(struct showq_metrics_output *x, const char *a, const char *b, const char *c, double value)
{
	x->v[x->n++] = (struct metric_record){ { a, b, c }, value };
}

/* Prints the collected records as one metric family, and then removes the records. */
static int print_metric_family(struct showq_metrics_output *x, const struct metric_family *f)
{
	const int status = metrics_print_family(x->r->snapshot, f, x->v, x->n);

	x->n = 0;
	return status;
}

/* Returns the number of array tasks that a job record represents; NAN if the list of tasks was truncated in the
 * capture. */
static double get_record_tasks(const struct showq_metrics_output *x, uint32_t row)
{
	bool exact;
	const uint64_t n = fs_job_tasks(x->r->snapshot, row, &exact);

	return exact ? (double)n : (double)NAN;
}

/* Sets *job to the job in job row `row`. Returns true if the viewer may see the job and the options select it.
 * partition: partition of the job's queue row; NULL: all partitions of the job are checked. */
static bool is_metric_job_selected(const struct showq_metrics_output *x, uint32_t row, const char *partition,
				   struct fs_job *job)
{
	fs_snapshot_job(x->r->snapshot, row, job);
	return x->visible[row] && showq_matches_user(x->r, job) &&
	       (!x->r->partition ||
		(partition ? !strcmp(partition, x->r->partition) : showq_matches_partition(x->r, row)));
}

static int write_section_counts(struct showq_metrics_output *x)
{
	static const struct metric_family jobs = {
		"fs_showq_jobs", "fs-showq: jobs by section; each array task counts as one.", { "section" }, METRIC_SUM
	};
	const struct fs_reason *reason;
	struct fs_job job;

	for (uint32_t i = 0; i < x->r->info->jobs; i++)
		if (is_metric_job_selected(x, i, NULL, &job))
			add_metric_record(x, fs_section_name(fs_job_section(x->r->snapshot, i, &reason)), "", "",
					  get_record_tasks(x, i));
	return print_metric_family(x, &jobs);
}

static int write_running_cpus(struct showq_metrics_output *x)
{
	static const struct metric_family cpus = {
		"fs_showq_running_cpus", "fs-showq: CPUs of running jobs.", { "account", "user" }, METRIC_SUM
	};
	struct fs_job job;

	for (uint32_t i = 0; i < x->r->info->jobs; i++)
		if (is_metric_job_selected(x, i, NULL, &job) && fs_job_is_running(x->r->snapshot, i))
			add_metric_record(x, job.account, job.user, "",
					  job.request.cpus == FS_UNKNOWN ? (double)NAN : (double)job.request.cpus);
	return print_metric_family(x, &cpus);
}

/* Finds the next queue row that the viewer may see and the options select, starting at queue row *i. Sets *q and *job
 * to the row and its job, and advances *i past the row. Returns false if there is none. */
static bool find_next_pending(const struct showq_metrics_output *x, size_t *i, struct fs_queue_row *q,
			      struct fs_job *job)
{
	while (*i < fs_queue_count(x->queue)) {
		fs_queue_row(x->queue, (*i)++, q);
		if (q->visible && is_metric_job_selected(x, q->job_row, q->partition, job))
			return true;
	}
	return false;
}

static int write_reason_counts(struct showq_metrics_output *x)
{
	static const struct metric_family jobs = {
		"fs_showq_waiting_jobs",
		"fs-showq: pending jobs by partition, reason and verdict; each array task counts as one.",
		{ "partition", "reason", "verdict" },
		METRIC_SUM
	};
	struct fs_queue_row q;
	struct fs_job job;

	for (size_t i = 0; find_next_pending(x, &i, &q, &job);)
		add_metric_record(x, q.partition, q.reason ? q.reason->name : "other",
				  fs_verdict_name(fs_queue_verdict_kind(x->queue, q.job_row)),
				  get_record_tasks(x, q.job_row));
	return print_metric_family(x, &jobs);
}

static int write_best_positions(struct showq_metrics_output *x)
{
	static const struct metric_family best_position = {
		"fs_showq_best_place",
		"fs-showq: best position of the user's jobs in the partition; 1 is first.",
		{ "partition", "account", "user" },
		MIN_METRIC
	};
	struct fs_queue_row q;
	struct fs_job job;

	for (size_t i = 0; find_next_pending(x, &i, &q, &job);)
		if (q.partition_position)
			add_metric_record(x, q.partition, job.account, job.user, q.partition_position);
	return print_metric_family(x, &best_position);
}

static int print_all_metric_families(struct showq_metrics_output *x)
{
	int status;

	metrics_print_time(x->r->snapshot, "fs_showq");
	status = write_section_counts(x);
	if (!status)
		status = write_running_cpus(x);
	if (!status)
		status = write_reason_counts(x);
	if (!status)
		status = write_best_positions(x);
	return status ? cmd_report_no_memory(x->r->inv) : metrics_print_end();
}

int showq_print_metrics(struct showq_run *r)
{
	const struct fs_queue_options o = { .view = input_get_view(&r->input) };
	struct showq_metrics_output x = { .r = r };
	struct fs_error err;
	int status;

	if (fs_queue_compute(&x.queue, r->snapshot, &o, &err))
		return cmd_report_error(r->inv, &err);
	x.visible = calloc(r->info->jobs + 1, sizeof(*x.visible));
	x.v = calloc(r->info->jobs + fs_queue_count(x.queue) + 1, sizeof(*x.v));
	if (x.visible && x.v) {
		fs_snapshot_visible_jobs(r->snapshot, input_get_viewer_name(&r->input), x.visible);
		status = print_all_metric_families(&x);
	} else {
		status = cmd_report_no_memory(r->inv);
	}
	free(x.visible);
	free(x.v);
	fs_queue_free(x.queue);
	return status;
}
