/* DEPTH_OBLIVIOUS sums usage_norm over siblings. That of an account made since the calculation before is NO_VAL until
 * its turn comes (priority_multifactor.c:_depth_oblivious_set_usage_efctv), and so large that those computed before it
 * have used almost nothing: what was printed tells. Seen where accounts were made after the start, 22.05. */
#include "fairshare/narrow.h"

#include <math.h>

/* Of how many associations the effective usage comes out as it was printed. -1 without memory. */
static int come_out(fs_snapshot *m, bool new_tree, size_t *n)
{
	const double digit = 0.51e-6;
	struct fs_error err;
	fs_shares *s;

	*n = 0;
	m->head.new_tree = new_tree;
	FSI_SET(&m->head, SNAPSHOT, new_tree);
	if (fs_shares_compute(&s, m, NULL, &err))
		return -1;
	for (size_t k = 0; k < m->recorded.n; k++) {
		const struct fsi_recorded *r = &m->recorded.v[k];
		const bool told = FSI_HAS(r, RECORDED, association) && FSI_HAS(r, RECORDED, effective_usage);
		const uint32_t row = told ? fsi_assoc_by_id(m, r->association) : FSI_NO_INDEX;

		if (row != FSI_NO_INDEX)
			*n += fabs((double)s->f.share[row].usage_efctv - r->effective_usage) <= digit;
	}
	fs_shares_free(s);
	return 0;
}

int fsi_infer_new_tree(fs_snapshot *m)
{
	const bool supposed = fsi_first_cycle(m);
	size_t as_supposed, otherwise;

	if (fsi_algorithm_find(m, NULL) != &fsi_depth_oblivious || FSI_HAS(&m->head, SNAPSHOT, new_tree))
		return 0;
	if (come_out(m, supposed, &as_supposed) || come_out(m, !supposed, &otherwise))
		return -1;
	if (otherwise <= as_supposed)
		FSI_UNSET(&m->head, SNAPSHOT, new_tree);
	return 0;
}
