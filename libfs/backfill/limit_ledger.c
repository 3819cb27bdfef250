/* Computes the time at which the limits of associations and QOS allow a job to start. The time is computed from
 * ledgers, which record the amounts that jobs use over time. */
#include "backfill/backfill.h"

#include "base/memory.h"
#include "limits/assoc_limits.h"
#include "model/find.h"
#include "model/jobs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- limits on nodes
 *
 * The limit is compared with the sum of two numbers: the number of nodes of the running jobs that the limit counts, and
 * the number of nodes that a new job adds. A node of several running jobs is counted once. The new job adds each chosen
 * node that no counted running job uses. The new job also adds a chosen node that a counted running job uses, except in
 * these cases (src/slurmctld/acct_policy.c: _get_unique_job_node_cnt; a pending job has no job_resrcs until it is being
 * started):
 *
 *   - the new job starts now
 *   - the new job requires this node by name
 *   - the new job requires no node by name, and the version has FS_SLURM_NEW_NODES_LATER
 *
 * If the new job adds no node, the limit is not checked. */

/* Returns true if `rec` (a QOS or an association) sets a limit of the kind k that depends on nodes: a limit on the TRES
 * that a job uses on each node, or on the total number of nodes of running jobs. `node`: name id of the TRES "node". */
static bool is_node_limit_set(const fs_snapshot *m, const struct fsi_rec *rec, const struct fsi_limit_kind *k,
			      uint32_t node)
{
	uint32_t set;

	if (k->type != FSI_TRES || !fsi_is_field_known(rec, k->bit) || fsi_is_field_special(rec, k->bit))
		return false;
	memcpy(&set, (const char *)rec + k->offset, sizeof(set));
	return k->measure == FSI_NODE_TRES ? set != 0
					   : k->measure == FSI_RUNNING_TRES && fsi_amount_of_tres(m, set, node);
}

bool fsi_limit_ledgers_need_nodes(const fs_snapshot *m)
{
	const uint32_t node = fsi_name_find(m, "node");

	for (size_t k = 0; k < fsi_qos_limit_count; k++)
		for (size_t i = 0; i < m->qos.n; i++)
			if (is_node_limit_set(m, &m->qos.v[i].rec, &fsi_qos_limits[k], node))
				return true;
	for (size_t k = 0; k < fsi_assoc_limit_count; k++)
		for (size_t i = 0; i < m->association.n; i++)
			if (is_node_limit_set(m, &m->association.v[i].rec, &fsi_assoc_limits[k], node))
				return true;
	return false;
}

/* Sets `used` to the nodes of all jobs that are counted for the limit `l`, and returns the number of nodes in `used`.
 * `pending`: the job that is checked against the limit. */
static uint32_t mark_used_nodes(const struct fsi_cluster *c, const struct fsi_job *pending,
				const struct fsi_limit_applied *l, const int64_t *end_of, uint64_t *used)
{
	uint32_t n = 0;

	memset(used, 0, c->words * sizeof(*used));
	for (size_t i = 0; i < c->end.n; i++) {
		const struct fsi_running_job *e = &c->end.v[i];
		const struct fsi_job *j = &c->m->job.v[e->job];

		if (!fsi_job_is_allocated(j) || end_of[e->job] <= c->now ||
		    !fsi_limits_is_job_counted(c->m, l->kind, &l->at, pending, j))
			continue;
		for (uint32_t k = 0; k < e->nnodes; k++) {
			n += !fsi_bit_is_set(used, e->node[k]);
			fsi_bit_set(used, e->node[k]);
		}
	}
	return n;
}

/* Returns true if a start of the request on the nodes in select.attempt would exceed the limit `l` on the number of
 * nodes. end_of[job row]: end of each job that uses resources; `used`: scratch memory for a node set. */
