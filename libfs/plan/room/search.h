/* The earliest start, whatever the scheduler would see: plans by priority. */
#ifndef FSI_PLAN_ROOM_SEARCH_H
#define FSI_PLAN_ROOM_SEARCH_H

#include "plan/plan.h"

struct fsi_plan_event {
	int64_t when;
	uint32_t node;
	bool stop; /* from here on the node cannot take the request; else: it can take more */
};

/* Memory for a search, used again and again. */
struct fsi_plan_search {
	struct fsi_plan_event *heap;
	uint32_t nheap;
	int64_t *now_cpus,
		*last; /* by node index: CPUs at the sweep's time; last start of the gap that this is in */
};

int fsi_plan_search_init(struct fsi_plan_search *s,
			 const struct fsi_plan_cluster *c); /* -1 without memory */
void fsi_plan_search_release(struct fsi_plan_search *s);

/* The earliest start at or after `from`, and the nodes for it; INT64_MAX: the nodes that there are never suffice. */
int64_t fsi_plan_earliest(struct fsi_plan_search *s, struct fsi_plan_choice *choice,
			  const struct fsi_plan_cluster *c, const struct fsi_plan_request *q,
			  int64_t from, enum fsi_plan_obey obey);

#endif
