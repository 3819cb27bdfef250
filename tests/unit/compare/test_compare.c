/* compare/: rows of two states are matched, the changes of the terms add up to the change of the priority, and the
 * comparison of a state with itself shows no change. */
#include "fsprio.h"
#include "fs/compare.h"
#include "fs/scenario.h"

#define WEIGHTS "'PriorityWeightAge':1000,'PriorityMaxAge':100000,'PriorityWeightPartition':700,'PriorityWeightFairShare':10000"
#define A_JOB(id, user, fields) \
	REC("job", "'id':" #id ",'state':'PENDING','submit_time':" #id ",'eligible_time':1000,'accrue_time':1699990000," \
		   "'user':'" user "','account':'root'," fields)
#define BEFORE HEADER CONFIG(WEIGHTS) CLUSTER \
	A_JOB(1, "u", "'partitions':['p']") A_JOB(2, "v", "'partitions':['p','q']") A_JOB(3, "v", "'partitions':['q']") \
	A_JOB(4, "u", "'partitions':['p'],'nice':5")
/* Job 1 is gone, job 2 requests the partitions q and z, job 3 runs, job 4 has another nice value, and job 5 is new. */
#define AFTER HEADER CONFIG(WEIGHTS) CLUSTER \
	A_JOB(2, "v", "'partitions':['q','z']") REC("job", "'id':3,'state':'RUNNING','user':'v','account':'root','partitions':['q']") \
	A_JOB(4, "u", "'partitions':['p'],'nice':45") A_JOB(5, "u", "'partitions':['p'],'nice':5")

struct state {
	fs_snapshot *m;
	struct fs_eval eval;
};

static void open_state(struct state *s, const char *text, const struct fs_view *view)
{
	struct fs_error err;

	s->m = fst_snapshot(text);
	fst_no_error(fs_eval_compute(s->m, view, &s->eval, &err), &err);
}

static void close_state(struct state *s)
{
	fs_eval_release(&s->eval);
	fs_snapshot_free(s->m);
}

static fs_comparison *compare(struct state *a, struct state *b)
{
	const struct fs_compared before = { .eval = &a->eval }, after = { .eval = &b->eval };
	struct fs_error err;
	fs_comparison *c;

	fst_no_error(fs_compare(&c, &before, &after, &err), &err);
	return c;
}

/* Checks that the changes of each row's terms add up to the change of its sum. */
static void check_sums(const fs_comparison *c)
{
	for (size_t i = 0; i < fs_comparison_jobs(c); i++) {
		const struct fs_compared_job *j = fs_comparison_job(c, i);
		double sum = 0;

		if (isnan(j->sum_change))
			continue;
		for (size_t t = 0; t < j->nterms; t++) {
			assert_true(j->terms[t].change != 0);
			sum += j->terms[t].change;
		}
		assert_true(sum == j->sum_change);
		assert_true(j->sum_change + j->rest_change - (j->priority[1] - j->priority[0]) < 1e-9);
		assert_true(fabs(j->rest_change) < 1);
	}
}

static const struct fs_compared_job *row_of(const fs_comparison *c, uint64_t job, const char *partition)
{
	for (size_t i = 0; i < fs_comparison_jobs(c); i++) {
		const struct fs_compared_job *j = fs_comparison_job(c, i);

		if (j->job == job && (!strcmp(j->partition[0], partition) || !strcmp(j->partition[1], partition)))
			return j;
	}
	print_error("no row of job %llu in %s\n", (unsigned long long)job, partition);
	fail();
	return NULL;
}

static void rows_are_matched_by_job_and_partition(void **state)
{
	struct state a, b;
	const struct fs_compared_job *j;
	fs_comparison *c;

	(void)state;
	open_state(&a, BEFORE, NULL);
	open_state(&b, AFTER, NULL);
	c = compare(&a, &b);
	check_sums(c);
	assert_int_equal(row_of(c, 1, "p")->fate, FS_FATE_GONE);
	assert_int_equal(row_of(c, 3, "q")->fate, FS_FATE_STARTED);
	assert_int_equal(row_of(c, 5, "p")->fate, FS_FATE_NEW);
	j = row_of(c, 2, "z"); /* partition p was replaced by z */
	assert_int_equal(j->fate, FS_FATE_PENDING);
	assert_string_equal(j->partition[0], "p");
	assert_int_equal(j->nterms, 1);
	assert_string_equal(j->terms[0].name, "partition");
	assert_near(j->terms[0].change, -700 * 20. / 50, 1e-6);
	j = row_of(c, 4, "p");
	assert_int_equal(j->nterms, 1);
	assert_near(j->terms[0].change, -40, 0);
	assert_near(j->priority[1] - j->priority[0], -40, 0);
	/* jobs pending in both states come first, the greatest change first */
	assert_int_equal(fs_comparison_job(c, 0)->job, 2);
	assert_int_equal(fs_comparison_job(c, 1)->job, 4);
	assert_int_equal(fs_comparison_pending(c), 3);
	assert_int_equal(fs_comparison_shares(c), 0);
	fs_comparison_free(c);
	c = compare(&b, &a);
	assert_int_equal(row_of(c, 1, "p")->fate, FS_FATE_NEW);
	assert_near(row_of(c, 4, "p")->sum_change, 40, 0);
	fs_comparison_free(c);
	close_state(&a);
	close_state(&b);
}

