/* Imports arbitrary bytes as a capture of Slurm. If the capture has a file `usage`, this file is the exact usage. */
#include "capture.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_capture c = { .n = 0 };
	const struct fs_source source = fuzz_capture_source(&c);
	struct fuzz_bytes exact = { "", 0 };
	const struct file *usage;
	struct fs_error err;
	fs_snapshot *m;
	int rc;

	fuzz_capture_split(&c, (const char *)data, size);
	usage = fuzz_capture_find(&c, "usage");
	if (usage)
		exact = usage->text;
	const struct fs_import_options o = { .exact_usage = usage ? fuzz_read : NULL, .exact_usage_ctx = &exact, .exact_usage_name = "usage" };
	rc = fs_import_slurm(&m, &source, &o, &err);
	if (rc) {
		fuzz_check_error(rc, &err);
		return 0;
	}
	PROMISE(!fs_import_infer(m, &err));
	fuzz_snapshot(m);
	fs_snapshot_free(m);
	return 0;
}
