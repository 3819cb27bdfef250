/* Generic resources that are not TRES of the cluster, such as GPU types if only gres/gpu is counted. The snapshot's
 * time is 6000. */
#include "fsplan.h"

/* n1 and n2 have two GPUs of each type. */
#define CARD(name, used) \
	REC("node", "'name':'" name "','state':'MIXED','cpus':8,'gres':'gpu:a100:2(S:0,1),gpu:v100:2(S:0-1)'," \
		    "'tres':{'cpu':8,'gres/gpu':4},'alloc_tres':{'cpu':1,'gres/gpu':" #used "}")
#define CARDS(used1, used2) CARD("n1", used1) CARD("n2", used2) \
	REC("partition", "'name':'p','state':'UP','tier':1,'nodes':'n[1-2]'")
#define HOLDS(id, nodes, gpus, end, more) \
	REC("job", "'id':" #id ",'state':'RUNNING','partitions':['p'],'node_list':'" nodes "','cpus':2," \
		   "'tres_req':{'gres/gpu':" #gpus "},'tres_alloc':{'cpu':2,'gres/gpu':" #gpus "},'end_time':" #end more)
#define ASKS(id, prio, nodes, gpus, type) \
	REC("job", "'id':" #id ",'state':'PENDING','eligible_time':100,'partitions':['p'],'priority':" #prio \
		   ",'nodes':" #nodes ",'cpus':" #nodes ",'time_limit_s':60,'tres_req':{'cpu':" #nodes ",'node':" #nodes \
		   ",'gres/gpu':" #gpus "},'gres_req':{'gres/gpu:" type "':" #gpus "}")

static void free_gpus_are_counted_by_type(void **state)
{
	(void)state;
	check(PHEAD CARDS(2, 3) HOLDS(1, "n1", 2, 6500, ",'node_gres':'gpu:a100:2'")
		      HOLDS(2, "n2", 3, 7000, ",'node_gres':'gpu:a100:1,gpu:v100:2'") ASKS(3, 9, 1, 2, "a100")
			      ASKS(4, 8, 1, 1, "v100") ASKS(5, 7, 1, 3, "a100"),
	      "3:6500/n1 4:6000/n1 5:never");
}

static void recorded_gpu_types_are_read_per_node(void **state)
{
	(void)state;
	check(PHEAD CARDS(2, 2) HOLDS(1, "n[1-2]", 4, 6500, ",'node_gres':'gpu:a100:2;gpu:v100:2'") ASKS(2, 9, 1, 1, "a100"),
	      "2:6000/n2");
	check(PHEAD CARDS(2, 2) HOLDS(1, "n[1-2]", 4, 6500, ",'node_gres':'gpu:v100:2;gpu:a100:2'") ASKS(2, 9, 1, 1, "a100"),
	      "2:6000/n1");
	check(PHEAD CARDS(2, 2) HOLDS(1, "n[1-2]", 4, 6500, ",'node_gres':';gpu:a100:2'") ASKS(2, 9, 1, 1, "a100"), "2:6000/n1");
}

/* If the job's GPUs on each node are not recorded, or are recorded for another number of nodes, each node is assumed to
 * have an even share of the requested GPUs. */
static void gpu_types_without_a_complete_record_are_spread_evenly(void **state)
{
	static const char *const odd[] = { "", ",'node_gres':'gpu:v100:2'", ",'node_gres':'gpu:v100:2;;'" };
	char text[3000];

	(void)state;
	for (size_t i = 0; i < sizeof(odd) / sizeof(*odd); i++) {
		snprintf(text, sizeof(text), PHEAD CARDS(2, 2) HOLDS(1, "n[1-2]", 4, 6500, ",'gres_req':{'gres/gpu:a100':4}%s")
			 ASKS(2, 9, 1, 1, "a100") ASKS(3, 8, 1, 2, "v100"), odd[i]);
		check(text, "2:6500/n1 3:6000/n1");
	}
}

/* The job needs one GPU on each node. */
static void typed_gpus_are_needed_on_each_node(void **state)
{
	(void)state;
	check(PHEAD CARDS(1, 0) HOLDS(1, "n1", 2, 6500, ",'node_gres':'gpu:a100:2'") ASKS(2, 9, 2, 2, "a100"), "2:6500/n1,n2");
}

/* No generic resource is a TRES of the cluster. */
static void gres_types_are_planned_without_any_gres_tres(void **state)
{
	(void)state;
	check(PHEAD REC("node", "'name':'n1','state':'MIXED','cpus':8,'gres':'fpga:x:1,fpga:y:1','alloc_tres':{'cpu':1}")
		      REC("partition", "'name':'p','state':'UP','tier':1,'nodes':'n1'")
			      REC("job", "'id':1,'state':'RUNNING','partitions':['p'],'node_list':'n1','cpus':1,"
					 "'tres_alloc':{'cpu':1},'end_time':6500,'node_gres':'fpga:x:1'")
				      WAIT(2, 9, 1, 60, ",'gres_req':{'gres/fpga':2}") WAIT(3, 8, 1, 60, ",'gres_req':{'gres/fpga':1}"),
	      "2:6500/n1 3:6000/n1");
}

#define OF_TYPE(id, name) REC("tres", "'id':" #id ",'name':'" name "'")
#define NODE_OF(name, type, n) \
	REC("node", "'name':'" name "','state':'MIXED','cpus':8,'tres':{'cpu':8,'gres/gpu':" #n ",'gres/gpu:" type "':" #n "}")
#define ONE_OF_EACH(id, end) \
	REC("job", "'id':" #id ",'state':'RUNNING','partitions':['p'],'node_list':'n[1-2]','cpus':2," \
		   "'tres_alloc':{'cpu':2,'gres/gpu':2,'gres/gpu:a100':1,'gres/gpu:v100':1},'end_time':" #end)

/* If nodes have different GPU types, a job holds on each node only GPUs of the node's type. One of the three GPUs of n1
 * is therefore left. */
static void a_job_holds_only_gpu_types_that_the_node_has(void **state)
{
	(void)state;
	check(PHEAD OF_TYPE(1002, "gres/gpu:a100") OF_TYPE(1003, "gres/gpu:v100") NODE_OF("n1", "a100", 3)
	      NODE_OF("n2", "v100", 2) PART ONE_OF_EACH(1, 7000) ONE_OF_EACH(2, 8000)
	      WAIT(3, 9, 1, 60, ",'tres_req':{'cpu':1,'gres/gpu':1}") WAIT(4, 8, 1, 60, ",'tres_req':{'cpu':1,'gres/gpu:v100':1}"),
	      "3:6000/n1 4:7000/n2");
}

#define HOLDS_THREE(told) \
	REC("job", "'id':1,'state':'RUNNING','partitions':['p'],'node_list':'n[1-2]','cpus':2,'end_time':7000," \
		   "'tres_alloc':{'cpu':2,'gres/gpu':3},'node_gres':'" told "'")

/* The recorded GPUs of each node are used if they include all three GPUs of the job. Otherwise the GPUs are divided
 * evenly among the nodes, and the first node gets two of them. */
static void recorded_gpus_per_node_are_used_if_complete(void **state)
{
#define TELLS(told) PHEAD NODE_OF("n1", "a100", 3) NODE_OF("n2", "v100", 2) PART HOLDS_THREE(told) \
		    WAIT(2, 9, 1, 60, ",'tres_req':{'cpu':1,'gres/gpu':2}")
	(void)state;
	check(TELLS("gpu:a100:1;gpu:v100:2"), "2:6000/n1");
	check(TELLS("gpu:a100:1;gpu:v100:1"), "2:7000/n1");
	check(TELLS("gpu:a100:1"), "2:7000/n1");
}

/* The snapshot may record how much memory a job uses on each of its nodes. These amounts are used if their sum is at
 * least the job's total memory, because memory is not always proportional to CPUs. */
static void recorded_memory_per_node_is_used_if_complete(void **state)
{
#define HOLDS_600(told) \
	PHEAD REC("node", "'name':'n1','cpus':8,'mem_mb':1000") REC("node", "'name':'n2','cpus':8,'mem_mb':1000") PART \
	REC("job", "'id':1,'state':'RUNNING','partitions':['p'],'node_list':'n[1-2]','cpus':6,'mem_per_cpu_mb':100," \
		   "'tres_alloc':{'cpu':6,'mem':600},'node_cpus':'4,2','node_mem_mb':'" told "','end_time':7000") \
	WAIT(2, 9, 1, 60, ",'tres_req':{'cpu':1,'mem':850}")
	(void)state;
	check(HOLDS_600("100,500"), "2:6000/n1");
	check(HOLDS_600("300(x2)"), "2:7000/n1");
	check(HOLDS_600("100,400"), "2:7000/n1");
	check(HOLDS_600(""), "2:7000/n1");
}

/* n1 has three GPUs, n2 two; `used` GPUs of n1 are in use until 7000. */
#define THREE_AND_TWO(used) \
	PHEAD REC("node", "'name':'n1','cpus':8,'mem_mb':4000,'tres':{'cpu':8,'gres/gpu':3}") \
	REC("node", "'name':'n2','cpus':8,'mem_mb':4000,'tres':{'cpu':8,'gres/gpu':2}") PART \
	REC("job", "'id':1,'state':'RUNNING','partitions':['p'],'node_list':'n1','cpus':1,'end_time':7000," \
		   "'tres_alloc':{'cpu':1,'gres/gpu':" #used "}")
#define ASKS_IN_ALL(id, prio, gpus, more) \
	WAIT(id, prio, 2, 60, ",'tasks':2,'gres_per':'job','tres_req':{'cpu':2,'node':1,'gres/gpu':" #gpus "}" more)

#define BY_TASK(id, tasks, gpus) \
	WAIT(id, 9, tasks, 60, ",'tasks':" #tasks ",'gres_per':'task','tres_req':{'cpu':" #tasks ",'node':1,'gres/gpu':" #gpus "}")

/* A job that asks for a total number of GPUs can use only the GPUs that are free on its nodes. */
static void gpus_per_job_are_taken_from_the_free_gpus_of_each_node(void **state)
{
	(void)state;
	check(THREE_AND_TWO(0) ASKS_IN_ALL(2, 9, 3, ""), "2:6000/n1");
	check(THREE_AND_TWO(1) ASKS_IN_ALL(2, 9, 3, ""), "2:6000/n1,n2");
	check(THREE_AND_TWO(1) ASKS_IN_ALL(2, 9, 5, ""), "2:7000/n1,n2");
	check(THREE_AND_TWO(1) ASKS_IN_ALL(2, 9, 6, ""), "2:never");
	check(THREE_AND_TWO(3) ASKS_IN_ALL(2, 9, 3, ""), "2:7000/n1");
	check(THREE_AND_TWO(1) ASKS_IN_ALL(2, 9, 3, ",'max_nodes':1"), "2:7000/n1");
	check(THREE_AND_TWO(0) ASKS_IN_ALL(2, 9, 3, ",'mem_per_gpu_mb':2000"), "2:6000/n1,n2");
	check(THREE_AND_TWO(0) ASKS_IN_ALL(2, 9, 3, ",'cpus_per_gpu':2"), "2:6000/n1");
	check(THREE_AND_TWO(1) ASKS_IN_ALL(2, 9, 3, ",'cpus_per_gpu':2"), "2:6000/n1,n2");
}

/* A job requests a total number of GPUs on several nodes. The first node gives as many of its GPUs as possible, but one
 * requested GPU is left for each further node. The next job uses the GPUs that stay free. */
static void the_first_node_gives_most_of_the_gpus(void **state)
{
	(void)state;
	check(THREE_AND_TWO(0) ASKS_IN_ALL(2, 9, 4, "") WAIT(3, 8, 1, 60, ",'tres_req':{'cpu':1,'gres/gpu':1}"),
	      "2:6000/n1,n2 3:6000/n2");
}

/* Among nodes of equal weight, nodes with more usable GPUs come first: usable GPUs are at most the requested total and
 * at most as many as the CPUs allow. n1 has the least weight and one GPU, n2 has two, n3 three. */
static void nodes_with_more_usable_gpus_come_first(void **state)
{
#define WEIGHED(name, weight, cpus, gpus) \
	REC("node", "'name':'" name "','cpus':" #cpus ",'weight':" #weight ",'tres':{'cpu':" #cpus ",'gres/gpu':" #gpus "}")
#define TWO_THEN_THREE(cpus) \
	PHEAD WEIGHED("n1", 1, 8, 1) WEIGHED("n2", 2, 8, 2) WEIGHED("n3", 2, cpus, 3) \
	REC("partition", "'name':'p','state':'UP','tier':1,'nodes':'n[1-3]'")
	(void)state;
	check(TWO_THEN_THREE(9) ASKS_IN_ALL(2, 9, 3, ""), "2:6000/n1,n3");
	check(TWO_THEN_THREE(9) ASKS_IN_ALL(2, 9, 2, ""), "2:6000/n1,n2");
	check(TWO_THEN_THREE(8) ASKS_IN_ALL(2, 9, 3, ",'cpus_per_gpu':4"), "2:6000/n1,n2");
	check(TWO_THEN_THREE(9) BY_TASK(2, 3, 3), "2:6000/n1,n3");
	check(TWO_THEN_THREE(9) WAIT(2, 9, 1, 60, ",'tres_req':{'cpu':1,'gres/gpu':2}"), "2:6000/n2");
}

/* GPUs requested per node are available on every node that has them, of any type. */
static void gpus_per_node_do_not_change_the_order_of_nodes(void **state)
{
	(void)state;
	check(PHEAD REC("node", "'name':'n1','cpus':8,'gres':'gpu:a100:1,gpu:v100:1','tres':{'cpu':8,'gres/gpu':2}")
	      REC("node", "'name':'n2','cpus':9,'gres':'gpu:a100:2,gpu:v100:2','tres':{'cpu':9,'gres/gpu':4}") PART
	      WAIT(2, 9, 1, 60, ",'tres_req':{'cpu':1,'node':1,'gres/gpu':2},'gres_req':{'gres/gpu:a100':1,'gres/gpu:v100':1}"),
	      "2:6000/n1");
}

/* A controller of version 22.05.8 gave n2 to a job with GPUs, and then n3 to a job without GPUs. */
static void in_22_05_the_gpu_order_of_nodes_stays_for_later_jobs(void **state)
{
#define THREE_NODES \
	WEIGHED("n1", 1, 8, 2) WEIGHED("n2", 1, 12, 4) WEIGHED("n3", 1, 12, 4) \
	REC("partition", "'name':'p','state':'UP','tier':1,'nodes':'n[1-3]'") \
	RUN(11, "n1", 8, 7000) RUN(12, "n2", 12, 7000) RUN(13, "n3", 12, 7000)
	(void)state;
	check(OLD THREE_NODES ASKS_IN_ALL(20, 9, 4, "") WAIT(21, 8, 1, 60, ""), "20:7000/n2 21:7000/n3");
	check(PHEAD THREE_NODES ASKS_IN_ALL(20, 9, 4, "") WAIT(21, 8, 1, 60, ""), "20:7000/n2 21:7000/n1");
	check(OLD THREE_NODES WAIT(20, 9, 2, 60, "") WAIT(21, 8, 1, 60, ""), "20:7000/n1 21:7000/n2");
}

/* A node runs no more tasks than its GPUs allow. */
static void gpus_per_task_limit_the_tasks_on_a_node(void **state)
{
	(void)state;
	check(THREE_AND_TWO(0) BY_TASK(2, 3, 3), "2:6000/n1");
	check(THREE_AND_TWO(0) BY_TASK(2, 4, 4), "2:6000/n1,n2");
	check(THREE_AND_TWO(1) BY_TASK(2, 5, 5), "2:7000/n1,n2");
	check(THREE_AND_TWO(0) BY_TASK(2, 3, 6), "2:never");
	check(THREE_AND_TWO(1) WAIT(2, 9, 3, 60, ",'tasks':3,'gres_per':'task','cpus_per_task':2,"
						 "'tres_req':{'cpu':3,'node':1,'gres/gpu':3}"),
	      "2:6000/n1,n2");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(recorded_gpus_per_node_are_used_if_complete),
		cmocka_unit_test(recorded_memory_per_node_is_used_if_complete),
		cmocka_unit_test(gpus_per_job_are_taken_from_the_free_gpus_of_each_node),
		cmocka_unit_test(the_first_node_gives_most_of_the_gpus),
		cmocka_unit_test(nodes_with_more_usable_gpus_come_first),
		cmocka_unit_test(gpus_per_node_do_not_change_the_order_of_nodes),
		cmocka_unit_test(in_22_05_the_gpu_order_of_nodes_stays_for_later_jobs),
		cmocka_unit_test(gpus_per_task_limit_the_tasks_on_a_node),
		cmocka_unit_test(a_job_holds_only_gpu_types_that_the_node_has),
		cmocka_unit_test(free_gpus_are_counted_by_type),
		cmocka_unit_test(recorded_gpu_types_are_read_per_node),
		cmocka_unit_test(gpu_types_without_a_complete_record_are_spread_evenly),
		cmocka_unit_test(typed_gpus_are_needed_on_each_node),
		cmocka_unit_test(gres_types_are_planned_without_any_gres_tres),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
