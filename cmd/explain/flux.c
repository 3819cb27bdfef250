/* Pages for Flux: what a job waits for, the usage of banks and users, and how their ranks and their ranges of
 * fair-share values are computed. */
#include "explain/explain.h"
#include "render/text.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* ---- what a job waits for */

/* Returns the states of the jobs that count against the limit, in words: "running". */
static const char *get_counted_jobs_text(const struct fs_hold_row *h)
{
	if (h->with_sched)
		return "running and scheduled (SCHED)";
	return strstr(h->limit, "sched") ? "scheduled (SCHED)" : "running";
}

/* Adds a sentence about a limit that also holds the job back. The verdict, the main reason why the job waits, does not
 * name this limit. */
static void add_second_limit(struct page *p, const struct fs_hold_row *h)
{
	page_add_sentence(p, "It is also held back by %s of %s %s", h->limit, h->of_queue ? "queue" : "bank", h->scope);
	if (isnan(h->used) || isnan(h->value))
		page_append_text(p, ".");
	else
		page_append_text(p, " (%.0f of %.0f used).", h->used, h->value);
}

/* Adds sentences about a limit: its name if the verdict does not name it, the jobs that count against it, and what must
 * happen before it admits the job. If the job alone exceeds the limit, adds at most the name. */
static void add_flux_limit_notes(struct page *p, const struct fs_hold_row *h, const struct fs_job *j,
				 const struct fs_explain_limit *verdict_limit)
{
	if (!verdict_limit || strcmp(verdict_limit->name, h->limit) != 0 ||
	    strcmp(verdict_limit->set_by, h->scope) != 0)
		add_second_limit(p, h);
	if (h->wants > h->value)
		return;
	page_add_sentence(p, "%s counts the %s jobs of %s there.", h->limit, get_counted_jobs_text(h), j->user);
	if (h->used + h->wants <= h->value)
		page_add_sentence(
			p, "The captured jobs do not use up the limit: the plugin removes the dependency at its next "
			   "check.");
	else if (!isnan(h->used) && !isnan(h->value))
		page_add_sentence(p, "What clears it: some of the counted jobs %s.",
				  strstr(h->limit, "sched") ? "start" : "end");
}

/* Returns true if the job's priority sum would be above 0 without the negative priority of its queue. */
static bool is_held_by_queue(const struct fs_explain_job *job)
{
	const struct fs_explain_sum *s = job->sums;

	for (size_t t = 0; job->nsums && t < s->nterms; t++)
		if (s->terms[t].factor == FS_FACTOR_QUEUE)
			return s->terms[t].points < 0 && s->sum - s->terms[t].points >= 0.5;
	return false;
}

static void add_hold_notes(struct page *p, const struct fs_hold_row *h, const struct fs_explain_job *job,
			   const struct fs_job *j, const struct fs_explain_limit *verdict_limit)
{
	if (h->limit)
		add_flux_limit_notes(p, h, j, verdict_limit);
	else if (!strcmp(h->reason, "priority-wait"))
		page_add_sentence(p, "The plugin has no data for this user and bank yet, or has not processed the job "
				     "(priority-wait). What clears it: account-priority-update.");
	else if (!strcmp(h->reason, "held"))
		page_add_sentence(p,
				  "What clears it: its owner or whoever set the urgency raises it (flux job urgency).");
	else if (!strcmp(h->reason, "priority-hold"))
		page_add_sentence(
			p,
			"Flux treats priority 0 like urgency 0 (priority-hold). What clears it: %sa higher fair-share "
			"factor, or more urgency.",
			is_held_by_queue(job)
				? "a new job of its owner in a queue of higher priority (the queue of the owner's last "
				  "job counts), "
				: "");
}

