/* Live captures: the outputs of the scheduler's own commands. */
#ifndef CAPTURE_CAPTURE_H
#define CAPTURE_CAPTURE_H

#include "capture/outputs.h"

extern const struct capture_limits capture_usual_limits;

/* By name, NULL if there is none; with no name the first whose program is there, or at last Slurm. */
const struct capture_tool *capture_tool(const char *name);

/* A snapshot of what c says. raw: the folder that keeps the files, which must be new or empty; NULL: none is kept.
 * exact_usage: as of capture_read_slurm. 0, or the exit status (reported). */
int capture_run(struct capture c, const char *raw, const char *exact_usage, fs_snapshot **out);

/* Makes a snapshot of the cluster this machine belongs to, or takes the one kept unless `fresh`. What a command
 * could not tell is warned of and hidden in the snapshot, and so is what is not needed and was not asked for. 0, or
 * the exit status (reported). */
int capture_live(const struct invocation *inv, bool fresh, enum capture_need need, fs_snapshot **out);

/* Is there a scheduler to ask? */
bool capture_possible(void);

#endif
