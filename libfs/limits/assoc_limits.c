#include "limits/assoc_limits.h"

#include "fs/queue.h"
#include "model/find.h"
#include "model/records/limit_names.h"
#include "model/slurm.h"
#include "usage/usage.h"

#include <math.h>
#include <string.h>

/* Is a limit in a job's way? (src/slurmctld/acct_policy.c: _validate_tres_usage_limits, _validate_tres_limits_for_qos
 * and _for_assoc, _qos_job_runnable_pre_select)
 *
 *   in use, promised      used + wants > limit, or wants > limit: then never
 *   running jobs          used >= limit
 *   minutes, wall used    used >= limit; with `safe` also used + promised + wants > limit
 *   asked for by a job    wants > limit (MinTRESPerJob: wants < limit); on a node: TRES / nodes that were chosen, whole
 *
 * Nodes that are in use there do not count again: whether a job needs others is known to the scheduler alone. Times
 * and uses are compared in whole minutes. What is unknown is not in the way. */

static const double decide_minute_s = 60;

struct limit_rules {
	const fs_snapshot *m;
	const struct fsi_job *job;
	uint32_t node;	    /* name */
	bool safe;	    /* a job must have minutes left to the end of its time limit */
	bool free;	    /* UsageFactor 0: minutes used and promised do not count */
	double time_factor; /* factor on the time limit, in TRES minutes */
	uint32_t cpu, mem;  /* names */
	uint32_t billing_name;
	const struct fsi_requests *requests;
	const struct fsi_billing *billing;
	uint32_t partition; /* row, FSI_NO_INDEX: not known */
	uint32_t nodes;     /* that were chosen for it; 0: it may get as many as it admits */
	uint64_t cpus;	    /* of those, where it takes them whole; 0 */
	struct fsi_request request; /* what it counts for when limits on resources are tested: after nodes were chosen */
};

/* ---- what the job asks for */

static double seconds_of(const struct fsi_job *j)
{
	if (FSI_SPECIAL(j, JOB, time_limit_s))
		return INFINITY;
	return FSI_HAS(j, JOB, time_limit_s) ? (double)j->time_limit_s : (double)NAN;
}

/* Backfill lets a job run for no longer than its --time-min while it asks whether there is room for its minutes
 * (src/plugins/sched/backfill/backfill.c: _attempt_backfill sets time_limit, acct_policy_job_runnable_post_select). */
static double least_seconds_of(const fs_snapshot *m, const struct fsi_job *j)
{
	const double all = seconds_of(j),
		     least = FSI_HAS(j, JOB, time_min_s) ? (double)fsi_job_rare(m, j)->time_min_s : 0;

	return least > 0 && least < all ? least : all;
}

/* The amount of any TRES but billing. */
static double resource_of(const struct limit_rules *r, uint32_t tres)
{
	const double asked = fsi_limit_amount(r->m, r->job, tres);

	if (!isnan(asked) && r->partition != FSI_NO_INDEX && !strncmp(fsi_str(r->m, tres), "gres/", strlen("gres/"))) {
		const double has = (double)fsi_request_whole_gres(r->requests, r->job, r->partition, tres);

		return has > asked ? has : asked;
	}
	if (isnan(asked) || !r->request.why || r->request.min <= r->request.asked)
		return asked;
	if (tres == r->cpu)
		return (double)r->request.min;
	if (tres == r->mem && r->request.mem_per_cpu_mb)
		return (double)r->request.min * r->request.mem_per_cpu_mb;
	return asked;
}

static bool grown(const struct limit_rules *r, uint32_t tres)
{
	return resource_of(r, tres) > fsi_limit_amount(r->m, r->job, tres);
}

