/* What sacctmgr sets of associations and QOS. */
#ifndef FSI_SCENARIO_SLURM_LIMITS_H
#define FSI_SCENARIO_SLURM_LIMITS_H

#include "scenario/slurm.h"

enum { FSI_ASSOC_WORDS = 32, FSI_QOS_WORDS = 60 };

/* In the order in which sacctmgr looks for them. */
extern const struct fsi_edit_word fsi_assoc_words[FSI_ASSOC_WORDS], fsi_qos_words[FSI_QOS_WORDS];

#endif
