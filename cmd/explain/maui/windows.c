/* Maui: targets and windows of credentials, their pages, one against another. */
#include "explain/parts.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

const char *kind_noun(enum fs_cred_kind kind)
{
	static const char *const words[FS_CRED_KINDS] = { "user", "group", "account", "QOS",
							  "class" };

	return words[kind];
}

const char *explain_mode_mark(enum fs_target_mode mode)
{
	static const char *const marks[] = { [FS_TARGET_EXACT] = "",
					     [FS_TARGET_FLOOR] = "+",
					     [FS_TARGET_CEILING] = "-",
					     [FS_TARGET_CAP_REL] = "%",
					     [FS_TARGET_CAP_ABS] = "^" };

	return marks[mode];
}

/* ---- targets and windows */

static bool no_policy(const struct fs_windows_info *info)
{
	return !strcmp(info->policy, "[NONE]");
}

void explain_policy_text(struct page *p, const struct fs_windows_info *info)
{
	if (no_policy(info))
		page_say(p, "FSPOLICY is NONE: Maui reads no windows, usage and targets have no effect.");
}

void explain_target_text(struct page *p, const struct explain_view *v, const struct fs_window_row *r)
{
	static const char *const modes[] = {
		[FS_TARGET_EXACT] = "a target: below it the factor is above 0, over it below 0",
		[FS_TARGET_FLOOR] = "a floor: it helps below, and never harms",
		[FS_TARGET_CEILING] = "a ceiling: it harms above, and never helps",
		[FS_TARGET_CAP_REL] = "a cap in percent: no part of the priority, but it can hold jobs back",
		[FS_TARGET_CAP_ABS] = "a cap in processor seconds: no part of the priority, but it can hold jobs back",
	};
	const struct fs_windows_info *info = fs_windows_info(v->from->windows);
	const bool counts = r->mode == FS_TARGET_EXACT || r->mode == FS_TARGET_FLOOR || r->mode == FS_TARGET_CEILING;
	char a[WORDS];

	explain_policy_text(p, info);
	if (isnan(info->usage_s))
		page_say(p, "Usage: %s of all, as diagnose -f printed it.", percent_words(a, r->percent / 100));
	if (r->target == 0) {
		page_say(p, "It has no target: the factor is 0.");
		return;
	}
	page_say(p, "FSTARGET %s%s%s is %s.", number_words(a, r->target), explain_mode_mark(r->mode),
		 r->inherited ? " (that of DEFAULT)" : "", modes[r->mode]);
	if (!counts || r->target < 0)
		return;
	if (isnan(info->usage_s) || isnan(r->factor))
		page_say(p, "The factor is unknown.");
	else if (!(info->usage_s > 0))
		page_say(p, "Nothing was used at all in the windows: the factor is 0.");
	else if (info->ratio)
		page_say(p, "Factor %.6f from 1 - %.6f / %s (FSPOLICY with a %%)", r->factor,
			 r->percent, number_words(a, r->target));
	else
		page_say(p, "Factor %.6f from %s - %.6f", r->factor, number_words(a, r->target), r->percent);
	if (info->usage_s > 0)
		page_join(p, r->mode == FS_TARGET_FLOOR     ? ", at least 0."
			     : r->mode == FS_TARGET_CEILING ? ", at most 0."
						     : ".");
}

/* Amounts with three decimals: usage is counted in thousandths of a second. */
static const struct sheet thousandths = { .digits = 3 };

static const struct page_column window_columns[] = { { "window", ALIGN_LEFT },
						     { "usage", ALIGN_POINT },
						     { "weight", ALIGN_POINT },
						     { "counts", ALIGN_POINT },
						     { "of all", ALIGN_POINT } };

struct window_line {
	int64_t own, all; /* weighted usage in thousandths of a second */
};

static struct window_line window_line(const struct explain_view *v, const struct fs_window_row *r, uint32_t i)
{
	const struct fs_windows_info *info = fs_windows_info(v->from->windows);

	return (struct window_line){
		decimal_units(&thousandths, fs_windows_weighted_usage_s(v->from->windows, r, i)),
		decimal_units(&thousandths, info->total_usage_s[i] * info->weight[i]),
	};
}

static void print_window(struct page *p, const struct explain_view *v,
			 const struct fs_window_row *r, uint32_t i)
{
	const struct fs_windows_info *info = fs_windows_info(v->from->windows);
	const struct window_line line = window_line(v, r, i);
	char a[WORDS];

	page_cell(p, "%s", date_words(a, v->from->snapshot, fs_windows_start(v->from->windows, i)));
	page_cell(p, "%s", number_words(a, r->window_usage_s[i]));
	page_cell(p, "%s", number_words(a, info->weight[i]));
	page_cell(p, "%s", decimal_words(a, line.own, thousandths.digits));
	page_cell(p, "%s", decimal_words(a, line.all, thousandths.digits));
	page_row(p, TONE_PLAIN);
}

