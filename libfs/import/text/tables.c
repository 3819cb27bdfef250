#include "import/text/tables.h"

#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int grow_merge_rows(struct fsi_text_merge *m)
{
	const size_t cap = m->cap ? m->cap * 2 : 64;
	struct fsi_span *v = realloc(m->v, cap * m->fields * sizeof(*v)), *key;
	uint32_t *no, *field_line;

	if (!v)
		return -1;
	m->v = v;
	key = realloc(m->key, cap * sizeof(*key));
	if (!key)
		return -1;
	m->key = key;
	no = realloc(m->no, cap * sizeof(*no));
	if (!no)
		return -1;
	m->no = no;
	field_line = realloc(m->field_line, cap * m->fields * sizeof(*field_line));
	if (!field_line)
		return -1;
	m->field_line = field_line;
	memset(m->v + m->cap * m->fields, 0, (cap - m->cap) * m->fields * sizeof(*v));
	m->cap = cap;
	return 0;
}

uint32_t fsi_text_merge_add_row(struct fsi_text_merge *m, struct fsi_span key, uint32_t no)
{
	const uint32_t before = m->keys.count;
	const uint32_t id = fsi_intern_add(&m->keys, key.s, key.len);

	if (id == FSI_INTERN_FAILED || (m->n == m->cap && grow_merge_rows(m)))
		return UINT32_MAX;
	if (m->keys.count > before) {
		m->key[m->n] = key;
		m->no[m->n++] = no;
	}
	return id - 1; /* fsi_intern_add returns 0 only for an empty key, and no key is empty */
}

/* Returns the name of the command that printed line `no` of the paste. */
static const char *find_printing_command(const struct fsi_text *t, uint32_t no)
{
	for (size_t i = 0; i < t->pieces.n; i++) {
		const struct fsi_text_piece *p = &t->pieces.v[i];

		if (t->lines.v[p->begin].no <= no && no <= t->lines.v[p->end - 1].no)
			return fsi_text_kind_name(p->kind);
	}
	return "?";
}

static struct fsi_span truncate_shown_value(struct fsi_span v)
{
	enum { SHOWN_BYTES_MAX = 40 };

	return (struct fsi_span){ v.s, v.len < SHOWN_BYTES_MAX ? v.len : SHOWN_BYTES_MAX };
}

/* Writes the message about the first conflict to m->first: both values, and the lines of the paste from which they
 * come. */
static void describe_first_conflict(struct fsi_text_merge *m, uint32_t row, const char *name,
				    const struct fsi_span value[2], const uint32_t line[2])
{
	const struct fsi_span key = truncate_shown_value(m->key[row]), first = truncate_shown_value(value[0]),
			      second = truncate_shown_value(value[1]);

	snprintf(m->first, sizeof(m->first), "line %u (%s) and line %u (%s): %s %.*s: %s is \"%.*s\" and \"%.*s\"",
		 line[0], find_printing_command(m->t, line[0]), line[1], find_printing_command(m->t, line[1]), m->what,
		 (int)key.len, key.s, name, (int)first.len, first.s, (int)second.len, second.s);
}

void fsi_text_merge_set_field(struct fsi_text_merge *m, uint32_t row, size_t field, const char *name, struct fsi_span v,
			      uint32_t no)
{
	const size_t at = row * m->fields + field;
	struct fsi_span *old = &m->v[at];

	if (!v.len)
		return;
	if (!old->len) {
		*old = v;
		m->field_line[at] = no;
		return;
	}
	if (fsi_span_equals(*old, v))
		return;
	if (!m->conflicts++)
		describe_first_conflict(m, row, name, (const struct fsi_span[]){ *old, v },
					(const uint32_t[]){ m->field_line[at], no });
	if (m->keeps_last) {
		*old = v;
		m->field_line[at] = no;
	}
}

int fsi_text_merge_finish(struct fsi_text_merge *m, int rc)
{
	if (!rc && m->conflicts)
		rc = fsi_text_add_warning(m->t, "%s%s: the import uses the %s value", m->first,
					  m->conflicts > 1 ? ", and other differences" : "",
					  m->keeps_last ? "last" : "first");
	fsi_intern_release(&m->keys);
	free(m->v);
	free(m->key);
	free(m->no);
	free(m->field_line);
	return rc;
}

uint32_t fsi_text_merge_find_row(const struct fsi_text_merge *m, struct fsi_span key)
{
	const uint32_t id = key.len ? fsi_intern_find_id(&m->keys, key.s, key.len) : 0;

	return id ? id - 1 : UINT32_MAX;
}

int fsi_text_add_heading(struct fsi_text *t, const char *file, const char *heading)
{
	return fsi_text_find_file(t, file) ? 0 : fsi_text_add_line(t, file, fsi_string_to_span(heading), 0);
}

/* Parsing tables with a heading: cells are separated by bars, aligned in columns, or aligned below a line of dashes. A
 * narrow terminal or a mail program may have folded the rows. */

static bool is_dash_line(struct fsi_span line)
{
	for (size_t i = 0; i < line.len; i++)
		if (line.s[i] != '-' && line.s[i] != ' ' && line.s[i] != '+')
			return false;
	return line.len > 0;
}

/* Returns true if no word of the heading crosses a blank of the line of dashes. */
static bool are_dashes_aligned(struct fsi_span heading, struct fsi_span dashes)
{
	for (size_t i = 0; i < heading.len; i++)
		if (heading.s[i] != ' ' && (i >= dashes.len || dashes.s[i] == ' '))
			return false;
	return true;
}

/* Sets the columns from the line of dashes, because a heading may contain a blank: "Def QOS". */
static void set_columns_by_dashes(struct fsi_text_grid *g, struct fsi_span heading, struct fsi_span dashes)
{
	struct fsi_span w[FSI_TEXT_COLUMNS_MAX];

	g->n = fsi_text_split_words(dashes, w, FSI_TEXT_COLUMNS_MAX);
	g->has_dashes = true;
	for (size_t i = 0; i < g->n; i++) {
		const size_t from = (size_t)(w[i].s - dashes.s), to = from + w[i].len;

		g->from[i] = from;
		g->to[i] = to;
		g->word[i] = from < heading.len
				     ? fsi_span_trim_blanks((struct fsi_span){
					       heading.s + from, (to < heading.len ? to : heading.len) - from })
				     : (struct fsi_span){ "", 0 };
		g->begin[i] = from;
		g->end[i] = to;
	}
}

