#include "columns/share.h"

static void get_raw_shares_value(const void *of, const void *row, struct value *out)
{
	const struct fs_share_row *r = row;

	(void)of;
	out->type = r->shares_kind == FS_SHARES_NUMBER ? VALUE_UNSIGNED : VALUE_TEXT;
	if (out->type == VALUE_UNSIGNED)
		out->whole = r->raw_shares;
	else
		out->text = r->shares_kind == FS_SHARES_PARENT ? "parent" : "";
}

COLUMN_GET_VALUE(get_share_cluster, struct share_source, void, fs_snapshot_info(of->snapshot)->cluster)

static void write_tres_object(struct fs_json *j, const struct share_source *of, const struct fs_share_row *row,
			      enum fs_share_tres which)
{
	const int n = fs_shares_tres(of->shares, row->row, which, of->tres, of->ntres);

	if (n < 0) {
		fs_json_null(j);
		return;
	}
	fs_json_object(j);
	for (int i = 0; i < n; i++) {
		fs_json_key(j, of->tres[i].name);
		fs_json_i64(j, of->tres[i].amount);
	}
	fs_json_end_object(j);
}

COLUMN_WRITE_JSON(write_limit_tres, struct share_source, struct fs_share_row,
		  write_tres_object(j, of, row, FS_SHARE_TRES_LIMIT))
COLUMN_WRITE_JSON(write_usage_tres, struct share_source, struct fs_share_row,
		  write_tres_object(j, of, row, FS_SHARE_TRES_USAGE))
COLUMN_WRITE_JSON(write_running_tres, struct share_source, struct fs_share_row,
		  write_tres_object(j, of, row, FS_SHARE_TRES_RUNNING))

#define MEMBER(m) COLUMN_MEMBER(struct fs_share_row, m)

