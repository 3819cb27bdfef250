/* Command-line options from one table per command: parsing, --help and its tests all read it. */
#ifndef OPTIONS_OPTIONS_H
#define OPTIONS_OPTIONS_H

#include "input/options.h"
#include "render/json.h"

/* arg: NULL none, "NAME" required, "[NAME]" optional (attached). Letters of options without a short form
 * are OPT_ constants above 255. A row without id and name is a heading for --help. */
struct option_row {
	int id;
	const char *name; /* long form, NULL if there is none */
	const char *arg;
	const char *help; /* NULL: accepted but not shown */
};

/* theirs: under the name of the emulated tool these are all the options there are; their help is that of the row of the
 * same id. NULL: ours. */
struct option_table {
	const struct option_row *rows;
	size_t n;
	const struct option_row *theirs;
	size_t ntheirs;
};
#define OPTION_TABLE(rows) { rows, sizeof(rows) / sizeof(*(rows)), NULL, 0 }
#define OPTION_TABLE_OF(rows, theirs)                                                              \
	{ rows, sizeof(rows) / sizeof(*(rows)), theirs, sizeof(theirs) / sizeof(*(theirs)) }

enum {
	OPT_TEXT = -1, /* a line of --help that is no option */
	OPT_HELP = OPT_AFTER_INPUT,
	OPT_JSON,
	OPT_JSONL,
	OPT_OPENMETRICS,
	OPT_HISTORY,
	OPT_CSV,
	OPT_PLOT,
	OPT_FIRST_FREE /* a command's own go from here */
};

/* Rows of the commands that show a history. */
#define HISTORY_OPTIONS(what)                                                                      \
	{ 0, NULL, NULL, "History" },                                                              \
	{ OPT_HISTORY, "history", "DIR", what " over the snapshots of a folder (fs-snap keep)" },    \
	{ OPT_CSV, "csv", NULL, "with --history: as comma-separated values" },                       \
	{ OPT_PLOT, "plot", NULL, "with --history: as a picture in the terminal" }

struct options {
	const struct invocation *inv;
	const struct option_table *table;
	int argc;
	char **argv;
	const char *arg; /* of the option last returned */
	int next;        /* index of the first argument that is no option, at the end */
	void *state;
};

int options_init(struct options *o, const struct invocation *inv, const struct option_table *table, int argc,
		 char **argv);

/* The id of the next option, -1 at the end, '?' after an error already reported. */
int options_next(struct options *o);
void options_release(struct options *o);

/* Takes all options: `take` gives -1 to go on, or the exit status, which ends it. *next gets the index of the first
 * argument that is no option. -1 at the end, or the exit status. */
typedef int (*option_fn)(void *ctx, const struct options *o, int id);
int options_parse(const struct invocation *inv, const struct option_table *table, int argc, char **argv,
		  option_fn take, void *ctx, int *next);

/* As getopt says of an option that there is not, by the word that it had; for one that only later versions have. */
void options_unknown(const struct invocation *inv, const char *program, const char *word);

/* --help, or --usage without its value, which Slurm's tools take for that. */
bool options_wants_help(const struct options *o, int id);

void options_help(const struct options *o, const char *synopsis, const char *about);

/* Options that do no more than set a member of a command's struct: a bool, a text to their value, or of --jsonl the
 * form of JSON. */
struct option_member {
	int id;
	enum { OPTION_SETS_FLAG, OPTION_SETS_TEXT, OPTION_SETS_LINES } kind;
	size_t offset;
};
#define OPTION_SETS(type, id, member)                                                                          \
	{ id, _Generic(((type *)0)->member, bool: OPTION_SETS_FLAG, const char *: OPTION_SETS_TEXT,             \
		       enum json_form: OPTION_SETS_LINES), offsetof(type, member) }

/* false: it is none of them. */
bool options_set(const struct option_member *members, size_t n, void *run, int id, const char *arg);

#endif
