/* Captures: the outputs of the scheduler's commands as files of a folder, and the snapshot imported from them. A live
 * capture runs the commands itself; the capture_read functions import folders captured earlier. The caller frees the
 * snapshots. Functions return 0 or the exit status, and report errors. */
#ifndef CAPTURE_CAPTURE_H
#define CAPTURE_CAPTURE_H

#include "cmd.h"
#include "capture/command.h"
#include "fs/import.h"

/* ---- live captures */

/* What a live capture is needed for. CAPTURE_SHARES and CAPTURE_PRIORITIES run only a few commands, if the
 * configuration allows it; data of the other commands is then unknown. */
enum capture_need {
	CAPTURE_ALL,
	CAPTURE_NO_JOBS,   /* a table of shares; skips the commands about jobs */
	CAPTURE_SHARES,	   /* a table of shares; asks only for the tree of associations */
	CAPTURE_PRIORITIES /* a table of priorities as the scheduler prints it */
};

/* ---- the steps of a capture, in order; some run at the same time */

enum capture_kind {
	CAPTURE_OUTPUT,
	CAPTURE_CONFIG,  /* a command whose output also contains the version */
	CAPTURE_RECORDS, /* a command for --records; its argument CAPTURE_SINCE is replaced by the first day */
	CAPTURE_CLOCK,  /* this and the following kinds run no command */
	CAPTURE_FLAGS,
	CAPTURE_CALLER,
	CAPTURE_ZONE
};

#define CAPTURE_SINCE "%since%"
#define OF_SHARES (1u << CAPTURE_SHARES)
#define OF_PRIORITIES (1u << CAPTURE_PRIORITIES)

/* A file and the command that fills it. argv[0] is for versions that have the feature `since`, argv[1] for older ones;
 * if one form is refused, the other is tried. Versions without the feature `from` skip the step. */
struct capture_step {
	const char *file;
	enum capture_kind kind;
	bool parallel_with_previous; /* runs at the same time as the step before it */
	bool of_jobs;	/* about jobs: CAPTURE_NO_JOBS skips it */
	unsigned short_needs;	/* short captures that run the step, bits 1 << enum capture_need */
	enum fs_slurm_feature since, from;
	const char *argv[2][10];
};

/* ---- captures */

/* A scheduler that can be captured. */
struct capture_tool {
	const char *name, *title, *program; /* program: its presence on PATH means that the scheduler is installed */
	const struct capture_step *steps;
	const size_t *count;
};

struct capture {
	const struct invocation *inv;
	const struct capture_tool *tool;
	struct capture_limits limits;
	char *dir;
	bool made_dir;
	unsigned records_days; /* days of past jobs to capture with sacct; 0: none */
	bool live;	       /* for a command that only reads: stop if the first step shows that the controller does
			        * not answer */
	enum capture_need need;
	bool silent;	       /* once a command has worked, do not report failures of others */
	/* Returns whether the configuration, the only file captured so far, allows a capture for `need`. NULL: not
	 * checked. */
	bool (*may_be_short)(struct capture *c);
	enum capture_need longer_need; /* need to capture for if `may_be_short` returns false */
	unsigned version;      /* FS_SLURM_RELEASE; 0: unknown */
	size_t outputs;	       /* number of commands that worked */
	bool *complete;	       /* set to false if a command failed; NULL: not needed */
};

/* ---- running captures */

extern const struct capture_limits capture_usual_limits;

/* Returns the scheduler of that name; NULL if there is none. Without a name returns the first one whose program is on
 * PATH, or Slurm if none is. */
const struct capture_tool *capture_find_tool(const char *name);

/* Captures as c describes and imports the files. raw: folder in which the files are left, new or empty; NULL: the files
 * are removed. exact_usage: see capture_read_slurm. Returns 0, or the exit status (reported). */
int capture_run_import(struct capture c, const char *raw, const char *exact_usage, fs_snapshot **out);

/* Captures the cluster that this machine belongs to, or returns the cached capture if it is less than 30 s old and
 * `fresh` is false. Data of commands that failed (reported) or were not needed is marked as hidden in the snapshot.
 * Returns 0, or the exit status (reported). */
int capture_live_cluster(const struct invocation *inv, bool fresh, enum capture_need need, fs_snapshot **out);

/* Returns true if the program of a scheduler is on PATH. */
bool capture_is_scheduler_installed(void);

/* ---- importing captured files; each function returns 0, or the exit status (reported) */

/* How a folder is read. */
struct capture_bounds {
	const char *name; /* name of the folder in messages; NULL: its path */
	uint64_t file_max; /* maximum size of a file in bytes */
	const char *zone;  /* time zone of the local times; NULL: the offset is derived from the files */
	bool outside;	   /* symbolic links, and files that maui.cfg includes, may lead out of the folder */
};

/* exact_usage: a decoded assoc_usage state file, with more digits than any command prints; NULL: none. */
int capture_read_slurm(const struct invocation *inv, const char *dir, const struct capture_bounds *bounds,
		       const char *exact_usage, fs_snapshot **out);

/* Imports a folder of Flux outputs, or a file ("-": standard input) with a tree of banks and users. */
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

/* Reads a folder with the importer of the scheduler of that name: fs_import_folder. */
int capture_read_scheduler(const struct invocation *inv, const char *scheduler, const char *dir,
			   const struct capture_bounds *bounds, fs_snapshot **out);

/* Imports pasted command output from a file ("-": standard input). at: time of the paste as typed; NULL: derived from
 * the text. by_file: if the text contains no time, use the time of the file. Prints on standard error what was
 * recognised and what is missing. */
int capture_read_text(const struct invocation *inv, const char *file, const char *at, bool by_file, fs_snapshot **out);

#endif
