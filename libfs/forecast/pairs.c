#include "fairshare/fairshare.h"
#include "forecast/forecast.h"
#include "queue/queue.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- pairs of siblings
 *
 * In Fair Tree and Flux, the order of two users is the order of two siblings. The two siblings are the rows directly
 * below the lowest common ancestor of the users: each is an ancestor of one user, or the user's own row. The sibling
 * with less usage per share is ahead. The usage of a sibling is a decaying sum plus charges at constant rates. The
 * difference between two siblings is thus linear in the decay, and has at most one zero between two changes of
 * rates. */

static double get_own_shares(const struct fs_share_row *r)
{
	return r->counted && r->shares_kind == FS_SHARES_NUMBER ? r->raw_shares : 0;
}

/* Returns a negative value if p->a is ahead of p->b, a positive value if p->a is behind p->b, 0 if both are equal. */
static double compute_pair_difference(const fs_usage *u, const struct fsi_sibling_pair *p)
{
	const double noise = 1e-12;
	const double a = fs_usage_total(u, p->a) * p->shares_b, b = fs_usage_total(u, p->b) * p->shares_a;

	return fabs(a - b) <= noise * (a + b) ? 0 : a - b;
}

static int add_sibling_pairs(struct fs_forecast *f, uint32_t a, bool own)
{
	const fs_shares *s = f->o.eval->shares;
	size_t next = FS_NO_ROW;

	for (uint32_t b = 0; b < fs_shares_count(s); b++) {
		const struct fs_share_row *row = fs_shares_row(s, b);
		const struct fsi_sibling_pair p = { .a = a,
						    .b = b,
						    .own = own && row->visible,
						    .shares_a = get_own_shares(fs_shares_row(s, a)),
						    .shares_b = get_own_shares(row) };

		if (a == b || f->parent[b] != f->parent[a] || p.shares_a == 0 || p.shares_b == 0 || f->is_paired[b])
			continue;
		if (FSI_VEC_RESERVE(&f->pair))
			return -1;
		if (p.own && row->level_fs > fs_shares_row(s, a)->level_fs &&
		    (next == FS_NO_ROW || row->level_fs < fs_shares_row(s, f->pair.v[next].b)->level_fs))
			next = f->pair.n;
		f->pair.v[f->pair.n++] = p;
	}
	if (next != FS_NO_ROW)
		f->pair.v[next].is_next_ahead = true;
	f->is_paired[a] = true;
	return 0;
}

int fsi_forecast_add_pairs(struct fs_forecast *f, uint32_t row, bool own)
{
	if (row == FS_NO_ROW || !fs_shares_has_levels(f->o.eval->shares))
		return 0;
	for (uint32_t a = row; a != FS_NO_ROW && f->parent[a] != FS_NO_ROW; a = f->parent[a])
		if (fs_shares_row(f->o.eval->shares, a)->shares_kind == FS_SHARES_NUMBER && !f->is_paired[a] &&
		    add_sibling_pairs(f, a, own))
			return -1;
	return 0;
}

struct pair_query {
	struct fs_forecast *f;
	enum fs_assumption a;
	const struct fsi_sibling_pair *pair;
};

static int evaluate_pair_query(void *ctx, fsi_calculation k, double *g)
{
	const struct pair_query *q = ctx;
	struct fsi_forecast_state s;
	const int rc = fsi_forecast_compute_state(q->f, q->a, k, FSI_STATE_USAGE, &s);

	if (!rc)
		*g = compute_pair_difference(s.usage, q->pair);
	fsi_forecast_release_state(&s);
	return rc;
}

static int record_pair_event(struct fs_forecast *f, enum fs_assumption a, struct fsi_sibling_pair *p, fsi_calculation k,
			     bool passes)
{
	struct fs_forecast_event e =
		fsi_forecast_make_event(f, 1u << a, passes ? FS_FORECAST_PASSES : FS_FORECAST_PASSED);
	int rc;

	e.time = fsi_forecast_time_of(f, k);
	e.own = p->a;
	e.other = p->b;
	if (passes)
		p->passed_under |= 1u << a;
	if (k > f->range.until && !(p->is_next_ahead && passes))
		return 0;
	rc = fsi_forecast_fill_event(f, a, k, &e);
	return rc ? rc : fsi_forecast_record_event(f, &e) ? FS_ENOMEM : 0;
}

