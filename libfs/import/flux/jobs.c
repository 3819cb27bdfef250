#include "base/num.h"
#include "base/memory.h"
#include "import/consistency.h"
#include "import/flux/flux.h"
#include "model/model.h"
#include "model/scheduler.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reads the cores that a running job of Flux has on each node. */

/* Parses "[1-2,5]" or "3" as ranges. Returns the text after the ranges; NULL if s has another form. */
static const char *parse_index_ranges(const char *s, uint64_t set[][2], size_t *n, size_t max)
{
	const bool has_brackets = *s == '[';
	char *end;

	*n = 0;
	s += has_brackets;
	while (*n < max) {
		set[*n][0] = set[*n][1] = strtoull(s, &end, 10);
		if (end == s)
			return NULL;
		s = end;
		if (has_brackets && *s == '-') {
			set[*n][1] = strtoull(s + 1, &end, 10);
			s = end;
		}
		(*n)++;
		if (!has_brackets || *s != ',')
			break;
		s++;
	}
	if (has_brackets && *s != ']')
		return NULL;
	return s + has_brackets;
}

static uint64_t count_range_members(uint64_t set[][2], size_t n)
{
	uint64_t all = 0;

	for (size_t i = 0; i < n; i++)
		all += set[i][1] >= set[i][0] ? set[i][1] - set[i][0] + 1 : 0;
	return all;
}

enum { SUMMARY_NODES_MAX = 512 };

/* Parses a text like "rank[1-2]/core7 rank3/core[6-7],gpu0". Sets of[i][0] to a rank and of[i][1] to the number of
 * cores on this rank. Returns the number of ranks; 0 if the text has another form. */
static size_t parse_resource_summary(const char *s, uint64_t (*of)[2])
{
	uint64_t ranks[64][2], cores[256][2];
	size_t nranks, ncores, n = 0;

	while (*s) {
		if (strncmp(s, "rank", 4) != 0 || !(s = parse_index_ranges(s + 4, ranks, &nranks, 64)) ||
		    strncmp(s, "/core", 5) != 0 || !(s = parse_index_ranges(s + 5, cores, &ncores, 256)))
			return 0;
		for (size_t i = 0; i < nranks; i++)
			for (uint64_t r = ranks[i][0]; r <= ranks[i][1]; r++) {
				if (n == SUMMARY_NODES_MAX)
					return 0;
				of[n][0] = r;
				of[n++][1] = count_range_members(cores, ncores);
			}
		s += strcspn(s, " ");
		s += strspn(s, " ");
	}
	return n;
}

/* Sets node_cores of a running job if the numbers of cores on its nodes differ. sched-simple prints the cores that a
 * job has on each rank (Rv1Set.py: dumps). node_cores must have the order of the job's hosts. The hosts are ordered by
 * rank. */
static int set_node_cores(struct fsi_flux_import *f, const struct fsi_json *v, struct fsi_job *job)
{
	const struct fsi_json *summary = fsi_json_find_member(
		fsi_json_find_member(fsi_json_find_member(v, "annotations"), "sched"), "resource_summary");
	uint64_t of[SUMMARY_NODES_MAX][2];
	char text[SUMMARY_NODES_MAX * 8];
	const size_t n =
		summary && fsi_json_get_string(summary) ? parse_resource_summary(fsi_json_get_string(summary), of) : 0;
	size_t len = 0;
	bool all_equal = true;

	if (n < 2 || job->state == FSI_STATE_PENDING || n != job->nodes)
		return 0;
	qsort(of, n, sizeof(*of), fsi_compare_rising_u64);
	for (size_t i = 0; i < n; i++) {
		all_equal = all_equal && of[i][1] == of[0][1];
		len += (size_t)snprintf(text + len, sizeof(text) - len, "%s%" PRIu64, i ? "," : "", of[i][1]);
		if (len >= sizeof(text))
			return 0;
	}
	if (all_equal)
		return 0;
	return FSI_IMPORT_SET_FIELD(&f->imp, JOB, job, node_cores, ((struct fsi_span){ text, len }));
}

/* Reads `flux jobs -A -a --json`: {"jobs": [{...}, ...]}, or a single job (flux-core, src/cmd/flux-jobs.py and
 * src/bindings/python/flux/job/info.py). */

static const char *const job_files[] = { "flux-jobs_-A_-a_--json.json", "flux-jobs_-a_--json.json",
					  "flux-jobs_-A_--json.json", "flux-jobs_--json.json", NULL };

static const struct fsi_field_map job_map[] = {
	{ "id", FSI_JOB_id },	      { "name", FSI_JOB_name },	      { "username", FSI_JOB_user },
	{ "userid", FSI_JOB_uid },    { "bank", FSI_JOB_account },    { "ntasks", FSI_JOB_tasks },
	{ "ncores", FSI_JOB_cpus },   { "nnodes", FSI_JOB_nodes },    { "urgency", FSI_JOB_urgency },
	{ "state", FSI_JOB_phase },   { "nodelist", FSI_JOB_node_list },
};

/* Fields that `flux jobs` prints for jobs, and when:
 *  - urgency, submit time and user of every job; cores, unless the job has whole nodes
 *  - bank, if flux-accounting has banks: its plugin writes the bank into each job
 *  - queue, if there are queues
 *  - priority, once the job has one
 *  - dependencies, if the job waits for dependencies
 *  - nodes of running jobs
 * Empty fields are left out (src/bindings/python/flux/job/info.py). */
