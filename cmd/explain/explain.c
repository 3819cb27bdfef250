/* The command fs-explain: parses the options, finds the subject of the page, evaluates the snapshot, and selects and
 * prints the page. */
#include "explain/explain.h"

#include "explain/text.h"
#include "files/files.h"
#include "fs/queue.h"
#include "input/input.h"
#include "options/options.h"
#include "page/page.h"
#include "picture/picture.h"
#include "render/emit.h"
#include "render/text.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- command line */

enum {
	OPT_JOB = OPT_FIRST_FREE,
	OPT_USER,
	OPT_ACCOUNT,
	OPT_VERSUS,
	OPT_AHEAD,
	OPT_ADVISE,
	OPT_ME,
	OPT_BRIEF,
	OPT_FORECAST,
	OPT_VERBOSE,
	OPT_NO_PAGER,
	OPT_PASTE,
	OPT_SVG,
	OPT_HTML,
	OPT_SITE,
	OPT_PARTITION,
	OPT_QOS,
	OPT_NODE,
	OPT_RESERVATION,
	OPT_SCRIPT,
	OPT_WHERE,
	OPT_WRITE
};

#define SETS_RUN(member) OPTION_SETS(struct explain_run, member)
#define SETS_RUN_OF(member, values) OPTION_SETS_OF(struct explain_run, member, values)
static const struct option_row explain_option_rows[] = {
	OPTION_HEADING("What to explain (WORD: a job, user, account, reason, partition, QOS, node or reservation)"),
	{ OPT_JOB, "job", "ID", "explain this job: 12, 12_3, 12+1", SETS_RUN_OF(job, ":jobs") },
	{ OPT_USER, "user", "NAME", "explain this user; with --account, only in that account",
	  SETS_RUN_OF(user, ":users") },
	{ OPT_ACCOUNT, "account", "NAME", "explain this account", SETS_RUN_OF(account, ":accounts") },
	{ OPT_ME, "me", NULL, "list your pending jobs, one line each (the default)", SETS_RUN(own_jobs) },
	{ OPT_PARTITION, "partition", "NAME", "explain the jobs of this partition",
	  SETS_RUN_OF(part[FS_SITE_PARTITION], ":partitions") },
	{ OPT_QOS, "qos", "NAME", "explain the jobs of this QOS", SETS_RUN_OF(part[FS_SITE_QOS], ":qos") },
	{ OPT_NODE, "node", "NAME", "explain the jobs that run on this node or may use it",
	  SETS_RUN(part[FS_SITE_NODE]) },
	{ OPT_RESERVATION, "reservation", "NAME", "explain the jobs of this reservation",
	  SETS_RUN(part[FS_SITE_RESERVATION]) },
	{ OPT_SITE, "site", NULL, "explain why the jobs of the whole cluster wait, and which limits block them",
	  SETS_RUN(site) },
	{ OPT_VERSUS, "versus", "WORD", "compare WORD with this job, user or account",
	  SETS_RUN_OF(versus, ":subjects") },
	{ OPT_AHEAD, "ahead", NULL, "list the jobs ahead of the job by account, user and array", SETS_RUN(ahead) },
	{ OPT_ADVISE, "advise", NULL, "list changes that make the job start earlier, each with its planned start",
	  SETS_RUN(advise) },
	{ OPT_BRIEF, "brief", NULL, "print four lines about a job: why, when, who is ahead, what you can do",
	  SETS_RUN(brief) },
	{ OPT_SCRIPT, "script", "FILE",
	  "judge a job script before sbatch; sbatch's options may follow; - is standard input", SETS_RUN(script.file) },
	{ OPT_WHERE, "where", NULL, "list where a job script would start: partitions, QOS, accounts, reservations",
	  SETS_RUN(where) },
	{ OPT_WRITE, "write", NULL, "with --where: print only the #SBATCH lines of the best place", SETS_RUN(write) },
	{ OPT_SVG, "svg", "FILE", "write a picture of why the job waits, or of --forecast, as SVG to this file", SETS_RUN(svg) },
	{ OPT_FORECAST, "forecast", "[UNTIL]", "forecast factor, rank and priority until a time such as +14d",
	  OPTION_BY_COMMAND },
	{ OPT_VERBOSE, "verbose", NULL, "add explanations in sentences; always compute plan and advice",
	  SETS_RUN(verbose) },
	{ OPT_PASTE, "text", "FILE", "read output pasted from a terminal; - is standard input", SETS_RUN(input.text) },
	OPTION_HEADING("Output"),
	MARKDOWN_OPTION(SETS_RUN(markdown)),
	{ OPT_HTML, "html", "FILE", "write the page of a job (with pictures) or of the site as HTML to this file",
	  SETS_RUN(html) },
	JSON_OPTION("schema fs-explain/1; with --site, fs-site/1"),
	COLOR_OPTION,
	{ OPT_NO_PAGER, "no-pager", NULL, "do not use a pager", SETS_RUN(no_pager) },
	USAGE_OPTIONS,
	COMMON_OPTIONS,
	OPTION_HEADING("Other"),
	VERSION_OPTION('V'),
	HELP_OPTION(OPT_HELP),
};
static const struct option_table explain_option_table = {
	.synopsis = "[OPTION]... [WORD | SCRIPT [SBATCH_OPTION]...]",
	.about = "Explain why a job waits and how a user or account ranks.",
	OPTION_ROWS(explain_option_rows)
};

static int parse_colour_option(struct explain_run *r, const char *arg)
{
	const char *no = getenv("NO_COLOR"), *term = getenv("TERM");

	if (!strcmp(arg, "always"))
		r->colour = true;
	else if (!strcmp(arg, "never"))
		r->colour = false;
	else if (!strcmp(arg, "auto"))
		r->colour = isatty(STDOUT_FILENO) && !(no && *no) && term && strcmp(term, "dumb") != 0;
	else {
		cmd_print_message(r->inv, "--color: unknown value '%s'; known: auto, always, never", arg);
		return EXIT_USAGE;
	}
	return -1;
}

static int parse_special_option(void *run, const struct options *o, int id)
{
	struct explain_run *r = run;

	switch (id) {
	case OPT_FORECAST:
		r->forecast = true;
		r->until = o->arg;
		return -1;
	case OPT_COLOR:
		return parse_colour_option(r, o->arg);
	default:
		return EXIT_USAGE;
	}
}

/* Returns how many of --partition, --qos, --node and --reservation are given. */
static int count_parts(const struct explain_run *r)
{
	int n = 0;

	for (size_t i = 0; i < FS_SITE_PART_COUNT; i++)
		n += r->part[i] != NULL;
	return n;
}