static bool is_node_limit_exceeded(const struct fsi_select *sel, const struct fsi_request *q,
				   const struct fsi_limit_applied *l, const int64_t *end_of, uint64_t *used)
{
	const struct fsi_selection *s = &sel->attempt.selection;
	const uint32_t nused = mark_used_nodes(sel->cluster, &sel->cluster->m->job.v[q->job], l, end_of, used);
	const bool skips_used = sel->attempt.start <= sel->cluster->now ||
			   (!q->set.required && fs_slurm_has(sel->cluster->release, FS_SLURM_NEW_NODES_LATER));
	uint32_t added = 0;

	for (uint32_t k = 0; k < s->nnodes; k++)
		added += !fsi_bit_is_set(used, s->node[k]) ||
			 !(skips_used || (q->set.required && fsi_bit_is_set(q->set.required, s->node[k])));
	return added && (double)nused + added > l->value;
}

static const double minute_s = 60;

/* ---- ledgers: the amounts of each limit that jobs use over time */

/* The amount of a limit that one job uses, and the time of that use. */
struct limit_use {
	int64_t start, end; /* time during which the job uses the amount: [start, end) */
	double amount; /* amount of the limit's TRES; 1 if the limit is on the number of jobs */
	uint32_t job;  /* row of the job */
};

/* The ledger of one limit: the amounts of the limit that jobs use over time. */
struct limit_ledger {
	FSI_VEC(struct limit_use) uses; /* uses of the limit, sorted by end time, earliest first */
	FSI_VEC(struct limit_use) by_start; /* the same uses, sorted by start time, earliest first */
};

struct fsi_limit_ledgers {
	const struct fsi_backfill *bf;
	struct fsi_limits_context limits;
	struct fsi_limit_settings site;
	struct fsi_limit_totals totals;
	struct fsi_billing billing;
	struct fsi_arena arena;
	struct fsi_intern keys;
	/* The ledger of a limit is ledger.v[id - 1]. `id` is the id of the limit's key in `keys`. */
	FSI_VEC(struct limit_ledger) ledger;
	const int64_t *end_of;         /* end_of[job row]: end of each job that uses resources; borrowed */
	/* The members from `job` to `delaying_limit` describe the check of one job. `job`: the job that is checked. */
	const struct fsi_job *job;
	/* true: the job takes neither whole nodes nor whole sockets. Only two kinds of limits are then checked: limits
	 * on the number of nodes, and limits on the size of a single job. */
	bool shares_nodes;
	/* the request whose chosen nodes in select.attempt are checked; NULL: limits are checked without nodes */
	const struct fsi_request *found_request;
	uint64_t *used_nodes; /* scratch memory for a node set; used only if `found_request` is not NULL */
	/* the use that check_one_limit records in the ledgers. If new_use.end is 0, check_one_limit does not record a
	 * use; it checks whether the limits allow the job. */
	struct limit_use new_use;
	bool drops_uses; /* true: check_one_limit removes the uses of the job from the ledgers, and does nothing else */
	/* `checked_time`: earliest start to consider for the job; `allowed_time`: first time at which the limits
	 * checked so far allow the start, INT64_MAX: never */
	int64_t checked_time, allowed_time;
	/* the limit that allows the start last, among the limits that delay the job */
	struct fsi_plan_limit delaying_limit;
};

/* Returns the index of the first of the n uses in `v` whose start (by_start) or end is after `at`. `v` is sorted by
 * this time. */
static size_t find_first_after(const struct limit_use *v, size_t n, bool by_start, int64_t at)
{
	size_t lo = 0;

	while (lo < n) {
		const size_t mid = lo + (n - lo) / 2;

		if ((by_start ? v[mid].start : v[mid].end) > at)
			n = mid;
		else
			lo = mid + 1;
	}
	return lo;
}

/* Returns the index of the first use that ends after `at`. */
static size_t find_first_end_after(const struct limit_ledger *l, int64_t at)
{
	return find_first_after(l->uses.v, l->uses.n, false, at);
}

/* Returns the index in `by_start` of the first use that starts after `at`. */
static size_t find_first_start_after(const struct limit_ledger *l, int64_t at)
{
	return find_first_after(l->by_start.v, l->by_start.n, true, at);
}

