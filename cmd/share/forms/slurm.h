/* fs-share in the shape of Slurm's own `sshare --json` and `--yaml`. */
#ifndef SHARE_FORMS_SLURM_H
#define SHARE_FORMS_SLURM_H

#include "render/doc.h"
#include "share/rows.h"

struct share_slurm {
	const fs_snapshot *snapshot;
	const fs_shares *shares;
	const struct share_rows *rows;
	unsigned compat; /* FS_SLURM_RELEASE whose document it is */
	int parser;      /* number of its data_parser */
	const char *user; /* who asks */
	int argc;
	char **argv;
};

/* The number of the data_parser called NAME, "v0.0.42", "data_parser/v0.0.42", "latest" or NULL for a release's own; 0
 * if the release has none of that name, or it is not written here (v0.0.39, and those with flags,
 * "v0.0.42+complex"). */
int share_slurm_parser(unsigned compat, const char *name);

/* Those of a release, as `sshare --json=list` lists them. */
void share_slurm_parsers(unsigned compat);

/* Exit status, or negative without memory. */
int share_slurm_print(const struct share_slurm *s, enum doc_form form);

#endif
