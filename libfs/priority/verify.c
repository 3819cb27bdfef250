/* `recorded` records, which are what sshare and sprio printed, against what we compute.
 *
 * Tolerances: half a unit of the last digit printed, of a priority one point; and as much as the
 * digits missing from captured usage can move a value (slack). */
#include "priority/slurm.h"
#include "priority/verify.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct fs_verify_column *column(struct fsi_verify_work *v, const char *name)
{
	return fsi_verify_column(v->out, name);
}

/* ---- priorities ---- */

static const struct {
	unsigned bit;
	enum fs_factor factor;
} points_columns[] = {
	{ FSI_RECORDED_site, FS_FACTOR_SITE },
	{ FSI_RECORDED_nice, FS_FACTOR_NICE },
	{ FSI_RECORDED_age, FS_FACTOR_AGE },
	{ FSI_RECORDED_assoc, FS_FACTOR_ASSOC },
	{ FSI_RECORDED_fairshare, FS_FACTOR_FAIRSHARE },
	{ FSI_RECORDED_jobsize, FS_FACTOR_JOBSIZE },
	{ FSI_RECORDED_partition_points, FS_FACTOR_PARTITION },
	{ FSI_RECORDED_qos_points, FS_FACTOR_QOS },
};

/* What was taken from the record says nothing about it: the computed term is unknown then. */
static double over_weight(const struct fs_prio_term *t)
{
	return t->recorded ? (double)NAN : t->weight == 0 ? 0 : t->points / t->weight;
}

static const double half_digit = 0.5e-7; /* of what is printed with seven */

static bool all_computed(const struct fsi_verify_work *v, const struct fs_prio_row *row)
{
	for (size_t t = 0; t < fs_prios_terms(v->prios); t++)
		if (row->terms[t].recorded)
			return false;
	return true;
}

static const struct fs_prio_term *term_of(const struct fsi_verify_work *v, const struct fs_prio_row *row,
					  enum fs_factor factor)
{
	return &row->terms[fs_prios_find_term(v->prios, factor)];
}

/* Points of the weighted TRES, whole; what is zero is not printed. */
static void compare_tres(struct fsi_verify_work *v, const char *what, const struct fsi_recorded *r,
			 const struct fs_prio_row *row)
{
	struct fs_verify_column *c = column(v, fsi_verify_key(FSI_RECORDED_tres));
	bool unknown = false, differ = false;

	for (size_t t = fs_prios_find_term(v->prios, FS_FACTOR_TRES); t < fs_prios_terms(v->prios); t++) {
		const struct fs_prio_term *term = &row->terms[t];
		const uint32_t tres = fsi_name_find(v->m, term->name + strlen("tres/"));
		const double printed = tres ? (double)fsi_amount_of(v->m, r->tres, tres) : 0;

		unknown = unknown || isnan(term->points) || term->recorded;
		if (isnan(term->points) || term->recorded || fabs(term->points - printed) <= 0.5 + 1e-6)
			continue;
		differ = true;
		fsi_verify_note(v->note, v->ctx, "%s: %s: printed %.15g, computed %.15g", what,
				term->name, printed, term->points);
	}
	c->unknown += unknown && !differ;
	c->compared += !unknown || differ;
	c->differ += differ;
}

/* Every update of a job, also one that is refused, computes its priority at once, with its age of that moment (src/
 * slurmctld/job_mgr.c: the end of _update_job); the others' are of the last calculation. So its age may be so many
 * points more, but no more than it has by now: as many as were printed, 0 where that explains nothing. */
static double updated_since(const struct fsi_verify_work *v, const struct fsi_recorded *r,
			    const struct fs_prio_row *row)
{
	const struct fsi_slurm_conf *conf = &fsi_slurm_of(v->prios)->conf;
	const struct fs_prio_term *t = term_of(v, row, FS_FACTOR_AGE);
	const double passed = (double)(v->m->info.time - v->prios->last_run), weight = conf->weight_age;
	const double room =
		conf->max_age_s > 0 ? fmin(weight * passed / (double)conf->max_age_s, weight - t->points) : 0;
	double more = 0;

	if (t->recorded || isnan(t->points) || v->prios->last_run <= 0)
		return 0;
	if (FSI_HAS(r, RECORDED, norm_age))
		more = r->norm_age * weight - t->points;
	else if (FSI_HAS(r, RECORDED, age))
		more = r->age - t->points;
	else if (FSI_HAS(r, RECORDED, priority) && all_computed(v, row))
		more = r->priority - row->priority;
	return more > half_digit * weight && more <= room + 1 ? fmin(more, room) : 0;
}

