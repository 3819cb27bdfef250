/* Limits a job is under, how much of each is in use, and by whom (src/slurmctld/acct_policy.c). Use is counted from
 * the jobs of the snapshot; of TRES minutes it is what the snapshot records. A limit of the QOS takes the place of
 * the association's of the same kind; the partition's QOS goes before the job's. */
#include "explain/explain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What is held against the limit. */
enum measure { RUNNING_TRES, RUNNING_JOBS, QUEUED_JOBS, JOB_TRES, JOB_TRES_MINUTES, JOB_TIME, LEAST_TRES, USED_MINUTES, PROMISED_MINUTES };

enum counted { EVERYBODY, USER, ACCOUNT };

struct kind {
	const char *name;
	enum measure measure;
	enum counted counted;
	bool tres;
	uint8_t bit; /* of the field */
	uint16_t offset;
};

#define TRES_OF(TAG, type, member, name, measure, counted)                                                     \
	{ name, measure, counted, true, FSI_##TAG##_##member, offsetof(struct fsi_##type, member) }
#define COUNT_OF(TAG, type, member, name, measure, counted)                                                    \
	{ name, measure, counted, false, FSI_##TAG##_##member, offsetof(struct fsi_##type, member) }

/* Those that every ancestor has, then those of the job's own association. */
static const struct kind assoc_kinds[] = {
	TRES_OF(ASSOCIATION, association, grp_tres, "GrpTRES", RUNNING_TRES, EVERYBODY),
	COUNT_OF(ASSOCIATION, association, grp_jobs, "GrpJobs", RUNNING_JOBS, EVERYBODY),
	COUNT_OF(ASSOCIATION, association, grp_submit_jobs, "GrpSubmitJobs", QUEUED_JOBS, EVERYBODY),
	TRES_OF(ASSOCIATION, association, grp_tres_min, "GrpTRESMins", USED_MINUTES, EVERYBODY),
	TRES_OF(ASSOCIATION, association, grp_tres_run_min, "GrpTRESRunMins", PROMISED_MINUTES, EVERYBODY),
	COUNT_OF(ASSOCIATION, association, max_jobs, "MaxJobs", RUNNING_JOBS, USER),
	COUNT_OF(ASSOCIATION, association, max_submit_jobs, "MaxSubmitJobs", QUEUED_JOBS, USER),
	TRES_OF(ASSOCIATION, association, max_tres, "MaxTRESPerJob", JOB_TRES, EVERYBODY),
	TRES_OF(ASSOCIATION, association, max_tres_min, "MaxTRESMinsPerJob", JOB_TRES_MINUTES, EVERYBODY),
	COUNT_OF(ASSOCIATION, association, max_wall_s, "MaxWall", JOB_TIME, EVERYBODY),
};
enum { GROUP_KINDS = 5, ASSOC_KINDS = sizeof(assoc_kinds) / sizeof(*assoc_kinds) };

static const struct kind qos_kinds[] = {
	TRES_OF(QOS, qos, grp_tres, "GrpTRES", RUNNING_TRES, EVERYBODY),
	COUNT_OF(QOS, qos, grp_jobs, "GrpJobs", RUNNING_JOBS, EVERYBODY),
	COUNT_OF(QOS, qos, grp_submit_jobs, "GrpSubmitJobs", QUEUED_JOBS, EVERYBODY),
	TRES_OF(QOS, qos, grp_tres_run_min, "GrpTRESRunMins", PROMISED_MINUTES, EVERYBODY),
	TRES_OF(QOS, qos, max_tres_per_user, "MaxTRESPU", RUNNING_TRES, USER),
	COUNT_OF(QOS, qos, max_jobs_per_user, "MaxJobsPU", RUNNING_JOBS, USER),
	COUNT_OF(QOS, qos, max_submit_jobs_per_user, "MaxSubmitJobsPU", QUEUED_JOBS, USER),
	TRES_OF(QOS, qos, max_tres_per_account, "MaxTRESPA", RUNNING_TRES, ACCOUNT),
	COUNT_OF(QOS, qos, max_jobs_per_account, "MaxJobsPA", RUNNING_JOBS, ACCOUNT),
	COUNT_OF(QOS, qos, max_submit_jobs_per_account, "MaxSubmitJobsPA", QUEUED_JOBS, ACCOUNT),
	TRES_OF(QOS, qos, max_tres, "MaxTRESPerJob", JOB_TRES, EVERYBODY),
	TRES_OF(QOS, qos, max_tres_min, "MaxTRESMinsPerJob", JOB_TRES_MINUTES, EVERYBODY),
	COUNT_OF(QOS, qos, max_wall_s, "MaxWall", JOB_TIME, EVERYBODY),
	TRES_OF(QOS, qos, min_tres, "MinTRESPerJob", LEAST_TRES, EVERYBODY),
};
enum { QOS_KINDS = sizeof(qos_kinds) / sizeof(*qos_kinds) };

struct search {
	fs_explain *x;
	const struct fsi_job *job;
	uint32_t job_row, assoc;
	const struct fs_reason *reason;
	FSI_VEC(struct fs_explain_limit) found;
	FSI_VEC(struct fs_explain_holder) holder; /* of the limit at hand */
	struct fsi_intern holders;		  /* (user, account) to its place there */
};

/* Where a limit counts: an association with all below it, or a QOS. */
struct place {
	enum fs_limit_scope scope;
	uint32_t assoc; /* row, or FSI_NO_INDEX */
	uint32_t qos;	/* name */
};

/* ---- what the job asks for, and what others hold */

static double amount_of(const fs_snapshot *m, const struct fsi_job *j, uint32_t tres)
{
	if (FSI_HAS(j, JOB, tres_alloc))
		return (double)fsi_amount_of(m, j->tres_alloc, tres);
	return FSI_HAS(j, JOB, tres_req) ? (double)fsi_amount_of(m, j->tres_req, tres) : (double)NAN;
}

static double seconds_of(const struct fsi_job *j)
{
	if (FSI_SPECIAL(j, JOB, time_limit_s))
		return INFINITY;
	return FSI_HAS(j, JOB, time_limit_s) ? (double)j->time_limit_s : (double)NAN;
}

static double wants(const struct search *s, const struct kind *k, uint32_t tres)
{
	const double minute_s = 60;

	switch (k->measure) {
	case RUNNING_TRES:
	case JOB_TRES:
	case LEAST_TRES:
		return amount_of(s->x->m, s->job, tres);
	case RUNNING_JOBS:
		return 1;
	case QUEUED_JOBS:
	case USED_MINUTES:
		return 0;
	case JOB_TRES_MINUTES:
	case PROMISED_MINUTES:
		return amount_of(s->x->m, s->job, tres) * (seconds_of(s->job) / minute_s);
	case JOB_TIME:
		return seconds_of(s->job);
	}
	return NAN;
}

static bool has_partition_qos(const fs_snapshot *m, const struct fsi_job *j, uint32_t qos)
{
	size_t n;
	const uint32_t *names = fsi_list(m, j->partitions, &n);
	const struct fsi_partition *p = n ? fsi_partition_find(m, names[0]) : NULL;

	return p && p->qos == qos;
}

static bool inside(const struct search *s, const struct fsi_job *j, const struct place *at, enum counted counted)
{
	const fs_snapshot *m = s->x->m;
	size_t n;
	const uint32_t *qos = fsi_list(m, j->qos, &n);

	if (counted == USER && j->user != s->job->user)
		return false;
	if (counted == ACCOUNT && j->account != s->job->account)
		return false;
	if (at->assoc != FSI_NO_INDEX) {
		const uint32_t own = fsi_job_assoc(m, j);

		return own != FSI_NO_INDEX && own >= at->assoc && own < m->tree[at->assoc].end;
	}
	return (n && qos[0] == at->qos) || has_partition_qos(m, j, at->qos);
}

static bool counts(const struct kind *k, const struct fsi_job *j)
{
	return fsi_explain_holds(j) || (k->measure == QUEUED_JOBS && j->state == FSI_STATE_PENDING);
}

/* TRES minutes it may still use. */
static double promised(const struct search *s, const struct fsi_job *j, uint32_t tres)
{
	const double minute_s = 60;

	return FSI_HAS(j, JOB, end_time) && j->end_time > s->x->m->info.time
		       ? amount_of(s->x->m, j, tres) * ((double)(j->end_time - s->x->m->info.time) / minute_s)
		       : 0;
}

static int hold(struct search *s, const struct fsi_job *j, uint64_t jobs, double amount)
{
	const bool seen = fsi_viewer_sees_job(&s->x->viewer, j);
	const uint32_t key[2] = { seen ? j->user : 0, seen ? j->account : 0 };
	const uint32_t id = fsi_intern(&s->holders, key, sizeof(key)); /* from 1 */

	if (id == FSI_INTERN_FAILED || (id > s->holder.n && FSI_VEC_ROOM(&s->holder)))
		return -1;
	if (id > s->holder.n)
		s->holder.v[s->holder.n++] =
			(struct fs_explain_holder){ fsi_str(s->x->m, key[0]), fsi_str(s->x->m, key[1]), 0, 0 };
	s->holder.v[id - 1].jobs += jobs;
	s->holder.v[id - 1].amount += amount;
	return 0;
}

static int compare_holders(const void *pa, const void *pb, const void *ctx)
{
	const struct fs_explain_holder *a = pa, *b = pb;
	int d = (b->amount > a->amount) - (a->amount > b->amount);

	(void)ctx;
	d = d ? d : strcmp(a->user, b->user);
	return d ? d : strcmp(a->account, b->account);
}

/* Use by the jobs of the snapshot. */
static int use_of_jobs(struct search *s, const struct kind *k, const struct place *at, uint32_t tres,
		       struct fs_explain_limit *l)
{
	const fs_snapshot *m = s->x->m;
	bool exact;

	s->holder.n = 0;
	fsi_intern_release(&s->holders);
	l->used = 0;
	for (size_t i = 0; i < m->job.n; i++) {
		const struct fsi_job *j = &m->job.v[i];
		const uint64_t jobs = fsi_explain_holds(j) ? 1 : fs_job_tasks(m, i, &exact);
		double amount = (double)jobs;

		if (!counts(k, j) || !inside(s, j, at, k->counted))
			continue;
		if (k->tres)
			amount = k->measure == PROMISED_MINUTES ? promised(s, j, tres) : amount_of(m, j, tres);
		l->used += amount;
		if (amount > 0 && hold(s, j, jobs, amount))
			return -1;
	}
	if (fs_sort(s->holder.v, s->holder.n, sizeof(*s->holder.v), compare_holders, NULL))
		return -1;
	l->nholders = s->holder.n;
	l->holders = fsi_explain_keep(s->x, s->holder.v, s->holder.n, sizeof(*l->holders));
	return l->holders ? 0 : -1;
}

static double used_minutes(const struct search *s, const struct place *at, uint32_t tres)
{
	enum { MOST = 256 };
	struct fs_tres v[MOST];
	const fs_shares *shares = at->assoc == FSI_NO_INDEX ? NULL : s->x->from.shares;
	const int n = shares ? fs_shares_tres(shares, at->assoc, FS_USAGE_TRES_MIN, v, MOST) : -1;

	for (int i = 0; i < n; i++)
		if (!strcmp(v[i].name, fsi_str(s->x->m, tres)))
			return (double)v[i].amount;
	return NAN;
}

static int fill_use(struct search *s, const struct kind *k, const struct place *at, uint32_t tres,
		    struct fs_explain_limit *l)
{
	switch (k->measure) {
	case JOB_TRES:
	case JOB_TRES_MINUTES:
	case JOB_TIME:
	case LEAST_TRES:
		l->per_job = true;
		l->least = k->measure == LEAST_TRES;
		l->used = 0;
		return 0;
	case USED_MINUTES:
		l->used = used_minutes(s, at, tres);
		return 0;
	default:
		return use_of_jobs(s, k, at, tres, l);
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

static bool named_by(const struct fs_reason *r, const struct kind *k, const char *tres, enum fs_limit_scope scope)
{
	const bool of_assoc = scope == FS_LIMIT_ASSOC || scope == FS_LIMIT_ACCOUNT;

	if (!r || (r->section != FS_SECTION_ASSOC_LIMIT && r->section != FS_SECTION_QOS_LIMIT))
		return false;
	return of_assoc == (r->section == FS_SECTION_ASSOC_LIMIT) && !strcmp(r->limit, k->name) &&
	       (!k->tres || same_resource(r->resource, tres));
}

/* ---- one limit */

/* Kinds of which the QOS's stands for the association's. */
static bool same_kind(const struct fs_explain_limit *l, const struct kind *k, const char *tres)
{
	const char *own = k->name;

	if (!strcmp(own, "MaxJobs"))
		own = "MaxJobsPU";
	else if (!strcmp(own, "MaxSubmitJobs"))
		own = "MaxSubmitJobsPU";
	return !strcmp(l->name, own) && !strcmp(l->tres, tres);
}

static bool replaced(const struct search *s, const struct kind *k, const char *tres, enum fs_limit_scope scope)
{
	for (size_t i = 0; i < s->found.n; i++) {
		const struct fs_explain_limit *l = &s->found.v[i];

		if (l->scope != scope && l->scope >= FS_LIMIT_QOS && same_kind(l, k, tres))
			return true;
	}
	return false;
}

static int add_limit(struct search *s, const struct kind *k, const struct place *at, uint32_t tres, double value)
{
	const fs_snapshot *m = s->x->m;
	struct fs_explain_limit l = {
		.name = k->name,
		.tres = k->tres ? fsi_str(m, tres) : "",
		.scope = at->scope,
		.of = fsi_str(m, at->assoc == FSI_NO_INDEX ? at->qos : m->association.v[at->assoc].account),
		.whose = fsi_str(m, k->counted == USER || at->scope == FS_LIMIT_ASSOC ? s->job->user
				    : k->counted == ACCOUNT			      ? s->job->account
										      : 0),
		.value = value,
		.wants = wants(s, k, tres),
	};

	if (replaced(s, k, l.tres, at->scope))
		return 0;
	if (FSI_VEC_ROOM(&s->found) || fill_use(s, k, at, tres, &l))
		return -1;
	if (l.least) {
		l.never = l.blocks = l.wants < value;
	} else {
		l.never = l.wants > value;
		l.blocks = l.used + l.wants > value || (k->measure == USED_MINUTES && l.used >= value);
	}
	l.named = named_by(s->reason, k, l.tres, at->scope);
	s->found.v[s->found.n++] = l;
	return 0;
}

static int add_kind(struct search *s, const struct kind *k, const struct place *at, const struct fsi_rec *rec)
{
	const char *field = (const char *)rec + k->offset;
	const struct fsi_amount *a;
	uint32_t number;
	size_t n;

	if (!(rec->has >> k->bit & 1) || fsi_special(rec, k->bit))
		return 0;
	memcpy(&number, field, sizeof(number)); /* a count, or the id of a set */
	if (k->measure == JOB_TIME) {
		int64_t seconds;

		memcpy(&seconds, field, sizeof(seconds));
		return add_limit(s, k, at, 0, (double)seconds);
	}
	if (!k->tres)
		return add_limit(s, k, at, 0, number);
	a = fsi_amounts(s->x->m, number, &n);
	for (size_t i = 0; i < n; i++)
		if (add_limit(s, k, at, a[i].tres, (double)a[i].n))
			return -1;
	return 0;
}

/* ---- all of them */

static int search_qos(struct search *s, uint32_t name, enum fs_limit_scope scope)
{
	const struct fsi_qos *q = name ? fsi_qos_find(s->x->m, name) : NULL;
	const struct place at = { scope, FSI_NO_INDEX, name };

	for (size_t k = 0; q && k < QOS_KINDS; k++)
		if (add_kind(s, &qos_kinds[k], &at, &q->rec))
			return -1;
	return 0;
}

static int search_assocs(struct search *s)
{
	const fs_snapshot *m = s->x->m;

	for (uint32_t i = s->assoc; i != FSI_NO_INDEX; i = m->tree[i].parent) {
		const struct place at = { m->association.v[i].user ? FS_LIMIT_ASSOC : FS_LIMIT_ACCOUNT, i, 0 };

		for (size_t k = 0; k < (i == s->assoc ? ASSOC_KINDS : GROUP_KINDS); k++)
			if (add_kind(s, &assoc_kinds[k], &at, &m->association.v[i].rec))
				return -1;
	}
	return 0;
}

static uint32_t partition_qos(const fs_snapshot *m, const struct fsi_job *j)
{
	size_t n;
	const uint32_t *names = fsi_list(m, j->partitions, &n);
	const struct fsi_partition *p = n ? fsi_partition_find(m, names[0]) : NULL;

	return p ? p->qos : 0;
}

static bool enforced(const fs_snapshot *m)
{
	const struct fsi_config_entry *e = fsi_config_find(m, "AccountingStorageEnforce");
	const uint32_t set = e && e->kind == FSI_CONFIG_LIST ? (uint32_t)e->i : 0;

	return fsi_list_has(m, set, "limits") || fsi_list_has(m, set, "safe");
}

/* Blocking ones that the reason names, the other blocking ones, and then what else it may mean. */
static int publish(struct search *s, struct fs_explain_job *out)
{
	struct fs_explain_limit *v = fsi_arena_array(&s->x->arena, s->found.n + 1, sizeof(*v));

	if (!v)
		return -1;
	for (int pass = 0; pass < 3; pass++)
		for (size_t i = 0; i < s->found.n; i++) {
			const struct fs_explain_limit *l = &s->found.v[i];

			if (pass == 0 ? l->named && l->blocks : pass == 1 ? !l->named && l->blocks : l->named && !l->blocks)
				v[out->nlimits++] = *l;
		}
	out->limits = v;
	return 0;
}

int fsi_explain_limits(fs_explain *x, struct fs_explain_job *out)
{
	const fs_snapshot *m = x->m;
	struct search s = { .x = x, .job = &m->job.v[out->job_row], .job_row = out->job_row, .reason = out->reason };
	size_t n;
	const uint32_t *qos = fsi_list(m, s.job->qos, &n);
	const uint32_t of_partition = partition_qos(m, s.job);
	int rc = 0;

	if (!enforced(m))
		return 0;
	s.assoc = fsi_job_assoc(m, s.job);
	if (of_partition)
		rc = search_qos(&s, of_partition, FS_LIMIT_PARTITION_QOS);
	if (!rc && n && qos[0] != of_partition)
		rc = search_qos(&s, qos[0], FS_LIMIT_QOS);
	if (!rc)
		rc = search_assocs(&s);
	if (!rc)
		rc = publish(&s, out);
	FSI_VEC_FREE(&s.found);
	FSI_VEC_FREE(&s.holder);
	fsi_intern_release(&s.holders);
	return rc;
}
