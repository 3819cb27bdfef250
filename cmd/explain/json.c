/* The JSON documents fs-explain/1 about jobs, users, accounts and credentials. */
#include "columns/column.h"
#include "columns/prio.h"
#include "columns/share.h"
#include "explain/explain.h"
#include "explain/text.h"
#include "fs/queue.h"
#include "words/words.h"

#include <math.h>

/* ---- limits and obstacles of a job, with the same numbers as the text page */

#define CHOICE(m) COLUMN_MEMBER(struct fs_explain_choice, m)

static const struct column choice_columns[] = {
	{ NULL, "partition", CHOICE(partition), .help = "partition in which the job may run" },
	{ NULL, "qos", CHOICE(qos), .help = "QOS that the job may use in the partition" },
	{ NULL, "blocked", CHOICE(blocked), .help = "true: a limit blocks the job with this partition and QOS now" },
	{ NULL, "never", CHOICE(never), .help = "true: the job can never start with this partition and QOS" },
};

#define HOLDER(m) COLUMN_MEMBER(struct fs_explain_holder, m)

static const struct column holder_columns[] = {
	{ NULL, "user", HOLDER(user), .help = "user whose jobs use the limit" },
	{ NULL, "account", HOLDER(account), .help = "account of the jobs" },
	{ NULL, "jobs", HOLDER(jobs), .help = "number of jobs that use the limit" },
	{ NULL, "amount", HOLDER(amount), .help = "amount of the limit that the jobs use" },
};

static const char *get_limit_scope_name(uint32_t scope)
{
	static const char *const scopes[] = { "association", "account", "qos", "partition_qos" };

	return scopes[scope];
}

/* Returns the usage that counts against the limit; NAN: the limit is on a single job, so no usage counts. */
COLUMN_GET_VALUE(get_used, void, struct fs_explain_limit, row->per_job ? (double)NAN : row->used)
COLUMN_WRITE_JSON(write_limit_holders, void, struct fs_explain_limit,
		  columns_write_list(j, COLUMNS(holder_columns), of, row->holders, row->nholders,
				     sizeof(*row->holders)))

#define LIMIT(m) COLUMN_MEMBER(struct fs_explain_limit, m)

static const struct column limit_columns[] = {
	{ NULL, "limit", LIMIT(name), .help = "name of the limit in the scheduler" },
	{ NULL, "tres", LIMIT(tres), .help = "limited TRES" },
	{ NULL, "scope", LIMIT(scope), .enum_name = get_limit_scope_name,
	  .help = "kind of record that sets the limit" },
	{ NULL, "of", LIMIT(set_by), .help = "account or QOS that sets the limit" },
	{ NULL, "whose", LIMIT(counted_for), .help = "user or account whose usage counts; null: all usage counts" },
	{ NULL, "partition", LIMIT(partition), .help = "partition in which the limit applies; null: all partitions" },
	{ NULL, "qos", LIMIT(qos), .help = "QOS with which the limit applies; null: every QOS" },
	{ NULL, "value", LIMIT(value), .help = "allowed amount" },
	{ NULL, "factor", LIMIT(factor), .help = "LimitFactor by which the value was multiplied" },
	{ NULL, "used", .get_value = get_used, .help = "usage that counts against the limit" },
	{ NULL, "promised", LIMIT(reserved_minutes), .help = "TRES minutes that running jobs may still use" },
	{ NULL, "wants", LIMIT(wants),
	  .help = "amount that the job would add; for a limit on a single job, amount that it requests" },
	{ NULL, "blocks", LIMIT(blocks), .help = "true: the job would exceed the limit now" },
	{ NULL, "never", LIMIT(never), .help = "true: the job alone exceeds the limit" },
	{ NULL, "named", LIMIT(named), .help = "true: the job's reason names a limit of this kind" },
	{ NULL, "holders", .write_json = write_limit_holders, .help = "users of the limit, largest amount first" },
};

#define OBSTACLE(m) COLUMN_MEMBER(struct fs_explain_obstacle, m)

static const struct column obstacle_columns[] = {
	{ NULL, "partition", OBSTACLE(partition),
	  .help = "partition that does not have or allow the requested amount" },
	{ NULL, "what", OBSTACLE(what), .help = "resource or property that the job requests" },
	{ NULL, "name", OBSTACLE(name), .help = "account or QOS that the partition does not admit" },
	{ NULL, "wants", OBSTACLE(wants), .help = "requested amount" },
	{ NULL, "has", OBSTACLE(has), .help = "amount that the partition has or allows" },
};

/* Writes the keys `choices`, `limits` and `obstacles` of a job. */
static void write_job_limits(struct fs_json *j, const struct fs_explain_job *job)
{
	columns_write_named_list(j, "choices", COLUMNS(choice_columns), NULL, job->choices, job->nchoices,
				 sizeof(*job->choices));
	columns_write_named_list(j, "limits", COLUMNS(limit_columns), NULL, job->limits, job->nlimits,
				 sizeof(*job->limits));
	columns_write_named_list(j, "obstacles", COLUMNS(obstacle_columns), NULL, job->obstacles, job->nobstacles,
				 sizeof(*job->obstacles));
}

