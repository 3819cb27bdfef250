/* priority/slurm_factors: each factor is compared with its formula; unknown factors are NAN. */
#include "fsprio.h"

/* Compares a factor with `want` to 14 digits; a factor of 0 must be exact. */
#define GIVES(want, term, text) \
	fst_near(fst_factor(text, term), want, 1e-14 * fabs((double)(want)), term, __FILE__, \
		 __LINE__)

static void the_age_factor_is_the_share_of_the_maximum_age(void **state)
{
	static const char head[] =
		HEADER CLUSTER CONFIG("'PriorityWeightAge':1000,'PriorityMaxAge':1000");
	static const struct {
		const char *job;
		double factor;
	} cases[] = {
		{ JOB(1, "'accrue_time':1699999750"), .25 },
		{ JOB(1, "'accrue_time':1699999001"), .999 },
		{ JOB(1, "'accrue_time':1699999000"), 1 },
		{ JOB(1, "'accrue_time':1699998998"), 1 },
		{ JOB(1, "'accrue_time':5"), 1 },
		{ JOB(1, "'accrue_time':5,'accruing':false"), 0 },
		{ JOB(1, "'accrue_time':1700000000"), 0 },
		{ JOB(1, "'accrue_time':1700000025"), 0 },
		{ JOB(1, "'nice':0"), 0 },
	};
	char text[8000];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		snprintf(text, sizeof(text), "%s%s", head, cases[i].job);
		GIVES(cases[i].factor, "age", text);
	}
	GIVES(604799 / 604800., "age",
		HEADER CONFIG("'PriorityWeightAge':1") JOB(1, "'accrue_time':1699395201"));
	GIVES(1, "age",
		HEADER CONFIG("'PriorityWeightAge':1,'PriorityMaxAge':0")
		JOB(1, "'accrue_time':1700000000"));
	GIVES(0, "age", HEADER CONFIG("'PriorityWeightAge':0") JOB(1, "'accrue_time':5"));
}

#define ASSOC(config) HEADER CLUSTER CONFIG("'PriorityWeightAssoc':10" config)

static void the_association_factor_is_normalised_by_the_highest_priority(void **state)
{
	(void)state;
	GIVES(5 / 20., "assoc", ASSOC("") JOB(1, "'account':'root','user':'u'"));
	GIVES(1, "assoc", ASSOC("") JOB(1, "'association':3"));
	GIVES(0, "assoc", ASSOC("") JOB(1, "'account':'root','user':'x'"));
	GIVES(5, "assoc", ASSOC(",'PriorityFlags':['NO_NORMAL_ASSOC']") JOB(1, "'association':2"));
	GIVES(5, "assoc", ASSOC(",'PriorityFlags':['NO_NORMAL_ALL']") JOB(1, "'association':2"));
	GIVES(0, "assoc",
		HEADER CONFIG("'PriorityWeightAssoc':10")
		REC("association", "'id':1,'account':'root','priority':0")
		JOB(1, "'association':1"));
	GIVES(NAN, "assoc", HEADER CONFIG("'PriorityWeightAssoc':10") JOB(1, "'association':2"));
}

static void an_unknown_association_priority_is_not_zero(void **state)
{
	static const char two[] = HEADER CONFIG("'PriorityWeightAssoc':10")
		REC("association", "'id':1,'account':'root','priority':7")
		REC("association", "'id':2,'account':'root','user':'u'") JOB(1, "'association':2");

	(void)state;
	GIVES(NAN, "assoc", two);
}

#define FAIR(head, config) head CLUSTER CONFIG("'PriorityWeightFairShare':10" config)
#define PARTIAL \
	"{'type':'snapshot','format':1,'time':1700000000,'cluster':'c','scheduler':'slurm " \
	"26.05.0','hidden':['association','qos','partition','node']}\n"

static void the_fairshare_factor_follows_the_configured_algorithm(void **state)
{
	(void)state;
	GIVES(1, "fairshare", FAIR(HEADER, "") JOB(1, "'association':2"));
	GIVES(.5, "fairshare", FAIR(HEADER, "") JOB(1, "'association':3"));
	GIVES(exp2(-.75 / .5), "fairshare",
		FAIR(HEADER, ",'PriorityFlags':['NO_FAIR_TREE']") JOB(1, "'association':3"));
	GIVES(0, "fairshare", FAIR(HEADER, "") JOB(1, "'user':'x','account':'root'"));
	GIVES(NAN, "fairshare",
		HEADER CONFIG("'PriorityWeightFairShare':1") JOB(1, "'association':2"));
	GIVES(NAN, "fairshare",
		HEADER CONFIG("'PriorityWeightFairShare':1")
		REC("association", "'id':1,'account':'root','shares':1")
		REC("association", "'id':2,'account':'root','user':'u','shares':1")
		JOB(1, "'association':2"));
	GIVES(0, "fairshare",
		HEADER CONFIG("'PriorityWeightFairShare':0") JOB(1, "'association':2"));
}

