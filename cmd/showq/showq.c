/* fs-showq, showq: the queue in sections and in scheduling order, and when each job may start. */
#include "showq/showq.h"

#include "dialect/dialect.h"
#include "missing.h"
#include "options.h"
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

/* Of a scheduler's layouts the one asked for, its default first; NULL if it has none such. */
static const struct showq_style *style_of(const struct showq_run *r, const struct dialect *d)
{
	for (size_t i = 0; d->queue[i]; i++)
		if (r->input.style == STYLE_OF_SCHEDULER || d->queue[i]->style == r->input.style)
			return d->queue[i];
	return NULL;
}

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

static int show_help(const struct showq_run *r)
{
	const struct options o = { .inv = r->inv, .table = &option_table };

	options_help(&o, "[OPTION]...", "The queue in sections, in scheduling order, and when each job may start.");
	return EXIT_DONE;
}

/* The tools tell this on standard error, then their usage, and end well. */
static int refuse_both(const struct showq_run *r)
{
	if (!r->inv->emulated) {
		complain(r->inv, "-u and -U exclude each other");
		return EXIT_USAGE;
	}
	emit_to(stderr, "\n -U and -u are mutually exclusive options. Exiting.\n");
	return show_help(r);
}

/* -U, -p or -q as the last word: the tools take an empty name. */
static bool lacks_name(int argc, char **argv)
{
	const char *last = argc > 1 ? argv[argc - 1] : "";

	return last[0] == '-' && last[1] && strchr("Upq", last[1]) && !last[2];
}

static int unexpected(const struct showq_run *r, const char *word)
{
	complain(r->inv, "unexpected argument \"%s\"; see %s --help", word, r->inv->name);
	return usage_status(r->inv);
}

/* Words that are no options: Maui's -u has its user behind it, which only the snapshot tells. */
static int take_words(struct showq_run *r, int n, char **words)
{
	if (n > 0 && words[0] == r->user_word)
		return n > 1 && !r->inv->emulated ? unexpected(r, words[1]) : -1;
	r->user_word = NULL;
	return n > 0 && !r->inv->emulated ? unexpected(r, words[0]) : -1;
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
		status = id == 'h' || id == OPT_USAGE ? show_help(r) : take_option(r, &o, id);
	}
	if (status < 0)
		status = take_words(r, argc - o.next, argv + o.next);
	if (status < 0 && r->own && r->named)
		status = refuse_both(r);
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

static int parse(struct showq_run *r, int argc, char **argv)
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

static int show_version(const struct showq_run *r)
{
	static const char rule[] = "--------------------------------------------------";
	const struct showq_style *style = style_of(r, &dialect_slurm);

	if (!r->inv->emulated && !r->strict) {
		emit("fs-showq " FS_VERSION "\n");
		return EXIT_DONE;
	}
	if (!style || !style->version)
		style = &showq_fasrc;
	if (style->style == STYLE_TACC)
		style->begin(&(struct showq_run){ .style = style });
	emit("\n%s\nslurm_showq: Version ", rule);
	emit_own(stdout, style->version);
	emit("\n%s\n\n", rule);
	return EXIT_DONE;
}

/* Maui has users behind -u, and partitions that are not our own: DEFAULT is all there is. -1 to go on. */
static int check_maui(struct showq_run *r)
{
	if (r->user_word)
		r->named = r->user_word;
	if (r->partition && strcmp(r->partition, "ALL") != 0)
		r->named_partition = r->partition;
	if (r->partition && (!strcmp(r->partition, "ALL") || !strcmp(r->partition, "DEFAULT")))
		r->partition = NULL;
	return -1;
}

static int check_others(struct showq_run *r)
{
	if (r->inv->emulated)
		return -1;
	if (r->user_word)
		return unexpected(r, r->user_word);
	if (r->style->style != STYLE_MOAB && (r->only_idle || r->only_running || r->verbose)) {
		complain(r->inv, "-i, -r and -v belong to Maui's layout; see %s --help",
			 r->inv->name);
		return EXIT_USAGE;
	}
	return -1;
}

static int check(struct showq_run *r)
{
	int status;

	r->info = fs_snapshot_info(r->snapshot);
	r->dialect = dialect_of(r->snapshot);
	r->style = style_of(r, r->dialect);
	if (!r->style) {
		complain(r->inv, "no layout for the queue of scheduler \"%s\"", r->info->scheduler);
		return EXIT_FAILED;
	}
	status = r->style->style == STYLE_MAUI ? check_maui(r) : check_others(r);
	if (status >= 0)
		return status;
	r->user = r->named ? r->named : input_viewer(&r->input);
	if (r->strict && !r->style->partitions) {
		r->partition = NULL;
		r->by_priority = r->summary = r->show_blocked = false;
	}
	if (!r->strict)
		r->missing = missing_name(r->inv, r->snapshot, MISSING_PARTITION, r->partition);
	if (!r->inv->emulated)
		r->missing = missing_name(r->inv, r->snapshot, MISSING_USER, r->named) || r->missing;
	return 0;
}

