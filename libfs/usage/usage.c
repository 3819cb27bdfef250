#include "usage/usage.h"

#include "base/error.h"
#include "model/find.h"
#include "snapshot/snapshot.h"
#include "usage/billing.h"
#include "usage/ledger.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool fsi_usage_totals(const fs_snapshot *m, const fs_usage *u, long double *total)
{
	bool known = true;

	for (uint32_t i = 0; u && i < m->association.n; i++) {
		total[i] = u->assoc_tres_s[i];
		known = known && !isnan(total[i]);
	}
	if (u)
		return known;
	for (uint32_t i = 0; i < m->association.n; i++) {
		const struct fsi_association *a = &m->association.v[i];

		total[i] = a->usage_tres_s;
		if (!FSI_HAS(a, ASSOCIATION, usage_tres_s)) {
			total[i] = NAN;
			known = known && m->tree[i].uncounted;
		}
	}
	for (uint32_t i = (uint32_t)m->association.n; i-- > 0;)
		if (m->tree[i].parent != FSI_NO_INDEX && !m->tree[i].uncounted)
			total[m->tree[i].parent] += total[i];
	return known;
}

/* Converts v to an integer. Slurm shows values above INT64_MAX as INT64_MAX. */
static int64_t saturate_to_int64(long double v)
{
	return v >= 9223372036854775807.0L ? INT64_MAX : (int64_t)v;
}

static bool is_tres_known(const fs_snapshot *m, const fs_usage *u, uint32_t i)
{
	if (u)
		return u->tres_known;
	for (uint32_t k = i; k < m->tree[i].end; k++)
		if (!FSI_HAS(&m->association.v[k], ASSOCIATION, usage_by_tres_s))
			return false;
	return true;
}

static double get_own_seconds(const fs_snapshot *m, const fs_usage *u, uint32_t i, size_t tres)
{
	size_t n;
	const struct fsi_real_amount *a = fsi_real_amount_items(m, m->association.v[i].usage_by_tres_s, &n);

	if (u)
		return fsi_ledger_tres_seconds(u, i, tres);
	for (size_t j = 0; j < n; j++)
		if (a[j].tres == m->tres.v[tres].name)
			return a[j].n;
	return 0;
}

/* Returns the usage of the TRES with row `tres`, in seconds, summed over association i and all associations below
 * it. */
static long double sum_tres_seconds(const fs_snapshot *m, const fs_usage *u, uint32_t i, size_t tres)
{
	long double sum = 0;

	for (uint32_t k = i; k < m->tree[i].end; k++)
		sum += get_own_seconds(m, u, k, tres);
	return sum;
}

/* Rounds to six decimals: Slurm transmits a long double as text with six decimals
 * (src/common/pack.c:packlongdouble). */
static double round_to_microseconds(long double v)
{
	return (double)(roundl(v * 1000000) / 1000000);
}

/* Writes the recorded minutes of usage as seconds. scontrol shows whole minutes, without the fraction. */
static int read_whole_minutes(const fs_snapshot *m, uint32_t i, double *out, size_t max)
{
	const int64_t minute_s = 60;
	const struct fsi_association *a = &m->association.v[i];

	if (!FSI_HAS(a, ASSOCIATION, usage_by_tres_min))
		return FS_ENODATA;
	for (size_t k = 0; k < m->tres.n && k < max; k++)
		out[k] = (double)(fsi_amount_of_tres(m, a->usage_by_tres_min, m->tres.v[k].name) * minute_s);
	return (int)m->tres.n;
}

int fsi_usage_tres_seconds(const fs_snapshot *m, const fs_usage *u, uint32_t i, double *out, size_t max)
{
	if (!is_tres_known(m, u, i))
		return u ? FS_ENODATA : read_whole_minutes(m, i, out, max);
	for (size_t k = 0; k < m->tres.n && k < max; k++)
		out[k] = round_to_microseconds(sum_tres_seconds(m, u, i, k));
	return (int)m->tres.n;
}

