/* Which partitions' jobs stand in one line for nodes. */
#ifndef FSI_PRIORITY_LINES_H
#define FSI_PRIORITY_LINES_H

#include "priority/priority.h"

/* Fills line[i] for each partition of the snapshot: partitions of one line have the same. */
void fsi_prio_lines(const fs_snapshot *m, uint32_t *line);

/* The line of a row: a partition that the snapshot has not is one of its own. */
uint64_t fsi_prio_line(const fs_snapshot *m, const uint32_t *line, const struct fsi_prio_row *row);

#endif
