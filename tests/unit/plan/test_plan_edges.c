/* plan: tests whose result changes with one second or one CPU. The snapshot's time is 6000, and nodes have 8 CPUs. */
#include "fsplan.h"

#define TWO_NODES \
	PHEAD REC("node", "'name':'n1','state':'IDLE','cpus':8") REC("node", "'name':'n2','state':'IDLE','cpus':8") PART

/* Returns the start of a job and writes its nodes, separated by commas; FS_UNKNOWN and "" if the job has no start. */
static int64_t start_of(const char *text, uint64_t job, char nodes[64])
{
	fs_snapshot *m = fst_snapshot(text);
	int64_t start = FS_UNKNOWN;
	fs_plan *p = plan_of(m, FS_PLAN_BACKFILL);

	*nodes = '\0';
	for (size_t i = 0; i < fs_plan_count(p); i++) {
		struct fs_plan_row r;
		const char *name;

		fs_plan_row(p, i, &r);
		if (r.job != job)
			continue;
		start = r.start_time;
		for (uint32_t k = 0; (name = fs_plan_node(p, i, k)); k++)
			snprintf(nodes + strlen(nodes), 64 - strlen(nodes), "%s%s", k ? "," : "", name);
	}
	fs_plan_free(p);
	fs_snapshot_free(m);
	return start;
}

/* Checks the planned start of the job, and its nodes unless `nodes` is NULL. */
static void expect(const char *text, uint64_t job, int64_t start, const char *nodes)
{
	char got[64];

	assert_int_equal(start_of(text, job, got), start);
	if (nodes)
		assert_string_equal(got, nodes);
}

/* Job 11 needs both nodes whole and gets them at 9000. A job that runs on n2 before job 11 must end one second earlier,
 * at 8999. */
static void jobs_must_end_one_second_before_a_planned_start(void **state)
{
	static const char format[] = TWO_NODES RUN(1, "n1", 8, 7000) RUN(2, "n2", 4, 9000)
		WAIT(11, 90, 16, 3600, ",'max_nodes':2,'tres_req':{'cpu':16,'node':2}") WAIT(12, 80, 4, %d, "");
	char text[4000];

	(void)state;
	snprintf(text, sizeof(text), format, 2999);
	expect(text, 11, 9000, "n1,n2");
	expect(text, 12, 6000, "n2");
	snprintf(text, sizeof(text), format, 3000);
	expect(text, 11, 9000, "n1,n2");
	expect(text, 12, 12600, NULL);
}

/* scontrol shows NumNodes=3-3 for a job of 20 tasks that was not tested since its last update, on nodes of 8 CPUs. */
static void numbers_of_nodes_computed_from_tasks_are_no_maximum(void **state)
{
#define MANY_TASKS(tasks, tres) \
	TWO_NODES REC("node", "'name':'n3','state':'ALLOCATED','cpus':8") REC("node", "'name':'n4','state':'IDLE','cpus':4") \
	REC("node", "'name':'n5','state':'IDLE','cpus':4") RUN(1, "n3", 8, 7000) \
	REC("partition", "'name':'q','state':'UP','nodes':'n[1-5]'") \
	REC("job", "'id':9,'state':'PENDING','eligible_time':100,'partitions':['q'],'priority':90,'nodes':3,'max_nodes':3," \
		   "'cpus':" tasks ",'tasks':" tasks ",'time_limit_s':60,'tres_req':{'cpu':" tasks ",'node':" tres "}")
	(void)state;
	expect(MANY_TASKS("24", "1"), 9, 6000, "n1,n2,n4,n5");
	expect(MANY_TASKS("24", "3"), 9, 7000, "n1,n2,n3");
	expect(MANY_TASKS("16", "1"), 9, 6000, "n1,n2,n4"); /* 16 tasks need 2 nodes: the job requested 3 at most */
#undef MANY_TASKS
}

/* A job may end at the time at which a reservation begins. A job that is too long is tried after the reservation, one
 * second after the next multiple of bf_resolution. */
