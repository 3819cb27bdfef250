/* base/json: one JSON object from a line; anything that JSON does not allow is refused. */
#include "fstest.h"

#include "base/json.h"

/* Storage of the last parsed value. `pool` contains the value, and `line` is the text that the value points into. */
struct read {
	struct fsi_json_pool pool;
	char *line;
};

static struct read last;

static void done(void)
{
	fsi_json_pool_release(&last.pool);
	free(last.line);
	last.line = NULL;
}

/* Parses a copy of the bytes. The memory of the copy ends where the line ends, so that memory checkers detect a read
 * after the end of the line. */
static int parse_bytes(const struct fsi_json **out, const char *bytes, size_t len, struct fs_error *err)
{
	const struct fsi_input_position where = { "f", 7, 0 };

	done();
	last.line = malloc(len + 1);
	assert_non_null(last.line);
	memcpy(last.line, bytes, len + 1);
	*out = NULL;
	return fsi_json_parse_line(&last.pool, out, last.line, len, where, err);
}

static const struct fsi_json *parsed(const char *text)
{
	char *bytes = fst_quoted(text);
	struct fs_error err;
	const struct fsi_json *v;
	const int rc = parse_bytes(&v, bytes, strlen(bytes), &err);

	fst_no_error(rc, &err);
	free(bytes);
	return v;
}

/* Checks that the parser refuses the bytes with this message. column: expected column of the error; 0: any column */
static void refused_bytes(const char *bytes, size_t len, uint32_t column, const char *message)
{
	struct fs_error err;
	const struct fsi_json *v;

	if (!parse_bytes(&v, bytes, len, &err))
		print_error("accepted: %s\n", bytes);
	assert_null(v);
	fst_expect(&err, FS_EDATA, 7, "", message);
	if (column)
		assert_int_equal(err.column, column);
	else
		assert_in_range(err.column, 1, len + 1);
}

static void refused(const char *text, uint32_t column, const char *message)
{
	char *bytes = fst_quoted(text);

	refused_bytes(bytes, strlen(bytes), column, message);
	free(bytes);
}

static const struct fsi_json *member(const struct fsi_json *v, const char *key)
{
	for (v = fsi_json_first_child(v); v; v = fsi_json_next_sibling(v))
		if (!strcmp(fsi_json_get_key(v), key))
			return v;
	print_error("no member %s\n", key);
	fail();
	return NULL;
}

static int64_t i64_of(const struct fsi_json *root, const char *key)
{
	int64_t v = 0;

	assert_int_equal(fsi_json_get_i64(member(root, key), &v), 0);
	return v;
}

static uint64_t u64_of(const struct fsi_json *root, const char *key)
{
	uint64_t v = 0;

	assert_int_equal(fsi_json_get_u64(member(root, key), &v), 0);
	return v;
}

static void values_have_types(void **state)
{
	const struct fsi_json *v = parsed(
		"{'n':null,'t':true,'f':false,'d':1.5,'s':'x\\u00e9','l':[1,2],'o':{'k':0}}");
	static const enum fsi_json_type types[] = { FSI_JNULL,   FSI_JBOOL,   FSI_JBOOL,
						    FSI_JNUMBER, FSI_JSTRING, FSI_JARRAY,
						    FSI_JOBJECT };
	size_t n = 0;

	(void)state;
	for (const struct fsi_json *c = fsi_json_first_child(v); c; c = fsi_json_next_sibling(c))
		assert_int_equal(fsi_json_get_type(c), types[n++]);
	assert_int_equal(n, 7);
	assert_true(fsi_json_get_bool(member(v, "t")));
	assert_false(fsi_json_get_bool(member(v, "f")));
	assert_same_double(fsi_json_get_double(member(v, "d")), 1.5);
	assert_string_equal(fsi_json_get_string(member(v, "s")), "x\xc3\xa9");
	assert_null(fsi_json_get_key(fsi_json_first_child(member(v, "l"))));
	assert_string_equal(fsi_json_type_name(FSI_JARRAY), "a list");
	done();
}

