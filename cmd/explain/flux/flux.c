/* Flux: what a job waits for, and where ranks and slices come from. */
#include "explain/algorithm.h"
#include "explain/parts.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* ---- what a job waits for */

/* What counts against a limit. */
static const char *counted(const struct fs_hold_row *h)
{
	if (h->with_sched)
		return "running and scheduled (SCHED)";
	return strstr(h->limit, "sched") ? "scheduled (SCHED)" : "running";
}

/* Says that a limit which the verdict does not name holds the job back too. */
static void say_beside(struct page *p, const struct fs_hold_row *h)
{
	page_say(p, "It is held back too by %s of %s %s", h->limit, h->of_queue ? "queue" : "bank",
		 h->scope);
	if (isnan(h->used) || isnan(h->value))
		page_join(p, ".");
	else
		page_join(p, " (%.0f of %.0f used).", h->used, h->value);
}

/* Says of a limit what the verdict does not: whose jobs count, and what clears it. */
static void say_limit(struct page *p, const struct fs_hold_row *h, const struct fs_job *j,
		      const struct fs_explain_limit *told)
{
	if (!told || strcmp(told->name, h->limit) != 0 || strcmp(told->of, h->scope) != 0)
		say_beside(p, h);
	if (h->wants > h->value)
		return;
	page_say(p, "Against %s count the %s jobs of %s there.", h->limit, counted(h), j->user);
	if (h->used + h->wants <= h->value)
		page_say(
			p,
			"By the jobs that were captured there is room: the dependency goes when the plugin next looks.");
	else if (!isnan(h->used) && !isnan(h->value))
		page_say(p, "What clears it: some of them %s.", strstr(h->limit, "sched") ? "start" : "end");
}

/* Returns whether a queue that is stopped brings the sum to 0. */
static bool held_by_queue(const struct fs_explain_job *job)
{
	const struct fs_explain_sum *s = job->sums;

	for (size_t t = 0; job->nsums && t < s->nterms; t++)
		if (s->terms[t].factor == FS_FACTOR_QUEUE)
			return s->terms[t].points < 0 && s->sum - s->terms[t].points >= 0.5;
	return false;
}

static void say_hold(struct page *p, const struct fs_hold_row *h, const struct fs_explain_job *job,
		     const struct fs_job *j, const struct fs_explain_limit *told)
{
	if (h->limit)
		say_limit(p, h, j, told);
	else if (!strcmp(h->reason, "priority-wait"))
		page_say(
			p,
			"The plugin has no data on this user and bank yet, or has not come to it (priority-wait). What clears it: "
			"account-priority-update.");
	else if (!strcmp(h->reason, "held"))
		page_say(
			p,
			"What clears it: any higher urgency, by its owner or whoever set it (flux job urgency).");
	else if (!strcmp(h->reason, "priority-hold"))
		page_say(
			p,
			"Flux treats it as it does urgency 0 (priority-hold). What clears it: %sa higher fair-share factor, or "
			"more urgency.",
			held_by_queue(job) ? "a job of its owner in a queue of higher priority (the last one there counts), "
					   : "");
}

static void say_state(struct page *p, const struct explain_view *v, const struct fs_explain_job *job)
{
	struct fs_job j;

	fs_snapshot_job(v->from->snapshot, job->job_row, &j);
	if (job->state == FS_EXPLAIN_QUEUED &&
	    (job->verdict.kind == FS_VERDICT_BEHIND || job->verdict.kind == FS_VERDICT_NONE))
		page_say(p, "It waits for its turn.");
	else
		explain_verdict_text(p, v, job);
	for (size_t i = 0; i < job->nholds; i++)
		say_hold(p, fs_holds_row(v->from->holds, job->job_row, i), job, &j, job->verdict.limit);
	if (job->state == FS_EXPLAIN_QUEUED && job->nsums && job->sums->direct)
		page_say(p, "It is expedited (urgency 31): it goes before all that are not.");
	else if (job->state != FS_EXPLAIN_QUEUED)
		page_say(p, "So it is not eligible.");
}

/* ---- usage */

