/* base/json.c: the quick parser and cJSON must agree on every line, both in the values and in the errors. The lines
 * come from the files listed in the file FS_FILES (by default the snapshots in the tree). A few random changes to these
 * lines give FS_MUTATIONS (default 40000) more lines. A .json file is read as one line, because its own lines are not
 * complete JSON. */
#include "fstest.h"

#include "base/json.h"
#include "base/memory.h"

static const char *const usual[] = { "cmd/demo.jsonl",       "tests/top/odyssey.jsonl",
				     "tests/top/maui.jsonl", "tests/cli/examples/flux.jsonl" };

static const char *const lines_of_our_own[] = {
	"{}",
	" {\t}\r",
	"{\"a\":[],\"b\":{},\"c\":[[]],\"d\":[{},{\"e\":null}]}",
	"{\"a\":\"x\\\\\\\"\\/\\b\\f\\n\\r\\ty\",\"\\\"k\\\"\":\"\\u00e9\\ud83d\\ude00\"}",
	"{\"a\":0,\"b\":-0,\"c\":-0.0,\"d\":1e3,\"e\":1.5E-7,\"f\":2.0,\"g\":1e400,\"h\":1e15,\"i\":1e16}",
	"{\"a\":18446744073709551615,\"b\":18446744073709551616,\"c\":-9223372036854775808,"
	"\"d\":9999999999999999999,\"e\":1234567890123456,\"f\":123456789012345}",
	"{\"a\":0.1000000000000000055511151231257827021181583404541015625,\"b\":5e-324,"
	"\"c\":0.10000000000000000000000000000000000000000000000000000000000000000000000001}",
	"{\"caf\xc3\xa9\":\"\xf0\x9f\x98\x80 \xe2\x82\xac \x7f\",\"Id\":1,\"id\":2,\"id\":3}",
	"{\"a\":[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]],\"b\":true,\"c\":false,\"d\":null}",
	"{\"a\":[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]}",
};

struct line {
	char *text;
	size_t len;
};

struct corpus {
	FSI_VEC(struct line) lines;
};

static void add_line(struct corpus *c, const char *text, size_t len)
{
	char *copy = malloc(len + 1);

	assert_non_null(copy);
	memcpy(copy, text, len);
	copy[len] = '\0';
	assert_int_equal(FSI_VEC_RESERVE(&c->lines), 0);
	c->lines.v[c->lines.n++] = (struct line){ copy, len };
}

/* Adds a whole document as one line, with blanks instead of newlines, or each line of a text by itself. */
static void add_text(struct corpus *c, bool whole, char *text, size_t len)
{
	size_t n;

	for (char *s = text, *end = text + len; s < end && !whole; s += n + 1) {
		const char *newline = memchr(s, '\n', (size_t)(end - s));

		n = (size_t)((newline ? newline : end) - s);
		add_line(c, s, n);
	}
	for (char *s = text; whole && (s = memchr(s, '\n', (size_t)(text + len - s)));)
		*s = ' ';
	if (whole)
		add_line(c, text, len);
}

static void add_file(struct corpus *c, const char *name)
{
	const size_t name_len = strlen(name);
	FILE *f = fopen(name, "rb");
	struct fst_sink all = { 0 };
	char buf[4096];
	size_t n;

	if (!f)
		print_error("%s cannot be opened\n", name);
	assert_non_null(f);
	while ((n = fread(buf, 1, sizeof(buf), f)))
		fst_write(&all, buf, n);
	fclose(f);
	add_text(c, name_len > 5 && !strcmp(name + name_len - 5, ".json"), all.data, all.len);
	fst_free(&all);
}

static void same_values(const struct fsi_json *a, const struct fsi_json *b)
{
	int64_t i = 0, k = 0;
	uint64_t u = 0, w = 0;

	for (; a && b; a = fsi_json_next_sibling(a), b = fsi_json_next_sibling(b)) {
		const double d = fsi_json_get_double(a), e = fsi_json_get_double(b);

		assert_int_equal(fsi_json_get_type(a), fsi_json_get_type(b));
		assert_int_equal(fsi_json_get_key(a) != NULL, fsi_json_get_key(b) != NULL);
		if (fsi_json_get_key(a))
			assert_string_equal(fsi_json_get_key(a), fsi_json_get_key(b));
		if (fsi_json_get_type(a) == FSI_JSTRING) {
			assert_string_equal(fsi_json_get_string(a), fsi_json_get_string(b));
			assert_int_equal(fsi_json_get_string_len(a), strlen(fsi_json_get_string(a)));
			assert_int_equal(fsi_json_get_string_len(b), strlen(fsi_json_get_string(a)));
		}
		assert_int_equal(fsi_json_get_bool(a), fsi_json_get_bool(b));
		assert_int_equal(fsi_json_get_i64(a, &i), fsi_json_get_i64(b, &k));
		assert_int_equal(i, k);
		assert_int_equal(fsi_json_get_u64(a, &u), fsi_json_get_u64(b, &w));
		assert_int_equal(u, w);
		assert_int_equal(memcmp(&d, &e, sizeof(d)), 0);
		same_values(fsi_json_first_child(a), fsi_json_first_child(b));
	}
	assert_null(a);
	assert_null(b);
}

