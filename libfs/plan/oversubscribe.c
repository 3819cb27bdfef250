#include "plan/oversubscribe.h"

#include "model/find.h"
#include "plan/bits.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

static void steps_clear(const struct fsi_steps *t, uint64_t *set);

/* Returns where the node's CPUs begin in a set for all nodes. */
static uint64_t *cores_on(const struct fsi_plan_cluster *c, uint64_t *set, uint32_t node)
{
	return &set[c->core_at[node]];
}

/* Returns how many words the node's CPUs take. */
static uint32_t cores_words(const struct fsi_plan_cluster *c, uint32_t node)
{
	return (uint32_t)(c->core_at[node + 1] - c->core_at[node]);
}

/* n CPUs of the node, those that are not in use (CPUs of the node alone; NULL: none are) before others. NULL without
 * memory. */
static uint64_t *cores_take(struct fsi_plan_cluster *c, uint32_t node, const uint64_t *in_use, int64_t n)
{
	uint64_t *v = fsi_arena_array(&c->arena, (size_t)cores_words(c, node) + 1, sizeof(*v));
	const int64_t all = c->node[node].total[FSI_RES_CPU];

	for (int again = 0; v && again < 2; again++)
		for (int64_t i = 0; i < all && n > 0; i++)
			if (!fsi_bit(v, (uint32_t)i) && (again || !in_use || !fsi_bit(in_use, (uint32_t)i))) {
				fsi_bit_set(v, (uint32_t)i);
				n--;
			}
	return v;
}

/* ---- CPUs of running jobs */

struct starting {
	struct fsi_plan_cluster *c;
	uint64_t *rows; /* room for one node: what is in use in each row, and behind the rows in all of them */
	uint32_t words;
};

static uint64_t *row_of(const struct starting *s, uint32_t r)
{
	return &s->rows[(size_t)r * s->words];
}

/* Puts the CPUs into the first row that has room for them. */
static void add_to_rows(const struct starting *s, const struct fsi_plan_alloc *h, uint32_t words)
{
	uint32_t r = 0;

	while (r + 1 < FSI_CORES_ROWS && fsi_bits_meet(row_of(s, r), h->cores, words))
		r++;
	fsi_cores_add(row_of(s, r), h->cores, words);
}

/* The CPUs of the node that other holds have. */
static const uint64_t *taken_by_others(const struct starting *s, uint32_t node, const struct fsi_plan_alloc *h)
{
	const struct fsi_plan_node *n = &s->c->node[node];
	const uint32_t words = cores_words(s->c, node);
	const int64_t want = h->amount[FSI_RES_CPU], all = n->total[FSI_RES_CPU];
	uint64_t *of_all = row_of(s, FSI_CORES_ROWS);

	memset(s->rows, 0, ((size_t)FSI_CORES_ROWS + 1) * s->words * sizeof(*s->rows));
	for (size_t i = 0; i < n->hold.n; i++) {
		const struct fsi_plan_alloc *o = &n->hold.v[i];

		if (!o->cores)
			continue;
		fsi_cores_add(of_all, o->cores, words);
		if (o->partition == h->partition)
			add_to_rows(s, o, words);
	}
	if (all - fsi_bits_count(of_all, words) >= want)
		return of_all;
	for (uint32_t r = 0; r < FSI_CORES_ROWS; r++)
		if (all - fsi_bits_count(row_of(s, r), words) >= want)
			return row_of(s, r);
	return of_all;
}

static int give(const struct starting *s, uint32_t node, struct fsi_plan_alloc *h)
{
	if (!h->cores)
		h->cores = cores_take(s->c, node, taken_by_others(s, node, h), h->amount[FSI_RES_CPU]);
	return h->cores ? 0 : -1;
}

/* Adds the numbers "0-3,8" up to a semicolon; returns where that is, or NULL if they are no numbers of so many CPUs. */
static const char *read_ids(uint64_t *v, const char *s, int64_t cpus)
{
	while (*s >= '0' && *s <= '9') {
		char *end;
		const long long from = strtoll(s, &end, 10), to = *end == '-' ? strtoll(end + 1, &end, 10) : from;

		if (to < from || to >= cpus)
			return NULL;
		for (long long i = from; i <= to; i++)
			fsi_bit_set(v, (uint32_t)i);
		s = end + (*end == ',');
		if (*end != ',')
			break;
	}
	return !*s || *s == ';' ? s : NULL;
}

