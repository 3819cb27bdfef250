/* The letters that name the columns of the priorities, and formats of them: `%[.][width]letter[text]...` as sprio reads
 * them. */
#ifndef PRIO_FORMAT_H
#define PRIO_FORMAT_H

#include "cmd.h"
#include "columns/prio.h"

/* The columns of one kind of terms that have a letter. */
struct prio_layout {
	const struct prio_column *columns; /* one without help ends them */
	unsigned layout; /* those of the table that are in it */
	const char *order; /* in which --helpformat lists the letters; others follow */
	const char *(*format)(bool wide, bool norm); /* the default; NULL: sprio's, by the weights */
};

extern const struct prio_layout prio_slurm_layout, prio_flux_layout;

/* Is it one of the layout in this version? */
bool prio_layout_has(const struct prio_layout *l, const struct prio_column *c, unsigned version);

/* NULL if there is none in this version. */
const struct prio_column *prio_letter_find(const struct prio_layout *l, char letter, unsigned version);

struct prio_field {
	const struct prio_column *column;
	int width; /* 0: as wide as the text */
	bool right;
	char *suffix;
	size_t suffix_len;
};

struct prio_format {
	char *prefix; /* before each row */
	struct prio_field *field;
	size_t n;
};

/* Unknown letters are reported through bad and dropped with the text behind them. -1 without memory. */
int prio_format_parse(struct prio_format *f, const struct prio_layout *l, const char *text,
		      unsigned version, void (*bad)(void *ctx, char letter), void *ctx);
void prio_format_free(struct prio_format *f);

/* sprio's own formats (src/sprio/sprio.c): by default the columns whose weight is not zero. */
void prio_default_format(char *buf, size_t size, const fs_prios *p, bool norm, bool with_user,
			 bool with_cluster);
const char *prio_long_format(bool norm, unsigned version);

/* Everything a cell needs beside the row. */
struct prio_sheet {
	const struct prio_format *format;
	struct prio_source source;
	unsigned compat;
	bool parsable; /* cells whole, with | between them */
};

void prio_print_header(const struct prio_sheet *s);
void prio_print_weights(const struct prio_sheet *s);
void prio_print_row(FILE *out, const struct prio_sheet *s, const struct fs_prio_row *row);

#endif
