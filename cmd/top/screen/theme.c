#include "top/screen/theme.h"

#include <stdio.h>
#include <string.h>

#define RGB(color) (THEME_RGB | (color))

static const struct {
	struct look base[ATTR_FACTOR];
	int factor[FACTOR_ATTRS]; /* plain blue is none of them: on a dark screen it cannot be read */
} themes[THEMES] = {
	[THEME_16] = { { [ATTR_PLAIN] = { -1, -1, 0 },
			 [ATTR_TITLE] = { -1, -1, LOOK_BOLD },
			 [ATTR_HEADING] = { 0, 2, 0 },
			 [ATTR_SELECTED] = { 0, 6, 0 },
			 [ATTR_DIM] = { -1, -1, LOOK_DIM },
			 [ATTR_STRONG] = { -1, -1, LOOK_BOLD },
			 [ATTR_WARN] = { 1, -1, LOOK_BOLD },
			 [ATTR_UP] = { 2, -1, 0 },
			 [ATTR_DOWN] = { 1, -1, 0 },
			 [ATTR_LABEL] = { 0, 6, 0 } },
		       { 2, 3, 6, 5, 12, 1, 13, 10 } },
	[THEME_256] = { { [ATTR_PLAIN] = { -1, -1, 0 },
			  [ATTR_TITLE] = { -1, -1, LOOK_BOLD },
			  [ATTR_HEADING] = { 255, 24, 0 },
			  [ATTR_SELECTED] = { 16, 80, 0 },
			  [ATTR_DIM] = { 246, -1, 0 },
			  [ATTR_STRONG] = { -1, -1, LOOK_BOLD },
			  [ATTR_WARN] = { 203, -1, LOOK_BOLD },
			  [ATTR_UP] = { 77, -1, 0 },
			  [ATTR_DOWN] = { 203, -1, 0 },
			  [ATTR_LABEL] = { 16, 73, 0 } },
			{ 77, 214, 80, 170, 111, 203, 177, 150 } },
	[THEME_TRUE] = { { [ATTR_PLAIN] = { -1, -1, 0 },
			   [ATTR_TITLE] = { -1, -1, LOOK_BOLD },
			   [ATTR_HEADING] = { RGB(0xffffff), RGB(0x2a4d6e), 0 },
			   [ATTR_SELECTED] = { RGB(0x101418), RGB(0x7fd4e6), 0 },
			   [ATTR_DIM] = { RGB(0x98a0a8), -1, 0 },
			   [ATTR_STRONG] = { -1, -1, LOOK_BOLD },
			   [ATTR_WARN] = { RGB(0xff6b5e), -1, LOOK_BOLD },
			   [ATTR_UP] = { RGB(0x5fd75f), -1, 0 },
			   [ATTR_DOWN] = { RGB(0xff6b5e), -1, 0 },
			   [ATTR_LABEL] = { RGB(0x101418), RGB(0x6fb5b9), 0 } },
			 { RGB(0x5fd75f), RGB(0xffb000), RGB(0x56c9d9), RGB(0xd86fd0), RGB(0x7aa8ff), RGB(0xff6b5e),
			   RGB(0xb59bff), RGB(0xb7d977) } },
	[THEME_LIGHT] = { { [ATTR_PLAIN] = { -1, -1, 0 },
			    [ATTR_TITLE] = { -1, -1, LOOK_BOLD },
			    [ATTR_HEADING] = { 231, 24, 0 },
			    [ATTR_SELECTED] = { 16, 152, 0 },
			    [ATTR_DIM] = { 242, -1, 0 },
			    [ATTR_STRONG] = { -1, -1, LOOK_BOLD },
			    [ATTR_WARN] = { 124, -1, LOOK_BOLD },
			    [ATTR_UP] = { 28, -1, 0 },
			    [ATTR_DOWN] = { 124, -1, 0 },
			    [ATTR_LABEL] = { 16, 152, 0 } },
			  { 28, 130, 30, 90, 25, 124, 97, 64 } },
	[THEME_MONO] = { { [ATTR_PLAIN] = { -1, -1, 0 },
			   [ATTR_TITLE] = { -1, -1, LOOK_BOLD },
			   [ATTR_HEADING] = { -1, -1, LOOK_REVERSE },
			   [ATTR_SELECTED] = { -1, -1, LOOK_REVERSE },
			   [ATTR_DIM] = { -1, -1, 0 },
			   [ATTR_STRONG] = { -1, -1, LOOK_BOLD },
			   [ATTR_WARN] = { -1, -1, LOOK_BOLD },
			   [ATTR_UP] = { -1, -1, 0 },
			   [ATTR_DOWN] = { -1, -1, LOOK_BOLD },
			   [ATTR_LABEL] = { -1, -1, LOOK_REVERSE } },
			 { -1, -1, -1, -1, -1, -1, -1, -1 } },
};

