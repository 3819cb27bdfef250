/* What flux-accounting prints in columns: tables between bars, and the tree of view-bank -t, plain or with -P. */
#include "import/text/flux/flux.h"
#include "import/text/page/grid.h"

#include <string.h>

enum { FOLDS_MAX = 6 };

static bool is_rule(struct fsi_span line)
{
	size_t dashes = 0;

	for (size_t i = 0; i < line.len; i++) {
		if (line.s[i] != '-' && line.s[i] != '+')
			return false;
		dashes += line.s[i] == '-';
	}
	return dashes > 0;
}

/* ---- `bank | shares`, under them a rule, and each row with its bars in the same places */

struct table {
	struct fsi_text *t;
	size_t wide, folds, n;
	size_t bar[FSI_TEXT_COLUMNS_MAX];
	struct fsi_kv row;
};

static size_t bars_of(struct fsi_span line, size_t *at)
{
	size_t n = 0;

	for (size_t i = 0; i < line.len && n < FSI_TEXT_COLUMNS_MAX - 1; i++)
		if (line.s[i] == '|')
			at[n++] = i;
	return n;
}

/* Cuts a line into cells, of which there is one more than bars. */
static size_t cut_cells(struct fsi_span line, struct fsi_span *cell, size_t max)
{
	struct fsi_span part;
	size_t n = 0;

	while (n < max && fsi_span_cut(&line, '|', &part))
		cell[n++] = fsi_span_trim(part);
	return n;
}

static bool same_bars(const struct table *x, struct fsi_span line)
{
	size_t at[FSI_TEXT_COLUMNS_MAX];

	if (bars_of(line, at) != x->n - 1)
		return false;
	return x->folds == 1 || !memcmp(at, x->bar, (x->n - 1) * sizeof(*at));
}

static int read_heading(struct table *x, const struct fsi_text_piece *p, size_t *first)
{
	struct fsi_span heading, last;
	size_t rule = p->begin + 1;

	while (rule < p->end && rule - p->begin <= FOLDS_MAX && !is_rule(fsi_text_line(x->t, rule)))
		rule++;
	x->folds = rule < p->end && is_rule(fsi_text_line(x->t, rule)) ? rule - p->begin : 1;
	*first = rule < p->end && is_rule(fsi_text_line(x->t, rule)) ? rule + x->folds : p->begin + 1;
	heading = fsi_text_joined(x->t, x->wide, p->begin, x->folds);
	if (!heading.s)
		return fsi_nomem(x->t->err);
	x->n = bars_of(heading, x->bar) + 1;
	x->row.n = cut_cells(heading, x->row.key, FSI_KV_MAX);
	last = x->row.n ? x->row.key[x->row.n - 1] : heading;
	if (x->row.n && !fsi_text_is_column(TEXT_FLUX_ROWS, last)) /* the heading is cut in it */
		x->row.n--;
	return 0;
}

int fsi_text_flux_table(struct fsi_text_flux *f, struct fsi_text_piece *p)
{
	struct table x = { .t = f->t, .wide = fsi_text_widest(f->t, p) };
	size_t i;
	int rc = read_heading(&x, p, &i);

	while (i < p->end && !rc) {
		const size_t n = x.folds <= p->end - i ? x.folds : 1;
		const struct fsi_span line = fsi_text_joined(f->t, x.wide, i, n);
		struct fsi_span cell[FSI_TEXT_COLUMNS_MAX];
		const uint32_t no = f->t->lines.v[i].no;
		bool cut;

		if (!line.s)
			return fsi_nomem(f->t->err);
		if (!same_bars(&x, line)) {
			p->odd += fsi_text_line(f->t, i).len > 0 && !is_rule(fsi_text_line(f->t, i));
			i++;
			continue;
		}
		cut = f->t->lines.v[i + n - 1].cut ||
		      (fsi_text_terminal_wide(x.wide) && f->t->lines.v[i + n - 1].len == x.wide);
		i += n;
		cut_cells(line, cell, FSI_TEXT_COLUMNS_MAX);
		memcpy(x.row.value, cell, x.row.n * sizeof(*cell));
		if (cut && x.row.n == x.n)
			x.row.value[x.n - 1].len = 0;
		rc = fsi_text_flux_row(f, &x.row, no);
		p->taken += !rc;
		p->odd += rc > 0;
		rc = rc > 0 ? 0 : rc;
	}
	return rc;
}

/* ---- view-bank -t: each level is indented by one; a bank has no user and no fair share */

enum { DEPTH_MAX = 128, TREE_COLUMNS = 6 };
static const char *const tree_names[TREE_COLUMNS] = { "bank", "username", "active", "shares", "job_usage", "fairshare" };
static const char *const tree_headings[TREE_COLUMNS] = { "Bank", "Username", "Active", "RawShares", "RawUsage", "Fairshare" };

