/* advise/: the first advice, and starts of all advice. The kinds of advice are tested in tests/clusters. */
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(first_advice_is_the_longest_time_limit_with_two_minutes_to_spare),
		cmocka_unit_test(each_advice_has_the_start_that_the_plan_gives),
		cmocka_unit_test(a_het_component_can_be_tried_in_more_partitions),
		cmocka_unit_test(running_jobs_and_unmodelled_clusters_get_no_advice),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
