/* import/maui/config: the grammar of maui.cfg, and how Maui interprets values. */
#include "fsmaui.h"

#include "model/maui.h"

static int64_t config_int(const fs_snapshot *m, const char *name)
{
	const struct fsi_config_entry *e = fsi_config_find(m, name);

	assert_non_null(e);
	return e->i;
}

static void all_forms_of_a_line_are_read(void **state)
{
	fs_snapshot *m = fst_maui_cfg("FSWEIGHT 10 # ten\n"
				      "FSCAP=5\n"
				      "QUEUETIMEWEIGHT = 7\n"
				      "XFACTORWEIGHT\t0x10\n"
				      "PROCWEIGHT 1.9\n"
				      "NODEWEIGHT \\\n   3\n"
				      " MEMWEIGHT 4\n"
				      "fsuserweight 9\n"
				      "# FSUSERWEIGHT 8\n");

	(void)state;
	assert_int_equal(config_int(m, "FSWEIGHT"), 10);
	assert_int_equal(config_int(m, "FSCAP"), 5);
	assert_int_equal(config_int(m, "QUEUETIMEWEIGHT"), 7);
	assert_int_equal(config_int(m, "XFACTORWEIGHT"), 16);
	assert_int_equal(config_int(m, "PROCWEIGHT"), 1);
	assert_int_equal(config_int(m, "NODEWEIGHT"), 3);
	assert_null(fsi_config_find(m, "MEMWEIGHT"));
	assert_null(fsi_config_find(m, "FSUSERWEIGHT"));
	assert_true(fst_warned(m, "dir/maui.cfg:8: MEMWEIGHT is indented"));
	assert_true(fst_warned(m, "dir/maui.cfg:9: unknown parameter \"fsuserweight\""));
	assert_int_equal(fs_snapshot_warnings(m), 2);
	fs_snapshot_free(m);
}

