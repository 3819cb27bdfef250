/* The command line of fs-diff. */
#include "diff/diff.h"

#include "input/usage.h"
#include "options/common.h"
#include "render/emit.h"

enum {
	OPT_JOB = OPT_FIRST_FREE,
	OPT_USER,
	OPT_ACCOUNT,
	OPT_MARKDOWN,
	OPT_NO_PLAN
};

static const struct option_row option_rows[] = {
	{ 0, NULL, NULL, "What to compare" },
	{ OPT_JOB, "job", "ID", "this job alone, with the sum of its change" },
	{ OPT_USER, "user", "NAME", "this user's jobs and shares alone" },
	{ OPT_ACCOUNT, "account", "NAME", "this account's jobs and shares alone" },
	{ OPT_NO_PLAN, "no-plan", NULL, "plan no starts" },
	{ 0, NULL, NULL, "Output" },
	{ OPT_MARKDOWN, "markdown", NULL, "Markdown, for tickets" },
	{ OPT_JSON, "json", "[SHAPE]", "JSON, schema fs-diff/1; SHAPE pretty: indented" },
	USAGE_OPTIONS,
	COMMON_OPTIONS,
	{ 0, NULL, NULL, "Other" },
	{ 'V', "version", NULL, "print the version" },
	{ OPT_HELP, "help", NULL, "print this text" },
};
static const struct option_table option_table = OPTION_TABLE(option_rows);

static const struct option_member members[] = {
	OPTION_SETS(struct diff_run, OPT_JOB, job),
	OPTION_SETS(struct diff_run, OPT_USER, user),
	OPTION_SETS(struct diff_run, OPT_ACCOUNT, account),
	OPTION_SETS(struct diff_run, OPT_NO_PLAN, no_plan),
	OPTION_SETS(struct diff_run, OPT_MARKDOWN, markdown),
};

static int take_option(void *ctx, const struct options *o, int id)
{
	struct diff_run *r = ctx;
	const struct common_options c = { r->inv, &r->input, &r->json, members, sizeof(members) / sizeof(*members), r,
					  "[OPTION]... [A] [B]", "What changed from snapshot A to B, or would change in A." };
	const int status = common_option(&c, o, id);

	return status == OPTION_OWN ? EXIT_USAGE : status;
}

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
	complain(r->inv, "unexpected argument \"%s\"; see %s --help", names[i], r->inv->name);
	return EXIT_USAGE;
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
	int next = argc;
	int status = options_parse(r->inv, &option_table, argc, argv,
				   take_option, r, &next);

	if (status < 0)
		status = take_files(r, argc - next, argv + next);
	return status < 0 ? check(r) : status;
}
