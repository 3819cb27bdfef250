/* SVG pictures and HTML documents: bars of priorities, timelines of nodes, forecasts. */
#ifndef PICTURE_PICTURE_H
#define PICTURE_PICTURE_H

#include "cmd.h"
#include "fs/forecast.h"
#include "fs/json.h"
#include "fs/plan.h"
#include "page/page.h"

#include <stddef.h>

/* An SVG picture or HTML document in memory, freed by markup_free_text or markup_save_file. All text that is not markup
 * is escaped. */
struct markup {
	char *text; /* NUL-terminated */
	size_t len, cap;
	bool failed; /* out of memory: the document is incomplete */
	double width, height; /* size of the last picture that was begun, in pixels */
	/* titles begin with the commands of --if that were applied to `state`; NULL: titles show no commands */
	const fs_snapshot *state;
};

void markup_free_text(struct markup *v);

/* Writes the document to the file and frees the document. Returns the exit status; errors are reported. */
int markup_save_file(const struct invocation *inv, struct markup *v, const char *file);

/* An SVG picture in memory consists of rectangles, lines and text. Colors are classes of a style sheet that follows
 * the reader's light or dark color scheme. The picture needs no script, font or network. Lengths are in pixels,
 * measured from the upper left corner. The functions escape all text. */

/* SVG_SERIES: number of colors for series, the numbered parts of a picture. Series 0 to 8 have a color each; later
 * series repeat the colors. */
enum { SVG_SERIES = 9, SVG_CHAR = 8 /* width of a character in pixels, rounded up */, SVG_LINE = 20 };

enum svg_role {
	SVG_INK,   /* color of text and main lines */
	SVG_FAINT, /* fainter color of scales, notes and less important bars */
	SVG_GRID,  /* color of grid lines and background areas */
	SVG_ON,	   /* color of text on a rectangle that has the color SVG_FAINT or the color of a series */
	SVG_SERIES_0 /* color of series 0; svg_get_series returns the color of any series */
};
enum svg_anchor { SVG_START, SVG_MIDDLE, SVG_END };

/* Begins a picture with its own style sheet. Screen readers announce the title and the description. */
void svg_begin_picture(struct markup *v, double width, double height, const char *title, const char *description);
void svg_end_picture(struct markup *v);

enum svg_role svg_get_series(size_t i);

/* Draws a rectangle; nothing if its width or height is not positive. `tooltip`: text shown when the reader points at
 * the rectangle; NULL: none. */
void svg_draw_rectangle(struct markup *v, double x, double y, double width, double height, enum svg_role role,
			const char *tooltip);
void svg_draw_line(struct markup *v, double x1, double y1, double x2, double y2, enum svg_role role);
/* Draws text. `y`: y coordinate of the baseline. Text longer than `columns` characters is cut and ends with an
 * ellipsis; `columns` 0: never cut. */
void svg_draw_text(struct markup *v, double x, double y, enum svg_anchor anchor, enum svg_role role, size_t columns,
		   const char *text);

/* A job's priority, drawn as a bar with one segment for the points of each factor. Segments with negative points are to
 * the left of zero. */
struct bars_row {
	const char *name;
	const struct fs_prio_term *terms;
	size_t n;
	double priority; /* the priority printed at the end of the bar; NAN: unknown */
	/* who set the priority instead of the factors: "an administrator"; NULL: the factors give the priority */
	const char *set_by;
	bool marked;	 /* the row is highlighted */
};

/* Draws n rows of bars with a scale of points and a legend beside them. `inside`: the picture is part of an HTML
 * document or of another picture; it has neither a style sheet nor a title of its own. */
void svg_draw_priority_bars(struct markup *v, const struct bars_row *rows, size_t n, bool inside);

/* Every factor has one color. It has this color in all pictures, on all screens, and for all schedulers. */
enum { FACTOR_COLOURS = 9 };

/* Returns the color (0-based) of a priority term by its name; a part after a slash is ignored. Returns FACTOR_COLOURS
 * if the term has no color. */
size_t get_factor_colour(const char *term);

/* Begins a self-contained HTML document: it has no script, loads nothing, and follows the reader's light or dark color
 * scheme. */
void html_begin_document(struct markup *v, const char *title);
/* Adds the lines of an HTML page to the document, beginning with line `from` (0-based). Returns the number of lines of
 * the page. */
size_t html_add_page_lines(struct markup *v, const struct page *p, size_t from);
void html_end_document(struct markup *v);

/* A bar of a timeline. It shows the time during which a running job occupies a node (until the job's time limit), or
 * during which a planned job will occupy the node. A timeline is a chart that has a lane (a band of rows) for each
 * node. */
struct timeline_bar {
	/* `lane`: number of the node's lane. `level`: row of the chart within the lane; bars that overlap in time are
	 * in different rows */
	uint32_t lane, level;
	uint32_t job_row;
	int64_t from, to; /* begin and end of the bar, seconds since the epoch, within the range of the timeline */
	bool running;
};

