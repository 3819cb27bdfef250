/* What a row contains, and which rows pass a filter. */
#include "top/list_parts.h"

#include <string.h>

static char lower(char c)
{
	return (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

static bool contains(const char *text, const char *word)
{
	for (; *text; text++) {
		size_t i = 0;

		while (word[i] && lower(text[i]) == lower(word[i]))
			i++;
		if (!word[i])
			return true;
	}
	return !*word;
}

static bool job_contains(const struct data *d, const struct fs_queue_row *row, const char *word)
{
	struct fs_job job;
	char id[FS_JOB_ID_TEXT];

	if (contains(row->user, word) || contains(row->account, word) ||
	    contains(row->partition, word) || contains(row->qos, word))
		return true;
	fs_snapshot_job(d->snapshot, row->job_row, &job);
	if (contains(job.reason, word) || contains(job.name, word))
		return true;
	return contains(fs_job_id_format(id, d->snapshot, row->job, true), word);
}

bool list_matches(enum view view, const struct data *d, uint32_t i, const char *text)
{
	const struct fs_share_row *share;
	struct fs_queue_row row;

	switch (view) {
	case VIEW_QUEUE:
		fs_queue_row(d->eval.queue, i, &row);
		return job_contains(d, &row, text);
	case VIEW_SHARES:
		share = fs_shares_row(d->eval.shares, i);
		return contains(share->user, text) ||
		       (!*share->user && contains(share->account, text));
	default:
		return contains(d->partition[i].name, text);
	}
}

bool filter_active(const struct filter *f)
{
	return *f->text || *f->user || *f->account || *f->partition;
}

bool list_passes(const struct list *l, const struct data *d, uint32_t i)
{
	const struct filter *f = &l->filter;
	struct fs_queue_row row;

	if (l->view != VIEW_QUEUE)
		return !*f->text || list_matches(l->view, d, i, f->text);
	fs_queue_row(d->eval.queue, i, &row);
	return (!*f->user || !strcmp(row.user, f->user)) &&
	       (!*f->partition || !strcmp(row.partition, f->partition)) &&
	       (!*f->account || fs_snapshot_account_within(d->snapshot, row.account, f->account)) &&
	       (!*f->text || job_contains(d, &row, f->text));
}