/* ---- Maui: the credentials of a job, and documents about credentials */

/* A Maui credential: its row of fs_windows, and the number of its jobs. */
struct credential_row {
	const struct fs_windows_info *info;
	struct fs_window_row row;
	struct fs_explain_count jobs;
};

COLUMN_HAS_VALUE(has_target, void, struct credential_row, row->row.target != 0)
COLUMN_GET_VALUE(get_total, void, struct credential_row, row->info->usage_s)
COLUMN_HAS_VALUE(has_total, void, struct credential_row, !isnan(row->info->usage_s))
COLUMN_GET_VALUE(get_ratio, void, struct credential_row, row->info->ratio)

static void write_credential_windows(struct fs_json *j, const void *of, const void *row)
{
	const struct credential_row *c = row;

	(void)of;
	fs_json_array(j);
	for (uint32_t i = 0; i < c->info->depth; i++) {
		fs_json_object(j);
		json_write_integer(j, "start", c->info->start - (int64_t)i * c->info->interval_s);
		json_write_number(j, "weight", c->info->weight[i]);
		json_write_number(j, "usage_s", c->row.window_usage_s[i]);
		json_write_number(j, "total_usage_s", c->info->total_usage_s[i]);
		fs_json_end_object(j);
	}
	fs_json_end_array(j);
}

#define CREDENTIAL(m) COLUMN_MEMBER(struct credential_row, m)

static const struct column credential_columns[] = {
	{ NULL, "kind", CREDENTIAL(row.kind), .enum_name = fs_cred_kind_name, .help = "kind of credential" },
	{ NULL, "name", CREDENTIAL(row.name), .help = "name of the credential" },
	{ NULL, "target", CREDENTIAL(row.target), .has_value = has_target,
	  .help = "target of the credential; its unit depends on `mode`" },
	{ NULL, "mode", CREDENTIAL(row.mode), .enum_name = fs_target_mode_name, .has_value = has_target,
	  .help = "kind of target" },
	{ NULL, "inherited", CREDENTIAL(row.inherited), .help = "true: the target is that of the credential DEFAULT" },
	{ NULL, "percent", CREDENTIAL(row.percent), .help = "usage of the credential in percent of the total usage" },
	{ NULL, "usage_s", CREDENTIAL(row.usage_s), .help = "weighted usage in all windows" },
	{ NULL, "total_usage_s", .get_value = get_total, .help = "weighted usage of all jobs in all windows" },
	{ NULL, "ratio", .get_value = get_ratio, .has_value = has_total,
	  .help = "true: factors are ratios; false: factors are differences" },
	{ NULL, "factor", CREDENTIAL(row.factor), .help = "fair-share factor of the credential's jobs" },
	{ NULL, "running", CREDENTIAL(jobs.running), .help = "number of running jobs" },
	{ NULL, "pending", CREDENTIAL(jobs.pending), .help = "number of pending jobs" },
	{ NULL, "blocked", CREDENTIAL(jobs.blocked), .help = "number of pending jobs blocked by a cap" },
	{ NULL, "windows", .write_json = write_credential_windows, .help = "fair-share windows, newest first" },
};

static void write_credential_object(struct fs_json *j, const struct explain_view *v, uint32_t window_row)
{
	struct credential_row c = { fs_windows_info(v->eval->windows),
				    *fs_windows_row(v->eval->windows, window_row),
				    { 0 } };

	fs_explain_count_credential(v->explain, window_row, &c.jobs);
	columns_write_object(j, COLUMNS(credential_columns), NULL, &c);
}

/* Writes the keys `credentials` and `blocked_by_cap` of a job. */
static void write_job_credentials(struct fs_json *j, const struct explain_view *v, const struct fs_explain_job *job)
{
	json_begin_list(j, "credentials");
	for (int k = 0; v->eval->windows && k < FS_CRED_KINDS; k++)
		if (job->credential[k] != FS_NO_ROW)
			write_credential_object(j, v, job->credential[k]);
	fs_json_end_array(j);
	columns_write_named_object(j, "blocked_by_cap", prio_cap_columns + PRIO_CAP_KIND,
				   PRIO_CAP_COLUMNS - PRIO_CAP_KIND, NULL, job->capped ? &job->cap : NULL);
}

int explain_write_credential(const struct explain_view *v, uint32_t window_row)
{
	struct fs_json j;
	int rc;

	explain_begin_document(&j, v, "credential");
	fs_json_key(&j, "credential");
	write_credential_object(&j, v, window_row);
	rc = explain_write_forecast(&j, v, explain_find_credential_share(v, window_row), FS_NO_ROW);
	return rc ? rc : json_end_document(&j);
}

#define DIFFERENCE(m) COLUMN_MEMBER(struct fs_explain_credentials, m)

