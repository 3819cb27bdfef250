#include "backfill/backfill.h"

#include <stdlib.h>
#include <string.h>

/* The components of a het job start together, but a cycle tries each component separately
 * (src/plugins/sched/backfill/backfill.c: _het_job_start_set, _het_job_start_find, _het_job_start_test). For each
 * component, the cycle notes the earliest start that any of its tries returned. The cycle notes this start even if the
 * start overlaps planned jobs and was rejected. The first start time to try for a component is the latest start that is
 * noted for the other components.
 *
 * The cycle reserves nodes for each component from the component's own start on. The cycle starts all components when
 * the last component can start.
 *
 * If a component gets no start, the cycle notes a start one year from now, which is after the end of any bf_window. All
 * later components of the het job are then skipped. */

static const int64_t year_s = 365 * INT64_C(86400);

struct het_component {
	uint64_t het;
	uint32_t row;
};

static int compare_het_components(const void *x, const void *y)
{
	const struct het_component *a = x, *b = y;

	if (a->het != b->het)
		return a->het < b->het ? -1 : 1;
	return (a->row > b->row) - (a->row < b->row);
}

/* Returns true if the job is a pending component of a het job. */
static bool is_pending_component(const fs_snapshot *m, const struct fsi_job *j)
{
	return fsi_job_ext(m, j)->het_job_id && j->state == FSI_STATE_PENDING;
}

/* Returns the number of partitions that a pending component requests, summed over all pending components. A component
 * without a partition list counts 1. */
static size_t count_component_partitions(const fs_snapshot *m)
{
	size_t sum = 0, n;

	for (size_t i = 0; i < m->job.n; i++)
		if (is_pending_component(m, &m->job.v[i])) {
			fsi_list_items(m, m->job.v[i].partitions, &n);
			sum += n ? n : 1;
		}
	return sum;
}

int fsi_backfill_het_grow(struct fsi_backfill *bf)
{
	struct fsi_backfill_het *h = &bf->het;
	const size_t capacity = h->ncomponents ? count_component_partitions(bf->cluster.m) : 0;
	struct fsi_backfill_het_partition *in;

	if (capacity <= h->capacity)
		return 0;
	in = fsi_arena_array(&bf->cluster.arena, capacity, sizeof(*in));
	if (!in)
		return -1;
	if (h->npartition_starts)
		memcpy(in, h->partition_start, h->npartition_starts * sizeof(*in));
	h->partition_start = in;
	h->capacity = capacity;
	return 0;
}

int fsi_backfill_het_init(struct fsi_backfill *bf)
{
	const fs_snapshot *m = bf->cluster.m;
	struct het_component *v;
	size_t n = 0;

	for (size_t i = 0; i < m->job.n; i++)
		n += is_pending_component(m, &m->job.v[i]);
	if (!n)
		return 0;
	v = malloc(n * sizeof(*v));
	bf->het.component = fsi_arena_array(&bf->cluster.arena, n, sizeof(*bf->het.component));
	bf->het.earliest_start = fsi_arena_array(&bf->cluster.arena, m->job.n, sizeof(*bf->het.earliest_start));
	if (v && bf->het.component && bf->het.earliest_start) {
		for (uint32_t i = 0; i < m->job.n; i++)
			if (is_pending_component(m, &m->job.v[i]))
				v[bf->het.ncomponents++] =
					(struct het_component){ fsi_job_ext(m, &m->job.v[i])->het_job_id, i };
		qsort(v, n, sizeof(*v), compare_het_components);
		for (size_t i = 0; i < n; i++)
			bf->het.component[i] = v[i].row;
	}
	free(v);
	return bf->het.ncomponents ? fsi_backfill_het_grow(bf) : -1;
}

/* Returns the id of the het job of the i-th component. */
static uint64_t get_component_het_id(const struct fsi_backfill *bf, size_t i)
{
	return fsi_backfill_het_get_id(bf->cluster.m, bf->het.component[i]);
}

