#include "fairshare/maui.h"

#include "usage/usage.h"

#include <math.h>
#include <stdlib.h>

/* Maui's targets, floors, ceilings and caps (src/moab/MPriority.c:MJobGetStartPriority, MFS.c:MFSCheckCap, MFSShow).
 *
 *   P = usage / total usage * 100, T = the credential's target if it is above 0, else the target of DEFAULT
 *   factor = T - P, or 1 - P / T if FSPOLICY has a %
 *   floor target: factor at least 0; ceiling target: factor at most 0; caps: factor 0
 *   cap_abs: a job is held if usage + need > cap; cap_rel: if (usage + need) / total * 100 > cap
 *   need = processors * time limit; DEDICATEDPES: whole processor equivalents, not multiplied by seconds
 *
 * According to the manual, a cap holds jobs as soon as usage reaches the cap (>=), and DEFAULT's cap applies to all
 * credentials of its kind. In the code, usage must exceed the cap, and a cap from DEFAULT is not checked. A target that
 * is not a cap is compared with 0. A negative target of any mode therefore holds all jobs of the credential. */

static const struct fsi_credential *get_credential_row(const struct fs_windows *w, uint32_t i)
{
	return &w->w.m->credential.v[i];
}

static enum fs_cred_kind get_credential_kind(const struct fs_windows *w, uint32_t i)
{
	return (enum fs_cred_kind)fsi_parse_cred_kind(fsi_name_text(w->w.m, get_credential_row(w, i)->kind));
}

static enum fs_target_mode get_target_mode(const struct fs_windows *w, uint32_t i)
{
	return (enum fs_target_mode)fsi_parse_target_mode(fsi_name_text(w->w.m, get_credential_row(w, i)->target_mode));
}

/* Returns the credential whose target applies to credential i: itself, DEFAULT, or none (FSI_NO_INDEX). */
static uint32_t find_target_holder(const struct fs_windows *w, uint32_t i)
{
	return get_credential_row(w, i)->target > 0 ? i : w->fallback[get_credential_kind(w, i)];
}

uint32_t fsi_maui_priority_holder(const struct fs_windows *w, enum fs_cred_kind kind, uint32_t i)
{
	if (i != FSI_NO_INDEX && get_credential_row(w, i)->priority)
		return i;
	return kind == FS_CRED_QOS ? FSI_NO_INDEX : w->fallback[kind];
}

void fsi_windows_job_credentials(const struct fs_windows *w, const struct fsi_job *job,
				 uint32_t credential[FS_CRED_KINDS])
{
	fsi_job_find_creds(w->w.m, &w->w.creds, job, credential);
}

uint32_t fsi_windows_credential_row(const struct fs_windows *w, uint32_t i)
{
	return w->row_of[i];
}

bool fsi_windows_default_priority(const struct fs_windows *w, enum fs_cred_kind kind, uint32_t i)
{
	const uint32_t holder = fsi_maui_priority_holder(w, kind, i);

	return holder != i && holder != FSI_NO_INDEX;
}

static double clamp_to_mode(double factor, enum fs_target_mode mode)
{
	switch (mode) {
	case FS_TARGET_FLOOR:
		return factor > 0 ? factor : 0;
	case FS_TARGET_CEILING:
		return factor < 0 ? factor : 0;
	case FS_TARGET_CAP_REL:
	case FS_TARGET_CAP_ABS:
		return 0;
	default:
		return factor;
	}
}

double fsi_maui_compute_factor(const struct fs_windows *w, uint32_t i)
{
	const uint32_t holder = find_target_holder(w, i);
	const double target = holder == FSI_NO_INDEX ? 0 : get_credential_row(w, holder)->target;
	const double percent = fsi_windows_percent(&w->w, fsi_windows_sum(&w->w, i));

	if (!w->w.conf.has_policy && target > 0)
		return NAN;
	if (w->w.conf.policy == FSI_FS_NONE || !(fsi_windows_total(&w->w) > 0) || !(target > 0))
		return 0;
	return clamp_to_mode(w->w.conf.ratio ? 1.0 - percent / target : target - percent, get_target_mode(w, holder));
}

