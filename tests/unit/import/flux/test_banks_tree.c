/* import/flux/banks.c: a tree of banks and users in one file. */
#include "fsflux.h"

static void a_tree_of_banks_and_users_is_imported(void **state)
{
	fs_snapshot *m = tree("{'root':{'bank':'root','children':[{'bank':'b','usage':12,'shares':2,'children':["
			      "{'username':'u','shares':1,'usage':2.5},{'username':'v','shares':3,'usage':9.5,'active':0}]}],"
			      "'shares':1}}");

	(void)state;
	assert_int_equal(fs_snapshot_info(m)->kind, FS_FLUX);
	assert_int_equal(fs_snapshot_info(m)->associations, 4);
	assert_member(m, "association", 0, "id", "1");
	assert_member(m, "association", 1, "parent", "'root'");
	assert_member(m, "association", 1, "total_usage", "12");
	assert_member(m, "association", 2, "account", "'b'");
	assert_member(m, "association", 3, "active", "false");
	assert_int_equal(fs_snapshot_warnings(m), 0);
	fs_snapshot_free(m);

	m = tree("{'bank':'r','shares':1,'children':[{'username':'u','shares':1,'usage':1},{'bank':'c','shares':1,'usage':9}]}");
	assert_true(warned(m, "user \"u\" of bank \"r\" is counted although the bank has sub-banks"));
	assert_true(warned(m, "bank \"c\" has the usage 9, but the users below the bank have 0 in total: the import uses the total"));
	assert_member(m, "association", 1, "left_out", "");
	fs_snapshot_free(m);
}

static void malformed_trees_are_refused(void **state)
{
#define IN_ROOT(text) "{'root':{'bank':'root','shares':1,'children':[\n" text "\n]}}"
	(void)state;
	tree_refused("", 1, "", "empty");
	tree_refused("[]", 0, "", "the root bank is missing");
	tree_refused("{}", 1, "bank", "the object has neither \"bank\" nor \"username\"");
	tree_refused("{'root':5}", 0, "", "the root bank is missing");
	tree_refused("{'username':'u','shares':1,'usage':1}", 1, "username", "the root must be a bank");
	tree_refused(IN_ROOT("{'username':'u','shares':1}"), 2, "usage", "missing");
	tree_refused(IN_ROOT("{'username':'u','usage':1}"), 2, "shares", "missing");
	tree_refused(IN_ROOT("{'username':'u','shares':-1,'usage':1}"), 2, "shares", "-1");
	tree_refused(IN_ROOT("{'username':'u','shares':1,'usage':-1}"), 2, "usage_tres_s", "-1");
	tree_refused(IN_ROOT("{'username':'u','shares':4294967296,'usage':1}"), 2, "shares", "4294967296");
	tree_refused(IN_ROOT("{'username':'u','bank':'b','shares':1,'usage':1}"), 2, "username", "cannot have both");
	tree_refused(IN_ROOT("{'username':'u','shares':1,'usage':1,'children':[]}"), 2, "children", "a user cannot have children");
	tree_refused(IN_ROOT("{'bank':'b','shares':1},\n{'bank':'b','shares':1}"), 3, "bank", "bank \"b\" appears twice");
	tree_refused(IN_ROOT("{'username':'u','shares':1,'usage':1},\n{'username':'u','shares':1,'usage':1}"), 3, "username",
		     "appears twice");
	tree_refused("[{'bank':'a','shares':1},\n{'bank':'b','shares':1}]", 2, "parent_bank", "a second bank without a parent");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_tree_of_banks_and_users_is_imported),
		cmocka_unit_test(malformed_trees_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
