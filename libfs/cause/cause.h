/* Internal interface of causes: which constraints delay a pending job (fs_causes_find).
 *
 * struct fs_causes is the state of one search and its result. It borrows the snapshot. It owns the plan and the queue
 * of the unchanged snapshot unless the caller gave a plan, and its arena owns all texts of the causes.
 *
 * Steps (libfs/cause/cause.c):
 *
 *   present     finds the job's row in the plan of the unchanged snapshot, and the verdict on the job
 *   candidates  fsi_cause_add_candidates (libfs/cause/candidates.c) lists the constraints that may delay the job, each
 *               with the command that removes it
 *   trials      fsi_cause_try (libfs/cause/trial.c) applies the command of a candidate to a copy of the snapshot, plans
 *               the copy, and compares the job's start with the start in the plan of the unchanged snapshot
 *   choice      sorts the candidates with a gain; the first is the cause to name (fs_causes_count)
 *
 * Invariants: the caller's snapshot is never changed. Every cause with a command was tried, so the command gives the
 * start that the cause reports. The number of trials is bounded by `max_trials`. Candidates are listed in a fixed
 * order, so the same snapshot always gives the same causes.
 *
 * Functions that return int return 0 or an error code of fs_causes_find, unless their comment says otherwise. */
#ifndef FSI_CAUSE_CAUSE_H
#define FSI_CAUSE_CAUSE_H

#include "model/model.h"

#include "fs/cause.h"
#include "fs/queue.h"
#include "fs/site.h"

/* FSI_CAUSE_MIN_GAIN_S: smallest gain of a cause in seconds; FSI_CAUSE_MAX_TRIALS: maximum number of trials for a small
 * queue. */
enum { FSI_CAUSE_MIN_GAIN_S = 60, FSI_CAUSE_MAX_TRIALS = 64 };

struct fsi_command;

struct fs_causes {
	const fs_snapshot *m; /* the unchanged snapshot, borrowed */
	struct fs_view view;
	uint32_t job_row;
	uint64_t job;
	fs_plan *own_plan;	  /* plan made by fs_causes_find; NULL: the caller gave a plan, or there is none */
	const fs_plan *plan;	  /* plan of the unchanged snapshot; NULL: there is none, for the reason in `no_plan` */
	const char *no_plan;
	fs_queue *own_queue; /* queue made by fs_causes_find if there is no plan, else NULL */
	struct fs_plan_row row; /* the job's row in `plan` */
	size_t row_index;	  /* index of that row; FS_NO_ROW: the plan has no row for the job */
	struct fs_verdict verdict;
	size_t trials, max_trials; /* number of plans made so far, and their maximum number */
	FSI_VEC(struct fs_cause) cause; /* constraints that were tried and found to be causes */
	struct fsi_arena arena;
	struct fs_error *err;
};

/* Result of a trial. */
struct fsi_cause_trial {
	int64_t start; /* planned start without the constraint; FS_UNKNOWN: none */
	bool refused;  /* the scheduler refuses the command, or no trial is left */
	bool gains;    /* the start is at least FSI_CAUSE_MIN_GAIN_S earlier than in the plan of the unchanged snapshot */
};

/* What a trial changes in the copy of the snapshot. */
struct fsi_cause_change {
	const char *command[2]; /* commands, applied in order; NULL: none */
	/* change for which the scheduler has no command; NULL: none */
	void (*edit)(fs_snapshot *copy, void *ctx);
	void *ctx; /* last argument of `edit` */
};

/* Applies the change to the copy. Returns 0, FS_EUSAGE or FS_ENODATA if the scheduler refuses a command, or
 * FS_ENOMEM. */
int fsi_cause_apply_change(fs_snapshot *copy, const struct fsi_cause_change *change);

/* Returns the job's start in the plan of the snapshot `m`; FS_UNKNOWN: none. */
int64_t fsi_cause_get_planned_start(const fs_plan *p, const fs_snapshot *m, uint64_t job);

/* Returns how many plans of the snapshot may be made. The time for a plan grows with the number of rows of the plan
 * times the number of nodes. */
size_t fsi_cause_count_trials(const fs_snapshot *m, const fs_plan *plan);

/* Applies the removal to a copy of the snapshot, plans the copy, and sets *out to the job's start. */
int fsi_cause_try(struct fs_causes *c, const struct fsi_cause_change *change, struct fsi_cause_trial *out);

/* Returns the wait that `start` saves, in seconds, compared with the plan of the unchanged snapshot; INT64_MAX if only
 * the new plan has a start. */
int64_t fsi_cause_get_gain(const struct fs_causes *c, int64_t start);

/* Adds a cause. Copies the names of `cause`, and its command or clause. */
int fsi_cause_add(struct fs_causes *c, const struct fs_cause *cause);

/* Returns the kind of cause that the verdict alone proves; UNKNOWN: none. */
enum fs_cause_kind fsi_cause_get_verdict_kind(const struct fs_verdict *v);

/* Writes the command that removes the limit, which blocks job `j`. The command is empty if there is none. */
void fsi_cause_write_removal(struct fsi_command *command, const fs_snapshot *m, const struct fsi_job *j,
			     const struct fs_explain_limit *l);

/* Returns true if the node takes no jobs until an administrator acts. */
bool fsi_cause_is_node_unavailable(const fs_snapshot *m, const struct fsi_node *n);
/* Returns true if the partition with this index has the node, by the node's partitions or by the partition's node
 * list. */
bool fsi_cause_is_node_in_partition(const fs_snapshot *m, const struct fsi_node *n, size_t partition);

/* ---- sites (fs/site.h) */

/* A job, and the time at which it ends or starts. */
struct fsi_site_event {
	uint32_t job_row;
	int64_t time;
};

struct fs_site {
	const fs_snapshot *m;
	enum fs_site_part part;
	const char *name; /* name of the part */
	bool *has_node;	  /* part NODE: by partition, whether the partition has the node */
	struct fs_view view;
	struct fsi_viewer viewer;
	fs_plan *plan; /* plan of the cycle that begins at the snapshot's time; NULL: none, for the reason in `no_plan` */
	fs_queue *own_queue; /* queue if there is no plan, else NULL */
	const char *no_plan;
	struct fs_site_sum sum;
	FSI_VEC(struct fs_site_cause) cause;
	FSI_VEC(uint32_t) never;
	FSI_VEC(struct fs_site_nodes) nodes;
	FSI_VEC(struct fs_site_cap) cap;
	FSI_VEC(struct fs_site_setting) setting;
	FSI_VEC(struct fs_site_user) user;
	FSI_VEC(struct fsi_site_event) end, start; /* running jobs by end, and pending jobs by planned start */
	bool hides_nodes;
	uint64_t *waiting; /* by partition: number of jobs that wait for nodes of it that are down or drained */
	struct fsi_arena arena;
	struct fs_error *err;
};

/* Adds the settings that have no effect, or that contradict other data. `q`: the queue of the site. */
int fsi_site_check_settings(struct fs_site *x, const fs_queue *q);

/* Tries the constraints that may delay the job. Adds each one that is a cause. */
int fsi_cause_add_candidates(struct fs_causes *c);

#endif
