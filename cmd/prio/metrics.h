/* fs-prio --openmetrics */
#ifndef PRIO_METRICS_H
#define PRIO_METRICS_H

#include "cmd.h"

/* The rows, taken together by partition, account and factor. An exit status; EXIT_FAILED: without memory, not
 * reported. */
int prio_metrics(const fs_snapshot *s, const fs_prios *p, const size_t *rows, size_t n);

#endif
