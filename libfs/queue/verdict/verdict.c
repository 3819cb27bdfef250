/* The verdict: the one answer to why a job waits. Each scheduler says what keeps a job from being eligible; the rest
 * is its place among those that are. */
#include "queue/verdict/verdict.h"

#include "base/names.h"

#include "model/model.h"

#include <math.h>
#include <stdlib.h>

static const struct fsi_queue_record *first_record(const struct fs_queue *q, uint32_t job_row)
{
	const uint32_t at = q->record_of && job_row < q->m->job.n ? q->record_of[job_row] : FSI_NO_INDEX;

	return at == FSI_NO_INDEX ? NULL : &q->record.v[at];
}

int fsi_verdicts_begin(struct fs_queue *q)
{
	q->verdicts = calloc(1, sizeof(*q->verdicts));
	if (!q->verdicts)
		return -1;
	return q->scheduler->bar ? q->scheduler->bar(q) : 0;
}

void fsi_verdicts_end(struct fs_queue *q)
{
	if (!q->verdicts)
		return;
	fsi_limit_totals_release(&q->verdicts->totals);
	fsi_arena_release(&q->verdicts->kept);
	fsi_job_arrays_release(&q->verdicts->arrays);
	free(q->verdicts->running);
	free(q->verdicts->nodes);
	free(q->verdicts);
}

/* ---- the kind */

/* Of all eligible records of the job the one that is tried first; else its first. */
static const struct fsi_queue_record *best_record(const struct fs_queue *q,
						  const struct fsi_queue_record *first)
{
	for (const struct fsi_queue_record *r = first;; r = &q->record.v[r->next]) {
		if (r->eligible)
			return r;
		if (r->next == FSI_NO_INDEX)
			return first;
	}
}

/* The eligible record that is tried last where this one is tried: unknown priorities sort there. */
static const struct fsi_queue_record *last_eligible(const struct fs_queue *q, const struct fsi_queue_record *r)
{
	const uint32_t last = q->end_of[fsi_queue_line(q, r)].last;

	return last && &q->record.v[last - 1] > r ? &q->record.v[last - 1] : r;
}

/* The reason why its place is not known; FS_VERDICT_CAUSE_NONE: it is known. */
static enum fs_verdict_cause place_unknown(const struct fs_queue *q, const struct fsi_queue_record *r)
{
	const uint32_t place = fsi_queue_place(q, r);
	const struct fsi_queue_record *last;

	if (place == 1 && fsi_hidden(q->m, "job"))
		return FS_VERDICT_CAUSE_JOBS;
	if (place > 1 && isnan(r->priority))
		return FS_VERDICT_CAUSE_PRIORITIES;
	last = last_eligible(q, r);
	return last != r && isnan(last->priority) ? FS_VERDICT_CAUSE_PRIORITIES : FS_VERDICT_CAUSE_NONE;
}

/* Returns true if the scheduler names nodes as the reason and the snapshot has no node records. */
static bool nodes_by_reason(const struct fs_queue *q, const struct fs_verdict *v)
{
	return !q->m->node.n && fsi_reason_names_nodes(v->reason, v->reason_text);
}

static void place(const struct fs_queue *q, const struct fsi_queue_record *r, struct fs_verdict *out)
{
	struct fs_verdict_nodes nodes;

	out->position = fsi_queue_place(q, r);
	out->ahead = out->position ? out->position - 1 : 0;
	out->ahead_tasks = q->m->scheduler->one_line ? out->ahead : r->tasks_ahead;
	if (q->scheduler->lacks_nodes && q->scheduler->lacks_nodes(q, r, &nodes)) {
		out->kind = FS_VERDICT_NODES;
		out->cause = nodes.down + nodes.drained ? FS_VERDICT_CAUSE_DOWN : FS_VERDICT_CAUSE_RESERVED;
		out->nodes = nodes;
		return;
	}
	out->cause = place_unknown(q, r);
	if (out->cause) {
		out->position = out->ahead = 0;
		out->ahead_tasks = 0;
	}
	if (nodes_by_reason(q, out))
		out->kind = fsi_reason_is_reserved(out->reason_text) ? FS_VERDICT_RESERVATION : FS_VERDICT_NODES;
	else if (out->cause)
		out->kind = FS_VERDICT_WAITS;
	else if (out->position > 1)
		out->kind = FS_VERDICT_BEHIND;
	else
		out->kind = fsi_verdict_room(q, r) ? FS_VERDICT_NOW : FS_VERDICT_FIRST;
}

static int decide(const struct fs_queue *q, const struct fsi_queue_record *first,
		  struct fsi_arena *arena, struct fs_verdict *out)
{
	const struct fsi_queue_record *best = best_record(q, first);

	out->reason = fsi_queue_reason(first);
	out->reason_text = fsi_str(q->m, q->m->job.v[first->job].reason);
	out->partition = fsi_str(q->m, best->partition_name);
	out->qos = fsi_str(q->m, best->qos);
	if (q->scheduler->verdict && q->scheduler->verdict(q, first, arena, out))
		return -1;
	if (out->kind == FS_VERDICT_NONE && best->eligible) {
		place(q, best, out);
	} else if (out->kind == FS_VERDICT_NONE) {
		out->kind = FS_VERDICT_UNKNOWN; /* its reason alone may say why it is not eligible */
	}
	return 0;
}

