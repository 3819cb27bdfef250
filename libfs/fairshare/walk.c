/* The walk of flux-accounting (src/fairness/weighted_tree/weighted_walk.cpp), for any order of siblings. */
#include "fairshare/walk.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A level being walked: row[pos] .. row[end - 1] in the pool. */
struct frame {
	uint32_t pos, end;
};

struct walk {
	struct fsi_fairshare *f;
	const struct fsi_flux_order *order;
	uint32_t *pool; /* the levels on the stack, one behind the other */
	uint32_t *scratch;
	struct frame *stack, *top;
	uint32_t rank, ties;
};

static bool is_user(const struct walk *w, uint32_t row)
{
	return w->f->m->association.v[row].user != 0;
}

/* End of the run of rows that tie with their neighbours. */
static uint32_t run_end(const struct walk *w, const uint32_t *row, uint32_t start, uint32_t n)
{
	uint32_t end = start + 1;

	while (end < n && w->order->tied(w->order->ctx, row[end - 1], row[end]))
		end++;
	return end;
}

/* Users before accounts in a run. */
static void users_first(const struct walk *w, uint32_t *row, uint32_t start, uint32_t end)
{
	uint32_t users = 0, accounts = 0;

	for (uint32_t i = start; i < end; i++)
		if (is_user(w, row[i]))
			row[start + users++] = row[i];
		else
			w->scratch[accounts++] = row[i];
	memcpy(row + start + users, w->scratch, accounts * sizeof(*row));
}

/* Adds the children of an account to the level under construction at the pool's end. */
static uint32_t gather(const struct walk *w, uint32_t parent, uint32_t end)
{
	for (uint32_t k = w->f->first[parent]; k < w->f->first[parent + 1]; k++)
		if (!fsi_flux_dissolved(w->f, w->f->child[k]))
			w->pool[end++] = w->f->child[k];
	return end;
}

static int sort_level(const struct walk *w, uint32_t start, uint32_t end)
{
	if (fs_sort(w->pool + start, end - start, sizeof(*w->pool), w->order->compare,
		    w->order->ctx))
		return -1;
	for (uint32_t at = start, next; at < end; at = next) {
		next = run_end(w, w->pool, at, end);
		users_first(w, w->pool, at, next);
	}
	return 0;
}

static bool ties_with_next(const struct walk *w, const struct frame *level, uint32_t at)
{
	const uint32_t *row = w->pool + at;

	return at + 1 < level->end && is_user(w, row[0]) == is_user(w, row[1]) &&
	       w->order->tied(w->order->ctx, row[0], row[1]);
}

/* Places a run of rows that tie, users in front: each kind shares a place. */
static void place_run(const struct walk *w, uint32_t start, uint32_t end, uint32_t first)
{
	const bool other_kind_ties = is_user(w, w->pool[start]) != is_user(w, w->pool[end - 1]);
	const struct frame run = { start, end };

	for (uint32_t at = start, next; at < end; at = next) {
		next = at + 1;
		while (ties_with_next(w, &run, next - 1))
			next++;
		for (uint32_t i = at; i < next; i++) {
			struct fsi_share *s = &w->f->share[w->pool[i]];

			s->place = at - first + 1;
			s->peers = next - at - 1;
			s->other_kind_ties = other_kind_ties;
		}
	}
}

/* Adds the children of an account behind *end as a level of their own: sorted, with their places in it. */
static int add_level(const struct walk *w, uint32_t parent, uint32_t *end)
{
	const uint32_t start = *end;

	*end = gather(w, parent, start);
	if (sort_level(w, start, *end))
		return -1;
	for (uint32_t at = start, next; at < *end; at = next) {
		next = run_end(w, w->pool, at, *end);
		place_run(w, at, next, start);
	}
	return 0;
}

