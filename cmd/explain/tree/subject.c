/* Pages of users and accounts, with or without jobs. */
#include "explain/algorithm.h"
#include "explain/parts.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static void say_jobs(struct page *p, const struct explain_view *v, uint32_t row)
{
	struct fs_explain_count n;
	char a[WORDS];

	fs_explain_count(v->x, row, &n);
	if (!n.pending && !n.running) {
		page_say(p, "No jobs are running or pending.");
		return;
	}
	page_say(p, "%s running, %" PRIu32 " pending", count_words(a, n.running, "job", "jobs"), n.pending);
	if (v->from->queue)
		page_join(p, ", %" PRIu32 " of them eligible", n.eligible);
	if (n.held)
		page_join(p, ", %" PRIu32 " held", n.held);
	page_join(p, ".");
	if (n.first != FS_NO_ROW)
		page_say(p, "Of these job %s is tried first.", job_words(a, v->from->snapshot, n.first));
}

static void say_usage(struct page *p, const struct explain_view *v, const struct fs_share_row *r)
{
	const double half_life = fs_usage_half_life(v->from->snapshot);
	char a[WORDS];

	if (v->dialect->explain->usage) {
		v->dialect->explain->usage(p, v, r);
		return;
	}
	if (isnan(r->raw_usage)) {
		page_say(p, "Its usage was not captured.");
		return;
	}
	page_say(p, "Usage that still counts: %.0f TRES seconds (billing units times seconds, not minutes).",
		 r->raw_usage);
	if (r->late_usage >= 0.5)
		page_say(
			p,
			"%.0f of them are of jobs that ended since priorities were computed: ratios and ranks have them from "
			"the next time on.",
			r->late_usage);
	if (half_life > 0)
		page_say(
			p,
			"It halves every %s: after one such time a half counts, after two a quarter, after three an eighth. "
			"Cancelling jobs gives nothing back.",
			duration_words(a, half_life));
	else if (half_life == 0)
		page_say(p, "It does not decay here (PriorityDecayHalfLife 0).");
}

static void say_shares(struct page *p, const struct fs_share_row *r)
{
	char a[WORDS];

	if (r->shares_kind == FS_SHARES_PARENT)
		page_say(p, "Shares: parent.");
	else if (r->shares_kind == FS_SHARES_NUMBER)
		page_say(p, "Shares: %" PRIu32 ", which is %s.", r->raw_shares, percent_words(a, r->norm_shares));
}

/* ---- a user */

static int say_association(struct page *p, const struct explain_view *v, uint32_t row)
{
	const struct fs_share_row *r = share_row(v, row);
	struct fs_explain_path path;

	if (fs_explain_path(v->x, row, &path, NULL))
		return -1;
	page_gap(p);
	if (*r->partition)
		page_heading(p, "%s in account %s, partition %s", r->user, r->account, r->partition);
	else
		page_heading(p, "%s in %s %s", r->user, nouns(v)->account, r->account);
	page_gap(p);
	say_shares(p, r);
	say_jobs(p, v, row);
	say_usage(p, v, r);
	page_end(p);
	explain_path_text(p, v, &path);
	return 0;
}

int explain_user_text(struct page *p, const struct explain_view *v, const char *user, const char *account)
{
	const size_t n = fs_shares_count(v->from->shares);

	for (uint32_t i = 0; i < n; i++) {
		const struct fs_share_row *r = share_row(v, i);

		if (strcmp(r->user, user) != 0 || !r->visible || (account && strcmp(r->account, account) != 0))
			continue;
		if (say_association(p, v, i))
			return -1;
	}
	explain_source_text(p, v);
	return 0;
}

/* ---- an account */

/* Where a member's slice begins and ends; it ends at its factor. */
static void print_slice(struct page *p, const struct fs_share_row *r)
{
	char a[WORDS];

	page_cell(p, "%s", percent_words(a, r->norm_shares));
	page_cell(p, "%s", percent_words(a, r->effective_usage));
	page_cell(p, "%s", ratio_words(a, r->low));
	page_cell(p, "%s", ratio_words(a, r->high));
	page_row(p, TONE_PLAIN);
}

static void print_member(struct page *p, const struct explain_view *v, const struct fs_share_row *r)
{
	char a[WORDS];

	page_cell(p, "%s%s%s", *r->user ? "" : nouns(v)->account, *r->user ? "" : " ", cell_words(a, row_words(a, r)));
	if (!r->visible) {
		page_cell(p, "hidden");
		page_row(p, TONE_PLAIN);
		return;
	}
	if (fs_shares_has_ranges(v->from->shares)) {
		print_slice(p, r);
		return;
	}
	explain_share_cells(p, v, r);
	if (*r->user && !isnan(r->fairshare))
		page_cell(p, "%.6f", r->fairshare);
	page_row(p, TONE_PLAIN);
}

/* Prints the users and accounts directly below, in the order of the tree. */
static void print_members(struct page *p, const struct explain_view *v, uint32_t row)
{
	const struct page_column with[] = { { "member", ALIGN_LEFT },
					    { "shares", ALIGN_POINT },
					    { "usage", ALIGN_POINT },
					    { v->algorithm->level, ALIGN_POINT },
					    { "FairShare", ALIGN_POINT } };
	static const struct page_column without[] = { { "member", ALIGN_LEFT },
						      { "shares", ALIGN_POINT },
						      { "usage", ALIGN_POINT },
						      { "FairShare", ALIGN_POINT } };
	static const struct page_column slices[] = { { "member", ALIGN_LEFT },
						     { "shares", ALIGN_POINT },
						     { "usage", ALIGN_POINT },
						     { "from", ALIGN_POINT },
						     { "to", ALIGN_POINT } };
	const size_t n = fs_shares_count(v->from->shares);
	bool some = false;

	for (uint32_t i = row + 1; i < n && !some; i++)
		some = share_row(v, i)->parent_row == row;
	if (!some)
		return;
	page_gap(p);
	page_heading(p, "MEMBERS");
	if (fs_shares_has_ranges(v->from->shares))
		page_table(p, slices, sizeof(slices) / sizeof(*slices));
	else if (fs_shares_has_levels(v->from->shares))
		page_table(p, with, sizeof(with) / sizeof(*with));
	else
		page_table(p, without, sizeof(without) / sizeof(*without));
	for (uint32_t i = row + 1; i < n; i++) {
		const struct fs_share_row *r = share_row(v, i);

		if (r->depth <= share_row(v, row)->depth)
			break;
		if (r->parent_row == row)
			print_member(p, v, r);
	}
	page_table_end(p);
}

int explain_account_text(struct page *p, const struct explain_view *v, uint32_t row)
{
	const struct fs_share_row *r = share_row(v, row);
	struct fs_explain_path path;

	if (fs_explain_path(v->x, row, &path, NULL))
		return -1;
	page_heading(p, "%s %s%s%s", nouns(v)->Account, r->account, *r->parent ? " · parent " : "", r->parent);
	page_gap(p);
	say_shares(p, r);
	say_jobs(p, v, row);
	say_usage(p, v, r);
	page_end(p);
	if (path.levels)
		explain_path_text(p, v, &path);
	print_members(p, v, row);
	explain_source_text(p, v);
	return 0;
}
