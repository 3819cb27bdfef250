/* What a job's page tells beyond the state: the plan of starts, and the advice found by it. */
#ifndef EXPLAIN_OUTLOOK_H
#define EXPLAIN_OUTLOOK_H

#include "explain/text.h"

enum { OUTLOOK_WHY = 512 };

/* All zero at first. */
struct outlook {
	fs_plan *plan;
	fs_advices *advices;
	char no_plan[OUTLOOK_WHY], no_advice[OUTLOOK_WHY]; /* why there is none, for want of data or of time */
};

/* Into the view; which view they are made for. likely: with simulated starts. Errors: those of fs_plan_compute and
 * fs_advise, but for FS_ENODATA, which the view tells. */
int outlook_plan(struct outlook *o, struct explain_view *v, const struct fs_view *view, bool likely,
		 struct fs_error *err);
int outlook_advise(struct outlook *o, struct explain_view *v, const struct fs_view *view, uint32_t job_row,
		   struct fs_error *err);

/* Both, so far as they are asked for or quick, and the snapshot's own time is looked at: that of the view's usage is
 * not. name: the job, for the command that makes them all the same. */
int outlook_make(struct outlook *o, struct explain_view *v, const struct fs_view *view, uint32_t job_row, bool asked,
		 const char *name, struct fs_error *err);
void outlook_release(struct outlook *o);

#endif
