/* Scheduler commands in the form that users write them, for advice. */
#ifndef FSI_SCENARIO_GRAMMAR_H
#define FSI_SCENARIO_GRAMMAR_H

#include "fs/explain.h"
#include "model/tables.h"

enum { FSI_COMMAND_TEXT = 512 };

/* What is changed of what a job asks for. */
enum fsi_change {
	FSI_CHANGE_NOTHING, /* an update all the same */
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
	FSI_CHANGE_GRES_IN_ALL,
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
	size_t len; /* 0: the scheduler has no such command, or the text has no room for it */
	size_t tail; /* as many of its last letters stay behind what is added */
};

struct fsi_limit_change {
	enum fs_limit_scope scope;
	const char *of;		     /* its QOS or account; FS_LIMIT_ASSOC: of the two below */
	const char *user, *account;
	const char *name;	     /* of the limit, as fs_explain_limit has it */
	const char *tres;	     /* "" where it counts jobs */
	double amount;
};

/* The commands of a scheduler, a member of struct fsi_scheduler; "%s" stands for the job. NULL: there is no such
 * command. */
struct fsi_commands {
	const char *update, *hold, *release;
	const char *release_own; /* by its owner; NULL: as the one before */
	bool job_last; /* of the update: what it changes stands before the job */
	const char *first; /* that puts it before all others; NULL: FSI_CHANGE_PRIORITY does, with a number */
	const char *top;   /* that puts it before its owner's others */
	bool (*owner_tops)(const fs_snapshot *m); /* may its owner give that? */
	const char *word[FSI_CHANGES]; /* of the update: " TimeLimit=" */
	void (*minutes)(char *out, size_t size, int64_t minutes); /* a length of time in its words */
	void (*limit)(struct fsi_command *c, const struct fsi_limit_change *l);
	const char *weight_of_shares; /* the option that says whether shares count; NULL: no coordinator gives any */
};

/* Begins an update of the job, to which changes are added; the other functions write a whole command. */
void fsi_command_update(struct fsi_command *c, const fs_snapshot *m, uint64_t job);
void fsi_command_change(struct fsi_command *c, const fs_snapshot *m, enum fsi_change what, const char *fmt, ...)
	FSI_PRINTF(4, 5);
void fsi_command_hold(struct fsi_command *c, const fs_snapshot *m, uint64_t job);
void fsi_command_release(struct fsi_command *c, const fs_snapshot *m, uint64_t job, bool by_owner);
void fsi_command_first(struct fsi_command *c, const fs_snapshot *m, uint64_t job);
void fsi_command_top(struct fsi_command *c, const fs_snapshot *m, uint64_t job);
/* Adds a change to so many minutes. */
void fsi_command_minutes(struct fsi_command *c, const fs_snapshot *m, enum fsi_change what, int64_t minutes);
void fsi_command_limit(struct fsi_command *c, const fs_snapshot *m, const struct fsi_limit_change *l);
/* Puts words into an empty command. */
void fsi_command_put(struct fsi_command *c, const char *fmt, ...) FSI_PRINTF(2, 3);

#endif
