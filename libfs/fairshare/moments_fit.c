/* The runs that classic shares tell of: of each account NormUsage is t / t(root) from before the last run's additions,
 * and one whole second, that of the run before, makes all of them come out as printed. */
#include "fairshare/narrow.h"

#include "model/job/last_run.h"
#include "usage/usage.h"

#include <math.h>
#include <string.h>

enum {
	CLOSE_S = 512,       /* every second so far back is tried, */
	FINER = 64,          /* then steps of that part of the distance, */
	FURTHEST_S = 86400,  /* at most so far, where a restart may lie between the two runs */
	LATE_START_S = 4,    /* a controller calculates first so soon after its start */
	MAX_OFF_S = 16,
	MAX_TRIES = 128,
};

struct tracked {
	uint32_t row;
	double printed, error; /* and how far usage as captured may let it be off */
	long double before;    /* rates of the jobs that ran before all runs that are tried */
	long double missing;   /* scratch */
};

struct fit {
	fs_snapshot *m;
	struct fsi_arena arena;
	struct fsi_moments w;
	long double *usage; /* by row, with all below, as captured */
	struct tracked *row;
	uint32_t *track; /* by association: its index in `row`, or FSI_NO_INDEX */
	size_t rows;
	struct fsi_missing *of_users; /* scratch, by row */
	uint32_t *young; /* rates of the other jobs */
	size_t youngs;
	int64_t earliest; /* no run before that is tried */
	long double root_before;
};

struct range {
	int64_t from, to;
};

struct found {
	int64_t run, before;
	double score;  /* sum of squares of what is off */
	size_t agree;  /* rows that are not off by more than their error */
};

/* ---- accounts ---- */

static void track_accounts(struct fit *x)
{
	const fs_snapshot *m = x->m;
	const double half_digit = m->head.whole_shares ? 1e-12 : 0.5e-6, root = (double)x->usage[0];
	double below, above;

	fsi_captured_error(m, &below, &above);
	for (uint32_t i = 0; i < m->association.n; i++)
		x->track[i] = FSI_NO_INDEX;
	for (size_t k = 0; k < m->recorded.n; k++) {
		const struct fsi_recorded *r = &m->recorded.v[k];
		const uint32_t i = FSI_HAS(r, RECORDED, association) && FSI_HAS(r, RECORDED, norm_usage)
					   ? fsi_assoc_by_id(m, r->association)
					   : FSI_NO_INDEX;

		if (i == FSI_NO_INDEX || i == 0 || m->association.v[i].user || x->track[i] != FSI_NO_INDEX)
			continue;
		x->track[i] = (uint32_t)x->rows;
		x->row[x->rows++] = (struct tracked){
			.row = i,
			.printed = r->norm_usage,
			.error = half_digit + fmax(below, above) / root *
						      ((double)(m->tree[i].end - i) +
						       r->norm_usage * (double)m->association.n),
		};
	}
}

static void split_rates(struct fit *x)
{
	for (uint32_t k = 0; k < x->w.rates.n; k++) {
		const struct fsi_rate *r = &x->w.rates.v[k];

		if (r->start > x->earliest || r->end != INT64_MAX) {
			x->young[x->youngs++] = k;
			continue;
		}
		x->root_before += r->rate;
		for (uint32_t i = r->row; i != FSI_NO_INDEX; i = x->m->tree[i].parent)
			if (x->track[i] != FSI_NO_INDEX)
				x->row[x->track[i]].before += r->rate;
	}
}

/* What fsi_moments_fill computes, for accounts alone. */
static long double find_missing(struct fit *x, int64_t run, int64_t before)
{
	const struct fsi_rates *rates = &x->w.rates;
	const double once = run > before ? fsi_decay_at_once(&rates->decay, run - before) : 0;
	long double root = x->root_before * once;

	for (size_t k = 0; k < x->rows; k++)
		x->row[k].missing = x->row[k].before * once;
	for (size_t k = 0; k < x->youngs; k++) {
		const struct fsi_rate *r = &rates->v[x->young[k]];
		double charge = r->end > run ? fsi_rate_charge(rates, r, before, run) : 0;

		if (r->end != INT64_MAX && rates->decay.end_charged)
			charge += fsi_rate_charge(rates, r, run, r->end);
		root += charge;
		for (uint32_t i = charge > 0 ? r->row : FSI_NO_INDEX; i != FSI_NO_INDEX;
		     i = x->m->tree[i].parent)
			if (x->track[i] != FSI_NO_INDEX)
				x->row[x->track[i]].missing += charge;
	}
	return root;
}

static struct found try_runs(struct fit *x, int64_t run, int64_t before)
{
	struct found out = { .run = run, .before = before };
	const long double root = find_missing(x, run, before);

