#include "base/error.h"
#include "base/memory.h"
#include "model/find.h"
#include "model/flux.h"
#include "model/scheduler.h"
#include "model/model.h"
#include "priority/flux.h"
#include "priority/priority.h"
#include "queue/queue.h"
#include "queue/verdict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- sort keys that schedulers share */

#define COMPARE_VALUES(a, b) (((a) > (b)) - ((a) < (b)))

/* Sort key: records with a higher priority first; records with an unknown priority last. */
int fsi_queue_compare_priority(const struct fs_queue *q, const struct fsi_queue_record *a,
			       const struct fsi_queue_record *b)
{
	(void)q;
	if (isnan(a->priority) || isnan(b->priority))
		return COMPARE_VALUES(isnan(a->priority), isnan(b->priority));
	return COMPARE_VALUES(b->priority, a->priority);
}

int fsi_queue_compare_submit_time(const struct fs_queue *q, const struct fsi_queue_record *a,
				  const struct fsi_queue_record *b)
{
	(void)q;
	return COMPARE_VALUES(a->submit_time, b->submit_time);
}

int fsi_queue_compare_id(const struct fs_queue *q, const struct fsi_queue_record *a, const struct fsi_queue_record *b)
{
	(void)q;
	return COMPARE_VALUES(a->sort_id, b->sort_id);
}

/* Sort key: array task number. An incorrect snapshot may have two records with the same task number; the record with
 * the lower job row then comes first. */
int fsi_queue_compare_task(const struct fs_queue *q, const struct fsi_queue_record *a, const struct fsi_queue_record *b)
{
	const int c = COMPARE_VALUES(a->task, b->task);

	(void)q;
	return c ? c : COMPARE_VALUES(a->job, b->job);
}

int fsi_queue_compare_choice(const struct fs_queue *q, const struct fsi_queue_record *a,
			     const struct fsi_queue_record *b)
{
	const int c = COMPARE_VALUES(a->choice_index, b->choice_index);

	(void)q;
	return c ? c : COMPARE_VALUES(a->job, b->job);
}

int fsi_queue_compare_table_position(const struct fs_queue *q, const struct fsi_queue_record *a,
				     const struct fsi_queue_record *b)
{
	(void)q;
	return COMPARE_VALUES(a->table_position, b->table_position);
}

/* Gives each record without a priority the priority that its job has in `p`. If q->ignores_recorded is set and `p` has
 * any known priority, does the same for all records with `tried`. Sets has[job row] to true for each job in `p`.
 * Returns -1 if out of memory. */
static int set_missing_priorities(struct fs_queue *q, const fs_prios *p, bool *has)
{
	double *of_job = malloc((q->m->job.n + 1) * sizeof(*of_job));
	bool computed = false; /* true: q->ignores_recorded is set, and `p` has at least one known priority */
	struct fs_prio_row row;

	for (size_t i = 0; of_job && i < q->m->job.n; i++)
		of_job[i] = (double)NAN;
	for (size_t i = 0; of_job && i < fs_prios_count(p); i++) {
		fs_prios_brief(p, i, &row);
		of_job[row.job_row] = row.priority;
		has[row.job_row] = true;
		computed = computed || (q->ignores_recorded && !isnan(row.priority));
	}
	for (size_t i = 0; of_job && i < q->record.n; i++) {
		struct fsi_queue_record *r = &q->record.v[i];

		if (isnan(r->priority) || (computed && r->tried))
			r->priority = of_job[r->job];
	}
	free(of_job);
	return of_job ? 0 : -1;
}

int fsi_queue_fill_priorities(struct fs_queue *q, const struct fs_queue_options *qo, bool *has, struct fs_error *err)
{
	const struct fs_prios_options o = { .view = { .algorithm = qo ? qo->view.algorithm : NULL,
						      .position = qo ? qo->view.position : FS_POSITION_POW2,
						      .usage = qo ? qo->view.usage : NULL } };
	fs_prios *own = NULL;
	int rc = q->prios ? 0 : fs_prios_compute(&own, q->m, &o, err);

	if (!rc && set_missing_priorities(q, q->prios ? q->prios : own, has))
		rc = fsi_fail_no_memory(err);
	fs_prios_free(own);
	return rc;
}

enum fs_queue_key fsi_queue_find_deciding_key(const struct fs_queue *q, const struct fsi_queue_record *a,
					      const struct fsi_queue_record *b, int *c)
{
	for (size_t i = 0; i < q->scheduler->nkeys; i++) {
		*c = q->scheduler->keys[i].compare(q, a, b);
		if (*c)
			return q->scheduler->keys[i].key;
	}
	*c = 0;
	return FS_QUEUE_KEY_NONE;
}

/* Moves the record at index from[i] to index i, for every i. Returns -1 if out of memory. */
static int permute_queue_records(struct fs_queue *q, const uint32_t *from)
{
	struct fsi_queue_record *v = malloc((q->record.n + 1) * sizeof(*v));

	if (!v)
		return -1;
	for (size_t i = 0; i < q->record.n; i++)
		v[i] = q->record.v[from[i]];
	free(q->record.v);
	q->record.v = v;
	q->record.cap = q->record.n;
	return 0;
}

/* Sort order of records: records with `tried` come first. The scheduler's keys decide between two records with `tried`,
 * and between two records without it. `ctx`: the queue. */
static int compare_by_scheduler_keys(const void *x, const void *y, const void *ctx)
{
	const struct fsi_queue_record *a = x, *b = y;
	int c;

	if (a->tried != b->tried)
		return a->tried ? -1 : 1;
	fsi_queue_find_deciding_key(ctx, a, b, &c);
	return c;
}

/* ---- sorting with preemption or het jobs: some keys depend on both compared records. Such keys give no consistent
 * order: the result depends on the sort algorithm. The following functions repeat the sort of Slurm's controller. */

/* The order of the jobs in the controller's job list. */
struct job_list_order {
	const struct fs_queue *q;
	uint64_t *sort_key; /* indexed by job row: sort key of the job (fs_jobs_list_order) */
};

/* Compares two records, given by their indices. Sorts by the position of their jobs in the controller's job list, then
 * by their index among the records of the job. */
static int compare_list_positions(const void *x, const void *y, const void *ctx)
{
	const struct job_list_order *l = ctx;
	const struct fsi_queue_record *a = &l->q->record.v[*(const uint32_t *)x],
				      *b = &l->q->record.v[*(const uint32_t *)y];
	const uint64_t p = l->sort_key[a->job], r = l->sort_key[b->job];

	return p != r ? (p > r) - (p < r) : (a->choice_index > b->choice_index) - (a->choice_index < b->choice_index);
}

