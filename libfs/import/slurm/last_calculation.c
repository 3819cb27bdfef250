#include "import/slurm/slurm.h"
#include "model/jobs.h"
#include "model/model.h"

#include <math.h>
#include <stdlib.h>

/* Finds the time T of the last priority calculation, which no command of Slurm prints. */

/* ---- T, the time of the last priority calculation, from the run minutes of associations
 *
 * For an association,
 *
 *   GrpTRESRunMins = floor(sum over its running jobs of amount * (limit - (T - start)) / 60)
 *
 * (priority_multifactor.c: _handle_assoc_tres_run_secs). If one of the running jobs has at least 60 units of a TRES,
 * such as memory, this formula determines T to the second.
 *
 * An association is not used if the formula may be wrong for one of its jobs:
 *  - The usage factor of the job is not an integer. Slurm then loses fractions.
 *  - The job was running when the controller started. Some versions of Slurm subtract too little run time for such a
 *    job. */

/* A running or suspended job, to be sorted by its association. */
struct association_job {
	uint32_t association; /* id of the association */
	uint32_t row;         /* job row */
};

static int compare_job_associations(const void *x, const void *y)
{
	const struct association_job *a = x, *b = y;

	return (a->association > b->association) - (a->association < b->association);
}

/* Sum over the running jobs of an association: remaining seconds * amount of one TRES * usage factor. The sum is
 * at_zero - per_s * T, where T is the time of the last priority calculation. T and last_start are in seconds relative
 * to the capture's time. */
struct run_seconds {
	/* weighted remaining run seconds of the association's running jobs, if the last priority calculation was at the
	 * capture's time (T = 0) */
	int64_t at_zero;
	/* decrease of the weighted run seconds if the last priority calculation is one second later */
	int64_t per_s;
	/* latest of the start times of the association's jobs, seconds relative to the capture's time */
	int64_t last_start;
};

/* Returns the usage factor of the job's QOS; -1 if the factor is not an integer between 0 and 1000, or the QOS is
 * unknown. */
static int64_t get_integer_usage_factor(const fs_snapshot *m, const struct fsi_job *job)
{
	size_t n;
	const uint32_t *names = fsi_list_items(m, job->qos, &n);

	for (size_t i = 0; n && i < m->qos.n; i++)
		if (m->qos.v[i].name == names[0]) {
			const struct fsi_qos *q = &m->qos.v[i];
			const double f = FSI_HAS(q, QOS, usage_factor) ? q->usage_factor : 1;

			return f >= 0 && f <= 1000 && floor(f) == f ? (int64_t)f : -1;
		}
	return -1;
}

/* Adds the weighted remaining run seconds of a job to *l. Returns false if these seconds cannot be computed exactly;
 * the run minutes of the job's association then do not show the time of the last priority calculation. */
static bool add_job_seconds(const fs_snapshot *m, const struct fsi_job *job, uint32_t tres, struct run_seconds *l)
{
	const int64_t factor = get_integer_usage_factor(m, job), start = job->start_time - m->head.time,
		      amount = fsi_amount_of_tres(m, job->tres_alloc, tres) * factor;
	int64_t boot;

	if (factor < 0 || job->state != FSI_STATE_RUNNING || !FSI_HAS(job, JOB, start_time) ||
	    !FSI_HAS(job, JOB, time_limit_s) || FSI_SPECIAL(job, JOB, time_limit_s) ||
	    start + job->time_limit_s <= 0)
		return false;
	if (fs_slurm_has(m->info.version, FS_SLURM_PROMISES_AGAIN) &&
	    (!fsi_controller_start_time(m, &boot) || job->start_time <= boot))
		return false;
	l->at_zero += amount * (start + job->time_limit_s);
	l->per_s += amount;
	if (start > l->last_start)
		l->last_start = start;
	return true;
}

/* Returns a / b rounded down; b must be positive. */
static int64_t divide_rounding_down(int64_t a, int64_t b)
{
	return a / b - (a % b != 0 && a < 0);
}

/* Adds to x the span of times at which the sum *l of weighted remaining run seconds, rounded down to minutes, equals
 * `minutes`. Adds nothing if there is no such time, or if the first such time is not later than l->last_start. */
