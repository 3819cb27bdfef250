/* A document of elements, made in memory: SVG or HTML. Text that is not our own goes in through markup_escaped
 * alone. */
#ifndef PICTURE_MARKUP_H
#define PICTURE_MARKUP_H

#include "cmd.h"

struct markup {
	char *text; /* with a NUL behind it */
	size_t len, cap;
	bool failed; /* out of memory: the document is not whole */
	const fs_snapshot *state; /* titles name the commands that were given to it; NULL: none were */
};

/* "WHAT IF: COMMAND; COMMAND. " before the title of a picture or page of a hypothetical state, else nothing. */
void markup_what_if(struct markup *v);

/* Bytes of our own, as they are. */
void markup_own(struct markup *v, const char *markup);
/* Formats up to 499 bytes of our own. */
void markup_say(struct markup *v, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* One character as text_step gives it, and a whole text, made harmless. */
void markup_character(struct markup *v, const char *step, size_t n);
void markup_escaped(struct markup *v, const char *text);
void markup_free(struct markup *v);

/* Into the file, and released; exit status, what went wrong being reported. */
int markup_save(const struct invocation *inv, struct markup *v, const char *file);

#endif
