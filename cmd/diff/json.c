/* fs-diff/1. */
#include "diff/diff.h"
#include "render/json.h"

#include <math.h>

static const char *const sides[] = { "before", "after" };

static void put_numbers(struct fs_json *j, const char *key, double before, double after)
{
	fs_json_key(j, key);
	fs_json_object(j);
	json_number(j, sides[FS_BEFORE], before);
	json_number(j, sides[FS_AFTER], after);
	fs_json_end_object(j);
}

/* 0 is none. */
static void put_places(struct fs_json *j, const char *key, const uint32_t v[2])
{
	fs_json_key(j, key);
	fs_json_object(j);
	for (int k = 0; k < 2; k++)
		json_whole(j, sides[k], v[k] != 0, v[k]);
	fs_json_end_object(j);
}

static void put_texts(struct fs_json *j, const char *key, const char *const v[2])
{
	fs_json_key(j, key);
	fs_json_object(j);
	for (int k = 0; k < 2; k++)
		json_text(j, sides[k], v[k]);
	fs_json_end_object(j);
}

static void put_terms(struct fs_json *j, const struct fs_compared_job *row)
{
	fs_json_key(j, "terms");
	fs_json_array(j);
	for (size_t i = 0; i < row->nterms; i++) {
		fs_json_object(j);
		json_text(j, "factor", row->terms[i].name);
		json_number(j, "change", row->terms[i].change);
		fs_json_end_object(j);
	}
	fs_json_end_array(j);
}

static void put_job(struct fs_json *j, const struct diff_run *r, const struct fs_compared_job *row)
{
	const int side = *row->partition[FS_AFTER] ? FS_AFTER : FS_BEFORE;

	fs_json_object(j);
	fs_json_key(j, "jobid");
	fs_json_u64(j, row->job);
	json_f58(j, r->side[FS_AFTER].snapshot, row->job);
	json_text(j, "fate", fs_fate_name(row->fate));
	json_text(j, "partition", row->partition[side]);
	put_texts(j, "partitions", row->partition);
	put_texts(j, "qos", row->qos);
	json_text(j, "user", row->user);
	json_text(j, "account", row->account);
	put_numbers(j, "priority", row->priority[0], row->priority[1]);
	put_places(j, "position", row->position);
	put_places(j, "partition_position", row->partition_position);
	fs_json_key(j, "start");
	fs_json_object(j);
	for (int k = 0; k < 2; k++)
		json_integer(j, sides[k], row->start_time[k]);
	fs_json_end_object(j);
	json_number(j, "sum_change", row->sum_change);
	json_number(j, "rest_change", row->rest_change);
	put_terms(j, row);
	fs_json_end_object(j);
}

static double raw_shares(const struct fs_share_row *row)
{
	return row && row->shares_kind == FS_SHARES_NUMBER ? (double)row->raw_shares : (double)NAN;
}

static void put_share(struct fs_json *j, const struct fs_compared_share *s)
{
	const struct fs_share_row *a = s->row[FS_BEFORE], *b = s->row[FS_AFTER], *row = b ? b : a;
	const uint32_t rank[2] = { a ? a->rank : 0, b ? b->rank : 0 };

	fs_json_object(j);
	json_text(j, "account", row->account);
	json_text(j, "user", row->user);
	json_text(j, "partition", row->partition);
	json_text(j, "fate", !a ? "new" : !b ? "gone" : "changed");
	put_numbers(j, "raw_shares", raw_shares(a), raw_shares(b));
#define PUT(member) put_numbers(j, #member, a ? a->member : (double)NAN, b ? b->member : (double)NAN)
	PUT(norm_shares);
	PUT(raw_usage);
	PUT(effective_usage);
	PUT(fairshare);
	PUT(level_fs);
#undef PUT
	put_places(j, "rank", rank);
	fs_json_end_object(j);
}

static void put_after(struct fs_json *j, const struct diff_run *r)
{
	const struct fs_snapshot_info *info = fs_snapshot_info(r->side[FS_AFTER].snapshot);
	struct fs_usage_info usage;

	fs_json_key(j, "after");
	fs_json_object(j);
	json_text(j, "cluster", info->cluster);
	if (r->side[FS_AFTER].usage)
		fs_usage_info(r->side[FS_AFTER].usage, &usage);
	json_integer(j, "time", r->side[FS_AFTER].usage ? usage.at : info->time);
	fs_json_key(j, "if");
	fs_json_array(j);
	for (size_t i = 0; i < r->input.edits.n; i++)
		fs_json_string(j, r->input.edits.command[i]);
	fs_json_end_array(j);
	fs_json_end_object(j);
}

int diff_json(const struct diff_run *r)
{
	struct fs_json j;

	json_begin(&j, "fs-diff/1", r->side[FS_BEFORE].snapshot, r->json);
	put_after(&j, r);
	json_flag(&j, "planned", r->side[FS_AFTER].plan != NULL);
	fs_json_key(&j, "jobs");
	fs_json_array(&j);
	for (size_t i = 0; i < fs_comparison_jobs(r->compared); i++)
		if (diff_wants_job(r, fs_comparison_job(r->compared, i)))
			put_job(&j, r, fs_comparison_job(r->compared, i));
	fs_json_end_array(&j);
	fs_json_key(&j, "shares");
	fs_json_array(&j);
	for (size_t i = 0; i < fs_comparison_shares(r->compared); i++)
		if (diff_wants_share(r, fs_comparison_share(r->compared, i)))
			put_share(&j, fs_comparison_share(r->compared, i));
	fs_json_end_array(&j);
	return json_end(&j);
}
