/* References between records that lead nowhere. */
#include "model/maui.h"

#include <stdio.h>

struct checker {
	const fs_snapshot *m;
	fs_note_fn note;
	void *ctx;
	size_t count;
};

static void note_job(struct checker *c, const struct fsi_job *job, const char *what,
		     const char *name)
{
	char sentence[400];

	snprintf(sentence, sizeof(sentence), "%s:%u: job %llu: no %s \"%.100s\"", c->m->file,
		 job->rec.line, (unsigned long long)job->id, what, name);
	c->note(c->ctx, sentence);
	c->count++;
}

/* Maui's jobs refer to credentials, where any are known. */
static void check_maui_job(struct checker *c, const struct fsi_creds *creds,
			   const struct fsi_job *job)
{
	const struct {
		enum fs_cred_kind kind;
		uint32_t name;
	} owners[] = { { FS_CRED_USER, job->user },
		       { FS_CRED_GROUP, job->group },
		       { FS_CRED_ACCT, job->account } };

	for (size_t i = 0; i < sizeof(owners) / sizeof(*owners); i++)
		if (owners[i].name &&
		    fsi_creds_find(creds, owners[i].kind, owners[i].name) == FSI_NO_INDEX)
			note_job(c, job, fsi_cred_kind_word(owners[i].kind),
				 fsi_str(c->m, owners[i].name));
}

static size_t check_maui(struct checker *c)
{
	struct fsi_creds creds;

	if (fsi_creds_init(&creds, c->m))
		return 0;
	for (size_t i = 0; i < c->m->job.n; i++)
		check_maui_job(c, &creds, &c->m->job.v[i]);
	fsi_creds_release(&creds);
	return c->count;
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

	if (m->info.kind == FS_MAUI)
		return check_maui(&c);
	for (size_t i = 0; i < m->job.n; i++)
		check_job(&c, &m->job.v[i]);
	return c.count;
}
