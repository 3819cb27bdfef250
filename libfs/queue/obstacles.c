/* Obstacles of Slurm jobs, and the usage of a cluster as Maui counts it. */
#include "base/hostlist.h"
#include "limits/assoc_limits.h"
#include "model/find.h"
#include "queue/queue.h"
#include "queue/verdict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- obstacles of Slurm jobs: requests that a partition cannot satisfy or does not allow, however long the job
 * waits */

/* State of the search for the obstacles of one job. */
struct obstacle_search {
	const struct fsi_limits_context *x;
	const struct fsi_job *job;
	const struct fsi_partition *partition; /* partition that is being examined */
	struct fs_explain_choice *choices;     /* the pairs of partition and QOS that the job may use */
	size_t nchoices;
	FSI_VEC(struct fs_explain_obstacle) obstacles;
};

/* Adds an obstacle of the examined partition to s->obstacles. If s->obstacles contains the obstacle already, keeps the
 * smaller of its amount and `has`. `has`: amount that the partition's limit allows or that the partition's nodes have.
 * Returns -1 if out of memory. */
static int add_partition_obstacle(struct obstacle_search *s, const char *what, const char *name, double wants,
				  double has)
{
	const char *partition = fsi_name_text(s->x->m, s->partition->name);

	for (size_t i = 0; i < s->obstacles.n; i++) {
		struct fs_explain_obstacle *o = &s->obstacles.v[i];

		if (strcmp(o->partition, partition) || strcmp(o->what, what) || strcmp(o->name, name))
			continue;
		o->has = has < o->has ? has : o->has;
		return 0;
	}
	if (FSI_VEC_RESERVE(&s->obstacles))
		return -1;
	s->obstacles.v[s->obstacles.n++] = (struct fs_explain_obstacle){ partition, what, name, wants, has };
	return 0;
}

/* Marks the pairs of the examined partition and a QOS as `never` in s->choices. Skips pairs whose QOS has the flag
 * `flag`; NULL: skips none. `tried`: the scheduler detects the obstacle only when it tries to select nodes for the job.
 * If `tried` is false, also sets `untried` and clears `passed_over` in each marked pair. Returns false if it marks no
 * pair. */
static bool exclude_partition_choices(struct obstacle_search *s, const char *flag, bool tried)
{
	const fs_snapshot *m = s->x->m;
	bool any = false;

	for (size_t i = 0; i < s->nchoices; i++) {
		const uint32_t name = fsi_name_find(m, s->choices[i].qos);
		const struct fsi_qos *q = name ? fsi_qos_find(m, name) : NULL;

		if (s->choices[i].partition == fsi_name_text(m, s->partition->name) &&
		    !(flag && q && fsi_list_has_word(m, q->flags, flag))) {
			any = s->choices[i].never = true;
			s->choices[i].untried |= !tried;
			s->choices[i].passed_over &= tried;
		}
	}
	return any;
}

static int check_time_limit(struct obstacle_search *s)
{
	const double wants = FSI_SPECIAL(s->job, JOB, time_limit_s) ? (double)INFINITY : (double)s->job->time_limit_s;

	if (!FSI_HAS(s->job, JOB, time_limit_s) || !FSI_HAS(s->partition, PARTITION, max_time_s) ||
	    FSI_SPECIAL(s->partition, PARTITION, max_time_s) || wants <= (double)s->partition->max_time_s ||
	    !exclude_partition_choices(s, "PartitionTimeLimit", false))
		return 0;
	return add_partition_obstacle(s, "time", "", wants, (double)s->partition->max_time_s);
}

/* Compares the job's maximum number of nodes with MaxNodes of the partition, and its minimum with MinNodes
 * (src/slurmctld/job_mgr.c: _part_access_check). If the job was submitted without a maximum, slurmctld set its maximum
 * to MinNodes of its partition. If the job has several partitions, slurmctld used the lowest of their MinNodes. Returns
 * -1 if out of memory. */
static int check_node_count(struct obstacle_search *s)
{
	const uint32_t node = s->x->site ? s->x->site->node : fsi_name_find(s->x->m, "node");
	const double fewest = (double)(node ? fsi_amount_of_tres(s->x->m, s->job->tres_req, node) : 0);
	const double most = FSI_HAS(s->job, JOB, max_nodes) ? s->job->max_nodes : fewest;

	if (FSI_HAS(s->partition, PARTITION, max_nodes) && most > s->partition->max_nodes &&
	    exclude_partition_choices(s, "PartitionMaxNodes", false))
		return add_partition_obstacle(s, "node", "", most, s->partition->max_nodes);
	if (FSI_HAS(s->partition, PARTITION, min_nodes) && fewest > 0 && fewest < s->partition->min_nodes &&
	    exclude_partition_choices(s, "PartitionMinNodes", false))
		return add_partition_obstacle(s, "min_nodes", "", fewest, s->partition->min_nodes);
	return 0;
}

/* Compares the TRES that the job requests with the partition's TRES. If the snapshot has the partition's TRES, a TRES
 * that is not among them counts as 0. Returns -1 if out of memory. */
