/* Scheduler commands as a user would type them, for advice and for fs_solve_shares.
 *
 * struct fsi_command is a plain value and owns no memory. A command that the scheduler does not have, or that does not
 * fit into the buffer, has the length 0. The texts of each scheduler are in struct fsi_commands. */
#ifndef FSI_SCENARIO_GRAMMAR_H
#define FSI_SCENARIO_GRAMMAR_H

#include "fs/explain.h"
#include "model/tables.h"

enum { FSI_COMMAND_TEXT = 512 };

/* What an update command changes of a job's request. */
enum fsi_change {
	FSI_CHANGE_NOTHING, /* nothing: an update without effect */
	FSI_CHANGE_TIME_LIMIT,
	FSI_CHANGE_TIME_MIN,
	FSI_CHANGE_BEGIN,
	FSI_CHANGE_NODES,
	FSI_CHANGE_CPUS,
	FSI_CHANGE_TASKS,
	FSI_CHANGE_CPU_MEMORY,
	FSI_CHANGE_NODE_MEMORY,
	FSI_CHANGE_DISK,
	FSI_CHANGE_GRES,
	FSI_CHANGE_JOB_GRES,
	FSI_CHANGE_LICENSES,
	FSI_CHANGE_PARTITIONS,
	FSI_CHANGE_QOS,
	FSI_CHANGE_ACCOUNT,
	FSI_CHANGE_NODE_LIST,
	FSI_CHANGE_EXCLUDED,
	FSI_CHANGE_FEATURES,
	FSI_CHANGE_RESERVATION,
	FSI_CHANGE_CONTIGUOUS,
	FSI_CHANGE_THROTTLE,
	FSI_CHANGE_NICE,
	FSI_CHANGE_PRIORITY,
	FSI_CHANGES
};

struct fsi_command {
	char text[FSI_COMMAND_TEXT];
	size_t len; /* 0: the scheduler has no such command, or the text is too long */
	size_t tail; /* number of bytes at the end of the text that stay last when a change is added */
};

struct fsi_limit_change {
	enum fs_limit_scope scope;
	const char *of; /* name of the QOS or account; FS_LIMIT_ASSOC: unused, see the next two members */
	const char *user, *account;
	const char *name;	     /* of the limit, such as "GrpTRES"; see name of struct fs_explain_limit */
	const char *tres;	     /* "" if the limit counts jobs */
	double amount;
};

/* The commands of one scheduler. "%s" stands for the job id; NULL: the scheduler has no such command. */
struct fsi_commands {
	const char *update, *hold, *release;
	const char *release_own; /* release command for the job's owner; NULL: the same as release */
	bool job_last; /* in an update command, changes precede the job id */
	const char *first; /* moves the job ahead of all others; NULL: use FSI_CHANGE_PRIORITY with a number */
	const char *top;   /* moves the job ahead of its owner's other jobs */
	bool (*owner_may_top)(const fs_snapshot *m); /* returns true if the owner may use top; NULL: only operators */
	const char *word[FSI_CHANGES]; /* option text of each change, such as " TimeLimit=" */
	void (*minutes)(char *out, size_t size, int64_t minutes); /* formats a time limit for the command */
	void (*limit)(struct fsi_command *c, const struct fsi_limit_change *l);
	/* configuration option with the weight of fair share in the priority; NULL: coordinators cannot set shares */
	const char *shares_weight_option;
};

/* fsi_command_begin_update begins an update of the job, and fsi_command_add_change adds a change to it. The functions
 * for hold, release, first and top write a complete command. */
void fsi_command_begin_update(struct fsi_command *c, const fs_snapshot *m, uint64_t job);
void fsi_command_add_change(struct fsi_command *c, const fs_snapshot *m, enum fsi_change what, const char *fmt, ...)
	FSI_PRINTF(4, 5);
void fsi_command_write_hold(struct fsi_command *c, const fs_snapshot *m, uint64_t job);
void fsi_command_write_release(struct fsi_command *c, const fs_snapshot *m, uint64_t job, bool by_owner);
void fsi_command_write_first(struct fsi_command *c, const fs_snapshot *m, uint64_t job);
void fsi_command_write_top(struct fsi_command *c, const fs_snapshot *m, uint64_t job);
/* Adds a change to the given number of minutes. */
void fsi_command_add_minutes(struct fsi_command *c, const fs_snapshot *m, enum fsi_change what, int64_t minutes);
void fsi_command_write_limit(struct fsi_command *c, const fs_snapshot *m, const struct fsi_limit_change *l);
/* Sets the text of the command. */
void fsi_command_set_text(struct fsi_command *c, const char *fmt, ...) FSI_PRINTF(2, 3);

#endif
