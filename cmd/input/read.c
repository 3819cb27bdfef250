/* How the bytes of a snapshot are read: a file or a pipe, packed or not, by its index, once or twice; the demo. */
#include "input/read.h"

#include "files/stream.h"
#include "files/unpack.h"
#include "files/ustar.h"
#include "input/demo.h"
#include "input/index.h"
#include "input/input.h"
#include "input/progress.h"
#include "threads.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

FILE *input_stream(const struct invocation *inv, const char *file)
{
	FILE *stream = fopen(file, "rb");

	if (!stream)
		complain(inv, "%s: %s", file, strerror(errno));
	return stream;
}

static int read_stream(fs_snapshot **out, fs_read_fn read, void *ctx, const char *name,
		       struct fs_read_options o, struct fs_error *err)
{
	struct unpack u = UNPACK(read, ctx);
	struct ustar t = USTAR(unpack_read, &u);

	o.threads = threads_wanted();
	o.parallel = threads_run;
	return unpack_end(&u, ustar_end(&t, fs_snapshot_read_with(out, ustar_read, &t, name, &o, err), name, err), name,
			  err);
}

int input_read_with(fs_read_fn read, void *ctx, const char *name, fs_snapshot **out, struct fs_error *err)
{
	return read_stream(out, read, ctx, name, (struct fs_read_options){ .threads = 0 }, err);
}

static int no_file(const char *file, struct fs_error *err)
{
	*err = (struct fs_error){ .code = FS_EIO };
	snprintf(err->file, sizeof(err->file), "%s", file);
	snprintf(err->message, sizeof(err->message), "%s", strerror(errno));
	return FS_EIO;
}

static bool by_index(FILE *stream, const char *file, struct fs_read_options o, fs_snapshot **out)
{
	char why[INDEX_WHY];

	return !index_open(stream, file, &o, out, why);
}

/* A file that is long enough is shared out from its second part on; by default, as a stream may end at any time, only
 * what follows the first 8 MiB is. Of less, one has read all before another has begun. */
static size_t part_bytes(FILE *stream)
{
	enum { PART = 512 * 1024, LONG = 6 * 1024 * 1024 };
	struct stat st;

	return !fstat(fileno(stream), &st) && S_ISREG(st.st_mode) && st.st_size >= LONG ? PART : 0;
}

static int read_with_progress(FILE *stream, const char *name, struct fs_read_options o, bool progress,
			      fs_snapshot **out, struct fs_error *err)
{
	struct progress p;
	int rc;

	o.part_bytes = part_bytes(stream);
	progress_begin(&p, stream, progress);
	rc = read_stream(out, progress_read, &p, name, o, err);
	progress_end(&p);
	return rc;
}

int input_file(const char *file, struct fs_read_options o, bool indexed, bool progress, fs_snapshot **out,
		    struct fs_error *err)
{
	const bool standard = !strcmp(file, "-");
	FILE *stream = standard ? stdin : fopen(file, "rb");
	int rc = 0;

	if (!stream)
		return no_file(file, err);
	if (standard || !indexed || !by_index(stream, file, o, out))
		rc = read_with_progress(stream, standard ? "standard input" : file, o, progress, out, err);
	if (!standard)
		fclose(stream);
	return rc;
}

int input_stream_records(fs_usage *usage, FILE *stream, const char *name, struct fs_error *err)
{
	struct unpack u = UNPACK(stream_read, stream);
	struct ustar t = USTAR(unpack_read, &u);

	return unpack_end(&u, ustar_end(&t, fs_usage_read(usage, ustar_read, &t, name, err), name, err), name, err);
}

int input_try_records(const char *file, fs_usage *usage, struct fs_error *err)
{
	FILE *stream = fopen(file, "rb");
	int rc;

	if (!stream)
		return no_file(file, err);
	rc = input_stream_records(usage, stream, file, err);
	fclose(stream);
	return rc;
}

struct copier {
	FILE *from, *to;
};

/* A pipe can be read once: its bytes are kept for the second reading. */
static ptrdiff_t read_and_keep(void *ctx, void *buf, size_t size)
{
	const struct copier *c = ctx;
	const ptrdiff_t n = stream_read(c->from, buf, size);

	return n > 0 && stream_write(c->to, buf, (size_t)n) ? -1 : n;
}

static bool is_regular(FILE *stream)
{
	struct stat st;

	return !fstat(fileno(stream), &st) && S_ISREG(st.st_mode);
}

int input_twice(const struct invocation *inv, const char *file, struct fs_read_options o, FILE **spool,
		fs_snapshot **out)
{
	const bool standard = !strcmp(file, "-");
	struct copier c = { .from = standard ? stdin : input_stream(inv, file) };
	struct fs_error err;
	int rc = 0;

	if (!c.from)
		return EXIT_FAILED;
	const bool piped = !is_regular(c.from);
	const bool indexed = !piped && !standard && by_index(c.from, file, o, out);
	if (piped)
		c.to = *spool = tmpfile();
	if (piped && !c.to) {
		complain(inv, "temporary file: %s", strerror(errno));
		rc = EXIT_FAILED;
	} else if (!indexed && read_stream(out, piped ? read_and_keep : stream_read,
			       piped ? (void *)&c : c.from, standard ? "standard input" : file,
			       o, &err)) {
		rc = report(inv, &err);
	} else if (piped && fflush(c.to)) {
		complain(inv, "temporary file: %s", strerror(errno));
		rc = EXIT_FAILED;
	}
	if (!standard)
		fclose(c.from);
	return rc;
}

struct demo_stream {
	size_t at;
};

static ptrdiff_t demo_read(void *ctx, void *buf, size_t size)
{
	struct demo_stream *d = ctx;
	const size_t left = demo_snapshot_size - d->at, n = left < size ? left : size;

	memcpy(buf, demo_snapshot + d->at, n);
	d->at += n;
	return (ptrdiff_t)n;
}

int input_demo(fs_snapshot **out, struct fs_error *err)
{
	struct demo_stream stream = { 0 };
	const struct fs_read_options o = { .without_usage = true, .without_recorded = true };

	return fs_snapshot_read_with(out, demo_read, &stream, "demo", &o, err);
}

int input_demo_records(fs_usage *usage, struct fs_error *err)
{
	struct demo_stream stream = { 0 };

	return fs_usage_read(usage, demo_read, &stream, "demo", err);
}
