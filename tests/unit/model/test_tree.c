/* model/tree: the order of rows, parents and depths. */
#include "fstree.h"
#include "model/find.h"

#define HEAD(version) \
	REC("snapshot", "'format':1,'time':1,'cluster':'c','scheduler':'" version "'")
#define ACCOUNT(id, name, parent) \
	REC("association", "'id':" id ",'account':'" name "','parent':'" parent "'")
#define USER(id, account, name) \
	REC("association", "'id':" id ",'account':'" account "','user':'" name "'")
#define USER_IN(id, account, name, partition) \
	REC("association", "'id':" id ",'account':'" account "','user':'" name \
	"','partition':'" partition "'")

/* The characters '-', '.' and '+' sort before '/'; digits and letters sort after '/'. The order by lineage and the
 * order by hierarchy therefore differ for these rows. */
#define ROWS USER("20", "root", "zoe") ACCOUNT("12", "+plus", "root") ACCOUNT("11", "ab", "root") \
	ACCOUNT("10", "a-b", "root") ACCOUNT("9", "a", "root") USER("24", "a", "bob2") \
	USER("23", "a", "bob-x") USER_IN("26", "a", "bob", "long") \
	USER_IN("25", "a", "bob", "fast") USER("22", "a", "bob") USER("21", "root", "root") \
	ACCOUNT("13", "0-z", "a") USER("27", "0-z", "amy") USER("28", "a-b", "cat") \
	REC("association", "'id':1,'account':'root'")

static void expect_ids(const char *text, const uint32_t *ids, size_t n)
{
	fs_snapshot *m = fst_snapshot(text);

	assert_int_equal(m->association.n, n);
	for (size_t i = 0; i < n; i++)
		assert_int_equal(m->association.v[i].id, ids[i]);
	fst_same_again(m);
	fs_snapshot_free(m);
}

/* Expected order: root, account +plus, the users of root, account a-b, its user cat, account a, the users of a, account
 * 0-z, its user amy, account ab. */
static void associations_are_sorted_by_lineage_since_23_11(void **state)
{
	static const uint32_t ids[] = { 1, 12, 21, 20, 10, 28, 9, 23, 22, 25, 26, 24, 13, 27, 11 };

	(void)state;
	expect_ids(HEAD("slurm 23.11.0") ROWS, ids, sizeof(ids) / sizeof(*ids));
	expect_ids(HEAD("slurm 26.05.1") ROWS, ids, sizeof(ids) / sizeof(*ids));
}

/* users first, then accounts, each by name */
static void associations_are_sorted_by_hierarchy_before_23_11(void **state)
{
	static const uint32_t ids[] = { 1, 21, 20, 12, 9, 22, 25, 26, 23, 24, 13, 27, 10, 28, 11 };

	(void)state;
	expect_ids(HEAD("slurm 23.02.7") ROWS, ids, sizeof(ids) / sizeof(*ids));
	expect_ids(HEAD("slurm 22.05.8") ROWS, ids, sizeof(ids) / sizeof(*ids));
}

static void tree_nodes_have_their_parent_depth_and_end(void **state)
{
	fs_snapshot *m = fst_snapshot(HEAD("slurm 22.05.8") ROWS);
	static const uint32_t parent[] = {
		FSI_NO_INDEX, 0, 0, 0, 0, 4, 4, 4, 4, 4, 4, 10, 0, 12, 0
	};
	static const uint32_t depth[] = { 0, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 3, 1, 2, 1 };
	static const uint32_t end[] = { 15, 2, 3, 4, 12, 6, 7, 8, 9, 10, 12, 12, 14, 14, 15 };

	(void)state;
	for (size_t i = 0; i < m->association.n; i++) {
		assert_int_equal(m->tree[i].parent, parent[i]);
		assert_int_equal(m->tree[i].depth, depth[i]);
		assert_int_equal(m->tree[i].end, end[i]);
	}
	fs_snapshot_free(m);
}

static void associations_are_found_by_id_and_by_names(void **state)
{
	fs_snapshot *m = fst_snapshot(HEAD("slurm 22.05.8") ROWS);
	const uint32_t a = fsi_name_find(m, "a"), bob = fsi_name_find(m, "bob"),
		       fast = fsi_name_find(m, "fast");

	(void)state;
	for (uint32_t i = 0; i < m->association.n; i++) {
		const struct fsi_association *x = &m->association.v[i];

		assert_int_equal(fsi_assoc_find_by_id(m, x->id), i);
		assert_int_equal(fsi_assoc_find_by_names(m, x->account, x->user, x->partition), i);
	}
	assert_int_equal(m->association.v[fsi_assoc_find_by_names(m, a, bob, 0)].id, 22);
	assert_int_equal(m->association.v[fsi_assoc_find_by_names(m, a, bob, fast)].id, 25);
	assert_int_equal(fsi_assoc_find_by_names(m, a, fast, 0), FSI_NO_INDEX);
	assert_int_equal(fsi_assoc_find_by_id(m, 2), FSI_NO_INDEX);
	assert_int_equal(fsi_assoc_find_by_id(m, UINT32_MAX), FSI_NO_INDEX);
	fs_snapshot_free(m);
}