static int check_option_conflicts(struct explain_run *r)
{
	const int named = (r->job != NULL) + (r->user || r->account) + (r->word != NULL) + count_parts(r) +
			  (!r->word && r->script.file);

	if (r->site && (r->forecast || r->ahead || r->versus || r->advise || r->brief || r->verbose))
		cmd_print_message(r->inv, "--site cannot be combined with --forecast, --ahead, --versus, --advise, "
					  "--brief or --verbose");
	else if (r->site && usage_is_computation_requested(&r->input))
		cmd_print_message(r->inv, "--site cannot be combined with --at, --usage, --decay or --decay-runs");
	else if (named == 0 && r->forecast)
		cmd_print_message(r->inv, "--forecast requires a job, user or account; see %s --help", r->inv->name);
	else if (r->forecast && (r->ahead || r->versus || r->advise || r->brief || r->verbose))
		cmd_print_message(
			r->inv,
			"--forecast cannot be combined with --ahead, --versus, --advise, --brief or --verbose");
	else if (r->svg && (r->json || r->markdown || r->html || r->versus))
		cmd_print_message(r->inv, "--svg cannot be combined with --json, --markdown, --html or --versus");
	else if (r->html && (r->json || r->markdown || r->forecast || r->versus || r->ahead || r->brief || r->advise))
		cmd_print_message(r->inv, "--html cannot be combined with --json, --markdown, --forecast, --versus, "
					  "--ahead, --brief or --advise");
	else if (named == 0 && r->html && !r->site)
		cmd_print_message(r->inv, "--html requires a job or --site; see %s --help", r->inv->name);
	else if (r->forecast && usage_is_computation_requested(&r->input))
		cmd_print_message(r->inv, "--forecast cannot be combined with --at, --usage, --decay or --decay-runs");
	else if (named == 0 && (r->ahead || r->versus || r->advise || r->brief))
		cmd_print_message(r->inv,
				  "--ahead, --advise and --brief require a job, and --versus a job, user or "
				  "account; see %s --help",
				  r->inv->name);
	else if (named + r->own_jobs + r->site > 1)
		cmd_print_message(r->inv,
				  "give only one of WORD, --job, --me, --site, --partition, --qos, --node, --reservation, "
			"--user and --account; only --user and --account can be combined");
	else if (r->json && r->markdown)
		cmd_print_message(r->inv, "--json cannot be combined with --markdown");
	else if (r->input.text && (r->input.file || r->input.demo))
		cmd_print_message(r->inv, "--text cannot be combined with %s", r->input.file ? "-f" : "--demo");
	else if (r->ahead && r->versus)
		cmd_print_message(r->inv, "--ahead cannot be combined with --versus");
	else if ((r->advise || r->brief) && (r->ahead || r->versus))
		cmd_print_message(r->inv, "--%s cannot be combined with --%s", r->brief ? "brief" : "advise",
				  r->ahead ? "ahead" : "versus");
	else if (r->verbose && (r->brief || r->ahead || r->advise))
		cmd_print_message(r->inv, "--verbose cannot be combined with --%s",
				  r->brief   ? "brief"
				  : r->ahead ? "ahead"
					     : "advise");
	else if (r->advise && r->brief && !r->json)
		cmd_print_message(r->inv, "--brief cannot be combined with --advise");
	else if ((r->advise || r->brief) && usage_is_computation_requested(&r->input))
		cmd_print_message(r->inv, "--%s cannot be combined with --at, --usage, --decay or --decay-runs",
				  r->brief ? "brief" : "advise");
	else {
		r->own_jobs = named == 0 && !r->site;
		return -1;
	}
	return EXIT_USAGE;
}

/* Returns true if the option of fs-explain is also an option of sbatch. */
static bool is_option_of_sbatch(int id)
{
	return id == OPT_ACCOUNT || id == OPT_PARTITION || id == OPT_QOS || id == OPT_RESERVATION;
}

/* Returns true if fs-explain has the option. If a job script follows options of sbatch, --account is one of them. */
static bool is_own_option(const char *word, bool *takes_value)
{
	const size_t len = strcspn(word, "=");

	*takes_value = false;
	for (size_t i = 0; i < explain_option_table.n; i++) {
		const struct option_row *o = &explain_option_table.rows[i];
		const bool is_long =
			word[1] == '-' && o->name && strlen(o->name) == len - 2 && !strncmp(o->name, word + 2, len - 2);

		if (is_option_of_sbatch(o->id) || (!is_long && (word[1] == '-' || o->id != word[1])))
			continue;
		*takes_value = o->arg && o->arg[0] != '[' && !word[is_long ? len : 2];
		return true;
	}
	return false;
}

/* Parses the command line into *r. Returns -1 to continue, otherwise the exit status. */
static int parse_command_line(struct explain_run *r, int argc, char **argv)
{
	const struct option_target to = {
		.inv = r->inv, .run = r, .input = &r->input, .json = &r->json, .take = parse_special_option
	};
	int next, status = parse_colour_option(r, "auto");

	argc = next = explain_split_script_options(&r->script, argc, argv, is_own_option);
	if (status < 0)
		status = options_parse_command_line(&to, &explain_option_table, argc, argv, &next);
	for (int i = next; status < 0 && i < argc; i++) {
		if (r->word)
			status = options_report_unexpected_argument(r->inv, argv[i]);
		r->word = argv[i];
	}
	if (status < 0 && r->word && !r->script.file &&
	    (r->script.nwords || !strcmp(r->word, "-") || strchr(r->word, '/')))
		r->script.file = r->word;
	return status < 0 ? check_option_conflicts(r) : status;
}

/* ---- the subject of the page: the job, user, account, credential or reason that the command line names */

enum { NAME_MAX_LENGTH = 64 };

static size_t get_least_size(size_t a, size_t b, size_t c)
{
	const size_t ab = a < b ? a : b;

	return ab < c ? ab : c;
}

/* Returns the edit distance of two names: the number of letters inserted, removed or changed. If a name is longer than
 * NAME_MAX_LENGTH, returns NAME_MAX_LENGTH + 1. */
static size_t get_edit_distance(const char *a, const char *b)
{
	const size_t n = strlen(b);
	size_t row[NAME_MAX_LENGTH + 1];

	if (n > NAME_MAX_LENGTH || strlen(a) > NAME_MAX_LENGTH)
		return NAME_MAX_LENGTH + 1;
	for (size_t k = 0; k <= n; k++)
		row[k] = k;
	for (size_t i = 0; a[i]; i++) {
		size_t corner = row[0];

		row[0] = i + 1;
		for (size_t k = 0; k < n; k++) {
			const size_t above = row[k + 1];

			row[k + 1] = get_least_size(above + 1, row[k] + 1, corner + (a[i] != b[k]));
			corner = above;
		}
	}
	return row[n];
}

/* Returns the name of the visible user or account that is spelled most like the word. One letter may differ; in words
 * of more than 5 letters, two letters may differ. Returns NULL if no name is that similar. */
static const char *find_similar_name(const struct explain_view *v, const char *word)
{
	const size_t n = v->eval->shares ? fs_shares_count(v->eval->shares) : 0;
	/* a name is similar if its difference from the word is below this number; the difference is twice the edit
	 * distance, plus 1 if the first letters differ */
	size_t nearest = strlen(word) > 5 ? 6 : 4;
	const char *found = NULL;

	for (size_t i = 0; i < n; i++) {
		const struct fs_share_row *r = fs_shares_row(v->eval->shares, i);
		const char *name = *r->user ? r->user : r->account;
		const size_t d = r->visible ? get_edit_distance(word, name) : NAME_MAX_LENGTH + 1;

		if (d > NAME_MAX_LENGTH || 2 * d + (*name != *word) >= nearest)
			continue;
		nearest = 2 * d + (*name != *word);
		found = name;
	}
	return found;
}

static bool find_job_row(const struct explain_run *r, const char *word, struct subject *out)
{
	*out = (struct subject){ .kind = JOB, .row = fs_explain_find_job(r->view.explain, word) };
	return out->row != FS_NO_ROW;
}

