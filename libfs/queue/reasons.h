/* The table of pending reasons in two parts: limits, and everything else. */
#ifndef FSI_REASONS_H
#define FSI_REASONS_H

#include "fs.h"

extern const struct fs_reason fsi_limit_reasons[];
extern const size_t fsi_limit_reason_count;

#endif
