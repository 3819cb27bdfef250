/* Who has which nodes when: running jobs up to their limits and planned starts, a lane for each node. */
#ifndef PICTURE_TIMELINE_H
#define PICTURE_TIMELINE_H

#include "fs.h"
#include "picture/svg.h"

struct timeline_bar {
	uint32_t lane, level; /* bars of a lane that overlap have levels of their own */
	uint32_t job_row;
	int64_t from, to; /* within the timeline's */
	bool running;
};

struct timeline {
	struct timeline_bar *bar; /* by lane, then by time */
	size_t n, cap;
	const char **lane; /* names of nodes, of the plan */
	uint32_t *levels;  /* of each lane */
	size_t lanes, nodes; /* shown, and how many there would be */
	int64_t from, to;
};

/* The nodes on which jobs are planned to start, at most so many of them, in the order of their names; of a job_row
 * other than FS_NO_ROW the nodes it would start on. Jobs that the viewer may not see are left out. lanes 0: nothing is
 * planned there. -1 without memory; timeline_free it. */
int timeline_make(struct timeline *t, const fs_snapshot *s, const fs_plan *p, const char *viewer, uint32_t job_row,
		  size_t max_lanes);
void timeline_free(struct timeline *t);

/* As a picture; that job stands out. inside: of an HTML document. */
void timeline_draw(struct markup *v, const fs_snapshot *s, const struct timeline *t, uint32_t job_row, bool inside);

#endif
