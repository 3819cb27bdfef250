/* The options of fs-share. */
#include "share/share.h"

#include "render/emit.h"

#include <stdlib.h>
#include <string.h>

enum {
	OPT_ME = OPT_FIRST_FREE,
	OPT_YAML,
	OPT_SUBTREE,
	OPT_SORT,
	OPT_KIND,
	OPT_SPENT,
	OPT_GRANTS,
	OPT_BILL,
	OPT_RANGES,
	OPT_FORECAST,
	OPT_SOLVE,
	OPT_SVG
};

#define SET(member) OPTION_SETS(struct share_run, member)
#define SET_OF(member, values) OPTION_SETS_OF(struct share_run, member, values)
static const struct option_row option_rows[] = {
	HEADING("Rows"),
	{ 'a', "all", NULL, "all users, not only yourself", TAKEN },
	{ 'A', "accounts", "LIST", "only these accounts", TAKEN_OF(":accounts,") },
	{ 'u', "users", "LIST", "only these users, by name or id", TAKEN_OF(":users,") },
	{ 'U', "Users", NULL, "users only, no rows of accounts", SET(users_only) },
	{ OPT_ME, "me", NULL, "only your own rows, without accounts that are not yours", SET(me) },
	{ OPT_SUBTREE, "subtree", "ACCOUNT", "only this account and all below it", SET(subtree) },
	{ 'c', "concise", NULL, "only users with usage", SET(concise) },
	{ OPT_SORT, "sort", "COLUMNS", "sort by columns; - before one: falling", SET_OF(sort, ":sort_columns,") },
	{ OPT_KIND, "kind", "KIND", "Maui: only user, group, acct, qos or class", SET_OF(kind, "user group acct qos class") },
	{ 'M', "cluster", "LIST", "name the cluster above the table", TAKEN },
	{ 'M', "clusters", "LIST", NULL, TAKEN },
	HEADING("Columns"),
	{ 'l', "long", NULL, "more columns", SET(wide) },
	{ 'm', "partition", NULL, "with the partition of each association", SET(with_partition) },
	{ 'o', "format", "LIST", "these columns: NAME[%WIDTH],...; negative aligns left, 0 never cuts", TAKEN_OF(":columns,") },
	{ 'e', "helpformat", NULL, "list the columns", TAKEN },
	HEADING("Output"),
	{ 'h', NULL, NULL, "no heading", SET(no_header) },
	{ 'n', "noheader", NULL, "no heading", SET(no_header) },
	{ 'p', "parsable", NULL, "a | after every field", TAKEN },
	{ 'P', "parsable2", NULL, "a | between fields", TAKEN },
	{ OPT_RANGES, "ranges", NULL, "flux_range as a picture: the slice of 0 to 1 that each owns", SET(ranges) },
	{ OPT_SVG, "svg", "FILE", "--ranges, --history, or --forecast of one row, as an SVG picture in this file", SET(svg) },
	{ OPT_JSON, "json", "[SHAPE]", "JSON: fs-share/1, pretty (indented), or slurm: what sshare --json prints",
	  TAKEN_OF("fs-share/1 pretty slurm") },
	JSONL_OPTION(TAKEN),
	OPENMETRICS_OPTION(SET(metrics)),
	{ OPT_YAML, "yaml", "[SHAPE]", "YAML as sshare --yaml prints it", TAKEN },
	USAGE_OPTIONS_OF("recorded computed compare"),
	HEADING("Reports"),
	{ OPT_SPENT, "spent", "[ACCOUNT]", "who spent the usage of an account, job by job", TAKEN },
	{ OPT_GRANTS, "grants", "[ACCOUNT]", "what its raw shares are the sum of", TAKEN },
	{ OPT_BILL, "bill", "TRES", "what cpu=16,mem=64G,... would cost in each partition", TAKEN },
	{ OPT_FORECAST, "forecast", "[UNTIL]", "how factors and ranks will move, and when: +14d, a time", TAKEN },
	{ OPT_SOLVE, "solve", "QUESTION", "what it takes: 'shares factor=0.5', 'usage rank=9', 'time factor=0.5', job, hardware",
	  TAKEN_OF("shares usage time job hardware target") },
	HISTORY_OPTIONS("shares and factors", SET(history), SET(csv), SET(plot)),
	COMMON_OPTIONS,
	HEADING("Other"),
	{ 'v', "verbose", NULL, "say what was asked for", SET(verbose) },
	{ 'V', "version", NULL, "print the version", SET(version) },
	HELP_OPTION(OPT_HELP),
};

