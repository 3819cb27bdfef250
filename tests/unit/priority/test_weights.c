/* priority/weights.c: the number of counted pairs must be the same as in a comparison of each job with every other
 * job. */
#include "fsmaui.h"
#include "fs/weights.h"
#include "fsworld.h"

static double without(const struct fs_prio_row *row, size_t terms, size_t t)
{
	double sum = 0;

	for (size_t k = 0; k < terms; k++)
		sum += k == t ? 0 : row->terms[k].points;
	return sum;
}

/* Returns the priority that the controller stores for a sum of terms: a whole number of at least 1. */
static double kept(double sum)
{
	return sum < 1 ? 1 : trunc(sum);
}

struct plain {
	const char *partition;
	double with, without, points;
	int64_t submit;
};

/* Returns true if job a, which has the lower id, is tried before job b. `pa`, `pb`: their priorities. */
static bool first(const struct plain *a, const struct plain *b, double pa, double pb)
{
	return pa != pb ? pa > pb : a->submit <= b->submit;
}

static int64_t submit_of(const fs_snapshot *m, uint32_t job_row)
{
	struct fs_job j;

	fs_snapshot_job(m, job_row, &j);
	return j.times.submit;
}

static void check(const fs_snapshot *m, fs_prios *p)
{
	const size_t n = fs_prios_count(p), terms = fs_prios_terms(p);
	struct plain *v = malloc((n + 1) * sizeof(*v));
	struct fs_error err;
	fs_weights *w = NULL;

	assert_non_null(v);
	fst_no_error(fs_weights_compute(&w, p, &err), &err);
	assert_int_equal(fs_weights_count(w), terms);
	assert_int_equal(fs_weights_rows(w), n);
	for (size_t t = 0; t < terms; t++) {
		const struct fs_weight_row *row = fs_weights_row(w, t);
		uint64_t flips = 0, pairs = 0;
		double min = INFINITY, low = INFINITY, high = -INFINITY;

		for (size_t i = 0; i < n; i++) {
			struct fs_prio_row r;

			fs_prios_row(p, i, &r);
			v[i].partition = r.partition;
			v[i].without = without(&r, terms, t);
			v[i].with = without(&r, terms, terms);
			v[i].submit = submit_of(m, r.job_row);
			v[i].points = r.terms[t].points;
			low = fmin(low, nearbyint(v[i].without * 1e6));
			high = fmax(high, nearbyint(v[i].without * 1e6));
		}
		for (size_t i = 0; i < n; i++)
			for (size_t k = i + 1; k < n; k++) {
				const double gap = nearbyint(fabs(v[i].points - v[k].points) * 1e6);

				min = gap > 0 && gap < min ? gap : min;
				if (strcmp(v[i].partition, v[k].partition) != 0)
					continue;
				pairs++;
				flips += first(&v[i], &v[k], kept(v[i].with), kept(v[k].with)) !=
					 first(&v[i], &v[k], kept(v[i].without), kept(v[k].without));
			}
		assert_int_equal(row->flips, flips);
		assert_int_equal(fs_weights_pairs(w), pairs);
		assert_int_equal(row->alone, isfinite(min) && min > high - low);
	}
	fs_weights_free(w);
	free(v);
}

static void the_counts_equal_those_of_a_pairwise_comparison(void **state)
{
	uint64_t seed = 5;

	(void)state;
	for (int i = 0; i < 60; i++) {
		struct fst_sink s = { 0 };
		struct world w;
		fs_snapshot *m;
		fs_prios *p;

		draw(&w, &seed);
		put_cluster(&s, &w);
		put_jobs(&s, &w);
		m = fst_snapshot(s.data);
		p = fst_prios(m, NULL);
		check(m, p);
		fs_prios_free(p);
		fs_snapshot_free(m);
		fst_free(&s);
	}
}

/* If the only weight by which two priorities differ is left out, the jobs are ordered by submission time and id. If
 * this is the same order as with the weight, the weight has no influence. A difference of less than one point does not
 * order jobs. */
static void jobs_of_equal_priority_are_ordered_by_submission(void **state)
{
#define OF(id, submit, qos) JOB(id, "'user':'u','account':'root','partitions':['p'],'qos':['" qos "'],'submit_time':" #submit ",'cpus':1")
	fs_snapshot *m = fst_snapshot(HEADER CONFIG("'PriorityWeightQOS':1000,'PriorityWeightAge':1,'PriorityMaxAge':604800") CLUSTER
		OF(1, 1600000000, "high") OF(2, 1600000001, "low") OF(3, 1599999999, "low") OF(4, 1600000001, "high"));
	fs_prios *p = fst_prios(m, NULL);
	struct fs_error err;
	fs_weights *w = NULL;

	(void)state;
	fst_no_error(fs_weights_compute(&w, p, &err), &err);
	/* pairs whose order changes: jobs 1 and 3, 4 and 3, 4 and 2 */
	assert_int_equal(fs_weights_row(w, FS_FACTOR_QOS)->flips, 3);
	assert_int_equal(fs_weights_row(w, FS_FACTOR_AGE)->flips, 0);
	fs_weights_free(w);
	fs_prios_free(p);
	fs_snapshot_free(m);
}