static int record_pair_flip(struct fs_forecast *f, enum fs_assumption a, struct fsi_sibling_pair *p, fsi_calculation lo,
			    double g_lo, fsi_calculation hi, double g_hi)
{
	struct pair_query q = { f, a, p };
	fsi_calculation k;
	int rc = fsi_forecast_solve_crossing(f, evaluate_pair_query, &q, true, lo, g_lo, hi, g_hi, &k);

	if (!rc && fsi_forecast_add_change(f, &f->calculations.flip, k))
		rc = FS_ENOMEM;
	if (!rc && p->own)
		rc = record_pair_event(f, a, p, k, g_hi < 0);
	return rc;
}

int fsi_forecast_record_flips(struct fs_forecast *f, enum fs_assumption a)
{
	const size_t n = f->calculations.bend.n;
	double *g = fsi_arena_array(&f->arena, f->pair.n + 1, sizeof(*g));
	int rc = g ? 0 : FS_ENOMEM;

	for (size_t i = 0; i < n && !rc && f->pair.n; i++) {
		const fsi_calculation k = f->calculations.bend.v[i], before = i ? f->calculations.bend.v[i - 1] : 0;
		struct fsi_forecast_state s;

		rc = fsi_forecast_compute_state(f, a, k, FSI_STATE_USAGE, &s);
		for (size_t j = 0; j < f->pair.n && !rc; j++) {
			struct fsi_sibling_pair *p = &f->pair.v[j];
			const double d = compute_pair_difference(s.usage, p);

			/* A sibling whose usage per share becomes equal to that of another sibling does not overtake
			 * the other sibling. If all users use exactly their shares, the two values become equal and
			 * remain equal. */
			if (i && fsi_get_sign(d) && fsi_get_sign(d) != fsi_get_sign(g[j]))
				rc = record_pair_flip(f, a, p, before, g[j], k, d);
			if (!i || fsi_get_sign(d))
				g[j] = d;
		}
		fsi_forecast_release_state(&s);
	}
	return rc;
}

int fsi_forecast_record_unmet_pairs(struct fs_forecast *f)
{
	for (size_t i = 0; i < f->pair.n; i++)
		for (int a = 0; f->pair.v[i].is_next_ahead && a < FS_ASSUMPTION_COUNT; a++) {
			struct fs_forecast_event e = fsi_forecast_make_event(f, 1u << a, FS_FORECAST_PASSES);

			e.never = fsi_forecast_is_exact(f, (enum fs_assumption)a);
			e.own = f->pair.v[i].a;
			e.other = f->pair.v[i].b;
			if (!(f->pair.v[i].passed_under >> a & 1) && fsi_forecast_record_event(f, &e))
				return -1;
		}
	return 0;
}

/* ---- the followed job and its neighbour jobs
 *
 * Age factors grow linearly until they are full. Other factors change smoothly, except at the priority calculations at
 * which a row of the share tree passes a sibling. The list f->calculations.bend has these priority calculations, and
 * those at which an age factor becomes full. Between two neighbours in this list, two priorities cross at most once. */

static int add_rival_job(struct fs_forecast *f, size_t own, size_t row, bool ahead)
{
	const fs_queue *q = f->o.eval->queue;
	const enum fs_queue_key key = fs_queue_deciding_key(q, own, row);
	struct fs_queue_place p;
	struct fsi_rival_job r;

	fs_queue_place(q, row, &p);
	if (p.job_row == f->o.job_row || !p.visible)
		return 0;
	if (key != FS_QUEUE_KEY_PRIORITY && key != FS_QUEUE_KEY_SUBMIT && key != FS_QUEUE_KEY_JOBID &&
	    key != FS_QUEUE_KEY_TASK && key != FS_QUEUE_KEY_EARLIER && key != FS_QUEUE_KEY_OPEN)
		return 0;
	for (size_t i = 0; i < f->rival.n; i++)
		if (f->rival.v[i].job == p.job_row)
			return 0;
	r = (struct fsi_rival_job){ .job = p.job_row,
				    .ahead = ahead,
				    .wins_ties = key == FS_QUEUE_KEY_PRIORITY
							 ? fsi_forecast_is_record_ahead(q, row, own)
							 : ahead };
	if (FSI_VEC_RESERVE(&f->rival))
		return -1;
	f->rival.v[f->rival.n++] = r;
	return 0;
}

