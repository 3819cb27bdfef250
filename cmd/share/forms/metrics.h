/* fs-share --openmetrics */
#ifndef SHARE_FORMS_METRICS_H
#define SHARE_FORMS_METRICS_H

#include "share/rows.h"

/* The numbers of the rows. An exit status; EXIT_FAILED: without memory, not reported. */
int share_metrics(const fs_snapshot *s, const fs_shares *shares, const struct share_rows *rows);

#endif
