/* The outputs of the scheduler's commands, as files of a folder. */
#ifndef CAPTURE_OUTPUTS_H
#define CAPTURE_OUTPUTS_H

#include "capture/command.h"
#include "capture/steps.h"

/* A scheduler that can be captured. */
struct capture_tool {
	const char *name, *title, *program; /* program: that one without which there is nothing to ask */
	const struct capture_step *steps;
	const size_t *count;
};

struct capture {
	const struct invocation *inv;
	const struct capture_tool *tool;
	struct capture_limits limits;
	char *dir;
	bool made_dir;
	unsigned records_days; /* of past jobs; 0: none */
	bool live;	       /* for a reading command: not worth it without the controller */
	enum capture_need need;
	bool silent;	       /* what a command could not tell is not complained of once one has worked */
	/* Does the configuration, the one file there is so far, allow what is needed? NULL: nobody asks. */
	bool (*suits)(struct capture *c);
	enum capture_need otherwise; /* what to ask for in its place */
	unsigned version;      /* FS_SLURM_RELEASE, 0 unknown */
	size_t outputs;	       /* of commands that worked */
	bool *complete;	       /* becomes false when something is warned of; NULL: nobody asks */
};

/* DIR/FILESUFFIX, yours to free; NULL without memory. */
char *capture_path(const char *dir, const char *file, const char *suffix);

/* Fills c->dir step by step; what a command could not tell is warned of. 0; -1 when interrupted, when there is nothing,
 * or when something failed here, memory or the disk, so that what was said is lost (all but the first reported). To be
 * called between capture_begin and capture_end. */
int capture_outputs(struct capture *c);

#endif
