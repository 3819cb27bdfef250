/* advise/: each proposed change gives an earlier start and is accepted by the scheduler. The proposed amount, such as a
 * time limit, is the greatest amount that gives an earlier start. */
#include "fsprio.h"
#include "fs/advise.h"
#include "fs/scenario.h"

#include <inttypes.h>

#define NOW INT64_C(1700000000)
#define SITE_HEAD(version) \
	"{'type':'snapshot','format':1,'time':1700000000,'cluster':'c','scheduler':'slurm " version "'}\n" \
	REC("config", "'PriorityType':'priority/basic','SchedulerType':'sched/backfill','AccountingStorageEnforce':['associations','limits','qos']") \
	REC("tres", "'id':1,'name':'cpu'") REC("tres", "'id':2,'name':'mem'") REC("tres", "'id':4,'name':'node'") \
	REC("tres", "'id':5,'name':'billing'") \
	REC("node", "'name':'n1','state':'MIXED','cpus':4,'alloc_cpus':2,'mem_mb':4000") \
	REC("node", "'name':'n2','state':'IDLE','cpus':4,'mem_mb':4000") \
	REC("partition", "'name':'p','state':'UP','tier':1,'nodes':'n1','max_time_s':'unlimited'") \
	REC("partition", "'name':'free','state':'UP','tier':1,'nodes':'n2','max_time_s':36000,'allow_accounts':['b']") \
	REC("partition", "'name':'short','state':'UP','tier':1,'nodes':'n2','max_time_s':600") \
	REC("qos", "'name':'low','priority':1,'usage_factor':2") \
	REC("association", "'id':1,'account':'root','shares':1") \
	REC("association", "'id':2,'account':'a','parent':'root','shares':1") \
	REC("association", "'id':3,'account':'b','parent':'root','shares':1") \
	REC("association", "'id':4,'account':'a','user':'u','shares':1,'qos':['low'],'default_qos':'low'") \
	REC("association", "'id':5,'account':'a','user':'v','shares':1,'qos':['low'],'default_qos':'low'") \
	REC("job", "'id':1,'state':'RUNNING','start_time':1699999800,'end_time':1700007000,'time_limit_s':7200,'user':'v'," \
		   "'account':'a','association':5,'partitions':['p'],'qos':['low'],'nodes':1,'cpus':2,'node_list':'n1'," \
		   "'tres_req':{'cpu':2,'node':1},'tres_alloc':{'cpu':2,'node':1}")
#define PENDING(id, user, more) \
	REC("job", "'id':" #id ",'state':'PENDING','submit_time':1000,'eligible_time':1000,'user':'" user "','account':'a'," \
		   "'partitions':['p'],'qos':['low'],'nodes':1," more)
/* Job 2, which uses all CPUs of n1 for two hours after job 1 ends. */
#define FIRST PENDING(2, "v", "'priority':900,'cpus':4,'time_limit_s':7200,'tres_req':{'cpu':4,'node':1}")
#define SECOND(limit) PENDING(3, "u", "'priority':800,'cpus':2,'time_limit_s':" #limit ",'tres_req':{'cpu':2,'node':1,'billing':2}")

static fs_advices *advise_seen_by(const fs_snapshot *m, uint64_t job, const char *viewer)
{
	const struct fs_view view = { .viewer = viewer };
	struct fs_error err;
	fs_advices *a = NULL;
	struct fs_job j;
	uint32_t row = 0;

	for (fs_snapshot_job(m, row, &j); j.id != job; fs_snapshot_job(m, ++row, &j))
		;
	fst_no_error(fs_advise(&a, m, row, &view, &err), &err);
	return a;
}

static fs_advices *advise(const fs_snapshot *m, uint64_t job)
{
	return advise_seen_by(m, job, NULL);
}

static const struct fs_advice *find(const fs_advices *a, const char *command)
{
	for (size_t i = 0; i < fs_advices_count(a); i++)
		if (!strcmp(fs_advices_row(a, i)->command, command))
			return fs_advices_row(a, i);
	for (size_t i = 0; i < fs_advices_count(a); i++)
		print_error("%s\n", fs_advices_row(a, i)->command);
	print_error("no \"%s\" among these\n", command);
	fail();
	return NULL;
}

static bool has(const fs_advices *a, const char *part)
{
	for (size_t i = 0; i < fs_advices_count(a); i++)
		if (strstr(fs_advices_row(a, i)->command, part))
			return true;
	return false;
}

/* Returns the job's planned start after the command. */
static int64_t start_with(const char *site, const char *command, uint64_t job)
{
	fs_snapshot *m = fst_snapshot(site);
	struct fs_plan_row r = { .start_time = FS_UNKNOWN };
	struct fs_error err;
	fs_plan *p;

	fst_no_error(fs_snapshot_edit(m, command, NULL, &err), &err);
	fst_no_error(fs_plan_compute(&p, m, NULL, &err), &err);
	for (size_t i = 0; i < fs_plan_count(p) && r.job != job; i++)
		fs_plan_row(p, i, &r);
	assert_int_equal(r.job, job);
	fs_plan_free(p);
	fs_snapshot_free(m);
	return r.start_time;
}

static void first_advice_is_the_longest_time_limit_with_two_minutes_to_spare(void **state)
{
	static const char site[] = SITE_HEAD("26.05.0") FIRST SECOND(14400);
	fs_snapshot *m = fst_snapshot(site);
	fs_advices *a = advise(m, 3);
	const struct fs_advice *best = fs_advices_row(a, 0);
	int64_t longest = 0;
	char command[96];

	(void)state;
	for (int64_t minutes = 24; minutes < 240; minutes++) {
		snprintf(command, sizeof(command), "scontrol update job 3 TimeLimit=%" PRId64, minutes);
		if (start_with(site, command, 3) <= NOW + 60)
			longest = minutes;
	}
	assert_in_range(longest, 24, 118);
	snprintf(command, sizeof(command), "scontrol update job 3 TimeLimit=%" PRId64 ":%02" PRId64 ":00", (longest - 2) / 60,
		 (longest - 2) % 60);
	assert_string_equal(best->command, command);
	assert_int_equal(best->who, FS_WHO_OWNER);
	assert_true(best->start_after <= NOW + 60);
	assert_int_equal(best->start_before, start_with(site, "scontrol update job 3 Comment=x", 3));
	assert_int_equal(best->start_before, fs_advices_start(a));
	/* 2 CPUs for 4 hours, doubled by the QOS usage factor */
	assert_near(best->cost_before, 16, 1e-9);
	assert_near(best->cost_after, 4.0 * (double)(longest - 2) / 60, 1e-9);
	fs_advices_free(a);
	fs_snapshot_free(m);
}

