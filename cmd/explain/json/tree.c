/* fs-explain/1: the way through the tree, users and accounts. */
#include "explain/json/json.h"

#include "columns/prio.h"
#include "columns/share.h"

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

COLUMN_GET(get_above, struct explain_view, struct fs_explain_level,
	   fs_shares_row(of->from->shares, row->above)->account)

static void write_siblings(struct fs_json *j, const void *of, const void *row)
{
	const struct explain_view *v = of;
	const struct fs_explain_level *l = row;

	fs_json_array(j);
	for (uint32_t k = 0; k < l->count; k++) {
		const struct fs_share_row *r = fs_shares_row(v->from->shares, l->siblings[k]);

		if (!r->visible)
			continue;
		fs_json_object(j);
		write_row(j, r);
		fs_json_end_object(j);
	}
	fs_json_end_array(j);
}

COLUMN_KNOWN(has_place, void, struct fs_explain_level, row->place)

#define LEVEL(m) COLUMN_MEMBER(struct fs_explain_level, m)

static const struct column above_columns[] = {
	{ NULL, "level", .get = get_above, .help = "the account whose children they are" },
};

static const struct column level_columns[] = {
	{ NULL, "level_shares", LEVEL(level_shares), .help = "of all siblings" },
	{ NULL, "place", LEVEL(place), .known = has_place, .help = "among them, 1 the first" },
	{ NULL, "tied", LEVEL(tied), .known = has_place, .help = "others that are equal" },
	{ NULL, "tied_with_other_kind", LEVEL(other_kind_ties), .help = "Flux: a bank is equal to a user" },
	{ NULL, "beside", LEVEL(other_kind_ties), .help = "the same" },
	{ NULL, "siblings", .json = write_siblings, .help = "best first, where the algorithm ranks" },
};

static void write_level(struct fs_json *j, const struct explain_view *v, const struct fs_explain_level *l)
{
	fs_json_object(j);
	columns_json(j, COLUMNS(above_columns), v, l);
	write_row(j, fs_shares_row(v->from->shares, l->row));
	columns_json(j, COLUMNS(level_columns), v, l);
	fs_json_end_object(j);
}

COLUMN_KNOWN(is_open, void, struct fs_explain_path, !row->given && !row->hidden)
COLUMN_KNOWN(stands, void, struct fs_explain_path, is_open(of, row) && row->stands)
COLUMN_GET(get_hidden, void, struct fs_explain_path, !is_open(of, row))

/* By the algorithm that is shown beside. */
COLUMN_KNOWN(has_other, struct explain_view, struct fs_explain_path, of->other && is_open(of, row))
COLUMN_GET(get_other_algorithm, struct explain_view, void, fs_shares_algorithm(of->other))
COLUMN_GET(get_other_rank, struct explain_view, struct fs_explain_path, fs_shares_row(of->other, row->row)->rank)
COLUMN_GET(get_other_factor, struct explain_view, struct fs_explain_path, fs_shares_row(of->other, row->row)->fairshare)

static void write_levels(struct fs_json *j, const void *of, const void *row)
{
	const struct fs_explain_path *p = row;

	fs_json_array(j);
	for (size_t k = 0; is_open(of, row) && k < p->levels; k++)
		write_level(j, of, &p->level[k]);
	fs_json_end_array(j);
}

#define PATH(m) COLUMN_MEMBER(struct fs_explain_path, m)

static const struct column path_columns[] = {
	{ NULL, "algorithm", PATH(algorithm), .help = "that it was computed with" },
	{ NULL, "factor", PATH(factor), .help = "that priorities are computed with" },
	{ NULL, "recorded", PATH(recorded), .help = "that the scheduler printed" },
	{ NULL, "hidden", .get = get_hidden, .help = "the way there is not shown" },
	{ NULL, "rank", PATH(rank), .known = is_open, .none_at_0 = true, .help = "users is the best, 1 the last" },
	{ NULL, "users", PATH(users), .known = stands, .help = "how many are ranked" },
	{ NULL, "better", PATH(better), .known = stands, .help = "users before it" },
	{ NULL, "tied", PATH(tied), .known = stands, .help = "users with it" },
	{ NULL, "worse", PATH(worse), .known = stands, .help = "users after it" },
	{ NULL, "other_algorithm", .get = get_other_algorithm, .known = has_other, .help = "that is shown beside" },
	{ NULL, "other_rank", .get = get_other_rank, .known = has_other, .none_at_0 = true, .help = "with that one" },
	{ NULL, "other_factor", .get = get_other_factor, .known = has_other, .help = "with that one" },
	{ NULL, "levels", .json = write_levels, .help = "from the top down" },
};

void explain_json_path(struct fs_json *j, const struct explain_view *v, const struct fs_explain_path *p)
{
	if (p->algorithm)
		columns_object(j, COLUMNS(path_columns), v, p);
	else
		fs_json_null(j);
}

/* ---- users and accounts */

#define COUNT(m) COLUMN_MEMBER(struct fs_explain_count, m)

static const struct column count_columns[] = {
	{ NULL, "running", COUNT(running), .help = "jobs of it and of all below it" },
	{ NULL, "pending", COUNT(pending), .help = "likewise" },
	{ NULL, "eligible", COUNT(eligible), .help = "of those that are pending" },
	{ NULL, "in_line", COUNT(eligible), .help = "the same as eligible" },
	{ NULL, "held", COUNT(held), .help = "of those that are pending" },
};

static int write_association(struct fs_json *j, const struct explain_view *v, uint32_t row)
{
	struct fs_explain_path path = { 0 };
	struct fs_explain_count n;

	fs_explain_count(v->x, row, &n);
	if (fs_explain_path(v->x, row, &path, NULL))
		return FS_ENOMEM;
	fs_json_object(j);
	write_row(j, fs_shares_row(v->from->shares, row));
	columns_json(j, COLUMNS(count_columns), NULL, &n);
	fs_json_key(j, "fairshare");
	explain_json_path(j, v, &path);
	if (explain_forecast_json(j, v, row, FS_NO_ROW))
		return FS_ENOMEM;
	fs_json_end_object(j);
	return 0;
}

int explain_rows_json(const struct explain_view *v, const char *kind, const uint32_t *rows, size_t n)
{
	struct fs_json j;
	int rc = 0;

	explain_json_begin(&j, v, kind);
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
	explain_json_begin(&j, v, "versus");
	json_text(&j, "first", part.first < 0 ? "a" : part.first > 0 ? "b" : "");
	json_whole(&j, "parting_level", !part.same, part.level_a);
	json_list(&j, "associations");
	rc = write_association(&j, v, a);
	rc = rc ? rc : write_association(&j, v, b);
	fs_json_end_array(&j);
	return rc ? rc : json_end(&j);
}
