#include "model/credential.h"

#include "base/error.h"
#include "fs/job.h"

#include <stdlib.h>
#include <string.h>

#define KIND_WORD(tag, word) word,
static const char *const kind_words[] = { FSI_CRED_KINDS(KIND_WORD) "sched" };
static const char *const mode_words[] = { "target", "floor", "ceiling", "cap_rel", "cap_abs" };

int fsi_parse_cred_kind(const char *word)
{
	for (int i = 0; i <= FS_CRED_KINDS; i++)
		if (!strcmp(kind_words[i], word))
			return i;
	return -1;
}

const char *fs_cred_kind_name(enum fs_cred_kind kind)
{
	return kind_words[kind];
}

int fsi_parse_target_mode(const char *word)
{
	for (int i = 0; i < (int)(sizeof(mode_words) / sizeof(*mode_words)); i++)
		if (!strcmp(mode_words[i], word))
			return i;
	return *word ? -1 : FS_TARGET_EXACT;
}

const char *fs_target_mode_name(enum fs_target_mode mode)
{
	return mode_words[mode];
}

int fsi_creds_init(struct fsi_creds *x, const fs_snapshot *m)
{
	*x = (struct fsi_creds){ .names = m->names.count };
	for (int k = 0; k < FS_CRED_KINDS; k++) {
		x->row[k] = calloc((size_t)x->names + 1, sizeof(*x->row[k]));
		if (!x->row[k]) {
			fsi_creds_release(x);
			return -1;
		}
	}
	for (uint32_t i = 0; i < m->credential.n; i++) {
		const struct fsi_credential *c = &m->credential.v[i];

		x->row[fsi_parse_cred_kind(fsi_name_text(m, c->kind))][c->name] = i + 1;
	}
	return 0;
}

void fsi_creds_release(struct fsi_creds *x)
{
	for (int k = 0; k < FS_CRED_KINDS; k++)
		free(x->row[k]);
	*x = (struct fsi_creds){ 0 };
}

uint32_t fsi_creds_find(const struct fsi_creds *x, enum fs_cred_kind kind, uint32_t name)
{
	const uint32_t row = name && name <= x->names ? x->row[kind][name] : 0;

	return row ? row - 1 : FSI_NO_INDEX;
}

uint32_t fsi_job_qos_or_default(const fs_snapshot *m, const struct fsi_job *job)
{
	size_t n;
	const uint32_t *qos = fsi_list_items(m, job->qos, &n);

	return n ? qos[0] : fsi_name_find(m, "DEFAULT");
}

void fsi_job_find_creds(const fs_snapshot *m, const struct fsi_creds *x, const struct fsi_job *job,
			uint32_t out[FS_CRED_KINDS])
{
	size_t n;
	const uint32_t *class = fsi_list_items(m, job->partitions, &n);

	out[FS_CRED_USER] = fsi_creds_find(x, FS_CRED_USER, job->user);
	out[FS_CRED_GROUP] = fsi_creds_find(x, FS_CRED_GROUP, job->group);
	out[FS_CRED_ACCT] = fsi_creds_find(x, FS_CRED_ACCT, job->account);
	out[FS_CRED_QOS] = fsi_creds_find(x, FS_CRED_QOS, fsi_job_qos_or_default(m, job));
	out[FS_CRED_CLASS] = fsi_creds_find(x, FS_CRED_CLASS, n ? class[0] : 0);
}

/* Checks the kind and mode of credential i, and that no earlier one has its kind and name. seen: 1 + row by name and
 * kind. Error: FS_EDATA. */
static int check_credential_record(fs_snapshot *m, const struct fsi_credential *c, uint32_t *seen, uint32_t i,
				   struct fs_error *err)
{
	const struct fsi_input_position where = fsi_record_position(m, &c->rec);
	const int kind = fsi_parse_cred_kind(fsi_name_text(m, c->kind));
	uint32_t *earlier;

	if (kind < 0 || kind >= FS_CRED_KINDS)
		return fsi_fail_at(err, where, "kind", "no kind of credential \"%.64s\"", fsi_name_text(m, c->kind));
	if (fsi_parse_target_mode(fsi_name_text(m, c->target_mode)) < 0)
		return fsi_fail_at(err, where, "target_mode", "no target mode \"%.64s\"",
				   fsi_name_text(m, c->target_mode));
	earlier = &seen[(size_t)c->name * FS_CRED_KINDS + (size_t)kind];
	if (*earlier)
		return fsi_fail_at(err, where, "name", "%s \"%.100s\" appears twice",
				   kind_words[kind], fsi_name_text(m, c->name));
	*earlier = i + 1;
	return 0;
}

/* Checks the kind of a window's row, and that the row has a name unless it is the total. Error: FS_EDATA. */
static int check_window_record(const fs_snapshot *m, const struct fsi_window *w, struct fs_error *err)
{
	const struct fsi_input_position where = fsi_record_position(m, &w->rec);
	const int kind = fsi_parse_cred_kind(fsi_name_text(m, w->kind));

	if (kind < 0)
		return fsi_fail_at(err, where, "kind", "no kind of credential \"%.64s\"", fsi_name_text(m, w->kind));
	if (kind < FS_CRED_KINDS && !w->name)
		return fsi_fail_at(err, where, "name", "missing");
	return 0;
}

int fsi_credentials_check(fs_snapshot *m, struct fs_error *err)
{
	uint32_t *seen;
	int rc = 0;

	if (fsi_name_intern(m, kind_words[FS_CRED_KINDS]) ==
	    FSI_INTERN_FAILED) /* a plan that closes windows needs the name */
		return fsi_fail_no_memory(err);
	seen = calloc(((size_t)m->names.count + 1) * FS_CRED_KINDS, sizeof(*seen));
	if (!seen)
		return fsi_fail_no_memory(err);
	for (uint32_t i = 0; i < m->credential.n && !rc; i++)
		rc = check_credential_record(m, &m->credential.v[i], seen, i, err);
	free(seen);
	for (size_t i = 0; i < m->window.n && !rc; i++)
		rc = check_window_record(m, &m->window.v[i], err);
	return rc;
}
