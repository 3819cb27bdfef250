#include "prio/json.h"

#include "columns/prio.h"
#include "render/json.h"

/* ---- jobs that have no row since a fair-share cap holds them back */

/* w: NULL where there are no such caps. */
static void write_blocked(struct fs_json *j, const fs_snapshot *s, const fs_windows *w)
{
	struct fs_cap_row c;

	json_list(j, "blocked");
	for (uint32_t i = 0; w && i < fs_snapshot_info(s)->jobs; i++)
		if (fs_windows_capped(w, i, &c))
			columns_object(j, prio_cap_columns, PRIO_CAP_COLUMNS, s, &c);
	fs_json_end_array(j);
}

int prio_json(const struct invocation *inv, const fs_snapshot *s, enum fs_maui_dialect dialect, unsigned compat,
	      const fs_prios *p, const fs_holds *holds, const size_t *rows, size_t n, enum json_form form)
{
	struct fs_prio_row row;
	struct fs_error err;
	fs_windows *w = NULL;
	fs_accrue *a = NULL;
	struct fs_json j;

	if (fs_accrue_compute(&a, s, compat, &err) && err.code != FS_ENODATA)
		return report(inv, &err);
	if (fs_windows_compute(&w, s, dialect, &err) && err.code != FS_ENODATA)
		return report(inv, &err);
	json_begin(&j, "fs-prio/1", s, form);
	if (form == JSON_LINES)
		write_blocked(&j, s, w);
	json_rows(&j);
	for (size_t i = 0; i < n; i++) {
		fs_prios_row(p, rows[i], &row);
		prio_json_row(&j, &(struct prio_source){ s, p, a, holds }, &row);
		json_row_done(&j);
	}
	fs_accrue_free(a);
	json_end_rows(&j);
	if (form != JSON_LINES)
		write_blocked(&j, s, w);
	fs_windows_free(w);
	return json_end(&j);
}
