/* A scheduler for a test: first come, first served. A job gets slots on one node, no job overtakes another, and all
 * users have equal shares. Each section below defines one operation of struct fsi_scheduler. In a real scheduler, a
 * large operation is in a file of its own, such as libfs/plan/flux.c. */
#include "explain/explain.h"
#include "fs/priority.h"
#include "import/import.h"
#include "import/outputs.h"
#include "model/find.h"
#include "model/scheduler.h"
#include "plan/timeline.h"
#include "queue/queue.h"
#include "snapshot/snapshot.h"
#include "usage/billing.h"

#include <stdlib.h>

/* ---- import: the output of `fcfs -l`, a line for each record, times in UTC
 *
 *	fcfs version cluster time
 *	QUEUE name state
 *	NODE name slots state
 *	USER name usage
 *	JOB id user queue state slots limit submitted [started node] */

static const struct fsi_output output_rows[] = {
	{ .capture = { .file = "fcfs_-l.txt", .type = "association", .kind = FS_OUTPUT_NOT_CAPTURED } },
	{ .capture = { .file = "fcfs_-l.txt", .type = "partition", .kind = FS_OUTPUT_NOT_CAPTURED } },
	{ .capture = { .file = "fcfs_-l.txt", .type = "node", .kind = FS_OUTPUT_NOT_CAPTURED } },
	{ .capture = { .file = "fcfs_-l.txt", .type = "job", .kind = FS_OUTPUT_NOT_CAPTURED } },
};
static const struct fsi_outputs outputs = { output_rows, sizeof(output_rows) / sizeof(*output_rows) };

enum { WORDS_MAX = 10 };

/* Kinds of input lines: the first word of the line, the type of the record, and the fields that the other words set. */
static const struct line_kind {
	const char *word;
	enum fsi_record_type type;
	unsigned field[WORDS_MAX - 1];
	size_t required, n; /* minimum and maximum number of words on a line of this kind */
} line_kinds[] = {
	{ "QUEUE", FSI_RECORD_PARTITION, { FSI_PARTITION_name, FSI_PARTITION_state }, 2, 2 },
	{ "NODE", FSI_RECORD_NODE, { FSI_NODE_name, FSI_NODE_cpus, FSI_NODE_state }, 3, 3 },
	{ "USER", FSI_RECORD_ASSOCIATION, { FSI_ASSOCIATION_user, FSI_ASSOCIATION_usage_tres_s }, 2, 2 },
	{ "JOB",
	  FSI_RECORD_JOB,
	  { FSI_JOB_id, FSI_JOB_user, FSI_JOB_partitions, FSI_JOB_state, FSI_JOB_cpus, FSI_JOB_time_limit_s,
	    FSI_JOB_submit_time, FSI_JOB_start_time, FSI_JOB_node_list },
	  7,
	  9 },
};

/* Adds an association of the account root. */
static struct fsi_rec *add_association(fs_snapshot *m)
{
	struct fsi_association *a = FSI_VEC_ADD(&m->association);

	if (!a)
		return NULL;
	FSI_PUT(a, ASSOCIATION, id, (uint32_t)m->association.n);
	FSI_PUT(a, ASSOCIATION, account, fsi_name_intern(m, "root"));
	return &a->rec;
}

/* Adds a record of the given type. Returns its first member, the struct fsi_rec; NULL if out of memory. */
static struct fsi_rec *add_record(fs_snapshot *m, enum fsi_record_type type)
{
	struct fsi_job *job;

	if (type == FSI_RECORD_PARTITION)
		return (struct fsi_rec *)FSI_VEC_ADD(&m->partition);
	if (type == FSI_RECORD_NODE)
		return (struct fsi_rec *)FSI_VEC_ADD(&m->node);
	if (type == FSI_RECORD_ASSOCIATION)
		return add_association(m);
	job = FSI_VEC_ADD(&m->job);
	if (job)
		FSI_PUT(job, JOB, account, fsi_name_intern(m, "root"));
	return (struct fsi_rec *)job;
}

static int read_header(struct fsi_import *imp, struct fsi_span line, const struct fsi_span *word, size_t n)
{
	struct fsi_header *h = &imp->m->head;

	if (n != 4 || imp->where.line != 1)
		return fsi_import_reject_value(imp, "fcfs", line, "a first line fcfs version cluster time");
	FSI_PUT(h, SNAPSHOT, format, 1);
	FSI_PUT(h, SNAPSHOT, scheduler,
		fsi_import_intern_name(imp, (struct fsi_span){ line.s, (size_t)(word[1].s + word[1].len - line.s) }));
	FSI_PUT(h, SNAPSHOT, cluster, fsi_import_intern_name(imp, word[2]));
	FSI_SET(h, SNAPSHOT, time);
	return fsi_import_parse_local_time(imp, word[3], &h->time)
		       ? fsi_import_reject_value(imp, "time", word[3], "a time")
		       : 0;
}

