/* The jobs before one, by account, user and array. */
#include "explain/parts.h"
#include "render/format.h"
#include "words/verdict.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Columns that would say nothing are left out. */
struct shape {
	struct page_column column[7];
	size_t n;
	bool entries, gpus;
};

static void choose_columns(struct shape *c, const struct explain_view *v, const struct fs_explain_ahead *a)
{

	*c = (struct shape){ .entries = a->all.entries != a->all.jobs, .gpus = a->all.gpus != 0 };
	c->column[c->n++] = (struct page_column){ "who", ALIGN_LEFT };
	if (c->entries)
		c->column[c->n++] = (struct page_column){ "entries", ALIGN_RIGHT };
	c->column[c->n++] = (struct page_column){ "jobs", ALIGN_RIGHT };
	c->column[c->n++] = (struct page_column){ nouns(v)->cpu_column, ALIGN_RIGHT };
	if (c->gpus)
		c->column[c->n++] = (struct page_column){ "GPUs", ALIGN_RIGHT };
	c->column[c->n++] = (struct page_column){ nouns(v)->hours_column, ALIGN_RIGHT };
	c->column[c->n++] = (struct page_column){ "ahead by", ALIGN_LEFT };
}

static void by_words(char *buf, size_t size, const struct explain_view *v,
		     const struct fs_explain_sum *own, const struct fs_explain_group *g)
{
	char factor[WORDS], a[WORDS], b[WORDS], c[WORDS];

	if (g->key == FS_QUEUE_KEY_SUBMIT) {
		snprintf(buf, size, "submitted earlier");
	} else if (g->key != FS_QUEUE_KEY_PRIORITY) {
		snprintf(buf, size, "%s", fs_queue_key_name(g->key));
	} else if (g->term == FS_NO_ROW && !own->direct && !g->direct) {
		snprintf(buf, size, "%s", fs_queue_key_name(g->key));
	} else if (g->term == FS_NO_ROW) {
		snprintf(buf, size, "priority %s",
			 own->direct ? "(this one's was set)" : nouns(v)->direct);
	} else {
		factor_words(factor, own->terms[g->term].name);
		if (g->lowest == g->highest)
			snprintf(buf, size, "%.60s %s against %s", factor, factor_number(a, g->highest),
				 factor_number(b, g->own));
		else
			snprintf(buf, size, "%.60s %s to %s against %s", factor,
				 factor_number(a, g->lowest), factor_number(b, g->highest),
				 factor_number(c, g->own));
	}
}

static void hours_words(char *buf, size_t size, double hours)
{
	if (isnan(hours))
		snprintf(buf, size, "unknown");
	else if (isinf(hours))
		snprintf(buf, size, "unlimited");
	else
		format_text(buf, size, "%.0f", hours);
}

static void print_group(struct page *p, const struct shape *c, const struct explain_view *v,
			const struct fs_explain_sum *own, const struct fs_explain_group *g)
{
	char name[WORDS], hours[40], by[200];

	if (g->depth == 2)
		page_cell(p, "    %" PRIu64 "_[]", g->array);
	else if (g->depth == 1)
		page_cell(p, "  %s%s", cell_words(name, *g->user ? g->user : "unknown"),
			  g->mine ? " *" : "");
	else
		page_cell(p, "%s", cell_words(name, *g->account ? g->account : "no account"));
	if (c->entries)
		page_cell(p, "%" PRIu32, g->entries);
	page_cell(p, "%" PRIu64, g->jobs);
	if (g->cpus == FS_UNKNOWN)
		page_cell(p, "unknown");
	else
		page_cell(p, "%" PRId64, g->cpus);
	if (c->gpus)
		page_cell(p, "%" PRId64, g->gpus);
	hours_words(hours, sizeof(hours), g->cpu_hours);
	page_cell(p, "%s", hours);
	by_words(by, sizeof(by), v, own, g);
	page_cell(p, "%s", by);
	page_row(p, TONE_PLAIN);
}

