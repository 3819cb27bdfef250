/* limits/flux_limits.c: dependencies and limits that hold Flux jobs. */
#include "fsprio.h"

static void check_hold(const fs_holds *h, uint32_t job, size_t i, const char *reason, const char *limit,
		       const char *scope, double value, double used)
{
	const struct fs_hold_row *r = fs_holds_row(h, job, i);

	assert_string_equal(r->reason, reason);
	assert_true(!limit == !r->limit);
	if (limit)
		assert_string_equal(r->limit, limit);
	assert_string_equal(r->scope, scope);
	assert_same_double(r->value, value);
	assert_same_double(r->used, used);
}

static void each_flux_hold_shows_its_limit_and_usage(void **state)
{
	fs_snapshot *m = fst_snapshot(FLUX_HEAD FLUX_TREE FLUX_RUNNING(5, "'partitions':['fast'],'nodes':3,'cpus':6")
		FLUX_RUNNING(6, "'partitions':['slow'],'cpus':1") FLUX_PENDING(7, "'partitions':['fast'],'nodes':4,'cpus':9,'urgency':16")
		REC("job", "'id':8,'state':'PENDING','phase':'DEPEND','account':'b','user':'u','partitions':['fast'],'cpus':4,"
			"'dependency':'max-running-jobs-user-limit,max-resources-user-limit,max-sched-jobs-user-limit,"
			"max-run-jobs-queue,max-resources-queue,max-sched-jobs-queue-limit,max-sched-nodes-queue-limit,"
			"max-sched-cores-queue-limit,after-success=f1'")
		REC("job", "'id':9,'state':'PENDING','phase':'PRIORITY','account':'b','user':'u'")
		FLUX_PENDING(10, "'urgency':0,'priority':0") FLUX_PENDING(11, "'urgency':16,'priority':0"));
	struct fs_error err;
	fs_holds *h = NULL;

	(void)state;
	fst_no_error(fs_holds_compute(&h, m, &err), &err);
	assert_int_equal(fs_holds_count(h, 0), 0);
	assert_int_equal(fs_holds_count(h, 2), 0);
	assert_int_equal(fs_holds_count(h, 3), 9);
	check_hold(h, 3, 0, "max-running-jobs-user-limit", "max_running_jobs", "b", 2, 2);
	check_hold(h, 3, 1, "max-resources-user-limit", "max_cores", "b", 8, 7);
	check_hold(h, 3, 2, "max-sched-jobs-user-limit", "max_sched_jobs", "b", 1, 3);
	check_hold(h, 3, 3, "max-run-jobs-queue", "max_running_jobs", "fast", 3, 1);
	check_hold(h, 3, 4, "max-resources-queue", "max_nodes_per_assoc", "fast", 9, 3);
	check_hold(h, 3, 5, "max-sched-jobs-queue-limit", "max_sched_jobs", "fast", NAN, 1);
	check_hold(h, 3, 6, "max-sched-nodes-queue-limit", "max_sched_nodes_per_assoc", "fast", 4, 4);
	check_hold(h, 3, 7, "max-sched-cores-queue-limit", "max_sched_cores_per_assoc", "fast", NAN, 9);
	check_hold(h, 3, 8, "after-success=f1", NULL, "", NAN, NAN);
	check_hold(h, 4, 0, "priority-wait", NULL, "", NAN, NAN);
	check_hold(h, 5, 0, "held", NULL, "", NAN, NAN);
	check_hold(h, 6, 0, "priority-hold", NULL, "", NAN, NAN);
	fs_holds_free(h);
	fs_snapshot_free(m);
}

/* The limit of a queue with counts_sched also counts pending jobs in the state SCHED. */
static void max_nodes_per_assoc_may_count_nodes_of_jobs_in_sched(void **state)
{
	fs_snapshot *m = fst_snapshot(FLUX_HEAD FLUX_TREE REC("partition", "'name':'new','priority':0,'max_nodes_per_assoc':9,'counts_sched':true")
		FLUX_RUNNING(5, "'partitions':['new'],'nodes':3,'cpus':6") FLUX_PENDING(7, "'partitions':['new'],'nodes':4,'cpus':9,'urgency':16")
		REC("job", "'id':8,'state':'PENDING','phase':'DEPEND','account':'b','user':'u','partitions':['new'],'cpus':4,"
			"'dependency':'max-resources-queue'"));
	struct fs_error err;
	fs_holds *h = NULL;

	(void)state;
	fst_no_error(fs_holds_compute(&h, m, &err), &err);
	check_hold(h, 2, 0, "max-resources-queue", "max_nodes_per_assoc", "new", 9, 7);
	assert_true(fs_holds_row(h, 2, 0)->with_sched);
	fs_holds_free(h);
	fs_snapshot_free(m);
}

static void limits_count_the_resources_that_a_jobspec_requests(void **state)
{
	fs_snapshot *m = fst_snapshot(FLUX_HEAD FLUX_TREE FLUX_RUNNING(5, "'partitions':['fast'],'nodes':3,'cpus':16,'asked_nodes':1,'asked_cores':2")
		REC("job", "'id':8,'state':'PENDING','phase':'DEPEND','account':'b','user':'u','partitions':['fast'],'cpus':0,'asked_cores':7,"
			"'dependency':'max-resources-user-limit,max-resources-queue'"));
	struct fs_error err;
	fs_holds *h = NULL;

	(void)state;
	fst_no_error(fs_holds_compute(&h, m, &err), &err);
	check_hold(h, 1, 0, "max-resources-user-limit", "max_cores", "b", 8, 2);
	assert_same_double(fs_holds_row(h, 1, 0)->wants, 7);
	check_hold(h, 1, 1, "max-resources-queue", "max_nodes_per_assoc", "fast", 9, 1);
	fs_holds_free(h);
	fs_snapshot_free(m);
}

/* The snapshot has jobs in state SCHED without a recorded priority, as after a command. */
static void a_job_is_held_if_its_computed_priority_is_0(void **state)
{
	fs_snapshot *m = fst_snapshot(FLUX_HEAD FLUX_TREE FLUX_PENDING(5, "'partitions':['slow'],'urgency':16") FLUX_PENDING(6, "'partitions':['slow'],'urgency':31"));
	struct fs_error err;
	fs_holds *h = NULL;

	(void)state;
	fst_no_error(fs_holds_compute(&h, m, &err), &err);
	assert_int_equal(fs_holds_count(h, 0), 1);
	check_hold(h, 0, 0, "priority-hold", NULL, "", NAN, NAN);
	assert_int_equal(fs_holds_count(h, 1), 0);
	fs_holds_free(h);
	fs_snapshot_free(m);
}

static void snapshots_of_other_schedulers_have_no_holds(void **state)
{
	fs_snapshot *m = fst_snapshot(FST_HEAD REC("job", "'id':1,'state':'PENDING','dependency':'afterok:3'"));
	struct fs_error err;
	fs_holds *h = NULL;

	(void)state;
	assert_int_equal(fs_holds_compute(&h, m, &err), FS_ENODATA);
	assert_null(h);
	fs_snapshot_free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_flux_hold_shows_its_limit_and_usage),
		cmocka_unit_test(max_nodes_per_assoc_may_count_nodes_of_jobs_in_sched),
		cmocka_unit_test(limits_count_the_resources_that_a_jobspec_requests),
		cmocka_unit_test(a_job_is_held_if_its_computed_priority_is_0),
		cmocka_unit_test(snapshots_of_other_schedulers_have_no_holds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
