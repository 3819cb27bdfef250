#include "fairshare/fairshare.h"
#include "forecast/forecast.h"
#include "queue/queue.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Two users of Fair Tree, and of Flux, are compared where their ways to the root part: by usage over shares of the two
 * siblings there. That of either is a sum that decays and what is added at constant rates, so that their difference is
 * linear in decay between the moments at which rates change, and meets 0 there at most once. */

static double shares_of(const struct fs_share_row *r)
{
	return r->counted && r->shares_kind == FS_SHARES_NUMBER ? r->raw_shares : 0;
}

/* Negative where a is ahead. */
static double difference(const fs_usage *u, const struct fsi_pair *p)
{
	const double noise = 1e-12;
	const double a = fs_usage_total(u, p->a) * p->shares_b, b = fs_usage_total(u, p->b) * p->shares_a;

	return fabs(a - b) <= noise * (a + b) ? 0 : a - b;
}

static int add_siblings(struct fs_forecast *f, uint32_t a, bool own)
{
	const fs_shares *s = f->o.eval->shares;
	size_t next = FS_NO_ROW;

	for (uint32_t b = 0; b < fs_shares_count(s); b++) {
		const struct fs_share_row *row = fs_shares_row(s, b);
		const struct fsi_pair p = { .a = a,
					    .b = b,
					    .own = own && row->visible,
					    .shares_a = shares_of(fs_shares_row(s, a)),
					    .shares_b = shares_of(row) };

		if (a == b || f->parent[b] != f->parent[a] || p.shares_a == 0 || p.shares_b == 0 || f->paired[b])
			continue;
		if (FSI_VEC_ROOM(&f->pair))
			return -1;
		if (p.own && row->level_fs > fs_shares_row(s, a)->level_fs &&
		    (next == FS_NO_ROW || row->level_fs < fs_shares_row(s, f->pair.v[next].b)->level_fs))
			next = f->pair.n;
		f->pair.v[f->pair.n++] = p;
	}
	if (next != FS_NO_ROW)
		f->pair.v[next].next = true;
	f->paired[a] = true;
	return 0;
}

int fsi_forecast_add_pairs(struct fs_forecast *f, uint32_t row, bool own)
{
	if (row == FS_NO_ROW || !fs_shares_has_levels(f->o.eval->shares))
		return 0;
	for (uint32_t a = row; a != FS_NO_ROW && f->parent[a] != FS_NO_ROW; a = f->parent[a])
		if (fs_shares_row(f->o.eval->shares, a)->shares_kind == FS_SHARES_NUMBER && !f->paired[a] &&
		    add_siblings(f, a, own))
			return -1;
	return 0;
}

struct pairs_question {
	struct fs_forecast *f;
	enum fs_assumption a;
	const struct fsi_pair *pair;
};

static int pairs_ask(void *ctx, fsi_moment k, double *g)
{
	const struct pairs_question *q = ctx;
	struct fsi_state s;
	const int rc = fsi_forecast_state(q->f, q->a, k, FSI_STATE_USAGE, &s);

	if (!rc)
		*g = difference(s.usage, q->pair);
	fsi_forecast_release(&s);
	return rc;
}

static int record_pass(struct fs_forecast *f, enum fs_assumption a, struct fsi_pair *p, fsi_moment k, bool passes)
{
	struct fs_forecast_event e = fsi_forecast_event(f, 1u << a, passes ? FS_FORECAST_PASSES : FS_FORECAST_PASSED);
	int rc;

	e.time = fsi_forecast_time(f, k);
	e.own = p->a;
	e.other = p->b;
	if (passes)
		p->met |= 1u << a;
	if (k > f->until && !(p->next && passes))
		return 0;
	rc = fsi_forecast_look(f, a, k, &e);
	return rc ? rc : fsi_forecast_record(f, &e) ? FS_ENOMEM : 0;
}

static int flip(struct fs_forecast *f, enum fs_assumption a, struct fsi_pair *p, fsi_moment lo, double g_lo,
		fsi_moment hi, double g_hi)
{
	struct pairs_question q = { f, a, p };
	fsi_moment k;
	int rc = fsi_forecast_solve(f, pairs_ask, &q, true, lo, g_lo, hi, g_hi, &k);

	if (!rc && fsi_forecast_note(f, &f->flip, k))
		rc = FS_ENOMEM;
	if (!rc && p->own)
		rc = record_pass(f, a, p, k, g_hi < 0);
	return rc;
}

