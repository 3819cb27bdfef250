#include "limits/assoc_limits.h"

#include "fs/queue.h"
#include "model/find.h"
#include "model/records/limit_names.h"
#include "model/slurm.h"
#include "usage/usage.h"

#include <math.h>
#include <string.h>

/* A limit blocks a job in these cases (src/slurmctld/acct_policy.c: _validate_tres_usage_limits,
 * _validate_tres_limits_for_qos and _for_assoc, _qos_job_runnable_pre_select):
 *
 *   TRES in use, run minutes  used + wants > limit; if wants > limit, the job never starts
 *   running jobs              used >= limit
 *   used minutes, wall time   used >= limit; with `safe` also used + run minutes + wants > limit
 *   limits of a single job    wants > limit (MinTRESPerJob: wants < limit)
 *
 * `used` is the current use of the limit. `wants` is the amount that the job would add, or for a limit of a single job,
 * the amount that it requests. For a limit on each node, `wants` is TRES / selected nodes, rounded down. `safe` is a
 * value of AccountingStorageEnforce.
 *
 * A limit on the number of nodes in use blocks a job in these cases: wants > limit; or used + wants > limit, and the
 * pending reason names this kind of limit. In other cases the job may get nodes that already count against the limit.
 * Wall times and TRES minutes are compared in whole minutes. If a number is unknown, the limit blocks no job. */

static const double minute_s = 60;

/* Inputs for the amounts that the controller counts for a job in one partition with one QOS. */
struct limit_rules {
	const fs_snapshot *m;
	const struct fsi_job *job;
	bool submitted; /* the job is being submitted */
	uint32_t node;  /* name id of the TRES "node" */
	/* AccountingStorageEnforce contains `safe`: limits on used minutes (such as GrpTRESMins) must leave enough
	 * minutes for the job's whole time limit */
	bool safe;
	/* the UsageFactor of the job's QOS is 0: limits on minutes count neither used minutes nor run minutes */
	bool uncharged;
	/* Factor by which the job's run time is multiplied when TRES minutes are computed: the UsageFactor of the QOS
	 * if the job's QOS has the flag UsageFactorSafe, otherwise 1. */
	double time_factor;
	uint32_t cpu, mem; /* name ids of the TRES cpu and mem */
	uint32_t billing_name;
	const struct fsi_request_settings *requests;
	const struct fsi_billing *billing;
	uint32_t partition; /* row of the partition for which amounts are computed; FSI_NO_INDEX: unknown */
	uint32_t nodes;     /* number of nodes selected for the job; 0: assume as many as the job allows */
	uint64_t cpus;      /* CPUs of the selected nodes; 0: the job does not get whole nodes */
	/* Resources that the controller counts for the job after it has selected nodes. The controller tests limits on
	 * these resources only after the selection of nodes. */
	struct fsi_counted_request request;
};

/* ---- amounts that the job requests */

/* Returns the time limit of the job in seconds; INFINITY: unlimited, NAN: unknown. */
static double get_time_limit_seconds(const struct fsi_job *j)
{
	if (FSI_SPECIAL(j, JOB, time_limit_s))
		return INFINITY;
	return FSI_HAS(j, JOB, time_limit_s) ? (double)j->time_limit_s : (double)NAN;
}

/* Returns the shortest time limit of the job in seconds. While backfill tests limits on minutes, it uses a job's
 * --time-min as the time limit (src/plugins/sched/backfill/backfill.c: _attempt_backfill sets time_limit,
 * acct_policy_job_runnable_post_select). */
static double get_least_run_seconds(const fs_snapshot *m, const struct fsi_job *j)
{
	const double all = get_time_limit_seconds(j),
		     least = FSI_HAS(j, JOB, time_min_s) ? (double)fsi_job_ext(m, j)->time_min_s : 0;

	return least > 0 && least < all ? least : all;
}

/* Returns the amount of a TRES other than billing that the controller counts after it has selected nodes; NAN: unknown.
 * The amount includes the generic resources of whole nodes, and the CPUs and memory that the controller added to the
 * job's request. */
static double get_resource_amount(const struct limit_rules *r, uint32_t tres)
{
	const double asked = fsi_limits_get_job_amount(r->m, r->job, tres);

	if (!isnan(asked) && r->partition != FSI_NO_INDEX &&
	    !strncmp(fsi_name_text(r->m, tres), "gres/", strlen("gres/"))) {
		const double has = (double)fsi_request_count_gres(r->requests, r->job, r->partition, tres);

		return has > asked ? has : asked;
	}
	if (isnan(asked) || !r->request.growth_reason || r->request.min_cpus <= r->request.asked_cpus)
		return asked;
	if (tres == r->cpu)
		return (double)r->request.min_cpus;
	if (tres == r->mem && r->request.mem_per_cpu_mb)
		return (double)r->request.min_cpus * r->request.mem_per_cpu_mb;
	return asked;
}

/* Returns true if the controller counts more of the TRES for the job than the job requests. */
static bool is_request_enlarged(const struct limit_rules *r, uint32_t tres)
{
	return get_resource_amount(r, tres) > fsi_limits_get_job_amount(r->m, r->job, tres);
}

