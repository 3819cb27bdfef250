#include "share/forms/json.h"

#include "render/json.h"

#include <stdlib.h>

int share_json(const fs_snapshot *s, const fs_shares *shares, const struct share_rows *rows, enum json_form form)
{
	struct share_source of = { s, shares, NULL, fs_snapshot_tres_count(s) };
	struct fs_json j;

	of.tres = calloc(of.ntres + 1, sizeof(*of.tres));
	if (!of.tres)
		return FS_ENOMEM;
	json_begin(&j, "fs-share/1", s, form);
	json_text(&j, "algorithm", fs_shares_algorithm(shares));
	json_whole(&j, "ranked_users", true, fs_shares_users(shares));
	json_rows(&j);
	for (size_t i = 0; i < rows->n; i++) {
		columns_object(&j, share_columns, SHARE_COLUMNS, &of, rows->v[i]);
		json_row_done(&j);
	}
	json_end_rows(&j);
	free(of.tres);
	return json_end(&j);
}
