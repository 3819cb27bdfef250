/* Tables under a heading: between bars, in columns of blanks, under dashes, wrapped by a narrow terminal or a mail
 * program. */
#include "import/text/page/grid.h"

#include <string.h>

static bool is_dashes(struct fsi_span line)
{
	for (size_t i = 0; i < line.len; i++)
		if (line.s[i] != '-' && line.s[i] != ' ' && line.s[i] != '+')
			return false;
	return line.len > 0;
}

/* The dashes tell the columns, since a heading may have a blank in it: "Def QOS". */
static void by_dashes(struct fsi_text_grid *g, struct fsi_span heading, struct fsi_span dashes)
{
	struct fsi_span w[FSI_TEXT_COLUMNS_MAX];

	g->n = fsi_text_words(dashes, w, FSI_TEXT_COLUMNS_MAX);
	g->fixed = true;
	for (size_t i = 0; i < g->n; i++) {
		const size_t from = (size_t)(w[i].s - dashes.s), to = from + w[i].len;

		g->from[i] = from;
		g->to[i] = to;
		g->word[i] = from < heading.len
				     ? fsi_span_trim((struct fsi_span){ heading.s + from,
									(to < heading.len ? to : heading.len) - from })
				     : (struct fsi_span){ "", 0 };
		g->begin[i] = from;
		g->end[i] = to;
	}
}

/* ---- columns of blanks */

static bool is_row(const struct fsi_text_grid *g, const struct fsi_text_line *l)
{
	return !fsi_text_of_jobs(g->p->kind) || fsi_text_job_begins(g, fsi_text_span(l));
}

/* Between two headings the column ends where every row has a blank; of several such places, at the widest. Where
 * there is none the columns stand side by side, as those of squeue -O do: each begins under its heading. */
static void by_blanks(struct fsi_text_grid *g)
{
	g->from[0] = 0;
	for (size_t i = 0; i + 1 < g->n; i++) {
		size_t best = 0, best_len = 0, run = 0;

		for (size_t x = g->end[i]; x <= g->begin[i + 1]; x++) {
			bool blank = x < g->begin[i + 1];

			for (size_t r = 0; blank && r < g->rows.n; r++)
				blank = !is_row(g, &g->rows.v[r]) || x >= g->rows.v[r].len || g->rows.v[r].s[x] == ' ';
			run = blank ? run + 1 : 0;
			if (run > best_len) {
				best_len = run;
				best = x;
			}
		}
		g->to[i] = best_len ? best : g->begin[i + 1];
		g->from[i + 1] = g->to[i];
	}
	g->to[g->n - 1] = SIZE_MAX;
}

static struct fsi_span cell_at(const struct fsi_text_grid *g, const struct fsi_text_line *row, size_t i)
{
	const size_t from = g->from[i] < row->len ? g->from[i] : row->len,
		     to = g->to[i] < row->len ? g->to[i] : row->len;
	struct fsi_span v = { row->s + from, to - from };

	if (i || g->p->kind != TEXT_SSHARE)
		return fsi_span_trim(v);
	while (v.len && v.s[v.len - 1] == ' ') /* the indentation of accounts is the tree */
		v.len--;
	return v;
}

/* Returns true if the command never cuts the column without a mark: sshare and sacctmgr end a cut cell with + (Slurm's
 * src/common/print_fields.c:print_fields_str), and sinfo widens PARTITION to the longest name (src/sinfo/print.c:
 * _set_part_field_size). */
static bool marks_cuts(enum fsi_text_kind kind, struct fsi_span heading)
{
	return kind == TEXT_SINFO ? fsi_span_is(heading, "PARTITION") : kind >= TEXT_SSHARE && kind <= TEXT_TRES;
}

/* Has the cell as many characters as its column can hold? Then there may have been more. The width follows from the
 * ends of the headings where those stand at the right, from their beginnings where they stand at the left; where
 * nothing tells it, a name has at least eight. */
