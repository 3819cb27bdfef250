/* SVG pictures and HTML documents: share bars, timelines, forecasts. */
#ifndef PICTURE_PICTURE_H
#define PICTURE_PICTURE_H

#include "cmd.h"
#include "fs/forecast.h"
#include "fs/json.h"
#include "fs/plan.h"
#include "page/page.h"

#include <stddef.h>

/* A document of elements, made in memory: SVG or HTML. Text that is not our own goes in through markup_escaped
 * alone. */

struct markup {
	char *text; /* with a NUL behind it */
	size_t len, cap;
	bool failed; /* out of memory: the document is not whole */
	const fs_snapshot *state; /* titles name the commands that were given to it; NULL: none were */
};

void markup_free(struct markup *v);

/* Into the file, and released; exit status, what went wrong being reported. */
int markup_save(const struct invocation *inv, struct markup *v, const char *file);

/* A picture as SVG, made in memory: rectangles, lines and text that stays text. Its colours are classes of a style
 * sheet that follows the reader's light or dark surroundings; it needs no script, no font and no network. Lengths are
 * in pixels of the picture, from its upper left corner. Every text is made harmless and escaped here. */

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

enum svg_role svg_series(size_t i);

/* tip: what is shown when somebody points at it; NULL nothing. Nothing is drawn of no width. */
void svg_rect(struct markup *v, double x, double y, double width, double height, enum svg_role role, const char *tip);
void svg_stroke(struct markup *v, double x1, double y1, double x2, double y2, enum svg_role role);
/* y: the line it stands on. columns: what is longer is cut and ends in an ellipsis; 0 never. */
void svg_text(struct markup *v, double x, double y, enum svg_anchor anchor, enum svg_role role, size_t columns,
	      const char *text);

/* Priorities as bars: the points of each factor beside each other, those that are taken away to the left of nothing. */

struct bars_row {
	const char *name;
	const struct fs_prio_term *terms;
	size_t n;
	double priority; /* NAN unknown */
	bool marked;	 /* it stands out */
};

/* inside: of an HTML document. */
void bars_draw(struct markup *v, const struct bars_row *rows, size_t n, bool inside);

/* One colour for each factor, the same on every picture and screen and under every scheduler. */

enum { FACTOR_COLOURS = 8 };

/* By the term's name, of which what is behind a slash does not count; FACTOR_COLOURS: it has none. */
size_t factor_colour(const char *term);

/* A document of HTML that stands alone: no script, nothing fetched, light or dark as its reader is. */

void html_begin(struct markup *v, const char *title);
/* The lines of a page of that form, from that one on; returns how many it has now. */
size_t html_page(struct markup *v, const struct page *p, size_t from);
/* Around a picture made inside; caption is a heading above it. */
void html_figure(struct markup *v, const char *caption);
void html_end_figure(struct markup *v);
void html_end(struct markup *v);

/* Who has which nodes when: running jobs up to their limits and planned starts, a lane for each node. */

struct timeline_bar {
	uint32_t lane, level; /* bars of a lane that overlap have levels of their own */
	uint32_t job_row;
	int64_t from, to; /* within the timeline's */
	bool running;
};

struct timeline {
	struct timeline_bar *bar; /* by lane, then by time */
	size_t n, cap;
	const char **lane; /* names of nodes, of the plan */
	uint32_t *levels;  /* of each lane */
	size_t lanes, nodes; /* shown, and how many there would be */
	int64_t from, to;
};

/* The nodes on which jobs are planned to start, at most so many of them, in the order of their names; of a job_row
 * other than FS_NO_ROW the nodes it would start on. Jobs that the viewer may not see are left out. lanes 0: nothing is
 * planned there. -1 without memory; timeline_free it. */
int timeline_make(struct timeline *t, const fs_snapshot *s, const fs_plan *p, const char *viewer, uint32_t job_row,
		  size_t max_lanes);
void timeline_free(struct timeline *t);

/* As a picture; that job stands out. inside: of an HTML document. */
void timeline_draw(struct markup *v, const fs_snapshot *s, const struct timeline *t, uint32_t job_row, bool inside);

/* A forecast as part of a page and of a document. */

/* Points of a curve in the page. */
enum { FORECAST_POINTS = 61, FORECAST_EVENT = 1024 };

/* The end of a forecast from the option's value ("+14d", a time); NULL: as fs_forecast_default_until. Error codes
 * of either. */
int forecast_until(const fs_snapshot *s, const char *word, int64_t *out, struct fs_error *err);

/* Numbers now and at the end under each assumption, the curve, and what happens when. account: what the scheduler calls
 * an account. */
void forecast_text(struct page *p, const fs_snapshot *s, const struct fs_eval *e, const fs_forecast *f,
		   const char *account);

/* The quantity that the curves of a forecast show. */
struct forecast_curve {
	const fs_forecast *f;
	bool priority; /* the job has one at any of the points */
	bool factor;
};

/* The same into a file; exit status, what went wrong being reported. */
int forecast_picture(const struct invocation *inv, const fs_snapshot *s, const struct fs_eval *e, const fs_forecast *f,
		     const char *title, const char *file);

/* The value: {"until", "rate", "assumptions": [...], "events": [...]}. */
void forecast_json(struct fs_json *j, const fs_snapshot *s, const struct fs_eval *e, const fs_forecast *f);

#endif
