#include "base/num.h"
#include "import/maui/maui.h"

#include <stdio.h>
#include <string.h>

/* Node requirements of a job in a trace (src/moab/MTrace.c: MTraceLoadWorkload):
 *  - an architecture and an operating system; "[NONE]" means any
 *  - an amount of memory; 0 means any
 *  - with JOBNODEMATCHPOLICY EXACTPROC, exactly as many processors as the job has tasks per node */

enum { NODE_NEEDS_MAX = 4 };

struct node_requirements {
	uint32_t name[NODE_NEEDS_MAX];
	size_t n;
	bool failed;
};

static void add_node_requirement(struct fsi_import *imp, struct node_requirements *s, const char *what,
				 struct fsi_span compares, struct fsi_span value)
{
	char text[200];
	const int len =
		snprintf(text, sizeof(text), "%s%.*s%.*s", what, (int)compares.len, compares.s, (int)value.len, value.s);

	if (len < 0 || (size_t)len >= sizeof(text))
		return;
	s->name[s->n] = fsi_import_intern_name(imp, fsi_string_to_span(text));
	s->failed = s->failed || s->name[s->n] == FSI_INTERN_FAILED;
	s->n++;
}

static bool is_specific_value(struct fsi_span v)
{
	return v.len && *v.s != '[';
}

static int set_node_needs(struct fsi_import *imp, struct fsi_job *job, const struct fsi_maui_needs *v)
{
	const char *match = fs_snapshot_config_text(imp->m, "JOBNODEMATCHPOLICY");
	struct node_requirements s = { .n = 0 };
	char cpus[24];
	uint32_t set;

	if (v->per_node >= 1 && match && strstr(match, "EXACTPROC")) {
		snprintf(cpus, sizeof(cpus), "%lld", (long long)v->per_node);
		add_node_requirement(imp, &s, "cpu", fsi_string_to_span("=="), fsi_string_to_span(cpus));
	}
	if (v->mem.len && !fsi_span_is_word(v->mem, "0") && !fsi_span_is_word(v->compares, "NC"))
		add_node_requirement(imp, &s, "mem", v->compares, v->mem);
	if (is_specific_value(v->opsys))
		add_node_requirement(imp, &s, "opsys", fsi_string_to_span("=="), v->opsys);
	if (is_specific_value(v->arch))
		add_node_requirement(imp, &s, "arch", fsi_string_to_span("=="), v->arch);
	set = s.n && !s.failed ? fsi_intern_add(&imp->m->sets, s.name, s.n * sizeof(*s.name)) : 0;
	if (s.failed || set == FSI_INTERN_FAILED || (set && FSI_SET_JOB_EXT(imp->m, job, node_needs, set)))
		return fsi_fail_no_memory(imp->err);
	return 0;
}

/* ---- times of jobs in a trace */

/* Returns true if the simulation submits the job after the start of the simulation, at the job's submit time in the
 * trace. The first jobs of the trace are submitted when the simulation starts (src/MSim.c:MSimGetWorkload). */
static bool is_submitted_later(const struct fsi_maui_import *x, const struct fsi_job *job, int64_t submit)
{
	return x->queue_depth && fsi_job_ext(x->imp->m, job)->position >= x->queue_depth && submit > x->clock_start;
}

/* Sets the run time of a job in a simulation. The simulation ends a job when the job has run as long as in the trace,
 * at least 1 s (src/MTrace.c:MTraceLoadWorkload, src/MSim.c:MSimRMGetInfo) and at most its time limit
 * (MSimJobSubmit). */
static int set_trace_run_time(struct fsi_import *imp, struct fsi_job *job, int64_t start, int64_t end)
{
	const int64_t ran = end > start ? end - start : 1;

	return FSI_SET_JOB_EXT(imp->m, job, simulated_run_s, (uint32_t)(ran < UINT32_MAX ? ran : UINT32_MAX)) ?
		       fsi_fail_no_memory(imp->err) :
		       0;
}

/* Sets the times of a job. The start and end times in the trace of a simulation are not used, because these times are
 * from the original run. `finished`: the times are from the statistics of ended jobs. */
static int set_trace_times(struct fsi_maui_import *x, struct fsi_job *job, struct fsi_maui_times t, bool finished)
{
	const bool replayed = x->simulation && !finished;

	if (!x->clock_start || (!x->simulation && t.submit > x->clock_start))
		x->clock_start = t.submit;
	if (!finished && t.submit > x->newest_queued)
		x->newest_queued = t.submit;
	if (replayed && !is_submitted_later(x, job, t.submit))
		t.submit = t.queued = x->clock_start;
	FSI_PUT(job, JOB, submit_time, t.submit);
	FSI_PUT(job, JOB, eligible_time, t.queued ? t.queued : t.submit);
	if (replayed && !x->changes_run_times && set_trace_run_time(x->imp, job, t.start, t.end))
		return FS_ENOMEM;
	if (!t.start || replayed)
		return 0;
	FSI_PUT(job, JOB, start_time, t.start);
	job->end_time = t.end;
	if (t.end)
		FSI_SET(job, JOB, end_time);
	return 0;
}

