/* The options of fs-showq. */
#include "showq/showq.h"

#include "options/options.h"
#include "render/emit.h"

#include <stdlib.h>
#include <string.h>

enum { OPT_ALL_RESERV = OPT_FIRST_FREE, OPT_STRICT, OPT_CONFIG, OPT_PLAN, OPT_START, OPT_WHY, OPT_SVG };

static const struct option_row option_rows[] = {
	{ 0, NULL, NULL, "Rows" },
	{ 'u', "user", NULL, "only your own jobs; of Maui's, a user's name follows" },
	{ 'U', "of-user", "NAME", "only this user's jobs" },
	{ 'p', "partition", "PARTITION", "only jobs of this partition" },
	{ 'q', "queue", "PARTITION", "the same" },
	{ 'b', "blocked", NULL, "blocked jobs of other users too; Maui's: only blocked jobs, with reasons" },
	{ 'i', "idle", NULL, "Maui's: only idle jobs, with priorities" },
	{ 'r', "running", NULL, "Maui's: only running jobs" },
	{ 's', "summary", NULL, "the summary only" },
	{ OPT_ALL_RESERV, "all-reserv", NULL, "accepted: the tools ignore it too" },
	{ 0, NULL, NULL, "Columns and order" },
	{ 'l', "long", NULL, "with nodes, cores and partition" },
	{ 'v', "verbose", NULL, "Maui's -r with priorities" },
	{ 'o', "by-priority", NULL, "waiting jobs by falling priority" },
	{ OPT_WHY, "why", NULL, "waiting jobs in scheduling order, and what keeps each behind the one before" },
	{ 0, NULL, NULL, "Start times" },
	{ OPT_PLAN, "plan", NULL, "when each pending job may start, by simulation" },
	{ OPT_START, "start", "JOB", "one job's start: as recorded, by priority alone, with backfill" },
	{ OPT_SVG, "svg", "FILE", "--plan or --start as an SVG picture in this file" },
	{ 0, NULL, NULL, "Output" },
	{ OPT_JSON, "json", "[SHAPE]", "JSON, schema fs-showq/1, with --plan the starts too; SHAPE pretty: indented" },
	{ OPT_JSONL, "jsonl", NULL, "the same as lines: one row a line" },
	{ OPT_OPENMETRICS, "openmetrics", NULL, "metrics for Prometheus: gauges, no job by its id" },
	{ OPT_STRICT, "strict-compat", NULL, "the tool's own defects too" },
	{ OPT_CONFIG, "config", "FILE", "read hosts_available from this showq.conf" },
	COMMON_OPTIONS_STYLED(SHOWQ_STYLES),
	{ 0, NULL, NULL, "Other" },
	{ 'V', "version", NULL, "print the version" },
	{ 'h', "help", NULL, "print this text" },
	{ OPT_USAGE, "usage", NULL, NULL },
};
/* Harvard's, whose usage names them; TACC's and Maui's have some of them. */
static const struct option_row their_rows[] = {
	{ 'h', "help", NULL, "" },
	{ 'V', "version", NULL, "" },
	{ OPT_ALL_RESERV, "all-reserv", NULL, "" },
	{ 'l', "long", NULL, "" },
	{ 'b', "blocked", NULL, "" },
	{ 'u', "user", NULL, "" },
	{ 'U', NULL, "NAME", "" },
	{ 'p', NULL, "PARTITION", "" },
	{ 'q', NULL, "PARTITION", "" },
	{ 'o', NULL, NULL, "" },
	{ 's', NULL, NULL, "" },
};
static const struct option_table option_table = OPTION_TABLE_OF(option_rows, their_rows);

static const struct option_member members[] = {
	OPTION_SETS(struct showq_run, 'u', own),
	OPTION_SETS(struct showq_run, 'b', show_blocked),
	OPTION_SETS(struct showq_run, 's', summary),
	OPTION_SETS(struct showq_run, 'l', wide),
	OPTION_SETS(struct showq_run, 'o', by_priority),
	OPTION_SETS(struct showq_run, 'i', only_idle),
	OPTION_SETS(struct showq_run, 'r', only_running),
	OPTION_SETS(struct showq_run, 'v', verbose),
	OPTION_SETS(struct showq_run, 'V', version),
	OPTION_SETS(struct showq_run, OPT_WHY, why),
	OPTION_SETS(struct showq_run, OPT_PLAN, plan),
	OPTION_SETS(struct showq_run, OPT_OPENMETRICS, metrics),
	OPTION_SETS(struct showq_run, OPT_STRICT, strict),
	OPTION_SETS(struct showq_run, 'U', named),
	OPTION_SETS(struct showq_run, 'p', partition),
	OPTION_SETS(struct showq_run, 'q', partition),
	OPTION_SETS(struct showq_run, OPT_START, start),
	OPTION_SETS(struct showq_run, OPT_CONFIG, config),
	OPTION_SETS(struct showq_run, OPT_SVG, svg),
	OPTION_SETS(struct showq_run, OPT_JSONL, json),
};

static int take_rest(struct showq_run *r, int id, const char *arg)
{
	if (options_set(members, sizeof(members) / sizeof(*members), r, id, arg) || id == OPT_ALL_RESERV)
		return -1;
	return usage_status(r->inv);
}

/* -1 to go on, otherwise the exit status. */
static int take_option(struct showq_run *r, const struct options *o, int id)
{
	const int common = input_option(r->inv, &r->input, id, o->arg);

	if (common)
		return common > 0 ? -1 : usage_status(r->inv);
	switch (id) {
	case OPT_JSON:
		return json_option(r->inv, o->arg, &r->json);
	default:
		return take_rest(r, id, o->arg);
	}
}

int showq_show_help(const struct showq_run *r)
{
	const struct options o = { .inv = r->inv, .table = &option_table };

	options_help(&o, "[OPTION]...", "The queue in sections, in scheduling order, and when each job may start.");
	return EXIT_DONE;
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

int showq_unexpected(const struct showq_run *r, const char *word)
{
	complain(r->inv, "showq_unexpected argument \"%s\"; see %s --help", word, r->inv->name);
	return usage_status(r->inv);
}

/* Words that are no options: Maui's -u has its user behind it, which only the snapshot tells. */
static int take_words(struct showq_run *r, int n, char **words)
{
	if (n > 0 && words[0] == r->user_word)
		return n > 1 && !r->inv->emulated ? showq_unexpected(r, words[1]) : -1;
	r->user_word = NULL;
	return n > 0 && !r->inv->emulated ? showq_unexpected(r, words[0]) : -1;
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
	struct options o;
	int id, status = -1;

	r->user_word = word_behind_u(argc, argv);

	if (options_init(&o, r->inv, &option_table, argc,
			 argv)) {
		options_release(&o);
		return no_memory(r->inv);
	}
	while (status < 0 && (id = options_next(&o)) != -1) {
		if (id == '?' && r->inv->emulated)
			continue; /* told; the tools ignore what they do not know */
		status = id == 'h' || id == OPT_USAGE ? showq_show_help(r) : take_option(r, &o, id);
	}
	if (status < 0)
		status = take_words(r, argc - o.next, argv + o.next);
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
	options_release(&o);
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
