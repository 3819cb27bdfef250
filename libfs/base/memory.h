/* Memory management: an arena for objects that are freed together, a table of interned strings, a checksum and
 * comparison of bytes, and growing arrays. Zeroed structs are valid and empty; the caller releases them. */
#ifndef FSI_BASE_MEMORY_H
#define FSI_BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <stdlib.h>

/* Arena: allocates by advancing a pointer in large blocks. All objects of one snapshot or one result are freed
 * together. If built with FSI_ARENA_DEBUG, each allocation has its own block from calloc, so that sanitizers detect
 * overruns. */

struct fsi_arena {
	struct fsi_arena_block *head;
	size_t used; /* bytes used in the block `head` */
};

/* The allocation functions return NULL if out of memory or if n * size overflows. Their memory is 16-byte aligned and
 * zeroed. */
void *fsi_arena_alloc(struct fsi_arena *a, size_t size);
void *fsi_arena_array(struct fsi_arena *a, size_t n, size_t size);
void *fsi_arena_copy(struct fsi_arena *a, const void *data, size_t size);
char *fsi_arena_strndup(struct fsi_arena *a, const char *s, size_t len);

void fsi_arena_release(struct fsi_arena *a);

/* Empties the arena. Its last block remains allocated for later use, and the used part of that block is zeroed. */
void fsi_arena_reset(struct fsi_arena *a);

/* Interned strings: maps byte strings to dense 32-bit ids and back. Equal strings have equal ids; id 0 is the empty
 * string. */

struct fsi_intern {
	struct fsi_arena arena;
	struct fsi_intern_entry *entries; /* the interned strings, indexed by id */
	struct fsi_intern_slot *slots;    /* hash table, at most half full */
	uint32_t count, cap, nslots;
	bool failed; /* an earlier fsi_intern_add returned FSI_INTERN_FAILED */
};

/* An entry of the hash table. A lookup compares the hash first. The lookup reads the string only if the hashes are
 * equal. */
struct fsi_intern_slot {
	uint32_t hash, id; /* id 0: the entry is free */
};

struct fsi_intern_entry {
	const char *bytes; /* NUL-terminated (len excludes the NUL); 16-byte aligned if the table made the copy */
	uint32_t len, hash;
};

enum { FSI_INTERN_FAILED = UINT32_MAX };

/* Returns the id of s and adds s if it is new; FSI_INTERN_FAILED if out of memory or if no 32-bit id is left. */
uint32_t fsi_intern_add(struct fsi_intern *t, const void *s, size_t len);

/* Reserves capacity for n more strings. Returns -1 if out of memory. */
int fsi_intern_reserve(struct fsi_intern *t, uint32_t n);

/* Functions to add many strings without copying them. The table must be empty, and fsi_intern_reserve must have
 * reserved capacity. fsi_intern_add_borrowed adds one string. The string must not be empty, must end with a NUL and
 * must outlive the table. After the last string, call fsi_intern_index_borrowed, which fills the hash table and returns
 * false if two strings are equal; the table is then unusable. */
void fsi_intern_add_borrowed(struct fsi_intern *t, const char *s, uint32_t len);
bool fsi_intern_index_borrowed(struct fsi_intern *t);

/* Returns the id of s, or 0 if s is not in the table. */
uint32_t fsi_intern_find_id(const struct fsi_intern *t, const void *s, size_t len);

/* Returns the string with the given id, borrowed until the table is released; "" if the id is 0 or not in the table. */
static inline const char *fsi_intern_get_string(const struct fsi_intern *t, uint32_t id)
{
	return id < t->count ? t->entries[id].bytes : "";
}

static inline uint32_t fsi_intern_get_length(const struct fsi_intern *t, uint32_t id)
{
	return id < t->count ? t->entries[id].len : 0;
}

/* Copies all ids and strings into the table `to`, which must be zeroed. Returns -1 if out of memory. The caller
 * releases `to`, even after an error. */
int fsi_intern_copy(struct fsi_intern *to, const struct fsi_intern *from);

void fsi_intern_release(struct fsi_intern *t);

/* Bytes in memory: a checksum, comparison and unaligned loads. No function allocates memory or
 * fails. */

/* Checksum that detects accidental damage; it does not protect against deliberate changes. The checksum is computed by
 * multiplication in FSI_CHECKSUM_LANES independent lanes of eight bytes, so that no multiplication waits for the result
 * of the previous one. */

