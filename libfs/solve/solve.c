#include "base/error.h"
#include "fairshare/fairshare.h"
#include "model/model.h"
#include "model/scheduler.h"
#include "scenario/grammar.h"
#include "usage/windows.h"

#include "fs/scenario.h"
#include "fs/solve.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Between the files that look for an amount: what moves, and what is asked for. */

struct fsi_solve_credential {
	enum fs_cred_kind kind;
	uint32_t name;
};

struct fsi_solver {
	fs_snapshot *m;
	struct fs_solve_options o;
	struct fs_solution *out;
	struct fs_error *err;
	uint32_t of;
	double usage, own; /* usage of `of` now, with all below it, and that of its own record */
	double *kept;	   /* by row: usage_tres_s as it was */
	double all;	   /* shares of `of` and of the one that gives them, together */
	double per;	   /* of the amounts that are tried so many are one of those that are told */
	/* Changes the state to the amount. Error codes. */
	int (*set)(struct fsi_solver *s, double amount, bool tell);
	double now;
	double given; /* the target given last */
	/* Of windows: whose they are, what its target asks for, and the two records that are changed. */
	struct fsi_solve_credential credential;
	enum fs_target_mode mode;
	struct {
		size_t at;
		double was;
	} record[2];
};

/* A command of the scheduler, given to the state that is tried. */

/* Gives the command to the snapshot; tell: with what should be known of it. */
static int solve_give(struct fsi_solver *s, const char *command, bool tell)
{
	const struct fs_edit_options o = { .viewer = s->o.view.viewer,
					   .note = tell ? s->o.note : NULL,
					   .note_ctx = s->o.note_ctx };
	const uint32_t edits = s->m->edits;
	const int rc = fs_snapshot_edit(s->m, command, &o, s->err);

	s->m->edits = edits; /* what is tried is not what was asked for */
	return rc;
}

/* Targets and windows: a target is given by the scheduler's own line, usage is what the current window holds. */

enum { HUNDREDTHS = 100, MOST_PERCENT = 100 };

/* The credential that the row of shares is: its kind and name stand there in words. FS_EUSAGE where it is none. */
static int find_credential(struct fsi_solve_credential *out, const fs_snapshot *m, const struct fs_solve_options *o,
			   struct fs_error *err)
{
	fs_shares *shares;
	const struct fs_share_row *r;
	int kind = -1;
	const int rc = fs_shares_compute(&shares, m, &o->view, err);

	if (rc)
		return rc;
	if (o->row < fs_shares_count(shares)) {
		r = fs_shares_row(shares, o->row);
		kind = fsi_cred_kind(r->parent);
		out->name = fsi_name_find(m, *r->user ? r->user : r->account);
	}
	fs_shares_free(shares);
	if (kind < 0 || kind >= FS_CRED_KINDS || !out->name)
		return fsi_fail(err, FS_EUSAGE, "it is no user, group, account, QOS or class");
	out->kind = (enum fs_cred_kind)kind;
	return 0;
}

/* Its row of windows, without name and windows; of one that has none the factor is NAN. Error codes of
 * fs_windows_compute. */
static int solve_window_row(struct fs_window_row *out, const struct fsi_solve_credential *of, const fs_snapshot *m,
			    struct fs_error *err)
{
	fs_windows *w;
	const int rc = fs_windows_compute(&w, m, err);

	*out = (struct fs_window_row){ .factor = NAN };
	if (rc)
		return rc;
	for (size_t i = 0; i < fs_windows_count(w); i++)
		if (fs_windows_row(w, i)->kind == of->kind && !strcmp(fs_windows_row(w, i)->name, fsi_str(m, of->name)))
			*out = *fs_windows_row(w, i);
	out->name = NULL;
	out->window_usage_s = NULL;
	fs_windows_free(w);
	return 0;
}

/* Both; FS_EUSAGE too where its target is a cap, and FS_ENODATA where there is no fair share. */
static int solve_factor_of(struct fsi_solve_credential *of, const fs_snapshot *m, const struct fs_solve_options *o,
			   struct fs_window_row *row, struct fs_error *err)
{
	struct fsi_maui_conf conf;
	int rc = find_credential(of, m, o, err);

