#include "usage/rates.h"

#include "usage/ledger.h"

static int take_charge(void *ctx, const struct fs_charge *c)
{
	struct fsi_rates *r = ctx;

	if (c->row != FSI_NO_INDEX)
		r->v[r->n++] = (struct fsi_rate){ .job = c->job,
						  .row = c->row,
						  .start = c->start_time,
						  .end = c->running && c->end_time > r->decay.at ? INT64_MAX
												 : c->end_time,
						  .rate = c->rate * c->factor };
	return 0;
}

static void add_rates_of_rows(struct fsi_rates *r, const fs_usage *u)
{
	for (uint32_t i = 0; u && u->o.rate && i < u->m->association.n; i++)
		if (u->o.rate[i] > 0)
			r->v[r->n++] = (struct fsi_rate){ .job = FSI_RATE_OF_ROW,
							  .row = i,
							  .start = u->m->info.time,
							  .end = INT64_MAX,
							  .rate = u->o.rate[i] };
}

int fsi_rates_init(struct fsi_rates *r, const fs_snapshot *m, const fs_usage *of, int64_t from,
		   struct fsi_arena *arena)
{
	fs_usage u = { .m = m, .o = { .charge = take_charge, .charge_ctx = r } };
	struct fs_error err;
	int rc;

	*r = (struct fsi_rates){ 0 };
	rc = of ? 0 : fsi_decay_init(&r->decay, m, NULL, arena, &err);
	if (rc)
		return rc == FS_ENOMEM ? -1 : 0;
	if (of) {
		r->decay = of->decay;
		u.o.running = of->o.running;
	}
	u.decay = r->decay;
	u.leaf = fsi_arena_array(&u.arena, m->association.n + 1, sizeof(*u.leaf));
	u.seen = fsi_arena_array(&u.arena, m->job.n + 1, sizeof(*u.seen));
	r->v = fsi_arena_array(arena, m->job.n + m->association.n + 1, sizeof(*r->v));
	rc = !u.leaf || !u.seen || !r->v || fsi_billing_init(&u.billing, m, &u.arena) ||
	     fsi_ledger_jobs(&u, FSI_LEDGER_RUNNING | FSI_LEDGER_ENDED, from);
	fsi_arena_release(&u.arena);
	if (!rc)
		add_rates_of_rows(r, of);
	return rc ? -1 : 0;
}

double fsi_rate_charge(const struct fsi_rates *r, const struct fsi_rate *rate, int64_t from, int64_t to)
{
	const int64_t since = rate->start > from ? rate->start : from;

	return to > since ? rate->rate * fsi_decay_at_once(&r->decay, to - since) : 0;
}