static uint32_t nodes_told(const char *s)
{
	uint32_t n = *s != 0;

	for (; *s; s++)
		n += *s == ';';
	return n;
}

/* Gives the holds of a job the CPUs that it tells, if it tells them for each of its nodes; from the first word on
 * that is none of these, as if it told nothing. */
static int give_told(struct fsi_plan_cluster *c, const struct fsi_plan_end *e)
{
	const char *s = fsi_str(c->m, fsi_job_rare(c->m, &c->m->job.v[e->job])->cpu_ids);

	if (nodes_told(s) != e->n)
		return 0;
	for (uint32_t k = 0; s && k < e->n; k++) {
		const uint32_t node = e->node[k];
		struct fsi_plan_node *n = &c->node[node];
		uint64_t *v = cores_take(c, node, NULL, 0);

		if (!v)
			return -1;
		s = read_ids(v, s, n->total[FSI_RES_CPU]);
		for (size_t i = 0; s && i < n->hold.n; i++)
			if (n->hold.v[i].job == e->job && n->hold.v[i].amount[FSI_RES_CPU])
				n->hold.v[i].cores = v;
		s = s && *s ? s + 1 : s;
	}
	return 0;
}

/* Gives CPUs to the job's holds, or if that is FSI_NO_INDEX to all that have none. */
static int give_on(const struct starting *s, uint32_t node, uint32_t job)
{
	struct fsi_plan_node *n = &s->c->node[node];

	for (size_t i = 0; i < n->hold.n; i++)
		if ((job == FSI_NO_INDEX || n->hold.v[i].job == job) && give(s, node, &n->hold.v[i]))
			return -1;
	return 0;
}

static int by_start(const void *x, const void *y, const void *ctx)
{
	const struct fsi_plan_cluster *c = ctx;
	const struct fsi_plan_end *a = &c->end.v[*(const uint32_t *)x], *b = &c->end.v[*(const uint32_t *)y];
	const int64_t s = c->m->job.v[a->job].start_time, t = c->m->job.v[b->job].start_time;

	if (s != t)
		return s < t ? -1 : 1;
	return (a->id > b->id) - (a->id < b->id);
}

static int give_all(const struct starting *s, uint32_t *order)
{
	const struct fsi_plan_cluster *c = s->c;

	for (uint32_t k = 0; k < c->end.n; k++) {
		order[k] = k;
		if (give_told(s->c, &c->end.v[k]))
			return -1;
	}
	if (fs_sort(order, c->end.n, sizeof(*order), by_start, c))
		return -1;
	for (uint32_t k = 0; k < c->end.n; k++) {
		const struct fsi_plan_end *e = &c->end.v[order[k]];

		for (uint32_t i = 0; i < e->n; i++)
			if (give_on(s, e->node[i], e->job))
				return -1;
	}
	for (uint32_t i = 0; i < c->nnodes; i++)
		if (give_on(s, i, FSI_NO_INDEX))
			return -1;
	return 0;
}

/* Fills where the CPUs of each node begin, and the most words of one. -1 without memory. */
static int make_places(struct fsi_plan_cluster *c, uint32_t *max)
{
	c->core_at = fsi_arena_array(&c->arena, (size_t)c->nnodes + 1, sizeof(*c->core_at));
	*max = 1;
	for (uint32_t i = 0; c->core_at && i < c->nnodes; i++) {
		const int64_t cpus = c->node[i].total[FSI_RES_CPU];
		const uint32_t words = cpus > 0 && cpus < UINT16_MAX ? (uint32_t)(cpus + 63) / 64 : 1;

		*max = words > *max ? words : *max;
		c->core_at[i + 1] = c->core_at[i] + words;
	}
	return c->core_at ? 0 : -1;
}

