/* What the commands print of a scheduler: its words, and which of their tables, layouts and paragraphs are its own.
 *
 * One file for each scheduler, named in the registry, which is the only place in cmd/ that asks which scheduler a
 * snapshot is of. A command asks once and hands the dialect down. NULL in a member: nothing of its own. */
#ifndef DIALECT_DIALECT_H
#define DIALECT_DIALECT_H

#include "input/input.h"

struct prio_dialect;
struct showq_style;
struct explain_dialect;

struct nouns {
	const char *scheduler;		    /* "Slurm" */
	const char *account, *accounts;	    /* Flux: bank */
	const char *Account;		    /* at the beginning of a line */
	const char *partition, *partitions; /* Flux: queue; Maui: class */
	const char *shut;		    /* it starts nothing: "down"; Flux: stopped */
	const char *cpu, *cpus;		    /* Flux: core; Maui: processor */
	const char *cpu_column, *hours_column;
	const char *account_heading, *tree_heading, *partition_heading; /* of columns: "ACCOUNT", "ACCOUNT / USER" */
	const char *sharers;	 /* whom shares are for: "associations" */
	const char *direct;	 /* what sets a priority without a sum: "set by an administrator" */
	const char *direct_by;	 /* "an administrator" */
	const char *direct_mark; /* in a narrow column: "set by admin" */
	const char *operator_heading; /* who may what a job's owner may not: "AN OPERATOR" */
	/* By enum fs_limit_scope: what has a limit, NULL where the limit itself says so; what another of would have
	 * another limit, NULL for nothing. */
	const char *limit_of[4], *limit_elsewhere[4];
	bool limit_adds;     /* what a job would add to a limit is always told, not of TRES and time alone */
	bool holder_unknown; /* who holds a job is not recorded */
	bool one_line;	     /* all partitions are one line of jobs */
	const char *hidden;	 /* after what could not be seen: by what, or "" */
};

/* Where fs-snap import has the records of a type from, and what is unknown where they are not whole. */
struct source_row {
	const char *type, *from, *without;
};

/* What is unknown without one of the files that they are from, where others stand in for it. */
struct source_gap {
	const char *type, *file, *without;
};

struct dialect {
	const char *name; /* first word of the snapshot's `scheduler`; "" is Slurm's too */
	struct nouns nouns;
	const char *changes_job; /* what a command that changes a job begins with, its id following; NULL: there is none */
	bool waiting_reasons; /* a job that waits for its turn has a reason too, recorded in its own words */
	bool runs;	      /* priorities are computed in runs of their own, at times that matter */
	const char *forgets;  /* of usage beside that it decays, which no snapshot tells and a forecast leaves out; NULL: nothing */
	bool windows;	      /* usage is kept in windows of credentials: there is no half-life, and no tree */
	enum style shares;	 /* layout of fs-share where none is asked for; STYLE_OF_SCHEDULER: sshare's */
	const char *wide_shares; /* columns of fs-share -l, where not sshare's */
	const struct prio_dialect *prio;
	const struct showq_style *const *queue; /* layouts, the default first; NULL ends them */
	const struct explain_dialect *explain;
	const struct source_row *sources; /* the last has no type; NULL: nothing is imported */
	const struct source_gap *gaps;	  /* likewise */
};

extern const struct dialect dialect_slurm;

const struct dialect *dialect_of(const fs_snapshot *s);

#endif
