#include "limits/limits.h"

#include "base/hostlist.h"
#include "model/find.h"
#include "model/records/limit_names.h"
#include "model/model.h"
#include "usage/usage.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Computes the current use of Slurm's limits. Accrue limits are in libfs/priority/slurm.c. */

#define ROW(TAG, type, order, member, TYPE, name, measure, counted)                                              \
	[order] = { name, FSI_##measure, FSI_##counted, FSI_##TYPE, FSI_##TAG##_##member,                        \
		    offsetof(struct fsi_##type, member) },
#define ASSOC_ROW(member, TYPE, name, column, shown, word, order, measure, counted)                              \
	ROW(ASSOCIATION, association, order, member, TYPE, name, measure, counted)
#define QOS_ROW(member, TYPE, name, column, shown, word, order, measure, counted)                                \
	ROW(QOS, qos, order, member, TYPE, name, measure, counted)

const struct fsi_limit_kind fsi_assoc_limits[] = { FSI_ASSOC_GROUP_LIMITS(ASSOC_ROW) FSI_ASSOC_OWN_LIMITS(ASSOC_ROW) };
const size_t fsi_assoc_limit_count = sizeof(fsi_assoc_limits) / sizeof(*fsi_assoc_limits);

const struct fsi_limit_kind fsi_qos_limits[] = { FSI_QOS_LIMITS(QOS_ROW) FSI_QOS_RUN_MINUTE_LIMITS(QOS_ROW) };
const size_t fsi_qos_limit_count = sizeof(fsi_qos_limits) / sizeof(*fsi_qos_limits);

bool fsi_limits_is_per_job(const struct fsi_limit_kind *k)
{
	return k->measure >= FSI_JOB_TRES;
}

void *fsi_limits_copy_results(const struct fsi_limits_context *from, const void *v, size_t n, size_t size)
{
	return n ? fsi_arena_copy(from->arena, v, n * size) : fsi_arena_alloc(from->arena, 1);
}

/* ---- jobs that count against a limit (src/slurmctld/acct_policy.c: _adjust_limit_usage) */

/* Returns true if the job counts against limits of the QOS because the job names this QOS. A running job counts in the
 * QOS that it runs with. A pending job with several QOS counts in the QOS with the highest priority
 * (src/slurmctld/acct_policy.c: acct_policy_add_job_submit reads job_ptr->qos_ptr). */
static bool is_counted_in_qos(const fs_snapshot *m, const struct fsi_job *j, uint32_t qos)
{
	const struct fsi_qos *own;
	size_t n;
	const uint32_t *names = fsi_list_items(m, j->qos, &n);

	if (n < 2 || fsi_job_is_allocated(j))
		return n && names[0] == qos;
	own = fsi_job_highest_qos(m, j);
	return own && own->name == qos;
}

/* Returns true if the job counts against limits of the QOS, because it is the job's QOS or the QOS of one of the job's
 * partitions. A job with allocated resources has one partition. */
static bool counts_against_qos(const fs_snapshot *m, const struct fsi_job *j, uint32_t qos)
{
	const size_t max = fsi_job_is_allocated(j) ? 1 : SIZE_MAX;
	size_t n;
	const uint32_t *names = fsi_list_items(m, j->partitions, &n);

	if (is_counted_in_qos(m, j, qos))
		return true;
	for (size_t i = 0; i < n && i < max; i++) {
		const struct fsi_partition *p = fsi_partition_find(m, names[i]);

		if (p && p->qos == qos)
			return true;
	}
	return false;
}

bool fsi_limits_is_job_counted(const fs_snapshot *m, const struct fsi_limit_kind *k, const struct fsi_limit_owner *at,
			       const struct fsi_job *pending, const struct fsi_job *j)
{
	uint32_t own;

	if ((k->counted == FSI_USER && j->user != pending->user) ||
	    (k->counted == FSI_ACCOUNT && j->account != pending->account))
		return false;
	if (at->assoc == FSI_NO_INDEX)
		return counts_against_qos(m, j, at->qos);
	own = fsi_job_find_assoc(m, j);
	return own != FSI_NO_INDEX && own >= at->assoc && own < m->tree[at->assoc].end;
}

/* ---- jobs with allocated resources, sorted by user, account and association. In the sorted arrays, the jobs that
 * count against a limit are found without a search of all jobs. */

static uint32_t get_job_user(const fs_snapshot *m, uint32_t row)
{
	return m->job.v[row].user;
}

static uint32_t get_job_account(const fs_snapshot *m, uint32_t row)
{
	return m->job.v[row].account;
}

static uint32_t get_job_association(const fs_snapshot *m, uint32_t row)
{
	return fsi_job_find_assoc(m, &m->job.v[row]);
}

static int compare_keyed_rows(const void *x, const void *y, const void *ctx)
{
	const uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;

	(void)ctx;
	return (a > b) - (a < b);
}

/* Returns the rows of t->holding sorted by key, then by row; NULL: out of memory. The caller frees the result. */
static uint32_t *sort_rows_by_key(const struct fsi_limit_totals *t, uint32_t (*key)(const fs_snapshot *m, uint32_t row))
{
	uint64_t *with_key = malloc((t->n + 1) * sizeof(*with_key));
	uint32_t *v = malloc((t->n + 1) * sizeof(*v));
	int rc = -1;

	if (with_key && v) {
		for (size_t i = 0; i < t->n; i++)
			with_key[i] = (uint64_t)key(t->m, t->holding[i]) << 32 | t->holding[i];
		rc = fs_sort(with_key, t->n, sizeof(*with_key), compare_keyed_rows, NULL);
		for (size_t i = 0; i < t->n; i++)
			v[i] = (uint32_t)with_key[i];
	}
	free(with_key);
	if (!rc)
		return v;
	free(v);
	return NULL;
}

/* On the first call, sets t->holding to the rows of the jobs with allocated resources. Returns -1 if out of memory. */
static int list_holding_jobs(struct fsi_limit_totals *t)
{
	const fs_snapshot *m = t->m;

	if (t->holding)
		return 0;
	t->holding = malloc((m->job.n + 1) * sizeof(*t->holding));
	if (!t->holding)
		return -1;
	for (struct fsi_active_jobs b = { 0 }; fsi_active_jobs_next(m, &b);)
		if (fsi_job_is_allocated(&m->job.v[b.row]))
			t->holding[t->n++] = b.row;
	return 0;
}

void fsi_limits_release_totals(struct fsi_limit_totals *t)
{
	free(t->holding);
	free(t->by_user);
	free(t->by_account);
	free(t->by_assoc);
	fsi_intern_release(&t->keys);
	FSI_VEC_FREE(&t->use);
}

/* Returns the index in v of the first row whose key is at least min; t->n: none. */
static size_t find_first_row(const struct fsi_limit_totals *t, const uint32_t *v,
			     uint32_t (*key)(const fs_snapshot *m, uint32_t row), uint32_t min)
{
	size_t lo = 0, hi = t->n;

	while (lo < hi) {
		const size_t mid = lo + (hi - lo) / 2;

		if (key(t->m, v[mid]) < min)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* Returns the rows of t->holding whose key is at least `from` and less than `end`, and sets *n to their number;
 * NULL: out of memory. *by: array of all rows of t->holding, sorted by key; the first call fills it. */
static const uint32_t *select_key_range(const struct fsi_limit_totals *t, uint32_t **by,
					uint32_t (*key)(const fs_snapshot *m, uint32_t row), uint32_t from,
					uint32_t end, size_t *n)
{
	if (!*by)
		*by = sort_rows_by_key(t, key);
	if (!*by)
		return NULL;
	const size_t first = find_first_row(t, *by, key, from);

	*n = find_first_row(t, *by, key, end) - first;
	return *by + first;
}

const uint32_t *fsi_limits_list_holding_jobs(struct fsi_limit_totals *t, const struct fsi_limit_kind *k,
					     const struct fsi_limit_owner *at, const struct fsi_job *job, size_t *n)
{
	if (list_holding_jobs(t))
		return NULL;
	if (k->counted == FSI_USER)
		return select_key_range(t, &t->by_user, get_job_user, job->user, job->user + 1, n);
	if (k->counted == FSI_ACCOUNT)
		return select_key_range(t, &t->by_account, get_job_account, job->account, job->account + 1, n);
	if (at->assoc != FSI_NO_INDEX)
		return select_key_range(t, &t->by_assoc, get_job_association, at->assoc, t->m->tree[at->assoc].end, n);
	*n = t->n;
	return t->holding;
}

/* Returns a pointer to the stored use of the limit, which is NAN until it is counted. If the limit applies to each user
 * or each account separately, one use is stored for each of them. Returns NULL if out of memory. The pointer is valid
 * until the next call. */
static double *find_shared_use(struct fsi_limit_totals *t, const struct fsi_limit_kind *k,
			       const struct fsi_limit_owner *at, uint32_t tres, const struct fsi_job *job)
{
	const uint32_t key[] = { (uint32_t)k->measure,
				 (uint32_t)k->counted,
				 (uint32_t)k->type,
				 at->assoc,
				 at->qos,
				 tres,
				 k->counted == FSI_USER      ? job->user
				 : k->counted == FSI_ACCOUNT ? job->account
							     : 0 };
	const uint32_t id = fsi_intern_add(&t->keys, key, sizeof(key));

	if (id == FSI_INTERN_FAILED || (id > t->use.n && FSI_VEC_RESERVE(&t->use)))
		return NULL;
	if (id > t->use.n)
		t->use.v[t->use.n++] = (double)NAN;
	return &t->use.v[id - 1];
}

/* ---- use of a limit, and its holders: the users and accounts whose jobs make up the use (src/slurmctld/acct_policy.c:
 * _adjust_limit_usage)
 *
 *   jobs, TRES               counted from the jobs of the snapshot; a node counts once for all jobs on it
 *   used minutes, wall time  not counted from jobs; taken from the usage of the association or QOS
 *   run minutes              the recorded number if it covers exactly the counted jobs; else computed from the jobs
 *
 * A running job counts in the QOS that it runs with and in the QOS of its partition. A pending job counts in its QOS
 * with the highest priority and in the QOS of all its partitions. */

void fsi_limits_release_counter(struct fsi_limit_counter *c)
{
	FSI_VEC_FREE(&c->holder);
	fsi_intern_release(&c->holders);
	fsi_intern_release(&c->nodes);
}

double fsi_limits_get_job_amount(const fs_snapshot *m, const struct fsi_job *j, uint32_t tres)
{
	if (FSI_HAS(j, JOB, tres_alloc))
		return (double)fsi_amount_of_tres(m, j->tres_alloc, tres);
	return FSI_HAS(j, JOB, tres_req) ? (double)fsi_amount_of_tres(m, j->tres_req, tres) : (double)NAN;
}

/* Returns true if the job, in its present state, counts against the limit: it has allocated resources, or it is pending
 * and the limit is on queued jobs. */
static bool is_counted_now(const struct fsi_limit_counter *c, const struct fsi_job *j, const struct fsi_limit_kind *k,
			   const struct fsi_limit_owner *at)
{
	if (!fsi_job_is_allocated(j) && (k->measure != FSI_QUEUED_JOBS || j->state != FSI_STATE_PENDING))
		return false;
	return fsi_limits_is_job_counted(c->x->m, k, at, c->job, j);
}

/* ---- holders of a limit: the users and accounts whose jobs use part of it */

/* Sets *id to 1 + the index in c->holder of the job's user and account. All jobs that the viewer may not see share one
 * holder without names. Returns -1 if out of memory. */
static int find_or_add_holder(struct fsi_limit_counter *c, const struct fsi_job *j, uint32_t *id)
{
	const bool seen = fsi_viewer_may_see_job(c->x->viewer, j);
	const uint32_t key[2] = { seen ? j->user : 0, seen ? j->account : 0 };

	*id = fsi_intern_add(&c->holders, key, sizeof(key));
	if (*id == FSI_INTERN_FAILED || (*id > c->holder.n && FSI_VEC_RESERVE(&c->holder)))
		return -1;
	if (*id > c->holder.n)
		c->holder.v[c->holder.n++] = (struct fs_explain_holder){ fsi_name_text(c->x->m, key[0]),
									 fsi_name_text(c->x->m, key[1]), 0, 0 };
	return 0;
}

struct node_count {
	struct fsi_limit_counter *c;
	/* 1 + index in c->holder: only nodes of this user and account are counted; 0: nodes of all jobs are counted */
	uint32_t holder;
	double n;	 /* number of nodes in the list that were not counted before */
};

static int count_if_new(void *ctx, const char *name, size_t len)
{
	struct node_count *f = ctx;
	char key[sizeof(f->holder) + FSI_HOST_NAME_MAX];
	uint32_t before;

	memcpy(key, &f->holder, sizeof(f->holder));
	memcpy(key + sizeof(f->holder), name, len);
	before = f->c->nodes.count;
	if (fsi_intern_add(&f->c->nodes, key, sizeof(f->holder) + len) == FSI_INTERN_FAILED)
		return 1;
	f->n += f->c->nodes.count != before;
	return 0;
}

/* Sets *n to the number of the job's nodes that are counted for the first time. `holder`: 1 + index in c->holder, to
 * count the nodes of one user and account; 0: to count the nodes of all jobs. If the names of the nodes are not known,
 * sets *n to `known`, the number of the job's nodes. Returns -1 if out of memory. */
static int count_new_nodes(struct fsi_limit_counter *c, const struct fsi_job *j, uint32_t holder, double known,
			   double *n)
{
	struct node_count f = { c, holder, 0 };
	const char *list = fsi_name_text(c->x->m, j->node_list);

	*n = known;
	if (!*list)
		return 0;
	switch (fsi_hostlist_expand_each(list, FSI_MAX_HOSTS, count_if_new, &f)) {
	case 1:
		return -1;
	case 0:
		*n = f.n;
		return 0;
	default:
		return 0;
	}
}

static bool is_node_limit(const fs_snapshot *m, const struct fsi_limit_kind *k, uint32_t tres)
{
	return k->measure == FSI_RUNNING_TRES && !strcmp(fsi_name_text(m, tres), "node");
}

/* Returns the amount that the job adds to the use of the limit, in jobs, TRES or TRES seconds. Sets *jobs to the number
 * of jobs; each task of an array counts as one job. */
static double get_job_use(const struct fsi_limit_counter *c, const struct fsi_limit_kind *k, uint32_t tres, size_t row,
			  uint64_t *jobs)
{
	const fs_snapshot *m = c->x->m;
	const struct fsi_job *j = &m->job.v[row];
	double amount;
	bool exact;

	*jobs = fsi_job_is_allocated(j) ? 1 : fs_job_tasks(m, row, &exact);
	amount = k->type == FSI_TRES ? fsi_limits_get_job_amount(m, j, tres) : (double)*jobs;
	return amount != 0 && k->measure == FSI_RUN_MINUTES ? amount * fsi_remaining_run_seconds(m, j) : amount;
}

/* Adds to *used the amount that the job uses. Does not change c->holder. Returns -1 if out of memory. */
static int add_job_use(struct fsi_limit_counter *c, const struct fsi_limit_kind *k, uint32_t tres, size_t row,
		       double *used)
{
	const fs_snapshot *m = c->x->m;
	uint64_t jobs;
	double amount = get_job_use(c, k, tres, row, &jobs);

	if (amount != 0 && is_node_limit(m, k, tres) && count_new_nodes(c, &m->job.v[row], 0, amount, &amount))
		return -1;
	*used += amount;
	return 0;
}

/* Adds the amount that the job uses to two sums: *used, and the element of c->holder for the job's user and account. A
 * node with jobs of several users or accounts counts once in *used. Returns -1 if out of memory. */
static int add_holder_use(struct fsi_limit_counter *c, const struct fsi_limit_kind *k, uint32_t tres, size_t row,
			  double *used)
{
	const fs_snapshot *m = c->x->m;
	const struct fsi_job *j = &m->job.v[row];
	const bool nodes = is_node_limit(m, k, tres);
	uint64_t jobs;
	double amount = get_job_use(c, k, tres, row, &jobs), all;
	uint32_t id;

	if (amount == 0)
		return 0;
	all = amount;
	if (find_or_add_holder(c, j, &id) ||
	    (nodes && (count_new_nodes(c, j, id, amount, &amount) || count_new_nodes(c, j, 0, all, &all))))
		return -1;
	c->holder.v[id - 1].jobs += jobs;
	c->holder.v[id - 1].amount += amount;
	*used += all;
	return 0;
}

static int compare_holder_amounts(const void *pa, const void *pb, const void *ctx)
{
	const struct fs_explain_holder *a = pa, *b = pb;
	int d = (b->amount > a->amount) - (a->amount > b->amount);

	(void)ctx;
	d = d ? d : (b->jobs > a->jobs) - (a->jobs > b->jobs);
	d = d ? d : strcmp(a->user, b->user);
	return d ? d : strcmp(a->account, b->account);
}

/* Returns the run minutes that the snapshot records for the association or QOS `at`; NAN: none are recorded. */
static double get_recorded_run_minutes(const struct fsi_limit_counter *c, const struct fsi_limit_owner *at,
				       uint32_t tres)
{
	const fs_snapshot *m = c->x->m;
	const struct fsi_association *a = at->assoc == FSI_NO_INDEX ? NULL : &m->association.v[at->assoc];
	const struct fsi_qos *q = a ? NULL : fsi_qos_find(m, at->qos);

	if (a && FSI_HAS(a, ASSOCIATION, run_by_tres_min))
		return (double)fsi_amount_of_tres(m, a->run_by_tres_min, tres);
	return q && FSI_HAS(q, QOS, run_by_tres_min) ? (double)fsi_amount_of_tres(m, q->run_by_tres_min, tres)
						     : (double)NAN;
}

/* Returns true if every job that counts in the association or QOS `at` also counts against the limit. If the limit
 * applies to each user or each account separately, all these jobs must belong to the pending job's user or account. */
static bool are_all_jobs_counted(const struct fsi_limit_counter *c, const struct fsi_limit_kind *k,
				 const struct fsi_limit_owner *at)
{
	const fs_snapshot *m = c->x->m;
	struct fsi_limit_kind every = *k;

	every.counted = FSI_ALL_USERS;
	for (size_t i = 0; i < m->job.n; i++)
		if (is_counted_now(c, &m->job.v[i], &every, at) && !is_counted_now(c, &m->job.v[i], k, at))
			return false;
	return true;
}

/* Returns the run minutes that count against the limit. If the limit counts all jobs of the association or QOS `at`,
 * and no job records are hidden, these are the run minutes that the snapshot records for `at`. Otherwise, or if none
 * are recorded, returns `seconds` in minutes, rounded down. `seconds`: TRES seconds that the counted jobs may still
 * use. */
static double compute_run_minutes(const struct fsi_limit_counter *c, const struct fsi_limit_kind *k,
				  const struct fsi_limit_owner *at, uint32_t tres, double seconds)
{
	const double minute_s = 60, recorded = get_recorded_run_minutes(c, at, tres);

	return !isnan(recorded) && !fsi_is_type_hidden(c->x->m, "job") && are_all_jobs_counted(c, k, at)
		       ? recorded
		       : floor(seconds / minute_s);
}

/* Sets *used to the use of the limit. The first call for the limit counts the use and stores it in c->totals. Later
 * calls, also those for other pending jobs, take the stored use. Does not fill c->holder. Returns -1 if out of
 * memory. */
static int count_shared_use(struct fsi_limit_counter *c, const struct fsi_limit_kind *k,
			    const struct fsi_limit_owner *at, uint32_t tres, double *used)
{
	const fs_snapshot *m = c->x->m;
	double *saved = find_shared_use(c->totals, k, at, tres, c->job);
	const uint32_t *rows;
	size_t n;

	if (!saved)
		return -1;
	if (isnan(*saved)) {
		rows = fsi_limits_list_holding_jobs(c->totals, k, at, c->job, &n);
		if (!rows)
			return -1;
		*saved = 0;
		fsi_intern_release(&c->nodes);
		for (size_t i = 0; i < n; i++)
			if (is_counted_now(c, &m->job.v[rows[i]], k, at) && add_job_use(c, k, tres, rows[i], saved))
				return -1;
		if (k->measure == FSI_RUN_MINUTES)
			*saved = compute_run_minutes(c, k, at, tres, *saved);
	}
	*used = *saved;
	return 0;
}

/* Counts l->used from the jobs, and lists l->holders. If c->totals is set and the limit is not on queued jobs, calls
 * count_shared_use to set l->used, and lists no holders. Returns -1 if out of memory. */
static int count_use_of_jobs(struct fsi_limit_counter *c, const struct fsi_limit_kind *k,
			     const struct fsi_limit_owner *at, uint32_t tres, struct fs_explain_limit *l)
{
	const double minute_s = 60;

	if (c->totals && k->measure != FSI_QUEUED_JOBS)
		return count_shared_use(c, k, at, tres, &l->used);
	c->holder.n = 0;
	fsi_intern_release(&c->holders);
	fsi_intern_release(&c->nodes);
	l->used = 0;
	for (size_t i = 0; i < c->x->m->job.n; i++)
		if (is_counted_now(c, &c->x->m->job.v[i], k, at) && add_holder_use(c, k, tres, i, &l->used))
			return -1;
	if (k->measure == FSI_RUN_MINUTES) {
		l->used = compute_run_minutes(c, k, at, tres, l->used);
		for (size_t i = 0; i < c->holder.n; i++)
			c->holder.v[i].amount = floor(c->holder.v[i].amount / minute_s);
	}
	if (fs_sort(c->holder.v, c->holder.n, sizeof(*c->holder.v), compare_holder_amounts, NULL))
		return -1;
	l->nholders = c->holder.n;
	l->holders = fsi_limits_copy_results(c->x, c->holder.v, c->holder.n, sizeof(*l->holders));
	return l->holders ? 0 : -1;
}

/* ---- the use of limits as recorded in the snapshot, valid only at the snapshot's time */

static const fs_usage *get_given_usage(const struct fsi_limit_counter *c)
{
	return c->x->usage;
}

/* Returns the record of the QOS `at`; NULL: none. Also returns NULL if c->x->usage is not for the snapshot's time. The
 * recorded use of the QOS is then not valid. */
static const struct fsi_qos *find_recorded_qos(const struct fsi_limit_counter *c, const struct fsi_limit_owner *at)
{
	return fsi_is_usage_moved(c->x->m, get_given_usage(c)) ? NULL : fsi_qos_find(c->x->m, at->qos);
}

/* Returns the amount of the named TRES in a list; NAN: the list does not have that TRES. */
static double find_tres_amount(const struct fs_tres *v, int n, const char *tres)
{
	for (int i = 0; i < n; i++)
		if (!strcmp(v[i].name, tres))
			return (double)v[i].amount;
	return NAN;
}

/* Returns the TRES minutes that the association or QOS `at` used; NAN: unknown. */
static double get_used_minutes(const struct fsi_limit_counter *c, const struct fsi_limit_owner *at, uint32_t tres)
{
	enum { MAX_TRES = 256 };
	const fs_snapshot *m = c->x->m;
	struct fs_tres v[MAX_TRES];
	const struct fsi_qos *q;

	if (at->assoc != FSI_NO_INDEX)
		return find_tres_amount(v, fsi_usage_tres_min(m, get_given_usage(c), at->assoc, v, MAX_TRES),
					fsi_name_text(m, tres));
	q = find_recorded_qos(c, at);
	return q && FSI_HAS(q, QOS, usage_by_tres_min)
		       ? (double)fsi_amount_of_tres(m, q->usage_by_tres_min, tres)
		       : (double)NAN;
}

/* Returns the wall time that the association or QOS `at` used, in seconds; NAN: unknown. */
static double get_used_wall_seconds(const struct fsi_limit_counter *c, const struct fsi_limit_owner *at)
{
	const double minute_s = 60;
	const struct fsi_qos *q;

	if (at->assoc != FSI_NO_INDEX)
		return fsi_usage_wall_min(c->x->m, get_given_usage(c), at->assoc) * minute_s;
	q = find_recorded_qos(c, at);
	return q && FSI_HAS(q, QOS, usage_wall_min) ? q->usage_wall_min * minute_s : (double)NAN;
}

/* Sets l->used to the run minutes; NAN: unknown. They are unknown if c->x->usage is not for the snapshot's time. If
 * l->used or an amount in l->holders is unknown, empties l->holders. Returns -1 if out of memory. */
static int count_run_minutes(struct fsi_limit_counter *c, const struct fsi_limit_kind *k,
			     const struct fsi_limit_owner *at, uint32_t tres, struct fs_explain_limit *l)
{
	if (count_use_of_jobs(c, k, at, tres, l))
		return -1;
	if (fsi_is_usage_moved(c->x->m, get_given_usage(c)))
		l->used = NAN;
	for (size_t i = l->nholders; i-- > 0;)
		if (isnan(l->used) || isnan(l->holders[i].amount))
			l->nholders = 0;
	return 0;
}

/* Sets *out to the run minutes of all jobs that count in the association or QOS `at`. Returns -1 if out of memory. */
static int count_owner_run_minutes(struct fsi_limit_counter *c, const struct fsi_limit_owner *at, uint32_t tres,
				   double *out)
{
	static const struct fsi_limit_kind kind = {
		"", FSI_RUN_MINUTES, FSI_ALL_USERS, FSI_TRES, 0, 0
	};
	struct fs_explain_limit l = { .used = NAN };
	const int rc = count_run_minutes(c, &kind, at, tres, &l);

	*out = l.used;
	return rc;
}

int fsi_limits_count_use(struct fsi_limit_counter *c, const struct fsi_limit_kind *k, const struct fsi_limit_owner *at,
			 uint32_t tres, bool safe, struct fs_explain_limit *l)
{
	switch (k->measure) {
	case FSI_USED_MINUTES:
		l->used = get_used_minutes(c, at, tres);
		return safe ? count_owner_run_minutes(c, at, tres, &l->reserved_minutes) : 0;
	case FSI_USED_WALL:
		l->used = get_used_wall_seconds(c, at);
		return 0;
	case FSI_RUN_MINUTES:
		return count_run_minutes(c, k, at, tres, l);
	case FSI_RUNNING_TRES:
	case FSI_RUNNING_JOBS:
	case FSI_QUEUED_JOBS:
		return count_use_of_jobs(c, k, at, tres, l);
	default:
		return 0; /* a limit of a single job has no current use to count */
	}
}
