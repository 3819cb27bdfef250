/* What commands of our own alone do with the options that they have in common. */
#ifndef OPTIONS_COMMON_H
#define OPTIONS_COMMON_H

#include "input/input.h"
#include "options/options.h"
#include "render/json.h"

struct common_options {
	const struct invocation *inv;
	struct input *input;
	enum json_form *json;
	const struct option_member *member; /* of run */
	size_t members;
	void *run;
	const char *synopsis, *about; /* of --help */
};

enum { OPTION_OWN = -2 };

/* Input, members, --json, --help and --version: -1 to go on, or the exit status; OPTION_OWN if it is none of them. */
int common_option(const struct common_options *c, const struct options *o, int id);

#endif
