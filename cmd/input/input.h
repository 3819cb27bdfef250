/* The input of a command: a snapshot from a file, standard input, a pasted text, an index beside the file, the demo, or
 * a live capture. Also handles the options that select the input (-f, --as, --if, …), the viewer, and the options for
 * usage that differs from the recorded usage. The caller frees the snapshot, and calls input_release_resources for
 * struct input. Strings in struct input belong to the command line. */
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

/* ---- hypothetical commands to the scheduler (--if) */

enum { MAX_EDITS = 256 };

struct edits {
	const char *command[MAX_EDITS]; /* values of --if, in the order of the command line */
	size_t n;
};

/* Applies the commands to the snapshot with the rights of `viewer`. Prints notes about the commands on standard error.
 * Returns 0, or the exit status; errors are reported. */
int edits_apply_to_snapshot(const struct invocation *inv, const struct edits *e, const char *viewer, fs_snapshot *s);

/* ---- source of the snapshot and its viewer */

/* Layout of tables. STYLE_OF_SCHEDULER: the layout of the snapshot's scheduler. */
enum style { STYLE_OF_SCHEDULER, STYLE_SLURM, STYLE_FLUX, STYLE_MAUI, STYLE_FASRC, STYLE_TACC };

enum usage_source { USAGE_RECORDED, USAGE_COMPUTED, USAGE_COMPARE };

struct input {
	const char *file;      /* value of -f, or the file of the selected cluster; NULL: not given */
	/* value of -M, or of $SLURM_CLUSTERS if it applies: names of clusters; NULL: none */
	const char *clusters;
	char *cluster_file;    /* `file` if it is the file of the selected cluster; input_release_resources frees it */
	bool cluster_selected; /* `file` is the snapshot of a cluster in `clusters` */
	/* value of --text of fs-explain: a file with pasted text to read instead of a snapshot; NULL: not given */
	const char *text;
	struct paste_gaps paste_gaps; /* set when `text` is read */
	bool demo;             /* --demo is given */
	bool fresh;            /* --fresh is given */
	const char *as;        /* value of --as; NULL: not given */
	char *login;           /* name of the viewer, set by input_know_login; NULL: not set yet */
	const char *algorithm; /* value of --algorithm; NULL: not given */
	enum fs_position position; /* value of --position */
	unsigned compat;       /* value of --compat: a release number as fs_slurm_release returns it; 0: not given */
	enum style style;      /* value of --style */
	enum usage_source usage;   /* value of --usage */
	bool usage_given;
	enum fs_decay decay;       /* value of --decay */
	bool decay_given;
	/* values of --at and --decay-runs as typed; NULL: not given. The values are parsed when the snapshot's time
	 * zone is known */
	const char *at, *decay_runs;
	/* temporary file with a copy of piped input, which is read again; NULL: none; input_release_resources closes
	 * it */
	FILE *spool;
	/* styles that the command accepts: bits 1 << enum style; 0: the styles slurm, flux and maui */
	unsigned styles;
	struct edits edits;    /* commands of --if */
	bool records_later;    /* usage records may be read later; piped input is therefore copied to `spool` */
	bool past_jobs;        /* the command needs the usage records: run times and memory of past jobs */
	bool recorded;         /* the command needs the `recorded` records: values that the scheduler printed */
	/* the command needs no jobs; jobs are read only if an option or the computation of shares needs them */
	bool without_jobs;
	enum capture_need need; /* data that a live capture must contain if no option requires more */
};

/* Handles an option of COMMON_OPTIONS or USAGE_OPTIONS. Returns 1 if the option was handled, 0 if `id` belongs to
 * another option, -1 if the value is invalid (reported). */
int input_handle_option(const struct invocation *inv, struct input *in, int id, const char *arg);

/* Reads the snapshot from the source that input_find_source selects, and applies the commands of --if. Prints each
 * warning once on standard error. Returns 0, or the exit status; errors are reported. */
int input_open_snapshot(const struct invocation *inv, struct input *in, fs_snapshot **out);
void input_release_resources(struct input *in);

/* Reads job records into `usage`, from the same source as input_open_snapshot. Returns 0, or the exit status; errors
 * are reported. */
int input_usage_records(const struct invocation *inv, const struct input *in, fs_usage *usage);

/* Returns the source that input_open_snapshot reads. If the source is INPUT_FILE, sets *file to the file name.
 * Otherwise *file has no meaning. */
