/* Where a command gets its snapshot from: file, standard input, paste, index or live capture; the viewer; --if. */
#ifndef INPUT_INPUT_H
#define INPUT_INPUT_H

#include "cmd.h"
#include "capture/capture.h"
#include "fs/view.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>

/* --if: what would be if commands of the scheduler were given. */

enum { MAX_EDITS = 256 };

struct edits {
	const char *command[MAX_EDITS]; /* in order */
	size_t n;
};

/* Makes the changes as that user would; remarks about them go to standard error. 0, or the exit status (reported). */
int edits_apply(const struct invocation *inv, const struct edits *e, const char *viewer, fs_snapshot *s);

/* Where a command's snapshot comes from, and whose eyes it looks through. */

/* Whose layout a table has. */
enum style { STYLE_OF_SCHEDULER, STYLE_SLURM, STYLE_FLUX, STYLE_MAUI, STYLE_FASRC, STYLE_TACC };

enum usage_source { USAGE_RECORDED, USAGE_COMPUTED, USAGE_COMPARE };

struct input {
	const char *file;      /* -f */
	const char *text;      /* --text of fs-explain: a paste in place of a snapshot */
	bool demo;             /* --demo */
	bool fresh;            /* --fresh */
	const char *as;        /* --as, FS_USER */
	char *login;           /* as input_know_login has it */
	const char *algorithm; /* --algorithm */
	enum fs_position position; /* --position */
	unsigned compat;       /* --compat */
	enum style style;      /* --style */
	enum usage_source usage;   /* --usage */
	bool usage_given;
	enum fs_decay decay;       /* --decay */
	bool decay_given;
	const char *at, *decay_runs; /* as typed: they need the snapshot's clock */
	FILE *spool; /* what standard input held, for reading it again; input_release closes it */
	unsigned styles;       /* bit per enum style that the command has; 0: slurm and maui */
	struct edits edits;    /* --if */
	bool records_later;    /* its usage records may be wanted: of a pipe they are kept */
	bool recorded;         /* wants what the scheduler printed too */
	bool without_jobs;     /* can do without jobs, unless shares follow from them */
	enum capture_need need; /* of a live capture, while no option asks for more */
};

/* Handles the options of COMMON_OPTIONS and USAGE_OPTIONS: 1 taken, 0 not one of them, -1 bad value (reported). */
int input_option(const struct invocation *inv, struct input *in, int id, const char *arg);

/* -f, $FS_SNAPSHOT, the site's snapshot. 0, or the exit status (reported). Warnings go to standard error
 * once each. */
int input_open(const struct invocation *inv, struct input *in, fs_snapshot **out);
void input_release(struct input *in);

/* Feeds the job records of the same source, read once more. 0, or the exit status (reported). */
int input_usage_records(const struct invocation *inv, const struct input *in, fs_usage *usage);

/* Where input_open would read from; *file is the one of INPUT_FILE. */
enum input_source { INPUT_DEMO, INPUT_FILE, INPUT_PASTE, INPUT_LIVE, INPUT_NONE };
enum input_source input_source(const struct input *in, const char **file);

/* Reads one file (NULL: the demo) as input_open would, without messages: 0 or an error code. */
int input_try(const struct input *in, const char *file, fs_snapshot **out, struct fs_error *err);

/* Reads one file as a snapshot; no warnings printed. */
int input_read_file(const struct invocation *inv, const char *file, fs_snapshot **out);

/* What the tools' -V prints: "slurm 26.11.0", Debian's "slurm-wlm 22.05.8" (told by its PluginDir). */
void input_slurm_version(const fs_snapshot *s);

/* What the options ask for, without the usage; the viewer is input_viewer's. */
struct fs_view input_view(const struct input *in);

/* Login name of the viewer: --as, $FS_USER, the caller's. Never NULL. */
const char *input_viewer(const struct input *in);

/* Keeps that name, so that nothing asks for it once there are threads: getpwuid has one answer for all of them. Exit
 * status, or 0. */
int input_know_login(const struct invocation *inv, struct input *in);

/* The options of where a snapshot comes from, whose eyes it is seen through, and usage other than as recorded: the ids
 * that input_option takes, and their rows in the tables of commands (options/options.h). */

