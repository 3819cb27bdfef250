/* fs-share --solve: what would have to be for a standing. */
#include "share/solve/solve.h"

#include "picture/forecast.h"
#include "threads.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void note_if(void *ctx, const char *sentence)
{
	const struct share_run *r = ctx;

	complain(r->inv, "if so: %s", sentence);
}

/* ---- whose */

/* Finds the one row that is asked about: a user's, or that of an account if no user was named. */
static int find_subject(const struct share_run *r, const struct fs_share_row **out)
{
	const bool of_account = r->accounts.n && !r->users.given;
	size_t n = 0;

	for (size_t i = 0; i < r->rows.n; i++) {
		const struct fs_share_row *row = r->rows.v[i];

		if (of_account ? !*row->user && names_has(&r->accounts, row->account) : *row->user && row->visible) {
			*out = row;
			n++;
		}
	}
	if (n == 1)
		return 0;
	complain(r->inv, n ? "--solve: these are %zu rows, a question is of one: name a user with -u, and with -A the account, or an account alone" :
			     "--solve: no user is among the rows", n);
	return n ? usage_status(r->inv) : EXIT_NOTHING;
}

/* Finds the account of that name, or, given a row, the sibling of that name, which may be a user. */
static const struct fs_share_row *find_name(const fs_shares *s, const char *name,
					    const struct fs_share_row *sibling)
{
	for (size_t i = 0; i < fs_shares_count(s); i++) {
		const struct fs_share_row *row = fs_shares_row(s, i);

		if (sibling ? row->parent_row == sibling->parent_row && row != sibling &&
				      !strcmp(*row->user ? row->user : row->account, name)
			    : !*row->user && !strcmp(row->account, name))
			return row;
	}
	return NULL;
}

static int copy_row(struct fs_share_row *to, const struct fs_share_row *row)
{
	*to = *row;
	to->account = strdup(row->account);
	to->user = strdup(row->user);
	to->partition = strdup(row->partition);
	return to->account && to->user && to->partition ? 0 : -1;
}

static void free_row(struct fs_share_row *row)
{
	free((void *)(uintptr_t)row->account);
	free((void *)(uintptr_t)row->user);
	free((void *)(uintptr_t)row->partition);
}

/* Copies the rows: trying changes on the snapshot moves its texts. */
static int find_others(struct solve_answer *a, const fs_shares *shares, const struct fs_share_row *row)
{
	const struct fs_share_row *of = a->q->of ? find_name(shares, a->q->of, NULL) : row;
	const struct fs_share_row *from = of && a->q->from ? find_name(shares, a->q->from, of) : NULL;

	if (!of || (a->q->from && !from)) {
		complain(a->r->inv, of ? "--solve: no sibling \"%s\" to take shares from" : "--solve: no account \"%s\"",
			 of ? a->q->from : a->q->of);
		return EXIT_NOTHING;
	}
	a->users = fs_shares_users(shares);
	if (copy_row(&a->row, row) || copy_row(&a->of, of) || (from && copy_row(&a->from, from)))
		return no_memory(a->r->inv);
	return 0;
}

/* ---- answers */

static struct fs_solve_options options_of(const struct solve_answer *a)
{
	struct fs_solve_options o = FS_SOLVE_OPTIONS_INIT;

	o.view = input_view(&a->r->input);
	o.row = a->row.row;
	o.of = a->of.row;
	o.from = a->from.account ? a->from.row : FS_NO_ROW;
	o.goal = a->q->goal;
	o.value = a->q->value;
	o.note = note_if;
	o.note_ctx = (void *)(uintptr_t)a->r;
	return o;
}

static int bill(const struct solve_answer *a, const char *text, double *rate, struct fs_error *err)
{
	struct fs_tres tres[FS_BILL_MAX];
	struct fs_bill b;
	const int n = fs_tres_parse(a->r->snapshot, text, tres, FS_BILL_MAX, err);
	const int rc = n < 0 ? err->code : fs_bill_tres(a->r->snapshot, a->q->partition, tres, (size_t)n, &b, err);

	if (!rc)
		*rate = b.rate;
	return rc;
}

static int charge(struct solve_answer *a, fs_snapshot *s, struct fs_error *err)
{
	const struct fs_solve_options o = options_of(a);
	int rc = 0;

	a->rate = a->q->procs;
	if (!a->q->windows)
		rc = bill(a, a->q->tres, &a->rate, err);
	if (rc)
		return rc;
	a->tres_s = a->rate * a->q->seconds * a->q->jobs;
	return fs_solve_charge(s, &o, a->tres_s, &a->found, err);
}

