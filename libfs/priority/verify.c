#include "model/find.h"
#include "model/jobs.h"
#include "model/scheduler.h"
#include "priority/flux.h"
#include "priority/priority.h"
#include "usage/usage.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void note_formatted_sentence(fs_note_fn note, void *ctx, const char *fmt, ...) FSI_PRINTF(3, 4);

/* ---- columns and notes */

/* Returns the column `name` of the result. Adds the column if the result does not have it. */
static struct fs_verify_column *find_verify_column(struct fs_verify_result *r, const char *name)
{
	for (size_t i = 0; i < r->columns; i++)
		if (!strcmp(r->column[i].name, name))
			return &r->column[i];
	r->column[r->columns] = (struct fs_verify_column){ .name = name };
	return &r->column[r->columns++];
}

/* Passes a formatted sentence to `note`. */
static void note_formatted_sentence(fs_note_fn note, void *ctx, const char *fmt, ...)
{
	char text[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	note(ctx, text);
}

static const struct fsi_field *find_recorded_field(unsigned bit)
{
	return &fsi_record_table(FSI_RECORD_RECORDED)->fields[bit];
}

/* Returns the JSON key of a field of `recorded` records. */
static const char *recorded_field_key(unsigned bit)
{
	return find_recorded_field(bit)->key;
}

static bool read_recorded_value(const struct fsi_recorded *r, unsigned bit, double *value)
{
	const struct fsi_field *f = find_recorded_field(bit);
	const char *member = (const char *)r + f->offset;
	uint64_t whole;

	if (!fsi_is_field_known(&r->rec, bit))
		return false;
	if (f->type == FSI_U64) {
		memcpy(&whole, member, sizeof(whole));
		*value = (double)whole;
	} else {
		memcpy(value, member, sizeof(*value));
	}
	return true;
}

/* Compares the recorded value of a field, if there is one, with the computed value. A difference greater than the
 * tolerance is counted and noted. `what` describes the row in the note. */
static void compare_recorded_value(struct fsi_verify_work *v, const char *what, const struct fsi_recorded *r,
				   unsigned bit, double computed, double tolerance)
{
	const char *name = find_recorded_field(bit)->key;
	struct fs_verify_column *c;
	double printed;

	if (!read_recorded_value(r, bit, &printed))
		return;
	c = find_verify_column(v->out, name);
	if (isnan(computed) || isnan(tolerance)) {
		c->unknown++;
		return;
	}
	c->compared++;
	tolerance += 1e-12 * fabs(printed);
	if (computed == printed || fabs(computed - printed) <= tolerance)
		return;
	c->differ++;
	note_formatted_sentence(v->note, v->ctx, "%s: %s: printed %.15g, computed %.15g", what, name, printed,
				computed);
}

/* ---- shares
 *
 * Compares the values that sshare printed with computed ones. The slack of a column is the maximum error of its
 * computed values. The error has two causes: captured usage lacks digits, and the time of the last priority calculation
 * may not have been captured. The tolerance of a comparison is the slack plus half a unit of the last printed
 * decimal. */

/* Returns the maximum error of the captured usage of a row. The association of the row and each association below it
 * may contribute the error v->usage_error. The error v->late_error is not included. */
static double captured_usage_error(const struct fsi_verify_work *v, uint32_t i)
{
	return v->usage_error * (double)(v->m->tree[i].end - i);
}

/* Returns the maximum error of the usage of a row at the last priority calculation. */
static double total_usage_error(const struct fsi_verify_work *v, uint32_t i)
{
	return captured_usage_error(v, i) + (double)v->late_error[i];
}

/* Returns the maximum error of a row's usage, divided by that usage. NAN: the error is not smaller than the usage. */
static double relative_usage_error(const struct fsi_verify_work *v, uint32_t i)
{
	const double usage = (double)v->shares->f.share[i].usage_raw, error = total_usage_error(v, i);

	return error == 0 ? 0 : usage > error ? error / usage : (double)NAN;
}

static double norm_usage_slack(const struct fsi_verify_work *v, uint32_t i)
{
	const double root = (double)v->shares->f.share[0].usage_raw;

	return root > 0 ? (total_usage_error(v, i) + total_usage_error(v, 0)) / root : 0;
}

/* Returns the slack of effective usage under DEPTH_OBLIVIOUS. Effective usage is a product of powers
 * (fsi_depth_ratios). One exponent is 1 / (1 + (5 ln r)^2), where r is the usage of the parent relative to its shares.
 * An error in r changes this exponent by at most 3.3 times the relative error of r. The relative error of the product
 * is this change times the logarithm of the power's base. In practice, the logarithm is below 12. */
static double depth_oblivious_slack(const struct fsi_verify_work *v, uint32_t i, uint32_t parent)
{
	const struct fsi_share *s = &v->shares->f.share[i];
	const double sensitivity = 3.3 * 12;

	if (s->usage_raw == 0)
		return norm_usage_slack(v, i);
	return norm_usage_slack(v, i) +
	       sensitivity * (double)s->usage_efctv *
		       (relative_usage_error(v, i) + relative_usage_error(v, parent) + relative_usage_error(v, 0));
}

static double effective_usage_slack(const struct fsi_verify_work *v, uint32_t i)
{
	const struct fsi_share *s = &v->shares->f.share[i];
	const uint32_t p = s->fs_parent;
	const double usage = p == FSI_NO_INDEX ? 0 : (double)v->shares->f.share[p].usage_raw;

	if (!(usage > 0))
		return 0;
	if (v->shares->algorithm == &fsi_algorithm_depth_oblivious)
		return depth_oblivious_slack(v, i, p);
	/* effective usage is a mean of the NormUsage of the row and its ancestors */
	if (v->shares->algorithm == &fsi_algorithm_classic)
		return norm_usage_slack(v, 0);
	return (total_usage_error(v, i) + (double)s->usage_efctv * total_usage_error(v, p)) / usage;
}

/* Returns the slack (maximum error) of the computed fair-share factor; 0 in Fair Tree, where the factor is a rank. */
static double fairshare_factor_slack(const struct fsi_verify_work *v, uint32_t i)
{
	const struct fsi_share *s = &v->shares->f.share[i];
	const double factor = isnan(s->printed_factor) ? s->factor : s->printed_factor;

	if (v->shares->algorithm == &fsi_algorithm_fair_tree || !(s->shares_norm > 0))
		return 0;
	return factor * log(2) / v->shares->f.dampening / s->shares_norm * effective_usage_slack(v, i);
}

static double level_fs_slack(const struct fsi_verify_work *v, uint32_t i)
{
	const struct fsi_share *s = &v->shares->f.share[i];

	if (s->fs_parent == FSI_NO_INDEX || total_usage_error(v, 0) == 0 || !(s->level_fs > 0))
		return 0;
	return (double)s->level_fs * (relative_usage_error(v, i) + relative_usage_error(v, s->fs_parent));
}

/* Returns true if the computed usage agrees with the recorded usage, which was printed without its fraction. */
static bool is_usage_equal(const struct fsi_verify_work *v, uint32_t i, const struct fsi_recorded *r)
{
	const double usage = fs_shares_row(v->shares, i)->raw_usage, printed = (double)r->raw_usage;

	return usage >= printed - captured_usage_error(v, i) && usage < printed + 1 + captured_usage_error(v, i);
}

static void compare_association_record(struct fsi_verify_work *v, const struct fsi_recorded *r)
{
	const double half_digit = 0.5e-6;
	const uint32_t i = fsi_assoc_find_by_id(v->m, r->association);
	const struct fs_share_row *row;
	char what[256];

	if (i == FSI_NO_INDEX)
		return;
	row = fs_shares_row(v->shares, i);
	snprintf(what, sizeof(what), "association %u (%s%s%s)", row->id, row->account,
		 *row->user ? " " : "", row->user);
	compare_recorded_value(v, what, r, FSI_RECORDED_norm_shares, row->norm_shares, half_digit);
	compare_recorded_value(v, what, r, FSI_RECORDED_raw_usage,
			       is_usage_equal(v, i, r) ? (double)r->raw_usage : row->raw_usage, 0);
	compare_recorded_value(v, what, r, FSI_RECORDED_norm_usage, row->norm_usage,
			       half_digit + norm_usage_slack(v, i));
	compare_recorded_value(v, what, r, FSI_RECORDED_effective_usage, row->effective_usage,
			       half_digit + effective_usage_slack(v, i));
	compare_recorded_value(v, what, r, FSI_RECORDED_factor, row->fairshare,
			       half_digit + fairshare_factor_slack(v, i));
	compare_recorded_value(v, what, r, FSI_RECORDED_level_fs, row->level_fs, half_digit + level_fs_slack(v, i));
}

/* Fills v->late_error if the time of the last priority calculation is known only from the controller's start. A
 * controller first calculates within seconds of its BOOT_TIME, then once in each period. The last calculation may
 * therefore be up to FIRST_CALCULATION_S later than assumed. Jobs that ended after the assumed time are then charged
 * less. Returns -1 if out of memory. */
static int compute_late_errors(struct fsi_verify_work *v)
{
	enum { FIRST_CALCULATION_S = 3 };
	const uint32_t n = (uint32_t)v->m->association.n;
	char amount[400] = "an unknown number of";
	bool any = false;

	v->late_error = calloc((size_t)n + 1, sizeof(*v->late_error));
	if (!v->late_error)
		return -1;
	if (strcmp(v->m->info.priority_time_from, FSI_CALC_FROM_START) != 0)
		return 0;
	if (fsi_usage_find_late(v->m, FIRST_CALCULATION_S, v->late_error))
		return -1;
	for (uint32_t i = 0; i < n; i++) {
		v->late_error[i] = fabsl(v->shares->f.share[i].late_usage - v->late_error[i]);
		any = any || v->late_error[i] > 0;
	}
	if (!isnan(v->late_error[0]))
		snprintf(amount, sizeof(amount), "%.2f", (double)v->late_error[0]);
	if (any)
		note_formatted_sentence(v->note, v->ctx,
					"the time of the last calculation is estimated from the controller's start; "
					"usage of jobs that ended around that time is uncertain by %s TRES seconds",
					amount);
	return 0;
}

/* Compares the rows of all associations with the `recorded` records. Returns -1 if out of memory. */
static int compare_share_records(struct fsi_verify_work *v)
{
	if (compute_late_errors(v))
		return -1;
	for (size_t i = 0; i < v->m->recorded.n; i++)
		if (FSI_HAS(&v->m->recorded.v[i], RECORDED, association))
			compare_association_record(v, &v->m->recorded.v[i]);
	return 0;
}

static struct fs_verify_column *find_work_column(struct fsi_verify_work *v, const char *name)
{
	return find_verify_column(v->out, name);
}

/* ---- priorities */

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

/* Returns the value of a computed term. Returns NAN if the value was taken from the `recorded` record, because the
 * comparison would then compare the recorded value with itself. */
static double term_factor_value(const struct fs_prio_term *t)
{
	return t->recorded ? (double)NAN : t->weight == 0 ? 0 : t->points / t->weight;
}

static const double verify_half_digit = 0.5e-7; /* half a unit of the last of seven printed decimals */

static bool are_terms_computed(const struct fsi_verify_work *v, const struct fs_prio_row *row)
{
	for (size_t t = 0; t < fs_prios_terms(v->prios); t++)
		if (row->terms[t].recorded)
			return false;
	return true;
}

static const struct fs_prio_term *find_row_term(const struct fsi_verify_work *v, const struct fs_prio_row *row,
						enum fs_factor factor)
{
	return &row->terms[fs_prios_find_term(v->prios, factor)];
}

/* Compares the weighted TRES points, which are printed as whole numbers; zero is not printed. */
static void compare_tres_points(struct fsi_verify_work *v, const char *what, const struct fsi_recorded *r,
				const struct fs_prio_row *row)
{
	struct fs_verify_column *c = find_work_column(v, recorded_field_key(FSI_RECORDED_tres));
	bool unknown = false, differ = false;

	for (size_t t = fs_prios_find_term(v->prios, FS_FACTOR_TRES); t < fs_prios_terms(v->prios); t++) {
		const struct fs_prio_term *term = &row->terms[t];
		const uint32_t tres = fsi_name_find(v->m, term->name + strlen("tres/"));
		const double printed = tres ? (double)fsi_amount_of_tres(v->m, r->tres, tres) : 0;

		unknown = unknown || isnan(term->points) || term->recorded;
		if (isnan(term->points) || term->recorded || fabs(term->points - printed) <= 0.5 + 1e-6)
			continue;
		differ = true;
		note_formatted_sentence(v->note, v->ctx, "%s: %s: printed %.15g, computed %.15g", what, term->name,
					printed, term->points);
	}
	c->unknown += unknown && !differ;
	c->compared += !unknown || differ;
	c->differ += differ;
}

/* Returns the age points that a job gained because it was updated after the last priority calculation. Returns 0 if no
 * update explains the printed values. Every update of a job, even a refused one, recomputes the job's priority with its
 * age at that time (src/slurmctld/job_mgr.c: end of _update_job). The gain is at most the age since the last
 * calculation. */
static double age_gained_by_update(const struct fsi_verify_work *v, const struct fsi_recorded *r,
				   const struct fs_prio_row *row)
{
	const struct fsi_slurm_conf *conf = &fsi_slurm_prio_data(v->prios)->conf;
	const struct fs_prio_term *t = find_row_term(v, row, FS_FACTOR_AGE);
	const double passed = (double)(v->m->info.time - v->prios->last_run), weight = conf->weight_age;
	const double max_gain =
		conf->max_age_s > 0 ? fmin(weight * passed / (double)conf->max_age_s, weight - t->points) : 0;
	double more = 0;

	if (t->recorded || isnan(t->points) || v->prios->last_run <= 0)
		return 0;
	if (FSI_HAS(r, RECORDED, norm_age))
		more = r->norm_age * weight - t->points;
	else if (FSI_HAS(r, RECORDED, age))
		more = r->age - t->points;
	else if (FSI_HAS(r, RECORDED, priority) && are_terms_computed(v, row))
		more = r->priority - row->priority;
	return more > verify_half_digit * weight && more <= max_gain + 1 ? fmin(more, max_gain) : 0;
}

static void compare_priority_record(struct fsi_verify_work *v, const struct fsi_recorded *r, size_t k)
{
	const double rounding = 0.5 + 1e-6;
	const uint32_t assoc = fsi_job_find_assoc(v->m, &v->m->job.v[v->prios->row.v[k].job]);
	const double slack = assoc == FSI_NO_INDEX || !v->shares ? 0 : fairshare_factor_slack(v, assoc);
	const struct fsi_slurm_conf *conf = &fsi_slurm_prio_data(v->prios)->conf;
	const double slack_points = slack * conf->weight_fairshare;
	struct fs_prio_row row;
	double more;
	char what[256];

	fs_prios_row(v->prios, k, &row);
	more = age_gained_by_update(v, r, &row);
	snprintf(what, sizeof(what), "job %llu (%s%s%s)", (unsigned long long)row.job,
		 row.partition, *row.qos ? " " : "", row.qos);
	compare_recorded_value(v, what, r, FSI_RECORDED_priority,
			       are_terms_computed(v, &row) ? row.priority + more : (double)NAN, 1 + slack_points);
	for (size_t i = 0; i < sizeof(points_columns) / sizeof(*points_columns); i++) {
		const enum fs_factor f = points_columns[i].factor;
		const struct fs_prio_term *t = find_row_term(v, &row, f);

		compare_recorded_value(v, what, r, points_columns[i].bit,
				       t->recorded     ? (double)NAN
				       : t->weight < 0 ? t->value
						       : t->points + (f == FS_FACTOR_AGE ? more : 0),
				       rounding + (f == FS_FACTOR_FAIRSHARE ? slack_points : 0));
	}
	if (fs_prios_find_term(v->prios, FS_FACTOR_TRES) != FS_NO_ROW)
		compare_tres_points(v, what, r, &row);
	compare_recorded_value(v, what, r, FSI_RECORDED_norm_age,
			       term_factor_value(find_row_term(v, &row, FS_FACTOR_AGE)) +
				       (more > 0 ? more / conf->weight_age : 0),
			       verify_half_digit);
	compare_recorded_value(v, what, r, FSI_RECORDED_norm_fairshare,
			       term_factor_value(find_row_term(v, &row, FS_FACTOR_FAIRSHARE)),
			       verify_half_digit + slack);
}

/* Returns the index of the first priority row of the job; if the job has none, of the first row of a job with a greater
 * id. */
static size_t find_first_row(const struct fsi_verify_work *v, uint64_t job)
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

/* Returns the index of the first priority row that belongs to the record and is not marked in `taken`. If there is no
 * such row, returns v->prios->row.n. */
static size_t find_printed_row(const struct fsi_verify_work *v, const struct fsi_recorded *r, const bool *taken)
{
	const size_t n = v->prios->row.n;

	for (size_t k = find_first_row(v, r->job); k < n; k++) {
		const struct fsi_prio_row *row = &v->prios->row.v[k];

		if (v->m->job.v[row->job].id != r->job)
			break;
		if (!taken[k] && row->partition_name == r->partition &&
		    (!FSI_HAS(r, RECORDED, qos) || row->qos == r->qos))
			return k;
	}
	return n;
}

static void count_listed_row(struct fsi_verify_work *v, bool both, const char *side, uint64_t job, uint32_t partition)
{
	struct fs_verify_column *c = find_work_column(v, "listed");

	c->compared++;
	if (both)
		return;
	c->differ++;
	note_formatted_sentence(v->note, v->ctx, "job %llu (%s): only %s lists a priority", (unsigned long long)job,
				fsi_name_text(v->m, partition), side);
}

static int compare_priority_records(struct fsi_verify_work *v)
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
		if (fsi_is_type_hidden(v->m, "job")) {
			find_work_column(v, "listed")->unknown++;
			continue;
		}
		any = true;
		k = find_printed_row(v, r, taken);
		taken[k] = true;
		count_listed_row(v, k < n, "the scheduler", r->job, r->partition);
		if (k < n)
			compare_priority_record(v, r, k);
	}
	for (size_t k = 0; any && k < n; k++)
		if (!taken[k])
			count_listed_row(v, false, "fs-tools", v->m->job.v[v->prios->row.v[k].job].id,
					 v->prios->row.v[k].partition_name);
	free(taken);
	return 0;
}

