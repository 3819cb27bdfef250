/* Which partitions' jobs stand in one line for nodes. */
#ifndef FSI_PRIORITY_LINES_H
#define FSI_PRIORITY_LINES_H

#include "priority/priority.h"

/* Fills line[i] for each partition of the snapshot: partitions of one line have the same. */
void fsi_prio_lines(const fs_snapshot *m, uint32_t *line);

#endif
