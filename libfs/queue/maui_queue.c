#include "queue/maui_queue.h"

#include "base/error.h"
#include "base/hostlist.h"
#include "fairshare/maui.h"
#include "model/find.h"
#include "model/maui.h"
#include "model/maui_tables.h"
#include "priority/priority.h"
#include "queue/verdict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- requests for a class, a feature, an amount per node or a number of processors that no partition can ever satisfy
 * (src/MReq.c:MReqCheckResourceMatch). Maui lists a job with such a request as idle and eligible. */

/* Counts that show how well the nodes of one partition fit a job. */

struct fitting_nodes {
	size_t in_class; /* number of nodes that have the job's class */
	size_t suiting;  /* number of nodes that have the job's class and features and meet its other needs */
	/* Name of a need of the job, such as "mem", that a node does not meet. Only the last node with the job's class
	 * and features is examined. NULL: that node meets all needs. */
	const char *unmet;
	size_t usable; /* number of suitable nodes that have space for at least one task of the job */
	int64_t tasks; /* number of tasks of the job that fit on all suitable nodes in total, if these nodes are empty */
	uint32_t partition; /* name id of the nodes' partition; 0: DEFAULT */
	bool has_others;    /* true: the nodes of the snapshot are in several partitions */
};

enum { RESOURCE_COUNT = 3 };
static const char *const resources[RESOURCE_COUNT] = { "mem", "swap", "disk" };

/* Returns the amount of the TRES that the node has. Returns INT64_MAX if the amount is unknown, since an unknown amount
 * is assumed to be enough. */
static int64_t get_node_amount(const fs_snapshot *m, const struct fsi_node *node, const char *tres)
{
	const int64_t recorded = fsi_amount_of_tres(m, node->tres, fsi_name_find(m, tres));

	if (recorded > 0 || FSI_HAS(node, NODE, tres))
		return recorded;
	return !strcmp(tres, "mem") && FSI_HAS(node, NODE, mem_mb) ? (int64_t)node->mem_mb : INT64_MAX;
}

/* Returns the number of tasks of the job that fit on the node if nothing else runs there. */
static int64_t count_tasks_on_node(const fs_snapshot *m, const struct fsi_job *job, const struct fsi_node *node)
{
	const int64_t cpus = fsi_maui_amount_per_task(m, job, "cpu"), at_a_time = fsi_maui_tasks_per_node(m, job);
	int64_t fit = cpus > 0 ? node->cpus / cpus : INT32_MAX;

	for (int r = 0; r < RESOURCE_COUNT; r++) {
		const int64_t each = fsi_maui_amount_per_task(m, job, resources[r]),
			      has = get_node_amount(m, node, resources[r]);

		if (each > 0 && has / each < fit)
			fit = has / each;
	}
	return at_a_time ? fit - fit % at_a_time : fit;
}

static struct fitting_nodes count_fitting_nodes(const fs_snapshot *m, const struct fsi_job *job, uint32_t partition)
{
	struct fitting_nodes f = { .partition = partition };

	for (size_t i = 0; i < m->node.n; i++) {
		const struct fsi_node *node = &m->node.v[i];

		if (fsi_maui_partition_of_node(node) != partition || !fsi_maui_node_has_class(m, job, node))
			continue;
		f.in_class++;
		if (!fsi_maui_node_has_features(m, job, node))
			continue;
		f.unmet = fsi_maui_find_unmet_need(m, job, node);
		if (f.unmet)
			continue;
		f.suiting++;
		f.usable += count_tasks_on_node(m, job, node) > 0;
		f.tasks += count_tasks_on_node(m, job, node);
	}
	return f;
}

/* `a` and `b` count nodes of two partitions. Returns true if the partition of `a` fits the job better: more tasks of
 * the job fit on its nodes. If the numbers of tasks are equal, the partition with more usable nodes fits better. The
 * next criteria are the number of suitable nodes and the number of nodes with the job's class. */
static bool fits_better(const struct fitting_nodes *a, const struct fitting_nodes *b)
{
	return a->tasks != b->tasks       ? a->tasks > b->tasks
	       : a->usable != b->usable   ? a->usable > b->usable
	       : a->suiting != b->suiting ? a->suiting > b->suiting
					  : a->in_class > b->in_class;
}

static bool is_enough_for_job(const struct fitting_nodes *f, const struct fsi_job *job)
{
	return f->tasks >= fsi_maui_job_tasks(job) && f->usable >= job->nodes;
}

