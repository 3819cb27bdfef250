/* Maui: targets and windows of credentials, their pages, one against another. */
#include "explain/parts.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static const char *const mode_marks[] = { [FS_TARGET] = "",
					  [FS_FLOOR] = "+",
					  [FS_CEILING] = "-",
					  [FS_CAP_REL] = "%",
					  [FS_CAP_ABS] = "^" };

/* ---- targets and windows */

static void say_target(struct page *p, const struct explain_view *v, const struct fs_window_row *r)
{
	static const char *const modes[] = {
		[FS_TARGET] = "a target: below it the factor is above 0, over it below 0",
		[FS_FLOOR] = "a floor: it helps below, and never harms",
		[FS_CEILING] = "a ceiling: it harms above, and never helps",
		[FS_CAP_REL] = "a cap in percent: no part of the priority, but it can hold jobs back",
		[FS_CAP_ABS] = "a cap in processor seconds: no part of the priority, but it can hold jobs back",
	};
	const struct fs_windows_info *info = fs_windows_info(v->from->windows);
	const bool counts = r->mode == FS_TARGET || r->mode == FS_FLOOR || r->mode == FS_CEILING;

	if (!strcmp(info->policy, "[NONE]"))
		page_say(p, "FSPOLICY is NONE: usage and targets have no effect.");
	if (r->target == 0) {
		page_say(p, "It has no target: the factor is 0.");
		return;
	}
	page_say(p, "FSTARGET %.15g%s%s is %s.", r->target, mode_marks[r->mode],
		 r->inherited ? " (that of DEFAULT)" : "", modes[r->mode]);
	if (!counts || r->target < 0)
		return;
	if (!(info->usage_s > 0))
		page_say(p, "Nothing was used at all in the windows: the factor is 0.");
	else if (info->ratio)
		page_say(p, "Factor %.6f from 1 - %.6f / %.15g (FSPOLICY with a %%)", r->factor,
			 r->percent, r->target);
	else
		page_say(p, "Factor %.6f from %.15g - %.6f", r->factor, r->target, r->percent);
	if (info->usage_s > 0)
		page_join(p, r->mode == FS_FLOOR     ? ", at least 0."
			     : r->mode == FS_CEILING ? ", at most 0."
						     : ".");
}

static const struct page_column window_columns[] = { { "window", ALIGN_LEFT },
						     { "usage", ALIGN_POINT },
						     { "weight", ALIGN_POINT },
						     { "counts", ALIGN_POINT },
						     { "of all", ALIGN_POINT } };

static void print_window(struct page *p, const struct explain_view *v,
			 const struct fs_window_row *r, uint32_t i, int64_t units)
{
	const struct fs_windows_info *info = fs_windows_info(v->from->windows);
	char a[WORDS];

	page_cell(p, "%s", date_words(a, v->from->snapshot, fs_windows_start(v->from->windows, i)));
	page_cell(p, "%.15g", r->window_usage_s[i]);
	page_cell(p, "%.15g", info->weight[i]);
	page_cell(p, "%s", decimal_words(a, units, 3));
	page_cell(p, "%.15g", info->total_usage_s[i]);
	page_row(p, TONE_PLAIN);
}

static bool unused(const struct fs_window_row *r, const struct fs_windows_info *info)
{
	for (uint32_t i = 0; i < info->depth; i++)
		if (r->window_usage_s[i] != 0)
			return false;
	return true;
}

/* Usage times weight, window by window; the lines add up to the sum below them. */
static void print_windows(struct page *p, const struct explain_view *v,
			  const struct fs_window_row *r)
{
	const struct fs_windows_info *info = fs_windows_info(v->from->windows);
	const struct sheet d = { .digits = 3 };
	const double most = 1e14;
	int64_t sum = 0;
	char a[WORDS];

	if (unused(r, info)) {
		page_say(p, "It has used nothing in these windows.");
		page_end(p);
		return;
	}
	if (!(fabs(r->usage_s) < most))
		return;
	page_table(p, window_columns, sizeof(window_columns) / sizeof(*window_columns));
	for (uint32_t i = 0; i < info->depth; i++) {
		const double counted = fs_windows_counted_s(v->from->windows, r, i);

		if (r->window_usage_s[i] == 0 || !(fabs(counted) < most))
			continue;
		const int64_t units = decimal_units(&d, counted);

		sum += units;
		print_window(p, v, r, i, units);
	}
	page_rule(p, 3);
	page_cell(p, "usage");
	page_cell(p, "%s", "");
	page_cell(p, "%s", "");
	page_cell(p, "%s", decimal_words(a, sum, 3));
	page_cell(p, "%.6f %%", r->percent);
	page_row(p, TONE_TOTAL);
	page_table_end(p);
	page_say(p, "Weighted in the same way, all used %.15g; %.6g of it is %.6f %%.",
		 info->usage_s, r->usage_s, r->percent);
	page_end(p);
}

