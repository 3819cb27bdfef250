/* Initializes struct explain_view. Prints the list of a user's pending jobs, the meaning of pending reasons, and the
 * cost of the executions of a job. */
#include "columns/column.h"
#include "dialect/dialect.h"
#include "explain/explain.h"
#include "explain/text.h"
#include "input/input.h"
#include "render/text.h"
#include "words/words.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- the view of a page: the results that the page shows */

void explain_init_view(struct explain_view *v, struct fs_eval *from)
{
	const char *algorithm = from->shares ? fs_shares_algorithm(from->shares) : "";
	const struct dialect *dialect = find_scheduler_dialect(from->snapshot);

	if (fs_algorithm_of_credentials(algorithm))
		from->shares = NULL;
	*v = (struct explain_view){ .eval = from,
				    .snapshot = from->snapshot,
				    .dialect = dialect,
				    .vocabulary = &dialect->vocabulary,
				    .algorithm = explain_get_algorithm(algorithm) };
}

int explain_compute_second_shares(struct explain_view *v, fs_shares **out, const struct fs_view *view,
				  struct fs_error *err)
{
	struct fs_view other = *view;
	int rc;

	*out = NULL;
	other.algorithm = v->algorithm->compared_with;
	if (!other.algorithm)
		return 0;
	rc = fs_shares_compute(out, v->snapshot, &other, err);
	v->second_shares = *out;
	return rc == FS_ENODATA ? 0 : rc;
}

bool explain_find_plan_row(const struct explain_view *v, uint32_t job_row, struct fs_plan_row *out)
{
	const size_t i = v->plan ? fs_plan_find(v->plan, job_row) : FS_NO_ROW;

	if (i != FS_NO_ROW)
		fs_plan_row(v->plan, i, out);
	return i != FS_NO_ROW;
}

void explain_begin_document(struct fs_json *j, const struct explain_view *v, const char *kind)
{
	if (v->eval)
		json_begin_document(j, "fs-explain/1", v->snapshot, v->json);
	else
		json_begin_plain_document(j, "fs-explain/1", v->json);
	json_write_text(j, "kind", kind);
}

/* ---- the list of a user's pending jobs, one line per job */

enum { LIST_PAGE_WIDTH = 4096 };

static bool is_pending_job_of(const fs_snapshot *s, uint32_t row, const char *user, struct fs_job *j)
{
	fs_snapshot_job(s, row, j);
	return !strcmp(j->state, "PENDING") && !strcmp(j->user, user);
}

struct list_row {
	struct fs_job job;
	struct fs_explain_job x;
	char id[WORDS], verdict[VERDICT_TEXT];
	const char *partition;
	/* planned start and likely start, seconds since the epoch; FS_UNKNOWN: none */
	int64_t start, likely;
};

static bool read_list_row(const struct explain_view *v, uint32_t job_row, struct list_row *out)
{
	struct fs_plan_row r = { .start_time = FS_UNKNOWN, .likely = { .start_time = FS_UNKNOWN } };

	fs_snapshot_job(v->snapshot, job_row, &out->job);
	if (fs_explain_job_heads(v->explain, job_row, &out->x, NULL))
		return false;
	format_verdict_clause(out->verdict, v->vocabulary, v->snapshot, &out->x.verdict);
	format_display_job_id(out->id, v->snapshot, job_row);
	out->partition = fs_job_partition(v->snapshot, job_row, 0);
	if (!out->partition)
		out->partition = "";
	explain_find_plan_row(v, job_row, &r);
	out->start = r.start_time;
	out->likely = r.likely.start_time;
	return true;
}

static void add_list_row(struct page *p, const struct explain_view *v, const struct list_row *l)
{
	const bool planned = l->start != FS_UNKNOWN, likely = !planned && l->likely != FS_UNKNOWN;
	char reason[VERDICT_TEXT];

	format_recorded_reason(reason, &l->x.verdict);
	if (!v->dialect->records_waiting_reasons || !*reason || l->x.verdict.stale ||
	    has_text_ignoring_case(l->verdict, reason))
		*reason = '\0';
	page_add_cell(p, "%s", l->id);
	page_add_cell(p, "%s", l->partition);
	page_add_cell(p, planned || likely ? "%s%s" : "-", likely ? "likely " : "",
		      format_full_time(BUF, v->snapshot, planned ? l->start : l->likely));
	page_add_cell(p, "%s%s%s", reason, *reason ? ": " : "",
		      *l->verdict || *reason ? l->verdict : "waits; the cause is not known");
	page_end_row(p, TONE_PLAIN);
}

