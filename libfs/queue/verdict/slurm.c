/* What keeps a job of Slurm from being eligible. What is recorded as the scheduler's reason is checked against the rest
 * of the state, as it is not looked at again in every pass (src/slurmctld/job_scheduler.c: _job_runnable_test1,
 * job_independent), and a job with several partitions shows that of one. */
#include "queue/verdict/verdict.h"
#include "queue/reasons.h"

#include <string.h>

static bool reason_is(const struct fs_reason *r, const char *name)
{
	return r && !strcmp(r->name, name);
}

/* How many of its records something bars, and how. */
struct standing {
	size_t records, eligible, limit, never, shut;
};

static void add_record(struct standing *s, const struct fsi_queue_record *r)
{
	s->records++;
	s->eligible += r->eligible;
	s->limit += r->bar == FSI_BAR_LIMIT;
	s->never += r->bar == FSI_BAR_NEVER;
	s->shut += r->bar == FSI_BAR_SHUT;
}

static struct standing standing_of(const struct fs_queue *q, const struct fsi_queue_record *first)
{
	struct standing s = { 0 };

	for (const struct fsi_queue_record *r = first;; r = &q->record.v[r->next]) {
		add_record(&s, r);
		if (r->next == FSI_NO_INDEX)
			return s;
	}
}

/* ---- what the scheduler's reason alone tells */

static bool is_held(const struct fsi_job *j, const struct fs_reason *r)
{
	if (j->state == FSI_STATE_REQUEUE_HOLD || j->state == FSI_STATE_SPECIAL_EXIT)
		return true;
	if (FSI_HAS(j, JOB, priority))
		return !j->priority;
	return r && r->section == FS_SECTION_HELD;
}

/* Reasons that only a change ends. */
static enum fs_verdict_cause final_cause(const struct fs_reason *r)
{
	static const char *const access[] = { "InvalidAccount", "InvalidQOS" };
	static const char *const reservation[] = { "ReservationDeleted", "ReservationInvalid" };

	if (reason_is(r, "DependencyNeverSatisfied"))
		return FS_VERDICT_CAUSE_DEPENDENCY;
	if (reason_is(r, "DeadLine"))
		return FS_VERDICT_CAUSE_CONSTRAINTS;
	if (FSI_REASON_IN(r, access))
		return FS_VERDICT_CAUSE_ACCESS;
	return FSI_REASON_IN(r, reservation) ? FS_VERDICT_CAUSE_RESERVATION : FS_VERDICT_CAUSE_NONE;
}

/* Was the job requeued into a held state: by scontrol requeuehold, whoever gave it, or by an exit code of
 * RequeueExitHold or RequeueExit? All of these hold it as its owner would, who may release it
 * (src/slurmctld/job_mgr.c: _job_requeue_op, _update_job). Where the reason names an administrator's hold, that came
 * later. */
static bool requeued(const struct fsi_job *j, const char *reason)
{
	static const char *const texts[] = { "job_requeued_in_held_state", "job requeued in held state",
					     "job_requeued_in_special_exit_state",
					     "job requeued in special exit state" };

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		if (!strcmp(reason, texts[i]))
			return true;
	return j->state == FSI_STATE_REQUEUE_HOLD || j->state == FSI_STATE_SPECIAL_EXIT;
}

static void held(const fs_snapshot *m, const struct fsi_job *j, struct fs_verdict *out)
{
	const struct fs_reason *r = out->reason;

	out->kind = FS_VERDICT_HELD;
	if (reason_is(r, "JobHeldAdmin"))
		out->cause = FS_VERDICT_CAUSE_ADMINISTRATOR;
	else if (requeued(j, fsi_str(m, j->reason)))
		out->cause = FS_VERDICT_CAUSE_REQUEUE;
	else if (reason_is(r, "JobHeldUser"))
		out->cause = FS_VERDICT_CAUSE_OWNER;
	else
		out->cause = FS_VERDICT_CAUSE_SCHEDULER;
}

