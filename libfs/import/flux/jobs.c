/* `flux jobs -A -a --json`: {"jobs": [{...}, ...]}, or one job by itself (flux-core, src/cmd/flux-jobs.py and
 * src/bindings/python/flux/job/info.py). */
#include "import/flux/flux.h"
#include "import/required.h"

#include "base/num.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const job_files[] = { "flux-jobs_-A_-a_--json.json", "flux-jobs_-a_--json.json",
					  "flux-jobs_-A_--json.json", "flux-jobs_--json.json", NULL };

static const struct fsi_import_map job_map[] = {
	{ "id", FSI_JOB_id },	      { "name", FSI_JOB_name },	      { "username", FSI_JOB_user },
	{ "userid", FSI_JOB_uid },    { "bank", FSI_JOB_account },    { "ntasks", FSI_JOB_tasks },
	{ "ncores", FSI_JOB_cpus },   { "nnodes", FSI_JOB_nodes },    { "urgency", FSI_JOB_urgency },
	{ "state", FSI_JOB_phase },   { "nodelist", FSI_JOB_node_list },
};

/* What `flux jobs` prints of every job: its urgency and, but for whole nodes, cores; the queue where there are queues,
 * and the bank where there are banks, which flux-accounting's plugin writes into each job; the priority once it has
 * one; of those that depend on something what that is; the nodes of those that run
 * (src/bindings/python/flux/job/info.py leaves out what is empty). */
enum { OF_URGENCY, OF_CORES, OF_SUBMIT, OF_USER, OF_BANK, OF_QUEUE, OF_PRIORITY, OF_DEPENDENCIES, OF_NODES };
static const struct fsi_required of_jobs[] = {
	[OF_URGENCY] = FSI_ALWAYS("urgency"),	  [OF_CORES] = FSI_ALWAYS("ncores"),
	[OF_SUBMIT] = FSI_ALWAYS("t_submit"),	  [OF_USER] = FSI_ALWAYS("username"),
	[OF_BANK] = FSI_ALWAYS("bank"),		  [OF_QUEUE] = FSI_ALWAYS("queue"),
	[OF_PRIORITY] = FSI_ALWAYS("priority"),	  [OF_DEPENDENCIES] = FSI_ALWAYS("dependencies"),
	[OF_NODES] = FSI_ALWAYS("nnodes"),
};

struct jobs {
	struct fsi_flux_import *f;
	struct fsi_lacking lacking;
	size_t queued; /* those that have a queue: if any has, all must */
};

static void look_at_job(struct jobs *j, const struct fsi_job *job)
{
	const fs_snapshot *m = j->f->imp.m;
	const char *phase = fsi_str(m, fsi_job_rare(m, job)->phase);
	const bool runs = !strcmp(phase, "RUN");
	const bool lacks[] = {
		[OF_URGENCY] = !FSI_HAS(job, JOB, urgency),
		[OF_CORES] = !FSI_HAS(job, JOB, cpus) && strcmp(fsi_str(m, job->oversubscribe), "EXCLUSIVE") != 0,
		[OF_SUBMIT] = !FSI_HAS(job, JOB, submit_time),
		[OF_USER] = !FSI_HAS(job, JOB, user),
		[OF_BANK] = m->association.n && !FSI_HAS(job, JOB, account),
		[OF_QUEUE] = !FSI_HAS(job, JOB, partitions),
		[OF_PRIORITY] = (runs || !strcmp(phase, "SCHED")) && !FSI_HAS(job, JOB, priority),
		[OF_DEPENDENCIES] = !strcmp(phase, "DEPEND") && !FSI_HAS(job, JOB, dependency),
		[OF_NODES] = runs && !FSI_HAS(job, JOB, nodes),
	};

	j->lacking.records++;
	j->queued += FSI_HAS(job, JOB, partitions);
	for (size_t i = 0; i < sizeof(lacks) / sizeof(*lacks); i++)
		j->lacking.n[i] += lacks[i];
}

static const struct fsi_json *number(const struct fsi_json *object, const char *key)
{
	const struct fsi_json *v = fsi_json_member(object, key);

	return v && fsi_json_type(v) == FSI_JNUMBER ? v : NULL;
}

