/* Captured files to a snapshot. Each gives 0, or the exit status (reported). */
#ifndef CAPTURE_FOLDER_H
#define CAPTURE_FOLDER_H

#include "cmd.h"

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

/* A capture of this machine's Slurm likewise, and nothing is said of what went wrong: 0 or an error code. */
int capture_read_asked(const char *dir, uint64_t file_max, enum fs_import_asked asked, fs_snapshot **out);

/* A folder of Flux's outputs, or a file ("-": standard input) that holds a tree of banks and users. */
int capture_read_flux(const struct invocation *inv, const char *path, const struct capture_bounds *bounds,
		      fs_snapshot **out);

struct capture_maui {
	const char *at; /* when its state was, seconds or a UTC time, as typed; NULL: told by the files */
	enum fs_maui_dialect dialect;
};

/* A Maui's own folder. */
int capture_read_maui(const struct invocation *inv, const char *dir, const struct capture_bounds *bounds,
		      const struct capture_maui *o, fs_snapshot **out);

/* Pasted outputs of commands, a file or - for standard input; at: when it was pasted, NULL if it tells; by_file: what
 * tells no time is as old as the file. What was taken from where, and what to ask for, goes to standard error. */
int capture_read_text(const struct invocation *inv, const char *file, const char *at, bool by_file, fs_snapshot **out);

#endif
