/* Finds the shares or the usage with which a row of the share tree reaches a goal (fs_solve_*).
 *
 * The search sets trial amounts on the snapshot itself: shares by the scheduler's own command, usage in the records of
 * associations. A binary search over whole numbers narrows the range between an amount that meets the goal and an
 * amount that misses it (bisect_goal_amount). No formula of a fair-share algorithm is used here: fs_shares_compute
 * computes the factors of every trial. */
#include "base/error.h"
#include "fairshare/fairshare.h"
#include "model/model.h"
#include "model/scheduler.h"
#include "scenario/grammar.h"

#include "fs/scenario.h"
#include "fs/solve.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROW_TEXT = 128 }; /* size of the description of a row in messages */

/* One search: its goal, and the row of the share tree whose shares or usage are changed. */
struct goal_search {
	fs_snapshot *m;
	struct fs_solve_options o;
	struct fs_solution *out;
	struct fs_error *err;
	uint32_t of;
	/* usage before the search changes it; `usage`: usage of row `of` and all rows below it; `own`: usage of row
	 * `of` alone */
	double usage, own;
	double *usage_before;	   /* indexed by association row: usage_tres_s before the search */
	/* the shares of row `of` plus the shares of its sibling `o.from`; the search does not change this sum.
	 * max_shares + 1 if `o.from` is FS_NO_ROW */
	double total_shares;
	/* Sets the shares or usage of row `of` to `amount`. Shares are set by a command; if `pass_notes` is true, its
	 * notes to the user are passed to the caller's callback `note`. Returns 0 or an FS_ error code. */
	int (*apply_amount)(struct goal_search *s, double amount, bool pass_notes);
	double present_amount;
};

/* Applies the command to the snapshot, but does not add it to the snapshot's list of commands (fs_snapshot_command). If
 * `pass_notes` is true, the caller's callback `note` receives the notes of the command. Returns 0 or an error code of
 * fs_snapshot_edit. */
static int apply_trial_command(struct goal_search *s, const char *command, bool pass_notes)
{
	const struct fs_edit_options o = { .viewer = s->o.view.viewer,
					   .note = pass_notes ? s->o.note : NULL,
					   .note_ctx = s->o.note_ctx };
	const uint32_t edits = s->m->edits;
	const int rc = fs_snapshot_edit(s->m, command, &o, s->err);

	/* fs_snapshot_command lists only commands of the caller, so the trial command is removed from the list */
	s->m->edits = edits;
	return rc;
}

/* The maximum of raw shares. The next number, 0x7fffffff, means "parent" (src/plugins/priority/multifactor). */
static const double max_shares = 2147483646.0;
static const double max_usage = 9007199254740992.0; /* 2^53: above it a double cannot represent every whole second */

static int read_row_standing(struct goal_search *s, struct fs_standing *at)
{
	fs_shares *shares;
	const struct fs_share_row *r;
	const int rc = fs_shares_compute(&shares, s->m, &s->o.view, s->err);

	if (rc)
		return rc;
	if (s->o.row >= fs_shares_count(shares)) {
		fs_shares_free(shares);
		return fsi_fail_with_code(s->err, FS_EUSAGE, "the account or user is not in the association tree");
	}
	r = fs_shares_row(shares, s->o.row);
	*at = (struct fs_standing){ r->norm_shares, r->raw_usage, r->norm_usage, r->effective_usage,
				    r->level_fs, fs_share_factor(r), r->rank };
	fs_shares_free(shares);
	return 0;
}

static double get_goal_value(const struct goal_search *s, const struct fs_standing *at)
{
	if (s->o.goal == FS_GOAL_RANK)
		return at->rank ? (double)at->rank : (double)NAN;
	return s->o.goal == FS_GOAL_LEVEL ? at->level_fs : at->fairshare;
}

static int try_goal_amount(struct goal_search *s, double amount, enum fs_solve moment, bool pass_notes)
{
	int rc = s->apply_amount(s, amount, pass_notes);

	if (!rc)
		rc = read_row_standing(s, &s->out->at[moment]);
	s->out->amount[moment] = amount;
	return rc;
}

static bool is_goal_met(const struct goal_search *s, enum fs_solve moment)
{
	return get_goal_value(s, &s->out->at[moment]) >= s->o.value;
}

