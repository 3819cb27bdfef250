/* One run of the simulation, and the rows it leaves. */
#ifndef FSI_PLAN_RUN_H
#define FSI_PLAN_RUN_H

#include "queue/plan.h"
#include "queue/queue.h"

struct fsi_plan_row {
	uint32_t job, partition_name, nnodes;
	uint32_t frees, held_by; /* job rows, FSI_NO_INDEX none */
	uint32_t *node;		 /* names */
	int64_t start, last_start, limit_s;
	uint64_t tasks, tasks_planned, throttle;
	uint32_t reserved; /* tasks with a reservation */
	unsigned unmodelled;
	enum fs_plan_state state;
	enum fs_plan_wait wait;
	uint8_t section;
	const struct fs_reason *reason;
};

/* Told of each start given, with p->found as it was found; other than 0 ends the run. For tests. */
typedef int (*fsi_plan_watch_fn)(void *ctx, const struct fs_plan *p,
				 const struct fsi_plan_request *q);

struct fs_plan {
	struct fsi_plan_cluster c;
	struct fsi_plan_params params;
	struct fsi_plan_search found, other;
	struct fsi_arena scratch;
	fs_queue *queue;
	enum fs_plan_mode mode;
	struct fsi_plan_row *row;
	size_t nrows;
	uint32_t *row_of; /* by job row: 1 + its row */
	uint32_t names, tested;
	uint32_t *of_user, *of_part, *reserved_part, *of_assoc; /* by name id; by association row */
	int64_t ends_window_s;
	char *assumption[12];
	size_t assumptions;
	fsi_plan_watch_fn watch;
	void *watch_ctx;
};

/* p->c.m, queue and mode are set. -1 without memory. */
int fsi_plan_setup(struct fs_plan *p); /* cluster, rows, counters: plan_setup.c; part of the run */
int fsi_plan_run(struct fs_plan *p);

/* Fills wait, frees and held_by of the row, by what p->found found, which is later than now; compared with starts that
 * ignore first the plan, then reservations (plan_why.c). */
void fsi_plan_why(struct fs_plan *p, const struct fsi_plan_request *q, struct fsi_plan_row *row);

/* fs_plan_compute with a watcher; ends_window_s as of the cluster: Slurm's is FSI_PLAN_ENDS_WINDOW_S, and with 0 every
 * start is the earliest. */
enum { FSI_PLAN_ENDS_WINDOW_S = 30 };
int fsi_plan_compute(struct fs_plan **out, const fs_snapshot *m, const struct fs_plan_options *o,
		     int64_t ends_window_s, fsi_plan_watch_fn watch, void *ctx, struct fs_error *err);

#endif
