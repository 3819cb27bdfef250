/* Jobs that share CPUs and those that do not keep apart (src/plugins/select/cons_tres: _verify_node_state, _is_node_busy):
 * one that may share them gets no node with a job that does not; one that does not gets no node with those of another
 * partition whose CPUs are given out more than once. OverSubscribe=FORCE:4 shares always, YES:4 where the job asks. */
#include "base/num.h"
#include "plan/plan.h"

#include <string.h>

uint32_t fsi_plan_share(const fs_snapshot *m, const struct fsi_job *j, const struct fsi_partition *p)
{
	const char *s = fsi_str(m, p->oversubscribe), *colon = strchr(s, ':');
	const bool force = !strncmp(s, "FORCE", 5), yes = !strncmp(s, "YES", 3);
	const uint32_t by_default = 4;
	int64_t n;

	if (!force && !(yes && !strcmp(fsi_str(m, j->oversubscribe), "YES")))
		return 0;
	if (!colon || fsi_parse_i64(colon + 1, strlen(colon + 1), &n) || n < 1 || n > UINT16_MAX)
		return by_default;
	return (uint32_t)n;
}

bool fsi_plan_any_share(const fs_snapshot *m)
{
	for (size_t i = 0; i < m->partition.n; i++) {
		const char *s = fsi_str(m, m->partition.v[i].oversubscribe);

		if (!strncmp(s, "FORCE", 5) || !strncmp(s, "YES", 3))
			return true;
	}
	return false;
}

bool fsi_plan_apart(const struct fsi_plan_request *q, const struct fsi_plan_alloc *h)
{
	if (h->job == FSI_NO_INDEX)
		return false;
	return q->share ? !h->share : h->share > 1 && h->partition != q->partition;
}
