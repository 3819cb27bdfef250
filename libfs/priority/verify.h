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
void fsi_verify_tell(fs_note_fn note, void *ctx, const char *fmt, ...) FSI_PRINTF(3, 4);

/* Flux: libfs/priority/verify_flux.c. */
void fsi_verify_flux(struct fsi_verify *v);

#endif