int fsi_usage_tres_min(const fs_snapshot *m, const fs_usage *u, uint32_t i, struct fs_tres *out, size_t max)
{
	const struct fsi_association *a = &m->association.v[i];
	const bool exact = is_tres_known(m, u, i);

	if (!exact && (u || !FSI_HAS(a, ASSOCIATION, usage_by_tres_min)))
		return FS_ENODATA;
	for (size_t k = 0; k < m->tres.n && k < max; k++) {
		const uint32_t tres = m->tres.v[k].name;

		out[k].name = fsi_name_text(m, tres);
		out[k].amount = exact ? saturate_to_int64(sum_tres_seconds(m, u, i, k) / 60)
				      : fsi_amount_of_tres(m, a->usage_by_tres_min, tres);
	}
	return (int)m->tres.n;
}

bool fsi_is_usage_moved(const fs_snapshot *m, const fs_usage *u)
{
	return u && u->info.at != m->info.time;
}

double fsi_usage_wall_min(const fs_snapshot *m, const fs_usage *u, uint32_t i)
{
	const struct fsi_association *a = &m->association.v[i];
	const double minute_s = 60;
	double sum_s = 0;

	if (fsi_is_usage_moved(m, u))
		return NAN;
	/* usage_wall_min is preferred because it is more exact: usage_wall_min is known to 0.01 min (0.6 s),
	 * usage_wall_s only to 1 s */
	if (FSI_HAS(a, ASSOCIATION, usage_wall_min))
		return a->usage_wall_min;
	for (uint32_t k = i; k < m->tree[i].end; k++)
		sum_s += FSI_HAS(&m->association.v[k], ASSOCIATION, usage_wall_s)
				 ? m->association.v[k].usage_wall_s
				 : (double)NAN;
	return sum_s / minute_s;
}

/* ---- fs_usage_begin, fs_usage_read and fs_usage_finish: the steps that compute usage */

static void carry_recorded_usage(fs_usage *u)
{
	const fs_snapshot *m = u->m;
	const double still = fsi_decay_recorded(&u->decay);

	for (uint32_t i = 0; i < m->association.n; i++) {
		const struct fsi_association *a = &m->association.v[i];
		size_t n;
		const struct fsi_real_amount *amount = fsi_real_amount_items(m, a->usage_by_tres_s, &n);

		u->assoc_tres_s[i] = FSI_HAS(a, ASSOCIATION, usage_tres_s) ? a->usage_tres_s * still : (double)NAN;
		u->tres_known = u->tres_known && FSI_HAS(a, ASSOCIATION, usage_by_tres_s);
		for (size_t j = 0; j < n && !u->o.totals_only; j++)
			for (size_t k = 0; k < m->tres.n; k++)
				if (m->tres.v[k].name == amount[j].tres)
					u->tres_s[i * m->tres.n + k] += amount[j].n * still;
	}
}

static int prepare_usage_tables(fs_usage *u, const fs_snapshot *m, const struct fs_usage_options *o,
				struct fs_error *err)
{
	const size_t n = m->association.n;
	int rc;

	u->m = m;
	if (o)
		u->o = *o;
	rc = fsi_decay_init(&u->decay, m, o, &u->arena, err);
	if (rc)
		return rc;
	if (!n)
		return fsi_fail_with_code(err, FS_ENODATA, "%s: cannot compute usage: the snapshot has no associations%s", m->file,
					  fsi_is_type_hidden(m, "association") ? " (they were hidden from the capture)"
									       : "");
	u->assoc_tres_s = fsi_arena_array(&u->arena, n + 1, sizeof(*u->assoc_tres_s));
	u->tres_s = fsi_arena_array(&u->arena, u->o.totals_only ? 1 : n * m->tres.n + 1, sizeof(*u->tres_s));
	u->job_is_booked = fsi_arena_array(&u->arena, m->job.n + 1, sizeof(*u->job_is_booked));
	if (!u->assoc_tres_s || !u->tres_s || !u->job_is_booked || fsi_billing_init(&u->billing, m, &u->arena))
		return fsi_fail_no_memory(err);
	/* Slurm books the usage of each TRES only if limits are enforced */
	u->tres_known = u->decay.charges_job_end && !u->o.totals_only;
	u->info = (struct fs_usage_info){
		.at = u->decay.at,
		.last_run = u->decay.last,
		.decay = u->decay.model,
		.half_life_s = u->decay.half_life_s,
		.period_s = u->decay.period_s,
		.oldest = FS_UNKNOWN,
		.reset_time = u->decay.has_reset ? u->decay.reset : INT64_MIN,
		.resets = u->decay.resets,
	};
	if (u->o.source == FS_USAGE_RECORDED)
		carry_recorded_usage(u);
	return 0;
}

