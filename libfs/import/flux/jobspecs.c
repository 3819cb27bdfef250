/* What `flux jobs` leaves out of what jobs ask for: {"jobspecs": [{"id": 1, "resources": [...], "constraints": {...},
 * "dependencies": [{"scheme": "begin-time", "value": "1795310875.5"}]}]} (RFC 25, 26 and 31; flux-core:
 * src/bindings/python/flux/resource/Rv1Pool.py: parse_resource_request). */
#include "import/flux/machine.h"

#include "base/num.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static int read_one(void *ctx, uint32_t depth, const struct fsi_json *v, struct fsi_where where)
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
	const struct fsi_json_split split = { keys, NULL, read_one, &s };
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