int fsi_cores_init(struct fsi_plan_cluster *c)
{
	struct starting s = { .c = c };
	uint32_t *order;
	int rc;

	if (!c->rules.any_oversubscribe && !c->rules.gang)
		return 0;
	if (make_places(c, &s.words))
		return -1;
	s.rows = calloc(((size_t)FSI_CORES_ROWS + 1) * s.words, sizeof(*s.rows));
	order = calloc(c->end.n + 1, sizeof(*order));
	rc = s.rows && order ? give_all(&s, order) : -1;
	free(s.rows);
	free(order);
	return rc;
}

/* The rows of a partition whose CPUs are given out more than once (select/cons_common/job_resources.c:
 * job_res_add_job, job_res_rm_job; part_data.c: part_data_build_row_bitmaps, part_data_sort_res; from 24.11 the same
 * functions of select/cons_tres).
 *
 * A job that starts gets into the first row in which nobody has one of its CPUs. When one of the partition ends, all
 * rows are made anew: the jobs that are left by their first CPU, with the fewest first, each in the first row, and
 * after each the fullest row comes first. That is so of those that end before the time looked at too. Without
 * preempt/qos each try that comes to them sorts the controller's own rows (job_test.c: _job_test), so that they are
 * sorted at each start. */

/* A job in the rows. */
struct in_row {
	const struct fsi_plan_end *end;
	uint32_t core; /* its first CPU, on its first node */
	int64_t cpus, start;
	bool added; /* since rows were last made anew */
};

static const struct fsi_plan_alloc *hold_of(const struct fsi_plan_node *n, uint32_t job)
{
	for (size_t i = 0; i < n->hold.n; i++)
		if (n->hold.v[i].job == job)
			return &n->hold.v[i];
	return NULL;
}

static uint32_t first_core(const struct fsi_plan_alloc *h, uint32_t words)
{
	FSI_BITS_EACH(i, h->cores, words)
		return i;
	return 0;
}

static int64_t start_of(const struct fsi_job *j)
{
	return j->state == FSI_STATE_PENDING ? INT64_MAX : j->start_time;
}

/* Gathers the jobs that are there; is one of the partition gone? */
static uint32_t gather(const struct fsi_steps *t, struct in_row *v, bool *gone)
{
	const struct fsi_plan_cluster *c = t->sel->cluster;
	uint32_t n = 0;

	for (size_t i = 0; i < c->end.n; i++) {
		const struct fsi_plan_end *e = &c->end.v[i];
		const struct fsi_plan_alloc *h = e->n ? hold_of(&c->node[e->node[0]], e->job) : NULL;

		*t->sel->cluster->looks += 1 + e->n;
		if (!h || h->partition != t->q->partition)
			continue;
		*gone = *gone || !fsi_steps_there(t, h);
		if (!fsi_steps_there(t, h))
			continue;
		v[n] = (struct in_row){ e, first_core(h, cores_words(c, e->node[0])), 0,
					start_of(&c->m->job.v[e->job]), false };
		for (uint32_t k = 0; k < e->n; k++) {
			h = hold_of(&c->node[e->node[k]], e->job);
			v[n].cpus += h ? h->amount[FSI_RES_CPU] : 0;
		}
		n++;
	}
	return n;
}

/* Jobs that were there when rows were last made go by their first CPU, then the others as they were added. */
static int by_place(const void *x, const void *y, const void *ctx)
{
	const struct in_row *a = x, *b = y;

	(void)ctx;
	if (a->added != b->added)
		return a->added ? 1 : -1;
	if (a->added && a->start != b->start)
		return a->start < b->start ? -1 : 1;
	if (a->added)
		return (a->end->id > b->end->id) - (a->end->id < b->end->id);
	if (a->end->node[0] != b->end->node[0])
		return a->end->node[0] < b->end->node[0] ? -1 : 1;
	if (a->core != b->core)
		return a->core < b->core ? -1 : 1;
	return (a->cpus > b->cpus) - (a->cpus < b->cpus);
}