struct tree {
	struct fsi_text_flux *f;
	size_t column[TREE_COLUMNS], columns; /* columns of the heading, as far as they are whole */
	size_t wide, indent, depth;
	struct fsi_span bank[DEPTH_MAX];
	bool bars;
};

static size_t split(const struct tree *x, struct fsi_span line, struct fsi_span *cell, size_t max)
{
	struct fsi_span part;
	size_t n = 0;

	if (x->bars)
		return cut_cells(line, cell, max);
	while (n < max && fsi_span_cut(&line, ' ', &part))
		if (part.len)
			cell[n++] = part;
	return n;
}

static void read_tree_heading(struct tree *x, struct fsi_span line)
{
	struct fsi_span cell[TREE_COLUMNS];
	const size_t n = split(x, line, cell, TREE_COLUMNS);

	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < TREE_COLUMNS; k++)
			if (cell[i].len == strlen(tree_headings[k]) &&
			    !memcmp(cell[i].s, tree_headings[k], cell[i].len) && x->columns == i)
				x->column[x->columns++] = k;
}

/* Puts the cells into their columns. A bank of the plain tree has one word less, the user's; the third word tells:
 * true, false, or without that column a whole number. */
static bool place(const struct tree *x, const struct fsi_span *cell, size_t n, struct fsi_span *value)
{
	const bool active = x->columns > 2 && x->column[2] == 2;
	bool bank = false;

	if (!x->bars && active)
		bank = n > 1 && (fsi_span_is(cell[1], "true") || fsi_span_is(cell[1], "false"));
	else if (!x->bars)
		bank = n > 1 && n < x->columns;
	for (size_t i = 0, at = 0; i < x->columns; i++) {
		const size_t k = x->column[i];

		if (bank && k == 1)
			continue;
		if (at < n)
			value[k] = cell[at++];
	}
	if (active && !fsi_span_is(value[2], "true") && !fsi_span_is(value[2], "false"))
		return false;
	for (size_t k = 3; k < TREE_COLUMNS; k++)
		if (value[k].len && !fsi_text_number(value[k], k > 3))
			return false;
	return value[0].len > 0;
}

/* Takes a row in its place in the tree: its parent is the bank before it that stands one further left. */
static int take_row(struct tree *x, struct fsi_span *value, size_t depth, uint32_t no)
{
	struct fsi_kv row = { .n = 0 };

	for (size_t k = 0; k < TREE_COLUMNS; k++)
		if (value[k].len) {
			row.key[row.n] = fsi_span_of(tree_names[k]);
			row.value[row.n++] = value[k];
		}
	if (!value[1].len && depth < DEPTH_MAX) {
		if (depth && depth <= x->depth) {
			row.key[row.n] = fsi_span_of("parent_bank");
			row.value[row.n++] = x->bank[depth - 1];
		}
		x->bank[depth] = value[0];
		x->depth = depth + 1;
	}
	return fsi_text_flux_row(x->f, &row, no);
}

/* What stood last in a line that was cut is not taken for a number. */
static void drop_cut(const struct tree *x, const struct fsi_text_line *l, struct fsi_span *value)
{
	if (!l->cut && !(fsi_text_terminal_wide(x->wide) && l->len == x->wide && x->bars))
		return;
	for (size_t k = TREE_COLUMNS; k-- > 1;)
		if (value[k].len) {
			value[k].len = 0;
			return;
		}
}

int fsi_text_flux_tree(struct fsi_text_flux *f, struct fsi_text_piece *p)
{
	const struct fsi_span heading = fsi_text_line(f->t, p->begin), trimmed = fsi_span_trim(heading);
	struct tree x = { .f = f, .wide = fsi_text_widest(f->t, p), .indent = (size_t)(trimmed.s - heading.s),
			  .bars = memchr(heading.s, '|', heading.len) };
	int rc = 0;

	read_tree_heading(&x, heading);
	for (size_t i = p->begin + 1; i < p->end && !rc; i++) {
		const struct fsi_span line = fsi_text_line(f->t, i), v = fsi_span_trim(line);
		struct fsi_span cell[TREE_COLUMNS] = { { NULL, 0 } }, value[TREE_COLUMNS] = { { NULL, 0 } };
		const size_t n = split(&x, line, cell, TREE_COLUMNS), indent = (size_t)(v.s - line.s);

		if (!v.len || indent < x.indent || !place(&x, cell, n, value)) {
			p->odd += v.len > 0;
			x.depth = v.len ? 0 : x.depth;
			continue;
		}
		drop_cut(&x, &f->t->lines.v[i], value);
		rc = take_row(&x, value, indent - x.indent, f->t->lines.v[i].no);
		rc = rc > 0 ? 0 : rc;
		p->taken++;
	}
	return rc;
}
