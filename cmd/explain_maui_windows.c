/* Maui: targets and windows of credentials, their pages, one against another. */
#include "explain_parts.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static const char *const mode_marks[] = { [FS_TARGET] = "", [FS_FLOOR] = "+", [FS_CEILING] = "-", [FS_CAP_REL] = "%",
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
	page_say(p, "FSTARGET %.15g%s%s is %s.", r->target, mode_marks[r->mode], r->inherited ? " (that of DEFAULT)" : "",
		 modes[r->mode]);
	if (!counts || r->target < 0)
		return;
	if (!(info->usage_s > 0))
		page_say(p, "Nothing was used at all in the windows: the factor is 0.");
	else if (info->ratio)
		page_say(p, "Factor %.6f from 1 - %.6f / %.15g (FSPOLICY with a %%)", r->factor, r->percent, r->target);
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

static void print_window(struct page *p, const struct explain_view *v, const struct fs_window_row *r, uint32_t i, int64_t units)
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

/* Usage times weight, window by window; the lines add up to the sum below them. */
static void print_windows(struct page *p, const struct explain_view *v, const struct fs_window_row *r)
{
	const struct fs_windows_info *info = fs_windows_info(v->from->windows);
	const struct sheet d = { .digits = 3 };
	const double most = 1e14;
	int64_t sum = 0;
	char a[WORDS];

	if (!(fabs(r->usage_s) < most) || (r->usage_s == 0 && r->empty))
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
	page_say(p, "Weighted in the same way, all used %.15g; %.6g of it is %.6f %%.", info->usage_s, r->usage_s, r->percent);
	page_end(p);
}

static void say_credential(struct page *p, const struct explain_view *v, const struct fs_window_row *r)
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
	page_say(p, "FSPOLICY %s, FSDEPTH %" PRIu32 " windows of FSINTERVAL %s, FSDECAY %.15g: usage in %s; each window "
		    "back counts %.15g times as much as the one after it.", info->policy, info->depth,
		 duration_words(a, (double)info->interval_s), info->decay,
		 strcmp(info->policy, "DEDICATEDPES") ? "processor seconds" : "PE seconds", info->decay);
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

void explain_maui_path(struct page *p, const struct explain_view *v, const struct fs_explain_job *job)
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
		page_say(p, "%s running, %" PRIu32 " waiting.", count_words(a, n.running, "job", "jobs"), n.pending);
	if (n.blocked)
		page_say(p, "A fair-share cap holds back %" PRIu32 " of them.", n.blocked);
	page_end(p);
	say_windows(p, v);
	say_credential(p, v, r);
	explain_source_text(p, v);
}
