/* Scenario: applies commands of the scheduler to a snapshot ("what if"). */
#ifndef FS_SCENARIO_H
#define FS_SCENARIO_H

#include <fs/snapshot.h>

FS_BEGIN_DECLS

/* Options of fs_snapshot_edit. All zero: everything is permitted, and there are no notes. */
struct fs_edit_options {
	size_t size; /* set by FS_EDIT_OPTIONS_INIT */
	const char *viewer; /* login name of the user who runs the command; NULL: an administrator */
	/* receives one sentence for each side effect: required privileges, lost age and so on; NULL: no callback */
	fs_note_fn note;
	void *note_ctx; /* first argument of note */
	uint64_t about_job; /* id of the job that sentences do not name; 0: sentences name all jobs */
	/* Reads the job script `name` that a command submits. Returns 0; or an error code with *err filled, and the
	 * edit fails. NULL: scripts are not read. */
	int (*script)(void *ctx, const char *name, struct fs_error *err);
	void *script_ctx; /* first argument of script */
};
#define FS_EDIT_OPTIONS_INIT FS_INIT(struct fs_edit_options)

/* Applies a command line of the snapshot's scheduler, as of the snapshot's time. The result is the state after the
 * scheduler has evaluated its jobs and recomputed their priorities. fs-scenario(7) lists the commands. A change that
 * the viewer may not make is applied too, and `note` says so. Recorded values that depend on the change become unknown.
 * The edit invalidates all results that borrow from the snapshot.
 * Errors: FS_EUSAGE for a command that is not understood, or that the scheduler refuses to everybody; FS_ENODATA if the
 * snapshot lacks data that the command needs; FS_ENOMEM; errors of `script`. After an error the snapshot may contain
 * part of the change. */
FS_API int fs_snapshot_edit(fs_snapshot *s, const char *command, const struct fs_edit_options *o, struct fs_error *err);

/* Returns the i-th command applied to the snapshot since it was read; NULL past the end. */
FS_API const char *fs_snapshot_command(const fs_snapshot *s, size_t i);

/* Returns true if the word starts a command of the snapshot's scheduler, or a line of its configuration: "scancel",
 * "PriorityWeightAge=0". Returns false for an argument of a command that changes a job, such as "Licenses=". */
FS_API bool fs_command_begins(const fs_snapshot *s, const char *word);

FS_END_DECLS

#endif
