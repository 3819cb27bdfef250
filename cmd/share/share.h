/* fs-share, also called as sshare: shares, usage and fair-share factor of accounts and users.
 *
 * share.c parses the command line into a struct share_run, opens the snapshot, computes shares (fs_shares_compute) and
 * calls one of the functions below. rows.c chooses the columns and rows. forms.c prints the rows, reports.c prints the
 * reports in place of the rows, solve.c answers --solve. run_share_command frees everything that the struct share_run
 * owns. */
#ifndef SHARE_SHARE_H
#define SHARE_SHARE_H

#include "input/input.h"
#include "options/options.h"
#include "share/rows.h"

/* A request: the options of the command line, and the snapshot, shares and rows that follow from them. */
struct share_run {
	const struct invocation *inv;
	struct input input;
	struct names accounts, users, clusters;
	struct share_format format;
	char *format_list; /* the lists of all -o options, joined by commas; NULL: no -o */
	bool all, concise, ranges, me, users_only, wide, with_partition, no_header, verbose, metrics;
	const char *subtree, *sort, *kind;
	const char *kind_argument; /* the kind if it was given as an argument without --kind; NULL: it was not */
	enum { REPORT_NONE, REPORT_SPENT, REPORT_GRANTS, REPORT_BILL, REPORT_FORECAST, REPORT_SOLVE } report_kind;
	const char *report_argument; /* argument of the report's option; NULL: none */
	enum { OUTPUT_TEXT, OUTPUT_OWN_JSON, OUTPUT_SLURM_JSON, OUTPUT_SLURM_YAML, OUTPUT_METRICS } output_form;
	enum json_form json; /* variant of OUTPUT_OWN_JSON; JSON_NONE for all other forms */
	int argc;
	char **argv; /* a copy, because getopt reorders the original */
	enum { LAYOUT_ALIGNED, LAYOUT_PARSABLE, LAYOUT_PARSABLE2 } layout;
	fs_snapshot *snapshot;
	fs_usage *usage; /* usage from which the shares are computed; NULL: as recorded in the snapshot */
	fs_usage *computed_usage; /* usage computed from job records, for --usage=compare only */
	fs_shares *shares;
	struct share_rows rows;
	const char *svg; /* --svg: the file of the picture; NULL: not given */
	const char *history; /* --history: the folder of snapshots; NULL: not given */
	bool csv, plot;
	bool version; /* -V was given */
	/* argument of --json and --yaml for Slurm's shape: the name of a data_parser, "list", or NULL */
	const char *parser;
};

/* share_check_history_options rejects options that do not go with --history, --csv and --plot. It returns -1 if none of
 * these three was given, else the result of history_check_options. share_show_history prints the history and returns
 * the exit status. */
int share_check_history_options(const struct share_run *r);
int share_show_history(const struct share_run *r);

/* ---- forms of the rows. They return an exit status, after an error message if it is not 0, or -1 if out of memory */

/* Prints the table of sshare. Sets the widths of columns that are never cut. */
int share_print_table(struct share_run *r);

/* Prints what Slurm's sshare prints with --json and --yaml. */
int share_print_slurm_document(const struct share_run *r);

/* Prints the tree of `flux account view-bank root -t`. */
int share_print_flux_tree(struct share_run *r);

/* Prints the fair-share windows of the credentials, as Maui's `diagnose -f` does. Returns the exit status. */
int share_print_windows_page(const struct share_run *r);

/* Returns true if the word is a kind of credential, as --kind accepts it. */
bool share_is_credential_kind(const char *word);

/* Prints the rows as JSON, schema fs-share/1. */
int share_print_json(const struct share_run *r);

/* Prints the numeric columns of the rows as metrics, for --openmetrics. */
int share_print_metrics(const struct share_run *r);

/* Print the range from 0 to 1 that each account and user owns as a bar, for --ranges: as text, or as an SVG picture in
 * the file r->svg. */
int share_print_ranges(struct share_run *r);
int share_save_ranges_picture(const struct share_run *r);

/* ---- reports in place of the rows. They return an exit status, after an error message if it is not 0 */

/* Print who spent the usage of an account, where an account's shares come from, and what the TRES of --bill cost in
 * each partition. The first two cover all accounts if r->report_argument is NULL. */
int share_print_spent_report(const struct share_run *r);
int share_print_grants_report(const struct share_run *r);
int share_print_bill_report(const struct share_run *r);

/* Compares recorded usage with computed usage for each row and prints what cannot be known. */
int share_print_usage_comparison(const struct share_run *r);

/* Forecasts the factors and ranks of the selected users and of the accounts given by name until the time
 * r->report_argument. If it is NULL, forecast_parse_until chooses the time. */
int share_print_forecast(const struct share_run *r);

/* Answers the question of --solve, r->report_argument. The question is about the only selected user, or about the only
 * account if accounts but no users were given by name. Changes r->snapshot, so results computed from it earlier are no
 * longer valid. */
int share_answer_question(struct share_run *r);

#endif
