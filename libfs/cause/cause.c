/* Finds the causes of a job: plans the unchanged snapshot, has each constraint tried, and chooses the cause to name. */
#include "cause/cause.h"

#include "base/error.h"
#include "model/find.h"
#include "model/scheduler.h"

#include "fs/scenario.h"
#include <stdlib.h>

const char *fs_cause_name(enum fs_cause_kind kind)
{
#define FS_CAUSE_NAME(tag, name) name,
	static const char *const names[] = { FS_CAUSES(FS_CAUSE_NAME) };
#undef FS_CAUSE_NAME

	return (unsigned)kind < FS_CAUSE_KINDS ? names[kind] : "";
}

/* ---- the choice of the cause to name */

/* Returns 0 for a constraint that is not a job, 1 for running jobs, 2 for jobs ahead. */
static int get_kind_class(enum fs_cause_kind kind)
{
	return kind == FS_CAUSE_AHEAD ? 2 : kind == FS_CAUSE_RUNNING ? 1 : 0;
}

/* Returns true if the cause moves the start by at least a tenth of the wait. */
static bool saves_a_tenth(const struct fs_causes *c, const struct fs_cause *x)
{
	const int64_t gain = fsi_cause_get_gain(c, x->start_without), now = c->m->info.time;

	return gain == INT64_MAX || gain >= (x->start - now) / 10;
}

/* Moves the cause to name to the front: of the lowest class with a cause that saves a tenth of the wait, the cause with
 * the largest gain. The causes are sorted by gain. */
static void move_chosen_first(struct fs_causes *c)
{
	size_t best = 0;
	struct fs_cause chosen;

	for (size_t i = 0; i < c->cause.n; i++)
		if (saves_a_tenth(c, &c->cause.v[i]) &&
		    (!saves_a_tenth(c, &c->cause.v[best]) ||
		     get_kind_class(c->cause.v[i].kind) < get_kind_class(c->cause.v[best].kind)))
			best = i;
	chosen = c->cause.v[best];
	memmove(c->cause.v + 1, c->cause.v, best * sizeof(*c->cause.v));
	c->cause.v[0] = chosen;
}

static int compare_by_gain(const void *x, const void *y, const void *ctx)
{
	const struct fs_cause *a = x, *b = y;

	(void)ctx;
	if (a->start_without != b->start_without)
		return a->start_without < b->start_without ? -1 : 1;
	return (a->kind > b->kind) - (a->kind < b->kind);
}

enum fs_cause_kind fsi_cause_get_verdict_kind(const struct fs_verdict *v)
{
	switch (v->kind) {
	case FS_VERDICT_HELD:
		return FS_CAUSE_HELD;
	case FS_VERDICT_BEGIN:
		return FS_CAUSE_BEGIN;
	case FS_VERDICT_DEPENDENCY:
		return FS_CAUSE_DEPENDENCY;
	case FS_VERDICT_ARRAY_LIMIT:
		return FS_CAUSE_ARRAY_LIMIT;
	case FS_VERDICT_LIMIT:
		return FS_CAUSE_LIMIT;
	case FS_VERDICT_RESERVATION:
		return FS_CAUSE_RESERVATION;
	case FS_VERDICT_NODES:
		return v->cause == FS_VERDICT_CAUSE_PARTITION ? FS_CAUSE_PARTITION : FS_CAUSE_NODES;
	case FS_VERDICT_NEVER:
		return v->limit				       ? FS_CAUSE_LIMIT
		       : v->cause == FS_VERDICT_CAUSE_DEPENDENCY ? FS_CAUSE_DEPENDENCY
		       : v->cause == FS_VERDICT_CAUSE_RESERVATION ? FS_CAUSE_RESERVATION
		       : v->obstacle || v->cause == FS_VERDICT_CAUSE_ACCESS ? FS_CAUSE_PARTITION
		       : v->cause == FS_VERDICT_CAUSE_CONSTRAINTS	    ? FS_CAUSE_NODES
									    : FS_CAUSE_UNKNOWN;
	default:
		return FS_CAUSE_UNKNOWN;
	}
}

/* Adds the only cause of a job for which no removal lets the job start earlier. */
static int add_verdict_cause(struct fs_causes *c)
{
	struct fs_cause x = { .kind = fsi_cause_get_verdict_kind(&c->verdict), .start_without = FS_UNKNOWN };

	x.why_not = c->no_plan		       ? c->no_plan
		    : x.kind != FS_CAUSE_UNKNOWN  ? "the plan finds no start for the job even without this constraint"
		    : c->row_index == FS_NO_ROW ? "the plan does not contain the job"
						: "the job starts no earlier without any of the constraints that were tried";
	return fsi_cause_add(c, &x);
}

static int choose_cause(struct fs_causes *c)
{
	if (!c->cause.n)
		return add_verdict_cause(c);
	if (fs_sort(c->cause.v, c->cause.n, sizeof(*c->cause.v), compare_by_gain, NULL))
		return fsi_fail_no_memory(c->err);
	move_chosen_first(c);
	return 0;
}

/* ---- the plan of the unchanged snapshot */

/* Sets the number of trials. */
static void set_max_trials(struct fs_causes *c)
{
	enum { MIN_TRIALS = 2 };
	const size_t n = fsi_cause_count_trials(c->m, c->plan);

	c->max_trials = n < MIN_TRIALS ? MIN_TRIALS : n > FSI_CAUSE_MAX_TRIALS ? FSI_CAUSE_MAX_TRIALS : n;
}

