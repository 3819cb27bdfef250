/* cmd/snap/verbs.c: the comparison of computed values names the first table that differs. */
#include "fsprio.h"
#include "fs/scenario.h"
#include "snap/snap.h"

#define DEMO "cmd/demo.jsonl"

static fs_snapshot *edited(const char *command)
{
	fs_snapshot *s;
	struct fs_error err;

	assert_int_equal(fs_snapshot_open(&s, DEMO, &err), 0);
	if (command)
		assert_int_equal(fs_snapshot_edit(s, command, NULL, &err), 0);
	return s;
}

static void seen(const char *command, const char *kind)
{
	fs_snapshot *a = edited(NULL), *b = edited(command);
	const char *what = "";
	struct fs_error err;
	size_t n = 0;

	assert_int_equal(snap_compare_computed_values(a, b, &what, &n, &err), 0);
	assert_true(n > 30);
	if (kind)
		assert_string_equal(what, kind);
	else
		assert_null(what);
	fs_snapshot_free(a);
	fs_snapshot_free(b);
}

static void the_first_differing_table_is_named(void **state)
{
	(void)state;
	seen(NULL, NULL);
	seen("sacctmgr modify account plasma set fairshare=77", "shares");
	seen("PriorityWeightAge=1", "priorities");
	seen("scontrol hold 812154", "priorities");
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(the_first_differing_table_is_named) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