/* Returns the node counts of the first partition that has enough nodes and room for all tasks of the job. If there is
 * none, returns the node counts of the partition that fits the job best (fits_better). Does not add the counts of
 * several partitions, because a job runs in one partition. */
static struct fitting_nodes find_best_partition(const fs_snapshot *m, const struct fsi_job *job)
{
	struct fitting_nodes best = { 0 };
	size_t n = 0;

	for (size_t i = 0; i < m->node.n; i++) {
		struct fitting_nodes f;

		if (!fsi_maui_is_first_of_partition(m, i))
			continue;
		f = count_fitting_nodes(m, job, fsi_maui_partition_of_node(&m->node.v[i]));
		if (is_enough_for_job(&f, job))
			return f;
		if (!n++ || fits_better(&f, &best))
			best = f;
	}
	best.has_others = n > 1;
	return best;
}

/* Returns the greatest amount of the TRES on any node that suits the job (fsi_maui_node_suits_job). */
static int64_t get_greatest_amount(const fs_snapshot *m, const struct fsi_job *job, const char *tres)
{
	int64_t best = 0;

	for (size_t i = 0; i < m->node.n; i++) {
		const struct fsi_node *node = &m->node.v[i];
		const int64_t has = get_node_amount(m, node, tres);

		if (fsi_maui_node_suits_job(m, job, node) && has > best)
			best = has;
	}
	return best;
}

/* Finds the first resource (memory, swap or disk) that one task of the job needs in a greater amount than any suitable
 * node has. Sets *out to that resource and both amounts. Returns false if there is no such resource. */
static bool find_lacking_resource(const fs_snapshot *m, const struct fsi_job *job, struct fs_explain_obstacle *out)
{
	static const char *const each[RESOURCE_COUNT] = { "mem_each", "swap_each", "disk_each" };

	for (int r = 0; r < RESOURCE_COUNT; r++) {
		out->what = each[r];
		out->wants = (double)fsi_maui_amount_per_task(m, job, resources[r]);
		out->has = (double)get_greatest_amount(m, job, resources[r]);
		if (out->wants > out->has)
			return true;
	}
	return false;
}

/* Returns true if the job can never get what it requests, however long it waits. Sets *out to what the nodes lack:
 * class, features, mem_each, swap_each or disk_each of a task, cpu, or partition_cpu with the name of the partition
 * that fits the job best (fits_better). An amount that the snapshot does not have is assumed to be enough. */
static bool find_maui_obstacle(const struct fs_queue *q, uint32_t job_row, struct fs_explain_obstacle *out)
{
	const fs_snapshot *m = q->m;
	const struct fsi_job *job = &m->job.v[job_row];
	const struct fitting_nodes f = find_best_partition(m, job);
	size_t n;
	const uint32_t *classes = fsi_list_items(m, job->partitions, &n);

	if (!m->node.n || is_enough_for_job(&f, job))
		return false;
	*out = (struct fs_explain_obstacle){ .partition = n ? fsi_name_text(m, classes[0]) : "", .name = "" };
	if (!f.in_class) {
		out->what = "class";
	} else if (!f.suiting) {
		out->what = "features";
		out->name = f.unmet ? f.unmet : fsi_name_text(m, job->features);
	} else if (!find_lacking_resource(m, job, out)) {
		out->what = f.has_others ? "partition_cpu" : "cpu";
		out->name = !f.has_others ? "" : f.partition ? fsi_name_text(m, f.partition) : "DEFAULT";
		out->wants = (double)job->cpus;
		out->has = (double)(f.tasks * fsi_maui_amount_per_task(m, job, "cpu"));
	}
	return true;
}

/* ---- reservations of administrators: a node is closed to a job if it has a reservation that excludes the job and
 * begins before the job's end (src/moab/MJob.c:MJobGetSNRange). diagnose -r shows which jobs a reservation admits */

enum { MAX_RESERVED_NODES = 1 << 20 };

struct suitable_node {
	const fs_snapshot *m;
	const struct fsi_job *job;
};

static int is_node_suitable(void *ctx, const char *name, size_t len)
{
	const struct suitable_node *w = ctx;
	const struct fsi_node *n = fsi_node_find(w->m, fsi_name_find(w->m, name));

	(void)len;
	return n && fsi_maui_node_suits_job(w->m, w->job, n);
}