static void say_rivals(struct page *p, const struct explain_view *v,
		       const struct fs_explain_ahead *a, bool certain)
{
	bool some = false;
	char n[WORDS];

	for (size_t i = 0; i < a->nrivals; i++) {
		const struct fs_explain_rival *r = &a->rivals[i];

		if (r->certain != certain)
			continue;
		if (some)
			page_join(p, ",");
		else
			page_say(p,
				 certain ? "In other %s that compete for the same nodes:"
					 : "In other %s, whose nodes are not in the snapshot:",
				 nouns(v)->partitions);
		page_say(p, "%s in %s", count_words(n, r->jobs, "job", "jobs"), r->partition);
		if (r->tier != FS_UNKNOWN)
			page_join(p, " (tier %" PRId64 ")", r->tier);
		some = true;
	}
	if (some)
		page_join(p, ".");
	page_end(p);
}

/* "priority, job id": the keys of this scheduler, but for those that only part the records of one job. */
static void order_words(char *buf, size_t size, const struct explain_view *v)
{
	enum fs_queue_key key;
	size_t n = 0;

	*buf = '\0';
	for (size_t i = 0; (key = fs_queue_order(v->from->queue, i)) != FS_QUEUE_KEY_NONE && n < size;
	     i++)
		if (key != FS_QUEUE_KEY_TASK && key != FS_QUEUE_KEY_LISTED)
			n += (size_t)snprintf(buf + n, size - n, "%s%s", n ? ", " : "",
					      fs_queue_key_name(key));
}

static void say_heading(struct page *p, const struct explain_view *v, const struct fs_explain_job *job)
{
	const struct fs_explain_ahead *a = &job->ahead;
	const struct fs_explain_sum *own = job->sums;
	char id[WORDS], n[WORDS], order[300];

	order_words(order, sizeof(order), v);
	if (fs_queue_one_line(v->from->queue))
		page_heading(p, "AHEAD of %s", job_words(id, v->from->snapshot, job->job_row));
	else
		page_heading(p, "AHEAD of %s in %s", job_words(id, v->from->snapshot, job->job_row),
			     own->partition);
	if (job->jobs_missing && !a->all.jobs) {
		page_say(p, "Who is ahead is unknown: %s.", missing_jobs_words(v->from->snapshot));
		page_end(p);
		return;
	}
	page_say(p, "%s%s before it (order: %s).%s", job->jobs_missing ? "At least " : "",
		 count_words(n, a->all.jobs, "job stands", "jobs stand"), order,
		 a->all.entries != a->all.jobs ? " An entry is a job, or an array not split up yet."
					       : "");
	page_end(p);
}

void explain_ahead_text(struct page *p, const struct explain_view *v, const struct fs_explain_job *job)
{
	const struct fs_explain_ahead *a = &job->ahead;
	const struct fs_explain_sum *own = job->sums;
	char id[WORDS], n[WORDS];
	struct shape shape;

	if (!job->nsums || !own->position) {
		page_say(p, "%s is not eligible, so that none are ahead of it.",
			 job_words(id, v->from->snapshot, job->job_row));
		page_end(p);
		return;
	}
	page_gap(p);
	if (verdict_is_unplaced(&job->verdict)) {
		page_say(p, "Who is ahead of %s is not known: %s.", job_words(id, v->from->snapshot, job->job_row),
			 verdict_unplaced(v->from->snapshot, &job->verdict));
		page_end(p);
		return;
	}
	say_heading(p, v, job);
	if (a->ngroups) {
		choose_columns(&shape, v, a);
		page_table(p, shape.column, shape.n);
		for (size_t i = 0; i < a->ngroups; i++)
			print_group(p, &shape, v, own, &a->groups[i]);
		page_table_end(p);
	}
	say_rivals(p, v, a, true);
	say_rivals(p, v, a, false);
	if (job->jobs_missing && a->all.jobs)
		page_say(p, "Jobs of %s.", missing_others_words(v->from->snapshot));
	else if (a->unseen)
		page_say(p, "%s more before it may not be shown%s.",
			 count_words(n, a->unseen, "job", "jobs"), nouns(v)->hidden);
	page_say(p, "Own jobs ahead%s: %" PRIu32 ".", a->own_entries ? " (*)" : "", a->own_entries);
	page_end(p);
}