static void fairshare_of_a_hidden_association_is_unknown(void **state)
{
	(void)state;
	GIVES(NAN, "fairshare", FAIR(PARTIAL, "") JOB(1, "'user':'x','account':'y'"));
}

#define SIZE(config) HEADER CLUSTER CONFIG("'PriorityWeightJobSize':10" config)
#define SMALL ",'PriorityFavorSmall':true"
#define TIMED ",'PriorityFlags':['SMALL_RELATIVE_TO_TIME']"

static void jobsize_favours_large_jobs_by_default(void **state)
{
	(void)state;
	GIVES((.4 + .1) / 2, "jobsize", SIZE("") JOB(1, "'nodes':4,'cpus':64"));
	GIVES(.4, "jobsize", SIZE("") JOB(1, "'nodes':4,'cpus':0"));
	/* the nodes that the job requested count, not the nodes derived from its tasks */
	GIVES((.1 + .1) / 2, "jobsize",
		SIZE("") JOB(1, "'nodes':4,'cpus':64,'tres_req':{'node':1}"));
	GIVES(1, "jobsize", SIZE("") JOB(1, "'nodes':40,'cpus':6400"));
}

/* A running job counts with the minimum number of nodes that it requested; only the recorded factor shows this number.
 * */
static void jobsize_of_running_jobs_uses_the_minimum_nodes_requested(void **state)
{
#define RUNS(factor) \
	REC("job", "'id':1,'state':'RUNNING','eligible_time':1000,'nodes':4,'cpus':64,'tres_req':{'node':4},'time_limit_s':600,'size_factor':" factor)
#define COUNTED "'PriorityFlags':['CALCULATE_RUNNING']"
#define BY_TIME "'PriorityFlags':['CALCULATE_RUNNING','SMALL_RELATIVE_TO_TIME']"
	(void)state;
	GIVES((.1 + .1) / 2, "jobsize", SIZE("," COUNTED) RUNS("0.1000000"));
	GIVES((.3 + .1) / 2, "jobsize", SIZE("," COUNTED) RUNS("0.2000000"));
	GIVES((.7 + .9) / 2, "jobsize", SIZE("," COUNTED SMALL) RUNS("0.8000000"));
	GIVES(192 / 10. / 640, "jobsize", SIZE("," BY_TIME) RUNS("0.0300000"));
	GIVES((.4 + .1) / 2, "jobsize", SIZE("," COUNTED) RUNS("0.1234567"));
}

/* The last test may have selected up to 3 whole nodes of 64 CPUs for 100 tasks; only the recorded factor shows it. */
static void jobsize_of_exclusive_jobs_counts_the_nodes_of_the_last_test(void **state)
{
#define IN_W(name) REC("node", "'name':'" name "','cpus':64,'partitions':['w']")
#define WHOLE(factor) \
	HEADER TRES IN_W("a") IN_W("b") IN_W("c") IN_W("d") IN_W("e") IN_W("f") IN_W("g") IN_W("h") IN_W("i") IN_W("j") \
	REC("partition", "'name':'w','state':'UP','oversubscribe':'EXCLUSIVE'") CONFIG("'PriorityWeightJobSize':10") \
	REC("job", "'id':1,'state':'PENDING','eligible_time':1000,'partitions':['w'],'nodes':2,'max_nodes':3,'cpus':100,'tasks':100," \
		   "'tres_req':{'cpu':100,'node':1},'time_limit_s':600,'last_sched_eval':1,'size_factor':" factor)
	(void)state;
	GIVES((.1 + 128. / 640) / 2, "jobsize", WHOLE("0.1500000"));
	GIVES((.1 + 192. / 640) / 2, "jobsize", WHOLE("0.2000000"));
	/* features with counts are tested one by one, here the last one with one node */
	GIVES((.1 + 100. / 640) / 2, "jobsize", WHOLE("0.1000000"));
	GIVES((.1 + 64. / 640) / 2, "jobsize", WHOLE("0.1000000,'features':'[x*2&y*1]'"));
#undef IN_W
#undef WHOLE
}

