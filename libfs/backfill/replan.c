/* Replans: the queue of each trial, checkpoints, and the run from a checkpoint to the job's last record. */
#include "backfill/replan.h"

#include "base/error.h"
#include "model/scheduler.h"

#include <stdlib.h>
#include <string.h>

/* A queue with its scheduling order. */

struct fsi_lined {
	fs_queue *queue;
	struct fsi_plan_line line;
};

/* ---- comparison of queues
 *
 * Records are compared by all members that a step of the cycle reads (fsi_plan_step). So two queues give the same plan
 * up to the first record that differs. */

/* Returns record i in scheduling order. */
static const struct fsi_queue_record *lined_record(const struct fsi_lined *q, size_t i)
{
	return &q->queue->record.v[q->line.at[i]];
}

/* Returns true if a step of the cycle does the same for both records. */
static bool same_record(const struct fsi_queue_record *a, const struct fsi_queue_record *b)
{
	return a->job == b->job && !memcmp(&a->priority, &b->priority, sizeof(a->priority)) &&
	       a->partition == b->partition && a->partition_name == b->partition_name && a->qos == b->qos &&
	       a->preemptor == b->preemptor && a->tasks == b->tasks && a->section == b->section && a->bar == b->bar &&
	       a->tried == b->tried && a->eligible == b->eligible;
}

/* Returns the number of records from the first on that are the same in both queues. */
static size_t lined_common(const struct fsi_lined *a, const struct fsi_lined *b)
{
	const size_t n = a->line.n < b->line.n ? a->line.n : b->line.n;
	size_t i = 0;

	while (i < n && same_record(lined_record(a, i), lined_record(b, i)) &&
	       a->line.since[i] == b->line.since[i] && a->line.magnet[i] == b->line.magnet[i])
		i++;
	return i;
}

/* Returns the number of records before the job's first one; all records if the job has none. */
static size_t lined_before(const struct fsi_lined *q, uint32_t job)
{
	size_t i = 0;

	while (i < q->line.n && lined_record(q, i)->job != job)
		i++;
	return i;
}

/* Returns the number of records up to and including the job's last one; all records if the job has none. */
static size_t lined_through(const struct fsi_lined *q, uint32_t job)
{
	size_t n = q->line.n;

	while (n && lined_record(q, n - 1)->job != job)
		n--;
	return n ? n : q->line.n;
}

/* Frees the queue and its order, and empties q. */
static void lined_free(struct fsi_lined *q)
{
	fs_queue_free(q->queue);
	fsi_plan_line_free(&q->line);
	q->queue = NULL;
}

/* ---- checkpoints
 *
 * A replan saves checkpoints on the way to the job's first record. A trial runs only from the last checkpoint before
 * the first record in which its queue differs. */

/* Number of checkpoints on the way to the job, and of checkpoints that trials leave directly before the job. */
enum { ON_THE_WAY = 16, OF_TRIALS = 4 };

/* A checkpoint. */
struct mark {
	struct fsi_plan_state state;
	size_t at; /* number of records whose steps were made */
	bool used;
};

/* The queue of a trial, and the checkpoint directly before the job. */
struct trial {
	struct fsi_lined of;
	struct mark before;
};

struct fsi_plan_kept {
	struct fs_plan *plan; /* its queue is that of the last trial; it may also be in `kept` or `trial` */
	struct fsi_backfill *bf; /* of the plan; NULL: the scheduler is simulated as a whole (not stepwise) */
	struct fs_plan_options options;
	struct fsi_lined kept; /* the queue before any trial */
	uint32_t job;
	int64_t until; /* not stepwise: planned start of the job before any trial, INT64_MAX: none */
	/* Index of the current way: whether the jobs that the cycle started hold their nodes from the beginning. */
	bool behind;
	bool behind_started; /* way[true] has its checkpoints */
	struct mark way[2][ON_THE_WAY + 2];
	struct trial trial[OF_TRIALS]; /* of way[false] */
	size_t nway[2], ntrial, bytes;
};

/* Returns true if the scheduler is planned record by record. */
static bool stepwise(const struct fsi_plan_kept *k)
{
	return k->plan->m->scheduler->plan->stepwise;
}

/* Returns the job's row in the plan. */
static const struct fsi_plan_row *job_row(const struct fsi_plan_kept *k)
{
	return &k->plan->row[k->plan->row_of[k->job] - 1];
}

