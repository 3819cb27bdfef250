/* fs-snap: the options, the table of verbs, and the verb `import`. */
#include "snap/snap.h"
#include "input/input.h"
#include "options/options.h"
#include "render/emit.h"

#include <string.h>

/* ---- fs-snap import: makes a snapshot from captured files */

typedef int import_read_fn(const struct invocation *inv, const struct snap_options *o, const char *path,
			   const struct capture_bounds *bounds, fs_snapshot **out);

static int import_slurm(const struct invocation *inv, const struct snap_options *o, const char *path,
			const struct capture_bounds *bounds, fs_snapshot **out)
{
	return capture_read_slurm(inv, path, bounds, o->exact_usage, out);
}

static int import_flux(const struct invocation *inv, const struct snap_options *o, const char *path,
		       const struct capture_bounds *bounds, fs_snapshot **out)
{
	(void)o;
	return capture_read_flux(inv, path, bounds, out);
}

static int import_text(const struct invocation *inv, const struct snap_options *o, const char *path,
		       const struct capture_bounds *bounds, fs_snapshot **out)
{
	(void)bounds;
	return capture_read_text(inv, path, o->at, NULL, out);
}

/* The importer that capture_read_folder uses for Maui. Returns 0 or an error code of fs_import_maui. */
static int import_maui_folder(fs_snapshot **out, const struct capture_folder *from, struct fs_error *err)
{
	const struct fs_maui_import_options o = { .includes_anywhere = from->outside,
						  .offsets = from->offsets,
						  .noffsets = from->noffsets,
						  .time = from->time };

	return fs_import_maui(out, from->source, &o, err);
}

/* The formats of fs-snap import, in the order in which they are listed. */
static const struct import_format {
	const char *name;
	const char *no_zone; /* text that explains why the option --tz does not apply; NULL: the option applies */
	import_read_fn *read; /* function that reads the format; NULL: see `folder` */
	/* importer for capture_read_folder, used if `read` is NULL. If both are NULL, capture_read_scheduler reads the
	 * folder */
	capture_import_fn *folder;
} import_formats[] = {
	{ "slurm", NULL, import_slurm, NULL },
	{ "flux", "Flux prints no local times", import_flux, NULL },
	{ "maui", NULL, NULL, import_maui_folder },
	{ "text", "times in pasted text are used as printed", import_text, NULL },
};
enum { IMPORT_FORMATS = sizeof(import_formats) / sizeof(*import_formats) };

/* Returns the format with this name. If there is none, prints an error message and returns NULL. */
static const struct import_format *find_import_format(const struct invocation *inv, const char *name)
{
	char known[200] = "";
	size_t n = 0;

	for (size_t i = 0; i < IMPORT_FORMATS; i++) {
		if (!strcmp(name, import_formats[i].name))
			return &import_formats[i];
		n += (size_t)snprintf(known + n, sizeof(known) - n, "%s%s", i ? ", " : "", import_formats[i].name);
	}
	cmd_print_message(inv, "import: unknown format '%s'; known: %s", name, known);
	return NULL;
}

static int read_import_format(const struct invocation *inv, const struct snap_options *o, const struct import_format *f,
			      const char *path, const struct capture_bounds *bounds, fs_snapshot **out)
{
	if (f->read)
		return f->read(inv, o, path, bounds, out);
	return f->folder ? capture_read_folder(inv, path, bounds, o->at, f->folder, out)
			 : capture_read_scheduler(inv, f->name, path, bounds, out);
}

/* Writes the imported snapshot, if all commands accept it. Returns the exit status; errors are reported. */
static int write_imported_snapshot(const struct invocation *inv, const fs_snapshot *s, const struct snap_options *o)
{
	struct fs_error err;

	return snap_try_commands(s, &err) ? cmd_report_error(inv, &err) : snap_write_output(inv, s, o);
}

