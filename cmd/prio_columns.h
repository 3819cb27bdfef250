/* The columns of fs-prio as data, and formats: `%[.][width]letter[text]...` as sprio reads them. */
#ifndef PRIO_COLUMNS_H
#define PRIO_COLUMNS_H

#include "cmd.h"

enum prio_kind {
	PRIO_JOBID,
	PRIO_TEXT, /* const char * at offset */
	PRIO_CLUSTER,
	PRIO_TOTAL,
	PRIO_TOTAL_NORM,
	PRIO_POINTS, /* of a factor */
	PRIO_NORM,   /* points over weight */
	PRIO_SITE,
	PRIO_NICE,
	PRIO_TRES,
	PRIO_TRES_NORM
};

struct prio_column {
	char letter;
	const char *heading;
	enum prio_kind kind;
	size_t offset; /* in struct fs_prio_row */
	enum fs_factor factor;
	unsigned since; /* FS_SLURM_VERSION that has it, 0 all */
	bool sortable;
	const char *help;
};

extern const struct prio_column prio_columns[];
extern const size_t prio_column_count;

/* NULL if there is none in this version. */
const struct prio_column *prio_column_find(char letter, unsigned version);

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
int prio_format_parse(struct prio_format *f, const char *text, unsigned version,
		      void (*bad)(void *ctx, char letter), void *ctx);
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
	unsigned compat;
	bool parsable; /* cells whole, with | between them */
};

void prio_print_header(const struct prio_sheet *s);
void prio_print_weights(const struct prio_sheet *s);
void prio_print_row(const struct prio_sheet *s, const struct fs_prio_row *row);

#endif