/* Inserts the use `s` at index i of `v`, which has n elements and memory for one more. */
static void insert_use_at(struct limit_use *v, size_t n, size_t i, struct limit_use s)
{
	memmove(v + i + 1, v + i, (n - i) * sizeof(*v));
	v[i] = s;
}

/* Inserts the use `s` into the ledger. Returns -1 if out of memory. */
static int add_limit_use(struct limit_ledger *l, struct limit_use s)
{
	if (FSI_VEC_RESERVE(&l->uses) || FSI_VEC_RESERVE(&l->by_start))
		return -1;
	insert_use_at(l->uses.v, l->uses.n, find_first_end_after(l, s.end), s);
	insert_use_at(l->by_start.v, l->by_start.n, find_first_start_after(l, s.start), s);
	l->uses.n++;
	l->by_start.n++;
	return 0;
}

/* Removes the uses of the job in row `job` from the n elements of `v`. Returns the number of remaining elements. */
static size_t remove_job_uses(struct limit_use *v, size_t n, uint32_t job)
{
	size_t remaining = 0;

	for (size_t i = 0; i < n; i++)
		if (v[i].job != job)
			v[remaining++] = v[i];
	return remaining;
}

/* Removes the uses of the job in row `job` from the ledger. */
static void drop_limit_uses(struct limit_ledger *l, uint32_t job)
{
	l->uses.n = remove_job_uses(l->uses.v, l->uses.n, job);
	l->by_start.n = remove_job_uses(l->by_start.v, l->by_start.n, job);
}

/* Returns the amount of the limit m that job j uses. */
static double get_job_amount(const struct fsi_limit_ledgers *h, const struct fsi_limit_applied *m,
			     const struct fsi_job *j)
{
	return m->kind->type == FSI_TRES ? fsi_limits_get_job_amount(h->bf->cluster.m, j, m->tres) : 1;
}

/* Records in the ledger l the running jobs that are counted for the limit m. Returns -1 if out of memory. */
static int enter_running_jobs(struct fsi_limit_ledgers *h, const struct fsi_limit_applied *m, struct limit_ledger *l)
{
	const fs_snapshot *s = h->bf->cluster.m;
	size_t n;
	const uint32_t *rows = fsi_limits_list_holding_jobs(&h->totals, m->kind, &m->at, h->job, &n);

	if (!rows)
		return -1;
	for (size_t i = 0; i < n; i++) {
		const struct fsi_job *j = &s->job.v[rows[i]];
		const double amount = get_job_amount(h, m, j);
		const bool started = FSI_HAS(j, JOB, start_time) && j->start_time <= h->bf->cluster.now;
		const int64_t start = started ? j->start_time : INT64_MIN;

		if (fsi_limits_is_job_counted(s, m->kind, &m->at, h->job, j) && amount > 0 &&
		    add_limit_use(l, (struct limit_use){ start, h->end_of[rows[i]], amount, rows[i] }))
			return -1;
	}
	return 0;
}

/* Returns the ledger of the limit m. The first call for a limit makes its ledger and records the running jobs. Returns
 * NULL if out of memory. */
static struct limit_ledger *find_limit_ledger(struct fsi_limit_ledgers *h, const struct fsi_limit_applied *m)
{
	const uint32_t key[] = { (uint32_t)m->kind->measure, (uint32_t)m->kind->counted, (uint32_t)m->kind->type,
				 m->at.assoc, m->at.qos, m->tres,
				 m->kind->counted == FSI_USER	   ? h->job->user
				 : m->kind->counted == FSI_ACCOUNT ? h->job->account
								   : 0 };
	const uint32_t id = fsi_intern_add(&h->keys, key, sizeof(key));