/* Bit that marks an additional queue entry of a record. The controller adds such an entry directly before each record
 * of a job with --prefer (src/slurmctld/job_scheduler.c: job_queue_append_internal). The bit is set in the record index
 * of the entry. */
enum { PREFERENCE_BIT = 1u << 31 };

/* Sorts n record indices as the merge sort of the C library does (stdlib/msort.c). Makes the same comparisons in the
 * same order, because the result depends on them if the keys give no consistent order. `tmp`: scratch memory for n
 * indices. */
static void merge_sort_indices(const struct fs_queue *q, uint32_t *v, uint32_t *tmp, size_t n)
{
	const size_t half = n / 2;
	size_t a = 0, b = half, out = 0;
	int c;

	if (n < 2)
		return;
	merge_sort_indices(q, v, tmp, half);
	merge_sort_indices(q, v + half, tmp, n - half);
	while (a < half && b < n) {
		fsi_queue_find_deciding_key(q, &q->record.v[v[a] & ~PREFERENCE_BIT],
					    &q->record.v[v[b] & ~PREFERENCE_BIT], &c);
		tmp[out++] = c <= 0 ? v[a++] : v[b++];
	}
	while (a < half)
		tmp[out++] = v[a++];
	memcpy(v, tmp, out * sizeof(*v));
}

/* Copies record indices from `from` (n indices) to `to`. Leaves out records that are not in the scheduler's queue. A
 * record of a job with --prefer is in that queue twice; the index of its additional entry has PREFERENCE_BIT. Returns
 * the number of indices in `to`. */
static size_t copy_queued_indices(const struct fs_queue *q, const uint32_t *from, size_t n, uint32_t *to)
{
	size_t out = 0;

	for (size_t i = 0; i < n; i++) {
		const struct fsi_queue_record *r = &q->record.v[from[i]];

		if (!r->tried && !r->passed_over)
			continue;
		if (fsi_job_ext(q->m, &q->m->job.v[r->job])->prefer)
			to[out++] = from[i] | PREFERENCE_BIT;
		to[out++] = from[i];
	}
	return out;
}

/* Copies record indices from `from` (n indices) to `to`. Leaves out records whose member `tried` differs from the
 * argument `tried`, and indices with PREFERENCE_BIT. Returns the number of indices in `to`. */
static size_t copy_indices_by_tried(const struct fs_queue *q, const uint32_t *from, size_t n, bool tried, uint32_t *to)
{
	size_t out = 0;

	for (size_t i = 0; i < n; i++)
		if (!(from[i] & PREFERENCE_BIT) && q->record.v[from[i]].tried == tried)
			to[out++] = from[i];
	return out;
}

/* Sets `sorted` to the record indices in sorted order: first the records that the scheduler tries (member `tried`), in
 * the order of the scheduler's queue, then all other records. The scheduler's queue also contains the records that it
 * passes over (member `passed_over`). The records with `tried` or `passed_over` are therefore sorted together. `table`:
 * all n record indices in the order of the controller's job list. `queue`, `tmp`: scratch memory for 2n indices
 * each. */
static void sort_record_indices(const struct fs_queue *q, const uint32_t *table, uint32_t *sorted, uint32_t *queue,
				uint32_t *tmp, size_t n)
{
	const size_t queued = copy_queued_indices(q, table, n, queue);
	size_t tried;

	merge_sort_indices(q, queue, tmp, queued);
	tried = copy_indices_by_tried(q, queue, queued, true, sorted);
	merge_sort_indices(q, sorted + tried, tmp, copy_indices_by_tried(q, table, n, false, sorted + tried));
}

/* Sorts q->record as Slurm's controller does. Returns -1 if out of memory. */
static int sort_queue_as_slurm(struct fs_queue *q)
{
	const size_t n = q->record.n;
	uint32_t *v = malloc((n + 1) * sizeof(*v)), *sorted = malloc((n + 1) * sizeof(*sorted)),
		 *queue = malloc((2 * n + 1) * sizeof(*queue)), *tmp = malloc((2 * n + 1) * sizeof(*tmp));
	const struct job_list_order list = { q, malloc((q->m->job.n + 1) * sizeof(*list.sort_key)) };
	int rc = v && sorted && queue && tmp && list.sort_key ? fs_jobs_list_order(q->m, list.sort_key) : -1;

	for (uint32_t i = 0; !rc && i < n; i++)
		v[i] = i;
	if (!rc)
		rc = fs_sort(v, n, sizeof(*v), compare_list_positions, &list) ? -1 : 0;
	if (!rc) {
		sort_record_indices(q, v, sorted, queue, tmp, n);
		rc = permute_queue_records(q, sorted);
	}
	free(list.sort_key);
	free(v);
	free(sorted);
	free(queue);
	free(tmp);
	return rc;
}

int fsi_queue_sort_records(struct fs_queue *q)
{
	if (q->preemption_rules || q->het_jobs.n)
		return sort_queue_as_slurm(q);
	return fs_sort(q->record.v, q->record.n, sizeof(*q->record.v), compare_by_scheduler_keys, q) ? -1 : 0;
}

/* ---- records of jobs, and the sort key that decides between two records */

/* Returns the key that decides the order of records `a` and `b`. Returns CIRCLE if that key contradicts the order of
 * the two records in the sorted queue. */
static enum fs_queue_key find_key_between(const struct fs_queue *q, size_t a, size_t b)
{
	int c;
	const enum fs_queue_key key = fsi_queue_find_deciding_key(q, &q->record.v[a], &q->record.v[b], &c);

	return c && (c > 0) != (a > b) ? FS_QUEUE_KEY_CIRCLE : key;
}

static bool is_waiting_job(const struct fsi_job *j)
{
	return j->state == FSI_STATE_PENDING || j->state == FSI_STATE_REQUEUED || j->state == FSI_STATE_REQUEUE_HOLD ||
	       j->state == FSI_STATE_SPECIAL_EXIT;
}

/* A cache that maps each recorded reason text to the reason (struct fs_reason) that the text names. Most jobs share a
 * few texts. */
struct reason_cache {
	struct {
		uint32_t text; /* name id of the recorded reason text */
		/* reason that the recorded text names; NULL: the text names no known reason, or the slot is empty */
		const struct fs_reason *reason;
	} slot[64];
};