/* Billed is what the job counts for (assoc_mgr_tres_weighted, cut to a whole number). */
static double billed(const struct limit_rules *r, double asked)
{
	const struct fsi_billing_weights *w = fsi_billing_weights_in(r->billing, r->partition);
	struct fsi_amount a[FSI_TRES_WEIGHTS_MAX + 1];
	struct fs_bill bill;
	bool more = !w->set && grown(r, r->cpu);
	size_t n = 0;

	a[n++] = (struct fsi_amount){ .tres = r->cpu, .n = (int64_t)resource_of(r, r->cpu) };
	for (size_t i = 0; w->set && i < w->n; i++) {
		more |= grown(r, w->w[i].tres);
		if (w->w[i].tres != r->cpu)
			a[n++] = (struct fsi_amount){ .tres = w->w[i].tres,
						      .n = (int64_t)resource_of(r, w->w[i].tres) };
	}
	if (!more)
		return asked;
	fsi_billing_compute(r->billing, r->billing->mode, r->partition, a, n, &bill);
	return floor(bill.rate) > asked ? floor(bill.rate) : asked;
}

/* Limits on resources are tested once nodes were chosen for the job (src/slurmctld/node_scheduler.c: select_nodes): by
 * the CPUs that it counts for then, the memory of these, the generic resources of whole nodes, and what all that
 * costs. */
static double decide_amount_of(const struct limit_rules *r, uint32_t tres)
{
	const double asked = resource_of(r, tres);

	return tres == r->billing_name && tres && r->partition != FSI_NO_INDEX && !isnan(asked)
		       ? billed(r, asked)
		       : asked;
}

static double minutes_of(const struct limit_rules *r, uint32_t tres)
{
	const double amount = decide_amount_of(r, tres);

	return amount == 0 ? 0
			   : amount * floor(floor(least_seconds_of(r->m, r->job) / decide_minute_s) * r->time_factor);
}

/* The most nodes that may be chosen: each gives one CPU or more. Without tasks it is not told that they may be more. */
static double most_nodes(const struct limit_rules *r, double least)
{
	const struct fsi_job *j = r->job;
	const double max = FSI_HAS(j, JOB, max_nodes) && j->max_nodes ? j->max_nodes : decide_amount_of(r, r->cpu);

	return FSI_HAS(j, JOB, tasks) && max > least ? max : least;
}

/* Does the job ask for so much of it on each node, however many there are? */
static bool by_node(const struct limit_rules *r, uint32_t tres)
{
	if (tres == r->mem)
		return !r->job->mem_per_cpu_mb;
	if (tres == r->cpu && r->cpus)
		return false;
	return r->request.why || (tres != r->cpu && !fsi_job_rare(r->m, r->job)->gres_per);
}

/* On each of the nodes chosen; fewest: as if those were as few as it asks for. */
static double on_a_node(const struct limit_rules *r, uint32_t tres, bool fewest)
{
	const double least = decide_amount_of(r, r->node), amount = decide_amount_of(r, tres),
		     nodes = fewest || by_node(r, tres) ? least : r->nodes ? r->nodes : most_nodes(r, least);

	return nodes > 0 ? floor(amount / nodes) : amount;
}

/* What the job would add, or asks for; NAN: unknown. */
static double limit_wants(const struct limit_rules *r, const struct fsi_limit_kind *k, uint32_t tres)
{
	switch (k->measure) {
	case FSI_RUNNING_TRES:
	case FSI_JOB_TRES:
	case FSI_MIN_TRES:
		return decide_amount_of(r, tres);
	case FSI_NODE_TRES:
		return on_a_node(r, tres, false);
	case FSI_RUNNING_JOBS:
		return 1;
	case FSI_QUEUED_JOBS:
		return 0; /* it is there already */
	case FSI_USED_MINUTES:
		return r->safe ? minutes_of(r, tres) : 0;
	case FSI_PROMISED_MINUTES:
	case FSI_JOB_MINUTES:
		return minutes_of(r, tres);
	case FSI_USED_WALL:
		return r->safe ? seconds_of(r->job) : 0;
	case FSI_JOB_TIME:
		return seconds_of(r->job);
	}
	return NAN;
}

/* ---- */

static bool over_wall(const struct fs_explain_limit *l)
{
	const double used_min = floor(l->used / decide_minute_s), value_min = floor(l->value / decide_minute_s);

	return used_min >= value_min || used_min + floor(l->wants / decide_minute_s) > value_min;
}

