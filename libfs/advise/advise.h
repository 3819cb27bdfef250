/* Internal interface of advice: which single command would let a pending job start earlier (fs_advise).
 *
 * struct fs_advices owns a copy of the snapshot, the saved tables of that copy, the plan of the copy, and the advice
 * found. The snapshot of the caller is never changed.
 *
 * Steps: fs_advise (libfs/advise/advise.c) plans the job without a command and after an update that changes nothing.
 * Then it tries every change of libfs/advise/changes.c. One trial (fsi_advise_try_command, libfs/advise/trial.c)
 * restores the saved tables, applies the command to the copy, and plans the copy again. A command is proposed if the
 * job's new start is a gain (fsi_advise_is_gain). libfs/advise/price.c finds what a proposed command changes and what
 * it costs the job.
 *
 * A user needs time to type a command. A start counts only if a plan made one minute later gives the same start. For
 * this test, the member `later` has the same state for a copy of the snapshot one minute later. In this copy, jobs that
 * reach their time limits in that minute have ended. A command is applied to it with fs_edit_options.at_once.
 *
 * Functions that return int return 0 or the error codes of fs_advise. */
#ifndef FSI_ADVISE_H
#define FSI_ADVISE_H

#include "model/tables.h"
#include "backfill/replan.h"
#include "scenario/grammar.h"

#include "fs/advise.h"

/* FSI_ADVICE_MIN_S: minimum gain in seconds, equal to the resolution of plans; FSI_ADVICE_LATER_S: seconds between the
 * snapshot and its later copy; FSI_ADVICE_TEXT: size in bytes of buffers for texts. */
enum { FSI_ADVICE_MIN_S = 60, FSI_ADVICE_LATER_S = 60, FSI_ADVICE_TEXT = 512 };

/* Result of one trial: the start and cost of the job after one command. */
struct fsi_trial {
	/* planned start, seconds since the epoch; FS_UNKNOWN: none, or the start is a gain that is not reliable */
	int64_t start;
	char partition[FSI_ADVICE_TEXT]; /* partition in which the job starts; "": none */
	double cost;   /* cost of the job, in the unit of cost_after in struct fs_advice */
	enum fs_plan_state state;
	uint64_t blocked_by; /* id of the job that blocks this job, as in struct fs_plan_row; 0: none */
	bool refused;  /* true: the scheduler refuses the command, or has no such command */
	int64_t unreliable_start; /* planned start that is a gain but not reliable; FS_UNKNOWN: none */
	char effects[FSI_ADVICE_TEXT];
};

/* The tables of a snapshot that may change when a command changes a job or a limit. */
#define FSI_ADVISE_TABLES(X) X(association) X(qos) X(partition) X(job) X(job_ext) X(recorded)
#define FSI_ADVISE_SAVED(name)    \
	struct {                  \
		struct fsi_##name *v; \
		size_t n;         \
	} name;

struct fs_advices {
	/* copy of the snapshot; each trial applies a command to the copy, and the next trial undoes the command */
	fs_snapshot *m;
	struct fs_view view;
	uint64_t job; /* id of the job for which advice is computed; the same in the snapshot and in its copy */
	struct { FSI_ADVISE_TABLES(FSI_ADVISE_SAVED) } saved;
	/* the state one minute later; NULL: this is the later state */
	struct fs_advices *later;
	struct fsi_trial unchanged;  /* result of planning the job without any command */
	/* begin time that the job waits for, from fs_advices_begins; FS_UNKNOWN: none. The copy is planned as if
	 * this time had come. */
	int64_t begins;
	int64_t likely; /* likely start of a job without a planned start; FS_UNKNOWN: none known */
	/* result of planning the job after an update that changes nothing; any update makes the scheduler compute the
	 * job's priority again */
	struct fsi_trial recomputed;
	uint64_t median_memory_mb; /* half of the nodes have at most this memory, in MiB; 0: no nodes */
	FSI_VEC(struct fs_advice) row;
	size_t tried;
	uint64_t work; /* work of all plans so far, in the units of FSI_PLAN_WORK_BUDGET */
	bool partial; /* true: the work reached its maximum, and further changes were not tried */
	/* true: the tried command removes the hold, dependency, begin time or array limit for which the job waits. The
	 * command is proposed even if the new start is not reliable. */
	bool removes_wait;
	/* what the next proposed command changes besides the job, such as a limit; `value`:
	 * FS_ADVICE_VALUE_COUNT: nothing */
	struct fs_advice_change other_change;
	/* points into the text of the job's license list, to the license whose number is being changed; NULL: no
	 * license is being changed */
	const char *tried_license;
	/* makes the plans of the copy `m`; each plan resumes from an earlier plan; NULL before the first plan */
	struct fsi_replan *replan;
	struct fsi_arena arena;
	struct fs_error *err;
};
#undef FSI_ADVISE_SAVED

/* ---- trials (libfs/advise/trial.c) */

/* Saves the tables of the copy of the snapshot (a->m). */
int fsi_advise_save_tables(struct fs_advices *a);

/* Applies `command` to the copy of the snapshot (a->m); `command` must let the job begin now instead of at its begin
 * time. Then saves the tables of the copy again; all later trials start from these tables. Sets a->begins to
 * a->unchanged.start. Later trials return no start before a->begins. */
int fsi_advise_pass_begin_time(struct fs_advices *a, const struct fsi_command *command);

/* Returns the later of `start` and a->begins. Returns `start` unchanged if one of them is FS_UNKNOWN. */
int64_t fsi_advise_clamp_start(const struct fs_advices *a, int64_t start);

