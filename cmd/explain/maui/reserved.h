/* Maui: reservations that keep nodes from a job, and its own. */
#ifndef EXPLAIN_MAUI_RESERVED_H
#define EXPLAIN_MAUI_RESERVED_H

#include "explain/parts.h"

/* The last reservation to end, no later than its planned start, of those that keep nodes from the job. */
bool explain_maui_kept_off(const struct explain_view *v, uint32_t job_row, int64_t start, struct fs_reservation *out);

/* Each by name, with its nodes and times; nothing where there is none. */
void explain_maui_reserved(struct page *p, const struct explain_view *v, const struct fs_explain_job *job);

#endif
