/* Records of Slurm's queue that something bars are found before it is sorted: limits, and partitions that cannot
 * take the job or are down (src/slurmctld/job_mgr.c: job_limits_check; src/slurmctld/acct_policy.c). */
#include "base/sort.h"
#include "queue/verdict/verdict.h"
#include "queue/reasons.h"

#include <stdlib.h>
#include <string.h>

static bool reason_is(const struct fs_reason *r, const char *name)
{
	return r && !strcmp(r->name, name);
}

/* Does the reason tell of the one partition that a job asks for what the records there do not? */
static bool refused_by_word(const struct fs_queue *q, const struct fsi_queue_record *r)
{
	static const char *const names[] = { "MaxMemPerLimit", "PartitionConfig", "QOSNotAllowed", "AccountNotAllowed" };
	const struct fs_reason *reason = fsi_queue_reason(r);
	const struct fsi_job *j = &q->m->job.v[r->job];

	if (reason_is(reason, "PartitionTimeLimit"))
		return !FSI_HAS(j, JOB, time_limit_s) || r->partition == FSI_NO_INDEX ||
		       !FSI_HAS(&q->m->partition.v[r->partition], PARTITION, max_time_s);
	return FSI_REASON_IN(reason, names);
}

/* Is it a limit on what one job may ask for? */
static bool limit_of_job(const char *limit)
{
	static const char *const names[] = { "MaxTRESPerJob", "MaxTRESPerNode", "MaxTRESMinsPerJob",
					     "MinTRESPerJob", "MaxWall" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(names[i], limit))
			return true;
	return false;
}

/* ---- before the queue is sorted: what bars records */

/* The state of a partition that the snapshot does not have is the one that the reason names. */
static bool is_shut(const struct fs_queue *q, const struct fsi_queue_record *r, bool alone)
{
	static const char *const names[] = { "PartitionDown", "PartitionInactive" };
	const char *state = r->partition == FSI_NO_INDEX
				    ? ""
				    : fsi_str(q->m, q->m->partition.v[r->partition].state);

	if (!*state)
		return alone && FSI_REASON_IN(fsi_queue_reason(r), names);
	return !strcmp(state, "DOWN") || !strcmp(state, "INACTIVE");
}

/* Does the scheduler name a limit of which it knows more: one that is not in the snapshot, on jobs that are hidden,
 * or on what the job asks for, which it rewrites? Any other one that has room by now is stale. */
static bool trusted_limit(const struct fs_queue *q, const struct fsi_bars *b)
{
	if (!b->reason || !*b->reason->limit)
		return false;
	if (fsi_bars_unknown_limit(b) || limit_of_job(b->reason->limit))
		return true;
	return fsi_hidden(q->m, "job") || fsi_hidden(q->m, "association");
}

/* Does it name a limit that the job passes with some choices of nodes only? */
static bool may_pass(const struct fsi_bars *b)
{
	for (size_t i = 0; i < b->nlimits; i++)
		if (b->limits[i].named && b->limits[i].blocks && !b->limits[i].never)
			return true;
	return false;
}

static void bar_record(struct fs_queue *q, struct fsi_queue_record *r, const struct fsi_bars *b)
{
	const struct fs_explain_choice *c = &b->choices[r->listed];
	const struct fs_reason *reason = fsi_queue_reason(r);
	const bool alone = b->nchoices == 1, trusted = alone && trusted_limit(q, b),
		   refused = alone && refused_by_word(q, r),
		   /* perhaps only while nodes are down or drained */
		   by_nodes = alone && reason_is(reason, "PartitionNodeLimit"), untried = refused || by_nodes,
		   limited = trusted && !q->limits_stop && fsi_limit_name_before_nodes(b->reason->limit);

	if (c->never || refused)
		r->bar = FSI_BAR_NEVER;
	else if (trusted && limit_of_job(b->reason->limit) && !may_pass(b))
		r->bar = FSI_BAR_NEVER;
	else if (is_shut(q, r, alone))
		r->bar = FSI_BAR_SHUT;
	else if (c->blocked || trusted || by_nodes)
		r->bar = FSI_BAR_LIMIT;
	if (c->untried || r->bar == FSI_BAR_SHUT || untried || limited) {
		r->passed_over =
			r->tried && r->bar != FSI_BAR_SHUT && !untried && (c->passed_over || (limited && !c->untried));
		r->tried = false;
	}
	if (r->bar == FSI_BAR_NEVER || (r->bar == FSI_BAR_LIMIT && !q->limits_stop))
		r->eligible = false;
	r->eligible = r->eligible && r->tried;
}