static const struct fs_reason *find_cached_reason(struct reason_cache *k, const fs_snapshot *m, uint32_t text)
{
	const size_t at = text % (sizeof(k->slot) / sizeof(*k->slot));

	if (k->slot[at].text != text || !k->slot[at].reason) {
		k->slot[at].text = text;
		k->slot[at].reason = fs_reason_find(fsi_name_text(m, text));
	}
	return k->slot[at].reason;
}

enum { MAX_SORTED_QOS = 64 };

/* Sorts the n QOS of a job by priority, highest first. This is the order of slurmctld's list of QOS and of its queue
 * records. Returns `qos` itself if n is less than 2 or more than MAX_SORTED_QOS. Otherwise fills `v` and returns
 * `v`. */
static const uint32_t *sort_qos_by_priority(const fs_snapshot *m, const uint32_t *qos, size_t n, uint32_t *v)
{
	if (n < 2 || n > MAX_SORTED_QOS)
		return qos;
	for (size_t i = 0; i < n; i++) {
		size_t k = i;

		for (; k && fsi_qos_priority(m, v[k - 1]) < fsi_qos_priority(m, qos[i]); k--)
			v[k] = v[k - 1];
		v[k] = qos[i];
	}
	return v;
}

/* Returns true if the job has several partitions, and it is unknown to which of them the job's recorded priority
 * belongs. A pasted squeue output shows only one priority of a job. */
static bool is_priority_ambiguous(const fs_snapshot *m, const struct fsi_job *j)
{
	size_t parts;

	fsi_list_items(m, j->partitions, &parts);
	return parts > 1 && fsi_is_type_hidden(m, FSI_HIDDEN_JOB_FIELDS);
}

/* Appends a record for each pair of a partition and a QOS that job `i` names. If the job names no partition, its
 * records have no partition; if it names no QOS, they have no QOS. Returns -1 if out of memory. */
static int add_job_records(struct fs_queue *q, struct reason_cache *known, uint32_t i)
{
	static const uint32_t none[1] = { 0 };
	const fs_snapshot *m = q->m;
	const struct fsi_job *j = &m->job.v[i];
	size_t parts, qoses;
	const uint32_t *part = fsi_list_items(m, j->partitions, &parts);
	uint32_t sorted[MAX_SORTED_QOS];
	const uint32_t *requested = fsi_list_items(m, j->qos, &qoses);
	const uint32_t *qos = sort_qos_by_priority(m, requested, qoses, sorted);
	const bool task = FSI_HAS(j, JOB, array_task_id);
	struct fsi_queue_record r = {
		.priority = FSI_HAS(j, JOB, priority) && !is_priority_ambiguous(m, j) ? j->priority : (double)NAN,
		.sort_id = task && j->array_job_id ? j->array_job_id : j->id,
		.submit_time = FSI_HAS(j, JOB, submit_time) ? j->submit_time : INT64_MAX,
		.job = i,
		.task = task ? j->array_task_id : UINT32_MAX,
		.table_position = FSI_HAS(j, JOB, position) ? fsi_job_ext(m, j)->position : UINT32_MAX,
		.priority_set = FSI_HAS(j, JOB, priority_set) && j->priority_set,
		.rank.before = FS_NO_ROW,
	};

	const struct fs_reason *reason = find_cached_reason(known, m, j->reason);

	r.reason_number = fsi_reason_to_number(reason);
	r.section = (uint8_t)fsi_job_get_section(m, j, reason);
	r.tasks.n = fs_job_tasks(m, i, &r.tasks.exact);
	for (size_t a = 0; a < (parts ? parts : 1); a++)
		for (size_t b = 0; b < (qoses ? qoses : 1); b++) {
			const uint32_t name = parts ? part[a] : none[0];
			const struct fsi_partition *p = fsi_partition_find(m, name);

			if (FSI_VEC_RESERVE(&q->record))
				return -1;
			r.partition_name = name;
			r.partition = fsi_partition_row(m, p);
			r.qos = qoses ? qos[b] : none[0];
			if (q->scheduler->fill_record)
				q->scheduler->fill_record(q, &r);
			q->record.v[q->record.n++] = r;
			r.choice_index++;
		}
	return 0;
}

/* Appends the records of all pending jobs to q->record. Returns -1 if out of memory. */
static int add_pending_jobs(struct fs_queue *q)
{
	struct reason_cache known = { 0 };

	q->record.v = malloc((q->m->job.n + 1) * sizeof(*q->record.v));
	if (!q->record.v)
		return -1;
	q->record.cap = q->m->job.n + 1;
	for (uint32_t i = 0; i < q->m->job.n; i++)
		if (is_waiting_job(&q->m->job.v[i]) && add_job_records(q, &known, i))
			return -1;
	return 0;
}

/* ---- positions */

/* Progress in numbering the records of one partition, which are numbered in sorted order. */
struct partition_progress {
	/* `record`: index of the partition's last eligible record so far; `position`: position of that record, 0: there
	 * is no eligible record yet */
	uint32_t record, position;
	/* number of jobs (sum of tasks.n) that the partition's eligible records so far represent */
	uint64_t tasks;
};

/* Allocates q->first_record and q->order_end with empty entries. Returns -1 if out of memory. */
static int allocate_record_tables(struct fs_queue *q)
{
	q->first_record = malloc((q->m->job.n + 1) * sizeof(*q->first_record));
	q->order_end = calloc((size_t)q->m->names.count + 1, sizeof(*q->order_end));
	if (!q->first_record || !q->order_end)
		return -1;
	for (size_t i = 0; i < q->m->job.n; i++)
		q->first_record[i] = FSI_NO_INDEX;
	return 0;
}

/* Sets q->first_record and q->order_end, and links the records of each job in sorted order. Returns -1 if out of
 * memory. */
static int index_all_records(struct fs_queue *q)
{
	if (allocate_record_tables(q))
		return -1;
	for (size_t i = q->record.n; i-- > 0;)
		q->record.v[i].next_of_job = fsi_queue_index_record(q, (uint32_t)i);
	return 0;
}

/* Sets `rank` and tasks.ahead of each record that the scheduler tries (member `tried`). rank.overall counts jobs, so
 * only one record of each job has this position: the first eligible record, or the first record if none is eligible. A
 * record that is tried but not eligible gets the position that it would have if it were eligible. Such a record does
 * not count in the positions of later records. Returns -1 if out of memory. */