int fsi_forecast_flips(struct fs_forecast *f, enum fs_assumption a)
{
	const size_t n = f->bend.n;
	double *g = fsi_arena_array(&f->arena, f->pair.n + 1, sizeof(*g));
	int rc = g ? 0 : FS_ENOMEM;

	for (size_t i = 0; i < n && !rc && f->pair.n; i++) {
		const fsi_moment k = f->bend.v[i], before = i ? f->bend.v[i - 1] : 0;
		struct fsi_state s;

		rc = fsi_forecast_state(f, a, k, FSI_STATE_USAGE, &s);
		for (size_t j = 0; j < f->pair.n && !rc; j++) {
			struct fsi_pair *p = &f->pair.v[j];
			const double d = difference(s.usage, p);

			/* Siblings that draw level have not passed each other; if both use their shares they stay
			 * level in the end. */
			if (i && fsi_sign(d) && fsi_sign(d) != fsi_sign(g[j]))
				rc = flip(f, a, p, before, g[j], k, d);
			if (!i || fsi_sign(d))
				g[j] = d;
		}
		fsi_forecast_release(&s);
	}
	return rc;
}

int fsi_forecast_unmet_pairs(struct fs_forecast *f)
{
	for (size_t i = 0; i < f->pair.n; i++)
		for (int a = 0; f->pair.v[i].next && a < FS_ASSUMPTION_COUNT; a++) {
			struct fs_forecast_event e = fsi_forecast_event(f, 1u << a, FS_FORECAST_PASSES);

			e.never = fsi_forecast_exact(f, (enum fs_assumption)a);
			e.own = f->pair.v[i].a;
			e.other = f->pair.v[i].b;
			if (!(f->pair.v[i].met >> a & 1) && fsi_forecast_record(f, &e))
				return -1;
		}
	return 0;
}

/* The subject from moment to moment, and the jobs tried shortly before and after it. Ages are lines that end when full,
 * factors move where siblings pass each other, or smoothly: between such moments two priorities meet at most once. */

static int add_rival(struct fs_forecast *f, size_t own, size_t row, bool ahead)
{
	const fs_queue *q = f->o.eval->queue;
	const enum fs_queue_key key = fs_queue_deciding_key(q, own, row);
	struct fs_queue_place p;
	struct fsi_rival r;

	fs_queue_place(q, row, &p);
	if (p.job_row == f->o.job_row || !p.visible)
		return 0;
	if (key != FS_QUEUE_KEY_PRIORITY && key != FS_QUEUE_KEY_SUBMIT && key != FS_QUEUE_KEY_JOBID &&
	    key != FS_QUEUE_KEY_TASK && key != FS_QUEUE_KEY_EARLIER && key != FS_QUEUE_KEY_OPEN)
		return 0;
	for (size_t i = 0; i < f->rival.n; i++)
		if (f->rival.v[i].job == p.job_row)
			return 0;
	r = (struct fsi_rival){ .job = p.job_row,
				.ahead = ahead,
				.wins = key == FS_QUEUE_KEY_PRIORITY ? fsi_forecast_goes_first(q, row, own)
								     : ahead };
	if (FSI_VEC_ROOM(&f->rival))
		return -1;
	f->rival.v[f->rival.n++] = r;
	return 0;
}

static size_t own_queue_row(struct fs_forecast *f)
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

static int add_eligible(struct fs_forecast *f, size_t own)
{
	const fs_queue *q = f->o.eval->queue;
	struct fs_queue_place p;
	size_t found = 0;

	fs_queue_place(q, own, &p);
	for (size_t i = p.before, n = 0; i != FS_NO_ROW && n < FSI_NEAR; i = p.before, n++) {
		if (add_rival(f, own, i, true))
			return -1;
		fs_queue_place(q, i, &p);
	}
	for (size_t i = own + 1; i < fs_queue_count(q) && found < FSI_NEAR; i++) {
		fs_queue_place(q, i, &p);
		if (!p.eligible || (!fs_queue_one_line(q) && (!p.partition || strcmp(p.partition, f->partition) != 0)))
			continue;
		if (add_rival(f, own, i, false))
			return -1;
		found++;
	}
	return 0;
}

