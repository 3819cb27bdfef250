/* Compares the choice of retained snapshots with an independent implementation of the rule, for random histories. */
#include "snap/snap.h"

#include "../unit/fstest.h"

#include <stdlib.h>
#include <string.h>

enum { HOUR = 3600, DAY = 24 * HOUR, WEEK = 7 * DAY, YEAR = 365 * DAY, MANY = 3000 };

/* Returns true if snapshot i must be retained. These are all snapshots of the last day, the first snapshot of each hour
 * of the last week, and the first snapshot of each day of the last year. */
static bool stays(const int64_t *t, size_t n, size_t i)
{
	const int64_t age = t[n - 1] - t[i];

	if (age < DAY)
		return true;
	if (age >= YEAR)
		return false;
	const int64_t span = age < WEEK ? HOUR : DAY;

	for (size_t k = 0; k < i; k++) {
		const int64_t other = t[n - 1] - t[k];

		if (t[k] / span == t[i] / span && other >= DAY && other < YEAR && (other < WEEK) == (age < WEEK))
			return false;
	}
	return true;
}

static int by_time(const void *a, const void *b)
{
	const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return x < y ? -1 : x > y;
}

static size_t fill(int64_t *t, unsigned seed)
{
	const size_t n = 1 + seed * 37 % MANY;
	const int64_t span = seed % 3 ? (seed % 2 ? 2 * WEEK : 2 * DAY) : 2 * (int64_t)YEAR;

	srand(seed);
	for (size_t i = 0; i < n; i++)
		t[i] = 1700000000 + (int64_t)((double)rand() / RAND_MAX * (double)span);
	qsort(t, n, sizeof(*t), by_time);
	return n;
}

static void retained_snapshots_follow_the_rule(void **state)
{
	static int64_t t[MANY];
	static bool keep[MANY];

	(void)state;
	for (unsigned seed = 1; seed <= 60; seed++) {
		const size_t n = fill(t, seed);

		history_choose_retained_times(t, n, keep);
		assert_true(keep[n - 1]);
		for (size_t i = 0; i < n; i++)
			assert_int_equal(keep[i], stays(t, n, i));
	}
}

/* Retained snapshots are retained again by a second run. */
static void retained_snapshots_stay_when_thinned_again(void **state)
{
	static int64_t t[MANY];
	static bool keep[MANY];

	(void)state;
	for (unsigned seed = 1; seed <= 60; seed++) {
		size_t n = fill(t, seed), left = 0;

		history_choose_retained_times(t, n, keep);
		for (size_t i = 0; i < n; i++)
			if (keep[i])
				t[left++] = t[i];
		history_choose_retained_times(t, left, keep);
		for (size_t i = 0; i < left; i++)
			assert_true(keep[i]);
	}
}

/* If a wrong clock dates one or several snapshots years into the future, the other snapshots do not count as old. */
static void snapshots_from_the_far_future_remove_no_others(void **state)
{
	static const int64_t t[] = { 1700000000, 1700000000 + 2 * HOUR, 1700000000 + 3 * HOUR,
				     1700000000 + 2 * (int64_t)YEAR, 1700000000 + 3 * (int64_t)YEAR };
	static const size_t stray[] = { 0, 0, 0, 0, 1, 2 };
	bool keep[5];

	(void)state;
	for (size_t n = 0; n <= 5; n++) {
		assert_int_equal(history_count_outlier_times(t, n), stray[n]);
		history_choose_retained_times(t, n, keep);
		for (size_t i = 0; i < n; i++)
			assert_true(keep[i]);
	}
}

static void file_names_encode_the_time(void **state)
{
	char name[HISTORY_NAME_SIZE];
	int64_t t;

	(void)state;
	assert_int_equal(history_format_file_name(name, 1795190460), 0);
	assert_string_equal(name, "20261120T160100Z.jsonl.zst");
	assert_int_equal(history_parse_file_name(name, &t), 0);
	assert_int_equal(t, 1795190460);
	for (int64_t at = 0; at < (int64_t)200 * YEAR; at += 123456789) {
		assert_int_equal(history_format_file_name(name, at), 0);
		assert_int_equal(history_parse_file_name(name, &t), 0);
		assert_int_equal(t, at);
	}
	static const char *const others[] = { "", "x", "20261120T160100Z", "20261120T160100Z.jsonl", "20261120T160100Z.jsonl.zst.digest",
					      "20261320T160100Z.jsonl.zst", "20261120T166100Z.jsonl.zst", "20260230T160100Z.jsonl.zst",
					      "2026112 T160100Z.jsonl.zst", "a20261120T160100Z.jsonl.zst" };
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		assert_int_equal(history_parse_file_name(others[i], &t), -1);
	assert_int_equal(history_format_file_name(name, INT64_MAX), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(retained_snapshots_follow_the_rule),
		cmocka_unit_test(retained_snapshots_stay_when_thinned_again),
		cmocka_unit_test(snapshots_from_the_far_future_remove_no_others),
		cmocka_unit_test(file_names_encode_the_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