static bool fits_in(const struct fsi_steps *t, const struct in_row *j, uint64_t *row)
{
	const struct fsi_plan_cluster *c = t->sel->cluster;

	for (uint32_t k = 0; k < j->end->n; k++) {
		const uint32_t i = j->end->node[k];
		const struct fsi_plan_alloc *h = hold_of(&c->node[i], j->end->job);

		if (h && fsi_bits_meet(cores_on(c, row, i), h->cores, cores_words(c, i)))
			return false;
	}
	return true;
}

static void put_in(const struct fsi_steps *t, const struct in_row *j, struct fsi_plan_core_row *row)
{
	const struct fsi_plan_cluster *c = t->sel->cluster;

	for (uint32_t k = 0; k < j->end->n; k++) {
		const uint32_t i = j->end->node[k];
		const struct fsi_plan_alloc *h = hold_of(&c->node[i], j->end->job);

		if (h)
			fsi_cores_add(cores_on(c, row->set, i), h->cores, cores_words(c, i));
	}
	row->count += j->cpus;
}

static void sort_rows(struct fsi_plan_core_row *row, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t k = i + 1; k < n; k++)
			if (row[k].count > row[i].count) {
				const struct fsi_plan_core_row r = row[i];

				row[i] = row[k];
				row[k] = r;
			}
}

/* A job that fits into no row is left out: it must be in one, but which is not known. */
static void put_in_first(const struct fsi_steps *t, const struct in_row *j, uint32_t n)
{
	struct fsi_plan_core_row *row = t->sel->steps.row;
	uint32_t r = 0;

	while (r < n && !fits_in(t, j, row[r].set))
		r++;
	if (r < n)
		put_in(t, j, &row[r]);
	if (!j->added || !t->sel->steps.extra)
		sort_rows(row, n);
}

/* Fills the first n of p->steps.row, those of the request's partition, in the order in which they are tried. False
 * without memory. */
static bool steps_make_rows(const struct fsi_steps *t, uint32_t n)
{
	struct fsi_plan_core_row *row = t->sel->steps.row;
	struct in_row *v = fsi_arena_array(&t->sel->scratch, t->sel->cluster->end.n + 1, sizeof(*v));
	bool gone = false;
	const uint32_t jobs = v ? gather(t, v, &gone) : 0;

	for (uint32_t r = 0; r < n; r++) {
		steps_clear(t, row[r].set);
		row[r].count = 0;
	}
	for (uint32_t k = 0; k < jobs; k++)
		v[k].added = !gone && v[k].start > t->sel->steps.last_end[t->q->partition];
	if (!v || fs_sort(v, jobs, sizeof(*v), by_place, NULL))
		return false;
	for (uint32_t k = 0; k < jobs; k++)
		put_in_first(t, &v[k], n);
	return true;
}

/* Empties a set of CPUs. */
static void steps_clear(const struct fsi_steps *t, uint64_t *set)
{
	memset(set, 0, t->sel->cluster->core_at[t->sel->cluster->nnodes] * sizeof(*set));
}

/* ---- what ended before */

static void note_end(struct fsi_select *sel, uint32_t name, int64_t end)
{
	const struct fsi_partition *part = fsi_partition_find(sel->cluster->m, name);
	int64_t *last = part ? &sel->steps.last_end[part - sel->cluster->m->partition.v] : NULL;

	if (last && end <= sel->cluster->now && end > *last)
		*last = end;
}

/* Notes, once, when a job of each partition ended last. -1 without memory. */
static int steps_note_ends(struct fsi_select *sel)
{
	const fs_snapshot *m = sel->cluster->m;

	sel->steps.last_end = fsi_arena_array(&sel->cluster->arena, m->partition.n + 1, sizeof(*sel->steps.last_end));
	if (!sel->steps.last_end)
		return -1;
	for (size_t i = 0; i < m->job.n; i++) {
		const struct fsi_job *j = &m->job.v[i];
		size_t n;
		const uint32_t *part = fsi_list(m, j->partitions, &n);

		if (n && j->state != FSI_STATE_PENDING && FSI_HAS(j, JOB, end_time))
			note_end(sel, part[0], j->end_time);
	}
	for (size_t i = 0; i < m->usage.n; i++)
		if (m->usage.v[i].partition && FSI_HAS(&m->usage.v[i], USAGE, end_time))
			note_end(sel, m->usage.v[i].partition, m->usage.v[i].end_time);
	return 0;
}

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
 * A row is a copy of all CPUs of a partition's nodes; it has as many as its CPUs are
 * given out times, and with preempt/qos one more, which is not tried but may get jobs when rows are made anew. A job
 * that takes nodes whole gets one none of whose CPUs is taken in the step, and whose generic resources nobody has. */

