/* Flux's plan: first come first served over all queues or in each, and the three kinds of backfill. The snapshot is of
 * time 1000; starts below are counted from there. */
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
/* Two nodes of 4 cores, one of them in use for 600 s; job 2 wants both. */
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

static void first_come_first_served_stops_at_the_first(void **state)
{
	(void)state;
	check(HEAD HALF WAITS(3, "q", N(1), 1, 50), "2:600 3:700");
	/* of all queues in one line, whatever nodes the others have */
	check(HEAD QUEUE("p", "") HOST("m1", 4, "'p'") HALF WAITS(3, "p", N(1), 1, 50), "2:600 3:600");
	check(HEAD POLICY("fcfs") QUEUE("p", "") HOST("m1", 4, "'p'") HALF WAITS(3, "p", N(1), 1, 50), "2:600 3:0");
}

static void backfill_delays_no_reservation(void **state)
{
	(void)state;
	check(HEAD POLICY("easy") HALF WAITS(3, "q", N(1), 4, 600) WAITS(4, "q", N(1), 4, 700), "2:600 3:0 4:700");
	check(HEAD SET("flux_scheduler", "'sched-backfill'") HALF WAITS(3, "q", N(1), 4, 600) WAITS(4, "q", N(1), 4, 700), "2:600 3:0 4:700");
	/* however many stand before it */
#define LONG(id) WAITS(id, "q", N(1), 4, 900)
	check(HEAD SET("flux_scheduler", "'sched-backfill'") HALF LONG(3) LONG(4) LONG(5) LONG(6) LONG(7) LONG(8) LONG(9) LONG(10)
	      WAITS(11, "q", N(1), 4, 50), "2:600 3:700 4:700 5:1600 6:1600 7:2500 8:2500 9:3400 10:3400 11:0");
	/* sched-backfill goes by time alone, Fluxion by the nodes that are kept */
	check(HEAD POLICY("easy") HOST("n3", 4, "'q'") HALF RUNS(5, "q", N(1), 4, 300, "n2") WAITS(3, "q", N(1), 4, 900), "2:300 3:400");
}

/* Job 4 would delay job 3, which only conservative and hybrid keep nodes for. */
static void how_many_get_nodes_kept(void **state)
{
#define WIDE QUEUE("q", "") HOST("n1", 4, "'q'") HOST("n2", 4, "'q'") HOST("n3", 4, "'q'") HOST("n4", 4, "'q'") \
	RUNS(1, "q", N(2), 8, 600, "n[1-2]") WAITS(2, "q", N(3), 12, 100) WAITS(3, "q", N(4), 16, 100) WAITS(4, "q", N(1), 4, 750)
	(void)state;
	check(HEAD POLICY("easy") WIDE, "2:600 3:750 4:0");
	check(HEAD POLICY("conservative") WIDE, "2:600 3:700 4:800");
	check(HEAD POLICY("hybrid") WIDE, "2:600 3:700 4:800");
	check(HEAD POLICY("hybrid") SET("fluxion_reservation_depth", "1") WIDE, "2:600 3:750 4:0");
}

static void a_loop_looks_so_far_down(void **state)
{
	(void)state;
	check(HEAD POLICY("easy") SET("fluxion_queue_depth", "1") HALF WAITS(3, "q", N(1), 1, 50), "2:600 3:700");
	check(HEAD POLICY("easy") SET("fluxion_queue_depth", "2") HALF WAITS(3, "q", N(1), 1, 50), "2:600 3:0");
}

/* One node of two queues. Each queue's first job is tried before any queue's second. */
static void queues_take_turns(void **state)
{
#define TWO QUEUE("p", "") QUEUE("q", "") HOST("n1", 4, "'p','q'")
	(void)state;
	check(HEAD POLICY("easy") TWO WAITS(1, "p", N(1), 2, 600) WAITS(2, "p", N(1), 2, 600) WAITS(3, "q", N(1), 2, 600), "1:0 2:600 3:0");
	check(HEAD POLICY("fcfs") TWO WAITS(1, "p", N(1), 2, 600) WAITS(2, "p", N(1), 2, 600) WAITS(3, "q", N(1), 2, 600), "1:0 2:0 3:600");
	/* what q kept for job 3 in the loop before is still kept when p's turn comes */
	check(HEAD POLICY("easy") TWO RUNS(9, "q", N(1), 2, 100, "n1") WAITS(3, "q", N(1), 4, 600)
		      TASK(2, "PENDING", "p", N(1), 3, 700, ",'phase':'DEPEND','priority':10,'dependency':'begin-time=1050.0'"), "3:100 2:700");
}

