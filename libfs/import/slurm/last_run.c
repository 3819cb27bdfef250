/* The time T of the last priority calculation, which no command of Slurm prints.
 *
 *   age factor = (T - AccrueTime) / PriorityMaxAge, at most 1, printed with seven decimals
 *
 * so that each job's age tells a span of seconds that T lies in; T is in the span most jobs agree on. A run lies
 * between the controller's start and the end of the capture. Without ages (PriorityWeightAge=0 prints all of them
 * as zero) the minutes promised to running jobs tell it, and without those runs are counted from the start:
 * model/job/last_run.h. */
#include "import/last_run.h"

#include "model/job/last_run.h"

#include <math.h>
#include <stdlib.h>

/* A capture's commands follow each other: one run may fall between its clock and what it prints last. */
enum { CAPTURE_LASTS_S = 60 };

static const double half_digit = 0.5e-7;

int fsi_last_run_note(struct fsi_last_run *x, const struct fsi_job *job, uint32_t row,
		      const struct fsi_recorded *r)
{
	const double max_age_s = (double)x->max_age_s, tiny = 1e-9 * max_age_s;
	struct fsi_last_run_span *s;

	if (!FSI_HAS(job, JOB, accrue_time) || x->max_age_s <= 0 || r->norm_age >= 1)
		return 0;
	if (r->norm_age <= 0) {
		if (FSI_VEC_ROOM(&x->ageless))
			return -1;
		x->ageless.v[x->ageless.n++] = row;
		return 0;
	}
	if (FSI_VEC_ROOM(&x->spans))
		return -1;
	s = &x->spans.v[x->spans.n];
	s->from = job->accrue_time +
		  (int64_t)ceil((r->norm_age - half_digit) * max_age_s - tiny);
	s->to = job->accrue_time + (int64_t)floor((r->norm_age + half_digit) * max_age_s + tiny);
	x->spans.n += s->from <= s->to;
	return 0;
}

/* An end of a span: so many more jobs agree from this second on, or fewer. */
struct edge {
	int64_t at;
	int step;
};

static int cmp_edge(const void *x, const void *y)
{
	const struct edge *a = x, *b = y;

	return (a->at > b->at) - (a->at < b->at);
}

/* The latest of the stretches of seconds that most spans have in common; *votes of them, 0 if there is none. */
static int most_agree(const struct fsi_last_run *x, int64_t earliest, int64_t latest,
		      struct fsi_last_run_span *out, size_t *votes)
{
	struct edge *edge = malloc((2 * x->spans.n + 1) * sizeof(*edge));
	size_t n = 0, hold = 0;

	*votes = 0;
	if (!edge)
		return -1;
	for (size_t i = 0; i < x->spans.n; i++) {
		const struct fsi_last_run_span *s = &x->spans.v[i];
		const int64_t from = s->from > earliest ? s->from : earliest;
		const int64_t to = s->to < latest ? s->to : latest;

		if (from > to)
			continue;
		edge[n++] = (struct edge){ from, 1 };
		edge[n++] = (struct edge){ to + 1, -1 };
	}
	if (n)
		qsort(edge, n, sizeof(*edge), cmp_edge);
	for (size_t i = 0; i < n;) {
		const int64_t at = edge[i].at;

		for (; i < n && edge[i].at == at; i++)
			hold = edge[i].step > 0 ? hold + 1 : hold - 1;
		if (hold >= *votes && hold) {
			*votes = hold;
			*out = (struct fsi_last_run_span){ at, edge[i].at - 1 };
		}
	}
	free(edge);
	return 0;
}

static int set_run(struct fsi_import *imp, int64_t t, const char *from, int64_t error_s)
{
	struct fsi_header *h = &imp->m->head;

	FSI_PUT(h, SNAPSHOT, priority_time, t);
	FSI_PUT(h, SNAPSHOT, priority_time_from, fsi_name(imp->m, from));
	if (error_s >= 0)
		FSI_PUT(h, SNAPSHOT, priority_time_error_s, (uint32_t)error_s);
	return h->priority_time_from == FSI_INTERN_FAILED ? fsi_nomem(imp->err) : 0;
}