int fs_usage_begin(fs_usage **out, const fs_snapshot *m, const struct fs_usage_options *options, struct fs_error *err)
{
	fs_usage *u = calloc(1, sizeof(*u));
	struct fs_usage_options o;
	int rc;

	if (!u)
		return fsi_fail_no_memory(err);
	rc = prepare_usage_tables(u, m, FSI_OPTIONS(o, options), err);
	if (rc) {
		fs_usage_free(u);
		return rc;
	}
	*out = u;
	return 0;
}

/* ---- usage records */

/* Adds the names of `from` to u->record_name_ids. `from` is the snapshot into which usage records are read. The reader
 * of usage records replaces a snapshot with many names by an empty snapshot. If the snapshot was replaced since the
 * last call, all elements of u->record_name_ids are computed again. Returns -1 if out of memory. */
static int look_up_names(fs_usage *u, const fs_snapshot *from)
{
	/* a snapshot without names still has id 0, the empty string */
	const uint32_t n = from->names.count ? from->names.count : 1;

	if (n < u->record_name_ids.n)
		u->record_name_ids.n = 0;
	while (u->record_name_ids.n < n) {
		const uint32_t id = (uint32_t)u->record_name_ids.n;

		if (FSI_VEC_RESERVE(&u->record_name_ids))
			return -1;
		u->record_name_ids.v[u->record_name_ids.n++] = fsi_intern_find_id(
			&u->m->names, fsi_name_text(from, id), fsi_intern_get_length(&from->names, id));
	}
	return 0;
}

static uint32_t get_ledger_name(const fs_usage *u, const fs_snapshot *from, uint32_t id)
{
	return from == u->m ? id : u->record_name_ids.v[id];
}

/* Returns the association to which the charges of a job run are added. This is the association with the id in the usage
 * record `r`. If there is no such association, or if its account or user differs from the record's, returns the
 * association with the account, user and partition of the record. If the user's association was deleted, returns the
 * association of the account. Slurm keeps the usage of a deleted user in the account's usage until a reset
 * (src/common/assoc_mgr.c). */
static uint32_t find_charged_association(const fs_snapshot *m, const struct fsi_usage *r, const struct fsi_job_run *run)
{
	uint32_t i = FSI_HAS(r, USAGE, association) ? fsi_assoc_find_by_id(m, r->association) : FSI_NO_INDEX;

	if (!run->account)
		return i;
	if (i != FSI_NO_INDEX && m->association.v[i].account == run->account && m->association.v[i].user == run->user)
		return i;
	i = run->user ? fsi_assoc_find_by_names(m, run->account, run->user, run->partition) : FSI_NO_INDEX;
	if (i == FSI_NO_INDEX && run->user)
		i = fsi_assoc_find_by_names(m, run->account, run->user, 0);
	return i == FSI_NO_INDEX ? fsi_assoc_find_by_names(m, run->account, 0, 0) : i;
}

/* Returns true if the usage record has no end time and is therefore not booked. Either the job runs and is booked from
 * the snapshot's job records, or the scheduler has lost the job. Returns false if the snapshot has no job records
 * because the capture left them out: then the usage record is booked. */
