/* fs_usage: begin, feed, finish. */
#include "usage/ledger.h"
#include "base/options.h"

#include "snapshot/stream.h"
#include "usage/usage.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void carry_recorded(fs_usage *u)
{
	const fs_snapshot *m = u->m;
	const double still = fsi_decay_recorded(&u->decay);

	for (uint32_t i = 0; i < m->association.n; i++) {
		const struct fsi_association *a = &m->association.v[i];
		size_t n;
		const struct fsi_amountf *amount = fsi_amountfs(m, a->usage_by_tres_s, &n);

		u->leaf[i] = FSI_HAS(a, ASSOCIATION, usage_tres_s) ? a->usage_tres_s * still
								   : (double)NAN;
		u->tres_known = u->tres_known && FSI_HAS(a, ASSOCIATION, usage_by_tres_s);
		for (size_t j = 0; j < n && !u->o.totals_only; j++)
			for (size_t k = 0; k < m->tres.n; k++)
				if (m->tres.v[k].name == amount[j].tres)
					u->tres_s[i * m->tres.n + k] += amount[j].n * still;
	}
}

static int prepare(fs_usage *u, const fs_snapshot *m, const struct fs_usage_options *o,
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
		return fsi_fail(
			err, FS_ENODATA, "%s: the snapshot holds no associations%s", m->file,
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

int fs_usage_begin(fs_usage **out, const fs_snapshot *m, const struct fs_usage_options *options,
		   struct fs_error *err)
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
static uint32_t charged_to(const fs_snapshot *m, const struct fsi_usage *r,
			   const struct fsi_run *run)
{
	uint32_t i =
		FSI_HAS(r, USAGE, association) ? fsi_assoc_by_id(m, r->association) : FSI_NO_INDEX;

	if (!run->account)
		return i;
	if (i != FSI_NO_INDEX && m->association.v[i].account == run->account &&
	    m->association.v[i].user == run->user)
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
static int book_record(void *ctx, const fs_snapshot *from, const struct fsi_usage *r,
		       struct fs_error *err)
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
		return fsi_fail_at(err, where, NULL,
				   "changed between two readings: %llu usage records, %llu before",
				   (unsigned long long)n,
				   (unsigned long long)u->m->info.usage_records);
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
		rc = fsi_fail(err, FS_EDATA, "%s: charges are beyond what a number can hold",
			      u->m->file);
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