/* Above 255, which are letters. */
enum {
	OPT_USAGE = 256,
	OPT_DEMO,
	OPT_AS,
	OPT_ALGORITHM,
	OPT_COMPAT,
	OPT_STYLE,
	OPT_AT,
	OPT_DECAY,
	OPT_DECAY_RUNS,
	OPT_POSITION,
	OPT_IF,
	OPT_FRESH,
	OPT_AFTER_INPUT
};

/* Rows that every reading command shares. */
#define BY_INPUT BY_INPUT_OF(NULL)
#define BY_INPUT_OF(values) { OPTION_INPUT, 0, false }, values
#define INPUT_SETS(member)                                                                                      \
	{ _Generic(((struct input *)0)->member, bool: OPTION_FLAG, const char *: OPTION_TEXT),                  \
	  offsetof(struct input, member), true }, NULL
#define COMMON_OPTIONS COMMON_OPTIONS_STYLED("slurm, flux or maui", "slurm flux maui")
#define COMMON_OPTIONS_STYLED(...) COMMON_OPTIONS_OF(__VA_ARGS__)
#define COMMON_OPTIONS_OF(styles, style_words)									\
	HEADING("Snapshot"),											\
	{ 'f', "file", "FILE", "read this snapshot; - is standard input", INPUT_SETS(file) },				\
	{ OPT_DEMO, "demo", NULL, "use the small cluster compiled in", INPUT_SETS(demo) },				\
	{ OPT_FRESH, "fresh", NULL, "where there is no snapshot: ask the scheduler, even if it was half a minute ago", \
	  INPUT_SETS(fresh) },												\
	{ OPT_AS, "as", "USER", "look through this user's eyes", INPUT_SETS(as) },					\
	{ OPT_IF, "if", "COMMAND", "as if the scheduler had been given this command; may be repeated", BY_INPUT }, \
	{ OPT_ALGORITHM, "algorithm", "NAME",									\
	  "fair_tree, classic, depth_oblivious, flux, flux_exact, flux_range or maui",				\
	  BY_INPUT_OF("fair_tree classic depth_oblivious flux flux_exact flux_range maui") },			\
	{ OPT_POSITION, "position", "NAME", "of flux_range: pow2, ratio or rank", BY_INPUT_OF("pow2 ratio rank") }, \
	{ OPT_STYLE, "style", "NAME", "whose layout: " styles, BY_INPUT_OF(style_words) },			\
	{ OPT_COMPAT, "compat", "VERSION", "behave like this Slurm: 22.05, 24.05.3",				\
	  BY_INPUT_OF("22.05 23.02 23.11 24.05 24.11 25.05 25.11 26.05 26.11") }

#define USAGE_OPTIONS USAGE_OPTIONS_OF("recorded computed")
#define USAGE_OPTIONS_OF(sources)										\
	HEADING("Usage"),											\
	{ OPT_USAGE, "usage", "[SOURCE]", "recorded, computed from job records, or compare (fs-share)",		\
	  BY_INPUT_OF(sources) },										\
	{ OPT_AT, "at", "TIME", "move the clock forward: +2d, +12h, YYYY-MM-DDTHH:MM, seconds", INPUT_SETS(at) },	\
	{ OPT_DECAY, "decay", "MODEL", "how usage decays: slurm (by periods) or exact", BY_INPUT_OF("slurm exact") }, \
	{ OPT_DECAY_RUNS, "decay-runs", "LIST", "times of earlier decay runs, where they are known", INPUT_SETS(decay_runs) }

/* The sources of a snapshot, one by one; which of them it is: input.h. */

/* Reads a snapshot, compressed or in a ticket too, from what `read` gives: 0 or an error code. */
int input_read_with(fs_read_fn read, void *ctx, const char *name, fs_snapshot **out, struct fs_error *err);

/* Feeds those of a file, without messages: 0 or an error code. */
int input_try_records(const char *file, fs_usage *usage, struct fs_error *err);

/* Lists of names, most of them given on a command line with commas between them. */

struct names {
	char **v;
	size_t n, room;
	bool given; /* the option was there, even with an empty list */
};

