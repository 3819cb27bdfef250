/* What is asked of a scheduler, in order; some of it at the same time. */
#ifndef CAPTURE_STEPS_H
#define CAPTURE_STEPS_H

#include "capture/need.h"
#include "cmd.h"

enum capture_kind {
	CAPTURE_OUTPUT,
	CAPTURE_CONFIG,  /* an output that also tells the version */
	CAPTURE_RECORDS, /* an output asked for by --records; the word CAPTURE_SINCE becomes the first day */
	CAPTURE_CLOCK,  /* this and the following are not a command's */
	CAPTURE_FLAGS,
	CAPTURE_CALLER,
	CAPTURE_ZONE
};

#define CAPTURE_SINCE "%since%"
#define OF_SHARES (1u << CAPTURE_SHARES)
#define OF_PRIORITIES (1u << CAPTURE_PRIORITIES)

/* A file, and the command that fills it. The second form is for versions that do not have `since`; each
 * stands in where the other is refused. Versions that do not have `from` have nothing to tell. */
struct capture_step {
	const char *file;
	enum capture_kind kind;
	bool with_last; /* at the same time as the step before it */
	bool of_jobs;	/* a table of shares does without it */
	unsigned of;	/* bits of enum capture_need: the short captures that have it */
	enum fs_slurm_feature since, from;
	const char *argv[2][10];
};

extern const struct capture_step capture_slurm_steps[], capture_flux_steps[];
extern const size_t capture_slurm_steps_count, capture_flux_steps_count;

#endif
