/* base/num.c: doubles as text. FS_DOUBLES random doubles (default 300000; make check-doubles: 100 million) are
 * formatted and must read back unchanged. Their text must be the shortest sufficient text of printf. */
#include "fstest.h"

#include "base/num.h"

/* Formats v with printf, with the fewest digits (at least 15) that strtod reads back as the same double. */
static int by_trying(char *buf, double v)
{
	for (int digits = 15; digits < 17; digits++) {
		const int n = snprintf(buf, FSI_DOUBLE_TEXT, "%.*g", digits, v);

		if (strtod(buf, NULL) == v)
			return n;
	}
	return snprintf(buf, FSI_DOUBLE_TEXT, "%.17g", v);
}

static void check_double(double v)
{
	char ours[FSI_DOUBLE_TEXT], tried[FSI_DOUBLE_TEXT];
	const int n = fsi_format_double(ours, v);

	by_trying(tried, v);
	assert_int_equal(n, strlen(ours));
	assert_same_double(strtod(ours, NULL), v);
	assert_string_equal(ours, tried);
}

static double of_bits(uint64_t bits)
{
	double v;

	memcpy(&v, &bits, sizeof(v));
	return v;
}

/* Checks the least and the greatest double of each exponent, and their neighbours. */
static void doubles_of_every_exponent_are_short_and_exact(void **state)
{
	const uint64_t max = (1ull << 52) - 1, ends[] = { 0, 1, 2, max / 2, max - 1, max };

	(void)state;
	for (uint64_t e = 0; e < 2047; e++)
		for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++)
			check_double(of_bits(e << 52 | ends[i]));
}

static void doubles_near_decimals_are_short_and_exact(void **state)
{
	char text[64];
	uint64_t seed = 4;

	(void)state;
	for (int i = 0; i < 100000; i++) {
		snprintf(text, sizeof(text), "%s%llue%d", i & 1 ? "-" : "",
			 (unsigned long long)(fst_random(&seed) >> fst_below(&seed, 64)),
			 (int)fst_below(&seed, 40) - 30);
		check_double(strtod(text, NULL));
	}
}

static void doubles_of_random_bits_are_short_and_exact(void **state)
{
	const char *wanted = getenv("FS_DOUBLES");
	const long rounds = wanted ? strtol(wanted, NULL, 10) : 300000;
	uint64_t seed = 5;

	(void)state;
	for (long i = 0; i < rounds; i++) {
		const double v = of_bits(fst_random(&seed));

		if (isfinite(v))
			check_double(v);
	}
}

static void known_doubles_have_their_shortest_text(void **state)
{
	static const struct {
		double v;
		const char *text;
	} known[] = { { 0, "0" },
		      { -0.0, "-0" },
		      { 0.1, "0.1" },
		      { 1.0 / 3, "0.3333333333333333" },
		      { 100, "100" },
		      { -12.5, "-12.5" },
		      { 0.0001, "0.0001" },
		      { 0.00001234, "1.234e-05" },
		      { 999999999999999, "999999999999999" },
		      { 1e15, "1e+15" },
		      { 1.5e15, "1.5e+15" },
		      { 1234567890123456, "1234567890123456" },
		      { 9007199254740993.0, "9007199254740992" },
		      { 123456789012345680.0, "1.2345678901234568e+17" },
		      { 5e-324, "4.94065645841247e-324" },
		      { 2.2250738585072014e-308, "2.2250738585072014e-308" },
		      { 1.7976931348623157e308, "1.7976931348623157e+308" },
		      { 9.5367431640625e-07, "9.5367431640625e-07" } };
	char buf[FSI_DOUBLE_TEXT];

	(void)state;
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++) {
		assert_int_equal(fsi_format_double(buf, known[i].v), strlen(known[i].text));
		assert_string_equal(buf, known[i].text);
	}
}

static void integers_are_formatted_like_printf(void **state)
{
	char buf[FSI_DOUBLE_TEXT], want[FSI_DOUBLE_TEXT];
	uint64_t seed = 6;

	(void)state;
	for (int i = 0; i < 100000; i++) {
		const uint64_t v = fst_random(&seed) >> fst_below(&seed, 64);

		snprintf(want, sizeof(want), "%llu", (unsigned long long)v);
		assert_int_equal(fsi_format_u64(buf, v), strlen(want));
		assert_string_equal(buf, want);
		snprintf(want, sizeof(want), "%lld", (long long)v);
		assert_int_equal(fsi_format_i64(buf, (int64_t)v), strlen(want));
		assert_string_equal(buf, want);
	}
	fsi_format_i64(buf, INT64_MIN);
	assert_string_equal(buf, "-9223372036854775808");
	fsi_format_u64(buf, 0);
	assert_string_equal(buf, "0");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(known_doubles_have_their_shortest_text),
		cmocka_unit_test(integers_are_formatted_like_printf),
		cmocka_unit_test(doubles_of_every_exponent_are_short_and_exact),
		cmocka_unit_test(doubles_near_decimals_are_short_and_exact),
		cmocka_unit_test(doubles_of_random_bits_are_short_and_exact),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
