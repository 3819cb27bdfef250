/* The start of a request: features tried one by one, generic resources, suspended jobs, resources of jobs on each node,
 * NoReserve, het jobs that would deadlock, and jobs that share CPUs. The snapshot's time is 6000. */
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

static void one_of_several_features_is_the_first_to_start(void **state)
{
	(void)state;
	/* the job never gets n1 and n3, because one has feature a and the other feature b */
	check(PHEAD FOUR TWO("[a|b]"), "11:6000/n1,n2");
	check(PHEAD FOUR TWO("[b|a]"), "11:6000/n3,n4");
	check(PHEAD FOUR RUN(1, "n1", 8, 9000) TWO("[a|b]"), "11:6000/n3,n4");
	check(PHEAD FOUR RUN(1, "n1", 8, 7000) RUN(2, "n3", 8, 8000) TWO("[a|b]"), "11:7000/n1,n2");
	check(PHEAD FOUR RUN(1, "n1", 8, 8000) RUN(2, "n3", 8, 7000) TWO("[a|b]"), "11:7000/n3,n4");
	/* a feature before the brackets is tried as a separate feature */
	check(PHEAD FOUR TWO("x&[a|b]"), "11:6000/n1,n3");
}

static void features_with_counts_start_with_the_last_one(void **state)
{
	(void)state;
	check(PHEAD FOUR TWO("[a*1&b*1]"), "11:6000/n1,n3");
	check(PHEAD FOUR RUN(1, "n3", 8, 7000) RUN(2, "n4", 8, 8000) TWO("[a*1&b*1]"), "11:7000/n1,n3");
	check(PHEAD FOUR WAIT(11, 90, 3, 600, ",'tasks':3,'max_nodes':3,'features':'b*1','tres_req':{'cpu':3,'node':3}"),
	      "11:6000/n1,n2,n3");
	check(PHEAD FOUR RUN(1, "n3", 8, 7000) RUN(2, "n4", 8, 8000) TWO("[(a&x)&b]"), "11:7000/n1,n3");
}

static void invalid_feature_expressions_are_not_modelled(void **state)
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
	/* Node g2 has fewer free CPUs than g1. A job with one task and a GPU gets the first node, g1. A job without
	 * GPUs gets g2. */
	snprintf(text, sizeof(text), "%s%s%s%s%s", PHEAD, nodes, RUN(1, "g2", 6, 9000),
		 WAIT(11, 90, 1, 600, ",'tasks':1,'tres_req':{'cpu':1,'gres/gpu':1}"),
		 WAIT(12, 80, 1, 600, ",'tasks':1,'tres_req':{'cpu':1}"));
	check(text, "11:6000/g1 12:6000/g2");
}

static void a_suspended_job_frees_its_cpus_unless_gang_scheduled(void **state)
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

