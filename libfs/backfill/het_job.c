#include "backfill/backfill.h"

#include <stdlib.h>
#include <string.h>

/* The components of a het job start together. A cycle tries each component by itself, but not before the latest start
 * found for the components tried already. It reserves nodes for each component from that component's own start. It
 * starts all components when the last one can start (src/plugins/sched/backfill/backfill.c: _het_job_start_set,
 * _het_job_start_find, _het_job_start_test).
 *
 * The start noted for a component is the earliest one that any try of the cycle returned, even if that start then
 * turned out to overlap planned jobs. A component without a start is noted a year ahead, which is after the end of
 * every window. The components tried after it are skipped. */

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
	return fsi_job_rare(m, j)->het_job_id && j->state == FSI_STATE_PENDING;
}

/* Returns the number of pairs of a component and a partition that it requests. */
static size_t count_component_partitions(const fs_snapshot *m)
{
	size_t sum = 0, n;

	for (size_t i = 0; i < m->job.n; i++)
		if (is_pending_component(m, &m->job.v[i])) {
			fsi_list(m, m->job.v[i].partitions, &n);
			sum += n ? n : 1;
		}
	return sum;
}

int fsi_plan_het_room(struct fsi_backfill *bf)
{
	struct fsi_plan_het *h = &bf->het;
	const size_t room = h->n ? count_component_partitions(bf->cluster.m) : 0;
	struct fsi_plan_het_in *in;

	if (room <= h->room)
		return 0;
	in = fsi_arena_array(&bf->cluster.arena, room, sizeof(*in));
	if (!in)
		return -1;
	if (h->nin)
		memcpy(in, h->in, h->nin * sizeof(*in));
	h->in = in;
	h->room = room;
	return 0;
}

int fsi_plan_het_init(struct fsi_backfill *bf)
{
	const fs_snapshot *m = bf->cluster.m;
	struct het_component *v;
	size_t n = 0;

	for (size_t i = 0; i < m->job.n; i++)
		n += is_pending_component(m, &m->job.v[i]);
	if (!n)
		return 0;
	v = malloc(n * sizeof(*v));
	bf->het.row = fsi_arena_array(&bf->cluster.arena, n, sizeof(*bf->het.row));
	bf->het.start = fsi_arena_array(&bf->cluster.arena, m->job.n, sizeof(*bf->het.start));
	if (v && bf->het.row && bf->het.start) {
		for (uint32_t i = 0; i < m->job.n; i++)
			if (is_pending_component(m, &m->job.v[i]))
				v[bf->het.n++] = (struct het_component){ fsi_job_rare(m, &m->job.v[i])->het_job_id, i };
		qsort(v, n, sizeof(*v), compare_het_components);
		for (size_t i = 0; i < n; i++)
			bf->het.row[i] = v[i].row;
	}
	free(v);
	return bf->het.n ? fsi_plan_het_room(bf) : -1;
}

/* Returns the het job id of the i-th component. */
static uint64_t get_component_het_id(const struct fsi_backfill *bf, size_t i)
{
	return fsi_plan_het_job(bf->cluster.m, bf->het.row[i]);
}

/* Returns the index of the first component of the het job; without one, the index of the first component of a higher
 * het job id. */
static size_t find_first_component(const struct fsi_backfill *bf, uint64_t het)
{
	size_t lo = 0;

	for (size_t n = bf->het.n; lo < n;) {
		const size_t mid = lo + (n - lo) / 2;

		if (get_component_het_id(bf, mid) < het)
			lo = mid + 1;
		else
			n = mid;
	}
	return lo;
}

int64_t fsi_plan_het_from(const struct fsi_backfill *bf, uint32_t job)
{
	const uint64_t het = fsi_plan_het_job(bf->cluster.m, job);
	int64_t from = bf->cluster.now;

	for (size_t i = het ? find_first_component(bf, het) : bf->het.n;
	     i < bf->het.n && get_component_het_id(bf, i) == het; i++)
		if (bf->het.row[i] != job && bf->het.start[bf->het.row[i]] > from)
			from = bf->het.start[bf->het.row[i]];
	return from;
}

bool fsi_plan_het_may(struct fsi_backfill *bf, uint32_t job)
{
	if (!is_pending_component(bf->cluster.m, &bf->cluster.m->job.v[job]))
		return true;
	if (!bf->het.start[job])
		bf->het.start[job] = bf->cluster.now + year_s;
	return bf->plan->mode == FS_PLAN_BACKFILL
		       ? fsi_plan_het_from(bf, job) <= bf->cluster.now + bf->params.window_s
		       : fsi_plan_het_from(bf, job) < bf->cluster.now + year_s;
}

void fsi_plan_het_found(struct fsi_backfill *bf, uint32_t job, int64_t start)
{
	if (is_pending_component(bf->cluster.m, &bf->cluster.m->job.v[job]) &&
	    (!bf->het.start[job] || start < bf->het.start[job]))
		bf->het.start[job] = start;
}

