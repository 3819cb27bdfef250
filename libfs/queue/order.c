/* The total order of queue records, and which key put each behind the one before it. */
#include "queue/maui/limits.h"
#include "base/options.h"
#include "queue/verdict/verdict.h"

#include "model/scheduler.h"

#include <math.h>
#include <stdlib.h>

/* The key that decides between two places in the sorted queue. */
static enum fs_queue_key key_between(const struct fs_queue *q, size_t a, size_t b)
{
	int c;
	const enum fs_queue_key key =
		fsi_queue_first_key(q, &q->record.v[a], &q->record.v[b], &c);

	return c && (c > 0) != (a > b) ? FS_QUEUE_KEY_CIRCLE : key;
}

static bool waits(const struct fsi_job *j)
{
	return j->state == FSI_STATE_PENDING || j->state == FSI_STATE_REQUEUED ||
	       j->state == FSI_STATE_REQUEUE_HOLD || j->state == FSI_STATE_SPECIAL_EXIT;
}

/* Reasons that were found before, by the id of their text: few are different. */
struct known_reasons {
	struct {
		uint32_t text;
		const struct fs_reason *reason;
	} slot[64];
};

static const struct fs_reason *reason_of(struct known_reasons *k, const fs_snapshot *m, uint32_t text)
{
	const size_t at = text % (sizeof(k->slot) / sizeof(*k->slot));

	if (k->slot[at].text != text || !k->slot[at].reason) {
		k->slot[at].text = text;
		k->slot[at].reason = fs_reason_find(fsi_str(m, text));
	}
	return k->slot[at].reason;
}

enum { QOS_SORTED = 64 };

/* The QOS of a job by falling priority, as slurmctld keeps them and makes its records; more than QOS_SORTED stay as
 * they stand. */
static const uint32_t *falling(const fs_snapshot *m, const uint32_t *qos, size_t n, uint32_t *v)
{
	if (n < 2 || n > QOS_SORTED)
		return qos;
	for (size_t i = 0; i < n; i++) {
		size_t k = i;

		for (; k && fsi_qos_priority(m, v[k - 1]) < fsi_qos_priority(m, qos[i]); k--)
			v[k] = v[k - 1];
		v[k] = qos[i];
	}
	return v;
}

/* In a paste it is not known in which of several partitions the job has the priority that was printed. */
static bool of_several(const fs_snapshot *m, const struct fsi_job *j)
{
	size_t parts;

	fsi_list(m, j->partitions, &parts);
	return parts > 1 && fsi_hidden(m, FSI_HIDDEN_JOB_FIELDS);
}

/* One record for each partition and QOS the job names; one with neither if it names none. */
static int add_records(struct fs_queue *q, struct known_reasons *known, uint32_t i)
{
	static const uint32_t none[1] = { 0 };
	const fs_snapshot *m = q->m;
	const struct fsi_job *j = &m->job.v[i];
	size_t parts, qoses;
	const uint32_t *part = fsi_list(m, j->partitions, &parts);
	uint32_t sorted[QOS_SORTED];
	const uint32_t *asked = fsi_list(m, j->qos, &qoses), *qos = falling(m, asked, qoses, sorted);
	const bool task = FSI_HAS(j, JOB, array_task_id);
	struct fsi_queue_record r = {
		.priority = FSI_HAS(j, JOB, priority) && !of_several(m, j) ? j->priority : (double)NAN,
		.id = task && j->array_job_id ? j->array_job_id : j->id,
		.submit = FSI_HAS(j, JOB, submit_time) ? j->submit_time : INT64_MAX,
		.job = i,
		.task = task ? j->array_task_id : UINT32_MAX,
		.table = FSI_HAS(j, JOB, position) ? fsi_job_rare(m, j)->position : UINT32_MAX,
		.direct = FSI_HAS(j, JOB, priority_set) && j->priority_set,
		.before = FS_NO_ROW,
	};

	const struct fs_reason *reason = reason_of(known, m, j->reason);

	r.reason = fsi_reason_number(reason);
	r.section = (uint8_t)fsi_job_section(m, j, reason);
	r.tasks = fs_job_tasks(m, i, &r.tasks_exact);
	for (size_t a = 0; a < (parts ? parts : 1); a++)
		for (size_t b = 0; b < (qoses ? qoses : 1); b++) {
			const uint32_t name = parts ? part[a] : none[0];
			const struct fsi_partition *p = fsi_partition_find(m, name);

			if (FSI_VEC_ROOM(&q->record))
				return -1;
			r.partition_name = name;
			r.partition = fsi_partition_row(m, p);
			r.qos = qoses ? qos[b] : none[0];
			if (q->scheduler->fill)
				q->scheduler->fill(q, &r);
			q->record.v[q->record.n++] = r;
			r.listed++;
		}
	return 0;
}