	if (id == FSI_INTERN_FAILED || (id > h->ledger.n && FSI_VEC_RESERVE(&h->ledger)))
		return NULL;
	if (id <= h->ledger.n)
		return &h->ledger.v[id - 1];
	h->ledger.v[h->ledger.n++] = (struct limit_ledger){ 0 };
	return enter_running_jobs(h, m, &h->ledger.v[id - 1]) ? NULL : &h->ledger.v[id - 1];
}

/* ---- the time at which a limit allows a start */

static bool is_running_at(const struct limit_use *s, int64_t at)
{
	return s->start <= at && s->end > at;
}

/* Returns the amount of the limit that is in use at the time `at`. */
static double sum_amounts_at(const struct limit_ledger *l, int64_t at)
{
	double sum = 0;

	for (size_t i = find_first_end_after(l, at); i < l->uses.n; i++)
		if (is_running_at(&l->uses.v[i], at))
			sum += l->uses.v[i].amount;
	return sum;
}

/* Returns the first time at or after `at` at which at most `max` of the limit is in use; INT64_MAX: never. If this time
 * is after `at`, sets *job to the job whose end frees enough of the limit. */
static int64_t find_time_freed(const struct limit_ledger *l, int64_t at, double max, uint32_t *job)
{
	size_t next = find_first_start_after(l, at);
	double sum = sum_amounts_at(l, at);

	if (!(sum > max))
		return at;
	for (size_t i = find_first_end_after(l, at); i < l->uses.n; i++) {
		const struct limit_use *s = &l->uses.v[i];

		for (; next < l->by_start.n && l->by_start.v[next].start <= s->end; next++)
			sum += l->by_start.v[next].amount;
		sum -= s->amount;
		*job = s->job;
		if (sum <= max)
			return s->end;
	}
	return INT64_MAX;
}

/* Returns the time up to which the use has been subtracted from the run minutes at the time `at`. Slurm subtracts the
 * minutes that running jobs have used only when it calculates priorities (src/plugins/priority/multifactor:
 * _handle_assoc_tres_run_secs). If the times of the calculations are unknown, returns `at`. */
static int64_t get_subtracted_until(const fs_snapshot *m, const struct limit_use *s, int64_t at)
{
	const int64_t next = fsi_priority_next_calculation(m, at);
	const int64_t last = next == INT64_MAX ? at : next - fsi_priority_calc_period(m);

	return last > s->start ? last : s->start;
}

/* Returns the run minutes that all jobs running at the time `at` hold at that time. */
static double sum_minutes_at(const fs_snapshot *m, const struct limit_ledger *l, int64_t at)
{
	double sum = 0;

	for (size_t i = find_first_end_after(l, at); i < l->uses.n; i++) {
		const struct limit_use *s = &l->uses.v[i];

		if (is_running_at(s, at))
			sum += s->amount * (double)(s->end - get_subtracted_until(m, s, at)) / minute_s;
	}
	return sum;
}

/* Returns the first end after `at` of a job that runs at the time `at`; INT64_MAX: none runs. */
static int64_t find_next_end(const struct limit_ledger *l, int64_t at)
{
	for (size_t i = find_first_end_after(l, at); i < l->uses.n; i++)
		if (is_running_at(&l->uses.v[i], at))
			return l->uses.v[i].end;
	return INT64_MAX;
}

/* Returns the first time after `at` at which jobs that keep running may have decreased the run minutes by `minutes`.
 * `rate`: run minutes that these jobs use in a second. */
static int64_t find_next_decrease(const fs_snapshot *m, int64_t at, double minutes, double rate)
{
	const int64_t next = fsi_priority_next_calculation(m, at), needed_s = (int64_t)ceil(minutes / rate);
	int64_t enough;

	if (next == INT64_MAX)
		return at + (needed_s > 1 ? needed_s : 1);
	enough = next - fsi_priority_calc_period(m) + needed_s;
	return enough <= next ? next : fsi_priority_next_calculation(m, enough - 1);
}