	if (!rc)
		rc = fsi_maui_conf_load(m, &conf, err);
	if (!rc && !conf.has_policy)
		rc = fsi_fail(err, FS_ENODATA, "FSPOLICY is not in the snapshot");
	if (!rc && conf.policy == FSI_FS_NONE)
		rc = fsi_fail(err, FS_ENODATA, "FSPOLICY is NONE: there is no fair share");
	if (!rc)
		rc = solve_window_row(row, of, m, err);
	if (!rc && (row->mode == FS_TARGET_CAP_REL || row->mode == FS_TARGET_CAP_ABS))
		rc = fsi_fail(err, FS_EUSAGE, "its target is a cap, which gives no factor");
	return rc;
}

/* What is to be known is told of a change: where it has that target already another comes before. */
static int set_target(struct fsi_solver *s, double amount, bool tell)
{
	struct fsi_command c = { .len = 0 };

	if (tell && amount == s->given && set_target(s, amount + 1, false))
		return s->err->code;
	s->given = amount;
	s->m->scheduler->write_target(&c, s->credential.kind, fsi_str(s->m, s->credential.name), amount / HUNDREDTHS,
				      s->mode);
	snprintf(s->out->command[0], sizeof(s->out->command[0]), "%s", c.len ? c.text : "");
	return solve_give(s, s->out->command[0], tell);
}

/* Starts the search for a target of Maui, in hundredths of a percent from 1 to s->all - 1. Returns error codes of
 * fs_solve_shares. */
static int solve_start_target(struct fsi_solver *s)
{
	struct fs_window_row row;
	const int rc = solve_factor_of(&s->credential, s->m, &s->o, &row, s->err);

	if (rc)
		return rc;
	s->mode = row.mode;
	s->per = HUNDREDTHS;
	s->all = MOST_PERCENT * HUNDREDTHS + 1;
	s->set = set_target;
	s->out->amount[FS_SOLVE_NOW] = row.target;
	return 0;
}

/* ---- usage */

/* One more record of the current window, of what the last one told: a later one counts. */
static int add_record(struct fsi_solver *s, int k, int64_t start, uint32_t kind, uint32_t name)
{
	fs_snapshot *m = s->m;
	double was = 0;

	for (size_t i = 0; i < m->window.n; i++) {
		const struct fsi_window *v = &m->window.v[i];

		if (v->start == start && v->kind == kind && v->name == name)
			was = v->usage_s;
	}
	s->record[k].at = m->window.n;
	s->record[k].was = was;
	return fsi_window_add(m, start, kind, name, was) ? fsi_nomem(s->err) : 0;
}

static int add_records(struct fsi_solver *s, int64_t start)
{
	const uint32_t kind = fsi_name(s->m, fs_cred_kind_name(s->credential.kind)), all = fsi_name(s->m, "sched");
	int rc;

	if (kind == FSI_INTERN_FAILED || all == FSI_INTERN_FAILED)
		return fsi_nomem(s->err);
	rc = add_record(s, 0, start, kind, s->credential.name);
	return rc ? rc : add_record(s, 1, start, all, 0);
}

static int windows_set_usage(struct fsi_solver *s, double amount, bool tell)
{
	(void)tell;
	for (int k = 0; k < 2; k++)
		s->m->window.v[s->record[k].at].usage_s = s->record[k].was + (amount - s->now);
	return 0;
}

/* Starts the search for the usage of Maui's current window. Returns error codes of fs_solve_shares. */
static int solve_start_window(struct fsi_solver *s)
{
	struct fs_window_row row;
	struct fsi_windows w;
	uint32_t credential;
	int64_t start;
	int rc = solve_factor_of(&s->credential, s->m, &s->o, &row, s->err);

	if (!rc && !(row.target > 0))
		rc = fsi_fail(s->err, FS_EUSAGE, "it has no target, and with that no factor");
	if (!rc)
		rc = fsi_windows_load(&w, s->m, s->err);
	if (rc)
		return rc;
	credential = fsi_creds_find(&w.creds, s->credential.kind, s->credential.name);
	s->now = fsi_windows_of(&w, credential)[0];
	start = w.start;
	fsi_windows_release(&w);
	s->set = windows_set_usage;
	s->out->amount[FS_SOLVE_NOW] = s->now;
	return fsi_model_own(s->m) ? fsi_nomem(s->err) : add_records(s, start);
}

/* A goal is met by trying: shares are set by the scheduler's own command, usage in what is recorded of it, both as
 * whole numbers, and the way between an amount that meets the goal and one that does not is halved. No formula of an
 * algorithm stands here: whatever it does, the answer is what it computes for the changed state. */

