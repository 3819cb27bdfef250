/* import/flux/flux.c: listings that are missing or cannot be read. */
#include "fsflux.h"

static void missing_listings_make_their_records_hidden(void **state)
{
	static const struct fst_file banks[] = { { "list-banks.txt", BANKS } };
	static const struct fst_file users[] = { { "list-users.txt", USERS } };
	struct fs_error err;
	fs_snapshot *m = import(banks, 1);

	(void)state;
	assert_true(fs_snapshot_hidden(m, "association"));
	assert_true(fs_snapshot_hidden(m, "partition"));
	fs_snapshot_free(m);
	m = import(users, 1);
	assert_true(fs_snapshot_hidden(m, "association"));
	fs_snapshot_free(m);
	assert_int_equal(try_folder(NULL, 0, NULL, &m, &err), FS_ENODATA);
	assert_int_equal(try_folder(banks, 1, "list-banks.txt", &m, &err), FS_EIO);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(missing_listings_make_their_records_hidden),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
