/* Tests which nodes the select plugin of each Slurm version chooses for a job. The snapshot's time is 6000. */
#include "fsplan.h"

#define NODE(name, cpus, more) REC("node", "'name':'" name "','state':'IDLE','cpus':" #cpus more)
#define ALL REC("partition", "'name':'p','state':'UP','tier':1,'nodes':'n[1-4]'")

/* n4 has no free neighbour, because n3 is in use. */
static void single_node_jobs_get_the_first_node_by_weight_since_26_05(void **state)
{
#define EIGHTS(more) NODE("n1", 8, more) NODE("n2", 8, "") NODE("n3", 8, "") NODE("n4", 8, "") ALL RUN(7, "n3", 8, 9000)
	static const struct {
		const char *text, *closest, *first;
	} cases[] = {
		{ EIGHTS("") WAIT(1, 9, 8, 60, ",'max_nodes':1"), "1:6000/n4", "1:6000/n1" },
		{ EIGHTS(",'weight':2") WAIT(1, 9, 8, 60, ",'max_nodes':1"), "1:6000/n2", "1:6000/n2" },
		{ EIGHTS("") WAIT(1, 9, 8, 60, ",'max_nodes':1,'req_nodes':'n2'"), "1:6000/n2", "1:6000/n2" },
		{ EIGHTS("") WAIT(1, 9, 9, 60, ",'max_nodes':1"), "1:never", "1:never" },
		{ EIGHTS("") RUN(8, "n1", 1, 7000) WAIT(1, 9, 8, 60, ",'max_nodes':1"), "1:6000/n2", "1:6000/n2" },
	};
	char text[2000];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		snprintf(text, sizeof(text), "%s%s", HEAD_OF("25.11.7"), cases[i].text);
		check(text, cases[i].closest);
		snprintf(text, sizeof(text), "%s%s", HEAD_OF("26.05.0"), cases[i].text);
		check(text, cases[i].first);
	}
}

/* The job needs seven CPUs on three nodes. It can use one of the nodes with 1 CPU, but not two of them. */
static void since_25_11_small_nodes_are_dropped_one_by_one(void **state)
{
#define SMALL \
	NODE("n1", 1, "") NODE("n2", 1, "") NODE("n3", 3, "") NODE("n4", 3, "") NODE("n5", 3, "") \
	REC("partition", "'name':'p','state':'UP','tier':1,'nodes':'n[1-5]'")
#define THREE(cpus, more) WAIT(1, 9, cpus, 60, ",'max_nodes':3,'tres_req':{'cpu':" #cpus ",'node':3}" more)
	(void)state;
	check(HEAD_OF("25.05.8") SMALL THREE(7, ""), "1:6000/n3,n4,n5");
	check(HEAD_OF("25.11.0") SMALL THREE(7, ""), "1:6000/n2,n3,n4");
	/* a required node is not dropped */
	check(HEAD_OF("25.11.0") SMALL THREE(7, ",'req_nodes':'n1'"), "1:6000/n1,n3,n4");
	check(HEAD_OF("25.11.0") SMALL THREE(10, ""), "1:never");
}

/* A job of three tasks without a number of nodes may use three nodes, but does not prefer them. */
static void since_26_05_tasks_set_only_the_maximum_of_nodes(void **state)
{
#define FOURS NODE("n1", 4, "") NODE("n2", 4, "") NODE("n3", 4, "") NODE("n4", 4, "") ALL
	(void)state;
	check(HEAD_OF("25.11.7") FOURS WAIT(1, 9, 3, 60, ",'max_nodes':3,'tasks':3"), "1:6000/n1,n2,n3");
	check(HEAD_OF("26.05.0") FOURS WAIT(1, 9, 3, 60, ",'max_nodes':3,'tasks':3"), "1:6000/n1");
	check(HEAD_OF("26.05.0") FOURS WAIT(1, 9, 3, 60, ",'max_nodes':2,'tasks':3"), "1:6000/n1,n2");
	/* a job with six tasks for which scontrol shows NumNodes=1 */
	check(HEAD_OF("25.11.7") FOURS WAIT(1, 9, 6, 60, ",'tasks':6,'tres_req':{'cpu':6,'node':1}"), "1:6000/n1,n2");
	check(HEAD_OF("26.05.0") FOURS WAIT(1, 9, 6, 60, ",'tasks':6,'tres_req':{'cpu':6,'node':1}"), "1:never");
}

/* For two tasks, four CPUs are no better than the two CPUs of the other node. */
static void since_25_11_tasks_limit_the_cpus_of_a_gpu_node(void **state)
{
#define GPUS(name, cpus) NODE(name, cpus, ",'tres':{'cpu':" #cpus ",'gres/gpu':2}")
#define TWO_WITH_GPUS \
	GPUS("n1", 4) GPUS("n2", 2) REC("partition", "'name':'p','state':'UP','nodes':'n[1-2]'") \
	WAIT(1, 9, 2, 60, ",'tasks':2,'tres_req':{'cpu':2,'node':1,'gres/gpu':2}")
	(void)state;
	check(HEAD_OF("25.05.8") TWO_WITH_GPUS, "1:6000/n2");
	check(HEAD_OF("25.11.0") TWO_WITH_GPUS, "1:6000/n1");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(single_node_jobs_get_the_first_node_by_weight_since_26_05),
		cmocka_unit_test(since_25_11_small_nodes_are_dropped_one_by_one),
		cmocka_unit_test(since_26_05_tasks_set_only_the_maximum_of_nodes),
		cmocka_unit_test(since_25_11_tasks_limit_the_cpus_of_a_gpu_node),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
