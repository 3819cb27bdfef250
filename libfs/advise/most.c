/* The greatest amount that still gains, by halving. */
#include "advise/advise.h"
#include "model/scheduler.h"
#include "plan/scheduler.h"

static int trial_of(struct fs_advices *a, fsi_amount_fn write, int64_t amount, struct fsi_trial *t)
{
	struct fsi_command c;

	write(a, &c, amount);
	return fsi_advise_try(a, &c, t);
}

static int start_of(struct fs_advices *a, fsi_amount_fn write, int64_t amount, int64_t *start)
{
	struct fsi_trial t;
	const int rc = trial_of(a, write, amount, &t);

	*start = t.late;
	return rc;
}

/* The start with the least amount from `*min` on. What a limit keeps or a partition never takes may be too little
 * (MinTRESPerJob, MinNodes): then twice as much is tried. */
static int least(struct fs_advices *a, fsi_amount_fn write, int64_t *min, int64_t max, int64_t *start)
{
	struct fsi_trial t;
	int rc;

	while (!(rc = trial_of(a, write, *min, &t)) && (t.state == FS_PLAN_BLOCKED || t.state == FS_PLAN_NEVER) &&
	       *min < max / 2)
		*min *= 2;
	*start = t.late;
	return rc;
}

/* The greatest amount below `max` that starts no later than `by`, or with `by` FS_UNKNOWN gains at all; `min` is
 * known to. */
static int greatest(struct fs_advices *a, fsi_amount_fn write, int64_t min, int64_t max, int64_t by, int64_t *out)
{
	while (max - min > 1) {
		const int64_t middle = min + (max - min) / 2;
		int64_t start;
		const int rc = start_of(a, write, middle, &start);

		if (rc)
			return rc;
		if (by == FS_UNKNOWN ? fsi_advise_gains(a, start) : start != FS_UNKNOWN && start <= by)
			min = middle;
		else
			max = middle;
	}
	*out = min;
	return 0;
}

static int propose(struct fs_advices *a, enum fs_who who, fsi_amount_fn write, int64_t amount)
{
	struct fsi_command c;

	write(a, &c, amount);
	return fsi_advise_propose(a, who, &c, NULL);
}

/* A job that would start at once asks for `slack` less: the next cycle comes later than the one that is planned, and
 * what is to begin behind the job does not wait for it. Where each trial tells how late its start may be there is slack
 * already. */
static int64_t less_slack(const struct fs_advices *a, int64_t amount, int64_t start, int64_t min, int64_t slack)
{
	if (a->m->scheduler->plan->stepwise)
		return amount;
	return start <= a->m->info.time + FSI_ADVICE_MIN_S && amount - slack >= min ? amount - slack : amount;
}

static int max_of(struct fs_advices *a, enum fs_who who, fsi_amount_fn write, int64_t min, int64_t max, int64_t slack)
{
	int64_t first, amount, start;
	int rc = least(a, write, &min, max, &first);

	if (rc || !fsi_advise_gains(a, first))
		return rc;
	rc = greatest(a, write, min, max, FS_UNKNOWN, &amount);
	if (!rc)
		rc = start_of(a, write, amount, &start);
	if (!rc)
		rc = propose(a, who, write, less_slack(a, amount, start, min, slack));
	if (rc || first + FSI_ADVICE_MIN_S > start)
		return rc;
	rc = greatest(a, write, min, amount, first, &amount);
	return rc ? rc : propose(a, who, write, less_slack(a, amount, first, min, slack));
}

int fsi_advise_most(struct fs_advices *a, enum fs_who who, fsi_amount_fn write, int64_t min, int64_t max, int64_t slack)
{
	if (min < 1)
		min = 1;
	return min >= max ? 0 : max_of(a, who, write, min, max, slack);
}