/* Returns the first time at or after `at` at which sum_minutes_at is at most `max`; INT64_MAX: never. */
static int64_t find_minutes_decreased(const fs_snapshot *m, const struct limit_ledger *l, int64_t at, double max)
{
	for (;;) {
		const double sum = floor(sum_minutes_at(m, l, at)), rate = sum_amounts_at(l, at) / minute_s;
		const int64_t end = find_next_end(l, at);
		int64_t next;

		if (sum <= max)
			return at;
		if (end == INT64_MAX)
			return INT64_MAX;
		next = rate > 0 ? find_next_decrease(m, at, sum - max, rate) : end;
		at = next < end ? next : end;
	}
}

/* Returns the first time, at or after h->checked_time, at which the limit m allows the job; INT64_MAX: never. If the
 * end of a job frees enough of the limit, sets *job to that job; otherwise leaves *job unchanged. */
static int64_t find_time_allowed(const struct fsi_limit_ledgers *h, const struct fsi_limit_applied *m,
				 const struct limit_ledger *l, uint32_t *job)
{
	if (m->kind->type == FSI_TRES && m->wants == 0)
		return h->checked_time;
	if (m->kind->measure == FSI_RUN_MINUTES)
		return m->wants > m->value	       ? INT64_MAX
		       : find_minutes_decreased(h->bf->cluster.m, l, h->checked_time, m->value - m->wants);
	return find_time_freed(l, h->checked_time, m->value - (m->kind->type == FSI_TRES ? m->wants : 1), job);
}

/* Stores the limit m in h->delaying_limit. `job`: the job whose end frees enough of the limit; FSI_NO_INDEX: none. */
static void store_delaying_limit(struct fsi_limit_ledgers *h, const struct fsi_limit_applied *m, uint32_t job)
{
	h->delaying_limit = (struct fsi_plan_limit){ .name = m->kind->name,
					  .tres = m->tres,
					  .of = m->at.assoc != FSI_NO_INDEX
							? h->bf->cluster.m->association.v[m->at.assoc].account
							: m->at.qos,
					  .freed_by = job };
}

/* Returns true if the amount that a job will use of the limit m is known in advance. The amount is unknown for a
 * limit on the number of nodes of running jobs. The reason: a node that several jobs share is counted once, and it is
 * not known in advance which jobs will share nodes. */
static bool is_use_known(const struct fsi_limit_ledgers *h, const struct fsi_limit_applied *m)
{
	return !(m->kind->measure == FSI_RUNNING_TRES && !strcmp(fsi_name_text(h->bf->cluster.m, m->tres), "node"));
}

/* If h->new_use.end is not 0, records h->new_use in the ledger of the limit m; limits on a single job and limits on
 * nodes have no ledger. If h->new_use.end is 0, checks whether m allows the job h->job to start. If m delays the job,
 * sets h->allowed_time and stores m in h->delaying_limit; limits on a single job and limits on nodes are not stored
 * there. Returns -1 if out of memory. */
static int check_one_limit(void *ctx, const struct fsi_limit_applied *m)
{
	struct fsi_limit_ledgers *h = ctx;
	const bool used_up = m->kind->measure == FSI_USED_MINUTES || m->kind->measure == FSI_USED_WALL;
	uint32_t job = FSI_NO_INDEX;
	struct limit_ledger *l = NULL;
	int64_t from;

	if (fsi_limits_is_per_job(m->kind)) {
		if (m->tested && m->wants > m->value)
			h->allowed_time = INT64_MAX;
		return 0;
	}
	if (h->found_request && !is_use_known(h, m)) {
		if (m->tested && is_node_limit_exceeded(&h->bf->select, h->found_request, m, h->end_of, h->used_nodes))
			h->allowed_time = INT64_MAX;
		return 0;
	}
	if (h->shares_nodes || !is_use_known(h, m) || (used_up && !m->blocks) || isnan(m->wants))
		return 0;
	if (!used_up && !(l = find_limit_ledger(h, m)))
		return -1;
	if (l && h->drops_uses) {
		drop_limit_uses(l, h->new_use.job);
		return 0;
	}
	if (l && h->new_use.end) {
		h->new_use.amount = m->kind->type == FSI_TRES ? m->wants : 1;
		return h->new_use.amount > 0 ? add_limit_use(l, h->new_use) : 0;
	}
	if (!m->tested)
		return 0;
	from = l ? find_time_allowed(h, m, l, &job) : INT64_MAX;
	if (from > h->allowed_time) {
		h->allowed_time = from;
		store_delaying_limit(h, m, job);
	}
	return 0;
}