struct timeline {
	struct timeline_bar *bar; /* all bars, sorted by lane, then by begin */
	size_t n, cap;
	const char **lane; /* lane[i]: name of the node that lane i shows; the strings belong to the plan */
	uint32_t *levels;  /* levels[i]: number of levels (rows) of lane i */
	size_t lanes, nodes; /* `lanes`: number of nodes shown; `nodes`: number of nodes with planned starts */
	int64_t from, to;
};

/* Fills *t with at most max_lanes lanes: the first nodes by name on which jobs are planned to start. If job_row is not
 * FS_NO_ROW, only the nodes of that job's planned start get lanes. Jobs that the viewer may not see are omitted. If
 * nothing is planned, t->lanes is 0. Returns -1 if out of memory, otherwise 0; the caller then calls
 * timeline_free_bars. */
int timeline_make_bars(struct timeline *t, const fs_snapshot *s, const fs_plan *p, const char *viewer, uint32_t job_row,
		       size_t max_lanes);
void timeline_free_bars(struct timeline *t);

/* Draws the timeline with the job of job_row highlighted. `inside`: as in svg_draw_priority_bars. */
void timeline_draw_svg(struct markup *v, const fs_snapshot *s, const struct timeline *t, uint32_t job_row, bool inside);

/* A horizontal scale of time. */
struct time_scale {
	const fs_snapshot *s;
	int64_t from, to;
	double left, width;    /* position in the picture, in pixels */
	double top, bottom;    /* ends of the grid lines */
	double label_y;	       /* baseline of the labels */
};
/* Draws grid lines with labels at round local times: "18:00", "Nov 21". */
void svg_draw_time_scale(struct markup *v, const struct time_scale *a);

/* Returns the smallest round step, in seconds, that divides the time span into at most `ticks` parts. */
int64_t time_choose_step(int64_t span_s, double ticks);
/* Returns the first multiple of the step after `t`, in local time. */
int64_t time_find_tick(const fs_snapshot *s, int64_t t, int64_t step_s);
/* Formats the label of a tick: "14:30", or "Nov 21" at midnight. Returns buf. */
const char *time_format_tick(char buf[24], const fs_snapshot *s, int64_t t);

/* Returns a round step (1, 2 or 5 times a power of 10) that divides the range of values into at most `ticks` parts. */
double value_choose_step(double range, double ticks);

/* The parts of a picture that are drawn below each other. */
struct picture_part {
	const char *caption;
	struct markup picture; /* drawn with `inside` true */
};
/* Adds a figure to an HTML document and frees the part: the caption is a heading above the picture. Adds nothing if the
 * caption is NULL. */
void html_add_figure(struct markup *v, struct picture_part part);

/* Draws the lines of a page and then the parts that have a caption, and frees the parts. */
void svg_draw_parts(struct markup *v, const char *title, const struct page *text, struct picture_part *parts, size_t n);

/* FORECAST_POINTS: maximum number of points of a curve in a text page. FORECAST_EVENT: size of the buffer for the text
 * of an event, in bytes. */
enum { FORECAST_POINTS = 61, FORECAST_EVENT = 1024 };

/* Sets *out to the end time of a forecast. `word`: value of the option --until, such as "+14d" or a time. If `word` is
 * NULL, fs_forecast_default_until sets *out. Returns 0 or an error code of fs_time_parse or
 * fs_forecast_default_until. */
int forecast_parse_until(const fs_snapshot *s, const char *word, int64_t *out, struct fs_error *err);

/* Adds a forecast to the page: the values now and at the end under each assumption, plots of the curves, and a table of
 * events. `account`: the scheduler's word for an account, such as "bank". */
void forecast_add_text(struct page *p, const fs_snapshot *s, const struct fs_eval *e, const fs_forecast *f,
		       const char *account);

/* The quantity that the curves of a forecast show: the priority if `priority` is true, otherwise the fair-share factor
 * if `factor` is true, otherwise usage. */
struct forecast_curve {
	const fs_forecast *f;
	bool priority; /* the job has a priority at some time of the forecast */
	bool factor;
};

/* Reports an error of fs_forecast_compute. Returns the exit status. */
int forecast_report_error(const struct invocation *inv, const struct fs_error *err);

/* Writes the picture of a forecast to an SVG file. Returns the exit status; errors are reported. */
int forecast_save_picture(const struct invocation *inv, const fs_snapshot *s, const struct fs_eval *e,
			  const fs_forecast *f, const char *title, const char *file);

/* Writes a forecast as the value of a JSON key: {"until", "rate", "assumptions": [...], "events": [...]}. */
void forecast_write_json(struct fs_json *j, const fs_snapshot *s, const struct fs_eval *e, const fs_forecast *f);

#endif