enum {
	REQUIRED_URGENCY,
	REQUIRED_CORES,
	REQUIRED_SUBMIT,
	REQUIRED_USER,
	REQUIRED_BANK,
	REQUIRED_QUEUE,
	REQUIRED_PRIORITY,
	REQUIRED_DEPENDENCIES,
	REQUIRED_NODES
};
static const struct fsi_required_key required_job_fields[] = {
	[REQUIRED_URGENCY] = FSI_ALWAYS_REQUIRED("urgency"),
	[REQUIRED_CORES] = FSI_ALWAYS_REQUIRED("ncores"),
	[REQUIRED_SUBMIT] = FSI_ALWAYS_REQUIRED("t_submit"),
	[REQUIRED_USER] = FSI_ALWAYS_REQUIRED("username"),
	[REQUIRED_BANK] = FSI_ALWAYS_REQUIRED("bank"),
	[REQUIRED_QUEUE] = FSI_ALWAYS_REQUIRED("queue"),
	[REQUIRED_PRIORITY] = FSI_ALWAYS_REQUIRED("priority"),
	[REQUIRED_DEPENDENCIES] = FSI_ALWAYS_REQUIRED("dependencies"),
	[REQUIRED_NODES] = FSI_ALWAYS_REQUIRED("nnodes"),
};

struct job_reader {
	struct fsi_flux_import *f;
	struct fsi_missing_keys lacking;
	/* number of jobs that have a queue; if the number is not 0, the instance has queues, and every job must have a
	 * queue */
	size_t with_queue;
};

static void count_missing_fields(struct job_reader *j, const struct fsi_job *job)
{
	const fs_snapshot *m = j->f->imp.m;
	const char *phase = fsi_name_text(m, fsi_job_ext(m, job)->phase);
	const bool runs = !strcmp(phase, "RUN");
	const bool lacks[] = {
		[REQUIRED_URGENCY] = !FSI_HAS(job, JOB, urgency),
		[REQUIRED_CORES] =
			!FSI_HAS(job, JOB, cpus) && strcmp(fsi_name_text(m, job->oversubscribe), "EXCLUSIVE") != 0,
		[REQUIRED_SUBMIT] = !FSI_HAS(job, JOB, submit_time),
		[REQUIRED_USER] = !FSI_HAS(job, JOB, user),
		[REQUIRED_BANK] = m->association.n && !FSI_HAS(job, JOB, account),
		[REQUIRED_QUEUE] = !FSI_HAS(job, JOB, partitions),
		[REQUIRED_PRIORITY] = (runs || !strcmp(phase, "SCHED")) && !FSI_HAS(job, JOB, priority),
		[REQUIRED_DEPENDENCIES] = !strcmp(phase, "DEPEND") && !FSI_HAS(job, JOB, dependency),
		[REQUIRED_NODES] = runs && !FSI_HAS(job, JOB, nodes),
	};

	j->lacking.records++;
	j->with_queue += FSI_HAS(job, JOB, partitions);
	for (size_t i = 0; i < sizeof(lacks) / sizeof(*lacks); i++)
		j->lacking.n[i] += lacks[i];
}

static const struct fsi_json *get_json_number(const struct fsi_json *object, const char *key)
{
	const struct fsi_json *v = fsi_json_find_member(object, key);

	return v && fsi_json_get_type(v) == FSI_JNUMBER ? v : NULL;
}

/* Sets *out to the member `key`, a time in seconds, without its fraction. If the member is 0, the time is unknown, and
 * *out is not changed. */
static int set_time_field(struct fsi_flux_import *f, const struct fsi_json *object, const char *key,
			  struct fsi_job *job, unsigned bit, int64_t *out)
{
	const struct fsi_json *v = get_json_number(object, key);
	const double t = v ? fsi_json_get_double(v) : 0;

	if (!(t >= 0 && t <= (double)FSI_SECONDS_MAX))
		return fsi_fail_at(f->imp.err, f->imp.where, key, "expected seconds since 1970");
	if (t > 0) {
		*out = (int64_t)t;
		fsi_mark_known(&job->rec, bit);
	}
	return 0;
}

static enum fsi_job_state parse_job_state(struct fsi_span phase, struct fsi_span result)
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
		if (fsi_span_is_word(phase, phases[i].word))
			return phases[i].state;
	for (size_t i = 0; fsi_span_is_word(phase, "INACTIVE") && i < sizeof(results) / sizeof(*results); i++)
		if (fsi_span_is_word(result, results[i].word))
			return results[i].state;
	return FSI_STATE_UNKNOWN;
}

static int set_time_limit(struct fsi_flux_import *f, const struct fsi_json *object, struct fsi_job *job)
{
	const struct fsi_json *v = get_json_number(object, "duration");
	const double d = v ? fsi_json_get_double(v) : 0;

	if (!v)
		return 0;
	if (!(d >= 0 && d <= (double)FSI_SECONDS_MAX))
		return fsi_fail_at(f->imp.err, f->imp.where, "duration", "expected a number of seconds, 0 or more");
	FSI_SET(job, JOB, time_limit_s);
	if (d == 0) /* a duration of 0 means that the job has no time limit */
		job->rec.special |= 1u << FSI_JOB_time_limit_s;
	job->time_limit_s = (int64_t)ceil(d);
	return 0;
}

static int set_job_times(struct fsi_flux_import *f, const struct fsi_json *v, struct fsi_job *job)
{
	const struct fsi_json *sched = fsi_json_find_member(fsi_json_find_member(v, "annotations"), "sched");
	int rc = set_time_field(f, v, "t_submit", job, FSI_JOB_submit_time, &job->submit_time);

	if (!rc)
		rc = set_time_field(f, v, "t_sched", job, FSI_JOB_eligible_time, &job->eligible_time);
	if (!rc && job->state == FSI_STATE_PENDING)
		rc = set_time_field(f, sched, "t_estimate", job, FSI_JOB_start_time, &job->start_time);
	else if (!rc)
		rc = set_time_field(f, v, "t_run", job, FSI_JOB_start_time, &job->start_time);
	if (!rc && job->state == FSI_STATE_RUNNING)
		rc = set_time_field(f, v, "expiration", job, FSI_JOB_end_time, &job->end_time);
	else if (!rc)
		rc = set_time_field(f, v, "t_inactive", job, FSI_JOB_end_time, &job->end_time);
	return rc ? rc : set_time_limit(f, v, job);
}

