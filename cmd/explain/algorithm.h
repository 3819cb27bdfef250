/* What each algorithm of fair share calls its numbers, and how it explains a row of the tree. */
#ifndef EXPLAIN_ALGORITHM_H
#define EXPLAIN_ALGORITHM_H

#include "explain/text.h"

struct explain_algorithm {
	const char *name;
	const char *level;  /* heading of shares over usage: "LevelFS" */
	const char *other;  /* the algorithm whose result is shown too; NULL: none */
	bool exact;         /* of its kind: without the roundings of the other */
	bool ratios;        /* what a level counts follows from its ratio of usage to shares and that of its parent */
	bool finite;        /* unused shares have a large number instead of infinity */
	const char *rule;   /* how two users compare, in a sentence; NULL: it has no levels */
	void (*path)(struct page *p, const struct explain_view *v, const struct fs_explain_path *path);
};

/* Never NULL: an unknown name gets an algorithm without texts. */
const struct explain_algorithm *explain_algorithm_of(const char *name);

#endif
