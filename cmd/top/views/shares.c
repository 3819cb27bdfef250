/* The view of the shares: accounts as a tree, or users in a flat list. */
#include "columns/share.h"
#include "dialect/dialect.h"
#include "explain/text.h"
#include "top/list/columns.h"
#include "top/list/parts.h"
#include "top/update/update.h"
#include "top/words/explain.h"

#include <math.h>

/* ---- columns */

static const struct fs_share_row *row_of(const struct data *d, uint32_t i)
{
	return fs_shares_row(d->eval.shares, i);
}

static void get_name(const struct data *d, uint32_t i, struct value *out)
{
	const struct fs_share_row *row = row_of(d, i);

	*out = value_of_text(*row->user ? row->user : row->account);
}

/* The root has no share of a parent. */
static void get_share(const struct data *d, uint32_t i, struct value *out)
{
	const struct fs_share_row *row = row_of(d, i);

	*out = value_of_number(row->parent_row == FS_NO_ROW ? (double)NAN : row->norm_shares);
}

static bool has_children(const struct data *d, uint32_t i)
{
	return i + 1 < data_shares(d) && row_of(d, i + 1)->parent_row == i;
}

static void name_text(const struct model *m, uint32_t i, char *buf, size_t size)
{
	const struct fs_share_row *s = row_of(m->data, i);
	const struct list *l = &m->list[VIEW_SHARES];

	if (l->flat)
		snprintf(buf, size, "%s (%s)", s->user, s->account);
	else
		snprintf(buf, size, "%*s%s%s", (int)(s->depth < 40 ? s->depth : 40), "",
			 *s->user                   ? "  "
			 : has_children(m->data, i) ? (l->closed[i] ? "+ " : "- ")
						    : "  ",
			 *s->user ? s->user : s->account);
}

static unsigned name_room(const struct model *m)
{
	enum { NARROW = 75 };

	return m->cols < NARROW ? 16 : 24;
}

#define OF(column) &share_columns[SHARE_##column]

static const struct view_column columns[] = {
	{ NULL, NOUN(tree_heading), CELL_TEXT, 24, 0, .get = get_name, .text = name_text, .room = name_room,
	  .help = "accounts and, one step deeper, their users; + can be opened, - closed" },
	{ "SHARES", 0, CELL_TEXT, 8, 60, OF(RAW_SHARES), .yields = true },
	{ "SHARE", 0, CELL_FRACTION, 8, 0, OF(NORM_SHARES), .get = get_share },
	{ "USAGE", 0, CELL_FRACTION, 8, 0, OF(EFFECTIVE_USAGE), .yields = true },
	{ "USED", 0, CELL_BAR, 10, 75, OF(EFFECTIVE_USAGE),
	  .help = "usage against share: = used, up to the share at |; # used beyond it; . still free. With flux_range: the "
		  "slice of 0 to 1 that a bank owns, from [ to its factor at o" },
	{ "FAIRSHARE", 0, CELL_FRACTION, 10, 0, .of = OF(FAIRSHARE) },
	{ "LEVELFS", 0, CELL_FRACTION, 9, 70, OF(LEVEL_FS), .yields = true },
	{ "RANK", 0, CELL_WHOLE, 6, 90, .of = OF(RANK) },
	{ "RAWUSAGE", 0, CELL_WHOLE, 12, 100, .of = OF(RAW_USAGE) },
	{ "PARTITION", 0, CELL_TEXT, 10, 110, .of = OF(PARTITION) },
	{ "CLUSTERPART", 0, CELL_FRACTION, 11, 130, .of = OF(NORM_USAGE) },
};

static void value(const struct data *d, uint32_t i, const struct view_column *c, struct value *out)
{
	if (c->get)
		c->get(d, i, out);
	else
		column_value(c->of, NULL, row_of(d, i), out);
}

/* ---- bars */

static unsigned range_cell(const struct bar *b, double v)
{
	return (unsigned)lround(fmin(fmax(v, 0), 1) * (b->width - 1));
}

/* Draws the slice of 0 to 1 that a bank owns, from [ to its factor at o; for a user the factor alone. */
static void range_bar(struct grid *g, const struct bar *b, const struct fs_share_row *s)
{
	unsigned from, at;

	if (isnan(s->fairshare))
		return;
	at = range_cell(b, s->fairshare);
	from = *s->user || isnan(s->low) ? at : range_cell(b, s->low);
	if (from < at) {
		grid_fill(g, b->x + from, b->y, at - from, '=', ATTR_UP);
		grid_fill(g, b->x + from, b->y, 1, '[', ATTR_UP);
	}
	grid_fill(g, b->x + at, b->y, 1, 'o', ATTR_STRONG);
}