const struct column share_columns[SHARE_COLUMNS] = {
	[SHARE_ID] = { "ID", "id", 6, MEMBER(id), .zero_is_none = true, .help = "association id" },
	[SHARE_ACCOUNT] = { "Account", "account", -20, MEMBER(account),
			    .help = "account, indented by its level in the tree" },
	[SHARE_PARENT] = { NULL, "parent", 0, MEMBER(parent), .help = "parent account" },
	[SHARE_USER] = { "User", "user", 10, MEMBER(user), .help = "user; blank in the row of an account" },
	[SHARE_PARTITION] = { "Partition", "partition", 12, MEMBER(partition),
			      .help = "partition of the association; empty: all partitions" },
	[SHARE_RAW_SHARES] = { "RawShares", "raw_shares", 10, .get_value = get_raw_shares_value,
			       .help = "raw shares; parent: the account's members compete one level higher" },
	[SHARE_NORM_SHARES] = { "NormShares", "norm_shares", 11, MEMBER(norm_shares), .unit = UNIT_FRACTION,
				.help = "normalised shares, 0 to 1" },
	[SHARE_RAW_USAGE] = { "RawUsage", "raw_usage", 11, MEMBER(raw_usage), .help = "decayed usage in TRES seconds" },
	[SHARE_LATE_USAGE] = { NULL, "late_usage", 0, MEMBER(late_usage),
			       .help = "raw usage of jobs that ended after the last priority calculation" },
	[SHARE_NORM_USAGE] = { "NormUsage", "norm_usage", 11, MEMBER(norm_usage), .unit = UNIT_FRACTION,
			       .help = "usage as a fraction of the cluster's usage" },
	[SHARE_EFFECTIVE_USAGE] = { "EffectvUsage", "effective_usage", 13, MEMBER(effective_usage),
				    .unit = UNIT_FRACTION,
				    .help = "effective usage, 0 to 1, as the algorithm defines it" },
	[SHARE_FAIRSHARE] = { "FairShare", "fairshare", 10, MEMBER(fairshare), .unit = UNIT_FRACTION,
			      .help = "fair-share factor, 0 to 1" },
	[SHARE_LEVEL_FS] = { "LevelFS", "level_fs", 10, MEMBER(level_fs), .unit = UNIT_FRACTION,
			     .help = "shares divided by usage, among siblings; above 1: usage is below the share" },
	[SHARE_RANK] = { NULL, "rank", 0, MEMBER(rank), .zero_is_none = true,
			 .help = "rank (Fair Tree, Flux); the highest number is best" },
	[SHARE_LOW] = { "Low", "low", 10, MEMBER(range.low),
			.help = "flux_range: lower bound of the range within 0 to 1" },
	[SHARE_HIGH] = { "High", "high", 10, MEMBER(range.high), .help = "flux_range: upper bound of the range" },
	[SHARE_POSITION] = { NULL, "position", 0, MEMBER(range.position),
			     .help = "flux_range: position in the range of the parent" },
	[SHARE_TIED] = { NULL, "tied", 0, MEMBER(range.tied), .zero_is_none = true,
			 .help = "flux_range: number of siblings of equal weight, including this row" },
	[SHARE_COUNTED] = { NULL, "counted", 0, MEMBER(counted), .help = "true: the row takes part in fair share" },
	[SHARE_ACTIVE] = { NULL, "active", 0, MEMBER(active),
			   .help = "false: the scheduler marks the row as inactive" },
	[SHARE_STORED_FAIRSHARE] = { NULL, "stored_fairshare", 0, MEMBER(stored.fairshare),
				     .help = "Flux: fair-share factor in the tables of flux-accounting" },
	[SHARE_HELD_FAIRSHARE] = { NULL, "held_fairshare", 0, MEMBER(stored.fairshare),
				   .help = "the same as stored_fairshare" },
	[SHARE_LISTED_USAGE] = { NULL, "listed_usage", 0, MEMBER(stored.usage),
				 .help = "Flux: usage in the tables of flux-accounting" },
	[SHARE_GRP_TRES_MINS] = { "GrpTRESMins", "grp_tres_mins", 30, .write_json = write_limit_tres,
				  .help = "limits on TRES minutes" },
	[SHARE_GRP_TRES_RAW] = { "GrpTRESRaw", "grp_tres_raw", 30, .write_json = write_usage_tres,
				 .help = "decayed usage in TRES minutes" },
	[SHARE_TRES_RUN_MINS] = { "TRESRunMins", "tres_run_mins", 30, .write_json = write_running_tres,
				  .help = "TRES minutes that running jobs may still use" },
	[SHARE_CLUSTER] = { "Cluster", NULL, 10, .get_value = get_share_cluster, .help = "cluster" },
};

bool share_get_column_tres(const struct column *c, enum fs_share_tres *which)
{
	*which = c->write_json == write_limit_tres  ? FS_SHARE_TRES_LIMIT
		 : c->write_json == write_usage_tres ? FS_SHARE_TRES_USAGE
					  : FS_SHARE_TRES_RUNNING;
	return c->write_json;
}

const enum share_column share_metric_columns[] = {
	SHARE_RAW_SHARES, SHARE_NORM_SHARES, SHARE_RAW_USAGE, SHARE_NORM_USAGE, SHARE_EFFECTIVE_USAGE,
	SHARE_FAIRSHARE, SHARE_LEVEL_FS, SHARE_RANK, SHARE_LOW, SHARE_HIGH,
};
const size_t share_metric_columns_count = sizeof(share_metric_columns) / sizeof(*share_metric_columns);

void share_write_row_name(struct fs_json *j, const char *key, const struct fs_share_row *row)
{
	static const enum share_column name_columns[] = { SHARE_ACCOUNT, SHARE_USER, SHARE_PARTITION };

	fs_json_key(j, key);
	if (!row) {
		fs_json_null(j);
		return;
	}
	fs_json_object(j);
	for (size_t i = 0; i < sizeof(name_columns) / sizeof(*name_columns); i++)
		columns_write_members(j, &share_columns[name_columns[i]], 1, NULL, row);
	fs_json_end_object(j);
}