/* Fills l->blocks and l->never from the rest. */
static void limit_decide(const struct limit_rules *r, const struct fsi_limit_kind *k,
			 uint32_t tres, struct fs_explain_limit *l)
{
	const bool asks = k->type != FSI_TRES || decide_amount_of(r, tres) != 0;
	const double used = r->free ? 0 : l->used,
		     promised = isnan(l->promised) || r->free ? 0 : l->promised;

	l->never = l->wants > l->value;
	if (k->type == FSI_TRES && decide_amount_of(r, tres) > fsi_limit_amount(r->m, r->job, tres))
		l->grows = r->request.why ? r->request.why : FS_GROWS_NODES;
	switch (k->measure) {
	case FSI_RUNNING_TRES:
		l->blocks = l->never || (asks && l->used + l->wants > l->value && (l->named || tres != r->node));
		break;
	case FSI_RUNNING_JOBS:
		l->blocks = l->used >= l->value;
		break;
	case FSI_QUEUED_JOBS: /* looked at when jobs are submitted or changed */
		l->blocks = l->named && l->used >= l->value;
		break;
	case FSI_USED_MINUTES:
		l->blocks = l->never || (asks && (used >= l->value || used + promised + l->wants > l->value));
		break;
	case FSI_PROMISED_MINUTES:
		l->blocks = l->never || (asks && used + l->wants > l->value);
		break;
	case FSI_USED_WALL:
		l->blocks = l->never || over_wall(l);
		break;
	case FSI_NODE_TRES: /* the scheduler chose fewer nodes than it can */
		l->blocks = l->never || l->named;
		l->wants = l->never || !l->named ? l->wants : on_a_node(r, tres, true);
		break;
	case FSI_JOB_TRES: /* the scheduler chose larger nodes than it can */
		l->blocks = l->never || (l->named && l->grows == FS_GROWS_NODES);
		break;
	case FSI_MIN_TRES:
		l->never = l->wants < l->value;
		/* fall through */
	default:
		l->blocks = l->never;
	}
}

/* ---- is it the limit that the reason names? */

static bool same_resource(const char *resource, const char *tres)
{
	static const struct {
		const char *resource, *begins;
	} known[] = { { "CPUs", "cpu" },	 { "memory", "mem" },	{ "nodes", "node" },
		      { "GRES (GPUs)", "gres/" }, { "licenses", "license/" }, { "energy", "energy" },
		      { "burst buffer", "bb/" }, { "billing units", "billing" } };

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (!strcmp(resource, known[i].resource))
			return !strncmp(tres, known[i].begins, strlen(known[i].begins));
	return true; /* "jobs", or a TRES without a reason of its own */
}

/* Does a pending reason name a limit of this kind, of an association or of a QOS? */
static bool limit_named(const struct fs_reason *r, const struct fsi_limit_kind *k, bool of_assoc, const char *tres)
{
	if (!r || (r->section != FS_SECTION_ASSOC_LIMIT && r->section != FS_SECTION_QOS_LIMIT))
		return false;
	return of_assoc == (r->section == FS_SECTION_ASSOC_LIMIT) && !strcmp(r->limit, k->name) &&
	       (k->type != FSI_TRES || same_resource(r->resource, tres));
}

/* Returns true if the limit is tested before nodes are chosen (src/slurmctld/acct_policy.c:
 * acct_policy_job_runnable_pre_select). */
static bool limit_before_nodes(const struct fsi_limit_kind *k)
{
	return k->measure == FSI_RUNNING_JOBS || k->measure == FSI_USED_WALL || k->measure == FSI_JOB_TIME;
}

bool fsi_limit_name_before_nodes(const char *name)
{
	for (size_t i = 0; i < fsi_assoc_limit_count; i++)
		if (!strcmp(fsi_assoc_limits[i].name, name))
			return limit_before_nodes(&fsi_assoc_limits[i]);
	for (size_t i = 0; i < fsi_qos_limit_count; i++)
		if (!strcmp(fsi_qos_limits[i].name, name))
			return limit_before_nodes(&fsi_qos_limits[i]);
	return false;
}

