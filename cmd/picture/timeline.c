#include "picture/timeline.h"

#include "room.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_LEVELS = 12 };

/* ---- lanes */

static bool digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Orders names with numbers by the number: n2 before n10. */
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

/* Sorts the names and drops repeated ones; returns how many are left. */
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

/* The timeline ends a third of its length behind the last start, or half behind the start of the job. */
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

/* 0, or -1 without memory. */
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

/* When a job that runs gives its nodes back at the latest: what is overdue does so at once. */
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

/* Puts each bar on the first level that is free; bars that find none share the last. */
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