static const struct column difference_columns[] = {
	{ NULL, "usage_s", DIFFERENCE(usage_s), .help = "usage of the first credential minus usage of the second" },
	{ NULL, "percent", DIFFERENCE(percent),
	  .help = "percent of all usage: value of the first credential minus value of the second" },
	{ NULL, "factor", DIFFERENCE(factor), .help = "factor of the first credential minus factor of the second" },
	{ NULL, "points", DIFFERENCE(points), .help = "points of the first credential minus points of the second" },
};

int explain_write_credential_pair(const struct explain_view *v, uint32_t a, uint32_t b)
{
	struct fs_explain_credentials d;
	struct fs_json j;

	fs_explain_compare_credentials(v->explain, a, b, &d);
	explain_begin_document(&j, v, "versus");
	json_begin_list(&j, "credentials");
	write_credential_object(&j, v, a);
	write_credential_object(&j, v, b);
	fs_json_end_array(&j);
	json_begin_list(&j, "terms");
	for (int k = 0; d.weighted && k < 2; k++)
		prio_write_term(&j, k ? &d.b : &d.a);
	fs_json_end_array(&j);
	columns_write_named_object(&j, "difference", COLUMNS(difference_columns), NULL, &d);
	return json_end_document(&j);
}

/* ---- columns with the inputs from which a factor was computed. In their functions, `of` points to the priority term
 * (struct fs_prio_term), and `row` points to the inputs (struct fs_prio_inputs). */

COLUMN_HAS_VALUE(has_of, void, struct fs_prio_inputs, row->rule != FS_INPUTS_PLAIN && row->rule != FS_INPUTS_WAITED)
COLUMN_HAS_VALUE(is_size, void, struct fs_prio_inputs, row->rule == FS_INPUTS_SIZE)
COLUMN_HAS_VALUE(is_expansion, void, struct fs_prio_inputs, row->rule == FS_INPUTS_EXPANSION)
COLUMN_GET_VALUE(sum_get_factor, struct fs_prio_term, void, of->name)

static const char *get_inputs_rule_name(uint32_t rule)
{
	static const char *const rules[] = { "", "plain", "ratio", "age", "size", "waited", "expansion" };

	return rules[rule];
}

#define INPUTS(m) COLUMN_MEMBER(struct fs_prio_inputs, m)

static const struct column inputs_columns[] = {
	{ NULL, "factor", .get_value = sum_get_factor, .help = "name of the factor" },
	{ NULL, "rule", INPUTS(rule), .enum_name = get_inputs_rule_name,
	  .help = "how the factor is computed from these inputs" },
	{ NULL, "have", INPUTS(have), .help = "value of the job that the rule uses" },
	{ NULL, "of", INPUTS(of), .has_value = has_of, .help = "value that gives the factor 1" },
	{ NULL, "cpus", INPUTS(cpus), .has_value = is_size, .help = "number of the job's CPUs that count" },
	{ NULL, "of_cpus", INPUTS(of_cpus), .has_value = is_size, .help = "number of CPUs of the cluster" },
	{ NULL, "limit_s", INPUTS(limit_s), .has_value = is_expansion, .help = "time limit of the job" },
	{ NULL, "since", INPUTS(since), .unit = UNIT_TIME, .help = "time from which age or waiting time counts" },
	{ NULL, "of_qos", INPUTS(of_qos), .help = "QOS or queue whose priority gives the factor" },
};

static void write_factor_inputs(struct fs_json *j, const void *of, const void *row)
{
	const struct fs_explain_sum *s = row;

	(void)of;
	fs_json_array(j);
	for (size_t t = 0; !s->direct && t < s->nterms; t++)
		if (s->inputs[t].rule != FS_INPUTS_NONE)
			columns_write_object(j, COLUMNS(inputs_columns), &s->terms[t], &s->inputs[t]);
	fs_json_end_array(j);
}

/* ---- Flux and Maui: the steps from the priority sum to the priority (such as rounding), and factors that a cap
 * reduced */

static const char *get_sum_step_name(uint32_t step)
{
	static const char *const steps[FS_STEPS] = { "rounded", "clamped", "raised", "cut", "system", "fraction" };

	return steps[step];
}

#define STEP(m) COLUMN_MEMBER(struct fs_prio_step, m)

static const struct column step_columns[] = {
	{ NULL, "step", STEP(step), .enum_name = get_sum_step_name, .help = "kind of step, such as rounding" },
	{ NULL, "value", STEP(value), .help = "the sum after the step" },
};

COLUMN_WRITE_JSON(write_sum_steps, void, struct fs_explain_sum,
		  columns_write_list(j, COLUMNS(step_columns), of, row->steps, row->nsteps, sizeof(*row->steps)))
COLUMN_WRITE_JSON(write_sum_caps, void, struct fs_explain_sum, prio_write_capped_terms(j, row->terms, row->nterms))

/* ---- the elements of the list `sums`, the priority sums of a job */