static int number_queue_records(struct fs_queue *q)
{
	const size_t parts = q->m->names.count;
	struct partition_progress *progress = calloc(parts + 1, sizeof(*progress));
	bool *seen = calloc(q->m->job.n + 1, sizeof(*seen)), *has_eligible = calloc(q->m->job.n + 1, 1);
	uint32_t position = 0, last = FS_NO_ROW;

	for (size_t i = 0; has_eligible && i < q->record.n; i++)
		has_eligible[q->record.v[i].job] |= q->record.v[i].eligible;

	for (uint32_t i = 0; progress && seen && has_eligible && i < q->record.n; i++) {
		struct fsi_queue_record *r = &q->record.v[i];
		struct partition_progress *t = &progress[r->partition_name];

		if (!r->tried)
			break;
		if (last != FS_NO_ROW)
			r->rank.key = (uint8_t)find_key_between(q, last, i);
		if (t->position)
			r->rank.before = t->record;
		if (t->position)
			r->rank.partition_key = (uint8_t)find_key_between(q, t->record, i);
		r->tasks.ahead = t->tasks;
		if (!seen[r->job] && r->eligible == has_eligible[r->job])
			r->rank.overall = position + 1;
		seen[r->job] = seen[r->job] || r->rank.overall;
		r->rank.in_partition = t->position + 1;
		if (!r->eligible)
			continue;
		position += r->rank.overall != 0;
		last = i;
		*t = (struct partition_progress){ i, t->position + 1, t->tasks + r->tasks.n };
	}
	free(progress);
	free(seen);
	free(has_eligible);
	return progress && seen && has_eligible ? 0 : -1;
}

/* Sets q->usage. Sets q->now to the time of the usage; if `usage` is NULL, to the time of the snapshot. */
static void set_queue_time(struct fs_queue *q, const fs_usage *usage)
{
	struct fs_usage_info info;

	q->usage = usage;
	q->now = q->m->info.time;
	if (usage) {
		fs_usage_info(usage, &info);
		q->now = info.at;
	}
}

/* Prepares, sorts and numbers the records of the queue. q->prios is set only during this call, because the caller of
 * fs_queue_compute owns the priorities in `o` and may free them afterwards. Returns the error codes of
 * fs_queue_compute. */
static int order_queue_records(struct fs_queue *q, const struct fs_queue_options *o, struct fs_error *err)
{
	int rc;

	q->prios = o->prios;
	rc = q->scheduler->prepare(q, o, err);
	if (!rc && (fsi_queue_sort_records(q) || number_queue_records(q) || index_all_records(q)))
		rc = fsi_fail_no_memory(err);
	q->prios = NULL;
	return rc;
}

/* ---- public functions */

int fs_queue_compute(fs_queue **out, const fs_snapshot *m, const struct fs_queue_options *options, struct fs_error *err)
{
	return fsi_queue_compute_planned(out, m, options, NULL, err);
}

int fsi_queue_compute_planned(fs_queue **out, const fs_snapshot *m, const struct fs_queue_options *options,
			      const void *planner_state, struct fs_error *err)
{
	struct fs_queue *q = calloc(1, sizeof(*q));
	struct fs_queue_options o;
	int rc = 0;

	if (!q)
		return fsi_fail_no_memory(err);
	q->m = m;
	q->planner_state = planner_state;
	q->scheduler = m->scheduler->queue;
	FSI_OPTIONS(o, options);
	set_queue_time(q, o.view.usage);
	q->ignores_recorded = fs_view_differs(&o.view);
	fsi_viewer_init(&q->viewer, m, o.view.viewer);
	if (!q->scheduler)
		rc = fsi_fail_with_code(err, FS_ENODATA, "%s: cannot order the queue: scheduler \"%s\" is not modelled",
					m->file, m->info.scheduler);
	if (!rc && (add_pending_jobs(q) || fsi_verdict_prepare_facts(q)))
		rc = fsi_fail_no_memory(err);
	if (!rc)
		rc = order_queue_records(q, &o, err);
	if (rc)
		fs_queue_free(q);
	else
		*out = q;
	return rc;
}

void fs_queue_free(fs_queue *q)
{
	if (!q)
		return;
	FSI_VEC_FREE(&q->record);
	fsi_verdict_release_facts(q);
	if (q->scheduler && q->scheduler->release)
		q->scheduler->release(q);
	free(q->first_record);
	free(q->order_end);
	free(q->preemption_rules);
	FSI_VEC_FREE(&q->het_jobs);
	free(q);
}

size_t fs_queue_count(const fs_queue *q)
{
	return q ? q->record.n : 0;
}

bool fs_queue_row(const fs_queue *q, size_t i, struct fs_queue_row *out)
{
	const struct fsi_queue_record *r;
	const struct fsi_job *j;

	if (i >= fs_queue_count(q))
		return false;
	r = &q->record.v[i];
	j = &q->m->job.v[r->job];
	*out = (struct fs_queue_row){
		.job = j->id,
		.job_row = r->job,
		.partition = fsi_name_text(q->m, r->partition_name),
		.qos = fsi_name_text(q->m, r->qos),
		.user = fsi_name_text(q->m, j->user),
		.account = fsi_name_text(q->m, j->account),
		.section = (enum fs_section)r->section,
		.reason = fsi_queue_get_reason(r),
		.position = r->rank.overall,
		.partition_position = r->rank.in_partition,
		.key = (enum fs_queue_key)r->rank.key,
		.partition_key = (enum fs_queue_key)r->rank.partition_key,
		.tier = r->tier,
		.priority = r->priority,
		.tasks = r->tasks.n,
		.partition_tasks_ahead = r->tasks.ahead,
		.tasks_exact = r->tasks.exact,
		.eligible = r->eligible,
		.visible = fsi_viewer_may_see_job(&q->viewer, j),
	};
	return true;
}

bool fs_queue_place(const fs_queue *q, size_t i, struct fs_queue_place *out)
{
	const struct fsi_queue_record *r;

	if (i >= fs_queue_count(q))
		return false;
	r = &q->record.v[i];
	*out = (struct fs_queue_place){
		.job_row = r->job,
		.partition = fsi_name_text(q->m, r->partition_name),
		.position = r->rank.overall,
		.before = r->rank.before,
		.tier = r->tier,
		.priority = r->priority,
		.eligible = r->eligible,
		.visible = fsi_viewer_may_see_job(&q->viewer, &q->m->job.v[r->job]),
		.direct = r->priority_set,
	};
	return true;
}

