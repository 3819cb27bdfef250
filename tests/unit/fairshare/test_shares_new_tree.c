/* fairshare/shares: with DEPTH_OBLIVIOUS, an account whose usage was never computed leaves its siblings almost no
 * effective usage. The printed usage shows whether there was such an account. */
#include "fstest.h"

/* Siblings are computed in the order of their names, so p comes before q. The effective usage of p is 1.5 *
 * (2/3)^0.1957 * 0.25. If the usage of q was never computed before, the effective usage of p is almost 0. */
#define TREE \
	REC("association", "'id':1,'account':'root','shares':1,'usage_tres_s':0") \
	REC("association", "'id':2,'account':'x','parent':'root','shares':1,'usage_tres_s':0") \
	REC("association", "'id':3,'account':'y','parent':'root','shares':1,'usage_tres_s':0") \
	REC("association", "'id':4,'account':'p','parent':'x','shares':1,'usage_tres_s':0") \
	REC("association", "'id':5,'account':'q','parent':'x','shares':1,'usage_tres_s':0") \
	REC("association", "'id':6,'account':'y','user':'a','shares':1,'usage_tres_s':1000") \
	REC("association", "'id':7,'account':'p','user':'b','shares':1,'usage_tres_s':1000") \
	REC("association", "'id':8,'account':'q','user':'c','shares':1,'usage_tres_s':2000")
/* Effective usage of account p. known_q: the usage_norm of its sibling q is known from an earlier calculation; new_q:
 * the tree is new, and the usage_norm of q is not computed yet. */
static const double known_q = 0.346395, new_q = 0.004266;

#define HEAD(more) \
	"{'type':'snapshot','format':1,'time':1700000000,'cluster':'c','scheduler':'slurm 22.05.8'" \
	",'priority_time':1699999990,'priority_time_from':'ages','usage_source':'assoc_mgr'" more "}\n"
#define CONFIG(flags, boot) REC("config", "'PriorityFlags':['" flags "'],'PriorityCalcPeriod':300,'BOOT_TIME':" boot)
#define LONG_AGO CONFIG("DEPTH_OBLIVIOUS", "1699900000")
#define JUST_NOW CONFIG("DEPTH_OBLIVIOUS", "1699999989")
#define PRINTED(usage) REC("recorded", "'association':4,'effective_usage':" usage)

static void expect(const char *text, double usage)
{
	fs_snapshot *m = fst_snapshot(text);
	struct fs_error err;
	fs_shares *s;

	assert_int_equal(fs_import_infer(m, &err), 0);
	s = fst_shares(m, NULL);
	assert_near(fst_row(s, "p", "")->effective_usage, usage, 1e-6);
	fs_shares_free(s);
	fst_same_again(m);
	fs_snapshot_free(m);
}

static void without_printed_usage_the_start_time_decides(void **state)
{
	(void)state;
	expect(HEAD("") LONG_AGO TREE, known_q);
	expect(HEAD("") JUST_NOW TREE, new_q);
}

static void printed_usage_decides_if_it_fits(void **state)
{
	(void)state;
	expect(HEAD("") LONG_AGO TREE PRINTED("0.004266"), new_q);
	expect(HEAD("") JUST_NOW TREE PRINTED("0.346395"), known_q);
	/* if the printed usage agrees neither with a new tree nor with an old one, the start time of the controller
	 * decides */
	expect(HEAD("") LONG_AGO TREE PRINTED("0.2"), known_q);
	expect(HEAD("") JUST_NOW TREE PRINTED("0.2"), new_q);
}

static void the_header_decides_about_a_new_tree(void **state)
{
	(void)state;
	expect(HEAD(",'new_tree':true") LONG_AGO TREE PRINTED("0.346395"), new_q);
	expect(HEAD(",'new_tree':false") JUST_NOW TREE, known_q);
}

/* NO_FAIR_TREE alone selects the classic algorithm, which does not sum usage over siblings. */
static void only_depth_oblivious_records_new_tree(void **state)
{
	fs_snapshot *m = fst_snapshot(HEAD("") CONFIG("NO_FAIR_TREE", "1699900000") TREE PRINTED("0.004266"));
	struct fst_sink out;
	struct fs_error err;

	(void)state;
	assert_int_equal(fs_import_infer(m, &err), 0);
	out = fst_written(m);
	assert_null(strstr(out.data, "new_tree"));
	fst_free(&out);
	fs_snapshot_free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_printed_usage_the_start_time_decides),
		cmocka_unit_test(printed_usage_decides_if_it_fits),
		cmocka_unit_test(the_header_decides_about_a_new_tree),
		cmocka_unit_test(only_depth_oblivious_records_new_tree),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
