#include "share/json.h"

#include "render/json.h"

#include <stdlib.h>

static void write_tres(struct fs_json *j, const char *key, const fs_shares *shares, size_t row,
		       enum fs_share_tres which, struct fs_tres *tres, size_t max)
{
	const int n = fs_shares_tres(shares, row, which, tres, max);

	fs_json_key(j, key);
	if (n < 0) {
		fs_json_null(j);
		return;
	}
	fs_json_object(j);
	for (int i = 0; i < n; i++) {
		fs_json_key(j, tres[i].name);
		fs_json_i64(j, tres[i].amount);
	}
	fs_json_end_object(j);
}

static void write_row(struct fs_json *j, const fs_shares *shares, const struct fs_share_row *r,
		      struct fs_tres *tres, size_t max)
{
	fs_json_object(j);
	fs_json_key(j, "id");
	fs_json_u64(j, r->id);
	json_text(j, "account", r->account);
	json_text(j, "parent", r->parent);
	json_text(j, "user", r->user);
	json_text(j, "partition", r->partition);
	fs_json_key(j, "raw_shares");
	if (r->shares_kind == FS_SHARES_NUMBER)
		fs_json_u64(j, r->raw_shares);
	else if (r->shares_kind == FS_SHARES_PARENT)
		fs_json_string(j, "parent");
	else
		fs_json_null(j);
	json_number(j, "norm_shares", r->norm_shares);
	json_number(j, "raw_usage", r->raw_usage);
	json_number(j, "late_usage", r->late_usage);
	json_number(j, "norm_usage", r->norm_usage);
	json_number(j, "effective_usage", r->effective_usage);
	json_number(j, "fairshare", r->fairshare);
	json_number(j, "level_fs", r->level_fs);
	json_whole(j, "rank", r->rank != 0, r->rank);
	json_number(j, "low", r->low);
	json_number(j, "high", r->high);
	json_number(j, "position", r->position);
	json_whole(j, "tied", r->tied != 0, r->tied);
	json_flag(j, "counted", r->counted);
	json_flag(j, "active", r->active);
	json_number(j, "held_fairshare", r->stored_fairshare);
	json_number(j, "listed_usage", r->listed_usage);
	write_tres(j, "grp_tres_mins", shares, r->row, FS_GRP_TRES_MIN, tres, max);
	write_tres(j, "grp_tres_raw", shares, r->row, FS_USAGE_TRES_MIN, tres, max);
	write_tres(j, "tres_run_mins", shares, r->row, FS_RUN_TRES_MIN, tres, max);
	fs_json_end_object(j);
	json_row_done(j);
}

int share_json(const fs_snapshot *s, const fs_shares *shares, const struct share_rows *rows, enum json_form form)
{
	const size_t max = fs_snapshot_tres_count(s);
	struct fs_tres *tres = calloc(max + 1, sizeof(*tres));
	struct fs_json j;

	if (!tres)
		return FS_ENOMEM;
	json_begin(&j, "fs-share/1", s, form);
	json_text(&j, "algorithm", fs_shares_algorithm(shares));
	json_whole(&j, "ranked_users", true, fs_shares_users(shares));
	json_rows(&j);
	for (size_t i = 0; i < rows->n; i++)
		write_row(&j, shares, rows->v[i], tres, max);
	json_end_rows(&j);
	free(tres);
	return json_end(&j);
}