static bool fits(const struct fs_windows_info *info, const struct fs_window_row *r)
{
	const double max = 1e14;
	bool all = true;

	for (uint32_t i = 0; i < info->depth; i++)
		all = all && fabs(r->window_usage_s[i] * info->weight[i]) < max &&
		      fabs(info->total_usage_s[i] * info->weight[i]) < max;
	return all;
}

static bool unused(const struct fs_window_row *r, const struct fs_windows_info *info)
{
	for (uint32_t i = 0; i < info->depth; i++)
		if (r->window_usage_s[i] != 0)
			return false;
	return true;
}

static void print_window_sum(struct page *p, const struct window_line *sum)
{
	char a[WORDS];

	page_rule(p, 3);
	page_cell(p, "usage");
	page_cell(p, "%s", "");
	page_cell(p, "%s", "");
	page_cell(p, "%s", decimal_words(a, sum->own, thousandths.digits));
	page_cell(p, "%s", decimal_words(a, sum->all, thousandths.digits));
	page_row(p, TONE_TOTAL);
	page_table_end(p);
}

/* Usage times weight, window by window, beside that of all; the lines add up to the sums below them. */
static void print_windows(struct page *p, const struct explain_view *v, const struct fs_window_row *r)
{
	const struct fs_windows_info *info = fs_windows_info(v->from->windows);
	struct window_line sum = { 0 };
	char a[WORDS], b[WORDS];

	if (isnan(info->usage_s)) {
		page_say(p, "The snapshot has no windows.");
		page_end(p);
		return;
	}
	if (unused(r, info)) {
		if (!no_policy(info))
			page_say(p, "It has used nothing in these windows.");
		page_end(p);
		return;
	}
	if (!fits(info, r))
		return;
	page_table(p, window_columns, sizeof(window_columns) / sizeof(*window_columns));
	for (uint32_t i = 0; i < info->depth; i++) {
		const struct window_line line = window_line(v, r, i);

		if (r->window_usage_s[i] == 0 && info->total_usage_s[i] == 0)
			continue;
		sum.own += line.own;
		sum.all += line.all;
		print_window(p, v, r, i);
	}
	print_window_sum(p, &sum);
	page_say(p, "%s of %s is %.6f %%.", decimal_words(a, sum.own, 3),
		 decimal_words(b, sum.all, 3), r->percent);
	page_end(p);
}

static void say_credential(struct page *p, const struct explain_view *v, const struct fs_window_row *r)
{
	page_gap(p);
	page_heading(p, "Fair share of %s %s", kind_noun(r->kind), r->name);
	explain_target_text(p, v, r);
	page_end(p);
	print_windows(p, v, r);
}

void explain_windows_text(struct page *p, const struct explain_view *v)
{
	const struct fs_windows_info *info = fs_windows_info(v->from->windows);
	char a[WORDS] = "unknown", b[WORDS], depth[16] = "unknown";
	const char *decay = number_words(b, info->decay);

	if (info->has_interval)
		duration_words(a, (double)info->interval_s);
	if (info->has_depth)
		snprintf(depth, sizeof(depth), "%" PRIu32, info->depth);
	page_gap(p);
	page_say(p, "FSPOLICY %s, FSDEPTH %s%s FSINTERVAL %s, FSDECAY %s", info->policy, depth,
		 info->has_depth ? " windows of" : ",", a, decay);
	if (!strcmp(info->policy, "unknown") || isnan(info->decay))
		page_join(p, ".");
	else
		page_join(p, ": usage in %s; each window back counts %s times as much as the one after it.",
			  strcmp(info->policy, "DEDICATEDPES") ? "processor seconds" : "PE seconds", decay);
	page_end(p);
}

/* Returns whether the credential has a part in the job's sum, or a cap on the job. */
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

		if (job->credential[k] == FS_NO_ROW)
			continue;
		r = fs_windows_row(v->from->windows, job->credential[k]);
		if (!counts(job, r))
			continue;
		if (!some)
			explain_windows_text(p, v);
		some = true;
		say_credential(p, v, r);
	}
}

/* ---- the page of a credential */

static void say_points(struct page *p, const struct explain_view *v, uint32_t window_row)
{
	struct fs_explain_credentials d;
	char name[WORDS], a[WORDS], b[WORDS];

	fs_explain_compare_credentials(v->x, window_row, window_row, &d);
	if (d.weighted && isnan(d.a.points))
		page_say(p, "The points that %s gives each of its jobs are unknown.", factor_words(name, d.a.name));
	else if (d.weighted)
		page_say(p, "In the sum of each of its jobs %s gives %s × %s = %.6f points.",
			 factor_words(name, d.a.name), explain_value_words(b, &d.a, 6),
			 number_words(a, d.a.weight), d.a.points);
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
	explain_windows_text(p, v);
	say_credential(p, v, r);
	say_points(p, v, window_row);
	explain_source_text(p, v);
}