static void integers_keep_64_bits(void **state)
{
	const struct fsi_json *v =
		parsed("{'a':9007199254740993,'b':18446744073709551615,"
		       "'c':-9223372036854775808,'d':9223372036854775807,'e':0,'f':-1}");
	int64_t i;
	uint64_t u;

	(void)state;
	assert_int_equal(i64_of(v, "a"), 9007199254740993);
	assert_int_equal(u64_of(v, "a"), 9007199254740993);
	assert_true(u64_of(v, "b") == UINT64_MAX);
	assert_true(i64_of(v, "c") == INT64_MIN);
	assert_true(i64_of(v, "d") == INT64_MAX);
	assert_int_equal(u64_of(v, "e"), 0);
	assert_int_equal(fsi_json_get_i64(member(v, "b"), &i), -1);
	assert_int_equal(fsi_json_get_u64(member(v, "c"), &u), -1);
	assert_int_equal(fsi_json_get_u64(member(v, "f"), &u), -1);
	done();
}

/* The parser finds the text of a long integer by counting the numbers in the line. Digits in strings must not count. */
static void long_integers_are_exact_beside_digits_in_strings(void **state)
{
	const struct fsi_json *v = parsed("{'12345678901234567890':'99999999999999999999',"
				    "'q':'\\'123456789012345678','a':9007199254740993,"
				    "'b\\\\':'-1','c':[{'33333333333333333333':1},"
				    "'22222222222222222222',9007199254740995],'\\\\\\'9':{},"
				    "'e':[],'d':-9007199254740997,"
				    "'u':'\\u0031\\/4444444444444444444','z':3}");
	const struct fsi_json *list = member(v, "c");
	int64_t i;

	(void)state;
	assert_int_equal(i64_of(v, "a"), 9007199254740993);
	assert_int_equal(i64_of(fsi_json_first_child(list), "33333333333333333333"), 1);
	assert_int_equal(fsi_json_get_i64(fsi_json_next_sibling(fsi_json_next_sibling(fsi_json_first_child(list))), &i),
			 0);
	assert_int_equal(i, 9007199254740995);
	assert_int_equal(i64_of(v, "d"), -9007199254740997);
	assert_int_equal(i64_of(v, "z"), 3);
	assert_string_equal(fsi_json_get_string(member(v, "q")), "\"123456789012345678");
	done();
}

static void only_whole_numbers_in_range_are_integers(void **state)
{
	const struct fsi_json *v =
		parsed("{'a':1.5,'b':1e3,'c':2.0,'d':1e18,'e':18446744073709551616,'f':'1','g':-0,"
		       "'h':999999999999999,'i':1000000000000000}");
	int64_t i;
	uint64_t u;

	(void)state;
	assert_int_equal(fsi_json_get_i64(member(v, "a"), &i), -1);
	assert_int_equal(i64_of(v, "b"), 1000);
	assert_int_equal(i64_of(v, "c"), 2);
	assert_int_equal(fsi_json_get_i64(member(v, "d"), &i), -1);
	assert_int_equal(fsi_json_get_u64(member(v, "e"), &u), -1);
	assert_int_equal(fsi_json_get_i64(member(v, "f"), &i), -1);
	assert_int_equal(fsi_json_get_u64(member(v, "f"), &u), -1);
	assert_int_equal(i64_of(v, "g"), 0);
	assert_int_equal(i64_of(v, "h"), 999999999999999);
	assert_int_equal(u64_of(v, "i"), 1000000000000000);
	done();
}

static void keys_are_case_sensitive_and_duplicates_are_kept(void **state)
{
	const struct fsi_json *v = parsed("{'Id':1,'id':2,'id':3}");
	const struct fsi_json *c = fsi_json_first_child(v);

	(void)state;
	assert_int_equal(i64_of(v, "id"), 2);
	assert_string_equal(fsi_json_get_key(c), "Id");
	assert_string_equal(fsi_json_get_key(fsi_json_next_sibling(fsi_json_next_sibling(c))), "id");
	assert_null(fsi_json_next_sibling(fsi_json_next_sibling(fsi_json_next_sibling(c))));
	done();
}