static int check_requested_tres(struct obstacle_search *s)
{
	const fs_snapshot *m = s->x->m;
	size_t n;
	const struct fsi_amount *a = fsi_amount_items(m, s->job->tres_req, &n);

	if (!FSI_HAS(s->partition, PARTITION, tres))
		return 0;
	for (size_t i = 0; i < n; i++) {
		const char *name = fsi_name_text(m, a[i].tres);
		const int64_t has = fsi_amount_of_tres(m, s->partition->tres, a[i].tres);

		if (a[i].n <= has ||
		    (strcmp(name, "cpu") && strcmp(name, "mem") && strcmp(name, "node") && strncmp(name, "gres/", 5)) ||
		    (!strcmp(name, "mem") && !fsi_job_memory_is_requested(m, s->job)))
			continue;
		if (exclude_partition_choices(s, NULL, strcmp(name, "cpu") && strcmp(name, "node")) &&
		    add_partition_obstacle(s, name, "", (double)a[i].n, (double)has))
			return -1;
	}
	return 0;
}

static bool is_name_listed(const fs_snapshot *m, uint32_t set, uint32_t name)
{
	return fsi_list_has_word(m, set, fsi_name_text(m, name));
}

static bool is_qos_refused(const struct obstacle_search *s, const char *qos)
{
	const fs_snapshot *m = s->x->m;
	const struct fsi_partition *p = s->partition;

	return (FSI_HAS(p, PARTITION, allow_qos) && !fsi_list_has_word(m, p->allow_qos, qos)) ||
	       fsi_list_has_word(m, p->deny_qos, qos);
}

static int check_allowed_qos(struct obstacle_search *s)
{
	if (!FSI_HAS(s->partition, PARTITION, allow_qos) && !s->partition->deny_qos)
		return 0;
	for (size_t i = 0; i < s->nchoices; i++) {
		struct fs_explain_choice *c = &s->choices[i];

		if (c->partition != fsi_name_text(s->x->m, s->partition->name) || !*c->qos ||
		    !is_qos_refused(s, c->qos))
			continue;
		c->never = c->untried = true;
		c->passed_over = false;
		if (add_partition_obstacle(s, "qos", c->qos, NAN, NAN))
			return -1;
	}
	return 0;
}

/* Returns true if EnforcePartLimits is set. The scheduler then tests a job's account together with the other limits of
 * the partition. If EnforcePartLimits is not set, the scheduler tests the account only when it selects nodes. */
static bool is_account_enforced(const fs_snapshot *m)
{
	const char *mode = fs_snapshot_config_text(m, "EnforcePartLimits");

	return mode && strcmp(mode, "NO") != 0;
}

static int check_allowed_account(struct obstacle_search *s)
{
	const fs_snapshot *m = s->x->m;
	const struct fsi_partition *p = s->partition;
	const uint32_t account = s->job->account;

	if (account && ((FSI_HAS(p, PARTITION, allow_accounts) && !is_name_listed(m, p->allow_accounts, account)) ||
			is_name_listed(m, p->deny_accounts, account)))
		return exclude_partition_choices(s, NULL, !is_account_enforced(m))
			       ? add_partition_obstacle(s, "account", fsi_name_text(m, account), NAN, NAN)
			       : 0;
	return 0;
}

int fsi_blockers_add_obstacles(const struct fsi_limits_context *x, struct fsi_blockers *out,
			       struct fs_explain_choice *choices)
{
	struct obstacle_search s = {
		.x = x, .job = &x->m->job.v[out->job_row], .choices = choices, .nchoices = out->nchoices
	};
	size_t n;
	const uint32_t *names = fsi_list_items(x->m, s.job->partitions, &n);
	int rc = 0;

	for (size_t i = 0; !rc && i < n; i++) {
		s.partition = fsi_partition_find(x->m, names[i]);
		if (s.partition)
			rc = check_time_limit(&s) || check_node_count(&s) || check_requested_tres(&s) ||
					     check_allowed_account(&s) || check_allowed_qos(&s)
				     ? -1
				     : 0;
	}
	out->nobstacles = s.obstacles.n;
	out->obstacles = fsi_limits_copy_results(x, s.obstacles.v, s.obstacles.n, sizeof(*s.obstacles.v));
	FSI_VEC_FREE(&s.obstacles);
	return rc || !out->obstacles ? -1 : 0;
}

/* ---- usage of the cluster as Maui counts it (src/moab/MPar.c, src/moab/moab.h: MNODEISUP). Only nodes that are
 * neither down nor drained count. A job uses the processors that are dedicated to it.
 *
 * The snapshot gives a minimum and a maximum for the number of nodes in use. The minimum is the greater of two numbers:
 * the nodes that the busy processors fill if the largest nodes are filled first, and the nodes in the node lists of
 * running jobs. The maximum is the number of nodes in these lists, plus one node for each task without a listed node.
 * If the minimum and the maximum differ, the number that the scheduler printed is used. If the scheduler printed no
 * number, the number of nodes in use is unknown. */

