/* Of each association the job that it submitted last: flux-accounting computes priorities with the queue of that one,
 * be it over or not (src/plugins/mf_priority.cpp: new_cb keeps the queue's factor with the association).
 *
 *   {"from": 1795310875.5, "jobs": [{"id": 7, "userid": 1, "username": "a", "bank": "x", "queue": "q",
 *    "t_submit": 5.5}]}
 *
 * What ended before `from` is not listed (job-list hands out the latest that ended first: src/modules/job-list/list.c),
 * nor does the plugin know what was submitted before its broker began, 0 neither holds. Without it the jobs are those
 * of `flux jobs`, which stops at 1000. So the last job known is the last one if it was submitted after `from`, since
 * all that is not listed had ended by then. */
#include "import/flux/flux.h"

#include "base/num.h"
#include "model/scheduler.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LISTED = 1000 };

struct reading {
	struct fsi_flux_import *f;
	double first; /* `from`: the earliest end of the jobs listed */
	bool told;    /* from */
};

static int seconds(struct fsi_flux_import *f, const struct fsi_json *v, const char *key, double *out)
{
	const struct fsi_json *t = fsi_json_member(v, key);

	if (!t || fsi_json_type(t) == FSI_JNULL)
		return 0;
	*out = fsi_json_type(t) == FSI_JNUMBER ? fsi_json_double(t) : (double)NAN;
	return *out >= 0 && *out <= (double)FSI_SECONDS_MAX
		       ? 0
		       : fsi_fail_at(f->imp.err, f->imp.where, key, "expected seconds since 1970");
}

/* 0: none. */
static uint32_t name_of(struct fsi_flux_import *f, const struct fsi_json *v, const char *key)
{
	const struct fsi_json *text = fsi_json_member(v, key);
	const char *s = text && fsi_json_type(text) == FSI_JSTRING ? fsi_json_string(text) : "";

	return *s ? fsi_import_name(&f->imp, fsi_span_of(s)) : 0;
}

/* The user by the name that associations have for him, which the host that was asked may not have known. */
static uint32_t user_of(struct fsi_flux_import *f, const struct fsi_json *v)
{
	const fs_snapshot *m = f->imp.m;
	const struct fsi_json *id = fsi_json_member(v, "userid");
	const uint32_t name = name_of(f, v, "username");
	uint64_t uid;

	if (name && name != FSI_INTERN_FAILED && fsi_flux_numbered(&f->user, name) != FSI_NO_INDEX)
		return name;
	if (id && fsi_json_type(id) == FSI_JNUMBER && !fsi_json_u64(id, &uid))
		for (size_t i = 0; i < m->user.n; i++)
			if (FSI_HAS(&m->user.v[i], USER, uid) && m->user.v[i].uid == uid)
				return m->user.v[i].name;
	return name;
}

static int add_submitted(struct fsi_flux_import *f, struct fsi_flux_submitted s)
{
	if (s.user == FSI_INTERN_FAILED || s.bank == FSI_INTERN_FAILED || s.queue == FSI_INTERN_FAILED ||
	    FSI_VEC_ROOM(&f->ended))
		return fsi_nomem(f->imp.err);
	f->ended.v[f->ended.n++] = s;
	return 0;
}

static int read_one(void *ctx, uint32_t depth, const struct fsi_json *v, struct fsi_where where)
{
	struct reading *r = ctx;
	struct fsi_flux_import *f = r->f;
	const struct fsi_json *id = fsi_json_member(v, "id");
	struct fsi_flux_submitted s = { .id = 0 };
	double at = 0, end = INFINITY;
	int rc;

	f->imp.where = where;
	if (!depth && fsi_json_member(v, "jobs")) {
		r->told = fsi_json_member(v, "from") != NULL;
		return seconds(f, v, "from", &f->ended_from);
	}
	if (!id || fsi_json_type(id) != FSI_JNUMBER || fsi_json_u64(id, &s.id))
		return fsi_fail_at(f->imp.err, where, "id", "expected a job id");
	rc = seconds(f, v, "t_submit", &at);
	if (!rc)
		rc = seconds(f, v, "t_inactive", &end);
	if (rc)
		return rc;
	r->first = end < r->first ? end : r->first;
	s.user = user_of(f, v);
	s.bank = name_of(f, v, "bank");
	s.queue = name_of(f, v, "queue");
	s.time = (int64_t)at;
	return add_submitted(f, s);
}

