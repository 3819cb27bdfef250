/* priority/: thousands of random jobs in random clusters, each factor computed here once more. */
#include "fsprio.h"

enum { PARTITIONS_N = 4, QOS_N = 4, USERS_N = 4, JOBS_N = 25, CLUSTERS = 200 };

/* What was drawn; from it both the snapshot text and the expected numbers are made. */
struct world {
	uint32_t weight[6], max_age, cpus, nodes;
	uint32_t tres_weight[2]; /* cpu; mem, for one G */
	bool favor_small, timed, plain_assoc, plain_part, plain_qos, plain_tres;
	uint32_t part_factor[PARTITIONS_N], part_cpus[PARTITIONS_N], part_mem[PARTITIONS_N],
		part_limit[PARTITIONS_N];
	uint32_t qos[QOS_N], assoc[USERS_N];
	double fairshare[USERS_N];
	struct job {
		uint32_t waited, nodes, cpus, mem, limit_s, user, part, qos;
		int32_t nice, site;
	} job[JOBS_N];
};

static uint32_t some(uint64_t *seed, uint32_t n)
{
	return fst_below(seed, 4) ? 1 + fst_below(seed, n) : 0;
}

static void draw(struct world *w, uint64_t *seed)
{
	for (int i = 0; i < 6; i++)
		w->weight[i] = some(seed, 1000000);
	w->max_age = some(seed, 604800);
	w->cpus = 1 + fst_below(seed, 5000);
	w->nodes = 1 + fst_below(seed, 60);
	w->tres_weight[0] = some(seed, 1000);
	w->tres_weight[1] = some(seed, 1000);
	w->favor_small = fst_below(seed, 2);
	w->timed = fst_below(seed, 3) == 0;
	w->plain_assoc = fst_below(seed, 4) == 0;
	w->plain_part = fst_below(seed, 4) == 0;
	w->plain_qos = fst_below(seed, 4) == 0;
	w->plain_tres = fst_below(seed, 4) == 0;
	for (int i = 0; i < PARTITIONS_N; i++) {
		w->part_factor[i] = some(seed, 100);
		w->part_cpus[i] = some(seed, 5000);
		w->part_mem[i] = some(seed, 500000);
		w->part_limit[i] = 60 * (1 + fst_below(seed, 10000));
	}
	for (int i = 0; i < QOS_N; i++)
		w->qos[i] = some(seed, 1000);
	for (int i = 0; i < USERS_N; i++)
		w->assoc[i] = some(seed, 50);
	for (int i = 0; i < JOBS_N; i++)
		w->job[i] = (struct job){ some(seed, 1000000),
					  1 + fst_below(seed, 80),
					  some(seed, 6000),
					  some(seed, 300000),
					  60 * some(seed, 5000),
					  fst_below(seed, USERS_N),
					  fst_below(seed, PARTITIONS_N),
					  fst_below(seed, QOS_N),
					  (int32_t)fst_below(seed, 20001) - 10000,
					  (int32_t)fst_below(seed, 2001) - 1000 };
}

static void put_cluster(struct fst_sink *s, const struct world *w)
{
	static const char *const names[] = { "Age",     "Assoc",     "FairShare",
					     "JobSize", "Partition", "QOS" };

	fst_put(s,
		HEADER TRES
		"{'type':'config','PriorityType':'priority/multifactor','PriorityFavorSmall':%s",
		w->favor_small ? "true" : "false");
	for (int i = 0; i < 6; i++)
		fst_put(s, ",'PriorityWeight%s':%u", names[i], w->weight[i]);
	fst_put(s,
		",'PriorityMaxAge':%u,'PriorityWeightTRES':'cpu=%u,mem=%uG','PriorityFlags':['x'",
		w->max_age, w->tres_weight[0], w->tres_weight[1]);
	fst_put(s, "%s%s%s%s%s]}\n", w->timed ? ",'SMALL_RELATIVE_TO_TIME'" : "",
		w->plain_assoc ? ",'NO_NORMAL_ASSOC'" : "",
		w->plain_part ? ",'NO_NORMAL_PART'" : "", w->plain_qos ? ",'NO_NORMAL_QOS'" : "",
		w->plain_tres ? ",'NO_NORMAL_TRES'" : "");
	for (uint32_t i = 0; i < w->nodes; i++)
		fst_put(s, REC("node", "'name':'n%u','cpus':%u"), i, i ? 0 : w->cpus);
	for (int i = 0; i < PARTITIONS_N; i++)
		fst_put(s,
			REC("partition",
				"'name':'p%d','job_factor':%u,'max_time_s':%u,'tres':{'cpu':%u,"
				"'mem':%u}"),
			i, w->part_factor[i], w->part_limit[i], w->part_cpus[i], w->part_mem[i]);
	for (int i = 0; i < QOS_N; i++)
		fst_put(s, REC("qos", "'name':'q%d','priority':%u"), i, w->qos[i]);
	fst_put(s, REC("association",
			"'id':1,'account':'root','shares':1,'priority':0,'usage_tres_s':0"));
	for (int i = 0; i < USERS_N; i++)
		fst_put(s,
			REC("association",
				"'id':%d,'account':'root','user':'u%d','shares':%d,'priority':%u,"
				"'usage_tres_s':%d"),
			i + 2, i, i + 1, w->assoc[i], 1000 * (i % 3));
}

static void put_jobs(struct fst_sink *s, const struct world *w)
{
	for (int i = 0; i < JOBS_N; i++) {
		const struct job *j = &w->job[i];

		fst_put(s,
			JOB(% d,
				"'accrue_time':%u,'nodes':%u,'cpus':%u,'user':'u%u',"
				"'account':'root',"
				"'partitions':['p%u'],'qos':['q%u'],'nice':%d,'site_factor':%d,"
				"'tres_req':{'cpu':%u,'mem':%u}"),
			i + 1, 1700000000 - j->waited, j->nodes, j->cpus, j->user, j->part, j->qos,
			j->nice, j->site, j->cpus, j->mem);
		s->len -= 2; /* "}\n" */
		if (j->limit_s)
			fst_put(s, ",'time_limit_s':%u", j->limit_s);
		fst_put(s, "}\n");
	}
}

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
