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
		total[i] = u->leaf[i];
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

/* Saturates: usage beyond 64 bits is shown as the greatest number there is. */
static int64_t whole(long double v)
{
	return v >= 9223372036854775807.0L ? INT64_MAX : (int64_t)v;
}

static bool tres_known(const fs_snapshot *m, const fs_usage *u, uint32_t i)
{
	if (u)
		return u->tres_known;
	for (uint32_t k = i; k < m->tree[i].end; k++)
		if (!FSI_HAS(&m->association.v[k], ASSOCIATION, usage_by_tres_s))
			return false;
	return true;
}

static double own_seconds(const fs_snapshot *m, const fs_usage *u, uint32_t i, size_t tres)
{
	size_t n;
	const struct fsi_amountf *a = fsi_amountfs(m, m->association.v[i].usage_by_tres_s, &n);

	if (u)
		return fsi_ledger_tres(u, i, tres);
	for (size_t j = 0; j < n; j++)
		if (a[j].tres == m->tres.v[tres].name)
			return a[j].n;
	return 0;
}

/* The seconds of one TRES (by row) in the subtree of association i. */
static long double tres_seconds(const fs_snapshot *m, const fs_usage *u, uint32_t i, size_t tres)
{
	long double sum = 0;

	for (uint32_t k = i; k < m->tree[i].end; k++)
		sum += own_seconds(m, u, k, tres);
	return sum;
}

/* Long doubles travel as text with six decimals (src/common/pack.c:packlongdouble). */
static double six_decimals(long double v)
{
	return (double)(roundl(v * 1000000) / 1000000);
}

int fsi_usage_tres_seconds(const fs_snapshot *m, const fs_usage *u, uint32_t i, double *out, size_t max)
{
	if (!tres_known(m, u, i))
		return FS_ENODATA;
	for (size_t k = 0; k < m->tres.n && k < max; k++)
		out[k] = six_decimals(tres_seconds(m, u, i, k));
	return (int)m->tres.n;
}

int fsi_usage_tres_min(const fs_snapshot *m, const fs_usage *u, uint32_t i, struct fs_tres *out, size_t max)
{
	const struct fsi_association *a = &m->association.v[i];
	const bool exact = tres_known(m, u, i);

	if (!exact && (u || !FSI_HAS(a, ASSOCIATION, usage_by_tres_min)))
		return FS_ENODATA;
	for (size_t k = 0; k < m->tres.n && k < max; k++) {
		const uint32_t tres = m->tres.v[k].name;

		out[k].name = fsi_str(m, tres);
		out[k].amount = exact ? whole(tres_seconds(m, u, i, k) / 60)
				      : fsi_amount_of(m, a->usage_by_tres_min, tres);
	}
	return (int)m->tres.n;
}

bool fsi_usage_moved(const fs_snapshot *m, const fs_usage *u)
{
	return u && u->info.at != m->info.time;
}

double fsi_usage_wall_min(const fs_snapshot *m, const fs_usage *u, uint32_t i)
{
	const struct fsi_association *a = &m->association.v[i];
	const double minute_s = 60;
	double sum_s = 0;

	if (fsi_usage_moved(m, u))
		return NAN;
	if (FSI_HAS(a, ASSOCIATION, usage_wall_min)) /* the seconds that are known here are whole ones */
		return a->usage_wall_min;
	for (uint32_t k = i; k < m->tree[i].end; k++)
		sum_s += FSI_HAS(&m->association.v[k], ASSOCIATION, usage_wall_s)
				 ? m->association.v[k].usage_wall_s
				 : (double)NAN;
	return sum_s / minute_s;
}

/* fs_usage: begin, feed, finish. */

static void carry_recorded(fs_usage *u)
{
	const fs_snapshot *m = u->m;
	const double still = fsi_decay_recorded(&u->decay);

	for (uint32_t i = 0; i < m->association.n; i++) {
		const struct fsi_association *a = &m->association.v[i];
		size_t n;
		const struct fsi_amountf *amount = fsi_amountfs(m, a->usage_by_tres_s, &n);

		u->leaf[i] = FSI_HAS(a, ASSOCIATION, usage_tres_s) ? a->usage_tres_s * still : (double)NAN;
		u->tres_known = u->tres_known && FSI_HAS(a, ASSOCIATION, usage_by_tres_s);
		for (size_t j = 0; j < n && !u->o.totals_only; j++)
			for (size_t k = 0; k < m->tres.n; k++)
				if (m->tres.v[k].name == amount[j].tres)
					u->tres_s[i * m->tres.n + k] += amount[j].n * still;
	}
}

