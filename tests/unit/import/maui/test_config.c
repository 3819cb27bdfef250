/* import/maui/config: buckets of reservations, and included files outside of the folder. */
#include "fsmaui.h"

#include "model/maui.h"

static int64_t config_int(const fs_snapshot *m, const char *name)
{
	const struct fsi_config_entry *e = fsi_config_find(m, name);

	assert_non_null(e);
	return e->i;
}

static void reservation_buckets_list_their_qos(void **state)
{
	fs_snapshot *m = fst_maui_cfg("RESERVATIONDEPTH 2\nRESERVATIONDEPTH[3] 4\nRESERVATIONDEPTH[-1] 9\n"
				      "RESERVATIONQOSLIST[0] hi lo\nRESERVATIONQOSLIST[500] mid [ALL] lo\n"
				      "RESERVATIONQOSLIST[4]\n");
	struct fsi_maui_bucket b[FSI_MAUI_BUCKETS];

	(void)state;
	fsi_maui_read_buckets(m, b);
	assert_int_equal(b[0].depth, 2);
	assert_string_equal(b[0].qos, "hi lo");
	assert_int_equal(b[3].depth, 4);
	assert_null(b[3].qos);
	assert_string_equal(b[FSI_MAUI_BUCKETS - 1].qos, "mid [ALL]");
	assert_int_equal(fsi_maui_find_bucket(b, "lo"), 0);
	assert_int_equal(fsi_maui_find_bucket(b, "other"), 3);
	b[3].depth = 0;
	assert_int_equal(fsi_maui_find_bucket(b, "other"), FSI_MAUI_BUCKETS);
	assert_true(fst_warned(m, "maui.cfg:3: RESERVATIONDEPTH[-1]"));
	assert_true(fst_warned(m, "maui.cfg:6: RESERVATIONQOSLIST"));
	fs_snapshot_free(m);
}

/* A capture from another person must not make the import read files outside of its folder. */
static void included_files_outside_the_folder_are_refused(void **state)
{
	static const struct fst_file files[] = {
		{ "maui.cfg", "#INCLUDE ../secret.cfg\n#INCLUDE sub/../../secret.cfg\n#INCLUDE sub/more.cfg\n"
			      "#INCLUDE ../..\n#INCLUDE ..more.cfg\n" },
		{ "../secret.cfg", "FSUSERWEIGHT 6\n" },
		{ "sub/../../secret.cfg", "FSUSERWEIGHT 7\n" },
		{ "sub/more.cfg", "FSGROUPWEIGHT 8\n" },
		{ "..more.cfg", "FSACCOUNTWEIGHT 9\n" },
	};
	fs_snapshot *m = fst_maui(files, FST_COUNT(files));

	(void)state;
	assert_true(isnan(fs_snapshot_config_number(m, "FSUSERWEIGHT")));
	assert_int_equal(config_int(m, "FSGROUPWEIGHT"), 8);
	assert_int_equal(config_int(m, "FSACCOUNTWEIGHT"), 9);
	assert_true(fst_warned(m, "dir/maui.cfg:1: included file \"../secret.cfg\" is not read, because it is outside"));
	assert_true(fst_warned(m, "dir/maui.cfg:2: included file \"sub/../../secret.cfg\" is not read, because it is outside"));
	assert_true(fst_warned(m, "dir/maui.cfg:4: included file \"../..\" is not read, because it is outside"));
	fs_snapshot_free(m);
}

static int list_result;

static int fail_to_list(void *ctx, const char *dir, int (*each)(void *each_ctx, const char *name), void *each_ctx)
{
	(void)ctx;
	(void)each;
	(void)each_ctx;
	return strcmp(dir, "fs_in") ? 1 : list_result;
}

static void a_folder_that_cannot_be_listed_is_an_error(void **state)
{
	static const struct fst_file cfg[] = { { "maui.cfg", "FSWEIGHT 1\n" } };
	struct fst_folder folder = { cfg, 1, 0, NULL };
	const struct fs_source source = { &folder, "dir", fst_open, fst_read_file, fst_close, fail_to_list };
	const struct fs_maui_import_options o = { .time = 1600000060 };
	struct fs_error err;
	fs_snapshot *m;

	(void)state;
	list_result = FS_EIO;
	assert_int_equal(fs_import_maui(&m, &source, &o, &err), FS_EIO);
	assert_string_equal(err.message, "cannot read folder 'dir/fs_in'");
	list_result = FS_ENOMEM;
	assert_int_equal(fs_import_maui(&m, &source, &o, &err), FS_ENOMEM);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reservation_buckets_list_their_qos),
		cmocka_unit_test(included_files_outside_the_folder_are_refused),
		cmocka_unit_test(a_folder_that_cannot_be_listed_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