static void invalid_values_keep_the_previous_one(void **state)
{
	fs_snapshot *m = fst_maui_cfg("FSUSERWEIGHT 5\nFSUSERWEIGHT x\nFSUSERWEIGHT -1\n"
				      "FSGROUPWEIGHT 5\nFSGROUPWEIGHT -2\n"
				      "FSDECAY 0.5\nFSDECAY zero\n"
				      "FSWEIGHT 40%\n"
				      "UFSWEIGHT 6\nAFSWEIGHT 7\nFSACCOUNTWEIGHT 8\nDIRECTSPECWEIGHT 9\n"
				      "RESWEIGHT[1] 5\n");

	(void)state;
	assert_int_equal(config_int(m, "FSUSERWEIGHT"), 6); /* the last valid line has the old name UFSWEIGHT */
	assert_int_equal(config_int(m, "FSGROUPWEIGHT"), -2);
	assert_near(fsi_config_find(m, "FSDECAY")->d, 0.5, 0);
	assert_int_equal(config_int(m, "FSWEIGHT"), 10);
	/* the old name AFSWEIGHT precedes the new name FSACCOUNTWEIGHT */
	assert_int_equal(config_int(m, "FSACCOUNTWEIGHT"), 8);
	assert_int_equal(config_int(m, "CREDWEIGHT"), 9);
	assert_null(fsi_config_find(m, "RESWEIGHT"));
	assert_true(fst_warned(m, "maui.cfg:2: FSUSERWEIGHT"));
	assert_true(fst_warned(m, "maui.cfg:13: RESWEIGHT[1]"));
	fs_snapshot_free(m);
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

static const struct fsi_credential *qos(const fs_snapshot *m, const char *name)
{
	for (size_t i = 0; i < m->credential.n; i++)
		if (!strcmp(fsi_name_text(m, m->credential.v[i].kind), "qos") &&
		    !strcmp(fsi_name_text(m, m->credential.v[i].name), name))
			return &m->credential.v[i];
	return NULL;
}

static void qos_flags_and_override_limits_are_read(void **state)
{
	fs_snapshot *m = fst_maui_cfg("QOSCFG[a] QFLAGS=NOBF,NORESERVATION OMAXJOB=3\nQOSCFG[b] QFLAGS=IGNUSER:RESERVEALWAYS\n"
				      "QOSCFG[c] OMAXPROC=5 QFLAGS=IGNPROCPERUSER\nQOSFLAGS[d] IGNSYSTEM NOBF\n");

	(void)state;
	assert_true(fsi_list_has_word(m, qos(m, "a")->flags, "NOBF"));
	assert_false(fsi_list_has_word(m, qos(m, "a")->flags, "NORESERVATION"));
	assert_int_equal(qos(m, "a")->override_job, 3);
	assert_true(fsi_list_has_word(m, qos(m, "b")->flags, "RESERVEALWAYS"));
	assert_int_equal(qos(m, "b")->override_job, -1);
	assert_int_equal(qos(m, "b")->override_proc, -1);
	assert_int_equal(qos(m, "b")->override_idle_job, -1);
	assert_int_equal(qos(m, "c")->override_proc, -1);
	assert_false(FSI_HAS(qos(m, "c"), CREDENTIAL, override_node));
	assert_true(fsi_list_has_word(m, qos(m, "d")->flags, "NOBF"));
	assert_int_equal(qos(m, "d")->override_ps, -1);
	assert_false(FSI_HAS(qos(m, "d"), CREDENTIAL, override_job));
	fs_snapshot_free(m);
}

static void times_are_read_in_all_forms(void **state)
{
	static const struct {
		const char *text;
		int64_t seconds;
	} all[] = { { "90", 90 },	      { "0x10", 16 },	    { "12:00:00", 43200 },
		    { "1:30", 5400 }, /* a text of two numbers means hours and minutes */
		    { "1:00:00:00", 86400 }, { "INFINITY", 2140000000 } };
	char line[80];

	(void)state;
	for (size_t i = 0; i < FST_COUNT(all); i++) {
		snprintf(line, sizeof(line), "FSINTERVAL %s\n", all[i].text);
		fs_snapshot *m = fst_maui_cfg(line);

		assert_int_equal(config_int(m, "FSINTERVAL"), all[i].seconds);
		fs_snapshot_free(m);
	}
	fs_snapshot *m = fst_maui_cfg("FSINTERVAL 0\n");
	assert_null(fsi_config_find(m, "FSINTERVAL"));
	fs_snapshot_free(m);
}

static void unknown_policies_are_none_or_keep_the_previous_one(void **state)
{
	static const struct {
		const char *lines, *policy;
	} all[] = {
		{ "FSPOLICY DEDICATEDPS\n", "DEDICATEDPS" },
		{ "FSPOLICY UTILIZEDPS%\n", "UTILIZEDPS%" },
		{ "FSPOLICY DEDI%CATEDPS\n", "NONE%" },
		{ "FSPOLICY %\n", "NONE%" },
		{ "FSPOLICY TRUE\n", "DEDICATEDPS" },
		{ "FSPOLICY on\n", "NONE" },
		{ "FSPOLICY PSDEDICATED\n", "NONE" },
		{ "FSPOLICY dedicatedps\n", "NONE" },
		{ "FSPOLICY DEDICATEDPES\nFSPOLICY what\n", "DEDICATEDPES" },
		{ "FSPOLICY DEDICATEDPES%\nFSPOLICY UTILIZEDPS\n", "UTILIZEDPS%" },
	};

	(void)state;
	for (size_t i = 0; i < FST_COUNT(all); i++) {
		fs_snapshot *m = fst_maui_cfg(all[i].lines);

		assert_string_equal(fs_snapshot_config_text(m, "FSPOLICY"), all[i].policy);
		fs_snapshot_free(m);
	}
}

static void a_depth_over_24_becomes_24(void **state)
{
	fs_snapshot *m = fst_maui_cfg("FSPOLICY TRUE\nFSDEPTH 25\n");
	fs_windows *w = fst_windows(m);

	(void)state;
	assert_int_equal(config_int(m, "FSDEPTH"), 24);
	assert_int_equal(fs_windows_info(w)->depth, 24);
	assert_true(fst_warned(m, "dir/maui.cfg:2: FSDEPTH 25"));
	fs_windows_free(w);
	fs_snapshot_free(m);
}

static void credentials_have_targets_priorities_and_qos(void **state)
{
	fs_snapshot *m = fst_maui_cfg("USERCFG[ann] FSTARGET=10+- PRIORITY=0x10\n"
				      "  USERCFG[ann] QLIST=hi,lo QDEF=lo\n"
				      "USERCFG[bob] FSTARGET = 11 priority=5\n"
				      "GROUPCFG[staff] FSTARGET=+15 CLASSWEIGHT=4\n"
				      "ACCOUNTCFG[a] FSTARGET=20% FSTARGET=30^\n"
				      "QOSCFG[hi] QTWEIGHT=10 XFWEIGHT=2 QTTARGET=2:00:00 XFTARGET=1.5\n"
				      "QOSPRIORITY[lo] 77\n"
				      "CLASSCFG[batch] FSTARGET=5-\n");

	(void)state;
	assert_member(m, "credential", 6, "name", "'a'");
	assert_member(m, "credential", 6, "target", "30");
	assert_member(m, "credential", 6, "target_mode", "'cap_abs'");
	assert_member(m, "credential", 7, "target_mode", "'ceiling'");
	assert_member(m, "credential", 8, "target", "15");
	assert_member(m, "credential", 8, "target_mode", "'target'");
	assert_member(m, "credential", 9, "queuetime_weight", "10");
	assert_member(m, "credential", 9, "queuetime_target", "2");
	assert_member(m, "credential", 9, "xfactor_target", "1.5");
	assert_member(m, "credential", 10, "name", "'ann'");
	assert_member(m, "credential", 10, "target_mode", "'floor'");
	assert_member(m, "credential", 10, "priority", "16");
	assert_member(m, "credential", 10, "qos", "['hi','lo']");
	assert_member(m, "credential", 10, "default_qos", "'lo'");
	assert_member(m, "credential", 11, "name", "'lo'");
	assert_member(m, "credential", 11, "priority", "77");
	assert_member(m, "credential", 12, "target", "");
	assert_member(m, "credential", 12, "priority", "");
	assert_true(fst_warned(m, "CLASSWEIGHT of a group"));
	fst_same_again(m);
	fs_snapshot_free(m);
}

static void limits_have_hard_and_soft_values(void **state)
{
	fs_snapshot *m = fst_maui_cfg("ACCOUNTCFG[a] MAXJOB=1,3 MAXPROC=4 MAXNODE=0x10 MAXPS=x,7 MAXIJOB=2,\n"
				      "ACCOUNTCFG[a] MAXJOB=2 OMAXJOB=7\nQOSCFG[q] OMAXPROC=1,2 MAXPE=3 MAXWC=60\n");

	(void)state;
	assert_member(m, "credential", 6, "name", "'a'");
	assert_member(m, "credential", 6, "max_job", "2");
	assert_member(m, "credential", 6, "max_job_soft", "2");
	assert_member(m, "credential", 6, "max_proc", "4");
	assert_member(m, "credential", 6, "max_node", "16");
	assert_member(m, "credential", 6, "max_ps", "0");
	assert_member(m, "credential", 6, "max_ps_soft", "0");
	assert_member(m, "credential", 6, "max_idle_job", "0");
	assert_member(m, "credential", 6, "max_idle_job_soft", "2");
	assert_member(m, "credential", 6, "override_job", "");
	assert_member(m, "credential", 7, "name", "'q'");
	assert_member(m, "credential", 7, "override_proc", "2");
	assert_member(m, "credential", 7, "override_proc_soft", "1");
	assert_member(m, "credential", 7, "max_pe", "3");
	assert_member(m, "credential", 7, "max_wc_soft", "60");
	fst_same_again(m);
	fs_snapshot_free(m);
}

/* MAXJOBPERACCOUNTPOLICY OFF removes the hard limit. The soft limit stays, because its parameter is read later. The
 * PROC limits of a group count nodes. */
static void limits_in_the_older_form_are_read(void **state)
{
	fs_snapshot *m = fst_maui_cfg("SMAXJOBPERUSERCOUNT 2\nMAXJOBPERUSERPOLICY ON\nMAXJOBPERUSERCOUNT 4\n"
				      "USERCFG[DEFAULT] MAXPROC=7\n"
				      "MAXPROCPERGROUPCOUNT 5\nMAXJOBPERACCOUNTPOLICY OFF\nMAXJOBPERACCOUNTCOUNT 1\n"
				      "SMAXJOBPERACCOUNTCOUNT 3\nMAXPROCPERUSERCOUNT 6\nMAXJOBQUEUEDPERUSERCOUNT x\n");

	(void)state;
	assert_member(m, "credential", 0, "name", "'DEFAULT'");
	assert_member(m, "credential", 0, "max_job", "4");
	assert_member(m, "credential", 0, "max_job_soft", "2");
	assert_member(m, "credential", 0, "max_proc", "7");
	assert_member(m, "credential", 0, "max_proc_soft", "7");
	assert_member(m, "credential", 0, "max_idle_job", "");
	assert_member(m, "credential", 2, "kind", "'group'");
	assert_member(m, "credential", 2, "name", "'DEFAULT'");
	assert_member(m, "credential", 2, "max_node", "5");
	assert_member(m, "credential", 2, "max_node_soft", "5");
	assert_member(m, "credential", 2, "max_proc", "");
	assert_member(m, "credential", 3, "kind", "'acct'");
	assert_member(m, "credential", 3, "max_job", "3");
	assert_member(m, "credential", 3, "max_job_soft", "3");
	fst_same_again(m);
	fs_snapshot_free(m);
}

static void included_files_are_read_last(void **state)
{
	static const struct fst_file files[] = {
		{ "maui.cfg", "#INCLUDE more.cfg\n#INCLUDE /etc/none.cfg\nFSUSERWEIGHT 5\n" },
		{ "more.cfg", "FSUSERWEIGHT 6\nnonsense 1\n" },
	};
	fs_snapshot *m = fst_maui(files, FST_COUNT(files));

	(void)state;
	assert_int_equal(config_int(m, "FSUSERWEIGHT"), 6);
	assert_true(fst_warned(m, "dir/more.cfg:2: unknown parameter"));
	assert_true(fst_warned(m, "dir/maui.cfg:2: cannot find the included file \"/etc/none.cfg\""));
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

static void a_parameter_without_effect_is_reported_once(void **state)
{
	fs_snapshot *m = fst_maui_cfg("FSENFORCEMENT TRUE\nFSENFORCEMENT TRUE\nUPROCWEIGHT 5\n");

	(void)state;
	assert_int_equal(fs_snapshot_warnings(m), 2);
	assert_true(fst_warned(m, "maui.cfg:1: FSENFORCEMENT has no effect"));
	fs_snapshot_free(m);
}

static void a_capture_needs_maui_cfg_and_a_time(void **state)
{
	static const struct fst_file none[] = { { "showq.txt", "" } }, cfg[] = { { "maui.cfg", "FSWEIGHT 1\n" } };
	const struct fs_maui_import_options o = { .time = 1600000060 };
	struct fs_error err;
	fs_snapshot *m;

	(void)state;
	assert_int_equal(fst_try_maui(none, 1, &o, &m, &err), FS_ENODATA);
	assert_non_null(strstr(err.message, "maui.cfg"));
	assert_int_equal(fst_try_maui(cfg, 1, NULL, &m, &err), FS_ENODATA);
	assert_non_null(strstr(err.message, "the capture time is unknown"));
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
		cmocka_unit_test(all_forms_of_a_line_are_read),
		cmocka_unit_test(invalid_values_keep_the_previous_one),
		cmocka_unit_test(reservation_buckets_list_their_qos),
		cmocka_unit_test(qos_flags_and_override_limits_are_read),
		cmocka_unit_test(times_are_read_in_all_forms),
		cmocka_unit_test(unknown_policies_are_none_or_keep_the_previous_one),
		cmocka_unit_test(a_depth_over_24_becomes_24),
		cmocka_unit_test(limits_have_hard_and_soft_values),
		cmocka_unit_test(limits_in_the_older_form_are_read),
		cmocka_unit_test(credentials_have_targets_priorities_and_qos),
		cmocka_unit_test(included_files_are_read_last),
		cmocka_unit_test(included_files_outside_the_folder_are_refused),
		cmocka_unit_test(a_parameter_without_effect_is_reported_once),
		cmocka_unit_test(a_capture_needs_maui_cfg_and_a_time),
		cmocka_unit_test(a_folder_that_cannot_be_listed_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
