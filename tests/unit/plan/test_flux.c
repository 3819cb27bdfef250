/* Flux's plan: the work budget, and assumptions. Other plans are tested in tests/clusters. */
#include "fsprio.h"
#include "fs/scenario.h"
#include "fssimulated.h"

#define SET(name, value) REC("config", "'" name "':" value)
#define POLICY(name) SET("flux_scheduler", "'sched-fluxion-qmanager'") SET("fluxion_queue_policy", "'" name "'")
#define HEAD "{'type':'snapshot','format':1,'time':1000,'cluster':'c','scheduler':'flux 0.88.0'}\n"
#define QUEUE(name, fields) REC("partition", "'name':'" name "','priority':0" fields)
#define HOST(name, cpus, queues) REC("node", "'name':'" name "','state':'IDLE','cpus':" #cpus ",'partitions':[" queues "]")
#define TASK(id, state, queue, nodes, cpus, limit, more) \
	REC("job", "'id':" #id ",'state':'" state "','user':'u','partitions':['" queue "'],'urgency':16,'cpus':" #cpus nodes \
		   ",'time_limit_s':" #limit more)
#define RUNS(id, queue, nodes, cpus, limit, on) \
	TASK(id, "RUNNING", queue, nodes, cpus, limit, ",'phase':'RUN','start_time':1000,'end_time':1" #limit ",'node_list':'" on "'")
#define WAITS(id, queue, nodes, cpus, limit) \
	TASK(id, "PENDING", queue, nodes, cpus, limit, ",'phase':'SCHED','priority':10,'eligible_time':900")
#define N(n) ",'nodes':" #n
/* Two nodes of 4 cores, one of them in use for 600 s; job 2 needs both. */
#define HALF QUEUE("q", "") HOST("n1", 4, "'q'") HOST("n2", 4, "'q'") RUNS(1, "q", N(1), 4, 600, "n1") WAITS(2, "q", N(2), 8, 100)

static void a_simulation_stops_when_the_work_budget_is_used_up(void **state)
{
	(void)state;
	fst_given_up(fst_snapshot(HEAD POLICY("easy") HALF WAITS(3, "q", N(1), 4, 700)), 9);
}

/* If a job is in state DEPEND, the start of another job may release it. The plan then has an additional assumption,
 * which says whether a released job joins the queue before the next job starts. */
static void the_order_of_starts_and_releases_is_listed_as_an_assumption(void **state)
{
	static const char *const texts[] = { HEAD HALF, HEAD HALF TASK(3, "PENDING", "q", N(1), 1, 10, ",'phase':'DEPEND','dependency':'after-finish=1'") };

	(void)state;
	for (size_t k = 0; k < 2; k++) {
		fs_snapshot *m = fst_snapshot(texts[k]);
		struct fs_error err = { 0 };
		size_t told = 0;
		const char *s;
		fs_plan *p;

		fst_no_error(fs_plan_compute(&p, m, NULL, &err), &err);
		for (size_t i = 0; (s = fs_plan_assumption(p, i)); i++)
			told += strstr(s, "Flux may release these jobs later") != NULL;
		assert_int_equal(told, k);
		fs_plan_free(p);
		fs_snapshot_free(m);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_order_of_starts_and_releases_is_listed_as_an_assumption),
		cmocka_unit_test(a_simulation_stops_when_the_work_budget_is_used_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