static bool is_unfinished_run(const fs_usage *u, const struct fsi_usage *r)
{
	return !FSI_HAS(r, USAGE, end_time) && (u->m->job.n || !fsi_is_type_hidden(u->m, "job"));
}

/* Books a usage record. `from` is the snapshot to which the record's name ids belong: u->m, or the snapshot that the
 * stream reads into. */
static int book_usage_record(void *ctx, const fs_snapshot *from, const struct fsi_usage *r, struct fs_error *err)
{
	enum { RECORD_TRES_MAX = 256 };
	fs_usage *u = ctx;
	const uint32_t row = fsi_job_find_row(u->m, r->job);
	struct fsi_amount amounts[RECORD_TRES_MAX];
	size_t n;
	const struct fsi_amount *a = fsi_amount_items(from, r->tres, &n);
	struct fsi_job_run run = {
		.job = r->job,
		.submit = FSI_HAS(r, USAGE, submit_time) ? r->submit_time : FS_UNKNOWN,
		.eligible = FSI_HAS(r, USAGE, eligible_time) ? r->eligible_time : FS_UNKNOWN,
		.start = r->start_time,
		.end = FSI_HAS(r, USAGE, end_time) ? r->end_time : INT64_MAX,
		.running = !FSI_HAS(r, USAGE, end_time),
		.tres = amounts,
	};

	if (is_unfinished_run(u, r))
		return 0;
	if (from != u->m && look_up_names(u, from))
		return fsi_fail_no_memory(err);
	run.user = get_ledger_name(u, from, r->user);
	run.account = get_ledger_name(u, from, r->account);
	run.partition = get_ledger_name(u, from, r->partition);
	run.qos = get_ledger_name(u, from, r->qos);
	run.state = fsi_name_text(from, r->state);

	if (row != FSI_NO_INDEX && u->m->job.v[row].start_time == r->start_time)
		u->job_is_booked[row] = true;
	for (size_t i = 0; i < n && run.n < RECORD_TRES_MAX; i++)
		amounts[run.n++] = (struct fsi_amount){ get_ledger_name(u, from, a[i].tres), 0, a[i].n };
	run.association = find_charged_association(u->m, r, &run);
	u->info.records++;
	if (u->info.oldest == FS_UNKNOWN || r->start_time < u->info.oldest)
		u->info.oldest = r->start_time;
	return fsi_ledger_book_run(u, &run, INT64_MIN) ? fsi_fail_no_memory(err) : 0;
}

int fs_usage_read(fs_usage *u, fs_read_fn read, void *ctx, const char *name, struct fs_error *err)
{
	const struct fsi_input_position where = { name, 0, 0 };
	uint64_t n = 0;
	const int rc = fsi_stream_usage_records(read, ctx, name, book_usage_record, u, &n, err);

	if (!rc && n != u->m->info.usage_records)
		return fsi_fail_at(
			err, where, NULL,
			"the file changed between two reads: the first found %llu usage records, the second %llu",
			(unsigned long long)u->m->info.usage_records, (unsigned long long)n);
	return rc;
}

/* ---- result */

static void add_usage_to_parents(fs_usage *u)
{
	for (uint32_t i = (uint32_t)u->m->association.n; i-- > 0;)
		if (u->m->tree[i].parent != FSI_NO_INDEX)
			u->assoc_tres_s[u->m->tree[i].parent] += u->assoc_tres_s[i];
}

int fs_usage_finish(fs_usage *u, struct fs_error *err)
{
	const bool computed = u->o.source == FS_USAGE_COMPUTED;
	int rc = 0;

	for (size_t i = 0; computed && i < u->m->usage.n && !rc; i++)
		rc = book_usage_record(u, u->m, &u->m->usage.v[i], err);
	if (!rc && fsi_ledger_book_jobs(u, FSI_LEDGER_RUNNING | (computed ? FSI_LEDGER_ENDED : 0),
					computed ? INT64_MIN : u->decay.base))
		rc = fsi_fail_no_memory(err);
	fsi_ledger_book_rates(u);
	if (!rc && u->overflow)
		rc = fsi_fail_with_code(err, FS_EDATA, "%s: cannot compute usage: the sum of charges is too large", u->m->file);
	if (!rc)
		add_usage_to_parents(u);
	if (u->info.oldest != FS_UNKNOWN)
		u->info.before_oldest = fsi_decay_factor_at(&u->decay, u->info.oldest);
	return rc;
}

