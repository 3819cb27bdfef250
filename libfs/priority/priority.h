/* Priorities behind one table of operations, one file per scheduler. A row keeps only the factors; points and
 * sum follow from them in one place, the row operation, which changes nothing but the row it is given. */
#ifndef FSI_PRIORITY_PRIORITY_H
#define FSI_PRIORITY_PRIORITY_H

#include "fairshare/fairshare.h"
#include "model/slurm.h"
#include "model/jobs.h"

#include <math.h>
#include <string.h>

struct fsi_viewer;

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
	const void *planner_state; /* what the scheduler's planner knows of jobs; NULL: the snapshot's jobs as they are */
};

/* As fs_prios_compute, for a planner of the snapshot's scheduler. planner_state: that scheduler's; NULL: none. */
int fsi_prios_compute_planned(fs_prios **out, const fs_snapshot *m, const struct fs_prios_options *options,
			      const void *planner_state, struct fs_error *err);

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
	/* Fills the fair-share term that a credential with that factor gives its jobs. NULL: credentials give none. */
	void (*fill_fairshare)(const struct fs_prios *p, enum fs_cred_kind kind, double factor,
			       struct fs_prio_term *out);
	void (*release)(struct fs_prios *p); /* frees what only this scheduler allocates; NULL: nothing */
};

/* Marks everything of the row of a job as not known yet. The terms, whose room is large, stay as they are. */
void fsi_prio_row_init(struct fs_prio_row *row, uint32_t job_row);

/* Notes a step of the way from the sum to the priority, if it changes the value, and returns what is now. */
double fsi_prio_step(struct fs_prio_row *row, enum fs_step step, double before, double after);

extern const struct fsi_prio_scheduler fsi_slurm_prio, fsi_flux_prio;

/* Are rows of job i wanted? */
bool fsi_prio_wanted(const struct fs_prios_options *o, uint32_t i);

/* Adds one row for each partition and QOS that job i asks for, in the order in which they are asked for; one
 * with neither name for a job that asks for none. Room for its factors is made too. -1 without memory. */
int fsi_prio_add_rows(struct fs_prios *p, uint32_t i);

/* What sprio printed, by job: for rows some of whose inputs were hidden from the capture, or are no more. */

struct fsi_prio_recorded {
	const fs_snapshot *m;
	uint32_t *row; /* records of jobs, rising job id, else as they stand */
	size_t n;
};

/* Lists the records in the arena; there are none where none stand in (fsi_recorded_stands_in). -1 without memory. */
int fsi_prio_recorded_init(struct fsi_prio_recorded *r, const fs_snapshot *m, struct fsi_arena *arena);

/* The record of a job in a partition with a QOS (names; a record without a QOS is of any), NULL if none. */
const struct fsi_recorded *fsi_prio_recorded_find(const struct fsi_prio_recorded *r, uint64_t job,
						  uint32_t partition, uint32_t qos);

/* The weighted points that sprio printed, whole; NAN if it printed none. */
double fsi_prio_recorded_points(const struct fsi_recorded *r, enum fs_factor factor);

/* The factor that sprio printed, before its weight, of a TRES weight by its name: to seven digits where those were
 * printed, else from the whole points. NAN: not printed. */
double fsi_prio_recorded_factor(const fs_snapshot *m, const struct fsi_recorded *r,
				enum fs_factor factor, uint32_t tres, double weight);

/* Which partitions' jobs stand in one line for nodes. */

/* Fills line[i] for each partition of the snapshot: partitions of one line have the same. */
void fsi_prio_lines(const fs_snapshot *m, uint32_t *line);

/* The line of a row: a partition that the snapshot has not is one of its own. */
uint64_t fsi_prio_line(const fs_snapshot *m, const uint32_t *line, const struct fsi_prio_row *row);

/* What verification has in common. */

struct fsi_verify {
	const fs_snapshot *m;
	const fs_shares *shares; /* NULL: no associations */
	fs_prios *prios;         /* NULL: no factors */
	fs_note_fn note;
	void *ctx;
	struct fs_verify_result *out;
};

/* The verification of `recorded` records at work. */
struct fsi_verify_work {
	const fs_snapshot *m;
	const fs_shares *shares; /* NULL: no associations */
	fs_prios *prios;         /* NULL: no factors */
	double usage_error;      /* of one captured usage, TRES seconds */
	long double *late_error; /* by association with all below: error of what jobs used since the last calculation */
	fs_note_fn note;
	void *ctx;
	struct fs_verify_result *out;
};

/* libfs/priority/verify.c: compares rows with the `recorded` records. Error: FS_ENOMEM. */
int fsi_verify_recorded(struct fsi_verify *v, struct fs_error *err);

/* libfs/priority/verify.c: compares the factors and priorities that Flux holds. */
int fsi_verify_flux(struct fsi_verify *v, struct fs_error *err);

/* Slurm's multifactor priority: its configuration, and the factors of a job. */

/* What the factors are normalised by. NAN: unknown. */
struct fsi_slurm_totals {
	double cpus, nodes; /* of the cluster */
	double max_assoc, max_partition, max_qos;
};

struct fsi_slurm_prio {
	const fs_snapshot *m;
	struct fsi_slurm_conf conf;
	struct fsi_slurm_totals totals;
	uint32_t node; /* name of the TRES, 0 none */
	int64_t last_run; /* as in struct fs_prios */
	const fs_accrue *accrue; /* of the snapshot where the clock is past it; else NULL */
	const double *fairshare; /* by association, NULL without any */
	bool as_printed;
	bool told; /* sprio's rows are all that is known, so that every number is as it printed it */
	bool keeps_ended; /* fsi_slurm_keeps_ended */
	struct fsi_prio_recorded recorded; /* stands in for what was hidden */
	struct fsi_requests requests;
	/* What jobs in many partitions count for, which is the same in each of their rows; by job row its place in
	 * `many` plus 1, 0: not kept. NULL if there are no such jobs. */
	const uint32_t *many_of;
	const struct fsi_request *many;
};

/* The fs_prios' own data when its scheduler is Slurm. */
struct fsi_slurm_prio *fsi_slurm_of(const struct fs_prios *p);

/* Factors of each row: those of enum fs_factor up to QOS, then one for each TRES weight. */
enum { FSI_ROW_FACTORS = FS_FACTOR_QOS + 1 };

#endif