#define THEME_NAME(tag, name, help) name,
static const char *const names[THEMES] = { THEME_LIST(THEME_NAME) };
#undef THEME_NAME
#define THEME_HELP(tag, name, help) help,
static const char *const helps[THEMES] = { THEME_LIST(THEME_HELP) };
#undef THEME_HELP

const char *theme_name(enum theme t)
{
	return names[t];
}

const char *theme_help(enum theme t)
{
	return helps[t];
}

enum theme theme_named(const char *name)
{
	int t = 0;

	while (t < THEMES && strcmp(names[t], name) != 0)
		t++;
	return (enum theme)t;
}

struct look theme_look(enum theme t, unsigned attr)
{
	const enum theme of = t == THEME_AUTO ? THEME_16 : t;

	if (attr < ATTR_FACTOR)
		return themes[of].base[attr];
	return (struct look){ themes[of].factor[attr - ATTR_FACTOR], -1, 0 };
}

/* The 16 as xterm has them, then a cube of six steps a side, then greys. */
int theme_rgb(int color)
{
	static const int first[16] = { 0x000000, 0xcd0000, 0x00cd00, 0xcdcd00, 0x0000ee, 0xcd00cd, 0x00cdcd, 0xe5e5e5,
				       0x7f7f7f, 0xff0000, 0x00ff00, 0xffff00, 0x5c5cff, 0xff00ff, 0x00ffff, 0xffffff };
	static const int step[6] = { 0, 0x5f, 0x87, 0xaf, 0xd7, 0xff };

	if (color >= THEME_RGB)
		return color - THEME_RGB;
	if (color < 16)
		return first[color];
	if (color >= 232)
		return (8 + 10 * (color - 232)) * 0x010101;
	color -= 16;
	return step[color / 36] << 16 | step[color / 6 % 6] << 8 | step[color % 6];
}

static int distance(int a, int b)
{
	int sum = 0;

	for (int shift = 0; shift < 24; shift += 8) {
		const int by = (a >> shift & 0xff) - (b >> shift & 0xff);

		sum += by * by;
	}
	return sum;
}

int theme_nearest(int color)
{
	int best = 16;

	if (color < THEME_RGB)
		return color;
	for (int c = 17; c < 256; c++)
		if (distance(theme_rgb(c), theme_rgb(color)) < distance(theme_rgb(best), theme_rgb(color)))
			best = c;
	return best;
}

/* behind: 10, or 0 in front. */
static void add_color(char buf[64], int color, int behind)
{
	const size_t n = strlen(buf);

	if (color >= THEME_RGB)
		snprintf(buf + n, 64 - n, ";%d;2;%d;%d;%d", 38 + behind, color >> 16 & 0xff, color >> 8 & 0xff, color & 0xff);
	else if (color >= 16)
		snprintf(buf + n, 64 - n, ";%d;5;%d", 38 + behind, color);
	else if (color >= 0)
		snprintf(buf + n, 64 - n, ";%d", (color < 8 ? 30 + color : 82 + color) + behind);
}

const char *theme_sgr(char buf[64], enum theme t, unsigned attr, unsigned behind)
{
	const struct look l = theme_look(t, attr);

	snprintf(buf, 64, "0%s%s%s", l.weight & LOOK_BOLD ? ";1" : "", l.weight & LOOK_DIM ? ";2" : "",
		 l.weight & LOOK_REVERSE ? ";7" : "");
	add_color(buf, l.fore, 0);
	add_color(buf, behind >= ATTR_FACTOR ? theme_look(t, behind).fore : l.back, 10);
	return buf;
}
