/* Records are put into their total order. The keys up to the priority become two numbers, by which records are
 * sorted digit by digit without being looked at; those equal in both are then compared key by key. */
#include "queue/queue.h"

#include "base/bytes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The place with the lesser numbers goes first. */
struct place {
	uint64_t head, tail;
	uint32_t record;
};

/* The keys before the priority as one number, as far as they fit: higher values go first. */
static uint64_t head_of(const struct fs_queue *q, const struct fsi_queue_record *r, bool *whole)
{
	uint64_t head = r->tried;

	*whole = false;
	for (size_t i = 0; i < q->scheduler->nkeys; i++)
		switch (q->scheduler->keys[i].key) {
		case FS_QUEUE_KEY_PREEMPTION: /* where nobody preempts it decides nothing */
			break;
		case FS_QUEUE_KEY_RESERVATION:
			head = head << 1 | r->reserved;
			break;
		case FS_QUEUE_KEY_TIER:
			head = head << 32 | r->tier;
			break;
		case FS_QUEUE_KEY_PRIORITY:
			*whole = true;
			return ~head;
		default:
			return ~(uint64_t)r->tried;
		}
	return ~(uint64_t)r->tried;
}

/* A number that rises as the priority falls; unknown ones go last. */
static uint64_t tail_of(double priority)
{
	const double p = priority + 0.0; /* no -0 */
	uint64_t bits;

	if (isnan(p))
		return UINT64_MAX;
	memcpy(&bits, &p, sizeof(bits));
	return bits >> 63 ? bits : ~(bits | (uint64_t)1 << 63);
}

/* ---- digits, from the last of the tail to the first of the head */

enum { DIGIT_BITS = 11, VALUES = 1 << DIGIT_BITS, OF_EACH = 6, DIGITS = 2 * OF_EACH };

static unsigned digit_of(const struct place *p, unsigned d)
{
	return (unsigned)((d < OF_EACH ? p->tail : p->head) >> d % OF_EACH * DIGIT_BITS) &
	       (VALUES - 1);
}

static void count_digits(const struct place *v, size_t n, uint32_t (*count)[VALUES])
{
	for (size_t i = 0; i < n; i++)
		for (unsigned d = 0; d < DIGITS; d++)
			count[d][digit_of(&v[i], d)]++;
}

/* Finds where the places of each value begin; false if all have the same value, so that there is nothing to do. */
static bool begin_values(uint32_t *count, size_t n)
{
	uint32_t at = 0;

	for (unsigned v = 0; v < VALUES; v++) {
		const uint32_t here = count[v];

		if (here == n)
			return false;
		count[v] = at;
		at += here;
	}
	return true;
}

static int by_numbers(const void *x, const void *y, const void *ctx)
{
	const struct place *a = x, *b = y;

	(void)ctx;
	if (a->head != b->head)
		return a->head < b->head ? -1 : 1;
	return (a->tail > b->tail) - (a->tail < b->tail);
}

/* Sorts *v, for which *other has room; the two may change places. Equal ones keep their order. To count digits takes
 * as long as to compare a few hundred. */
static int sort_digits(struct place **v, struct place **other, size_t n)
{
	enum { FEW = 500 };
	uint32_t(*count)[VALUES];

	if (n < FEW)
		return fs_sort(*v, n, sizeof(**v), by_numbers, NULL);
	count = calloc(DIGITS, sizeof(*count));
	if (!count)
		return -1;
	count_digits(*v, n, count);
	for (unsigned d = 0; d < DIGITS; d++) {
		struct place *from = *v, *to = *other;

		if (!begin_values(count[d], n))
			continue;
		for (size_t i = 0; i < n; i++)
			to[count[d][digit_of(&from[i], d)]++] = from[i];
		*v = to;
		*other = from;
	}
	free(count);
	return 0;
}

/* ---- what is equal so far */

static int compare_ties(const void *x, const void *y, const void *ctx)
{
	const struct place *a = x, *b = y;
	const struct fs_queue *q = ctx;
	int c;

	fsi_queue_first_key(q, &q->record.v[a->record], &q->record.v[b->record], &c);
	return c;
}

static bool in_order(const struct fs_queue *q, const struct place *v, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (compare_ties(&v[i - 1], &v[i], q) > 0)
			return false;
	return true;
}

static int sort_ties(const struct fs_queue *q, struct place *v, size_t n)
{
	for (size_t i = 0, end; i < n; i = end) {
		for (end = i + 1; end < n && v[end].head == v[i].head && v[end].tail == v[i].tail;)
			end++;
		if (!in_order(q, v + i, end - i) && fs_sort(v + i, end - i, sizeof(*v), compare_ties, q))
			return -1;
	}
	return 0;
}

/* ---- */

enum { SOON = 8 }; /* so many records are on their way from memory while one is moved */

/* Goes on to the next record of the cycle that begins at i, and fetches it; stays at its last one. */
static size_t fetch_next(const struct fsi_queue_record *v, const uint32_t *from, size_t at, size_t i)
{
	if (from[at] == i)
		return at;
	fsi_fetch(&v[from[at]], sizeof(*v));
	return from[at];
}

/* Moves each record to its place, round each cycle of records that take each other's places, so that no second array
 * is needed. from[i] is the record that comes to place i; it is used up. */
static void move_records(struct fsi_queue_record *v, uint32_t *from, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct fsi_queue_record first = v[i];
		size_t at = i, soon = i;

		for (int k = 0; k < SOON; k++)
			soon = fetch_next(v, from, soon, i);
		while (from[at] != i) {
			const size_t next = from[at];

			soon = fetch_next(v, from, soon, i);
			v[at] = v[next];
			from[at] = (uint32_t)at;
			at = next;
		}
		v[at] = first;
		from[at] = (uint32_t)at;
	}
}

