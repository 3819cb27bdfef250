/* Bump allocator: everything of one snapshot or one result lives and dies together.
 * Built with FSI_ARENA_DEBUG each allocation is its own malloc, so that sanitizers see overruns. */
#ifndef FSI_BASE_MEMORY_ARENA_H
#define FSI_BASE_MEMORY_ARENA_H

#include <stddef.h>

struct fsi_arena {
	struct fsi_arena_block *head;
	size_t used; /* bytes used in head */
};

/* All return NULL when memory runs out or n * size overflows. Memory is 16-byte aligned and zeroed. */
void *fsi_arena_alloc(struct fsi_arena *a, size_t size);
void *fsi_arena_array(struct fsi_arena *a, size_t n, size_t size);
void *fsi_arena_copy(struct fsi_arena *a, const void *data, size_t size);
char *fsi_arena_strndup(struct fsi_arena *a, const char *s, size_t len);

void fsi_arena_release(struct fsi_arena *a);

/* Empties the arena. Its last block is kept for what comes next, and only the part of it that was used is cleared
 * again. */
void fsi_arena_reset(struct fsi_arena *a);

#endif
