#include "model/model.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

fs_snapshot *fsi_model_new(const char *file)
{
	fs_snapshot *m = calloc(1, sizeof(*m));

	if (!m)
		return NULL;
	m->file = fsi_arena_strndup(&m->arena, file, strlen(file));
	if (!m->file) {
		fs_snapshot_free(m);
		return NULL;
	}
	return m;
}

#define FREE_TABLE(TAG, name, json) FSI_VEC_FREE(&m->name);
#define LEAVE_TABLE(table) m->table.v = NULL
#define COPY_TABLE(table) own((void **)&m->table.v, m->table.n, sizeof(*m->table.v))

/* Allocates *rows anew; a table that is not filled has no rows to copy. */
static int own(void **rows, size_t n, size_t size)
{
	void *copy = n ? malloc(n * size) : NULL;

	if (n && !copy)
		return -1;
	if (n)
		memcpy(copy, *rows, n * size);
	*rows = copy;
	return 0;
}

int fsi_begun_note(fs_snapshot *m, const struct fsi_job *jobs, uint32_t first, size_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		if (jobs[i].state == FSI_STATE_PENDING)
			continue;
		if (FSI_VEC_ROOM(&m->begun.row))
			return -1;
		m->begun.row.v[m->begun.row.n++] = first + i;
	}
	return 0;
}

int fsi_model_own(fs_snapshot *m)
{
	m->kept.size = 0;
	m->begun.known = false;
	if (!m->borrowed)
		return 0;
	const struct fs_snapshot was = *m;

	if (!COPY_TABLE(job) && !COPY_TABLE(job_rare) && !COPY_TABLE(usage) && !COPY_TABLE(recorded)) {
		m->job.cap = m->job.n;
		m->job_rare.cap = m->job_rare.n;
		m->usage.cap = m->usage.n;
		m->recorded.cap = m->recorded.n;
		m->borrowed = false;
		return 0;
	}
	if (m->job.v != was.job.v)
		free(m->job.v);
	if (m->job_rare.v != was.job_rare.v)
		free(m->job_rare.v);
	if (m->usage.v != was.usage.v)
		free(m->usage.v);
	*m = was;
	return -1;
}

void fs_snapshot_free(fs_snapshot *m)
{
	if (!m)
		return;
	if (m->borrowed) {
		LEAVE_TABLE(job);
		LEAVE_TABLE(job_rare);
		LEAVE_TABLE(usage);
		LEAVE_TABLE(recorded);
	}
	if (m->release)
		m->release(m->release_ctx);
	FSI_RECORD_TYPES(FREE_TABLE)
	FSI_VEC_FREE(&m->begun.row);
	FSI_VEC_FREE(&m->job_rare);
	FSI_VEC_FREE(&m->config);
	FSI_VEC_FREE(&m->warnings);
	fsi_intern_release(&m->names);
	fsi_intern_release(&m->sets);
	fsi_arena_release(&m->arena);
	free(m);
}

struct fsi_job_rare *fsi_job_rare_own(fs_snapshot *m, struct fsi_job *job)
{
	if (!job->rare) {
		if (FSI_VEC_ROOM(&m->job_rare) || m->job_rare.n >= UINT32_MAX)
			return NULL;
		m->job_rare.v[m->job_rare.n++] = fsi_job_without_rare;
		job->rare = (uint32_t)m->job_rare.n;
	}
	return &m->job_rare.v[job->rare - 1];
}

void fsi_job_rare_drop_last(fs_snapshot *m)
{
	const struct fsi_job *last = &m->job.v[m->job.n - 1];

	if (last->rare && last->rare == m->job_rare.n)
		m->job_rare.n--;
}

uint32_t fsi_name(fs_snapshot *m, const char *s)
{
	return fsi_intern(&m->names, s, strlen(s));
}

uint32_t fsi_name_find(const fs_snapshot *m, const char *s)
{
	return fsi_intern_find(&m->names, s, strlen(s));
}

static const void *set_members(const fs_snapshot *m, uint32_t set, size_t size, size_t *n)
{
	*n = fsi_intern_len(&m->sets, set) / size;
	return fsi_intern_str(&m->sets, set);
}

const uint32_t *fsi_list(const fs_snapshot *m, uint32_t set, size_t *n)
{
	return set_members(m, set, sizeof(uint32_t), n);
}