/* src/plugins/priority/multifactor: 0x7fffffff says "as the parent". */
static const double max_shares = 2147483646.0;
static const double max_usage = 9007199254740992.0; /* above it a double does not tell whole seconds apart */

static int read_standing(struct fsi_solver *s, struct fs_standing *at)
{
	fs_shares *shares;
	const struct fs_share_row *r;
	const int rc = fs_shares_compute(&shares, s->m, &s->o.view, s->err);

	if (rc)
		return rc;
	if (s->o.row >= fs_shares_count(shares)) {
		fs_shares_free(shares);
		return fsi_fail(s->err, FS_EUSAGE, "it is no row of a tree of shares");
	}
	r = fs_shares_row(shares, s->o.row);
	*at = (struct fs_standing){ r->norm_shares, r->raw_usage, r->norm_usage, r->effective_usage,
				    r->level_fs, fs_share_factor(r), r->rank };
	fs_shares_free(shares);
	return 0;
}

static double measure(const struct fsi_solver *s, const struct fs_standing *at)
{
	if (s->o.goal == FS_GOAL_RANK)
		return at->rank ? (double)at->rank : (double)NAN;
	return s->o.goal == FS_GOAL_LEVEL ? at->level_fs : at->fairshare;
}

static int try(struct fsi_solver *s, double amount, enum fs_solve moment, bool tell)
{
	int rc = s->set(s, amount, tell);

	if (!rc)
		rc = read_standing(s, &s->out->at[moment]);
	s->out->amount[moment] = amount / s->per;
	return rc;
}

static bool solve_met(const struct fsi_solver *s, enum fs_solve moment)
{
	return measure(s, &s->out->at[moment]) >= s->o.value;
}

/* Halves the way from what misses the goal to what meets it, in either direction, both whole numbers. */
static int solve_halve(struct fsi_solver *s, double misses, double meets)
{
	int rc = 0;

	while (fabs(meets - misses) > 1 && !rc) {
		const double half = floor(misses / 2 + meets / 2);
		const double at = half == misses || half == meets ? half + 1 : half;

		rc = try(s, at, FS_SOLVE_THEN, false);
		if (!rc && solve_met(s, FS_SOLVE_THEN))
			meets = at;
		else
			misses = at;
	}
	if (!rc)
		rc = try(s, misses, FS_SOLVE_SHORT, false);
	return rc ? rc : try(s, meets, FS_SOLVE_THEN, true);
}

/* easy is the end of the range at which the goal is met if it can be; hard is the other end. */
static int search(struct fsi_solver *s, double easy, double hard)
{
	int rc = try(s, easy, FS_SOLVE_THEN, false);

	if (rc)
		return rc;
	s->out->possible = solve_met(s, FS_SOLVE_THEN);
	if (!s->out->possible)
		return s->set(s, easy, true);
	rc = try(s, hard, FS_SOLVE_THEN, false);
	if (rc)
		return rc;
	s->out->bounded = !solve_met(s, FS_SOLVE_THEN);
	return s->out->bounded ? solve_halve(s, hard, easy) : s->set(s, hard, true);
}

/* ---- what moves */

static void command_of(struct fsi_solver *s, uint32_t row, double shares, char out[FS_SOLVE_COMMAND])
{
	const struct fsi_association *a = &s->m->association.v[row];
	struct fsi_command c = { .len = 0 };

	s->m->scheduler->write_shares(&c, s->m, a, (uint32_t)shares);
	snprintf(out, FS_SOLVE_COMMAND, "%s", c.len ? c.text : "");
}

static int set_shares(struct fsi_solver *s, double amount, bool tell)
{
	int rc;

	command_of(s, s->of, amount, s->out->command[0]);
	rc = solve_give(s, s->out->command[0], tell);
	if (rc || s->o.from == FS_NO_ROW)
		return rc;
	command_of(s, s->o.from, s->all - amount, s->out->command[1]);
	return solve_give(s, s->out->command[1], tell);
}

static bool is_below(const fs_snapshot *m, uint32_t row, uint32_t above)
{
	while (row != FSI_NO_INDEX && row != above)
		row = m->tree[row].parent;
	return row == above;
}

/* An account's usage beyond that of those below it is its own; where it has less than they have used, each of them
 * gets its part, as decay would leave it. What the scheduler printed no longer tells of a state that is not its own. */
