/* priority/: thousands of random jobs in random clusters, each factor computed here once more. */
#include "fsworld.h"

static uint32_t greatest(const uint32_t *v, size_t n, uint32_t least)
{
	for (size_t i = 0; i < n; i++)
		least = v[i] > least ? v[i] : least;
	return least;
}

static double size_factor(const struct world *w, const struct job *j)
{
	const double C = w->cpus, N = w->nodes;
	double v;

	if (w->timed) {
		const double minutes = (j->limit_s ? j->limit_s : w->part_limit[j->part]) / 60;

		v = fmax(j->nodes * C / N, j->cpus) / minutes / C;
		v = w->favor_small ? 1 - v : v;
	} else if (w->favor_small) {
		v = N > j->nodes ? (N - j->nodes) / N : 0;
		v = !j->cpus ? v : j->cpus > C ? 1 : (v + (C - j->cpus) / C) / 2;
	} else {
		v = j->cpus ? (j->nodes / N + j->cpus / C) / 2 : j->nodes / N;
	}
	return fmin(1, fmax(0, v));
}

static double ratio(double a, double b)
{
	return b > 0 ? a / b : 0;
}

static double tres_factor(const struct world *w, uint32_t amount, uint32_t total)
{
	return amount && total ? w->plain_tres ? amount : (double)amount / total : 0;
}

/* age assoc fairshare jobsize partition qos site nice cpu mem */
static void expected(const struct world *w, const struct job *j, double value[10],
		     double weight[10])
{
	value[0] = j->waited < w->max_age ? (double)j->waited / w->max_age : 1;
	value[1] = w->plain_assoc ? w->assoc[j->user]
				  : ratio(w->assoc[j->user], greatest(w->assoc, USERS_N, 0));
	value[2] = w->fairshare[j->user];
	value[3] = size_factor(w, j);
	value[4] = w->part_factor[j->part];
	value[4] /= w->plain_part ? 1 : greatest(w->part_factor, PARTITIONS_N, 1);
	value[5] =
		w->plain_qos ? w->qos[j->qos] : ratio(w->qos[j->qos], greatest(w->qos, QOS_N, 0));
	value[6] = j->site;
	value[7] = j->nice;
	value[8] = tres_factor(w, j->cpus, w->part_cpus[j->part]);
	value[9] = tres_factor(w, j->mem, w->part_mem[j->part]);
	for (int i = 0; i < 6; i++) {
		weight[i] = w->weight[i];
		value[i] = weight[i] > 0 ? value[i] : 0;
	}
	weight[6] = 1;
	weight[7] = -1;
	weight[8] = w->tres_weight[0];
	weight[9] = w->tres_weight[1] / 1024.;
}

static void check_row(const struct world *w, const struct fs_prio_row *row)
{
	double value[10], weight[10], sum = 0, size = 1;

	expected(w, &w->job[row->job - 1], value, weight);
	for (int t = 0; t < 10; t++) {
		const struct fs_prio_term *term = &row->terms[t];

		assert_near(term->value, value[t], 1e-14 * fabs(value[t]));
		assert_near(term->weight, weight[t], 1e-15 * weight[9]);
		assert_near(term->points, value[t] * weight[t],
			    1e-9 * (1 + fabs(value[t] * weight[t])));
		sum += term->points;
		size += fabs(term->points);
	}
	assert_near(row->sum, sum, 1e-9 * size);
	assert_same_double(row->priority, row->sum < 1 ? 1 : floor(row->sum));
}

static void random_jobs_agree(void **state)
{
	struct world *w = calloc(1, sizeof(*w));
	uint64_t seed = 42;

	(void)state;
	assert_non_null(w);
	for (int round = 0; round < CLUSTERS; round++) {
		struct fst_sink s = { 0 };
		char name[16];

		draw(w, &seed);
		put_cluster(&s, w);
		put_jobs(&s, w);
		fs_snapshot *m = fst_snapshot(s.data);
		fs_shares *shares = fst_shares(m, NULL);
		for (int u = 0; u < USERS_N; u++) {
			snprintf(name, sizeof(name), "u%d", u);
			w->fairshare[u] = fst_row(shares, "root", name)->fairshare;
		}
		fs_prios *p = fst_prios(m, NULL);
		assert_int_equal(fs_prios_count(p), JOBS_N);
		assert_int_equal(fs_prios_terms(p), 10);
		for (size_t i = 0; i < JOBS_N; i++) {
			struct fs_prio_row row;

			fs_prios_row(p, i, &row);
			check_row(w, &row);
		}
		fs_prios_free(p);
		fs_shares_free(shares);
		fs_snapshot_free(m);
		fst_free(&s);
	}
	free(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(random_jobs_agree) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
