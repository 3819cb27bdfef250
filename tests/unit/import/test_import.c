/* import/: captures that cannot be read. The contents of captures are tested in tests/clusters. */
#include "fsimport.h"

static void a_folder_without_known_files_is_an_error(void **state)
{
	static const struct fst_file other[] = { { "readme", "hello\n" } };
	struct fst_folder broken = { other, 1, 0, "scontrol_config.txt" };
	const struct fs_source source = { &broken, "dir", fst_open, fst_read_file, fst_close, NULL };
	struct fs_error err;
	fs_snapshot *m;

	(void)state;
	assert_int_equal(fst_try_import(other, 1, NULL, &m, &err), FS_ENODATA);
	assert_null(m);
	assert_int_equal(fs_import_slurm(&m, &source, NULL, &err), FS_EIO);
	assert_string_equal(err.message, "cannot read 'dir/scontrol_config.txt'");
	assert_null(m);
	assert_int_equal(fs_import_folder(&m, "pbs 2.3", &source, &err), FS_EUSAGE);
	assert_string_equal(err.message, "no importer for scheduler \"pbs 2.3\"");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_folder_without_known_files_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
