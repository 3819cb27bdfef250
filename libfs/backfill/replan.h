/* Replans: the plan of one job is made again with changes to the snapshot, for trials of what would let the job start
 * earlier.
 *
 *   struct fsi_replan *k;
 *   fsi_replan_make_first(&k, m, &options, job, err);       // the first plan, up to the job's last record
 *   ... change the job's record in m, or a limit or QOS that applies to it ...
 *   fsi_replan_make_next(k, err);                         // the plan of m as it is now
 *   fs_plan_row(fsi_replan_get_plan(k), fsi_replan_get_row(k), &r);
 *
 * Ownership: struct fsi_replan owns the plan, its queues and its checkpoints; fsi_replan_free frees them. It
 * borrows the snapshot m, which must outlive it.
 *
 * Result: the job's row is that of fs_plan_compute on m as it is then, without the records after the job's last one,
 * which change nothing for the job. Of other jobs only the start is valid, as far as the run came.
 *
 * Allowed changes: what shows in the queue's records (priority, partition, QOS, what limits block), and what the job
 * itself requests. Nodes, running jobs, reservations, node lists and limits of partitions, licenses and
 * SchedulerParameters must not change; if they do, free k and open a new one. Rows of m must keep their indices, and no
 * row may be added.
 *
 * Steps of a trial, for a scheduler that is planned record by record (stepwise):
 *
 *   queue        fs_queue_compute, fsi_backfill_make_order: the queue of the changed snapshot and its scheduling order
 *   checkpoint   fsi_checkpoint_load_cycle: the last checkpoint before the first record that differs from the first
 *                plan, or from a recent trial; fsi_plan_reset_row: the job's row is reset
 *   run          fsi_backfill_run_record for each record up to the job's last one, or until
 *                fsi_backfill_cannot_start_before shows that no later one can give the job an earlier start
 *   het jobs     fsi_backfill_het_set_starts
 *
 * If the job then takes what the cycle gave to a job that it started, the trial is repeated with all started jobs on
 * their nodes from the beginning (fsi_backfill_decide_start_positions).
 *
 * Cost of a trial: one queue, one checkpoint to load (a few passes over nodes and node_space), and a try for each
 * record from the job's first one to its last. If the queue differs before the job's first record, the records from
 * there are tried too, and at most a sixteenth of the plan before them. Later trials with the same queue up to the job
 * start directly before the job, as long as only a few such queues alternate. Checkpoints take at most
 * FSI_REPLAN_MAX_BYTES, plus a few that trials leave.
 *
 * A scheduler that is not stepwise is simulated anew for each trial, up to the start of the job in the first plan. If a
 * trial gives no earlier start, its start is unknown. */
#ifndef FSI_BACKFILL_REPLAN_H
#define FSI_BACKFILL_REPLAN_H

#include "backfill/backfill.h"

/* Maximum memory of the checkpoints on the way to the job. */
enum { FSI_REPLAN_MAX_BYTES = 256 * 1024 * 1024 };

struct fsi_replan;

/* Makes the first plan. job: its row in m. Returns an error code of fs_plan_compute; FS_ENODATA if the job is not
 * pending. */
int fsi_replan_make_first(struct fsi_replan **out, const fs_snapshot *m, const struct fs_plan_options *options,
			  uint32_t job, struct fs_error *err);
/* Makes the plan of the snapshot as it is now. Error codes of fs_plan_compute. */
int fsi_replan_make_next(struct fsi_replan *k, struct fs_error *err);

/* Return the plan that was made last, and the index of the job's row in it. Valid until the next
 * fsi_replan_make_next. */
const fs_plan *fsi_replan_get_plan(const struct fsi_replan *k);
size_t fsi_replan_get_row(const struct fsi_replan *k);
/* Returns the job's start in the plan made last, or the later start that it would have if it ran FSI_PLAN_LONGER_S
 * more: a job that fits exactly may start later, depending on when the next cycle runs. FS_UNKNOWN: none. */
int64_t fsi_replan_get_late_start(const struct fsi_replan *k);

void fsi_replan_free(struct fsi_replan *k);

#endif
