/* priority/slurm: which jobs have rows, the order of rows, and the sum of a row. */
#include "fsprio.h"

#define WEIGHTS "'PriorityWeightAge':1000,'PriorityWeightPartition':100,'PriorityWeightQOS':10," \
	"'PriorityWeightFairShare':2000,'PriorityMaxAge':1000"

/* Compares all rows with "job/partition/qos job/partition/qos ...". */
static void expect_rows(const char *text, const char *want)
{
	fs_snapshot *m = fst_snapshot(text);
	fs_prios *p = fst_prios(m, NULL);
	struct fst_sink s = { 0 };
	struct fs_prio_row r;

	fst_put(&s, "%s", "");
	for (size_t i = 0; i < fs_prios_count(p); i++) {
		fs_prios_row(p, i, &r);
		fst_put(&s, "%s%llu/%s/%s", i ? " " : "", (unsigned long long)r.job, r.partition,
			r.qos);
	}
	assert_string_equal(s.data, want);
	fst_free(&s);
	fs_prios_free(p);
	fs_snapshot_free(m);
}

/* job 2 is held, 3 dependent, 4 and 9 are not eligible yet */
#define STATES(config) HEADER CLUSTER CONFIG(WEIGHTS config) \
	JOB(1, "'priority':5,'submit_time':900") JOB(2, "'priority':0,'submit_time':900") \
	REC("job", "'id':3,'state':'PENDING','submit_time':900") \
	REC("job", "'id':4,'state':'PENDING','eligible_time':1700000031,'submit_time':900") \
	REC("job", "'id':5,'state':'PENDING','eligible_time':1700000030,'submit_time':900") \
	REC("job", "'id':6,'state':'RUNNING','eligible_time':9,'submit_time':9,'qos':['low']") \
	REC("job", "'id':7,'state':'COMPLETED','eligible_time':9,'submit_time':9,'qos':['low']") \
	REC("job", "'id':8,'state':'REVOKED','eligible_time':1000,'submit_time':900") \
	REC("job", "'id':9,'state':'PENDING','submit_time':1700000031") \
	REC("job", "'id':10,'state':'COMPLETING','eligible_time':9,'submit_time':9,'start_time':20")

static void held_future_and_dependent_jobs_have_no_row(void **state)
{
	(void)state;
	expect_rows(STATES(""), "1// 5//");
}

static void priority_flags_add_rows_of_other_jobs(void **state)
{
	(void)state;
	expect_rows(STATES(",'PriorityFlags':['ACCRUE_ALWAYS']"), "1// 3// 4// 5//");
	expect_rows(STATES(",'PriorityFlags':['CALCULATE_RUNNING']"), "1// 5// 6//low 7// 10//");
}

static void a_requeued_job_whose_nodes_are_cleared_is_pending(void **state)
{
	(void)state;
	expect_rows(HEADER CLUSTER CONFIG(WEIGHTS)
		    REC("job", "'id':1,'state':'COMPLETING','eligible_time':9,'submit_time':9")
		    REC("job", "'id':2,'state':'COMPLETING','eligible_time':9,'submit_time':9,'start_time':20")
		    REC("job", "'id':3,'state':'COMPLETING','eligible_time':9,'submit_time':9,'start_time':1700000031"),
		    "1// 3//");
}

static void a_job_has_a_row_for_each_partition_and_qos(void **state)
{
	(void)state;
	/* Rows are sorted by the tier of the partition (p 1, q 3, z 1), highest first. Rows of equal tier are in the
	 * order in which the job lists its partitions. Rows of one partition are sorted by the priority of the QOS,
	 * highest first. */
	expect_rows(HEADER CLUSTER CONFIG(WEIGHTS) JOB(9, "'partitions':['z','p','gone','q']")
		JOB(2, "'partitions':['p','q'],'qos':['none','high','low']")
		JOB(3, "'qos':['low']"),
		    "2/q/high 2/q/low 2/q/none 2/p/high 2/p/low 2/p/none 3//low 9/q/ 9/z/ 9/p/ "
		    "9/gone/");
	/* one partition is unknown, but the snapshot has the recorded order of the job's rows */
	expect_rows(HEADER CLUSTER CONFIG(WEIGHTS) JOB(2, "'partitions':['p','q','gone'],'row_order':['q','gone','p'],'qos':['low','high']"),
		    "2/q/high 2/q/low 2/gone/high 2/gone/low 2/p/high 2/p/low");
}

