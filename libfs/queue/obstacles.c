/* What keeps a job from ever starting at present: requests that no wait fulfils. */
#include "queue/bars.h"

#include <math.h>
#include <string.h>

/* A partition with the choices that are in it. */
struct checker {
	const struct fsi_bars_from *x;
	const struct fsi_job *job;
	const struct fsi_partition *part;
	struct fs_explain_choice *choices;
	size_t nchoices;
	FSI_VEC(struct fs_explain_obstacle) found;
};

/* The stricter of two bounds counts: the partition's own, or what its nodes have. */
static int add_obstacle(struct checker *l, const char *what, const char *name, double wants, double has)
{
	const char *partition = fsi_str(l->x->m, l->part->name);

	for (size_t i = 0; i < l->found.n; i++) {
		struct fs_explain_obstacle *o = &l->found.v[i];

		if (strcmp(o->partition, partition) || strcmp(o->what, what) || strcmp(o->name, name))
			continue;
		o->has = has < o->has ? has : o->has;
		return 0;
	}
	if (FSI_VEC_ROOM(&l->found))
		return -1;
	l->found.v[l->found.n++] = (struct fs_explain_obstacle){ partition, what, name, wants, has };
	return 0;
}

/* Rules out the partition's choices whose QOS lacks the flag, or all of them where no flag is named; false: there
 * were none. tried: the scheduler finds that out only when it looks for nodes. */
static bool rules_out(struct checker *l, const char *flag, bool tried)
{
	const fs_snapshot *m = l->x->m;
	bool any = false;

	for (size_t i = 0; i < l->nchoices; i++) {
		const uint32_t name = fsi_name_find(m, l->choices[i].qos);
		const struct fsi_qos *q = name ? fsi_qos_find(m, name) : NULL;

		if (l->choices[i].partition == fsi_str(m, l->part->name) &&
		    !(flag && q && fsi_list_has(m, q->flags, flag))) {
			any = l->choices[i].never = true;
			l->choices[i].untried |= !tried;
			l->choices[i].passed_over &= tried;
		}
	}
	return any;
}

static int check_time(struct checker *l)
{
	const double wants = FSI_SPECIAL(l->job, JOB, time_limit_s) ? (double)INFINITY
								    : (double)l->job->time_limit_s;

	if (!FSI_HAS(l->job, JOB, time_limit_s) || !FSI_HAS(l->part, PARTITION, max_time_s) ||
	    FSI_SPECIAL(l->part, PARTITION, max_time_s) || wants <= (double)l->part->max_time_s ||
	    !rules_out(l, "PartitionTimeLimit", false))
		return 0;
	return add_obstacle(l, "time", "", wants, (double)l->part->max_time_s);
}

/* The most nodes must not be more, the fewest not be less (job_mgr.c:_part_access_check). Jobs without a most have had
 * the partition's MinNodes since they were submitted, or the least of several. */
static int check_nodes(struct checker *l)
{
	const uint32_t node = l->x->site ? l->x->site->node : fsi_name_find(l->x->m, "node");
	const double fewest = (double)(node ? fsi_amount_of(l->x->m, l->job->tres_req, node) : 0);
	const double most = FSI_HAS(l->job, JOB, max_nodes) ? l->job->max_nodes : fewest;

	if (FSI_HAS(l->part, PARTITION, max_nodes) && most > l->part->max_nodes &&
	    rules_out(l, "PartitionMaxNodes", false))
		return add_obstacle(l, "node", "", most, l->part->max_nodes);
	if (FSI_HAS(l->part, PARTITION, min_nodes) && fewest > 0 && fewest < l->part->min_nodes &&
	    rules_out(l, "PartitionMinNodes", false))
		return add_obstacle(l, "min_nodes", "", fewest, l->part->min_nodes);
	return 0;
}

/* A TRES that a partition does not list, where it lists any, is not there. */
static int check_tres(struct checker *l)
{
	const fs_snapshot *m = l->x->m;
	size_t n;
	const struct fsi_amount *a = fsi_amounts(m, l->job->tres_req, &n);

	if (!FSI_HAS(l->part, PARTITION, tres))
		return 0;
	for (size_t i = 0; i < n; i++) {
		const char *name = fsi_str(m, a[i].tres);
		const int64_t has = fsi_amount_of(m, l->part->tres, a[i].tres);

		if (a[i].n <= has || (strcmp(name, "cpu") && strcmp(name, "mem") && strcmp(name, "node") &&
				      strncmp(name, "gres/", 5)) ||
		    (!strcmp(name, "mem") && !fsi_job_memory_is_its_own(m, l->job)))
			continue;
		if (rules_out(l, NULL, strcmp(name, "cpu") && strcmp(name, "node")) &&
		    add_obstacle(l, name, "", (double)a[i].n, (double)has))
			return -1;
	}
	return 0;
}

static bool listed(const fs_snapshot *m, uint32_t set, uint32_t name)
{
	return fsi_list_has(m, set, fsi_str(m, name));
}

static bool refused(const struct checker *l, const char *qos)
{
	const fs_snapshot *m = l->x->m;
	const struct fsi_partition *p = l->part;

	return (FSI_HAS(p, PARTITION, allow_qos) && !fsi_list_has(m, p->allow_qos, qos)) ||
	       fsi_list_has(m, p->deny_qos, qos);
}

static int check_qos(struct checker *l)
{
	for (size_t i = 0; i < l->nchoices; i++) {
		struct fs_explain_choice *c = &l->choices[i];

		if (c->partition != fsi_str(l->x->m, l->part->name) || !*c->qos || !refused(l, c->qos))
			continue;
		c->never = c->untried = true;
		c->passed_over = false;
		if (add_obstacle(l, "qos", c->qos, NAN, NAN))
			return -1;
	}
	return 0;
}

/* Are accounts looked at with the partition's other limits, or when nodes are picked? */
static bool enforced(const fs_snapshot *m)
{
	const char *mode = fs_snapshot_config_text(m, "EnforcePartLimits");

	return mode && strcmp(mode, "NO") != 0;
}

static int check_account(struct checker *l)
{
	const fs_snapshot *m = l->x->m;
	const struct fsi_partition *p = l->part;
	const uint32_t account = l->job->account;

	if (account &&
	    ((FSI_HAS(p, PARTITION, allow_accounts) && !listed(m, p->allow_accounts, account)) ||
	     listed(m, p->deny_accounts, account)))
		return rules_out(l, NULL, !enforced(m)) ? add_obstacle(l, "account", fsi_str(m, account), NAN, NAN) : 0;
	return 0;
}

int fsi_bars_obstacles(const struct fsi_bars_from *x, struct fsi_bars *out, struct fs_explain_choice *choices)
{
	struct checker l = { .x = x,
			     .job = &x->m->job.v[out->job_row],
			     .choices = choices,
			     .nchoices = out->nchoices };
	size_t n;
	const uint32_t *names = fsi_list(x->m, l.job->partitions, &n);
	int rc = 0;

	for (size_t i = 0; !rc && i < n; i++) {
		l.part = fsi_partition_find(x->m, names[i]);
		if (l.part)
			rc = check_time(&l) || check_nodes(&l) || check_tres(&l) ||
					     check_account(&l) || check_qos(&l)
				     ? -1
				     : 0;
	}
	out->nobstacles = l.found.n;
	out->obstacles = fsi_bars_keep(x, l.found.v, l.found.n, sizeof(*l.found.v));
	FSI_VEC_FREE(&l.found);
	return rc || !out->obstacles ? -1 : 0;
}
