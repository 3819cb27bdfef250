/* Fuzz target: reads any bytes as a snapshot file. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_bytes b = { (const char *)data, size };
	struct fs_error err;
	fs_snapshot *m;
	const int rc = fs_snapshot_read(&m, fuzz_read, &b, "fuzz", &err);

	if (rc) {
		fuzz_check_error(rc, &err);
		return 0;
	}
	fuzz_snapshot(m);
	fs_snapshot_free(m);
	return 0;
}