/* Searches for the amount nearest to `misses` that meets the goal, by a binary search over whole numbers. `misses`: an
 * amount that misses the goal; `meets`: an amount that meets the goal, which may be greater or less than `misses`.
 * Leaves the snapshot with the amount that was found. Returns 0 or an FS_ error code. */
static int bisect_goal_amount(struct goal_search *s, double misses, double meets)
{
	int rc = 0;

	while (fabs(meets - misses) > 1 && !rc) {
		const double half = floor(misses / 2 + meets / 2);
		const double at = half == misses || half == meets ? half + 1 : half;

		rc = try_goal_amount(s, at, FS_SOLVE_THEN, false);
		if (!rc && is_goal_met(s, FS_SOLVE_THEN))
			meets = at;
		else
			misses = at;
	}
	if (!rc)
		rc = try_goal_amount(s, misses, FS_SOLVE_SHORT, false);
	return rc ? rc : try_goal_amount(s, meets, FS_SOLVE_THEN, true);
}

/* Searches the amounts from `easy` to `hard` for the amount nearest to `hard` that meets the goal. If `easy` does not
 * meet the goal, no amount meets it. Returns 0 or an FS_ error code. */
static int search_goal_amount(struct goal_search *s, double easy, double hard)
{
	int rc = try_goal_amount(s, easy, FS_SOLVE_THEN, false);

	if (rc)
		return rc;
	s->out->possible = is_goal_met(s, FS_SOLVE_THEN);
	if (!s->out->possible)
		return s->apply_amount(s, easy, true);
	rc = try_goal_amount(s, hard, FS_SOLVE_THEN, false);
	if (rc)
		return rc;
	s->out->bounded = !is_goal_met(s, FS_SOLVE_THEN);
	return s->out->bounded ? bisect_goal_amount(s, hard, easy) : s->apply_amount(s, hard, true);
}

/* ---- applying one trial amount: shares or usage of a row */

static void write_shares_command(struct goal_search *s, uint32_t row, double shares, char out[FS_SOLVE_COMMAND])
{
	const struct fsi_association *a = &s->m->association.v[row];
	struct fsi_command c = { .len = 0 };

	s->m->scheduler->write_shares(&c, s->m, a, (uint32_t)shares);
	snprintf(out, FS_SOLVE_COMMAND, "%s", c.len ? c.text : "");
}

static int apply_shares_amount(struct goal_search *s, double amount, bool pass_notes)
{
	int rc;

	write_shares_command(s, s->of, amount, s->out->command[0]);
	rc = apply_trial_command(s, s->out->command[0], pass_notes);
	if (rc || s->o.from == FS_NO_ROW)
		return rc;
	write_shares_command(s, s->o.from, s->total_shares - amount, s->out->command[1]);
	return apply_trial_command(s, s->out->command[1], pass_notes);
}

static bool is_in_subtree(const fs_snapshot *m, uint32_t row, uint32_t above)
{
	while (row != FSI_NO_INDEX && row != above)
		row = m->tree[row].parent;
	return row == above;
}

/* Makes `amount` the total usage of row `of` and all rows below it. To do so, changes only the usage of row `of`
 * itself. If the usage of row `of` itself would become negative, instead multiplies its usage and the usage of each row
 * below it by the same fraction. Removes the snapshot's recorded values, because they belong to the unchanged usage.
 * Returns 0 or FS_ENOMEM. */
static int apply_usage_amount(struct goal_search *s, double amount, bool pass_notes)
{
	const double own = s->own + (amount - s->usage), part = own < 0 ? amount / s->usage : 1;

	(void)pass_notes;
	if (fsi_model_own_tables(s->m))
		return fsi_fail_no_memory(s->err);
	s->m->recorded.n = 0;
	for (uint32_t i = 0; i < s->m->association.n; i++)
		if (is_in_subtree(s->m, i, s->of))
			s->m->association.v[i].usage_tres_s = s->usage_before[i] * part;
	if (own >= 0)
		s->m->association.v[s->of].usage_tres_s = own;
	return 0;
}

/* ---- the public functions and their checks */

static bool has_own_shares(const struct goal_search *s, uint32_t row)
{
	const struct fsi_association *a = &s->m->association.v[row];

	return FSI_HAS(a, ASSOCIATION, shares) && !fsi_has_parent_shares(a) && s->m->tree[row].parent != FSI_NO_INDEX;
}