static bool may_be_cut(const struct fsi_text_grid *g, const struct fsi_text_line *row, size_t i, struct fsi_span v)
{
	const size_t at = (size_t)(v.s - row->s), end = at + v.len;
	size_t width = 0;

	if (g->fixed || (v.len && v.s[v.len - 1] == '+'))
		return v.len && v.s[v.len - 1] == '+';
	if (end == g->wide && fsi_text_terminal_wide(g->wide))
		return true; /* it ends at the width of a terminal */
	if (marks_cuts(g->p->kind, g->word[i]))
		return false;
	if (i + 1 == g->n && at == g->begin[i])
		return false; /* the last column of squeue has no width */
	if (end == g->end[i] && i)
		width = g->end[i] - g->end[i - 1] - 1;
	else if (at == g->begin[i] && i + 1 < g->n && cell_at(g, row, i + 1).s == row->s + g->begin[i + 1])
		width = g->begin[i + 1] - g->begin[i] - (g->begin[i + 1] > g->begin[i]);
	return v.len >= (width ? width : i ? 9 : 8);
}

/* ---- the result */

static int make_table(struct fsi_text *t, struct fsi_text_piece *p, size_t columns, size_t rows)
{
	struct fsi_text_table *table = fsi_arena_alloc(&t->arena, sizeof(*table));

	if (!table)
		return fsi_nomem(t->err);
	p->table = table;
	table->columns = columns;
	table->cell = fsi_arena_array(&t->arena, rows * columns + 1, sizeof(*table->cell));
	table->cut = fsi_arena_array(&t->arena, rows * columns + 1, sizeof(*table->cut));
	table->no = fsi_arena_array(&t->arena, rows + 1, sizeof(*table->no));
	return !table->cell || !table->cut || !table->no ? fsi_nomem(t->err) : 0;
}

static void set_name(struct fsi_text_table *table, size_t i, struct fsi_span v)
{
	const size_t n = v.len < FSI_TEXT_NAME_MAX - 1 ? v.len : FSI_TEXT_NAME_MAX - 1;

	memcpy(table->name[i], v.s, n);
	table->name[i][n] = '\0';
	if (!strcmp(table->name[i], "TIME_LIMI")) /* squeue -l cuts the heading */
		strcpy(table->name[i], "TIME_LIMIT");
}

/* A mail program folds lines at blanks and moves what follows: then words count, where there are as many as
 * headings. */
static bool by_words(const struct fsi_text_table *table, enum fsi_text_kind kind, struct fsi_span line,
		     struct fsi_span *cell)
{
	if (fsi_text_words(line, cell, table->columns) != table->columns)
		return false;
	cell[table->columns - 1].len = (size_t)(line.s + line.len - cell[table->columns - 1].s);
	for (size_t i = 0; i < table->columns; i++)
		if (!fsi_text_fits(kind, table->name[i], cell[i]))
			return false;
	return true;
}

static bool by_place(struct fsi_text_grid *g, const struct fsi_text_table *table, const struct fsi_text_line *row,
		     struct fsi_span *cell)
{
	const bool spaced = g->p->kind > TEXT_TRES; /* squeue -O alone has columns without a blank between them */

	for (size_t i = 0; i < table->columns; i++) {
		cell[i] = cell_at(g, row, i);
		if (!fsi_text_fits(g->p->kind, table->name[i],
				   i || g->p->kind != TEXT_SSHARE ? cell[i] : fsi_span_trim(cell[i])))
			return false;
		/* the cell goes on where a blank has to be */
		if (g->fixed && g->to[i] < row->len && row->s[g->to[i]] != ' ')
			return false;
		if (spaced && g->to[i] && g->to[i] < row->len && row->s[g->to[i]] != ' ' && row->s[g->to[i] - 1] != ' ')
			return false;
	}
	return true;
}

