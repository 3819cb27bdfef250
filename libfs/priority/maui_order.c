/* Maui's jobs in the order of their priorities. */
#include "priority/maui.h"

#include <math.h>
#include <string.h>

double fsi_prio_maui_earlier(const struct fs_prios *p, size_t i)
{
	return p->values[i * VALUES + EARLIER];
}

struct ranked {
	double priority, earlier;
	uint32_t position, row;
};

/* Falling priority, by which it was sorted before as well, then the order of the job table
 * (MQueue.c:MQueuePrioritizeJobs). */
static int compare(const void *x, const void *y, const void *ctx)
{
	const struct ranked *a = x, *b = y;

	(void)ctx;
	if (a->priority != b->priority)
		return (a->priority < b->priority) - (a->priority > b->priority);
	if (a->earlier != b->earlier)
		return (a->earlier < b->earlier) - (a->earlier > b->earlier);
	if (a->position != b->position)
		return (a->position > b->position) - (a->position < b->position);
	return (a->row > b->row) - (a->row < b->row);
}

int fsi_maui_order_rows(struct fs_prios *p)
{
	const size_t n = p->row.n;
	struct ranked *v = fsi_arena_array(&p->arena, n + 1, sizeof(*v));
	struct fsi_prio_row *rows = fsi_arena_array(&p->arena, n + 1, sizeof(*rows));
	double *values = fsi_arena_array(&p->arena, n + 1, VALUES * sizeof(*values));

	if (!v || !rows || !values)
		return -1;
	for (uint32_t i = 0; i < n; i++) {
		const struct fsi_job *job = &p->m->job.v[p->row.v[i].job];
		struct fs_prio_row row = { 0 };

		p->scheduler->row(p, i, &row);
		v[i] = (struct ranked){ row.priority,
					fsi_prio_maui_earlier(p, i),
					FSI_HAS(job, JOB, position) ? job->position : UINT32_MAX,
					i };
		if (isnan(row.priority))
			v[i].priority = v[i].earlier = -INFINITY;
	}
	if (fs_sort(v, n, sizeof(*v), compare, NULL))
		return -1;
	for (size_t i = 0; i < n; i++) {
		rows[i] = p->row.v[v[i].row];
		memcpy(values + i * VALUES, p->values + (size_t)v[i].row * VALUES,
		       VALUES * sizeof(*values));
	}
	if (n) {
		memcpy(p->row.v, rows, n * sizeof(*rows));
		memcpy(p->values, values, n * VALUES * sizeof(*values));
	}
	return 0;
}
