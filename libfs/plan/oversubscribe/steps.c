/* Nodes for a job that may get CPUs which others have too: one of a partition with OverSubscribe=FORCE, one that asks
 * for sharing under YES, and with PreemptMode=GANG any (select/cons_common/job_test.c: _job_test, steps 1 to 4,
 * part_data.c: part_data_build_row_bitmaps, part_data_sort_res; from 24.11 the same functions of select/cons_tres).
 *
 *   1  the CPUs that nobody has
 *   2  with preempt/partition_prio those of higher tiers, or of partitions that are not preempted, are taken from now
 *      on; from 24.11 but for the job's own partition if it has several rows
 *   3  the CPUs that nobody of the same tier has; then also without those of each lower tier, as long as that suffices
 *   4  row by row of its own partition, the fullest first: the CPUs that nobody in that row has, whoever else has them
 *
 * A row is a copy of all CPUs of a partition's nodes (libfs/plan/oversubscribe/rows.c); it has as many as its CPUs are
 * given out times, and with preempt/qos one more, which is not tried but may get jobs when rows are made anew. A job
 * that takes nodes whole gets one none of whose CPUs is taken in the step, and whose generic resources nobody has. */
#include "plan/oversubscribe/steps.h"

#include "plan/bits.h"
#include "plan/oversubscribe/cores.h"

#include <string.h>
#include <strings.h>

bool fsi_plan_by_steps(const struct fs_plan *p, const struct fsi_plan_request *q)
{
	return p->mode == FS_PLAN_BACKFILL && p->c.core_at && !p->c.requests.linear &&
	       (q->share || q->reserves || p->c.gang);
}

/* ---- who counts */

static int64_t tier(const struct fsi_steps *t, uint32_t partition)
{
	return partition == FSI_NO_INDEX ? -1 : (int64_t)t->p->c.m->partition.v[partition].tier;
}

static bool is_not_preempted(const struct fsi_steps *t, uint32_t partition)
{
	const fs_snapshot *m = t->p->c.m;
	const char *own = partition == FSI_NO_INDEX ? "" : fsi_str(m, m->partition.v[partition].preempt_mode),
		   *all = fs_snapshot_config_text(m, "PreemptMode");

	if (!*own || !strcasecmp(own, "cluster"))
		own = all ? all : "OFF";
	return !strcasecmp(own, "OFF");
}

/* How many rows the partition has. */
static uint32_t rows_of(const struct fsi_steps *t)
{
	const uint32_t n = fsi_plan_rows(t->p->c.m, &t->p->c.m->partition.v[t->q->partition]);

	return n < FSI_CORES_ROWS ? n : FSI_CORES_ROWS;
}

static bool of_anybody(const struct fsi_steps *t, const struct fsi_plan_alloc *h, uint32_t arg)
{
	(void)t, (void)h, (void)arg;
	return true;
}

static bool of_higher(const struct fsi_steps *t, const struct fsi_plan_alloc *h, uint32_t arg)
{
	(void)arg;
	if (!t->p->queue->preempt_by_tier)
		return false;
	if (t->p->params.looks_on && h->partition == t->q->partition && rows_of(t) > 1)
		return false;
	return tier(t, h->partition) > tier(t, t->q->partition) || is_not_preempted(t, h->partition);
}

static bool of_same(const struct fsi_steps *t, const struct fsi_plan_alloc *h, uint32_t arg)
{
	(void)arg;
	return tier(t, h->partition) == tier(t, t->q->partition);
}

static bool of_partition(const struct fsi_steps *t, const struct fsi_plan_alloc *h, uint32_t partition)
{
	(void)t;
	return h->partition == partition;
}

typedef bool (*counts_fn)(const struct fsi_steps *t, const struct fsi_plan_alloc *h, uint32_t arg);

/* Marks what the jobs that count have on the nodes; has any of them something? */
static bool mark_cpus(const struct fsi_steps *t, uint64_t *set, counts_fn counts, uint32_t arg)
{
	const struct fsi_plan_cluster *c = &t->p->c;
	bool any = false;

	FSI_BITS_EACH(i, t->nodes, c->words)
	{
		const struct fsi_plan_node *n = &c->node[i];

		t->p->looks += n->hold.n;
		for (size_t k = 0; k < n->hold.n; k++)
			if (fsi_steps_there(t, &n->hold.v[k]) && counts(t, &n->hold.v[k], arg)) {
				fsi_cores_add(fsi_cores_on(c, set, i), n->hold.v[k].cores, fsi_cores_words(c, i));
				any = true;
			}
	}
	return any;
}

/* ---- a choice around what is taken */

static bool choose_beside(const struct fsi_steps *t, uint64_t *set)
{
	const struct fsi_plan_cluster *c = &t->p->c;
	struct fsi_plan_choice *s = t->s;

	s->n = 0;
	FSI_BITS_EACH(i, t->nodes, c->words)
	{
		const uint32_t used = fsi_bits_count(fsi_cores_on(c, set, i), fsi_cores_words(c, i));
		const struct fsi_plan_room room = fsi_plan_room_beside(c, i, t->q, t->when, used);

		if (room.cpus <= 0 && t->q->required && fsi_bit(t->q->required, i))
			return false;
		if (room.cpus <= 0)
			continue;
		s->cpus[i] = room.cpus;
		s->gpus[i] = room.gpus;
		s->candidate[s->n++] = i;
	}
	t->p->steps.found = set;
	return fsi_plan_choose(s, c, t->q);
}

static void copy(const struct fsi_steps *t, uint64_t *to, const uint64_t *from)
{
	memcpy(to, from, t->p->c.core_at[t->p->c.nnodes] * sizeof(*to));
}

