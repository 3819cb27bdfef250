/* Imports any bytes as a capture of Maui. */
#include "capture.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_capture c = { .n = 0 };
	const struct fs_source source = fuzz_capture_source(&c);
	struct fs_error err;
	fs_snapshot *m;
	int rc;

	fuzz_capture_split(&c, (const char *)data, size);
	rc = fs_import_maui(&m, &source, NULL, &err);
	if (rc) {
		fuzz_check_error(rc, &err);
		return 0;
	}
	fuzz_snapshot(m);
	fs_snapshot_free(m);
	return 0;
}
