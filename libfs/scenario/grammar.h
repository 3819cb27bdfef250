/* Scheduler commands as a user would type them, for advice and for fs_solve_shares.
 *
 * struct fsi_command is a plain value and owns no memory. Its length is 0 if the scheduler does not have the command,
 * or if the command does not fit into the buffer. struct fsi_commands has the texts of each scheduler's commands. */
#ifndef FSI_SCENARIO_GRAMMAR_H
#define FSI_SCENARIO_GRAMMAR_H

#include "fs/explain.h"
#include "model/tables.h"

enum { FSI_COMMAND_TEXT = 512 };

/* The part of a job's request that an update command changes. */
enum fsi_change {
	FSI_CHANGE_NOTHING,
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
	FSI_CHANGE_DEPENDENCY,
	FSI_CHANGES
};

struct fsi_command {
	char text[FSI_COMMAND_TEXT];
	size_t len; /* length of `text`; 0: the scheduler has no such command, or the text is too long */
	/* a change is inserted before the last `tail` bytes of `text`. If the job id must be last, these bytes are a
	 * blank and the job id; otherwise `tail` is 0 */
	size_t tail;
};

struct fsi_limit_change {
	enum fs_limit_scope scope;
	/* name of the QOS or account that has the limit; unused if `scope` is FS_LIMIT_ASSOC, because `user` and
	 * `account` then name the association */
	const char *of;
	const char *user, *account;
	const char *credential; /* Maui: kind of the credential `of`, such as "user" or "class" */
	/* name of the limit, such as "GrpTRES"; see member `name` of struct fs_explain_limit */
	const char *name;
	const char *tres;	     /* name of the TRES; "" if the limit counts jobs */
	double amount; /* new value of the limit; -1: no limit */
};

/* The command texts of one scheduler, with "%s" in place of the job id. NULL: the scheduler has no such command, unless
 * the comment of the member says otherwise. */
struct fsi_commands {
	const char *update, *hold, *release;
	const char *cancel; /* command that cancels jobs; the job ids follow, separated by blanks */
	/* commands of an administrator, with "%s" in place of the name: make nodes (a list) available, delete a
	 * reservation, let jobs of a partition start */
	const char *resume_nodes, *delete_reservation, *open_partition;
	/* Returns the command, with "%s" in place of the partition, that removes a rule of the partition; NULL: there
	 * is none. `what`: member `what` of struct fs_explain_obstacle. */
	const char *(*remove_rule)(const char *what);
	/* Maui: command that lets jobs with a negative priority start */
	const char *allow_negative_priority;
	const char *search_parameter; /* configuration parameter that limits the search for starts; NULL: none */
	/* command with which the owner of a job releases it from a hold; NULL: the owner uses `release` */
	const char *release_own;
	bool job_last; /* true: in an update command, the changes precede the job id */
	/* command that moves the job ahead of all other jobs; NULL: an update of the priority (FSI_CHANGE_PRIORITY)
	 * moves the job ahead */
	const char *first;
	const char *max_priority; /* highest value of FSI_CHANGE_PRIORITY */
	const char *top;   /* command that moves the job ahead of its owner's other jobs */
	/* returns true if the owner of a job may use the command `top`; NULL: only operators may use it */
	bool (*owner_may_top)(const fs_snapshot *m);
	/* option text of each change, such as " TimeLimit=", indexed by enum fsi_change */
	const char *word[FSI_CHANGES];
	/* writes a time limit of `minutes` to `out`, in the format of the scheduler's commands */
	void (*minutes)(char *out, size_t size, int64_t minutes);
	void (*limit)(struct fsi_command *c, const struct fsi_limit_change *l);
	/* name of the configuration option with the weight of fair share in the priority; NULL: coordinators cannot set
	 * shares with this scheduler */
	const char *shares_weight_option;
};

/* fsi_command_begin_update begins an update command for the job, and fsi_command_add_change adds a change to it.
 * fsi_command_write_hold, _release, _first and _top write a complete command. */
void fsi_command_begin_update(struct fsi_command *c, const fs_snapshot *m, uint64_t job);
void fsi_command_add_change(struct fsi_command *c, const fs_snapshot *m, enum fsi_change what, const char *fmt, ...)
	FSI_PRINTF(4, 5);
void fsi_command_write_hold(struct fsi_command *c, const fs_snapshot *m, uint64_t job);
void fsi_command_write_release(struct fsi_command *c, const fs_snapshot *m, uint64_t job, bool by_owner);
void fsi_command_write_first(struct fsi_command *c, const fs_snapshot *m, uint64_t job);
void fsi_command_write_top(struct fsi_command *c, const fs_snapshot *m, uint64_t job);
/* Adds a change whose value is a number of minutes, such as a time limit. */
void fsi_command_add_minutes(struct fsi_command *c, const fs_snapshot *m, enum fsi_change what, int64_t minutes);
void fsi_command_write_limit(struct fsi_command *c, const fs_snapshot *m, const struct fsi_limit_change *l);
/* Sets the text of the command to the formatted text. */
void fsi_command_set_text(struct fsi_command *c, const char *fmt, ...) FSI_PRINTF(2, 3);

#endif