static void a_state_compared_with_itself_has_no_differences(void **state)
{
	static const char *const texts[] = { BEFORE, AFTER, HEADER, HEADER CLUSTER };

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		struct state a, b;
		fs_comparison *c;

		open_state(&a, texts[i], NULL);
		open_state(&b, texts[i], NULL);
		c = compare(&a, &b);
		assert_int_equal(fs_comparison_jobs(c), 0);
		assert_int_equal(fs_comparison_shares(c), 0);
		fs_comparison_free(c);
		close_state(&a);
		close_state(&b);
	}
}

static void another_algorithm_changes_only_fair_share(void **state)
{
	const struct fs_view classic = { .algorithm = "classic" };
	struct state a, b;
	fs_comparison *c;

	(void)state;
	open_state(&a, BEFORE, NULL);
	open_state(&b, BEFORE, &classic);
	c = compare(&a, &b);
	check_sums(c);
	assert_true(fs_comparison_shares(c) > 0);
	for (size_t i = 0; i < fs_comparison_jobs(c); i++)
		if (fs_comparison_job(c, i)->nterms)
			assert_string_equal(fs_comparison_job(c, i)->terms[0].name, "fairshare");
	fs_comparison_free(c);
	close_state(&a);
	close_state(&b);
}

static void a_priority_set_by_an_administrator_replaces_all_terms(void **state)
{
	struct state a, b;
	const struct fs_compared_job *j;
	fs_comparison *c;
	struct fs_error err;

	(void)state;
	open_state(&a, BEFORE, NULL);
	b.m = fst_snapshot(BEFORE);
	fst_no_error(fs_snapshot_edit(b.m, "scontrol update job 4 Priority=9000", NULL, &err), &err);
	fst_no_error(fs_eval_compute(b.m, NULL, &b.eval, &err), &err);
	c = compare(&a, &b);
	check_sums(c);
	j = row_of(c, 4, "p");
	assert_string_equal(j->terms[j->nterms - 1].name, "direct");
	assert_near(j->terms[j->nterms - 1].change, 9000, 0);
	fs_comparison_free(c);
	close_state(&a);
	close_state(&b);
}

static void put_job(struct fst_sink *s, uint64_t *seed, int id)
{
	static const char *const partitions[] = { "['p']", "['q']", "['p','q']", "['q','z']", "['z','q','p']" };

	if (!fst_below(seed, 8))
		return;
	fst_put(s, REC("job", "'id':%d,'state':'%s','submit_time':%d,'eligible_time':1000,'accrue_time':%u,'user':'%s',"
			      "'account':'root','nice':%u,'partitions':%s"),
		id, fst_below(seed, 8) ? "PENDING" : "RUNNING", id, 1699990000u + fst_below(seed, 20000),
		fst_below(seed, 2) ? "u" : "v", fst_below(seed, 50), partitions[fst_below(seed, 5)]);
}

static void changes_of_random_states_add_up(void **state)
{
	uint64_t seed = 77;

	(void)state;
	for (int round = 0; round < 60; round++) {
		struct fst_sink s[2] = { { 0 }, { 0 } };
		struct state a, b;
		fs_comparison *c;

		for (int k = 0; k < 2; k++) {
			fst_put(&s[k], "%s", HEADER CONFIG(WEIGHTS));
			fst_put(&s[k], "%s", CLUSTER);
			for (int id = 1; id < 40; id++)
				put_job(&s[k], &seed, id);
		}
		open_state(&a, s[0].data, NULL);
		open_state(&b, s[1].data, NULL);
		c = compare(&a, &b);
		check_sums(c);
		for (size_t i = 1; i < fs_comparison_jobs(c); i++)
			assert_true(fs_comparison_job(c, i - 1)->fate <= fs_comparison_job(c, i)->fate);
		fs_comparison_free(c);
		close_state(&a);
		close_state(&b);
		fst_free(&s[0]);
		fst_free(&s[1]);
	}
}

