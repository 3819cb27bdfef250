/* base/num: numbers, times and sizes from text. */
#include "fstest.h"

#include "base/num.h"
#include "base/hostlist.h"

#define REFUSED(parse, s) assert_int_equal(parse(s, strlen(s), &v), -1)
#define GIVES(parse, s, want) \
	do { \
		v = 77; \
		assert_int_equal(parse(s, strlen(s), &v), 0); \
		assert_true(v == (want)); \
	} while (0)

static void whole_numbers_are_parsed_or_refused(void **state)
{
	(void)state;
	{
		uint64_t v;

		GIVES(fsi_parse_u64, "0", 0);
		GIVES(fsi_parse_u64, "007", 7);
		GIVES(fsi_parse_u64, "18446744073709551615", UINT64_MAX);
		assert_int_equal(fsi_parse_u64("123x", 3, &v), 0);
		assert_int_equal(v, 123);
		REFUSED(fsi_parse_u64, "18446744073709551616");
		REFUSED(fsi_parse_u64, "99999999999999999999");
		REFUSED(fsi_parse_u64, "");
		REFUSED(fsi_parse_u64, "-1");
		REFUSED(fsi_parse_u64, "+1");
		REFUSED(fsi_parse_u64, " 1");
		REFUSED(fsi_parse_u64, "1 ");
		REFUSED(fsi_parse_u64, "1.0");
		assert_int_equal(fsi_parse_u64("1\0002", 3, &v), -1);
	}
	int64_t v;

	GIVES(fsi_parse_i64, "-1", -1);
	GIVES(fsi_parse_i64, "9223372036854775807", INT64_MAX);
	GIVES(fsi_parse_i64, "-9223372036854775808", INT64_MIN);
	REFUSED(fsi_parse_i64, "9223372036854775808");
	REFUSED(fsi_parse_i64, "-9223372036854775809");
	REFUSED(fsi_parse_i64, "-");
	REFUSED(fsi_parse_i64, "--1");
	REFUSED(fsi_parse_i64, "");
}

static void doubles_are_parsed_or_refused(void **state)
{
	static const char *const bad[] = { "",      "-",   "nan",  "inf", "-inf", "0x10", "1e999",
					   "1.2.3", "1,5", " 1",   "1 ",  "e5",   "+1",   "1e",
					   "1-2",   ".",   "1e5x", "1f",  "1_0" };
	char many[600];
	double v;

	(void)state;
	GIVES(fsi_parse_double, "1", 1.0);
	GIVES(fsi_parse_double, "-1.5", -1.5);
	GIVES(fsi_parse_double, ".5", 0.5);
	GIVES(fsi_parse_double, "1e3", 1000.0);
	GIVES(fsi_parse_double, "25E-2", 0.25);
	GIVES(fsi_parse_double, "0.1", 0.1);
	GIVES(fsi_parse_double, "179769313486231570000000000000000000000", 1.7976931348623157e38);
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		REFUSED(fsi_parse_double, bad[i]);
	assert_int_equal(fsi_parse_double("1\0002", 3, &v), -1);
	memset(many, '1', sizeof(many));
	assert_int_equal(fsi_parse_double(many, sizeof(many), &v), -1);
}

static void durations_are_parsed_or_refused(void **state)
{
	static const char *const bad[] = { "",   "5",         "-1:00", "1:2:3:4", "a:b",
					   "1-", "1:",        ":1",    "1--2",    "-",
					   ":",  "1-2:3:4:5", " 1:00", "1:00 ",   "1:-2" };
	int64_t v;

	(void)state;
	GIVES(fsi_parse_duration, "1-02:03:04", 93784);
	GIVES(fsi_parse_duration, "02:03:04", 7384);
	GIVES(fsi_parse_duration, "03:04", 184);
	GIVES(fsi_parse_duration, "1-02", 93600);
	GIVES(fsi_parse_duration, "1-02:03", 93780);
	GIVES(fsi_parse_duration, "00:00:00", 0);
	GIVES(fsi_parse_duration, "7-00:00:00", 604800);
	GIVES(fsi_parse_duration, "100:00:00", 360000);
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		REFUSED(fsi_parse_duration, bad[i]);
	REFUSED(fsi_parse_duration, "99999999999999999999-00:00:00");
	REFUSED(fsi_parse_duration, "18446744073709551615:00");
}

static bool leap(int y)
{
	return y % 4 == 0 && (y % 100 != 0 || y % 400 == 0);
}

/* Parses each day from 1970 to 2199, and compares the result with a count of the days since 1970-01-01. */
static void civil_times_count_days(void **state)
{
	static const int days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
	int64_t v, day = 0;
	char s[64];

	(void)state;
	for (int y = 1970; y < 2200; y++)
		for (int m = 1; m <= 12; m++)
			for (int d = 1; d <= days[m - 1] + (m == 2 && leap(y)); d++, day++) {
				snprintf(s, sizeof(s), "%04d-%02d-%02dT01:02:03", y, m, d);
				GIVES(fsi_parse_civil_time, s, day * 86400 + 3723);
			}
	GIVES(fsi_parse_civil_time, "2023-11-14T22:13:20", 1700000000);
	GIVES(fsi_parse_civil_time, "1969-12-31T23:59:59", -1);
}