/* An estimate of a job that waits tells that Fluxion kept nodes for it in its last loop. */
static void what_was_kept_before_is_given_up_in_its_turn(void **state)
{
#define KEPT(at) TASK(3, "PENDING", "q", N(1), 4, 600, ",'phase':'SCHED','priority':10" at)
	(void)state;
	check(HEAD POLICY("easy") TWO RUNS(9, "q", N(1), 2, 100, "n1") WAITS(2, "p", N(1), 3, 700) KEPT(""), "2:100 3:800");
	check(HEAD POLICY("easy") TWO RUNS(9, "q", N(1), 2, 100, "n1") WAITS(2, "p", N(1), 3, 700) KEPT(",'start_time':1100"), "2:700 3:100");
	check(HEAD POLICY("easy") TWO RUNS(9, "q", N(1), 2, 100, "n1") WAITS(2, "p", N(1), 3, 700) KEPT(",'start_time':900"), "2:100 3:800");
	check(HEAD POLICY("fcfs") TWO RUNS(9, "q", N(1), 2, 100, "n1") WAITS(2, "p", N(1), 3, 700) KEPT(",'start_time':1100"), "2:100 3:800");
}

static void a_job_may_have_its_nodes_for_itself(void **state)
{
#define MATCH(name) POLICY("easy") SET("fluxion_match_policy", "'" name "'")
#define PAIR QUEUE("q", "") HOST("n1", 4, "'q'") HOST("n2", 8, "'q'")
	(void)state;
	check(HEAD MATCH("lonode") PAIR RUNS(9, "q", N(1), 1, 100, "n1") WAITS(1, "q", , 4, 600) WAITS(2, "q", N(1), 2, 50), "1:0 2:0");
	check(HEAD MATCH("lonodex") PAIR RUNS(9, "q", N(1), 1, 100, "n1") WAITS(1, "q", , 4, 600) WAITS(2, "q", N(1), 2, 50), "1:0 2:100");
	/* several slots on a node */
	check(HEAD MATCH("lonodex") PAIR WAITS(1, "q", ",'tasks':6", 6, 600) WAITS(2, "q", N(1), 2, 50), "1:0 2:600");
	check(HEAD MATCH("hinodex") PAIR WAITS(1, "q", ",'tasks':6", 6, 600) WAITS(2, "q", N(1), 2, 50), "1:0 2:0");
}

static void cores_lie_where_they_are_told(void **state)
{
#define FREE(n1) QUEUE("q", "") HOST("n1", 4, "'q'") HOST("n2", 4, "'q'") \
	TASK(1, "RUNNING", "q", N(2), 4, 600, ",'phase':'RUN','start_time':1000,'end_time':1600,'node_list':'n[1-2]'" n1)
	(void)state;
	check(HEAD FREE("") WAITS(2, "q", N(1), 3, 10), "2:600");
	check(HEAD FREE(",'node_cores':'1,3'") WAITS(2, "q", N(1), 3, 10), "2:0");
	/* tasks without nodes spread over what is free */
	check(HEAD FREE("") WAITS(2, "q", ",'tasks':4", 4, 10) WAITS(3, "q", ",'tasks':1", 1, 10), "2:0 3:10");
}

static void who_never_starts_holds_nobody_up(void **state)
{
	(void)state;
	check(HEAD QUEUE("q", "") HOST("n1", 4, "'q'") WAITS(2, "q", N(2), 2, 10) WAITS(3, "q", N(1), 5, 10) WAITS(4, "q", N(1), 4, 10),
	      "2:never 3:never 4:0");
	check(HEAD QUEUE("q", ",'state':'STOPPED'") HOST("n1", 4, "'q'") WAITS(2, "q", N(1), 1, 10), "2:blocked");
	/* no limit: what comes behind it never gets those cores */
	check(HEAD QUEUE("q", "") HOST("n1", 4, "'q'") WAITS(2, "q", N(1), 4, 0) WAITS(3, "q", N(1), 1, 10), "2:0 3:1");
	check(HEAD QUEUE("q", "") HOST("n1", 4, "'q'") TASK(2, "PENDING", "q", N(1), 4, 'unlimited', ",'phase':'SCHED','priority':10")
	      WAITS(3, "q", N(1), 1, 10), "2:0 3:blocked");
}

static void a_simulation_that_takes_too_long_is_given_up(void **state)
{
	(void)state;
	fst_given_up(fst_snapshot(HEAD POLICY("easy") HALF WAITS(3, "q", N(1), 4, 700)), 9);
}

#define GPUS(n) ",'tres_req':{'gres/gpu':" #n "}"
#define CARDS(name) REC("node", "'name':'" name "','state':'IDLE','cpus':4,'partitions':['q'],'tres':{'cpu':4,'gres/gpu':2}")

