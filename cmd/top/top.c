/* fs-top: the queue, the share tree and one row's breakdown, live. */
#include "cmd.h"
#include "input/input.h"
#include "input/usage.h"
#include "options/options.h"
#include "render/emit.h"
#include "render/text.h"
#include "top/load/loading.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum when { AUTO, ALWAYS, NEVER };

struct settings {
	struct input input;
	const char *script;
	unsigned every_s, cols, rows;
	enum when color;
	enum theme theme;
	bool once, ascii, themed;
};

enum { OPT_EVERY = OPT_FIRST_FREE, OPT_ONCE, OPT_SCRIPT, OPT_SIZE, OPT_NO_COLOR, OPT_ASCII, OPT_THEME };

#define SET(member) OPTION_SETS(struct settings, member)
static const struct option_row option_rows[] = {
	HEADING("Screen"),
	{ OPT_EVERY, "every", "SECONDS", "capture again so often, or look so often whether the file changed", TAKEN },
	{ OPT_ONCE, "once", NULL, "print one screen as text and end", SET(once) },
	{ OPT_SCRIPT, "script", "FILE", "take keys from this file and print the screens it asks for", SET(script) },
	{ OPT_SIZE, "size", "COLSxROWS", "of the screen with --once and --script (80x24)", TAKEN },
	COLOR_OPTION,
	{ OPT_NO_COLOR, "no-color", NULL, "the same as --color=never", TAKEN },
	{ OPT_THEME, "theme", "NAME", "auto, 16, 256, true, light or mono", TAKEN_OF("auto 16 256 true light mono") },
	{ OPT_ASCII, "ascii", NULL, "nothing but ASCII on the screen", SET(ascii) },
	USAGE_OPTIONS,
	COMMON_OPTIONS,
	HEADING("Other"),
	VERSION_OPTION('V'),
	HELP_OPTION(OPT_HELP),
};
static const struct option_table option_table = { .synopsis = "[OPTION]...",
						  .about = "The queue, the share tree and one row's breakdown, live.",
						  OPTIONS(option_rows) };

static int bad_value(const struct invocation *inv, const char *option, const char *expected, const char *arg)
{
	complain(inv, "--%s: expected %s, got \"%s\"", option, expected, arg);
	return EXIT_USAGE;
}

static int parse_every(const struct invocation *inv, struct settings *set, const char *arg)
{
	enum { DAY = 86400 };
	char rest;

	if (arg[0] == '-' || sscanf(arg, "%5u%c", &set->every_s, &rest) != 1 || !set->every_s ||
	    set->every_s > DAY)
		return bad_value(inv, "every", "1 to 86400 seconds", arg);
	return -1;
}

static int parse_size(const struct invocation *inv, struct settings *set, const char *arg)
{
	char rest;

	if (arg[0] == '-' || sscanf(arg, "%4ux%4u%c", &set->cols, &set->rows, &rest) != 2 ||
	    !set->cols || !set->rows)
		return bad_value(inv, "size", "COLSxROWS such as 80x24", arg);
	return -1;
}

static int parse_color(const struct invocation *inv, struct settings *set, const char *arg)
{
	static const char *const names[] = { "auto", "always", "never" };

	for (size_t i = 0; i < 3; i++)
		if (!strcmp(names[i], arg)) {
			set->color = (enum when)i;
			return -1;
		}
	return bad_value(inv, "color", "auto, always or never", arg);
}

static int parse_theme(const struct invocation *inv, struct settings *set, const char *arg)
{
	set->theme = theme_named(arg);
	set->themed = true;
	return set->theme < THEMES ? -1 : bad_value(inv, "theme", "auto, 16, 256, true, light or mono", arg);
}

static int take_option(void *run, const struct options *o, int id)
{
	struct settings *set = run;

	switch (id) {
	case OPT_EVERY:
		return parse_every(o->inv, set, o->arg);
	case OPT_SIZE:
		return parse_size(o->inv, set, o->arg);
	case OPT_COLOR:
		return parse_color(o->inv, set, o->arg);
	case OPT_NO_COLOR:
		return parse_color(o->inv, set, "never");
	default:
		return parse_theme(o->inv, set, o->arg);
	}
}

static int parse(struct run *r, struct settings *set, int argc, char **argv)
{
	const struct option_target to = { .inv = r->inv, .run = set, .input = &set->input, .take = take_option };
	int next, status = options_parse(&to, &option_table, argc, argv, &next);

	r->every_s = set->every_s;
	if (status < 0 && next < argc)
		status = options_unexpected(r->inv, argv[next]);
	if (status < 0 && set->once && set->script) {
		complain(r->inv, "--once and --script exclude each other");
		status = EXIT_USAGE;
	}
	return status;
}

