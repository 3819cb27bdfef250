/* SVG pictures and HTML documents: bars of priorities, timelines of nodes, forecasts. */
#ifndef PICTURE_PICTURE_H
#define PICTURE_PICTURE_H

#include "cmd.h"
#include "fs/forecast.h"
#include "fs/json.h"
#include "fs/plan.h"
#include "page/page.h"

#include <stddef.h>

/* SVG or HTML document in memory, freed by markup_free_text or markup_save_file. Text from other sources is always
 * escaped. */
struct markup {
	char *text; /* NUL-terminated */
	size_t len, cap;
	bool failed; /* out of memory: the document is incomplete */
	const fs_snapshot *state; /* titles name the commands applied to this snapshot; NULL: none */
};

void markup_free_text(struct markup *v);

/* Writes the document to the file and frees it. Returns the exit status; errors are reported. */
int markup_save_file(const struct invocation *inv, struct markup *v, const char *file);

/* An SVG picture in memory consists of rectangles, lines and text. Colours are classes of a style sheet that follows
 * the reader's light or dark colour scheme. The picture needs no script, font or network. Lengths are in pixels from
 * the upper left corner. All text is escaped here. */

/* Series 0 to 9 each have a colour; later series repeat the colours. */
enum { SVG_SERIES = 10, SVG_CHAR = 8 /* maximum width of a text column in pixels */, SVG_LINE = 20 };

enum svg_role {
	SVG_INK,   /* text and main lines */
	SVG_FAINT, /* secondary text: scales and notes */
	SVG_GRID,  /* lines and fills of the background */
	SVG_ON,	   /* text on a rectangle of a series or of SVG_FAINT */
	SVG_SERIES_0 /* first of SVG_SERIES series */
};
enum svg_anchor { SVG_START, SVG_MIDDLE, SVG_END };

/* Starts a picture. Screen readers announce its title and description. */
void svg_begin_picture(struct markup *v, double width, double height, const char *title, const char *description);
void svg_end_picture(struct markup *v);

enum svg_role svg_get_series(size_t i);

/* Draws a rectangle, unless it is empty. tip: text shown when the reader points at it; NULL: none. */
void svg_draw_rectangle(struct markup *v, double x, double y, double width, double height, enum svg_role role,
			const char *tip);
void svg_draw_line(struct markup *v, double x1, double y1, double x2, double y2, enum svg_role role);
/* Draws text; y is its baseline. A text longer than `columns` is cut and ends with an ellipsis; 0: never cut. */
void svg_draw_text(struct markup *v, double x, double y, enum svg_anchor anchor, enum svg_role role, size_t columns,
		   const char *text);

/* A job's priority as a bar of adjacent segments, one for the points of each factor; negative points extend to the
 * left of zero. */
struct bars_row {
	const char *name;
	const struct fs_prio_term *terms;
	size_t n;
	double priority; /* NAN: unknown */
	bool marked;	 /* the row is highlighted */
};

/* Draws the bars. inside: the picture is part of an HTML document. */
void svg_draw_priority_bars(struct markup *v, const struct bars_row *rows, size_t n, bool inside);

/* Each factor has one colour, which is the same in all pictures, on all screens, and for all schedulers. */
enum { FACTOR_COLOURS = 8 };

/* Returns the colour of a term by its name, without the part after a slash; FACTOR_COLOURS if the term has none. */
size_t get_factor_colour(const char *term);

/* Starts a self-contained HTML document: no script, nothing loaded, light or dark as the reader prefers. */
void html_begin_document(struct markup *v, const char *title);
/* Adds the lines of an HTML page from line `from` on. Returns the number of lines of the page. */
size_t html_add_page_lines(struct markup *v, const struct page *p, size_t from);
/* Starts a figure, whose picture is drawn with `inside`; the caption is a heading above it. */
void html_begin_figure(struct markup *v, const char *caption);
void html_end_figure(struct markup *v);
void html_end_document(struct markup *v);

/* Which jobs occupy which nodes when, one lane per node: running jobs up to their time limits, and planned starts. */
struct timeline_bar {
	uint32_t lane, level; /* overlapping bars of a lane have different levels */
	uint32_t job_row;
	int64_t from, to; /* seconds since the epoch, within the range of the timeline */
	bool running;
};

struct timeline {
	struct timeline_bar *bar; /* ordered by lane, then by time */
	size_t n, cap;
	const char **lane; /* names of the nodes, borrowed from the plan */
	uint32_t *levels;  /* per lane: number of levels */
	size_t lanes, nodes; /* lanes: nodes shown; nodes: nodes that qualify */
	int64_t from, to;
};

/* Sets *t to the lanes of the first max_lanes nodes, by name, on which jobs are planned to start. If job_row is not
 * FS_NO_ROW, only nodes of that job's planned start qualify. Jobs that the viewer may not see are omitted. lanes is 0
 * if nothing is planned. Returns -1 if out of memory; else call timeline_free_bars. */
int timeline_make_bars(struct timeline *t, const fs_snapshot *s, const fs_plan *p, const char *viewer, uint32_t job_row,
		       size_t max_lanes);
void timeline_free_bars(struct timeline *t);

/* Draws the timeline with that job highlighted. inside: the picture is part of an HTML document. */
void timeline_draw_svg(struct markup *v, const fs_snapshot *s, const struct timeline *t, uint32_t job_row, bool inside);

/* maximum number of points of a curve in a text page */
enum { FORECAST_POINTS = 61, FORECAST_EVENT = 1024 };

/* Sets *out to the end of a forecast: parses the option's value ("+14d", a time), or for NULL calls
 * fs_forecast_default_until. Returns an error code of fs_time_parse or fs_forecast_default_until. */
int forecast_parse_until(const fs_snapshot *s, const char *word, int64_t *out, struct fs_error *err);

/* Adds a forecast to the page: the values now and at the end under each assumption, curves, and dated events.
 * account: the scheduler's noun for an account. */
void forecast_add_text(struct page *p, const fs_snapshot *s, const struct fs_eval *e, const fs_forecast *f,
		       const char *account);

/* The quantity that the curves of a forecast show: priority, else factor, else usage. */
struct forecast_curve {
	const fs_forecast *f;
	bool priority; /* the job has a priority at some point */
	bool factor;
};

/* Writes a forecast as SVG to a file. Returns the exit status; errors are reported. */
int forecast_save_picture(const struct invocation *inv, const fs_snapshot *s, const struct fs_eval *e,
			  const fs_forecast *f, const char *title, const char *file);

/* Writes the value of a key: {"until", "rate", "assumptions": [...], "events": [...]}. */
void forecast_write_json(struct fs_json *j, const fs_snapshot *s, const struct fs_eval *e, const fs_forecast *f);

#endif