void fs_usage_free(fs_usage *u)
{
	if (!u)
		return;
	fsi_arena_release(&u->arena);
	FSI_VEC_FREE(&u->record_name_ids);
	free(u);
}

/* Books the jobs that ended after the last priority calculation. Books nothing if the snapshot has no valid
 * configuration. Also books nothing if limits are not enforced, because Slurm charges jobs at their end only if limits
 * are enforced. */
static int book_late_jobs(fs_usage *u, const fs_snapshot *m, int64_t delay_s)
{
	struct fs_error err;
	const int rc = fsi_decay_init(&u->decay, m, NULL, &u->arena, &err);

	if (rc || !u->decay.charges_job_end)
		return rc == FS_ENOMEM ? -1 : 0;
	u->job_is_booked = fsi_arena_array(&u->arena, m->job.n + 1, sizeof(*u->job_is_booked));
	if (!u->job_is_booked || fsi_billing_init(&u->billing, m, &u->arena))
		return -1;
	return fsi_ledger_book_jobs(u, FSI_LEDGER_ENDED, u->decay.base + delay_s) ? -1 : 0;
}

int fsi_usage_find_late(const fs_snapshot *m, int64_t delay_s, long double *late)
{
	fs_usage u = { .m = m, .assoc_tres_s = late };
	int rc;

	memset(late, 0, m->association.n * sizeof(*late));
	rc = book_late_jobs(&u, m, delay_s);
	fsi_arena_release(&u.arena);
	if (rc)
		return -1;
	add_usage_to_parents(&u);
	return 0;
}

double fs_usage_total(const fs_usage *u, size_t row)
{
	return row < u->m->association.n ? (double)u->assoc_tres_s[row] : (double)NAN;
}

void fs_usage_info(const fs_usage *u, struct fs_usage_info *out)
{
	*out = u->info;
}

double fs_usage_after(const fs_usage *u, double half_lives)
{
	return fsi_decay_half_lives(&u->decay, half_lives);
}

/* ---- grants: records in which a site notes the shares that it gives to an account
 *
 * A grant is worth pool * fraction shares. The pool is a number of shares in the grant's record. If the record has no
 * such number, the pool is the weighted sum of the hardware in the grant's partitions:
 * - The CPUs of each node count once, with their largest weight in these partitions (TRESBillingWeights; 1
 *   without weights).
 * - The GRES of a node also count once, with their largest weight, but not for gratis grants, which a site gives to
 *   every account.
 * - Memory does not count. Sites give memory a weight only because a job's memory blocks cores.
 * By default, the partitions of a gratis grant are the public partitions. A public partition is open to all accounts
 * and groups, neither hidden nor root-only, and does not requeue preempted jobs. The default fraction of a grant is 1.
 * For a gratis grant without a number of shares, the default fraction is 1 / n, where n is the number of accounts other
 * than root. */

struct fs_grants {
	struct fsi_arena arena;
	struct fs_grant_row *row;
	size_t n;
};

struct grant_pool {
	const fs_snapshot *m;
	struct fsi_billing billing;
	/* indexed by node and TRES: the largest billing weight that the TRES has in any partition of the pool that
	 * contains the node */
	double *unit_weight;
};

static bool is_requeue_partition(const fs_snapshot *m, const struct fsi_partition *p)
{
	return strstr(fsi_name_text(m, p->name), "requeue") || !strcmp(fsi_name_text(m, p->preempt_mode), "REQUEUE");
}