static bool wants_color(const struct settings *set)
{
	const char *no = getenv("NO_COLOR");

	return set->color == ALWAYS ||
	       (set->color == AUTO && !(no && *no) && isatty(STDOUT_FILENO));
}

static int load(struct run *r, struct settings *set)
{
	const char *file;
	const enum input_source kind = input_source(&set->input, &file);
	fs_snapshot *snapshot = NULL;
	fs_usage *usage = NULL;
	struct data_options first;
	struct data *data = NULL;
	struct fs_error err;
	int status;

	set->input.recorded = true; /* explanations compare with it */
	r->source = (struct source){ .inv = r->inv,
				     .input = &set->input,
				     .edits = &set->input.edits,
				     .given = set->input.edits.n,
				     .live = kind == INPUT_LIVE };
	if (kind == INPUT_FILE && strcmp(file, "-") != 0)
		r->source.file = file;
	r->source.options =
		(struct data_options){ .view = input_view(&set->input), .queue = &view_queue, .sorted_by = SIZE_MAX };
	r->stamp = r->source.file ? stamp_of(file) : r->stamp;
	status = input_open(r->inv, &set->input, &snapshot);
	if (!status && usage_wanted(&set->input))
		status = usage_load(r->inv, &set->input, snapshot, NULL, NULL, &usage);
	if (status) {
		fs_usage_free(usage);
		fs_snapshot_free(snapshot);
		return status;
	}
	r->clock_set = set->input.at != NULL;
	first = r->source.options;
	first.without_queue = !set->script && !set->once && data_is_large(snapshot);
	if (data_make(&data, snapshot, usage, &first, NULL, &err))
		return report(r->inv, &err);
	if (model_init(&r->model, data, set->cols, set->rows))
		return no_memory(r->inv);
	r->model.writes_utf8 = text_utf8();
	r->model.utf8 = r->model.writes_utf8 && !set->ascii;
	return -1;
}

struct loaded {
	struct run *r;
	struct settings *set;
};

static int load_with(void *ctx)
{
	const struct loaded *l = ctx;

	return load(l->r, l->set);
}

/* Loads the snapshot while the screen is alive; -1: there is something to show. Quitting ends the program without
 * waiting for the reader. */
static int load_on_screen(struct run *r, struct settings *set)
{
	struct loaded l = { r, set };
	const char *file;
	const enum input_source kind = input_source(&set->input, &file);
	int status;

	r->loading.utf8 = !set->ascii && text_utf8();
	status = loading_run(r, load_with, &l, kind == INPUT_FILE ? file : kind == INPUT_LIVE ? "the scheduler" : "");
	if (status >= 0)
		loading_close(r);
	if (!r->loading.ends)
		return status;
	if (kind == INPUT_LIVE || r->signal) {
		signal(r->signal ? r->signal : SIGINT, SIG_DFL);
		raise(r->signal ? r->signal : SIGINT);
	}
	_exit(EXIT_DONE);
}

static int know_login(const struct run *r, struct settings *set)
{
	const int status = input_know_login(r->inv, &set->input);

	return status ? status : -1;
}

static int run(const struct invocation *inv, int argc, char **argv)
{
	struct settings set = { .cols = 80, .rows = 24 };
	struct run r = { .inv = inv };
	int status = parse(&r, &set, argc, argv);

	status = status < 0 ? know_login(&r, &set) : status;
	r.color = wants_color(&set);
	r.color_always = set.color == ALWAYS;
	if (status < 0)
		status = set.script || set.once ? load(&r, &set) : load_on_screen(&r, &set);
	if (status < 0) {
		r.model.theme = set.theme;
		r.themed = set.themed;
		model_use_blocks(&r.model, r.model.utf8 && (set.script ? r.color_always : r.color));
		status = set.script ? run_script(&r, set.script)
			 : set.once ? run_once(&r)
				    : run_terminal(&r);
	}
	if (r.abandoned && !r.signal)
		_exit(status);
	if (r.signal) {
		signal(r.signal, SIG_DFL);
		raise(r.signal);
	}
	if (r.model.data)
		model_free(&r.model);
	input_release(&set.input);
	return status;
}

const struct command top_command = { "fs-top", NULL, "the queue and the share tree, interactively", "", false, run };
