/* Records are compared by all that a step of the plan reads of them: two queues give the same plan as far as those
 * are the same. */
#include "plan/kept/lined.h"

#include <string.h>

const struct fsi_queue_record *fsi_lined_record(const struct fsi_lined *q, size_t i)
{
	return &q->queue->record.v[q->line.at[i]];
}

/* Does a step of the plan read the same in both? */
static bool same_record(const struct fsi_queue_record *a, const struct fsi_queue_record *b)
{
	return a->job == b->job && !memcmp(&a->priority, &b->priority, sizeof(a->priority)) &&
	       a->partition == b->partition && a->partition_name == b->partition_name && a->qos == b->qos &&
	       a->preemptor == b->preemptor && a->tasks == b->tasks && a->section == b->section && a->bar == b->bar &&
	       a->tried == b->tried && a->eligible == b->eligible;
}

size_t fsi_lined_common(const struct fsi_lined *a, const struct fsi_lined *b)
{
	const size_t n = a->line.n < b->line.n ? a->line.n : b->line.n;
	size_t i = 0;

	while (i < n && same_record(fsi_lined_record(a, i), fsi_lined_record(b, i)) &&
	       a->line.since[i] == b->line.since[i] && a->line.magnet[i] == b->line.magnet[i])
		i++;
	return i;
}

size_t fsi_lined_before(const struct fsi_lined *q, uint32_t job)
{
	size_t i = 0;

	while (i < q->line.n && fsi_lined_record(q, i)->job != job)
		i++;
	return i;
}

size_t fsi_lined_through(const struct fsi_lined *q, uint32_t job)
{
	size_t n = q->line.n;

	while (n && fsi_lined_record(q, n - 1)->job != job)
		n--;
	return n ? n : q->line.n;
}

void fsi_lined_free(struct fsi_lined *q)
{
	fs_queue_free(q->queue);
	fsi_plan_line_free(&q->line);
	q->queue = NULL;
}
