/* What the parts of Maui's priority share. */
#ifndef FSI_PRIORITY_MAUI_H
#define FSI_PRIORITY_MAUI_H

#include "fairshare/maui.h"
#include "priority/priority.h"

/* Beside the factors a row keeps what its QOS adds to two weights, and the priority by which Maui sorted before: that
 * with the queue time of one iteration ago, which a job keeps until it is selected again (J->EffQueueDuration,
 * src/MPolicy.c:MQueueSelectJobs; the list that clients see is sorted twice, src/MSched.c:MSchedProcessJobs). */
enum { QT_ADDED = FSI_MAUI_TERM_COUNT, XF_ADDED, EARLIER, VALUES };

struct fsi_maui_view {
	const fs_snapshot *m;
	const fs_windows *w;
	const struct fsi_maui_conf *conf;
	const struct fsi_job *job;
	uint32_t creds[FS_CRED_KINDS];
	double unseen_s; /* of its time in the queue */
};

double fsi_maui_limit_s(const struct fsi_job *job); /* NAN unknown */

/* Since when its time in the queue counts. */
double fsi_maui_queued_since(const struct fsi_maui_view *v);

/* What the expansion factor divides by. */
double fsi_maui_expansion_base(const struct fsi_maui_conf *c, double limit);

/* Fills all factors into f, which has room for VALUES. */
void fsi_maui_job_factors(const struct fsi_maui_view *v, double *f);

/* Adds the rows of the jobs that have a priority, in the order of Maui's lists. -1 without memory. */
int fsi_maui_add_jobs(struct fs_prios *p, const fs_windows *w, const struct fsi_maui_conf *c,
		      const struct fs_prios_options *o);

#endif