/* ---- queues */

/* Returns the queue that the plan has now. */
static struct fsi_lined current(const struct fsi_plan_kept *k)
{
	return (struct fsi_lined){ k->plan->queue, k->bf ? k->bf->line : (struct fsi_plan_line){ 0 } };
}

/* Returns the number of records up to the job's last one. For a het job it returns all records, since the components
 * wait for each other wherever their records are. */
static size_t end_of_job(const struct fsi_plan_kept *k, const struct fsi_lined *q)
{
	return fsi_plan_het_job(k->plan->m, k->job) ? q->line.n : lined_through(q, k->job);
}

/* ---- runs from a checkpoint */

/* Saves the state as a checkpoint before record `at`. Returns -1 if out of memory. */
static int make_mark(struct fsi_plan_kept *k, struct mark *m, size_t at)
{
	if (m->used)
		fsi_plan_state_release(&m->state);
	m->used = false;
	if (fsi_plan_save(&m->state, k->bf))
		return -1;
	m->at = at;
	m->used = true;
	return 0;
}

/* Makes the steps of records from to to - 1. Returns -1 if out of memory. */
static int run(struct fsi_plan_kept *k, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++)
		if (fsi_plan_step(k->bf, i))
			return -1;
	return 0;
}

/* Saves a checkpoint before record `at` on the current way. Those on the way are limited by FSI_KEPT_BYTES, except the
 * first one; the one directly before the job is always made. Returns -1 if out of memory. */
static int mark_way(struct fsi_plan_kept *k, size_t at, bool before_job)
{
	const size_t bytes = fsi_plan_state_bytes(k->bf);

	if (!before_job && at && k->bytes + bytes > FSI_KEPT_BYTES)
		return 0;
	k->bytes += bytes;
	return make_mark(k, &k->way[k->behind][k->nway[k->behind]++], at);
}

/* Returns true if all tasks of the job start now, so that later records change nothing for it. A component of a het job
 * always depends on later records. */
static bool placed(const struct fsi_plan_kept *k)
{
	const struct fsi_plan_row *row = job_row(k);

	return row->array.started && row->array.started >= row->array.tasks && !fsi_plan_het_job(k->plan->m, k->job);
}

/* Returns 1 if no record of the job from i on can give it an earlier start, 0 if that is not certain, -1 if out of
 * memory. */
static int start_is_final(const struct fsi_plan_kept *k, size_t i)
{
	const struct fsi_lined q = current(k);
	const struct fsi_plan_row *row = job_row(k);
	int sure = row->start != FS_UNKNOWN && row->array.tasks == 1 && !fsi_plan_het_job(k->plan->m, k->job);

	for (; i < q.line.n && sure == 1; i++)
		if (lined_record(&q, i)->job == k->job)
			sure = fsi_plan_no_sooner(k->bf, i, row->start);
	return sure;
}

/* Makes the steps from the job's first record, `own`, to its last, or until no later one can give the job an earlier
 * start. That is checked at growing intervals: the more jobs are placed, the less is left to the job's other records.
 * Returns -1 if out of memory. */
static int place(struct fsi_plan_kept *k, size_t own)
{
	const struct fsi_lined q = current(k);
	const size_t end = end_of_job(k, &q), seldom = 8;
	size_t ask = own + 1;
	int sure = 0;

	for (size_t i = own; i < end && !placed(k) && !sure; i++) {
		if (run(k, i, i + 1))
			return -1;
		if (i + 1 < ask || i + 1 == end)
			continue;
		sure = start_is_final(k, i + 1);
		ask = i + 1 + seldom + (i - own) / seldom;
	}
	return sure < 0 ? -1 : 0;
}

/* ---- opening */

/* Simulates a scheduler that is not planned stepwise, up to k->until. Error codes of fs_plan_compute. */
static int simulate(struct fsi_plan_kept *k, struct fs_error *err)
{
	k->plan->only = k->job + 1;
	k->plan->until = k->until;
	return k->plan->m->scheduler->plan->run(k->plan, err);
}

/* Makes the first simulation, and stores the job's start. Error codes of fs_plan_compute. */
static int keep_simulation(struct fsi_plan_kept *k, struct fs_error *err)
{
	int rc;

	k->until = INT64_MAX;
	rc = simulate(k, err);
	if (!rc && k->plan->row_of[k->job] && job_row(k)->start != FS_UNKNOWN)
		k->until = job_row(k)->start;
	return rc;
}

