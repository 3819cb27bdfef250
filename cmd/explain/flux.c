/* Flux: what a job waits for, and where ranks and slices come from. */
#include "explain/parts.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static const struct fs_share_row *row_of(const struct explain_view *v, uint32_t row)
{
	return fs_shares_row(v->from->shares, row);
}

/* ---- what a job waits for */

static const char *limit_words(char buf[WORDS], const struct fs_hold_row *h, double n)
{
	if (isnan(n))
		return "an unknown number";
	if (strstr(h->limit, "nodes"))
		return amount_words(buf, "node", n);
	if (strstr(h->limit, "cores")) {
		snprintf(buf, WORDS, "%.0f cores", n);
		return buf;
	}
	return count_words(buf, (uint64_t)n, "job", "jobs");
}

/* What counts against a limit. */
static const char *counted(const struct fs_hold_row *h)
{
	if (!strcmp(h->limit, "max_nodes_per_assoc"))
		return "running or scheduled (SCHED)";
	return strstr(h->limit, "sched") ? "scheduled (SCHED)" : "running";
}

static void say_limit(struct page *p, const struct fs_hold_row *h, const struct fs_job *j)
{
	char a[WORDS], b[WORDS], c[WORDS];

	page_say(p, "It is held back by %s: %s of %s %s allows %s", h->reason, h->limit,
		 h->of_queue ? "queue" : "bank", h->scope,
		 isinf(h->value) ? "any number by now" : limit_words(a, h, h->value));
	page_join(p, " of %s", j->user);
	if (isnan(h->used))
		page_join(p, "; how much is in use is not known.");
	else
		page_join(p, "; %s %s, and this job would add %s.", limit_words(b, h, h->used),
			  counted(h), limit_words(c, h, h->wants));
	if (h->wants > h->value)
		page_say(
			p,
			"That is more than the whole limit: it cannot start while the limit stays, even when nothing else runs.");
	else if (h->used + h->wants <= h->value)
		page_say(
			p,
			"By the jobs that were captured there is room: the dependency goes when the plugin next looks.");
	else if (!isnan(h->used) && !isnan(h->value))
		page_say(p, "What clears it: jobs of %s there end.", j->user);
}

static void say_hold(struct page *p, const struct fs_hold_row *h, const struct fs_job *j)
{
	if (h->limit)
		say_limit(p, h, j);
	else if (!strcmp(h->reason, "priority-wait"))
		page_say(
			p,
			"It waits for its priority (priority-wait): the plugin has no data on this user and bank yet, or has "
			"not come to it. What clears it: account-priority-update.");
	else if (!strcmp(h->reason, "held"))
		page_say(
			p,
			"It is held: its urgency is 0. What clears it: any higher urgency, by its owner or whoever set it "
			"(flux job urgency).");
	else if (!strcmp(h->reason, "priority-hold"))
		page_say(
			p,
			"It is held by its priority, which is 0 (priority-hold): Flux does not try such jobs, as with urgency "
			"0. What clears it: a higher fair-share factor, or more urgency.");
	else
		page_say(p, "It depends on %s.", h->reason);
}

void explain_flux_state(struct page *p, const struct explain_view *v,
			const struct fs_explain_job *job)
{
	struct fs_job j;

	fs_snapshot_job(v->from->snapshot, job->job_row, &j);
	if (job->state == FS_EXPLAIN_QUEUED)
		page_say(p, "It waits for its turn.");
	else if (job->state == FS_EXPLAIN_NEVER)
		page_say(p, "As things stand it will never start.");
	for (size_t i = 0; i < job->nholds; i++)
		say_hold(p, fs_holds_row(v->from->holds, job->job_row, i), &j);
	if (job->state == FS_EXPLAIN_QUEUED && job->nsums && job->sums->direct)
		page_say(p, "It is expedited (urgency 31): it goes before all that are not.");
	else if (job->state != FS_EXPLAIN_QUEUED)
		page_say(p, "So it has no place in line.");
}

/* ---- usage */

void explain_flux_usage(struct page *p, const struct explain_view *v, const struct fs_share_row *r)
{
	const fs_snapshot *s = v->from->snapshot;
	const double half_life = fs_snapshot_config_number(s, "priority_decay_half_life");
	const double decay = fs_snapshot_config_number(s, "decay_factor");
	const double reset = fs_snapshot_config_number(s, "priority_usage_reset_period");
	const double node = fs_snapshot_config_number(s, "node_weight"),
		     core = fs_snapshot_config_number(s, "core_weight");
	const double gpu = fs_snapshot_config_number(s, "gpu_weight");
	char a[WORDS], b[WORDS];

	if (isnan(r->raw_usage)) {
		page_say(p, "Its usage was not captured.");
		return;
	}
	page_say(p, "Usage that still counts: %.2f", r->raw_usage);
	if (!isnan(node) && !isnan(core) && !isnan(gpu))
		page_say(
			p,
			"(nodes × %.6g + cores × %.6g + GPUs × %.6g, times seconds, of jobs that have ended).",
			node, core, gpu);
	else
		page_join(p, ".");
	if (half_life > 0 && !isnan(decay) && !isnan(reset))
		page_say(
			p,
			"After each period of %s what was used before counts %.6g of what it did, in one step, and after %s "
			"nothing.",
			duration_words(a, half_life), decay, duration_words(b, reset));
	if (!isnan(r->listed_usage) && fabs(r->listed_usage - r->raw_usage) > 0.005)
		page_say(
			p,
			"flux-accounting lists %.2f: there, users who are no longer active are included, whom the ranking "
			"leaves out.",
			r->listed_usage);
}

