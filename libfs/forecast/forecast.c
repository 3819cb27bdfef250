#include "forecast/forecast.h"

#include "fairshare/fairshare.h"
#include "model/scheduler.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Maui: usage is in windows, and one window ends at each multiple of FSINTERVAL (libfs/usage/maui_windows.h). Between
 * the ends of windows, usage grows linearly while jobs run. Priorities change linearly with usage and with the time
 * that jobs wait. A forecast has one calculation for each iteration of Maui. */

enum { WINDOWS_MAX = 1000 };

static const struct fs_window_row *find_window_row(const struct fs_forecast *f, const struct fs_share_row *r)
{
	const fs_windows *w = f->o.eval->windows;

	for (size_t i = 0; i < fs_windows_count(w); i++) {
		const struct fs_window_row *c = fs_windows_row(w, i);

		if (!strcmp(fs_cred_kind_name(c->kind), r->parent) && !strcmp(c->name, *r->user ? r->user : r->account))
			return c;
	}
	return NULL;
}

/* ---- the credential whose fair share is forecast */

static double get_fairshare_weight(const fs_prios *p, enum fs_cred_kind kind)
{
	const struct fs_prio_term *t = fs_prios_weights(p);

	for (size_t i = 0; i < fs_prios_terms(p); i++)
		if (!strncmp(t[i].name, "fs/", 3) && !strcmp(t[i].name + 3, fs_cred_kind_name(kind)))
			return fabs(t[i].weight);
	return 0;
}

static uint32_t find_credential_share(const struct fs_forecast *f, uint32_t credential)
{
	const struct fsi_credential *c = &f->m->credential.v[credential];

	for (uint32_t i = 0; i < fs_shares_count(f->o.eval->shares); i++) {
		const struct fs_share_row *r = fs_shares_row(f->o.eval->shares, i);

		if (r->depth == 2 && !strcmp(r->parent, fsi_name_text(f->m, c->kind)) &&
		    !strcmp(*r->user ? r->user : r->account, fsi_name_text(f->m, c->name)))
			return i;
	}
	return FS_NO_ROW;
}

/* Returns the share row of the job's credential with the largest fair-share weight; credentials without a target are
 * ignored. FS_NO_ROW: none. */
static uint32_t choose_job_credential(const struct fs_forecast *f)
{
	const struct fs_eval *e = f->o.eval;
	uint32_t creds[FS_CRED_KINDS], best = FS_NO_ROW;
	double most = 0;

	fsi_windows_job_credentials(e->windows, &f->m->job.v[f->o.job_row], creds);
	for (int k = 0; k < FS_CRED_KINDS && e->prios; k++) {
		const double weight = get_fairshare_weight(e->prios, (enum fs_cred_kind)k);
		const uint32_t row =
			creds[k] == FSI_NO_INDEX || !(weight > most) ? FS_NO_ROW : find_credential_share(f, creds[k]);

		if (row == FS_NO_ROW || isnan(fs_shares_row(e->shares, row)->fairshare))
			continue;
		best = row;
		most = weight;
	}
	return best;
}

/* ---- running jobs */

/* Sets f->running_rate to the charges per second of all running jobs together. Computes this rate from the charges of
 * one iteration. */
static int set_running_rate(struct fs_forecast *f)
{
	struct fsi_window_clock *c = &f->windows[FS_ASSUME_AS_NOW];
	double total[2] = { 0 };

	for (int i = 0; i < 2; i++) {
		struct fsi_windows w;
		int rc;

		c->m->info.time = f->clock.now + i * f->clock.period_s;
		rc = fsi_windows_load_slot(&w, c->m, c->first_window, f->err);
		if (rc)
			return rc;
		total[i] = fsi_windows_of_row(&w, w.n - 1)[0];
		fsi_windows_release(&w);
	}
	f->running_rate = (total[1] - total[0]) / (double)f->clock.period_s;
	return 0;
}

/* Sets f->rate to the charges per second of each credential under the assumption FS_ASSUME_SHARES: a credential with a
 * target of P percent gets P percent of the charges of all running jobs. */
