/* The columns of fs-share's reports as data: headings and widths of their tables, keys of their JSON. */
#ifndef SHARE_REPORTS_COLUMNS_H
#define SHARE_REPORTS_COLUMNS_H

#include "columns/column.h"

/* --bill: a partition, and its terms (rows are struct fs_bill_term). */
struct bill_row {
	const char *partition;
	double rate, hour; /* the cost of a second, of an hour */
	const struct fs_bill *bill;
};
enum { BILL_COLUMNS = 5, BILL_TERM_COLUMNS = 5 };
extern const struct column bill_columns[BILL_COLUMNS], bill_term_columns[BILL_TERM_COLUMNS];

/* --usage=compare */
struct compare_row {
	const char *account, *user, *partition;
	unsigned indent; /* of the account, on the page */
	double recorded, computed, difference;
};
enum { COMPARE_COLUMNS = 6, COMPARE_ACCOUNT = 0, COMPARE_USER = 1 };
extern const struct column compare_columns[COMPARE_COLUMNS];

/* --spent: an association (rows are struct fs_usage_by_assoc, of its source), and a job (struct fs_spent_job). */
struct spent_source {
	const fs_usage *usage;
	size_t (*jobs_shown)(const void *sheet, const struct fs_usage_by_assoc *row);
	const void *sheet;
};
enum { SPENT_HALF_LIVES = 3, SPENT_COLUMNS = 7, SPENT_JOB_COLUMNS = 8 };
extern const double spent_half_lives[SPENT_HALF_LIVES];
extern const struct column spent_columns[SPENT_COLUMNS], spent_job_columns[SPENT_JOB_COLUMNS];

/* A line of the page: of an association, of one of its jobs, of the sum. */
struct spent_line {
	const char *user, *account, *rate;
	double tres_s, part; /* part: of all; NAN not told */
	double after[SPENT_HALF_LIVES];
};
enum { SPENT_USER, SPENT_ACCOUNT, SPENT_PAGE_COLUMNS = 8 };
extern const struct column spent_page_columns[SPENT_PAGE_COLUMNS];

/* --grants: a grant of an account (rows are struct fs_grant_row). */
enum { GRANT_COLUMNS = 9 };
extern const struct column grant_columns[GRANT_COLUMNS];

/* A line of the page: of a grant, of the sum, of the shares that there are. */
struct grant_line {
	const char *label, *shares, *rest;
};
enum { GRANT_PAGE_COLUMNS = 3 };
extern const struct column grant_page_columns[GRANT_PAGE_COLUMNS];

#endif
