/* backfill/commit: a job that was blocked since the last cycle. The snapshot's time is 6000. */
#include "fsplan.h"

#define NODES REC("node", "'name':'n1','state':'MIXED','cpus':8") REC("node", "'name':'n2','state':'MIXED','cpus':8") \
	REC("partition", "'name':'p','state':'UP','tier':1,'nodes':'n[1-2]'")

/* Job 3, which the cycle started last, uses the last of the 2 jobs that account a may run. The cycle tried job 5
 * before: with 2 CPUs, it could have started job 5, but it did not; with 8 CPUs, it planned job 5 for 6100. A plan of
 * the next cycle begins at 6000, when the limit blocks job 5. */
static void a_job_blocked_since_the_cycle_does_not_start_now(void **state)
{
#define BLOCKED_SINCE(cpus) \
	OLD NODES REC("config", "'AccountingStorageEnforce':['associations','limits']") \
	REC("association", "'id':1,'account':'root'") \
	REC("association", "'id':2,'account':'a','parent':'root','grp_jobs':2") REC("association", "'id':3,'account':'a','user':'u'") \
	REC("job", "'id':1,'state':'RUNNING','partitions':['p'],'node_list':'n1','cpus':4,'tres_alloc':{'cpu':4},'end_time':6100," \
		   "'user':'u','account':'a'") \
	REC("job", "'id':3,'state':'RUNNING','partitions':['p'],'node_list':'n2','cpus':2,'tres_alloc':{'cpu':2},'user':'u'," \
		   "'account':'a','start_time':5990,'end_time':6300,'priority':5,'looked_at_by':'Backfill'") \
	REC("job", "'id':5,'state':'PENDING','eligible_time':100,'last_sched_eval':5990,'partitions':['p'],'priority':9," \
		   "'user':'u','account':'a','nodes':1,'max_nodes':1,'cpus':" cpus ",'tasks':" cpus ",'time_limit_s':600,'req_nodes':'n1','reason':'Priority'")
	const struct fs_plan_options next = { .next_cycle = true };
	struct fs_error err;
	fs_snapshot *m = fst_snapshot(BLOCKED_SINCE("8"));
	fs_plan *p = NULL;

	(void)state;
	check(BLOCKED_SINCE("2"), "5:blocked");
	check(BLOCKED_SINCE("8"), "5:6100/n1");
	fst_no_error(fs_plan_compute(&p, m, &next, &err), &err);
	assert_int_equal(row_of(p, 5).state, FS_PLAN_BLOCKED);
	fs_plan_free(p);
	fs_snapshot_free(m);
#undef BLOCKED_SINCE
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_job_blocked_since_the_cycle_does_not_start_now),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
