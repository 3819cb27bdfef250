/* import/slurm/shares: the rows of `sshare -a --json` add values to the rows of sshare's text output. */
#include "fsimport.h"

#define CONFIG "Configuration data as of 2023-11-14T23:13:20\nSLURM_VERSION = 24.11.7\n"
#define ASSOC \
	"Account|User|Partition|ID|ParentName|Share|Lineage\n" \
	"root|||1||1|/\na|||2|root|3|/a/\na|bob||3||1|/a/0-bob/\na|eve||4||2|/a/0-eve/\n"
#define TEXT \
	"Account|User|RawShares|NormShares|RawUsage|NormUsage|EffectvUsage|FairShare|LevelFS\n" \
	"root|||0.000000|300||1.000000||\n a||3|1.000000|300|1.000000|1.000000||1.000000\n" \
	"  a|bob|1|0.333333|100|0.333333|0.333333|1.000000|1.000000\n" \
	"  a|eve|2|0.666667|200|0.666667|0.666667|1.000000|1.000000\n"
#define TRES "Type|Name|ID\ncpu||1\nmem||2\n"

/* Numbers in JSON, in the form that Slurm 24.11 and later versions write. */
#define NEW(v) "{'set':true,'infinite':false,'number':" v "}"
#define UNSET "{'set':false,'infinite':false,'number':0}"
#define INFINITE "{'set':true,'infinite':true,'number':0}"
#define ROW(id, usage, norm, effective, level, tres) \
	"{'id':" id ",'usage':" usage ",'usage_normalized':" norm ",'effective_usage':" effective \
	",'fairshare':{'factor':0.5,'level':" level "},'tres':{'usage':[" tres "]}}"
#define SHARES(rows) "{'shares':{'shares':[" rows "],'total_shares':0}}"

static fs_snapshot *with(const char *json, const char *text)
{
	char *quoted = fst_quoted(json);
	const struct fst_file files[] = { { "date_begin", "1700000000.5\n" },
					  { "scontrol_config.txt", CONFIG },
					  { "sacctmgr_tres.txt", TRES },
					  { "sacctmgr_assoc.txt", ASSOC },
					  { "sshare_a.json", quoted },
					  { "sshare.txt", text } };
	fs_snapshot *m = fst_import_exact(files, text ? 6 : 5, NULL);

	free(quoted);
	fst_same_again(m);
	return m;
}

static const struct fsi_recorded *recorded(const fs_snapshot *m, uint32_t association)
{
	for (size_t i = 0; i < m->recorded.n; i++)
		if (m->recorded.v[i].association == association)
			return &m->recorded.v[i];
	fail_msg("nothing is recorded of %u", association);
	return NULL;
}

static void exact_numbers_replace_six_decimals(void **state)
{
	static const char *const of_bob[] = {
		ROW("3", "100", NEW("0.33333333333333331"), NEW("0.3333333333333334"), NEW("0.9999999999999998"), ""),
		ROW("3", "100", "0.33333333333333331", "0.3333333333333334", "0.9999999999999998", ""),
	};

	(void)state;
	for (size_t i = 0; i < FST_COUNT(of_bob); i++) {
		char json[600];
		const struct fsi_recorded *r;
		fs_snapshot *m;

		snprintf(json, sizeof(json), SHARES("%s"), of_bob[i]);
		m = with(json, TEXT);
		r = recorded(m, 3);
		assert_true(m->head.whole_shares);
		assert_same_double(r->norm_usage, 0.33333333333333331);
		assert_same_double(r->effective_usage, 0.3333333333333334);
		assert_same_double(r->level_fs, 0.9999999999999998);
		assert_int_equal(r->raw_usage, 100);
		/* the factor is from sshare.txt, because the JSON output has the factor that the daemon stores instead
		 * of the printed one */
		assert_same_double(r->factor, 1);
		assert_same_double(recorded(m, 4)->norm_usage, 0.666667);
		assert_int_equal(m->recorded.n, 4);
		fs_snapshot_free(m);
	}
}

static void values_that_are_no_numbers_keep_the_text_value(void **state)
{
	static const char *const nothing[] = { UNSET, INFINITE, "null", "\"0.25\"", "Infinity", "[]" };

	(void)state;
	for (size_t i = 0; i < FST_COUNT(nothing); i++) {
		char json[700];
		const struct fsi_recorded *r;
		fs_snapshot *m;

		snprintf(json, sizeof(json), SHARES(ROW("3", "100", "%s", "%s", "%s", "")), nothing[i], nothing[i],
			 nothing[i]);
		m = with(json, TEXT);
		r = recorded(m, 3);
		assert_same_double(r->norm_usage, 0.333333);
		assert_same_double(r->effective_usage, 0.333333);
		assert_same_double(r->level_fs, 1);
		fs_snapshot_free(m);
	}
}

