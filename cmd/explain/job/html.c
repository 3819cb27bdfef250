/* A job's page as a document for a ticket: its lines, and pictures of the same numbers. */
#include "explain/parts.h"
#include "page/what_if.h"

#include "picture/bars.h"
#include "picture/html.h"
#include "picture/timeline.h"
#include "words/verdict.h"

#include <string.h>

enum { MAX_AHEAD = 5, MAX_LANES = 24, NAME = 2 * WORDS };

struct bars {
	struct bars_row row[MAX_AHEAD + 1];
	char name[MAX_AHEAD + 1][NAME];
	size_t n;
};

static void add_bar(struct bars *b, const struct explain_view *v, uint32_t job_row, const struct fs_explain_sum *s,
		    bool own)
{
	struct fs_job j;
	char id[WORDS];

	fs_snapshot_job(v->from->snapshot, job_row, &j);
	snprintf(b->name[b->n], NAME, "%s %s", job_words(id, v->from->snapshot, job_row), j.user);
	b->row[b->n] = (struct bars_row){ .name = b->name[b->n], .terms = s->terms, .n = s->direct ? 0 : s->nterms,
					  .priority = s->queue_priority, .marked = own };
	b->n++;
}

/* Gathers the job, the next ahead of it, the next ahead of that one, and so on. */
static void gather(struct bars *b, const struct explain_view *v, const struct fs_explain_job *job)
{
	uint32_t next = job->ahead.next;

	add_bar(b, v, job->job_row, job->sums, true);
	while (next != FS_NO_ROW && b->n <= MAX_AHEAD) {
		struct fs_explain_job other;
		struct fs_queue_row row;
		size_t at;

		if (!explain_sum_of_row(v, next, &row, &other, &at) ||
		    fs_explain_job_heads(v->x, row.job_row, &other, NULL))
			return;
		for (at = 0; at < other.nsums && other.sums[at].queue_row != next; at++)
			;
		if (at == other.nsums)
			return;
		add_bar(b, v, row.job_row, &other.sums[at], false);
		next = at ? FS_NO_ROW : other.ahead.next; /* who is ahead is known for the first sum alone */
	}
}

/* Draws the bars, the highest priority first. */
static void put_bars(struct markup *doc, const struct explain_view *v, const struct fs_explain_job *job)
{
	struct bars b = { .n = 0 };
	struct bars_row turned[MAX_AHEAD + 1];

	if (!job->nsums || !job->sums->nterms || job->sums->direct)
		return;
	gather(&b, v, job);
	for (size_t i = 0; i < b.n; i++)
		turned[i] = b.row[b.n - 1 - i];
	html_figure(doc, b.n > 1 ? "Its priority, and those of the next ahead of it" : "Its priority");
	bars_draw(doc, turned, b.n, true);
	html_end_figure(doc);
}

static bool put_plan(struct markup *doc, const struct explain_view *v, const char *viewer, uint32_t job_row)
{
	struct timeline t;

	if (!v->plan)
		return true;
	if (timeline_make(&t, v->from->snapshot, v->plan, viewer, job_row, MAX_LANES))
		return false;
	if (t.lanes) {
		html_figure(doc, jobs_are_missing(v->from->snapshot)
					 ? "When it is planned to start by the jobs that can be seen, and which of them have its nodes until then"
					 : "When it is planned to start, and who has its nodes until then");
		timeline_draw(doc, v->from->snapshot, &t, job_row, true);
		html_end_figure(doc);
	}
	timeline_free(&t);
	return true;
}

bool explain_job_document(struct markup *doc, const struct explain_view *v, const char *viewer,
			  const struct fs_explain_job *job)
{
	enum { WIDTH = 80 };
	char id[WORDS], title[NAME];
	struct page p;
	size_t lines;
	bool made;

	snprintf(title, sizeof(title), "Job %s, as of %s", job_words(id, v->from->snapshot, job->job_row),
		 date_words((char[WORDS]){ 0 }, v->from->snapshot, fs_snapshot_info(v->from->snapshot)->time));
	html_begin(doc, title);
	page_init(&p, PAGE_HTML, WIDTH, true);
	what_if_page(&p, v->from->snapshot);
	explain_job_head(&p, v, job, false);
	lines = html_page(doc, &p, 0);
	put_bars(doc, v, job);
	explain_cost_text(&p, v);
	explain_job_sums(&p, v, job);
	if (job->state == FS_EXPLAIN_QUEUED && job->ahead.next != FS_NO_ROW)
		explain_ahead_text(&p, v, job);
	lines = html_page(doc, &p, lines);
	made = put_plan(doc, v, viewer, job->job_row);
	explain_source_text(&p, v);
	html_page(doc, &p, lines);
	page_free(&p);
	html_end(doc);
	return made && !doc->failed;
}

int explain_job_html(const struct explain_view *v, const struct invocation *inv, const char *viewer,
		     const struct fs_explain_job *job, const char *file)
{
	struct markup doc = { .state = v->from->snapshot };

	if (explain_job_document(&doc, v, viewer, job))
		return markup_save(inv, &doc, file);
	markup_free(&doc);
	return no_memory(inv);
}
