/* base/json: the streaming writer. */
#include "fstest.h"

#include "base/json.h"

struct out {
	struct fs_json j;
	struct fst_sink s;
};

static struct out *begin(bool pretty)
{
	struct out *o = calloc(1, sizeof(*o));

	assert_non_null(o);
	fs_json_init(&o->j, fst_write, &o->s, pretty);
	return o;
}

static void end(struct out *o, const char *want)
{
	char *quoted = fst_quoted(want);

	assert_int_equal(fs_json_flush(&o->j), 0);
	assert_string_equal(o->s.data, quoted);
	free(quoted);
	fst_free(&o->s);
	free(o);
}

static void sample(struct fs_json *j)
{
	fs_json_object(j);
	fs_json_key(j, "a");
	fs_json_i64(j, 1);
	fs_json_key(j, "b");
	fs_json_array(j);
	fs_json_null(j);
	fs_json_bool(j, true);
	fs_json_object(j);
	fs_json_end_object(j);
	fs_json_array(j);
	fs_json_end_array(j);
	fs_json_end_array(j);
	fs_json_key(j, "c");
	fs_json_string(j, "");
	fs_json_end_object(j);
}

static void values_are_nested_and_separated(void **state)
{
	struct out *o = begin(false);

	(void)state;
	sample(&o->j);
	end(o, "{'a':1,'b':[null,true,{},[]],'c':''}");
	o = begin(true);
	sample(&o->j);
	end(o, "{\n  'a': 1,\n  'b': [\n    null,\n    true,\n    {},\n    []\n  ],\n  'c': ''\n}");
}

static void documents_are_written_one_per_line(void **state)
{
	struct out *o = begin(false);

	(void)state;
	for (int i = 0; i < 3; i++) {
		fs_json_object(&o->j);
		fs_json_key(&o->j, "i");
		fs_json_i64(&o->j, i);
		fs_json_end_object(&o->j);
		if (i < 2)
			fs_json_newline(&o->j);
	}
	assert_int_equal(fs_json_finish(&o->j), 0);
	end(o, "{'i':0}\n{'i':1}\n{'i':2}\n");
}

static void integers_are_exact(void **state)
{
	struct out *o = begin(false);

	(void)state;
	fs_json_array(&o->j);
	fs_json_i64(&o->j, 9007199254740993);
	fs_json_u64(&o->j, UINT64_MAX);
	fs_json_i64(&o->j, INT64_MIN);
	fs_json_i64(&o->j, 0);
	fs_json_end_array(&o->j);
	end(o, "[9007199254740993,18446744073709551615,-9223372036854775808,0]");
}

static void doubles_are_short_and_never_bare_words(void **state)
{
	struct out *o = begin(false);

	(void)state;
	fs_json_array(&o->j);
	fs_json_double(&o->j, 0.1);
	fs_json_double(&o->j, 9007199254740993.0);
	fs_json_double(&o->j, NAN);
	fs_json_double(&o->j, INFINITY);
	fs_json_double(&o->j, -INFINITY);
	fs_json_double(&o->j, 1e300);
	fs_json_double(&o->j, -2.5);
	fs_json_end_array(&o->j);
	end(o, "[0.1,9007199254740992,null,'inf','-inf',1e+300,-2.5]");
}

static void doubles_read_back_as_written(void **state)
{
	const struct fsi_input_position where = { "f", 1, 0 };
	uint64_t seed = 3;

	(void)state;
	for (int i = 0; i < 20000; i++) {
		struct out *o = begin(false);
		struct fs_error err;
		const struct fsi_json *root;
		struct fsi_json_pool pool = { 0 };
		char *line;
		const uint64_t bits = fst_random(&seed);
		double v;

		memcpy(&v, &bits, sizeof(v));
		v = isfinite(v) ? v : (double)bits;
		fs_json_object(&o->j);
		fs_json_key(&o->j, "v");
		fs_json_double(&o->j, v);
		fs_json_end_object(&o->j);
		assert_int_equal(fs_json_flush(&o->j), 0);
		line = strdup(o->s.data);
		assert_non_null(line);
		assert_int_equal(fsi_json_parse_line(&pool, &root, line, o->s.len, where, &err), 0);
		assert_same_double(fsi_json_get_double(fsi_json_first_child(root)), v);
		fsi_json_pool_release(&pool);
		free(line);
		end(o, o->s.data);
	}
}

