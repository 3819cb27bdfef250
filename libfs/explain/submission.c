/* Whether slurmctld accepts a new job (src/slurmctld/job_mgr.c: job_allocate, _job_create, _select_nodes_parts;
 * src/slurmctld/acct_policy.c: acct_policy_validate). */
#include "base/error.h"
#include "base/hostlist.h"
#include "explain/explain.h"
#include "fs/cause.h"
#include "fs/plan.h"
#include "model/find.h"
#include "queue/verdict.h"
#include "usage/billing.h"

#include <math.h>
#include <string.h>

static const char no_nodes[] = "Requested node configuration is not available";

struct submission_test {
	fs_explain *x;
	const struct fsi_job *job;
	const struct fs_explain_job *shown;
	const struct fs_plan *plan;
	struct fsi_blockers blockers; /* limits and obstacles at submission */
	struct fs_submission *out;
	bool out_of_memory;
};

static bool refuse_job(struct submission_test *t, struct fs_refusal why)
{
	t->out->refusal[0] = why;
	t->out->n = 1;
	return true;
}

/* ---- the largest node of a partition */

struct largest_node {
	const fs_snapshot *m;
	uint32_t tres;
	double most;
};

static int compare_node_amount(void *ctx, const char *name, size_t len)
{
	struct largest_node *l = ctx;
	const struct fsi_node *n = fsi_node_find(l->m, fsi_intern_find_id(&l->m->names, name, len));
	double amount;

	if (!n)
		return 0;
	amount = (double)fsi_amount_of_tres(l->m, n->tres, l->tres);
	if (!strcmp(fsi_name_text(l->m, l->tres), "cpu"))
		amount = n->cpus;
	else if (!strcmp(fsi_name_text(l->m, l->tres), "mem"))
		amount = (double)n->mem_mb;
	l->most = isnan(l->most) || amount > l->most ? amount : l->most;
	return 0;
}

/* Returns the largest amount of a TRES on a node of the partition; NAN: unknown. */
static double find_largest_node(const fs_snapshot *m, const char *partition, const char *tres)
{
	const struct fsi_partition *p = fsi_partition_find(m, fsi_name_find(m, partition));
	struct largest_node l = { m, fsi_name_find(m, tres), (double)NAN };

	if (p && p->nodes && l.tres)
		fsi_hostlist_expand_each(fsi_name_text(m, p->nodes), FSI_MAX_HOSTS, compare_node_amount, &l);
	return l.most;
}

/* ---- limits of partitions */

/* How slurmctld refuses an obstacle. */
static const struct obstacle_refusal {
	const char *what; /* member `what` of the obstacle; a slash at the end matches any name after it */
	const char *message;
	const char *options;
	/* the job is refused even if EnforcePartLimits is not set, because no set of nodes can satisfy the request */
	bool always;
} obstacle_refusals[] = {
	{ "time", "Requested time limit is invalid (missing or exceeds some limit)", "time", false },
	{ "node", "Node count specification invalid", "nodes,ntasks", false },
	{ "min_nodes", "Node count specification invalid", "nodes,ntasks", false },
	{ "cpu", "More processors requested than permitted", "cpus-per-task,ntasks,ntasks-per-node,mincpus", false },
	{ "account", "Invalid account or account/partition combination specified", "account,partition", false },
	{ "qos", "Invalid qos specification", "qos,partition", false },
	{ "mem", no_nodes, "mem,mem-per-cpu,mem-per-gpu", true },
	{ "gres/", no_nodes, "gres,gpus,gpus-per-node,gpus-per-task,ntasks-per-gpu", true },
};

static const struct obstacle_refusal *find_obstacle_refusal(const char *what)
{
	for (size_t i = 0; i < sizeof(obstacle_refusals) / sizeof(*obstacle_refusals); i++) {
		const char *own = obstacle_refusals[i].what;
		const size_t n = strlen(own);

		if (own[n - 1] == '/' ? !strncmp(what, own, n) : !strcmp(what, own))
			return &obstacle_refusals[i];
	}
	return NULL;
}

static struct fs_refusal describe_obstacle(const fs_snapshot *m, const struct fs_explain_obstacle *o)
{
	const struct obstacle_refusal *r = find_obstacle_refusal(o->what);

	return (struct fs_refusal){ r ? r->message : NULL,
				    r ? r->options : "",
				    o->what,
				    o->partition,
				    o->name,
				    o->wants,
				    o->has,
				    find_largest_node(m, o->partition, o->what),
				    NULL };
}

/* Adds the obstacles that did not decide: other reasons why the job cannot start. */
static void add_further_obstacles(struct submission_test *t)
{
	const size_t max = sizeof(t->out->refusal) / sizeof(*t->out->refusal);

	for (size_t i = 0; i < t->blockers.nobstacles && t->out->n < max; i++) {
		const struct fs_explain_obstacle *o = &t->blockers.obstacles[i];
		const struct fs_refusal *first = &t->out->refusal[0];

		if (t->out->n && !strcmp(first->what, o->what) && !strcmp(first->partition, o->partition))
			continue;
		t->out->refusal[t->out->n] = describe_obstacle(t->x->m, o);
		t->out->refusal[t->out->n++].message = NULL;
	}
}

