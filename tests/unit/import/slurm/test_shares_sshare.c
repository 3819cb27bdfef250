/* import/slurm/shares.c, usage.c: the rows of sshare, and exact usage. */
#include "fsimport.h"

#define ASSOC \
	{ \
		"sacctmgr_assoc.txt", \
			"Account|User|Partition|ID|ParentName|Share\nroot|||1||1\nphysics|||3|" \
			"root|30\n" \
			"physics|alice||4||parent\nphysics|bob||5||2\nphysics|bob|long|6||2\n" \
	}
#define SSHARE \
	"Account|User|RawShares|NormShares|RawUsage|NormUsage|EffectvUsage|FairShare|LevelFS|" \
	"GrpTRESMins|TRESRunMins\n" "root|||0.000000|100||1.000000||||cpu=0\n " \
	"physics||30|1.000000|100|1.000000|1.000000||1.000000||cpu=0\n" \
	"  physics|alice|parent|1.000000|60|0.600000|0.600000|1.000000|||cpu=0\n"

static void rows_of_sshare_are_recorded(void **state)
{
	static const struct fst_file files[] = {
		FST_CLOCK,
		ASSOC,
		{ "sshare.txt",
		  SSHARE "  physics|bob|2|0.500000|40|0.400000|0.400000|0.500000|inf||cpu=0\n" },
	};
	fs_snapshot *m = FST_IMPORT(files);

	(void)state;
	/* bob's row is not recorded, because it may belong to either of his two associations */
	assert_int_equal(m->recorded.n, 3);
	assert_member(m, "recorded", 1, "association", "3");
	assert_member(m, "recorded", 1, "level_fs", "1");
	assert_member(m, "recorded", 2, "association", "4");
	assert_member(m, "recorded", 2, "factor", "1");
	assert_member(m, "recorded", 2, "raw_usage", "60");
	assert_member(m, "recorded", 2, "level_fs", "");
	assert_string_equal(fs_snapshot_info(m)->usage_source, "sshare");
	assert_member(m, "association", 2, "usage_tres_s", "60");
	assert_member(m, "association", 3, "usage_tres_s", "");
	fst_same_again(m);
	fs_snapshot_free(m);
}

/* sshare lists the associations of a user in the order of LFT before 23.11, and in the order of partition names in
 * later versions. */
static void partition_associations_are_listed_by_version(void **state)
{
#define LISTED(version)                                                                           \
	{                                                                                         \
		{ "date_begin", "1700000000.5\n" },                                               \
		{ "scontrol_config.txt",                                                          \
		  "Configuration data as of 2023-11-14T23:13:20\nSLURM_VERSION = " version "\n" }, \
		{ "sacctmgr_assoc.txt",                                                           \
		  "Account|User|Partition|ID|ParentName|Share|LFT\nroot|||1||1|1\n"               \
		  "root|bob|long|2||1|8\nroot|bob||3||1|4\nroot|bob|short|4||1|2\n" },             \
		{ "sshare.txt", "Account|User|RawShares|RawUsage\nroot|||60\n"                    \
				" root|bob|1|10\n root|bob|1|20\n root|bob|1|30\n" },             \
	}
	static const struct fst_file lft[] = LISTED("22.05.8"), lineage[] = LISTED("24.05.8");
	fs_snapshot *m = FST_IMPORT(lft);

	(void)state;
	assert_member(m, "association", 1, "partition", "'short'");
	assert_member(m, "association", 1, "usage_tres_s", "10");
	assert_member(m, "association", 2, "partition", "");
	assert_member(m, "association", 2, "usage_tres_s", "20");
	assert_member(m, "association", 3, "usage_tres_s", "30");
	fs_snapshot_free(m);
	m = FST_IMPORT(lineage);
	assert_member(m, "association", 1, "partition", "");
	assert_member(m, "association", 1, "usage_tres_s", "10");
	assert_member(m, "association", 2, "partition", "'long'");
	assert_member(m, "association", 2, "usage_tres_s", "20");
	assert_member(m, "association", 3, "usage_tres_s", "30");
	fs_snapshot_free(m);
}

static void associations_come_from_sshare_alone(void **state)
{
	static const struct fst_file files[] = {
		FST_CLOCK,
		{ "sshare.txt",
		  SSHARE "  physics|bob|2|1.000000|40|0.400000|0.400000|0.500000|inf||cpu=0\n"
		" chem||1|0.1|0|0|0||0||\n" },
	};
	fs_snapshot *m = FST_IMPORT(files);

	(void)state;
	assert_int_equal(m->association.n, 5);
	assert_member(m, "association", 0, "shares", "");
	assert_member(m, "association", 1, "account", "'chem'");
	assert_member(m, "association", 1, "parent", "'root'");
	assert_member(m, "association", 2, "parent", "'root'");
	assert_member(m, "association", 2, "usage_tres_s", "0");
	assert_member(m, "association", 3, "shares", "'parent'");
	assert_member(m, "association", 4, "usage_tres_s", "40");
	assert_member(m, "association", 4, "priority", "");
	fst_same_again(m);
	fs_snapshot_free(m);
}

