#include "base/num.h"
#include "base/vec.h"
#include "import/consistency.h"
#include "import/flux/flux.h"
#include "import/flux/machine.h"
#include "model/model.h"
#include "model/scheduler.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where the cores of a running job of Flux are. */

/* Reads "[1-2,5]" or "3" as ranges; returns what stands behind, NULL if it is no such text. */
static const char *read_set(const char *s, uint64_t set[][2], size_t *n, size_t max)
{
	const bool many = *s == '[';
	char *end;

	*n = 0;
	s += many;
	while (*n < max) {
		set[*n][0] = set[*n][1] = strtoull(s, &end, 10);
		if (end == s)
			return NULL;
		s = end;
		if (many && *s == '-') {
			set[*n][1] = strtoull(s + 1, &end, 10);
			s = end;
		}
		(*n)++;
		if (!many || *s != ',')
			break;
		s++;
	}
	if (many && *s != ']')
		return NULL;
	return s + many;
}

static uint64_t size_of(uint64_t set[][2], size_t n)
{
	uint64_t all = 0;

	for (size_t i = 0; i < n; i++)
		all += set[i][1] >= set[i][0] ? set[i][1] - set[i][0] + 1 : 0;
	return all;
}

enum { NODES_TOLD = 512 };

/* Reads cores by rank, "rank[1-2]/core7 rank3/core[6-7],gpu0"; returns the number of ranks, 0 if it cannot be read. */
static size_t read_summary(const char *s, uint64_t (*of)[2])
{
	uint64_t ranks[64][2], cores[256][2];
	size_t nranks, ncores, n = 0;

	while (*s) {
		if (strncmp(s, "rank", 4) != 0 || !(s = read_set(s + 4, ranks, &nranks, 64)) || strncmp(s, "/core", 5) != 0 ||
		    !(s = read_set(s + 5, cores, &ncores, 256)))
			return 0;
		for (size_t i = 0; i < nranks; i++)
			for (uint64_t r = ranks[i][0]; r <= ranks[i][1]; r++) {
				if (n == NODES_TOLD)
					return 0;
				of[n][0] = r;
				of[n++][1] = size_of(cores, ncores);
			}
		s += strcspn(s, " ");
		s += strspn(s, " ");
	}
	return n;
}

/* sched-simple says where a job's cores are (Rv1Set.py: dumps); hosts stand in the order of ranks. */
static int flux_cores(struct fsi_flux_import *f, const struct fsi_json *v, struct fsi_job *job)
{
	const struct fsi_json *said = fsi_json_member(fsi_json_member(fsi_json_member(v, "annotations"), "sched"), "resource_summary");
	uint64_t of[NODES_TOLD][2];
	char text[NODES_TOLD * 8];
	const size_t n = said && fsi_json_string(said) ? read_summary(fsi_json_string(said), of) : 0;
	size_t len = 0;
	bool alike = true;

	if (n < 2 || job->state == FSI_STATE_PENDING || n != job->nodes)
		return 0;
	qsort(of, n, sizeof(*of), fsi_rising_u64);
	for (size_t i = 0; i < n; i++) {
		alike = alike && of[i][1] == of[0][1];
		len += (size_t)snprintf(text + len, sizeof(text) - len, "%s%" PRIu64, i ? "," : "", of[i][1]);
		if (len >= sizeof(text))
			return 0;
	}
	if (alike)
		return 0;
	return FSI_IMPORT_SET(&f->imp, JOB, job, node_cores, ((struct fsi_span){ text, len }));
}

/* `flux jobs -A -a --json`: {"jobs": [{...}, ...]}, or one job by itself (flux-core, src/cmd/flux-jobs.py and
 * src/bindings/python/flux/job/info.py). */

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
	for (size_t i = 0; fsi_span_is(phase, "INACTIVE") && i < sizeof(results) / sizeof(*results); i++)
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

static int set_text(struct fsi_flux_import *f, struct fsi_job *job, unsigned bit, uint32_t *out, const char *text)
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
			return fsi_fail_at(f->imp.err, f->imp.where, "dependencies", "expected strings");
		n += (size_t)snprintf(text + n, size - n, "%s%s", n ? "," : "", fsi_json_string(d));
		if (n >= size)
			return fsi_fail_at(f->imp.err, f->imp.where, "dependencies", "more than 4000 bytes of them");
	}
	return 0;
}