/* Writes "account A" or "user U of account A" to buf, for messages. Returns buf. */
static const char *describe_row(const struct goal_search *s, uint32_t row, char buf[ROW_TEXT])
{
	const struct fsi_association *a = &s->m->association.v[row];

	snprintf(buf, ROW_TEXT, a->user ? "user %.50s of account %.50s" : "%.0saccount %.50s",
		 fsi_name_text(s->m, a->user), fsi_name_text(s->m, a->account));
	return buf;
}

static int check_goal_known(struct goal_search *s)
{
	char text[ROW_TEXT];
	static const char *const what[] = { "fair-share factor", "rank", "level_fs" };
	const double v = get_goal_value(s, &s->out->at[FS_SOLVE_NOW]);

	if (!isnan(v))
		return 0;
	return fsi_fail_with_code(s->err, FS_EUSAGE, "the %s of %s is unknown", what[s->o.goal],
				  describe_row(s, s->o.row, text));
}

static int begin_goal_search(struct goal_search *s, struct fs_solution *out, fs_snapshot *m,
			     const struct fs_solve_options *options, struct fs_error *err)
{
	*s = (struct goal_search){ .m = m, .out = out, .err = err };
	FSI_OPTIONS(s->o, options);
	s->o.view.usage = NULL;
	s->of = s->o.of == FS_NO_ROW ? s->o.row : s->o.of;
	*out = (struct fs_solution){ .possible = true };
	for (int i = 0; i < FS_SOLVE_COUNT; i++)
		out->amount[i] = out->from[i] = (double)NAN;
	if (m->scheduler->has_usage_windows)
		return fsi_fail_with_code(err, FS_ENODATA,
					  "fair-share goals are not supported for Maui's targets and usage windows");
	if (s->o.row >= m->association.n || s->of >= m->association.n ||
	    (s->o.from != FS_NO_ROW && s->o.from >= m->association.n))
		return fsi_fail_with_code(err, FS_EUSAGE, "the account or user is not in the association tree");
	if (fsi_is_type_hidden(m, "association"))
		return fsi_fail_with_code(err, FS_ENODATA, "cannot search for the goal: part of the association tree was hidden from the capture");
	return read_row_standing(s, &out->at[FS_SOLVE_NOW]);
}

static int begin_shares_search(struct goal_search *s)
{
	const struct fsi_association *v = s->m->association.v;
	char text[ROW_TEXT], from[ROW_TEXT];

	if (!s->m->scheduler->write_shares)
		return fsi_fail_with_code(s->err, FS_ENODATA, "the scheduler has no command that sets shares");
	if (!has_own_shares(s, s->of) || (s->o.from != FS_NO_ROW && !has_own_shares(s, s->o.from)))
		return fsi_fail_with_code(
			s->err, FS_EUSAGE,
			"%s has no shares of its own: it uses its parent's shares, or is the root",
			describe_row(s, has_own_shares(s, s->of) ? s->o.from : s->of, text));
	if (s->o.from != FS_NO_ROW && (s->o.from == s->of || s->m->tree[s->o.from].parent != s->m->tree[s->of].parent))
		return fsi_fail_with_code(s->err, FS_EUSAGE, "shares of %s can be taken only from its siblings, not from %s",
					  describe_row(s, s->of, text), describe_row(s, s->o.from, from));
	s->present_amount = v[s->of].shares;
	s->total_shares = s->o.from == FS_NO_ROW ? max_shares + 1 : s->present_amount + v[s->o.from].shares;
	s->apply_amount = apply_shares_amount;
	s->out->amount[FS_SOLVE_NOW] = s->present_amount;
	return s->total_shares < 2 ? fsi_fail_with_code(s->err, FS_EUSAGE, "%s and %s have fewer than 2 shares in total",
							describe_row(s, s->of, text), describe_row(s, s->o.from, from))
				   : 0;
}

static void fill_source_shares(struct goal_search *s)
{
	for (int i = 0; i < FS_SOLVE_COUNT && s->o.from != FS_NO_ROW; i++)
		s->out->from[i] = s->total_shares - s->out->amount[i];
}

