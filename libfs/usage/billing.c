#include "usage/billing.h"

#include <string.h>

/* MAX_TRES_GRES holds MAX_TRES: where both stand, the longer one counts (a substring test in
 * src/common/read_config.c finds it first). */
static enum fsi_bill_mode mode_of(const fs_snapshot *m)
{
	const struct fsi_config_entry *e = fsi_config_find(m, "PriorityFlags");
	const uint32_t set = e && e->kind == FSI_CONFIG_LIST ? (uint32_t)e->i : 0;

	if (fsi_list_has(m, set, "MAX_TRES_GRES"))
		return FSI_BILL_MAX_GRES;
	return fsi_list_has(m, set, "MAX_TRES") ? FSI_BILL_MAX : FSI_BILL_SUM;
}

static double flux_weight(const fs_snapshot *m, const char *name, double otherwise)
{
	const struct fsi_config_entry *e = fsi_config_find(m, name);

	if (e && e->kind == FSI_CONFIG_INT)
		return (double)e->i;
	return e && e->kind == FSI_CONFIG_DOUBLE ? e->d : otherwise;
}

static int flux_weights(struct fsi_billing *b, const fs_snapshot *m, struct fsi_arena *arena)
{
	const struct fsi_tres_weight all[] = {
		{ fsi_name_find(m, "node"), flux_weight(m, "node_weight", 1) },
		{ fsi_name_find(m, "cpu"), flux_weight(m, "core_weight", 0) },
		{ fsi_name_find(m, "gres/gpu"), flux_weight(m, "gpu_weight", 0) },
	};
	struct fsi_billing_weights *w = &b->everywhere;

	w->set = true;
	w->w = fsi_arena_array(arena, sizeof(all) / sizeof(*all), sizeof(*w->w));
	for (size_t i = 0; w->w && i < sizeof(all) / sizeof(*all); i++)
		if (all[i].tres)
			w->w[w->n++] = all[i];
	return w->w ? 0 : -1;
}

int fsi_billing_init(struct fsi_billing *b, const fs_snapshot *m, struct fsi_arena *arena)
{
	struct fsi_tres_weight w[FSI_TRES_WEIGHTS_MAX];

	*b = (struct fsi_billing){
		.m = m,
		.cpu = fsi_name_find(m, "cpu"),
		.mem = fsi_name_find(m, "mem"),
		.node = fsi_name_find(m, "node"),
		.energy = fsi_name_find(m, "energy"),
		.billing = fsi_name_find(m, "billing"),
	};
	if (m->info.kind == FS_FLUX)
		return flux_weights(b, m, arena);
	b->mode = mode_of(m);
	b->partition = fsi_arena_array(arena, m->partition.n + 1, sizeof(*b->partition));
	if (!b->partition)
		return -1;
	for (size_t i = 0; i < m->partition.n; i++) {
		const struct fsi_partition *p = &m->partition.v[i];
		struct fsi_billing_weights *out = &b->partition[i];
		const int n = p->billing_weights
				      ? fsi_tres_weights(m, fsi_str(m, p->billing_weights), w)
				      : -1;

		if (n < 0)
			continue;
		out->set = true;
		out->n = (size_t)n;
		out->w = fsi_arena_array(arena, out->n + 1, sizeof(*out->w));
		if (!out->w)
			return -1;
		memcpy(out->w, w, out->n * sizeof(*w));
	}
	return 0;
}

static double amount_of(const struct fsi_amount *a, size_t n, uint32_t tres)
{
	for (size_t i = 0; i < n; i++)
		if (a[i].tres == tres)
			return (double)a[i].n;
	return 0;
}

/* Does only the greatest of its kind count? */
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

void fsi_billing_compute(const struct fsi_billing *b, enum fsi_bill_mode mode, uint32_t partition,
			 const struct fsi_amount *a, size_t n, struct fs_bill *out)
{
	const struct fsi_billing_weights *w = b->everywhere.set ? &b->everywhere
					      : partition == FSI_NO_INDEX
						      ? NULL
						      : &b->partition[partition];
	int best = -1;

	out->n = 0;
	out->rate = 0;
	out->by_cpus = !w || !w->set;
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