/* Sets whole seconds from seconds with a fraction; 0 is not known. */
static int set_time(struct fsi_flux_import *f, const struct fsi_json *object, const char *key,
		    struct fsi_job *job, unsigned bit, int64_t *out)
{
	const struct fsi_json *v = number(object, key);
	const double t = v ? fsi_json_double(v) : 0;

	if (!(t >= 0 && t <= (double)FSI_SECONDS_MAX))
		return fsi_fail_at(f->imp.err, f->imp.where, key, "expected seconds since 1970");
	if (t > 0) {
		*out = (int64_t)t;
		fsi_mark_known(&job->rec, bit);
	}
	return 0;
}

static enum fsi_job_state state_of(struct fsi_span phase, struct fsi_span result)
{
	static const struct {
		const char *word;
		enum fsi_job_state state;
	} phases[] = { { "NEW", FSI_STATE_PENDING },	  { "DEPEND", FSI_STATE_PENDING },
		       { "PRIORITY", FSI_STATE_PENDING }, { "SCHED", FSI_STATE_PENDING },
		       { "RUN", FSI_STATE_RUNNING },	  { "CLEANUP", FSI_STATE_COMPLETING } },
	  results[] = { { "COMPLETED", FSI_STATE_COMPLETED }, { "FAILED", FSI_STATE_FAILED },
			{ "CANCELED", FSI_STATE_CANCELLED },   { "TIMEOUT", FSI_STATE_TIMEOUT } };

	for (size_t i = 0; i < sizeof(phases) / sizeof(*phases); i++)
		if (fsi_span_is(phase, phases[i].word))
			return phases[i].state;
	for (size_t i = 0; fsi_span_is(phase, "INACTIVE") && i < sizeof(results) / sizeof(*results);
	     i++)
		if (fsi_span_is(result, results[i].word))
			return results[i].state;
	return FSI_STATE_UNKNOWN;
}

static int set_duration(struct fsi_flux_import *f, const struct fsi_json *object, struct fsi_job *job)
{
	const struct fsi_json *v = number(object, "duration");
	const double d = v ? fsi_json_double(v) : 0;

	if (!v)
		return 0;
	if (!(d >= 0 && d <= (double)FSI_SECONDS_MAX))
		return fsi_fail_at(f->imp.err, f->imp.where, "duration", "expected seconds");
	FSI_SET(job, JOB, time_limit_s);
	if (d == 0) /* 0 is no limit */
		job->rec.special |= 1u << FSI_JOB_time_limit_s;
	job->time_limit_s = (int64_t)ceil(d);
	return 0;
}

static int set_times(struct fsi_flux_import *f, const struct fsi_json *v, struct fsi_job *job)
{
	const struct fsi_json *sched = fsi_json_member(fsi_json_member(v, "annotations"), "sched");
	int rc = set_time(f, v, "t_submit", job, FSI_JOB_submit_time, &job->submit_time);

	if (!rc)
		rc = set_time(f, v, "t_sched", job, FSI_JOB_eligible_time, &job->eligible_time);
	if (!rc && job->state == FSI_STATE_PENDING)
		rc = set_time(f, sched, "t_estimate", job, FSI_JOB_start_time, &job->start_time);
	else if (!rc)
		rc = set_time(f, v, "t_run", job, FSI_JOB_start_time, &job->start_time);
	if (!rc && job->state == FSI_STATE_RUNNING)
		rc = set_time(f, v, "expiration", job, FSI_JOB_end_time, &job->end_time);
	else if (!rc)
		rc = set_time(f, v, "t_inactive", job, FSI_JOB_end_time, &job->end_time);
	return rc ? rc : set_duration(f, v, job);
}

static int set_text(struct fsi_flux_import *f, struct fsi_job *job, unsigned bit, uint32_t *out,
		    const char *text)
{
	*out = fsi_import_name(&f->imp, fsi_span_of(text));
	fsi_mark_known(&job->rec, bit);
	return *out == FSI_INTERN_FAILED ? fsi_nomem(f->imp.err) : 0;
}