bool fsi_plan_by_steps(const struct fsi_select *sel, const struct fsi_plan_request *q)
{
	return sel->mode == FS_PLAN_BACKFILL && sel->cluster->core_at && !sel->cluster->requests.linear &&
	       (q->sharing.oversubscribe || q->sharing.exclusive_partition || sel->cluster->rules.gang);
}

/* ---- who counts */

static int64_t tier(const struct fsi_steps *t, uint32_t partition)
{
	return partition == FSI_NO_INDEX ? -1 : (int64_t)t->sel->cluster->m->partition.v[partition].tier;
}

static bool is_not_preempted(const struct fsi_steps *t, uint32_t partition)
{
	const fs_snapshot *m = t->sel->cluster->m;
	const char *own = partition == FSI_NO_INDEX ? "" : fsi_str(m, m->partition.v[partition].preempt_mode),
		   *all = fs_snapshot_config_text(m, "PreemptMode");

	if (!*own || !strcasecmp(own, "cluster"))
		own = all ? all : "OFF";
	return !strcasecmp(own, "OFF");
}

/* How many rows the partition has. */
static uint32_t rows_of(const struct fsi_steps *t)
{
	const uint32_t n = fsi_plan_rows(t->sel->cluster->m, &t->sel->cluster->m->partition.v[t->q->partition]);

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
	if (!t->sel->preempt_by_tier)
		return false;
	if (t->sel->params->looks_on && h->partition == t->q->partition && rows_of(t) > 1)
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
	const struct fsi_plan_cluster *c = t->sel->cluster;
	bool any = false;

	FSI_BITS_EACH(i, t->nodes, c->words)
	{
		const struct fsi_plan_node *n = &c->node[i];

		*t->sel->cluster->looks += n->hold.n;
		for (size_t k = 0; k < n->hold.n; k++)
			if (fsi_steps_there(t, &n->hold.v[k]) && counts(t, &n->hold.v[k], arg)) {
				fsi_cores_add(cores_on(c, set, i), n->hold.v[k].cores, cores_words(c, i));
				any = true;
			}
	}
	return any;
}

/* ---- a choice around what is taken */

static bool choose_beside(const struct fsi_steps *t, uint64_t *set)
{
	const struct fsi_plan_cluster *c = t->sel->cluster;
	struct fsi_plan_choice *s = t->s;

	s->n = 0;
	FSI_BITS_EACH(i, t->nodes, c->words)
	{
		const uint32_t used = fsi_bits_count(cores_on(c, set, i), cores_words(c, i));
		const struct fsi_plan_room room = fsi_plan_room_beside(c, i, t->q, t->when, used);

		if (room.cpus <= 0 && t->q->set.required && fsi_bit(t->q->set.required, i))
			return false;
		if (room.cpus <= 0)
			continue;
		s->cpus[i] = room.cpus;
		s->gpus[i] = room.gpus;
		s->candidate[s->n++] = i;
	}
	t->sel->steps.found = set;
	return fsi_plan_choose(s, c, t->q);
}

static void copy(const struct fsi_steps *t, uint64_t *to, const uint64_t *from)
{
	memcpy(to, from, t->sel->cluster->core_at[t->sel->cluster->nnodes] * sizeof(*to));
}

/* The partition of the highest tier below that one, of several the first behind `after`; FSI_NO_INDEX none. */
static uint32_t next_lower(const struct fsi_steps *t, int64_t below, uint32_t after)
{
	const fs_snapshot *m = t->sel->cluster->m;
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
		t->sel->steps.found = set;
	}
}