/* ---- checking all limits of one job */

/* Calls check_one_limit for each limit that applies to the job in the partition. Returns -1 if out of memory. */
static int check_each_limit(struct fsi_limit_ledgers *h, uint32_t job, uint32_t partition)
{
	const fs_snapshot *m = h->bf->cluster.m;

	return fsi_limits_visit_applied(&h->limits, job, fsi_name_text(m, partition),
					fsi_name_text(m, fsi_list_first_item(m, h->job->qos)), check_one_limit, h);
}

/* Computes the result of fsi_limit_ledgers_find_start, which sets h->job before the call. Parameters with the same name
 * have the same meaning in both functions. */
static int find_allowed_start(struct fsi_limit_ledgers *h, uint32_t job, uint32_t partition, int64_t from, int64_t *out,
			      struct fsi_plan_limit *why)
{
	h->new_use.end = 0;
	h->delaying_limit.name = NULL;
	for (h->allowed_time = from; h->allowed_time != INT64_MAX;) {
		h->checked_time = h->allowed_time;
		if (check_each_limit(h, job, partition))
			return -1;
		if (h->allowed_time == h->checked_time)
			break;
	}
	if (h->delaying_limit.name)
		*why = h->delaying_limit;
	*out = h->allowed_time;
	return 0;
}

int fsi_limit_ledgers_find_start(struct fsi_limit_ledgers *h, uint32_t job, uint32_t partition, int64_t from,
				 int64_t *out, struct fsi_plan_limit *why)
{
	h->job = &h->bf->cluster.m->job.v[job];
	return find_allowed_start(h, job, partition, from, out, why);
}

int fsi_limit_ledgers_enter_run(struct fsi_limit_ledgers *h, uint32_t job, uint32_t partition, int64_t start,
				int64_t end)
{
	h->job = &h->bf->cluster.m->job.v[job];
	h->new_use = (struct limit_use){ start, end, 0, job };
	return check_each_limit(h, job, partition);
}

int fsi_limit_ledgers_drop_runs(struct fsi_limit_ledgers *h, uint32_t job, uint32_t partition)
{
	int rc;

	h->job = &h->bf->cluster.m->job.v[job];
	h->new_use = (struct limit_use){ .job = job };
	h->drops_uses = true;
	rc = check_each_limit(h, job, partition);
	h->drops_uses = false;
	return rc;
}

bool fsi_limit_ledgers_any(const struct fsi_limit_ledgers *h)
{
	return h->ledger.n > 0;
}

/* ---- creation and release of the ledgers */

/* Frees all ledgers and their keys. */
static void clear_all_ledgers(struct fsi_limit_ledgers *h)
{
	for (size_t i = 0; i < h->ledger.n; i++) {
		FSI_VEC_FREE(&h->ledger.v[i].uses);
		FSI_VEC_FREE(&h->ledger.v[i].by_start);
	}
	FSI_VEC_FREE(&h->ledger);
	fsi_intern_release(&h->keys);
	h->keys = (struct fsi_intern){ 0 };
}

void fsi_limit_ledgers_reset(struct fsi_limit_ledgers *h, const int64_t *end_of)
{
	clear_all_ledgers(h);
	h->end_of = end_of;
}

struct fsi_limit_ledgers *fsi_limit_ledgers_create(const struct fsi_backfill *bf)
{
	struct fsi_limit_ledgers *h = calloc(1, sizeof(*h));

