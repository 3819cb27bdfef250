/* Maui's plan: backfill, reservations, limits and caps over its iterations. The snapshot's time is 60 s after
 * 1600000000, and iterations are 60 s apart; starts below are relative to 1600000000. */
#include "fsmaui.h"
#include "fssimulated.h"

#define EPOCH INT64_C(1600000000)
#define CONFIG(name, value) REC("config", "'" name "':'" value "'")
#define NODE(name, more) REC("node", "'name':'" name "','state':'IDLE','cpus':4" more)
#define NODES NODE("n1", "") NODE("n2", "")
#define JOB(id, state, user, cpus, limit, fields) \
	REC("job", "'id':" #id ",'name':'" #id "','state':'" state "','position':" #id \
	    ",'submit_time':1600000000,'eligible_time':1600000000,'time_limit_s':" #limit ",'cpus':" #cpus \
	    ",'tasks':" #cpus ",'user':'" user "'" fields)
#define RUNS(id, cpus, limit, nodes) JOB(id, "RUNNING", "u", cpus, limit, ",'start_time':1600000000,'node_list':'" nodes "'")
#define WAITS(id, cpus, limit) JOB(id, "PENDING", "u", cpus, limit, "")
#define USER(name, fields) REC("credential", "'kind':'user','name':'" name "'" fields)
#define HEAD FST_MAUI_HEAD USER("u", "")
/* Half of the cluster is free; job 2 needs all of it. */
#define HALF NODES RUNS(1, 4, 600, "n1,n1,n1,n1") WAITS(2, 8, 100)

static fs_snapshot *check_mode(const char *text, enum fs_plan_mode mode, const char *want)
{
	fs_snapshot *m = fst_snapshot(text);
	const struct fs_plan_options o = { .mode = mode };
	char got[400] = "";
	struct fs_error err = { 0 };
	fs_plan *p;

	fst_no_error(fs_plan_compute(&p, m, &o, &err), &err);
	for (size_t i = 0; i < fs_plan_count(p); i++) {
		struct fs_plan_row r;
		const size_t len = strlen(got);

		fs_plan_row(p, i, &r);
		if (r.start_time == FS_UNKNOWN)
			snprintf(got + len, sizeof(got) - len, "%s%llu:%s", len ? " " : "", (unsigned long long)r.job,
				 fs_plan_state_name(r.state));
		else
			snprintf(got + len, sizeof(got) - len, "%s%llu:%lld", len ? " " : "", (unsigned long long)r.job,
				 (long long)(r.start_time - EPOCH));
		assert_true((r.state == FS_PLAN_NOW) == (r.start_time == EPOCH + 60));
	}
	assert_string_equal(got, want);
	fs_plan_free(p);
	return m;
}

static void check(const char *text, const char *want)
{
	fs_snapshot_free(check_mode(text, FS_PLAN_BACKFILL, want));
}

#define SHAPED(id, cpus, limit, fields) JOB(id, "PENDING", "u", cpus, limit, fields)

/* Job 2 can never start. It counts as an eligible job of its user until Maui tries to start it. Maui then drops job 2,
 * and job 3 can start. */
static void a_job_that_cannot_start_is_dropped_in_its_turn(void **state)
{
#define CANNOT FST_MAUI_HEAD USER("u", ",'max_idle_proc':4,'max_idle_proc_soft':4") \
	CONFIG("SERVERMODE", "SIMULATION") NODES SHAPED(2, 3, 100, ",'features':'fast'") WAITS(3, 2, 100)
	(void)state;
	check(CANNOT CONFIG("BACKFILLPOLICY", "NONE"), "2:never 3:120");
	check(CANNOT REC("config", "'RESERVATIONPOLICY':'NEVER'"), "2:never 3:120");
}

/* Three processors of a node are free. With tasks_per_node 2, two tasks fit there; with tasks_per_node 4, none fits. */
static void tasks_per_node_are_placed_in_whole_groups(void **state)
{
	(void)state;
	check(HEAD NODES RUNS(1, 1, 600, "n1") RUNS(2, 3, 900, "n2,n2,n2") SHAPED(3, 4, 100, ",'tasks_per_node':2"), "3:600");
	check(HEAD NODES RUNS(1, 1, 600, "n1") RUNS(2, 2, 900, "n2,n2") SHAPED(3, 4, 100, ",'tasks_per_node':2"), "3:60");
	check(HEAD NODES RUNS(1, 1, 600, "n1") RUNS(2, 1, 900, "n2") SHAPED(3, 4, 100, ",'tasks_per_node':4"), "3:600");
	/* a node needs space only for the two tasks that the job has, although tasks_per_node is 8 */
	check(HEAD NODES SHAPED(3, 2, 100, ",'tasks_per_node':8"), "3:60");
	check(HEAD NODES SHAPED(3, 10, 100, ",'tasks_per_node':5"), "3:never");
}

/* If a job requests two nodes, each node runs half of the job's tasks. If the tasks of job 4 must be on one node, job 4
 * then fits on neither node while job 3 runs. */
static void requested_nodes_get_equal_numbers_of_tasks(void **state)
{
	(void)state;
	check(HEAD NODES SHAPED(3, 4, 100, ",'nodes':2") SHAPED(4, 3, 100, ""), "3:60 4:60");
	check(HEAD NODES SHAPED(3, 4, 100, ",'nodes':2") SHAPED(4, 3, 100, ",'nodes':1,'tasks_per_node':3"), "3:60 4:180");
	check(HEAD NODES SHAPED(3, 4, 100, "") SHAPED(4, 3, 100, ",'nodes':1,'tasks_per_node':3"), "3:60 4:60");
}

/* Within hard limits, job 3 is the only eligible job of its group, because it has the highest priority. Job 3 exceeds a
 * soft limit, so job 4 is the only eligible job of the group within soft limits. Job 4 cannot start by backfill. */
static void eligible_jobs_are_counted_again_within_soft_limits(void **state)
{
	(void)state;
	check(FST_MAUI_HEAD CONFIG("RESERVATIONPOLICY", "NEVER") REC("config", "'PROCWEIGHT':1") NODES
		      REC("credential", "'kind':'group','name':'g','max_idle_job':1,'max_idle_job_soft':1")
	      REC("credential", "'kind':'user','name':'v','max_proc':8,'max_proc_soft':2") USER("w", "")
	      JOB(3, "PENDING", "v", 8, 100, ",'group':'g'") JOB(4, "PENDING", "w", 4, 100, ",'group':'g'"), "3:180 4:60");
}

static void no_job_delays_a_reservation(void **state)
{
	(void)state;
	check(HEAD HALF WAITS(3, 4, 500) WAITS(4, 4, 1000), "2:600 3:60 4:720");
	check(HEAD CONFIG("BACKFILLPOLICY", "NONE") HALF WAITS(3, 4, 500) WAITS(4, 4, 1000), "2:600 3:720 4:720");
	check(HEAD CONFIG("RESERVATIONPOLICY", "NEVER") HALF WAITS(4, 4, 1000), "2:1080 4:60");
	fs_snapshot_free(check_mode(HEAD HALF WAITS(3, 4, 500) WAITS(4, 4, 1000), FS_PLAN_BY_PRIORITY, "2:600 3:720 4:720"));
}

/* Job 2 would overlap the reservation if it started now; job 3 ends before the reservation begins. Job 2 waits for the
 * end of the reservation, not for jobs ahead of it. */
static void jobs_wait_for_the_end_of_an_administrators_reservation(void **state)
{
	static const char text[] = HEAD NODES REC("reservation", "'name':'maint.0','nodes':'n1,n2','start_time':1600000360,"
								  "'end_time':1600000960") WAITS(2, 8, 400) WAITS(3, 8, 300);
	fs_snapshot *m = check_mode(text, FS_PLAN_BACKFILL, "2:960 3:60");
	struct fs_plan_row r;
	struct fs_error err;
	fs_plan *p;

	(void)state;
	fst_no_error(fs_plan_compute(&p, m, NULL, &err), &err);
	fs_plan_row(p, 0, &r);
	assert_int_equal(r.wait, FS_PLAN_WAIT_RESERVATION);
	fs_plan_free(p);
	fs_snapshot_free(m);
}

/* Jobs ahead of the first job without a reservation start if they fit. Jobs after this job are started only by
 * backfill. With BACKFILLPOLICY GREEDY, backfill does not start them. */
#define RUNS_FOR(id, cpus, limit, nodes, run) \
	JOB(id, "RUNNING", "u", cpus, limit, ",'start_time':1600000000,'node_list':'" nodes "','simulated_run_s':" #run)
#define WAITS_TO_RUN_FOR(id, cpus, limit, run) JOB(id, "PENDING", "u", cpus, limit, ",'simulated_run_s':" #run)

static void a_simulation_ends_jobs_at_the_time_of_their_traces(void **state)
{
	static const char simulated[] = HEAD CONFIG("SERVERMODE", "SIMULATION") NODES
		RUNS_FOR(1, 4, 600, "n1,n1,n1,n1", 200) WAITS_TO_RUN_FOR(2, 8, 1000, 100) WAITS(3, 4, 500) WAITS(4, 8, 100);

	(void)state;
	/* Job 3 fits before job 2, because reservations assume that running jobs use their whole time limits. Job 2
	 * then ends early. No job runs longer than its limit. */
	check(simulated, "2:600 3:60 4:720");
	check(HEAD NODES RUNS_FOR(1, 4, 600, "n1,n1,n1,n1", 200) WAITS(2, 8, 100), "2:600");
	check(HEAD CONFIG("SERVERMODE", "SIMULATION") NODES RUNS_FOR(1, 4, 600, "n1,n1,n1,n1", 900) WAITS(2, 8, 100), "2:600");
	check(HEAD CONFIG("SERVERMODE", "SIMULATION") NODES RUNS_FOR(1, 4, 600, "n1,n1,n1,n1", 200) WAITS(2, 8, 100), "2:240");
}

static void greedy_starts_no_job_after_the_first_without_a_reservation(void **state)
{
	(void)state;
	check(HEAD CONFIG("BACKFILLPOLICY", "GREEDY") HALF WAITS(3, 4, 500) WAITS(4, 4, 1000), "2:600 3:60 4:720");
	check(HEAD CONFIG("BACKFILLPOLICY", "GREEDY") HALF WAITS(3, 8, 100) WAITS(4, 4, 500), "2:600 3:720 4:840");
	check(HEAD HALF WAITS(3, 8, 100) WAITS(4, 4, 500), "2:600 3:720 4:60");
}

/* If only one job may have a reservation, job 3 has none. Job 4 then starts on the nodes that job 3 would have
 * reserved. */
static void reservation_depth_limits_the_number_of_reservations(void **state)
{
	(void)state;
	check(HEAD HALF WAITS(3, 8, 100) WAITS(4, 4, 1000), "2:600 3:720 4:840");
	check(HEAD REC("config", "'RESERVATIONDEPTH':2") HALF WAITS(3, 8, 100) WAITS(4, 4, 1000), "2:600 3:720 4:840");
	check(HEAD HALF WAITS(3, 5, 100) WAITS(4, 4, 500) WAITS(5, 4, 500), "2:600 3:720 4:60 5:840");
}

static void bestfit_starts_the_widest_job_first(void **state)
{
	(void)state;
	check(HEAD HALF WAITS(3, 8, 100) WAITS(6, 2, 500) WAITS(7, 1, 500) WAITS(8, 3, 500),
	      "2:600 3:720 6:60 7:60 8:840");
	check(HEAD CONFIG("BACKFILLPOLICY", "BESTFIT") HALF WAITS(3, 8, 100) WAITS(6, 2, 500) WAITS(7, 1, 500)
		      WAITS(8, 3, 500),
	      "2:600 3:720 6:840 7:60 8:60");
}

static void backfill_depth_limits_the_jobs_tried_for_a_gap(void **state)
{
	(void)state;
	check(HEAD HALF WAITS(3, 8, 100) WAITS(4, 1, 500) WAITS(5, 1, 500), "2:600 3:720 4:60 5:60");
	check(HEAD REC("config", "'BACKFILLDEPTH':1") HALF WAITS(3, 8, 100) WAITS(4, 1, 500) WAITS(5, 1, 500),
	      "2:600 3:720 4:60 5:840");
	check(HEAD REC("config", "'BACKFILLDEPTH':1") HALF WAITS(3, 8, 100) WAITS(4, 1, 900) WAITS(5, 1, 500),
	      "2:600 3:720 4:840 5:60");
}

static void limits_use_the_jobs_running_at_each_iteration(void **state)
{
	(void)state;
	check(FST_MAUI_HEAD USER("u", ",'max_job':1") NODES WAITS(2, 1, 100) WAITS(3, 1, 100) WAITS(4, 1, 100),
	      "2:60 3:180 4:300");
	check(FST_MAUI_HEAD USER("u", ",'max_proc':2") NODES WAITS(2, 1, 100) WAITS(3, 3, 100) WAITS(4, 1, 100),
	      "2:60 4:60 3:never");
}

static void blocked_and_impossible_jobs_get_no_start(void **state)
{
	(void)state;
	check(HEAD HALF WAITS(3, 9, 100) JOB(4, "PENDING", "u", 1, 100, ",'reason':'UserHold'")
		      JOB(5, "PENDING", "u", 1, 100, ",'reason':'Blocked'"),
	      "2:600 3:never 4:blocked 5:blocked");
	check(HEAD NODE("n1", ",'partitions':['long']") JOB(2, "PENDING", "u", 1, 100, ",'partitions':['batch']")
		      JOB(3, "PENDING", "u", 1, 100, ",'partitions':['long']"),
	      "2:never 3:60");
	check(HEAD NODE("n1", ",'features':['fast']") JOB(2, "PENDING", "u", 1, 100, ",'features':'fast&big'")
		      JOB(3, "PENDING", "u", 1, 100, ",'features':'fast'"),
	      "2:never 3:60");
}

/* Jobs 1 and 2 leave 10 of the 100 MB of n1 free. In simulation mode, Maui raises the free memory of n1 to 100 MB after
 * the first of them ends, and to 150 MB after the second ends. Each change applies from the next iteration on. Two
 * tasks of job 4 then fit on n1. Outside of simulation mode, job 4 also needs n2. The free memory grows in the same way
 * if a job ends while another job on its node has requested no memory. */
static void nodes_of_a_simulation_gain_memory_when_jobs_end(void **state)
{
#define HAS(name) NODE(name, ",'tres':{'cpu':4,'mem':100}")
#define FULL HAS("n1") HAS("n2") RUNS(3, 4, 5000, "n2,n2,n2,n2") \
	JOB(4, "PENDING", "u", 2, 100, ",'tres_req':{'cpu':2,'mem':140}")
#define ON_N1(id, state, mem, start, more) \
	JOB(id, state, "u", 1, 600, ",'start_time':" start ",'node_list':'n1','tres_req':{'cpu':1,'mem':" #mem "}" more)
#define RUNNING_BOTH ON_N1(1, "RUNNING", 40, "1600000000", "") ON_N1(2, "RUNNING", 50, "1600000000", "")
#define ENDED_BOTH ON_N1(1, "COMPLETED", 40, "1599999000", ",'end_time':1599999600") \
	ON_N1(2, "COMPLETED", 50, "1599999000", ",'end_time':1599999600")
#define FOR_600(id, limit, mem) \
	JOB(id, "RUNNING", "u", 1, limit, ",'start_time':1600000000,'node_list':'n1','simulated_run_s':600," \
					  "'tres_req':{'cpu':1,'mem':" #mem "}")
#define SIMULATED CONFIG("SERVERMODE", "SIMULATION")
	(void)state;
	check(HEAD FULL RUNNING_BOTH, "4:5040");
	check(HEAD SIMULATED FULL RUNNING_BOTH, "4:660");
	check(HEAD SIMULATED FULL ON_N1(1, "RUNNING", 50, "1600000000", "")
		      ON_N1(2, "COMPLETED", 0, "1600000000", ",'end_time':1600000060"), "4:660");
	check(HEAD SIMULATED FULL ON_N1(1, "RUNNING", 40, "1600000000", ""), "4:5040");
	check(HEAD SIMULATED FULL ENDED_BOTH, "4:60");
	check(HEAD FULL ENDED_BOTH, "4:5040");
	/* Both jobs end at the same time. The end of the job with the shorter limit is processed first. Then 100 MB are
	 * free. The end of the other job frees another 70 MB. */
	check(HEAD SIMULATED HAS("n1") HAS("n2") RUNS(3, 4, 5000, "n2,n2,n2,n2") FOR_600(1, 2000, 70) FOR_600(2, 900, 30)
		      JOB(4, "PENDING", "u", 2, 100, ",'tres_req':{'cpu':2,'mem':140}"), "4:660");
}

/* Job 1 uses a processor of n1, and job 2 uses all processors of n2. With SINGLEJOB, no other job starts on n1. With
 * SINGLEUSER, no job of another user starts on n1. */
static void the_node_access_policy_limits_sharing_of_nodes(void **state)
{
#define BESIDE NODES USER("v", "") RUNS(1, 1, 600, "n1") RUNS(2, 4, 900, "n2,n2,n2,n2") WAITS(3, 2, 100) \
	JOB(4, "PENDING", "v", 1, 100, "")
#define ACCESS(policy) CONFIG("NODEACCESSPOLICY", policy)
	(void)state;
	check(HEAD BESIDE, "3:60 4:60");
	check(HEAD ACCESS("SINGLEJOB") BESIDE, "3:600 4:720");
	check(HEAD ACCESS("SINGLEUSER") BESIDE, "3:60 4:600");
	check(HEAD ACCESS("SINGLETASK") BESIDE, "3:600 4:720");
}

/* Job 3 takes the first node in the order of the policy. If this node is n1, job 4 waits, because the memory of n1 is
 * not enough for both jobs. */
static void the_node_allocation_policy_sets_the_order_of_nodes(void **state)
{
#define FOR_ONE NODE("n1", ",'tres':{'cpu':4,'mem':100}") NODE("n2", ",'tres':{'cpu':4,'mem':50}") \
	JOB(3, "PENDING", "u", 1, 100, ",'tres_req':{'cpu':1,'mem':40}") \
	JOB(4, "PENDING", "u", 1, 100, ",'tres_req':{'cpu':1,'mem':90}")
#define ALLOCATION(policy) CONFIG("NODEALLOCATIONPOLICY", policy)
	(void)state;
	check(HEAD FOR_ONE, "3:60 4:60");
	check(HEAD ALLOCATION("FIRSTAVAILABLE") FOR_ONE, "3:60 4:180");
	check(HEAD ALLOCATION("PRIORITY") FOR_ONE, "3:60 4:180");
	check(HEAD ALLOCATION("FASTEST") FOR_ONE, "3:60 4:180");
}

/* A job uses nodes of one partition, and the first waiting job of a partition does not delay the jobs of other
 * partitions. */
static void a_job_uses_nodes_of_one_partition(void **state)
{
#define IN(name, partition) NODE(name, ",'maui_partition':'" partition "'")
#define TWO NODE("n1", "") IN("n2", "p2")
#define HALF_OF_EACH RUNS(1, 4, 600, "n1,n1,n2,n2")
	(void)state;
	check(HEAD NODES HALF_OF_EACH WAITS(2, 4, 100), "2:60");
	check(HEAD TWO HALF_OF_EACH WAITS(2, 4, 100), "2:600");
	check(HEAD IN("n1", "p1") IN("n2", "p2") HALF_OF_EACH WAITS(2, 4, 100), "2:600");
	check(HEAD NODES HALF_OF_EACH WAITS(2, 8, 100) WAITS(3, 2, 100), "2:600 3:60");
	check(HEAD TWO HALF_OF_EACH WAITS(2, 8, 100) WAITS(3, 2, 100), "2:never 3:60");
	/* job 2 waits for n1, the node of its class; job 2 delays job 3 if n1 and n2 are in the same partition, but not
	 * if n2 is in another partition */
#define OF_CLASSES(second) CONFIG("BACKFILLPOLICY", "NONE") NODE("n1", ",'partitions':['long']") \
	NODE("n2", ",'partitions':['batch']" second) RUNS(1, 4, 600, "n1,n1,n1,n1") \
	JOB(2, "PENDING", "u", 4, 100, ",'partitions':['long']") JOB(3, "PENDING", "u", 4, 100, ",'partitions':['batch']")
	check(HEAD OF_CLASSES(""), "2:600 3:600");
	check(HEAD OF_CLASSES(",'maui_partition':'p2'"), "2:600 3:60");
	/* job 2 may only use n1, and job 3 must wait for the end of job 2 */
#define ONLY_IN_P2 CONFIG("BACKFILLPOLICY", "NONE") NODE("n1", ",'features':['a']") \
	NODE("n2", ",'maui_partition':'p2','partitions':['batch']") RUNS(1, 4, 600, "n2,n2,n2,n2") \
	JOB(2, "PENDING", "u", 4, 100, ",'partitions':['long']") WAITS(3, 4, 100)
	check(HEAD TWO RUNS(1, 4, 600, "n2,n2,n2,n2") WAITS(2, 4, 100) WAITS(3, 4, 100), "2:60 3:180");
	check(HEAD ONLY_IN_P2, "2:60 3:180");
}

/* Maui schedules one partition at a time. A job whose reservation is in a different partition still counts against
 * RESERVATIONDEPTH of the job's bucket, and the nodes of the reservation stay reserved. */
static void a_reservation_uses_nodes_of_one_partition(void **state)
{
#define LEFT_IN_P2 TWO RUNS(1, 4, 600, "n1,n1,n1,n1") RUNS(4, 3, 300, "n2,n2,n2") WAITS(2, 4, 100) \
	JOB(3, "PENDING", "u", 1, 400, "")
	(void)state;
	check(HEAD LEFT_IN_P2, "2:300 3:420");
}

/* Each task needs memory as well as a processor. */
static void memory_limits_the_tasks_on_a_node(void **state)
{
	(void)state;
	check(HEAD NODE("n1", ",'tres':{'cpu':4,'mem':100}")
		      JOB(2, "PENDING", "u", 2, 100, ",'tres_req':{'cpu':2,'mem':120}")
		      JOB(3, "PENDING", "u", 1, 100, ",'tres_req':{'cpu':1,'mem':60}")
		      JOB(4, "PENDING", "u", 1, 100, ",'tres_req':{'cpu':1,'mem':60}"),
	      "2:never 3:60 4:180");
}

static void a_reservation_excludes_jobs_from_its_nodes(void **state)
{
	(void)state;
	check(HEAD NODES REC("reservation", "'name':'maint','start_time':1600000100,'end_time':1600000700,'nodes':'n1'")
		      WAITS(2, 8, 30) WAITS(3, 8, 100) WAITS(4, 4, 100),
	      "2:60 3:720 4:120");
}

static void a_reservation_without_end_excludes_jobs_forever(void **state)
{
	(void)state;
	check(HEAD NODES REC("reservation", "'name':'r','start_time':1600000060,'end_time':2140000000,'nodes':'n1'")
		      WAITS(2, 8, 30) WAITS(3, 4, 100) WAITS(4, 4, 100),
	      "2:never 3:60 4:180");
}

/* Admitted jobs use the nodes of the reservation first, and may run longer than the reservation. Other jobs wait for
 * the end of the reservation. */
static void a_reservation_admits_only_its_credentials(void **state)
{
#define ADMITS(whom) \
	REC("reservation", "'name':'r','start_time':1600000060,'end_time':1600000700,'nodes':'n1'," whom)
	(void)state;
	check(HEAD NODES ADMITS("'admits_told':true,'users':['u']") WAITS(2, 8, 1000) WAITS(3, 4, 100), "2:60 3:1080");
	check(HEAD NODES ADMITS("'admits_told':true,'users':['v']") WAITS(2, 8, 1000) WAITS(3, 4, 100), "2:720 3:60");
	check(HEAD NODES ADMITS("'admits_told':false,'users':['u']") WAITS(2, 8, 1000) WAITS(3, 4, 100), "2:720 3:60");
	/* job 2 takes n1, whose reservation admits job 2, and leaves n2 to job 3; without the reservation, job 2 would
	 * take the last node */
	check(HEAD USER("v", "") NODES ADMITS("'admits_told':true,'users':['u']") WAITS(2, 4, 1000)
		      JOB(3, "PENDING", "v", 4, 100, ""),
	      "2:60 3:60");
	/* the backfill window after job 2 includes the reservations of all users; job 3 then starts in the reservation
	 * that admits its user */
	check(HEAD NODES NODE("n3", "") ADMITS("'admits_told':true,'users':['u']") RUNS(1, 4, 600, "n2,n2,n2,n2")
		      WAITS(2, 12, 100) RUNS(4, 4, 600, "n3,n3,n3,n3") WAITS(3, 4, 400),
	      "2:600 3:60");
	check(HEAD NODES ADMITS("'admits_told':true,'groups':['g']") JOB(2, "PENDING", "u", 8, 100, ",'group':'g'"), "2:60");
	check(HEAD NODES ADMITS("'admits_told':true,'accounts':['a']") JOB(2, "PENDING", "u", 8, 100, ",'account':'a'"), "2:60");
	check(HEAD NODES ADMITS("'admits_told':true,'classes':['c']") JOB(2, "PENDING", "u", 8, 100, ",'partitions':['c']"), "2:60");
}

/* The jobs of the QOS in one RESERVATIONQOSLIST form a bucket. Each bucket has its own maximum number of reservations
 * (RESERVATIONDEPTH). A job whose QOS is in no bucket gets no reservation. */
#define QOS(name, fields) REC("credential", "'kind':'qos','name':'" name "'" fields)
#define OF(id, cpus, limit, qos) JOB(id, "PENDING", "u", cpus, limit, ",'qos':['" qos "']")
#define LISTS(fields) REC("config", fields) QOS("hi", "") QOS("lo", "")

static void each_bucket_of_qos_has_its_own_reservations(void **state)
{
	(void)state;
	check(HEAD QOS("hi", "") QOS("lo", "") HALF OF(4, 4, 1500, "lo"), "2:600 4:720");
	check(HEAD LISTS("'RESERVATIONQOSLIST':'hi lo'") HALF OF(4, 4, 1500, "lo"), "2:1560 4:60");
	check(HEAD LISTS("'RESERVATIONQOSLIST':'hi [ALL]'") HALF OF(4, 4, 1500, "lo"), "2:600 4:720");
	check(HEAD LISTS("'RESERVATIONQOSLIST':'hi','RESERVATIONQOSLIST[3]':'lo DEFAULT','RESERVATIONDEPTH[3]':1") HALF
		      OF(4, 4, 1500, "hi"),
	      "2:600 4:720");
	check(HEAD LISTS("'RESERVATIONDEPTH':0") HALF OF(4, 4, 1500, "lo"), "2:1560 4:60");
	/* RESERVATIONQOSLIST[1] adds a second bucket, which contains the jobs of QOS lo that are in no earlier
	 * bucket */
	check(HEAD LISTS("'RESERVATIONQOSLIST':'DEFAULT','RESERVATIONDEPTH[1]':1,'RESERVATIONQOSLIST[1]':'lo'") HALF
		      OF(3, 6, 100, "lo") OF(4, 4, 650, "hi"),
	      "2:600 3:720 4:840");
}

static void qos_flags_control_backfill_and_reservations(void **state)
{
	(void)state;
	check(HEAD QOS("hi", ",'flags':['NOBF']") HALF WAITS(3, 8, 100) OF(4, 4, 500, "hi") OF(5, 4, 500, "lo"),
	      "2:600 3:720 4:840 5:60");
	check(HEAD CONFIG("RESERVATIONPOLICY", "NEVER") NODES RUNS(1, 4, 600, "n1,n1,n1,n1") OF(3, 8, 100, "hi")
		      OF(5, 4, 600, "lo"),
	      "3:660 5:60");
	check(HEAD QOS("hi", ",'flags':['RESERVEALWAYS']") QOS("lo", "") CONFIG("RESERVATIONPOLICY", "NEVER") NODES
		      RUNS(1, 4, 600, "n1,n1,n1,n1") OF(3, 8, 100, "hi") OF(5, 4, 600, "lo"),
	      "3:600 5:720");
}

/* Each iteration tries all jobs twice. In the second pass, a reservation that began at once does not count against the
 * maximum number of reservations, so the next job gets a reservation. */
static void the_second_pass_of_an_iteration_adds_a_reservation(void **state)
{
	(void)state;
	check(HEAD LISTS("'RESERVATIONQOSLIST':'lo'") NODES NODE("n3", "") RUNS(1, 4, 600, "n1,n1,n1,n1")
		      RUNS(6, 4, 1200, "n2,n2,n2,n2") OF(2, 12, 100, "hi") OF(3, 2, 100, "lo") OF(4, 8, 100, "lo")
			      OF(5, 2, 1500, "hi"),
	      "2:2220 3:60 4:600 5:720");
}

/* Job 3 exceeds the soft limit as soon as job 2 runs. Until the second pass, job 3 has a reservation that begins now.
 * Job 4 therefore does not fit and gets a reservation for later. Job 5 does not delay that reservation. */
static void a_job_over_a_soft_limit_reserves_until_the_second_pass(void **state)
{
	(void)state;
	check(FST_MAUI_HEAD REC("config", "'RESERVATIONDEPTH':2") USER("u", ",'max_job_soft':1,'max_job':9") USER("v", "")
		      NODE("n1", "") WAITS(2, 2, 600) WAITS(3, 1, 600) JOB(4, "PENDING", "v", 2, 600, "")
			      JOB(5, "PENDING", "v", 1, 500, ""),
	      "2:60 3:60 4:660 5:60");
}

/* Job 3 can never start. While other jobs hold the reservations, job 3 stays in the queue, and the jobs after it wait.
 * When job 3 would get a reservation, it is deferred, unless it was dropped before. */
static void an_impossible_job_delays_later_jobs_until_it_is_deferred(void **state)
{
#define NOWHERE JOB(3, "PENDING", "u", 4, 100, ",'features':'nowhere'")
#define BEHIND WAITS(4, 2, 500) WAITS(5, 1, 500)
	(void)state;
	check(HEAD CONFIG("BACKFILLPOLICY", "GREEDY") HALF NOWHERE BEHIND, "2:600 3:never 4:720 5:720");
	check(HEAD CONFIG("BACKFILLPOLICY", "GREEDY") HALF BEHIND, "2:600 4:60 5:60");
	check(HEAD CONFIG("BACKFILLPOLICY", "GREEDY") NODES NOWHERE BEHIND WAITS(6, 1, 100), "3:never 4:60 5:60 6:60");
	check(HEAD CONFIG("BACKFILLPOLICY", "GREEDY") HALF WAITS(3, 9, 100) BEHIND, "2:600 3:never 4:60 5:60");
}

/* A deferred job is held and counts in no limit on eligible jobs: the next iteration starts job 4. */
static void a_deferred_job_is_not_eligible(void **state)
{
	(void)state;
	check(HEAD USER("v", ",'max_idle_job':1,'max_idle_job_soft':1") NODES JOB(3, "PENDING", "v", 4, 100, ",'features':'nowhere'")
		      JOB(4, "PENDING", "v", 1, 100, ""),
	      "3:never 4:120");
}

/* Jobs 8 and 9 can both start when job 1 ends at 300 s; the job that has waited longer starts first. The wait of job 8
 * is 240 s, the time until the last iteration. A cap blocks job 9 until the iteration at 240 s, after the window that
 * ends at 200 s. The wait of job 9 is the recorded wait at the time when job 9 was last eligible. If job 9 was never
 * eligible, its wait is 300 s. */
#define CAPPED(more) \
	HEAD CONFIG("FSPOLICY", "DEDICATEDPS") REC("config", "'FSINTERVAL':1800") \
	REC("config", "'FSDEPTH':1") USER("v", ",'target':1000,'target_mode':'cap_abs'") \
	REC("window", "'start':1599998400,'kind':'user','name':'v','usage_s':400") \
	REC("window", "'start':1599998400,'kind':'sched','usage_s':400") NODES \
	RUNS(1, 8, 300, "n1,n1,n1,n1,n2,n2,n2,n2") WAITS(8, 8, 100) JOB(9, "PENDING", "v", 8, 100, more)

static void the_recorded_wait_of_a_blocked_job_counts(void **state)
{
	(void)state;
	check(CAPPED(",'eligible_s':0"), "8:420 9:300");
	check(CAPPED(",'eligible_s':60"), "8:300 9:420");
	check(CAPPED(",'eligible_s':300"), "8:420 9:300");
}

/* Job 1 starts at once, and the limit of its user blocks job 3 from the next iteration on. The wait of job 3 counts up
 * to that iteration, the wait of job 8 up to the last iteration. */
#define ONE_AT_A_TIME FST_MAUI_HEAD USER("u", ",'max_job':1") USER("v", "") NODES
#define SENT_AT(t, id, state, user, cpus, limit) \
	REC("job", "'id':" #id ",'name':'" #id "','state':'" state "','position':" #id ",'submit_time':" #t \
	    ",'eligible_time':" #t ",'time_limit_s':" #limit ",'cpus':" #cpus ",'tasks':" #cpus ",'user':'" user "'")

static void a_start_can_stop_the_wait_of_other_jobs(void **state)
{
	(void)state;
	check(ONE_AT_A_TIME WAITS(1, 8, 240) WAITS(3, 8, 100) JOB(8, "PENDING", "v", 8, 100, ""), "1:60 3:420 8:300");
	check(HEAD USER("v", "") NODES WAITS(1, 8, 240) WAITS(3, 8, 100) JOB(8, "PENDING", "v", 8, 100, ""), "1:60 3:300 8:420");
}

/* Job 3 was last eligible in the iteration in which it arrived, so the time that it had waited until then is 0. Maui
 * treats 0 as "not recorded", and counts the whole time since the submission of job 3 as its queue time. */
static void without_a_noted_wait_all_time_since_submission_counts(void **state)
{
	(void)state;
	check(ONE_AT_A_TIME CONFIG("JOBPRIOACCRUALPOLICY", "ALWAYS") WAITS(1, 8, 240) SENT_AT(1600000060, 3, "PENDING", "u", 8, 100)
	      SENT_AT(1600000060, 8, "PENDING", "v", 8, 100),
	      "1:60 3:300 8:420");
}

/* Job 4 is submitted at 240 s, before the iteration at 300 s. Job 4 is larger than job 3 and delays job 3. The plan has
 * no row for job 4. In Maui's trace, job 5 comes after a job that is submitted later or at an unknown time. */
static void a_simulation_submits_jobs_of_its_traces(void **state)
{
#define TO_COME FST_MAUI_HEAD REC("config", "'PROCWEIGHT':9") USER("u", "") NODES \
	RUNS(1, 8, 300, "n1,n1,n1,n1,n2,n2,n2,n2") WAITS(3, 7, 100)
	(void)state;
	check(TO_COME, "3:300");
	check(TO_COME SENT_AT(1600000240, 4, "FUTURE", "u", 8, 100), "3:420");
	check(TO_COME SENT_AT(1600000301, 4, "FUTURE", "u", 8, 100), "3:300");
	check(TO_COME SENT_AT(1600000301, 4, "FUTURE", "u", 8, 100) SENT_AT(1600000240, 5, "FUTURE", "u", 8, 100), "3:300");
	check(TO_COME REC("job", "'id':4,'name':'4','state':'FUTURE','position':4,'time_limit_s':100,'cpus':8,'user':'u'")
	      SENT_AT(1600000240, 5, "FUTURE", "u", 8, 100), "3:300");
	check(TO_COME SENT_AT(1600000240, 4, "FUTURE", "u", 9, 100), "3:300"); /* job 4 asks for too many processors */
}

static void the_assumptions_name_arriving_jobs(void **state)
{
	static const char *const texts[] = { TO_COME, TO_COME SENT_AT(1600000240, 4, "FUTURE", "u", 8, 100) };
	static const char *const wanted[] = {
		"No job arrives, is changed or cancelled, and no node changes state.",
		"Jobs arrive as the simulation's traces say; none is changed or cancelled, and no node changes state."
	};

	(void)state;
	for (size_t i = 0; i < FST_COUNT(texts); i++) {
		fs_snapshot *m = fst_snapshot(texts[i]);
		struct fs_error err;
		fs_plan *p;

		fst_no_error(fs_plan_compute(&p, m, NULL, &err), &err);
		assert_string_equal(fs_plan_assumption(p, 1), wanted[i]);
		fs_plan_free(p);
		fs_snapshot_free(m);
	}
}

/* The first iteration after the end of a window still uses that window, and counts each running job once in that
 * window. Job 9 then requests 100 of 720 processor seconds, which exceeds its cap of 10 percent. In the next window,
 * 100 processor seconds are within the cap after 334 s. */
static void a_window_that_just_ended_counts_once(void **state)
{
	(void)state;
	check(HEAD CONFIG("FSPOLICY", "DEDICATEDPS") REC("config", "'FSINTERVAL':1800") REC("config", "'FSDEPTH':1")
		      USER("v", ",'target':10,'target_mode':'cap_rel'") NODES RUNS(1, 3, 3000, "n1,n1,n1")
			      JOB(9, "PENDING", "v", 1, 100, ""),
	      "9:600");
}

/* Long after the last job has ended, only fair-share windows change. The window with usage is too old when the second
 * next window begins, at 128000 s. Maui begins that window in the iteration at 128040 s, so the iteration after it is
 * the first one without the usage. */
static void usage_decays_while_no_job_runs(void **state)
{
	(void)state;
	check(HEAD CONFIG("FSPOLICY", "DEDICATEDPS") REC("config", "'FSINTERVAL':86400") REC("config", "'FSDEPTH':2")
		      REC("config", "'FSDECAY':1") USER("v", ",'target':10,'target_mode':'cap_rel'") NODES
			      REC("window", "'start':1599955200,'kind':'sched','usage_s':400")
				      JOB(9, "PENDING", "v", 1, 100, ""),
	      "9:128100");
}

static void an_unknown_wait_of_a_blocked_job_is_an_assumption(void **state)
{
	fs_snapshot *m = fst_snapshot(CAPPED(""));
	struct fs_plan_row r;
	struct fs_error err = { 0 };
	bool told = false;
	const char *s;
	fs_plan *p;

	(void)state;
	fst_no_error(fs_plan_compute(&p, m, NULL, &err), &err);
	fs_plan_row(p, fs_plan_find(p, 1), &r);
	assert_int_equal(r.unmodelled, 0);
	fs_plan_row(p, fs_plan_find(p, 2), &r);
	assert_int_equal(r.unmodelled, FS_UNMODELLED_WAIT);
	for (size_t i = 0; (s = fs_plan_assumption(p, i)); i++)
		told = told || !strcmp(s, "The snapshot does not show how long 1 blocked job had waited before the block "
					  "(run checkjob 9). The plan assumes a queue time of 0 s when the job is "
					  "unblocked.");
	assert_true(told);
	fs_plan_free(p);
	fs_snapshot_free(m);
}

static void planned_starts_say_that_node_sets_are_not_modelled(void **state)
{
	fs_snapshot *m = fst_snapshot(HEAD CONFIG("NODESETPOLICY", "ONEOF") NODES WAITS(8, 8, 100) JOB(9, "PENDING", "v", 99, 100, ""));
	struct fs_plan_row r;
	struct fs_error err = { 0 };
	fs_plan *p;

	(void)state;
	fst_no_error(fs_plan_compute(&p, m, NULL, &err), &err);
	fs_plan_row(p, fs_plan_find(p, 0), &r);
	assert_int_equal(r.unmodelled, FS_UNMODELLED_NODE_SETS);
	fs_plan_row(p, fs_plan_find(p, 1), &r); /* has no start */
	assert_int_equal(r.unmodelled, 0);
	fs_plan_free(p);
	fs_snapshot_free(m);
}

static void preemption_and_snapshots_without_nodes_are_refused(void **state)
{
	fs_snapshot *m = fst_snapshot(HEAD CONFIG("BACKFILLPOLICY", "PREEMPT") HALF);
	struct fs_error err;
	fs_plan *p = NULL;

	(void)state;
	assert_int_equal(fs_plan_compute(&p, m, NULL, &err), FS_ENODATA);
	assert_non_null(strstr(err.message, "PREEMPT"));
	fs_snapshot_free(m);
	m = fst_snapshot(HEAD WAITS(2, 1, 100));
	assert_int_equal(fs_plan_compute(&p, m, NULL, &err), FS_ENODATA);
	assert_non_null(strstr(err.message, "cannot plan starts: the snapshot has no nodes"));
	fs_snapshot_free(m);
}

static void a_simulation_stops_when_the_work_budget_is_used_up(void **state)
{
	(void)state;
	fst_given_up(fst_snapshot(HEAD HALF WAITS(9, 4, 500) WAITS(4, 4, 1000)), 9);
}

/* A plan has one assumption for each ignored flag of each QOS, however many there are. */
static void a_plan_has_any_number_of_assumptions(void **state)
{
#define FLAGGED(name) REC("credential", "'kind':'qos','name':'" name "','flags':['DEDICATED','USERESERVED','PREEMPTOR','PREEMPTEE']")
	fs_snapshot *m = fst_snapshot(HEAD HALF FLAGGED("a") FLAGGED("b") FLAGGED("c") FLAGGED("d") FLAGGED("e"));
	struct fs_error err = { 0 };
	size_t n = 0, ignored = 0;
	fs_plan *p;

	(void)state;
	fst_no_error(fs_plan_compute(&p, m, NULL, &err), &err);
	for (; fs_plan_assumption(p, n); n++)
		ignored += strstr(fs_plan_assumption(p, n), " is ignored.") != NULL;
	assert_int_equal(ignored, 20);
	fs_plan_free(p);
	fs_snapshot_free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_simulation_stops_when_the_work_budget_is_used_up),
		cmocka_unit_test(tasks_per_node_are_placed_in_whole_groups),
		cmocka_unit_test(requested_nodes_get_equal_numbers_of_tasks),
		cmocka_unit_test(eligible_jobs_are_counted_again_within_soft_limits),
		cmocka_unit_test(no_job_delays_a_reservation),
		cmocka_unit_test(jobs_wait_for_the_end_of_an_administrators_reservation),
		cmocka_unit_test(a_simulation_ends_jobs_at_the_time_of_their_traces),
		cmocka_unit_test(greedy_starts_no_job_after_the_first_without_a_reservation),
		cmocka_unit_test(reservation_depth_limits_the_number_of_reservations),
		cmocka_unit_test(bestfit_starts_the_widest_job_first),
		cmocka_unit_test(limits_use_the_jobs_running_at_each_iteration),
		cmocka_unit_test(blocked_and_impossible_jobs_get_no_start),
		cmocka_unit_test(backfill_depth_limits_the_jobs_tried_for_a_gap),
		cmocka_unit_test(the_node_access_policy_limits_sharing_of_nodes),
		cmocka_unit_test(the_node_allocation_policy_sets_the_order_of_nodes),
		cmocka_unit_test(a_job_that_cannot_start_is_dropped_in_its_turn),
		cmocka_unit_test(memory_limits_the_tasks_on_a_node),
		cmocka_unit_test(nodes_of_a_simulation_gain_memory_when_jobs_end),
		cmocka_unit_test(a_reservation_excludes_jobs_from_its_nodes),
		cmocka_unit_test(a_reservation_without_end_excludes_jobs_forever),
		cmocka_unit_test(a_reservation_admits_only_its_credentials),
		cmocka_unit_test(each_bucket_of_qos_has_its_own_reservations),
		cmocka_unit_test(qos_flags_control_backfill_and_reservations),
		cmocka_unit_test(the_second_pass_of_an_iteration_adds_a_reservation),
		cmocka_unit_test(a_job_over_a_soft_limit_reserves_until_the_second_pass),
		cmocka_unit_test(an_impossible_job_delays_later_jobs_until_it_is_deferred),
		cmocka_unit_test(a_deferred_job_is_not_eligible),
		cmocka_unit_test(the_recorded_wait_of_a_blocked_job_counts),
		cmocka_unit_test(a_start_can_stop_the_wait_of_other_jobs),
		cmocka_unit_test(without_a_noted_wait_all_time_since_submission_counts),
		cmocka_unit_test(a_simulation_submits_jobs_of_its_traces),
		cmocka_unit_test(the_assumptions_name_arriving_jobs),
		cmocka_unit_test(a_window_that_just_ended_counts_once),
		cmocka_unit_test(usage_decays_while_no_job_runs),
		cmocka_unit_test(an_unknown_wait_of_a_blocked_job_is_an_assumption),
		cmocka_unit_test(planned_starts_say_that_node_sets_are_not_modelled),
		cmocka_unit_test(a_job_uses_nodes_of_one_partition),
		cmocka_unit_test(a_reservation_uses_nodes_of_one_partition),
		cmocka_unit_test(preemption_and_snapshots_without_nodes_are_refused),
		cmocka_unit_test(a_plan_has_any_number_of_assumptions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
