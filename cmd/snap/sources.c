/* Where each kind of record comes from, how many there are and whether they are whole, and what is not known without. */
#include "dialect/dialect.h"
#include "render/emit.h"
#include "snap/snap.h"

#include <stdio.h>

void snap_print_sources(const fs_snapshot *s)
{
	const struct source_row *row = dialect_of(s)->sources;

	if (row)
		emit("%-12s %8s %-10s %s\n", "type", "records", "", "from");
	for (; row && row->type; row++) {
		const bool hidden = fs_snapshot_hidden(s, row->type);
		const size_t n = fs_snapshot_records(s, row->type);
		const bool lacking = hidden || !n;

		emit("%-12s %8zu %-10s %s%s%s\n", row->type, n, hidden ? "not whole" : "", row->from,
		     lacking ? "; without: " : "", lacking ? row->without : "");
	}
}
