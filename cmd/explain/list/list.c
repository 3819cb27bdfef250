/* Without a word: the viewer's pending jobs, one line each. And what a reason means. */
#include "explain/list/list.h"

#include "columns/column.h"
#include "explain/json/json.h"
#include "explain/parts.h"
#include "words/verdict.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { NEVER_WRAPPED = 4096 };

static bool is_pending(const fs_snapshot *s, uint32_t row, const char *user, struct fs_job *j)
{
	fs_snapshot_job(s, row, j);
	return !strcmp(j->state, "PENDING") && !strcmp(j->user, user);
}

struct line {
	struct fs_job job;
	struct fs_explain_job x;
	char id[WORDS], verdict[VERDICT_TEXT];
	const char *partition;
	int64_t start;
};

static bool read_line(const struct explain_view *v, uint32_t job_row, struct line *out)
{
	struct fs_plan_row r;

	fs_snapshot_job(v->from->snapshot, job_row, &out->job);
	if (fs_explain_job_heads(v->x, job_row, &out->x, NULL))
		return false;
	verdict_words(out->verdict, nouns(v), v->from->snapshot, &out->x.verdict);
	job_words(out->id, v->from->snapshot, job_row);
	out->partition = fs_job_partition(v->from->snapshot, job_row, 0);
	if (!out->partition)
		out->partition = "";
	out->start = explain_plan_row(v, job_row, &r) ? r.start_time : FS_UNKNOWN;
	return true;
}

static void put_line(struct page *p, const struct explain_view *v, const struct line *l)
{
	char start[WORDS];

	page_cell(p, "%s", l->id);
	page_cell(p, "%s", l->partition);
	page_cell(p, "%s", l->start == FS_UNKNOWN ? "-" : date_words(start, v->from->snapshot, l->start));
	page_cell(p, "%s", *l->verdict ? l->verdict : "waits; by what is not known");
	page_row(p, TONE_PLAIN);
}

#define LINE(m) COLUMN_MEMBER(struct line, m)

static const struct column line_columns[] = {
	{ NULL, "jobid", LINE(job.id), .help = "the job" },
	{ NULL, "name", LINE(id), .help = "the same as jobid_text" },
	{ NULL, "jobid_text", LINE(id), .help = "as the scheduler writes it" },
	{ NULL, "jobname", LINE(job.name), .help = "its name" },
	{ NULL, "partition", LINE(partition), .help = "the first that it asks for" },
	{ NULL, "verdict", LINE(x.verdict.kind), .word = fs_verdict_name, .help = "why it waits" },
	{ NULL, "verdict_text", LINE(verdict), .help = "the same in words" },
	{ NULL, "planned_start", LINE(start), .unit = UNIT_TIME, .help = "by the plan" },
};

int explain_list_text(struct page *p, const struct explain_view *v, const char *user)
{
	const struct page_column columns[] = { { "job", ALIGN_LEFT },
					       { nouns(v)->partition, ALIGN_LEFT },
					       { "planned start", ALIGN_LEFT },
					       { "why it waits", ALIGN_LEFT } };
	const size_t jobs = fs_snapshot_info(v->from->snapshot)->jobs;
	struct fs_job j;
	struct line l;
	size_t n = 0;
	bool failed = false;

	p->width = NEVER_WRAPPED;
	for (uint32_t i = 0; !failed && i < jobs; i++) {
		if (!is_pending(v->from->snapshot, i, user, &j))
			continue;
		failed = !read_line(v, i, &l);
		if (!n++)
			page_table(p, columns, sizeof(columns) / sizeof(*columns));
		if (!failed)
			put_line(p, v, &l);
	}
	if (n && !failed)
		page_table_end(p);
	if (!n)
		page_say(p, "%s has no pending jobs. fs-explain --help tells what else can be explained.", user);
	page_end(p);
	return failed ? FS_ENOMEM : 0;
}

int explain_list_json(const struct explain_view *v, const char *user)
{
	const size_t jobs = fs_snapshot_info(v->from->snapshot)->jobs;
	struct fs_job job;
	struct fs_json j;
	struct line l;

	explain_json_begin(&j, v, "jobs");
	json_text(&j, "user", user);
	json_list(&j, "jobs");
	for (uint32_t i = 0; i < jobs; i++)
		if (is_pending(v->from->snapshot, i, user, &job) && read_line(v, i, &l))
			columns_object(&j, COLUMNS(line_columns), NULL, &l);
	fs_json_end_array(&j);
	return json_end(&j);
}

/* ---- reasons */

/* As squeue prints it, too: "(ReqNodeNotAvail, UnavailableNodes:c1)". */
const struct fs_reason *explain_find_reason(const char *word)
{
	const char *name = word + (*word == '(');
	const size_t len = strcspn(name, ",)");
	const struct fs_reason *r;

	for (size_t i = 0; (r = fs_reason_at(i)); i++)
		if (*r->name && !strncasecmp(r->name, name, len) && !r->name[len])
			return r;
	return NULL;
}

static size_t count_reason(const struct explain_view *v, const struct fs_reason *reason)
{
	const fs_snapshot *s = v->from->snapshot;
	size_t n = 0;
	struct fs_job j;

	for (size_t i = 0; i < fs_snapshot_info(s)->jobs; i++) {
		fs_snapshot_job(s, i, &j);
		n += !strcmp(j.state, "PENDING") && fs_reason_find(j.reason) == reason;
	}
	return n;
}

void explain_reason_text(struct page *p, const struct explain_view *v, const struct fs_reason *r)
{
	char n[WORDS];

	page_heading(p, "Reason %s", r->name);
	page_gap(p);
	page_say(p, "It means: %s.", r->meaning);
	if (*r->clears)
		page_say(p, "What clears it: %s.", r->clears);
	if (*r->limit)
		page_say(p, "The limit is %s%s%s.", r->limit, *r->resource ? " of " : "", r->resource);
	if (r->eligible)
		page_say(p, "The scheduler goes on trying a job that shows it.");
	if (v)
		page_say(p, "%s it here.",
			 count_words(n, count_reason(v, r), "pending job shows", "pending jobs show"));
	page_end(p);
}

#define REASON(m) COLUMN_MEMBER(struct fs_reason, m)

static const struct column reason_columns[] = {
	{ NULL, "name", REASON(name), .help = "as the scheduler prints it" },
	{ NULL, "meaning", REASON(meaning), .help = "what it means" },
	{ NULL, "clears", REASON(clears), .help = "what clears it" },
	{ NULL, "limit", REASON(limit), .help = "the limit that it names" },
	{ NULL, "section", REASON(section), .word = fs_section_name, .help = "where jobs stand that show it" },
	{ NULL, "eligible", REASON(eligible), .help = "the scheduler goes on trying such a job" },
};

int explain_reason_json(const struct explain_view *v, const struct fs_reason *r)
{
	struct fs_json j;

	explain_json_begin(&j, v, "reason");
	columns_json(&j, COLUMNS(reason_columns), NULL, r);
	json_whole(&j, "pending", v->from != NULL, v->from ? count_reason(v, r) : 0);
	return json_end(&j);
}
