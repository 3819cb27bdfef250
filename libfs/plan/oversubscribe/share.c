/* Jobs that share CPUs and those that do not keep apart (src/plugins/select/cons_tres: _verify_node_state,
 * _is_node_busy): one that may share them gets no node with a job that does not; one that does not gets no node with
 * those of another partition whose CPUs are given out more than once. OverSubscribe=FORCE:4 shares always, YES:4 where
 * the job asks. A partition that does has a node in so many rows, each with all of its CPUs. */
#include "base/num.h"
#include "plan/plan.h"

#include <string.h>

/* The number behind the colon of FORCE:4 and YES:4; Slurm's default where there is none. */
static uint32_t times_of(const char *s)
{
	const uint32_t by_default = 4;
	const char *colon = strchr(s, ':');
	int64_t n;

	if (!colon || fsi_parse_i64(colon + 1, strlen(colon + 1), &n) || n < 1 || n > UINT16_MAX)
		return by_default;
	return (uint32_t)n;
}

uint32_t fsi_plan_rows(const fs_snapshot *m, const struct fsi_partition *p)
{
	const char *s = fsi_str(m, p->oversubscribe);

	return !strncmp(s, "FORCE", 5) || !strncmp(s, "YES", 3) ? times_of(s) : 1;
}

uint32_t fsi_plan_share(const fs_snapshot *m, const struct fsi_job *j, const struct fsi_partition *p)
{
	const char *s = fsi_str(m, p->oversubscribe);
	const bool force = !strncmp(s, "FORCE", 5), yes = !strncmp(s, "YES", 3);

	return force || (yes && !strcmp(fsi_str(m, j->oversubscribe), "YES")) ? times_of(s) : 0;
}

bool fsi_plan_reserves(const fs_snapshot *m, const struct fsi_partition *p)
{
	const char *s = fsi_str(m, p->oversubscribe);

	return !strcmp(s, "EXCLUSIVE") || !strcmp(s, "NODE");
}

bool fsi_plan_any_share(const fs_snapshot *m)
{
	for (size_t i = 0; i < m->partition.n; i++) {
		const char *s = fsi_str(m, m->partition.v[i].oversubscribe);

		if (!strncmp(s, "FORCE", 5) || !strncmp(s, "YES", 3))
			return true;
	}
	return false;
}

bool fsi_plan_apart(const struct fsi_plan_request *q, const struct fsi_plan_alloc *h)
{
	if (h->job == FSI_NO_INDEX)
		return false;
	if (q->share || q->reserves)
		return !h->share || (q->reserves && !q->forgets);
	return !q->forgets && h->in_rows && h->partition != q->partition;
}

/* ---- rows */

enum { MAX_ROWS = 64 };

/* The rows of a node, as many as its CPUs are given out times: what jobs have of each. */
struct rows {
	int64_t used[MAX_ROWS], sum;
	uint32_t n;
};

static bool shares(const struct fsi_plan_request *q, const struct fsi_plan_alloc *h, struct fsi_plan_moment at)
{
	return h->share > 1 && !fsi_plan_ended(h, at) && !fsi_plan_gives_way(q, h);
}

/* The job of the partition with the least id above that one; NULL: there is none. */
static const struct fsi_plan_alloc *next_sharing(const struct fsi_plan_node *n, const struct fsi_plan_request *q,
						 struct fsi_plan_moment at, uint32_t partition, uint64_t above)
{
	const struct fsi_plan_alloc *next = NULL;

	for (size_t i = 0; i < n->hold.n; i++) {
		const struct fsi_plan_alloc *h = &n->hold.v[i];

		if (h->partition == partition && h->id > above && shares(q, h, at) && (!next || h->id < next->id))
			next = h;
	}
	return next;
}

/* Puts each job into the first row that has room for it (_add_job_to_row, part_data_build_row_bitmaps). */
static void fill_rows(struct rows *r, const struct fsi_plan_node *n, const struct fsi_plan_request *q,
		      struct fsi_plan_moment at, uint32_t partition)
{
	const struct fsi_plan_alloc *h;

	*r = (struct rows){ .n = 0 };
	for (uint64_t id = 0; (h = next_sharing(n, q, at, partition, id)); id = h->id) {
		const int64_t cpus = h->amount[FSI_RES_CPU];
		const uint32_t max = h->share < MAX_ROWS ? h->share : MAX_ROWS;
		uint32_t k = 0;

		while (k < r->n && k + 1 < max && r->used[k] + cpus > n->total[FSI_RES_CPU])
			k++;
		r->n = k == r->n ? k + 1 : r->n;
		r->used[k] += cpus;
		r->sum += cpus;
	}
}

/* The CPUs that are taken from the request: of its own partition what the emptiest row has, of another one all that
 * are in use there. */
static int64_t taken_of(const struct rows *r, const struct fsi_plan_request *q, bool own)
{
	int64_t min = r->used[0], max = r->used[0];

	for (uint32_t k = 1; k < r->n; k++) {
		min = r->used[k] < min ? r->used[k] : min;
		max = r->used[k] > max ? r->used[k] : max;
	}
	return !own ? max : r->n < q->share && r->n < MAX_ROWS ? 0 : min;
}

int64_t fsi_plan_with_shared(const struct fsi_plan_node *n, const struct fsi_plan_request *q, struct fsi_plan_moment at,
			     int64_t cpus)
{
	struct rows r;

	for (size_t i = 0; i < n->hold.n; i++) {
		const struct fsi_plan_alloc *h = &n->hold.v[i];

		if (!shares(q, h, at) || next_sharing(n, q, at, h->partition, 0) != h)
			continue;
		fill_rows(&r, n, q, at, h->partition);
		cpus += r.sum - taken_of(&r, q, q->share > 1 && h->partition == q->partition);
	}
	return cpus;
}
