/* Markup in memory, SVG elements, bars of priorities, HTML documents, and timelines of nodes. */
#include "cmd.h"
#include "files/files.h"
#include "fs/scenario.h"
#include "picture/picture.h"
#include "render/format.h"
#include "render/text.h"
#include "words/words.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static void markup_say(struct markup *v, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Colours by meaning: 0 time waited, 1 fair share, 2 job size, 3 partition, 4 QOS and urgency, 5 resources, 6
 * account, 7 site and nice. */
static const struct {
	const char *kind;
	unsigned char colour;
} roles[] = {
	{ "age", 0 },	    { "service", 0 }, { "target", 0 }, { "fairshare", 1 }, { "fs", 1 },	   { "jobsize", 2 },
	{ "res", 2 },	    { "queue", 3 },   { "qos", 4 },    { "cred", 4 },	   { "urgency", 4 }, { "tres", 5 },
	{ "partition", 3 }, { "usage", 5 },   { "assoc", 6 },  { "bank", 6 },	   { "site", 7 },  { "nice", 7 },
};

size_t factor_colour(const char *term)
{
	const size_t n = strcspn(term, "/");

	for (size_t i = 0; i < sizeof(roles) / sizeof(*roles); i++)
		if (strlen(roles[i].kind) == n && !strncmp(roles[i].kind, term, n))
			return roles[i].colour;
	return FACTOR_COLOURS;
}

static void markup_put(struct markup *v, const char *s, size_t n)
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

/* Appends markup of our own without escaping. */
static void markup_own(struct markup *v, const char *markup)
{
	markup_put(v, markup, strlen(markup));
}

/* Formats and appends markup of our own, at most 499 bytes. */
static void markup_say(struct markup *v, const char *fmt, ...)
{
	char text[500];
	va_list ap;

	va_start(ap, fmt);
	format_args(text, sizeof(text), fmt, ap);
	va_end(ap);
	markup_own(v, text);
}

/* Appends one step of text_step, escaped. */
static void markup_character(struct markup *v, const char *step, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const char c = step[i];
		const char *name = c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '"' ? "&quot;" :
				   c == '\'' ? "&#39;" : NULL;

		if (name)
			markup_own(v, name);
		else
			markup_put(v, &c, 1);
	}
}

/* Appends a text, escaped. */
static void markup_escaped(struct markup *v, const char *text)
{
	char step[TEXT_STEP];

	while (*text) {
		const size_t n = text_step(&text, step);

		markup_character(v, step, n);
	}
}

/* Appends "WHAT IF: COMMAND; COMMAND. ", the prefix of a title, if commands were applied to the state. */
static void markup_what_if(struct markup *v)
{
	const char *command;

	for (size_t i = 0; v->state && (command = fs_snapshot_command(v->state, i)); i++) {
		markup_own(v, i ? "; " : "WHAT IF: ");
		markup_escaped(v, command);
	}
	if (v->state && fs_snapshot_command(v->state, 0))
		markup_own(v, ". ");
}

void markup_free(struct markup *v)
{
	free(v->text);
	*v = (struct markup){ 0 };
}

static int put_text(const void *text, FILE *to, struct fs_error *err)
{
	const struct markup *v = text;

	if (!stream_write(to, v->text, v->len))
		return 0;
	*err = (struct fs_error){ .code = FS_EIO, .message = "write error" };
	return FS_EIO;
}

int markup_save(const struct invocation *inv, struct markup *v, const char *file)
{
	enum { MODE = 0600 };
	const int status = v->failed ? no_memory(inv) : save(inv, put_text, v, file, MODE);

	markup_free(v);
	return status;
}

static size_t columns_of(const char *text)
{
	char step[TEXT_STEP];
	size_t columns = 0;

	while (*text) {
		const size_t n = text_step(&text, step);

		for (size_t i = 0; i < n; i++)
			columns += ((unsigned char)step[i] & 0xc0) != 0x80;
	}
	return columns;
}

