/* Rows of the queue by their job, and what moved since the snapshot before. */
#include "top/data/parts.h"

#include <stdlib.h>
#include <string.h>

static size_t slot_of(const struct data *d, uint64_t job)
{
	return (size_t)((job + 1) * 0x9e3779b97f4a7c15u >> 20) & d->slots_mask;
}

static int fill_slots(struct data *d)
{
	const size_t n = fs_queue_count(d->eval.queue);
	struct fs_queue_row row;

	for (d->slots_mask = 15; d->slots_mask < n * 2; d->slots_mask = d->slots_mask * 2 + 1)
		;
	d->slots = calloc(d->slots_mask + 1, sizeof(*d->slots));
	for (size_t i = 0; d->slots && i < n; i++) {
		size_t at;

		fs_queue_row(d->eval.queue, i, &row);
		for (at = slot_of(d, row.job); d->slots[at]; at = (at + 1) & d->slots_mask)
			;
		d->slots[at] = (uint32_t)i + 1;
	}
	return d->slots ? 0 : -1;
}

static bool same_row(const struct fs_queue_row *a, const struct fs_queue_row *b)
{
	return a->job == b->job && !strcmp(a->partition, b->partition) && !strcmp(a->qos, b->qos);
}

/* Returns the row of this job, partition and QOS, else any visible row of the job, else FS_NO_ROW. */
static uint32_t look_up(const struct data *d, const struct fs_queue_row *wanted, bool exact)
{
	uint32_t other = FS_NO_ROW;
	struct fs_queue_row row;

	for (size_t at = slot_of(d, wanted->job); d->slots[at]; at = (at + 1) & d->slots_mask) {
		const uint32_t i = d->slots[at] - 1;

		fs_queue_row(d->eval.queue, i, &row);
		if (same_row(&row, wanted))
			return i;
		if (!exact && row.job == wanted->job && row.visible && i < other)
			other = i;
	}
	return other;
}

int data_compare(struct data *d, const struct data *old)
{
	const size_t n = fs_queue_count(d->eval.queue), nold = fs_queue_count(old->eval.queue);
	struct fs_queue_row was;

	d->was = malloc((n + 1) * sizeof(*d->was));
	d->was_in_partition = malloc((n + 1) * sizeof(*d->was_in_partition));
	if (!d->was || !d->was_in_partition || fill_slots(d))
		return -1;
	for (size_t i = 0; i < n; i++)
		d->was[i] = d->was_in_partition[i] = MOVE_NEW;
	for (size_t i = 0; i < nold; i++) {
		fs_queue_row(old->eval.queue, i, &was);
		const uint32_t is = look_up(d, &was, true);

		if (is == FS_NO_ROW)
			continue;
		d->was[is] = was.position;
		d->was_in_partition[is] = was.partition_position;
	}
	return 0;
}

/* Only the first snapshot has no slots: nothing was selected before it. */
uint32_t data_find_job(const struct data *d, uint64_t job, const char *partition, const char *qos)
{
	const struct fs_queue_row wanted = { .job = job, .partition = partition, .qos = qos };

	return d->slots ? look_up(d, &wanted, false) : FS_NO_ROW;
}
