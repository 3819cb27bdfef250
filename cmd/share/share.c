#include "share/share.h"

#include "dialect/dialect.h"
#include "page/page.h"
#include "render/emit.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- the options of fs-share and sshare */

enum {
	OPT_ME = OPT_FIRST_FREE,
	OPT_YAML,
	OPT_SUBTREE,
	OPT_ACTIVE,
	OPT_BANK_INFO,
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
static const struct option_row share_option_rows[] = {
	OPTION_HEADING("Rows"),
	{ 'a', "all", NULL, "show all users, not only yourself", OPTION_BY_COMMAND },
	{ 'A', "accounts", "LIST", "only these accounts", OPTION_BY_COMMAND_WITH_VALUES(":accounts,") },
	{ 'u', "users", "LIST", "only these users, by name or id", OPTION_BY_COMMAND_WITH_VALUES(":users,") },
	{ 'U', "Users", NULL, "show only users, no rows of accounts", SET(users_only) },
	{ OPT_ME, "me", NULL, "only your own rows and the accounts above them", SET(me) },
	{ OPT_SUBTREE, "subtree", "ACCOUNT", "only this account and everything below it", SET(subtree) },
	{ 'c', "concise", NULL, "only users with usage (--style=flux)", SET(concise) },
	{ OPT_ACTIVE, "active", NULL, "only active users (--style=flux)", SET(active_only) },
	{ OPT_SORT, "sort", "COLUMNS", "sort by columns; -COLUMN: descending", SET_OF(sort, ":sort_columns,") },
	{ OPT_KIND, "kind", "KIND", "Maui: only user, group, acct, qos or class",
	  SET_OF(kind, "user group acct qos class") },
	{ 'M', "cluster", "LIST", "these clusters, each with its name above the table; all: every cluster",
	  INPUT_SETS(clusters) },
	{ 'M', "clusters", "LIST", NULL, INPUT_SETS(clusters) },
	OPTION_HEADING("Columns"),
	{ 'l', "long", NULL, "show more columns", SET(wide) },
	{ 'm', "partition", NULL, "add the partition of each association", SET(with_partition) },
	{ 'o', "format", "LIST", "columns: NAME[%WIDTH],...; WIDTH < 0: align left, 0: never cut",
	  OPTION_BY_COMMAND_WITH_VALUES(":columns,") },
	{ 'e', "helpformat", NULL, "list the columns", OPTION_BY_COMMAND },
	OPTION_HEADING("Output"),
	{ 'h', NULL, NULL, "no heading", SET(no_header) },
	{ 'n', "noheader", NULL, "no heading", SET(no_header) },
	{ 'p', "parsable", NULL, "print a | after every field", OPTION_BY_COMMAND },
	{ 'P', "parsable2", NULL, "print a | between fields", OPTION_BY_COMMAND },
	{ OPT_BANK_INFO, "bank-info", NULL, "print the tree of flux account bank-info; -v: with usage", SET(bank_info) },
	{ OPT_RANGES, "ranges", NULL, "draw the flux_range of each account and user", SET(ranges) },
	{ OPT_SVG, "svg", "FILE", "draw --ranges, --history or the --forecast of one row as an SVG picture in this file",
	  SET(svg) },
	{ OPT_JSON, "json", "[SHAPE]", "print JSON; SHAPE: fs-share/1, pretty (indented) or slurm (as sshare --json)",
	  OPTION_BY_COMMAND_WITH_VALUES("fs-share/1 pretty slurm") },
	JSONL_OPTION(OPTION_BY_COMMAND),
	OPENMETRICS_OPTION(SET(metrics)),
	{ OPT_YAML, "yaml", "[SHAPE]", "print YAML, as sshare --yaml does", OPTION_BY_COMMAND },
	USAGE_OPTIONS_OF("source of usage: recorded, computed from job records, or compare", "recorded computed compare"),
	OPTION_HEADING("Reports"),
	{ OPT_SPENT, "spent", "[ACCOUNT]", "show the usage of an account by user and job", OPTION_BY_COMMAND },
	{ OPT_GRANTS, "grants", "[ACCOUNT]", "show the grants that add up to an account's shares", OPTION_BY_COMMAND },
	{ OPT_BILL, "bill", "TRES", "show the cost of TRES (cpu=16,mem=64G) by partition", OPTION_BY_COMMAND },
	{ OPT_FORECAST, "forecast", "[UNTIL]", "forecast factors and ranks until a time such as +14d",
	  OPTION_BY_COMMAND },
	{ OPT_SOLVE, "solve", "QUESTION",
	  "compute what a goal requires: 'shares factor=0.5', 'usage rank=9', 'time factor=0.5', job, hardware",
	  OPTION_BY_COMMAND_WITH_VALUES("shares usage time job hardware") },
	HISTORY_OPTIONS("shares and factors", SET(history), SET(csv), SET(plot)),
	COMMON_OPTIONS,
	OPTION_HEADING("Other"),
	{ 'v', "verbose", NULL, "print the requested users and accounts first", SET(verbose) },
	{ 'V', "version", NULL, "print the version", SET(version) },
	HELP_OPTION(OPT_HELP),
};

/* The options of sshare (src/sshare/sshare.c:main). */
static const struct emulated_option sshare_option_rows[] = {
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
static const struct option_table share_options = { "[OPTION]...",
						   "Show shares, usage and fair-share factors of accounts and users.",
						   OPTION_ROWS(share_option_rows), OPTION_ROWS(sshare_option_rows),
						   NULL };

static void print_column_names(bool emulated)
{
	const struct column *c;

	for (size_t i = 0; (c = share_get_named_column(i, !emulated)); i++)
		emit(!share_get_named_column(i + 1, !emulated) ? "%-17s" : i % 4 == 3 ? "%-17s\n" : "%-17s ", c->name);
	putchar('\n');
}

/* Appends the list of columns of an -o option to r->format_list. Returns -1 if out of memory. */
static int append_format_list(struct share_run *r, const char *arg)
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

/* Appends the names in `arg`, separated by commas, to a list of the request. Returns 0, or EXIT_FAILED after an error
 * message if out of memory. */
static int append_requested_names(struct share_run *r, struct names *names, const char *arg, bool lower)
{
	if (!names_add_comma_list(names, arg, lower))
		return 0;
	return cmd_report_no_memory(r->inv);
}

/* Handles --json and --yaml. For the emulated sshare, and for --yaml, the argument is the name of a data_parser.
 * Returns -1 to continue, or the exit status after an error message. */
static int handle_json_option(struct share_run *r, int id, const char *shape)
{
	if (r->inv->emulated || id == OPT_YAML)
		r->parser = shape;
	if (id == OPT_YAML)
		r->output_form = OUTPUT_SLURM_YAML;
	else if (r->inv->emulated || (shape && !strcmp(shape, "slurm")))
		r->output_form = OUTPUT_SLURM_JSON;
	else if (!shape || !strcmp(shape, "fs-share/1") || !strcmp(shape, "pretty")) {
		r->output_form = OUTPUT_OWN_JSON;
		r->json = shape && *shape == 'p' ? JSON_PRETTY : JSON_AS_FITS;
	} else {
		cmd_print_message(r->inv, "--json: unknown shape \"%s\"; known: fs-share/1, pretty, slurm", shape);
		return cmd_get_usage_status(r->inv);
	}
	return -1;
}

/* Handles --openmetrics, which cannot be combined with --json, --jsonl and --yaml. Returns -1 to continue, or the exit
 * status after an error message. */
static int check_metrics_option(struct share_run *r)
{
	if (!r->metrics)
		return -1;
	if (r->output_form == OUTPUT_TEXT) {
		r->output_form = OUTPUT_METRICS;
		return -1;
	}
	cmd_print_message(r->inv, "--openmetrics cannot be combined with --json, --jsonl or --yaml");
	return cmd_get_usage_status(r->inv);
}

static int handle_report_option(struct share_run *r, int id, const char *of)
{
	if (r->report_kind != REPORT_NONE) {
		cmd_print_message(r->inv, "only one of --spent, --grants, --bill, --forecast and --solve can be given");
		return cmd_get_usage_status(r->inv);
	}
	r->report_kind = id == OPT_SPENT    ? REPORT_SPENT
		    : id == OPT_GRANTS ? REPORT_GRANTS
		    : id == OPT_BILL   ? REPORT_BILL
		    : id == OPT_SOLVE  ? REPORT_SOLVE
				       : REPORT_FORECAST;
	r->report_argument = of;
	return -1;
}

/* Returns the option that requests the report of kind r->report_kind. REPORT_NONE is the report of --usage=compare. */
static const char *get_report_option(const struct share_run *r)
{
	static const char *const options[] = {
		[REPORT_NONE] = "--usage=compare", [REPORT_SPENT] = "--spent",	     [REPORT_GRANTS] = "--grants",
		[REPORT_BILL] = "--bill",	   [REPORT_FORECAST] = "--forecast", [REPORT_SOLVE] = "--solve",
	};

	return options[r->report_kind];
}

/* Rejects options that the requested report does not support. Returns -1 to continue, or the exit status after an error
 * message. */
static int check_report_options(struct share_run *r)
{
	const bool compare = r->input.usage == USAGE_COMPARE;
	const char *wrong = NULL;

	if (r->report_kind == REPORT_NONE && !compare)
		return -1;
	if ((r->report_kind == REPORT_FORECAST || r->report_kind == REPORT_SOLVE) &&
	    usage_is_computation_requested(&r->input))
		wrong = "cannot be combined with --usage, --at, --decay or --decay-runs";
	else if (r->output_form != OUTPUT_TEXT && (r->output_form != OUTPUT_OWN_JSON || r->svg))
		wrong = r->output_form == OUTPUT_OWN_JSON
				? "cannot be combined with both --svg and --json"
				: "cannot be combined with --openmetrics, --yaml or --json=slurm";
	else if (r->layout != LAYOUT_ALIGNED || r->format_list || r->wide || r->with_partition)
		wrong = "cannot be combined with -l, -m, -o, -p or -P";
	else if (r->report_kind == REPORT_NONE || r->report_kind == REPORT_FORECAST || r->report_kind == REPORT_SOLVE)
		return -1;
	else if (r->users.given || r->accounts.given || r->me || r->users_only || r->subtree || r->sort)
		wrong = "cannot be combined with -A, -u, -U, --me, --subtree or --sort";
	else if (r->report_kind == REPORT_SPENT && r->input.usage_given && r->input.usage != USAGE_COMPUTED)
		wrong = "supports only --usage=computed";
	if (!wrong) {
		r->input.usage = r->report_kind == REPORT_SPENT ? USAGE_COMPUTED : r->input.usage;
		return -1;
	}
	cmd_print_message(r->inv, "%s %s", get_report_option(r), wrong);
	return cmd_get_usage_status(r->inv);
}

static int handle_share_option(void *run, const struct options *o, int id)
{
	struct share_run *r = run;

	switch (id) {
	case 'a':
		r->all = true;
		names_free_all(&r->users);
		break;
	case 'A':
		return append_requested_names(r, &r->accounts, o->arg, true) ? EXIT_FAILED : -1;
	case 'u':
		r->all = !strcmp(o->arg, "-1");
		return !r->all && append_requested_names(r, &r->users, o->arg, true) ? EXIT_FAILED : -1;
	case 'o':
		return append_format_list(r, o->arg) ? cmd_report_no_memory(r->inv) : -1;
	case 'e':
		print_column_names(r->inv->emulated);
		return EXIT_DONE;
	case 'p':
		r->layout = LAYOUT_PARSABLE;
		break;
	case 'P':
		r->layout = LAYOUT_PARSABLE2;
		break;
	case OPT_JSON:
	case OPT_YAML:
		return handle_json_option(r, id, o->arg);
	case OPT_JSONL:
		r->output_form = OUTPUT_OWN_JSON;
		r->json = JSON_LINES;
		break;
	case OPT_SPENT:
	case OPT_GRANTS:
	case OPT_BILL:
	case OPT_FORECAST:
	case OPT_SOLVE:
		return handle_report_option(r, id, o->arg);
	default:
		return cmd_get_usage_status(r->inv);
	}
	return -1;
}

static int show_share_version(struct share_run *r)
{
	int status;

	if (!r->inv->emulated) {
		emit("fs-share " FS_VERSION "\n");
		return EXIT_DONE;
	}
	status = clusters_open_snapshot(r->inv, &r->input, &r->snapshot);
	if (!status)
		input_slurm_version(r->snapshot);
	return status;
}

/* Parses the command line. Returns -1 to continue, or the exit status after printing help, the version or an error
 * message. */
static int parse_share_command_line(struct share_run *r, int argc, char **argv)
{
	const struct option_target to = { .inv = r->inv, .run = r, .input = &r->input, .take = handle_share_option };
	int next, status = options_parse_command_line(&to, &share_options, argc, argv, &next);

	if (!r->inv->emulated && next + 1 == argc && share_is_credential_kind(argv[next]))
		/* `fs-share user` means --kind=user, like `diagnose -f user` */
		r->kind = r->kind_argument = argv[next++];
	if (status < 0 && !r->inv->emulated && next < argc)
		status = options_report_unexpected_argument(r->inv, argv[next]);
	if (status < 0)
		status = check_metrics_option(r);
	if (status < 0)
		status = check_report_options(r);
	if (status < 0)
		status = share_check_history_options(r);
	return status < 0 && r->version ? show_share_version(r) : status;
}

/* ---- the steps of one call of fs-share */

/* Replaces numeric user ids in r->users by user names. If the options request neither named users nor all users, the
 * list then contains only the viewer. Returns 0, or the exit status after an error message. */
static int resolve_share_users(struct share_run *r)
{
	struct names named = { 0 };
	const bool given = r->users.n;
	int status = 0;

	for (size_t i = 0; i < r->users.n && !status; i++) {
		const char *word = r->users.v[i], *name = word;
		char *end;
		const unsigned long uid = strtoul(word, &end, 10);

		if (isdigit((unsigned char)*word) && !*end) {
			name = fs_snapshot_user_name(r->snapshot, (uint32_t)uid);
			if (!name && r->inv->emulated) {
				cmd_print_message(r->inv, "invalid user id \"%s\"", word);
				status = EXIT_FAILED;
				break;
			}
			/* an unknown user id is used as a user name */
			name = name ? name : word;
		}
		status = append_requested_names(r, &named, name, false);
	}
	if (!status && !r->all && !named.n)
		status = append_requested_names(r, &named, input_get_viewer_name(&r->input), false);
	names_free_all(&r->users);
	r->users = named;
	r->users.given = given;
	return status;
}

static int choose_share_columns(struct share_run *r)
{
	const char *list = r->format_list
				   ? r->format_list
				   : share_get_default_format(r->snapshot, r->shares, r->wide, r->with_partition);
	char bad[64];
	const int rc = share_format_add_columns(&r->format, list[strspn(list, ",")] ? list : "Account",
						!r->inv->emulated, bad, sizeof(bad));

	if (rc < 0)
		cmd_print_message(r->inv, "out of memory");
	if (rc > 0)
		cmd_print_message(r->inv,
				  r->inv->emulated ? "Invalid field requested: \"%s\""
						   : "unknown column \"%s\"; see fs-share -e",
				  bad);
	return rc > 0 ? cmd_get_usage_status(r->inv) : rc ? EXIT_FAILED : 0;
}

static void print_share_request(const struct share_run *r)
{
	emit_to_stream(stderr, "Users requested:\n");
	if (r->all)
		emit_to_stream(stderr, "\t: all\n");
	for (size_t i = 0; i < r->users.n; i++)
		emit_to_stream(stderr, "\t: %s\n", r->users.v[i]);
	emit_to_stream(stderr, "Accounts requested:\n");
	if (!r->accounts.n)
		emit_to_stream(stderr, "\t: all\n");
	for (size_t i = 0; i < r->accounts.n; i++)
		emit_to_stream(stderr, "\t: %s\n", r->accounts.v[i]);
}

/* Returns true if the output shows all users of the tree. Only the text output of --ranges and of the style flux shows
 * all users, and only if the options request no users. */
static bool is_whole_tree_shown(const struct share_run *r)
{
	return r->output_form == OUTPUT_TEXT && (r->ranges || r->input.style == STYLE_FLUX) && !r->users.given;
}

/* Returns true if the user has a row that the viewer may see. If `user` is NULL, returns true if the account has such a
 * row. */
static bool has_visible_shares(const struct share_run *r, const char *user, const char *account)
{
	for (size_t i = 0; i < fs_shares_count(r->shares); i++) {
		const struct fs_share_row *row = fs_shares_row(r->shares, i);

		if (row->visible && !strcmp(user ? row->user : row->account, user ? user : account))
			return true;
	}
	return false;
}

/* Reports requested users and accounts that have no visible shares, and returns their number. The emulated sshare does
 * not report such names. If no users were requested, the viewer is not reported. */
static size_t report_names_without_shares(const struct share_run *r)
{
	size_t n = 0;

	if (r->inv->emulated)
		return 0;
	for (size_t i = 0; r->users.given && i < r->users.n; i++)
		if (!has_visible_shares(r, r->users.v[i], NULL)) {
			cmd_print_message(r->inv, "cannot find shares of user \"%s\"", r->users.v[i]);
			n++;
		}
	for (size_t i = 0; i < r->accounts.n; i++)
		if (!has_visible_shares(r, NULL, r->accounts.v[i])) {
			cmd_print_message(r->inv, "cannot find shares of account \"%s\"", r->accounts.v[i]);
			n++;
		}
	return n;
}

static bool is_account_hidden(const struct share_run *r, const char *account)
{
	return fs_snapshot_has_account(r->snapshot, NULL, account) &&
	       !fs_snapshot_has_account(r->snapshot, input_get_viewer_name(&r->input), account);
}

/* Selects the requested rows and sorts them. The emulated sshare ignores -U with --json and --yaml. Returns 0, or the
 * exit status after an error message. */
static int choose_share_rows(struct share_run *r)
{
	const struct share_filter f = {
		.accounts = &r->accounts,
		.users = &r->users,
		.me = r->me ? input_get_viewer_name(&r->input) : NULL,
		.subtree = r->subtree,
		.all = r->all || r->me,
		.users_only = r->users_only && !(r->inv->emulated && r->output_form != OUTPUT_TEXT),
	};
	char bad[64];
	int rc = share_rows_select(&r->rows, r->shares, &f);

	if (rc > 0 || (r->subtree && is_account_hidden(r, r->subtree))) {
		cmd_print_message(r->inv, "--subtree: no account \"%s\" in the snapshot", r->subtree);
		return r->inv->emulated ? EXIT_FAILED : EXIT_NOTHING;
	}
	rc = rc || !r->sort ? rc : share_rows_sort(&r->rows, r->sort, bad, sizeof(bad));
	if (rc > 0)
		cmd_print_message(r->inv, "--sort: unknown column \"%s\"; see fs-share -e", bad);
	else if (rc)
		cmd_print_message(r->inv, "out of memory");
	return rc > 0 ? cmd_get_usage_status(r->inv) : rc ? EXIT_FAILED : 0;
}

/* Returns true if the options require a share tree, which Maui does not have. */
static bool needs_share_tree(const struct share_run *r)
{
	return r->ranges || (r->input.algorithm && !fs_algorithm_of_credentials(r->input.algorithm));
}

/* Returns the layout of the output: the layout of --style; without --style, Slurm's layout for the emulated sshare,
 * otherwise the default layout of the snapshot's scheduler. */
static enum style get_share_style(const struct share_run *r)
{
	const enum style own = find_scheduler_dialect(r->snapshot)->default_share_style;

	if (r->input.style != STYLE_OF_SCHEDULER)
		return r->input.style;
	return r->inv->emulated || own == STYLE_OF_SCHEDULER ? STYLE_SLURM : own;
}

/* Returns true if the output is the page of Maui's `diagnose -f`, which exists only as text. If --style is not given,
 * an option that only sshare's table supports, such as -o, makes that table the output instead. */
static bool is_windows_page_requested(const struct share_run *r)
{
	const bool columns = r->format_list || r->wide || r->with_partition ||
			     r->layout != LAYOUT_ALIGNED || r->all || r->me || r->users_only ||
			     r->users.given || r->accounts.given || r->subtree || r->output_form != OUTPUT_TEXT;

	if (r->input.style == STYLE_OF_SCHEDULER && (columns || needs_share_tree(r)))
		return false;
	return get_share_style(r) == STYLE_MAUI && r->output_form == OUTPUT_TEXT;
}

/* Loads the usage that the shares are computed from, and stores it in r->usage and *for_shares. With --usage=compare,
 * the shares are computed from the recorded usage at the requested time, and r->computed_usage gets the computed usage.
 * Returns 0 or an exit status. */
static int load_usage_for_shares(struct share_run *r, const fs_usage **for_shares)
{
	const bool compare = r->input.usage == USAGE_COMPARE;
	struct input in = r->input;
	int status = 0;

	in.usage = compare ? USAGE_RECORDED : in.usage;
	if (usage_is_computation_requested(&in))
		status = usage_load_with_options(r->inv, &in, r->snapshot, NULL, NULL, &r->usage);
	*for_shares = r->usage;
	in.usage = USAGE_COMPUTED;
	if (!status && compare)
		status = usage_load_with_options(r->inv, &in, r->snapshot, NULL, NULL, &r->computed_usage);
	return status;
}

/* Returns true if the jobs of the snapshot must be read. The names of some numeric user ids are only in jobs. Reports,
 * JSON, YAML, metrics, --algorithm and usage at another time need the jobs too, because their results include the usage
 * of running jobs. */
static bool needs_snapshot_jobs(const struct share_run *r)
{
	for (size_t i = 0; i < r->users.n; i++)
		if (isdigit((unsigned char)*r->users.v[i]))
			return true;
	return r->report_kind != REPORT_NONE || r->output_form != OUTPUT_TEXT ||
	       usage_is_computation_requested(&r->input) || r->input.algorithm;
}

/* Returns the kind of data that a capture of the running scheduler must contain. */
static enum capture_need get_share_capture_need(const struct share_run *r)
{
	const bool plain = r->input.style == STYLE_OF_SCHEDULER || r->input.style == STYLE_SLURM;

	if (needs_snapshot_jobs(r))
		return CAPTURE_ALL;
	return plain && !r->ranges && !r->svg ? CAPTURE_SHARES : CAPTURE_NO_JOBS;
}

/* Rejects options that the page of `diagnose -f` does not support. Returns -1 to continue, or the exit status after an
 * error message. */
static int check_windows_page_options(const struct share_run *r)
{
	if (!is_windows_page_requested(r))
		return -1;
	if (needs_share_tree(r))
		cmd_print_message(r->inv,
				  "--style=maui cannot be combined with --ranges or an --algorithm other than maui");
	else if (r->format_list || r->wide || r->with_partition || r->layout != LAYOUT_ALIGNED)
		cmd_print_message(r->inv, "--style=maui cannot be combined with -l, -m, -o, -p or -P");
	else
		return -1;
	return cmd_get_usage_status(r->inv);
}

/* Computes usage and shares, and selects the columns and rows. Returns 0, or the exit status after an error message. */
static int compute_and_choose_rows(struct share_run *r)
{
	struct fs_view o = input_get_view(&r->input);
	struct fs_error err;
	int status = load_usage_for_shares(r, &o.usage);

	if (status)
		return status;
	if (r->svg && !r->ranges && r->report_kind != REPORT_FORECAST) {
		cmd_print_message(r->inv, "--svg requires --ranges, --forecast or --history");
		return EXIT_USAGE;
	}
	if (r->ranges && !o.algorithm)
		o.algorithm = "flux_range";
	if (fs_shares_compute(&r->shares, r->snapshot, &o, &err))
		return cmd_report_error(r->inv, &err);
	fs_shares_use_recorded(r->shares, r->snapshot, &o);
	r->all = r->all || is_whole_tree_shown(r);
	status = clusters_check_snapshot(r->inv, &r->input, r->snapshot);
	if (!status)
		status = resolve_share_users(r);
	if (!status)
		status = choose_share_columns(r);
	return status ? status : choose_share_rows(r);
}

static int print_ranges_form(struct share_run *r)
{
	if (!fs_shares_has_ranges(r->shares)) {
		cmd_print_message(r->inv, "--ranges: algorithm %s has no ranges; use --algorithm=flux_range",
				  fs_shares_algorithm(r->shares));
		return cmd_get_usage_status(r->inv);
	}
	return r->svg ? share_save_ranges_picture(r) : share_print_ranges(r);
}

/* Prints the rows in the requested form. Returns an exit status, or -1 if out of memory. */
static int print_share_rows(struct share_run *r)
{
	switch (r->output_form) {
	case OUTPUT_OWN_JSON:
		return share_print_json(r);
	case OUTPUT_METRICS:
		return share_print_metrics(r);
	case OUTPUT_SLURM_JSON:
	case OUTPUT_SLURM_YAML:
		return share_print_slurm_document(r);
	default:
		return r->ranges                      ? print_ranges_form(r)
		       : r->bank_info                 ? share_print_bank_info(r)
		       : r->input.style == STYLE_FLUX ? share_print_flux_tree(r)
						      : share_print_table(r);
	}
}

/* Prints the hypothetical commands (--if) before a table. */
static void print_edits_before_table(const struct share_run *r)
{
	if (r->output_form == OUTPUT_TEXT && r->json == JSON_NONE && !r->svg)
		what_if_table(r->snapshot);
}

/* Prints the selected rows, or instead the usage comparison, the forecast or the answer to --solve. Returns the exit
 * status. */
static int print_chosen_rows(struct share_run *r)
{
	int status;

	if (r->input.usage == USAGE_COMPARE)
		return share_print_usage_comparison(r);
	if (r->report_kind == REPORT_FORECAST)
		return share_print_forecast(r);
	if (r->report_kind == REPORT_SOLVE)
		return share_answer_question(r);
	print_edits_before_table(r);
	status = print_share_rows(r);
	return status < 0 ? cmd_report_no_memory(r->inv) : status;
}

/* Chooses the next cluster. Several clusters are printed as tables, each with a heading, or by the emulated sshare as
 * documents. Returns 0, or the exit status after an error message. */
static int choose_next_cluster(struct share_run *r)
{
	const bool later = r->clusters->next;
	const int status = clusters_choose_next(r->inv, &r->input, r->clusters);

	if (!status && r->clusters->n > 1 && !r->inv->emulated && (r->output_form != OUTPUT_TEXT || r->svg)) {
		cmd_print_message(r->inv, "-M with several clusters cannot be combined with --json, --jsonl, --openmetrics, "
					  "--svg or --yaml");
		clusters_stop(r->clusters);
		return EXIT_USAGE;
	}
	if (!status && later)
		putchar('\n');
	return status;
}

static int run_share_request(struct share_run *r)
{
	size_t missing;
	int status;

	if (r->history)
		return share_show_history(r);
	r->input.style = r->bank_info ? STYLE_FLUX : r->input.style;
	status = choose_next_cluster(r);
	if (status)
		return status;
	r->input.without_jobs = !needs_snapshot_jobs(r);
	r->input.need = get_share_capture_need(r);
	status = input_open_snapshot(r->inv, &r->input, &r->snapshot);
	if (status)
		return status;
	if (r->report_kind == REPORT_SPENT || r->report_kind == REPORT_GRANTS || r->report_kind == REPORT_BILL ||
	    r->input.usage == USAGE_COMPARE)
		print_edits_before_table(r);
	if (r->report_kind == REPORT_SPENT)
		return share_print_spent_report(r);
	if (r->report_kind == REPORT_GRANTS)
		return share_print_grants_report(r);
	if (r->report_kind == REPORT_BILL)
		return share_print_bill_report(r);
	status = check_windows_page_options(r);
	if (status >= 0)
		return status;
	if (is_windows_page_requested(r) && !usage_is_computation_requested(&r->input) &&
	    r->report_kind == REPORT_NONE) {
		print_edits_before_table(r);
		return share_print_windows_page(r);
	}
	if (r->kind_argument)
		return options_report_unexpected_argument(r->inv, r->kind_argument);
	status = compute_and_choose_rows(r);
	if (status)
		return status;
	missing = report_names_without_shares(r);
	if (r->verbose && !r->bank_info)
		print_share_request(r);
	status = print_chosen_rows(r);
	return missing_get_exit_status(r->inv, status, missing);
}

static int run_for_one_cluster(const struct invocation *inv, int argc, char **argv, struct clusters *clusters)
{
	struct share_run r = { .inv = inv, .argc = argc, .input.recorded = true, .clusters = clusters };
	int status;

	r.argv = calloc((size_t)argc + 1, sizeof(*r.argv)); /* a copy, because getopt reorders argv */
	if (!r.argv)
		return cmd_report_no_memory(inv);
	memcpy(r.argv, argv, (size_t)argc * sizeof(*argv));
	status = parse_share_command_line(&r, argc, argv);

	if (status < 0)
		status = run_share_request(&r);
	fs_shares_free(r.shares);
	fs_usage_free(r.usage);
	fs_usage_free(r.computed_usage);
	fs_snapshot_free(r.snapshot);
	input_release_resources(&r.input);
	names_free_all(&r.accounts);
	names_free_all(&r.users);
	share_format_free(&r.format);
	free(r.format_list);
	share_rows_free(&r.rows);
	free(r.argv);
	return status;
}

static int run_share_command(const struct invocation *inv, int argc, char **argv)
{
	return clusters_run_command(inv, argc, argv, run_for_one_cluster);
}

const struct command share_command = { "fs-share", "sshare",
				       "shares, usage and fair-share factor of accounts and users", "error: ", true,
				       run_share_command };
