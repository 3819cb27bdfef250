/* Fuzz target: reads any bytes as an index. The head of the index is corrected first, so that the reader accepts it and
 * reads the rest. If FUZZ_SEED is set, reads a snapshot from standard input instead, and writes its index to standard
 * output. */
#include "fuzz.h"

#include "../unit/fsindex.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);

static ptrdiff_t read_stdin(void *ctx, void *buf, size_t size)
{
	return (ptrdiff_t)fread(buf, 1, size, ctx);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	const struct fs_index_key key = { 0 };
	struct fuzz_sink s = { 0 };
	struct fs_error err;
	fs_snapshot *m;

	(void)argc;
	(void)argv;
	if (!getenv("FUZZ_SEED"))
		return 0;
	PROMISE(!fs_snapshot_read(&m, read_stdin, stdin, "seed", &err));
	PROMISE(!fs_index_write(m, &key, fuzz_write, &s, &err));
	PROMISE(fwrite(s.data, 1, s.len, stdout) == s.len && !fflush(stdout));
	exit(0);
}

static void make_fit(void *bytes, size_t size)
{
	struct fsi_index_head *h = bytes;

	memcpy(h->magic, FSI_INDEX_MAGIC, sizeof(h->magic));
	h->format = FSI_INDEX_FORMAT;
	h->build = fsi_index_compute_build();
	h->size = size;
	h->key = (struct fs_index_key){ 0 };
	if (h->optional_at < FSI_INDEX_START || h->optional_at > size)
		h->optional_at = size;
	h->optional_at -= h->optional_at % FSI_INDEX_ALIGN;
	fst_index_sums(bytes, size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct fs_read_options all = { 0 };
	struct fs_error err;
	fs_snapshot *m;
	/* The buffer is not larger than the input (one byte if the input is empty), so that memory checkers detect a
	 * read beyond the end of the input. */
	void *bytes = malloc(size + !size);

	PROMISE(bytes != NULL);
	if (size)
		memcpy(bytes, data, size);
	if (size >= FSI_INDEX_START)
		make_fit(bytes, size);
	const struct fs_index x = { .bytes = bytes, .size = size };
	const int rc = fs_index_read(&m, &x, "fuzz", &all, &err);

	if (rc) {
		fuzz_check_error(rc, &err);
	} else {
		fuzz_snapshot(m);
		fs_snapshot_free(m);
	}
	free(bytes);
	return 0;
}