static void a_row_shows_the_fields_of_its_job(void **state)
{
	fs_snapshot *m = fst_snapshot(HEADER CLUSTER CONFIG(WEIGHTS)
		JOB(9007199254740993,
			"'user':'u','account':'root','partitions':['p','q'],"
			"'qos':['low'],'sluid':'s1','uid':7") JOB(5, "'nice':0"));
	fs_prios *p = fst_prios(m, NULL);
	struct fs_prio_row r;

	(void)state;
	assert_int_equal(fs_prios_count(p), 3);
	fs_prios_row(p, 2, &r);
	assert_int_equal(r.job, 9007199254740993);
	assert_string_equal(r.user, "u");
	assert_string_equal(r.account, "root");
	assert_string_equal(r.partition, "p");
	assert_string_equal(r.qos, "low");
	assert_string_equal(r.sluid, "s1");
	assert_int_equal(r.uid, 7);
	assert_int_equal(r.job_row, 1);
	assert_near(r.stored_priority, r.priority, 0);
	assert_true(r.visible);
	assert_false(r.set_directly);
	fs_prios_free(p);
	fs_snapshot_free(m);
}

/* If the share tree is hidden, each row uses the factor that is recorded for its partition and QOS. */
static void hidden_factors_are_the_recorded_ones_of_the_row(void **state)
{
	fs_snapshot *m = fst_snapshot("{'type':'snapshot','format':1,'time':1700000030,'priority_time':1700000000,'cluster':'c',"
		"'scheduler':'slurm 26.05.0','hidden':['association']}\n" TRES NODES PARTITIONS QOS CONFIG("'PriorityWeightFairShare':2000")
		REC("recorded", "'job':1,'partition':'z','norm_fairshare':0.125")
		REC("recorded", "'job':1,'partition':'p','qos':'low','norm_fairshare':0.25")
		REC("recorded", "'job':1,'partition':'p','qos':'high','norm_fairshare':0.5")
		REC("recorded", "'job':1,'partition':'q','norm_fairshare':0.75")
		JOB(1, "'partitions':['p','q'],'qos':['low','high']"));
	fs_prios *p = fst_prios(m, NULL);
	struct fs_prio_row r;

	(void)state;
	assert_int_equal(fs_prios_count(p), 4);
	for (size_t i = 0; i < 4; i++) {
		fs_prios_row(p, i, &r);
		assert_near(fst_term(p, &r, "fairshare").value,
			    strcmp(r.partition, "p") ? 0.75 : strcmp(r.qos, "low") ? 0.5 : 0.25, 0);
	}
	fs_prios_free(p);
	fs_snapshot_free(m);
}

static void expect_priority(const char *text, double sum, double priority)
{
	fs_snapshot *m = fst_snapshot(text);
	fs_prios *p = fst_prios(m, NULL);
	struct fs_prio_row r;

	fs_prios_row(p, 0, &r);
	assert_near(r.sum, sum, 1e-9);
	assert_near(r.priority, priority, 0);
	fs_prios_free(p);
	fs_snapshot_free(m);
}

static void priorities_are_truncated_sums_of_at_least_one(void **state)
{
	(void)state;
	expect_priority(HEADER CONFIG(WEIGHTS) JOB(1, "'accrue_time':1699999877,'association':0"),
			NAN, NAN);
#define AGED(rest) HEADER CLUSTER CONFIG("'PriorityWeightAge':10,'PriorityMaxAge':1000") \
	JOB(1, "'accrue_time':1699999877," rest) /* 1.23 points */
	expect_priority(AGED("'nice':0"), 1.23, 1);
	expect_priority(AGED("'nice':-98"), 99.23, 99);
	expect_priority(AGED("'nice':-1,'site_factor':1"), 3.23, 3);
	expect_priority(AGED("'nice':1"), .23, 1);
	expect_priority(AGED("'nice':100"), -98.77, 1);
	/* the controller limits a priority to 2^32 - 1, but sprio does not */
	expect_priority(AGED("'nice':-2147483648,'site_factor':2147483647"), 4294967296.23,
			4294967296);
}

static void the_priority_is_the_sum_of_weighted_factors(void **state)
{
	/* weights times factors, plus the site factor, minus nice: 1000 * .5 + 2000 * 1 + 100 * .4 + 10 * .25 + 7 -
	 * 5 */
	(void)state;
	expect_priority(
		HEADER CLUSTER CONFIG(WEIGHTS)
		JOB(1,
			"'accrue_time':1699999500,'association':2,'partitions':['p'],"
			"'qos':['low']," "'site_factor':7,'nice':5"),
		2544.5, 2544);
}

