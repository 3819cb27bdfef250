/* The small questions commands ask of a snapshot. */
#include "model/model.h"

#include <string.h>

const struct fs_snapshot_info *fs_snapshot_info(const fs_snapshot *m)
{
	return &m->info;
}

bool fs_snapshot_hidden(const fs_snapshot *m, const char *type)
{
	return fsi_hidden(m, type);
}

const char *fs_snapshot_source(const fs_snapshot *m, size_t i)
{
	size_t n;
	const uint32_t *all = fsi_list(m, m->head.sources, &n);

	return i < n ? fsi_str(m, all[i]) : NULL;
}

const char *fs_snapshot_user_name(const fs_snapshot *m, uint32_t uid)
{
	for (size_t i = 0; i < m->user.n; i++)
		if (FSI_HAS(&m->user.v[i], USER, uid) && m->user.v[i].uid == uid)
			return fsi_str(m, m->user.v[i].name);
	for (size_t i = 0; i < m->job.n; i++)
		if (FSI_HAS(&m->job.v[i], JOB, uid) && m->job.v[i].uid == uid)
			return fsi_str(m, m->job.v[i].user);
	return NULL;
}

bool fs_snapshot_has_user(const fs_snapshot *m, const char *name)
{
	const uint32_t id = fsi_name_find(m, name);

	if (id && fsi_user_find(m, id))
		return true;
	for (size_t i = 0; id && i < m->association.n; i++)
		if (m->association.v[i].user == id)
			return true;
	for (size_t i = 0; id && i < m->job.n; i++)
		if (m->job.v[i].user == id)
			return true;
	return false;
}

bool fs_snapshot_has_account(const fs_snapshot *m, const char *name)
{
	const uint32_t id = fsi_name_find(m, name);

	for (size_t i = 0; id && i < m->association.n; i++)
		if (m->association.v[i].account == id)
			return true;
	for (size_t i = 0; id && i < m->job.n; i++)
		if (m->job.v[i].account == id)
			return true;
	return false;
}

uint32_t fsi_qos_priority(const fs_snapshot *m, uint32_t name)
{
	const struct fsi_qos *q = fsi_qos_find(m, name);

	return q ? q->priority : 0;
}

const struct fsi_partition *fsi_first_partition(const fs_snapshot *m, const struct fsi_job *job)
{
	size_t n;
	const uint32_t *names = fsi_list(m, job->partitions, &n);

	return n ? fsi_partition_find(m, names[0]) : NULL;
}

const struct fsi_qos *fsi_first_qos(const fs_snapshot *m, const struct fsi_job *job)
{
	size_t n;
	const uint32_t *names = fsi_list(m, job->qos, &n);

	return n ? fsi_qos_find(m, names[0]) : NULL;
}

bool fsi_node_in(const fs_snapshot *m, const struct fsi_node *node, uint32_t partition)
{
	size_t n;
	const uint32_t *names = fsi_list(m, node->partitions, &n);

	for (size_t i = 0; i < n; i++)
		if (names[i] == m->partition.v[partition].name)
			return true;
	return false;
}

const char *fs_snapshot_tres_name(const fs_snapshot *m, size_t i)
{
	return fsi_str(m, m->tres.v[i].name);
}

size_t fs_snapshot_tres_count(const fs_snapshot *m)
{
	return m->tres.n;
}

bool fs_snapshot_account_within(const fs_snapshot *m, const char *account, const char *ancestor)
{
	const uint32_t name = fsi_name_find(m, account), above = fsi_name_find(m, ancestor);
	uint32_t i = name ? fsi_assoc_find(m, name, 0, 0) : FSI_NO_INDEX;

	for (; above && i != FSI_NO_INDEX; i = m->tree[i].parent)
		if (m->association.v[i].account == above)
			return true;
	return false;
}

const char *fs_snapshot_partition_name(const fs_snapshot *m, size_t i)
{
	return i < m->partition.n ? fsi_str(m, m->partition.v[i].name) : NULL;
}

const struct fsi_node *fsi_node_find(const fs_snapshot *m, uint32_t name)
{
	for (size_t i = 0; name && i < m->node.n; i++)
		if (m->node.v[i].name == name)
			return &m->node.v[i];
	return NULL;
}

uint32_t fsi_job_row(const fs_snapshot *m, uint64_t id)
{
	size_t lo = 0, hi = m->job.n;

	while (lo < hi) {
		const size_t mid = lo + (hi - lo) / 2;

		if (m->job.v[mid].id < id)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < m->job.n && m->job.v[lo].id == id ? (uint32_t)lo : FSI_NO_INDEX;
}

const struct fsi_qos *fsi_job_tried_qos(const fs_snapshot *m, const struct fsi_job *job)
{
	size_t lo = 0, hi = m->tried.n;

	while (lo < hi) {
		const size_t mid = lo + (hi - lo) / 2;

		if (m->tried.v[mid].job < job->id)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < m->tried.n && m->tried.v[lo].job == job->id ? fsi_qos_find(m, m->tried.v[lo].qos) : NULL;
}

bool fs_view_differs(const fs_snapshot *m, const struct fs_view *v)
{
	return m->edits || (v && (v->computed || v->algorithm || v->position != FS_POSITION_POW2 || v->compat ||
				  v->maui_dialect != FS_MAUI_CODE || v->usage));
}

bool fsi_slurm_job_begins(const fs_snapshot *m, const struct fsi_job *job, int64_t now)
{
	/* beginnings of the reasons that slurmctld gives only after the begin time (job_independent) */
	static const char *const first[] = {
		"Priority", "Resources", "Licenses", "QOS", "Assoc", "Max", "Partition", "AccountNotAllowed",
		"Job's account", "Job's QOS", "ReqNodeNotAvail", "Required", "Nodes", "Constraints",
		"NvidiaImexChannels", "MpiPortsBusy", "BurstBufferResources", "BurstBufferStageIn",
	};
	const char *reason = FSI_HAS(job, JOB, reason) ? fsi_str(m, job->reason) : "";

	if (FSI_HAS(job, JOB, eligible_time))
		return job->eligible_time <= now;
	for (size_t i = 0; i < sizeof(first) / sizeof(*first); i++)
		if (!strncmp(reason, first[i], strlen(first[i])))
			return true;
	return false;
}

int64_t fsi_reservation_opens(const fs_snapshot *m, const struct fsi_reservation *r)
{
	return FSI_HAS(r, RESERVATION, start_time) && !fsi_list_has(m, r->flags, "FLEX") ? r->start_time : INT64_MIN;
}

int64_t fsi_reservation_closes(const fs_snapshot *m, const struct fsi_reservation *r)
{
	return FSI_HAS(r, RESERVATION, end_time) && !fsi_list_has(m, r->flags, "FLEX") ? r->end_time : INT64_MAX;
}
