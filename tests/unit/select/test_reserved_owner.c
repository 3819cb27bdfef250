/* Nodes for jobs of one user (--exclusive=user). now = 6000. */
#include "fsplan.h"

#define TWO REC("node", "'name':'n1','state':'ALLOCATED','cpus':8") REC("node", "'name':'n2','state':'ALLOCATED','cpus':8") \
	REC("partition", "'name':'p','nodes':'n[1-2]'")
#define RUNS(id, node, user, end) \
	REC("job", "'id':" #id ",'state':'RUNNING','partitions':['p'],'node_list':'" node "','cpus':4,'tres_alloc':{'cpu':4}" \
		   ",'user':'" user "','end_time':" #end)
#define OTHERS TWO RUNS(1, "n1", "a", 7000) RUNS(2, "n2", "b", 8000)
/* Jobs 10 and 11, which need n2 one after the other. Their planned ends are additional times at which other jobs are
 * tried. */
#define PLANNED WAIT(10, 95, 8, 600, ",'user':'b','req_nodes':'n2'") WAIT(11, 94, 8, 600, ",'user':'b','req_nodes':'n2'")
#define ALONE(cpus) WAIT(12, 90, cpus, 600, ",'user':'c','oversubscribe':'USER'")

static void an_exclusive_user_job_is_tried_when_a_node_is_free(void **state)
{
	(void)state;
	check(PHEAD OTHERS PLANNED ALONE(4), "10:8000/n2 11:8640/n2 12:7000/n1");
	check(PHEAD TWO RUNS(1, "n1", "c", 7000) RUNS(2, "n2", "b", 8000) PLANNED ALONE(4), "10:8000/n2 11:8640/n2 12:6000/n1");
}

/* A node that a job of another user uses is excluded until all jobs on the node have ended, including jobs of the
 * pending job's own user. */
static void a_node_is_excluded_until_its_last_job_ends(void **state)
{
	(void)state;
	check(PHEAD OTHERS RUNS(3, "n1", "c", 7500) PLANNED ALONE(4), "10:8000/n2 11:8640/n2 12:7500/n1");
}

/* A job with --exclusive=user that starts in the plan excludes other users from its node while it runs. */
static void exclusive_user_jobs_that_start_now_exclude_other_users(void **state)
{
	(void)state;
	check(PHEAD TWO RUNS(1, "n2", "b", 8000) WAIT(10, 95, 2, 600, ",'user':'c','oversubscribe':'USER','req_nodes':'n1'")
	      WAIT(11, 90, 2, 600, ",'user':'d'") WAIT(12, 80, 2, 600, ",'user':'d','req_nodes':'n1'"),
	      "10:6000/n1 11:6000/n2 12:6600/n1");
}

/* Slurm counts the drained node n2 as a node that the job can use, so the job does not wait for the end of job 1 on n1.
 * When the reservation ends, all nodes are checked again, and the job starts on n1. Seen on 26.05.3 with nodes that did
 * not respond. */
static void drained_nodes_count_as_sufficient_for_other_nodes(void **state)
{
#define BUT(more) REC("node", "'name':'n1','state':'ALLOCATED','cpus':8") REC("node", "'name':'n2','state':'" more "','cpus':8") \
	REC("partition", "'name':'p','nodes':'n[1-3]'") RUNS(1, "n1", "a", 7000) \
	REC("reservation", "'name':'r','start_time':6100,'end_time':9000,'nodes':'n3'") REC("node", "'name':'n3','state':'IDLE','cpus':8")
	(void)state;
	check(PHEAD BUT("IDLE+DRAIN") ALONE(4), "12:9001/n1");
	check(PHEAD BUT("DOWN") ALONE(4), "12:7000/n1");
}

static void in_22_05_nodes_of_other_users_are_excluded_throughout(void **state)
{
	(void)state;
	check(OLD OTHERS ALONE(4), "12:no start");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_exclusive_user_job_is_tried_when_a_node_is_free),
		cmocka_unit_test(a_node_is_excluded_until_its_last_job_ends),
		cmocka_unit_test(exclusive_user_jobs_that_start_now_exclude_other_users),
		cmocka_unit_test(drained_nodes_count_as_sufficient_for_other_nodes),
		cmocka_unit_test(in_22_05_nodes_of_other_users_are_excluded_throughout),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