static int set_credential_rates(struct fs_forecast *f)
{
	const fs_windows *w = f->o.eval->windows;
	const size_t n = f->m->credential.n;

	f->rate = fsi_arena_array(&f->arena, n + 1, sizeof(*f->rate));
	if (!f->rate)
		return -1;
	for (size_t i = 0; i < n; i++) {
		const struct fs_window_row *r = fs_windows_row(w, fsi_windows_credential_row(w, (uint32_t)i));

		if (r->target > 0 && r->mode != FS_TARGET_CAP_ABS)
			f->rate[i] = f->running_rate * r->target / 100;
	}
	f->rate[n] = f->running_rate;
	return 0;
}

static int start_window_clocks(struct fs_forecast *f)
{
	static const enum fs_running runs[FS_ASSUMPTION_COUNT] = { [FS_ASSUME_IDLE] = FS_RUNNING_NONE,
								   [FS_ASSUME_RUNNING] = FS_RUNNING_TO_LIMIT,
								   [FS_ASSUME_AS_NOW] = FS_RUNNING_FOR_EVER,
								   [FS_ASSUME_SHARES] = FS_RUNNING_NONE };
	int rc = 0;

	f->windows = calloc(FS_ASSUMPTION_COUNT, sizeof(*f->windows));
	if (!f->windows)
		return FS_ENOMEM;
	for (int a = 0; a < FS_ASSUMPTION_COUNT && !rc; a++)
		rc = fsi_window_clock_begin(&f->windows[a], f->m, runs[a], NULL, f->err);
	f->clock.base = f->clock.now;
	f->clock.period_s = f->windows[0].conf.poll_s;
	if (!rc)
		rc = set_running_rate(f);
	if (!rc && set_credential_rates(f))
		rc = FS_ENOMEM;
	f->windows[FS_ASSUME_SHARES].rate = f->rate;
	return rc;
}

static void release_window_clocks(struct fs_forecast *f)
{
	for (int a = 0; f->windows && a < FS_ASSUMPTION_COUNT; a++)
		fsi_window_clock_release(&f->windows[a]);
	free(f->windows);
}

/* ---- calculations */

/* Returns the number of windows that end before fair share becomes constant. Fair share is constant once all FSDEPTH
 * windows have equal charges. */
static int64_t count_window_changes(const struct fsi_window_clock *c)
{
	return c->conf.policy == FSI_FS_NONE ? 0 : c->steady_from + (int64_t)c->conf.depth + 1;
}

static void set_windows_horizon(struct fs_forecast *f)
{
	int64_t rest = fsi_forecast_time_of(f, f->range.until);

	f->range.endless = true;
	for (int a = 0; a < FS_ASSUMPTION_COUNT; a++) {
		const int64_t n = count_window_changes(&f->windows[a]),
			      t = fsi_window_clock_first(&f->windows[a], n < WINDOWS_MAX ? n : WINDOWS_MAX);

		f->range.endless = f->range.endless && n <= WINDOWS_MAX;
		rest = t > rest ? t : rest;
	}
	f->range.horizon = fsi_forecast_calculation_at(f, rest);
}

/* Adds to the list f->calculations.bend the priority calculations at which fair-share windows or running jobs end.
 * Returns -1 if out of memory. */
static int add_window_changes(struct fs_forecast *f, enum fs_assumption a)
{
	const struct fsi_window_clock *c = &f->windows[a];
	const int64_t n = count_window_changes(c);

	for (int64_t k = 1; k <= n && k <= WINDOWS_MAX; k++)
		if (fsi_forecast_add_change(f, &f->calculations.bend,
					    fsi_forecast_calculation_at(f, fsi_window_clock_first(c, k))))
			return -1;
	for (size_t i = 0; i < c->n_job_ends; i++)
		if (fsi_forecast_add_change(f, &f->calculations.bend, fsi_forecast_calculation_at(f, c->job_ends[i])))
			return -1;
	fsi_forecast_sort_calculations(&f->calculations.bend);
	return 0;
}

/* ---- windows that become older than FSDEPTH */