/* Does a Slurm of that version know it? */
static bool limit_holds(const struct fsi_limit_kind *k, unsigned version)
{
	return k->measure != FSI_PROMISED_MINUTES || k->counted == FSI_EVERYBODY ||
	       fs_slurm_has(version, FS_SLURM_RUN_MINUTES_OF_USERS);
}

/* MaxJobs and MaxSubmitJobs give way to those for each user and for each account. */
static bool limit_replaces(const struct fsi_limit_kind *q, const struct fsi_limit_kind *a)
{
	const size_t len = strlen(a->name);

	if (!strcmp(q->name, a->name))
		return true;
	return (!strcmp(a->name, "MaxJobs") || !strcmp(a->name, "MaxSubmitJobs")) &&
	       !strncmp(q->name, a->name, len) &&
	       (!strcmp(q->name + len, "PU") || !strcmp(q->name + len, "PA"));
}

/* What the configuration and a QOS say of all limits. */

/* Returns true if the QOS has the flag. */
static bool limits_flag(const fs_snapshot *m, const struct fsi_qos *q, const char *flag)
{
	return q && fsi_list_has(m, q->flags, flag);
}

/* Returns the LimitFactor of the first of two QOS that has one; it scales GrpTRES and MaxTRES. */
static double limits_factor(const struct fsi_qos *const qos[2])
{
	for (int i = 0; i < 2; i++)
		if (qos[i] && FSI_HAS(qos[i], QOS, limit_factor) && qos[i]->limit_factor > 0)
			return qos[i]->limit_factor;
	return 1;
}

static bool policy_enforced(const fs_snapshot *m, const char *what)
{
	return fsi_config_lists(m, "AccountingStorageEnforce", what);
}

bool fsi_limits_stop(const fs_snapshot *m)
{
	return fsi_queue_parameter(m, "assoc_limit_stop") != NULL;
}

static struct fsi_fields fields_of(const struct fsi_limit_kind *kinds, size_t n)
{
	struct fsi_fields f = { { 0 } };

	for (size_t i = 0; i < n; i++)
		fsi_fields_add(&f, kinds[i].bit);
	return f;
}

void fsi_limit_site(struct fsi_limit_site *out, const fs_snapshot *m)
{
	const bool safe = policy_enforced(m, "safe");

	*out = (struct fsi_limit_site){ .safe = safe,
					.enforced = safe || policy_enforced(m, "limits"),
					.stops = fsi_limits_stop(m),
					.billing = fsi_name_find(m, "billing"),
					.node = fsi_name_find(m, "node"),
					.cpu = fsi_name_find(m, "cpu"),
					.mem = fsi_name_find(m, "mem"),
					.own = fields_of(fsi_assoc_limits, fsi_assoc_limit_count),
					.group = fields_of(fsi_assoc_limits, FSI_ASSOC_GROUP_LIMIT_COUNT),
					.qos = fields_of(fsi_qos_limits, fsi_qos_limit_count) };
}

/* The limits a job is under (src/slurmctld/acct_policy.c: acct_policy_job_runnable_pre_select and _post_select).
 * Looked at are the QOS of the partition, the job's, its association and all above that. Which of the two QOS is
 * first: the partition's, unless the job's has the flag OverPartQOS. A limit of the first takes the place of the
 * same kind, and TRES, in the other and in associations, but each association above has its own say. A job with
 * several partitions or QOS may start with any of them, so each pair of them is looked at by itself. */

struct found {
	struct fs_explain_limit l;
	const struct fsi_limit_kind *kind;
	struct fsi_limit_place at;
	uint32_t tres; /* name */
	bool *in;      /* by choice */
};

/* A choice while it is looked at. */
struct choice {
	size_t row;
	const struct fsi_qos *qos[2];
	enum fs_limit_scope scope[2];
	double limit_factor; /* factor on GrpTRES and MaxTRES of associations */
};

struct search {
	const struct fsi_bars_from *x;
	const struct fsi_job *job;
	const struct fs_reason *reason;
	struct fs_explain_choice *choices;
	size_t nchoices, nqos; /* the QOS of a partition stand together */
	struct choice at;
	struct limit_rules rules;
	struct fsi_limit_counter counter;
	FSI_VEC(struct found) found;
	const struct fsi_limit_site *site;
	fsi_limit_met_fn met; /* NULL: limits are looked at as they are now */
	void *ctx;
};

