/* Limits of Maui's credentials on running jobs: which limit is reported, and with which usage. */
#include "fsmaui.h"
#include "fs/explain.h"

#define CRED(kind, name, fields) REC("credential", "'kind':'" kind "','name':'" name "'," fields)
#define JOB(id, state, cpus, fields) \
	REC("job", "'id':" #id ",'name':'" #id "','state':'" state "','position':" #id \
	    ",'submit_time':1600000000,'time_limit_s':100,'cpus':" #cpus ",'user':'u'" fields)
#define RUNS(id, cpus, fields) JOB(id, "RUNNING", cpus, ",'start_time':1600000000" fields)
#define WAITS(id, cpus, fields) JOB(id, "PENDING", cpus, fields)

/* Compares the verdict of job 9 with a line such as "limit active HARD MAXJOB 2 user u uses 2 wants 1". */
static void check(const char *text, const char *want)
{
	fs_snapshot *m = fst_snapshot(text);
	struct fs_verdict v = { .kind = FS_VERDICT_NONE };
	struct fs_error err = { 0 };
	char got[300] = "";
	fs_queue *q;

	assert_int_equal(fs_queue_compute(&q, m, NULL, &err), 0);
	for (uint32_t i = 0; i < fs_snapshot_info(m)->jobs; i++) {
		struct fs_job job;

		fs_snapshot_job(m, i, &job);
		if (job.id != 9)
			continue;
		assert_int_equal(fs_queue_verdict(q, i, &v), 0);
		if (v.limit)
			snprintf(got, sizeof(got), "%s %s %.0f %s %s uses %.0f wants %.0f", fs_verdict_name(v.kind),
				 v.limit->name, v.limit->value, v.limit->counted_for, v.limit->set_by, v.limit->used,
				 v.limit->wants);
		else
			snprintf(got, sizeof(got), "%s", fs_verdict_name(v.kind));
		fs_verdict_release(&v);
	}
	assert_string_equal(got, want);
	fs_queue_free(q);
	fs_snapshot_free(m);
}

static void a_limit_blocks_only_jobs_that_would_exceed_it(void **state)
{
	(void)state;
	check(FST_MAUI_HEAD CRED("user", "u", "'max_proc':8") RUNS(1, 6, "") WAITS(9, 2, ""), "first");
	check(FST_MAUI_HEAD CRED("user", "u", "'max_proc':8") RUNS(1, 6, "") WAITS(9, 3, ""),
	      "limit active HARD MAXPROC 8 user u uses 6 wants 3");
	check(FST_MAUI_HEAD CRED("user", "u", "'max_proc':8") RUNS(1, 6, "") WAITS(9, 9, ""),
	      "never active HARD MAXPROC 8 user u uses 6 wants 9");
	check(FST_MAUI_HEAD CRED("user", "u", "'max_proc':0,'max_proc_soft':1") RUNS(1, 6, "") WAITS(9, 9, ""), "first");
}

static void running_jobs_count_with_their_remaining_time(void **state)
{
	(void)state;
	/* remaining processor seconds: 6 processors * 40 s of job 1, and 1 processor * 100 s of job 9 */
	check(FST_MAUI_HEAD CRED("user", "u", "'max_ps':340") RUNS(1, 6, "") WAITS(9, 1, ""), "first");
	check(FST_MAUI_HEAD CRED("user", "u", "'max_ps':339") RUNS(1, 6, "") WAITS(9, 1, ""),
	      "limit active HARD MAXPS 339 user u uses 240 wants 100");
}

/* System limits come after the limits of credentials, as in showq -b of Maui 3.5. */
static void jobs_over_a_system_limit_never_start(void **state)
{
#define SYSTEM REC("config", "'SYSTEMMAXPROCPERJOB':8,'SYSTEMMAXPROCSECONDPERJOB':500,'SYSTEMMAXJOBWALLTIME':90")
	(void)state;
	check(FST_MAUI_HEAD REC("config", "'SYSTEMMAXPROCPERJOB':8") WAITS(9, 8, ""), "first");
	check(FST_MAUI_HEAD SYSTEM WAITS(9, 9, ""), "never system HARD MAXPROC 8 par ALL uses 0 wants 9");
	check(FST_MAUI_HEAD SYSTEM WAITS(9, 6, ""), "never system HARD MAXPS 500 par ALL uses 0 wants 600");
	check(FST_MAUI_HEAD SYSTEM WAITS(9, 4, ""), "never system HARD MAXWC 90 par ALL uses 0 wants 100");
	check(FST_MAUI_HEAD SYSTEM CRED("user", "u", "'max_proc':8") RUNS(1, 6, "") WAITS(9, 9, ""),
	      "never active HARD MAXPROC 8 user u uses 6 wants 9");
}

static void user_limits_of_a_class_count_each_user_separately(void **state)
{
	(void)state;
	check(FST_MAUI_HEAD CRED("class", "long", "'user_proc':4,'user_proc_soft':4") RUNS(1, 2, ",'partitions':['long']")
	      WAITS(9, 2, ",'partitions':['long']"), "first");
	check(FST_MAUI_HEAD CRED("class", "long", "'user_proc':4,'user_proc_soft':4") RUNS(1, 2, ",'partitions':['long']")
	      WAITS(9, 3, ",'partitions':['long']"), "limit active HARD MAXPROC 4 class long uses 2 wants 3");
	check(FST_MAUI_HEAD CRED("class", "long", "'user_proc':4,'user_proc_soft':4") RUNS(1, 2, ",'partitions':['batch']")
	      WAITS(9, 3, ",'partitions':['long']"), "first");
	check(FST_MAUI_HEAD CRED("class", "long", "'user_proc':4,'user_proc_soft':4")
	      REC("job", "'id':1,'name':'1','state':'RUNNING','position':1,'submit_time':1600000000,'time_limit_s':100,'cpus':4,"
		  "'user':'other','partitions':['long'],'start_time':1600000000")
	      WAITS(9, 3, ",'partitions':['long']"), "first");
	check(FST_MAUI_HEAD CRED("class", "long", "'user_job':1,'user_job_soft':1,'max_job':9") CRED("class", "DEFAULT", "'max_proc':3")
	      RUNS(1, 2, ",'partitions':['long']") WAITS(9, 1, ",'partitions':['long']"),
	      "limit active HARD MAXJOB 1 class long uses 1 wants 1");
}

/* Maui looks up default limits in a class named DEFAULT, but not in the class of this name that maui.cfg creates. */
static void limits_of_class_default_apply_to_no_other_class(void **state)
{
	(void)state;
	check(FST_MAUI_HEAD CRED("class", "long", "'priority':1") CRED("class", "DEFAULT", "'max_proc':3")
	      RUNS(1, 2, ",'partitions':['long']") WAITS(9, 2, ",'partitions':['long']"), "first");
	check(FST_MAUI_HEAD CRED("class", "DEFAULT", "'max_proc':3")
	      RUNS(1, 2, ",'partitions':['DEFAULT']") WAITS(9, 2, ",'partitions':['DEFAULT']"),
	      "limit active HARD MAXPROC 3 class DEFAULT uses 2 wants 2");
	check(FST_MAUI_HEAD CRED("group", "g", "'priority':1") CRED("group", "DEFAULT", "'max_proc':3")
	      RUNS(1, 2, ",'group':'g'") WAITS(9, 2, ",'group':'g'"), "limit active HARD MAXPROC 3 group g uses 2 wants 2");
}

#define NODE(fields) REC("node", "'name':'n','state':'IDLE','cpus':4,'mem_mb':100,'tres':{'cpu':4,'mem':100}," fields)
#define TRES REC("tres", "'id':1,'name':'cpu'") REC("tres", "'id':2,'name':'mem'")

static void a_job_never_starts_if_no_node_can_run_it(void **state)
{
	static const struct {
		const char *need, *want;
	} needs[] = { { "opsys==Linux", "first" }, { "opsys==AIX", "never" }, { "arch==x86", "first" }, { "arch==ppc", "never" },
		      { "mem>=100", "first" }, { "mem>100", "never" }, { "mem<>100", "never" }, { "mem<=100", "first" },
		      { "mem=100M", "first" }, { "mem<101", "first" }, { "mem!=99", "first" }, { "op==AIX", "first" } };

	(void)state;
	check(FST_MAUI_HEAD TRES NODE("'partitions':['batch']") WAITS(9, 4, ",'partitions':['batch']"), "first");
	check(FST_MAUI_HEAD TRES NODE("'partitions':['batch']") WAITS(9, 5, ",'partitions':['batch']"), "never");
	check(FST_MAUI_HEAD TRES NODE("'partitions':['batch']") WAITS(9, 1, ",'partitions':['gone']"), "never");
	check(FST_MAUI_HEAD TRES NODE("'partitions':['batch']") WAITS(9, 1, ",'partitions':['batch'],'features':'ib'"), "never");
	for (size_t i = 0; i < sizeof(needs) / sizeof(*needs); i++) {
		char text[1000];

		snprintf(text, sizeof(text), "%s" REC("job", "'id':9,'name':'9','state':'PENDING','position':9,'submit_time':1600000000"
			 ",'time_limit_s':100,'cpus':1,'user':'u','node_needs':['%s']"),
			 FST_MAUI_HEAD TRES NODE("'opsys':'Linux','arch':'x86'"), needs[i].need);
		check(text, needs[i].want);
	}
	check(FST_MAUI_HEAD TRES NODE("'features':['ib'],'partitions':['batch']")
	      WAITS(9, 1, ",'partitions':['batch'],'features':'ib'"), "first");
	check(FST_MAUI_HEAD TRES NODE("'partitions':['batch']")
	      WAITS(9, 1, ",'partitions':['batch'],'tasks':1,'tres_req':{'cpu':1,'mem':101}"), "never");
	check(FST_MAUI_HEAD TRES NODE("'partitions':['batch']") /* the memory of the node is enough for two tasks */
	      WAITS(9, 2, ",'partitions':['batch'],'tasks':2,'tres_req':{'cpu':2,'mem':100}"), "first");
	check(FST_MAUI_HEAD TRES NODE("'partitions':['batch']")
	      WAITS(9, 3, ",'partitions':['batch'],'tasks':3,'tres_req':{'cpu':3,'mem':150}"), "never");
	check(FST_MAUI_HEAD TRES NODE("'partitions':['batch']") WAITS(9, 4, ",'partitions':['batch'],'nodes':2"), "never");
	check(FST_MAUI_HEAD WAITS(9, 400, ",'partitions':['gone']"), "first");
	/* all nodes of a job must be in the same partition of nodes */
#define OF(name, more) REC("node", "'name':'" name "','state':'IDLE','cpus':4" more)
#define P ",'maui_partition':'p'"
	check(FST_MAUI_HEAD TRES OF("n1", P) OF("n2", P) WAITS(9, 8, ""), "first");
	check(FST_MAUI_HEAD TRES OF("n1", P) OF("n2", "") WAITS(9, 4, ""), "first");
	check(FST_MAUI_HEAD TRES OF("n1", P) OF("n2", "") WAITS(9, 8, ""), "never");
	check(FST_MAUI_HEAD TRES OF("n1", "") OF("n2", P) OF("n3", "") WAITS(9, 8, ""), "first");
	check(FST_MAUI_HEAD TRES OF("n1", "") OF("n2", P) OF("n3", "") OF("n4", P) WAITS(9, 9, ""), "never");
}

static void a_soft_limit_blocks_only_jobs_listed_as_blocked(void **state)
{
	(void)state;
	check(FST_MAUI_HEAD CRED("user", "u", "'max_job':3,'max_job_soft':1") RUNS(1, 1, "") WAITS(9, 1, ""), "first");
	check(FST_MAUI_HEAD CRED("user", "u", "'max_job':3,'max_job_soft':1") RUNS(1, 1, "")
	      WAITS(9, 1, ",'reason':'Blocked'"), "limit active SOFT MAXJOB 1 user u uses 1 wants 1");
}

static void a_reservation_or_a_hold_takes_precedence_over_limits(void **state)
{
	(void)state;
	check(FST_MAUI_HEAD CRED("user", "u", "'max_job':1") RUNS(1, 1, "") WAITS(9, 1, ",'flags':['RESERVED']"), "first");
	check(FST_MAUI_HEAD CRED("user", "u", "'max_job':1") RUNS(1, 1, "") WAITS(9, 1, ",'reason':'UserHold'"), "held");
}

/* Limits are checked in this order: user, group, account, class, QOS. A credential without a limit of its own has the
 * limit of the credential DEFAULT; this limit is compared with the credential's own usage. */
static void limits_are_checked_by_user_group_account_class_and_qos(void **state)
{
#define ALL_OF ",'group':'g','account':'a','partitions':['c'],'qos':['q']"
#define TWO RUNS(1, 1, ALL_OF) JOB(2, "RUNNING", 1, ",'start_time':1600000000,'group':'h'") WAITS(9, 1, ALL_OF)
	(void)state;
	check(FST_MAUI_HEAD CRED("qos", "q", "'max_job':1") CRED("class", "c", "'max_job':1") TWO,
	      "limit active HARD MAXJOB 1 class c uses 1 wants 1");
	check(FST_MAUI_HEAD CRED("qos", "q", "'max_job':1") CRED("acct", "a", "'max_node':1,'max_proc':1") TWO,
	      "limit active HARD MAXPROC 1 acct a uses 1 wants 1");
	check(FST_MAUI_HEAD CRED("group", "DEFAULT", "'max_job':1") CRED("acct", "a", "'max_job':1") TWO,
	      "limit active HARD MAXJOB 1 group g uses 1 wants 1");
	check(FST_MAUI_HEAD CRED("group", "DEFAULT", "'max_job':1") CRED("group", "g", "'max_job':2") TWO, "first");
	check(FST_MAUI_HEAD CRED("user", "DEFAULT", "'max_job':2") CRED("user", "u", "'max_proc':9") TWO,
	      "limit active HARD MAXJOB 2 user u uses 2 wants 1");
}

static void limits_count_processor_equivalents_and_wall_time(void **state)
{
#define NODES REC("node", "'name':'n1','cpus':8,'mem_mb':800,'state':'IDLE'")
#define MEM ",'tasks':1,'cpus_per_task':1,'tres_req':{'mem':400}" /* half of the memory: 4 processor equivalents */
	(void)state;
	check(FST_MAUI_HEAD NODES CRED("user", "u", "'max_pe':8") RUNS(1, 1, MEM) WAITS(9, 1, MEM), "first");
	check(FST_MAUI_HEAD NODES CRED("user", "u", "'max_pe':7") RUNS(1, 1, MEM) WAITS(9, 1, MEM),
	      "limit active HARD MAXPE 7 user u uses 4 wants 4");
	/* job 1 has 40 s left, and job 9 requests 100 s: 140 s in total */
	check(FST_MAUI_HEAD CRED("user", "u", "'max_wc':140") RUNS(1, 6, "") WAITS(9, 6, ""), "first");
	check(FST_MAUI_HEAD CRED("user", "u", "'max_wc':139") RUNS(1, 6, "") WAITS(9, 6, ""),
	      "limit active HARD MAXWC 139 user u uses 40 wants 100");
}

static void override_limits_of_a_qos_replace_all_others(void **state)
{
#define Q ",'qos':['q']"
	(void)state;
	check(FST_MAUI_HEAD CRED("user", "u", "'max_job':1") CRED("qos", "q", "'override_job':3") RUNS(1, 1, Q) WAITS(9, 1, Q),
	      "first");
	check(FST_MAUI_HEAD CRED("qos", "q", "'override_job':1") RUNS(1, 1, "") WAITS(9, 1, Q),
	      "limit active HARD MAXJOB 1 user u uses 1 wants 1");
	check(FST_MAUI_HEAD CRED("qos", "q", "'override_job':1") CRED("user", "u", "'max_job':9") RUNS(1, 1, "")
	      WAITS(9, 1, ""), "first");
	check(FST_MAUI_HEAD CRED("qos", "q", "'override_idle_job':3") CRED("user", "u", "'max_idle_job':1") WAITS(1, 1, "")
	      WAITS(9, 1, Q), "behind");
}

/* An idle limit counts the eligible jobs that have a higher priority. The idle limit of the user DEFAULT applies to
 * each user without an idle limit of their own. */
static void idle_limits_count_eligible_jobs_of_higher_priority(void **state)
{
	(void)state;
	check(FST_MAUI_HEAD CRED("user", "u", "'max_idle_job':2") WAITS(1, 1, "") WAITS(9, 1, ""), "behind");
	check(FST_MAUI_HEAD CRED("user", "u", "'max_idle_job':1") WAITS(1, 1, "") WAITS(9, 1, ""),
	      "limit idle HARD MAXJOB 1 user u uses 1 wants 1");
	check(FST_MAUI_HEAD CRED("user", "u", "'max_idle_job':1") WAITS(1, 1, ",'reason':'UserHold'") WAITS(9, 1, ""), "first");
	check(FST_MAUI_HEAD CRED("user", "u", "'max_idle_job':1") WAITS(1, 1, ",'flags':['RESERVED']")
	      WAITS(9, 1, ",'flags':['RESERVED']"), "behind");
	check(FST_MAUI_HEAD CRED("user", "u", "'priority':0") CRED("user", "DEFAULT", "'max_idle_job':1") WAITS(1, 1, "")
	      WAITS(9, 1, ""), "limit idle HARD MAXJOB 1 user u uses 1 wants 1");
	check(FST_MAUI_HEAD CRED("group", "g", "'priority':0") CRED("group", "DEFAULT", "'max_idle_job':1")
	      WAITS(1, 1, ",'group':'g'") WAITS(9, 1, ",'group':'g'"), "behind");
	check(FST_MAUI_HEAD CRED("group", "g", "'max_idle_ps':0") CRED("group", "DEFAULT", "'max_idle_job':1")
	      WAITS(1, 1, ",'group':'g'") WAITS(9, 1, ",'group':'g'"), "limit idle HARD MAXJOB 1 group g uses 1 wants 1");
	check(FST_MAUI_HEAD CRED("user", "u", "'max_idle_job':0") CRED("user", "DEFAULT", "'max_idle_job':1") WAITS(1, 1, "")
	      WAITS(9, 1, ""), "limit idle HARD MAXJOB 1 user u uses 1 wants 1");
	check(FST_MAUI_HEAD CRED("user", "u", "'max_idle_proc':2") WAITS(1, 2, "") WAITS(9, 1, ""),
	      "limit idle HARD MAXPROC 2 user u uses 2 wants 1");
	check(FST_MAUI_HEAD CRED("user", "u", "'max_idle_proc':2") CRED("qos", "DEFAULT", "'override_idle_proc':-1")
	      WAITS(1, 2, "") WAITS(9, 1, ""), "behind");
	/* the scheduler's list shows which jobs are blocked */
	check(FST_MAUI_HEAD CRED("user", "u", "'max_idle_job':1") WAITS(1, 1, "") WAITS(2, 1, ",'reason':'Blocked'")
	      WAITS(9, 1, ""), "behind");
}

/* Compares the limit that the commands show for job 9 with a line such as "idle HARD MAXPROC 6 uses -6 wants 7". */
static void complains(const char *text, const char *want)
{
	fs_snapshot *m = fst_snapshot(text);
	struct fs_explain_limit l;
	struct fs_error err = { 0 };
	char got[200] = "";
	fs_queue *q;

	assert_int_equal(fs_queue_compute(&q, m, NULL, &err), 0);
	for (uint32_t i = 0; i < fs_snapshot_info(m)->jobs; i++) {
		struct fs_job job;

		fs_snapshot_job(m, i, &job);
		if (job.id == 9 && fs_queue_shown_limit(q, i, &l))
			snprintf(got, sizeof(got), "%s %.0f uses %.0f wants %.0f", l.name, l.value, l.used, l.wants);
	}
	assert_string_equal(got, want);
	fs_queue_free(q);
	fs_snapshot_free(m);
}

/* Scheduling subtracts eligible jobs from the use of an idle limit, which may become negative. Maui's commands compare
 * the limit with this lower use. */
static void commands_show_the_idle_usage_left_by_scheduling(void **state)
{
	(void)state;
	complains(FST_MAUI_HEAD CRED("user", "u", "'max_idle_proc':6") WAITS(1, 6, "") WAITS(9, 12, ""), "");
	complains(FST_MAUI_HEAD CRED("user", "u", "'max_idle_proc':6") WAITS(1, 6, "") WAITS(9, 13, ""),
		  "idle HARD MAXPROC 6 uses -6 wants 13");
	complains(FST_MAUI_HEAD CRED("user", "u", "'max_idle_job':1") WAITS(1, 6, "") WAITS(9, 1, ""), "");
	/* jobs that are held, stopped by a hard limit, or over the idle limit themselves are not subtracted from the
	 * use of the idle limit */
	complains(FST_MAUI_HEAD CRED("user", "u", "'max_idle_proc':6,'max_job':1") RUNS(1, 1, "") WAITS(2, 6, "") WAITS(9, 7, ""),
		  "active HARD MAXJOB 1 uses 1 wants 1");
	complains(FST_MAUI_HEAD CRED("user", "u", "'max_idle_proc':6") WAITS(1, 6, ",'reason':'UserHold'") WAITS(9, 7, ""),
		  "idle HARD MAXPROC 6 uses 0 wants 7");
	complains(FST_MAUI_HEAD CRED("user", "u", "'max_idle_proc':6") WAITS(2, 7, "") WAITS(9, 7, ""),
		  "idle HARD MAXPROC 6 uses 0 wants 7");
}

/* When Maui checks an eligible job, running jobs of lower priority are not yet counted: job 2 counts as eligible. */
static void running_jobs_count_only_for_jobs_after_them(void **state)
{
#define LONG ",'partitions':['long']"
	(void)state;
	check(FST_MAUI_HEAD CRED("class", "long", "'max_job':1") CRED("user", "u", "'max_idle_job':1")
	      RUNS(1, 1, LONG ",'priority':0") WAITS(2, 1, LONG) WAITS(9, 1, ""), "limit idle HARD MAXJOB 1 user u uses 1 wants 1");
	check(FST_MAUI_HEAD CRED("class", "long", "'max_job':1") CRED("user", "u", "'max_idle_job':1")
	      RUNS(1, 1, LONG ",'priority':99") WAITS(2, 1, LONG) WAITS(9, 1, ""), "first");
}

/* A job that started at the snapshot's time was eligible when Maui checked limits. Its start priority determines
 * whether Maui checked it before job 9. A job of 2 processors was checked before job 9. */
static void jobs_started_at_the_snapshots_time_count_as_eligible(void **state)
{
#define STARTED(id, cpus) JOB(id, "RUNNING", cpus, ",'start_time':1600000060,'priority':0")
#define BY_PROCS FST_MAUI_HEAD REC("config", "'PROCWEIGHT':1")
	(void)state;
	check(BY_PROCS CRED("user", "u", "'max_idle_job':1") STARTED(1, 2) WAITS(9, 1, ""),
	      "limit idle HARD MAXJOB 1 user u uses 1 wants 1");
	check(BY_PROCS CRED("user", "u", "'max_idle_job':1") STARTED(1, 1) WAITS(9, 2, ""), "first");
	check(BY_PROCS CRED("user", "u", "'max_idle_job':1") RUNS(1, 2, "") WAITS(9, 1, ""), "first");
	check(BY_PROCS CRED("user", "u", "'max_job':1") STARTED(1, 2) WAITS(9, 1, ""),
	      "limit active HARD MAXJOB 1 user u uses 1 wants 1");
}

static void a_negative_priority_is_checked_before_limits(void **state)
{
	(void)state;
	check(FST_MAUI_HEAD REC("config", "'REJECTNEGPRIOJOBS':true,'USERWEIGHT':1")
	      CRED("user", "u", "'max_job':1,'priority':-99") RUNS(1, 1, "") WAITS(9, 1, ",'reason':'Blocked'"), "limit");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_limit_blocks_only_jobs_that_would_exceed_it),
		cmocka_unit_test(running_jobs_count_with_their_remaining_time),
		cmocka_unit_test(jobs_over_a_system_limit_never_start),
		cmocka_unit_test(user_limits_of_a_class_count_each_user_separately),
		cmocka_unit_test(limits_of_class_default_apply_to_no_other_class),
		cmocka_unit_test(a_job_never_starts_if_no_node_can_run_it),
		cmocka_unit_test(a_soft_limit_blocks_only_jobs_listed_as_blocked),
		cmocka_unit_test(a_reservation_or_a_hold_takes_precedence_over_limits),
		cmocka_unit_test(limits_are_checked_by_user_group_account_class_and_qos),
		cmocka_unit_test(limits_count_processor_equivalents_and_wall_time),
		cmocka_unit_test(override_limits_of_a_qos_replace_all_others),
		cmocka_unit_test(idle_limits_count_eligible_jobs_of_higher_priority),
		cmocka_unit_test(commands_show_the_idle_usage_left_by_scheduling),
		cmocka_unit_test(running_jobs_count_only_for_jobs_after_them),
		cmocka_unit_test(jobs_started_at_the_snapshots_time_count_as_eligible),
		cmocka_unit_test(a_negative_priority_is_checked_before_limits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
