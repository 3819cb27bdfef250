/* What if: commands of the scheduler done to a snapshot instead of to the scheduler. */
#ifndef FS_SCENARIO_H
#define FS_SCENARIO_H

#include <fs/snapshot.h>

FS_BEGIN_DECLS

/* All zero: whoever asks may do everything, and nobody is told. */
struct fs_edit_options {
	size_t size; /* FS_EDIT_OPTIONS_INIT */
	const char *viewer; /* login name of who gives the command; NULL: an administrator */
	fs_note_fn note;    /* what else should be known of the change, one sentence each: who alone may do it, age that is lost */
	void *note_ctx; /* first argument of note */
	uint64_t about_job; /* sentences of the job with this id do not name it; 0: all jobs are named */
	/* Reads the job script that a command submits: an error code with *err filled fails the edit. NULL: scripts are
	 * not read. */
	int (*script)(void *ctx, const char *name, struct fs_error *err);
	void *script_ctx; /* first argument of script */
};
#define FS_EDIT_OPTIONS_INIT FS_INIT(struct fs_edit_options)

/* Makes the change that a command line of the snapshot's scheduler would make at the snapshot's time, as it stands once
 * the scheduler has looked at its jobs and computed their priorities again: fs-scenario(7) lists the commands. What the
 * viewer may not do is done all the same, and told. What the scheduler recorded of what the change touches becomes
 * unknown. Before results of the snapshot are made: they borrow from it.
 * Errors: FS_EUSAGE for a command that is not understood or that the scheduler refuses to everybody; FS_ENODATA where
 * the snapshot does not hold what it needs; FS_ENOMEM; those of the script function. After an error the
 * snapshot may hold a part of the change. */
FS_API int fs_snapshot_edit(fs_snapshot *s, const char *command, const struct fs_edit_options *o, struct fs_error *err);

/* The commands that were given to the snapshot since it was read, in order; NULL past the end. */
FS_API const char *fs_snapshot_command(const fs_snapshot *s, size_t i);

/* Does the word begin a command of the snapshot's scheduler, or a line of its configuration: "scancel",
 * "PriorityWeightAge=0"? Not what may stand within a command that changes a job, as "Licenses=" does. */
FS_API bool fs_command_begins(const fs_snapshot *s, const char *word);

FS_END_DECLS

#endif