static void each_advice_has_the_start_that_the_plan_gives(void **state)
{
	static const char site[] = SITE_HEAD("26.05.0") FIRST SECOND(14400)
		PENDING(4, "u", "'priority':700,'cpus':3,'time_limit_s':14400,'tres_req':{'cpu':3,'mem':900,'node':1}");
	fs_snapshot *m = fst_snapshot(site);

	(void)state;
	for (uint64_t job = 2; job <= 4; job++) {
		fs_advices *a = advise(m, job);

		for (size_t i = 0; i < fs_advices_count(a); i++) {
			const struct fs_advice *r = fs_advices_row(a, i);

			assert_int_equal(start_with(site, r->command, job), r->start_after);
			assert_true(r->start_before == FS_UNKNOWN || r->start_after + 60 <= r->start_before);
			assert_true(!i || fs_advices_row(a, i - 1)->start_after <= r->start_after);
		}
		fs_advices_free(a);
	}
	fst_same_again(m);
	fs_snapshot_free(m);
}

static void time_min_is_advised_in_19_05_and_from_25_05_3(void **state)
{
	static const struct {
		const char *site;
		bool advised;
	} cases[] = {
		{ SITE_HEAD("19.05.0") FIRST SECOND(14400), true },
		{ SITE_HEAD("20.02.5") FIRST SECOND(14400), false },
		{ SITE_HEAD("22.05.8") FIRST SECOND(14400), false },
		{ SITE_HEAD("25.05.2") FIRST SECOND(14400), false },
		{ SITE_HEAD("25.05.3") FIRST SECOND(14400), true },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		fs_snapshot *m = fst_snapshot(cases[i].site);
		fs_advices *a = advise(m, 3);

		assert_int_equal(has(a, " TimeMin="), cases[i].advised);
		assert_true(has(a, " TimeLimit="));
		fs_advices_free(a);
		fs_snapshot_free(m);
	}
}

static void only_partitions_that_admit_the_job_are_advised(void **state)
{
	fs_snapshot *m = fst_snapshot(SITE_HEAD("22.05.8") FIRST SECOND(600));
	fs_advices *a = advise(m, 3);

	(void)state;
	assert_int_equal(fs_advices_count(a), 0); /* job 3 ends before job 2 starts */
	fs_advices_free(a);
	fs_snapshot_free(m);
	m = fst_snapshot(SITE_HEAD("22.05.8") FIRST
			 PENDING(3, "u", "'priority':800,'cpus':4,'time_limit_s':600,'tres_req':{'cpu':4,'node':1}"));
	a = advise(m, 3);
	assert_int_equal(find(a, "scontrol update job 3 Partition=p,short")->start_after, NOW);
	assert_false(has(a, "free"));  /* partition `free` does not admit account a */
	assert_false(has(a, "=short")); /* Partition=short is no better than Partition=p,short */
	fs_advices_free(a);
	fs_snapshot_free(m);
}

/* The job could start at once in two more partitions. The advice is to add one of them to the job's partitions, or to
 * add both. */
static void each_partition_that_gains_is_advised_alone_and_with_all_others(void **state)
{
	static const char site[] = SITE_HEAD("22.05.8")
		REC("node", "'name':'n3','state':'IDLE','cpus':4,'mem_mb':4000")
		REC("partition", "'name':'other','state':'UP','tier':1,'nodes':'n3','max_time_s':3600")
		REC("partition", "'name':'down','state':'DOWN','tier':1,'nodes':'n3','max_time_s':3600")
		FIRST PENDING(3, "u", "'priority':800,'cpus':4,'time_limit_s':600,'tres_req':{'cpu':4,'node':1}");
	fs_snapshot *m = fst_snapshot(site);
	fs_advices *a = advise(m, 3);

	(void)state;
	assert_int_equal(find(a, "scontrol update job 3 Partition=p,short,other")->start_after, NOW);
	assert_int_equal(start_with(site, "scontrol update job 3 Partition=p,short,other", 3), NOW);
	assert_int_equal(find(a, "scontrol update job 3 Partition=p,short")->start_after, NOW);
	assert_int_equal(find(a, "scontrol update job 3 Partition=p,other")->start_after, NOW);
	assert_false(has(a, "down"));
	fs_advices_free(a);
	fs_snapshot_free(m);
}

/* Backfill plans a run of 16 minutes before the reservation, but the scheduler would refuse its start after job 1. */
static void a_proposed_run_ends_before_the_next_reservation(void **state)
{
	fs_snapshot *m = fst_snapshot("{'type':'snapshot','format':1,'time':1700000000,'cluster':'c','scheduler':'slurm 22.05.8'}\n"
		REC("config", "'PriorityType':'priority/basic','SchedulerType':'sched/backfill'")
		REC("tres", "'id':1,'name':'cpu'") REC("tres", "'id':4,'name':'node'")
		REC("node", "'name':'n1','state':'MIXED','cpus':4,'alloc_cpus':4,'mem_mb':4000")
		REC("partition", "'name':'p','state':'UP','tier':1,'nodes':'n1'")
		REC("reservation", "'name':'maint','start_time':1700001000,'end_time':1700009000,'nodes':'n1','users':['root'],'flags':['MAINT']")
		REC("job", "'id':1,'state':'RUNNING','start_time':1699999000,'end_time':1700000120,'time_limit_s':1120,'user':'v',"
			   "'account':'a','partitions':['p'],'nodes':1,'cpus':4,'node_list':'n1','tres_alloc':{'cpu':4,'node':1}")
		PENDING(3, "u", "'priority':800,'cpus':2,'time_limit_s':7200,'tres_req':{'cpu':2,'node':1}"));
	fs_advices *a = advise(m, 3);

	(void)state;
	assert_int_equal(find(a, "scontrol update job 3 TimeLimit=0:12:00")->start_after, 1700000120);
	fs_advices_free(a);
	fs_snapshot_free(m);
}

/* Job 2 may start on n1 or n2 when job 1 ends, which frees its limit. It may take n1 before job 3 if its priority is
 * higher, although a simulation gives it n2. If job 3 never starts without the advice,
 * the advice is given, but it is marked as unreliable. */
