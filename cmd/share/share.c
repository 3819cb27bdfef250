/* fs-share, sshare: shares, usage and fair-share factor of every association. */
#include "share/share.h"

#include "dialect/dialect.h"
#include "input/missing.h"
#include "page/what_if.h"
#include "render/emit.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Turns numeric user ids into names; if nobody is named the viewer's rows are shown alone. */
static int resolve_users(struct share_run *r)
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
				complain(r->inv, "invalid user id \"%s\"", word);
				status = EXIT_FAILED;
				break;
			}
			name = name ? name : word; /* nobody of that name or id has shares */
		}
		status = share_add_names(r, &named, name, false);
	}
	if (!status && !r->all && !named.n)
		status = share_add_names(r, &named, input_viewer(&r->input), false);
	names_free(&r->users);
	r->users = named;
	r->users.given = given;
	return status;
}

static int choose_columns(struct share_run *r)
{
	const char *list = r->format_list ? r->format_list
					  : share_default_format(r->snapshot, r->shares, r->wide,
								 r->with_partition);
	char bad[64];
	const int rc = share_format_add(&r->format, list[strspn(list, ",")] ? list : "Account", !r->inv->emulated,
					bad, sizeof(bad));

	if (rc < 0)
		complain(r->inv, "out of memory");
	if (rc > 0)
		complain(r->inv, r->inv->emulated ? "Invalid field requested: \"%s\"" : "no column \"%s\"; see fs-share -e",
			 bad);
	return rc > 0 ? usage_status(r->inv) : rc ? EXIT_FAILED : 0;
}

static void print_request(const struct share_run *r)
{
	emit_to(stderr, "Users requested:\n");
	if (r->all)
		emit_to(stderr, "\t: all\n");
	for (size_t i = 0; i < r->users.n; i++)
		emit_to(stderr, "\t: %s\n", r->users.v[i]);
	emit_to(stderr, "Accounts requested:\n");
	if (!r->accounts.n)
		emit_to(stderr, "\t: all\n");
	for (size_t i = 0; i < r->accounts.n; i++)
		emit_to(stderr, "\t: %s\n", r->accounts.v[i]);
}

/* Returns whether a page of the whole tree was asked for. */
static bool whole_tree(const struct share_run *r)
{
	return r->form == TEXT && (r->ranges || r->input.style == STYLE_FLUX) && !r->users.given;
}

/* Returns whether the user or account has a row that the viewer may see. */
static bool has_shares(const struct share_run *r, const char *user, const char *account)
{
	for (size_t i = 0; i < fs_shares_count(r->shares); i++) {
		const struct fs_share_row *row = fs_shares_row(r->shares, i);

		if (row->visible && !strcmp(user ? row->user : row->account, user ? user : account))
			return true;
	}
	return false;
}

/* Complains of names without shares, which sshare does not, and returns how many; the viewer was not named by
 * anybody. */
static size_t count_missing(const struct share_run *r)
{
	size_t n = 0;

	if (r->inv->emulated)
		return 0;
	for (size_t i = 0; r->users.given && i < r->users.n; i++)
		if (!has_shares(r, r->users.v[i], NULL)) {
			complain(r->inv, "no shares of user \"%s\"", r->users.v[i]);
			n++;
		}
	for (size_t i = 0; i < r->accounts.n; i++)
		if (!has_shares(r, NULL, r->accounts.v[i])) {
			complain(r->inv, "no shares of account \"%s\"", r->accounts.v[i]);
			n++;
		}
	return n;
}

/* Chooses the rows; sshare's own documents ignore -U. */
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

/* Returns whether what was asked for needs a tree of shares, which Maui's credentials are not. */
static bool of_tree(const struct share_run *r)
{
	return r->ranges || (r->input.algorithm && !fs_algorithm_of_credentials(r->input.algorithm));
}

/* Under the name sshare the layout is that tool's. */
static enum style style_of(const struct share_run *r)
{
	const enum style own = dialect_of(r->snapshot)->shares;

	if (r->input.style != STYLE_OF_SCHEDULER)
		return r->input.style;
	return r->inv->emulated || own == STYLE_OF_SCHEDULER ? STYLE_SLURM : own;
}

/* Returns whether the page is Maui's: options of sshare's columns and rows, and documents, are served under any
 * scheduler. */
static bool wants_maui(const struct share_run *r)
{
	const bool columns = r->format_list || r->wide || r->with_partition ||
			     r->layout != ALIGNED || r->all || r->me || r->users_only ||
			     r->users.given || r->accounts.given || r->subtree || r->form != TEXT;

	if (r->input.style == STYLE_OF_SCHEDULER && (columns || of_tree(r)))
		return false;
	return style_of(r) == STYLE_MAUI && r->form == TEXT;
}

/* Loads the usage; for the comparison shares are computed from the recorded usage, carried to the time asked for. */
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

/* Returns whether jobs are needed: for users known from jobs alone, and for reports, documents and times, which count
 * what runs. */
