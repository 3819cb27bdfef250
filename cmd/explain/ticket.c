#include "explain/ticket.h"

#include "explain/run.h"

/* Of a snapshot that is the caller's. */
static void release(struct explain_run *r)
{
	r->snapshot = NULL;
	explain_release(r);
}

int explain_ticket_job(const struct invocation *inv, fs_snapshot *s, const char *job, uint32_t *row)
{
	struct explain_run r = { .inv = inv, .input = { .recorded = true, .as = "root" }, .job = job, .snapshot = s };
	struct subject a;
	int status = explain_compute(&r);

	if (!status)
		status = explain_find(&r, &a);
	if (!status)
		*row = a.row;
	release(&r);
	return status;
}

static int write_page(struct explain_run *r, FILE *to)
{
	struct fs_explain_job job;
	struct fs_error err;
	struct subject a;
	struct page p;
	int status = explain_find(r, &a);

	if (!status)
		status = explain_outlook(r, a.row);
	if (status)
		return status;
	if (fs_explain_job(r->view.x, a.row, &job, &err))
		return report(r->inv, &err);
	page_init(&p, PAGE_MARKDOWN, 80, true);
	explain_job_text(&p, &r->view, &job, false);
	if (p.failed)
		status = no_memory(r->inv);
	else
		page_print(&p, to, false);
	page_free(&p);
	return status;
}

int explain_ticket_page(const struct invocation *inv, fs_snapshot *s, const char *job, const char *viewer, FILE *to)
{
	struct explain_run r = { .inv = inv, .input = { .recorded = true, .as = viewer }, .job = job, .markdown = true,
				 .snapshot = s };
	int status = explain_compute(&r);

	if (!status)
		status = write_page(&r, to);
	release(&r);
	return status;
}