static void put_cut(struct markup *v, const char *text, size_t columns)
{
	char step[TEXT_STEP];
	size_t left = columns ? columns - 1 : 0;

	if (!columns || columns_of(text) <= columns) {
		markup_escaped(v, text);
		return;
	}
	while (*text && left) {
		const size_t n = text_step(&text, step);
		size_t width = 0;

		for (size_t i = 0; i < n; i++)
			width += ((unsigned char)step[i] & 0xc0) != 0x80;
		if (width > left)
			break;
		left -= width;
		markup_character(v, step, n);
	}
	markup_own(v, "\xe2\x80\xa6");
}

/* ---- drawing */

/* Colours that readers with any colour vision can distinguish (after Okabe and Ito), on white and on near black. */
static void svg_style(struct markup *v)
{
	static const char *const light[SVG_SERIES] = { "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#a58b00",
						       "#56b4e9", "#7a5195", "#8c564b", "#4d4d4d", "#b2182b" };
	static const char *const dark[SVG_SERIES] = { "#5aaee8", "#f08a3c", "#2fc49a", "#e39bc4", "#e0cf45",
						      "#8fd0f5", "#b18ad0", "#c49c94", "#b0b0b0", "#ef6a6a" };

	markup_own(v, "svg{background:#fff;font:13px ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace}"
		   ".ink{fill:#1a1a1a;stroke:#1a1a1a}.faint{fill:#5f5f5f;stroke:#5f5f5f}.grid{fill:#e3e3e3;stroke:#e3e3e3}.on{fill:#fff}"
		   "text{stroke:none!important}polyline{fill:none!important;stroke-width:2}");
	for (size_t i = 0; i < SVG_SERIES; i++)
		markup_say(v, ".s%zu{fill:%s;stroke:%s}", i, light[i], light[i]);
	markup_own(v, "@media(prefers-color-scheme:dark){svg{background:#16181c}.ink{fill:#ececec;stroke:#ececec}"
		   ".faint{fill:#a8a8a8;stroke:#a8a8a8}.grid{fill:#33363c;stroke:#33363c}.on{fill:#111}");
	for (size_t i = 0; i < SVG_SERIES; i++)
		markup_say(v, ".s%zu{fill:%s;stroke:%s}", i, dark[i], dark[i]);
	markup_own(v, "}");
}

static void put_opening(struct markup *v, double width, double height, const char *title, const char *description)
{
	markup_say(v, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\" role=\"img\">\n",
		   width, height, width, height);
	markup_own(v, "<title>");
	markup_what_if(v);
	markup_escaped(v, title);
	markup_own(v, "</title>\n<desc>");
	markup_escaped(v, description);
	markup_own(v, "</desc>\n");
}