enum fs_queue_key fs_queue_deciding_key(const fs_queue *q, size_t a, size_t b)
{
	return a < fs_queue_count(q) && b < fs_queue_count(q) ? find_key_between(q, a, b) : FS_QUEUE_KEY_NONE;
}

bool fs_queue_has_single_order(const fs_queue *q)
{
	return q && q->m->scheduler->has_single_order;
}

enum fs_queue_key fs_queue_order(const fs_queue *q, size_t i)
{
	return q && i < q->scheduler->nkeys ? q->scheduler->keys[i].key : FS_QUEUE_KEY_NONE;
}

#define KEY_NAME(tag, name, text) name,
#define KEY_TEXT(tag, name, text) text,
static const char *const key_names[] = { FS_QUEUE_KEYS(KEY_NAME) };
static const char *const key_texts[] = { FS_QUEUE_KEYS(KEY_TEXT) };

const char *fs_queue_key_name(enum fs_queue_key key)
{
	return key_names[key];
}

const char *fs_queue_key_text(enum fs_queue_key key)
{
	return key_texts[key];
}

/* ---- het jobs of Slurm
 *
 * With bf_hetjob_prio, the components of a het job are adjacent in the queue. When a component is compared with other
 * jobs, combined values are used: the minimum, maximum or mean of the tiers and priorities of all components in all
 * their partitions. Each component counts as a job with a reservation if any component has a reservation
 * (src/plugins/sched/backfill/backfill.c: _set_hetjob_details; src/slurmctld/job_scheduler.c: sort_job_queue2). */

/* How the tiers and priorities of the components of a het job are combined. HET_OWN: they are not combined. */
enum het_priority_rule { HET_OWN, HET_MIN, HET_MAX, HET_AVG };

/* Returns the rule for combining priorities that bf_hetjob_prio sets. If bf_hetjob_prio is not set, the rule is HET_MIN
 * with bf_hetjob_immediate, else HET_OWN. */
static enum het_priority_rule get_het_priority_rule(const fs_snapshot *m)
{
	static const char name[] = "bf_hetjob_prio=", *const words[] = {
		[HET_MIN] = "min", [HET_MAX] = "max", [HET_AVG] = "avg"
	};
	const char *s = fsi_slurm_find_sched_parameter(m, name);

	for (enum het_priority_rule i = HET_MIN; s && i <= HET_AVG; i++)
		if (!strncasecmp(s + strlen(name), words[i], strlen(words[i])))
			return i;
	return fsi_slurm_find_sched_parameter(m, "bf_hetjob_immediate") ? HET_MIN : HET_OWN;
}

/* Returns the id of the het job to which the record's job belongs; 0: none. */
static uint64_t get_het_job_id(const struct fs_queue *q, const struct fsi_queue_record *r)
{
	return fsi_job_ext(q->m, &q->m->job.v[r->job])->het_job_id;
}

static int compare_het_job_ids(const void *x, const void *y, const void *ctx)
{
	const struct fsi_queue_het_job *a = x, *b = y;

	(void)ctx;
	return (a->id > b->id) - (a->id < b->id);
}

/* Returns the minimum or maximum of `all` and `one`. For HET_AVG, returns their sum; the caller then divides by the
 * number of values. Returns NAN if `all` or `one` is NAN. */
static double combine_het_values(enum het_priority_rule how, double all, double one)
{
	if (how == HET_AVG || isnan(all) || isnan(one))
		return all + one;
	return (how == HET_MIN) == (one < all) ? one : all;
}

/* Combines the tier and priority of *h with those of `one`, another record of the het job, by the rule `how`: minimum,
 * maximum, or sum (for a mean). Sets h->has_reservation if the record `one` has a reservation. */
static void combine_het_jobs(struct fsi_queue_het_job *h, enum het_priority_rule how,
			     const struct fsi_queue_het_job *one)
{
	h->tier = combine_het_values(how, h->tier, one->tier);
	h->priority = combine_het_values(how, h->priority, one->priority);
	h->has_reservation |= one->has_reservation;
	h->record_count++;
}

/* Sets q->het_jobs to one element for each record that belongs to a het job, sorted by the id of the het job. Returns
 * -1 if out of memory. */
static int collect_het_records(struct fs_queue *q)
{
	for (size_t i = 0; i < q->record.n; i++) {
		const struct fsi_queue_record *r = &q->record.v[i];
		struct fsi_queue_het_job *h = get_het_job_id(q, r) ? FSI_VEC_ADD(&q->het_jobs) : NULL;

		if (h)
			*h = (struct fsi_queue_het_job){ get_het_job_id(q, r), r->tier, r->priority, r->has_reservation,
							 1 };
		else if (get_het_job_id(q, r))
			return -1;
	}
	return fs_sort(q->het_jobs.v, q->het_jobs.n, sizeof(*q->het_jobs.v), compare_het_job_ids, NULL);
}

/* Sets q->het_jobs to one element for each het job. The priorities of the records must be set already. Returns -1 if
 * out of memory. */
static int fill_het_jobs(struct fs_queue *q)
{
	const enum het_priority_rule how = get_het_priority_rule(q->m);
	size_t n = 0;

	if (!how)
		return 0;
	if (collect_het_records(q))
		return -1;
	for (size_t i = 0; i < q->het_jobs.n; i++)
		if (n && q->het_jobs.v[n - 1].id == q->het_jobs.v[i].id)
			combine_het_jobs(&q->het_jobs.v[n - 1], how, &q->het_jobs.v[i]);
		else
			q->het_jobs.v[n++] = q->het_jobs.v[i];
	q->het_jobs.n = n;
	for (size_t i = 0; how == HET_AVG && i < n; i++) {
		q->het_jobs.v[i].tier = floor(q->het_jobs.v[i].tier / q->het_jobs.v[i].record_count);
		q->het_jobs.v[i].priority = floor(q->het_jobs.v[i].priority / q->het_jobs.v[i].record_count);
	}
	return 0;
}

/* Returns the combined values of the het job of record r, if they are used to compare r with `other`. Returns NULL if r
 * is compared by its own values: r belongs to no het job, or `other` belongs to the same het job. */
