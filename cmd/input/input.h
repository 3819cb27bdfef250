/* Where a command's snapshot comes from, and whose eyes it looks through. */
#ifndef INPUT_INPUT_H
#define INPUT_INPUT_H

#include "capture/need.h"
#include "input/edits.h"

/* Whose layout a table has. */
enum style { STYLE_OF_SCHEDULER, STYLE_SLURM, STYLE_FLUX, STYLE_MAUI, STYLE_FASRC, STYLE_TACC, STYLE_MOAB };

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
	enum fs_maui_dialect maui_dialect; /* --maui-dialect */
	unsigned styles;       /* bit per enum style that the command has; 0: slurm and maui */
	struct edits edits;    /* --if */
	bool records_later;    /* its usage records may be wanted: of a pipe they are kept */
	bool recorded;         /* wants what the scheduler printed too */
	bool without_jobs;     /* can do without jobs, unless shares follow from them */
	enum capture_need need; /* of a live capture, while no option asks for more */
};

/* Takes the value of --maui-dialect: 1, or -1 for a bad one (reported). */
int maui_dialect_option(const struct invocation *inv, const char *arg, enum fs_maui_dialect *out);

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

#endif
