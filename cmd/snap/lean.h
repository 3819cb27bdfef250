/* A snapshot without the records and fields that a page can do without: each is left out, and stays out where the page
 * stays. */
#ifndef SNAP_LEAN_H
#define SNAP_LEAN_H

#include "files/ustar.h"

#include <stdbool.h>
#include <stdint.h>

/* Is the page of this snapshot the page of the whole? */
typedef bool (*lean_same_fn)(void *ctx, const struct ustar_file *part);

/* The text of a snapshot (fs-snapshot(5)), the job that the page is of, and how many pages may be tried. *out is the
 * caller's to free. false without memory. */
bool lean_snapshot(const struct ustar_file *whole, uint64_t job, const char *why, lean_same_fn same, void *ctx,
		   unsigned tries, struct ustar_file *out);

#endif
