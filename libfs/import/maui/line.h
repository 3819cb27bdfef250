/* A line of maui.cfg is given to a snapshot of Maui, as changeparam and an edit of the file do. */
#ifndef FSI_MAUI_LINE_H
#define FSI_MAUI_LINE_H

#include "model/model.h"

/* *wrong: why the line is not taken, borrowed from the snapshot; NULL: it is taken. *changed: does it change
 * anything that is read of the file? Nothing is changed where it is not taken. Error: FS_ENOMEM. */
int fsi_maui_line(fs_snapshot *m, const char *line, const char **wrong, bool *changed, struct fs_error *err);

/* The parameters that Maui knows, by name. */
const char *const *fsi_maui_parameter_names(size_t *n);

#endif
