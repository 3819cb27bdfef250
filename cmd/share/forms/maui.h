/* fs-share --style=maui: what Maui's `diagnose -f` prints. */
#ifndef SHARE_FORMS_MAUI_H
#define SHARE_FORMS_MAUI_H

#include "input/input.h"

struct share_maui {
	const char *kind; /* only this kind of credential, NULL: all */
	const char *sort; /* "User": by name; NULL: in the order of Maui's tables */
	bool verbose;     /* those without target and usage too */
};

/* Is it a kind of credential that --kind takes? */
bool share_maui_kind(const char *word);

int share_maui(const struct invocation *inv, const struct input *in, const fs_snapshot *s,
	       const struct share_maui *o);

#endif