static size_t find_own_queue_row(struct fs_forecast *f)
{
	const fs_queue *q = f->o.eval->queue;
	struct fs_queue_row row;
	struct fs_queue_place p;

	for (size_t i = 0; i < fs_queue_count(q); i++) {
		fs_queue_place(q, i, &p);
		if (p.job_row != f->o.job_row || !p.eligible)
			continue;
		fs_queue_row(q, i, &row);
		f->partition = row.partition;
		return i;
	}
	return FS_NO_ROW;
}

static int add_near_rivals(struct fs_forecast *f, size_t own)
{
	const fs_queue *q = f->o.eval->queue;
	struct fs_queue_place p;
	size_t n_found = 0;

	fs_queue_place(q, own, &p);
	for (size_t i = p.before, n = 0; i != FS_NO_ROW && n < FSI_RIVALS_PER_SIDE; i = p.before, n++) {
		if (add_rival_job(f, own, i, true))
			return -1;
		fs_queue_place(q, i, &p);
	}
	for (size_t i = own + 1; i < fs_queue_count(q) && n_found < FSI_RIVALS_PER_SIDE; i++) {
		fs_queue_place(q, i, &p);
		if (!p.eligible ||
		    (!fs_queue_has_single_order(q) && (!p.partition || strcmp(p.partition, f->partition) != 0)))
			continue;
		if (add_rival_job(f, own, i, false))
			return -1;
		n_found++;
	}
	return 0;
}

/* For Maui, finds no neighbour jobs, because the forecast cannot compute when the priorities of two Maui jobs cross. */
int fsi_forecast_find_rivals(struct fs_forecast *f)
{
	const bool has_rivals = f->o.job_row != FS_NO_ROW && f->o.eval->queue && !f->windows;
	const size_t own = has_rivals ? find_own_queue_row(f) : FS_NO_ROW;

	return own == FS_NO_ROW ? 0 : add_near_rivals(f, own);
}

/* ---- values of the followed share row and of the followed job at each calculation */

struct subject_query {
	struct fs_forecast *f;
	enum fs_assumption a;
	/* neighbour job to compare with the followed job; NULL: the query is about the factor, rank or usage of the
	 * followed row */
	struct fsi_rival_job *rival;
	double level;
	bool by_rank, of_target;
};

/* Returns (factor or rank of the followed row) - q->level. If q->of_target is true, returns (target of the row) - (its
 * usage). NAN: unknown. */
static double compute_level_distance(const struct subject_query *q, const struct fsi_forecast_state *s)
{
	const struct fs_share_row *r = fsi_forecast_find_share(q->f, s);

	if (!r)
		return NAN;
	if (q->of_target)
		return (double)(r->norm_shares - r->effective_usage);
	return (q->by_rank ? (double)r->rank : fs_share_factor(r)) - q->level;
}

static int evaluate_subject_query(void *ctx, fsi_calculation k, double *g)
{
	const struct subject_query *q = ctx;
	struct fsi_forecast_state s;
	const int rc = fsi_forecast_compute_state(q->f, q->a, k, q->rival ? FSI_STATE_PRIOS : FSI_STATE_SHARES, &s);

	if (!rc)
		*g = q->rival ? fsi_forecast_rival_lead(q->f, s.prios, q->rival)
			      : compute_level_distance(q, &s);
	fsi_forecast_release_state(&s);
	return rc;
}