#define ADMIN(partitions) \
	JOB(1, \
		"'accrue_time':5,'priority':77,'priority_set':4000000000,'site_factor':3," \
		"'nice':9," "'partitions':[" partitions "]")

static void a_priority_set_by_an_administrator_replaces_the_sum(void **state)
{
	fs_snapshot *m = fst_snapshot(HEADER CLUSTER CONFIG(WEIGHTS) ADMIN("'p','q'"));
	fs_prios *p = fst_prios(m, NULL);
	struct fs_prio_row r;

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		fs_prios_row(p, i, &r);
		assert_true(r.set_directly);
		assert_same_double(r.sum, 4000000000);
		assert_same_double(r.priority, 4000000000);
		for (size_t t = 0; t < fs_prios_terms(p); t++)
			assert_same_double(r.terms[t].points, 0);
	}
	fs_prios_free(p);
	fs_snapshot_free(m);
}

/* Before 23.02, sprio prints wrong terms for a job with several partitions whose priority an administrator set: the
 * points of the partition, and -2147483648 for site and nice. */
static void sprio_before_23_02_misprints_priorities_set_by_administrators(void **state)
{
	static const struct fs_prios_options o = { .as_printed = true,
						   .view.compat = FS_SLURM_VERSION(22, 5) };
	fs_snapshot *m = fst_snapshot(HEADER CLUSTER CONFIG(WEIGHTS) ADMIN("'p','q'"));
	fs_prios *p = fst_prios(m, &o);
	struct fs_prio_row r;

	(void)state;
	fs_prios_row(p, 1, &r);
	assert_false(r.set_directly);
	assert_same_double(fst_term(p, &r, "site").points, -2147483648.);
	assert_same_double(fst_term(p, &r, "nice").value, -2147483648.);
	assert_same_double(fst_term(p, &r, "age").points, 0);
	assert_same_double(r.priority, 40);
	fs_prios_free(p);
	fs_snapshot_free(m);
	m = fst_snapshot(HEADER CLUSTER CONFIG(WEIGHTS) ADMIN("'p'"));
	p = fst_prios(m, &o);
	fs_prios_row(p, 0, &r);
	assert_same_double(r.priority, 4000000000);
	fs_prios_free(p);
	fs_snapshot_free(m);
}

static void weights_are_listed_by_name_in_a_fixed_order(void **state)
{
	static const char *const names[] = { "age",       "assoc",    "fairshare",    "jobsize",
					     "partition", "qos",      "site",         "nice",
					     "tres/cpu",  "tres/mem", "tres/gres/gpu" };
	static const double weights[] = { 1, 2, 3, 4, 5, 6, 1, -1, 2 / 1024., 0.25 / 1024, 8 };
	fs_snapshot *m = fst_snapshot(
		HEADER CLUSTER
		CONFIG("'PriorityWeightAge':1,'PriorityWeightAssoc':2,"
			"'PriorityWeightFairShare':3,'PriorityWeightJobSize':4,"
			"'PriorityWeightPartition':5,'PriorityWeightQOS':6,"
			"'PriorityWeightTRES':'gres/gpu=8,MEM=0.25G,cpu=2K'"));
	fs_prios *p = fst_prios(m, NULL);

	(void)state;
	assert_int_equal(fs_prios_terms(p), 11);
	for (size_t i = 0; i < 11; i++) {
		assert_string_equal(fs_prios_weights(p)[i].name, names[i]);
		assert_same_double(fs_prios_weights(p)[i].weight, weights[i]);
		assert_int_equal(fs_prios_weights(p)[i].factor,
				 i < FS_FACTOR_TRES ? (int)i : FS_FACTOR_TRES);
	}
	fs_prios_free(p);
	fs_snapshot_free(m);
}

static void refuses(const char *text, enum fs_code code, uint64_t line, const char *field)
{
	fs_snapshot *m = fst_snapshot(text);
	struct fs_error err = { .code = FS_OK };
	fs_prios *p = NULL;

	assert_int_equal(fs_prios_compute(&p, m, NULL, &err), code);
	assert_null(p);
	fst_expect(&err, code, line, field, "");
	fs_snapshot_free(m);
}

