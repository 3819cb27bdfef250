/* Finds rows of jobs and shares in what was computed. */
#include "top/data/data.h"

#include <string.h>

bool data_prio(const struct data *d, const struct fs_queue_row *row, struct fs_prio_row *out)
{
	const size_t n = d->eval.prios ? fs_prios_count(d->eval.prios) : 0;

	for (size_t i = d->first_prio[row->job_row]; i < n; i++) {
		fs_prios_row(d->eval.prios, i, out);
		if (out->job_row != row->job_row)
			return false;
		if (!strcmp(out->partition, row->partition) && !strcmp(out->qos, row->qos))
			return true;
	}
	return false;
}

size_t data_shares(const struct data *d)
{
	return d->eval.shares ? fs_shares_count(d->eval.shares) : 0;
}

uint32_t data_find_share(const struct data *d, const char *account, const char *user, const char *partition)
{
	const size_t n = data_shares(d);
	uint32_t other = FS_NO_ROW;

	for (size_t i = 0; i < n; i++) {
		const struct fs_share_row *row = fs_shares_row(d->eval.shares, i);

		if (strcmp(row->account, account) != 0 || strcmp(row->user, user) != 0 || !row->visible)
			continue;
		if (!strcmp(row->partition, partition))
			return (uint32_t)i;
		other = other == FS_NO_ROW ? (uint32_t)i : other;
	}
	return other;
}
