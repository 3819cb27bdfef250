/* select/linear allocates whole nodes by its own rules. The snapshot's time is 6000. */
#include "fsplan.h"

#define LINEAR(text) PHEAD REC("config", "'SelectType':'select/linear','SelectTypeParameters':'NONE'") text
#define NODE(i, cpus) REC("node", "'name':'n" #i "','state':'IDLE','weight':9" #i ",'cpus':" #cpus)
#define SIX REC("partition", "'name':'p','state':'UP','tier':1,'nodes':'n[1-6]'")
#define NODES_ASKED(n) ",'max_nodes':" #n ",'tres_req':{'node':" #n "}"

static void the_smallest_sufficient_run_of_nodes_is_chosen(void **state)
{
	(void)state;
	/* n3 is busy. One node is taken from the run n1 to n2. Three nodes fit only into the run n4 to n6. For two
	 * nodes, the smaller run is chosen. */
#define AROUND_3 NODE(1, 8) NODE(2, 8) NODE(3, 8) NODE(4, 8) NODE(5, 8) NODE(6, 8) SIX RUN(1, "n3", 8, 9000)
	check(LINEAR(AROUND_3 WAIT(5, 9, 1, 600, "")), "5:6000/n1");
	check(LINEAR(AROUND_3 WAIT(5, 9, 3, 600, NODES_ASKED(3))), "5:6000/n4,n5,n6");
	check(LINEAR(AROUND_3 WAIT(5, 9, 2, 600, NODES_ASKED(2))), "5:6000/n1,n2");
	/* no run of adjacent idle nodes has four nodes: first all of n4 to n6 are taken, then one of n1 and n2 */
	check(LINEAR(AROUND_3 WAIT(5, 9, 4, 600, NODES_ASKED(4))), "5:6000/n1,n4,n5,n6");
	check(LINEAR(AROUND_3 WAIT(5, 9, 4, 600, NODES_ASKED(4) ",'contiguous':true")), "5:9000/n1,n2,n3,n4");
	/* nodes are taken around the required node: first the nodes after it, then the nodes before it */
	check(LINEAR(AROUND_3 WAIT(5, 9, 2, 600, NODES_ASKED(2) ",'req_nodes':'n5'")), "5:6000/n5,n6");
	check(LINEAR(AROUND_3 WAIT(5, 9, 3, 600, NODES_ASKED(3) ",'req_nodes':'n6'")), "5:6000/n4,n5,n6");
}

static void the_largest_nodes_are_chosen_if_smaller_ones_are_insufficient(void **state)
{
	(void)state;
#define OF_SIZES NODE(1, 4) NODE(2, 8) NODE(3, 8) NODE(4, 4) SIX
	check(LINEAR(OF_SIZES WAIT(5, 9, 12, 600, NODES_ASKED(2))), "5:6000/n2,n3");
	check(LINEAR(OF_SIZES WAIT(5, 9, 8, 600, NODES_ASKED(2))), "5:6000/n1,n2");
	check(LINEAR(OF_SIZES WAIT(5, 9, 8, 600, NODES_ASKED(1))), "5:6000/n3");
	check(LINEAR(OF_SIZES WAIT(5, 9, 17, 600, NODES_ASKED(2))), "5:never");
}

static void running_jobs_are_removed_one_at_a_time(void **state)
{
	(void)state;
	check(LINEAR(NODE(1, 8) NODE(2, 8) SIX RUN(1, "n1", 8, 7000) RUN(2, "n2", 1, 7010) WAIT(5, 9, 1, 600, "")),
	      "5:7000/n1");
	check(LINEAR(NODE(1, 8) NODE(2, 8) SIX RUN(1, "n1", 8, 7010) RUN(2, "n2", 1, 7000) WAIT(5, 9, 1, 600, "")),
	      "5:7000/n2");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_smallest_sufficient_run_of_nodes_is_chosen),
		cmocka_unit_test(the_largest_nodes_are_chosen_if_smaller_ones_are_insufficient),
		cmocka_unit_test(running_jobs_are_removed_one_at_a_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