/* Traces of jobs and nodes, one record per line (src/moab/MTrace.c: MTraceLoadWorkload, MTraceLoadNode). The statistics
 * that a server writes about ended jobs have lines of the same form. */

enum { JOB_FIELDS = 44, NODE_FIELDS = 21 };

/* 0-based indices of the fields in a line: W_... for a job, R_... for a node. */
enum {
	W_NAME,
	W_NODES,
	W_TASKS,
	W_USER,
	W_GROUP,
	W_LIMIT,
	W_STATE,
	W_CLASS,
	W_SUBMIT,
	W_DISPATCH,
	W_START,
	W_END,
	W_ARCH = 13,
	W_OPSYS,
	W_COMPARES,
	W_NODE_MEM,
	W_FEATURES = 19,
	W_QUEUED,
	W_PER_NODE = 22,
	W_QOS,
	W_FLAGS,
	W_ACCOUNT,
	W_COMMENT = 27,
	W_BYPASS,
	W_PROCS = 31,
	W_MEM,
	W_DISK,
	W_SWAP,
	W_HOSTS = 37
};
enum {
	R_TYPE,
	R_STATE,
	R_TIME,
	R_NAME,
	R_SWAP = 5,
	R_MEM,
	R_DISK,
	R_PROCS,
	R_OPSYS = 12,
	R_ARCH,
	R_FEATURES,
	R_CLASSES
};

static bool is_trace_value(struct fsi_span v)
{
	return v.len && !fsi_span_is_word(v, "[NONE]") && !fsi_span_is_word(v, "-");
}

/* A field with a whole number; an M for megabytes may follow. */
struct number_field {
	const char *field;
	struct fsi_span text;
	int64_t min, max, *out;
};

static int parse_number_fields(struct fsi_import *imp, const struct number_field *v, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct fsi_span digits = v[i].text;

		if (digits.len > 1 && digits.s[digits.len - 1] == 'M')
			digits.len--;
		if (fsi_parse_i64(digits.s, digits.len, v[i].out) || *v[i].out < v[i].min || *v[i].out > v[i].max)
			return fsi_import_reject_number(imp, v[i].field, v[i].text, v[i].min, v[i].max);
	}
	return 0;
}

/* Sets *set to the list of the words in a text like `[a][b:4]`, without the counts. */
static int parse_bracket_list(struct fsi_import *imp, struct fsi_span v, uint32_t *set)
{
	uint32_t ids[128];
	size_t n = 0;

	while (v.len && n < 128) {
		const char *close = memchr(v.s, ']', v.len);
		struct fsi_span word = { v.s + (*v.s == '['), 0 };
		const char *colon;

		word.len = (size_t)((close ? close : v.s + v.len) - word.s);
		colon = memchr(word.s, ':', word.len);
		if (colon)
			word.len = (size_t)(colon - word.s);
		if (word.len && !fsi_span_is_word(word, "NONE")) {
			ids[n] = fsi_import_intern_name(imp, word);
			if (ids[n++] == FSI_INTERN_FAILED)
				return fsi_fail_no_memory(imp->err);
		}
		if (!close)
			break;
		v.len -= (size_t)(close + 1 - v.s);
		v.s = close + 1;
	}
	*set = fsi_intern_add(&imp->m->sets, ids, n * sizeof(*ids));
	return *set == FSI_INTERN_FAILED ? fsi_fail_no_memory(imp->err) : 0;
}

static int set_tres_amounts(struct fsi_import *imp, const char *const *names, const int64_t *values, size_t n,
			    uint32_t *set)
{
	struct fsi_amount a[4];
	size_t count = 0;

	for (size_t i = 0; i < n; i++)
		if (values[i] > 0)
			a[count++] =
				(struct fsi_amount){ fsi_name_intern(imp->m, names[i]), 0, values[i] };
	*set = fsi_intern_add(&imp->m->sets, a, count * sizeof(*a));
	return *set == FSI_INTERN_FAILED ? fsi_fail_no_memory(imp->err) : 0;
}

