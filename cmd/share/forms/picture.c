/* fs-share --ranges --svg: the slices as a picture. */
#include "share/share.h"

#include "picture/svg.h"
#include "render/format.h"

#include <math.h>

enum { NAMES = 26, NAME_WIDTH = NAMES * SVG_CHAR, FACTOR_WIDTH = 70, BAR = 500, TOP = 56, MARGIN = 12, INDENT = 12 };

static double at(double v)
{
	return MARGIN + NAME_WIDTH + FACTOR_WIDTH + fmin(fmax(v, 0), 1) * BAR;
}

static void put_scale(struct markup *v, double bottom)
{
	char number[8];

	for (int i = 0; i <= 10; i += 2) {
		format_text(number, sizeof(number), "%.1f", i / 10.0);
		svg_stroke(v, at(i / 10.0), TOP - 14, at(i / 10.0), bottom, SVG_GRID);
		svg_text(v, at(i / 10.0), TOP - 20, SVG_MIDDLE, SVG_FAINT, 0, number);
	}
}

static void put_row(struct markup *v, const struct share_run *r, const struct fs_share_row *row, double y)
{
	const double indent = fmin(r->rows.indent[row->row], 8) * INDENT;
	const bool user = *row->user;
	char text[64];

	svg_text(v, MARGIN + indent, y + 14, SVG_START, SVG_INK, NAMES - (size_t)indent / SVG_CHAR,
		 user ? row->user : row->account);
	if (isnan(row->fairshare)) {
		svg_text(v, at(0) - MARGIN, y + 14, SVG_END, SVG_FAINT, 0, row->counted ? "?" : "-");
		return;
	}
	format_text(text, sizeof(text), "%.4f", row->fairshare);
	svg_text(v, at(0) - MARGIN, y + 14, SVG_END, SVG_FAINT, 0, text);
	if (user) {
		svg_rect(v, at(row->fairshare) - 2, y + 3, 4, 13, svg_series(1), text);
		return;
	}
	format_text(text, sizeof(text), "%.6f to %.6f", row->low, row->fairshare);
	svg_rect(v, at(row->low), y + 5, at(row->fairshare) - at(row->low), 9, svg_series(0), text);
}

int share_ranges_picture(const struct share_run *r)
{
	const double height = TOP + (double)r->rows.n * SVG_LINE + MARGIN, width = at(1) + 2 * MARGIN;
	struct markup v = { .state = r->snapshot };

	svg_begin(&v, width, height, "Slices of the range from 0 to 1",
		  "One line for each bank and user: a bank's bar is the slice it owns, in which all its members lie; a mark is the "
		  "factor of a user.");
	svg_text(&v, MARGIN, TOP - 20, SVG_START, SVG_FAINT, 0, "bank / user");
	put_scale(&v, height - MARGIN);
	for (size_t i = 0; i < r->rows.n; i++)
		put_row(&v, r, r->rows.v[i], TOP + (double)i * SVG_LINE);
	svg_end(&v);
	return markup_save(r->inv, &v, r->svg);
}
