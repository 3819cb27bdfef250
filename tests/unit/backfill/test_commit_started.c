/* backfill/commit: CPUs that running jobs use on each node, and jobs that the recorded cycle itself started. The
 * snapshot's time is 6000. */
#include "fsplan.h"

#define NODES REC("node", "'name':'n1','state':'MIXED','cpus':8") REC("node", "'name':'n2','state':'MIXED','cpus':8") \
	REC("partition", "'name':'p','state':'UP','tier':1,'nodes':'n[1-2]'")
#define ON_BOTH(cpus, each) \
	REC("job", "'id':1,'state':'RUNNING','partitions':['p'],'node_list':'n[1-2]','cpus':" #cpus \
		   ",'tres_alloc':{'cpu':" #cpus "},'end_time':9000,'node_cpus':'" each "'")

static void node_cpus_give_the_cpus_of_each_node(void **state)
{
	static const char *const odd[] = { "1", "1,8,0", "1,9", "x", "1(x2", "1(x,8", "1;8", "1,,8", "" };
	char text[2000];

	(void)state;
	check(PHEAD NODES ON_BOTH(9, "8,1") WAIT(2, 9, 7, 60, ""), "2:6000/n2");
	check(PHEAD NODES ON_BOTH(9, "1,8") WAIT(2, 9, 7, 60, ""), "2:6000/n1");
	check(PHEAD NODES ON_BOTH(8, "4(x2)") WAIT(2, 9, 4, 60, "") WAIT(3, 8, 4, 60, ""), "2:6000/n1 3:6000/n2");
	for (size_t i = 0; i < sizeof(odd) / sizeof(*odd); i++) {
		snprintf(text, sizeof(text), PHEAD NODES ON_BOTH(9, "%s") WAIT(2, 9, 7, 60, ""), odd[i]);
		/* the recorded CPUs per node are invalid, so the CPUs of the job are divided evenly between its
		 * nodes */
		check(text, "2:9000/n1");
	}
}

/* A job that uses one thread of each core holds both threads. The field node_cpus counts both threads, and both are
 * freed when the job ends. Without node_cpus, the snapshot does not show which job holds the second threads. */
static void node_cpus_count_both_threads_of_a_core(void **state)
{
#define THREADS(told) \
	PHEAD REC("node", "'name':'n1','state':'MIXED','cpus':8,'threads_per_core':2,'alloc_cpus':6,'alloc_tres':{'cpu':6}") \
	REC("partition", "'name':'p','state':'UP','tier':1,'nodes':'n1'") \
	REC("job", "'id':1,'state':'RUNNING','partitions':['p'],'node_list':'n1','cpus':3,'tres_alloc':{'cpu':3}," \
		   "'end_time':9000,'node_cpus':'" told "'") WAIT(2, 9, 8, 60, "")
	(void)state;
	check(THREADS("6"), "2:9000/n1");
	check(THREADS("7"), "2:never");
	check(THREADS(""), "2:never");
}

/* n1 has 4 free CPUs. n2 has the 2 CPUs that job 3 got when the cycle started it. Job 4 needs both nodes. Job 5 has to
 * wait until job 4 ends, although the CPUs that job 5 needs are free now. */
#define CYCLE(by, prio) OLD NODES RUN(1, "n1", 4, 6100) RUN(2, "n2", 6, 6500) \
	REC("job", "'id':3,'state':'RUNNING','partitions':['p'],'node_list':'n2','cpus':2,'tres_alloc':{'cpu':2}," \
		   "'start_time':5990,'end_time':6300,'priority':" #prio ",'looked_at_by':'" by "'") \
	REC("job", "'id':4,'state':'PENDING','eligible_time':100,'last_sched_eval':5990,'partitions':['p'],'priority':9," \
		   "'nodes':2,'cpus':16,'time_limit_s':600")

static void jobs_that_the_cycle_started_keep_their_place_in_its_queue(void **state)
{
	(void)state;
	check(CYCLE("Backfill", 5) WAIT(5, 7, 2, 2000, ""), "4:6500/n1,n2 5:7080/n2");
	check(CYCLE("Backfill", 8) WAIT(5, 7, 2, 2000, ""), "4:6500/n1,n2 5:7080/n1");
	check(CYCLE("Main", 5) WAIT(5, 7, 2, 2000, ""), "4:6500/n1,n2 5:7080/n1");
}

/* If job 3 were put back on its node only at its own position in the scheduling order, job 6 would start on the CPUs of
 * job 3. */
static void started_jobs_hold_nodes_at_once_if_the_plan_contradicts_the_cycle(void **state)
{
	(void)state;
	check(CYCLE("Backfill", 5) WAIT(5, 7, 2, 2000, "") WAIT(6, 8, 2, 60, ""), "4:6500/n1,n2 6:6000/n1 5:7080/n1");
}

/* Job 3, which the cycle started last, uses the last of the 2 jobs that account a may run. The cycle tried job 5
 * before: with 2 CPUs, it could have started job 5, but it did not; with 8 CPUs, it planned job 5 for 6100. A plan of
 * the next cycle begins at 6000, when the limit blocks job 5. */
static void a_job_blocked_since_the_cycle_does_not_start_now(void **state)
{
#define BLOCKED_SINCE(cpus) \
	OLD NODES REC("config", "'AccountingStorageEnforce':['associations','limits']") \
	REC("association", "'id':1,'account':'root'") \
	REC("association", "'id':2,'account':'a','parent':'root','grp_jobs':2") REC("association", "'id':3,'account':'a','user':'u'") \
	REC("job", "'id':1,'state':'RUNNING','partitions':['p'],'node_list':'n1','cpus':4,'tres_alloc':{'cpu':4},'end_time':6100," \
		   "'user':'u','account':'a'") \
	REC("job", "'id':3,'state':'RUNNING','partitions':['p'],'node_list':'n2','cpus':2,'tres_alloc':{'cpu':2},'user':'u'," \
		   "'account':'a','start_time':5990,'end_time':6300,'priority':5,'looked_at_by':'Backfill'") \
	REC("job", "'id':5,'state':'PENDING','eligible_time':100,'last_sched_eval':5990,'partitions':['p'],'priority':9," \
		   "'user':'u','account':'a','nodes':1,'max_nodes':1,'cpus':" cpus ",'tasks':" cpus ",'time_limit_s':600,'req_nodes':'n1','reason':'Priority'")
	const struct fs_plan_options next = { .next_cycle = true };
	struct fs_error err;
	fs_snapshot *m = fst_snapshot(BLOCKED_SINCE("8"));
	fs_plan *p = NULL;

	(void)state;
	check(BLOCKED_SINCE("2"), "5:blocked");
	check(BLOCKED_SINCE("8"), "5:6100/n1");
	fst_no_error(fs_plan_compute(&p, m, &next, &err), &err);
	assert_int_equal(row_of(p, 5).state, FS_PLAN_BLOCKED);
	fs_plan_free(p);
	fs_snapshot_free(m);
#undef BLOCKED_SINCE
}

/* Jobs 1 to 3 end on n1 before jobs 4 and 5 end on n2 and n3. The ends on n1 widen the window that contains the end on
 * n2, so that this window also contains the end on n3. Node n3 is then chosen because of its lower weight. If n1 is too
 * small for the pending job, the ends on n1 do not count, and n2 is chosen. */
#define UNLIKE REC("node", "'name':'n1','state':'MIXED','cpus':8,'mem_mb':1000") \
	REC("node", "'name':'n2','state':'ALLOCATED','cpus':16,'mem_mb':4000,'weight':2") \
	REC("node", "'name':'n3','state':'ALLOCATED','cpus':16,'mem_mb':4000,'weight':1") \
	REC("partition", "'name':'p','state':'UP','tier':1,'nodes':'n[1-3]'") RUN(1, "n1", 1, 6001) RUN(2, "n1", 1, 6070) \
	RUN(3, "n1", 6, 6140) RUN(4, "n2", 16, 6160) RUN(5, "n3", 16, 6220)

static void ends_of_jobs_on_too_small_nodes_do_not_count(void **state)
{
	(void)state;
	check(OLD UNLIKE WAIT(6, 9, 16, 60, ",'max_nodes':1,'tasks':16"), "6:6220/n3");
	check(OLD UNLIKE WAIT(6, 9, 16, 60, ",'max_nodes':1,'tasks':16,'tres_req':{'cpu':16,'mem':1001}"), "6:6160/n2");
	check(OLD UNLIKE WAIT(6, 9, 16, 60, ",'max_nodes':1,'tasks':16,'tres_req':{'cpu':16,'mem':1000}"), "6:6220/n3");
	check(OLD UNLIKE WAIT(6, 9, 16, 60, ",'max_nodes':1,'tasks':16,'min_cpus_per_node':9"), "6:6160/n2");
	check(OLD UNLIKE WAIT(6, 9, 16, 60, ",'max_nodes':1,'tasks':16,'min_cpus_per_node':8"), "6:6220/n3");
	check(OLD UNLIKE WAIT(6, 9, 16, 60, ",'max_nodes':1,'tasks':16,'min_cpus_per_node':8,'mem_per_cpu_mb':126,"
					    "'tres_req':{'cpu':16,'mem':2016}"), "6:6160/n2");
	check(OLD UNLIKE WAIT(6, 9, 16, 60, ",'max_nodes':1,'tasks':16,'min_cpus_per_node':8,'mem_per_cpu_mb':125,"
					    "'tres_req':{'cpu':16,'mem':2000}"), "6:6220/n3");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(node_cpus_give_the_cpus_of_each_node),
		cmocka_unit_test(node_cpus_count_both_threads_of_a_core),
		cmocka_unit_test(jobs_that_the_cycle_started_keep_their_place_in_its_queue),
		cmocka_unit_test(started_jobs_hold_nodes_at_once_if_the_plan_contradicts_the_cycle),
		cmocka_unit_test(a_job_blocked_since_the_cycle_does_not_start_now),
		cmocka_unit_test(ends_of_jobs_on_too_small_nodes_do_not_count),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