/* Restores the saved tables of the copy of the snapshot (a->m), applies the command to the copy, plans the copy, and
 * sets *out to the result. If `command` is NULL, plans without a command. An empty command is treated as refused, also
 * every command after the work of the plans has reached its maximum; a->partial is then true. */
int fsi_advise_try_command(struct fs_advices *a, const struct fsi_command *command, struct fsi_trial *out);

/* Restores the saved tables of the copy of the snapshot (a->m), and applies the command to the copy. Returns 1 if the
 * command is refused, 0 if it was applied, otherwise an error code of fs_advise. */
int fsi_advise_apply_command(struct fs_advices *a, const struct fsi_command *command, struct fsi_trial *out);

/* Returns true if the start is a gain: it is earlier than the start without a command, the start after an update that
 * changes nothing, and a->likely, each time by at least FSI_ADVICE_MIN_S seconds and by at least a tenth of the wait. A
 * start that is FS_UNKNOWN is ignored. */
bool fsi_advise_is_gain(const struct fs_advices *a, int64_t start);

/* Sets *out to the start of the job in a simulation of the queue in which jobs run to their time limits (struct
 * fs_plan_likely); FS_UNKNOWN: none. */
int fsi_advise_simulate_start(struct fs_advices *a, int64_t *out);

/* Tries the command, and adds the command to the advice if the job's new start is a gain (fsi_advise_is_gain) and a
 * simulation gives the same start, within a minute. Sets *start (start may be NULL) to the new start; FS_UNKNOWN: the
 * new start is no gain. `who`: who may run the command. */
int fsi_advise_propose_command(struct fs_advices *a, enum fs_who who, const struct fsi_command *command,
			       int64_t *start);

/* Tries an update command that changes one value of the job's request, and adds the command to the advice if the job's
 * new start is a gain. */
int fsi_advise_propose_change(struct fs_advices *a, enum fs_who who, enum fsi_change what, const char *value);

/* ---- the greatest amount, such as a time limit or a number of nodes, with which the job starts earlier
 * (libfs/advise/trial.c) */

/* Writes to *c the command that changes a value, such as the job's time limit or the user's shares. `amount` selects
 * the new value. */
typedef void (*fsi_amount_fn)(const struct fs_advices *a, struct fsi_command *c, int64_t amount);

/* Proposes the greatest amount, at least `min` and below `max`, that gives the job a gain (fsi_advise_is_gain). The
 * caller must know that a smaller amount never gives a later start. If the job starts even earlier with `min`, also
 * proposes the greatest amount with this earlier start. `who`: who may run the command. */
int fsi_advise_propose_greatest(struct fs_advices *a, enum fs_who who, fsi_amount_fn write, int64_t min, int64_t max);

/* ---- the job, and what a command changes (libfs/advise/price.c) */

/* Return the job for which advice is computed, and its optional fields, as they were before any command was tried. */
const struct fsi_job *fsi_advise_saved_job(const struct fs_advices *a);
const struct fsi_job_ext *fsi_advise_saved_optional(const struct fs_advices *a);

/* Fills the members of the row that describe the change: `change`, `changes`, `price`, `unsuitable_partition`,
 * `unsuitable_gpus` and `history`. The command is applied to a->m. The members for the costs must be set. Returns 0 or
 * FS_ENOMEM. */
int fsi_advise_describe_change(struct fs_advices *a, struct fs_advice *row);
/* Sets a->median_memory_mb. Returns FS_ENOMEM if out of memory. */
int fsi_advise_find_median_memory(struct fs_advices *a);

/* Returns true if the job needs neither GPUs nor large memory, and all nodes of the partition have GPUs, or all its
 * nodes have large memory. Sets *gpus to true in the first case. Large memory: at least twice the median of all nodes.
 * Returns false if a partition of the job is of the same kind. */
bool fsi_advise_is_unsuitable(const struct fs_advices *a, uint32_t partition, bool *gpus);

/* Generic resources that a job requests. */
struct fsi_job_gres {
	/* name of the resource, with its type if the job requests a type: "gpu" or "gpu:a100"; NULL: the job requests
	 * no generic resource */
	const char *kind;
	int64_t n; /* requested number of this resource, summed over all nodes of the job */
	bool several; /* true: the job requests further resources */
};

/* Return values of the job's request: the number of nodes, at least 1; the memory in MiB, per CPU if the job requests
 * memory per CPU, otherwise per node; the generic resource. */
int64_t fsi_advise_get_nodes(const fs_snapshot *m, const struct fsi_job *j);
int64_t fsi_advise_get_memory(const fs_snapshot *m, const struct fsi_job *j);
struct fsi_job_gres fsi_advise_find_gres(const fs_snapshot *m, const struct fsi_job *j, const struct fsi_job_ext *more);

/* ---- changes to try (libfs/advise/changes.c) */

/* tries smaller amounts of time, nodes, CPUs, memory, disk, generic resources and licenses */
int fsi_advise_try_sizes(struct fs_advices *a);
int fsi_advise_try_credentials(struct fs_advices *a);  /* tries other partitions, QOS, accounts, reservations */
int fsi_advise_try_begin(struct fs_advices *a);   /* tries to set the job's begin time to now */
/* tries to remove restrictions and holds, to hold a blocking job, and to raise a limit or the priority */
int fsi_advise_try_others(
	struct fs_advices *a);
int fsi_advise_try_shares(struct fs_advices *a);  /* tries more shares for the job's user */

#endif
