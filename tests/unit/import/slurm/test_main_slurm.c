/* import/slurm/main.c: captures that were made for one table only. The import accepts such a capture if no setting
 * requires other data and PrivateData hides nothing. It marks record types that were not captured as hidden. */
#include "fsimport.h"

#define CONFIG(lines) \
	{ \
		"scontrol_config.txt", \
			"Configuration data as of 2023-11-14T23:13:20\nSLURM_VERSION = 24.05.8\n" \
			"PriorityType = priority/multifactor\n" lines \
	}
#define CLOCK { "date_begin", "1700000000.5\n" }
#define SSHARE { "sshare.txt", "Account|User|RawShares|RawUsage\nroot|||60\n root|bob|1|10\n" }

static int import_asked(const struct fst_file *files, size_t n, enum fs_import_asked asked, fs_snapshot **out,
			struct fs_error *err)
{
	struct fst_folder folder = { files, n, 0, NULL };
	const struct fs_source source = { &folder, "dir", fst_open, fst_read_file, fst_close, NULL };
	struct fs_import_options o = FS_IMPORT_OPTIONS_INIT;

	o.asked = asked;
	*out = NULL;
	return fs_import_slurm(out, &source, &o, err);
}

static void a_partial_capture_is_refused_if_settings_need_more(void **state)
{
	static const struct {
		struct fst_file config;
		enum fs_import_asked asked;
		int want;
	} all[] = {
		{ CONFIG(""), FS_IMPORT_ALL, 0 },
		{ CONFIG(""), FS_IMPORT_SHARES, 0 },
		{ CONFIG(""), FS_IMPORT_PRIORITIES, 0 },
		{ CONFIG("PriorityFlags = NO_FAIR_TREE\n"), FS_IMPORT_SHARES, FS_EUSAGE },
		{ CONFIG("PriorityFlags = DEPTH_OBLIVIOUS\n"), FS_IMPORT_SHARES, FS_EUSAGE },
		{ CONFIG("PriorityFlags = NO_FAIR_TREE\n"), FS_IMPORT_PRIORITIES, 0 },
		{ CONFIG("PriorityFlags = CALCULATE_RUNNING\n"), FS_IMPORT_PRIORITIES, FS_EUSAGE },
		{ CONFIG("PriorityFlags = CALCULATE_RUNNING\n"), FS_IMPORT_SHARES, 0 },
		{ CONFIG("PrivateData = usage\n"), FS_IMPORT_SHARES, FS_ENODATA },
		{ CONFIG("PrivateData = jobs,usage\n"), FS_IMPORT_PRIORITIES, FS_ENODATA },
		{ CONFIG("PrivateData = usage\n"), FS_IMPORT_ALL, 0 },
		{ { "nothing", "" }, FS_IMPORT_SHARES, FS_EUSAGE },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		const struct fst_file files[] = { CLOCK, SSHARE, all[i].config };
		struct fs_error err;
		fs_snapshot *m;
		const int rc = import_asked(files, 3, all[i].asked, &m, &err);

		if (rc != all[i].want)
			print_error("row %zu\n", i);
		assert_int_equal(rc, all[i].want);
		if (rc == FS_ENODATA)
			assert_string_equal(err.message, "dir: PrivateData may hide some of the requested records");
		fs_snapshot_free(m);
	}
}

static void records_that_were_not_captured_are_hidden(void **state)
{
	static const struct fst_file files[] = { CLOCK, SSHARE, CONFIG("") };
	struct fs_error err;
	fs_snapshot *m;

	(void)state;
	assert_int_equal(import_asked(files, 3, FS_IMPORT_SHARES, &m, &err), 0);
	assert_int_equal(m->association.n, 2);
	assert_true(fs_snapshot_hidden(m, "job"));
	assert_true(fs_snapshot_hidden(m, "qos"));
	fs_snapshot_free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_partial_capture_is_refused_if_settings_need_more),
		cmocka_unit_test(records_that_were_not_captured_are_hidden),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
