/* Markup in memory, SVG elements, bars of priorities, HTML documents, and timelines of nodes. */
#include "cmd.h"
#include "files/files.h"
#include "fs/scenario.h"
#include "picture/picture.h"
#include "render/text.h"
#include "words/words.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void append_formatted_markup(struct markup *v, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Color number of each kind of term. Kinds with a similar meaning have the same color: 0 time waited, 1 fair share, 2
 * job size, 3 partition, 4 QOS and urgency, 5 resources, 6 account, 7 site, 8 nice. */
static const struct {
	const char *kind;
	unsigned char colour;
} colour_roles[] = {
	{ "age", 0 },	    { "service", 0 }, { "target", 0 }, { "fairshare", 1 }, { "fs", 1 },	   { "jobsize", 2 },
	{ "res", 2 },	    { "queue", 3 },   { "qos", 4 },    { "cred", 4 },	   { "urgency", 4 }, { "tres", 5 },
	{ "partition", 3 }, { "usage", 5 },   { "assoc", 6 },  { "bank", 6 },	   { "site", 7 },  { "nice", 8 },
};

size_t get_factor_colour(const char *term)
{
	const size_t n = strcspn(term, "/");

	for (size_t i = 0; i < sizeof(colour_roles) / sizeof(*colour_roles); i++)
		if (strlen(colour_roles[i].kind) == n && !strncmp(colour_roles[i].kind, term, n))
			return colour_roles[i].colour;
	return FACTOR_COLOURS;
}

static void append_markup_bytes(struct markup *v, const char *s, size_t n)
{
	if (v->len + n + 1 > v->cap) {
		const size_t cap = (v->len + n + 1) * 2;
		char *text = realloc(v->text, cap);

		if (!text) {
			v->failed = true;
			return;
		}
		v->text = text;
		v->cap = cap;
	}
	memcpy(v->text + v->len, s, n);
	v->len += n;
	v->text[v->len] = '\0';
}

/* Appends a constant piece of markup without escaping. */
static void append_own_markup(struct markup *v, const char *markup)
{
	append_markup_bytes(v, markup, strlen(markup));
}

/* Formats markup and appends it without escaping, at most 499 bytes. */
static void append_formatted_markup(struct markup *v, const char *fmt, ...)
{
	char text[500];
	va_list ap;

	va_start(ap, fmt);
	format_args(text, sizeof(text), fmt, ap);
	va_end(ap);
	append_own_markup(v, text);
}

/* Appends the n bytes that text_escape_next returned for one character. Replaces the characters &, <, >, " and ' by XML
 * entities. */
static void append_escaped_character(struct markup *v, const char *step, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const char c = step[i];
		const char *name = c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '"' ? "&quot;" :
				   c == '\'' ? "&#39;" : NULL;

		if (name)
			append_own_markup(v, name);
		else
			append_markup_bytes(v, &c, 1);
	}
}

/* Appends a text with control bytes made visible and markup characters escaped. */
static void append_escaped_text(struct markup *v, const char *text)
{
	char step[TEXT_STEP];

	while (*text) {
		const size_t n = text_escape_next(&text, step);

		append_escaped_character(v, step, n);
	}
}

/* Appends "WHAT IF: COMMAND; COMMAND. ", the beginning of a title, if commands were applied to the snapshot. */
static void append_what_if_prefix(struct markup *v)
{
	const char *command;

	for (size_t i = 0; v->state && (command = fs_snapshot_command(v->state, i)); i++) {
		append_own_markup(v, i ? "; " : "WHAT IF: ");
		append_escaped_text(v, command);
	}
	if (v->state && fs_snapshot_command(v->state, 0))
		append_own_markup(v, ". ");
}

void markup_free_text(struct markup *v)
{
	free(v->text);
	*v = (struct markup){ 0 };
}

static int write_markup_text(const void *text, FILE *to, struct fs_error *err)
{
	const struct markup *v = text;

	if (!stream_write_bytes(to, v->text, v->len))
		return 0;
	*err = (struct fs_error){ .code = FS_EIO, .message = "write error" };
	return FS_EIO;
}

int markup_save_file(const struct invocation *inv, struct markup *v, const char *file)
{
	enum { MODE = 0600 };
	const int status =
		v->failed ? cmd_report_no_memory(inv) : save_output_file(inv, write_markup_text, v, file, MODE);

	markup_free_text(v);
	return status;
}

static size_t count_shown_columns(const char *text)
{
	char step[TEXT_STEP];
	size_t columns = 0;

	while (*text) {
		const size_t n = text_escape_next(&text, step);

		for (size_t i = 0; i < n; i++)
			columns += ((unsigned char)step[i] & 0xc0) != 0x80;
	}
	return columns;
}

static void append_cut_text(struct markup *v, const char *text, size_t columns)
{
	char step[TEXT_STEP];
	size_t left = columns ? columns - 1 : 0;

	if (!columns || count_shown_columns(text) <= columns) {
		append_escaped_text(v, text);
		return;
	}
	while (*text && left) {
		const size_t n = text_escape_next(&text, step);
		size_t width = 0;

		for (size_t i = 0; i < n; i++)
			width += ((unsigned char)step[i] & 0xc0) != 0x80;
		if (width > left)
			break;
		left -= width;
		append_escaped_character(v, step, n);
	}
	append_own_markup(v, "\xe2\x80\xa6");
}