/* Sets the reason from the words of INFO in `flux jobs`: why a pending job waits. */
static int set_reason(struct fsi_flux_import *f, const struct fsi_json *v, struct fsi_job *job)
{
	const struct fsi_json *list = fsi_json_member(v, "dependencies");
	const char *phase = fsi_str(f->imp.m, fsi_job_rare(f->imp.m, job)->phase);
	char text[4000], reason[4100];
	int rc = list && fsi_json_type(list) == FSI_JARRAY ? join(f, list, text, sizeof(text)) : (text[0] = '\0', 0);

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
	const struct fsi_json *share = number(fsi_json_member(fsi_json_member(v, "annotations"), "user"), "fairshare");
	uint64_t whole;

	if (priority) {
		if (fsi_json_u64(priority, &whole) || whole > UINT32_MAX)
			return fsi_fail_at(f->imp.err, f->imp.where, "priority", "expected 0 to 4294967295");
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
		rc = flux_cores(f, v, job);
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

/* What `flux jobs` leaves out of what jobs ask for: {"jobspecs": [{"id": 1, "resources": [...], "constraints": {...},
 * "dependencies": [{"scheme": "begin-time", "value": "1795310875.5"}]}]} (RFC 25, 26 and 31; flux-core:
 * src/bindings/python/flux/resource/Rv1Pool.py: parse_resource_request). */

enum { MAX_TEXT = 16000, MAX_DEPTH = 16 };

/* ---- resources */

struct asked {
	/* nodes in all; slots of a node, where there are nodes; cores and GPUs of a slot */
	int64_t nodes, slots, cores, gpus;
	bool exclusive, odd;		   /* odd: it has not the shape that flux-core's schedulers take */
};

/* The number, or the least of a range. */
static int64_t count_in(const struct fsi_json *v)
{
	const struct fsi_json *count = fsi_json_member(v, "count");
	uint64_t n;

	if (count && fsi_json_type(count) == FSI_JOBJECT)
		count = fsi_json_member(count, "min");
	return count && fsi_json_type(count) == FSI_JNUMBER && !fsi_json_u64(count, &n) && n <= UINT32_MAX ? (int64_t)n
													   : 0;
}

static int64_t *amount_of(struct asked *a, const char *type)
{
	return !strcmp(type, "node")   ? &a->nodes
	       : !strcmp(type, "slot") ? &a->slots
	       : !strcmp(type, "core") ? &a->cores
	       : !strcmp(type, "gpu")  ? &a->gpus
				       : NULL;
}

static void read_level(const struct fsi_json *list, unsigned depth, struct asked *a)
{
	for (const struct fsi_json *v = fsi_flux_first(list); v; v = fsi_json_next(v)) {
		const struct fsi_json *own = fsi_json_member(v, "exclusive");
		const char *type = fsi_flux_text(fsi_json_member(v, "type"));
		int64_t *amount = type ? amount_of(a, type) : NULL;
		const int64_t count = count_in(v);

		a->odd |= !amount || *amount || count < 1 || depth == MAX_DEPTH;
		if (a->odd)
			return;
		*amount = count;
		a->exclusive |= own && fsi_json_type(own) == FSI_JBOOL && fsi_json_bool(own);
		read_level(fsi_json_member(v, "with"), depth + 1, a);
	}
}

static int set_gpus(fs_snapshot *m, struct fsi_job *job, int64_t gpus)
{
	const struct fsi_amount a = { fsi_name(m, "gres/gpu"), 0, gpus };

	if (!gpus)
		return 0;
	FSI_PUT(job, JOB, tres_req, a.tres == FSI_INTERN_FAILED ? a.tres : fsi_intern(&m->sets, &a, sizeof(a)));
	return job->tres_req == FSI_INTERN_FAILED ? -1 : 0;
}

/* A job whose slots are exclusive asks for whole nodes. */
static int set_whole(fs_snapshot *m, struct fsi_job *job, const struct asked *a)
{
	FSI_PUT(job, JOB, oversubscribe, fsi_name(m, "EXCLUSIVE"));
	FSI_PUT(job, JOB, cpus_per_task, (uint32_t)a->cores);
	if (!FSI_HAS(job, JOB, nodes))
		FSI_PUT(job, JOB, nodes, (uint32_t)(a->nodes ? a->nodes : a->slots));
	return job->oversubscribe == FSI_INTERN_FAILED ? -1 : 0;
}

/* `flux jobs` tells what a job that runs was given (src/modules/job-list/job_data.c: parse_R). */
static int set_asked(fs_snapshot *m, struct fsi_job *job, const struct asked *a)
{
	const int64_t nodes = a->nodes ? a->nodes : 1;
	int64_t cores;

	if (a->slots > UINT32_MAX / nodes || a->cores > UINT32_MAX / (nodes * a->slots))
		return 0;
	cores = nodes * a->slots * a->cores;
	if (nodes != (FSI_HAS(job, JOB, nodes) && job->nodes ? job->nodes : 1) &&
	    FSI_SET_RARE(m, job, asked_nodes, (uint32_t)nodes))
		return -1;
	return cores != job->cpus && FSI_SET_RARE(m, job, asked_cores, (uint32_t)cores) ? -1 : 0;
}

static int set_resources(fs_snapshot *m, struct fsi_job *job, const struct fsi_json *list)
{
	struct asked a = { 0 };
	int64_t gpus;

	read_level(list, 0, &a);
	if (a.odd || !a.slots || !a.cores)
		return 0;
	if (set_asked(m, job, &a))
		return -1;
	gpus = a.gpus * a.slots * (a.nodes ? a.nodes : 1);
	if (a.exclusive)
		gpus = a.gpus * (a.nodes ? a.nodes : a.slots);
	return set_gpus(m, job, gpus) || (a.exclusive && set_whole(m, job, &a)) ? -1 : 0;
}

/* ---- constraints */

struct text {
	char s[MAX_TEXT];
	size_t len;
	bool bad; /* too long, too deep, or an operator that is not known */
};

static void add_text(struct text *t, const char *a, const char *b, const char *c)
{
	const int n = snprintf(t->s + t->len, MAX_TEXT - t->len, "%s%s%s", a, b, c);

	t->bad |= n < 0 || (size_t)n >= MAX_TEXT - t->len;
	if (!t->bad)
		t->len += (size_t)n;
}

static void add_constraint(struct text *t, const struct fsi_json *v, unsigned depth);

/* Adds names, each with what stands before and behind it. */
static void add_names(struct text *t, const struct fsi_json *list, const char *before, const char *behind,
		      const char *between)
{
	bool more = false;

	for (const struct fsi_json *v = fsi_flux_first(list); v; v = fsi_json_next(v), more = true) {
		const char *name = fsi_flux_text(v);

		t->bad |= !name || !*name || strpbrk(name, "&|()! ");
		if (t->bad)
			return;
		add_text(t, more ? between : "", before, name);
		add_text(t, behind, "", "");
	}
	t->bad |= !more;
}

static void add_operands(struct text *t, const struct fsi_json *list, const char *between, unsigned depth)
{
	bool more = false;

	for (const struct fsi_json *v = fsi_flux_first(list); v && !t->bad; v = fsi_json_next(v), more = true) {
		add_text(t, more ? between : "", "", "");
		add_constraint(t, v, depth + 1);
	}
	t->bad |= !more;
}

static void add_constraint(struct text *t, const struct fsi_json *v, unsigned depth)
{
	static const struct {
		const char *key, *before, *behind, *between;
		bool names;
	} operators[] = { { "properties", "", "", "&", true }, { "hostlist", "hosts:", "", "|", true }, { "ranks", "ranks:[", "]", "|", true },
			  { "and", "", "", "&", false },       { "or", "", "", "|", false },	        { "not", "!", "", "&", false } };

	t->bad |= depth == MAX_DEPTH;
	for (size_t i = 0; i < sizeof(operators) / sizeof(*operators) && !t->bad; i++) {
		const struct fsi_json *list = fsi_json_member(v, operators[i].key);
		const char *sign = operators[i].names ? "" : operators[i].before;

		if (!list)
			continue;
		add_text(t, depth || *sign ? sign : "", depth || *sign ? "(" : "", "");
		if (operators[i].names)
			add_names(t, list, operators[i].before, operators[i].behind, operators[i].between);
		else
			add_operands(t, list, operators[i].between, depth);
		add_text(t, depth || *sign ? ")" : "", "", "");
		return;
	}
	t->bad = true;
}

/* An empty constraint is none. */
static int set_constraint(struct fsi_flux_import *f, struct fsi_job *job, const struct fsi_json *v)
{
	struct text t = { .len = 0 };

	if (!v || fsi_json_type(v) == FSI_JNULL || (fsi_json_type(v) == FSI_JOBJECT && !fsi_json_first(v)))
		return 0;
	add_constraint(&t, v, 0);
	if (t.bad)
		return fsi_warn(f->imp.m, "a job's constraint was not understood and is left out") ? fsi_nomem(f->imp.err) : 0;
	FSI_PUT(job, JOB, features, fsi_import_name(&f->imp, (struct fsi_span){ t.s, t.len }));
	return job->features == FSI_INTERN_FAILED ? fsi_nomem(f->imp.err) : 0;
}

/* ---- begin times, of which `flux jobs` tells the time of day
 * (src/bindings/python/flux/job/info.py: DependencyList) */

static void set_begin(const fs_snapshot *m, struct fsi_job *job, const struct fsi_json *list)
{
	double when;

	if (!strstr(fsi_str(m, job->dependency), "begin"))
		return;
	for (const struct fsi_json *v = fsi_flux_first(list); v; v = fsi_json_next(v)) {
		const char *scheme = fsi_flux_text(fsi_json_member(v, "scheme")), *value = fsi_flux_text(fsi_json_member(v, "value"));

		if (!scheme || !value || strcmp(scheme, "begin-time") != 0 || fsi_parse_double(value, strlen(value), &when) || when < 0 ||
		    when > (double)FSI_SECONDS_MAX)
			continue;
		if (FSI_HAS(job, JOB, eligible_time) && job->eligible_time > (int64_t)when)
			continue;
		FSI_PUT(job, JOB, eligible_time, (int64_t)when);
	}
}

/* ---- jobs */

struct by_id {
	struct fsi_flux_import *f;
	uint32_t *row; /* sorted by the ids of jobs */
};

static int rising(const void *a, const void *b, const void *ctx)
{
	const struct fsi_job *v = ctx;
	const uint64_t x = v[*(const uint32_t *)a].id, y = v[*(const uint32_t *)b].id;

	return (x > y) - (x < y);
}

static struct fsi_job *job_of(const struct by_id *s, uint64_t id)
{
	fs_snapshot *m = s->f->imp.m;
	size_t from = 0, to = m->job.n;

	while (from < to) {
		const size_t mid = from + (to - from) / 2;
		struct fsi_job *job = &m->job.v[s->row[mid]];

		if (job->id == id)
			return job;
		if (job->id < id)
			from = mid + 1;
		else
			to = mid;
	}
	return NULL;
}

static int jobspecs_read_one(void *ctx, uint32_t depth, const struct fsi_json *v, struct fsi_where where)
{
	const struct by_id *s = ctx;
	const struct fsi_json *id = fsi_json_member(v, "id");
	struct fsi_job *job;
	uint64_t n;

	if (!depth && fsi_json_member(v, "jobspecs"))
		return 0;
	s->f->imp.where = where;
	if (!id || fsi_json_type(id) != FSI_JNUMBER || fsi_json_u64(id, &n))
		return fsi_fail_at(s->f->imp.err, where, "id", "expected a job id");
	job = job_of(s, n);
	if (!job) /* the job came or went between the two commands */
		return 0;
	if (set_resources(s->f->imp.m, job, fsi_json_member(v, "resources")))
		return fsi_nomem(s->f->imp.err);
	set_begin(s->f->imp.m, job, fsi_json_member(v, "dependencies"));
	return set_constraint(s->f, job, fsi_json_member(v, "constraints"));
}

int fsi_flux_jobspecs(struct fsi_flux_import *f)
{
	static const char *const keys[] = { "jobspecs", NULL };
	const fs_snapshot *m = f->imp.m;
	struct by_id s = { .f = f, .row = malloc((m->job.n + 1) * sizeof(*s.row)) };
	const struct fsi_json_split split = { keys, NULL, jobspecs_read_one, &s };
	int rc = s.row ? 0 : fsi_nomem(f->imp.err);

	for (uint32_t i = 0; i < m->job.n && !rc; i++)
		s.row[i] = i;
	if (!rc && fs_sort(s.row, m->job.n, sizeof(*s.row), rising, m->job.v))
		rc = fsi_nomem(f->imp.err);
	if (!rc)
		rc = fsi_import_json(&f->imp, "flux_jobspecs.json", &split);
	free(s.row);
	return rc == 1 ? 0 : rc;
}

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

static int ended_read_one(void *ctx, uint32_t depth, const struct fsi_json *v, struct fsi_where where)
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
	const struct fsi_json_split split = { keys, NULL, ended_read_one, &r };
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

/* Past jobs: `flux account view-job-records` (fluxacct/accounting/jobs_table_subcommands.py). It tells no resources
 * but nodes, which are what usage counts by default. */

static const char *const record_files[] = { "view-job-records_--json.json", "view-job-records.txt",
					    NULL };

/* The database knows users by number, or by name where it has one. */
static struct fsi_span user_name(const struct fsi_flux_import *f, const struct fsi_kv *row)
{
	const fs_snapshot *m = f->imp.m;
	const struct fsi_span name = fsi_kv_get(row, "username"), id = fsi_kv_get(row, "userid");
	uint64_t uid;

	if (fsi_parse_u64(name.s, name.len, &uid) && name.len)
		return name;
	for (size_t i = 0; !fsi_parse_u64(id.s, id.len, &uid) && i < m->user.n; i++)
		if (FSI_HAS(&m->user.v[i], USER, uid) && m->user.v[i].uid == uid) {
			const char *s = fsi_str(m, m->user.v[i].name);

			return fsi_span_of(s);
		}
	return name;
}

static int whole_seconds(struct fsi_flux_import *f, const struct fsi_kv *row, const char *key, int64_t *out)
{
	const struct fsi_span v = fsi_kv_get(row, key);
	double t;

	if (fsi_parse_double(v.s, v.len, &t) || !(t >= 0 && t <= (double)FSI_SECONDS_MAX))
		return fsi_import_bad(&f->imp, key, v, "seconds since 1970");
	*out = (int64_t)t;
	return 0;
}

static int set_nodes(struct fsi_flux_import *f, const struct fsi_kv *row, struct fsi_usage *u)
{
	fs_snapshot *m = f->imp.m;
	const struct fsi_span v = fsi_kv_get(row, "nnodes");
	struct fsi_amount a = { .tres = fsi_name(m, "node") };
	uint64_t n;

	if (a.tres == FSI_INTERN_FAILED)
		return fsi_nomem(f->imp.err);
	if (fsi_parse_u64(v.s, v.len, &n) || n > INT64_MAX)
		return fsi_import_bad(&f->imp, "nnodes", v, "a number of nodes");
	a.n = (int64_t)n;
	FSI_PUT(u, USAGE, tres, fsi_intern(&m->sets, &a, sizeof(a)));
	return u->tres == FSI_INTERN_FAILED ? fsi_nomem(f->imp.err) : 0;
}

static int record_row(struct fsi_flux_import *f, const struct fsi_kv *row)
{
	fs_snapshot *m = f->imp.m;
	struct fsi_span id = fsi_kv_get(row, "jobid");
	struct fsi_usage *u;
	int rc;

	u = FSI_VEC_ADD(&m->usage);
	if (!u)
		return fsi_nomem(f->imp.err);
	if (fsi_import_flux_id(id.s ? id : fsi_kv_get(row, "id"), &u->job))
		return fsi_import_bad(&f->imp, "jobid", id, "a job id");
	rc = whole_seconds(f, row, "t_run", &u->start_time);
	if (!rc)
		rc = whole_seconds(f, row, "t_inactive", &u->end_time);
	FSI_SET(u, USAGE, job);
	FSI_SET(u, USAGE, start_time);
	FSI_SET(u, USAGE, end_time);
	if (!rc)
		rc = FSI_IMPORT_SET(&f->imp, USAGE, u, user, user_name(f, row));
	if (!rc)
		rc = FSI_IMPORT_SET(&f->imp, USAGE, u, account, fsi_kv_get(row, "bank"));
	if (!rc)
		rc = set_nodes(f, row, u);
	return rc ? rc : fsi_usage_check(u, f->imp.where, f->imp.err);
}

int fsi_flux_records(struct fsi_flux_import *f)
{
	const int rc = fsi_flux_rows(f, record_files, record_row, NULL, 0);

	return rc == 1 ? 0 : rc;
}
