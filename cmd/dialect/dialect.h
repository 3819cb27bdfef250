/* A dialect: the parts of the commands' output that differ between schedulers. A dialect has the scheduler's nouns, and
 * tables, layouts and texts that only this scheduler needs.
 *
 * In cmd/, only find_scheduler_dialect checks which scheduler a snapshot comes from. A command calls it once and passes
 * the dialect on. If a member is NULL, the scheduler has no such table, layout or text of its own. */
#ifndef DIALECT_DIALECT_H
#define DIALECT_DIALECT_H

#include "input/input.h"

struct prio_dialect;
struct showq_style;
struct explain_dialect;

struct vocabulary {
	const char *scheduler;		    /* name of the scheduler: "Slurm" */
	const char *account, *accounts;	    /* noun for an account, singular and plural; Flux: bank */
	const char *Account;		    /* `account` with a capital letter, for the beginning of a sentence */
	const char *partition, *partitions; /* noun for a partition, singular and plural; Flux: queue; Maui: class */
	/* word for the state of a partition that starts no jobs: "down"; Flux: "stopped" */
	const char *closed;
	const char *cpu, *cpus;		    /* noun for a CPU, singular and plural; Flux: core; Maui: processor */
	const char *cpu_column, *hours_column;
	/* headings of the columns with the account, the share tree and the partition: "ACCOUNT", "ACCOUNT / USER",
	 * "PARTITION" */
	const char *account_heading, *tree_heading, *partition_heading;
	const char *share_holders;	 /* plural noun for the records that have shares: "associations" */
	/* words for a priority that was set by a person and is therefore not computed from factors: "set by an
	 * administrator" */
	const char *direct;
	const char *direct_by;	 /* words for the person who set such a priority: "an administrator" */
	const char *direct_mark; /* short form of `direct` for a narrow column: "set by admin" */
	/* heading of the list of changes that a job's owner may not make; names the person who may make them: "AN
	 * OPERATOR" */
	const char *operator_heading;
	/* Both arrays are indexed by enum fs_limit_scope. `limit_owner`: noun for the record that a limit is set in;
	 * NULL: fs_explain_limit.counted_for names it. `limit_alternative`: what the job could change so that another
	 * limit applies; NULL: nothing. */
	const char *limit_owner[4], *limit_alternative[4];
	/* true: every message about a limit states the amount that the job would add to the used amount; false: only
	 * messages about limits on TRES or on time state this amount */
	bool shows_any_addition;
	bool holder_unknown; /* the scheduler does not record who held a job */
	bool shares_one_order;	     /* all partitions have one scheduling order */
	/* appended to messages about hidden data, to name the cause: " (PrivateData)", or "" */
	const char *hidden_suffix;
};

/* A type of snapshot records. `from`: the files from which fs-snap import reads these records. `without`: what is
 * unknown if some of these records are missing. */
struct source_row {
	const char *type, *from, *without;
};

/* One of several files with records of the same type. `without`: what is unknown if this file is missing but other
 * files of the type are present. */
struct source_gap {
	const char *type, *file, *without;
};

struct dialect {
	/* first word of the snapshot's member `scheduler`; "": unknown scheduler. If the member itself is empty, the
	 * snapshot has Slurm's dialect. */
	const char *name;
	struct vocabulary vocabulary;
	/* beginning of a command that changes a job, to which the job id is appended; NULL: the scheduler has no such
	 * command */
	const char *job_change_command;
	/* the scheduler also records a reason for jobs that wait only because other jobs are ahead in the queue */
	bool records_waiting_reasons;
	/* the scheduler computes priorities at intervals, so pages show the time of the last computation */
	bool has_priority_runs;
	/* sentence about changes of usage other than decay, which snapshots do not record and forecasts ignore; NULL:
	 * there are no such changes */
	const char *unmodelled_usage;
	/* usage is recorded in fair-share windows of credentials, without half-life and share tree */
	bool has_usage_windows;
	enum style default_share_style;	 /* default layout of fs-share; STYLE_OF_SCHEDULER: the layout of sshare */
	const char *wide_share_columns; /* names of the columns of fs-share -l; NULL: the columns of sshare -l */
	const struct prio_dialect *prio;
	/* layouts of fs-showq, the default layout first; NULL-terminated */
	const struct showq_style *const *queue_styles;
	const struct explain_dialect *explain;
	/* array that ends with an element without `type`; NULL: fs-snap import has no list of sources for this
	 * scheduler */
	const struct source_row *sources;
	const struct source_gap *gaps;	  /* array that ends with an element without `type`; NULL: none */
};

extern const struct dialect dialect_slurm;

const struct dialect *find_scheduler_dialect(const fs_snapshot *s);

#endif
