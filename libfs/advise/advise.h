/* Internal interface of advice: which single command would let a pending job start earlier (fs_advise).
 *
 * struct fs_advices owns a copy of the snapshot, the saved tables of that copy, the plan and the advice found. The
 * snapshot of the caller is never changed.
 *
 * Steps: fs_advise (advise.c) plans the job without a command and after an update that changes nothing. Then it tries
 * every change of libfs/advise/changes.c. One trial (fsi_advise_try_command, libfs/advise/trial.c) restores the tables,
 * applies the command to the copy, and plans the copy again. A command is proposed if the job's new start is a gain
 * (fsi_advise_is_gain). Functions that return int return 0 or the error codes of fs_advise. */
#ifndef FSI_ADVISE_H
#define FSI_ADVISE_H

#include "model/tables.h"
#include "backfill/replan.h"
#include "scenario/grammar.h"

#include "fs/advise.h"

/* FSI_ADVICE_MIN_S: minimum gain in seconds, because plans have a resolution of one minute. */
enum { FSI_ADVICE_MIN_S = 60, FSI_ADVICE_TEXT = 512 };

/* Result of planning the job with one command. */
struct fsi_trial {
	int64_t start; /* planned start, seconds since the epoch; FS_UNKNOWN: none */
	double cost;   /* cost as in cost_after of struct fs_advice */
	enum fs_plan_state state;
	uint64_t blocked_by; /* id of the blocking job, as in struct fs_plan_row */
	int64_t late_start;  /* start that decides whether there is a gain: fsi_replan_get_late_start */
	bool refused;  /* the scheduler refuses or does not have the command */
	char effects[FSI_ADVICE_TEXT];
};

/* The tables that commands on jobs and limits change. */
#define FSI_ADVISE_TABLES(X) X(association) X(qos) X(partition) X(job) X(job_ext) X(recorded)
#define FSI_ADVISE_SAVED(name)    \
	struct {                  \
		struct fsi_##name *v; \
		size_t n;         \
	} name;

struct fs_advices {
	fs_snapshot *m; /* a copy to which commands are applied, and then undone */
	struct fs_view view;
	uint64_t job; /* job id, the same in the copy */
	struct { FSI_ADVISE_TABLES(FSI_ADVISE_SAVED) } saved;
	struct fsi_trial unchanged;  /* result of the plan without a command */
	/* fs_advices_begins: time that the job waits for; the copy is then planned as if it had come; FS_UNKNOWN:
	 * none */
	int64_t begins;
	int64_t likely; /* likely start of a job without a planned start; FS_UNKNOWN: none known */
	/* result of the plan after an update that changes nothing; such an update makes the scheduler compute the job's
	 * priority again */
	struct fsi_trial recomputed;
	FSI_VEC(struct fs_advice) row;
	size_t tried;
	const char *tried_license; /* item of the job's licence list whose number is being tried; NULL: none */
	struct fsi_replan *kept_plan; /* plan of the copy; NULL before the first plan */
	struct fsi_arena arena;
	struct fs_error *err;
};
#undef FSI_ADVISE_SAVED

/* Return the job, and its optional fields, without any command. */
const struct fsi_job *fsi_advise_saved_job(const struct fs_advices *a);
const struct fsi_job_ext *fsi_advise_saved_optional(const struct fs_advices *a);

/* ---- trials (libfs/advise/trial.c) */

/* Copies the snapshot to a->m and saves its tables. */
int fsi_advise_open_copy(struct fs_advices *a, const fs_snapshot *s);

/* For a job that waits for its begin time: applies the command that lets it begin now, and saves the result as the
 * state for all further trials. Sets a->begins to unchanged.start; no later trial then gives an earlier start than
 * a->begins. */
int fsi_advise_assume_begun(struct fs_advices *a, const struct fsi_command *command);

/* Returns start, or a->begins if that is later. FS_UNKNOWN is returned unchanged. */
int64_t fsi_advise_clamp_start(const struct fs_advices *a, int64_t start);

/* Applies the command to the copy and plans it. NULL: no command; an empty command counts as refused. The command is
 * undone at the beginning of the next trial. */
int fsi_advise_try_command(struct fs_advices *a, const struct fsi_command *command, struct fsi_trial *out);

/* Undoes the last command and applies this one to the copy. Returns 1 if the command is refused. */
int fsi_advise_apply_command(struct fs_advices *a, const struct fsi_command *command, struct fsi_trial *out);

/* Returns true if the start is earlier, by at least a minute, than the starts without a change. */
bool fsi_advise_is_gain(const struct fs_advices *a, int64_t start);

/* Tries the command and adds it to the advice if the job gains. *start (may be NULL) is set to the start it gives;
 * FS_UNKNOWN if there is no gain. */
int fsi_advise_propose_command(struct fs_advices *a, enum fs_who who, const struct fsi_command *command,
			       int64_t *start);

/* Proposes an update of the job with one changed value. */
int fsi_advise_propose_change(struct fs_advices *a, enum fs_who who, enum fsi_change what, const char *value);

/* ---- the greatest amount with which the job gains (libfs/advise/trial.c) */

/* Writes the command for an amount. */
typedef void (*fsi_amount_fn)(const struct fs_advices *a, struct fsi_command *c, int64_t amount);

/* Proposes the greatest amount from min to max with which the job gains; a smaller amount must never start later. If
 * the minimum starts even earlier, also proposes the greatest amount that starts as early as the minimum. slack is
 * subtracted from an amount with which the job would start at once. who: who may run the command. */
int fsi_advise_propose_greatest(struct fs_advices *a, enum fs_who who, fsi_amount_fn write, int64_t min, int64_t max,
				int64_t slack);

/* ---- changes to try (libfs/advise/changes.c) */

int fsi_advise_try_sizes(struct fs_advices *a); /* time limit, nodes, CPUs, memory, disk, generic resources, licences */
int fsi_advise_try_places(struct fs_advices *a);  /* partitions, QOS, accounts, reservations */
int fsi_advise_try_begin(struct fs_advices *a);   /* its begin time */
int fsi_advise_try_others(
	struct fs_advices *a); /* restrictions of the request, holds, blocking jobs, limits, priority */
int fsi_advise_try_shares(struct fs_advices *a);  /* fair shares of its user */

#endif
