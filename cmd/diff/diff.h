/* fs-diff: two states of a cluster side by side. */
#ifndef DIFF_H
#define DIFF_H

#include "input/input.h"
#include "render/json.h"

/* One of the two: a snapshot and what was computed of it. */
struct diff_side {
	struct input input;
	fs_snapshot *snapshot;
	fs_usage *usage;
	struct fs_eval eval;
	fs_plan *plan; /* NULL: none asked for, or none possible */
};

struct diff_run {
	const struct invocation *inv;
	struct input input;	    /* as the options have it */
	const char *other;	    /* file of the second state, NULL: made of the first */
	const char *job, *user, *account;
	uint64_t job_id; /* if job */
	enum json_form json;
	bool markdown, no_plan;
	struct diff_side side[2];
	fs_comparison *compared;
	const struct fs_compared_job *of_job; /* the job that is asked for; NULL: none, or it is in neither state */
};

/* Both states, evaluated. 0, or the exit status (reported). */
int diff_open(struct diff_run *r);
void diff_release(struct diff_run *r);

/* Fills of_job of what was compared. */
void diff_find_job(struct diff_run *r);

/* Is the row asked for? With a job asked for, that of its user in its account is. */
bool diff_wants_job(const struct diff_run *r, const struct fs_compared_job *j);
bool diff_wants_share(const struct diff_run *r, const struct fs_compared_share *s);

int diff_text(const struct diff_run *r);
int diff_json(const struct diff_run *r);

/* Rows of users whose rank moved: USER, ACCOUNT, FACTOR, WHY. -1 without memory. */
struct table;
int diff_ranks(const struct diff_run *r, struct table *t);

#endif