static int prepare(fs_usage *u, const fs_snapshot *m, const struct fs_usage_options *o, struct fs_error *err)
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
		return fsi_fail(err, FS_ENODATA, "%s: the snapshot holds no associations%s", m->file,
			fsi_hidden(m, "association") ? " (they were hidden from the capture)" : "");
	u->leaf = fsi_arena_array(&u->arena, n + 1, sizeof(*u->leaf));
	u->tres_s = fsi_arena_array(&u->arena, u->o.totals_only ? 1 : n * m->tres.n + 1, sizeof(*u->tres_s));
	u->seen = fsi_arena_array(&u->arena, m->job.n + 1, sizeof(*u->seen));
	if (!u->leaf || !u->tres_s || !u->seen || fsi_billing_init(&u->billing, m, &u->arena))
		return fsi_nomem(err);
	u->tres_known = u->decay.end_charged && !u->o.totals_only; /* where limits are enforced */
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
		carry_recorded(u);
	return 0;
}

int fs_usage_begin(fs_usage **out, const fs_snapshot *m, const struct fs_usage_options *options, struct fs_error *err)
{
	fs_usage *u = calloc(1, sizeof(*u));
	struct fs_usage_options o;
	int rc;

	if (!u)
		return fsi_nomem(err);
	rc = prepare(u, m, FSI_OPTIONS(o, options), err);
	if (rc) {
		fs_usage_free(u);
		return rc;
	}
	*out = u;
	return 0;
}

/* ---- records ---- */

/* Fills the ids in the ledger's model of the names of a record's model, each once. The stream starts its model over
 * when it has grown large: it then has fewer names than are remembered. -1 without memory. */
static int know_names(fs_usage *u, const fs_snapshot *from)
{
	const uint32_t n = from->names.count ? from->names.count : 1; /* id 0 is always there */

	if (n < u->names.n)
		u->names.n = 0;
	while (u->names.n < n) {
		const uint32_t id = (uint32_t)u->names.n;

		if (FSI_VEC_ROOM(&u->names))
			return -1;
		u->names.v[u->names.n++] = fsi_intern_find(&u->m->names, fsi_str(from, id),
							   fsi_intern_len(&from->names, id));
	}
	return 0;
}

static uint32_t own_name(const fs_usage *u, const fs_snapshot *from, uint32_t id)
{
	return from == u->m ? id : u->names.v[id];
}

/* The association of that id, or of those names; for a user who has left, the account's own, where Slurm's
 * totals keep what a deleted association used (src/common/assoc_mgr.c: only a reset drops it). */
static uint32_t charged_to(const fs_snapshot *m, const struct fsi_usage *r, const struct fsi_run *run)
{
	uint32_t i = FSI_HAS(r, USAGE, association) ? fsi_assoc_by_id(m, r->association) : FSI_NO_INDEX;

	if (!run->account)
		return i;
	if (i != FSI_NO_INDEX && m->association.v[i].account == run->account && m->association.v[i].user == run->user)
		return i;
	i = run->user ? fsi_assoc_find(m, run->account, run->user, run->partition) : FSI_NO_INDEX;
	if (i == FSI_NO_INDEX && run->user)
		i = fsi_assoc_find(m, run->account, run->user, 0);
	return i == FSI_NO_INDEX ? fsi_assoc_find(m, run->account, 0, 0) : i;
}

/* A run without an end goes on only if its job is in the snapshot: otherwise the scheduler no longer knows it. */
static bool is_open(const fs_usage *u, const struct fsi_usage *r)
{
	return !FSI_HAS(r, USAGE, end_time) && (u->m->job.n || !fsi_hidden(u->m, "job"));
}

