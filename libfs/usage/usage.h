/* Usage of every association with all below it. */
#ifndef FSI_USAGE_USAGE_H
#define FSI_USAGE_USAGE_H

#include "fs/usage.h"
#include "model/tables.h"

/* In all of these u is usage at a time of its own, NULL: as recorded.
 *
 * Fills total[i] (TRES seconds, by association) from what each association itself used. Slurm adds a leaf's usage to
 * each ancestor in long double (src/common/assoc_mgr.c:_addto_used_info). An association that is not counted adds
 * nothing. Returns false when the usage of some counted association is unknown; its total is then NAN, as are those
 * above. */
bool fsi_usage_totals(const fs_snapshot *m, const fs_usage *u, long double *total);

/* What of the recorded usage, by association with all below it, is of jobs that ended after the last calculation of
 * priorities: a job is charged when it ends (src/plugins/priority/multifactor/priority_multifactor.c:
 * priority_p_job_end), shares, ratios and ranks are computed at the next calculation alone (fair_tree.c:
 * fair_tree_decay; _decay_thread). Jobs that the controller has forgotten since (MinJobAge) are not in it. If the last
 * calculation was so many seconds later than the snapshot tells: slip_s. -1 without memory. */
int fsi_usage_late(const fs_snapshot *m, int64_t slip_s, long double *late);

/* The whole minutes of each TRES of the cluster, in order, of association i: rolled up from exact seconds where
 * those are known, else as the controller shows them. Returns how many there are, FS_ENODATA when unknown. */
int fsi_usage_tres_min(const fs_snapshot *m, const fs_usage *u, uint32_t i, struct fs_tres *out, size_t max);

/* Likewise the seconds, rounded to six decimals; -1 unless they are known exactly. */
int fsi_usage_tres_seconds(const fs_snapshot *m, const fs_usage *u, uint32_t i, double *out, size_t max);

/* The decayed wall clock of association i with all below it, in minutes; NAN unless known for the snapshot's time. */
double fsi_usage_wall_min(const fs_snapshot *m, const fs_usage *u, uint32_t i);

/* Is u of another time than the snapshot's? What running jobs are promised is known for the snapshot's alone. */
bool fsi_usage_moved(const fs_snapshot *m, const fs_usage *u);

/* What a running job may still use of its time limit when priorities were computed, in seconds, times the UsageFactor
 * of its QOS; 0 for one that does not run or has no limit, NAN where the version makes it unknown. */
double fsi_run_seconds(const fs_snapshot *m, const struct fsi_job *job);

/* TRES seconds promised to running jobs of association i and below at the time priorities were computed:
 * allocated * what is left of the time limit * UsageFactor (priority_multifactor.c:
 * _handle_assoc_tres_run_secs). FS_ENODATA when that does not fit the minutes the controller shows. */
int fsi_run_tres_seconds(const fs_snapshot *m, uint32_t i, double *out, size_t max);

#endif
