#include "fairshare/fairshare.h"
#include "forecast/forecast.h"
#include "plan/maui.h"
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

/* Maui: jobs that nothing but a fair-share cap holds back (libfs/fairshare/maui.c), which get through once use is below
 * it: as they have a priority then, they are followed as if they were eligible. */

/* ---- which jobs */

struct candidate {
	struct fsi_rival rival;
	double lead; /* over the job, were neither held back */
};

static bool is_capped(const fs_queue *q, size_t i)
{
	struct fs_queue_row row;

	return fs_queue_row(q, i, &row) && row.visible && !row.eligible && row.reason &&
	       row.reason == fs_reason_find("FairShare");
}

static int nearest_first(const void *x, const void *y)
{
	const double a = fabs(((const struct candidate *)x)->lead), b = fabs(((const struct candidate *)y)->lead);

	return (a > b) - (a < b);
}

/* Lists those held back, and if the job itself is, those eligible too, by the priority that they would have now. */
static size_t list_candidates(const struct fs_forecast *f, const fs_prios *prios, size_t own, struct candidate *v)
{
	const fs_queue *q = f->o.eval->queue;
	size_t n = 0;

	for (size_t i = 0; i < fs_queue_count(q); i++) {
		struct candidate c = { .rival.capped = is_capped(q, i) };
		struct fs_queue_place p;

		fs_queue_place(q, i, &p);
		if (i == own || !(c.rival.capped || (f->capped && p.eligible && p.visible)))
			continue;
		c.rival.job = p.job_row;
		c.rival.wins = fsi_forecast_goes_first(q, i, own);
		c.lead = fsi_forecast_lead(f, prios, &c.rival);
		c.rival.ahead = !c.rival.capped && c.lead > 0;
		if (!isnan(c.lead))
			v[n++] = c;
	}
	return n;
}

/* Adds those nearest to the record by the priority that they would have now, and if f->capped eligible ones
 * too. -1 without memory. */
static int forecast_add_capped(struct fs_forecast *f, size_t own)
{
	struct fs_prios_options o = FS_PRIOS_OPTIONS_INIT;
	struct candidate *v = calloc(fs_queue_count(f->o.eval->queue) + 1, sizeof(*v));
	fs_prios *prios = NULL;
	int rc = v ? 0 : -1;
	size_t n = 0;

	o.view = f->o.view;
	o.blocked = true;
	if (!rc && !fs_prios_compute(&prios, f->m, &o, f->err))
		n = list_candidates(f, prios, own, v);
	if (n)
		qsort(v, n, sizeof(*v), nearest_first);
	for (size_t i = 0; i < n && i < FSI_NEAR && !rc; i++) {
		rc = FSI_VEC_ROOM(&f->rival) ? -1 : 0;
		if (!rc)
			f->rival.v[f->rival.n++] = v[i].rival;
	}
	fs_prios_free(prios);
	free(v);
	return rc;
}

/* The job's record in the queue if it is one of them, which f->capped then tells; FS_NO_ROW. */
static size_t forecast_capped_row(struct fs_forecast *f)
{
	const fs_queue *q = f->o.eval->queue;
	struct fs_queue_row row;

	for (size_t i = 0; i < fs_queue_count(q); i++) {
		fs_queue_row(q, i, &row);
		if (row.job_row != f->o.job_row || !is_capped(q, i))
			continue;
		f->partition = row.partition;
		f->capped = true;
		return i;
	}
	return FS_NO_ROW;
}

/* ---- when */

/* A wait that begins anew with the iteration that lets the job through is not known before (src/moab/MPolicy.c:
 * MQueueSelectAllJobs). */
static bool waits_anew(const fs_snapshot *m)
{
	struct fsi_maui_rules r;

	fsi_maui_rules(m, true, &r);
	return r.held_accrues;
}

/* Of one whose wait is not known then no priority is. */
static int free_capped(struct fs_forecast *f, uint32_t job)
{
	const bool anew = waits_anew(f->m);

	for (int a = 0; a < FS_ASSUMPTION_COUNT; a++) {
		fs_snapshot *m = f->windows[a].m;
		const uint32_t reason = anew ? fsi_name(m, "Blocked") : 0;

		if (reason == FSI_INTERN_FAILED)
			return -1;
		m->job.v[job].reason = reason;
	}
	return 0;
}

