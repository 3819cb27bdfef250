/* select/avail_index: equal requests share a cache entry, and different requests have separate entries. Requests that
 * depend on allowed nodes, a reservation or a maximum number of switches have no entry. */
#include "fstest.h"

#include "select/avail_index.h"

static struct fsi_request request(void)
{
	struct fsi_request q = { .partition = 1,
				 .limit_s = 600,
				 .nodes.min = 1,
				 .nodes.max = 2,
				 .cpu.total = 4,
				 .reservation = FSI_NO_INDEX };

	return q;
}

static void equal_requests_share_an_entry(void **state)
{
	struct fsi_request_cache m = { 0 };
	struct fsi_request a = request(), b = request();
	struct fsi_cached_request *of_a;

	(void)state;
	b.job = 9; /* requests that differ only in the job share a cache entry */
	of_a = fsi_request_cache_find_entry(&m, &a);
	assert_non_null(of_a);
	assert_int_equal(of_a->start_round, UINT32_MAX);
	of_a->start_round = 5;
	assert_ptr_equal(fsi_request_cache_find_entry(&m, &b), of_a);
	assert_int_equal(m.entry.n, 1);
	fsi_request_cache_release(&m);
}

static void requests_that_differ_in_any_size_have_separate_entries(void **state)
{
	struct fsi_request_cache m = { 0 };
	enum { SIZES = 12 };
	struct fsi_request q[SIZES];

	(void)state;
	for (size_t i = 0; i < SIZES; i++)
		q[i] = request();
	q[1].limit_s = 601;
	q[2].nodes.max = 3;
	q[3].cpu.total = 5;
	q[4].sharing.whole_nodes = true;
	q[5].partition = 2;
	q[6].gpu.total = 3;
	q[7].gpu.per_task = 3;
	q[8].gpu.cpus_per_gpu = 3;
	q[9].gpu.cpus_per_gpu_requested = true;
	q[10].gpu.mem_per_gpu = 3;
	q[11].gpu.max_cpus = 3;
	for (size_t i = 0; i < SIZES; i++)
		assert_non_null(fsi_request_cache_find_entry(&m, &q[i]));
	assert_int_equal(m.entry.n, SIZES);
	fsi_request_cache_release(&m);
}

static void requests_that_depend_on_more_than_sizes_have_no_entry(void **state)
{
	struct fsi_request_cache m = { 0 };
	struct fsi_request q = request();
	uint64_t set = 1;

	(void)state;
	q.set.allowed = &set;
	assert_null(fsi_request_cache_find_entry(&m, &q));
	q = request();
	q.reservation = 0;
	assert_null(fsi_request_cache_find_entry(&m, &q));
	q = request();
	q.nodes.max_switches = 1;
	assert_null(fsi_request_cache_find_entry(&m, &q));
	assert_int_equal(m.entry.n, 0);
	fsi_request_cache_release(&m);
}

static void a_failed_try_is_found_by_a_start_within_it(void **state)
{
	struct fsi_failed_tries t = { 0 };
	size_t at = 0;

	(void)state;
	assert_null(fsi_request_cache_find_try(&t, 5, &at));
	fsi_request_cache_add_try(&t, (struct fsi_failed_try){ .start = 10, .until = 20, .too_few_nodes = true });
	fsi_request_cache_add_try(&t, (struct fsi_failed_try){ .start = 20, .until = 30, .too_few_nodes = true });
	/* one entry of the cache covers both failed tries, because the second begins where the first ends */
	assert_int_equal(t.n, 1);
	fsi_request_cache_add_try(&t, (struct fsi_failed_try){ .start = 30, .until = 50 });
	fsi_request_cache_add_try(&t, (struct fsi_failed_try){ .start = 70, .until = 80 });
	assert_null(fsi_request_cache_find_try(&t, 9, &at));
	assert_int_equal(fsi_request_cache_find_try(&t, 29, &at)->until, 30);
	assert_int_equal(fsi_request_cache_find_try(&t, 30, &at)->until, 50);
	assert_null(fsi_request_cache_find_try(&t, 50, &at));
	assert_int_equal(fsi_request_cache_find_try(&t, 79, &at)->start, 70);
	assert_null(fsi_request_cache_find_try(&t, 80, &at));
	FSI_VEC_FREE(&t);
}

static void entries_survive_growth(void **state)
{
	struct fsi_request_cache m = { 0 };
	struct fsi_request q = request();

	(void)state;
	for (int i = 0; i < 1000; i++) {
		q.limit_s = i;
		assert_non_null(fsi_request_cache_find_entry(&m, &q));
		fsi_request_cache_find_entry(&m, &q)->start_round = (uint32_t)i;
	}
	for (int i = 0; i < 1000; i++) {
		q.limit_s = i;
		assert_int_equal(fsi_request_cache_find_entry(&m, &q)->start_round, i);
	}
	assert_int_equal(m.entry.n, 1000);
	fsi_request_cache_release(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_requests_share_an_entry),
		cmocka_unit_test(requests_that_differ_in_any_size_have_separate_entries),
		cmocka_unit_test(requests_that_depend_on_more_than_sizes_have_no_entry),
		cmocka_unit_test(a_failed_try_is_found_by_a_start_within_it),
		cmocka_unit_test(entries_survive_growth),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