enum input_source { INPUT_DEMO, INPUT_FILE, INPUT_PASTE, INPUT_LIVE, INPUT_NONE };
enum input_source input_find_source(const struct input *in, const char **file);

/* Reads one file (NULL: the demo) as input_open_snapshot does, without messages, and applies --if. Returns 0 or an
 * error code. */
int input_try_file(const struct input *in, const char *file, fs_snapshot **out, struct fs_error *err);

/* Both read one file as a snapshot; input_read_header leaves out jobs, usage records and recorded values. They print no
 * warnings. They return 0, or the exit status; errors are reported. */
int input_read_header(const struct invocation *inv, const char *file, fs_snapshot **out);
int input_read_file(const struct invocation *inv, const char *file, fs_snapshot **out);

/* Prints the version as the option -V of Slurm's tools does: "slurm 26.11.0". If the setting PluginDir shows that Slurm
 * was installed from a Debian package, prints "slurm-wlm 22.05.8" instead. */
void input_slurm_version(const fs_snapshot *s);

/* Returns the struct fs_view that the options describe. Its viewer is the user that input_get_viewer_name returns. Its
 * member `usage` is not set. */
struct fs_view input_get_view(const struct input *in);

/* Returns the login name of the viewer: the value of --as, else $FS_USER, else the caller's login name. Never NULL. */
const char *input_get_viewer_name(const struct input *in);

/* Sets in->login to the name of the viewer. Must be called before threads start, because input_get_viewer_name uses
 * getpwuid, which is not thread-safe. Returns 0, or the exit status. */
int input_know_login(const struct invocation *inv, struct input *in);

/* The options that select the source of the snapshot, the viewer and the usage: their ids, and their rows for the
 * option tables of commands (options/options.h) */

/* Ids of the options. The ids are above 255, because smaller ids are option letters. */
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

/* Initializers of option rows; COMMON_OPTIONS and USAGE_OPTIONS are rows that several commands have in common. */
#define BY_INPUT BY_INPUT_OF(NULL)
#define BY_INPUT_OF(values) { OPTION_INPUT, 0, false }, values
#define INPUT_SETS(member)                                                                                      \
	{ _Generic(((struct input *)0)->member, bool: OPTION_FLAG, const char *: OPTION_TEXT),                  \
	  offsetof(struct input, member), true }, NULL
#define COMMON_OPTIONS COMMON_OPTIONS_STYLED("slurm, flux or maui", "slurm flux maui")
#define COMMON_OPTIONS_STYLED(...) COMMON_OPTIONS_OF(__VA_ARGS__)
#define COMMON_OPTIONS_OF(styles, style_words) \
	OPTION_HEADING("Snapshot"), { 'f', "file", "FILE", "read this snapshot; - is standard input", INPUT_SETS(file) }, \
		{ OPT_DEMO, "demo", NULL, "use the built-in demo cluster", INPUT_SETS(demo) }, \
		{ OPT_FRESH, "fresh", NULL, \
		  "make a new capture, even if the last one is younger than 30 s", \
		  INPUT_SETS(fresh) }, \
		{ OPT_AS, "as", "USER", "show what this user may see", INPUT_SETS(as) }, \
		{ OPT_IF, "if", "COMMAND", "assume that the scheduler got this command; may be repeated", \
		  BY_INPUT }, \
		{ OPT_ALGORITHM, "algorithm", "NAME", \
		  "algorithm: fair_tree, classic, depth_oblivious, flux, flux_exact, flux_range or maui", \
		  BY_INPUT_OF("fair_tree classic depth_oblivious flux flux_exact flux_range maui") }, \
		{ OPT_POSITION, "position", "NAME", "how flux_range turns a weight into a position: pow2, ratio or rank", \
		  BY_INPUT_OF("pow2 ratio rank") }, \
		{ OPT_STYLE, "style", "NAME", "layout of the tables: " styles, BY_INPUT_OF(style_words) }, \
	{ \
		OPT_COMPAT, "compat", "VERSION", "behave like this version of Slurm, such as 22.05 or 24.05.3", \
			BY_INPUT_OF("22.05 23.02 23.11 24.05 24.11 25.05 25.11 26.05 26.11") \
	}