/* Finds a Maui credential by its name. `kind`: kind of the credential. If `kind` is NULL, the word may have the kind as
 * a prefix ("user:emil"); without a prefix, a credential of any kind is found. */
static bool find_window_credential(const struct explain_run *r, const char *kind, const char *word, struct subject *out)
{
	char text[512];

	snprintf(text, sizeof(text), "%s%s%.400s", kind ? kind : "", kind ? ":" : "", word);
	*out = (struct subject){ .kind = CREDENTIAL, .row = fs_explain_find_credential(r->view.explain, text) };
	return out->row != FS_NO_ROW;
}

static bool find_user_row(const struct explain_run *r, const char *word, struct subject *out)
{
	if (!r->view_eval.shares)
		return find_window_credential(r, "user", word, out);
	*out = (struct subject){ .kind = USER,
				 .row = fs_explain_find_row(r->view.explain, r->account ? r->account : "", word) };
	return *word && out->row != FS_NO_ROW;
}

static bool find_account_row(const struct explain_run *r, const char *word, struct subject *out)
{
	if (!r->view_eval.shares)
		return find_window_credential(r, "acct", word, out);
	*out = (struct subject){ .kind = ACCOUNT, .row = fs_explain_find_row(r->view.explain, word, "") };
	return *word && out->row != FS_NO_ROW;
}

static bool find_reason_subject(const char *word, struct subject *out)
{
	*out = (struct subject){ .kind = REASON, .reason = explain_find_reason(word) };
	return out->reason != NULL;
}

static int report_unknown_subject(const struct explain_run *r, enum kind kind, const char *word)
{
	static const char *const kinds[] = { "job, user or account", "job", "user", "account" };
	const char *near = kind == JOB ? NULL : find_similar_name(&r->view, word);
	char visible[200], other[200];

	text_make_visible(visible, sizeof(visible), word);
	if (near)
		cmd_print_message(r->inv, "no %s \"%s\" that %s may see; did you mean %s?", kinds[kind], visible,
				  input_get_viewer_name(&r->input), text_make_visible(other, sizeof(other), near));
	else
		cmd_print_message(r->inv, "no %s \"%s\" that %s may see", kinds[kind], visible,
				  input_get_viewer_name(&r->input));
	return EXIT_NOTHING;
}

/* Finds a job that only usage records contain. Returns 0, or the exit status after an error message. */
static int find_past_job(struct explain_run *r, const char *word, enum kind kind, struct subject *out)
{
	uint64_t id;
	int status = fs_job_id_parse(r->snapshot, word, &id) ? 0 : explain_read_past_runs(r, id);

	*out = (struct subject){ .kind = PAST };
	return status ? status : r->view.past ? 0 : report_unknown_subject(r, kind, word);
}

/* Finds the part of the cluster that an option names. Returns 0, or the exit status after an error message. */
static int find_named_part(const struct explain_run *r, struct subject *out)
{
	char visible[200];

	*out = (struct subject){ .kind = PART };
	for (unsigned i = 0; i < FS_SITE_PART_COUNT; i++)
		if (r->part[i]) {
			out->part = (enum fs_site_part)i;
			out->name = r->part[i];
		}
	if (fs_site_has_part(r->snapshot, input_get_viewer_name(&r->input), out->part, out->name))
		return 0;
	cmd_print_message(r->inv, "no %s \"%s\" that %s may see", fs_site_part_name(out->part),
			  text_make_visible(visible, sizeof(visible), out->name), input_get_viewer_name(&r->input));
	return EXIT_NOTHING;
}

/* Finds the part of the cluster that the word names: a partition, QOS, node or reservation. Returns the number of parts
 * that have this name. */
static int find_word_part(const struct explain_run *r, struct subject *out)
{
	int n = 0;

	for (unsigned i = FS_SITE_PARTITION; i < FS_SITE_PART_COUNT; i++)
		if (fs_site_has_part(r->snapshot, input_get_viewer_name(&r->input), (enum fs_site_part)i, r->word)) {
			*out = (struct subject){ .kind = PART, .part = (enum fs_site_part)i, .name = r->word };
			n++;
		}
	return n;
}

/* Reports that the word names several parts of the cluster, with the option for each. */
static int report_several_parts(const struct explain_run *r)
{
	static const char *const options[] = { [FS_SITE_PARTITION] = "--partition",
					       [FS_SITE_QOS] = "--qos",
					       [FS_SITE_NODE] = "--node",
					       [FS_SITE_RESERVATION] = "--reservation" };
	char list[WORDS] = "", visible[200];

	for (unsigned i = FS_SITE_PARTITION; i < FS_SITE_PART_COUNT; i++)
		if (fs_site_has_part(r->snapshot, input_get_viewer_name(&r->input), (enum fs_site_part)i, r->word))
			append_text(list, sizeof(list), "%s%s", *list ? ", " : "", options[i]);
	cmd_print_message(r->inv, "\"%s\" has several meanings; use one of %s",
			  text_make_visible(visible, sizeof(visible), r->word), list);
	return EXIT_USAGE;
}

/* Finds the subject that an option names. Without such an option, finds the subject that the word on the command line
 * names. Returns 0, or the exit status after an error message. */
static int find_named_subject(struct explain_run *r, struct subject *out)
{
	int parts;

	if (r->job)
		return find_job_row(r, r->job, out) ? 0 : find_past_job(r, r->job, JOB, out);
	if (r->user)
		return find_user_row(r, r->user, out) ? 0 : report_unknown_subject(r, USER, r->user);
	if (r->account)
		return find_account_row(r, r->account, out) ? 0 : report_unknown_subject(r, ACCOUNT, r->account);
	if (count_parts(r))
		return find_named_part(r, out);
	if (find_job_row(r, r->word, out) || find_user_row(r, r->word, out) || find_account_row(r, r->word, out) ||
	    find_window_credential(r, NULL, r->word, out) || find_reason_subject(r->word, out))
		return 0;
	parts = find_word_part(r, out);
	return parts == 1 ? 0 : parts ? report_several_parts(r) : find_past_job(r, r->word, GUESS, out);
}

/* Finds the second subject of a comparison: a job if the first is a job, a credential if the first is a credential,
 * otherwise a user or an account. Returns 0, or the exit status after an error message. */
static int find_compared_subject(const struct explain_run *r, const struct subject *first, struct subject *out)
{
	struct explain_run plain = *r;
	bool found;

	plain.account = NULL; /* --account applies to the first subject only */
	if (first->kind == JOB)
		found = find_job_row(&plain, r->versus, out);
	else if (first->kind == CREDENTIAL)
		found = find_window_credential(
				r, fs_cred_kind_name(fs_windows_row(r->view_eval.windows, first->row)->kind), r->versus,
				out) ||
			find_window_credential(r, NULL, r->versus, out);
	else if (first->kind == USER)
		found = find_user_row(&plain, r->versus, out) || find_account_row(&plain, r->versus, out);
	else
		found = find_account_row(&plain, r->versus, out) || find_user_row(&plain, r->versus, out);
	return found ? 0 : report_unknown_subject(r, first->kind == JOB ? JOB : GUESS, r->versus);
}

/* Without an option that requests them, the plan is computed only for queues of at most PLAN_MAX_ENTRIES entries, and
 * the advice only for queues of at most ADVICE_MAX_ENTRIES entries. If the queue is unknown, both are tried: the error
 * is then the reason that the page gives. With --brief, the advice is computed for queues of at most
 * BRIEF_ADVICE_MAX_ENTRIES entries, so that the page of a larger site takes about as long as three plans; --verbose
 * always computes it. The time for a plan grows with the square of the number of entries, and
 * advice needs many plans. At these limits, the plan and the advice each take about half a second. */
