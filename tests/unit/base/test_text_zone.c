/* base/text: local time with changing UTC offsets. */
#include "fstest.h"

#include "base/text.h"

/* The UTC offset of local time grows by one hour at 10000 and shrinks by one hour at 20000. */
static const struct fs_utc_offset year[] = { { 0, 3600 }, { 10000, 7200 }, { 20000, 3600 } };

static void offsets_follow_the_changes_of_local_time(void **state)
{
	(void)state;
	assert_int_equal(fsi_zone_get_offset(year, 3, -5), 3600);
	assert_int_equal(fsi_zone_get_offset(year, 3, 9999), 3600);
	assert_int_equal(fsi_zone_get_offset(year, 3, 10000), 7200);
	assert_int_equal(fsi_zone_get_offset(year, 3, 19999), 7200);
	assert_int_equal(fsi_zone_get_offset(year, 3, 20000), 3600);
	assert_int_equal(fsi_zone_get_offset(year + 1, 1, 0), 7200);
}

static unsigned moments(int64_t local, int64_t want)
{
	int64_t utc = 1;
	const unsigned n = fsi_zone_local_to_utc(year, 3, local, &utc);

	assert_true(utc == want);
	return n;
}

static void a_local_time_has_zero_one_or_two_utc_times(void **state)
{
	(void)state;
	assert_int_equal(moments(-100, -3700), 1);
	assert_int_equal(moments(13599, 9999), 1);
	/* the clock skips the local times 13600 to 17199 */
	assert_int_equal(moments(13600, 10000), 0);
	assert_int_equal(moments(17199, 13599), 0);
	assert_int_equal(moments(17200, 10000), 1);
	assert_int_equal(moments(23599, 16399), 1);
	/* the clock shows the local times 23600 to 27199 twice; the earlier UTC time is used */
	assert_int_equal(moments(23600, 16400), 2);
	assert_int_equal(moments(27199, 19999), 2);
	assert_int_equal(moments(27200, 23600), 1);
}

static void every_utc_time_is_recovered_from_local_time(void **state)
{
	(void)state;
	for (int64_t t = -5000; t < 30000; t += 7) {
		int64_t utc = 0;
		const unsigned n = fsi_zone_local_to_utc(year, 3, t + fsi_zone_get_offset(year, 3, t), &utc);

		assert_true(n == 1 ? utc == t : n == 2 && (utc == t || utc == t - 3600));
	}
}

static void offsets_are_formatted_and_parsed(void **state)
{
	static const char *const bad[] = { "", "5", "5 ", " 5", "5 x", "x 5", "5 86401", "5 -86401", "5 1 2" };
	struct fs_utc_offset o = { 0, 0 };
	char buf[FSI_ZONE_TEXT];

	(void)state;
	fsi_zone_format_offset(&(struct fs_utc_offset){ -12, -3600 }, buf);
	assert_string_equal(buf, "-12 -3600");
	assert_int_equal(fsi_zone_parse_offset(buf, strlen(buf), &o), 0);
	assert_true(o.since == -12 && o.offset_s == -3600);
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		assert_int_equal(fsi_zone_parse_offset(bad[i], strlen(bad[i]), &o), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(offsets_follow_the_changes_of_local_time),
		cmocka_unit_test(a_local_time_has_zero_one_or_two_utc_times),
		cmocka_unit_test(every_utc_time_is_recovered_from_local_time),
		cmocka_unit_test(offsets_are_formatted_and_parsed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
