#include "base/memory/arena.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGN = 16, BLOCK = 64 * 1024 };

struct fsi_arena_block {
	struct fsi_arena_block *next;
	size_t size;
	_Alignas(16) unsigned char data[];
};

static struct fsi_arena_block *block_new(size_t size)
{
	struct fsi_arena_block *b;

	if (size > SIZE_MAX - sizeof(*b))
		return NULL;
	b = calloc(1, sizeof(*b) + size);
	if (b)
		b->size = size;
	return b;
}

void *fsi_arena_alloc(struct fsi_arena *a, size_t size)
{
	struct fsi_arena_block *b = a->head;
	void *p;

	if (size > SIZE_MAX - ALIGN)
		return NULL;
	size = (size + ALIGN - 1) & ~(size_t)(ALIGN - 1);
#ifdef FSI_ARENA_DEBUG
	const size_t block = size;
	const int fits = 0;
#else
	const size_t block = size > BLOCK / 4 ? size : BLOCK;
	const int fits = b && b->size - a->used >= size;
#endif
	if (fits) {
		p = b->data + a->used;
		a->used += size;
		return p;
	}
	struct fsi_arena_block *n = block_new(block);
	if (!n)
		return NULL;
	if (b && block == size) { /* a large object: keep filling the present block */
		n->next = b->next;
		b->next = n;
		return n->data;
	}
	n->next = b;
	a->head = n;
	a->used = size;
	return n->data;
}

void *fsi_arena_array(struct fsi_arena *a, size_t n, size_t size)
{
	if (size && n > SIZE_MAX / size)
		return NULL;
	return fsi_arena_alloc(a, n * size);
}

void *fsi_arena_copy(struct fsi_arena *a, const void *data, size_t size)
{
	void *p = fsi_arena_alloc(a, size);

	if (p && size)
		memcpy(p, data, size);
	return p;
}

char *fsi_arena_strndup(struct fsi_arena *a, const char *s, size_t len)
{
	char *p = len == SIZE_MAX ? NULL : fsi_arena_alloc(a, len + 1);

	if (p)
		memcpy(p, s, len);
	return p;
}

static void free_blocks(struct fsi_arena_block *b)
{
	while (b) {
		struct fsi_arena_block *next = b->next;

		free(b);
		b = next;
	}
}

void fsi_arena_release(struct fsi_arena *a)
{
	free_blocks(a->head);
	a->head = NULL;
	a->used = 0;
}

void fsi_arena_reset(struct fsi_arena *a)
{
#ifdef FSI_ARENA_DEBUG
	fsi_arena_release(a);
#else
	if (!a->head)
		return;
	free_blocks(a->head->next);
	a->head->next = NULL;
	memset(a->head->data, 0, a->used);
	a->used = 0;
#endif
}
