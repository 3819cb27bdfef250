/* fs-share, sshare: shares, usage and fair-share factor of every association. */
#include "input.h"
#include "names.h"
#include "options.h"
#include "share_columns.h"
#include "share_json.h"
#include "share_slurm.h"
#include "version.h"

#include <ctype.h>
#include <grp.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>

enum { OPT_ME = OPT_FIRST_FREE, OPT_YAML };

static const struct option_row option_rows[] = {
	{ 0, NULL, NULL, "Rows" },
	{ 'a', "all", NULL, "all users, not only yourself" },
	{ 'A', "accounts", "LIST", "only these accounts" },
	{ 'u', "users", "LIST", "only these users, by name or id" },
	{ 'U', "Users", NULL, "users only, no rows of accounts" },
	{ OPT_ME, "me", NULL, "only your own rows and their accounts (the default)" },
	{ 'M', "cluster", "LIST", "name the cluster above the table" },
	{ 'M', "clusters", "LIST", NULL },
	{ 0, NULL, NULL, "Columns" },
	{ 'l', "long", NULL, "more columns" },
	{ 'm', "partition", NULL, "with the partition of each association" },
	{ 'o', "format", "LIST", "these columns: NAME[%WIDTH],..., negative width aligns left" },
	{ 'e', "helpformat", NULL, "list the columns" },
	{ 0, NULL, NULL, "Output" },
	{ 'h', NULL, NULL, "no heading" },
	{ 'n', "noheader", NULL, "no heading" },
	{ 'p', "parsable", NULL, "a | after every field" },
	{ 'P', "parsable2", NULL, "a | between fields" },
	{ OPT_JSON, "json", "[SHAPE]", "JSON: fs-share/1, or with SHAPE slurm what sshare --json prints" },
	{ OPT_YAML, "yaml", "[SHAPE]", "YAML as sshare --yaml prints it" },
	COMMON_OPTIONS,
	{ 0, NULL, NULL, "Other" },
	{ 'v', "verbose", NULL, "say what was asked for" },
	{ 'V', "version", NULL, "print the version" },
	{ OPT_HELP, "help", NULL, "print this text" },
	{ OPT_USAGE, "usage", NULL, NULL },
};

struct share_run {
	const struct invocation *inv;
	struct input input;
	struct names accounts, users, clusters;
	struct share_format format;
	const char *format_list; /* joined -o */
	bool all, users_only, wide, with_partition, no_header, verbose;
	enum { TEXT, OWN_JSON, SLURM_JSON, SLURM_YAML } form;
	int argc;
	char **argv;
	enum { ALIGNED, PARSABLE, PARSABLE2 } layout;
	fs_snapshot *snapshot;
	fs_shares *shares;
};

static void help_format(void)
{
	for (size_t i = 0; i < share_column_count; i++)
		printf("%-17s%s", share_columns[i].name,
		       i + 1 == share_column_count ? "" : i % 4 == 3 ? "\n" : " ");
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
	free((char *)r->format_list);
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
	case 'M':
		return add_names(r, &r->clusters, o->arg, false) ? EXIT_FAILED : -1;
	case 'U':
		r->users_only = true;
		break;
	case OPT_ME:
		r->all = false;
		names_free(&r->users);
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
		help_format();
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
		if (id == OPT_HELP || id == OPT_USAGE) {
			options_help(&o, "[OPTION]...", "Shares, usage and fair-share factor of accounts and users.");
			status = EXIT_DONE;
		} else if (id == 'V') {
			version = true;
		} else {
			status = take_option(r, &o, id);
		}
	}
	if (status < 0 && !r->inv->emulated && o.next < argc) {
		complain(r->inv, "unexpected argument \"%s\"; see %s --help", argv[o.next], r->inv->name);
		status = EXIT_USAGE;
	}
	options_release(&o);
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

static const char *default_format(const struct share_run *r)
{
	static const char *const lists[2][2][2] = {
		{ { "Account,User,RawShares,NormShares,RawUsage,EffectvUsage,FairShare",
		    "Account,User,Partition,RawShares,NormShares,RawUsage,EffectvUsage,FairShare" },
		  { "Account,User,RawShares,NormShares,RawUsage,NormUsage,EffectvUsage,FairShare,"
		    "GrpTRESMins,TRESRunMins",
		    "Account,User,Partition,RawShares,NormShares,RawUsage,NormUsage,EffectvUsage,FairShare,"
		    "GrpTRESMins,TRESRunMins" } },
		{ { "Account,User,RawShares,NormShares,RawUsage,EffectvUsage,FairShare",
		    "Account,User,Partition,RawShares,NormShares,RawUsage,EffectvUsage,FairShare" },
		  { "Account,User,RawShares,NormShares,RawUsage,NormUsage,EffectvUsage,FairShare,LevelFS,"
		    "GrpTRESMins,TRESRunMins",
		    "Account,User,Partition,RawShares,NormShares,RawUsage,NormUsage,EffectvUsage,FairShare,"
		    "LevelFS,GrpTRESMins,TRESRunMins" } },
	};

	return lists[fs_shares_has_levels(r->shares)][r->wide][r->with_partition];
}