/* ---- drawing: SVG elements and bars of priorities */

/* Appends the style sheet. Any two colors of series have a distance of at least 0.1 in Oklab, also as seen with
 * protanopia and deuteranopia (simulated after Machado, Oliveira and Fernandes), on white and on near black. */
static void append_svg_style(struct markup *v)
{
	static const char *const light[SVG_SERIES] = { "#0072b2", "#d55e00", "#339977", "#bb33ff", "#bbbb77",
						       "#55bbdd", "#773355", "#330000", "#330077" };
	static const char *const dark[SVG_SERIES] = { "#5aaee8", "#f08a3c", "#33ddbb", "#bb0055", "#99ff55",
						      "#bbffff", "#997799", "#997700", "#5555bb" };

	append_own_markup(
		v,
		"svg{background:#fff;font:13px ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace}"
		".ink{fill:#1a1a1a;stroke:#1a1a1a}.faint{fill:#5f5f5f;stroke:#5f5f5f}.grid{fill:#e3e3e3;stroke:#e3e3e3}.on{fill:#fff}"
		"text{stroke:none!important}polyline{fill:none!important;stroke-width:2}");
	for (size_t i = 0; i < SVG_SERIES; i++)
		append_formatted_markup(v, ".s%zu{fill:%s;stroke:%s;stroke-width:2}", i, light[i], light[i]);
	append_own_markup(v,
			  "@media(prefers-color-scheme:dark){svg{background:#16181c}.ink{fill:#ececec;stroke:#ececec}"
			  ".faint{fill:#a8a8a8;stroke:#a8a8a8}.grid{fill:#33363c;stroke:#33363c}.on{fill:#111}");
	for (size_t i = 0; i < SVG_SERIES; i++)
		append_formatted_markup(v, ".s%zu{fill:%s;stroke:%s}", i, dark[i], dark[i]);
	append_own_markup(v, "}");
}

static void open_svg_element(struct markup *v, double width, double height, const char *title, const char *description)
{
	v->width = width;
	v->height = height;
	append_formatted_markup(
		v,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\" role=\"img\">\n",
		width, height, width, height);
	append_own_markup(v, "<title>");
	append_what_if_prefix(v);
	append_escaped_text(v, title);
	append_own_markup(v, "</title>\n<desc>");
	append_escaped_text(v, description);
	append_own_markup(v, "</desc>\n");
}