static void a_reservation_may_begin_the_moment_a_job_ends(void **state)
{
	static const char format[] = TWO_NODES WAIT(12, 80, 4, %d, "")
		REC("reservation", "'name':'m','start_time':9000,'end_time':9500,'nodes':'n[1-2]'");
	char text[4000];

	(void)state;
	snprintf(text, sizeof(text), format, 3000);
	expect(text, 12, 6000, "n1");
	snprintf(text, sizeof(text), format, 3001);
	expect(text, 12, 9541, "n1");
}

#define SPREAD(min) \
	WAIT(11, 90, 8, 600, ",'tasks':8,'max_nodes':2,'tres_req':{'cpu':8,'node':2},'min_cpus_per_node':" #min)

/* The first search window begins at the first recorded end of a running job, even if this end is in the past. The first
 * end is that of job 1, at 5999 or 6001; job 2 ends at 6050. */
static void the_first_window_begins_at_the_first_end(void **state)
{
#define ONE_NODE OLD REC("node", "'name':'n1','state':'MIXED','cpus':8") REC("partition", "'name':'p','state':'UP','nodes':'n1'")
	(void)state;
	expect(ONE_NODE RUN(1, "n1", 4, 5999) RUN(2, "n1", 4, 6050) WAIT(9, 9, 4, 600, ""), 9, 6001, "n1");
	expect(ONE_NODE RUN(1, "n1", 4, 6001) RUN(2, "n1", 4, 6050) WAIT(9, 9, 4, 600, ""), 9, 6050, "n1");
}

/* Nodes are compared by their load before the job: the CPUs taken on the first node do not count. */
static void least_loaded_nodes_are_compared_by_their_load_before_the_job(void **state)
{
#define IDLE(name, weight) REC("node", "'name':'" name "','state':'IDLE','cpus':16,'weight':" weight)
	(void)state;
	expect(PHEAD IDLE("n1", "5") IDLE("n2", "5") IDLE("n3", "5") IDLE("n4", "9")
	       REC("partition", "'name':'p','state':'UP','nodes':'n[1-4]','least_loaded':true")
	       REC("job", "'id':2,'state':'PENDING','eligible_time':100,'partitions':['p'],'priority':9,'nodes':3,'max_nodes':3,"
			  "'cpus':8,'tasks':8,'time_limit_s':60,'tres_req':{'cpu':8,'node':3}"), 2, 6000, "n1,n2,n3");
}

/* The job requests eight CPUs on two nodes. It gets seven CPUs of n1, because one CPU of the request is left for n2.
 * On n2 it gets the minimum number of CPUs per node. */
static void one_cpu_is_left_for_each_further_node(void **state)
{
	(void)state;
	expect(TWO_NODES SPREAD(3), 11, 6000, "n1,n2");
	expect(TWO_NODES SPREAD(3) WAIT(12, 80, 5, 60, "") WAIT(13, 70, 1, 60, ""), 12, 6000, "n2");
	expect(TWO_NODES SPREAD(3) WAIT(12, 80, 5, 60, "") WAIT(13, 70, 1, 60, ""), 13, 6000, "n1");
	/* seven CPUs of n1 are taken, not six */
	expect(TWO_NODES SPREAD(3) WAIT(12, 80, 5, 60, "") WAIT(13, 70, 2, 60, ""), 13, 6060, "n2");
	expect(TWO_NODES SPREAD(3) WAIT(12, 80, 6, 60, ""), 12, 6600, "n1");
	expect(TWO_NODES SPREAD(4) WAIT(12, 80, 4, 60, "") WAIT(13, 70, 1, 60, ""), 12, 6000, "n2");
	expect(TWO_NODES SPREAD(4) WAIT(12, 80, 4, 60, "") WAIT(13, 70, 1, 60, ""), 13, 6000, "n1");
	/* n1 has fewer free CPUs than the job needs there */
	expect(TWO_NODES RUN(1, "n1", 6, 7000) SPREAD(3), 11, 7000, "n1,n2");
	expect(TWO_NODES RUN(1, "n1", 5, 7000) SPREAD(3), 11, 6000, "n1,n2");
}

/* Each core has two threads. n1 therefore leaves a whole core, which is two CPUs, for n2 and gives six of its eight
 * CPUs. */
static void a_whole_core_is_left_for_each_further_node(void **state)
{
	static const char nodes[] = PHEAD REC("node", "'name':'n1','state':'IDLE','cpus':8,'threads_per_core':2")
		REC("node", "'name':'n2','state':'IDLE','cpus':8,'threads_per_core':2") PART SPREAD(2)
		WAIT(12, 80, 6, 60, "") WAIT(13, 70, 2, 60, "");

	(void)state;
	expect(nodes, 11, 6000, "n1,n2");
	expect(nodes, 12, 6000, "n2");
	expect(nodes, 13, 6000, "n1");
}

#define THREE_NODES(small, other) \
	PHEAD REC("node", "'name':'n1','state':'IDLE','cpus':8") REC("node", "'name':'n2','state':'IDLE','cpus':" #small) \
	REC("node", "'name':'n3','state':'IDLE','cpus':" #other) \
	REC("partition", "'name':'p','state':'UP','tier':1,'nodes':'n[1-3]','max_time_s':7200") \
	RUN(1, "n1", 8, 8100) RUN(2, "n2", small, 6100) RUN(3, "n3", other, 9000) \
	WAIT(11, 90, 5, 60, ",'tasks':5,'max_nodes':1,'min_cpus_per_node':5")

/* A node with fewer CPUs than the job needs per node is not a candidate. A node with exactly that number is a
 * candidate. */
static void a_job_does_not_wait_for_nodes_with_too_few_cpus(void **state)
{
	(void)state;
	expect(THREE_NODES(4, 8), 11, 8100, "n1");
	expect(THREE_NODES(5, 4), 11, 6100, "n2");
	expect(THREE_NODES(5, 8), 11, 6100, "n2");
}

static void suspended_jobs_keep_their_memory(void **state)
{
	static const char low[] = REC("qos", "'name':'low'"), high[] = REC("qos", "'name':'high','preempt':['low']");
	static const char node[] = REC("node", "'name':'n1','state':'MIXED','cpus':8,'mem_mb':1000") PART
		REC("job", "'id':1,'state':'RUNNING','partitions':['p'],'qos':['low'],'node_list':'n1','cpus':8,"
			   "'tres_alloc':{'cpu':8,'mem':600},'end_time':7000");
	static const char wait[] = WAIT(2, 9, 4, 60, ",'qos':['high'],'tres_req':{'cpu':4,'mem':500}")
		WAIT(3, 8, 4, 60, ",'qos':['high'],'tres_req':{'cpu':4,'mem':300}");
	char text[3000];

	(void)state;
	snprintf(text, sizeof(text), "%s%s%s%s%s%s", PHEAD,
		 REC("config", "'PreemptType':'preempt/qos','PreemptMode':'SUSPEND,GANG'"), low, high, node, wait);
	check(text, "2:no start 3:6000/n1"); /* the plan does not wait for the end of a preemptable job */
	snprintf(text, sizeof(text), "%s%s%s%s%s%s", PHEAD,
		 REC("config", "'PreemptType':'preempt/qos','PreemptMode':'REQUEUE'"), low, high, node, wait);
	check(text, "2:6000/n1 3:6060/n1");
	snprintf(text, sizeof(text), "%s%s%s%s%s%s", PHEAD,
		 REC("config", "'PreemptType':'preempt/qos','PreemptMode':'SUSPEND,GANG'"),
		 REC("qos", "'name':'low','preempt_mode':'off'"), high, node, wait);
	check(text, "2:7000/n1 3:7080/n1");
}

#define STARTED(safe_until) \
	PHEAD REC("config", "'PreemptType':'preempt/qos','PreemptMode':'REQUEUE'") REC("qos", "'name':'low'") \
	REC("qos", "'name':'high','preempt':['low']") REC("node", "'name':'n1','state':'MIXED','cpus':8") PART \
	REC("job", "'id':1,'state':'RUNNING','partitions':['p'],'qos':['low'],'node_list':'n1','cpus':8," \
		   "'end_time':7000,'preemptable_time':" #safe_until) WAIT(2, 9, 4, 60, ",'qos':['high']")

/* Job 2 is preempted. If job 2 were not preempted, its end would put the ends of jobs 1 and 3 into the same window. */
static void ends_of_preempted_jobs_do_not_join_other_ends(void **state)
{
#define LOW(id, qos, end) \
	REC("job", "'id':" #id ",'state':'RUNNING','partitions':['p'],'qos':['" qos "'],'node_list':'n1','cpus':4," \
		   "'tres_alloc':{'cpu':4},'end_time':" #end)
#define THREE(qos) \
	PHEAD REC("config", "'PreemptType':'preempt/qos','PreemptMode':'REQUEUE'") REC("qos", "'name':'low'") \
	REC("qos", "'name':'high','preempt':['low']") REC("node", "'name':'n1','state':'ALLOCATED','cpus':12") PART \
	LOW(1, "high", 6500) LOW(3, "high", 6620) LOW(2, qos, 6505) WAIT(4, 9, 8, 60, ",'qos':['high']")
	(void)state;
	check(THREE("low"), "4:6500/n1");
	check(THREE("high"), "4:6505/n1");
}

static void jobs_that_just_started_are_not_preempted(void **state)
{
	(void)state;
	check(STARTED(6000), "2:6000/n1");
	check(STARTED(6001), "2:7000/n1");
}

#define SOCKETS(how) PHEAD REC("config", "'SelectTypeParameters':'" how "'") \
	REC("node", "'name':'n1','state':'IDLE','cpus':8,'sockets':2,'cores_per_socket':4") \
	REC("partition", "'name':'p','state':'UP','nodes':'n1','max_time_s':7200")
#define TASKS(id, cpus, more) WAIT(id, 90, cpus, 60, ",'max_nodes':1" more)

/* A job on both sockets leaves no CPUs to the next job. */
static void with_cr_socket_whole_sockets_are_allocated(void **state)
{
	(void)state;
	check(SOCKETS("CR_CORE") TASKS(1, 2, ",'tasks':2") TASKS(2, 2, ",'tasks':2"), "1:6000/n1 2:6000/n1");
	/* tasks are distributed over the sockets in turn */
	check(SOCKETS("CR_SOCKET") TASKS(1, 2, ",'tasks':2") TASKS(2, 2, ",'tasks':2"), "1:6000/n1 2:6060/n1");
	check(SOCKETS("CR_SOCKET") TASKS(1, 1, ",'tasks':1") TASKS(2, 1, ",'tasks':1"), "1:6000/n1 2:6000/n1");
	/* all CPUs of a task are on one socket if the socket has enough CPUs */
	check(SOCKETS("CR_SOCKET") TASKS(1, 4, ",'tasks':2,'cpus_per_task':2") TASKS(2, 1, ",'tasks':1"), "1:6000/n1 2:6000/n1");
	check(SOCKETS("CR_SOCKET") TASKS(1, 6, ",'tasks':2,'cpus_per_task':3") TASKS(2, 1, ",'tasks':1"), "1:6000/n1 2:6060/n1");
	check(SOCKETS("CR_SOCKET") TASKS(1, 5, ",'tasks':1,'cpus_per_task':5") TASKS(2, 1, ",'tasks':1"), "1:6000/n1 2:6060/n1");
	check(SOCKETS("CR_SOCKET") TASKS(1, 2, ",'tasks':2,'ntasks_per_socket':2") TASKS(2, 1, ",'tasks':1"), "1:6000/n1 2:6000/n1");
	check(SOCKETS("CR_SOCKET,CR_CORE_DEFAULT_DIST_BLOCK") TASKS(1, 4, ",'tasks':4") TASKS(2, 2, ",'tasks':2"),
	      "1:6000/n1 2:6000/n1");
	/* one of the two sockets is in use by job 9 */
	check(SOCKETS("CR_SOCKET") RUN(9, "n1", 4, 7000) TASKS(1, 2, ",'tasks':2") TASKS(2, 1, ",'tasks':1"), "1:6000/n1 2:6060/n1");
}

/* Job 1 requests 3 CPUs on two nodes. It gets only one CPU on n1, because the number of CPUs of a whole socket is set
 * aside for n2. It gets the other two CPUs on n2. */
static void a_whole_socket_is_left_for_each_further_node(void **state)
{
#define OF_TWO(how) PHEAD REC("config", "'SelectTypeParameters':'" how "'") \
	REC("node", "'name':'n1','state':'IDLE','cpus':8,'sockets':2,'cores_per_socket':4") \
	REC("node", "'name':'n2','state':'IDLE','cpus':8,'sockets':2,'cores_per_socket':4") PART \
	WAIT(1, 90, 3, 60, ",'tasks':3,'max_nodes':2,'tres_req':{'cpu':3,'node':2}") \
	WAIT(2, 80, 1, 60, ",'tasks':1,'req_nodes':'n1'") WAIT(3, 70, 1, 60, ",'tasks':1,'req_nodes':'n2'")
	(void)state;
	check(OF_TWO("CR_SOCKET"), "1:6000/n1,n2 2:6000/n1 3:6060/n2");
	check(OF_TWO("CR_CORE"), "1:6000/n1,n2 2:6000/n1 3:6000/n2");
}

/* A job with one task on two nodes gets no sockets of n2, because its task is on n1. */
static void a_node_without_tasks_gives_no_sockets(void **state)
{
	(void)state;
	check(PHEAD REC("config", "'SelectTypeParameters':'CR_SOCKET'")
	      REC("node", "'name':'n1','state':'IDLE','cpus':8,'sockets':2,'cores_per_socket':4")
	      REC("node", "'name':'n2','state':'IDLE','cpus':8,'sockets':2,'cores_per_socket':4") PART
	      WAIT(1, 90, 5, 60, ",'tasks':1,'cpus_per_task':5,'max_nodes':2,'tres_req':{'cpu':5,'node':2}")
	      WAIT(2, 80, 1, 60, ",'tasks':1,'req_nodes':'n1'") WAIT(3, 70, 8, 60, ",'tasks':8,'max_nodes':1,'req_nodes':'n2'"),
	      "1:6000/n1,n2 2:6060/n1 3:6000/n2");
}

/* With a range of nodes and no number of tasks, scontrol prints the minimum number of nodes as NumTasks. */
static void tasks_do_not_limit_nodes_if_only_nodes_are_requested(void **state)
{
	(void)state;
	check(PHEAD NODE2 PART WAIT(1, 9, 12, 60, ",'tasks':1,'max_nodes':2,'tres_req':{'cpu':12,'node':1}"), "1:6000/n1,n2");
	check(PHEAD NODE2 PART WAIT(1, 9, 12, 60, ",'tasks':2,'max_nodes':1,'tres_req':{'cpu':12,'node':1}"), "1:never");
}

/* n1 has 8 CPUs and 2 free ones, n2 has 8 free ones. */
static void tasks_per_node_do_not_limit_cpus_in_some_versions(void **state)
{
#define PER_NODE(version) HEAD_OF(version) NODE2 PART RUN(1, "n1", 6, 7000) \
	WAIT(2, 9, 8, 60, ",'tasks':8,'ntasks_per_node':4,'max_nodes':2,'tres_req':{'cpu':8,'node':2}") \
	WAIT(3, 8, 2, 60, ",'tasks':2,'req_nodes':'n2'")
	(void)state;
	check(PER_NODE("22.05.6"), "2:7000/n1,n2 3:6000/n2");
	check(PER_NODE("22.05.7"), "2:6000/n1,n2 3:6000/n2");
	check(PER_NODE("23.02.4"), "2:6000/n1,n2 3:6000/n2");
	check(PER_NODE("23.02.5"), "2:7000/n1,n2 3:6000/n2");
#undef PER_NODE
}

/* NumNodes=2-2 was computed from 12 tasks for partition p, whose nodes have 8 CPUs; partition q has larger nodes. */
static void nodes_may_be_computed_for_any_partition_of_a_job(void **state)
{
	(void)state;
	check(PHEAD NODE2 REC("node", "'name':'n3','state':'IDLE','cpus':4") REC("node", "'name':'n4','state':'IDLE','cpus':4")
	      REC("node", "'name':'n5','state':'IDLE','cpus':4") REC("node", "'name':'n6','state':'IDLE','cpus':16")
	      REC("partition", "'name':'p','state':'UP','tier':1,'nodes':'n[1-5]'")
	      REC("partition", "'name':'q','state':'UP','tier':1,'nodes':'n6'") RUN(1, "n1", 8, 9000) RUN(2, "n6", 16, 9000)
	      REC("job", "'id':3,'state':'PENDING','eligible_time':100,'partitions':['p','q'],'priority':9,'nodes':2,'max_nodes':2,"
			 "'cpus':12,'tasks':12,'time_limit_s':60,'tres_req':{'cpu':12,'node':1}"), "3:6000/n2,n3");
}

/* A limit counts the CPUs that the job is allocated. */
static void a_limit_counts_whole_sockets(void **state)
{
#define LIMITED(how) SOCKETS(how) REC("config", "'AccountingStorageEnforce':['limits']") \
	REC("association", "'id':1,'account':'root','shares':1,'usage_tres_s':0") \
	REC("association", "'id':2,'account':'root','user':'u','shares':1,'usage_tres_s':0") \
	REC("qos", "'name':'q','max_tres_per_user':{'cpu':6}") \
	TASKS(1, 2, ",'tasks':2,'user':'u','account':'root','association':2,'qos':['q'],'tres_req':{'cpu':2,'node':1}")
	(void)state;
	check(LIMITED("CR_CORE"), "1:6000/n1");
	check(LIMITED("CR_SOCKET"), "1:blocked");
}

#define POWER(version, first, second) \
	HEAD_OF(version) REC("node", "'name':'n1','cpus':8,'weight':5," first) REC("node", "'name':'n2','cpus':8,'weight':9," second) \
	PART WAIT(11, 90, 2, 60, ",'tasks':2,'max_nodes':1")
#define UP "'state':'IDLE'"
#define ASLEEP "'state':'IDLE+CLOUD+POWERED_DOWN'"
#define WAKING "'state':'ALLOCATED+CLOUD+NOT_RESPONDING+POWERING_UP'"

/* Powered-down nodes are chosen only if no other nodes are available. From 23.02 on, the nodes of the lowest weight
 * come first. */
static void powered_down_nodes_are_chosen_last(void **state)
{
	(void)state;
	expect(POWER("22.05.8", UP, UP), 11, 6000, "n1");
	expect(POWER("22.05.8", ASLEEP, UP), 11, 6000, "n2");
	expect(POWER("22.05.8", ASLEEP, ASLEEP), 11, 6000, "n1");
	expect(POWER("24.11.5", ASLEEP, UP), 11, 6000, "n2");
	expect(POWER("24.11.5", ASLEEP, ASLEEP), 11, 6000, "n1");
	expect(POWER("24.11.5", WAKING, UP), 11, 6000, "n1");
	expect(POWER("25.05.3", WAKING, UP), 11, 6000, "n2");
	expect(POWER("25.05.3", WAKING, "'state':'IDLE+POWERING_DOWN'"), 11, 6000, "n1");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_of_nodes_computed_from_tasks_are_no_maximum),
		cmocka_unit_test(ends_of_preempted_jobs_do_not_join_other_ends),
		cmocka_unit_test(jobs_that_just_started_are_not_preempted),
		cmocka_unit_test(suspended_jobs_keep_their_memory),
		cmocka_unit_test(jobs_must_end_one_second_before_a_planned_start),
		cmocka_unit_test(least_loaded_nodes_are_compared_by_their_load_before_the_job),
		cmocka_unit_test(the_first_window_begins_at_the_first_end),
		cmocka_unit_test(a_reservation_may_begin_the_moment_a_job_ends),
		cmocka_unit_test(one_cpu_is_left_for_each_further_node),
		cmocka_unit_test(a_whole_core_is_left_for_each_further_node),
		cmocka_unit_test(a_job_does_not_wait_for_nodes_with_too_few_cpus),
		cmocka_unit_test(powered_down_nodes_are_chosen_last),
		cmocka_unit_test(with_cr_socket_whole_sockets_are_allocated),
		cmocka_unit_test(a_whole_socket_is_left_for_each_further_node),
		cmocka_unit_test(a_node_without_tasks_gives_no_sockets),
		cmocka_unit_test(tasks_do_not_limit_nodes_if_only_nodes_are_requested),
		cmocka_unit_test(tasks_per_node_do_not_limit_cpus_in_some_versions),
		cmocka_unit_test(nodes_may_be_computed_for_any_partition_of_a_job),
		cmocka_unit_test(a_limit_counts_whole_sockets),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
