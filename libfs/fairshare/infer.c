/* fs_import_infer: what only a computation can tell about a capture. */
#include "fairshare/narrow.h"

int fs_import_infer(fs_snapshot *m, struct fs_error *err)
{
	if (!fsi_narrow_possible(m))
		return 0;
	const int rc = fsi_infer_list_order(m) || fsi_infer_new_tree(m) || fsi_moments_fit(m) || fsi_narrow_usage(m);

	return rc ? fsi_nomem(err) : 0;
}