enum fs_verdict_kind fs_queue_verdict_kind(const fs_queue *q, uint32_t job_row)
{
	const struct fsi_queue_record *first = first_record(q, job_row);
	struct fs_verdict v = { .time = FS_UNKNOWN };
	struct fsi_arena arena = { 0 };
	const bool known = first && !decide(q, first, &arena, &v);

	fsi_arena_release(&arena);
	return known ? v.kind : FS_VERDICT_NONE;
}

/* ---- its facts */

/* The first limit that blocks; for never, the first that does so by the job alone. */
static const struct fs_explain_limit *deciding_limit(const struct fsi_bars *b, bool never)
{
	for (size_t i = 0; i < b->nlimits; i++)
		if (b->limits[i].blocks && (!never || b->limits[i].never))
			return &b->limits[i];
	return NULL;
}

static void add_bars(const struct fsi_bars *b, struct fs_verdict *out)
{
	const bool never = out->kind == FS_VERDICT_NEVER;

	if (never ? out->cause != FS_VERDICT_CAUSE_ACCESS : out->cause != FS_VERDICT_CAUSE_POLICY)
		return;
	out->limit = deciding_limit(b, never);
	if (out->limit) {
		out->cause = FS_VERDICT_CAUSE_LIMIT;
	} else if (never && b->nobstacles) {
		out->obstacle = &b->obstacles[0];
		out->cause = FS_VERDICT_CAUSE_PARTITION;
		out->partition = out->obstacle->partition;
	} else if (never && out->reason && *out->reason->limit) {
		out->cause = FS_VERDICT_CAUSE_LIMIT;
	}
}

/* Has the one thing that such a reason can mean ceased to be? */
static bool is_stale(const struct fs_verdict *v)
{
	const struct fs_reason *r = v->reason;

	if (!r || v->kind < FS_VERDICT_NODES || v->cause == FS_VERDICT_CAUSE_PARTITION)
		return false;
	return r->section == FS_SECTION_HELD || r->section == FS_SECTION_REQUEST ||
	       *r->limit != '\0' || r->section == FS_SECTION_PARTITION;
}

int fsi_verdict(const struct fs_queue *q, uint32_t job_row, const struct fsi_bars *bars,
		struct fsi_arena *arena, struct fs_verdict *out)
{
	const struct fsi_queue_record *first = first_record(q, job_row);
	const struct fsi_job *j = &q->m->job.v[job_row];
	const struct fsi_bars_from from = { .m = q->m,
					    .viewer = &q->viewer,
					    .usage = q->usage,
					    .arena = arena,
					    .requests = &q->verdicts->requests,
					    .billing = &q->verdicts->billing,
					    .totals = &q->verdicts->totals };
	struct fsi_bars own;

	*out = (struct fs_verdict){ .time = FS_UNKNOWN, .partition = "", .qos = "", .reason_text = "" };
	if (!first)
		return 0;
	if (decide(q, first, arena, out))
		return -1;
	if (!q->scheduler->bar)
		return 0;
	if (out->kind == FS_VERDICT_DEPENDENCY || out->cause == FS_VERDICT_CAUSE_DEPENDENCY)
		return fsi_verdict_depends(q, j, arena, out);
	if (out->kind == FS_VERDICT_NEVER || out->kind == FS_VERDICT_LIMIT) {
		if (!bars && fsi_bars(&own, &from, job_row, fsi_queue_reason(first)))
			return -1;
		add_bars(bars ? bars : &own, out);
	}
	out->stale = is_stale(out);
	return 0;
}

int fs_queue_verdict(const fs_queue *q, uint32_t job_row, struct fs_verdict *out)
{
	struct fsi_arena *own = calloc(1, sizeof(*own));

	if (own && !fsi_verdict(q, job_row, NULL, own, out)) {
		out->own = own;
		return 0;
	}
	if (own)
		fsi_arena_release(own);
	free(own);
	*out = (struct fs_verdict){ .time = FS_UNKNOWN, .partition = "", .qos = "", .reason_text = "" };
	return FS_ENOMEM;
}

void fs_verdict_release(struct fs_verdict *v)
{
	if (!v || !v->own)
		return;
	fsi_arena_release(v->own);
	free(v->own);
	*v = (struct fs_verdict){ .time = FS_UNKNOWN, .partition = "", .qos = "", .reason_text = "" };
}

/* ---- names */

static const char *const kind_names[] = { FS_VERDICTS(FSI_NAME) };
static const char *const cause_names[] = { FS_VERDICT_CAUSES(FSI_NAME) };

const char *fs_verdict_name(enum fs_verdict_kind kind)
{
	return kind_names[kind];
}

const char *fs_verdict_cause_name(enum fs_verdict_cause cause)
{
	return cause_names[cause];
}
