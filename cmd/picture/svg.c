#include "picture/svg.h"

#include "render/text.h"

#include <string.h>

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

/* ---- the picture */

/* Colours that people with any colour vision tell apart (after Okabe and Ito), on white and on near black. */
void svg_style(struct markup *v)
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

void svg_begin_inside(struct markup *v, double width, double height, const char *title, const char *description)
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