	if (!h)
		return NULL;
	h->bf = bf;
	h->totals.m = bf->cluster.m;
	if (fsi_billing_init(&h->billing, bf->cluster.m, &h->arena)) {
		fsi_limit_ledgers_free(h);
		return NULL;
	}
	fsi_limits_load_settings(&h->site, bf->cluster.m);
	h->limits = (struct fsi_limits_context){ .m = bf->cluster.m,
					       .viewer = &bf->plan->queue->viewer,
					       .usage = bf->plan->queue->usage,
					       .site = &h->site,
					       .arena = &h->arena,
					       .requests = &bf->cluster.requests,
					       .billing = &h->billing,
					       .totals = &h->totals };
	return h;
}

void fsi_limit_ledgers_free(struct fsi_limit_ledgers *h)
{
	if (!h)
		return;
	clear_all_ledgers(h);
	fsi_limits_release_totals(&h->totals);
	fsi_arena_release(&h->arena);
	free(h);
}

/* ---- limits at an earlier point of the cycle: jobs that the cycle started after that point are not counted */

/* Creates bf->earlier_limits.ledgers unless they exist. Returns -1 if out of memory. */
static int create_earlier_ledgers(struct fsi_backfill *bf)
{
	const fs_snapshot *m = bf->cluster.m;

	if (bf->earlier_limits.ledgers)
		return 0;
	free(bf->earlier_limits.end_of_job);
	bf->earlier_limits.end_of_job = malloc((m->job.n + 1) * sizeof(*bf->earlier_limits.end_of_job));
	bf->earlier_limits.ledgers = bf->earlier_limits.end_of_job ? fsi_limit_ledgers_create(bf) : NULL;
	if (!bf->earlier_limits.ledgers)
		return -1;
	for (size_t i = 0; i < m->job.n; i++)
		bf->earlier_limits.end_of_job[i] = fsi_cluster_get_job_end(&bf->cluster, &m->job.v[i]);
	fsi_limit_ledgers_reset(bf->earlier_limits.ledgers, bf->earlier_limits.end_of_job);
	bf->earlier_limits.ncounted = bf->cycle_starts.n;
	return 0;
}

/* Makes bf->earlier_limits.ledgers count the first `started` jobs of bf->cycle_starts, but not the later jobs of
 * bf->cycle_starts. Creates the ledgers if needed. Returns -1 if out of memory. */
static int set_counted_starts(struct fsi_backfill *bf, size_t started)
{
	if (create_earlier_ledgers(bf))
		return -1;
	/* these members point into the plan's queue, which a replan may have replaced */
	bf->earlier_limits.ledgers->limits.viewer = &bf->plan->queue->viewer;
	bf->earlier_limits.ledgers->limits.usage = bf->plan->queue->usage;
	if (bf->earlier_limits.ncounted == started)
		return 0;
	for (size_t k = 0; k < bf->cycle_starts.n; k++)
		bf->earlier_limits.end_of_job[bf->cycle_starts.v[k].end.job] =
			k < started ? bf->cycle_starts.v[k].end.when : bf->cluster.now;
	fsi_limit_ledgers_reset(bf->earlier_limits.ledgers, bf->earlier_limits.end_of_job);
	bf->earlier_limits.ncounted = started;
	return 0;
}

int fsi_limit_ledgers_allow_record(struct fsi_backfill *bf, const struct fsi_queue_record *r, size_t started,
				   bool *allowed)
{
	struct fsi_plan_limit why;
	int64_t allowed_time;

	if (set_counted_starts(bf, started) ||
	    fsi_limit_ledgers_find_start(bf->earlier_limits.ledgers, r->job, r->partition_name, bf->cluster.now,
					 &allowed_time, &why))
		return -1;
	*allowed = allowed_time <= bf->cluster.now;
	return 0;
}

/* ---- limits after the starts of the plan */