/* Finds no rivals in Maui: it is not modelled when the priorities of two Maui jobs meet. */
int fsi_forecast_find_rivals(struct fs_forecast *f)
{
	const bool wanted = f->o.job_row != FS_NO_ROW && f->o.eval->queue && !f->windows;
	const size_t own = wanted ? own_queue_row(f) : FS_NO_ROW;

	return own == FS_NO_ROW ? 0 : add_eligible(f, own);
}

/* ---- moments */

struct rivals_question {
	struct fs_forecast *f;
	enum fs_assumption a;
	struct fsi_rival *rival; /* NULL: of the factor, or the rank */
	double level;
	bool by_rank, of_target;
};

/* How far the row is above the level, or its use below its target; NAN unknown. */
static double above(const struct rivals_question *q, const struct fsi_state *s)
{
	const struct fs_share_row *r = fsi_forecast_share(q->f, s);

	if (!r)
		return NAN;
	if (q->of_target)
		return (double)(r->norm_shares - r->effective_usage);
	return (q->by_rank ? (double)r->rank : fs_share_factor(r)) - q->level;
}

static int rivals_ask(void *ctx, fsi_moment k, double *g)
{
	const struct rivals_question *q = ctx;
	struct fsi_state s;
	const int rc = fsi_forecast_state(q->f, q->a, k, q->rival ? FSI_STATE_PRIOS : FSI_STATE_SHARES, &s);

	if (!rc)
		*g = q->rival ? fsi_forecast_lead(q->f, s.prios, q->rival)
			      : above(q, &s);
	fsi_forecast_release(&s);
	return rc;
}

struct walk {
	struct fs_forecast *f;
	enum fs_assumption a;
	fsi_moment before, k;
	struct fs_forecast_point first;
	double *lead, half, goal; /* at the moment before */
	bool reached;
	size_t point;
};

static int record_event(const struct walk *w, struct rivals_question q, enum fs_forecast_kind kind, double g_lo,
			double g_hi)
{
	struct fs_forecast *f = w->f;
	struct fsi_rival *r = q.rival;
	struct fs_forecast_event e = fsi_forecast_event(f, 1u << w->a, kind);
	fsi_moment k;
	int rc;

	e.own = f->row;
	e.other_job = r ? r->job : FS_NO_ROW;
	q.f = f;
	q.a = w->a;
	rc = fsi_forecast_solve(f, rivals_ask, &q, !r, w->before, g_lo, w->k, g_hi, &k);

	if (rc)
		return rc;
	if (r && kind == FS_FORECAST_JOB_PASSES)
		r->met |= 1u << w->a;
	if (k > f->until && kind != FS_FORECAST_JOB_PASSES && kind != FS_FORECAST_GOAL)
		return 0;
	e.time = fsi_forecast_time(f, k);
	rc = fsi_forecast_look(f, w->a, k, &e);
	return rc ? rc : fsi_forecast_record(f, &e) ? FS_ENOMEM : 0;
}

/* If the queue's order contradicts the priorities, it was sorted by other ones: for instance, a job with several QOS is
 * sorted by the priority of the last one tried. Then no event is recorded before the next calculation. */
static int step_rivals(struct walk *w, const struct fsi_state *s)
{
	struct fs_forecast *f = w->f;
	int rc = 0;

	for (size_t i = 0; i < f->rival.n && !rc; i++) {
		double g = fsi_forecast_lead(f, s->prios, &f->rival.v[i]);

		if (!w->k && (f->rival.v[i].ahead ? g < 0 : g > 0)) {
			f->rival.v[i].met |= 1u << w->a;
			g = (double)NAN;
		}
		if (w->k && fsi_sign(g) * fsi_sign(w->lead[i]) < 0)
			rc = record_event(w, (struct rivals_question){ .rival = &f->rival.v[i] },
				  g < 0 ? FS_FORECAST_JOB_PASSES : FS_FORECAST_JOB_PASSED, w->lead[i], g);
		w->lead[i] = g;
	}
	return rc;
}

/* A factor that is a rank has no value that stands for even use: half of it is no event. Of windows that value is the
 * target. */
