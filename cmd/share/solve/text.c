/* The answer of --solve as a page. */
#include "share/solve/solve.h"

#include "dialect/dialect.h"
#include "page/page.h"
#include "page/what_if.h"
#include "render/text.h"
#include "words/words.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { NAME = 320 };

static void name_of(char out[NAME], const struct fs_share_row *row, bool windows)
{
	if (windows)
		snprintf(out, NAME, "%.20s %.280s", row->parent, *row->user ? row->user : row->account);
	else if (*row->user)
		snprintf(out, NAME, "%.100s in %.100s%s%.100s", row->user, row->account, *row->partition ? ", partition " : "", row->partition);
	else
		snprintf(out, NAME, "%.300s", row->account);
}

static void goal_words(char out[WORDS], const struct solve_answer *a)
{
	static const char *const names[] = { "FairShare", "rank", "LevelFS" };
	char v[WORDS];

	snprintf(out, WORDS, "%s %s", a->q->windows ? "factor" : names[a->q->goal], number_words(v, a->q->value));
}

/* The same where a sentence begins. */
static void begin_goal(char out[WORDS], const struct solve_answer *a)
{
	goal_words(out, a);
	*out = (char)toupper((unsigned char)*out);
}

static bool of_shares(const struct solve_answer *a)
{
	return a->q->kind == SOLVE_SHARES || a->q->kind == SOLVE_HARDWARE || a->q->kind == SOLVE_TARGET;
}

/* ---- the states side by side */

static void state_row(struct page *p, const struct solve_answer *a, enum fs_solve i, const char *name)
{
	const struct fs_standing *s = &a->found.at[i];
	char v[WORDS];

	page_cell(p, "%s", name);
	page_cell(p, "%s", decimals_words(v, a->found.amount[i], 0));
	if (a->from.account)
		page_cell(p, "%s", decimals_words(v, a->found.from[i], 0));
	page_cell(p, "%.6f", s->norm_shares);
	page_cell(p, "%.6f", s->effective_usage);
	if (a->q->goal == FS_GOAL_LEVEL)
		page_cell(p, "%s", level_words(v, s->level_fs));
	if (isnan(s->fairshare))
		page_cell(p, "none");
	else
		page_cell(p, "%.6f", s->fairshare);
	if (s->rank)
		page_cell(p, "%" PRIu32 "/%" PRIu32, s->rank, a->users);
	page_row(p, TONE_PLAIN);
}

/* Of a credential: its target and use in percent. */
static void window_row(struct page *p, const struct solve_answer *a, enum fs_solve i, const char *name)
{
	const struct fs_standing *s = &a->found.at[i];
	char v[WORDS];

	page_cell(p, "%s", name);
	if (of_shares(a))
		page_cell(p, a->found.amount[i] > 0 ? "%.2f" : "none", a->found.amount[i]);
	else
		page_cell(p, "%s", decimals_words(v, a->found.amount[i], 0));
	page_cell(p, "%s", decimals_words(v, s->raw_usage, 0));
	page_cell(p, "%.2f", s->effective_usage * 100);
	page_cell(p, isnan(s->fairshare) ? "none" : "%.4f", s->fairshare);
	page_row(p, TONE_PLAIN);
}

static const char *then_words(const struct solve_answer *a)
{
	if (!a->found.possible)
		return of_shares(a) ? "at most" : "without usage";
	return a->q->kind == SOLVE_JOB ? "after it" : "so";
}

typedef void (*moment_row)(struct page *p, const struct solve_answer *a, enum fs_solve at, const char *words);

/* The rows of the moments that there are; short_words: how much the last of them is short of what was found. */
static void moment_rows(struct page *p, const struct solve_answer *a, moment_row row, const char *short_words)
{
	row(p, a, FS_SOLVE_NOW, "now");
	row(p, a, FS_SOLVE_THEN, then_words(a));
	if (a->found.bounded)
		row(p, a, FS_SOLVE_SHORT, short_words);
	page_table_end(p);
	page_gap(p);
}

static void windows_table(struct page *p, const struct solve_answer *a)
{
	const struct page_column c[] = { { "", ALIGN_LEFT },
					 { of_shares(a) ? "FSTARGET" : "this window s", ALIGN_RIGHT },
					 { "weighted usage s", ALIGN_RIGHT },
					 { "usage %", ALIGN_RIGHT },
					 { "factor", ALIGN_RIGHT } };

	page_table(p, c, sizeof(c) / sizeof(*c));
	moment_rows(p, a, window_row, of_shares(a) ? "0.01 less" : "a second more");
}