/* Returns the index of the first component of the het job. If the het job has no components, returns the index of the
 * first component of a het job with a higher id. */
static size_t find_first_component(const struct fsi_backfill *bf, uint64_t het)
{
	size_t lo = 0;

	for (size_t n = bf->het.ncomponents; lo < n;) {
		const size_t mid = lo + (n - lo) / 2;

		if (get_component_het_id(bf, mid) < het)
			lo = mid + 1;
		else
			n = mid;
	}
	return lo;
}

int64_t fsi_backfill_het_get_earliest(const struct fsi_backfill *bf, uint32_t job)
{
	const uint64_t het = fsi_backfill_het_get_id(bf->cluster.m, job);
	int64_t from = bf->cluster.now;

	for (size_t i = het ? find_first_component(bf, het) : bf->het.ncomponents;
	     i < bf->het.ncomponents && get_component_het_id(bf, i) == het; i++)
		if (bf->het.component[i] != job && bf->het.earliest_start[bf->het.component[i]] > from)
			from = bf->het.earliest_start[bf->het.component[i]];
	return from;
}

bool fsi_backfill_het_may_try(struct fsi_backfill *bf, uint32_t job)
{
	if (!is_pending_component(bf->cluster.m, &bf->cluster.m->job.v[job]))
		return true;
	if (!bf->het.earliest_start[job])
		bf->het.earliest_start[job] = bf->cluster.now + year_s;
	return bf->plan->mode == FS_PLAN_BACKFILL
		       ? fsi_backfill_het_get_earliest(bf, job) <= bf->cluster.now + bf->params.window_s
		       : fsi_backfill_het_get_earliest(bf, job) < bf->cluster.now + year_s;
}

void fsi_backfill_het_note_start(struct fsi_backfill *bf, uint32_t job, int64_t start)
{
	if (is_pending_component(bf->cluster.m, &bf->cluster.m->job.v[job]) &&
	    (!bf->het.earliest_start[job] || start < bf->het.earliest_start[job]))
		bf->het.earliest_start[job] = start;
}

/* ---- deadlocks: het jobs A and B wait for each other if A starts before B in one partition, but after B in another
 * partition (_het_job_deadlock_test) */

/* Returns the element of h->partition_start with this het job id and this partition (name id `partition`); NULL if
 * there is no such element. */
static struct fsi_backfill_het_partition *find_het_partition(struct fsi_backfill_het *h, uint64_t het,
							     uint32_t partition)
{
	for (size_t i = 0; i < h->npartition_starts; i++)
		if (h->partition_start[i].het_id == het && h->partition_start[i].partition == partition)
			return &h->partition_start[i];
	return NULL;
}

bool fsi_backfill_het_has_deadlock(struct fsi_backfill *bf, const struct fsi_request *q)
{
	struct fsi_backfill_het *h = &bf->het;
	const struct fsi_job *j = &bf->cluster.m->job.v[q->job];
	struct fsi_backfill_het_partition *here;

	if (!is_pending_component(bf->cluster.m, j))
		return false;
	here = find_het_partition(h, fsi_backfill_het_get_id(bf->cluster.m, q->job), q->partition);
	if (!here) {
		here = &h->partition_start[h->npartition_starts++];
		*here = (struct fsi_backfill_het_partition){ fsi_backfill_het_get_id(bf->cluster.m, q->job),
							     bf->select.attempt.start, q->partition };
	}
	if (here->latest_start < bf->select.attempt.start)
		here->latest_start = bf->select.attempt.start;
	for (size_t i = 0; i < h->npartition_starts; i++) {
		const struct fsi_backfill_het_partition *after = &h->partition_start[i], *other;

		if (after->partition != q->partition || after->latest_start <= here->latest_start)
			continue;
		for (size_t k = 0; k < h->npartition_starts; k++) {
			if (h->partition_start[k].het_id != here->het_id ||
			    h->partition_start[k].partition == q->partition)
				continue;
			other = find_het_partition(h, after->het_id, h->partition_start[k].partition);
			if (other && other->latest_start < here->latest_start)
				return true;
		}
	}
	return false;
}

