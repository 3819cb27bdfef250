/* fs-diff/1. */
#include "diff/columns.h"
#include "render/json.h"

static const char *const sides[] = { "before", "after" };

static void put_job(struct fs_json *j, const struct diff_run *r, const struct fs_compared_job *row)
{
	struct value v;

	fs_json_object(j);
	for (const struct column *c = diff_job_columns; c < diff_job_columns + DIFF_JOB_COLUMNS; c++) {
		if (c->part != DIFF_EACH) {
			columns_json(j, c, 1, r, row);
			continue;
		}
		json_object(j, c->key);
		for (int k = 0; k < 2; k++) {
			diff_job_value(c, row, k, &v);
			fs_json_key(j, sides[k]);
			value_json(j, &v);
		}
		fs_json_end_object(j);
	}
	fs_json_end_object(j);
}

static void put_sibling(struct fs_json *j, const char *key, const struct fs_share_row *const row[2])
{
	static const struct fs_share_row unseen = { .account = "", .user = "", .partition = "" };
	const struct fs_share_row *r = row[FS_AFTER] ? row[FS_AFTER] : row[FS_BEFORE];

	share_json_name(j, key, !r || r->visible ? r : &unseen);
}

/* -1 without memory. */
static int put_causes(struct fs_json *j, const struct diff_run *r, size_t i)
{
	const struct fs_rank_cause *c;
	size_t n;
	const int rc = fs_comparison_rank_causes(r->compared, i, &c, &n);

	json_list(j, "causes");
	for (size_t k = 0; !rc && k < n; k++) {
		fs_json_object(j);
		json_text(j, "kind", fs_rank_cause_name(c[k].kind));
		put_sibling(j, "own", c[k].own);
		put_sibling(j, "other", c[k].other);
		json_integer(j, "users", c[k].users);
		json_number(j, "change", c[k].change);
		fs_json_end_object(j);
	}
	fs_json_end_array(j);
	return rc;
}

static int put_share(struct fs_json *j, const struct diff_run *r, size_t i)
{
	const struct fs_compared_share *s = fs_comparison_share(r->compared, i);
	const struct fs_share_row *a = s->row[FS_BEFORE], *b = s->row[FS_AFTER], *row = b ? b : a;
	struct value v;
	int rc;

	fs_json_object(j);
	json_text(j, "account", row->account);
	json_text(j, "user", row->user);
	json_text(j, "partition", row->partition);
	json_text(j, "fate", !a ? "new" : !b ? "gone" : "changed");
	for (const struct diff_share_column *c = diff_share_columns; c < diff_share_columns + DIFF_SHARE_COLUMNS; c++) {
		json_object(j, share_columns[c->column].key);
		for (int k = 0; k < 2; k++) {
			diff_share_value(c, s, k, &v);
			if (v.type == VALUE_TEXT) /* shares are a number here, or none */
				v.type = VALUE_NONE;
			fs_json_key(j, sides[k]);
			value_json(j, &v);
		}
		fs_json_end_object(j);
	}
	rc = put_causes(j, r, i);
	fs_json_end_object(j);
	return rc;
}

static void put_after(struct fs_json *j, const struct diff_run *r)
{
	const struct fs_snapshot_info *info = fs_snapshot_info(r->side[FS_AFTER].snapshot);
	struct fs_usage_info usage;

	json_object(j, "after");
	json_text(j, "cluster", info->cluster);
	if (r->side[FS_AFTER].usage)
		fs_usage_info(r->side[FS_AFTER].usage, &usage);
	json_integer(j, "time", r->side[FS_AFTER].usage ? usage.at : info->time);
	json_list(j, "if");
	for (size_t i = 0; i < r->input.edits.n; i++)
		fs_json_string(j, r->input.edits.command[i]);
	fs_json_end_array(j);
	fs_json_end_object(j);
}

int diff_json(const struct diff_run *r)
{
	struct fs_json j;
	int failed = 0;

	json_begin_changed(&j, "fs-diff/1", r->side[FS_BEFORE].snapshot, r->side[FS_AFTER].snapshot, r->json);
	put_after(&j, r);
	json_flag(&j, "planned", r->side[FS_AFTER].plan != NULL);
	json_list(&j, "jobs");
	for (size_t i = 0; i < fs_comparison_jobs(r->compared); i++)
		if (diff_wants_job(r, fs_comparison_job(r->compared, i)))
			put_job(&j, r, fs_comparison_job(r->compared, i));
	fs_json_end_array(&j);
	json_list(&j, "shares");
	for (size_t i = 0; i < fs_comparison_shares(r->compared); i++)
		if (diff_wants_share(r, fs_comparison_share(r->compared, i)))
			failed |= put_share(&j, r, i);
	fs_json_end_array(&j);
	return failed ? no_memory(r->inv) : json_end(&j);
}
