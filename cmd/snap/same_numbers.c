#include "snap/same_numbers.h"

#include "room.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBERS = 12 };

/* Of one row, its ids first; what it does not have is 0. */
struct row {
	double v[NUMBERS];
};

struct rows {
	struct row *v;
	size_t n, cap;
	bool starved;
};

static void add(struct rows *r, const double *v, size_t n)
{
	struct row *p = room_for_one(r->v, r->n, &r->cap, sizeof(*p));

	r->starved = r->starved || !p;
	if (!p)
		return;
	r->v = p;
	p[r->n] = (struct row){ { 0 } };
	memcpy(p[r->n++].v, v, n * sizeof(*v));
}
#define ADD(r, ...) \
	add(r, (const double[]){ __VA_ARGS__ }, sizeof((const double[]){ __VA_ARGS__ }) / sizeof(double))

static int compare_rows(const void *x, const void *y, const void *ctx)
{
	const struct row *a = x, *b = y;

	(void)ctx;
	for (size_t i = 0; i < NUMBERS; i++) {
		if (isnan(a->v[i]) || isnan(b->v[i])) {
			if (isnan(a->v[i]) != isnan(b->v[i]))
				return isnan(a->v[i]) ? 1 : -1;
		} else if (a->v[i] < b->v[i] || a->v[i] > b->v[i]) {
			return a->v[i] < b->v[i] ? -1 : 1;
		}
	}
	return 0;
}

static double code(int rc)
{
	return rc < 0 ? rc : 0;
}

/* Rows that are not made of associations are numbered in the order of their names. */
static void gather_shares(struct rows *out, const struct fs_eval *e)
{
	const bool numbered = fs_snapshot_info(e->snapshot)->associations;

	ADD(out, -1, code(e->shares_error.code));
	for (size_t i = 0; e->shares && i < fs_shares_count(e->shares); i++) {
		const struct fs_share_row *r = fs_shares_row(e->shares, i);

		ADD(out, numbered ? r->id : 0, r->depth, r->norm_shares, r->raw_usage, r->norm_usage,
		    r->effective_usage, r->fairshare, r->level_fs, r->rank, r->low, r->high, r->tied);
	}
}

static void gather_windows(struct rows *out, const struct fs_eval *e)
{
	ADD(out, -1, code(e->windows_error.code));
	for (size_t i = 0; e->windows && i < fs_windows_count(e->windows); i++) {
		const struct fs_window_row *r = fs_windows_row(e->windows, i);

		ADD(out, r->kind, r->target, r->mode, r->usage_s, r->percent, r->factor, r->off_target);
	}
}

static void gather_priorities(struct rows *out, const struct fs_eval *e)
{
	ADD(out, -1, code(e->prios_error.code));
	for (size_t i = 0; e->prios && i < fs_prios_count(e->prios); i++) {
		struct fs_prio_row r;

		fs_prios_row(e->prios, i, &r);
		ADD(out, (double)r.job, -1, r.sum, r.priority, r.stored_priority, r.direct);
		for (size_t t = 0; t < fs_prios_terms(e->prios); t++)
			ADD(out, (double)r.job, (double)t, r.terms[t].value, r.terms[t].weight, r.terms[t].points);
	}
}

static void gather_queue(struct rows *out, const struct fs_eval *e)
{
	ADD(out, -1, code(e->queue_error.code));
	for (size_t i = 0; e->queue && i < fs_queue_count(e->queue); i++) {
		struct fs_queue_row r;
		struct fs_job job;

		fs_queue_row(e->queue, i, &r);
		fs_snapshot_job(e->snapshot, r.job_row, &job);
		ADD(out, (double)job.id, r.position, r.partition_position, r.key, r.partition_key, (double)r.tier,
		    r.priority, (double)r.tasks, r.eligible, r.section, fs_queue_verdict_kind(e->queue, r.job_row));
	}
}

static void gather_plan(struct rows *out, const fs_plan *p)
{
	for (size_t i = 0; p && i < fs_plan_count(p); i++) {
		struct fs_plan_row r;

		fs_plan_row(p, i, &r);
		ADD(out, (double)r.job, r.state, (double)r.start_time, (double)r.end_time, r.wait);
	}
}

/* One kind of numbers of both. *what stays NULL while all is the same. */
static int compare_kind(struct rows pair[2], const char *name, const char **what, size_t *n, struct fs_error *err)
{
	int rc = 0;

	for (size_t k = 0; k < 2; k++)
		if (pair[k].starved || fs_sort(pair[k].v, pair[k].n, sizeof(struct row), compare_rows, NULL))
			rc = FS_ENOMEM;
	if (rc) {
		*err = (struct fs_error){ .code = FS_ENOMEM };
		snprintf(err->message, sizeof(err->message), "out of memory");
	}
	if (!rc && !*what && pair[0].n != pair[1].n)
		*what = name;
	for (size_t i = 0; !rc && !*what && i < pair[0].n; i++)
		if (compare_rows(&pair[0].v[i], &pair[1].v[i], NULL))
			*what = name;
	*n += pair[0].n;
	for (size_t k = 0; k < 2; k++) {
		free(pair[k].v);
		pair[k] = (struct rows){ 0 };
	}
	return rc;
}

typedef void (*gather_fn)(struct rows *out, const struct fs_eval *e);

static int compare_evals(const struct fs_eval e[2], const char **what, size_t *n, struct fs_error *err)
{
	static const struct {
		const char *name;
		gather_fn gather;
	} kinds[] = { { "shares", gather_shares },
		      { "windows", gather_windows },
		      { "priorities", gather_priorities },
		      { "places in the queue", gather_queue } };
	struct rows pair[2] = { { 0 } };
	int rc = 0;

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds) && !rc; i++) {
		kinds[i].gather(&pair[0], &e[0]);
		kinds[i].gather(&pair[1], &e[1]);
		rc = compare_kind(pair, kinds[i].name, what, n, err);
	}
	return rc;
}

static int compare_plans(const fs_snapshot *const s[2], const char **what, size_t *n, struct fs_error *err)
{
	const struct fs_plan_options o = { .mode = FS_PLAN_BACKFILL };
	struct rows pair[2] = { { 0 } };

	for (size_t k = 0; k < 2; k++) {
		fs_plan *p = NULL;
		const int rc = fs_plan_compute(&p, s[k], &o, err);

		if (rc == FS_ENOMEM)
			return rc;
		ADD(&pair[k], -1, code(rc));
		gather_plan(&pair[k], p);
		fs_plan_free(p);
	}
	return compare_kind(pair, "planned starts", what, n, err);
}

int same_numbers(const fs_snapshot *a, const fs_snapshot *b, const char **what, size_t *n, struct fs_error *err)
{
	const fs_snapshot *const s[2] = { a, b };
	struct fs_eval e[2];
	int rc = fs_eval_compute(a, NULL, NULL, NULL, &e[0], err);

	*what = NULL;
	*n = 0;
	if (rc)
		return rc;
	rc = fs_eval_compute(b, NULL, NULL, NULL, &e[1], err);
	if (!rc) {
		rc = compare_evals(e, what, n, err);
		fs_eval_release(&e[1]);
	}
	fs_eval_release(&e[0]);
	return rc || *what ? rc : compare_plans(s, what, n, err);
}