static void jobs_that_a_limit_blocks_may_start_first(void **state)
{
#define BESIDE_BLOCKED(limit_1, priority, max_time) \
	"{'type':'snapshot','format':1,'time':1700000000,'cluster':'c','scheduler':'slurm 22.05.8'}\n" \
	REC("config", "'PriorityType':'priority/basic','SchedulerType':'sched/backfill','AccountingStorageEnforce':['associations','limits']") \
	REC("tres", "'id':1,'name':'cpu'") REC("tres", "'id':4,'name':'node'") \
	REC("node", "'name':'n1','state':'MIXED','weight':9,'cpus':4,'alloc_cpus':4,'mem_mb':4000,'partitions':['p','both']") \
	REC("node", "'name':'n2','state':'IDLE','cpus':4,'mem_mb':4000,'partitions':['both']") \
	REC("partition", "'name':'p','state':'UP','tier':1,'max_time_s':" max_time ",'nodes':'n1'") \
	REC("partition", "'name':'both','state':'UP','tier':1,'nodes':'n[1-2]'") \
	REC("association", "'id':1,'account':'root','shares':1") REC("association", "'id':2,'account':'a','parent':'root','shares':1") \
	REC("association", "'id':3,'account':'a','user':'u','shares':1") \
	REC("association", "'id':4,'account':'a','user':'v','shares':1,'max_jobs':1") \
	REC("reservation", "'name':'maint','start_time':1700001000,'end_time':1700009000,'nodes':'n1','users':['root'],'flags':['MAINT']") \
	REC("job", "'id':1,'state':'RUNNING','start_time':1699999000,'time_limit_s':" limit_1 ",'user':'v','account':'a'," \
		   "'association':4,'partitions':['p'],'nodes':1,'cpus':4,'node_list':'n1','tres_alloc':{'cpu':4,'node':1}") \
	REC("job", "'id':2,'state':'PENDING','submit_time':1000,'eligible_time':1000,'user':'v','account':'a','association':4," \
		   "'partitions':['both'],'nodes':1,'priority':" priority ",'cpus':4,'time_limit_s':600,'tres_req':{'cpu':4,'node':1}") \
	PENDING(3, "u", "'priority':800,'cpus':2,'time_limit_s':7200,'tres_req':{'cpu':2,'node':1}")
	static const struct {
		const char *site, *advice;
		bool advised, unreliable;
	} cases[] = {
		{ BESIDE_BLOCKED("1120", "700", "9000"), "scontrol update job 3 TimeLimit=0:12:00", true, false },
		{ BESIDE_BLOCKED("1120", "900", "9000"), "scontrol update job 3 TimeLimit=0:12:00", false, false },
		{ BESIDE_BLOCKED("1120", "900", "3600"), "scontrol update job 3 TimeLimit=0:12:00", true, true },
		{ BESIDE_BLOCKED("1005", "700", "9000"), "scontrol update job 3 TimeLimit=0:14:00", true, false },
		{ BESIDE_BLOCKED("1005", "900", "9000"), "scontrol update job 3 TimeLimit=0:14:00", false, false },
	};
#undef BESIDE_BLOCKED

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		fs_snapshot *m = fst_snapshot(cases[i].site);
		fs_advices *a = advise(m, 3);

		assert_int_equal(has(a, cases[i].advice), cases[i].advised);
		if (cases[i].advised)
			assert_int_equal(find(a, cases[i].advice)->unreliable, cases[i].unreliable);
		fs_advices_free(a);
		fs_snapshot_free(m);
	}
}

/* The next task of array 10 may start when its task 11 ends, and job 12 when job 1 ends; the plan starts neither. With
 * the higher priority, they may take n1 before job 3. */
static void jobs_that_become_eligible_may_start_first(void **state)
{
#define BESIDE_WAITING(task_limit, waiting) \
	"{'type':'snapshot','format':1,'time':1700000000,'cluster':'c','scheduler':'slurm 22.05.8'}\n" \
	REC("config", "'PriorityType':'priority/basic','SchedulerType':'sched/backfill'") \
	REC("tres", "'id':1,'name':'cpu'") REC("tres", "'id':4,'name':'node'") \
	REC("node", "'name':'n1','state':'MIXED','cpus':8,'alloc_cpus':8,'mem_mb':4000,'partitions':['p']") \
	REC("partition", "'name':'p','state':'UP','tier':1,'nodes':'n1'") \
	REC("reservation", "'name':'maint','start_time':1700001000,'end_time':1700009000,'nodes':'n1','users':['root'],'flags':['MAINT']") \
	REC("job", "'id':1,'state':'RUNNING','start_time':1699999000,'end_time':1700000120,'time_limit_s':1120,'user':'v','account':'a'," \
		   "'partitions':['p'],'nodes':1,'cpus':4,'node_list':'n1','tres_alloc':{'cpu':4,'node':1}") \
	REC("job", "'id':11,'state':'RUNNING','array_job_id':10,'array_task_id':1,'start_time':1699999000,'end_time':" task_limit "," \
		   "'user':'v','account':'a','partitions':['p'],'nodes':1,'cpus':4,'node_list':'n1','tres_alloc':{'cpu':4,'node':1}") \
	REC("job", "'state':'PENDING','submit_time':1000,'user':'v','account':'a','partitions':['p'],'nodes':1,'cpus':2," \
		   "'time_limit_s':600,'tres_req':{'cpu':2,'node':1}," waiting) \
	PENDING(3, "u", "'priority':800,'cpus':2,'time_limit_s':7200,'tres_req':{'cpu':2,'node':1}")
#define TASKS(priority) "'id':10,'array_job_id':10,'array_tasks':'2-5%1','reason':'JobArrayTaskLimit','priority':" priority
#define AFTER(job, priority) "'id':12,'dependency':'afterok:" job "(unfulfilled)','reason':'Dependency','priority':" priority
	static const struct {
		const char *site;
		bool advised;
	} cases[] = {
		{ BESIDE_WAITING("1700000100", TASKS("700")), true },
		{ BESIDE_WAITING("1700000100", TASKS("900")), false },
		{ BESIDE_WAITING("1700000900", TASKS("900")), true },
		{ BESIDE_WAITING("1700000900", AFTER("1", "700")), true },
		{ BESIDE_WAITING("1700000900", AFTER("1", "900")), false },
		{ BESIDE_WAITING("1700000900", AFTER("11", "900")), true },
	};
#undef BESIDE_WAITING
#undef TASKS
#undef AFTER

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		fs_snapshot *m = fst_snapshot(cases[i].site);
		fs_advices *a = advise(m, 3);

		assert_int_equal(has(a, "TimeLimit=0:12:00"), cases[i].advised);
		fs_advices_free(a);
		fs_snapshot_free(m);
	}
}

