/* fs_snapshot_verify: what the scheduler printed against what we compute.
 *
 * Tolerances: half a unit of the last digit printed, of a priority one point; and as much as the
 * digits missing from captured usage can move a value (slack). */
#include "priority/slurm.h"
#include "priority/verify.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct verify {
	const fs_snapshot *m;
	const fs_shares *shares; /* NULL: no associations */
	fs_prios *prios;         /* NULL: no factors */
	double usage_error;      /* of one captured usage, TRES seconds */
	fs_note_fn note;
	void *ctx;
	struct fs_verify_result *out;
};

/* ---- counting ---- */

struct fs_verify_column *fsi_verify_column(struct fs_verify_result *r, const char *name)
{
	for (size_t i = 0; i < r->columns; i++)
		if (!strcmp(r->column[i].name, name))
			return &r->column[i];
	r->column[r->columns] = (struct fs_verify_column){ .name = name };
	return &r->column[r->columns++];
}

static struct fs_verify_column *column(struct verify *v, const char *name)
{
	return fsi_verify_column(v->out, name);
}

void fsi_verify_tell(fs_note_fn note, void *ctx, const char *fmt, ...)
{
	char text[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	note(ctx, text);
}

static const struct fsi_field *field_of(unsigned bit)
{
	return &fsi_record_table(FSI_RECORD_RECORDED)->fields[bit];
}

static bool recorded_value(const struct fsi_recorded *r, unsigned bit, double *value)
{
	const struct fsi_field *f = field_of(bit);
	const char *member = (const char *)r + f->offset;
	uint64_t whole;

	if (!(r->rec.has >> bit & 1))
		return false;
	if (f->type == FSI_U64) {
		memcpy(&whole, member, sizeof(whole));
		*value = (double)whole;
	} else {
		memcpy(value, member, sizeof(*value));
	}
	return true;
}

/* Compares one value; what names the row. */
static void compare(struct verify *v, const char *what, const struct fsi_recorded *r, unsigned bit,
		    double computed, double tolerance)
{
	const char *name = field_of(bit)->key;
	struct fs_verify_column *c;
	double printed;

	if (!recorded_value(r, bit, &printed))
		return;
	c = column(v, name);
	if (isnan(computed) || isnan(tolerance)) {
		c->unknown++;
		return;
	}
	c->compared++;
	tolerance += 1e-12 * fabs(printed);
	if (computed == printed || fabs(computed - printed) <= tolerance)
		return;
	c->differ++;
	fsi_verify_tell(v->note, v->ctx, "%s: %s: printed %.15g, computed %.15g", what, name,
			printed, computed);
}

/* ---- shares ---- */

/* A captured usage is right to usage_error; that of an account may be a sum of such. */
static double total_error(const struct verify *v, uint32_t i)
{
	return v->usage_error * (double)(v->m->tree[i].end - i);
}

/* Error over value, NAN when the value drowns in it. */
static double relative_error(const struct verify *v, uint32_t i)
{
	const double usage = (double)v->shares->f.share[i].usage_raw, error = total_error(v, i);

	return error == 0 ? 0 : usage > error ? error / usage : (double)NAN;
}

static double norm_slack(const struct verify *v, uint32_t i)
{
	const double root = (double)v->shares->f.share[0].usage_raw;

	return root > 0 ? (total_error(v, i) + total_error(v, 0)) / root : 0;
}

/* Of depth_oblivious: a product of powers. Its exponent 1 / (1 + (5 ln r)^2) moves by at most 3.3
 * times r's relative error; that counts times the other base's logarithm, below 12 in practice. */
static double depth_slack(const struct verify *v, uint32_t i, uint32_t parent)
{
	const struct fsi_share *s = &v->shares->f.share[i];
	const double sensitivity = 3.3 * 12;

	if (s->usage_raw == 0)
		return norm_slack(v, i);
	return norm_slack(v, i) +
	       sensitivity * (double)s->usage_efctv *
		       (relative_error(v, i) + relative_error(v, parent) + relative_error(v, 0));
}

static double effective_slack(const struct verify *v, uint32_t i)
{
	const struct fsi_share *s = &v->shares->f.share[i];
	const uint32_t p = s->fs_parent;
	const double usage = p == FSI_NO_INDEX ? 0 : (double)v->shares->f.share[p].usage_raw;

	if (!(usage > 0))
		return 0;
	if (v->shares->algorithm == &fsi_depth_oblivious)
		return depth_slack(v, i, p);
	if (v->shares->algorithm == &fsi_classic) /* a mean of those along the path */
		return norm_slack(v, 0);
	return (total_error(v, i) + (double)s->usage_efctv * total_error(v, p)) / usage;
}

/* Of the fair-share factor: in Fair Tree a rank. */
static double factor_slack(const struct verify *v, uint32_t i)
{
	const struct fsi_share *s = &v->shares->f.share[i];
	const double factor = isnan(s->printed) ? s->factor : s->printed;

	if (v->shares->algorithm == &fsi_fair_tree || !(s->shares_norm > 0))
		return 0;
	return factor * log(2) / v->shares->f.dampening / s->shares_norm * effective_slack(v, i);
}

static double level_slack(const struct verify *v, uint32_t i)
{
	const struct fsi_share *s = &v->shares->f.share[i];

	if (s->fs_parent == FSI_NO_INDEX || v->usage_error == 0 || !(s->level_fs > 0))
		return 0;
	return (double)s->level_fs * (relative_error(v, i) + relative_error(v, s->fs_parent));
}

/* It is printed without its fraction. */
static bool usage_agrees(const struct verify *v, uint32_t i, const struct fsi_recorded *r)
{
	const double usage = fs_shares_row(v->shares, i)->raw_usage, printed = (double)r->raw_usage;

	return usage >= printed - total_error(v, i) && usage < printed + 1 + total_error(v, i);
}

static void verify_association(struct verify *v, const struct fsi_recorded *r)
{
	const double half_digit = 0.5e-6;
	const uint32_t i = fsi_assoc_by_id(v->m, r->association);
	const struct fs_share_row *row;
	char what[256];

	if (i == FSI_NO_INDEX)
		return;
	row = fs_shares_row(v->shares, i);
	snprintf(what, sizeof(what), "association %u (%s%s%s)", row->id, row->account,
		 *row->user ? " " : "", row->user);
	compare(v, what, r, FSI_RECORDED_norm_shares, row->norm_shares, half_digit);
	compare(v, what, r, FSI_RECORDED_raw_usage,
		usage_agrees(v, i, r) ? (double)r->raw_usage : row->raw_usage, 0);
	compare(v, what, r, FSI_RECORDED_norm_usage, row->norm_usage,
		half_digit + norm_slack(v, i));
	compare(v, what, r, FSI_RECORDED_effective_usage, row->effective_usage,
		half_digit + effective_slack(v, i));
	compare(v, what, r, FSI_RECORDED_factor, row->fairshare, half_digit + factor_slack(v, i));
	compare(v, what, r, FSI_RECORDED_level_fs, row->level_fs, half_digit + level_slack(v, i));
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

static double over_weight(const struct fs_prio_term *t)
{
	return t->weight == 0 ? 0 : t->points / t->weight;
}

/* Points of the weighted TRES, whole; what is zero is not printed. */
static void compare_tres(struct verify *v, const char *what, const struct fsi_recorded *r,
			 const struct fs_prio_row *row)
{
	struct fs_verify_column *c = column(v, field_of(FSI_RECORDED_tres)->key);
	bool unknown = false, differ = false;

	for (size_t t = FS_FACTOR_TRES; t < fs_prios_terms(v->prios); t++) {
		const struct fs_prio_term *term = &row->terms[t];
		const uint32_t tres = fsi_name_find(v->m, term->name + strlen("tres/"));
		const double printed = tres ? (double)fsi_amount_of(v->m, r->tres, tres) : 0;

		unknown = unknown || isnan(term->points);
		if (isnan(term->points) || fabs(term->points - printed) <= 0.5 + 1e-6)
			continue;
		differ = true;
		fsi_verify_tell(v->note, v->ctx, "%s: %s: printed %.15g, computed %.15g", what,
				term->name, printed, term->points);
	}
	c->unknown += unknown && !differ;
	c->compared += !unknown || differ;
	c->differ += differ;
}

static void verify_row(struct verify *v, const struct fsi_recorded *r, size_t k)
{
	const double rounding = 0.5 + 1e-6, half_digit = 0.5e-7;
	const uint32_t assoc = fsi_job_assoc(v->m, &v->m->job.v[v->prios->row.v[k].job]);
	const double slack = assoc == FSI_NO_INDEX || !v->shares ? 0 : factor_slack(v, assoc);
	const double slack_points = slack * fsi_slurm_of(v->prios)->conf.weight_fairshare;
	struct fs_prio_row row;
	char what[256];

	fs_prios_row(v->prios, k, &row);
	snprintf(what, sizeof(what), "job %llu (%s%s%s)", (unsigned long long)row.job,
		 row.partition, *row.qos ? " " : "", row.qos);
	compare(v, what, r, FSI_RECORDED_priority, row.priority, 1 + slack_points);
	for (size_t i = 0; i < sizeof(points_columns) / sizeof(*points_columns); i++) {
		const enum fs_factor f = points_columns[i].factor;
		const struct fs_prio_term *t = &row.terms[f];

		compare(v, what, r, points_columns[i].bit, t->weight < 0 ? t->value : t->points,
			rounding + (f == FS_FACTOR_FAIRSHARE ? slack_points : 0));
	}
	if (fs_prios_terms(v->prios) > FS_FACTOR_TRES)
		compare_tres(v, what, r, &row);
	compare(v, what, r, FSI_RECORDED_norm_age, over_weight(&row.terms[FS_FACTOR_AGE]),
		half_digit);
	compare(v, what, r, FSI_RECORDED_norm_fairshare,
		over_weight(&row.terms[FS_FACTOR_FAIRSHARE]), half_digit + slack);
}

/* The first row of the job or of one with a greater id. */
static size_t first_row(const struct verify *v, uint64_t job)
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

/* The row that was printed, among those not yet taken; row.n if there is none. */
static size_t find_row(const struct verify *v, const struct fsi_recorded *r, const bool *taken)
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

static void count_listed(struct verify *v, bool both, const char *side, uint64_t job,
			 uint32_t partition)
{
	struct fs_verify_column *c = column(v, "listed");

	c->compared++;
	if (both)
		return;
	c->differ++;
	fsi_verify_tell(v->note, v->ctx, "job %llu (%s): only %s has a priority for it",
			(unsigned long long)job, fsi_str(v->m, partition), side);
}

static int verify_jobs(struct verify *v)
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

/* How many digits a capture's usage has. */
static double usage_error(const fs_snapshot *m)
{
	const char *source = m->info.usage_source;

	return !strcmp(source, "assoc_mgr") ? 0.005
	       : !strcmp(source, "sshare")  ? 1
	       : !strcmp(source, "exact")   ? 0.5e-6
					    : 0;
}

static int verify(struct verify *v, struct fs_error *err)
{
	for (size_t i = 0; v->shares && i < v->m->recorded.n; i++)
		if (FSI_HAS(&v->m->recorded.v[i], RECORDED, association))
			verify_association(v, &v->m->recorded.v[i]);
	return v->prios && verify_jobs(v) ? fsi_nomem(err) : 0;
}

int fs_snapshot_verify(const fs_snapshot *m, fs_note_fn note, void *ctx,
		       struct fs_verify_result *out, struct fs_error *err)
{
	const struct fs_prios_options as_printed = { .as_printed = true, .running = true };
	struct verify v = {
		.m = m, .usage_error = usage_error(m), .note = note, .ctx = ctx, .out = out
	};
	fs_shares *shares = NULL;
	int rc = 0;

	*out = (struct fs_verify_result){ .columns = 0 };
	if (m->association.n)
		rc = fs_shares_compute(&shares, m, NULL, err);
	if (!rc)
		rc = fs_prios_compute(&v.prios, m, &as_printed, err);
	if (rc == FS_ENODATA)
		rc = 0;
	v.shares = shares;
	if (!rc && m->info.kind == FS_FLUX)
		fsi_verify_flux(&(struct fsi_verify){ m, shares, v.prios, note, ctx, out });
	else if (!rc)
		rc = verify(&v, err);
	fs_prios_free(v.prios);
	fs_shares_free(shares);
	return rc;
}
