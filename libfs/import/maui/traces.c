#include "base/num.h"
#include "import/maui/maui.h"

#include <stdio.h>
#include <string.h>

const char *const fsi_maui_tres_names[FSI_MAUI_TRES_COUNT] = { "cpu", "mem", "swap", "disk" };

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

/* Node requirements of a job in a trace (src/moab/MTrace.c: MTraceLoadWorkload):
 *  - an architecture and an operating system; "[NONE]" means any
 *  - an amount of memory; 0 means any
 *  - with JOBNODEMATCHPOLICY EXACTPROC, exactly as many processors as the job has tasks per node */

enum { NODE_NEEDS_MAX = 4 };

struct node_requirements {
	uint32_t name[NODE_NEEDS_MAX];
	size_t n;
};

static void add_node_requirement(struct fsi_import *imp, struct node_requirements *s, const char *what,
				 struct fsi_span compares, struct fsi_span value)
{
	char text[200];
	const int len =
		snprintf(text, sizeof(text), "%s%.*s%.*s", what, (int)compares.len, compares.s, (int)value.len, value.s);

	if (len >= 0 && (size_t)len < sizeof(text))
		s->name[s->n++] = fsi_name_intern(imp->m, text);
}

static bool is_specific_value(struct fsi_span v)
{
	return v.len && *v.s != '[';
}

/* Sets node_needs of the job from the fields of its line. `per_node`: number of tasks per node; below 1: any number. */
static void set_node_needs(struct fsi_import *imp, struct fsi_job *job, const struct fsi_span *w, int64_t per_node)
{
	static const struct fsi_span equal = { "==", 2 };
	const char *match = fs_snapshot_config_text(imp->m, "JOBNODEMATCHPOLICY");
	struct node_requirements s = { .n = 0 };
	char cpus[24];

	if (per_node >= 1 && match && strstr(match, "EXACTPROC")) {
		snprintf(cpus, sizeof(cpus), "%lld", (long long)per_node);
		add_node_requirement(imp, &s, "cpu", equal, fsi_string_to_span(cpus));
	}
	if (w[W_NODE_MEM].len && !fsi_span_is_word(w[W_NODE_MEM], "0") && !fsi_span_is_word(w[W_COMPARES], "NC"))
		add_node_requirement(imp, &s, "mem", w[W_COMPARES], w[W_NODE_MEM]);
	if (is_specific_value(w[W_OPSYS]))
		add_node_requirement(imp, &s, "opsys", equal, w[W_OPSYS]);
	if (is_specific_value(w[W_ARCH]))
		add_node_requirement(imp, &s, "arch", equal, w[W_ARCH]);
	if (s.n)
		(void)FSI_SET_JOB_EXT(imp->m, job, node_needs,
				      fsi_intern_add(&imp->m->sets, s.name, s.n * sizeof(*s.name)));
}

/* ---- times of jobs in a trace */

/* Times in a line of a trace, seconds since the epoch; 0: the line has no such time. `queued`: time at which the job
 * was queued. */
struct trace_times {
	int64_t submit, start, end, queued;
};

/* Returns true if the simulation submits the job after the start of the simulation, at the job's submit time in the
 * trace. The first jobs of the trace are submitted when the simulation starts (src/MSim.c:MSimGetWorkload). */
static bool is_submitted_later(const struct fsi_maui_import *x, const struct fsi_job *job, int64_t submit)
{
	return x->queue_depth && fsi_job_ext(x->imp->m, job)->position >= x->queue_depth && submit > x->clock_start;
}

/* Sets the run time of a job in a simulation. The simulation ends a job when the job has run as long as in the trace,
 * at least 1 s (src/MTrace.c:MTraceLoadWorkload, src/MSim.c:MSimRMGetInfo) and at most its time limit
 * (MSimJobSubmit). */
