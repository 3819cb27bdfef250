/* What keeps a job from ever starting as things stand: requests that no amount of waiting fulfils. */
#include "explain/explain.h"

#include <math.h>
#include <string.h>

bool fsi_explain_never(const struct fs_reason *r)
{
	static const char *const reasons[] = { "DependencyNeverSatisfied", "PartitionNodeLimit", "PartitionTimeLimit",
					       "MaxMemPerLimit",	   "PartitionConfig",	 "BadConstraints",
					       "InvalidAccount",	   "InvalidQOS",	 "QOSNotAllowed",
					       "AccountNotAllowed",	   "ReservationDeleted", "ReservationInvalid" };
	static const char *const limits[] = { "MaxTRESPerJob", "MaxTRESPerNode", "MaxTRESMinsPerJob", "MinTRESPerJob",
					      "MaxWall" };

	for (size_t i = 0; r && i < sizeof(reasons) / sizeof(*reasons); i++)
		if (!strcmp(r->name, reasons[i]))
			return true;
	for (size_t i = 0; r && i < sizeof(limits) / sizeof(*limits); i++)
		if (!strcmp(r->limit, limits[i]))
			return true;
	return false;
}

struct looking {
	fs_explain *x;
	const struct fsi_job *job;
	const struct fsi_partition *part;
	FSI_VEC(struct fs_explain_obstacle) found;
};

static int add(struct looking *l, const char *what, const char *name, double wants, double has)
{
	if (FSI_VEC_ROOM(&l->found))
		return -1;
	l->found.v[l->found.n++] =
		(struct fs_explain_obstacle){ fsi_str(l->x->m, l->part->name), what, name, wants, has };
	return 0;
}

static int look_at_time(struct looking *l)
{
	const double wants = FSI_SPECIAL(l->job, JOB, time_limit_s) ? (double)INFINITY : (double)l->job->time_limit_s;

	if (!FSI_HAS(l->job, JOB, time_limit_s) || !FSI_HAS(l->part, PARTITION, max_time_s) ||
	    FSI_SPECIAL(l->part, PARTITION, max_time_s) || wants <= (double)l->part->max_time_s)
		return 0;
	return add(l, "time", "", wants, (double)l->part->max_time_s);
}

static int look_at_nodes(struct looking *l)
{
	const uint32_t node = fsi_name_find(l->x->m, "node");
	const double wants = (double)(node ? fsi_amount_of(l->x->m, l->job->tres_req, node) : 0);

	if (FSI_HAS(l->part, PARTITION, max_nodes) && wants > l->part->max_nodes)
		return add(l, "node", "", wants, l->part->max_nodes);
	return 0;
}

/* Of a partition that lists its TRES those it does not list are not there. */
static int look_at_tres(struct looking *l)
{
	const fs_snapshot *m = l->x->m;
	size_t n;
	const struct fsi_amount *a = fsi_amounts(m, l->job->tres_req, &n);

	if (!FSI_HAS(l->part, PARTITION, tres))
		return 0;
	for (size_t i = 0; i < n; i++) {
		const char *name = fsi_str(m, a[i].tres);
		const int64_t has = fsi_amount_of(m, l->part->tres, a[i].tres);

		if (strcmp(name, "cpu") && strcmp(name, "mem") && strcmp(name, "node") && strncmp(name, "gres/", 5))
			continue;
		if (a[i].n > has && add(l, name, "", (double)a[i].n, (double)has))
			return -1;
	}
	return 0;
}

static bool listed(const fs_snapshot *m, uint32_t set, uint32_t name)
{
	return fsi_list_has(m, set, fsi_str(m, name));
}

static int look_at_access(struct looking *l)
{
	const fs_snapshot *m = l->x->m;
	const struct fsi_partition *p = l->part;
	const uint32_t account = l->job->account;
	size_t n, refused = 0;
	const uint32_t *qos = fsi_list(m, l->job->qos, &n);

	if (account && ((FSI_HAS(p, PARTITION, allow_accounts) && !listed(m, p->allow_accounts, account)) ||
			listed(m, p->deny_accounts, account)))
		if (add(l, "account", fsi_str(m, account), NAN, NAN))
			return -1;
	for (size_t i = 0; i < n; i++)
		refused += (FSI_HAS(p, PARTITION, allow_qos) && !listed(m, p->allow_qos, qos[i])) ||
			   listed(m, p->deny_qos, qos[i]);
	return n && refused == n ? add(l, "qos", fsi_str(m, qos[0]), NAN, NAN) : 0;
}

int fsi_explain_obstacles(fs_explain *x, struct fs_explain_job *out)
{
	struct looking l = { .x = x, .job = &x->m->job.v[out->job_row] };
	size_t n;
	const uint32_t *names = fsi_list(x->m, l.job->partitions, &n);
	int rc = 0;

	for (size_t i = 0; !rc && i < n; i++) {
		l.part = fsi_partition_find(x->m, names[i]);
		if (l.part)
			rc = look_at_time(&l) || look_at_nodes(&l) || look_at_tres(&l) || look_at_access(&l) ? -1 : 0;
	}
	out->nobstacles = l.found.n;
	out->obstacles = fsi_explain_keep(x, l.found.v, l.found.n, sizeof(*l.found.v));
	FSI_VEC_FREE(&l.found);
	return rc || !out->obstacles ? -1 : 0;
}