/* Before 24.05, the account's coordinator can raise a user's limit up to the account's limit. An operator must raise
 * the user's limit beyond the account's limit, and from 24.05 on every limit. */
static void a_coordinator_raises_a_limit_up_to_the_account_limit(void **state)
{
#define LIMITED(account, user) LIMITED_IN("22.05.8", account, user)
#define LIMITED_IN(version, account, user) \
	SITE_HEAD(version) REC("association", "'id':8,'account':'c','parent':'root','shares':1" account) \
	REC("association", "'id':9,'account':'c','user':'w','shares':1,'qos':['low'],'default_qos':'low'," user) \
	REC("job", "'id':9,'state':'PENDING','submit_time':1000,'eligible_time':1000,'user':'w','account':'c','partitions':['p']," \
		   "'qos':['low'],'nodes':1,'priority':5,'cpus':2,'time_limit_s':600,'tres_req':{'cpu':2,'node':1}")
	static const struct {
		const char *site, *command;
		enum fs_who who;
	} cases[] = {
		{ LIMITED("", "'max_jobs':0"), "MaxJobs=1", FS_WHO_COORDINATOR },
		{ LIMITED(",'max_jobs':0", "'max_jobs':0"), "MaxJobs=1", FS_WHO_OPERATOR },
		{ LIMITED(",'max_jobs':1", "'max_jobs':0"), "MaxJobs=1", FS_WHO_COORDINATOR },
		{ LIMITED(",'max_tres':{'mem':9}", "'max_tres':{'cpu':1}"), "MaxTRESPerJob=cpu=2", FS_WHO_COORDINATOR },
		{ LIMITED(",'max_tres':{'cpu':1}", "'max_tres':{'cpu':1}"), "MaxTRESPerJob=cpu=2", FS_WHO_OPERATOR },
		{ LIMITED_IN("23.11.10", "", "'max_jobs':0"), "MaxJobs=1", FS_WHO_COORDINATOR },
		{ LIMITED_IN("24.05.0", "", "'max_jobs':0"), "MaxJobs=1", FS_WHO_OPERATOR },
	};
#undef LIMITED
#undef LIMITED_IN
	char command[128];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		fs_snapshot *m = fst_snapshot(cases[i].site);
		fs_advices *a = advise(m, 9);

		snprintf(command, sizeof(command), "sacctmgr modify user where name=w account=c set %s", cases[i].command);
		assert_int_equal(find(a, command)->who, cases[i].who);
		assert_int_equal(find(a, command)->start_after, start_with(cases[i].site, command, 9));
		fs_advices_free(a);
		fs_snapshot_free(m);
	}
}

/* An operator must raise the limit if the recorded users show that nobody coordinates the account. */
static void an_operator_raises_limits_of_accounts_without_a_coordinator(void **state)
{
#define LIMITED_BESIDE(more) \
	SITE_HEAD("22.05.8") REC("association", "'id':9,'account':'a','user':'w','shares':1,'qos':['low'],'max_jobs':0") \
	REC("job", "'id':9,'state':'PENDING','submit_time':1000,'eligible_time':1000,'user':'w','account':'a','partitions':['p']," \
		   "'qos':['low'],'nodes':1,'priority':5,'cpus':2,'time_limit_s':600,'tres_req':{'cpu':2,'node':1}") more
	static const struct {
		const char *site;
		const char *viewer;
		enum fs_who who;
	} cases[] = {
		{ LIMITED_BESIDE(""), NULL, FS_WHO_COORDINATOR },
		{ LIMITED_BESIDE(REC("user", "'name':'w','uid':1")), NULL, FS_WHO_COORDINATOR },
		{ LIMITED_BESIDE(REC("user", "'name':'w','admin':'none'")), NULL, FS_WHO_OPERATOR },
		{ LIMITED_BESIDE(REC("user", "'name':'x','coordinates':['b']")), NULL, FS_WHO_OPERATOR },
		{ LIMITED_BESIDE(REC("user", "'name':'x','coordinates':['b','a']")), NULL, FS_WHO_COORDINATOR },
		{ LIMITED_BESIDE(REC("user", "'name':'x','coordinates':['root']")), NULL, FS_WHO_COORDINATOR },
		{ LIMITED_BESIDE(REC("user", "'name':'x','coordinates':['b']") REC("config", "'PrivateData':['users']")), "w", FS_WHO_COORDINATOR },
	};
#undef LIMITED_BESIDE
	static const char command[] = "sacctmgr modify user where name=w account=a set MaxJobs=1";

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		fs_snapshot *m = fst_snapshot(cases[i].site);
		fs_advices *a = advise_seen_by(m, 9, cases[i].viewer);

		assert_int_equal(find(a, command)->who, cases[i].who);
		fs_advices_free(a);
		fs_snapshot_free(m);
	}
}

/* An effect on the job itself has no job id; an effect on another job has the id of that job. */
static void effects_name_a_job_only_if_it_is_another_job(void **state)
{
	fs_snapshot *m = fst_snapshot(SITE_HEAD("26.05.0")
		PENDING(2, "u", "'priority':900,'accrue_time':1000,'cpus':4,'time_limit_s':7200,'tres_req':{'cpu':4,'node':1}")
		PENDING(3, "u", "'priority':800,'accrue_time':1000,'cpus':2,'time_limit_s':600,'tres_req':{'cpu':2,'node':1}")
		PENDING(4, "u", "'priority':0,'reason':'JobHeldUser','accrue_time':1000,'cpus':1,'time_limit_s':600,'tres_req':{'cpu':1,'node':1}")
		PENDING(5, "u", "'priority':700,'accrue_time':1000,'cpus':2,'time_limit_s':14400,'tres_req':{'cpu':2,'node':1}"));
	fs_advices *a = advise(m, 5);

	(void)state;
	assert_string_equal(find(a, "scontrol hold 2")->effects, "job 2: its age starts again at 0");
	fs_advices_free(a);
	a = advise(m, 4);
	assert_string_equal(find(a, "scontrol release 4")->effects, "its age starts again at 0");
	fs_advices_free(a);
	fs_snapshot_free(m);
}

