/* plan: small clusters whose starts can be computed by hand. now = 6000. */
#include "fsplan.h"
#include "model/scheduler.h"
#include "backfill/replan.h"

static void short_jobs_fill_gaps_that_long_jobs_do_not_fit(void **state)
{
	static const char text[] = PHEAD NODE2 PART RUN(1, "n1", 8, 7000) RUN(2, "n2", 4, 9000)
		WAIT(11, 90, 16, 3600, ",'max_nodes':2,'tres_req':{'cpu':16,'node':2}")
		WAIT(12, 80, 4, 2999, "") WAIT(13, 70, 4, 3000, "") WAIT(14, 60, 4, 600, "");

	(void)state;
	/* Job 11 needs both nodes as a whole and starts at 9000. Job 12 ends on n2 before 9000; job 13 would end too
	 * late. Job 14 is planned after job 13. */
	check(text, "11:9000/n1,n2 12:6000/n2 13:12600/n1 14:7000/n1");
	check_mode(text, FS_PLAN_BY_PRIORITY, "11:9000/n1,n2 12:12600/n1 13:12600/n1 14:12600/n2");
}

/* Jobs that are being resized, signalled or staged out keep their nodes, as running jobs do. */
static void jobs_that_are_neither_pending_nor_ended_keep_their_nodes(void **state)
{
	static const char *const states[] = { "RUNNING", "CONFIGURING", "RESIZING", "SIGNALING", "STAGE_OUT" };

	(void)state;
	for (size_t i = 0; i < sizeof(states) / sizeof(*states); i++) {
		char text[2000];

		snprintf(text, sizeof(text), "%s{'type':'job','id':1,'state':'%s','partitions':['p'],'node_list':'n[1-2]','cpus':16,"
			 "'tres_alloc':{'cpu':16},'end_time':7000}\n%s", PHEAD NODE2 PART, states[i], WAIT(11, 90, 4, 600, ""));
		check(text, "11:7000/n1");
	}
}

/* While the epilog of an ended job runs, the resources of that job are free, but no job starts on its nodes: a cycle of
 * 22.05.8 planned a job on such nodes for the next second. */
static void nodes_of_a_completing_job_are_free_one_second_later(void **state)
{
	static const struct {
		const char *state, *start;
	} all[] = { { "IDLE", "11:6000/n1" }, { "IDLE+COMPLETING", "11:6001/n1" } };

	(void)state;
	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		char text[2000];

		snprintf(text, sizeof(text), PHEAD REC("node", "'name':'n1','state':'%s','cpus':8,'alloc_cpus':0") PART
			 REC("job", "'id':1,'state':'COMPLETING','partitions':['p'],'node_list':'n1','cpus':8,"
			     "'tres_alloc':{'cpu':8},'end_time':5990") WAIT(11, 90, 4, 600, ""), all[i].state);
		check(text, all[i].start);
	}
}

/* When the work budget is used up, the tasks of a long array that have a start keep it. Later jobs have no result. */
static void a_plan_stops_when_the_work_budget_is_used_up(void **state)
{
	fs_snapshot *m = fst_snapshot(PHEAD NODE2 PART WAIT(11, 90, 8, 60, ",'array_tasks':'1-50','req_nodes':'n1'") WAIT(12, 80, 8, 60, ""));
	const struct fs_plan_options o = { .mode = FS_PLAN_BY_PRIORITY };
	struct fs_error err = { 0 };
	fs_plan *p;

	(void)state;
	fst_no_error(fsi_plan_create(&p, m, &o, &err), &err);
	p->work_budget = 100;
	fst_no_error(m->scheduler->plan->run(p, &err), &err);
	assert_true(p->over_budget);
	assert_int_equal(row_of(p, 11).state, FS_PLAN_NOW);
	assert_int_equal(row_of(p, 12).state, FS_PLAN_GIVEN_UP);
	fs_plan_free(p);
	p = plan_of(m, FS_PLAN_BY_PRIORITY);
	assert_false(p->over_budget);
	assert_int_equal(row_of(p, 12).state, FS_PLAN_LATER);
	fs_plan_free(p);
	fs_snapshot_free(m);
}

/* Each start changes all holds of its node, and each change counts as work. If these changes did not count, a plan with
 * many starts could take very long without exceeding its work budget. */
static void changes_of_holds_count_as_work(void **state)
{
	fs_snapshot *m = fst_snapshot(PHEAD NODE2 PART WAIT(11, 90, 8, 60, ",'array_tasks':'1-2000','req_nodes':'n1'"));
	const struct fs_plan_options o = { .mode = FS_PLAN_BY_PRIORITY };
	struct fs_error err = { 0 };
	fs_plan *p;

	(void)state;
	fst_no_error(fsi_plan_create(&p, m, &o, &err), &err);
	fst_no_error(m->scheduler->plan->run(p, &err), &err);
	assert_int_equal(row_of(p, 11).tasks_planned, 2000);
	/* each start adds 40 units of work for each hold on the node: 40 * (1 + 2 + ...); the search adds more */
	assert_true(p->work > UINT64_C(20) * 2000 * 2000);
	fs_plan_free(p);
	fs_snapshot_free(m);
}

static void each_row_shows_what_the_job_waits_for(void **state)
{
	fs_snapshot *m = fst_snapshot(PHEAD NODE2 PART RUN(1, "n1", 8, 7000) RUN(2, "n2", 4, 9000)
		WAIT(11, 90, 16, 3600, ",'max_nodes':2,'tres_req':{'cpu':16,'node':2}") WAIT(13, 70, 4, 3600, ""));
	fs_plan *p = plan_of(m, FS_PLAN_BACKFILL);
	struct fs_plan_row r = row_of(p, 11);

	(void)state;
	assert_int_equal(r.state, FS_PLAN_LATER);
	assert_int_equal(r.wait, FS_PLAN_WAIT_CPUS);
	assert_int_equal(r.frees, 2);
	assert_int_equal(r.blocked_by, 0);
	assert_int_equal(r.end_time, 12600);
	r = row_of(p, 13);
	assert_int_equal(r.wait, FS_PLAN_WAIT_PLANNED);
	assert_int_equal(r.blocked_by, 11);
	fs_plan_free(p);
	p = plan_of(m, FS_PLAN_BY_PRIORITY);
	r = row_of(p, 13);
	assert_int_equal(r.wait, FS_PLAN_WAIT_AHEAD);
	assert_int_equal(r.blocked_by, 11);
	fs_plan_free(p);
	fs_snapshot_free(m);
}

static void requests_determine_the_possible_nodes(void **state)
{
	(void)state;
	check(PHEAD NODE2 PART WAIT(1, 90, 1, 60, ",'tres_req':{'mem':1500}") WAIT(2, 80, 1, 60, ",'features':'fast'")
	      WAIT(3, 70, 1, 60, ",'tres_req':{'gres/gpu':2}") WAIT(4, 60, 1, 60, ",'req_nodes':'n2'")
	      WAIT(5, 50, 1, 60, ",'exc_nodes':'n1'") WAIT(6, 40, 1, 60, ",'features':'slow|fast'")
	      WAIT(7, 30, 1, 60, ",'features':'slow&fast'") WAIT(8, 20, 1, 60, ",'req_nodes':'n9'")
	      WAIT(9, 10, 1, 60, ",'tres_req':{'gres/gpu':1}"),
	      "1:6000/n2 2:6000/n1 3:6000/n2 4:6000/n2 5:6000/n2 6:6000/n1 7:never 8:never 9:6060/n2");
}

/* A job with --time-min is first tried with a shorter time limit. After a failed try, reservations must leave the job
 * its whole time limit. Before 24.11, reservations need not leave the whole time limit if the try failed because nodes
 * were missing. */
static void after_a_failed_try_reservations_must_leave_the_whole_limit(void **state)
{
#define SHORTENED(limit) \
	REC("node", "'name':'n1','cpus':8") REC("partition", "'name':'p','nodes':'n1'") RUN(1, "n1", 8, 6600) \
	REC("reservation", "'name':'r','start_time':7200,'end_time':9000,'nodes':'n1'") WAIT(10, 90, 8, 300, "") \
	WAIT(11, 80, 8, limit, ",'time_min_s':60")

	(void)state;
	check(PHEAD SHORTENED(300), "10:6600/n1 11:6900/n1");
	check(PHEAD SHORTENED(301), "10:6600/n1 11:9001/n1");
	check(OLD SHORTENED(301), "10:6600/n1 11:6900/n1");
}

static void generic_resources_are_also_read_from_text(void **state)
{
	static const char node[] = REC("node", "'name':'n1','cpus':8,'gres':'gpu:a100:2(S:0,1),gpu:1,fs:10'") PART;
	char text[4000];

	(void)state;
	snprintf(text, sizeof(text), "%s%s%s%s%s%s", PHEAD, node, WAIT(1, 9, 1, 60, ",'tres_req':{'gres/gpu':3}"),
		 WAIT(2, 8, 1, 60, ",'tres_req':{'gres/gpu':4}"), WAIT(3, 7, 1, 60, ",'tres_req':{'gres/gpu:a100':2}"),
		 WAIT(4, 6, 1, 60, ",'tres_req':{'gres/fs':11}"));
	check(text, "1:6000/n1 2:never 3:6000/n1 4:never");
}