/* ---- entry points */

/* Returns the maximum error of the captured usage of one association. The error depends on the number of digits that
 * the source of the usage prints. */
static double captured_digits_error(const fs_snapshot *m)
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
		.usage_error = captured_digits_error(common->m),
		.note = common->note,
		.ctx = common->ctx,
		.out = common->out,
	};
	int rc;

	rc = (v.shares && compare_share_records(&v)) || (v.prios && compare_priority_records(&v))
		     ? fsi_fail_no_memory(err)
		     : 0;
	free(v.late_error);
	return rc;
}

/* ---- Flux
 *
 * Compares the factors in flux-accounting's tables, and the priorities of jobs, with computed ones. Not errors:
 *   - a user with factor 0.5 and no usage: new users have this factor until the next update of fair share
 *   - a priority computed with a queue other than the job's own: the plugin stores one queue priority per user and
 *     bank, and uses it for all jobs of the user in the bank (src/plugins/mf_priority.cpp). The user's last submission
 *     determines this queue priority
 *   - a priority computed with an earlier priority of the bank, which the plugin stores in the same way
 * Notes report these cases. Jobs without a priority, and users without fair share, are not compared. */

static void compare_user_factor(struct fsi_verify *v, uint32_t i)
{
	const double never_ranked = 0.5;
	const struct fsi_association *a = &v->m->association.v[i];
	const double computed = fsi_flux_round_stored_factor(v->shares->f.share[i].factor);
	struct fs_verify_column *c = find_verify_column(v->out, "fairshare");

	if (isnan(computed) || fsi_is_type_hidden(v->m, "association")) {
		c->unknown++;
		return;
	}
	c->compared++;
	if (fabs(a->fairshare - computed) < 0.5e-6)
		return;
	if (a->fairshare == never_ranked && a->usage_tres_s == 0) {
		note_formatted_sentence(v->note, v->ctx,
					"user %s in %s: fairshare 0.5 is the value of a new user who is not ranked "
					"yet (computed %.6f): no error",
					fsi_name_text(v->m, a->user), fsi_name_text(v->m, a->account), computed);
		return;
	}
	c->differ++;
	note_formatted_sentence(v->note, v->ctx, "user %s in %s: fairshare: listed %.6f, computed %.6f",
				fsi_name_text(v->m, a->user), fsi_name_text(v->m, a->account), a->fairshare, computed);
}

