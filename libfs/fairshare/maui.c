#include "fairshare/maui.h"

#include "usage/usage.h"

#include <math.h>
#include <stdlib.h>

/* Targets, floors, ceilings and caps (src/moab/MPriority.c:MJobGetStartPriority, MFS.c:MFSCheckCap, MFSShow).
 *
 *   P = usage / total usage * 100, T = the target, DEFAULT's where the credential has none (T <= 0)
 *   factor = T - P, or 1 - P / T when FSPOLICY has a %
 *   floor: at least 0; ceiling: at most 0; caps: 0
 *   cap_abs: a job is held back when usage + need > cap; cap_rel: when (usage + need) / total * 100 > cap
 *   need = processors * time limit; DEDICATEDPES: whole processor equivalents, not times seconds
 *
 * The manual has caps reached (>=) rather than exceeded, and lets DEFAULT's hold for all of its kind. In the code
 * a negative target of any kind holds back every job, since nothing (0) is more than it. */

static const struct fsi_credential *credential(const struct fs_windows *w, uint32_t i)
{
	return &w->w.m->credential.v[i];
}

static enum fs_cred_kind kind_of(const struct fs_windows *w, uint32_t i)
{
	return (enum fs_cred_kind)fsi_cred_kind(fsi_str(w->w.m, credential(w, i)->kind));
}

static enum fs_target_mode mode_of(const struct fs_windows *w, uint32_t i)
{
	return (enum fs_target_mode)fsi_target_mode(fsi_str(w->w.m, credential(w, i)->target_mode));
}

/* The credential whose target counts for this one: itself, DEFAULT, or none (FSI_NO_INDEX). */
static uint32_t target_holder(const struct fs_windows *w, uint32_t i)
{
	return credential(w, i)->target > 0 ? i : w->fallback[kind_of(w, i)];
}

uint32_t fsi_maui_priority_holder(const struct fs_windows *w, enum fs_cred_kind kind, uint32_t i)
{
	if (i != FSI_NO_INDEX && credential(w, i)->priority)
		return i;
	return kind == FS_CRED_QOS ? FSI_NO_INDEX : w->fallback[kind];
}

