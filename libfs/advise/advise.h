/* What the parts of advice share. */
#ifndef FSI_ADVISE_H
#define FSI_ADVISE_H

#include "model/tables.h"
#include "backfill/replan.h"
#include "scenario/grammar.h"

#include "fs/advise.h"

/* Plans are no finer than a minute, so that an earlier start counts as a gain from a minute on. */
enum { FSI_ADVICE_MIN_S = 60, FSI_ADVICE_TEXT = 512 };

/* What a plan makes of the job. */
struct fsi_trial {
	int64_t start; /* FS_UNKNOWN: none */
	double cost;   /* as fs_advice.cost_after */
	enum fs_plan_state state;
	uint64_t blocked_by; /* as in fs_plan_row */
	int64_t late;  /* fsi_plan_kept_late: the start that counts as a gain or not */
	bool refused;  /* the scheduler takes no such command */
	char effects[FSI_ADVICE_TEXT];
};

/* The tables that commands on a job and on limits change. */
#define FSI_ADVISE_TABLES(X) X(association) X(qos) X(partition) X(job) X(job_rare) X(recorded)
#define FSI_ADVISE_SAVED(name)    \
	struct {                  \
		struct fsi_##name *v; \
		size_t n;         \
	} name;

struct fs_advices {
	fs_snapshot *m; /* a copy, in which commands are done and undone */
	struct fs_view view;
	uint64_t job; /* its id, the same in the copy */
	struct { FSI_ADVISE_TABLES(FSI_ADVISE_SAVED) } saved;
	struct fsi_trial before;  /* as things are */
	int64_t begins; /* fs_advices_begins; the copy is then as if that had come */
	int64_t likely; /* without a planned start, when it is likely to start all the same; FS_UNKNOWN: not known */
	struct fsi_trial touched; /* after an update that changes nothing: its priority is computed anew */
	FSI_VEC(struct fs_advice) row;
	size_t tried;
	const char *license; /* whose number is tried, in the job's own list; NULL: none */
	struct fsi_plan_kept *kept; /* of the copy; NULL until it is first planned */
	struct fsi_arena arena;
	struct fs_error *err;
};
#undef FSI_ADVISE_SAVED

/* The job as it is without any command. */
const struct fsi_job *fsi_advise_job(const struct fs_advices *a);
const struct fsi_job_rare *fsi_advise_rare(const struct fs_advices *a);

/* ---- libfs/advise/trial.c */

/* A copy of the snapshot, and its tables kept. Error codes of fs_advise. */
int fsi_advise_open(struct fs_advices *a, const fs_snapshot *s);

/* Of a job that waits for its begin time, which before.start is: the command lets it begin, and all others are tried
 * after it; no start is then earlier than begins. Error codes of fs_advise. */
int fsi_advise_as_begun(struct fs_advices *a, const struct fsi_command *command);

/* The start, or the time before which the job may not begin if that is later; FS_UNKNOWN stays. */
int64_t fsi_advise_not_before(const struct fs_advices *a, int64_t start);

/* Plans the copy with the command done (NULL: none; one of no length is refused), which is undone before the next one.
 * Error codes of fs_advise. */
int fsi_advise_try(struct fs_advices *a, const struct fsi_command *command, struct fsi_trial *out);

/* Does the command to the copy, where it stays until the next. 1: it is refused; else an error code, or 0. */
int fsi_advise_edit(struct fs_advices *a, const struct fsi_command *command, struct fsi_trial *out);

/* Is that start a gain? */
bool fsi_advise_gains(const struct fs_advices *a, int64_t start);

/* Tries the command and keeps it if the job gains by it; *start (NULL: not wanted) is the start that it gives,
 * FS_UNKNOWN if it gives none. */
int fsi_advise_propose(struct fs_advices *a, enum fs_who who, const struct fsi_command *command, int64_t *start);

/* The job with one thing changed. */
int fsi_advise_change(struct fs_advices *a, enum fs_who who, enum fsi_change what, const char *value);

/* ---- the greatest amount that helps (libfs/advise/trial.c) */

/* Writes the command for an amount. */
typedef void (*fsi_amount_fn)(const struct fs_advices *a, struct fsi_command *c, int64_t amount);

/* Proposes the greatest amount from `min` to `max` with which the job gains, since a lesser amount never starts
 * later. Where the least amount gains more, the greatest that starts as early is proposed, less `slack` if the job
 * would then start at once. who: may give the command. */
int fsi_advise_most(struct fs_advices *a, enum fs_who who, fsi_amount_fn write, int64_t min, int64_t max,
		    int64_t slack);

/* ---- what is tried (libfs/advise/changes.c) */

int fsi_advise_sizes(struct fs_advices *a);   /* time, nodes, CPUs, memory, disk, GPUs */
int fsi_advise_places(struct fs_advices *a);  /* partitions, QOS, accounts */
int fsi_advise_begin(struct fs_advices *a);   /* its begin time */
int fsi_advise_others(struct fs_advices *a);  /* what it insists on, holds, rivals, limits */
int fsi_advise_shares(struct fs_advices *a);  /* the shares of its user */

#endif
