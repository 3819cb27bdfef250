/* The last paragraph of a page: the snapshot and the times to which the numbers apply. */
#include "dialect/dialect.h"
#include "explain/text.h"
#include "words/words.h"

#include <string.h>

/* Adds the time at which the scheduler last computed the factors. Says how the time is known if it is not exact. */
static void add_last_calculation(struct page *p, const fs_snapshot *s)
{
	const struct fs_snapshot_info *info = fs_snapshot_info(s);
	char at[WORDS];

	format_short_time(at, s, info->priority_time);
	if (!strcmp(info->priority_time_from, "start"))
		page_append_text(p, "; factors as of about %s, derived from the controller's start time.", at);
	else if (!strcmp(info->priority_time_from, "no ages"))
		page_append_text(p, "; factors as of %s or earlier.", at);
	else if (!strcmp(info->priority_time_from, "shares"))
		page_append_text(p, "; factors as of %s, derived from the printed shares.", at);
	else if (info->priority_time_error_s > 0)
		page_append_text(p, "; factors as of %s, to within %lld s.", at,
				 (long long)info->priority_time_error_s);
	else
		page_append_text(p, "; factors as of %s.", at);
}

bool explain_is_paste(const struct explain_view *v)
{
	return fs_snapshot_hidden(v->snapshot, "job fields");
}

void explain_add_paste_contents(struct page *p, const fs_snapshot *s, const char *unread)
{
	static const struct {
		const char *type, *one, *many;
	} types[] = { { "job", "job", "jobs" },
		      { "association", "row of shares", "rows of shares" },
		      { "partition", "partition", "partitions" },
		      { "node", "node", "nodes" },
		      { "qos", "QOS", "QOS" } };
	bool any = false;

	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++) {
		const size_t n = fs_snapshot_records(s, types[i].type);

		if (!n)
			continue;
		if (!any)
			page_add_sentence(p, "Read from the text: %zu %s", n, n == 1 ? types[i].one : types[i].many);
		else
			page_append_text(p, ", %zu %s", n, n == 1 ? types[i].one : types[i].many);
		any = true;
	}
	if (!any)
		return;
	page_append_text(p, fs_snapshot_records(s, "config") ? "." : ", no configuration: priorities cannot be recomputed.");
	if (*unread)
		page_add_sentence(p, "Not read: %s.", unread);
	page_end_paragraph(p);
	page_add_gap(p);
}

void explain_add_source(struct page *p, const struct explain_view *v)
{
	const struct fs_snapshot_info *info = fs_snapshot_info(v->snapshot);
	struct fs_usage_info usage;

	page_add_gap(p);
	page_add_sentence(p, "Computed from %s, captured %s", info->file,
			  info->time ? format_full_time(BUF, v->snapshot, info->time) : "at an unknown time");
	if (!v->dialect->has_priority_runs)
		page_append_text(p, ".");
	else if (info->priority_time_known)
		add_last_calculation(p, v->snapshot);
	else
		page_append_text(p, "; the time of the last factor calculation was not captured.");
	if (v->usage) {
		fs_usage_info(v->usage, &usage);
		page_add_sentence(p, "Usage computed for %s, assuming that no other job starts or arrives.",
				  format_full_time(BUF, v->snapshot, usage.at));
	}
	page_end_paragraph(p);
}
