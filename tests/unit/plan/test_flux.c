/* Flux's plan: first come, first served over all queues or in each queue, and three kinds of backfill. The snapshot's
 * time is 1000; starts below are relative to it. */
#include "fsprio.h"
#include "fs/scenario.h"
#include "fssimulated.h"

#define SET(name, value) REC("config", "'" name "':" value)
#define POLICY(name) SET("flux_scheduler", "'sched-fluxion-qmanager'") SET("fluxion_queue_policy", "'" name "'")
#define HEAD "{'type':'snapshot','format':1,'time':1000,'cluster':'c','scheduler':'flux 0.88.0'}\n"
#define QUEUE(name, fields) REC("partition", "'name':'" name "','priority':0" fields)
#define HOST(name, cpus, queues) REC("node", "'name':'" name "','state':'IDLE','cpus':" #cpus ",'partitions':[" queues "]")
#define TASK(id, state, queue, nodes, cpus, limit, more) \
	REC("job", "'id':" #id ",'state':'" state "','user':'u','partitions':['" queue "'],'urgency':16,'cpus':" #cpus nodes \
		   ",'time_limit_s':" #limit more)
#define RUNS(id, queue, nodes, cpus, limit, on) \
	TASK(id, "RUNNING", queue, nodes, cpus, limit, ",'phase':'RUN','start_time':1000,'end_time':1" #limit ",'node_list':'" on "'")
#define WAITS(id, queue, nodes, cpus, limit) \
	TASK(id, "PENDING", queue, nodes, cpus, limit, ",'phase':'SCHED','priority':10,'eligible_time':900")
#define N(n) ",'nodes':" #n
/* Two nodes of 4 cores, one of them in use for 600 s; job 2 needs both. */
#define HALF QUEUE("q", "") HOST("n1", 4, "'q'") HOST("n2", 4, "'q'") RUNS(1, "q", N(1), 4, 600, "n1") WAITS(2, "q", N(2), 8, 100)

static void check_after(const char *text, const char *command, const char *want)
{
	const struct fs_edit_options root = { .viewer = "root" };
	fs_snapshot *m = fst_snapshot(text);
	char got[400] = "";
	struct fs_error err = { 0 };
	fs_plan *p;

	if (command)
		fst_no_error(fs_snapshot_edit(m, command, &root, &err), &err);
	fst_no_error(fs_plan_compute(&p, m, NULL, &err), &err);
	for (size_t i = 0; i < fs_plan_count(p); i++) {
		struct fs_plan_row r;
		const size_t len = strlen(got);

		fs_plan_row(p, i, &r);
		assert_int_equal(r.shown_start_time, FS_UNKNOWN);
		if (r.start_time == FS_UNKNOWN)
			snprintf(got + len, sizeof(got) - len, "%s%llu:%s", len ? " " : "", (unsigned long long)r.job, fs_plan_state_name(r.state));
		else
			snprintf(got + len, sizeof(got) - len, "%s%llu:%lld", len ? " " : "", (unsigned long long)r.job, (long long)r.start_time - 1000);
	}
	assert_string_equal(got, want);
	fs_plan_free(p);
	fs_snapshot_free(m);
}

static void check(const char *text, const char *want)
{
	check_after(text, NULL, want);
}

static void first_come_first_served_stops_at_the_first_waiting_job(void **state)
{
	(void)state;
	check(HEAD HALF WAITS(3, "q", N(1), 1, 50), "2:600 3:700");
	/* all queues share one pending list: job 3 waits for job 2, although the node of its own queue is free */
	check(HEAD QUEUE("p", "") HOST("m1", 4, "'p'") HALF WAITS(3, "p", N(1), 1, 50), "2:600 3:600");
	check(HEAD POLICY("fcfs") QUEUE("p", "") HOST("m1", 4, "'p'") HALF WAITS(3, "p", N(1), 1, 50), "2:600 3:0");
}

static void backfill_does_not_delay_reservations(void **state)
{
	(void)state;
	check(HEAD POLICY("easy") HALF WAITS(3, "q", N(1), 4, 600) WAITS(4, "q", N(1), 4, 700), "2:600 3:0 4:700");
	check(HEAD SET("flux_scheduler", "'sched-backfill'") HALF WAITS(3, "q", N(1), 4, 600) WAITS(4, "q", N(1), 4, 700), "2:600 3:0 4:700");
	/* sched-backfill tries a job even if many jobs are ahead of this job: job 11 starts now */
#define LONG(id) WAITS(id, "q", N(1), 4, 900)
	check(HEAD SET("flux_scheduler", "'sched-backfill'") HALF LONG(3) LONG(4) LONG(5) LONG(6) LONG(7) LONG(8) LONG(9) LONG(10)
	      WAITS(11, "q", N(1), 4, 50), "2:600 3:700 4:700 5:1600 6:1600 7:2500 8:2500 9:3400 10:3400 11:0");
	/* sched-backfill only compares the job's end with the start of the first waiting job. Fluxion lets a job start
	 * if it does not use the reserved nodes. */
	check(HEAD POLICY("easy") HOST("n3", 4, "'q'") HALF RUNS(5, "q", N(1), 4, 300, "n2") WAITS(3, "q", N(1), 4, 900), "2:300 3:400");
}

/* Job 4 would delay job 3. Only the policies conservative and hybrid reserve nodes for job 3. */
static void the_queue_policy_sets_the_number_of_reservations(void **state)
{
#define WIDE QUEUE("q", "") HOST("n1", 4, "'q'") HOST("n2", 4, "'q'") HOST("n3", 4, "'q'") HOST("n4", 4, "'q'") \
	RUNS(1, "q", N(2), 8, 600, "n[1-2]") WAITS(2, "q", N(3), 12, 100) WAITS(3, "q", N(4), 16, 100) WAITS(4, "q", N(1), 4, 750)
	(void)state;
	check(HEAD POLICY("easy") WIDE, "2:600 3:750 4:0");
	check(HEAD POLICY("conservative") WIDE, "2:600 3:700 4:800");
	check(HEAD POLICY("hybrid") WIDE, "2:600 3:700 4:800");
	check(HEAD POLICY("hybrid") SET("fluxion_reservation_depth", "1") WIDE, "2:600 3:750 4:0");
}

static void queue_depth_limits_the_jobs_tried_in_a_loop(void **state)
{
	(void)state;
	check(HEAD POLICY("easy") SET("fluxion_queue_depth", "1") HALF WAITS(3, "q", N(1), 1, 50), "2:600 3:700");
	check(HEAD POLICY("easy") SET("fluxion_queue_depth", "2") HALF WAITS(3, "q", N(1), 1, 50), "2:600 3:0");
}

/* One node in two queues. The first job of each queue is tried before the second job of any queue. */
static void queues_try_their_jobs_in_turn(void **state)
{
#define TWO QUEUE("p", "") QUEUE("q", "") HOST("n1", 4, "'p','q'")
	(void)state;
	check(HEAD POLICY("easy") TWO WAITS(1, "p", N(1), 2, 600) WAITS(2, "p", N(1), 2, 600) WAITS(3, "q", N(1), 2, 600), "1:0 2:600 3:0");
	check(HEAD POLICY("fcfs") TWO WAITS(1, "p", N(1), 2, 600) WAITS(2, "p", N(1), 2, 600) WAITS(3, "q", N(1), 2, 600), "1:0 2:0 3:600");
	/* nodes that q reserved for job 3 in the previous loop are still reserved when p is tried */
	check(HEAD POLICY("easy") TWO RUNS(9, "q", N(1), 2, 100, "n1") WAITS(3, "q", N(1), 4, 600)
		      TASK(2, "PENDING", "p", N(1), 3, 700, ",'phase':'DEPEND','priority':10,'dependency':'begin-time=1050.0'"), "3:100 2:700");
}

/* A recorded estimate of a pending job shows that Fluxion reserved nodes for it in its last loop. */
static void reservations_of_the_last_loop_last_until_the_queues_turn(void **state)
{
#define KEPT(at) TASK(3, "PENDING", "q", N(1), 4, 600, ",'phase':'SCHED','priority':10" at)
	(void)state;
	check(HEAD POLICY("easy") TWO RUNS(9, "q", N(1), 2, 100, "n1") WAITS(2, "p", N(1), 3, 700) KEPT(""), "2:100 3:800");
	check(HEAD POLICY("easy") TWO RUNS(9, "q", N(1), 2, 100, "n1") WAITS(2, "p", N(1), 3, 700) KEPT(",'start_time':1100"), "2:700 3:100");
	check(HEAD POLICY("easy") TWO RUNS(9, "q", N(1), 2, 100, "n1") WAITS(2, "p", N(1), 3, 700) KEPT(",'start_time':900"), "2:100 3:800");
	check(HEAD POLICY("fcfs") TWO RUNS(9, "q", N(1), 2, 100, "n1") WAITS(2, "p", N(1), 3, 700) KEPT(",'start_time':1100"), "2:100 3:800");
}

static void exclusive_match_policies_allocate_whole_nodes(void **state)
{
#define MATCH(name) POLICY("easy") SET("fluxion_match_policy", "'" name "'")
#define PAIR QUEUE("q", "") HOST("n1", 4, "'q'") HOST("n2", 8, "'q'")
	(void)state;
	check(HEAD MATCH("lonode") PAIR RUNS(9, "q", N(1), 1, 100, "n1") WAITS(1, "q", , 4, 600) WAITS(2, "q", N(1), 2, 50), "1:0 2:0");
	check(HEAD MATCH("lonodex") PAIR RUNS(9, "q", N(1), 1, 100, "n1") WAITS(1, "q", , 4, 600) WAITS(2, "q", N(1), 2, 50), "1:0 2:100");
	/* job 1 has several slots on one node */
	check(HEAD MATCH("lonodex") PAIR WAITS(1, "q", ",'tasks':6", 6, 600) WAITS(2, "q", N(1), 2, 50), "1:0 2:600");
	check(HEAD MATCH("hinodex") PAIR WAITS(1, "q", ",'tasks':6", 6, 600) WAITS(2, "q", N(1), 2, 50), "1:0 2:0");
}

static void recorded_cores_per_node_are_used(void **state)
{
#define FREE(n1) QUEUE("q", "") HOST("n1", 4, "'q'") HOST("n2", 4, "'q'") \
	TASK(1, "RUNNING", "q", N(2), 4, 600, ",'phase':'RUN','start_time':1000,'end_time':1600,'node_list':'n[1-2]'" n1)
	(void)state;
	check(HEAD FREE("") WAITS(2, "q", N(1), 3, 10), "2:600");
	check(HEAD FREE(",'node_cores':'1,3'") WAITS(2, "q", N(1), 3, 10), "2:0");
	/* tasks without a number of nodes are spread over the free cores */
	check(HEAD FREE("") WAITS(2, "q", ",'tasks':4", 4, 10) WAITS(3, "q", ",'tasks':1", 1, 10), "2:0 3:10");
}

static void jobs_that_never_start_do_not_delay_others(void **state)
{
	(void)state;
	check(HEAD QUEUE("q", "") HOST("n1", 4, "'q'") WAITS(2, "q", N(2), 2, 10) WAITS(3, "q", N(1), 5, 10) WAITS(4, "q", N(1), 4, 10),
	      "2:never 3:never 4:0");
	check(HEAD QUEUE("q", ",'state':'STOPPED'") HOST("n1", 4, "'q'") WAITS(2, "q", N(1), 1, 10), "2:blocked");
	/* if job 2 has no time limit, the jobs after it never get its cores */
	check(HEAD QUEUE("q", "") HOST("n1", 4, "'q'") WAITS(2, "q", N(1), 4, 0) WAITS(3, "q", N(1), 1, 10), "2:0 3:1");
	check(HEAD QUEUE("q", "") HOST("n1", 4, "'q'") TASK(2, "PENDING", "q", N(1), 4, 'unlimited', ",'phase':'SCHED','priority':10")
	      WAITS(3, "q", N(1), 1, 10), "2:0 3:blocked");
}

static void a_simulation_stops_when_the_work_budget_is_used_up(void **state)
{
	(void)state;
	fst_given_up(fst_snapshot(HEAD POLICY("easy") HALF WAITS(3, "q", N(1), 4, 700)), 9);
}

#define GPUS(n) ",'tres_req':{'gres/gpu':" #n "}"
#define CARDS(name) REC("node", "'name':'" name "','state':'IDLE','cpus':4,'partitions':['q'],'tres':{'cpu':4,'gres/gpu':2}")

/* A job waits for GPUs although cores are free. A request for a whole node waits until the node is idle. A constraint
 * may allow only one of the two nodes. */
static void gpus_whole_nodes_and_constraints_limit_starts(void **state)
{
#define ONE_IN_USE QUEUE("q", "") CARDS("n1") TASK(1, "RUNNING", "q", N(1), 1, 600, ",'phase':'RUN','start_time':1000,'end_time':1600,'node_list':'n1'" GPUS(1))
	(void)state;
	check(HEAD ONE_IN_USE WAITS(2, "q", N(1) GPUS(2), 1, 10), "2:600");
	check(HEAD ONE_IN_USE WAITS(2, "q", N(1) GPUS(1), 1, 10) WAITS(3, "q", N(1), 1, 5), "2:0 3:0");
	check(HEAD ONE_IN_USE WAITS(2, "q", N(1) ",'oversubscribe':'EXCLUSIVE'", 1, 10) WAITS(3, "q", N(1), 1, 5), "2:600 3:610");
	check(HEAD QUEUE("q", "") HOST("n1", 4, "'q'") HOST("n2", 4, "'q'") WAITS(2, "q", N(1) ",'features':'(hosts:n2)'", 4, 10)
	      WAITS(3, "q", N(1) ",'features':'!(hosts:n1)'", 1, 5), "2:0 3:10");
}

/* Among nodes with the same number of free cores, the node with the most free GPUs is chosen first. Job 3 therefore
 * runs on n2, which then has one free GPU. Job 4 needs two GPUs and waits. */
static void among_equal_nodes_the_one_with_most_free_gpus_is_chosen(void **state)
{
#define ON(id, name, more) \
	TASK(id, "RUNNING", "q", N(1), 1, 600, ",'phase':'RUN','start_time':1000,'end_time':1600,'node_list':'" name "'" more)
	(void)state;
	check(HEAD QUEUE("q", "") CARDS("n1") CARDS("n2") ON(1, "n1", GPUS(1)) ON(2, "n2", "") WAITS(3, "q", N(1) GPUS(1), 1, 10)
	      WAITS(4, "q", N(1) GPUS(2), 1, 10), "3:0 4:10");
}

/* Job 1 has three slots, each with one core and one GPU. Its recorded cores show that two slots are on n1 and one is on
 * n2. Node n2 therefore has one free GPU, and n1 has none. */
static void gpus_are_on_the_nodes_of_their_slots_cores(void **state)
{
	(void)state;
	check(HEAD QUEUE("q", "") CARDS("n1") CARDS("n2")
	      TASK(1, "RUNNING", "q", ",'tasks':3", 3, 600, ",'phase':'RUN','start_time':1000,'end_time':1600,'node_list':'n[1-2]','node_cores':'2,1'" GPUS(3))
	      WAITS(2, "q", N(1) GPUS(1), 1, 10), "2:0");
}

/* One node of 4 cores, all in use for 600 s by the running job of user u. Jobs of u have a priority of 25000. */
#define BANK(limits) QUEUE("q", ",'max_jobs_per_assoc':9") HOST("n1", 4, "'q'") \
	REC("association", "'id':1,'account':'root','shares':1,'usage_tres_s':0,'bank_priority':0") \
	REC("association", "'id':2,'account':'b','parent':'root','shares':1,'usage_tres_s':0,'bank_priority':0") \
	REC("association", "'id':3,'account':'b','user':'u','shares':1,'usage_tres_s':10,'fairshare':0.25" limits)
#define BUSY TASK(1, "RUNNING", "q", N(1), 4, 600, ",'account':'b','phase':'RUN','start_time':1000,'end_time':1600,'node_list':'n1'")
#define HELD(id, cpus, limit, depends) \
	TASK(id, "PENDING", "q", N(1), cpus, limit, ",'account':'b','phase':'DEPEND','dependency':'" depends "'")

static void limits_release_jobs_when_other_jobs_end_or_start(void **state)
{
#define RUNNERS ",'max_jobs':1"
#define SCHEDULED ",'max_sched_jobs':1"
#define IN_SCHED(id, priority, limit) \
	TASK(id, "PENDING", "q", N(1), 1, limit, ",'account':'b','phase':'SCHED','priority':" #priority)
	(void)state;
	check(HEAD BANK(RUNNERS) BUSY HELD(2, 1, 10, "max-running-jobs-user-limit") HELD(3, 1, 20, "max-running-jobs-user-limit"), "2:600 3:610");
	check(HEAD BANK(",'max_jobs':2") BUSY HELD(2, 1, 10, "max-running-jobs-user-limit") HELD(3, 1, 20, "max-running-jobs-user-limit"), "2:600 3:600");
	check(HEAD BANK(SCHEDULED) BUSY IN_SCHED(2, 5, 30) HELD(3, 4, 10, "max-sched-jobs-user-limit") HELD(4, 1, 10, "max-sched-jobs-user-limit"),
	      "2:600 3:630 4:640");
	/* a job that two limits hold is released when both admit the job; a limit of unknown value never admits a
	 * job */
	check(HEAD BANK(",'max_jobs':1,'max_nodes':9,'max_cores':4") BUSY IN_SCHED(2, 5, 30)
	      HELD(3, 4, 10, "max-running-jobs-user-limit,max-resources-user-limit"), "2:600 3:630");
	check(HEAD BANK("") BUSY HELD(2, 1, 10, "max-running-jobs-user-limit"), "2:blocked");
}

/* Flux releases held jobs when a job of the user starts or ends, and when priorities are updated. */
static void a_raised_limit_releases_jobs_at_once(void **state)
{
#define PART TASK(1, "RUNNING", "q", N(1), 3, 600, ",'account':'b','phase':'RUN','start_time':1000,'end_time':1600,'node_list':'n1'")
#define TWO_HELD HELD(2, 1, 10, "max-running-jobs-user-limit") HELD(3, 1, 20, "max-running-jobs-user-limit")
	(void)state;
	check(HEAD BANK(",'max_jobs':2") PART TWO_HELD, "2:600 3:600");
	check_after(HEAD BANK(",'max_jobs':1") PART TWO_HELD, "flux account edit-user u --max-running-jobs=2", "2:0 3:10");
}

static void released_jobs_are_queued_by_priority(void **state)
{
	(void)state;
	/* nodes become free before held jobs are released: the first job of the pending list starts, then the released
	 * job is inserted in the list */
	check(HEAD BANK(RUNNERS) BUSY IN_SCHED(2, 5, 30) IN_SCHED(3, 4, 30) HELD(4, 3, 10, "max-running-jobs-user-limit"), "2:600 3:610 4:600");
	check(HEAD BANK(",'max_jobs':2") BUSY IN_SCHED(2, 50000, 30) TASK(3, "PENDING", "q", N(1), 2, 40, ",'account':'b','phase':'SCHED','priority':40000")
	      TASK(4, "PENDING", "q", N(1), 2, 40, ",'account':'b','phase':'SCHED','priority':5") HELD(5, 2, 10, "after-finish=1"),
	      "2:600 3:600 4:640 5:630");
	check(HEAD BANK("") BUSY REC("job", "'id':2,'state':'PENDING','user':'u','partitions':['q'],'urgency':0,'cpus':1,'nodes':1,'time_limit_s':10,"
					  "'account':'b','phase':'DEPEND','dependency':'after-finish=1'"), "2:blocked");
}

static void dependencies_and_begin_times_release_jobs(void **state)
{
	(void)state;
	check(HEAD BANK("") BUSY HELD(2, 1, 10, "after-finish=1") HELD(3, 1, 10, "after-success=2") HELD(4, 1, 10, "after-start=3"), "2:600 3:610 4:610");
	check(HEAD BANK("") BUSY HELD(2, 1, 10, "after-failure=1") HELD(3, 1, 10, "after-finish=99"), "2:blocked 3:blocked");
	check(HEAD BANK("") BUSY HELD(2, 1, 10, "begin-time=1900.500"), "2:900");
	check(HEAD BANK("") BUSY HELD(2, 1, 10, "begin-time=1300.000"), "2:600");
	check(HEAD BANK("") BUSY HELD(2, 1, 10, "begin@00:25"), "2:blocked");
	check(HEAD BANK("") BUSY TASK(2, "PENDING", "q", N(1), 1, 10, ",'account':'b','phase':'DEPEND','dependency':'begin@00:25','eligible_time':1700"), "2:700");
	/* the job never ran but is over: after-finish is met, after-success is not */
	check(HEAD BANK("") BUSY TASK(2, "PENDING", "q", N(1), 5, 10, ",'account':'b','phase':'SCHED','priority':10") HELD(3, 1, 10, "after-finish=2")
	      HELD(4, 1, 10, "after-success=2"), "2:never 3:600 4:blocked");
}

static void singletons_of_one_name_run_one_after_the_other(void **state)
{
#define NAMED ",'name':'x'"
	(void)state;
	check(HEAD BANK("") TASK(1, "RUNNING", "q", N(1), 1, 600, ",'account':'b','phase':'RUN','start_time':1000,'end_time':1600,'node_list':'n1'" NAMED)
	      TASK(2, "PENDING", "q", N(1), 1, 10, ",'account':'b','phase':'DEPEND','dependency':'singleton'" NAMED)
	      TASK(3, "PENDING", "q", N(1), 1, 10, ",'account':'b','phase':'DEPEND','dependency':'singleton'" NAMED), "2:600 3:610");
	/* a job that ended before the capture blocks no singleton */
	check(HEAD BANK("") TASK(1, "COMPLETED", "q", N(1), 1, 600, ",'account':'b','phase':'INACTIVE','start_time':1000,'end_time':1300" NAMED)
	      TASK(2, "PENDING", "q", N(1), 1, 10, ",'account':'b','phase':'DEPEND','dependency':'singleton'" NAMED), "2:0");
}

/* If a job is in state DEPEND, the start of another job may release it. The plan then has an additional assumption,
 * which says whether a released job joins the queue before the next job starts. */
static void the_order_of_starts_and_releases_is_listed_as_an_assumption(void **state)
{
	static const char *const texts[] = { HEAD HALF, HEAD HALF TASK(3, "PENDING", "q", N(1), 1, 10, ",'phase':'DEPEND','dependency':'after-finish=1'") };

	(void)state;
	for (size_t k = 0; k < 2; k++) {
		fs_snapshot *m = fst_snapshot(texts[k]);
		struct fs_error err = { 0 };
		size_t told = 0;
		const char *s;
		fs_plan *p;

		fst_no_error(fs_plan_compute(&p, m, NULL, &err), &err);
		for (size_t i = 0; (s = fs_plan_assumption(p, i)); i++)
			told += strstr(s, "Flux may release these jobs later") != NULL;
		assert_int_equal(told, k);
		fs_plan_free(p);
		fs_snapshot_free(m);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_order_of_starts_and_releases_is_listed_as_an_assumption),
		cmocka_unit_test(a_simulation_stops_when_the_work_budget_is_used_up),
		cmocka_unit_test(first_come_first_served_stops_at_the_first_waiting_job),
		cmocka_unit_test(backfill_does_not_delay_reservations),
		cmocka_unit_test(the_queue_policy_sets_the_number_of_reservations),
		cmocka_unit_test(queue_depth_limits_the_jobs_tried_in_a_loop),
		cmocka_unit_test(queues_try_their_jobs_in_turn),
		cmocka_unit_test(reservations_of_the_last_loop_last_until_the_queues_turn),
		cmocka_unit_test(exclusive_match_policies_allocate_whole_nodes),
		cmocka_unit_test(recorded_cores_per_node_are_used),
		cmocka_unit_test(gpus_whole_nodes_and_constraints_limit_starts),
		cmocka_unit_test(among_equal_nodes_the_one_with_most_free_gpus_is_chosen),
		cmocka_unit_test(gpus_are_on_the_nodes_of_their_slots_cores),
		cmocka_unit_test(limits_release_jobs_when_other_jobs_end_or_start),
		cmocka_unit_test(a_raised_limit_releases_jobs_at_once),
		cmocka_unit_test(released_jobs_are_queued_by_priority),
		cmocka_unit_test(dependencies_and_begin_times_release_jobs),
		cmocka_unit_test(singletons_of_one_name_run_one_after_the_other),
		cmocka_unit_test(jobs_that_never_start_do_not_delay_others),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
