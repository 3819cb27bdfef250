/* fs-showq --start: three estimates of one job's start side by side. */
#include "showq/plan/plan.h"

#include "dialect/dialect.h"
#include "render/emit.h"
#include "render/text.h"
#include "words/verdict.h"

#include <stdlib.h>

enum { TEXT = 64 };

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

/* Prints an estimate, and behind it what it assumes. */
static void put_line(const struct showq_run *r, const struct estimate_line *line)
{
	const struct column_page page = estimate_page(r);

	columns_row(&page, line);
	putchar(' ');
}

static void put_recorded(const struct showq_run *r, const struct fs_job *job)
{
	const bool known = job->start_time != FS_UNKNOWN && job->start_time >= r->info->time;
	struct fs_job last;
	char when[24];

	put_line(r, &(struct estimate_line){ "recorded", known ? "estimate" : "none",
					     *job->sched_nodes ? job->sched_nodes : "-", known ? job->start_time : FS_UNKNOWN });
	if (!known)
		emit("no start is recorded: blocked, not reached, or no backfill cycle had run");
	else if (job->last_sched_eval != FS_UNKNOWN)
		emit("what the scheduler expected; it looked at the job %lld s before the snapshot",
		       (long long)(r->info->time - job->last_sched_eval));
	else
		emit("what the scheduler expected, it is not known when");
	if (known && later_component(r->snapshot, job, &last)) {
		showq_iso_time(when, last.start_time + fs_snapshot_utc_offset(r->snapshot, last.start_time));
		emit("; component %llu has %s, and none starts before it", (unsigned long long)last.id, when);
	}
	putchar('\n');
}

static void put_estimate(const struct showq_run *r, const char *name, const fs_plan *p, size_t i,
			 const char *assumes)
{
	struct fs_plan_row row;
	char nodes[40];

	fs_plan_row(p, i, &row);
	fs_plan_nodes(p, i, nodes, sizeof(nodes));
	put_line(r, &(struct estimate_line){ name, fs_plan_state_name(row.state), *nodes ? nodes : "-", row.start_time });
	emit("%s; waits for: ", assumes);
	plan_put_why(r, p, &row);
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
	put_line(r, &(struct estimate_line){ "likely", row.likely_start_time == FS_UNKNOWN ? "none" : "simulated", "-",
					     row.likely_start_time });
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

/* Says that the job never starts, in place of estimates. */
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

		complain(r->inv, "no pending job %s", plan_id_text(text, r, id));
		return EXIT_NOTHING;
	}
	*row = (size_t)i;
	return 0;
}

int plan_job_id(const struct showq_run *r, uint64_t *id)
{
	struct fs_job job;
	char seen[64];
	uint32_t row;

	if (!fs_job_find(r->snapshot, r->start, &row)) {
		if (row == FS_NO_ROW) {
			complain(r->inv, "no pending job %s", text_visible(seen, sizeof(seen), r->start));
			return EXIT_NOTHING;
		}
		fs_snapshot_job(r->snapshot, row, &job);
		*id = job.id;
		return 0;
	}
	complain(r->inv, "--start: invalid job id \"%s\"", r->start);
	return usage_status(r->inv);
}

static int put_start(const struct showq_run *r, const fs_plan *first, const fs_plan *backfill, uint64_t id)
{
	size_t a, b;
	struct fs_plan_row row;
	struct fs_job job;
	char text[TEXT], name[FS_JOB_ID_TEXT], when[COLUMN_TEXT];
	const struct column_page page = estimate_page(r);

	if (plan_find(r, first, id, &a) || plan_find(r, backfill, id, &b))
		return EXIT_NOTHING;
	fs_plan_row(backfill, b, &row);
	fs_snapshot_job(r->snapshot, row.job_row, &job);
	emit("JOB %s of %s in %s", plan_id_text(name, r, id), text_visible(text, TEXT, job.user),
	       row.partition);
	emit(", seen from %-20s ", plan_when_text(when, r, r->info->time));
	if (fs_queue_verdict_kind(fs_plan_queue(backfill), row.job_row) == FS_VERDICT_NEVER)
		return put_never(r, backfill, row.job_row);
	putchar('\n');
	columns_heading(&page);
	put_recorded(r, &job);
	put_estimate(r, "plan by priority", first, a, "nobody passes a job that cannot start");
	put_estimate(r, "plan with backfill", backfill, b, "jobs pass where they delay none ahead");
	put_likely(r, backfill, b);
	plan_put_assumptions(backfill);
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