/* Returns the billing of the amounts that the controller counts for the job (assoc_mgr_tres_weighted, cut to a whole
 * number). The result is at least `asked`, the billing of the request. */
static double compute_billed_amount(const struct limit_rules *r, double asked)
{
	const struct fsi_billing_weights *w = fsi_billing_weights_in(r->billing, r->partition);
	struct fsi_amount a[FSI_TRES_WEIGHTS_MAX + 1];
	struct fs_bill bill;
	bool more = !w->set && is_request_enlarged(r, r->cpu);
	size_t n = 0;

	a[n++] = (struct fsi_amount){ .tres = r->cpu, .n = (int64_t)get_resource_amount(r, r->cpu) };
	for (size_t i = 0; w->set && i < w->n; i++) {
		more |= is_request_enlarged(r, w->w[i].tres);
		if (w->w[i].tres != r->cpu)
			a[n++] = (struct fsi_amount){ .tres = w->w[i].tres,
						      .n = (int64_t)get_resource_amount(r, w->w[i].tres) };
	}
	if (!more)
		return asked;
	fsi_billing_compute(r->billing, r->billing->mode, r->partition, a, n, &bill);
	return floor(bill.rate) > asked ? floor(bill.rate) : asked;
}

/* Returns the amount of the TRES that the controller counts for the job; NAN: unknown. Slurm tests limits on resources
 * after it has selected nodes for the job (src/slurmctld/node_scheduler.c: select_nodes). */
static double get_counted_amount(const struct limit_rules *r, uint32_t tres)
{
	const double asked = get_resource_amount(r, tres);

	return tres == r->billing_name && tres && r->partition != FSI_NO_INDEX && !isnan(asked)
		       ? compute_billed_amount(r, asked)
		       : asked;
}

/* Returns the TRES minutes that the job uses in its whole time limit; NAN: unknown. */
static double compute_tres_minutes(const struct limit_rules *r, uint32_t tres)
{
	const double amount = get_counted_amount(r, tres);

	return amount == 0 ? 0 : amount * floor(floor(get_least_run_seconds(r->m, r->job) / minute_s) * r->time_factor);
}

/* Returns the greatest number of nodes that may be selected for the job, at least `least`. The greatest number is the
 * job's maximum number of nodes or, if the job has no maximum, one node for each CPU. If the number of tasks is
 * unknown, returns `least`. */
static double get_most_nodes(const struct limit_rules *r, double least)
{
	const struct fsi_job *j = r->job;
	const double max = FSI_HAS(j, JOB, max_nodes) && j->max_nodes ? j->max_nodes : get_counted_amount(r, r->cpu);

	return FSI_HAS(j, JOB, tasks) && max > least ? max : least;
}

/* Returns true if the job's amount of the TRES on a node does not depend on the number of nodes. */
static bool is_requested_per_node(const struct limit_rules *r, uint32_t tres)
{
	if (tres == r->mem)
		return !r->job->mem_per_cpu_mb;
	if (tres == r->cpu && r->cpus)
		return false;
	return r->request.growth_reason || (tres != r->cpu && !fsi_job_ext(r->m, r->job)->gres_per);
}

/* Returns the amount of the TRES on each selected node. If `fewest` is true, assumes that the minimum number of nodes
 * is selected. */
static double compute_amount_per_node(const struct limit_rules *r, uint32_t tres, bool fewest)
{
	const double least = get_counted_amount(r, r->node), amount = get_counted_amount(r, tres),
		     nodes = fewest || is_requested_per_node(r, tres) ? least
			     : r->nodes                               ? r->nodes
								      : get_most_nodes(r, least);

	return nodes > 0 ? floor(amount / nodes) : amount;
}

/* Returns the amount that the job would add to the use of the limit; NAN: unknown. For a limit of a single job, returns
 * the amount that the job requests. */
static double compute_wanted_amount(const struct limit_rules *r, const struct fsi_limit_kind *k, uint32_t tres)
{
	switch (k->measure) {
	case FSI_RUNNING_TRES:
	case FSI_JOB_TRES:
	case FSI_MIN_TRES:
		return get_counted_amount(r, tres);
	case FSI_NODE_TRES:
		return compute_amount_per_node(r, tres, false);
	case FSI_RUNNING_JOBS:
		return 1;
	case FSI_QUEUED_JOBS:
		return 0; /* the job adds nothing, because the use of limits on queued jobs includes pending jobs */
	case FSI_USED_MINUTES:
		return r->safe ? compute_tres_minutes(r, tres) : 0;
	case FSI_RUN_MINUTES:
	case FSI_JOB_MINUTES:
		return compute_tres_minutes(r, tres);
	case FSI_USED_WALL:
		return r->safe ? get_time_limit_seconds(r->job) : 0;
	case FSI_JOB_TIME:
		return get_time_limit_seconds(r->job);
	}
	return NAN;
}

/* ---- tests of a limit */

/* Returns true if the limit on used wall time blocks the job; times are cut to whole minutes. */
static bool exceeds_wall_limit(const struct fs_explain_limit *l)
{
	const double used_min = floor(l->used / minute_s), value_min = floor(l->value / minute_s);

	return used_min >= value_min || used_min + floor(l->wants / minute_s) > value_min;
}

