/* Writes documents of maps, lists and scalars in the forms of Slurm's serializers: JSON as json-c writes it (17 digits,
 * slashes escaped), pretty or without blanks and line breaks, and tagged YAML (six decimals). */
#ifndef RENDER_DOC_H
#define RENDER_DOC_H

#include "cmd.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum doc_form { DOC_JSON, DOC_JSON_COMPACT, DOC_YAML };

struct doc {
	FILE *out;
	enum doc_form form;
	int depth;
	bool list[16];  /* indexed by depth: the element at that depth is a list, not a map */
	bool empty[16]; /* indexed by depth: the element at that depth has no members yet */
};

/* These functions begin a document, write its elements and end it. `key`: key in the current map; NULL inside a
 * list. */
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

/* Metrics in the common text format of Prometheus and OpenMetrics. All metrics are gauges and describe the time of the
 * snapshot. This time is a gauge too, because node_exporter rejects samples with timestamps. An unknown or infinite
 * value has no sample. Job ids are never label values, because the number of series would grow without bound. */

enum { METRIC_LABELS = 3 };

/* How the values of records with equal labels are combined into one sample: their number, sum, mean, minimum or
 * maximum. */
enum metric_how { METRIC_COUNT, METRIC_SUM, METRIC_MEAN, MIN_METRIC, MAX_METRIC };

struct metric_family {
	const char *name, *help;
	const char *label[METRIC_LABELS]; /* names of the labels; NULL after the last one */
	enum metric_how how;
};

/* A record: one of the values that are combined into a sample. METRIC_COUNT counts a record even if its value is
 * NAN (unknown) or infinite. For the other kinds of combination, such a value makes the result unknown. */
struct metric_record {
	/* values of the labels that metric_family.label names, in the same order; "": the sample does not have the
	 * label */
	const char *label[METRIC_LABELS];
	double value;
};

/* Prints the time of the snapshot as a gauge. The name of the gauge begins with `prefix`, the name of the command. The
 * output files of two commands therefore have no series in common; node_exporter rejects a series that two files
 * contain. */
void metrics_print_time(const fs_snapshot *s, const char *prefix);

/* Sorts the records by their labels and prints one sample for each distinct combination of labels. Returns EXIT_DONE,
 * or EXIT_FAILED without a message if out of memory. */
int metrics_print_family(const fs_snapshot *s, const struct metric_family *f, struct metric_record *v, size_t n);

/* Prints the end marker of the metrics. Returns the exit status of the command. */
int metrics_print_end(void);

#endif
