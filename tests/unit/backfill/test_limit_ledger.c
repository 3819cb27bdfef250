/* backfill/limit_ledger: limits that are checked after nodes were selected. now = 6000. */
#include "fsplan.h"

#define TREE(limit) \
	REC("config", "'AccountingStorageEnforce':['associations','limits']") REC("association", "'id':1,'account':'root'") \
	REC("association", "'id':2,'account':'a','parent':'root'" limit)
#define OWN ",'account':'a','association':2"
#define SITE(n2, limit) \
	OLD TREE(limit) REC("node", "'name':'n1','state':'ALLOCATED','cpus':8") \
	REC("node", "'name':'n2','state':'IDLE','cpus':" #n2) REC("partition", "'name':'p','nodes':'n[1-2]'") \
	REC("job", "'id':1,'state':'RUNNING','partitions':['p'],'node_list':'n1','cpus':8,'tres_alloc':{'cpu':8}" \
		   ",'start_time':5400,'end_time':7200" OWN) \
	WAIT(2, 9, 1, 600, OWN ",'oversubscribe':'NO','tres_req':{'cpu':1,'node':1}")

/* Job 1 has 160 CPU run minutes left. Job 2 runs for 10 minutes and uses all CPUs of n2. */
static void run_minutes_of_running_jobs_count_against_the_limit(void **state)
{
	(void)state;
	check(SITE(8, ",'grp_tres_run_min':{'cpu':240}"), "2:6000/n2");
	check(SITE(8, ",'grp_tres_run_min':{'cpu':239}"), "2:blocked");
	check(SITE(16, ",'grp_tres_run_min':{'cpu':320}"), "2:6000/n2");
	check(SITE(16, ",'grp_tres_run_min':{'cpu':319}"), "2:blocked");
}

/* Job 2 starts on n1 when job 1 ends, while job 3 still runs there. From 24.11.4 on, n1 does not count as an additional
 * node of the account. */
static void a_node_shared_with_the_same_account_is_free_from_24_11_4(void **state)
{
#define LATER(head, limit) \
	head TREE(",'grp_tres':{'node':" limit "}") REC("node", "'name':'n1','state':'ALLOCATED','cpus':8") \
	REC("partition", "'name':'p','nodes':'n1'") \
	REC("job", "'id':1,'state':'RUNNING','partitions':['p'],'node_list':'n1','cpus':4,'tres_alloc':{'cpu':4,'node':1}" \
		   ",'start_time':5400,'end_time':7200" OWN) \
	REC("job", "'id':3,'state':'RUNNING','partitions':['p'],'node_list':'n1','cpus':4,'tres_alloc':{'cpu':4,'node':1}" \
		   ",'start_time':5400,'end_time':9200" OWN) \
	WAIT(2, 9, 1, 600, OWN ",'tres_req':{'cpu':1,'node':1}")
	(void)state;
	check(LATER(HEAD_OF("24.11.4"), "1"), "2:7200/n1");
	check(LATER(HEAD_OF("24.11.3"), "1"), "2:blocked");
	check(LATER(HEAD_OF("24.11.3"), "2"), "2:7200/n1");
}

static void all_cpus_of_an_exclusive_node_count_against_the_limit(void **state)
{
	(void)state;
	check(SITE(8, ",'grp_tres':{'cpu':16}"), "2:6000/n2");
	check(SITE(16, ",'grp_tres':{'cpu':24}"), "2:6000/n2");
	check(SITE(16, ",'grp_tres':{'cpu':23}"), "2:blocked");
}

/* If the partition refuses a job, nodes are still reserved for the job, unless a limit blocks the job too. */
static void a_refused_job_at_a_limit_reserves_no_nodes(void **state)
{
#define REFUSED(limit) \
	OLD TREE(",'grp_tres':{'cpu':" limit "}") REC("node", "'name':'n1','state':'ALLOCATED','cpus':8") \
	REC("node", "'name':'n2','state':'IDLE','cpus':8") \
	REC("partition", "'name':'p','nodes':'n[1-2]','allow_accounts':['b']") \
	REC("job", "'id':1,'state':'RUNNING','partitions':['p'],'node_list':'n1','cpus':8,'tres_alloc':{'cpu':8}" \
		   ",'end_time':7000" OWN) \
	WAIT(2, 9, 8, 600, OWN ",'tres_req':{'cpu':8,'node':1}") WAIT(3, 8, 8, 600, ",'account':'b'")

	(void)state;
	check(REFUSED("16"), "2:never 3:6600/n2");
	check(REFUSED("8"), "2:never 3:6000/n2");
}

/* With assoc_limit_stop, nodes are reserved for a job that a limit blocks (job 2). Its start is guessed, here 500 s
 * from now. If the reservation would overlap planned jobs (3 and 5), it begins after them. The start of job 4 shows
 * when the reservation ends. The license of job 3 keeps the slots of jobs 3 and 5 separate. In a single slot, nodes
 * would become free only after both jobs. */
static void a_guessed_start_is_postponed_behind_planned_starts(void **state)
{
#define PAIR(id, prio, more) WAIT(id, prio, 16, 600, ",'account':'b','max_nodes':2,'tres_req':{'cpu':16,'node':2}" more)
#define STOPS(limit) \
	OLD REC("config", "'AccountingStorageEnforce':['associations','limits'],'Licenses':'a:1','SchedulerParameters':'assoc_limit_stop,bf_licenses'") \
	REC("association", "'id':1,'account':'root'") REC("association", "'id':2,'account':'a','parent':'root','grp_jobs':1") \
	REC("association", "'id':3,'account':'b','parent':'root'") NODE2 PART \
	REC("job", "'id':1,'state':'RUNNING','partitions':['p'],'node_list':'n1','cpus':8,'tres_alloc':{'cpu':8}" \
		   ",'end_time':7200" OWN) \
	PAIR(3, 9, ",'licenses':'a:1'") PAIR(5, 8, "") WAIT(2, 7, 8, limit, OWN ",'tres_req':{'cpu':8,'node':1}") PAIR(4, 6, "")

	(void)state;
	check(STOPS(600), "3:7200/n1,n2 5:7800/n1,n2 2:blocked 4:8400/n1,n2");
	check(STOPS(900), "3:7200/n1,n2 5:7800/n1,n2 2:blocked 4:9300/n1,n2");
}

/* Jobs 2 and 3 of one user can start now; MaxJobs of the user is `limit`. */
static void jobs_that_the_plan_starts_count_against_limits(void **state)
{
#define TWO(limit) \
	OLD TREE("") REC("association", "'id':3,'account':'a','user':'u','max_jobs':" #limit) \
	REC("node", "'name':'n1','state':'IDLE','cpus':8") REC("node", "'name':'n2','state':'IDLE','cpus':8") \
	REC("partition", "'name':'p','nodes':'n[1-2]'") WAIT(2, 9, 1, 600, OF_USER) WAIT(3, 8, 1, 600, OF_USER)
#define OF_USER ",'user':'u','account':'a','association':3,'oversubscribe':'NO','tres_req':{'cpu':1,'node':1}"
	(void)state;
	check(TWO(2), "2:6000/n1 3:6000/n2");
	check(TWO(1), "2:6000/n1 3:blocked");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(run_minutes_of_running_jobs_count_against_the_limit),
		cmocka_unit_test(a_node_shared_with_the_same_account_is_free_from_24_11_4),
		cmocka_unit_test(all_cpus_of_an_exclusive_node_count_against_the_limit),
		cmocka_unit_test(a_refused_job_at_a_limit_reserves_no_nodes),
		cmocka_unit_test(a_guessed_start_is_postponed_behind_planned_starts),
		cmocka_unit_test(jobs_that_the_plan_starts_count_against_limits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
