/* What jobs of Maui use of their credentials' limits (src/MPolicy.c:MPolicyAdjustUsage): running ones count with the
 * time they have left, pending ones with all of their time limit. */
#include "queue/maui/use.h"

#include <math.h>
#include <stdlib.h>

uint32_t fsi_maui_cred_name(const fs_snapshot *m, const struct fsi_job *j, enum fs_cred_kind kind)
{
	switch (kind) {
	case FS_CRED_USER:
		return j->user;
	case FS_CRED_GROUP:
		return j->group;
	case FS_CRED_ACCT:
		return j->account;
	case FS_CRED_CLASS:
		return fsi_list_first(m, j->partitions);
	default:
		return fsi_maui_qos(m, j);
	}
}

struct fsi_maui_pair fsi_maui_pair_of(const fs_snapshot *m, const struct fsi_job *j)
{
	return (struct fsi_maui_pair){ fsi_maui_cred_name(m, j, FS_CRED_USER),
				       fsi_maui_cred_name(m, j, FS_CRED_CLASS) };
}

struct fsi_maui_held fsi_maui_held_of(const struct fsi_maui_limits *x, const fs_snapshot *m, const struct fsi_job *j)
{
	const struct fsi_maui_pair pair = fsi_maui_pair_of(m, j);
	struct fsi_maui_held held;

	fsi_job_creds(m, &x->creds, j, held.row);
	for (int h = 0; h < FSI_MAUI_HOLDERS; h++) {
		const uint32_t id = h == FSI_MAUI_USER_OF_CLASS ? fsi_intern_find(&x->pair, &pair, sizeof(pair))
								: fsi_maui_cred_name(m, j, (enum fs_cred_kind)h);

		held.place[h] = id <= x->count[h] ? id : 0;
	}
	return held;
}

void fsi_maui_measure(const struct fs_queue *q, const struct fsi_job *j, double out[FSI_MAUI_MEASURES])
{
	const fs_snapshot *m = q->m;
	double seconds = (double)j->time_limit_s;

	if (fs_job_runs(m, (size_t)(j - m->job.v)) && FSI_HAS(j, JOB, start_time) && m->info.time > j->start_time)
		seconds -= (double)(m->info.time - j->start_time);
	seconds = fmax(seconds, 0);
	out[FSI_MAUI_JOBS] = 1;
	out[FSI_MAUI_PROCS] = j->cpus;
	out[FSI_MAUI_NODES] = j->nodes;
	out[FSI_MAUI_PROC_SECONDS] = j->cpus * seconds;
	out[FSI_MAUI_EQUIVALENTS] = trunc(fsi_maui_pe(m, &q->maui_limits->totals, j));
	out[FSI_MAUI_SECONDS] = seconds;
}

void fsi_maui_use_add(const struct fs_queue *q, struct fsi_maui_use *use, const struct fsi_job *j, int times)
{
	const struct fsi_maui_held *held = &q->maui_limits->held[j - q->m->job.v];
	double need[FSI_MAUI_MEASURES];

	fsi_maui_measure(q, j, need);
	for (int h = 0; h < FSI_MAUI_HOLDERS; h++) {
		const uint32_t place = held->place[h];

		for (int n = 0; n < FSI_MAUI_MEASURES && place; n++)
			use->of[h][(size_t)place * FSI_MAUI_MEASURES + (size_t)n] += times * need[n];
	}
}

bool fsi_maui_active(const fs_snapshot *m, size_t job)
{
	return fs_job_runs(m, job) && m->job.v[job].state != FSI_STATE_SUSPENDED;
}

bool fsi_maui_just_started(const fs_snapshot *m, size_t job)
{
	const struct fsi_job *j = &m->job.v[job];

	return fsi_maui_active(m, job) && FSI_HAS(j, JOB, start_time) && j->start_time == m->info.time;
}

void fsi_maui_use_release(struct fsi_maui_use *use)
{
	for (int h = 0; h < FSI_MAUI_HOLDERS; h++)
		free(use->of[h]);
	*use = (struct fsi_maui_use){ 0 };
}

int fsi_maui_use_make(struct fsi_maui_use *use, const struct fsi_maui_limits *x)
{
	*use = (struct fsi_maui_use){ 0 };
	for (int h = 0; h < FSI_MAUI_HOLDERS; h++) {
		use->of[h] = calloc(((size_t)x->count[h] + 1) * FSI_MAUI_MEASURES, sizeof(**use->of));
		if (!use->of[h]) {
			fsi_maui_use_release(use);
			return -1;
		}
	}
	return 0;
}
