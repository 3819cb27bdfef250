/* Usage of every association, including the usage of the associations below it, at the snapshot's time or later. Slurm
 * and Flux only; Maui's usage is in usage/maui_windows.h.
 *
 * The source of usage is either what the scheduler recorded for each association, or the job records (computed usage).
 * The computation of a struct fs_usage has three steps:
 *   fs_usage_begin   sets up the decay (fsi_decay_init) and the billing weights (fsi_billing_init). For recorded usage,
 *                    decays the recorded values to the requested time (carry_recorded_usage)
 *   fs_usage_read    computed usage only: books the usage records of a file, one by one (book_usage_record)
 *   fs_usage_finish  books the usage records in the snapshot, its jobs (fsi_ledger_book_jobs) and the rates supplied by
 *                    the caller (fsi_ledger_book_rates). Then adds the usage of each association to its ancestors
 *                    (add_usage_to_parents; Slurm: src/common/assoc_mgr.c: _addto_used_info)
 * After fs_usage_finish the usage does not change any more and can be queried.
 *
 * To book a job run (fsi_ledger_book_run) means to add a charge to the association of the job: rate * UsageFactor *
 * decayed seconds (Slurm: src/plugins/priority/multifactor/priority_multifactor.c: _apply_new_usage). The rate is
 * computed in usage/billing.h (Slurm: src/slurmctld/job_mgr.c: calc_job_billable_tres), the decayed seconds in
 * usage/decay.h (_decay_thread).
 *
 * A struct fs_usage owns its memory and borrows the snapshot, which must outlive it. Unknown usage is NAN. Functions
 * that return int return a negative error code on failure. */
#ifndef FSI_USAGE_USAGE_H
#define FSI_USAGE_USAGE_H

#include "fs/usage.h"
#include "model/tables.h"

/* All functions below that have a parameter `u` use the usage in `u`. The option `at` of struct fs_usage_options sets
 * the time of this usage. If `u` is NULL, the functions use the recorded usage.
 *
 * Fills total[i] with the TRES seconds of association i and all associations below it. Slurm adds a leaf's usage to
 * each ancestor in long double (src/common/assoc_mgr.c:_addto_used_info). An association whose member `uncounted` in
 * the tree is true adds nothing to its ancestors. If the usage of any other association is unknown, returns false; the
 * totals of this association and of its ancestors are then NAN. */
bool fsi_usage_totals(const fs_snapshot *m, const fs_usage *u, long double *total);

/* Fills late[i] with the recent part of the recorded usage: the charges of jobs that ended after the last priority
 * calculation. late[i] is the sum over association i and all associations below it. Slurm charges a job when it ends
 * (src/plugins/priority/multifactor/priority_multifactor.c: priority_p_job_end). But Slurm updates shares, ratios and
 * ranks only at the next calculation (fair_tree.c: fair_tree_decay; _decay_thread). Jobs that the controller has purged
 * (MinJobAge) are missing. `delay_s`: time from the recorded time of the last calculation to its real time, in seconds.
 * Returns -1 if out of memory. */
int fsi_usage_find_late(const fs_snapshot *m, int64_t delay_s, long double *late);

/* Fills out[] with the usage of each TRES in whole minutes, in the cluster's TRES order. The usage is the sum over
 * association i and all associations below it. The minutes are computed from exact seconds if these are known. If not,
 * the result has the minutes that the controller shows. Returns the number of TRES, or FS_ENODATA if the minutes are
 * unknown. */
int fsi_usage_tres_min(const fs_snapshot *m, const fs_usage *u, uint32_t i, struct fs_tres *out, size_t max);

/* Fills out[] with the usage of each TRES in seconds, rounded to six decimals. The usage is the sum over association i
 * and all associations below it. Returns the number of TRES, or FS_ENODATA if the exact seconds are unknown. */
int fsi_usage_tres_seconds(const fs_snapshot *m, const fs_usage *u, uint32_t i, double *out, size_t max);

/* Returns the decayed wall-clock time, in minutes, that association i and all associations below it used. Returns NAN
 * if the time is unknown, or if the time of u differs from the snapshot's time. */
double fsi_usage_wall_min(const fs_snapshot *m, const fs_usage *u, uint32_t i);

/* Returns true if `u` has the usage at another time than the snapshot's time. The remaining run seconds of running jobs
 * (fsi_remaining_tres_seconds) then do not apply, because they are only known at the snapshot's time. */
bool fsi_is_usage_moved(const fs_snapshot *m, const fs_usage *u);

/* Returns the time that was left to a running job, at the last priority calculation, until its time limit. The result
 * is in seconds and is multiplied by the UsageFactor of the job's QOS. Returns 0 if the job does not run or has no time
 * limit. Returns NAN if the controller may have added the limit a second time after a restart
 * (FS_SLURM_PROMISES_AGAIN). */
double fsi_remaining_run_seconds(const fs_snapshot *m, const struct fsi_job *job);

/* Fills out[] with the remaining TRES seconds (Slurm: TRESRunMins) at the last priority calculation. Sums allocated
 * TRES * remaining time limit * UsageFactor over the running jobs of association i and all associations below
 * it (priority_multifactor.c: _handle_assoc_tres_run_secs). Returns the number of TRES, or FS_ENODATA if the result
 * differs from the minutes that the controller shows. */
int fsi_remaining_tres_seconds(const fs_snapshot *m, uint32_t i, double *out, size_t max);

#endif