static void say_credential(struct page *p, const struct explain_view *v,
			   const struct fs_window_row *r)
{
	page_gap(p);
	page_heading(p, "Fair share of %s %s", kind_noun(r->kind), r->name);
	say_target(p, v, r);
	page_end(p);
	print_windows(p, v, r);
}

static void say_windows(struct page *p, const struct explain_view *v)
{
	const struct fs_windows_info *info = fs_windows_info(v->from->windows);
	char a[WORDS];

	page_gap(p);
	page_say(p,
		 "FSPOLICY %s, FSDEPTH %" PRIu32
		 " windows of FSINTERVAL %s, FSDECAY %.15g: usage in %s; each window "
		 "back counts %.15g times as much as the one after it.",
		 info->policy, info->depth, duration_words(a, (double)info->interval_s),
		 info->decay,
		 strcmp(info->policy, "DEDICATEDPES") ? "processor seconds" : "PE seconds",
		 info->decay);
	page_end(p);
}

/* Does it have a part in this job's sum, or a cap over it? */
static bool counts(const struct fs_explain_job *job, const struct fs_window_row *r)
{
	char name[WORDS];

	if (job->capped && job->cap.kind == r->kind && !strcmp(job->cap.name, r->name))
		return true;
	snprintf(name, sizeof(name), "fs/%s", fs_cred_kind_name(r->kind));
	for (size_t t = 0; job->nsums && t < job->sums->nterms; t++)
		if (!strcmp(job->sums->terms[t].name, name))
			return job->sums->terms[t].weight != 0 && r->target != 0;
	return false;
}

void explain_maui_path(struct page *p, const struct explain_view *v,
		       const struct fs_explain_job *job)
{
	bool some = false;

	for (int k = 0; v->from->windows && k < FS_CRED_KINDS; k++) {
		const struct fs_window_row *r;

		if (job->credential[k] == UINT32_MAX)
			continue;
		r = fs_windows_row(v->from->windows, job->credential[k]);
		if (!counts(job, r))
			continue;
		if (!some)
			say_windows(p, v);
		some = true;
		say_credential(p, v, r);
	}
}

/* ---- the page of a credential */

static void say_points(struct page *p, const struct explain_view *v, uint32_t window_row)
{
	struct fs_explain_credentials d;
	char name[WORDS];

	fs_explain_credentials_versus(v->x, window_row, window_row, &d);
	if (d.weighted)
		page_say(p, "In the sum of each of its jobs %s gives %.6f × %.15g = %.6f points.",
			 factor_words(name, d.a.name), d.a.value, d.a.weight, d.a.points);
	page_end(p);
}

void explain_credential_text(struct page *p, const struct explain_view *v, uint32_t window_row)
{
	const struct fs_window_row *r = fs_windows_row(v->from->windows, window_row);
	struct fs_explain_count n;
	char a[WORDS];

	page_heading(p, "The %s %s", kind_noun(r->kind), r->name);
	page_gap(p);
	fs_explain_count_credential(v->x, window_row, &n);
	if (!n.pending && !n.running)
		page_say(p, "No jobs are running or waiting.");
	else
		page_say(p, "%s running, %" PRIu32 " waiting.",
			 count_words(a, n.running, "job", "jobs"), n.pending);
	if (n.blocked)
		page_say(p, "A fair-share cap holds back %" PRIu32 " of them.", n.blocked);
	page_end(p);
	say_windows(p, v);
	say_credential(p, v, r);
	say_points(p, v, window_row);
	explain_source_text(p, v);
}

/* ---- one against another */

static void two_numbers(struct page *p, const char *name, int digits, double a, double b,
			double difference)
{
	page_cell(p, "%s", name);
	page_cell(p, "%.*f", digits, a);
	page_cell(p, "%.*f", digits, b);
	page_cell(p, "%+.*f", digits, difference);
	page_row(p, TONE_PLAIN);
}

static void target_cell(struct page *p, const struct fs_window_row *r)
{
	if (r->target == 0)
		page_cell(p, "none");
	else
		page_cell(p, "%.15g%s", r->target, mode_marks[r->mode]);
}

