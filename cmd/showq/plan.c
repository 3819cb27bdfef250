/* fs-showq --plan and --start: when jobs may start, as libfs simulates it. */
#include "showq/plan.h"

#include "dialect/dialect.h"
#include "render/emit.h"
#include "render/text.h"
#include "render/verdict.h"

#include <stdlib.h>
#include <string.h>

enum { TEXT = 64 };

static void put_when(const struct showq_run *r, int64_t time)
{
	char text[24] = "-";

	if (time != FS_UNKNOWN)
		showq_iso_time(text, time + fs_snapshot_utc_offset(r->snapshot, time));
	emit("%-20s ", text);
}

/* `0:05:00`, `2-03:00:00` from now. */
static void put_in(const struct showq_run *r, int64_t time)
{
	char text[40] = "-";
	const int64_t s = time == FS_UNKNOWN ? 0 : time - r->info->time, day = 86400;

	if (time == FS_UNKNOWN)
		;
	else if (s < day)
		snprintf(text, sizeof(text), "%lld:%02d:%02d", (long long)(s / 3600),
			 (int)(s / 60 % 60), (int)(s % 60));
	else
		snprintf(text, sizeof(text), "%lld-%02d:%02d:%02d", (long long)(s / day),
			 (int)(s / 3600 % 24), (int)(s / 60 % 60), (int)(s % 60));
	emit("%12s ", text);
}

/* Length of the name before its last digits. */
static size_t stem(const char *name)
{
	size_t n = strlen(name);

	while (n && name[n - 1] >= '0' && name[n - 1] <= '9')
		n--;
	return n;
}

/* Is b the next number after a, written as wide? */
static bool follows(const char *a, const char *b)
{
	const size_t n = stem(a);

	return n == stem(b) && strlen(a) == strlen(b) && a[n] && !strncmp(a, b, n) &&
	       strlen(a + n) < 18 && strtoull(a + n, NULL, 10) + 1 == strtoull(b + n, NULL, 10);
}

char *plan_nodes_text(const fs_plan *p, size_t i, char *buf, size_t size)
{
	size_t len = 0;
	const char *name;

	*buf = '\0';
	for (uint32_t k = 0; (name = fs_plan_node(p, i, k)); k++) {
		const char *last = name, *next;
		const size_t n = stem(name);

		while ((next = fs_plan_node(p, i, k + 1)) && follows(last, next)) {
			last = next;
			k++;
		}
		if (len + strlen(name) + strlen(last) + 8 > size) {
			snprintf(buf + len, size - len, ",...");
			break;
		}
		if (last == name)
			len += (size_t)snprintf(buf + len, size - len, "%s%s", len ? "," : "",
						name);
		else
			len += (size_t)snprintf(buf + len, size - len, "%s%.*s[%s-%s]",
						len ? "," : "", (int)n, name, name + n, last + n);
	}
	return buf;
}

/* As the scheduler writes it. */
static const char *id_text(char buf[FS_JOB_ID_TEXT], const struct showq_run *r, uint64_t id)
{
	return fs_job_id_format(buf, r->snapshot, id, !text_utf8());
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

	if (kind != FS_VERDICT_NONE && kind <= FS_VERDICT_LIMIT)
		showq_put_verdict(r, fs_plan_queue(p), row->job_row);
	else if (row->wait == FS_PLAN_WAIT_COMPONENT)
		emit_text(fs_plan_wait_name(row->wait));
	else if (row->state == FS_PLAN_NEVER)
		emit("no nodes that are up fit it");
	else if (row->state == FS_PLAN_NOT_REACHED)
		emit("a cycle does not look this far");
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
		emit(", after %s", id_text(id, r, row->limit_frees));
}

/* What it waits for, who makes room, and who stands before it. */
static void put_why(const struct showq_run *r, const fs_plan *p, const struct fs_plan_row *row)
{
	bool any = row->state != FS_PLAN_NOW;
	char shown[24], id[FS_JOB_ID_TEXT];

	if (any)
		put_state(r, p, row);
	if (row->frees) {
		part(&any);
		emit("%s ends", id_text(id, r, row->frees));
	}
	if (row->blocked_by && row->blocked_by != row->frees) {
		part(&any);
		emit("held back by %s", id_text(id, r, row->blocked_by));
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
		showq_iso_time(shown, row->shown_start_time + fs_snapshot_utc_offset(r->snapshot, row->shown_start_time));
		part(&any);
		emit("squeue shows %s all the same", shown);
	}
	if (row->unmodelled & ~(unsigned)FS_UNMODELLED_MAX_NODES) { /* that is an assumption of all */
		part(&any);
		emit("not all of its request is modelled");
	}
}