static int solve_set_usage(struct fsi_solver *s, double amount, bool tell)
{
	const double own = s->own + (amount - s->usage), part = own < 0 ? amount / s->usage : 1;

	(void)tell;
	if (fsi_model_own(s->m))
		return fsi_nomem(s->err);
	s->m->recorded.n = 0;
	for (uint32_t i = 0; i < s->m->association.n; i++)
		if (is_below(s->m, i, s->of))
			s->m->association.v[i].usage_tres_s = s->kept[i] * part;
	if (own >= 0)
		s->m->association.v[s->of].usage_tres_s = own;
	return 0;
}

/* ---- questions */

static bool has_shares(const struct fsi_solver *s, uint32_t row)
{
	const struct fsi_association *a = &s->m->association.v[row];

	return FSI_HAS(a, ASSOCIATION, shares) && !fsi_uses_parent_shares(a) && s->m->tree[row].parent != FSI_NO_INDEX;
}

static int check_goal(struct fsi_solver *s)
{
	static const char *const what[] = { "fair-share factor", "rank", "level_fs" };
	const double v = measure(s, &s->out->at[FS_SOLVE_NOW]);

	if (!isnan(v))
		return 0;
	return fsi_fail(s->err, FS_EUSAGE, "the row has no %s that is known", what[s->o.goal]);
}

static int start(struct fsi_solver *s, struct fs_solution *out, fs_snapshot *m, const struct fs_solve_options *options,
		 struct fs_error *err)
{
	*s = (struct fsi_solver){ .m = m, .out = out, .err = err, .per = 1 };
	FSI_OPTIONS(s->o, options);
	s->o.view.usage = NULL;
	s->of = s->o.of == FS_NO_ROW ? s->o.row : s->o.of;
	*out = (struct fs_solution){ .possible = true };
	for (int i = 0; i < FS_SOLVE_COUNT; i++)
		out->amount[i] = out->from[i] = (double)NAN;
	if (!m->scheduler->in_windows && (s->o.row >= m->association.n || s->of >= m->association.n ||
					    (s->o.from != FS_NO_ROW && s->o.from >= m->association.n)))
		return fsi_fail(err, FS_EUSAGE, "it is no row of a tree of shares");
	if (fsi_hidden(m, "association"))
		return fsi_fail(err, FS_ENODATA, "part of the tree was hidden from the capture");
	return read_standing(s, &out->at[FS_SOLVE_NOW]);
}

static int start_shares(struct fsi_solver *s)
{
	const struct fsi_association *v = s->m->association.v;

	if (!s->m->scheduler->write_shares)
		return fsi_fail(s->err, FS_ENODATA, "the scheduler has no command that sets shares");
	if (!has_shares(s, s->of) || (s->o.from != FS_NO_ROW && !has_shares(s, s->o.from)))
		return fsi_fail(s->err, FS_EUSAGE, "there are no shares of its own to change: it has those of its parent, or is the root");
	if (s->o.from != FS_NO_ROW && (s->o.from == s->of || s->m->tree[s->o.from].parent != s->m->tree[s->of].parent))
		return fsi_fail(s->err, FS_EUSAGE, "shares are given by a sibling");
	s->now = v[s->of].shares;
	s->all = s->o.from == FS_NO_ROW ? max_shares + 1 : s->now + v[s->o.from].shares;
	s->set = set_shares;
	s->out->amount[FS_SOLVE_NOW] = s->now;
	return s->all < 2 ? fsi_fail(s->err, FS_EUSAGE, "there are no shares to give") : 0;
}

static void fill_from(struct fsi_solver *s)
{
	for (int i = 0; i < FS_SOLVE_COUNT && s->o.from != FS_NO_ROW; i++)
		s->out->from[i] = s->all - s->out->amount[i];
}

int fs_solve_shares(fs_snapshot *m, const struct fs_solve_options *options, struct fs_solution *out,
		    struct fs_error *err)
{
	struct fsi_solver s;
	int rc = start(&s, out, m, options, err);

	if (!rc)
		rc = m->scheduler->in_windows ? solve_start_target(&s) : start_shares(&s);
	if (!rc && !m->scheduler->in_windows)
		rc = check_goal(&s);
	if (!rc)
		rc = search(&s, s.all - 1, 1);
	fill_from(&s);
	return rc;
}