enum { PLAN_MAX_ENTRIES = 4000, ADVICE_MAX_ENTRIES = 2500, BRIEF_ADVICE_MAX_ENTRIES = 5000 };

/* Returns true if the queue has at most `max` entries or is unknown. */
static bool is_queue_short(const struct explain_view *v, size_t max)
{
	return !v->eval->queue || fs_queue_count(v->eval->queue) <= max;
}

/* Copies the error message to `why`, but omits the name of the snapshot file at its start. */
static void copy_error_reason(char why[OUTLOOK_WHY], const fs_snapshot *s, const struct fs_error *err)
{
	const char *file = fs_snapshot_info(s)->file;
	const size_t n = strlen(file);
	const bool named = n && !strncmp(err->message, file, n) && !strncmp(err->message + n, ": ", 2);

	snprintf(why, OUTLOOK_WHY, "%s", err->message + (named ? n + 2 : 0));
}

static int record_missing_data(int rc, char why[OUTLOOK_WHY], const fs_snapshot *s, const struct fs_error *err)
{
	if (rc != FS_ENODATA)
		return rc;
	copy_error_reason(why, s, err);
	return 0;
}

/* One of the computations of an outlook. It is in memory of its own, because the user may stop waiting for it. */
struct outlook_work {
	const fs_snapshot *s;
	struct fs_view view;
	uint32_t job_row;
	bool likely;
	const fs_plan *plan; /* plan that the causes are based on */
	fs_plan *new_plan;
	fs_advices *advices;
	fs_causes *causes;
	struct fs_error err;
	int rc;
};

static void run_plan_work(void *arg)
{
	struct outlook_work *w = arg;
	const struct fs_plan_options options = { .view = w->view, .likely = w->likely };

	w->rc = fs_plan_compute(&w->new_plan, w->s, &options, &w->err);
}

static void run_advice_work(void *arg)
{
	struct outlook_work *w = arg;

	w->rc = fs_advise(&w->advices, w->s, w->job_row, &w->view, &w->err);
}

static void run_causes_work(void *arg)
{
	struct outlook_work *w = arg;
	const struct fs_cause_options options = { .view = w->view, .plan = w->plan };

	w->rc = fs_causes_find(&w->causes, w->s, w->job_row, &options, &w->err);
}

/* Does the work, and sets *out to its results. If the user stops it, sets the error FS_ENODATA, so that the page shows
 * the message instead of the result. */
static void do_outlook_work(struct outlook_work *out, const char *what, work_fn run)
{
	static const char stopped[] = "stopped with Ctrl-C; this answer is not complete";
	struct outlook_work *w = malloc(sizeof(*w));

	if (!w) {
		out->rc = out_of_memory(&out->err);
		return;
	}
	*w = *out;
	if (!work_run(what, true, run, w)) {
		out->err = (struct fs_error){ .code = FS_ENODATA };
		snprintf(out->err.message, sizeof(out->err.message), "%s", stopped);
		out->rc = FS_ENODATA;
		return;
	}
	*out = *w;
	free(w);
}

/* Computes the plan for the view. If `likely` is set or the queue is short, the plan also has the likely start time of
 * each job, which is derived from repeated simulations. Returns 0 or an error code of fs_plan_compute. If the snapshot
 * lacks data (FS_ENODATA), stores the message in v->no_plan and returns 0. */
static int compute_outlook_plan(struct outlook *o, struct explain_view *v, const struct fs_view *view, bool likely,
				struct fs_error *err)
{
	struct outlook_work w = { .s = v->snapshot,
				  .view = *view,
				  .likely = likely || is_queue_short(v, ADVICE_MAX_ENTRIES) };

	do_outlook_work(&w, "planning starts", run_plan_work);
	v->plan = o->plan = w.new_plan;
	v->no_plan = o->no_plan;
	*err = w.err;
	return record_missing_data(w.rc, o->no_plan, w.s, err);
}

/* Computes advice for the job. Returns 0 or an error code of fs_advise. If the snapshot lacks data (FS_ENODATA), stores
 * the message in v->no_advice and returns 0. */
static int compute_outlook_advice(struct outlook *o, struct explain_view *v, const struct fs_view *view,
				  uint32_t job_row, struct fs_error *err)
{
	struct outlook_work w = { .s = v->snapshot, .view = *view, .job_row = job_row };

	do_outlook_work(&w, "trying changes", run_advice_work);
	v->advices = o->advices = w.advices;
	v->no_advice = o->no_advice;
	*err = w.err;
	return record_missing_data(w.rc, o->no_advice, w.s, err);
}

/* Finds the causes of the job's wait. Returns 0 or an error code of fs_causes_find. If the snapshot lacks data
 * (FS_ENODATA), leaves v->causes NULL and returns 0. */
static int find_outlook_causes(struct outlook *o, struct explain_view *v, const struct fs_view *view, uint32_t job_row,
			       struct fs_error *err)
{
	struct outlook_work w = { .s = v->snapshot, .view = *view, .job_row = job_row, .plan = v->plan };

	do_outlook_work(&w, "finding causes", run_causes_work);
	v->causes = o->causes = w.causes;
	*err = w.err;
	return w.rc == FS_ENODATA ? 0 : w.rc;
}

static void set_skip_reason(char why[OUTLOOK_WHY], const char **reason_out, bool timed, const char *name,
			    const char *option)
{
	if (timed)
		snprintf(why, OUTLOOK_WHY, "not computed with --at or --usage");
	else
		snprintf(why, OUTLOOK_WHY, "not computed because the queue is long; run fs-explain %.60s --%s", name,
			 option);
	*reason_out = why;
}

int outlook_compute_parts(struct outlook *o, struct explain_view *v, const struct fs_view *view, uint32_t job_row,
			  bool asked, const char *name, struct fs_error *err)
{
	const bool timed = v->usage != NULL;
	int rc = 0;

	if (!v->plan && !timed && (asked || is_queue_short(v, PLAN_MAX_ENTRIES)))
		rc = compute_outlook_plan(o, v, view, asked, err);
	else if (!v->plan)
		set_skip_reason(o->no_plan, &v->no_plan, timed, name, "brief");
	if (!rc && !timed && (v->json || v->plan || asked))
		rc = find_outlook_causes(o, v, view, job_row, err);
	if (!rc && !timed && (v->verbose || is_queue_short(v, asked ? BRIEF_ADVICE_MAX_ENTRIES : ADVICE_MAX_ENTRIES)))
		return compute_outlook_advice(o, v, view, job_row, err);
	set_skip_reason(o->no_advice, &v->no_advice, timed, name, "advise");
	v->advice_skipped = !timed;
	return rc;
}

void outlook_free_parts(struct outlook *o)
{
	fs_causes_free(o->causes);
	fs_advices_free(o->advices);
	fs_plan_free(o->plan);
}

/* ---- evaluation of the snapshot */

/* Reports an error of the evaluation. Missing data is no error: the page then shows the affected results as unknown.
 * Returns 0 or the exit status. */