static bool is_public_partition(const fs_snapshot *m, const struct fsi_partition *p)
{
	return !p->allow_accounts && !p->allow_groups && !p->deny_accounts && !p->is_hidden &&
	       !p->root_only && !is_requeue_partition(m, p);
}

/* Returns true if the hardware of partition i counts for grant g, because the grant lists the partition. If a gratis
 * grant lists no partitions, the public partitions count. `uncharged`: the grant is gratis. */
static bool is_in_pool(const fs_snapshot *m, const struct fsi_grant *g, bool uncharged, size_t i)
{
	const struct fsi_partition *p = &m->partition.v[i];

	if (FSI_HAS(g, GRANT, partitions))
		return fsi_list_has_word(m, g->partitions, fsi_name_text(m, p->name));
	return uncharged && is_public_partition(m, p);
}

static bool counts_in_pool(const struct grant_pool *pool, bool uncharged, uint32_t tres)
{
	return tres == pool->billing.cpu || (!uncharged && !strncmp(fsi_name_text(pool->m, tres), "gres/", 5));
}

static double get_partition_weight(const struct grant_pool *pool, size_t partition, uint32_t tres)
{
	const struct fsi_billing_weights *w = pool->billing.partition ? &pool->billing.partition[partition] : NULL;

	if (!w || !w->set)
		return tres == pool->billing.cpu ? 1 : 0;
	for (size_t i = 0; i < w->n; i++)
		if (w->w[i].tres == tres)
			return w->w[i].weight;
	return 0;
}

static void raise_unit_weights(struct grant_pool *pool, bool uncharged, size_t partition, size_t node)
{
	const fs_snapshot *m = pool->m;

	for (size_t k = 0; k < m->tres.n; k++) {
		const uint32_t tres = m->tres.v[k].name;
		double *largest = &pool->unit_weight[node * m->tres.n + k];
		const double w =
			counts_in_pool(pool, uncharged, tres) ? get_partition_weight(pool, partition, tres) : 0;

		*largest = w > *largest ? w : *largest;
	}
}

static double get_node_amount(const struct grant_pool *pool, const struct fsi_node *node, uint32_t tres)
{
	if (FSI_HAS(node, NODE, tres))
		return (double)fsi_amount_of_tres(pool->m, node->tres, tres);
	if (tres == pool->billing.cpu && FSI_HAS(node, NODE, cpus))
		return (double)node->cpus;
	return tres == pool->billing.cpu ? (double)NAN : 0;
}

static double sum_pool_hardware(struct grant_pool *pool, const struct fsi_grant *g, bool uncharged)
{
	const fs_snapshot *m = pool->m;
	double sum = 0;

	memset(pool->unit_weight, 0, m->node.n * m->tres.n * sizeof(*pool->unit_weight));
	for (size_t i = 0; i < m->partition.n; i++)
		for (size_t k = 0; is_in_pool(m, g, uncharged, i) && k < m->node.n; k++)
			if (fsi_list_has_word(m, m->node.v[k].partitions, fsi_name_text(m, m->partition.v[i].name)))
				raise_unit_weights(pool, uncharged, i, k);
	for (size_t k = 0; k < m->node.n; k++)
		for (size_t t = 0; t < m->tres.n; t++)
			if (pool->unit_weight[k * m->tres.n + t] > 0)
				sum += pool->unit_weight[k * m->tres.n + t] *
				       get_node_amount(pool, &m->node.v[k], m->tres.v[t].name);
	return sum;
}

static const char *list_pool_partitions(const struct grant_pool *pool, struct fsi_arena *arena,
					const struct fsi_grant *g, bool uncharged)
{
	const fs_snapshot *m = pool->m;
	size_t len = 1;
	char *s;

	for (size_t i = 0; i < m->partition.n; i++)
		if (is_in_pool(m, g, uncharged, i))
			len += strlen(fsi_name_text(m, m->partition.v[i].name)) + 1;
	s = fsi_arena_alloc(arena, len);
	for (size_t i = 0; s && i < m->partition.n; i++)
		if (is_in_pool(m, g, uncharged, i)) {
			strcat(s, *s ? "," : "");
			strcat(s, fsi_name_text(m, m->partition.v[i].name));
		}
	return s;
}