static bool is_node_up(const fs_snapshot *m, const struct fsi_node *n)
{
	const char *state = fsi_name_text(m, n->state);

	return strncmp(state, "DOWN", 4) != 0 && strncmp(state, "DRAINED", 7) != 0;
}

static int compare_larger_first(const void *x, const void *y, const void *ctx)
{
	const uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;

	(void)ctx;
	return (a < b) - (a > b);
}

/* Returns the numbers of processors of the nodes that are up, largest first. Sets out->procs to their sum, and
 * out->nodes to the number of nodes that are up. Returns NULL if out of memory. */
static uint32_t *list_up_nodes(const fs_snapshot *m, struct fs_machine *out)
{
	uint32_t *procs = malloc((m->node.n + 1) * sizeof(*procs));
	size_t n = 0;

	out->procs = 0;
	for (size_t i = 0; procs && i < m->node.n; i++)
		if (is_node_up(m, &m->node.v[i])) {
			procs[n++] = m->node.v[i].cpus;
			out->procs += m->node.v[i].cpus;
		}
	out->nodes = (int64_t)n;
	if (procs && fs_sort(procs, n, sizeof(*procs), compare_larger_first, NULL)) {
		free(procs);
		return NULL;
	}
	return procs;
}

/* Returns the number of nodes that the busy processors fill if the largest nodes are filled first. */
static int64_t count_fewest_nodes(const uint32_t *procs, const struct fs_machine *machine)
{
	int64_t left = machine->busy_procs, n = 0;

	for (; left > 0 && n < machine->nodes; n++)
		left -= procs[n];
	return n;
}

/* The host names in the node lists of running jobs. */
struct host_names {
	struct fsi_intern names; /* host names of all running jobs; each name is stored once */
	int64_t job_hosts;       /* number of host names in the node list of the job that is being read */
};

static int add_host_name(void *ctx, const char *name, size_t len)
{
	struct host_names *h = ctx;

	h->job_hosts++;
	return fsi_intern_add(&h->names, name, len) == FSI_INTERN_FAILED ? -2 : 0;
}

static bool is_running_job(const struct fsi_job *job)
{
	return job->state == FSI_STATE_RUNNING;
}

/* Sets *named to the number of different nodes in the node lists of running jobs. Sets *others to the number of tasks
 * that have no node in the node list of their job, assuming one task on each listed node. Returns -1 if out of
 * memory. */
static int count_named_hosts(const fs_snapshot *m, int64_t *named, int64_t *others)
{
	struct host_names h = { .job_hosts = 0 };
	int rc = 0;

	*others = 0;
	for (struct fsi_active_jobs b = { 0 }; rc != -2 && fsi_active_jobs_next(m, &b);) {
		const struct fsi_job *job = &m->job.v[b.row];
		const int64_t tasks = FSI_HAS(job, JOB, tasks) ? job->tasks : job->cpus;

		if (!is_running_job(job))
			continue;
		h.job_hosts = 0;
		if (job->node_list)
			rc = fsi_hostlist_expand_each(fsi_name_text(m, job->node_list), FSI_MAX_HOSTS, add_host_name,
						      &h);
		if (tasks > h.job_hosts)
			*others += tasks - h.job_hosts;
	}
	*named = h.names.count ? (int64_t)h.names.count - 1 : 0;
	fsi_intern_release(&h.names);
	return rc == -2 ? -1 : 0;
}

/* Sets out->busy_nodes to the number of nodes in use; FS_UNKNOWN if it is unknown. Returns -1 if out of memory. */
static int count_busy_nodes(const fs_snapshot *m, const uint32_t *procs, struct fs_machine *out)
{
	int64_t min = count_fewest_nodes(procs, out), max, named, others;

	if (count_named_hosts(m, &named, &others))
		return -1;
	min = named > min ? named : min;
	max = named + others < out->nodes ? named + others : out->nodes;
	out->busy_nodes = min == max ? min : FS_UNKNOWN;
	if (min != max && FSI_HAS(&m->head, SNAPSHOT, active_nodes))
		out->busy_nodes = m->head.active_nodes;
	return 0;
}

int fs_snapshot_machine(const fs_snapshot *m, struct fs_machine *out)
{
	uint32_t *procs;
	int rc;

	*out = (struct fs_machine){ .procs = FS_UNKNOWN, .nodes = FS_UNKNOWN, .busy_nodes = FS_UNKNOWN };
	for (struct fsi_active_jobs b = { 0 }; fsi_active_jobs_next(m, &b);)
		out->busy_procs += is_running_job(&m->job.v[b.row]) ? m->job.v[b.row].cpus : 0;
	if (!m->node.n)
		return 0;
	procs = list_up_nodes(m, out);
	if (!procs)
		return -1;
	if (out->busy_procs > out->procs)
		out->busy_procs = out->procs;
	rc = count_busy_nodes(m, procs, out);
	free(procs);
	return rc;
}