enum { FSI_CHECKSUM_LANES = 16, FSI_CHECKSUM_STEP = 8 * FSI_CHECKSUM_LANES };

struct fsi_checksum {
	uint64_t lane[FSI_CHECKSUM_LANES], bytes;
};

void fsi_checksum_init(struct fsi_checksum *c);

/* Adds the `size` bytes at `data` to the checksum. In every call but the last, `size` is a multiple of
 * FSI_CHECKSUM_STEP. The last bytes are padded with zeros to a whole step. */
void fsi_checksum_add(struct fsi_checksum *c, const void *data, size_t size);
uint64_t fsi_checksum_end(const struct fsi_checksum *c);

uint64_t fsi_checksum_of_bytes(const void *data, size_t size);

/* Inline comparison and loads. Keys and names are short, so a call to memcmp would take longer than the comparison. */

static inline uint64_t fsi_load_word(const void *s)
{
	uint64_t word;

	memcpy(&word, s, sizeof(word));
	return word;
}

static inline uint32_t fsi_load_half_word(const void *s)
{
	uint32_t half;

	memcpy(&half, s, sizeof(half));
	return half;
}

/* Returns true if the `len` bytes at `x` and `y` are equal. The last step may compare some bytes a second time. */
static inline bool fsi_is_equal_bytes(const void *x, const void *y, size_t len)
{
	const unsigned char *a = x, *b = y;

	if (len < 4) {
		while (len && a[len - 1] == b[len - 1])
			len--;
		return !len;
	}
	if (len < 8)
		return fsi_load_half_word(a) == fsi_load_half_word(b) &&
		       fsi_load_half_word(a + len - 4) == fsi_load_half_word(b + len - 4);
	for (; len > 8; a += 8, b += 8, len -= 8)
		if (fsi_load_word(a) != fsi_load_word(b))
			return false;
	return fsi_load_word(a + len - 8) == fsi_load_word(b + len - 8);
}

/* Growing arrays, and comparison functions for integers. The owner of an array frees it with FSI_VEC_FREE; a zeroed
 * array is empty. */

/* Arrays whose capacity is doubled by realloc. For large arrays, the C library remaps pages instead of copying them. */

/* arrays with elements of at least this size in bytes have an initial capacity of 2 elements, others of 16 */
enum { FSI_VEC_LARGE = 64 };

/* Ensures capacity for one more element of `size` bytes. Returns 0, or -1 if out of memory; *items is then
 * unchanged. */
static inline int fsi_vec_reserve(void **items, size_t *cap, size_t count, size_t size)
{
	size_t want;
	void *p;

	if (count < *cap)
		return 0;
	want = *cap ? *cap * 2 : size < FSI_VEC_LARGE ? 16 : 2;
	if (want < *cap || want > SIZE_MAX / size)
		return -1;
	p = realloc(*items, want * size);
	if (!p)
		return -1;
	*items = p;
	*cap = want;
	return 0;
}

#define FSI_VEC(T)                                                                                 \
	struct {                                                                                   \
		T *v;                                                                              \
		size_t n, cap;                                                                     \
	}

/* Ensures capacity for one more element, so that (vec)->v[(vec)->n] may be written. Evaluates to 0, or to -1 if out of
 * memory. */
#define FSI_VEC_RESERVE(vec) fsi_vec_reserve((void **)&(vec)->v, &(vec)->cap, (vec)->n, sizeof(*(vec)->v))

/* Appends one zeroed element and evaluates to its address; NULL if out of memory. */
#define FSI_VEC_ADD(vec) (FSI_VEC_RESERVE(vec) ? NULL : memset(&(vec)->v[(vec)->n++], 0, sizeof(*(vec)->v)))

#define FSI_VEC_FREE(vec)                                                                          \
	do {                                                                                       \
		free((vec)->v);                                                                    \
		(vec)->v = NULL;                                                                   \
		(vec)->n = (vec)->cap = 0;                                                         \
	} while (0)

/* Comparison of integers in ascending order. fsi_compare_u64 compares two values; the other functions are callbacks
 * of qsort and bsearch. */

static inline int fsi_compare_u64(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

int fsi_compare_rising_u32(const void *a, const void *b);
int fsi_compare_rising_u64(const void *a, const void *b);
int fsi_compare_rising_i64(const void *a, const void *b);

#endif