static void add_flux_state(struct page *p, const struct explain_view *v, const struct fs_explain_job *job)
{
	struct fs_job j;

	fs_snapshot_job(v->snapshot, job->job_row, &j);
	if (job->state == FS_EXPLAIN_QUEUED &&
	    (job->verdict.kind == FS_VERDICT_BEHIND || job->verdict.kind == FS_VERDICT_NONE))
		page_add_sentence(p, "It waits for its turn.");
	else
		explain_add_verdict(p, v, job);
	for (size_t i = 0; i < job->nholds; i++)
		add_hold_notes(p, fs_holds_row(v->eval->holds, job->job_row, i), job, &j, job->verdict.limit);
	if (job->state == FS_EXPLAIN_QUEUED && job->nsums && job->sums->direct)
		page_add_sentence(p, "It is expedited (urgency 31): it is ahead of all jobs that are not.");
	else if (job->state != FS_EXPLAIN_QUEUED)
		page_add_sentence(p, "So it is not eligible.");
}

/* ---- the usage that Flux counts for banks and users */

static void add_flux_usage(struct page *p, const struct explain_view *v, const struct fs_share_row *r)
{
	const fs_snapshot *s = v->snapshot;
	const double half_life = fs_usage_half_life(s);
	const double decay = fs_snapshot_config_number(s, "decay_factor");
	const double reset = fs_snapshot_config_number(s, "priority_usage_reset_period");
	const double node = fs_snapshot_config_number(s, "node_weight"),
		     core = fs_snapshot_config_number(s, "core_weight");
	const double gpu = fs_snapshot_config_number(s, "gpu_weight");

	if (isnan(r->raw_usage)) {
		page_add_sentence(p, "Its usage was not captured.");
		return;
	}
	page_add_sentence(p, "Usage that still counts: %.2f", r->raw_usage);
	if (!isnan(node) && !isnan(core) && !isnan(gpu))
		page_add_sentence(p, "(nodes × %s + cores × %s + GPUs × %s, times seconds, of jobs that have ended).",
				  format_config_number(BUF, node), format_config_number(BUF, core),
				  format_config_number(BUF, gpu));
	else
		page_append_text(p, ".");
	if (half_life > 0 && !isnan(decay) && !isnan(reset))
		page_add_sentence(
			p,
			"At the end of each period of %s, past usage is multiplied by %s in one step; after %s it no "
			"longer counts.",
			format_time_span(BUF, half_life), format_config_number(BUF, decay),
			format_time_span(BUF, reset));
	if (!isnan(r->stored.usage) && fabs(r->stored.usage - r->raw_usage) > 0.005)
		page_add_sentence(
			p,
			"flux-accounting lists %.2f, which includes the usage of inactive users; the ranking ignores "
			"their usage.",
			r->stored.usage);
}

/* ---- ranks of banks and users */

/* Adds a sentence in three cases: the user or bank at the end of the path is excluded from the ranking; it is a bank,
 * and only users are ranked; its factor is unknown. */
static void add_path_row_notes(struct page *p, const struct explain_view *v, const struct fs_explain_path *path)
{
	const struct fs_share_row *r = get_share_row(v, path->row);
	char name[WORDS];

	if (!r->counted)
		page_add_sentence(
			p, "%s, or a bank above it, is inactive: the ranking ignores the shares and usage of %s.",
			format_share_name(name, r), name);
	else if (!path->user && !path->has_ranges)
		page_add_sentence(p, "A bank has no factor of its own: only users are ranked.");
	else if (isnan(path->factor))
		page_add_sentence(
			p, "The fair-share factor is unknown: not all shares and usage that it needs were captured.");
}

/* Compares the rank of the user or bank with its rank under a second algorithm (v->second_shares). If the ranks differ,
 * adds a sentence with the second rank. */
