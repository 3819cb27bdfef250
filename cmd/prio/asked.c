/* What fs-prio is asked for by name: is it there? */
#include "prio/prio.h"

#include "input/missing.h"
#include "render/text.h"

#include <stdlib.h>
#include <string.h>

/* The task of an array is found in its array's row. */
static bool job_number(const struct prio_run *r, const char *id, uint64_t *number)
{
	struct fs_job job;
	uint32_t row;
	char *end;

	if (!r->inv->emulated && strpbrk(id, "_+") && !fs_job_find(r->snapshot, id, &row)) {
		job.id = 0; /* no job has this id */
		if (row != FS_NO_ROW)
			fs_snapshot_job(r->snapshot, row, &job);
		*number = job.id;
		return true;
	}
	if (!fs_job_id_parse(r->snapshot, id, number))
		return *number || !r->inv->emulated;
	*number = strtoull(id, &end, 10);
	if (end == id || *id == '-' || (r->inv->emulated && !*number))
		return false;
	return !*end || (*end == '_' && fs_slurm_has(r->compat, FS_SLURM_SPRIO_TASK_IDS));
}

int prio_check_lists(struct prio_run *r)
{
	const int status = missing_clusters(r->inv, r->snapshot, &r->clusters, NULL);

	if (status)
		return status;
	for (size_t i = 0; i < r->jobs.n; i++) {
		char *id, seen[64];
		uint64_t number;

		if (!job_number(r, r->jobs.v[i], &number)) {
			complain(r->inv, r->inv->emulated ? "Invalid job id: %s" : "invalid job id \"%s\"", r->jobs.v[i]);
			return usage_status(r->inv);
		}
		if (!number && !r->inv->emulated) {
			complain(r->inv, "no priority of job %s", text_visible(seen, sizeof(seen), r->jobs.v[i]));
			r->missing++;
		}
		id = malloc(24);
		if (!id)
			return no_memory(r->inv);
		snprintf(id, 24, "%llu", (unsigned long long)number);
		free(r->jobs.v[i]);
		r->jobs.v[i] = id;
	}
	return 0;
}

/* Names and ids to names; one that nobody has is told and matches nothing. */
int prio_resolve_users(struct prio_run *r)
{
	struct names named = { .given = r->users.given };

	for (size_t i = 0; i < r->users.n; i++) {
		char *end;
		const unsigned long uid = strtoul(r->users.v[i], &end, 10);
		const char *name =
			*end ? r->users.v[i] : fs_snapshot_user_name(r->snapshot, (uint32_t)uid);

		if (!name || !fs_snapshot_has_user(r->snapshot, name)) {
			complain(r->inv, r->inv->strict ? "Invalid user: %s\n" : "no user \"%s\"", r->users.v[i]);
			r->missing++;
		} else if (names_add(&named, name, false)) {
			names_free(&named);
			return no_memory(r->inv);
		}
	}
	names_free(&r->users);
	r->users = named;
	return 0;
}

/* Complains of names that nobody has, which the emulated tools do not. */
void prio_check_names(struct prio_run *r)
{
	if (r->inv->emulated)
		return;
	r->missing += missing_names(r->inv, r->snapshot, MISSING_PARTITION, &r->partitions);
	r->missing += missing_name(r->inv, r->snapshot, MISSING_ACCOUNT, r->subtree);
}

static bool has_priority(const struct prio_run *r, uint64_t id)
{
	struct fs_prio_row row;

	for (size_t i = 0; i < fs_prios_count(r->prios); i++) {
		fs_prios_row(r->prios, i, &row);
		if (row.visible && row.job == id)
			return true;
	}
	return false;
}

/* Complains of jobs without a priority, or that the viewer may not see. */
void prio_check_jobs(struct prio_run *r)
{
	char text[FS_JOB_ID_TEXT];

	for (size_t i = 0; i < r->jobs.n && !r->inv->emulated; i++) {
		const uint64_t id = strtoull(r->jobs.v[i], NULL, 10);

		if (!id || has_priority(r, id)) /* 0: was complained of */
			continue;
		complain(r->inv, "no priority of job %s", fs_job_id_format(r->snapshot, id, true, text));
		r->missing++;
	}
}
