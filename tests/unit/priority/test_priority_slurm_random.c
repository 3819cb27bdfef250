/* Thousands of random jobs in random clusters are compared with the formulas of Slurm's manual (Multifactor Priority
 * Plugin), in exact arithmetic: factors and points are fractions, and only the sum and the compared numbers are
 * rounded. */
#include "fsworld.h"

__extension__ typedef __int128 wide;

struct fraction {
	wide p, q; /* the fraction p / q with q > 0 */
};

static struct fraction fraction(wide p, wide q)
{
	return q > 0 ? (struct fraction){ p, q } : (struct fraction){ 0, 1 };
}

static int compare(struct fraction a, struct fraction b)
{
	const wide x = a.p * b.q, y = b.p * a.q;

	return (x > y) - (x < y);
}

/* Converts the high and the low bits separately, because valgrind does not convert a 128-bit integer to a long double
 * correctly. */
static long double number(wide v)
{
	return (long double)(int64_t)(v >> 32) * 4294967296.0L + (long double)(uint32_t)v;
}

static double decimal(struct fraction f)
{
	return (double)(number(f.p) / number(f.q));
}

static const struct fraction one = { 1, 1 }, zero = { 0, 1 };

static struct fraction within_0_and_1(struct fraction f)
{
	return compare(f, one) > 0 ? one : compare(f, zero) < 0 ? zero : f;
}

/* Returns v[i] as "a fraction of the highest of all" values in v (Slurm's manual). If `plain` is true, because a flag
 * NO_NORMAL_* is set, returns v[i] itself. */
static struct fraction of_highest(const uint32_t *v, uint32_t n, uint32_t i, bool plain, uint32_t min)
{
	uint32_t highest = min;

	for (uint32_t k = 0; k < n; k++)
		highest = v[k] > highest ? v[k] : highest;
	return plain ? fraction(v[i], 1) : fraction(v[i], highest);
}

/* Returns the job-size factor. According to Slurm's manual it grows with the nodes and CPUs of the job, and is 1 if the
 * job requests all of them; PriorityFavorSmall reverses this. With SMALL_RELATIVE_TO_TIME, the requested CPUs, or the
 * CPUs of the requested nodes, are divided by the minutes of the time limit. Two rules are only in the source
 * (priority_multifactor.c: set_priority_factors): the mean of nodes and CPUs, and the factor 1 for too many CPUs under
 * PriorityFavorSmall. */
static struct fraction size_factor(const struct world *w, const struct job *j)
{
	const wide C = w->cpus, N = w->nodes, n = j->nodes, c = j->cpus;
	const wide minutes = (j->limit_s ? j->limit_s : w->part_limit[j->part]) / 60;

	if (w->timed) {
		const struct fraction f = fraction(n * C > c * N ? n * C : c * N, N * C * minutes);

		return within_0_and_1(w->favor_small ? fraction(f.q - f.p, f.q) : f);
	}
	if (w->favor_small && c > C)
		return one;
	if (w->favor_small)
		return c ? fraction((n < N ? N - n : 0) * C + (C - c) * N, 2 * N * C) : fraction(n < N ? N - n : 0, N);
	return within_0_and_1(c ? fraction(n * C + c * N, 2 * N * C) : fraction(n, N));
}

/* Returns the factor of Fair Tree if all users are below one account: the fraction of users whose ratio of shares to
 * usage is not better than that of `user`. */
static struct fraction fair_tree(const struct world *w, uint32_t user)
{
	uint32_t not_better = 0;

	for (int i = 0; i < USERS_N; i++) {
		const uint64_t other = (uint64_t)w->shares[i] * w->usage[user];
		const uint64_t own = (uint64_t)w->shares[user] * w->usage[i];
		/* without usage, the ratio of shares to usage is infinite */
		const bool better = w->usage[user] && (!w->usage[i] || other > own);

		not_better += !better;
	}
	return fraction(not_better, USERS_N);
}

static struct fraction of_partition(const struct world *w, uint32_t amount, uint32_t total)
{
	return !amount || !total ? zero : w->plain_tres ? fraction(amount, 1) : fraction(amount, total);
}

/* Sets the values and weights of the ten terms: age, assoc, fairshare, jobsize, partition, qos, site, nice, cpu,
 * mem. */
