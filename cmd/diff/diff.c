/* fs-diff: what changed from one state to another, or would change. */
#include "diff/diff.h"
#include "input/missing.h"
#include "threads.h"

/* Returns 0 with the job's id, 1 if there is no such job, -1 if the word is no id. */
static int job_id(const fs_snapshot *s, const char *word, uint64_t *id)
{
	struct fs_job j;
	uint32_t row;

	if (fs_job_find(s, word, &row))
		return -1;
	if (row == FS_NO_ROW)
		return 1;
	fs_snapshot_job(s, row, &j);
	*id = j.id;
	return 0;
}

static int find_job(struct diff_run *r)
{
	int rc;

	if (!r->job)
		return 0;
	rc = job_id(r->side[FS_AFTER].snapshot, r->job, &r->job_id);
	if (rc < 0) {
		complain(r->inv, "\"%s\" is no job id", r->job);
		return EXIT_USAGE;
	}
	if (!rc || !job_id(r->side[FS_BEFORE].snapshot, r->job, &r->job_id))
		return 0;
	complain(r->inv, "job %s is in neither state", r->job);
	return EXIT_NOTHING;
}

/* A name is missing only if neither state knows it. */
static bool is_missing(const struct diff_run *r, enum missing_kind kind, const char *name)
{
	return name && missing_from(r->side[FS_BEFORE].snapshot, kind, name) &&
	       missing_name(r->inv, r->side[FS_AFTER].snapshot, kind, name);
}

static int find_names(const struct diff_run *r)
{
	const bool user = is_missing(r, MISSING_USER, r->user), account = is_missing(r, MISSING_ACCOUNT, r->account);

	return user || account ? EXIT_NOTHING : 0;
}

static int64_t usage_time(const struct diff_side *s)
{
	struct fs_usage_info info = { 0 };

	if (s->usage)
		fs_usage_info(s->usage, &info);
	return info.at;
}

static int show(struct diff_run *r)
{
	struct diff_side *a = &r->side[FS_BEFORE], *b = &r->side[FS_AFTER];
	struct fs_error err;
	int status = diff_open(r);

	if (!status)
		status = find_job(r);
	if (!status)
		status = find_names(r);
	if (status)
		return status;
	const struct fs_compared before = { &a->eval, a->plan, usage_time(a) },
				 after = { &b->eval, b->plan, usage_time(b) };

	if (fs_compare(&r->compared, &before, &after, threads_wanted() > 1 ? threads_run : NULL, NULL, &err))
		return report(r->inv, &err);
	diff_find_job(r);
	if (r->json)
		return diff_json(r);
	return diff_text(r) ? no_memory(r->inv) : EXIT_DONE;
}

static int run(const struct invocation *inv, int argc, char **argv)
{
	struct diff_run r = { .inv = inv };
	int status = diff_parse(&r, argc, argv);

	if (status < 0)
		status = show(&r);
	diff_release(&r);
	return status;
}

const struct command diff_command = { "fs-diff", NULL, "what changed from one state to another, or would", "", false, run };