static int add_all(struct fs_queue *q)
{
	struct known_reasons known = { 0 };

	q->record.v = malloc((q->m->job.n + 1) * sizeof(*q->record.v));
	if (!q->record.v)
		return -1;
	q->record.cap = q->m->job.n + 1;
	for (uint32_t i = 0; i < q->m->job.n; i++)
		if (waits(&q->m->job.v[i]) && add_records(q, &known, i))
			return -1;
	return 0;
}

/* The last eligible record of each partition, while walking down the queue. */
struct tail {
	uint32_t record, position;
	uint64_t tasks;
};

/* Notes the records of each job in the order in which they are tried: its first one, and each one's next. */
static int chain_records(struct fs_queue *q)
{
	if (fsi_queue_tables(q))
		return -1;
	for (size_t i = q->record.n; i-- > 0;)
		q->record.v[i].next = fsi_queue_note(q, (uint32_t)i);
	return 0;
}

/* Positions count jobs, so that a job in several partitions stands in the whole queue where its first record does.
 * Records that are passed over get the place they would have, and do not count. */
static int number_records(struct fs_queue *q)
{
	const size_t parts = q->m->names.count;
	struct tail *tails = calloc(parts + 1, sizeof(*tails));
	bool *seen = calloc(q->m->job.n + 1, sizeof(*seen)), *has_eligible = calloc(q->m->job.n + 1, 1);
	uint32_t position = 0, last = FS_NO_ROW;

	for (size_t i = 0; has_eligible && i < q->record.n; i++)
		has_eligible[q->record.v[i].job] |= q->record.v[i].eligible;

	for (uint32_t i = 0; tails && seen && has_eligible && i < q->record.n; i++) {
		struct fsi_queue_record *r = &q->record.v[i];
		struct tail *t = &tails[r->partition_name];

		if (!r->tried)
			break;
		if (last != FS_NO_ROW)
			r->key = (uint8_t)key_between(q, last, i);
		if (t->position)
			r->before = t->record;
		if (t->position)
			r->partition_key = (uint8_t)key_between(q, t->record, i);
		r->tasks_ahead = t->tasks;
		if (!seen[r->job] && r->eligible == has_eligible[r->job])
			r->position = position + 1;
		seen[r->job] = seen[r->job] || r->position;
		r->partition_position = t->position + 1;
		if (!r->eligible)
			continue;
		position += r->position != 0;
		last = i;
		*t = (struct tail){ i, t->position + 1, t->tasks + r->tasks };
	}
	free(tails);
	free(seen);
	free(has_eligible);
	return tails && seen && has_eligible ? 0 : -1;
}

static void set_clock(struct fs_queue *q, const fs_usage *usage)
{
	struct fs_usage_info info;

	q->usage = usage;
	q->now = q->m->info.time;
	if (usage) {
		fs_usage_info(usage, &info);
		q->now = info.at;
	}
}

int fsi_queue_begin(fs_queue **out, const fs_snapshot *m, const struct fs_queue_options *options,
		   struct fs_error *err)
{
	struct fs_queue *q = calloc(1, sizeof(*q));
	struct fs_queue_options o;
	int rc = 0;

	if (!q)
		return fsi_nomem(err);
	q->m = m;
	q->scheduler = m->scheduler->queue;
	FSI_OPTIONS(o, options);
	set_clock(q, o.view.usage);
	q->computed = fs_view_differs(m, &o.view);
	fsi_viewer_init(&q->viewer, m, o.view.viewer);
	if (q->scheduler)
		fsi_queue_take_kept(q);
	else
		rc = fsi_fail(err, FS_ENODATA, "%s: no queue order is known for scheduler \"%s\"",
			      m->file, m->info.scheduler);
	if (!rc && ((!q->kept && add_all(q)) || fsi_verdicts_begin(q)))
		rc = fsi_nomem(err);
	if (rc) {
		fs_queue_free(q);
		return rc;
	}
	*out = q;
	return 0;
}

