/* Nodes under topology/tree: the leaf switches l1 (n1, n2), l2 (n3 to n5) and l3 (n6) are below one switch. The
 * snapshot's time is 6000. */
#include "fsplan.h"

#define TREE "'TopologyPlugin':'topology/tree'"
#define ON(name, leaf, more) REC("node", "'name':'" name "','state':'IDLE','cpus':8,'switches':['" leaf "','top']" more)
#define NODES(more)                                                                                               \
	ON("n1", "l1", "") ON("n2", "l1", "") ON("n3", "l2", "") ON("n4", "l2", "") ON("n5", "l2", "") ON("n6", "l3", more) \
	REC("partition", "'name':'p','state':'UP','tier':1,'nodes':'n[1-6]'")
#define WANTS(id, nodes, cpus, more)                                                                              \
	REC("job", "'id':" #id ",'state':'PENDING','eligible_time':5900,'partitions':['p'],'priority':9,'nodes':" #nodes  \
		   ",'max_nodes':" #nodes ",'cpus':" #cpus ",'time_limit_s':600" more)
#define BOTH(text, want) (check(PHEAD text, want), check(OLD text, want))

static void the_sufficient_leaf_with_the_fewest_nodes_is_chosen(void **state)
{
	(void)state;
	BOTH(REC("config", TREE) NODES("") WANTS(1, 3, 24, ""), "1:6000/n3,n4,n5");
	BOTH(REC("config", TREE) NODES("") WANTS(1, 2, 16, ""), "1:6000/n1,n2");
	BOTH(REC("config", TREE) NODES("") WANTS(1, 1, 8, ""), "1:6000/n6");
	BOTH(REC("config", TREE) NODES("") WANTS(1, 7, 7, ""), "1:never");
}

static void if_no_leaf_is_sufficient_the_largest_one_comes_first(void **state)
{
	(void)state;
	BOTH(REC("config", TREE) NODES("") WANTS(1, 4, 32, ""), "1:6000/n3,n4,n5,n6");
	BOTH(REC("config", TREE) NODES("") WANTS(1, 5, 40, ""), "1:6000/n1,n2,n3,n4,n5");
	BOTH(REC("config", TREE) NODES("") WANTS(1, 6, 48, ""), "1:6000/n1,n2,n3,n4,n5,n6");
}

/* Up to 22.05, a leaf switch with one node is sufficient for a job of at least one node, even if the CPUs of that node
 * are not sufficient. */
static void since_23_02_a_leaf_also_needs_sufficient_cpus(void **state)
{
#define SIXTEEN WAIT(1, 9, 16, 600, ",'tasks':16,'tres_req':{'cpu':16,'node':1}")
	(void)state;
	check(OLD REC("config", TREE) NODES("") SIXTEEN, "1:6000/n1,n6");
	check(HEAD_OF("23.02.0") REC("config", TREE) NODES("") SIXTEEN, "1:6000/n1,n2");
	check(PHEAD REC("config", TREE) NODES("") SIXTEEN, "1:6000/n1,n2");
}

static void required_nodes_and_nodes_of_least_weight_come_first(void **state)
{
	(void)state;
	BOTH(REC("config", TREE) NODES("") WANTS(1, 2, 16, ",'req_nodes':'n4'"), "1:6000/n3,n4");
	BOTH(REC("config", TREE) NODES("") WANTS(1, 2, 16, ",'req_nodes':'n6'"), "1:6000/n1,n6");
	BOTH(REC("config", TREE) NODES("") WANTS(1, 2, 16, ",'req_nodes':'n2,n3'"), "1:6000/n2,n3");
	BOTH(REC("config", TREE) ON("n1", "l1", ",'weight':9") ON("n2", "l1", ",'weight':9") ON("n3", "l2", ",'weight':9")
	     ON("n4", "l2", ",'weight':9") ON("n5", "l3", ",'weight':2")
	     REC("partition", "'name':'p','state':'UP','tier':1,'nodes':'n[1-5]'") WANTS(1, 2, 16, ""), "1:6000/n1,n5");
}

static void an_invalid_topology_is_ignored_with_an_assumption(void **state)
{
	fs_snapshot *m = fst_snapshot(PHEAD REC("config", TREE) ON("n1", "l1", "") REC("node", "'name':'n2','cpus':8,'switches':['l1','l2','top']")
				      REC("partition", "'name':'p','state':'UP','nodes':'n[1-2]'") WANTS(1, 2, 16, ""));
	fs_plan *p = plan_of(m, FS_PLAN_BACKFILL);
	bool told = false;

	(void)state;
	for (size_t i = 0; fs_plan_assumption(p, i); i++)
		told = told || strstr(fs_plan_assumption(p, i), "topology is ignored");
	assert_true(told);
	assert_int_equal(row_of(p, 1).start_time, 6000);
	fs_plan_free(p);
	fs_snapshot_free(m);
}

static void with_topo_optional_topology_is_used_only_on_request(void **state)
{
	(void)state;
	BOTH(REC("config", TREE ",'TopologyParam':'TopoOptional'") NODES("") WANTS(1, 3, 24, ""), "1:6000/n1,n2,n3");
	BOTH(REC("config", TREE ",'TopologyParam':'TopoOptional'") NODES("") WANTS(1, 3, 24, ",'switches':2,'switches_wait_s':300"),
	     "1:6000/n3,n4,n5");
	BOTH(REC("config", TREE ",'TopologyParam':'dragonfly'") NODES("") WANTS(1, 3, 24, ""), "1:6000/n1,n2,n3");
	BOTH(REC("config", TREE) NODES("") WANTS(1, 3, 24, ",'contiguous':true"), "1:6000/n1,n2,n3");
}

/* The job became eligible at 5900. */
static void a_job_waits_for_its_switches_only_for_the_given_time(void **state)
{
	(void)state;
	BOTH(REC("config", TREE) NODES("") WANTS(1, 4, 32, ",'switches':1,'switches_wait_s':300"), "1:no start");
	BOTH(REC("config", TREE) NODES("") WANTS(1, 4, 32, ",'switches':1,'switches_wait_s':100"), "1:6000/n3,n4,n5,n6");
	BOTH(REC("config", TREE) NODES("") WANTS(1, 3, 24, ",'switches':1,'switches_wait_s':300") RUN(2, "n4", 8, 7000),
	     "1:7000/n3,n4,n5");
	/* since 23.02, smaller numbers of nodes are tried too, down to the job's minimum number */
	check(HEAD_OF("23.02.0") REC("config", TREE) NODES("") WANTS(1, 2, 16, ",'switches':1,'switches_wait_s':300") RUN(2, "n4", 8, 7000)
	      RUN(3, "n2", 8, 8000), "1:6000/n3,n5");
}

/* A job's maximum number of nodes may exceed the number of existing nodes. The selection does not try each number up to
 * this maximum. */
static void a_maximum_above_the_existing_nodes_costs_no_time(void **state)
{
	(void)state;
	check(PHEAD REC("config", TREE) NODES("") REC("job", "'id':1,'state':'PENDING','eligible_time':5900,'partitions':['p'],'priority':9,"
		"'nodes':4,'max_nodes':4000000000,'cpus':4,'time_limit_s':600,'switches':1,'switches_wait_s':300"), "1:no start");
	check(PHEAD REC("config", TREE) NODES("") REC("job", "'id':1,'state':'PENDING','eligible_time':5900,'partitions':['p'],'priority':9,"
		"'nodes':3,'max_nodes':4000000000,'cpus':3,'time_limit_s':600,'switches':1,'switches_wait_s':300"), "1:6000/n3,n4,n5");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_sufficient_leaf_with_the_fewest_nodes_is_chosen),
		cmocka_unit_test(if_no_leaf_is_sufficient_the_largest_one_comes_first),
		cmocka_unit_test(since_23_02_a_leaf_also_needs_sufficient_cpus),
		cmocka_unit_test(required_nodes_and_nodes_of_least_weight_come_first),
		cmocka_unit_test(an_invalid_topology_is_ignored_with_an_assumption),
		cmocka_unit_test(with_topo_optional_topology_is_used_only_on_request),
		cmocka_unit_test(a_job_waits_for_its_switches_only_for_the_given_time),
		cmocka_unit_test(a_maximum_above_the_existing_nodes_costs_no_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
