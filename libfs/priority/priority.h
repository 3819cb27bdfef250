/* Priorities: the part that all schedulers share. This part calls the functions in the scheduler's struct
 * fsi_prio_scheduler.
 *
 * Steps, with the operation for each:
 *   1. compute        the scheduler's operation selects jobs, adds a row for each partition and QOS of a job
 *                     (fsi_prio_add_rows), and stores weights and, except in Slurm, the factors of each row
 *   2. row            computes the terms, the sum and the priority of one row on demand from its factors. `row` changes
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
	/* rows of the job and of the partition in the snapshot's tables; partition FSI_NO_INDEX: the snapshot has no
	 * such partition */
	uint32_t job, partition;
	uint32_t qos;            /* name id of the QOS; 0: none */
	uint32_t partition_name; /* name id of the partition; 0: none */
};

struct fs_prios {
	struct fsi_arena arena;
	const fs_snapshot *m;
	/* `now`: the time for which priorities are computed; `last_run`: time of the last priority calculation, up to
	 * which the age of a job counts */
	int64_t now, last_run;
	/* Slurm: accrue state of the jobs at the snapshot's time; NULL: `now` is not later than that time */
	fs_accrue *accrue;
	const struct fsi_prio_scheduler *scheduler;
	void *own; /* data that the scheduler's operations store, in the arena */
	struct fs_prio_term *weights; /* array of nterms weights, at most FS_PRIO_TERMS_MAX */
	/* `nterms`: number of terms of a row; `nvalues`: number of elements of `values` for each row */
	size_t nterms, nvalues;
	struct fs_prio_group *groups; /* Maui: the `ngroups` components of the priority sum; else NULL */
	size_t ngroups;
	/* Maui only; indexed by term: true if a QOS may have its own weight for the term */
	bool *shown_by_qos;
	FSI_VEC(struct fsi_prio_row) row;
	double *values;		      /* values of the priority rows: `nvalues` numbers for each row */
	size_t values_cap;
	struct fsi_viewer *viewer;
	unsigned compat;
	/* state of the jobs, as computed by the scheduler's planner (Maui: struct fsi_maui_state); NULL: jobs are as in
	 * the snapshot */
	const void *planner_state;
};

/* Computes priorities as fs_prios_compute does, for the planner of the snapshot's scheduler. `planner_state`: state
 * of the jobs, as computed by the planner (Maui: struct fsi_maui_state); NULL: jobs are as in the snapshot. */
int fsi_prios_compute_planned(fs_prios **out, const fs_snapshot *m, const struct fs_prios_options *options,
			      const void *planner_state, struct fs_error *err);

struct fsi_prio_scheduler {
	/* in an unchanged state, the recorded priority of a job replaces the computed priority */
	bool uses_recorded;
	double max; /* greatest priority that the scheduler can store; 0: no maximum */
	/* Returns the priority that the scheduler stores for a sum. NULL: the scheduler compares the sums themselves,
	 * with their fractions. */
	double (*stored_priority)(double sum);
	/* Sets the weights, the rows and the values of each row. `shares`: NULL if there are no associations. Returns
	 * the error codes of fs_prios_compute. */
	int (*compute)(struct fs_prios *p, const fs_shares *shares, const struct fs_prios_options *o,
		       struct fs_error *err);
	/* Computes the terms of row i, and sets `set_directly`, `sum` and `priority` of *row, which fsi_prio_row_init
	 * has initialized. */
	void (*row)(const struct fs_prios *p, size_t i, struct fs_prio_row *row);
	/* Fills *out with the inputs of term t of row i. The caller must set out->rule to FS_INPUTS_NONE first. NULL:
	 * no term has known inputs. */
	void (*inputs)(const struct fs_prios *p, size_t i, size_t t, struct fs_prio_inputs *out);
	/* Sets *out to the fair-share term that a credential adds to the priority of its jobs. `kind`, `factor`: kind
	 * and fair-share factor of the credential. The function is NULL if the scheduler has no credentials. */
	void (*fill_fairshare)(const struct fs_prios *p, enum fs_cred_kind kind, double factor,
			       struct fs_prio_term *out);
	void (*release)(struct fs_prios *p); /* frees memory outside the arena; NULL: there is no such memory */
};

/* Initializes the row of a job: sets every member to 0 or unknown, except the array of terms, which is large. */
void fsi_prio_row_init(struct fs_prio_row *row, uint32_t job_row);

/* If a step between the sum and the priority changes the value from `before` to `after`, records the step in *row.
 * Returns `after`. */
double fsi_prio_record_step(struct fs_prio_row *row, enum fs_step step, double before, double after);

extern const struct fsi_prio_scheduler fsi_slurm_prio, fsi_flux_prio;

/* Returns true if the options ask for rows of job i. */
bool fsi_prio_is_job_requested(const struct fs_prios_options *o, uint32_t i);

/* Adds one row for each partition and QOS of job i, in the order in which the job lists them. If the job names no
 * partition, its rows have no partition. If the job names no QOS, its rows have no QOS. Also allocates the values of
 * the rows. Returns -1 if out of memory. */
int fsi_prio_add_rows(struct fs_prios *p, uint32_t i);

/* ---- values printed by sprio, for rows whose inputs are hidden or no longer exist */

/* Index of the `recorded` records of jobs. */
struct fsi_prio_recorded {
	const fs_snapshot *m;
	uint32_t *row; /* indices of the records, sorted by job id; records of one job are in file order */
	size_t n;
};

