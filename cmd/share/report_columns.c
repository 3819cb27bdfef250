#include "share/report_columns.h"

#include "render/emit.h"
#include "render/json.h"

#include <stdio.h>
#include <stdlib.h>

#define MEMBER(type, m) COLUMN_MEMBER(struct type, m)

/* ---- --bill */

static void write_terms(struct fs_json *j, const void *of, const void *row)
{
	const struct fs_bill *b = ((const struct bill_row *)row)->bill;

	fs_json_array(j);
	for (size_t i = 0; i < b->n; i++) {
		fs_json_object(j);
		columns_json(j, COLUMNS(bill_term_columns), of, &b->term[i]);
		fs_json_end_object(j);
	}
	fs_json_end_array(j);
}

const struct column bill_columns[BILL_COLUMNS] = {
	{ "Partition", "partition", -20, MEMBER(bill_row, partition), .help = "where it would run" },
	{ "a second", "rate", 12, MEMBER(bill_row, rate), .help = "TRES seconds charged for a second" },
	{ "an hour", NULL, 14, MEMBER(bill_row, hour), .help = "TRES seconds charged for an hour" },
	{ " amount * weight", NULL, 0, .help = "what that is the sum of" },
	{ NULL, "terms", .json = write_terms, .help = "what the rate is the sum of" },
};

const struct column bill_term_columns[BILL_TERM_COLUMNS] = {
	{ NULL, "tres", MEMBER(fs_bill_term, tres), .help = "name of the TRES" },
	{ NULL, "amount", MEMBER(fs_bill_term, amount), .help = "of it" },
	{ NULL, "weight", MEMBER(fs_bill_term, weight), .help = "by TRESBillingWeights" },
	{ NULL, "points", MEMBER(fs_bill_term, points), .help = "amount * weight" },
	{ NULL, "counts", MEMBER(fs_bill_term, counts), .help = "false: a greater one stands for it" },
};

/* ---- --usage=compare */

const struct column compare_columns[COMPARE_COLUMNS] = {
	[COMPARE_ACCOUNT] = { "Account", "account", -20, MEMBER(compare_row, account), .help = "account" },
	[COMPARE_USER] = { "User", "user", -10, MEMBER(compare_row, user), .help = "user" },
	{ NULL, "partition", MEMBER(compare_row, partition), .help = "the partition alone in which the association holds" },
	{ "Recorded", "recorded", 16, MEMBER(compare_row, recorded), .help = "usage that the scheduler recorded, TRES seconds" },
	{ "Computed", "computed", 16, MEMBER(compare_row, computed), .help = "usage computed from job records" },
	{ "Difference", "difference", 16, MEMBER(compare_row, difference), .help = "computed minus recorded" },
};

/* ---- --spent */

const double spent_half_lives[SPENT_HALF_LIVES] = { 1, 2, 4 };

static void write_after(struct fs_json *j, const void *of, const void *row)
{
	const struct spent_source *s = of;

	fs_json_object(j);
	for (int k = 0; k < SPENT_HALF_LIVES; k++) {
		char key[16];

		snprintf(key, sizeof(key), "%.0f", spent_half_lives[k]);
		json_number(j, key,
			    ((const struct fs_usage_by_assoc *)row)->tres_s *
				    fs_usage_after(s->usage, spent_half_lives[k]));
	}
	fs_json_end_object(j);
}

static void write_jobs(struct fs_json *j, const void *of, const void *row)
{
	const struct spent_source *s = of;
	const struct fs_usage_by_assoc *u = row;
	const size_t shown = s->jobs_shown(s->sheet, u);

	fs_json_array(j);
	for (size_t k = 0; k < shown; k++) {
		fs_json_object(j);
		columns_json(j, COLUMNS(spent_job_columns), of, &u->job[k]);
		fs_json_end_object(j);
	}
	fs_json_end_array(j);
}