static void jobsize_favours_small_jobs_with_favor_small(void **state)
{
	(void)state;
	GIVES((.6 + .9) / 2, "jobsize", SIZE(SMALL) JOB(1, "'nodes':4,'cpus':64"));
	GIVES(.6, "jobsize", SIZE(SMALL) JOB(1, "'nodes':4,'cpus':0"));
	GIVES((0 + .9) / 2, "jobsize", SIZE(SMALL) JOB(1, "'nodes':12,'cpus':64"));
	GIVES((.6 + 0) / 2, "jobsize", SIZE(SMALL) JOB(1, "'nodes':4,'cpus':640"));
	GIVES(0, "jobsize", SIZE(SMALL) JOB(1, "'nodes':10,'cpus':640"));
	/* Slurm subtracts the job's CPUs from the cluster's CPUs as unsigned numbers, so the difference is a huge
	 * number */
	GIVES(1, "jobsize", SIZE(SMALL) JOB(1, "'nodes':1,'cpus':641"));
}

static void jobsize_is_divided_by_the_time_limit_with_small_relative_to_time(void **state)
{
	(void)state;
	/* The expected factor is the greater of n C / N and c, divided by the minutes of the time limit and by C. n, c:
	 * nodes and CPUs of the job; N, C: nodes and CPUs of the cluster. With PriorityFavorSmall, the factor is 1
	 * minus this value. */
	GIVES(128 / 10. / 640, "jobsize",
		SIZE(TIMED) JOB(1, "'nodes':2,'cpus':64,'time_limit_s':600"));
	GIVES(320 / 10. / 640, "jobsize",
		SIZE(TIMED) JOB(1, "'nodes':1,'cpus':320,'time_limit_s':659"));
	GIVES(1 - .02, "jobsize",
		SIZE(TIMED SMALL) JOB(1, "'nodes':2,'cpus':1,'time_limit_s':600"));
	GIVES(1, "jobsize", SIZE(TIMED) JOB(1, "'nodes':10,'cpus':1,'time_limit_s':59"));
	/* the job has no time limit, so the limit of its partition applies, in minutes: 100 in p, 4294967295 in q */
	GIVES(.01, "jobsize", SIZE(TIMED) JOB(1, "'nodes':10,'cpus':1,'partitions':['p']"));
	GIVES(1 / 4294967295., "jobsize",
		SIZE(TIMED) JOB(1, "'nodes':10,'cpus':1,'partitions':['q']"));
}

static void an_unlimited_job_ignores_the_limits_of_partitions(void **state)
{
	(void)state;
	GIVES(1 / 4294967295., "jobsize",
		SIZE(TIMED)
		JOB(1, "'nodes':10,'cpus':1,'partitions':['p'],'time_limit_s':'unlimited'"));
}

static void jobsize_is_unknown_without_the_size_of_the_cluster(void **state)
{
	(void)state;
	GIVES(NAN, "jobsize",
		HEADER CONFIG("'PriorityWeightJobSize':1") JOB(1, "'nodes':1,'cpus':1"));
	GIVES(NAN, "jobsize",
		PARTIAL NODES CONFIG("'PriorityWeightJobSize':1") JOB(1, "'nodes':1,'cpus':1"));
	GIVES(NAN, "jobsize", SIZE("") JOB(1, "'cpus':1"));
	GIVES(NAN, "jobsize", SIZE(SMALL) JOB(1, "'cpus':1"));
	GIVES(NAN, "jobsize", SIZE(TIMED) JOB(1, "'cpus':1,'time_limit_s':60"));
}

static void unknown_cpus_are_not_zero(void **state)
{
	(void)state;
	GIVES(NAN, "jobsize", SIZE("") JOB(1, "'nodes':1"));
	GIVES(NAN, "jobsize", SIZE(SMALL) JOB(1, "'nodes':1"));
	GIVES(NAN, "jobsize", SIZE("") REC("node", "'name':'x'") JOB(1, "'nodes':1,'cpus':1"));
}

static void an_unknown_time_limit_is_not_a_minute(void **state)
{
	(void)state;
	GIVES(NAN, "jobsize", SIZE(TIMED) JOB(1, "'nodes':1,'cpus':1,'partitions':['z']"));
	GIVES(NAN, "jobsize", SIZE(TIMED) JOB(1, "'nodes':1,'cpus':1,'partitions':['gone']"));
}

#define PART(config) HEADER CLUSTER CONFIG("'PriorityWeightPartition':10" config)