static int report_eval_errors(const struct explain_run *r)
{
	const struct fs_eval *e = &r->eval;
	const struct fs_error *const errors[] = { &e->shares_error, &e->prios_error, &e->queue_error,
						  &e->windows_error };

	for (size_t i = 0; i < sizeof(errors) / sizeof(*errors); i++)
		if (errors[i]->code && errors[i]->code != FS_ENODATA)
			return cmd_report_error(r->inv, errors[i]);
	return 0;
}

/* Evaluates the snapshot and initializes the view. Results for which the snapshot lacks data stay NULL. Returns 0, or
 * the exit status after an error message. */
static int evaluate_snapshot_view(struct explain_run *r)
{
	struct fs_view view = input_get_view(&r->input);
	struct fs_error err;
	int status = usage_is_computation_requested(&r->input)
			     ? usage_load_with_options(r->inv, &r->input, r->snapshot, NULL, NULL, &r->usage)
			     : 0;

	if (status)
		return status;
	view.usage = r->usage;
	if (fs_eval_compute(r->snapshot, &view, &r->eval, &err))
		return cmd_report_error(r->inv, &err);
	status = report_eval_errors(r);
	if (status)
		return status;
	r->view_eval = r->eval;
	explain_init_view(&r->view, &r->view_eval);
	r->view.json = r->json;
	r->view.position = r->input.position;
	r->view.usage = r->usage;
	if (explain_compute_second_shares(&r->view, &r->second_shares, &view, &err))
		return cmd_report_error(r->inv, &err);
	return fs_explain_new(&r->view.explain, r->view.eval, &err) ? cmd_report_error(r->inv, &err) : 0;
}

/* Stores the inputs of --forecast in the view. Returns 0, or the exit status after an error message. */
static int read_forecast_options(struct explain_run *r)
{
	struct fs_error err;

	r->forecast_inputs = (struct explain_forecast){ .view = input_get_view(&r->input), .eval = &r->eval };
	r->view.forecast = &r->forecast_inputs;
	if (forecast_parse_until(r->snapshot, r->until, &r->forecast_inputs.until, &err))
		return cmd_report_error(r->inv, &err);
	if (r->forecast_inputs.until > fs_snapshot_info(r->snapshot)->time)
		return 0;
	cmd_print_message(r->inv, "--forecast: the end must be after the snapshot's time");
	return EXIT_USAGE;
}

/* Computes the plan of starts for the view if the snapshot has the data. Returns 0, or the exit status after an error
 * message. */
static int compute_start_plan(struct explain_run *r)
{
	const struct fs_view view = input_get_view(&r->input);
	struct fs_error err;

	return compute_outlook_plan(&r->outlook, &r->view, &view, r->own_jobs || r->brief || r->verbose, &err)
		       ? cmd_report_error(r->inv, &err)
		       : 0;
}

/* Computes the plan and the advice that a job's page needs. Without an option that requests them, the plan and the
 * advice are computed only if the queue is short enough. Returns 0, or the exit status after an error message. */
static int compute_job_outlook(struct explain_run *r, uint32_t job_row)
{
	const struct fs_view view = input_get_view(&r->input);
	struct fs_error err;
	int rc = 0;

	r->view.advise = r->advise || (r->verbose && r->json);
	r->view.verbose = r->verbose;
	r->view.brief = r->brief || r->verbose;
	if (r->ahead || (r->advise && !r->brief) || (r->json && !r->brief && !r->verbose)) {
		if (r->advise)
			rc = compute_outlook_advice(&r->outlook, &r->view, &view, job_row, &err);
		if (!rc && r->json && !r->view.usage)
			rc = find_outlook_causes(&r->outlook, &r->view, &view, job_row, &err);
	} else {
		rc = outlook_compute_parts(&r->outlook, &r->view, &view, job_row, r->brief || r->verbose,
					   r->job ? r->job : r->word, &err);
	}
	return rc ? cmd_report_error(r->inv, &err) : 0;
}

/* Frees everything that r owns, including the snapshot. */
static void free_explain_run(struct explain_run *r)
{
	outlook_free_parts(&r->outlook);
	fs_explain_free(r->view.explain);
	fs_shares_free(r->second_shares);
	fs_eval_release(&r->eval);
	fs_usage_free(r->usage);
	free(r->past);
	explain_free_script(&r->script);
	free(r->places.v);
	input_release_resources(&r->input);
	fs_snapshot_free(r->snapshot);
}

/* ---- output */

static bool is_less_installed(void)
{
	const char *path = getenv("PATH");
	char file[4096];

	while (path && *path) {
		const size_t n = strcspn(path, ":");

		if (snprintf(file, sizeof(file), "%.*s/less", (int)n, path) < (int)sizeof(file) && !access(file, X_OK))
			return true;
		path += n + (path[n] == ':');
	}
	return false;
}

/* Prints the page to standard output, through a pager if standard input and output are terminals. Returns the exit
 * status. */
static int print_page_paged(const struct explain_run *r, struct page *p)
{
	const char *pager = getenv("PAGER");
	FILE *out = NULL;

	if (*r->input.paste_gaps.next) {
		page_add_gap(p);
		page_end_with(p, "Paste next: the output of %s.", r->input.paste_gaps.next);
	}
	if (p->failed)
		return cmd_report_no_memory(r->inv);
	if (!r->no_pager && !r->markdown && isatty(STDOUT_FILENO) && isatty(STDIN_FILENO)) {
		if (!(pager && *pager))
			pager = is_less_installed() ? "less -FRX" : NULL;
		out = pager ? popen(pager, "w") : NULL;
	}
	page_print_lines(p, out ? out : stdout, r->colour && !r->markdown);
	if (out)
		pclose(out);
	return EXIT_DONE;
}

/* Returns the exit status for the result of a JSON writer; a negative result means out of memory. */
static int get_document_status(const struct explain_run *r, int status)
{
	return status < 0 ? cmd_report_no_memory(r->inv) : status;
}

/* Computes the explanation of a job. The explanation groups the jobs ahead by account, user and array. Only pages that
 * list all groups (--ahead, JSON and HTML) need all three levels. For other pages, fs_explain_job_heads groups the jobs
 * only by account, and by user if they have no account. */
static int explain_job_subject(const struct explain_run *r, uint32_t row, struct fs_explain_job *out,
			       struct fs_error *err)
{
	return r->json || r->html || r->ahead ? fs_explain_job(r->view.explain, row, out, err)
					      : fs_explain_job_heads(r->view.explain, row, out, err);
}

static int show_job_page(const struct explain_run *r, struct page *p, const struct subject *a, const struct subject *b)
{
	struct fs_explain_job first, second;
	struct fs_error err;

	if (explain_job_subject(r, a->row, &first, &err) || (b && explain_job_subject(r, b->row, &second, &err)))
		return cmd_report_error(r->inv, &err);
	if (r->json)
		return get_document_status(r, b ? explain_write_job_pair(&r->view, &first, &second)
						: explain_write_job(&r->view, &first));
	if (r->html)
		return explain_save_job_html(&r->view, r->inv, input_get_viewer_name(&r->input), &first, r->html);
	if (r->svg && !r->forecast)
		return explain_save_job_picture(&r->view, r->inv, input_get_viewer_name(&r->input), &first, r->svg);
	if (r->svg)
		return explain_save_forecast_picture(&r->view, r->inv, FS_NO_ROW, a->row, r->svg);
	if (r->forecast && explain_add_job_forecast(p, &r->view, a->row))
		return cmd_report_no_memory(r->inv);
	if (r->forecast)
		return print_page_paged(r, p);
	if (b)
		explain_add_job_pair(p, &r->view, &first, &second);
	else if (r->brief)
		explain_add_summary(p, &r->view, &first);
	else
		explain_add_job(p, &r->view, &first, r->ahead);
	return print_page_paged(r, p);
}