static void malformed_civil_times_are_refused(void **state)
{
	static const char *const bad[] = {
		"",
		"Unknown",
		"N/A",
		"2023-02-30T00:00:00",
		"2023-13-01T00:00:00",
		"2023-00-01T00:00:00",
		"2023-01-00T00:00:00",
		"2023-01-32T00:00:00",
		"2023-01-01T24:00:00",
		"2023-01-01T00:60:00",
		"2023-01-01T00:00:61",
		"2023-01-01 00:00:00",
		"2023-01-01T00:00:0",
		"2023-01-01T00:00:00Z",
		"2023-1-01T00:00:000",
		"2023-04-31T00:00:00",
		"+023-01-01T00:00:00",
		"2x23-01-01T00:00:00",
		"20 3-01-01T00:00:00",
		"2023-0x-01T00:00:00",
		"2023-01-01T00-00:00",
		"2023-01-01T00:00.00",
	};
	int64_t v;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		REFUSED(fsi_parse_civil_time, bad[i]);
}

static void civil_times_follow_leap_years(void **state)
{
	int64_t v;

	(void)state;
	GIVES(fsi_parse_civil_time, "2024-02-29T00:00:00", 1709164800);
	GIVES(fsi_parse_civil_time, "2000-02-29T00:00:00", 951782400);
	REFUSED(fsi_parse_civil_time, "2023-02-29T00:00:00");
	REFUSED(fsi_parse_civil_time, "2100-02-29T00:00:00");
}

static void memory_sizes_and_counts_are_parsed_or_refused(void **state)
{
	int64_t v;

	(void)state;
	GIVES(fsi_parse_mem_mb, "16G", 16384);
	GIVES(fsi_parse_mem_mb, "512", 512);
	GIVES(fsi_parse_mem_mb, "512M", 512);
	GIVES(fsi_parse_mem_mb, "1024k", 1);
	GIVES(fsi_parse_mem_mb, "1.5g", 1536);
	GIVES(fsi_parse_mem_mb, "2T", 2097152);
	GIVES(fsi_parse_mem_mb, "1P", 1073741824);
	GIVES(fsi_parse_mem_mb, "500K", 0);
	GIVES(fsi_parse_mem_mb, "600K", 1);
	GIVES(fsi_parse_count, "1K", 1024);
	GIVES(fsi_parse_count, "1.5K", 1536);
	GIVES(fsi_parse_count, "3m", 3145728);
	GIVES(fsi_parse_count, "-3", -3);
	GIVES(fsi_parse_count, "9223372036854775807", INT64_MAX);
	REFUSED(fsi_parse_mem_mb, "");
	REFUSED(fsi_parse_mem_mb, "G");
	REFUSED(fsi_parse_mem_mb, "1X");
	REFUSED(fsi_parse_mem_mb, "1GB");
	REFUSED(fsi_parse_mem_mb, "1 G");
	REFUSED(fsi_parse_mem_mb, "1e300G");
	REFUSED(fsi_parse_count, "K");
	REFUSED(fsi_parse_count, "1Q");
	REFUSED(fsi_parse_count, "9000000000000000000P");
}

static void tasks_of_an_array_are_counted(void **state)
{
	(void)state;
	assert_int_equal(fsi_count_tasks("3"), 1);
	assert_int_equal(fsi_count_tasks("0-9"), 10);
	assert_int_equal(fsi_count_tasks("0-9:3,12%2"), 5);
	assert_int_equal(fsi_count_tasks("7-7,9"), 2);
	assert_int_equal(fsi_count_tasks("9-0"), 1);
	assert_int_equal(fsi_count_tasks("0-18446744073709551615"), 1);
	assert_int_equal(fsi_count_tasks("0-9:0"), 1);
}

static void a_total_is_divided_evenly(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < 3; i++)
		assert_int_equal(fsi_compute_even_part(8, 3, i), i < 2 ? 3 : 2);
	assert_int_equal(fsi_compute_even_part(2, 3, 2), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tasks_of_an_array_are_counted),
		cmocka_unit_test(a_total_is_divided_evenly),
		cmocka_unit_test(whole_numbers_are_parsed_or_refused),
		cmocka_unit_test(doubles_are_parsed_or_refused),
		cmocka_unit_test(durations_are_parsed_or_refused),
		cmocka_unit_test(civil_times_count_days),
		cmocka_unit_test(malformed_civil_times_are_refused),
		cmocka_unit_test(civil_times_follow_leap_years),
		cmocka_unit_test(memory_sizes_and_counts_are_parsed_or_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