static void the_partition_factor_is_normalised_by_the_highest_factor(void **state)
{
	(void)state;
	GIVES(.4, "partition", PART("") JOB(1, "'partitions':['p']"));
	GIVES(1, "partition", PART("") JOB(1, "'partitions':['q']"));
	GIVES(0, "partition", PART("") JOB(1, "'partitions':['z']"));
	GIVES(20, "partition",
		PART(",'PriorityFlags':['NO_NORMAL_PART']") JOB(1, "'partitions':['p']"));
	GIVES(NAN, "partition", PART("") JOB(1, "'partitions':['gone']"));
	GIVES(NAN, "partition",
		PART("") REC("partition", "'name':'new'") JOB(1, "'partitions':['new']"));
	GIVES(NAN, "partition",
		PARTIAL PARTITIONS CONFIG("'PriorityWeightPartition':10")
		JOB(1, "'partitions':['p']"));
	/* the partition factor is divided by the highest factor of all partitions, which is at least 1 */
	GIVES(0, "partition",
		HEADER CONFIG("'PriorityWeightPartition':1")
		REC("partition", "'name':'p','job_factor':0") JOB(1, "'partitions':['p']"));
}

#define QUAL(config) HEADER CLUSTER CONFIG("'PriorityWeightQOS':10" config)

static void the_qos_factor_is_normalised_by_the_highest_priority(void **state)
{
	(void)state;
	GIVES(.25, "qos", QUAL("") JOB(1, "'qos':['low']"));
	GIVES(1, "qos", QUAL("") JOB(1, "'qos':['high']"));
	GIVES(0, "qos", QUAL("") JOB(1, "'qos':['none']"));
	GIVES(0, "qos", QUAL("") JOB(1, "'nice':0"));
	/* a finished job has no QOS */
	GIVES(0, "qos",
		QUAL(",'PriorityFlags':['CALCULATE_RUNNING']")
		REC("job", "'id':1,'state':'TIMEOUT','eligible_time':5,'qos':['high']"));
	GIVES(10, "qos", QUAL(",'PriorityFlags':['NO_NORMAL_QOS']") JOB(1, "'qos':['low']"));
	/* the job requests several QOS, and its own QOS has priority 0: the QOS that was tried last is used, if
	 * known */
	GIVES(0, "qos", QUAL("") JOB(1, "'qos':['none','gone']"));
	GIVES(.25, "qos", QUAL("") JOB(1, "'qos':['none','gone']") REC("tried", "'job':1,'qos':'low'"));
	GIVES(0, "qos", QUAL("") JOB(1, "'qos':['none','gone']") REC("tried", "'job':2,'qos':'low'"));
	GIVES(0, "qos", QUAL("") JOB(1, "'qos':['none']") REC("tried", "'job':1,'qos':'low'"));
	GIVES(NAN, "qos", QUAL("") REC("qos", "'name':'new'") JOB(1, "'qos':['new']"));
	GIVES(NAN, "qos", PARTIAL QOS CONFIG("'PriorityWeightQOS':10") JOB(1, "'qos':['gone']"));
	GIVES(NAN, "qos", PARTIAL QOS CONFIG("'PriorityWeightQOS':10") JOB(1, "'qos':['low']"));
}

/* Without Fair Tree, the scheduler does not compute the QOS factor of an ended job again, so the recorded factor is
 * used. */
static void ended_jobs_keep_recorded_factors_unless_fair_tree_is_used(void **state)
{
#define ENDED(flags, state) QUAL(",'PriorityFlags':['CALCULATE_RUNNING'" flags "]") \
	REC("job", "'id':1,'state':'" state "','eligible_time':5,'start_time':6,'qos':['low']") \
	REC("recorded", "'job':1,'qos':'low','norm_qos':0.5,'qos_points':5,'priority':6")
	(void)state;
	GIVES(.5, "qos", ENDED(",'NO_FAIR_TREE'", "TIMEOUT"));
	GIVES(.5, "qos", ENDED(",'DEPTH_OBLIVIOUS'", "COMPLETING"));
	GIVES(.25, "qos", ENDED(",'NO_FAIR_TREE'", "RUNNING"));
	GIVES(0, "qos", ENDED("", "TIMEOUT"));
}

/* A factor is a priority divided by the highest priority. The highest priority is unknown if any priority is
 * unknown. */
static void a_normalised_factor_is_unknown_if_any_priority_is_unknown(void **state)
{
	(void)state;
	GIVES(NAN, "qos", QUAL("") REC("qos", "'name':'new'") JOB(1, "'qos':['low']"));
	GIVES(NAN, "partition",
		PART("") REC("partition", "'name':'new'") JOB(1, "'partitions':['p']"));
	GIVES(NAN, "assoc",
		ASSOC("") REC("association", "'id':9,'account':'root','user':'new'")
		JOB(1, "'association':2"));
}

