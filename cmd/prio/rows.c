/* Which rows fs-prio shows. */
#include "prio/prio.h"

#include <stdlib.h>
#include <string.h>

static bool has_job(const struct names *jobs, uint64_t job)
{
	char id[24];

	snprintf(id, sizeof(id), "%llu", (unsigned long long)job);
	return names_has(jobs, id);
}

static bool wanted(const struct prio_run *r, const struct fs_prio_row *row)
{
	return row->visible && (!r->jobs.given || has_job(&r->jobs, row->job)) &&
	       (!r->users.given || names_has(&r->users, row->user)) &&
	       (!r->partitions.given || names_has(&r->partitions, row->partition)) &&
	       (!r->states.n || names_has(&r->states, row->state)) &&
	       (!r->me || !strcmp(row->user, input_viewer(&r->input))) &&
	       (!r->subtree || fs_snapshot_account_within(r->snapshot, row->account, r->subtree));
}

static bool filters(const struct prio_run *r)
{
	return r->jobs.given || r->users.given || r->partitions.given || r->states.n || r->me || r->subtree;
}

/* All rows of jobs that may be seen: their names need not be looked up. */
static void choose_visible(struct prio_run *r, bool *seen)
{
	const size_t all = fs_prios_count(r->prios);

	fs_snapshot_visible_jobs(r->snapshot, input_viewer(&r->input), seen);
	for (size_t i = 0; i < all; i++)
		if (seen[fs_prios_job_row(r->prios, i)])
			r->rows[r->n++] = i;
}

int prio_choose_rows(struct prio_run *r)
{
	const size_t all = fs_prios_count(r->prios);
	bool *seen = filters(r) ? NULL : malloc(fs_snapshot_info(r->snapshot)->jobs + 1);
	struct fs_prio_row row;

	r->rows = malloc((all + 1) * sizeof(*r->rows));
	if (r->rows && seen)
		choose_visible(r, seen);
	for (size_t i = 0; r->rows && !seen && i < all; i++) {
		fs_prios_label(r->prios, i, &row);
		if (wanted(r, &row))
			r->rows[r->n++] = i;
	}
	free(seen);
	return r->rows ? 0 : no_memory(r->inv);
}
