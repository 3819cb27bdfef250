/* flux-accounting charges a job when it is over, by weights that hold in every queue (fluxacct/accounting/
 * job_usage_calculation.py). */
#include "usage/billing.h"
#include "usage/charging.h"
#include "usage/decay.h"

#include <math.h>

static double weight(const fs_snapshot *m, const char *name, double otherwise)
{
	const double told = fs_snapshot_config_number(m, name);

	return isnan(told) ? otherwise : told;
}

static int weights(struct fsi_billing *b, const fs_snapshot *m, struct fsi_arena *arena)
{
	const struct fsi_tres_weight all[] = {
		{ fsi_name_find(m, "node"), weight(m, "node_weight", 1) },
		{ fsi_name_find(m, "cpu"), weight(m, "core_weight", 0) },
		{ fsi_name_find(m, "gres/gpu"), weight(m, "gpu_weight", 0) },
	};
	struct fsi_billing_weights *w = &b->everywhere;

	w->set = true;
	w->w = fsi_arena_array(arena, sizeof(all) / sizeof(*all), sizeof(*w->w));
	for (size_t i = 0; w->w && i < sizeof(all) / sizeof(*all); i++)
		if (all[i].tres)
			w->w[w->n++] = all[i];
	return w->w ? 0 : -1;
}

/* Usage older than the reset period counts no longer; the boundary moves along with time. */
static int reset(struct fsi_decay *d, const fs_snapshot *m, struct fs_error *err)
{
	int64_t period;
	const int rc =
		fsi_config_seconds(m, "priority_usage_reset_period", 4 * FSI_DEFAULT_HALF_LIFE, &period, err);

	d->has_reset = !rc;
	d->reset = d->at - period;
	return rc;
}

const struct fsi_charging fsi_charging_flux = {
	.who = "Flux",
	.decay = FS_DECAY_EXACT,
	.half_life = "priority_decay_half_life",
	.weights = weights,
	.reset = reset,
};
