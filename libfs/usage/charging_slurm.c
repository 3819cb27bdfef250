/* Slurm charges every second of a running job by its partition's weights, and may reset all usage at the beginning of a
 * day, week, month, quarter or year. Sources: libfs/usage/billing.h; src/plugins/priority/multifactor/
 * priority_multifactor.c: _next_reset, _reset_usage. */
#include "usage/billing.h"
#include "usage/charging.h"

#include "base/num.h"
#include "model/job/last_run.h"
#include "usage/decay.h"

#include <string.h>

enum { DAY = 86400 };

/* MAX_TRES_GRES holds MAX_TRES: where both stand, the longer one counts (a substring test in
 * src/common/read_config.c finds it first). */
static enum fsi_bill_mode mode_of(const fs_snapshot *m)
{
	const uint32_t set = fsi_config_list(m, "PriorityFlags");

	if (fsi_list_has(m, set, "MAX_TRES_GRES"))
		return FSI_BILL_MAX_GRES;
	return fsi_list_has(m, set, "MAX_TRES") ? FSI_BILL_MAX : FSI_BILL_SUM;
}

static int weights(struct fsi_billing *b, const fs_snapshot *m, struct fsi_arena *arena)
{
	struct fsi_tres_weight w[FSI_TRES_WEIGHTS_MAX];

	b->mode = mode_of(m);
	b->partition = fsi_arena_array(arena, m->partition.n + 1, sizeof(*b->partition));
	if (!b->partition)
		return -1;
	for (size_t i = 0; i < m->partition.n; i++) {
		const struct fsi_partition *p = &m->partition.v[i];
		struct fsi_billing_weights *out = &b->partition[i];
		const int n = p->billing_weights
				      ? fsi_tres_weights(m, fsi_str(m, p->billing_weights), w)
				      : -1;

		if (n < 0)
			continue;
		out->set = true;
		out->n = (size_t)n;
		out->w = fsi_arena_array(arena, out->n + 1, sizeof(*out->w));
		if (!out->w)
			return -1;
		memcpy(out->w, w, out->n * sizeof(*w));
	}
	return 0;
}

/* The latest boundary of the period not after t, in local time; false for a word that is no period. */
static bool boundary(const char *period, int64_t t, int64_t offset_s, int64_t *out)
{
	static const struct {
		const char *name;
		int months;
	} months[] = { { "MONTHLY", 1 }, { "QUARTERLY", 3 }, { "YEARLY", 12 } };
	const int64_t day = fsi_floor_div(t + offset_s, DAY);
	const int64_t sunday = day - ((day + 4) % 7 + 7) % 7; /* 1 January 1970 was a Thursday */
	int64_t first = 0;
	bool found = true;

	if (!strcmp(period, "DAILY"))
		first = day;
	else if (!strcmp(period, "WEEKLY"))
		first = sunday;
	else
		found = false;
	for (size_t i = 0; i < sizeof(months) / sizeof(*months); i++)
		if (!strcmp(period, months[i].name)) {
			first = fsi_first_of_month(
				fsi_floor_div(fsi_month_of_day(day), months[i].months) *
				months[i].months);
			found = true;
		}
	*out = first * DAY - offset_s;
	return found;
}

/* The run that reset usage: the first one not before the boundary. A boundary before the runs that are known was
 * dealt with by one nearby that is not, in the life of the controller before; but NOW means the first known. */
static int64_t reset_run(const struct fsi_decay *d, bool at_start)
{
	int64_t before;

	if (fsi_decay_run_before(d, d->reset, &before) && before == d->reset)
		return before;
	return d->reset < fsi_decay_first_run(d) && !at_start ? d->reset : fsi_decay_run_after(d, d->reset);
}

static int reset(struct fsi_decay *d, const fs_snapshot *m, struct fs_error *err)
{
	const char *told = fs_snapshot_config_text(m, "PriorityUsageResetPeriod"), *period = told ? told : "NONE";
	const int64_t upto = d->model == FS_DECAY_SLURM ? d->last : d->at;

	if (!strcmp(period, "NOW")) /* at once, when the controller starts */
		d->has_reset = fsi_start_time(m, &d->reset);
	else
		d->has_reset = boundary(period, upto, fs_snapshot_utc_offset(m, upto), &d->reset);
	if (!d->has_reset && strcmp(period, "NONE") != 0 && strcmp(period, "NOW") != 0)
		return fsi_config_bad(m, fsi_config_find(m, "PriorityUsageResetPeriod"),
				      "NONE, NOW, DAILY, WEEKLY, MONTHLY, QUARTERLY or YEARLY", err);
	d->resets = d->has_reset && strcmp(period, "NOW") != 0;
	if (!d->has_reset)
		return 0;
	d->reset_run = reset_run(d, !strcmp(period, "NOW"));
	if (d->model == FS_DECAY_SLURM && d->reset_run > d->last)
		d->has_reset = false;
	return 0;
}

const struct fsi_charging fsi_charging_slurm = {
	.who = "Slurm",
	.decay = FS_DECAY_SLURM,
	.half_life = "PriorityDecayHalfLife",
	.while_running = true,
	.weights = weights,
	.reset = reset,
};
