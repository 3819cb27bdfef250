/* model/jobs: jobs, partitions and reservations in the public interface. */
#include "fstest.h"

#define J(id, state, fields) REC("job", "'id':" #id ",'state':'" state "'" fields)

static void absent_fields_of_jobs_are_unknown(void **state)
{
	fs_snapshot *m = fst_snapshot(FST_HEAD J(1, "PENDING", "") J(2, "RUNNING",
		",'name':'n','user':'u','uid':7,'priority':0,'nodes':2,'cpus':8,'time_limit_s':'unlimited','start_time':5,"
		"'partitions':['a','b'],'qos':['q'],'tres_req':{'cpu':8,'gres/gpu':3}"));
	struct fs_tres t;
	struct fs_job j;

	(void)state;
	fs_snapshot_job(m, 0, &j);
	assert_true(!j.has_name && !j.has_uid && j.priority == FS_UNKNOWN && j.request.time_limit_s == FS_UNKNOWN);
	assert_true(j.times.start == FS_UNKNOWN && !j.array.job);
	assert_null(fs_job_partition(m, 0, 0));
	assert_false(fs_job_tres(m, 0, 0, &t));
	fs_snapshot_job(m, 1, &j);
	assert_true(j.has_name && j.uid == 7 && j.priority == 0 && j.request.time_limit_s == FS_UNLIMITED &&
		    j.times.start == 5);
	assert_string_equal(j.state, "RUNNING");
	assert_string_equal(fs_job_partition(m, 1, 1), "b");
	assert_null(fs_job_partition(m, 1, 2));
	assert_string_equal(fs_job_qos(m, 1, 0), "q");
	assert_true(fs_job_tres(m, 1, 1, &t));
	assert_string_equal(t.name, "gres/gpu");
	assert_int_equal(t.amount, 3);
	fs_snapshot_free(m);
}

static void nodes_shared_by_jobs_are_counted_once(void **state)
{
	static const uint32_t all[] = { 0, 1, 2, 3 };
	fs_snapshot *m = fst_snapshot(FST_HEAD J(1, "RUNNING", ",'node_list':'n[1-4]'")
		J(2, "RUNNING", ",'node_list':'n[3-5],m'") J(3, "RUNNING", ",'nodes':7") J(4, "RUNNING", ",'node_list':'x['"));

	(void)state;
	assert_int_equal(fs_snapshot_count_nodes(m, all, 0), 0);
	assert_int_equal(fs_snapshot_count_nodes(m, all, 1), 4);
	assert_int_equal(fs_snapshot_count_nodes(m, all, 2), 6);
	assert_int_equal(fs_snapshot_count_nodes(m, all, 4), 13);
	fs_snapshot_free(m);
}

#define NODE(name, state, fields) REC("node", "'name':'" name "','state':'" state "'," fields)

static void resources_are_used_free_or_down(void **state)
{
	fs_snapshot *m = fst_snapshot(FST_HEAD NODE("n1", "MIXED", "'cpus':16,'mem_mb':100,'tres':{'cpu':16,'gres/gpu':4}")
		NODE("n2", "IDLE+DRAIN", "'cpus':16,'mem_mb':100") NODE("n3", "MIXED+DRAIN", "'cpus':16,'alloc_cpus':12,'mem_mb':50")
		J(1, "RUNNING", ",'cpus':10,'node_list':'n1','tres_alloc':{'cpu':10,'mem':60,'gres/gpu':3}")
		J(2, "RUNNING", ",'cpus':12,'node_list':'n3','tres_req':{'cpu':12,'mem':5}") J(3, "PENDING", ",'cpus':99"));
	struct fs_capacity c;

	(void)state;
	assert_int_equal(fs_snapshot_capacity(m, &c), 0);
	assert_true(c.nodes.total == 3 && c.nodes.used == 2 && c.nodes.down == 1);
	assert_true(c.cpus.total == 48 && c.cpus.used == 22 && c.cpus.down == 20);
	assert_true(c.mem_mb.total == 250 && c.mem_mb.used == 65 && c.mem_mb.down == 150);
	assert_true(c.gpus.total == 4 && c.gpus.used == 3 && !c.gpus.down);
	fs_snapshot_free(m);
	m = fst_snapshot(FST_HEAD J(1, "RUNNING", ",'cpus':10"));
	assert_int_equal(fs_snapshot_capacity(m, &c), 0);
	assert_true(!c.cpus.total && !c.cpus.used && !c.nodes.total);
	fs_snapshot_free(m);
}

static void partitions_and_reservations_are_found_with_their_fields(void **state)
{
	fs_snapshot *m = fst_snapshot(FST_HEAD
		REC("partition", "'name':'p','total_cpus':64,'tres':{'cpu':64,'gres/gpu':8}") REC("partition", "'name':'q'")
		REC("reservation", "'name':'r','nodes':'n1','start_time':7"));
	struct fs_reservation r;
	struct fs_partition p;
	struct fs_tres t;

	(void)state;
	assert_true(fs_snapshot_partition(m, "p", &p));
	assert_true(p.cpus == 64 && p.nodes == FS_UNKNOWN);
	assert_true(fs_partition_tres(m, "p", 1, &t) && t.amount == 8);
	assert_false(fs_partition_tres(m, "p", 2, &t));
	assert_false(fs_partition_tres(m, "q", 0, &t));
	assert_false(fs_snapshot_partition(m, "nosuch", &p));
	assert_true(fs_snapshot_reservation(m, 0, &r));
	assert_true(r.start_time == 7 && r.end_time == FS_UNKNOWN);
	assert_string_equal(r.nodes, "n1");
	assert_false(fs_snapshot_reservation(m, 1, &r));
	fs_snapshot_free(m);
}

static void private_jobs_are_visible_only_to_their_users(void **state)
{
	fs_snapshot *m = fst_snapshot(FST_HEAD REC("config", "'PrivateData':['jobs']") J(1, "PENDING", ",'user':'u'")
		J(2, "PENDING", ",'user':'v'"));
	bool seen[2];

	(void)state;
	fs_snapshot_visible_jobs(m, "u", seen);
	assert_true(seen[0] && !seen[1]);
	fs_snapshot_visible_jobs(m, NULL, seen);
	assert_true(seen[0] && seen[1]);
	fs_snapshot_free(m);
}

static int count(void *ctx, const char *name, size_t len)
{
	(void)name;
	*(size_t *)ctx += len;
	return 0;
}

static void each_host_of_a_host_list_is_visited(void **state)
{
	size_t bytes = 0;

	(void)state;
	assert_int_equal(fs_hostlist_each("n[08-10]", count, &bytes), 0);
	assert_int_equal(bytes, 9);
	assert_int_equal(fs_hostlist_each("n[", count, &bytes), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(absent_fields_of_jobs_are_unknown),
		cmocka_unit_test(nodes_shared_by_jobs_are_counted_once),
		cmocka_unit_test(resources_are_used_free_or_down),
		cmocka_unit_test(partitions_and_reservations_are_found_with_their_fields),
		cmocka_unit_test(private_jobs_are_visible_only_to_their_users),
		cmocka_unit_test(each_host_of_a_host_list_is_visited),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