static int set_trace_name(struct fsi_import *imp, struct fsi_job *job, unsigned bit, uint32_t *member,
			  struct fsi_span v)
{
	if (!is_trace_value(v))
		return 0;
	*member = fsi_import_intern_name(imp, v);
	fsi_mark_known(&job->rec, bit);
	return *member == FSI_INTERN_FAILED ? fsi_fail_no_memory(imp->err) : 0;
}

static int set_job_request(struct fsi_import *imp, struct fsi_job *job, const struct fsi_span *w)
{
	static const char *const names[] = { "cpu", "mem", "swap", "disk" };
	int64_t nodes, tasks, limit, per_node, procs, per_task[3];
	const struct number_field numbers[] = {
		{ "nodes", w[W_NODES], 0, 1000000, &nodes },
		{ "tasks", w[W_TASKS], 0, 1000000, &tasks },
		{ "time_limit_s", w[W_LIMIT], 0, INT32_MAX, &limit },
		{ "tasks_per_node", w[W_PER_NODE], -INT32_MAX, 1000000, &per_node },
		{ "cpus_per_task", w[W_PROCS], -1, 1000, &procs },
		{ "mem", w[W_MEM], 0, INT32_MAX, &per_task[0] },
		{ "swap", w[W_SWAP], 0, INT32_MAX, &per_task[1] },
		{ "disk", w[W_DISK], 0, INT32_MAX, &per_task[2] },
	};
	const char *match = fs_snapshot_config_text(imp->m, "JOBNODEMATCHPOLICY");
	int rc = parse_number_fields(imp, numbers, sizeof(numbers) / sizeof(*numbers));

	if (rc)
		return rc;
	procs = procs < 1 ? 1 : procs;
	if (match && strstr(match, "EXACTNODE"))
		nodes = tasks;
	FSI_PUT(job, JOB, nodes, (uint32_t)nodes);
	FSI_PUT(job, JOB, tasks, (uint32_t)tasks);
	FSI_PUT(job, JOB, cpus_per_task, (uint32_t)procs);
	FSI_PUT(job, JOB, cpus, (uint32_t)(tasks * procs));
	FSI_PUT(job, JOB, time_limit_s, limit);
	if (per_node > 1 && FSI_SET_JOB_EXT(imp->m, job, tasks_per_node, (uint32_t)per_node))
		return fsi_fail_no_memory(imp->err);
	FSI_SET(job, JOB, tres_req);
	rc = set_node_needs(imp, job,
			    &(struct fsi_maui_needs){ w[W_OPSYS], w[W_ARCH], w[W_COMPARES], w[W_NODE_MEM], per_node });
	return rc ? rc
		  : set_tres_amounts(
			    imp, names,
			    (int64_t[]){ tasks * procs, tasks * per_task[0], tasks * per_task[1], tasks * per_task[2] },
			    4, &job->tres_req);
}

/* Sets the features of a job from "[a][b]". The job needs all these features, so they become one expression: a&b. */
static int set_required_features(struct fsi_import *imp, struct fsi_job *job, struct fsi_span v)
{
	char text[1024] = "";
	size_t n, len = 0;
	const uint32_t *names;
	uint32_t set;

	if (!is_trace_value(v))
		return 0;
	if (parse_bracket_list(imp, v, &set))
		return -1;
	names = fsi_list_items(imp->m, set, &n);
	for (size_t i = 0; i < n && len < sizeof(text); i++)
		len += (size_t)snprintf(text + len, sizeof(text) - len, "%s%s", i ? "&" : "",
					fsi_name_text(imp->m, names[i]));
	if (len >= sizeof(text))
		return fsi_import_reject_value(imp, "features", v, "fewer features");
	FSI_PUT(job, JOB, features, fsi_name_intern(imp->m, text));
	return job->features == FSI_INTERN_FAILED ? fsi_fail_no_memory(imp->err) : 0;
}

/* Sets credentials, comment, flags and features of a job. fsi_maui_add_job has already allocated the job's optional
 * fields. */
