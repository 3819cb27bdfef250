/* import/flux/machine.c: nodes and queues from R, the configuration and the resource list. */
#include "fsflux.h"

#define R_FILE(text) { "flux_resource_R.json", text }
#define R_OF_FOUR \
	"{'version':1,'execution':{'R_lite':[{'rank':'1-3','children':{'core':'0-7','gpu':'0-1'}},{'rank':'0','children':{'core':'0-3'}}]," \
	"'starttime':0,'expiration':0,'nodelist':['a0','b[1-3]'],'properties':{'fast':'0','wide':'1-3','new':'3'}},'scheduling':{'graph':{'nodes':[{'id':'0'}]}}}"
#define QUEUES_TABLE "queue | priority\n--+--\nfast | 1\nwide | 2\n"

/* Nodes come from R, their queues from the required properties, and their states from the lists. */
static void a_machine_is_read_from_r_and_the_configuration(void **state)
{
	char *r = fst_quoted(R_OF_FOUR);
	char *config = fst_quoted("{'queues':{'fast':{'requires':['fast']},'wide':{'requires':['wide']},'both':{'requires':['wide','new']},'any':{}},"
				  "'sched-fluxion-qmanager':{'queue-policy':'easy','queue-params':{'queue-depth':100},'policy-params':{'reservation-depth':7}},"
				  "'sched-fluxion-resource':{'match-policy':'lonodex'}}");
	const struct fst_file files[] = {
		{ "list-banks.txt", BANKS },
		{ "list-users.txt", USERS },
		{ "list-queues.txt", QUEUES_TABLE },
		R_FILE(r),
		{ "flux_config_get.json", config },
		{ "flux_module_list.txt", "Module Idle S Sendq Recvq Service\nkvs 1 R 0 0\nsched-fluxion-qmanager 0 R 0 0 sched\n" },
		{ "flux_resource_list.txt", "     STATE QUEUE NNODES NCORES NGPUS NODELIST\n      free fast 1 2 0 a0\n allocated fast 1 2 0 a0\n"
					    " allocated wide 1 8 2 b1\n      down any,both,wide 2 16 4 b[2-3]\n" },
		{ "flux_resource_status.txt", "       STATE UP NNODES NODELIST\n       avail  \xe2\x9c\x94      3 a0,b[1-2]\n    drained*  \xe2\x9c\x97      1 b3\n" },
		{ "flux_queue_status.txt", "wide: Job submission is disabled: no more\nwide: Scheduling is stopped: power\nboth: Job submission is disabled: x\n"
					   "both: Scheduling is started\n" },
	};
	fs_snapshot *m = import(files, FST_COUNT(files));

	(void)state;
	assert_member(m, "node", 0, "name", "'a0'");
	assert_member(m, "node", 0, "cpus", "4");
	assert_member(m, "node", 0, "state", "'MIXED'");
	assert_member(m, "node", 0, "partitions", "['fast','any']");
	assert_member(m, "node", 0, "tres", "{'cpu':4}");
	assert_member(m, "node", 1, "state", "'ALLOCATED'");
	assert_member(m, "node", 1, "tres", "{'cpu':8,'gres/gpu':2}");
	assert_member(m, "node", 2, "state", "'DOWN'");
	assert_member(m, "node", 2, "features", "['wide']");
	assert_member(m, "node", 3, "state", "'IDLE+DRAIN'");
	assert_member(m, "node", 3, "partitions", "['wide','both','any']");
	assert_member(m, "partition", 1, "state", "'STOPPED+DISABLED'");
	assert_member(m, "partition", 1, "total_nodes", "3");
	assert_member(m, "partition", 1, "nodes", "'b[1-3]'");
	assert_member(m, "partition", 3, "nodes", "'a0,b[1-3]'");
	assert_member(m, "partition", 1, "total_cpus", "24");
	assert_member(m, "partition", 2, "state", "'DISABLED'");
	assert_member(m, "partition", 2, "priority", "0");
	assert_member(m, "config", 0, "flux_scheduler", "'sched-fluxion-qmanager'");
	assert_member(m, "config", 0, "fluxion_queue_policy", "'easy'");
	assert_member(m, "config", 0, "fluxion_match_policy", "'lonodex'");
	assert_member(m, "config", 0, "fluxion_queue_depth", "100");
	assert_member(m, "config", 0, "fluxion_reservation_depth", "7");
	fs_snapshot_free(m);
	free(config);
	free(r);
}

/* Without R, the nodes come from `flux resource list`. If the cores in a row can be divided evenly among its nodes,
 * each node gets an equal share of them. Otherwise the numbers of cores are unknown. */
static void a_machine_is_read_from_the_list_alone(void **state)
{
	static const struct fst_file files[] = {
		{ "list-banks.txt", BANKS },
		{ "list-users.txt", USERS },
		{ "list-queues.txt", "queue | priority\n--+--\nq | 1\np | 2\n" },
		{ "flux_resource_list.txt", "     STATE QUEUE PROPERTIES NNODES NCORES NODELIST\n      free q 1 3 n1\n allocated q x 2 13 n[1-2]\n"
					    "      down p 2 5 m[1-2]\n      down q 0 0 \n" },
	};
	fs_snapshot *m = import(files, FST_COUNT(files));

	(void)state;
	assert_member(m, "node", 0, "cpus", "8");
	assert_member(m, "node", 0, "state", "'MIXED'");
	assert_member(m, "node", 1, "cpus", "8");
	assert_member(m, "node", 2, "cpus", "");
	assert_member(m, "node", 2, "partitions", "['p']");
	fs_snapshot_free(m);
}

static void the_anonymous_queue_may_be_stopped(void **state)
{
	static const struct fst_file files[] = {
		{ "list-banks.txt", BANKS },
		{ "list-users.txt", USERS },
		{ "flux_queue_status.txt", "Job submission is enabled\nScheduling is stopped: because: of that\n" },
	};
	fs_snapshot *m = import(files, FST_COUNT(files));

	(void)state;
	assert_member(m, "config", 0, "scheduling_stopped", "true");
	fs_snapshot_free(m);
}

static void an_incomplete_r_is_refused(void **state)
{
	static const struct {
		const char *r, *field, *message;
	} bad[] = {
		{ "{'execution':{'R_lite':[{'rank':'0-1','children':{'core':'0-3'}}],'nodelist':['a']}}", "nodelist", "expected a host for each of 2 ranks" },
		{ "{'execution':{'R_lite':[{'rank':'0','children':{'core':'0-3'}}]}}", "nodelist", "expected a host for each of 1 ranks" },
		{ "{'execution':{'R_lite':[{'rank':'0-','children':{'core':'0-3'}}],'nodelist':['a']}}", "rank", "expected a set of ranks" },
		{ "{'execution':{'R_lite':[{'children':{'core':'x'}}],'nodelist':['a']}}", "rank", "expected a set of ranks" },
	};

	(void)state;
	for (size_t i = 0; i < FST_COUNT(bad); i++) {
		char *r = fst_quoted(bad[i].r);
		const struct fst_file files[] = { { "list-banks.txt", BANKS }, { "list-users.txt", USERS }, R_FILE(r) };

		refused(files, FST_COUNT(files), "dir/flux_resource_R.json", 1, bad[i].field, bad[i].message);
		free(r);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_machine_is_read_from_r_and_the_configuration),
		cmocka_unit_test(a_machine_is_read_from_the_list_alone),
		cmocka_unit_test(the_anonymous_queue_may_be_stopped),
		cmocka_unit_test(an_incomplete_r_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
