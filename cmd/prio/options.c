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

static const struct option_row option_rows[] = {
	{ 0, NULL, NULL, "Rows" },
	{ 'j', "jobs", "[LIST]", "only these jobs" },
	{ 'u', "user", "LIST", "only jobs of these users, by name or id" },
	{ 'u', "users", "LIST", NULL },
	{ 'p', "partition", "LIST", "only jobs in these partitions" },
	{ 'p', "partitions", "LIST", NULL },
	{ OPT_ME, "me", NULL, "only your own jobs" },
	{ OPT_SUBTREE, "subtree", "ACCOUNT", "only jobs of this account and those below it" },
	{ OPT_STATE, "state", "LIST", "only jobs in these states (CALCULATE_RUNNING lists others than PENDING)" },
	{ 'S', "sort", "KEYS", "sort by these format letters; - before one: falling" },
	{ 'M', "cluster", "NAME", "the cluster, which must be the snapshot's" },
	{ 'M', "clusters", "NAME", NULL },
	{ OPT_SIBLING, "sibling", NULL, "with the cluster of each row" },
	{ OPT_SIBLING, "sib", NULL, NULL },
	{ OPT_FEDERATION, "federation", NULL, "accepted: a snapshot holds one cluster" },
	{ OPT_LOCAL, "local", NULL, "accepted: a snapshot holds one cluster" },
	{ 0, NULL, NULL, "Columns" },
	{ 'l', "long", NULL, "all columns" },
	{ 'n', "norm", NULL, "factors before their weights" },
	{ 'w', "weights", NULL, "the weights only" },
	{ 'o', "format", "FORMAT", "%[.][WIDTH]LETTER[TEXT]...; letters: --helpformat" },
	{ OPT_HELPFORMAT, "helpformat", NULL, "list the letters" },
	{ OPT_SVG, "svg", "FILE", "the factors of the rows, or --history, as an SVG picture in this file" },
	{ OPT_WEIGHTS_REPORT, "weights-report", NULL, "instead of jobs: which weights decide their order, and which are dead" },
	{ 0, NULL, NULL, "Output" },
	{ 'h', "noheader", NULL, "no heading" },
	{ 'P', "parsable2", NULL, "a | between fields, nothing cut or padded" },
	{ OPT_JSON, "json", "[SHAPE]", "JSON, schema fs-prio/1; SHAPE pretty: indented" },
	{ OPT_JSONL, "jsonl", NULL, "the same as lines: one row a line" },
	{ OPT_OPENMETRICS, "openmetrics", NULL, "metrics for Prometheus: gauges, no job by its id" },
	USAGE_OPTIONS,
	HISTORY_OPTIONS("priorities of -j LIST"),
	COMMON_OPTIONS,
	{ 0, NULL, NULL, "Other" },
	{ 'v', "verbose", NULL, "print what was asked for first" },
	{ 'V', "version", NULL, "print the version" },
	{ OPT_HELP, "help", NULL, "print this text" },
};

/* src/sprio/opts.c:parse_command_line. */
static const struct option_row sprio_rows[] = {
	{ 'h', "noheader", NULL, NULL },
	{ 'j', "jobs", "[LIST]", NULL },
	{ 'l', "long", NULL, NULL },
	{ 'M', "cluster", "NAME", NULL },
	{ 'M', "clusters", "NAME", NULL },
	{ 'n', "norm", NULL, NULL },
	{ 'o', "format", "FORMAT", NULL },
	{ 'S', "sort", "KEYS", NULL },
	{ 'p', "partition", "LIST", NULL },
	{ 'u', "user", "LIST", NULL },
	{ 'u', "users", "LIST", NULL },
	{ 'v', "verbose", NULL, NULL },
	{ 'V', "version", NULL, NULL },
	{ 'w', "weights", NULL, NULL },
	{ OPT_FEDERATION, "federation", NULL, NULL },
	{ OPT_HELP, "help", NULL, NULL },
	{ OPT_HELPFORMAT, "helpformat", NULL, NULL },
	{ OPT_LOCAL, "local", NULL, NULL },
	{ OPT_SIBLING, "sib", NULL, NULL },
	{ OPT_SIBLING, "sibling", NULL, NULL },
	{ OPT_USAGE, "usage", NULL, NULL },
};
static const struct option_table option_table = OPTION_TABLE_OF(option_rows, sprio_rows);

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
	for (const struct prio_column *c = l->columns; c->column.help; c++)
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
	if (r->inv->strict)
		complain(r->inv, "Unrecognized option: %s", argv[next]);
	else
		complain(r->inv, "unexpected argument \"%s\"; see %s --help", argv[next], r->inv->name);
	return usage_status(r->inv);
}

static const struct option_member members[] = {
	OPTION_SETS(struct prio_run, 'h', no_header),
	OPTION_SETS(struct prio_run, 'P', parsable),
	OPTION_SETS(struct prio_run, 'l', wide),
	OPTION_SETS(struct prio_run, 'n', norm),
	OPTION_SETS(struct prio_run, 'w', weights),
	OPTION_SETS(struct prio_run, 'V', version),
	OPTION_SETS(struct prio_run, OPT_OPENMETRICS, metrics),
	OPTION_SETS(struct prio_run, OPT_WEIGHTS_REPORT, weights_report),
	OPTION_SETS(struct prio_run, OPT_ME, me),
	OPTION_SETS(struct prio_run, OPT_HISTORY, history),
	OPTION_SETS(struct prio_run, OPT_CSV, csv),
	OPTION_SETS(struct prio_run, OPT_SVG, svg),
	OPTION_SETS(struct prio_run, OPT_PLOT, plot),
	OPTION_SETS(struct prio_run, OPT_SIBLING, sibling),
	OPTION_SETS(struct prio_run, OPT_LOCAL, local),
	OPTION_SETS(struct prio_run, OPT_HELPFORMAT, letters),
	OPTION_SETS(struct prio_run, OPT_SUBTREE, subtree),
	OPTION_SETS(struct prio_run, 'S', sort),
	OPTION_SETS(struct prio_run, 'o', format_text),
	OPTION_SETS(struct prio_run, OPT_JSONL, json),
};

static int take_rest(struct prio_run *r, int id, const char *arg)
{
	if (options_set(members, sizeof(members) / sizeof(*members), r, id, arg))
		return -1;
	if (id == 'v')
		r->verbose++;
	return id == 'v' || id == OPT_FEDERATION ? -1 : usage_status(r->inv);
}

static int show_help(const struct options *o)
{
	options_help(o, "[OPTION]...", "Priority of each pending job, factor by factor.");
	return EXIT_DONE;
}

static int take_option(void *ctx, const struct options *o, int id)
{
	struct prio_run *r = ctx;
	const int common =
		options_wants_help(o, id) ? 0 : input_option(r->inv, &r->input, id, o->arg);

	if (common)
		return common > 0 ? -1 : usage_status(r->inv);
	switch (id) {
	case OPT_HELP:
	case OPT_USAGE:
		return show_help(o);
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
	case OPT_JSON:
		return json_option(r->inv, o->arg, &r->json);
	default:
		return take_rest(r, id, o->arg);
	}
}

int prio_parse(struct prio_run *r, int argc, char **argv)
{
	const struct options o = { .inv = r->inv, .table = &option_table };
	int next, status = options_parse(r->inv, &option_table, argc, argv, take_option, r, &next);

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
			show_help(&o); /* what is no option gets the list of them */
	}
	return status < 0 ? prio_history_check(r) : status;
}
