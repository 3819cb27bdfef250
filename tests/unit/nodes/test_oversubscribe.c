/* CPUs that are allocated more than once: a replan counts started jobs. The time is 6000. */
#include "fsplan.h"

#include "backfill/replan.h"

#define LIMITED(cpu) \
	REC("config", "'AccountingStorageEnforce':['associations','limits','qos']") \
	REC("qos", "'name':'q','max_tres_per_user':{'cpu':" #cpu "}") \
	REC("association", "'id':1,'account':'root','shares':1") \
	REC("association", "'id':2,'parent':'root','account':'a','shares':1") \
		REC("association", "'id':3,'account':'a','user':'u','shares':1") \
			REC("node", "'name':'n1','state':'MIXED','cpus':4") \
				REC("node", "'name':'n2','state':'MIXED','cpus':8") \
					REC("partition", "'name':'p','state':'UP','tier':1,'nodes':'n[1-2]'")

/* The cycle started job 8 before or after it tried job 5, depending on the priority of job 8. Jobs 5 and 8 together
 * exceed the limit of their QOS. */
#define BEHIND(priority, reason, more) \
	OLD LIMITED(8) RUN(2, "n2", 8, 7000) \
	REC("job", "'id':8,'state':'RUNNING','partitions':['p'],'node_list':'n1','cpus':1,'tres_alloc':{'cpu':1}" \
		   ",'end_time':9000,'priority':" #priority ",'start_time':5990,'looked_at_by':'Backfill','user':'u'" \
		   ",'account':'a','association':3,'qos':['q']") \
	WAIT(5, 9, 8, 600, ",'user':'u','account':'a','association':3,'qos':['q'],'tres_req':{'cpu':8,'node':1}" \
			   ",'last_sched_eval':6000,'reason':'" reason "'" more)
#define PLANNED_THEN ",'start_time':7000"

/* Job 5 is ahead of job 4 and gets node n2 at 7000. Job 8, which the cycle started, comes after both jobs in the
 * scheduling order. The limit therefore does not count job 8 against job 5. */
static void a_replan_counts_started_jobs_at_their_place(void **state)
{
	fs_snapshot *m = fst_snapshot(BEHIND(5, "QOSMaxCpuPerUserLimit", PLANNED_THEN) WAIT(4, 8, 8, 600, ""));
	const struct fs_plan_options o = { .mode = FS_PLAN_BACKFILL };
	struct fsi_replan *k;
	struct fs_plan_row row;
	struct fs_error err;
	uint32_t four = 0;

	(void)state;
	while (m->job.v[four].id != 4)
		four++;
	fst_no_error(fsi_replan_make_first(&k, m, &o, four, &err), &err);
	for (int again = 0; again < 2; again++) {
		fs_plan_row(fsi_replan_get_plan(k), fsi_replan_get_row(k), &row);
		assert_int_equal(row.start_time, 7560);
		fst_no_error(fsi_replan_make_next(k, &err), &err);
	}
	fsi_replan_free(k);
	fs_snapshot_free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_replan_counts_started_jobs_at_their_place),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