/* Takes the middle of the span, and notes how far its ends are from it. */
static int run_by_span(struct fsi_import *imp, struct fsi_last_run_span s, const char *from)
{
	const int64_t t = s.from + (s.to - s.from) / 2;

	if (t > imp->m->head.time)
		imp->m->head.time = t;
	return set_run(imp, t, from, s.to - t);
}

/* Without the controller's start it is known that the run was not later than the first AccrueTime of the jobs that
 * have not aged. */
static int run_by_ageless(struct fsi_import *imp, const struct fsi_last_run *x)
{
	int64_t t = imp->m->head.time;

	if (!x->ageless.n)
		return 0;
	for (size_t i = 0; i < x->ageless.n; i++) {
		const struct fsi_job *job = &imp->m->job.v[x->ageless.v[i]];

		if (job->accrue_time < t)
			t = job->accrue_time;
	}
	return set_run(imp, t, FSI_RUN_FROM_AGELESS, -1);
}

/* With no weight all ages print as zero. */
static bool ages_are_weighted(const fs_snapshot *m)
{
	const struct fsi_config_entry *e = fsi_config_find(m, "PriorityWeightAge");

	return e && e->kind == FSI_CONFIG_INT && e->i > 0;
}

/* A job whose age was zero at a calculation later than its accrue_time had not begun to accrue then: the
 * accrue_time was given afterwards, backdated (job arrays, and all with ACCRUE_ALWAYS, in the first cycle
 * of a controller). Nothing else tells. */
static void mark_ageless(fs_snapshot *m, const struct fsi_last_run *x)
{
	for (size_t i = 0; i < x->ageless.n; i++) {
		struct fsi_job *job = &m->job.v[x->ageless.v[i]];

		if (job->accrue_time < m->head.priority_time)
			FSI_SET(job, JOB, accruing);
	}
}

/* The stretch that most of the minutes promised agree on. */
static int most_promise(const fs_snapshot *m, int64_t earliest, int64_t latest,
			struct fsi_last_run_span *out, size_t *votes)
{
	struct fsi_last_run x = { 0 };
	const int rc = fsi_last_run_promises(&x, m) || most_agree(&x, earliest, latest, out, votes);

	fsi_last_run_release(&x);
	return rc;
}

int fsi_last_run_decide(struct fsi_import *imp, const struct fsi_last_run *x)
{
	const int64_t latest = imp->m->head.time + CAPTURE_LASTS_S;
	struct fsi_last_run_span best = { 0, 0 };
	int64_t start, run;
	size_t votes, promises = 0;
	int rc = 0;

	if (!fsi_start_time(imp->m, &start))
		start = 0;
	if (most_agree(x, start, latest, &best, &votes) ||
	    (!votes && most_promise(imp->m, start, latest, &best, &promises)))
		return fsi_nomem(imp->err);
	if (votes || promises)
		rc = run_by_span(imp, best, votes ? FSI_RUN_FROM_AGES : FSI_RUN_FROM_PROMISES);
	else if (fsi_run_by_start(imp->m, &run))
		rc = set_run(imp, run, FSI_RUN_FROM_START, -1);
	else
		rc = run_by_ageless(imp, x);
	if (!rc && votes && ages_are_weighted(imp->m))
		mark_ageless(imp->m, x);
	if (!rc && votes < x->spans.n &&
	    fsi_warn(imp->m,
		     "sprio: %zu of %zu ages do not agree on the time of the last calculation",
		     x->spans.n - votes, x->spans.n))
		rc = fsi_nomem(imp->err);
	return rc;
}

void fsi_last_run_release(struct fsi_last_run *x)
{
	FSI_VEC_FREE(&x->spans);
	FSI_VEC_FREE(&x->ageless);
}