/* Does it wait for a time: its own, or that of its reservation? */
static bool begins_later(const struct fs_queue *q, const struct fsi_job *j, struct fs_verdict *out)
{
	const struct fsi_reservation *res = fsi_reservation_find(q->m, j->reservation);
	const bool reserved = res && fsi_reservation_opens(q->m, res) > q->now;
	const bool over = res && fsi_reservation_closes(q->m, res) <= q->now;
	const bool timed = FSI_HAS(j, JOB, eligible_time);

	/* A job whose EligibleTime is missing may wait for its reservation, for tasks of its array or for its begin
	 * time (job_scheduler.c: job_independent): the reason says for which. */
	if (timed ? j->eligible_time > q->now : !reserved && reason_is(out->reason, "BeginTime")) {
		out->kind = FS_VERDICT_BEGIN;
		out->time = timed ? j->eligible_time : FS_UNKNOWN;
	} else if (reserved || over || (!res && reason_is(out->reason, "Reservation"))) {
		out->kind = FS_VERDICT_RESERVATION;
		out->cause = FS_VERDICT_CAUSE_RESERVATION;
		out->time = reserved ? res->start_time : FS_UNKNOWN;
	}
	return out->kind != FS_VERDICT_NONE;
}

/* Slurm sets EligibleTime to Unknown while the array is at its own limit. */
static bool array_full(const struct fs_queue *q, const struct fsi_job *j, struct fs_verdict *out)
{
	return fsi_verdict_array_full(q, j, out->reason, out) ||
	       (!FSI_HAS(j, JOB, eligible_time) && reason_is(out->reason, "JobArrayTaskLimit"));
}

/* Returns true if each partition of the job has too few nodes for its request, down and drained ones included. */
static bool no_nodes_fit(const struct fs_queue *q, const struct fsi_queue_record *first)
{
	for (const struct fsi_queue_record *r = first; fsi_verdict_misfits(q, r); r = &q->record.v[r->next])
		if (r->next == FSI_NO_INDEX)
			return true;
	return false;
}

static bool never(const struct fs_queue *q, const struct fsi_queue_record *first, const struct standing *s,
		  struct fs_verdict *out)
{
	out->cause = final_cause(out->reason);
	if (!out->cause && reason_is(out->reason, "BadConstraints") && is_held(&q->m->job.v[first->job], out->reason) &&
	    s->never < s->records && no_nodes_fit(q, first))
		out->cause = FS_VERDICT_CAUSE_CONSTRAINTS;
	if (!out->cause && s->never == s->records)
		out->cause = FS_VERDICT_CAUSE_ACCESS; /* unless a limit or an obstacle is found that says more */
	out->kind = out->cause ? FS_VERDICT_NEVER : FS_VERDICT_NONE;
	return out->cause != FS_VERDICT_CAUSE_NONE;
}

int fsi_slurm_verdict(const struct fs_queue *q, const struct fsi_queue_record *first, struct fsi_arena *arena,
		      struct fs_verdict *out)
{
	const struct fsi_job *j = &q->m->job.v[first->job];
	const struct standing s = standing_of(q, first);

	(void)arena;
	if (never(q, first, &s, out))
		return 0;
	if (is_held(j, out->reason)) {
		held(q->m, j, out);
	} else if (j->dependency || reason_is(out->reason, "Dependency")) {
		out->kind = FS_VERDICT_DEPENDENCY;
		out->cause = FS_VERDICT_CAUSE_DEPENDENCY;
	} else if (begins_later(q, j, out)) {
		return 0;
	} else if (array_full(q, j, out)) {
		out->kind = FS_VERDICT_ARRAY_LIMIT;
		out->cause = FS_VERDICT_CAUSE_ARRAY;
	} else if (s.limit && s.limit + s.never + s.shut == s.records) {
		out->kind = FS_VERDICT_LIMIT;
		out->cause = FS_VERDICT_CAUSE_POLICY; /* unless a limit is found that says more */
	} else if (s.shut && s.shut + s.never == s.records) {
		out->kind = FS_VERDICT_NODES;
		out->cause = FS_VERDICT_CAUSE_PARTITION;
	}
	return 0;
}
