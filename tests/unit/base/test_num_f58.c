/* base/num.c: job ids in Flux's base 58 (F58). Ids and their texts are from `flux jobs` (tests/cases/flux). */
#include "fstest.h"

#include "base/num.h"

static const struct {
	uint64_t id;
	const char *text;
} pairs[] = {
	{ 208546432024576, "2dTAM4jKm" }, { 208563611893760, "2dTcXC3ts" }, { 212841399320576, "2fPyzcn1d" },
	{ 0, "1" },			  { 57, "z" },			    { 58, "21" },
	{ UINT64_MAX, "jpXCZedGfVQ" },
};

static void known_ids_are_formatted_and_parsed(void **state)
{
	char buf[FS_F58_TEXT], text[32];
	uint64_t id;

	(void)state;
	for (size_t i = 0; i < sizeof(pairs) / sizeof(*pairs); i++) {
		snprintf(text, sizeof(text), "\xc6\x92%s", pairs[i].text);
		assert_string_equal(fs_f58_format(pairs[i].id, false, buf), text);
		assert_int_equal(fsi_f58_parse_id(text, &id), 0);
		assert_true(id == pairs[i].id);
		snprintf(text, sizeof(text), "f%s", pairs[i].text);
		assert_string_equal(fs_f58_format(pairs[i].id, true, buf), text);
		assert_int_equal(fsi_f58_parse_id(text, &id), 0);
		assert_true(id == pairs[i].id);
	}
}

static void any_number_reads_back_as_written(void **state)
{
	uint64_t random = 7, id;
	char buf[FS_F58_TEXT];

	(void)state;
	for (int i = 0; i < 20000; i++) {
		const uint64_t v = fst_random(&random) >> fst_below(&random, 64);

		assert_int_equal(fsi_f58_parse_id(fs_f58_format(v, i & 1, buf), &id), 0);
		assert_true(id == v);
	}
}

static void malformed_f58_ids_are_refused(void **state)
{
	static const char *const bad[] = { "",	 "f",	    "\xc6\x92", "2dTAM4jKm",	"123",
					   "f0", "f2dO",    "f2dI",	"f2dl",		"f2 d",
					   "\xc6", "fjpXCZedGfVR", "fzzzzzzzzzzzzz", ("\xc6\x92\xc6\x92" "2"), "F2d" };
	uint64_t id = 5;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		assert_int_equal(fsi_f58_parse_id(bad[i], &id), -1);
		assert_true(id == 5);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(known_ids_are_formatted_and_parsed),
		cmocka_unit_test(any_number_reads_back_as_written),
		cmocka_unit_test(malformed_f58_ids_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