/* Computes the queue of a snapshot for which no plan can be computed. */
static int compute_own_queue(struct fs_causes *c)
{
	const struct fs_queue_options o = { .size = sizeof(o), .view = c->view };

	return fs_queue_compute(&c->own_queue, c->m, &o, c->err);
}

/* Copies the message of an error without the name of the snapshot file at its beginning. Returns NULL if out of
 * memory. */
static const char *copy_missing_data(struct fs_causes *c, const char *message)
{
	const size_t n = strlen(c->m->file);
	const bool has_file = n && !strncmp(message, c->m->file, n) && !strncmp(message + n, ": ", 2);

	message += has_file ? n + 2 : 0;
	return fsi_arena_strndup(&c->arena, message, strlen(message));
}

/* Sets the plan, the job's row in it, and the verdict on the job. If the snapshot lacks data for a plan, sets only the
 * verdict, and stores the message in c->no_plan. */
static int read_present_state(struct fs_causes *c, const fs_plan *plan)
{
	const struct fs_plan_options o = { .size = sizeof(o), .view = c->view };
	struct fs_error missing;
	int rc = plan ? 0 : fs_plan_compute(&c->own_plan, c->m, &o, &missing);

	if (rc && rc != FS_ENODATA)
		return fsi_fail_with_code(c->err, rc, "%s", missing.message);
	c->row_index = FS_NO_ROW;
	c->row.start_time = FS_UNKNOWN;
	if (rc) {
		c->no_plan = copy_missing_data(c, missing.message);
		rc = c->no_plan ? compute_own_queue(c) : fsi_fail_no_memory(c->err);
		return rc ? rc : fs_queue_verdict(c->own_queue, c->job_row, &c->verdict);
	}
	c->plan = plan ? plan : c->own_plan;
	c->row_index = fs_plan_find(c->plan, c->job_row);
	if (c->row_index != FS_NO_ROW)
		fs_plan_row(c->plan, c->row_index, &c->row);
	set_max_trials(c);
	return fs_queue_verdict(fs_plan_queue(c->plan), c->job_row, &c->verdict);
}

/* Returns true if the plan may be incomplete: jobs may be hidden from the viewer or missing from the snapshot,
 * priorities are unknown, or it is not known whether the job is eligible. */
static bool may_be_incomplete(const struct fs_causes *c)
{
	return fs_snapshot_hidden(c->m, "job") || c->verdict.kind == FS_VERDICT_UNKNOWN ||
	       c->verdict.cause == FS_VERDICT_CAUSE_JOBS || c->verdict.cause == FS_VERDICT_CAUSE_PRIORITIES;
}

static bool starts_within_minute(const struct fs_causes *c)
{
	return c->row.start_time != FS_UNKNOWN && c->row.start_time < c->m->info.time + FSI_CAUSE_MIN_GAIN_S;
}

/* ---- public functions */

static int search_causes(struct fs_causes *c, const fs_plan *plan)
{
	int rc = read_present_state(c, plan);

	if (rc)
		return rc;
	if (may_be_incomplete(c) && starts_within_minute(c))
		return fsi_cause_add(c, &(struct fs_cause){ .kind = FS_CAUSE_UNKNOWN, .start_without = FS_UNKNOWN,
							    .why_not = "the plan is incomplete: jobs may be missing, or "
								       "the job may not be eligible" });
	if (starts_within_minute(c))
		return fsi_cause_add(c, &(struct fs_cause){ .kind = FS_CAUSE_NONE, .start_without = FS_UNKNOWN,
							    .why_not = "the job starts within a minute" });
	rc = c->no_plan ? 0 : fsi_cause_add_candidates(c);
	return rc ? rc : choose_cause(c);
}

int fs_causes_find(fs_causes **out, const fs_snapshot *s, uint32_t job_row, const struct fs_cause_options *options,
		   struct fs_error *err)
{
	struct fs_cause_options own;
	const struct fs_cause_options *o = FSI_OPTIONS(own, options);
	struct fs_causes *c;
	int rc;

	if (job_row >= s->job.n || s->job.v[job_row].state != FSI_STATE_PENDING)
		return fsi_fail_with_code(err, FS_ENODATA, "%s: cannot compute causes of waiting: the job is not pending", s->file);
	c = calloc(1, sizeof(*c));
	if (!c)
		return fsi_fail_no_memory(err);
	c->m = s;
	c->view = o->view;
	c->view.usage = NULL;
	c->job_row = job_row;
	c->job = s->job.v[job_row].id;
	c->err = err;
	rc = search_causes(c, o->plan);
	if (rc)
		fs_causes_free(c);
	else
		*out = c;
	return rc;
}

void fs_causes_free(fs_causes *c)
{
	if (!c)
		return;
	fs_verdict_release(&c->verdict);
	fs_plan_free(c->own_plan);
	fs_queue_free(c->own_queue);
	FSI_VEC_FREE(&c->cause);
	fsi_arena_release(&c->arena);
	free(c);
}

size_t fs_causes_count(const fs_causes *c)
{
	return c->cause.n;
}

const struct fs_cause *fs_causes_row(const fs_causes *c, size_t i)
{
	return i < c->cause.n ? &c->cause.v[i] : NULL;
}
