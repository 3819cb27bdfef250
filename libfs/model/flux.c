#include "model/flux.h"

#include <string.h>

struct fsi_flux_request fsi_flux_request(const struct fsi_job *job)
{
	const int64_t cores = FSI_HAS(job, JOB, cpus) ? job->cpus : 0;
	struct fsi_flux_request r = { .nodes = FSI_HAS(job, JOB, nodes) ? job->nodes : 0, .cores = 1 };

	if (cores < 1)
		return r;
	r.slots = r.nodes ? r.nodes : FSI_HAS(job, JOB, tasks) && job->tasks ? job->tasks : 1;
	if (r.slots > cores || cores % r.slots) /* slots are not known to be tasks */
		r.slots = r.nodes ? r.slots : 1;
	r.cores = (cores + r.slots - 1) / r.slots;
	return r;
}

bool fsi_flux_may_use(const fs_snapshot *m, const struct fsi_job *job, const struct fsi_node *node)
{
	const char *s = fsi_str(m, job->features);
	size_t n;
	const uint32_t *queues = fsi_list(m, job->partitions, &n);

	if (n && !fsi_list_has(m, node->partitions, fsi_str(m, queues[0])))
		return false;
	while (*s) {
		const size_t len = strcspn(s, ",");
		char name[256];

		if (len < sizeof(name)) {
			memcpy(name, s, len);
			name[len] = '\0';
			if (!fsi_list_has(m, node->features, name))
				return false;
		}
		s += len + (s[len] == ',');
	}
	return true;
}

bool fsi_flux_stopped(const fs_snapshot *m, uint32_t partition)
{
	const struct fsi_config_entry *e = fsi_config_find(m, "scheduling_stopped");

	if (partition == FSI_NO_INDEX)
		return e && e->kind == FSI_CONFIG_BOOL && e->i;
	return strstr(fsi_str(m, m->partition.v[partition].state), "STOPPED") != NULL;
}
