/* Exact sums, products and quotients of doubles: whole numbers of 32-bit limbs, least first, over one common
 * power of two. Usage comes as doubles and shares as integers; whether two ratios of them are equal has no
 * answer in floating point (3:1 and 18:6 tie, their quotients in double do not). */
#ifndef FSI_BASE_NUMBER_EXACT_H
#define FSI_BASE_NUMBER_EXACT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How values of a set are written: bit 0 of limb 0 is 2^low. */
struct fsi_exact_form {
	int low;
	uint32_t limbs; /* 0: there was nothing but zeros */
};

/* Form that holds any sum of up to n of the values seen. */
struct fsi_exact_range {
	int low, high; /* lowest bit set, and one past the highest, of any */
	bool any;
};

/* Values that are negative, infinite or NAN count as zero. */
void fsi_exact_see(struct fsi_exact_range *r, double v);
struct fsi_exact_form fsi_exact_form(const struct fsi_exact_range *r, size_t n);

/* sum += v; v must have been seen. */
void fsi_exact_add_double(struct fsi_exact_form f, uint32_t *sum, double v);
void fsi_exact_add(uint32_t limbs, uint32_t *sum, const uint32_t *v);
bool fsi_exact_zero(uint32_t limbs, const uint32_t *v);
int fsi_exact_cmp(uint32_t limbs, const uint32_t *a, const uint32_t *b); /* -1, 0, 1 */

/* out (na + nb limbs) = a * b. */
void fsi_exact_mul(uint32_t *out, const uint32_t *a, uint32_t na, const uint32_t *b, uint32_t nb);

/* a / b rounded to the nearest double, halves to even; b is not zero. work: room for 2 * (limbs + 1). */
double fsi_exact_div(uint32_t limbs, const uint32_t *a, const uint32_t *b, uint32_t *work);

#endif
