/* Replans: after changes to the snapshot, the plan for one job is computed again. Each such computation is a trial,
 * which shows whether the changes let the job start earlier.
 *
 *   struct fsi_replan *k;
 *   fsi_replan_make_first(&k, m, &options, job, err);   // the first plan, up to the job's last record
 *   ... change the job's record in m, or a limit or QOS that applies to the job ...
 *   fsi_replan_make_next(k, err);                       // the plan of the changed m
 *   fs_plan_row(fsi_replan_get_plan(k), fsi_replan_get_row(k), &r);
 *
 * Ownership: struct fsi_replan owns the plan, its queues and its checkpoints; fsi_replan_free frees them. The struct
 * borrows the snapshot m, which must outlive the struct.
 *
 * Result: the job's row is the same as in a plan that fs_plan_compute makes of the changed m. Records after the job's
 * last record are not planned, since they do not affect the job. For other jobs only the start is valid, if their
 * records were planned.
 *
 * Allowed changes: everything that changes only queue records (priority, partition, QOS, limits that block a job), and
 * the job's own request. Nodes, running jobs, reservations, node lists and limits of partitions, licenses and
 * SchedulerParameters must not change; after such a change, free k and make a new struct fsi_replan. Rows of m must
 * keep their indices, and no row may be added.
 *
 * Steps of a trial, for a scheduler whose plan is made record by record (fsi_plan_scheduler.runs_by_record):
 *
 *   queue        fs_queue_compute and fsi_backfill_make_order make the queue of the changed snapshot and its scheduling
 *                order
 *   checkpoint   fsi_checkpoint_load_cycle loads the last checkpoint before the first record that differs from the
 *                queue of the first plan or of a recent trial; fsi_plan_reset_row resets the job's row
 *   records      fsi_backfill_run_record is called for each record up to the job's last record, or until
 *                fsi_backfill_cannot_start_before shows that no later record can give the job an earlier start
 *   het jobs     fsi_backfill_het_set_starts gives the components of each het job the same start
 *
 * The snapshot may have running jobs that the cycle itself started. A trial may give resources of such a running job to
 * a record that is tried before the planned job. The trial is then repeated. In the repetition, all jobs that the cycle
 * started occupy their nodes before the first record is tried (fsi_backfill_decide_start_positions).
 *
 * Cost of a trial: computing one queue, loading one checkpoint (a few passes over nodes and node_space), and a try for
 * each record from the job's first record to its last record. If the queue differs ahead of the job's first record, the
 * trial begins at the last checkpoint before the first difference. Unless memory prevents it, checkpoints are so close
 * together that the trial then repeats at most a sixteenth of the records ahead of the job. A trial that begins far
 * ahead of the job saves a checkpoint directly before the job. The checkpoints of a few recent trials are stored. A
 * later trial with the same queue ahead of the job begins at such a checkpoint. The checkpoints of the first plan use
 * at most FSI_REPLAN_MAX_BYTES of memory; the checkpoints of trials are not included in this maximum.
 *
 * For other schedulers, each trial is a new simulation. The simulation ends at the time at which the job starts in the
 * first plan. If the job has not started by then, its start in that trial is unknown. */
#ifndef FSI_BACKFILL_REPLAN_H
#define FSI_BACKFILL_REPLAN_H

#include "backfill/backfill.h"

/* Maximum memory, in bytes, of the checkpoints that the first plan saves before it tries the job. */
enum { FSI_REPLAN_MAX_BYTES = 256 * 1024 * 1024 };

struct fsi_replan;

/* Makes the first plan and sets *out. `job`: row of the job in m. Returns 0 or an error code of fs_plan_compute;
 * FS_ENODATA if the job is not pending. */
int fsi_replan_make_first(struct fsi_replan **out, const fs_snapshot *m, const struct fs_plan_options *options,
			  uint32_t job, struct fs_error *err);
/* Makes the plan again, after changes to the snapshot. Returns 0 or an error code of fs_plan_compute. */
int fsi_replan_make_next(struct fsi_replan *k, struct fs_error *err);

/* Return the plan that was made last, and the index of the job's row in that plan. Both are valid until the next call
 * of fsi_replan_make_next. */
const fs_plan *fsi_replan_get_plan(const struct fsi_replan *k);
size_t fsi_replan_get_row(const struct fsi_replan *k);
/* Returns true if, in the plan that was made last, an increase of the job's time limit by FSI_PLAN_LONGER_S would delay
 * the start by a minute or more. In the plan, such a job ends directly before another planned job or a
 * reservation begins. If the next cycle runs only a little later than assumed, the job may have to start after that job
 * or reservation. */
bool fsi_replan_has_late_start(const struct fsi_replan *k);
/* Returns the work of the plan that was made last, in the units of FSI_PLAN_WORK_BUDGET, without the work before the
 * checkpoint at which the plan began. */
uint64_t fsi_replan_get_work(const struct fsi_replan *k);

void fsi_replan_free(struct fsi_replan *k);

#endif
