/* Command-line options from one table per command: parsing, --help, completions and their tests all read it. */
#ifndef OPTIONS_OPTIONS_H
#define OPTIONS_OPTIONS_H

#include "input/input.h"
#include "render/json.h"

/* Ids of options without a letter, behind those of the input; a command's own go from OPT_FIRST_FREE. */
enum {
	OPT_TEXT = -1, /* a line of --help that is no option */
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

/* What an option does. */
struct option_effect {
	enum {
		OPTION_TAKEN,	 /* the command sees to it */
		OPTION_ACCEPTED, /* nothing */
		OPTION_HELP,
		OPTION_VERSION,
		OPTION_INPUT, /* input_option sees to it */
		OPTION_JSON,
		/* It sets a member of the command's struct: a bool, a text to its value, how often it was given, the
		 * form of JSON to lines. */
		OPTION_FLAG,
		OPTION_TEXT,
		OPTION_COUNT,
		OPTION_LINES
	} kind;
	size_t offset; /* of the member */
	bool of_input; /* it is one of struct input */
};
/* Two initialisers: what it does, and what its value is completed with, where its arg does not say it. */
#define DOES(kind) { kind, 0, false }, NULL
#define TAKEN DOES(OPTION_TAKEN)
#define TAKEN_OF(values) { OPTION_TAKEN, 0, false }, values
#define ACCEPTED DOES(OPTION_ACCEPTED)
#define OPTION_SETS(type, member) OPTION_SETS_OF(type, member, NULL)
#define OPTION_SETS_OF(type, member, values)                                                                    \
	{ _Generic(((type *)0)->member, bool: OPTION_FLAG, const char *: OPTION_TEXT, int: OPTION_COUNT,        \
		   enum json_form: OPTION_LINES), offsetof(type, member), false }, values

/* arg: NULL none, "NAME" required, "[NAME]" optional (attached). Rows of one id are names of one option. */
struct option_row {
	int id;		  /* its letter, or one of OPT_ */
	const char *name; /* long form, NULL if there is none */
	const char *arg;
	const char *help; /* NULL: accepted but not shown */
	struct option_effect does;
	/* What its value is completed with: words ("auto always never"), or what a shell knows or asks for (":files",
	 * ":users"); a comma behind: a list of them. NULL: as its arg says. */
	const char *values;
};
#define HEADING(text) { .help = text }

/* An option of the tool that a command stands in for; its help is that of the row of the same id. */
struct option_word {
	int id;
	const char *name, *arg;
};

struct option_table {
	const char *synopsis, *about; /* of --help */
	const struct option_row *rows;
	size_t n;
	const struct option_word *theirs; /* under that tool's name these are all there are. NULL: ours */
	size_t ntheirs;
};
#define OPTIONS(table) (table), sizeof(table) / sizeof(*(table))

/* ---- rows that commands share */

#define JSON_OPTION(what) { OPT_JSON, "json", "[SHAPE]", "JSON, " what "; SHAPE pretty: indented", { OPTION_JSON, 0, false }, "pretty" }
#define JSONL_OPTION(does) { OPT_JSONL, "jsonl", NULL, "the same as lines: one row a line", does }
#define OPENMETRICS_OPTION(does)                                                                   \
	{ OPT_OPENMETRICS, "openmetrics", NULL, "metrics for Prometheus: gauges, no job by its id", does }
#define MARKDOWN_OPTION(does) { OPT_MARKDOWN, "markdown", NULL, "Markdown, for tickets", does }
#define COLOR_OPTION { OPT_COLOR, "color", "WHEN", "auto, always or never", TAKEN_OF("auto always never") }
#define HISTORY_OPTIONS(what, dir, as_csv, as_plot)                                                \
	HEADING("History"),                                                                        \
	{ OPT_HISTORY, "history", "DIR", what " over the snapshots of a folder (fs-snap keep)", dir }, \
	{ OPT_CSV, "csv", NULL, "with --history: as comma-separated values", as_csv },               \
	{ OPT_PLOT, "plot", NULL, "with --history: as a picture in the terminal", as_plot }
#define HELP_OPTION(id) { id, "help", NULL, "print this text", DOES(OPTION_HELP) }
#define VERSION_OPTION(id) { id, "version", NULL, "print the version", DOES(OPTION_VERSION) }

/* ---- parsing */

struct options {
	const struct invocation *inv;
	const struct option_table *table;
	int argc;
	char **argv;
	const char *arg; /* of the option last returned */
	int next;        /* index of the first argument that is no option, at the end */
	void *state;
};

/* Where options go. */
struct option_target {
	const struct invocation *inv;
	void *run;	      /* the command's struct */
	struct input *input;  /* NULL: it reads no snapshot */
	enum json_form *json; /* NULL: it has no JSON, or takes it itself */
	int (*take)(void *run, const struct options *o, int id); /* what is TAKEN: -1 to go on, or the exit status */
	bool passes_unknown; /* an option that is unknown is told and passed over */
};

/* Takes all options. *next gets the index of the first argument that is none. -1 to go on, or the exit status: help and
 * version are printed, mistakes reported. */
int options_parse(const struct option_target *to, const struct option_table *table, int argc, char **argv, int *next);

/* Says that a word was not expected; the exit status. */
int options_unexpected(const struct invocation *inv, const char *word);

/* Complains as getopt would of an option that only later versions have; word: as it was typed. */
void options_unknown(const struct invocation *inv, const char *program, const char *word);

/* --help; EXIT_DONE. */
int options_help(const struct invocation *inv, const struct option_table *table);

#endif