/* The list as one text with commas between. */
static int join(struct fsi_flux_import *f, const struct fsi_json *list, char *text, size_t size)
{
	size_t n = 0;

	text[0] = '\0';
	for (const struct fsi_json *d = fsi_json_first(list); d; d = fsi_json_next(d)) {
		if (fsi_json_type(d) != FSI_JSTRING)
			return fsi_fail_at(f->imp.err, f->imp.where, "dependencies",
					   "expected strings");
		n += (size_t)snprintf(text + n, size - n, "%s%s", n ? "," : "", fsi_json_string(d));
		if (n >= size)
			return fsi_fail_at(f->imp.err, f->imp.where, "dependencies",
					   "more than 4000 bytes of them");
	}
	return 0;
}

/* Sets the reason from the words of INFO in `flux jobs`: why a pending job waits. */
static int set_reason(struct fsi_flux_import *f, const struct fsi_json *v, struct fsi_job *job)
{
	const struct fsi_json *list = fsi_json_member(v, "dependencies");
	const char *phase = fsi_str(f->imp.m, fsi_job_rare(f->imp.m, job)->phase);
	char text[4000], reason[4100];
	int rc = list && fsi_json_type(list) == FSI_JARRAY ? join(f, list, text, sizeof(text))
							   : (text[0] = '\0', 0);

	if (!rc && *text)
		rc = set_text(f, job, FSI_JOB_dependency, &job->dependency, text);
	if (rc || job->state != FSI_STATE_PENDING)
		return rc;
	reason[0] = '\0';
	if (!strcmp(phase, "DEPEND"))
		snprintf(reason, sizeof(reason), "depends%s%s", *text ? ":" : "", text);
	else if (!strcmp(phase, "PRIORITY"))
		strcpy(reason, "priority-wait");
	else if (FSI_HAS(job, JOB, urgency) && !fsi_job_rare(f->imp.m, job)->urgency)
		strcpy(reason, "held");
	else if (FSI_HAS(job, JOB, priority) && !job->priority)
		strcpy(reason, "priority-hold");
	return *reason ? set_text(f, job, FSI_JOB_reason, &job->reason, reason) : 0;
}

/* The factor that flux-accounting posts with the priority has six decimals. */
static int set_numbers(struct fsi_flux_import *f, const struct fsi_json *v, struct fsi_job *job)
{
	const struct fsi_json *priority = number(v, "priority");
	const struct fsi_json *share =
		number(fsi_json_member(fsi_json_member(v, "annotations"), "user"), "fairshare");
	uint64_t whole;

	if (priority) {
		if (fsi_json_u64(priority, &whole) || whole > UINT32_MAX)
			return fsi_fail_at(f->imp.err, f->imp.where, "priority",
					   "expected 0 to 4294967295");
		FSI_PUT(job, JOB, priority, (uint32_t)whole);
	}
	if (share && fsi_json_double(share) >= 0 && fsi_json_double(share) <= 1 &&
	    FSI_SET_RARE(f->imp.m, job, fairshare_ppm, (uint32_t)lround(fsi_json_double(share) * 1e6)))
		return fsi_nomem(f->imp.err);
	return 0;
}

static int set_queue(struct fsi_flux_import *f, struct fsi_job *job, struct fsi_span queue)
{
	uint32_t name;

	if (!queue.s || !queue.len)
		return 0;
	name = fsi_import_name(&f->imp, queue);
	if (name == FSI_INTERN_FAILED)
		return fsi_nomem(f->imp.err);
	FSI_PUT(job, JOB, partitions, fsi_intern(&f->imp.m->sets, &name, sizeof(name)));
	return job->partitions == FSI_INTERN_FAILED ? fsi_nomem(f->imp.err) : 0;
}

