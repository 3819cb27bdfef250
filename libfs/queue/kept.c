/* The queue's records as an index keeps them, sorted and numbered: as everybody sees them, at the snapshot's own
 * time. */
#include "queue/queue.h"

#include "base/checksum.h"
#include "model/scheduler.h"

#include <stdlib.h>
#include <string.h>

/* To be raised with every change of what a queue's records come to, within a version. */
enum { RULES = 3 };

struct head {
	uint64_t build;
	uint64_t records;
	uint64_t recorded; /* rows of what was recorded, from which priorities are taken */
	uint64_t reserved;
};

_Static_assert(sizeof(struct head) % _Alignof(struct fsi_queue_record) == 0, "records begin right behind it");
_Static_assert(offsetof(struct fsi_queue_record, reason) + sizeof(uint16_t) == sizeof(struct fsi_queue_record),
	       "no padding: the same queue is the same bytes");

/* A hash of all that the numbers of a record stand for. */
static uint64_t build_of(void)
{
	const uint64_t sizes[] = { sizeof(struct fsi_queue_record), FS_SECTION_COUNT, FS_QUEUE_KEY_COUNT, FSI_BAR_SHUT,
				   RULES };
	struct fsi_checksum c;

	fsi_checksum_init(&c);
	fsi_checksum_add(&c, sizes, sizeof(sizes));
	for (size_t i = 0; fs_reason_at(i); i++)
		fsi_checksum_add(&c, fs_reason_at(i)->name, strlen(fs_reason_at(i)->name) + 1);
	return fsi_checksum_end(&c);
}

int fsi_queue_tables(struct fs_queue *q)
{
	q->record_of = malloc((q->m->job.n + 1) * sizeof(*q->record_of));
	q->end_of = calloc((size_t)q->m->names.count + 1, sizeof(*q->end_of));
	if (!q->record_of || !q->end_of)
		return -1;
	for (size_t i = 0; i < q->m->job.n; i++)
		q->record_of[i] = FSI_NO_INDEX;
	return 0;
}

/* ---- writing */

int fs_queue_keep(void **out, size_t *size, const fs_queue *q, struct fs_error *err)
{
	const size_t records = q->record.n * sizeof(*q->record.v);
	struct head *h;

	*out = NULL;
	*size = 0;
	if (!q->scheduler->keeps || q->preempts || q->het.n || q->computed)
		return 0;
	h = calloc(1, sizeof(*h) + records);
	if (!h)
		return fsi_nomem(err);
	h->build = build_of();
	h->records = q->record.n;
	h->recorded = q->m->recorded.n;
	if (records)
		memcpy(h + 1, q->record.v, records);
	*out = h;
	*size = sizeof(*h) + records;
	return 0;
}

/* ---- reading */

static bool is_flag(const bool *flag)
{
	unsigned char byte;

	memcpy(&byte, flag, sizeof(byte));
	return byte <= 1;
}

static bool good_flags(const struct fsi_queue_record *r)
{
	return is_flag(&r->tried) && is_flag(&r->eligible) && is_flag(&r->tasks_exact) && is_flag(&r->reserved) &&
	       is_flag(&r->direct);
}

/* A greater MaxArraySize is an error (src/common/read_config.c:_validate_and_set_defaults), so that no sum passes
 * what its number holds; a queue with more is computed. */
enum { TASKS_MAX = 4000001 };

static bool good_record(const struct fs_queue *q, const struct fsi_queue_record *r, uint32_t i, size_t reasons)
{
	const fs_snapshot *m = q->m;
	const bool placed = r->partition == FSI_NO_INDEX ||
			    (r->partition < m->partition.n && m->partition.v[r->partition].name == r->partition_name);

	return r->job < m->job.n && placed && r->partition_name < m->names.count && r->qos < m->names.count &&
	       r->key < FS_QUEUE_KEY_COUNT && r->partition_key < FS_QUEUE_KEY_COUNT && r->section < FS_SECTION_COUNT &&
	       r->bar <= FSI_BAR_SHUT && r->reason <= reasons && (r->before == FS_NO_ROW || r->before < i) &&
	       r->position <= q->record.n && r->partition_position <= q->record.n && r->tasks &&
	       r->tasks <= TASKS_MAX && good_flags(r);
}

/* Goes from the last record to the first, so that each one's next is known. Each eligible one behind another must
 * have a key that puts it there. */
static bool good_records(struct fs_queue *q)
{
	size_t reasons = 0;
	bool keyless = false;

	while (fs_reason_at(reasons))
		reasons++;
	for (size_t i = q->record.n; i-- > 0;) {
		const struct fsi_queue_record *r = &q->record.v[i];

		if (!good_record(q, r, (uint32_t)i, reasons) || r->next != fsi_queue_note(q, (uint32_t)i) ||
		    (r->eligible && keyless))
			return false;
		keyless = r->eligible ? r->key == FS_QUEUE_KEY_NONE : keyless;
	}
	return true;
}

static bool fits(const fs_snapshot *m, const struct head *h)
{
	const size_t room = (m->kept.size - sizeof(*h)) / sizeof(struct fsi_queue_record);

	return h->build == build_of() && h->recorded == m->recorded.n && h->records <= room &&
	       h->records < FSI_NO_INDEX &&
	       m->kept.size == sizeof(*h) + h->records * sizeof(struct fsi_queue_record);
}

void fsi_queue_take_kept(struct fs_queue *q)
{
	const struct head *h = q->m->kept.bytes;

	if (q->m->kept.size < sizeof(*h) || !q->scheduler->keeps || q->computed || !fits(q->m, h))
		return;
	q->record.v = (void *)(uintptr_t)(h + 1);
	q->record.n = q->record.cap = h->records;
	q->kept = !fsi_queue_tables(q) && good_records(q);
	if (q->kept)
		return;
	free(q->record_of);
	free(q->end_of);
	q->record_of = NULL;
	q->end_of = NULL;
	q->record.v = NULL;
	q->record.n = q->record.cap = 0;
}
