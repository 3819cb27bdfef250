/* fairshare/narrow: captured usage is adjusted within its precision until the computed shares agree with all printed
 * numbers. */
#include "fstest.h"

enum { USERS = 9, ROWS = USERS + 4, TREES = FST_ROUNDS(60) };

static const struct {
	const char *account, *user, *parent;
	int above, shares;
} rows[ROWS] = {
	{ "root", "", "", -1, 1 }, { "a", "", "root", 0, 3 }, { "b", "", "root", 0, 2 }, { "c", "", "a", 1, 4 },
	{ "a", "u1", "", 1, 2 },   { "a", "u2", "", 1, 1 },   { "b", "u3", "", 2, 1 },   { "b", "u4", "", 2, 7 },
	{ "c", "u5", "", 3, 1 },   { "c", "u6", "", 3, 9 },   { "b", "u7", "", 2, 2 },   { "a", "u8", "", 1, 3 },
	{ "c", "u9", "", 3, 2 },
};

struct tree {
	double usage[ROWS]; /* users: the true usage; accounts: the sum of the usage of all users below */
	double norm[ROWS], effective[ROWS], level[ROWS], factor[ROWS];
};

static double shares_of_level(int i)
{
	double sum = 0;

	for (int k = 0; k < ROWS; k++)
		sum += rows[k].above == rows[i].above ? rows[k].shares : 0;
	return sum;
}

static void add_up(struct tree *t)
{
	for (int i = 0; i < 4; i++)
		t->usage[i] = 0;
	for (int i = 4; i < ROWS; i++)
		for (int p = rows[i].above; p >= 0; p = rows[p].above)
			t->usage[p] += t->usage[i];
}

static void print_fair_tree(struct tree *t)
{
	for (int i = 1; i < ROWS; i++) {
		t->norm[i] = t->usage[i] / t->usage[0];
		t->effective[i] = t->usage[i] / t->usage[rows[i].above];
		t->level[i] = rows[i].shares / shares_of_level(i) / t->effective[i];
	}
}

static void print_classic(struct tree *t)
{
	double shares[ROWS] = { 1 };

	for (int i = 1; i < ROWS; i++) {
		const double part = rows[i].shares / shares_of_level(i);

		shares[i] = shares[rows[i].above] * part;
		t->norm[i] = t->usage[i] / t->usage[0];
		t->effective[i] = t->norm[i];
		if (rows[i].above)
			t->effective[i] += (t->effective[rows[i].above] - t->norm[i]) * part;
		t->factor[i] = pow(2, -t->effective[i] / shares[i]);
	}
}

enum { FAIR_TREE, CLASSIC };

static void put_recorded(struct fst_sink *out, const struct tree *t, int kind, int digits)
{
	for (int i = 1; i < ROWS; i++) {
		fst_put(out, "{'type':'recorded','association':%d,'raw_usage':%.0f,'norm_usage':%.*f", 50 + i,
			floor(t->usage[i]), digits, t->norm[i]);
		if (digits == 6)
			fst_put(out, ",'effective_usage':%.6f", t->effective[i]);
		if (digits == 6 && kind == FAIR_TREE)
			fst_put(out, ",'level_fs':%.6f", t->level[i]);
		if (kind == CLASSIC)
			fst_put(out, ",'factor':%.6f", t->factor[i]);
		fst_put(out, "}\n");
	}
}

/* Writes the users' usage with two decimals, or truncated to integers. */
static fs_snapshot *captured(const struct tree *t, int kind, const char *source, int digits)
{
	struct fst_sink out = { 0 };
	fs_snapshot *m;

	fst_put(&out,
		"{'type':'snapshot','format':1,'time':1700000000,'cluster':'c','scheduler':'slurm 22.05.8',"
		"'priority_time':1699999990,'priority_time_from':'ages','usage_source':'%s'%s}\n",
		source, digits == 6 ? "" : ",'whole_shares':true");
	fst_put(&out, "{'type':'config','PriorityFlags':[%s]}\n", kind == CLASSIC ? "'NO_FAIR_TREE'" : "");
	for (int i = 0; i < ROWS; i++) {
		const double own = i < 4 ? 0 : t->usage[i];

		fst_put(&out, "{'type':'association','id':%d,'account':'%s','shares':%d,'usage_tres_s':%.*f", 50 + i,
			rows[i].account, rows[i].shares, source[0] == 's' ? 0 : 2, source[0] == 's' ? floor(own) : own);
		if (*rows[i].user)
			fst_put(&out, ",'user':'%s'", rows[i].user);
		else if (i)
			fst_put(&out, ",'parent':'%s'", rows[i].parent);
		fst_put(&out, "}\n");
	}
	put_recorded(&out, t, kind, digits);
	m = fst_snapshot(out.data);
	fst_free(&out);
	return m;
}

