/* Sums of the multifactor plugin.
 *
 * Sum: age + assoc + fairshare + jobsize + partition + qos + site - nice + tres..., each term being
 * factor * weight; at least 1; the fraction is dropped (src/sprio/print.c:_get_priority). */
#include "priority/slurm.h"

#include "base/names.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* The scheduler keeps a priority as an integer and never below 1. */
static double kept_priority(double sum)
{
	return isnan(sum) ? NAN : sum < 1 ? 1 : trunc(sum);
}

static void slurm_inputs(const struct fs_prios *p, size_t i, size_t t, struct fs_prio_inputs *out)
{
	const struct fsi_slurm_prio *s = fsi_slurm_of(p);
	const struct fsi_prio_row *r = &p->row.v[i];
	const struct fsi_job *job = &p->m->job.v[r->job];

	switch (p->weights[t].factor) {
	case FS_FACTOR_AGE:
		*out = fsi_inputs_age(s, job);
		break;
	case FS_FACTOR_ASSOC:
		*out = fsi_inputs_assoc(s, fsi_job_assoc(p->m, job));
		break;
	case FS_FACTOR_JOBSIZE:
		*out = fsi_inputs_jobsize(s, job);
		break;
	case FS_FACTOR_PARTITION:
		*out = fsi_inputs_partition(s, r->partition);
		break;
	case FS_FACTOR_QOS:
		*out = fsi_inputs_qos(s, job, r->qos);
		break;
	case FS_FACTOR_TRES:
		*out = fsi_inputs_tres(s, job, r->partition,
				       s->conf.weight_tres[t - FS_FACTOR_TRES].tres);
		break;
	default:
		break;
	}
}

static double fairshare_factor(const struct fs_prios *p, uint32_t assoc)
{
	const struct fsi_slurm_prio *s = fsi_slurm_of(p);

	if (assoc == FSI_NO_INDEX)
		return s->fairshare && !fsi_hidden(p->m, "association") ? 0 : NAN;
	return s->fairshare[assoc];
}

static double if_weighted(uint32_t weight, struct fs_prio_inputs in)
{
	return weight ? fsi_slurm_value(&in) : 0;
}

static void compute_values(const struct fs_prios *p, size_t i, double *v)
{
	const struct fsi_slurm_prio *s = fsi_slurm_of(p);
	const struct fsi_slurm_conf *c = &s->conf;
	const struct fsi_prio_row *r = &p->row.v[i];
	const struct fsi_job *job = &p->m->job.v[r->job];
	const uint32_t assoc = fsi_job_assoc(p->m, job);

	v[FS_FACTOR_AGE] = if_weighted(c->weight_age, fsi_inputs_age(s, job));
	v[FS_FACTOR_ASSOC] = if_weighted(c->weight_assoc, fsi_inputs_assoc(s, assoc));
	v[FS_FACTOR_FAIRSHARE] = c->weight_fairshare ? fairshare_factor(p, assoc) : 0;
	v[FS_FACTOR_JOBSIZE] = if_weighted(c->weight_jobsize, fsi_inputs_jobsize(s, job));
	v[FS_FACTOR_PARTITION] =
		if_weighted(c->weight_partition, fsi_inputs_partition(s, r->partition));
	v[FS_FACTOR_QOS] = if_weighted(c->weight_qos, fsi_inputs_qos(s, job, r->qos));
	for (size_t t = 0; t < c->ntres; t++) {
		const struct fs_prio_inputs in =
			fsi_inputs_tres(s, job, r->partition, c->weight_tres[t].tres);

		v[FSI_ROW_FACTORS + t] = fsi_slurm_value(&in);
	}
}

static int keep_fairshare(struct fs_prios *p, const fs_shares *shares)
{
	const size_t n = shares ? p->m->association.n : 0;
	double *v = fsi_arena_array(&p->arena, n + 1, sizeof(*v));

	if (!v)
		return -1;
	for (size_t i = 0; i < n; i++)
		v[i] = shares->f.share[i].factor;
	fsi_slurm_of(p)->fairshare = shares ? v : NULL;
	return 0;
}