static const struct fsi_queue_het_job *find_compared_het_job(const struct fs_queue *q, const struct fsi_queue_record *r,
							     const struct fsi_queue_record *other)
{
	const uint64_t id = q->het_jobs.n ? get_het_job_id(q, r) : 0;
	size_t lo = 0, hi = q->het_jobs.n;

	if (!id || id == get_het_job_id(q, other))
		return NULL;
	while (lo < hi) {
		const size_t mid = lo + (hi - lo) / 2;

		if (q->het_jobs.v[mid].id < id)
			lo = mid + 1;
		else
			hi = mid;
	}
	return &q->het_jobs.v[lo];
}

/* ---- Slurm's queue (src/slurmctld/job_scheduler.c: build_job_queue, sort_job_queue2)
 *
 * A pending job is eligible if it is not held, its begin time has passed, its dependencies are satisfied, its
 * reservation is active and its partition accepts it (_job_runnable_test1, _job_runnable_test2, job_independent,
 * job_limits_check).
 *
 * Sort keys, most significant first: may preempt the other job, has a reservation, PriorityTier, priority, submit time,
 * job id, task id, index among the records of the job. */

static int compare_by_preemption(const struct fs_queue *q, const struct fsi_queue_record *a,
				 const struct fsi_queue_record *b)
{
	return fsi_queue_may_preempt(q, b, a) - fsi_queue_may_preempt(q, a, b);
}

static int compare_by_reservation(const struct fs_queue *q, const struct fsi_queue_record *a,
				  const struct fsi_queue_record *b)
{
	const struct fsi_queue_het_job *x = find_compared_het_job(q, a, b), *y = find_compared_het_job(q, b, a);

	return COMPARE_VALUES(y ? y->has_reservation : b->has_reservation, x ? x->has_reservation : a->has_reservation);
}

static int compare_by_tier(const struct fs_queue *q, const struct fsi_queue_record *a, const struct fsi_queue_record *b)
{
	const struct fsi_queue_het_job *x = find_compared_het_job(q, a, b), *y = find_compared_het_job(q, b, a);

	return COMPARE_VALUES(y ? y->tier : b->tier, x ? x->tier : a->tier);
}

static int compare_by_priority(const struct fs_queue *q, const struct fsi_queue_record *a,
			       const struct fsi_queue_record *b)
{
	const struct fsi_queue_het_job *x = find_compared_het_job(q, a, b), *y = find_compared_het_job(q, b, a);
	const struct fsi_queue_record first = { .priority = x ? x->priority : a->priority },
				      second = { .priority = y ? y->priority : b->priority };

	return fsi_queue_compare_priority(q, &first, &second);
}

static const struct fsi_queue_key slurm_keys[] = {
	{ FS_QUEUE_KEY_PREEMPTION, compare_by_preemption },
	{ FS_QUEUE_KEY_RESERVATION, compare_by_reservation },
	{ FS_QUEUE_KEY_TIER, compare_by_tier },
	{ FS_QUEUE_KEY_PRIORITY, compare_by_priority },
	{ FS_QUEUE_KEY_SUBMIT, fsi_queue_compare_submit_time },
	{ FS_QUEUE_KEY_JOBID, fsi_queue_compare_id },
	{ FS_QUEUE_KEY_TASK, fsi_queue_compare_task },
	{ FS_QUEUE_KEY_LISTED, fsi_queue_compare_choice },
};

/* Returns true if the job may start in its reservation now, or if the snapshot does not have the job's reservation. */
static bool is_reservation_usable(const struct fs_queue *q, const struct fsi_job *j)
{
	const struct fsi_reservation *r = fsi_reservation_find(q->m, j->reservation);

	return !r || (fsi_reservation_opening_time(q->m, r) <= q->now &&
		      fsi_reservation_closing_time(q->m, r) > q->now && !fsi_reservation_excludes_job(q->m, r, j));
}

/* Returns true if the recorded reason means that the scheduler does not try the job in any partition, and no other
 * field of the job shows this. */
static bool is_job_wide_reason(const struct fs_reason *r)
{
	const enum fs_verdict_kind kind = fsi_reason_verdict(r);

	return kind == FS_VERDICT_DEPENDENCY || kind == FS_VERDICT_NEVER ||
	       (r && r->section == FS_SECTION_TRANSIENT && !r->eligible);
}

/* Returns false if the scheduler does not try the job in any partition. Causes that block the job only in one partition
 * or with one QOS are determined later (libfs/queue/verdict.c). */
static bool is_job_tried(const struct fs_queue *q, const struct fsi_queue_record *r)
{
	const struct fsi_job *j = &q->m->job.v[r->job];
	const struct fs_reason *reason = fsi_queue_get_reason(r);

	if (j->state == FSI_STATE_REQUEUE_HOLD || j->state == FSI_STATE_SPECIAL_EXIT)
		return false;
	if (is_job_wide_reason(reason))
		return false;
	if (!FSI_HAS(j, JOB, priority) && reason && reason->section == FS_SECTION_HELD)
		return false;
	if (FSI_HAS(j, JOB, priority) && !j->priority)
		return false;
	if (!fsi_slurm_job_may_begin(q->m, j, q->now))
		return false;
	return !j->dependency && (!j->reservation || is_reservation_usable(q, j));
}

/* ---- priorities of Slurm's records. The records of a job with one partition have the job's own priority. Other
 * records have the priority that sprio printed for their partition and QOS or, if sprio printed none, a computed
 * priority. */

/* Returns true if any record needs a computed priority. */
static bool needs_computed_priorities(const struct fs_queue *q)
{
	for (size_t i = 0; i < q->record.n; i++) {
		const struct fsi_queue_record *r = &q->record.v[i];

		if (r->tried &&
		    (q->ignores_recorded || isnan(r->priority) || (r->choice_index && !r->priority_printed)))
			return true;
	}
	return false;
}

/* Returns true if the record is sorted by the job's own priority. The job's own priority is used if the job has at most
 * one partition, even if it has several QOS (sort_job_queue2 tests part_ptr_list). The job's own priority was computed
 * with the QOS with which the job was last tried. */
static bool is_sorted_by_job_priority(const struct fs_queue *q, const struct fsi_queue_record *r)
{
	size_t parts;

	fsi_list_items(q->m, q->m->job.v[r->job].partitions, &parts);
	return parts < 2;
}

static uint64_t get_recorded_job(const fs_snapshot *m, uint32_t row)
{
	return m->recorded.v[row].job;
}

static int compare_recorded_jobs(const void *x, const void *y, const void *ctx)
{
	const uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
	const int c = COMPARE_VALUES(get_recorded_job(ctx, a), get_recorded_job(ctx, b));

	return c ? c : COMPARE_VALUES(a, b);
}