static void write_sum_terms(struct fs_json *j, const void *of, const void *row)
{
	const struct fs_explain_sum *s = row;

	(void)of;
	fs_json_array(j);
	for (size_t t = 0; t < s->nterms; t++)
		prio_write_term(j, &s->terms[t]);
	for (size_t t = 0; !s->nterms && t < s->nprinted; t++)
		prio_write_term(j, &s->printed[t]);
	prio_write_unexplained(j, s->unexplained);
	fs_json_end_array(j);
}

/* In the functions of sum_columns, `of` points to a bool, which is true if the job's position in the queue is known. */
COLUMN_HAS_VALUE(is_position_known, bool, struct fs_explain_sum, *of && row->position)
COLUMN_HAS_VALUE(is_eligible, void, struct fs_explain_sum, row->position)

#define SUM(m) COLUMN_MEMBER(struct fs_explain_sum, m)

static const struct column sum_columns[] = {
	{ NULL, "partition", SUM(partition), .help = "partition for which the sum is computed" },
	{ NULL, "qos", SUM(qos), .help = "QOS for which the sum is computed" },
	{ NULL, "tier", SUM(tier), .help = "PriorityTier of the partition" },
	{ NULL, "position", SUM(position), .has_value = is_position_known, .help = "position among the eligible jobs" },
	{ NULL, "eligible", SUM(of), .has_value = is_eligible, .help = "number of eligible jobs" },
	{ NULL, "in_line", SUM(of), .has_value = is_eligible, .help = "the same as eligible" },
	{ NULL, "direct", SUM(direct), .help = "true: the priority was set directly, so the terms have no effect" },
	{ NULL, "sum", SUM(sum), .help = "unrounded sum of the terms" },
	{ NULL, "total", SUM(total), .help = "priority of the job" },
	{ NULL, "recorded", SUM(recorded), .help = "the priority that the scheduler printed" },
	{ NULL, "queue_priority", SUM(queue_priority), .help = "priority by which the queue was sorted" },
	{ NULL, "terms", .write_json = write_sum_terms, .help = "terms of the priority sum" },
	{ NULL, "inputs", .write_json = write_factor_inputs, .help = "inputs of the factors" },
	{ NULL, "steps", .write_json = write_sum_steps, .help = "steps from the sum to the priority" },
	{ NULL, "caps", .write_json = write_sum_caps, .help = "factors that a cap reduced" },
};

/* Writes an element of the list `sums`. `position_known`: the job's position in the queue is known. */
static void write_priority_sum(struct fs_json *j, const struct fs_explain_sum *s, bool position_known)
{
	columns_write_object(j, COLUMNS(sum_columns), &position_known, s);
}

/* ---- the path of the fair-share factor through the share tree */