/* ---- ranks */

#define TREE_HEAD HEADER CONFIG("'PriorityWeightFairShare':10000") \
	REC("association", "'id':1,'account':'root','shares':1,'usage_tres_s':0")

/* Writes accounts a to d (b is below a), each with some users. Draws from few different numbers, so that ties are
 * frequent. */
static void put_tree(struct fst_sink *s, uint64_t *seed, bool grows)
{
	static const char accounts[] = "abcd";
	int id = 2;

	fst_put(s, "%s", TREE_HEAD);
	for (int i = 0; i < 4; i++)
		fst_put(s, i == 3 ? REC("association", "'id':%d,'account':'%c','parent':'%s','shares':'parent','usage_tres_s':0")
				  : REC("association", "'id':%d,'account':'%c','parent':'%s','shares':1,'usage_tres_s':0"),
			id++, accounts[i], i == 1 ? "a" : "root");
	for (int i = 0; i < 4; i++)
		for (int u = 0; u < 4; u++)
			if (!grows || fst_below(seed, 6))
				fst_put(s, REC("association", "'id':%d,'account':'%c','user':'u%d','shares':%u,'usage_tres_s':%u"),
					100 + 10 * i + u, accounts[i], u, fst_below(seed, 4), fst_below(seed, 5) * 100);
}

static void check_ranks(fs_comparison *c, size_t *told)
{
	for (size_t i = 0; i < fs_comparison_shares(c); i++) {
		const struct fs_compared_share *s = fs_comparison_share(c, i);
		const struct fs_rank_cause *cause;
		double sum = 0;
		size_t n;

		assert_int_equal(fs_comparison_rank_causes(c, i, &cause, &n), 0);
		for (size_t k = 0; k < n; k++) {
			sum += cause[k].change;
			*told += cause[k].kind == FS_RANK_PASSED || cause[k].kind == FS_RANK_PASSES;
			assert_true(!k || fabs(cause[k - 1].change) >= fabs(cause[k].change));
		}
		if (s->row[0] && s->row[1] && *s->row[1]->user && s->row[0]->rank && s->row[1]->rank)
			assert_near(sum, s->row[1]->fairshare - s->row[0]->fairshare, 1e-12);
		else
			assert_int_equal(n, 0);
	}
}

static void causes_of_rank_changes_add_up(void **state)
{
	uint64_t seed = 5;
	size_t told = 0;

	(void)state;
	for (int round = 0; round < 300; round++) {
		struct fst_sink s[2] = { { 0 }, { 0 } };
		struct state a, b;
		fs_comparison *c;

		put_tree(&s[0], &seed, round % 2);
		put_tree(&s[1], &seed, round % 2);
		open_state(&a, s[0].data, NULL);
		open_state(&b, s[1].data, NULL);
		c = compare(&a, &b);
		check_ranks(c, &told);
		fs_comparison_free(c);
		close_state(&a);
		close_state(&b);
		fst_free(&s[0]);
		fst_free(&s[1]);
	}
	assert_true(told > 1000);
}

