/* fs-snap: makes, checks and verifies snapshots. */
#include "snap/snap.h"

#include "input/input.h"
#include "options/options.h"
#include "render/emit.h"

#include <string.h>

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
	OPT_ANONYMISE,
	OPT_SMALL,
	OPT_VERSION
};

static const struct option_row option_rows[] = {
	{ 0, NULL, NULL, "Verbs" },
	{ OPT_TEXT, NULL, NULL, "  capture                      make a snapshot by running the scheduler's commands" },
	{ OPT_TEXT, NULL, NULL, "  import slurm DIR             make a snapshot of captured command outputs" },
	{ OPT_TEXT, NULL, NULL, "  import flux DIR|TREE.json    the same of Flux's, or of a tree of banks and users" },
	{ OPT_TEXT, NULL, NULL, "  import maui DIR              the same of a Maui: maui.cfg, windows, traces, showq" },
	{ OPT_TEXT, NULL, NULL, "  keep DIR [FILE]              capture, or take FILE, into a history: all of today, hourly, daily" },
	{ OPT_TEXT, NULL, NULL, "  import text FILE             the same of what somebody pasted from a terminal, in any order" },
	{ OPT_TEXT, NULL, NULL, "  check FILE                   is it valid; what leads nowhere" },
	{ OPT_TEXT, NULL, NULL, "  index FILE                   write FILE.fsx, by which all commands read FILE faster" },
	{ OPT_TEXT, NULL, NULL, "  verify FILE                  compute again what the scheduler printed, and compare" },
	{ OPT_TEXT, NULL, NULL, "  anonymise FILE               the same numbers under other names" },
	{ OPT_TEXT, NULL, NULL, "  ticket JOB [FILE] -o TAR     the state and the page of one job, for somebody else to open" },
	{ 0, NULL, NULL, "Options" },
	{ 'o', "output", "FILE", "write there, whole or not at all, instead of standard output" },
	{ OPT_MODE, "mode", "OCTAL", "permissions of the output (600)" },
	{ OPT_RAW, "raw", "DIR", "capture: keep the commands' outputs in this new folder" },
	{ OPT_TIMEOUT, "timeout", "SECONDS", "capture: how long a command may take (30)" },
	{ OPT_LIMIT, "limit", "MIB", "how much a command may print, a file of a folder hold (1024)" },
	{ OPT_RECORDS, "records", "DAYS", "capture: past jobs, too, of so many days (sacct)" },
	{ OPT_INDEX, "index", NULL, "capture: and an index of the output" },
	{ OPT_EXACT, "exact-usage", "FILE", "import, capture: lines id|usage with all digits" },
	{ OPT_AT, "at", "TIME", "import maui, text: when it was captured, if the files do not tell" },
	{ OPT_ZONE, "tz", "ZONE", "import slurm, maui: whose local times the files have, as Europe/Berlin" },
	{ OPT_MAUI_DIALECT, "maui-dialect", "NAME", "import maui: windows in the form of the code or the manual" },
	{ OPT_OUTSIDE, "outside", NULL, "import: links, and what maui.cfg includes, may lead out of DIR" },
	{ OPT_KEY, "key", "FILE", "anonymise, ticket: with the same key a name gets the same pseudonym" },
	{ OPT_ANONYMISE, "anonymise", NULL, "ticket: under other names, as the verb does it" },
	{ OPT_SMALL, "small", NULL, "ticket: with no more of the snapshot than the page needs" },
	{ OPT_JSON, "json", "[SHAPE]", "check, verify: JSON, schemas fs-check/1, fs-verify/1; SHAPE pretty: indented" },
	{ OPT_VERSION, "version", NULL, "print the version" },
	{ OPT_HELP, "help", NULL, "print this text" },
};
static const struct option_table option_table = OPTION_TABLE(option_rows);

