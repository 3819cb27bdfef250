/* A document of maps, lists and scalars in the two forms Slurm's serializers give it: json-c's pretty JSON
 * (17 digits, slashes escaped) and tagged YAML (six decimals). */
#ifndef DOC_H
#define DOC_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum doc_form { DOC_JSON, DOC_YAML };

struct doc {
	FILE *out;
	enum doc_form form;
	int depth;
	bool list[16];  /* by depth: inside a list? */
	bool empty[16]; /* nothing in it yet */
};

/* key NULL inside a list. */
void doc_begin(struct doc *d, FILE *out, enum doc_form form);
void doc_end(struct doc *d);
void doc_map(struct doc *d, const char *key);
void doc_end_map(struct doc *d);
void doc_list(struct doc *d, const char *key, bool empty);
void doc_end_list(struct doc *d);
void doc_string(struct doc *d, const char *key, const char *value);
void doc_int(struct doc *d, const char *key, int64_t value);
void doc_double(struct doc *d, const char *key, double value);
void doc_bool(struct doc *d, const char *key, bool value);

#endif