/* Returns the first obstacle in the partition that refuses the job; NULL: none. `enforced`: EnforcePartLimits is
 * set. */
static const struct fs_explain_obstacle *find_partition_obstacle(const struct submission_test *t, const char *partition,
								 bool enforced)
{
	for (size_t i = 0; i < t->blockers.nobstacles; i++) {
		const struct fs_explain_obstacle *o = &t->blockers.obstacles[i];
		const struct obstacle_refusal *r = find_obstacle_refusal(o->what);

		if (r && !strcmp(o->partition, partition) && r->always != enforced)
			return o;
	}
	return NULL;
}

/* Tests the obstacles of all partitions. With EnforcePartLimits=ALL, one partition that does not allow the job refuses
 * it; otherwise all of them must. `enforced`: test the limits of partitions; false: test requests that no nodes can
 * satisfy. */
static bool is_refused_by_partitions(struct submission_test *t, bool enforced)
{
	const char *mode = fs_snapshot_config_text(t->x->m, "EnforcePartLimits");
	const bool all = mode && !strcmp(mode, "ALL");
	const struct fs_explain_obstacle *first = NULL;
	size_t n, refused = 0;
	const uint32_t *names = fsi_list_items(t->x->m, t->job->partitions, &n);

	if (enforced && (!mode || !strcmp(mode, "NO")))
		return false;
	for (size_t i = 0; i < n; i++) {
		const struct fs_explain_obstacle *o =
			find_partition_obstacle(t, fsi_name_text(t->x->m, names[i]), enforced);

		first = first ? first : o;
		refused += o != NULL;
	}
	return first && (refused == n || (all && enforced)) && refuse_job(t, describe_obstacle(t->x->m, first));
}

/* If EnforcePartLimits is not set, a job with more CPUs or nodes than its partition is accepted, and slurmctld does not
 * look for nodes (_select_nodes_base). */
static bool is_selection_skipped(const struct submission_test *t)
{
	for (size_t i = 0; i < t->blockers.nobstacles; i++)
		if (!strcmp(t->blockers.obstacles[i].what, "cpu") || !strcmp(t->blockers.obstacles[i].what, "node"))
			return true;
	return false;
}

/* ---- limits of associations and QOS */

static bool has_qos_flag(const fs_snapshot *m, uint32_t name, const char *flag)
{
	for (size_t i = 0; i < m->qos.n; i++)
		if (m->qos.v[i].name == name)
			return fsi_list_has_word(m, m->qos.v[i].flags, flag);
	return false;
}

/* Returns true if a job that exceeds a limit on its size is refused. Otherwise it is accepted and waits. Jobs without a
 * QOS are always refused. */
static bool denies_on_limit(const struct submission_test *t)
{
	const fs_snapshot *m = t->x->m;
	size_t n, parts;
	const uint32_t *qos = fsi_list_items(m, t->job->qos, &n),
		       *names = fsi_list_items(m, t->job->partitions, &parts);

	for (size_t i = 0; i < n; i++)
		if (has_qos_flag(m, qos[i], "DenyOnLimit") || has_qos_flag(m, qos[i], "DENY_LIMIT"))
			return true;
	for (size_t i = 0; i < parts; i++) {
		const struct fsi_partition *p = fsi_partition_find(m, names[i]);

		if (p && p->qos && has_qos_flag(m, p->qos, "DenyOnLimit"))
			return true;
	}
	return !n;
}

static bool is_refused_by_limits(struct submission_test *t)
{
	const bool strict = denies_on_limit(t);

	for (size_t i = 0; i < t->blockers.nlimits; i++) {
		const struct fs_explain_limit *l = &t->blockers.limits[i];

		if (l->never && (strict || strstr(l->name, "Submit")))
			return refuse_job(
				t,
				(struct fs_refusal){
					"Job violates accounting/QOS policy (job submit limit, user's size and/or time limits)",
					"", "limit", "", "", l->wants, l->value, (double)NAN, l });
	}
	return false;
}

/* ---- features and nodes */

static bool has_any_node_feature(const fs_snapshot *m, const char *name, size_t len)
{
	char word[256];

	if (len >= sizeof(word))
		return false;
	memcpy(word, name, len);
	word[len] = '\0';
	for (size_t i = 0; i < m->node.n; i++)
		if (fsi_list_has_word(m, m->node.v[i].features, word))
			return true;
	return false;
}

/* Tests whether each requested feature is a feature of some node. A count ("*2") may follow a name. */
static bool is_refused_by_features(struct submission_test *t)
{
	const fs_snapshot *m = t->x->m;
	const char *at = fsi_name_text(m, t->job->features);

	for (size_t len; m->node.n && *at; at += len) {
		at += strspn(at, "&|,[]() ");
		len = strcspn(at, "&|,[]() ");
		if (len && !has_any_node_feature(m, at, strcspn(at, "*&|,[]() ")))
			return refuse_job(t, (struct fs_refusal){ "Invalid feature specification", "constraint",
								  "features", "", fsi_name_text(m, t->job->features),
								  (double)NAN, (double)NAN, (double)NAN, NULL });
	}
	return false;
}