static void print_both(struct page *p, const struct explain_view *v, const struct fs_window_row *a,
		       const struct fs_window_row *b, const struct fs_explain_credentials *d)
{
	const struct fs_windows *w = v->from->windows;
	char name[WORDS], other[WORDS], cut_a[WORDS], cut_b[WORDS], points[3 * WORDS];
	const struct page_column columns[] = { { "", ALIGN_LEFT },
					       { cell_words(cut_a, a->name), ALIGN_POINT },
					       { cell_words(cut_b, b->name), ALIGN_POINT },
					       { "difference", ALIGN_POINT } };

	page_table(p, columns, sizeof(columns) / sizeof(*columns));
	for (uint32_t i = 0; i < fs_windows_info(w)->depth; i++) {
		if (a->window_usage_s[i] == 0 && b->window_usage_s[i] == 0)
			continue;
		page_cell(p, "%s × %.6g",
			  date_words(name, v->from->snapshot, fs_windows_start(w, i)),
			  fs_windows_info(w)->weight[i]);
		page_cell(p, "%.3f", fs_windows_counted_s(w, a, i));
		page_cell(p, "%.3f", fs_windows_counted_s(w, b, i));
		page_row(p, TONE_PLAIN);
	}
	page_rule(p, 1);
	two_numbers(p, "usage", 3, a->usage_s, b->usage_s, d->usage_s);
	two_numbers(p, "% of all", 6, a->percent, b->percent, d->percent);
	page_cell(p, "target");
	target_cell(p, a);
	target_cell(p, b);
	page_row(p, TONE_PLAIN);
	two_numbers(p, "factor", 6, a->factor, b->factor, d->factor);
	if (d->weighted) {
		page_cell(p, "weight");
		page_cell(p, "%.15g", d->a.weight);
		page_cell(p, "%.15g", d->b.weight);
		page_row(p, TONE_PLAIN);
		snprintf(points, sizeof(points), "points, %s%s%s", factor_words(name, d->a.name),
			 d->same_kind ? "" : " and ",
			 d->same_kind ? "" : factor_words(other, d->b.name));
		two_numbers(p, points, 6, d->a.points, d->b.points, d->points);
	}
	page_table_end(p);
}

/* Whose target it is, and why its factor may not be what usage and target alone make of it. */
static void say_special(struct page *p, const struct fs_window_row *r, const struct fs_prio_term *t)
{
	if (r->inherited)
		page_say(p, "The target of %s is that of DEFAULT.", r->name);
	if (r->target != 0 && (r->mode == FS_CAP_REL || r->mode == FS_CAP_ABS))
		page_say(
			p,
			"The target of %s is a cap: no part of the priority, but it can hold jobs back.",
			r->name);
	if (t->cut > 0)
		page_say(p, "The factor of %s is cut to its cap, %.15g.", r->name, t->value);
}

static void say_difference(struct page *p, const struct explain_view *v,
			   const struct fs_window_row *a, const struct fs_window_row *b,
			   const struct fs_explain_credentials *d)
{
	const struct fs_window_row *more = d->points > 0 ? a : b, *less = d->points > 0 ? b : a;

	if (!strcmp(fs_windows_info(v->from->windows)->policy, "[NONE]"))
		page_say(p, "FSPOLICY is NONE: usage and targets have no effect.");
	if (!d->weighted)
		page_say(
			p,
			"What that makes in points is not known: priorities cannot be computed from the snapshot.");
	else if (d->points != 0)
		page_say(p,
			 "With all else equal a job of %s goes before one of %s, by %.6f points.",
			 more->name, less->name, fabs(d->points));
	else if (d->a.weight == 0 && d->b.weight == 0)
		page_say(p, "Their fair share has no weight: it parts no jobs.");
	else
		page_say(p, "Their fair share gives both the same: it parts none of their jobs.");
	say_special(p, a, &d->a);
	say_special(p, b, &d->b);
}

void explain_credentials_versus_text(struct page *p, const struct explain_view *v, uint32_t row_a,
				     uint32_t row_b)
{
	const struct fs_window_row *a = fs_windows_row(v->from->windows, row_a);
	const struct fs_window_row *b = fs_windows_row(v->from->windows, row_b);
	struct fs_explain_credentials d;

	fs_explain_credentials_versus(v->x, row_a, row_b, &d);
	page_heading(p, "The %s %s against the %s %s", kind_noun(a->kind), a->name,
		     kind_noun(b->kind), b->name);
	page_gap(p);
	if (row_a == row_b) {
		page_say(p, "They are the same.");
		explain_source_text(p, v);
		return;
	}
	say_difference(p, v, a, b, &d);
	page_say(
		p,
		"Maui has no order of credentials: it ranks jobs by a sum over user, group, account, QOS and class, with "
		"targets and priorities of each, and over all other components. This is one term of it.");
	page_end(p);
	page_gap(p);
	print_both(p, v, a, b, &d);
	say_windows(p, v);
	explain_source_text(p, v);
}