/* Adds the words of list, which may stand in quotes; lower: ASCII capitals become small. -1: memory. */
int names_add(struct names *names, const char *list, bool lower);

/* Adds a text as it is, which is freed with the others. -1: no memory, or it is NULL. */
int names_take(struct names *names, char *text);

void names_sort(struct names *names); /* by their bytes */
bool names_has(const struct names *names, const char *word);

/* Prints `label = a,b`, as sprio -v prints what it was asked for (src/sprio/opts.c:_print_options). */
void names_print(const char *label, const struct names *names);
void names_free(struct names *names);

/* Names asked for that a snapshot does not know are complained of, one by one. A name that is known but has no row
 * in what is shown is not missing. */

enum missing_kind { MISSING_USER, MISSING_ACCOUNT, MISSING_PARTITION };

/* Returns whether the name is missing, in which case it was complained of. Every partition is missing where the
 * snapshot lists none. NULL is not missing. */
bool missing_name(const struct invocation *inv, const fs_snapshot *s, enum missing_kind kind, const char *name);

/* Returns how many of the names are missing. */
size_t missing_names(const struct invocation *inv, const fs_snapshot *s, enum missing_kind kind,
		     const struct names *names);

/* Is the snapshot of each cluster asked for? `any` is a word for whichever it is, or NULL. 0, or the exit status
 * (reported), as where no cluster is named. */
int missing_clusters(const struct invocation *inv, const fs_snapshot *s, const struct names *clusters, const char *any);

/* Is it known at all? */
bool missing_from(const fs_snapshot *s, enum missing_kind kind, const char *name);

/* The status that a command ends with: EXIT_NOTHING if something was missing, unless it runs under the name of a
 * tool, which does not say so. */
int missing_status(const struct invocation *inv, int status, size_t missing);

/* How far a long reading has come, on a terminal. */

/* After a second of reading a line on standard error says how much has been read and, if it is a file, which part
 * that is and about how long the rest takes. */
struct progress {
	FILE *from;
	uint64_t size, done; /* size 0: not known */
	struct timespec begun, told;
	bool wanted, shown;
};

/* How far the readings of this process are, whatever thread does them; size 0: not known. */
struct progress_seen {
	uint64_t done, size;
};
struct progress_seen progress_seen(void);

/* The index beside a snapshot: FILE.fsx. */

enum { INDEX_WHY = 320 };

/* The snapshot in file, open as stream, by its index if there is one that can be trusted: it is the file's owner's,
 * only the owner may write to it, and it is of the file as it is now. 0, or -1 and why not, "" where there is none. */
int index_open(FILE *stream, const char *file, const struct fs_read_options *o, fs_snapshot **out, char why[INDEX_WHY]);

/* FILE.fsx: yours to free, NULL without memory. */
char *index_name(const char *file);

/* Fills in what ties an index to the file, and the file's state; -1 if such a file cannot have an index. */
int index_key(FILE *stream, struct fs_index_key *key, struct stat *st);

/* The snapshot compiled in: cmd/demo.jsonl. */

extern const unsigned char demo_snapshot[];
extern const size_t demo_snapshot_size;

/* Usage other than as recorded at the snapshot's time: --usage, --decay, --decay-runs and --at. */

/* Is anything asked for that usage as recorded does not give? */
bool usage_wanted(const struct input *in);

/* Usage as the options ask, every charge told to fn (may be NULL). The snapshot's file is read again for its job
 * records. 0, or the exit status (reported). */
int usage_load(const struct invocation *inv, const struct input *in, const fs_snapshot *s,
	       fs_charge_fn fn, void *ctx, fs_usage **out);

/* The same for a snapshot read from this file, without messages: 0 or an error code. *out is to be freed in any
 * case. */
int usage_try(const struct input *in, const char *file, const fs_snapshot *s, fs_usage **out, struct fs_error *err);

/* Prints the first line of text about a hypothetical state: "WHAT IF: COMMAND; COMMAND". Prints nothing if the snapshot
 * was given no command. */
void what_if_print(const fs_snapshot *s);

/* The same before a table, but only on a terminal, so that scripts get the table alone. */
void what_if_table(const fs_snapshot *s);

#endif
