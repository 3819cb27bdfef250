/* backfill/node_space: random tables of future availability, compared with a plain table that has a row per time
 * step. */
#include "fstest.h"

#include "nodes/bits.h"
#include "backfill/node_space.h"

enum { NODES = 70, WORDS = 2, STEPS = 60, STEP = 60, BEGIN = 6000, TAKES = 25, ROUNDS = 400 };

struct table {
	uint64_t left[STEPS][WORDS];
	int64_t licenses[STEPS];
};

static void draw_nodes(uint64_t *set, uint64_t *seed, uint32_t odds)
{
	memset(set, 0, WORDS * sizeof(*set));
	for (uint32_t i = 0; i < NODES; i++)
		if (!fst_below(seed, odds))
			fsi_bit_set(set, i);
}

static uint32_t step_of(int64_t t)
{
	return (uint32_t)((t - BEGIN) / STEP);
}

static void take(struct table *t, int64_t start, int64_t end, const uint64_t *nodes, int64_t licenses)
{
	if (end < start + STEP)
		end = start + STEP;
	for (uint32_t i = step_of(start); i < STEPS && i < step_of(end); i++) {
		fsi_bits_and_not(t->left[i], nodes, WORDS);
		t->licenses[i] -= licenses < t->licenses[i] ? licenses : t->licenses[i];
	}
}

/* Checks that the slots follow each other without a gap, and that each slot has the same free nodes and licenses as the
 * table. */
static void same(const struct fsi_node_space *m, const struct table *t)
{
	int64_t at = BEGIN;

	for (uint32_t k = 0; k < m->n; k++) {
		assert_true(m->v[k].begin == at && m->v[k].end >= at);
		for (; at < m->v[k].end; at += STEP) {
			assert_true(fsi_bits_is_equal(m->v[k].nodes, t->left[step_of(at)], WORDS));
			assert_true((int64_t)m->v[k].nodes[WORDS] == t->licenses[step_of(at)]);
		}
	}
	assert_int_equal(at, BEGIN + STEPS * STEP);
}

static void look(struct fsi_node_space *m, const struct table *t, uint64_t *seed)
{
	struct fsi_node_space_query l = { .start = BEGIN + fst_below(seed, STEPS * STEP),
					  .rules_24_11 = fst_below(seed, 2) };
	uint64_t mine[WORDS], left[WORDS], want[WORDS];
	bool gain = false;

	draw_nodes(mine, seed, 2);
	memcpy(left, mine, sizeof(left));
	memcpy(want, mine, sizeof(want));
	l.end = l.start + 1 + fst_below(seed, 20 * STEP);
	fsi_node_space_find_next_try(m, &l, left);
	fsi_node_space_narrow_nodes(m, &l, left);
	for (uint32_t i = step_of(l.start); i < STEPS && BEGIN + (int64_t)i * STEP <= l.end; i++)
		fsi_bits_and(want, t->left[i], WORDS);
	assert_true(fsi_bits_is_equal(want, left, WORDS));
	/* The search must try again when a node becomes free. Therefore, in each slot before the next time to try, all
	 * free nodes are also free in all earlier slots since the start. */
	memcpy(want, mine, sizeof(want));
	for (uint32_t i = step_of(l.start); i < STEPS && BEGIN + (int64_t)i * STEP < l.next_try; i++) {
		uint64_t now[WORDS];

		memcpy(now, mine, sizeof(now));
		fsi_bits_and(now, t->left[i], WORDS);
		gain = gain || (i > step_of(l.start) && !fsi_bits_is_subset(now, want, WORDS));
		fsi_bits_and(want, t->left[i], WORDS);
	}
	assert_false(gain);
	assert_true(l.next_try == 0 || l.next_try > l.start);
}

/* Returns true if one of the nodes is free in step i but not in the step before. */
static bool come_free(const struct table *t, uint32_t i, const uint64_t *nodes)
{
	for (uint32_t w = 0; w < WORDS; w++)
		if (nodes[w] & t->left[i][w] & ~t->left[i - 1][w])
			return true;
	return false;
}

static void last_gain(struct fsi_node_space *m, const struct table *t, uint64_t *seed)
{
	const uint32_t first = fst_below(seed, STEPS), until = first + fst_below(seed, STEPS - first);
	uint32_t want = first;
	uint64_t nodes[WORDS];

	draw_nodes(nodes, seed, 2);
	for (uint32_t i = first + 1; i <= until; i++)
		if (come_free(t, i, nodes))
			want = i;
	assert_int_equal(
		fsi_node_space_find_last_gain(m, nodes, BEGIN + STEP * (int64_t)first, BEGIN + STEP * (int64_t)until),
		BEGIN + STEP * (int64_t)want);
}

static void overlaps(const struct fsi_node_space *m, const struct table *t, uint64_t *seed)
{
	const int64_t start = BEGIN + STEP * (int64_t)fst_below(seed, STEPS),
		      end = start + STEP * (1 + (int64_t)fst_below(seed, 10)), licenses = fst_below(seed, 4);
	uint64_t nodes[WORDS];
	bool any = false;

	draw_nodes(nodes, seed, 30);
	for (uint32_t i = step_of(start); i < STEPS && i < step_of(end); i++)
		any = any || !fsi_bits_is_subset(nodes, t->left[i], WORDS) || (licenses && t->licenses[i] < licenses);
	assert_int_equal(fsi_node_space_has_overlap(m, start, end, nodes, (struct fsi_license_demand){ &licenses, 0 }),
			 any);
}

static void random_node_spaces_equal_a_table_of_time_steps(void **state)
{
	uint64_t seed = 5, nodes[WORDS];
	const int64_t all = 20;
	const struct fsi_node_space_licenses lics = { .n = 1 };

	(void)state;
	for (int round = 0; round < ROUNDS; round++) {
		struct fsi_node_space m;
		struct table t;

		draw_nodes(nodes, &seed, 1);
		for (uint32_t i = 0; i < STEPS; i++) {
			memcpy(t.left[i], nodes, sizeof(nodes));
			t.licenses[i] = all;
		}
		assert_int_equal(fsi_node_space_init(&m, BEGIN, BEGIN + STEPS * STEP, STEP, nodes, WORDS, &lics, &all),
				 0);
		for (int k = 0; k < TAKES; k++) {
			const int64_t start = BEGIN + STEP * (int64_t)fst_below(&seed, STEPS),
				      end = start + STEP * (int64_t)fst_below(&seed, 15),
				      licenses = fst_below(&seed, 3);

			draw_nodes(nodes, &seed, 12);
			assert_int_equal(fsi_node_space_take_nodes(&m, start, end, nodes,
								   (struct fsi_license_demand){ &licenses, 0 }),
					 0);
			take(&t, start, end, nodes, licenses);
			same(&m, &t);
			look(&m, &t, &seed);
			last_gain(&m, &t, &seed);
			overlaps(&m, &t, &seed);
		}
		fsi_node_space_release(&m);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(random_node_spaces_equal_a_table_of_time_steps) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