static int add_calculation_span(struct fsi_calculation_time *x, const fs_snapshot *m, const struct run_seconds *l,
				int64_t minutes)
{
	const int64_t minute_s = 60, min = minutes * minute_s, max = min + minute_s - 1;
	struct fsi_calculation_span s;

	if (l->per_s <= 0)
		return 0;
	s.from = -divide_rounding_down(-(l->at_zero - max), l->per_s);
	s.to = divide_rounding_down(l->at_zero - min, l->per_s);
	if (s.from > s.to || s.from <= l->last_start)
		return 0;
	if (FSI_VEC_RESERVE(&x->spans))
		return -1;
	x->spans.v[x->spans.n++] =
		(struct fsi_calculation_span){ s.from + m->head.time, s.to + m->head.time };
	return 0;
}

/* Adds spans of times to x, at most one for each TRES in `minutes`, the run minutes of an association. A span contains
 * the times at which these run minutes may have been computed. p[0..n) are the association's jobs. */
static int add_association_spans(struct fsi_calculation_time *x, const fs_snapshot *m, uint32_t minutes,
				 const struct association_job *p, size_t n)
{
	size_t tres;
	const struct fsi_amount *a = fsi_amount_items(m, minutes, &tres);

	for (size_t k = 0; k < tres; k++) {
		struct run_seconds l = { .last_start = INT64_MIN };
		bool usable = true;

		for (size_t i = 0; usable && i < n; i++)
			usable = add_job_seconds(m, &m->job.v[p[i].row], a[k].tres, &l);
		if (usable && add_calculation_span(x, m, &l, a[k].n))
			return -1;
	}
	return 0;
}

/* Stores the running and suspended jobs in p, sorted by association. Returns false if the association of a job
 * is unknown. */
static bool list_active_jobs(const fs_snapshot *m, struct association_job *p, size_t *n)
{
	*n = 0;
	for (uint32_t i = 0; i < m->job.n; i++) {
		const struct fsi_job *job = &m->job.v[i];

		if (job->state != FSI_STATE_RUNNING && job->state != FSI_STATE_SUSPENDED)
			continue;
		if (!FSI_HAS(job, JOB, association) || !job->association)
			return false;
		p[(*n)++] = (struct association_job){ job->association, i };
	}
	qsort(p, *n, sizeof(*p), compare_job_associations);
	return true;
}

/* Returns the index in p of the first job of the association. If the association has no job, returns the index of the
 * first job of an association with a larger id; n if there is none. */
static size_t find_first_job(const struct association_job *p, size_t n, uint32_t association)
{
	size_t lo = 0;

	while (lo < n) {
		const size_t mid = lo + (n - lo) / 2;

		if (p[mid].association < association)
			lo = mid + 1;
		else
			n = mid;
	}
	return lo;
}

int fsi_calculation_time_add_run_minutes(struct fsi_calculation_time *x, const fs_snapshot *m)
{
	struct association_job *p = malloc((m->job.n + 1) * sizeof(*p));
	size_t n;
	int rc = p ? 0 : -1;

	if (p && list_active_jobs(m, p, &n))
		for (size_t i = 0; !rc && i < m->association.n; i++) {
			const struct fsi_association *a = &m->association.v[i];
			const size_t first = a->user ? find_first_job(p, n, a->id) : n;
			size_t end = first;

			while (end < n && p[end].association == a->id)
				end++;
			if (end > first && FSI_HAS(a, ASSOCIATION, run_by_tres_min))
				rc = add_association_spans(x, m, a->run_by_tres_min, p + first, end - first);
		}
	free(p);
	return rc;
}

/* ---- T, the time of the last priority calculation, from the ages in sprio
 *
 *   age factor = (T - AccrueTime) / PriorityMaxAge, at most 1, printed with seven decimals
 *
 * Because of the rounding, each job's age gives a span of seconds that contains T. Run minutes give more spans. T is
 * between the controller's start and the end of the capture, at a time that as many spans as possible contain. Without
 * spans (with PriorityWeightAge=0, sprio prints all ages as zero), T is the end of the last whole PriorityCalcPeriod
 * since the controller's start (model/jobs.h). */

/* maximum duration of a capture in seconds; a calculation may take place between the capture's time and its last
 * command */
enum { CAPTURE_MAX_S = 60 };

/* half a unit of the last decimal of an age factor */
static const double half_digit = 0.5e-7;

