/* Runs any bytes as commands to a scheduler. The lines after `@@edits` are the commands, applied to the snapshot after
 * `@@snapshot` by the user after `@@viewer`. Without a viewer, an administrator and alice run the commands in turn.
 * Then calls the solver for a row. */
#include "capture.h"

static void edit_all(fs_snapshot *m, struct fuzz_bytes lines, const char *viewer)
{
	const char *end = lines.s + lines.left;
	size_t length = 0;
	unsigned n = 0;

	for (const char *s = lines.s, *next; s < end && n++ < 16; s = next + 1) {
		const struct fs_edit_options o = { .viewer = *viewer ? viewer : n % 2 ? NULL : "alice", .note = fuzz_note, .note_ctx = &length };
		struct fs_error err;
		char line[512];
		int rc;

		next = memchr(s, '\n', (size_t)(end - s));
		next = next ? next : end;
		snprintf(line, sizeof(line), "%.*s", (int)(next - s), s);
		rc = fs_snapshot_edit(m, line, &o, &err);
		if (rc)
			fuzz_check_error(rc, &err);
	}
}

static void solve(fs_snapshot *m, uint32_t row, uint32_t of, uint32_t from)
{
	const struct fs_solve_options o = { .row = row, .of = of, .from = from, .goal = FS_GOAL_FACTOR, .value = 0.5 };
	struct fs_solution x;
	struct fs_error err;
	int rc = fs_solve_shares(m, &o, &x, &err);

	if (rc)
		fuzz_check_error(rc, &err);
	rc = fs_solve_usage(m, &o, &x, &err);
	if (rc)
		fuzz_check_error(rc, &err);
	rc = fs_solve_charge(m, &o, 3600, &x, &err);
	if (rc)
		fuzz_check_error(rc, &err);
	rc = fs_solve_hardware(m, &o, 100, 10, &x, &err);
	if (rc)
		fuzz_check_error(rc, &err);
}

static void solve_rows(fs_snapshot *m)
{
	const uint32_t n = (uint32_t)fs_snapshot_info(m)->associations;

	solve(m, n ? n - 1 : 0, FS_NO_ROW, FS_NO_ROW);
	solve(m, n / 2, n > 1 ? 1 : 0, n > 2 ? 2 : FS_NO_ROW);
	for (uint32_t row = 0; row < 4; row++)
		solve(m, row, FS_NO_ROW, FS_NO_ROW);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_capture c = { .n = 0 };
	const struct file *edits, *snapshot, *viewer;
	char name[64] = "";
	struct fuzz_bytes b;
	struct fs_error err;
	fs_snapshot *m;

	fuzz_capture_split(&c, (const char *)data, size);
	edits = fuzz_capture_find(&c, "edits");
	snapshot = fuzz_capture_find(&c, "snapshot");
	if (!edits || !snapshot)
		return 0;
	viewer = fuzz_capture_find(&c, "viewer");
	if (viewer && viewer->text.left < sizeof(name))
		memcpy(name, viewer->text.s, viewer->text.left);
	name[strcspn(name, "\n")] = '\0';
	b = snapshot->text;
	if (fs_snapshot_read(&m, fuzz_read, &b, "fuzz", &err))
		return 0;
	edit_all(m, edits->text, name);
	solve_rows(m);
	fuzz_snapshot(m);
	fs_snapshot_free(m);
	return 0;
}
