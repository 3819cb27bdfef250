/* A picture as SVG, made in memory: rectangles, lines and text that stays text. Its colours are classes of a style sheet
 * that follows the reader's light or dark surroundings; it needs no script, no font and no network. Lengths are in
 * pixels of the picture, from its upper left corner. Every text is made harmless and escaped here. */
#ifndef SVG_H
#define SVG_H

#include "cmd.h"

struct svg {
	char *text; /* with a NUL behind it */
	size_t len, cap;
	bool failed; /* out of memory: the picture is not whole */
};

/* Series 0 to 9 each have a colour of their own; more begin again. */
enum { SVG_SERIES = 10, SVG_CHAR = 8 /* pixels that a column of text takes, at most */, SVG_LINE = 20 };

enum svg_role {
	SVG_INK,   /* text, and lines that matter */
	SVG_FAINT, /* what stands beside it: scales, notes */
	SVG_GRID,  /* lines and fills of the background */
	SVG_SERIES_0 /* and nine behind it */
};
enum svg_anchor { SVG_START, SVG_MIDDLE, SVG_END };

/* The title and the description are what a screen reader says of it. */
void svg_begin(struct svg *v, double width, double height, const char *title, const char *description);
void svg_end(struct svg *v);
void svg_free(struct svg *v);

enum svg_role svg_series(size_t i);

/* tip: what is shown when somebody points at it; NULL nothing. Nothing is drawn of no width. */
void svg_rect(struct svg *v, double x, double y, double width, double height, enum svg_role role, const char *tip);
void svg_stroke(struct svg *v, double x1, double y1, double x2, double y2, enum svg_role role);
/* y: the line it stands on. columns: what is longer is cut and ends in an ellipsis; 0 never. */
void svg_text(struct svg *v, double x, double y, enum svg_anchor anchor, enum svg_role role, size_t columns, const char *text);

/* Into the file, and released; exit status, what went wrong being reported. */
int svg_save(const struct invocation *inv, struct svg *v, const char *file);

#endif