/* rec stands in the model `from`, whose names are the ledger's only if it is the ledger's own model. */
static int book_record(void *ctx, const fs_snapshot *from, const struct fsi_usage *r, struct fs_error *err)
{
	enum { MAX = 256 };
	fs_usage *u = ctx;
	const uint32_t row = fsi_job_row(u->m, r->job);
	struct fsi_amount amounts[MAX];
	size_t n;
	const struct fsi_amount *a = fsi_amounts(from, r->tres, &n);
	struct fsi_run run = {
		.job = r->job,
		.submit = FSI_HAS(r, USAGE, submit_time) ? r->submit_time : FS_UNKNOWN,
		.eligible = FSI_HAS(r, USAGE, eligible_time) ? r->eligible_time : FS_UNKNOWN,
		.start = r->start_time,
		.end = FSI_HAS(r, USAGE, end_time) ? r->end_time : INT64_MAX,
		.running = !FSI_HAS(r, USAGE, end_time),
		.tres = amounts,
	};

	if (is_open(u, r))
		return 0;
	if (from != u->m && know_names(u, from))
		return fsi_nomem(err);
	run.user = own_name(u, from, r->user);
	run.account = own_name(u, from, r->account);
	run.partition = own_name(u, from, r->partition);
	run.qos = own_name(u, from, r->qos);
	run.state = fsi_str(from, r->state);

	if (row != FSI_NO_INDEX && u->m->job.v[row].start_time == r->start_time)
		u->seen[row] = true;
	for (size_t i = 0; i < n && run.n < MAX; i++)
		amounts[run.n++] = (struct fsi_amount){ own_name(u, from, a[i].tres), 0, a[i].n };
	run.association = charged_to(u->m, r, &run);
	u->info.records++;
	if (u->info.oldest == FS_UNKNOWN || r->start_time < u->info.oldest)
		u->info.oldest = r->start_time;
	return fsi_ledger_book(u, &run, INT64_MIN) ? fsi_nomem(err) : 0;
}

int fs_usage_read(fs_usage *u, fs_read_fn read, void *ctx, const char *name, struct fs_error *err)
{
	const struct fsi_where where = { name, 0, 0 };
	uint64_t n = 0;
	const int rc = fsi_usage_stream(read, ctx, name, book_record, u, &n, err);

	if (!rc && n != u->m->info.usage_records)
		return fsi_fail_at(err, where, NULL, "changed between two readings: %llu usage records, %llu before",
				   (unsigned long long)n, (unsigned long long)u->m->info.usage_records);
	return rc;
}

/* ---- result ---- */

static void roll_up(fs_usage *u)
{
	for (uint32_t i = (uint32_t)u->m->association.n; i-- > 0;)
		if (u->m->tree[i].parent != FSI_NO_INDEX)
			u->leaf[u->m->tree[i].parent] += u->leaf[i];
}

int fs_usage_finish(fs_usage *u, struct fs_error *err)
{
	const bool computed = u->o.source == FS_USAGE_COMPUTED;
	int rc = 0;

	for (size_t i = 0; computed && i < u->m->usage.n && !rc; i++)
		rc = book_record(u, u->m, &u->m->usage.v[i], err);
	if (!rc && fsi_ledger_jobs(u, FSI_LEDGER_RUNNING | (computed ? FSI_LEDGER_ENDED : 0),
				   computed ? INT64_MIN : u->decay.base))
		rc = fsi_nomem(err);
	fsi_ledger_rates(u);
	if (!rc && u->overflow)
		rc = fsi_fail(err, FS_EDATA, "%s: charges are beyond what a number can hold", u->m->file);
	if (!rc)
		roll_up(u);
	if (u->info.oldest != FS_UNKNOWN)
		u->info.before_oldest = fsi_decay_of(&u->decay, u->info.oldest);
	return rc;
}

void fs_usage_free(fs_usage *u)
{
	if (!u)
		return;
	fsi_arena_release(&u->arena);
	FSI_VEC_FREE(&u->names);
	free(u);
}

/* Books nothing where there is no configuration to tell, or where a job that ends is not charged. */
static int book_late(fs_usage *u, const fs_snapshot *m, int64_t slip_s)
{
	struct fs_error err;
	const int rc = fsi_decay_init(&u->decay, m, NULL, &u->arena, &err);

	if (rc || !u->decay.end_charged)
		return rc == FS_ENOMEM ? -1 : 0;
	u->seen = fsi_arena_array(&u->arena, m->job.n + 1, sizeof(*u->seen));
	if (!u->seen || fsi_billing_init(&u->billing, m, &u->arena))
		return -1;
	return fsi_ledger_jobs(u, FSI_LEDGER_ENDED, u->decay.base + slip_s) ? -1 : 0;
}

