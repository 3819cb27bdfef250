/* fs-showq --plan: when jobs may start, as libfs simulates it. */
#include "showq/plan/plan.h"

#include "render/emit.h"

static bool wanted(const struct showq_run *r, const struct fs_plan_row *row, const struct fs_job *job)
{
	return row->visible && showq_of_user(r, job) && showq_in_partition(r, row->job_row);
}

static void put_row(const struct plan_source *of, const struct column_page *page, size_t i)
{
	struct plan_line line = { .at = i };

	fs_plan_row(of->plan, i, &line.row);
	fs_snapshot_job(of->r->snapshot, line.row.job_row, &line.job);
	if (!wanted(of->r, &line.row, &line.job))
		return;
	columns_row(page, &line);
	putchar(' ');
	plan_put_why(of->r, of->plan, &line.row);
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
	char when[COLUMN_TEXT];
	fs_plan *p = NULL;
	const int status = plan_compute(r, FS_PLAN_BACKFILL, &p);

	if (status)
		return status;
	const struct plan_source of = { r, p };
	const struct column_page page = plan_page(&of);

	emit("PLANNED STARTS from %-20s \n", plan_when_text(when, r, r->info->time));
	columns_heading(&page);
	for (size_t i = 0; i < fs_plan_count(p); i++)
		put_row(&of, &page, i);
	plan_put_assumptions(p);
	fs_plan_free(p);
	return EXIT_DONE;
}
