/* Weights: how much each priority weight influences the order of jobs. */
#ifndef FS_WEIGHTS_H
#define FS_WEIGHTS_H

#include <fs/priority.h>

FS_BEGIN_DECLS

/* One row for each term of the priority. */
typedef struct fs_weights fs_weights;

/* Statistics of one priority term, over all rows of fs_prios that the viewer may see and whose sum is known. Rows with
 * a priority set by an administrator are left out.
 *
 * Two rows form a pair if at least one of the following is true:
 *   - their jobs ask for the same partition
 *   - their partitions have the same tier and share nodes, directly or through other partitions
 *   - the scheduler has one order for all jobs, as Maui has
 *
 * The rows of a pair are ordered by priority, then by submission time, then by job id. The priority of a row is the
 * value that the scheduler would store for the sum of the row's terms. */
struct fs_weight_row {
	const char *name; /* name of the term */
	double weight; /* weight of the term in the configuration */
	double min_points, max_points; /* lowest and highest points in any row; NAN: there are no rows */
	/* number of pairs whose order changes if the term is left out; 0: the weight has no influence */
	uint64_t flips;
	/* full: number of rows with a factor of 1 or more; none: number of rows with a factor of 0 */
	uint64_t full, none;
	/* true: the smallest difference between two values of the term exceeds the range of the sum of all other
	 * terms */
	bool alone;
};

/* Computes how much each priority term influences the order of jobs. Errors: FS_ENOMEM. */
FS_API int fs_weights_compute(fs_weights **out, const fs_prios *p, struct fs_error *err);
FS_API void fs_weights_free(fs_weights *w); /* frees the result; w may be NULL */
FS_API size_t fs_weights_count(const fs_weights *w); /* number of rows, equal to fs_prios_terms */
FS_API const struct fs_weight_row *fs_weights_row(const fs_weights *w, size_t i); /* returns row i, which `w` owns */
FS_API uint64_t fs_weights_rows(const fs_weights *w);  /* number of compared rows of fs_prios */
FS_API uint64_t fs_weights_pairs(const fs_weights *w); /* number of pairs of compared rows */

FS_END_DECLS

#endif
