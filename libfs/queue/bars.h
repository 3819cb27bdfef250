/* What is in the way of a pending job of Slurm, in each partition and with each QOS it may use. */
#ifndef FSI_BARS_H
#define FSI_BARS_H

#include "fs/explain.h"
#include "model/jobs.h"
#include "model/viewer.h"
#include "queue/queue.h"

/* What the configuration says of all limits, the names of TRES, and the fields that are limits: those of an association
 * that jobs are in, of those above it, and of a QOS (libfs/queue/limits.c). */
struct fsi_limit_site {
	bool enforced, safe; /* safe: a job must have minutes left to the end of its time limit */
	bool stops;	     /* assoc_limit_stop: jobs are tried all the same, and stop those behind them */
	uint32_t billing, node, cpu, mem;
	struct fsi_fields own, group, qos;
};
void fsi_limit_site(struct fsi_limit_site *out, const fs_snapshot *m);

/* What a job's bars are looked up in. */
struct fsi_bars_from {
	const fs_snapshot *m;
	const struct fsi_viewer *viewer;
	const fs_usage *usage;	 /* NULL: as recorded */
	struct fsi_arena *arena; /* all that is found comes from here */
	const struct fsi_limit_site *site;   /* NULL: looked up anew */
	const struct fsi_requests *requests; /* NULL: made anew */
	const struct fsi_billing *billing;   /* NULL: made anew */
	struct fsi_limit_totals *totals; /* uses counted for other jobs, without who uses what; NULL: with it */
	uint32_t nodes; /* how many were chosen for the job; 0: not told */
	uint64_t cpus;	/* of those, where it takes them whole; 0 */
};

struct fsi_bars {
	uint32_t job_row;
	const struct fs_reason *reason; /* the job's */
	const struct fs_explain_choice *choices; /* partitions by QOS, as the job lists them: as its records in the queue */
	size_t nchoices;
	const struct fs_explain_limit *limits;
	size_t nlimits;
	const struct fs_explain_obstacle *obstacles;
	size_t nobstacles;
};

/* Is assoc_limit_stop set? */
bool fsi_limits_stop(const fs_snapshot *m);

/* Fills out, with nothing for a job that does not wait. -1 without memory, as those below. */
int fsi_bars(struct fsi_bars *out, const struct fsi_bars_from *from, uint32_t job_row, const struct fs_reason *reason);

/* Its parts, libfs/queue/limits.c and obstacles.c; they mark the choices, of which those of a partition, nqos of
 * them, stand together. */
int fsi_bars_limits(const struct fsi_bars_from *from, struct fsi_bars *out,
		    struct fs_explain_choice *choices, size_t nqos);
int fsi_bars_obstacles(const struct fsi_bars_from *from, struct fsi_bars *out, struct fs_explain_choice *choices);

/* A copy that lasts as long as the arena; NULL without memory alone. */
void *fsi_bars_keep(const struct fsi_bars_from *from, const void *v, size_t n, size_t size);

#endif