static void bad_configurations_are_errors(void **state)
{
	static const struct {
		const char *entry, *field;
	} bad[] = {
		{ "'PriorityWeightAge':-1", "PriorityWeightAge" },
		{ "'PriorityWeightQOS':4294967296", "PriorityWeightQOS" },
		{ "'PriorityWeightAssoc':1.5", "PriorityWeightAssoc" },
		{ "'PriorityMaxAge':'7-0'", "PriorityMaxAge" },
		{ "'PriorityMaxAge':-1", "PriorityMaxAge" },
		{ "'PriorityFavorSmall':1", "PriorityFavorSmall" },
		{ "'PriorityWeightTRES':7", "PriorityWeightTRES" },
		{ "'PriorityWeightTRES':'cpu'", "PriorityWeightTRES" },
		{ "'PriorityWeightTRES':'cpu='", "PriorityWeightTRES" },
		{ "'PriorityWeightTRES':'cpu=1X'", "PriorityWeightTRES" },
		{ "'PriorityWeightTRES':'cpu=-1'", "PriorityWeightTRES" },
		{ "'PriorityWeightTRES':'cpux=1'", "PriorityWeightTRES" },
		{ "'PriorityWeightTRES':'=1'", "PriorityWeightTRES" },
	};
	char text[4000];

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		snprintf(text, sizeof(text),
			 HEADER "%s{'type':'config','PriorityType':'priority/multifactor',%s}\n",
			 TRES, bad[i].entry);
		refuses(text, FS_EDATA, 6, bad[i].field);
	}
	refuses(HEADER CLUSTER, FS_ENODATA, 0, "");
	refuses(HEADER REC("config", "'PriorityType':'priority/basic'"), FS_ENODATA, 0, "");
}

static void private_data_hides_rows_of_other_users(void **state)
{
	static const struct {
		const char *viewer;
		bool sees[3]; /* indexed by job: job 1 of user u, jobs 2 and 3 of user v; job 3 is in account a */
	} cases[] = {
		{ NULL, { true, true, true } },          { "u", { true, false, false } },
		{ "v", { false, true, true } },          { "co", { false, false, true } },
		{ "op", { true, true, true } },          { "root", { true, true, true } },
		{ "stranger", { false, false, false } },
	};
	fs_snapshot *m = fst_snapshot(
		HEADER CLUSTER
		REC("association", "'id':9,'account':'a','parent':'root','priority':0")
		REC("config", "'PriorityType':'priority/multifactor','PrivateData':['jobs']")
		REC("user", "'name':'co','coordinates':['a']")
		REC("user", "'name':'op','admin':'operator'")
		JOB(1, "'user':'u','account':'root'") JOB(2, "'user':'v','account':'root'")
		JOB(3, "'user':'v','account':'a'"));

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const struct fs_prios_options o = { .view.viewer = cases[i].viewer };
		fs_prios *p = fst_prios(m, &o);
		struct fs_prio_row r;

		for (size_t k = 0; k < 3; k++) {
			fs_prios_row(p, k, &r);
			assert_int_equal(r.visible, cases[i].sees[k]);
		}
		fs_prios_free(p);
	}
	fs_snapshot_free(m);
}

static void each_reader_has_its_own_rows(void **state)
{
	(void)state;
	fs_snapshot *m = fst_snapshot(HEADER CLUSTER CONFIG(WEIGHTS ",'PriorityWeightTRES':'cpu=500,mem=7'")
		JOB(1, "'partitions':['p','q'],'qos':['high'],'association':2,'submit_time':900,'accrue_time':1699999000,"
		       "'tres_req':{'cpu':64,'mem':100},'nice':3")
		JOB(2, "'qos':['low'],'association':3,'tres_req':{'cpu':1}") JOB(3, "'priority':7,'priority_set':7"));
	fs_prios *p = fst_prios(m, NULL);

	fst_check_rows_apart(p);
	fs_prios_free(p);
	fs_snapshot_free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(held_future_and_dependent_jobs_have_no_row),
		cmocka_unit_test(priority_flags_add_rows_of_other_jobs),
		cmocka_unit_test(a_requeued_job_whose_nodes_are_cleared_is_pending),
		cmocka_unit_test(a_job_has_a_row_for_each_partition_and_qos),
		cmocka_unit_test(a_row_shows_the_fields_of_its_job),
		cmocka_unit_test(hidden_factors_are_the_recorded_ones_of_the_row),
		cmocka_unit_test(priorities_are_truncated_sums_of_at_least_one),
		cmocka_unit_test(the_priority_is_the_sum_of_weighted_factors),
		cmocka_unit_test(a_priority_set_by_an_administrator_replaces_the_sum),
		cmocka_unit_test(sprio_before_23_02_misprints_priorities_set_by_administrators),
		cmocka_unit_test(weights_are_listed_by_name_in_a_fixed_order),
		cmocka_unit_test(bad_configurations_are_errors),
		cmocka_unit_test(private_data_hides_rows_of_other_users),
		cmocka_unit_test(each_reader_has_its_own_rows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