static bool is_off_target(const struct fs_windows *w, const struct fs_window_row *r)
{
	if (!(r->target > 0) || !(fsi_windows_total(&w->w) > 0))
		return false;
	switch (r->mode) {
	case FS_TARGET_FLOOR:
		return r->percent < r->target;
	case FS_TARGET_CEILING:
		return r->percent > r->target;
	case FS_TARGET_EXACT:
		return fabs(r->percent - r->target) > 5.0;
	default:
		return false;
	}
}

static struct fs_window_row make_window_row(const struct fs_windows *w, uint32_t i)
{
	const uint32_t holder = find_target_holder(w, i);
	const double *u = fsi_windows_of_row(&w->w, i);
	struct fs_window_row r = {
		.kind = get_credential_kind(w, i),
		.name = fsi_name_text(w->w.m, get_credential_row(w, i)->name),
		.target = holder == FSI_NO_INDEX ? 0 : get_credential_row(w, holder)->target,
		.mode = holder == FSI_NO_INDEX ? FS_TARGET_EXACT : get_target_mode(w, holder),
		.inherited = holder != i && holder != FSI_NO_INDEX,
		.window_usage_s = u,
		.usage_s = fsi_windows_sum(&w->w, i),
		.factor = fsi_maui_compute_factor(w, i),
	};

	r.percent = fsi_windows_percent(&w->w, r.usage_s);
	r.off_target = is_off_target(w, &r);
	r.empty = r.target == 0 && w->w.past[i] == 0 && u[0] == 0;
	return r;
}

/* Fills *r from the percentages that diagnose -f printed. Called for a pasted snapshot, which has no windows. */
static void use_printed_percent(const struct fs_windows *w, uint32_t i, struct fs_window_row *r)
{
	const struct fsi_credential *c = get_credential_row(w, i);

	r->usage_s = r->factor = NAN;
	r->percent = FSI_HAS(c, CREDENTIAL, usage_percent) ? c->usage_percent : (double)NAN;
	r->empty = isnan(r->percent) && !FSI_HAS(c, CREDENTIAL, target);
}

static bool is_pasted_snapshot(const fs_snapshot *m)
{
	return fsi_is_type_hidden(m, FSI_HIDDEN_JOB_FIELDS) && !m->window.n;
}

static int make_window_rows(struct fs_windows *w)
{
	const fs_snapshot *m = w->w.m;

	w->rows = fsi_arena_array(&w->arena, m->credential.n + 1, sizeof(*w->rows));
	w->row_of = fsi_arena_array(&w->arena, m->credential.n + 1, sizeof(*w->row_of));
	if (!w->rows || !w->row_of)
		return -1;
	for (int k = 0; k < FS_CRED_KINDS; k++)
		w->fallback[k] = fsi_maui_find_default(&w->w.creds, m, (enum fs_cred_kind)k);
	for (int k = 0; k < FS_CRED_KINDS; k++) {
		uint32_t *order;
		const int64_t n = fsi_maui_list_credentials(m, (enum fs_cred_kind)k, &order);

		if (n < 0)
			return -1;
		for (int64_t i = 0; i < n; i++) {
			w->row_of[order[i]] = (uint32_t)w->n;
			w->rows[w->n] = make_window_row(w, order[i]);
			if (is_pasted_snapshot(m))
				use_printed_percent(w, order[i], &w->rows[w->n]);
			w->n++;
		}
		free(order);
	}
	return 0;
}

static void fill_windows_info(struct fs_windows *w)
{
	const struct fsi_maui_conf *c = &w->w.conf;

	w->info = (struct fs_windows_info){
		.policy = c->has_policy ? fsi_fs_policy_names[c->policy] : "unknown",
		.ratio = c->ratio,
		.depth = c->depth,
		.interval_s = c->interval_s,
		.has_depth = c->has_depth,
		.has_interval = c->has_interval,
		.decay = c->has_decay ? c->decay : (double)NAN,
		.start = w->w.start,
		.weight = w->w.weight,
		.total_usage_s = fsi_windows_of_row(&w->w, w->w.n - 1),
		.usage_s = is_pasted_snapshot(w->w.m) ? (double)NAN : fsi_windows_total(&w->w),
	};
}

