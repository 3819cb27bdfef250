/* Options of a caller that may have been built with an older header. */
#ifndef FSI_OPTIONS_H
#define FSI_OPTIONS_H

#include <stddef.h>

/* Fills own, of `size` bytes, from the caller's struct, whose first member is its size_t size: what that is too short
 * for, and all of it where given is NULL, is zero. A size of 0 is that of own. New members begin
 * at the old size: padding at the end may hold anything. Returns own. */
void *fsi_options(void *own, size_t size, const void *given);

/* The same for a local variable of the function that is called. */
#define FSI_OPTIONS(own, given) fsi_options(&(own), sizeof(own), given)

#endif
