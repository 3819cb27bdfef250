/* fs-share: what the command line asks for, and how the request is run. */
#ifndef SHARE_SHARE_H
#define SHARE_SHARE_H

#include "input/names.h"
#include "input/usage.h"
#include "options/options.h"
#include "render/json.h"
#include "share/forms/table.h"
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
	enum json_form json; /* of our own */
	int argc;
	char **argv;
	enum share_layout layout;
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

/* -1 to go on, otherwise the exit status: help and versions are printed, mistakes reported. */
int share_parse(struct share_run *r, int argc, char **argv);

/* The rows, in the form asked for: the exit status. */
int share_print(struct share_run *r);

/* Adds names to a list of the request: 0, or EXIT_FAILED without memory. */
int share_add_names(struct share_run *r, struct names *names, const char *arg, bool lower);

/* --history: -1 to go on, or the exit status: what it has no use for is refused. And the course it shows. */
int share_history_check(const struct share_run *r);
int share_history(const struct share_run *r);

#endif