static void set_trace_run_time(struct fsi_import *imp, struct fsi_job *job, int64_t start, int64_t end)
{
	const int64_t ran = end > start ? end - start : 1;

	(void)FSI_SET_JOB_EXT(imp->m, job, simulated_run_s, (uint32_t)(ran < UINT32_MAX ? ran : UINT32_MAX));
}

/* Sets the times of a job. The start and end times in the trace of a simulation are not used, because these times are
 * from the original run. `finished`: the times are from the statistics of ended jobs. */
static void set_trace_times(struct fsi_maui_import *x, struct fsi_job *job, struct trace_times t, bool finished)
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
	if (replayed && !x->changes_run_times)
		set_trace_run_time(x->imp, job, t.start, t.end);
	if (!t.start || replayed)
		return;
	FSI_PUT(job, JOB, start_time, t.start);
	job->end_time = t.end;
	if (t.end)
		FSI_SET(job, JOB, end_time);
}

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

/* Returns the list of the words in a text like `[a][b:4]`, without the counts. */
static uint32_t parse_bracket_list(struct fsi_import *imp, struct fsi_span v)
{
	uint32_t ids[128];
	struct fsi_span part, word;
	size_t n = 0;

	while (n < sizeof(ids) / sizeof(*ids) && v.len && fsi_span_cut_part(&v, ']', &part)) {
		if (part.len && *part.s == '[')
			part = fsi_span_skip_bytes(part, 1);
		fsi_span_cut_part(&part, ':', &word);
		if (word.len && !fsi_span_is_word(word, "NONE"))
			ids[n++] = fsi_import_intern_name(imp, word);
	}
	return fsi_intern_add(&imp->m->sets, ids, n * sizeof(*ids));
}

/* Returns the TRES with these amounts; a TRES with amount 0 is left out. */
static uint32_t intern_amounts(struct fsi_import *imp, const int64_t amounts[FSI_MAUI_TRES_COUNT])
{
	struct fsi_amount a[FSI_MAUI_TRES_COUNT];
	size_t n = 0;

	for (size_t i = 0; i < FSI_MAUI_TRES_COUNT; i++)
		if (amounts[i] > 0)
			a[n++] = (struct fsi_amount){ fsi_name_intern(imp->m, fsi_maui_tres_names[i]), 0, amounts[i] };
	return fsi_intern_add(&imp->m->sets, a, n * sizeof(*a));
}

static void set_trace_name(struct fsi_import *imp, struct fsi_job *job, unsigned bit, uint32_t *member,
			   struct fsi_span v)
{
	if (!is_trace_value(v))
		return;
	*member = fsi_import_intern_name(imp, v);
	fsi_mark_known(&job->rec, bit);
}

static int set_job_request(struct fsi_import *imp, struct fsi_job *job, const struct fsi_span *w)
{
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
	if (per_node > 1)
		(void)FSI_SET_JOB_EXT(imp->m, job, tasks_per_node, (uint32_t)per_node);
	set_node_needs(imp, job, w, per_node);
	FSI_PUT(job, JOB, tres_req,
		intern_amounts(imp, (int64_t[]){ tasks * procs, tasks * per_task[0], tasks * per_task[1],
						 tasks * per_task[2] }));
	return 0;
}

/* Sets the features of a job from "[a][b]". The job needs all these features, so they become one expression: a&b. */
static int set_required_features(struct fsi_import *imp, struct fsi_job *job, struct fsi_span v)
{
	char text[1024] = "";
	size_t n, len = 0;
	const uint32_t *names;

	if (!is_trace_value(v))
		return 0;
	names = fsi_list_items(imp->m, parse_bracket_list(imp, v), &n);
	for (size_t i = 0; i < n && len < sizeof(text); i++)
		len += (size_t)snprintf(text + len, sizeof(text) - len, "%s%s", i ? "&" : "",
					fsi_name_text(imp->m, names[i]));
	if (len >= sizeof(text))
		return fsi_import_reject_value(imp, "features", v, "fewer features");
	FSI_PUT(job, JOB, features, fsi_name_intern(imp->m, text));
	return 0;
}