/* Sets l->blocks (the limit blocks the job now), l->never (the job's request alone violates the limit) and l->grows
 * (reason why the controller counts more than the job requests). Uses l->value, l->used and l->wants. */
static void decide_if_blocking(const struct limit_rules *r, const struct fsi_limit_kind *k, uint32_t tres,
			       struct fs_explain_limit *l)
{
	const bool asks = k->type != FSI_TRES || get_counted_amount(r, tres) != 0;
	const double used = r->uncharged ? 0 : l->used,
		     run_minutes = isnan(l->reserved_minutes) || r->uncharged ? 0 : l->reserved_minutes;

	l->never = l->wants > l->value;
	if (k->type == FSI_TRES && get_counted_amount(r, tres) > fsi_limits_get_job_amount(r->m, r->job, tres))
		l->grows = r->request.growth_reason ? r->request.growth_reason : FS_CPU_GROWTH_NODES;
	switch (k->measure) {
	case FSI_RUNNING_TRES:
		l->blocks = l->never || (asks && l->used + l->wants > l->value && (l->named || tres != r->node));
		break;
	case FSI_RUNNING_JOBS:
		l->blocks = l->used >= l->value;
		break;
	case FSI_QUEUED_JOBS: /* this limit is tested only when jobs are submitted or changed */
		l->never = r->submitted && l->used > l->value;
		l->blocks = l->never || (l->named && l->used >= l->value);
		break;
	case FSI_USED_MINUTES:
		l->blocks = l->never || (asks && (used >= l->value || used + run_minutes + l->wants > l->value));
		break;
	case FSI_RUN_MINUTES:
		l->blocks = l->never || (asks && used + l->wants > l->value);
		break;
	case FSI_USED_WALL:
		l->blocks = l->never || exceeds_wall_limit(l);
		break;
	/* If the pending reason names this limit, the scheduler tried the job on fewer nodes than the job may use.
	 * l->wants is then computed for the minimum number of nodes. */
	case FSI_NODE_TRES:
		l->blocks = l->never || l->named;
		l->wants = l->never || !l->named ? l->wants : compute_amount_per_node(r, tres, true);
		break;
	/* For a job that gets whole nodes, the controller counts all CPUs of its nodes. If the pending reason names
	 * this limit, the selected nodes had more CPUs than the limit allows. */
	case FSI_JOB_TRES:
		l->blocks = l->never || (l->named && l->grows == FS_CPU_GROWTH_NODES);
		break;
	case FSI_MIN_TRES:
		l->never = l->wants < l->value;
		/* fall through */
	default:
		l->blocks = l->never;
	}
}

/* ---- limits that the pending reason names */

/* Returns true if a pending reason that names `resource` as the limited resource may mean the TRES `tres`. `resource`:
 * member of struct fs_reason. */
static bool is_same_resource(const char *resource, const char *tres)
{
	static const struct {
		const char *resource, *begins;
	} known[] = { { "CPUs", "cpu" },          { "memory", "mem" },           { "nodes", "node" },
		      { "GRES (GPUs)", "gres/" }, { "licenses", "license/" },    { "energy", "energy" },
		      { "burst buffer", "bb/" },  { "billing units", "billing" } };

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (!strcmp(resource, known[i].resource))
			return !strncmp(tres, known[i].begins, strlen(known[i].begins));
	return true; /* AssocGrpUnknown and similar reasons do not name the TRES */
}

/* Returns true if the pending reason names this kind of limit of an association (`of_assoc` is true) or of a QOS. */
static bool is_named_by_reason(const struct fs_reason *r, const struct fsi_limit_kind *k, bool of_assoc,
			       const char *tres)
{
	if (!r || (r->section != FS_SECTION_ASSOC_LIMIT && r->section != FS_SECTION_QOS_LIMIT))
		return false;
	return of_assoc == (r->section == FS_SECTION_ASSOC_LIMIT) && !strcmp(r->limit, k->name) &&
	       (k->type != FSI_TRES || is_same_resource(r->resource, tres));
}

/* Returns true if the limit is tested before nodes are chosen (src/slurmctld/acct_policy.c:
 * acct_policy_job_runnable_pre_select). */
static bool is_tested_before_nodes(const struct fsi_limit_kind *k)
{
	return k->measure == FSI_RUNNING_JOBS || k->measure == FSI_USED_WALL || k->measure == FSI_JOB_TIME;
}

/* Returns the kind of limit with this name, of an association or else of a QOS; NULL: there is none. */
static const struct fsi_limit_kind *find_kind_by_name(const char *name)
{
	for (size_t i = 0; i < fsi_assoc_limit_count; i++)
		if (!strcmp(fsi_assoc_limits[i].name, name))
			return &fsi_assoc_limits[i];
	for (size_t i = 0; i < fsi_qos_limit_count; i++)
		if (!strcmp(fsi_qos_limits[i].name, name))
			return &fsi_qos_limits[i];
	return NULL;
}