/* Returns the share rows of the subject: for a user all rows of that user, or with --account only the rows in that
 * account; for an account its own row. Sets *n to the number of rows. Returns NULL if out of memory; the caller frees
 * the result. */
static uint32_t *collect_subject_rows(const struct explain_run *r, const struct subject *a, size_t *n)
{
	const char *user = fs_shares_row(r->view_eval.shares, a->row)->user;
	const size_t all = fs_shares_count(r->view_eval.shares);
	uint32_t *rows = malloc((all + 1) * sizeof(*rows));

	*n = 0;
	for (uint32_t i = 0; rows && i < all; i++) {
		const struct fs_share_row *s = fs_shares_row(r->view_eval.shares, i);

		if (a->kind == ACCOUNT
			    ? i == a->row
			    : s->visible && !strcmp(s->user, user) && (!r->account || !strcmp(s->account, r->account)))
			rows[(*n)++] = i;
	}
	return rows;
}

static int write_rows_picture(const struct explain_run *r, const uint32_t *rows, size_t n)
{
	if (n == 1)
		return explain_save_forecast_picture(&r->view, r->inv, rows[0], FS_NO_ROW, r->svg);
	cmd_print_message(r->inv, "--svg draws one association, but %zu match; select one with --account", n);
	return EXIT_USAGE;
}

/* Shows the page, picture or document of a user or account, or of two compared share rows. `rows`: the n share rows of
 * the subject. Returns the exit status. */
static int show_share_rows(const struct explain_run *r, struct page *p, const struct subject *a,
			   const struct subject *b, const uint32_t *rows, size_t n)
{
	const bool account = a->kind == ACCOUNT;
	int rc;

	if (r->json)
		return get_document_status(
			r, b ? explain_write_share_pair(&r->view, a->row, b->row)
			     : explain_write_share_rows(&r->view, account ? "account" : "user", rows, n));
	if (r->svg)
		return write_rows_picture(r, rows, n);
	rc = r->forecast ? explain_add_shares_forecast(p, &r->view, rows, n)
	     : b         ? explain_add_share_pair(p, &r->view, a->row, b->row)
	     : account   ? explain_add_account(p, &r->view, a->row)
			 : explain_add_user(p, &r->view, fs_shares_row(r->view_eval.shares, a->row)->user, r->account);
	return rc ? cmd_report_no_memory(r->inv) : print_page_paged(r, p);
}

static int show_rows_page(const struct explain_run *r, struct page *p, const struct subject *a, const struct subject *b)
{
	size_t n;
	uint32_t *rows = collect_subject_rows(r, a, &n);
	const int status = rows ? show_share_rows(r, p, a, b, rows, n) : cmd_report_no_memory(r->inv);

	free(rows);
	return status;
}

static int show_credential_page(const struct explain_run *r, struct page *p, const struct subject *a,
				const struct subject *b)
{
	if (r->json)
		return get_document_status(r, b ? explain_write_credential_pair(&r->view, a->row, b->row)
						: explain_write_credential(&r->view, a->row));
	if (r->svg)
		return explain_save_forecast_picture(&r->view, r->inv, explain_find_credential_share(&r->view, a->row),
						     FS_NO_ROW, r->svg);
	if (r->forecast && explain_add_credential_forecast(p, &r->view, a->row))
		return cmd_report_no_memory(r->inv);
	if (r->forecast)
		return print_page_paged(r, p);
	if (b)
		explain_add_credential_pair(p, &r->view, a->row, b->row);
	else
		explain_add_credential(p, &r->view, a->row);
	return print_page_paged(r, p);
}

static void begin_text_page(const struct explain_run *r, struct page *p)
{
	page_init_form(p, r->markdown ? PAGE_MARKDOWN : PAGE_TEXT, 80, text_has_utf8());
	if (r->snapshot)
		page_add_what_if(p, r->snapshot);
	if (r->snapshot && r->input.text)
		explain_add_paste_contents(p, r->snapshot, r->input.paste_gaps.unread);
}

static int show_reason_page(const struct explain_run *r, struct page *p, const struct subject *a)
{
	if (r->json)
		return get_document_status(r, explain_write_reason(&r->view, a->reason));
	explain_add_reason(p, &r->view, a->reason);
	return print_page_paged(r, p);
}

/* Returns the reason if the command line names only a reason and no snapshot is given; otherwise NULL. The page then
 * shows the meaning of the reason without the number of jobs, so a snapshot need not be captured. */
static const struct fs_reason *find_standalone_reason(const struct explain_run *r)
{
	const bool more = r->versus || r->ahead || r->advise || r->brief || r->input.fresh || r->input.edits.n;
	const char *file;
	const enum input_source source = input_find_source(&r->input, &file);

	return r->word && !more && (source == INPUT_NONE || source == INPUT_LIVE) ? explain_find_reason(r->word) : NULL;
}

static int show_standalone_reason(const struct explain_run *r, const struct fs_reason *reason)
{
	struct explain_view nothing = { .json = r->json };
	struct page p;
	int status;

	if (r->json)
		return get_document_status(r, explain_write_reason(&nothing, reason));
	begin_text_page(r, &p);
	explain_add_reason(&p, NULL, reason);
	status = print_page_paged(r, &p);
	page_free_text(&p);
	return status;
}

static int show_past_page(const struct explain_run *r, struct page *p)
{
	if (r->json)
		return get_document_status(r, explain_write_past_job(&r->view));
	explain_add_past_job(p, &r->view);
	return print_page_paged(r, p);
}

/* Reads the runs of the job and their cost if the job runs or has ended. A requeued job that is pending again has
 * earlier runs too; these are read if the snapshot has usage records. Returns 0, or the exit status after an error
 * message. */
static int read_job_cost(struct explain_run *r, uint32_t row)
{
	struct fs_explain_job job;
	struct fs_error err;
	struct fs_job j;

	if (fs_explain_job_brief(r->view.explain, row, &job, &err))
		return cmd_report_error(r->inv, &err);
	fs_snapshot_job(r->snapshot, row, &j);
	if (job.state != FS_EXPLAIN_RUNNING && job.state != FS_EXPLAIN_ENDED &&
	    !fs_snapshot_records(r->snapshot, "usage"))
		return 0;
	return explain_read_past_runs(r, j.id);
}

static int list_own_jobs(struct explain_run *r)
{
	const char *viewer = input_get_viewer_name(&r->input);
	struct page p;
	int status = compute_start_plan(r);

	if (status)
		return status;
	if (r->json)
		return get_document_status(r, explain_write_job_list(&r->view, viewer));
	begin_text_page(r, &p);
	status = explain_add_job_list(&p, &r->view, viewer) ? cmd_report_no_memory(r->inv) : print_page_paged(r, &p);
	page_free_text(&p);
	return status;
}

/* ---- the page of the site */

/* A queue of more than PLAN_MAX_ENTRIES entries gets fewer plans, at most three in total. */
enum { SITE_TRIALS = 3, SITE_TRIALS_IF_LONG = 2 };