/* ---- deadlocks: a het job that starts before another one in this partition and after it in another partition
 * (_het_job_deadlock_test) */

/* Returns the entry of a het job in a partition; NULL if it has none. */
static struct fsi_plan_het_in *find_het_partition(struct fsi_plan_het *h, uint64_t het, uint32_t partition)
{
	for (size_t i = 0; i < h->nin; i++)
		if (h->in[i].het == het && h->in[i].partition == partition)
			return &h->in[i];
	return NULL;
}

bool fsi_plan_het_would_block(struct fsi_backfill *bf, const struct fsi_plan_request *q)
{
	struct fsi_plan_het *h = &bf->het;
	const struct fsi_job *j = &bf->cluster.m->job.v[q->job];
	struct fsi_plan_het_in *here;

	if (!is_pending_component(bf->cluster.m, j))
		return false;
	here = find_het_partition(h, fsi_plan_het_job(bf->cluster.m, q->job), q->partition);
	if (!here) {
		here = &h->in[h->nin++];
		*here = (struct fsi_plan_het_in){ fsi_plan_het_job(bf->cluster.m, q->job), bf->select.found.start,
						  q->partition };
	}
	if (here->start < bf->select.found.start)
		here->start = bf->select.found.start;
	for (size_t i = 0; i < h->nin; i++) {
		const struct fsi_plan_het_in *after = &h->in[i], *other;

		if (after->partition != q->partition || after->start <= here->start)
			continue;
		for (size_t k = 0; k < h->nin; k++) {
			if (h->in[k].het != here->het || h->in[k].partition == q->partition)
				continue;
			other = find_het_partition(h, after->het, h->in[k].partition);
			if (other && other->start < here->start)
				return true;
		}
	}
	return false;
}

/* ---- the common start, after all records were tried */

/* Returns the plan's row of the i-th component; NULL if it has none. */
static struct fsi_plan_row *get_component_row(struct fsi_backfill *bf, size_t i)
{
	const uint32_t row = bf->plan->row_of[bf->het.row[i]];

	return row ? &bf->plan->row[row - 1] : NULL;
}

static bool has_row_start(const struct fsi_plan_row *r)
{
	return r->start != FS_UNKNOWN;
}

/* Returns the rank of a row without a start. FS_PLAN_NO_START ranks as FS_PLAN_NOT_REACHED does, which is below
 * FS_PLAN_BLOCKED, whether or not the cycle reached the record. */
static enum fs_plan_state rank_row_state(const struct fsi_plan_row *r)
{
	return r->state == FS_PLAN_NO_START ? FS_PLAN_NOT_REACHED : r->state;
}

/* Returns true if component a delays its het job more than component b. A component without a start delays it more than
 * one with a start. Of two without a start, the one of higher rank does (FS_PLAN_NEVER is the highest), then the one
 * with the earlier row. Of two with a start, the one with the later start does. */
static bool is_delaying_more(const struct fsi_plan_row *a, const struct fsi_plan_row *b)
{
	if (has_row_start(a) != has_row_start(b))
		return has_row_start(b);
	if (has_row_start(a))
		return a->start > b->start;
	return a->state != b->state ? rank_row_state(a) > rank_row_state(b) : a < b;
}

/* Makes the row of a component wait for `last`, the component that delays the het job most: the row gets that
 * component's start or, without one, its reason. If the row had a start of its own, backfill shows that start to
 * users. */
static void set_row_waiting(const struct fs_plan *p, struct fsi_plan_row *r, const struct fsi_plan_row *last)
{
	if (has_row_start(r) && p->mode == FS_PLAN_BACKFILL)
		r->shown = r->start;
	r->wait = FS_PLAN_WAIT_COMPONENT;
	r->blocked_by = last->job;
	r->frees = FSI_NO_INDEX;
	r->start = r->last_start = last->start;
	if (has_row_start(last)) {
		r->state = last->state;
		return;
	}
	r->state = last->state == FS_PLAN_NO_START ? FS_PLAN_NO_START : FS_PLAN_BLOCKED;
	r->cycle.reached = last->cycle.reached;
	r->cycle.searched = last->cycle.searched;
	r->cycle.limit = last->cycle.limit;
	r->limit_s = FS_UNKNOWN;
	r->array.planned = 0;
	r->nnodes = 0;
}

/* Gives the components `first` to `end` - 1, all of one het job, the start of the component that delays the job
 * most. */
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

void fsi_plan_het_start(struct fsi_backfill *bf)
{
	for (size_t i = 0, end; i < bf->het.n; i = end) {
		for (end = i + 1; end < bf->het.n && get_component_het_id(bf, end) == get_component_het_id(bf, i);)
			end++;
		set_common_start(bf, i, end);
	}
}
