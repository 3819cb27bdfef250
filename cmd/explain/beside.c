#include "explain/algorithm.h"
#include "explain/beside.h"

/* What the scheduler has none of stays NULL. */
static int compute_own(struct explain_beside *b, const fs_snapshot *s, unsigned compat,
		       struct fs_error *err)
{
	const int rc = fs_accrue_compute(&b->accrue, s, compat, err);

	return rc && rc != FS_ENODATA ? rc : fs_holds_compute(&b->holds, s, err);
}

static int compute_other(struct explain_beside *b, const fs_snapshot *s,
			 const struct fs_shares_options *of_first, const char *algorithm,
			 struct fs_error *err)
{
	struct fs_shares_options o = *of_first;

	o.algorithm = explain_algorithm_of(algorithm)->beside;
	if (!o.algorithm)
		return 0;
	return fs_shares_compute(&b->other, s, &o, err);
}

int explain_beside_compute(struct explain_beside *b, const fs_snapshot *s,
			   const struct fs_shares_options *o, const char *algorithm,
			   struct fs_error *err)
{
	int rc;

	*b = (struct explain_beside){ 0 };
	rc = compute_own(b, s, o->compat, err);
	if (!rc || rc == FS_ENODATA)
		rc = compute_other(b, s, o, algorithm, err);
	return rc == FS_ENODATA ? 0 : rc;
}

void explain_beside_release(struct explain_beside *b)
{
	fs_shares_free(b->other);
	fs_holds_free(b->holds);
	fs_accrue_free(b->accrue);
}
