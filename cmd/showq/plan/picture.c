/* fs-showq --plan --svg and --start --svg: who has which nodes when, as a picture. */
#include "showq/plan/plan.h"

#include "picture/timeline.h"

enum { MAX_LANES = 64 };

/* Draws the nodes of one job (FS_NO_ROW: of all) into the file. */
static int draw(const struct showq_run *r, const fs_plan *p, uint32_t job_row)
{
	struct markup v = { .state = r->snapshot };
	struct timeline t;
	int status;

	if (timeline_make(&t, r->snapshot, p, input_viewer(&r->input), job_row, MAX_LANES))
		return no_memory(r->inv);
	if (t.lanes) {
		timeline_draw(&v, r->snapshot, &t, job_row, false);
		status = markup_save(r->inv, &v, r->svg);
	} else {
		complain(r->inv, "--svg: no start on any node is planned%s", job_row == FS_NO_ROW ? "" : " for this job");
		status = EXIT_NOTHING;
	}
	timeline_free(&t);
	return status;
}

static int draw_job(const struct showq_run *r, const fs_plan *p)
{
	struct fs_plan_row row;
	uint64_t id;
	size_t i;
	int status = plan_job_id(r, &id);

	if (!status)
		status = plan_find(r, p, id, &i);
	if (status)
		return status;
	fs_plan_row(p, i, &row);
	return draw(r, p, row.job_row);
}

int showq_plan_picture(struct showq_run *r)
{
	fs_plan *p = NULL;
	int status = plan_compute(r, FS_PLAN_BACKFILL, &p);

	if (!status)
		status = r->start ? draw_job(r, p) : draw(r, p, FS_NO_ROW);
	fs_plan_free(p);
	return status;
}
