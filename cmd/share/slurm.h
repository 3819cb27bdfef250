/* fs-share in the shape of Slurm's own `sshare --json` and `--yaml`. */
#ifndef SHARE_SLURM_H
#define SHARE_SLURM_H

#include "render/doc.h"
#include "share/rows.h"

struct share_slurm {
	const fs_snapshot *snapshot;
	const fs_shares *shares;
	const struct share_rows *rows;
	unsigned compat; /* FS_SLURM_RELEASE whose document it is */
	const char *user; /* who asks */
	int argc;
	char **argv;
};

/* Exit status, or negative without memory. */
int share_slurm_print(const struct share_slurm *s, enum doc_form form);

#endif