void svg_begin_picture(struct markup *v, double width, double height, const char *title, const char *description)
{
	append_own_markup(v, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
	open_svg_element(v, width, height, title, description);
	append_own_markup(v, "<style>");
	append_svg_style(v);
	append_own_markup(v, "</style>\n");
}

/* Begins a picture inside an HTML document. The picture has no style sheet of its own; the style sheet of the document
 * applies to it. */
static void begin_embedded_svg(struct markup *v, double width, double height, const char *title,
			       const char *description)
{
	open_svg_element(v, width, height, title, description);
}

void svg_end_picture(struct markup *v)
{
	append_own_markup(v, "</svg>\n");
}

enum svg_role svg_get_series(size_t i)
{
	return (enum svg_role)(SVG_SERIES_0 + i % SVG_SERIES);
}

static const char *get_role_class(enum svg_role role)
{
	static const char *const names[] = { "ink", "faint", "grid", "on", "s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7", "s8" };

	return names[role];
}

/* Ends an SVG element. `tooltip`: becomes the element's <title>; NULL: none. */
static void close_element_with_tooltip(struct markup *v, const char *element, const char *tooltip)
{
	if (!tooltip) {
		append_own_markup(v, "/>\n");
		return;
	}
	append_own_markup(v, "><title>");
	append_escaped_text(v, tooltip);
	append_formatted_markup(v, "</title></%s>\n", element);
}

void svg_draw_rectangle(struct markup *v, double x, double y, double width, double height, enum svg_role role,
			const char *tooltip)
{
	if (!(width > 0) || !(height > 0))
		return;
	append_formatted_markup(
		v,
		"<rect class=\"%s\" stroke=\"none\" style=\"stroke:none\" x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\"",
		get_role_class(role), x, y, width, height);
	close_element_with_tooltip(v, "rect", tooltip);
}

void svg_draw_line(struct markup *v, double x1, double y1, double x2, double y2, enum svg_role role)
{
	append_formatted_markup(v, "<line class=\"%s\" x1=\"%.2f\" y1=\"%.2f\" x2=\"%.2f\" y2=\"%.2f\"/>\n",
				get_role_class(role), x1, y1, x2, y2);
}

void svg_draw_text(struct markup *v, double x, double y, enum svg_anchor anchor, enum svg_role role, size_t columns,
		   const char *text)
{
	static const char *const anchors[] = { "start", "middle", "end" };

	append_formatted_markup(v,
				"<text class=\"%s\" x=\"%.2f\" y=\"%.2f\" text-anchor=\"%s\" xml:space=\"preserve\">",
				get_role_class(role), x, y, anchors[anchor]);
	append_cut_text(v, text, columns);
	append_own_markup(v, "</text>\n");
}

/* Draws the visible title of a picture. It begins with the commands of --if, like the title for screen readers. */
static void draw_picture_title(struct markup *v, const char *title)
{
	append_own_markup(v, "<text class=\"ink\" x=\"12\" y=\"22\" font-weight=\"bold\">");
	append_what_if_prefix(v);
	append_escaped_text(v, title);
	append_own_markup(v, "</text>\n");
}

/* ---- round numbers and times on scales */

double value_choose_step(double range, double ticks)
{
	const double raw = range / ticks, power = pow(10, floor(log10(raw)));

	return power * (raw <= power ? 1 : raw <= 2 * power ? 2 : raw <= 5 * power ? 5 : 10);
}

int64_t time_choose_step(int64_t span_s, double ticks)
{
	static const int64_t steps[] = { 60,    300,   600,   1800,   3600,   7200,    10800,  21600,
					 43200, 86400, 172800, 604800, 1209600, 2419200, 7776000 };
	size_t i = 0;

	while (i + 1 < sizeof(steps) / sizeof(*steps) && (double)steps[i] * ticks < (double)span_s)
		i++;
	return steps[i];
}

int64_t time_find_tick(const fs_snapshot *s, int64_t t, int64_t step_s)
{
	const int64_t offset = fs_snapshot_utc_offset(s, t);

	return ((t + offset) / step_s + 1) * step_s - offset;
}

const char *time_format_tick(char buf[24], const fs_snapshot *s, int64_t t)
{
	const time_t local = (time_t)(t + fs_snapshot_utc_offset(s, t));
	struct tm tm;

	if (!gmtime_r(&local, &tm) || !strftime(buf, 24, local % 86400 ? "%H:%M" : "%b %e", &tm))
		*buf = '\0';
	return buf;
}

void svg_draw_time_scale(struct markup *v, const struct time_scale *a)
{
	enum { TICK_WIDTH = 90, NOW_WIDTH = 40 };
	const int64_t step = time_choose_step(a->to - a->from, a->width / TICK_WIDTH);
	char text[24];

	svg_draw_line(v, a->left, a->top, a->left, a->bottom, SVG_GRID);
	svg_draw_text(v, a->left, a->label_y, SVG_START, SVG_FAINT, 0, "now");
	for (int64_t t = time_find_tick(a->s, a->from, step); t <= a->to; t += step) {
		const double x = a->left + a->width * (double)(t - a->from) / (double)(a->to - a->from);

		svg_draw_line(v, x, a->top, x, a->bottom, SVG_GRID);
		if (x > a->left + NOW_WIDTH)
			svg_draw_text(v, x, a->label_y, x + NOW_WIDTH / 2 > a->left + a->width ? SVG_END : SVG_MIDDLE,
				      SVG_FAINT, 0, time_format_tick(text, a->s, t));
	}
}

/* ---- pictures of several parts */

void svg_draw_parts(struct markup *v, const char *title, const struct page *text, struct picture_part *parts, size_t n)
{
	enum { MARGIN = 12, TOP = 44, CAPTION = 30, WIDTH = 940 };
	double width = WIDTH, height = TOP + SVG_LINE * (double)text->n, y = TOP;

	for (size_t i = 0; i < n; i++) {
		width = fmax(width, parts[i].picture.width);
		height += parts[i].caption ? CAPTION + parts[i].picture.height : 0;
	}
	svg_begin_picture(v, width, height, title, "A summary, and pictures of its causes.");
	draw_picture_title(v, title);
	for (size_t i = 0; i < text->n; i++, y += SVG_LINE)
		svg_draw_text(v, MARGIN, y + 4, SVG_START, SVG_INK, 0, text->lines[i].text);
	for (size_t i = 0; i < n; i++) {
		v->failed = v->failed || parts[i].picture.failed;
		if (!parts[i].caption)
			continue;
		svg_draw_text(v, MARGIN, y + SVG_LINE, SVG_START, SVG_INK, 0, parts[i].caption);
		append_formatted_markup(v, "<g transform=\"translate(0 %.0f)\">\n", y + CAPTION);
		if (parts[i].picture.text)
			append_own_markup(v, parts[i].picture.text);
		append_own_markup(v, "</g>\n");
		y += CAPTION + parts[i].picture.height;
		markup_free_text(&parts[i].picture);
	}
	svg_end_picture(v);
	v->failed = v->failed || text->failed;
}

/* The sign before the note on a priority that was set directly: a black diamond. */
#define SET_MARK "\xe2\x97\x86"

enum {
	BARS_NAMES = 30,
	BARS_LEFT = BARS_NAMES * SVG_CHAR + 24,
	BARS_PLOT = 440,
	BARS_VALUE = 90,
	BARS_TITLE = 28, /* height of the title */
	BARS_TOP = 44,	 /* height of the scale */
	BARS_ROW_HEIGHT = 26,
	BARS_BAR = 18,
	BARS_MARGIN = 12,
	BARS_LEGEND_WIDTH = 136,
	BARS_TICKS = 5
};

struct points_scale {
	double low, high; /* smallest and largest number of priority points that the bars show; `low` is at most 0 */
};

static double get_x_of_points(const struct points_scale *s, double points)
{
	return BARS_LEFT + BARS_PLOT * (points - s->low) / (s->high - s->low);
}

/* Sets *low and *high to the lower and upper end of the row's bar, in points; 0 is always between them. */
static void get_bar_ends(const struct bars_row *r, double *low, double *high)
{
	*low = *high = 0;
	for (size_t t = 0; t < r->n; t++)
		if (isfinite(r->terms[t].points))
			*(r->terms[t].points < 0 ? low : high) += r->terms[t].points;
}

static struct points_scale get_points_scale(const struct bars_row *rows, size_t n)
{
	struct points_scale s = { 0, 0 };

	for (size_t i = 0; i < n; i++) {
		double low, high;

		get_bar_ends(&rows[i], &low, &high);
		s.low = fmin(s.low, low);
		s.high = fmax(s.high, high);
	}
	if (!(s.high > s.low))
		s.high = s.low + 1;
	return s;
}

static enum svg_role get_term_role(const char *term)
{
	const size_t colour = get_factor_colour(term);

	return colour < FACTOR_COLOURS ? svg_get_series(colour) : SVG_FAINT;
}

/* Draws a priority that was set directly: a bar without parts, at most as long as the scale, with a note. */
static void draw_set_priority(struct markup *v, const struct points_scale *s, const struct bars_row *r, double y)
{
	const double end = fmin(isnan(r->priority) ? 0 : r->priority, s->high);
	char text[WORDS];

	svg_draw_rectangle(v, get_x_of_points(s, 0), y, get_x_of_points(s, end) - get_x_of_points(s, 0), BARS_BAR,
			   SVG_GRID, NULL);
	snprintf(text, sizeof(text), "%s set by %s", SET_MARK, r->set_by);
	svg_draw_text(v, get_x_of_points(s, 0) + 6, y + BARS_BAR - 5, SVG_START, SVG_INK, 0, text);
}

static void draw_points_scale(struct markup *v, const struct points_scale *s, double top, double bottom)
{
	const double step = value_choose_step(s->high - s->low, BARS_TICKS);
	char text[WORDS];

	for (double at = ceil(s->low / step) * step; at <= s->high; at += step) {
		svg_draw_line(v, get_x_of_points(s, at), top - 6, get_x_of_points(s, at), bottom, SVG_GRID);
		format_text(text, sizeof(text), "%.0f", at + 0.0);
		svg_draw_text(v, get_x_of_points(s, at), top - 10, SVG_MIDDLE, SVG_FAINT, 0, text);
	}
	svg_draw_text(v, BARS_LEFT - 12, top - 10, SVG_END, SVG_FAINT, 0, "job");
	svg_draw_text(v, BARS_LEFT + BARS_PLOT + 12, top - 10, SVG_START, SVG_FAINT, 0, "points");
}

static void draw_priority_bar(struct markup *v, const struct points_scale *s, const struct bars_row *r, double y)
{
	double low = 0, high = 0;
	char text[3 * WORDS], factor[WORDS];

	svg_draw_text(v, BARS_LEFT - 12, y + BARS_BAR - 5, SVG_END, r->marked ? SVG_INK : SVG_FAINT, BARS_NAMES,
		      r->name);
	if (r->set_by)
		draw_set_priority(v, s, r, y);
	for (size_t t = 0; t < r->n; t++) {
		const double points = r->terms[t].points;
		double *const end = points < 0 ? &low : &high;

		if (!isfinite(points) || points == 0)
			continue;
		format_text(text, sizeof(text), "%s %+.0f", format_factor_name(factor, r->terms[t].name), points);
		svg_draw_rectangle(v, get_x_of_points(s, points < 0 ? *end + points : *end), y,
				   BARS_PLOT * fabs(points) / (s->high - s->low), BARS_BAR,
				   get_term_role(r->terms[t].name), text);
		*end += points;
	}
	if (isnan(r->priority))
		return;
	format_text(text, sizeof(text), "%.0f", r->priority);
	svg_draw_text(v, BARS_LEFT + BARS_PLOT + 12, y + BARS_BAR - 5, SVG_START, r->marked ? SVG_INK : SVG_FAINT, 0,
		      text);
}

static bool has_any_points(const struct bars_row *rows, size_t n, size_t t)
{
	for (size_t i = 0; i < n; i++)
		if (t < rows[i].n && isfinite(rows[i].terms[t].points) && rows[i].terms[t].points != 0)
			return true;
	return false;
}

/* Formats the name of a term without the part after the slash: "TRES" for tres/cpu. All TRES terms have the same color
 * and one entry in the legend. */
static const char *format_term_kind(char buf[WORDS], const char *term)
{
	char *end;

	format_factor_name(buf, term);
	end = strchr(term, '/') ? strpbrk(buf, " /") : NULL;
	if (end)
		*end = '\0';
	return buf;
}

static bool is_kind_listed_before(const struct bars_row *rows, size_t n, const struct bars_row *first, size_t t)
{
	for (size_t k = 0; k < t; k++)
		if (has_any_points(rows, n, k) &&
		    get_term_role(first->terms[k].name) == get_term_role(first->terms[t].name) &&
		    strcspn(first->terms[k].name, "/") == strcspn(first->terms[t].name, "/"))
			return true;
	return false;
}

/* Returns the first row that has terms; NULL: all priorities were set directly. */
static const struct bars_row *find_row_with_terms(const struct bars_row *rows, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (rows[i].n)
			return &rows[i];
	return NULL;
}

/* Draws a legend of the terms that have points in any row. Returns the number of its entries. If `v` is NULL, only
 * counts the entries. `y`: y coordinate of its first line. All rows with terms must have the same terms. */
static size_t draw_factor_legend(struct markup *v, const struct bars_row *rows, size_t n, double y)
{
	const struct bars_row *first = find_row_with_terms(rows, n);
	const double x = BARS_LEFT + BARS_PLOT + BARS_VALUE;
	char text[WORDS];
	size_t k = 0;

	for (size_t t = 0; first && t < first->n; t++) {
		const double at = y + (double)k * SVG_LINE;

		if (!has_any_points(rows, n, t) || is_kind_listed_before(rows, n, first, t))
			continue;
		k++;
		if (!v)
			continue;
		svg_draw_rectangle(v, x, at - 10, 12, 12, get_term_role(first->terms[t].name), NULL);
		svg_draw_text(v, x + 18, at, SVG_START, SVG_INK, (BARS_LEGEND_WIDTH - 24) / SVG_CHAR,
			      format_term_kind(text, first->terms[t].name));
	}
	return k;
}

void svg_draw_priority_bars(struct markup *v, const struct bars_row *rows, size_t n, bool inside)
{
	const struct points_scale s = get_points_scale(rows, n);
	const double top = BARS_TOP + (inside ? 0 : BARS_TITLE), bottom = top + (double)n * BARS_ROW_HEIGHT,
		     legend = top + SVG_LINE * (double)draw_factor_legend(NULL, rows, n, 0);

	(inside ? begin_embedded_svg : svg_begin_picture)(
		v, BARS_LEFT + BARS_PLOT + BARS_VALUE + BARS_LEGEND_WIDTH, fmax(bottom, legend) + BARS_MARGIN,
		"Priorities",
		"One bar for each job: the points of its factors side by side, followed by its priority.");
	if (!inside)
		draw_picture_title(v, "Priorities and their factors");
	draw_points_scale(v, &s, top, bottom);
	for (size_t i = 0; i < n; i++)
		draw_priority_bar(v, &s, &rows[i], top + (double)i * BARS_ROW_HEIGHT);
	draw_factor_legend(v, rows, n, top + 12);
	svg_end_picture(v);
}

static void append_html_style(struct markup *v)
{
	append_own_markup(
		v,
		":root{color-scheme:light dark}"
		"body{margin:0;background:#fff;color:#1a1a1a;font:16px/1.5 system-ui,-apple-system,'Segoe UI',sans-serif}"
		"main{max-width:62rem;margin:0 auto;padding:1rem;overflow-wrap:break-word}"
		"h1{font-size:1.3rem;margin:.5rem 0 1rem}h2{font-size:1rem;margin:1.6rem 0 .4rem;border-bottom:1px solid #ddd}"
		"p{margin:.5rem 0}.labelled{display:grid;grid-template-columns:10rem 1fr;gap:.2rem 1rem}"
		".command{margin:.3rem 0 .3rem 11rem;white-space:pre-wrap}"
		"@media(max-width:40rem){.labelled{display:block}.labelled b{display:block}.command{margin-left:0}}"
		".wide{overflow-x:auto;max-width:100%}.wide svg{display:block;max-width:100%;min-width:44rem;height:auto}"
		"table{border-collapse:collapse;font-variant-numeric:tabular-nums;font-size:.9rem}"
		"th,td{padding:.15rem .8rem .15rem 0;text-align:left;vertical-align:top;white-space:nowrap}"
		"td:last-child:not(.number){white-space:normal;min-width:14rem}"
		"th{font-weight:600;border-bottom:1px solid #bbb}.number{text-align:right}.ruled td{border-top:1px solid #bbb}"
		".total td{font-weight:600}footer{margin-top:2rem;color:#5f5f5f;font-size:.85rem}"
		"@media(max-width:40rem){table{font-size:.68rem;width:100%}tr{display:flex;flex-wrap:wrap}"
		"th,td{flex:1 1 0;padding-right:.4rem;white-space:normal;overflow-wrap:anywhere}"
		"td.number{flex:1.25 1 0;white-space:nowrap}th.number{flex:1.25 1 0}"
		"td:last-child:not(.number):not(:first-child){flex:1 0 100%;color:#5f5f5f}:is(th,td):last-child:empty{display:none}"
		".wide svg{min-width:40rem}}"
		"@media print{body{font-size:10pt}main{max-width:none;padding:0}h1,h2{break-after:avoid}"
		"table,svg,.labelled{break-inside:avoid}.wide{overflow:visible}.wide svg{min-width:0}}"
		"@media(prefers-color-scheme:dark){body{background:#16181c;color:#ececec}h2{border-color:#333}"
		"th,.ruled td{border-color:#555}footer{color:#a8a8a8}}\n");
	append_svg_style(v);
}

void html_begin_document(struct markup *v, const char *title)
{
	append_own_markup(
		v,
		"<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
		"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
		"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>");
	append_what_if_prefix(v);
	append_escaped_text(v, title);
	append_own_markup(v, "</title>\n<style>");
	append_html_style(v);
	append_own_markup(v, "</style>\n</head>\n<body>\n<main>\n");
}

size_t html_add_page_lines(struct markup *v, const struct page *p, size_t from)
{
	v->failed = v->failed || p->failed;
	for (size_t i = from; i < p->n; i++) {
		append_own_markup(v, p->lines[i].text);
		append_own_markup(v, "\n");
	}
	return p->n;
}

void html_add_figure(struct markup *v, struct picture_part part)
{
	v->failed = v->failed || part.picture.failed;
	if (part.caption && part.picture.text) {
		append_own_markup(v, "<h2>");
		append_escaped_text(v, part.caption);
		append_own_markup(v, "</h2>\n<div class=\"wide\">\n");
		append_own_markup(v, part.picture.text);
		append_own_markup(v, "</div>\n");
	}
	markup_free_text(&part.picture);
}

void html_end_document(struct markup *v)
{
	append_own_markup(v, "</main>\n</body>\n</html>\n");
}

enum { MAX_BAR_LEVELS = 12 };

/* ---- lanes of a timeline: one for each node that the picture shows */

static bool is_decimal_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Compares node names for qsort. Digits are compared as numbers: n2 sorts before n10. */
static int compare_node_names(const void *a, const void *b)
{
	const char *x = *(const char *const *)a, *y = *(const char *const *)b;

	while (*x && *y) {
		if (is_decimal_digit(*x) && is_decimal_digit(*y)) {
			char *after_x, *after_y;
			const unsigned long long i = strtoull(x, &after_x, 10), j = strtoull(y, &after_y, 10);

			if (i != j)
				return i < j ? -1 : 1;
			x = after_x;
			y = after_y;
		} else if (*x != *y) {
			break;
		} else {
			x++;
			y++;
		}
	}
	return (unsigned char)*x - (unsigned char)*y;
}

static bool has_planned_nodes(const struct fs_plan_row *row)
{
	return row->visible && row->start_time != FS_UNKNOWN && row->nodes;
}

static size_t collect_planned_nodes(const fs_plan *p, size_t i, const struct fs_plan_row *row, const char **names)
{
	size_t n = 0;

	for (uint32_t k = 0; k < row->nodes; k++) {
		const char *name = fs_plan_node(p, i, k);

		if (name)
			names[n++] = name;
	}
	return n;
}

/* Sorts the names and removes duplicates. Returns the number of names left. */
static size_t sort_unique_names(const char **names, size_t n)
{
	size_t unique = 0;

	if (n)
		qsort(names, n, sizeof(*names), compare_node_names);
	for (size_t i = 0; i < n; i++)
		if (!unique || compare_node_names(&names[unique - 1], &names[i]) != 0)
			names[unique++] = names[i];
	return unique;
}

static int choose_timeline_lanes(struct timeline *t, const fs_plan *p, uint32_t job_row, size_t max_lanes)
{
	struct fs_plan_row row;
	size_t n = 0, capacity = 1;

	for (size_t i = 0; i < fs_plan_count(p); i++) {
		fs_plan_row(p, i, &row);
		capacity += has_planned_nodes(&row) ? row.nodes : 0;
	}
	t->lane = calloc(capacity, sizeof(*t->lane));
	if (!t->lane)
		return -1;
	for (size_t i = 0; i < fs_plan_count(p); i++) {
		fs_plan_row(p, i, &row);
		if (has_planned_nodes(&row) && (job_row == FS_NO_ROW || row.job_row == job_row))
			n += collect_planned_nodes(p, i, &row, t->lane + n);
	}
	t->nodes = sort_unique_names(t->lane, n);
	t->lanes = t->nodes < max_lanes ? t->nodes : max_lanes;
	t->levels = calloc(t->lanes + 1, sizeof(*t->levels));
	return t->levels ? 0 : -1;
}

/* ---- time range of a timeline */

/* Sets t->to. The time from t->from to the last planned start is extended by an eighth, or by a third for the timeline
 * of a single job. The timeline is at least an hour long. */
static void set_timeline_end(struct timeline *t, const fs_plan *p, uint32_t job_row)
{
	int64_t last = t->from;
	struct fs_plan_row row;

	for (size_t i = 0; i < fs_plan_count(p); i++) {
		fs_plan_row(p, i, &row);
		if (has_planned_nodes(&row) && (job_row == FS_NO_ROW || row.job_row == job_row) &&
		    row.start_time > last)
			last = row.start_time;
	}
	t->to = last + (last - t->from) / (job_row == FS_NO_ROW ? 8 : 3);
	if (t->to < t->from + 3600)
		t->to = t->from + 3600;
}

/* ---- bars of a timeline */

struct bar_builder {
	struct timeline *t;
	struct timeline_bar bar;
};

/* Adds a bar if the node `name` has a lane and the bar overlaps the time range. Returns -1 if out of memory. */
static int add_timeline_bar(struct bar_builder *x, const char *name)
{
	struct timeline *t = x->t;
	const char **lane = bsearch(&name, t->lane, t->lanes, sizeof(*t->lane), compare_node_names);

	if (!lane || x->bar.from >= t->to || x->bar.to <= t->from)
		return 0;
	struct timeline_bar *v = array_grow_by_one(t->bar, t->n, &t->cap, sizeof(*v));

	if (!v)
		return -1;
	t->bar = v;
	t->bar[t->n] = x->bar;
	t->bar[t->n].lane = (uint32_t)(lane - t->lane);
	if (x->bar.from < t->from)
		t->bar[t->n].from = t->from;
	if (x->bar.to > t->to)
		t->bar[t->n].to = t->to;
	t->n++;
	return 0;
}

static int add_node_bar(void *ctx, const char *name, size_t len)
{
	char text[256];

	if (len >= sizeof(text))
		return 0;
	memcpy(text, name, len);
	text[len] = '\0';
	return add_timeline_bar(ctx, text) ? 1 : 0;
}

/* Returns the time at which the bar of a running job ends: the job's start time plus its time limit. If the start time
 * or the limit is unknown, or if the job has no limit, the bar ends at the job's recorded end time. If that is unknown
 * too, the bar ends at the end of the timeline. The bar of an overdue job ends at 1 % of the length of the timeline, so
 * that the bar is visible. */
static int64_t get_latest_end(const struct timeline *t, const struct fs_job *j)
{
	const int64_t soon = t->from + (t->to - t->from) / 100;
	const int64_t end = j->request.time_limit_s == FS_UNLIMITED || j->request.time_limit_s == FS_UNKNOWN ||
					    j->times.start == FS_UNKNOWN
				    ? (j->times.end == FS_UNKNOWN ? t->to : j->times.end)
				    : j->times.start + j->request.time_limit_s;

	return end < soon ? soon : end;
}

static int add_running_bars(struct timeline *t, const fs_snapshot *s, const bool *seen)
{
	struct fs_job j;
	int rc = 0;

	for (size_t i = 0; i < fs_snapshot_info(s)->jobs && rc != 1; i++) {
		struct bar_builder x = { t, { .job_row = (uint32_t)i, .running = true } };

		fs_snapshot_job(s, i, &j);
		if (!seen[i] || strcmp(j.state, "RUNNING") != 0)
			continue;
		x.bar.from = t->from;
		x.bar.to = get_latest_end(t, &j);
		rc = fs_hostlist_each(j.node_list, add_node_bar, &x);
	}
	return rc == 1 ? -1 : 0;
}

static int add_planned_bars(struct timeline *t, const fs_plan *p)
{
	struct fs_plan_row row;

	for (size_t i = 0; i < fs_plan_count(p); i++) {
		struct bar_builder x = { t, { 0 } };

		fs_plan_row(p, i, &row);
		if (!has_planned_nodes(&row))
			continue;
		x.bar = (struct timeline_bar){ .job_row = row.job_row, .from = row.start_time,
					       .to = row.end_time == FS_UNKNOWN ? t->to : row.end_time };
		for (uint32_t k = 0; k < row.nodes; k++)
			if (fs_plan_node(p, i, k) && add_timeline_bar(&x, fs_plan_node(p, i, k)))
				return -1;
	}
	return 0;
}

static int compare_bar_lanes(const void *a, const void *b)
{
	const struct timeline_bar *x = a, *y = b;

	if (x->lane != y->lane)
		return x->lane < y->lane ? -1 : 1;
	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	return x->job_row < y->job_row ? -1 : x->job_row > y->job_row;
}

/* Assigns each bar the lowest level (row within the lane) that is free when the bar begins. If no level is free, the
 * bar gets the last level and overlaps another bar. */
static void set_bar_levels(struct timeline *t)
{
	int64_t until[MAX_BAR_LEVELS] = { 0 };
	size_t lane = SIZE_MAX;

	if (t->n)
		qsort(t->bar, t->n, sizeof(*t->bar), compare_bar_lanes);
	for (size_t i = 0; i < t->n; i++) {
		struct timeline_bar *b = &t->bar[i];

		if (b->lane != lane)
			memset(until, 0, sizeof(until));
		lane = b->lane;
		while (b->level + 1 < MAX_BAR_LEVELS && until[b->level] > b->from)
			b->level++;
		until[b->level] = b->to;
		if (b->level >= t->levels[lane])
			t->levels[lane] = b->level + 1;
	}
}

int timeline_make_bars(struct timeline *t, const fs_snapshot *s, const fs_plan *p, const char *viewer, uint32_t job_row,
		       size_t max_lanes)
{
	bool *seen = malloc(fs_snapshot_info(s)->jobs + 1);
	int rc = seen ? 0 : -1;

	*t = (struct timeline){ .from = fs_snapshot_info(s)->time };
	if (!rc)
		rc = choose_timeline_lanes(t, p, job_row, max_lanes);
	if (!rc && t->lanes) {
		fs_snapshot_visible_jobs(s, viewer, seen);
		set_timeline_end(t, p, job_row);
		rc = add_running_bars(t, s, seen) || add_planned_bars(t, p) ? -1 : 0;
	}
	if (!rc)
		set_bar_levels(t);
	free(seen);
	if (rc)
		timeline_free_bars(t);
	return rc;
}

void timeline_free_bars(struct timeline *t)
{
	free(t->bar);
	free(t->lane);
	free(t->levels);
	*t = (struct timeline){ 0 };
}

/* ---- drawing a timeline: time runs from left to right, running jobs are gray, planned jobs colored */

enum {
	TIMELINE_SVG_NAMES = 16,
	TIMELINE_SVG_LEFT = TIMELINE_SVG_NAMES * SVG_CHAR + 24,
	TIMELINE_SVG_PLOT = 720,
	TIMELINE_SVG_RIGHT = 24,
	TIMELINE_SVG_TITLE = 28,
	TIMELINE_SVG_TOP = 60,
	TIMELINE_SVG_BAR = 16,
	TIMELINE_SVG_GAP = 6,
	TIMELINE_SVG_BOTTOM = 12
};

struct timeline_canvas {
	struct markup *v;
	const fs_snapshot *s;
	const struct timeline *t;
	uint32_t job_row;
};

static double get_x_of_time(const struct timeline_canvas *c, int64_t time)
{
	return TIMELINE_SVG_LEFT + TIMELINE_SVG_PLOT * (double)(time - c->t->from) / (double)(c->t->to - c->t->from);
}

static double get_height_of_lane(const struct timeline *t, size_t lane)
{
	return (t->levels[lane] ? t->levels[lane] : 1) * TIMELINE_SVG_BAR + TIMELINE_SVG_GAP;
}

static enum svg_role get_bar_role(const struct timeline_canvas *c, const struct timeline_bar *b)
{
	return b->job_row == c->job_row ? svg_get_series(1) : b->running ? SVG_FAINT : svg_get_series(0);
}

static void draw_timeline_bar(const struct timeline_canvas *c, const struct timeline_bar *b, double y)
{
	const double x = get_x_of_time(c, b->from), width = get_x_of_time(c, b->to) - x - 1;
	char id[WORDS], from[WORDS], to[WORDS], tooltip[4 * WORDS];
	struct fs_job j;

	fs_snapshot_job(c->s, b->job_row, &j);
	format_display_job_id(id, c->s, b->job_row);
	if (b->running)
		snprintf(tooltip, sizeof(tooltip), "job %s of %s is running; its time limit ends %s", id, j.user,
			 format_full_time(to, c->s, b->to));
	else
		snprintf(tooltip, sizeof(tooltip), "job %s of %s, planned from %s to %s", id, j.user,
			 format_full_time(from, c->s, b->from), format_full_time(to, c->s, b->to));
	if (b->to == c->t->to) /* the bar is cut at the end of the timeline, so no end is shown */
		snprintf(tooltip, sizeof(tooltip), "job %s of %s%s%s", id, j.user,
			 b->running ? " is running" : ", planned from ",
			 b->running ? "" : format_full_time(from, c->s, b->from));
	svg_draw_rectangle(c->v, x, y + b->level * TIMELINE_SVG_BAR + 1, width < 1 ? 1 : width, TIMELINE_SVG_BAR - 2,
			   get_bar_role(c, b), tooltip);
	if (width >= (double)strlen(id) * SVG_CHAR + 6)
		svg_draw_text(c->v, x + 4, y + (b->level + 1) * TIMELINE_SVG_BAR - 4, SVG_START, SVG_ON, 0, id);
}

static void draw_timeline_legend(const struct timeline_canvas *c, double y)
{
	char text[WORDS];

	svg_draw_rectangle(c->v, TIMELINE_SVG_LEFT, y - 10, 12, 12, SVG_FAINT, NULL);
	svg_draw_text(c->v, TIMELINE_SVG_LEFT + 18, y, SVG_START, SVG_FAINT, 0, "running, until its time limit");
	svg_draw_rectangle(c->v, TIMELINE_SVG_LEFT + 310, y - 10, 12, 12, svg_get_series(0), NULL);
	svg_draw_text(c->v, TIMELINE_SVG_LEFT + 328, y, SVG_START, SVG_FAINT, 0, "planned");
	if (c->job_row != FS_NO_ROW) {
		svg_draw_rectangle(c->v, TIMELINE_SVG_LEFT + 410, y - 10, 12, 12, svg_get_series(1), NULL);
		svg_draw_text(c->v, TIMELINE_SVG_LEFT + 428, y, SVG_START, SVG_FAINT, 0, "this job");
	}
	if (c->t->lanes == c->t->nodes)
		return;
	snprintf(text, sizeof(text), "%zu of %zu nodes", c->t->lanes, c->t->nodes);
	svg_draw_text(c->v, TIMELINE_SVG_LEFT + TIMELINE_SVG_PLOT, y, SVG_END, SVG_FAINT, 0, text);
}

void timeline_draw_svg(struct markup *v, const fs_snapshot *s, const struct timeline *t, uint32_t job_row, bool inside)
{
	const struct timeline_canvas c = { v, s, t, job_row };
	const double top = TIMELINE_SVG_TOP + (inside ? 0 : TIMELINE_SVG_TITLE);
	double height = top, y = top;
	char title[2 * WORDS], now[WORDS];
	size_t k = 0;

	for (size_t i = 0; i < t->lanes; i++)
		height += get_height_of_lane(t, i);
	snprintf(title, sizeof(title), "Planned starts from %s (local time)", format_full_time(now, s, t->from));
	(inside ? begin_embedded_svg : svg_begin_picture)(
		v, TIMELINE_SVG_LEFT + TIMELINE_SVG_PLOT + TIMELINE_SVG_RIGHT, height + TIMELINE_SVG_BOTTOM,
		"Planned starts",
		"One line for each node: its running jobs until their time limits, and its planned jobs.");
	if (!inside)
		draw_picture_title(v, title);
	draw_timeline_legend(&c, top - 38);
	svg_draw_text(v, TIMELINE_SVG_LEFT - 12, top - 14, SVG_END, SVG_FAINT, 0, "node");
	svg_draw_time_scale(v, &(struct time_scale){ s, t->from, t->to, TIMELINE_SVG_LEFT, TIMELINE_SVG_PLOT, top - 8,
						     height, top - 14 });
	for (size_t i = 0; i < t->lanes; y += get_height_of_lane(t, i++)) {
		svg_draw_text(v, TIMELINE_SVG_LEFT - 12, y + TIMELINE_SVG_BAR - 4, SVG_END, SVG_INK, TIMELINE_SVG_NAMES,
			      t->lane[i]);
		for (; k < t->n && t->bar[k].lane == i; k++)
			draw_timeline_bar(&c, &t->bar[k], y);
	}
	svg_end_picture(v);
}