#define LIST_ROW(m) COLUMN_MEMBER(struct list_row, m)

static const struct column list_columns[] = {
	{ NULL, "jobid", LIST_ROW(job.id), .help = "job id" },
	{ NULL, "name", LIST_ROW(id), .help = "the same as jobid_text" },
	{ NULL, "jobid_text", LIST_ROW(id), .help = "job id as the scheduler prints it" },
	{ NULL, "jobname", LIST_ROW(job.name), .help = "job name" },
	{ NULL, "partition", LIST_ROW(partition), .help = "first partition that the job requests" },
	{ NULL, "verdict", LIST_ROW(x.verdict.kind), .enum_name = fs_verdict_name, .help = "why it waits" },
	{ NULL, "verdict_text", LIST_ROW(verdict), .help = "the verdict in words" },
	{ NULL, "planned_start", LIST_ROW(start), .unit = UNIT_TIME, .help = "planned start" },
};

int explain_add_job_list(struct page *p, const struct explain_view *v, const char *user)
{
	const size_t jobs = fs_snapshot_info(v->snapshot)->jobs;
	struct fs_job j;
	struct list_row l;
	size_t n = 0;
	bool failed = false;

	p->width = LIST_PAGE_WIDTH;
	for (uint32_t i = 0; !failed && i < jobs; i++) {
		if (!is_pending_job_of(v->snapshot, i, user, &j))
			continue;
		failed = !read_list_row(v, i, &l);
		if (!n++)
			PAGE_BEGIN_TABLE(p, AT_LEFT("job"), AT_LEFT(v->vocabulary->partition), AT_LEFT("planned start"),
					 AT_LEFT("why it waits"));
		if (!failed)
			add_list_row(p, v, &l);
	}
	if (n && !failed)
		page_end_table(p);
	if (!n)
		page_add_sentence(p, "%s has no pending jobs. fs-explain --help lists what else can be explained.",
				  user);
	page_end_paragraph(p);
	return failed ? FS_ENOMEM : 0;
}

int explain_write_job_list(const struct explain_view *v, const char *user)
{
	const size_t jobs = fs_snapshot_info(v->snapshot)->jobs;
	struct fs_job job;
	struct fs_json j;
	struct list_row l;

	explain_begin_document(&j, v, "jobs");
	json_write_text(&j, "user", user);
	json_begin_list(&j, "jobs");
	for (uint32_t i = 0; i < jobs; i++)
		if (is_pending_job_of(v->snapshot, i, user, &job) && read_list_row(v, i, &l))
			columns_write_object(&j, COLUMNS(list_columns), NULL, &l);
	fs_json_end_array(&j);
	return json_end_document(&j);
}

/* ---- the meaning of the scheduler's pending reasons */

/* Returns the pending reason with this name, or NULL. Ignores case. The name may have the form that squeue prints:
 * "(ReqNodeNotAvail, UnavailableNodes:c1)". */
const struct fs_reason *explain_find_reason(const char *word)
{
	const char *name = word + (*word == '(');
	const size_t len = strcspn(name, ",)");
	const struct fs_reason *r;

	for (size_t i = 0; (r = fs_reason_at(i)); i++)
		if (*r->name && !strncasecmp(r->name, name, len) && !r->name[len])
			return r;
	return NULL;
}

static size_t count_reason_jobs(const struct explain_view *v, const struct fs_reason *reason)
{
	const fs_snapshot *s = v->snapshot;
	size_t n = 0;
	struct fs_job j;

	for (size_t i = 0; i < fs_snapshot_info(s)->jobs; i++) {
		fs_snapshot_job(s, i, &j);
		n += !strcmp(j.state, "PENDING") && fs_reason_find(j.reason) == reason;
	}
	return n;
}

