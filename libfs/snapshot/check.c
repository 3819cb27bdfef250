/* References that lead nowhere, and the small questions about a snapshot. */
#include "model/model.h"
#include "snapshot/field.h"

#include <stdio.h>
#include <string.h>

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

const struct fs_snapshot_info *fs_snapshot_info(const fs_snapshot *m)
{
	return &m->info;
}

bool fs_snapshot_hidden(const fs_snapshot *m, const char *type)
{
	return fsi_hidden(m, type);
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

const char *fs_snapshot_config_text(const fs_snapshot *m, const char *name)
{
	const struct fsi_config_entry *e = fsi_config_find(m, name);

	return e && e->kind == FSI_CONFIG_STR ? fsi_str(m, (uint32_t)e->i) : NULL;
}

const char *fs_snapshot_tres_name(const fs_snapshot *m, size_t i)
{
	return fsi_str(m, m->tres.v[i].name);
}

size_t fs_snapshot_tres_count(const fs_snapshot *m)
{
	return m->tres.n;
}

static const struct fsi_record_table *table_at(size_t i)
{
	if (!i)
		return fsi_header_table();
	return i <= FSI_RECORD_COUNT ? fsi_record_table((enum fsi_record_type)(i - 1)) : NULL;
}

bool fs_format_type(size_t i, const char **type)
{
	const struct fsi_record_table *t = table_at(i);

	if (t)
		*type = t->type;
	return t != NULL;
}

bool fs_format_field(size_t i, size_t k, struct fs_format_field *out)
{
	const struct fsi_record_table *t = table_at(i);

	if (!t || k >= t->nfields)
		return false;
	*out = (struct fs_format_field){ t->fields[k].key, fsi_field_type_text(t->fields[k].type),
					 t->fields[k].unit, t->fields[k].help,
					 (t->fields[k].flags & FSI_REQ) != 0 };
	return true;
}