/* A weight of 0 changes no order; a weight that exceeds all others decides alone. */
static void unused_and_dominating_weights_are_detected(void **state)
{
	fs_snapshot *m = fst_snapshot(HEADER CONFIG("'PriorityWeightQOS':1000000,'PriorityWeightAge':10,'PriorityMaxAge':604800") CLUSTER
		JOB(1, "'user':'v','account':'root','partitions':['p'],'qos':['low'],'accrue_time':1699999999,'cpus':1")
		JOB(2, "'user':'u','account':'root','partitions':['p'],'qos':['high'],'cpus':1")
		JOB(3, "'user':'u','account':'root','partitions':['p'],'qos':['low'],'accrue_time':1600000000,'cpus':1"));
	fs_prios *p = fst_prios(m, NULL);
	struct fs_error err;
	fs_weights *w = NULL;

	(void)state;
	fst_no_error(fs_weights_compute(&w, p, &err), &err);
	assert_int_equal(fs_weights_pairs(w), 3);
	assert_true(fs_weights_row(w, FS_FACTOR_QOS)->alone);
	assert_int_equal(fs_weights_row(w, FS_FACTOR_QOS)->flips, 2);
	assert_false(fs_weights_row(w, FS_FACTOR_AGE)->alone);
	assert_int_equal(fs_weights_row(w, FS_FACTOR_AGE)->flips, 1);
	assert_int_equal(fs_weights_row(w, FS_FACTOR_AGE)->full, 1);
	assert_int_equal(fs_weights_row(w, FS_FACTOR_JOBSIZE)->flips, 0);
	assert_int_equal(fs_weights_row(w, FS_FACTOR_FAIRSHARE)->flips, 0);
	fs_weights_free(w);
	fs_prios_free(p);
	fs_snapshot_free(m);
}

#define TWO_PARTITIONS(tier, on)                                                                                   \
	HEADER CONFIG("'PriorityWeightPartition':1000,'PriorityWeightAge':1,'PriorityMaxAge':604800") CLUSTER          \
	REC("partition", "'name':'x','tier':1,'job_factor':1") REC("partition", "'name':'y','tier':" tier ",'job_factor':9") \
	REC("node", "'name':'m1','partitions':['x']") REC("node", "'name':'m2','partitions':['" on "','y']")           \
	JOB(1, "'user':'u','account':'root','partitions':['x'],'accrue_time':1600000000,'cpus':1")                   \
	JOB(2, "'user':'u','account':'root','partitions':['y'],'cpus':1")

static void two_partitions(const char *text, uint64_t pairs)
{
	fs_snapshot *m = fst_snapshot(text);
	fs_prios *p = fst_prios(m, NULL);
	struct fs_error err;
	fs_weights *w = NULL;

	fst_no_error(fs_weights_compute(&w, p, &err), &err);
	assert_int_equal(fs_weights_pairs(w), pairs);
	assert_int_equal(fs_weights_row(w, FS_FACTOR_PARTITION)->flips, pairs);
	fs_weights_free(w);
	fs_prios_free(p);
	fs_snapshot_free(m);
}

/* The partition factor decides only between jobs of partitions that share nodes and have the same tier. */
static void jobs_of_partitions_sharing_nodes_and_tier_are_compared(void **state)
{
	(void)state;
	two_partitions(TWO_PARTITIONS("1", "x"), 1);
	two_partitions(TWO_PARTITIONS("2", "x"), 0);
	two_partitions(TWO_PARTITIONS("1", "y"), 0);
}

/* Maui has one order for the jobs of all classes. */
static void jobs_of_all_classes_are_compared_in_maui(void **state)
{
#define OF_CLASS(id, name, cpus) \
	REC("job", "'id':" #id ",'state':'PENDING','partitions':['" name "'],'submit_time':1,'eligible_time':1,'cpus':" #cpus ",'user':'u'")
	fs_snapshot *m = fst_snapshot(FST_MAUI_HEAD REC("config", "'RESWEIGHT':1,'PROCWEIGHT':1") REC("credential", "'kind':'user','name':'u'")
		OF_CLASS(1, "a", 1) OF_CLASS(2, "b", 2) OF_CLASS(3, "a", 3));
	fs_prios *p = fst_prios(m, NULL);
	struct fs_error err;
	fs_weights *w = NULL;

	(void)state;
	fst_no_error(fs_weights_compute(&w, p, &err), &err);
	assert_int_equal(fs_weights_pairs(w), 3);
	fs_weights_free(w);
	fs_prios_free(p);
	fs_snapshot_free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_counts_equal_those_of_a_pairwise_comparison),
		cmocka_unit_test(jobs_of_equal_priority_are_ordered_by_submission),
		cmocka_unit_test(unused_and_dominating_weights_are_detected),
		cmocka_unit_test(jobs_of_all_classes_are_compared_in_maui),
		cmocka_unit_test(jobs_of_partitions_sharing_nodes_and_tier_are_compared),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