/* Writes the page of the site as an HTML document to the file. Returns the exit status. */
static int save_site_html(const struct explain_run *r, const struct explain_site *x)
{
	struct markup doc = { .state = r->snapshot };
	struct page p;
	int rc;

	html_begin_document(&doc,
			    format_words(BUF, "%s %s, as of %s", x->part ? fs_site_part_name(x->part) : "Site",
					 x->part ? x->name : fs_snapshot_info(r->snapshot)->cluster,
					 format_full_time(BUF, r->snapshot, fs_snapshot_info(r->snapshot)->time)));
	page_init_form(&p, PAGE_HTML, 80, true);
	page_add_what_if(&p, r->snapshot);
	rc = explain_add_site(&p, &r->view, x);
	html_add_page_lines(&doc, &p, 0);
	html_end_document(&doc);
	rc = rc || p.failed || doc.failed;
	page_free_text(&p);
	if (!rc)
		return markup_save_file(r->inv, &doc, r->html);
	markup_free_text(&doc);
	return cmd_report_no_memory(r->inv);
}

static void ignore_note(void *ctx, const char *sentence)
{
	(void)ctx;
	(void)sentence;
}

/* Counts the recorded values that were compared with computed values, unless --if changed the snapshot. Returns 0, or
 * the exit status after an error message. */
static int verify_site(const struct explain_run *r, struct explain_site *x)
{
	struct fs_verify_result result;
	struct fs_error err;

	if (r->input.edits.n)
		return 0;
	if (fs_snapshot_verify(r->snapshot, ignore_note, NULL, &result, &err))
		return cmd_report_error(r->inv, &err);
	for (size_t i = 0; i < result.columns; i++) {
		x->compared += result.column[i].compared;
		x->differ += result.column[i].differ;
	}
	return 0;
}

static int print_site_page(const struct explain_run *r, const struct explain_site *x)
{
	struct page p;
	int status;

	if (r->json)
		return get_document_status(r, explain_write_site(&r->view, x));
	if (r->html)
		return save_site_html(r, x);
	begin_text_page(r, &p);
	status = explain_add_site(&p, &r->view, x) ? cmd_report_no_memory(r->inv) : print_page_paged(r, &p);
	page_free_text(&p);
	return status;
}

/* Explains the cluster, or the part `part` of it with the name `name`. */
static int explain_site_part(struct explain_run *r, enum fs_site_part part, const char *name)
{
	const struct fs_site_options options = {
		.size = sizeof(options),
		.view = input_get_view(&r->input),
		.part = part,
		.name = name,
		.max_trials = is_queue_short(&r->view, PLAN_MAX_ENTRIES) ? SITE_TRIALS : SITE_TRIALS_IF_LONG,
	};
	struct explain_site x = { .part = part, .name = name };
	fs_site *site;
	struct fs_error err;
	int status;

	if (fs_site_compute(&site, r->snapshot, &options, &err))
		return cmd_report_error(r->inv, &err);
	x.site = site;
	status = part ? 0 : verify_site(r, &x);
	if (!status)
		status = print_site_page(r, &x);
	fs_site_free(site);
	return status;
}

/* Checks for options that do not apply to this kind of subject. Returns 0, or the exit status after an error
 * message. */
static int check_subject_options(const struct explain_run *r, enum kind kind)
{
	const bool part = r->ahead || r->advise || r->brief;

	if (kind == REASON && (r->versus || part))
		cmd_print_message(
			r->inv,
			"the explanation of a reason cannot be combined with --versus, --ahead, --advise or --brief");
	else if (kind == PAST && (r->versus || r->forecast || r->html))
		cmd_print_message(r->inv, "--versus, --forecast and --html require a job record; this job has only "
					  "usage records");
	else if (part && kind != JOB && !(r->brief && kind == PAST))
		cmd_print_message(r->inv, "--%s requires a job", r->ahead ? "ahead" : r->brief ? "brief" : "advise");
	else if (kind == PART && (r->versus || r->forecast))
		cmd_print_message(r->inv, "--%s requires a job, user or account", r->versus ? "versus" : "forecast");
	else if (kind == PART && usage_is_computation_requested(&r->input))
		cmd_print_message(r->inv,
				  "the explanation of a partition, QOS, node or reservation cannot be combined with "
				  "--at, --usage, --decay or --decay-runs");
	else if (r->html && kind != JOB && kind != PART)
		cmd_print_message(r->inv, "--html requires a job, --site, or a partition, QOS, node or reservation");
	else if (r->svg && kind != JOB && !r->forecast)
		cmd_print_message(r->inv, "--svg requires a job or --forecast");
	else if (r->forecast && kind == REASON)
		cmd_print_message(r->inv, "--forecast requires a job, user or account");
	else
		return 0;
	return EXIT_USAGE;
}

/* Computes the plan, advice, cost or forecast inputs that the page needs. Returns 0, or the exit status after an error
 * message. */
static int compute_page_extras(struct explain_run *r, const struct subject *a)
{
	int status;

	if (r->forecast)
		return read_forecast_options(r);
	if (a->kind != JOB || r->versus)
		return 0;
	status = compute_job_outlook(r, a->row);
	return status ? status : read_job_cost(r, a->row);
}

static int show_subject_page(struct explain_run *r, struct page *p, const struct subject *a, const struct subject *b)
{
	switch (a->kind) {
	case REASON:
		return show_reason_page(r, p, a);
	case PAST:
		return show_past_page(r, p);
	case CREDENTIAL:
		return show_credential_page(r, p, a, b);
	case JOB:
		return show_job_page(r, p, a, b);
	default:
		return show_rows_page(r, p, a, b);
	}
}

static int explain_one_subject(struct explain_run *r)
{
	struct subject a, b;
	struct page p;
	int status = find_named_subject(r, &a);

	if (!status)
		status = check_subject_options(r, a.kind);
	if (!status && r->versus)
		status = find_compared_subject(r, &a, &b);
	if (!status)
		status = compute_page_extras(r, &a);
	if (status)
		return status;
	if (a.kind == PART)
		return explain_site_part(r, a.part, a.name);
	begin_text_page(r, &p);
	status = show_subject_page(r, &p, &a, r->versus ? &b : NULL);
	page_free_text(&p);
	return status;
}

/* ---- a job script */

/* Returns true if the word names a job, user, account, credential or reason. */
static bool is_subject_name(struct explain_run *r)
{
	struct subject a;

	return find_job_row(r, r->word, &a) || find_user_row(r, r->word, &a) || find_account_row(r, r->word, &a) ||
	       find_window_credential(r, NULL, r->word, &a) || find_reason_subject(r->word, &a) ||
	       find_word_part(r, &a);
}

/* Frees the results that borrow from the snapshot, so that the snapshot can be changed. */
static void free_evaluation(struct explain_run *r)
{
	fs_explain_free(r->view.explain);
	fs_shares_free(r->second_shares);
	fs_eval_release(&r->eval);
	r->second_shares = NULL;
	r->eval = r->view_eval = (struct fs_eval){ .shares = NULL };
	r->view = (struct explain_view){ .explain = NULL };
}

/* Computes what the page of a script shows about its first job. Returns 0, or the exit status after an error
 * message. */
static int compute_script_outlook(struct explain_run *r, struct fs_explain_job *job)
{
	const struct fs_view view = input_get_view(&r->input);
	struct fs_error err;

	if (compute_outlook_plan(&r->outlook, &r->view, &view, true, &err) ||
	    find_outlook_causes(&r->outlook, &r->view, &view, r->script.first_row, &err) ||
	    fs_explain_job_heads(r->view.explain, r->script.first_row, job, &err))
		return cmd_report_error(r->inv, &err);
	return 0;
}

