/* The letters that name the columns of the priorities, and formats of them: `%[.][width]letter[text]...` as sprio reads them. */
#ifndef PRIO_COLUMNS_H
#define PRIO_COLUMNS_H

#include "cmd.h"
#include "prio_columns.h"

/* How the tool writes a value, where it is not as such values are written. */
enum prio_form {
	FORM_PLAIN,    /* a text; a whole number */
	FORM_NULLABLE, /* a text; "" is a NULL that the tool gives to printf */
	FORM_NULL,     /* the tool always gives a NULL */
	FORM_FACTOR,   /* seven digits */
	FORM_DECIMAL,  /* as many digits as it takes, up to ten */
	FORM_OF_MAX,   /* of the greatest priority there is */
	FORM_TRES,     /* of each TRES its points */
	FORM_TRES_SHARE,
	FORM_F58,
	FORM_REASONS
};

/* A letter of the formats: a column of the row, or of one of its terms. */
struct prio_letter {
	char letter;
	const char *heading; /* of a term, or where the scheduler has a word of its own; NULL: the column's name */
	const struct column *column;
	bool of_term;
	enum fs_factor factor; /* if of_term */
	enum prio_form form;
	enum fs_slurm_feature since;
	bool unsortable;
};
#define OF_ROW(name) .column = &prio_columns[PRIO_##name]
#define OF_TERM(name, which) .column = &prio_term_columns[TERM_##name], .of_term = true, .factor = FS_FACTOR_##which

/* All letters of one kind of terms. */
struct prio_layout {
	const struct prio_letter *letter;
	size_t n;
	const char *(*format)(bool wide, bool norm); /* the default; NULL: sprio's, by the weights */
};

extern const struct prio_layout prio_slurm_layout, prio_flux_layout;

const char *prio_heading(const struct prio_letter *l);

/* What a row has in the column: of: what the row belongs to. */
void prio_value(const struct prio_letter *l, const struct prio_source *of, const struct fs_prio_row *row,
		struct value *out);

/* NULL if there is none in this version. */
const struct prio_letter *prio_letter_find(const struct prio_layout *l, char letter,
					   unsigned version);

struct prio_field {
	const struct prio_letter *letter;
	int width; /* 0: as wide as the text */
	bool right;
	char *suffix;
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
void prio_print_row(const struct prio_sheet *s, const struct fs_prio_row *row);

#endif
