/* Nodes that are too small for a job, also in resources that are not consumable. Seen on 22.05.8. now = 6000. */
#include "fsplan.h"

#define SELECT(text) REC("config", "'SelectTypeParameters':'" text "'")
#define BUSY(n, end, size) REC("node", "'name':'n" #n "','state':'ALLOCATED','cpus':8," size) RUN(n, "n" #n, 8, end)
/* The smaller node is the first to become free. */
#define TWO \
	BUSY(1, 7000, "'mem_mb':1000,'tmp_disk_mb':10,'sockets':1,'cores_per_socket':8") \
	BUSY(2, 8000, "'mem_mb':2000,'tmp_disk_mb':20,'sockets':2,'cores_per_socket':4") PART
#define OF_3000 REC("partition", "'name':'p','state':'UP','nodes':'n[1-2]','tres':{'cpu':16,'mem':3000,'node':2}")
#define ASKS(more) WAIT(9, 90, 2, 60, ",'tasks':2,'max_nodes':1" more)

static void a_node_needs_the_requested_memory_even_if_not_consumable(void **state)
{
	(void)state;
	check(PHEAD SELECT("CR_CORE") TWO ASKS(",'tres_req':{'cpu':2,'mem':1000,'node':1}"), "9:7000/n1");
	check(PHEAD SELECT("CR_CORE") TWO ASKS(",'tres_req':{'cpu':2,'mem':1001,'node':1}"), "9:8000/n2");
	check(PHEAD SELECT("CR_CORE") TWO ASKS(",'tres_req':{'cpu':2,'mem':2001,'node':1}"), "9:never");
	check(PHEAD SELECT("CR_CORE") TWO ASKS(",'no_memory':true,'tres_req':{'cpu':2,'mem':2000,'node':1}"), "9:7000/n1");
	check(PHEAD SELECT("CR_CORE") TWO ASKS(",'mem_per_cpu_mb':501,'min_cpus_per_node':2"), "9:8000/n2");
	check(PHEAD SELECT("CR_CORE") TWO ASKS(",'mem_per_cpu_mb':501"), "9:7000/n1");
	check(OLD SELECT("CR_CPU") TWO WAIT(9, 90, 2, 60, ",'tasks':2,'max_nodes':2,'tres_req':{'cpu':2,'mem':2000,'node':2}"),
	      "9:8000/n1,n2");
}

/* The TRES of a job without --mem contain twice the memory of the partition's first node. The second node has less
 * memory than the first. */
static void jobs_without_mem_are_not_limited_by_the_first_nodes_memory(void **state)
{
#define BOTH(more) \
	PHEAD SELECT("CR_CORE") BUSY(1, 7000, "'mem_mb':2000") BUSY(2, 8000, "'mem_mb':1000") OF_3000 \
	WAIT(9, 90, 2, 60, ",'tasks':2,'max_nodes':2,'tres_req':{'cpu':2,'mem':4000,'node':2}" more)
	(void)state;
	check(BOTH(",'no_memory':true"), "9:8000/n1,n2");
	check(BOTH(",'all_memory':true"), "9:8000/n1,n2");
	check(BOTH(""), "9:never");
}

/* Memory is not a consumable resource here, so two jobs may use the same memory at a time. */
static void memory_that_is_not_consumable_is_never_used_up(void **state)
{
	(void)state;
	check(PHEAD SELECT("CR_CORE") REC("node", "'name':'n1','state':'IDLE','cpus':8,'mem_mb':2000") PART
	      ASKS(",'tres_req':{'cpu':2,'mem':1500,'node':1}")
	      WAIT(10, 80, 2, 60, ",'tasks':2,'max_nodes':1,'tres_req':{'cpu':2,'mem':1500,'node':1}"), "9:6000/n1 10:6000/n1");
}

static void a_node_needs_the_requested_disk_sockets_and_cores(void **state)
{
	(void)state;
	check(PHEAD TWO ASKS(",'tmp_disk_mb':10"), "9:7000/n1");
	check(PHEAD TWO ASKS(",'tmp_disk_mb':11"), "9:8000/n2");
	check(PHEAD TWO ASKS(",'tmp_disk_mb':21"), "9:never");
	check(PHEAD TWO ASKS(",'sockets_per_node':1"), "9:7000/n1");
	check(PHEAD TWO ASKS(",'sockets_per_node':2"), "9:8000/n2");
	check(PHEAD TWO ASKS(",'cores_per_socket':8"), "9:7000/n1");
	check(PHEAD TWO ASKS(",'cores_per_socket':9"), "9:never");
}

/* A node is not excluded because its memory, disk, sockets or cores are unknown. */
static void a_node_of_unknown_size_can_run_the_job(void **state)
{
	(void)state;
	check(PHEAD REC("node", "'name':'n1','state':'IDLE','cpus':8") PART
	      ASKS(",'tmp_disk_mb':99,'sockets_per_node':9,'cores_per_socket':9,'tres_req':{'cpu':2,'mem':99999,'node':1}"),
	      "9:6000/n1");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_node_needs_the_requested_memory_even_if_not_consumable),
		cmocka_unit_test(jobs_without_mem_are_not_limited_by_the_first_nodes_memory),
		cmocka_unit_test(memory_that_is_not_consumable_is_never_used_up),
		cmocka_unit_test(a_node_needs_the_requested_disk_sockets_and_cores),
		cmocka_unit_test(a_node_of_unknown_size_can_run_the_job),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
