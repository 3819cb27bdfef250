#include "usage/windows.h"

#include <math.h>
#include <stdlib.h>

static double *slot_of(struct fsi_windows *w, uint32_t row, int64_t start)
{
	const int64_t age = w->start - start;

	if (age < 0 || age % w->conf.interval_s || age / w->conf.interval_s >= (int64_t)w->slots)
		return NULL;
	return w->usage + (size_t)row * w->slots + age / w->conf.interval_s;
}

/* A later record of the same window replaces an earlier one, as lines of a file do. */
static void take_records(struct fsi_windows *w)
{
	const fs_snapshot *m = w->m;

	for (size_t i = 0; i < m->window.n; i++) {
		const struct fsi_window *x = &m->window.v[i];
		const int kind = fsi_cred_kind(fsi_str(m, x->kind));
		const uint32_t row =
			kind == FS_CRED_KINDS
				? w->n - 1
				: fsi_creds_find(&w->creds, (enum fs_cred_kind)kind, x->name);
		double *u = row == FSI_NO_INDEX ? NULL : slot_of(w, row, x->start);

		if (u)
			*u = x->usage_s;
		if (x->start == w->start && FSI_HAS(x, WINDOW, written) && x->written > w->written)
			w->written = x->written;
	}
}

static void decay(struct fsi_windows *w)
{
	for (uint32_t i = 0; i < w->slots; i++)
		w->weight[i] = pow(w->conf.decay, i);
	for (uint32_t row = 0; row < w->n; row++) {
		const double *u = fsi_windows_of(w, row);

		for (uint32_t i = 1; i < w->conf.depth; i++)
			w->past[row] += u[i] * w->weight[i];
	}
}

static int make_room(struct fsi_windows *w)
{
	w->slots = w->conf.depth ? w->conf.depth : 1;
	w->n = (uint32_t)w->m->credential.n + 1;
	w->usage = calloc((size_t)w->n * w->slots, sizeof(*w->usage));
	w->past = calloc(w->n, sizeof(*w->past));
	w->weight = calloc(w->slots, sizeof(*w->weight));
	return w->usage && w->past && w->weight ? fsi_creds_init(&w->creds, w->m) : -1;
}

int64_t fsi_window_shown(const struct fsi_maui_conf *c, int64_t now)
{
	const int64_t before = now - c->poll_s;

	return before - before % c->interval_s;
}

/* A start below 0 asks for the window shown at the snapshot's time. */
static int load(struct fsi_windows *w, const fs_snapshot *m, enum fs_maui_dialect dialect, int64_t start,
		struct fs_error *err)
{
	int rc;

	*w = (struct fsi_windows){ .m = m };
	rc = fsi_maui_conf_load(m, dialect, &w->conf, err);
	if (rc)
		return rc;
	if (make_room(w)) {
		fsi_windows_release(w);
		return fsi_nomem(err);
	}
	w->totals = fsi_maui_totals(m);
	w->start = start < 0 ? fsi_window_shown(&w->conf, m->info.time) : start;
	if (w->conf.policy != FSI_FS_NONE)
		take_records(w);
	fsi_maui_charge(w);
	decay(w);
	return 0;
}

int fsi_windows_load(struct fsi_windows *w, const fs_snapshot *m, enum fs_maui_dialect dialect,
		     struct fs_error *err)
{
	return load(w, m, dialect, -1, err);
}

int fsi_windows_load_slot(struct fsi_windows *w, const fs_snapshot *m, enum fs_maui_dialect dialect, int64_t start,
			  struct fs_error *err)
{
	return load(w, m, dialect, start, err);
}

void fsi_windows_release(struct fsi_windows *w)
{
	free(w->usage);
	free(w->past);
	free(w->weight);
	fsi_creds_release(&w->creds);
	*w = (struct fsi_windows){ 0 };
}

double fsi_windows_percent(const struct fsi_windows *w, double usage)
{
	const double total = fsi_windows_total(w);

	return total > 0 ? usage / total * 100.0 : 0;
}