static int read_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	struct fsi_span word[WORDS_MAX];
	const size_t n = fsi_span_split_words(line, word, WORDS_MAX);
	const struct line_kind *kind = line_kinds, *end = line_kinds + sizeof(line_kinds) / sizeof(*line_kinds);
	struct fsi_rec *rec;
	int rc = 0;

	(void)ctx;
	if (n && fsi_span_is_word(word[0], "fcfs"))
		return read_header(imp, line, word, n);
	while (n && kind < end && !fsi_span_is_word(word[0], kind->word))
		kind++;
	if (!n || kind == end || n - 1 < kind->required || n - 1 > kind->n)
		return fsi_import_reject_value(imp, "fcfs -l", line, "a line of fcfs -l");
	rec = add_record(imp->m, kind->type);
	if (!rec)
		return fsi_fail_no_memory(imp->err);
	for (size_t i = 0; i < n - 1 && !rc; i++)
		rc = fsi_import_set_field(imp, fsi_record_table(kind->type), kind->field[i], rec, word[i + 1]);
	return rc;
}

static int import(fs_snapshot **out, const struct fs_source *source, struct fs_error *err)
{
	struct fsi_import imp = {
		.m = fsi_model_create(source->name), .source = source, .err = err, .outputs = &outputs
	};
	int rc;

	if (!imp.m || !add_association(imp.m)) /* the first association is that of the account root */
		return fsi_import_finish(&imp, fsi_fail_no_memory(err), out);
	rc = fsi_import_read_lines(&imp, output_rows[0].capture.file, read_line, NULL);
	if (rc > 0 || (!rc && !FSI_HAS(&imp.m->head, SNAPSHOT, time)))
		rc = fsi_fail_with_code(err, FS_ENODATA, "%s/%s: no output of fcfs -l", source->name, output_rows[0].capture.file);
	if (!rc)
		rc = fsi_model_finish(imp.m, err);
	if (!rc)
		rc = fsi_import_list_sources(&imp);
	return fsi_import_finish(&imp, rc, out);
}

/* ---- fair share */

static int equal_shares(struct fsi_fairshare *f)
{
	for (uint32_t i = 0; i < f->n; i++) {
		struct fsi_share *s = &f->share[i];

		s->shares_norm = f->m->association.v[i].user ? 1.0 / f->users : 1;
		s->factor = s->printed_factor = f->m->association.v[i].user ? 1.0 / f->users : (double)NAN;
	}
	return 0;
}

static const struct fsi_algorithm equal = { .name = "equal", .summary = "equal shares", .compute = equal_shares };

static const struct fsi_algorithm *algorithm_of(const fs_snapshot *m)
{
	(void)m;
	return &equal;
}

/* ---- priorities */

static int compute(struct fs_prios *p, const fs_shares *shares, const struct fs_prios_options *o, struct fs_error *err)
{
	(void)shares;
	(void)o;
	p->nterms = p->nvalues = 1;
	p->weights = fsi_arena_array(&p->arena, 1, sizeof(*p->weights));
	if (!p->weights)
		return fsi_fail_no_memory(err);
	p->weights[0] = (struct fs_prio_term){ .factor = FS_FACTOR_AGE, .name = "age", .weight = 1 };
	for (uint32_t i = 0; i < p->m->job.n; i++) {
		if (p->m->job.v[i].state != FSI_STATE_PENDING)
			continue;
		if (fsi_prio_add_rows(p, i))
			return fsi_fail_no_memory(err);
		p->values[p->row.n - 1] = (double)(p->now - p->m->job.v[i].submit_time);
	}
	return 0;
}

static void fill_row(const struct fs_prios *p, size_t i, struct fs_prio_row *row)
{
	row->terms[0] = p->weights[0];
	row->terms[0].value = row->terms[0].points = p->values[i];
	row->sum = row->priority = p->values[i];
}

static const struct fsi_prio_scheduler prio = { .compute = compute, .row = fill_row };

/* ---- the queue */

static const struct fsi_queue_key keys[] = { { FS_QUEUE_KEY_PRIORITY, fsi_queue_compare_priority },
					     { FS_QUEUE_KEY_JOBID, fsi_queue_compare_id },
					     { FS_QUEUE_KEY_TASK, fsi_queue_compare_task } };

static int prepare(struct fs_queue *q, const struct fs_queue_options *o, struct fs_error *err)
{
	bool *has = calloc(q->m->job.n + 1, sizeof(*has));
	int rc;

	for (size_t i = 0; i < q->record.n; i++)
		q->record.v[i].priority = (double)NAN;
	rc = has ? fsi_queue_fill_priorities(q, o, has, err) : fsi_fail_no_memory(err);
	for (size_t i = 0; i < q->record.n; i++) {
		q->record.v[i].tried = q->record.v[i].eligible = true;
		q->record.v[i].section = FS_SECTION_ELIGIBLE;
	}
	free(has);
	return rc;
}

