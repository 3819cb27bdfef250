/* Many rows by several threads: blocks of neighbouring rows go into memory, in a ring, and from there to standard
 * output in their order, by whichever thread is free. Nobody waits: who finds nothing to do is done. */
#include "render/emit.h"
#include "threads.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

enum { FEW = 2000, ROWS = 1024, THREADS_MAX = 8, RING_MAX = 2 * THREADS_MAX + 1 };

struct block {
	FILE *to;
	char *bytes;
	size_t size;
	atomic_bool ready;
};

struct blocks {
	void (*put)(FILE *out, const void *of, size_t i);
	const void *of;
	size_t rows, n;		       /* n: blocks */
	struct block block[RING_MAX];  /* block i is in i % ring */
	size_t ring;
	atomic_size_t begun, written;  /* so many */
	atomic_flag writing;	       /* somebody is */
};

static void put_rows(const struct blocks *b, FILE *out, size_t block)
{
	const size_t first = block * ROWS, end = b->rows - first < ROWS ? b->rows : first + ROWS;

	for (size_t i = first; i < end; i++)
		b->put(out, b->of, i);
}

static bool put_next(struct blocks *b)
{
	size_t i = b->begun;

	while (i < b->n && i < b->written + b->ring)
		if (atomic_compare_exchange_weak(&b->begun, &i, i + 1)) {
			put_rows(b, b->block[i % b->ring].to, i);
			b->block[i % b->ring].ready = true;
			return true;
		}
	return false;
}

/* A block for which there was no memory is put once more, where it belongs. */
static void write_block(const struct blocks *b, struct block *block, size_t i)
{
	if (fflush(block->to) || ferror(block->to))
		put_rows(b, stdout, i);
	else
		fwrite(block->bytes, 1, block->size, stdout);
	clearerr(block->to);
	rewind(block->to);
	block->ready = false;
}

static bool write_next(struct blocks *b)
{
	bool found = false;

	if (!atomic_flag_test_and_set(&b->writing)) {
		struct block *block = &b->block[b->written % b->ring];

		found = b->written < b->n && block->ready;
		if (found) {
			write_block(b, block, b->written);
			b->written++;
		}
		atomic_flag_clear(&b->writing);
	}
	return found;
}

static void work(void *arg, size_t i)
{
	struct blocks *b = arg;

	(void)i;
	while (write_next(b) || put_next(b))
		;
}

static void begin(struct blocks *b, size_t threads)
{
	while (threads > 1 && b->ring < 2 * threads + 1) {
		struct block *next = &b->block[b->ring];

		next->to = open_memstream(&next->bytes, &next->size);
		if (!next->to)
			return;
		b->ring++;
	}
}

static void end(struct blocks *b)
{
	while (b->ring--) {
		fclose(b->block[b->ring].to);
		free(b->block[b->ring].bytes);
	}
}

void emit_rows(size_t n, void (*put)(FILE *out, const void *of, size_t i), const void *of)
{
	struct blocks b = { .put = put, .of = of, .rows = n, .n = (n + ROWS - 1) / ROWS, .writing = ATOMIC_FLAG_INIT };
	const size_t wanted = n < FEW ? 1 : threads_wanted(), threads = wanted < THREADS_MAX ? wanted : THREADS_MAX;

	begin(&b, threads);
	if (b.ring)
		threads_run(NULL, threads, work, &b);
	while (b.ring && write_next(&b))
		;
	for (size_t i = b.written; i < b.n; i++)
		put_rows(&b, stdout, i);
	end(&b);
}
