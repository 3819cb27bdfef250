/* A dialect: the differences between schedulers in the output of the commands. A dialect has the scheduler's nouns, and
 * the tables, layouts and texts that only this scheduler needs. If a member is NULL, the scheduler has no table, layout
 * or text of this kind.
 *
 * In cmd/, only find_scheduler_dialect checks which scheduler a snapshot comes from. A command calls it once and passes
 * the dialect on. */
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
	/* text about a priority that is not computed from factors: "set by an administrator"; Flux: "set by urgency 31
	 * (expedited)" */
	const char *direct;
	/* who or what sets a priority that is not computed: "an administrator"; Flux: "its urgency" */
	const char *direct_by;
	const char *direct_mark; /* short form of `direct` for a narrow column: "set by admin" */
	/* the size of a pending job's request cannot change; the job must be submitted again */
	bool requests_are_final;
	/* name of the role that may change every job: "an operator" */
	const char *operator_name;
	/* Two nouns for each kind of limit, indexed by enum fs_limit_scope. `limit_owner`: the record that sets the
	 * limit: "account"; NULL: the noun is fs_explain_limit.counted_for. `limit_alternative`: the part of a job's
	 * request that the user can change to get another limit: "QOS"; NULL: there is none. */
	const char *limit_owner[4], *limit_alternative[4];
	/* true: every message about a limit says how much the job would add to the usage. false: only messages about
	 * limits on TRES or time say this. */
	bool shows_any_addition;
	bool holder_unknown; /* the scheduler does not record who held a job */
	bool shares_one_order;	     /* the pending jobs of all partitions are in one scheduling order */
	const char *job_command; /* command that prints the state and reason of the job whose ID follows */
	/* command that prints all shares and usage: "sshare -a -l" */
	const char *shares_command;
	/* command that prints settings that the fair-share factor also depends on; NULL: there are none */
	const char *config_command;
	/* appended to messages about hidden data, to name the cause: " (PrivateData)", or "" */
	const char *hidden_suffix;
};

/* A type of snapshot records. `from`: the commands and files whose data fs-snap import reads. `without`: what is
 * unknown if some records of the type are missing. */
struct source_row {
	const char *type, *from, *without;
};

struct dialect {
	/* first word of fs_snapshot_info.scheduler in the snapshots that use this dialect; "": the dialect for unknown
	 * schedulers. A snapshot without a scheduler name uses Slurm's dialect. */
	const char *name;
	struct vocabulary vocabulary;
	/* first words of a command that changes a job; the job id follows these words; NULL: the scheduler has no such
	 * command */
	const char *job_change_command;
	/* a pending job that waits only for the jobs ahead of it in the queue has a recorded reason, such as
	 * Priority */
	bool records_waiting_reasons;
	/* the scheduler computes priorities at intervals, so pages show the time of the last computation */
	bool has_priority_runs;
	/* sentence about a change of usage other than decay; forecasts ignore this change because snapshots do not
	 * record it; NULL: there is no such change */
	const char *unmodelled_usage;
	/* usage is recorded in fair-share windows of credentials, without half-life and share tree */
	bool has_usage_windows;
	enum style default_share_style;	 /* default layout of fs-share; STYLE_OF_SCHEDULER: the layout of sshare */
	const char *wide_share_columns; /* names of the columns of fs-share -l; NULL: the columns of sshare -l */
	const struct prio_dialect *prio;
	/* layouts of fs-showq, the default layout first; NULL-terminated */
	const struct showq_style *const *queue_styles;
	const struct explain_dialect *explain;
	/* the record types of the scheduler's snapshots, listed by fs-snap check; ends with an element without `type`;
	 * NULL: there is no such list */
	const struct source_row *sources;
};

extern const struct dialect dialect_slurm;

const struct dialect *find_scheduler_dialect(const fs_snapshot *s);

#endif