static bool wanted(const struct showq_run *r, const struct fs_plan_row *row,
		   const struct fs_job *job)
{
	return row->visible && showq_of_user(r, job) && showq_in_partition(r, row->job_row);
}

static void put_row(const struct showq_run *r, const fs_plan *p, size_t i)
{
	struct fs_plan_row row;
	struct fs_job job;
	char text[TEXT], nodes[TEXT], id[FS_JOB_ID_TEXT];

	fs_plan_row(p, i, &row);
	fs_snapshot_job(r->snapshot, row.job_row, &job);
	if (!wanted(r, &row, &job))
		return;
	id_text(id, r, row.job);
	emit("%-*s %-12s ", 10 + ((unsigned char)*id >= 0x80), id, text_visible(text, 24, row.partition));
	emit("%-15s %-13s ", text_visible(text, 24, job.user), fs_plan_state_name(row.state));
	put_when(r, row.start_time);
	put_in(r, row.start_time);
	emit("%5u %-18s ", row.nodes, text_visible(text, TEXT, plan_nodes_text(p, i, nodes, 40)));
	put_why(r, p, &row);
	putchar('\n');
}

static void put_assumptions(const fs_plan *p)
{
	const char *s;

	emit("\nThe plan assumes:\n");
	for (size_t i = 0; (s = fs_plan_assumption(p, i)); i++)
		emit("  %s\n", s);
}

int plan_compute(const struct showq_run *r, enum fs_plan_mode mode, fs_plan **out)
{
	const struct fs_plan_options o = { .view = input_view(&r->input), .mode = mode,
					   .likely = mode == FS_PLAN_BACKFILL };
	struct fs_error err;

	return fs_plan_compute(out, r->snapshot, &o, &err) ? report(r->inv, &err) : 0;
}

int showq_plan(struct showq_run *r)
{
	fs_plan *p = NULL;
	const int status = plan_compute(r, FS_PLAN_BACKFILL, &p);

	if (status)
		return status;
	emit("PLANNED STARTS from ");
	put_when(r, r->info->time);
	emit("\n%-10s %-12s %-15s %-13s %-20s %12s %5s %-18s %s\n", "JOBID", r->dialect->nouns.partition_heading, "USER",
	       "PLAN", "START", "IN", "NODES", "WHERE", "WAITS FOR");
	for (size_t i = 0; i < fs_plan_count(p); i++)
		put_row(r, p, i);
	put_assumptions(p);
	fs_plan_free(p);
	return EXIT_DONE;
}

/* ---- one job: three estimates side by side */

/* Index of the job's row, or -1. */
static ptrdiff_t find_row(const fs_plan *p, uint64_t id)
{
	struct fs_plan_row row;

	for (size_t i = 0; i < fs_plan_count(p); i++) {
		fs_plan_row(p, i, &row);
		if (row.job == id && row.visible)
			return (ptrdiff_t)i;
	}
	return -1;
}

static void put_recorded(const struct showq_run *r, const struct fs_job *job)
{
	const bool known = job->start_time != FS_UNKNOWN && job->start_time >= r->info->time;
	struct fs_job last;
	char when[24];

	emit("%-18s ", "recorded");
	put_when(r, known ? job->start_time : FS_UNKNOWN);
	put_in(r, known ? job->start_time : FS_UNKNOWN);
	emit("%-13s ", known ? "estimate" : "none");
	emit("%-18s ", *job->sched_nodes ? job->sched_nodes : "-");
	if (!known)
		emit("no start is recorded: blocked, not reached, or no backfill cycle had run");
	else if (job->last_sched_eval != FS_UNKNOWN)
		emit("what the scheduler expected; it looked at the job %lld s before the snapshot",
		       (long long)(r->info->time - job->last_sched_eval));
	else
		emit("what the scheduler expected, it is not known when");
	if (known && later_component(r->snapshot, job, &last)) {
		showq_iso_time(when, last.start_time + fs_snapshot_utc_offset(r->snapshot, last.start_time));
		emit("; component %llu has %s, and none starts before it",
		     (unsigned long long)last.id, when);
	}
	putchar('\n');
}

static void put_estimate(const struct showq_run *r, const char *name, const fs_plan *p, size_t i,
			 const char *assumes)
{
	struct fs_plan_row row;
	char nodes[TEXT], text[TEXT];

	emit("%-18s ", name);
	fs_plan_row(p, i, &row);
	put_when(r, row.start_time);
	put_in(r, row.start_time);
	emit("%-13s ", fs_plan_state_name(row.state));
	plan_nodes_text(p, i, nodes, 40);
	emit("%-18s %s; waits for: ", *nodes ? text_visible(text, TEXT, nodes) : "-", assumes);
	put_why(r, p, &row);
	if (row.state == FS_PLAN_NOW)
		emit("nothing");
	putchar('\n');
}

