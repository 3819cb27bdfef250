/* fs-prio/1: the rows as JSON (man/fs-prio.1, man/fs-prio-1.schema.json). */
#include "prio/prio.h"

/* Jobs that have no row since a fair-share cap holds them back; w: NULL where there are no such caps. */
static void write_blocked(struct fs_json *j, const fs_snapshot *s, const fs_windows *w)
{
	struct fs_cap_row c;

	json_list(j, "blocked");
	for (uint32_t i = 0; w && i < fs_snapshot_info(s)->jobs; i++)
		if (fs_windows_capped(w, i, &c))
			columns_object(j, prio_cap_columns, PRIO_CAP_COLUMNS, s, &c);
	fs_json_end_array(j);
}

int prio_json(struct prio_run *r)
{
	struct fs_prio_row row;
	struct fs_error err;
	fs_windows *w = NULL;
	fs_accrue *a = NULL;
	struct fs_json j;

	if (fs_accrue_compute(&a, r->snapshot, r->compat, &err) && err.code != FS_ENODATA)
		return report(r->inv, &err);
	if (fs_windows_compute(&w, r->snapshot, r->input.maui_dialect, &err) && err.code != FS_ENODATA)
		return report(r->inv, &err);
	r->source.accrue = a;
	json_begin(&j, "fs-prio/1", r->snapshot, r->json);
	if (r->json == JSON_LINES)
		write_blocked(&j, r->snapshot, w);
	json_rows(&j);
	for (size_t i = 0; i < r->n; i++) {
		fs_prios_row(r->prios, r->rows[i], &row);
		prio_json_row(&j, &r->source, &row);
		json_row_done(&j);
	}
	r->source.accrue = NULL;
	fs_accrue_free(a);
	json_end_rows(&j);
	if (r->json != JSON_LINES)
		write_blocked(&j, r->snapshot, w);
	fs_windows_free(w);
	return json_end(&j);
}
