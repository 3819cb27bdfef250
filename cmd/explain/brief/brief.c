/* Four lines: why the job waits, when it starts, who is ahead, what can be done. */
#include "explain/brief/parts.h"
#include "explain/json/json.h"

static void fill(struct brief *b, const struct explain_view *v, const struct fs_explain_job *job)
{
	struct fs_job j;

	*b = (struct brief){ "", "", "", "", false };
	fs_snapshot_job(v->from->snapshot, job->job_row, &j);
	brief_fill_why(b, v, job, &j);
	brief_fill_when(b, v, job, &j);
	brief_fill_ahead(b, v, job);
	brief_fill_todo(b, v, job, &j);
}

void explain_brief_text(struct page *p, const struct explain_view *v, const struct fs_explain_job *job)
{
	struct brief b;

	fill(&b, v, job);
	p->failed = p->failed || b.failed;
	page_labelled(p, "Why", b.why);
	page_labelled(p, "When", b.when);
	page_labelled(p, "Ahead", b.ahead);
	page_labelled(p, "What you can do", b.todo);
}

void explain_brief_json(struct fs_json *j, const struct explain_view *v, const struct fs_explain_job *job)
{
	struct brief b;

	fs_json_key(j, "brief");
	if (!v->brief) {
		fs_json_null(j);
		return;
	}
	fill(&b, v, job);
	j->failed = j->failed || b.failed;
	fs_json_object(j);
	json_text(j, "why", b.why);
	json_text(j, "when", b.when);
	json_text(j, "ahead", b.ahead);
	json_text(j, "what_you_can_do", b.todo);
	fs_json_end_object(j);
}