int fsi_queue_finish(fs_queue *q, const struct fs_queue_options *options, struct fs_error *err)
{
	struct fs_queue_options o;
	int rc = 0;

	FSI_OPTIONS(o, options);
	q->prios = o.prios;
	if (!q->kept)
		rc = q->scheduler->prepare(q, &o, err);
	if (!rc && !q->kept && (fsi_queue_sort(q) || number_records(q) || chain_records(q)))
		rc = fsi_nomem(err);
	q->prios = NULL;
	return rc;
}

int fs_queue_compute(fs_queue **out, const fs_snapshot *m, const struct fs_queue_options *o,
		     struct fs_error *err)
{
	fs_queue *q;
	int rc = fsi_queue_begin(&q, m, o, err);

	if (rc)
		return rc;
	rc = fsi_queue_finish(q, o, err);
	if (rc)
		fs_queue_free(q);
	else
		*out = q;
	return rc;
}

void fs_queue_free(fs_queue *q)
{
	if (!q)
		return;
	if (!q->kept)
		FSI_VEC_FREE(&q->record);
	fsi_verdicts_end(q);
	fs_holds_free(q->holds);
	fsi_maui_limits_free(q->maui_limits);
	free(q->earlier);
	fs_windows_free(q->windows);
	free(q->record_of);
	free(q->end_of);
	free(q->preempts);
	FSI_VEC_FREE(&q->het);
	free(q);
}

size_t fs_queue_count(const fs_queue *q)
{
	return q ? q->record.n : 0;
}

bool fs_queue_row(const fs_queue *q, size_t i, struct fs_queue_row *out)
{
	const struct fsi_queue_record *r;
	const struct fsi_job *j;

	if (i >= fs_queue_count(q))
		return false;
	r = &q->record.v[i];
	j = &q->m->job.v[r->job];
	*out = (struct fs_queue_row){
		.job = j->id,
		.job_row = r->job,
		.partition = fsi_str(q->m, r->partition_name),
		.qos = fsi_str(q->m, r->qos),
		.user = fsi_str(q->m, j->user),
		.account = fsi_str(q->m, j->account),
		.section = (enum fs_section)r->section,
		.reason = fsi_queue_reason(r),
		.position = r->position,
		.partition_position = r->partition_position,
		.key = (enum fs_queue_key)r->key,
		.partition_key = (enum fs_queue_key)r->partition_key,
		.tier = r->tier,
		.priority = r->priority,
		.tasks = r->tasks,
		.partition_tasks_ahead = r->tasks_ahead,
		.tasks_exact = r->tasks_exact,
		.eligible = r->eligible,
		.visible = fsi_viewer_sees_job(&q->viewer, j),
	};
	return true;
}

bool fs_queue_place(const fs_queue *q, size_t i, struct fs_queue_place *out)
{
	const struct fsi_queue_record *r;

	if (i >= fs_queue_count(q))
		return false;
	r = &q->record.v[i];
	*out = (struct fs_queue_place){
		.job_row = r->job,
		.partition = fsi_str(q->m, r->partition_name),
		.position = r->position,
		.before = r->before,
		.tier = r->tier,
		.priority = r->priority,
		.eligible = r->eligible,
		.visible = fsi_viewer_sees_job(&q->viewer, &q->m->job.v[r->job]),
		.direct = r->direct,
	};
	return true;
}

enum fs_queue_key fs_queue_deciding_key(const fs_queue *q, size_t a, size_t b)
{
	return a < fs_queue_count(q) && b < fs_queue_count(q) ? key_between(q, a, b) : FS_QUEUE_KEY_NONE;
}

bool fs_queue_one_line(const fs_queue *q)
{
	return q && q->m->scheduler->one_line;
}

enum fs_queue_key fs_queue_order(const fs_queue *q, size_t i)
{
	return q && i < q->scheduler->nkeys ? q->scheduler->keys[i].key : FS_QUEUE_KEY_NONE;
}

#define NAME(tag, name, text) name,
#define TEXT(tag, name, text) text,
static const char *const key_names[] = { FS_QUEUE_KEYS(NAME) };
static const char *const key_texts[] = { FS_QUEUE_KEYS(TEXT) };

const char *fs_queue_key_name(enum fs_queue_key key)
{
	return key_names[key];
}

const char *fs_queue_key_text(enum fs_queue_key key)
{
	return key_texts[key];
}
