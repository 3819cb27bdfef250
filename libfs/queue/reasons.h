/* The table of pending reasons in three parts: Slurm's limits, its other reasons, and those of Maui and Flux. */
#ifndef FSI_REASONS_H
#define FSI_REASONS_H

#include "fs.h"

extern const struct fs_reason fsi_limit_reasons[];
extern const size_t fsi_limit_reason_count;
extern const struct fs_reason fsi_other_reasons[];
extern const size_t fsi_other_reason_count;

/* Its place in all three parts from 1, and back: 0 and NULL for none. */
uint16_t fsi_reason_number(const struct fs_reason *r);
static inline const struct fs_reason *fsi_reason_numbered(uint16_t number)
{
	return number ? fs_reason_at(number - 1u) : NULL;
}

/* Returns true if the reason says that nodes which the job needs are not available. text: the recorded reason. */
bool fsi_reason_names_nodes(const struct fs_reason *r, const char *text);

/* Returns true if the detail says that these nodes are reserved: "ReqNodeNotAvail, Reserved for maintenance". */
bool fsi_reason_is_reserved(const char *text);

/* Is it a reason of this list? NULL is in none. */
bool fsi_reason_in(const struct fs_reason *r, const char *const *names, size_t n);
#define FSI_REASON_IN(r, names) fsi_reason_in(r, names, sizeof(names) / sizeof(*(names)))

#endif
