/* Fuzz target: imports any bytes as text that was pasted from a terminal. */
#include "capture.h"

static void tell(void *ctx, const char *sentence)
{
	(void)ctx;
	PROMISE(sentence && *sentence);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct fs_text_options o = { .time = 1700000000, .note = tell };
	struct fuzz_bytes bytes = { (const char *)data, size };
	struct fs_error err;
	fs_snapshot *m = NULL;
	const int rc = fs_import_text(&m, fuzz_read, &bytes, "paste", &o, &err);

	if (rc) {
		fuzz_check_error(rc, &err);
		return 0;
	}
	fuzz_snapshot(m);
	fs_snapshot_free(m);
	return 0;
}
