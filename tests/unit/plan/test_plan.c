/* plan: the work budget, planning by priority, and assumptions. The time is 6000. Plans of backfill are tested in
 * tests/clusters. */
#include "fsplan.h"
#include "model/scheduler.h"
#include "backfill/replan.h"

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
		cmocka_unit_test(each_row_shows_what_the_job_waits_for),
		cmocka_unit_test(a_plan_lists_its_assumptions),
		cmocka_unit_test(an_unknown_request_for_whole_nodes_is_an_assumption),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