#define WITH_TRES(config) HEADER CLUSTER \
	CONFIG("'PriorityWeightTRES':'CPU=100,Mem=5,gres/gpu=1'" config)

static void tres_factors_are_shares_of_the_partitions_tres(void **state)
{
	static const char job[] =
		WITH_TRES("") JOB(1, "'partitions':['p'],'tres_req':{'cpu':64,'mem':250}");
	static const char plain[] = WITH_TRES(",'PriorityFlags':['NO_NORMAL_TRES']")
		JOB(1, "'partitions':['p'],'tres_req':{'cpu':64,'gres/gpu':2}");

	(void)state;
	GIVES(.1, "tres/cpu", job);
	GIVES(.25, "tres/mem", job);
	GIVES(0, "tres/gres/gpu", job);
	GIVES(64, "tres/cpu", plain);
	/* the partition has no GPUs */
	GIVES(0, "tres/gres/gpu", plain);
	GIVES(.5, "tres/cpu",
		WITH_TRES("")
		JOB(1, "'partitions':['p'],'tres_req':{'cpu':64},'tres_alloc':{'cpu':320}"));
	GIVES(NAN, "tres/cpu", WITH_TRES("") JOB(1, "'partitions':['p']"));
	GIVES(NAN, "tres/cpu", WITH_TRES("") JOB(1, "'partitions':['z'],'tres_req':{'cpu':64}"));
	GIVES(NAN, "tres/cpu", WITH_TRES("") JOB(1, "'partitions':['gone'],'tres_req':{'cpu':64}"));
}

static void site_and_nice_keep_negative_values(void **state)
{
	(void)state;
	GIVES(-2147483648., "nice",
		HEADER CONFIG("'PriorityWeightAge':0") JOB(1, "'nice':-2147483648"));
	GIVES(-17, "site", HEADER CONFIG("'PriorityWeightAge':0") JOB(1, "'site_factor':-17"));
}

static void a_site_factor_set_by_a_plugin_is_unknown_if_absent(void **state)
{
	(void)state;
	GIVES(0, "site", HEADER CONFIG("'PriorityWeightAge':1") JOB(1, "'nice':0"));
	GIVES(0, "site", HEADER CONFIG("'PrioritySiteFactorPlugin':'site_factor/none'") JOB(1, "'nice':0"));
	GIVES(NAN, "site", HEADER CONFIG("'PrioritySiteFactorPlugin':'site_factor/ours'") JOB(1, "'nice':0"));
	GIVES(7, "site", HEADER CONFIG("'PrioritySiteFactorPlugin':'site_factor/ours'") JOB(1, "'site_factor':7"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_age_factor_is_the_share_of_the_maximum_age),
		cmocka_unit_test(the_association_factor_is_normalised_by_the_highest_priority),
		cmocka_unit_test(an_unknown_association_priority_is_not_zero),
		cmocka_unit_test(the_fairshare_factor_follows_the_configured_algorithm),
		cmocka_unit_test(fairshare_of_a_hidden_association_is_unknown),
		cmocka_unit_test(jobsize_favours_large_jobs_by_default),
		cmocka_unit_test(jobsize_of_running_jobs_uses_the_minimum_nodes_requested),
		cmocka_unit_test(jobsize_of_exclusive_jobs_counts_the_nodes_of_the_last_test),
		cmocka_unit_test(jobsize_favours_small_jobs_with_favor_small),
		cmocka_unit_test(jobsize_is_divided_by_the_time_limit_with_small_relative_to_time),
		cmocka_unit_test(an_unlimited_job_ignores_the_limits_of_partitions),
		cmocka_unit_test(jobsize_is_unknown_without_the_size_of_the_cluster),
		cmocka_unit_test(unknown_cpus_are_not_zero),
		cmocka_unit_test(an_unknown_time_limit_is_not_a_minute),
		cmocka_unit_test(the_partition_factor_is_normalised_by_the_highest_factor),
		cmocka_unit_test(the_qos_factor_is_normalised_by_the_highest_priority),
		cmocka_unit_test(ended_jobs_keep_recorded_factors_unless_fair_tree_is_used),
		cmocka_unit_test(a_normalised_factor_is_unknown_if_any_priority_is_unknown),
		cmocka_unit_test(tres_factors_are_shares_of_the_partitions_tres),
		cmocka_unit_test(site_and_nice_keep_negative_values),
		cmocka_unit_test(a_site_factor_set_by_a_plugin_is_unknown_if_absent),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