static void bar(const struct model *m, struct grid *g, const struct bar *b, uint32_t i)
{
	enum { NONE, LEFT, USED, OVER }; /* parts of a bar: the share not used, used, and what is used beyond it */
	static const char *const letters[] = { " ", ".", "=", "#" },
				 *const blocks[] = { " ", "\xe2\x96\x91", "\xe2\x96\x88", "\xe2\x96\x93" };
	const struct fs_share_row *s = row_of(m->data, i);
	const double width = b->width;

	if (fs_shares_has_ranges(m->data->eval.shares)) {
		range_bar(g, b, s);
		return;
	}
	if (isnan(s->norm_shares) || isnan(s->effective_usage) || s->parent_row == FS_NO_ROW)
		return;
	for (unsigned k = 0; k < b->width; k++) {
		const double at = (k + 0.5) / width;
		const bool used = at < s->effective_usage, owned = at < s->norm_shares;
		const char *const *sign = g->blocks ? blocks : letters;

		grid_text(g, b->x + k, b->y, 1, sign[used ? (owned ? USED : OVER) : owned ? LEFT : NONE],
			  used && !owned ? ATTR_DOWN : ATTR_UP);
	}
	if (s->norm_shares < 1)
		grid_fill(g, b->x + (unsigned)(s->norm_shares * width), b->y, 1, '|', ATTR_STRONG);
}

/* ---- rows */

static const char *trouble(const struct data *d)
{
	return d->eval.shares ? NULL : d->eval.shares_error.message;
}

static bool contains(const struct data *d, uint32_t i, const char *text)
{
	const struct fs_share_row *row = row_of(d, i);

	return text_contains(row->user, text) || (!*row->user && text_contains(row->account, text));
}

static uint32_t find(const struct data *d, const struct data *old, uint32_t i)
{
	return d->eval.shares ? tree_find(d, row_of(old, i), i) : FS_NO_ROW;
}

/* ---- texts */

static void subject(const struct data *d, uint32_t i, char *buf, size_t size)
{
	const struct fs_share_row *row = row_of(d, i);

	snprintf(buf, size, "%s%s%s", row->account, *row->user ? " " : "", row->user);
}

static int page(struct page *p, struct explain_view *v, const struct data *d, const struct words_request *q)
{
	const struct fs_share_row *row = row_of(d, q->row);
	const uint32_t window = explain_window(d, row);

	if (!v->from->shares && window != FS_NO_ROW && q->forecast)
		return explain_credential_forecast_text(p, v, window);
	if (!v->from->shares && window != FS_NO_ROW)
		explain_credential_text(p, v, window);
	if (!v->from->shares)
		return 0;
	if (q->forecast)
		return explain_rows_forecast_text(p, v, &row->row, 1);
	return *row->user ? explain_user_text(p, v, row->user, row->account) : explain_account_text(p, v, row->row);
}

/* ---- keys */

enum branch { BRANCH_CLOSE, BRANCH_OPEN, BRANCH_TURN };

/* Opens or closes the branch; closing a closed branch or a user selects the account above. */
static void set_branch(struct model *m, enum branch to)
{
	struct list *l = update_list(m);
	const uint32_t row = list_selected(l);
	const struct fs_share_row *share;

	if (row == FS_NO_ROW || l->flat)
		return;
	share = row_of(m->data, row);
	if (*share->user || (to == BRANCH_CLOSE && l->closed[row])) {
		if (to == BRANCH_CLOSE && share->parent_row != FS_NO_ROW)
			list_select(l, share->parent_row);
		return;
	}
	l->closed[row] = to == BRANCH_TURN ? !l->closed[row] : to == BRANCH_CLOSE;
	update_refresh(m, l, false);
}

static bool act(struct model *m, enum action a)
{
	struct list *l = update_list(m);

	switch (a) {
	case ACT_LEFT:
	case ACT_RIGHT:
		if (l->flat)
			return false;
		set_branch(m, a == ACT_RIGHT ? BRANCH_OPEN : BRANCH_CLOSE);
		return true;
	case ACT_OPEN:
	case ACT_CLOSE:
		set_branch(m, a == ACT_OPEN ? BRANCH_OPEN : BRANCH_CLOSE);
		return true;
	case ACT_TAG:
		set_branch(m, BRANCH_TURN);
		return true;
	case ACT_TREE:
		l->flat = !l->flat;
		update_refresh(m, l, false);
		return true;
	default:
		return false;
	}
}

const struct view_ops view_shares = {
	.name = "shares",
	.tab = "Shares",
	.column = columns,
	.columns = sizeof(columns) / sizeof(*columns),
	.fixed = 1,
	.forecasts = true,
	.none = "there is nothing here",
	.trouble = trouble,
	.value = value,
	.bar = bar,
	.contains = contains,
	.order = tree_order,
	.find = find,
	.carry = tree_carry,
	.pane = explain_share,
	.subject = subject,
	.page = page,
	.act = act,
};
