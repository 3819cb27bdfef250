#include "model/find.h"
#include "model/flux.h"
#include "model/scheduler.h"
#include "snapshot/snapshot.h"

#include <stdio.h>
#include <string.h>

/* ---- references between records */

void fsi_check_note_job(struct fsi_checker *c, const struct fsi_job *job, const char *what, const char *name)
{
	char sentence[400];

	snprintf(sentence, sizeof(sentence), "%s:%u: job %llu: unknown %s \"%.100s\"", c->m->file, job->rec.line,
		 (unsigned long long)job->id, what, name);
	c->note(c->ctx, sentence);
	c->count++;
}

static void check_job_references(struct fsi_checker *c, const struct fsi_job *job)
{
	const fs_snapshot *m = c->m;
	size_t n;
	const uint32_t *names = fsi_list_items(m, job->partitions, &n);

	for (size_t i = 0; i < n; i++)
		if (!fsi_is_type_hidden(m, "partition") && !fsi_partition_find(m, names[i]))
			fsi_check_note_job(c, job, "partition", fsi_name_text(m, names[i]));
	names = fsi_list_items(m, job->qos, &n);
	for (size_t i = 0; i < n; i++)
		if (!fsi_is_type_hidden(m, "qos") && !fsi_qos_find(m, names[i]))
			fsi_check_note_job(c, job, "QOS", fsi_name_text(m, names[i]));
	if (job->account && !fsi_is_type_hidden(m, "association") && fsi_job_find_assoc(m, job) == FSI_NO_INDEX)
		fsi_check_note_job(c, job, "association of its owner with account", fsi_name_text(m, job->account));
}

/* Adds a note if part of the association tree is hidden. The note says the first of the following that is true: other
 * users are hidden (the tree has only the user who made the capture); the usage of some records is unknown; some
 * accounts or users are hidden. */
static void note_hidden_tree(struct fsi_checker *c)
{
	const fs_snapshot *m = c->m;
	const uint32_t caller = m->head.captured_by;
	size_t others = 0, used = 0;
	char sentence[400];

	if (!fsi_is_type_hidden(m, "association") || !m->association.n)
		return;
	for (size_t i = 0; i < m->association.n; i++) {
		others += m->association.v[i].user && m->association.v[i].user != caller;
		used += FSI_HAS(&m->association.v[i], ASSOCIATION, usage_tres_s);
	}
	if (!others && caller)
		snprintf(sentence, sizeof(sentence),
			 "association: the only user listed is %.100s, who made the capture; others were hidden",
			 fsi_name_text(m, caller));
	else if (used < m->association.n)
		snprintf(sentence, sizeof(sentence), "association: the usage of %zu of %zu records is unknown%s",
			 m->association.n - used, m->association.n, used ? ": it was hidden from the capture" : "");
	else
		snprintf(sentence, sizeof(sentence),
			 "association: some accounts or users were hidden from the capture");
	c->note(c->ctx, sentence);
}

size_t fsi_check_references(const fs_snapshot *m, fs_note_fn note, void *ctx)
{
	struct fsi_checker c = { m, note, ctx, 0 };

	note_hidden_tree(&c);
	for (size_t i = 0; i < m->job.n; i++)
		check_job_references(&c, &m->job.v[i]);
	return c.count;
}

size_t fs_snapshot_check(const fs_snapshot *m, fs_note_fn note, void *ctx)
{
	return m->scheduler->check_references ? m->scheduler->check_references(m, note, ctx) : 0;
}

/* ---- unknown values in a Flux capture */

/* Returns the number of pending jobs whose priority is unknown and cannot be predicted. Flux will compute the priority
 * of such a job from the queue of the job that the association submitted last. The snapshot does not show this last
 * job. */
static size_t count_unknown_priorities(const fs_snapshot *m)
{
	size_t n = 0;

	for (size_t i = 0; i < m->job.n; i++) {
		const struct fsi_job *job = &m->job.v[i];
		const bool waits = job->state == FSI_STATE_PENDING && !FSI_HAS(job, JOB, priority);
		const uint32_t a = waits ? m->scheduler->charged_to(m, job) : FSI_NO_INDEX;

		n += a != FSI_NO_INDEX && !FSI_HAS(&m->association.v[a], ASSOCIATION, last_job);
	}
	return n;
}

static void note_unknown_last_jobs(const fs_snapshot *m, fs_note_fn note, void *ctx)
{
	const size_t n = fsi_flux_queues_differ(m) ? count_unknown_priorities(m) : 0;
	const bool cut = fsi_is_type_hidden(m, FSI_HIDDEN_LAST_JOBS);
	char sentence[400];

	if (!n)
		return;
	snprintf(sentence, sizeof(sentence),
		 "%zu job%s no priority yet. Flux will use the queue of %s owner's last job, active or ended. %s", n,
		 n == 1 ? " has" : "s have", n == 1 ? "the" : "each",
		 cut ? "The captured ended jobs do not reach back that far, so the priority is unknown"
		     : "Ended jobs were not captured, so the last active job is used");
	note(ctx, sentence);
}

size_t fsi_check_flux_snapshot(const fs_snapshot *m, fs_note_fn note, void *ctx)
{
	note_unknown_last_jobs(m, note, ctx);
	return fsi_check_references(m, note, ctx);
}

/* Notes on unset values, for which Slurm's defaults apply. */

struct unset_counts {
	size_t preempt, priority, billing;
};

/* Counts unset values. In the output of sacctmgr the cell of an unset value is empty (src/sacctmgr/common.c). The
 * output of scontrol omits an unset TRESBillingWeights (src/api/partition_info.c: slurm_sprint_partition_info). */
static struct unset_counts count_unset_values(const fs_snapshot *m)
{
	struct unset_counts u = { 0 };

	for (size_t i = 0; i < m->qos.n; i++) {
		u.preempt += !m->qos.v[i].preempt;
		u.priority += !FSI_HAS(&m->qos.v[i], QOS, priority);
	}
	for (size_t i = 0; i < m->partition.n; i++)
		u.billing += !FSI_HAS(&m->partition.v[i], PARTITION, billing_weights);
	return u;
}

size_t fsi_check_slurm_snapshot(const fs_snapshot *m, fs_note_fn note, void *ctx)
{
	const struct unset_counts u = count_unset_values(m);
	char sentence[200];

	if (u.preempt) {
		snprintf(sentence, sizeof(sentence), "Preempt is not set in %zu of %zu QOS (they preempt no jobs)",
			 u.preempt, m->qos.n);
		note(ctx, sentence);
	}
	if (u.priority) {
		snprintf(sentence, sizeof(sentence), "Priority is not set in %zu of %zu QOS (it is 0)", u.priority,
			 m->qos.n);
		note(ctx, sentence);
	}
	if (u.billing) {
		snprintf(sentence, sizeof(sentence),
			 "TRESBillingWeights is not set in %zu of %zu partitions (each CPU counts as 1)", u.billing,
			 m->partition.n);
		note(ctx, sentence);
	}
	return fsi_check_references(m, note, ctx);
}
