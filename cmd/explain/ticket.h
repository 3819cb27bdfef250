/* The page of a job for somebody else to read. */
#ifndef EXPLAIN_TICKET_H
#define EXPLAIN_TICKET_H

#include "cmd.h"

/* The job of that id, array task included: its row. 0, or the exit status (reported). */
int explain_ticket_job(const struct invocation *inv, fs_snapshot *s, const char *job, uint32_t *row);

/* The job's page as fs-explain --markdown and --html write it for the viewer: 0, or the exit status (reported). */
int explain_ticket_page(const struct invocation *inv, fs_snapshot *s, const char *job, const char *viewer,
			FILE *markdown, FILE *html);

#endif