static void running_jobs_use_most_cpus_on_their_first_node(void **state)
{
#define SPREAD(id, start, cpus, end) \
	REC("job", "'id':" #id ",'state':'RUNNING','partitions':['p'],'node_list':'n[1-2]','cpus':" #cpus \
		   ",'tres_alloc':{'cpu':" #cpus "},'start_time':" #start ",'end_time':" #end)
	static const char nodes[] = REC("node", "'name':'n1','cpus':24,'alloc_cpus':22") \
		REC("node", "'name':'n2','cpus':24,'alloc_cpus':4") \
		REC("partition", "'name':'p','state':'UP','tier':1,'nodes':'n[1-2]','max_time_s':7200");
	char text[4000];

	(void)state;
	/* job 1 uses 19 CPUs on n1 and 1 on n2, job 2 uses 3 CPUs on each node; the order of their records must not
	 * matter */
	for (int turn = 0; turn < 2; turn++) {
		snprintf(text, sizeof(text), "%s%s%s%s%s", PHEAD, nodes, turn ? SPREAD(1, 100, 20, 7000) : SPREAD(2, 200, 6, 8000),
			 turn ? SPREAD(2, 200, 6, 8000) : SPREAD(1, 100, 20, 7000),
			 WAIT(11, 90, 21, 600, ",'tasks':21,'max_nodes':1,'exc_nodes':'n2'"));
		check(text, "11:7000/n1");
	}
}

static void with_no_reserve_a_job_is_tried_for_one_minute(void **state)
{
#define GAP REC("qos", "'name':'bg','flags':['NoReserve']") NODE2 PART RUN(1, "n1", 8, 7000) \
	WAIT(11, 90, 16, 600, ",'max_nodes':2,'tres_req':{'cpu':16,'node':2}") WAIT(12, 80, 4, 3600, ",'qos':['bg']")
	(void)state;
	check(PHEAD REC("config", "'PreemptMode':'OFF'") GAP, "11:7000/n1,n2 12:7620/n1");
	check(PHEAD REC("config", "'PreemptMode':'REQUEUE'") GAP, "11:7000/n1,n2 12:6000/n2");
}

static void het_jobs_that_would_deadlock_reserve_no_nodes(void **state)
{
#define IN(id, prio, cpus, part, more) \
	REC("job", "'id':" #id ",'state':'PENDING','eligible_time':100,'partitions':['" part "'],'priority':" #prio \
		   ",'nodes':1,'max_nodes':1,'cpus':" #cpus ",'time_limit_s':600" more)
#define TWO_PLACES \
	NODE2 REC("partition", "'name':'p','state':'UP','tier':1,'nodes':'n1'") REC("partition", "'name':'r','state':'UP','tier':1,'nodes':'n2'") \
	RUN(1, "n1", 8, 7000) RUN(2, "n2", 4, 8000) RUN(3, "n2", 4, 9000) \
	IN(21, 90, 8, "p", ",'het_job_id':21,'het_job_offset':0") IN(22, 80, 8, "r", ",'het_job_id':21,'het_job_offset':1") \
	IN(23, 70, 8, "p", ",'het_job_id':23,'het_job_offset':0") IN(24, 60, 4, "r", ",'het_job_id':23,'het_job_offset':1")
	fs_snapshot *m = fst_snapshot(PHEAD TWO_PLACES IN(31, 50, 4, "r", ""));
	fs_plan *p = plan_of(m, FS_PLAN_BACKFILL);

	(void)state;
	/* Component 24 would start at 8000, before component 22 of the other het job, and after component 21. The two
	 * het jobs would wait for each other, so no nodes are reserved for component 24. */
	assert_int_equal(row_of(p, 31).start_time, 8000);
	fs_plan_free(p);
	fs_snapshot_free(m);
}

static void bf_busy_nodes_also_drops_small_nodes(void **state)
{
	(void)state;
	check(PHEAD CONFIG("bf_busy_nodes") REC("node", "'name':'n1','cpus':4") REC("node", "'name':'n2','cpus':8")
	      REC("node", "'name':'n3','cpus':8") REC("partition", "'name':'p','state':'UP','tier':1,'nodes':'n[1-3]'")
	      RUN(1, "n1", 4, 7000) RUN(2, "n2", 8, 7000) RUN(3, "n3", 8, 7000)
	      WAIT(11, 90, 16, 600, ",'tasks':16,'max_nodes':2,'tres_req':{'cpu':16,'node':2}"), "11:7000/n2,n3");
}

static void pack_serial_at_end_puts_serial_jobs_on_the_last_node(void **state)
{
#define THREE \
	REC("node", "'name':'n1','cpus':8,'weight':1") REC("node", "'name':'n2','cpus':8,'weight':1") \
	REC("node", "'name':'n3','cpus':8,'weight':5") REC("partition", "'name':'p','state':'UP','tier':1,'nodes':'n[1-3]'") \
	RUN(1, "n1", 8, 7000) RUN(2, "n2", 8, 7000) RUN(3, "n3", 8, 7000)
	(void)state;
	check(PHEAD THREE WAIT(11, 90, 1, 600, ",'max_nodes':1"), "11:7000/n1");
	check(PHEAD CONFIG("pack_serial_at_end") THREE WAIT(11, 90, 1, 600, ",'max_nodes':1"), "11:7000/n2");
	check(PHEAD CONFIG("pack_serial_at_end") THREE WAIT(11, 90, 2, 600, ",'max_nodes':1"), "11:7000/n1");
}

static void jobs_that_share_cpus_share_no_node_with_others(void **state)
{
#define SHARED(how) REC("node", "'name':'n1','cpus':8") REC("partition", "'name':'p','state':'UP','tier':1,'nodes':'n1'") \
	REC("partition", "'name':'f','state':'UP','tier':1,'nodes':'n1','oversubscribe':'" how "'")
#define RUNS_IN(part, share) REC("job", "'id':1,'state':'RUNNING','partitions':['" part "'],'node_list':'n1','cpus':2" \
	",'tres_alloc':{'cpu':2},'end_time':7000,'oversubscribe':'" share "'")
#define WAITS_IN(part, share) REC("job", "'id':11,'state':'PENDING','eligible_time':100,'partitions':['" part "']" \
	",'priority':9,'nodes':1,'cpus':2,'time_limit_s':600,'oversubscribe':'" share "'")
	(void)state;
	check(PHEAD SHARED("FORCE:2") RUNS_IN("p", "OK") WAITS_IN("f", "YES"), "11:7000/n1");
	check(PHEAD SHARED("FORCE:2") RUNS_IN("f", "YES") WAITS_IN("p", "OK"), "11:7000/n1");
	check(PHEAD SHARED("FORCE:2") RUNS_IN("f", "YES") WAITS_IN("f", "YES"), "11:6000/n1");
	check(PHEAD SHARED("FORCE:1") RUNS_IN("f", "YES") WAITS_IN("p", "OK"), "11:6000/n1");
	check(PHEAD SHARED("YES:4") RUNS_IN("p", "OK") WAITS_IN("f", "OK"), "11:6000/n1");
	check(PHEAD SHARED("YES:4") RUNS_IN("p", "OK") WAITS_IN("f", "YES"), "11:7000/n1");
}

