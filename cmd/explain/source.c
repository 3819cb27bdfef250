/* The last paragraph of a page: the snapshot and the times that the numbers are based on. */
#include "dialect/dialect.h"
#include "explain/text.h"
#include "words/words.h"

#include <string.h>

/* Adds when the factors were computed, and how certain that time is. */
static void add_last_calculation(struct page *p, const fs_snapshot *s)
{
	const struct fs_snapshot_info *info = fs_snapshot_info(s);
	char at[WORDS];

	time_words(at, s, info->priority_time);
	if (!strcmp(info->priority_time_from, "start"))
		page_join(p, "; factors as of about %s, by the controller's start and its period.", at);
	else if (!strcmp(info->priority_time_from, "no ages"))
		page_join(p, "; factors as of %s or earlier.", at);
	else if (!strcmp(info->priority_time_from, "shares"))
		page_join(p, "; factors as of %s, by the shares that were printed.", at);
	else if (info->priority_time_error_s > 0)
		page_join(p, "; factors as of %s, to within %lld s.", at, (long long)info->priority_time_error_s);
	else
		page_join(p, "; factors as of %s.", at);
}

void explain_add_source(struct page *p, const struct explain_view *v)
{
	const struct fs_snapshot_info *info = fs_snapshot_info(v->from->snapshot);
	struct fs_usage_info usage;
	char a[WORDS];

	page_gap(p);
	page_say(p, "Computed from %s, captured %s", info->file, date_words(a, v->from->snapshot, info->time));
	if (!v->dialect->runs)
		page_join(p, ".");
	else if (info->priority_time_known)
		add_last_calculation(p, v->from->snapshot);
	else
		page_join(p, "; when the scheduler last computed its factors was not captured.");
	if (v->usage) {
		fs_usage_info(v->usage, &usage);
		page_say(p, "Carried forward to %s: nothing else starts or arrives meanwhile.",
			 date_words(a, v->from->snapshot, usage.at));
	}
	page_end(p);
}