/* Sets credentials, comment, flags and features of a job. fsi_maui_add_job has already allocated the job's optional
 * fields. */
static int set_job_owner(struct fsi_import *imp, struct fsi_job *job, const struct fsi_span *w)
{
	struct fsi_job_ext *ext = fsi_job_ext_writable(imp->m, job);
	struct fsi_span qos = w[W_QOS], asked;
	int rc;

	set_trace_name(imp, job, FSI_JOB_user, &job->user, w[W_USER]);
	set_trace_name(imp, job, FSI_JOB_group, &job->group, w[W_GROUP]);
	set_trace_name(imp, job, FSI_JOB_account, &job->account, w[W_ACCOUNT]);
	set_trace_name(imp, job, FSI_JOB_comment, &ext->comment, w[W_COMMENT]);
	FSI_PUT(job, JOB, partitions, parse_bracket_list(imp, w[W_CLASS]));
	ext->flags = parse_bracket_list(imp, w[W_FLAGS]);
	FSI_SET(job, JOB, flags);
	rc = set_required_features(imp, job, w[W_FEATURES]);
	if (is_trace_value(qos) && fsi_span_cut_part(&qos, ':', &asked) && is_trace_value(asked)) {
		const uint32_t name = fsi_import_intern_name(imp, asked);

		FSI_PUT(job, JOB, qos, fsi_intern_add(&imp->m->sets, &name, sizeof(name)));
	}
	return rc;
}

static int parse_trace_times(struct fsi_maui_import *x, struct fsi_job *job, const struct fsi_span *w, bool finished)
{
	struct fsi_import *imp = x->imp;
	struct trace_times t;
	const struct number_field numbers[] = {
		{ "submit_time", w[W_SUBMIT], 0, FSI_SECONDS_MAX, &t.submit },
		{ "start_time", w[W_START], 0, FSI_SECONDS_MAX, &t.start },
		{ "end_time", w[W_END], 0, FSI_SECONDS_MAX, &t.end },
		{ "eligible_time", w[W_QUEUED], 0, FSI_SECONDS_MAX, &t.queued },
	};
	const int rc = parse_number_fields(imp, numbers, sizeof(numbers) / sizeof(*numbers));

	if (!rc)
		set_trace_times(x, job, t, finished);
	return rc;
}

/* Sets the hosts of an ended job from "node07:node06". The hosts are used to compute the free memory of nodes in a
 * simulation. */
static void set_job_hosts(struct fsi_maui_import *x, struct fsi_job *job, const struct fsi_span *w)
{
	enum { HOST_LIST_MAX = 16000 };
	char list[HOST_LIST_MAX];
	const struct fsi_span v = w[W_HOSTS];

	if (!x->simulation || !is_trace_value(v) || v.len >= HOST_LIST_MAX)
		return;
	for (size_t i = 0; i < v.len; i++)
		list[i] = v.s[i] == ':' ? ',' : v.s[i];
	set_trace_name(x->imp, job, FSI_JOB_node_list, &job->node_list, (struct fsi_span){ list, v.len });
}