static void take_row(struct fsi_text_grid *g, struct fsi_text_piece *p, const struct fsi_text_line *row)
{
	struct fsi_text_table *table = p->table;
	struct fsi_span *cell = table->cell + table->rows * table->columns;
	const struct fsi_span line = { row->s, row->len };
	const bool placed = by_place(g, table, row, cell);

	if (row->cut || (!placed && !by_words(table, p->kind, line, cell))) {
		fsi_text_odd(p, row->no);
		return;
	}
	for (size_t i = 0; i < table->columns; i++)
		table->cut[table->rows * table->columns + i] =
			placed ? may_be_cut(g, row, i, cell[i])
			       : cell[i].len >= 8 && !marks_cuts(p->kind, g->word[i]);
	table->no[table->rows++] = row->no;
}

/* `a|b|c`; sshare -p and sacctmgr -p end each line with a bar, too. */
static int by_bars(struct fsi_text *t, struct fsi_text_grid *g, struct fsi_text_piece *p)
{
	struct fsi_span rest = fsi_text_line(g->t, p->begin), part;
	size_t n = 0;
	int rc;

	for (size_t i = 0; i < rest.len; i++)
		n += rest.s[i] == '|';
	n = n + 1 < FSI_TEXT_COLUMNS_MAX ? n + 1 : FSI_TEXT_COLUMNS_MAX;
	rc = make_table(t, p, n, p->end - p->begin);
	for (size_t i = 0; i < n && !rc && fsi_span_cut(&rest, '|', &part); i++)
		set_name(p->table, i, fsi_span_trim(part));
	for (size_t i = p->begin + 1; i < p->end && !rc; i++) {
		struct fsi_text_table *table = p->table;
		struct fsi_span *cell = table->cell + table->rows * n;
		size_t k = 0;

		rest = fsi_text_line(g->t, i);
		if (!rest.len || is_dashes(rest))
			continue;
		while (k < n && fsi_span_cut(&rest, '|', &cell[k])) {
			if (k || p->kind != TEXT_SSHARE)
				cell[k] = fsi_span_trim(cell[k]);
			k++;
		}
		if (k < n || rest.len || t->lines.v[i].cut || !fsi_text_fits(p->kind, table->name[0], cell[0])) {
			memset(cell, 0, n * sizeof(*cell));
			fsi_text_odd(p, t->lines.v[i].no);
			continue;
		}
		table->no[table->rows++] = t->lines.v[i].no;
	}
	return rc;
}

int fsi_text_table(struct fsi_text *t, struct fsi_text_piece *p)
{
	struct fsi_text_grid g = { .t = t, .p = p, .wide = fsi_text_widest(t, p) };
	size_t first;
	int rc;

	if (memchr(t->lines.v[p->begin].s, '|', t->lines.v[p->begin].len))
		return by_bars(t, &g, p);
	rc = fsi_text_read_heading(t, &g);
	if (rc > 0) {
		fsi_text_odd(p, t->lines.v[p->begin].no);
		return make_table(t, p, 0, 0);
	}
	first = p->begin + g.folds;
	if (!rc && first + g.folds <= p->end) {
		const struct fsi_span dashes = fsi_text_joined(t, g.wide, first, g.folds),
				      heading = fsi_text_joined(t, g.wide, p->begin, g.folds);

		if (!dashes.s || !heading.s)
			return fsi_nomem(t->err);
		if (is_dashes(dashes)) {
			by_dashes(&g, heading, dashes);
			first += g.folds;
		}
	}
	rc = rc ? rc : fsi_text_collect_rows(t, &g, first);
	if (!rc && !g.fixed && g.n)
		by_blanks(&g);
	rc = rc ? rc : make_table(t, p, g.n, g.rows.n);
	for (size_t i = 0; i < g.n && !rc; i++)
		set_name(p->table, i, g.word[i]);
	for (size_t i = 0; i < g.rows.n && !rc; i++)
		take_row(&g, p, &g.rows.v[i]);
	FSI_VEC_FREE(&g.rows);
	return rc;
}