int fsi_usage_late(const fs_snapshot *m, int64_t slip_s, long double *late)
{
	fs_usage u = { .m = m, .leaf = late };
	int rc;

	memset(late, 0, m->association.n * sizeof(*late));
	rc = book_late(&u, m, slip_s);
	fsi_arena_release(&u.arena);
	if (rc)
		return -1;
	roll_up(&u);
	return 0;
}

double fs_usage_total(const fs_usage *u, size_t row)
{
	return row < u->m->association.n ? (double)u->leaf[row] : (double)NAN;
}

void fs_usage_info(const fs_usage *u, struct fs_usage_info *out)
{
	*out = u->info;
}

double fs_usage_after(const fs_usage *u, double half_lives)
{
	return fsi_decay_half_lives(&u->decay, half_lives);
}

/* Grants of shares: pool * fraction.
 *
 * The pool is what the record states, or the hardware of its partitions: each node once, at the greatest CPU
 * weight it has among them (TRESBillingWeights; 1 without), and, except for gratis grants, its gres
 * likewise. Memory is left out: its weight exists to charge for a node's cores through it.
 * A gratis grant's partitions are by default the public ones: open to all accounts and groups, neither hidden
 * nor root's, and no requeue partition; its fraction is one account's of all but the root. */

struct fs_grants {
	struct fsi_arena arena;
	struct fs_grant_row *row;
	size_t n;
};

struct pool {
	const fs_snapshot *m;
	struct fsi_billing billing;
	double *worth; /* by TRES and node: the greatest weight of a unit so far */
};

static bool is_requeue(const fs_snapshot *m, const struct fsi_partition *p)
{
	return strstr(fsi_str(m, p->name), "requeue") || !strcmp(fsi_str(m, p->preempt_mode), "REQUEUE");
}

static bool is_public(const fs_snapshot *m, const struct fsi_partition *p)
{
	return !p->allow_accounts && !p->allow_groups && !p->deny_accounts && !p->is_hidden &&
	       !p->root_only && !is_requeue(m, p);
}

/* Is partition i of the pool, by the grant's own list or as a public one? */
static bool in_pool(const fs_snapshot *m, const struct fsi_grant *g, bool gratis, size_t i)
{
	const struct fsi_partition *p = &m->partition.v[i];

	if (FSI_HAS(g, GRANT, partitions))
		return fsi_list_has(m, g->partitions, fsi_str(m, p->name));
	return gratis && is_public(m, p);
}

static bool counts(const struct pool *pool, bool gratis, uint32_t tres)
{
	return tres == pool->billing.cpu || (!gratis && !strncmp(fsi_str(pool->m, tres), "gres/", 5));
}

static double weight_in(const struct pool *pool, size_t partition, uint32_t tres)
{
	const struct fsi_billing_weights *w = pool->billing.partition ? &pool->billing.partition[partition] : NULL;

	if (!w || !w->set)
		return tres == pool->billing.cpu ? 1 : 0;
	for (size_t i = 0; i < w->n; i++)
		if (w->w[i].tres == tres)
			return w->w[i].weight;
	return 0;
}

static void raise_worth(struct pool *pool, bool gratis, size_t partition, size_t node)
{
	const fs_snapshot *m = pool->m;

	for (size_t k = 0; k < m->tres.n; k++) {
		const uint32_t tres = m->tres.v[k].name;
		double *worth = &pool->worth[node * m->tres.n + k];
		const double w = counts(pool, gratis, tres) ? weight_in(pool, partition, tres) : 0;

		*worth = w > *worth ? w : *worth;
	}
}

static double amount_on(const struct pool *pool, const struct fsi_node *node, uint32_t tres)
{
	if (FSI_HAS(node, NODE, tres))
		return (double)fsi_amount_of(pool->m, node->tres, tres);
	if (tres == pool->billing.cpu && FSI_HAS(node, NODE, cpus))
		return (double)node->cpus;
	return tres == pool->billing.cpu ? (double)NAN : 0;
}

static double hardware(struct pool *pool, const struct fsi_grant *g, bool gratis)
{
	const fs_snapshot *m = pool->m;
	double sum = 0;

	memset(pool->worth, 0, m->node.n * m->tres.n * sizeof(*pool->worth));
	for (size_t i = 0; i < m->partition.n; i++)
		for (size_t k = 0; in_pool(m, g, gratis, i) && k < m->node.n; k++)
			if (fsi_list_has(m, m->node.v[k].partitions, fsi_str(m, m->partition.v[i].name)))
				raise_worth(pool, gratis, i, k);
	for (size_t k = 0; k < m->node.n; k++)
		for (size_t t = 0; t < m->tres.n; t++)
			if (pool->worth[k * m->tres.n + t] > 0)
				sum += pool->worth[k * m->tres.n + t] *
				       amount_on(pool, &m->node.v[k], m->tres.v[t].name);
	return sum;
}