/* ---- columns separated by blanks */

static bool is_table_row(const struct fsi_text_grid *g, const struct fsi_text_line *l)
{
	return !fsi_text_has_job_rows(g->p->kind) || fsi_text_begins_job_row(g, fsi_text_line_span(l));
}

/* Sets the cell boundaries. A column ends between its heading and the next heading, where all rows have blanks. If
 * there are several such positions, the widest gap is used. If there is no such position, as in squeue -O, the next
 * column begins where its heading begins. */
static void set_columns_by_blanks(struct fsi_text_grid *g)
{
	g->from[0] = 0;
	for (size_t i = 0; i + 1 < g->n; i++) {
		size_t best = 0, best_len = 0, run_len = 0;

		for (size_t x = g->end[i]; x <= g->begin[i + 1]; x++) {
			bool blank = x < g->begin[i + 1];

			for (size_t r = 0; blank && r < g->rows.n; r++)
				blank = !is_table_row(g, &g->rows.v[r]) || x >= g->rows.v[r].len ||
					g->rows.v[r].s[x] == ' ';
			run_len = blank ? run_len + 1 : 0;
			if (run_len > best_len) {
				best_len = run_len;
				best = x;
			}
		}
		g->to[i] = best_len ? best : g->begin[i + 1];
		g->from[i + 1] = g->to[i];
	}
	g->to[g->n - 1] = SIZE_MAX;
}

static struct fsi_span get_aligned_cell(const struct fsi_text_grid *g, const struct fsi_text_line *row, size_t i)
{
	const size_t from = g->from[i] < row->len ? g->from[i] : row->len,
		     to = g->to[i] < row->len ? g->to[i] : row->len;
	struct fsi_span v = { row->s + from, to - from };

	if (i || g->p->kind != TEXT_SSHARE)
		return fsi_span_trim_blanks(v);
	while (v.len && v.s[v.len - 1] == ' ') /* the indentation of accounts shows their position in the tree */
		v.len--;
	return v;
}

/* Returns true if every cut cell of the column can be recognized: the command marks cut cells, or does not cut cells of
 * this column. sshare and sacctmgr end a cut cell with + (Slurm's src/common/print_fields.c:print_fields_str). sinfo
 * widens PARTITION to the longest name (src/sinfo/print.c:_set_part_field_size). */
static bool marks_cut_cells(enum fsi_text_kind kind, struct fsi_span heading)
{
	return kind == TEXT_SINFO ? fsi_span_is_word(heading, "PARTITION") : kind >= TEXT_SSHARE && kind <= TEXT_TRES;
}

/* Returns true if the cell's value may have been cut, because the cell fills its column. Width of a column, without the
 * blank between columns:
 *   - right-aligned: from the end of the previous heading to the end of the column's own heading
 *   - left-aligned: from the beginning of the column's own heading to the beginning of the next heading
 *   - unknown: 8 characters are assumed for the first column and 9 for the others */
static bool may_be_cut_cell(const struct fsi_text_grid *g, const struct fsi_text_line *row, size_t i, struct fsi_span v)
{
	const size_t at = (size_t)(v.s - row->s), end = at + v.len;
	size_t width = 0;

	if (g->has_dashes || (v.len && v.s[v.len - 1] == '+'))
		return v.len && v.s[v.len - 1] == '+';
	if (end == g->width && fsi_text_is_terminal_width(g->width))
		return true; /* the terminal may have cut the end of the row */
	if (marks_cut_cells(g->p->kind, g->word[i]))
		return false;
	if (i + 1 == g->n && at == g->begin[i])
		return false; /* the last column of squeue has no maximum width */
	if (end == g->end[i] && i)
		width = g->end[i] - g->end[i - 1] - 1;
	else if (at == g->begin[i] && i + 1 < g->n && get_aligned_cell(g, row, i + 1).s == row->s + g->begin[i + 1])
		width = g->begin[i + 1] - g->begin[i] - (g->begin[i + 1] > g->begin[i]);
	return v.len >= (width ? width : i ? 9 : 8);
}

/* ---- building the table */

static int allocate_piece_table(struct fsi_text *t, struct fsi_text_piece *p, size_t columns, size_t rows)
{
	struct fsi_text_table *table = fsi_arena_alloc(&t->arena, sizeof(*table));

	if (!table)
		return fsi_fail_no_memory(t->err);
	p->table = table;
	table->columns = columns;
	table->cell = fsi_arena_array(&t->arena, rows * columns + 1, sizeof(*table->cell));
	table->cut = fsi_arena_array(&t->arena, rows * columns + 1, sizeof(*table->cut));
	table->no = fsi_arena_array(&t->arena, rows + 1, sizeof(*table->no));
	table->by_words = fsi_arena_array(&t->arena, rows + 1, sizeof(*table->by_words));
	return !table->cell || !table->cut || !table->no || !table->by_words ? fsi_fail_no_memory(t->err) : 0;
}

static void set_column_name(struct fsi_text_table *table, enum fsi_text_kind kind, size_t i, struct fsi_span v)
{
	const size_t n = v.len < FSI_TEXT_NAME_MAX - 1 ? v.len : FSI_TEXT_NAME_MAX - 1;

	memcpy(table->name[i], v.s, n);
	table->name[i][n] = '\0';
	if (!strcmp(table->name[i], "TIME_LIMI")) /* squeue -l prints the heading TIME_LIMIT without its last letter */
		strcpy(table->name[i], "TIME_LIMIT");
	table->type[i] = fsi_text_cell_type(kind, table->name[i]);
	table->filled[i] = fsi_text_is_filled_column(kind, table->name[i]);
}

/* ---- reading a row by the positions of its columns */

/* Returns true if the boundary after column i cuts a word of the row. squeue -O prints no blank between two columns, so
 * a value may end at the boundary if it fills its column. */
static bool is_word_cut(const struct fsi_text_grid *g, const struct fsi_text_line *row, size_t i)
{
	const size_t at = g->to[i];

	if (!at || at >= row->len || row->s[at] == ' ' || row->s[at - 1] == ' ')
		return false;
	return g->p->kind != TEXT_SQUEUE || at != g->begin[i + 1] ||
	       memchr(row->s + g->begin[i], ' ', at - g->begin[i]) ||
	       (g->begin[i] && row->s[g->begin[i] - 1] != ' ' && (!i || g->to[i - 1] != g->begin[i]));
}