static void white_space_is_allowed_around_tokens(void **state)
{
	const struct fsi_json *v = parsed(" \t{ 'a' :\t1 , 'b':[ ] }\r");

	(void)state;
	assert_int_equal(i64_of(v, "a"), 1);
	done();
}

static void text_after_the_object_is_refused(void **state)
{
	(void)state;
	refused("{'a':1} x", 9, "text after");
	refused("{'a':1}{'a':1}", 8, "text after");
	refused("{} {}", 4, "text after");
	refused("{},", 3, "text after");
	refused("{}]", 3, "text after");
	refused("{}1", 3, "text after");
}

static void values_other_than_objects_are_refused(void **state)
{
	(void)state;
	refused("[]", 0, "not a JSON object");
	refused("[{'a':1}]", 0, "not a JSON object");
	refused("1", 0, "not a JSON object");
	refused("'x'", 0, "not a JSON object");
	refused("null", 0, "not a JSON object");
	refused("", 1, "not valid JSON");
	refused("   ", 0, "not valid JSON");
	refused("hello", 0, "not valid JSON");
}

static void control_bytes_are_refused(void **state)
{
	(void)state;
	refused("{'a':'x\x01y'}", 8, "control byte in a string");
	refused("{'a':'x\ty'}", 8, "control byte in a string");
	refused("{'a\x1f':1}", 4, "control byte in a string");
	refused("{\x0b'a':1}", 2, "control byte");
	refused("{'a':1\x0c}", 7, "control byte");
	refused_bytes("{\"a\":1\0}", 8, 7, "NUL byte");
	refused_bytes("{\"a\":1}\0", 8, 8, "NUL byte");
	refused_bytes("{\"a\":\"x\0y\"}", 11, 8, "control byte in a string");
}

static void nul_escapes_are_refused(void **state)
{
	const struct fsi_json *v;

	(void)state;
	refused("{'a':'x\\u0000y'}", 8, "NUL in a string");
	refused("{'\\u0000':1}", 3, "NUL in a string");
	refused("{'a':'\\\\\\u0000'}", 9, "NUL in a string");
	v = parsed("{'a':'\\\\u0000','b':'\\u0001'}");
	assert_string_equal(fsi_json_get_string(member(v, "a")), "\\u0000");
	assert_string_equal(fsi_json_get_string(member(v, "b")), "\x01");
	done();
}

/* Puts one byte or character of each kind at each position of strings of every length up to 40. */
static void every_byte_of_a_string_is_checked(void **state)
{
	static const struct {
		const char *bytes, *problem; /* expected error message; NULL: the bytes are valid */
	} odd[] = { { "\x01", "control byte in a string" },
		    { "\x1f", "control byte in a string" },
		    { "\x80", "not UTF-8" },
		    { "\xff", "not UTF-8" },
		    { "\\u0000", "NUL in a string" },
		    { "\x7f", NULL },
		    { "\xc3\xa9", NULL },
		    { "\xf0\x9f\x98\x80", NULL } };
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz[]{},:01234567";
	char text[120], want[100];
	const struct fsi_json *v;

	(void)state;
	for (size_t kind = 0; kind < sizeof(odd) / sizeof(*odd); kind++)
		for (int len = 0; len <= 40; len++)
			for (int at = 0; at <= len; at++) {
				snprintf(want, sizeof(want), "%.*s%s%.*s", at, letters,
					 odd[kind].bytes, len - at, letters);
				snprintf(text, sizeof(text), "{'a':'%s'}", want);
				if (odd[kind].problem) {
					refused(text, (uint32_t)at + 7, odd[kind].problem);
					continue;
				}
				v = parsed(text);
				assert_string_equal(fsi_json_get_string(member(v, "a")), want);
				done();
			}
}

