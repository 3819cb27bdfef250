/* What sshare printed against what we compute: how far the digits missing from captured usage, and a time of the last
 * calculation that was not captured, can move each column (slack). */
#include "model/job/last_run.h"
#include "priority/verify.h"
#include "usage/usage.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A captured usage is right to usage_error; an account's may be a sum of such. */
static double captured_error(const struct fsi_verify_work *v, uint32_t i)
{
	return v->usage_error * (double)(v->m->tree[i].end - i);
}

/* The error of the usage that the last calculation had. */
static double total_error(const struct fsi_verify_work *v, uint32_t i)
{
	return captured_error(v, i) + (double)v->late_error[i];
}

/* Error over value; NAN if the error exceeds the value. */
static double relative_error(const struct fsi_verify_work *v, uint32_t i)
{
	const double usage = (double)v->shares->f.share[i].usage_raw, error = total_error(v, i);

	return error == 0 ? 0 : usage > error ? error / usage : (double)NAN;
}

static double norm_slack(const struct fsi_verify_work *v, uint32_t i)
{
	const double root = (double)v->shares->f.share[0].usage_raw;

	return root > 0 ? (total_error(v, i) + total_error(v, 0)) / root : 0;
}

/* depth_oblivious is a product of powers. Its exponent 1 / (1 + (5 ln r)^2) moves by at most 3.3 times r's relative
 * error; that counts times the other base's logarithm, which is below 12 in practice. */
static double depth_slack(const struct fsi_verify_work *v, uint32_t i, uint32_t parent)
{
	const struct fsi_share *s = &v->shares->f.share[i];
	const double sensitivity = 3.3 * 12;

	if (s->usage_raw == 0)
		return norm_slack(v, i);
	return norm_slack(v, i) +
	       sensitivity * (double)s->usage_efctv *
		       (relative_error(v, i) + relative_error(v, parent) + relative_error(v, 0));
}

static double effective_slack(const struct fsi_verify_work *v, uint32_t i)
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

/* The error of the fair-share factor; in Fair Tree, where it is a rank, there is none. */
double fsi_verify_factor_slack(const struct fsi_verify_work *v, uint32_t i)
{
	const struct fsi_share *s = &v->shares->f.share[i];
	const double factor = isnan(s->printed) ? s->factor : s->printed;

	if (v->shares->algorithm == &fsi_fair_tree || !(s->shares_norm > 0))
		return 0;
	return factor * log(2) / v->shares->f.dampening / s->shares_norm * effective_slack(v, i);
}

static double level_slack(const struct fsi_verify_work *v, uint32_t i)
{
	const struct fsi_share *s = &v->shares->f.share[i];

	if (s->fs_parent == FSI_NO_INDEX || total_error(v, 0) == 0 || !(s->level_fs > 0))
		return 0;
	return (double)s->level_fs * (relative_error(v, i) + relative_error(v, s->fs_parent));
}

/* Usage is printed without its fraction. */
static bool usage_agrees(const struct fsi_verify_work *v, uint32_t i, const struct fsi_recorded *r)
{
	const double usage = fs_shares_row(v->shares, i)->raw_usage, printed = (double)r->raw_usage;

	return usage >= printed - captured_error(v, i) &&
	       usage < printed + 1 + captured_error(v, i);
}

static void verify_association(struct fsi_verify_work *v, const struct fsi_recorded *r)
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
	fsi_verify_compare(v, what, r, FSI_RECORDED_norm_shares, row->norm_shares, half_digit);
	fsi_verify_compare(v, what, r, FSI_RECORDED_raw_usage,
		usage_agrees(v, i, r) ? (double)r->raw_usage : row->raw_usage, 0);
	fsi_verify_compare(v, what, r, FSI_RECORDED_norm_usage, row->norm_usage,
		half_digit + norm_slack(v, i));
	fsi_verify_compare(v, what, r, FSI_RECORDED_effective_usage, row->effective_usage,
		half_digit + effective_slack(v, i));
	fsi_verify_compare(v, what, r, FSI_RECORDED_factor, row->fairshare, half_digit + fsi_verify_factor_slack(v, i));
	fsi_verify_compare(v, what, r, FSI_RECORDED_level_fs, row->level_fs, half_digit + level_slack(v, i));
}

/* A controller calculates first within moments of its BOOT_TIME, then once each period from there on. Where the time
 * of the last calculation is known from that alone it may be so much later, and what ended jobs are charged since is
 * less. */
static int find_late_error(struct fsi_verify_work *v)
{
	enum { FIRST_CALCULATION_S = 3 };
	const uint32_t n = (uint32_t)v->m->association.n;
	bool any = false;

	v->late_error = calloc((size_t)n + 1, sizeof(*v->late_error));
	if (!v->late_error)
		return -1;
	if (strcmp(v->m->info.priority_time_from, FSI_RUN_FROM_START) != 0)
		return 0;
	if (fsi_usage_late(v->m, FIRST_CALCULATION_S, v->late_error))
		return -1;
	for (uint32_t i = 0; i < n; i++) {
		v->late_error[i] = fabsl(v->shares->f.share[i].late - v->late_error[i]);
		any = any || v->late_error[i] > 0;
	}
	if (any)
		fsi_verify_note(v->note, v->ctx,
				"the time of the last calculation is known from the start alone: what jobs that ended about then are "
				"charged is known to %.2f TRES seconds",
				(double)v->late_error[0]);
	return 0;
}

int fsi_verify_shares(struct fsi_verify_work *v)
{
	if (find_late_error(v))
		return -1;
	for (size_t i = 0; i < v->m->recorded.n; i++)
		if (FSI_HAS(&v->m->recorded.v[i], RECORDED, association))
			verify_association(v, &v->m->recorded.v[i]);
	return 0;
}
