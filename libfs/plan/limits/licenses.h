/* Licences: how many there are, how many are in use, and what a job wants. */
#ifndef FSI_PLAN_LIMITS_LICENSES_H
#define FSI_PLAN_LIMITS_LICENSES_H

#include "model/model.h"

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

/* Sets what is reserved and what is free to nothing; adds what the reservation has, and is any of that in l->want? */
void fsi_licenses_unreserve(struct fsi_plan_licenses *l);
bool fsi_licenses_reserve(struct fsi_plan_licenses *l, const fs_snapshot *m, const struct fsi_reservation *r);

#endif