/* A listing of all jobs has those that ended too, and tells as much as a file of them. */
static void ended_of_listing(struct fsi_flux_import *f, double *first)
{
	const fs_snapshot *m = f->imp.m;

	f->ended_known = f->jobs_file && strstr(f->jobs_file, "_-a_") && m->job.n;
	for (size_t i = 0; f->ended_known && i < m->job.n; i++) {
		const struct fsi_job *job = &m->job.v[i];

		if (fsi_job_finished(job) && FSI_HAS(job, JOB, end_time) && (double)job->end_time < *first)
			*first = (double)job->end_time;
	}
}

int fsi_flux_ended(struct fsi_flux_import *f)
{
	static const char *const files[] = { "flux_jobs_ended.json", "flux-jobs_-A_--filter=inactive_--json.json",
					     NULL };
	static const char *const keys[] = { "jobs", NULL };
	struct reading r = { .f = f, .first = INFINITY };
	const struct fsi_json_split split = { keys, NULL, read_one, &r };
	size_t listed;
	int rc = 1;

	for (const char *const *file = files; *file && rc == 1; file++)
		rc = fsi_import_json(&f->imp, *file, &split);
	f->ended_known = rc == 0;
	listed = f->ended.n;
	if (rc == 1) {
		ended_of_listing(f, &r.first);
		listed = f->imp.m->job.n;
		rc = 0;
	}
	if (!rc && !r.told && listed >= LISTED)
		f->ended_from = r.first;
	return !rc && f->ended_known && f->ended_from > 0 ? fsi_import_hide(&f->imp, FSI_HIDDEN_LAST_JOBS) : rc;
}

/* ---- when all is read */

static int latest_first(const void *a, const void *b, const void *ctx)
{
	const uint64_t x = ((const struct fsi_flux_submitted *)a)->id, y = ((const struct fsi_flux_submitted *)b)->id;

	(void)ctx;
	return (x < y) - (x > y);
}

static int add_listed(struct fsi_flux_import *f)
{
	const fs_snapshot *m = f->imp.m;
	int rc = 0;

	for (size_t i = 0; i < m->job.n && !rc; i++) {
		const struct fsi_job *job = &m->job.v[i];

		rc = add_submitted(f, (struct fsi_flux_submitted){ job->user, job->account,
								   fsi_list_first(m, job->partitions), job->id,
								   job->submit_time });
	}
	return rc;
}

static void set_last(struct fsi_association *a, const struct fsi_flux_submitted *s)
{
	FSI_PUT(a, ASSOCIATION, last_job, s->id);
	a->last_queue = s->queue;
	if (s->queue)
		FSI_SET(a, ASSOCIATION, last_queue);
}

/* Sets the first of each association, in the order in which they are sorted; seen is all false. */
static void set_all(struct fsi_flux_import *f, bool *seen)
{
	fs_snapshot *m = f->imp.m;

	for (size_t i = 0; i < f->ended.n; i++) {
		const struct fsi_flux_submitted *s = &f->ended.v[i];
		const struct fsi_job job = { .user = s->user, .account = s->bank };
		const uint32_t a = m->scheduler->charged_to(m, &job);

		if (a == FSI_NO_INDEX || seen[a])
			continue;
		seen[a] = true;
		if (!(f->ended_from > 0) || (double)s->time >= ceil(f->ended_from))
			set_last(&m->association.v[a], s);
	}
}

int fsi_flux_last_jobs(struct fsi_flux_import *f)
{
	bool *seen = calloc(f->imp.m->association.n + 1, sizeof(*seen));
	int rc = seen ? 0 : fsi_nomem(f->imp.err);

	if (!rc && f->ended_known)
		rc = add_listed(f);
	if (!rc && f->ended_known && fs_sort(f->ended.v, f->ended.n, sizeof(*f->ended.v), latest_first, NULL))
		rc = fsi_nomem(f->imp.err);
	if (!rc && f->ended_known)
		set_all(f, seen);
	free(seen);
	return rc;
}
