/* Priorities: the part that all schedulers share, behind one table of operations per scheduler (fsi_prio_scheduler).
 *
 * Steps, with the operation for each:
 *   1. compute        the scheduler's operation selects jobs, adds a row for each partition and QOS of a job
 *                     (fsi_prio_add_rows), and stores weights and, except in Slurm, the factors of each row
 *   2. row            computes the terms, the sum and the priority of one row on demand from its factors. It changes
 *                     only the row passed to it, so any number of threads may call it.
 *   3. inputs         explains the value of one term
 *
 * fs_prios owns its rows and values; strings are borrowed from the snapshot. */
#ifndef FSI_PRIORITY_PRIORITY_H
#define FSI_PRIORITY_PRIORITY_H

#include "fairshare/fairshare.h"
#include "model/slurm.h"
#include "model/jobs.h"

#include <math.h>
#include <string.h>

struct fsi_viewer;

/* A row of fs_prios: a job in one partition with one QOS. */
struct fsi_prio_row {
	uint32_t job, partition; /* rows in the snapshot; partition FSI_NO_INDEX: it is not there */
	uint32_t qos;            /* name id; 0: none */
	uint32_t partition_name; /* name id; 0: none */
};

struct fs_prios {
	struct fsi_arena arena;
	const fs_snapshot *m;
	int64_t now, last_run; /* clock, and the time up to which ages count */
	fs_accrue *accrue;     /* state of ages at the snapshot's time; NULL: `now` is the snapshot's time */
	const struct fsi_prio_scheduler *scheduler;
	void *own; /* data of the scheduler's operations, in the arena */
	struct fs_prio_term *weights; /* nterms weights, at most FS_PRIO_TERMS_MAX */
	size_t nterms, nvalues;       /* number of terms of a row, and of values stored for a row */
	struct fs_prio_group *groups; /* ngroups components; Maui only */
	size_t ngroups;
	bool *shown_by_qos;	      /* by term: a QOS may have its own weight for it; Maui only */
	FSI_VEC(struct fsi_prio_row) row;
	double *values;		      /* nvalues of each row */
	size_t values_cap;
	struct fsi_viewer *viewer;
	unsigned compat;
	const void *planner_state; /* what the scheduler's planner knows of jobs; NULL: the snapshot's jobs as they are */
};

/* As fs_prios_compute, for a planner of the snapshot's scheduler. planner_state: that scheduler's; NULL: none. */
int fsi_prios_compute_planned(fs_prios **out, const fs_snapshot *m, const struct fs_prios_options *options,
			      const void *planner_state, struct fs_error *err);

struct fsi_prio_scheduler {
	double max; /* largest priority the scheduler can store; 0: no maximum */
	/* Returns the priority that the scheduler stores for a sum. NULL: sums are compared with their fractions. */
	double (*stored_priority)(double sum);
	/* Sets the weights, the rows and their values. shares is NULL if there are no associations. Returns the error
	 * codes of fs_prios_compute. */
	int (*compute)(struct fs_prios *p, const fs_shares *shares, const struct fs_prios_options *o,
		       struct fs_error *err);
	/* Computes the terms of row i, and sets direct, sum and priority of *row, which fsi_prio_row_init has
	 * initialised. */
	void (*row)(const struct fs_prios *p, size_t i, struct fs_prio_row *row);
	/* Fills *out with the inputs of term t of row i; *out has the rule FS_INPUTS_NONE. NULL: no term has known
	 * inputs. */
	void (*inputs)(const struct fs_prios *p, size_t i, size_t t, struct fs_prio_inputs *out);
	/* Fills *out with the fair-share term that a credential with the given factor gives its jobs. NULL:
	 * credentials give none. */
	void (*fill_fairshare)(const struct fs_prios *p, enum fs_cred_kind kind, double factor,
			       struct fs_prio_term *out);
	void (*release)(struct fs_prios *p); /* frees memory outside the arena; NULL: none */
};

/* Initialises the row of a job: every member except the terms, which are large, is 0 or unknown. */
void fsi_prio_row_init(struct fs_prio_row *row, uint32_t job_row);

/* Records a step from the sum to the priority if it changes the value. Returns `after`. */
double fsi_prio_record_step(struct fs_prio_row *row, enum fs_step step, double before, double after);

extern const struct fsi_prio_scheduler fsi_slurm_prio, fsi_flux_prio;

/* Returns true if rows of job i are requested. */
bool fsi_prio_is_job_requested(const struct fs_prios_options *o, uint32_t i);

/* Adds one row for each partition and QOS of job i, in the job's order; if the job names none, one row without. Also
 * allocates the values of the rows. Returns -1 if out of memory. */
int fsi_prio_add_rows(struct fs_prios *p, uint32_t i);

