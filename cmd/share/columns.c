#include "share/columns.h"

#include "dialect/dialect.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

static void get_raw_shares(const void *of, const void *row, struct value *out)
{
	const struct fs_share_row *r = row;

	(void)of;
	out->type = r->shares_kind == FS_SHARES_NUMBER ? VALUE_WHOLE : VALUE_TEXT;
	if (out->type == VALUE_WHOLE)
		out->whole = r->raw_shares;
	else
		out->text = r->shares_kind == FS_SHARES_PARENT ? "parent" : "";
}

static void get_cluster(const void *of, const void *row, struct value *out)
{
	(void)row;
	out->type = VALUE_TEXT;
	out->text = fs_snapshot_info(((const struct share_source *)of)->snapshot)->cluster;
}

static void write_tres(struct fs_json *j, const struct share_source *of, const struct fs_share_row *row,
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

static void write_limits(struct fs_json *j, const void *of, const void *row)
{
	write_tres(j, of, row, FS_GRP_TRES_MIN);
}

static void write_usage(struct fs_json *j, const void *of, const void *row)
{
	write_tres(j, of, row, FS_USAGE_TRES_MIN);
}

static void write_running(struct fs_json *j, const void *of, const void *row)
{
	write_tres(j, of, row, FS_RUN_TRES_MIN);
}

#define MEMBER(m) COLUMN_MEMBER(struct fs_share_row, m)

const struct column share_columns[SHARE_COLUMNS] = {
	[SHARE_ID] = { "ID", "id", 6, MEMBER(id), .help = "association id" },
	[SHARE_ACCOUNT] = { "Account", "account", -20, MEMBER(account), .help = "account, indented by its depth" },
	[SHARE_PARENT] = { NULL, "parent", 0, MEMBER(parent), .help = "account above it" },
	[SHARE_USER] = { "User", "user", 10, MEMBER(user), .help = "user, blank for an account" },
	[SHARE_PARTITION] = { "Partition", "partition", 12, MEMBER(partition),
			      .help = "the partition this association is for, if only one" },
	[SHARE_RAW_SHARES] = { "RawShares", "raw_shares", 10, .get = get_raw_shares,
			       .help = "raw shares; parent: its members compete one level higher" },
	[SHARE_NORM_SHARES] = { "NormShares", "norm_shares", 11, MEMBER(norm_shares), .unit = UNIT_FRACTION,
				.help = "normalised shares, 0 to 1" },
	[SHARE_RAW_USAGE] = { "RawUsage", "raw_usage", 11, MEMBER(raw_usage), .help = "decayed usage in TRES seconds" },
	[SHARE_LATE_USAGE] = { NULL, "late_usage", 0, MEMBER(late_usage),
			       .help = "part of it, of jobs that ended since priorities were computed" },
	[SHARE_NORM_USAGE] = { "NormUsage", "norm_usage", 11, MEMBER(norm_usage), .unit = UNIT_FRACTION,
			       .help = "part of the whole cluster's usage" },
	[SHARE_EFFECTIVE_USAGE] = { "EffectvUsage", "effective_usage", 13, MEMBER(effective_usage), .unit = UNIT_FRACTION,
				    .help = "effective usage, 0 to 1, as the algorithm defines it" },
	[SHARE_FAIRSHARE] = { "FairShare", "fairshare", 10, MEMBER(fairshare), .unit = UNIT_FRACTION,
			      .help = "the factor that jobs get, 0 to 1" },
	[SHARE_LEVEL_FS] = { "LevelFS", "level_fs", 10, MEMBER(level_fs), .unit = UNIT_FRACTION,
			     .help = "share divided by usage among siblings: above 1 is less used than promised" },
	[SHARE_RANK] = { NULL, "rank", 0, MEMBER(rank), .none_at_0 = true,
			 .help = "Fair Tree's or Flux's: the highest number goes first" },
	[SHARE_LOW] = { "Low", "low", 10, MEMBER(low), .help = "flux_range: where the slice of 0 to 1 begins" },
	[SHARE_HIGH] = { "High", "high", 10, MEMBER(high), .help = "flux_range: where it ends" },
	[SHARE_POSITION] = { NULL, "position", 0, MEMBER(position), .help = "flux_range: place in the slice of the parent" },
	[SHARE_TIED] = { NULL, "tied", 0, MEMBER(tied), .none_at_0 = true,
			 .help = "flux_range: siblings of the same usage over shares, with itself" },
	[SHARE_COUNTED] = { NULL, "counted", 0, MEMBER(counted), .help = "has part in fair share" },
	[SHARE_ACTIVE] = { NULL, "active", 0, MEMBER(active), .help = "false where the scheduler says that it is not" },
	[SHARE_STORED_FAIRSHARE] = { NULL, "held_fairshare", 0, MEMBER(stored_fairshare),
				     .help = "Flux: the factor that the scheduler's tables held" },
	[SHARE_LISTED_USAGE] = { NULL, "listed_usage", 0, MEMBER(listed_usage),
				 .help = "Flux: usage as the scheduler's tables list it" },
	[SHARE_GRP_TRES_MINS] = { "GrpTRESMins", "grp_tres_mins", 30, .json = write_limits, .help = "limits on TRES minutes" },
	[SHARE_GRP_TRES_RAW] = { "GrpTRESRaw", "grp_tres_raw", 30, .json = write_usage,
				 .help = "decayed usage in TRES minutes" },
	[SHARE_TRES_RUN_MINS] = { "TRESRunMins", "tres_run_mins", 30, .json = write_running,
				  .help = "TRES minutes promised to running jobs" },
	[SHARE_CLUSTER] = { "Cluster", NULL, 10, .get = get_cluster, .help = "cluster" },
};

const struct column *share_column_named(size_t i, bool ours)
{
	/* src/sshare/sshare.c, and behind them our own */
	static const unsigned char named[] = {
		SHARE_ACCOUNT, SHARE_CLUSTER, SHARE_EFFECTIVE_USAGE, SHARE_FAIRSHARE, SHARE_GRP_TRES_MINS,
		SHARE_GRP_TRES_RAW, SHARE_ID, SHARE_LEVEL_FS, SHARE_NORM_SHARES, SHARE_NORM_USAGE, SHARE_PARTITION,
		SHARE_RAW_SHARES, SHARE_RAW_USAGE, SHARE_TRES_RUN_MINS, SHARE_USER, SHARE_LOW, SHARE_HIGH,
	};
	enum { OURS = 2, NAMED = sizeof(named) };

	return i < NAMED - (ours ? 0 : OURS) ? &share_columns[named[i]] : NULL;
}

bool share_column_tres(const struct column *c, enum fs_share_tres *which)
{
	*which = c->json == write_limits  ? FS_GRP_TRES_MIN
		 : c->json == write_usage ? FS_USAGE_TRES_MIN
					  : FS_RUN_TRES_MIN;
	return c->json;
}

const struct column *share_column_find(const char *word, size_t len, bool ours)
{
	const struct column *c;

	for (size_t i = 0; (c = share_column_named(i, ours)); i++)
		if (!strncasecmp(c->name, word, len))
			return c;
	return NULL;
}

static int init_widths(struct share_format *f)
{
	f->width = calloc(SHARE_COLUMNS, sizeof(*f->width));
	for (size_t i = 0; f->width && i < SHARE_COLUMNS; i++)
		f->width[i] = share_columns[i].width;
	return f->width ? 0 : -1;
}

static int add_field(struct share_format *f, const struct column *column)
{
	if (f->n == f->cap) {
		const size_t cap = f->cap ? f->cap * 2 : 16;
		struct share_field *p = realloc(f->field, cap * sizeof(*p));

		if (!p)
			return -1;
		f->field = p;
		f->cap = cap;
	}
	f->field[f->n++] = (struct share_field){ column, 0 };
	return 0;
}

/* Is the word (the first len bytes) repeated exactly later in the list? Then only the last one counts. */
static bool repeated_later(const char *word, size_t len)
{
	for (const char *p = word + len; *p; p += strcspn(p, ",")) {
		p++;
		if (strcspn(p, ",") == len && !strncmp(p, word, len))
			return true;
		if (!*p)
			break;
	}
	return false;
}

int share_format_add(struct share_format *f, const char *list, bool ours, char *bad,
		     size_t bad_size)
{
	if (!f->width && init_widths(f))
		return -1;
	while (*list) {
		const size_t len = strcspn(list, ","), name = strcspn(list, "%,");
		const struct column *c;

		if (!len) { /* no name is no column */
			list++;
			continue;
		}
		c = share_column_find(list, name, ours);
		if (!c) {
			snprintf(bad, bad_size, "%.*s", (int)name, list);
			return 1;
		}
		if (name < len && (atoi(list + name + 1) || (ours && list[name + 1] == '0')))
			f->width[c - share_columns] = atoi(list + name + 1);
		if (!repeated_later(list, len) && add_field(f, c))
			return -1;
		list += len + (list[len] == ',');
	}
	for (size_t i = 0; i < f->n; i++)
		f->field[i].width = f->width[f->field[i].column - share_columns];
	return 0;
}

const char *share_default_format(const fs_snapshot *s, const fs_shares *shares, bool wide,
				 bool with_partition)
{
	static const char *const lists[2][2][2] = {
		{ { "Account,User,RawShares,NormShares,RawUsage,EffectvUsage,FairShare",
		    "Account,User,Partition,RawShares,NormShares,RawUsage,EffectvUsage,FairShare" },
		  { "Account,User,RawShares,NormShares,RawUsage,NormUsage,EffectvUsage,FairShare,"
		    "GrpTRESMins,TRESRunMins",
		    "Account,User,Partition,RawShares,NormShares,RawUsage,NormUsage,EffectvUsage,FairShare,"
		    "GrpTRESMins,TRESRunMins" } },
		{ { "Account,User,RawShares,NormShares,RawUsage,EffectvUsage,FairShare",
		    "Account,User,Partition,RawShares,NormShares,RawUsage,EffectvUsage,FairShare" },
		  { "Account,User,RawShares,NormShares,RawUsage,NormUsage,EffectvUsage,FairShare,LevelFS,"
		    "GrpTRESMins,TRESRunMins",
		    "Account,User,Partition,RawShares,NormShares,RawUsage,NormUsage,EffectvUsage,FairShare,"
		    "LevelFS,GrpTRESMins,TRESRunMins" } },
	};

	if (fs_shares_has_ranges(shares))
		return wide ? "Account,User,RawShares,NormShares,RawUsage,NormUsage,EffectvUsage,FairShare,LevelFS,"
			      "Low,High"
			    : "Account,User,RawShares,NormShares,RawUsage,EffectvUsage,FairShare,Low,High";
	if (wide && dialect_of(s)->wide_shares)
		return dialect_of(s)->wide_shares;
	return lists[fs_shares_has_levels(shares)][wide][with_partition];
}

void share_format_free(struct share_format *f)
{
	free(f->field);
	free(f->width);
	*f = (struct share_format){ 0 };
}