/* The partition of the highest tier below that one, of several the first behind `after`; FSI_NO_INDEX none. */
static uint32_t next_lower(const struct fsi_steps *t, int64_t below, uint32_t after)
{
	const fs_snapshot *m = t->p->c.m;
	uint32_t best = FSI_NO_INDEX;

	for (uint32_t i = 0; i < m->partition.n; i++) {
		const bool behind = tier(t, i) < below || (tier(t, i) == below && after != FSI_NO_INDEX && i > after);

		if (behind && (best == FSI_NO_INDEX || tier(t, i) > tier(t, best)))
			best = i;
	}
	return best;
}

/* Step 3, once it found nodes: takes what lower tiers have, too, as long as it still does. */
static void spare_lower(const struct fsi_steps *t, uint64_t *set, uint64_t *more)
{
	int64_t below = tier(t, t->q->partition);
	uint32_t i = FSI_NO_INDEX;

	while ((i = next_lower(t, below, i)) != FSI_NO_INDEX) {
		below = tier(t, i);
		copy(t, more, set);
		if (!mark_cpus(t, more, of_partition, i))
			continue;
		if (!choose_beside(t, more)) {
			choose_beside(t, set);
			return;
		}
		copy(t, set, more);
		t->p->steps.found = set;
	}
}

/* ---- rows */

static bool row_by_row(const struct fsi_steps *t, const uint64_t *taken, uint64_t *set)
{
	const struct fsi_plan_cluster *c = &t->p->c;
	const uint32_t n = t->p->steps.extra && !t->q->share ? 1 : rows_of(t);

	if (!fsi_steps_make_rows(t, rows_of(t) + t->p->steps.extra))
		return false;
	for (uint32_t r = 0; r < n; r++) {
		const struct fsi_plan_core_row *row = &t->p->steps.row[r];

		copy(t, set, taken);
		fsi_cores_add(set, row->set, (uint32_t)c->core_at[c->nnodes]);
		if (choose_beside(t, set))
			return true;
		if (!row->count)
			return false;
	}
	return false;
}

/* ---- all steps */

bool fsi_plan_choose_by_steps(struct fs_plan *p, const struct fsi_plan_request *q, const uint64_t *nodes,
			      struct fsi_plan_moment when, struct fsi_plan_choice *s)
{
	const struct fsi_steps t = { p, q, nodes, when, s };
	uint64_t *taken = p->steps.set[0], *set = p->steps.set[1];

	fsi_steps_clear(&t, set);
	mark_cpus(&t, set, of_anybody, 0);
	if (choose_beside(&t, set))
		return true;
	fsi_steps_clear(&t, taken);
	mark_cpus(&t, taken, of_higher, 0);
	copy(&t, set, taken);
	mark_cpus(&t, set, of_same, 0);
	if (choose_beside(&t, set)) {
		spare_lower(&t, set, p->steps.set[2]);
		return true;
	}
	return row_by_row(&t, taken, set);
}

uint64_t *fsi_plan_cores_found(struct fs_plan *p, const struct fsi_plan_request *q, uint32_t node, int64_t cpus,
			       bool *ok)
{
	const struct fsi_steps t = { p, q, NULL, { p->found.start, UINT64_MAX }, NULL };
	uint64_t *set = p->steps.set[2], *v;

	*ok = true;
	if (!p->c.core_at)
		return NULL;
	if (!fsi_plan_by_steps(p, q)) {
		memset(fsi_cores_on(&p->c, set, node), 0, fsi_cores_words(&p->c, node) * sizeof(*set));
		for (size_t i = 0; i < p->c.node[node].hold.n; i++)
			if (fsi_steps_there(&t, &p->c.node[node].hold.v[i]))
				fsi_cores_add(fsi_cores_on(&p->c, set, node), p->c.node[node].hold.v[i].cores,
					      fsi_cores_words(&p->c, node));
	} else {
		set = p->steps.found;
	}
	v = fsi_cores_take(&p->c, node, fsi_cores_on(&p->c, set, node), cpus);
	*ok = v != NULL;
	return v;
}

int fsi_plan_steps_init(struct fs_plan *p)
{
	struct fsi_plan_cluster *c = &p->c;
	const size_t words = c->core_at ? c->core_at[c->nnodes] : 0;
	const char *type = fs_snapshot_config_text(c->m, "PreemptType");
	uint32_t rows = 1;

	if (!c->core_at)
		return 0;
	p->steps.extra = type && !strcmp(type, "preempt/qos");
	for (size_t i = 0; i < c->m->partition.n; i++) {
		const uint32_t n = fsi_plan_rows(c->m, &c->m->partition.v[i]);

		rows = n > rows ? n : rows;
	}
	rows = (rows < FSI_CORES_ROWS ? rows : FSI_CORES_ROWS) + p->steps.extra;
	p->steps.row = fsi_arena_array(&c->arena, rows, sizeof(*p->steps.row));
	for (uint32_t r = 0; p->steps.row && r < rows; r++) {
		p->steps.row[r].set = fsi_arena_array(&c->arena, words + 1, sizeof(uint64_t));
		if (!p->steps.row[r].set)
			return -1;
	}
	if (fsi_steps_note_ends(p))
		return -1;
	for (size_t i = 0; i < sizeof(p->steps.set) / sizeof(*p->steps.set); i++) {
		p->steps.set[i] = fsi_arena_array(&c->arena, words + 1, sizeof(uint64_t));
		if (!p->steps.set[i])
			return -1;
	}
	return p->steps.row ? 0 : -1;
}
