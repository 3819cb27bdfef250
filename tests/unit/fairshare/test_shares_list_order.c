/* fairshare/shares: before Slurm 23.11, the order of tied accounts is either the order of the accounting database or
 * the order of names. If the snapshot does not record the order, both possible ranks are reported. */
#include "fstest.h"

/* Accounts x (lft 6) and y (lft 2) have no shares, so both have level 0. In the order of names, the users of x come
 * first, and y1 gets the last rank of x: ranks 4 and 3 in x, 3 and 1 in y. In the order of the database (lft), the
 * users of y come first, and x1 gets the last rank of y: ranks 4 and 3 in y, 3 and 1 in x. */
#define TREE \
	REC("association", "'id':1,'account':'root','shares':1,'usage_tres_s':0,'lft':1") \
	REC("association", "'id':2,'account':'x','parent':'root','shares':0,'usage_tres_s':0,'lft':6") \
	REC("association", "'id':3,'account':'y','parent':'root','shares':0,'usage_tres_s':0,'lft':2") \
	REC("association", "'id':4,'account':'x','user':'x1','shares':1,'usage_tres_s':1000,'lft':7") \
	REC("association", "'id':5,'account':'x','user':'x2','shares':1,'usage_tres_s':4000,'lft':9") \
	REC("association", "'id':6,'account':'y','user':'y1','shares':1,'usage_tres_s':1000,'lft':3") \
	REC("association", "'id':7,'account':'y','user':'y2','shares':1,'usage_tres_s':3000,'lft':4")

#define HEAD(version, more) \
	"{'type':'snapshot','format':1,'time':1700000000,'cluster':'c','scheduler':'slurm " version \
	"','priority_time':1699999990,'priority_time_from':'ages','usage_source':'assoc_mgr'" more "}\n"
#define CONFIG(boot) "{'type':'config','PriorityCalcPeriod':300,'BOOT_TIME':" boot "}\n"
#define LONG_AGO CONFIG("1699900000")
#define JUST_NOW CONFIG("1699999989")

static const struct ranks {
	uint32_t x1, x2, y1, y2;
} by_name = { 4, 3, 3, 1 }, by_database = { 3, 1, 4, 3 };

static void expect(fs_snapshot *m, const struct ranks *want, const struct ranks *other)
{
	static const struct {
		const char *account, *user;
	} who[] = { { "x", "x1" }, { "x", "x2" }, { "y", "y1" }, { "y", "y2" } };
	const uint32_t ranks[] = { want->x1, want->x2, want->y1, want->y2 };
	const uint32_t others[] = { other->x1, other->x2, other->y1, other->y2 };
	fs_shares *s = fst_shares(m, NULL);

	for (size_t i = 0; i < 4; i++) {
		const struct fs_share_row *r = fst_row(s, who[i].account, who[i].user);

		assert_int_equal(r->rank, ranks[i]);
		assert_int_equal(r->other_rank, others[i]);
		assert_near(r->fairshare, ranks[i] / 4.0, 1e-15);
	}
	fs_shares_free(s);
}

static void expect_text(const char *text, const struct ranks *want, const struct ranks *other)
{
	fs_snapshot *m = fst_snapshot(text);

	expect(m, want, other);
	fst_same_again(m);
	fs_snapshot_free(m);
}

static void without_evidence_both_orders_are_reported(void **state)
{
	(void)state;
	expect_text(HEAD("22.05.8", "") LONG_AGO TREE, &by_name, &by_database);
	expect_text(HEAD("22.05.8", "") JUST_NOW TREE, &by_database, &by_name);
}

static void the_header_decides_the_order(void **state)
{
	fs_snapshot *m = fst_snapshot(HEAD("22.05.8", ",'list_order':'database'") LONG_AGO TREE);

	(void)state;
	expect(m, &by_database, &by_database);
	fs_snapshot_free(m);
	m = fst_snapshot(HEAD("22.05.8", ",'list_order':'name'") JUST_NOW TREE);
	expect(m, &by_name, &by_name);
	fs_snapshot_free(m);
}

static void from_23_11_the_order_is_by_name(void **state)
{
	(void)state;
	expect_text(HEAD("23.11.0", "") LONG_AGO TREE, &by_name, &by_name);
	expect_text(HEAD("23.11.0", "") JUST_NOW TREE, &by_name, &by_name);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_evidence_both_orders_are_reported),
		cmocka_unit_test(the_header_decides_the_order),
		cmocka_unit_test(from_23_11_the_order_is_by_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
