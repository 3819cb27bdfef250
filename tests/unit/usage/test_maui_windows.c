/* Window files, decayed sums, and usage of running jobs. */
#include "fsmaui.h"

#define CFG "SERVERMODE SIMULATION\nRMPOLLINTERVAL 60\nFSPOLICY DEDICATEDPS\nFSINTERVAL 43200\nFSDEPTH 4\nFSDECAY 0.5\n"
#define JOHN CFG "USERCFG[john] FSTARGET=25.0\n"

/* 1600000000 is in the window that begins at 1599998400. */
static fs_snapshot *with_window(const char *text)
{
	const struct fst_file files[] = { { "maui.cfg", CFG }, { "fs_in/FS.1599998400", text } };

	return fst_maui(files, FST_COUNT(files));
}

static void usage_of_windows_is_summed_with_decay(void **state)
{
	static const struct fst_file files[] = {
		{ "maui.cfg", JOHN },
		{ "fs_in/FS.1599998400", "user john 216000\nuser mary 180000\nsched x 396000\n" },
		{ "fs_in/FS.1599955200", "user john 0\nuser mary 450000\nsched x 450000\n" },
		{ "fs_in/FS.1599912000", "user john 36000\nuser mary 324000\nsched x 360000\n" },
		{ "fs_in/FS.1599868800", "user john 180000\nuser mary 360000\nsched x 540000\n" },
	};
	fs_snapshot *m = fst_maui(files, FST_COUNT(files));
	fs_windows *w = fst_windows(m);
	const struct fs_window_row *r = fst_window(w, FS_CRED_USER, "john");

	(void)state;
	assert_near(r->usage_s / 3600, 68.75, 1e-12);
	assert_near(fs_windows_info(w)->usage_s / 3600, 216.25, 1e-12);
	assert_near(r->percent, 31.7919075, 1e-6);
	assert_near(r->factor, 25 - 31.7919075, 1e-6);
	assert_true(r->off_target);
	assert_int_equal(fs_windows_info(w)->start, 1599998400);
	fs_windows_free(w);
	fs_snapshot_free(m);
}

/* Computes the weights of eight windows for each of four values of FSDECAY. They must equal the table in Maui's
 * manual. */
static void window_weights_follow_the_manuals_table(void **state)
{
	static const double decays[] = { 1.00, 0.80, 0.75, 0.50 };
	static const double eighth[] = { 1, 0.2097152, 0.13348388671875, 0.0078125 };

	(void)state;
	for (size_t d = 0; d < FST_COUNT(decays); d++) {
		char cfg[300];
		double power = 1;

		snprintf(cfg, sizeof(cfg), "FSPOLICY TRUE\nFSDEPTH 8\nFSDECAY %.2f\n", decays[d]);
		fs_snapshot *m = fst_maui_cfg(cfg);
		fs_windows *w = fst_windows(m);

		assert_int_equal(fs_windows_info(w)->depth, 8);
		for (int i = 0; i < 8; i++, power *= decays[d])
			assert_near(fs_windows_info(w)->weight[i], power, 1e-15);
		assert_near(fs_windows_info(w)->weight[7], eighth[d], 1e-15);
		fs_windows_free(w);
		fs_snapshot_free(m);
	}
}

static void lines_of_a_window_file_are_parsed(void **state)
{
	fs_snapshot *m = with_window("# comment\n"
				     "user ann 150000.000 and more # comment\n"
				     "user\tbob\t1.5e5\n"
				     "  user cyd 20000# glued\n"
				     "user dup 10\nuser dup 20000\n"
				     "user alongnamethatisoverthirtytwochars 5\n"
				     "user text abc\n"
				     "planet mars 5\n"
				     "TOTAL x 400000\n");
	fs_windows *w = fst_windows(m);

	(void)state;
	assert_near(fst_window(w, FS_CRED_USER, "ann")->usage_s, 150000, 0);
	assert_near(fst_window(w, FS_CRED_USER, "bob")->usage_s, 150000, 0);
	assert_near(fst_window(w, FS_CRED_USER, "cyd")->usage_s, 20000, 0);
	assert_near(fst_window(w, FS_CRED_USER, "dup")->usage_s, 20000, 0);
	assert_near(fs_windows_info(w)->usage_s, 400000, 0);
	/* fs_windows_count also counts the credentials that Maui itself creates */
	assert_int_equal(fs_windows_count(w), 5 + 2 + 1 + 1 + 1);
	assert_true(fst_warned(m, "dir/fs_in/FS.1599998400:7: expected kind, name and seconds of an entry: the line is skipped"));
	assert_true(fst_warned(m, "FS.1599998400:9: unknown kind of entry \"planet\": the line is skipped"));
	fs_windows_free(w);
	fs_snapshot_free(m);
}

