/* fairshare/slurm: sshare's output under priority/basic, where no plugin computes shares or factors
 * (src/common/assoc_mgr.c: the initial values of the fields). */
#include "fstest.h"

static void users_have_factor_0_and_accounts_have_none(void **state)
{
	fs_snapshot *m = fst_snapshot(FST_HEAD REC("config", "'PriorityType':'priority/basic'")
		REC("association", "'id':1,'account':'root','shares':1,'usage_tres_s':0")
		REC("association", "'id':2,'account':'a','parent':'root','shares':2,'usage_tres_s':0")
		REC("association", "'id':3,'account':'a','user':'u','shares':1,'usage_tres_s':50")
		REC("association", "'id':4,'account':'a','user':'p','shares':'parent','usage_tres_s':7"));
	fs_shares *s = fst_shares(m, NULL);

	(void)state;
	assert_string_equal(fs_shares_algorithm(s), "none");
	assert_same_double(fst_row(s, "a", "")->fairshare, NAN);
	assert_near(fst_row(s, "a", "u")->fairshare, 0, 0);
	assert_near(fst_row(s, "a", "p")->fairshare, 0, 0);
	assert_near(fst_row(s, "a", "u")->level_fs, 0, 0);
	assert_same_double(fst_row(s, "a", "p")->level_fs, NAN);
	assert_near(fst_row(s, "a", "u")->effective_usage, 0, 0);
	assert_same_double(fst_row(s, "a", "u")->norm_usage, NAN);
	assert_same_double(fst_row(s, "a", "u")->norm_shares, NAN);
	assert_near(fst_row(s, "a", "")->raw_usage, 57, 0);
	fs_shares_free(s);
	fs_snapshot_free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(users_have_factor_0_and_accounts_have_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
