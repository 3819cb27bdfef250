/* How a scheduler charges for jobs: what a second of one costs, when it is charged, and how that decays. Each has a row
 * in a file of its own here, which struct fsi_scheduler points to. */
#ifndef FSI_CHARGING_H
#define FSI_CHARGING_H

#include <fs/usage.h>

struct fsi_arena;
struct fsi_billing;
struct fsi_decay;

struct fsi_charging {
	const char *who;       /* its name as people write it */
	enum fs_decay decay;   /* its model of decay */
	const char *half_life; /* name of the configuration's half-life, in seconds */
	bool while_running;    /* a job is charged while it runs; else when it is over */
	/* Fills in the weights of billing: those of each partition, or those that hold everywhere. -1 without
	 * memory. */
	int (*weights)(struct fsi_billing *b, const fs_snapshot *m, struct fsi_arena *arena);
	/* Fills in when usage was last reset; the rest of *d is complete. Errors as fsi_decay_init. */
	int (*reset)(struct fsi_decay *d, const fs_snapshot *m, struct fs_error *err);
};

extern const struct fsi_charging fsi_charging_slurm, fsi_charging_flux;

#endif