#define USAGE_OPTIONS USAGE_OPTIONS_OF("source of usage: recorded, or computed from job records", "recorded computed")
#define USAGE_OPTIONS_OF(sources, source_words)									\
	OPTION_HEADING("Usage"),											\
	{ OPT_USAGE, "usage", "[SOURCE]", sources, BY_INPUT_OF(source_words) },					\
	{ OPT_AT, "at", "TIME", "move the clock forward: +2d, +12h, YYYY-MM-DDTHH:MM, seconds", INPUT_SETS(at) }, \
	{ OPT_DECAY, "decay", "MODEL", "how usage decays: slurm (by periods) or exact", BY_INPUT_OF("slurm exact") }, \
	{ OPT_DECAY_RUNS, "decay-runs", "LIST", "known times of earlier decay runs", INPUT_SETS(decay_runs) }

/* ---- reading one snapshot or the job records of one file */

/* Reads a snapshot. `read` returns the bytes of the input. The input may be compressed, and may be a ticket (see
 * files/files.h). `name`: name of the input in messages. Returns 0 or an error code. */
int input_read_with(fs_read_fn read, void *ctx, const char *name, fs_snapshot **out, struct fs_error *err);

/* Reads the job records of a file into `usage`, without messages. Returns 0 or an error code. */
int input_try_usage_records(const char *file, fs_usage *usage, struct fs_error *err);

/* ---- lists of names */

struct names {
	char **v;
	size_t n, capacity;
	bool given; /* the option that sets the list is given; its list may be empty */
};

/* Adds the names of a comma-separated text to the list. The names may be quoted. `lower`: convert ASCII capitals to
 * lower case. Returns -1 if out of memory. */
int names_add_comma_list(struct names *names, const char *list, bool lower);

/* Adds the text to the list, which takes ownership of the text. Returns -1 if out of memory or if the text is NULL. */
int names_add_owned_text(struct names *names, char *text);

void names_sort_by_bytes(struct names *names); /* sorts the names in byte order */
bool names_contain_word(const struct names *names, const char *word);

/* Prints `label = a,b`, as sprio -v prints its options (src/sprio/opts.c:_print_options). */
void names_print_with_label(const char *label, const struct names *names);
void names_free_all(struct names *names);

/* ---- names of requested users, accounts and partitions that are not in the snapshot. A name that is in the snapshot
 * is not missing, even if the output has no row for it. */

enum missing_kind { MISSING_USER, MISSING_ACCOUNT, MISSING_PARTITION };

/* Prints a message and returns true if missing_is_unknown_name returns true. Otherwise, or if `name` is NULL, returns
 * false. */
bool missing_report_unknown_name(const struct invocation *inv, const fs_snapshot *s, const char *viewer,
				 enum missing_kind kind, const char *name);

/* Prints a message for each name in `names` that is missing from the snapshot. Returns the number of messages. `kind`:
 * type of the names. */
size_t missing_report_unknown_names(const struct invocation *inv, const fs_snapshot *s, const char *viewer,
				    enum missing_kind kind, const struct names *names);

/* Returns true if the snapshot has no user, account or partition with this name that the viewer may see. If `viewer` is
 * NULL, everything is visible. `kind` selects the type of name. If
 * the snapshot lists no partitions, returns false for every partition. */
bool missing_is_unknown_name(const fs_snapshot *s, const char *viewer, enum missing_kind kind, const char *name);

/* Returns the exit status of a command: EXIT_NOTHING if `status` is 0 and names are missing, else `status`. If the
 * command was started under the name of the tool that it emulates, always returns `status`. `missing`: number of
 * missing names. */
int missing_get_exit_status(const struct invocation *inv, int status, size_t missing);

/* ---- snapshots of several clusters: -f and $FS_SNAPSHOT may name several files, separated by commas, or a folder with
 * files *.jsonl and *.jsonl.zst. If the text is the name of an existing file, it names that file only. */

/* The selected clusters, in order of their names. `next`: number of clusters chosen so far. Initialize with { 0 }. */
struct clusters {
	struct names files; /* all snapshots that -f or $FS_SNAPSHOT names; empty: one snapshot, or another source */
	struct cluster *v;
	size_t n, next;
};

/* If there are several snapshots, chooses the next cluster of in->clusters, and sets in->file to its snapshot; if two
 * snapshots are of the same cluster, to the newer one. Commands with names of their own use $SLURM_CLUSTERS if
 * in->clusters is NULL. If no clusters are requested, chooses the first file of a list; a folder with several snapshots
 * is then an error. Returns 0, or the exit status; errors are reported. */