static int record_leaving_window(struct fs_forecast *f, const struct fs_window_row *own, uint32_t i)
{
	const fs_windows *w = f->o.eval->windows;
	const struct fs_windows_info *info = fs_windows_info(w);
	struct fs_forecast_event e = fsi_forecast_make_event(f, FSI_ALL_ASSUMPTIONS, FS_FORECAST_WINDOW_LEAVES);

	e.own = f->row;
	e.window = fs_windows_start(w, i);
	e.time = fsi_window_clock_first(&f->windows[0], (int64_t)info->depth - i);
	e.usage_s = own && i ? own->window_usage_s[i] : (double)NAN;
	e.total_s = i ? info->total_usage_s[i] : (double)NAN;
	return fsi_forecast_calculation_at(f, e.time) <= f->range.until && fsi_forecast_record_event(f, &e) ? -1 : 0;
}

static int record_leaving_windows(struct fs_forecast *f)
{
	const struct fs_windows_info *info = fs_windows_info(f->o.eval->windows);
	const struct fs_window_row *own =
		f->row == FS_NO_ROW ? NULL : find_window_row(f, fs_shares_row(f->o.eval->shares, f->row));

	for (uint32_t i = 0; i < info->depth && f->row != FS_NO_ROW; i++)
		if (info->total_usage_s[i] > 0 && info->weight[i] != 0 && record_leaving_window(f, own, i))
			return -1;
	return 0;
}

/* ---- preparation */

static int check_window_inputs(const struct fs_forecast *f)
{
	const struct fs_eval *e = f->o.eval;

	if (!e->shares || !e->windows || fsi_is_type_hidden(f->m, FSI_HIDDEN_JOB_FIELDS))
		return fsi_fail_with_code(f->err, FS_ENODATA, "the usage in the fair-share windows is unknown");
	if (!strcmp(fs_windows_info(e->windows)->policy, "unknown"))
		return fsi_fail_with_code(f->err, FS_ENODATA, "FSPOLICY is not in the snapshot");
	if (f->o.job_row == FS_NO_ROW && !strcmp(fs_windows_info(e->windows)->policy, "[NONE]"))
		return fsi_fail_with_code(f->err, FS_ENODATA, "FSPOLICY is NONE: there is no fair share");
	if (f->o.job_row == FS_NO_ROW && (f->row == FS_NO_ROW || fs_shares_row(e->shares, f->row)->depth < 2))
		return fsi_fail_with_code(f->err, FS_ENODATA, "the credential has neither a target nor usage");
	return 0;
}

static int prepare_windows_forecast(struct fs_forecast *f)
{
	int rc = check_window_inputs(f);

	if (!rc)
		rc = start_window_clocks(f);
	if (!rc)
		rc = fsi_forecast_set_end(f);
	if (rc)
		return rc;
	if (f->row == FS_NO_ROW)
		f->row = choose_job_credential(f);
	if (fsi_forecast_list_jobs(f))
		return FS_ENOMEM;
	set_windows_horizon(f);
	return fsi_forecast_mark_points(f) || record_leaving_windows(f) ? FS_ENOMEM : 0;
}

/* ---- the forecast under each assumption
 *
 * First finds the calculations at which a row of the share tree passes a sibling, and the calculations at which
 * priorities begin to change faster or slower. Then computes the values of the followed share row and of the followed
 * job at all these calculations. */

static const struct {
	const char *name, *text;
} assumptions[] = {
#define ROW(tag, name, text) { name, text },
	FS_ASSUMPTIONS(ROW)
#undef ROW
};

const char *fs_assumption_name(enum fs_assumption a)
{
	return assumptions[a].name;
}

const char *fs_assumption_text(enum fs_assumption a)
{
	return assumptions[a].text;
}

static int add_all_calculations(const struct fs_forecast *f, struct fsi_calculation_list *to,
				const struct fsi_calculation_list *from)
{
	for (size_t i = 0; i < from->n; i++)
		if (fsi_forecast_add_calculation(f, to, from->v[i]))
			return -1;
	fsi_forecast_sort_calculations(to);
	return 0;
}

