/* Captured files to a snapshot. Each gives 0, or the exit status (reported). */
#ifndef CAPTURE_FOLDER_H
#define CAPTURE_FOLDER_H

#include "cmd.h"

/* exact_usage: a decoded assoc_usage state file with digits that no command prints, or NULL. */
int capture_read_slurm(const struct invocation *inv, const char *dir, const char *exact_usage,
		       fs_snapshot **out);

/* A folder of Flux's outputs, or a file ("-": standard input) that holds a tree of banks and users. */
int capture_read_flux(const struct invocation *inv, const char *path, fs_snapshot **out);

/* A Maui's own folder. at: when its state was, seconds or a UTC time, as typed; NULL: told by the files. */
int capture_read_maui(const struct invocation *inv, const char *dir, const char *at,
		      enum fs_maui_dialect dialect, fs_snapshot **out);

#endif
