#include "explain/ticket.h"

#include "explain/run.h"
#include "files/stream.h"
#include "page/what_if.h"

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

static int write_markdown(struct explain_run *r, const struct fs_explain_job *job, FILE *to)
{
	struct page p;
	int status = 0;

	page_init(&p, PAGE_MARKDOWN, 80, true);
	what_if_page(&p, r->snapshot);
	explain_job_text(&p, &r->view, job, false);
	if (p.failed)
		status = no_memory(r->inv);
	else
		page_print(&p, to, false);
	page_free(&p);
	return status;
}

static int write_html(struct explain_run *r, const struct fs_explain_job *job, FILE *to)
{
	struct markup doc = { .state = r->snapshot };
	int status = 0;

	if (!explain_job_document(&doc, &r->view, input_viewer(&r->input), job) || stream_write(to, doc.text, doc.len))
		status = no_memory(r->inv);
	markup_free(&doc);
	return status;
}

static int write_pages(struct explain_run *r, FILE *markdown, FILE *html)
{
	struct fs_explain_job job;
	struct fs_error err;
	struct subject a;
	int status = explain_find(r, &a);

	if (!status)
		status = explain_outlook(r, a.row);
	if (status)
		return status;
	if (fs_explain_job(r->view.x, a.row, &job, &err))
		return report(r->inv, &err);
	status = write_markdown(r, &job, markdown);
	return status ? status : write_html(r, &job, html);
}

int explain_ticket_page(const struct invocation *inv, fs_snapshot *s, const char *job, const char *viewer,
			FILE *markdown, FILE *html)
{
	struct explain_run r = { .inv = inv, .input = { .recorded = true, .as = viewer }, .job = job, .markdown = true,
				 .snapshot = s };
	int status = explain_compute(&r);

	if (!status)
		status = write_pages(&r, markdown, html);
	release(&r);
	return status;
}