int fs_windows_compute(fs_windows **out, const fs_snapshot *m, struct fs_error *err)
{
	struct fs_windows *w;
	int rc;

	if (!m->credential.n)
		return fsi_fail_with_code(err, FS_ENODATA,
					  "%s: the snapshot has no credentials: it is not a Maui snapshot", m->file);
	w = calloc(1, sizeof(*w));
	if (!w)
		return fsi_fail_no_memory(err);
	rc = fsi_windows_load(&w->w, m, err);
	if (!rc && make_window_rows(w))
		rc = fsi_fail_no_memory(err);
	if (rc) {
		fs_windows_free(w);
		return rc;
	}
	fill_windows_info(w);
	*out = w;
	return 0;
}

void fs_windows_free(fs_windows *w)
{
	if (!w)
		return;
	fsi_windows_release(&w->w);
	fsi_arena_release(&w->arena);
	free(w);
}

const struct fs_windows_info *fs_windows_info(const fs_windows *w)
{
	return &w->info;
}

size_t fs_windows_count(const fs_windows *w)
{
	return w ? w->n : 0;
}

const struct fs_window_row *fs_windows_row(const fs_windows *w, size_t i)
{
	return i < fs_windows_count(w) ? &w->rows[i] : NULL;
}

int64_t fs_windows_start(const fs_windows *w, uint32_t i)
{
	return w->info.start - (int64_t)i * w->info.interval_s;
}

double fs_windows_weighted_usage_s(const fs_windows *w, const struct fs_window_row *row, uint32_t i)
{
	return row->window_usage_s[i] * w->info.weight[i];
}

static double compute_job_need(const struct fs_windows *w, const struct fsi_job *job)
{
	if (w->w.conf.policy == FSI_FS_DEDICATEDPES)
		return trunc(fsi_maui_processor_equivalents(w->w.m, &w->w.totals, job));
	return (double)job->cpus * (double)job->time_limit_s;
}

static bool is_over_cap(const struct fs_windows *w, uint32_t i, double asked, struct fs_cap_row *out)
{
	const double sum = fsi_windows_sum(&w->w, i), total = fsi_windows_total(&w->w);
	double reached = 0;

	*out = (struct fs_cap_row){ .kind = get_credential_kind(w, i),
				    .name = fsi_name_text(w->w.m, get_credential_row(w, i)->name),
				    .mode = get_target_mode(w, i),
				    .cap = get_credential_row(w, i)->target,
				    .usage = sum,
				    .need = asked };
	if (out->mode == FS_TARGET_CAP_ABS) {
		reached = sum + asked;
	} else if (out->mode == FS_TARGET_CAP_REL) {
		reached = total > 0 ? (sum + asked) / total * 100.0 : 0;
		out->usage = fsi_windows_percent(&w->w, sum);
		out->need = fsi_windows_percent(&w->w, asked);
	}
	out->together = out->usage + out->need;
	return reached > out->cap;
}

/* Returns false if no cap can hold the job: FSPOLICY is NONE, or the job is not pending. Otherwise sets rows[] to the
 * job's credentials, and *asked to the usage that the job would add (`need` at the top of this file). */
static bool may_job_be_capped(const struct fs_windows *w, uint32_t job_row, uint32_t rows[FS_CRED_KINDS], double *asked)
{
	const struct fsi_job *job = job_row < w->w.m->job.n ? &w->w.m->job.v[job_row] : NULL;

	if (w->w.conf.policy == FSI_FS_NONE || !job || job->state != FSI_STATE_PENDING)
		return false;
	*asked = compute_job_need(w, job);
	fsi_job_find_creds(w->w.m, &w->w.creds, job, rows);
	return true;
}

