/* Which nodes a request of Maui's takes, and how many of its tasks each gets (src/MSched.c:MJobAllocMNL,
 * MJobDistributeTasks). */
#include "base/sort.h"
#include "plan/timeline/timeline.h"

#include <stdlib.h>

static int longest_first(const void *x, const void *y, const void *ctx)
{
	const uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
	const struct fsi_line_choice *by = ctx;

	if (by->first && by->first[a] != by->first[b])
		return by->first[a] ? -1 : 1;
	if (by->span && by->span[a] != by->span[b])
		return by->span[a] > by->span[b] ? -1 : 1;
	return (a < b) - (a > b);
}

/* Upstream's test of whom a node suits is the wrong way round there, so that it is taken whomever it suits. */
static int lowest_first(const void *x, const void *y, const void *ctx)
{
	const uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;

	(void)ctx;
	return (a > b) - (a < b);
}

static int reserved_then_lowest_first(const void *x, const void *y, const void *ctx)
{
	const uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
	const struct fsi_line_choice *by = ctx;

	if (by->first && by->first[a] != by->first[b])
		return by->first[a] ? -1 : 1;
	return lowest_first(x, y, NULL);
}

/* t->at; -1 without memory. Of equals the first on the list comes first: upstream sorts them by qsort, which keeps
 * their order (MJobAllocatePriority, MJobAllocateFastest). */
static int make_order(struct fsi_timeline *t, enum fsi_line_order order, const struct fsi_line_choice *by)
{
	const struct fsi_line_choice plain = { .first = by->first };

	for (uint32_t i = 0; i < t->n; i++)
		t->at[i] = i;
	if (order == FSI_LINE_FIRST)
		return fs_sort(t->at, t->n, sizeof(*t->at), lowest_first, NULL);
	if (order == FSI_LINE_EQUALS)
		return fs_sort(t->at, t->n, sizeof(*t->at), reserved_then_lowest_first, &plain);
	return fs_sort(t->at, t->n, sizeof(*t->at), longest_first, order == FSI_LINE_LAST ? by : &plain);
}

/* ---- nodes */

struct found {
	int64_t tasks;
	uint32_t nodes;
};

static bool suffices(const struct found *f, const struct fsi_line_want *w)
{
	return f->tasks >= w->tasks && f->nodes >= w->nodes;
}

/* Takes nodes of so much memory at most, INT64_MAX: any, until they suffice. */
static void pass(struct fsi_timeline *t, const struct fsi_line_want *w, const struct fsi_line_choice *by, bool *taken,
		 int64_t max_mb, struct found *f)
{
	for (uint32_t k = 0; k < t->n && !suffices(f, w); k++) {
		const uint32_t i = t->at[k];
		const bool left_out = (by->among && !by->among[i]) || t->node[i].total[FSI_LINE_MEM] > max_mb;

		if (left_out || taken[i] || by->room[i] <= 0 || by->room[i] < w->per_node)
			continue;
		taken[i] = true;
		t->piece[f->nodes++] = (struct fsi_line_piece){ i, by->room[i] };
		f->tasks += by->room[i] < w->tasks ? by->room[i] : w->tasks;
	}
}

/* ---- tasks on them */

/* Can as many nodes as are asked for each get the same? */
static bool is_balanced(const struct fsi_timeline *t, const struct fsi_line_want *w, uint32_t nodes, int64_t each,
			int64_t more)
{
	int64_t enough = 0;

	for (uint32_t k = 0; k < nodes; k++)
		if (t->piece[k].tasks >= each) {
			enough++;
			more -= t->piece[k].tasks - each;
		}
	return more <= 0 && enough >= w->nodes && enough * each >= w->tasks;
}

/* Of nodes that are asked for each gets as many tasks as the others, or where that cannot be at least one. */
static void distribute(struct fsi_timeline *t, const struct fsi_line_want *w, uint32_t nodes)
{
	const int64_t each = w->nodes ? w->tasks / w->nodes : 0;
	const bool balanced = w->nodes && is_balanced(t, w, nodes, each, w->tasks % w->nodes);
	int64_t left = w->tasks, more = w->nodes ? w->tasks % w->nodes : 0;

	t->npieces = 0;
	for (uint32_t k = 0; k < nodes && left; k++) {
		int64_t tasks = t->piece[k].tasks, most = left;

		if (balanced) {
			const int64_t extra = tasks - each < more ? tasks - each : more;

			most = each + (extra > 0 ? extra : 0);
			more -= extra > 0 ? extra : 0;
		} else if (w->nodes > k + 1) {
			most = left - (int64_t)(w->nodes - k - 1);
		}
		tasks = tasks < most ? tasks : most;
		if (w->per_node)
			tasks -= tasks % w->per_node;
		tasks = tasks < left ? tasks : left;
		if (tasks <= 0)
			break;
		t->piece[t->npieces++] = (struct fsi_line_piece){ t->piece[k].node, tasks };
		left -= tasks;
	}
}

bool fsi_line_choose(struct fsi_timeline *t, const struct fsi_line_want *w, const struct fsi_line_choice *by,
		     enum fsi_line_order order)
{
	enum { MIN_MB = 64, MAX_MB = 8192 };
	bool *taken = calloc((size_t)t->n + 1, sizeof(*taken));
	const bool ordered = taken && !make_order(t, order, by);
	struct found f = { 0 };

	for (int64_t mb = MIN_MB; ordered && order == FSI_LINE_MIN_MEMORY && mb < MAX_MB; mb *= 2)
		pass(t, w, by, taken, mb, &f);
	if (ordered)
		pass(t, w, by, taken, INT64_MAX, &f);
	free(taken);
	distribute(t, w, f.nodes);
	return ordered && suffices(&f, w) && t->npieces;
}
