#include "render/svg.h"

#include "render/text.h"
#include "save.h"
#include "stream.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* ---- bytes */

static void put(struct svg *v, const char *s, size_t n)
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

/* Markup of our own, as it is. */
static void own(struct svg *v, const char *markup)
{
	put(v, markup, strlen(markup));
}

__attribute__((format(printf, 2, 3))) static void say(struct svg *v, const char *fmt, ...)
{
	char text[500];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	own(v, text);
}

/* One character as it may be shown and as XML has it. */
static void put_escaped(struct svg *v, const char *step, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const char c = step[i];
		const char *name = c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '"' ? "&quot;" :
				   c == '\'' ? "&#39;" : NULL;

		if (name)
			own(v, name);
		else
			put(v, &c, 1);
	}
}

static void escaped(struct svg *v, const char *text)
{
	char step[TEXT_STEP];

	while (*text) {
		const size_t n = text_step(&text, step);

		put_escaped(v, step, n);
	}
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

static void put_cut(struct svg *v, const char *text, size_t columns)
{
	char step[TEXT_STEP];
	size_t left = columns ? columns - 1 : 0;

	if (!columns || columns_of(text) <= columns) {
		escaped(v, text);
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
		put_escaped(v, step, n);
	}
	own(v, "\xe2\x80\xa6");
}

/* ---- the picture */

/* Colours that people with any colour vision tell apart (after Okabe and Ito), on white and on near black. */
static void style(struct svg *v)
{
	static const char *const light[SVG_SERIES] = { "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#a58b00",
						       "#56b4e9", "#7a5195", "#8c564b", "#4d4d4d", "#b2182b" };
	static const char *const dark[SVG_SERIES] = { "#5aaee8", "#f08a3c", "#2fc49a", "#e39bc4", "#e0cf45",
						      "#8fd0f5", "#b18ad0", "#c49c94", "#b0b0b0", "#ef6a6a" };

	own(v, "svg{background:#fff;font:13px ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace}"
		   ".ink{fill:#1a1a1a;stroke:#1a1a1a}.faint{fill:#5f5f5f;stroke:#5f5f5f}.grid{fill:#e3e3e3;stroke:#e3e3e3}"
		   "text{stroke:none!important}polyline{fill:none!important;stroke-width:2}");
	for (size_t i = 0; i < SVG_SERIES; i++)
		say(v, ".s%zu{fill:%s;stroke:%s}", i, light[i], light[i]);
	own(v, "@media(prefers-color-scheme:dark){svg{background:#16181c}.ink{fill:#ececec;stroke:#ececec}"
		   ".faint{fill:#a8a8a8;stroke:#a8a8a8}.grid{fill:#33363c;stroke:#33363c}");
	for (size_t i = 0; i < SVG_SERIES; i++)
		say(v, ".s%zu{fill:%s;stroke:%s}", i, dark[i], dark[i]);
	own(v, "}");
}

void svg_begin(struct svg *v, double width, double height, const char *title, const char *description)
{
	own(v, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
	say(v, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\" role=\"img\">\n",
	    width, height, width, height);
	own(v, "<title>");
	escaped(v, title);
	own(v, "</title>\n<desc>");
	escaped(v, description);
	own(v, "</desc>\n");
	own(v, "<style>");
	style(v);
	own(v, "</style>\n");
}

void svg_end(struct svg *v)
{
	own(v, "</svg>\n");
}

void svg_free(struct svg *v)
{
	free(v->text);
	*v = (struct svg){ 0 };
}

enum svg_role svg_series(size_t i)
{
	return (enum svg_role)(SVG_SERIES_0 + i % SVG_SERIES);
}

static const char *class_of(enum svg_role role)
{
	static const char *const names[] = { "ink", "faint", "grid", "s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9" };

	return names[role];
}

/* Closes an element, with the tip as its title. */
static void close_with(struct svg *v, const char *element, const char *tip)
{
	if (!tip) {
		own(v, "/>\n");
		return;
	}
	own(v, "><title>");
	escaped(v, tip);
	say(v, "</title></%s>\n", element);
}

void svg_rect(struct svg *v, double x, double y, double width, double height, enum svg_role role, const char *tip)
{
	if (!(width > 0) || !(height > 0))
		return;
	say(v, "<rect class=\"%s\" stroke=\"none\" style=\"stroke:none\" x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\"", class_of(role), x, y,
	    width, height);
	close_with(v, "rect", tip);
}

void svg_stroke(struct svg *v, double x1, double y1, double x2, double y2, enum svg_role role)
{
	say(v, "<line class=\"%s\" x1=\"%.2f\" y1=\"%.2f\" x2=\"%.2f\" y2=\"%.2f\"/>\n", class_of(role), x1, y1, x2, y2);
}

void svg_text(struct svg *v, double x, double y, enum svg_anchor anchor, enum svg_role role, size_t columns, const char *text)
{
	static const char *const anchors[] = { "start", "middle", "end" };

	say(v, "<text class=\"%s\" x=\"%.2f\" y=\"%.2f\" text-anchor=\"%s\" xml:space=\"preserve\">", class_of(role), x, y,
	    anchors[anchor]);
	put_cut(v, text, columns);
	own(v, "</text>\n");
}

/* ---- the file */

static int put_picture(const void *picture, FILE *to, struct fs_error *err)
{
	const struct svg *v = picture;

	if (!stream_write(to, v->text, v->len))
		return 0;
	*err = (struct fs_error){ .code = FS_EIO, .message = "write error" };
	return FS_EIO;
}

int svg_save(const struct invocation *inv, struct svg *v, const char *file)
{
	enum { MODE = 0600 };
	const int status = v->failed ? no_memory(inv) : save(inv, put_picture, v, file, MODE);

	svg_free(v);
	return status;
}
