/* What sprio's job-size factor tells of a waiting job: how many CPUs it counts for, where that may be more than it asks
 * for; and whether it takes whole nodes, where OverSubscribe no longer says so.
 *
 * Before 23.11.6 whoever was tried in a partition with OverSubscribe=FORCE says OverSubscribe=YES from then on
 * (src/slurmctld/node_scheduler.c: _resolve_shared_status sets share_res, select_nodes does not put it back;
 * job_mgr.c: _pack_default_job_details), but counts for all CPUs of its nodes once it was tested
 * (select/cons_common/job_test.c: common_job_test, total_cpus). More than it could be given where it shared them is
 * whole nodes. */
#include "import/import.h"
#include "model/job/size.h"
#include "model/job/request.h"
#include "model/slurm/conf.h"

#include <math.h>
#include <string.h>

static bool in_forced_partition(const fs_snapshot *m, const struct fsi_job *job)
{
	size_t n;
	const uint32_t *names = fsi_list(m, job->partitions, &n);

	for (size_t i = 0; i < n; i++) {
		const struct fsi_partition *p = fsi_partition_find(m, names[i]);

		if (p && !strncmp(fsi_str(m, p->oversubscribe), "FORCE", strlen("FORCE")))
			return true;
	}
	return false;
}

/* 0: not told. */
static double counted_cpus(const fs_snapshot *m, double nodes, double factor)
{
	struct fsi_job_size s = { .nodes = nodes };
	struct fsi_slurm_conf conf;
	struct fs_error err;

	if (fsi_slurm_conf_load(m, &conf, &err) || conf.small_relative_to_time)
		return 0;
	s.small = conf.favor_small;
	fsi_job_size_of_cluster(m, &s);
	return isnan(s.of_cpus) ? 0 : fsi_job_size_cpus(&s, factor);
}

static int note_whole(fs_snapshot *m, struct fsi_job *job, const struct fsi_requests *requests, double factor)
{
	const struct fsi_request shared = fsi_request_of(requests, job, FSI_NO_INDEX);
	const double cpus = counted_cpus(m, shared.nodes, factor);
	struct fsi_request whole;

	if (cpus <= (double)shared.max)
		return 0;
	if (FSI_SET_RARE(m, job, whole_nodes, true))
		return -1;
	whole = fsi_request_of(requests, job, FSI_NO_INDEX);
	if (cpus < (double)whole.min || cpus > (double)whole.max)
		FSI_CLEAR_RARE(m, job, whole_nodes);
	return 0;
}

/* Those that GPUs brought it when it was first tested are what it counts for, if it neither asks for so many nor would
 * get them now. In several partitions, or with GPUs by task, what it would get is not told well enough. */
static int note_gpu_cpus(fs_snapshot *m, struct fsi_job *job, const struct fsi_requests *requests, double factor)
{
	const struct fsi_request q = fsi_request_of(requests, job, FSI_NO_INDEX);
	const bool by_task = !strcmp(fsi_str(m, fsi_job_rare(m, job)->gres_per), "task");
	const double cpus = fsi_job_asks(m, job, requests->gpu) > 0 ? counted_cpus(m, q.nodes, factor) : 0;
	size_t partitions;

	fsi_list(m, job->partitions, &partitions);
	if (partitions != 1 || by_task)
		return 0;
	if (cpus <= (double)q.asked || (cpus >= (double)q.min && cpus <= (double)q.max))
		return 0;
	return FSI_SET_RARE(m, job, gpu_cpus, (uint32_t)cpus);
}

int fsi_slurm_note_size(fs_snapshot *m, struct fsi_job *job, const struct fsi_requests *requests,
			const struct fsi_recorded *r)
{
	if (!FSI_HAS(r, RECORDED, norm_jobsize) || !(r->norm_jobsize > 0))
		return 0;
	if (job->state != FSI_STATE_PENDING) /* what runs tells no more how many nodes it asked for */
		return job->nodes > 1 ? FSI_SET_RARE(m, job, size_factor, r->norm_jobsize) : 0;
	if (!fs_slurm_has(m->info.version, FS_SLURM_EXCLUSIVE_TOLD) && !requests->linear &&
	    in_forced_partition(m, job) && !fsi_request_whole(m, job, NULL) &&
	    note_whole(m, job, requests, r->norm_jobsize))
		return -1;
	if (note_gpu_cpus(m, job, requests, r->norm_jobsize))
		return -1;
	return fsi_request_of(requests, job, FSI_NO_INDEX).why ? FSI_SET_RARE(m, job, size_factor, r->norm_jobsize) : 0;
}
