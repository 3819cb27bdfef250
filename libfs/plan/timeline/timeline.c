#include "base/sort.h"
#include "plan/timeline/timeline.h"

#include <stdlib.h>
#include <string.h>

static void amounts_of(const fs_snapshot *m, const struct fsi_node *n, int64_t *total)
{
	static const char *const names[FSI_LINE_RES] = { "cpu", "mem", "swap", "disk", "gres/gpu" };

	for (int r = 0; r < FSI_LINE_RES; r++)
		total[r] = fsi_amount_of(m, n->tres, fsi_name_find(m, names[r]));
	if (!total[FSI_LINE_CPU])
		total[FSI_LINE_CPU] = n->cpus;
}

static bool is_up(const char *state)
{
	return strncmp(state, "DOWN", 4) != 0 && !strstr(state, "DRAIN");
}

int fsi_line_init(struct fsi_timeline *t, const fs_snapshot *m)
{
	t->n = (uint32_t)m->node.n;
	t->node = calloc(m->node.n + 1, sizeof(*t->node));
	t->piece = calloc(m->node.n + 1, sizeof(*t->piece));
	t->at = calloc(m->node.n + 1, sizeof(*t->at));
	t->max_looks = FSI_LINE_MAX_LOOKS;
	t->looks = calloc(1, sizeof(*t->looks));
	if (!t->node || !t->piece || !t->at || !t->looks)
		return -1;
	for (uint32_t i = 0; i < t->n; i++) {
		t->node[i].row = i;
		t->node[i].up = is_up(fsi_str(m, m->node.v[i].state));
		amounts_of(m, &m->node.v[i], t->node[i].total);
	}
	return 0;
}

void fsi_line_release(struct fsi_timeline *t)
{
	for (uint32_t i = 0; t->node && i < t->n; i++)
		FSI_VEC_FREE(&t->node[i].hold);
	FSI_VEC_FREE(&t->ends);
	free(t->node);
	free(t->piece);
	free(t->at);
	free(t->looks);
	*t = (struct fsi_timeline){ 0 };
}

bool fsi_line_too_long(const struct fsi_timeline *t)
{
	return *t->looks > t->max_looks;
}

static bool is_anothers(const struct fsi_line_hold *h, const struct fsi_line_want *w)
{
	return w->user && h->user && h->user != w->user;
}

/* What is held of a node at a time that the request cannot have. */
static void held_at(const struct fsi_line_node *n, const struct fsi_line_want *w, int64_t at, int64_t *held)
{
	memset(held, 0, FSI_LINE_RES * sizeof(*held));
	for (size_t k = 0; k < n->hold.n; k++)
		if (n->hold.v[k].start <= at && n->hold.v[k].end > at && !fsi_line_lets_in(&n->hold.v[k], w))
			for (int r = 0; r < FSI_LINE_RES; r++)
				held[r] += is_anothers(&n->hold.v[k], w) ? n->total[r] : n->hold.v[k].amount[r];
}

int64_t fsi_line_room_at(const struct fsi_line_node *n, const struct fsi_line_want *w, int64_t at)
{
	int64_t held[FSI_LINE_RES], max = INT64_MAX;

	held_at(n, w, at, held);
	if (w->whole && held[FSI_LINE_CPU])
		return 0;
	for (int r = 0; r < FSI_LINE_RES; r++)
		if (w->task[r] > 0) {
			const int64_t left = n->total[r] - held[r];
			const int64_t fit = left > 0 ? left / w->task[r] : 0;

			max = fit < max ? fit : max;
		}
	if (w->whole && max > 1)
		return 1;
	return max == INT64_MAX ? w->tasks : max;
}

int64_t fsi_line_tasks(const struct fsi_timeline *t, uint32_t i, const struct fsi_line_want *w, int64_t from)
{
	const struct fsi_line_node *n = &t->node[i];
	int64_t max;

	if (!n->up || (w->may && !w->may[i]))
		return 0;
	max = fsi_line_room_at(n, w, from);
	*t->looks += 1 + n->hold.n;
	for (size_t k = 0; k < n->hold.n && max; k++) {
		const int64_t start = n->hold.v[k].start;

		if (start > from && start < from + w->limit_s) {
			*t->looks += n->hold.n;
			const int64_t then = fsi_line_room_at(n, w, start);

			max = then < max ? then : max;
		}
	}
	return w->per_node ? max - max % w->per_node : max;
}

bool fsi_line_fits(const struct fsi_timeline *t, const struct fsi_line_want *w, int64_t at, const bool *among)
{
	int64_t tasks = 0;
	uint32_t nodes = 0;

	for (uint32_t i = 0; i < t->n; i++) {
		const int64_t here = among && !among[i] ? 0 : fsi_line_tasks(t, i, w, at);

		tasks += here;
		nodes += here > 0;
		if (tasks >= w->tasks && nodes >= w->nodes)
			return true;
	}
	return false;
}

static size_t each_once(int64_t *v, size_t n)
{
	size_t kept = 0;

	if (n)
		qsort(v, n, sizeof(*v), fsi_rising_i64);
	for (size_t k = 0; k < n; k++)
		if (!kept || v[k] != v[kept - 1])
			v[kept++] = v[k];
	return kept;
}

static int add_changes(struct fsi_timeline *t, const struct fsi_line_node *n, int64_t after)
{
	*t->looks += 1 + n->hold.n;
	for (size_t k = 0; k < n->hold.n; k++)
		for (int end = 0; end < 2; end++) {
			const int64_t when = end ? n->hold.v[k].end : n->hold.v[k].start;

			if (when <= after)
				continue;
			if (FSI_VEC_ROOM(&t->ends))
				return -1;
			t->ends.v[t->ends.n++] = when;
		}
	return 0;
}