static void writes_string(const char *s, const char *want)
{
	struct out *o = begin(false);

	fs_json_string(&o->j, s);
	assert_int_equal(fs_json_flush(&o->j), 0);
	assert_string_equal(o->s.data, want);
	fst_free(&o->s);
	free(o);
}

static void strings_are_escaped(void **state)
{
	(void)state;
	writes_string("a\"b\\c/", "\"a\\\"b\\\\c/\"");
	writes_string("\x01\n\t\x1f\x7f", "\"\\u0001\\u000a\\u0009\\u001f\\u007f\"");
	writes_string("\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80 \xf4\x8f\xbf\xbf",
		      "\"\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80 \xf4\x8f\xbf\xbf\"");
}

#define BAD "\xef\xbf\xbd"

static void bytes_that_are_not_utf8_are_replaced(void **state)
{
	(void)state;
	writes_string("z\xffz", "\"z" BAD "z\"");
	writes_string("\x80", "\"" BAD "\"");
	writes_string("\xc3", "\"" BAD "\"");
	writes_string("\xc3x", "\"" BAD "x\"");
	writes_string("\xc0\xaf", "\"" BAD BAD "\""); /* overlong form of '/' */
	writes_string("\xe0\x80\xaf", "\"" BAD BAD BAD "\"");
	writes_string("\xed\xa0\x80", "\"" BAD BAD BAD "\""); /* surrogate U+D800 */
	writes_string("\xf4\x90\x80\x80", "\"" BAD BAD BAD BAD "\"");
	writes_string("\xf0\x9f\x98", "\"" BAD BAD BAD "\"");
	writes_string("\xf8\x88\x80\x80\x80", "\"" BAD BAD BAD BAD BAD "\"");
	writes_string("\xe2\x82\xac\xe2\x82", "\"\xe2\x82\xac" BAD BAD "\"");
}

/* The end of a long string falls on every position around the end of the writer's buffer. */
static void long_strings_are_whole(void **state)
{
	enum { LONG = 100000 };
	char *s = malloc(LONG + 1);

	(void)state;
	assert_non_null(s);
	memset(s, 'x', LONG);
	s[LONG] = '\0';
	for (size_t len = 4080; len < 4110; len++) {
		struct out *o = begin(false);

		s[len] = '\0';
		fs_json_string(&o->j, s);
		fs_json_string(&o->j, "\xc3\xa9");
		s[len] = 'x';
		assert_int_equal(fs_json_flush(&o->j), 0);
		assert_int_equal(o->s.len, len + 7);
		assert_string_equal(o->s.data + len + 1, "\",\"\xc3\xa9\"");
		fst_free(&o->s);
		free(o);
	}
	struct out *o = begin(false);
	fs_json_string(&o->j, s);
	assert_int_equal(fs_json_flush(&o->j), 0);
	assert_int_equal(o->s.len, LONG + 2);
	fst_free(&o->s);
	free(o);
	free(s);
}

static void a_failed_write_is_reported_at_the_end(void **state)
{
	struct out *o = begin(false);

	(void)state;
	o->s.limit = 5000;
	for (int i = 0; i < 2000; i++)
		fs_json_i64(&o->j, 1234567);
	assert_int_equal(fs_json_flush(&o->j), FS_EIO);
	o->s.limit = 0;
	fs_json_null(&o->j);
	assert_int_equal(fs_json_finish(&o->j), FS_EIO);
	assert_in_range(o->s.len, 0, 5000);
	fst_free(&o->s);
	free(o);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_are_nested_and_separated),
		cmocka_unit_test(documents_are_written_one_per_line),
		cmocka_unit_test(integers_are_exact),
		cmocka_unit_test(doubles_are_short_and_never_bare_words),
		cmocka_unit_test(doubles_read_back_as_written),
		cmocka_unit_test(strings_are_escaped),
		cmocka_unit_test(bytes_that_are_not_utf8_are_replaced),
		cmocka_unit_test(long_strings_are_whole),
		cmocka_unit_test(a_failed_write_is_reported_at_the_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