int fsi_forecast_free_capped(struct fs_forecast *f)
{
	if (f->capped && free_capped(f, f->o.job_row))
		return -1;
	for (size_t i = 0; i < f->rival.n; i++)
		if (f->rival.v[i].capped && free_capped(f, f->rival.v[i].job))
			return -1;
	return 0;
}

/* By place in f->job: the caps that hold it back at the moment of the state made last (fsi_maui_caps). Error codes. */
static int forecast_caps(struct fs_forecast *f, enum fs_assumption a, unsigned *caps)
{
	fs_windows *w;
	int rc;

	for (size_t i = 0; i < f->njobs; i++)
		caps[i] = 0;
	if (!fsi_maui_has_caps(f->o.eval->windows))
		return 0;
	rc = fs_windows_compute(&w, f->windows[a].m, f->err);
	if (rc)
		return rc;
	for (size_t i = 0; i < f->njobs; i++)
		caps[i] = fsi_maui_caps(w, f->job[i]);
	fs_windows_free(w);
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

int fsi_forecast_find_rivals(struct fs_forecast *f)
{
	const fs_queue *q = f->o.eval->queue;
	size_t own = f->o.job_row == FS_NO_ROW || !q ? FS_NO_ROW : own_queue_row(f);

	if (own != FS_NO_ROW && add_eligible(f, own))
		return -1;
	if (!f->windows || !q || f->o.job_row == FS_NO_ROW)
		return 0;
	own = own == FS_NO_ROW ? forecast_capped_row(f) : own;
	return own == FS_NO_ROW ? 0 : forecast_add_capped(f, own);
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

/* What has no priority, since a cap holds it back, stands behind whatever has one; the job itself, until it has one,
 * where it stood before. */
static double lead_of(const struct walk *w, const struct fsi_state *s, size_t i)
{
	const struct fs_forecast *f = w->f;
	const struct fsi_rival *r = &f->rival.v[i];
	const double g = fsi_forecast_lead(f, s->prios, r), far = (double)INFINITY;

	if (!f->windows || !isnan(g))
		return g;
	if (fsi_forecast_row_of(f, s->prios, f->o.job_row) != FS_NO_ROW)
		return -far;
	return w->k ? w->lead[i] : r->ahead ? far : -far;
}

/* Where the queue stands otherwise than the priorities: of windows they are equal but for a fraction; else it was
 * sorted by others, as a job of several QOS is by that of the last one tried, and nothing is told until the next
 * calculation. */
static int step_rivals(struct walk *w, const struct fsi_state *s)
{
	struct fs_forecast *f = w->f;
	int rc = 0;

	for (size_t i = 0; i < f->rival.n && !rc; i++) {
		double g = lead_of(w, s, i);

		if (!w->k && (f->rival.v[i].ahead ? g < 0 : g > 0)) {
			f->rival.v[i].met |= 1u << w->a;
			g = f->windows ? g : (double)NAN;
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

/* Lines that still draw nearer at the horizon meet behind it. */
static void note_nears(const struct walk *w, const double *half_way)
{
	const double noise = 1e-9;

	for (size_t i = 0; i < w->f->rival.n && w->f->windows; i++)
		if (w->lead[i] > 0 && w->lead[i] < half_way[i] * (1 - noise))
			w->f->rival.v[i].nears |= 1u << w->a;
}

int fsi_forecast_follow(struct fs_forecast *f, enum fs_assumption a)
{
	struct walk w = { .f = f, .a = a, .lead = fsi_arena_array(&f->arena, f->rival.n + 1, sizeof(double)) };
	double *half_way = fsi_arena_array(&f->arena, f->rival.n + 1, sizeof(*half_way));
	int rc = w.lead && half_way ? 0 : FS_ENOMEM;

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
		if (f->windows && w.k >= f->horizon / 2 && w.k < f->horizon - 1)
			memcpy(half_way, w.lead, f->rival.n * sizeof(*half_way));
		if (!rc && i + 1 == f->bend.n)
			note_nears(&w, half_way);
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
			const bool stands = !f->capped || f->let_through >> a & 1;
			struct fs_forecast_event e = fsi_forecast_event(f, 1u << a, FS_FORECAST_JOB_PASSES);

			e.never = !(f->rival.v[i].nears >> a & 1) && fsi_forecast_exact(f, (enum fs_assumption)a);
			e.own = f->row;
			e.other_job = f->rival.v[i].job;
			if (stands && !(f->rival.v[i].met >> a & 1) && fsi_forecast_record(f, &e))
				return -1;
		}
	return 0;
}

/* The pieces of a priority of Maui's. Between ends of windows and of jobs it is
 *
 *   A + B t + C / T(t)    T: all usage that counts, itself a line
 *
 * since what waits is a line, and each percentage one over T. Where a cap is reached, or a factor or the sum gets to a
 * bound (libfs/priority/maui.c), another piece begins. The difference of two such has at most one place at which it
 * turns, A, B and C following from three of its values, so that from a moment to the next it has its sign at both, or
 * changes it once. */

enum { MOST_BENDS = 24 }; /* in one piece: each job reaches each of its bounds once */

/* ---- bounds */

/* On which side of each of its bounds a job's priority is. */
struct side {
	uint64_t cut, zero; /* by term: over its cap; 0 */
	bool listed, raised, most, target;
	unsigned caps; /* as fsi_maui_caps has them */
};

struct moment {
	fsi_moment k;
	struct side *side; /* by place in f->job */
	unsigned *caps;	   /* likewise */
	double *lead;	   /* by rival */
	double total;	   /* usage that counts */
};

static struct side side_of(const struct fs_prio_row *row, const struct fs_prio_term *weights)
{
	const double reached = 1e8;
	struct side s = { .listed = true };

	for (size_t t = 0; t < row->nterms; t++) {
		s.cut |= (uint64_t)(row->terms[t].cut > 0) << t;
		s.zero |= (uint64_t)!(row->terms[t].value != 0) << t;
		s.target |= !strcmp(weights[t].name, "target/xfactor") && row->terms[t].value + row->terms[t].cut >= reached;
	}
	for (size_t i = 0; i < row->nsteps; i++) {
		s.raised |= row->steps[i].step == FS_STEP_RAISED;
		s.most |= row->steps[i].step == FS_STEP_CUT;
	}
	return s;
}

static bool same_side(const struct side *a, const struct side *b)
{
	return a->cut == b->cut && a->zero == b->zero && a->listed == b->listed && a->raised == b->raised &&
	       a->most == b->most && a->target == b->target && a->caps == b->caps;
}

static bool same_piece(const struct fs_forecast *f, const struct moment *a, const struct moment *b)
{
	for (size_t i = 0; i < f->njobs; i++)
		if (!same_side(&a->side[i], &b->side[i]))
			return false;
	return true;
}

static int look(struct fs_forecast *f, enum fs_assumption a, fsi_moment k, struct moment *out)
{
	struct fsi_state s;
	int rc = fsi_forecast_state(f, a, k, FSI_STATE_PRIOS, &s);

	out->k = k;
	if (!rc)
		rc = forecast_caps(f, a, out->caps);
	for (size_t i = 0; i < f->njobs && !rc; i++) {
		const size_t at = fsi_forecast_row_of(f, s.prios, f->job[i]);
		struct fs_prio_row row;

		out->side[i] = (struct side){ 0 };
		if (at != FS_NO_ROW) {
			fs_prios_row(s.prios, at, &row);
			out->side[i] = side_of(&row, fs_prios_weights(s.prios));
		}
		out->side[i].caps = out->caps[i];
	}
	for (size_t i = 0; i < f->rival.n && !rc; i++)
		out->lead[i] = fsi_forecast_lead(f, s.prios, &f->rival.v[i]);
	if (!rc)
		out->total = (double)fs_shares_row(s.shares, 0)->raw_usage;
	fsi_forecast_release(&s);
	return rc;
}

static int new_moment(struct fs_forecast *f, struct moment *m)
{
	m->side = fsi_arena_array(&f->arena, f->njobs + 1, sizeof(*m->side));
	m->caps = fsi_arena_array(&f->arena, f->njobs + 1, sizeof(*m->caps));
	m->lead = fsi_arena_array(&f->arena, f->rival.n + 1, sizeof(*m->lead));
	return m->side && m->caps && m->lead ? 0 : -1;
}

static void swap(struct moment *a, struct moment *b)
{
	const struct moment m = *a;

	*a = *b;
	*b = m;
}

/* ---- events of the job */

static int record_whenever(struct fs_forecast *f, enum fs_assumption a, enum fs_forecast_kind kind, fsi_moment k)
{
	struct fs_forecast_event e = fsi_forecast_event(f, 1u << a, kind);

	e.time = fsi_forecast_time(f, k);
	return fsi_forecast_record(f, &e);
}

static int record(struct fs_forecast *f, enum fs_assumption a, enum fs_forecast_kind kind, fsi_moment k)
{
	return k <= f->until ? record_whenever(f, a, kind, k) : 0;
}

/* Records that caps begin or cease to hold the job back; that they cease for the first time, whenever it is. */
static int record_caps(struct fs_forecast *f, enum fs_assumption a, const struct side *x, const struct side *y,
		       fsi_moment k)
{
	const bool first = !(f->let_through >> a & 1);

	if (!x->caps == !y->caps || !(f->capped || x->listed || y->listed))
		return 0;
	if (y->caps)
		return record(f, a, FS_FORECAST_CAPPED, k);
	f->let_through |= 1u << a;
	return first && f->capped ? record_whenever(f, a, FS_FORECAST_UNCAPPED, k)
				  : record(f, a, FS_FORECAST_UNCAPPED, k);
}

static int record_never_let_through(struct fs_forecast *f, enum fs_assumption a)
{
	struct fs_forecast_event e = fsi_forecast_event(f, 1u << a, FS_FORECAST_UNCAPPED);

	e.never = f->endless;
	return f->capped && !(f->let_through >> a & 1) ? fsi_forecast_record(f, &e) : 0;
}

static size_t own_place(const struct fs_forecast *f)
{
	size_t own = 0;

	while (own < f->njobs && f->job[own] != f->o.job_row)
		own++;
	return own;
}

static int record_bounds(struct fs_forecast *f, enum fs_assumption a, const struct moment *before,
			 const struct moment *after)
{
	static const struct {
		const char *term;
		enum fs_forecast_kind kind;
		bool is_cap;
	} told[] = { { "service/queuetime", FS_FORECAST_QUEUETIME_FULL, true },
		     { "service/xfactor", FS_FORECAST_XFACTOR_FULL, true },
		     { "service/cap", FS_FORECAST_SERVICE_FULL, false } };
	const fs_prios *p = f->o.eval->prios;
	const size_t own = own_place(f);

	if (record_caps(f, a, &before->side[own], &after->side[own], after->k))
		return -1;
	for (size_t t = 0; t < fs_prios_terms(p); t++)
		for (size_t i = 0; i < sizeof(told) / sizeof(*told); i++) {
			const struct side *x = &before->side[own], *y = &after->side[own];
			const uint64_t bits = told[i].is_cap ? ~x->cut & y->cut : x->zero & ~y->zero;

			if (x->listed && bits >> t & 1 && !strcmp(fs_prios_weights(p)[t].name, told[i].term) &&
			    fs_prios_weights(p)[t].weight != 0 && record(f, a, told[i].kind, after->k))
				return -1;
		}
	return !before->side[own].target && after->side[own].target && before->side[own].listed
		       ? record(f, a, FS_FORECAST_XFACTOR_TARGET, after->k)
		       : 0;
}

/* ---- pieces */

/* Moves lo to the last moment that is on the same side of all bounds as it, and mid to the one after. */
static int find_bound(struct fs_forecast *f, enum fs_assumption a, struct moment *lo, struct moment *mid,
		      fsi_moment hi)
{
	int rc = 0;

	while (!rc && hi - lo->k > 1) {
		rc = look(f, a, lo->k + (hi - lo->k) / 2, mid);
		if (same_piece(f, lo, mid))
			swap(lo, mid);
		else
			hi = mid->k;
	}
	return rc ? rc : look(f, a, hi, mid);
}

/* Where the difference A + B s + C / (1 + r s), s from 0 to 1, turns, if it has another sign there than at both ends;
 * NAN: nowhere. Its values are those at 0, h and 1. */
static double turn(double g0, double h, double gh, double g1, double r)
{
	const double c = (gh - (1 - h) * g0 - h * g1) / (1 / (1 + r * h) - (1 - h) - h / (1 + r)),
		     b = g1 - g0 - c * (1 / (1 + r) - 1), s = (sqrt(c * r / b) - 1) / r;

	if (fsi_sign(g0) != fsi_sign(g1) || !(s > 0 && s < 1) ||
	    fsi_sign(g0 - c + b * s + c / (1 + r * s)) == fsi_sign(g0))
		return (double)NAN;
	return s;
}

/* Notes the moments within a piece at which rivals come closest and pass twice. */
static int note_turns(struct fs_forecast *f, enum fs_assumption a, const struct moment *lo, const struct moment *hi,
		      struct moment *mid, struct fsi_moments *to)
{
	const double r = hi->total / lo->total - 1, flat = 1e-9, n = (double)(hi->k - lo->k);
	int rc = 0;

	if (hi->k - lo->k < 3 || !(lo->total > 0) || !(fabs(r) > flat))
		return 0;
	rc = look(f, a, lo->k + (hi->k - lo->k) / 2, mid);
	for (size_t i = 0; i < f->rival.n && !rc; i++) {
		const double s = turn(lo->lead[i], (double)(mid->k - lo->k) / n, mid->lead[i], hi->lead[i], r);

		if (!isnan(s) && fsi_forecast_note(f, to, lo->k + (fsi_moment)(s * n) + 1))
			rc = FS_ENOMEM;
	}
	return rc;
}

/* Cuts what lies between two moments into pieces; lo becomes the second. */
static int cut(struct fs_forecast *f, enum fs_assumption a, struct moment m[3], fsi_moment to, struct fsi_moments *more)
{
	struct moment *lo = &m[0], *hi = &m[1], *mid = &m[2];
	int rc = 0;

	for (int bends = 0; !rc && lo->k < to; bends++) {
		rc = look(f, a, to, hi);
		if (!rc && (same_piece(f, lo, hi) || bends == MOST_BENDS)) {
			rc = note_turns(f, a, lo, hi, mid, more);
			swap(lo, hi);
			continue;
		}
		if (!rc)
			rc = find_bound(f, a, lo, mid, to);
		if (!rc && (fsi_forecast_note(f, more, mid->k) || record_bounds(f, a, lo, mid)))
			rc = FS_ENOMEM;
		swap(lo, mid);
	}
	return rc;
}

int fsi_forecast_cut(struct fs_forecast *f, enum fs_assumption a)
{
	struct fsi_moments more = { 0 };
	struct moment m[3] = { { 0 } };
	int rc = 0;

	for (int i = 0; i < 3 && !rc; i++)
		rc = new_moment(f, &m[i]) ? FS_ENOMEM : 0;
	if (!rc && f->njobs)
		rc = look(f, a, 0, &m[0]);
	if (!rc && f->njobs && !m[0].caps[own_place(f)])
		f->let_through |= 1u << a;
	for (size_t i = 0; i < f->bend.n && f->njobs && !rc; i++)
		rc = cut(f, a, m, f->bend.v[i], &more);
	if (!rc && f->njobs && record_never_let_through(f, a))
		rc = FS_ENOMEM;
	for (size_t i = 0; i < more.n && !rc; i++)
		rc = fsi_forecast_note_one(f, &f->bend, more.v[i]) ? FS_ENOMEM : 0;
	fsi_forecast_sort(&f->bend);
	FSI_VEC_FREE(&more);
	return rc;
}
