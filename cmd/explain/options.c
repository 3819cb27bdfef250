/* The command line of fs-explain. */
#include "explain/run.h"
#include "input/usage.h"
#include "options/options.h"

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
	OPT_NO_PAGER,
	OPT_PASTE,
	OPT_SVG,
	OPT_HTML
};

#define SET(member) OPTION_SETS(struct explain_run, member)
#define SET_OF(member, values) OPTION_SETS_OF(struct explain_run, member, values)
static const struct option_row option_rows[] = {
	HEADING("What to explain (WORD is guessed to be a job, a user, an account or a reason)"),
	{ OPT_JOB, "job", "ID", "this job: 12, 12_3, 12+1", SET_OF(job, ":jobs") },
	{ OPT_USER, "user", "NAME", "this user; with --account only there", SET_OF(user, ":users") },
	{ OPT_ACCOUNT, "account", "NAME", "this account", SET_OF(account, ":accounts") },
	{ OPT_ME, "me", NULL, "your pending jobs, a line each; so does no WORD at all", SET(me) },
	{ OPT_VERSUS, "versus", "WORD", "against another job, user or account", SET_OF(versus, ":subjects") },
	{ OPT_AHEAD, "ahead", NULL, "the jobs ahead of the job, by account, user and array", SET(ahead) },
	{ OPT_ADVISE, "advise", NULL, "what would make the job start earlier: each change planned", SET(advise) },
	{ OPT_BRIEF, "brief", NULL, "four lines of the job: why, when, who is ahead, what you can do", SET(brief) },
	{ OPT_SVG, "svg", "FILE", "--forecast as an SVG picture in this file", SET(svg) },
	{ OPT_FORECAST, "forecast", "[UNTIL]", "how factor, rank and priority will move, and when: +14d, a time", TAKEN },
	{ OPT_VERBOSE, "verbose", NULL, "in sentences too; plan and advice whatever time they take", SET(verbose) },
	{ OPT_PASTE, "text", "FILE", "of what somebody pasted from a terminal; - is standard input", SET(input.text) },
	HEADING("Output"),
	MARKDOWN_OPTION(SET(markdown)),
	{ OPT_HTML, "html", "FILE", "a job's page with pictures, as HTML in this file", SET(html) },
	JSON_OPTION("schema fs-explain/1"),
	COLOR_OPTION,
	{ OPT_NO_PAGER, "no-pager", NULL, "never show it through a pager", SET(no_pager) },
	USAGE_OPTIONS,
	COMMON_OPTIONS,
	HEADING("Other"),
	VERSION_OPTION('V'),
	HELP_OPTION(OPT_HELP),
};
static const struct option_table option_table = { .synopsis = "[OPTION]... [WORD]",
						  .about = "Why a job, user or account stands where it does.",
						  OPTIONS(option_rows) };

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

static int take_option(void *run, const struct options *o, int id)
{
	struct explain_run *r = run;

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
	const struct option_target to = { .inv = r->inv, .run = r, .input = &r->input, .json = &r->json,
					  .take = take_option };
	int next = argc, status = parse_colour(r, "auto");

	if (status < 0)
		status = options_parse(&to, &option_table, argc, argv, &next);
	for (int i = next; status < 0 && i < argc; i++) {
		if (r->word)
			status = options_unexpected(r->inv, argv[i]);
		r->word = argv[i];
	}
	return status < 0 ? check_words(r) : status;
}