bool fsi_limits_is_tested_before_nodes(const char *name)
{
	const struct fsi_limit_kind *k = find_kind_by_name(name);

	return k && is_tested_before_nodes(k);
}

bool fsi_limits_is_named_per_job(const char *name)
{
	const struct fsi_limit_kind *k = find_kind_by_name(name);

	return k && fsi_limits_is_per_job(k);
}

/* Returns true if the given version of Slurm has this kind of limit. */
static bool is_known_to_version(const struct fsi_limit_kind *k, unsigned version)
{
	return k->measure != FSI_RUN_MINUTES || k->counted == FSI_ALL_USERS ||
	       fs_slurm_has(version, FS_SLURM_RUN_MINUTES_OF_USERS);
}

/* Returns true if a limit of kind `q` in a QOS replaces a limit of kind `a`. There are two cases: both kinds are the
 * same; or `a` is MaxJobs or MaxSubmitJobs, and `q` is the variant of that kind for each user (PU) or for each account
 * (PA). */
static bool replaces_limit_kind(const struct fsi_limit_kind *q, const struct fsi_limit_kind *a)
{
	const size_t len = strlen(a->name);

	if (!strcmp(q->name, a->name))
		return true;
	return (!strcmp(a->name, "MaxJobs") || !strcmp(a->name, "MaxSubmitJobs")) && !strncmp(q->name, a->name, len) &&
	       (!strcmp(q->name + len, "PU") || !strcmp(q->name + len, "PA"));
}

/* ---- configuration parameters and QOS flags that affect limits */

static bool has_qos_flag(const fs_snapshot *m, const struct fsi_qos *q, const char *flag)
{
	return q && fsi_list_has_word(m, q->flags, flag);
}

/* Returns the LimitFactor, which scales GrpTRES and MaxTRES of associations. `qos`: the QOS of the partition and of the
 * job, in the order of the tests. The first QOS that has a LimitFactor decides. Returns 1 if neither QOS has a
 * LimitFactor. */
static double get_limit_factor(const struct fsi_qos *const qos[2])
{
	for (int i = 0; i < 2; i++)
		if (qos[i] && FSI_HAS(qos[i], QOS, limit_factor) && qos[i]->limit_factor > 0)
			return qos[i]->limit_factor;
	return 1;
}

static bool is_policy_enforced(const fs_snapshot *m, const char *what)
{
	return fsi_config_list_has(m, "AccountingStorageEnforce", what);
}

bool fsi_limits_has_assoc_stop(const fs_snapshot *m)
{
	return fsi_slurm_find_sched_parameter(m, "assoc_limit_stop") != NULL;
}

/* Returns the set of the record fields that store the values of n kinds of limits. */
static struct fsi_fields collect_limit_fields(const struct fsi_limit_kind *kinds, size_t n)
{
	struct fsi_fields f = { { 0 } };

	for (size_t i = 0; i < n; i++)
		fsi_fields_add(&f, kinds[i].bit);
	return f;
}

void fsi_limits_load_settings(struct fsi_limit_settings *out, const fs_snapshot *m)
{
	const bool safe = is_policy_enforced(m, "safe");

	*out = (struct fsi_limit_settings){ .safe = safe,
					    .enforced = safe || is_policy_enforced(m, "limits"),
					    .stops = fsi_limits_has_assoc_stop(m),
					    .billing = fsi_name_find(m, "billing"),
					    .node = fsi_name_find(m, "node"),
					    .cpu = fsi_name_find(m, "cpu"),
					    .mem = fsi_name_find(m, "mem"),
					    .own = collect_limit_fields(fsi_assoc_limits, fsi_assoc_limit_count),
					    .group =
						    collect_limit_fields(fsi_assoc_limits, FSI_ASSOC_GROUP_LIMIT_COUNT),
					    .qos = collect_limit_fields(fsi_qos_limits, fsi_qos_limit_count) };
}

/* ---- search for the limits of a job (src/slurmctld/acct_policy.c: acct_policy_job_runnable_pre_select and
 * _post_select). limits/assoc_limits.h describes the order of the tests and which limits replace other limits. A choice
 * is a pair of partition and QOS. */

/* A limit, with the pairs of partition and QOS in which it applies to the job. */
struct found_limit {
	struct fs_explain_limit l;
	const struct fsi_limit_kind *kind;
	struct fsi_limit_owner at;
	uint32_t tres; /* name id; 0: the limit is not on a TRES */
	bool *in_choice; /* one element for each element of limit_search.choices; true: the limit applies with that pair of partition and QOS */
};

/* The choice (pair of partition and QOS) whose limits are being searched. */
struct current_choice {
	size_t row;                   /* index of this choice in limit_search.choices */
	const struct fsi_qos *qos[2]; /* QOS of the partition and of the job, in the order of the tests; NULL: none */
	enum fs_limit_scope scope[2];
	double limit_factor;   /* factor by which GrpTRES and MaxTRES of associations are multiplied */
	size_t earlier_limits; /* number of limits in limit_search.limits that were found for earlier choices */
};

