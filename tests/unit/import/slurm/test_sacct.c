/* import/slurm/sacct: usage records from sacct -P, with separators in free text. */
#include "fsimport.h"

#define OPTION_HEADING "Account|AllocTRES|AssocID|End|JobID|JobIDRaw|JobName|Partition|QOS|Start|State|SubmitLine|User\n"
#define ROW(id, name, line)                                                                        \
	"physics|billing=5,cpu=4,mem=8000M,node=1|6|2026-11-20T21:00:56|" id "|" id "|" name       \
	"|normal|high|2026-11-20T21:00:52|CANCELLED by 0|" line "|alice\n"

static fs_snapshot *import(const char *sacct)
{
	const struct fst_file files[] = { { "date_begin", "1795208512.7\n" }, { "sacct.txt", sacct } };

	return FST_IMPORT(files);
}

static void a_row_becomes_a_usage_record(void **state)
{
	fs_snapshot *m = import(OPTION_HEADING ROW("17", "wrap", "sbatch --wrap x"));
	const struct fsi_usage *u = m->usage.v;

	(void)state;
	assert_int_equal(m->usage.n, 1);
	assert_int_equal(u->job, 17);
	assert_string_equal(fsi_name_text(m, u->user), "alice");
	assert_string_equal(fsi_name_text(m, u->account), "physics");
	assert_string_equal(fsi_name_text(m, u->partition), "normal");
	assert_string_equal(fsi_name_text(m, u->qos), "high");
	assert_string_equal(fsi_name_text(m, u->state), "CANCELLED");
	assert_int_equal(u->association, 6);
	assert_int_equal(u->end_time - u->start_time, 4);
	assert_int_equal(fsi_amount_of_tres(m, u->tres, fsi_name_find(m, "mem")), 8000);
	assert_int_equal(fsi_amount_of_tres(m, u->tres, fsi_name_find(m, "cpu")), 4);
	fs_snapshot_free(m);
}

static void steps_and_jobs_that_never_ran_are_ignored(void **state)
{
	fs_snapshot *m = import(OPTION_HEADING ROW(
		"17", "wrap", "x") "physics|cpu=4|6|2026-11-20T21:00:56|17.batch|17.batch|batch|||"
				   "2026-11-20T21:00:52|COMPLETED||\n"
				   "physics||6|Unknown|18|18|x|normal|high|Unknown|PENDING|x|alice\n"
				   "physics||6|Unknown|19|19|x|normal|high|None|CANCELLED by 5|x|alice\n"
				   "physics|cpu=1|6|Unknown|20|20|x|normal|high|2026-11-20T21:00:52|RUNNING|x|alice\n");

	(void)state;
	assert_int_equal(m->usage.n, 2);
	assert_int_equal(m->usage.v[1].job, 20);
	assert_false(FSI_HAS(&m->usage.v[1], USAGE, end_time));
	fs_snapshot_free(m);
}

static void separators_in_free_text_are_resolved(void **state)
{
	fs_snapshot *m = import(OPTION_HEADING ROW("1", "a|b", "sbatch x") ROW("2", "wrap", "sbatch --wrap 'a | b | c'")
					ROW("3", "x|2026-11-20T21:00:52|RUNNING", "y") ROW("4", "plain", "plain"));

	(void)state;
	assert_int_equal(m->usage.n, 4);
	for (size_t i = 0; i < 4; i++) {
		assert_int_equal(m->usage.v[i].job, i + 1);
		assert_string_equal(fsi_name_text(m, m->usage.v[i].user), "alice");
		assert_string_equal(fsi_name_text(m, m->usage.v[i].partition), "normal");
		assert_int_equal(m->usage.v[i].end_time - m->usage.v[i].start_time, 4);
	}
	fs_snapshot_free(m);
}

static void rows_that_cannot_be_split_are_counted(void **state)
{
	fs_snapshot *m =
		import(OPTION_HEADING ROW("1", "a|b", "c|d") "left over from a line break\n" ROW("2", "x", "y"));

	(void)state;
	assert_int_equal(m->usage.v[m->usage.n - 1].job, 2);
	assert_int_equal(m->usage.n, 1);
	assert_int_equal(m->warnings.n, 1);
	assert_non_null(strstr(m->warnings.v[0], "2 rows are left out, because a cell has a line break or |"));
	fs_snapshot_free(m);
}

static void bad(const char *sacct, uint64_t line, const char *field)
{
	const struct fst_file files[] = { { "date_begin", "1795208512.7\n" }, { "sacct.txt", sacct } };

	fst_import_refused(files, FST_COUNT(files), NULL, "dir/sacct.txt", line, field);
}

