/* fs-prio: what the command line asks for, and how the request is run. */
#ifndef PRIO_PRIO_H
#define PRIO_PRIO_H

#include "input/usage.h"
#include "input/names.h"
#include "options/options.h"
#include "prio/format.h"
#include "render/json.h"

struct prio_run {
	const struct invocation *inv;
	const char *program; /* as it was called */
	bool jobs_asked;     /* -j, with a list or without */
	struct input input;
	struct names jobs, users, partitions, states, clusters;
	const char *format_text, *sort, *subtree;
	bool me, no_header, parsable, wide, norm, weights, sibling, local, version, letters, metrics, weights_report;
	const char *history; /* the folder */
	const char *svg;     /* the file for the picture */
	bool csv, plot;
	enum json_form json;
	int verbose;
	size_t missing; /* names asked for that are not there */
	unsigned compat;
	fs_snapshot *snapshot;
	fs_usage *usage;
	fs_prios *prios;
	fs_holds *holds; /* NULL: no limits that are told here */
	const struct prio_layout *layout;
	struct prio_format format;
	size_t *rows, n;
};

/* -1 to go on, otherwise the exit status: help is printed, mistakes reported. */
int prio_parse(struct prio_run *r, int argc, char **argv);

/* --history: -1 to go on, or the exit status: what it has no use for is refused. And the course it shows. */
int prio_history_check(const struct prio_run *r);
int prio_history(const struct prio_run *r);

/* The rows as bars, into the file; exit status. cmd/prio/picture.c */
int prio_picture(const struct prio_run *r);

/* --weights-report: which weights decide, against how it was before the commands of --if; exit status.
 * cmd/prio/weights.c */
int prio_weights_report(struct prio_run *r);

/* Are the clusters and ids of jobs good? And users become names. 0, or the exit status (reported). */
int prio_check_lists(struct prio_run *r);
int prio_resolve_users(struct prio_run *r);

/* Reports and counts what is not in the snapshot; of jobs, what has no priority or may not be seen. */
void prio_check_names(struct prio_run *r);
void prio_check_jobs(struct prio_run *r);

/* The letters of a layout's columns. */
void prio_help_format(const struct prio_layout *l, unsigned version);

#endif