static bool fits_column(enum fsi_text_kind kind, const struct fsi_text_table *table, size_t i, struct fsi_span v)
{
	return fsi_text_fits_type(kind, table->type[i], v) && (v.len || !table->filled[i]);
}

/* Splits a row at the column positions. Returns false if a cell does not fit the type of its column, or if a word
 * crosses a column boundary. */
static bool split_row_by_position(struct fsi_text_grid *g, const struct fsi_text_table *table,
				  const struct fsi_text_line *row, struct fsi_span *cell)
{
	for (size_t i = 0; i < table->columns; i++) {
		cell[i] = get_aligned_cell(g, row, i);
		if (!fits_column(g->p->kind, table, i, fsi_span_trim_blanks(cell[i])) || is_word_cut(g, row, i))
			return false;
	}
	return true;
}

/* Returns true if each cell begins or ends where the heading of its column begins or ends. */
static bool is_row_aligned(const struct fsi_text_grid *g, const struct fsi_text_line *row, const struct fsi_span *cell)
{
	for (size_t i = 0; i < g->n; i++) {
		const size_t from = (size_t)(cell[i].s - row->s);

		if (cell[i].len && (i || g->p->kind != TEXT_SSHARE) && from != g->begin[i] &&
		    from + cell[i].len != g->end[i])
			return false;
	}
	return true;
}

/* ---- reading a row by its words
 *
 * The words of a row are assigned to the columns in order. A column of text may have several words if the row has more
 * words than columns; a column may be empty if the row has fewer. There may be several such assignments in which each
 * cell has the type of its column. A cell that differs between them is unknown. */

enum { ROW_WORDS_MAX = FSI_TEXT_COLUMNS_MAX };

struct word_reader {
	enum fsi_text_kind kind;
	const struct fsi_text_table *table;
	struct fsi_span word[ROW_WORDS_MAX];
	size_t n; /* number of words */
	size_t disputed; /* number of cells of the row in which two readings differ */
	/* first[i][k]: the columns before i can have the first k words; rest[i][k]: the columns from i on can have the
	 * words from k on */
	bool first[FSI_TEXT_COLUMNS_MAX + 1][ROW_WORDS_MAX + 1], rest[FSI_TEXT_COLUMNS_MAX + 1][ROW_WORDS_MAX + 1];
};

/* Splits the row into words. A reason in parentheses is one word. */
static void read_row_words(struct word_reader *r, struct fsi_span line)
{
	struct fsi_span word[ROW_WORDS_MAX];
	const size_t n = fsi_text_split_words(line, word, ROW_WORDS_MAX);

	r->n = 0;
	for (size_t i = 0; i < n; i++) {
		size_t last = i;

		if (*word[i].s == '(' && !memchr(word[i].s, ')', word[i].len))
			while (last + 1 < n && word[last].s[word[last].len - 1] != ')')
				last++;
		r->word[r->n++] =
			(struct fsi_span){ word[i].s, (size_t)(word[last].s - word[i].s) + word[last].len };
		i = last;
	}
}

/* Returns the cell that has the words [from, to). */
static struct fsi_span join_row_words(const struct word_reader *r, size_t from, size_t to)
{
	return from == to ? (struct fsi_span){ "", 0 }
			  : (struct fsi_span){ r->word[from].s,
					       (size_t)(r->word[to - 1].s - r->word[from].s) + r->word[to - 1].len };
}

static bool can_have_words(const struct word_reader *r, size_t column, size_t from, size_t to)
{
	const enum fsi_cell_type type = r->table->type[column];

	if (from == to)
		return r->n < r->table->columns && fits_column(r->kind, r->table, column, (struct fsi_span){ "", 0 });
	if (to > from + 1 && (r->n <= r->table->columns || type != FSI_CELL_TEXT))
		return false;
	return fsi_text_fits_type(r->kind, type, join_row_words(r, from, to));
}

/* Returns the index after the last word that the column may have if its first word is `from`. */
static size_t get_last_word_end(const struct word_reader *r, size_t column, size_t from)
{
	const size_t most = r->table->type[column] == FSI_CELL_TEXT ? r->n - from : 1;

	return from + most < r->n ? from + most : r->n;
}

static const char unknown_cell[] = ""; /* text of a cell whose words are not known; other empty cells are empty */

bool fsi_text_is_unknown_cell(struct fsi_span cell)
{
	return cell.s == unknown_cell;
}

/* Splits the row by its words. Returns false if there is no assignment in which each cell has the type of its column.
 * Sets *unknown to the number of cells that are unknown. */
static bool split_row_by_words(struct word_reader *r, struct fsi_span line, struct fsi_span *cell, size_t *unknown)
{
	const size_t columns = r->table->columns;

	read_row_words(r, line);
	memset(r->first, 0, sizeof(r->first));
	memset(r->rest, 0, sizeof(r->rest));
	r->first[0][0] = r->rest[columns][r->n] = true;
	for (size_t i = 0; i < columns; i++)
		for (size_t from = 0; from <= r->n; from++)
			for (size_t to = from; r->first[i][from] && to <= get_last_word_end(r, i, from); to++)
				r->first[i + 1][to] = r->first[i + 1][to] || can_have_words(r, i, from, to);
	*unknown = 0;
	for (size_t i = columns; i-- > 0;) {
		size_t ways = 0;

		for (size_t from = 0; from <= r->n; from++)
			for (size_t to = from; r->first[i][from] && to <= get_last_word_end(r, i, from); to++)
				if (r->rest[i + 1][to] && can_have_words(r, i, from, to)) {
					r->rest[i][from] = true;
					cell[i] = join_row_words(r, from, to);
					ways++;
				}
		if (ways > 1) {
			cell[i] = (struct fsi_span){ unknown_cell, 0 };
			(*unknown)++;
		}
	}
	return r->first[columns][r->n];
}

/* ---- choosing between the readings of a row */

/* Returns true if the row has a value of a type that prose does not fit, or if the table has no column of such a
 * type. */
static bool has_typed_value(const struct fsi_text_table *table, const struct fsi_span *cell)
{
	bool has_typed_column = false;

	for (size_t i = 0; i < table->columns; i++) {
		if (table->type[i] > FSI_CELL_NODES_OR_REASON && cell[i].len)
			return true;
		has_typed_column = has_typed_column || table->type[i] > FSI_CELL_NODES_OR_REASON;
	}
	return !has_typed_column;
}

