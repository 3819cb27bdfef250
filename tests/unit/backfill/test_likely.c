/* backfill/likely: when limits let jobs start, and when jobs are likely to start. The snapshot's time is 6000. */
#include "fsplan.h"

#define LIMITS REC("config", "'AccountingStorageEnforce':['associations','limits']")
#define TREE(limit) REC("association", "'id':1,'account':'root'") \
	REC("association", "'id':2,'account':'a','parent':'root'" limit) REC("association", "'id':3,'account':'a','user':'u'")
#define CALCULATED_5900 \
	"{'type':'snapshot','format':1,'time':6000,'priority_time':5900,'cluster':'c','scheduler':'slurm 24.11.5'}\n" TRES \
	REC("config", "'AccountingStorageEnforce':['associations','limits'],'PriorityCalcPeriod':300")
#define OWN ",'user':'u','account':'a','tres_req':{'cpu':4,'node':1}"
#define RUNS(id, nodes, cpus, end) \
	REC("job", "'id':" #id ",'state':'RUNNING','partitions':['p'],'node_list':'" nodes "','cpus':" #cpus \
		   ",'user':'u','account':'a','start_time':5000,'time_limit_s':" end ",'tres_alloc':{'cpu':" #cpus "}")

static fs_plan *likely_of(const fs_snapshot *m)
{
	const struct fs_plan_options o = { .likely = true };
	struct fs_error err;
	fs_plan *p = NULL;

	fst_no_error(fs_plan_compute(&p, m, &o, &err), &err);
	return p;
}

/* Compares the starts that limits allow with `want`: "job:start/freed_by", "job:limit" without a time, "job:-" without
 * a limit. */
static void check_limits(const char *text, const char *want)
{
	fs_snapshot *m = fst_snapshot(text);
	fs_plan *p = likely_of(m);
	char got[500] = "";
	size_t len = 0;

	for (size_t i = 0; i < fs_plan_count(p); i++) {
		struct fs_plan_row r;

		fs_plan_row(p, i, &r);
		len += (size_t)snprintf(got + len, sizeof(got) - len, "%s%llu:", i ? " " : "", (unsigned long long)r.job);
		if (!*r.limit.name)
			len += (size_t)snprintf(got + len, sizeof(got) - len, "-");
		else if (r.limit.start_time == FS_UNKNOWN)
			len += (size_t)snprintf(got + len, sizeof(got) - len, "%s", r.limit.name);
		else
			len += (size_t)snprintf(got + len, sizeof(got) - len, "%lld/%llu",
						(long long)r.limit.start_time, (unsigned long long)r.limit.frees);
	}
	assert_string_equal(got, want);
	fs_plan_free(p);
	fs_snapshot_free(m);
}

static void a_limit_lets_jobs_start_one_after_the_other(void **state)
{
	(void)state;
	/* jobs 1 and 2 end at 6100 and 6300, and their CPUs let jobs 11 and 12 start; job 13 starts when job 11 ends,
	 * at 6700 */
	check_limits(PHEAD LIMITS TREE(",'grp_tres':{'cpu':8}") NODE2 PART RUNS(1, "n1", 4, "1100") RUNS(2, "n1", 4, "1300")
		     WAIT(11, 90, 4, 600, OWN) WAIT(12, 80, 4, 700, OWN) WAIT(13, 70, 4, 600, OWN),
		     "11:6100/1 12:6300/2 13:6700/11");
	check_limits(PHEAD LIMITS TREE(",'grp_jobs':1") NODE2 PART RUNS(1, "n1", 4, "1100") WAIT(11, 90, 4, 600, OWN)
		     WAIT(12, 80, 4, 700, OWN), "11:6100/1 12:6700/11");
}

static void a_job_planned_now_counts_against_the_limit(void **state)
{
	(void)state;
	/* the scheduler could start either job now; the start of job 11 uses up the limit */
	check_limits(PHEAD LIMITS TREE(",'grp_jobs':1") NODE2 PART WAIT(11, 90, 4, 600, OWN) WAIT(12, 80, 4, 700, OWN),
		     "11:- 12:6600/11");
}

static void a_job_behind_may_use_the_limit_first(void **state)
{
	(void)state;
	/* n1 is free from 6300 on, but job 12 starts on n2 at once, and the limit then blocks job 11 until 6700 */
	check_limits(PHEAD LIMITS TREE(",'grp_jobs':1") NODE2 PART RUN(1, "n1", 8, 6300) WAIT(11, 90, 8, 600, OWN ",'req_nodes':'n1'")
		     WAIT(12, 80, 4, 700, OWN ",'req_nodes':'n2'"), "11:6700/12 12:-");
}

static void run_minutes_under_a_limit_shrink_while_jobs_run(void **state)
{
	(void)state;
	/* job 1 uses 4 CPUs until 6600, which are 40 run minutes; job 11 adds 40; the limit is 60, so job 11 starts at
	 * 6300, when 20 run minutes are left */
	check_limits(PHEAD LIMITS TREE(",'grp_tres_run_min':{'cpu':60}") NODE2 PART RUNS(1, "n1", 4, "1600")
		     WAIT(11, 90, 4, 600, OWN), "11:6300/0");
}

static void run_minutes_shrink_at_priority_calculations(void **state)
{
	(void)state;
	/* as above, but calculations are at 5900, 6200 and 6500; they leave 46, 26 and 6 run minutes */
	check_limits(CALCULATED_5900 TREE(",'grp_tres_run_min':{'cpu':60}") NODE2 PART RUNS(1, "n1", 4, "1600") WAIT(11, 90, 4, 600, OWN),
		     "11:6500/0");
	/* a job that started after the last calculation holds the minutes of its whole time limit until the next */
	check_limits(CALCULATED_5900 TREE(",'grp_tres_run_min':{'cpu':60}") NODE2 PART
		     REC("job", "'id':1,'state':'RUNNING','partitions':['p'],'node_list':'n1','cpus':4,'user':'u',"
				"'account':'a','start_time':5990,'time_limit_s':320,'tres_alloc':{'cpu':4}")
		     WAIT(11, 90, 4, 600, OWN), "11:6200/0");
}

static void a_job_at_used_minutes_has_no_start_time(void **state)
{
	(void)state;
	check_limits(PHEAD LIMITS TREE(",'grp_tres_min':{'cpu':50},'usage_by_tres_min':{'cpu':60}") NODE2 PART WAIT(11, 90, 4, 600, OWN)
		     WAIT(12, 80, 4, 600, ",'user':'o'"), "11:GrpTRESMins 12:-");
}

static void likely_starts_of_jobs_share_nodes(void **state)
{
	fs_snapshot *m = fst_snapshot(PHEAD NODE2 PART RUN(1, "n[1-2]", 16, 7000) WAIT(11, 90, 4, 600, "") WAIT(12, 80, 4, 600, "")
				      WAIT(13, 70, 8, 600, "") WAIT(14, 60, 4, 600, ""));
	fs_plan *p = likely_of(m);
	struct fs_plan_runs runs;

	(void)state;
	fs_plan_runs(p, &runs);
	assert_true(runs.simulated && !runs.runs && !runs.drawn);
	assert_int_equal(row_of(p, 12).likely.start_time, 7000);
	assert_int_equal(row_of(p, 13).likely.start_time, 7000);
	assert_int_equal(row_of(p, 14).likely.start_time, 7600);
	assert_int_equal(row_of(p, 14).likely.low_time, FS_UNKNOWN);
	fs_plan_free(p);
	fs_snapshot_free(m);
}

/* Returns a snapshot of a user with `records` records of past jobs, whose run times are 100 to 2000 s. The user also
 * has one running job, which started at 5000 with a time limit of 3000 s. */
static fs_snapshot *with_past(unsigned records)
{
	struct fst_sink s = { 0 };
	fs_snapshot *m;

	fst_put(&s, "%s", PHEAD TREE("") NODE2 PART RUNS(1, "n[1-2]", 16, "3000") WAIT(11, 90, 4, 600, OWN));
	for (unsigned i = 1; i <= records; i++)
		fst_put(&s, "{'type':'usage','job':%u,'user':'u','account':'a','partition':'p','start_time':1000,'end_time':%u}\n",
			100 + i, 1000 + 100 * (1 + i % 20));
	m = fst_snapshot(s.data);
	fst_free(&s);
	return m;
}

static void likely_starts_use_recorded_run_times(void **state)
{
	fs_snapshot *m = with_past(40);
	fs_plan *p = likely_of(m), *again = likely_of(m);
	struct fs_plan_row r = row_of(p, 11), o = row_of(again, 11);
	struct fs_plan_runs runs;

	(void)state;
	fs_plan_runs(p, &runs);
	assert_int_equal(runs.runs, 25);
	assert_int_equal(runs.drawn, 1); /* too few past jobs ran for less than the time limit of the pending job */
	assert_in_range(runs.records, 20, 40);
	assert_int_equal(r.start_time, 8000); /* the plan starts the job when the running job reaches its time limit */
	/* the running job has run 1000 s, and no recorded run is longer than 2000 s */
	assert_in_range(r.likely.start_time, 6100, 7000);
	assert_true(r.likely.low_time < r.likely.start_time && r.likely.start_time < r.likely.high_time);
	assert_true(r.likely.start_time == o.likely.start_time && r.likely.high_time == o.likely.high_time);
	fs_plan_free(p);
	fs_plan_free(again);
	fs_snapshot_free(m);
}

static void likely_starts_ignore_fewer_than_20_records(void **state)
{
	fs_snapshot *m = with_past(19);
	fs_plan *p = likely_of(m);
	struct fs_plan_row r = row_of(p, 11);

	(void)state;
	assert_int_equal(r.likely.start_time, 8000);
	assert_int_equal(r.likely.low_time, FS_UNKNOWN);
	fs_plan_free(p);
	fs_snapshot_free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_limit_lets_jobs_start_one_after_the_other),
		cmocka_unit_test(a_job_planned_now_counts_against_the_limit),
		cmocka_unit_test(a_job_behind_may_use_the_limit_first),
		cmocka_unit_test(run_minutes_under_a_limit_shrink_while_jobs_run),
		cmocka_unit_test(run_minutes_shrink_at_priority_calculations),
		cmocka_unit_test(a_job_at_used_minutes_has_no_start_time),
		cmocka_unit_test(likely_starts_of_jobs_share_nodes),
		cmocka_unit_test(likely_starts_use_recorded_run_times),
		cmocka_unit_test(likely_starts_ignore_fewer_than_20_records),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
