/* The options of fs-showq. */
#include "showq/options.h"

#include "render/emit.h"

#include <stdlib.h>
#include <string.h>

enum { OPT_ALL_RESERV = OPT_SHOWQ_FREE, OPT_CONFIG, OPT_WHY, OPT_SVG };

static const struct option_row option_rows[] = {
	HEADING("Rows"),
	{ 'u', "user", NULL, "only your own jobs; of Maui's, a user's name follows", SET(own) },
	{ 'U', "of-user", "NAME", "only this user's jobs", SET_OF(named, ":users") },
	{ 'p', "partition", "PARTITION", "only jobs of this partition", SET(partition) },
	{ 'q', "queue", "PARTITION", "the same", SET(partition) },
	{ 'b', "blocked", NULL, "blocked jobs of other users too; Maui's: only blocked jobs, with reasons", SET(show_blocked) },
	{ 'i', "idle", NULL, "Maui's: only idle jobs, with priorities", SET(only_idle) },
	{ 'r', "running", NULL, "Maui's: only running jobs", SET(only_running) },
	{ 's', "summary", NULL, "the summary only", SET(summary) },
	{ OPT_ALL_RESERV, "all-reserv", NULL, "accepted: the tools ignore it too", ACCEPTED },
	HEADING("Columns and order"),
	{ 'l', "long", NULL, "with nodes, cores and partition", SET(wide) },
	{ 'v', "verbose", NULL, "Maui's -r with priorities", SET(verbose) },
	{ 'o', "by-priority", NULL, "waiting jobs by falling priority", SET(by_priority) },
	{ OPT_WHY, "why", NULL, "waiting jobs in scheduling order, and what keeps each behind the one before", SET(why) },
	START_OPTIONS,
	{ OPT_SVG, "svg", "FILE", "--plan or --start as an SVG picture in this file", SET(svg) },
	HEADING("Output"),
	SHOWQ_JSON_OPTION,
	JSONL_OPTION(SET(json)),
	OPENMETRICS_OPTION(SET(metrics)),
	STRICT_OPTION,
	{ OPT_CONFIG, "config", "FILE", "read hosts_available from this showq.conf", SET(config) },
	COMMON_OPTIONS_STYLED(SHOWQ_STYLES),
	HEADING("Other"),
	{ 'V', "version", NULL, "print the version", SET(version) },
	HELP_OPTION('h'),
	{ OPT_USAGE, "usage", NULL, NULL, DOES(OPTION_HELP) },
};
/* Harvard's, whose usage names them; TACC's and Maui's have some of them. */
static const struct option_word their_rows[] = {
	{ 'h', "help", NULL },
	{ 'V', "version", NULL },
	{ OPT_ALL_RESERV, "all-reserv", NULL },
	{ 'l', "long", NULL },
	{ 'b', "blocked", NULL },
	{ 'u', "user", NULL },
	{ 'U', NULL, "NAME" },
	{ 'p', NULL, "PARTITION" },
	{ 'q', NULL, "PARTITION" },
	{ 'o', NULL, NULL },
	{ 's', NULL, NULL },
};
static const struct option_table option_table = {
	"[OPTION]...", "The queue in sections, in scheduling order, and when each job may start.", OPTIONS(option_rows),
	OPTIONS(their_rows)
};

int showq_show_help(const struct showq_run *r)
{
	return options_help(r->inv, &option_table);
}

/* The tools tell this on standard error, then their usage, and end well. */
int showq_refuse_both(const struct showq_run *r)
{
	if (!r->inv->emulated) {
		complain(r->inv, "-u and -U exclude each other");
		return EXIT_USAGE;
	}
	emit_to(stderr, "\n -U and -u are mutually exclusive options. Exiting.\n");
	return showq_show_help(r);
}

/* -U, -p or -q as the last word: the tools take an empty name. */
static bool lacks_name(int argc, char **argv)
{
	const char *last = argc > 1 ? argv[argc - 1] : "";

	return last[0] == '-' && last[1] && strchr("Upq", last[1]) && !last[2];
}

/* Words that are no options: Maui's -u has its user behind it, which only the snapshot tells. */
static int take_words(struct showq_run *r, int n, char **words)
{
	if (n > 0 && words[0] == r->user_word)
		return n > 1 && !r->inv->emulated ? options_unexpected(r->inv, words[1]) : -1;
	r->user_word = NULL;
	return n > 0 && !r->inv->emulated ? options_unexpected(r->inv, words[0]) : -1;
}

/* The word behind a -u, if it is no option. */
static const char *word_behind_u(int argc, char **argv)
{
	for (int i = 1; i + 1 < argc; i++)
		if ((!strcmp(argv[i], "-u") || !strcmp(argv[i], "--user")) && argv[i + 1][0] != '-')
			return argv[i + 1];
	return NULL;
}

static int parse_words(struct showq_run *r, int argc, char **argv)
{
	/* The tools pass over what they do not know. */
	const struct option_target to = { .inv = r->inv, .run = r, .input = &r->input, .json = &r->json,
					  .passes_unknown = r->inv->emulated };
	int next, status;

	r->user_word = word_behind_u(argc, argv);
	status = options_parse(&to, &option_table, argc, argv, &next);
	if (status < 0)
		status = take_words(r, argc - next, argv + next);
	if (status < 0 && r->own && r->named)
		status = showq_refuse_both(r);
	if (status < 0 && r->json && r->metrics) {
		complain(r->inv, "--json and --openmetrics exclude each other");
		status = usage_status(r->inv);
	}
	if (status < 0 && r->svg && ((!r->plan && !r->start) || r->json || r->metrics)) {
		complain(r->inv, "--svg goes with --plan and --start alone");
		status = usage_status(r->inv);
	}
	return status;
}

int showq_parse(struct showq_run *r, int argc, char **argv)
{
	char **words = malloc(((size_t)argc + 2) * sizeof(*words)), empty[] = "";
	int n = argc, status;

	if (!words)
		return no_memory(r->inv);
	memcpy(words, argv, (size_t)argc * sizeof(*words));
	if (lacks_name(argc, argv))
		words[n++] = empty;
	words[n] = NULL;
	status = parse_words(r, n, words);
	if (r->named == empty)
		r->named = "";
	if (r->partition == empty)
		r->partition = "";
	free(words);
	return status;
}