/* ---- ranks */

static void say_row(struct page *p, const struct explain_view *v,
		    const struct fs_explain_path *path)
{
	const struct fs_share_row *r = row_of(v, path->row);
	char name[WORDS];

	if (!r->counted)
		page_say(
			p,
			"%s is not active, or below a bank that is not: left out of the ranking, shares and usage included.",
			row_words(name, r));
	else if (!path->user && !path->ranges)
		page_say(p, "A bank has no factor of its own: only users are ranked.");
	else if (isnan(path->factor))
		page_say(
			p,
			"The fair-share factor is not known: shares or usage of some rows were not captured.");
}

/* What the other algorithm makes of the same row. */
static void say_other(struct page *p, const struct explain_view *v,
		      const struct fs_explain_path *path)
{
	const struct fs_share_row *o = v->other ? fs_shares_row(v->other, path->row) : NULL;
	const bool exact = !strcmp(path->algorithm, "flux_exact");

	if (!o || !o->rank || !path->rank || o->rank == path->rank)
		return;
	page_say(
		p,
		exact ? "flux-accounting itself, by its rounded sums and weights, has rank %" PRIu32
			" (%.6f)."
		      : "With exact sums and ties (flux_exact) the rank is %" PRIu32
			" (%.6f): flux-accounting rounds sums "
			"and weights.",
		o->rank, o->fairshare);
}

static void say_special(struct page *p, const struct explain_view *v,
			const struct fs_explain_path *path)
{
	char name[WORDS];

	for (size_t k = 0; k < path->levels; k++) {
		const struct fs_explain_level *l = &path->level[k];
		const struct fs_share_row *r = row_of(v, l->row);

		row_words(name, r);
		if (r->shares_kind == FS_SHARES_NUMBER && r->raw_shares == 0)
			page_say(
				p,
				"%s has no shares: its weight is 0 and it stands last here, whatever it used.",
				name);
		else if (r->raw_usage == 0)
			page_say(
				p,
				"%s has used nothing that still counts: nothing stands before it here.",
				name);
		if (l->tied && !*r->user)
			page_say(
				p,
				"The members of %s are ranked among those of the %s it is equal to, as if they were one bank.",
				name, l->tied == 1 ? "bank" : "banks");
		if (l->beside)
			page_say(p, "%s is equal to %s: of equals users stand before banks.", name,
				 *r->user ? "a bank" : "a user");
	}
}

void explain_flux_path(struct page *p, const struct explain_view *v,
		       const struct fs_explain_path *path)
{
	if (path->rank)
		page_say(p, "FAIRSHARE %.6f = %" PRIu32 "/%" PRIu32 " ·", path->factor, path->rank,
			 path->users);
	say_row(p, v, path);
	page_say(
		p,
		"Users are ranked through the tree of banks: two users are compared at the highest level where their banks "
		"differ; below that level nothing counts.");
	page_say(
		p,
		"The weight is shares divided by usage, both as parts of the level: above 1 less was used than the share. Only "
		"its order counts; where weights are equal, users stand before banks.");
	page_end(p);
	explain_levels_table(p, v, path, "weight");
	explain_rank_text(p, v, path);
	say_special(p, v, path);
	say_other(p, v, path);
	page_end(p);
}

/* ---- slices */

enum { BAR = 32 };

/* The slice of 0..1 that belongs to a row: "[", "=" and, where its factor is, "o". */
static const char *bar_words(char buf[WORDS], const struct fs_share_row *r)
{
	memset(buf, ' ', BAR);
	buf[BAR] = '\0';
	if (isnan(r->low) || isnan(r->high))
		return buf;
	const int from = (int)lround(fmin(fmax(r->low, 0), 1) * (BAR - 1));
	const int to = (int)lround(fmin(fmax(r->high, 0), 1) * (BAR - 1));

	for (int i = from; i <= to; i++)
		buf[i] = i == to ? 'o' : i == from ? '[' : '=';
	return buf;
}

static void range_cell(struct page *p, double v)
{
	if (isnan(v))
		page_cell(p, "%s", "");
	else
		page_cell(p, "%.6f", v);
}

