/* Memory management: an arena for objects that are freed together, and a table of interned strings. Zeroed structs are
 * valid and empty; the caller releases them. */
#ifndef FSI_BASE_MEMORY_H
#define FSI_BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Arena: allocates by advancing a pointer in large blocks. All objects of one snapshot or one result are freed
 * together. If built with FSI_ARENA_DEBUG, each allocation has its own block from calloc, so that sanitizers detect
 * overruns. */

struct fsi_arena {
	struct fsi_arena_block *head;
	size_t used; /* bytes used in the block `head` */
};

/* Allocation functions return NULL if out of memory or if n * size overflows. Memory is 16-byte aligned and zeroed. */
void *fsi_arena_alloc(struct fsi_arena *a, size_t size);
void *fsi_arena_array(struct fsi_arena *a, size_t n, size_t size);
void *fsi_arena_copy(struct fsi_arena *a, const void *data, size_t size);
char *fsi_arena_strndup(struct fsi_arena *a, const char *s, size_t len);

void fsi_arena_release(struct fsi_arena *a);

/* Empties the arena. The last block remains allocated for later use; only the used part of it is zeroed again. */
void fsi_arena_reset(struct fsi_arena *a);

/* Interned strings: maps byte strings to dense 32-bit ids and back. Equal strings have equal ids; id 0 is the empty
 * string. */

struct fsi_intern {
	struct fsi_arena arena;
	struct fsi_intern_entry *entries; /* array indexed by id */
	struct fsi_intern_slot *slots;    /* hash table, at most half full */
	uint32_t count, cap, nslots;
};

/* A slot stores the hash beside the id, so that a probe of another string's slot reads no other memory. */
struct fsi_intern_slot {
	uint32_t hash, id; /* id 0: the slot is free */
};

struct fsi_intern_entry {
	const char *bytes; /* NUL-terminated (the NUL is not counted in len); 16-byte aligned if copied by the table */
	uint32_t len, hash;
};

enum { FSI_INTERN_FAILED = UINT32_MAX };

/* Returns the id of s and adds s if it is new; FSI_INTERN_FAILED if out of memory or if no 32-bit id is left. */
uint32_t fsi_intern_add(struct fsi_intern *t, const void *s, size_t len);

/* Reserves capacity for n more strings. Returns -1 if out of memory. */
int fsi_intern_reserve(struct fsi_intern *t, uint32_t n);

/* Bulk loading of strings that stay in the caller's memory, into an empty table for which fsi_intern_reserve has
 * reserved capacity. fsi_intern_add_borrowed adds one string without a copy: s is not empty, ends with a NUL and
 * outlives the table. fsi_intern_index_borrowed then fills the hash table. It returns false if two strings are equal;
 * the table is then unusable. */
void fsi_intern_add_borrowed(struct fsi_intern *t, const char *s, uint32_t len);
bool fsi_intern_index_borrowed(struct fsi_intern *t);

/* Returns the id of s, or 0 if s is not in the table. */
uint32_t fsi_intern_find_id(const struct fsi_intern *t, const void *s, size_t len);

/* Returns the string of an id, borrowed until the table is released; "" for id 0 and for ids not in the table. */
static inline const char *fsi_intern_get_string(const struct fsi_intern *t, uint32_t id)
{
	return id < t->count ? t->entries[id].bytes : "";
}

static inline uint32_t fsi_intern_get_length(const struct fsi_intern *t, uint32_t id)
{
	return id < t->count ? t->entries[id].len : 0;
}

/* Copies ids and strings into `to`, which must be zeroed. Returns -1 if out of memory. In both cases the caller
 * releases `to`. */
int fsi_intern_copy(struct fsi_intern *to, const struct fsi_intern *from);

void fsi_intern_release(struct fsi_intern *t);

#endif
