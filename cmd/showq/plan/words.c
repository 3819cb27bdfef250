/* What a page of planned starts says of one, in words. */
#include "showq/plan/plan.h"

#include "dialect/dialect.h"
#include "render/emit.h"
#include "render/text.h"

#include <string.h>

enum { TEXT = 64 };

/* Writes a job's id as its scheduler does. */
const char *plan_id_text(char buf[FS_JOB_ID_TEXT], const struct showq_run *r, uint64_t id)
{
	return fs_job_id_format(r->snapshot, id, !text_utf8(), buf);
}

/* "; " between the parts of a sentence, nothing before the first. */
static void part(bool *any)
{
	emit_text(*any ? "; " : "");
	*any = true;
}

/* The plan has words of its own for those that it finds a start or no nodes for; the verdict for all others. */
static void put_state(const struct showq_run *r, const fs_plan *p, const struct fs_plan_row *row)
{
	const enum fs_verdict_kind kind = fs_queue_verdict_kind(fs_plan_queue(p), row->job_row);

	if (kind != FS_VERDICT_NONE && kind < FS_VERDICT_NODES)
		showq_put_verdict(r, fs_plan_queue(p), row->job_row);
	else if (row->wait == FS_PLAN_WAIT_COMPONENT)
		emit_text(fs_plan_wait_name(row->wait));
	else if (row->state == FS_PLAN_NEVER)
		emit("no nodes that are up fit it");
	else if (row->state == FS_PLAN_NOT_REACHED)
		emit("a cycle ends before it (%s=%lld)", row->cycle_limit, (long long)row->cycle_limit_value);
	else if (row->state == FS_PLAN_NO_START && row->window_s != FS_UNKNOWN)
		emit("no start found within %lld min (bf_window)", (long long)row->window_s / 60);
	else if (row->state == FS_PLAN_NO_START)
		emit("no start found");
	else if (row->state == FS_PLAN_GIVEN_UP)
		emit("the plan took too long to come to it");
	else if (row->state == FS_PLAN_BLOCKED)
		showq_put_verdict(r, fs_plan_queue(p), row->job_row);
	else
		emit_text(fs_plan_wait_name(row->wait));
}

static void put_limit(const struct showq_run *r, const struct fs_plan_row *row)
{
	char when[24], of[TEXT], id[FS_JOB_ID_TEXT];
	const char *colon = *row->limit_tres ? " of " : "";

	text_visible(of, TEXT, row->limit_of);
	if (row->limit_start_time == FS_UNKNOWN) {
		emit("not while %s%s%s of %s is used up", row->limit, colon, row->limit_tres, of);
		return;
	}
	showq_iso_time(when, row->limit_start_time + fs_snapshot_utc_offset(r->snapshot, row->limit_start_time));
	emit("%s%s%s of %s lets it start %s", row->limit, colon, row->limit_tres, of, when);
	if (row->limit_frees)
		emit(", after %s", plan_id_text(id, r, row->limit_frees));
}

/* Says what the start waits for, whose end makes room, and who is tried before. */
void plan_put_why(const struct showq_run *r, const fs_plan *p, const struct fs_plan_row *row)
{
	bool any = row->state != FS_PLAN_NOW;
	char shown[24], id[FS_JOB_ID_TEXT];

	if (any)
		put_state(r, p, row);
	if (row->frees) {
		part(&any);
		emit("%s ends", plan_id_text(id, r, row->frees));
	}
	if (row->blocked_by && row->blocked_by != row->frees) {
		part(&any);
		emit("held back by %s", plan_id_text(id, r, row->blocked_by));
	}
	if (row->tasks > 1 && row->tasks_planned) {
		part(&any);
		emit("%llu of %llu tasks", (unsigned long long)row->tasks_planned,
		       (unsigned long long)row->tasks);
	}
	if (*row->limit && row->state != FS_PLAN_NEVER) {
		part(&any);
		put_limit(r, row);
	}
	if (row->shown_start_time != FS_UNKNOWN && row->state != FS_PLAN_NEVER) {
		showq_iso_time(shown,
			       row->shown_start_time + fs_snapshot_utc_offset(r->snapshot, row->shown_start_time));
		part(&any);
		emit("squeue shows %s all the same", shown);
	}
	if (row->unmodelled & FS_UNMODELLED_WAIT) {
		part(&any);
		emit("its wait before it was blocked is unknown");
	}
	/* every plan assumes the first: it stands below the page */
	if (row->unmodelled & ~(unsigned)(FS_UNMODELLED_MAX_NODES | FS_UNMODELLED_WAIT)) {
		part(&any);
		emit("not all of its request is modelled");
	}
}

void plan_put_assumptions(const fs_plan *p)
{
	const char *s;

	emit("\nThe plan assumes:\n");
	for (size_t i = 0; (s = fs_plan_assumption(p, i)); i++)
		emit("  %s\n", s);
}