static int make_weights(struct fs_prios *p)
{
	static const char *const names[] = { FS_FACTORS(FSI_NAME) };
	const struct fsi_slurm_conf *c = &fsi_slurm_of(p)->conf;
	const double weights[] = { c->weight_age,     c->weight_assoc,	   c->weight_fairshare,
				   c->weight_jobsize, c->weight_partition, c->weight_qos,
				   1,		      -1 };

	p->nterms = FS_FACTOR_TRES + c->ntres;
	p->weights = fsi_arena_array(&p->arena, p->nterms, sizeof(*p->weights));
	if (!p->weights)
		return -1;
	for (size_t i = 0; i < FS_FACTOR_TRES; i++)
		p->weights[i] = (struct fs_prio_term){ .factor = (enum fs_factor)i,
						       .name = names[i],
						       .weight = weights[i] };
	for (size_t t = 0; t < c->ntres; t++) {
		const char *name = fsi_str(p->m, c->weight_tres[t].tres);
		const size_t len = strlen(name);
		char *full = fsi_arena_alloc(&p->arena, len + 6);

		if (!full)
			return -1;
		memcpy(full, "tres/", 5);
		memcpy(full + 5, name, len);
		p->weights[FS_FACTOR_TRES + t] = (struct fs_prio_term){
			.factor = FS_FACTOR_TRES, .name = full, .weight = c->weight_tres[t].weight
		};
	}
	return 0;
}

/* Slurm before 23.02 clears the factors of an admin-set job together with the offset of site and nice,
 * then fills in the partition's again when there are several: sprio adds those up. */
static bool partly_cleared(const struct fs_prios *p, const struct fsi_job *job)
{
	size_t parts;

	fsi_list(p->m, job->partitions, &parts);
	return fsi_slurm_of(p)->as_printed && parts > 1 &&
	       !fs_slurm_has(p->compat, FS_SLURM_ADMIN_SET_CLEARED);
}

static double site_factor(const struct fs_prios *p, const struct fsi_job *job)
{
	return (fsi_slurm_of(p)->conf.site_plugin || fsi_hidden(p->m, FSI_HIDDEN_JOB_FIELDS)) &&
			       !FSI_HAS(job, JOB, site_factor)
		       ? (double)NAN
		       : job->site_factor;
}

static double nice(const struct fs_prios *p, const struct fsi_job *job)
{
	return !FSI_HAS(job, JOB, nice) && fsi_hidden(p->m, FSI_HIDDEN_JOB_FIELDS) ? (double)NAN : job->nice;
}

/* Takes what the inputs do not give as sprio printed it, which is of that moment. */
static void take_recorded(const struct fs_prios *p, const struct fsi_recorded *r, size_t t,
			  struct fs_prio_term *term)
{
	const struct fsi_slurm_prio *s = fsi_slurm_of(p);
	const uint32_t tres = t < FS_FACTOR_TRES
				      ? 0
				      : s->conf.weight_tres[t - FS_FACTOR_TRES].tres;

	const double printed =
		fsi_prio_recorded_factor(p->m, r, term->factor, tres, term->weight);

	if (!isnan(printed))
		term->value = printed;
	term->recorded = !isnan(term->value);
}

/* Does the printed value stand in for the term? The fair-share factor of a hidden tree is sshare's, which has one
 * digit less. */
static bool stands_in(const struct fs_prios *p, size_t t)
{
	return t == FS_FACTOR_FAIRSHARE && p->weights[t].weight != 0 &&
	       fsi_hidden(p->m, "association");
}

/* Nothing changes any more in what was printed of it, at whatever clock. */
static bool is_kept(const struct fs_prios *p, size_t i)
{
	const struct fsi_job *job = &p->m->job.v[p->row.v[i].job];

	return fsi_slurm_of(p)->keeps_ended && (fsi_job_finished(job) || job->state == FSI_STATE_COMPLETING);
}

static const struct fsi_recorded *record_of(const struct fs_prios *p, size_t i)
{
	const struct fsi_prio_row *r = &p->row.v[i];

	if (!fsi_slurm_of(p)->recorded.n || (p->now != p->m->info.time && !is_kept(p, i)))
		return NULL;
	return fsi_prio_recorded_find(&fsi_slurm_of(p)->recorded, p->m->job.v[r->job].id,
				      r->partition_name, r->qos);
}

/* Factors are computed here and not kept: those of a million rows would take more memory than all else that is known
 * of them. */
static void fill_terms(const struct fs_prios *p, size_t i, const struct fsi_job *job, bool direct,
		       struct fs_prio_row *row)
{
	const double nice_offset = 2147483648.0; /* NICE_OFFSET */
	const bool cleared = direct && partly_cleared(p, job), kept = is_kept(p, i);
	const struct fsi_recorded *record = record_of(p, i);
	double v[FS_PRIO_TERMS_MAX];