void svg_begin(struct markup *v, double width, double height, const char *title, const char *description)
{
	markup_own(v, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
	put_opening(v, width, height, title, description);
	markup_own(v, "<style>");
	svg_style(v);
	markup_own(v, "</style>\n");
}

/* Starts a picture inside an HTML document, whose style sheet includes svg_style. */
static void svg_begin_inside(struct markup *v, double width, double height, const char *title, const char *description)
{
	put_opening(v, width, height, title, description);
}

void svg_end(struct markup *v)
{
	markup_own(v, "</svg>\n");
}

enum svg_role svg_series(size_t i)
{
	return (enum svg_role)(SVG_SERIES_0 + i % SVG_SERIES);
}

static const char *class_of(enum svg_role role)
{
	static const char *const names[] = { "ink", "faint", "grid", "on", "s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9" };

	return names[role];
}

/* Closes an element, with the tip as its title. */
static void close_with(struct markup *v, const char *element, const char *tip)
{
	if (!tip) {
		markup_own(v, "/>\n");
		return;
	}
	markup_own(v, "><title>");
	markup_escaped(v, tip);
	markup_say(v, "</title></%s>\n", element);
}

void svg_rect(struct markup *v, double x, double y, double width, double height, enum svg_role role, const char *tip)
{
	if (!(width > 0) || !(height > 0))
		return;
	markup_say(v, "<rect class=\"%s\" stroke=\"none\" style=\"stroke:none\" x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\"", class_of(role), x, y,
	    width, height);
	close_with(v, "rect", tip);
}

void svg_stroke(struct markup *v, double x1, double y1, double x2, double y2, enum svg_role role)
{
	markup_say(v, "<line class=\"%s\" x1=\"%.2f\" y1=\"%.2f\" x2=\"%.2f\" y2=\"%.2f\"/>\n", class_of(role), x1, y1, x2, y2);
}

void svg_text(struct markup *v, double x, double y, enum svg_anchor anchor, enum svg_role role, size_t columns,
	      const char *text)
{
	static const char *const anchors[] = { "start", "middle", "end" };

	markup_say(v, "<text class=\"%s\" x=\"%.2f\" y=\"%.2f\" text-anchor=\"%s\" xml:space=\"preserve\">", class_of(role), x, y,
	    anchors[anchor]);
	put_cut(v, text, columns);
	markup_own(v, "</text>\n");
}

enum {
	BARS_NAMES = 30,
	BARS_LEFT = BARS_NAMES * SVG_CHAR + 24,
	BARS_PLOT = 520,
	VALUE = 100,
	BARS_TOP = 16,
	ROW = 26,
	BARS_BAR = 18,
	MARGIN = 12,
	LEGEND = 150,
	IN_LINE = (BARS_LEFT + BARS_PLOT + VALUE - MARGIN) / LEGEND
};

struct scale {
	double low, high; /* range of the points drawn; low is at most 0 */
};

static double bars_x_of(const struct scale *s, double points)
{
	return BARS_LEFT + BARS_PLOT * (points - s->low) / (s->high - s->low);
}

/* Sets *low and *high to the ends of the row's bar, in points; zero is always included. */
static void ends_of(const struct bars_row *r, double *low, double *high)
{
	*low = *high = 0;
	for (size_t t = 0; t < r->n; t++)
		if (isfinite(r->terms[t].points))
			*(r->terms[t].points < 0 ? low : high) += r->terms[t].points;
}

static struct scale scale_of(const struct bars_row *rows, size_t n)
{
	struct scale s = { 0, 0 };

	for (size_t i = 0; i < n; i++) {
		double low, high;

		ends_of(&rows[i], &low, &high);
		s.low = fmin(s.low, low);
		s.high = fmax(s.high, high);
	}
	if (!(s.high > s.low))
		s.high = s.low + 1;
	return s;
}

static enum svg_role role_of(const char *term)
{
	const size_t colour = factor_colour(term);

	return colour < FACTOR_COLOURS ? svg_series(colour) : SVG_FAINT;
}

static void put_row(struct markup *v, const struct scale *s, const struct bars_row *r, double y)
{
	double low = 0, high = 0;
	char text[3 * WORDS], factor[WORDS];

	svg_text(v, BARS_LEFT - 12, y + BARS_BAR - 5, SVG_END, r->marked ? SVG_INK : SVG_FAINT, BARS_NAMES, r->name);
	for (size_t t = 0; t < r->n; t++) {
		const double points = r->terms[t].points;
		double *const end = points < 0 ? &low : &high;

		if (!isfinite(points) || points == 0)
			continue;
		format_text(text, sizeof(text), "%s %+.0f", factor_words(factor, r->terms[t].name), points);
		svg_rect(v, bars_x_of(s, points < 0 ? *end + points : *end), y,
			 BARS_PLOT * fabs(points) / (s->high - s->low), BARS_BAR, role_of(r->terms[t].name), text);
		*end += points;
	}
	if (isnan(r->priority))
		return;
	format_text(text, sizeof(text), "%.0f", r->priority);
	svg_text(v, BARS_LEFT + BARS_PLOT + 12, y + BARS_BAR - 5, SVG_START, r->marked ? SVG_INK : SVG_FAINT, 0, text);
}

static bool any_points(const struct bars_row *rows, size_t n, size_t t)
{
	for (size_t i = 0; i < n; i++)
		if (t < rows[i].n && isfinite(rows[i].terms[t].points) && rows[i].terms[t].points != 0)
			return true;
	return false;
}

/* "TRES" for tres/cpu: all TRES terms have the same colour and one entry in the legend. */
static const char *kind_words(char buf[WORDS], const char *term)
{
	char *end;

	factor_words(buf, term);
	end = strchr(term, '/') ? strpbrk(buf, " /") : NULL;
	if (end)
		*end = '\0';
	return buf;
}

static bool named_before(const struct bars_row *rows, size_t n, size_t t)
{
	for (size_t k = 0; k < t; k++)
		if (any_points(rows, n, k) && role_of(rows->terms[k].name) == role_of(rows->terms[t].name) &&
		    strcspn(rows->terms[k].name, "/") == strcspn(rows->terms[t].name, "/"))
			return true;
	return false;
}

/* Draws the legend of the terms that have points in any row, and returns the number of its entries. If v is NULL it
 * only counts them. All rows have the same terms. */
static size_t put_legend(struct markup *v, const struct bars_row *rows, size_t n, double y)
{
	char text[WORDS];
	size_t k = 0;

	for (size_t t = 0; n && t < rows->n; t++) {
		const double x = MARGIN + (double)(k % IN_LINE) * LEGEND, at = y + (double)(k / IN_LINE) * SVG_LINE;

		if (!any_points(rows, n, t) || named_before(rows, n, t))
			continue;
		k++;
		if (!v)
			continue;
		svg_rect(v, x, at - 10, 12, 12, role_of(rows->terms[t].name), NULL);
		svg_text(v, x + 18, at, SVG_START, SVG_FAINT, (LEGEND - 24) / SVG_CHAR,
			 kind_words(text, rows->terms[t].name));
	}
	return k;
}

void bars_draw(struct markup *v, const struct bars_row *rows, size_t n, bool inside)
{
	const struct scale s = scale_of(rows, n);
	const double bottom = BARS_TOP + (double)n * ROW;
	const size_t lines = (put_legend(NULL, rows, n, 0) + IN_LINE - 1) / IN_LINE;

	(inside ? svg_begin_inside : svg_begin)(v, BARS_LEFT + BARS_PLOT + VALUE, bottom + MARGIN + (double)(lines + 1) * SVG_LINE, "Priorities",
						"A bar for each job: the points of its factors beside each other, and its priority behind them.");
	svg_stroke(v, bars_x_of(&s, 0), BARS_TOP - 6, bars_x_of(&s, 0), bottom, SVG_GRID);
	for (size_t i = 0; i < n; i++)
		put_row(v, &s, &rows[i], BARS_TOP + (double)i * ROW);
	put_legend(v, rows, n, bottom + SVG_LINE);
	svg_end(v);
}

static void put_style(struct markup *v)
{
	markup_own(
		v,
		":root{color-scheme:light dark}"
		"body{margin:0;background:#fff;color:#1a1a1a;font:16px/1.5 system-ui,-apple-system,'Segoe UI',sans-serif}"
		"main{max-width:62rem;margin:0 auto;padding:1rem;overflow-wrap:break-word}"
		"h1{font-size:1.3rem;margin:.5rem 0 1rem}h2{font-size:1rem;margin:1.6rem 0 .4rem;border-bottom:1px solid #ddd}"
		"p{margin:.5rem 0}.labelled{display:grid;grid-template-columns:10rem 1fr;gap:.2rem 1rem}"
		"@media(max-width:40rem){.labelled{display:block}.labelled b{display:block}}"
		".wide{overflow-x:auto;max-width:100%}.wide svg{display:block;max-width:100%;min-width:36rem;height:auto}"
		"table{border-collapse:collapse;font-variant-numeric:tabular-nums;font-size:.9rem}"
		"th,td{padding:.15rem .8rem .15rem 0;text-align:left;vertical-align:top;white-space:nowrap}"
		"td:last-child:not(.number){white-space:normal;min-width:14rem}"
		"th{font-weight:600;border-bottom:1px solid #bbb}.number{text-align:right}.ruled td{border-top:1px solid #bbb}"
		".total td{font-weight:600}footer{margin-top:2rem;color:#5f5f5f;font-size:.85rem}"
		"@media(max-width:40rem){table{font-size:.75rem}th,td{padding-right:.4rem}.wide svg{min-width:26rem}}"
		"@media(prefers-color-scheme:dark){body{background:#16181c;color:#ececec}h2{border-color:#333}"
		"th,.ruled td{border-color:#555}footer{color:#a8a8a8}}\n");
	svg_style(v);
}

void html_begin(struct markup *v, const char *title)
{
	markup_own(
		v,
		"<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
		"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
		"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>");
	markup_what_if(v);
	markup_escaped(v, title);
	markup_own(v, "</title>\n<style>");
	put_style(v);
	markup_own(v, "</style>\n</head>\n<body>\n<main>\n");
}

size_t html_page(struct markup *v, const struct page *p, size_t from)
{
	v->failed = v->failed || p->failed;
	for (size_t i = from; i < p->n; i++) {
		markup_own(v, p->line[i].text);
		markup_own(v, "\n");
	}
	return p->n;
}

void html_figure(struct markup *v, const char *caption)
{
	markup_own(v, "<h2>");
	markup_escaped(v, caption);
	markup_own(v, "</h2>\n<div class=\"wide\">\n");
}

void html_end_figure(struct markup *v)
{
	markup_own(v, "</div>\n");
}

void html_end(struct markup *v)
{
	markup_own(v, "</main>\n</body>\n</html>\n");
}

enum { MAX_LEVELS = 12 };

/* ---- lanes */

static bool digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Compares names with their numbers by value: n2 sorts before n10. */
static int by_name(const void *a, const void *b)
{
	const char *x = *(const char *const *)a, *y = *(const char *const *)b;

	while (*x && *y) {
		if (digit(*x) && digit(*y)) {
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

static bool starts(const struct fs_plan_row *row)
{
	return row->visible && row->start_time != FS_UNKNOWN && row->nodes;
}

static size_t names_of(const fs_plan *p, size_t i, const struct fs_plan_row *row, const char **names)
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
static size_t unique(const char **names, size_t n)
{
	size_t kept = 0;

	if (n)
		qsort(names, n, sizeof(*names), by_name);
	for (size_t i = 0; i < n; i++)
		if (!kept || by_name(&names[kept - 1], &names[i]) != 0)
			names[kept++] = names[i];
	return kept;
}

static int make_lanes(struct timeline *t, const fs_plan *p, uint32_t job_row, size_t max_lanes)
{
	struct fs_plan_row row;
	size_t n = 0, room = 1;

	for (size_t i = 0; i < fs_plan_count(p); i++) {
		fs_plan_row(p, i, &row);
		room += starts(&row) ? row.nodes : 0;
	}
	t->lane = calloc(room, sizeof(*t->lane));
	if (!t->lane)
		return -1;
	for (size_t i = 0; i < fs_plan_count(p); i++) {
		fs_plan_row(p, i, &row);
		if (starts(&row) && (job_row == FS_NO_ROW || row.job_row == job_row))
			n += names_of(p, i, &row, t->lane + n);
	}
	t->nodes = unique(t->lane, n);
	t->lanes = t->nodes < max_lanes ? t->nodes : max_lanes;
	t->levels = calloc(t->lanes + 1, sizeof(*t->levels));
	return t->levels ? 0 : -1;
}

/* ---- time */

/* Sets the end of the timeline: the last start plus a third of the time until then, or for a single job its start
 * plus half of that time; at least an hour. */
static void span_time(struct timeline *t, const fs_plan *p, uint32_t job_row)
{
	int64_t last = t->from;
	struct fs_plan_row row;

	for (size_t i = 0; i < fs_plan_count(p); i++) {
		fs_plan_row(p, i, &row);
		if (starts(&row) && (job_row == FS_NO_ROW || row.job_row == job_row) && row.start_time > last)
			last = row.start_time;
	}
	t->to = last + (last - t->from) / (job_row == FS_NO_ROW ? 3 : 2);
	if (t->to < t->from + 3600)
		t->to = t->from + 3600;
}

/* ---- bars */

struct maker {
	struct timeline *t;
	struct timeline_bar bar;
};

/* Adds a bar if the node has a lane and the bar is in range. Returns -1 if out of memory. */
static int add_bar(struct maker *x, const char *name)
{
	struct timeline *t = x->t;
	const char **lane = bsearch(&name, t->lane, t->lanes, sizeof(*t->lane), by_name);

	if (!lane || x->bar.from >= t->to || x->bar.to <= t->from)
		return 0;
	struct timeline_bar *v = room_for_one(t->bar, t->n, &t->cap, sizeof(*v));

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

static int add_host(void *ctx, const char *name, size_t len)
{
	char text[256];

	if (len >= sizeof(text))
		return 0;
	memcpy(text, name, len);
	text[len] = '\0';
	return add_bar(ctx, text) ? 1 : 0;
}

/* Returns when a running job frees its nodes at the latest. An overdue job ends 1 % of the timeline after its start,
 * so that it remains visible. */
static int64_t end_of(const struct timeline *t, const struct fs_job *j)
{
	const int64_t soon = t->from + (t->to - t->from) / 100;
	const int64_t end =
		j->time_limit_s == FS_UNLIMITED || j->time_limit_s == FS_UNKNOWN || j->start_time == FS_UNKNOWN
			? (j->end_time == FS_UNKNOWN ? t->to : j->end_time)
			: j->start_time + j->time_limit_s;

	return end < soon ? soon : end;
}

static int add_running(struct timeline *t, const fs_snapshot *s, const bool *seen)
{
	struct fs_job j;
	int rc = 0;

	for (size_t i = 0; i < fs_snapshot_info(s)->jobs && rc != 1; i++) {
		struct maker x = { t, { .job_row = (uint32_t)i, .running = true } };

		fs_snapshot_job(s, i, &j);
		if (!seen[i] || strcmp(j.state, "RUNNING") != 0)
			continue;
		x.bar.from = t->from;
		x.bar.to = end_of(t, &j);
		rc = fs_hostlist_each(j.node_list, add_host, &x);
	}
	return rc == 1 ? -1 : 0;
}

static int add_planned(struct timeline *t, const fs_plan *p)
{
	struct fs_plan_row row;

	for (size_t i = 0; i < fs_plan_count(p); i++) {
		struct maker x = { t, { 0 } };

		fs_plan_row(p, i, &row);
		if (!starts(&row))
			continue;
		x.bar = (struct timeline_bar){ .job_row = row.job_row, .from = row.start_time,
					       .to = row.end_time == FS_UNKNOWN ? t->to : row.end_time };
		for (uint32_t k = 0; k < row.nodes; k++)
			if (fs_plan_node(p, i, k) && add_bar(&x, fs_plan_node(p, i, k)))
				return -1;
	}
	return 0;
}

static int by_lane(const void *a, const void *b)
{
	const struct timeline_bar *x = a, *y = b;

	if (x->lane != y->lane)
		return x->lane < y->lane ? -1 : 1;
	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	return x->job_row < y->job_row ? -1 : x->job_row > y->job_row;
}

/* Puts each bar on the lowest free level; if no level is free the bar shares the last one. */
static void set_levels(struct timeline *t)
{
	int64_t until[MAX_LEVELS] = { 0 };
	size_t lane = SIZE_MAX;

	if (t->n)
		qsort(t->bar, t->n, sizeof(*t->bar), by_lane);
	for (size_t i = 0; i < t->n; i++) {
		struct timeline_bar *b = &t->bar[i];

		if (b->lane != lane)
			memset(until, 0, sizeof(until));
		lane = b->lane;
		while (b->level + 1 < MAX_LEVELS && until[b->level] > b->from)
			b->level++;
		until[b->level] = b->to;
		if (b->level >= t->levels[lane])
			t->levels[lane] = b->level + 1;
	}
}

int timeline_make(struct timeline *t, const fs_snapshot *s, const fs_plan *p, const char *viewer, uint32_t job_row,
		  size_t max_lanes)
{
	bool *seen = malloc(fs_snapshot_info(s)->jobs + 1);
	int rc = seen ? 0 : -1;

	*t = (struct timeline){ .from = fs_snapshot_info(s)->time };
	if (!rc)
		rc = make_lanes(t, p, job_row, max_lanes);
	if (!rc && t->lanes) {
		fs_snapshot_visible_jobs(s, viewer, seen);
		span_time(t, p, job_row);
		rc = add_running(t, s, seen) || add_planned(t, p) ? -1 : 0;
	}
	if (!rc)
		set_levels(t);
	free(seen);
	if (rc)
		timeline_free(t);
	return rc;
}

void timeline_free(struct timeline *t)
{
	free(t->bar);
	free(t->lane);
	free(t->levels);
	*t = (struct timeline){ 0 };
}

/* ---- drawing: time runs from left to right, running jobs are grey, planned ones coloured */

enum {
	TIMELINE_SVG_NAMES = 16,
	TIMELINE_SVG_LEFT = TIMELINE_SVG_NAMES * SVG_CHAR + 24,
	TIMELINE_SVG_PLOT = 720,
	RIGHT = 24,
	TIMELINE_SVG_TOP = 56,
	TIMELINE_SVG_BAR = 16,
	GAP = 6,
	TICKS = 3,
	NOTE = 2 * SVG_LINE
};

struct canvas {
	struct markup *v;
	const fs_snapshot *s;
	const struct timeline *t;
	uint32_t job_row;
};

static double timeline_svg_x_of(const struct canvas *c, int64_t time)
{
	return TIMELINE_SVG_LEFT + TIMELINE_SVG_PLOT * (double)(time - c->t->from) / (double)(c->t->to - c->t->from);
}

static double height_of(const struct timeline *t, size_t lane)
{
	return (t->levels[lane] ? t->levels[lane] : 1) * TIMELINE_SVG_BAR + GAP;
}

static void put_scale(const struct canvas *c, double bottom)
{
	static const enum svg_anchor anchors[] = { SVG_START, SVG_MIDDLE, SVG_MIDDLE, SVG_END };
	char text[WORDS];

	for (int i = 0; i <= TICKS; i++) {
		const int64_t time = c->t->from + (c->t->to - c->t->from) * i / TICKS;

		svg_stroke(c->v, timeline_svg_x_of(c, time), TIMELINE_SVG_TOP - 8, timeline_svg_x_of(c, time), bottom,
			   SVG_GRID);
		svg_text(c->v, timeline_svg_x_of(c, time), TIMELINE_SVG_TOP - 14, anchors[i], SVG_FAINT, 0,
			 date_words(text, c->s, time));
	}
}

static enum svg_role colour_of(const struct canvas *c, const struct timeline_bar *b)
{
	return b->job_row == c->job_row ? svg_series(1) : b->running ? SVG_FAINT : svg_series(0);
}

static void put_bar(const struct canvas *c, const struct timeline_bar *b, double y)
{
	const double x = timeline_svg_x_of(c, b->from), width = timeline_svg_x_of(c, b->to) - x - 1;
	char id[WORDS], from[WORDS], to[WORDS], tip[4 * WORDS];
	struct fs_job j;

	fs_snapshot_job(c->s, b->job_row, &j);
	job_words(id, c->s, b->job_row);
	if (b->running)
		snprintf(tip, sizeof(tip), "job %s of %s runs, its limit ends %s", id, j.user, date_words(to, c->s, b->to));
	else
		snprintf(tip, sizeof(tip), "job %s of %s, planned from %s to %s", id, j.user, date_words(from, c->s, b->from),
			 date_words(to, c->s, b->to));
	if (b->to == c->t->to) /* the end may be later, so none is shown */
		snprintf(tip, sizeof(tip), "job %s of %s%s%s", id, j.user, b->running ? " runs" : ", planned from ",
			 b->running ? "" : date_words(from, c->s, b->from));
	svg_rect(c->v, x, y + b->level * TIMELINE_SVG_BAR + 1, width < 1 ? 1 : width, TIMELINE_SVG_BAR - 2,
		 colour_of(c, b), tip);
	if (width >= (double)strlen(id) * SVG_CHAR + 6)
		svg_text(c->v, x + 4, y + (b->level + 1) * TIMELINE_SVG_BAR - 4, SVG_START, SVG_ON, 0, id);
}

static void put_note(const struct canvas *c, double y)
{
	char text[WORDS];

	svg_rect(c->v, TIMELINE_SVG_LEFT, y - 10, 12, 12, SVG_FAINT, NULL);
	svg_text(c->v, TIMELINE_SVG_LEFT + 18, y, SVG_START, SVG_FAINT, 0, "running, to the end of its limit");
	svg_rect(c->v, TIMELINE_SVG_LEFT + 310, y - 10, 12, 12, svg_series(0), NULL);
	svg_text(c->v, TIMELINE_SVG_LEFT + 328, y, SVG_START, SVG_FAINT, 0, "planned");
	if (c->job_row != FS_NO_ROW) {
		svg_rect(c->v, TIMELINE_SVG_LEFT + 410, y - 10, 12, 12, svg_series(1), NULL);
		svg_text(c->v, TIMELINE_SVG_LEFT + 428, y, SVG_START, SVG_FAINT, 0, "this job");
	}
	if (c->t->lanes == c->t->nodes)
		return;
	snprintf(text, sizeof(text), "%zu of %zu nodes", c->t->lanes, c->t->nodes);
	svg_text(c->v, TIMELINE_SVG_LEFT + TIMELINE_SVG_PLOT, y, SVG_END, SVG_FAINT, 0, text);
}

void timeline_draw(struct markup *v, const fs_snapshot *s, const struct timeline *t, uint32_t job_row, bool inside)
{
	const struct canvas c = { v, s, t, job_row };
	double height = TIMELINE_SVG_TOP, y = TIMELINE_SVG_TOP;
	size_t k = 0;

	for (size_t i = 0; i < t->lanes; i++)
		height += height_of(t, i);
	(inside ? svg_begin_inside : svg_begin)(v, TIMELINE_SVG_LEFT + TIMELINE_SVG_PLOT + RIGHT, height + NOTE, "Planned starts",
						"A line for each node: which jobs have it until when, and which are planned next.");
	svg_text(v, TIMELINE_SVG_LEFT - 12, TIMELINE_SVG_TOP - 14, SVG_END, SVG_FAINT, 0, "node");
	put_scale(&c, height);
	for (size_t i = 0; i < t->lanes; y += height_of(t, i++)) {
		svg_text(v, TIMELINE_SVG_LEFT - 12, y + TIMELINE_SVG_BAR - 4, SVG_END, SVG_INK, TIMELINE_SVG_NAMES,
			 t->lane[i]);
		for (; k < t->n && t->bar[k].lane == i; k++)
			put_bar(&c, &t->bar[k], y);
	}
	put_note(&c, height + SVG_LINE);
	svg_end(v);
}