bool fs_reservation_blocks_job(const fs_snapshot *m, size_t i, size_t job)
{
	const struct fsi_reservation *r = &m->reservation.v[i];
	const struct suitable_node w = { m, &m->job.v[job] };
	const bool limited = FSI_HAS(w.job, JOB, time_limit_s) && !FSI_SPECIAL(w.job, JOB, time_limit_s);

	if (!FSI_HAS(r, RESERVATION, start_time) || !FSI_HAS(r, RESERVATION, end_time) ||
	    fsi_maui_reservation_admits_job(m, r, w.job) || r->end_time <= m->info.time ||
	    (limited && m->info.time + w.job->time_limit_s <= r->start_time))
		return false;
	return fsi_hostlist_expand_each(fsi_name_text(m, r->nodes), MAX_RESERVED_NODES, is_node_suitable, (void *)&w) ==
	       1;
}

/* ---- order */

/* Sort key for eligible records: start priority of the job in the previous iteration, highest first. */
static int compare_earlier_priority(const struct fs_queue *q, const struct fsi_queue_record *a,
				    const struct fsi_queue_record *b)
{
	const double *earlier = fsi_maui_queue_data(q)->earlier;
	const double x = earlier && a->eligible ? earlier[a->job] : 0;
	const double y = earlier && b->eligible ? earlier[b->job] : 0;

	return (x < y) - (x > y);
}

/* Sort key for records of equal priority: position of the job in Maui's job table, unknown positions last. If both
 * positions are unknown, the lower job id comes first. */
static int compare_open_order(const struct fs_queue *q, const struct fsi_queue_record *a,
			      const struct fsi_queue_record *b)
{
	const int by_place = fsi_queue_compare_table_position(q, a, b);

	return by_place ? by_place : fsi_queue_compare_id(q, a, b);
}

static const struct fsi_queue_key maui_keys[] = {
	{ FS_QUEUE_KEY_PRIORITY, fsi_queue_compare_priority },
	{ FS_QUEUE_KEY_EARLIER, compare_earlier_priority },
	{ FS_QUEUE_KEY_OPEN, compare_open_order },
	{ FS_QUEUE_KEY_LISTED, fsi_queue_compare_choice },
};

/* ---- blocked jobs */

static const char *get_recorded_reason(const struct fs_queue *q, uint32_t job)
{
	return fsi_name_text(q->m, q->m->job.v[job].reason);
}

/* Returns the reason that blocks the job, if Maui tests that reason before limits: hold, deferral or negative priority.
 * NULL: there is none. */
static const char *find_early_reason(const struct fs_queue *q, uint32_t job, double priority)
{
	const struct fsi_maui_queue *x = fsi_maui_queue_data(q);
	const struct fs_reason *reason =
		*get_recorded_reason(q, job) ? fs_reason_find(get_recorded_reason(q, job)) : NULL;

	if (reason && reason->section == FS_SECTION_HELD)
		return reason->name;
	if (x->state && x->state->deferred_until[job] > q->m->info.time)
		return "Deferred";
	return x->windows && x->windows->w.conf.reject_negative && priority < 0 ? "NegativePriority" : NULL;
}

/* Returns the reason that blocks the job; NULL: the job is eligible. Reasons are tested in Maui's order. If a limit or
 * cap blocks a job that is recorded as "Blocked", the returned reason is the limit or cap, because "Blocked" does not
 * say why. Soft limits are tested only if the job is recorded as blocked. Limits on the number of eligible jobs are
 * tested if the job is recorded as blocked, or if `has_list` is false. `has_list`: the snapshot has a list of blocked
 * jobs. */
static const char *find_blocking_reason(const struct fs_queue *q, uint32_t job, double priority, bool has_list)
{
	const struct fsi_maui_queue *x = fsi_maui_queue_data(q);
	const char *stopped = find_early_reason(q, job, priority);
	const bool blocked = *get_recorded_reason(q, job) != '\0';
	struct fs_explain_limit limit;
	struct fs_cap_row cap;

	if (stopped)
		return stopped;
	if (fsi_maui_limits_find_exceeded(x->limits, job, blocked, blocked || !has_list, &limit))
		return "Limit";
	if (x->windows && fs_windows_capped(x->windows, job, &cap))
		return "FairShare";
	return blocked ? "Blocked" : NULL;
}

/* Returns true if the snapshot has the scheduler's list of blocked jobs. Returns false in a plan, because the list does
 * not apply to the plan's later time. */
static bool has_blocked_list(const struct fs_queue *q)
{
	for (size_t i = 0; i < q->record.n && !q->planner_state; i++)
		if (!strcmp(get_recorded_reason(q, q->record.v[i].job), "Blocked"))
			return true;
	return false;
}

