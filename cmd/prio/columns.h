/* The columns of fs-prio as data, and formats: `%[.][width]letter[text]...` as sprio reads them. */
#ifndef PRIO_COLUMNS_H
#define PRIO_COLUMNS_H

#include "cmd.h"

enum prio_kind {
	PRIO_JOBID,
	PRIO_TEXT, /* const char * at offset */
	PRIO_NULLABLE, /* the same; "" is a NULL that the tool gives to printf */
	PRIO_CLUSTER,
	PRIO_TOTAL,
	PRIO_TOTAL_NORM,
	PRIO_POINTS, /* of a factor */
	PRIO_NORM,   /* points over weight */
	PRIO_SITE,
	PRIO_NICE,
	PRIO_TRES,
	PRIO_TRES_NORM,
	PRIO_VALUE, /* of a factor, before its weight */
	PRIO_F58,
	PRIO_URGENCY,
	PRIO_REASON
};

struct prio_column {
	char letter;
	const char *heading;
	enum prio_kind kind;
	size_t offset; /* in struct fs_prio_row */
	enum fs_factor factor;
	enum fs_slurm_feature since;
	bool sortable;
	const char *help;
};

/* All columns of one kind of terms. */
struct prio_layout {
	const struct prio_column *column;
	size_t n;
	const char *(*format)(bool wide, bool norm); /* the default; NULL: sprio's, by the weights */
};

extern const struct prio_layout prio_slurm_layout, prio_flux_layout;

/* Of a row: the term of a factor that the scheduler has. */
const struct fs_prio_term *prio_term(const fs_prios *p, const struct fs_prio_row *row,
				     enum fs_factor factor);

/* NULL if there is none in this version. */
const struct prio_column *prio_column_find(const struct prio_layout *l, char letter,
					   unsigned version);

struct prio_field {
	const struct prio_column *column;
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
	const fs_prios *prios;
	const fs_snapshot *snapshot;
	const fs_holds *holds;
	unsigned compat;
	bool parsable; /* cells whole, with | between them */
};

void prio_print_header(const struct prio_sheet *s);
void prio_print_weights(const struct prio_sheet *s);
void prio_print_row(const struct prio_sheet *s, const struct fs_prio_row *row);

#endif