static void states_table(struct page *p, const struct solve_answer *a)
{
	struct page_column c[PAGE_COLUMNS] = { { "", ALIGN_LEFT } };
	char from[NAME];
	size_t n = 1;

	c[n++] = (struct page_column){ of_shares(a) ? "shares" : "TRES s", ALIGN_RIGHT };
	if (a->from.account) {
		snprintf(from, sizeof(from), "of %.60s", *a->from.user ? a->from.user : a->from.account);
		c[n++] = (struct page_column){ from, ALIGN_RIGHT };
	}
	c[n++] = (struct page_column){ "NormShares", ALIGN_RIGHT };
	c[n++] = (struct page_column){ "EffectvUsage", ALIGN_RIGHT };
	if (a->q->goal == FS_GOAL_LEVEL)
		c[n++] = (struct page_column){ "LevelFS", ALIGN_RIGHT };
	c[n++] = (struct page_column){ "FairShare", ALIGN_RIGHT };
	if (a->row.rank)
		c[n++] = (struct page_column){ "rank", ALIGN_RIGHT };
	page_table(p, c, n);
	moment_rows(p, a, state_row, of_shares(a) ? "a share less" : "a second more");
}

static void say_commands(struct page *p, const struct solve_answer *a)
{
	for (int i = 0; i < 2; i++)
		if (*a->found.command[i]) {
			page_say(p, "%s", a->found.command[i]);
			page_end(p);
		}
}

/* ---- the answers */

/* Why the goal is out of reach. A rank is decided level by level: below the one at which others stand before, nothing
 * helps. */
static void say_limit(struct page *p, const struct solve_answer *a, const char *goal, const char *of)
{
	const struct fs_standing *max = &a->found.at[FS_SOLVE_THEN];

	page_say(p, of_shares(a) ? "No number of shares of %s gives %s:" : "No usage of %s gives %s:", of, goal);
	if (a->q->goal == FS_GOAL_LEVEL)
		page_say(p, "LevelFS gets no further than below.");
	else if (max->rank)
		page_say(p, "the best rank is %" PRIu32 " of %" PRIu32 "%s", max->rank, a->users,
			 a->of.depth > 1 ? "; who still stands before does so elsewhere in the tree: of=ACCOUNT asks for an account above."
					 : ".");
	else
		page_say(p, "the factor gets no further than %.6f; the rest comes from what others in the accounts above used.", max->fairshare);
}

/* Of targets and windows. */
static void say_window_amount(struct page *p, const struct solve_answer *a, const char *goal, const char *of)
{
	const struct fs_solution *f = &a->found;
	const double then = f->amount[FS_SOLVE_THEN];
	char v[WORDS], begin[WORDS];

	begin_goal(begin, a);
	if (!f->possible)
		page_say(p, of_shares(a) ? "No target, were it all, gives %s %s." : "No usage of this window gives %s %s: the rest is of windows before.",
			 of, goal);
	else if (of_shares(a))
		page_say(p, "%s takes a target of %.2f of %s.", begin, then, of);
	else if (!f->bounded)
		page_say(p, "Any usage of %s leaves %s.", of, goal);
	else
		page_say(p, "%s takes a usage of %s in this window of at most %s processor seconds.", begin, of, decimals_words(v, then, 0));
	page_say(p, of_shares(a) ? "Usage stays as it is." : "The usage of all others is taken as it is.");
	page_end(p);
	page_gap(p);
}

static void say_amount(struct page *p, const struct solve_answer *a)
{
	const double then = a->found.amount[FS_SOLVE_THEN], now = a->found.amount[FS_SOLVE_NOW];
	char goal[WORDS], begin[WORDS], of[NAME], v[WORDS], w[WORDS];

	goal_words(goal, a);
	begin_goal(begin, a);
	name_of(of, &a->of, a->q->windows);
	if (a->q->windows) {
		say_window_amount(p, a, goal, of);
		return;
	}
	if (!a->found.possible)
		say_limit(p, a, goal, of);
	else if (of_shares(a))
		page_say(p, "%s takes %s of %s; it has %s.", begin, count_words(v, (uint64_t)then, "share", "shares"), of,
			 decimals_words(w, now, 0));
	else if (!a->found.bounded)
		page_say(p, "Any usage of %s leaves %s.", of, goal);
	else
		page_say(p, "%s takes a usage of %s of at most %s TRES seconds; it is %s.", begin, of, decimals_words(v, then, 0),
			 decimals_words(w, now, 0));
	if (!of_shares(a))
		page_say(p, "The usage of all others is taken as it is.");
	else if (!a->from.account)
		page_say(p, "The shares of all others stay.");
	page_end(p);
	page_gap(p);
}

