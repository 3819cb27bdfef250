/* Pasted outputs of Maui's commands: pieces of the text to files of a capture, and these to a snapshot. */
#ifndef FSI_IMPORT_TEXT_MAUI_H
#define FSI_IMPORT_TEXT_MAUI_H

#include "import/text/text.h"

/* Makes files from the pieces of the text. Error codes of fs_import_text. */
int fsi_text_write_maui(struct fsi_text *t);

/* Imports the files. If the clock was guessed, the running jobs get no end, since Maui prints only the time left. Error
 * codes of fs_import_maui. */
int fsi_text_import_maui(struct fsi_text *t, fs_snapshot **out, const struct fs_source *source);

#endif
