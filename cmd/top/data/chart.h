/* Who has which nodes when: the planned starts of a snapshot, for the view of the timeline. */
#ifndef TOP_DATA_CHART_H
#define TOP_DATA_CHART_H

#include "picture/timeline.h"
#include "top/data/data.h"

struct chart {
	fs_plan *plan; /* owns the names of the lanes */
	struct timeline t;
	size_t *first; /* bar of each lane, and one more: where the last lane's end */
	char why[512]; /* why there is no plan; "" if there is one */
};

/* Makes the chart of the data's snapshot and algorithm; one other thread may do that. NULL without memory. */
struct chart *chart_make(const struct data *d);
void chart_free(struct chart *c);

/* The first lane on which this job is planned, FS_NO_ROW none. c may be NULL. */
uint32_t chart_lane_of(const struct chart *c, uint32_t job_row);

#endif