/* src/sshare/sshare.c:main. */
static const struct option_word sshare_rows[] = {
	{ 'a', "all", NULL },
	{ 'A', "accounts", "LIST" },
	{ 'e', "helpformat", NULL },
	{ 'h', NULL, NULL },
	{ 'l', "long", NULL },
	{ 'm', "partition", NULL },
	{ 'M', "cluster", "LIST" },
	{ 'M', "clusters", "LIST" },
	{ 'n', "noheader", NULL },
	{ 'o', "format", "LIST" },
	{ 'p', "parsable", NULL },
	{ 'P', "parsable2", NULL },
	{ 'u', "users", "LIST" },
	{ 'U', "Users", NULL },
	{ 'v', "verbose", NULL },
	{ 'V', "version", NULL },
	{ OPT_HELP, "help", NULL },
	{ OPT_USAGE, "usage", NULL },
	{ OPT_JSON, "json", "[SHAPE]" },
	{ OPT_YAML, "yaml", "[SHAPE]" },
};
static const struct option_table option_table = { "[OPTION]...",
						  "Shares, usage and fair-share factor of accounts and users.",
						  OPTIONS(option_rows), OPTIONS(sshare_rows) };

static void help_format(bool emulated)
{
	const struct column *c;

	for (size_t i = 0; (c = share_column_named(i, !emulated)); i++)
		emit(!share_column_named(i + 1, !emulated) ? "%-17s" : i % 4 == 3 ? "%-17s\n" : "%-17s ", c->name);
	putchar('\n');
}

/* Several -o make one list. */
static int join_format(struct share_run *r, const char *arg)
{
	const char *old = r->format_list ? r->format_list : "";
	const size_t n = strlen(old);
	char *s = malloc(n + strlen(arg) + 2);

	if (!s)
		return -1;
	strcpy(s, old);
	if (n)
		strcat(s, ",");
	strcat(s, arg);
	free(r->format_list);
	r->format_list = s;
	return 0;
}

int share_add_names(struct share_run *r, struct names *names, const char *arg, bool lower)
{
	if (!names_add(names, arg, lower))
		return 0;
	return no_memory(r->inv);
}

/* Under the name sshare the argument names a data_parser, and the shape is Slurm's. */
static int take_form(struct share_run *r, int id, const char *shape)
{
	if (r->inv->emulated || id == OPT_YAML)
		r->parser = shape;
	if (id == OPT_YAML)
		r->form = SLURM_YAML;
	else if (r->inv->emulated || (shape && !strcmp(shape, "slurm")))
		r->form = SLURM_JSON;
	else if (!shape || !strcmp(shape, "fs-share/1") || !strcmp(shape, "pretty")) {
		r->form = OWN_JSON;
		r->json = shape && *shape == 'p' ? JSON_PRETTY : JSON_AS_FITS;
	} else {
		complain(r->inv, "--json: no shape \"%s\"; there are fs-share/1, pretty and slurm", shape);
		return usage_status(r->inv);
	}
	return -1;
}

/* The document asked for last is printed, but metrics do not go with one. */
static int check_metrics(struct share_run *r)
{
	if (!r->metrics)
		return -1;
	if (r->form == TEXT) {
		r->form = METRICS;
		return -1;
	}
	complain(r->inv, "--openmetrics and --json, --jsonl or --yaml exclude each other");
	return usage_status(r->inv);
}

static int take_report(struct share_run *r, int id, const char *of)
{
	if (r->report != SHARES) {
		complain(r->inv, "--spent, --grants, --bill, --forecast and --solve exclude each other");
		return usage_status(r->inv);
	}
	r->report = id == OPT_SPENT    ? SPENT
		    : id == OPT_GRANTS ? GRANTS
		    : id == OPT_BILL   ? BILL
		    : id == OPT_SOLVE  ? SOLVE
				       : FORECAST;
	r->of = of;
	return -1;
}