void fsi_windows_job_credentials(const struct fs_windows *w, const struct fsi_job *job,
				 uint32_t credential[FS_CRED_KINDS])
{
	fsi_job_creds(w->w.m, &w->w.creds, job, credential);
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

static double clamp(double factor, enum fs_target_mode mode)
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

double fsi_maui_factor(const struct fs_windows *w, uint32_t i)
{
	const uint32_t holder = target_holder(w, i);
	const double target = holder == FSI_NO_INDEX ? 0 : credential(w, holder)->target;
	const double percent = fsi_windows_percent(&w->w, fsi_windows_sum(&w->w, i));

	if (!w->w.conf.has_policy && target > 0)
		return NAN;
	if (w->w.conf.policy == FSI_FS_NONE || !(fsi_windows_total(&w->w) > 0) || !(target > 0))
		return 0;
	return clamp(w->w.conf.ratio ? 1.0 - percent / target : target - percent, mode_of(w, holder));
}

static bool off_target(const struct fs_windows *w, const struct fs_window_row *r)
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

static struct fs_window_row make_row(const struct fs_windows *w, uint32_t i)
{
	const uint32_t holder = target_holder(w, i);
	const double *u = fsi_windows_of(&w->w, i);
	struct fs_window_row r = {
		.kind = kind_of(w, i),
		.name = fsi_str(w->w.m, credential(w, i)->name),
		.target = holder == FSI_NO_INDEX ? 0 : credential(w, holder)->target,
		.mode = holder == FSI_NO_INDEX ? FS_TARGET_EXACT : mode_of(w, holder),
		.inherited = holder != i && holder != FSI_NO_INDEX,
		.window_usage_s = u,
		.usage_s = fsi_windows_sum(&w->w, i),
		.factor = fsi_maui_factor(w, i),
	};

	r.percent = fsi_windows_percent(&w->w, r.usage_s);
	r.off_target = off_target(w, &r);
	r.empty = r.target == 0 && w->w.past[i] == 0 && u[0] == 0;
	return r;
}

/* A paste has no windows: its percentages are those that diagnose -f printed. */
static void take_printed(const struct fs_windows *w, uint32_t i, struct fs_window_row *r)
{
	const struct fsi_credential *c = credential(w, i);

	r->usage_s = r->factor = NAN;
	r->percent = FSI_HAS(c, CREDENTIAL, usage_percent) ? c->usage_percent : (double)NAN;
	r->empty = isnan(r->percent) && !FSI_HAS(c, CREDENTIAL, target);
}

static bool is_paste(const fs_snapshot *m)
{
	return fsi_hidden(m, FSI_HIDDEN_JOB_FIELDS) && !m->window.n;
}

static int maui_make_rows(struct fs_windows *w)
{
	const fs_snapshot *m = w->w.m;

	w->rows = fsi_arena_array(&w->arena, m->credential.n + 1, sizeof(*w->rows));
	w->row_of = fsi_arena_array(&w->arena, m->credential.n + 1, sizeof(*w->row_of));
	if (!w->rows || !w->row_of)
		return -1;
	for (int k = 0; k < FS_CRED_KINDS; k++)
		w->fallback[k] = fsi_maui_lender(&w->w.creds, m, (enum fs_cred_kind)k);
	for (int k = 0; k < FS_CRED_KINDS; k++) {
		uint32_t *order;
		const int64_t n = fsi_maui_order(m, (enum fs_cred_kind)k, &order);

		if (n < 0)
			return -1;
		for (int64_t i = 0; i < n; i++) {
			w->row_of[order[i]] = (uint32_t)w->n;
			w->rows[w->n] = make_row(w, order[i]);
			if (is_paste(m))
				take_printed(w, order[i], &w->rows[w->n]);
			w->n++;
		}
		free(order);
	}
	return 0;
}

static void fill_info(struct fs_windows *w)
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
		.total_usage_s = fsi_windows_of(&w->w, w->w.n - 1),
		.usage_s = is_paste(w->w.m) ? (double)NAN : fsi_windows_total(&w->w),
	};
}

