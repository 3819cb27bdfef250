/* Targets and windows: a target is given by the scheduler's own line, usage is what the current window holds. */
#include "solve/solver.h"

#include "base/error.h"
#include "model/scheduler.h"
#include "scenario/write.h"
#include "usage/window_clock.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

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

int fsi_solve_window_row(struct fs_window_row *out, const struct fsi_solve_credential *of, const fs_snapshot *m,
			 const struct fs_solve_options *o, struct fs_error *err)
{
	fs_windows *w;
	const int rc = fs_windows_compute(&w, m, o->view.maui_dialect, err);

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

int fsi_solve_factor_of(struct fsi_solve_credential *of, const fs_snapshot *m, const struct fs_solve_options *o,
			struct fs_window_row *row, struct fs_error *err)
{
	struct fsi_maui_conf conf;
	int rc = find_credential(of, m, o, err);

	if (!rc)
		rc = fsi_maui_conf_load(m, o->view.maui_dialect, &conf, err);
	if (!rc && !conf.has_policy)
		rc = fsi_fail(err, FS_ENODATA, "FSPOLICY is not in the snapshot");
	if (!rc && conf.policy == FSI_FS_NONE)
		rc = fsi_fail(err, FS_ENODATA, "FSPOLICY is NONE: there is no fair share");
	if (!rc)
		rc = fsi_solve_window_row(row, of, m, o, err);
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
	return fsi_solve_give(s, s->out->command[0], tell);
}

int fsi_solve_start_target(struct fsi_solver *s)
{
	struct fs_window_row row;
	const int rc = fsi_solve_factor_of(&s->credential, s->m, &s->o, &row, s->err);

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

static int set_usage(struct fsi_solver *s, double amount, bool tell)
{
	(void)tell;
	for (int k = 0; k < 2; k++)
		s->m->window.v[s->record[k].at].usage_s = s->record[k].was + (amount - s->now);
	return 0;
}

int fsi_solve_start_window(struct fsi_solver *s)
{
	struct fs_window_row row;
	struct fsi_windows w;
	uint32_t credential;
	int64_t start;
	int rc = fsi_solve_factor_of(&s->credential, s->m, &s->o, &row, s->err);

	if (!rc && !(row.target > 0))
		rc = fsi_fail(s->err, FS_EUSAGE, "it has no target, and with that no factor");
	if (!rc)
		rc = fsi_windows_load(&w, s->m, s->o.view.maui_dialect, s->err);
	if (rc)
		return rc;
	credential = fsi_creds_find(&w.creds, s->credential.kind, s->credential.name);
	s->now = fsi_windows_of(&w, credential)[0];
	start = w.start;
	fsi_windows_release(&w);
	s->set = set_usage;
	s->out->amount[FS_SOLVE_NOW] = s->now;
	return fsi_model_own(s->m) ? fsi_nomem(s->err) : add_records(s, start);
}