static void print_slices(struct page *p, const struct explain_view *v,
			 const struct fs_explain_path *path)
{
	static const struct page_column columns[] = { { "slice of", ALIGN_LEFT },
						      { "from", ALIGN_POINT },
						      { "to", ALIGN_POINT },
						      { "0 ............................ 1", ALIGN_LEFT } };
	char a[WORDS], b[WORDS];

	page_table(p, columns, sizeof(columns) / sizeof(*columns));
	for (size_t k = 0; k < path->levels; k++) {
		const struct fs_share_row *r = row_of(v, path->level[k].row);

		page_cell(p, "%s", cell_words(a, row_words(b, r)));
		range_cell(p, r->low);
		range_cell(p, r->high);
		page_cell(p, "|%s|", bar_words(a, r));
		page_row(p, TONE_PLAIN);
	}
	page_table_end(p);
}

/* "2^(-0.88)", "1/(1 + 0.88)", "its place" */
static const char *position_words(char buf[WORDS], const struct explain_view *v,
				  const struct fs_explain_level *l)
{
	const struct fs_share_row *r = row_of(v, l->row);

	if (r->norm_shares == 0)
		return "no shares";
	if (isinf(r->level_fs))
		return "no usage";
	if (v->position == FS_POSITION_RANK)
		return "by its place";
	snprintf(buf, WORDS, v->position == FS_POSITION_POW2 ? "2^(-%.6g)" : "1/(1 + %.6g)", l->x);
	return buf;
}

static void print_positions(struct page *p, const struct explain_view *v,
			    const struct fs_explain_path *path)
{
	static const struct page_column columns[] = {
		{ "level", ALIGN_LEFT },     { "shares", ALIGN_POINT }, { "usage", ALIGN_POINT },
		{ "position", ALIGN_POINT }, { "factor", ALIGN_POINT }, { "", ALIGN_LEFT }
	};
	char a[WORDS], b[WORDS];

	page_table(p, columns, sizeof(columns) / sizeof(*columns));
	for (size_t k = 0; k < path->levels; k++) {
		const struct fs_share_row *r = row_of(v, path->level[k].row),
					  *up = row_of(v, path->level[k].above);

		page_cell(p, "%s", cell_words(a, row_words(b, r)));
		page_cell(p, "%s", percent_words(a, r->norm_shares));
		page_cell(p, "%s", percent_words(a, r->effective_usage));
		range_cell(p, r->position);
		range_cell(p, r->high);
		page_cell(p, "position %s; %.6g + %.6g × (%.6g − %.6g)",
			  position_words(a, v, &path->level[k]), up->low, r->position, up->high,
			  up->low);
		page_row(p, TONE_PLAIN);
	}
	page_table_end(p);
}

static void say_lone(struct page *p, const struct explain_view *v,
		     const struct fs_explain_path *path)
{
	const double middle = 0.5;
	char name[WORDS];

	for (size_t k = 0; k < path->levels; k++) {
		const struct fs_explain_level *l = &path->level[k];
		const struct fs_share_row *r = row_of(v, l->row);

		if (l->count == 1 && r->position == middle)
			page_say(
				p,
				"%s stands alone below %s and is put in the middle of its slice all the same: its usage "
				"is by necessity what its shares are, x is 1. A chain of single banks halves at every step.",
				row_words(name, r), row_of(v, l->above)->account);
		else if (r->tied > 1)
			page_say(p,
				 "%s has its slice in common with %" PRIu32 " that %s equal to it.",
				 row_words(name, r), r->tied - 1, r->tied == 2 ? "is" : "are");
	}
}

void explain_flux_range_path(struct page *p, const struct explain_view *v,
			     const struct fs_explain_path *path)
{
	const struct fs_share_row *o = v->other ? fs_shares_row(v->other, path->row) : NULL;

	if (!isnan(path->factor))
		page_say(p, "FAIRSHARE %.6f ·", path->factor);
	say_row(p, v, path);
	page_say(
		p,
		"flux_range is Don Lipari's design of 2017, which flux-accounting does not compute.");
	if (o && o->rank)
		page_say(p,
			 "By the ranking that it does compute the factor is %.6f, rank %" PRIu32
			 " of %" PRIu32 ".",
			 o->fairshare, o->rank, fs_shares_users(v->other));
	page_say(
		p,
		"Every bank and user has a slice of 0 to 1 that ends at its factor, and whoever is below a bank lives inside "
		"its slice.");
	page_say(
		p,
		"With x, usage over shares as parts of the level, the position in the slice above is %s: 1 without usage, 0 "
		"without shares. The factor is low + position × (high − low) of that slice.",
		v->position == FS_POSITION_RATIO ? "1/(1 + x)"
		: v->position == FS_POSITION_RANK
			? "the place in the order divided by the number of places"
			: "2^(−x)");
	page_end(p);
	print_slices(p, v, path);
	print_positions(p, v, path);
	explain_rank_text(p, v, path);
	say_lone(p, v, path);
	page_end(p);
}