/* Sets `tried`, `eligible` and the reason of each record. Sets the priority of a blocked job to unknown: Maui computes
 * it from the time that the job had waited when it was last eligible (J->EffQueueDuration,
 * src/MPolicy.c:MQueueSelectJobs). The snapshot does not have that time. */
static void set_eligible_records(struct fs_queue *q)
{
	const bool has_list = has_blocked_list(q);

	for (size_t i = 0; i < q->record.n; i++) {
		struct fsi_queue_record *r = &q->record.v[i];
		const char *why = find_blocking_reason(q, r->job, r->priority, has_list);

		r->tried = r->eligible = !why;
		if (why)
			r->priority = (double)NAN;
		const struct fs_reason *reason = fs_reason_find(why ? why : "None");

		r->reason_number = fsi_reason_to_number(reason);
		r->section = (uint8_t)reason->section;
	}
}

/* Counts the eligible jobs of each credential, for the limits on eligible jobs. `priority`: start priorities, indexed
 * by job row. Returns 0 or FS_ENOMEM. */
static int count_eligible_jobs(struct fs_queue *q, const double *priority, struct fs_error *err)
{
	bool *stopped = calloc(q->m->job.n + 1, sizeof(*stopped));
	int rc = stopped ? 0 : fsi_fail_no_memory(err);

	for (size_t i = 0; i < q->record.n && !rc; i++)
		stopped[q->record.v[i].job] = find_early_reason(q, q->record.v[i].job, q->record.v[i].priority) != NULL;
	if (!rc)
		rc = fsi_maui_limits_count_eligible(fsi_maui_queue_data(q)->limits, priority, stopped, err);
	free(stopped);
	return rc;
}

/* Returns the priority by which Maui sorted the job. For a running job, this is the recorded priority. For other jobs,
 * and in a plan, it is the computed priority, because a plan continues after the snapshot's time. A job that has just
 * started has no run priority yet, so this function returns its start priority. */
static double get_sort_priority(const struct fs_queue *q, const struct fs_prio_row *row)
{
	const struct fsi_job *j = &q->m->job.v[row->job_row];

	if (fsi_maui_is_just_started(q->m, row->job_row))
		return row->nsteps ? row->steps[row->nsteps - 1].value : row->sum;
	if (fs_job_is_running(q->m, row->job_row) && !q->planner_state && FSI_HAS(j, JOB, priority))
		return j->priority;
	return row->priority;
}

/* Computes the priorities of all jobs, including blocked and running jobs. Sets the elements of `priority` (indexed by
 * job row), the priorities of the records, and the priorities of the previous iteration. Returns the error codes of
 * fs_prios_compute. */
static int compute_all_priorities(struct fs_queue *q, const struct fs_queue_options *qo, double *priority,
				  struct fs_error *err)
{
	const struct fs_prios_options o = { .view = { .usage = qo ? qo->view.usage : NULL },
					    .blocked = true,
					    .running = true };
	struct fsi_maui_queue *x = fsi_maui_queue_data(q);
	fs_prios *all = NULL;
	int rc;

	x->earlier = calloc(q->m->job.n + 1, sizeof(*x->earlier));
	rc = x->earlier ? fsi_prios_compute_planned(&all, q->m, &o, x->state, err) : fsi_fail_no_memory(err);
	for (size_t i = 0; !rc && i < fs_prios_count(all); i++) {
		const double earlier = fsi_prio_maui_previous_priority(all, i);
		struct fs_prio_row row;

		fs_prios_brief(all, i, &row);
		priority[row.job_row] = get_sort_priority(q, &row);
		x->earlier[row.job_row] = isnan(earlier) ? 0 : earlier;
	}
	for (size_t i = 0; !rc && i < q->record.n; i++)
		q->record.v[i].priority = priority[q->record.v[i].job];
	fs_prios_free(all);
	return rc;
}

static int prepare_maui_queue(struct fs_queue *q, const struct fs_queue_options *o, struct fs_error *err)
{
	struct fsi_maui_queue *x = calloc(1, sizeof(*x));
	double *priority = malloc((q->m->job.n + 1) * sizeof(*priority));
	int rc;

	q->scheduler_data = x;
	if (!x || !priority) {
		free(priority);
		return fsi_fail_no_memory(err);
	}
	x->state = q->planner_state;
	for (size_t i = 0; i < q->m->job.n; i++)
		priority[i] = (double)NAN;
	for (size_t i = 0; i < q->record.n; i++)
		q->record.v[i].priority = (double)NAN;
	rc = fs_windows_compute(&x->windows, q->m, err);
	if (!rc)
		rc = compute_all_priorities(q, o, priority, err);
	else if (rc == FS_ENODATA)
		rc = 0;
	if (!rc)
		rc = fsi_maui_limits_load_active(&x->limits, q->m, x->windows, x->state, err);
	if (!rc)
		rc = count_eligible_jobs(q, priority, err);
	if (!rc)
		set_eligible_records(q);
	free(priority);
	return rc;
}

