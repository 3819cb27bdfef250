#include "model/flux/flux.h"

#include <stdlib.h>
#include <string.h>

/* GPUs of one of the slots or nodes, if all have as many; a job without GPUs has none on each. */
static int64_t gpus_of(const fs_snapshot *m, const struct fsi_job *job, int64_t slots)
{
	const int64_t all = fsi_amount_of(m, job->tres_req, fsi_name_find(m, "gres/gpu"));

	return slots ? (all + slots - 1) / slots : 0;
}

/* So many whole nodes (Rv1Pool.py: _select_resources). `flux jobs` does not tell the cores of a job that asks for
 * whole nodes. */
static struct fsi_flux_request whole_nodes(const fs_snapshot *m, const struct fsi_job *job)
{
	struct fsi_flux_request r = { .nodes = FSI_HAS(job, JOB, nodes) && job->nodes ? job->nodes : 1,
				      .cores = 1,
				      .whole = true };

	r.slots = r.nodes;
	if (FSI_HAS(job, JOB, cpus_per_task) && job->cpus_per_task > 1)
		r.cores = job->cpus_per_task;
	r.gpus = gpus_of(m, job, r.slots);
	return r;
}

struct fsi_flux_request fsi_flux_request(const fs_snapshot *m, const struct fsi_job *job)
{
	const int64_t cores = FSI_HAS(job, JOB, cpus) ? job->cpus : 0;
	struct fsi_flux_request r = { .nodes = FSI_HAS(job, JOB, nodes) ? job->nodes : 0, .cores = 1 };

	if (!strcmp(fsi_str(m, job->oversubscribe), "EXCLUSIVE"))
		return whole_nodes(m, job);
	if (cores < 1)
		return r;
	r.slots = r.nodes ? r.nodes : FSI_HAS(job, JOB, tasks) && job->tasks ? job->tasks : 1;
	if (r.slots > cores || cores % r.slots) /* slots are not known to be tasks */
		r.slots = r.nodes ? r.slots : 1;
	r.cores = (cores + r.slots - 1) / r.slots;
	r.gpus = gpus_of(m, job, r.slots);
	return r;
}

int64_t fsi_flux_slots_of(const fs_snapshot *m, const struct fsi_flux_request *want, const struct fsi_node *node)
{
	int64_t slots = node->cpus / want->cores;

	if (want->gpus) {
		const int64_t by_gpus = fsi_amount_of(m, node->tres, fsi_name_find(m, "gres/gpu")) / want->gpus;

		slots = by_gpus < slots ? by_gpus : slots;
	}
	return want->nodes && slots > 1 ? 1 : slots;
}

bool fsi_flux_may_use(const fs_snapshot *m, const struct fsi_job *job, const struct fsi_node *node)
{
	size_t n;
	const uint32_t *queues = fsi_list(m, job->partitions, &n);

	if (n && !fsi_list_has(m, node->partitions, fsi_str(m, queues[0])))
		return false;
	return fsi_flux_suits(m, fsi_str(m, job->features), node);
}

bool fsi_flux_stopped(const fs_snapshot *m, uint32_t partition)
{
	if (partition == FSI_NO_INDEX)
		return fsi_config_yes(m, "scheduling_stopped");
	return strstr(fsi_str(m, m->partition.v[partition].state), "STOPPED") != NULL;
}

bool fsi_flux_begins(const struct fsi_job *job, const char *dependency, int64_t *when)
{
	static const char stored[] = "begin-time=", shown[] = "begin@";

	if (!strncmp(dependency, stored, strlen(stored))) {
		*when = (int64_t)strtod(dependency + strlen(stored), NULL);
		return true;
	}
	if (strncmp(dependency, shown, strlen(shown)) != 0 || !FSI_HAS(job, JOB, eligible_time))
		return false;
	*when = job->eligible_time;
	return true;
}

bool fsi_flux_queues_differ(const fs_snapshot *m)
{
	for (size_t i = 0; i < m->partition.n; i++)
		if (!FSI_HAS(&m->partition.v[i], PARTITION, priority) || m->partition.v[i].priority != 0)
			return true;
	return fsi_hidden(m, "partition");
}
