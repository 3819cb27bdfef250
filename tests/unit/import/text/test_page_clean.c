/* import/text/page: text that a terminal or a mail program added to a command's output is removed. */
#include "fstest.h"

#include "import/text/text.h"

static void cleaned(const char *text, const char *const *want, size_t n)
{
	struct fs_error err;
	struct fsi_text t = { .err = &err };

	assert_int_equal(fsi_text_clean_paste(&t, text, strlen(text)), 0);
	assert_int_equal(t.lines.n, n);
	for (size_t i = 0; i < n; i++) {
		assert_string_equal(t.lines.v[i].s, want[i]);
		assert_int_equal(t.lines.v[i].len, strlen(want[i]));
		assert_int_equal(t.lines.v[i].no, i + 1);
	}
	FSI_VEC_FREE(&t.lines);
	fsi_arena_release(&t.arena);
}

#define CLEANED(text, ...)                                                                   \
	do {                                                                                 \
		static const char *const want[] = { __VA_ARGS__ };                           \
		cleaned(text, want, sizeof(want) / sizeof(*want));                           \
	} while (0)

static void escape_sequences_are_removed(void **state)
{
	(void)state;
	CLEANED("\x1b[1;31mJOBID\x1b[0m STATE\r\n\x1b]0;title\x07 7 R\n", "JOBID STATE", " 7 R");
	CLEANED("\x1b]0;title\x1b\\x\x1b(By\x1b=z\x1b", "xyz");
	CLEANED("\x1b[31\nnext", "", "next");
}

static void quote_marks_are_removed(void **state)
{
	(void)state;
	CLEANED("> squeue\n> > a b\n>>c\n   > no quote\n```\n", "squeue", "a b", "c", "   > no quote", "");
}

static void tabs_and_special_blanks_are_normalised(void **state)
{
	(void)state;
	CLEANED("a\tb\xc2\xa0" "c  \n\xef\xbb\xbfx\xe2\x80\x8by\nab\bc\x01\n", "a       b c", "xy", "ac");
}

/* Flux job ids begin with the letter U+0192, which is replaced by an f of the same width. Within a name the letter is
 * unchanged. */
static void the_letter_of_flux_ids_becomes_f(void **state)
{
	(void)state;
	CLEANED("\xc6\x92" "AB \xc6\x92" "CD x\xc6\x92\n", "fAB fCD x\xc6\x92");
}

static void a_last_line_without_newline_may_be_cut(void **state)
{
	struct fs_error err;
	struct fsi_text t = { .err = &err };

	(void)state;
	assert_int_equal(fsi_text_clean_paste(&t, "a\nb", 3), 0);
	assert_int_equal(t.lines.n, 2);
	assert_false(t.lines.v[0].cut);
	assert_true(t.lines.v[1].cut);
	FSI_VEC_FREE(&t.lines);
	fsi_arena_release(&t.arena);
	CLEANED("\n\n", "", "");
	cleaned("", NULL, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(escape_sequences_are_removed),
		cmocka_unit_test(quote_marks_are_removed),
		cmocka_unit_test(tabs_and_special_blanks_are_normalised),
		cmocka_unit_test(the_letter_of_flux_ids_becomes_f),
		cmocka_unit_test(a_last_line_without_newline_may_be_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