enum { MAX_VERIFY_TERMS = 8 };

/* Indexed by term: number of jobs for which the value of the term is unknown. */
struct unknown_terms {
	size_t jobs[MAX_VERIFY_TERMS];
	const char *name[MAX_VERIFY_TERMS];
};

static void count_unknown_terms(struct unknown_terms *u, const struct fs_prio_row *row, size_t terms)
{
	for (size_t t = 0; t < terms && t < MAX_VERIFY_TERMS; t++) {
		if (!isnan(row->terms[t].points))
			continue;
		u->jobs[t]++;
		u->name[t] = row->terms[t].name;
	}
}

static void note_unknown_terms(const struct fsi_verify *v, const struct unknown_terms *u)
{
	for (size_t t = 0; t < MAX_VERIFY_TERMS; t++)
		if (u->jobs[t])
			note_formatted_sentence(
				v->note, v->ctx,
				"the priority of %zu job%s is not compared: the snapshot does not have the factor %s",
				u->jobs[t], u->jobs[t] == 1 ? "" : "s", u->name[t]);
}

/* Notes that job `f58` has the factor of another queue, or an earlier priority of its bank. */
static void note_stored_factors(const struct fsi_verify *v, size_t i, const char *f58, const struct fs_prio_row *row)
{
	const char *queue = fsi_flux_other_queue_name(v->prios, i);
	double used, now;
	const char *bank = fsi_flux_old_bank(v->prios, i, &used, &now);

	if (queue)
		note_formatted_sentence(v->note, v->ctx,
					"job %s (%s): priority %.0f has the factor of queue %s instead of the "
					"job's own queue; this is no error, because Flux stores the queue per user and "
					"bank, not per job",
					f58, row->partition, row->priority, queue);
	if (bank)
		note_formatted_sentence(v->note, v->ctx,
					"job %s (%s): priority %.0f has the factor %.15g of bank %s instead of its "
					"present priority %.15g; this is no error, because Flux stores the bank's "
					"priority per user and bank until the user's next submission",
					f58, row->partition, row->priority, used, bank, now);
}