enum row_reading { ROW_UNREAD, ROW_BY_POSITION, ROW_BY_WORDS };

/* Reads the cells of a row. The order of preference: by position, if each cell is aligned with its heading; by words,
 * if there are as many words as columns; by words or by position, without the cells in which the two readings
 * differ. */
static enum row_reading read_row_cells(struct fsi_text_grid *g, struct word_reader *words,
				       const struct fsi_text_line *row, struct fsi_span *cell)
{
	const size_t columns = words->table->columns;
	struct fsi_span other[FSI_TEXT_COLUMNS_MAX];
	const bool by_position = g->has_positions && split_row_by_position(g, words->table, row, cell);
	size_t unknown;

	if (by_position && is_row_aligned(g, row, cell))
		return ROW_BY_POSITION;
	if (!split_row_by_words(words, fsi_text_line_span(row), other, &unknown))
		return by_position ? ROW_BY_POSITION : ROW_UNREAD;
	if (!by_position || words->n == columns) {
		memcpy(cell, other, columns * sizeof(*cell));
		return ROW_BY_WORDS;
	}
	for (size_t i = 0; i < columns; i++)
		if (other[i].len && !fsi_span_equals(fsi_span_trim_blanks(cell[i]), other[i])) {
			cell[i] = (struct fsi_span){ "", 0 };
			words->disputed++;
		}
	return ROW_BY_POSITION;
}

/* Removes a number that a terminal may have cut: it ends at the edge of the terminal, but not below the end of its
 * heading. */
static void remove_cut_number(const struct fsi_text_grid *g, const struct fsi_text_line *row, struct fsi_span *cell)
{
	for (size_t i = 0; i < g->n; i++)
		if (cell[i].len && (size_t)(cell[i].s - row->s) + cell[i].len == g->width && g->end[i] != g->width &&
		    fsi_text_is_terminal_width(g->width) && g->p->table->type[i] >= FSI_CELL_COUNT)
			cell[i] = (struct fsi_span){ "", 0 };
}

/* Removes redacted values. A redacted name in sshare is used as name, because a row without user is the row of an
 * account. */
static void remove_redacted_cells(struct fsi_text_piece *p, struct fsi_span *cell)
{
	if (p->kind == TEXT_SSHARE)
		return;
	for (size_t i = 0; i < p->table->columns; i++)
		if (fsi_text_is_redacted(fsi_span_trim_blanks(cell[i]))) {
			cell[i] = (struct fsi_span){ "", 0 };
			p->redacted++;
		}
}

static void parse_table_row(struct fsi_text_grid *g, struct fsi_text_piece *p, struct word_reader *words,
			    const struct fsi_text_line *row)
{
	struct fsi_text_table *table = p->table;
	struct fsi_span *cell = table->cell + table->rows * table->columns;
	const struct fsi_span line = { row->s, row->len };
	enum row_reading reading;

	if (fsi_text_is_ornament(fsi_span_trim_blanks(line)))
		return;
	words->disputed = 0;
	reading = row->cut ? ROW_UNREAD : read_row_cells(g, words, row, cell);
	if (reading == ROW_UNREAD || !has_typed_value(table, cell)) {
		memset(cell, 0, table->columns * sizeof(*cell));
		fsi_text_count_unparsed(p, row->no);
		return;
	}
	if (words->disputed && !p->disputed)
		p->first_disputed_line = row->no;
	p->disputed += words->disputed;
	for (size_t i = 0; i < table->columns; i++)
		table->cut[table->rows * table->columns + i] =
			reading == ROW_BY_POSITION ? may_be_cut_cell(g, row, i, cell[i])
						   : cell[i].len && cell[i].s[cell[i].len - 1] == '+';
	if (reading == ROW_BY_POSITION)
		remove_cut_number(g, row, cell);
	remove_redacted_cells(p, cell);
	table->by_words[table->rows] = reading == ROW_BY_WORDS;
	table->no[table->rows++] = row->no;
}

/* Returns true if the reason ends with the last word of one of Slurm's reasons, so it is not cut. */
static bool is_whole_reason(struct fsi_span v)
{
	static const char *const ends[] = { "Limit", "Minutes", "Satisfied", "Requeue", "Inactive", "Deleted", "Failure", "Threshold",
					    "partitions", "held", "maintenance" };

	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
		const size_t n = strlen(ends[i]);

		if (v.len >= n && !memcmp(v.s + v.len - n, ends[i], n))
			return true;
	}
	return false;
}

/* Returns true if a cell in a row without aligned columns may be cut. longest: length of the column's longest cell. */
static bool may_be_cut_word(const struct fsi_text_table *table, size_t column, struct fsi_span v, size_t longest)
{
	enum { NAME_MIN = 8, REASON_MIN = 16 };

	if (v.len != longest)
		return false;
	if (!strcmp(table->name[column], "REASON"))
		return v.len >= REASON_MIN && !is_whole_reason(v);
	return v.len >= NAME_MIN && (table->type[column] == FSI_CELL_WORD || table->type[column] == FSI_CELL_NAME ||
				     !strcmp(table->name[column], "NAME"));
}

/* Marks the cells that may be cut in rows without aligned columns: the longest ones of a column, because a cut value
 * fills its column. */
static void mark_longest_cells(const struct fsi_text_grid *g, struct fsi_text_table *table)
{
	for (size_t i = 0; i < table->columns; i++) {
		size_t longest = 0;

		for (size_t r = 0; r < table->rows; r++)
			if (table->cell[r * table->columns + i].len > longest)
				longest = table->cell[r * table->columns + i].len;
		for (size_t r = 0; r < table->rows && !marks_cut_cells(g->p->kind, fsi_string_to_span(table->name[i]));
		     r++)
			if (table->by_words[r] &&
			    may_be_cut_word(table, i, table->cell[r * table->columns + i], longest))
				table->cut[r * table->columns + i] = true;
	}
}

static bool fits_columns(enum fsi_text_kind kind, const struct fsi_text_table *table, const struct fsi_span *cell)
{
	for (size_t i = 0; i < table->columns; i++)
		if (!fits_column(kind, table, i, fsi_span_trim_blanks(cell[i])))
			return false;
	return true;
}