struct subject_walk {
	struct fs_forecast *f;
	enum fs_assumption a;
	fsi_calculation before, k;
	struct fs_forecast_point first;
	/* Values at the previous calculation. `lead`: lead of each neighbour job over the followed job; negative if the
	 * neighbour job is behind. `half`: factor - 0.5; for Maui, target - usage. `goal`: (factor or rank) - (goal of
	 * the forecast). */
	double *lead, half, goal;
	bool reached;
	size_t point;
};

static int record_subject_event(const struct subject_walk *w, struct subject_query q, enum fs_forecast_kind kind,
				double g_lo, double g_hi)
{
	struct fs_forecast *f = w->f;
	struct fsi_rival_job *r = q.rival;
	struct fs_forecast_event e = fsi_forecast_make_event(f, 1u << w->a, kind);
	fsi_calculation k;
	int rc;

	e.own = f->row;
	e.other_job = r ? r->job : FS_NO_ROW;
	q.f = f;
	q.a = w->a;
	rc = fsi_forecast_solve_crossing(f, evaluate_subject_query, &q, !r, w->before, g_lo, w->k, g_hi, &k);

	if (rc)
		return rc;
	if (r && kind == FS_FORECAST_JOB_PASSES)
		r->passed_under |= 1u << w->a;
	if (k > f->range.until && kind != FS_FORECAST_JOB_PASSES && kind != FS_FORECAST_GOAL)
		return 0;
	e.time = fsi_forecast_time_of(f, k);
	rc = fsi_forecast_fill_event(f, w->a, k, &e);
	return rc ? rc : fsi_forecast_record_event(f, &e) ? FS_ENOMEM : 0;
}

/* Records an event when the followed job passes a neighbour job, or a neighbour job passes it. At the snapshot's time,
 * the queue's order may contradict the priorities of the two jobs. Such a contradiction alone causes no event. Reason
 * for the contradiction: a job with several QOS has one priority for each of them, and the queue may sort the job by
 * the priority for the QOS that the scheduler tries last. */
static int check_rival_leads(struct subject_walk *w, const struct fsi_forecast_state *s)
{
	struct fs_forecast *f = w->f;
	int rc = 0;

	for (size_t i = 0; i < f->rival.n && !rc; i++) {
		double g = fsi_forecast_rival_lead(f, s->prios, &f->rival.v[i]);

		if (!w->k && (f->rival.v[i].ahead ? g < 0 : g > 0)) {
			f->rival.v[i].passed_under |= 1u << w->a;
			g = (double)NAN;
		}
		if (w->k && fsi_get_sign(g) * fsi_get_sign(w->lead[i]) < 0)
			rc = record_subject_event(w, (struct subject_query){ .rival = &f->rival.v[i] },
						  g < 0 ? FS_FORECAST_JOB_PASSES : FS_FORECAST_JOB_PASSED, w->lead[i],
						  g);
		w->lead[i] = g;
	}
	return rc;
}

/* Records an event when the fair-share factor of the followed row crosses 0.5, the factor at which usage equals shares.
 * For Maui, records an event when the usage of the followed row crosses its target. Records nothing if the algorithm
 * ranks users. */
static int check_half_factor(struct subject_walk *w, const struct fsi_forecast_state *s)
{
	struct fs_forecast *f = w->f;
	const struct subject_query q = { .f = f, .level = 0.5, .of_target = f->windows != NULL };
	double g;
	int rc = 0;

	if (f->row == FS_NO_ROW || fs_shares_has_levels(s->shares))
		return 0;
	g = compute_level_distance(&q, s);
	if (w->k && fsi_get_sign(g) * fsi_get_sign(w->half) < 0)
		rc = record_subject_event(w, q, f->windows ? FS_FORECAST_TARGET : FS_FORECAST_HALF, w->half, g);
	w->half = g;
	return rc;
}

/* Records an event when the factor or rank reaches or exceeds the goal that the caller set. */
static int check_factor_goal(struct subject_walk *w, const struct fsi_forecast_state *s)
{
	struct fs_forecast *f = w->f;
	const bool by_rank = f->o.goal_rank;
	const double level = by_rank ? (double)f->o.goal_rank : f->o.goal_factor, noise = 1e-12;
	const struct subject_query q = { .f = f, .level = level - noise, .by_rank = by_rank };
	double g;
	int rc = 0;

	if (f->row == FS_NO_ROW || !(level > 0) || w->reached)
		return 0;
	g = compute_level_distance(&q, s);
	if (w->k && w->goal < 0 && g > 0)
		rc = record_subject_event(w, q, FS_FORECAST_GOAL, w->goal, g);
	w->reached = g > 0;
	w->goal = g;
	return rc;
}