static void set_name_field(struct fsi_flux_import *f, struct fsi_job *job, unsigned bit, uint32_t *out,
			   const char *text)
{
	*out = fsi_import_intern_name(&f->imp, fsi_string_to_span(text));
	fsi_mark_known(&job->rec, bit);
}

/* Joins the strings of the list with commas. */
static int join_json_strings(struct fsi_flux_import *f, const struct fsi_json *list, char *text, size_t size)
{
	size_t n = 0;

	text[0] = '\0';
	for (const struct fsi_json *d = fsi_json_first_child(list); d; d = fsi_json_next_sibling(d)) {
		if (fsi_json_get_type(d) != FSI_JSTRING)
			return fsi_fail_at(f->imp.err, f->imp.where, "dependencies", "expected a list of strings");
		n += (size_t)snprintf(text + n, size - n, "%s%s", n ? "," : "", fsi_json_get_string(d));
		if (n >= size)
			return fsi_fail_at(f->imp.err, f->imp.where, "dependencies", "the list is longer than 3999 bytes");
	}
	return 0;
}

/* Sets the dependencies of a job and, if the job is pending, its reason: the text that `flux jobs` prints in the column
 * INFO. */
static int set_pending_reason(struct fsi_flux_import *f, const struct fsi_json *v, struct fsi_job *job)
{
	const struct fsi_json *list = fsi_json_find_member(v, "dependencies");
	const char *phase = fsi_name_text(f->imp.m, fsi_job_ext(f->imp.m, job)->phase);
	char text[4000], reason[4100];
	int rc = list && fsi_json_get_type(list) == FSI_JARRAY ? join_json_strings(f, list, text, sizeof(text))
							   : (text[0] = '\0', 0);

	if (!rc && *text)
		set_name_field(f, job, FSI_JOB_dependency, &job->dependency, text);
	if (rc || job->state != FSI_STATE_PENDING)
		return rc;
	reason[0] = '\0';
	if (!strcmp(phase, "DEPEND"))
		snprintf(reason, sizeof(reason), "depends%s%s", *text ? ":" : "", text);
	else if (!strcmp(phase, "PRIORITY"))
		strcpy(reason, "priority-wait");
	else if (FSI_HAS(job, JOB, urgency) && !fsi_job_ext(f->imp.m, job)->urgency)
		strcpy(reason, "held");
	else if (FSI_HAS(job, JOB, priority) && !job->priority)
		strcpy(reason, "priority-hold");
	if (*reason)
		set_name_field(f, job, FSI_JOB_reason, &job->reason, reason);
	return 0;
}

/* Sets the priority of a job, and its fair-share factor. flux-accounting writes the factor, with six decimals, to
 * the job's annotations when it sets the priority. */
static int set_priority_fields(struct fsi_flux_import *f, const struct fsi_json *v, struct fsi_job *job)
{
	const struct fsi_json *priority = get_json_number(v, "priority");
	const struct fsi_json *share =
		get_json_number(fsi_json_find_member(fsi_json_find_member(v, "annotations"), "user"), "fairshare");
	uint64_t whole;

	if (priority) {
		if (fsi_json_get_u64(priority, &whole) || whole > UINT32_MAX)
			return fsi_fail_at(f->imp.err, f->imp.where, "priority", "expected a number from 0 to 4294967295");
		FSI_PUT(job, JOB, priority, (uint32_t)whole);
	}
	if (share && fsi_json_get_double(share) >= 0 && fsi_json_get_double(share) <= 1)
		(void)FSI_SET_JOB_EXT(f->imp.m, job, fairshare_ppm, (uint32_t)lround(fsi_json_get_double(share) * 1e6));
	return 0;
}

static void set_job_queue(struct fsi_flux_import *f, struct fsi_job *job, struct fsi_span queue)
{
	const uint32_t name = fsi_import_intern_name(&f->imp, queue);

	if (name)
		FSI_PUT(job, JOB, partitions, fsi_intern_add(&f->imp.m->sets, &name, sizeof(name)));
}

/* Sets the allocated TRES of a job that has started. The job's usage is computed from these TRES. */
static void set_allocated_tres(struct fsi_flux_import *f, struct fsi_job *job)
{
	fs_snapshot *m = f->imp.m;
	struct fsi_amount a[2];
	size_t n = 0;

	if (!FSI_HAS(job, JOB, start_time) || job->state == FSI_STATE_PENDING)
		return;
	if (FSI_HAS(job, JOB, nodes))
		a[n++] = (struct fsi_amount){ fsi_name_intern(m, "node"), 0, job->nodes };
	if (FSI_HAS(job, JOB, cpus))
		a[n++] = (struct fsi_amount){ fsi_name_intern(m, "cpu"), 0, job->cpus };
	FSI_PUT(job, JOB, tres_alloc, fsi_intern_add(&m->sets, a, n * sizeof(*a)));
}

static int add_flux_job_record(struct fsi_flux_import *f, const struct fsi_json *v, const struct fsi_kv *row)
{
	fs_snapshot *m = f->imp.m;
	const struct fsi_span phase = fsi_kv_get_value(row, "state");
	struct fsi_job *job = FSI_VEC_ADD(&m->job);
	int rc;

	if (!job)
		return fsi_fail_no_memory(f->imp.err);
	job->state = FSI_STATE_UNKNOWN;
	rc = fsi_flux_set_fields(f, row, job_map, sizeof(job_map) / sizeof(*job_map), FSI_RECORD_JOB, &job->rec);
	if (!rc && !phase.s)
		rc = fsi_fail_at(f->imp.err, f->imp.where, "state", "missing");
	if (rc)
		return rc;
	FSI_PUT(job, JOB, state, (uint8_t)parse_job_state(phase, fsi_kv_get_value(row, "result")));
	rc = fsi_import_check_required(&f->imp, FSI_RECORD_JOB, &job->rec);
	set_job_queue(f, job, fsi_kv_get_value(row, "queue"));
	if (!rc)
		rc = set_job_times(f, v, job);
	set_allocated_tres(f, job);
	if (!rc)
		rc = set_priority_fields(f, v, job);
	if (!rc)
		rc = set_node_cores(f, v, job);
	if (!rc)
		rc = set_pending_reason(f, v, job);
	if (!rc && FSI_HAS(job, JOB, urgency) && fsi_job_ext(m, job)->urgency > 31)
		rc = fsi_fail_at(f->imp.err, f->imp.where, "urgency", "expected a number from 0 to 31");
	return rc;
}

