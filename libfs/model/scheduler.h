/* A scheduler: its names, and its operations for each stage of the computation.
 *
 * libfs/scheduler/ contains one struct fsi_scheduler per scheduler. Other code never tests which scheduler a snapshot
 * comes from; such code calls the operations of m->scheduler. A new scheduler needs a file in libfs/scheduler/, an
 * entry in the registry, and the tables that the scheduler implements. NULL in a member means that the scheduler has no
 * such operation. */
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
struct fs_source;
struct fsi_outputs;
struct fsi_scenario;
struct fsi_commands;
struct fsi_command;

struct fsi_scheduler {
	enum fs_scheduler kind; /* public identifier of the scheduler */
	const char *name;       /* first word of the header field `scheduler` */
	/* imports a folder of captured files: fs_import_folder */
	int (*import)(fs_snapshot **out, const struct fs_source *source, struct fs_error *err);
	const struct fsi_outputs *outputs; /* files of a capture (libfs/import/outputs.h); NULL: not captured */

	/* Returns the FS_SLURM_RELEASE in `text` (the header field `scheduler`). Returns 0 if the scheduler's behaviour
	 * does not depend on the version. */
	unsigned (*version)(const char *text);
	/* names of the TRES that are charged; ends with NULL. fsi_model_finish interns these names. */
	const char *const *charged_tres;
	/* Reports references to missing records, as fs_snapshot_check does. */
	size_t (*check_references)(const fs_snapshot *m, fs_note_fn note, void *ctx);
	/* Parses a job id that is not a decimal number. Returns 0, or -1 if the text is not a job id. */
	int (*parse_job_id)(const char *text, uint64_t *id);
	const char *(*format_job_id)(uint64_t id, bool ascii, char *buf); /* formats a job id as fs_f58_format does */
	/* Returns the association a job is charged to; FSI_NO_INDEX: none. */
	uint32_t (*charged_to)(const fs_snapshot *m, const struct fsi_job *job);

	/* Returns true if shares depend on all jobs. Works even before the configuration is read. If this function is
	 * NULL, shares do not depend on jobs. */
	bool (*shares_need_jobs)(const fs_snapshot *m);
	/* shares depend on ended jobs even if shares_need_jobs returns false */
	bool shares_need_ended;

	/* returns the fair-share algorithm that the configuration selects */
	const struct fsi_algorithm *(*algorithm)(const fs_snapshot *m);
	const struct fsi_charging *charging;                            /* operations that libfs/usage/ calls */
	const struct fsi_prio_scheduler *prio;                          /* operations that libfs/priority/ calls */
	const struct fsi_queue_scheduler *queue;                        /* operations that libfs/queue/ calls */
	const struct fsi_explain_scheduler *explain;                    /* operations that libfs/explain/ calls */
	/* Compares recorded with computed values. Returns the error codes of fs_snapshot_verify. See struct fsi_verify
	 * in libfs/priority/priority.h. */
	int (*verify)(struct fsi_verify *v, struct fs_error *err);
	/* finds the dependencies and limits that prevent pending jobs from being scheduled; returns -1 if out of
	 * memory */
	int (*holds)(struct fs_holds *h);
	/* requests of jobs are fitted to nodes as in libfs/nodes/request.h (Slurm's select plugins) */
	bool has_select_plugin;
	bool has_job_arrays;  /* a job record may represent many array tasks */
	bool has_future_jobs; /* simulation: some jobs may not be submitted yet (their state is FSI_STATE_FUTURE) */
	bool has_single_order; /* one scheduling order contains the jobs of all partitions */
	bool limits_age_accrual; /* accrue limits may keep the age of a job at 0 (libfs/priority/slurm.c) */
	/* applies a command to a snapshot; the functions are in libfs/scenario */
	int (*apply_command)(struct fsi_scenario *s);
	/* returns true if the word starts a command or a configuration line */
	bool (*begins_command)(const char *word);
	const struct fsi_commands *commands; /* commands that libfs/advise may propose (libfs/scenario/grammar.h) */
	/* Writes a command that sets the raw shares of an association. */
	void (*write_shares)(struct fsi_command *c, const fs_snapshot *m, const struct fsi_association *a,
			     uint32_t shares);
	/* true: usage is stored in fair-share windows (libfs/usage/maui_windows.h), and credentials have targets
	 * instead of shares */
	bool has_usage_windows;
	const struct fsi_plan_scheduler *plan;                          /* operations that libfs/plan/ calls */
};

/* Returns the scheduler for the first word of the text ("slurm 22.05.8"; "" is Slurm). For an unknown word, returns a
 * scheduler without operations. */
const struct fsi_scheduler *fsi_scheduler_find_by_name(const char *text);

/* All fair-share algorithms (libfs/fairshare/fairshare.h), in the order of the lists that users see. */
extern const struct fsi_algorithm *const fsi_algorithms[];
extern const size_t fsi_algorithm_count;

#endif
