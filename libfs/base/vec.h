/* Growing arrays, and a stable sort of them. */
#ifndef FSI_BASE_VEC_H
#define FSI_BASE_VEC_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Growing arrays for the model's tables: realloc doubles capacity; large ones move by remapping. */

enum { FSI_VEC_LARGE = 64 }; /* bytes of an element of which there is room for two at first */

/* Makes room for one more element of `size` bytes; returns 0, or -1 and leaves *items as it was. */
static inline int fsi_vec_room(void **items, size_t *cap, size_t count, size_t size)
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

/* Evaluates to 0 when (vec)->v[(vec)->n] may be written. */
#define FSI_VEC_ROOM(vec) fsi_vec_room((void **)&(vec)->v, &(vec)->cap, (vec)->n, sizeof(*(vec)->v))

/* One more element, all zero; NULL without memory. */
#define FSI_VEC_ADD(vec) (FSI_VEC_ROOM(vec) ? NULL : memset(&(vec)->v[(vec)->n++], 0, sizeof(*(vec)->v)))

#define FSI_VEC_FREE(vec)                                                                          \
	do {                                                                                       \
		free((vec)->v);                                                                    \
		(vec)->v = NULL;                                                                   \
		(vec)->n = (vec)->cap = 0;                                                         \
	} while (0)

/* The order of whole numbers, and how qsort and bsearch ask for it. */

static inline int fsi_order(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

int fsi_rising_u32(const void *a, const void *b);
int fsi_rising_u64(const void *a, const void *b);
int fsi_rising_i64(const void *a, const void *b);

#endif
