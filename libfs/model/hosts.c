/* A node list of a few bytes may name a million nodes. What all lists of a snapshot name together has a bound, or a
 * small file would cost hours and all memory. */
#include "base/hostlist.h"
#include "model/model.h"

/* A hundred times the nodes of the largest machine, so that each may stand in so many lists. */
static const uint64_t all_hosts = 1u << 24;

static void add_hosts(uint64_t *sum, const fs_snapshot *m, uint32_t list)
{
	const uint64_t more = list ? fsi_hostlist_at_most(fsi_str(m, list)) : 0;

	*sum += more < FSI_MAX_HOSTS ? more : FSI_MAX_HOSTS;
}

int fsi_hosts_check(const fs_snapshot *m, struct fs_error *err)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < m->job.n; i++) {
		const struct fsi_job *j = &m->job.v[i];

		if (fsi_job_finished(j))
			continue;
		add_hosts(&sum, m, j->node_list);
		add_hosts(&sum, m, fsi_job_rare(m, j)->req_nodes);
		add_hosts(&sum, m, fsi_job_rare(m, j)->exc_nodes);
	}
	for (size_t i = 0; i < m->partition.n; i++)
		add_hosts(&sum, m, m->partition.v[i].nodes);
	for (size_t i = 0; i < m->reservation.n; i++)
		add_hosts(&sum, m, m->reservation.v[i].nodes);
	return sum <= all_hosts ? 0
				: fsi_fail(err, FS_EDATA, "%s: its node lists name more than %llu nodes in all", m->file,
					   (unsigned long long)all_hosts);
}
