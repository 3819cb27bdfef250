/* import/text/page/cells: what may stand in the cells of tables, and what it means. */
#include "fspaste.h"

static void ids(void **state)
{
	(void)state;
	assert_true(fsi_text_job_id(fsi_span_of("7")));
	assert_true(fsi_text_job_id(fsi_span_of("7_[1-4,9%2]")));
	assert_true(fsi_text_job_id(fsi_span_of("7+1")));
	assert_false(fsi_text_job_id(fsi_span_of("_7")));
	assert_false(fsi_text_job_id(fsi_span_of("7a")));
	assert_false(fsi_text_job_id(fsi_span_of("")));
	assert_true(fsi_text_flux_id(fsi_span_of("fAB1")));
	assert_true(fsi_text_flux_id(fsi_span_of("12345")));
	assert_false(fsi_text_flux_id(fsi_span_of("AB1")));
	assert_false(fsi_text_flux_id(fsi_span_of("f0O")));
	assert_false(fsi_text_flux_id(fsi_span_of("")));
}

static void numbers(void **state)
{
	(void)state;
	assert_true(fsi_text_number(fsi_span_of("-12"), false));
	assert_false(fsi_text_number(fsi_span_of("1.5"), false));
	assert_true(fsi_text_number(fsi_span_of("1.5"), true));
	assert_true(fsi_text_number(fsi_span_of("1e-3"), true));
	assert_false(fsi_text_number(fsi_span_of("x"), true));
}

static void states(void **state)
{
	(void)state;
	assert_span(fsi_text_state(fsi_span_of("PD")), "PENDING");
	assert_span(fsi_text_state(fsi_span_of("OOM")), "OUT_OF_MEMORY");
	assert_span(fsi_text_state(fsi_span_of("RUNNING")), "RUNNING");
	assert_span(fsi_text_state(fsi_span_of("RUNN")), "");
	assert_span(fsi_text_state(fsi_span_of("pd")), "");
}

/* A word under a heading of numbers tells that a line is no row of that table. */
static void what_fits(void **state)
{
	(void)state;
	assert_true(fsi_text_fits(TEXT_SQUEUE, "NODES", fsi_span_of("12")));
	assert_false(fsi_text_fits(TEXT_SQUEUE, "NODES", fsi_span_of("regards")));
	assert_true(fsi_text_fits(TEXT_SINFO, "NODES", fsi_span_of("regards")));
	assert_true(fsi_text_fits(TEXT_SQUEUE, "ST", fsi_span_of("PD")));
	assert_false(fsi_text_fits(TEXT_SQUEUE, "ST", fsi_span_of("see below")));
	assert_true(fsi_text_fits(TEXT_SPRIO, "FAIRSHARE", fsi_span_of("0.5")));
	assert_true(fsi_text_fits(TEXT_SSHARE, "FairShare", fsi_span_of("inf")));
	assert_false(fsi_text_fits(TEXT_SPRIO, "FAIRSHARE", fsi_span_of("much")));
	assert_true(fsi_text_fits(TEXT_SINFO, "AVAIL", fsi_span_of("up")));
	assert_false(fsi_text_fits(TEXT_SINFO, "AVAIL", fsi_span_of("maybe")));
	assert_true(fsi_text_fits(TEXT_FLUX_JOBS, "NTASKS", fsi_span_of("-")));
	assert_false(fsi_text_fits(TEXT_FLUX_JOBS, "JOBID", fsi_span_of("")));
	assert_true(fsi_text_fits(TEXT_SQUEUE, "NAME", fsi_span_of("any thing")));
	assert_true(fsi_text_fits(TEXT_SQUEUE, "NODES", fsi_span_of("")));
}

static void limits_and_lists(void **state)
{
	struct fsi_text t = { .name = "t" };
	struct fsi_span list = { NULL, 0 };

	(void)state;
	assert_span(fsi_text_limit(&t, fsi_span_of("5:00")), "0:5:00");
	assert_span(fsi_text_limit(&t, fsi_span_of("1:00:00")), "1:00:00");
	assert_span(fsi_text_limit(&t, fsi_span_of("2-01:00")), "2-01:00");
	assert_span(fsi_text_limit(&t, fsi_span_of("UNLIMITED")), "UNLIMITED");
	list = fsi_text_with_name(&t, list, fsi_span_of("a"));
	list = fsi_text_with_name(&t, list, fsi_span_of("ab"));
	list = fsi_text_with_name(&t, list, fsi_span_of("a"));
	list = fsi_text_with_name(&t, list, fsi_span_of(""));
	assert_span(list, "a,ab");
	fsi_arena_release(&t.arena);
}

static void cells_by_heading(void **state)
{
	struct fsi_span cells[] = { { "7", 1 }, { "x", 1 }, { "8", 1 }, { "y", 1 } };
	struct fsi_text_table table = { .name = { "JOBID", "USER" }, .columns = 2, .rows = 2, .cell = cells };

	(void)state;
	assert_int_equal(fsi_text_column(&table, "USER"), 1);
	assert_int_equal(fsi_text_column(&table, "USE"), 2);
	assert_span(fsi_text_cell(&table, 1, "JOBID"), "8");
	assert_span(fsi_text_cell(&table, 0, "USER"), "x");
	assert_null(fsi_text_cell(&table, 0, "ACCOUNT").s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ids),	      cmocka_unit_test(numbers),	  cmocka_unit_test(states),
		cmocka_unit_test(what_fits), cmocka_unit_test(limits_and_lists), cmocka_unit_test(cells_by_heading),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
