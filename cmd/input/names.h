/* Lists of names, most of them given on a command line with commas between them. */
#ifndef INPUT_NAMES_H
#define INPUT_NAMES_H

#include <stdbool.h>
#include <stddef.h>

struct names {
	char **v;
	size_t n, room;
	bool given; /* the option was there, even with an empty list */
};

/* Adds the words of list, which may stand in quotes; lower: ASCII capitals become small. -1: memory. */
int names_add(struct names *names, const char *list, bool lower);

/* Adds a text as it is, which is freed with the others. -1: no memory, or it is NULL. */
int names_take(struct names *names, char *text);

void names_sort(struct names *names); /* by their bytes */
bool names_has(const struct names *names, const char *word);

/* Prints `label = a,b`, as sprio -v prints what it was asked for (src/sprio/opts.c:_print_options). */
void names_print(const char *label, const struct names *names);
void names_free(struct names *names);

#endif
