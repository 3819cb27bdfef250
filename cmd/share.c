/* fs-share, sshare: shares, usage and fair-share factor of every association. */
#include "input.h"
#include "names.h"
#include "options.h"
#include "share_flux.h"
#include "share_json.h"
#include "share_maui.h"
#include "share_ranges.h"
#include "share_reports.h"
#include "share_slurm.h"
#include "share_table.h"
#include "version.h"

#include <ctype.h>
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
	OPT_RANGES
};

static const struct option_row option_rows[] = {
	{ 0, NULL, NULL, "Rows" },
	{ 'a', "all", NULL, "all users, not only yourself" },
	{ 'A', "accounts", "LIST", "only these accounts" },
	{ 'u', "users", "LIST", "only these users, by name or id" },
	{ 'U', "Users", NULL, "users only, no rows of accounts" },
	{ OPT_ME, "me", NULL, "only your own rows, without accounts that are not yours" },
	{ OPT_SUBTREE, "subtree", "ACCOUNT", "only this account and all below it" },
	{ 'c', "concise", NULL, "only users with usage" },
	{ OPT_SORT, "sort", "COLUMNS", "sort by columns; - before one: falling" },
	{ OPT_KIND, "kind", "KIND", "Maui: only user, group, acct, qos or class" },
	{ 'M', "cluster", "LIST", "name the cluster above the table" },
	{ 'M', "clusters", "LIST", NULL },
	{ 0, NULL, NULL, "Columns" },
	{ 'l', "long", NULL, "more columns" },
	{ 'm', "partition", NULL, "with the partition of each association" },
	{ 'o', "format", "LIST", "these columns: NAME[%WIDTH],...; negative aligns left, 0 never cuts" },
	{ 'e', "helpformat", NULL, "list the columns" },
	{ 0, NULL, NULL, "Output" },
	{ 'h', NULL, NULL, "no heading" },
	{ 'n', "noheader", NULL, "no heading" },
	{ 'p', "parsable", NULL, "a | after every field" },
	{ 'P', "parsable2", NULL, "a | between fields" },
	{ OPT_RANGES, "ranges", NULL, "flux_range as a picture: the slice of 0 to 1 that each owns" },
	{ OPT_JSON, "json", "[SHAPE]", "JSON: fs-share/1, or with SHAPE slurm what sshare --json prints" },
	{ OPT_YAML, "yaml", "[SHAPE]", "YAML as sshare --yaml prints it" },
	USAGE_OPTIONS,
	{ 0, NULL, NULL, "Reports" },
	{ OPT_SPENT, "spent", "[ACCOUNT]", "who spent the usage of an account, job by job" },
	{ OPT_GRANTS, "grants", "[ACCOUNT]", "what its raw shares are the sum of" },
	{ OPT_BILL, "bill", "TRES", "what cpu=16,mem=64G,... would cost in each partition" },
	COMMON_OPTIONS,
	{ 0, NULL, NULL, "Other" },
	{ 'v', "verbose", NULL, "say what was asked for" },
	{ 'V', "version", NULL, "print the version" },
	{ OPT_HELP, "help", NULL, "print this text" },
};

struct share_run {
	const struct invocation *inv;
	struct input input;
	struct names accounts, users, clusters;
	struct share_format format;
	char *format_list; /* joined -o */
	bool all, concise, ranges, me, users_only, wide, with_partition, no_header, verbose;
	const char *subtree, *sort, *kind, *kind_word;
	enum { SHARES, SPENT, GRANTS, BILL } report;
	const char *of; /* the report's argument, or NULL */
	enum { TEXT, OWN_JSON, SLURM_JSON, SLURM_YAML } form;
	int argc;
	char **argv;
	enum share_layout layout;
	fs_snapshot *snapshot;
	fs_usage *usage, *computed; /* computed: for the comparison */
	fs_shares *shares;
	struct share_rows rows;
};

static void help_format(bool emulated)
{
	size_t n = share_column_count;

	while (emulated && share_columns[n - 1].ours)
		n--;
	for (size_t i = 0; i < n; i++)
		printf("%-17s%s", share_columns[i].name, i + 1 == n ? "" : i % 4 == 3 ? "\n" : " ");
	putchar('\n');
}