/* Cores are free, GPUs are not; a whole node waits until nothing runs there; a constraint leaves one node. */
static void gpus_whole_nodes_and_constraints_count(void **state)
{
#define ONE_IN_USE QUEUE("q", "") CARDS("n1") TASK(1, "RUNNING", "q", N(1), 1, 600, ",'phase':'RUN','start_time':1000,'end_time':1600,'node_list':'n1'" GPUS(1))
	(void)state;
	check(HEAD ONE_IN_USE WAITS(2, "q", N(1) GPUS(2), 1, 10), "2:600");
	check(HEAD ONE_IN_USE WAITS(2, "q", N(1) GPUS(1), 1, 10) WAITS(3, "q", N(1), 1, 5), "2:0 3:0");
	check(HEAD ONE_IN_USE WAITS(2, "q", N(1) ",'oversubscribe':'EXCLUSIVE'", 1, 10) WAITS(3, "q", N(1), 1, 5), "2:600 3:610");
	check(HEAD QUEUE("q", "") HOST("n1", 4, "'q'") HOST("n2", 4, "'q'") WAITS(2, "q", N(1) ",'features':'(hosts:n2)'", 4, 10)
	      WAITS(3, "q", N(1) ",'features':'!(hosts:n1)'", 1, 5), "2:0 3:10");
}

/* Nodes with as many free cores are taken in the order of their free GPUs: job 3 is on n2, where job 4 then finds one,
 * not two. */
static void of_nodes_alike_that_with_most_gpus_is_taken(void **state)
{
#define ON(id, name, more) \
	TASK(id, "RUNNING", "q", N(1), 1, 600, ",'phase':'RUN','start_time':1000,'end_time':1600,'node_list':'" name "'" more)
	(void)state;
	check(HEAD QUEUE("q", "") CARDS("n1") CARDS("n2") ON(1, "n1", GPUS(1)) ON(2, "n2", "") WAITS(3, "q", N(1) GPUS(1), 1, 10)
	      WAITS(4, "q", N(1) GPUS(2), 1, 10), "3:0 4:10");
}

/* Three slots of a core and a GPU, two of them on n1, as its cores tell: n2 has a GPU left, n1 none. */
static void gpus_lie_where_the_cores_of_their_slots_are(void **state)
{
	(void)state;
	check(HEAD QUEUE("q", "") CARDS("n1") CARDS("n2")
	      TASK(1, "RUNNING", "q", ",'tasks':3", 3, 600, ",'phase':'RUN','start_time':1000,'end_time':1600,'node_list':'n[1-2]','node_cores':'2,1'" GPUS(3))
	      WAITS(2, "q", N(1) GPUS(1), 1, 10), "2:0");
}

/* One node of 4 cores, all in use for 600 s by the job of u that runs; his jobs would get 25000 points. */
#define BANK(limits) QUEUE("q", ",'max_jobs_per_assoc':9") HOST("n1", 4, "'q'") \
	REC("association", "'id':1,'account':'root','shares':1,'usage_tres_s':0,'bank_priority':0") \
	REC("association", "'id':2,'account':'b','parent':'root','shares':1,'usage_tres_s':0,'bank_priority':0") \
	REC("association", "'id':3,'account':'b','user':'u','shares':1,'usage_tres_s':10,'fairshare':0.25" limits)
#define BUSY TASK(1, "RUNNING", "q", N(1), 4, 600, ",'account':'b','phase':'RUN','start_time':1000,'end_time':1600,'node_list':'n1'")
#define HELD(id, cpus, limit, depends) \
	TASK(id, "PENDING", "q", N(1), cpus, limit, ",'account':'b','phase':'DEPEND','dependency':'" depends "'")

static void limits_let_jobs_go_when_others_end_or_start(void **state)
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
	/* of two limits both must have room; one that is not known never has */
	check(HEAD BANK(",'max_jobs':1,'max_nodes':9,'max_cores':4") BUSY IN_SCHED(2, 5, 30)
	      HELD(3, 4, 10, "max-running-jobs-user-limit,max-resources-user-limit"), "2:600 3:630");
	check(HEAD BANK("") BUSY HELD(2, 1, 10, "max-running-jobs-user-limit"), "2:blocked");
}

/* Room is looked for when a job of the user's starts or ends, or an update of priorities does. */
static void a_raised_limit_lets_go_at_once(void **state)
{
#define PART TASK(1, "RUNNING", "q", N(1), 3, 600, ",'account':'b','phase':'RUN','start_time':1000,'end_time':1600,'node_list':'n1'")
#define TWO_HELD HELD(2, 1, 10, "max-running-jobs-user-limit") HELD(3, 1, 20, "max-running-jobs-user-limit")
	(void)state;
	check(HEAD BANK(",'max_jobs':2") PART TWO_HELD, "2:600 3:600");
	check_after(HEAD BANK(",'max_jobs':1") PART TWO_HELD, "flux account edit-user u --max-running-jobs=2", "2:0 3:10");
}