/* Reads the line of a job. `finished`: the line is from the statistics of ended jobs. */
static int read_job_line(struct fsi_maui_import *x, struct fsi_span line, bool finished)
{
	struct fsi_import *imp = x->imp;
	struct fsi_span w[JOB_FIELDS];
	const size_t found = fsi_span_split_words(line, w, JOB_FIELDS);
	struct fsi_job *job;
	int64_t bypass;
	uint32_t row;
	int rc;

	if (!found || *w[0].s == '#' || fsi_span_is_word(w[0], "VERSION"))
		return 0;
	if (found < W_SWAP + 1)
		return fsi_fail_at(imp->err, imp->where, NULL,
				   "expected %d fields, found %zu; the line may be truncated",
				   JOB_FIELDS, found);
	if (found != JOB_FIELDS && !x->malformed_trace_lines++)
		fsi_import_warn_incomplete(imp, NULL,
					   "%s:%llu: the line has %zu fields instead of %d: values may be misread",
					   imp->where.file, (unsigned long long)imp->where.line, found, JOB_FIELDS);
	row = fsi_maui_find_job(x, w[W_NAME]);
	if (row == FSI_NO_INDEX)
		row = fsi_maui_add_job(x, w[W_NAME]);
	if (row == FSI_NO_INDEX)
		return fsi_fail_no_memory(imp->err);
	job = &imp->m->job.v[row];
	rc = parse_number_fields(imp, &(struct number_field){ "bypass", w[W_BYPASS], 0, UINT32_MAX, &bypass }, 1);
	if (!rc)
		rc = set_job_request(imp, job, w);
	if (!rc)
		rc = set_job_owner(imp, job, w);
	if (!rc)
		rc = parse_trace_times(x, job, w, finished);
	if (rc)
		return rc;
	if (finished && found > W_HOSTS)
		set_job_hosts(x, job, w);
	(void)FSI_SET_JOB_EXT(imp->m, job, bypass, (uint32_t)bypass);
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
	struct fsi_maui_import *x = ctx;
	struct fsi_span w[NODE_FIELDS];
	const size_t n = fsi_span_split_words(line, w, NODE_FIELDS);
	struct fsi_node *node;
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
	if (rc)
		return rc;
	node = FSI_VEC_ADD(&imp->m->node);
	if (!node)
		return fsi_fail_no_memory(imp->err);
	FSI_PUT(node, NODE, features, parse_bracket_list(imp, w[R_FEATURES]));
	FSI_PUT(node, NODE, partitions, parse_bracket_list(imp, w[R_CLASSES]));
	FSI_PUT(node, NODE, tres, intern_amounts(imp, (int64_t[]){ procs, mb[0], mb[1], mb[2] }));
	FSI_PUT(node, NODE, opsys, fsi_import_intern_name(imp, w[R_OPSYS]));
	FSI_PUT(node, NODE, arch, fsi_import_intern_name(imp, w[R_ARCH]));
	FSI_PUT(node, NODE, name, fsi_import_intern_name(imp, w[R_NAME]));
	FSI_PUT(node, NODE, state,
		fsi_name_intern(imp->m, fsi_span_is_word(w[R_STATE], "AVAILABLE") ? "IDLE"
					: fsi_span_is_word(w[R_STATE], "DRAINED") ? "DRAINED"
										  : "DOWN"));
	FSI_PUT(node, NODE, cpus, (uint32_t)procs);
	FSI_PUT(node, NODE, mem_mb, (uint64_t)mb[0]);
	if (time > x->clock_start)
		x->clock_start = time;
	return 0;
}

/* Reads a trace from the folder `dir` or, if the folder has no such file, from the capture's folder. Returns 1 if
 * neither exists. */
static int read_trace(struct fsi_maui_import *x, const char *dir, const char *file, fsi_line_fn fn)
{
	char path[40];
	int rc;

	snprintf(path, sizeof(path), "%s/%s", dir, file);
	rc = fsi_import_read_lines(x->imp, path, fn, x);
	return rc > 0 ? fsi_import_read_lines(x->imp, file, fn, x) : rc;
}

int fsi_maui_read_traces(struct fsi_maui_import *x)
{
	int rc = read_trace(x, "traces", "resource", read_node_line);

	if (rc > 0)
		rc = fsi_import_hide_type(x->imp, "node");
	if (!rc)
		rc = read_trace(x, "traces", "workload", read_queued_job);
	x->workload_jobs = x->imp->m->job.n;
	if (rc > 0)
		rc = fsi_import_hide_type(x->imp, "job");
	if (rc >= 0)
		rc = read_trace(x, "stats", "simstat.out", read_finished_job);
	x->has_statistics = !rc;
	return rc > 0 ? 0 : rc;
}