static void nesting_is_limited(void **state)
{
	char text[200] = "{'a':";

	(void)state;
	for (int i = 1; i < FSI_JSON_DEPTH; i++)
		strcat(text, "[");
	for (int i = 1; i < FSI_JSON_DEPTH; i++)
		strcat(text, "]");
	strcat(text, "}");
	parsed(text);
	done();
	refused("{'a':[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]}", 21, "nested too deeply");
	refused("{'a':{'a':{'a':{'a':{'a':{'a':{'a':{'a':{'a':[[[[[[[[", 0, "nested too deeply");
	parsed("{'a':'[[[[[[[[[[[[[[[[[[[[{{{{{{{{{{{{{{{','b':[[],[],[],[],[],[],[],[],[],[],["
		   "],[],[],[],[],[],[]]}");
	done();
}

static void malformed_numbers_are_refused(void **state)
{
	static const char *const bad[] = { "01", "-",  "1.",  "-01", "1e", "1e+", "1.e5",
					   "-a", "00", "1E-", "--1", "1-", "1.-5" };
	static const char *const other[] = { ".5",       "+1",        "1.5.", "0x1F", "NaN",
					     "Infinity", "-Infinity", "nan",  "1_0",  "1e5x" };
	char text[64];

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		snprintf(text, sizeof(text), "{'a':%s}", bad[i]);
		refused(text, 0, "malformed number");
	}
	for (size_t i = 0; i < sizeof(other) / sizeof(*other); i++) {
		snprintf(text, sizeof(text), "{'a':%s}", other[i]);
		refused(text, 0, "");
	}
	refused("{'a':1,'b':01}", 12, "malformed number");
}

/* A number may have more digits than a double can represent. */
static void numbers_with_many_digits_are_accepted(void **state)
{
	const struct fsi_json *v = parsed(
		"{'a':0.100000000000000000000000000000000000000000000000000000000000000001,"
		"'b':10000000000000000000000000000000000000000000000000000000000000000000000,"
		"'c':1}");

	(void)state;
	assert_same_double(fsi_json_get_double(member(v, "a")), 0.1);
	assert_same_double(fsi_json_get_double(member(v, "b")), 1e70);
	assert_int_equal(i64_of(v, "c"), 1);
	done();
}

static void broken_structures_are_refused(void **state)
{
	static const char *const bad[] = {
		"{",           "{'a'",       "{'a':",           "{'a':1",        "{'a':1,}",
		"{,}",         "{'a':[1,]}", "{'a':[1}",        "{'a' 1}",       "{a:1}",
		"{'a':tru}",   "{'a':TRUE}", "{'a':1 2}",       "{'a':,}",       "{1:2}",
		"{'a':'\\x'}", "}",          "{'a':'\\ud800'}", "{'a':'\\u12'}", "{'a':{'b':1}"
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		refused(bad[i], 0, "not valid JSON");
	refused("{'a':'x", 0, "the line ends inside a string");
	refused("{'a':'x\\", 0, "the line ends inside a string");
	refused("{'a", 0, "the line ends inside a string");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_have_types),
		cmocka_unit_test(integers_keep_64_bits),
		cmocka_unit_test(long_integers_are_exact_beside_digits_in_strings),
		cmocka_unit_test(only_whole_numbers_in_range_are_integers),
		cmocka_unit_test(keys_are_case_sensitive_and_duplicates_are_kept),
		cmocka_unit_test(white_space_is_allowed_around_tokens),
		cmocka_unit_test(text_after_the_object_is_refused),
		cmocka_unit_test(values_other_than_objects_are_refused),
		cmocka_unit_test(control_bytes_are_refused),
		cmocka_unit_test(nul_escapes_are_refused),
		cmocka_unit_test(every_byte_of_a_string_is_checked),
		cmocka_unit_test(nesting_is_limited),
		cmocka_unit_test(malformed_numbers_are_refused),
		cmocka_unit_test(numbers_with_many_digits_are_accepted),
		cmocka_unit_test(broken_structures_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
