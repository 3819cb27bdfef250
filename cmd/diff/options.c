/* The command line of fs-diff. */
#include "diff/diff.h"

#include "input/usage.h"
#include "options/options.h"
#include "render/emit.h"

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

int diff_parse(struct diff_run *r, int argc, char **argv)
{
	const struct option_target to = { .inv = r->inv, .run = r, .input = &r->input, .json = &r->json };
	int next = argc, status = options_parse(&to, &option_table, argc, argv, &next);

	if (status < 0)
		status = take_files(r, argc - next, argv + next);
	return status < 0 ? check(r) : status;
}