int fsi_calculation_time_add_age(struct fsi_calculation_time *x, const struct fsi_job *job, uint32_t row,
				 const struct fsi_recorded *r)
{
	const double max_age_s = (double)x->max_age_s, margin = 1e-9 * max_age_s;
	struct fsi_calculation_span *s;

	if (!FSI_HAS(job, JOB, accrue_time) || x->max_age_s <= 0 || r->norm_age >= 1)
		return 0;
	if (r->norm_age <= 0) {
		if (FSI_VEC_RESERVE(&x->zero_age_rows))
			return -1;
		x->zero_age_rows.v[x->zero_age_rows.n++] = row;
		return 0;
	}
	if (FSI_VEC_RESERVE(&x->spans))
		return -1;
	s = &x->spans.v[x->spans.n];
	s->from = job->accrue_time + (int64_t)ceil((r->norm_age - half_digit) * max_age_s - margin);
	s->to = job->accrue_time + (int64_t)floor((r->norm_age + half_digit) * max_age_s + margin);
	x->spans.n += s->from <= s->to;
	return 0;
}

/* The first second of a span of times (`step` is 1), or the first second after a span (`step` is -1). */
struct span_edge {
	int64_t at; /* time in seconds since the epoch */
	int step;   /* 1: `at` is the first second of a span; -1: `at` is the first second after a span */
};

static int compare_span_edges(const void *x, const void *y)
{
	const struct span_edge *a = x, *b = y;

	return (a->at > b->at) - (a->at < b->at);
}

/* Finds the seconds within [earliest, latest] that are in the most spans of x. Sets *out to the latest unbroken range
 * of such seconds, and *votes to the number of spans that contain this range. If no span of x overlaps [earliest,
 * latest], sets *votes to 0 and does not set *out. Returns -1 if out of memory. */
static int find_best_span(const struct fsi_calculation_time *x, int64_t earliest, int64_t latest,
			  struct fsi_calculation_span *out, size_t *votes)
{
	struct span_edge *edge = malloc((2 * x->spans.n + 1) * sizeof(*edge));
	size_t n = 0, span_count = 0;

	*votes = 0;
	if (!edge)
		return -1;
	for (size_t i = 0; i < x->spans.n; i++) {
		const struct fsi_calculation_span *s = &x->spans.v[i];
		const int64_t from = s->from > earliest ? s->from : earliest;
		const int64_t to = s->to < latest ? s->to : latest;

		if (from > to)
			continue;
		edge[n++] = (struct span_edge){ from, 1 };
		edge[n++] = (struct span_edge){ to + 1, -1 };
	}
	if (n)
		qsort(edge, n, sizeof(*edge), compare_span_edges);
	for (size_t i = 0; i < n;) {
		const int64_t at = edge[i].at;

		for (; i < n && edge[i].at == at; i++)
			span_count = edge[i].step > 0 ? span_count + 1 : span_count - 1;
		if (span_count >= *votes && span_count) {
			*votes = span_count;
			*out = (struct fsi_calculation_span){ at, edge[i].at - 1 };
		}
	}
	free(edge);
	return 0;
}

/* Sets the header's priority_time to t, with its source `from` and its maximum error error_s in seconds. A negative
 * error_s means that the error is unknown. */
static int set_calculation_time(struct fsi_import *imp, int64_t t, const char *from, int64_t error_s)
{
	struct fsi_header *h = &imp->m->head;

	FSI_PUT(h, SNAPSHOT, priority_time, t);
	FSI_PUT(h, SNAPSHOT, priority_time_from, fsi_name_intern(imp->m, from));
	if (error_s >= 0)
		FSI_PUT(h, SNAPSHOT, priority_time_error_s, (uint32_t)error_s);
	return h->priority_time_from == FSI_INTERN_FAILED ? fsi_fail_no_memory(imp->err) : 0;
}

/* Sets the time of the last priority calculation to the middle of the span `s`. The maximum error of this time is the
 * distance from the middle to the end of the span. If the middle is after the capture's time, the middle also becomes
 * the capture's time. */
static int set_time_by_span(struct fsi_import *imp, struct fsi_calculation_span s, const char *from)
{
	const int64_t t = s.from + (s.to - s.from) / 2;

	if (t > imp->m->head.time)
		imp->m->head.time = t;
	return set_calculation_time(imp, t, from, s.to - t);
}

/* Sets the time of the last priority calculation to the earliest AccrueTime of the jobs whose age in sprio is zero.
 * These jobs had not begun to accrue at the calculation, so the calculation was not after this time. This method is
 * used if the controller's start time is unknown. */
