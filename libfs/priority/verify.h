/* What verification has in common. */
#ifndef FSI_PRIORITY_VERIFY_H
#define FSI_PRIORITY_VERIFY_H

#include "priority/priority.h"

struct fsi_verify {
	const fs_snapshot *m;
	const fs_shares *shares; /* NULL: no associations */
	fs_prios *prios;         /* NULL: no factors */
	fs_note_fn note;
	void *ctx;
	struct fs_verify_result *out;
};

/* The column of that name, a new one if there is none. */
struct fs_verify_column *fsi_verify_column(struct fs_verify_result *r, const char *name);

/* A sentence to the callback. */
void fsi_verify_note(fs_note_fn note, void *ctx, const char *fmt, ...) FSI_PRINTF(3, 4);

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

/* The name of a field of the records. */
const char *fsi_verify_key(unsigned bit);

/* Counts the value of that field, and notes if it is further from the computed one than the tolerance; what: the
 * row. */
void fsi_verify_compare(struct fsi_verify_work *v, const char *what, const struct fsi_recorded *r,
			unsigned bit, double computed, double tolerance);

/* libfs/priority/verify_shares.c: compares the rows of all associations; -1 without memory. */
int fsi_verify_shares(struct fsi_verify_work *v);
/* How far the fair-share factor of association i may be off; in Fair Tree, where it is a rank, not at all. */
double fsi_verify_factor_slack(const struct fsi_verify_work *v, uint32_t i);

/* libfs/priority/verify.c: compares rows with the `recorded` records. Error: FS_ENOMEM. */
int fsi_verify_recorded(struct fsi_verify *v, struct fs_error *err);

/* libfs/priority/verify_flux.c: compares the factors and priorities that Flux holds. */
int fsi_verify_flux(struct fsi_verify *v, struct fs_error *err);

#endif