const struct column spent_columns[SPENT_COLUMNS] = {
	{ NULL, "account", MEMBER(fs_usage_by_assoc, account), .help = "account" },
	{ NULL, "user", MEMBER(fs_usage_by_assoc, user), .help = "user" },
	{ NULL, "partition", MEMBER(fs_usage_by_assoc, partition), .help = "the partition alone in which the association holds" },
	{ NULL, "tres_s", MEMBER(fs_usage_by_assoc, tres_s), .help = "TRES seconds that still count" },
	{ NULL, "jobs", MEMBER(fs_usage_by_assoc, jobs), .help = "runs of jobs" },
	{ NULL, "after_half_lives", .json = write_after, .help = "what of it still counts after so many half-lives" },
	{ NULL, "top_jobs", .json = write_jobs, .help = "the most expensive jobs" },
};

/* None of a job that runs on without a limit. */
static void get_end(const void *of, const void *row, struct value *out)
{
	const int64_t end = ((const struct fs_spent_job *)row)->end_time;

	(void)of;
	out->type = end == FS_UNLIMITED ? VALUE_NONE : VALUE_INTEGER;
	out->integer = end;
}

const struct column spent_job_columns[SPENT_JOB_COLUMNS] = {
	{ NULL, "jobid", MEMBER(fs_spent_job, job), .help = "job id" },
	{ NULL, "start_time", MEMBER(fs_spent_job, start_time), .unit = UNIT_TIME, .help = "start" },
	{ NULL, "end_time", .get = get_end, .unit = UNIT_TIME, .help = "end; of a running job that of its limit" },
	{ NULL, "running", MEMBER(fs_spent_job, running), .help = "does it run at the snapshot's time" },
	{ NULL, "rate", MEMBER(fs_spent_job, rate), .help = "TRES seconds a second" },
	{ NULL, "usage_factor", MEMBER(fs_spent_job, factor), .help = "UsageFactor of its QOS" },
	{ NULL, "seconds", MEMBER(fs_spent_job, seconds), .unit = UNIT_SECONDS, .help = "seconds that still count" },
	{ NULL, "tres_s", MEMBER(fs_spent_job, tres_s), .help = "rate * usage_factor * seconds" },
};

/* ---- --grants */

static void get_accounts(const void *of, const void *row, struct value *out)
{
	const size_t n = ((const struct fs_grant_row *)row)->accounts;

	(void)of;
	out->type = n ? VALUE_WHOLE : VALUE_NONE;
	out->whole = n;
}

static void get_missing(const void *of, const void *row, struct value *out)
{
	const char *why = ((const struct fs_grant_row *)row)->why;

	(void)of;
	out->type = VALUE_TEXT;
	out->text = why ? why : "";
}

const struct column grant_columns[GRANT_COLUMNS] = {
	{ NULL, "kind", MEMBER(fs_grant_row, kind), .help = "gratis, lab or communal" },
	{ NULL, "pool", MEMBER(fs_grant_row, pool), .help = "shares of the pool" },
	{ NULL, "hardware", MEMBER(fs_grant_row, hardware), .help = "TRES of the pool's partitions" },
	{ NULL, "partitions", MEMBER(fs_grant_row, partitions), .help = "those partitions" },
	{ NULL, "fraction", MEMBER(fs_grant_row, fraction), .help = "part of the pool" },
	{ NULL, "accounts", .get = get_accounts, .help = "how many accounts share it alike" },
	{ NULL, "shares", MEMBER(fs_grant_row, shares), .help = "shares granted" },
	{ NULL, "comment", MEMBER(fs_grant_row, comment), .help = "where it came from" },
	{ NULL, "missing", .get = get_missing, .help = "why it cannot be computed" },
};

void report_heading(const struct column *columns, size_t n, const int *width)
{
	const char *between = "";

	for (size_t i = 0; i < n; i++) {
		const int w = width && width[i] ? width[i] : abs(columns[i].width);

		if (!columns[i].name)
			continue;
		emit(columns[i].width < 0 ? "%s%-*s" : "%s%*s", between, w, columns[i].name);
		between = " ";
	}
	putchar('\n');
}
