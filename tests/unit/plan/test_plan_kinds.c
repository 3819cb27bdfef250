/* plan: features tried part by part, jobs with generic resources, suspended jobs. now = 6000. */
#include "fsplan.h"

#define FOUR \
	REC("node", "'name':'n1','state':'IDLE','cpus':8,'features':['a','x']") \
	REC("node", "'name':'n2','state':'IDLE','cpus':8,'features':['a']") \
	REC("node", "'name':'n3','state':'IDLE','cpus':8,'features':['b','x']") \
	REC("node", "'name':'n4','state':'IDLE','cpus':8,'features':['b']") \
	REC("partition", "'name':'p','state':'UP','tier':1,'nodes':'n[1-4]','max_time_s':7200")
#define TWO(features) \
	WAIT(11, 90, 2, 600, ",'tasks':2,'max_nodes':2,'features':'" features "','tres_req':{'cpu':2,'node':2}")

static void features_are_read_from_left_to_right(void **state)
{
	(void)state;
	check(PHEAD FOUR TWO("a"), "11:6000/n1,n2");
	check(PHEAD FOUR TWO("b&x|a"), "11:6000/n1,n2");
	check(PHEAD FOUR TWO("x&(a|b)"), "11:6000/n1,n3");
	check(PHEAD FOUR TWO("(a&x)|b"), "11:6000/n3,n4");
	check(PHEAD FOUR TWO("b,x"), "11:never");
}

static void one_kind_is_the_one_that_starts_first(void **state)
{
	(void)state;
	/* not n1 and n3, which have not the same of the two */
	check(PHEAD FOUR TWO("[a|b]"), "11:6000/n1,n2");
	check(PHEAD FOUR TWO("[b|a]"), "11:6000/n3,n4");
	check(PHEAD FOUR RUN(1, "n1", 8, 9000) TWO("[a|b]"), "11:6000/n3,n4");
	check(PHEAD FOUR RUN(1, "n1", 8, 7000) RUN(2, "n3", 8, 8000) TWO("[a|b]"), "11:7000/n1,n2");
	check(PHEAD FOUR RUN(1, "n1", 8, 8000) RUN(2, "n3", 8, 7000) TWO("[a|b]"), "11:7000/n3,n4");
	/* in front of brackets it is a kind of its own */
	check(PHEAD FOUR TWO("x&[a|b]"), "11:6000/n1,n3");
}

static void kinds_together_start_with_the_last(void **state)
{
	(void)state;
	check(PHEAD FOUR TWO("[a*1&b*1]"), "11:6000/n1,n3");
	check(PHEAD FOUR RUN(1, "n3", 8, 7000) RUN(2, "n4", 8, 8000) TWO("[a*1&b*1]"), "11:7000/n1,n3");
	check(PHEAD FOUR WAIT(11, 90, 3, 600, ",'tasks':3,'max_nodes':3,'features':'b*1','tres_req':{'cpu':3,'node':3}"),
	      "11:6000/n1,n2,n3");
	check(PHEAD FOUR RUN(1, "n3", 8, 7000) RUN(2, "n4", 8, 8000) TWO("[(a&x)&b]"), "11:7000/n1,n3");
}

static void what_cannot_be_read_is_told(void **state)
{
	static const char *const bad[] = { "[a", "a)", "a&&b", "[a|b]&[x]", "a*0", "(a*2)", "a b[x]" };

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		char text[2000];
		fs_snapshot *m;
		fs_plan *p;

		snprintf(text, sizeof(text),
			 PHEAD FOUR REC("job", "'id':11,'state':'PENDING','eligible_time':100,'partitions':['p'],'priority':9,'nodes':1,'cpus':1,'time_limit_s':60,'features':'%s'"),
			 bad[i]);
		m = fst_snapshot(text);
		p = plan_of(m, FS_PLAN_BACKFILL);
		assert_int_equal(row_of(p, 11).unmodelled, FS_UNMODELLED_FEATURES);
		fs_plan_free(p);
		fs_snapshot_free(m);
	}
}

static void a_job_with_generic_resources_takes_whole_tasks(void **state)
{
	static const char nodes[] =
		REC("node", "'name':'g1','state':'IDLE','cpus':8,'tres':{'cpu':8,'gres/gpu':2}")
		REC("node", "'name':'g2','state':'IDLE','cpus':8,'tres':{'cpu':8,'gres/gpu':2}")
		REC("partition", "'name':'p','state':'UP','tier':1,'nodes':'g[1-2]','max_time_s':7200");
	char text[4000];

	(void)state;
	/* g2 has fewer CPUs left, and a job of one task is content with the first; one without GPUs fills it up */
	snprintf(text, sizeof(text), "%s%s%s%s%s", PHEAD, nodes, RUN(1, "g2", 6, 9000),
		 WAIT(11, 90, 1, 600, ",'tasks':1,'tres_req':{'cpu':1,'gres/gpu':1}"),
		 WAIT(12, 80, 1, 600, ",'tasks':1,'tres_req':{'cpu':1}"));
	check(text, "11:6000/g1 12:6000/g2");
}

static void a_suspended_job_gives_its_cpus(void **state)
{
#define SUSPENDED \
	REC("node", "'name':'n1','state':'ALLOCATED','cpus':8,'mem_mb':1000,'alloc_cpus':0,'alloc_mem_mb':800") \
	REC("partition", "'name':'p','state':'UP','tier':1,'nodes':'n1','max_time_s':7200") \
	REC("job", "'id':1,'state':'SUSPENDED','partitions':['p'],'node_list':'n1','cpus':8,'tres_alloc':{'cpu':8,'mem':800},'end_time':7000") \
	WAIT(11, 90, 8, 600, ",'tres_req':{'cpu':8,'mem':100}") WAIT(12, 80, 1, 600, ",'tres_req':{'cpu':1,'mem':300}")
	(void)state;
	check(PHEAD SUSPENDED, "11:6000/n1 12:7000/n1");
	check(PHEAD REC("config", "'PreemptMode':'GANG,SUSPEND'") SUSPENDED, "11:7000/n1 12:7620/n1");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(features_are_read_from_left_to_right),
		cmocka_unit_test(one_kind_is_the_one_that_starts_first),
		cmocka_unit_test(kinds_together_start_with_the_last),
		cmocka_unit_test(what_cannot_be_read_is_told),
		cmocka_unit_test(a_job_with_generic_resources_takes_whole_tasks),
		cmocka_unit_test(a_suspended_job_gives_its_cpus),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
