/* Any bytes as a capture of Maui, by its code and by its manual. */
#include "capture.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_capture c = { .n = 0 };
	const struct fs_source source = fuzz_capture_source(&c);

	fuzz_capture_split(&c, (const char *)data, size);
	for (int dialect = FS_MAUI_CODE; dialect <= FS_MAUI_MANUAL; dialect++) {
		const struct fs_maui_import_options o = { .dialect = (enum fs_maui_dialect)dialect };
		struct fs_error err;
		fs_snapshot *m;
		const int rc = fs_import_maui(&m, &source, &o, &err);

		if (rc) {
			fuzz_check_error(rc, &err);
			continue;
		}
		fuzz_snapshot(m);
		fs_snapshot_free(m);
	}
	return 0;
}
