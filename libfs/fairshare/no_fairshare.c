/* priority/basic: usage is kept, but no plugin ever computes shares or factors from it; sshare shows the
 * fields as the controller initialised them (src/common/assoc_mgr.c). */
#include "fairshare/fairshare.h"

#include <math.h>

static int compute(struct fsi_fairshare *f)
{
	for (uint32_t i = 0; i < f->n; i++) {
		struct fsi_share *s = &f->share[i];
		const bool user = f->m->association.v[i].user != 0;

		s->shares_norm = NAN;
		s->usage_norm = NAN;
		s->usage_efctv = 0;
		s->level_fs = fsi_uses_parent_shares(&f->m->association.v[i]) ? NAN : 0;
		s->factor = s->printed = user ? 0 : NAN;
	}
	return 0;
}

const struct fsi_algorithm fsi_no_fairshare = {
	.name = "none",
	.summary = "priority/basic: no fair share",
	.has_levels = true,
	.compute = compute,
};