void explain_add_reason(struct page *p, const struct explain_view *v, const struct fs_reason *r)
{
	page_add_heading(p, "Reason %s", r->name);
	page_add_gap(p);
	page_add_sentence(p, "It means: %s.", r->meaning);
	if (*r->clears)
		page_add_sentence(p, "What clears it: %s.", r->clears);
	if (*r->limit)
		page_add_sentence(p, "The limit is %s%s%s.", r->limit, *r->resource ? " of " : "", r->resource);
	if (r->eligible)
		page_add_sentence(p, "The scheduler keeps trying a job with this reason.");
	if (v)
		page_add_sentence(
			p, "%s this reason.",
			format_counted_term(BUF, count_reason_jobs(v, r), "pending job has", "pending jobs have"));
	page_end_paragraph(p);
}

#define REASON(m) COLUMN_MEMBER(struct fs_reason, m)

static const struct column reason_columns[] = {
	{ NULL, "name", REASON(name), .help = "reason as the scheduler prints it" },
	{ NULL, "meaning", REASON(meaning), .help = "meaning of the reason" },
	{ NULL, "clears", REASON(clears), .help = "event or action that clears the reason" },
	{ NULL, "limit", REASON(limit), .help = "limit that the reason names" },
	{ NULL, "section", REASON(section), .enum_name = fs_section_name,
	  .help = "section of the queue that lists jobs with this reason" },
	{ NULL, "eligible", REASON(eligible), .help = "true: the scheduler keeps trying a job with this reason" },
};

void explain_write_job_reason(struct fs_json *j, const struct fs_reason *r)
{
	enum { COLUMNS_IN_JOB = 3 };

	columns_write_named_object(j, "reason", reason_columns, COLUMNS_IN_JOB, NULL, r);
}

int explain_write_reason(const struct explain_view *v, const struct fs_reason *r)
{
	struct fs_json j;

	explain_begin_document(&j, v, "reason");
	columns_write_members(&j, COLUMNS(reason_columns), NULL, r);
	json_write_whole(&j, "pending", v->eval != NULL, v->eval ? count_reason_jobs(v, r) : 0);
	return json_end_document(&j);
}

/* ---- the cost of a job, which is the product of three numbers: TRES seconds per second, UsageFactor, and the run time
 * in seconds. The part of the cost that is left after decay still counts as usage (Slurm:
 * priority_multifactor.c:_apply_new_usage) */

static const struct past_run *get_past_run(const struct explain_past *x, size_t i)
{
	return &x->v[i % PAST_RUNS];
}

static size_t get_first_stored_run(const struct explain_past *x)
{
	return x->n > PAST_RUNS ? x->n - PAST_RUNS : 0;
}

/* Sets the run time of an execution of the job, and whether the job is suspended. If the snapshot has a job record with
 * the start time of the execution, both are read from that record. Without such a record, the run time is the end time
 * minus the start time, or unknown if the job is still running. */
static void fill_job_runtime(const struct explain_past *x, struct past_run *r)
{
	struct fs_job j;

	r->ran = r->running ? FS_UNKNOWN : r->end - r->start;
	for (size_t i = 0; fs_snapshot_job(x->snapshot, i, &j); i++) {
		if (j.id != x->job || j.times.start != r->start)
			continue;
		r->suspended = r->running && explain_is_job_suspended(&j);
		if (r->running || j.run_time_s != FS_UNKNOWN)
			r->ran = j.run_time_s;
		return;
	}
}

static int store_past_run(void *ctx, const struct fs_charge *c)
{
	struct explain_past *x = ctx;
	struct past_run *r = &x->v[x->n % PAST_RUNS];
	const int64_t now = fs_snapshot_info(x->snapshot)->time;

	if (c->job != x->job || !fs_snapshot_shows_jobs_of(x->snapshot, x->viewer, c->user, c->account))
		return 0;
	*r = (struct past_run){ .submit = c->submit_time,
				.eligible = c->eligible_time,
				.start = c->start_time,
				.end = c->running ? now : c->end_time,
				.running = c->running,
				.rate = c->rate,
				.factor = c->factor,
				.still_counts = c->running ? (double)NAN : c->tres_s,
				.bill = *c->bill };
	text_make_visible(r->user, sizeof(r->user), c->user);
	text_make_visible(r->account, sizeof(r->account), c->account);
	text_make_visible(r->partition, sizeof(r->partition), c->partition);
	text_make_visible(r->qos, sizeof(r->qos), c->qos);
	text_make_visible(r->state, sizeof(r->state), c->state);
	r->cost = r->rate * r->factor * (double)(r->end - r->start);
	fill_job_runtime(x, r);
	x->n++;
	return 0;
}