/* Sets the TRES that a job which has run held, for its charge. */
static int set_tres(struct fsi_flux_import *f, struct fsi_job *job)
{
	fs_snapshot *m = f->imp.m;
	struct fsi_amount a[2];
	size_t n = 0;

	if (!FSI_HAS(job, JOB, start_time) || job->state == FSI_STATE_PENDING)
		return 0;
	if (FSI_HAS(job, JOB, nodes))
		a[n++] = (struct fsi_amount){ fsi_name(m, "node"), 0, job->nodes };
	if (FSI_HAS(job, JOB, cpus))
		a[n++] = (struct fsi_amount){ fsi_name(m, "cpu"), 0, job->cpus };
	for (size_t i = 0; i < n; i++)
		if (a[i].tres == FSI_INTERN_FAILED)
			return fsi_nomem(f->imp.err);
	FSI_PUT(job, JOB, tres_alloc, fsi_intern(&m->sets, a, n * sizeof(*a)));
	return job->tres_alloc == FSI_INTERN_FAILED ? fsi_nomem(f->imp.err) : 0;
}

static int add_job(struct fsi_flux_import *f, const struct fsi_json *v, const struct fsi_kv *row)
{
	fs_snapshot *m = f->imp.m;
	const struct fsi_span phase = fsi_kv_get(row, "state");
	struct fsi_job *job = FSI_VEC_ADD(&m->job);
	int rc;

	if (!job)
		return fsi_nomem(f->imp.err);
	job->state = FSI_STATE_UNKNOWN;
	rc = fsi_flux_set(f, row, job_map, sizeof(job_map) / sizeof(*job_map), FSI_RECORD_JOB, &job->rec);
	if (!rc && !phase.s)
		rc = fsi_fail_at(f->imp.err, f->imp.where, "state", "missing");
	if (rc)
		return rc;
	FSI_PUT(job, JOB, state, (uint8_t)state_of(phase, fsi_kv_get(row, "result")));
	rc = fsi_import_complete(&f->imp, FSI_RECORD_JOB, &job->rec);
	if (!rc)
		rc = set_queue(f, job, fsi_kv_get(row, "queue"));
	if (!rc)
		rc = set_times(f, v, job);
	if (!rc)
		rc = set_tres(f, job);
	if (!rc)
		rc = set_numbers(f, v, job);
	if (!rc)
		rc = fsi_flux_cores(f, v, job);
	if (!rc)
		rc = set_reason(f, v, job);
	if (!rc && FSI_HAS(job, JOB, urgency) && fsi_job_rare(m, job)->urgency > 31)
		rc = fsi_fail_at(f->imp.err, f->imp.where, "urgency", "expected 0 to 31");
	return rc;
}

/* The document around the jobs has the key "jobs"; any other object is a job. */
static int object(void *ctx, uint32_t depth, const struct fsi_json *v, struct fsi_where where)
{
	struct jobs *j = ctx;
	struct fsi_flux_import *f = j->f;
	struct fsi_kv *row;
	char numbers[FSI_FLUX_NUMBERS];
	int rc;

	f->imp.where = where;
	if (!depth && fsi_json_member(v, "jobs"))
		return 0;
	row = malloc(sizeof(*row));
	rc = row ? fsi_flux_flatten(f, v, row, numbers) : fsi_nomem(f->imp.err);
	if (!rc)
		rc = add_job(f, v, row);
	free(row);
	return rc;
}

int fsi_flux_jobs(struct fsi_flux_import *f)
{
	static const char *const keys[] = { "jobs", NULL };
	struct jobs j = { .f = f };
	const struct fsi_json_split split = { keys, NULL, object, &j };
	int rc = 1;

	for (const char *const *file = job_files; *file && rc == 1; file++) {
		f->jobs_file = *file;
		rc = fsi_import_json(&f->imp, *file, &split);
	}
	return rc == 1 ? fsi_import_hide(&f->imp, "job") : rc;
}

int fsi_flux_jobs_whole(struct fsi_flux_import *f)
{
	const fs_snapshot *m = f->imp.m;
	struct jobs j = { .f = f };

	if (f->partial || !m->job.n)
		return 0;
	for (size_t i = 0; i < m->job.n; i++)
		look_at_job(&j, &m->job.v[i]);
	if (!m->partition.n && !j.queued)
		j.lacking.n[OF_QUEUE] = 0;
	return fsi_lacking_warn(&f->imp, &j.lacking, of_jobs, sizeof(of_jobs) / sizeof(*of_jobs), f->jobs_file);
}