static const struct {
	const char *name;
	int (*run)(const struct invocation *inv, const struct snap_options *o, int argc,
		   char **argv);
} verbs[] = {
	{ "import", snap_import },
	{ "check", snap_check },
	{ "capture", snap_capture },
	{ "keep", snap_keep },
	{ "verify", snap_verify },
	{ "anonymise", snap_anonymise },
	{ "index", snap_index },
	{ "ticket", snap_ticket },
};

static int run_verb(const struct invocation *inv, const struct snap_options *o, int argc,
		    char **argv)
{
	if (!argc) {
		complain(inv, "no verb given; see %s --help", inv->name);
		return EXIT_USAGE;
	}
	if (o->json && strcmp(argv[0], "check") != 0 && strcmp(argv[0], "verify") != 0) {
		complain(inv, "--json is of check and verify");
		return EXIT_USAGE;
	}
	for (size_t i = 0; i < sizeof(verbs) / sizeof(*verbs); i++)
		if (!strcmp(argv[0], verbs[i].name))
			return verbs[i].run(inv, o, argc - 1, argv + 1);
	complain(inv, "no verb \"%s\"; see %s --help", argv[0], inv->name);
	return EXIT_USAGE;
}

struct taking {
	const struct invocation *inv;
	struct snap_options so;
};

static int take_mode(struct taking *t, const char *arg)
{
	char rest;

	if (sscanf(arg, "%4o%c", &t->so.mode, &rest) == 1 && t->so.mode && t->so.mode <= 0666 && !(t->so.mode & 0111))
		return -1;
	complain(t->inv, "--mode: expected permissions such as 640 or 644, got \"%s\"", arg);
	return EXIT_USAGE;
}

static const struct option_member members[] = {
	OPTION_SETS(struct snap_options, 'o', output),
	OPTION_SETS(struct snap_options, OPT_EXACT, exact_usage),
	OPTION_SETS(struct snap_options, OPT_RAW, raw),
	OPTION_SETS(struct snap_options, OPT_TIMEOUT, timeout),
	OPTION_SETS(struct snap_options, OPT_RECORDS, records),
	OPTION_SETS(struct snap_options, OPT_LIMIT, limit),
	OPTION_SETS(struct snap_options, OPT_AT, at),
	OPTION_SETS(struct snap_options, OPT_ZONE, zone),
	OPTION_SETS(struct snap_options, OPT_OUTSIDE, outside),
	OPTION_SETS(struct snap_options, OPT_INDEX, index),
	OPTION_SETS(struct snap_options, OPT_KEY, key),
	OPTION_SETS(struct snap_options, OPT_ANONYMISE, anonymise),
	OPTION_SETS(struct snap_options, OPT_SMALL, small),
};

static int take_option(void *ctx, const struct options *o, int id)
{
	struct taking *t = ctx;

	if (options_set(members, sizeof(members) / sizeof(*members), &t->so, id, o->arg))
		return -1;
	switch (id) {
	case OPT_MAUI_DIALECT:
		return maui_dialect_option(t->inv, o->arg, &t->so.maui_dialect) < 0 ? EXIT_USAGE
										    : -1;
	case OPT_JSON:
		return json_option(t->inv, o->arg, &t->so.json);
	case OPT_MODE:
		return take_mode(t, o->arg);
	case OPT_VERSION:
		emit("fs-snap " FS_VERSION "\n");
		return EXIT_DONE;
	case OPT_HELP:
		options_help(o, "VERB [ARGUMENT]... [OPTION]...",
			     "Makes and checks the snapshots that the other commands read.");
		return EXIT_DONE;
	default:
		return EXIT_USAGE;
	}
}

static int run(const struct invocation *inv, int argc, char **argv)
{
	struct taking t = { .inv = inv };
	int next,
		status = options_parse(inv, &option_table, argc, argv, take_option, &t, &next);

	return status < 0 ? run_verb(inv, &t.so, argc - next, argv + next) : status;
}

const struct command snap_command = { "fs-snap", NULL, "makes and checks snapshots", "", false, run };
