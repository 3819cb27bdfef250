/* fs-showq, showq: the queue in sections and in scheduling order, and when each job may start. */
#include "showq/showq.h"

#include "dialect/dialect.h"
#include "input/missing.h"
#include "options/options.h"
#include "page/what_if.h"
#include "render/emit.h"

#include <stdlib.h>
#include <string.h>

/* Returns the layout asked for, or the scheduler's default; NULL if the scheduler has no such layout. */
static const struct showq_style *style_of(const struct showq_run *r, const struct dialect *d)
{
	for (size_t i = 0; d->queue[i]; i++)
		if (r->input.style == STYLE_OF_SCHEDULER || d->queue[i]->style == r->input.style)
			return d->queue[i];
	return NULL;
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
		return options_unexpected(r->inv, r->user_word);
	if (r->style->style != STYLE_MOAB && (r->only_idle || r->only_running || r->verbose)) {
		complain(r->inv, "-i, -r and -v belong to Maui's layout; see %s --help", r->inv->name);
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

/* Prints what was asked for. */
static int print(struct showq_run *r)
{
	int status;

	if (r->svg)
		return showq_plan_picture(r);
	if (r->metrics && !r->start)
		return showq_metrics(r);
	if (r->json)
		return showq_json(r);
	what_if_table(r->snapshot);
	if (r->start)
		return showq_start(r);
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

/* Answers -h, -V and wrong words in the tools' order. -1 to go on, or the exit status. */
static int answer_words(struct showq_run *r)
{
	if (r->version)
		return show_version(r);
	if (r->help || r->refused) {
		showq_show_help(r);
		return r->refused ? EXIT_FAILED : EXIT_DONE;
	}
	return r->own && r->named ? showq_refuse_both(r) : -1;
}

/* Returns whether the words ask for help or the version, for which no scheduler is asked. */
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
		status = r->input.style == STYLE_MOAB ? showq_moab_options(r, argc, argv) : showq_parse(r, argc, argv);
	}
	return status < 0 ? show(r) : status;
}

static int run_ours(struct showq_run *r, int argc, char **argv)
{
	int status =
		style_in(r, argc, argv) == STYLE_MOAB ? showq_moab_options(r, argc, argv) : showq_parse(r, argc, argv);

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
	struct showq_run r = { .inv = inv, .program = argv[0], .starved = &starved, .input.recorded = true };
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
