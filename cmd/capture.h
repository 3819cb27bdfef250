/* Live captures: the scheduler's own commands, run one after the other. */
#ifndef CAPTURE_H
#define CAPTURE_H

#include "cmd.h"

/* ---- cmd/snap_capture.c ---- */

/* A snapshot of the cluster this machine belongs to. 0, or the exit status (reported). What a
 * command could not tell is warned of, and hidden in the snapshot. */
int capture_live(const struct invocation *inv, fs_snapshot **out);

/* ---- cmd/capture_slurm.c: what is asked, in order, and where; cmd/capture_flux.c ---- */

enum capture_kind {
	CAPTURE_OUTPUT,
	CAPTURE_CONFIG,  /* an output that also tells the version */
	CAPTURE_RECORDS, /* an output asked for by --records; the word CAPTURE_SINCE becomes the first day */
	CAPTURE_CLOCK,  /* this and the following are not a command's */
	CAPTURE_FLAGS,
	CAPTURE_CALLER
};

#define CAPTURE_SINCE "%since%"

/* A file, and the command that fills it. The second form is for versions before `since`; each
 * stands in where the other is refused. Versions before `from` have nothing to tell. */
struct capture_step {
	const char *file;
	enum capture_kind kind;
	unsigned since, from; /* FS_SLURM_VERSION */
	const char *argv[2][10];
};

extern const struct capture_step capture_slurm_steps[], capture_flux_steps[];
extern const size_t capture_slurm_steps_count, capture_flux_steps_count;

/* Is there a scontrol or a flux to ask? */
bool capture_possible(void);

/* Path of a program on PATH, NULL if there is none; yours to free. Leaves out this binary itself,
 * which may be there under the names of the tools it stands in for. */
char *capture_find(const char *program);

/* ---- cmd/capture.c: one command ---- */

struct capture_limits {
	unsigned timeout_s;
	uint64_t output; /* bytes */
};

enum capture_result {
	CAPTURE_DONE,
	CAPTURE_REFUSED, /* ended with an error: other arguments may do better */
	CAPTURE_FAILED,
	CAPTURE_INTERRUPTED
};

/* Runs argv with standard output into fd, in a process group of its own of which nothing survives.
 * why gets the reason when it did not work, otherwise the last line of its standard error. To be
 * called between capture_begin and capture_end. */
enum capture_result capture_command(const char *const *argv, int fd,
				    const struct capture_limits *limits, char *why, size_t size);

/* Until capture_end, signals that would end this process only interrupt the command that runs;
 * capture_end then lets the signal have its way. */
void capture_begin(void);
void capture_end(void);

#endif
