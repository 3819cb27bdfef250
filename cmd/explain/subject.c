/* Pages of users and accounts, the table of fair-share algorithms, and texts that only Slurm needs. */
#include "explain/explain.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* ---- the table of fair-share algorithms, the only place where pages distinguish algorithms by name */

static void add_no_algorithm(struct page *p, const struct explain_view *v, const struct fs_explain_path *path)
{
	(void)v;
	(void)path;
	page_end_with(p, "priority/basic: usage is recorded, but no fair-share factor is computed from it.");
}

static void add_no_path(struct page *p, const struct explain_view *v, const struct fs_explain_path *path)
{
	(void)p;
	(void)v;
	(void)path;
}

static const char fair_tree_rule[] = "Fair Tree: two users are compared at the highest level of the tree where their "
				     "accounts differ; lower levels do not count.";
static const char flux_rule[] =
	"Users are ranked through the tree of banks: two users are compared at the highest level "
	"where their banks differ; lower levels do not count.";

const struct explain_algorithm *explain_get_algorithm(const char *name)
{
	static const struct explain_algorithm all[] = {
		{ .name = "fair_tree", .level = "LevelFS", .rule = fair_tree_rule, .path = explain_add_fair_tree_path },
		{ .name = "classic",
		  .level = "FairShare",
		  .uses_earlier_usage = true,
		  .path = explain_add_classic_path },
		{ .name = "depth_oblivious",
		  .level = "FairShare",
		  .ratios = true,
		  .uses_earlier_usage = true,
		  .path = explain_add_classic_path },
		{ .name = "none", .level = "FairShare", .path = add_no_algorithm },
		{ .name = "flux",
		  .level = "weight",
		  .compared_with = "flux_exact",
		  .finite_when_unused = true,
		  .rule = flux_rule,
		  .path = explain_add_flux_path },
		{ .name = "flux_exact",
		  .level = "weight",
		  .compared_with = "flux",
		  .exact = true,
		  .finite_when_unused = true,
		  .rule = flux_rule,
		  .path = explain_add_flux_path },
		{ .name = "flux_range",
		  .level = "weight",
		  .compared_with = "flux",
		  .finite_when_unused = true,
		  .path = explain_add_flux_range_path },
	};
	static const struct explain_algorithm unknown = { .name = "", .level = "FairShare", .path = add_no_path };

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		if (!strcmp(all[i].name, name))
			return &all[i];
	return &unknown;
}

/* Explains a printed factor by the shares and usage that the scheduler printed for the same row. Adds the formula
 * 2^(-usage / shares) if the factor has this value, within the rounding of printed numbers to six decimals. */
static void add_printed_inputs(struct page *p, const struct explain_view *v, const struct fs_explain_path *path)
{
	const double rounding = 5e-7;
	const struct fs_share_row *r = fs_shares_row(v->eval->shares, path->row);
	const double ratio = r->effective_usage / r->norm_shares, computed = exp2(-ratio);
	const double tolerance =
		computed * log(2) * (rounding / r->norm_shares + ratio * rounding / r->norm_shares) + 2 * rounding;

	if (!(r->norm_shares > 0) || !(r->effective_usage >= 0))
		return;
	page_add_sentence(p, "The effective usage %.6f is %.4f times the normalised shares %.6f: %s.", r->effective_usage,
			  ratio, r->norm_shares,
			  ratio > 1 ? "more was used than the share, which lowers the factor"
				    : "less was used than the share, which raises the factor");
	if (fabs(computed - path->factor) <= tolerance)
		page_add_sentence(p, "The factor is 2^(-usage / shares) = 2^(-%.4f) = %.4f.", ratio, computed);
}