/* Writes the keys of a share row; numbers that the viewer may not see are null. */
static void write_share_row(struct fs_json *j, const struct fs_share_row *r)
{
	static const enum share_column names[] = { SHARE_ACCOUNT, SHARE_USER, SHARE_PARTITION }, numbers[] = {
		SHARE_RAW_SHARES,      SHARE_NORM_SHARES, SHARE_RAW_USAGE, SHARE_LATE_USAGE, SHARE_NORM_USAGE,
		SHARE_EFFECTIVE_USAGE, SHARE_LEVEL_FS,    SHARE_LOW,       SHARE_HIGH,       SHARE_POSITION
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		columns_write_members(j, &share_columns[names[i]], 1, NULL, r);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		if (r->visible) {
			columns_write_members(j, &share_columns[numbers[i]], 1, NULL, r);
		} else {
			json_write_null(j, share_columns[numbers[i]].key);
		}
}

COLUMN_GET_VALUE(get_above, struct explain_view, struct fs_explain_level,
		 fs_shares_row(of->eval->shares, row->above)->account)

static void write_level_siblings(struct fs_json *j, const void *of, const void *row)
{
	const struct explain_view *v = of;
	const struct fs_explain_level *l = row;

	fs_json_array(j);
	for (uint32_t k = 0; k < l->count; k++) {
		const struct fs_share_row *r = fs_shares_row(v->eval->shares, l->siblings[k]);

		if (!r->visible)
			continue;
		fs_json_object(j);
		write_share_row(j, r);
		fs_json_end_object(j);
	}
	fs_json_end_array(j);
}

COLUMN_HAS_VALUE(has_place, void, struct fs_explain_level, row->place)

#define LEVEL(m) COLUMN_MEMBER(struct fs_explain_level, m)

static const struct column above_columns[] = {
	{ NULL, "level", .get_value = get_above, .help = "account above the siblings" },
};

static const struct column level_columns[] = {
	{ NULL, "level_shares", LEVEL(level_shares), .help = "total shares of all siblings" },
	{ NULL, "place", LEVEL(place), .has_value = has_place, .help = "rank among the siblings; 1: the first" },
	{ NULL, "tied", LEVEL(tied), .has_value = has_place, .help = "number of other siblings with the same rank" },
	{ NULL, "tied_with_other_kind", LEVEL(other_kind_ties),
	  .help = "true: a bank and a user have equal weights (Flux)" },
	{ NULL, "beside", LEVEL(other_kind_ties), .help = "the same as tied_with_other_kind" },
	{ NULL, "siblings", .write_json = write_level_siblings,
	  .help = "siblings; the best is first if the algorithm ranks them" },
};

static void write_path_level(struct fs_json *j, const struct explain_view *v, const struct fs_explain_level *l)
{
	fs_json_object(j);
	columns_write_members(j, COLUMNS(above_columns), v, l);
	write_share_row(j, fs_shares_row(v->eval->shares, l->row));
	columns_write_members(j, COLUMNS(level_columns), v, l);
	fs_json_end_object(j);
}

COLUMN_HAS_VALUE(is_open, void, struct fs_explain_path, !row->recorded_factor_used && !row->hidden)
COLUMN_HAS_VALUE(is_ranked, void, struct fs_explain_path, is_open(of, row) && row->rank_known)
COLUMN_GET_VALUE(get_hidden, void, struct fs_explain_path, !is_open(of, row))

/* Columns with the rank and the factor of a share row, computed with the algorithm that is shown for comparison. */
COLUMN_HAS_VALUE(has_other, struct explain_view, struct fs_explain_path, of->second_shares &&is_open(of, row))
COLUMN_GET_VALUE(get_other_algorithm, struct explain_view, void, fs_shares_algorithm(of->second_shares))
COLUMN_GET_VALUE(get_other_rank, struct explain_view, struct fs_explain_path,
		 fs_shares_row(of->second_shares, row->row)->rank)
COLUMN_GET_VALUE(get_other_factor, struct explain_view, struct fs_explain_path,
		 fs_shares_row(of->second_shares, row->row)->fairshare)

static void write_path_levels(struct fs_json *j, const void *of, const void *row)
{
	const struct fs_explain_path *p = row;

	fs_json_array(j);
	for (size_t k = 0; is_open(of, row) && k < p->levels; k++)
		write_path_level(j, of, &p->level[k]);
	fs_json_end_array(j);
}

#define PATH(m) COLUMN_MEMBER(struct fs_explain_path, m)

static const struct column path_columns[] = {
	{ NULL, "algorithm", PATH(algorithm), .help = "algorithm that computes the factor" },
	{ NULL, "factor", PATH(factor), .help = "fair-share factor that priorities use" },
	{ NULL, "recorded", PATH(recorded), .help = "factor that the scheduler printed" },
	{ NULL, "hidden", .get_value = get_hidden, .help = "true: the computation of the factor is not shown" },
	{ NULL, "rank", PATH(rank), .has_value = is_open, .zero_is_none = true,
	  .help = "rank among users; the best rank is `users`, the last is 1" },
	{ NULL, "users", PATH(users), .has_value = is_ranked, .help = "number of ranked users" },
	{ NULL, "better", PATH(better), .has_value = is_ranked, .help = "number of users with a better rank" },
	{ NULL, "tied", PATH(tied), .has_value = is_ranked, .help = "number of other users with the same rank" },
	{ NULL, "worse", PATH(worse), .has_value = is_ranked, .help = "number of users with a worse rank" },
	{ NULL, "other_algorithm", .get_value = get_other_algorithm, .has_value = has_other,
	  .help = "algorithm shown for comparison" },
	{ NULL, "other_rank", .get_value = get_other_rank, .has_value = has_other, .zero_is_none = true,
	  .help = "rank in the other algorithm" },
	{ NULL, "other_factor", .get_value = get_other_factor, .has_value = has_other,
	  .help = "factor in the other algorithm" },
	{ NULL, "levels", .write_json = write_path_levels, .help = "levels of the share tree, top level first" },
};

/* Writes the object `fairshare`, the path of the fair-share factor; null if the job has no path. */
static void write_fairshare_path(struct fs_json *j, const struct explain_view *v, const struct fs_explain_path *p)
{
	if (p->algorithm)
		columns_write_object(j, COLUMNS(path_columns), v, p);
	else
		fs_json_null(j);
}

/* ---- documents about users and accounts */

#define COUNT(m) COLUMN_MEMBER(struct fs_explain_count, m)

static const struct column count_columns[] = {
	{ NULL, "running", COUNT(running),
	  .help = "number of running jobs, including jobs of all rows below in the tree" },
	{ NULL, "pending", COUNT(pending),
	  .help = "number of pending jobs, including jobs of all rows below in the tree" },
	{ NULL, "eligible", COUNT(eligible), .help = "number of eligible pending jobs" },
	{ NULL, "in_line", COUNT(eligible), .help = "the same as eligible" },
	{ NULL, "held", COUNT(held), .help = "number of held pending jobs" },
};

static int write_association_object(struct fs_json *j, const struct explain_view *v, uint32_t row)
{
	struct fs_explain_path path = { 0 };
	struct fs_explain_count n;

	fs_explain_count(v->explain, row, &n);
	if (fs_explain_path(v->explain, row, &path, NULL))
		return FS_ENOMEM;
	fs_json_object(j);
	write_share_row(j, fs_shares_row(v->eval->shares, row));
	columns_write_members(j, COLUMNS(count_columns), NULL, &n);
	fs_json_key(j, "fairshare");
	write_fairshare_path(j, v, &path);
	if (explain_write_forecast(j, v, row, FS_NO_ROW))
		return FS_ENOMEM;
	fs_json_end_object(j);
	return 0;
}

int explain_write_share_rows(const struct explain_view *v, const char *kind, const uint32_t *rows, size_t n)
{
	struct fs_json j;
	int rc = 0;

	explain_begin_document(&j, v, kind);
	json_begin_list(&j, "associations");
	for (size_t i = 0; i < n && !rc; i++)
		rc = write_association_object(&j, v, rows[i]);
	fs_json_end_array(&j);
	return rc ? rc : json_end_document(&j);
}

int explain_write_share_pair(const struct explain_view *v, uint32_t a, uint32_t b)
{
	struct fs_explain_divergence part = { .same = true };
	struct fs_explain_path pa, pb;
	struct fs_json j;
	int rc;

	if (fs_explain_path(v->explain, a, &pa, NULL) || fs_explain_path(v->explain, b, &pb, NULL))
		return FS_ENOMEM;
	fs_explain_compare_paths(v->explain, &pa, &pb, &part);
	explain_begin_document(&j, v, "versus");
	json_write_text(&j, "first", part.first < 0 ? "a" : part.first > 0 ? "b" : "");
	json_write_whole(&j, "parting_level", !part.same, part.level_a);
	json_begin_list(&j, "associations");
	rc = write_association_object(&j, v, a);
	rc = rc ? rc : write_association_object(&j, v, b);
	fs_json_end_array(&j);
	return rc ? rc : json_end_document(&j);
}

/* ---- documents about one job or two compared jobs */

/* ---- the jobs ahead of a job */

/* Some columns describe one priority term. Only a group of jobs that is ahead by priority has values in these columns:
 * they describe the term in which the group leads by the most points. In the functions below, `of` points to the
 * priority sum of the explained job. */
COLUMN_HAS_VALUE(has_factor, void, struct fs_explain_group, row->key == FS_QUEUE_KEY_PRIORITY && row->term != FS_NO_ROW)
COLUMN_GET_VALUE(json_get_factor, struct fs_explain_sum, struct fs_explain_group, of->terms[row->term].name)

#define GROUP(m) COLUMN_MEMBER(struct fs_explain_group, m)

static const struct column group_columns[] = {
	{ NULL, "account", GROUP(account), .help = "account of the jobs ahead; null: all accounts" },
	{ NULL, "user", GROUP(user), .help = "user of the jobs in this account; null: all users" },
	{ NULL, "array", GROUP(array), .zero_is_none = true, .help = "job array of this user; null: all jobs" },
	{ NULL, "entries", GROUP(entries), .help = "number of queue entries" },
	{ NULL, "jobs", GROUP(jobs), .help = "number of jobs; each array task counts" },
	{ NULL, "cpus", GROUP(cpus), .help = "CPUs that the jobs request" },
	{ NULL, "gpus", GROUP(gpus), .help = "GPUs that the jobs request" },
	{ NULL, "cpu_hours", GROUP(cpu_hours), .help = "CPU hours if the jobs run to their time limits" },
	{ NULL, "key", GROUP(key), .enum_name = fs_queue_key_name,
	  .help = "sort key that puts most of the jobs ahead" },
	{ NULL, "factor", .get_value = json_get_factor, .has_value = has_factor,
	  .help = "priority factor with the largest difference" },
	{ NULL, "difference", GROUP(difference), .has_value = has_factor,
	  .help = "mean points of the factor among the jobs, minus its points in the explained job" },
	{ NULL, "lowest", GROUP(lowest), .has_value = has_factor, .help = "lowest value of the factor among the jobs" },
	{ NULL, "highest", GROUP(highest), .has_value = has_factor,
	  .help = "highest value of the factor among the jobs" },
	{ NULL, "own", GROUP(own), .has_value = has_factor, .help = "value of the factor in the explained job" },
};

#define RIVAL(m) COLUMN_MEMBER(struct fs_explain_rival, m)

static const struct column rival_columns[] = {
	{ NULL, "partition", RIVAL(partition), .help = "other partition whose jobs are tried first" },
	{ NULL, "tier", RIVAL(tier), .help = "PriorityTier of the other partition" },
	{ NULL, "certain", RIVAL(certain),
	  .help = "true: the other partition shares nodes with the job's; false: its nodes are unknown" },
	{ NULL, "entries", RIVAL(entries), .help = "number of queue entries ahead in the other partition" },
	{ NULL, "jobs", RIVAL(jobs), .help = "number of jobs ahead in the other partition; each array task counts" },
};

static void write_jobs_ahead(struct fs_json *j, const struct explain_view *v, const struct fs_explain_job *job)
{
	const struct fs_explain_ahead *a = &job->ahead;
	enum fs_queue_key key;

	fs_json_key(j, "ahead");
	if (!job->nsums || !job->sums->position || is_verdict_without_position(&job->verdict)) {
		fs_json_null(j);
		return;
	}
	fs_json_object(j);
	json_write_whole(j, "entries", true, a->all.entries);
	json_write_whole(j, "jobs", true, a->all.jobs);
	json_write_whole(j, "own", true, a->own_entries);
	json_write_whole(j, "passed_by_waiting", true, a->all.passed);
	json_write_flag(j, "at_least", a->unseen || job->jobs_hidden);
	json_begin_list(j, "order");
	for (size_t i = 0; (key = fs_queue_order(v->eval->queue, i)) != FS_QUEUE_KEY_NONE; i++)
		fs_json_string(j, fs_queue_key_name(key));
	fs_json_end_array(j);
	json_write_number(j, "gain_per_hour", a->gain);
	columns_write_named_list(j, "groups", COLUMNS(group_columns), job->sums, a->groups, a->ngroups,
				 sizeof(*a->groups));
	columns_write_named_list(j, "elsewhere", COLUMNS(rival_columns), NULL, a->rivals, a->nrivals,
				 sizeof(*a->rivals));
	fs_json_end_object(j);
}

/* ---- Flux: dependencies and states that hold a job back */

#define HOLD(m) COLUMN_MEMBER(struct fs_hold_row, m)

static const struct column hold_columns[] = {
	{ NULL, "reason", HOLD(reason), .help = "dependency or state that holds the job" },
	{ NULL, "limit", HOLD(limit), .help = "limit that the dependency represents" },
	{ NULL, "scope", HOLD(scope), .help = "bank or queue in which the user's jobs count" },
	{ NULL, "value", HOLD(value), .help = "value of the limit" },
	{ NULL, "used", HOLD(used), .help = "usage that counts against the limit" },
	{ NULL, "wants", HOLD(wants), .help = "amount that this job would add" },
};

static void write_flux_holds(struct fs_json *j, const struct explain_view *v, const struct fs_explain_job *job)
{
	json_begin_list(j, "holds");
	for (size_t i = 0; i < job->nholds; i++)
		columns_write_object(j, COLUMNS(hold_columns), NULL, fs_holds_row(v->eval->holds, job->job_row, i));
	fs_json_end_array(j);
}

/* ---- the document about a job */

struct json_subject {
	struct fs_job job;
	char id[WORDS];
};

#define SUBJECT(m) COLUMN_MEMBER(struct json_subject, m)

static const struct column subject_columns[] = {
	{ NULL, "jobid", SUBJECT(job.id), .help = "job id" },
	{ NULL, "name", SUBJECT(id), .help = "older name of jobid_text" },
	{ NULL, "jobid_text", SUBJECT(id), .help = "job id as the scheduler prints it" },
	{ NULL, "jobname", SUBJECT(job.name), .help = "job name" },
	{ NULL, "user", SUBJECT(job.user), .help = "user who submitted the job" },
	{ NULL, "account", SUBJECT(job.account), .help = "account that is charged for the job" },
	{ NULL, "state", SUBJECT(job.state), .help = "state as the scheduler prints it" },
	{ NULL, "reason_text", SUBJECT(job.reason), .help = "reason as the scheduler prints it" },
	{ NULL, "cpus", SUBJECT(job.request.cpus), .help = "requested CPUs" },
	{ NULL, "time_limit_s", SUBJECT(job.request.time_limit_s), .unit = UNIT_SECONDS,
	  .help = "time limit of the job" },
	{ NULL, "submit_time", SUBJECT(job.times.submit), .unit = UNIT_TIME,
	  .help = "time at which the job was submitted" },
	{ NULL, "eligible_time", SUBJECT(job.times.eligible), .unit = UNIT_TIME,
	  .help = "time from which the job is eligible" },
	{ NULL, "start_time", SUBJECT(job.times.start), .unit = UNIT_TIME, .help = "time at which the job started" },
};

static void write_job_subject(struct fs_json *j, const struct explain_view *v, const struct fs_explain_job *job)
{
	struct json_subject o;

	fs_snapshot_job(v->snapshot, job->job_row, &o.job);
	format_display_job_id(o.id, v->snapshot, job->job_row);
	columns_write_named_object(j, "job", COLUMNS(subject_columns), NULL, &o);
}

/* ---- the causes of a job's wait */

/* Returns true if the cause names no jobs, or only jobs that the viewer may see. */
static bool may_show_names(const struct explain_view *v, const struct fs_cause *c)
{
	for (size_t i = 0; (c->kind == FS_CAUSE_RUNNING || c->kind == FS_CAUSE_AHEAD) && i < c->nnames; i++)
		if (fs_explain_find_job(v->explain, c->names[i]) == FS_NO_ROW)
			return false;
	return true;
}

static void write_one_cause(struct fs_json *j, const struct explain_view *v, const struct fs_explain_job *job,
			    const struct fs_cause *c)
{
	static const char hidden[] = "the command names jobs that are hidden from you";
	const bool shown = may_show_names(v, c);

	fs_json_object(j);
	json_write_text(j, "kind", fs_cause_name(c->kind));
	json_write_text(j, "reason", job->verdict.reason_text);
	json_begin_list(j, "by");
	for (size_t i = 0; shown && i < c->nnames; i++)
		fs_json_string(j, c->names[i]);
	fs_json_end_array(j);
	json_write_integer(j, "start", c->start);
	json_write_integer(j, "start_without", c->start_without);
	json_write_text(j, "remove", shown && c->remove ? c->remove : "");
	json_write_text(j, "why_not", !shown ? hidden : c->why_not ? c->why_not : "");
	fs_json_end_object(j);
}

/* Writes the keys `cause` and `causes`. */
static void write_causes(struct fs_json *j, const struct explain_view *v, const struct fs_explain_job *job)
{
	const struct fs_cause *first = v->causes ? fs_causes_row(v->causes, 0) : NULL;

	json_write_text(j, "cause", first ? fs_cause_name(first->kind) : "");
	json_begin_list(j, "causes");
	for (size_t i = 0; v->causes && i < fs_causes_count(v->causes); i++)
		write_one_cause(j, v, job, fs_causes_row(v->causes, i));
	fs_json_end_array(j);
}

static int write_job_members(struct fs_json *j, const struct explain_view *v, const struct fs_explain_job *job)
{
	char words[VERDICT_TEXT];

	write_job_subject(j, v, job);
	json_write_text(j, "verdict",
			!explain_has_job_started(job)      ? fs_verdict_name(job->verdict.kind)
			: job->state == FS_EXPLAIN_RUNNING ? "running"
							   : "ended");
	json_write_text(j, "verdict_cause", fs_verdict_cause_name(job->verdict.cause));
	json_write_text(j, "verdict_text", format_verdict_clause(words, v->vocabulary, v->snapshot, &job->verdict));
	json_write_text(j, "section", fs_section_name(job->section));
	explain_write_job_reason(j, job->reason);
	json_begin_list(j, "sums");
	for (size_t i = 0; i < job->nsums; i++)
		write_priority_sum(j, &job->sums[i], !is_verdict_without_position(&job->verdict));
	fs_json_end_array(j);
	write_jobs_ahead(j, v, job);
	prio_write_accrue(j, job->has_accrue ? &job->accrue : NULL);
	fs_json_key(j, "fairshare");
	write_fairshare_path(j, v, &job->path);
	write_job_limits(j, job);
	write_flux_holds(j, v, job);
	write_job_credentials(j, v, job);
	json_write_flag(j, "jobs_hidden", job->jobs_hidden);
	explain_write_past_runs(j, v);
	write_causes(j, v, job);
	explain_write_advice(j, v);
	explain_write_summary(j, v, job);
	return explain_write_forecast(j, v, FS_NO_ROW, job->job_row);
}

int explain_write_job(const struct explain_view *v, const struct fs_explain_job *job)
{
	struct fs_json j;
	int rc;

	explain_begin_document(&j, v, "job");
	rc = write_job_members(&j, v, job);
	return rc ? rc : json_end_document(&j);
}

static void write_point_differences(struct fs_json *j, const struct fs_explain_job *a,
				    const struct fs_explain_comparison *d)
{
	json_begin_list(j, "differences");
	for (size_t t = 0; d->differences && t < a->sums[d->sum_a].nterms; t++) {
		fs_json_object(j);
		json_write_text(j, "factor", a->sums[d->sum_a].terms[t].name);
		json_write_number(j, "points", d->differences[t]);
		fs_json_end_object(j);
	}
	fs_json_end_array(j);
	json_write_number(j, "total_difference", d->total);
	json_write_number(j, "queue_difference", d->queue_difference);
}

int explain_write_job_pair(const struct explain_view *v, const struct fs_explain_job *a, const struct fs_explain_job *b)
{
	struct fs_explain_divergence part = { .same = true };
	struct fs_explain_comparison d;
	struct fs_json j;
	int rc;

	if (fs_explain_compare_jobs(v->explain, a, b, &d))
		return FS_ENOMEM;
	if (a->path.algorithm && b->path.algorithm)
		fs_explain_compare_paths(v->explain, &a->path, &b->path, &part);
	explain_begin_document(&j, v, "versus");
	json_write_text(&j, "first", d.first < 0 ? "a" : d.first > 0 ? "b" : "");
	json_write_text(&j, "key", d.key == FS_QUEUE_KEY_NONE ? "" : fs_queue_key_name(d.key));
	json_write_text(&j, "factor", d.term == FS_NO_ROW ? "" : a->sums[d.sum_a].terms[d.term].name);
	write_point_differences(&j, a, &d);
	json_write_whole(&j, "parting_level", !part.same, part.level_a);
	json_begin_object(&j, "a");
	rc = write_job_members(&j, v, a);
	fs_json_end_object(&j);
	json_begin_object(&j, "b");
	rc = rc ? rc : write_job_members(&j, v, b);
	fs_json_end_object(&j);
	return rc ? rc : json_end_document(&j);
}