static void advice_releases_holds_and_clears_begin_times(void **state)
{
	fs_snapshot *m = fst_snapshot(
		SITE_HEAD("22.05.8")
		PENDING(7, "u", "'reason':'JobHeldUser','priority':0,'cpus':1,'time_limit_s':600,'tres_req':{'cpu':1,'node':1}")
		PENDING(8, "u", "'reason':'JobHeldAdmin','priority':0,'cpus':1,'time_limit_s':600,'tres_req':{'cpu':1,'node':1}")
		REC("job", "'id':9,'state':'PENDING','submit_time':1000,'eligible_time':1700009000,'reason':'BeginTime','user':'u',"
			   "'account':'a','partitions':['p'],'qos':['low'],'nodes':1,'priority':5,'cpus':1,'time_limit_s':600,"
			   "'tres_req':{'cpu':1,'node':1}"));
	fs_advices *a = advise(m, 7);

	(void)state;
	assert_int_equal(find(a, "scontrol release 7")->who, FS_WHO_OWNER);
	assert_int_equal(find(a, "scontrol release 7")->start_before, FS_UNKNOWN);
	fs_advices_free(a);
	a = advise(m, 8);
	assert_int_equal(find(a, "scontrol release 8")->who, FS_WHO_OPERATOR);
	fs_advices_free(a);
	a = advise(m, 9);
	assert_int_equal(find(a, "scontrol update job 9 StartTime=now")->start_after, NOW);
	fs_advices_free(a);
	fs_snapshot_free(m);
}

#define BEGINS(time, job) \
	SITE_HEAD("22.05.8") FIRST \
	REC("job", "'id':9,'state':'PENDING','submit_time':1000,'eligible_time':" #time ",'reason':'BeginTime','user':'u','account':'a'," \
		   "'partitions':['p'],'qos':['low'],'nodes':1,'priority':5,'time_limit_s':600,'tres_req':{'cpu':4,'node':1}," job)

/* Jobs 1 and 2 occupy n1 for two hours each, beyond the begin time of job 9; n2 is free. If nothing else delays job 9,
 * only an earlier begin time helps. */
static void start_time_is_advised_only_if_the_begin_time_delays_the_job(void **state)
{
	fs_snapshot *m = fst_snapshot(BEGINS(1700000600, "'cpus':4"));
	fs_advices *a = advise(m, 9);

	(void)state;
	assert_int_equal(fs_advices_begins(a), NOW + 600);
	assert_int_equal(fs_advices_start(a), find(a, "scontrol update job 9 Partition=p,short")->start_before);
	assert_in_range(fs_advices_start(a), NOW + 14200, NOW + 14400);
	assert_int_equal(find(a, "scontrol update job 9 Partition=p,short")->start_after, NOW + 600);
	assert_false(has(a, "StartTime"));
	fs_advices_free(a);
	fs_snapshot_free(m);
	m = fst_snapshot(BEGINS(1700016000, "'cpus':4"));
	a = advise(m, 9);
	assert_int_equal(fs_advices_start(a), NOW + 16000);
	assert_in_range(find(a, "scontrol update job 9 StartTime=now")->start_after, NOW + 14200, NOW + 14400);
	assert_false(has(a, "short"));
	fs_advices_free(a);
	fs_snapshot_free(m);
}

static void advice_raises_a_limit_shrinks_the_job_or_changes_its_qos(void **state)
{
	fs_snapshot *m = fst_snapshot(
		SITE_HEAD("22.05.8") REC("qos", "'name':'tight','priority':1,'max_tres_per_user':{'cpu':1}")
		REC("job", "'id':9,'state':'PENDING','submit_time':1000,'eligible_time':1000,'user':'u','account':'a','partitions':['p'],"
			   "'qos':['tight'],'nodes':1,'priority':5,'cpus':2,'time_limit_s':600,'tres_req':{'cpu':2,'node':1}"));
	fs_advices *a = advise(m, 9);

	(void)state;
	assert_int_equal(find(a, "sacctmgr modify qos where name=tight set MaxTRESPerUser=cpu=2")->who, FS_WHO_ADMINISTRATOR);
	assert_int_equal(find(a, "scontrol update job 9 NumCPUs=1")->who, FS_WHO_OWNER);
	assert_int_equal(find(a, "scontrol update job 9 QOS=low")->start_after, NOW);
	fs_advices_free(a);
	fs_snapshot_free(m);
}