/* ---- one limit */

/* Has a limit found in the choice at hand taken the place of this one? QOS are looked at before associations. */
static bool replaced(const struct search *s, const struct fsi_limit_kind *k, uint32_t tres, enum fs_limit_scope scope)
{
	for (size_t i = 0; i < s->found.n; i++) {
		const struct found *f = &s->found.v[i];

		if (f->in[s->at.row] && f->l.scope != scope && f->l.scope >= FS_LIMIT_QOS &&
		    f->tres == tres && limit_replaces(f->kind, k))
			return true;
	}
	return false;
}

/* The same limit in an earlier choice, from `next` on; its value, and what the job wants, may differ. */
static struct found *seen_before(const struct search *s, const struct found *f, size_t *next)
{
	while (*next < s->found.n) {
		struct found *o = &s->found.v[(*next)++];

		if (o->kind == f->kind && o->at.scope == f->at.scope &&
		    o->at.assoc == f->at.assoc && o->at.qos == f->at.qos && o->tres == f->tres)
			return o;
	}
	return NULL;
}

/* Counts the use, once for all choices. */
static int fill_use(struct search *s, struct found *f)
{
	size_t next = 0;
	const struct found *before = seen_before(s, f, &next);

	if (!before)
		return fsi_limit_use(&s->counter, f->kind, &f->at, f->tres, s->rules.safe, &f->l);
	f->l.used = before->l.used;
	f->l.promised = before->l.promised;
	f->l.holders = before->l.holders;
	f->l.nholders = before->l.nholders;
	return 0;
}

/* Puts the limit into the list, unless it comes to the same as in an earlier choice. */
static int list_limit(struct search *s, struct found *f)
{
	size_t next = 0;
	struct found *o;

	while ((o = seen_before(s, f, &next)))
		if (o->l.value == f->l.value && o->l.wants == f->l.wants && o->l.blocks == f->l.blocks) {
			o->in[s->at.row] = true;
			return 0;
		}
	f->in = fsi_arena_array(s->x->arena, s->nchoices, sizeof(*f->in));
	if (!f->in || FSI_VEC_ROOM(&s->found))
		return -1;
	f->in[s->at.row] = true;
	s->found.v[s->found.n++] = *f;
	return 0;
}

static const char *whose(const struct search *s, const struct fsi_limit_kind *k, enum fs_limit_scope scope)
{
	if (k->counted == FSI_USER || scope == FS_LIMIT_ASSOC)
		return fsi_str(s->x->m, s->job->user);
	return k->counted == FSI_ACCOUNT ? fsi_str(s->x->m, s->job->account) : "";
}

/* Is it a limit on what the job itself has, which the nodes chosen decide? */
static bool by_nodes_chosen(const struct fsi_limit_kind *k)
{
	return k->measure == FSI_JOB_TRES || k->measure == FSI_NODE_TRES || k->measure == FSI_JOB_MINUTES;
}

/* Hands on the limit, which takes the place of others whether it is in the way or not. */
static int meet(struct search *s, const struct fsi_limit_kind *k, const struct fsi_limit_place *at, uint32_t tres,
		double value)
{
	struct found f = { .kind = k, .at = *at, .tres = tres,
			   .l = { .scope = at->scope, .value = value, .used = NAN, .promised = NAN } };
	struct fsi_limit_met met = { k, *at, tres, value, 0, false, false };
	int rc;

	if ((fsi_limit_of_job(k) && !(s->x->nodes && by_nodes_chosen(k))) || k->measure == FSI_QUEUED_JOBS)
		return 0;
	met.tested = !replaced(s, k, tres, at->scope);
	met.wants = f.l.wants = limit_wants(&s->rules, k, tres);
	if (met.tested && (k->measure == FSI_USED_MINUTES || k->measure == FSI_USED_WALL)) {
		if (fill_use(s, &f))
			return -1;
		limit_decide(&s->rules, k, tres, &f.l);
		met.blocks = f.l.blocks;
	}
	rc = s->met(s->ctx, &met);
	return rc || !met.tested ? rc : list_limit(s, &f);
}