static void add_other_algorithm_rank(struct page *p, const struct explain_view *v, const struct fs_explain_path *path)
{
	const struct fs_share_row *o = v->second_shares ? fs_shares_row(v->second_shares, path->row) : NULL;

	if (!o || !o->rank || !path->rank || o->rank == path->rank)
		return;
	page_add_sentence(p,
			  v->algorithm->exact ? "flux-accounting itself computes rank %" PRIu32
						" (%.6f), because it rounds sums and weights."
					      : "With exact sums and ties (flux_exact) the rank is %" PRIu32
						" (%.6f): flux-accounting rounds sums and weights.",
			  o->rank, o->fairshare);
}

static void add_special_levels(struct page *p, const struct explain_view *v, const struct fs_explain_path *path)
{
	char name[WORDS];

	for (size_t k = 0; k < path->levels; k++) {
		const struct fs_explain_level *l = &path->level[k];
		const struct fs_share_row *r = get_share_row(v, l->row);

		format_share_name(name, r);
		if (r->shares_kind == FS_SHARES_NUMBER && r->raw_shares == 0)
			page_add_sentence(
				p,
				"%s has no shares: its weight is 0, and it ranks last among its siblings, whatever "
				"its usage.",
				name);
		else if (r->raw_usage == 0)
			page_add_sentence(p, "%s has no usage that still counts: no sibling has a higher weight.",
					  name);
		if (l->tied && !*r->user)
			page_add_sentence(
				p,
				"The members of %s and of the %s of equal weight are ranked as if they were in one "
				"bank.",
				name, l->tied == 1 ? "bank" : "banks");
		if (l->other_kind_ties)
			page_add_sentence(p, "%s has the same weight as %s: users are then ahead of banks.", name,
					  *r->user ? "a bank" : "a user");
	}
}

void explain_add_flux_path(struct page *p, const struct explain_view *v, const struct fs_explain_path *path)
{
	if (path->rank)
		explain_add_rank_factor(p, path, "Flux's");
	add_path_row_notes(p, v, path);
	page_add_sentence(p, "%s", v->algorithm->rule);
	page_add_sentence(
		p,
		"The weight is shares divided by usage, both as fractions of the level's total: above 1, usage is less "
		"than the share. Only the order of the weights counts; if weights are equal, users are ahead of banks.");
	page_end_paragraph(p);
	explain_add_levels_table(p, v, path, "weight");
	explain_add_rank(p, v, path);
	add_special_levels(p, v, path);
	add_other_algorithm_rank(p, v, path);
	page_end_paragraph(p);
}

/* ---- texts that only Flux needs (explain_flux) */

static void add_flux_waiting_effect(struct page *p, const struct explain_view *v, const struct fs_explain_job *job)
{
	(void)v;
	page_add_sentence(p, "Waiting alone will not move it past %s: Flux has no factor for age.",
			  job->ahead.all.entries == 1 ? "that job" : "them");
}

static void add_flux_stored_sum(struct page *p, const struct fs_explain_sum *s)
{
	(void)s;
	page_add_sentence(
		p, "For each user and bank, the plugin uses the priority of the queue to which the user last submitted "
		   "a job, and the last fair-share factor that it received.");
}

static void add_flux_stored_factor(struct page *p, const struct fs_explain_path *path)
{
	page_add_sentence(p,
			  "The captured tables of flux-accounting contain %.6f, not %.6f: they store the result of the "
			  "last account-update-fshare, which uses its own algorithm.",
			  path->recorded, path->factor);
}

/* If the urgency alone sets the priority, adds a sentence about it and returns true. Otherwise returns false. */
static bool add_urgency_priority(struct page *p, const struct fs_explain_sum *s)
{
	if (isnan(s->urgency))
		return false;
	page_add_sentence(p,
			  s->total > 0 ? "%.0f: its urgency is %.0f (expedited), the maximum."
				       : "%.0f: its urgency is %.0f, which holds it.",
			  s->total, s->urgency);
	page_end_with(p, "Fair share, queue and bank do not count at this urgency.");
	return true;
}