#define KEPT(cpus) \
	SITE_HEAD("22.05.8") REC("qos", "'name':'tight','priority':1,'max_tres_per_user':{'cpu':4}") \
	REC("job", "'id':5,'state':'RUNNING','start_time':1699999800,'end_time':1700000600,'time_limit_s':800,'user':'u','account':'a'," \
		   "'association':4,'partitions':['short'],'qos':['tight'],'nodes':1,'cpus':4,'node_list':'n2'," \
		   "'tres_req':{'cpu':4,'node':1},'tres_alloc':{'cpu':4,'node':1}") \
	REC("job", "'id':9,'state':'PENDING','submit_time':1000,'eligible_time':1000,'user':'u','account':'a','association':4," \
		   "'partitions':['p'],'qos':['tight'],'nodes':1,'priority':5,'cpus':" #cpus ",'time_limit_s':600," \
		   "'tres_req':{'cpu':" #cpus ",'node':1}")
#define RESERVED(cpus) \
	SITE_HEAD("22.05.8") \
	REC("reservation", "'name':'r','start_time':1700000900,'end_time':1700009000,'nodes':'n2','users':['u'],'state':'INACTIVE'") \
	REC("job", "'id':9,'state':'PENDING','submit_time':1000,'eligible_time':1000,'user':'u','account':'a','association':4," \
		   "'partitions':['p'],'qos':['low'],'nodes':1,'priority':5,'cpus':" #cpus ",'time_limit_s':600," \
		   "'tres_req':{'cpu':" #cpus ",'node':1},'reservation':'r'")

/* Without any change, the job starts when its limit admits it or when its reservation begins. A command that would
 * start the job later than this time is not advised. */
static void advice_must_start_the_job_before_its_likely_start(void **state)
{
	static const struct {
		const char *site, *command;
		int64_t likely; /* expected likely start; FS_UNKNOWN: the command must not be proposed */
	} is[] = {
		{ KEPT(2), "scontrol update job 9 QOS=low", 1700000600 },
		{ KEPT(4), "scontrol update job 9 QOS=low", FS_UNKNOWN },
		{ RESERVED(2), "scontrol update job 9 ReservationName=", 1700000900 },
		{ RESERVED(4), "scontrol update job 9 ReservationName=", FS_UNKNOWN },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(is) / sizeof(*is); i++) {
		fs_snapshot *m = fst_snapshot(is[i].site);
		fs_advices *a = advise(m, 9);

		assert_int_equal(fs_advices_start(a), FS_UNKNOWN);
		if (is[i].likely == FS_UNKNOWN)
			assert_false(has(a, is[i].command));
		else
			assert_int_equal(find(a, is[i].command)->start_likely, is[i].likely);
		fs_advices_free(a);
		fs_snapshot_free(m);
	}
}

#define CARDS(version, asks) \
	SITE_HEAD(version) REC("tres", "'id':9,'name':'gres/gpu'") \
	REC("node", "'name':'g1','state':'MIXED','cpus':8,'mem_mb':4000,'gres':'gpu:a100:4'," \
		    "'tres':{'cpu':8,'gres/gpu':4},'alloc_tres':{'cpu':1,'gres/gpu':2}") \
	REC("partition", "'name':'g','state':'UP','tier':1,'nodes':'g1'") \
	REC("job", "'id':5,'state':'RUNNING','start_time':1699999800,'end_time':1700007000,'time_limit_s':7200,'user':'v','account':'a'," \
		   "'association':5,'partitions':['g'],'qos':['low'],'nodes':1,'cpus':1,'node_list':'g1'," \
		   "'tres_req':{'cpu':1,'node':1,'gres/gpu':2},'tres_alloc':{'cpu':1,'node':1,'gres/gpu':2}") \
	REC("job", "'id':9,'state':'PENDING','submit_time':1000,'eligible_time':1000,'user':'u','account':'a','partitions':['g']," \
		   "'qos':['low'],'nodes':1,'priority':5,'cpus':1,'time_limit_s':600,'tres_req':{'cpu':1,'node':1,'gres/gpu':4}" asks)

/* A 22.05.8 controller refused each update that left out the GPU type, or used Gres for a request per job. */
static void gpu_advice_has_the_form_of_the_request(void **state)
{
	static const struct {
		const char *site, *command;
	} is[] = {
		{ CARDS("22.05.8", ""), "scontrol update job 9 Gres=gpu:2" },
		{ CARDS("22.05.8", ",'gres_req':{'gres/gpu:a100':4}"), "scontrol update job 9 Gres=gpu:a100:2" },
		{ CARDS("22.05.8", ",'gres_per':'job'"), "scontrol update job 9 TresPerJob=gres:gpu:2" },
		{ CARDS("24.11.1", ",'gres_per':'job'"), "scontrol update job 9 TresPerJob=gres/gpu:2" },
		{ CARDS("22.05.8", ",'gres_per':'task'"), NULL },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(is) / sizeof(*is); i++) {
		fs_snapshot *m = fst_snapshot(is[i].site);
		fs_advices *a = advise(m, 9);

		if (is[i].command)
			assert_int_equal(find(a, is[i].command)->start_after, NOW);
		else
			assert_false(has(a, "gpu:"));
		fs_advices_free(a);
		fs_snapshot_free(m);
	}
}

#define LICENSED(has) \
	SITE_HEAD("22.05.8") REC("config", "'Licenses':'a:5,b:9','SchedulerParameters':'bf_licenses'") \
	REC("job", "'id':5,'state':'RUNNING','start_time':1699999800,'end_time':1700007000,'time_limit_s':7200,'user':'v','account':'a'," \
		   "'association':5,'partitions':['short'],'qos':['low'],'nodes':1,'cpus':1,'node_list':'n2','licenses':'a:3'," \
		   "'tres_req':{'cpu':1,'node':1},'tres_alloc':{'cpu':1,'node':1}") \
	REC("job", "'id':9,'state':'PENDING','submit_time':1000,'eligible_time':1000,'user':'u','account':'a','association':4," \
		   "'partitions':['p'],'qos':['low'],'nodes':1,'priority':5,'cpus':2,'time_limit_s':600,'licenses':" has "," \
		   "'tres_req':{'cpu':2,'node':1}")

static void advice_lowers_licenses_to_the_number_that_is_free(void **state)
{
	static const struct {
		const char *site, *command; /* `command`: expected command; NULL: no advice is expected */
	} is[] = {
		{ LICENSED("'a:4'"), "scontrol update job 9 Licenses=a:2" },
		{ LICENSED("'b,a:4,b:2'"), "scontrol update job 9 Licenses=b,a:2,b:2" },
		{ LICENSED("'a:1'"), NULL },
		{ LICENSED("'a:4|b:1'"), NULL },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(is) / sizeof(*is); i++) {
		fs_snapshot *m = fst_snapshot(is[i].site);
		fs_advices *a = advise(m, 9);

		if (is[i].command) {
			assert_int_equal(find(a, is[i].command)->start_after, NOW);
			assert_int_equal(find(a, is[i].command)->who, FS_WHO_OWNER);
			assert_int_equal(start_with(is[i].site, is[i].command, 9), NOW);
		}
		assert_int_equal(has(a, "Licenses="), is[i].command != NULL);
		fs_advices_free(a);
		fs_snapshot_free(m);
	}
}

#define JOINABLE(who) \
	SITE_HEAD("22.05.8") REC("node", "'name':'n3','state':'IDLE','cpus':4,'mem_mb':4000") \
	REC("partition", "'name':'r','state':'UP','tier':1,'nodes':'n[1,3]'") \
	REC("reservation", "'name':'mine','start_time':1699999000,'end_time':1700009000,'nodes':'n3','state':'ACTIVE'," who) \
	REC("job", "'id':9,'state':'PENDING','submit_time':1000,'eligible_time':1000,'user':'u','account':'a','association':4," \
		   "'partitions':['r'],'qos':['low'],'nodes':1,'priority':5,'cpus':4,'time_limit_s':600,'tres_req':{'cpu':4,'node':1}")

static void only_reservations_that_admit_the_job_are_advised(void **state)
{
	static const struct {
		const char *site;
		bool told;
	} is[] = {
		{ JOINABLE("'users':['u']"), true },	{ JOINABLE("'accounts':['a']"), true },
		{ JOINABLE("'users':['v']"), false },	{ JOINABLE("'accounts':['-a']"), false },
		{ JOINABLE("'users':['root']"), false }, { JOINABLE("'flags':['MAINT']"), false },
	};
	static const char command[] = "scontrol update job 9 ReservationName=mine";

	(void)state;
	for (size_t i = 0; i < sizeof(is) / sizeof(*is); i++) {
		fs_snapshot *m = fst_snapshot(is[i].site);
		fs_advices *a = advise(m, 9);

		if (is[i].told) {
			assert_int_equal(find(a, command)->start_after, NOW);
			assert_int_equal(start_with(is[i].site, command, 9), NOW);
		}
		assert_int_equal(has(a, "ReservationName"), is[i].told);
		fs_advices_free(a);
		fs_snapshot_free(m);
	}
}

static void running_jobs_and_unmodelled_clusters_get_no_advice(void **state)
{
	fs_snapshot *m = fst_snapshot(SITE_HEAD("22.05.8") FIRST);
	struct fs_error err;
	fs_advices *a;

	(void)state;
	assert_int_equal(fs_advise(&a, m, 0, NULL, &err), FS_ENODATA); /* job row 0 is running */
	fs_snapshot_free(m);
	m = fst_snapshot("{'type':'snapshot','format':1,'time':1000,'cluster':'c','scheduler':'slurm 22.05.8'}\n"
			 REC("job", "'id':1,'state':'PENDING'"));
	assert_int_equal(fs_advise(&a, m, 0, NULL, &err), FS_ENODATA);
	assert_non_null(strstr(err.message, "cannot plan starts: the snapshot has no nodes"));
	fs_snapshot_free(m);
	m = fst_snapshot("{'type':'snapshot','format':1,'time':1000,'cluster':'c','scheduler':'slurm 22.05.8'}\n"
			 REC("job", "'id':1,'state':'RUNNING'"));
	assert_int_equal(fs_advise(&a, m, 0, NULL, &err), FS_ENODATA);
	assert_non_null(strstr(err.message, "cannot compute advice: job 1 is not pending"));
	fs_snapshot_free(m);
	m = fst_snapshot("{'type':'snapshot','format':1,'time':1000,'cluster':'c','scheduler':'other 1'}\n"
			 REC("job", "'id':1,'state':'PENDING'"));
	assert_int_equal(fs_advise(&a, m, 0, NULL, &err), FS_ENODATA);
	assert_non_null(strstr(err.message, "cannot compute advice: commands of scheduler"));
	fs_snapshot_free(m);
}

/* Advice tries a het component in more partitions than the component requests. The start times that are stored for each
 * partition of the component must have space for all of them. */
static void a_het_component_can_be_tried_in_more_partitions(void **state)
{
	const char *site = SITE_HEAD("22.05.8") FIRST PENDING(3, "u",
		"'priority':800,'cpus':4,'time_limit_s':600,'tres_req':{'cpu':4,'node':1},'het_job_id':3,'het_offset':0");
	fs_snapshot *m = fst_snapshot(site);
	fs_advices *a = advise(m, 3);

	(void)state;
	assert_true(has(a, "short"));
	for (size_t i = 0; i < fs_advices_count(a); i++)
		assert_int_equal(fs_advices_row(a, i)->start_after, start_with(site, fs_advices_row(a, i)->command, 3));
	fs_advices_free(a);
	fs_snapshot_free(m);
}

/* With one CPU, the job would start earlier, but the QOS requires at least two CPUs. */
static void advised_cpus_are_not_below_the_qos_minimum(void **state)
{
	fs_snapshot *m = fst_snapshot(
		SITE_HEAD("22.05.8") REC("qos", "'name':'tight','priority':1,'min_tres':{'cpu':2},'max_tres_per_user':{'cpu':2}")
		REC("job", "'id':9,'state':'PENDING','submit_time':1000,'eligible_time':1000,'user':'u','account':'a','partitions':['p'],"
			   "'qos':['tight'],'nodes':1,'priority':5,'cpus':4,'time_limit_s':600,'tres_req':{'cpu':4,'node':1}"));
	fs_advices *a = advise(m, 9);

	(void)state;
	assert_int_equal(find(a, "scontrol update job 9 NumCPUs=2")->start_after, NOW);
	fs_advices_free(a);
	fs_snapshot_free(m);
}

/* A limit on the CPUs per node blocks the job. The job starts if it uses more nodes. */
static void more_nodes_are_advised_at_a_limit_per_node(void **state)
{
	fs_snapshot *m = fst_snapshot(
		SITE_HEAD("22.05.8") REC("qos", "'name':'thin','priority':1,'max_tres_per_node':{'cpu':2}")
		REC("partition", "'name':'wide','state':'UP','tier':1,'nodes':'n[1-2]'")
		REC("job", "'id':9,'state':'PENDING','submit_time':1000,'eligible_time':1000,'user':'u','account':'a','partitions':['wide'],"
			   "'qos':['thin'],'reason':'QOSMaxCpuPerNode','nodes':1,'priority':5,'cpus':3,'tasks':3,'time_limit_s':600,'tres_req':{'cpu':3,'node':1}"));
	fs_advices *a = advise(m, 9);

	(void)state;
	assert_int_equal(find(a, "scontrol update job 9 NumNodes=2")->start_after, NOW);
	fs_advices_free(a);
	fs_snapshot_free(m);
}

/* scontrol top accepts the component's own job id, not 3+1. */
static void scontrol_top_names_a_component_by_its_own_job_id(void **state)
{
	fs_snapshot *m = fst_snapshot(
		SITE_HEAD("22.05.8") FIRST PENDING(5, "u", "'priority':850,'cpus':2,'time_limit_s':6000,'tres_req':{'cpu':2,'node':1}")
		PENDING(4, "u", "'priority':800,'cpus':2,'time_limit_s':6000,'tres_req':{'cpu':2,'node':1},'het_job_id':3,'het_offset':1"));
	fs_advices *a = advise(m, 4);

	(void)state;
	assert_int_equal(find(a, "scontrol top 4")->start_after, NOW);
	assert_false(has(a, "top 3+1"));
	fs_advices_free(a);
	fs_snapshot_free(m);
}

#define THIRD(limit) PENDING(3, "u", "'priority':800,'cpus':4,'time_limit_s':" #limit ",'tres_req':{'cpu':4,'node':1}")

/* Two of four CPUs are free for 7000 s. A job with two CPUs and 115 minutes (6900 s) still fits if the change takes
 * effect in the next cycle, 60 s later. A job with 116 minutes (6960 s) fits now, but not in the next cycle. */
static void advice_must_still_hold_one_cycle_later(void **state)
{
	fs_snapshot *m = fst_snapshot(SITE_HEAD("22.05.8") FIRST THIRD(6840));
	fs_advices *a = advise(m, 3);

	(void)state;
	assert_int_equal(find(a, "scontrol update job 3 NumCPUs=2")->start_after, NOW);
	fs_advices_free(a);
	fs_snapshot_free(m);
	m = fst_snapshot(SITE_HEAD("22.05.8") FIRST THIRD(6900));
	a = advise(m, 3);
	assert_int_equal(start_with(SITE_HEAD("22.05.8") FIRST THIRD(6900), "scontrol update job 3 NumCPUs=2", 3), NOW);
	assert_false(has(a, "NumCPUs"));
	fs_advices_free(a);
	fs_snapshot_free(m);
}

#define SHARED(mine, more) \
	"{'type':'snapshot','format':1,'time':1700000000,'priority_time':1700000000,'cluster':'c','scheduler':'slurm 24.11.0'}\n" \
	REC("config", "'PriorityType':'priority/multifactor','SchedulerType':'sched/backfill','PriorityWeightFairShare':10000," \
		      "'PriorityMaxAge':604800,'PriorityDecayHalfLife':604800,'PriorityCalcPeriod':300") \
	REC("tres", "'id':1,'name':'cpu'") REC("tres", "'id':4,'name':'node'") \
	REC("node", "'name':'n1','state':'ALLOCATED','cpus':4,'alloc_cpus':4") \
	REC("partition", "'name':'p','state':'UP','tier':1,'nodes':'n1','max_time_s':'unlimited'") \
	REC("association", "'id':1,'account':'root','shares':1,'usage_tres_s':0") \
	REC("association", "'id':2,'account':'a','parent':'root','shares':1,'usage_tres_s':0") \
	REC("association", "'id':4,'account':'a','user':'u','shares':" mine ",'usage_tres_s':100") \
	REC("association", "'id':5,'account':'a','user':'v','shares':1,'usage_tres_s':50") \
	REC("user", "'name':'u','coordinates':['b']") REC("user", "'name':'w','coordinates':['a','b']") \
	REC("job", "'id':1,'state':'RUNNING','start_time':1699999800,'end_time':1700007000,'time_limit_s':7200,'user':'v','account':'a'," \
		   "'association':5,'partitions':['p'],'nodes':1,'cpus':4,'node_list':'n1','tres_req':{'cpu':4,'node':1}," \
		   "'tres_alloc':{'cpu':4,'node':1}") \
	REC("job", "'id':2,'state':'PENDING','submit_time':1000,'eligible_time':1000,'user':'v','account':'a','association':5," \
		   "'partitions':['p'],'nodes':1,'priority':10000,'cpus':4,'time_limit_s':7200,'tres_req':{'cpu':4,'node':1}") \
	REC("job", "'id':3,'state':'PENDING','submit_time':2000,'eligible_time':2000,'user':'u','account':'a','association':4," \
		   "'partitions':['p'],'nodes':1,'priority':5000,'cpus':4,'time_limit_s':7200,'tres_req':{'cpu':4,'node':1}" more)

/* Users u and v share an account, and u used twice as much as v. If u gets twice the shares of v, the factors of both
 * users are equal, and the older job is first. If u gets four times the shares of v, the job of u is first. */
static void more_shares_are_advised_if_they_change_the_order(void **state)
{
	static const struct {
		const char *site, *command;
	} cases[] = {
		{ SHARED("1", ""), "sacctmgr modify user where name=u account=a set fairshare=4" },
		/* job 3 moves ahead when priorities are computed again, so more shares are not advised */
		{ SHARED("3", ""), NULL },
		{ SHARED("1", ",'priority_set':5000"), NULL },
		{ SHARED("'parent'", ""), NULL },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		fs_snapshot *m = fst_snapshot(cases[i].site);
		fs_advices *a = advise(m, 3);

		if (cases[i].command) {
			const struct fs_advice *r = find(a, cases[i].command);

			assert_int_equal(r->who, FS_WHO_COORDINATOR);
			assert_int_equal(r->start_before, 1700014200);
			assert_int_equal(r->start_after, 1700007000);
			assert_int_equal(start_with(cases[i].site, r->command, 3), r->start_after);
			assert_string_equal(r->effects, "factors change at the next priority calculation, within 300 s");
		} else {
			assert_false(has(a, "fairshare"));
		}
		assert_string_equal(fs_snapshot_coordinator(m, NULL, "a", 0), "w");
		assert_string_equal(fs_snapshot_coordinator(m, "u", "b", 1), "w");
		assert_null(fs_snapshot_coordinator(m, NULL, "a", 1));
		fs_advices_free(a);
		fs_snapshot_free(m);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(first_advice_is_the_longest_time_limit_with_two_minutes_to_spare),
		cmocka_unit_test(each_advice_has_the_start_that_the_plan_gives),
		cmocka_unit_test(time_min_is_advised_in_19_05_and_from_25_05_3),
		cmocka_unit_test(only_partitions_that_admit_the_job_are_advised),
		cmocka_unit_test(a_het_component_can_be_tried_in_more_partitions),
		cmocka_unit_test(each_partition_that_gains_is_advised_alone_and_with_all_others),
		cmocka_unit_test(a_proposed_run_ends_before_the_next_reservation),
		cmocka_unit_test(jobs_that_a_limit_blocks_may_start_first),
		cmocka_unit_test(jobs_that_become_eligible_may_start_first),
		cmocka_unit_test(a_coordinator_raises_a_limit_up_to_the_account_limit),
		cmocka_unit_test(more_shares_are_advised_if_they_change_the_order),
		cmocka_unit_test(advised_cpus_are_not_below_the_qos_minimum),
		cmocka_unit_test(more_nodes_are_advised_at_a_limit_per_node),
		cmocka_unit_test(scontrol_top_names_a_component_by_its_own_job_id),
		cmocka_unit_test(advice_must_still_hold_one_cycle_later),
		cmocka_unit_test(an_operator_raises_limits_of_accounts_without_a_coordinator),
		cmocka_unit_test(effects_name_a_job_only_if_it_is_another_job),
		cmocka_unit_test(advice_releases_holds_and_clears_begin_times),
		cmocka_unit_test(start_time_is_advised_only_if_the_begin_time_delays_the_job),
		cmocka_unit_test(advice_raises_a_limit_shrinks_the_job_or_changes_its_qos),
		cmocka_unit_test(gpu_advice_has_the_form_of_the_request),
		cmocka_unit_test(advice_must_start_the_job_before_its_likely_start),
		cmocka_unit_test(advice_lowers_licenses_to_the_number_that_is_free),
		cmocka_unit_test(only_reservations_that_admit_the_job_are_advised),
		cmocka_unit_test(running_jobs_and_unmodelled_clusters_get_no_advice),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
