/* base/hostlist: lists as Slurm writes them, and malformed ones. */
#include "fstest.h"

#include "base/hostlist.h"

struct names {
	char text[4096];
	size_t len, stop_after, n;
};

static int collect(void *ctx, const char *name, size_t len)
{
	struct names *c = ctx;

	assert_int_equal(strlen(name), len);
	if (c->len + len + 2 < sizeof(c->text))
		c->len += (size_t)snprintf(c->text + c->len, sizeof(c->text) - c->len, "%s%s", c->n ? " " : "", name);
	return ++c->n == c->stop_after ? 7 : 0;
}

static void check(const char *list, const char *want)
{
	struct names c = { .text = "" };

	assert_int_equal(fsi_hostlist_expand_each(list, 1000, collect, &c), 0);
	assert_string_equal(c.text, want);
	assert_int_equal(fsi_hostlist_count_names(list, 1000), c.n);
}

static void lists_are_expanded(void **state)
{
	(void)state;
	check("", "");
	check("n01", "n01");
	check("n01,gpu7", "n01 gpu7");
	check("lab[001-003,50]", "lab001 lab002 lab003 lab50");
	check("lab[08-11]", "lab08 lab09 lab10 lab11");
	check("r[1-2]n[01-02]x,z", "r1n01x r1n02x r2n01x r2n02x z");
	check("[1-3]", "1 2 3");
	check("a[0]b", "a0b");
	check("holy7c[02401,02403-02404]", "holy7c02401 holy7c02403 holy7c02404");
}

static void malformed_lists_are_refused(void **state)
{
	static const char *const bad[] = {
		"n[",	    "n[1",	"n]",	  "n[]",   "n[1-]",    "n[-1]",		   "n[3-1]",	  "n[1,]",
		"n[,1]",    "n[a-b]",	"n[1-2-3]", ",",   "a,",       ",a",		   "a,,b",	  "n[[1]]",
		"n[1]]",    "n[1 2]",	"n[1-2]]m", "a[1][2][3][4][5]", "n[1-1001]", "n[99999999999999999999]",
		"n[1-2][1-999]",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		if (fsi_hostlist_count_names(bad[i], 1000) != -1)
			print_error("%s is taken\n", bad[i]);
		assert_int_equal(fsi_hostlist_count_names(bad[i], 1000), -1);
	}
}

static void long_names_are_refused(void **state)
{
	char text[FSI_HOST_NAME_MAX + 10];

	(void)state;
	memset(text, 'x', sizeof(text));
	text[FSI_HOST_NAME_MAX] = '\0';
	assert_int_equal(fsi_hostlist_count_names(text, 10), 1);
	text[FSI_HOST_NAME_MAX] = 'x';
	text[FSI_HOST_NAME_MAX + 1] = '\0';
	assert_int_equal(fsi_hostlist_count_names(text, 10), -1);
	text[FSI_HOST_NAME_MAX - 2] = '[';
	strcpy(text + FSI_HOST_NAME_MAX - 1, "1234]");
	assert_int_equal(fsi_hostlist_count_names(text, 10), -1);
}

static void the_callback_may_stop(void **state)
{
	struct names c = { .stop_after = 3 };

	(void)state;
	assert_int_equal(fsi_hostlist_expand_each("n[1-9],m[1-9]", 1000, collect, &c), 7);
	assert_string_equal(c.text, "n1 n2 n3");
}

static int see(void *ctx, const char *name, size_t len)
{
	(void)name;
	(void)len;
	++*(uint64_t *)ctx;
	return 0;
}

static void random_text_is_counted_or_refused(void **state)
{
	static const char alphabet[] = "n1-,[]09a";
	uint64_t seed = 5, seen;

	(void)state;
	for (int i = 0; i < 20000; i++) {
		char text[24];
		const uint32_t len = fst_below(&seed, sizeof(text));

		for (uint32_t k = 0; k < len; k++)
			text[k] = alphabet[fst_below(&seed, sizeof(alphabet) - 1)];
		text[len] = '\0';
		assert_in_range(fsi_hostlist_count_names(text, 50) + 1, 0, 51);
		seen = 0;
		fsi_hostlist_expand_each(text, 50, see, &seen);
		assert_true(fsi_hostlist_bound_count(text) >= seen);
	}
}

static void the_bound_of_a_count_needs_no_expansion(void **state)
{
	static const struct {
		const char *text;
		uint64_t n;
	} all[] = {
		{ "n1", 1 }, { "n1,n2,m", 3 }, { "n[1-4]", 4 }, { "n[01-10,20,30-31]x[1-3]", 39 }, { "a,b[5-5]c,d[1-2][1-2]", 6 },
		{ "n[1-4294967295]", 4294967295 }, { "n[1-999999999999999999]", UINT64_C(1) << 32 },
		{ "n[1-99999][1-99999]", UINT64_C(1) << 32 }, { "n[4-1]", 1 }, { "n[", 1 }, { "[1-3", 3 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		assert_int_equal(fsi_hostlist_bound_count(all[i].text), all[i].n);
}

static void names_are_folded_until_the_buffer_is_full(void **state)
{
	static const struct {
		const char *names[6], *list;
		size_t size;
	} all[] = {
		{ { NULL }, "", 20 },
		{ { "n01" }, "n01", 20 },
		{ { "n01", "n02", "n03", "gpu7" }, "n[01-03],gpu7", 40 },
		/* numbers with different numbers of digits are not folded into one range */
		{ { "n9", "n10", "n11" }, "n9,n[10-11]", 40 },
		{ { "n1", "n3", "n4", "m5" }, "n1,n[3-4],m5", 40 },
		{ { "login", "login" }, "login,login", 40 },
		{ { "n1", "n3", "n5", "n7" }, "n1,...", 12 },
	};
	char buf[64];

	(void)state;
	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		struct fsi_hostlist_fold f;

		fsi_hostlist_fold_begin(&f, buf, all[i].size);
		for (size_t k = 0; k < 6 && all[i].names[k]; k++)
			fsi_hostlist_fold_add(&f, all[i].names[k]);
		fsi_hostlist_fold_end(&f);
		assert_string_equal(buf, all[i].list);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lists_are_expanded),
		cmocka_unit_test(malformed_lists_are_refused),
		cmocka_unit_test(long_names_are_refused),
		cmocka_unit_test(the_callback_may_stop),
		cmocka_unit_test(random_text_is_counted_or_refused),
		cmocka_unit_test(the_bound_of_a_count_needs_no_expansion),
		cmocka_unit_test(names_are_folded_until_the_buffer_is_full),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