/* Runs the verb `import`, which makes a snapshot from captured files. */
static int run_import_verb(const struct invocation *inv, const struct snap_options *o, int argc, char **argv)
{
	struct capture_bounds bounds = { .outside = o->outside, .zone = o->zone };
	const struct import_format *format;
	fs_snapshot *s = NULL;
	int status = snap_parse_limit(inv, o, capture_usual_limits.output, &bounds.file_max);

	if (status)
		return status;
	if (argc != 2) {
		cmd_print_message(
			inv, "import: expected a format and a path: import slurm|flux|maui DIR, import text FILE");
		return EXIT_USAGE;
	}
	format = find_import_format(inv, argv[0]);
	if (!format)
		return EXIT_USAGE;
	if (o->zone && format->no_zone) {
		cmd_print_message(inv, "import %s: --tz cannot be used: %s", format->name, format->no_zone);
		return EXIT_USAGE;
	}
	status = read_import_format(inv, o, format, argv[1], &bounds, &s);
	if (!status)
		status = write_imported_snapshot(inv, s, o);
	fs_snapshot_free(s);
	return status;
}

/* ---- options and verbs */

enum {
	OPT_EXACT = OPT_FIRST_FREE,
	OPT_RAW,
	OPT_TIMEOUT,
	OPT_LIMIT,
	OPT_RECORDS,
	OPT_OUTSIDE,
	OPT_INDEX,
	OPT_ZONE,
	OPT_MODE,
	OPT_KEY,
	OPT_ANONYMISE
};

#define VERB_HELP(text) { .id = OPT_TEXT, .help = text }
#define SETS_SNAP_OPTION(member) OPTION_SETS(struct snap_options, member)
static const struct option_row snap_option_rows[] = {
	OPTION_HEADING("Verbs"),
	VERB_HELP("  capture                      make a snapshot by running the scheduler's commands"),
	VERB_HELP("  import slurm DIR             make a snapshot from captured outputs of Slurm's commands"),
	VERB_HELP("  import flux DIR|TREE.json    make a snapshot from outputs of Flux's commands, or a tree of banks "
		  "and users"),
	VERB_HELP("  import maui DIR              make a snapshot from Maui's files and outputs: maui.cfg, windows, "
		  "traces, showq"),
	VERB_HELP("  import text FILE             make a snapshot from text pasted from a terminal, in any order"),
	VERB_HELP("  keep DIR [FILE]              add a capture or FILE to the history in DIR, and delete some older "
		  "snapshots"),
	VERB_HELP("  check FILE                   validate FILE; list missing data and broken references"),
	VERB_HELP("  index FILE                   write FILE.fsx, an index that makes reading FILE faster"),
	VERB_HELP("  verify FILE                  recompute the scheduler's numbers and compare them with the recorded "
		  "ones"),
	VERB_HELP("  anonymise FILE               write a copy with pseudonyms for names and unchanged numbers"),
	VERB_HELP("  ticket JOB [FILE] -o TAR     write a tar file with one job's snapshot and page, for somebody else "
		  "to open"),
	OPTION_HEADING("Options"),
	{ 'o', "output", "FILE", "write to FILE instead of standard output; after an error, FILE is unchanged",
	  SETS_SNAP_OPTION(output) },
	{ OPT_MODE, "mode", "OCTAL", "permissions of the output (default: 600)", OPTION_BY_COMMAND },
	{ OPT_RAW, "raw", "DIR", "capture: store the commands' outputs in this new or empty folder",
	  SETS_SNAP_OPTION(raw) },
	{ OPT_TIMEOUT, "timeout", "SECONDS", "capture: time limit of each command (default: 30)",
	  SETS_SNAP_OPTION(timeout) },
	{ OPT_LIMIT, "limit", "MIB", "maximum output of a command or size of an imported file (default: 1024)",
	  SETS_SNAP_OPTION(limit) },
	{ OPT_RECORDS, "records", "DAYS", "capture: include past jobs of this many days (sacct)",
	  SETS_SNAP_OPTION(records) },
	{ OPT_INDEX, "index", NULL, "capture: also write an index of the output", SETS_SNAP_OPTION(index) },
	{ OPT_EXACT, "exact-usage", "FILE", "import, capture: read usage with all digits from the lines id|usage of "
					    "FILE",
	  SETS_SNAP_OPTION(exact_usage) },
	{ OPT_AT, "at", "TIME", "import maui, text: time of the capture, if the files do not contain it",
	  SETS_SNAP_OPTION(at) },
	{ OPT_ZONE, "tz", "ZONE", "import slurm, maui: time zone of the files, such as Europe/Berlin",
	  SETS_SNAP_OPTION(zone) },
	{ OPT_OUTSIDE, "outside", NULL, "import: allow links and includes of maui.cfg to files outside DIR",
	  SETS_SNAP_OPTION(outside) },
	{ OPT_KEY, "key", "FILE", "anonymise, ticket: read the key; with the same key, a name has the same pseudonym",
	  SETS_SNAP_OPTION(key) },
	{ OPT_ANONYMISE, "anonymise", NULL, "ticket: use pseudonyms, as the verb anonymise does",
	  SETS_SNAP_OPTION(anonymise) },
	{ OPT_JSON,
	  "json",
	  "[SHAPE]",
	  "check, verify: print JSON, schemas fs-check/1, fs-verify/1; SHAPE pretty: indented",
	  { OPTION_JSON, 0, false },
	  "pretty" },
	VERSION_OPTION(OPT_VERSION),
	HELP_OPTION(OPT_HELP),
};
static const struct option_table snap_option_table = {
	.synopsis = "VERB [ARGUMENT]... [OPTION]...",
	.about = "Make and check the snapshots that the other commands read.",
	OPTION_ROWS(snap_option_rows)
};