static void take_user(struct walk *w, uint32_t row, bool tied)
{
	struct fsi_share *s = &w->f->share[row];

	s->rank = w->rank;
	s->factor = (double)w->rank / (double)w->f->users;
	w->ties++;
	if (!tied) {
		w->rank -= w->ties;
		w->ties = 0;
	}
}

/* All accounts that tie with this one are walked as one. */
static int take_accounts(struct walk *w)
{
	struct frame *level = w->top;
	const uint32_t start = level->end, first = level->pos;
	uint32_t end = start;
	bool more;

	do {
		more = ties_with_next(w, level, level->pos);
		if (add_level(w, w->pool[level->pos++], &end))
			return -1;
	} while (more);
	if (level->pos - first > 1 && sort_level(w, start, end))
		return -1;
	*++w->top = (struct frame){ start, end };
	return 0;
}

static int walk(struct walk *w)
{
	while (w->top >= w->stack) {
		struct frame *level = w->top;
		const uint32_t at = level->pos;

		if (at == level->end) {
			w->top--;
		} else if (is_user(w, w->pool[at])) {
			level->pos++;
			take_user(w, w->pool[at], ties_with_next(w, level, at));
		} else if (take_accounts(w)) {
			return -1;
		}
	}
	return 0;
}

int fsi_flux_walk(struct fsi_fairshare *f, const struct fsi_flux_order *order)
{
	const size_t n = (size_t)f->n + 2;
	struct walk w = { .f = f, .order = order, .rank = f->users };
	int rc = -1;

	w.pool = malloc(2 * n * sizeof(*w.pool));
	w.stack = malloc(n * sizeof(*w.stack));
	if (w.pool && w.stack) {
		w.scratch = w.pool + n;
		w.top = w.stack;
		*w.top = (struct frame){ 0, 0 };
		rc = add_level(&w, 0, &w.top->end);
		if (!rc)
			rc = walk(&w);
	}
	free(w.pool);
	free(w.stack);
	return rc;
}

static long double bank_usage(const struct fsi_fairshare *f, uint32_t bank)
{
	double sum = f->own_usage[bank];

	for (uint32_t c = bank + 1; c < f->m->tree[bank].end; c = f->m->tree[c].end)
		if (!f->m->tree[c].uncounted)
			sum += (double)f->share[c].usage_raw;
	return sum;
}

static uint64_t level_shares(const struct fsi_fairshare *f, uint32_t parent)
{
	uint64_t sum = 0;

	for (uint32_t k = f->first[parent]; k < f->first[parent + 1]; k++)
		if (fsi_flux_competes(f, f->child[k]))
			sum += f->m->association.v[f->child[k]].shares;
	return sum;
}

bool fsi_flux_levels(struct fsi_fairshare *f)
{
	bool known = f->m->tree[0].end == f->n; /* one root */

	for (uint32_t i = f->n; i-- > 0;) {
		const bool competes = fsi_flux_competes(f, i);

		f->share[i].factor = f->share[i].printed = NAN;
		f->share[i].level_fs = f->share[i].usage_efctv = NAN;
		f->share[i].low = f->share[i].high = f->share[i].position = NAN;
		if (f->m->tree[i].uncounted)
			continue;
		known = known && !isnan(f->share[i].usage_raw) &&
			(!i || !competes || f->share[i].level_known);
		if (!f->m->association.v[i].user)
			f->share[i].usage_raw = bank_usage(f, i);
	}
	for (uint32_t p = 0; p < f->n; p++) {
		const uint64_t sum = level_shares(f, p);

		for (uint32_t k = f->first[p]; k < f->first[p + 1]; k++) {
			const uint32_t row = f->child[k];
			const double shares = f->m->association.v[row].shares;

			f->share[row].shares_norm = !fsi_flux_competes(f, row) ? (double)NAN
						    : sum ? shares / (double)sum : 0;
		}
	}
	f->share[0].shares_norm = 1;
	fsi_usage_norm(f);
	return known;
}