static struct tree some_tree(uint64_t *seed, int kind)
{
	struct tree t;

	memset(&t, 0, sizeof(t));
	for (int i = 4; i < ROWS; i++)
		t.usage[i] = 40 + fst_below(seed, 90000) + fst_below(seed, 1000000) / 1e6;
	add_up(&t);
	if (kind == CLASSIC)
		print_classic(&t);
	else
		print_fair_tree(&t);
	return t;
}

/* Returns the number of rows that differ in sshare's six decimals or in its integer RawUsage. */
static int different(fs_snapshot *m, const struct tree *t, int kind)
{
	fs_shares *s = fst_shares(m, NULL);
	int n = 0;

	for (size_t k = 0; k < ROWS; k++) {
		const struct fs_share_row *r = fs_shares_row(s, k);
		const int i = (int)r->id - 50;
		char ours[2][200];

		if (!i)
			continue;
		snprintf(ours[0], sizeof(ours[0]), "%.0f %.6f %.6f %.6f", floor(r->raw_usage), r->norm_usage,
			 r->effective_usage, kind == CLASSIC ? r->fairshare : r->level_fs);
		snprintf(ours[1], sizeof(ours[1]), "%.0f %.6f %.6f %.6f", floor(t->usage[i]), t->norm[i],
			 t->effective[i], kind == CLASSIC ? t->factor[i] : t->level[i]);
		n += strcmp(ours[0], ours[1]) != 0;
	}
	fs_shares_free(s);
	return n;
}

static void infer(fs_snapshot *m)
{
	struct fs_error err;

	assert_int_equal(fs_import_infer(m, &err), 0);
}

/* Counts the rows of TREES random trees whose computed values differ from the printed ones. *before: with the captured
 * usage; *after: with the usage that fs_import_infer has refined. */
static void narrowed(int kind, const char *source, int digits, int *before, int *after)
{
	uint64_t seed = 11;

	*before = *after = 0;
	for (int n = 0; n < TREES; n++) {
		const struct tree t = some_tree(&seed, kind);
		fs_snapshot *m = captured(&t, kind, source, digits);

		*before += different(m, &t, kind);
		infer(m);
		*after += different(m, &t, kind);
		fst_same_again(m);
		fs_snapshot_free(m);
	}
}