static int set_job_owner(struct fsi_import *imp, struct fsi_job *job, const struct fsi_span *w)
{
	struct fsi_span qos = w[W_QOS], asked;
	int rc = set_trace_name(imp, job, FSI_JOB_user, &job->user, w[W_USER]);

	if (!rc)
		rc = set_trace_name(imp, job, FSI_JOB_group, &job->group, w[W_GROUP]);
	if (!rc)
		rc = set_trace_name(imp, job, FSI_JOB_account, &job->account, w[W_ACCOUNT]);
	if (!rc)
		rc = set_trace_name(imp, job, FSI_JOB_comment, &fsi_job_ext_writable(imp->m, job)->comment,
				    w[W_COMMENT]);
	if (!rc)
		rc = parse_bracket_list(imp, w[W_CLASS], &job->partitions);
	if (!rc)
		rc = parse_bracket_list(imp, w[W_FLAGS], &fsi_job_ext_writable(imp->m, job)->flags);
	if (!rc)
		rc = set_required_features(imp, job, w[W_FEATURES]);
	FSI_SET(job, JOB, partitions);
	FSI_SET(job, JOB, flags);
	if (rc || !is_trace_value(qos) || !fsi_span_cut_part(&qos, ':', &asked) || !is_trace_value(asked))
		return rc;
	job->qos = fsi_import_intern_name(imp, asked);
	if (job->qos != FSI_INTERN_FAILED)
		job->qos = fsi_intern_add(&imp->m->sets, &job->qos, sizeof(job->qos));
	FSI_SET(job, JOB, qos);
	return job->qos == FSI_INTERN_FAILED ? fsi_fail_no_memory(imp->err) : 0;
}

static int parse_trace_times(struct fsi_maui_import *x, struct fsi_job *job, const struct fsi_span *w, bool finished)
{
	struct fsi_import *imp = x->imp;
	struct fsi_maui_times t;
	const struct number_field numbers[] = {
		{ "submit_time", w[W_SUBMIT], 0, FSI_SECONDS_MAX, &t.submit },
		{ "start_time", w[W_START], 0, FSI_SECONDS_MAX, &t.start },
		{ "end_time", w[W_END], 0, FSI_SECONDS_MAX, &t.end },
		{ "eligible_time", w[W_QUEUED], 0, FSI_SECONDS_MAX, &t.queued },
	};
	const int rc = parse_number_fields(imp, numbers, sizeof(numbers) / sizeof(*numbers));

	return rc ? rc : set_trace_times(x, job, t, finished);
}

/* Sets the hosts of an ended job from "node07:node06". The hosts are used to compute the free memory of nodes in a
 * simulation. */
static int set_job_hosts(struct fsi_maui_import *x, struct fsi_job *job, const struct fsi_span *w)
{
	enum { HOST_LIST_MAX = 16000 };
	char list[HOST_LIST_MAX];
	const struct fsi_span v = w[W_HOSTS];

	if (!x->simulation || !is_trace_value(v) || v.len >= HOST_LIST_MAX)
		return 0;
	for (size_t i = 0; i < v.len; i++)
		list[i] = v.s[i] == ':' ? ',' : v.s[i];
	return set_trace_name(x->imp, job, FSI_JOB_node_list, &job->node_list, (struct fsi_span){ list, v.len });
}

static int is_skipped_line(struct fsi_span line, struct fsi_span *w)
{
	const size_t n = fsi_span_split_words(line, w, JOB_FIELDS);

	return !n || *w[0].s == '#' || fsi_span_is_word(w[0], "VERSION");
}

/* Reads the line of a job. `finished`: the line is from the statistics of ended jobs. */
static int read_job_line(struct fsi_maui_import *x, struct fsi_span line, bool finished)
{
	struct fsi_import *imp = x->imp;
	struct fsi_span w[JOB_FIELDS];
	struct fsi_job *job;
	size_t found;
	int64_t bypass;
	uint32_t row;
	int rc;

	if (is_skipped_line(line, w))
		return 0;
	found = fsi_span_split_words(line, w, JOB_FIELDS);
	if (found < W_SWAP + 1)
		return fsi_fail_at(imp->err, imp->where, NULL,
				   "expected %d fields, found %zu; the line may be truncated",
				   JOB_FIELDS, found);
	if (found != JOB_FIELDS && !x->malformed_trace_lines++ &&
	    fsi_import_warn_incomplete(imp, NULL,
				       "%s:%llu: the line has %zu fields instead of %d: values may be misread",
				       imp->where.file, (unsigned long long)imp->where.line, found, JOB_FIELDS))
		return fsi_fail_no_memory(imp->err);
	row = fsi_maui_find_job(x, w[W_NAME]);
	rc = row == FSI_NO_INDEX ? fsi_maui_add_job(x, w[W_NAME], &row) : 0;
	if (rc)
		return rc;
	job = &imp->m->job.v[row];
	rc = parse_number_fields(imp, &(struct number_field){ "bypass", w[W_BYPASS], 0, UINT32_MAX, &bypass }, 1);
	if (!rc)
		rc = set_job_request(imp, job, w);
	if (!rc)
		rc = set_job_owner(imp, job, w);
	if (!rc)
		rc = parse_trace_times(x, job, w, finished);
	if (!rc && finished && found > W_HOSTS)
		rc = set_job_hosts(x, job, w);
	if (rc)
		return rc;
	if (FSI_SET_JOB_EXT(imp->m, job, bypass, (uint32_t)bypass))
		return fsi_fail_no_memory(imp->err);
	if (fsi_span_is_word(w[W_STATE], "Running") && (finished || !x->simulation))
		job->state = FSI_STATE_RUNNING;
	else if (fsi_span_is_word(w[W_STATE], "Completed") && (finished || !x->simulation))
		job->state = FSI_STATE_COMPLETED;
	return 0;
}

