/* Captured files to a snapshot. Each gives 0, or the exit status (reported). */
#ifndef CAPTURE_FOLDER_H
#define CAPTURE_FOLDER_H

#include "cmd.h"

/* file_max: bytes that a file of a folder may have.
 * exact_usage: a decoded assoc_usage state file with digits that no command prints, or NULL. */
int capture_read_slurm(const struct invocation *inv, const char *dir, uint64_t file_max,
		       const char *exact_usage, fs_snapshot **out);

/* A folder of Flux's outputs, or a file ("-": standard input) that holds a tree of banks and users. */
int capture_read_flux(const struct invocation *inv, const char *path, uint64_t file_max,
		      fs_snapshot **out);

struct capture_maui {
	const char *at; /* when its state was, seconds or a UTC time, as typed; NULL: told by the files */
	enum fs_maui_dialect dialect;
	bool includes_anywhere; /* files that maui.cfg includes may lie outside the folder */
};

/* A Maui's own folder. */
int capture_read_maui(const struct invocation *inv, const char *dir, uint64_t file_max,
		      const struct capture_maui *o, fs_snapshot **out);

#endif