/* Parses a table of the form `a|b|c`. sshare -p and sacctmgr -p also end each line with a bar. */
static int parse_bar_table(struct fsi_text *t, struct fsi_text_grid *g, struct fsi_text_piece *p)
{
	struct fsi_span rest = fsi_text_get_line(g->t, p->begin), part;
	size_t n = 0;
	int rc;

	for (size_t i = 0; i < rest.len; i++)
		n += rest.s[i] == '|';
	n = n + 1 < FSI_TEXT_COLUMNS_MAX ? n + 1 : FSI_TEXT_COLUMNS_MAX;
	rc = allocate_piece_table(t, p, n, p->end - p->begin);
	for (size_t i = 0; i < n && !rc && fsi_span_cut_part(&rest, '|', &part); i++)
		set_column_name(p->table, p->kind, i, fsi_span_trim_blanks(part));
	for (size_t i = p->begin + 1; i < p->end && !rc; i++) {
		struct fsi_text_table *table = p->table;
		struct fsi_span *cell = table->cell + table->rows * n;
		size_t k = 0;

		rest = fsi_text_get_line(g->t, i);
		if (!rest.len || is_dash_line(rest) || fsi_text_is_ornament(rest))
			continue;
		while (k < n && fsi_span_cut_part(&rest, '|', &cell[k])) {
			if (k || p->kind != TEXT_SSHARE)
				cell[k] = fsi_span_trim_blanks(cell[k]);
			k++;
		}
		if (k < n || rest.len || t->lines.v[i].cut || !fits_columns(p->kind, table, cell)) {
			memset(cell, 0, n * sizeof(*cell));
			fsi_text_count_unparsed(p, t->lines.v[i].no);
			continue;
		}
		remove_redacted_cells(p, cell);
		table->no[table->rows++] = t->lines.v[i].no;
	}
	return rc;
}

/* Sets *joined to the lines [from, from + n) with a blank between them. */
static int join_wrapped_lines(struct fsi_text *t, size_t from, size_t n, struct fsi_text_line *joined)
{
	struct fsi_text_row text = { .n = 0 };
	bool cut = false;
	char *copy;

	for (size_t i = from; i < from + n; i++) {
		fsi_text_row_append(&text, fsi_text_get_line(t, i), " ");
		cut = cut || t->lines.v[i].cut;
	}
	copy = fsi_arena_strndup(&t->arena, text.text, text.n);
	*joined = (struct fsi_text_line){ copy, (uint32_t)text.n, t->lines.v[from].no, cut };
	return copy ? 0 : fsi_fail_no_memory(t->err);
}

/* Returns true if a line after the first one of the lines [at, at + n) is a row itself. */
static bool has_own_rows(struct fsi_text *t, const struct fsi_text_grid *g, struct word_reader *words, size_t at,
			 size_t n)
{
	struct fsi_span cell[FSI_TEXT_COLUMNS_MAX];
	size_t unknown;

	for (size_t i = at + 1; i < at + n; i++)
		if (split_row_by_words(words, fsi_text_get_line(t, i), cell, &unknown) && 2 * words->n >= g->n)
			return true;
	return false;
}

/* Sets *row to the row that begins in line `at`, and *n to its number of lines. A row has one to three lines, with as
 * many words as the table has columns. If there is no such row, a row has one or two lines whose words fit fewer
 * columns. *n is 0 if the line begins no row. */
static int join_wrapped_row(struct fsi_text *t, const struct fsi_text_grid *g, struct word_reader *words, size_t at,
			    struct fsi_text_line *row, size_t *n)
{
	static const struct {
		size_t lines;
		bool all_columns;
	} tries[] = { { 1, true }, { 2, true }, { 3, true }, { 1, false }, { 2, false } };
	struct fsi_span cell[FSI_TEXT_COLUMNS_MAX];
	size_t unknown;

	*n = 0;
	for (size_t i = 0; i < sizeof(tries) / sizeof(*tries) && !*n; i++) {
		if (at + tries[i].lines > g->p->end || has_own_rows(t, g, words, at, tries[i].lines))
			continue;
		*row = t->lines.v[at];
		if (tries[i].lines > 1 && join_wrapped_lines(t, at, tries[i].lines, row))
			return FS_ENOMEM;
		if (split_row_by_words(words, fsi_text_line_span(row), cell, &unknown) &&
		    (tries[i].all_columns ? words->n >= g->n : 2 * words->n >= g->n))
			*n = tries[i].lines;
	}
	return 0;
}

/* Reads the rows of a table whose lines a mail program wrapped at blanks, so the columns have no positions. */
static int parse_wrapped_rows(struct fsi_text *t, struct fsi_text_grid *g, struct fsi_text_piece *p,
			      struct word_reader *words, size_t first)
{
	int rc = 0;

	for (size_t i = first; i < p->end && !rc;) {
		struct fsi_text_line row = t->lines.v[i];
		size_t n = 0;

		if (row.len && !is_dash_line(fsi_text_line_span(&row)))
			rc = join_wrapped_row(t, g, words, i, &row, &n);
		if (n)
			parse_table_row(g, p, words, &row);
		else if (row.len && !is_dash_line(fsi_text_line_span(&row)))
			fsi_text_count_unparsed(p, t->lines.v[i].no);
		i += n ? n : 1;
	}
	return rc;
}

/* Reads the table by its words alone. */
static int parse_wrapped_table(struct fsi_text *t, struct fsi_text_grid *g, struct fsi_text_piece *p,
			       struct word_reader *words)
{
	struct fsi_text_line heading = t->lines.v[p->begin];
	size_t n = 1;
	int rc = 0;

	while (!rc && p->begin + n < p->end && fsi_text_is_heading_rest(p->kind, fsi_text_get_line(t, p->begin + n)))
		rc = join_wrapped_lines(t, p->begin, ++n, &heading);
	g->n = fsi_text_split_words(fsi_text_line_span(&heading), g->word, FSI_TEXT_COLUMNS_MAX);
	g->has_positions = false;
	rc = rc ? rc : allocate_piece_table(t, p, g->n, p->end - p->begin);
	for (size_t i = 0; i < g->n && !rc; i++)
		set_column_name(p->table, p->kind, i, g->word[i]);
	words->table = p->table;
	return rc ? rc : parse_wrapped_rows(t, g, p, words, p->begin + n);
}

