/* Maui's plan: the work budget. Other plans are tested in tests/clusters. */
#include "fsmaui.h"
#include "fssimulated.h"

#define NODE(name, more) REC("node", "'name':'" name "','state':'IDLE','cpus':4" more)
#define NODES NODE("n1", "") NODE("n2", "")
#define JOB(id, state, user, cpus, limit, fields) \
	REC("job", "'id':" #id ",'name':'" #id "','state':'" state "','position':" #id \
	    ",'submit_time':1600000000,'eligible_time':1600000000,'time_limit_s':" #limit ",'cpus':" #cpus \
	    ",'tasks':" #cpus ",'user':'" user "'" fields)
#define RUNS(id, cpus, limit, nodes) JOB(id, "RUNNING", "u", cpus, limit, ",'start_time':1600000000,'node_list':'" nodes "'")
#define WAITS(id, cpus, limit) JOB(id, "PENDING", "u", cpus, limit, "")
#define USER(name, fields) REC("credential", "'kind':'user','name':'" name "'" fields)
#define HEAD FST_MAUI_HEAD USER("u", "")
/* Half of the cluster is free; job 2 needs all of it. */
#define HALF NODES RUNS(1, 4, 600, "n1,n1,n1,n1") WAITS(2, 8, 100)

static void a_simulation_stops_when_the_work_budget_is_used_up(void **state)
{
	(void)state;
	fst_given_up(fst_snapshot(HEAD HALF WAITS(9, 4, 500) WAITS(4, 4, 1000)), 9);
}

/* A plan has one assumption for each ignored flag of each QOS, however many there are. */
static void a_plan_has_any_number_of_assumptions(void **state)
{
#define FLAGGED(name) REC("credential", "'kind':'qos','name':'" name "','flags':['DEDICATED','USERESERVED','PREEMPTOR','PREEMPTEE']")
	fs_snapshot *m = fst_snapshot(HEAD HALF FLAGGED("a") FLAGGED("b") FLAGGED("c") FLAGGED("d") FLAGGED("e"));
	struct fs_error err = { 0 };
	size_t n = 0, ignored = 0;
	fs_plan *p;

	(void)state;
	fst_no_error(fs_plan_compute(&p, m, NULL, &err), &err);
	for (; fs_plan_assumption(p, n); n++)
		ignored += strstr(fs_plan_assumption(p, n), " is ignored.") != NULL;
	assert_int_equal(ignored, 20);
	fs_plan_free(p);
	fs_snapshot_free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_simulation_stops_when_the_work_budget_is_used_up),
		cmocka_unit_test(a_plan_has_any_number_of_assumptions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
