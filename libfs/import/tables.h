/* Values of `Key=Value Key=Value` lines by the number of their key, where many lines have many keys. */
#ifndef FSI_IMPORT_TABLES_H
#define FSI_IMPORT_TABLES_H

#include "import/import.h"

enum { FSI_KEYED_WORDS = 2, FSI_KEYED_MAX = 64 * FSI_KEYED_WORDS };

struct fsi_keyed {
	const char *const *names; /* n of them, each once; the values of the first nread are kept */
	size_t n, nread;
	/* chains of the keys with the same hash: numbers from 1 on, 0 ends one */
	uint8_t first[256], next[FSI_KEYED_MAX];
	uint8_t len[FSI_KEYED_MAX];
	uint8_t after[FSI_KEYED_MAX + 1]; /* by number, [n] for none: the key that last followed, from 1 on */
	/* by number from 0 on; s is NULL where the key is not there; [n] never is */
	struct fsi_span value[FSI_KEYED_MAX + 1];
	uint64_t has[FSI_KEYED_WORDS]; /* which of them there are, by bit */
};

void fsi_keyed_init(struct fsi_keyed *k, const char *const *names, size_t n, size_t nread);

/* The number of a key, n if it is none of them or NULL. */
size_t fsi_keyed_find(const struct fsi_keyed *k, const char *name);

/* Forgets the values. */
void fsi_keyed_clear(struct fsi_keyed *k);

/* Takes the values as fsi_kv_split would; of a key that stands twice the first counts. */
void fsi_keyed_line(struct fsi_keyed *k, struct fsi_span line);

/* As fsi_kv_set_all for the keys from number `from` up to before `end`; map[i] is that of number i. */
int fsi_keyed_set_all(struct fsi_import *imp, const struct fsi_keyed *k, const struct fsi_import_map *map, size_t from,
		      size_t end, enum fsi_record_type type, struct fsi_rec *rec);

/* Records of jobs that a newline in a job's name breaks: scontrol -o and squeue -O print it as it is. */

/* As fsi_import_lines of scontrol_job_o.txt: a line that ends in its name goes on in the next ones, up to the one that
 * has the owner; but not in one that begins as a record does, for a line cut off looks the same. */
int fsi_import_job_records(struct fsi_import *imp, fsi_line_fn fn, void *ctx);

/* As fsi_import_lines of squeue_O.txt: a row that ends before ASSOC_ID goes on in the next lines, as long as both are
 * no longer than the heading, to which width squeue fills each row. */
int fsi_import_squeue_rows(struct fsi_import *imp, fsi_line_fn fn, void *ctx);

/* A column of squeue -O, which has a fixed width and stands beside the next without a blank between. */
struct fsi_column {
	size_t at, width; /* width 0: it is not there */
};

/* Finds the column under its name in the heading. The first is not found: it needs no finding. */
struct fsi_column fsi_squeue_column(struct fsi_span heading, const char *name);

#endif