const struct fsi_amount *fsi_amounts(const fs_snapshot *m, uint32_t set, size_t *n)
{
	return set_members(m, set, sizeof(struct fsi_amount), n);
}

const struct fsi_amountf *fsi_amountfs(const fs_snapshot *m, uint32_t set, size_t *n)
{
	return set_members(m, set, sizeof(struct fsi_amountf), n);
}

bool fsi_list_has(const fs_snapshot *m, uint32_t set, const char *word)
{
	size_t n;
	const uint32_t *ids = fsi_list(m, set, &n), id = n ? fsi_name_find(m, word) : 0;

	for (size_t i = 0; id && i < n; i++)
		if (ids[i] == id)
			return true;
	return false;
}

uint32_t fsi_list_first(const fs_snapshot *m, uint32_t set)
{
	size_t n;
	const uint32_t *ids = fsi_list(m, set, &n);

	return n ? ids[0] : 0;
}

int fsi_list_add(fs_snapshot *m, uint32_t *list, size_t max, uint32_t name)
{
	uint32_t ids[FSI_LIST_ADD_MAX], set;
	size_t n;
	const uint32_t *old = fsi_list(m, *list, &n);

	if (name == FSI_INTERN_FAILED)
		return -1;
	if (n >= max || n >= FSI_LIST_ADD_MAX)
		return 1;
	if (n)
		memcpy(ids, old, n * sizeof(*ids));
	ids[n] = name;
	set = fsi_intern(&m->sets, ids, (n + 1) * sizeof(*ids));
	if (set == FSI_INTERN_FAILED)
		return -1;
	*list = set;
	return 0;
}

int64_t fsi_amount_of(const fs_snapshot *m, uint32_t set, uint32_t tres)
{
	size_t n;
	const struct fsi_amount *a = fsi_amounts(m, set, &n);

	for (size_t i = 0; i < n; i++)
		if (a[i].tres == tres)
			return a[i].n;
	return 0;
}

int64_t fsi_job_asks(const fs_snapshot *m, const struct fsi_job *job, uint32_t tres)
{
	const int64_t counted = fsi_amount_of(m, job->tres_req, tres);

	if (fsi_job_rare(m, job)->no_gres && !strncmp(fsi_str(m, tres), "gres/", strlen("gres/")))
		return 0;
	return counted ? counted : fsi_amount_of(m, fsi_job_rare(m, job)->gres_req, tres);
}

bool fsi_hidden(const fs_snapshot *m, const char *type)
{
	return fsi_list_has(m, m->head.hidden, type);
}

int fsi_warn(fs_snapshot *m, const char *fmt, ...)
{
	char buf[512];
	const char *copy;
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(buf, sizeof(buf), fmt, ap);
	va_end(ap);
	copy = fsi_arena_strndup(&m->arena, buf, strlen(buf));
	if (!copy || FSI_VEC_ROOM(&m->warnings))
		return -1;
	m->warnings.v[m->warnings.n++] = copy;
	return 0;
}

size_t fs_snapshot_warnings(const fs_snapshot *m)
{
	return m->warnings.n;
}

const char *fs_snapshot_warning(const fs_snapshot *m, size_t i)
{
	return i < m->warnings.n ? m->warnings.v[i] : NULL;
}

struct fsi_where fsi_where_of(const fs_snapshot *m, const struct fsi_rec *rec)
{
	return (struct fsi_where){ m->file, rec->line, 0 };
}

const struct fsi_reservation *fsi_reservation_find(const fs_snapshot *m, uint32_t name)
{
	for (size_t i = 0; i < m->reservation.n; i++)
		if (m->reservation.v[i].name == name)
			return &m->reservation.v[i];
	return NULL;
}

const struct fsi_qos *fsi_job_highest_qos(const fs_snapshot *m, const struct fsi_job *job)
{
	size_t n;
	const uint32_t *names = fsi_list(m, job->qos, &n);
	const struct fsi_qos *best = NULL;

	for (size_t i = 0; i < n; i++) {
		const struct fsi_qos *q = fsi_qos_find(m, names[i]);

		if (q && (!best || q->priority > best->priority))
			best = q;
	}
	return best;
}
