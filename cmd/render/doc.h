/* Documents of maps, lists and scalars in the forms that Slurm's serializers write: json-c's pretty JSON (17 digits,
 * slashes escaped) and tagged YAML (six decimals). */
#ifndef RENDER_DOC_H
#define RENDER_DOC_H

#include "cmd.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum doc_form { DOC_JSON, DOC_YAML };

struct doc {
	FILE *out;
	enum doc_form form;
	int depth;
	bool list[16];  /* per depth: the element is a list */
	bool empty[16]; /* per depth: the element has no members yet */
};

/* Open, fill and close a document. `key` is NULL inside a list. */
void doc_begin_document(struct doc *d, FILE *out, enum doc_form form);
void doc_end_document(struct doc *d);
void doc_begin_map(struct doc *d, const char *key);
void doc_end_map(struct doc *d);
void doc_begin_list(struct doc *d, const char *key, bool empty);
void doc_end_list(struct doc *d);
void doc_write_string(struct doc *d, const char *key, const char *value);
void doc_write_int(struct doc *d, const char *key, int64_t value);
void doc_write_double(struct doc *d, const char *key, double value);
void doc_write_bool(struct doc *d, const char *key, bool value);

/* Metrics in the text format that Prometheus and OpenMetrics have in common. All metrics are gauges. They are valid
 * at the time of the snapshot, which is exported as a gauge of its own, because node_exporter rejects samples with
 * timestamps. An unknown or infinite value has no sample. Label values are bounded: names of accounts, users,
 * partitions, factors and reasons, never jobs. */

enum { METRIC_LABELS = 3 };

/* How the values of records with equal labels are combined into one sample. */
enum metric_how { METRIC_COUNT, METRIC_SUM, METRIC_MEAN, MIN_METRIC, MAX_METRIC };

struct metric_family {
	const char *name, *help;
	const char *label[METRIC_LABELS]; /* label names; NULL after the last */
	enum metric_how how;
};

/* One value to aggregate. NAN: unknown; the record is still counted by METRIC_COUNT. */
struct metric_record {
	/* label values; "": the label is omitted. Values beyond the labels of the family are ignored. */
	const char *label[METRIC_LABELS];
	double value;
};

/* Prints the snapshot time as a gauge. Its name has the prefix of the command, because node_exporter rejects a series
 * that occurs in two files. */
void metrics_print_time(const fs_snapshot *s, const char *prefix);

/* Sorts the records by their labels and prints one sample for each distinct set of labels. Returns EXIT_DONE, or
 * EXIT_FAILED if out of memory (not reported). */
int metrics_print_family(const fs_snapshot *s, const struct metric_family *f, struct metric_record *v, size_t n);

/* Prints the end marker. Returns the exit status of the command. */
int metrics_print_end(void);

#endif