static int add_limit(struct search *s, const struct fsi_limit_kind *k,
		     const struct fsi_limit_place *at, uint32_t tres, double value)
{
	const fs_snapshot *m = s->x->m;
	const bool of_assoc = at->assoc != FSI_NO_INDEX;
	const bool factored = of_assoc && (k->measure == FSI_RUNNING_TRES || k->measure == FSI_JOB_TRES);
	const double factor = factored ? s->at.limit_factor : 1;
	struct found f = { .kind = k, .at = *at, .tres = tres };

	if (s->met)
		return meet(s, k, at, tres, floor(value * factor));
	if (replaced(s, k, tres, at->scope))
		return 0;
	f.l = (struct fs_explain_limit){
		.name = k->name,
		.tres = fsi_str(m, tres),
		.scope = at->scope,
		.of = fsi_str(m, of_assoc ? m->association.v[at->assoc].account : at->qos),
		.whose = whose(s, k, at->scope),
		.value = floor(value * factor),
		.factor = factor,
		.wants = limit_wants(&s->rules, k, tres),
		.promised = NAN,
		.per_job = fsi_limit_of_job(k),
		.is_min = k->measure == FSI_MIN_TRES,
	};
	f.l.named = limit_named(s->reason, k, of_assoc, f.l.tres);
	if (fill_use(s, &f))
		return -1;
	limit_decide(&s->rules, k, tres, &f.l);
	s->choices[s->at.row].blocked |= f.l.blocks;
	if (f.l.blocks && limit_before_nodes(k) && !s->site->stops)
		s->choices[s->at.row].untried = s->choices[s->at.row].passed_over = true;
	s->choices[s->at.row].never |= f.l.blocks && f.l.never;
	return list_limit(s, &f);
}

static int add_kind(struct search *s, const struct fsi_limit_kind *k,
		    const struct fsi_limit_place *at, const struct fsi_rec *rec)
{
	const char *field = (const char *)rec + k->offset;
	const struct fsi_amount *a;
	uint32_t number;
	int64_t seconds;
	size_t n;

	if (!fsi_known(rec, k->bit) || fsi_special(rec, k->bit))
		return 0;
	if (k->type == FSI_DUR) {
		memcpy(&seconds, field, sizeof(seconds));
		return add_limit(s, k, at, 0, (double)seconds);
	}
	memcpy(&number, field, sizeof(number)); /* a count, or the id of a set */
	if (k->type != FSI_TRES)
		return add_limit(s, k, at, 0, number);
	a = fsi_amounts(s->x->m, number, &n);
	for (size_t i = 0; i < n; i++)
		if (add_limit(s, k, at, a[i].tres, (double)a[i].n))
			return -1;
	return 0;
}

/* ---- all of a choice */

/* Is any of the fields known? */
static bool any_of(const struct fsi_rec *rec, const struct fsi_fields *f)
{
	for (unsigned i = 0; i < FSI_FIELD_WORDS; i++)
		if (rec->has.word[i] & f->word[i])
			return true;
	return false;
}

static int search_assocs(struct search *s)
{
	const fs_snapshot *m = s->x->m;
	const uint32_t own = fsi_job_assoc(m, s->job);

	for (uint32_t i = own; i != FSI_NO_INDEX; i = m->tree[i].parent) {
		const struct fsi_association *a = &m->association.v[i];
		const struct fsi_limit_place at = { a->user ? FS_LIMIT_ASSOC : FS_LIMIT_ACCOUNT, i,
						    0 };

		if (!any_of(&a->rec, i == own ? &s->site->own : &s->site->group))
			continue;
		for (size_t k = 0; k < (i == own ? fsi_assoc_limit_count : FSI_ASSOC_GROUP_LIMIT_COUNT); k++)
			if (add_kind(s, &fsi_assoc_limits[k], &at, &a->rec))
				return -1;
	}
	return 0;
}