/* ---- values printed by sprio, for rows whose inputs are hidden or no longer exist */

/* Index of the `recorded` records of jobs. */
struct fsi_prio_recorded {
	const fs_snapshot *m;
	uint32_t *row; /* indices of the records, by rising job id, then in file order */
	size_t n;
};

/* Fills the index, allocated in the arena. It is empty if recorded values are not used (fsi_uses_recorded_values).
 * Returns -1 if out of memory. */
int fsi_prio_recorded_init(struct fsi_prio_recorded *r, const fs_snapshot *m, struct fsi_arena *arena);

/* Returns the record of a job in a partition with a QOS (name ids), or NULL. A record without a QOS matches any QOS. */
const struct fsi_recorded *fsi_prio_recorded_find(const struct fsi_prio_recorded *r, uint64_t job,
						  uint32_t partition, uint32_t qos);

/* Returns the weighted points printed by sprio, whole numbers; NAN: not printed. */
double fsi_prio_recorded_points(const struct fsi_recorded *r, enum fs_factor factor);

/* Returns the unweighted factor printed by sprio. tres is the name id for FS_FACTOR_TRES, whose factor is computed from
 * the printed whole points; other factors have seven digits. NAN: not printed. */
double fsi_prio_recorded_factor(const fs_snapshot *m, const struct fsi_recorded *r,
				enum fs_factor factor, uint32_t tres, double weight);

/* ---- scheduling orders: partitions whose jobs compete in one order */

/* Sets line[i] to the scheduling order of each partition i. Partitions of one order have the same number. */
void fsi_prio_assign_orders(const fs_snapshot *m, uint32_t *order);

/* Returns the scheduling order of a row. A partition that is not in the snapshot has its own order. */
uint64_t fsi_prio_order_of_row(const fs_snapshot *m, const uint32_t *order, const struct fsi_prio_row *row);

/* ---- verification */

/* Input and output of a scheduler's verification. */
struct fsi_verify {
	const fs_snapshot *m;
	const fs_shares *shares; /* NULL: no associations */
	fs_prios *prios;         /* NULL: no factors */
	fs_note_fn note;
	void *ctx;
	struct fs_verify_result *out;
};

/* State of the verification against `recorded` records. */
struct fsi_verify_work {
	const fs_snapshot *m;
	const fs_shares *shares; /* NULL: no associations */
	fs_prios *prios;         /* NULL: no factors */
	double usage_error;      /* maximum error of one captured usage, TRES seconds */
	/* by association, with all below it: error of the usage after the last calculation, TRES seconds */
	long double *late_error;
	fs_note_fn note;
	void *ctx;
	struct fs_verify_result *out;
};

/* Compares share and priority rows with the `recorded` records. Errors: FS_ENOMEM. */
int fsi_verify_recorded(struct fsi_verify *v, struct fs_error *err);

/* Compares the factors and priorities stored by Flux with computed ones. Returns 0. */
int fsi_verify_flux(struct fsi_verify *v, struct fs_error *err);

/* ---- Slurm's multifactor priority */

/* Totals and maxima by which factors are divided. NAN: unknown. */
struct fsi_slurm_totals {
	double cpus, nodes; /* totals of the cluster */
	double max_assoc, max_partition, max_qos; /* greatest priority of all associations, partitions and QOS */
};

/* Configuration and job data for Slurm's factors. */
struct fsi_slurm_prio {
	const fs_snapshot *m;
	struct fsi_slurm_conf conf;
	struct fsi_slurm_totals totals;
	uint32_t node; /* name id of the TRES `node`; 0: none */
	int64_t last_run; /* as in struct fs_prios */
	const fs_accrue *accrue; /* accrue states at the snapshot's time, if the clock is later; else NULL */
	const double *fairshare; /* factor by association; NULL: no associations */
	bool as_printed; /* as in struct fs_prios_options */
	bool printed_only; /* only sprio was captured, so all numbers are the printed ones */
	bool ended_frozen; /* fsi_slurm_freezes_ended_jobs */
	struct fsi_prio_recorded recorded; /* printed values that replace hidden inputs */
	struct fsi_request_settings requests;
	/* CPU requests of jobs in many partitions, computed once because all rows of a job share them.
	 * shared_request_of: by job row, 1 + index in `shared_requests`; 0: not stored. NULL: there are no such
	 * jobs. */
	const uint32_t *shared_request_of;
	const struct fsi_counted_request *shared_requests;
};

/* Returns Slurm's data in p, whose scheduler is Slurm. */
struct fsi_slurm_prio *fsi_slurm_prio_data(const struct fs_prios *p);

/* Number of factors before the TRES factors in a row's values: enum fs_factor up to QOS. One factor for each TRES
 * weight follows. */
enum { FSI_ROW_FACTORS = FS_FACTOR_QOS + 1 };

#endif
