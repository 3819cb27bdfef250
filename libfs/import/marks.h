/* What every good output of a command has, so that one is warned of which lacks it, or has an error in it. */
#ifndef FSI_IMPORT_MARKS_H
#define FSI_IMPORT_MARKS_H

#include "import/import.h"

/* Some line of the file begins with the mark, or with the other (NULL: none), blanks aside. */
struct fsi_mark {
	const char *file, *mark, *other;
	const char *type; /* of the records that are incomplete without it; NULL: of none */
};

/* Looks through the files that are there. */
int fsi_import_marks(struct fsi_import *imp, const struct fsi_mark *marks, size_t n);

#endif