int fs_windows_compute(fs_windows **out, const fs_snapshot *m, struct fs_error *err)
{
	struct fs_windows *w;
	int rc;

	if (!m->credential.n)
		return fsi_fail(err, FS_ENODATA,
				"%s: the snapshot holds no credentials and windows: it is not one of Maui", m->file);
	w = calloc(1, sizeof(*w));
	if (!w)
		return fsi_nomem(err);
	rc = fsi_windows_load(&w->w, m, err);
	if (!rc && maui_make_rows(w))
		rc = fsi_nomem(err);
	if (rc) {
		fs_windows_free(w);
		return rc;
	}
	fill_info(w);
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

static double need(const struct fs_windows *w, const struct fsi_job *job)
{
	if (w->w.conf.policy == FSI_FS_DEDICATEDPES)
		return trunc(fsi_maui_processor_equivalents(w->w.m, &w->w.totals, job));
	return (double)job->cpus * (double)job->time_limit_s;
}

static bool over(const struct fs_windows *w, uint32_t i, double asked, struct fs_cap_row *out)
{
	const double sum = fsi_windows_sum(&w->w, i), total = fsi_windows_total(&w->w);
	double reached = 0;

	*out = (struct fs_cap_row){ .kind = kind_of(w, i),
				    .name = fsi_str(w->w.m, credential(w, i)->name),
				    .mode = mode_of(w, i),
				    .cap = credential(w, i)->target,
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

/* Fills the credentials of a job that caps may hold back, and what it asks for. */
static bool may_be_capped(const struct fs_windows *w, uint32_t job_row, uint32_t rows[FS_CRED_KINDS], double *asked)
{
	const struct fsi_job *job = job_row < w->w.m->job.n ? &w->w.m->job.v[job_row] : NULL;

	if (w->w.conf.policy == FSI_FS_NONE || !job || job->state != FSI_STATE_PENDING)
		return false;
	*asked = need(w, job);
	fsi_job_creds(w->w.m, &w->w.creds, job, rows);
	return true;
}

bool fs_windows_capped(const fs_windows *w, uint32_t job_row, struct fs_cap_row *out)
{
	/* the order in which Maui looks */
	static const enum fs_cred_kind order[] = { FS_CRED_USER, FS_CRED_GROUP, FS_CRED_ACCT,
						   FS_CRED_CLASS, FS_CRED_QOS };
	uint32_t rows[FS_CRED_KINDS];
	double asked;

	if (!may_be_capped(w, job_row, rows, &asked))
		return false;
	for (size_t i = 0; i < sizeof(order) / sizeof(*order); i++)
		if (rows[order[i]] != FSI_NO_INDEX && over(w, rows[order[i]], asked, out)) {
			const struct fsi_job *job = &w->w.m->job.v[job_row];

			out->job = job->id;
			out->job_name = fsi_str(w->w.m, job->name);
			out->user = fsi_str(w->w.m, job->user);
			return true;
		}
	return false;
}

/* A Maui snapshot as fs_shares: the total, the kinds below it, the credentials below those.
 *
 *   norm_shares      target / 100 (NAN: none, or a cap in seconds)
 *   raw_usage        decayed sum of the windows, seconds
 *   norm_usage, effective_usage   that over the total
 *   fairshare        the factor Maui's priority gets: how far below the target the usage is */

static struct fs_share_row blank_row(uint32_t i, const char *account, uint32_t depth, uint32_t parent)
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
		.low = NAN,
		.high = NAN,
		.position = NAN,
		.stored_fairshare = NAN,
		.listed_usage = NAN,
		.counted = true,
		.active = true,
		.visible = true,
	};
}

static void fill_row(struct fs_share_row *r, const struct fs_window_row *c, bool any)
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

static void maui_shares_make_rows(struct fs_shares *s, const fs_windows *w)
{
	const double total = fs_windows_info(w)->usage_s;
	uint32_t n = 0, above = 0;
	int kind = -1;

	s->rows[n] = blank_row(n, "root", 0, FS_NO_ROW);
	s->rows[n].raw_usage = total;
	s->rows[n++].effective_usage = 1;
	for (size_t i = 0; i < fs_windows_count(w); i++) {
		const struct fs_window_row *c = fs_windows_row(w, i);

		if (c->empty)
			continue;
		if ((int)c->kind != kind) {
			kind = (int)c->kind;
			above = n;
			s->rows[n] = blank_row(n, fs_cred_kind_name(c->kind), 1, 0);
			s->rows[n++].parent = "root";
		}
		s->rows[n] = blank_row(n, "", 2, above);
		s->rows[n].parent = fs_cred_kind_name(c->kind);
		s->f.users += c->kind == FS_CRED_USER;
		fill_row(&s->rows[n++], c, total > 0 || isnan(total));
	}
	s->f.n = n;
}

static int maui_shares(struct fs_shares *s, const fs_snapshot *m, struct fs_error *err)
{
	fs_windows *w = NULL;
	int rc = fs_windows_compute(&w, m, err);

	if (rc)
		return rc;
	s->rows = fsi_arena_array(&s->arena, fs_windows_count(w) + FS_CRED_KINDS + 1, sizeof(*s->rows));
	if (s->rows)
		maui_shares_make_rows(s, w);
	fs_windows_free(w);
	return s->rows ? 0 : fsi_nomem(err);
}

const struct fsi_algorithm fsi_maui = {
	.name = "maui",
	.summary = "targets against decaying windows",
	.own_rows = maui_shares,
};
