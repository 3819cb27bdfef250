/* fs-share --solve: between the files that take the question, answer it and print the answer. */
#ifndef SHARE_SOLVE_H
#define SHARE_SOLVE_H

#include "share/share.h"

enum solve_kind { SOLVE_SHARES, SOLVE_USAGE, SOLVE_TIME, SOLVE_JOB, SOLVE_HARDWARE, SOLVE_TARGET };
enum { SOLVE_TEXT = 1024 };

struct solve_question {
	char text[SOLVE_TEXT]; /* that the words below are parts of */
	enum solve_kind kind;
	enum fs_goal goal;
	double value;
	const char *of, *from; /* names; NULL */
	const char *tres, *have, *partition; /* NULL: not given */
	double seconds, jobs, procs; /* of a job; procs: where usage stands in windows */
	bool windows; /* are there targets and windows, and no shares? */
};

/* From the option's value. 0, or the exit status (reported). */
int solve_parse(const struct share_run *r, const char *text, struct solve_question *q);
const char *solve_kind_name(enum solve_kind kind);
const char *solve_goal_name(enum fs_goal goal);

struct solve_when {
	bool already; /* the goal is met now */
	struct fs_forecast_event event; /* of kind FS_FORECAST_GOAL; else nothing */
};

struct solve_answer {
	const struct share_run *r;
	const struct solve_question *q;
	struct fs_share_row row, of, from; /* as they are, texts and all; from: account NULL if nobody gives */
	uint32_t users;			   /* ranked */
	struct fs_solution found;		 /* all but time */
	struct solve_when when[FS_ASSUMPTION_COUNT]; /* time */
	double rate, have, tres_s;		 /* what a job or the hardware bills a second, and the job in all; NAN */
};

/* Exit statuses. */
int solve_text(const struct solve_answer *a);
int solve_json(const struct solve_answer *a);

#endif