static int search_choice(struct search *s)
{
	for (int i = 0; i < 2; i++) {
		const struct fsi_qos *q = s->at.qos[i];
		const struct fsi_limit_place at = { s->at.scope[i], FSI_NO_INDEX, q ? q->name : 0 };

		if (!q || !any_of(&q->rec, &s->site->qos))
			continue;
		for (size_t k = 0; k < fsi_qos_limit_count; k++)
			if (limit_holds(&fsi_qos_limits[k], s->x->m->info.version) &&
			    add_kind(s, &fsi_qos_limits[k], &at, &q->rec))
				return -1;
	}
	return search_assocs(s);
}

/* partition, qos: names, 0 none. */
static void look_at(struct search *s, size_t row, uint32_t partition, uint32_t qos)
{
	const fs_snapshot *m = s->x->m;
	const struct fsi_partition *p = partition ? fsi_partition_find(m, partition) : NULL;
	const struct fsi_qos *own = qos ? fsi_qos_find(m, qos) : NULL,
			     *its = p && p->qos ? fsi_qos_find(m, p->qos) : NULL;
	const double factor = fsi_usage_factor(own);
	const bool own_first = its != own && limits_flag(m, own, "OverPartQOS");

	s->at = (struct choice){ .row = row, .qos = { its, its == own ? NULL : own },
				 .scope = { FS_LIMIT_PARTITION_QOS, FS_LIMIT_QOS } };
	if (own_first) {
		s->at.qos[0] = own;
		s->at.qos[1] = its;
		s->at.scope[0] = FS_LIMIT_QOS;
		s->at.scope[1] = FS_LIMIT_PARTITION_QOS;
	}
	s->at.limit_factor = limits_factor(s->at.qos);
	s->rules.time_factor = limits_flag(m, own, "UsageFactorSafe") ? factor : 1;
	s->rules.free = factor == 0;
	s->rules.partition = fsi_partition_row(m, p);
	s->rules.request = p ? fsi_request_of(s->x->requests, s->job, s->rules.partition)
			     : (struct fsi_request){ 0 };
	if (s->x->cpus > s->rules.request.min) {
		s->rules.request.min = s->x->cpus;
		s->rules.request.why = FS_GROWS_NODES;
	}
}

/* ---- all of them */

/* The choices that a limit is in: all, those of a partition or of a QOS, or else this one. */
static bool in_choices(const struct search *s, const struct found *f, size_t first, size_t step, size_t n)
{
	for (size_t i = 0; i < s->nchoices; i++) {
		const bool member = i >= first && (i - first) % step == 0 && (i - first) / step < n;

		if (f->in[i] != member)
			return false;
	}
	return true;
}

static int publish_in(const struct search *s, const struct found *f, struct fs_explain_limit *v)
{
	int n = 0;

	for (size_t i = 0; i < s->nchoices; i++) {
		const size_t partition = i - i % s->nqos, qos = i % s->nqos;

		if (!f->in[i])
			continue;
		v[n] = f->l;
		v[n].partition = s->choices[i].partition;
		v[n].qos = s->choices[i].qos;
		if (in_choices(s, f, 0, 1, s->nchoices)) {
			v[n].partition = v[n].qos = "";
			return 1;
		}
		if (in_choices(s, f, partition, 1, s->nqos)) {
			v[n].qos = "";
			return 1;
		}
		if (in_choices(s, f, qos, s->nqos, s->nchoices / s->nqos)) {
			v[n].partition = "";
			return 1;
		}
		n++;
	}
	return n;
}

/* Puts out the blocking limits that the reason names first, then the other blocking ones, then what else the reason
 * may mean. */
static int publish(struct search *s, struct fsi_job_limits *out)
{
	struct fs_explain_limit *v = fsi_arena_array(s->x->arena, s->found.n * s->nchoices + 1, sizeof(*v));

	if (!v)
		return -1;
	for (int pass = 0; pass < 3; pass++)
		for (size_t i = 0; i < s->found.n; i++) {
			const struct fs_explain_limit *l = &s->found.v[i].l;

			if (pass == 0   ? l->named && l->blocks
			    : pass == 1 ? !l->named && l->blocks
					: l->named && !l->blocks)
				out->nlimits +=
					(size_t)publish_in(s, &s->found.v[i], v + out->nlimits);
		}
	out->limits = v;
	return 0;
}