static void tasks_are_spread_over_nodes_with_free_cpus(void **state)
{
	(void)state;
	check(PHEAD NODE2 PART RUN(1, "n[1-2]", 8, 7000) WAIT(11, 90, 8, 60, ",'tasks':8")
	      WAIT(12, 80, 8, 60, ",'tasks':1"),
	      "11:6000/n1,n2 12:7000/n1");
	/* two CPUs per task, memory per CPU: one task fits on n1, three fit on n2 */
	check(PHEAD NODE2 PART WAIT(11, 90, 8, 60, ",'tasks':4,'cpus_per_task':2,'mem_per_cpu_mb':300,'tres_req':{'mem':2400}"),
	      "11:6000/n1,n2");
	check(PHEAD NODE2 PART WAIT(11, 90, 12, 60, ",'tasks':12,'max_nodes':1"), "11:never");
}

static void unavailable_nodes_run_no_jobs(void **state)
{
	static const char *const states[] = { "DOWN", "IDLE+DRAIN", "MIXED*", "DOWN*+CLOUD", "IDLE+NOT_RESPONDING", "FUTURE" };
	static const char *const fine[] = { "IDLE", "MIXED+PLANNED", "ALLOCATED+COMPLETING", "IDLE+CLOUD+POWERED_DOWN", "" };
	char text[2000];

	(void)state;
	for (size_t i = 0; i < 11; i++) {
		const bool up = i >= 6;

		snprintf(text, sizeof(text), "%s{'type':'node','name':'n1','state':'%s','cpus':8}\n%s%s", PHEAD,
			 up ? fine[i - 6] : states[i], PART, WAIT(1, 5, 1, 60, ""));
		/* A completing node can start jobs one second later. */
		check(text, i == 8 ? "1:6001/n1" : up ? "1:6000/n1" : "1:never");
	}
}

static void limits_of_partitions_apply(void **state)
{
	(void)state;
	check(PHEAD NODE2 PART WAIT(1, 9, 1, 7300, "") WAIT(2, 8, 1, 7200, ""), "2:6000/n1 1:never");
	check(PHEAD NODE2 REC("partition", "'name':'p','state':'DOWN','nodes':'n[1-2]'") WAIT(1, 9, 1, 60, ""), "1:blocked");
	check(PHEAD NODE2 REC("partition", "'name':'p','nodes':'n[1-2]','max_nodes':1")
	      WAIT(1, 9, 16, 60, ",'tres_req':{'node':2}"), "1:never");
	check(PHEAD NODE2 REC("partition", "'name':'p','nodes':'n[1-2]','max_cpus_per_node':4") WAIT(1, 9, 5, 60, "")
	      WAIT(2, 9, 4, 60, ""), "1:never 2:6000/n1");
#define OF_FOUR(partition) \
	PHEAD REC("node", "'name':'n1','state':'MIXED','cpus':8") \
	REC("partition", "'name':'p','nodes':'n1','max_cpus_per_node':4") REC("partition", "'name':'o','nodes':'n1'") \
	REC("job", "'id':1,'state':'RUNNING','partitions':['" partition "'],'node_list':'n1','cpus':3," \
		   "'tres_alloc':{'cpu':3},'end_time':6500")
	check(OF_FOUR("p") WAIT(2, 9, 2, 60, "") WAIT(3, 8, 1, 60, "") WAIT(4, 7, 1, 60, ""), "2:6500/n1 3:6000/n1 4:6060/n1");
	check(OF_FOUR("o") WAIT(2, 9, 2, 60, "") WAIT(3, 8, 1, 60, ""), "2:6000/n1 3:6000/n1");
	check(PHEAD NODE2 REC("partition", "'name':'other'") WAIT(1, 9, 1, 60, ""), "1:blocked");
	/* Before 24.05 a job with --exclusive=user cannot use nodes whose CPUs exceed MaxCPUsPerNode of the partition.
	 * */
#define CUT(version, most, user) \
	HEAD_OF(version) NODE2 REC("partition", "'name':'p','nodes':'n[1-2]','max_cpus_per_node':" most) \
	WAIT(1, 9, 4, 60, ",'oversubscribe':'" user "'")
	check(CUT("22.05.8", "7", "USER"), "1:never");
	check(CUT("22.05.8", "7", "MCS"), "1:never");
	check(CUT("22.05.8", "7", "OK"), "1:6000/n1");
	check(CUT("22.05.8", "8", "USER"), "1:6000/n1");
	check(CUT("24.05.0", "7", "USER"), "1:6000/n1");
}

static void reservations_exclude_other_jobs(void **state)
{
	static const char maint[] = REC("reservation", "'name':'m','start_time':8000,'end_time':9000,'nodes':'n[1-2]'");
	char text[4000];

	(void)state;
	snprintf(text, sizeof(text), "%s%s", PHEAD NODE2 PART WAIT(1, 9, 1, 2000, "") WAIT(2, 8, 1, 2001, ""), maint);
	/* the next try is a second after the end of the reservation */
	check(text, "1:6000/n1 2:9001/n1");
	snprintf(text, sizeof(text), "%s%s",
		 PHEAD NODE2 PART REC("reservation", "'name':'r','start_time':5000,'end_time':7000,'nodes':'n2'")
			 WAIT(1, 9, 1, 600, ",'reservation':'r'") WAIT(2, 8, 8, 600, "") WAIT(3, 7, 8, 600, "")
			 WAIT(4, 6, 1, 1001, ",'reservation':'r'") WAIT(5, 6, 1, 60, ",'reservation':'unknown'"), "");
	/* job 4 may run longer than its reservation; job 2 takes n1; job 3 waits for n1 instead of for the end of the
	 * reservation */
	check(text, "1:6000/n2 4:6000/n2 5:6000/n1 2:6060/n1 3:6660/n1");
}

/* Job 1 requires a reserved node. If the reservation has TRES, as the controller fills them in, a job that takes whole
 * nodes is tried at the reservation's end. Any other job is tried one second after the next multiple of
 * bf_resolution. */
static void required_nodes_become_free_when_their_reservation_ends(void **state)
{
#define KEPT_NODE(tres, more) \
	PHEAD NODE2 PART REC("reservation", "'name':'r','start_time':5000,'end_time':7000,'nodes':'n2'" tres) \
	WAIT(1, 9, 1, 600, ",'req_nodes':'n2'" more)
	(void)state;
	check(KEPT_NODE("", ""), "1:7000/n2");
	check(KEPT_NODE(",'tres':{'cpu':8}", ""), "1:7021/n2");
	check(KEPT_NODE(",'tres':{'cpu':8}", ",'oversubscribe':'NO'"), "1:7000/n2");
}

static void backfill_parameters_limit_how_far_the_plan_goes(void **state)
{
	(void)state;
	check(PHEAD CONFIG("bf_window=10,BF_RESOLUTION=1") NODE2 PART RUN(1, "n1", 8, 7000) RUN(2, "n2", 8, 6500)
	      WAIT(11, 90, 8, 600, "") WAIT(12, 80, 8, 600, "") WAIT(13, 70, 8, 600, ""),
	      "11:6500/n2 12:beyond window 13:beyond window");
	check(PHEAD CONFIG("bf_max_job_test=2") NODE2 PART WAIT(1, 90, 8, 60, "") WAIT(2, 80, 8, 60, "")
	      WAIT(3, 70, 1, 60, "") REC("job", "'id':4,'state':'PENDING','reason':'BeginTime','eligible_time':9000,'partitions':['p'],'priority':60,'nodes':1,'cpus':1"),
	      "1:6000/n1 2:6000/n2 3:not reached 4:not before");
	/* bf_max_job_user counts the jobs in the user's default account separately from the jobs in all other
	 * accounts */
	check(PHEAD CONFIG("bf_max_job_user=1") NODE2 PART REC("user", "'name':'a','default_account':'x'")
	      WAIT(1, 90, 1, 60, ",'user':'a','account':'x'") WAIT(2, 80, 1, 60, ",'user':'a','account':'y'")
	      WAIT(3, 70, 1, 60, ",'user':'a','account':'z'") WAIT(4, 60, 1, 60, ",'user':'a','account':'x'"),
	      "1:6000/n1 2:6000/n1 3:not reached 4:not reached");
	check(PHEAD CONFIG("bf_max_job_user=1,bf_max_job_part=2") NODE2 PART WAIT(1, 90, 1, 60, ",'user':'a'")
	      WAIT(2, 80, 1, 60, ",'user':'a'") WAIT(3, 70, 1, 60, ",'user':'b'") WAIT(4, 60, 1, 60, ",'user':'c'"),
	      "1:6000/n1 2:not reached 3:6000/n1 4:not reached");
	check(PHEAD CONFIG("max_job_bf=1") NODE2 PART WAIT(1, 90, 8, 60, "") WAIT(2, 80, 8, 60, ""), "1:6000/n1 2:not reached");
	check(PHEAD CONFIG("max_job_bf=1,bf_max_job_test=9") NODE2 PART WAIT(1, 90, 8, 60, "") WAIT(2, 80, 8, 60, ""),
	      "1:6000/n1 2:6000/n2");
	/* the cycle ends after two starts, of array tasks or of separate jobs */
	check(PHEAD CONFIG("bf_max_job_start=2") NODE2 PART WAIT(1, 90, 4, 60, ",'array_tasks':'1-9'") WAIT(2, 80, 1, 60, ""),
	      "1:6000/n1 2:not reached");
	check(PHEAD CONFIG("bf_max_job_start=2") NODE2 PART WAIT(1, 90, 16, 60, ",'max_nodes':1") WAIT(2, 80, 4, 60, "")
	      WAIT(3, 70, 4, 60, "") WAIT(4, 60, 4, 60, ""), "1:never 2:6000/n1 3:6000/n1 4:not reached");
	/* a job below bf_min_prio_reserve is tried only for an immediate start: job 12 starts on a node that would
	 * otherwise be reserved for job 11 */
	check(PHEAD CONFIG("bf_min_prio_reserve=100") NODE2 PART RUN(1, "n[1-2]", 8, 7000)
	      WAIT(11, 90, 8, 600, "") WAIT(12, 80, 4, 7200, "") WAIT(13, 70, 4, 7200, ""),
	      "11:no start 12:6000/n1 13:6000/n2");
}

