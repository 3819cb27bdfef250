/* The last line of a page: what it was computed from. */
#include "explain/text.h"
#include "explain/words.h"

void explain_source_text(struct page *p, const struct explain_view *v)
{
	const struct fs_snapshot_info *info = fs_snapshot_info(v->from->snapshot);
	struct fs_usage_info usage;
	char a[WORDS], b[WORDS];

	page_gap(p);
	page_say(p, "Computed from %s, captured %s", info->file,
		 date_words(a, v->from->snapshot, info->time));
	if (info->kind != FS_SLURM)
		page_join(p, ".");
	else if (info->priority_time_known)
		page_join(p, "; factors as of %s.",
			  time_words(b, v->from->snapshot, info->priority_time));
	else
		page_join(p, "; when the scheduler last computed its factors was not captured.");
	if (v->usage) {
		fs_usage_info(v->usage, &usage);
		page_say(p, "Carried forward to %s: nothing else starts or arrives meanwhile.",
			 date_words(a, v->from->snapshot, usage.at));
	}
	page_end(p);
}