/* Are limits enforced? Then fills in the rules that hold for the job. own: room for them where the caller has none. */
static bool limits_enforced(struct search *s, struct fsi_limit_site *own)
{
	const struct fsi_limit_site *site = s->x->site ? s->x->site : own;

	if (!s->x->site)
		fsi_limit_site(own, s->x->m);
	s->site = site;
	s->rules = (struct limit_rules){ .m = s->x->m, .job = s->job, .safe = site->safe,
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

/* Is there any limit that the job may be under? */
static bool any_limit(const struct search *s)
{
	const fs_snapshot *m = s->x->m;
	const uint32_t own = fsi_job_assoc(m, s->job);
	size_t np, nq;
	const uint32_t *partitions = fsi_list(m, s->job->partitions, &np), *qos = fsi_list(m, s->job->qos, &nq);

	for (uint32_t i = own; i != FSI_NO_INDEX; i = m->tree[i].parent)
		if (any_of(&m->association.v[i].rec, i == own ? &s->site->own : &s->site->group))
			return true;
	for (size_t i = 0; i < np + nq; i++) {
		const struct fsi_partition *p = i < np ? fsi_partition_find(m, partitions[i]) : NULL;
		const uint32_t name = i >= np ? qos[i - np] : p ? p->qos : 0;
		const struct fsi_qos *q = name ? fsi_qos_find(m, name) : NULL;

		if (q && any_of(&q->rec, &s->site->qos))
			return true;
	}
	return false;
}

int fsi_limits_met(const struct fsi_bars_from *x, uint32_t job_row, const char *partition, const char *qos,
		   fsi_limit_met_fn fn, void *ctx)
{
	struct fs_explain_choice choice = { .partition = partition, .qos = qos };
	struct search s = { .x = x, .job = &x->m->job.v[job_row], .choices = &choice, .nchoices = 1, .nqos = 1,
			    .met = fn, .ctx = ctx };
	struct fsi_limit_site site;
	int rc = 0;

	s.counter = (struct fsi_limit_counter){ .x = x, .job = s.job, .totals = x->totals };
	if (limits_enforced(&s, &site)) {
		look_at(&s, 0, *partition ? fsi_name_find(x->m, partition) : 0, *qos ? fsi_name_find(x->m, qos) : 0);
		rc = search_choice(&s);
	}
	FSI_VEC_FREE(&s.found);
	fsi_limit_counter_release(&s.counter);
	return rc;
}

int fsi_limits_find_blocking(const struct fsi_bars_from *x, struct fsi_job_limits *out)
{
	const fs_snapshot *m = x->m;
	struct fsi_requests own;
	struct fsi_billing bills;
	struct fsi_bars_from with = *x;
	struct search s = { .x = &with,
			    .job = &m->job.v[out->job_row],
			    .reason = out->reason,
			    .choices = out->choices,
			    .nchoices = out->nchoices,
			    .nqos = out->nqos };
	struct fsi_limit_site site;
	size_t np, nq;
	const uint32_t *partitions = fsi_list(m, s.job->partitions, &np), *qos = fsi_list(m, s.job->qos, &nq);
	int rc = 0;

	if (!limits_enforced(&s, &site) || !any_limit(&s))
		return 0;
	if ((!x->requests && fsi_requests_init(&own, m, x->arena)) ||
	    (!x->billing && fsi_billing_init(&bills, m, x->arena)))
		return -1;
	s.rules.requests = with.requests = x->requests ? x->requests : &own;
	s.rules.billing = with.billing = x->billing ? x->billing : &bills;
	s.counter = (struct fsi_limit_counter){ .x = x, .job = s.job, .totals = x->totals };
	for (size_t i = 0; !rc && i < s.nchoices; i++) {
		look_at(&s, i, np ? partitions[i / s.nqos] : 0, nq ? qos[i % s.nqos] : 0);
		rc = search_choice(&s);
	}
	if (!rc)
		rc = publish(&s, out);
	FSI_VEC_FREE(&s.found);
	fsi_limit_counter_release(&s.counter);
	return rc;
}