struct limit_search {
	const struct fsi_limits_context *x;
	const struct fsi_job *job;
	const struct fs_reason *reason;
	struct fs_explain_choice *choices;
	size_t nchoices, nqos; /* `nqos`: number of consecutive elements of `choices` with the same partition */
	struct current_choice at;
	struct limit_rules rules;
	struct fsi_limit_counter counter;
	FSI_VEC(struct found_limit) limits;
	size_t qos_limits_end; /* index in `limits` after the last limit of a QOS */
	const struct fsi_limit_settings *site;
	/* function called for each limit (fsi_limits_visit_applied); NULL: the search tests whether each limit blocks
	 * the job now */
	fsi_limit_applied_fn visit;
	void *ctx;
};

/* ---- examining one limit of an association or QOS */

/* Returns true if a QOS limit found for the current pair of partition and QOS replaces this limit. */
static bool is_replaced_by_qos(const struct limit_search *s, const struct fsi_limit_kind *k, uint32_t tres,
			       enum fs_limit_scope scope)
{
	for (size_t i = 0; i < s->qos_limits_end; i++) {
		const struct found_limit *f = &s->limits.v[i];

		if (f->in_choice[s->at.row] && f->l.scope != scope && f->l.scope >= FS_LIMIT_QOS && f->tres == tres &&
		    replaces_limit_kind(f->kind, k))
			return true;
	}
	return false;
}

/* Searches the limits found for earlier choices, from index *next on, for a limit that has the same kind, the same TRES
 * and the same owner (association or QOS) as `f`. Returns that limit and sets *next to the index after it; NULL: none.
 * The `value` and `wants` of the limit may differ from those of `f`. */
static struct found_limit *find_in_earlier_choices(const struct limit_search *s, const struct found_limit *f,
						   size_t *next)
{
	while (*next < s->at.earlier_limits) {
		struct found_limit *o = &s->limits.v[(*next)++];

		if (o->kind == f->kind && o->at.scope == f->at.scope && o->at.assoc == f->at.assoc &&
		    o->at.qos == f->at.qos && o->tres == f->tres)
			return o;
	}
	return NULL;
}

/* Fills the members of f->l for the current use of the limit. If the limit was also found for an earlier pair of
 * partition and QOS, copies the use that was counted for that pair. Returns -1 if out of memory. */
static int fill_limit_use(struct limit_search *s, struct found_limit *f)
{
	size_t next = 0;
	const struct found_limit *before = find_in_earlier_choices(s, f, &next);

	if (!before)
		return fsi_limits_count_use(&s->counter, f->kind, &f->at, f->tres, s->rules.safe, &f->l);
	f->l.used = before->l.used;
	f->l.reserved_minutes = before->l.reserved_minutes;
	f->l.holders = before->l.holders;
	f->l.nholders = before->l.nholders;
	return 0;
}

/* Adds the limit to s->limits. If an equal limit was found for an earlier pair of partition and QOS, marks the current
 * pair in the earlier limit instead. Returns -1 if out of memory. */
static int add_found_limit(struct limit_search *s, struct found_limit *f)
{
	size_t next = 0;
	struct found_limit *o;

	while ((o = find_in_earlier_choices(s, f, &next)))
		if (o->l.value == f->l.value && o->l.wants == f->l.wants && o->l.blocks == f->l.blocks) {
			o->in_choice[s->at.row] = true;
			return 0;
		}
	f->in_choice = fsi_arena_array(s->x->arena, s->nchoices, sizeof(*f->in_choice));
	if (!f->in_choice || FSI_VEC_RESERVE(&s->limits))
		return -1;
	f->in_choice[s->at.row] = true;
	s->limits.v[s->limits.n++] = *f;
	if (f->l.scope >= FS_LIMIT_QOS)
		s->qos_limits_end = s->limits.n;
	return 0;
}

/* Returns the user or account whose jobs the limit counts; "": the limit counts the jobs of everybody. */
static const char *get_counted_name(const struct limit_search *s, const struct fsi_limit_kind *k,
				    enum fs_limit_scope scope)
{
	if (k->counted == FSI_USER || scope == FS_LIMIT_ASSOC)
		return fsi_name_text(s->x->m, s->job->user);
	return k->counted == FSI_ACCOUNT ? fsi_name_text(s->x->m, s->job->account) : "";
}

/* Returns true if the limit restricts the job's own allocation, which depends on the selected nodes. */
static bool depends_on_selected_nodes(const struct fsi_limit_kind *k)
{
	return k->measure == FSI_JOB_TRES || k->measure == FSI_NODE_TRES || k->measure == FSI_JOB_MINUTES;
}

/* Calls s->visit for the limit. If no QOS limit replaces the limit, also adds it to s->limits, because it may replace
 * limits that are visited later (is_replaced_by_qos). Returns the result of s->visit; -1 if out of memory. Does nothing
 * and returns 0 if fsi_limits_visit_applied does not report limits of this kind. */