static void say_cost(struct page *p, const struct solve_answer *a)
{
	const double more = fmax(0, a->found.amount[FS_SOLVE_THEN] - a->found.amount[FS_SOLVE_NOW]);
	char rate[WORDS], all[WORDS], each[WORDS], jobs[WORDS], of[NAME];

	name_of(of, &a->of, a->q->windows);
	number_words(rate, a->rate);
	if (a->q->windows) {
		page_say(p, "%s processors for so long are %s processor seconds, charged to %s in this window all at once:", rate,
			 number_words(all, a->tres_s), of);
	} else if (a->q->kind == SOLVE_HARDWARE) {
		page_say(p, "In %s all hardware bills %s a second and the new %s: that is worth %s more to %s.", a->q->partition,
			 number_words(each, a->have), rate, count_words(all, (uint64_t)more, "share", "shares"), of);
	} else {
		page_say(p, "In %s a second costs %s, a job %s TRES seconds", a->q->partition, rate, number_words(each, a->rate * a->q->seconds));
		if (a->q->jobs > 1)
			page_join(p, ", %s of them %s", decimals_words(jobs, a->q->jobs, 0), number_words(all, a->tres_s));
		page_join(p, ".");
		page_say(p, "Charged to %s all at once, without what decays while it runs:", of);
	}
	page_end(p);
	page_gap(p);
}

static void when_row(struct page *p, const struct solve_answer *a, int k)
{
	const struct solve_when *w = &a->when[k];
	const struct fs_forecast_event *e = &w->event;
	char v[WORDS];

	if (a->q->windows && k == FS_ASSUME_SHARES)
		return;
	page_cell(p, "%s", fs_assumption_text((enum fs_assumption)k));
	if (w->already) {
		page_cell(p, "met now");
		page_row(p, TONE_PLAIN);
		return;
	}
	if (e->time != FS_UNKNOWN) {
		page_cell(p, "%s", date_words(v, a->r->snapshot, e->time));
		page_cell(p, "%s", duration_words(v, (double)(e->time - fs_snapshot_info(a->r->snapshot)->time)));
	} else {
		page_cell(p, e->never ? "never" : "not in sight");
		page_cell(p, "%s", "");
	}
	page_cell(p, "%.6f", e->after.fairshare);
	if (e->time != FS_UNKNOWN)
		page_cell(p, "%.6f", e->before.fairshare);
	page_row(p, TONE_PLAIN);
}

static void when_table(struct page *p, const struct solve_answer *a)
{
	static const struct page_column c[] = { { "if", ALIGN_LEFT }, { "when", ALIGN_LEFT }, { "after", ALIGN_RIGHT },
						{ "FairShare then", ALIGN_RIGHT }, { "a calculation before", ALIGN_RIGHT } };
	static const struct page_column of_windows[] = { { "if", ALIGN_LEFT }, { "when", ALIGN_LEFT }, { "after", ALIGN_RIGHT },
							 { "factor then", ALIGN_RIGHT }, { "an iteration before", ALIGN_RIGHT } };
	char goal[WORDS];

	goal_words(goal, a);
	page_say(p, "%s is now %.6f; until it is at %s, if nothing is submitted, changed or cancelled but what is supposed:",
		 a->q->windows ? "The factor" : a->row.rank ? "FairShare, a rank," : "FairShare", fs_share_factor(&a->row), goal);
	page_end(p);
	page_gap(p);
	page_table(p, a->q->windows ? of_windows : c, sizeof(c) / sizeof(*c));
	for (int k = 0; k < FS_ASSUMPTION_COUNT; k++)
		when_row(p, a, k);
	page_table_end(p);
}

int solve_text(const struct solve_answer *a)
{
	struct page p;
	char name[NAME];
	int status = EXIT_DONE;

	page_init(&p, PAGE_TEXT, 80, text_utf8());
	what_if_page(&p, a->r->snapshot);
	name_of(name, &a->row, a->q->windows);
	page_heading(&p, "%s", name);
	page_gap(&p);
	if (a->q->kind == SOLVE_TIME) {
		when_table(&p, a);
	} else {
		if (isnan(a->rate))
			say_amount(&p, a);
		else
			say_cost(&p, a);
		if (a->q->windows)
			windows_table(&p, a);
		else
			states_table(&p, a);
		if (a->found.possible)
			say_commands(&p, a);
	}
	if (p.failed)
		status = no_memory(a->r->inv);
	else
		page_print(&p, stdout, false);
	page_free(&p);
	return status;
}
