/* References between records that lead nowhere. */
#include "snapshot/check.h"

#include "model/maui/maui.h"
#include "model/scheduler.h"

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

/* Maui's jobs refer to credentials, where any are known. */
static void check_owners(struct checker *c, const struct fsi_creds *creds, const struct fsi_job *job)
{
	const struct {
		enum fs_cred_kind kind;
		uint32_t name;
	} owners[] = { { FS_CRED_USER, job->user },
		       { FS_CRED_GROUP, job->group },
		       { FS_CRED_ACCT, job->account } };

	for (size_t i = 0; i < sizeof(owners) / sizeof(*owners); i++)
		if (owners[i].name && fsi_creds_find(creds, owners[i].kind, owners[i].name) == FSI_NO_INDEX)
			note_job(c, job, fs_cred_kind_name(owners[i].kind), fsi_str(c->m, owners[i].name));
}

size_t fsi_check_credentials(const fs_snapshot *m, fs_note_fn note, void *ctx)
{
	struct checker c = { m, note, ctx, 0 };
	struct fsi_creds creds;

	if (fsi_creds_init(&creds, m))
		return 0;
	for (size_t i = 0; i < m->job.n; i++)
		check_owners(&c, &creds, &m->job.v[i]);
	fsi_creds_release(&creds);
	return c.count;
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

/* Notes from whose rows and whose usage it is seen that part of the tree is hidden. */
static void check_tree(struct checker *c)
{
	const fs_snapshot *m = c->m;
	const uint32_t caller = m->head.captured_by;
	size_t others = 0, used = 0;
	char sentence[400];

	if (!fsi_hidden(m, "association") || !m->association.n)
		return;
	for (size_t i = 0; i < m->association.n; i++) {
		others += m->association.v[i].user && m->association.v[i].user != caller;
		used += FSI_HAS(&m->association.v[i], ASSOCIATION, usage_tres_s);
	}
	if (!others && caller)
		snprintf(sentence, sizeof(sentence),
			 "association: the only user listed is %.100s, who captured: others were hidden",
			 fsi_str(m, caller));
	else if (used < m->association.n)
		snprintf(sentence, sizeof(sentence),
			 "association: the usage of %zu of %zu is not known%s",
			 m->association.n - used, m->association.n,
			 used ? ": it was hidden from the capture" : "");
	else
		snprintf(sentence, sizeof(sentence),
			 "association: some accounts or users were hidden from the capture");
	c->note(c->ctx, sentence);
}

size_t fsi_check_references(const fs_snapshot *m, fs_note_fn note, void *ctx)
{
	struct checker c = { m, note, ctx, 0 };

	check_tree(&c);
	for (size_t i = 0; i < m->job.n; i++)
		check_job(&c, &m->job.v[i]);
	return c.count;
}

size_t fs_snapshot_check(const fs_snapshot *m, fs_note_fn note, void *ctx)
{
	return m->scheduler->check ? m->scheduler->check(m, note, ctx) : 0;
}
