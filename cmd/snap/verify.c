/* fs-snap verify: does what we compute agree with what the scheduler printed? */
#include "columns/column.h"
#include "input/input.h"
#include "render/emit.h"
#include "snap/snap.h"

#define VERIFY(m) COLUMN_MEMBER(struct fs_verify_column, m)

static const struct column verify_columns[] = {
	{ "column", "column", -18, VERIFY(name), .help = "what both have" },
	{ "compared", "compared", 10, VERIFY(compared), .help = "values compared" },
	{ "differ", "differ", 10, VERIFY(differ), .help = "of those, values that differ" },
	{ NULL, "unknown", VERIFY(unknown), .help = "recorded, but not computable" },
};

static int print_table(const struct invocation *inv, const char *file, const fs_snapshot *snapshot,
		       const struct fs_verify_result *r)
{
	const struct column_page page = { COLUMNS(verify_columns), .characters = true };
	size_t compared = 0, differ = 0, unknown = 0;

	if (r->columns)
		columns_heading(&page);
	for (size_t i = 0; i < r->columns; i++) {
		const struct fs_verify_column *c = &r->column[i];

		columns_row(&page, c);
		putchar('\n');
		compared += c->compared;
		differ += c->differ;
		unknown += c->unknown;
	}
	if (unknown)
		emit("%zu values could not be computed: something they need is not in the snapshot\n", unknown);
	if (fs_snapshot_hidden(snapshot, "association"))
		emit("Part of the tree was hidden from the capture: its shares and factors are taken as they were printed.\n");
	if (!compared) {
		complain(
			inv, "%s: nothing to compare%s", file,
			unknown ? ""
				: ": it holds nothing that the scheduler computed (sshare, sprio; Flux's fairshare and priorities)");
		return EXIT_NOTHING;
	}
	if (differ)
		emit("%s: %zu of %zu values differ\n", file, differ, compared);
	else
		emit("%s: all %zu values agree\n", file, compared);
	return differ ? EXIT_NOTHING : EXIT_DONE;
}

/* A document is whole whatever the comparison came to; the status tells that. */
static int print_json(const fs_snapshot *s, const char *file, const struct snap_notes *notes,
		      const struct fs_verify_result *r, enum json_form form)
{
	size_t compared = 0, differ = 0;
	struct fs_json j;

	for (size_t i = 0; i < r->columns; i++) {
		compared += r->column[i].compared;
		differ += r->column[i].differ;
	}
	json_begin(&j, "fs-verify/1", s, form);
	json_text(&j, "file", file);
	json_whole(&j, "compared", true, compared);
	json_whole(&j, "differ", true, differ);
	json_flag(&j, "tree_hidden", fs_snapshot_hidden(s, "association"));
	snap_notes_json(notes, &j);
	json_rows(&j);
	for (size_t i = 0; i < r->columns; i++) {
		columns_object(&j, COLUMNS(verify_columns), NULL, &r->column[i]);
		json_row_done(&j);
	}
	json_end_rows(&j);
	if (json_end(&j))
		return EXIT_FAILED;
	return differ || !compared ? EXIT_NOTHING : EXIT_DONE;
}

int snap_verify(const struct invocation *inv, const struct snap_options *o, int argc, char **argv)
{
	struct snap_notes notes = { .begin = "", .keep = o->json != JSON_NONE };
	struct fs_verify_result result;
	fs_snapshot *s = NULL;
	struct fs_error err;
	int status;

	status = snap_read_one(inv, "verify", argc, argv, &s);
	if (status)
		return status;
	if (fs_snapshot_verify(s, snap_note, &notes, &result, &err)) {
		status = report(inv, &err);
	} else if (notes.failed) {
		status = no_memory(inv);
	} else if (o->json) {
		status = print_json(s, argv[0], &notes, &result, o->json);
	} else {
		snap_notes_end(&notes);
		status = print_table(inv, argv[0], s, &result);
	}
	names_free(&notes.kept);
	fs_snapshot_free(s);
	return status;
}
