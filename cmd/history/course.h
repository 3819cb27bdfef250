/* The course of a factor or priority over a folder of snapshots: fs-share --history, fs-prio --history. */
#ifndef HISTORY_COURSE_H
#define HISTORY_COURSE_H

#include "input/input.h"
#include "input/names.h"
#include "render/json.h"

enum course_form { COURSE_TABLE, COURSE_JSON, COURSE_CSV, COURSE_PLOT, COURSE_SVG };

/* What is asked for. */
struct course {
	const struct invocation *inv;
	const struct input *input; /* whose viewer it is */
	const char *folder;
	const struct names *users, *accounts; /* of shares; no name at all: the viewer's */
	bool all;			      /* of shares: every row */
	const struct names *jobs;	      /* NULL: shares. Ids as typed */
	enum course_form form;
	enum json_form json;
	const char *svg; /* the file of COURSE_SVG */
	bool no_header;
};

/* The forms that an option asks for. */
struct course_forms {
	bool json, csv, plot, svg, other; /* other: one that no history has */
};
enum course_form course_form(const struct course_forms *f);

/* Checks that the options go together: -1 to go on, or the exit status (complained of). folder: NULL without
 * --history; wrong: which of the command's own options does not go with it, NULL if all do. */
int course_check(const struct invocation *inv, const struct input *in, const char *folder, const struct course_forms *f,
		 const char *wrong);

/* Prints it: exit status, EXIT_NOTHING if nothing of it is in the folder. */
int course_show(const struct course *c);

/* ---- between the two halves of it */

struct line;

struct course_point {
	int64_t time;
	int32_t utc_offset_s;
	const char *file;
	char *text;	   /* the text that `line` points into */
	struct line *line;
	size_t order; /* in which they were found */
};

/* In the order of time, then of ids and names. */
struct course_points {
	struct course_point *v;
	size_t n, room;
	char cluster[64], scheduler[64];
	uint64_t *job; /* the ids asked for, as many as the course has jobs */
};

int course_print(const struct course *c, const struct course_points *p);

#endif