/* The association of a job is found by its id, or else by account, user and partition, or else by account and user. */
static void a_job_is_charged_to_its_association(void **state)
{
	static const uint32_t want[] = { 22, 25, 22, 26, 28, 0, 0 };
	fs_snapshot *m = fst_snapshot(
		HEAD("slurm 22.05.8") ROWS
		REC("job", "'id':1,'state':'PENDING','account':'a','user':'bob'")
		REC("job",
			"'id':2,'state':'PENDING','account':'a','user':'bob','partitions':['x',"
			"'fast']")
		REC("job",
			"'id':3,'state':'PENDING','account':'a','user':'bob','partitions':['x']")
		REC("job", "'id':4,'state':'PENDING','account':'a','user':'bob','association':26")
		REC("job",
			"'id':5,'state':'PENDING','account':'a-b','user':'cat','association':77")
		REC("job", "'id':6,'state':'PENDING','account':'ab','user':'bob'")
		REC("job", "'id':7,'state':'PENDING'"));

	(void)state;
	for (size_t i = 0; i < m->job.n; i++) {
		const uint32_t row = fsi_job_find_assoc(m, &m->job.v[i]);

		assert_int_equal(row == FSI_NO_INDEX ? 0 : m->association.v[row].id, want[i]);
	}
	fs_snapshot_free(m);
}

/* Writes the key by which strcmp sorts the rows; see model/tree.c. */
static void lineage(const struct fstree *t, int i, bool modern, char *key, size_t size)
{
	const struct fstree_node *x = &t->v[i];
	char above[2000] = "/";

	if (x->parent >= 0)
		lineage(t, x->parent, modern, above, sizeof(above));
	if (modern)
		snprintf(key, size, "%s%s%s/", above, x->user ? "0-" : "", x->name);
	else
		snprintf(key, size, "%s%c%s\x01", above, x->user ? 2 : 3, x->name);
}

static void rows_of_random_trees_are_sorted_by_lineage(void **state)
{
	uint64_t seed = 11;
	struct fstree t;
	uint32_t order[FSTREE_MAX];

	(void)state;
	for (int round = 0; round < 2000; round++) {
		const bool modern = round % 2;
		char key[2][2200] = { "", "" };

		fstree_random(&t, &seed);
		fstree_identity(order, t.n);
		fst_shuffle(&seed, order, t.n);
		fs_snapshot *m = fstree_snapshot(&t, order, modern ? "25.05.1" : "22.05.1");
		for (size_t i = 0; i < t.n; i++) {
			lineage(&t, (int)m->association.v[i].id - 100, modern, key[i % 2],
				sizeof(key[0]));
			assert_true(strcmp(key[(i + 1) % 2], key[i % 2]) < 0);
		}
		fs_snapshot_free(m);
	}
}

static void the_order_of_input_records_does_not_change_the_tree(void **state)
{
	uint64_t seed = 12;
	struct fstree t;
	uint32_t order[FSTREE_MAX];

	(void)state;
	for (int round = 0; round < 500; round++) {
		fstree_random(&t, &seed);
		fstree_identity(order, t.n);
		fs_snapshot *m = fstree_snapshot(&t, order, round % 2 ? "25.05.1" : "22.05.1");
		struct fst_sink first = fst_written(m);
		fs_snapshot_free(m);
		for (int k = 0; k < 3; k++) {
			fst_shuffle(&seed, order, t.n);
			m = fstree_snapshot(&t, order, round % 2 ? "25.05.1" : "22.05.1");
			struct fst_sink again = fst_written(m);
			assert_string_equal(first.data, again.data);
			fst_free(&again);
			fs_snapshot_free(m);
		}
		fst_free(&first);
	}
}

/* A chain of accounts: the code must not recurse or take quadratic time. */
static void deep_trees_are_read(void **state)
{
	enum { DEPTH = 20000 };
	struct fst_sink s = { 0 };

	(void)state;
	fst_put(&s,
		FST_HEAD REC("association", "'id':1,'account':'a0','shares':1,'usage_tres_s':0"));
	for (int i = 1; i < DEPTH; i++)
		fst_put(&s,
			REC("association",
				"'id':%d,'account':'a%d','parent':'a%d','shares':1,"
				"'usage_tres_s':0"),
			i + 1, i, i - 1);
	fst_put(&s,
		REC("association",
			"'id':%d,'account':'a%d','user':'u','shares':1,'usage_tres_s':5"),
		DEPTH + 1, DEPTH - 1);
	fs_snapshot *m = fst_snapshot(s.data);
	fs_shares *shares = fst_shares(m, "fair_tree");
	assert_int_equal(fs_shares_row(shares, DEPTH)->depth, DEPTH);
	assert_same_double(fs_shares_row(shares, DEPTH)->fairshare, 1);
	assert_same_double(fs_shares_row(shares, 0)->raw_usage, 5);
	fs_shares_free(shares);
	fs_snapshot_free(m);
	fst_free(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(associations_are_sorted_by_lineage_since_23_11),
		cmocka_unit_test(associations_are_sorted_by_hierarchy_before_23_11),
		cmocka_unit_test(tree_nodes_have_their_parent_depth_and_end),
		cmocka_unit_test(associations_are_found_by_id_and_by_names),
		cmocka_unit_test(a_job_is_charged_to_its_association),
		cmocka_unit_test(rows_of_random_trees_are_sorted_by_lineage),
		cmocka_unit_test(the_order_of_input_records_does_not_change_the_tree),
		cmocka_unit_test(deep_trees_are_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
