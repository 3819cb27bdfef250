#include "share/columns.h"

#include "dialect/dialect.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define OFFSET(m) offsetof(struct fs_share_row, m)

/* In the order that decides which name an abbreviation means (src/sshare/sshare.c). */
const struct share_column share_columns[] = {
	{ "Account", -20, SHARE_ACCOUNT, 0, 0, false, "account, indented by its depth" },
	{ "Cluster", 10, SHARE_CLUSTER, 0, 0, false, "cluster" },
	{ "EffectvUsage", 13, SHARE_DOUBLE, OFFSET(effective_usage), 0, false, "usage as the algorithm counts it" },
	{ "FairShare", 10, SHARE_DOUBLE, OFFSET(fairshare), 0, false, "fair-share factor, 0 to 1" },
	{ "GrpTRESMins", 30, SHARE_TRES, 0, FS_GRP_TRES_MIN, false, "limits on TRES minutes" },
	{ "GrpTRESRaw", 30, SHARE_TRES, 0, FS_USAGE_TRES_MIN, false, "decayed usage in TRES minutes" },
	{ "ID", 6, SHARE_ID, 0, 0, false, "association id" },
	{ "LevelFS", 10, SHARE_LEVEL, 0, 0, false, "shares over usage among the siblings" },
	{ "NormShares", 11, SHARE_DOUBLE, OFFSET(norm_shares), 0, false, "normalised shares" },
	{ "NormUsage", 11, SHARE_DOUBLE, OFFSET(norm_usage), 0, false, "usage as a fraction of the cluster's" },
	{ "Partition", 12, SHARE_TEXT, OFFSET(partition), 0, false, "partition of the association" },
	{ "RawShares", 10, SHARE_RAW_SHARES, 0, 0, false, "shares as set" },
	{ "RawUsage", 11, SHARE_RAW_USAGE, 0, 0, false, "decayed usage in TRES seconds" },
	{ "TRESRunMins", 30, SHARE_TRES, 0, FS_RUN_TRES_MIN, false, "TRES minutes promised to running jobs" },
	{ "User", 10, SHARE_TEXT, OFFSET(user), 0, false, "user, blank for an account" },
	{ "Low", 10, SHARE_DOUBLE, OFFSET(low), 0, true, "flux_range: where the slice of 0 to 1 begins" },
	{ "High", 10, SHARE_DOUBLE, OFFSET(high), 0, true, "flux_range: where it ends" },
};
const size_t share_column_count = sizeof(share_columns) / sizeof(*share_columns);

const struct share_column *share_column_find(const char *word, size_t len, bool ours)
{
	for (size_t i = 0; i < share_column_count; i++)
		if (!strncasecmp(share_columns[i].name, word, len) &&
		    (ours || !share_columns[i].ours))
			return &share_columns[i];
	return NULL;
}

static int init_widths(struct share_format *f)
{
	f->width = calloc(share_column_count, sizeof(*f->width));
	for (size_t i = 0; f->width && i < share_column_count; i++)
		f->width[i] = share_columns[i].width;
	return f->width ? 0 : -1;
}

static int add_field(struct share_format *f, const struct share_column *column)
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
		const struct share_column *c;

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
