/* fs-share, also called as sshare: shares, usage and fair-share factors of accounts and users.
 *
 * share.c parses the command line into a struct share_run, opens the snapshot, computes shares (fs_shares_compute) and
 * calls one of the functions below. rows.c selects the columns and rows. forms.c and maui.c print the rows, reports.c
 * prints the reports that replace the rows, and solve.c answers --solve. run_share_command frees everything that the
 * struct share_run owns. */
#ifndef SHARE_SHARE_H
#define SHARE_SHARE_H

#include "input/input.h"
#include "options/options.h"
#include "share/rows.h"

/* One call of fs-share: the options of the command line, and the snapshot, shares and rows that result from them. */
struct share_run {
	const struct invocation *inv;
	struct input input;
	struct names accounts, users;
	struct share_format format;
	char *format_list; /* the lists of all -o options, joined by commas; NULL: no -o */
	bool active_only, all, bank_info, concise, ranges, me, users_only;
	bool wide, with_partition, no_header, verbose, metrics;
	const char *subtree, *sort, *kind;
	/* kind of credential given as an argument without --kind (`fs-share user`); NULL: not given */
	const char *kind_argument;
	enum { REPORT_NONE, REPORT_SPENT, REPORT_GRANTS, REPORT_BILL, REPORT_FORECAST, REPORT_SOLVE } report_kind;
	const char *report_argument; /* argument of the option that requests the report; NULL: none */
	enum { OUTPUT_TEXT, OUTPUT_OWN_JSON, OUTPUT_SLURM_JSON, OUTPUT_SLURM_YAML, OUTPUT_METRICS } output_form;
	enum json_form json; /* layout of the document if `output_form` is OUTPUT_OWN_JSON; otherwise JSON_NONE */
	int argc;
	char **argv; /* copy of the arguments, because getopt reorders the original */
	enum { LAYOUT_ALIGNED, LAYOUT_PARSABLE, LAYOUT_PARSABLE2 } layout;
	struct clusters *clusters; /* the clusters that are printed one after the other */
	fs_snapshot *snapshot;
	fs_usage *usage; /* usage that the shares are computed from; NULL: the usage recorded in the snapshot */
	fs_usage *computed_usage; /* usage computed from job records; only for --usage=compare */
	fs_shares *shares;
	struct share_rows rows;
	const char *svg; /* --svg: file of the picture; NULL: not given */
	const char *history; /* --history: folder of the snapshots; NULL: not given */
	bool csv, plot;
	bool version; /* -V was given */
	/* argument of --json or --yaml for a document in Slurm's form: name of a data_parser, or "list"; NULL: none */
	const char *parser;
};

/* share_check_history_options rejects options that cannot be combined with --history, --csv or --plot. It returns -1 if
 * --history, --csv and --plot are all missing, otherwise the result of history_check_options. share_show_history prints
 * the history and returns the exit status. */
int share_check_history_options(const struct share_run *r);
int share_show_history(const struct share_run *r);

/* ---- functions that print the rows. They return EXIT_DONE, -1 without a message if out of memory, or another exit
 * status after an error message */

/* Prints the table of sshare. First replaces a column width of 0 by the width of the widest cell or heading. */
int share_print_table(struct share_run *r);

/* Prints the JSON or YAML document of Slurm's sshare --json and --yaml. */
int share_print_slurm_document(const struct share_run *r);

/* Prints the tree of `flux account view-bank root -t`. */
int share_print_flux_tree(struct share_run *r);

/* Prints the tree of `flux account bank-info -t BANK`. */
int share_print_bank_info(struct share_run *r);

/* Prints the fair-share windows of the credentials, as Maui's `diagnose -f` does. Returns the exit status. */
int share_print_windows_page(const struct share_run *r);

/* Returns true if the word is a kind of credential that --kind accepts. */
bool share_is_credential_kind(const char *word);

/* Prints the rows as JSON, schema fs-share/1. */
int share_print_json(const struct share_run *r);

/* Prints the numeric columns of the rows as metrics, for --openmetrics. */
int share_print_metrics(const struct share_run *r);

/* Both functions draw a bar for each account and user (--ranges). The bar shows which part of the range from 0 to 1
 * belongs to the account or user. share_print_ranges prints text, share_save_ranges_picture writes an SVG picture to
 * the file r->svg. */
int share_print_ranges(struct share_run *r);
int share_save_ranges_picture(const struct share_run *r);

/* ---- functions that print a report instead of the rows. They return EXIT_DONE, or another exit status after an error
 * message */

/* The spent report shows the part of an account's usage that each user caused. The grants report shows the `grant`
 * records of an account, which say why the account got its shares. Both reports cover all accounts if
 * r->report_argument is NULL. The bill report shows what the TRES of --bill cost in each partition. */
int share_print_spent_report(const struct share_run *r);
int share_print_grants_report(const struct share_run *r);
int share_print_bill_report(const struct share_run *r);

/* Prints recorded and computed usage of each row side by side, and the parts of usage that cannot be computed. */
int share_print_usage_comparison(const struct share_run *r);

/* Prints forecasts of the factors and ranks of the selected users, and of the accounts that the options name. The
 * forecasts end at the time r->report_argument; if r->report_argument is NULL, at the time that
 * fs_forecast_default_until returns. */
int share_print_forecast(const struct share_run *r);

/* Answers the question r->report_argument of --solve. The question is about one share row. The options must select
 * exactly one row of a user or, if they name accounts but no users, exactly one row of an account. Changes
 * r->snapshot, so shares and usage that were computed from it earlier are no longer valid. */
int share_answer_question(struct share_run *r);

#endif
