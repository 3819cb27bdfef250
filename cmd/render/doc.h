/* A document of maps, lists and scalars in the two forms Slurm's serializers give it: json-c's pretty JSON
 * (17 digits, slashes escaped) and tagged YAML (six decimals). */
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

/* Metrics as text for Prometheus and for OpenMetrics: what both read alike. All are gauges, of the snapshot's time,
 * which is one of them, since node_exporter takes no samples with times of their own. What is unknown or infinite has
 * no sample. Labels are bounded: names of the cluster's own (accounts, users, partitions, factors, reasons), never of a
 * job. */

enum { METRIC_LABELS = 3 };

/* How the values that share their labels become one number. */
enum metric_how { METRIC_COUNT, METRIC_SUM, METRIC_MEAN, MIN_METRIC, MAX_METRIC };

struct metric_family {
	const char *name, *help;
	const char *label[METRIC_LABELS]; /* their names; NULL ends them */
	enum metric_how how;
};

/* value NAN: unknown; then only the count of its labels is known. */
struct metric_record {
	const char *label[METRIC_LABELS]; /* "" leaves it out; those past the family's are not looked at */
	double value;
};

/* The moment of the snapshot, under a name of this command's own: node_exporter takes no series from two files. */
void metrics_begin(const fs_snapshot *s, const char *prefix);

/* Sorts the records by their labels and prints a sample for each set of them. EXIT_DONE, or EXIT_FAILED without memory
 * (not reported). */
int metrics_family(const fs_snapshot *s, const struct metric_family *f, struct metric_record *v, size_t n);

/* The last line, and the status of the command. */
int metrics_end(void);

#endif
