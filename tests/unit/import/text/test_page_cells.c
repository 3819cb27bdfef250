/* import/text/page: cells of tables and their meaning. */
#include "fspaste.h"

static void job_ids_are_recognised(void **state)
{
	(void)state;
	assert_true(fsi_text_is_job_id(fsi_string_to_span("7")));
	assert_true(fsi_text_is_job_id(fsi_string_to_span("7_[1-4,9%2]")));
	assert_true(fsi_text_is_job_id(fsi_string_to_span("7+1")));
	assert_false(fsi_text_is_job_id(fsi_string_to_span("_7")));
	assert_false(fsi_text_is_job_id(fsi_string_to_span("7a")));
	assert_false(fsi_text_is_job_id(fsi_string_to_span("")));
	assert_true(fsi_text_is_flux_id(fsi_string_to_span("fAB1")));
	assert_true(fsi_text_is_flux_id(fsi_string_to_span("12345")));
	assert_false(fsi_text_is_flux_id(fsi_string_to_span("AB1")));
	assert_false(fsi_text_is_flux_id(fsi_string_to_span("f0O")));
	assert_false(fsi_text_is_flux_id(fsi_string_to_span("")));
}

static void numbers_are_recognised(void **state)
{
	(void)state;
	assert_true(fsi_text_is_number(fsi_string_to_span("-12"), false));
	assert_false(fsi_text_is_number(fsi_string_to_span("1.5"), false));
	assert_true(fsi_text_is_number(fsi_string_to_span("1.5"), true));
	assert_true(fsi_text_is_number(fsi_string_to_span("1e-3"), true));
	assert_false(fsi_text_is_number(fsi_string_to_span("x"), true));
}

static void short_job_states_are_expanded(void **state)
{
	(void)state;
	assert_span(fsi_text_expand_state(fsi_string_to_span("PD")), "PENDING");
	assert_span(fsi_text_expand_state(fsi_string_to_span("OOM")), "OUT_OF_MEMORY");
	assert_span(fsi_text_expand_state(fsi_string_to_span("RUNNING")), "RUNNING");
	assert_span(fsi_text_expand_state(fsi_string_to_span("RUNN")), "");
	assert_span(fsi_text_expand_state(fsi_string_to_span("pd")), "");
}

static bool fits_column(enum fsi_text_kind kind, const char *name, struct fsi_span v)
{
	return fsi_text_fits_type(kind, fsi_text_cell_type(kind, name), v);
}

/* A line with a word under a heading of numbers is not a row of that table. */
static void a_cell_must_fit_its_column(void **state)
{
	(void)state;
	assert_true(fits_column(TEXT_SQUEUE, "NODES", fsi_string_to_span("12")));
	assert_false(fits_column(TEXT_SQUEUE, "NODES", fsi_string_to_span("regards")));
	assert_false(fits_column(TEXT_SINFO, "NODES", fsi_string_to_span("regards")));
	assert_true(fits_column(TEXT_SQUEUE, "ST", fsi_string_to_span("PD")));
	assert_false(fits_column(TEXT_SQUEUE, "ST", fsi_string_to_span("see below")));
	assert_true(fits_column(TEXT_SPRIO, "FAIRSHARE", fsi_string_to_span("0.5")));
	assert_true(fits_column(TEXT_SSHARE, "FairShare", fsi_string_to_span("inf")));
	assert_false(fits_column(TEXT_SPRIO, "FAIRSHARE", fsi_string_to_span("much")));
	assert_true(fits_column(TEXT_SINFO, "AVAIL", fsi_string_to_span("up")));
	assert_false(fits_column(TEXT_SINFO, "AVAIL", fsi_string_to_span("maybe")));
	assert_true(fits_column(TEXT_FLUX_JOBS, "NTASKS", fsi_string_to_span("-")));
	assert_false(fits_column(TEXT_FLUX_JOBS, "JOBID", fsi_string_to_span("")));
	assert_true(fits_column(TEXT_SQUEUE, "NAME", fsi_string_to_span("any thing")));
	assert_true(fits_column(TEXT_SQUEUE, "NODES", fsi_string_to_span("")));
}

static void limits_and_lists_are_written_in_full_form(void **state)
{
	struct fsi_text t = { .name = "t" };
	struct fsi_span list = { NULL, 0 };

	(void)state;
	assert_span(fsi_text_format_limit(&t, fsi_string_to_span("5:00")), "0:5:00");
	assert_span(fsi_text_format_limit(&t, fsi_string_to_span("1:00:00")), "1:00:00");
	assert_span(fsi_text_format_limit(&t, fsi_string_to_span("2-01:00")), "2-01:00");
	assert_span(fsi_text_format_limit(&t, fsi_string_to_span("UNLIMITED")), "UNLIMITED");
	list = fsi_text_append_name(&t, list, fsi_string_to_span("a"));
	list = fsi_text_append_name(&t, list, fsi_string_to_span("ab"));
	list = fsi_text_append_name(&t, list, fsi_string_to_span("a"));
	list = fsi_text_append_name(&t, list, fsi_string_to_span(""));
	assert_span(list, "a,ab");
	fsi_arena_release(&t.arena);
}

static void cells_are_found_by_heading(void **state)
{
	struct fsi_span cells[] = { { "7", 1 }, { "x", 1 }, { "8", 1 }, { "y", 1 } };
	struct fsi_text_table table = { .name = { "JOBID", "USER" }, .columns = 2, .rows = 2, .cell = cells };

	(void)state;
	assert_int_equal(fsi_text_find_column(&table, "USER"), 1);
	assert_int_equal(fsi_text_find_column(&table, "USE"), 2);
	assert_span(fsi_text_find_cell(&table, 1, "JOBID"), "8");
	assert_span(fsi_text_find_cell(&table, 0, "USER"), "x");
	assert_null(fsi_text_find_cell(&table, 0, "ACCOUNT").s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(job_ids_are_recognised),
		cmocka_unit_test(numbers_are_recognised),
		cmocka_unit_test(short_job_states_are_expanded),
		cmocka_unit_test(a_cell_must_fit_its_column),
		cmocka_unit_test(limits_and_lists_are_written_in_full_form),
		cmocka_unit_test(cells_are_found_by_heading),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
