/* fairshare/slurm: Slurm's two older algorithms on small trees, and against a recursive computation. */
#include "fstree.h"

#define HEAD(version, config) \
	"{'type':'snapshot','format':1,'time':1,'cluster':'c','scheduler':'slurm " version "'}\n" \
	"{'type':'config'" config "}\n"
#define ROOT REC("association", "'id':1,'account':'root','shares':1,'usage_tres_s':0")
#define A(id, name, parent, shares) \
	REC("association", "'id':" #id ",'account':'" name "','parent':'" parent \
	"','shares':" shares ",'usage_tres_s':0")
#define U(id, account, name, shares, usage) \
	REC("association", "'id':" #id ",'account':'" account "','user':'" name \
	"','shares':" shares ",'usage_tres_s':" usage)

/* total usage 100: a 40 (u1 10, u2 30), b 60 (u3) */
#define TREE ROOT A(2, "a", "root", "60") A(3, "b", "root", "40") U(4, "a", "u1", "1", "10") \
	U(5, "a", "u2", "3", "30") U(6, "b", "u3", "1", "60")

struct want {
	const char *account, *user;
	double norm_shares, effective_usage, fairshare;
};

static void expect(const char *text, const char *algorithm, const struct want *want, size_t n)
{
	fs_snapshot *m = fst_snapshot(text);
	fs_shares *s = fst_shares(m, algorithm);

	for (size_t i = 0; i < n; i++) {
		const struct fs_share_row *r = fst_row(s, want[i].account, want[i].user);

		assert_near(r->norm_shares, want[i].norm_shares, 1e-15);
		assert_near(r->effective_usage, want[i].effective_usage, 1e-15);
		assert_near(r->fairshare, want[i].fairshare, 1e-15);
		assert_same_double(r->level_fs, NAN);
		assert_int_equal(r->rank, 0);
	}
	fs_shares_free(s);
	fs_snapshot_free(m);
}

#define EXPECT(text, algorithm, want) expect(text, algorithm, want, sizeof(want) / sizeof(*want))

static void effective_usage_mixes_own_and_parent_usage(void **state)
{
	static const struct want want[] = {
		{ "root", "", 1, 1, NAN },
		{ "a", "", .6, .4, NAN },
		/* effective usage: u1 has .1 + (.4 - .1) * 1/4, u2 has .3 + (.4 - .3) * 3/4 */
		{ "a", "u1", .15, .175, .44544935907016964 },
		{ "a", "u2", .45, .375, .56123102415468651 },
		{ "b", "u3", .4, .6, .35355339059327379 },
	};

	(void)state;
	EXPECT(HEAD("26.05.0", ",'PriorityFlags':['NO_FAIR_TREE']") TREE, NULL, want);
}