/* What a report has no use for is refused, not ignored. -1, or the exit status. */
static int check_report(struct share_run *r)
{
	const bool compare = r->input.usage == USAGE_COMPARE;
	const char *wrong = NULL;

	if (r->report == SHARES && !compare)
		return -1;
	if ((r->report == FORECAST || r->report == SOLVE) && usage_wanted(&r->input))
		wrong = "starts at the snapshot's own time: it goes with neither --at nor --usage";
	else if (r->form != TEXT && (r->form != OWN_JSON || r->svg))
		wrong = r->form == OWN_JSON ? "is a picture or a document: --svg and --json exclude each other" : "is text, or --json";
	else if (r->layout != ALIGNED || r->format_list || r->wide || r->with_partition)
		wrong = "has columns of its own: without -l, -m, -o, -p and -P";
	else if (r->report == SHARES || r->report == FORECAST || r->report == SOLVE)
		return -1;
	else if (r->users.given || r->accounts.given || r->me || r->users_only || r->subtree || r->sort)
		wrong = "has rows of its own: without -A, -u, -U, --me, --subtree and --sort";
	else if (r->report == SPENT && r->input.usage_given && r->input.usage != USAGE_COMPUTED)
		wrong = "is of computed usage only";
	if (!wrong) {
		r->input.usage = r->report == SPENT ? USAGE_COMPUTED : r->input.usage;
		return -1;
	}
	complain(r->inv, "the report %s", wrong);
	return usage_status(r->inv);
}

static int take_option(void *run, const struct options *o, int id)
{
	struct share_run *r = run;

	switch (id) {
	case 'a':
		r->all = true;
		names_free(&r->users);
		break;
	case 'A':
		return share_add_names(r, &r->accounts, o->arg, true) ? EXIT_FAILED : -1;
	case 'u':
		r->all = !strcmp(o->arg, "-1");
		return !r->all && share_add_names(r, &r->users, o->arg, true) ? EXIT_FAILED : -1;
	case 'M':
		return share_add_names(r, &r->clusters, o->arg, false) ? EXIT_FAILED : -1;
	case 'o':
		return join_format(r, o->arg) ? no_memory(r->inv) : -1;
	case 'e':
		help_format(r->inv->emulated);
		return EXIT_DONE;
	case 'p':
		r->layout = PARSABLE;
		break;
	case 'P':
		r->layout = PARSABLE2;
		break;
	case OPT_JSON:
	case OPT_YAML:
		return take_form(r, id, o->arg);
	case OPT_JSONL:
		r->form = OWN_JSON;
		r->json = JSON_LINES;
		break;
	case OPT_SPENT:
	case OPT_GRANTS:
	case OPT_BILL:
	case OPT_FORECAST:
	case OPT_SOLVE:
		return take_report(r, id, o->arg);
	default:
		return usage_status(r->inv);
	}
	return -1;
}

static int show_version(struct share_run *r)
{
	int status;

	if (!r->inv->emulated) {
		emit("fs-share " FS_VERSION "\n");
		return EXIT_DONE;
	}
	status = input_open(r->inv, &r->input, &r->snapshot);
	if (!status)
		input_slurm_version(r->snapshot);
	return status;
}

int share_parse(struct share_run *r, int argc, char **argv)
{
	const struct option_target to = { .inv = r->inv, .run = r, .input = &r->input, .take = take_option };
	int next, status = options_parse(&to, &option_table, argc, argv, &next);

	if (!r->inv->emulated && next + 1 == argc && share_maui_kind(argv[next]))
		r->kind = r->kind_word = argv[next++]; /* diagnose -f user */
	if (status < 0 && !r->inv->emulated && next < argc)
		status = options_unexpected(r->inv, argv[next]);
	if (status < 0)
		status = check_metrics(r);
	if (status < 0)
		status = check_report(r);
	if (status < 0)
		status = share_history_check(r);
	return status < 0 && r->version ? show_version(r) : status;
}
