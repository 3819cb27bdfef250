#include "top/data/chart.h"

#include <stdlib.h>
#include <string.h>

/* Entries of the queue up to which a plan, whose time grows with their square, is made while somebody looks. */
enum { MOST = 40000 };

void chart_free(struct chart *c)
{
	if (!c)
		return;
	timeline_free(&c->t);
	fs_plan_free(c->plan);
	free(c->first);
	free(c);
}

static void say(struct chart *c, const char *why)
{
	snprintf(c->why, sizeof(c->why), "%s", why);
}

/* Why there is no plan, without the file's name: a long one would push the reason off the line. */
static void say_error(struct chart *c, const struct data *d, const char *message)
{
	const char *file = fs_snapshot_info(d->snapshot)->file;
	const size_t n = strlen(file);

	say(c, strncmp(message, file, n) || strncmp(message + n, ": ", 2) ? message : message + n + 2);
}

static void plan(struct chart *c, const struct data *d)
{
	const struct fs_plan_options o = {
		.view = { .viewer = d->eval.viewer, .algorithm = d->chosen, .position = d->position }
	};
	struct fs_error err;

	if (d->usage)
		say(c, "starts are planned at the snapshot's own time alone, without --at and --usage");
	else if (d->eval.queue && fs_queue_count(d->eval.queue) > MOST)
		say(c, "with that many jobs a plan takes long; fs-showq --plan makes it");
	else if (fs_plan_compute(&c->plan, d->snapshot, &o, &err))
		say_error(c, d, err.message);
}

/* Notes where each lane begins: bars are sorted by lane. */
static int index_lanes(struct chart *c)
{
	size_t k = 0;

	c->first = malloc((c->t.lanes + 1) * sizeof(*c->first));
	for (size_t i = 0; c->first && i <= c->t.lanes; i++) {
		while (k < c->t.n && c->t.bar[k].lane < i)
			k++;
		c->first[i] = k;
	}
	return c->first ? 0 : -1;
}

struct chart *chart_make(const struct data *d)
{
	struct chart *c = calloc(1, sizeof(*c));

	if (!c)
		return NULL;
	plan(c, d);
	if (!c->plan)
		return c;
	if (timeline_make(&c->t, d->snapshot, c->plan, d->eval.viewer, FS_NO_ROW, UINT32_MAX) || index_lanes(c)) {
		chart_free(c);
		return NULL;
	}
	if (!c->t.lanes)
		say(c, "no start on any node is planned");
	return c;
}

uint32_t chart_lane_of(const struct chart *c, uint32_t job_row)
{
	for (size_t i = 0; c && i < c->t.n; i++)
		if (c->t.bar[i].job_row == job_row)
			return c->t.bar[i].lane;
	return FS_NO_ROW;
}
