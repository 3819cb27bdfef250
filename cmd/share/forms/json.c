/* fs-share/1: the rows as JSON (man/fs-share.1, man/fs-share-1.schema.json). */
#include "share/share.h"

#include <stdlib.h>

int share_json(const struct share_run *r)
{
	struct share_source of = { r->snapshot, r->shares, NULL, fs_snapshot_tres_count(r->snapshot) };
	struct fs_json j;

	of.tres = calloc(of.ntres + 1, sizeof(*of.tres));
	if (!of.tres)
		return -1;
	json_begin(&j, "fs-share/1", r->snapshot, r->json);
	json_text(&j, "algorithm", fs_shares_algorithm(r->shares));
	json_whole(&j, "ranked_users", true, fs_shares_users(r->shares));
	json_rows(&j);
	for (size_t i = 0; i < r->rows.n; i++) {
		columns_object(&j, share_columns, SHARE_COLUMNS, &of, r->rows.v[i]);
		json_row_done(&j);
	}
	json_end_rows(&j);
	free(of.tres);
	return json_end(&j);
}