static size_t count_accounts_below_root(const fs_snapshot *m)
{
	size_t n = 0;

	for (size_t i = 0; i < m->association.n; i++)
		n += !m->association.v[i].user && m->tree[i].parent != FSI_NO_INDEX;
	return n;
}

static const char *describe_missing_input(const struct grant_pool *pool, const struct fsi_grant *g, const char *names,
					  bool uncharged)
{
	const fs_snapshot *m = pool->m;
	size_t n;
	const uint32_t *list = fsi_list_items(m, g->partitions, &n);

	if (!uncharged && !FSI_HAS(g, GRANT, partitions))
		return "the record has neither shares nor partitions";
	for (size_t i = 0; i < n; i++)
		if (!fsi_partition_find(m, list[i]))
			return "a partition of the pool is not in the snapshot";
	if (!*names)
		return "no partition is public";
	return m->node.n ? NULL : "the snapshot holds no nodes";
}

static int fill_grant_row(struct grant_pool *pool, struct fsi_arena *arena, const struct fsi_grant *g,
			  struct fs_grant_row *r)
{
	const fs_snapshot *m = pool->m;
	const bool stated = FSI_HAS(g, GRANT, shares),
		   uncharged = !strcmp(fsi_name_text(m, g->kind), "gratis");

	*r = (struct fs_grant_row){ .account = fsi_name_text(m, g->account),
				    .kind = fsi_name_text(m, g->kind),
				    .comment = fsi_name_text(m, g->comment),
				    .partitions = "",
				    .hardware = NAN,
				    .fraction = FSI_HAS(g, GRANT, fraction) ? g->fraction : 1 };
	if (stated) {
		r->pool = g->shares;
	} else {
		r->partitions = list_pool_partitions(pool, arena, g, uncharged);
		if (!r->partitions)
			return -1;
		r->why = describe_missing_input(pool, g, r->partitions, uncharged);
		r->pool = r->hardware = r->why ? (double)NAN : sum_pool_hardware(pool, g, uncharged);
	}
	if (uncharged && !stated && !FSI_HAS(g, GRANT, fraction)) {
		r->accounts = count_accounts_below_root(m);
		r->fraction = r->accounts ? 1 / (double)r->accounts : (double)NAN;
	}
	r->shares = r->pool * r->fraction;
	return 0;
}

int fs_grants_compute(fs_grants **out, const fs_snapshot *m, struct fs_error *err)
{
	struct grant_pool pool = { .m = m };
	fs_grants *g;
	int rc = 0;

	if (!m->grant.n)
		return fsi_fail_with_code(err, FS_ENODATA, "%s: the snapshot has no grants", m->file);
	g = calloc(1, sizeof(*g));
	if (!g)
		return fsi_fail_no_memory(err);
	g->n = m->grant.n;
	g->row = fsi_arena_array(&g->arena, g->n, sizeof(*g->row));
	pool.unit_weight = fsi_arena_array(&g->arena, m->node.n * m->tres.n + 1, sizeof(*pool.unit_weight));
	if (!g->row || !pool.unit_weight || fsi_billing_init(&pool.billing, m, &g->arena))
		rc = -1;
	for (size_t i = 0; i < g->n && !rc; i++)
		rc = fill_grant_row(&pool, &g->arena, &m->grant.v[i], &g->row[i]);
	if (rc) {
		fs_grants_free(g);
		return fsi_fail_no_memory(err);
	}
	*out = g;
	return 0;
}

void fs_grants_free(fs_grants *g)
{
	if (!g)
		return;
	fsi_arena_release(&g->arena);
	free(g);
}

size_t fs_grants_count(const fs_grants *g)
{
	return g->n;
}

const struct fs_grant_row *fs_grants_row(const fs_grants *g, size_t i)
{
	return i < g->n ? &g->row[i] : NULL;
}