static int bar_job(struct fs_queue *q, struct fsi_queue_record *first, size_t n,
		   const struct fsi_bars_from *from)
{
	struct fsi_bars b;

	if (fsi_bars(&b, from, first->job, fsi_queue_reason(first)))
		return -1;
	for (size_t i = 0; b.nchoices && i < n; i++)
		bar_record(q, first + i, &b);
	return 0;
}

static int bar_all(struct fs_queue *q)
{
	struct fsi_arena arena = { 0 };
	struct fsi_limit_site site;
	const struct fsi_bars_from from = { .m = q->m,
					    .site = &site,
					    .viewer = &q->viewer,
					    .usage = q->usage,
					    .arena = &arena,
					    .requests = &q->verdicts->requests,
					    .billing = &q->verdicts->billing,
					    .totals = &q->verdicts->totals };
	int rc = 0;

	fsi_limit_site(&site, q->m);
	for (size_t i = 0, end; !rc && i < q->record.n; i = end) {
		for (end = i + 1; end < q->record.n && q->record.v[end].job == q->record.v[i].job;)
			end++;
		rc = bar_job(q, &q->record.v[i], end - i, &from);
		fsi_arena_reset(&arena);
	}
	fsi_arena_release(&arena);
	return rc;
}

static int note_running(struct fsi_verdicts *v, const fs_snapshot *m)
{
	v->running = malloc((m->job.n + 1) * sizeof(*v->running));
	if (!v->running)
		return -1;
	for (struct fsi_begun b = { 0 }; fsi_begun_next(m, &b);)
		if (m->job.v[b.row].array_job_id && fsi_job_holds(&m->job.v[b.row]))
			v->running[v->nrunning++] = m->job.v[b.row].array_job_id;
	if (v->nrunning)
		qsort(v->running, v->nrunning, sizeof(*v->running), fsi_rising_u64);
	return 0;
}

static int note_nodes(struct fsi_verdicts *v, const fs_snapshot *m)
{
	v->nodes = calloc(m->partition.n + 1, sizeof(*v->nodes));
	for (uint32_t i = 0; v->nodes && i < m->partition.n; i++)
		fsi_verdict_count_nodes(m, i, &v->nodes[i]);
	return v->nodes ? 0 : -1;
}

/* Counts the tasks of the array that hold resources. */
static uint64_t running_tasks(const struct fsi_verdicts *v, uint64_t array)
{
	size_t lo = 0, hi = v->nrunning, n = 0;

	while (lo < hi) {
		const size_t mid = lo + (hi - lo) / 2;

		if (v->running[mid] < array)
			lo = mid + 1;
		else
			hi = mid;
	}
	while (lo + n < v->nrunning && v->running[lo + n] == array)
		n++;
	return n;
}

bool fsi_verdict_array_full(const struct fs_queue *q, const struct fsi_job *j,
			    const struct fs_reason *reason, struct fs_verdict *out)
{
	const char *percent = strchr(fsi_str(q->m, j->array_tasks), '%');

	out->array_limit = percent ? strtoull(percent + 1, NULL, 10) : 0;
	out->array_running =
		running_tasks(q->verdicts, j->array_job_id ? j->array_job_id : j->id);
	return out->array_limit ? out->array_running >= out->array_limit
				: reason && !strcmp(reason->name, "JobArrayTaskLimit");
}

static void throttle(struct fs_queue *q)
{
	struct fs_verdict v;

	for (size_t i = 0; i < q->record.n; i++) {
		struct fsi_queue_record *r = &q->record.v[i];

		if (r->tried && fsi_verdict_array_full(q, &q->m->job.v[r->job], fsi_queue_reason(r), &v)) {
			r->tried = r->eligible = false;
			r->passed_over = true;
		}
	}
}

int fsi_slurm_bars(struct fs_queue *q)
{
	struct fsi_verdicts *v = q->verdicts;

	v->totals.m = q->m;
	if (fsi_requests_init(&v->requests, q->m, &v->kept) ||
	    fsi_billing_init(&v->billing, q->m, &v->kept) ||
	    note_running(v, q->m) ||
	    note_nodes(v, q->m))
		return -1;
	q->limits_stop = fsi_limits_stop(q->m);
	if (q->kept)
		return 0;
	if (bar_all(q))
		return -1;
	throttle(q);
	return 0;
}