static void rows_of_unknown_associations_and_the_root_are_ignored(void **state)
{
	fs_snapshot *m = with(SHARES(ROW("99", "7", NEW("0.1"), NEW("0.1"), NEW("0.1"), "")
				     "," ROW("1", "300", NEW("4294967294"), NEW("1"), NEW("4294967294"), "")),
			      TEXT);

	(void)state;
	assert_int_equal(m->recorded.n, 4);
	assert_false(FSI_HAS(recorded(m, 1), RECORDED, norm_usage));
	assert_int_equal(recorded(m, 1)->raw_usage, 300);
	fs_snapshot_free(m);
}

static void json_alone_makes_records(void **state)
{
	fs_snapshot *m = with(SHARES(ROW("3", "100", NEW("0.25"), NEW("0.5"), NEW("0.75"), "")), NULL);

	(void)state;
	assert_int_equal(m->recorded.n, 1);
	assert_same_double(recorded(m, 3)->norm_usage, 0.25);
	assert_true(m->head.whole_shares);
	/* a LevelFS that sshare's table leaves blank, as for users with `parent` shares, is not recorded */
	assert_false(FSI_HAS(recorded(m, 3), RECORDED, level_fs));
	fs_snapshot_free(m);
}

#define CPU(v) "{'name':'cpu','value':" v "}"
#define MEM(v) "{'name':'mem','value':" v "}"
#define USED(id, tres) ROW(id, "1", UNSET, UNSET, UNSET, tres)

/* The row of an account includes the usage of all rows below it. The account's own usage is the part that exceeds the
 * usage of its children. A part that is only a rounding error is ignored. */
static void usage_by_tres_excludes_the_usage_of_children(void **state)
{
	fs_snapshot *m = with(SHARES(USED("1", CPU("60.5") "," MEM("10.000002")) "," USED("2", CPU("50.5") "," MEM("10.000001")) ","
				     USED("3", CPU("20.25") "," MEM("4")) "," USED("4", CPU("30.25") "," MEM("6") ",{'name':'gres/none','value':5}")),
			      TEXT);

	(void)state;
	assert_string_equal(fst_member(m, "association", 0, "usage_by_tres_s"), "{'cpu':10}");
	assert_string_equal(fst_member(m, "association", 1, "usage_by_tres_s"), "{}");
	assert_string_equal(fst_member(m, "association", 2, "usage_by_tres_s"), "{'cpu':20.25,'mem':4}");
	assert_string_equal(fst_member(m, "association", 3, "usage_by_tres_s"), "{'cpu':30.25,'mem':6}");
	fs_snapshot_free(m);
}

static void usage_by_tres_is_unknown_unless_all_rows_exist(void **state)
{
	fs_snapshot *m = with(SHARES(USED("1", CPU("60")) "," USED("2", CPU("50")) "," USED("3", CPU("20"))), TEXT);

	(void)state;
	for (size_t i = 0; i < 4; i++)
		assert_string_equal(fst_member(m, "association", i, "usage_by_tres_s"), "");
	fs_snapshot_free(m);
}

static void a_file_without_rows_is_ignored(void **state)
{
	static const char *const all[] = { "", "{}", "{'shares':{'shares':[]}}", "{'errors':[]}" };

	(void)state;
	for (size_t i = 0; i < FST_COUNT(all); i++) {
		fs_snapshot *m = with(all[i], TEXT);

		assert_false(m->head.whole_shares);
		assert_same_double(recorded(m, 3)->norm_usage, 0.333333);
		fs_snapshot_free(m);
	}
}

static void malformed_json_is_refused(void **state)
{
	static const struct fst_file files[] = { { "date_begin", "1700000000.5\n" },
						 { "scontrol_config.txt", CONFIG },
						 { "sacctmgr_assoc.txt", ASSOC },
						 { "sshare_a.json", "{\"shares\":{\"shares\":[{\"id\":3,}]}}" } };
	struct fs_error err;
	fs_snapshot *m;

	(void)state;
	assert_int_equal(fst_try_import(files, FST_COUNT(files), NULL, &m, &err), FS_EDATA);
	assert_string_equal(err.file, "dir/sshare_a.json");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(exact_numbers_replace_six_decimals),
		cmocka_unit_test(values_that_are_no_numbers_keep_the_text_value),
		cmocka_unit_test(rows_of_unknown_associations_and_the_root_are_ignored),
		cmocka_unit_test(json_alone_makes_records),
		cmocka_unit_test(usage_by_tres_excludes_the_usage_of_children),
		cmocka_unit_test(usage_by_tres_is_unknown_unless_all_rows_exist),
		cmocka_unit_test(a_file_without_rows_is_ignored),
		cmocka_unit_test(malformed_json_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
