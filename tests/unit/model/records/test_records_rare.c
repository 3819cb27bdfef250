/* Fields that few jobs have are stored in extension rows: one row for each job that has any such field. */
#include "fstest.h"
#include "model/tables.h"

#define HEAD "{\"type\":\"snapshot\",\"format\":1,\"time\":9,\"cluster\":\"c\",\"scheduler\":\"slurm 24.05\"}\n"
#define PLAIN "{\"type\":\"job\",\"id\":1,\"state\":\"PENDING\",\"user\":\"u\",\"time_limit_s\":60}\n"
#define WITH "{\"type\":\"job\",\"id\":2,\"state\":\"PENDING\",\"time_min_s\":30,\"licenses\":\"x:1\",\"row_order\":[\"a\",\"b\"]}\n"
#define UNLIMITED "{\"type\":\"job\",\"id\":3,\"state\":\"PENDING\",\"time_min_s\":\"unlimited\",\"comment\":null}\n"

static void only_jobs_with_extra_fields_have_an_extension_row(void **state)
{
	fs_snapshot *m = fst_snapshot(HEAD PLAIN WITH UNLIMITED);
	const struct fsi_job *j = m->job.v;

	(void)state;
	assert_int_equal(m->job_ext.n, 2);
	assert_int_equal(j[0].ext, 0);
	assert_int_equal(fsi_job_ext(m, &j[0])->time_min_s, 0);
	assert_false(FSI_HAS(&j[0], JOB, time_min_s));
	assert_int_equal(fsi_job_ext(m, &j[1])->time_min_s, 30);
	assert_string_equal(fsi_name_text(m, fsi_job_ext(m, &j[1])->licenses), "x:1");
	assert_true(FSI_SPECIAL(&j[2], JOB, time_min_s));
	assert_false(FSI_HAS(&j[2], JOB, comment));
	fs_snapshot_free(m);
}

/* Keys are written in table order, wherever their members are stored. */
static void extra_fields_are_written_in_table_order(void **state)
{
	fs_snapshot *m = fst_snapshot(HEAD WITH);
	struct fst_sink s = fst_written(m);

	(void)state;
	assert_non_null(strstr(s.data, WITH));
	fst_free(&s);
	fs_snapshot_free(m);
}

static void extra_fields_can_be_set_and_cleared(void **state)
{
	fs_snapshot *m = fst_snapshot(HEAD PLAIN WITH);
	struct fsi_job *j = m->job.v;

	(void)state;
	FSI_CLEAR_JOB_EXT(m, &j[0], switches);
	assert_int_equal(m->job_ext.n, 1);
	assert_int_equal(FSI_SET_JOB_EXT(m, &j[0], switches, 4), 0);
	assert_int_equal(m->job_ext.n, 2);
	assert_true(FSI_HAS(&j[0], JOB, switches));
	assert_int_equal(fsi_job_ext(m, &j[0])->switches, 4);
	assert_int_equal(fsi_job_ext(m, &j[1])->switches, 0);
	assert_int_equal(fsi_job_ext(m, &j[1])->time_min_s, 30);
	FSI_CLEAR_JOB_EXT(m, &j[0], switches);
	assert_false(FSI_HAS(&j[0], JOB, switches));
	assert_int_equal(fsi_job_ext(m, &j[0])->switches, 0);
	fs_snapshot_free(m);
}

static void a_copy_has_its_own_extension_rows(void **state)
{
	fs_snapshot *m = fst_snapshot(HEAD WITH), *copy;
	struct fs_error err;

	(void)state;
	assert_int_equal(fs_snapshot_copy(&copy, m, &err), 0);
	assert_int_equal(FSI_SET_JOB_EXT(copy, copy->job.v, time_min_s, 7), 0);
	assert_int_equal(fsi_job_ext(m, m->job.v)->time_min_s, 30);
	fs_snapshot_free(m);
	assert_int_equal(fsi_job_ext(copy, copy->job.v)->time_min_s, 7);
	fs_snapshot_free(copy);
}

/* Jobs that are not needed are dropped with their extension rows. */
static void extension_rows_are_dropped_with_their_jobs(void **state)
{
	static const char text[] = HEAD "{\"type\":\"config\",\"PriorityMaxAge\":9}\n" PLAIN WITH
		"{\"id\":4,\"comment\":\"c\",\"state\":\"PENDING\",\"type\":\"job\"}\n"
		"{\"id\":5,\"comment\":\"d\",\"state\":\"FAILED\",\"type\":\"job\"}\n";
	struct fs_read_options o = FS_READ_OPTIONS_INIT;
	struct fst_text in = { text, sizeof(text) - 1, 0 };
	struct fs_error err;
	fs_snapshot *m;

	(void)state;
	o.without_jobs = true;
	assert_int_equal(fs_snapshot_read_with(&m, fst_read, &in, "t", &o, &err), 0);
	assert_int_equal(m->job.n, 1);
	assert_int_equal(m->job_ext.n, 1);
	assert_string_equal(fsi_name_text(m, fsi_job_ext(m, m->job.v)->comment), "d");
	fs_snapshot_free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_jobs_with_extra_fields_have_an_extension_row),
		cmocka_unit_test(extra_fields_are_written_in_table_order),
		cmocka_unit_test(extra_fields_can_be_set_and_cleared),
		cmocka_unit_test(a_copy_has_its_own_extension_rows),
		cmocka_unit_test(extension_rows_are_dropped_with_their_jobs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