const struct explain_dialect explain_flux = {
	.no_association_note = "recorded with the job; banks were not captured",
	.title_partition = true,
	.sum_in_steps = true,
	.state = add_flux_state,
	.waiting = add_flux_waiting_effect,
	.direct = add_urgency_priority,
	.stored_sum = add_flux_stored_sum,
	.stored_factor = add_flux_stored_factor,
	.usage = add_flux_usage,
};

/* ---- the algorithm flux_range: the range of fair-share values, between 0 and 1, of each bank and user */

/* SLICE_BAR_WIDTH: width, in columns, of the bar that shows a range. SLICE_DECIMALS: number of decimals in a printed
 * computation. It is three more than a fair-share value has, so that a reader can recompute the value. */
enum { SLICE_BAR_WIDTH = 32, SLICE_DECIMALS = 9 };

/* Draws the row's range of fair-share values as text: "[" at its lower end, then "=", and "o" at its upper end, which
 * is the fair-share factor. */
static const char *format_slice_bar(char buf[WORDS], const struct fs_share_row *r)
{
	memset(buf, ' ', SLICE_BAR_WIDTH);
	buf[SLICE_BAR_WIDTH] = '\0';
	if (isnan(r->range.low) || isnan(r->range.high))
		return buf;
	const int from = (int)lround(fmin(fmax(r->range.low, 0), 1) * (SLICE_BAR_WIDTH - 1));
	const int to = (int)lround(fmin(fmax(r->range.high, 0), 1) * (SLICE_BAR_WIDTH - 1));

	for (int i = from; i <= to; i++)
		buf[i] = i == to ? 'o' : i == from ? '[' : '=';
	return buf;
}

/* Formats a bound or a position of a range with six decimals; "" for NAN. */
static const char *format_known_share(char buf[WORDS], double v)
{
	return isnan(v) ? "" : format_words(buf, "%.6f", v);
}

static void print_slice_table(struct page *p, const struct explain_view *v, const struct fs_explain_path *path)
{
	PAGE_BEGIN_TABLE(p, AT_LEFT("slice of"), AT_POINT("from"), AT_POINT("to"),
			 AT_LEFT("0 ............................ 1"));
	for (size_t k = 0; k < path->levels; k++) {
		const struct fs_share_row *r = get_share_row(v, path->level[k].row);

		PAGE_ADD_ROW(p, TONE_PLAIN, format_cell_name(BUF, format_share_name(BUF, r)),
			     format_known_share(BUF, r->range.low), format_known_share(BUF, r->range.high),
			     format_words(BUF, "|%s|", format_slice_bar(BUF, r)));
	}
	page_end_table(p);
}

/* Considers only siblings whose range of fair-share values ends higher than the row's range. Returns the one whose
 * range ends lowest; NULL if there is no such sibling. */
static const struct fs_share_row *find_next_higher_slice(const struct explain_view *v, const struct fs_share_row *r)
{
	const size_t n = fs_shares_count(v->eval->shares);
	const struct fs_share_row *found = NULL;

	for (uint32_t i = r->parent_row + 1; i < n; i++) {
		const struct fs_share_row *o = get_share_row(v, i);

		if (o->depth < r->depth)
			break;
		if (o->parent_row == r->parent_row && o->range.high > r->range.high &&
		    (!found || o->range.high < found->range.high))
			found = o;
	}
	return found;
}

/* Adds a sentence that says where the row's range of fair-share values begins, and why: "It begins where physics ends,
 * because physics used more for its shares: 38 of 90 with 20 of 107 shares." */
