/* The limit that keeps a job back, raised to what it needs.
 *
 * Of a QOS an administrator may, of an account an operator; of a user in it also the account's coordinator, as far as
 * the account's own limit of that name goes
 * (src/plugins/accounting_storage/mysql/as_mysql_assoc.c: as_mysql_modify_assocs, "above the parent limit"). */
#include "advise/advise.h"
#include "model/records/limit_names.h"
#include "model/viewer.h"
#include "queue/limits/limits.h"

#include <math.h>
#include <string.h>

#define MEASURE(member, type, name, column, shown, word, order, measure, counted) { name, FSI_##measure },
static const struct {
	const char *limit;
	enum fsi_measure measure;
} limits[] = { FSI_ASSOC_GROUP_LIMITS(MEASURE) FSI_ASSOC_OWN_LIMITS(MEASURE) FSI_QOS_LIMITS(MEASURE) };
#undef MEASURE

/* Limits on running jobs and on TRES alone are proposed: in those one job more or less tells. */
static bool is_raised(const char *limit)
{
	for (size_t i = 0; i < sizeof(limits) / sizeof(*limits); i++) {
		const enum fsi_measure m = limits[i].measure;

		if (!strcmp(limits[i].limit, limit) &&
		    (m == FSI_RUNNING_TRES || m == FSI_RUNNING_JOBS || m == FSI_JOB_TRES || m == FSI_NODE_TRES))
			return true;
	}
	return false;
}

static const struct fsi_limit_kind *kind_named(const char *name)
{
	for (size_t i = 0; i < fsi_assoc_limit_count; i++)
		if (!strcmp(fsi_assoc_limits[i].name, name))
			return &fsi_assoc_limits[i];
	return NULL;
}

/* What an association's record sets as that limit; INFINITY where it sets none. */
static double limit_of(const fs_snapshot *m, const struct fsi_association *o, const struct fsi_limit_kind *k,
		       const char *tres)
{
	const uint32_t name = fsi_name_find(m, tres);
	const struct fsi_amount *v;
	uint32_t number;
	size_t n;

	if (!fsi_known(&o->rec, k->bit) || fsi_special(&o->rec, k->bit))
		return (double)INFINITY;
	memcpy(&number, (const char *)o + k->offset, sizeof(number)); /* a count, or the id of a set */
	if (k->type != FSI_TRES)
		return number;
	v = fsi_amounts(m, number, &n);
	for (size_t i = 0; i < n; i++)
		if (v[i].tres == name)
			return (double)v[i].n;
	return (double)INFINITY;
}

static bool parent_allows(const struct fs_advices *a, const struct fs_explain_limit *l, double amount)
{
	const uint32_t own = fsi_job_assoc(a->m, fsi_advise_job(a));
	const uint32_t parent = own == FSI_NO_INDEX ? FSI_NO_INDEX : a->m->tree[own].parent;
	const struct fsi_limit_kind *k = kind_named(l->name);

	return k && parent != FSI_NO_INDEX && amount <= limit_of(a->m, &a->saved.association.v[parent], k, l->tres);
}

enum fs_who fsi_advise_coordinator(const struct fs_advices *a)
{
	const char *account = fsi_str(a->m, fsi_advise_job(a)->account);
	struct fsi_viewer v;

	fsi_viewer_init(&v, a->m, a->view.viewer);
	return fsi_viewer_knows_no_coordinator(&v, account) ? FS_WHO_OPERATOR : FS_WHO_COORDINATOR;
}

static enum fs_who who_raises(const struct fs_advices *a, const struct fs_explain_limit *l, double amount)
{
	if (l->scope == FS_LIMIT_QOS || l->scope == FS_LIMIT_PARTITION_QOS)
		return FS_WHO_ADMINISTRATOR;
	return l->scope == FS_LIMIT_ASSOC && parent_allows(a, l, amount) ? fsi_advise_coordinator(a) : FS_WHO_OPERATOR;
}

int fsi_advise_limit(struct fs_advices *a, const struct fs_explain_limit *l)
{
	const double wants = l->per_job ? l->wants : l->used + l->wants;
	const struct fsi_job *j = fsi_advise_job(a);
	const struct fsi_limit_change change = { .scope = l->scope, .of = l->of, .user = fsi_str(a->m, j->user),
						 .account = fsi_str(a->m, j->account), .name = l->name, .tres = l->tres,
						 .amount = ceil(wants) };
	struct fsi_command c;

	if (!is_raised(l->name) || l->is_min || l->factor != 1 || !isfinite(wants) || wants <= 0 || wants > 1e15)
		return 0;
	fsi_command_limit(&c, a->m, &change);
	return fsi_advise_propose(a, who_raises(a, l, change.amount), &c, NULL);
}