/* Preferred features apply if nodes with these features allow a start now. If not, the requested features apply. */
static void preferred_features_are_tried_only_for_a_start_now(void **state)
{
#define PREFERS(prefer) PHEAD FOUR "%s" WAIT(11, 90, 8, 600, ",'features':'x','prefer':'" prefer "'")
	char text[2000];

	(void)state;
	snprintf(text, sizeof(text), PREFERS("b"), "");
	check(text, "11:6000/n3");
	snprintf(text, sizeof(text), PREFERS("b"), RUN(1, "n[3-4]", 16, 7000));
	check(text, "11:6000/n1");
	snprintf(text, sizeof(text), PREFERS("b"), RUN(1, "n[1,3-4]", 24, 7000));
	check(text, "11:7000/n1");
	snprintf(text, sizeof(text), PREFERS("none"), "");
	check(text, "11:6000/n1");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(features_are_read_from_left_to_right),
		cmocka_unit_test(one_of_several_features_is_the_first_to_start),
		cmocka_unit_test(features_with_counts_start_with_the_last_one),
		cmocka_unit_test(invalid_feature_expressions_are_not_modelled),
		cmocka_unit_test(preferred_features_are_tried_only_for_a_start_now),
		cmocka_unit_test(a_job_with_generic_resources_takes_whole_tasks),
		cmocka_unit_test(a_suspended_job_frees_its_cpus_unless_gang_scheduled),
		cmocka_unit_test(running_jobs_use_most_cpus_on_their_first_node),
		cmocka_unit_test(with_no_reserve_a_job_is_tried_for_one_minute),
		cmocka_unit_test(het_jobs_that_would_deadlock_reserve_no_nodes),
		cmocka_unit_test(bf_busy_nodes_also_drops_small_nodes),
		cmocka_unit_test(pack_serial_at_end_puts_serial_jobs_on_the_last_node),
		cmocka_unit_test(jobs_that_share_cpus_share_no_node_with_others),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