static int start_usage(struct fsi_solver *s)
{
	const struct fsi_association *a = &s->m->association.v[s->of];
	fs_shares *shares;
	int rc = fs_shares_compute(&shares, s->m, &s->o.view, s->err);

	if (rc)
		return rc;
	s->now = s->usage = fs_shares_row(shares, s->of)->raw_usage;
	s->own = FSI_HAS(a, ASSOCIATION, usage_tres_s) ? a->usage_tres_s : (double)NAN;
	fs_shares_free(shares);
	s->set = solve_set_usage;
	s->out->amount[FS_SOLVE_NOW] = s->now;
	s->kept = calloc((size_t)s->m->association.n + 1, sizeof(*s->kept));
	if (!s->kept)
		return fsi_nomem(s->err);
	for (uint32_t i = 0; i < s->m->association.n; i++)
		s->kept[i] = s->m->association.v[i].usage_tres_s;
	if (isnan(s->usage) || isnan(s->own))
		return fsi_fail(s->err, FS_ENODATA, "the usage of the row is not in the snapshot");
	return 0;
}

int fs_solve_usage(fs_snapshot *m, const struct fs_solve_options *options, struct fs_solution *out,
		   struct fs_error *err)
{
	struct fsi_solver s;
	int rc = start(&s, out, m, options, err);

	if (!rc)
		rc = m->scheduler->in_windows ? solve_start_window(&s) : start_usage(&s);
	if (!rc)
		rc = check_goal(&s);
	if (!rc)
		rc = search(&s, 0, max_usage);
	free(s.kept);
	return rc;
}

int fs_solve_charge(fs_snapshot *m, const struct fs_solve_options *options, double tres_s,
		    struct fs_solution *out, struct fs_error *err)
{
	struct fsi_solver s;
	int rc = start(&s, out, m, options, err);

	if (!rc)
		rc = m->scheduler->in_windows ? solve_start_window(&s) : start_usage(&s);
	if (!rc)
		rc = try(&s, s.now + tres_s, FS_SOLVE_THEN, true);
	free(s.kept);
	return rc;
}

static double shares_of_all(const struct fsi_solver *s)
{
	const uint32_t parent = s->m->tree[s->of].parent;
	double sum = 0;

	for (uint32_t i = 0; i < s->m->association.n; i++)
		if (s->m->tree[i].parent == parent && has_shares(s, i) && !s->m->tree[i].uncounted)
			sum += s->m->association.v[i].shares;
	return sum;
}

int fs_solve_hardware(fs_snapshot *m, const struct fs_solve_options *options, double have, double more,
		      struct fs_solution *out, struct fs_error *err)
{
	struct fsi_solver s;
	double shares;
	int rc = start(&s, out, m, options, err);

	if (!rc)
		rc = start_shares(&s);
	if (rc)
		return rc;
	if (!(have > 0) || !(more >= 0))
		return fsi_fail(err, FS_ENODATA, "what the hardware there is bills is not known");
	shares = round(s.now + shares_of_all(&s) * more / have);
	if (!(shares >= 1 && shares <= s.all - 1))
		return fsi_fail(err, FS_EUSAGE, "that would be %.0f shares", shares);
	rc = try(&s, shares, FS_SOLVE_THEN, true);
	fill_from(&s);
	return rc;
}

/* When a factor that hangs on windows gets somewhere. Between two windows it moves only as running jobs are charged,
 * and one way only while the same ones run: usage and total are lines, and their quotient rises or falls throughout.
 * So the clock is set from one window, and from one end of a job, to the next, and only where the goal is met at the
 * end of such a stretch is the way there halved. Each moment is a copy of the snapshot with that clock, in which
 * what ended windows were charged stands as the scheduler's own files have it; the factor is what is computed of
 * that. A window is over at the first iteration that is one RMPOLLINTERVAL behind its end, which is still charged to
 * it (libfs/usage/windows.c). When as many have gone by as count, and nothing ends any more, each is as the
 * last. */

enum { MAX_WINDOWS = 1000 };

struct clock {
	struct fsi_window_clock to;
	struct fs_solve_options o;
	struct fs_error *err;
	struct fsi_solve_credential of;
	double last; /* the factor at the iteration looked at last */
};

static int factor_at(struct clock *c, int64_t t, double *out)
{
	struct fs_window_row row;
	int rc = fsi_window_clock_set(&c->to, t, c->err);

	if (!rc)
		rc = solve_window_row(&row, &c->of, c->to.m, c->err);
	if (!rc)
		*out = c->last = row.factor;
	return rc;
}