/* Sets the positions of the columns, and collects the rows. Returns 1 if a part of the heading is not recognized. */
static int measure_table(struct fsi_text *t, struct fsi_text_grid *g, struct fsi_text_piece *p)
{
	size_t first;
	int rc = fsi_text_read_heading(t, g);

	if (rc)
		return rc;
	first = p->begin + g->row_lines;
	if (first + g->row_lines <= p->end) {
		const struct fsi_span dashes = fsi_text_join_lines(t, g->width, first, g->row_lines),
				      heading = fsi_text_join_lines(t, g->width, p->begin, g->row_lines);

		if (!dashes.s || !heading.s)
			return fsi_fail_no_memory(t->err);
		if (is_dash_line(dashes)) {
			if (are_dashes_aligned(heading, dashes))
				set_columns_by_dashes(g, heading, dashes);
			first += g->row_lines;
		}
	}
	rc = fsi_text_collect_rows(t, g, first);
	if (!rc && !g->has_dashes && g->n)
		set_columns_by_blanks(g);
	g->has_positions = true;
	return rc;
}

/* Reads the table by the positions of its columns; rows that are not aligned are read by their words. */
static int parse_aligned_table(struct fsi_text *t, struct fsi_text_grid *g, struct fsi_text_piece *p,
			       struct word_reader *words)
{
	int rc = measure_table(t, g, p);

	if (rc > 0) {
		fsi_text_count_unparsed(p, t->lines.v[p->begin].no);
		return allocate_piece_table(t, p, 0, 0);
	}
	rc = rc ? rc : allocate_piece_table(t, p, g->n, g->rows.n);
	for (size_t i = 0; i < g->n && !rc; i++)
		set_column_name(p->table, p->kind, i, g->word[i]);
	words->table = p->table;
	for (size_t i = 0; i < g->rows.n && !rc; i++)
		parse_table_row(g, p, words, &g->rows.v[i]);
	return rc;
}

static size_t count_values(const struct fsi_text_table *table)
{
	size_t n = 0;

	for (size_t i = 0; i < table->rows * table->columns; i++)
		n += table->cell[i].len > 0;
	return n;
}

int fsi_text_parse_table(struct fsi_text *t, struct fsi_text_piece *p)
{
	struct fsi_text_grid g = { .t = t, .p = p, .width = fsi_text_max_width(t, p) };
	struct word_reader *words = calloc(1, sizeof(*words));
	int rc = words ? 0 : fsi_fail_no_memory(t->err);

	if (!rc && memchr(t->lines.v[p->begin].s, '|', t->lines.v[p->begin].len)) {
		rc = parse_bar_table(t, &g, p);
	} else if (!rc) {
		words->kind = p->kind;
		rc = parse_aligned_table(t, &g, p, words);
		if (!rc && (p->unparsed || g.row_lines > 1)) {
			const struct fsi_text_piece aligned = *p;

			p->unparsed = p->redacted = p->first_unparsed_line = 0;
			rc = parse_wrapped_table(t, &g, p, words);
			if (!rc && count_values(p->table) <= count_values(aligned.table))
				*p = aligned;
		}
		if (!rc)
			mark_longest_cells(&g, p->table);
	}
	FSI_VEC_FREE(&g.rows);
	free(words);
	return rc;
}

/* Completes names that a column has cut. The complete names are taken from other outputs in the paste. */

static const struct {
	const char *column;
	enum fsi_text_name kind;
} name_columns[] = { { "USER", TEXT_USERS },       { "User", TEXT_USERS },           { "ACCOUNT", TEXT_ACCOUNTS },
		     { "Account", TEXT_ACCOUNTS }, { "PARTITION", TEXT_PARTITIONS }, { "QOS", TEXT_QOSES },
		     { "QOSNAME", TEXT_QOSES } };

static const struct {
	const char *key;
	enum fsi_text_name kind;
} name_keys[] = { { "UserId=", TEXT_USERS },         { "UserName=", TEXT_USERS },
		  { "Account=", TEXT_ACCOUNTS },     { "PartitionName=", TEXT_PARTITIONS },
		  { "Partition=", TEXT_PARTITIONS }, { "QOS=", TEXT_QOSES } };

static int add_full_name(struct fsi_text *t, enum fsi_text_name kind, struct fsi_span v)
{
	v = fsi_span_trim_blanks(v);
	if (!v.len)
		return 0;
	if (FSI_VEC_RESERVE(&t->full_names[kind]))
		return fsi_fail_no_memory(t->err);
	t->full_names[kind].v[t->full_names[kind].n++] = v;
	return 0;
}

static int collect_record_names(struct fsi_text *t, const struct fsi_text_file *f)
{
	int rc = 0;

	for (size_t i = 0; i < f->lines.n && !rc; i++) {
		struct fsi_span rest = { f->lines.v[i].s, f->lines.v[i].len }, word;

		while (!rc && fsi_span_cut_part(&rest, ' ', &word))
			for (size_t k = 0; k < sizeof(name_keys) / sizeof(*name_keys) && !rc; k++) {
				const size_t n = strlen(name_keys[k].key);
				struct fsi_span v = { word.s + n, word.len - n }, name;

				if (word.len <= n || memcmp(word.s, name_keys[k].key, n) != 0)
					continue;
				while (!rc && fsi_span_cut_part(&v, ',', &name)) {
					struct fsi_span full_name = name;

					fsi_span_cut_part(&name, '(', &full_name);
					rc = add_full_name(t, name_keys[k].kind, full_name);
				}
			}
	}
	return rc;
}

static int collect_table_names(struct fsi_text *t, const struct fsi_text_table *table)
{
	int rc = 0;

	for (size_t k = 0; k < sizeof(name_columns) / sizeof(*name_columns); k++) {
		const size_t c = fsi_text_find_column(table, name_columns[k].column);

		for (size_t r = 0; c < table->columns && r < table->rows && !rc; r++) {
			struct fsi_span v = table->cell[r * table->columns + c], name;

			while (!rc && !table->cut[r * table->columns + c] && fsi_span_cut_part(&v, ',', &name)) {
				/* a * after the name marks the default partition in sinfo */
				name.len -= name.len && name.s[name.len - 1] == '*';
				rc = add_full_name(t, name_columns[k].kind, name);
			}
		}
	}
	return rc;
}

static int compare_names(const void *a, const void *b, const void *ctx)
{
	const struct fsi_span *x = a, *y = b;
	const int c = memcmp(x->s, y->s, x->len < y->len ? x->len : y->len);

	(void)ctx;
	return c ? c : (x->len > y->len) - (x->len < y->len);
}