int fsi_line_changes(struct fsi_timeline *t, const struct fsi_line_node *n, int64_t after)
{
	const uint32_t from = n ? (uint32_t)(n - t->node) : 0, to = n ? from + 1 : t->n;
	int rc = 0;

	t->ends.n = 0;
	for (uint32_t i = from; i < to && !rc; i++)
		rc = add_changes(t, &t->node[i], after);
	t->ends.n = each_once(t->ends.v, t->ends.n);
	return rc;
}

bool fsi_line_takes(const struct fsi_line_node *n, const struct fsi_line_want *w, int64_t when)
{
	for (size_t k = 0; k < n->hold.n; k++) {
		const struct fsi_line_hold *h = &n->hold.v[k];

		if (fsi_line_lets_in(h, w) ? h->start < when && h->end >= when : h->start == when)
			return true;
	}
	return false;
}

bool fsi_line_parts(int64_t had, int64_t has, int64_t asked, bool taken_away)
{
	if (has == had)
		return false;
	return has < had ? taken_away || has < asked || had < asked : !taken_away || has < asked || had < asked;
}

int64_t fsi_line_span(struct fsi_timeline *t, uint32_t i, const struct fsi_line_want *w, int64_t at)
{
	const int64_t max = fsi_line_tasks(t, i, w, at), min = max < w->tasks ? max : w->tasks;
	const struct fsi_line_node *n = &t->node[i];
	int64_t count = max ? fsi_line_room_at(n, w, at) : 0;
	unsigned ranges = 1;

	if (!max)
		return 0;
	if (fsi_line_changes(t, n, at))
		return -1;
	for (size_t k = 0; k < t->ends.n; k++) {
		const int64_t when = t->ends.v[k], then = fsi_line_room_at(n, w, when), length = when - at;

		if (!fsi_line_parts(count, then, w->tasks, fsi_line_takes(n, w, when)))
			continue;
		if (then < min || (length >= w->limit_s && (ranges > 1 || then < count)))
			return length;
		count = then;
		ranges++;
	}
	return INT64_MAX;
}

void fsi_line_room(const struct fsi_timeline *t, const struct fsi_line_want *w, int64_t at, int64_t *room)
{
	for (uint32_t i = 0; i < t->n; i++)
		room[i] = fsi_line_tasks(t, i, w, at);
}

int fsi_line_hold(struct fsi_timeline *t, uint32_t node, const struct fsi_line_hold *h)
{
	struct fsi_line_node *n = &t->node[node];

	if (FSI_VEC_ROOM(&n->hold))
		return -1;
	n->hold.v[n->hold.n++] = *h;
	return 0;
}

int fsi_line_take(struct fsi_timeline *t, const struct fsi_line_want *w, int64_t start, int64_t end)
{
	for (uint32_t k = 0; k < t->npieces; k++) {
		struct fsi_line_hold h = { .start = start, .end = end, .job = w->job, .user = w->user };

		for (int r = 0; r < FSI_LINE_RES; r++)
			h.amount[r] = w->whole || (w->alone && r == FSI_LINE_CPU)
					      ? t->node[t->piece[k].node].total[r] : w->task[r] * t->piece[k].tasks;
		if (fsi_line_hold(t, t->piece[k].node, &h))
			return -1;
	}
	return 0;
}

void fsi_line_held(const struct fsi_timeline *t, const struct fsi_line_want *w, int64_t from, bool *held)
{
	for (uint32_t i = 0; i < t->n; i++) {
		held[i] = false;
		for (size_t k = 0; k < t->node[i].hold.n && !held[i]; k++)
			held[i] = t->node[i].hold.v[k].job == w->job ||
				  (t->node[i].hold.v[k].end > from && fsi_line_lets_in(&t->node[i].hold.v[k], w));
	}
}

static void keep_only(struct fsi_timeline *t, bool (*keep)(const struct fsi_line_hold *h, int64_t arg), int64_t arg)
{
	for (uint32_t i = 0; i < t->n; i++) {
		struct fsi_line_node *n = &t->node[i];
		size_t kept = 0;

		for (size_t k = 0; k < n->hold.n; k++)
			if (keep(&n->hold.v[k], arg))
				n->hold.v[kept++] = n->hold.v[k];
		n->hold.n = kept;
	}
}

static bool of_another(const struct fsi_line_hold *h, int64_t job)
{
	return h->job != (uint32_t)job;
}

static bool goes_on(const struct fsi_line_hold *h, int64_t now)
{
	return h->end > now;
}

void fsi_line_drop(struct fsi_timeline *t, uint32_t job)
{
	keep_only(t, of_another, job);
}

void fsi_line_forget(struct fsi_timeline *t, int64_t now)
{
	keep_only(t, goes_on, now);
}

int64_t fsi_line_next(const struct fsi_timeline *t, int64_t after)
{
	int64_t next = INT64_MAX;

	for (uint32_t i = 0; i < t->n; i++) {
		*t->looks += 1 + t->node[i].hold.n;
		for (size_t k = 0; k < t->node[i].hold.n; k++) {
			const struct fsi_line_hold *h = &t->node[i].hold.v[k];

			if (h->start > after && h->start < next)
				next = h->start;
			if (h->end > after && h->end < next)
				next = h->end;
		}
	}
	return next;
}
