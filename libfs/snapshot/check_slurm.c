/* Notes of what the files of a capture leave to Slurm: cells and keys that are not printed where nothing is set. */
#include "snapshot/check.h"

#include <stdio.h>

struct unset {
	size_t preempt, priority, billing;
};

/* sacctmgr leaves a cell empty where nothing is set (src/sacctmgr/common.c), scontrol leaves TRESBillingWeights out
 * (src/api/partition_info.c: slurm_sprint_partition_info). */
static struct unset count(const fs_snapshot *m)
{
	struct unset u = { 0 };

	for (size_t i = 0; i < m->qos.n; i++) {
		u.preempt += !m->qos.v[i].preempt;
		u.priority += !FSI_HAS(&m->qos.v[i], QOS, priority);
	}
	for (size_t i = 0; i < m->partition.n; i++)
		u.billing += !FSI_HAS(&m->partition.v[i], PARTITION, billing_weights);
	return u;
}

size_t fsi_check_slurm(const fs_snapshot *m, fs_note_fn note, void *ctx)
{
	const struct unset u = count(m);
	char sentence[200];

	if (u.preempt) {
		snprintf(sentence, sizeof(sentence), "left to Slurm: Preempt of %zu of %zu QOS, which preempt none", u.preempt, m->qos.n);
		note(ctx, sentence);
	}
	if (u.priority) {
		snprintf(sentence, sizeof(sentence), "left to Slurm: Priority of %zu of %zu QOS, which have 0", u.priority, m->qos.n);
		note(ctx, sentence);
	}
	if (u.billing) {
		snprintf(sentence, sizeof(sentence), "left to Slurm: TRESBillingWeights of %zu of %zu partitions, where each CPU counts for one",
			 u.billing, m->partition.n);
		note(ctx, sentence);
	}
	return fsi_check_references(m, note, ctx);
}