/* Sorts the names and removes duplicates. Names with the same beginning are then adjacent. */
static int sort_full_names(struct fsi_text *t, enum fsi_text_name kind)
{
	struct fsi_span *v = t->full_names[kind].v;
	size_t n = 0;

	if (fs_sort(v, t->full_names[kind].n, sizeof(*v), compare_names, NULL))
		return fsi_fail_no_memory(t->err);
	for (size_t i = 0; i < t->full_names[kind].n; i++)
		if (!n || compare_names(&v[n - 1], &v[i], NULL))
			v[n++] = v[i];
	t->full_names[kind].n = n;
	return 0;
}

int fsi_text_collect_names(struct fsi_text *t)
{
	int rc = 0;

	for (size_t i = 0; i < t->files.n && !rc; i++)
		rc = collect_record_names(t, &t->files.v[i]);
	for (size_t i = 0; i < t->pieces.n && !rc; i++)
		if (t->pieces.v[i].table)
			rc = collect_table_names(t, t->pieces.v[i].table);
	for (int kind = 0; kind < TEXT_NAME_KINDS && !rc; kind++)
		rc = sort_full_names(t, (enum fsi_text_name)kind);
	return rc;
}

static bool begins_full_name(const struct fsi_text *t, enum fsi_text_name kind, size_t i, struct fsi_span v)
{
	return i < t->full_names[kind].n && t->full_names[kind].v[i].len >= v.len &&
	       !memcmp(t->full_names[kind].v[i].s, v.s, v.len);
}

/* Returns the text with a + after it, which marks a name whose end is missing. */
static struct fsi_span mark_cut_name(struct fsi_text *t, struct fsi_span v)
{
	char *s = fsi_arena_alloc(&t->arena, v.len + 2);

	if (!s || !v.len)
		return (struct fsi_span){ "", 0 };
	memcpy(s, v.s, v.len);
	s[v.len] = '+';
	return (struct fsi_span){ s, v.len + 1 };
}

struct fsi_span fsi_text_mark_cut(struct fsi_text *t, struct fsi_span v, bool cut)
{
	return !cut || !v.len || v.s[v.len - 1] == '+' ? v : mark_cut_name(t, v);
}

struct fsi_span fsi_text_complete_name(struct fsi_text *t, enum fsi_text_name kind, struct fsi_span v, bool cut)
{
	size_t first = 0, end = t->full_names[kind].n;

	if (!cut)
		return v;
	v.len -= v.len && v.s[v.len - 1] == '+';
	while (first < end) {
		const size_t middle = first + (end - first) / 2;

		if (compare_names(&t->full_names[kind].v[middle], &v, NULL) < 0)
			first = middle + 1;
		else
			end = middle;
	}
	return v.len && begins_full_name(t, kind, first, v) && !begins_full_name(t, kind, first + 1, v)
		       ? t->full_names[kind].v[first]
		       : mark_cut_name(t, v);
}

/* ---- notes: what the paste contained, and what to paste next */

static void print_page_note(const struct fsi_text *t, fs_note_fn note, const char *fmt, ...)
	FSI_PRINTF(3, 4);

/* Passes a sentence to one of the callbacks for pages, if it is set. */
static void print_page_note(const struct fsi_text *t, fs_note_fn note, const char *fmt, ...)
{
	char text[300];
	va_list ap;

	if (!note)
		return;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	note(t->o->note_ctx, text);
}

/* Passes to the callback `unread` which lines and values of the pasted output were not read. A value is uncertain if
 * the positions and the words of its row give different values. */
static void print_unread_lines(const struct fsi_text *t, const struct fsi_text_piece *p)
{
	const char *name = fsi_text_kind_name(p->kind);
	const struct {
		size_t n;
		const char *one, *many;
		unsigned first; /* line number in the paste; 0: unknown */
	} unread[] = { { p->unparsed, "line", "lines", p->first_unparsed_line },
		       { p->disputed, "uncertain value", "uncertain values", p->first_disputed_line } };

	if (p->unparsed == 1 && p->first_unparsed_line && !p->disputed) {
		print_page_note(t, t->o->unread, "line %u (%s)", p->first_unparsed_line, name);
		return;
	}
	for (size_t i = 0; i < sizeof(unread) / sizeof(*unread); i++)
		if (unread[i].n)
			print_page_note(t, t->o->unread, "%zu %s of %s (from line %u on)", unread[i].n,
					unread[i].n == 1 ? unread[i].one : unread[i].many, name,
					unread[i].first ? unread[i].first : t->lines.v[p->begin].no);
}

static void print_piece_notes(const struct fsi_text *t)
{
	for (size_t i = 0; i < t->pieces.n; i++) {
		const struct fsi_text_piece *p = &t->pieces.v[i];
		const unsigned first = t->lines.v[p->begin].no, last = t->lines.v[p->end - 1].no;
		char unparsed_text[300] = "", at[200] = "";

		if (p->first_unparsed_line)
			snprintf(at, sizeof(at), " (%s%.150s:%u)", p->unparsed == 1 ? "" : "first: ", t->name,
				 p->first_unparsed_line);
		if (p->unparsed)
			snprintf(unparsed_text, sizeof(unparsed_text), ", %zu line%s or row%s not read%s", p->unparsed,
				 p->unparsed == 1 ? "" : "s", p->unparsed == 1 ? "" : "s", at);
		fsi_text_print_note(t, "lines %u-%u: %s: %zu record%s imported%s", first, last,
				    fsi_text_kind_name(p->kind), p->imported, p->imported == 1 ? "" : "s",
				    unparsed_text);
		print_unread_lines(t, p);
	}
}

void fsi_text_count_skipped(struct fsi_text_skipped *l, uint32_t no)
{
	if (l->n < FSI_TEXT_SKIPPED_LINES)
		l->no[l->n] = no;
	l->n++;
}

int fsi_text_warn_skipped(struct fsi_text *t, const struct fsi_text_skipped *l, const char *what, const char *why)
{
	const size_t named = l->n < FSI_TEXT_SKIPPED_LINES ? l->n : FSI_TEXT_SKIPPED_LINES;
	char lines[100];
	size_t len = 0;

	if (!l->n)
		return 0;
	for (size_t i = 0; i < named; i++)
		len += (size_t)snprintf(lines + len, sizeof(lines) - len, "%s%u",
					!i ? "" : i + 1 == l->n ? " and " : ", ", l->no[i]);
	if (l->n > named)
		snprintf(lines + len, sizeof(lines) - len, " and %zu more", l->n - named);
	return fsi_text_add_warning(t, "line%s %s: %s: %s", l->n == 1 ? "" : "s", lines, what, why);
}

