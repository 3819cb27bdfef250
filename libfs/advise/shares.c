/* More shares for the job's user: a coordinator of the account may give them, and take them from others
 * (src/plugins/accounting_storage/mysql/as_mysql_assoc.c: as_mysql_modify_assocs; of shares nothing is held against the
 * account's own, assoc_mgr_check_assoc_lim_incr).
 *
 * Shares count in ratios, so that they are doubled, until the user has nine tenths of the account. The fewest are told
 * that gain, and, if more gain more, the fewest of those that gain most. */
#include "advise/advise.h"
#include "model/job/last_run.h"
#include "model/scheduler.h"

#include <stdio.h>
#include <string.h>

enum { MOST_DOUBLINGS = 24, OTHERS_TIMES = 9 };

static const struct fsi_association *association(const struct fs_advices *a)
{
	const uint32_t i = fsi_job_assoc(a->m, fsi_advise_job(a));

	return i == FSI_NO_INDEX ? NULL : &a->saved.association.v[i];
}

static bool has_shares(const struct fsi_association *o)
{
	return FSI_HAS(o, ASSOCIATION, shares) && !FSI_SPECIAL(o, ASSOCIATION, shares);
}

/* Of the others in the account. */
static uint64_t others_shares(const struct fs_advices *a, const struct fsi_association *own)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < a->saved.association.n; i++) {
		const struct fsi_association *o = &a->saved.association.v[i];

		if (o != own && o->account == own->account && o->user && has_shares(o))
			sum += o->shares;
	}
	return sum;
}

static uint64_t doubled(const struct fsi_association *o, int64_t times)
{
	return (uint64_t)(o->shares ? o->shares : 1) << times;
}

static int64_t doublings(const struct fs_advices *a, const struct fsi_association *own)
{
	const uint64_t most = OTHERS_TIMES * others_shares(a, own);
	int64_t n = 0;

	while (n < MOST_DOUBLINGS && doubled(own, n) < most && doubled(own, n + 1) < INT32_MAX)
		n++;
	return n;
}

/* The greater the amount the fewer the shares. */
static void write_shares(const struct fs_advices *a, struct fsi_command *c, int64_t amount)
{
	const struct fsi_association *own = association(a);

	*c = (struct fsi_command){ 0 };
	a->m->scheduler->write_shares(c, a->m, own, (uint32_t)doubled(own, doublings(a, own) + 1 - amount));
}

/* Do coordinators give shares, and do these move the priority? One that is set by hand they do not. */
static bool count(const struct fs_advices *a)
{
	const struct fsi_job *j = fsi_advise_job(a);
	const char *weight = a->m->scheduler->commands->weight_of_shares;

	return weight && fsi_config_int(a->m, weight, 0) > 0 && !(FSI_HAS(j, JOB, priority_set) && j->priority_set);
}

/* Such a command has all priorities computed anew: what that alone gains is no gain of the shares. */
static int as_they_are(struct fs_advices *a, const struct fsi_association *own, struct fsi_trial *out)
{
	struct fsi_command c = { 0 };

	a->m->scheduler->write_shares(&c, a->m, own, own->shares);
	return fsi_advise_try(a, &c, out);
}

/* Does the job gain by the most shares there are to give? As a rule not, and each of these trials may cost a plan. */
static int most_gain(struct fs_advices *a, bool *gain)
{
	struct fsi_command c;
	struct fsi_trial t;
	int rc;

	write_shares(a, &c, 1);
	rc = fsi_advise_try(a, &c, &t);
	*gain = !rc && fsi_advise_gains(a, t.late);
	return rc;
}

/* What is told of the rows from `from` on. */
static int add_when(struct fs_advices *a, size_t from)
{
	char text[FSI_ADVICE_TEXT];
	const char *effects;
	const int n = snprintf(text, sizeof(text), "factors follow when priorities are computed next, within %llds",
			       (long long)fsi_calc_period(a->m));

	if (from == a->row.n)
		return 0;
	effects = fsi_arena_strndup(&a->arena, text, (size_t)n);
	for (; effects && from < a->row.n; from++)
		a->row.v[from].effects = effects;
	return effects ? 0 : fsi_nomem(a->err);
}

int fsi_advise_shares(struct fs_advices *a)
{
	const struct fsi_association *own = association(a);
	const struct fsi_trial touched = a->touched;
	const size_t from = a->row.n;
	struct fsi_trial anew;
	bool gain;
	int rc;

	if (!own || !own->user || !has_shares(own) || !count(a) || !doublings(a, own))
		return 0;
	rc = most_gain(a, &gain);
	if (rc || !gain)
		return rc;
	rc = as_they_are(a, own, &anew);
	if (rc || anew.start == FS_UNKNOWN)
		return rc;
	if (touched.start == FS_UNKNOWN || anew.start < touched.start)
		a->touched = anew;
	rc = fsi_advise_most(a, fsi_advise_coordinator(a), write_shares, 1, doublings(a, own) + 1, 0);
	a->touched = touched;
	return rc ? rc : add_when(a, from);
}
