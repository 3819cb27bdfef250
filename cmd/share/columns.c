#include "share/columns.h"

#include "dialect/dialect.h"
#include "room.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

const struct column *share_column_named(size_t i, bool ours)
{
	/* src/sshare/sshare.c */
	static const unsigned char theirs[] = {
		SHARE_ACCOUNT, SHARE_CLUSTER, SHARE_EFFECTIVE_USAGE, SHARE_FAIRSHARE, SHARE_GRP_TRES_MINS,
		SHARE_GRP_TRES_RAW, SHARE_ID, SHARE_LEVEL_FS, SHARE_NORM_SHARES, SHARE_NORM_USAGE, SHARE_PARTITION,
		SHARE_RAW_SHARES, SHARE_RAW_USAGE, SHARE_TRES_RUN_MINS, SHARE_USER,
	};
	size_t at = sizeof(theirs);

	if (i < at)
		return &share_columns[theirs[i]];
	for (int k = 0; ours && k < SHARE_COLUMNS; k++)
		if (share_columns[k].name && !memchr(theirs, k, sizeof(theirs)) && at++ == i)
			return &share_columns[k];
	return NULL;
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
	struct share_field *v = room_for_one(f->field, f->n, &f->cap, sizeof(*v));

	if (!v)
		return -1;
	f->field = v;
	f->field[f->n++] = (struct share_field){ column, 0 };
	return 0;
}

/* Returns whether the word (the first len bytes) stands again later in the list: only the last one counts. */
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

int share_format_add(struct share_format *f, const char *list, bool ours, char *bad, size_t bad_size)
{
	if (!f->width && init_widths(f))
		return -1;
	while (*list) {
		const size_t len = strcspn(list, ","), name = strcspn(list, "%,");
		const struct column *c;

		if (!len) { /* an empty name is an error */
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
