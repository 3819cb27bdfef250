/* import/: bytes that are not text are refused, or the imported snapshot can be read again. */
#include "fsimport.h"

/* The input may be imported or refused, but an imported snapshot must be readable again. */
static void taken_or_refused(const char *file, const char *text)
{
	const struct fst_file files[] = { FST_CLOCK, { file, text } };
	struct fs_error err;
	fs_snapshot *m;

	if (fst_try_import(files, 3, NULL, &m, &err))
		return;
	fst_same_again(m);
	fs_snapshot_free(m);
}

static void bytes_that_are_not_utf8_are_refused_or_read_back(void **state)
{
	(void)state;
	taken_or_refused("sacctmgr_user.txt", "User\nj\xf6rg\nj\xfcrg\n");
}

static void nul_bytes_are_refused_or_read_back(void **state)
{
	(void)state;
	taken_or_refused("sacctmgr_user.txt", "User\nx\x01y\nx\x01z\n");
	taken_or_refused("sacctmgr_user.txt", "User\n\x01\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bytes_that_are_not_utf8_are_refused_or_read_back),
		cmocka_unit_test(nul_bytes_are_refused_or_read_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
