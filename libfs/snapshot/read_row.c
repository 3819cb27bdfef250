/* How a row of the model is begun and ended, and which of its fields a key is. */
#include "base/bytes.h"
#include "model/scheduler.h"
#include "snapshot/reader.h"

#include <string.h>

unsigned fsi_reader_find_field(const struct fsi_reader *r, const char *key, size_t len, uint8_t *guess, unsigned from)
{
	const struct fsi_record_table *t = r->table;

	if (r->key_len[*guess] == len && fsi_equal_bytes(t->fields[*guess].key, key, len))
		return *guess;
	for (unsigned i = 0; i < t->nfields; i++) {
		const unsigned k = from + i < t->nfields ? from + i : from + i - t->nfields;

		if (r->key_len[k] == len && fsi_equal_bytes(t->fields[k].key, key, len))
			return *guess = (uint8_t)k;
	}
	return t->nfields;
}

#define DROP_ROW(TAG, name, json)                                                                  \
	case FSI_RECORD_##TAG:                                                                     \
		r->m->name.n--;                                                                    \
		break;

/* Drops the row that was begun, since it is none after all. */
static void drop_row(struct fsi_reader *r)
{
	if (r->type == FSI_RECORD_JOB)
		fsi_job_rare_drop_last(r->m);
	switch (r->type) {
		FSI_RECORD_TYPES(DROP_ROW)
	default:
		return;
	}
	r->found[r->type]--;
}

#define READ_TABLE(TAG, name, json)                                                                \
	case FSI_RECORD_##TAG:                                                                     \
		if (FSI_VEC_ROOM(&r->m->name))                                                     \
			return NULL;                                                               \
		rec = &r->m->name.v[r->m->name.n++].rec;                                           \
		break;

bool fsi_reader_without_jobs(struct fsi_reader *r)
{
	if (r->jobs == FSI_JOBS_UNSETTLED && !r->part) {
		const struct fsi_scheduler *s =
			fsi_scheduler_named(fsi_str(r->m, r->m->head.scheduler));

		if (!r->options.without_jobs || (s->shares_need_jobs && s->shares_need_jobs(r->m)))
			r->jobs = FSI_JOBS_KEPT;
		else
			r->jobs = s->shares_need_ended ? FSI_JOBS_ENDED_ALONE : FSI_JOBS_LEFT_OUT;
	}
	return r->jobs == FSI_JOBS_LEFT_OUT || r->jobs == FSI_JOBS_ENDED_ALONE;
}

static bool goes_on(const struct fsi_job *job)
{
	return job->state == FSI_STATE_PENDING || job->state == FSI_STATE_RUNNING;
}

struct fsi_rec *fsi_reader_begin_row(struct fsi_reader *r)
{
	struct fsi_rec *rec = NULL;

	switch (r->type) {
		FSI_RECORD_TYPES(READ_TABLE)
	default:
		return NULL;
	}
	memset(rec, 0, fsi_record_table(r->type)->size);
	rec->line = (uint32_t)r->where.line;
	r->found[r->type]++;
	return rec;
}

int fsi_reader_end_row(struct fsi_reader *r, int rc)
{
	if (!rc && r->type == FSI_RECORD_USAGE)
		rc = fsi_usage_check(&r->m->usage.v[r->m->usage.n - 1], r->where, r->err);
	if (rc)
		drop_row(r);
	if (r->options.without_usage)
		r->m->usage.n = 0;
	if (!rc && r->type == FSI_RECORD_JOB && fsi_reader_without_jobs(r) &&
	    (r->jobs == FSI_JOBS_LEFT_OUT || goes_on(&r->m->job.v[r->m->job.n - 1]))) {
		fsi_job_rare_drop_last(r->m);
		r->m->job.n--;
	}
	return rc;
}
