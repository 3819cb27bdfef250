#include "prio/rows.h"

#include <string.h>

static bool has_job(const struct names *jobs, uint64_t job)
{
	char id[24];

	snprintf(id, sizeof(id), "%llu", (unsigned long long)job);
	return names_has(jobs, id);
}

static bool wanted(const struct fs_prio_row *row, const fs_snapshot *s, const struct prio_filter *f)
{
	return row->visible && (!f->jobs->given || has_job(f->jobs, row->job)) &&
	       (!f->users->given || names_has(f->users, row->user)) &&
	       (!f->partitions->given || names_has(f->partitions, row->partition)) &&
	       (!f->states->n || names_has(f->states, row->state)) &&
	       (!f->me || !strcmp(row->user, f->me)) &&
	       (!f->subtree || fs_snapshot_account_within(s, row->account, f->subtree));
}

size_t prio_rows_select(size_t *rows, const fs_prios *p, const fs_snapshot *s,
			const struct prio_filter *f)
{
	const size_t all = fs_prios_count(p);
	struct fs_prio_row row;
	size_t n = 0;

	for (size_t i = 0; i < all; i++) {
		fs_prios_label(p, i, &row);
		if (wanted(&row, s, f))
			rows[n++] = i;
	}
	return n;
}