int fs_solve_shares(fs_snapshot *m, const struct fs_solve_options *options, struct fs_solution *out,
		    struct fs_error *err)
{
	struct goal_search s;
	int rc = begin_goal_search(&s, out, m, options, err);

	if (!rc)
		rc = begin_shares_search(&s);
	if (!rc)
		rc = check_goal_known(&s);
	if (!rc)
		rc = search_goal_amount(&s, s.total_shares - 1, 1);
	fill_source_shares(&s);
	return rc;
}

static int begin_usage_search(struct goal_search *s)
{
	const struct fsi_association *a = &s->m->association.v[s->of];
	char text[ROW_TEXT];
	fs_shares *shares;
	int rc = fs_shares_compute(&shares, s->m, &s->o.view, s->err);

	if (rc)
		return rc;
	s->present_amount = s->usage = fs_shares_row(shares, s->of)->raw_usage;
	s->own = FSI_HAS(a, ASSOCIATION, usage_tres_s) ? a->usage_tres_s : (double)NAN;
	fs_shares_free(shares);
	s->apply_amount = apply_usage_amount;
	s->out->amount[FS_SOLVE_NOW] = s->present_amount;
	s->usage_before = calloc((size_t)s->m->association.n + 1, sizeof(*s->usage_before));
	if (!s->usage_before)
		return fsi_fail_no_memory(s->err);
	for (uint32_t i = 0; i < s->m->association.n; i++)
		s->usage_before[i] = s->m->association.v[i].usage_tres_s;
	if (isnan(s->usage) || isnan(s->own))
		return fsi_fail_with_code(s->err, FS_ENODATA,
					  "the usage of %s is not in the snapshot", describe_row(s, s->of, text));
	return 0;
}

int fs_solve_usage(fs_snapshot *m, const struct fs_solve_options *options, struct fs_solution *out,
		   struct fs_error *err)
{
	struct goal_search s;
	int rc = begin_goal_search(&s, out, m, options, err);

	if (!rc)
		rc = begin_usage_search(&s);
	if (!rc)
		rc = check_goal_known(&s);
	if (!rc)
		rc = search_goal_amount(&s, 0, max_usage);
	free(s.usage_before);
	return rc;
}

int fs_solve_charge(fs_snapshot *m, const struct fs_solve_options *options, double tres_s,
		    struct fs_solution *out, struct fs_error *err)
{
	struct goal_search s;
	int rc = begin_goal_search(&s, out, m, options, err);

	if (!rc)
		rc = begin_usage_search(&s);
	if (!rc)
		rc = try_goal_amount(&s, s.present_amount + tres_s, FS_SOLVE_THEN, true);
	free(s.usage_before);
	return rc;
}

static double sum_sibling_shares(const struct goal_search *s)
{
	const uint32_t parent = s->m->tree[s->of].parent;
	double sum = 0;

	for (uint32_t i = 0; i < s->m->association.n; i++)
		if (s->m->tree[i].parent == parent && has_own_shares(s, i) && !s->m->tree[i].uncounted)
			sum += s->m->association.v[i].shares;
	return sum;
}

int fs_solve_hardware(fs_snapshot *m, const struct fs_solve_options *options, double have, double more,
		      struct fs_solution *out, struct fs_error *err)
{
	struct goal_search s;
	double shares;
	int rc = begin_goal_search(&s, out, m, options, err);

	if (!rc)
		rc = begin_shares_search(&s);
	if (rc)
		return rc;
	if (have <= 0)
		return fsi_fail_with_code(err, FS_ENODATA,
					  "the present hardware (have=, or all nodes of the partition) bills %g per "
					  "second; a positive rate is required",
					  have);
	if (isnan(have) || !(more >= 0))
		return fsi_fail_with_code(err, FS_ENODATA, "the billing rate of the %s hardware is unknown",
					  isnan(have) ? "present" : "new");
	shares = round(s.present_amount + sum_sibling_shares(&s) * more / have);
	if (!(shares >= 1 && shares <= s.total_shares - 1))
		return fsi_fail_with_code(err, FS_EUSAGE, "the result, %.0f shares, is not within 1 to %.0f", shares,
					  s.total_shares - 1);
	rc = try_goal_amount(&s, shares, FS_SOLVE_THEN, true);
	fill_source_shares(&s);
	return rc;
}