static int hardware(struct solve_answer *a, fs_snapshot *s, struct fs_error *err)
{
	const struct fs_solve_options o = options_of(a);
	struct fs_bill all;
	int rc = bill(a, a->q->tres, &a->rate, err);

	if (!rc && a->q->have)
		rc = bill(a, a->q->have, &a->have, err);
	else if (!rc) {
		rc = fs_bill_nodes(s, a->q->partition, &all, err);
		a->have = rc ? (double)NAN : all.rate;
	}
	return rc ? rc : fs_solve_hardware(s, &o, a->have, a->rate, &a->found, err);
}

static bool met_now(const struct solve_answer *a)
{
	return a->q->goal == FS_GOAL_RANK ? a->row.rank >= a->q->value : fs_share_factor(&a->row) >= a->q->value;
}

static void keep_events(struct solve_answer *a, const fs_forecast *f)
{
	for (size_t i = fs_forecast_events(f); i--;) {
		const struct fs_forecast_event *e = fs_forecast_event(f, i);

		for (int k = 0; e->kind == FS_FORECAST_GOAL && k < FS_ASSUMPTION_COUNT; k++)
			if (e->assumptions >> k & 1)
				a->when[k].event = *e;
	}
	for (int k = 0; k < FS_ASSUMPTION_COUNT; k++)
		a->when[k].already = met_now(a);
}

/* Where usage stands in windows: of shares nothing is supposed, as there are none. */
static int when_in_windows(struct solve_answer *a, const fs_snapshot *s, struct fs_error *err)
{
	const struct fs_solve_options o = options_of(a);

	for (int k = 0; k < FS_ASSUMPTION_COUNT; k++) {
		struct fs_forecast_event *e = &a->when[k].event;
		struct fs_solve_time t;
		int rc;

		if (k == FS_ASSUME_SHARES)
			continue;
		rc = fs_solve_window_time(s, &o, (enum fs_assumption)k, &t, err);
		if (rc)
			return rc;
		e->assumptions = 1u << k;
		e->time = t.time;
		e->never = t.never;
		e->before.fairshare = t.before;
		e->after.fairshare = t.after;
		a->when[k].already = met_now(a);
	}
	return 0;
}

static int when(struct solve_answer *a, fs_snapshot *s, struct fs_error *err)
{
	struct fs_forecast_options o = FS_FORECAST_OPTIONS_INIT;
	struct fs_eval eval;
	fs_forecast *f = NULL;
	int rc;

	if (isnan(fs_share_factor(&a->row)) || (a->q->goal == FS_GOAL_RANK && !a->row.rank)) {
		*err = (struct fs_error){ .code = FS_EUSAGE };
		snprintf(err->message, sizeof(err->message), "the row has no %s that is known",
			 a->q->goal == FS_GOAL_RANK ? "rank" : "fair-share factor");
		return err->code;
	}
	if (a->q->windows)
		return when_in_windows(a, s, err);
	o.view = input_view(&a->r->input);
	o.eval = &eval;
	o.points = 2;
	o.job_row = FS_NO_ROW;
	o.share_row = a->row.row;
	o.goal_factor = a->q->goal == FS_GOAL_FACTOR ? a->q->value : 0;
	o.goal_rank = a->q->goal == FS_GOAL_RANK ? (uint32_t)a->q->value : 0;
	rc = forecast_until(s, NULL, &o.until, err);
	if (!rc)
		rc = fs_eval_compute(s, &o.view, threads_run, NULL, &eval, err);
	if (rc)
		return rc;
	rc = fs_forecast_compute(&f, s, &o, err);
	if (!rc)
		keep_events(a, f);
	fs_forecast_free(f);
	fs_eval_release(&eval);
	return rc;
}

static int answer(struct solve_answer *a, fs_snapshot *s)
{
	const struct fs_solve_options o = options_of(a);
	struct fs_error err;
	int rc;

	switch (a->q->kind) {
	case SOLVE_SHARES:
	case SOLVE_TARGET:
		rc = fs_solve_shares(s, &o, &a->found, &err);
		break;
	case SOLVE_USAGE:
		rc = fs_solve_usage(s, &o, &a->found, &err);
		break;
	case SOLVE_TIME:
		rc = when(a, s, &err);
		break;
	case SOLVE_JOB:
		rc = charge(a, s, &err);
		break;
	default:
		rc = hardware(a, s, &err);
	}
	return rc ? report(a->r->inv, &err) : 0;
}

int share_solve(struct share_run *r)
{
	struct solve_question q;
	struct solve_answer a = { .r = r, .q = &q, .rate = NAN, .have = NAN, .tres_s = NAN };
	const struct fs_share_row *row = NULL;
	int status = solve_parse(r, r->of, &q);

	if (!status)
		status = find_subject(r, &row);
	if (!status)
		status = find_others(&a, r->shares, row);
	if (!status)
		status = answer(&a, r->snapshot);
	if (!status)
		status = r->json ? solve_json(&a) : solve_text(&a);
	free_row(&a.row);
	free_row(&a.of);
	free_row(&a.from);
	return status;
}
