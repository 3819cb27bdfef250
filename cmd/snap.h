/* The verbs of fs-snap, one file each. */
#ifndef SNAP_H
#define SNAP_H

#include "cmd.h"

struct snap_options {
	const char *output;      /* -o, NULL: standard output */
	const char *exact_usage; /* --exact-usage */
	const char *raw;         /* --raw, NULL: captured files are not kept */
	const char *timeout, *limit, *records;
	const char *at; /* --at, NULL: told by the files */
	enum fs_maui_dialect maui_dialect;
};

int snap_import(const struct invocation *inv, const struct snap_options *o, int argc, char **argv);
int snap_check(const struct invocation *inv, const struct snap_options *o, int argc, char **argv);
int snap_capture(const struct invocation *inv, const struct snap_options *o, int argc, char **argv);
int snap_verify(const struct invocation *inv, const struct snap_options *o, int argc, char **argv);

/* Imports a folder; 0 or the exit status (reported). */
int snap_read_folder(const struct invocation *inv, const char *dir, const char *exact_usage,
		     fs_snapshot **out);

/* The same of Flux's outputs, or of a file that holds a tree of banks and users. */
int snap_read_flux(const struct invocation *inv, const char *path, fs_snapshot **out);

/* Writes the snapshot whole or not at all (mode 0600), or to standard output. Prints its warnings. */
int snap_write(const struct invocation *inv, const fs_snapshot *s, const char *output);

#endif