/* ---- where preemption or het jobs relate pairs the queue is what the scheduler's own sort makes of them */

struct job_list {
	const struct fs_queue *q;
	uint64_t *place; /* fs_jobs_listed */
};

/* In the order of the list of jobs, and of the job's own lists. */
static int compare_table(const void *x, const void *y, const void *ctx)
{
	const struct job_list *l = ctx;
	const struct fsi_queue_record *a = &l->q->record.v[*(const uint32_t *)x],
				      *b = &l->q->record.v[*(const uint32_t *)y];
	const uint64_t p = l->place[a->job], r = l->place[b->job];

	return p != r ? (p > r) - (p < r) : (a->listed > b->listed) - (a->listed < b->listed);
}

/* The records that a job which prefers features has beside its own, right before each (job_queue_append_internal). */
enum { PREFERS = 1u << 31 };

/* As the merge sort of the C library (stdlib/msort.c), half by half: where comparisons make no order the result
 * depends on which of them are made. tmp has room for all. */
static void merge_pairs(const struct fs_queue *q, uint32_t *v, uint32_t *tmp, size_t n)
{
	const size_t half = n / 2;
	size_t a = 0, b = half, out = 0;
	int c;

	if (n < 2)
		return;
	merge_pairs(q, v, tmp, half);
	merge_pairs(q, v + half, tmp, n - half);
	while (a < half && b < n) {
		fsi_queue_first_key(q, &q->record.v[v[a] & ~PREFERS], &q->record.v[v[b] & ~PREFERS], &c);
		tmp[out++] = c <= 0 ? v[a++] : v[b++];
	}
	while (a < half)
		tmp[out++] = v[a++];
	memcpy(v, tmp, out * sizeof(*v));
}

/* Copies what stands in the scheduler's queue; returns how many. */
static size_t pick_queue(const struct fs_queue *q, const uint32_t *from, size_t n, uint32_t *to)
{
	size_t out = 0;

	for (size_t i = 0; i < n; i++) {
		const struct fsi_queue_record *r = &q->record.v[from[i]];

		if (!r->tried && !r->passed_over)
			continue;
		if (fsi_job_rare(q->m, &q->m->job.v[r->job])->prefer)
			to[out++] = from[i] | PREFERS;
		to[out++] = from[i];
	}
	return out;
}

/* Copies the records that are tried, or those that are not; returns how many. */
static size_t pick(const struct fs_queue *q, const uint32_t *from, size_t n, bool tried, uint32_t *to)
{
	size_t out = 0;

	for (size_t i = 0; i < n; i++)
		if (!(from[i] & PREFERS) && q->record.v[from[i]].tried == tried)
			to[out++] = from[i];
	return out;
}

/* Those tried first, in the order of the scheduler's queue, in which others stand that are passed over when their turn
 * comes; then those that are not tried. table: all n of them in the order of the controller's list; queue and tmp have
 * room for twice as many. */
static void sort_line(const struct fs_queue *q, const uint32_t *table, uint32_t *line, uint32_t *queue, uint32_t *tmp,
		      size_t n)
{
	const size_t queued = pick_queue(q, table, n, queue);
	size_t tried;

	merge_pairs(q, queue, tmp, queued);
	tried = pick(q, queue, queued, true, line);
	merge_pairs(q, line + tried, tmp, pick(q, table, n, false, line + tried));
}

static int sort_pairs(struct fs_queue *q)
{
	const size_t n = q->record.n;
	uint32_t *v = malloc((n + 1) * sizeof(*v)), *line = malloc((n + 1) * sizeof(*line)),
		 *queue = malloc((2 * n + 1) * sizeof(*queue)), *tmp = malloc((2 * n + 1) * sizeof(*tmp));
	const struct job_list list = { q, malloc((q->m->job.n + 1) * sizeof(*list.place)) };
	int rc = v && line && queue && tmp && list.place ? fs_jobs_listed(q->m, list.place) : -1;

	for (uint32_t i = 0; !rc && i < n; i++)
		v[i] = i;
	if (!rc)
		rc = fs_sort(v, n, sizeof(*v), compare_table, &list) ? -1 : 0;
	if (!rc) {
		sort_line(q, v, line, queue, tmp, n);
		move_records(q->record.v, line, n);
	}
	free(list.place);
	free(v);
	free(line);
	free(queue);
	free(tmp);
	return rc;
}

/* ---- */

static int sort_keys(struct fs_queue *q)
{
	const size_t n = q->record.n;
	struct place *v = malloc((n + 1) * sizeof(*v)), *other = malloc((n + 1) * sizeof(*other));
	uint32_t *from;
	int rc = -1;

	for (size_t i = 0; v && i < n; i++) {
		const struct fsi_queue_record *r = &q->record.v[i];
		bool whole;

		v[i].head = head_of(q, r, &whole);
		v[i].tail = whole ? tail_of(r->priority) : 0;
		v[i].record = (uint32_t)i;
	}
	if (v && other && !sort_digits(&v, &other, n) && !sort_ties(q, v, n)) {
		from = (void *)other;
		for (size_t i = 0; i < n; i++)
			from[i] = v[i].record;
		move_records(q->record.v, from, n);
		rc = 0;
	}
	free(other);
	free(v);
	return rc;
}

int fsi_queue_sort(struct fs_queue *q)
{
	return q->preempts || q->het.n ? sort_pairs(q) : sort_keys(q);
}
