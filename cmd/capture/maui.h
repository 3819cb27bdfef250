/* The importer of a folder of Maui's files: maui.cfg, FS files, traces, outputs of commands. */
#ifndef CAPTURE_MAUI_H
#define CAPTURE_MAUI_H

#include "capture/capture.h"

/* Imports the folder; this is the importer that capture_read_folder uses for Maui. Returns 0 or an error code of
 * fs_import_maui. */
int capture_import_maui(fs_snapshot **out, const struct capture_folder *from, struct fs_error *err);

#endif
