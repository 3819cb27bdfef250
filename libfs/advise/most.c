/* The greatest amount that still gains, by halving; found on the plan of those before the job where there is one, and
 * always told by a whole plan. */
#include "advise/advise.h"

static int start_of(struct fs_advices *a, fsi_amount_fn write, int64_t amount, bool whole, int64_t *start)
{
	char command[FSI_ADVICE_TEXT];
	struct fsi_trial t;
	int rc;

	write(a, command, sizeof(command), amount);
	if (whole || !a->place) {
		rc = fsi_advise_try(a, command, &t);
		*start = t.start;
		return rc;
	}
	*start = FS_UNKNOWN;
	rc = fsi_advise_edit(a, command, &t);
	if (rc)
		return rc > 0 ? 0 : rc;
	return fsi_place_start(a, start) ? fsi_nomem(a->err) : 0;
}

/* The greatest amount below `most` that starts no later than `by`, or (FS_UNKNOWN) gains at all; `least` does. */
static int greatest(struct fs_advices *a, fsi_amount_fn write, int64_t least, int64_t most, int64_t by, bool whole,
		    int64_t *out)
{
	while (most - least > 1) {
		const int64_t middle = least + (most - least) / 2;
		int64_t start;
		const int rc = start_of(a, write, middle, whole, &start);

		if (rc)
			return rc;
		if (by == FS_UNKNOWN ? fsi_advise_gains(a, start) : start != FS_UNKNOWN && start <= by)
			least = middle;
		else
			most = middle;
	}
	*out = least;
	return 0;
}

static int propose(struct fs_advices *a, fsi_amount_fn write, int64_t amount, int64_t *start)
{
	char command[FSI_ADVICE_TEXT];

	write(a, command, sizeof(command), amount);
	return fsi_advise_propose(a, FS_WHO_OWNER, command, start);
}

/* The next cycle comes later than the one that is planned, and what begins behind the job then does not wait. */
static int64_t less_slack(const struct fs_advices *a, int64_t amount, int64_t start, int64_t least, int64_t slack)
{
	return start <= a->m->info.time + FSI_ADVICE_LEAST_S && amount - slack >= least ? amount - slack : amount;
}

/* False in *held: a whole plan does not gain with what was found. */
static int most_of(struct fs_advices *a, fsi_amount_fn write, int64_t least, int64_t most, int64_t slack, bool whole,
		   bool *held)
{
	int64_t first, amount, start, told;
	int rc = start_of(a, write, least, whole, &first);

	*held = true;
	if (rc || !fsi_advise_gains(a, first))
		return rc;
	rc = greatest(a, write, least, most, FS_UNKNOWN, whole, &amount);
	if (!rc)
		rc = start_of(a, write, amount, whole, &start);
	if (!rc)
		rc = propose(a, write, less_slack(a, amount, start, least, slack), &told);
	*held = !rc && told != FS_UNKNOWN;
	if (!*held || first + FSI_ADVICE_LEAST_S > start)
		return rc;
	rc = greatest(a, write, least, amount, first, whole, &amount);
	return rc ? rc : propose(a, write, less_slack(a, amount, first, least, slack), &start);
}

int fsi_advise_most(struct fs_advices *a, fsi_amount_fn write, int64_t least, int64_t most, int64_t slack)
{
	bool held;
	int rc;

	if (least < 1)
		least = 1;
	if (least >= most)
		return 0;
	rc = most_of(a, write, least, most, slack, !a->place, &held);
	return rc || held || !a->place ? rc : most_of(a, write, least, most, slack, true, &held);
}
