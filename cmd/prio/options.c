/* The options of fs-prio. */
#include "prio/prio.h"
#include "render/emit.h"

#include <stdlib.h>
#include <string.h>

enum {
	OPT_HELPFORMAT = OPT_FIRST_FREE,
	OPT_FEDERATION,
	OPT_LOCAL,
	OPT_SIBLING,
	OPT_ME,
	OPT_SUBTREE,
	OPT_STATE,
	OPT_WEIGHTS_REPORT,
	OPT_SVG
};

#define SET(member) OPTION_SETS(struct prio_run, member)
#define SET_OF(member, values) OPTION_SETS_OF(struct prio_run, member, values)
static const struct option_row option_rows[] = {
	HEADING("Rows"),
	{ 'j', "jobs", "[LIST]", "only these jobs", TAKEN_OF(":jobs,") },
	{ 'u', "user", "LIST", "only jobs of these users, by name or id", TAKEN_OF(":users,") },
	{ 'u', "users", "LIST", NULL, TAKEN },
	{ 'p', "partition", "LIST", "only jobs in these partitions", TAKEN_OF(":partitions,") },
	{ 'p', "partitions", "LIST", NULL, TAKEN },
	{ OPT_ME, "me", NULL, "only your own jobs", SET(me) },
	{ OPT_SUBTREE, "subtree", "ACCOUNT", "only jobs of this account and those below it", SET(subtree) },
	{ OPT_STATE, "state", "LIST", "only jobs in these states (CALCULATE_RUNNING lists others than PENDING)",
	  TAKEN_OF("PENDING RUNNING SUSPENDED COMPLETED CANCELLED FAILED TIMEOUT,") },
	{ 'S', "sort", "KEYS", "sort by these format letters; - before one: falling", SET_OF(sort, ":sort_letters") },
	{ 'M', "cluster", "NAME", "the cluster, which must be the snapshot's", TAKEN },
	{ 'M', "clusters", "NAME", NULL, TAKEN },
	{ OPT_SIBLING, "sibling", NULL, "with the cluster of each row", SET(sibling) },
	{ OPT_SIBLING, "sib", NULL, NULL, SET(sibling) },
	{ OPT_FEDERATION, "federation", NULL, "accepted: a snapshot holds one cluster", ACCEPTED },
	{ OPT_LOCAL, "local", NULL, "accepted: a snapshot holds one cluster", SET(local) },
	HEADING("Columns"),
	{ 'l', "long", NULL, "all columns", SET(wide) },
	{ 'n', "norm", NULL, "factors before their weights", SET(norm) },
	{ 'w', "weights", NULL, "the weights only", SET(weights) },
	{ 'o', "format", "FORMAT", "%[.][WIDTH]LETTER[TEXT]...; letters: --helpformat", SET_OF(format_text, ":letters") },
	{ OPT_HELPFORMAT, "helpformat", NULL, "list the letters", SET(letters) },
	{ OPT_SVG, "svg", "FILE", "the factors of the rows, or --history, as an SVG picture in this file", SET(svg) },
	{ OPT_WEIGHTS_REPORT, "weights-report", NULL, "instead of jobs: which weights decide their order, and which are dead", SET(weights_report) },
	HEADING("Output"),
	{ 'h', "noheader", NULL, "no heading", SET(no_header) },
	{ 'P', "parsable2", NULL, "a | between fields, nothing cut or padded", SET(parsable) },
	JSON_OPTION("schema fs-prio/1"),
	JSONL_OPTION(SET(json)),
	OPENMETRICS_OPTION(SET(metrics)),
	USAGE_OPTIONS,
	HISTORY_OPTIONS("priorities of -j LIST", SET(history), SET(csv), SET(plot)),
	COMMON_OPTIONS,
	HEADING("Other"),
	{ 'v', "verbose", NULL, "print what was asked for first", SET(verbose) },
	{ 'V', "version", NULL, "print the version", SET(version) },
	HELP_OPTION(OPT_HELP),
};

