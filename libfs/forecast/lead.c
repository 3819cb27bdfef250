/* Which of two jobs goes first. */
#include "forecast/forecast.h"

#include "queue/queue.h"

#include <math.h>

/* What Maui had in its last iteration passes. */
bool fsi_forecast_goes_first(const fs_queue *q, size_t a, size_t b)
{
	bool behind = false;

	for (size_t i = 0; i < q->scheduler->nkeys; i++) {
		const struct fsi_queue_key *k = &q->scheduler->keys[i];
		const int c = behind && k->key != FS_QUEUE_KEY_EARLIER
				      ? k->compare(q, &q->record.v[a], &q->record.v[b])
				      : 0;

		if (c)
			return c < 0;
		behind = behind || k->key == FS_QUEUE_KEY_PRIORITY;
	}
	return false;
}

/* Its priority before the fraction is dropped. */
static double exact_priority(const struct fs_prio_row *row)
{
	const size_t n = row->nsteps;

	if (!n || row->steps[n - 1].step != FS_STEP_FRACTION)
		return row->priority;
	return n > 1 ? row->steps[n - 2].value : row->sum;
}

/* Of windows sums are compared with their fractions: of equal whole numbers either may stand first. */
double fsi_forecast_lead(const struct fs_forecast *f, const fs_prios *p, const struct fsi_rival *r)
{
	const size_t own = fsi_forecast_row_of(f, p, f->o.job_row), other = fsi_forecast_row_of(f, p, r->job);
	const double tie = f->windows ? 1e-9 : 0.5;
	struct fs_prio_row x, y;

	if (own == FS_NO_ROW || other == FS_NO_ROW)
		return NAN;
	fs_prios_row(p, other, &x);
	fs_prios_row(p, own, &y);
	if (f->windows)
		return exact_priority(&x) - exact_priority(&y) + (r->wins ? tie : -tie);
	return x.stored_priority - y.stored_priority + (r->wins ? tie : -tie);
}
