/* Captures. A capture is a folder of files that contain the outputs of the scheduler's commands. A live capture runs
 * the commands and imports a snapshot from their outputs. The capture_read_ functions import outputs captured earlier.
 * The caller frees the snapshots. Unless stated otherwise, functions of type int return 0, or the exit status after an
 * error message. */
#ifndef CAPTURE_CAPTURE_H
#define CAPTURE_CAPTURE_H

#include "cmd.h"
#include "capture/command.h"
#include "fs/import.h"

/* ---- live captures */

/* What a live capture is needed for. CAPTURE_SHARES and CAPTURE_PRIORITIES make a short capture if the scheduler's
 * configuration allows this: only a few commands are run, and the data of the other commands is missing. */
enum capture_need {
	CAPTURE_ALL,
	CAPTURE_NO_JOBS,   /* for a table of shares without jobs; commands that list jobs are not run */
	CAPTURE_SHARES,	   /* for a table of shares; a short capture has only the tree of associations */
	CAPTURE_PRIORITIES /* for a table of the priorities that the scheduler prints */
};

/* ---- captures */

/* A scheduler that can be captured. fs_output_get returns the steps of its capture. Some steps run in parallel. */
struct capture_tool {
	/* `name`: argument of fs-snap capture; `title`: name in messages; `program`: if it is on PATH, the scheduler is
	 * installed */
	const char *name, *title, *program;
};

struct capture {
	const struct invocation *inv;
	const struct capture_tool *tool;
	struct capture_limits limits;
	char *dir; /* path by which files in the folder are opened; it stays valid if somebody renames the folder */
	char *dir_name; /* name of the folder in messages */
	int dir_fd;	/* the open folder, to which `dir` refers; -1: not open */
	bool made_dir;
	unsigned records_days; /* number of days for which sacct captures past jobs; 0: past jobs are not captured */
	/* The capture is made only because a command such as fs-share needs a snapshot. It stops if the first step
	 * shows that the controller does not answer. */
	bool live;
	enum capture_need need;
	bool silent;	       /* failures of steps are reported only until a command succeeds */
	/* Returns true if the configuration allows a short capture for `need`. It is called directly after the step
	 * that captures the configuration. NULL: nothing is checked. */
	bool (*may_be_short)(struct capture *c);
	/* value of `need` for the longer capture that is made if a short capture fails */
	enum capture_need longer_need;
	unsigned version;      /* release number as fs_slurm_release returns it; 0: unknown */
	size_t outputs;	       /* number of commands that succeeded */
	bool *complete;	       /* points to a flag that is set to false if a command fails; NULL: no flag is set */
};

/* ---- running captures */

extern const struct capture_limits capture_usual_limits;

/* Returns the scheduler with this name; NULL if there is none. If `name` is NULL, returns the first scheduler whose
 * program is on PATH, or Slurm if there is none. */
const struct capture_tool *capture_find_tool(const char *name);

/* Runs the capture that `c` describes and imports its files. `raw`: a new or empty folder in which the files are
 * stored; NULL: the files are removed. `exact_usage`: see capture_read_slurm. Returns 0, or the exit status
 * (reported). */
int capture_run_import(struct capture c, const char *raw, const char *exact_usage, fs_snapshot **out);

/* Captures the cluster to which this machine belongs. If `fresh` is false and there is a cached capture less than 30 s
 * old, returns that capture. If a command failed (reported) or was left out as unnecessary, the snapshot marks the data
 * of this command as hidden. Returns 0, or the exit status (reported). */
int capture_live_cluster(const struct invocation *inv, bool fresh, enum capture_need need, fs_snapshot **out);

/* Returns true if the program of any known scheduler is on PATH. */
bool capture_is_scheduler_installed(void);

/* ---- importing captured files; each function returns 0, or the exit status (reported) */

/* Options for reading a folder of captured files. */
struct capture_bounds {
	const char *name; /* name of the folder in messages; NULL: the path of the folder */
	uint64_t file_max; /* maximum size of each file, in bytes */
	/* time zone of the local times in the files; NULL: the offset from UTC is derived from the files */
	const char *zone;
	/* symbolic links and include directives of maui.cfg are followed even if they lead out of the folder */
	bool outside;
};

/* Imports a folder of Slurm outputs. `exact_usage`: a decoded assoc_usage state file, whose numbers have more digits
 * than the output of any command; NULL: none. */
int capture_read_slurm(const struct invocation *inv, const char *dir, const struct capture_bounds *bounds,
		       const char *exact_usage, fs_snapshot **out);

/* Imports a folder of Flux outputs, or a file ("-": standard input) that contains a tree of banks and users. */
int capture_read_flux(const struct invocation *inv, const char *path, const struct capture_bounds *bounds,
		      fs_snapshot **out);

/* A folder of captured files, as a scheduler's importer gets it. */
struct capture_folder {
	const struct fs_source *source;
	/* UTC offsets of the local times in the files, each with the time from which it applies */
	const struct fs_utc_offset *offsets;
	/* number of `offsets`; 0: the importer derives one offset from the files */
	size_t noffsets;
	/* time of the capture, seconds since the epoch; 0: the time is in the files */
	int64_t time;
	/* include directives of maui.cfg are followed even if they lead out of the folder */
	bool outside;
};
typedef int capture_import_fn(fs_snapshot **out, const struct capture_folder *from, struct fs_error *err);

/* Reads a folder with the importer `import`. `at`: the time of the capture as the user typed it, in seconds since the
 * epoch or as a UTC time; NULL: the files contain the time. */
int capture_read_folder(const struct invocation *inv, const char *dir, const struct capture_bounds *bounds,
			const char *at, capture_import_fn *import, fs_snapshot **out);

/* Reads a folder with fs_import_folder, which uses the importer of the scheduler named `scheduler`. */
int capture_read_scheduler(const struct invocation *inv, const char *scheduler, const char *dir,
			   const struct capture_bounds *bounds, fs_snapshot **out);

/* What was not read from pasted text, and what to paste next, as noun phrases for a page; "": nothing. */
struct paste_gaps {
	char unread[400], next[300];
};

/* Imports pasted command output from a file ("-": standard input). `at`: time at which the commands were run, as the
 * user typed it; NULL: derived from the text, or the modification time of the file if the text contains no time. Prints
 * on standard error what was recognized and what is missing. If gaps is not NULL, the text is read
 * for a page: sets *gaps, which the caller initializes with zeros, and assumes that jobs of unknown state are
 * pending. */
int capture_read_text(const struct invocation *inv, const char *file, const char *at, struct paste_gaps *gaps,
		      fs_snapshot **out);

#endif
