/* What the output of the commands says differently for each scheduler: nouns, and the tables, layouts and paragraphs
 * of its own.
 *
 * Only find_scheduler_dialect, of all code in cmd/, asks which scheduler a snapshot comes from. A command calls
 * find_scheduler_dialect once and passes the dialect on. A NULL member means that the scheduler has nothing of its
 * own there. */
#ifndef DIALECT_DIALECT_H
#define DIALECT_DIALECT_H

#include "input/input.h"

struct prio_dialect;
struct showq_style;
struct explain_dialect;

struct nouns {
	const char *scheduler;		    /* "Slurm" */
	const char *account, *accounts;	    /* Flux: bank */
	const char *Account;		    /* `account` at the beginning of a sentence */
	const char *partition, *partitions; /* Flux: queue; Maui: class */
	const char *closed;		    /* state of a partition that starts no jobs: "down"; Flux: "stopped" */
	const char *cpu, *cpus;		    /* Flux: core; Maui: processor */
	const char *cpu_column, *hours_column;
	/* column headings: "ACCOUNT", "ACCOUNT / USER", "PARTITION" */
	const char *account_heading, *tree_heading, *partition_heading;
	const char *share_holders;	 /* what has shares: "associations" */
	const char *direct;	 /* what sets a priority that is not computed from factors: "set by an administrator" */
	const char *direct_by;	 /* "an administrator" */
	const char *direct_mark; /* short form of `direct` for a narrow column: "set by admin" */
	const char *operator_heading; /* who may do what a job's owner may not: "AN OPERATOR" */
	/* Both are indexed by enum fs_limit_scope. limit_of: the kind of record a limit is set in; NULL: the limit
	 * itself names it. limit_elsewhere: what the job could change to get another limit; NULL: nothing. */
	const char *limit_owner[4], *limit_alternative[4];
	bool shows_any_addition;     /* messages show what a job would add to any limit, not only to limits of TRES and time */
	bool holder_unknown; /* the scheduler does not record who holds a job */
	bool shares_one_order;	     /* all partitions share one scheduling order */
	const char *hidden_suffix;	 /* suffix of "hidden" messages that names the cause: " (PrivateData)", or "" */
};

/* Where fs-snap import gets the records of one type from, and what is unknown if they are incomplete. */
struct source_row {
	const char *type, *from, *without;
};

/* What is unknown if one of the files with records of the type is missing, although other files replace it in part. */
struct source_gap {
	const char *type, *file, *without;
};

struct dialect {
	/* first word of the snapshot's `scheduler`; an empty `scheduler` means Slurm, "" here an unknown scheduler */
	const char *name;
	struct nouns nouns;
	/* start of a command that changes a job, followed by the job id; NULL: the scheduler has none */
	const char *job_change_command;
	/* the scheduler records a reason in its own words even for a job that only waits for its turn */
	bool records_waiting_reasons;
	bool has_priority_runs;	      /* priorities are computed in separate runs, whose time matters */
	/* sentence about what happens to usage besides decay; snapshots do not record it and forecasts ignore it;
	 * NULL: nothing */
	const char *unmodelled_usage;
	bool has_usage_windows;	      /* usage is recorded in fair-share windows of credentials: no half-life, no share tree */
	enum style default_share_style;	 /* default layout of fs-share; STYLE_OF_SCHEDULER: sshare's */
	const char *wide_share_columns; /* columns of fs-share -l; NULL: those of sshare */
	const struct prio_dialect *prio;
	const struct showq_style *const *queue_styles; /* layouts, the default first; NULL-terminated */
	const struct explain_dialect *explain;
	/* terminated by a row without a type; NULL: fs-snap import has no sources for this scheduler */
	const struct source_row *sources;
	const struct source_gap *gaps;	  /* terminated by a row without a type; NULL: none */
};

extern const struct dialect dialect_slurm;

const struct dialect *find_scheduler_dialect(const fs_snapshot *s);

#endif
