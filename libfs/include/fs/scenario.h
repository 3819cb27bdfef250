/* Scenario: applies commands of the scheduler to a snapshot ("what if"). */
#ifndef FS_SCENARIO_H
#define FS_SCENARIO_H

#include <fs/snapshot.h>

FS_BEGIN_DECLS

/* Text of a job script. The caller of fs_snapshot_edit owns the memory, which must stay valid until the function
 * returns. */
struct fs_job_script {
	const char *text; /* the text; NULL: not read, the script has no directives */
	size_t size;      /* size of the text in bytes */
};

/* An option with which a job is submitted. */
struct fs_submit_option {
	const char *name;     /* long name of the option, such as "gres" */
	const char *value;    /* value of the option; "": none */
	const char *variable; /* environment variable that sets the option; NULL: none */
	uint64_t line;        /* 1-based line of the job script that sets the option; 0: none */
};

/* Options of fs_snapshot_edit. If all members are zero, an administrator runs the command, and no callback is
 * called. */
struct fs_edit_options {
	size_t size;        /* size of this struct in bytes; FS_EDIT_OPTIONS_INIT sets it */
	const char *viewer; /* login name of the user who runs the command; NULL: an administrator */
	/* receives one sentence for each side effect of the command, such as a loss of age, and for each privilege that
	 * the command requires; NULL: no callback */
	fs_note_fn note;
	void *note_ctx; /* pointer that the library passes to `note` as its first argument */
	/* id of a job; sentences of `note` about this job omit the id; 0: no id is omitted */
	uint64_t about_job;
	/* true: an age that the command interrupts counts as 0, as right after the command; false: the age counts, as
	 * after the next priority calculation */
	bool at_once;
	/* Callback that reads the job script `name`, which a command submits; "-": standard input. It fills *out and
	 * returns 0, or fills *err and returns an error code; the edit then fails. NULL: no callback; scripts are not
	 * read. */
	int (*script)(void *ctx, const char *name, struct fs_job_script *out, struct fs_error *err);
	/* Callback that returns the value of an environment variable, such as "SBATCH_PARTITION"; NULL: not set. It is
	 * called only for commands that submit a job script. NULL: no callback; no variable is set. */
	const char *(*environment)(void *ctx, const char *name);
	/* Callback that receives each option that applies to a submitted job; NULL: no callback. The strings are valid
	 * during the call. */
	void (*option)(void *ctx, const struct fs_submit_option *option);
	void *script_ctx; /* pointer that the library passes to the three callbacks above as their first argument */
};
#define FS_EDIT_OPTIONS_INIT FS_INIT(struct fs_edit_options)

/* Applies a command line of the snapshot's scheduler, as of the snapshot's time. fs-scenario(7) lists the commands. The
 * result is the state after the scheduler has evaluated its jobs and recomputed the priorities that the command
 * affects; all other recorded priorities stay unchanged. If the viewer has no permission for a change, the change is
 * applied, and `note` receives a sentence. Recorded values that depend on the change become unknown. All results that
 * borrow from the snapshot become invalid. After an error, the snapshot may contain part of the change. Errors:
 *   FS_EUSAGE   the command is unknown, or the scheduler refuses it even from an administrator. If a line of a job
 *               script is the reason, err->line is its number, and err->field is the name of the option, if known
 *   FS_ENODATA  the snapshot lacks data that the command needs
 *   FS_ENOMEM, errors of `script` */
FS_API int fs_snapshot_edit(fs_snapshot *s, const char *command, const struct fs_edit_options *o, struct fs_error *err);

/* Returns the text with which sbatch refuses a job because of an invalid value of the option, such as "account". NULL:
 * sbatch has no fixed text for the option. */
FS_API const char *fs_submit_refusal(const char *option);

/* Slurm: returns the account of the user's i-th association; NULL past the end. An account may be repeated. */
FS_API const char *fs_user_account(const fs_snapshot *s, const char *user, size_t i);
/* Slurm: returns the i-th QOS that the user may use in the account; NULL past the end. If the snapshot does not have
 * the QOS of the association, returns the i-th QOS of the cluster. */
FS_API const char *fs_user_qos(const fs_snapshot *s, const char *user, const char *account, size_t i);

/* Returns the i-th command applied to the snapshot since it was read; NULL past the end. */
FS_API const char *fs_snapshot_command(const fs_snapshot *s, size_t i);

/* Returns true if `word` is the beginning of a command of the snapshot's scheduler, such as "scancel", or of a line of
 * its configuration, such as "PriorityWeightAge=0". Returns false for a command's argument, such as "Licenses=". */
FS_API bool fs_command_begins(const fs_snapshot *s, const char *word);

FS_END_DECLS

#endif
