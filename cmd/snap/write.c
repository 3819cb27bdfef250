/* A snapshot as it is written: to a terminal harmless, to a file whose name ends in .zst compressed. */
#include "snap/snap.h"

#include "files/save.h"
#include "files/stream.h"
#include "files/unpack.h"
#include "render/json_safe.h"

#include <unistd.h>

static int put_snapshot(const void *what, FILE *stream, struct fs_error *err)
{
	struct json_out shown = { .file = stream };
	const bool terminal = isatty(fileno(stream));

	return fs_snapshot_write(what, terminal ? json_write : stream_write, terminal ? (void *)&shown : stream, err);
}

static int put_lines(const void *what, fs_write_fn write, void *ctx, struct fs_error *err)
{
	return fs_snapshot_write(what, write, ctx, err);
}

int snap_put_packed(const void *what, FILE *stream, struct fs_error *err)
{
	return pack(put_lines, what, stream, err);
}

int snap_write(const struct invocation *inv, const fs_snapshot *s, const struct snap_options *o)
{
	const bool packed = o->output && pack_wanted(o->output);
	const char *output = o->output ? o->output : "-";
	const save_put_fn put = packed ? snap_put_packed : put_snapshot;
	const struct snap_checked checked = { inv, s, put, output };

	for (size_t i = 0; i < fs_snapshot_warnings(s); i++)
		complain(inv, "warning: %s", fs_snapshot_warning(s, i));
	return save(inv, o->checked ? snap_put_checked : put, o->checked ? (const void *)&checked : s, output,
		    o->mode ? o->mode : SNAP_MODE);
}
