/* CPUs that are given out more than once, and what nodes that are taken whole count against limits. now = 6000. */
#include "fsplan.h"

#define SHARED(times) REC("node", "'name':'n1','state':'MIXED','cpus':8") \
	REC("partition", "'name':'p','state':'UP','tier':1,'nodes':'n1','oversubscribe':'FORCE:" #times "'") \
	REC("partition", "'name':'o','state':'UP','tier':1,'nodes':'n1','oversubscribe':'FORCE:" #times "'")

static void each_job_is_in_the_first_row_with_room(void **state)
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

static void those_that_start_now_fill_rows_too(void **state)
{
	(void)state;
	check(PHEAD SHARED(2) WAIT(7, 9, 8, 600, "") WAIT(8, 8, 8, 600, "") WAIT(9, 7, 1, 600, ""),
	      "7:6000/n1 8:6000/n1 9:6600/n1");
}

static void other_partitions_are_kept_apart(void **state)
{
	(void)state;
	check(PHEAD SHARED(2) RUN(1, "n1", 2, 7000)
	      REC("job", "'id':9,'state':'PENDING','eligible_time':100,'partitions':['o'],'priority':9,'nodes':1,'cpus':8,'time_limit_s':600"),
	      "9:7000/n1");
}

#define LIMITED(cpu) REC("config", "'AccountingStorageEnforce':['associations','limits','qos']") \
	REC("qos", "'name':'q','max_tres_per_user':{'cpu':" #cpu "}") \
	REC("association", "'id':1,'account':'root','shares':1") REC("association", "'id':2,'parent':'root','account':'a','shares':1") \
	REC("association", "'id':3,'account':'a','user':'u','shares':1") \
	REC("node", "'name':'n1','state':'MIXED','cpus':4") REC("node", "'name':'n2','state':'MIXED','cpus':8") \
	REC("partition", "'name':'p','state':'UP','tier':1,'nodes':'n[1-2]'")
#define OF_USER ",'user':'u','account':'a','association':3,'qos':['q'],'tres_req':{'cpu':1,'node':1}"

/* It asks for a CPU and takes at least 4; the node it would get first has 8. */
static void whole_nodes_count_against_limits_with_all_they_have(void **state)
{
	(void)state;
	check(OLD LIMITED(8) RUN(1, "n1", 4, 9000) RUN(2, "n2", 2, 7000) WAIT(5, 9, 1, 600, OF_USER ",'oversubscribe':'NO'")
	      WAIT(6, 8, 7, 600, ""), "5:7000/n2 6:7560/n2");
	check(OLD LIMITED(6) RUN(1, "n1", 4, 9000) RUN(2, "n2", 2, 7000) WAIT(5, 9, 1, 600, OF_USER ",'oversubscribe':'NO'")
	      WAIT(6, 8, 7, 600, ""), "5:blocked 6:7000/n2");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_job_is_in_the_first_row_with_room),
		cmocka_unit_test(those_that_start_now_fill_rows_too),
		cmocka_unit_test(other_partitions_are_kept_apart),
		cmocka_unit_test(whole_nodes_count_against_limits_with_all_they_have),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