/* Creates bf->planned_starts.ledgers unless they exist, and makes them count the planned starts. */
static int count_planned_starts(struct fsi_backfill *bf)
{
	struct fsi_backfill_planned_starts *x = &bf->planned_starts;
	const fs_snapshot *m = bf->cluster.m;

	if (!x->ledgers) {
		free(x->end_of_job);
		x->end_of_job = malloc((m->job.n + 1) * sizeof(*x->end_of_job));
		x->ledgers = x->end_of_job ? fsi_limit_ledgers_create(bf) : NULL;
		if (!x->ledgers)
			return -1;
		for (size_t i = 0; i < m->job.n; i++)
			x->end_of_job[i] = fsi_cluster_get_job_end(&bf->cluster, &m->job.v[i]);
		x->ncounted = SIZE_MAX;
	}
	/* these members point into the plan's queue, which a replan may have replaced */
	x->ledgers->limits.viewer = &bf->plan->queue->viewer;
	x->ledgers->limits.usage = bf->plan->queue->usage;
	if (x->ncounted > x->start.n) {
		fsi_limit_ledgers_reset(x->ledgers, x->end_of_job);
		x->ncounted = 0;
	}
	for (; x->ncounted < x->start.n; x->ncounted++) {
		const struct fsi_backfill_planned_start *s = &x->start.v[x->ncounted];

		if (fsi_limit_ledgers_enter_run(x->ledgers, s->job, s->partition_name, bf->cluster.now, s->end))
			return -1;
	}
	return 0;
}

int fsi_limit_ledgers_allow_after_starts(struct fsi_backfill *bf, const struct fsi_queue_record *r, bool *allowed)
{
	struct fsi_plan_limit why;
	int64_t allowed_time;
	bool allowed_before;

	*allowed = true;
	if (!bf->planned_starts.start.n)
		return 0;
	if (count_planned_starts(bf) ||
	    fsi_limit_ledgers_find_start(bf->planned_starts.ledgers, r->job, r->partition_name, bf->cluster.now,
					 &allowed_time, &why))
		return -1;
	if (allowed_time <= bf->cluster.now)
		return 0;
	if (fsi_limit_ledgers_allow_record(bf, r, bf->cycle_starts.n, &allowed_before))
		return -1;
	*allowed = !allowed_before;
	return 0;
}

/* If the request takes whole nodes or sockets, the limits count all CPUs of the chosen nodes or sockets
 * (job_ptr->total_cpus, select/cons_tres/job_test.c: _job_test). */
int fsi_limit_ledgers_block_start(struct fsi_backfill *bf, const struct fsi_request *q, bool *blocked)
{
	const struct fsi_selection *s = &bf->select.attempt.selection;
	struct fsi_limit_ledgers *h;
	struct fsi_plan_limit why;
	int64_t allowed_time;
	int rc;

	if (set_counted_starts(bf, bf->cycle_starts.next))
		return -1;
	h = bf->earlier_limits.ledgers;
	h->job = &bf->cluster.m->job.v[q->job];
	h->shares_nodes = !q->sharing.whole_nodes && !bf->cluster.rules.whole_sockets;
	for (uint32_t k = 0; (q->sharing.whole_nodes || bf->cluster.rules.whole_sockets) && k < s->nnodes; k++) {
		int64_t amount[FSI_RES_MAX];

		fsi_select_compute_amounts(&bf->cluster, q, s, k, bf->select.attempt.start, amount);
		h->limits.cpus += (uint64_t)amount[FSI_RES_CPU];
	}
	h->limits.nodes = s->nnodes;
	h->found_request = q;
	h->used_nodes = fsi_arena_array(&bf->select.scratch, bf->cluster.words, sizeof(*h->used_nodes));
	rc = !h->used_nodes ? -1
			    : find_allowed_start(h, q->job, bf->cluster.m->partition.v[q->partition].name,
						 bf->cluster.now, &allowed_time, &why);
	h->found_request = NULL;
	h->limits.nodes = 0;
	h->limits.cpus = 0;
	h->shares_nodes = false;
	*blocked = !rc && allowed_time > bf->cluster.now;
	return rc;
}