/* Adds the value of a fair-share factor whose inputs are hidden, and a sentence that says why they are hidden. */
static void add_hidden_factor(struct page *p, const struct explain_view *v, const struct fs_explain_path *path)
{
	if (!isnan(path->factor) && path->recorded_factor_used)
		page_add_sentence(p, "FAIRSHARE %.6f is the value that the scheduler printed.", path->factor);
	else if (!isnan(path->factor))
		page_add_sentence(p, "FAIRSHARE %.6f.", path->factor);
	else
		page_add_sentence(p, "The fair-share factor is not known.");
	if (!isnan(path->factor) && path->recorded_factor_used)
		add_printed_inputs(p, v, path);
	if (explain_is_paste(v) || !fs_snapshot_records(v->snapshot, "config")) {
		const char *config =
			fs_snapshot_records(v->snapshot, "config") ? NULL : v->vocabulary->config_command;

		page_end_with(p, "Its inputs are not in the %s: all %s with their shares and usage are needed (%s%s%s).",
			      explain_is_paste(v) ? "text" : "snapshot", v->vocabulary->share_holders,
			      v->vocabulary->shares_command, config ? ", and " : "", config ? config : "");
		return;
	}
	page_add_sentence(p, "Its inputs are not visible: %s%s.",
			  path->recorded_factor_used
				  ? "associations of others, or their usage, were hidden from the capture"
				  : "shares and usage of others may not be shown to you",
			  v->vocabulary->hidden_suffix);
	page_end_with(p, "Ask an operator, or a coordinator of the %s, to run fs-explain on their own capture.",
		      v->vocabulary->account);
}

static void add_recorded_factor(struct page *p, const struct explain_view *v, const struct fs_explain_path *path)
{
	/* maximum rounding error of a factor that the scheduler prints with six decimals */
	const double printed = 5e-7;

	if (isnan(path->recorded) || isnan(path->factor) || fabs(path->recorded - path->factor) <= printed)
		return;
	if (v->dialect->explain->stored_factor) {
		v->dialect->explain->stored_factor(p, path);
		page_end_paragraph(p);
		return;
	}
	page_add_sentence(
		p, "The scheduler printed the factor %.6f, not %.6f: it prints the result of its last calculation.",
		path->recorded, path->factor);
	if (path->recorded == 0 && path->factor > 0)
		page_add_sentence(p, "A new association has factor 0 until the next calculation.");
	page_end_paragraph(p);
}

void explain_add_fairshare_path(struct page *p, const struct explain_view *v, const struct fs_explain_path *path)
{
	page_add_gap(p);
	if (path->recorded_factor_used || path->hidden) {
		add_hidden_factor(p, v, path);
		return;
	}
	v->algorithm->path(p, v, path);
	if (!v->usage)
		add_recorded_factor(p, v, path);
}

/* ---- pages of users and accounts, with or without jobs */

static void add_job_counts(struct page *p, const struct explain_view *v, uint32_t row)
{
	struct fs_explain_count n;

	fs_explain_count(v->explain, row, &n);
	if (!n.pending && !n.running && fs_snapshot_hidden(v->snapshot, "job") &&
	    !fs_snapshot_records(v->snapshot, "job")) {
		page_add_sentence(p, "The snapshot has no jobs, so running and pending jobs are unknown.");
		return;
	}
	if (!n.pending && !n.running) {
		page_add_sentence(p, "No jobs are running or pending.");
		return;
	}
	page_add_sentence(p, "%s running, %" PRIu32 " pending", format_counted_term(BUF, n.running, "job", "jobs"),
			  n.pending);
	if (v->eval->queue)
		page_append_text(p, ", %" PRIu32 " of them eligible", n.eligible);
	if (n.held)
		page_append_text(p, ", %" PRIu32 " held", n.held);
	page_append_text(p, ".");
	if (n.first != FS_NO_ROW)
		page_add_sentence(p, "Job %s is tried first among them.",
				  format_display_job_id(BUF, v->snapshot, n.first));
}

/* Says what a half-life of 0 means for fair share. */
static void add_constant_usage_sentence(struct page *p, const fs_snapshot *s)
{
	const char *period = fs_snapshot_config_text(s, "PriorityUsageResetPeriod");

	page_add_sentence(p,
			  "It does not decay (PriorityDecayHalfLife 0): fair share compares all usage, however old,");
	if (period && strcmp(period, "NONE") != 0)
		page_append_text(p, " since the last reset (PriorityUsageResetPeriod %s).",
				 format_cell_name(BUF, period));
	else
		page_append_text(p, " not recent usage.");
}

