/* The timeline as a picture: time from left to right, running jobs grey, planned ones coloured. */
#include "picture/timeline.h"
#include "words/words.h"

#include <string.h>

enum {
	NAMES = 16,
	LEFT = NAMES * SVG_CHAR + 24,
	PLOT = 720,
	RIGHT = 24,
	TOP = 56,
	BAR = 16,
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

static double x_of(const struct canvas *c, int64_t time)
{
	return LEFT + PLOT * (double)(time - c->t->from) / (double)(c->t->to - c->t->from);
}

static double height_of(const struct timeline *t, size_t lane)
{
	return (t->levels[lane] ? t->levels[lane] : 1) * BAR + GAP;
}

static void put_scale(const struct canvas *c, double bottom)
{
	static const enum svg_anchor anchors[] = { SVG_START, SVG_MIDDLE, SVG_MIDDLE, SVG_END };
	char text[WORDS];

	for (int i = 0; i <= TICKS; i++) {
		const int64_t time = c->t->from + (c->t->to - c->t->from) * i / TICKS;

		svg_stroke(c->v, x_of(c, time), TOP - 8, x_of(c, time), bottom, SVG_GRID);
		svg_text(c->v, x_of(c, time), TOP - 14, anchors[i], SVG_FAINT, 0, date_words(text, c->s, time));
	}
}

static enum svg_role colour_of(const struct canvas *c, const struct timeline_bar *b)
{
	return b->job_row == c->job_row ? svg_series(1) : b->running ? SVG_FAINT : svg_series(0);
}

static void put_bar(const struct canvas *c, const struct timeline_bar *b, double y)
{
	const double x = x_of(c, b->from), width = x_of(c, b->to) - x - 1;
	char id[WORDS], from[WORDS], to[WORDS], tip[4 * WORDS];
	struct fs_job j;

	fs_snapshot_job(c->s, b->job_row, &j);
	job_words(id, c->s, b->job_row);
	if (b->running)
		snprintf(tip, sizeof(tip), "job %s of %s runs, its limit ends %s", id, j.user, date_words(to, c->s, b->to));
	else
		snprintf(tip, sizeof(tip), "job %s of %s, planned from %s to %s", id, j.user, date_words(from, c->s, b->from),
			 date_words(to, c->s, b->to));
	if (b->to == c->t->to) /* it may go on */
		snprintf(tip, sizeof(tip), "job %s of %s%s%s", id, j.user, b->running ? " runs" : ", planned from ",
			 b->running ? "" : date_words(from, c->s, b->from));
	svg_rect(c->v, x, y + b->level * BAR + 1, width < 1 ? 1 : width, BAR - 2, colour_of(c, b), tip);
	if (width >= (double)strlen(id) * SVG_CHAR + 6)
		svg_text(c->v, x + 4, y + (b->level + 1) * BAR - 4, SVG_START, SVG_ON, 0, id);
}

static void put_note(const struct canvas *c, double y)
{
	char text[WORDS];

	svg_rect(c->v, LEFT, y - 10, 12, 12, SVG_FAINT, NULL);
	svg_text(c->v, LEFT + 18, y, SVG_START, SVG_FAINT, 0, "running, to the end of its limit");
	svg_rect(c->v, LEFT + 310, y - 10, 12, 12, svg_series(0), NULL);
	svg_text(c->v, LEFT + 328, y, SVG_START, SVG_FAINT, 0, "planned");
	if (c->job_row != FS_NO_ROW) {
		svg_rect(c->v, LEFT + 410, y - 10, 12, 12, svg_series(1), NULL);
		svg_text(c->v, LEFT + 428, y, SVG_START, SVG_FAINT, 0, "this job");
	}
	if (c->t->lanes == c->t->nodes)
		return;
	snprintf(text, sizeof(text), "%zu of %zu nodes", c->t->lanes, c->t->nodes);
	svg_text(c->v, LEFT + PLOT, y, SVG_END, SVG_FAINT, 0, text);
}

void timeline_draw(struct markup *v, const fs_snapshot *s, const struct timeline *t, uint32_t job_row, bool inside)
{
	const struct canvas c = { v, s, t, job_row };
	double height = TOP, y = TOP;
	size_t k = 0;

	for (size_t i = 0; i < t->lanes; i++)
		height += height_of(t, i);
	(inside ? svg_begin_inside : svg_begin)(v, LEFT + PLOT + RIGHT, height + NOTE, "Planned starts",
						"A line for each node: which jobs have it until when, and which are planned next.");
	svg_text(v, LEFT - 12, TOP - 14, SVG_END, SVG_FAINT, 0, "node");
	put_scale(&c, height);
	for (size_t i = 0; i < t->lanes; y += height_of(t, i++)) {
		svg_text(v, LEFT - 12, y + BAR - 4, SVG_END, SVG_INK, NAMES, t->lane[i]);
		for (; k < t->n && t->bar[k].lane == i; k++)
			put_bar(&c, &t->bar[k], y);
	}
	put_note(&c, height + SVG_LINE);
	svg_end(v);
}
