/* CPUs that are allocated more than once, and how whole nodes count against limits. now = 6000. */
#include "fsplan.h"

#include "backfill/replan.h"

#define SHARED(times) \
	REC("node", "'name':'n1','state':'MIXED','cpus':8") \
	REC("partition", "'name':'p','state':'UP','tier':1,'nodes':'n1','oversubscribe':'FORCE:" #times "'") \
	REC("partition", "'name':'o','state':'UP','tier':1,'nodes':'n1','oversubscribe':'FORCE:" #times "'")

static void each_job_is_placed_in_the_first_row_where_it_fits(void **state)
{
	(void)state;
	check(PHEAD SHARED(2) RUN(1, "n1", 8, 7000) WAIT(9, 9, 8, 600, ""), "9:6000/n1");
	check(PHEAD SHARED(2) RUN(1, "n1", 8, 7000) RUN(2, "n1", 5, 8000) WAIT(9, 9, 3, 600, ""), "9:6000/n1");
	check(PHEAD SHARED(2) RUN(1, "n1", 8, 7000) RUN(2, "n1", 5, 8000) WAIT(9, 9, 4, 600, ""), "9:7000/n1");
	check(PHEAD SHARED(2) RUN(1, "n1", 5, 7000) RUN(2, "n1", 5, 8000) RUN(3, "n1", 3, 9000) WAIT(9, 9, 4, 600, ""),
	      "9:7000/n1");
	check(PHEAD SHARED(3) RUN(1, "n1", 8, 7000) RUN(2, "n1", 8, 8000) RUN(3, "n1", 2, 9000) WAIT(9, 9, 7, 600, ""),
	      "9:7000/n1");
	check(PHEAD SHARED(1) RUN(1, "n1", 8, 7000) WAIT(9, 9, 8, 600, ""), "9:7000/n1");
}

static void jobs_that_start_now_fill_rows(void **state)
{
	(void)state;
	check(PHEAD SHARED(2) WAIT(7, 9, 8, 600, "") WAIT(8, 8, 8, 600, "") WAIT(9, 7, 1, 600, ""),
	      "7:6000/n1 8:6000/n1 9:6600/n1");
}

/* Results of Slurm 22.05.8 for jobs submitted one after the other, on a node of 8 CPUs. Partitions p and o share CPUs
 * two times, z once, y never. Columns: id, partition, CPUs. */
#define ON_EIGHT(more) \
	OLD REC("node", "'name':'n1','state':'MIXED','cpus':8" more) SHARED_BY("p", "FORCE:2") \
		SHARED_BY("o", "FORCE:2") SHARED_BY("z", "FORCE:1") SHARED_BY("y", "NO") SHARED_BY("y2", "NO")
#define SHARED_BY(name, how) \
	REC("partition", "'name':'" name "','state':'UP','tier':1,'nodes':'n1','oversubscribe':'" how "'")
#define IN(id, part, cpus, more) \
	REC("job", "'id':" #id ",'state':'PENDING','eligible_time':100,'partitions':['" part "'],'priority':10" #id \
		   ",'nodes':1,'max_nodes':1,'cpus':" #cpus ",'time_limit_s':600" more)
#define RUN_IN(id, part, cpus, end) \
	REC("job", "'id':" #id ",'state':'RUNNING','partitions':['" part "'],'node_list':'n1','cpus':" #cpus \
		   ",'tres_alloc':{'cpu':" #cpus "},'end_time':" #end)
#define ON_EIGHT_NOW \
	PHEAD REC("node", "'name':'n1','state':'MIXED','cpus':8") SHARED_BY("p", "FORCE:2") SHARED_BY("o", "FORCE:2") \
		SHARED_BY("y", "NO") SHARED_BY("e", "EXCLUSIVE")
#define BY(version) \
	"{'type':'snapshot','format':1,'time':6000,'cluster':'c','scheduler':'slurm " version "'}\n" TRES
#define AT_TWO_ENDS \
	REC("node", "'name':'n1','state':'MIXED','cpus':8") SHARED_BY("p", "FORCE:2") SHARED_BY("o", "FORCE:2") \
	SHARED_BY("y", "NO") RUN_IN(1, "p", 2, 9000) RUN_IN(2, "o", 7, 7000) IN(9, "y", 5, "")
#define GANG REC("config", "'PreemptMode':'GANG'")
#define ALONE ",'oversubscribe':'NO'"

static void jobs_share_cpus_as_observed_on_a_controller(void **state)
{
	(void)state;
	/* if too few CPUs are unused, the CPUs of jobs in other partitions count as free */
	check(ON_EIGHT("") IN(9, "p", 2, "") IN(8, "o", 8, ""), "9:6000/n1 8:6000/n1");
	check(ON_EIGHT("") IN(9, "p", 2, "") IN(8, "o", 8, "") IN(7, "z", 8, ""), "9:6000/n1 8:6000/n1 7:6000/n1");
	check(ON_EIGHT("") IN(9, "p", 6, "") IN(8, "z", 8, ""), "9:6000/n1 8:6000/n1");
	/* a partition with FORCE:N has N rows, and each CPU is allocated once in each row */
	check(ON_EIGHT("") IN(9, "z", 2, "") IN(8, "z", 7, ""), "9:6000/n1 8:6600/n1");
	check(ON_EIGHT("") IN(9, "p", 8, "") IN(8, "p", 8, "") IN(7, "p", 1, ""), "9:6000/n1 8:6000/n1 7:6600/n1");
	check(ON_EIGHT("") IN(9, "p", 5, "") IN(8, "p", 5, "") IN(7, "p", 3, "") IN(6, "p", 2, ""),
	      "9:6000/n1 8:6000/n1 7:6000/n1 6:6000/n1");
	/* a job that takes whole nodes uses all CPUs of one of the partition's rows */
	check(ON_EIGHT("") IN(9, "p", 4, "") IN(8, "p", 8, ALONE), "9:6000/n1 8:6000/n1");
	check(ON_EIGHT("") IN(9, "p", 4, "") IN(8, "p", 5, "") IN(7, "p", 8, ALONE), "9:6000/n1 8:6000/n1 7:6600/n1");
	check(ON_EIGHT("") IN(9, "p", 8, ALONE) IN(8, "p", 3, "") IN(7, "p", 6, ""), "9:6000/n1 8:6000/n1 7:6600/n1");
	/* a job that shares CPUs cannot start on a node with a job that does not, and vice versa */
	check(ON_EIGHT("") IN(9, "p", 2, "") IN(8, "y", 8, ""), "9:6000/n1 8:6600/n1");
	check(ON_EIGHT("") IN(9, "y", 2, "") IN(8, "p", 1, ""), "9:6000/n1 8:6600/n1");
	/* a job that did not request sharing still excludes jobs of other partitions if its own partition shares
	 * CPUs */
	check(ON_EIGHT("") SHARED_BY("s", "YES:2") IN(9, "s", 2, "") IN(8, "y", 1, ""), "9:6000/n1 8:6600/n1");
	check(ON_EIGHT("") SHARED_BY("s", "YES:2") IN(9, "s", 2, "") IN(8, "s", 1, ""), "9:6000/n1 8:6000/n1");
	check(ON_EIGHT("") SHARED_BY("s", "YES:2") IN(9, "y", 2, "") IN(8, "s", 1, ""), "9:6000/n1 8:6000/n1");
}

/* A partition with FORCE:2 has two rows; within a row, no two jobs use the same CPU. The recorded CPUs of jobs 1 and 2
 * overlap, so these jobs are in different rows. Job 3 is in the row of job 2, and 11 CPUs are free in the row of job 1.
 * Without the record, job 2 would be in the row of job 1, and job 3 alone in the other row. */
static void the_recorded_cpus_of_jobs_determine_their_rows(void **state)
{
#define SIXTEEN(ids9, ids15, ids16) \
	OLD REC("node", "'name':'n1','state':'MIXED','cpus':16") SHARED_BY("p", "FORCE:2") HAS(1, 5, ids9) \
		HAS(2, 11, ids15) HAS(3, 5, ids16)
#define HAS(id, cpus, ids) \
	REC("job", "'id':" #id ",'state':'RUNNING','partitions':['p'],'node_list':'n1','start_time':500" #id \
		   ",'cpus':" #cpus ",'tres_alloc':{'cpu':" #cpus "},'end_time':900" #id ids)
	(void)state;
	check(SIXTEEN(",'cpu_ids':'6-10'", ",'cpu_ids':'0-10'", ",'cpu_ids':'11-15'") IN(9, "p", 11, ""), "9:6000/n1");
	check(SIXTEEN(",'cpu_ids':'0-4'", ",'cpu_ids':'5-15'", ",'cpu_ids':'0-2,4,3'") IN(9, "p", 12, ""), "9:9003/n1");
	check(SIXTEEN("", "", "") IN(9, "p", 11, ""), "9:6000/n1");
	/* recorded CPU ids are ignored if they are invalid, belong to a different number of nodes, or exceed the CPUs
	 * of the node */
	check(SIXTEEN(",'cpu_ids':'0-4;5'", ",'cpu_ids':'x'", ",'cpu_ids':'3-99'") IN(9, "p", 11, ""), "9:6000/n1");
}

/* With preempt/qos, Slurm rebuilds the CPU rows of a partition only when a job of the partition ends. Before that,
 * job 3 is in the CPU row of job 1; afterwards, it is in the CPU row of job 2. */
static void rows_are_rebuilt_when_a_job_of_the_partition_ends(void **state)
{
#define IN_ROWS \
	SIXTEEN(",'cpu_ids':'6-10'", ",'cpu_ids':'0-10'", ",'cpu_ids':'11-15'") \
		REC("config", "'PreemptType':'preempt/qos','PreemptMode':'REQUEUE'") IN(9, "p", 11, "")
#define ENDED(partition, at) \
	REC("job", "'id':4,'state':'COMPLETED','partitions':['" partition "'],'start_time':4000,'end_time':" #at)
	(void)state;
	check(IN_ROWS, "9:9003/n1"); /* the jobs end within 2 s, so their ends are simulated in one step */
	check(IN_ROWS ENDED("p", 5500), "9:6000/n1");
	check(IN_ROWS ENDED("p", 4500), "9:9003/n1");
	check(IN_ROWS ENDED("o", 5500), "9:9003/n1");
}

/* Jobs of different partitions take turns on the same CPUs, even if the partitions do not oversubscribe. Jobs of one
 * partition do not take turns. */
static void with_gang_scheduling_partitions_ignore_each_others_jobs(void **state)
{
	(void)state;
	check(ON_EIGHT("") GANG IN(9, "y", 5, "") IN(8, "y2", 5, ""), "9:6000/n1 8:6000/n1");
	check(ON_EIGHT("") GANG IN(9, "y", 5, "") IN(8, "y", 5, ""), "9:6000/n1 8:6600/n1");
}

/* In 24.11.5, once the scheduler simulates the end of running jobs, jobs that share CPUs exclude no pending job from a
 * node. The scheduler plans the pending job to start now, fails to start the job, and still reserves the node. */
static void since_23_11_7_jobs_that_share_cpus_block_no_future_start(void **state)
{
	(void)state;
	check(ON_EIGHT_NOW RUN_IN(1, "p", 2, 7000) IN(9, "y", 3, ""), "9:7000/n1");
	check(ON_EIGHT_NOW RUN_IN(1, "p", 8, 7000) IN(9, "e", 2, ""), "9:7000/n1");
	/* when job 2 ends, the node still has job 1, whose partition also oversubscribes CPUs */
	check(ON_EIGHT_NOW RUN_IN(1, "p", 2, 9000) RUN_IN(2, "o", 7, 7000) IN(9, "y", 5, ""), "9:7000/n1");
	check(ON_EIGHT("") RUN_IN(1, "p", 2, 9000) RUN_IN(2, "o", 7, 7000) IN(9, "y", 5, ""), "9:9000/n1");
	/* Job 1 excludes job 9 from n1 at 7000 before 23.11.7, but not from 23.11.7 on. Job 9 cannot start at the
	 * present time in any version. */
	check(BY("23.11.7") AT_TWO_ENDS, "9:7000/n1");
	check(BY("23.11.6") AT_TWO_ENDS, "9:9000/n1");
	/* job 9 can start at 6300; the node is reserved from now on, so that job 8 starts after job 9 */
	check(ON_EIGHT_NOW RUN_IN(1, "p", 2, 6300) IN(9, "y", 3, "") IN(8, "p", 1, ""), "9:6300/n1 8:6600/n1");
}

#define LIMITED(cpu) \
	REC("config", "'AccountingStorageEnforce':['associations','limits','qos']") \
	REC("qos", "'name':'q','max_tres_per_user':{'cpu':" #cpu "}") \
	REC("association", "'id':1,'account':'root','shares':1") \
	REC("association", "'id':2,'parent':'root','account':'a','shares':1") \
		REC("association", "'id':3,'account':'a','user':'u','shares':1") \
			REC("node", "'name':'n1','state':'MIXED','cpus':4") \
				REC("node", "'name':'n2','state':'MIXED','cpus':8") \
					REC("partition", "'name':'p','state':'UP','tier':1,'nodes':'n[1-2]'")
#define OF_USER ",'user':'u','account':'a','association':3,'qos':['q'],'tres_req':{'cpu':1,'node':1}"

/* Job 5 requests one CPU but takes a whole node: at least 4 CPUs. The node that is free first has 8 CPUs. */
static void whole_nodes_count_all_their_cpus_against_limits(void **state)
{
	(void)state;
	check(OLD LIMITED(8) RUN(1, "n1", 4, 9000) RUN(2, "n2", 2, 7000)
		      WAIT(5, 9, 1, 600, OF_USER ",'oversubscribe':'NO'") WAIT(6, 8, 7, 600, ""),
	      "5:7000/n2 6:7560/n2");
	check(OLD LIMITED(6) RUN(1, "n1", 4, 9000) RUN(2, "n2", 2, 7000)
		      WAIT(5, 9, 1, 600, OF_USER ",'oversubscribe':'NO'") WAIT(6, 8, 7, 600, ""),
	      "5:blocked 6:7000/n2");
}

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

static void jobs_started_later_in_the_cycle_do_not_count_against_limits(void **state)
{
	(void)state;
	check(BEHIND(5, "Resources", ""), "5:7000/n2");
	check(BEHIND(5, "QOSMaxCpuPerUserLimit", ""), "5:blocked");
	check(BEHIND(5, "QOSMaxCpuPerUserLimit", PLANNED_THEN), "5:7000/n2");
	check(BEHIND(50, "QOSMaxCpuPerUserLimit", PLANNED_THEN), "5:blocked");
	check(BEHIND(50, "Resources", ""), "5:blocked");
}

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
		cmocka_unit_test(each_job_is_placed_in_the_first_row_where_it_fits),
		cmocka_unit_test(jobs_that_start_now_fill_rows),
		cmocka_unit_test(jobs_share_cpus_as_observed_on_a_controller),
		cmocka_unit_test(the_recorded_cpus_of_jobs_determine_their_rows),
		cmocka_unit_test(rows_are_rebuilt_when_a_job_of_the_partition_ends),
		cmocka_unit_test(with_gang_scheduling_partitions_ignore_each_others_jobs),
		cmocka_unit_test(since_23_11_7_jobs_that_share_cpus_block_no_future_start),
		cmocka_unit_test(jobs_started_later_in_the_cycle_do_not_count_against_limits),
		cmocka_unit_test(a_replan_counts_started_jobs_at_their_place),
		cmocka_unit_test(whole_nodes_count_all_their_cpus_against_limits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