static bool needs_jobs(const struct share_run *r)
{
	for (size_t i = 0; i < r->users.n; i++)
		if (isdigit((unsigned char)*r->users.v[i]))
			return true;
	return r->report != SHARES || r->form != TEXT || usage_wanted(&r->input) || r->input.algorithm;
}

/* What a live capture must ask. */
static enum capture_need need_of(const struct share_run *r)
{
	const bool plain = r->input.style == STYLE_OF_SCHEDULER || r->input.style == STYLE_SLURM;

	if (needs_jobs(r))
		return CAPTURE_ALL;
	return plain && !r->ranges && !r->svg ? CAPTURE_SHARES : CAPTURE_NO_JOBS;
}

/* Maui's layout has its own columns, and no tree. -1 to go on, or the exit status (reported). */
static int check_maui(const struct share_run *r)
{
	if (!wants_maui(r))
		return -1;
	if (of_tree(r))
		complain(r->inv, "the layout of maui shows windows, not a tree of shares");
	else if (r->format_list || r->wide || r->with_partition || r->layout != ALIGNED)
		complain(r->inv, "columns are those of the layout of slurm");
	else
		return -1;
	return usage_status(r->inv);
}

/* Chooses columns and rows, and computes what is in them. 0, or the exit status (reported). */
static int choose(struct share_run *r)
{
	struct fs_view o = input_view(&r->input);
	struct fs_error err;
	int status = load_usage(r, &o.usage);

	if (status)
		return status;
	if (r->svg && !r->ranges && r->report != FORECAST) {
		complain(r->inv, "--svg goes with --ranges or --forecast");
		return EXIT_USAGE;
	}
	if (r->ranges && !o.algorithm)
		o.algorithm = "flux_range";
	if (fs_shares_compute(&r->shares, r->snapshot, &o, &err))
		return report(r->inv, &err);
	r->all = r->all || whole_tree(r);
	status = missing_clusters(r->inv, r->snapshot, &r->clusters, "all");
	if (!status)
		status = resolve_users(r);
	if (!status)
		status = choose_columns(r);
	return status ? status : choose_rows(r);
}

static int print_ranges(struct share_run *r)
{
	if (!fs_shares_has_ranges(r->shares)) {
		complain(r->inv, "--ranges: %s gives nobody a range; flux_range does", fs_shares_algorithm(r->shares));
		return usage_status(r->inv);
	}
	return r->svg ? share_ranges_picture(r) : share_ranges(r);
}

/* Prints the rows in the form asked for; negative without memory. */
static int print_rows(struct share_run *r)
{
	switch (r->form) {
	case OWN_JSON:
		return share_json(r);
	case METRICS:
		return share_metrics(r);
	case SLURM_JSON:
	case SLURM_YAML:
		return share_slurm(r);
	default:
		return r->ranges ? print_ranges(r) : r->input.style == STYLE_FLUX ? share_flux(r) : share_table(r);
	}
}

/* Names the commands of a hypothetical state before a table. */
static void say_if(const struct share_run *r)
{
	if (r->form == TEXT && r->json == JSON_NONE && !r->svg)
		what_if_table(r->snapshot);
}

/* The rows chosen, as a table, a document or a report. */
static int print_chosen(struct share_run *r)
{
	int status;

	if (r->input.usage == USAGE_COMPARE)
		return share_compare(r);
	if (r->report == FORECAST)
		return share_forecast(r);
	if (r->report == SOLVE)
		return share_solve(r);
	say_if(r);
	status = print_rows(r);
	return status < 0 ? no_memory(r->inv) : status;
}

static int show(struct share_run *r)
{
	size_t missing;
	int status;

	if (r->history)
		return share_history(r);
	r->input.without_jobs = !needs_jobs(r);
	r->input.need = need_of(r);
	status = input_open(r->inv, &r->input, &r->snapshot);
	if (status)
		return status;
	if (r->report == SPENT || r->report == GRANTS || r->report == BILL || r->input.usage == USAGE_COMPARE)
		say_if(r);
	if (r->report == SPENT)
		return share_spent(r);
	if (r->report == GRANTS)
		return share_grants(r);
	if (r->report == BILL)
		return share_bill(r);
	status = check_maui(r);
	if (status >= 0)
		return status;
	if (wants_maui(r) && !usage_wanted(&r->input) && r->report == SHARES) {
		say_if(r);
		return share_maui(r);
	}
	if (r->kind_word)
		return options_unexpected(r->inv, r->kind_word);
	status = choose(r);
	if (status)
		return status;
	missing = count_missing(r);
	if (r->verbose)
		print_request(r);
	status = print_chosen(r);
	return missing_status(r->inv, status, missing);
}

static int run(const struct invocation *inv, int argc, char **argv)
{
	struct share_run r = { .inv = inv, .argc = argc };
	int status;

	r.argv = calloc((size_t)argc + 1, sizeof(*r.argv)); /* getopt reorders argv */
	if (!r.argv)
		return no_memory(inv);
	memcpy(r.argv, argv, (size_t)argc * sizeof(*argv));
	status = share_parse(&r, argc, argv);

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
				       "shares, usage and fair-share factor of accounts and users", "error: ", true, run };