static int visit_limit(struct limit_search *s, const struct fsi_limit_kind *k, const struct fsi_limit_owner *at,
		       uint32_t tres, double value)
{
	struct found_limit f = { .kind = k,
				 .at = *at,
				 .tres = tres,
				 .l = { .scope = at->scope, .value = value, .used = NAN, .reserved_minutes = NAN } };
	struct fsi_limit_applied met = { k, *at, tres, value, 0, false, false };
	int rc;

	if ((fsi_limits_is_per_job(k) && !(s->x->nodes && depends_on_selected_nodes(k))) ||
	    k->measure == FSI_QUEUED_JOBS)
		return 0;
	met.tested = !is_replaced_by_qos(s, k, tres, at->scope);
	met.wants = f.l.wants = compute_wanted_amount(&s->rules, k, tres);
	if (met.tested && (k->measure == FSI_USED_MINUTES || k->measure == FSI_USED_WALL)) {
		if (fill_limit_use(s, &f))
			return -1;
		decide_if_blocking(&s->rules, k, tres, &f.l);
		met.blocks = f.l.blocks;
	}
	rc = s->visit(s->ctx, &met);
	return rc || !met.tested ? rc : add_found_limit(s, &f);
}

/* If s->visit is set, calls visit_limit and returns its result. Else, if no QOS limit replaces the limit, adds it to
 * s->limits and tests whether it blocks the job with the current pair of partition and QOS. If it does, marks the pair
 * in s->choices as blocked. `value`: recorded value of the limit. Returns -1 if out of memory. */
static int examine_limit(struct limit_search *s, const struct fsi_limit_kind *k, const struct fsi_limit_owner *at,
			 uint32_t tres, double value)
{
	const fs_snapshot *m = s->x->m;
	const bool of_assoc = at->assoc != FSI_NO_INDEX;
	const bool factored = of_assoc && (k->measure == FSI_RUNNING_TRES || k->measure == FSI_JOB_TRES);
	const double factor = factored ? s->at.limit_factor : 1;
	struct found_limit f = { .kind = k, .at = *at, .tres = tres };

	if (s->visit)
		return visit_limit(s, k, at, tres, floor(value * factor));
	if (is_replaced_by_qos(s, k, tres, at->scope))
		return 0;
	f.l = (struct fs_explain_limit){
		.name = k->name,
		.tres = fsi_name_text(m, tres),
		.scope = at->scope,
		.set_by = fsi_name_text(m, of_assoc ? m->association.v[at->assoc].account : at->qos),
		.counted_for = get_counted_name(s, k, at->scope),
		.value = floor(value * factor),
		.factor = factor,
		.wants = compute_wanted_amount(&s->rules, k, tres),
		.reserved_minutes = NAN,
		.per_job = fsi_limits_is_per_job(k),
		.is_min = k->measure == FSI_MIN_TRES,
	};
	f.l.named = is_named_by_reason(s->reason, k, of_assoc, f.l.tres);
	if (fill_limit_use(s, &f))
		return -1;
	decide_if_blocking(&s->rules, k, tres, &f.l);
	s->choices[s->at.row].blocked |= f.l.blocks;
	if (f.l.blocks && is_tested_before_nodes(k) && !s->site->stops)
		s->choices[s->at.row].untried = s->choices[s->at.row].passed_over = true;
	s->choices[s->at.row].never |= f.l.blocks && f.l.never;
	return add_found_limit(s, &f);
}

/* Examines all limits of one kind in the record of an association or QOS. The record may set no limit of
 * the kind, one limit, or one for each TRES. */
static int examine_limit_kind(struct limit_search *s, const struct fsi_limit_kind *k, const struct fsi_limit_owner *at,
			      const struct fsi_rec *rec)
{
	const char *field = (const char *)rec + k->offset;
	const struct fsi_amount *a;
	uint32_t number;
	int64_t seconds;
	size_t n;

	if (!fsi_is_field_known(rec, k->bit) || fsi_is_field_special(rec, k->bit))
		return 0;
	if (k->type == FSI_DUR) {
		memcpy(&seconds, field, sizeof(seconds));
		return examine_limit(s, k, at, 0, (double)seconds);
	}
	memcpy(&number, field,
	       sizeof(number)); /* value of the limit; for a limit on TRES, the id of an interned set of amounts */
	if (k->type != FSI_TRES)
		return examine_limit(s, k, at, 0, number);
	a = fsi_amount_items(s->x->m, number, &n);
	for (size_t i = 0; i < n; i++)
		if (examine_limit(s, k, at, a[i].tres, (double)a[i].n))
			return -1;
	return 0;
}

/* ---- all limits of one choice (pair of partition and QOS) */

/* Returns true if the record has at least one field of the set `f`. */
static bool has_any_field(const struct fsi_rec *rec, const struct fsi_fields *f)
{
	for (unsigned i = 0; i < FSI_FIELD_WORDS; i++)
		if (rec->has.word[i] & f->word[i])
			return true;
	return false;
}

static int search_associations(struct limit_search *s)
{
	const fs_snapshot *m = s->x->m;
	const uint32_t own = fsi_job_find_assoc(m, s->job);

	for (uint32_t i = own; i != FSI_NO_INDEX; i = m->tree[i].parent) {
		const struct fsi_association *a = &m->association.v[i];
		const struct fsi_limit_owner at = { a->user ? FS_LIMIT_ASSOC : FS_LIMIT_ACCOUNT, i, 0 };

		if (!has_any_field(&a->rec, i == own ? &s->site->own : &s->site->group))
			continue;
		for (size_t k = 0; k < (i == own ? fsi_assoc_limit_count : FSI_ASSOC_GROUP_LIMIT_COUNT); k++)
			if (examine_limit_kind(s, &fsi_assoc_limits[k], &at, &a->rec))
				return -1;
	}
	return 0;
}

