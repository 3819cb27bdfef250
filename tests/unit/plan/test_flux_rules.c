/* plan/flux: which of Flux's schedulers runs, and how many jobs it tries. Depths are from
 * flux-config-sched-fluxion-qmanager(5) and from sched-fifo.py. */
#include "fstest.h"

#include "plan/flux.h"

#define FLUX "{'type':'snapshot','format':1,'time':1700000000,'cluster':'c','scheduler':'flux 0.60'}\n"

static void expect(const char *config, enum fsi_flux_policy policy, const char *name, uint32_t depth,
		   uint32_t reservations)
{
	char text[1000];
	struct fsi_flux_plan_rules r, first;
	fs_snapshot *m;

	snprintf(text, sizeof(text), FLUX "%s%s%s", *config ? "{'type':'config'," : "", config, *config ? "}\n" : "");
	m = fst_snapshot(text);
	fsi_flux_plan_read_rules(m, false, &r);
	fsi_flux_plan_read_rules(m, true, &first);
	assert_int_equal(r.policy, policy);
	assert_string_equal(r.name, name);
	assert_int_equal(r.depth, depth);
	assert_int_equal(r.reservations, reservations);
	assert_int_equal(r.module_known, *config != '\0');
	assert_int_equal(r.list_per_queue, strstr(config, "fluxion") != NULL);
	assert_int_equal(r.worst_fit, !r.list_per_queue);
	assert_int_equal(first.policy, FSI_FLUX_FIFO);
	assert_int_equal(first.depth, r.depth);
	fs_snapshot_free(m);
}

static void the_default_scheduler_is_sched_simple(void **state)
{
	(void)state;
	expect("", FSI_FLUX_FIFO, "first come, first served", 8, 0);
	expect("'flux_scheduler':'sched-simple'", FSI_FLUX_FIFO, "first come, first served", 8, 0);
}

static void sched_backfill_tries_all_jobs(void **state)
{
	(void)state;
	expect("'flux_scheduler':'sched-backfill'", FSI_FLUX_SHADOW, "backfill", UINT32_MAX, 0);
}

static void the_fluxion_policy_sets_depth_and_number_of_reservations(void **state)
{
	(void)state;
	expect("'flux_scheduler':'sched-fluxion-qmanager'", FSI_FLUX_FIFO, "fcfs", 32, 100000);
	expect("'fluxion_queue_policy':'easy'", FSI_FLUX_RESERVE, "easy", 32, 1);
	expect("'fluxion_queue_policy':'hybrid'", FSI_FLUX_RESERVE, "hybrid", 32, 64);
	expect("'fluxion_queue_policy':'hybrid','fluxion_reservation_depth':3", FSI_FLUX_RESERVE, "hybrid", 32, 3);
	expect("'fluxion_queue_policy':'conservative','fluxion_queue_depth':5", FSI_FLUX_RESERVE, "conservative", 5, 100000);
	expect("'fluxion_queue_policy':'easy','fluxion_queue_depth':2000000", FSI_FLUX_RESERVE, "easy", 1000000, 1);
	expect("'fluxion_queue_policy':'easy','fluxion_queue_depth':0", FSI_FLUX_RESERVE, "easy", 32, 1);
}

static void the_match_policy_sets_node_order_and_exclusive_use(void **state)
{
	static const struct {
		const char *policy;
		bool whole, last;
	} rows[] = {
		{ "first", false, false },   { "firstnodex", true, false }, { "low", false, false },   { "high", false, true },
		{ "lonode", false, false },  { "hinode", false, true },	    { "lonodex", true, false }, { "hinodex", true, true },
		{ "policy=high node_exclusive=true", true, true },
		{ "policy=high stop_on_1_matches=true", false, false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		char text[400];
		struct fsi_flux_plan_rules r;
		fs_snapshot *m;

		snprintf(text, sizeof(text), FLUX "{'type':'config','fluxion_queue_policy':'easy','fluxion_match_policy':'%s'}\n", rows[i].policy);
		m = fst_snapshot(text);
		fsi_flux_plan_read_rules(m, false, &r);
		assert_int_equal(r.whole_nodes, rows[i].whole);
		assert_int_equal(r.last_fit, rows[i].last);
		fs_snapshot_free(m);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_default_scheduler_is_sched_simple),
		cmocka_unit_test(sched_backfill_tries_all_jobs),
		cmocka_unit_test(the_fluxion_policy_sets_depth_and_number_of_reservations),
		cmocka_unit_test(the_match_policy_sets_node_order_and_exclusive_use),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
