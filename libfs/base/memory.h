/* Memory: an arena for everything that lives and dies together, and interned strings and sets. */
#ifndef FSI_BASE_MEMORY_H
#define FSI_BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bump allocator: everything of one snapshot or one result lives and dies together.
 * Built with FSI_ARENA_DEBUG each allocation is its own malloc, so that sanitizers see overruns. */

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

/* Byte strings to dense 32-bit ids and back. Id 0 is the empty string; equal bytes, equal id. */

struct fsi_intern {
	struct fsi_arena arena;
	struct fsi_intern_entry *entries; /* by id */
	struct fsi_intern_slot *slots;    /* hash table, at most half full */
	uint32_t count, cap, nslots;
};

/* With the hash next to the id a probe that misses touches nothing else. */
struct fsi_intern_slot {
	uint32_t hash, id; /* id 0: free */
};

struct fsi_intern_entry {
	const char *bytes; /* 16-byte aligned where copied, followed by a NUL that is not counted */
	uint32_t len, hash;
};

enum { FSI_INTERN_FAILED = UINT32_MAX };

/* The id of s, added if new; FSI_INTERN_FAILED when memory (or 32 bits) run out. */
uint32_t fsi_intern(struct fsi_intern *t, const void *s, size_t len);

/* Room for n more without growing on the way; -1 without memory. */
int fsi_intern_room(struct fsi_intern *t, uint32_t n);

/* Strings that are written elsewhere, into a table that has room for them and no others: each is listed without a copy
 * (s is not empty, ends with a NUL, stays where it is and outlives the table), then all are put where they are found.
 * False where two are equal: the table is of no use then. */
void fsi_intern_list(struct fsi_intern *t, const char *s, uint32_t len);
bool fsi_intern_place(struct fsi_intern *t);

/* The id of s, or 0 if it was never added. */
uint32_t fsi_intern_find(const struct fsi_intern *t, const void *s, size_t len);

/* Borrowed until the table is released; "" for id 0. */
static inline const char *fsi_intern_str(const struct fsi_intern *t, uint32_t id)
{
	return id < t->count ? t->entries[id].bytes : "";
}

static inline uint32_t fsi_intern_len(const struct fsi_intern *t, uint32_t id)
{
	return id < t->count ? t->entries[id].len : 0;
}

/* Copies ids and bytes into a table that is all 0. -1 without memory; the caller releases the copy in any case. */
int fsi_intern_copy(struct fsi_intern *to, const struct fsi_intern *from);

void fsi_intern_release(struct fsi_intern *t);

#endif
