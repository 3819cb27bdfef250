/* A picture as SVG, made in memory: rectangles, lines and text that stays text. Its colours are classes of a style
 * sheet that follows the reader's light or dark surroundings; it needs no script, no font and no network. Lengths are
 * in pixels of the picture, from its upper left corner. Every text is made harmless and escaped here. */
#ifndef PICTURE_SVG_H
#define PICTURE_SVG_H

#include "picture/markup.h"

/* Series 0 to 9 each have a colour of their own; more begin again. */
enum { SVG_SERIES = 10, SVG_CHAR = 8 /* pixels that a column of text takes, at most */, SVG_LINE = 20 };

enum svg_role {
	SVG_INK,   /* text, and lines that matter */
	SVG_FAINT, /* what stands beside it: scales, notes */
	SVG_GRID,  /* lines and fills of the background */
	SVG_ON,	   /* text on a rectangle of a series or of SVG_FAINT */
	SVG_SERIES_0 /* and nine behind it */
};
enum svg_anchor { SVG_START, SVG_MIDDLE, SVG_END };

/* The title and the description are what a screen reader says of it. */
void svg_begin(struct markup *v, double width, double height, const char *title, const char *description);
void svg_end(struct markup *v);

/* The same as an element of an HTML document, whose style sheet has svg_style. */
void svg_begin_inside(struct markup *v, double width, double height, const char *title, const char *description);
void svg_style(struct markup *v);

enum svg_role svg_series(size_t i);

/* tip: what is shown when somebody points at it; NULL nothing. Nothing is drawn of no width. */
void svg_rect(struct markup *v, double x, double y, double width, double height, enum svg_role role, const char *tip);
void svg_stroke(struct markup *v, double x1, double y1, double x2, double y2, enum svg_role role);
/* y: the line it stands on. columns: what is longer is cut and ends in an ellipsis; 0 never. */
void svg_text(struct markup *v, double x, double y, enum svg_anchor anchor, enum svg_role role, size_t columns,
	      const char *text);

#endif