/* Makes the first plan, with checkpoints on the way to the job. Returns -1 if out of memory. */
static int run_way(struct fsi_plan_kept *k)
{
	const size_t own = lined_before(&k->kept, k->job), every = own / ON_THE_WAY + 1;

	for (size_t i = 0; i < own; i++)
		if ((i % every == 0 && mark_way(k, i, false)) || run(k, i, i + 1))
			return -1;
	if (mark_way(k, own, true) || place(k, own))
		return -1;
	fsi_plan_het_start(k->bf);
	return 0;
}

/* Sets up the cycle and makes the first plan. Returns -1 if out of memory. */
static int set_out(struct fsi_plan_kept *k)
{
	bool ran;

	if (fsi_backfill_new(k->plan))
		return -1;
	k->bf = k->plan->backfill;
	if (fsi_plan_setup(k->bf) || fsi_plan_line_make(k->bf))
		return -1;
	k->kept.line = k->bf->line;
	return fsi_plan_decide_started(k->bf, false, &ran) || run_way(k) ? -1 : 0;
}

int fsi_plan_keep(struct fsi_plan_kept **out, const fs_snapshot *m, const struct fs_plan_options *options, uint32_t job,
		  struct fs_error *err)
{
	struct fsi_plan_kept *k = calloc(1, sizeof(*k));
	int rc;

	if (!k)
		return fsi_nomem(err);
	k->options = *options;
	k->options.queue = NULL;
	k->job = job;
	rc = fsi_plan_begin(&k->plan, m, &k->options, err);
	if (!rc && !stepwise(k)) {
		rc = keep_simulation(k, err);
	} else if (!rc) {
		k->plan->only = job + 1;
		k->kept.queue = k->plan->queue;
		rc = set_out(k) ? fsi_nomem(err) : 0;
	}
	if (!rc && !k->plan->row_of[job])
		rc = fsi_fail(err, FS_ENODATA, "%s: job %llu does not wait", m->file, (unsigned long long)m->job.v[job].id);
	if (rc) {
		fsi_plan_kept_free(k);
		return rc;
	}
	*out = k;
	return 0;
}

/* ---- trials */

/* Returns the last checkpoint that is valid for the queue q too and has at most `own` records before it, which is the
 * number of records before the job. */
static const struct mark *nearest(const struct fsi_plan_kept *k, const struct fsi_lined *q, size_t own)
{
	const size_t same = lined_common(&k->kept, q), c = same < own ? same : own;
	const struct mark *way = k->way[k->behind], *best = way;

	for (size_t i = 0; i < k->nway[k->behind]; i++)
		if (way[i].used && way[i].at <= c && way[i].at > best->at)
			best = &way[i];
	for (size_t i = 0; i < OF_TRIALS && !k->behind; i++) {
		const struct mark *m = &k->trial[i].before;

		if (m->used && m->at > best->at && m->at <= own && m->at <= lined_common(&k->trial[i].of, q))
			best = m;
	}
	return best;
}

/* Returns true if the queue belongs to the first plan or to a trial with a checkpoint. */
static bool is_kept(const struct fsi_plan_kept *k, const fs_queue *q)
{
	bool kept = q == k->kept.queue;

	for (size_t i = 0; i < OF_TRIALS; i++)
		kept = kept || q == k->trial[i].of.queue;
	return kept;
}

/* Makes q the queue of the plan. Frees the previous one unless it is stored elsewhere. */
static void take_queue(struct fsi_plan_kept *k, fs_queue *q)
{
	struct fsi_lined old = current(k);

	if (!is_kept(k, old.queue))
		lined_free(&old);
	k->plan->queue = q;
	if (k->bf)
		k->bf->line = (struct fsi_plan_line){ 0 };
}

/* Stores the queue of this trial, with a checkpoint directly before the job at record `at`: later trials with the same
 * queue start there. Returns -1 if out of memory. */
static int keep_trial(struct fsi_plan_kept *k, size_t at)
{
	struct trial *t = &k->trial[k->ntrial++ % OF_TRIALS];

	lined_free(&t->of);
	t->of = current(k);
	return make_mark(k, &t->before, at);
}

