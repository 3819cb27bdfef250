/* Maui: jobs that nothing but a fair-share cap holds back (libfs/fairshare/maui.c), which get through once use is below
 * it: as they have a priority then, they are followed as if they were eligible. */
#include "forecast/forecast.h"

#include "fairshare/maui.h"
#include "plan/maui/maui.h"
#include "queue/queue.h"

#include <math.h>
#include <stdlib.h>

/* ---- which jobs */

struct candidate {
	struct fsi_rival rival;
	double lead; /* over the job, were neither held back */
};

static bool is_capped(const fs_queue *q, size_t i)
{
	struct fs_queue_row row;

	return fs_queue_row(q, i, &row) && row.visible && !row.eligible && row.reason &&
	       row.reason == fs_reason_find("FairShare");
}

static int nearest_first(const void *x, const void *y)
{
	const double a = fabs(((const struct candidate *)x)->lead), b = fabs(((const struct candidate *)y)->lead);

	return (a > b) - (a < b);
}

/* Lists those held back, and if the job itself is, those eligible too, by the priority that they would have now. */
static size_t list_candidates(const struct fs_forecast *f, const fs_prios *prios, size_t own, struct candidate *v)
{
	const fs_queue *q = f->o.eval->queue;
	size_t n = 0;

	for (size_t i = 0; i < fs_queue_count(q); i++) {
		struct candidate c = { .rival.capped = is_capped(q, i) };
		struct fs_queue_place p;

		fs_queue_place(q, i, &p);
		if (i == own || !(c.rival.capped || (f->capped && p.eligible && p.visible)))
			continue;
		c.rival.job = p.job_row;
		c.rival.wins = fsi_forecast_goes_first(q, i, own);
		c.lead = fsi_forecast_lead(f, prios, &c.rival);
		c.rival.ahead = !c.rival.capped && c.lead > 0;
		if (!isnan(c.lead))
			v[n++] = c;
	}
	return n;
}

int fsi_forecast_add_capped(struct fs_forecast *f, size_t own)
{
	struct fs_prios_options o = FS_PRIOS_OPTIONS_INIT;
	struct candidate *v = calloc(fs_queue_count(f->o.eval->queue) + 1, sizeof(*v));
	fs_prios *prios = NULL;
	int rc = v ? 0 : -1;
	size_t n = 0;

	o.view = f->o.view;
	o.blocked = true;
	if (!rc && !fs_prios_compute(&prios, f->m, &o, f->err))
		n = list_candidates(f, prios, own, v);
	if (n)
		qsort(v, n, sizeof(*v), nearest_first);
	for (size_t i = 0; i < n && i < FSI_NEAR && !rc; i++) {
		rc = FSI_VEC_ROOM(&f->rival) ? -1 : 0;
		if (!rc)
			f->rival.v[f->rival.n++] = v[i].rival;
	}
	fs_prios_free(prios);
	free(v);
	return rc;
}

size_t fsi_forecast_capped_row(struct fs_forecast *f)
{
	const fs_queue *q = f->o.eval->queue;
	struct fs_queue_row row;

	for (size_t i = 0; i < fs_queue_count(q); i++) {
		fs_queue_row(q, i, &row);
		if (row.job_row != f->o.job_row || !is_capped(q, i))
			continue;
		f->partition = row.partition;
		f->capped = true;
		return i;
	}
	return FS_NO_ROW;
}

/* ---- when */

/* A wait that begins anew with the iteration that lets the job through is not known before (src/moab/MPolicy.c:
 * MQueueSelectAllJobs). */
static bool waits_anew(const fs_snapshot *m)
{
	struct fsi_maui_rules r;

	fsi_maui_rules(m, true, &r);
	return r.held_accrues;
}

/* Of one whose wait is not known then no priority is. */
static int free_capped(struct fs_forecast *f, uint32_t job)
{
	const bool anew = waits_anew(f->m);

	for (int a = 0; a < FS_ASSUMPTION_COUNT; a++) {
		fs_snapshot *m = f->windows[a].m;
		const uint32_t reason = anew ? fsi_name(m, "Blocked") : 0;

		if (reason == FSI_INTERN_FAILED)
			return -1;
		m->job.v[job].reason = reason;
	}
	return 0;
}

int fsi_forecast_free_capped(struct fs_forecast *f)
{
	if (f->capped && free_capped(f, f->o.job_row))
		return -1;
	for (size_t i = 0; i < f->rival.n; i++)
		if (f->rival.v[i].capped && free_capped(f, f->rival.v[i].job))
			return -1;
	return 0;
}

int fsi_forecast_caps(struct fs_forecast *f, enum fs_assumption a, unsigned *caps)
{
	fs_windows *w;
	int rc;

	for (size_t i = 0; i < f->njobs; i++)
		caps[i] = 0;
	if (!fsi_maui_has_caps(f->o.eval->windows))
		return 0;
	rc = fs_windows_compute(&w, f->windows[a].m, f->o.view.maui_dialect, f->err);
	if (rc)
		return rc;
	for (size_t i = 0; i < f->njobs; i++)
		caps[i] = fsi_maui_caps(w, f->job[i]);
	fs_windows_free(w);
	return 0;
}
