#include "base/tasks.h"

#include "base/num.h"

#include <string.h>

/* Limit of last - first in a range of tasks; no cluster allows larger arrays. */
static const uint64_t max_range_length = UINT32_MAX / 4;

static int parse_task_range(const char *s, size_t len, struct fsi_tasks *t)
{
	const char *colon = memchr(s, ':', len);
	const size_t body = colon ? (size_t)(colon - s) : len;
	const char *dash = memchr(s, '-', body);
	const size_t first = dash ? (size_t)(dash - s) : body;

	t->step = 1;
	if (fsi_parse_u64(s, first, &t->first) ||
	    (colon && (fsi_parse_u64(colon + 1, len - body - 1, &t->step) || !t->step)))
		return -1;
	t->last = t->first;
	if (dash && fsi_parse_u64(dash + 1, body - first - 1, &t->last))
		return -1;
	return t->last < t->first || t->last - t->first > max_range_length ? -1 : 1;
}

int fsi_tasks_parse_next(const char **s, struct fsi_tasks *t)
{
	const char *part = *s;
	const size_t len = strcspn(part, ",%");

	if (!*part || *part == '%')
		return 0;
	*s = part + len + (part[len] == ',');
	return parse_task_range(part, len, t);
}

bool fsi_is_task_listed(const char *s, uint64_t task)
{
	struct fsi_tasks t;

	while (fsi_tasks_parse_next(&s, &t) > 0)
		if (task >= t.first && task <= t.last && (task - t.first) % t.step == 0)
			return true;
	return false;
}

uint32_t fsi_count_tasks(const char *s)
{
	struct fsi_tasks t;
	uint64_t n = 0;
	int rc;

	while ((rc = fsi_tasks_parse_next(&s, &t)) > 0)
		n += fsi_tasks_count_range(&t);
	return rc < 0 || !n ? 1 : (uint32_t)n;
}