static void add_usage_sentences(struct page *p, const struct explain_view *v, const struct fs_share_row *r)
{
	const double half_life = fs_usage_half_life(v->snapshot);

	if (v->dialect->explain->usage) {
		v->dialect->explain->usage(p, v, r);
		return;
	}
	if (isnan(r->raw_usage)) {
		page_add_sentence(p, "Its usage was not captured.");
		return;
	}
	page_add_sentence(p, "Usage that still counts: %.0f TRES seconds (billing units times seconds, not minutes).",
			  r->raw_usage);
	if (r->late_usage >= 0.5)
		page_add_sentence(
			p,
			"%.0f of them come from jobs that ended after priorities were last computed; ratios and ranks "
			"include them after the next calculation.",
			r->late_usage);
	if (half_life > 0)
		page_add_sentence(
			p,
			"It halves every %s: after one such period a half counts, after two a quarter, after three an "
			"eighth. Cancelling jobs does not reduce it.",
			format_time_span(BUF, half_life));
	else if (half_life == 0)
		add_constant_usage_sentence(p, v->snapshot);
}

static void add_shares_sentence(struct page *p, const struct fs_share_row *r)
{
	if (r->shares_kind == FS_SHARES_PARENT)
		page_add_sentence(p, "Shares: parent.");
	else if (r->shares_kind == FS_SHARES_NUMBER)
		page_add_sentence(p, "Shares: %" PRIu32 ", normalized %s.", r->raw_shares,
				  format_percent_value(BUF, r->norm_shares));
}

/* Adds the user's part of the usage of the account, from the numbers that the scheduler printed. */
static void add_part_of_account(struct page *p, const struct explain_view *v, const struct fs_share_row *r)
{
	const struct fs_share_row *above = r->parent_row == FS_NO_ROW ? NULL : get_share_row(v, r->parent_row);

	if (!*r->user || !above || !above->visible || !(above->raw_usage > 0) || !(r->raw_usage <= above->raw_usage))
		return;
	page_add_sentence(p, "This is %s of the usage of %s %s",
			  format_percent_value(BUF, r->raw_usage / above->raw_usage), v->vocabulary->account,
			  above->account);
	page_append_text(p, r->raw_usage > above->raw_usage / 2
				    ? ", more than the usage of all its other users together."
				    : ".");
}

/* ---- the page of a user */

static int add_association_section(struct page *p, const struct explain_view *v, uint32_t row)
{
	const struct fs_share_row *r = get_share_row(v, row);
	struct fs_explain_path path;

	if (fs_explain_path(v->explain, row, &path, NULL))
		return -1;
	page_add_gap(p);
	if (*r->partition)
		page_add_heading(p, "%s in account %s, partition %s", r->user, r->account, r->partition);
	else
		page_add_heading(p, "%s in %s %s", r->user, v->vocabulary->account, r->account);
	page_add_gap(p);
	add_shares_sentence(p, r);
	add_job_counts(p, v, row);
	add_usage_sentences(p, v, r);
	if (path.recorded_factor_used || path.hidden)
		add_part_of_account(p, v, r);
	page_end_paragraph(p);
	explain_add_fairshare_path(p, v, &path);
	return 0;
}

int explain_add_user(struct page *p, const struct explain_view *v, const char *user, const char *account)
{
	const size_t n = fs_shares_count(v->eval->shares);

	for (uint32_t i = 0; i < n; i++) {
		const struct fs_share_row *r = get_share_row(v, i);

		if (strcmp(r->user, user) != 0 || !r->visible || (account && strcmp(r->account, account) != 0))
			continue;
		if (add_association_section(p, v, i))
			return -1;
	}
	explain_add_source(p, v);
	return 0;
}

/* ---- the page of an account */

