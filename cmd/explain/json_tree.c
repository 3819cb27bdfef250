/* fs-explain/1: the way through the tree, users and accounts. */
#include "explain/json_parts.h"

#include "columns/prio.h"
#include "columns/share.h"

#include <math.h>
#include <string.h>

/* Numbers of rows that the viewer may not see are unknown. */
static void write_row(struct fs_json *j, const struct fs_share_row *r)
{
	static const enum share_column names[] = { SHARE_ACCOUNT, SHARE_USER, SHARE_PARTITION },
				       numbers[] = { SHARE_RAW_SHARES, SHARE_NORM_SHARES, SHARE_RAW_USAGE,
						     SHARE_LATE_USAGE, SHARE_NORM_USAGE, SHARE_EFFECTIVE_USAGE,
						     SHARE_LEVEL_FS,   SHARE_LOW,	 SHARE_HIGH,
						     SHARE_POSITION };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		columns_json(j, &share_columns[names[i]], 1, NULL, r);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		if (r->visible) {
			columns_json(j, &share_columns[numbers[i]], 1, NULL, r);
		} else {
			json_null(j, share_columns[numbers[i]].key);
		}
}

static void write_level(struct fs_json *j, const struct explain_view *v,
			const struct fs_explain_level *l)
{
	fs_json_object(j);
	json_text(j, "level", fs_shares_row(v->from->shares, l->above)->account);
	write_row(j, fs_shares_row(v->from->shares, l->row));
	json_number(j, "level_shares", l->level_shares);
	json_whole(j, "place", l->place != 0, l->place);
	json_whole(j, "tied", l->place != 0, l->tied);
	json_flag(j, "tied_with_other_kind", l->other_kind_ties);
	json_flag(j, "beside", l->other_kind_ties);
	json_list(j, "siblings");
	for (uint32_t k = 0; k < l->count; k++) {
		const struct fs_share_row *r = fs_shares_row(v->from->shares, l->siblings[k]);

		if (!r->visible)
			continue;
		fs_json_object(j);
		write_row(j, r);
		fs_json_end_object(j);
	}
	fs_json_end_array(j);
	fs_json_end_object(j);
}

void explain_json_path(struct fs_json *j, const struct explain_view *v,
		       const struct fs_explain_path *p)
{
	if (!p->algorithm) {
		fs_json_null(j);
		return;
	}
	const bool open = !p->given && !p->hidden;
	const struct fs_share_row *other =
		v->other && open ? fs_shares_row(v->other, p->row) : NULL;

	fs_json_object(j);
	json_text(j, "algorithm", p->algorithm);
	json_number(j, "factor", p->factor);
	json_number(j, "recorded", p->recorded);
	json_flag(j, "hidden", !open);
	json_whole(j, "rank", open && p->rank, p->rank);
	json_whole(j, "users", open && p->stands, p->users);
	json_whole(j, "better", open && p->stands, p->better);
	json_whole(j, "tied", open && p->stands, p->tied);
	json_whole(j, "worse", open && p->stands, p->worse);
	json_text(j, "other_algorithm", other ? fs_shares_algorithm(v->other) : "");
	json_whole(j, "other_rank", other && other->rank, other ? other->rank : 0);
	json_number(j, "other_factor", other ? other->fairshare : NAN);
	json_list(j, "levels");
	for (size_t k = 0; open && k < p->levels; k++)
		write_level(j, v, &p->level[k]);
	fs_json_end_array(j);
	fs_json_end_object(j);
}

/* ---- users and accounts */

static int write_association(struct fs_json *j, const struct explain_view *v, uint32_t row)
{
	struct fs_explain_path path = { 0 };
	struct fs_explain_count n;

	fs_explain_count(v->x, row, &n);
	if (fs_explain_path(v->x, row, &path, NULL))
		return FS_ENOMEM;
	fs_json_object(j);
	write_row(j, fs_shares_row(v->from->shares, row));
	json_whole(j, "running", true, n.running);
	json_whole(j, "pending", true, n.pending);
	json_whole(j, "eligible", true, n.eligible);
	json_whole(j, "in_line", true, n.eligible);
	json_whole(j, "held", true, n.held);
	fs_json_key(j, "fairshare");
	explain_json_path(j, v, &path);
	if (explain_forecast_json(j, v, row, FS_NO_ROW))
		return FS_ENOMEM;
	fs_json_end_object(j);
	return 0;
}

int explain_rows_json(const struct explain_view *v, const char *kind, const uint32_t *rows,
		      size_t n)
{
	struct fs_json j;
	int rc = 0;

	json_begin(&j, "fs-explain/1", v->from->snapshot, v->json);
	json_text(&j, "kind", kind);
	json_list(&j, "associations");
	for (size_t i = 0; i < n && !rc; i++)
		rc = write_association(&j, v, rows[i]);
	fs_json_end_array(&j);
	return rc ? rc : json_end(&j);
}

int explain_rows_versus_json(const struct explain_view *v, uint32_t a, uint32_t b)
{
	struct fs_explain_divergence part = { .same = true };
	struct fs_explain_path pa, pb;
	struct fs_json j;
	int rc;

	if (fs_explain_path(v->x, a, &pa, NULL) || fs_explain_path(v->x, b, &pb, NULL))
		return FS_ENOMEM;
	fs_explain_compare_paths(v->x, &pa, &pb, &part);
	json_begin(&j, "fs-explain/1", v->from->snapshot, v->json);
	json_text(&j, "kind", "versus");
	json_text(&j, "first", part.first < 0 ? "a" : part.first > 0 ? "b" : "");
	json_whole(&j, "parting_level", !part.same, part.level_a);
	json_list(&j, "associations");
	rc = write_association(&j, v, a);
	rc = rc ? rc : write_association(&j, v, b);
	fs_json_end_array(&j);
	return rc ? rc : json_end(&j);
}