static void faults_of_window_files_give_warnings(void **state)
{
	static const struct {
		const char *text, *warning;
	} all[] = {
		{ "user ann 5\nsched x 9\nuser bo", "FS.1599998400:3: the last line is incomplete" },
		{ "user ann 5\n", "FS.1599998400:1: the file has 1 entry but no line with the total" },
		{ "user ann 5\nuser bob 6\nsched x 9\n", "FS.1599998400:3: the total 9.000 is smaller than the sum 11.000" },
		{ "user ann -5\nsched x 9\n", "FS.1599998400:1: the usage of \"ann\" is negative: -5" },
		{ "users ann 5\nsched x 9\n", "FS.1599998400:1: unknown kind of entry \"users\": the line is skipped" },
		{ "user ann 5\nUser bob 6\nsched x 9\n", "FS.1599998400:2: the import skips 1 entry in the format of Maui's manual, as Maui does" },
		{ "User ann 5\nTOTAL 9\n", "FS.1599998400:1: the import reads entries in the format of Maui's manual" },
	};

	(void)state;
	for (size_t i = 0; i < FST_COUNT(all); i++) {
		fs_snapshot *m = with_window(all[i].text);

		if (!fst_warned(m, all[i].warning))
			print_error("%s\n", all[i].warning);
		assert_true(fst_warned(m, all[i].warning));
		fs_snapshot_free(m);
	}
}

static void entries_in_the_manuals_format_are_read(void **state)
{
	static const struct fst_file files[] = {
		{ "maui.cfg", CFG },
		{ "FS.1599998400", "User USERA 150000.000\nGroup GA 350000\nAccount AA 300000\nQOS 0 50000\n"
				   "Class batch 5\nTOTAL 600000.00\n" },
	};
	fs_snapshot *m = fst_maui(files, FST_COUNT(files));
	fs_windows *w = fst_windows(m);

	(void)state;
	assert_near(fst_window(w, FS_CRED_USER, "USERA")->percent, 25, 1e-12);
	assert_near(fst_window(w, FS_CRED_ACCT, "AA")->percent, 50, 1e-12);
	assert_near(fst_window(w, FS_CRED_QOS, "0")->usage_s, 50000, 0);
	fs_windows_free(w);
	fs_snapshot_free(m);
}

static void only_mauis_own_format_counts_in_a_mixed_file(void **state)
{
	static const struct fst_file files[] = {
		{ "maui.cfg", CFG },
		{ "FS.1599998400", "user ann 5\nUser bob 6\nsched x 20\n" },
	};
	fs_snapshot *m = fst_maui(files, FST_COUNT(files));

	(void)state;
	assert_member(m, "window", 1, "kind", "'sched'");
	fs_snapshot_free(m);
}

static void only_aligned_windows_up_to_now_are_read(void **state)
{
	static const struct fst_file files[] = {
		{ "maui.cfg", CFG },
		{ "FS.1599998395", "user ann 5\nsched x 9\n" },
		{ "FS.1600041600", "user ann 5\nsched x 9\n" },
		{ "FS.1599955200", "user ann 4\nsched x 8\n" },
		{ "FS.x", "user ann 4\n" },
	};
	fs_snapshot *m = fst_maui(files, FST_COUNT(files));
	fs_windows *w = fst_windows(m);

	(void)state;
	assert_member(m, "window", 2, "kind", "");
	assert_near(fst_window(w, FS_CRED_USER, "ann")->usage_s, 2, 0);
	assert_near(fst_window(w, FS_CRED_USER, "ann")->window_usage_s[1], 4, 0);
	assert_true(fst_warned(m, "1 file is not read"));
	fs_windows_free(w);
	fs_snapshot_free(m);
}