static const struct fsi_queue_scheduler queue = { .keys = keys,
						  .nkeys = sizeof(keys) / sizeof(*keys),
						  .prepare = prepare };

/* ---- the plan: jobs start in the order of the queue; no job starts before a job ahead of it */

/* Chooses the first node on which the request fits at time `at`. Sets freed_by[node] to the job that ends on the node
 * at this time; FSI_NO_INDEX: none. */
static bool choose_node(struct fsi_timeline *t, const struct fsi_timeline_request *w, int64_t at, uint32_t *freed_by)
{
	uint32_t i = 0;

	while (i < t->n && fsi_timeline_count_tasks(t, i, w, at) < 1)
		i++;
	t->nchosen = i < t->n;
	if (!t->nchosen)
		return false;
	t->chosen[0] = (struct fsi_timeline_chosen){ .node = i, .tasks = 1 };
	freed_by[i] = FSI_NO_INDEX;
	for (size_t k = 0; k < t->node[i].hold.n; k++)
		if (t->node[i].hold.v[k].end == at)
			freed_by[i] = t->node[i].hold.v[k].job;
	return true;
}

/* Plans one job from *at on, and sets *at to its start. */
static void plan_job(struct fs_plan *p, struct fsi_timeline *t, uint32_t job, int64_t *at, uint32_t *freed_by)
{
	const struct fsi_job *j = &p->m->job.v[job];
	const struct fsi_timeline_request w = {
		.job = job, .tasks = 1, .limit_s = j->time_limit_s, .task_amount = { [FSI_TIMELINE_CPU] = j->cpus }
	};
	int64_t start = *at;

	while (start < INT64_MAX && !choose_node(t, &w, start, freed_by))
		start = fsi_timeline_next_change(t, start);
	if (start == INT64_MAX) { /* no node is large enough: the scheduler drops the job */
		p->row[p->row_of_job[job] - 1].state = FS_PLAN_NEVER;
		return;
	}
	*at = start;
	fsi_timeline_hold_chosen(t, &w, start, start + w.limit_s);
	fsi_timeline_record_start(p, t, &w, start, freed_by);
}

/* Adds the holds of the running jobs. */
static void hold_running_jobs(struct fs_plan *p, struct fsi_timeline *t)
{
	const fs_snapshot *m = p->m;

	for (uint32_t i = 0; i < m->job.n; i++) {
		const struct fsi_job *j = &m->job.v[i];
		const struct fsi_node *node = fsi_node_find(m, j->node_list);
		const struct fsi_timeline_hold hold = { .start = j->start_time,
							.end = j->start_time + j->time_limit_s,
							.job = i,
							.amount = { [FSI_TIMELINE_CPU] = j->cpus } };

		if (j->state != FSI_STATE_RUNNING)
			continue;
		if (!node)
			p->unplaced_jobs++;
		else
			fsi_timeline_add_hold(t, (uint32_t)(node - m->node.v), &hold);
	}
}

static int run(struct fs_plan *p, struct fs_error *err)
{
	uint32_t *freed_by = fsi_arena_array(&p->arena, p->m->node.n + 1, sizeof(*freed_by));
	struct fsi_timeline t = { .n = 0 };
	int64_t at = p->m->info.time;
	bool failed = !freed_by || fsi_plan_make_rows(p, false) || fsi_timeline_init_nodes(&t, p->m);

	p->resolution_s = 1;
	if (!failed)
		hold_running_jobs(p, &t);
	for (size_t i = 0; i < p->queue->record.n && !failed; i++)
		plan_job(p, &t, p->queue->record.v[i].job, &at, freed_by);
	failed = failed || t.out_of_memory || p->out_of_memory;
	fsi_timeline_release(&t);
	return failed ? fsi_fail_no_memory(err) : 0;
}

static void add_assumptions(struct fs_plan *p)
{
	fsi_plan_add_assumption(p, "Every job runs for its whole time limit, and no job overtakes another.");
}

static const struct fsi_plan_scheduler plan = { .run = run, .add_assumptions = add_assumptions };

/* ---- the scheduler */

static const struct fsi_explain_scheduler explain = { .may_lack_node_lists = false };

const struct fsi_scheduler fsi_fcfs = {
	.kind = FS_OTHER_SCHEDULER,
	.name = "fcfs",
	.import = import,
	.check_references = fsi_check_references,
	.charged_to = fsi_job_find_assoc,
	.algorithm = algorithm_of,
	.charging = &fsi_charging_slurm,
	.prio = &prio,
	.queue = &queue,
	.has_single_order = true,
	.explain = &explain,
	.plan = &plan,
};