/* Options that set the amount for which all nodes of a partition are too small. */
static bool refuse_small_nodes(struct submission_test *t, const struct fs_node_tally *n)
{
	static const char *const tres[] = { "gres/", "mem", "cpu" };
	const uint32_t counts[] = { n->small_gres, n->small_memory, n->small_cpus };
	size_t i = 0;

	while (i < 2 && counts[i] < n->nodes - n->excluded)
		i++;
	if (n->excluded == n->nodes)
		return refuse_job(t,
				  (struct fs_refusal){ no_nodes, "constraint,nodelist,exclude", "nodes", n->partition,
						       "", (double)NAN, (double)NAN, (double)NAN, NULL });
	return refuse_job(
		t, (struct fs_refusal){ no_nodes, find_obstacle_refusal(tres[i])->options, i ? tres[i] : "gres/gpu",
					n->partition, "nodes", (double)NAN, (double)NAN,
					find_largest_node(t->x->m, n->partition, i ? tres[i] : "gres/gpu"), NULL });
}

/* Tests whether enough nodes of each partition could take the job if they were idle. */
static bool is_refused_by_nodes(struct submission_test *t)
{
	const size_t row = t->plan ? fs_plan_find(t->plan, t->shown->job_row) : FS_NO_ROW;
	struct fs_node_tally n = { .nodes = 0 }, last = { .nodes = 0 };
	const char *partition;
	struct fs_plan_row r;
	struct fs_error err;
	bool fits = false, unavailable = false;

	for (size_t i = 0; (partition = fs_job_partition(t->x->m, t->shown->job_row, i)); i++) {
		const int rc = fs_node_tally_job(t->x->m, t->shown->job_row, partition, &n, &err);

		t->out_of_memory = t->out_of_memory || rc == FS_ENOMEM;
		if (rc || n.unknown)
			return false;
		fits = fits || n.small_cpus + n.small_memory + n.small_gres + n.excluded < n.nodes;
		unavailable = unavailable || n.unavailable;
		last = i ? last : n;
	}
	if (last.nodes && !fits)
		return refuse_small_nodes(t, &last);
	/* the plan knows how many nodes the job needs together */
	return last.nodes && !unavailable && row != FS_NO_ROW && fs_plan_row(t->plan, row, &r) &&
	       r.state == FS_PLAN_NEVER && t->shown->verdict.kind >= FS_VERDICT_NODES &&
	       refuse_job(t, (struct fs_refusal){ no_nodes, "nodes,ntasks,cpus-per-task,mem,gres,gpus", "nodes",
						  last.partition, "", (double)NAN, (double)NAN, (double)NAN, NULL });
}

/* Tests whether the requested reservation admits the job. */
static bool is_refused_by_reservation(struct submission_test *t)
{
	const struct fsi_reservation *r =
		t->job->reservation ? fsi_reservation_find(t->x->m, t->job->reservation) : NULL;

	return r && !fsi_reservation_admits_job(t->x->m, r, t->job) &&
	       refuse_job(t, (struct fs_refusal){ "Access denied to requested reservation", "reservation",
						  "reservation", "", "", (double)NAN, (double)NAN, (double)NAN, NULL });
}

int fs_explain_submission(fs_explain *x, const struct fs_explain_job *job, const struct fs_plan *plan,
			  struct fs_submission *out, struct fs_error *err)
{
	const struct fsi_limits_context from = { .m = x->m,
						 .viewer = &x->viewer,
						 .usage = x->from.shares ? x->from.shares->usage : NULL,
						 .arena = &x->arena,
						 .submitted = true };
	struct submission_test t = {
		.x = x, .job = &x->m->job.v[job->job_row], .shown = job, .plan = plan, .out = out
	};

	*out = (struct fs_submission){ .n = 0 };
	if (!x->m->scheduler->has_select_plugin)
		return 0;
	if (fsi_blockers_find(&t.blockers, &from, job->job_row, NULL))
		return fsi_fail_no_memory(err);
	if (!is_refused_by_partitions(&t, true) && !is_refused_by_limits(&t) && !is_refused_by_reservation(&t) &&
	    !is_refused_by_features(&t) && !is_selection_skipped(&t) && !is_refused_by_partitions(&t, false))
		is_refused_by_nodes(&t);
	out->enforcement_unknown =
		!out->n && t.blockers.nobstacles && !fs_snapshot_config_text(x->m, "EnforcePartLimits");
	add_further_obstacles(&t);
	return t.out_of_memory ? fsi_fail_no_memory(err) : 0;
}

int fs_explain_cost(const fs_explain *x, uint32_t job_row, const char *partition, double *hours, struct fs_error *err)
{
	const struct fsi_partition *p = fsi_partition_find(x->m, fsi_name_find(x->m, partition));

	if (fsi_bill_job_to_limit(hours, x->m, &x->m->job.v[job_row], p))
		return fsi_fail_no_memory(err);
	*hours /= 3600;
	return 0;
}