static void add_slice_begin(struct page *p, const struct explain_view *v, const struct fs_explain_level *l)
{
	const struct fs_share_row *up = get_share_row(v, l->above);
	const struct fs_share_row *below = l->lower == FS_NO_ROW ? NULL : get_share_row(v, l->lower);
	char name[WORDS];

	if (!below)
		page_add_sentence(p, "It begins at the bottom of the slice of %s: no sibling used more for its shares.",
				  up->account);
	else if (below->norm_shares == 0)
		page_add_sentence(p, "It begins where %s, which has no shares, ends.", format_share_name(name, below));
	else
		page_add_sentence(p,
				  "It begins where %s ends, because %s used more for its shares: %s of %s with %" PRIu32
				  " of %.0f shares.",
				  format_share_name(name, below), name, format_decimal_number(BUF, below->raw_usage, 2),
				  format_decimal_number(BUF, l->level_usage, 2), below->raw_shares, l->level_shares);
}

/* Adds a sentence that explains why the row's range of fair-share values ends at low + position * (high - low), where
 * `low` and `high` are the bounds of the parent's range. */
static void add_slice_end(struct page *p, const struct explain_view *v, const struct fs_explain_level *l)
{
	const struct fs_share_row *r = get_share_row(v, l->row), *up = get_share_row(v, l->above),
				  *higher = find_next_higher_slice(v, r);

	if (r->norm_shares == 0)
		page_add_sentence(p, "It also ends there: without shares, the slice is empty.");
	else if (isinf(r->level_fs))
		page_add_sentence(p, "It ends at the top of the slice of %s: it has no usage that still counts.",
				  up->account);
	else if (l->count == 1)
		page_add_sentence(p, "It ends at %s of the slice of %s: there are no siblings%s.",
				  format_percent_value(BUF, r->range.position), up->account,
				  v->position == FS_POSITION_RANK
					  ? ""
					  : ", so all shares and all usage are its own (its weight is 1)");
	else
		page_add_sentence(
			p, "It ends at %s of the slice of %s: the usage is %s of %s, with %" PRIu32 " of %.0f shares.",
			format_percent_value(BUF, r->range.position), up->account,
			format_decimal_number(BUF, r->raw_usage, 2), format_decimal_number(BUF, l->level_usage, 2),
			r->raw_shares, l->level_shares);
	if (higher)
		page_add_sentence(p, "The next slice above is that of %s.", format_share_name(BUF, higher));
}

/* Adds a paragraph for each row of the path: its range of fair-share values, and why the range begins and ends
 * there. */
static void add_slice_explanations(struct page *p, const struct explain_view *v, const struct fs_explain_path *path)
{
	for (size_t k = 0; k < path->levels; k++) {
		const struct fs_explain_level *l = &path->level[k];
		const struct fs_share_row *r = get_share_row(v, l->row), *up = get_share_row(v, l->above);

		if (isnan(r->range.low) || isnan(r->range.high))
			continue;
		page_add_sentence(p, "The slice of %s is %.6f to %.6f, inside %.6f to %.6f, the slice of %s.",
				  format_share_name(BUF, r), r->range.low, r->range.high, up->range.low, up->range.high,
				  up->account);
		add_slice_begin(p, v, l);
		add_slice_end(p, v, l);
		page_end_paragraph(p);
	}
}

/* Formats the computation of the row's position in its parent's range of fair-share values: "weight (30 of 107 shares)
 * / (25 of 90 used) = 1.0093; 2^(-1/weight) = 0.5032". */
static const char *format_slice_position(char *buf, size_t size, const struct explain_view *v,
					 const struct fs_explain_level *l)
{
	const struct fs_share_row *r = get_share_row(v, l->row);
	char at[WORDS];

	format_decimal_number(at, r->range.position, SLICE_DECIMALS);
	if (r->norm_shares == 0)
		snprintf(buf, size, "no shares: 0");
	else if (isinf(r->level_fs))
		snprintf(buf, size, "no usage: 1");
	else if (v->position == FS_POSITION_RANK)
		snprintf(buf, size, "place %" PRIu32 " of %" PRIu32 " from below: %s", l->group, l->groups, at);
	else
		format_text(buf, size, "weight (%" PRIu32 " of %.0f shares) / (%s of %s used) = %s; %s = %s",
			    r->raw_shares, l->level_shares, format_decimal_number(BUF, r->raw_usage, 6),
			    format_decimal_number(BUF, l->level_usage, 6),
			    format_decimal_number(BUF, r->level_fs, SLICE_DECIMALS),
			    v->position == FS_POSITION_POW2 ? "2^(-1/weight)" : "weight/(1 + weight)", at);
	return buf;
}