static void put_time(const struct showq_run *r, const char *before, int64_t t)
{
	char when[24];

	showq_iso_time(when, t + fs_snapshot_utc_offset(r->snapshot, t));
	emit("%s%s", before, when);
}

static void put_likely(const struct showq_run *r, const fs_plan *p, size_t i)
{
	struct fs_plan_runs runs;
	struct fs_plan_row row;

	fs_plan_runs(p, &runs);
	fs_plan_row(p, i, &row);
	if (!runs.simulated)
		return;
	emit("%-18s ", "likely");
	put_when(r, row.likely_start_time);
	put_in(r, row.likely_start_time);
	emit("%-13s %-18s ", row.likely_start_time == FS_UNKNOWN ? "none" : "simulated", "-");
	emit("jobs share nodes, limits are kept account of; ");
	if (!runs.runs) {
		emit("run times are time limits: fewer than 20 records tell of any user's\n");
		return;
	}
	emit("%u runs (seed %llu), run times of %u of %u jobs drawn from records, up to %u a job", runs.runs,
	     (unsigned long long)runs.seed, runs.drawn, runs.jobs, runs.records);
	if (row.likely_low_time != FS_UNKNOWN)
		put_time(r, "; four of five between ", row.likely_low_time);
	if (row.likely_low_time != FS_UNKNOWN)
		row.likely_high_time == FS_UNKNOWN ? emit(" and never") : put_time(r, " and ", row.likely_high_time);
	putchar('\n');
}

/* Of one that never starts no estimate means anything. */
static int put_never(const struct showq_run *r, const fs_plan *p, uint32_t job_row)
{
	const struct nouns *nouns = &r->dialect->nouns;
	char words[VERDICT_TEXT];
	struct fs_verdict v;

	if (fs_queue_verdict(fs_plan_queue(p), job_row, &v))
		return no_memory(r->inv);
	emit("\n");
	emit_text(verdict_words(words, nouns, r->snapshot, &v));
	emit(". ");
	emit_text(verdict_remedy(words, nouns, &v));
	putchar('\n');
	fs_verdict_release(&v);
	return EXIT_DONE;
}

int plan_find(const struct showq_run *r, const fs_plan *p, uint64_t id, size_t *row)
{
	const ptrdiff_t i = find_row(p, id);

	if (i < 0) {
		char text[FS_JOB_ID_TEXT];

		complain(r->inv, "no pending job %s", id_text(text, r, id));
		return EXIT_NOTHING;
	}
	*row = (size_t)i;
	return 0;
}

int plan_job_id(const struct showq_run *r, uint64_t *id)
{
	if (!fs_job_id_parse(r->snapshot, r->start, id))
		return 0;
	complain(r->inv, "--start: invalid job id \"%s\"", r->start);
	return usage_status(r->inv);
}

static int put_start(const struct showq_run *r, const fs_plan *first, const fs_plan *backfill,
		     uint64_t id)
{
	size_t a, b;
	struct fs_plan_row row;
	struct fs_job job;
	char text[TEXT], name[FS_JOB_ID_TEXT];

	if (plan_find(r, first, id, &a) || plan_find(r, backfill, id, &b))
		return EXIT_NOTHING;
	fs_plan_row(backfill, b, &row);
	fs_snapshot_job(r->snapshot, row.job_row, &job);
	emit("JOB %s of %s in %s", id_text(name, r, id), text_visible(text, TEXT, job.user),
	       row.partition);
	emit(", seen from ");
	put_when(r, r->info->time);
	if (fs_queue_verdict_kind(fs_plan_queue(backfill), row.job_row) == FS_VERDICT_NEVER)
		return put_never(r, backfill, row.job_row);
	emit("\n%-18s %-20s %12s %-13s %-18s %s\n", "ESTIMATE", "START", "IN", "PLAN", "WHERE",
	       "ASSUMES");
	put_recorded(r, &job);
	put_estimate(r, "plan by priority", first, a, "nobody passes a job that cannot start");
	put_estimate(r, "plan with backfill", backfill, b, "jobs pass where they delay none ahead");
	put_likely(r, backfill, b);
	put_assumptions(backfill);
	return EXIT_DONE;
}

int showq_start(struct showq_run *r)
{
	fs_plan *first = NULL, *backfill = NULL;
	uint64_t id;
	int status = plan_job_id(r, &id);

	if (!status)
		status = plan_compute(r, FS_PLAN_BY_PRIORITY, &first);
	if (!status)
		status = plan_compute(r, FS_PLAN_BACKFILL, &backfill);
	if (!status)
		status = put_start(r, first, backfill, id);
	fs_plan_free(first);
	fs_plan_free(backfill);
	return status;
}