static int search_current_choice(struct limit_search *s)
{
	for (int i = 0; i < 2; i++) {
		const struct fsi_qos *q = s->at.qos[i];
		const struct fsi_limit_owner at = { s->at.scope[i], FSI_NO_INDEX, q ? q->name : 0 };

		if (!q || !has_any_field(&q->rec, &s->site->qos))
			continue;
		for (size_t k = 0; k < fsi_qos_limit_count; k++)
			if (is_known_to_version(&fsi_qos_limits[k], s->x->m->info.version) &&
			    examine_limit_kind(s, &fsi_qos_limits[k], &at, &q->rec))
				return -1;
	}
	return search_associations(s);
}

/* Sets s->at to the pair of partition and QOS (name ids; 0: none) whose limits are searched next. `row`: index of the
 * pair in s->choices. */
static void begin_choice(struct limit_search *s, size_t row, uint32_t partition, uint32_t qos)
{
	const fs_snapshot *m = s->x->m;
	const struct fsi_partition *p = partition ? fsi_partition_find(m, partition) : NULL;
	const struct fsi_qos *own = qos ? fsi_qos_find(m, qos) : NULL,
			     *its = p && p->qos ? fsi_qos_find(m, p->qos) : NULL;
	const double factor = fsi_usage_factor(own);
	const bool own_first = its != own && has_qos_flag(m, own, "OverPartQOS");

	s->at = (struct current_choice){ .row = row,
					 .earlier_limits = s->limits.n,
					 .qos = { its, its == own ? NULL : own },
					 .scope = { FS_LIMIT_PARTITION_QOS, FS_LIMIT_QOS } };
	if (own_first) {
		s->at.qos[0] = own;
		s->at.qos[1] = its;
		s->at.scope[0] = FS_LIMIT_QOS;
		s->at.scope[1] = FS_LIMIT_PARTITION_QOS;
	}
	s->at.limit_factor = get_limit_factor(s->at.qos);
	s->rules.time_factor = has_qos_flag(m, own, "UsageFactorSafe") ? factor : 1;
	s->rules.uncharged = factor == 0;
	s->rules.partition = fsi_partition_row(m, p);
	s->rules.request = p ? fsi_request_count_cpus(s->x->requests, s->job, s->rules.partition)
			     : (struct fsi_counted_request){ 0 };
	if (s->x->cpus > s->rules.request.min_cpus) {
		s->rules.request.min_cpus = s->x->cpus;
		s->rules.request.growth_reason = FS_CPU_GROWTH_NODES;
	}
}

/* ---- the resulting list of limits */

/* Returns true if the limit applies in exactly these n elements of s->choices: first, first + step, first + 2 * step
 * and so on. */
static bool is_exactly_in_choices(const struct limit_search *s, const struct found_limit *f, size_t first, size_t step,
				  size_t n)
{
	for (size_t i = 0; i < s->nchoices; i++) {
		const bool member = i >= first && (i - first) % step == 0 && (i - first) / step < n;

		if (f->in_choice[i] != member)
			return false;
	}
	return true;
}

/* Writes the limit to v, with the partitions and QOS in which it applies. Returns the number of rows:
 *
 *   all pairs of partition and QOS  one row without partition and QOS
 *   all pairs of one partition      one row with the partition
 *   all pairs of one QOS            one row with the QOS
 *   other pairs                     one row for each pair */
static int append_limit_rows(const struct limit_search *s, const struct found_limit *f, struct fs_explain_limit *v)
{
	int n = 0;

	for (size_t i = 0; i < s->nchoices; i++) {
		const size_t partition = i - i % s->nqos, qos = i % s->nqos;

		if (!f->in_choice[i])
			continue;
		v[n] = f->l;
		v[n].partition = s->choices[i].partition;
		v[n].qos = s->choices[i].qos;
		if (is_exactly_in_choices(s, f, 0, 1, s->nchoices)) {
			v[n].partition = v[n].qos = "";
			return 1;
		}
		if (is_exactly_in_choices(s, f, partition, 1, s->nqos)) {
			v[n].qos = "";
			return 1;
		}
		if (is_exactly_in_choices(s, f, qos, s->nqos, s->nchoices / s->nqos)) {
			v[n].partition = "";
			return 1;
		}
		n++;
	}
	return n;
}

/* Sets out->limits: blocking limits that the pending reason names, other blocking limits, then limits that the reason
 * names but that do not block the job. Returns -1 if out of memory. */
