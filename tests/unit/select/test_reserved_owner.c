/* Nodes for one user. now = 6000. */
#include "fsplan.h"

#define TWO REC("node", "'name':'n1','state':'ALLOCATED','cpus':8") REC("node", "'name':'n2','state':'ALLOCATED','cpus':8") \
	REC("partition", "'name':'p','nodes':'n[1-2]'")
#define RUNS(id, node, user, end) \
	REC("job", "'id':" #id ",'state':'RUNNING','partitions':['p'],'node_list':'" node "','cpus':4,'tres_alloc':{'cpu':4}" \
		   ",'user':'" user "','end_time':" #end)
#define OTHERS TWO RUNS(1, "n1", "a", 7000) RUNS(2, "n2", "b", 8000)
/* Two that want n2 one after the other, so that there are other times to be tried at. */
#define PLANNED WAIT(10, 95, 8, 600, ",'user':'b','req_nodes':'n2'") WAIT(11, 94, 8, 600, ",'user':'b','req_nodes':'n2'")
#define ALONE(cpus) WAIT(12, 90, cpus, 600, ",'user':'c','oversubscribe':'USER'")

static void it_is_tried_when_the_first_of_them_is_free(void **state)
{
	(void)state;
	check(PHEAD OTHERS PLANNED ALONE(4), "10:8000/n2 11:8640/n2 12:7000/n1");
	check(PHEAD TWO RUNS(1, "n1", "c", 7000) RUNS(2, "n2", "b", 8000) PLANNED ALONE(4), "10:8000/n2 11:8640/n2 12:6000/n1");
}

/* The node counts until its last job has ended, also one of its own user. */
static void a_node_of_several_users_counts_until_the_last_job_has_ended(void **state)
{
	(void)state;
	check(PHEAD OTHERS RUNS(3, "n1", "c", 7500) PLANNED ALONE(4), "10:8000/n2 11:8640/n2 12:7500/n1");
}

/* One that starts in the plan has its node alone from then on. */
static void what_starts_now_keeps_others_out(void **state)
{
	(void)state;
	check(PHEAD TWO RUNS(1, "n2", "b", 8000) WAIT(10, 95, 2, 600, ",'user':'c','oversubscribe':'USER','req_nodes':'n1'")
	      WAIT(11, 90, 2, 600, ",'user':'d'") WAIT(12, 80, 2, 600, ",'user':'d','req_nodes':'n1'"),
	      "10:6000/n1 11:6000/n2 12:6600/n1");
}

/* The drained node is enough to do without n1, whose end nobody waits for then; until the reservation ends, when all
 * is looked at anew. As seen on 26.05.3 with nodes that did not respond. */
static void a_drained_node_is_one_to_do_without_others(void **state)
{
#define BUT(more) REC("node", "'name':'n1','state':'ALLOCATED','cpus':8") REC("node", "'name':'n2','state':'" more "','cpus':8") \
	REC("partition", "'name':'p','nodes':'n[1-3]'") RUNS(1, "n1", "a", 7000) \
	REC("reservation", "'name':'r','start_time':6100,'end_time':9000,'nodes':'n3'") REC("node", "'name':'n3','state':'IDLE','cpus':8")
	(void)state;
	check(PHEAD BUT("IDLE+DRAIN") ALONE(4), "12:9001/n1");
	check(PHEAD BUT("DOWN") ALONE(4), "12:7000/n1");
}

static void before_24_11_what_runs_now_keeps_its_nodes(void **state)
{
	(void)state;
	check(OLD OTHERS ALONE(4), "12:no start");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_is_tried_when_the_first_of_them_is_free),
		cmocka_unit_test(a_node_of_several_users_counts_until_the_last_job_has_ended),
		cmocka_unit_test(what_starts_now_keeps_others_out),
		cmocka_unit_test(a_drained_node_is_one_to_do_without_others),
		cmocka_unit_test(before_24_11_what_runs_now_keeps_its_nodes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