/* Parses the line with both parsers, and checks that their results agree. Returns true if they accept the line. */
static bool same_both_ways(struct fsi_json_pool pool[2], const char *text, size_t len)
{
	const struct fsi_input_position where = { "f", 7, 0 };
	const struct fsi_json *quick = NULL, *slow = NULL;
	struct fs_error err[2];
	char *copy = malloc(len + 1);

	assert_non_null(copy);
	memcpy(copy, text, len + 1);
	memset(err, 0, sizeof(err));
	const int rc = fsi_json_parse_line(&pool[0], &quick, copy, len, where, &err[0]);
	const int want = fsi_json_parse_line_by_cjson(&pool[1], &slow, text, len, where, &err[1]);
	if (rc != want || memcmp(&err[0], &err[1], sizeof(err[0])) != 0)
		print_error("unlike: %.2000s\n", text);
	assert_int_equal(rc, want);
	assert_memory_equal(&err[0], &err[1], sizeof(err[0]));
	if (rc)
		assert_memory_equal(copy, text, len);
	else
		same_values(quick, slow);
	free(copy);
	return !rc;
}

static void both_parsers_agree_on_every_line(void **state)
{
	const struct corpus *c = *state;
	struct fsi_json_pool pool[2] = { { 0 } };
	size_t accepted = 0;

	for (size_t i = 0; i < c->lines.n; i++)
		accepted += same_both_ways(pool, c->lines.v[i].text, c->lines.v[i].len);
	assert_true(accepted > 10);
	fsi_json_pool_release(&pool[0]);
	fsi_json_pool_release(&pool[1]);
}

/* Makes one random change to the text, as if the file were damaged or edited by hand. Inserted bytes have a meaning in
 * JSON. Returns the new length. */
static size_t mutated(uint64_t *seed, char *text, size_t len, size_t room)
{
	static const char bytes[] = "{}[]\",:\\/0123456789.-+eEtfnu \t\r\x01\x7f\x80\xc3\xa9";
	static const char *const pieces[] = { "1e308",  "-0",  "00",	  "12345678901234567890123", "\\u0041",
					      "\\u0000", "[[[", "null", "{\"a\":1}",		   "\\\"" };
	const size_t at = len ? fst_below(seed, (uint32_t)len) : 0;
	const char *piece = pieces[fst_below(seed, sizeof(pieces) / sizeof(*pieces))];
	const size_t n = strlen(piece);
	size_t cut;

	switch (fst_below(seed, 5)) {
	case 0:
		if (len)
			text[at] = bytes[fst_below(seed, sizeof(bytes))];
		return len;
	case 1:
		if (len)
			text[at] = (char)fst_below(seed, 256);
		return len;
	case 2:
		cut = len - at < 8 ? len - at : fst_below(seed, 8);
		memmove(text + at, text + at + cut, len - at - cut);
		return len - cut;
	case 3:
		if (len + n > room)
			return at;
		memmove(text + at + n, text + at, len - at);
		memcpy(text + at, piece, n);
		return len + n;
	default:
		return fst_below(seed, 20) ? len : at;
	}
}

static void both_parsers_agree_on_mutated_lines(void **state)
{
	const struct corpus *c = *state;
	const char *wanted = getenv("FS_MUTATIONS");
	const long rounds = wanted ? strtol(wanted, NULL, 10) : 40000;
	struct fsi_json_pool pool[2] = { { 0 } };
	uint64_t seed = 18;
	long accepted = 0;

	for (long i = 0; i < rounds; i++) {
		const struct line *l = &c->lines.v[fst_below(&seed, (uint32_t)c->lines.n)];
		const size_t room = l->len + 100;
		size_t len = l->len;
		char *text;

		if (len > 8192)
			continue;
		text = malloc(room + 1);
		assert_non_null(text);
		memcpy(text, l->text, len);
		for (uint32_t changes = 1 + fst_below(&seed, 3); changes; changes--)
			len = mutated(&seed, text, len, room);
		text[len] = '\0';
		accepted += same_both_ways(pool, text, len);
		free(text);
	}
	assert_true(accepted > rounds / 20 && accepted < rounds * 19 / 20);
	fsi_json_pool_release(&pool[0]);
	fsi_json_pool_release(&pool[1]);
}

/* Adds the files whose names are the lines of `list`. */
static void add_listed(struct corpus *c, const char *list)
{
	char name[4096];
	FILE *f = fopen(list, "r");

	assert_non_null(f);
	while (fgets(name, sizeof(name), f)) {
		name[strcspn(name, "\n")] = '\0';
		add_file(c, name);
	}
	fclose(f);
}

int main(void)
{
	const char *list = getenv("FS_FILES");
	struct corpus c = { 0 };
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_prestate(both_parsers_agree_on_every_line, &c),
		cmocka_unit_test_prestate(both_parsers_agree_on_mutated_lines, &c),
	};

	for (size_t i = 0; i < sizeof(lines_of_our_own) / sizeof(*lines_of_our_own); i++)
		add_line(&c, lines_of_our_own[i], strlen(lines_of_our_own[i]));
	for (size_t i = 0; !list && i < sizeof(usual) / sizeof(*usual); i++)
		add_file(&c, usual[i]);
	if (list)
		add_listed(&c, list);
	const int failed = cmocka_run_group_tests(tests, NULL, NULL);
	for (size_t i = 0; i < c.lines.n; i++)
		free(c.lines.v[i].text);
	FSI_VEC_FREE(&c.lines);
	return failed;
}