/* ---- setting the start of all components of a het job to the same time, after all records were tried */

/* Returns the plan's row of the i-th component; NULL if the component has no row. */
static struct fsi_plan_row *get_component_row(struct fsi_backfill *bf, size_t i)
{
	const uint32_t row = bf->plan->row_of_job[bf->het.component[i]];

	return row ? &bf->plan->row[row - 1] : NULL;
}

static bool has_row_start(const struct fsi_plan_row *r)
{
	return r->start != FS_UNKNOWN;
}

/* Returns the rank of a row without a start; is_delaying_more compares the ranks of two rows. The rank is the row's
 * state, with one exception: FS_PLAN_NO_START has the rank of FS_PLAN_NOT_REACHED, which is below FS_PLAN_BLOCKED. */
static enum fs_plan_state rank_row_state(const struct fsi_plan_row *r)
{
	return r->state == FS_PLAN_NO_START ? FS_PLAN_NOT_REACHED : r->state;
}

/* Returns true if the component of row a delays the het job more than the component of row b. A component without a
 * start delays more than a component with a start. If both have a start, the later start delays more. If neither has a
 * start, the row with the higher rank_row_state delays more (FS_PLAN_NEVER is the highest); if both rows have the same
 * state, the row with the lower index delays more. */
static bool is_delaying_more(const struct fsi_plan_row *a, const struct fsi_plan_row *b)
{
	if (has_row_start(a) != has_row_start(b))
		return has_row_start(b);
	if (has_row_start(a))
		return a->start > b->start;
	return a->state != b->state ? rank_row_state(a) > rank_row_state(b) : a < b;
}

/* Makes the component of row r wait for the component of row `last`, which delays the het job most. Sets the start of r
 * to the start of `last`; if `last` has no start, r gets no start. In a backfill plan, r->shown_start keeps the start
 * that r had before. */
static void set_row_waiting(const struct fs_plan *p, struct fsi_plan_row *r, const struct fsi_plan_row *last)
{
	if (has_row_start(r) && p->mode == FS_PLAN_BACKFILL)
		r->shown_start = r->start;
	r->wait = FS_PLAN_WAIT_COMPONENT;
	r->blocked_by = last->job;
	r->freed_by = FSI_NO_INDEX;
	r->start = r->last_start = last->start;
	if (has_row_start(last)) {
		r->state = last->state;
		return;
	}
	r->state = last->state == FS_PLAN_NO_START ? FS_PLAN_NO_START : FS_PLAN_BLOCKED;
	r->cycle.reached = last->cycle.reached;
	r->cycle.searched_window = last->cycle.searched_window;
	r->cycle.limit = last->cycle.limit;
	r->limit_s = FS_UNKNOWN;
	r->array.planned_tasks = 0;
	r->nnodes = 0;
}

/* Gives all components of one het job the start of the component that delays the het job most. `first`, `end`: the
 * components of the het job have the indices [first, end). */
static void set_common_start(struct fsi_backfill *bf, size_t first, size_t end)
{
	const struct fsi_plan_row *last = NULL;

	for (size_t i = first; i < end; i++) {
		const struct fsi_plan_row *r = get_component_row(bf, i);

		if (r && (!last || is_delaying_more(r, last)))
			last = r;
	}
	for (size_t i = first; i < end; i++) {
		struct fsi_plan_row *r = get_component_row(bf, i);

		if (r && r != last &&
		    (has_row_start(last) ? r->start != last->start : has_row_start(r) || r->state == FS_PLAN_NO_START))
			set_row_waiting(bf->plan, r, last);
	}
}

void fsi_backfill_het_set_starts(struct fsi_backfill *bf)
{
	for (size_t i = 0, end; i < bf->het.ncomponents; i = end) {
		for (end = i + 1;
		     end < bf->het.ncomponents && get_component_het_id(bf, end) == get_component_het_id(bf, i);)
			end++;
		set_common_start(bf, i, end);
	}
}
