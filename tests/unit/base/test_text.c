/* base/text and base/error: lines of a stream, and error texts. */
#include "fstest.h"

#include "base/text.h"

static void expect_line(struct fsi_lines *l, const char *want, size_t want_len, uint64_t number)
{
	struct fs_error err;
	char *line;
	size_t len;

	assert_int_equal(fsi_lines_read_next(l, &line, &len, &err), 1);
	assert_int_equal(len, want_len);
	assert_memory_equal(line, want, want_len);
	assert_int_equal(line[len], '\0');
	assert_int_equal(l->where.line, number);
}

static void expect_end(struct fsi_lines *l)
{
	char *line;
	size_t len;

	assert_int_equal(fsi_lines_read_next(l, &line, &len, NULL), 0);
	assert_int_equal(fsi_lines_read_next(l, &line, &len, NULL), 0);
	fsi_lines_release(l);
}

static void lines_are_split_whatever_the_read_sizes(void **state)
{
	static const char text[] = "first\n\nthird\0x\r\nlast";

	(void)state;
	for (size_t step = 0; step < 24; step++) {
		struct fst_text t = { text, sizeof(text) - 1, step };
		struct fsi_lines l;

		fsi_lines_init_reader(&l, fst_read, &t, "f");
		expect_line(&l, "first", 5, 1);
		expect_line(&l, "", 0, 2);
		expect_line(&l, "third\0x\r", 8, 3);
		expect_line(&l, "last", 4, 4);
		expect_end(&l);
	}
}

static void an_empty_stream_has_no_line(void **state)
{
	struct fst_text none = { "", 0, 0 }, newline = { "\n", 1, 0 };
	struct fsi_lines l;

	(void)state;
	fsi_lines_init_reader(&l, fst_read, &none, "f");
	expect_end(&l);
	fsi_lines_init_reader(&l, fst_read, &newline, "f");
	expect_line(&l, "", 0, 1);
	expect_end(&l);
}

/* Writes lines of many lengths, so that newlines fall on every border of the buffer's chunks. */
static void newlines_are_found_at_chunk_borders(void **state)
{
	struct fst_sink s = { 0 };
	struct fsi_lines l;
	char *line;
	size_t len;
	uint64_t n = 0;

	(void)state;
	for (size_t i = 0; i < 2000; i++) {
		for (size_t k = 0; k < i % 1021; k++)
			fst_write(&s, "x", 1);
		fst_write(&s, "\n", 1);
	}
	struct fst_text t = { s.data, s.len, 65521 };
	fsi_lines_init_reader(&l, fst_read, &t, "f");
	while (fsi_lines_read_next(&l, &line, &len, NULL) > 0) {
		assert_int_equal(len, n % 1021);
		assert_int_equal(strspn(line, "x"), len);
		n++;
	}
	assert_int_equal(n, 2000);
	fsi_lines_release(&l);
	fst_free(&s);
}

static ptrdiff_t failing_read(void *ctx, void *buf, size_t size)
{
	int *calls = ctx;

	(void)size;
	if ((*calls)++)
		return -1;
	memcpy(buf, "one\ntw", 6);
	return 6;
}

static void a_read_error_is_not_the_end(void **state)
{
	struct fsi_lines l;
	struct fs_error err;
	char *line;
	size_t len;
	int calls = 0;

	(void)state;
	fsi_lines_init_reader(&l, failing_read, &calls, "f");
	assert_int_equal(fsi_lines_read_next(&l, &line, &len, &err), 1);
	assert_int_equal(fsi_lines_read_next(&l, &line, &len, &err), FS_EIO);
	assert_int_equal(err.code, FS_EIO);
	assert_non_null(strstr(err.message, "f"));
	fsi_lines_release(&l);
}

struct endless {
	size_t given, stop; /* `given`: number of bytes returned so far; `stop`: offset of the newline */
};

static ptrdiff_t endless_read(void *ctx, void *buf, size_t size)
{
	struct endless *e = ctx;

	memset(buf, 'x', size);
	if (e->stop >= e->given && e->stop < e->given + size)
		((char *)buf)[e->stop - e->given] = '\n';
	e->given += size;
	return (ptrdiff_t)size;
}