static void the_flags_choose_the_algorithm(void **state)
{
	static const struct {
		const char *config, *name;
	} cases[] = {
		{ HEAD("26.05.0", "") TREE, "fair_tree" },
		{ HEAD("26.05.0", ",'PriorityFlags':[]") TREE, "fair_tree" },
		{ HEAD("26.05.0", ",'PriorityFlags':['NO_FAIR_TREE']") TREE, "classic" },
		{ HEAD("26.05.0", ",'PriorityFlags':['DEPTH_OBLIVIOUS']") TREE, "depth_oblivious" },
		{ HEAD("26.05.0", ",'PriorityFlags':['NO_FAIR_TREE','DEPTH_OBLIVIOUS']") TREE,
		  "depth_oblivious" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		fs_snapshot *m = fst_snapshot(cases[i].config);
		fs_shares *s = fst_shares(m, NULL);

		assert_string_equal(fs_shares_algorithm(s), cases[i].name);
		assert_int_equal(fs_shares_has_levels(s), i < 2);
		fs_shares_free(s);
		fs_snapshot_free(m);
	}
}

static void the_dampening_factor_divides_the_exponent(void **state)
{
	static const struct want want[] = {
		{ "a", "u1", .15, .175, .8506671609508557 }, /* the factor is 2^(-(.175 / .15) / 5) */
		{ "b", "u3", .4, .6, .81225239635623547 },   /* the factor is 2^-.3 */
	};

	(void)state;
	EXPECT(HEAD("26.05.0", ",'FairShareDampeningFactor':5") TREE, "classic", want);
}

static void parent_shares_use_the_parents_values(void **state)
{
	static const struct want want[] = {
		/* user v is directly below root: the effective usage is the usage_norm of v; the factor is the factor
		 * of root */
		{ "root", "v", 1, .5, .5 },
		{ "a", "", 1, .3, NAN },    /* an account with `parent` shares */
		/* the factor is 2^-1.2; user u1 counts as a sibling of account b */
		{ "a", "u1", .25, .3, .43527528164806209 },
		{ "b", "u2", .75, .2, .8312378961427878 },  /* the factor is 2^(-.2 / .75) */
	};

	(void)state;
	EXPECT(HEAD("26.05.0", "") ROOT A(2, "a", "root", "'parent'")
		A(3, "b", "root", "3") U(4, "a", "u1", "1", "30")
		U(5, "b", "u2", "'parent'", "20") U(6, "root", "v", "'parent'", "50"), "classic",
		want);
}

static void zero_shares_give_0_and_zero_usage_gives_1(void **state)
{
	static const struct want want[] = {
		{ "root", "z", 0, .5, 0 }, /* without shares, the factor is 0 */
		{ "root", "n", .5, 0, 1 }, /* user n has no usage */
		{ "e", "", .5, .5, NAN },
		{ "e", "u", 0, .5, 0 }, /* the only sibling has 0 shares, so the effective usage is the parent's */
	};

	(void)state;
	EXPECT(HEAD("26.05.0", "") ROOT U(2, "root", "z", "0", "10")
		U(3, "root", "n", "1", "0") A(4, "e", "root", "1") U(5, "e", "u", "0", "10"),
		"classic", want);
}

static void without_any_usage_factors_are_1(void **state)
{
	static const struct want want[] = { { "a", "", 1, 0, NAN }, { "a", "u", 1, 0, 1 } };

	(void)state;
	EXPECT(HEAD("26.05.0", "") ROOT A(2, "a", "root", "5") U(3, "a", "u", "5", "0"),
		"classic", want);
	EXPECT(HEAD("26.05.0", "") ROOT A(2, "a", "root", "5") U(3, "a", "u", "5", "0"),
		"depth_oblivious", want);
}

/* Before 25.11, sshare itself computes the column FairShare of every row, from the usage and shares that it prints in
 * this row. */
static void old_sshare_prints_all_rows(void **state)
{
	static const struct want want[] = {
		{ "root", "", 1, 1, .5 },
		{ "a", "", .6, .4, .62996052494743658 }, /* the factor is 2^-(2/3) */
		{ "b", "u3", .4, .6, .35355339059327379 },
		{ "root", "p", 1, 0, 1 }, /* slurmctld gives p the root's factor .5, not 1 */
	};

	(void)state;
	EXPECT(HEAD("25.05.0", "") TREE U(7, "root", "p", "'parent'", "0"), "classic", want);
}

static void depth_oblivious_compares_usage_with_siblings(void **state)
{
	/* Ratios of usage to shares: Rp = .4/.6 for the parent of user u1, Rs = (.1 + .3)/.6 for u1 and its sibling
	 * together, and Rl = (.1/.15)/Rs = 1 for u1. Thus ln Rl is 0, the exponent k is 1, and the effective usage E is
	 * Rp Rl S = .1, where S = .15 is the shares of u1. Shares of 1:3 and usage of 10:30 are balanced, so E of user
	 * u2 is .3. */
	static const struct want balanced[] = {
		{ "a", "u1", .15, .1, .62996052494743658 },
		{ "a", "u2", .45, .3, .62996052494743658 },
		{ "b", "u3", .4, .6, .35355339059327379 },
	};

	(void)state;
	EXPECT(HEAD("26.05.0", "") TREE, "depth_oblivious", balanced);
}

/* ---- random trees */

struct reference {
	const struct fstree *t;
	double shares[FSTREE_MAX];
	long double norm[FSTREE_MAX], usage[FSTREE_MAX];
};

static double shares_of(const struct fstree *t, int i)
{
	double product = 1;

	if (t->v[i].use_parent)
		return shares_of(t, fstree_fs_parent(t, i));
	for (; i > 0; i = t->v[i].parent) {
		const uint32_t level = fstree_level_shares(t, i);

		if (!t->v[i].use_parent)
			product = level ? product * t->v[i].shares / level : 0;
	}
	return product;
}

static long double classic(const struct reference *r, int i, int p)
{
	const struct fstree_node *x = &r->t->v[i];
	const uint32_t level = fstree_level_shares(r->t, i);

	if (!p)
		return r->norm[i];
	if (x->use_parent || !level)
		return r->usage[p];
	return r->norm[i] + (r->usage[p] - r->norm[i]) * x->shares / level;
}

static long double depth_oblivious(const struct reference *r, int i, int p)
{
	long double rp, rs = 0, rl, k = 1;

	if (!p)
		return r->norm[i];
	if (r->t->v[i].use_parent)
		return r->usage[p];
	if (r->shares[i] == 0 || r->shares[p] == 0 || r->usage[p] == 0 || r->norm[i] == 0)
		return r->norm[i];
	for (int c = 1; c < (int)r->t->n; c++)
		if (fstree_fs_parent(r->t, c) == p && !r->t->v[c].use_parent)
			rs += r->norm[c];
	rp = r->usage[p] / r->shares[p];
	rs /= r->shares[p];
	rl = r->norm[i] / r->shares[i] / rs;
	if (logl(rp) * logl(rl) < 0)
		k = 1 / (1 + 25 * logl(rp) * logl(rp));
	return rp * powl(rl, k) * r->shares[i];
}

/* Computes the reference values; parents precede their children in a generated tree. */
static struct reference reference(const struct fstree *t, bool oblivious)
{
	struct reference r = { .t = t };
	const long double root = fstree_usage(t, 0);

	for (int i = 0; i < (int)t->n; i++) {
		r.shares[i] = shares_of(t, i);
		r.norm[i] = root > 0 ? fstree_usage(t, i) / root : 0;
	}
	r.usage[0] = 1;
	for (int i = 1; i < (int)t->n; i++)
		r.usage[i] = (oblivious ? depth_oblivious : classic)(&r, i, fstree_fs_parent(t, i));
	return r;
}

static double factor(const struct reference *r, int i)
{
	const int of = r->t->v[i].use_parent ? fstree_fs_parent(r->t, i) : i;

	if (!r->t->v[i].user)
		return NAN;
	return r->shares[of] > 0 ? exp2(-(double)(r->usage[of] / r->shares[of])) : 0;
}

static void random_trees_agree_with_a_recursive_computation(void **state)
{
	uint64_t seed = 77;
	uint32_t order[FSTREE_MAX];
	struct fstree t;

	(void)state;
	for (int round = 0; round < 3000; round++) {
		fstree_random(&t, &seed);
		fstree_identity(order, t.n);
		fs_snapshot *m = fstree_snapshot(&t, order, "25.11.1");
		fs_shares *s = fst_shares(m, round % 2 ? "depth_oblivious" : "classic");
		const struct reference r = reference(&t, round % 2);

		for (size_t row = 0; row < t.n; row++) {
			const struct fs_share_row *x = fs_shares_row(s, row);
			const int i = fstree_index(s, row);

			assert_near(x->norm_shares, r.shares[i], 1e-14);
			assert_near(x->norm_usage, i ? (double)r.norm[i] : (double)NAN, 1e-15);
			assert_near(x->effective_usage, (double)r.usage[i],
				    1e-12 * (1 + (double)r.usage[i]));
			assert_near(x->fairshare, factor(&r, i), 1e-12);
		}
		fs_shares_free(s);
		fs_snapshot_free(m);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(effective_usage_mixes_own_and_parent_usage),
		cmocka_unit_test(the_flags_choose_the_algorithm),
		cmocka_unit_test(the_dampening_factor_divides_the_exponent),
		cmocka_unit_test(parent_shares_use_the_parents_values),
		cmocka_unit_test(zero_shares_give_0_and_zero_usage_gives_1),
		cmocka_unit_test(without_any_usage_factors_are_1),
		cmocka_unit_test(old_sshare_prints_all_rows),
		cmocka_unit_test(depth_oblivious_compares_usage_with_siblings),
		cmocka_unit_test(random_trees_agree_with_a_recursive_computation),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
