/* The limits a job is under (src/slurmctld/acct_policy.c: acct_policy_job_runnable_pre_select and _post_select).
 * Looked at are the QOS of the partition, the job's, its association and all above that. Which of the two QOS is
 * first: the partition's, unless the job's has the flag OverPartQOS. A limit of the first takes the place of the
 * same kind, and TRES, in the other and in associations, but each association above has its own say. A job with
 * several partitions or QOS may start with any of them, so each pair of them is looked at by itself. */
#include "queue/limits/limits.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
	struct fsi_limit_rules rules;
	struct fsi_limit_counter counter;
	FSI_VEC(struct found) found;
	const struct fsi_limit_site *site;
	fsi_limit_met_fn met; /* NULL: limits are looked at as they are now */
	void *ctx;
};

/* ---- one limit */

/* Has a limit found in the choice at hand taken the place of this one? QOS are looked at before associations. */
static bool replaced(const struct search *s, const struct fsi_limit_kind *k, uint32_t tres,
		     enum fs_limit_scope scope)
{
	for (size_t i = 0; i < s->found.n; i++) {
		const struct found *f = &s->found.v[i];

		if (f->in[s->at.row] && f->l.scope != scope && f->l.scope >= FS_LIMIT_QOS &&
		    f->tres == tres && fsi_limit_replaces(f->kind, k))
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
		if (o->l.value == f->l.value && o->l.wants == f->l.wants &&
		    o->l.blocks == f->l.blocks) {
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
	met.wants = f.l.wants = fsi_limit_wants(&s->rules, k, tres);
	if (met.tested && (k->measure == FSI_USED_MINUTES || k->measure == FSI_USED_WALL)) {
		if (fill_use(s, &f))
			return -1;
		fsi_limit_decide(&s->rules, k, tres, &f.l);
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
	const bool factored =
		of_assoc && (k->measure == FSI_RUNNING_TRES || k->measure == FSI_JOB_TRES);
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
		.wants = fsi_limit_wants(&s->rules, k, tres),
		.promised = NAN,
		.per_job = fsi_limit_of_job(k),
		.is_min = k->measure == FSI_MIN_TRES,
	};
	f.l.named = fsi_limit_named(s->reason, k, of_assoc, f.l.tres);
	if (fill_use(s, &f))
		return -1;
	fsi_limit_decide(&s->rules, k, tres, &f.l);
	s->choices[s->at.row].blocked |= f.l.blocks;
	if (f.l.blocks && fsi_limit_before_nodes(k) && !s->site->stops)
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
		for (size_t k = 0; k < (i == own ? fsi_assoc_limit_count : fsi_group_limit_count);
		     k++)
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
			if (fsi_limit_holds(&fsi_qos_limits[k], s->x->m->info.version) &&
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
	const bool own_first = its != own && fsi_limits_flag(m, own, "OverPartQOS");

	s->at = (struct choice){ .row = row, .qos = { its, its == own ? NULL : own },
				 .scope = { FS_LIMIT_PARTITION_QOS, FS_LIMIT_QOS } };
	if (own_first) {
		s->at.qos[0] = own;
		s->at.qos[1] = its;
		s->at.scope[0] = FS_LIMIT_QOS;
		s->at.scope[1] = FS_LIMIT_PARTITION_QOS;
	}
	s->at.limit_factor = fsi_limits_factor(s->at.qos);
	s->rules.time_factor = fsi_limits_flag(m, own, "UsageFactorSafe") ? factor : 1;
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
static int publish(struct search *s, struct fsi_bars *out)
{
	struct fs_explain_limit *v =
		fsi_arena_array(s->x->arena, s->found.n * s->nchoices + 1, sizeof(*v));

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
static bool enforced(struct search *s, struct fsi_limit_site *own)
{
	const struct fsi_limit_site *site = s->x->site ? s->x->site : own;

	if (!s->x->site)
		fsi_limit_site(own, s->x->m);
	s->site = site;
	s->rules = (struct fsi_limit_rules){ .m = s->x->m, .job = s->job, .safe = site->safe,
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
	if (enforced(&s, &site)) {
		look_at(&s, 0, *partition ? fsi_name_find(x->m, partition) : 0, *qos ? fsi_name_find(x->m, qos) : 0);
		rc = search_choice(&s);
	}
	FSI_VEC_FREE(&s.found);
	fsi_limit_counter_release(&s.counter);
	return rc;
}

int fsi_bars_limits(const struct fsi_bars_from *x, struct fsi_bars *out,
		    struct fs_explain_choice *choices, size_t nqos)
{
	const fs_snapshot *m = x->m;
	struct fsi_requests own;
	struct fsi_billing bills;
	struct fsi_bars_from with = *x;
	struct search s = { .x = &with,
			    .job = &m->job.v[out->job_row],
			    .reason = out->reason,
			    .choices = choices,
			    .nchoices = out->nchoices,
			    .nqos = nqos };
	struct fsi_limit_site site;
	size_t np, nq;
	const uint32_t *partitions = fsi_list(m, s.job->partitions, &np), *qos = fsi_list(m, s.job->qos, &nq);
	int rc = 0;

	if (!enforced(&s, &site) || !any_limit(&s))
		return 0;
	if ((!x->requests && fsi_requests_init(&own, m, x->arena)) ||
	    (!x->billing && fsi_billing_init(&bills, m, x->arena)))
		return -1;
	s.rules.requests = with.requests = x->requests ? x->requests : &own;
	s.rules.billing = with.billing = x->billing ? x->billing : &bills;
	s.counter = (struct fsi_limit_counter){ .x = x, .job = s.job, .totals = x->totals };
	for (size_t i = 0; !rc && i < s.nchoices; i++) {
		look_at(&s, i, np ? partitions[i / nqos] : 0, nq ? qos[i % nqos] : 0);
		rc = search_choice(&s);
	}
	if (!rc)
		rc = publish(&s, out);
	FSI_VEC_FREE(&s.found);
	fsi_limit_counter_release(&s.counter);
	return rc;
}