static void print_position_table(struct page *p, const struct explain_view *v, const struct fs_explain_path *path)
{
	char note[600];

	PAGE_BEGIN_TABLE(p, AT_LEFT("level"), AT_POINT("position"), AT_POINT("factor"), AT_LEFT(""));
	for (size_t k = 0; k < path->levels; k++) {
		const struct fs_explain_level *l = &path->level[k];
		const struct fs_share_row *r = get_share_row(v, l->row), *up = get_share_row(v, l->above);
		const char *low = format_decimal_number(BUF, up->range.low, SLICE_DECIMALS);

		format_slice_position(note, sizeof(note), v, l);
		append_text(note, sizeof(note), "; factor %s + %s × (%s − %s)", low,
			    format_decimal_number(BUF, r->range.position, SLICE_DECIMALS),
			    format_decimal_number(BUF, up->range.high, SLICE_DECIMALS), low);
		PAGE_ADD_ROW(p, TONE_PLAIN, format_cell_name(BUF, format_share_name(BUF, r)),
			     format_known_share(BUF, r->range.position), format_known_share(BUF, r->range.high),
			     isnan(r->range.position) ? "" : note);
	}
	page_end_table(p);
}

static void add_shared_slices(struct page *p, const struct explain_view *v, const struct fs_explain_path *path)
{
	for (size_t k = 0; k < path->levels; k++) {
		const struct fs_share_row *r = get_share_row(v, path->level[k].row);

		if (r->range.tied > 1)
			page_add_sentence(p, "%s shares its slice with %" PRIu32 " %s of equal weight.",
					  format_share_name(BUF, r), r->range.tied - 1,
					  r->range.tied == 2 ? "sibling" : "siblings");
	}
}

void explain_add_flux_range_path(struct page *p, const struct explain_view *v, const struct fs_explain_path *path)
{
	const struct fs_share_row *o = v->second_shares ? fs_shares_row(v->second_shares, path->row) : NULL;

	if (!isnan(path->factor))
		page_add_sentence(p, "FAIRSHARE %.6f ·", path->factor);
	add_path_row_notes(p, v, path);
	page_add_sentence(p, "flux_range is Don Lipari's design of 2017; flux-accounting does not use it.");
	if (o && o->rank)
		page_add_sentence(p,
				  "In flux-accounting's ranking the factor is %.6f = rank/users = %" PRIu32 "/%" PRIu32
				  " (rank %" PRIu32 " is the best).",
				  o->fairshare, o->rank, fs_shares_users(v->second_shares),
				  fs_shares_users(v->second_shares));
	page_add_sentence(
		p, "Every bank and user has a slice of the range 0 to 1 that ends at its factor. The slice of a bank "
		   "contains the slices of all its members.");
	page_add_sentence(
		p,
		"The weight is shares divided by usage, both as fractions of the level's total. The position in the "
		"slice of the bank above is %s: 1 without usage, 0 without shares. The factor is low + position × "
		"(high − low) of that slice.",
		v->position == FS_POSITION_RATIO ? "weight/(1 + weight)"
		: v->position == FS_POSITION_RANK
			? "the place, counted from the lowest weight, divided by the number of places (siblings of "
			  "equal weight have one place)"
			: "2^(−1/weight)");
	page_end_paragraph(p);
	print_slice_table(p, v, path);
	add_slice_explanations(p, v, path);
	print_position_table(p, v, path);
	explain_add_rank(p, v, path);
	add_shared_slices(p, v, path);
	page_end_paragraph(p);
}