/* By default sshare prints no partition, so the rows of one user look alike. */
static void equal_rows_of_sshare_alone_can_be_read_back(void **state)
{
	static const struct fst_file files[] = {
		FST_CLOCK,
		{ "sshare.txt",
		  "Account|User|RawShares|RawUsage\nroot|||9\n root|bob|1|4\n root|bob|1|5\n" },
	};
	fs_snapshot *m = FST_IMPORT(files);

	(void)state;
	fst_same_again(m);
	fs_snapshot_free(m);
}

static void exact_usage_replaces_printed_usage(void **state)
{
	static const struct fst_file files[] = {
		FST_CLOCK,
		{ "sacctmgr_tres.txt", "Type|Name|ID\ncpu||1\nmem||2\n" },
		ASSOC,
		{ "sshare.txt", SSHARE },
	};
	fs_snapshot *m = fst_import_exact(
		files, FST_COUNT(files),
		"# comment\n\n4|60.123456|1=2.999921,2=2999.92,77=5|17.25\n5|1e3\n99|5\n");

	(void)state;
	assert_string_equal(fs_snapshot_info(m)->usage_source, "exact");
	/* the file has no usage of this association, so its usage is 0 */
	assert_member(m, "association", 0, "usage_tres_s", "0");
	assert_member(m, "association", 2, "usage_tres_s", "60.123456");
	assert_member(m, "association", 2, "usage_wall_s", "17.25");
	assert_member(m, "association", 2, "usage_by_tres_s", "{'cpu':2.999921,'mem':2999.92}");
	assert_member(m, "association", 3, "usage_tres_s", "1000");
	assert_member(m, "association", 3, "usage_wall_s", "");
	assert_member(m, "association", 4, "usage_tres_s", "0");
	fst_same_again(m);
	fs_snapshot_free(m);
}

/* If a line has only the total usage of an association, the usage of each TRES is unknown, not 0. */
static void exact_usage_without_tres_leaves_them_unknown(void **state)
{
	static const struct fst_file files[] = { FST_CLOCK, ASSOC };
	fs_snapshot *m = fst_import_exact(files, FST_COUNT(files), "5|1e3\n");

	(void)state;
	assert_member(m, "association", 3, "usage_tres_s", "1000");
	assert_member(m, "association", 3, "usage_by_tres_s", "");
	fs_snapshot_free(m);
}

static void corrupt_exact_usage_is_refused(void **state)
{
	static const struct fst_file files[] = { FST_CLOCK, ASSOC };
	static const struct {
		const char *text, *field;
	} bad[] = {
		{ "\nx|1\n", "id" },
		{ "\n-4|1\n", "id" },
		{ "\n|1\n", "id" },
		{ "\n4|x\n", "usage" },
		{ "\n4|-1\n", "usage" },
		{ "\n4|nan\n", "usage" },
		{ "\n4|1|1\n", "usage_by_tres_s" },
		{ "\n4|1|a=1\n", "usage_by_tres_s" },
		{ "\n4|1|1=-1\n", "usage_by_tres_s" },
		{ "\n4|1|1=x\n", "usage_by_tres_s" },
	};

	(void)state;
	for (size_t i = 0; i < FST_COUNT(bad); i++)
		fst_import_refused(files, 3, bad[i].text, "usage", 2, bad[i].field);
}

static void exact_usage_without_a_separator_or_tres_id_is_refused(void **state)
{
	static const struct fst_file files[] = { FST_CLOCK, ASSOC };

	(void)state;
	fst_import_refused(files, 3, "\n4\n", "usage", 2, "usage");
	fst_import_refused(files, 3, "4|1|=5\n", "usage", 1, "usage_by_tres_s");
}

static void exact_usage_with_too_many_tres_is_refused(void **state)
{
	static const struct fst_file files[] = { FST_CLOCK,
						 { "sacctmgr_tres.txt", "Type|Name|ID\ncpu||1\n" },
						 ASSOC };
	char text[1000] = "4|1|";

	(void)state;
	for (int i = 0; i < 128; i++)
		strcat(text, "1=2,");
	fst_import_refused(files, 4, text, "usage", 1, "usage_by_tres_s");
}

static void exact_usage_names_each_tres_once(void **state)
{
	static const struct fst_file files[] = {
		FST_CLOCK,
		{ "sacctmgr_tres.txt", "Type|Name|ID\ncpu||1\n" },
		ASSOC,
	};

	(void)state;
	fst_import_refused(files, 4, "4|1|1=2,1=3\n", "usage", 1, "usage_by_tres_s");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_of_sshare_are_recorded),
		cmocka_unit_test(partition_associations_are_listed_by_version),
		cmocka_unit_test(associations_come_from_sshare_alone),
		cmocka_unit_test(equal_rows_of_sshare_alone_can_be_read_back),
		cmocka_unit_test(exact_usage_replaces_printed_usage),
		cmocka_unit_test(exact_usage_without_tres_leaves_them_unknown),
		cmocka_unit_test(corrupt_exact_usage_is_refused),
		cmocka_unit_test(exact_usage_without_a_separator_or_tres_id_is_refused),
		cmocka_unit_test(exact_usage_with_too_many_tres_is_refused),
		cmocka_unit_test(exact_usage_names_each_tres_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