/* If the caller set a goal and the followed share row has not reached it, records an event with the values at the last
 * priority calculation examined. */
static int record_missed_goal(const struct subject_walk *w, const struct fsi_forecast_state *s)
{
	struct fs_forecast *f = w->f;
	struct fs_forecast_event e = fsi_forecast_make_event(f, 1u << w->a, FS_FORECAST_GOAL);

	if (w->reached || f->row == FS_NO_ROW || !(f->o.goal_rank || f->o.goal_factor > 0))
		return 0;
	e.own = f->row;
	e.never = f->range.endless && (f->is_constant[w->a] || fsi_forecast_is_exact(f, w->a));
	e.before = e.after = fsi_forecast_make_point(f, s, w->k);
	return fsi_forecast_record_event(f, &e) ? FS_ENOMEM : 0;
}

static bool is_nearly_same(double a, double b)
{
	const double noise = 1e-9;

	return (isnan(a) && isnan(b)) || fabs(a - b) <= noise;
}

/* Stores the values at calculation w->k in all forecast points that have the time of this calculation. Sets
 * f->is_constant to false if factor or rank has changed. Ignores changes up to calculation 1 + f->clock.lag, for two
 * reasons: the first calculation also charges time before the snapshot, and the usage_norm of accounts lags behind
 * charges by f->clock.lag calculations. */
static void record_current_points(struct subject_walk *w, const struct fsi_forecast_state *s)
{
	struct fs_forecast *f = w->f;
	const struct fs_forecast_point p = fsi_forecast_make_point(f, s, w->k);

	if (w->k <= 1 + f->clock.lag)
		w->first = p;
	if (!is_nearly_same(p.fairshare, w->first.fairshare) || p.rank != w->first.rank)
		f->is_constant[w->a] = false;
	while (w->point < f->o.points && f->point[w->a][w->point].time == p.time)
		f->point[w->a][w->point++] = p;
}

int fsi_forecast_follow_subject(struct fs_forecast *f, enum fs_assumption a)
{
	struct subject_walk w = { .f = f, .a = a, .lead = fsi_arena_array(&f->arena, f->rival.n + 1, sizeof(double)) };
	int rc = w.lead ? 0 : FS_ENOMEM;

	f->is_constant[a] = true;
	for (size_t i = 0; i < f->calculations.bend.n && !rc; i++) {
		struct fsi_forecast_state s;

		w.before = w.k;
		w.k = f->calculations.bend.v[i];
		rc = fsi_forecast_compute_state(f, a, w.k, FSI_STATE_PRIOS, &s);
		if (!rc)
			record_current_points(&w, &s);
		if (!rc)
			rc = check_rival_leads(&w, &s);
		if (!rc)
			rc = check_half_factor(&w, &s);
		if (!rc)
			rc = check_factor_goal(&w, &s);
		if (!rc && i + 1 == f->calculations.bend.n)
			rc = record_missed_goal(&w, &s);
		fsi_forecast_release_state(&s);
	}
	return rc;
}

int fsi_forecast_record_unmet_rivals(struct fs_forecast *f)
{
	for (size_t i = 0; i < f->rival.n; i++)
		for (int a = 0; f->rival.v[i].ahead && a < FS_ASSUMPTION_COUNT; a++) {
			struct fs_forecast_event e = fsi_forecast_make_event(f, 1u << a, FS_FORECAST_JOB_PASSES);

			e.never = fsi_forecast_is_exact(f, (enum fs_assumption)a);
			e.own = f->row;
			e.other_job = f->rival.v[i].job;
			if (!(f->rival.v[i].passed_under >> a & 1) && fsi_forecast_record_event(f, &e))
				return -1;
		}
	return 0;
}
