#include "usage/billing.h"

#include "model/scheduler.h"
#include "usage/charging.h"

#include <string.h>

int fsi_billing_init(struct fsi_billing *b, const fs_snapshot *m, struct fsi_arena *arena)
{
	*b = (struct fsi_billing){
		.m = m,
		.cpu = fsi_name_find(m, "cpu"),
		.mem = fsi_name_find(m, "mem"),
		.node = fsi_name_find(m, "node"),
		.energy = fsi_name_find(m, "energy"),
		.billing = fsi_name_find(m, "billing"),
	};
	return m->scheduler->charging->weights(b, m, arena);
}

static double amount_of(const struct fsi_amount *a, size_t n, uint32_t tres)
{
	for (size_t i = 0; i < n; i++)
		if (a[i].tres == tres)
			return (double)a[i].n;
	return 0;
}

/* Is it a TRES of which only the greatest counts? */
static bool competes(const struct fsi_billing *b, enum fsi_bill_mode mode, uint32_t tres)
{
	if (mode == FSI_BILL_SUM)
		return false;
	if (tres == b->cpu || tres == b->mem || tres == b->node)
		return true;
	return mode == FSI_BILL_MAX && !strncmp(fsi_str(b->m, tres), "gres/", 5);
}

static void add_term(const struct fsi_billing *b, enum fsi_bill_mode mode, struct fs_bill *out,
		     uint32_t tres, double amount, double weight, int *best)
{
	struct fs_bill_term *t = &out->term[out->n];

	*t = (struct fs_bill_term){ fsi_str(b->m, tres), amount, weight, amount * weight, true };
	if (competes(b, mode, tres)) {
		t->counts = *best < 0 || t->points > out->term[*best].points;
		if (t->counts && *best >= 0)
			out->term[*best].counts = false;
		if (t->counts)
			*best = (int)out->n;
	}
	out->n++;
}

const struct fsi_billing_weights *fsi_billing_weights_in(const struct fsi_billing *b, size_t partition)
{
	static const struct fsi_billing_weights none = { .set = false };

	if (b->everywhere.set)
		return &b->everywhere;
	return b->partition && partition != FSI_NO_INDEX ? &b->partition[partition] : &none;
}

void fsi_billing_compute(const struct fsi_billing *b, enum fsi_bill_mode mode, uint32_t partition,
			 const struct fsi_amount *a, size_t n, struct fs_bill *out)
{
	const struct fsi_billing_weights *w = fsi_billing_weights_in(b, partition);
	int best = -1;

	out->n = 0;
	out->rate = 0;
	out->by_cpus = !w->set;
	if (out->by_cpus)
		add_term(b, mode, out, b->cpu, amount_of(a, n, b->cpu), 1, &best);
	for (size_t i = 0; !out->by_cpus && i < w->n; i++) {
		const uint32_t tres = w->w[i].tres;

		if (tres != b->energy && tres != b->billing)
			add_term(b, mode, out, tres, amount_of(a, n, tres), w->w[i].weight, &best);
	}
	for (size_t i = 0; i < out->n; i++)
		if (out->term[i].counts)
			out->rate += out->term[i].points;
}