/* ---- rows */

static bool row_by_row(const struct fsi_steps *t, const uint64_t *taken, uint64_t *set)
{
	const struct fsi_plan_cluster *c = t->sel->cluster;
	const uint32_t n = t->sel->steps.extra && !t->q->sharing.oversubscribe ? 1 : rows_of(t);

	if (!steps_make_rows(t, rows_of(t) + t->sel->steps.extra))
		return false;
	for (uint32_t r = 0; r < n; r++) {
		const struct fsi_plan_core_row *row = &t->sel->steps.row[r];

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

bool fsi_plan_choose_by_steps(struct fsi_select *sel, const struct fsi_plan_request *q, const uint64_t *nodes,
			      struct fsi_plan_moment when, struct fsi_plan_choice *s)
{
	const struct fsi_steps t = { sel, q, nodes, when, s };
	uint64_t *taken = sel->steps.set[0], *set = sel->steps.set[1];

	steps_clear(&t, set);
	mark_cpus(&t, set, of_anybody, 0);
	if (choose_beside(&t, set))
		return true;
	steps_clear(&t, taken);
	mark_cpus(&t, taken, of_higher, 0);
	copy(&t, set, taken);
	mark_cpus(&t, set, of_same, 0);
	if (choose_beside(&t, set)) {
		spare_lower(&t, set, sel->steps.set[2]);
		return true;
	}
	return row_by_row(&t, taken, set);
}

uint64_t *fsi_plan_cores_found(struct fsi_select *sel, const struct fsi_plan_request *q, uint32_t node, int64_t cpus,
			       bool *ok)
{
	const struct fsi_steps t = { sel, q, NULL, { sel->found.start, UINT64_MAX }, NULL };
	uint64_t *set = sel->steps.set[2], *v;

	*ok = true;
	if (!sel->cluster->core_at)
		return NULL;
	if (!fsi_plan_by_steps(sel, q)) {
		memset(cores_on(sel->cluster, set, node), 0, cores_words(sel->cluster, node) * sizeof(*set));
		for (size_t i = 0; i < sel->cluster->node[node].hold.n; i++)
			if (fsi_steps_there(&t, &sel->cluster->node[node].hold.v[i]))
				fsi_cores_add(cores_on(sel->cluster, set, node), sel->cluster->node[node].hold.v[i].cores,
					      cores_words(sel->cluster, node));
	} else {
		set = sel->steps.found;
	}
	v = cores_take(sel->cluster, node, cores_on(sel->cluster, set, node), cpus);
	*ok = v != NULL;
	return v;
}

int fsi_plan_steps_init(struct fsi_select *sel)
{
	struct fsi_plan_cluster *c = sel->cluster;
	const size_t words = c->core_at ? c->core_at[c->nnodes] : 0;
	const char *type = fs_snapshot_config_text(c->m, "PreemptType");
	uint32_t rows = 1;

	if (!c->core_at)
		return 0;
	sel->steps.extra = type && !strcmp(type, "preempt/qos");
	for (size_t i = 0; i < c->m->partition.n; i++) {
		const uint32_t n = fsi_plan_rows(c->m, &c->m->partition.v[i]);

		rows = n > rows ? n : rows;
	}
	rows = (rows < FSI_CORES_ROWS ? rows : FSI_CORES_ROWS) + sel->steps.extra;
	sel->steps.row = fsi_arena_array(&c->arena, rows, sizeof(*sel->steps.row));
	for (uint32_t r = 0; sel->steps.row && r < rows; r++) {
		sel->steps.row[r].set = fsi_arena_array(&c->arena, words + 1, sizeof(uint64_t));
		if (!sel->steps.row[r].set)
			return -1;
	}
	if (steps_note_ends(sel))
		return -1;
	for (size_t i = 0; i < sizeof(sel->steps.set) / sizeof(*sel->steps.set); i++) {
		sel->steps.set[i] = fsi_arena_array(&c->arena, words + 1, sizeof(uint64_t));
		if (!sel->steps.set[i])
			return -1;
	}
	return sel->steps.row ? 0 : -1;
}