/* ---- the way */

static bool window_time_met(const struct clock *c, double factor)
{
	return factor >= c->o.value;
}

static int found(struct clock *c, int64_t t, double before, struct fs_solve_time *out)
{
	out->never = false;
	out->time = t;
	out->before = before;
	return factor_at(c, t, &out->after);
}

/* Met at `to`, and not at `from`, between which nothing ends. */
static int window_time_halve(struct clock *c, int64_t from, int64_t to, struct fs_solve_time *out)
{
	double f = NAN;
	int rc = 0;

	while (!rc && to - from > c->to.conf.poll_s) {
		const int64_t half = fsi_window_clock_iteration(&c->to, from + (to - from) / 2);
		const int64_t at = half < to ? half : to - c->to.conf.poll_s;

		rc = factor_at(c, at, &f);
		if (window_time_met(c, f))
			to = at;
		else
			from = at;
	}
	if (!rc)
		rc = factor_at(c, from, &f);
	return rc ? rc : found(c, to, f, out);
}

/* The iteration at which the stretch that begins with this one ends, at most `last`. */
static int64_t stretch_end(const struct clock *c, int64_t from, int64_t last)
{
	for (size_t i = 0; i < c->to.nends; i++) {
		const int64_t t = fsi_window_clock_iteration(&c->to, c->to.end[i]);

		if (t > from)
			return t < last ? t : last;
	}
	return last;
}

/* Within window k, from that iteration on. *done: it was found. */
static int look_within(struct clock *c, int64_t k, int64_t from, struct fs_solve_time *out, bool *done)
{
	const int64_t last = fsi_window_clock_last(&c->to, k);
	const double before = c->last;
	double f;
	int rc = factor_at(c, from, &f);

	*done = !rc && window_time_met(c, f);
	if (rc || *done)
		return rc ? rc : found(c, from, before, out);
	while (from < last && !*done) {
		const int64_t to = stretch_end(c, from, last);

		rc = factor_at(c, to, &f);
		*done = !rc && window_time_met(c, f);
		if (rc || *done)
			return rc ? rc : window_time_halve(c, from, to, out);
		from = to;
	}
	return 0;
}

static int run(struct clock *c, struct fs_solve_time *out)
{
	const int64_t windows = c->to.steady + c->to.conf.depth + 1, n = windows < MAX_WINDOWS ? windows : MAX_WINDOWS;
	const int64_t next = c->to.began + c->to.conf.poll_s;
	bool done = false;
	int rc = factor_at(c, c->to.began, &out->before);

	for (int64_t k = 0; k < n && !rc && !done; k++)
		if (k || next <= fsi_window_clock_last(&c->to, k))
			rc = look_within(c, k, k ? fsi_window_clock_first(&c->to, k) : next, out, &done);
	return rc;
}

static enum fs_running what_runs(enum fs_assumption a)
{
	if (a == FS_ASSUME_IDLE)
		return FS_RUNNING_NONE;
	return a == FS_ASSUME_RUNNING ? FS_RUNNING_TO_LIMIT : FS_RUNNING_FOR_EVER;
}

static int begin(struct clock *c, const fs_snapshot *m, enum fs_assumption a)
{
	struct fs_window_row row;
	int rc;

	if (!m->scheduler->in_windows)
		return fsi_fail(c->err, FS_EUSAGE, "%s: there are no windows", m->file);
	rc = solve_factor_of(&c->of, m, &c->o, &row, c->err);
	if (!rc && !(row.target > 0))
		rc = fsi_fail(c->err, FS_EUSAGE, "it has no target, and with that no factor");
	return rc ? rc : fsi_window_clock_begin(&c->to, m, what_runs(a), NULL, c->err);
}

int fs_solve_window_time(const fs_snapshot *m, const struct fs_solve_options *options,
			 enum fs_assumption assumption, struct fs_solve_time *out, struct fs_error *err)
{
	struct fs_error own;
	struct clock c = { .err = err ? err : &own, .last = NAN };
	int rc;

	FSI_OPTIONS(c.o, options);
	c.o.view.usage = NULL;
	*out = (struct fs_solve_time){ .never = true, .time = FS_UNKNOWN, .before = NAN, .after = NAN };
	rc = begin(&c, m, assumption);
	if (!rc)
		rc = run(&c, out);
	if (!rc && out->never)
		out->after = c.last;
	fsi_window_clock_release(&c.to);
	return rc;
}