/* Reads one object of the file. An object with the key "jobs" is the document that contains the jobs; any other object
 * is a job. */
static int read_job_object(void *ctx, uint32_t depth, const struct fsi_json *v, struct fsi_input_position where)
{
	struct job_reader *j = ctx;
	struct fsi_flux_import *f = j->f;
	struct fsi_kv *row;
	char numbers[FSI_FLUX_NUMBERS_SIZE];
	int rc;

	f->imp.where = where;
	if (!depth && fsi_json_find_member(v, "jobs"))
		return 0;
	row = malloc(sizeof(*row));
	rc = row ? fsi_flux_flatten_object(f, v, row, numbers) : fsi_fail_no_memory(f->imp.err);
	if (!rc)
		rc = add_flux_job_record(f, v, row);
	free(row);
	return rc;
}

int fsi_flux_read_jobs(struct fsi_flux_import *f)
{
	static const char *const keys[] = { "jobs", NULL };
	struct job_reader j = { .f = f };
	const struct fsi_json_split split = { keys, NULL, read_job_object, &j };
	int rc = 1;

	for (const char *const *file = job_files; *file && rc == 1; file++) {
		f->jobs_file = *file;
		rc = fsi_import_read_json(&f->imp, *file, &split);
	}
	return rc == 1 ? fsi_import_hide_type(&f->imp, "job") : rc;
}

int fsi_flux_check_jobs(struct fsi_flux_import *f)
{
	const fs_snapshot *m = f->imp.m;
	struct job_reader j = { .f = f };

	if (f->partial || !m->job.n)
		return 0;
	for (size_t i = 0; i < m->job.n; i++)
		count_missing_fields(&j, &m->job.v[i]);
	if (!m->partition.n && !j.with_queue)
		j.lacking.n[REQUIRED_QUEUE] = 0;
	return fsi_missing_keys_warn(&f->imp, &j.lacking, required_job_fields,
				     sizeof(required_job_fields) / sizeof(*required_job_fields), f->jobs_file);
}

/* Reads the parts of job requests that `flux jobs` does not print: {"jobspecs": [{"id": 1, "resources": [...],
 * "constraints": {...}, "dependencies": [{"scheme": "begin-time", "value": "1795310875.5"}]}]}. Sources: RFC 25, 26 and
 * 31; flux-core: src/bindings/python/flux/resource/Rv1Pool.py: parse_resource_request. */

enum { CONSTRAINT_TEXT_MAX = 16000, JOBSPEC_DEPTH_MAX = 16 };

/* ---- resources */

struct resource_request {
	/* A slot is the group of resources that one task gets (RFC 25). nodes: number of nodes, 0 if not given. slots:
	 * number of slots on each node; total number of slots if `nodes` is 0. cores, gpus: numbers of cores and GPUs
	 * in each slot. */
	int64_t nodes, slots, cores, gpus;
	/* unsupported: the request does not have the form that flux-core's schedulers accept */
	bool exclusive, unsupported;
};

/* Returns the number in the member `count` of v, or the minimum if the member is a range; 0 if the member is missing or
 * invalid. */
static int64_t parse_resource_count(const struct fsi_json *v)
{
	const struct fsi_json *count = fsi_json_find_member(v, "count");
	uint64_t n;

	if (count && fsi_json_get_type(count) == FSI_JOBJECT)
		count = fsi_json_find_member(count, "min");
	return count && fsi_json_get_type(count) == FSI_JNUMBER && !fsi_json_get_u64(count, &n) && n <= UINT32_MAX
		       ? (int64_t)n
		       : 0;
}

static int64_t *get_request_amount(struct resource_request *a, const char *type)
{
	return !strcmp(type, "node")   ? &a->nodes
	       : !strcmp(type, "slot") ? &a->slots
	       : !strcmp(type, "core") ? &a->cores
	       : !strcmp(type, "gpu")  ? &a->gpus
				       : NULL;
}

static void read_resource_level(const struct fsi_json *list, unsigned depth, struct resource_request *a)
{
	for (const struct fsi_json *v = fsi_flux_first_child(list); v; v = fsi_json_next_sibling(v)) {
		const struct fsi_json *own = fsi_json_find_member(v, "exclusive");
		const char *type = fsi_flux_string_value(fsi_json_find_member(v, "type"));
		int64_t *amount = type ? get_request_amount(a, type) : NULL;
		const int64_t count = parse_resource_count(v);

		a->unsupported |= !amount || *amount || count < 1 || depth == JOBSPEC_DEPTH_MAX;
		if (a->unsupported)
			return;
		*amount = count;
		a->exclusive |= own && fsi_json_get_type(own) == FSI_JBOOL && fsi_json_get_bool(own);
		read_resource_level(fsi_json_find_member(v, "with"), depth + 1, a);
	}
}

static void set_requested_gpus(fs_snapshot *m, struct fsi_job *job, int64_t gpus)
{
	const struct fsi_amount a = { fsi_name_intern(m, "gres/gpu"), 0, gpus };

	if (gpus)
		FSI_PUT(job, JOB, tres_req, fsi_intern_add(&m->sets, &a, sizeof(a)));
}

