/* Two jobs, or two users or accounts, side by side. */
#include "explain_parts.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* ---- jobs */

static void say_verdict(struct page *p, const struct explain_view *v, const struct fs_explain_job *a,
			const struct fs_explain_job *b, const struct fs_explain_versus *d)
{
	const fs_snapshot *s = v->from->snapshot;
	const struct fs_explain_job *first = d->first < 0 ? a : b, *second = d->first < 0 ? b : a;
	const struct fs_explain_sum *x = d->first < 0 ? &a->sums[d->sum_a] : &b->sums[d->sum_b];
	const struct fs_explain_sum *y = d->first < 0 ? &b->sums[d->sum_b] : &a->sums[d->sum_a];
	char id[WORDS], other[WORDS];
	struct fs_job j;

	fs_snapshot_job(s, first->job_row, &j);
	page_say(p, "Job %s (%s) goes before %s", job_words(id, s, first->job_row), j.user, job_words(other, s, second->job_row));
	if (!d->same_line)
		page_say(p, "(%s against %s):", x->partition, y->partition);
	else if (fs_queue_one_line(v->from->queue))
		page_join(p, ":");
	else
		page_say(p, "in %s:", x->partition);
	if (d->key == FS_KEY_PRIORITY)
		page_say(p, "%spriority %.0f against %.0f.", x->tier != FS_UNKNOWN && x->tier == y->tier ? "same tier, " : "",
			 x->held, y->held);
	else if (d->key == FS_KEY_TIER)
		page_say(p, "PriorityTier %" PRId64 " against %" PRId64 "; priority is not looked at.", x->tier, y->tier);
	else
		page_say(p, "%s; nothing behind that key matters.", fs_queue_key_text(d->key));
	if (d->same_line)
		return;
	if (d->overlap)
		page_say(p, "Their %s share nodes, so that they compete.", nouns(v)->partitions);
	else if (d->nodes_known)
		page_say(p, "Their %s share no nodes that are known: they do not compete.", nouns(v)->partitions);
	else
		page_say(p, "Which nodes their %s have is not in the snapshot, and so whether they compete.",
			 nouns(v)->partitions);
}

static void say_not_in_line(struct page *p, const struct explain_view *v, const struct fs_explain_job *job)
{
	char id[WORDS];

	if (job->nsums && job->sums->position)
		return;
	page_say(p, "Job %s is not in line (%s).", job_words(id, v->from->snapshot, job->job_row),
		 job->reason ? job->reason->meaning : fs_section_name(job->section));
}

static void points_cell(struct page *p, int digits, double v)
{
	if (isnan(v))
		page_cell(p, "unknown");
	else
		page_cell(p, "%.*f", digits, v);
}

static void difference_cell(struct page *p, int digits, double v)
{
	if (isnan(v))
		page_cell(p, "unknown");
	else
		page_cell(p, "%+.*f", digits, v);
}

static void print_differences(struct page *p, const struct explain_view *v, const struct fs_explain_job *a,
			      const struct fs_explain_job *b, const struct fs_explain_versus *d)
{
	const struct fs_explain_sum *x = &a->sums[d->sum_a], *y = &b->sums[d->sum_b];
	const char *direct = nouns(v)->direct;
	char na[2 * WORDS], nb[2 * WORDS], id[WORDS], factor[WORDS], user[WORDS];
	const struct page_column columns[] = { { "factor", ALIGN_LEFT },  { na, ALIGN_POINT },
					       { nb, ALIGN_POINT },	  { "difference", ALIGN_POINT },
					       { "", ALIGN_LEFT } };
	struct fs_job j;

	fs_snapshot_job(v->from->snapshot, a->job_row, &j);
	snprintf(na, sizeof(na), "%.60s %s", job_words(id, v->from->snapshot, a->job_row), cell_words(user, j.user));
	fs_snapshot_job(v->from->snapshot, b->job_row, &j);
	snprintf(nb, sizeof(nb), "%.60s %s", job_words(id, v->from->snapshot, b->job_row), cell_words(user, j.user));
	page_table(p, columns, sizeof(columns) / sizeof(*columns));
	for (size_t t = 0; t < x->nterms; t++) {
		if (x->terms[t].points == 0 && y->terms[t].points == 0)
			continue;
		page_cell(p, "%s", factor_words(factor, x->terms[t].name));
		points_cell(p, 3, x->terms[t].points);
		points_cell(p, 3, y->terms[t].points);
		difference_cell(p, 3, d->differences ? d->differences[t] : (double)NAN);
		if (t == d->term)
			page_cell(p, "<- decides");
		page_row(p, TONE_PLAIN);
	}
	page_rule(p, 3);
	page_cell(p, "PRIORITY");
	points_cell(p, 0, x->total);
	points_cell(p, 0, y->total);
	difference_cell(p, 0, d->total);
	page_cell(p, "%s", x->direct || y->direct ? direct : "");
	page_row(p, TONE_TOTAL);
	if (fabs(d->held - d->total) >= 1) {
		page_cell(p, "as the scheduler held it");
		page_row(p, TONE_PLAIN);
		page_cell(p, "PRIORITY");
		points_cell(p, 0, x->held);
		points_cell(p, 0, y->held);
		difference_cell(p, 0, d->held);
		page_cell(p, "<- sorts the queue");
		page_row(p, TONE_PLAIN);
	}
	page_table_end(p);
}