enum { MAX_WANTED = 9 };

/* Commands to suggest to the user, the most helpful first. `files`: the files that make the command unnecessary. A
 * command is not suggested if the paste provides one of its files. */
static const struct wanted_command {
	const char *command, *why, *files[2];
	/* name of a column: the command is unnecessary if one of `files` has a value in it; NULL: the command is
	 * unnecessary if one of `files` exists */
	const char *column;
} wanted_commands[TEXT_SCHEDULERS][MAX_WANTED] = { [TEXT_SLURM] = {
	{ "scontrol show job JOB", "which shows the job's reason, account, QOS, limits and times",
	  { NULL, NULL }, NULL },
	{ "scontrol show config", "without which weights, half-life and limits are unknown, and no priority is computed",
	  { "scontrol_config.txt", NULL }, "PriorityMaxAge" },
	{ "sprio -l", "which shows the points of each factor", { "sprio.txt", NULL }, NULL },
	{ "sshare -a -l", "which shows shares and usage, which determine the fair-share factor",
	  { "sshare.txt", NULL }, NULL },
	{ "scontrol show partition", "which shows priorities and limits of partitions",
	  { "scontrol_partition_o.txt", NULL }, NULL },
	{ "sacctmgr -P show qos", "which shows priorities and limits of QOS",
	  { "sacctmgr_qos_all.txt", "scontrol_assoc_mgr_o.txt" }, NULL },
	{ "scontrol show assoc_mgr", "which shows limits of users and accounts, and their current usage",
	  { "scontrol_assoc_mgr_o.txt", NULL }, NULL },
	{ NULL, NULL, { NULL, NULL }, NULL },
}, [TEXT_FLUX] = {
	{ "flux jobs -A --json", "which shows jobs, urgencies, priorities and times",
	  { "flux-jobs_-A_-a_--json.json", NULL }, NULL },
	{ "flux account list-factors", "without whose weights no priority is computed",
	  { "list-factors.txt", NULL }, NULL },
	{ "flux account view-bank root -t", "which shows shares and usage, which determine the fair-share factor",
	  { "list-banks.txt", NULL }, "shares" },
	{ "flux account list-users", "which shows limits and default banks of users",
	  { "list-users.txt", NULL }, "max_running_jobs" },
	{ "flux account list-queues", "which shows priorities and limits of queues",
	  { "list-queues.txt", NULL }, "max_running_jobs" },
	{ "flux queue status", "which shows whether queues start jobs", { "flux_queue_status.txt", NULL }, NULL },
	{ "flux resource list", "which lists the nodes that a plan requires", { "flux_resource_list.txt", NULL }, NULL },
	{ NULL, NULL, { NULL, NULL }, NULL },
}, [TEXT_MAUI] = {
	{ "showq", "which shows the jobs, and whether they are eligible", { "showq.txt", NULL }, NULL },
	{ "diagnose -p", "which shows the weights, and the points of each factor", { "diagnose_-p.txt", NULL }, NULL },
	{ "showq -i", "which shows priorities and queue times of jobs", { "showq_-i.txt", NULL }, NULL },
	{ "checkjob -v JOB", "which shows the job's account, class, QOS and limits", { "diagnose_-j.txt", NULL }, NULL },
	{ "diagnose -f", "which shows usage and targets of users and accounts", { "diagnose_-f.txt", NULL }, NULL },
	{ "showres -n", "which shows the time, and until when nodes are in use",
	  { "showres_-n.txt", "showres.txt" }, NULL },
	{ NULL, NULL, { NULL, NULL }, NULL },
} };

/* Returns true if a row of the table has a value in the column, or if a line of the configuration sets this
 * parameter. */
static bool has_column_value(const struct fsi_text_file *f, const char *column)
{
	struct fsi_span rest = { f->lines.v[0].s, f->lines.v[0].len }, cell;
	size_t at = 0;

	for (size_t i = 0; i < f->lines.n; i++)
		if (fsi_text_is_config_setting(fsi_text_line_span(&f->lines.v[i])) &&
		    fsi_span_starts_with(fsi_text_line_span(&f->lines.v[i]), column))
			return true;

	while (fsi_span_cut_part(&rest, '|', &cell) && !fsi_span_is_word(cell, column))
		at++;
	for (size_t i = 1; i < f->lines.n; i++) {
		rest = fsi_text_line_span(&f->lines.v[i]);
		for (size_t k = 0; fsi_span_cut_part(&rest, '|', &cell); k++)
			if (k == at && cell.len)
				return true;
	}
	return false;
}

/* Returns true if the paste has an output of the command. The command line of w may end with JOB, the place of a
 * job ID, after an option. */
static bool has_command_piece(const struct fsi_text *t, const struct wanted_command *w)
{
	const struct fsi_span command = fsi_string_to_span(w->command);
	const bool of_job = command.len > 4 && !memcmp(command.s + command.len - 4, " JOB", 4);

	for (size_t i = 0; i < t->pieces.n && of_job; i++)
		if (fsi_span_starts_with(command, fsi_text_kind_name(t->pieces.v[i].kind)))
			return true;
	return false;
}

static bool has_file_column(const struct fsi_text_file *f, const char *column)
{
	return f && (!column || has_column_value(f, column));
}

static bool is_command_wanted(const struct fsi_text *t, const struct wanted_command *w)
{
	bool have = has_command_piece(t, w);

	for (size_t k = 0; k < 2; k++)
		have = have || has_file_column(w->files[k] ? fsi_text_find_file(t, w->files[k]) : NULL, w->column);
	return !have;
}

static void print_wanted_commands(const struct fsi_text *t)
{
	bool first = true;

	for (const struct wanted_command *w = wanted_commands[t->scheduler]; w->command; w++) {
		if (!is_command_wanted(t, w))
			continue;
		fsi_text_print_note(t, "the text lacks the output of `%s`, %s", w->command, w->why);
		if (first)
			print_page_note(t, t->o->next, "`%s`, %s", w->command, w->why);
		first = false;
	}
}

void fsi_text_print_report(const struct fsi_text *t)
{
	print_piece_notes(t);
	print_wanted_commands(t);
}