	compute_values(p, i, v);
	for (size_t t = 0; t < p->nterms; t++) {
		struct fs_prio_term *term = &row->terms[t];

		*term = p->weights[t];
		if (t < FSI_ROW_FACTORS)
			term->value = direct && !(cleared && t == FS_FACTOR_PARTITION) ? 0 : v[t];
		else if (t == FS_FACTOR_SITE)
			term->value = cleared ? -nice_offset : direct ? 0 : site_factor(p, job);
		else if (t == FS_FACTOR_NICE)
			term->value = cleared ? -nice_offset : direct ? 0 : nice(p, job);
		else
			term->value = direct ? 0 : v[t - FS_FACTOR_TRES + FSI_ROW_FACTORS];
		if (record && (kept || isnan(term->value) || stands_in(p, t)))
			take_recorded(p, record, t, term);
		term->points = fs_slurm_wire(term->value * term->weight) + 0.0; /* no -0 */
		if (record && isnan(term->points)) {
			term->points = fsi_prio_recorded_points(record, term->factor);
			term->recorded = !isnan(term->points);
		}
	}
}

/* The priority that the scheduler printed for this row; NAN if it did not. */
static double told_priority(const struct fs_prios *p, size_t i)
{
	const struct fsi_recorded *record = record_of(p, i);
	const struct fsi_job *job = &p->m->job.v[p->row.v[i].job];
	size_t parts;

	if (record && FSI_HAS(record, RECORDED, priority))
		return record->priority;
	fsi_list(p->m, job->partitions, &parts);
	return parts == 1 && FSI_HAS(job, JOB, priority) && p->now == p->m->info.time ? job->priority : (double)NAN;
}

/* In a paste sprio's whole points stand in for inputs, and the priority is the one that was printed. Where the terms
 * do not come to it they are not those of the job: nobody has seen whether an administrator set it. */
static void keep_to_told(const struct fs_prios *p, size_t i, struct fs_prio_row *row)
{
	const double told = told_priority(p, i);
	const struct fsi_recorded *record = record_of(p, i);
	size_t rounded = 1;
	bool other = false;

	for (size_t t = 0; t < p->nterms; t++)
		rounded += row->terms[t].points != 0;
	other = fabs(row->priority - told) > (double)rounded;

	for (size_t t = 0; record && t < p->nterms; t++)
		other = other ||
			fabs(row->terms[t].points - fsi_prio_recorded_points(record, row->terms[t].factor)) > 1;
	if (isnan(told) && !other)
		return;
	for (size_t t = 0; other && t < p->nterms; t++)
		row->terms[t].value = row->terms[t].points = NAN;
	if (other)
		row->sum = NAN;
	row->priority = told;
}

/* sprio prints the TRES that a job gets any points for, `mem=0` where they come to less than one, which are then not
 * known. */
static double told_tres(const struct fs_prios *p, const struct fsi_recorded *r, uint32_t tres)
{
	size_t n;
	const struct fsi_amount *a = fsi_amounts(p->m, FSI_HAS(r, RECORDED, tres) ? r->tres : 0, &n);

	for (size_t i = 0; i < n; i++)
		if (a[i].tres == tres)
			return a[i].n ? (double)a[i].n : DBL_MIN;
	return 0;
}

/* sprio prints whole points; those of site and nice are their values. */
static double told_points(const struct fs_prios *p, const struct fsi_recorded *r, size_t t,
			  const struct fs_prio_term *term)
{
	if (t >= FS_FACTOR_TRES)
		return told_tres(p, r, fsi_slurm_of(p)->conf.weight_tres[t - FS_FACTOR_TRES].tres);
	if (t == FS_FACTOR_SITE || t == FS_FACTOR_NICE)
		return term->value * term->weight + 0.0; /* no -0 */
	return fsi_prio_recorded_points(r, term->factor);
}

static void told_row(const struct fs_prios *p, size_t i, bool direct, struct fs_prio_row *row)
{
	const struct fsi_recorded *record = record_of(p, i);

	for (size_t t = 0; t < p->nterms; t++) {
		struct fs_prio_term *term = &row->terms[t];

		*term = p->weights[t];
		term->value = term->points = NAN;
		if (record) {
			take_recorded(p, record, t, term);
			term->points = told_points(p, record, t, term);
		}
		row->sum += term->points;
	}
	row->priority = record && FSI_HAS(record, RECORDED, priority) ? record->priority : (double)NAN;
	row->direct = direct;
	if (direct)
		row->sum = row->priority;
}

