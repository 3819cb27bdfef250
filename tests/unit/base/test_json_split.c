/* base/json.c: splitting a document into its objects. */
#include "fstest.h"

#include "base/json.h"

struct seen {
	struct fst_sink events; /* the callback calls as text: `begin` adds "(DEPTH", `object` adds "DEPTH,KEYS)" */
	int fail_at;            /* 1-based number of the object at which the callback fails; 0: it never fails */
	int objects;
	uint64_t last_line;
};

static int begin(void *ctx, uint32_t depth)
{
	struct seen *s = ctx;

	fst_put(&s->events, "(%u ", depth);
	return 0;
}

static int object(void *ctx, uint32_t depth, const struct fsi_json *v, struct fsi_input_position where)
{
	struct seen *s = ctx;

	fst_put(&s->events, "%u", depth);
	for (const struct fsi_json *m = fsi_json_first_child(v); m; m = fsi_json_next_sibling(m))
		fst_put(&s->events, ",%s%s", fsi_json_get_key(m),
			fsi_json_get_type(m) == FSI_JARRAY && !fsi_json_first_child(m) ? "[]" : "");
	fst_put(&s->events, ")");
	s->last_line = where.line;
	return ++s->objects == s->fail_at ? FS_EIO : 0;
}

static int split(const char *text, size_t step, struct seen *s, struct fs_error *err)
{
	static const char *const keys[] = { "root", "children", NULL };
	const struct fsi_json_split o = { keys, begin, object, s };
	char *bytes = fst_quoted(text);
	struct fst_text t = { bytes, strlen(bytes), step };
	const int rc = fsi_json_split_document(&o, fst_read, &t, "file", err);

	free(bytes);
	return rc;
}

static void gives(const char *text, const char *events)
{
	for (size_t step = 0; step < 3; step++) {
		struct seen s = { .fail_at = 0 };
		struct fs_error err;

		fst_no_error(split(text, step, &s, &err), &err);
		assert_string_equal(s.events.data ? s.events.data : "", events);
		fst_free(&s.events);
	}
}

static void refuses(const char *text, uint64_t line, const char *message)
{
	for (size_t step = 0; step < 2; step++) {
		struct seen s = { .fail_at = 0 };
		struct fs_error err = { 0 };

		assert_int_equal(split(text, step, &s, &err), FS_EDATA);
		fst_expect(&err, FS_EDATA, line, "", message);
		assert_string_equal(err.file, "file");
		fst_free(&s.events);
	}
}

static void documents_are_split_into_objects(void **state)
{
	(void)state;
	gives("{'a':1}", "(0 0,a)");
	gives("[]", "");
	gives(" [ {'a':1} , {'b':{'c':[1,{}]}} ] \n", "(0 0,a)(0 0,b)");
	gives("{'children':[{'x':1},{'children':[]}],'y':2}", "(0 (1 1,x)(1 1,children[])0,children[],y)");
	gives("{'root':{'children':[{'u':'}]'}]}}", "(0 (1 (2 2,u)1,children[])0,root[])");
	gives("{'k' : 'children', 'children' :\n\t[ ] , 'z':'\\'{['}", "(0 0,k,children[],z)");
	/* Only the outermost object is passed. In these documents, "children" is the key of a list inside another
	 * member, a string in a list, or the key of a number. */
	gives("{'a':{'children':[{'b':1}]},'c':['children',[{}]]}", "(0 0,a,c)");
	gives("{'children':5}", "(0 0,children)");
}

static void malformed_documents_are_refused(void **state)
{
	(void)state;
	refuses("", 1, "empty");
	refuses("\n\n", 3, "empty");
	refuses("5", 1, "expected an object or a list");
	refuses("[{}\n,5]", 2, "expected a list of objects");
	refuses("[{},]", 1, "expected a list of objects");
	refuses("[{}{}]", 1, "expected a list of objects");
	refuses("[,]", 1, "expected a list of objects");
	refuses("[[{}]]", 1, "expected a list of objects");
	refuses("{'a':1", 1, "the file ends inside the JSON document");
	refuses("{'children':[{'a':1}\n", 2, "the file ends inside the JSON document");
	refuses("{'a':'b", 1, "the file ends inside a string");
	refuses("{'a':'\\", 1, "the file ends inside a string");
	refuses("{'a':1} x", 1, "text after the JSON document");
	refuses("{}{}", 1, "text after the JSON document");
	refuses("[{'a':1},\n{'b':}]", 2, "not valid JSON");
	refuses("{'a':NaN}", 1, "not valid JSON");
	refuses("[{}\n\n,{'a':'x\ny'}]", 3, "control byte in a string");
	refuses("{'a':'\xff'}", 1, "not UTF-8");
	refuses("{'a':01}", 1, "malformed number");
	refuses("{'a':[}", 1, "");
	refuses("{'a':[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]}", 1, "nested too deeply");
}

static void an_error_of_a_callback_is_returned(void **state)
{
	struct seen s = { .fail_at = 2 };
	struct fs_error err;

	(void)state;
	assert_int_equal(split("[{},\n{},{}]", 0, &s, &err), FS_EIO);
	assert_int_equal(s.objects, 2);
	assert_int_equal(s.last_line, 2);
	fst_free(&s.events);
}

/* Documents whose objects are nested more deeply than a recursive parser's stack allows, or are above the maximum
 * size. */
static void depth_and_object_size_are_limited(void **state)
{
	enum { DEPTH = 20000 };
	struct fst_sink text = { 0 };
	struct seen s = { .fail_at = 0 };
	struct fs_error err;

	(void)state;
	for (int i = 0; i < DEPTH; i++)
		fst_put(&text, "{'children':[");
	for (int i = 0; i < 300000; i++)
		fst_put(&text, "%s{'a':'bbbbbbbbbbbbbbbb'}", i ? "," : "");
	for (int i = 0; i < DEPTH; i++)
		fst_put(&text, "]}");
	fst_no_error(split(text.data, 0, &s, &err), &err);
	assert_int_equal(s.objects, DEPTH + 300000);
	fst_free(&s.events);
	fst_free(&text);

	for (int i = 0; i < FSI_JSON_NESTING; i++)
		fst_put(&text, "{'children':[");
	assert_int_equal(split(text.data, 0, &s, &err), FS_EDATA);
	assert_non_null(strstr(err.message, "nested too deeply"));
	fst_free(&s.events);
	fst_free(&text);

	fst_put(&text, "{'a':'");
	for (int i = 0; i < 3 * 1024; i++)
		fst_put(&text, "%01500d", 0);
	assert_int_equal(split(text.data, 0, &s, &err), FS_EDATA);
	assert_non_null(strstr(err.message, "larger than 4 MiB"));
	fst_free(&s.events);
	fst_free(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(documents_are_split_into_objects),
		cmocka_unit_test(malformed_documents_are_refused),
		cmocka_unit_test(an_error_of_a_callback_is_returned),
		cmocka_unit_test(depth_and_object_size_are_limited),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
