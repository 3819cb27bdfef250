/* Helper functions for the tests of Maui's plans and of Flux's plans. */
#ifndef FSSIMULATED_H
#define FSSIMULATED_H

#include "fstest.h"
#include "model/scheduler.h"
#include "backfill/replan.h"

/* Checks a simulation that exceeds its work budget: only job `now` has a start, and all other jobs have the state
 * "given up". Without a limit on the work, the simulation completes. Frees m. */
static inline void fst_given_up(fs_snapshot *m, uint64_t now)
{
	struct fs_error err = { 0 };
	struct fs_plan_row r;
	fs_plan *p;

	fst_no_error(fsi_plan_create(&p, m, NULL, &err), &err);
	p->work_budget = 1;
	fst_no_error(m->scheduler->plan->run(p, &err), &err);
	assert_true(p->over_budget);
	for (size_t i = 0; i < fs_plan_count(p); i++) {
		fs_plan_row(p, i, &r);
		assert_string_equal(fs_plan_state_name(r.state), r.job == now ? "now" : "given up");
	}
	fs_plan_free(p);
	fst_no_error(fsi_plan_create(&p, m, NULL, &err), &err);
	p->work_budget = UINT64_MAX;
	fst_no_error(m->scheduler->plan->run(p, &err), &err);
	assert_false(p->over_budget);
	fs_plan_free(p);
	fs_snapshot_free(m);
}

#endif