static void compare_job_priority(struct fsi_verify *v, size_t i, struct unknown_terms *unknown)
{
	struct fs_verify_column *c = find_verify_column(v->out, "priority");
	const struct fsi_job *job;
	struct fs_prio_row row;
	char f58[FS_F58_TEXT];

	fs_prios_row(v->prios, i, &row);
	job = &v->m->job.v[row.job_row];
	if (!FSI_HAS(job, JOB, priority))
		return;
	if (isnan(row.sum)) {
		c->unknown++;
		count_unknown_terms(unknown, &row, fs_prios_terms(v->prios));
		return;
	}
	c->compared++;
	fs_f58_format(row.job, false, f58);
	if (row.priority == job->priority) {
		note_stored_factors(v, i, f58, &row);
		return;
	}
	c->differ++;
	note_formatted_sentence(v->note, v->ctx, "job %s (%s): priority: recorded %u, computed %.0f", f58,
				row.partition, job->priority, row.priority);
}

int fsi_verify_flux(struct fsi_verify *v, struct fs_error *err)
{
	struct unknown_terms unknown = { .jobs = { 0 } };

	(void)err;
	for (uint32_t i = 0; v->shares && i < v->m->association.n; i++)
		if (FSI_HAS(&v->m->association.v[i], ASSOCIATION, fairshare) && !v->m->tree[i].uncounted)
			compare_user_factor(v, i);
	for (size_t i = 0; v->prios && i < fs_prios_count(v->prios); i++)
		compare_job_priority(v, i, &unknown);
	note_unknown_terms(v, &unknown);
	return 0;
}

int fs_snapshot_verify(const fs_snapshot *m, fs_note_fn note, void *ctx,
		       struct fs_verify_result *out, struct fs_error *err)
{
	const struct fs_prios_options as_printed = { .as_printed = true, .running = true };
	struct fsi_verify v = { .m = m, .note = note, .ctx = ctx, .out = out };
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
	if (!rc && m->scheduler->verify)
		rc = m->scheduler->verify(&v, err);
	fs_prios_free(v.prios);
	fs_shares_free(shares);
	return rc;
}
