/* The command line of fs-explain. */
#include "explain/run.h"
#include "input/usage.h"
#include "options/common.h"
#include "render/emit.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	OPT_JOB = OPT_FIRST_FREE,
	OPT_USER,
	OPT_ACCOUNT,
	OPT_VERSUS,
	OPT_AHEAD,
	OPT_ADVISE,
	OPT_ME,
	OPT_BRIEF,
	OPT_FORECAST,
	OPT_VERBOSE,
	OPT_MARKDOWN,
	OPT_NO_PAGER,
	OPT_PASTE,
	OPT_COLOR,
	OPT_SVG,
	OPT_HTML
};

static const struct option_row option_rows[] = {
	{ 0, NULL, NULL, "What to explain (WORD is guessed to be a job, a user, an account or a reason)" },
	{ OPT_JOB, "job", "ID", "this job: 12, 12_3, 12+1" },
	{ OPT_USER, "user", "NAME", "this user; with --account only there" },
	{ OPT_ACCOUNT, "account", "NAME", "this account" },
	{ OPT_ME, "me", NULL, "your pending jobs, a line each; so does no WORD at all" },
	{ OPT_VERSUS, "versus", "WORD", "against another job, user or account" },
	{ OPT_AHEAD, "ahead", NULL, "the jobs ahead of the job, by account, user and array" },
	{ OPT_ADVISE, "advise", NULL, "what would make the job start earlier: each change planned" },
	{ OPT_BRIEF, "brief", NULL, "four lines of the job: why, when, who is ahead, what you can do" },
	{ OPT_SVG, "svg", "FILE", "--forecast as an SVG picture in this file" },
	{ OPT_FORECAST, "forecast", "[UNTIL]", "how factor, rank and priority will move, and when: +14d, a time" },
	{ OPT_VERBOSE, "verbose", NULL, "in sentences too; plan and advice whatever time they take" },
	{ OPT_PASTE, "text", "FILE", "of what somebody pasted from a terminal; - is standard input" },
	{ 0, NULL, NULL, "Output" },
	{ OPT_MARKDOWN, "markdown", NULL, "Markdown, for tickets" },
	{ OPT_HTML, "html", "FILE", "a job's page with pictures, as HTML in this file" },
	{ OPT_JSON, "json", "[SHAPE]", "JSON, schema fs-explain/1; SHAPE pretty: indented" },
	{ OPT_COLOR, "color", "WHEN", "auto, always or never" },
	{ OPT_NO_PAGER, "no-pager", NULL, "never show it through a pager" },
	USAGE_OPTIONS,
	COMMON_OPTIONS,
	{ 0, NULL, NULL, "Other" },
	{ 'V', "version", NULL, "print the version" },
	{ OPT_HELP, "help", NULL, "print this text" },
};
static const struct option_table option_table = OPTION_TABLE(option_rows);

static int parse_colour(struct explain_run *r, const char *arg)
{
	const char *no = getenv("NO_COLOR"), *term = getenv("TERM");

	if (!strcmp(arg, "always"))
		r->colour = true;
	else if (!strcmp(arg, "never"))
		r->colour = false;
	else if (!strcmp(arg, "auto"))
		r->colour =
			isatty(STDOUT_FILENO) && !(no && *no) && term && strcmp(term, "dumb") != 0;
	else {
		complain(r->inv, "--color: auto, always or never, not \"%s\"", arg);
		return EXIT_USAGE;
	}
	return -1;
}

static const struct option_member members[] = {
	OPTION_SETS(struct explain_run, OPT_JOB, job),
	OPTION_SETS(struct explain_run, OPT_USER, user),
	OPTION_SETS(struct explain_run, OPT_ACCOUNT, account),
	OPTION_SETS(struct explain_run, OPT_VERSUS, versus),
	OPTION_SETS(struct explain_run, OPT_ME, me),
	OPTION_SETS(struct explain_run, OPT_AHEAD, ahead),
	OPTION_SETS(struct explain_run, OPT_ADVISE, advise),
	OPTION_SETS(struct explain_run, OPT_BRIEF, brief),
	OPTION_SETS(struct explain_run, OPT_VERBOSE, verbose),
	OPTION_SETS(struct explain_run, OPT_PASTE, input.text),
	OPTION_SETS(struct explain_run, OPT_MARKDOWN, markdown),
	OPTION_SETS(struct explain_run, OPT_NO_PAGER, no_pager),
	OPTION_SETS(struct explain_run, OPT_SVG, svg),
	OPTION_SETS(struct explain_run, OPT_HTML, html),
};

