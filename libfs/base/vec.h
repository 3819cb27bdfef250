/* Growing arrays, their stable sort, and comparison functions for integers. The owner of an array frees it with
 * FSI_VEC_FREE; a zeroed array is empty. */
#ifndef FSI_BASE_VEC_H
#define FSI_BASE_VEC_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Arrays whose capacity doubles by realloc; the C library moves large arrays by remapping pages instead of copying. */

enum { FSI_VEC_LARGE = 64 }; /* element size in bytes from which the initial capacity is 2 elements instead of 16 */

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

/* Ensures capacity for one more element. Evaluates to 0 if (vec)->v[(vec)->n] may be written, to -1 if out of
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
