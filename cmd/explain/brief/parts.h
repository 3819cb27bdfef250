/* The four lines of a job, between the files that make them. */
#ifndef EXPLAIN_BRIEF_PARTS_H
#define EXPLAIN_BRIEF_PARTS_H

#include "explain/parts.h"

struct brief {
	char why[BRIEF_LINE], when[BRIEF_LINE], ahead[BRIEF_LINE], todo[BRIEF_LINE];
	bool failed; /* memory ran out for a sentence: the lines are not complete */
};

/* All add to a line, which is cut where there is no room. A sentence is a clause with a capital and a full stop. */
void brief_add(char *line, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void brief_sentence(char *line, const char *clause);
/* Adds a clause unless the line would then take more than two lines of the page. */
void brief_add_if_short(char *line, const char *more);

/* Returns whether the text, with a full stop behind it, fits two lines of the page. */
bool brief_is_short(const char *text, const char *more);

/* Returns whether a job is held by its priority alone, and by nobody (Flux). */
bool brief_held_by_sum(const struct fs_verdict *v);

void brief_fill_when(struct brief *b, const struct explain_view *v, const struct fs_explain_job *job,
		     const struct fs_job *j);
void brief_fill_ahead(struct brief *b, const struct explain_view *v, const struct fs_explain_job *job,
		      const struct fs_job *j);
void brief_fill_todo(struct brief *b, const struct explain_view *v, const struct fs_explain_job *job,
		     const struct fs_job *j);

#endif
