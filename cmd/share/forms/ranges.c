/* The picture of `fs-share --ranges`: every node's slice of 0 to 1 as a bar. */
#include "share/share.h"

#include "render/emit.h"
#include "render/format.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { FACTOR_WIDTH = 8, FRAME = 2, BAR_MIN = 11, BAR_MAX = 201, NAME_MIN = 8, WIDTH_DEFAULT = 80 };

/* What a bar is drawn with. */
struct pen {
	const char *frame, *start, *slice, *at, *empty;
};

static const struct pen ascii = { "|", "[", "=", "o", " " };
static const struct pen unicode = { "\xe2\x94\x82", "\xe2\x94\x9c", "\xe2\x94\x80", "\xe2\x97\x8f", " " };

struct sheet {
	const struct pen *pen;
	unsigned name, bar; /* widths */
};

static unsigned terminal_width(void)
{
	const char *columns = getenv("COLUMNS");
	struct winsize w;
	long n;

	if (isatty(1) && !ioctl(1, TIOCGWINSZ, &w) && w.ws_col)
		return w.ws_col;
	n = columns ? strtol(columns, NULL, 10) : 0;
	return n > 0 && n < 10000 ? (unsigned)n : WIDTH_DEFAULT;
}

/* ---- order ---- */

/* Orders siblings from the most under-served, by shares over usage: factors may round to the same number. */
static int by_need(const void *x, const void *y, const void *ctx)
{
	const struct fs_share_row *a = *(const struct fs_share_row *const *)x,
				  *b = *(const struct fs_share_row *const *)y;

	(void)ctx;
	if (a->parent_row != b->parent_row)
		return a->parent_row > b->parent_row ? 1 : -1;
	if (a->fairshare != b->fairshare && !isnan(a->fairshare) && !isnan(b->fairshare))
		return a->fairshare > b->fairshare ? -1 : 1;
	if (isnan(a->fairshare) != isnan(b->fairshare))
		return isnan(a->fairshare) ? 1 : -1;
	if (a->level_fs != b->level_fs && !isnan(a->level_fs) && !isnan(b->level_fs))
		return a->level_fs > b->level_fs ? -1 : 1;
	return (a->row > b->row) - (a->row < b->row);
}

/* ---- bars ---- */

static unsigned cell(const struct sheet *s, double v)
{
	return (unsigned)lround(fmin(fmax(v, 0), 1) * (s->bar - 1));
}

static void draw(const struct sheet *s, const struct fs_share_row *row)
{
	const bool known = !isnan(row->fairshare);
	const unsigned at = known ? cell(s, row->fairshare) : 0;
	const unsigned from = known && !*row->user ? cell(s, row->low) : at;
	const bool root = row->parent_row == FS_NO_ROW;

	emit_text(s->pen->frame);
	for (unsigned i = 0; i < s->bar; i++)
		if (!known || i < from || i > at)
			emit_text(s->pen->empty);
		else if (root)
			emit_text(s->pen->slice);
		else
			emit_text(i == at     ? s->pen->at
			      : i == from ? s->pen->start
					  : s->pen->slice);
	emit_line(s->pen->frame);
}

/* Counts characters: names are UTF-8. */
static size_t length(const char *s)
{
	size_t n = 0;

	for (; *s; s++)
		n += (*s & 0xc0) != 0x80;
	return n;
}

/* Prints a name, padded to the width, or cut to it with '+' as last character. */
static void print_name(const char *s, unsigned width)
{
	size_t left = length(s) > width ? width - 1 : width, n = 0;
	const bool cut = length(s) > width;

	for (; s[n] && left; left--)
		do
			n++;
		while ((s[n] & 0xc0) == 0x80);
	emit_cut(stdout, s, n);
	emit("%*s", cut ? 1 : (int)left, cut ? "+" : "");
}

static void label(const struct fs_share_row *row, const unsigned *indent, char *buf, size_t size)
{
	const unsigned n = indent[row->row] < 100 ? indent[row->row] : 100;

	memset(buf, ' ', n);
	text_visible(buf + n, size - n, *row->user ? row->user : row->account);
}

/* Prints the numbers over the bar, as many as there is room for; each ends at its point. */
static void print_scale(const struct sheet *s)
{
	const unsigned step = s->bar >= 44 ? 1 : s->bar >= 23 ? 2 : s->bar >= 11 ? 5 : 10;
	char line[BAR_MAX + 8], number[8];

	memset(line, ' ', sizeof(line));
	for (unsigned tenth = 0; tenth <= 10; tenth += step) {
		const unsigned at = FRAME / 2 + cell(s, tenth / 10.0);

		format_text(number, sizeof(number), "%.1f", tenth / 10.0);
		memcpy(line + (tenth == 10 ? at - 1 : at), number, 3);
	}
	line[s->bar + FRAME + 1] = '\0';
	for (size_t n = strlen(line); n && line[n - 1] == ' ';)
		line[--n] = '\0';
	print_name("bank / user", s->name);
	emit("%*s  %s\n", FACTOR_WIDTH, "factor", line);
}

static void print_row(const struct sheet *s, const struct fs_share_row *row, const unsigned *indent)
{
	char name[600];

	label(row, indent, name, sizeof(name));
	print_name(name, s->name);
	if (isnan(row->fairshare))
		emit("%*s  ", FACTOR_WIDTH, row->counted ? "?" : "-");
	else
		emit("%*.4f  ", FACTOR_WIDTH, row->fairshare);
	draw(s, row);
}

static void print_legend(const struct sheet *s, enum fs_position position)
{
	static const char *const of[] = {
		"2^(-1/weight)", "weight/(1+weight)", "its place among the siblings",
	};

	emit("%s%s%s%s is the slice a bank owns: its members always lie inside it.\n",
	       s->pen->start, s->pen->slice, s->pen->slice, s->pen->at);
	emit("Place in the slice: %s", of[position]);
	emit(position == FS_POSITION_RANK ? ".\n"
					 : "; weight = shares/usage among siblings;\nwho used just his shares, or "
					   "has no siblings, stands in the middle.\n");
}

static struct sheet plan(const struct share_run *r)
{
	const unsigned width = terminal_width();
	struct sheet sheet = { text_utf8() ? &unicode : &ascii, (unsigned)strlen("bank / user"), 0 };
	const unsigned rest = FACTOR_WIDTH + 2 + FRAME;
	unsigned max = width > rest + BAR_MIN + NAME_MIN ? width - rest - BAR_MIN : NAME_MIN;
	char name[600];

	for (size_t i = 0; i < r->rows.n; i++) {
		label(r->rows.v[i], r->rows.indent, name, sizeof(name));
		if (length(name) > sheet.name)
			sheet.name = (unsigned)length(name);
	}
	if (max > width * 2 / 5 && width * 2 / 5 >= NAME_MIN)
		max = width * 2 / 5;
	sheet.name = sheet.name > max ? max : sheet.name;
	sheet.bar = width > sheet.name + rest + BAR_MIN ? width - sheet.name - rest : BAR_MIN;
	sheet.bar = sheet.bar > BAR_MAX ? BAR_MAX : sheet.bar;
	return sheet;
}

int share_ranges(struct share_run *r)
{
	const struct sheet sheet = plan(r);

	if (share_rows_thread(&r->rows, r->shares, by_need))
		return -1;
	if (!r->no_header)
		print_scale(&sheet);
	for (size_t i = 0; i < r->rows.n; i++)
		print_row(&sheet, r->rows.v[i], r->rows.indent);
	if (!r->no_header)
		print_legend(&sheet, r->input.position);
	return EXIT_DONE;
}
