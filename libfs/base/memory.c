#include "base/memory.h"

#include "fs/base.h"

#include <stdlib.h>
#include <string.h>

enum { ARENA_ALIGN = 16, ARENA_BLOCK_BYTES = 64 * 1024 };

struct fsi_arena_block {
	struct fsi_arena_block *next;
	size_t size;
	_Alignas(16) unsigned char data[];
};

static struct fsi_arena_block *allocate_arena_block(size_t size)
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

	if (size > SIZE_MAX - ARENA_ALIGN)
		return NULL;
	size = (size + ARENA_ALIGN - 1) & ~(size_t)(ARENA_ALIGN - 1);
#ifdef FSI_ARENA_DEBUG
	const size_t block = size;
	const int fits = 0;
#else
	const size_t block = size > ARENA_BLOCK_BYTES / 4 ? size : ARENA_BLOCK_BYTES;
	const int fits = b && b->size - a->used >= size;
#endif
	if (fits) {
		p = b->data + a->used;
		a->used += size;
		return p;
	}
	struct fsi_arena_block *n = allocate_arena_block(block);
	if (!n)
		return NULL;
	/* A large object gets a block of its own; later small objects continue to fill the current block. */
	if (b && block == size) {
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

static void free_arena_blocks(struct fsi_arena_block *b)
{
	while (b) {
		struct fsi_arena_block *next = b->next;

		free(b);
		b = next;
	}
}

void fsi_arena_release(struct fsi_arena *a)
{
	free_arena_blocks(a->head);
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
	free_arena_blocks(a->head->next);
	a->head->next = NULL;
	memset(a->head->data, 0, a->used);
	a->used = 0;
#endif
}

enum { FIRST_SLOTS = 256, FIRST_ENTRIES = 128 };

static uint64_t mix_hash_word(uint64_t h, uint64_t word)
{
	h = (h ^ word) * 0x9e3779b97f4a7c15u;
	return h ^ h >> 32;
}

/* Multiplicative hash that takes eight bytes per step. Each multiplication waits for the result of the previous one, so
 * one step per byte would take longer. The last step reads the last eight bytes, even if the previous step has read
 * some bytes. Reading bytes twice is faster than a function call for the remaining bytes. */
static uint32_t hash_string_bytes(const unsigned char *s, size_t len)
{
	uint64_t h = len, word = 0;

	if (len < 8) {
		for (size_t i = 0; i < len; i++)
			word = word << 8 | s[i];
		return (uint32_t)mix_hash_word(h, word);
	}
	for (; len > 8; s += 8, len -= 8)
		h = mix_hash_word(h, fsi_load_word(s));
	return (uint32_t)mix_hash_word(h, fsi_load_word(s + len - 8));
}

static int grow_intern_slots(struct fsi_intern *t, uint32_t n)
{
	struct fsi_intern_slot *slots = calloc(n, sizeof(*slots));

	if (!slots)
		return -1;
	for (uint32_t id = 1; id < t->count; id++) {
		uint32_t i = t->entries[id].hash & (n - 1);

		while (slots[i].id)
			i = (i + 1) & (n - 1);
		slots[i] = (struct fsi_intern_slot){ t->entries[id].hash, id };
	}
	free(t->slots);
	t->slots = slots;
	t->nslots = n;
	return 0;
}

static int grow_intern_entries(struct fsi_intern *t, uint32_t cap)
{
	struct fsi_intern_entry *e;

	if (cap > UINT32_MAX / 4)
		return -1;
	e = realloc(t->entries, cap * sizeof(*e));
	if (!e)
		return -1;
	t->entries = e;
	t->cap = cap;
	if (!t->count)
		t->entries[t->count++] = (struct fsi_intern_entry){ "", 0, 0 };
	return 0;
}

int fsi_intern_reserve(struct fsi_intern *t, uint32_t n)
{
	const uint64_t all = (uint64_t)t->count + n + 1;
	uint64_t slots = t->nslots ? t->nslots : FIRST_SLOTS;

	while (slots < (all + 1) * 2)
		slots *= 2;
	if (all > UINT32_MAX / 4 || (all > t->cap && grow_intern_entries(t, (uint32_t)all)))
		return -1;
	return slots > t->nslots ? grow_intern_slots(t, (uint32_t)slots) : 0;
}

/* Returns the index of the hash table entry that contains s, or of the free entry where s has to be inserted. */
static uint32_t find_intern_slot(const struct fsi_intern *t, const unsigned char *s, size_t len, uint32_t hash)
{
	uint32_t i = hash & (t->nslots - 1);

	for (; t->slots[i].id; i = (i + 1) & (t->nslots - 1)) {
		const struct fsi_intern_entry *e = &t->entries[t->slots[i].id];

		if (t->slots[i].hash == hash && e->len == len && fsi_is_equal_bytes(e->bytes, s, len))
			break;
	}
	return i;
}

static uint32_t add_hashed_string(struct fsi_intern *t, const void *s, size_t len, uint32_t hash)
{
	uint32_t slot;

	if ((t->count + 1) * 2ull > t->nslots && grow_intern_slots(t, t->nslots ? t->nslots * 2 : FIRST_SLOTS))
		return FSI_INTERN_FAILED;
	slot = find_intern_slot(t, s, len, hash);
	if (t->slots[slot].id)
		return t->slots[slot].id;
	if (t->count >= t->cap && grow_intern_entries(t, t->cap ? t->cap * 2 : FIRST_ENTRIES))
		return FSI_INTERN_FAILED;
	const char *copy = fsi_arena_strndup(&t->arena, s, len);
	if (!copy)
		return FSI_INTERN_FAILED;
	t->entries[t->count] = (struct fsi_intern_entry){ copy, (uint32_t)len, hash };
	t->slots[slot] = (struct fsi_intern_slot){ hash, t->count };
	return t->count++;
}

uint32_t fsi_intern_add(struct fsi_intern *t, const void *s, size_t len)
{
	uint32_t id;

	if (!len)
		return 0;
	id = len >= UINT32_MAX ? FSI_INTERN_FAILED : add_hashed_string(t, s, len, hash_string_bytes(s, len));
	t->failed |= id == FSI_INTERN_FAILED;
	return id;
}

uint32_t fsi_intern_find_id(const struct fsi_intern *t, const void *s, size_t len)
{
	if (!len || !t->nslots)
		return 0;
	return t->slots[find_intern_slot(t, s, len, hash_string_bytes(s, len))].id;
}

void fsi_intern_add_borrowed(struct fsi_intern *t, const char *s, uint32_t len)
{
	t->entries[t->count++] = (struct fsi_intern_entry){ s, len, hash_string_bytes((const unsigned char *)s, len) };
}

bool fsi_intern_index_borrowed(struct fsi_intern *t)
{
	for (uint32_t id = 1; id < t->count; id++) {
		const struct fsi_intern_entry *e = &t->entries[id];
		struct fsi_intern_slot *slot =
			&t->slots[find_intern_slot(t, (const unsigned char *)e->bytes, e->len, e->hash)];

		if (slot->id)
			return false;
		*slot = (struct fsi_intern_slot){ e->hash, id };
	}
	return true;
}

int fsi_intern_copy(struct fsi_intern *to, const struct fsi_intern *from)
{
	if (!from->count)
		return 0;
	to->entries = malloc(from->count * sizeof(*to->entries));
	to->slots = malloc(from->nslots * sizeof(*to->slots));
	if (!to->entries || !to->slots)
		return -1;
	memcpy(to->slots, from->slots, from->nslots * sizeof(*to->slots));
	to->cap = from->count;
	to->nslots = from->nslots;
	for (; to->count < from->count; to->count++) {
		const struct fsi_intern_entry *e = &from->entries[to->count];
		const char *bytes = e->len ? fsi_arena_strndup(&to->arena, e->bytes, e->len) : "";

		if (!bytes)
			return -1;
		to->entries[to->count] = (struct fsi_intern_entry){ bytes, e->len, e->hash };
	}
	return 0;
}

void fsi_intern_release(struct fsi_intern *t)
{
	fsi_arena_release(&t->arena);
	free(t->entries);
	free(t->slots);
	memset(t, 0, sizeof(*t));
}

enum { LANE_COUNT = FSI_CHECKSUM_LANES, LANE_BYTES = FSI_CHECKSUM_STEP / LANE_COUNT };

static const uint64_t hash_multiplier = 0x9e3779b97f4a7c15u;

static uint64_t mix_checksum_word(uint64_t h, uint64_t word)
{
	h = (h ^ word) * hash_multiplier;
	return h ^ h >> 29;
}

void fsi_checksum_init(struct fsi_checksum *c)
{
	c->bytes = 0;
	for (unsigned i = 0; i < LANE_COUNT; i++)
		c->lane[i] = hash_multiplier * (i + 1);
}

static void add_checksum_step(uint64_t lane[LANE_COUNT], const unsigned char *s)
{
	for (unsigned i = 0; i < LANE_COUNT; i++) {
		uint64_t word;

		memcpy(&word, s + i * LANE_BYTES, LANE_BYTES);
		lane[i] = mix_checksum_word(lane[i], word);
	}
}

void fsi_checksum_add(struct fsi_checksum *c, const void *data, size_t size)
{
	const unsigned char *s = data;
	unsigned char last[FSI_CHECKSUM_STEP] = { 0 };
	uint64_t lane[LANE_COUNT];

	memcpy(lane, c->lane, sizeof(lane));
	c->bytes += size;
	for (; size >= FSI_CHECKSUM_STEP; size -= FSI_CHECKSUM_STEP, s += FSI_CHECKSUM_STEP)
		add_checksum_step(lane, s);
	if (size) {
		memcpy(last, s, size);
		add_checksum_step(lane, last);
	}
	memcpy(c->lane, lane, sizeof(lane));
}

uint64_t fsi_checksum_end(const struct fsi_checksum *c)
{
	uint64_t h = c->bytes;

	for (unsigned i = 0; i < LANE_COUNT; i++)
		h = mix_checksum_word(h, c->lane[i]);
	return h;
}

uint64_t fsi_checksum_of_bytes(const void *data, size_t size)
{
	struct fsi_checksum c;

	fsi_checksum_init(&c);
	fsi_checksum_add(&c, data, size);
	return fsi_checksum_end(&c);
}

/* A stable merge sort: equal elements stay in their original order, which qsort does not guarantee. The comparison
 * function has a context argument. Two halves are not merged if they are already in order. */

struct sort_order {
	size_t size;
	fs_compare_fn compare;
	const void *ctx;
};

/* Copies an element. If its size is a multiple of eight bytes, as usual, it is copied without a call to memcpy. */
static inline void copy_sort_element(char *to, const char *from, size_t size)
{
	enum { WORD = sizeof(uint64_t) };

	if (size % WORD) {
		memcpy(to, from, size);
		return;
	}
	for (size_t i = 0; i < size; i += WORD)
		memcpy(to + i, from + i, WORD);
}

/* Sorts the n >= 2 elements at v; tmp has space for n / 2 elements. */
static void sort_by_merging(const struct sort_order *s, char *v, char *tmp, size_t n)
{
	const size_t half = n / 2, size = s->size;
	char *const middle = v + half * size, *const end = v + n * size, *out = v;
	const char *a = tmp, *b = middle, *const a_end = tmp + half * size;

	if (half > 1)
		sort_by_merging(s, v, tmp, half);
	if (n - half > 1)
		sort_by_merging(s, middle, tmp, n - half);
	if (s->compare(middle - size, middle, s->ctx) <= 0)
		return;
	memcpy(tmp, v, half * size);
	for (; a < a_end && b < end; out += size)
		if (s->compare(a, b, s->ctx) <= 0) {
			copy_sort_element(out, a, size);
			a += size;
		} else {
			copy_sort_element(out, b, size);
			b += size;
		}
	memcpy(out, a, (size_t)(a_end - a));
}

int fs_sort(void *v, size_t n, size_t size, fs_compare_fn compare, const void *ctx)
{
	const struct sort_order s = { size, compare, ctx };
	char *tmp;

	if (n < 2)
		return 0;
	tmp = n < SIZE_MAX / size ? malloc((n / 2 + 1) * size) : NULL;
	if (!tmp)
		return FS_ENOMEM;
	sort_by_merging(&s, v, tmp, n);
	free(tmp);
	return 0;
}

int fsi_compare_rising_u32(const void *a, const void *b)
{
	const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

int fsi_compare_rising_u64(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

int fsi_compare_rising_i64(const void *a, const void *b)
{
	const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}