/* Sets the request of a job that asks for exclusive use of its resources. Such a job gets whole nodes. */
static void set_exclusive_nodes(fs_snapshot *m, struct fsi_job *job, const struct resource_request *a)
{
	FSI_PUT(job, JOB, oversubscribe, fsi_name_intern(m, "EXCLUSIVE"));
	FSI_PUT(job, JOB, cpus_per_task, (uint32_t)a->cores);
	if (!FSI_HAS(job, JOB, nodes))
		FSI_PUT(job, JOB, nodes, (uint32_t)(a->nodes ? a->nodes : a->slots));
}

/* Sets the requested nodes and cores of a job if they differ from the numbers that `flux jobs` prints. The numbers
 * differ for a running job, for which `flux jobs` prints the allocation (src/modules/job-list/job_data.c: parse_R). */
static void set_requested_amounts(fs_snapshot *m, struct fsi_job *job, const struct resource_request *a)
{
	const int64_t nodes = a->nodes ? a->nodes : 1;
	int64_t cores;

	if (a->slots > UINT32_MAX / nodes || a->cores > UINT32_MAX / (nodes * a->slots))
		return;
	cores = nodes * a->slots * a->cores;
	if (nodes != (FSI_HAS(job, JOB, nodes) && job->nodes ? job->nodes : 1))
		(void)FSI_SET_JOB_EXT(m, job, asked_nodes, (uint32_t)nodes);
	if (cores != job->cpus)
		(void)FSI_SET_JOB_EXT(m, job, asked_cores, (uint32_t)cores);
}

static void set_resource_request(fs_snapshot *m, struct fsi_job *job, const struct fsi_json *list)
{
	struct resource_request a = { 0 };

	read_resource_level(list, 0, &a);
	if (a.unsupported || !a.slots || !a.cores)
		return;
	set_requested_amounts(m, job, &a);
	if (a.exclusive) {
		set_requested_gpus(m, job, a.gpus * (a.nodes ? a.nodes : a.slots));
		set_exclusive_nodes(m, job, &a);
	} else {
		set_requested_gpus(m, job, a.gpus * a.slots * (a.nodes ? a.nodes : 1));
	}
}

/* ---- constraints */

struct constraint_text {
	char s[CONSTRAINT_TEXT_MAX];
	size_t len;
	bool invalid; /* the constraint is too long, too deep, or has an unknown operator */
};

static void append_constraint_text(struct constraint_text *t, const char *a, const char *b, const char *c)
{
	const int n = snprintf(t->s + t->len, CONSTRAINT_TEXT_MAX - t->len, "%s%s%s", a, b, c);

	t->invalid |= n < 0 || (size_t)n >= CONSTRAINT_TEXT_MAX - t->len;
	if (!t->invalid)
		t->len += (size_t)n;
}

static void append_constraint(struct constraint_text *t, const struct fsi_json *v, unsigned depth);

/* Appends the names in the list to t. Each name gets a prefix and a suffix; the text `between` separates two names. */
static void append_constraint_names(struct constraint_text *t, const struct fsi_json *list, const char *prefix,
				    const char *suffix, const char *between)
{
	bool more = false;

	for (const struct fsi_json *v = fsi_flux_first_child(list); v; v = fsi_json_next_sibling(v), more = true) {
		const char *name = fsi_flux_string_value(v);

		t->invalid |= !name || !*name || strpbrk(name, "&|()! ");
		if (t->invalid)
			return;
		append_constraint_text(t, more ? between : "", prefix, name);
		append_constraint_text(t, suffix, "", "");
	}
	t->invalid |= !more;
}

static void append_constraint_operands(struct constraint_text *t, const struct fsi_json *list, const char *between,
				       unsigned depth)
{
	bool more = false;

	for (const struct fsi_json *v = fsi_flux_first_child(list); v && !t->invalid;
	     v = fsi_json_next_sibling(v), more = true) {
		append_constraint_text(t, more ? between : "", "", "");
		append_constraint(t, v, depth + 1);
	}
	t->invalid |= !more;
}

static void append_constraint(struct constraint_text *t, const struct fsi_json *v, unsigned depth)
{
	static const struct {
		const char *key, *prefix, *suffix, *between;
		bool names;
	} operators[] = { { "properties", "", "", "&", true }, { "hostlist", "hosts:", "", "|", true }, { "ranks", "ranks:[", "]", "|", true },
			  { "and", "", "", "&", false },       { "or", "", "", "|", false },	        { "not", "!", "", "&", false } };

	t->invalid |= depth == JOBSPEC_DEPTH_MAX;
	for (size_t i = 0; i < sizeof(operators) / sizeof(*operators) && !t->invalid; i++) {
		const struct fsi_json *list = fsi_json_find_member(v, operators[i].key);
		const char *sign = operators[i].names ? "" : operators[i].prefix;

		if (!list)
			continue;
		append_constraint_text(t, depth || *sign ? sign : "", depth || *sign ? "(" : "", "");
		if (operators[i].names)
			append_constraint_names(t, list, operators[i].prefix, operators[i].suffix,
						operators[i].between);
		else
			append_constraint_operands(t, list, operators[i].between, depth);
		append_constraint_text(t, depth || *sign ? ")" : "", "", "");
		return;
	}
	t->invalid = true;
}

/* Sets the features of a job from its constraint. An empty constraint means that the job has none. */
static void set_job_constraint(struct fsi_flux_import *f, struct fsi_job *job, const struct fsi_json *v)
{
	struct constraint_text t = { .len = 0 };
	char id[FS_F58_TEXT];

	if (!v || fsi_json_get_type(v) == FSI_JNULL ||
	    (fsi_json_get_type(v) == FSI_JOBJECT && !fsi_json_first_child(v)))
		return;
	append_constraint(&t, v, 0);
	if (t.invalid)
		fsi_model_add_warning(f->imp.m, "cannot parse the constraint of job %s: the constraint is ignored",
				      fs_f58_format(job->id, true, id));
	else
		FSI_PUT(job, JOB, features, fsi_import_intern_name(&f->imp, (struct fsi_span){ t.s, t.len }));
}

