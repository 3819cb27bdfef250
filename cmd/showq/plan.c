/* fs-showq --plan: when jobs may start, as libfs simulates it. */
#include "showq/plan.h"

#include "dialect/dialect.h"
#include "render/emit.h"
#include "render/text.h"

enum { TEXT = 64 };

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
	plan_id_text(id, r, row.job);
	emit("%-*s %-12s ", 10 + ((unsigned char)*id >= 0x80), id, text_visible(text, 24, row.partition));
	emit("%-15s %-13s ", text_visible(text, 24, job.user), fs_plan_state_name(row.state));
	plan_put_when(r, row.start_time);
	plan_put_in(r, row.start_time);
	emit("%5u %-18s ", row.nodes, text_visible(text, TEXT, plan_nodes_text(p, i, nodes, 40)));
	plan_put_why(r, p, &row);
	putchar('\n');
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
	plan_put_when(r, r->info->time);
	emit("\n%-10s %-12s %-15s %-13s %-20s %12s %5s %-18s %s\n", "JOBID", r->dialect->nouns.partition_heading, "USER",
	       "PLAN", "START", "IN", "NODES", "WHERE", "WAITS FOR");
	for (size_t i = 0; i < fs_plan_count(p); i++)
		put_row(r, p, i);
	plan_put_assumptions(p);
	fs_plan_free(p);
	return EXIT_DONE;
}
