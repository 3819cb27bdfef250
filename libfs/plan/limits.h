/* What one backfill cycle counts: jobs for bf_max_job_user and the like, and licenses. */
#ifndef FSI_PLAN_LIMITS_H
#define FSI_PLAN_LIMITS_H

#include "model/tables.h"
#include "plan/plan.h"

/* What a backfill cycle counts against bf_max_job_user, _part, _assoc and _user_part
 * (src/plugins/sched/backfill/backfill.c: _job_exceeds_max_bf_param). */

struct fsi_plan_pair {
	uint32_t user, partition, n; /* user, partition: names; n 0: there is no entry */
};

struct fsi_plan_counts {
	uint32_t *of_user; /* by name id, of jobs in default accounts; then the same of those in others */
	uint32_t *of_part, *reserved_part; /* by name id */
	uint32_t *of_assoc;                          /* by association row */
	struct fsi_plan_pair *pair;                  /* by user and partition */
	uint32_t names, assocs, size, npairs;                /* size of pair: 0 or a power of 2 */
};

/* -1 without memory. */
int fsi_plan_counts_init(struct fsi_plan_counts *n, const fs_snapshot *m);
int fsi_plan_counts_copy(struct fsi_plan_counts *to, const struct fsi_plan_counts *n);
void fsi_plan_counts_release(struct fsi_plan_counts *n);

/* Counts a record, or one more task of its array, of a job in a partition (a name), unless as many as the parameters
 * admit were counted before it: then it is not counted, nor tried. It is only asked for unless `counts`. Returns 0 if
 * it was counted, what fsi_plan_count_limit takes if not, -1 if out of memory. */
int fsi_plan_count(struct fsi_plan_counts *n, const fs_snapshot *m, const struct fsi_plan_params *p,
		   const struct fsi_job *j, uint32_t partition, bool counts);

/* Returns the parameter for which fsi_plan_count did not count a record; full: what it returned, above 0. */
struct fsi_plan_cycle_limit fsi_plan_count_limit(const struct fsi_plan_params *p, int full);

/* How many records have nodes kept for them in a partition (a name). */
uint32_t *fsi_plan_reserved_in(const struct fsi_plan_counts *n, uint32_t partition);

/* Licences: how many there are, how many are in use, and what a job wants. */

struct fsi_plan_license {
	uint32_t len;
	const char *name; /* name: len bytes */
	int64_t total, used, reserved, freed;
};

struct fsi_plan_licenses {
	struct fsi_plan_license *v;
	uint32_t n;
	bool known;    /* does the snapshot tell how many there are? */
	int64_t *want; /* n amounts: what the job asked about last wants */
};

/* Reads the configuration; no licence is in use. -1 without memory. */
int fsi_licenses_init(struct fsi_plan_licenses *l, const fs_snapshot *m, struct fsi_arena *arena);

/* Fills l->want with what the job asks for; is all of that known, and does it ask for any? */
bool fsi_licenses_of(struct fsi_plan_licenses *l, const fs_snapshot *m, const struct fsi_job *j);

/* Fills l->want with what the reservation keeps. */
void fsi_licenses_kept(struct fsi_plan_licenses *l, const fs_snapshot *m, uint32_t reservation);

/* Reservations of licences. */
uint32_t fsi_licenses_owners(const fs_snapshot *m);

/* The place of the reservation of that name among those of licences, from 1 on; 0 if it is none of them. */
uint32_t fsi_licenses_owner(const fs_snapshot *m, uint32_t name);

/* Adds l->want to what is in use; and is there room for it beside that, and beside what is reserved? */
void fsi_licenses_take(struct fsi_plan_licenses *l);
bool fsi_licenses_left(const struct fsi_plan_licenses *l);

/* Adds what the job has to what is free of that in use; and has it any that is in l->want? */
void fsi_licenses_free(struct fsi_plan_licenses *l, const fs_snapshot *m, const struct fsi_job *j);
bool fsi_licenses_meet(const struct fsi_plan_licenses *l, const fs_snapshot *m, const struct fsi_job *j);

#endif