/* ---- begin times: `flux jobs` prints only the time of day (src/bindings/python/flux/job/info.py: DependencyList) */

static void set_begin_time(const fs_snapshot *m, struct fsi_job *job, const struct fsi_json *list)
{
	double when;

	if (!strstr(fsi_name_text(m, job->dependency), "begin"))
		return;
	for (const struct fsi_json *v = fsi_flux_first_child(list); v; v = fsi_json_next_sibling(v)) {
		const char *scheme = fsi_flux_string_value(fsi_json_find_member(v, "scheme")),
			   *value = fsi_flux_string_value(fsi_json_find_member(v, "value"));

		if (!scheme || !value || strcmp(scheme, "begin-time") != 0 || fsi_parse_double(value, strlen(value), &when) || when < 0 ||
		    when > (double)FSI_SECONDS_MAX)
			continue;
		if (FSI_HAS(job, JOB, eligible_time) && job->eligible_time > (int64_t)when)
			continue;
		FSI_PUT(job, JOB, eligible_time, (int64_t)when);
	}
}

/* ---- jobs */

struct job_id_index {
	struct fsi_flux_import *f;
	uint32_t *row; /* job rows, sorted by job ID */
};

static int compare_job_ids(const void *a, const void *b, const void *ctx)
{
	const struct fsi_job *v = ctx;
	const uint64_t x = v[*(const uint32_t *)a].id, y = v[*(const uint32_t *)b].id;

	return (x > y) - (x < y);
}

static struct fsi_job *find_job_by_id(const struct job_id_index *s, uint64_t id)
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

static int read_jobspec_object(void *ctx, uint32_t depth, const struct fsi_json *v, struct fsi_input_position where)
{
	const struct job_id_index *s = ctx;
	const struct fsi_json *id = fsi_json_find_member(v, "id");
	struct fsi_job *job;
	uint64_t n;

	if (!depth && fsi_json_find_member(v, "jobspecs"))
		return 0;
	s->f->imp.where = where;
	if (!id || fsi_json_get_type(id) != FSI_JNUMBER || fsi_json_get_u64(id, &n))
		return fsi_fail_at(s->f->imp.err, where, "id", "expected a job id");
	job = find_job_by_id(s, n);
	if (!job) /* the job was submitted or ended between `flux jobs` and the capture of the jobspecs */
		return 0;
	set_resource_request(s->f->imp.m, job, fsi_json_find_member(v, "resources"));
	set_begin_time(s->f->imp.m, job, fsi_json_find_member(v, "dependencies"));
	set_job_constraint(s->f, job, fsi_json_find_member(v, "constraints"));
	return 0;
}

int fsi_flux_read_jobspecs(struct fsi_flux_import *f)
{
	static const char *const keys[] = { "jobspecs", NULL };
	const fs_snapshot *m = f->imp.m;
	struct job_id_index s = { .f = f, .row = malloc((m->job.n + 1) * sizeof(*s.row)) };
	const struct fsi_json_split split = { keys, NULL, read_jobspec_object, &s };
	int rc = s.row ? 0 : fsi_fail_no_memory(f->imp.err);

	for (uint32_t i = 0; i < m->job.n && !rc; i++)
		s.row[i] = i;
	if (!rc && fs_sort(s.row, m->job.n, sizeof(*s.row), compare_job_ids, m->job.v))
		rc = fsi_fail_no_memory(f->imp.err);
	if (!rc)
		rc = fsi_import_read_json(&f->imp, "flux_jobspecs.json", &split);
	free(s.row);
	return rc == 1 ? 0 : rc;
}

/* Finds the last job that each association submitted. flux-accounting computes priorities with the queue of that job,
 * even if the job has ended (src/plugins/mf_priority.cpp: new_cb stores the queue's factor with the association).
 *
 *   {"from": 1795310875.5, "jobs": [{"id": 7, "userid": 1, "username": "a", "bank": "x", "queue": "q",
 *    "t_submit": 5.5}]}
 *
 * The file does not list jobs that ended before `from`, for two reasons: job-list returns only the jobs that ended last
 * (src/modules/job-list/list.c), and flux-accounting's plugin does not know jobs that were submitted before the last
 * start of the Flux broker. If `from` is 0, no ended job is missing. If the file has no `from`, its jobs are from `flux
 * jobs`, which lists at most 1000 jobs. If `flux jobs` lists 1000 jobs, `from` is the earliest end of a listed job; if
 * it lists fewer jobs, no ended job is missing.
 *
 * Jobs that are not listed had ended by `from`, so they were submitted before `from`. If the last known job of an
 * association was submitted after `from`, it is therefore the association's last job. */

enum { LISTED_JOBS_MAX = 1000 };

struct ended_reader {
	struct fsi_flux_import *f;
	double earliest_end; /* earliest end time of the jobs in the file, seconds since the epoch */
	bool has_from;    /* the file has the member `from` */
};

static int parse_epoch_seconds(struct fsi_flux_import *f, const struct fsi_json *v, const char *key, double *out)
{
	const struct fsi_json *t = fsi_json_find_member(v, key);

	if (!t || fsi_json_get_type(t) == FSI_JNULL)
		return 0;
	*out = fsi_json_get_type(t) == FSI_JNUMBER ? fsi_json_get_double(t) : (double)NAN;
	return *out >= 0 && *out <= (double)FSI_SECONDS_MAX
		       ? 0
		       : fsi_fail_at(f->imp.err, f->imp.where, key, "expected seconds since 1970");
}