/* erin's usage falls below dana's, so erin passes dana. */
static void the_user_who_passed_is_the_cause(void **state)
{
#define TWO(use) TREE_HEAD \
	REC("association", "'id':2,'account':'p','parent':'root','shares':1,'usage_tres_s':0") \
	REC("association", "'id':3,'account':'p','user':'dana','shares':1,'usage_tres_s':40") \
	REC("association", "'id':4,'account':'p','user':'erin','shares':1,'usage_tres_s':" #use)
	struct state a, b;
	fs_comparison *c;
	const struct fs_rank_cause *cause;
	size_t n, found = 0;

	(void)state;
	open_state(&a, TWO(60), NULL);
	open_state(&b, TWO(20), NULL);
	c = compare(&a, &b);
	for (size_t i = 0; i < fs_comparison_shares(c); i++) {
		if (strcmp(fs_comparison_share(c, i)->row[1]->user, "dana") != 0)
			continue;
		assert_int_equal(fs_comparison_rank_causes(c, i, &cause, &n), 0);
		assert_int_equal(n, 1);
		assert_int_equal(cause->kind, FS_RANK_PASSED);
		assert_string_equal(cause->other[1]->user, "erin");
		assert_int_equal(cause->users, 1);
		assert_near(cause->change, -0.5, 1e-12);
		found++;
	}
	assert_int_equal(found, 1);
	fs_comparison_free(c);
	close_state(&a);
	close_state(&b);
}

/* ---- factors of the classic algorithm */

#define CLASSIC_HEAD(time) \
	"{'type':'snapshot','format':1,'time':" time ",'priority_time':" time ",'cluster':'c','scheduler':'slurm 22.05.8'}\n" \
	REC("config", "'PriorityFlags':['NO_FAIR_TREE'],'PriorityDecayHalfLife':604800,'PriorityCalcPeriod':300," \
		      "'PriorityType':'priority/multifactor','FairShareDampeningFactor':2") \
	REC("association", "'id':1,'account':'root','usage_tres_s':0")

static void put_classic(struct fst_sink *s, const char *head, uint64_t *seed, double scale)
{
	int id = 2;

	fst_put(s, "%s", head);
	for (int i = 0; i < 3; i++) {
		fst_put(s, REC("association", "'id':%d,'account':'%c','parent':'%s','shares':%u,'usage_tres_s':0"), id++, "abc"[i],
			i == 1 ? "a" : "root", 1 + fst_below(seed, 3));
		for (int u = 0; u < 3; u++)
			fst_put(s, REC("association", "'id':%d,'account':'%c','user':'u%d','shares':%u,'usage_tres_s':%.6f"), id++, "abc"[i], u,
				1 + fst_below(seed, 3), (1 + fst_below(seed, 9)) * 1000 * scale);
	}
}

static size_t check_classic(const char *from, const char *to, bool decay_alone)
{
	struct state a, b;
	fs_comparison *c;
	size_t told = 0;

	open_state(&a, from, NULL);
	open_state(&b, to, NULL);
	c = compare(&a, &b);
	for (size_t i = 0; i < fs_comparison_shares(c); i++) {
		const struct fs_compared_share *s = fs_comparison_share(c, i);
		const struct fs_rank_cause *cause;
		double sum = 0;
		size_t n;

		assert_int_equal(fs_comparison_rank_causes(c, i, &cause, &n), 0);
		for (size_t k = 0; k < n; k++) {
			sum += cause[k].change;
			assert_true(!decay_alone || fabs(cause[k].change) < 1e-9);
			if (cause[k].kind == FS_RANK_REST)
				assert_near(cause[k].change, 0, 1e-9);
		}
		if (n)
			assert_near(sum, s->row[1]->fairshare - s->row[0]->fairshare, 1e-12);
		told += n;
	}
	fs_comparison_free(c);
	close_state(&a);
	close_state(&b);
	return told;
}

/* If all numbers of a state are from the same time, the causes explain the whole change of the factor. */
static void causes_of_classic_factor_changes_add_up(void **state)
{
	size_t told = 0;

	(void)state;
	for (uint64_t i = 0; i < 60; i++) {
		struct fst_sink from = { 0 }, to = { 0 };
		uint64_t x = i * 3 + 1, y = i * 5 + 2;

		put_classic(&from, CLASSIC_HEAD("1700000000"), &x, 1);
		put_classic(&to, CLASSIC_HEAD("1700000000"), &y, 1);
		told += check_classic(from.data, to.data, false);
		fst_free(&from);
		fst_free(&to);
	}
	assert_true(told > 500);
}

/* One week later all usage is halved; no association caused a change. */
static void decay_alone_has_no_causes(void **state)
{
	struct fst_sink from = { 0 }, to = { 0 };
	uint64_t x = 9, y = 9;
	const double left = pow(1 - 0.693 / 604800, 604800);

	(void)state;
	put_classic(&from, CLASSIC_HEAD("1700000000"), &x, 1);
	put_classic(&to, CLASSIC_HEAD("1700604800"), &y, left);
	check_classic(from.data, to.data, true);
	fst_free(&from);
	fst_free(&to);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_are_matched_by_job_and_partition),
		cmocka_unit_test(a_state_compared_with_itself_has_no_differences),
		cmocka_unit_test(another_algorithm_changes_only_fair_share),
		cmocka_unit_test(a_priority_set_by_an_administrator_replaces_all_terms),
		cmocka_unit_test(changes_of_random_states_add_up),
		cmocka_unit_test(causes_of_rank_changes_add_up),
		cmocka_unit_test(the_user_who_passed_is_the_cause),
		cmocka_unit_test(causes_of_classic_factor_changes_add_up),
		cmocka_unit_test(decay_alone_has_no_causes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