static int choose_columns(struct share_run *r)
{
	const char *list = r->format_list ? r->format_list : default_format(r);
	char bad[64];
	const int rc = share_format_add(&r->format, *list ? list : "Account", bad, sizeof(bad));

	if (rc < 0)
		complain(r->inv, "out of memory");
	if (rc > 0)
		complain(r->inv, "no column \"%s\"; see %s -e", bad, r->inv->name);
	return rc > 0 ? usage_status(r->inv) : rc ? EXIT_FAILED : 0;
}

static bool row_wanted(const struct share_run *r, const struct fs_share_row *row)
{
	if (!row->visible || (r->users_only && !*row->user))
		return false;
	if (r->accounts.given && !names_has(&r->accounts, row->account))
		return false;
	return !*row->user || r->all || names_has(&r->users, row->user);
}

/* Blanks before an account: one more than its parent's, none when the parent is not shown. The first
 * row of a name decides (src/common/slurmdb_defs.c:slurmdb_tree_name_get). */
static void indent_rows(const struct share_run *r, unsigned *indent)
{
	const size_t n = fs_shares_count(r->shares);

	for (size_t i = 0; i < n; i++) {
		const struct fs_share_row *row = fs_shares_row(r->shares, i);
		const uint32_t parent = row->parent_row;

		indent[i] = parent != UINT32_MAX && row_wanted(r, fs_shares_row(r->shares, parent))
				    ? indent[parent] + 1
				    : 0;
	}
}

static void print_tres(const struct share_run *r, const struct share_field *f, size_t row,
		       enum field_style style, struct fs_tres *tres)
{
	const size_t max = fs_snapshot_tres_count(r->snapshot);
	const int n = fs_shares_tres(r->shares, row, f->column->tres, tres, max);
	char *text = NULL;
	size_t size = 0;
	FILE *s = open_memstream(&text, &size);

	if (!s)
		return;
	for (int i = 0; i < n; i++)
		fprintf(s, "%s%s=%lld", i ? "," : "", tres[i].name, (long long)tres[i].amount);
	fclose(s);
	field_str(stdout, style, f->width, text);
	free(text);
}

static void print_cell(const struct share_run *r, const struct share_field *f,
		       const struct fs_share_row *row, unsigned indent, struct fs_tres *tres)
{
	const enum field_style style = r->layout == ALIGNED ? FIELD_TABLE : FIELD_PARSABLE;
	const void *member = (const char *)row + f->column->offset;
	char text[512];

	switch (f->column->kind) {
	case SHARE_ACCOUNT:
		if (indent > 200)
			indent = 200;
		memset(text, ' ', indent);
		text_visible(text + indent, sizeof(text) - indent, row->account);
		field_str(stdout, style, f->width, text);
		break;
	case SHARE_CLUSTER:
		text_visible(text, sizeof(text), fs_snapshot_info(r->snapshot)->cluster);
		field_str(stdout, style, f->width, text);
		break;
	case SHARE_TEXT:
		text_visible(text, sizeof(text), *(const char *const *)member);
		field_str(stdout, style, f->width, text);
		break;
	case SHARE_DOUBLE:
		field_double(stdout, style, f->width, *(const double *)member);
		break;
	case SHARE_LEVEL: /* zeroes where the algorithm has no levels, as the daemon sends them */
		if (!fs_shares_has_levels(r->shares) && row->shares_kind != FS_SHARES_PARENT)
			field_double(stdout, style, f->width, 0);
		else
			field_double(stdout, style, f->width, row->level_fs);
		break;
	case SHARE_ID:
		field_u64(stdout, style, f->width, row->id);
		break;
	case SHARE_RAW_SHARES:
		if (row->shares_kind == FS_SHARES_NUMBER)
			field_u64(stdout, style, f->width, row->raw_shares);
		else
			field_str(stdout, style, f->width,
				  row->shares_kind == FS_SHARES_PARENT ? "parent" : "");
		break;
	case SHARE_RAW_USAGE:
		if (row->raw_usage >= 0)
			field_u64(stdout, style, f->width, (uint64_t)row->raw_usage);
		else
			field_blank(stdout, style, f->width);
		break;
	case SHARE_TRES:
		print_tres(r, f, row->row, style, tres);
		break;
	}
}

