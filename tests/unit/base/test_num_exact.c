/* base/num.c: exact sums, products and quotients. */
#include "fstest.h"

#include "base/num.h"

enum { NUMBER_WORDS = 80 };

struct set {
	struct fsi_exact_form form;
	uint32_t v[NUMBER_WORDS];
};

static struct set sum_of(const double *v, size_t n, const double *also, size_t m)
{
	struct fsi_exact_range r = { 0 };
	struct set s = { .v = { 0 } };

	for (size_t i = 0; i < n; i++)
		fsi_exact_extend_range(&r, v[i]);
	for (size_t i = 0; i < m; i++)
		fsi_exact_extend_range(&r, also[i]);
	s.form = fsi_exact_choose_form(&r, n + m);
	assert_in_range(s.form.words, 0, NUMBER_WORDS);
	for (size_t i = 0; i < n; i++)
		fsi_exact_add_double(s.form, s.v, v[i]);
	return s;
}

static void check_order(const double *a, size_t n, const double *b, size_t m, int want)
{
	const struct set x = sum_of(a, n, b, m), y = sum_of(b, m, a, n);

	assert_int_equal(x.form.words, y.form.words);
	assert_int_equal(fsi_exact_compare_words(x.form.words, x.v, y.v), want);
	assert_int_equal(fsi_exact_compare_words(x.form.words, y.v, x.v), -want);
}

static void sums_of_doubles_are_compared_exactly(void **state)
{
	(void)state;
	check_order((double[]){ 0.5, 0.25, 0.25 }, 3, (double[]){ 1 }, 1, 0);
	/* 0.1 and 0.3 are rounded to doubles: three times the first double is more than the second double */
	check_order((double[]){ 0.1, 0.1, 0.1 }, 3, (double[]){ 0.3 }, 1, 1);
	check_order((double[]){ 9007199254740992.0, 1 }, 2, (double[]){ 9007199254740992.0 }, 1, 1);
	check_order((double[]){ 1e300, 1e-300 }, 2, (double[]){ 1e300 }, 1, 1);
	check_order((double[]){ 0, 0 }, 2, (double[]){ 0 }, 1, 0);
	check_order((double[]){ 4294967295.0, 1 }, 2, (double[]){ 4294967296.0 }, 1, 0);
	check_order((double[]){ -3, NAN, INFINITY }, 3, (double[]){ 0 }, 1, 0);
}

static double quotient(double a, double b)
{
	const struct set x = sum_of(&a, 1, &b, 1), y = sum_of(&b, 1, &a, 1);
	uint32_t work[2 * (NUMBER_WORDS + 1)];

	return fsi_exact_divide_words(x.form.words, x.v, y.v, work);
}

/* The quotient of two doubles, rounded once, equals the machine's division. */
static void quotients_are_rounded_once(void **state)
{
	uint64_t random = 3;

	(void)state;
	assert_same_double(quotient(1, 3), 1.0 / 3.0);
	assert_same_double(quotient(0, 3), 0.0);
	assert_same_double(quotient(3, 1), 3.0);
	assert_same_double(quotient(0.1, 0.3), 0.1 / 0.3);
	for (int i = 0; i < 50000; i++) {
		const double a = ldexp((double)(fst_random(&random) >> 11), (int)fst_below(&random, 90) - 45);
		const double b = ldexp((double)((fst_random(&random) >> 11) + 1), (int)fst_below(&random, 90) - 45);

		assert_same_double(quotient(a, b), a / b);
	}
}

static void products_are_exact(void **state)
{
	const uint32_t a[] = { UINT32_MAX, UINT32_MAX }, b[] = { UINT32_MAX };
	const uint32_t want[] = { 1, UINT32_MAX, UINT32_MAX - 1 };
	uint32_t out[3];

	(void)state;
	fsi_exact_multiply_words(out, a, 2, b, 1);
	assert_memory_equal(out, want, sizeof(want));
	fsi_exact_multiply_words(out, b, 1, a, 2);
	assert_memory_equal(out, want, sizeof(want));
}

static void addition_carries_over_all_words(void **state)
{
	uint32_t a[] = { UINT32_MAX, UINT32_MAX, 0 };
	const uint32_t one[] = { 1, 0, 0 }, want[] = { 0, 0, 1 };

	(void)state;
	fsi_exact_add_words(3, a, one);
	assert_memory_equal(a, want, sizeof(want));
	assert_false(fsi_exact_is_zero(3, a));
	assert_true(fsi_exact_is_zero(2, a));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sums_of_doubles_are_compared_exactly),
		cmocka_unit_test(quotients_are_rounded_once),
		cmocka_unit_test(products_are_exact),
		cmocka_unit_test(addition_carries_over_all_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