	for (size_t k = 0; k < x->rows; k++) {
		const struct tracked *t = &x->row[k];
		const struct fsi_missing missing = { t->missing, root };
		const double off =
			(double)fsi_moment_share(&missing, x->usage[t->row], x->usage[0]) - t->printed;

		out.score += off * off;
		out.agree += fabs(off) <= t->error;
	}
	return out;
}

static void keep_better(struct found *best, struct found other)
{
	if (other.score < best->score)
		*best = other;
}

static int64_t step_at(int64_t distance)
{
	return distance < CLOSE_S ? 1 : distance / FINER;
}

/* The best run before a given one; *worst: the worst score of all that were tried. */
static struct found best_before(struct fit *x, int64_t run, double *worst)
{
	const int64_t furthest = run - x->earliest;
	struct found best = try_runs(x, run, run - fsi_calc_period(x->m));
	int64_t coarse;

	*worst = best.score;
	for (int64_t d = 0; d <= furthest; d += step_at(d)) {
		const struct found here = try_runs(x, run, run - d);

		*worst = fmax(*worst, here.score);
		keep_better(&best, here);
	}
	coarse = run - best.before;
	for (int64_t d = coarse - step_at(coarse) + 1; d < coarse + step_at(coarse); d++)
		if (d >= 0)
			keep_better(&best, try_runs(x, run, run - d));
	return best;
}

/* The times at which the run may have been: one that was printed is right to the second, one that is counted from
 * the start may be off. */
static struct range run_range(const fs_snapshot *m)
{
	const int64_t error = m->info.priority_time_error_s;

	if (!strcmp(m->info.priority_time_from, FSI_RUN_FROM_START))
		return (struct range){ 0, LATE_START_S };
	if (error <= 0)
		return (struct range){ 0, 0 };
	return error < MAX_OFF_S ? (struct range){ -error, error } : (struct range){ -MAX_OFF_S, MAX_OFF_S };
}

/* Another run is taken only if it decides for more rows, or fits by far better. */
static void try_other_run(struct fit *x, struct found *best, int64_t run)
{
	struct found other;
	double worst;

	if (run == best->run || run > x->m->head.time || run <= x->earliest)
		return;
	other = best_before(x, run, &worst);
	if (other.agree > best->agree || (other.agree == best->agree && other.score < best->score / 4))
		*best = other;
}

static void find_runs(struct fit *x, struct found *best, double *worst)
{
	const int64_t first = x->m->info.priority_time, period = fsi_calc_period(x->m);
	const struct range range = run_range(x->m);
	const bool by_start = !strcmp(x->m->info.priority_time_from, FSI_RUN_FROM_START);

	*best = best_before(x, first, worst);
	for (int64_t s = range.from; s <= range.to; s++) {
		try_other_run(x, best, first + s);
		if (by_start)
			try_other_run(x, best, first + s - period);
	}
}

/* How well what was printed of users comes out: of those whom the run computed, or of the others. */
static double score_of_users(struct fit *x, const struct fsi_moment_times *t, bool by_run)
{
	double score = 0;

	fsi_moments_fill(&x->w, t, x->of_users);
	for (size_t k = 0; k < x->m->recorded.n; k++) {
		const struct fsi_recorded *r = &x->m->recorded.v[k];
		const uint32_t i = FSI_HAS(r, RECORDED, association) && FSI_HAS(r, RECORDED, norm_usage)
					   ? fsi_assoc_by_id(x->m, r->association)
					   : FSI_NO_INDEX;
		double off;

		if (i == FSI_NO_INDEX || !x->m->association.v[i].user ||
		    (x->w.turn[i] != UINT64_MAX) != by_run)
			continue;
		off = (double)fsi_moment_share(&x->of_users[i], x->usage[i], x->usage[0]) - r->norm_usage;
		score += off * off;
	}
	return score;
}

/* How far from the best one a run before may be for as many accounts to agree. */
static int64_t spread(struct fit *x, const struct found *best, int64_t step)
{
	int64_t s = 0;

	while (s < CLOSE_S && best->before + step * (s + 1) <= best->run &&
	       try_runs(x, best->run, best->before + step * (s + 1)).agree >= best->agree)
		s++;
	return s;
}

/* Of the seconds that accounts leave open, takes the one with which most of what was printed of users comes out. */
static int64_t decide_by_users(struct fit *x, const struct found *best, int64_t from, int64_t to)
{
	struct fsi_moment_times t = { best->run, best->before, x->m->head.time, best->run };
	double min = score_of_users(x, &t, true);
	int64_t found = best->before, step = (to - from) / MAX_TRIES + 1;

	for (;; step = 1) {
		for (t.before = from; t.before <= to; t.before += step) {
			const double score = score_of_users(x, &t, true);

			if (score < min) {
				min = score;
				found = t.before;
			}
		}
		if (step == 1)
			return found;
		from = found - step > from ? found - step : from;
		to = found + step < to ? found + step : to;
	}
}

