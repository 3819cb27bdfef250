#include "share/reports/columns.h"

#include "render/json.h"
#include "render/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MEMBER(type, m) COLUMN_MEMBER(struct type, m)

/* ---- --bill */

static void write_terms(struct fs_json *j, const void *of, const void *row)
{
	const struct fs_bill *b = ((const struct bill_row *)row)->bill;

	fs_json_array(j);
	for (size_t i = 0; i < b->n; i++) {
		columns_object(j, COLUMNS(bill_term_columns), of, &b->term[i]);
	}
	fs_json_end_array(j);
}

static void rate_cell(char buf[COLUMN_TEXT], const void *of, const void *row)
{
	(void)of;
	snprintf(buf, COLUMN_TEXT, "%.6f", ((const struct bill_row *)row)->rate);
}

const struct column bill_columns[BILL_COLUMNS] = {
	{ "Partition", "partition", -20, MEMBER(bill_row, partition), .help = "where it would run" },
	{ "a second", "rate", 12, MEMBER(bill_row, rate), .text = rate_cell,
	  .help = "TRES seconds charged for a second" },
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

static void account_cell(char buf[COLUMN_TEXT], const void *of, const void *row)
{
	const struct compare_row *c = row;
	const unsigned indent = c->indent < COLUMN_TEXT / 2 ? c->indent : COLUMN_TEXT / 2;

	(void)of;
	memset(buf, ' ', indent);
	text_visible(buf + indent, COLUMN_TEXT - indent, c->account);
}

const struct column compare_columns[COMPARE_COLUMNS] = {
	[COMPARE_ACCOUNT] = { "Account", "account", -20, MEMBER(compare_row, account), .text = account_cell,
			      .help = "account" },
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
		columns_object(j, COLUMNS(spent_job_columns), of, &u->job[k]);
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

static void part_cell(char buf[COLUMN_TEXT], const void *of, const void *row)
{
	const double part = ((const struct spent_line *)row)->part;

	(void)of;
	buf[0] = '\0';
	if (!isnan(part))
		snprintf(buf, COLUMN_TEXT, "%.2f%%", part * 100);
}

const struct column spent_page_columns[SPENT_PAGE_COLUMNS] = {
	[SPENT_USER] = { "User", NULL, -12, MEMBER(spent_line, user), .help = "user; below him jobs" },
	[SPENT_ACCOUNT] = { "Account", NULL, -20, MEMBER(spent_line, account), .help = "account; of a job its end" },
	{ "Rate", NULL, 10, MEMBER(spent_line, rate), .help = "TRES seconds charged for a second; else how many runs" },
	{ "TRES seconds", NULL, 14, MEMBER(spent_line, tres_s), .help = "what still counts" },
	{ "Share", NULL, 7, .text = part_cell, .help = "its part of all" },
	{ "in 1 half-life", NULL, 14, MEMBER(spent_line, after[0]), .help = "what of it will still count then" },
	{ "in 2", NULL, 14, MEMBER(spent_line, after[1]), .help = "then" },
	{ "in 4", NULL, 14, MEMBER(spent_line, after[2]), .help = "and then" },
};

/* A job that runs on without a limit has no end. */
COLUMN_KNOWN(has_end, void, struct fs_spent_job, row->end_time != FS_UNLIMITED)

const struct column spent_job_columns[SPENT_JOB_COLUMNS] = {
	{ NULL, "jobid", MEMBER(fs_spent_job, job), .help = "job id" },
	{ NULL, "start_time", MEMBER(fs_spent_job, start_time), .unit = UNIT_TIME, .help = "start" },
	{ NULL, "end_time", MEMBER(fs_spent_job, end_time), .known = has_end, .unit = UNIT_TIME, .help = "end; of a running job that of its limit" },
	{ NULL, "running", MEMBER(fs_spent_job, running), .help = "does it run at the snapshot's time" },
	{ NULL, "rate", MEMBER(fs_spent_job, rate), .help = "TRES seconds a second" },
	{ NULL, "usage_factor", MEMBER(fs_spent_job, factor), .help = "UsageFactor of its QOS" },
	{ NULL, "seconds", MEMBER(fs_spent_job, seconds), .unit = UNIT_SECONDS, .help = "seconds that still count" },
	{ NULL, "tres_s", MEMBER(fs_spent_job, tres_s), .help = "rate * usage_factor * seconds" },
};

/* ---- --grants */

const struct column grant_columns[GRANT_COLUMNS] = {
	{ NULL, "kind", MEMBER(fs_grant_row, kind), .help = "gratis, lab or communal" },
	{ NULL, "pool", MEMBER(fs_grant_row, pool), .help = "shares of the pool" },
	{ NULL, "hardware", MEMBER(fs_grant_row, hardware), .help = "TRES of the pool's partitions" },
	{ NULL, "partitions", MEMBER(fs_grant_row, partitions), .help = "those partitions" },
	{ NULL, "fraction", MEMBER(fs_grant_row, fraction), .help = "part of the pool" },
	{ NULL, "accounts", MEMBER(fs_grant_row, accounts), .none_at_0 = true, .help = "how many accounts share it alike" },
	{ NULL, "shares", MEMBER(fs_grant_row, shares), .help = "shares granted" },
	{ NULL, "comment", MEMBER(fs_grant_row, comment), .help = "where it came from" },
	{ NULL, "missing", MEMBER(fs_grant_row, why), .help = "why it cannot be computed" },
};

const struct column grant_page_columns[GRANT_PAGE_COLUMNS] = {
	{ "kind", NULL, -10, MEMBER(grant_line, label), .before = "  ", .help = "gratis, lab or communal" },
	{ "shares", NULL, 12, MEMBER(grant_line, shares), .help = "shares granted" },
	{ "source", NULL, 0, MEMBER(grant_line, rest), .before = "", .help = "what they follow from" },
};
