/* What a scheduler is to this library: names, and its row of every table that a stage of the flow asks.
 *
 * One struct for each scheduler stands in libfs/scheduler/, and nothing else there or elsewhere asks which
 * scheduler a snapshot came from: a stage asks m->scheduler for what it needs. A new scheduler is a new file
 * there, a line in the registry, and the tables it fills in. NULL in a member: it has nothing of the kind. */
#ifndef FSI_SCHEDULER_H
#define FSI_SCHEDULER_H

#include "fs/shares.h"
#include "model/tables.h"

struct fsi_algorithm;
struct fsi_charging;
struct fsi_prio_scheduler;
struct fsi_queue_scheduler;
struct fsi_explain_scheduler;
struct fsi_plan_scheduler;
struct fsi_verify;
struct fs_holds;
struct fsi_scenario;
struct fsi_commands;
struct fsi_command;

struct fsi_scheduler {
	enum fs_scheduler kind; /* its name in the public interface */
	const char *name;       /* first word of the snapshot's `scheduler` */

	/* FS_SLURM_RELEASE of the snapshot's `scheduler`, where versions differ; else 0. */
	unsigned (*version)(const char *text);
	/* TRES that are charged for, which have a name even where no record does; NULL ends them. */
	const char *const *charged;
	/* References between records that lead nowhere, as fs_snapshot_check. */
	size_t (*check)(const fs_snapshot *m, fs_note_fn note, void *ctx);
	/* A job id that is no decimal number: 0, or -1. */
	int (*parse_job_id)(const char *text, uint64_t *id);
	const char *(*format_job_id)(uint64_t id, bool ascii, char *buf); /* as fs_f58_format */
	/* The association a job is charged to; FSI_NO_INDEX if there is none. */
	uint32_t (*charged_to)(const fs_snapshot *m, const struct fsi_job *job);

	/* Do shares follow from the jobs too? The configuration may not be read yet. NULL: they do not. */
	bool (*shares_need_jobs)(const fs_snapshot *m);
	bool shares_need_ended; /* else on those that have ended alone */

	const struct fsi_algorithm *(*algorithm)(const fs_snapshot *m); /* of fair share, as it is configured */
	const struct fsi_charging *charging;                            /* libfs/usage/ */
	const struct fsi_prio_scheduler *prio;                          /* libfs/priority/ */
	const struct fsi_queue_scheduler *queue;                        /* libfs/queue/ */
	const struct fsi_explain_scheduler *explain;                    /* libfs/explain/ */
	/* What the scheduler printed against what is computed: libfs/priority/priority.h. Error codes of
	 * fs_snapshot_verify. */
	int (*verify)(struct fsi_verify *v, struct fs_error *err);
	int (*holds)(struct fs_holds *h); /* what pending jobs wait for, by job; -1 without memory */
	bool arrays;  /* a job may stand for many tasks */
	bool simulates; /* there may be jobs that are not submitted yet (FSI_STATE_FUTURE) */
	bool one_line; /* there is one order for the jobs of all partitions, not one for each */
	bool accrues; /* limits keep jobs from accruing age: libfs/priority/slurm.c */
	int (*edit)(struct fsi_scenario *s); /* does a command of its to a snapshot: libfs/scenario/ */
	bool (*begins_command)(const char *word); /* or a line of its configuration; NULL: none does */
	const struct fsi_commands *commands; /* which to propose: libfs/scenario/grammar.h */
	/* That gives the association so many raw shares; NULL: there is none. */
	void (*write_shares)(struct fsi_command *c, const fs_snapshot *m, const struct fsi_association *a,
			     uint32_t shares);
	bool in_windows; /* usage stands in windows (libfs/usage/maui_windows.h), of credentials with targets in place of shares */
	const struct fsi_plan_scheduler *plan;                          /* libfs/plan/ */
};

/* The scheduler that the text names by its first word ("slurm 22.05.8"; "" is Slurm), or one that has nothing. */
const struct fsi_scheduler *fsi_scheduler_named(const char *text);

/* All algorithms of fair share (libfs/fairshare/fairshare.h), in the order in which they are listed. */
extern const struct fsi_algorithm *const fsi_algorithms[];
extern const size_t fsi_algorithm_count;

#endif