static int forecast_one_assumption(struct fs_forecast *f, enum fs_assumption a)
{
	int rc;

	f->calculations.bend.n = f->calculations.flip.n = 0;
	if (add_all_calculations(f, &f->calculations.bend, &f->calculations.mark) ||
	    (a == FS_ASSUME_RUNNING && add_all_calculations(f, &f->calculations.bend, &f->calculations.end)))
		return FS_ENOMEM;
	if (f->windows)
		return add_window_changes(f, a) ? FS_ENOMEM : fsi_forecast_follow_subject(f, a);
	rc = fsi_forecast_record_flips(f, a);
	f->calculations.bend.n = 0;
	if (!rc && (add_all_calculations(f, &f->calculations.bend, &f->calculations.mark) ||
		    add_all_calculations(f, &f->calculations.bend, &f->calculations.flip)))
		rc = FS_ENOMEM;
	return rc ? rc : fsi_forecast_follow_subject(f, a);
}

int fs_forecast_compute(fs_forecast **out, const fs_snapshot *s, const struct fs_forecast_options *options,
			struct fs_error *err)
{
	struct fs_forecast *f = calloc(1, sizeof(*f));
	struct fs_error own;
	int rc;

	if (!f)
		return fsi_fail_no_memory(err);
	FSI_OPTIONS(f->o, options);
	f->o.view.usage = NULL;
	f->m = s;
	f->err = err ? err : &own;
	f->clock.now = s->info.time;
	f->reset = FS_UNKNOWN;
	f->row = f->o.share_row;
	rc = s->scheduler->has_usage_windows ? prepare_windows_forecast(f) : fsi_forecast_prepare_decay(f);
	for (int a = 0; a < FS_ASSUMPTION_COUNT && !rc; a++)
		rc = forecast_one_assumption(f, (enum fs_assumption)a);
	if (!rc && (fsi_forecast_record_unmet_pairs(f) || fsi_forecast_record_unmet_rivals(f)))
		rc = FS_ENOMEM;
	fsi_forecast_sort_events(f);
	if (rc) {
		fs_forecast_free(f);
		return rc == FS_ENOMEM ? fsi_fail_no_memory(err) : rc;
	}
	*out = f;
	return 0;
}

void fs_forecast_free(fs_forecast *f)
{
	if (!f)
		return;
	fs_usage_free(f->recorded_usage);
	release_window_clocks(f);
	FSI_VEC_FREE(&f->pair);
	FSI_VEC_FREE(&f->rival);
	FSI_VEC_FREE(&f->calculations.bend);
	FSI_VEC_FREE(&f->calculations.flip);
	FSI_VEC_FREE(&f->calculations.end);
	FSI_VEC_FREE(&f->calculations.mark);
	FSI_VEC_FREE(&f->event);
	fsi_arena_release(&f->arena);
	free(f);
}

size_t fs_forecast_points(const fs_forecast *f)
{
	return f->o.points;
}

const struct fs_forecast_point *fs_forecast_point(const fs_forecast *f, enum fs_assumption a, size_t i)
{
	return i < f->o.points ? &f->point[a][i] : NULL;
}

size_t fs_forecast_events(const fs_forecast *f)
{
	return f->event.n;
}

const struct fs_forecast_event *fs_forecast_event(const fs_forecast *f, size_t i)
{
	return i < f->event.n ? &f->event.v[i] : NULL;
}

uint32_t fs_forecast_row(const fs_forecast *f)
{
	return f->row;
}

double fs_forecast_rate(const fs_forecast *f)
{
	return f->running_rate;
}

int64_t fs_forecast_reset(const fs_forecast *f)
{
	return f->reset;
}

const char *fs_forecast_unmodelled(const fs_forecast *f)
{
	return f->windows && f->o.job_row != FS_NO_ROW
		       ? "which other jobs this job will pass, and when a fair-share cap will no longer block this job"
		       : NULL;
}

bool fs_forecast_decays(const fs_forecast *f)
{
	return f->clock.half_life_s != 0;
}

bool fs_forecast_is_constant(const fs_forecast *f, enum fs_assumption a)
{
	return f->is_constant[a];
}