/* Checks for options that do not apply to a job script. Returns 0, or the exit status after an error message. */
static int check_script_options(const struct explain_run *r)
{
	if (r->write && !r->where) {
		cmd_print_message(r->inv, "--write requires --where");
		return EXIT_USAGE;
	}
	if (!r->ahead && !r->versus && !r->advise && !r->brief && !r->forecast && !r->html && !r->svg &&
	    !usage_is_computation_requested(&r->input))
		return 0;
	cmd_print_message(r->inv,
			  "a job script can only be combined with --json, --markdown and options of the snapshot");
	return EXIT_USAGE;
}

static int find_script_places(struct explain_run *r)
{
	const struct fs_view view = input_get_view(&r->input);

	return explain_find_places(r->inv, &r->script, &view, r->snapshot, &r->places);
}

/* Submits the script, and shows its page. Returns EXIT_NOTHING if sbatch would refuse the script. */
static int explain_job_script(struct explain_run *r)
{
	struct fs_explain_job job;
	struct fs_error err;
	struct page p;
	bool accepted = false;
	const struct fs_explain_job *shown;
	int status = check_script_options(r);

	if (!status && r->where)
		status = find_script_places(r);
	if (!status && r->write)
		return explain_print_header(r->inv, &r->places);
	if (!status)
		status = explain_submit_script(r->inv, &r->script, input_get_viewer_name(&r->input), r->snapshot);
	shown = r->script.error.code ? NULL : &job;
	if (!status)
		status = evaluate_snapshot_view(r);
	if (!status && shown)
		status = compute_script_outlook(r, &job);
	if (status)
		return status;
	if (r->json) {
		status = get_document_status(
			r, explain_write_script(&r->view, &r->script, shown, r->where ? &r->places : NULL, &accepted));
	} else {
		begin_text_page(r, &p);
		status = explain_add_script(&p, &r->view, &r->script, shown, &accepted, &err)
				 ? cmd_report_error(r->inv, &err)
				 : 0;
		if (!status && r->where)
			explain_add_places(&p, r->snapshot, &r->places);
		status = status ? status : print_page_paged(r, &p);
		page_free_text(&p);
	}
	return status || accepted ? status : EXIT_NOTHING;
}

/* Opens the snapshot. With --site, this is the snapshot of the next cluster of SLURM_CLUSTERS; an empty line separates
 * the pages of two clusters. Returns 0, or the exit status after an error message. */
static int open_explained_snapshot(struct explain_run *r, struct clusters *c)
{
	const bool first = !c->next;
	int status;

	if (!r->site)
		return clusters_open_snapshot(r->inv, &r->input, &r->snapshot);
	status = clusters_choose_next(r->inv, &r->input, c);
	if (!status && c->n > 1 && (r->json || r->html)) {
		cmd_print_message(r->inv, "SLURM_CLUSTERS with several clusters cannot be combined with --json or --html");
		clusters_stop(c);
		return EXIT_USAGE;
	}
	if (!status)
		status = input_open_snapshot(r->inv, &r->input, &r->snapshot);
	if (!status && !first)
		emit("\n");
	return status;
}

static int run_for_one_cluster(const struct invocation *inv, int argc, char **argv, struct clusters *c)
{
	struct explain_run r = { .inv = inv, .input = { .recorded = true, .records_later = true, .past_jobs = true } };
	const struct fs_reason *reason;
	int status = parse_command_line(&r, argc, argv);

	if (status >= 0)
		return status;
	if ((reason = find_standalone_reason(&r)))
		return show_standalone_reason(&r, reason);
	status = open_explained_snapshot(&r, c);
	if (!status && !r.script.file)
		status = evaluate_snapshot_view(&r);
	if (!status && r.word && !r.script.file && explain_is_script_name(r.word) && !is_subject_name(&r)) {
		free_evaluation(&r);
		r.script.file = r.word;
	}
	if (!status && r.script.file)
		status = explain_job_script(&r);
	else if (!status)
		status = r.site ? explain_site_part(&r, FS_SITE_ALL, "") : r.own_jobs ? list_own_jobs(&r) : explain_one_subject(&r);
	if (work_was_stopped()) {
		cmd_print_message(inv, "stopped with Ctrl-C; the answer is not complete");
		fflush(stdout);
		_exit(EXIT_FAILED);
	}
	free_explain_run(&r);
	return status;
}

static int run_explain_command(const struct invocation *inv, int argc, char **argv)
{
	return clusters_run_command(inv, argc, argv, run_for_one_cluster);
}

const struct command explain_command = { "fs-explain", NULL,  "why a job waits and how a user or account ranks",
					 "",           false, run_explain_command };

/* Frees everything that r owns except the snapshot, which belongs to the caller. */
static void free_borrowed_run(struct explain_run *r)
{
	r->snapshot = NULL;
	free_explain_run(r);
}

int explain_find_ticket_job(const struct invocation *inv, fs_snapshot *s, const char *job, uint32_t *row)
{
	struct explain_run r = { .inv = inv, .input = { .recorded = true, .as = "root" }, .job = job, .snapshot = s };
	struct subject a;
	int status = evaluate_snapshot_view(&r);

	if (!status)
		status = find_named_subject(&r, &a);
	if (!status)
		*row = a.row;
	free_borrowed_run(&r);
	return status;
}

static int write_job_markdown(struct explain_run *r, const struct fs_explain_job *job, FILE *to)
{
	struct page p;
	int status = 0;

	page_init_form(&p, PAGE_MARKDOWN, 80, true);
	page_add_what_if(&p, r->snapshot);
	explain_add_job(&p, &r->view, job, false);
	if (p.failed)
		status = cmd_report_no_memory(r->inv);
	else
		page_print_lines(&p, to, false);
	page_free_text(&p);
	return status;
}

static int write_job_html(struct explain_run *r, const struct fs_explain_job *job, FILE *to)
{
	struct markup doc = { .state = r->snapshot };
	int status = 0;

	if (!explain_make_job_document(&doc, &r->view, input_get_viewer_name(&r->input), job) ||
	    stream_write_bytes(to, doc.text, doc.len))
		status = cmd_report_no_memory(r->inv);
	markup_free_text(&doc);
	return status;
}

static int write_ticket_pages(struct explain_run *r, FILE *markdown, FILE *html)
{
	struct fs_explain_job job;
	struct fs_error err;
	struct subject a;
	int status = find_named_subject(r, &a);

	if (!status)
		status = compute_job_outlook(r, a.row);
	if (status)
		return status;
	if (fs_explain_job(r->view.explain, a.row, &job, &err))
		return cmd_report_error(r->inv, &err);
	status = write_job_markdown(r, &job, markdown);
	return status ? status : write_job_html(r, &job, html);
}

int explain_write_ticket_pages(const struct invocation *inv, fs_snapshot *s, const char *job, const char *viewer,
			       FILE *markdown, FILE *html)
{
	struct explain_run r = {
		.inv = inv, .input = { .recorded = true, .as = viewer }, .job = job, .markdown = true, .snapshot = s
	};
	int status = evaluate_snapshot_view(&r);

	if (!status)
		status = write_ticket_pages(&r, markdown, html);
	free_borrowed_run(&r);
	return status;
}