static int collect_blocking_limits(struct limit_search *s, struct fsi_job_limits *out)
{
	struct fs_explain_limit *v = fsi_arena_array(s->x->arena, s->limits.n * s->nchoices + 1, sizeof(*v));

	if (!v)
		return -1;
	for (int pass = 0; pass < 3; pass++)
		for (size_t i = 0; i < s->limits.n; i++) {
			const struct fs_explain_limit *l = &s->limits.v[i].l;

			if (pass == 0   ? l->named && l->blocks
			    : pass == 1 ? !l->named && l->blocks
					: l->named && !l->blocks)
				out->nlimits += (size_t)append_limit_rows(s, &s->limits.v[i], v + out->nlimits);
		}
	out->limits = v;
	return 0;
}

/* Sets s->rules for the job. Returns true if limits are enforced and the job is pending. `own` is memory for the limit
 * settings; it is used if the context does not contain the settings. */
static bool begin_limit_search(struct limit_search *s, struct fsi_limit_settings *own)
{
	const struct fsi_limit_settings *site = s->x->site ? s->x->site : own;

	if (!s->x->site)
		fsi_limits_load_settings(own, s->x->m);
	s->site = site;
	s->rules = (struct limit_rules){ .m = s->x->m,
					 .job = s->job,
					 .safe = site->safe,
					 .submitted = s->x->submitted,
					 .requests = s->x->requests,
					 .billing = s->x->billing,
					 .billing_name = site->billing,
					 .node = site->node,
					 .nodes = s->x->nodes,
					 .cpus = s->x->cpus,
					 .cpu = site->cpu,
					 .mem = site->mem };
	return s->job->state == FSI_STATE_PENDING && site->enforced;
}

/* Returns true if an association or QOS of the job sets any limit. */
static bool has_any_limit(const struct limit_search *s)
{
	const fs_snapshot *m = s->x->m;
	const uint32_t own = fsi_job_find_assoc(m, s->job);
	size_t np, nq;
	const uint32_t *partitions = fsi_list_items(m, s->job->partitions, &np),
		       *qos = fsi_list_items(m, s->job->qos, &nq);

	for (uint32_t i = own; i != FSI_NO_INDEX; i = m->tree[i].parent)
		if (has_any_field(&m->association.v[i].rec, i == own ? &s->site->own : &s->site->group))
			return true;
	for (size_t i = 0; i < np + nq; i++) {
		const struct fsi_partition *p = i < np ? fsi_partition_find(m, partitions[i]) : NULL;
		const uint32_t name = i >= np ? qos[i - np] : p ? p->qos : 0;
		const struct fsi_qos *q = name ? fsi_qos_find(m, name) : NULL;

		if (q && has_any_field(&q->rec, &s->site->qos))
			return true;
	}
	return false;
}

int fsi_limits_visit_applied(const struct fsi_limits_context *x, uint32_t job_row, const char *partition,
			     const char *qos, fsi_limit_applied_fn fn, void *ctx)
{
	struct fs_explain_choice choice = { .partition = partition, .qos = qos };
	struct limit_search s = { .x = x,
				  .job = &x->m->job.v[job_row],
				  .choices = &choice,
				  .nchoices = 1,
				  .nqos = 1,
				  .visit = fn,
				  .ctx = ctx };
	struct fsi_limit_settings site;
	int rc = 0;

	s.counter = (struct fsi_limit_counter){ .x = x, .job = s.job, .totals = x->totals };
	if (begin_limit_search(&s, &site)) {
		begin_choice(&s, 0, *partition ? fsi_name_find(x->m, partition) : 0,
			     *qos ? fsi_name_find(x->m, qos) : 0);
		rc = search_current_choice(&s);
	}
	FSI_VEC_FREE(&s.limits);
	fsi_limits_release_counter(&s.counter);
	return rc;
}

int fsi_limits_find_blocking(const struct fsi_limits_context *x, struct fsi_job_limits *out)
{
	const fs_snapshot *m = x->m;
	struct fsi_request_settings own;
	struct fsi_billing bills;
	struct fsi_limits_context with = *x;
	struct limit_search s = { .x = &with,
				  .job = &m->job.v[out->job_row],
				  .reason = out->reason,
				  .choices = out->choices,
				  .nchoices = out->nchoices,
				  .nqos = out->nqos };
	struct fsi_limit_settings site;
	size_t np, nq;
	const uint32_t *partitions = fsi_list_items(m, s.job->partitions, &np),
		       *qos = fsi_list_items(m, s.job->qos, &nq);
	int rc = 0;

	if (!begin_limit_search(&s, &site) || !has_any_limit(&s))
		return 0;
	if ((!x->requests && fsi_request_settings_init(&own, m, x->arena)) ||
	    (!x->billing && fsi_billing_init(&bills, m, x->arena)))
		return -1;
	s.rules.requests = with.requests = x->requests ? x->requests : &own;
	s.rules.billing = with.billing = x->billing ? x->billing : &bills;
	s.counter = (struct fsi_limit_counter){ .x = x, .job = s.job, .totals = x->totals };
	for (size_t i = 0; !rc && i < s.nchoices; i++) {
		begin_choice(&s, i, np ? partitions[i / s.nqos] : 0, nq ? qos[i % s.nqos] : 0);
		rc = search_current_choice(&s);
	}
	if (!rc)
		rc = collect_blocking_limits(&s, out);
	FSI_VEC_FREE(&s.limits);
	fsi_limits_release_counter(&s.counter);
	return rc;
}
