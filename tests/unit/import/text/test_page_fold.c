/* import/text/page: rows of a table that a terminal folded are restored. */
#include "fspaste.h"

#include "import/text/tables.h"

static bool never(struct fsi_span row)
{
	(void)row;
	return false;
}

static bool has_one_word(struct fsi_span row)
{
	struct fsi_span word[2];

	return fsi_text_split_words(row, word, 2) == 1;
}

static void a_line_is_split_into_words(void **state)
{
	struct fsi_span w[3];

	(void)state;
	assert_int_equal(fsi_text_split_words(fsi_string_to_span("  a  bc d e "), w, 3), 3);
	assert_span(w[1], "bc");
	assert_span(w[2], "d");
	assert_int_equal(fsi_text_split_words(fsi_string_to_span("   "), w, 3), 0);
}

/* On a terminal of 40 columns the heading and each row use two lines. */
static void folded_rows_are_joined(void **state)
{
	struct fsi_text_lines rows = { 0 };
	struct paste p;

	(void)state;
	paste_begin(&p, "  JOBID PARTITION     NAME     USER ST  \n     TIME  NODES NODELIST(REASON)\n"
			"     12     batch        a     dana PD  \n     0:00      1 (Priority)\n"
			"     13     batch\n");
	assert_int_equal(p.t.pieces.n, 1);
	assert_int_equal(fsi_text_unfold_rows(&p.t, &p.t.pieces.v[0], never, &rows), 0);
	assert_int_equal(rows.n, 2);
	assert_span(fsi_text_line_span(&rows.v[0]),
		    "     12     batch        a     dana PD     0:00      1 (Priority)");
	assert_int_equal(rows.v[0].no, 3);
	assert_span(fsi_text_line_span(&rows.v[1]), "     13     batch");
	FSI_VEC_FREE(&rows);
	paste_end(&p);
}

/* A row that the caller recognises as complete is not joined with the next line. */
static void complete_rows_are_not_joined(void **state)
{
	struct fsi_text_lines rows = { 0 };
	struct paste p;

	(void)state;
	paste_begin(&p, "  JOBID PARTITION     NAME     USER ST  \n     TIME  NODES NODELIST(REASON)\n12\n13\n");
	assert_int_equal(fsi_text_unfold_rows(&p.t, &p.t.pieces.v[0], has_one_word, &rows), 0);
	assert_int_equal(rows.n, 2);
	assert_string_equal(rows.v[0].s, "12");
	FSI_VEC_FREE(&rows);
	paste_end(&p);
}

static void joined_lines_are_padded_to_the_width(void **state)
{
	struct paste p;

	(void)state;
	paste_begin(&p, "ab\nabcd\n\ne\n");
	assert_span(fsi_text_join_lines(&p.t, 4, 0, 2), "ab  abcd");
	assert_span(fsi_text_join_lines(&p.t, 4, 2, 2), "    e");
	assert_span(fsi_text_join_lines(&p.t, 4, 1, 2), "abcd");
	paste_end(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_line_is_split_into_words),
		cmocka_unit_test(folded_rows_are_joined),
		cmocka_unit_test(complete_rows_are_not_joined),
		cmocka_unit_test(joined_lines_are_padded_to_the_width),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