static int step_factor(struct walk *w, const struct fsi_state *s)
{
	struct fs_forecast *f = w->f;
	const struct rivals_question q = { .f = f, .level = 0.5, .of_target = f->windows != NULL };
	double g;
	int rc = 0;

	if (f->row == FS_NO_ROW || fs_shares_has_levels(s->shares))
		return 0;
	g = above(&q, s);
	if (w->k && fsi_sign(g) * fsi_sign(w->half) < 0)
		rc = record_event(w, q, f->windows ? FS_FORECAST_TARGET : FS_FORECAST_HALF, w->half, g);
	w->half = g;
	return rc;
}

/* The goal counts as reached where it is met exactly, and not before. */
static int step_goal(struct walk *w, const struct fsi_state *s)
{
	struct fs_forecast *f = w->f;
	const bool by_rank = f->o.goal_rank;
	const double level = by_rank ? (double)f->o.goal_rank : f->o.goal_factor, noise = 1e-12;
	const struct rivals_question q = { .f = f, .level = level - noise, .by_rank = by_rank };
	double g;
	int rc = 0;

	if (f->row == FS_NO_ROW || !(level > 0) || w->reached)
		return 0;
	g = above(&q, s);
	if (w->k && w->goal < 0 && g > 0)
		rc = record_event(w, q, FS_FORECAST_GOAL, w->goal, g);
	w->reached = g > 0;
	w->goal = g;
	return rc;
}

/* Records how far the factor gets where the goal is not reached. */
static int goal_missed(const struct walk *w, const struct fsi_state *s)
{
	struct fs_forecast *f = w->f;
	struct fs_forecast_event e = fsi_forecast_event(f, 1u << w->a, FS_FORECAST_GOAL);

	if (w->reached || f->row == FS_NO_ROW || !(f->o.goal_rank || f->o.goal_factor > 0))
		return 0;
	e.own = f->row;
	e.never = f->endless && (f->still[w->a] || fsi_forecast_exact(f, w->a));
	e.before = e.after = fsi_forecast_point(f, s, w->k);
	return fsi_forecast_record(f, &e) ? FS_ENOMEM : 0;
}

static bool is_same(double a, double b)
{
	const double noise = 1e-9;

	return (isnan(a) && isnan(b)) || fabs(a - b) <= noise;
}

/* What has run until now is charged at the first calculation, and accounts may lag: only from there on a factor can
 * stand still. */
static void note_point(struct walk *w, const struct fsi_state *s)
{
	struct fs_forecast *f = w->f;
	const struct fs_forecast_point p = fsi_forecast_point(f, s, w->k);

	if (w->k <= 1 + f->lag)
		w->first = p;
	if (!is_same(p.fairshare, w->first.fairshare) || p.rank != w->first.rank)
		f->still[w->a] = false;
	while (w->point < f->o.points && f->point[w->a][w->point].time == p.time)
		f->point[w->a][w->point++] = p;
}

int fsi_forecast_follow(struct fs_forecast *f, enum fs_assumption a)
{
	struct walk w = { .f = f, .a = a, .lead = fsi_arena_array(&f->arena, f->rival.n + 1, sizeof(double)) };
	int rc = w.lead ? 0 : FS_ENOMEM;

	f->still[a] = true;
	for (size_t i = 0; i < f->bend.n && !rc; i++) {
		struct fsi_state s;

		w.before = w.k;
		w.k = f->bend.v[i];
		rc = fsi_forecast_state(f, a, w.k, FSI_STATE_PRIOS, &s);
		if (!rc)
			note_point(&w, &s);
		if (!rc)
			rc = step_rivals(&w, &s);
		if (!rc)
			rc = step_factor(&w, &s);
		if (!rc)
			rc = step_goal(&w, &s);
		if (!rc && i + 1 == f->bend.n)
			rc = goal_missed(&w, &s);
		fsi_forecast_release(&s);
	}
	return rc;
}

int fsi_forecast_unmet_rivals(struct fs_forecast *f)
{
	for (size_t i = 0; i < f->rival.n; i++)
		for (int a = 0; f->rival.v[i].ahead && a < FS_ASSUMPTION_COUNT; a++) {
			struct fs_forecast_event e = fsi_forecast_event(f, 1u << a, FS_FORECAST_JOB_PASSES);

			e.never = fsi_forecast_exact(f, (enum fs_assumption)a);
			e.own = f->row;
			e.other_job = f->rival.v[i].job;
			if (!(f->rival.v[i].met >> a & 1) && fsi_forecast_record(f, &e))
				return -1;
		}
	return 0;
}