static void release_maui_queue(struct fs_queue *q)
{
	struct fsi_maui_queue *x = fsi_maui_queue_data(q);

	if (!x)
		return;
	fsi_maui_limits_free(x->limits);
	fs_windows_free(x->windows);
	free(x->earlier);
	free(x);
}

/* ---- public functions */

bool fs_queue_shown_limit(const fs_queue *q, uint32_t job_row, struct fs_explain_limit *out)
{
	return q->scheduler == &fsi_queue_of_maui &&
	       fsi_maui_limits_find_shown(fsi_maui_queue_data(q)->limits, job_row, out);
}

/* ---- verdicts of Maui */

/* Returns the unit of a fair-share cap. */
static const char *get_cap_unit(const struct fs_queue *q, const struct fs_cap_row *cap)
{
	if (cap->mode != FS_TARGET_CAP_ABS)
		return "%";
	return strcmp(fs_windows_info(fsi_maui_queue_data(q)->windows)->policy, "DEDICATEDPES") ? "processor seconds"
												: "PE seconds";
}

/* Sets the verdict of a job that exceeds a fair-share cap. Returns -1 if out of memory. */
static int block_by_cap(const struct fs_queue *q, struct fsi_arena *arena, const struct fs_cap_row *cap,
			struct fs_verdict *out)
{
	const struct fs_explain_limit l = {
		.name = "fair-share cap",
		.tres = get_cap_unit(q, cap),
		.scope = FS_LIMIT_ASSOC,
		.set_by = cap->name,
		.counted_for = fs_cred_kind_name(cap->kind),
		.user = "",
		.partition = "",
		.qos = "",
		.value = cap->cap,
		.used = cap->usage,
		.wants = cap->need,
		.factor = 1,
		.reserved_minutes = NAN,
		.blocks = true,
		/* a percentage cap of at least 0 permits more usage when the total usage of all jobs grows */
		.never = (cap->mode == FS_TARGET_CAP_ABS || cap->cap < 0) && cap->need > cap->cap,
	};

	return fsi_verdict_block_by_limit(out, arena, &l);
}

static int find_maui_verdict(const struct fs_queue *q, const struct fsi_queue_record *first, struct fsi_arena *arena,
			     struct fs_verdict *out)
{
	const struct fsi_maui_queue *x = fsi_maui_queue_data(q);
	const char *name = out->reason ? out->reason->name : "";
	struct fs_explain_obstacle lack;
	struct fs_explain_limit limit;
	struct fs_cap_row cap;

	if (find_maui_obstacle(q, first->job, &lack)) {
		out->kind = FS_VERDICT_NEVER;
		out->cause = FS_VERDICT_CAUSE_PARTITION;
		out->obstacle = fsi_arena_copy(arena, &lack, sizeof(lack));
		if (!out->obstacle)
			return -1;
		return fsi_maui_limits_find_exceeded(x->limits, first->job, true, true, &limit)
			       ? fsi_verdict_add_limit(out, arena, &limit)
			       : 0;
	}
	if (first->eligible)
		return 0;
	if (out->reason && out->reason->section == FS_SECTION_HELD) {
		out->kind = FS_VERDICT_HELD;
		out->cause = fsi_reason_row(out->reason)->cause; /* NONE: an administrator or Maui set the hold */
		return 0;
	}
	out->kind = FS_VERDICT_LIMIT;
	out->cause = FS_VERDICT_CAUSE_POLICY;
	if (!strcmp(name, "Limit") && fsi_maui_limits_find_exceeded(x->limits, first->job, true, true, &limit))
		return fsi_verdict_block_by_limit(out, arena, &limit);
	if (!strcmp(name, "FairShare") && x->windows && fs_windows_capped(x->windows, first->job, &cap))
		return block_by_cap(q, arena, &cap, out);
	return 0;
}

const struct fsi_queue_scheduler fsi_queue_of_maui = {
	.keys = maui_keys,
	.nkeys = sizeof(maui_keys) / sizeof(*maui_keys),
	.find_verdict = find_maui_verdict,
	.prepare = prepare_maui_queue,
	.release = release_maui_queue,
};
