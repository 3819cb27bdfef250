/* The picture of `fs-share --ranges`: every node's slice of 0 to 1 as a bar. */
#ifndef SHARE_FORMS_RANGES_H
#define SHARE_FORMS_RANGES_H

#include "cmd.h"
#include "share/rows.h"

struct share_ranges {
	const fs_shares *shares;
	const struct share_rows *rows;
	enum fs_position position;
	bool header;
	unsigned width; /* of the terminal; 0: find out */
};

int share_ranges_print(const struct share_ranges *s); /* -1 without memory */

/* The same as SVG into the file; exit status (reported). cmd/share/forms/picture.c */
int share_ranges_picture(const struct share_ranges *s, const struct invocation *inv, const char *file);

#endif
