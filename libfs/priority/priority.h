/* Priorities behind one table of operations, one file per scheduler. A row keeps only the factors; points and
 * sum follow from them in one place, the row operation, which changes nothing but the row it is given. */
#ifndef FSI_PRIORITY_H
#define FSI_PRIORITY_H

#include "fairshare/fairshare.h"
#include "model/slurm/conf.h"

#include <math.h>
#include <string.h>

struct fsi_prio_row {
	uint32_t job, partition; /* rows of the model; partition FSI_NO_INDEX: not in the snapshot */
	uint32_t qos;            /* name */
	uint32_t partition_name;
};

struct fs_prios {
	struct fsi_arena arena;
	const fs_snapshot *m;
	int64_t now, last_run; /* the clock, and the time that ages are of */
	fs_accrue *accrue;     /* who begins to age until `now`; NULL at the snapshot's time */
	const struct fsi_prio_scheduler *scheduler;
	void *own; /* the scheduler's, in the arena */
	struct fs_prio_term *weights; /* nterms, at most FS_PRIO_TERMS_MAX */
	size_t nterms, nvalues;       /* nvalues factors that are kept of a row */
	struct fs_prio_group *groups; /* ngroups components, where the scheduler has them */
	size_t ngroups;
	bool *shown_by_qos;	      /* by term, with groups */
	FSI_VEC(struct fsi_prio_row) row;
	double *values;
	size_t values_cap;
	struct fsi_viewer *viewer;
	unsigned compat;
};

struct fsi_prio_scheduler {
	double max; /* the greatest priority that it can hold; 0: any */
	/* The priority that it keeps of a sum; NULL: sums are compared with their fractions. */
	double (*kept)(double sum);
	/* Weights, rows and their factors. shares: NULL without associations. Error codes of fs_prios_compute. */
	int (*compute)(struct fs_prios *p, const fs_shares *shares, const struct fs_prios_options *o,
		       struct fs_error *err);
	/* Fills terms from the factors of row i, and direct, sum and priority of *row, which is as fsi_prio_row_init
	 * left it. */
	void (*row)(const struct fs_prios *p, size_t i, struct fs_prio_row *row);
	/* Tells what the value of term t of row i was made of; *out is FS_INPUTS_NONE. NULL: only the value is known
	 * of any term. */
	void (*inputs)(const struct fs_prios *p, size_t i, size_t t, struct fs_prio_inputs *out);
};

/* Marks everything of the row of a job as not known yet. The terms, whose room is large, stay as they are. */
static inline void fsi_prio_row_init(struct fs_prio_row *row, uint32_t job_row)
{
	memset(row, 0, offsetof(struct fs_prio_row, terms));
	row->job_row = job_row;
	row->urgency = NAN;
}

/* Notes a step of the way from the sum to the priority, if it changes the value, and returns what is now. */
static inline double fsi_prio_step(struct fs_prio_row *row, enum fs_step step, double before,
				   double after)
{
	if (before != after && !isnan(before))
		row->steps[row->nsteps++] = (struct fs_prio_step){ step, after };
	return after;
}

extern const struct fsi_prio_scheduler fsi_slurm_prio, fsi_flux_prio, fsi_maui_prio;

/* Fills the fair-share term that a credential of Maui gives its jobs, whose factor is given; false where the
 * scheduler is another. */
bool fsi_prio_maui_fairshare(const struct fs_prios *p, enum fs_cred_kind kind, double factor,
			     struct fs_prio_term *out);

/* Maui's priority by which row i was sorted before, which decides between jobs of equal priority. */
double fsi_prio_maui_earlier(const struct fs_prios *p, size_t i);

/* Are rows of job i wanted? */
bool fsi_prio_wanted(const struct fs_prios_options *o, uint32_t i);

/* Adds one row for each partition and QOS that job i asks for, in the order in which they are asked for; one
 * with neither name for a job that asks for none. Room for its factors is made too. -1 without memory. */
int fsi_prio_add_rows(struct fs_prios *p, uint32_t i);

#endif
