#include "prio/rows.h"

#include <stdlib.h>
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

static bool filters(const struct prio_filter *f)
{
	return f->jobs->given || f->users->given || f->partitions->given || f->states->n || f->me || f->subtree;
}

/* All rows of jobs that may be seen: their names need not be looked up. */
static size_t select_visible(size_t *rows, const fs_prios *p, const fs_snapshot *s, const char *viewer, bool *seen)
{
	const size_t all = fs_prios_count(p);
	size_t n = 0;

	fs_snapshot_visible_jobs(s, viewer, seen);
	for (size_t i = 0; i < all; i++)
		if (seen[fs_prios_job_row(p, i)])
			rows[n++] = i;
	return n;
}

size_t prio_rows_select(size_t *rows, const fs_prios *p, const fs_snapshot *s,
			const struct prio_filter *f)
{
	const size_t all = fs_prios_count(p);
	bool *seen = filters(f) ? NULL : malloc(fs_snapshot_info(s)->jobs + 1);
	struct fs_prio_row row;
	size_t n = 0;

	if (seen) {
		n = select_visible(rows, p, s, f->viewer, seen);
		free(seen);
		return n;
	}
	for (size_t i = 0; i < all; i++) {
		fs_prios_label(p, i, &row);
		if (wanted(&row, s, f))
			rows[n++] = i;
	}
	return n;
}