/* Several -o are one list. */
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

static int add_names(struct share_run *r, struct names *names, const char *arg, bool lower)
{
	if (!names_add(names, arg, lower))
		return 0;
	complain(r->inv, "out of memory");
	return EXIT_FAILED;
}

/* Under the name sshare the argument names a data_parser, and the shape is Slurm's. */
static int take_form(struct share_run *r, int id, const char *shape)
{
	if (id == OPT_YAML)
		r->form = SLURM_YAML;
	else if (r->inv->emulated || (shape && !strcmp(shape, "slurm")))
		r->form = SLURM_JSON;
	else if (!shape || !strcmp(shape, "fs-share/1"))
		r->form = OWN_JSON;
	else {
		complain(r->inv, "--json: no shape \"%s\"; there are fs-share/1 and slurm", shape);
		return usage_status(r->inv);
	}
	return -1;
}

static int take_report(struct share_run *r, int id, const char *of)
{
	if (r->report != SHARES) {
		complain(r->inv, "--spent, --grants and --bill exclude each other");
		return usage_status(r->inv);
	}
	r->report = id == OPT_SPENT ? SPENT : id == OPT_GRANTS ? GRANTS : BILL;
	r->of = of;
	return -1;
}

/* What a report has no use for is refused, not ignored. -1, or the exit status. */
static int settle_report(struct share_run *r)
{
	const bool compare = r->input.usage == USAGE_COMPARE;
	const char *wrong = NULL;

	if (r->report == SHARES && !compare)
		return -1;
	if (r->form != TEXT && r->form != OWN_JSON)
		wrong = "is text, or --json";
	else if (r->layout != ALIGNED || r->format_list || r->wide || r->with_partition)
		wrong = "has columns of its own: without -l, -m, -o, -p and -P";
	else if (r->report == SHARES)
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

/* -1 to go on, otherwise the exit status. */
static int take_option(struct share_run *r, const struct options *o, int id)
{
	const int common = input_option(r->inv, &r->input, id, o->arg);

	if (common)
		return common > 0 ? -1 : usage_status(r->inv);
	switch (id) {
	case 'a':
		r->all = true;
		names_free(&r->users);
		break;
	case 'A':
		return add_names(r, &r->accounts, o->arg, true) ? EXIT_FAILED : -1;
	case 'u':
		r->all = !strcmp(o->arg, "-1");
		return !r->all && add_names(r, &r->users, o->arg, true) ? EXIT_FAILED : -1;
	case 'c':
		r->concise = true;
		break;
	case OPT_RANGES:
		r->ranges = true;
		break;
	case 'M':
		return add_names(r, &r->clusters, o->arg, false) ? EXIT_FAILED : -1;
	case 'U':
		r->users_only = true;
		break;
	case OPT_ME:
		r->me = true;
		break;
	case OPT_SUBTREE:
		r->subtree = o->arg;
		break;
	case OPT_SORT:
		r->sort = o->arg;
		break;
	case OPT_KIND:
		r->kind = o->arg;
		break;
	case 'l':
		r->wide = true;
		break;
	case 'm':
		r->with_partition = true;
		break;
	case 'o':
		return join_format(r, o->arg) ? EXIT_FAILED : -1;
	case 'e':
		help_format(r->inv->emulated);
		return EXIT_DONE;
	case 'h':
	case 'n':
		r->no_header = true;
		break;
	case 'p':
		r->layout = PARSABLE;
		break;
	case 'P':
		r->layout = PARSABLE2;
		break;
	case OPT_JSON:
	case OPT_YAML:
		return take_form(r, id, o->arg);
	case OPT_SPENT:
	case OPT_GRANTS:
	case OPT_BILL:
		return take_report(r, id, o->arg);
	case 'v':
		r->verbose = true;
		break;
	default:
		return usage_status(r->inv);
	}
	return -1;
}

static int show_version(struct share_run *r)
{
	int status;

	if (!r->inv->emulated) {
		puts("fs-share " FS_TOOLS_VERSION);
		return EXIT_DONE;
	}
	status = input_open(r->inv, &r->input, &r->snapshot);
	if (!status)
		input_slurm_version(r->snapshot);
	return status;
}

static int parse(struct share_run *r, int argc, char **argv)
{
	struct options o;
	int id, status = -1;
	bool version = false;

	if (options_init(&o, r->inv, option_rows, sizeof(option_rows) / sizeof(*option_rows), argc, argv)) {
		options_release(&o);
		complain(r->inv, "out of memory");
		return EXIT_FAILED;
	}
	while (status < 0 && (id = options_next(&o)) != -1) {
		if (id == OPT_HELP || (id == OPT_USAGE && !o.arg)) {
			options_help(&o, "[OPTION]...", "Shares, usage and fair-share factor of accounts and users.");
			status = EXIT_DONE;
		} else if (id == 'V') {
			version = true;
		} else {
			status = take_option(r, &o, id);
		}
	}
	if (!r->inv->emulated && o.next + 1 == argc && share_maui_kind(argv[o.next]))
		r->kind = r->kind_word = argv[o.next++]; /* diagnose -f user */
	if (status < 0 && !r->inv->emulated && o.next < argc) {
		complain(r->inv, "unexpected argument \"%s\"; see %s --help", argv[o.next], r->inv->name);
		status = EXIT_USAGE;
	}
	options_release(&o);
	if (status < 0)
		status = settle_report(r);
	return status < 0 && version ? show_version(r) : status;
}

/* Numeric user ids become names; nobody named means the viewer alone. */
static int settle_users(struct share_run *r)
{
	struct names named = { 0 };
	int status = 0;

	for (size_t i = 0; i < r->users.n && !status; i++) {
		const char *word = r->users.v[i], *name = word;
		char *end;
		const unsigned long uid = strtoul(word, &end, 10);

		if (isdigit((unsigned char)*word) && !*end) {
			name = fs_snapshot_user_name(r->snapshot, (uint32_t)uid);
			if (!name) {
				complain(r->inv, "invalid user id \"%s\"", word);
				status = EXIT_FAILED;
				break;
			}
		}
		status = add_names(r, &named, name, false);
	}
	if (!status && !r->all && !named.n)
		status = add_names(r, &named, input_viewer(&r->input), false);
	names_free(&r->users);
	r->users = named;
	return status;
}

static int check_clusters(const struct share_run *r)
{
	const char *name = fs_snapshot_info(r->snapshot)->cluster;

	for (size_t i = 0; i < r->clusters.n; i++)
		if (strcmp(r->clusters.v[i], name) != 0 && strcmp(r->clusters.v[i], "all") != 0) {
			complain(r->inv, "the snapshot is of cluster \"%s\", not \"%s\"", name,
				 r->clusters.v[i]);
			return EXIT_FAILED;
		}
	return 0;
}

static int choose_columns(struct share_run *r)
{
	const char *list = r->format_list ? r->format_list
					  : share_default_format(r->snapshot, r->shares, r->wide, r->with_partition);
	char bad[64];
	const int rc = share_format_add(&r->format, *list ? list : "Account", !r->inv->emulated, bad,
				      sizeof(bad));

	if (rc < 0)
		complain(r->inv, "out of memory");
	if (rc > 0)
		complain(r->inv, "no column \"%s\"; see %s -e", bad, r->inv->name);
	return rc > 0 ? usage_status(r->inv) : rc ? EXIT_FAILED : 0;
}

/* They came in 23.11. */
static int print_slurm(const struct share_run *r)
{
	const unsigned version = fs_snapshot_info(r->snapshot)->version;
	struct share_slurm s = { .snapshot = r->snapshot, .shares = r->shares, .rows = &r->rows };

	s.compat = r->input.compat ? r->input.compat : version;
	if (r->inv->emulated && s.compat < FS_SLURM_VERSION(23, 11)) {
		complain(r->inv, "unknown option '%s'; see %s --help",
			 r->form == SLURM_YAML ? "--yaml" : "--json", r->inv->name);
		return EXIT_FAILED;
	}
	s.user = input_viewer(&r->input);
	s.argc = r->argc;
	s.argv = r->argv;
	return share_slurm_print(&s, r->form == SLURM_YAML ? DOC_YAML : DOC_JSON);
}

static void tell_request(const struct share_run *r)
{
	fputs("Users requested:\n", stderr);
	if (r->all)
		fputs("\t: all\n", stderr);
	for (size_t i = 0; i < r->users.n; i++)
		fprintf(stderr, "\t: %s\n", r->users.v[i]);
	fputs("Accounts requested:\n", stderr);
	if (!r->accounts.n)
		fputs("\t: all\n", stderr);
	for (size_t i = 0; i < r->accounts.n; i++)
		fprintf(stderr, "\t: %s\n", r->accounts.v[i]);
}

static int print_table(struct share_run *r)
{
	const struct share_table t = { r->snapshot,  r->shares, &r->rows,	 &r->format,
				       r->layout, !r->no_header, r->clusters.given };

	if (!share_table_print(&t))
		return EXIT_DONE;
	complain(r->inv, "out of memory");
	return EXIT_FAILED;
}

/* A table that shows the whole tree unless users are named. */
static bool whole_tree(const struct share_run *r)
{
	return r->form == TEXT && (r->ranges || r->input.style == STYLE_FLUX) && !r->users.given;
}

static int print_ranges(const struct share_run *r)
{
	const struct share_ranges s = { r->shares, &r->rows, r->input.position, !r->no_header, 0 };

	if (!fs_shares_has_ranges(r->shares)) {
		complain(r->inv, "--ranges: %s gives nobody a range; flux_range does", fs_shares_algorithm(r->shares));
		return usage_status(r->inv);
	}
	return share_ranges_print(&s) ? EXIT_FAILED : EXIT_DONE;
}

static int print_flux(const struct share_run *r)
{
	const struct share_flux s = { r->shares, &r->rows, r->layout != ALIGNED, !r->no_header,
				      r->input.algorithm != NULL, r->concise };

	return share_flux_print(&s) ? EXIT_FAILED : EXIT_DONE;
}

static int print(struct share_run *r)
{
	if (r->form == TEXT && r->ranges)
		return print_ranges(r);
	if (r->form == TEXT && r->input.style == STYLE_FLUX)
		return print_flux(r);
	switch (r->form) {
	case OWN_JSON:
		return share_json(r->snapshot, r->shares, &r->rows);
	case SLURM_JSON:
	case SLURM_YAML:
		return print_slurm(r);
	default:
		return print_table(r);
	}
}

/* sshare's own documents leave -U out of account. */
static int choose_rows(struct share_run *r)
{
	const struct share_filter f = {
		.accounts = &r->accounts,
		.users = &r->users,
		.me = r->me ? input_viewer(&r->input) : NULL,
		.subtree = r->subtree,
		.all = r->all || r->me,
		.users_only = r->users_only && !(r->inv->emulated && r->form != TEXT),
	};
	char bad[64];
	int rc = share_rows_select(&r->rows, r->shares, &f);

	if (rc > 0) {
		complain(r->inv, "no account \"%s\"", r->subtree);
		return r->inv->emulated ? EXIT_FAILED : EXIT_NOTHING;
	}
	rc = rc || !r->sort ? rc : share_rows_sort(&r->rows, r->sort, bad, sizeof(bad));
	if (rc > 0)
		complain(r->inv, "--sort: no column \"%s\"", bad);
	else if (rc)
		complain(r->inv, "out of memory");
	return rc > 0 ? usage_status(r->inv) : rc ? EXIT_FAILED : 0;
}

/* Whoever asks for sshare's columns or rows, or for a document, gets them whatever the scheduler. */
static bool wants_maui(const struct share_run *r)
{
	const bool columns = r->format_list || r->wide || r->with_partition || r->layout != ALIGNED || r->all ||
			     r->me || r->users_only || r->users.given || r->accounts.given || r->subtree ||
			     r->form != TEXT;

	if (r->input.style == STYLE_OF_SCHEDULER && columns)
		return false;
	return input_style(r->inv, &r->input, r->snapshot) == STYLE_MAUI && r->form == TEXT;
}

static int show_report(struct share_run *r)
{
	const struct share_report report = { r->inv, &r->input, r->snapshot, r->form != TEXT, r->no_header };

	if (r->report == SPENT)
		return share_spent(&report, r->of);
	return r->report == GRANTS ? share_grants(&report, r->of) : share_bill(&report, r->of);
}

/* For the comparison, shares are those of the recorded usage, carried to the time asked for. */
static int load_usage(struct share_run *r, const fs_usage **for_shares)
{
	const bool compare = r->input.usage == USAGE_COMPARE;
	struct input in = r->input;
	int status = 0;

	in.usage = compare ? USAGE_RECORDED : in.usage;
	if (usage_wanted(&in))
		status = usage_load(r->inv, &in, r->snapshot, NULL, NULL, &r->usage);
	*for_shares = r->usage;
	in.usage = USAGE_COMPUTED;
	if (!status && compare)
		status = usage_load(r->inv, &in, r->snapshot, NULL, NULL, &r->computed);
	return status;
}

static int show(struct share_run *r)
{
	struct fs_shares_options o = { .algorithm = r->input.algorithm, .compat = r->input.compat,
				       .maui_dialect = r->input.maui_dialect };
	struct fs_error err;
	int status = input_open(r->inv, &r->input, &r->snapshot);

	if (status)
		return status;
	if (r->report != SHARES)
		return show_report(r);
	if (wants_maui(r) && (r->format_list || r->wide || r->with_partition || r->layout != ALIGNED)) {
		complain(r->inv, "columns are those of the layout of slurm");
		return usage_status(r->inv);
	}
	if (wants_maui(r) && !usage_wanted(&r->input)) {
		const struct share_maui m = { r->kind, r->sort, r->verbose };

		return share_maui(r->inv, &r->input, r->snapshot, &m);
	}
	if (r->kind_word) {
		complain(r->inv, "unexpected argument \"%s\"; see %s --help", r->kind_word, r->inv->name);
		return EXIT_USAGE;
	}
	status = load_usage(r, &o.usage);
	if (status)
		return status;
	o.position = r->input.position;
	if (r->ranges && !o.algorithm)
		o.algorithm = "flux_range";
	o.viewer = input_viewer(&r->input);
	if (fs_shares_compute(&r->shares, r->snapshot, &o, &err))
		return report(r->inv, &err);
	r->all = r->all || whole_tree(r);
	status = check_clusters(r);
	if (!status)
		status = settle_users(r);
	if (!status)
		status = choose_columns(r);
	if (!status)
		status = choose_rows(r);
	if (status)
		return status;
	if (r->verbose)
		tell_request(r);
	if (r->input.usage == USAGE_COMPARE) {
		const struct share_report report = { r->inv, &r->input, r->snapshot, r->form != TEXT, r->no_header };

		return share_compare(&report, r->computed, r->shares, &r->rows);
	}
	return print(r);
}

static int run(const struct invocation *inv, int argc, char **argv)
{
	struct share_run r = { .inv = inv, .argc = argc };
	int status;

	r.argv = calloc((size_t)argc + 1, sizeof(*r.argv)); /* getopt reorders argv */
	if (!r.argv)
		return EXIT_FAILED;
	memcpy(r.argv, argv, (size_t)argc * sizeof(*argv));
	status = parse(&r, argc, argv);

	if (status < 0)
		status = show(&r);
	fs_shares_free(r.shares);
	fs_usage_free(r.usage);
	fs_usage_free(r.computed);
	fs_snapshot_free(r.snapshot);
	input_release(&r.input);
	names_free(&r.accounts);
	names_free(&r.users);
	names_free(&r.clusters);
	share_format_free(&r.format);
	free(r.format_list);
	share_rows_free(&r.rows);
	free(r.argv);
	return status;
}

const struct command share_command = { "fs-share", "sshare",
				       "shares, usage and fair-share factor of accounts and users", run };
