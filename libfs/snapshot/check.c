/* References between records that lead nowhere. */
#include "model/model.h"

#include <stdio.h>

struct checker {
	const fs_snapshot *m;
	fs_note_fn note;
	void *ctx;
	size_t count;
};

static void note_job(struct checker *c, const struct fsi_job *job, const char *what, const char *name)
{
	char sentence[400];

	snprintf(sentence, sizeof(sentence), "%s:%u: job %llu: no %s \"%.100s\"", c->m->file,
		 job->rec.line, (unsigned long long)job->id, what, name);
	c->note(c->ctx, sentence);
	c->count++;
}

static void check_job(struct checker *c, const struct fsi_job *job)
{
	const fs_snapshot *m = c->m;
	size_t n;
	const uint32_t *names = fsi_list(m, job->partitions, &n);

	for (size_t i = 0; i < n; i++)
		if (!fsi_hidden(m, "partition") && !fsi_partition_find(m, names[i]))
			note_job(c, job, "partition", fsi_str(m, names[i]));
	names = fsi_list(m, job->qos, &n);
	for (size_t i = 0; i < n; i++)
		if (!fsi_hidden(m, "qos") && !fsi_qos_find(m, names[i]))
			note_job(c, job, "QOS", fsi_str(m, names[i]));
	if (job->account && !fsi_hidden(m, "association") && fsi_job_assoc(m, job) == FSI_NO_INDEX)
		note_job(c, job, "association of its owner with account", fsi_str(m, job->account));
}

size_t fs_snapshot_check(const fs_snapshot *m, fs_note_fn note, void *ctx)
{
	struct checker c = { m, note, ctx, 0 };

	for (size_t i = 0; i < m->job.n; i++)
		check_job(&c, &m->job.v[i]);
	return c.count;
}