/* Returns the name ID of the string member `key` of v; 0 if there is none. */
static uint32_t intern_string_value(struct fsi_flux_import *f, const struct fsi_json *v, const char *key)
{
	const struct fsi_json *text = fsi_json_find_member(v, key);
	const char *s = text && fsi_json_get_type(text) == FSI_JSTRING ? fsi_json_get_string(text) : "";

	return *s ? fsi_import_intern_name(&f->imp, fsi_string_to_span(s)) : 0;
}

/* Returns the name ID of the job's user, under the name that the user has in associations. The user name in the job may
 * be different, because this name comes from the host of the capture. If no association has the user name in the job,
 * the user is therefore looked up by user ID. */
static uint32_t get_association_user(struct fsi_flux_import *f, const struct fsi_json *v)
{
	const fs_snapshot *m = f->imp.m;
	const struct fsi_json *id = fsi_json_find_member(v, "userid");
	const uint32_t name = intern_string_value(f, v, "username");
	uint64_t uid;

	if (name && name != FSI_INTERN_FAILED && fsi_flux_name_to_row(&f->user, name) != FSI_NO_INDEX)
		return name;
	if (id && fsi_json_get_type(id) == FSI_JNUMBER && !fsi_json_get_u64(id, &uid))
		for (size_t i = 0; i < m->user.n; i++)
			if (FSI_HAS(&m->user.v[i], USER, uid) && m->user.v[i].uid == uid)
				return m->user.v[i].name;
	return name;
}

static void add_submitted_job(struct fsi_flux_import *f, struct fsi_flux_submitted s)
{
	if (FSI_VEC_RESERVE(&f->ended_jobs))
		f->imp.m->out_of_memory = true;
	else
		f->ended_jobs.v[f->ended_jobs.n++] = s;
}

static int read_ended_object(void *ctx, uint32_t depth, const struct fsi_json *v, struct fsi_input_position where)
{
	struct ended_reader *r = ctx;
	struct fsi_flux_import *f = r->f;
	const struct fsi_json *id = fsi_json_find_member(v, "id");
	struct fsi_flux_submitted s = { .id = 0 };
	double at = 0, end = INFINITY;
	int rc;

	f->imp.where = where;
	if (!depth && fsi_json_find_member(v, "jobs")) {
		r->has_from = fsi_json_find_member(v, "from") != NULL;
		return parse_epoch_seconds(f, v, "from", &f->ended_since);
	}
	if (!id || fsi_json_get_type(id) != FSI_JNUMBER || fsi_json_get_u64(id, &s.id))
		return fsi_fail_at(f->imp.err, where, "id", "expected a job id");
	rc = parse_epoch_seconds(f, v, "t_submit", &at);
	if (!rc)
		rc = parse_epoch_seconds(f, v, "t_inactive", &end);
	if (rc)
		return rc;
	r->earliest_end = end < r->earliest_end ? end : r->earliest_end;
	s.user = get_association_user(f, v);
	s.bank = intern_string_value(f, v, "bank");
	s.queue = intern_string_value(f, v, "queue");
	s.time = (int64_t)at;
	add_submitted_job(f, s);
	return 0;
}

/* Called if the capture has no file of ended jobs. `flux jobs -a` also lists ended jobs. If the capture's jobs are from
 * this command, sets f->ended_known to true and *earliest_end to the earliest end time of an ended job. If the jobs are
 * from another command, or if there are no jobs, sets f->ended_known to false. */
static void use_listed_ended_jobs(struct fsi_flux_import *f, double *earliest_end)
{
	const fs_snapshot *m = f->imp.m;

	f->ended_known = f->jobs_file && strstr(f->jobs_file, "_-a_") && m->job.n;
	for (size_t i = 0; f->ended_known && i < m->job.n; i++) {
		const struct fsi_job *job = &m->job.v[i];

		if (fsi_job_has_ended(job) && FSI_HAS(job, JOB, end_time) && (double)job->end_time < *earliest_end)
			*earliest_end = (double)job->end_time;
	}
}

int fsi_flux_read_ended(struct fsi_flux_import *f)
{
	static const char *const files[] = { "flux_jobs_ended.json", "flux-jobs_-A_--filter=inactive_--json.json",
					     NULL };
	static const char *const keys[] = { "jobs", NULL };
	struct ended_reader r = { .f = f, .earliest_end = INFINITY };
	const struct fsi_json_split split = { keys, NULL, read_ended_object, &r };
	size_t listed;
	int rc = 1;

	for (const char *const *file = files; *file && rc == 1; file++)
		rc = fsi_import_read_json(&f->imp, *file, &split);
	f->ended_known = rc == 0;
	listed = f->ended_jobs.n;
	if (rc == 1) {
		use_listed_ended_jobs(f, &r.earliest_end);
		listed = f->imp.m->job.n;
		rc = 0;
	}
	if (!rc && !r.has_from && listed >= LISTED_JOBS_MAX)
		f->ended_since = r.earliest_end;
	return !rc && f->ended_known && f->ended_since > 0 ? fsi_import_hide_type(&f->imp, FSI_HIDDEN_LAST_JOBS) : rc;
}

/* ---- the last submitted job of each association, set after all files are read */

static int compare_latest_first(const void *a, const void *b, const void *ctx)
{
	const uint64_t x = ((const struct fsi_flux_submitted *)a)->id, y = ((const struct fsi_flux_submitted *)b)->id;

	(void)ctx;
	return (x < y) - (x > y);
}

static void add_listed_jobs(struct fsi_flux_import *f)
{
	const fs_snapshot *m = f->imp.m;

	for (size_t i = 0; i < m->job.n; i++) {
		const struct fsi_job *job = &m->job.v[i];

		add_submitted_job(f, (struct fsi_flux_submitted){ job->user, job->account,
								  fsi_list_first_item(m, job->partitions), job->id,
								  job->submit_time });
	}
}

