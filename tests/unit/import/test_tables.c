/* import/: lines of keys and values, tables, and rows by their ids. */
#include "fsimport.h"

#include "import/import.h"

static const char *const names[] = { "JobId", "Name", "CPUs/Task", "Power", "Comment" };
enum { NAMES = 5 };

static struct fsi_span span(const char *s)
{
	return (struct fsi_span){ s, strlen(s) };
}

static void assert_span(struct fsi_span got, const char *want)
{
	if (!want) {
		assert_null(got.s);
		return;
	}
	assert_int_equal(got.len, strlen(want));
	assert_memory_equal(got.s, want, got.len);
}

#define LINE_WITH(extra) "JobId=7 Name=a b " extra "CPUs/Task=2 Power=full  Other=x=y z Name=late"

/* The first value of a repeated key counts, and a value ends where the next key begins. */
static void values_are_found_by_key(void **state)
{
	static const char *const lines[] = { LINE_WITH(""), LINE_WITH("Odd=1 "), LINE_WITH("not a=b key ") };
	struct fsi_kv_table k;

	(void)state;
	fsi_kv_table_init(&k, names, NAMES);
	for (size_t again = 0; again < 2; again++)
		for (size_t i = 0; i < 3; i++) {
			fsi_kv_table_clear(&k);
			fsi_kv_table_read_line(&k, span(lines[i]));
			assert_span(k.value[0], "7");
			assert_span(k.value[1], i == 2 ? "a b not" : "a b");
			assert_span(k.value[2], "2");
			assert_span(k.value[3], "full");
			assert_null(k.value[4].s);
			assert_null(k.value[NAMES].s);
		}
}

/* A key without a value, and a name that is not a key of the table. */
static void keys_are_found_by_name(void **state)
{
	struct fsi_kv_table k;

	(void)state;
	fsi_kv_table_init(&k, names, NAMES);
	fsi_kv_table_read_line(&k, span("Power= Comment=hello Name=x"));
	assert_span(k.value[3], "");
	assert_span(k.value[1], "x");
	assert_null(k.value[0].s);
	assert_int_equal(fsi_kv_table_find_key(&k, "Comment"), 4);
	assert_int_equal(fsi_kv_table_find_key(&k, "Comments"), NAMES);
	assert_int_equal(fsi_kv_table_find_key(&k, NULL), NAMES);
}

static void a_text_is_found_within_a_span(void **state)
{
	const struct fsi_span line = span("a UserId=b UserId=c ");

	(void)state;
	for (size_t rare = 0; rare < 8; rare++) {
		assert_ptr_equal(fsi_span_find_text(line, " UserId=", rare), line.s + 1);
		assert_null(fsi_span_find_text(line, " Useri==", rare));
	}
	assert_ptr_equal(fsi_span_find_text(line, "c ", 1), line.s + line.len - 2);
	assert_null(fsi_span_find_text(span("UserId"), " UserId=", 1));
	assert_true(fsi_span_contains_text(line, "=c"));
	assert_false(fsi_span_contains_text(line, "=d"));
}

static void words_for_unset_and_none_are_recognised(void **state)
{
	(void)state;
	assert_true(fsi_span_is_unset(span("")));
	assert_true(fsi_span_is_unset(span("(Null)")));
	assert_true(fsi_span_is_unset(span("n/A")));
	assert_false(fsi_span_is_unset(span("None")));
	assert_true(fsi_span_is_none(span("nONE")));
	assert_true(fsi_span_is_none(span("Unknown")));
	assert_true(fsi_span_is_none(span("(null)")));
	assert_false(fsi_span_is_none(span("nine")));
	assert_false(fsi_span_is_none(span("unknowns")));
}

static void cells_are_found_by_column_name(void **state)
{
	struct fsi_pipe_table p = { .columns = 0 };

	(void)state;
	assert_false(fsi_pipe_read_row(&p, span("Name|Share||Name|a name that is longer than a column may be")));
	assert_int_equal(p.columns, 5);
	assert_true(fsi_pipe_read_row(&p, span("x|2|odd|second|cut off")));
	assert_span(fsi_pipe_get_cell(&p, "Name"), "x");
	assert_span(fsi_pipe_get_cell(&p, "Share"), "2");
	assert_span(fsi_pipe_get_cell(&p, "Shares"), NULL);
	assert_span(fsi_pipe_get_cell(&p, "a name that is longer than a co"), "cut off");
	assert_true(fsi_pipe_read_row(&p, span("y")));
	assert_span(fsi_pipe_get_cell(&p, "Share"), NULL);
	assert_true(fsi_pipe_read_row(&p, span("z||")));
	assert_span(fsi_pipe_get_cell(&p, "Share"), "");
}

static void rows_are_found_by_id(void **state)
{
	static const uint64_t ids[] = { 5, 9, 7, UINT64_MAX, 1, 300 };
	enum { N = sizeof(ids) / sizeof(*ids) };
	struct fsi_job jobs[N] = { { .id = 0 } };
	fs_snapshot m = { .job = { .v = jobs, .n = N } };
	struct fsi_id_index x;

	(void)state;
	for (size_t i = 0; i < N; i++)
		jobs[i].id = ids[i];
	assert_int_equal(fsi_id_index_init_jobs(&x, &m), 0);
	for (uint32_t i = 0; i < N; i++)
		assert_int_equal(fsi_id_index_find_row(&x, ids[i]), i);
	assert_int_equal(fsi_id_index_find_row(&x, 0), FSI_NO_INDEX);
	assert_int_equal(fsi_id_index_find_row(&x, 8), FSI_NO_INDEX);
	free(x.v);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_are_found_by_key),
		cmocka_unit_test(keys_are_found_by_name),
		cmocka_unit_test(a_text_is_found_within_a_span),
		cmocka_unit_test(words_for_unset_and_none_are_recognised),
		cmocka_unit_test(cells_are_found_by_column_name),
		cmocka_unit_test(rows_are_found_by_id),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