static void narrowed_usage_reproduces_printed_numbers(void **state)
{
	static const struct {
		int kind;
		const char *source;
		int digits;
		/* maximum number of rows that differ after refining, relative to the number before. The effective usage
		 * and the factors of CLASSIC are not used, so some of them remain different. */
		double max;
	} all[] = {
		{ FAIR_TREE, "assoc_mgr", 6, 0 }, { CLASSIC, "assoc_mgr", 6, 0.85 }, { FAIR_TREE, "assoc_mgr", 17, 0 },
		{ CLASSIC, "assoc_mgr", 17, 0 },  { FAIR_TREE, "sshare", 6, 0 },    { FAIR_TREE, "sshare", 17, 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		int before, after;

		narrowed(all[i].kind, all[i].source, all[i].digits, &before, &after);
		assert_true(before > TREES / 10);
		assert_true(after <= before * all[i].max);
	}
}

/* Usage stays within the captured decimals, even if the printed numbers are of another tree. */
static void usage_moves_by_less_than_its_last_digit(void **state)
{
	uint64_t seed = 12;

	(void)state;
	for (int n = 0; n < TREES; n++) {
		struct tree t = some_tree(&seed, n % 2);
		const struct tree other = some_tree(&seed, n % 2);
		fs_shares *s;
		fs_snapshot *m;

		memcpy(t.norm, other.norm, sizeof(t.norm));
		memcpy(t.effective, other.effective, sizeof(t.effective));
		m = captured(&t, n % 2, "assoc_mgr", 6);
		infer(m);
		s = fst_shares(m, NULL);
		for (int i = 4; i < ROWS; i++)
			assert_near(fst_row(s, rows[i].account, rows[i].user)->raw_usage, t.usage[i], .0101);
		fs_shares_free(s);
		fs_snapshot_free(m);
	}
}

/* Checks the factors of the root's users u and v, computed from the captured and printed records. */
static void check_two(const char *records, double u, double v)
{
	char text[2000];
	fs_snapshot *m;
	fs_shares *s;

	snprintf(text, sizeof(text),
		 "{'type':'snapshot','format':1,'time':1700000000,'cluster':'c','scheduler':'slurm 22.05.8',"
		 "'priority_time':1699999990,'priority_time_from':'ages','usage_source':'assoc_mgr'}\n" REC(
			 "association", "'id':1,'account':'root','shares':1,'usage_tres_s':0") "%s",
		 records);
	m = fst_snapshot(text);
	infer(m);
	s = fst_shares(m, NULL);
	assert_near(fst_row(s, "root", "u")->fairshare, u, 0);
	assert_near(fst_row(s, "root", "v")->fairshare, v, 0);
	fs_shares_free(s);
	fs_snapshot_free(m);
}

/* The captured usage is equal; the printed levels have more digits and decide the ranks. */
static void printed_levels_separate_users_of_equal_captured_usage(void **state)
{
	(void)state;
	check_two(REC("association", "'id':2,'account':'root','user':'u','shares':1,'usage_tres_s':100")
			  REC("association", "'id':3,'account':'root','user':'v','shares':1,'usage_tres_s':100") REC(
				  "recorded", "'association':2,'effective_usage':0.49999,'level_fs':1.00002,'factor':1")
				  REC("recorded",
				      "'association':3,'effective_usage':0.50001,'level_fs':0.99998,'factor':0.5"),
		  1, 0.5);
}

/* Before the first calculation all factors are equal, so they say nothing about usage. */
static void factors_before_the_first_calculation_are_no_ties(void **state)
{
	(void)state;
	check_two(
		REC("association", "'id':2,'account':'root','user':'u','shares':1,'usage_tres_s':10.5") REC(
			"association", "'id':3,'account':'root','user':'v','shares':1,'usage_tres_s':500.5")
			REC("recorded", "'association':2,'raw_usage':10,'norm_usage':0,'effective_usage':0,'factor':1")
				REC("recorded",
				    "'association':3,'raw_usage':500,'norm_usage':0,'effective_usage':0,'factor':1"),
		1, 0.5);
}

/* Users without usage keep an infinite LevelFS. */
static void zero_usage_stays_zero(void **state)
{
	uint64_t seed = 13;

	(void)state;
	for (int n = 0; n < TREES; n++) {
		struct tree t = some_tree(&seed, FAIR_TREE);
		fs_shares *s;
		fs_snapshot *m;

		t.usage[6] = 0;
		add_up(&t);
		print_fair_tree(&t);
		t.level[6] = 0; /* 0: level_fs is not recorded, because the printed level is "inf" */
		m = captured(&t, FAIR_TREE, "assoc_mgr", 6);
		infer(m);
		s = fst_shares(m, NULL);
		assert_same_double(fst_row(s, "b", "u3")->raw_usage, 0);
		fs_shares_free(s);
		fs_snapshot_free(m);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(narrowed_usage_reproduces_printed_numbers),
		cmocka_unit_test(usage_moves_by_less_than_its_last_digit),
		cmocka_unit_test(printed_levels_separate_users_of_equal_captured_usage),
		cmocka_unit_test(factors_before_the_first_calculation_are_no_ties),
		cmocka_unit_test(zero_usage_stays_zero),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
