/* What sacctmgr sets of associations and QOS. */
#ifndef FSI_SCENARIO_SLURM_LIMITS_H
#define FSI_SCENARIO_SLURM_LIMITS_H

#include "scenario/slurm.h"

/* Words in the order in which sacctmgr looks for them. */
struct fsi_edit_words {
	const struct fsi_edit_word *v;
	size_t n;
};
extern const struct fsi_edit_words fsi_assoc_words, fsi_qos_words;

#endif