/* Plans the job with the current queue on the current way, from the nearest checkpoint. Returns -1 if out of memory. */
static int go_on(struct fsi_plan_kept *k)
{
	const struct fsi_lined q = current(k);
	const size_t own = lined_before(&q, k->job), a_few = 16;
	const struct mark *from = nearest(k, &q, own);
	const size_t at = from->at;

	if (fsi_plan_het_room(k->bf) || fsi_plan_load(k->bf, &from->state) || fsi_plan_reset_row(k->plan, k->job) ||
	    run(k, at, own) || (!k->behind && own > at + a_few && keep_trial(k, own)) || place(k, own))
		return -1;
	fsi_plan_het_start(k->bf);
	return 0;
}

/* Makes the checkpoints of way[true]: the jobs that the cycle started hold their nodes from the beginning. Leaves the
 * queue unchanged. Returns -1 if out of memory. */
static int place_behind_started(struct fsi_plan_kept *k)
{
	const struct fsi_lined now = current(k);
	const size_t own = lined_before(&k->kept, k->job), every = own / ON_THE_WAY + 1;
	int rc = 0;

	if (fsi_plan_load(k->bf, &k->way[0][0].state) || fsi_plan_start_before(k->bf, NULL))
		return -1;
	k->behind_started = true;
	k->plan->queue = k->kept.queue;
	k->bf->line = k->kept.line;
	for (size_t i = 0; i <= own && !rc; i++)
		if (((i == own || i % every == 0) && mark_way(k, i, i == own)) || (i < own && run(k, i, i + 1)))
			rc = -1;
	k->plan->queue = now.queue;
	k->bf->line = now.line;
	return rc;
}

/* Plans the job with the current queue. If the job takes what the cycle gave to jobs after it, it is planned again
 * after all jobs that the cycle started, as in a new plan (fsi_plan_decide_started). Returns -1 if out of memory. */
static int go_on_behind(struct fsi_plan_kept *k)
{
	int rc;

	k->bf->clash = false;
	if (go_on(k) || fsi_plan_start_before(k->bf, NULL))
		return -1;
	if (!k->bf->clash)
		return 0;
	k->behind = true;
	rc = (!k->behind_started && place_behind_started(k)) || go_on(k) ? -1 : 0;
	k->behind = false;
	return rc;
}

/* Simulates the changed snapshot, up to the start that the job had before any trial. Error codes of fs_plan_compute. */
static int anew(struct fsi_plan_kept *k, struct fs_error *err)
{
	struct fs_plan *p;
	int rc = fsi_plan_begin(&p, k->plan->m, &k->options, err);

	if (rc)
		return rc;
	fs_plan_free(k->plan);
	k->plan = p;
	return simulate(k, err);
}

int fsi_plan_again(struct fsi_plan_kept *k, struct fs_error *err)
{
	const struct fs_queue_options o = { .view = k->options.view };
	fs_queue *q;
	int rc;

	if (!stepwise(k))
		return anew(k, err);
	rc = fs_queue_compute(&q, k->plan->m, &o, err);
	if (rc)
		return rc;
	take_queue(k, q);
	return fsi_plan_line_make(k->bf) || go_on_behind(k) ? fsi_nomem(err) : 0;
}

const fs_plan *fsi_plan_kept_plan(const struct fsi_plan_kept *k)
{
	return k->plan;
}

size_t fsi_plan_kept_row(const struct fsi_plan_kept *k)
{
	return k->plan->row_of[k->job] - 1;
}

int64_t fsi_plan_kept_late(const struct fsi_plan_kept *k)
{
	const struct fsi_plan_row *row = job_row(k);

	if (row->start == FS_UNKNOWN || !row->longer || row->longer < row->start + FSI_PLAN_LONGER_S)
		return row->start;
	return row->longer == INT64_MAX ? FS_UNKNOWN : row->longer;
}

void fsi_plan_kept_free(struct fsi_plan_kept *k)
{
	if (!k)
		return;
	for (int b = 0; b < 2; b++)
		for (size_t i = 0; i < k->nway[b]; i++)
			if (k->way[b][i].used)
				fsi_plan_state_release(&k->way[b][i].state);
	if (k->plan) {
		take_queue(k, NULL);
		fs_plan_free(k->plan);
	}
	for (size_t i = 0; i < OF_TRIALS; i++) {
		if (k->trial[i].before.used)
			fsi_plan_state_release(&k->trial[i].before.state);
		lined_free(&k->trial[i].of);
	}
	lined_free(&k->kept);
	free(k);
}