static void a_line_over_4_mib_is_refused(void **state)
{
	struct endless fits = { 0, FSI_LINE_MAX }, over = { 0, FSI_LINE_MAX + 1 },
		       never = { 0, SIZE_MAX };
	struct endless *streams[] = { &over, &never };
	struct fsi_lines l;
	struct fs_error err;
	char *line;
	size_t len;

	(void)state;
	fsi_lines_init_reader(&l, endless_read, &fits, "f");
	assert_int_equal(fsi_lines_read_next(&l, &line, &len, &err), 1);
	assert_int_equal(len, FSI_LINE_MAX);
	fsi_lines_release(&l);
	for (int i = 0; i < 2; i++) {
		fsi_lines_init_reader(&l, endless_read, streams[i], "f");
		assert_int_equal(fsi_lines_read_next(&l, &line, &len, &err), FS_EDATA);
		fst_expect(&err, FS_EDATA, 1, "", "longer than 4194304");
		assert_in_range(streams[i]->given, FSI_LINE_MAX, 2 * FSI_LINE_MAX);
		fsi_lines_release(&l);
	}
}

static void error_texts_contain_the_known_parts(void **state)
{
	struct fs_error e = { .code = FS_EDATA,
			      .line = 3,
			      .column = 9,
			      .file = "a",
			      .field = "id",
			      .message = "bad" };
	char buf[100];

	(void)state;
	assert_int_equal(fs_error_format(&e, buf, sizeof(buf)), 14);
	assert_string_equal(buf, "a:3:9: id: bad");
	e.column = 0;
	fs_error_format(&e, buf, sizeof(buf));
	assert_string_equal(buf, "a:3: id: bad");
	e.line = 0;
	e.field[0] = '\0';
	fs_error_format(&e, buf, sizeof(buf));
	assert_string_equal(buf, "a: bad");
	e.file[0] = '\0';
	assert_int_equal(fs_error_format(&e, buf, 3), 3);
	assert_string_equal(buf, "ba");
	assert_int_equal(fs_error_format(&e, NULL, 0), 3);
}

static void error_fields_are_truncated_to_their_size(void **state)
{
	struct fs_error e;
	char name[1000];

	(void)state;
	memset(name, 'n', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	const struct fsi_input_position where = { name, 5, 6 };
	assert_int_equal(fsi_fail_at(&e, where, name, "%s", name), FS_EDATA);
	assert_int_equal(strlen(e.file), sizeof(e.file) - 1);
	assert_int_equal(strlen(e.field), sizeof(e.field) - 1);
	assert_int_equal(strlen(e.message), sizeof(e.message) - 1);
	assert_int_equal(fsi_fail_with_code(NULL, FS_ENODATA, "x"), FS_ENODATA);
	assert_int_equal(fsi_fail_no_memory(&e), FS_ENOMEM);
	assert_int_equal(e.line, 0);
	assert_string_equal(e.file, "");
}

static void comparison_ignores_case(void **state)
{
	(void)state;
	assert_true(fsi_is_same_ignoring_case("NoDe1 more", 5, "nOdE1"));
	assert_true(fsi_is_same_ignoring_case("", 0, ""));
	assert_false(fsi_is_same_ignoring_case("node", 4, "nodes"));
	assert_false(fsi_is_same_ignoring_case("nodes", 5, "node"));
	assert_false(fsi_is_same_ignoring_case("[", 1, "{"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_are_split_whatever_the_read_sizes),
		cmocka_unit_test(an_empty_stream_has_no_line),
		cmocka_unit_test(newlines_are_found_at_chunk_borders),
		cmocka_unit_test(a_read_error_is_not_the_end),
		cmocka_unit_test(a_line_over_4_mib_is_refused),
		cmocka_unit_test(error_texts_contain_the_known_parts),
		cmocka_unit_test(error_fields_are_truncated_to_their_size),
		cmocka_unit_test(comparison_ignores_case),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