static void end_cell(const struct share_run *r, size_t i)
{
	if (r->layout == PARSABLE || (r->layout == PARSABLE2 && i + 1 < r->format.n))
		putchar('|');
}

static void print_header(const struct share_run *r)
{
	for (size_t i = 0; i < r->format.n; i++) {
		const struct share_field *f = &r->format.field[i];

		if (r->layout == ALIGNED)
			printf("%*.*s ", f->width, abs(f->width), f->column->name);
		else
			fputs(f->column->name, stdout);
		end_cell(r, i);
	}
	putchar('\n');
	if (r->layout != ALIGNED)
		return;
	for (size_t i = 0; i < r->format.n; i++) {
		for (int k = 0; k < abs(r->format.field[i].width); k++)
			putchar('-');
		putchar(' ');
	}
	putchar('\n');
}

static int print_table(const struct share_run *r)
{
	const size_t n = fs_shares_count(r->shares);
	unsigned *indent = calloc(n + 1, sizeof(*indent));
	struct fs_tres *tres = calloc(fs_snapshot_tres_count(r->snapshot) + 1, sizeof(*tres));

	if (!indent || !tres) {
		free(indent);
		free(tres);
		complain(r->inv, "out of memory");
		return EXIT_FAILED;
	}
	indent_rows(r, indent);
	if (r->clusters.given)
		printf("CLUSTER: %s\n", fs_snapshot_info(r->snapshot)->cluster);
	if (!r->no_header)
		print_header(r);
	for (size_t i = 0; i < n; i++) {
		const struct fs_share_row *row = fs_shares_row(r->shares, i);

		if (!row_wanted(r, row))
			continue;
		for (size_t k = 0; k < r->format.n; k++) {
			print_cell(r, &r->format.field[k], row, indent[i], tres);
			end_cell(r, k);
		}
		putchar('\n');
	}
	free(indent);
	free(tres);
	return EXIT_DONE;
}

static bool json_row(const void *ctx, const struct fs_share_row *row)
{
	return row_wanted(ctx, row);
}

/* Primary group of a login name, "" if the machine does not know it. */
static const char *group_of(const char *user)
{
	const struct passwd *pw = getpwnam(user);
	const struct group *gr = pw ? getgrgid(pw->pw_gid) : NULL;

	return gr ? gr->gr_name : "";
}

/* sshare's own documents leave -U out of account; they came in 23.11. */
static int print_slurm(struct share_run *r)
{
	const unsigned version = fs_snapshot_info(r->snapshot)->version;
	struct share_slurm s = { .snapshot = r->snapshot, .shares = r->shares, .wanted = json_row, .ctx = r };

	s.compat = r->input.compat ? r->input.compat : version;
	if (r->inv->emulated && s.compat < FS_SLURM_VERSION(23, 11)) {
		complain(r->inv, "unknown option '%s'; see %s --help",
			 r->form == SLURM_YAML ? "--yaml" : "--json", r->inv->name);
		return EXIT_FAILED;
	}
	r->users_only = r->users_only && !r->inv->emulated;
	s.user = input_viewer(&r->input);
	s.group = group_of(s.user);
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

static int show(struct share_run *r)
{
	struct fs_shares_options o = { .algorithm = r->input.algorithm, .compat = r->input.compat };
	struct fs_error err;
	int status = input_open(r->inv, &r->input, &r->snapshot);

	if (status)
		return status;
	o.viewer = input_viewer(&r->input);
	if (fs_shares_compute(&r->shares, r->snapshot, &o, &err))
		return report(r->inv, &err);
	status = check_clusters(r);
	if (!status)
		status = settle_users(r);
	if (!status)
		status = choose_columns(r);
	if (status)
		return status;
	if (r->verbose)
		tell_request(r);
	switch (r->form) {
	case OWN_JSON:
		return share_json(r->snapshot, r->shares, json_row, r);
	case SLURM_JSON:
	case SLURM_YAML:
		return print_slurm(r);
	default:
		return print_table(r);
	}
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
	fs_snapshot_free(r.snapshot);
	names_free(&r.accounts);
	names_free(&r.users);
	names_free(&r.clusters);
	share_format_free(&r.format);
	free((char *)r.format_list);
	free(r.argv);
	return status;
}

const struct command share_command = { "fs-share", "sshare",
				       "shares, usage and fair-share factor of accounts and users", run };