static void backfill_limits_count_each_task_and_jobs_already_started(void **state)
{
	(void)state;
	/* three tasks are tried: two start now, and the third gets a reservation */
	check(PHEAD CONFIG("bf_max_job_user=3") NODE2 PART WAIT(1, 90, 8, 60, ",'user':'a','array_tasks':'1-9'")
	      WAIT(2, 80, 1, 60, ",'user':'a'") WAIT(3, 70, 1, 60, ",'user':'b'"),
	      "1:6000/n1 2:not reached 3:6060/n2");
	/* the recorded cycle started job 8, the cycle before it started job 9, and the main scheduler started job 10 */
#define STARTED(id, at, by) \
	REC("job", "'id':" #id ",'state':'RUNNING','partitions':['p'],'node_list':'n1','cpus':1,'tres_alloc':{'cpu':1},'end_time':7000," \
		   "'user':'a','start_time':" #at ",'looked_at_by':'" by "'")
	check(PHEAD CONFIG("bf_max_job_user=2,bf_interval=20") NODE2 PART STARTED(8, 5990, "Backfill")
	      STARTED(9, 5980, "Backfill") STARTED(10, 5990, "Main") WAIT(1, 90, 1, 60, ",'user':'a'")
	      WAIT(2, 80, 1, 60, ",'user':'a'"), "1:6000/n1 2:not reached");
	/* job 8 was the last job that this cycle started: it came after job 1 and before job 2 */
	check(PHEAD CONFIG("bf_max_job_start=1,bf_interval=20") NODE2 PART
	      REC("job", "'id':8,'state':'RUNNING','partitions':['p'],'node_list':'n1','cpus':1,'tres_alloc':{'cpu':1},'end_time':7000,"
			 "'priority':85,'start_time':5990,'looked_at_by':'Backfill'")
	      WAIT(1, 90, 16, 60, ",'max_nodes':1") WAIT(2, 80, 1, 60, ""), "1:never 2:not reached");
#undef STARTED
	check(PHEAD CONFIG("bf_max_job_user_part=1") NODE2 PART REC("partition", "'name':'r','state':'UP','tier':1,'nodes':'n[1-2]'")
	      WAIT(1, 90, 1, 60, ",'user':'a'") WAIT(2, 80, 1, 60, ",'user':'a'") WAIT(3, 70, 1, 60, ",'user':'b'")
	      REC("job", "'id':4,'state':'PENDING','eligible_time':100,'partitions':['r'],'priority':60,'nodes':1,'cpus':1,'time_limit_s':60,'user':'a'"),
	      "1:6000/n1 2:not reached 3:6000/n1 4:6000/n1");
}

static void arrays_are_planned_task_by_task(void **state)
{
	fs_snapshot *m = fst_snapshot(PHEAD CONFIG("bf_max_job_array_resv=3") NODE2 PART
		WAIT(1, 90, 4, 600, ",'array_tasks':'1-100'") WAIT(2, 80, 1, 600, ",'array_tasks':'1-9%2','array_job_id':2"));
	fs_plan *p = plan_of(m, FS_PLAN_BACKFILL);
	struct fs_plan_row r = row_of(p, 1);

	(void)state;
	assert_int_equal(r.state, FS_PLAN_NOW);
	assert_int_equal(r.tasks, 100);
	assert_int_equal(r.tasks_planned, 7); /* four tasks start at once, and three start later */
	assert_int_equal(r.last_start_time, 7200);
	r = row_of(p, 2);
	assert_int_equal(r.tasks_planned, 2);
	fs_plan_free(p);
	fs_snapshot_free(m);
}

static void no_more_array_tasks_are_reserved_than_may_run_at_once(void **state)
{
#define THROTTLED(version) HEAD_OF(version) NODE2 PART RUN(1, "n[1-2]", 16, 7000) WAIT(2, 90, 8, 600, ",'array_tasks':'1-9%3'") \
	WAIT(3, 80, 8, 600, "")

	(void)state;
	check(THROTTLED("23.02.3"), "2:7000/n1 3:9360/n2");
	check(THROTTLED("23.02.4"), "2:7000/n1 3:7560/n2");
}

static void exclusive_jobs_take_nodes_whole(void **state)
{
	(void)state;
	check(PHEAD NODE2 REC("partition", "'name':'p','nodes':'n[1-2]','oversubscribe':'EXCLUSIVE'") RUN(9, "n1", 1, 7000)
	      WAIT(1, 90, 1, 600, "") WAIT(2, 80, 1, 600, ""), "1:6000/n2 2:6600/n2");
}

struct shown {
	uint64_t job;
	int64_t start;
};

/* Checks the shown starts. A job blocked by a limit gets no reservation, so the jobs after it start as early as without
 * the blocked job. */
static void shows(const char *text, const struct shown *want, size_t n)
{
	fs_snapshot *m = fst_snapshot(text);
	fs_plan *p = plan_of(m, FS_PLAN_BACKFILL);

	for (size_t i = 0; i < n; i++) {
		const struct fs_plan_row r = row_of(p, want[i].job);

		assert_int_equal(r.shown_start_time, want[i].start);
		assert_int_equal(r.start_time, r.state == FS_PLAN_LATER ? 7000 : FS_UNKNOWN);
	}
	fs_plan_free(p);
	fs_snapshot_free(m);
}

/* A job counts with all CPUs that it takes on its nodes: job 2 needs one CPU of n1 next to job 1, and waits. */
static void requests_are_planned_as_rewritten_by_the_controller(void **state)
{
#define CORES REC("node", "'name':'n1','state':'IDLE','cpus':8,'mem_mb':1000,'threads_per_core':2") \
	REC("node", "'name':'n2','state':'DOWN','cpus':8,'threads_per_core':2")
#define SELECT(text) REC("config", text)
#define BESIDE WAIT(2, 10, 1, 60, ",'tasks':1")
	(void)state;
	check(PHEAD SELECT("'SelectTypeParameters':'CR_CORE'") CORES PART WAIT(1, 90, 4, 60, ",'tasks':4,'max_nodes':1") BESIDE,
	      "1:6000/n1 2:6000/n1");
	check(PHEAD SELECT("'SelectTypeParameters':'CR_CORE'") CORES PART
	      WAIT(1, 90, 4, 60, ",'tasks':4,'max_nodes':1,'threads_per_core':1") BESIDE, "1:6000/n1 2:6060/n1");
	check(PHEAD SELECT("'SelectTypeParameters':'CR_CORE'") CORES PART
	      WAIT(1, 90, 4, 60, ",'tasks':4,'max_nodes':1,'ntasks_per_core':1") BESIDE, "1:6000/n1 2:6060/n1");
	check(PHEAD SELECT("'SelectTypeParameters':'CR_CORE'") CORES PART
	      WAIT(1, 90, 5, 60, ",'tasks':5,'max_nodes':1,'threads_per_core':1") BESIDE, "1:never 2:6000/n1");
	/* The job requests 200 MB per CPU for 4 CPUs. With at most 100 MB per CPU, it needs 8 CPUs. A job that requests
	 * 900 MB on one node needs 9 CPUs, more than the node has. */
	check(PHEAD SELECT("'SelectTypeParameters':'CR_CORE_MEMORY','MaxMemPerCPU':100") CORES PART
	      WAIT(1, 90, 4, 60, ",'tasks':4,'mem_per_cpu_mb':200,'tres_req':{'mem':800}") BESIDE, "1:6000/n1 2:6060/n1");
	check(PHEAD SELECT("'SelectTypeParameters':'CR_CORE_MEMORY'") CORES
	      REC("partition", "'name':'p','nodes':'n[1-2]','max_mem_per_cpu_mb':100")
	      WAIT(1, 90, 1, 60, ",'tasks':1,'tres_req':{'mem':900}") BESIDE, "1:never 2:6000/n1");
	/* because of its memory, the job gets 4 CPUs on the node; with one task per core, it gets 4 whole cores, so
	 * job 2 waits */
	check(PHEAD SELECT("'SelectTypeParameters':'CR_CORE_MEMORY,CR_ONE_TASK_PER_CORE'") CORES
	      REC("partition", "'name':'p','nodes':'n[1-2]','max_mem_per_cpu_mb':100")
	      WAIT(1, 90, 1, 60, ",'tasks':1,'tres_req':{'mem':350}") BESIDE, "1:6000/n1 2:6060/n1");
	check(PHEAD SELECT("'SelectType':'select/linear'") CORES PART WAIT(1, 90, 1, 60, "") BESIDE, "1:6000/n1 2:6060/n1");
}

/* A task of three CPUs takes two cores of two threads each, and no other task uses the rest of the second core. Two
 * such tasks therefore fill n1, and three never fit. A task of five CPUs leaves one core for another job. */
static void with_one_task_per_core_tasks_do_not_share_cores(void **state)
{
#define ALONE PHEAD SELECT("'SelectTypeParameters':'CR_CORE,CR_ONE_TASK_PER_CORE'") CORES PART
#define TASKS(id, prio, cpus, tasks, each) \
	WAIT(id, prio, cpus, 60, ",'tasks':" #tasks ",'cpus_per_task':" #each ",'max_nodes':1")
	(void)state;
	check(ALONE TASKS(1, 90, 6, 2, 3) BESIDE, "1:6000/n1 2:6060/n1");
	check(ALONE TASKS(1, 90, 9, 3, 3) BESIDE, "1:never 2:6000/n1");
	check(ALONE TASKS(1, 90, 5, 1, 5) BESIDE, "1:6000/n1 2:6000/n1");
	check(ALONE TASKS(1, 90, 5, 1, 5) TASKS(3, 80, 3, 1, 3), "1:6000/n1 3:6060/n1");
	check(PHEAD SELECT("'SelectTypeParameters':'CR_CORE'") CORES PART TASKS(1, 90, 6, 2, 3) BESIDE, "1:6000/n1 2:6000/n1");
}

#define PART2(id, prio, more) WAIT(id, prio, 8, 900, ",'het_job_id':70" more)

/* The components of a het job start together. The search for the nodes of a component begins at the start of the
 * preceding component. */
static void components_of_a_het_job_start_together(void **state)
{
	static const char both[] = PHEAD NODE2 PART RUN(1, "n1", 8, 7000) PART2(70, 90, ",'req_nodes':'n1'")
		PART2(71, 80, ",'req_nodes':'n2'") WAIT(72, 70, 8, 900, ",'req_nodes':'n2'");
	fs_snapshot *m;
	struct fs_plan_row r;
	fs_plan *p;

	(void)state;
	check(both, "70:7000/n1 71:7000/n2 72:6000/n2");
	check_mode(both, FS_PLAN_BY_PRIORITY, "70:7000/n1 71:7000/n2 72:7900/n2");
	check(PHEAD NODE2 PART PART2(70, 90, ",'req_nodes':'n1'") PART2(71, 80, ",'req_nodes':'n2'"),
	      "70:6000/n1 71:6000/n2");
	/* job 71 is tried first and reserves its nodes from now on; this delays jobs that could run there before job 70
	 * starts */
	m = fst_snapshot(PHEAD NODE2 PART RUN(1, "n1", 8, 7000) PART2(70, 80, ",'req_nodes':'n1'")
		PART2(71, 90, ",'req_nodes':'n2'") WAIT(72, 70, 8, 600, ",'req_nodes':'n2'"));
	p = plan_of(m, FS_PLAN_BACKFILL);
	r = row_of(p, 71);
	assert_int_equal(r.start_time, 7000);
	assert_int_equal(r.end_time, 7900);
	assert_int_equal(r.shown_start_time, 6000);
	assert_int_equal(r.state, FS_PLAN_LATER);
	assert_int_equal(r.wait, FS_PLAN_WAIT_COMPONENT);
	assert_int_equal(r.blocked_by, 70);
	r = row_of(p, 70);
	assert_int_equal(r.start_time, 7000);
	assert_int_equal(r.shown_start_time, FS_UNKNOWN);
	assert_int_not_equal(r.wait, FS_PLAN_WAIT_COMPONENT);
	assert_true(row_of(p, 72).start_time >= 6900);
	fs_plan_free(p);
	fs_snapshot_free(m);
}

/* Job 71 cannot start, so job 70 does not start, and the components after job 71 are not tried. */
static void a_component_that_cannot_start_blocks_the_others(void **state)
{
	static const struct {
		const char *text;
		enum fs_plan_state state; /* expected state of job 70 */
	} given[] = {
		{ PHEAD NODE2 PART PART2(70, 90, "") PART2(71, 80, ",'features':'slow'") PART2(72, 70, ""), FS_PLAN_BLOCKED },
		{ PHEAD NODE2 PART PART2(70, 90, "") PART2(71, 0, ",'reason':'JobHeldUser'") PART2(72, 70, ""), FS_PLAN_BLOCKED },
		{ PHEAD CONFIG("bf_max_job_test=1") NODE2 PART PART2(70, 90, "") PART2(71, 80, "") PART2(72, 70, ""), FS_PLAN_NOT_REACHED },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(given) / sizeof(*given); i++) {
		fs_snapshot *m = fst_snapshot(given[i].text);
		fs_plan *p = plan_of(m, FS_PLAN_BACKFILL);

		for (uint64_t job = 70; job <= 72; job++)
			assert_int_equal(row_of(p, job).start_time, FS_UNKNOWN);
		for (uint64_t job = 70; job <= 72; job += 2) {
			const struct fs_plan_row r = row_of(p, job);

			assert_int_equal(r.state, given[i].state);
			assert_int_equal(r.wait, FS_PLAN_WAIT_COMPONENT);
			assert_int_equal(r.blocked_by, 71);
			assert_int_equal(r.nodes, 0);
		}
		fs_plan_free(p);
		fs_snapshot_free(m);
	}
}

/* For a job that is blocked by a limit, the scheduler shows the start that it found in the last of the job's two
 * partitions, even if the start in the other partition is earlier. */
static void a_job_at_a_limit_shows_its_last_computed_start(void **state)
{
#define LIMITED REC("config", "'AccountingStorageEnforce':['associations','limits']") REC("association", "'id':1,'account':'root'") \
	REC("association", "'id':2,'account':'a','parent':'root','grp_tres':{'cpu':8}")
#define ONE_EACH(first, second) \
	PHEAD LIMITED NODE2 REC("partition", "'name':'p','tier':2,'nodes':'" first "'") \
	REC("partition", "'name':'r','tier':1,'nodes':'" second "'") \
	REC("job", "'id':8,'state':'RUNNING','partitions':['p'],'node_list':'n1','cpus':8,'tres_alloc':{'cpu':8}" \
		   ",'end_time':7000,'account':'a','association':2") RUN(9, "n2", 8, 8000) \
	REC("job", "'id':2,'state':'PENDING','eligible_time':100,'partitions':['p','r'],'priority':9,'nodes':1,'cpus':8" \
		   ",'time_limit_s':600,'account':'a','association':2,'tres_req':{'cpu':8,'node':1}")
	(void)state;
	shows(ONE_EACH("n1", "n2"), (struct shown[]){ { 2, 8000 } }, 1);
	shows(ONE_EACH("n2", "n1"), (struct shown[]){ { 2, 7000 } }, 1);
}

/* Four cores of n1 are reserved until 9000. Other jobs have the other four cores, and all cores after 9000. Jobs in the
 * reservation have only the reserved cores, whether or not the other cores are in use. A job that takes whole nodes
 * cannot use n1. */
static void reserved_cores_are_used_only_in_the_reservation(void **state)
{
#define RESERVED_CORES \
	OLD REC("node", "'name':'n1','state':'MIXED','cpus':8") REC("partition", "'name':'p','state':'UP','nodes':'n1'") \
	REC("reservation", "'name':'r','start_time':5000,'end_time':9000,'nodes':'n1','cores':'4','users':['u'],'flags':['SPEC_NODES']")
	(void)state;
	check(RESERVED_CORES WAIT(2, 9, 4, 60, "") WAIT(3, 8, 1, 60, ""), "2:6000/n1 3:6060/n1");
	check(RESERVED_CORES WAIT(2, 9, 5, 60, ""), "2:9001/n1");
	check(RESERVED_CORES WAIT(2, 9, 1, 60, ",'oversubscribe':'NO'"), "2:9001/n1");
	check(RESERVED_CORES WAIT(2, 9, 5, 60, ",'reservation':'r'") WAIT(3, 8, 4, 60, ",'reservation':'r'"), "2:no start 3:6000/n1");
	check(RESERVED_CORES RUN(1, "n1", 3, 7000) WAIT(2, 9, 4, 60, ",'reservation':'r'") WAIT(3, 8, 1, 60, "") WAIT(4, 7, 2, 60, ""),
	      "2:6000/n1 3:6000/n1 4:7000/n1");
}

/* n1 has one socket, n2 has two. With two tasks per socket and two CPUs per task, a job gets at most four CPUs on n1
 * and eight on n2. */
static void ntasks_per_socket_limits_the_tasks_on_each_socket(void **state)
{
#define SOCKETS \
	PHEAD REC("node", "'name':'n1','state':'IDLE','cpus':16,'sockets':1") \
	REC("node", "'name':'n2','state':'IDLE','cpus':16,'sockets':2") PART
#define BY_SOCKET(tasks, cpus, more) \
	WAIT(2, 9, cpus, 60, ",'tasks':" #tasks ",'cpus_per_task':2,'ntasks_per_socket':2" more)
	(void)state;
	check(SOCKETS BY_SOCKET(2, 4, ",'max_nodes':1"), "2:6000/n1");
	check(SOCKETS BY_SOCKET(3, 6, ",'max_nodes':1"), "2:6000/n2");
	check(SOCKETS BY_SOCKET(5, 10, ",'max_nodes':1"), "2:never");
	check(SOCKETS BY_SOCKET(6, 12, ""), "2:6000/n1,n2");
	/* a node is used only if a socket has free CPUs for all ntasks_per_socket tasks (here 2 tasks, 4 CPUs) */
	check(SOCKETS RUN(1, "n1", 14, 7000) BY_SOCKET(5, 10, ""), "2:7000/n1,n2");
	check(SOCKETS RUN(1, "n1", 12, 7000) BY_SOCKET(5, 10, ""), "2:6000/n1,n2");
}

/* n1 and n2 run two tasks each, although three fit on n1. */
static void ntasks_per_node_sets_the_tasks_on_each_node(void **state)
{
#define BY_NODE(tasks, more) \
	WAIT(2, 9, tasks, 60, ",'tasks':" #tasks ",'ntasks_per_node':2,'min_cpus_per_node':2,'tres_req':{'cpu':" #tasks ",'node':2}" more)
	(void)state;
	check(PHEAD NODE2 PART RUN(1, "n1", 5, 9000) BY_NODE(4, ""), "2:6000/n1,n2");
	check(PHEAD NODE2 PART RUN(1, "n1", 5, 9000) BY_NODE(5, ""), "2:never");
	check(PHEAD NODE2 PART RUN(1, "n1", 7, 9000) BY_NODE(4, ""), "2:9000/n1,n2");
}

/* For a start now, Slurm chooses nodes as if each node gave all its free CPUs, so that it takes n5 before n3. For a
 * later start, Slurm counts two tasks on each node (--ntasks-per-node), so no node is better than another. */
static void ntasks_per_node_is_ignored_when_choosing_nodes_for_now(void **state)
{
#define ROOM(n, used, end) RUN(n, "n" #n, used, end)
#define FIVE REC("node", "'name':'n1','state':'MIXED','cpus':8") REC("node", "'name':'n2','state':'ALLOCATED','cpus':8") \
	REC("node", "'name':'n3','state':'MIXED','cpus':8") REC("node", "'name':'n4','state':'ALLOCATED','cpus':8") \
	REC("node", "'name':'n5','state':'MIXED','cpus':8") REC("partition", "'name':'p','nodes':'n[1-5]'")
#define FOUR_TASKS WAIT(9, 9, 4, 60, ",'tasks':4,'max_nodes':2,'ntasks_per_node':2,'min_cpus_per_node':2,'tres_req':{'cpu':4,'node':2}")
	(void)state;
	check(PHEAD FIVE ROOM(1, 5, 9000) ROOM(2, 8, 9000) ROOM(3, 3, 9000) ROOM(4, 8, 9000) ROOM(5, 1, 9000) FOUR_TASKS, "9:6000/n1,n5");
	check(PHEAD FIVE ROOM(1, 7, 7000) ROOM(2, 8, 9000) ROOM(3, 7, 7000) ROOM(4, 8, 9000) ROOM(5, 7, 7000) FOUR_TASKS, "9:7000/n1,n3");
}

/* A reservation has two of three licenses until 9000. */
static void reserved_licenses_are_available_only_in_the_reservation(void **state)
{
#define THREE_LICENCES(parameters) \
	OLD REC("config", "'Licenses':'a:3','SchedulerParameters':'" parameters "'") NODE2 PART \
	REC("reservation", "'name':'r','start_time':5000,'end_time':9000,'licenses':'a:2','flags':['ANY_NODES']")
#define WANTS(id, licences, more) WAIT(id, 9, 1, 60, ",'licenses':'a:" #licences "'" more)
	(void)state;
	check(THREE_LICENCES("") WANTS(2, 2, "") WANTS(3, 1, ""), "2:blocked 3:6000/n1");
	check(THREE_LICENCES("") WANTS(2, 2, ",'reservation':'r'"), "2:6000/n1");
	check(THREE_LICENCES("bf_licenses") WANTS(2, 2, "") WANTS(3, 1, ""), "2:9000/n1 3:6000/n1");
}

/* A job on n1 uses all licenses until 7000; the pending job may run only on n2. Versions 23.11 to 24.11.1 never remove
 * running jobs from other nodes in the simulation. */
static void licenses_of_running_jobs_on_other_nodes_depend_on_the_version(void **state)
{
#define HELD(version, node) HEAD_OF(version) REC("config", "'Licenses':'a:3','SchedulerParameters':'bf_licenses'") NODE2 PART \
	REC("job", "'id':1,'state':'RUNNING','partitions':['p'],'node_list':'n1','cpus':8,'tres_alloc':{'cpu':8}" \
		   ",'end_time':7010,'licenses':'a:3'") WAIT(2, 9, 1, 60, ",'licenses':'a:1','exc_nodes':'" node "'")
	(void)state;
	check(HELD("23.02.8", "n1"), "2:6960/n2");
	check(HELD("23.11.10", "n1"), "2:no start");
	check(HELD("24.11.1", "n1"), "2:no start");
	check(HELD("24.11.2", "n1"), "2:7020/n2");
}

/* The QOS allows 4 CPUs per node. A job of six tasks on a single node therefore gets no start and delays no other job.
 * A job of six tasks on two nodes may start. */
static void max_tres_per_node_is_checked_against_the_chosen_nodes(void **state)
{
#define FOUR_EACH \
	PHEAD REC("config", "'AccountingStorageEnforce':['associations','limits','qos']") \
	REC("association", "'id':1,'account':'root'") REC("association", "'id':2,'account':'a','parent':'root'") \
	REC("qos", "'name':'q','max_tres_per_node':{'cpu':4}") NODE2 PART
#define SIX(nodes) \
	WAIT(2, 9, 6, 60, ",'tasks':6,'qos':['q'],'account':'a','association':2,'tres_req':{'cpu':6,'node':" #nodes "}")
	(void)state;
	check(FOUR_EACH SIX(1) WAIT(3, 8, 8, 60, ",'req_nodes':'n1'"), "2:blocked 3:6000/n1");
	check(FOUR_EACH SIX(2) WAIT(3, 8, 8, 60, ",'req_nodes':'n1'"), "2:6000/n1,n2 3:6060/n1");
	check(FOUR_EACH WAIT(2, 9, 6, 60, ",'tasks':6,'max_nodes':1,'qos':['q'],'account':'a','association':2,"
					  "'tres_req':{'cpu':6,'node':1}"), "2:never");
}

/* A QOS may use two nodes, and its running job uses one of them. A node counts once even if several jobs of the QOS use
 * it. If a pending job of the QOS starts later, only nodes that this job requires can count as shared. */
static void grp_tres_counts_nodes_that_jobs_share_once(void **state)
{
#define TWO_NODES(of_qos, of_others) \
	OLD REC("config", "'AccountingStorageEnforce':['associations','limits','qos']") \
	REC("association", "'id':1,'account':'root'") REC("association", "'id':2,'account':'a','parent':'root'") \
	REC("qos", "'name':'q','grp_tres':{'node':2}") NODE2 REC("node", "'name':'n3','state':'IDLE','cpus':8") \
	REC("partition", "'name':'p','state':'UP','tier':1,'nodes':'n[1-3]'") \
	REC("job", "'id':1,'state':'RUNNING','partitions':['p'],'node_list':'n1','cpus':" #of_qos ",'qos':['q'],'account':'a'," \
		   "'association':2,'tres_alloc':{'cpu':" #of_qos ",'node':1},'end_time':7000") \
	REC("job", "'id':8,'state':'RUNNING','partitions':['p'],'node_list':'n[2-3]','cpus':" #of_others "," \
		   "'tres_alloc':{'cpu':" #of_others ",'node':2},'end_time':6500")
#define OF_QOS(nodes, more) WAIT(2, 9, 4, 60, ",'qos':['q'],'account':'a','association':2,'tres_req':{'cpu':4,'node':" #nodes "}" more)
	(void)state;
	check(TWO_NODES(4, 0) OF_QOS(2, ",'req_nodes':'n[2-3]'"), "2:blocked");
	check(TWO_NODES(4, 0) OF_QOS(2, ",'req_nodes':'n[1-2]'"), "2:6000/n1,n2");
	check(TWO_NODES(4, 0) OF_QOS(2, ",'exc_nodes':'n3'"), "2:6000/n1,n2");
	check(TWO_NODES(4, 16) OF_QOS(2, ",'exc_nodes':'n3'"), "2:blocked");
	check(TWO_NODES(4, 16) OF_QOS(2, ",'req_nodes':'n[1-2]'"), "2:6500/n1,n2");
	check(TWO_NODES(4, 16) OF_QOS(1, ",'req_nodes':'n2'"), "2:6500/n2");
}

static void blocked_jobs_get_no_start(void **state)
{
	(void)state;
	check(PHEAD NODE2 PART WAIT(1, 0, 1, 60, "") WAIT(2, 9, 1, 60, ",'reason':'QOSMaxCpuPerUserLimit'")
	      WAIT(3, 9, 1, 60, ",'dependency':'after:1'")
	      "{'type':'job','id':4,'state':'PENDING','eligible_time':9000,'partitions':['p'],'priority':9,"
	      "'reason':'BeginTime'}\n",
	      "2:blocked 3:blocked 4:not before 1:blocked");
	/* the scheduler checks a limit on TRES after it found a start, and a limit on the number of jobs before it
	 * searches for one */
	shows(PHEAD NODE2 PART RUN(9, "n1", 8, 7000)
	      WAIT(2, 9, 8, 600, ",'reason':'AssocGrpCpuLimit','req_nodes':'n1'")
	      WAIT(3, 8, 8, 600, ",'reason':'AssocGrpJobsLimit','req_nodes':'n1'") WAIT(4, 7, 8, 600, ",'req_nodes':'n1'"),
	      (struct shown[]){ { 2, 7000 }, { 3, FS_UNKNOWN }, { 4, FS_UNKNOWN } }, 3);
	/* the begin time is shown for each job that waits for it, even if something else blocks the job */
	shows(PHEAD NODE2 PART REC("job", "'id':2,'state':'PENDING','eligible_time':9000,'partitions':['p'],'priority':0,'nodes':1"
					  ",'cpus':8,'time_limit_s':600,'reason':'JobHeldUser'"),
	      (struct shown[]){ { 2, 9000 } }, 1);
	/* the scheduler shows no start for a job that fits now */
	shows(PHEAD NODE2 PART WAIT(2, 9, 8, 600, ",'reason':'AssocGrpCpuLimit','req_nodes':'n1'"),
	      (struct shown[]){ { 2, FS_UNKNOWN } }, 1);
	/* the scheduler fails to start a job in a partition that does not allow the job's account, but still reserves
	 * the node from now on */
	shows(PHEAD NODE2 REC("partition", "'name':'p','nodes':'n1'")
	      REC("partition", "'name':'r','nodes':'n2','allow_accounts':['b']") RUN(9, "n1", 8, 7000)
	      REC("job", "'id':2,'state':'PENDING','eligible_time':100,'partitions':['p','r'],'priority':9,'nodes':1,'cpus':8"
			 ",'time_limit_s':600,'account':'a'"),
	      (struct shown[]){ { 2, 6000 } }, 1);
	/* with assoc_limit_stop, a job that a limit blocks still reserves nodes */
	check(PHEAD CONFIG("assoc_limit_stop") NODE2 PART WAIT(2, 9, 8, 600, ",'reason':'AssocGrpCpuLimit','req_nodes':'n1'")
	      WAIT(3, 8, 8, 600, ",'req_nodes':'n1'"), "2:blocked 3:7140/n1");
}

static void usage_of_a_node_without_a_known_job_stays(void **state)
{
	(void)state;
	check(PHEAD REC("node", "'name':'n1','state':'MIXED','cpus':8,'alloc_cpus':5,'mem_mb':100") PART
	      "{'type':'job','id':9,'state':'RUNNING','cpus':5,'end_time':7000}\n"
	      WAIT(1, 9, 3, 60, "") WAIT(2, 8, 4, 60, ""), "1:6000/n1 2:never");
}

#define IN_USE(name, cpus) REC("node", "'name':'" name "','state':'MIXED','cpus':8,'alloc_cpus':" #cpus)

static void usage_of_nodes_shows_how_a_running_job_is_distributed(void **state)
{
	(void)state;
	/* Job 2 has 3 CPUs on n2, next to the 4 CPUs of job 1. Its other 7 CPUs are therefore on n1, which is free when
	 * job 2 ends. */
	check(PHEAD IN_USE("n1", 7) IN_USE("n2", 7) PART RUN(1, "n2", 4, 9000) RUN(2, "n[1-2]", 10, 7000)
	      WAIT(3, 9, 8, 60, ",'req_nodes':'n1'") WAIT(4, 8, 8, 60, ",'req_nodes':'n2'"), "3:7000/n1 4:9000/n2");
	/* If the usage of the nodes is unknown, 12 CPUs on two nodes are split into 6 and 6. */
	check(PHEAD REC("node", "'name':'n1','cpus':8") REC("node", "'name':'n2','cpus':8") PART
	      RUN(2, "n[1-2]", 12, 7000) WAIT(3, 9, 2, 60, "") WAIT(4, 8, 3, 60, ""), "3:6000/n1 4:7000/n1");
	/* Jobs 2 and 3 use both nodes. The earlier job is assumed to have as many CPUs of the first node as possible.
	 * This determines the CPUs of both jobs on both nodes. */
	check(PHEAD IN_USE("n1", 8) IN_USE("n2", 6) PART RUN(2, "n[1-2]", 8, 7000) RUN(3, "n[1-2]", 6, 8000)
	      WAIT(4, 9, 6, 60, "") WAIT(5, 8, 8, 60, ""), "4:7000/n1 5:8000/n1");
}

static void a_node_must_give_the_minimum_cpus_per_node(void **state)
{
	(void)state;
	check(PHEAD NODE2 PART RUN(1, "n1", 5, 7000) WAIT(2, 9, 10, 60, ",'tasks':10,'max_nodes':2"), "2:6000/n1,n2");
	check(PHEAD NODE2 PART RUN(1, "n1", 5, 7000)
	      WAIT(2, 9, 10, 60, ",'tasks':10,'max_nodes':2,'min_cpus_per_node':5"), "2:7000/n1,n2");
}

#define NODE(name) REC("node", "'name':'" name "','state':'IDLE','cpus':8")
#define PART9 REC("partition", "'name':'p','state':'UP','tier':1,'nodes':'n[1-6]'") \
	REC("partition", "'name':'q','state':'UP','tier':1,'nodes':'n9'")
#define NODES9 NODE("n1") NODE("n2") NODE("n3") NODE("n4") NODE("n5") NODE("n6") NODE("n9") PART9

static void the_best_fitting_nodes_are_chosen(void **state)
{
	static const char left_first[] = NODES9 RUN(1, "n[1-2]", 16, 8000) RUN(2, "n[3-6]", 32, 7000)
		WAIT(11, 90, 8, 2000, ",'req_nodes':'n1'")
		WAIT(12, 80, 48, 600, ",'max_nodes':6,'tres_req':{'cpu':48,'node':6}") WAIT(13, 70, 8, 3100, "");
	char whole[4000];

	(void)state;
	/* n2 has 3 free CPUs, n5 has 5, and each other node has 8. Job 11 gets the node that fits best. Job 12 then
	 * gets a node of the smaller run of neighbouring nodes. */
	check(PHEAD NODES9 RUN(1, "n2", 5, 9000) RUN(2, "n5", 3, 9000) WAIT(11, 90, 3, 60, "") WAIT(12, 80, 4, 60, "")
	      WAIT(13, 70, 8, 60, ""), "11:6000/n2 12:6000/n1 13:6000/n6");
	/* Job 11 gets the smallest sufficient run of neighboring nodes: n1 alone is not enough, n3 and n4 are. Job 12
	 * gets n1 and n6. */
	check(PHEAD NODES9 RUN(1, "n2", 8, 9000) RUN(2, "n5", 8, 9000) WAIT(11, 90, 16, 60, ",'tasks':16")
	      WAIT(12, 80, 16, 60, ",'tasks':16"), "11:6000/n3,n4 12:6000/n1,n6");
	/* Old versions of Slurm first allocate the nodes on which jobs were running, although all nodes are free at
	 * 9960. */
	snprintf(whole, sizeof(whole), "%s%s", OLD, left_first);
	check(whole, "11:8000/n1 12:9960/n1,n2,n3,n4,n5,n6 13:10560/n3");
	snprintf(whole, sizeof(whole), "%s%s", PHEAD, left_first);
	check(whole, "11:8000/n1 12:10020/n1,n2,n3,n4,n5,n6 13:10620/n1");
}

static void a_job_reserves_nodes_in_each_of_its_partitions(void **state)
{
	(void)state;
	/* Job 11 may start at 7000 on n9, and also reserves n1 from 8000 on. */
	check(PHEAD NODES9 RUN(1, "n[1-6]", 48, 8000) RUN(2, "n9", 8, 7000)
	      "{'type':'job','id':11,'state':'PENDING','eligible_time':1,'partitions':['p','q'],'priority':90,'nodes':1,"
	      "'cpus':8,'time_limit_s':600}\n"
	      WAIT(12, 80, 48, 600, ",'max_nodes':6,'tres_req':{'cpu':48,'node':6}"), "11:7000/n9 12:8640/n1,n2,n3,n4,n5,n6");
}

/* Job 14 is first tried at 7000, and fits only when job 12 ends at 14160. Between these times, job 13 starts and ends
 * on n9. Old versions end the search for job 14 at these changes of n9, so job 14 gets no start. */
static void old_versions_stop_the_search_early(void **state)
{
	static const char text[] = NODES9 RUN(1, "n[1-6]", 48, 7000)
		"{'type':'job','id':2,'state':'RUNNING','partitions':['q'],'node_list':'n9','cpus':8,'end_time':12000}\n"
		WAIT(12, 90, 48, 7200, ",'max_nodes':6,'tres_req':{'cpu':48,'node':6}")
		"{'type':'job','id':13,'state':'PENDING','eligible_time':1,'partitions':['q'],'priority':80,'nodes':1,"
		"'cpus':8,'time_limit_s':600}\n"
		WAIT(14, 70, 8, 1200, "") WAIT(15, 60, 8, 6000, "");
	char whole[4000];

	(void)state;
	snprintf(whole, sizeof(whole), "%s%s", PHEAD, text);
	check(whole, "12:7000/n1,n2,n3,n4,n5,n6 13:12000/n9 14:14220/n1 15:14220/n2");
	snprintf(whole, sizeof(whole), "%s%s", OLD, text);
	check(whole, "12:7000/n1,n2,n3,n4,n5,n6 13:12000/n9 14:no start 15:14160/n1");
}

static void old_versions_round_ends_down(void **state)
{
	static const char text[] = NODE2 PART RUN(1, "n[1-2]", 16, 7030)
		WAIT(2, 9, 16, 600, ",'tasks':16") WAIT(3, 8, 16, 600, ",'tasks':16");
	char whole[4000];

	(void)state;
	snprintf(whole, sizeof(whole), "%s%s", OLD, text);
	check(whole, "2:7030/n1,n2 3:7620/n1,n2");
	snprintf(whole, sizeof(whole), "%s%s", PHEAD, text);
	check(whole, "2:7030/n1,n2 3:7680/n1,n2");
}

static void a_plan_without_nodes_is_refused(void **state)
{
	fs_snapshot *m = fst_snapshot(PHEAD PART WAIT(1, 9, 1, 60, ""));
	struct fs_error err;
	fs_plan *p = NULL;

	(void)state;
	assert_int_equal(fs_plan_compute(&p, m, NULL, &err), FS_ENODATA);
	assert_non_null(strstr(err.message, "nodes"));
	fs_snapshot_free(m);
}

static void a_plan_lists_its_assumptions(void **state)
{
	fs_snapshot *m = fst_snapshot(PHEAD CONFIG("bf_resolution=30") NODE2 PART WAIT(1, 9, 1, 60, ",'licenses':'matlab:1'"));
	fs_plan *p = plan_of(m, FS_PLAN_BACKFILL);
	bool steps = false, licenses = false;

	(void)state;
	for (size_t i = 0; fs_plan_assumption(p, i); i++) {
		steps = steps || strstr(fs_plan_assumption(p, i), "30 s (bf_resolution)");
		licenses = licenses || !strcmp(fs_plan_assumption(p, i), "Licenses that are not in the snapshot are ignored.");
	}
	assert_true(steps && licenses);
	assert_int_equal(row_of(p, 1).unmodelled, FS_UNMODELLED_LICENSES);
	assert_int_equal(fs_plan_resolution_s(p), 30);
	fs_plan_free(p);
	fs_snapshot_free(m);
}

static bool tells(const char *text, const char *word)
{
	fs_snapshot *m = fst_snapshot(text);
	fs_plan *p = plan_of(m, FS_PLAN_BACKFILL);
	bool told = false;

	for (size_t i = 0; fs_plan_assumption(p, i); i++)
		told = told || strstr(fs_plan_assumption(p, i), word);
	fs_plan_free(p);
	fs_snapshot_free(m);
	return told;
}

/* Before 23.11.6, only the job-size factor shows whether a job requested whole nodes. The plan knows this only if sprio
 * printed the factor. */
static void an_unknown_request_for_whole_nodes_is_an_assumption(void **state)
{
#define FORCED(weight) REC("config", "'PriorityType':'priority/multifactor','PriorityWeightJobSize':" weight) NODE2 \
	REC("partition", "'name':'p','state':'UP','tier':1,'nodes':'n[1-2]','oversubscribe':'FORCE:2'") WAIT(1, 9, 1, 60, "")
#define ROW(more) REC("recorded", "'job':1" more)
	static const char word[] = "asked for whole nodes";

	(void)state;
	assert_true(tells(OLD FORCED("0") ROW(",'norm_jobsize':0.1"), word));
	assert_true(tells(OLD FORCED("10"), word));
	assert_true(tells(OLD FORCED("10") ROW(""), word));
	assert_false(tells(OLD FORCED("10") ROW(",'norm_jobsize':0.1"), word));
	assert_false(tells(PHEAD FORCED("10"), word));
}

/* bf_one_resv_per_job: if the last task of an array finds no start in a partition, the array has no reservation there
 * (22.05.8). */
static void bf_one_resv_per_job_drops_reservations_after_a_failed_task(void **state)
{
#define P_AND_Q REC("partition", "'name':'p','nodes':'n1'") REC("partition", "'name':'q','nodes':'n2'") \
	RUN(8, "n1", 8, 6600) RUN(9, "n2", 8, 7000)
#define CLOSED REC("reservation", "'name':'m','start_time':6660,'end_time':999999,'nodes':'n1'")
#define OF_BOTH(tasks) REC("job", "'id':1,'state':'PENDING','eligible_time':100,'partitions':['p','q'],'priority':50," \
	"'nodes':1,'cpus':8,'time_limit_s':60,'array_tasks':'" tasks "'")
#define IN_Q REC("job", "'id':2,'state':'PENDING','eligible_time':100,'partitions':['q'],'priority':9,'nodes':1,'cpus':8," \
	"'time_limit_s':60")
	(void)state;
	check(OLD CONFIG("bf_one_resv_per_job") NODE2 P_AND_Q CLOSED OF_BOTH("1") IN_Q, "1:6600/n1 2:7000/n2");
	check(OLD CONFIG("bf_one_resv_per_job") NODE2 P_AND_Q OF_BOTH("1-2") IN_Q, "1:6600/n1 2:7000/n2");
	check(OLD CONFIG("bf_one_resv_per_job") NODE2 P_AND_Q CLOSED OF_BOTH("1-2") IN_Q, "1:6600/n1 2:7020/n2");
}

/* Observed in Slurm 22.05, also with CR_ONE_TASK_PER_CORE: a request for three GPUs with 4 CPUs each gets 12 CPUs, and
 * a request for two GPUs with 12 GB each gets 24 GB. */
static void defaults_per_gpu_set_cpus_and_memory(void **state)
{
#define GPUS REC("node", "'name':'n1','state':'IDLE','cpus':8,'mem_mb':1000,'threads_per_core':2,'tres':{'gres/gpu':4}")
#define OF_TWO(more) WAIT(1, 90, 1, 60, ",'tasks':1,'tres_req':{'cpu':1,'mem':10,'node':1,'gres/gpu':2}" more)
#define AFTER(cpus, mem) WAIT(2, 10, cpus, 60, ",'tasks':1,'tres_req':{'cpu':" #cpus ",'mem':" #mem ",'node':1}")
#define TASK_A_CORE SELECT("'SelectTypeParameters':'CR_CORE_MEMORY,CR_ONE_TASK_PER_CORE'")
	(void)state;
	check(PHEAD TASK_A_CORE GPUS PART OF_TWO("") AFTER(1, 10), "1:6000/n1 2:6000/n1");
	check(PHEAD TASK_A_CORE GPUS PART OF_TWO(",'cpus_per_gpu':3") AFTER(1, 10), "1:6000/n1 2:6000/n1");
	check(PHEAD TASK_A_CORE GPUS PART OF_TWO(",'cpus_per_gpu':4") AFTER(1, 10), "1:6000/n1 2:6060/n1");
	check(PHEAD TASK_A_CORE GPUS PART OF_TWO(",'cpus_per_gpu':5") AFTER(1, 10), "1:never 2:6000/n1");
	/* the job needs all memory of the node, and none of it may be in use */
	check(PHEAD TASK_A_CORE GPUS PART OF_TWO(",'all_memory':true") AFTER(1, 10), "1:6000/n1 2:6060/n1");
	check(PHEAD TASK_A_CORE GPUS PART AFTER(1, 10) WAIT(3, 5, 1, 60, ",'tasks':1,'all_memory':true"), "2:6000/n1 3:6060/n1");
	check(PHEAD SELECT("'SelectTypeParameters':'CR_CORE'") GPUS PART OF_TWO(",'all_memory':true") AFTER(1, 10),
	      "1:6000/n1 2:6000/n1");
#define PART_GIVES REC("partition", "'name':'p','nodes':'n[1-2]','cpus_per_gpu':4")
	check(PHEAD TASK_A_CORE GPUS PART_GIVES OF_TWO("") AFTER(1, 10), "1:6000/n1 2:6060/n1");
	check(PHEAD TASK_A_CORE GPUS PART_GIVES OF_TWO(",'cpus_per_gpu':3") AFTER(1, 10), "1:6000/n1 2:6000/n1");
	/* the cluster's default CPUs per GPU apply if the partition has no such default */
#define CLUSTER_GIVES(text) SELECT("'SelectTypeParameters':'CR_CORE_MEMORY,CR_ONE_TASK_PER_CORE','JobDefaults':'" text "'")
	check(PHEAD CLUSTER_GIVES("DefCpuPerGPU=4") GPUS PART OF_TWO("") AFTER(1, 10), "1:6000/n1 2:6060/n1");
	check(PHEAD CLUSTER_GIVES("DefMemPerGPU=9,DefCpuPerGPU=3") GPUS PART OF_TWO("") AFTER(1, 10), "1:6000/n1 2:6000/n1");
	check(PHEAD CLUSTER_GIVES("DefCpuPerGPU=3") GPUS PART_GIVES OF_TWO("") AFTER(1, 10), "1:6000/n1 2:6060/n1");
	check(PHEAD CLUSTER_GIVES("DefCpuPerGPU=5") GPUS PART OF_TWO("") AFTER(1, 10), "1:never 2:6000/n1");
	check(PHEAD CLUSTER_GIVES("DefCpuPerGPU=5") GPUS PART OF_TWO(",'cpus_per_task':2") AFTER(1, 10), "1:6000/n1 2:6000/n1");
	check(PHEAD TASK_A_CORE GPUS PART_GIVES OF_TWO(",'cpus_per_task':2") AFTER(1, 10), "1:6000/n1 2:6000/n1");
	check(PHEAD TASK_A_CORE GPUS PART OF_TWO(",'mem_per_gpu_mb':300") AFTER(1, 400), "1:6000/n1 2:6000/n1");
	check(PHEAD TASK_A_CORE GPUS PART OF_TWO(",'mem_per_gpu_mb':300") AFTER(1, 401), "1:6000/n1 2:6060/n1");
	/* If a job requests GPUs per task, the default number of CPUs per GPU determines the CPUs of each task. This is
	 * so even if the job record shows the default of another partition. */
#define BY_TASK(cpus) WAIT(1, 90, 2, 60, ",'tasks':2,'cpus_per_task':" #cpus ",'gres_per':'task'," \
	"'tres_req':{'cpu':2,'mem':10,'node':1,'gres/gpu':2}")
	check(PHEAD SELECT("'SelectTypeParameters':'CR_CORE'") GPUS PART_GIVES BY_TASK(1) AFTER(1, 10), "1:6000/n1 2:6060/n1");
	check(PHEAD SELECT("'SelectTypeParameters':'CR_CORE'") GPUS PART_GIVES BY_TASK(4) AFTER(1, 10), "1:6000/n1 2:6060/n1");
	check(PHEAD SELECT("'SelectTypeParameters':'CR_CORE'") GPUS PART BY_TASK(1) AFTER(1, 10), "1:6000/n1 2:6000/n1");
	/* A job has two partitions, and only one of them has DefMemPerGPU. In the other partition the job has no
	 * default memory, unless the job is tried in that partition first (observed in 22.05.8). The default memory is
	 * 10 MiB per CPU. On n1, 900 of 1000 MiB are in use until 6060. */
#define TWO_PARTS REC("partition", "'name':'p','nodes':'n1'") \
	REC("partition", "'name':'g','nodes':'n2','mem_per_gpu_mb':300")
#define BY_DEFAULT SELECT("'SelectTypeParameters':'CR_CORE_MEMORY','DefMemPerCPU':10")
#define USED REC("job", "'id':9,'state':'RUNNING','partitions':['p'],'node_list':'n1','cpus':1,'end_time':6060," \
	"'tres_alloc':{'cpu':1,'mem':900}")
#define AHEAD WAIT(2, 90, 1, 60, ",'tasks':1,'tres_req':{'cpu':1,'mem':10,'node':1}")
#define OF_PARTS(parts) REC("job", "'id':1,'state':'PENDING','reason':'Priority','eligible_time':100,'partitions':" parts "," \
	"'priority':50,'nodes':1,'cpus':1,'time_limit_s':60,'tasks':1,'tres_req':{'cpu':1,'mem':10,'node':1,'gres/gpu':2}," \
	"'all_memory':true")
	check(PHEAD BY_DEFAULT GPUS TWO_PARTS USED AHEAD OF_PARTS("['p']"), "2:6000/n1 1:6000/n1");
	check(PHEAD BY_DEFAULT GPUS TWO_PARTS USED AHEAD OF_PARTS("['p','g']"), "2:6000/n1 1:6060/n1");
	check(PHEAD BY_DEFAULT GPUS TWO_PARTS USED OF_PARTS("['p','g']"), "1:6000/n1");
	/* Two GPUs in partition g need 600 MiB by default. In 26.05.3, this amount is in the job's TRES once the job
	 * was tried in g. An amount of 500 MiB is no default, so the job takes all memory of n2. */
#define OF_G(mem) REC("job", "'id':1,'state':'PENDING','reason':'Priority','eligible_time':100,'partitions':['g']," \
	"'priority':50,'nodes':1,'cpus':1,'time_limit_s':60,'tasks':1,'tres_req':{'cpu':1,'mem':" #mem ",'node':1,'gres/gpu':2}," \
	"'all_memory':true") REC("job", "'id':7,'state':'RUNNING','partitions':['g'],'node_list':'n2','cpus':1,'end_time':6060," \
	"'tres_alloc':{'cpu':1,'mem':300}") REC("node", "'name':'n2','state':'MIXED','cpus':8,'mem_mb':1000,'tres':{'gres/gpu':2}")
	check(PHEAD BY_DEFAULT GPUS TWO_PARTS OF_G(600), "1:6000/n2");
	check(PHEAD BY_DEFAULT GPUS TWO_PARTS OF_G(500), "1:6060/n2");
	/* The default memory is cleared only if the scheduler called the select plugin for partition g. In 22.05.8, the
	 * plugin is not called for a partition without a node that was ever free. */
#define OTHER(state) REC("node", "'name':'n2','state':'" state "','cpus':1,'mem_mb':1000,'tres':{'gres/gpu':2}") \
	REC("job", "'id':8,'state':'RUNNING','partitions':['g'],'node_list':'n2','cpus':1,'end_time':9000")
#define FIRST_G REC("partition", "'name':'g','tier':2,'nodes':'n2','mem_per_gpu_mb':300") \
	REC("partition", "'name':'p','tier':1,'nodes':'n1'")
	check(PHEAD BY_DEFAULT GPUS OTHER("IDLE") FIRST_G USED AHEAD OF_PARTS("['g','p']"), "1:6060/n1 2:6000/n1");
	check(PHEAD BY_DEFAULT GPUS OTHER("DOWN") FIRST_G USED AHEAD OF_PARTS("['g','p']"), "1:6000/n1 2:6000/n1");
}

/* The sanitizers and valgrind report a read of the freed snapshot. */
static void a_plan_can_be_freed_after_its_snapshot(void **state)
{
	fs_snapshot *m = fst_snapshot(PHEAD NODE2 PART WAIT(11, 90, 8, 60, ""));
	fs_plan *p = plan_of(m, FS_PLAN_BACKFILL);

	(void)state;
	fs_snapshot_free(m);
	fs_plan_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_plan_can_be_freed_after_its_snapshot),
		cmocka_unit_test(a_plan_stops_when_the_work_budget_is_used_up),
		cmocka_unit_test(changes_of_holds_count_as_work),
		cmocka_unit_test(short_jobs_fill_gaps_that_long_jobs_do_not_fit),
		cmocka_unit_test(jobs_that_are_neither_pending_nor_ended_keep_their_nodes),
		cmocka_unit_test(nodes_of_a_completing_job_are_free_one_second_later),
		cmocka_unit_test(each_row_shows_what_the_job_waits_for),
		cmocka_unit_test(requests_determine_the_possible_nodes),
		cmocka_unit_test(after_a_failed_try_reservations_must_leave_the_whole_limit),
		cmocka_unit_test(generic_resources_are_also_read_from_text),
		cmocka_unit_test(tasks_are_spread_over_nodes_with_free_cpus),
		cmocka_unit_test(unavailable_nodes_run_no_jobs),
		cmocka_unit_test(limits_of_partitions_apply),
		cmocka_unit_test(reservations_exclude_other_jobs),
		cmocka_unit_test(required_nodes_become_free_when_their_reservation_ends),
		cmocka_unit_test(backfill_parameters_limit_how_far_the_plan_goes),
		cmocka_unit_test(backfill_limits_count_each_task_and_jobs_already_started),
		cmocka_unit_test(arrays_are_planned_task_by_task),
		cmocka_unit_test(no_more_array_tasks_are_reserved_than_may_run_at_once),
		cmocka_unit_test(exclusive_jobs_take_nodes_whole),
		cmocka_unit_test(a_job_at_a_limit_shows_its_last_computed_start),
		cmocka_unit_test(reserved_cores_are_used_only_in_the_reservation),
		cmocka_unit_test(ntasks_per_node_sets_the_tasks_on_each_node),
		cmocka_unit_test(ntasks_per_node_is_ignored_when_choosing_nodes_for_now),
		cmocka_unit_test(ntasks_per_socket_limits_the_tasks_on_each_socket),
		cmocka_unit_test(reserved_licenses_are_available_only_in_the_reservation),
		cmocka_unit_test(licenses_of_running_jobs_on_other_nodes_depend_on_the_version),
		cmocka_unit_test(max_tres_per_node_is_checked_against_the_chosen_nodes),
		cmocka_unit_test(grp_tres_counts_nodes_that_jobs_share_once),
		cmocka_unit_test(blocked_jobs_get_no_start),
		cmocka_unit_test(requests_are_planned_as_rewritten_by_the_controller),
		cmocka_unit_test(with_one_task_per_core_tasks_do_not_share_cores),
		cmocka_unit_test(bf_one_resv_per_job_drops_reservations_after_a_failed_task),
		cmocka_unit_test(defaults_per_gpu_set_cpus_and_memory),
		cmocka_unit_test(components_of_a_het_job_start_together),
		cmocka_unit_test(a_component_that_cannot_start_blocks_the_others),
		cmocka_unit_test(usage_of_a_node_without_a_known_job_stays),
		cmocka_unit_test(usage_of_nodes_shows_how_a_running_job_is_distributed),
		cmocka_unit_test(a_node_must_give_the_minimum_cpus_per_node),
		cmocka_unit_test(the_best_fitting_nodes_are_chosen),
		cmocka_unit_test(a_job_reserves_nodes_in_each_of_its_partitions),
		cmocka_unit_test(old_versions_stop_the_search_early),
		cmocka_unit_test(old_versions_round_ends_down),
		cmocka_unit_test(a_plan_without_nodes_is_refused),
		cmocka_unit_test(a_plan_lists_its_assumptions),
		cmocka_unit_test(an_unknown_request_for_whole_nodes_is_an_assumption),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