/* Returns the indices of the rows of m->recorded that contain the priority of a job in a partition. The indices are
 * sorted by job. Sets *n to the number of indices. Returns NULL if out of memory. */
static uint32_t *list_recorded_priorities(const fs_snapshot *m, size_t *n)
{
	uint32_t *rows = malloc((m->recorded.n + 1) * sizeof(*rows));

	*n = 0;
	for (uint32_t i = 0; rows && i < m->recorded.n; i++) {
		const struct fsi_recorded *r = &m->recorded.v[i];

		if (FSI_HAS(r, RECORDED, job) && r->partition && FSI_HAS(r, RECORDED, priority))
			rows[(*n)++] = i;
	}
	if (rows && fs_sort(rows, *n, sizeof(*rows), compare_recorded_jobs, m)) {
		free(rows);
		return NULL;
	}
	return rows;
}

/* Sets the priority of the record to the priority that sprio printed for its partition and QOS, if any. `rows`: n rows
 * of m->recorded, sorted by job. */
static void set_recorded_priority(const fs_snapshot *m, const uint32_t *rows, size_t n, struct fsi_queue_record *r)
{
	const uint64_t job = m->job.v[r->job].id;
	size_t lo = 0, hi = n;

	while (lo < hi) {
		const size_t mid = lo + (hi - lo) / 2;

		if (get_recorded_job(m, rows[mid]) < job)
			lo = mid + 1;
		else
			hi = mid;
	}
	for (; lo < n && get_recorded_job(m, rows[lo]) == job; lo++) {
		const struct fsi_recorded *p = &m->recorded.v[rows[lo]];

		if (p->partition == r->partition_name && (!p->qos || p->qos == r->qos)) {
			r->priority = p->priority;
			r->priority_printed = true;
			return;
		}
	}
}

/* Sets the priorities of records to the priorities that sprio printed. These are the priorities that the scheduler
 * computed last, one for each partition of a job. The scheduler sorts the jobs by them (src/slurmctld/job_scheduler.c:
 * build_job_queue, priority_array). Does not change priorities that an administrator set. Does nothing if
 * q->ignores_recorded is set. Returns -1 if out of memory. */
static int set_recorded_priorities(struct fs_queue *q)
{
	uint32_t *rows;
	size_t n;

	if (q->ignores_recorded || !q->m->recorded.n)
		return 0;
	rows = list_recorded_priorities(q->m, &n);
	for (size_t i = 0; rows && i < q->record.n; i++)
		if (!q->record.v[i].priority_set &&
		    (!is_sorted_by_job_priority(q, &q->record.v[i]) || isnan(q->record.v[i].priority)))
			set_recorded_priority(q->m, rows, n, &q->record.v[i]);
	free(rows);
	return rows ? 0 : -1;
}

/* Returns true if the priority of at least one row of `p` is known. */
static bool has_known_priority(const fs_prios *p)
{
	struct fs_prio_row row;

	for (size_t i = 0; i < p->row.n; i++) {
		fs_prios_brief(p, i, &row);
		if (!isnan(row.priority))
			return true;
	}
	return false;
}

/* Returns true if the priority of the record is the priority by which the record is sorted. If `computed` is true,
 * recorded priorities do not count, except a priority that an administrator set. */
static bool has_final_priority(const struct fs_queue *q, const struct fsi_queue_record *r, bool computed)
{
	if (computed)
		return r->priority_set && !isnan(r->priority);
	return r->priority_printed || (is_sorted_by_job_priority(q, r) && !isnan(r->priority));
}

/* Sets the priorities of records that need a computed priority. If q->ignores_recorded is set, the records that the
 * scheduler tries (member `tried`) lose their recorded priorities, unless all priorities in `p` are unknown. Both the
 * records and the rows of `p` are sorted by job, but their order within a job may differ. */
static void set_computed_priorities(struct fs_queue *q, const fs_prios *p)
{
	const bool computed = q->ignores_recorded && has_known_priority(p);
	size_t first = 0;
	struct fs_prio_row row;

	for (size_t i = 0; i < q->record.n; i++) {
		struct fsi_queue_record *r = &q->record.v[i];
		const double previous = computed && r->tried ? (double)NAN : r->priority;

		while (first < p->row.n && p->row.v[first].job < r->job)
			first++;
		if (has_final_priority(q, r, computed))
			continue;
		r->priority = previous;
		for (size_t k = first; k < p->row.n && p->row.v[k].job == r->job; k++)
			if (p->row.v[k].partition_name == r->partition_name && p->row.v[k].qos == r->qos) {
				fs_prios_brief(p, k, &row);
				r->priority = isnan(row.priority) ? previous : row.priority;
				break;
			}
	}
}

/* Computes priorities and sets them in the records that need a computed priority. Without priority/multifactor, records
 * keep the recorded priorities of their jobs. Returns the error codes of fs_prios_compute, except FS_ENODATA. */
static int compute_needed_priorities(struct fs_queue *q, const struct fs_queue_options *qo, struct fs_error *err)
{
	const struct fs_prios_options o = { .view = { .algorithm = qo ? qo->view.algorithm : NULL,
						      .position = qo ? qo->view.position : FS_POSITION_POW2,
						      .compat = qo ? qo->view.compat : 0,
						      .usage = q->usage } };
	struct fs_error why;
	fs_prios *p = NULL;
	int rc;

	if (!needs_computed_priorities(q))
		return 0;
	if (q->prios) {
		set_computed_priorities(q, q->prios);
		return 0;
	}
	rc = fs_prios_compute(&p, q->m, &o, &why);
	if (!rc)
		set_computed_priorities(q, p);
	fs_prios_free(p);
	if (rc && rc != FS_ENODATA && err)
		*err = why;
	return rc == FS_ENODATA ? 0 : rc;
}

/* Returns true if record `a` is tried after record `b` of the same job, judged by tier and priority. */
static bool is_tried_later(const struct fsi_queue_record *a, const struct fsi_queue_record *b)
{
	return a->tier != b->tier ? a->tier < b->tier : a->priority < b->priority;
}

/* Raises computed priorities for PriorityFlags=INCR_ONLY, with which a job keeps the highest priority that it ever had
 * in each partition. All highest priorities of a job are assumed to exceed its computed priorities by the same amount.
 * This amount is known for the partition in which the job was last tried, because the job's own priority was computed
 * for that partition. The job was last tried in the partition of its last record in the queue
 * (src/plugins/priority/multifactor/priority_multifactor.c: _get_priority_internal;
 * src/plugins/sched/backfill/backfill.c: _attempt_backfill). */