static void malformed_tables_are_refused(void **state)
{
	(void)state;
	bad("JobID|State\n1|RUNNING\n", 1, "heading");
	bad("Start|End\n", 1, "heading");
	bad("JobIDRaw|Start|End\n1|2026-11-20T21:00:52|2026-11-20T21:00:51\n", 2, "end_time");
	bad("JobIDRaw|Start|End|AllocTRES\n1|2026-11-20T21:00:52|Unknown|cpu=-4\n", 2, "tres");
}

/* ---- sacct --json ---- */

#define JSON_JOB(id, time)                                                                         \
	"{\"account\":\"physics\",\"association\":{\"account\":\"physics\",\"cluster\":\"lab\",\"id\":6},"      \
	"\"job_id\":" id ",\"name\":\"a|b\",\"partition\":\"normal\",\"qos\":\"high\",\"user\":\"alice\","     \
	"\"state\":{\"current\":[\"COMPLETED\"],\"reason\":\"None\"},\"time\":" time                     \
	",\"tres\":{\"allocated\":[{\"type\":\"cpu\",\"name\":\"\",\"id\":1,\"count\":4},{\"type\":\"gres\","   \
	"\"name\":\"gpu\",\"id\":1001,\"count\":2}],\"requested\":[]},\"steps\":[{\"tres\":{\"allocated\":[]},"   \
	"\"time\":{\"start\":{\"set\":true,\"number\":9}}}]}"

static fs_snapshot *import_json(const char *json)
{
	const struct fst_file files[] = { { "date_begin", "1795208512.7\n" }, { "sacct.json", json } };

	return FST_IMPORT(files);
}

static void jobs_from_json_become_usage_records(void **state)
{
	fs_snapshot *m = import_json("{\"jobs\":[" JSON_JOB("17", "{\"start\":1000,\"end\":1060,\"elapsed\":60}") ",\n" JSON_JOB(
		"18", "{\"start\":0,\"end\":0}") "," JSON_JOB("19", "{\"start\":{\"set\":true,\"infinite\":false,"
								"\"number\":2000},\"end\":0}") "],\"meta\":{}}");
	const struct fsi_usage *u = m->usage.v;

	(void)state;
	assert_int_equal(m->usage.n, 2);
	assert_int_equal(u->job, 17);
	assert_int_equal(u->start_time, 1000);
	assert_int_equal(u->end_time, 1060);
	assert_int_equal(u->association, 6);
	assert_string_equal(fsi_name_text(m, u->user), "alice");
	assert_string_equal(fsi_name_text(m, u->qos), "high");
	assert_string_equal(fsi_name_text(m, u->state), "COMPLETED");
	assert_int_equal(fsi_amount_of_tres(m, u->tres, fsi_name_find(m, "gres/gpu")), 2);
	assert_int_equal(fsi_amount_of_tres(m, u->tres, fsi_name_find(m, "cpu")), 4);
	assert_int_equal(u[1].job, 19);
	assert_int_equal(u[1].start_time, 2000);
	assert_false(FSI_HAS(&u[1], USAGE, end_time));
	fs_snapshot_free(m);
}

static void malformed_json_is_refused(void **state)
{
	static const struct {
		const char *json, *field;
	} cases[] = { { "{\"jobs\":[" JSON_JOB("17", "{\"start\":1000,\"end\":999}") "]}", "end_time" },
		      { "{\"jobs\":[" JSON_JOB("\"x\"", "{\"start\":1000}") "]}", "job_id" },
		      { "{\"jobs\":[" JSON_JOB("17", "{\"start\":9000000000000000000}") "]}", "time" },
		      { "{\"jobs\":[{\"job_id\":1", "" } };

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const struct fst_file files[] = { { "date_begin", "1795208512.7\n" }, { "sacct.json", cases[i].json } };

		fst_import_refused(files, FST_COUNT(files), NULL, "dir/sacct.json", 1, cases[i].field);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_row_becomes_a_usage_record),
		cmocka_unit_test(steps_and_jobs_that_never_ran_are_ignored),
		cmocka_unit_test(separators_in_free_text_are_resolved),
		cmocka_unit_test(rows_that_cannot_be_split_are_counted),
		cmocka_unit_test(malformed_tables_are_refused),
		cmocka_unit_test(jobs_from_json_become_usage_records),
		cmocka_unit_test(malformed_json_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
