/* What nodes have room for, kept from one request to the next that asks for the same. */
#include "plan/room/fits.h"

int64_t fsi_fits_room(const struct fsi_fits *f, const struct fsi_plan_cluster *c, const struct fsi_plan_request *q,
		      uint32_t node, struct fsi_plan_moment when)
{
	struct fsi_fits_room *kept = &f->room[node];
	struct fsi_plan_room r;

	if (when.when > kept->from && when.when < kept->until) {
		if (c->looks)
			*c->looks += fsi_plan_looks(kept->holds);
		return kept->cpus;
	}
	r = fsi_plan_room_at(c, node, q, when);
	*kept = (struct fsi_fits_room){ r.from.when, r.until.when, r.cpus, (uint32_t)c->node[node].hold.n };
	return r.cpus;
}
