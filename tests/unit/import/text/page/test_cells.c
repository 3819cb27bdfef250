/* import/text/page/cells: what may stand in the cells of tables, and what it means. */
#include "fstest.h"

#include "import/text/text.h"

static struct fsi_span span(const char *s)
{
	return (struct fsi_span){ s, strlen(s) };
}

static void assert_span(struct fsi_span got, const char *want)
{
	assert_int_equal(got.len, strlen(want));
	assert_memory_equal(got.s ? got.s : "", want, got.len);
}

static void ids(void **state)
{
	(void)state;
	assert_true(fsi_text_job_id(span("7")));
	assert_true(fsi_text_job_id(span("7_[1-4,9%2]")));
	assert_true(fsi_text_job_id(span("7+1")));
	assert_false(fsi_text_job_id(span("_7")));
	assert_false(fsi_text_job_id(span("7a")));
	assert_false(fsi_text_job_id(span("")));
	assert_true(fsi_text_flux_id(span("fAB1")));
	assert_true(fsi_text_flux_id(span("12345")));
	assert_false(fsi_text_flux_id(span("AB1")));
	assert_false(fsi_text_flux_id(span("f0O")));
	assert_false(fsi_text_flux_id(span("")));
}

static void numbers(void **state)
{
	(void)state;
	assert_true(fsi_text_number(span("-12"), false));
	assert_false(fsi_text_number(span("1.5"), false));
	assert_true(fsi_text_number(span("1.5"), true));
	assert_true(fsi_text_number(span("1e-3"), true));
	assert_false(fsi_text_number(span("x"), true));
}

static void states(void **state)
{
	(void)state;
	assert_span(fsi_text_state(span("PD")), "PENDING");
	assert_span(fsi_text_state(span("OOM")), "OUT_OF_MEMORY");
	assert_span(fsi_text_state(span("RUNNING")), "RUNNING");
	assert_span(fsi_text_state(span("RUNN")), "");
	assert_span(fsi_text_state(span("pd")), "");
}

/* A word under a heading of numbers tells that a line is no row of that table. */
static void what_fits(void **state)
{
	(void)state;
	assert_true(fsi_text_fits(TEXT_SQUEUE, "NODES", span("12")));
	assert_false(fsi_text_fits(TEXT_SQUEUE, "NODES", span("regards")));
	assert_true(fsi_text_fits(TEXT_SINFO, "NODES", span("regards")));
	assert_true(fsi_text_fits(TEXT_SQUEUE, "ST", span("PD")));
	assert_false(fsi_text_fits(TEXT_SQUEUE, "ST", span("see below")));
	assert_true(fsi_text_fits(TEXT_SPRIO, "FAIRSHARE", span("0.5")));
	assert_true(fsi_text_fits(TEXT_SSHARE, "FairShare", span("inf")));
	assert_false(fsi_text_fits(TEXT_SPRIO, "FAIRSHARE", span("much")));
	assert_true(fsi_text_fits(TEXT_SINFO, "AVAIL", span("up")));
	assert_false(fsi_text_fits(TEXT_SINFO, "AVAIL", span("maybe")));
	assert_true(fsi_text_fits(TEXT_FLUX_JOBS, "NTASKS", span("-")));
	assert_false(fsi_text_fits(TEXT_FLUX_JOBS, "JOBID", span("")));
	assert_true(fsi_text_fits(TEXT_SQUEUE, "NAME", span("any thing")));
	assert_true(fsi_text_fits(TEXT_SQUEUE, "NODES", span("")));
}

static void limits_and_lists(void **state)
{
	struct fsi_text t = { .name = "t" };
	struct fsi_span list = { NULL, 0 };

	(void)state;
	assert_span(fsi_text_limit(&t, span("5:00")), "0:5:00");
	assert_span(fsi_text_limit(&t, span("1:00:00")), "1:00:00");
	assert_span(fsi_text_limit(&t, span("2-01:00")), "2-01:00");
	assert_span(fsi_text_limit(&t, span("UNLIMITED")), "UNLIMITED");
	list = fsi_text_with_name(&t, list, span("a"));
	list = fsi_text_with_name(&t, list, span("ab"));
	list = fsi_text_with_name(&t, list, span("a"));
	list = fsi_text_with_name(&t, list, span(""));
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