bool fs_windows_capped(const fs_windows *w, uint32_t job_row, struct fs_cap_row *out)
{
	/* the order in which Maui checks credentials */
	static const enum fs_cred_kind order[] = { FS_CRED_USER, FS_CRED_GROUP, FS_CRED_ACCT,
						   FS_CRED_CLASS, FS_CRED_QOS };
	uint32_t rows[FS_CRED_KINDS];
	double asked;

	if (!may_job_be_capped(w, job_row, rows, &asked))
		return false;
	for (size_t i = 0; i < sizeof(order) / sizeof(*order); i++)
		if (rows[order[i]] != FSI_NO_INDEX && is_over_cap(w, rows[order[i]], asked, out)) {
			const struct fsi_job *job = &w->w.m->job.v[job_row];

			out->job = job->id;
			out->job_name = fsi_name_text(w->w.m, job->name);
			out->user = fsi_name_text(w->w.m, job->user);
			return true;
		}
	return false;
}

/* ---- rows of fs_shares for a Maui snapshot: the root is the total, its children are the kinds of credentials, and the
 * children of a kind are the credentials
 *
 *   norm_shares      target / 100 (NAN: none, or a cap in seconds)
 *   raw_usage        decayed sum of the windows, in seconds
 *   norm_usage, effective_usage   raw_usage / total
 *   fairshare        the factor in Maui's priority: how far usage is below the target */

static struct fs_share_row make_blank_row(uint32_t i, const char *account, uint32_t depth, uint32_t parent)
{
	return (struct fs_share_row){
		.account = account,
		.parent = "",
		.user = "",
		.partition = "",
		.id = i + 1,
		.depth = depth,
		.row = i,
		.parent_row = parent,
		.norm_shares = NAN,
		.norm_usage = NAN,
		.effective_usage = NAN,
		.raw_usage = NAN,
		.late_usage = NAN,
		.fairshare = NAN,
		.level_fs = NAN,
		.range.low = NAN,
		.range.high = NAN,
		.range.position = NAN,
		.stored.fairshare = NAN,
		.stored.usage = NAN,
		.counted = true,
		.active = true,
		.visible = true,
	};
}

static void fill_share_row(struct fs_share_row *r, const struct fs_window_row *c, bool any)
{
	const bool user = c->kind == FS_CRED_USER;

	r->account = user ? r->parent : c->name;
	r->user = user ? c->name : "";
	if (c->target > 0 && c->mode != FS_TARGET_CAP_ABS)
		r->norm_shares = c->target / 100;
	r->raw_usage = c->usage_s;
	r->norm_usage = r->effective_usage = any ? c->percent / 100 : 0;
	if (c->target > 0 && c->mode != FS_TARGET_CAP_ABS && c->mode != FS_TARGET_CAP_REL)
		r->fairshare = c->factor;
}

static void make_maui_rows(struct fs_shares *s, const fs_windows *w)
{
	const double total = fs_windows_info(w)->usage_s;
	uint32_t n = 0, above = 0;
	int kind = -1;

	s->rows[n] = make_blank_row(n, "root", 0, FS_NO_ROW);
	s->rows[n].raw_usage = total;
	s->rows[n++].effective_usage = 1;
	for (size_t i = 0; i < fs_windows_count(w); i++) {
		const struct fs_window_row *c = fs_windows_row(w, i);

		if (c->empty)
			continue;
		if ((int)c->kind != kind) {
			kind = (int)c->kind;
			above = n;
			s->rows[n] = make_blank_row(n, fs_cred_kind_name(c->kind), 1, 0);
			s->rows[n++].parent = "root";
		}
		s->rows[n] = make_blank_row(n, "", 2, above);
		s->rows[n].parent = fs_cred_kind_name(c->kind);
		s->f.users += c->kind == FS_CRED_USER;
		fill_share_row(&s->rows[n++], c, total > 0 || isnan(total));
	}
	s->f.n = n;
}

static int compute_maui_shares(struct fs_shares *s, const fs_snapshot *m, struct fs_error *err)
{
	fs_windows *w = NULL;
	int rc = fs_windows_compute(&w, m, err);

	if (rc)
		return rc;
	s->rows = fsi_arena_array(&s->arena, fs_windows_count(w) + FS_CRED_KINDS + 1, sizeof(*s->rows));
	if (s->rows)
		make_maui_rows(s, w);
	fs_windows_free(w);
	return s->rows ? 0 : fsi_fail_no_memory(err);
}

const struct fsi_algorithm fsi_maui = {
	.name = "maui",
	.summary = "Maui: targets compared with decaying usage windows",
	.own_rows = compute_maui_shares,
};