static void expected(const struct world *w, const struct job *j, struct fraction value[10], struct fraction weight[10])
{
	value[0] = j->waited >= w->max_age ? one : fraction(j->waited, w->max_age);
	value[1] = of_highest(w->assoc, USERS_N, j->user, w->plain_assoc, 0);
	value[2] = fair_tree(w, j->user);
	value[3] = size_factor(w, j);
	value[4] = of_highest(w->part_factor, PARTITIONS_N, j->part, w->plain_part, 1);
	value[5] = of_highest(w->qos, QOS_N, j->qos, w->plain_qos, 0);
	value[6] = fraction(j->site, 1);
	value[7] = fraction(j->nice, 1);
	value[8] = of_partition(w, j->cpus, w->part_cpus[j->part]);
	value[9] = of_partition(w, j->mem, w->part_mem[j->part]);
	for (int i = 0; i < 6; i++) {
		weight[i] = fraction(w->weight[i], 1);
		value[i] = w->weight[i] ? value[i] : zero;
	}
	weight[6] = one;
	weight[7] = fraction(-1, 1);
	weight[8] = fraction(w->tres_weight[0], 1);
	weight[9] = fraction(w->tres_weight[1], 1024);
}

static void check_row(const struct world *w, const struct fs_prio_row *row)
{
	struct fraction value[10], weight[10];
	long double sum = 0, size = 1;

	expected(w, &w->job[row->job - 1], value, weight);
	for (int t = 0; t < 10; t++) {
		const struct fs_prio_term *term = &row->terms[t];
		const struct fraction points = { value[t].p * weight[t].p, value[t].q * weight[t].q };

		assert_near(term->value, decimal(value[t]), 1e-14 * fabs(decimal(value[t])));
		assert_near(term->weight, decimal(weight[t]), 1e-15 * fabs(decimal(weight[t])));
		assert_near(term->points, decimal(points), 1e-9 * (1 + fabs(decimal(points))));
		sum += number(points.p) / number(points.q);
		size += fabsl(number(points.p) / number(points.q));
	}
	assert_near(row->sum, (double)sum, (double)(1e-9L * size));
	/* If the sum is a whole number within the rounding error of doubles, two priorities are correct, so the
	 * priority is not checked. */
	if (fabsl(sum - roundl(sum)) > 1e-9L * size)
		assert_same_double(row->priority, sum < 1 ? 1 : (double)floorl(sum));
}

typedef void (*check_fn)(const struct world *w, fs_prios *p);

static void with_prios(const struct world *w, check_fn check)
{
	struct fst_sink s = { 0 };

	put_cluster(&s, w);
	put_jobs(&s, w);
	fs_snapshot *m = fst_snapshot(s.data);
	fs_prios *p = fst_prios(m, NULL);

	assert_int_equal(fs_prios_count(p), JOBS_N);
	assert_int_equal(fs_prios_terms(p), 10);
	check(w, p);
	fs_prios_free(p);
	fs_snapshot_free(m);
	fst_free(&s);
}

static void check_rows(const struct world *w, fs_prios *p)
{
	for (size_t i = 0; i < JOBS_N; i++) {
		struct fs_prio_row row;

		fs_prios_row(p, i, &row);
		check_row(w, &row);
	}
}

static void priorities_of_random_jobs_follow_the_manuals_formulas(void **state)
{
	struct world w;
	uint64_t seed = 42;

	(void)state;
	for (int round = 0; round < CLUSTERS; round++) {
		memset(&w, 0, sizeof(w));
		draw(&w, &seed);
		with_prios(&w, check_rows);
	}
}

static void check_sizes(const struct world *w, fs_prios *p)
{
	double by_job[JOBS_N];

	for (size_t i = 0; i < JOBS_N; i++) {
		struct fs_prio_row row;

		fs_prios_row(p, i, &row);
		by_job[row.job - 1] = fst_term(p, &row, "jobsize").value;
	}
	for (size_t i = 1; i < JOBS_N; i++)
		if (w->favor_small)
			assert_true(by_job[i] <= by_job[i - 1]);
		else
			assert_true(by_job[i] >= by_job[i - 1]);
	if (w->favor_small && !w->timed)
		assert_true(by_job[0] > by_job[JOBS_N - 1] || w->nodes == 1 || w->job[0].cpus > w->cpus);
}

/* If a job requests one more node, its size factor does not decrease. With PriorityFavorSmall, the factor does not
 * increase. */
static void more_nodes_never_reverse_the_size_factor(void **state)
{
	struct world w;
	uint64_t seed = 4711;

	(void)state;
	for (int round = 0; round < CLUSTERS; round++) {
		memset(&w, 0, sizeof(w));
		draw(&w, &seed);
		w.weight[3] = 1000;
		for (uint32_t i = 0; i < JOBS_N; i++) {
			w.job[i] = w.job[0];
			w.job[i].nodes = i + 1;
		}
		with_prios(&w, check_sizes);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(priorities_of_random_jobs_follow_the_manuals_formulas),
					    cmocka_unit_test(more_nodes_never_reverse_the_size_factor) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
