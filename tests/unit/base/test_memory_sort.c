/* base/memory: a stable sort with a context. */
#include "fstest.h"

struct item {
	uint32_t key, place;
};

static int by_key(const void *x, const void *y, const void *ctx)
{
	const struct item *a = x, *b = y;
	const int c = (a->key > b->key) - (a->key < b->key);

	return *(const int *)ctx * c;
}

static void any_length_is_sorted_stably(void **state)
{
	const int rising = 1, falling = -1;
	struct item v[300];
	uint64_t seed = 8;

	(void)state;
	for (uint32_t n = 0; n < 300; n++) {
		const int *order = n % 2 ? &rising : &falling;

		for (uint32_t i = 0; i < n; i++)
			v[i] = (struct item){ fst_below(&seed, 20), i };
		assert_int_equal(fs_sort(v, n, sizeof(*v), by_key, order), 0);
		for (uint32_t i = 1; i < n; i++) {
			assert_true(by_key(&v[i - 1], &v[i], order) <= 0);
			if (v[i - 1].key == v[i].key)
				assert_true(v[i - 1].place < v[i].place);
		}
	}
}

static void a_size_that_overflows_is_refused(void **state)
{
	const int rising = 1;

	(void)state;
	assert_int_equal(fs_sort(NULL, SIZE_MAX / 2, 8, by_key, &rising), FS_ENOMEM);
	assert_int_equal(fs_sort(NULL, 0, 8, by_key, &rising), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_length_is_sorted_stably),
		cmocka_unit_test(a_size_that_overflows_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
