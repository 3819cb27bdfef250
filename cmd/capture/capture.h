/* Live captures: which commands are asked for a purpose, and the snapshot that is imported from their output. */
#ifndef CAPTURE_CAPTURE_H
#define CAPTURE_CAPTURE_H

#include "cmd.h"
#include "capture/command.h"
#include "fs/import.h"

/* What a live capture is for. */

/* The last two are a few commands each, where the configuration allows it: what is not asked stays unknown. */
enum capture_need {
	CAPTURE_ALL,
	CAPTURE_NO_JOBS,   /* a table of shares: nothing that is of jobs */
	CAPTURE_SHARES,	   /* the same, and of the tree alone */
	CAPTURE_PRIORITIES /* a table of priorities as the scheduler prints it */
};

/* What is asked of a scheduler, in order; some of it at the same time. */

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

/* The outputs of the scheduler's commands, as files of a folder. */

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

/* Live captures: the outputs of the scheduler's own commands. */

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

/* Captured files to a snapshot. Each gives 0, or the exit status (reported). */

/* What is read of a folder. */
struct capture_bounds {
	const char *name; /* of the folder, for messages; NULL: as it is called */
	uint64_t file_max; /* bytes of a file */
	const char *zone;  /* of local times; NULL: an offset told by the files */
	bool outside;	   /* links, and what maui.cfg includes, may lead out of it */
};

/* exact_usage: a decoded assoc_usage state file with digits that no command prints, or NULL. */
int capture_read_slurm(const struct invocation *inv, const char *dir, const struct capture_bounds *bounds,
		       const char *exact_usage, fs_snapshot **out);

/* A folder of Flux's outputs, or a file ("-": standard input) that holds a tree of banks and users. */
int capture_read_flux(const struct invocation *inv, const char *path, const struct capture_bounds *bounds,
		      fs_snapshot **out);

/* A folder that a scheduler's importer reads. */
struct capture_folder {
	const struct fs_source *source;
	const struct fs_utc_offset *offsets; /* changes of the UTC offset of the folder's local times */
	size_t noffsets;		     /* 0: the files have the offset */
	int64_t time;			     /* of the capture, seconds since the epoch; 0: the files have it */
	bool outside;			     /* files may include others outside the folder */
};
typedef int capture_import_fn(fs_snapshot **out, const struct capture_folder *from, struct fs_error *err);

/* Reads a folder with that importer. at: the time of the capture as typed, in seconds since the epoch or as a UTC time;
 * NULL: the files have it. */
int capture_read_folder(const struct invocation *inv, const char *dir, const struct capture_bounds *bounds,
			const char *at, capture_import_fn *import, fs_snapshot **out);

/* Pasted outputs of commands, a file or - for standard input; at: when it was pasted, NULL if it tells; by_file: what
 * tells no time is as old as the file. What was taken from where, and what to ask for, goes to standard error. */
int capture_read_text(const struct invocation *inv, const char *file, const char *at, bool by_file, fs_snapshot **out);

#endif