static void raise_to_highest_priority(struct fs_queue *q)
{
	for (size_t first = 0, end; first < q->record.n; first = end) {
		const struct fsi_queue_record *last = &q->record.v[first];
		const struct fsi_job *j = &q->m->job.v[last->job];
		double increase;

		for (end = first + 1; end < q->record.n && q->record.v[end].job == last->job; end++)
			last = is_tried_later(&q->record.v[end], last) ? &q->record.v[end] : last;
		increase = FSI_HAS(j, JOB, priority) && !last->priority_set ? (double)j->priority - last->priority : 0;
		for (size_t i = first; increase > 0 && i < end; i++)
			q->record.v[i].priority += increase;
	}
}

static void fill_slurm_record(const struct fs_queue *q, struct fsi_queue_record *r)
{
	r->tier = r->partition == FSI_NO_INDEX ? 0 : q->m->partition.v[r->partition].tier;
	r->has_reservation = q->m->job.v[r->job].reservation != 0;
	r->tried = r->eligible = is_job_tried(q, r);
}

static int prepare_slurm_queue(struct fs_queue *q, const struct fs_queue_options *o, struct fs_error *err)
{
	int rc = set_recorded_priorities(q) ? fsi_fail_no_memory(err) : compute_needed_priorities(q, o, err);

	if (!rc && !q->ignores_recorded && fsi_config_list_has(q->m, "PriorityFlags", "INCR_ONLY"))
		raise_to_highest_priority(q);
	if (!rc && (fill_het_jobs(q) || fsi_queue_fill_preemption(q)))
		rc = fsi_fail_no_memory(err);
	return rc;
}

const struct fsi_queue_scheduler fsi_queue_of_slurm = {
	.keys = slurm_keys,
	.nkeys = sizeof(slurm_keys) / sizeof(*slurm_keys),
	.fill_record = fill_slurm_record,
	.block_records = fsi_slurm_block_records,
	.find_verdict = fsi_slurm_find_verdict,
	.lacks_nodes = fsi_slurm_lacks_nodes,
	.prepare = prepare_slurm_queue,
};

/* ---- Flux's queue (flux-core: src/modules/job-manager/job.c:job_priority_comparator): highest priority first; jobs of
 * equal priority by job id, which is the order of submission. A job is eligible if it is in state SCHED and its
 * priority is not 0 (src/modules/job-manager/alloc.c). A job without a hold (fs_holds) meets these conditions if its
 * queue is not stopped. */

static const struct fsi_queue_key flux_keys[] = {
	{ FS_QUEUE_KEY_PRIORITY, fsi_queue_compare_priority },
	{ FS_QUEUE_KEY_JOBID, fsi_queue_compare_id },
	{ FS_QUEUE_KEY_LISTED, fsi_queue_compare_choice },
};

/* Returns the pending reason with the same name as the hold's reason; if there is none, the reason "dependency". */
static const struct fs_reason *find_hold_reason(const struct fs_hold_row *hold)
{
	const struct fs_reason *r = fs_reason_find(hold->reason);

	return r ? r : fs_reason_find("dependency");
}

/* Returns true if the job may be in any state before RUN: it is in the state NEW, or flux account jobs, which prints no
 * states, is its only source. */
static bool is_flux_state_unknown(const fs_snapshot *m, uint32_t job)
{
	return !strcmp(fsi_name_text(m, fsi_job_ext(m, &m->job.v[job])->phase), "NEW");
}

/* Sets `tried`, `eligible`, the reason and the section of each record. The reason is the reason of the job's first
 * hold. If the job has no hold, the reason is "queue-stopped" or "eligible"; none if the state is unknown. Sets `priority_set` if the priority
 * follows from an urgency of 0 or 31. */
static void set_eligible_flux_records(struct fs_queue *q, const fs_holds *h)
{
	for (size_t i = 0; i < q->record.n; i++) {
		struct fsi_queue_record *r = &q->record.v[i];

		r->priority_set = fsi_flux_is_priority_direct(q->m, &q->m->job.v[r->job]);
		const bool held = fs_holds_count(h, r->job) > 0,
			   stopped = fsi_flux_is_queue_stopped(q->m, r->partition),
			   unknown = is_flux_state_unknown(q->m, r->job);
		const struct fs_reason *reason = held      ? find_hold_reason(fs_holds_row(h, r->job, 0))
						 : stopped ? fs_reason_find("queue-stopped")
						 : unknown ? NULL
							   : fs_reason_find("eligible");

		r->tried = r->eligible = !held && !stopped && !unknown;
		r->reason_number = fsi_reason_to_number(reason);
		r->section = (uint8_t)(reason ? reason->section : FS_SECTION_OTHER);
	}
}

static bool has_unknown_priority(const struct fs_queue *q)
{
	for (size_t i = 0; i < q->record.n; i++)
		if (isnan(q->record.v[i].priority))
			return true;
	return false;
}

/* Implements fsi_queue_scheduler.prepare for Flux. A job that is not eligible yet gets the priority that it would have
 * if it were eligible. If the settings of the priority plugin are unknown, records keep the recorded priorities. */
static int prepare_flux_queue(struct fs_queue *q, const struct fs_queue_options *o, struct fs_error *err)
{
	bool *has = calloc(q->m->job.n + 1, sizeof(*has));
	fs_holds *h = NULL;
	struct fs_error why;
	int rc = has ? fs_holds_compute(&h, q->m, err) : fsi_fail_no_memory(err);

	if (!rc)
		set_eligible_flux_records(q, h);
	if (!rc && (q->ignores_recorded || has_unknown_priority(q))) {
		rc = fsi_queue_fill_priorities(q, o, has, &why);
		rc = rc == FS_ENOMEM ? fsi_fail_no_memory(err) : 0;
	}
	q->holds = h;
	free(has);
	return rc;
}

static void release_flux_queue(struct fs_queue *q)
{
	fs_holds_free(q->holds);
}

const struct fsi_queue_scheduler fsi_queue_of_flux = {
	.keys = flux_keys,
	.nkeys = sizeof(flux_keys) / sizeof(*flux_keys),
	.find_verdict = fsi_flux_find_verdict,
	.lacks_nodes = fsi_flux_lacks_nodes,
	.prepare = prepare_flux_queue,
	.release = release_flux_queue,
};