static int read_queued_job(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	(void)imp;
	return read_job_line(ctx, line, false);
}

static int read_finished_job(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	(void)imp;
	return read_job_line(ctx, line, true);
}

static int read_node_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	static const char *const names[] = { "cpu", "mem", "swap", "disk" };
	struct fsi_maui_import *x = ctx;
	struct fsi_span w[NODE_FIELDS];
	const size_t n = fsi_span_split_words(line, w, NODE_FIELDS);
	struct fsi_node node = { 0 };
	int64_t time, procs, mb[3];
	int rc;

	if (!n || *w[0].s == '#' || !fsi_span_is_word(w[R_TYPE], "COMPUTENODE"))
		return 0;
	if (n < R_CLASSES + 1)
		return fsi_fail_at(imp->err, imp->where, NULL,
				   "expected %d fields, found %zu; the line may be truncated", NODE_FIELDS, n);
	const struct number_field numbers[] = {
		{ "time", w[R_TIME], 0, FSI_SECONDS_MAX, &time },
		{ "cpus", w[R_PROCS], 0, 1000000, &procs },
		{ "mem_mb", w[R_MEM], 0, INT32_MAX, &mb[0] },
		{ "swap", w[R_SWAP], 0, INT32_MAX, &mb[1] },
		{ "disk", w[R_DISK], 0, INT32_MAX, &mb[2] },
	};
	rc = parse_number_fields(imp, numbers, sizeof(numbers) / sizeof(*numbers));
	if (!rc)
		rc = parse_bracket_list(imp, w[R_FEATURES], &node.features);
	if (!rc)
		rc = parse_bracket_list(imp, w[R_CLASSES], &node.partitions);
	if (!rc)
		rc = set_tres_amounts(imp, names, (int64_t[]){ procs, mb[0], mb[1], mb[2] }, 4, &node.tres);
	if (rc)
		return rc;
	FSI_PUT(&node, NODE, opsys, fsi_import_intern_name(imp, w[R_OPSYS]));
	FSI_PUT(&node, NODE, arch, fsi_import_intern_name(imp, w[R_ARCH]));
	FSI_PUT(&node, NODE, name, fsi_import_intern_name(imp, w[R_NAME]));
	FSI_PUT(&node, NODE, state,
		fsi_name_intern(imp->m, fsi_span_is_word(w[R_STATE], "AVAILABLE") ? "IDLE"
					: fsi_span_is_word(w[R_STATE], "DRAINED") ? "DRAINED"
										  : "DOWN"));
	FSI_PUT(&node, NODE, cpus, (uint32_t)procs);
	FSI_PUT(&node, NODE, mem_mb, (uint64_t)mb[0]);
	FSI_SET(&node, NODE, features);
	FSI_SET(&node, NODE, partitions);
	FSI_SET(&node, NODE, tres);
	if (time > x->clock_start)
		x->clock_start = time;
	if (node.opsys == FSI_INTERN_FAILED || node.arch == FSI_INTERN_FAILED || node.name == FSI_INTERN_FAILED ||
	    node.state == FSI_INTERN_FAILED || FSI_VEC_RESERVE(&imp->m->node))
		return fsi_fail_no_memory(imp->err);
	imp->m->node.v[imp->m->node.n++] = node;
	return 0;
}

int fsi_maui_read_traces(struct fsi_maui_import *x)
{
	static const char *const resources[] = { "traces/resource", "resource", NULL };
	static const char *const workloads[] = { "traces/workload", "workload", NULL };
	static const char *const finished[] = { "stats/simstat.out", "simstat.out", NULL };
	int rc = fsi_maui_read_first_file(x, resources, read_node_line);

	if (rc > 0)
		rc = fsi_import_hide_type(x->imp, "node");
	if (!rc)
		rc = fsi_maui_read_first_file(x, workloads, read_queued_job);
	x->workload_jobs = x->imp->m->job.n;
	if (rc > 0)
		rc = fsi_import_hide_type(x->imp, "job");
	if (rc >= 0)
		rc = fsi_maui_read_first_file(x, finished, read_finished_job);
	x->has_statistics = !rc;
	return rc > 0 ? 0 : rc;
}
