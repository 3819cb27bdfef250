/* render/text.c: numbers are written as printf writes them. */
#include "fstest.h"

#include "render/text.h"

#include <math.h>

static void same(double v, int digits, bool sign)
{
	char ours[DIGITS_TEXT], theirs[400];
	const size_t n = format_fixed_digits(ours, v, digits, sign);

	snprintf(theirs, sizeof(theirs), sign ? "%+.*f" : "%.*f", digits, v);
	assert_string_equal(ours, theirs);
	assert_int_equal(n, strlen(theirs));
}

static void fixed_digits_are_those_of_printf(void **state)
{
	static const double edge[] = { 0,
				       -0.0,
				       0.5,
				       1.5,
				       2.5,
				       -0.5,
				       0.0005,
				       0.0015,
				       0.0025,
				       1e-9,
				       -1e-9,
				       0.9995,
				       0.99949,
				       999.9995,
				       1e13,
				       1e14,
				       99999999999999.5,
				       4503599627370496.5,
				       9007199254740993.0,
				       1e15,
				       1e40,
				       0.125,
				       0.0625,
				       1234567.0005,
				       0.000000499999999,
				       86908,
				       -6000.001 };
	uint64_t seed = 77;

	(void)state;
	for (size_t i = 0; i < sizeof(edge) / sizeof(*edge); i++)
		for (int digits = 0; digits <= 9; digits++) {
			same(edge[i], digits, false);
			same(edge[i], digits, true);
		}
	for (int i = 0; i < 200000; i++) {
		const double size = pow(10, fst_below(&seed, 14));
		const double v = ((double)fst_below(&seed, 2000001) / 1000000 - 1) * size;

		same(v, (int)fst_below(&seed, 10), fst_below(&seed, 2));
		same(rint(v * 1000) / 1000 + 0.0005, 3, true);
	}
}

static void numbers_with_too_many_digits_have_an_exponent(void **state)
{
	char text[DIGITS_TEXT];

	(void)state;
	format_fixed_digits(text, 1e300, 6, false);
	assert_string_equal(text, "1.00000000000000005e+300");
	format_fixed_digits(text, INFINITY, 0, true);
	assert_string_equal(text, "+inf");
}

static void whole_digits_are_those_of_printf(void **state)
{
	static const uint64_t of[] = { 0, 9, 10, 4294967296u, UINT64_MAX };
	char ours[DIGITS_WHOLE], theirs[40];

	(void)state;
	for (size_t i = 0; i < sizeof(of) / sizeof(*of); i++) {
		snprintf(theirs, sizeof(theirs), "%llu", (unsigned long long)of[i]);
		assert_int_equal(format_whole_digits(ours, of[i]), strlen(theirs));
		assert_string_equal(ours, theirs);
	}
}

/* Checks that format_fewest_digits chooses the lowest number of decimals, at most `most`, from which strtod gets v
 * back. */
static void fewest(double v, int most)
{
	char ours[DIGITS_TEXT], theirs[400];
	int digits = 0;

	do
		snprintf(theirs, sizeof(theirs), "%.*f", digits, v);
	while (strtod(theirs, NULL) != v && ++digits <= most);
	if (format_fewest_digits(ours, v, most))
		assert_string_equal(ours, theirs);
	else
		assert_true(digits > 9 || most > 9 || fabs(v) > 1e4);
}

static void fewest_digits_read_back_as_the_number(void **state)
{
	static const double edge[] = { 0,
				       -0.0,
				       0.1,
				       0.3,
				       1e-9,
				       1e-10,
				       1.0 / 3,
				       2.0 / 3,
				       123456.789,
				       1e13,
				       1e14,
				       1e15,
				       1e300,
				       99999.5,
				       0.5,
				       5e-324,
				       4503599627370496.5,
				       1e14 - 0.015625,
				       0.1 + 0.2 };
	uint64_t seed = 5;
	char text[DIGITS_TEXT];

	(void)state;
	for (size_t i = 0; i < sizeof(edge) / sizeof(*edge); i++)
		for (int most = 0; most < 12; most++)
			fewest(edge[i], most);
	for (int i = 0; i < 200000; i++) {
		const double of = pow(10, fst_below(&seed, 10)), v = (double)fst_below(&seed, 100000001) / of;

		fewest(fst_below(&seed, 2) ? v : v / 3, (int)fst_below(&seed, 11));
	}
	assert_true(format_fewest_digits(text, 0.25, 6)); /* the function must succeed for usual numbers such as 0.25 */
	assert_true(format_fewest_digits(text, 1.0 / 3, 6));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fixed_digits_are_those_of_printf),
		cmocka_unit_test(numbers_with_too_many_digits_have_an_exponent),
		cmocka_unit_test(whole_digits_are_those_of_printf),
		cmocka_unit_test(fewest_digits_read_back_as_the_number),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