static void slurm_row(const struct fs_prios *p, size_t i, struct fs_prio_row *row)
{
	const struct fsi_job *job = &p->m->job.v[row->job_row];
	const bool direct = FSI_HAS(job, JOB, priority_set) && job->priority_set;
	const struct fsi_recorded *record;

	if (fsi_slurm_of(p)->told) {
		told_row(p, i, direct, row);
		return;
	}
	fill_terms(p, i, job, direct, row);
	row->direct = direct && !partly_cleared(p, job);
	if (row->direct) {
		row->sum = row->priority = job->priority_set;
		return;
	}
	for (size_t t = 0; t < p->nterms; t++)
		/* printed points are rounded to whole ones */
		row->sum += isnan(row->terms[t].value) ? NAN : row->terms[t].points;
	row->priority = kept_priority(row->sum);
	record = is_kept(p, i) ? record_of(p, i) : NULL;
	if (record && FSI_HAS(record, RECORDED, priority))
		row->priority = record->priority;
	if (fsi_hidden(p->m, FSI_HIDDEN_JOB_FIELDS))
		keep_to_told(p, i, row);
}

/* The request of a job in k partitions takes k steps, and the job has k rows or more. */
static size_t in_many(const struct fs_prios *p, size_t i)
{
	enum { MANY = 4 };
	const uint32_t job = p->row.v[i].job;
	size_t n;

	fsi_list(p->m, p->m->job.v[job].partitions, &n);
	return n > MANY && (!i || p->row.v[i - 1].job != job);
}

static int keep_requests(struct fs_prios *p)
{
	struct fsi_slurm_prio *s = fsi_slurm_of(p);
	struct fsi_request *many;
	uint32_t *of;
	size_t n = 0;

	for (size_t i = 0; i < p->row.n; i++)
		n += in_many(p, i);
	if (!n)
		return 0;
	of = fsi_arena_array(&p->arena, p->m->job.n, sizeof(*of));
	many = fsi_arena_array(&p->arena, n, sizeof(*many));
	if (!of || !many)
		return -1;
	n = 0;
	for (size_t i = 0; i < p->row.n; i++)
		if (in_many(p, i)) {
			many[n] = fsi_request_of(&s->requests, &p->m->job.v[p->row.v[i].job], FSI_NO_INDEX);
			of[p->row.v[i].job] = (uint32_t)++n;
		}
	s->many_of = of;
	s->many = many;
	return 0;
}

static int slurm_compute(struct fs_prios *p, const fs_shares *shares,
			 const struct fs_prios_options *o, struct fs_error *err)
{
	struct fsi_slurm_prio *s = p->own = fsi_arena_alloc(&p->arena, sizeof(*s));
	int rc;

	if (!s)
		return fsi_nomem(err);
	s->m = p->m;
	s->node = fsi_name_find(p->m, "node");
	s->last_run = p->last_run;
	s->as_printed = o && o->as_printed;
	s->told = fsi_hidden(p->m, FSI_HIDDEN_PRIORITY_INPUTS);
	s->keeps_ended = fsi_slurm_keeps_ended(p->m);
	rc = fsi_slurm_conf_load(p->m, &s->conf, err);
	if (rc)
		return rc;
	if (!s->conf.multifactor)
		return fsi_fail(err, FS_ENODATA,
				"%s: priorities are not multifactor: there are no factors",
				p->m->file);
	s->totals = fsi_slurm_totals(p->m);
	if (fsi_prio_recorded_init(&s->recorded, p->m, &p->arena) ||
	    fsi_requests_init(&s->requests, p->m, &p->arena))
		return fsi_nomem(err);
	if (make_weights(p))
		return fsi_nomem(err);
	if (p->now > p->m->info.time)
		rc = fs_accrue_compute(&p->accrue, p->m, p->compat, err);
	s->accrue = p->accrue;
	if (!rc && (keep_fairshare(p, shares) || fsi_slurm_add_jobs(p, o) || keep_requests(p)))
		rc = fsi_nomem(err);
	return rc;
}

/* The controller keeps a uint32 (priority_multifactor.c:_get_priority_internal); sprio adds up without that cap. */
const struct fsi_prio_scheduler fsi_slurm_prio = {
	.max = UINT32_MAX,
	.kept = kept_priority,
	.compute = slurm_compute,
	.row = slurm_row,
	.inputs = slurm_inputs,
};
