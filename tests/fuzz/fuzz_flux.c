/* Imports arbitrary bytes as a capture of Flux or as a tree of banks. */
#include "capture.h"

static void look(int rc, fs_snapshot *m, const struct fs_error *err)
{
	if (rc) {
		fuzz_check_error(rc, err);
		return;
	}
	fuzz_snapshot(m);
	fs_snapshot_free(m);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_capture c = { .n = 0 };
	const struct fs_source source = fuzz_capture_source(&c);
	struct fuzz_bytes bytes = { (const char *)data, size };
	struct fs_error err;
	fs_snapshot *m = NULL;

	fuzz_capture_split(&c, (const char *)data, size);
	if (c.n)
		look(fs_import_flux(&m, &source, &err), m, &err);
	else
		look(fs_import_flux_tree(&m, fuzz_read, &bytes, "tree", &err), m, &err);
	return 0;
}