/* Fills the index, allocated in the arena. If `always` is false, the index is empty unless recorded values replace
 * hidden inputs (fsi_uses_recorded_values). Returns -1 if out of memory. */
int fsi_prio_recorded_init(struct fsi_prio_recorded *r, const fs_snapshot *m, bool always, struct fsi_arena *arena);

/* Returns the job's first record of type `recorded` with the given partition and QOS (name ids); NULL: none. A record
 * without a QOS matches every QOS. */
const struct fsi_recorded *fsi_prio_recorded_find(const struct fsi_prio_recorded *r, uint64_t job,
						  uint32_t partition, uint32_t qos);

/* Returns the weighted points that sprio printed for a factor, a whole number; NAN: not printed. */
double fsi_prio_recorded_points(const struct fsi_recorded *r, enum fs_factor factor);

/* Returns the unweighted factor that sprio printed; NAN: not printed. For FS_FACTOR_TRES, `tres` is the name id of the
 * TRES, and the result is its printed points divided by `weight`. */
double fsi_prio_recorded_factor(const fs_snapshot *m, const struct fsi_recorded *r,
				enum fs_factor factor, uint32_t tres, double weight);

/* ---- scheduling orders: partitions whose jobs compete in one order */

/* Sets order[i] to a number that identifies the scheduling order of the partition in row i. Partitions whose jobs are
 * in one scheduling order have the same number. */
void fsi_prio_assign_orders(const fs_snapshot *m, uint32_t *order);

/* Returns the number that identifies the scheduling order of the row. A partition that is not in the snapshot has an
 * order of its own. */
uint64_t fsi_prio_order_of_row(const fs_snapshot *m, const uint32_t *order, const struct fsi_prio_row *row);

/* ---- verification */

/* Inputs and result of a verification (fs_snapshot_verify). */
struct fsi_verify {
	const fs_snapshot *m;
	const fs_shares *shares; /* computed shares; NULL: the snapshot has no associations */
	fs_prios *prios;         /* computed priorities; NULL: they cannot be computed from the snapshot */
	fs_note_fn note;
	void *ctx;
	struct fs_verify_result *out;
};

/* State of a verification that compares computed values with `recorded` records. */
struct fsi_verify_work {
	const fs_snapshot *m;
	const fs_shares *shares; /* computed shares; NULL: the snapshot has no associations */
	fs_prios *prios;         /* computed priorities; NULL: they cannot be computed from the snapshot */
	double usage_error;      /* maximum error of the captured usage of one association, TRES seconds */
	/* Indexed by association: maximum error of the usage that was charged since the last priority calculation, TRES
	 * seconds. The error includes the errors of all associations below this association. */
	long double *late_error;
	fs_note_fn note;
	void *ctx;
	struct fs_verify_result *out;
};

/* Compares computed shares and priorities with those in the snapshot's records of type `recorded`. Errors:
 * FS_ENOMEM. */
int fsi_verify_recorded(struct fsi_verify *v, struct fs_error *err);

/* Compares the factors and priorities stored by Flux with computed ones. Returns 0. */
int fsi_verify_flux(struct fsi_verify *v, struct fs_error *err);

/* ---- Slurm's multifactor priority */

/* Totals and maxima by which inputs are divided to give factors. NAN: unknown. */
struct fsi_slurm_totals {
	double cpus, nodes; /* numbers of CPUs and nodes of the cluster */
	double max_assoc, max_partition, max_qos; /* greatest priority of any association, partition and QOS */
};

/* Configuration and job data from which Slurm's factors are computed. */
struct fsi_slurm_prio {
	const fs_snapshot *m;
	struct fsi_slurm_conf conf;
	struct fsi_slurm_totals totals;
	uint32_t node; /* name id of the TRES `node`; 0: none */
	int64_t last_run; /* time of the last priority calculation */
	/* accrue state of the jobs at the snapshot's time; NULL: priorities are not computed for a later time */
	const fs_accrue *accrue;
	const double *fairshare; /* fair-share factors, indexed by association; NULL: no associations */
	/* true: show terms as sprio prints them. The setting affects terms only before Slurm 23.02, and only for a job
	 * that has several partitions and a priority set by an administrator. */
	bool as_printed;
	bool uses_recorded; /* rows have the priorities that sprio printed */
	bool printed_only; /* only the output of sprio was captured, so rows have only printed values */
	bool ended_frozen; /* ended jobs keep their last factors (fsi_slurm_freezes_ended_jobs) */
	/* values that sprio printed; they replace factors whose inputs are hidden or lost */
	struct fsi_prio_recorded recorded;
	struct fsi_request_settings requests;
	/* indexed by job row: 1 + index of the job's element in `shared_requests`; 0: none. NULL: no job has an
	 * element. */
	const uint32_t *shared_request_of;
	/* one element for each job in many partitions: the CPU request that all rows of the job share */
	const struct fsi_counted_request *shared_requests;
};

/* Returns Slurm's data in p. The scheduler of p is Slurm. */
struct fsi_slurm_prio *fsi_slurm_prio_data(const struct fs_prios *p);

/* Number of factors that come before the TRES factors in a row's values: the factors of enum fs_factor up to QOS. One
 * factor for each TRES weight follows. */
enum { FSI_ROW_FACTORS = FS_FACTOR_QOS + 1 };

#endif
