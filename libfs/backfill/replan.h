/* A plan that is kept, to be made again with one job changed: for trials of what would let it start earlier.
 *
 *   struct fsi_plan_kept *k;
 *   fsi_plan_keep(&k, m, &options, job, err);       // one plan, as far as the job's last record
 *   ... change the job's record in m, or a limit or QOS it comes under ...
 *   fsi_plan_again(k, err);                         // the plan of m as it is now
 *   fs_plan_row(fsi_plan_kept_plan(k), k's row, &r);
 *
 * What it promises: the job's row is that of fs_plan_compute on m as it then is, were the records behind the job's last
 * one left out (they change nothing for it), as long as only that changed which shows in the queue's records (priority,
 * partition, QOS, what limits keep back) or is asked for by the job itself. Nodes, running jobs, reservations, node
 * lists and limits of partitions, licenses and SchedulerParameters must be those it was kept with: else free it and
 * keep anew. Rows of m must keep their places; no row may be added. Of other jobs the start alone is right, as far as
 * the run came.
 *
 * What it costs: the queue of m once, to put back what the run changes (a few passes over nodes and map), and a try for
 * each record from where the job's first one stands to its last, or until it is sure that none of them can better the
 * start found. Where the queue
 * differs before the job's first record, all from there, and a sixteenth of a plan at most: the first time alone, for
 * those like it that follow go on from before the job, as long as no more than a few such places take turns. At most
 * FSI_KEPT_BYTES are kept with the plan, and a few states more of trials. A scheduler that is not planned record by
 * record is simulated each time, up to the job's start: of trials that do not better the first start none is known. */
#ifndef FSI_BACKFILL_REPLAN_H
#define FSI_BACKFILL_REPLAN_H

#include "backfill/backfill.h"

enum { FSI_KEPT_BYTES = 256 * 1024 * 1024 };

struct fsi_plan_kept;

/* job: its row in m. Error codes of fs_plan_compute; FS_ENODATA if the job does not wait. */
int fsi_plan_keep(struct fsi_plan_kept **out, const fs_snapshot *m, const struct fs_plan_options *options, uint32_t job,
		  struct fs_error *err);
int fsi_plan_again(struct fsi_plan_kept *k, struct fs_error *err);

/* The plan that was made last, and the job's row in it. Valid until the next one is made. */
const fs_plan *fsi_plan_kept_plan(const struct fsi_plan_kept *k);
size_t fsi_plan_kept_row(const struct fsi_plan_kept *k);
/* Its start, or the later one that it would have if it ran a minute longer: what fits with less to spare hangs on when
 * the next cycle comes. FS_UNKNOWN: none. */
int64_t fsi_plan_kept_late(const struct fsi_plan_kept *k);

void fsi_plan_kept_free(struct fsi_plan_kept *k);

#endif