int clusters_choose_next(const struct invocation *inv, struct input *in, struct clusters *c);
void clusters_stop(struct clusters *c); /* no further cluster is chosen */
const char *clusters_get_name(const struct clusters *c); /* returns the name of the cluster chosen last */
/* Calls `run` once, and again for each further cluster that `run` chooses with clusters_choose_next. Returns the first
 * exit status that is not 0. */
typedef int (*clusters_run_fn)(const struct invocation *inv, int argc, char **argv, struct clusters *c);
int clusters_run_command(const struct invocation *inv, int argc, char **argv, clusters_run_fn run);

/* clusters_choose_one chooses the first cluster, as clusters_choose_next does. clusters_open_snapshot then reads its
 * snapshot with input_open_snapshot. */
int clusters_choose_one(const struct invocation *inv, struct input *in);
int clusters_open_snapshot(const struct invocation *inv, struct input *in, fs_snapshot **out);

/* Checks that in->clusters names the snapshot's cluster or is "all", unless clusters_choose_next has selected the
 * snapshot by its cluster. Returns 0, or the exit status; errors are reported. */
int clusters_check_snapshot(const struct invocation *inv, const struct input *in, const fs_snapshot *s);

/* ---- progress of a long read */

/* Progress of reading a file. If a read takes longer than one second and standard error is a terminal, a line on
 * standard error shows the amount read. For a regular file the line also shows the percentage and the estimated time
 * left. */
struct progress {
	FILE *from;
	uint64_t size, done; /* bytes of the input (0: unknown), and bytes read so far */
	struct timespec started, last_shown;
	bool enabled, line_shown;
};

/* Progress of the read that runs in this process, in whichever thread: number of bytes read so far, and size of the
 * input in bytes (0: unknown). */
struct progress_counts {
	uint64_t done, size;
};
struct progress_counts progress_get_seen(void);

/* ---- the index beside a snapshot: FILE.fsx */

enum { INDEX_WHY = 320 };

/* Reads the snapshot `file`, which is open as `stream`, from its index. The index must belong to the file's owner, must
 * be writable only by the owner, and must match the file's current content. Returns 0, or -1 with the reason in `why`;
 * the reason is "" if there is no index. */
int index_open_snapshot(FILE *stream, const char *file, const struct fs_read_options *o, fs_snapshot **out,
			char why[INDEX_WHY]);

/* Returns the name FILE.fsx, which the caller frees; NULL if out of memory. */
char *index_get_name(const char *file);

/* Sets *key to the values that identify the content of the file; an index belongs to the file if it contains equal
 * values. Fills *st as fstat does for the file. Returns -1 if the file cannot have an index. */
int index_fill_key(FILE *stream, struct fs_index_key *key, struct stat *st);

/* ---- the compiled-in demo snapshot (cmd/demo.jsonl) */

extern const unsigned char demo_snapshot[];
extern const size_t demo_snapshot_size;

/* usage that differs from the recorded usage: --usage, --decay, --decay-runs and --at */

/* Returns true if an option requires usage that differs from the recorded usage. */
bool usage_is_computation_requested(const struct input *in);

/* Computes usage as the options require. Reads the job records of the snapshot's source again if needed. Calls fn (may
 * be NULL) for the charge of each run (execution) of a job. The caller frees *out. Returns 0, or the exit status;
 * errors are reported. */
int usage_load_with_options(const struct invocation *inv, const struct input *in, const fs_snapshot *s, fs_charge_fn fn,
			    void *ctx, fs_usage **out);

/* Works like usage_load_with_options, but prints no messages and reads the job records from `file`. `s`: the snapshot
 * in `file`. Returns 0 or an error code. The caller frees *out even after an error. */
int usage_try_load(const struct input *in, const char *file, const fs_snapshot *s, fs_usage **out,
		   struct fs_error *err);

/* Prints the line "WHAT IF: COMMAND; COMMAND" with the hypothetical commands that were applied to the snapshot. Prints
 * nothing if there are none. */
void what_if_print(const fs_snapshot *s);

/* If standard output is a terminal, prints the line of what_if_print above a table. Otherwise prints nothing, so
 * that scripts get only the table. */
void what_if_table(const fs_snapshot *s);

#endif