static const char *pool_names(const struct pool *pool, struct fsi_arena *arena, const struct fsi_grant *g, bool gratis)
{
	const fs_snapshot *m = pool->m;
	size_t len = 1;
	char *s;

	for (size_t i = 0; i < m->partition.n; i++)
		if (in_pool(m, g, gratis, i))
			len += strlen(fsi_str(m, m->partition.v[i].name)) + 1;
	s = fsi_arena_alloc(arena, len);
	for (size_t i = 0; s && i < m->partition.n; i++)
		if (in_pool(m, g, gratis, i)) {
			strcat(s, *s ? "," : "");
			strcat(s, fsi_str(m, m->partition.v[i].name));
		}
	return s;
}

static size_t accounts_below_root(const fs_snapshot *m)
{
	size_t n = 0;

	for (size_t i = 0; i < m->association.n; i++)
		n += !m->association.v[i].user && m->tree[i].parent != FSI_NO_INDEX;
	return n;
}

static const char *missing(const struct pool *pool, const struct fsi_grant *g, const char *names, bool gratis)
{
	const fs_snapshot *m = pool->m;
	size_t n;
	const uint32_t *list = fsi_list(m, g->partitions, &n);

	if (!gratis && !FSI_HAS(g, GRANT, partitions))
		return "the record states neither shares nor partitions";
	for (size_t i = 0; i < n; i++)
		if (!fsi_partition_find(m, list[i]))
			return "a partition of the pool is not in the snapshot";
	if (!*names)
		return "no partition is public";
	return m->node.n ? NULL : "the snapshot holds no nodes";
}

static int fill_row(struct pool *pool, struct fsi_arena *arena, const struct fsi_grant *g, struct fs_grant_row *r)
{
	const fs_snapshot *m = pool->m;
	const bool stated = FSI_HAS(g, GRANT, shares),
		   gratis = !strcmp(fsi_str(m, g->kind), "gratis");

	*r = (struct fs_grant_row){ .account = fsi_str(m, g->account),
				    .kind = fsi_str(m, g->kind),
				    .comment = fsi_str(m, g->comment),
				    .partitions = "",
				    .hardware = NAN,
				    .fraction = FSI_HAS(g, GRANT, fraction) ? g->fraction : 1 };
	if (stated) {
		r->pool = g->shares;
	} else {
		r->partitions = pool_names(pool, arena, g, gratis);
		if (!r->partitions)
			return -1;
		r->why = missing(pool, g, r->partitions, gratis);
		r->pool = r->hardware = r->why ? (double)NAN : hardware(pool, g, gratis);
	}
	if (gratis && !stated && !FSI_HAS(g, GRANT, fraction)) {
		r->accounts = accounts_below_root(m);
		r->fraction = r->accounts ? 1 / (double)r->accounts : (double)NAN;
	}
	r->shares = r->pool * r->fraction;
	return 0;
}

int fs_grants_compute(fs_grants **out, const fs_snapshot *m, struct fs_error *err)
{
	struct pool pool = { .m = m };
	fs_grants *g;
	int rc = 0;

	if (!m->grant.n)
		return fsi_fail(err, FS_ENODATA, "%s: the snapshot holds no grants", m->file);
	g = calloc(1, sizeof(*g));
	if (!g)
		return fsi_nomem(err);
	g->n = m->grant.n;
	g->row = fsi_arena_array(&g->arena, g->n, sizeof(*g->row));
	pool.worth = fsi_arena_array(&g->arena, m->node.n * m->tres.n + 1, sizeof(*pool.worth));
	if (!g->row || !pool.worth || fsi_billing_init(&pool.billing, m, &g->arena))
		rc = -1;
	for (size_t i = 0; i < g->n && !rc; i++)
		rc = fill_row(&pool, &g->arena, &m->grant.v[i], &g->row[i]);
	if (rc) {
		fs_grants_free(g);
		return fsi_nomem(err);
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