/* What was asked for, of those that were checked. */
static int print(struct showq_run *r)
{
	int status;

	if (r->svg)
		return showq_plan_picture(r);
	if (r->start && !r->json)
		return showq_start(r);
	if (r->metrics)
		return showq_metrics(r);
	if (r->json)
		return showq_json(r);
	if (r->plan)
		return showq_plan(r);
	if (r->style->page)
		return r->style->page(r);
	showq_read_config(r);
	status = showq_load(r);
	return status ? status : showq_layout(r);
}

static int show(struct showq_run *r)
{
	const int status = check(r);

	return status ? status : missing_status(r->inv, print(r), r->missing);
}

/* The style that the words ask for before they are all read: Moab's has options of its own. */
static enum style style_in(const struct showq_run *r, int argc, char **argv)
{
	static const char option[] = "--style";
	enum style style = r->input.style;

	for (int i = 1; i < argc; i++) {
		const size_t len = strcspn(argv[i], "=");
		const char *value = argv[i][len] ? argv[i] + len + 1 : i + 1 < argc ? argv[i + 1] : "";

		if (len > strlen("--st") && len < sizeof(option) && !strncmp(option, argv[i], len))
			style = !strcmp(value, "moab") ? STYLE_MOAB : STYLE_OF_SCHEDULER;
	}
	return style;
}

/* In the tools' order. -1 to go on, or the exit status. */
static int answer_words(struct showq_run *r)
{
	if (r->version)
		return show_version(r);
	if (r->help || r->refused) {
		show_help(r);
		return r->refused ? EXIT_FAILED : EXIT_DONE;
	}
	return r->own && r->named ? refuse_both(r) : -1;
}

/* Before any scheduler is asked. */
static bool asks_of_the_tool(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		if (!strcmp(argv[i], "--version") || !strcmp(argv[i], "--help") || !strcmp(argv[i], "-h"))
			return true;
	return false;
}

/* Under the name of the tool a word means what the tool takes it for, and which tool that is the snapshot tells. */
static int run_real(struct showq_run *r, int argc, char **argv)
{
	const bool asks = asks_of_the_tool(argc, argv);
	const struct showq_style *style = &showq_fasrc;
	int status = asks ? EXIT_DONE : input_open(r->inv, &r->input, &r->snapshot);

	r->strict = true;
	if (status)
		return status;
	if (!asks) {
		r->dialect = dialect_of(r->snapshot);
		style = style_of(r, r->dialect);
	}
	if (style && style->words) {
		style->words(r, argc, argv);
		status = answer_words(r);
	} else {
		status = r->input.style == STYLE_MOAB ? showq_moab_options(r, argc, argv) : parse(r, argc, argv);
	}
	return status < 0 ? show(r) : status;
}

static int run_ours(struct showq_run *r, int argc, char **argv)
{
	int status = style_in(r, argc, argv) == STYLE_MOAB ? showq_moab_options(r, argc, argv) : parse(r, argc, argv);

	if (status >= 0)
		return status;
	if (r->version)
		return show_version(r);
	status = input_open(r->inv, &r->input, &r->snapshot);
	return status ? status : show(r);
}

/* FS_SHOWQ_STYLE is a site's or a user's choice of layout. */
static int take_environment(struct showq_run *r)
{
	const char *style = getenv("FS_SHOWQ_STYLE");

	return style && *style && input_option(r->inv, &r->input, OPT_STYLE, style) < 0 ? EXIT_USAGE : EXIT_DONE;
}

static int run(const struct invocation *inv, int argc, char **argv)
{
	bool starved = false;
	struct showq_run r = { .inv = inv, .program = argv[0], .starved = &starved };
	int status;

	r.input.styles = 1u << STYLE_FASRC | 1u << STYLE_TACC | 1u << STYLE_MOAB | 1u << STYLE_MAUI | 1u << STYLE_FLUX;
	status = take_environment(&r);
	if (!status)
		status = inv->strict ? run_real(&r, argc, argv) : run_ours(&r, argc, argv);
	if (starved)
		status = no_memory(inv);
	free(r.jobs);
	fs_queue_free(r.queue);
	input_release(&r.input);
	fs_snapshot_free(r.snapshot);
	return status;
}

const struct command showq_command = { "fs-showq", "showq", "the queue in sections, and when each job may start", "", true, run };
