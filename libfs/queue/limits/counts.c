/* Which jobs count against a limit (src/slurmctld/acct_policy.c: _adjust_limit_usage). */
#include "queue/limits/limits.h"

/* A job with a list of QOS counts in one alone, which after submission is the highest
 * (src/slurmctld/acct_policy.c:acct_policy_add_job_submit asks job_ptr->qos_ptr). */
static bool counts_in_qos(const fs_snapshot *m, const struct fsi_job *j, uint32_t qos)
{
	const struct fsi_qos *own;
	size_t n;
	const uint32_t *names = fsi_list(m, j->qos, &n);

	if (n < 2 || fsi_job_holds(j))
		return n && names[0] == qos;
	own = fsi_job_highest_qos(m, j);
	return own && own->name == qos;
}

static bool uses_qos(const fs_snapshot *m, const struct fsi_job *j, uint32_t qos)
{
	const size_t max = fsi_job_holds(j) ? 1 : SIZE_MAX;
	size_t n;
	const uint32_t *names = fsi_list(m, j->partitions, &n);

	if (counts_in_qos(m, j, qos))
		return true;
	for (size_t i = 0; i < n && i < max; i++) {
		const struct fsi_partition *p = fsi_partition_find(m, names[i]);

		if (p && p->qos == qos)
			return true;
	}
	return false;
}

bool fsi_limit_counts(const fs_snapshot *m, const struct fsi_limit_kind *k, const struct fsi_limit_place *at,
		      const struct fsi_job *whose, const struct fsi_job *j)
{
	uint32_t own;

	if ((k->counted == FSI_USER && j->user != whose->user) ||
	    (k->counted == FSI_ACCOUNT && j->account != whose->account))
		return false;
	if (at->assoc == FSI_NO_INDEX)
		return uses_qos(m, j, at->qos);
	own = fsi_job_assoc(m, j);
	return own != FSI_NO_INDEX && own >= at->assoc && own < m->tree[at->assoc].end;
}