static void who_is_let_go_stands_by_his_priority(void **state)
{
	(void)state;
	/* nodes are free before the limit is: the first of the line starts, then he who was let go stands in it */
	check(HEAD BANK(RUNNERS) BUSY IN_SCHED(2, 5, 30) IN_SCHED(3, 4, 30) HELD(4, 3, 10, "max-running-jobs-user-limit"), "2:600 3:610 4:600");
	check(HEAD BANK(",'max_jobs':2") BUSY IN_SCHED(2, 50000, 30) TASK(3, "PENDING", "q", N(1), 2, 40, ",'account':'b','phase':'SCHED','priority':40000")
	      TASK(4, "PENDING", "q", N(1), 2, 40, ",'account':'b','phase':'SCHED','priority':5") HELD(5, 2, 10, "after-finish=1"),
	      "2:600 3:600 4:640 5:630");
	check(HEAD BANK("") BUSY REC("job", "'id':2,'state':'PENDING','user':'u','partitions':['q'],'urgency':0,'cpus':1,'nodes':1,'time_limit_s':10,"
					  "'account':'b','phase':'DEPEND','dependency':'after-finish=1'"), "2:blocked");
}

static void other_jobs_and_times_let_jobs_go(void **state)
{
	(void)state;
	check(HEAD BANK("") BUSY HELD(2, 1, 10, "after-finish=1") HELD(3, 1, 10, "after-success=2") HELD(4, 1, 10, "after-start=3"), "2:600 3:610 4:610");
	check(HEAD BANK("") BUSY HELD(2, 1, 10, "after-failure=1") HELD(3, 1, 10, "after-finish=99"), "2:blocked 3:blocked");
	check(HEAD BANK("") BUSY HELD(2, 1, 10, "begin-time=1900.500"), "2:900");
	check(HEAD BANK("") BUSY HELD(2, 1, 10, "begin-time=1300.000"), "2:600");
	check(HEAD BANK("") BUSY HELD(2, 1, 10, "begin@00:25"), "2:blocked");
	check(HEAD BANK("") BUSY TASK(2, "PENDING", "q", N(1), 1, 10, ",'account':'b','phase':'DEPEND','dependency':'begin@00:25','eligible_time':1700"), "2:700");
	/* never run, but over: after-finish is met, after-success never */
	check(HEAD BANK("") BUSY TASK(2, "PENDING", "q", N(1), 5, 10, ",'account':'b','phase':'SCHED','priority':10") HELD(3, 1, 10, "after-finish=2")
	      HELD(4, 1, 10, "after-success=2"), "2:never 3:600 4:blocked");
}

static void singletons_follow_each_other(void **state)
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

/* Who stands first when a start lets somebody go is assumed where anybody is held. */
static void the_race_of_starts_and_releases_is_assumed(void **state)
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
			told += strstr(s, "Flux may release them later") != NULL;
		assert_int_equal(told, k);
		fs_plan_free(p);
		fs_snapshot_free(m);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_race_of_starts_and_releases_is_assumed),
		cmocka_unit_test(a_simulation_that_takes_too_long_is_given_up),
		cmocka_unit_test(first_come_first_served_stops_at_the_first),
		cmocka_unit_test(backfill_delays_no_reservation),
		cmocka_unit_test(how_many_get_nodes_kept),
		cmocka_unit_test(a_loop_looks_so_far_down),
		cmocka_unit_test(queues_take_turns),
		cmocka_unit_test(what_was_kept_before_is_given_up_in_its_turn),
		cmocka_unit_test(a_job_may_have_its_nodes_for_itself),
		cmocka_unit_test(cores_lie_where_they_are_told),
		cmocka_unit_test(gpus_whole_nodes_and_constraints_count),
		cmocka_unit_test(of_nodes_alike_that_with_most_gpus_is_taken),
		cmocka_unit_test(gpus_lie_where_the_cores_of_their_slots_are),
		cmocka_unit_test(limits_let_jobs_go_when_others_end_or_start),
		cmocka_unit_test(a_raised_limit_lets_go_at_once),
		cmocka_unit_test(who_is_let_go_stands_by_his_priority),
		cmocka_unit_test(other_jobs_and_times_let_jobs_go),
		cmocka_unit_test(singletons_follow_each_other),
		cmocka_unit_test(who_never_starts_holds_nobody_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