int explain_read_past_runs(struct explain_run *r, uint64_t job)
{
	struct invocation silent = *r->inv;
	struct input in = r->input;
	fs_usage *u = NULL;
	struct explain_past *x;

	if (r->view.dialect->has_usage_windows || r->input.text || !fs_snapshot_info(r->snapshot)->associations)
		return 0;
	x = calloc(1, sizeof(*x));
	if (!x)
		return cmd_report_no_memory(r->inv);
	*x = (struct explain_past){ .snapshot = r->snapshot, .viewer = input_get_viewer_name(&r->input), .job = job };
	in.usage = USAGE_COMPUTED;
	silent.quiet = true; /* missing usage causes no message, because the page is useful without the cost */
	if (usage_load_with_options(&silent, &in, r->snapshot, store_past_run, x, &u))
		x->n = 0;
	fs_usage_free(u);
	r->past = x;
	r->view.past = x->n ? x : NULL;
	return 0;
}

/* ---- texts about the cost of a job's past runs */

const char *explain_get_cost_unit(const struct explain_view *v)
{
	return v->dialect->explain->usage ? "usage" : "TRES seconds";
}

double explain_get_past_cost(const struct explain_view *v)
{
	const struct explain_past *x = v->past;
	double sum = 0;

	for (size_t i = 0; x && i < x->n && x->n <= PAST_RUNS; i++)
		sum += get_past_run(x, i)->cost;
	return x && x->n <= PAST_RUNS ? sum : (double)NAN;
}

static int get_cost_digits(const struct past_run *r)
{
	const double large = 10000;

	return r->cost < large ? 2 : 0;
}

static void add_run_row(struct page *p, const struct explain_view *v, const struct past_run *r)
{
	const fs_snapshot *s = v->snapshot;
	const int digits = get_cost_digits(r);

	PAGE_ADD_ROW(p, TONE_PLAIN, format_full_time(BUF, s, r->start),
		     r->suspended ? "suspended"
		     : r->running ? "runs"
				  : format_short_time(BUF, s, r->end),
		     r->ran == FS_UNKNOWN ? "unknown" : format_time_span(BUF, (double)r->ran),
		     format_words(BUF, "%.*f", digits, r->cost),
		     isnan(r->still_counts) ? "" : format_words(BUF, "%.*f", digits, r->still_counts));
}

/* Adds a sentence with the computation of the TRES seconds per second: "That is 4 CPUs × 1 + 4000M × 0.00025." */
static void add_rate_explanation(struct page *p, const struct past_run *r)
{
	const struct fs_bill *b = &r->bill;
	bool any = false;

	if (b->by_cpus)
		page_add_sentence(p, "That is 1 for each CPU.");
	if (!b->n || b->by_cpus)
		return;
	page_add_sentence(p, "That is");
	for (size_t i = 0; i < b->n; i++) {
		if (!b->term[i].counts || b->term[i].points == 0)
			continue;
		page_add_sentence(p, "%s%s × %s", any ? "+ " : "",
				  format_tres_amount(BUF, b->term[i].tres, b->term[i].amount),
				  format_config_number(BUF, b->term[i].weight));
		any = true;
	}
	page_append_text(p, any ? "." : " nothing.");
}

static void add_charge_explanation(struct page *p, const struct explain_view *v, const struct past_run *r)
{
	const double half_life = fs_usage_half_life(v->snapshot);

	page_add_sentence(p, "Charged to %s in %s %s: %s a second", *r->user ? r->user : "an unknown user",
			  v->vocabulary->account, r->account, format_decimal_number(BUF, r->rate, 4));
	if (r->factor != 1)
		page_add_sentence(p, "times the UsageFactor %s of QOS %s", format_config_number(BUF, r->factor),
				  r->qos);
	page_append_text(p, ".");
	add_rate_explanation(p, r);
	if (half_life > 0)
		page_add_sentence(p, "Usage halves every %s.", format_time_span(BUF, half_life));
	if (r->running)
		page_add_sentence(p, r->suspended ? "It is also charged while it is suspended."
						  : "It is charged while it runs.");
}