#define LIVE(policy)                                                                                          \
	"{'type':'snapshot','format':1,'time':1600000780,'cluster':'c','scheduler':'maui'}\n" REC(            \
		"config", "'FSPOLICY':'" policy "','FSINTERVAL':300,'FSDEPTH':3,'RMPOLLINTERVAL':60")         \
	REC("node", "'name':'n','cpus':16,'mem_mb':8192")                                                     \
	REC("credential", "'kind':'user','name':'ann'") REC("credential", "'kind':'user','name':'bob'")       \
	/* jobs 1, 4 and 5 start before the window, jobs 2 and 3 during the window; jobs 4 and 5 end in it */ \
	REC("job", "'id':1,'state':'RUNNING','user':'ann','cpus':12,'tasks':12,'cpus_per_task':1,"            \
		   "'start_time':1600000060")                                                                 \
	REC("job", "'id':2,'state':'RUNNING','user':'bob','cpus':1,'tasks':1,'cpus_per_task':1,"              \
		   "'tres_req':{'mem':2048},'start_time':1600000650")                                         \
	REC("job", "'id':3,'state':'RUNNING','user':'bob','cpus':5,'tasks':5,'cpus_per_task':1,"              \
		   "'start_time':1600000780")                                                                 \
	REC("job", "'id':4,'state':'COMPLETED','user':'ann','cpus':2,'tasks':2,'cpus_per_task':1,"            \
		   "'start_time':1600000060,'end_time':1600000660")                                           \
	REC("job", "'id':5,'state':'COMPLETED','user':'ann','cpus':2,'tasks':2,'cpus_per_task':1,"            \
		   "'start_time':1600000060,'end_time':1600000540")

/* The window begins at 1600000500. Maui still charges its first iteration, at 1600000540, to the previous window. Maui
 * first sees job 2 at 1600000660, and sees job 4 for the last time at 1600000600. */
static void running_jobs_are_charged_by_iteration(void **state)
{
	fs_snapshot *m = fst_snapshot(LIVE("DEDICATEDPS"));
	fs_windows *w = fst_windows(m);

	(void)state;
	assert_near(fst_window(w, FS_CRED_USER, "ann")->usage_s, 240 * 12 + 60 * 2, 0);
	assert_near(fst_window(w, FS_CRED_USER, "bob")->usage_s, 120, 0);
	assert_near(fs_windows_info(w)->usage_s, 240 * 12 + 60 * 2 + 120, 0);
	fs_windows_free(w);
	fs_snapshot_free(m);
	m = fst_snapshot(LIVE("DEDICATEDPES"));
	w = fst_windows(m);
	/* the job uses a quarter of the memory, so it counts as 4 of 16 processors */
	assert_near(fst_window(w, FS_CRED_USER, "bob")->usage_s, 120 * 4, 1e-9);
	fs_windows_free(w);
	fs_snapshot_free(m);
	m = fst_snapshot(LIVE("NONE"));
	w = fst_windows(m);
	/* with FSPOLICY NONE, the current window never ends */
	assert_near(fs_windows_info(w)->usage_s, 720 * 12 + 540 * 2 + 420 * 2 + 120, 0);
	fs_windows_free(w);
	fs_snapshot_free(m);
}

/* Lines in any order, in the file and in the snapshot, give the same rows in the same order. */
static void the_order_of_lines_does_not_change_the_rows(void **state)
{
	uint64_t seed = 7;
	char want[4000] = "";

	(void)state;
	for (int round = 0; round < 20; round++) {
		char text[2000] = "", got[4000] = "";
		uint32_t order[30];

		for (uint32_t i = 0; i < 30; i++)
			order[i] = i;
		fst_shuffle(&seed, order, 30);
		for (uint32_t i = 0; i < 30; i++)
			sprintf(text + strlen(text), "user u%u %u\n", order[i], (order[i] + 1) * 1000);
		strcat(text, "sched x 465000\n");
		fs_snapshot *m = with_window(text);
		fs_windows *w = fst_windows(m);

		for (size_t i = 0; i < fs_windows_count(w); i++)
			sprintf(got + strlen(got), "%s %.3f\n", fs_windows_row(w, i)->name,
				fs_windows_row(w, i)->percent);
		if (!round)
			strcpy(want, got);
		assert_string_equal(got, want);
		fs_windows_free(w);
		fs_snapshot_free(m);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(usage_of_windows_is_summed_with_decay),
		cmocka_unit_test(window_weights_follow_the_manuals_table),
		cmocka_unit_test(lines_of_a_window_file_are_parsed),
		cmocka_unit_test(faults_of_window_files_give_warnings),
		cmocka_unit_test(entries_in_the_manuals_format_are_read),
		cmocka_unit_test(only_mauis_own_format_counts_in_a_mixed_file),
		cmocka_unit_test(only_aligned_windows_up_to_now_are_read),
		cmocka_unit_test(running_jobs_are_charged_by_iteration),
		cmocka_unit_test(the_order_of_lines_does_not_change_the_rows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