static void verify_row(struct fsi_verify_work *v, const struct fsi_recorded *r, size_t k)
{
	const double rounding = 0.5 + 1e-6;
	const uint32_t assoc = fsi_job_assoc(v->m, &v->m->job.v[v->prios->row.v[k].job]);
	const double slack = assoc == FSI_NO_INDEX || !v->shares ? 0 : fsi_verify_factor_slack(v, assoc);
	const struct fsi_slurm_conf *conf = &fsi_slurm_of(v->prios)->conf;
	const double slack_points = slack * conf->weight_fairshare;
	struct fs_prio_row row;
	double more;
	char what[256];

	fs_prios_row(v->prios, k, &row);
	more = updated_since(v, r, &row);
	snprintf(what, sizeof(what), "job %llu (%s%s%s)", (unsigned long long)row.job,
		 row.partition, *row.qos ? " " : "", row.qos);
	fsi_verify_compare(v, what, r, FSI_RECORDED_priority,
		all_computed(v, &row) ? row.priority + more : (double)NAN, 1 + slack_points);
	for (size_t i = 0; i < sizeof(points_columns) / sizeof(*points_columns); i++) {
		const enum fs_factor f = points_columns[i].factor;
		const struct fs_prio_term *t = term_of(v, &row, f);

		fsi_verify_compare(v, what, r, points_columns[i].bit,
			t->recorded	? (double)NAN
			: t->weight < 0 ? t->value
					: t->points + (f == FS_FACTOR_AGE ? more : 0),
			rounding + (f == FS_FACTOR_FAIRSHARE ? slack_points : 0));
	}
	if (fs_prios_find_term(v->prios, FS_FACTOR_TRES) != FS_NO_ROW)
		compare_tres(v, what, r, &row);
	fsi_verify_compare(v, what, r, FSI_RECORDED_norm_age,
			   over_weight(term_of(v, &row, FS_FACTOR_AGE)) + (more > 0 ? more / conf->weight_age : 0),
			   half_digit);
	fsi_verify_compare(v, what, r, FSI_RECORDED_norm_fairshare,
		over_weight(term_of(v, &row, FS_FACTOR_FAIRSHARE)), half_digit + slack);
}

/* The first row of the job or of one with a greater id. */
static size_t first_row(const struct fsi_verify_work *v, uint64_t job)
{
	size_t lo = 0, hi = v->prios->row.n;

	while (lo < hi) {
		const size_t mid = lo + (hi - lo) / 2;

		if (v->m->job.v[v->prios->row.v[mid].job].id < job)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* The row that was printed for the record, among those not yet taken; row.n if there is none. */
static size_t find_row(const struct fsi_verify_work *v, const struct fsi_recorded *r, const bool *taken)
{
	const size_t n = v->prios->row.n;

	for (size_t k = first_row(v, r->job); k < n; k++) {
		const struct fsi_prio_row *row = &v->prios->row.v[k];

		if (v->m->job.v[row->job].id != r->job)
			break;
		if (!taken[k] && row->partition_name == r->partition &&
		    (!FSI_HAS(r, RECORDED, qos) || row->qos == r->qos))
			return k;
	}
	return n;
}

static void count_listed(struct fsi_verify_work *v, bool both, const char *side, uint64_t job,
			 uint32_t partition)
{
	struct fs_verify_column *c = column(v, "listed");

	c->compared++;
	if (both)
		return;
	c->differ++;
	fsi_verify_note(v->note, v->ctx, "job %llu (%s): only %s has a priority for it",
			(unsigned long long)job, fsi_str(v->m, partition), side);
}

static int verify_jobs(struct fsi_verify_work *v)
{
	const size_t n = v->prios->row.n;
	bool *taken = calloc(n + 1, sizeof(*taken)), any = false;

	if (!taken)
		return -1;
	for (size_t i = 0; i < v->m->recorded.n; i++) {
		const struct fsi_recorded *r = &v->m->recorded.v[i];
		size_t k;

		if (!FSI_HAS(r, RECORDED, job))
			continue;
		if (fsi_hidden(v->m, "job")) {
			column(v, "listed")->unknown++;
			continue;
		}
		any = true;
		k = find_row(v, r, taken);
		taken[k] = true;
		count_listed(v, k < n, "the scheduler", r->job, r->partition);
		if (k < n)
			verify_row(v, r, k);
	}
	for (size_t k = 0; any && k < n; k++)
		if (!taken[k])
			count_listed(v, false, "our computation",
				     v->m->job.v[v->prios->row.v[k].job].id,
				     v->prios->row.v[k].partition_name);
	free(taken);
	return 0;
}

/* ---- all of it ---- */

/* How far usage may be off for the digits that the capture has. */
static double usage_error(const fs_snapshot *m)
{
	const char *source = m->info.usage_source;

	return !strcmp(source, "assoc_mgr") ? 0.005
	       : !strcmp(source, "sshare")  ? 1
	       : !strcmp(source, "exact")   ? 0.5e-6
					    : 0;
}

int fsi_verify_recorded(struct fsi_verify *common, struct fs_error *err)
{
	struct fsi_verify_work v = {
		.m = common->m,
		.shares = common->shares,
		.prios = common->prios,
		.usage_error = usage_error(common->m),
		.note = common->note,
		.ctx = common->ctx,
		.out = common->out,
	};
	int rc;

	rc = (v.shares && fsi_verify_shares(&v)) || (v.prios && verify_jobs(&v)) ? fsi_nomem(err) : 0;
	free(v.late_error);
	return rc;
}
