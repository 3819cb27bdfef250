/* fs-share: what the command line asks for, and the forms in which it is shown. */
#ifndef SHARE_SHARE_H
#define SHARE_SHARE_H

#include "input/input.h"
#include "options/options.h"
#include "share/rows.h"

struct share_run {
	const struct invocation *inv;
	struct input input;
	struct names accounts, users, clusters;
	struct share_format format;
	char *format_list; /* joined -o */
	bool all, concise, ranges, me, users_only, wide, with_partition, no_header, verbose, metrics;
	const char *subtree, *sort, *kind, *kind_word;
	enum { SHARES, SPENT, GRANTS, BILL, FORECAST, SOLVE } report;
	const char *of; /* the report's argument, or NULL */
	enum { TEXT, OWN_JSON, SLURM_JSON, SLURM_YAML, METRICS } form;
	enum json_form json; /* of our own; NONE: text */
	int argc;
	char **argv;
	enum { ALIGNED, PARSABLE, PARSABLE2 } layout;
	fs_snapshot *snapshot;
	fs_usage *usage, *computed; /* computed: for the comparison */
	fs_shares *shares;
	struct share_rows rows;
	const char *svg; /* the file for the picture */
	const char *history; /* the folder */
	bool csv, plot;
	bool version; /* -V */
	const char *parser; /* of --json and --yaml: a data_parser of Slurm's, "list", or NULL */
};

/* --history: -1 to go on, or the exit status: what it has no use for is refused. And the course it shows. */
int share_history_check(const struct share_run *r);
int share_history(const struct share_run *r);

/* ---- forms of the rows: an exit status (reported), or negative without memory */

int share_table(struct share_run *r);	      /* sshare's; fills in widths of columns that are never cut */
int share_slurm(const struct share_run *r);   /* what Slurm's own sshare prints with --json and --yaml */
int share_flux(struct share_run *r);	    /* the tree of `flux account view-bank root -t` */
int share_json(const struct share_run *r);    /* fs-share/1 */
int share_metrics(const struct share_run *r); /* --openmetrics: the numbers of the rows */
int share_ranges(struct share_run *r);	    /* --ranges: every node's slice of 0 to 1 as a bar */
int share_ranges_picture(const struct share_run *r); /* the same as SVG into the file */

/* Prints the fair-share windows of the credentials, as Maui's `diagnose -f` does. Returns the exit status. */
int share_windows(const struct share_run *r);

/* Returns true if the word is a kind of credential, as --kind accepts it. */
bool share_is_credential_kind(const char *word);

/* ---- reports in place of the rows: exit statuses, what went wrong being reported */

/* Of all accounts, or of the one that is named: who spent its usage, and where its shares come from. What TRES cost in
 * each partition. */
int share_spent(const struct share_run *r);
int share_grants(const struct share_run *r);
int share_bill(const struct share_run *r);

/* Recorded usage compared with computed usage for the rows, then what cannot be known. */
int share_compare(const struct share_run *r);

/* How the rows of users, and of the accounts that were named, will stand until a time, NULL: as far as seems best. */
int share_forecast(const struct share_run *r);

/* What --solve asks of the one row of a user, or of an account that was named and no user. Changes the snapshot:
 * results of it are no longer to be looked at. */
int share_solve(struct share_run *r);

#endif