void explain_jobs_versus_text(struct page *p, const struct explain_view *v, const struct fs_explain_job *a,
			      const struct fs_explain_job *b)
{
	struct fs_explain_versus d;
	char na[WORDS], nb[WORDS];

	page_heading(p, "Job %s against job %s", job_words(na, v->from->snapshot, a->job_row),
		     job_words(nb, v->from->snapshot, b->job_row));
	page_gap(p);
	if (fs_explain_jobs_versus(v->x, a, b, &d))
		return;
	if (d.first)
		say_verdict(p, v, a, b, &d);
	else
		page_say(p, a->job_row == b->job_row ? "They are the same job." : "They are not both in line, so that neither "
										  "goes before the other.");
	say_not_in_line(p, v, a);
	say_not_in_line(p, v, b);
	page_end(p);
	if (d.sum_a != SIZE_MAX && d.sum_b != SIZE_MAX)
		print_differences(p, v, a, b, &d);
	page_gap(p);
	explain_parting_text(p, v, &a->path, &b->path);
	explain_source_text(p, v);
}

/* ---- users and accounts */

static void print_level(struct page *p, const struct explain_view *v, const struct fs_explain_path *path, size_t k)
{
	const struct fs_share_row *r = fs_shares_row(v->from->shares, path->level[k].row);
	char a[WORDS];

	page_cell(p, "%s", cell_words(a, row_words(a, r)));
	page_cell(p, "%s", r->shares_kind == FS_SHARES_PARENT ? "parent" : percent_words(a, r->norm_shares));
	page_cell(p, "%s", percent_words(a, r->effective_usage));
	if (fs_shares_has_levels(v->from->shares))
		page_cell(p, "%s", weight_words(a, v, r->level_fs));
	else if (!isnan(r->fairshare))
		page_cell(p, "%.6f", r->fairshare);
	page_row(p, TONE_PLAIN);
}

int explain_rows_versus_text(struct page *p, const struct explain_view *v, uint32_t row_a, uint32_t row_b)
{
	const struct fs_share_row *ra = fs_shares_row(v->from->shares, row_a), *rb = fs_shares_row(v->from->shares, row_b);
	const bool levels = fs_shares_has_levels(v->from->shares);
	const bool flux = !strncmp(fs_shares_algorithm(v->from->shares), "flux", strlen("flux"));
	const struct page_column columns[] = { { "", ALIGN_LEFT },
					       { "shares", ALIGN_POINT },
					       { "usage", ALIGN_POINT },
					       { flux ? "weight" : levels ? "LevelFS" : "FairShare", ALIGN_POINT } };
	struct fs_explain_path a, b;
	struct fs_explain_parting d;
	char na[WORDS], nb[WORDS];

	if (fs_explain_path(v->x, row_a, &a, NULL) || fs_explain_path(v->x, row_b, &b, NULL))
		return -1;
	row_words(na, ra);
	row_words(nb, rb);
	page_heading(p, "%s (%s %s) against %s (%s %s)", na, nouns(v)->account, ra->account, nb, nouns(v)->account,
		     rb->account);
	page_gap(p);
	if (!a.given && !a.hidden && !b.hidden) {
		fs_explain_paths_part(v->x, &a, &b, &d);
		if (!d.same && d.first)
			page_say(p, "%s ranks before %s.", d.first < 0 ? na : nb, d.first < 0 ? nb : na);
		if (a.user && b.user && !isnan(a.factor) && !isnan(b.factor))
			page_say(p, "Fair-share factors: %.6f and %.6f.", a.factor, b.factor);
		explain_parting_text(p, v, &a, &b);
		if (!d.same) {
			page_table(p, columns, sizeof(columns) / sizeof(*columns));
			print_level(p, v, &a, d.level_a);
			print_level(p, v, &b, d.level_b);
			page_table_end(p);
		}
	} else {
		explain_parting_text(p, v, &a, &b);
	}
	explain_source_text(p, v);
	return 0;
}
