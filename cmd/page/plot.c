/* A curve of eighths of blocks: each column as high as its number. */
#include "page/plot.h"

#include "page/parts.h"
#include "render/format.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SCALE = 10, LINE = 512 };

static const char *block(const struct page *p, int eighths)
{
	static const char *const utf8[] = { " ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };
	static const char *const ascii[] = { " ", ".", ".", ":", ":", "|", "|", "#", "#" };

	return (p->utf8 ? utf8 : ascii)[eighths < 0 ? 0 : eighths > 8 ? 8 : eighths];
}

/* Returns how many eighths of a row, counted from below, the value fills. The least value still shows. */
static int filled(double v, double low, double high, int height, int row)
{
	const double all = 1 + (v - low) / (high - low) * (height * 8 - 1);

	return isnan(v) ? 0 : (int)(all + 0.5) - row * 8;
}

static void add(char line[LINE], const char *text)
{
	const size_t n = strlen(line);

	snprintf(line + n, LINE - n, "%s", text);
}

static void ends(struct page *p, const char *first, const char *last, size_t n)
{
	char line[LINE];
	size_t gap;

	gap = strlen(first) + strlen(last) < n ? n - strlen(first) - strlen(last) : 1;
	snprintf(line, sizeof(line), "%*s%s%*s%s", SCALE + 1, "", first, (int)gap, "", last);
	page_add_line(p, p->ops->plot_indent, line, strlen(line), TONE_PLAIN);
}

void plot_curve(struct page *p, const char *first, const char *last, const double *v, size_t n, int height,
		int decimals)
{
	double low = INFINITY, high = -INFINITY;

	for (size_t i = 0; i < n; i++) {
		low = v[i] < low ? v[i] : low;
		high = v[i] > high ? v[i] : high;
	}
	if (!(high > low) || isinf(high))
		return;
	for (int row = height - 1; row >= 0; row--) {
		char line[LINE] = "";

		if (row == height - 1 || row == 0)
			format_text(line, sizeof(line), "%*.*f ", SCALE, decimals, row ? high : low);
		else
			snprintf(line, sizeof(line), "%*s", SCALE + 1, "");
		for (size_t i = 0; i < n; i++)
			add(line, block(p, filled(v[i], low, high, height, row)));
		page_add_line(p, p->ops->plot_indent, line, strlen(line), TONE_PLAIN);
	}
	ends(p, first, last, n);
}