/* src/sprio/opts.c:parse_command_line. */
static const struct option_word sprio_rows[] = {
	{ 'h', "noheader", NULL },
	{ 'j', "jobs", "[LIST]" },
	{ 'l', "long", NULL },
	{ 'M', "cluster", "NAME" },
	{ 'M', "clusters", "NAME" },
	{ 'n', "norm", NULL },
	{ 'o', "format", "FORMAT" },
	{ 'S', "sort", "KEYS" },
	{ 'p', "partition", "LIST" },
	{ 'u', "user", "LIST" },
	{ 'u', "users", "LIST" },
	{ 'v', "verbose", NULL },
	{ 'V', "version", NULL },
	{ 'w', "weights", NULL },
	{ OPT_FEDERATION, "federation", NULL },
	{ OPT_HELP, "help", NULL },
	{ OPT_HELPFORMAT, "helpformat", NULL },
	{ OPT_LOCAL, "local", NULL },
	{ OPT_SIBLING, "sib", NULL },
	{ OPT_SIBLING, "sibling", NULL },
	{ OPT_USAGE, "usage", NULL },
};
static const struct option_table option_table = { "[OPTION]...", "Priority of each pending job, factor by factor.",
						  OPTIONS(option_rows), OPTIONS(sprio_rows) };

/* n: how many stand before it. */
static void help_letter(char letter, size_t n)
{
	emit(n % 8 == 7 ? "%%%-5c\n" : "%%%-5c", letter);
}

void prio_help_format(const struct prio_layout *l, unsigned version)
{
	size_t n = 0;

	for (const char *letter = l->order; *letter; letter++)
		if (prio_letter_find(l, *letter, version))
			help_letter(*letter, n++);
	for (const struct prio_column *c = prio_columns; c->column.help; c++)
		if (prio_layout_has(l, c, version) && !strchr(l->order, c->letter))
			help_letter(c->letter, n++);
	if (n % 8)
		emit("\n");
}

/* Of several lists sprio heeds the last. */
static int add_names(struct prio_run *r, struct names *names, const char *arg)
{
	if (r->inv->emulated)
		names_free(names);
	if (!names_add(names, arg, false))
		return -1;
	return no_memory(r->inv);
}

static int take_jobs(struct prio_run *r, const char *list)
{
	r->jobs_asked = true;
	return list ? add_names(r, &r->jobs, list) : -1;
}

/* With -j words that are no options are its lists; sprio takes one, in place of one given before. */
static int take_words(struct prio_run *r, int next, int argc, char **argv)
{
	while (r->jobs_asked && next < argc) {
		const int status = add_names(r, &r->jobs, argv[next++]);

		if (status >= 0)
			return status;
		if (r->inv->emulated)
			break;
	}
	if (next == argc)
		return -1;
	if (!r->inv->strict)
		return options_unexpected(r->inv, argv[next]);
	complain(r->inv, "Unrecognized option: %s", argv[next]);
	return usage_status(r->inv);
}

static int take_option(void *run, const struct options *o, int id)
{
	struct prio_run *r = run;

	switch (id) {
	case 'j':
		return take_jobs(r, o->arg);
	case 'u':
		return add_names(r, &r->users, o->arg);
	case 'p':
		return add_names(r, &r->partitions, o->arg);
	case 'M':
		return add_names(r, &r->clusters, o->arg);
	case OPT_STATE:
		return add_names(r, &r->states, o->arg);
	default:
		return usage_status(r->inv);
	}
}

int prio_parse(struct prio_run *r, int argc, char **argv)
{
	const struct option_target to = { .inv = r->inv, .run = r, .input = &r->input, .json = &r->json,
					  .take = take_option };
	int next, status = options_parse(&to, &option_table, argc, argv, &next);

	if (status < 0 && r->format_text && r->wide) {
		complain(r->inv, r->inv->strict ? "fatal: Options -o(--format) and -l(--long) are mutually exclusive. "
						  "Please remove one and retry."
						: "--long and --format exclude each other");
		status = usage_status(r->inv);
	}
	if (status < 0 && r->json && r->metrics) {
		complain(r->inv, "--json and --openmetrics exclude each other");
		status = usage_status(r->inv);
	}
	if (status < 0 && r->svg && (r->json || r->metrics || r->weights || r->weights_report || r->format_text)) {
		complain(r->inv, "--svg is of rows: it goes with no other form of output");
		status = usage_status(r->inv);
	}
	if (status < 0 && r->weights_report &&
	    (r->format_text || r->wide || r->norm || r->weights || r->sort || r->parsable || r->metrics ||
	     r->jobs_asked || r->users.given || r->partitions.given || r->states.given || r->me || r->subtree ||
	     usage_wanted(&r->input))) {
		complain(r->inv, "--weights-report is of all jobs, as text or --json: without options of rows, columns and usage");
		status = usage_status(r->inv);
	}
	if (status < 0 && !(r->inv->strict && r->version)) {
		status = take_words(r, next, argc, argv);
		if (status >= 0 && r->inv->strict)
			options_help(r->inv, &option_table); /* what is no option gets the list of them */
	}
	return status < 0 ? prio_history_check(r) : status;
}
