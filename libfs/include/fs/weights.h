/* Which weights decide the order of jobs. */
#ifndef FS_WEIGHTS_H
#define FS_WEIGHTS_H

#include <fs/priority.h>

FS_BEGIN_DECLS

/* One row for each term. */
typedef struct fs_weights fs_weights;

/* A term of the priority over all rows that the viewer sees and whose sum is known, but for those whose priority an
 * administrator has set. Two rows are a pair if they ask for the same partition, or for two of one tier that share
 * nodes, directly or through others, or if the scheduler has one order for all, as Maui has; their order is that in
 * which they are tried: by the priorities that the scheduler would keep of their sums, equal ones by submission, then
 * by id. */
struct fs_weight_row {
	const char *name; /* of the term */
	double weight; /* as configured */
	double min_points, max_points; /* NAN without rows */
	uint64_t flips;	     /* pairs whose order is another one without the term; 0: the weight is dead */
	uint64_t full, none; /* rows with a factor of 1 or more, and of 0 */
	bool alone; /* whenever two rows differ in it, it outweighs all else together */
};

/* Finds out which weights decide. Errors: FS_ENOMEM. */
FS_API int fs_weights_compute(fs_weights **out, const fs_prios *p, struct fs_error *err);
FS_API void fs_weights_free(fs_weights *w); /* NULL is fine */
FS_API size_t fs_weights_count(const fs_weights *w); /* as fs_prios_terms */
FS_API const struct fs_weight_row *fs_weights_row(const fs_weights *w, size_t i); /* borrowed from w */
FS_API uint64_t fs_weights_rows(const fs_weights *w);  /* compared */
FS_API uint64_t fs_weights_pairs(const fs_weights *w); /* of them */

FS_END_DECLS

#endif
