/* Command-line options from one table per command. Parsing, --help, shell completion and the tests all use that table.
 */
#ifndef OPTIONS_OPTIONS_H
#define OPTIONS_OPTIONS_H

#include "input/input.h"
#include "render/json.h"

/* Ids of options that have no letter. They follow the ids of the input options. The ids of a command's own options
 * start at OPT_FIRST_FREE. */
enum {
	OPT_TEXT = -1, /* not an option: a heading or text line of --help */
	OPT_HELP = OPT_AFTER_INPUT,
	OPT_VERSION,
	OPT_JSON,
	OPT_JSONL,
	OPT_OPENMETRICS,
	OPT_MARKDOWN,
	OPT_COLOR,
	OPT_HISTORY,
	OPT_CSV,
	OPT_PLOT,
	OPT_FIRST_FREE
};

/* What options_parse_command_line does for an option. */
struct option_effect {
	enum {
		OPTION_TAKEN,	 /* the option is passed to option_target.take */
		OPTION_ACCEPTED, /* the option is accepted and ignored */
		OPTION_HELP,
		OPTION_VERSION,
		OPTION_INPUT, /* the option is passed to input_handle_option */
		OPTION_JSON,
		/* Four effects that set a member of the command's struct or of struct input. OPTION_FLAG sets a bool to
		 * true. OPTION_TEXT sets a const char * to the option's value. OPTION_COUNT adds 1 to an int.
		 * OPTION_LINES sets an enum json_form to JSON_LINES. */
		OPTION_FLAG,
		OPTION_TEXT,
		OPTION_COUNT,
		OPTION_LINES
	} kind;
	size_t offset; /* offset of the member to set, in bytes */
	bool of_input; /* true: the member is in struct input; false: it is in the command's struct */
};
/* Initializers of the members `does` and `values` of struct option_row. */
#define OPTION_EFFECT(kind) { kind, 0, false }, NULL
#define OPTION_BY_COMMAND OPTION_EFFECT(OPTION_TAKEN)
#define OPTION_BY_COMMAND_WITH_VALUES(values) { OPTION_TAKEN, 0, false }, values
#define OPTION_IGNORED OPTION_EFFECT(OPTION_ACCEPTED)
#define OPTION_SETS(type, member) OPTION_SETS_OF(type, member, NULL)
#define OPTION_SETS_OF(type, member, values)                                                                    \
	{ _Generic(((type *)0)->member, bool: OPTION_FLAG, const char *: OPTION_TEXT, int: OPTION_COUNT,        \
		   enum json_form: OPTION_LINES), offsetof(type, member), false }, values

/* One name of an option. Rows with the same id are names of the same option. `arg` is NULL if the option takes no
 * value, "NAME" if it requires a value, and "[NAME]" if it accepts an optional value, which is attached to the
 * option. */
struct option_row {
	int id;		  /* letter of the option, or an OPT_ constant */
	const char *name; /* long name of the option; NULL: none */
	const char *arg;
	const char *help; /* text for --help; NULL: the option is accepted but --help does not list it */
	struct option_effect does;
	/* For shell completion of the option's value: a list of words ("auto always never") or a kind of name
	 * (":files", ":users"). A comma at the end means that the value is a comma-separated list. NULL: the words
	 * are derived from `arg`. */
	const char *values;
};
#define OPTION_HEADING(text) { .help = text }

/* An option of the emulated tool. Its help text is that of the option_row with the same id. */
struct emulated_option {
	int id;
	const char *name, *arg;
};

struct option_table {
	/* parts of the --help text: the arguments of the usage line, and the description */
	const char *synopsis, *about;
	const struct option_row *rows;
	size_t n;
	/* options accepted under the emulated tool's name; NULL: the options in `rows` */
	const struct emulated_option *emulated_rows;
	size_t nemulated_rows;
	/* lines of --usage under the emulated tool's name, with NULL at the end; NULL: the text of --help */
	const char *const *emulated_usage;
};
#define OPTION_ROWS(table) (table), sizeof(table) / sizeof(*(table))

/* ---- rows shared by several commands */

#define JSON_OPTION(what) { OPT_JSON, "json", "[SHAPE]", "print JSON, " what "; SHAPE pretty: indented", { OPTION_JSON, 0, false }, "pretty" }
#define JSONL_OPTION(does) { OPT_JSONL, "jsonl", NULL, "print each row as one line of JSON", does }
#define OPENMETRICS_OPTION(does)                                                                   \
	{ OPT_OPENMETRICS, "openmetrics", NULL, "print metrics for Prometheus: gauges without job ids", does }
#define MARKDOWN_OPTION(does) { OPT_MARKDOWN, "markdown", NULL, "print Markdown, for tickets", does }
#define COLOR_OPTION { OPT_COLOR, "color", "WHEN", "use colours: auto, always or never", OPTION_BY_COMMAND_WITH_VALUES("auto always never") }
#define HISTORY_OPTIONS(what, dir, as_csv, as_plot)                                                \
	OPTION_HEADING("History"),                                                                        \
	{ OPT_HISTORY, "history", "DIR", "show " what " in the snapshots of a folder (fs-snap keep)", dir }, \
	{ OPT_CSV, "csv", NULL, "with --history: print comma-separated values", as_csv },               \
	{ OPT_PLOT, "plot", NULL, "with --history: print a plot in the terminal", as_plot }
#define HELP_OPTION(id) { id, "help", NULL, "print this help", OPTION_EFFECT(OPTION_HELP) }
#define VERSION_OPTION(id) { id, "version", NULL, "print the version", OPTION_EFFECT(OPTION_VERSION) }

/* ---- parsing a command line */

struct options {
	const struct invocation *inv;
	const struct option_table *table;
	int argc;
	char **argv;
	const char *arg; /* value of the option that was parsed last */
	int next;        /* index in argv of the first argument that is not an option; valid after the last option */
	void *state;
};

/* Destinations of the options that options_parse_command_line parses. */
struct option_target {
	const struct invocation *inv;
	void *run;	      /* the command's struct, whose members the options set */
	struct input *input;  /* options of the snapshot source; NULL: the command reads no snapshot */
	enum json_form *json; /* gets the layout that --json selects; NULL: the command has no --json, or handles it itself */
	/* handles the options with the effect OPTION_TAKEN; returns -1 to continue, or the exit status */
	int (*take)(void *run, const struct options *o, int id);
	bool passes_unknown; /* skip unknown options after reporting them */
};

/* Parses all options and applies their effects. Sets *next to the index of the first argument that is not an option.
 * Returns -1 to continue, or the exit status: after --help, after --version, or after an error message. */
int options_parse_command_line(const struct option_target *to, const struct option_table *table, int argc, char **argv,
			       int *next);

/* Reports an unexpected argument. Returns the exit status. */
int options_report_unexpected_argument(const struct invocation *inv, const char *word);

/* Reports an unknown option with getopt's message, for options that the emulated version of the tool lacks. program:
 * argv[0]; word: the option as it was typed. */
void options_report_unknown_option(const struct invocation *inv, const char *program, const char *word);

/* Both return EXIT_DONE. options_print_help prints the text of --help. options_print_usage prints the text of --usage
 * of the emulated tool, or the text of --help if the table has no such text. */
int options_print_help(const struct invocation *inv, const struct option_table *table);
int options_print_usage(const struct invocation *inv, const struct option_table *table);

#endif