static const struct {
	const char *name;
	int (*run)(const struct invocation *inv, const struct snap_options *o, int argc, char **argv);
} verbs[] = {
	{ "import", run_import_verb }, { "check", snap_run_check },   { "capture", snap_run_capture },
	{ "keep", snap_run_keep },     { "verify", snap_run_verify }, { "anonymise", snap_run_anonymise },
	{ "index", snap_run_index },   { "ticket", snap_run_ticket },
};

static int run_named_verb(const struct invocation *inv, const struct snap_options *o, int argc, char **argv)
{
	if (!argc) {
		cmd_print_message(inv, "the verb is missing; see %s --help", inv->name);
		return EXIT_USAGE;
	}
	if (o->json && strcmp(argv[0], "check") != 0 && strcmp(argv[0], "verify") != 0) {
		cmd_print_message(inv, "--json requires the verb check or verify");
		return EXIT_USAGE;
	}
	for (size_t i = 0; i < sizeof(verbs) / sizeof(*verbs); i++)
		if (!strcmp(argv[0], verbs[i].name))
			return verbs[i].run(inv, o, argc - 1, argv + 1);
	cmd_print_message(inv, "unknown verb '%s'; see %s --help", argv[0], inv->name);
	return EXIT_USAGE;
}

static int parse_mode_option(struct snap_options *so, const struct invocation *inv, const char *arg)
{
	char rest;

	if (sscanf(arg, "%4o%c", &so->mode, &rest) == 1 && so->mode && so->mode <= 0666 && !(so->mode & 0111))
		return -1;
	cmd_print_message(inv, "--mode: expected permissions such as 640 or 644, got \"%s\"", arg);
	return EXIT_USAGE;
}

static int apply_snap_option(void *run, const struct options *o, int id)
{
	struct snap_options *so = run;

	(void)id;
	return parse_mode_option(so, o->inv, o->arg);
}

static int run_snap_command(const struct invocation *inv, int argc, char **argv)
{
	struct snap_options so = { .output = NULL };
	const struct option_target to = { .inv = inv, .run = &so, .json = &so.json, .take = apply_snap_option };
	int next, status = options_parse_command_line(&to, &snap_option_table, argc, argv, &next);

	return status < 0 ? run_named_verb(inv, &so, argc - next, argv + next) : status;
}

const struct command snap_command = { "fs-snap", NULL, "makes and checks snapshots", "", false, run_snap_command };