static int take_option(void *ctx, const struct options *o, int id)
{
	struct explain_run *r = ctx;
	const struct common_options c = { r->inv, &r->input, &r->json, members, sizeof(members) / sizeof(*members), r,
					  "[OPTION]... [WORD]", "Why a job, user or account stands where it does." };
	const int status = common_option(&c, o, id);

	if (status != OPTION_OWN)
		return status;
	switch (id) {
	case OPT_FORECAST:
		r->forecast = true;
		r->until = o->arg;
		return -1;
	case OPT_COLOR:
		return parse_colour(r, o->arg);
	default:
		return EXIT_USAGE;
	}
}

static int check_words(struct explain_run *r)
{
	const int named = (r->job != NULL) + (r->user || r->account) + (r->word != NULL);

	if (named == 0 && r->forecast)
		complain(r->inv, "--forecast: of which job, user or account? See %s --help", r->inv->name);
	else if (r->forecast && (r->ahead || r->versus || r->advise || r->brief || r->verbose))
		complain(r->inv, "--forecast is shown alone: without --ahead, --versus, --advise, --brief and --verbose");
	else if (r->svg && (!r->forecast || r->json || r->markdown))
		complain(r->inv, "--svg goes with --forecast alone");
	else if (r->html && (r->json || r->markdown || r->forecast || r->versus || r->ahead || r->brief || r->advise))
		complain(r->inv, "--html is a job's whole page: it goes with no other form or part of it");
	else if (named == 0 && r->html)
		complain(r->inv, "--html: of which job? Give its id; see %s --help", r->inv->name);
	else if (r->forecast && usage_wanted(&r->input))
		complain(r->inv, "--forecast starts at the snapshot's own time: it goes with neither --at nor --usage");
	else if (named == 0 && (r->ahead || r->versus || r->advise || r->brief))
		complain(r->inv, "of which job? Give its id; see %s --help", r->inv->name);
	else if (named + r->me > 1)
		complain(r->inv, "one thing at a time: a word, --job, --me, or --user and --account");
	else if (r->json && r->markdown)
		complain(r->inv, "--json and --markdown exclude each other");
	else if (r->input.text && (r->input.file || r->input.demo))
		complain(r->inv, "--text and %s exclude each other", r->input.file ? "-f" : "--demo");
	else if (r->ahead && r->versus)
		complain(r->inv, "--ahead and --versus exclude each other");
	else if ((r->advise || r->brief) && (r->ahead || r->versus))
		complain(r->inv, "--%s and --%s exclude each other", r->brief ? "brief" : "advise", r->ahead ? "ahead" : "versus");
	else if (r->verbose && (r->brief || r->ahead || r->advise))
		complain(r->inv, "--verbose and --%s exclude each other", r->brief ? "brief" : r->ahead ? "ahead" : "advise");
	else if (r->advise && r->brief && !r->json)
		complain(r->inv, "--brief and --advise exclude each other");
	else if ((r->advise || r->brief) && usage_wanted(&r->input))
		complain(r->inv, "--%s plans at the snapshot's own time: it goes with neither --at nor --usage", r->brief ? "brief" : "advise");
	else {
		r->me = named == 0;
		return -1;
	}
	return EXIT_USAGE;
}

int explain_parse(struct explain_run *r, int argc, char **argv)
{
	int next = argc, status = parse_colour(r, "auto");

	if (status < 0)
		status = options_parse(r->inv, &option_table, argc, argv,
				       take_option, r, &next);
	for (int i = next; status < 0 && i < argc; i++) {
		if (r->word) {
			complain(r->inv, "unexpected argument \"%s\"; see %s --help", argv[i],
				 r->inv->name);
			status = EXIT_USAGE;
		}
		r->word = argv[i];
	}
	return status < 0 ? check_words(r) : status;
}
