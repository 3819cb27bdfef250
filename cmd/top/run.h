/* The three ways to run: in a terminal, by a script, once. Each returns an exit status. */
#ifndef TOP_RUN_H
#define TOP_RUN_H

#include "top/load/load.h"
#include "top/model/model.h"

/* See load/loading.h. */
struct loading {
	struct event kept[256]; /* typed meanwhile */
	size_t n;
	FILE *said; /* on standard error */
	int stderr_before;
	bool utf8, open, ends;
};

struct run {
	const struct invocation *inv;
	struct source source;
	struct stamp stamp; /* of the file before it was read */
	struct model model;
	unsigned every_s;	  /* 0: look at the file each second, capture only when asked to */
	bool color, color_always; /* may it be coloured; also when it goes to no terminal */
	struct loading loading;
	bool themed;		  /* --theme */
	bool clock_set;		  /* --at: time stands still */
	bool abandoned;		  /* a thread still uses all of this: end without freeing it */
	int signal;		  /* that ended it, 0 none */
};

int run_terminal(struct run *r);
int run_script(struct run *r, const char *file);
int run_once(struct run *r);

#endif
