/* fs_snapshot_verify for Flux: the factors in flux-accounting's tables against ours, and the priorities of jobs.
 *
 * Told, and no mismatch:
 *   - a user at 0.5 who has used nothing: new users start there and stay until fair share is next updated;
 *   - a priority with the factor of another queue of the job's owner: the plugin keeps it with the user and bank, and
 *     gives all their jobs the one of the queue they last submitted to (src/plugins/mf_priority.cpp);
 *   - jobs without a priority, and users who are not counted, are not compared. */
#include "priority/flux.h"
#include "priority/verify.h"

#include <math.h>

static void verify_user(struct fsi_verify *v, uint32_t i)
{
	const double never_ranked = 0.5;
	const struct fsi_association *a = &v->m->association.v[i];
	const double ours = fsi_flux_stored(v->shares->f.share[i].factor);
	struct fs_verify_column *c = fsi_verify_column(v->out, "fairshare");

	if (isnan(ours) || fsi_hidden(v->m, "association")) {
		c->unknown++;
		return;
	}
	c->compared++;
	if (fabs(a->fairshare - ours) < 0.5e-6)
		return;
	if (a->fairshare == never_ranked && a->usage_tres_s == 0) {
		fsi_verify_note(
			v->note, v->ctx,
			"user %s in %s: fairshare 0.5 is that of a new user, not yet ranked "
			"(ours is %.6f): no error",
			fsi_str(v->m, a->user), fsi_str(v->m, a->account), ours);
		return;
	}
	c->differ++;
	fsi_verify_note(v->note, v->ctx, "user %s in %s: fairshare: listed %.6f, computed %.6f",
			fsi_str(v->m, a->user), fsi_str(v->m, a->account), a->fairshare, ours);
}

enum { TERMS = 8 };

/* Counts jobs by the factor of theirs that nothing captured tells. */
struct unknown {
	size_t jobs[TERMS];
	const char *name[TERMS];
};

static void count_unknown(struct unknown *u, const struct fs_prio_row *row, size_t terms)
{
	for (size_t t = 0; t < terms && t < TERMS; t++) {
		if (!isnan(row->terms[t].points))
			continue;
		u->jobs[t]++;
		u->name[t] = row->terms[t].name;
	}
}

static void note_unknown(const struct fsi_verify *v, const struct unknown *u)
{
	for (size_t t = 0; t < TERMS; t++)
		if (u->jobs[t])
			fsi_verify_note(v->note, v->ctx, "of %zu job%s the priority is not compared: the snapshot has nothing that tells its factor %s",
					u->jobs[t], u->jobs[t] == 1 ? "" : "s", u->name[t]);
}

static void verify_job(struct fsi_verify *v, size_t i, struct unknown *unknown)
{
	struct fs_verify_column *c = fsi_verify_column(v->out, "priority");
	const struct fsi_job *job;
	struct fs_prio_row row;
	char f58[FS_F58_TEXT];
	const char *queue;

	fs_prios_row(v->prios, i, &row);
	job = &v->m->job.v[row.job_row];
	if (!FSI_HAS(job, JOB, priority))
		return;
	if (isnan(row.sum)) {
		c->unknown++;
		count_unknown(unknown, &row, fs_prios_terms(v->prios));
		return;
	}
	c->compared++;
	queue = fsi_flux_other_queue(v->prios, i);
	if (row.priority == job->priority && !queue)
		return;
	fs_f58_format(row.job, false, f58);
	if (row.priority == job->priority) {
		fsi_verify_note(
			v->note, v->ctx,
			"job %s (%s): its priority %u has the factor of queue %s: Flux keeps that "
			"with the user and bank, not with the job: no error",
			f58, row.partition, job->priority, queue);
		return;
	}
	c->differ++;
	fsi_verify_note(v->note, v->ctx, "job %s (%s): priority: held %u, computed %.0f", f58,
			row.partition, job->priority, row.priority);
}

int fsi_verify_flux(struct fsi_verify *v, struct fs_error *err)
{
	struct unknown unknown = { .jobs = { 0 } };

	(void)err;
	for (uint32_t i = 0; v->shares && i < v->m->association.n; i++)
		if (FSI_HAS(&v->m->association.v[i], ASSOCIATION, fairshare) &&
		    !v->m->tree[i].uncounted)
			verify_user(v, i);
	for (size_t i = 0; v->prios && i < fs_prios_count(v->prios); i++)
		verify_job(v, i, &unknown);
	note_unknown(v, &unknown);
	return 0;
}