static void print_member_row(struct page *p, const struct explain_view *v, const struct fs_share_row *r)
{
	page_add_cell(p, "%s%s%s", *r->user ? "" : v->vocabulary->account, *r->user ? "" : " ",
		      format_cell_name(BUF, format_share_name(BUF, r)));
	if (!r->visible) {
		page_add_cell(p, "hidden");
		page_end_row(p, TONE_PLAIN);
		return;
	}
	if (fs_shares_has_ranges(v->eval->shares)) {
		/* the upper bound of the range is the fair-share factor */
		PAGE_ADD_ROW(p, TONE_PLAIN, format_percent_value(BUF, r->norm_shares),
			     format_percent_value(BUF, r->effective_usage), format_share_ratio(BUF, r->range.low),
			     format_share_ratio(BUF, r->range.high));
		return;
	}
	explain_add_share_cells(p, v, r);
	if (*r->user && !isnan(r->fairshare))
		page_add_cell(p, "%.6f", r->fairshare);
	page_end_row(p, TONE_PLAIN);
}

/* Prints a table of the users and accounts directly below the account, in the order of the share tree. */
static void print_members_table(struct page *p, const struct explain_view *v, uint32_t row)
{
	const size_t n = fs_shares_count(v->eval->shares);
	bool some = false;

	for (uint32_t i = row + 1; i < n && !some; i++)
		some = get_share_row(v, i)->parent_row == row;
	if (!some)
		return;
	page_add_gap(p);
	page_add_heading(p, "MEMBERS");
	if (fs_shares_has_ranges(v->eval->shares))
		PAGE_BEGIN_TABLE(p, AT_LEFT("member"), AT_POINT("shares"), AT_POINT("usage"), AT_POINT("from"),
				 AT_POINT("to"));
	else if (fs_shares_has_levels(v->eval->shares))
		PAGE_BEGIN_TABLE(p, AT_LEFT("member"), AT_POINT("shares"), AT_POINT("usage"),
				 AT_POINT(v->algorithm->level), AT_POINT("FairShare"));
	else
		PAGE_BEGIN_TABLE(p, AT_LEFT("member"), AT_POINT("shares"), AT_POINT("usage"), AT_POINT("FairShare"));
	for (uint32_t i = row + 1; i < n; i++) {
		const struct fs_share_row *r = get_share_row(v, i);

		if (r->depth <= get_share_row(v, row)->depth)
			break;
		if (r->parent_row == row)
			print_member_row(p, v, r);
	}
	page_end_table(p);
}

int explain_add_account(struct page *p, const struct explain_view *v, uint32_t row)
{
	const struct fs_share_row *r = get_share_row(v, row);
	struct fs_explain_path path;

	if (fs_explain_path(v->explain, row, &path, NULL))
		return -1;
	page_add_heading(p, "%s %s%s%s", v->vocabulary->Account, r->account, *r->parent ? " · parent " : "", r->parent);
	page_add_gap(p);
	add_shares_sentence(p, r);
	add_job_counts(p, v, row);
	add_usage_sentences(p, v, r);
	page_end_paragraph(p);
	if (path.levels)
		explain_add_fairshare_path(p, v, &path);
	print_members_table(p, v, row);
	explain_add_source(p, v);
	return 0;
}

/* ---- functions and settings for pages about Slurm and about an unknown scheduler */

/* If the scheduler stored 0 fair-share points, but fs-tools computes at least 1, adds a sentence. It says that the
 * fair-share factor of a new association is 0 until Slurm computes the factors again (PriorityCalcPeriod). */
static void add_slurm_stored_sum(struct page *p, const struct fs_explain_sum *s)
{
	for (size_t t = 0; s->recorded_points && t < s->nterms; t++)
		if (s->terms[t].factor == FS_FACTOR_FAIRSHARE && s->recorded_points[t] == 0 && s->terms[t].points >= 1)
			page_add_sentence(
				p, "A new association has fair-share factor 0 until the scheduler's next calculation "
				   "(PriorityCalcPeriod).");
}

const struct explain_dialect explain_slurm = {
	.held_has_no_position = true,
	.limits = explain_add_limits,
	.stored_sum = add_slurm_stored_sum,
};
const struct explain_dialect explain_other = { .title_partition = true, .sum_in_steps = true };
