/* fs-diff: what changed from one state to another, or would change. */
#include "diff/diff.h"
#include "input/missing.h"
#include "input/usage.h"
#include "options/options.h"
#include "render/emit.h"
#include "threads.h"

enum {
	OPT_JOB = OPT_FIRST_FREE,
	OPT_USER,
	OPT_ACCOUNT,
	OPT_NO_PLAN
};

#define SET(member) OPTION_SETS(struct diff_run, member)
#define SET_OF(member, values) OPTION_SETS_OF(struct diff_run, member, values)
static const struct option_row option_rows[] = {
	HEADING("What to compare"),
	{ OPT_JOB, "job", "ID", "this job alone, with the sum of its change", SET_OF(job, ":jobs") },
	{ OPT_USER, "user", "NAME", "this user's jobs and shares alone", SET_OF(user, ":users") },
	{ OPT_ACCOUNT, "account", "NAME", "this account's jobs and shares alone", SET_OF(account, ":accounts") },
	{ OPT_NO_PLAN, "no-plan", NULL, "plan no starts", SET(no_plan) },
	HEADING("Output"),
	MARKDOWN_OPTION(SET(markdown)),
	JSON_OPTION("schema fs-diff/1"),
	USAGE_OPTIONS,
	COMMON_OPTIONS,
	HEADING("Other"),
	VERSION_OPTION('V'),
	HELP_OPTION(OPT_HELP),
};
static const struct option_table option_table = { .synopsis = "[OPTION]... [A] [B]",
						  .about = "What changed from snapshot A to B, or would change in A.",
						  OPTIONS(option_rows) };

/* A, unless --file or --demo is that; then B. */
static int take_files(struct diff_run *r, int n, char **names)
{
	int i = 0;

	if (n && !r->input.file && !r->input.demo)
		r->input.file = names[i++];
	if (i < n)
		r->other = names[i++];
	if (i == n)
		return -1;
	return options_unexpected(r->inv, names[i]);
}

static int check(const struct diff_run *r)
{
	const struct input *in = &r->input;

	if (r->json && r->markdown)
		complain(r->inv, "--json and --markdown exclude each other");
	else if (!r->other && !in->edits.n && !in->algorithm && !in->compat && !in->position && !usage_wanted(in))
		complain(r->inv, "a second state is needed: a file, or --if, --at, --algorithm; see %s --help",
			 r->inv->name);
	else
		return -1;
	return EXIT_USAGE;
}

/* Fills the run: -1 to go on, else the exit status. */
static int parse(struct diff_run *r, int argc, char **argv)
{
	const struct option_target to = { .inv = r->inv, .run = r, .input = &r->input, .json = &r->json };
	int next = argc, status = options_parse(&to, &option_table, argc, argv, &next);

	if (status < 0)
		status = take_files(r, argc - next, argv + next);
	return status < 0 ? check(r) : status;
}

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
	int status = parse(&r, argc, argv);

	if (status < 0)
		status = show(&r);
	diff_release(&r);
	return status;
}

const struct command diff_command = { "fs-diff", NULL, "what changed from one state to another, or would", "", false, run };
