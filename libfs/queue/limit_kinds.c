/* Every limit that Slurm has but those of ageing jobs, which are priority/accrue.c's. */
#include "queue/limits.h"

#include <string.h>

#define KIND(TAG, type, field_type, member, name, measure, counted)                                            \
	{ name, FSI_##measure, FSI_##counted, field_type, FSI_##TAG##_##member, offsetof(struct fsi_##type, member) }
#define A_TRES(member, name, measure) KIND(ASSOCIATION, association, FSI_TRES, member, name, measure, EVERYBODY)
#define A_JOBS(member, name, measure) KIND(ASSOCIATION, association, FSI_U32, member, name, measure, EVERYBODY)
#define A_TIME(member, name, measure) KIND(ASSOCIATION, association, FSI_DUR, member, name, measure, EVERYBODY)
#define Q_TRES(member, name, measure, counted) KIND(QOS, qos, FSI_TRES, member, name, measure, counted)
#define Q_JOBS(member, name, measure, counted) KIND(QOS, qos, FSI_U32, member, name, measure, counted)
#define Q_TIME(member, name, measure) KIND(QOS, qos, FSI_DUR, member, name, measure, EVERYBODY)

const struct fsi_limit_kind fsi_assoc_limits[] = {
	A_TRES(grp_tres, "GrpTRES", RUNNING_TRES),
	A_JOBS(grp_jobs, "GrpJobs", RUNNING_JOBS),
	A_JOBS(grp_submit_jobs, "GrpSubmitJobs", QUEUED_JOBS),
	A_TRES(grp_tres_min, "GrpTRESMins", USED_MINUTES),
	A_TRES(grp_tres_run_min, "GrpTRESRunMins", PROMISED_MINUTES),
	A_TIME(grp_wall_s, "GrpWall", USED_WALL),
	/* of the job's own association alone, which has them from its parents if not by itself */
	A_JOBS(max_jobs, "MaxJobs", RUNNING_JOBS),
	A_JOBS(max_submit_jobs, "MaxSubmitJobs", QUEUED_JOBS),
	A_TRES(max_tres, "MaxTRESPerJob", JOB_TRES),
	A_TRES(max_tres_per_node, "MaxTRESPerNode", NODE_TRES),
	A_TRES(max_tres_min, "MaxTRESMinsPerJob", JOB_MINUTES),
	A_TIME(max_wall_s, "MaxWall", JOB_TIME),
};
const size_t fsi_group_limit_count = 6;
const size_t fsi_assoc_limit_count = sizeof(fsi_assoc_limits) / sizeof(*fsi_assoc_limits);

const struct fsi_limit_kind fsi_qos_limits[] = {
	Q_TRES(grp_tres, "GrpTRES", RUNNING_TRES, EVERYBODY),
	Q_JOBS(grp_jobs, "GrpJobs", RUNNING_JOBS, EVERYBODY),
	Q_JOBS(grp_submit_jobs, "GrpSubmitJobs", QUEUED_JOBS, EVERYBODY),
	Q_TRES(grp_tres_min, "GrpTRESMins", USED_MINUTES, EVERYBODY),
	Q_TRES(grp_tres_run_min, "GrpTRESRunMins", PROMISED_MINUTES, EVERYBODY),
	Q_TIME(grp_wall_s, "GrpWall", USED_WALL),
	Q_TRES(max_tres_per_user, "MaxTRESPU", RUNNING_TRES, USER),
	Q_JOBS(max_jobs_per_user, "MaxJobsPU", RUNNING_JOBS, USER),
	Q_JOBS(max_submit_jobs_per_user, "MaxSubmitJobsPU", QUEUED_JOBS, USER),
	Q_TRES(max_tres_run_min_per_user, "MaxTRESRunMinsPU", PROMISED_MINUTES, USER),
	Q_TRES(max_tres_per_account, "MaxTRESPA", RUNNING_TRES, ACCOUNT),
	Q_JOBS(max_jobs_per_account, "MaxJobsPA", RUNNING_JOBS, ACCOUNT),
	Q_JOBS(max_submit_jobs_per_account, "MaxSubmitJobsPA", QUEUED_JOBS, ACCOUNT),
	Q_TRES(max_tres_run_min_per_account, "MaxTRESRunMinsPA", PROMISED_MINUTES, ACCOUNT),
	Q_TRES(max_tres, "MaxTRESPerJob", JOB_TRES, EVERYBODY),
	Q_TRES(max_tres_per_node, "MaxTRESPerNode", NODE_TRES, EVERYBODY),
	Q_TRES(max_tres_min, "MaxTRESMinsPerJob", JOB_MINUTES, EVERYBODY),
	Q_TIME(max_wall_s, "MaxWall", JOB_TIME),
	Q_TRES(min_tres, "MinTRESPerJob", MIN_TRES, EVERYBODY),
};
const size_t fsi_qos_limit_count = sizeof(fsi_qos_limits) / sizeof(*fsi_qos_limits);

bool fsi_limit_before_nodes(const struct fsi_limit_kind *k)
{
	return k->measure == FSI_RUNNING_JOBS || k->measure == FSI_USED_WALL ||
	       k->measure == FSI_JOB_TIME;
}

bool fsi_limit_name_before_nodes(const char *name)
{
	for (size_t i = 0; i < fsi_assoc_limit_count; i++)
		if (!strcmp(fsi_assoc_limits[i].name, name))
			return fsi_limit_before_nodes(&fsi_assoc_limits[i]);
	for (size_t i = 0; i < fsi_qos_limit_count; i++)
		if (!strcmp(fsi_qos_limits[i].name, name))
			return fsi_limit_before_nodes(&fsi_qos_limits[i]);
	return false;
}

bool fsi_limit_holds(const struct fsi_limit_kind *k, unsigned version)
{
	return k->measure != FSI_PROMISED_MINUTES || k->counted == FSI_EVERYBODY ||
	       fs_slurm_has(version, FS_SLURM_RUN_MINUTES_OF_USERS);
}

/* MaxJobs and MaxSubmitJobs give way to those of the user and to those of the account. */
bool fsi_limit_replaces(const struct fsi_limit_kind *q, const struct fsi_limit_kind *a)
{
	const size_t len = strlen(a->name);

	if (!strcmp(q->name, a->name))
		return true;
	return (!strcmp(a->name, "MaxJobs") || !strcmp(a->name, "MaxSubmitJobs")) &&
	       !strncmp(q->name, a->name, len) &&
	       (!strcmp(q->name + len, "PU") || !strcmp(q->name + len, "PA"));
}