static int put_runs(struct fit *x, const struct found *best, bool by_shares)
{
	struct fsi_header *h = &x->m->head;

	if (by_shares && best->run != x->m->info.priority_time) {
		h->priority_time = best->run;
		h->priority_time_from = fsi_name(x->m, FSI_RUN_FROM_SHARES);
		h->priority_time_error_s = 0;
		FSI_SET(h, SNAPSHOT, priority_time);
		FSI_SET(h, SNAPSHOT, priority_time_from);
		FSI_SET(h, SNAPSHOT, priority_time_error_s);
	}
	h->priority_time_before = x->m->info.priority_time - fsi_calc_period(x->m);
	if (by_shares) {
		const int64_t from = best->before - spread(x, best, -1), to = best->before + spread(x, best, 1);
		const int64_t found = from < to ? decide_by_users(x, best, from, to) : best->before;

		h->priority_time_before = found;
		h->priority_time_before_error_s = (uint32_t)(to - found > found - from ? to - found : found - from);
		FSI_SET(h, SNAPSHOT, priority_time_before_error_s);
	}
	h->priority_time_before_from = fsi_name(x->m, by_shares ? FSI_RUN_FROM_SHARES : FSI_RUN_FROM_PERIOD);
	FSI_SET(h, SNAPSHOT, priority_time_before);
	FSI_SET(h, SNAPSHOT, priority_time_before_from);
	fsi_set_last_run(x->m);
	return h->priority_time_from == FSI_INTERN_FAILED ||
			       h->priority_time_before_from == FSI_INTERN_FAILED
		       ? -1
		       : 0;
}

/* The first question came before or after each job that ended since the run: the stretch with which most comes out
 * is taken. */
static void find_asked(struct fit *x)
{
	const size_t n = x->w.rates.n, step = n / MAX_TRIES + 1;
	struct fsi_moment_times t = fsi_moment_times(x->m, NULL);
	const double unasked = score_of_users(x, &t, false);
	double best = unasked;

	for (size_t k = 0; k < n + 1; k += step) {
		const int64_t end = k ? x->w.rates.v[x->w.by_end[k - 1]].end : t.run;
		double score;

		if (end < t.run || end == INT64_MAX)
			continue;
		t.asked = end;
		score = score_of_users(x, &t, false);
		if (score < best) {
			best = score;
			x->m->head.shares_time = end;
		}
	}
	if (best < unasked)
		FSI_SET(&x->m->head, SNAPSHOT, shares_time);
	fsi_set_last_run(x->m);
}

/* ---- */

static int prepare(struct fit *x)
{
	const fs_snapshot *m = x->m;
	const int64_t period = fsi_calc_period(m), run = m->info.priority_time;
	const size_t n = m->association.n + 1;
	int64_t start, back = 2 * period + CLOSE_S;

	if (fsi_start_time(m, &start) && run - start < period)
		back = FURTHEST_S; /* the run before was in the life of the controller before */
	x->earliest = run - (back < FURTHEST_S ? back : FURTHEST_S);
	if (fsi_moments_init(&x->w, m, NULL, run - period - LATE_START_S, &x->arena))
		return -1;
	x->usage = fsi_arena_array(&x->arena, n, sizeof(*x->usage));
	x->row = fsi_arena_array(&x->arena, n, sizeof(*x->row));
	x->track = fsi_arena_array(&x->arena, n, sizeof(*x->track));
	x->young = fsi_arena_array(&x->arena, x->w.rates.n + 1, sizeof(*x->young));
	x->of_users = fsi_arena_array(&x->arena, n, sizeof(*x->of_users));
	if (!x->usage || !x->of_users || !x->row || !x->track || !x->young)
		return -1;
	fsi_usage_totals(m, NULL, x->usage);
	track_accounts(x);
	split_rates(x);
	return 0;
}

static int fit(struct fit *x)
{
	struct found best = { 0 };
	double worst = 0;
	bool by_shares;

	if (prepare(x))
		return -1;
	if (x->rows && x->usage[0] > 0)
		find_runs(x, &best, &worst);
	by_shares = x->rows && best.score < worst && 10 * best.agree >= 9 * x->rows;
	if (put_runs(x, &best, by_shares))
		return -1;
	find_asked(x);
	return 0;
}

int fsi_moments_fit(fs_snapshot *m)
{
	struct fit x = { .m = m };
	int rc;

	if (!fsi_algorithm_find(m, NULL)->mixes_moments || !m->info.priority_time_known)
		return 0;
	rc = fit(&x);
	fsi_arena_release(&x.arena);
	return rc;
}
