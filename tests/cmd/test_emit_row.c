/* render/emit: a composed row has the same bytes as its pieces printed one by one. */
#include "render/emit.h"

#include "../unit/fstest.h"

#include <stdlib.h>
#include <string.h>

enum { TEXT_MAX = 1500, ROUNDS = 2000 };

/* Fills `text` with random characters: mostly letters, and some characters that are not printed unchanged. */
static void some_text(uint64_t *seed, char text[TEXT_MAX + 1])
{
	static const char *const odd[] = { "\033", "\xc3\xa9", "\xe2\x80\xae", "\xff", "\t", "\x7f" };
	const uint32_t len = fst_below(seed, fst_below(seed, 20) ? 30 : TEXT_MAX - 8);
	size_t n = 0;

	while (n < len) {
		const char *piece = odd[fst_below(seed, sizeof(odd) / sizeof(*odd))];

		if (fst_below(seed, 12)) {
			text[n++] = (char)('a' + fst_below(seed, 26));
			continue;
		}
		memcpy(text + n, piece, strlen(piece));
		n += strlen(piece);
	}
	text[n] = '\0';
}

/* Writes one row twice: cell by cell to `pieces`, and as a composed row to `rows`. */
static void put_row(uint64_t *seed, FILE *pieces, FILE *rows)
{
	struct emit_row row;

	emit_row_begin(&row, rows);
	for (uint32_t cells = fst_below(seed, 20); cells; cells--) {
		const size_t blanks = fst_below(seed, 90), cut = fst_below(seed, 40);
		char text[TEXT_MAX + 1];

		some_text(seed, text);
		emit_to_stream(pieces, "%*s", (int)blanks, "");
		emit_cut_text(pieces, text, cut ? cut : SIZE_MAX);
		emit_raw_text(pieces, "| ");
		emit_row_add_blanks(&row, blanks);
		emit_row_add_cut(&row, text, cut ? cut : SIZE_MAX);
		emit_row_add_raw(&row, "| ");
	}
	emit_raw_text(pieces, "\n");
	emit_row_end(&row);
}

static void a_row_has_the_bytes_of_its_pieces(void **state)
{
	char *by_pieces = NULL, *by_rows = NULL;
	size_t n = 0, m = 0;
	uint64_t seed = 7;
	(void)state;

	FILE *pieces = open_memstream(&by_pieces, &n), *rows = open_memstream(&by_rows, &m);
	assert_non_null(pieces);
	assert_non_null(rows);
	for (int i = 0; i < ROUNDS; i++)
		put_row(&seed, pieces, rows);
	fclose(pieces);
	fclose(rows);
	assert_true(n > 100000);
	assert_int_equal(n, m);
	assert_memory_equal(by_pieces, by_rows, n);
	free(by_pieces);
	free(by_rows);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_row_has_the_bytes_of_its_pieces),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