static int set_time_by_zero_ages(struct fsi_import *imp, const struct fsi_calculation_time *x)
{
	int64_t t = imp->m->head.time;

	if (!x->zero_age_rows.n)
		return 0;
	for (size_t i = 0; i < x->zero_age_rows.n; i++) {
		const struct fsi_job *job = &imp->m->job.v[x->zero_age_rows.v[i]];

		if (job->accrue_time < t)
			t = job->accrue_time;
	}
	return set_calculation_time(imp, t, FSI_CALC_FROM_NO_AGES, -1);
}

/* Returns false if PriorityWeightAge is 0: sprio then prints all ages as zero. */
static bool are_ages_weighted(const fs_snapshot *m)
{
	const struct fsi_config_entry *e = fsi_config_find(m, "PriorityWeightAge");

	return e && e->kind == FSI_CONFIG_INT && e->i > 0;
}

/* Sets `accruing` to false for each job whose age was zero at the last priority calculation, although its accrue_time
 * is before this calculation. Such a job began to accrue later, and the controller then backdated its accrue_time. In
 * its first cycle, the controller backdates the accrue_time of job arrays. With ACCRUE_ALWAYS, it backdates the
 * accrue_time of all jobs. Only the ages in sprio show that the accrue_time was backdated. */
static void mark_accruing_jobs(fs_snapshot *m, const struct fsi_calculation_time *x)
{
	for (size_t i = 0; i < x->zero_age_rows.n; i++) {
		struct fsi_job *job = &m->job.v[x->zero_age_rows.v[i]];

		if (job->accrue_time < m->head.priority_time)
			FSI_SET(job, JOB, accruing);
	}
}

/* Finds the seconds within [earliest, latest] that are in the most spans, both of the ages in x and of the run minutes
 * of associations. Jobs that a command changed have the age of that command, which may be later than T. For *out and
 * *votes, see find_best_span. Returns -1 if out of memory. */
static int find_span_of_all(const struct fsi_calculation_time *x, const fs_snapshot *m, int64_t earliest,
			    int64_t latest, struct fsi_calculation_span *out, size_t *votes)
{
	struct fsi_calculation_time all = { 0 };
	int rc = fsi_calculation_time_add_run_minutes(&all, m);

	for (size_t i = 0; i < x->spans.n && !rc; i++) {
		rc = FSI_VEC_RESERVE(&all.spans) ? -1 : 0;
		if (!rc)
			all.spans.v[all.spans.n++] = x->spans.v[i];
	}
	if (!rc)
		rc = find_best_span(&all, earliest, latest, out, votes);
	fsi_calculation_time_release(&all);
	return rc;
}

/* Returns the number of ages in x that agree with all times of the span. */
static size_t count_matching_ages(const struct fsi_calculation_time *x, struct fsi_calculation_span span)
{
	size_t n = 0;

	for (size_t i = 0; i < x->spans.n; i++)
		n += x->spans.v[i].from <= span.from && x->spans.v[i].to >= span.to;
	return n;
}

int fsi_calculation_time_choose(struct fsi_import *imp, const struct fsi_calculation_time *x)
{
	const int64_t latest = imp->m->head.time + CAPTURE_MAX_S;
	struct fsi_calculation_span best = { 0, 0 };
	int64_t start, run;
	size_t votes, ages;
	int rc = 0;

	if (!fsi_controller_start_time(imp->m, &start))
		start = 0;
	if (find_span_of_all(x, imp->m, start, latest, &best, &votes))
		return fsi_fail_no_memory(imp->err);
	ages = votes ? count_matching_ages(x, best) : 0;
	if (votes)
		rc = set_time_by_span(imp, best, ages ? FSI_CALC_FROM_AGES : FSI_CALC_FROM_RUN_MINUTES);
	else if (fsi_last_calc_by_start(imp->m, &run))
		rc = set_calculation_time(imp, run, FSI_CALC_FROM_START, -1);
	else
		rc = set_time_by_zero_ages(imp, x);
	if (!rc && ages && are_ages_weighted(imp->m))
		mark_accruing_jobs(imp->m, x);
	if (!rc && ages < x->spans.n &&
	    fsi_model_add_warning(imp->m, "sprio: %zu of %zu job ages do not match the time of the last priority calculation",
				  x->spans.n - ages, x->spans.n))
		rc = fsi_fail_no_memory(imp->err);
	return rc;
}

void fsi_calculation_time_release(struct fsi_calculation_time *x)
{
	FSI_VEC_FREE(&x->spans);
	FSI_VEC_FREE(&x->zero_age_rows);
}
