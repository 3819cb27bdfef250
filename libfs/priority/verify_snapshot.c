/* fs_snapshot_verify: everything is computed once, and compared with what the scheduler said in its own way. */
#include "model/scheduler.h"
#include "priority/verify.h"

int fs_snapshot_verify(const fs_snapshot *m, fs_note_fn note, void *ctx,
		       struct fs_verify_result *out, struct fs_error *err)
{
	const struct fs_prios_options as_printed = { .as_printed = true, .running = true };
	struct fsi_verify v = { .m = m, .note = note, .ctx = ctx, .out = out };
	fs_shares *shares = NULL;
	int rc = 0;

	*out = (struct fs_verify_result){ .columns = 0 };
	if (m->association.n)
		rc = fs_shares_compute(&shares, m, NULL, err);
	if (!rc)
		rc = fs_prios_compute(&v.prios, m, &as_printed, err);
	if (rc == FS_ENODATA)
		rc = 0;
	v.shares = shares;
	if (!rc && m->scheduler->verify)
		rc = m->scheduler->verify(&v, err);
	fs_prios_free(v.prios);
	fs_shares_free(shares);
	return rc;
}