void explain_add_cost(struct page *p, const struct explain_view *v)
{
	const struct explain_past *x = v->past;

	if (!x)
		return;
	page_add_gap(p);
	page_add_heading(p, "COST in %s", explain_get_cost_unit(v));
	PAGE_BEGIN_TABLE(p, AT_LEFT("from"), AT_LEFT("to"), AT_RIGHT("ran"), AT_POINT("cost"),
			 AT_POINT("still counts"));
	for (size_t i = get_first_stored_run(x); i < x->n; i++)
		add_run_row(p, v, get_past_run(x, i));
	page_end_table(p);
	add_charge_explanation(p, v, get_past_run(x, x->n - 1));
	page_end_paragraph(p);
}

static void add_past_wait_time(struct page *p, const struct past_run *r)
{
	const int64_t from = r->eligible == FS_UNKNOWN || r->eligible > r->start ? r->submit : r->eligible;

	if (from == FS_UNKNOWN || from > r->start)
		page_add_sentence(p, "How long it waited is unknown: its record has no submit time before the start.");
	else
		page_add_sentence(p, "It waited %s.", format_time_span(BUF, (double)(r->start - from)));
}

void explain_add_past_job(struct page *p, const struct explain_view *v)
{
	const struct explain_past *x = v->past;
	const struct past_run *r = get_past_run(x, x->n - 1);
	char id[FS_JOB_ID_TEXT];

	page_add_heading(p, "Job %s · %s · %s %s%s%s%s%s", fs_job_id_format(x->snapshot, x->job, false, id),
			 *r->user ? r->user : "user unknown", v->vocabulary->account, r->account,
			 *r->qos ? " · QOS " : "", r->qos, *r->partition ? " · " : "", r->partition);
	page_add_gap(p);
	page_add_sentence(p, "It has ended (%s).", *r->state ? r->state : "its state is not recorded");
	add_past_wait_time(p, r);
	page_end_paragraph(p);
	explain_add_cost(p, v);
	explain_add_source(p, v);
}

/* ---- the cost of runs as JSON */

/* Returns the end time of an execution of the job; FS_UNKNOWN if it has not ended. */
COLUMN_GET_VALUE(get_end, void, struct past_run, row->running ? FS_UNKNOWN : row->end)

#define RUN(m) COLUMN_MEMBER(struct past_run, m)

static const struct column run_columns[] = {
	{ NULL, "state", RUN(state), .help = "final state of the run, or RUNNING" },
	{ NULL, "submit_time", RUN(submit), .unit = UNIT_TIME, .help = "time at which the job was submitted" },
	{ NULL, "eligible_time", RUN(eligible), .unit = UNIT_TIME, .help = "time at which the job became eligible" },
	{ NULL, "start_time", RUN(start), .unit = UNIT_TIME, .help = "time at which the run started" },
	{ NULL, "end_time", .get_value = get_end, .unit = UNIT_TIME, .help = "time at which the run ended" },
	{ NULL, "rate", RUN(rate), .help = "TRES seconds charged per second" },
	{ NULL, "usage_factor", RUN(factor), .help = "UsageFactor of the job's QOS" },
	{ NULL, "tres_seconds", RUN(cost), .help = "TRES seconds charged for the run" },
	{ NULL, "still_counts", RUN(still_counts), .help = "part of the cost that is left after decay" },
};

COLUMN_GET_VALUE(get_id, struct explain_past, void, of->job)

/* Columns of a job that appears only in usage records. The values are from the last execution of the job. */
static const struct column ended_columns[] = {
	{ NULL, "jobid", .get_value = get_id, .help = "job id" },
	{ NULL, "user", RUN(user), .help = "user who submitted the job" },
	{ NULL, "account", RUN(account), .help = "account that was charged for the job" },
	{ NULL, "partition", RUN(partition), .help = "partition in which the job ran" },
	{ NULL, "qos", RUN(qos), .help = "QOS of the job" },
};

void explain_write_past_runs(struct fs_json *j, const struct explain_view *v)
{
	const struct explain_past *x = v->past;

	json_begin_list(j, "runs");
	for (size_t i = x ? get_first_stored_run(x) : 0; x && i < x->n; i++)
		columns_write_object(j, COLUMNS(run_columns), NULL, get_past_run(x, i));
	fs_json_end_array(j);
}

int explain_write_past_job(const struct explain_view *v)
{
	const struct past_run *r = get_past_run(v->past, v->past->n - 1);
	struct fs_json j;

	explain_begin_document(&j, v, "ended");
	columns_write_members(&j, COLUMNS(ended_columns), v->past, r);
	explain_write_past_runs(&j, v);
	return json_end_document(&j);
}