static void set_last_job(struct fsi_association *a, const struct fsi_flux_submitted *s)
{
	FSI_PUT(a, ASSOCIATION, last_job, s->id);
	a->last_queue = s->queue;
	if (s->queue)
		FSI_SET(a, ASSOCIATION, last_queue);
}

/* Sets the last submitted job of each association. The result is the association's first job in f->ended_jobs, which is
 * sorted from the latest to the earliest job. Ignores a job submitted before f->ended_since, because a later job may be
 * missing from the list. `seen` is indexed by association row; all elements are false at first. */
static void set_all_last_jobs(struct fsi_flux_import *f, bool *seen)
{
	fs_snapshot *m = f->imp.m;

	for (size_t i = 0; i < f->ended_jobs.n; i++) {
		const struct fsi_flux_submitted *s = &f->ended_jobs.v[i];
		const struct fsi_job job = { .user = s->user, .account = s->bank };
		const uint32_t a = m->scheduler->charged_to(m, &job);

		if (a == FSI_NO_INDEX || seen[a])
			continue;
		seen[a] = true;
		if (!(f->ended_since > 0) || (double)s->time >= ceil(f->ended_since))
			set_last_job(&m->association.v[a], s);
	}
}

int fsi_flux_set_last_jobs(struct fsi_flux_import *f)
{
	bool *seen = calloc(f->imp.m->association.n + 1, sizeof(*seen));
	int rc = seen ? 0 : fsi_fail_no_memory(f->imp.err);

	if (!rc && f->ended_known) {
		add_listed_jobs(f);
		rc = fs_sort(f->ended_jobs.v, f->ended_jobs.n, sizeof(*f->ended_jobs.v), compare_latest_first, NULL);
		rc = fsi_import_check_memory(&f->imp, rc ? fsi_fail_no_memory(f->imp.err) : 0);
	}
	if (!rc && f->ended_known)
		set_all_last_jobs(f, seen);
	free(seen);
	return rc;
}

/* Reads past jobs: `flux account view-job-records` (fluxacct/accounting/jobs_table_subcommands.py). The output shows
 * the number of nodes of each job, but no cores or GPUs. The number of nodes is enough by default: flux-accounting's
 * default usage counts only nodes. */

static const char *const record_files[] = { "view-job-records_--json.json", "view-job-records.txt",
					    NULL };

/* Returns the user name of a record. The records in the database have user IDs, and user names only for known users.
 * For any other user, returns the name of the user with this user ID in the snapshot. */
static struct fsi_span get_record_user(const struct fsi_flux_import *f, const struct fsi_kv *row)
{
	const fs_snapshot *m = f->imp.m;
	const struct fsi_span name = fsi_kv_get_value(row, "username"), id = fsi_kv_get_value(row, "userid");
	uint64_t uid;

	if (fsi_parse_u64(name.s, name.len, &uid) && name.len)
		return name;
	for (size_t i = 0; !fsi_parse_u64(id.s, id.len, &uid) && i < m->user.n; i++)
		if (FSI_HAS(&m->user.v[i], USER, uid) && m->user.v[i].uid == uid) {
			const char *s = fsi_name_text(m, m->user.v[i].name);

			return fsi_string_to_span(s);
		}
	return name;
}

static int parse_whole_seconds(struct fsi_flux_import *f, const struct fsi_kv *row, const char *key, int64_t *out)
{
	const struct fsi_span v = fsi_kv_get_value(row, key);
	double t;

	if (fsi_parse_double(v.s, v.len, &t) || !(t >= 0 && t <= (double)FSI_SECONDS_MAX))
		return fsi_import_reject_value(&f->imp, key, v, "seconds since 1970");
	*out = (int64_t)t;
	return 0;
}

static int set_usage_nodes(struct fsi_flux_import *f, const struct fsi_kv *row, struct fsi_usage *u)
{
	fs_snapshot *m = f->imp.m;
	const struct fsi_span v = fsi_kv_get_value(row, "nnodes");
	struct fsi_amount a = { .tres = fsi_name_intern(m, "node") };
	uint64_t n;

	if (fsi_parse_u64(v.s, v.len, &n) || n > INT64_MAX)
		return fsi_import_reject_value(&f->imp, "nnodes", v, "a number of nodes");
	a.n = (int64_t)n;
	FSI_PUT(u, USAGE, tres, fsi_intern_add(&m->sets, &a, sizeof(a)));
	return 0;
}

static int read_record_row(struct fsi_flux_import *f, const struct fsi_kv *row)
{
	fs_snapshot *m = f->imp.m;
	struct fsi_span id = fsi_kv_get_value(row, "jobid");
	struct fsi_usage *u;
	int rc;

	u = FSI_VEC_ADD(&m->usage);
	if (!u)
		return fsi_fail_no_memory(f->imp.err);
	if (fsi_import_parse_flux_id(id.s ? id : fsi_kv_get_value(row, "id"), &u->job))
		return fsi_import_reject_value(&f->imp, "jobid", id, "a job id");
	rc = parse_whole_seconds(f, row, "t_run", &u->start_time);
	if (!rc)
		rc = parse_whole_seconds(f, row, "t_inactive", &u->end_time);
	FSI_SET(u, USAGE, job);
	FSI_SET(u, USAGE, start_time);
	FSI_SET(u, USAGE, end_time);
	if (!rc)
		rc = FSI_IMPORT_SET_FIELD(&f->imp, USAGE, u, user, get_record_user(f, row));
	if (!rc)
		rc = FSI_IMPORT_SET_FIELD(&f->imp, USAGE, u, account, fsi_kv_get_value(row, "bank"));
	if (!rc)
		rc = set_usage_nodes(f, row, u);
	return rc ? rc : fsi_usage_check_times(u, f->imp.where, f->imp.err);
}

int fsi_flux_read_records(struct fsi_flux_import *f)
{
	const int rc = fsi_flux_read_rows(f, record_files, read_record_row, NULL, 0);

	return rc == 1 ? 0 : rc;
}
