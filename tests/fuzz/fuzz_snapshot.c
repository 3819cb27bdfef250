/* Any bytes as a snapshot file, read by one and in parts by several: the same comes of it, and the same error. */
#include "fuzz.h"

/* What is written of a snapshot, as a number. */
static int add_bytes(void *ctx, const void *data, size_t size)
{
	uint64_t *sum = ctx;

	for (size_t i = 0; i < size; i++)
		*sum = (*sum ^ ((const unsigned char *)data)[i]) * 1099511628211u;
	return 0;
}

static uint64_t sum_of(const fs_snapshot *m)
{
	uint64_t sum = 14695981039346656037u;
	struct fs_error err;

	PROMISE(!fs_snapshot_write(m, add_bytes, &sum, &err));
	return sum;
}

static void each(void *ctx, size_t n, fs_task_fn task, void *arg)
{
	(void)ctx;
	for (size_t i = n; i; i--)
		task(arg, i - 1);
}

static void in_parts(const uint8_t *data, size_t size, int rc, const struct fs_error *err, const fs_snapshot *whole)
{
	const struct fs_read_options o = { .size = sizeof(o), .threads = 3, .parallel = each, .part_bytes = 700 };
	struct fuzz_bytes b = { (const char *)data, size };
	struct fs_error other;
	fs_snapshot *m;

	PROMISE(fs_snapshot_read_with(&m, fuzz_read, &b, "fuzz", &o, &other) == rc);
	if (rc) {
		PROMISE(!strcmp(err->message, other.message) && err->line == other.line);
		return;
	}
	PROMISE(sum_of(m) == sum_of(whole));
	fs_snapshot_free(m);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_bytes b = { (const char *)data, size };
	struct fs_error err;
	fs_snapshot *m;
	const int rc = fs_snapshot_read(&m, fuzz_read, &b, "fuzz", &err);

	in_parts(data, size, rc, &err, rc ? NULL : m);
	if (rc) {
		fuzz_check_error(rc, &err);
		return 0;
	}
	fuzz_snapshot(m);
	fs_snapshot_free(m);
	return 0;
}