static void say_usage(struct page *p, const struct explain_view *v, const struct fs_share_row *r)
{
	const fs_snapshot *s = v->from->snapshot;
	const double half_life = fs_usage_half_life(s);
	const double decay = fs_snapshot_config_number(s, "decay_factor");
	const double reset = fs_snapshot_config_number(s, "priority_usage_reset_period");
	const double node = fs_snapshot_config_number(s, "node_weight"),
		     core = fs_snapshot_config_number(s, "core_weight");
	const double gpu = fs_snapshot_config_number(s, "gpu_weight");
	char a[WORDS], b[WORDS], c[WORDS];

	if (isnan(r->raw_usage)) {
		page_say(p, "Its usage was not captured.");
		return;
	}
	page_say(p, "Usage that still counts: %.2f", r->raw_usage);
	if (!isnan(node) && !isnan(core) && !isnan(gpu))
		page_say(
			p,
			"(nodes × %s + cores × %s + GPUs × %s, times seconds, of jobs that have ended).",
			number_words(a, node), number_words(b, core), number_words(c, gpu));
	else
		page_join(p, ".");
	if (half_life > 0 && !isnan(decay) && !isnan(reset))
		page_say(
			p,
			"After each period of %s what was used before counts %s of what it did, in one step, and after %s "
			"nothing.",
			duration_words(a, half_life), number_words(c, decay),
			duration_words(b, reset));
	if (!isnan(r->listed_usage) && fabs(r->listed_usage - r->raw_usage) > 0.005)
		page_say(
			p,
			"flux-accounting lists %.2f: there, users who are no longer active are included, whom the ranking "
			"leaves out.",
			r->listed_usage);
}

/* ---- ranks */

void explain_flux_row(struct page *p, const struct explain_view *v, const struct fs_explain_path *path)
{
	const struct fs_share_row *r = share_row(v, path->row);
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

/* Says which rank the other algorithm gives the same row. */
static void say_other(struct page *p, const struct explain_view *v, const struct fs_explain_path *path)
{
	const struct fs_share_row *o = v->other ? fs_shares_row(v->other, path->row) : NULL;

	if (!o || !o->rank || !path->rank || o->rank == path->rank)
		return;
	page_say(p,
		 v->algorithm->exact
			 ? "flux-accounting itself, by its rounded sums and weights, has rank %" PRIu32 " (%.6f)."
			 : "With exact sums and ties (flux_exact) the rank is %" PRIu32
			   " (%.6f): flux-accounting rounds sums and weights.",
		 o->rank, o->fairshare);
}

static void say_special(struct page *p, const struct explain_view *v, const struct fs_explain_path *path)
{
	char name[WORDS];

	for (size_t k = 0; k < path->levels; k++) {
		const struct fs_explain_level *l = &path->level[k];
		const struct fs_share_row *r = share_row(v, l->row);

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
		if (l->other_kind_ties)
			page_say(p, "%s is equal to %s: of equals users stand before banks.", name,
				 *r->user ? "a bank" : "a user");
	}
}

void explain_flux_path(struct page *p, const struct explain_view *v, const struct fs_explain_path *path)
{
	if (path->rank)
		explain_rank_factor(p, path, "Flux's");
	explain_flux_row(p, v, path);
	page_say(p, "%s", v->algorithm->rule);
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

/* ---- what is Flux's alone */

static void say_waiting(struct page *p, const struct explain_view *v, const struct fs_explain_job *job)
{
	(void)v;
	page_say(p, "Waiting alone will not pass %s: Flux has no factor for age.",
		 job->ahead.all.entries == 1 ? "it" : "them");
}

static void say_stored_sum(struct page *p, const struct fs_explain_sum *s)
{
	(void)s;
	page_say(p,
		 "The plugin keeps the priority of a queue with user and bank, that of the queue last submitted to, "
		 "and fair share as it was last pushed to it.");
}

static void say_stored_factor(struct page *p, const struct fs_explain_path *path)
{
	page_say(p,
		 "flux-accounting's tables held %.6f when they were captured, not %.6f: that of the last "
		 "account-update-fshare, by its own algorithm.",
		 path->recorded, path->factor);
}

/* An urgency that decides alone. */
static bool say_urgency(struct page *p, const struct fs_explain_sum *s)
{
	if (isnan(s->urgency))
		return false;
	page_say(p,
		 s->total > 0 ? "%.0f: its urgency is %.0f (expedited), the most there is."
			      : "%.0f: its urgency is %.0f, which holds it.",
		 s->total, s->urgency);
	page_say(p, "Fair share, queue and bank do not count while it is so.");
	page_end(p);
	return true;
}

const struct explain_dialect explain_flux = {
	.posted_factor = "posted with the job; banks were not captured",
	.title_partition = true,
	.sum_in_steps = true,
	.state = say_state,
	.waiting = say_waiting,
	.direct = say_urgency,
	.stored_sum = say_stored_sum,
	.stored_factor = say_stored_factor,
	.usage = say_usage,
};
