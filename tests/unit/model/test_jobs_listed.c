/* The order of Slurm's list of jobs. */
#include "fstest.h"

#define J(id, more) REC("job", "'id':" #id ",'state':'PENDING'" more)

static void check(const char *text, const char *want)
{
	fs_snapshot *m = fst_snapshot(text);
	const size_t n = fs_snapshot_info(m)->jobs;
	uint64_t place[16];
	char got[200] = "";

	assert_true(n <= 16);
	assert_int_equal(fs_jobs_list_order(m, place), 0);
	for (uint64_t at = 0; at < 100; at++)
		for (uint32_t i = 0; i < n; i++) {
			struct fs_job j;

			fs_snapshot_job(m, i, &j);
			if (place[i] == at)
				snprintf(got + strlen(got), sizeof(got) - strlen(got), "%s%llu", *got ? " " : "",
					 (unsigned long long)j.id);
		}
	assert_string_equal(got, want);
	fs_snapshot_free(m);
}

/* Tasks 1 and 2 were split off array 3 as jobs 5 and 8. Job 5 is listed at the position of the array, and the remaining
 * tasks of the array are listed at the position of job id 8. */
static void an_array_is_listed_where_its_last_task_was_split_off(void **state)
{
	(void)state;
	check(FST_HEAD J(7, "") J(2, "") J(3, ",'array_job_id':3,'array_tasks':'3-9'") J(4, "")
	      J(8, ",'array_job_id':3,'array_task_id':2") J(5, ",'array_job_id':3,'array_task_id':1") J(9, ""),
	      "2 5 4 8 7 3 9");
}

static void whole_and_fully_split_arrays_keep_their_place(void **state)
{
	(void)state;
	check(FST_HEAD J(2, ",'array_job_id':2,'array_tasks':'1-9'") J(3, ""), "2 3");
	check(FST_HEAD J(1, "") J(5, ",'array_job_id':2,'array_task_id':1") J(3, "") J(6, ",'array_job_id':2,'array_task_id':2"),
	      "1 5 3 6");
	check(FST_HEAD, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_array_is_listed_where_its_last_task_was_split_off),
		cmocka_unit_test(whole_and_fully_split_arrays_keep_their_place),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
