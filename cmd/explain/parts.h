/* Parts of pages that only one scheduler has. */
#ifndef EXPLAIN_PARTS_H
#define EXPLAIN_PARTS_H

#include "dialect/dialect.h"
#include "explain/dialect.h"
#include "explain/text.h"
#include "words/decimals.h"

static inline const struct nouns *nouns(const struct explain_view *v)
{
	return &v->dialect->nouns;
}

/* A row of the view's shares. */
static inline const struct fs_share_row *share_row(const struct explain_view *v, uint32_t row)
{
	return fs_shares_row(v->from->shares, row);
}

/* The parts of a job's page: title, the four lines and what limits it; sum and path. cmd/explain/job/job.c. */
void explain_job_head(struct page *p, const struct explain_view *v, const struct fs_explain_job *job, bool ahead);
void explain_job_sums(struct page *p, const struct explain_view *v, const struct fs_explain_job *job);

/* A job's place among the eligible ones, who is ahead of it, and what would change that; nothing if it has none.
 * cmd/explain/job/place.c. */
void explain_place_text(struct page *p, const struct explain_view *v, const struct fs_explain_job *job);

/* Explains the job of a queue row: job->sums[*at] is the sum of that row. cmd/explain/job/change.c. */
bool explain_sum_of_row(const struct explain_view *v, uint32_t queue_row, struct fs_queue_row *row,
			struct fs_explain_job *job, size_t *at);

/* The verdict as a sentence, and of a job that can never start what to ask for instead. cmd/explain/job/verdict.c. */
void explain_verdict_text(struct page *p, const struct explain_view *v, const struct fs_explain_job *job);

/* ---- change.c: what would change a job's place */
void explain_change_text(struct page *p, const struct explain_view *v, const struct fs_explain_job *job);

/* Cells of a table of shares: share, usage and, where there are levels, LevelFS. */
void explain_share_cells(struct page *p, const struct explain_view *v, const struct fs_share_row *r);

/* The factor with as many decimals, seven at least, as give the points with that many digits. */
const char *explain_value_words(char buf[WORDS], const struct fs_prio_term *t, int digits);

/* Name, value, weight and points of a line of the sum; its note and the end of the row are the caller's. */
void explain_points_row(struct page *p, const char *name, const struct fs_prio_term *t,
			const struct sheet *d, int64_t points);

/* What the value of a term was made of, as a cell. */
void explain_inputs(struct page *p, const struct explain_view *v, const struct fs_explain_job *job,
		    const struct fs_prio_term *t, const struct fs_prio_inputs *in, const struct fs_explain_sum *s);

/* What the scheduler printed of a sum whose weights are not known: points alone, and what is missing to its
 * priority. */
void explain_printed_points(struct page *p, const struct fs_explain_sum *s, const char *note);

/* What its runs cost, where that is known: cmd/explain/past/past.c */
void explain_cost_text(struct page *p, const struct explain_view *v);
double explain_past_cost(const struct explain_view *v); /* of all its runs; NAN unknown */
const char *explain_cost_unit(const struct explain_view *v);

/* Why it is not eligible; nothing of one that is: cmd/explain/job/verdict.c */
void explain_not_eligible_text(struct page *p, const struct explain_view *v,
			      const struct fs_explain_job *job);

/* ---- one that has started against another job: cmd/explain/job/started.c */

bool explain_has_started(const struct fs_explain_job *job); /* it runs, or has ended */
bool explain_is_suspended(const struct fs_job *j);

/* Of two jobs, one of which at least has started. */
void explain_started_text(struct page *p, const struct explain_view *v,
			  const struct fs_explain_job *a, const struct fs_explain_job *b);

/* ---- advice: cmd/explain/job/advice.c */

enum { ADVICE_WORDS = 2 * WORDS };

/* Does the viewer own it, or nobody in particular look? */
bool explain_is_mine(const struct explain_view *v, const struct fs_job *j);
bool explain_starts_now(const struct explain_view *v); /* in the plan that advice is compared with */
/* When it starts with that, and how much earlier that is, if it had a start. */
const char *explain_start_words(char buf[ADVICE_WORDS], const fs_snapshot *s, const struct fs_advice *a);
/* "Nothing that you can change helps", without its stop. */
const char *explain_nothing_helps(char buf[ADVICE_WORDS], const struct explain_view *v, const struct fs_job *j);
void explain_advice_text(struct page *p, const struct explain_view *v, const struct fs_explain_job *job);

/* ---- Flux: cmd/explain/flux/flux.c, range.c */

void explain_flux_path(struct page *p, const struct explain_view *v, const struct fs_explain_path *path);
/* What is special about the row of a path: not counted, no factor. */
void explain_flux_row(struct page *p, const struct explain_view *v, const struct fs_explain_path *path);
void explain_flux_range_path(struct page *p, const struct explain_view *v,
			     const struct fs_explain_path *path);

/* ---- Maui: cmd/explain/maui/maui.c */

/* What would change a term of its sum. */
void explain_maui_remedy(struct page *p, const struct explain_view *v,
			 const struct fs_explain_job *job, const char *term);

/* "user", "group", "account", "QOS", "class" */
const char *kind_noun(enum fs_cred_kind kind);

/* The last reservation to end, no later than the job's planned start, of those that keep nodes from it; and each of
 * them by name, with its nodes and times, and its own: cmd/explain/maui/reserved.c. */
bool explain_maui_kept_off(const struct explain_view *v, uint32_t job_row, int64_t start, struct fs_reservation *out);
void explain_maui_reserved(struct page *p, const struct explain_view *v, const struct fs_explain_job *job);

/* Targets and windows of the credentials of a job that count: cmd/explain/maui/windows.c. */
void explain_maui_path(struct page *p, const struct explain_view *v, const struct fs_explain_job *job);
void explain_windows_text(struct page *p, const struct explain_view *v); /* which windows there are, and their weights */
const char *explain_mode_mark(enum fs_target_mode mode); /* "", "+", "-", "%", "^" */
void explain_policy_text(struct page *p, const struct fs_windows_info *info); /* if nothing is read */

/* ---- classic and DEPTH_OBLIVIOUS: cmd/explain/slurm/classic.c */

void explain_classic_path(struct page *p, const struct explain_view *v, const struct fs_explain_path *path);

/* ---- the way through the tree: cmd/explain/tree/path.c */

/* Level, shares, usage, shares over usage (under that heading), and who stands beside it. */
void explain_levels_table(struct page *p, const struct explain_view *v,
			  const struct fs_explain_path *path, const char *heading);
void explain_fair_tree_path(struct page *p, const struct explain_view *v, const struct fs_explain_path *path);
/* The factor as its rank makes it; whose: "Fair Tree's". */
void explain_rank_factor(struct page *p, const struct fs_explain_path *path, const char *whose);
void explain_unknown_factor(struct page *p);
void explain_rank_text(struct page *p, const struct explain_view *v, const struct fs_explain_path *path);

#endif
