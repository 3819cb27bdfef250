/* The index of arrays finds the same job as a search through all jobs. */
#include "fstree.h"

#include "model/jobs.h"
#include "model/tables.h"

enum { JOBS = 40, WORDS = 60, SITES = 60 };

static uint32_t below(uint32_t *seed, uint32_t n)
{
	*seed = *seed * 1664525u + 1013904223u;
	return (*seed >> 8) % n;
}

/* Jobs with ids from 1 on: single tasks of arrays, remaining parts of arrays, and plain jobs. */
static fs_snapshot *site(uint32_t *seed)
{
	char text[JOBS * 128] = "{'type':'snapshot','format':1,'time':1,'cluster':'c','scheduler':'slurm 25.05.3'}\n";

	for (uint32_t id = 1; id <= JOBS; id++) {
		const uint32_t array = 1 + below(seed, JOBS / 2) * 3, what = below(seed, 3), task = below(seed, 5);
		const size_t len = strlen(text);

		if (below(seed, 8) == 0)
			continue;
		snprintf(text + len, sizeof(text) - len, "{'type':'job','id':%u,'state':'PENDING'", id);
		if (what == 1)
			snprintf(text + strlen(text), sizeof(text) - strlen(text), ",'array_job_id':%u,'array_task_id':%u", array, task);
		if (what == 2)
			snprintf(text + strlen(text), sizeof(text) - strlen(text), ",'array_job_id':%u,'array_tasks':'%u-%u'", array, task, task + 2);
		strcat(text, "}\n");
	}
	return fst_snapshot(text);
}

static void write_word(char *out, size_t size, uint32_t *seed)
{
	static const char *const tail[] = { "", "_*", "_[1-3]", "_0", "_2", "_4", "_6", "_18446744073709551615" };
	const uint32_t t = below(seed, sizeof(tail) / sizeof(*tail));

	snprintf(out, size, "%u%s", below(seed, JOBS * 3 / 2), tail[t]);
}

static void the_index_finds_the_same_job_as_a_linear_search(void **state)
{
	uint32_t seed = 7, found = 0, not_there = 0;

	(void)state;
	for (int i = 0; i < SITES; i++) {
		fs_snapshot *m = site(&seed);
		struct fsi_job_arrays arrays;

		assert_int_equal(fsi_job_arrays_init(&arrays, m), 0);
		for (int k = 0; k < WORDS; k++) {
			struct fsi_job_ref w;
			char word[48];
			uint32_t row;

			write_word(word, sizeof(word), &seed);
			assert_int_equal(fsi_job_ref_parse(m, word, &w), 0);
			row = fsi_job_ref_find(m, &w);
			assert_int_equal(fsi_job_arrays_find(&arrays, m, &w), row);
			found += row != FSI_NO_INDEX;
			not_there += row == FSI_NO_INDEX;
		}
		fsi_job_arrays_release(&arrays);
		fs_snapshot_free(m);
	}
	assert_true(found > SITES && not_there > SITES);
}

static void an_empty_index_finds_jobs_by_id(void **state)
{
	fs_snapshot *m = fst_snapshot("{'type':'snapshot','format':1,'time':1,'cluster':'c','scheduler':'slurm 25.05.3'}\n"
				      "{'type':'job','id':5,'state':'PENDING'}\n");
	const struct fsi_job_arrays empty = { 0 };
	struct fsi_job_ref w;

	(void)state;
	assert_int_equal(fsi_job_ref_parse(m, "5", &w), 0);
	assert_int_equal(fsi_job_arrays_find(&empty, m, &w), 0);
	assert_int_equal(fsi_job_ref_parse(m, "6", &w), 0);
	assert_int_equal(fsi_job_arrays_find(&empty, m, &w), FSI_NO_INDEX);
	fs_snapshot_free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_index_finds_the_same_job_as_a_linear_search),
		cmocka_unit_test(an_empty_index_finds_jobs_by_id),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
