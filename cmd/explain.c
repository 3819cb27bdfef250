/* fs-explain: why a job, user or account stands where it does, in words and in sums that add up. */
#include "explain_json.h"
#include "input.h"
#include "options.h"
#include "render/text.h"
#include "usage_input.h"
#include "version.h"

#include <langinfo.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	OPT_JOB = OPT_FIRST_FREE,
	OPT_USER,
	OPT_ACCOUNT,
	OPT_VERSUS,
	OPT_AHEAD,
	OPT_MARKDOWN,
	OPT_NO_PAGER,
	OPT_COLOR
};

static const struct option_row option_rows[] = {
	{ 0, NULL, NULL, "What to explain (WORD is guessed to be a job, a user or an account)" },
	{ OPT_JOB, "job", "ID", "this job: 12, 12_3" },
	{ OPT_USER, "user", "NAME", "this user; with --account only there" },
	{ OPT_ACCOUNT, "account", "NAME", "this account" },
	{ OPT_VERSUS, "versus", "WORD", "against another job, user or account" },
	{ OPT_AHEAD, "ahead", NULL, "the jobs ahead of the job, by account, user and array" },
	{ 0, NULL, NULL, "Output" },
	{ OPT_MARKDOWN, "markdown", NULL, "Markdown, for tickets" },
	{ OPT_JSON, "json", NULL, "JSON, schema fs-explain/1" },
	{ OPT_COLOR, "color", "WHEN", "auto, always or never" },
	{ OPT_NO_PAGER, "no-pager", NULL, "never show it through a pager" },
	USAGE_OPTIONS,
	COMMON_OPTIONS,
	{ 0, NULL, NULL, "Other" },
	{ 'V', "version", NULL, "print the version" },
	{ OPT_HELP, "help", NULL, "print this text" },
};

enum kind { GUESS, JOB, USER, ACCOUNT, CREDENTIAL };

/* What a word stands for: a job row, a share row, or (Maui) a row of fs_windows. */
struct subject {
	enum kind kind;
	uint32_t row;
};

struct explain_run {
	const struct invocation *inv;
	struct input input;
	const char *word, *job, *user, *account, *versus;
	bool ahead, markdown, json, no_pager, colour;
	fs_snapshot *snapshot;
	fs_usage *usage;
	fs_shares *shares;
	fs_prios *prios;
	fs_queue *queue;
	fs_accrue *accrue;
	fs_holds *holds;
	fs_windows *windows;
	fs_shares *other; /* by the algorithm to compare with */
	struct fs_explain_from from;
	struct explain_view view;
};

/* ---- options */

static int parse_colour(struct explain_run *r, const char *arg)
{
	const char *no = getenv("NO_COLOR"), *term = getenv("TERM");

	if (!strcmp(arg, "always"))
		r->colour = true;
	else if (!strcmp(arg, "never"))
		r->colour = false;
	else if (!strcmp(arg, "auto"))
		r->colour = isatty(STDOUT_FILENO) && !(no && *no) && term && strcmp(term, "dumb") != 0;
	else {
		complain(r->inv, "--color: auto, always or never, not \"%s\"", arg);
		return EXIT_USAGE;
	}
	return -1;
}

/* -1 to go on, otherwise the exit status. */
static int take_option(struct explain_run *r, int id, const char *arg)
{
	const int common = input_option(r->inv, &r->input, id, arg);

	if (common)
		return common > 0 ? -1 : EXIT_USAGE;
	switch (id) {
	case OPT_JOB:
		r->job = arg;
		return -1;
	case OPT_USER:
		r->user = arg;
		return -1;
	case OPT_ACCOUNT:
		r->account = arg;
		return -1;
	case OPT_VERSUS:
		r->versus = arg;
		return -1;
	case OPT_AHEAD:
		r->ahead = true;
		return -1;
	case OPT_MARKDOWN:
		r->markdown = true;
		return -1;
	case OPT_JSON:
		r->json = true;
		return -1;
	case OPT_NO_PAGER:
		r->no_pager = true;
		return -1;
	case OPT_COLOR:
		return parse_colour(r, arg);
	case 'V':
		puts("fs-explain " FS_TOOLS_VERSION);
		return EXIT_DONE;
	default:
		return EXIT_USAGE;
	}
}

static int check_words(const struct explain_run *r)
{
	const int named = (r->job != NULL) + (r->user || r->account) + (r->word != NULL);

	if (named == 0)
		complain(r->inv, "what should be explained? Give a job, a user or an account; see %s --help", r->inv->name);
	else if (named > 1)
		complain(r->inv, "one thing at a time: a word, --job, or --user and --account");
	else if (r->json && r->markdown)
		complain(r->inv, "--json and --markdown exclude each other");
	else if (r->ahead && r->versus)
		complain(r->inv, "--ahead and --versus exclude each other");
	else
		return -1;
	return EXIT_USAGE;
}

static int parse(struct explain_run *r, int argc, char **argv)
{
	struct options o;
	int id, status = parse_colour(r, "auto");

	if (options_init(&o, r->inv, option_rows, sizeof(option_rows) / sizeof(*option_rows), argc, argv)) {
		options_release(&o);
		complain(r->inv, "out of memory");
		return EXIT_FAILED;
	}
	while (status < 0 && (id = options_next(&o)) != -1) {
		if (id == OPT_HELP || (id == OPT_USAGE && !o.arg)) {
			options_help(&o, "[OPTION]... WORD", "Why a job, user or account stands where it does.");
			status = EXIT_DONE;
		} else {
			status = take_option(r, id, o.arg);
		}
	}
	for (int i = o.next; status < 0 && i < argc; i++) {
		if (r->word) {
			complain(r->inv, "unexpected argument \"%s\"; see %s --help", argv[i], r->inv->name);
			status = EXIT_USAGE;
		}
		r->word = argv[i];
	}
	options_release(&o);
	return status < 0 ? check_words(r) : status;
}

/* ---- what the words mean */

static bool find_job(const struct explain_run *r, const char *word, struct subject *out)
{
	*out = (struct subject){ JOB, fs_explain_find_job(r->view.x, word) };
	return out->row != UINT32_MAX;
}

/* kind NULL: any, or as the word says. */
static bool find_credential(const struct explain_run *r, const char *kind, const char *word, struct subject *out)
{
	char text[512];

	snprintf(text, sizeof(text), "%s%s%.400s", kind ? kind : "", kind ? ":" : "", word);
	*out = (struct subject){ CREDENTIAL, fs_explain_find_credential(r->view.x, text) };
	return out->row != UINT32_MAX;
}

static bool find_user(const struct explain_run *r, const char *word, struct subject *out)
{
	if (!r->shares)
		return find_credential(r, "user", word, out);
	*out = (struct subject){ USER, fs_explain_find_row(r->view.x, r->account ? r->account : "", word) };
	return *word && out->row != UINT32_MAX;
}

static bool find_account(const struct explain_run *r, const char *word, struct subject *out)
{
	if (!r->shares)
		return find_credential(r, "acct", word, out);
	*out = (struct subject){ ACCOUNT, fs_explain_find_row(r->view.x, word, "") };
	return *word && out->row != UINT32_MAX;
}

static int not_found(const struct explain_run *r, enum kind kind, const char *word)
{
	static const char *const kinds[] = { "job, user or account", "job", "user", "account" };
	char visible[200];

	complain(r->inv, "no %s \"%s\" that %s may see", kinds[kind], text_visible(visible, sizeof(visible), word),
		 input_viewer(&r->input));
	return EXIT_NOTHING;
}

static int find_subject(const struct explain_run *r, struct subject *out)
{
	if (r->job)
		return find_job(r, r->job, out) ? 0 : not_found(r, JOB, r->job);
	if (r->user)
		return find_user(r, r->user, out) ? 0 : not_found(r, USER, r->user);
	if (r->account)
		return find_account(r, r->account, out) ? 0 : not_found(r, ACCOUNT, r->account);
	return find_job(r, r->word, out) || find_user(r, r->word, out) || find_account(r, r->word, out) ||
			       find_credential(r, NULL, r->word, out)
		       ? 0
		       : not_found(r, GUESS, r->word);
}

/* Of the same kind as the first: a job against a job, but a user also against an account. */
static int find_other(const struct explain_run *r, const struct subject *first, struct subject *out)
{
	struct explain_run plain = *r;
	bool found;

	plain.account = NULL; /* it says where the first is */
	if (first->kind == JOB)
		found = find_job(&plain, r->versus, out);
	else if (first->kind == USER)
		found = find_user(&plain, r->versus, out) || find_account(&plain, r->versus, out);
	else
		found = find_account(&plain, r->versus, out) || find_user(&plain, r->versus, out);
	return found ? 0 : not_found(r, first->kind == JOB ? JOB : GUESS, r->versus);
}

/* ---- what it is explained from */

static int settle(const struct explain_run *r, int rc, const struct fs_error *err)
{
	return rc && rc != FS_ENODATA ? report(r->inv, err) : 0;
}

/* What only one scheduler has. */
static int compute_own(struct explain_run *r)
{
	struct fs_error err;

	switch (fs_snapshot_info(r->snapshot)->kind) {
	case FS_SLURM:
		return settle(r, fs_accrue_compute(&r->accrue, r->snapshot, &err), &err);
	case FS_FLUX:
		return settle(r, fs_holds_compute(&r->holds, r->snapshot, &err), &err);
	case FS_MAUI:
		return settle(r, fs_windows_compute(&r->windows, r->snapshot, r->input.maui_dialect, &err), &err);
	default:
		return 0;
	}
}

/* Shares by the algorithm beside which those of Flux are shown. Those of Maui are rows of credentials: fs_windows
 * has all of it, and nothing here reads them. */
static int compute_other(struct explain_run *r, const struct fs_shares_options *so)
{
	const char *name = r->shares ? fs_shares_algorithm(r->shares) : "";
	struct fs_shares_options o = *so;
	struct fs_error err;

	if (!strcmp(name, "maui")) {
		fs_shares_free(r->shares);
		r->shares = NULL;
	}
	if (strncmp(name, "flux", strlen("flux")) != 0)
		return 0;
	o.algorithm = !strcmp(name, "flux") ? "flux_exact" : "flux";
	return settle(r, fs_shares_compute(&r->other, r->snapshot, &o, &err), &err);
}

/* What the snapshot does not allow to compute stays NULL and is unknown. */
static int compute(struct explain_run *r)
{
	const char *viewer = input_viewer(&r->input);
	const char *algorithm = r->input.algorithm;
	struct fs_shares_options so = { .algorithm = algorithm, .viewer = viewer, .compat = r->input.compat };
	struct fs_prios_options po = { .viewer = viewer, .algorithm = algorithm, .compat = r->input.compat };
	struct fs_queue_options qo = { .viewer = viewer, .algorithm = algorithm };
	struct fs_error err;
	int status = usage_wanted(&r->input) ? usage_load(r->inv, &r->input, r->snapshot, NULL, NULL, &r->usage) : 0;

	if (status)
		return status;
	so.usage = po.usage = qo.usage = r->usage;
	so.maui_dialect = po.maui_dialect = qo.maui_dialect = r->input.maui_dialect;
	so.position = po.position = qo.position = r->input.position;
	status = settle(r, fs_shares_compute(&r->shares, r->snapshot, &so, &err), &err);
	if (!status)
		status = settle(r, fs_prios_compute(&r->prios, r->snapshot, &po, &err), &err);
	qo.prios = r->input.compat ? NULL : r->prios;
	if (!status)
		status = settle(r, fs_queue_compute(&r->queue, r->snapshot, &qo, &err), &err);
	if (!status)
		status = compute_own(r);
	if (!status)
		status = compute_other(r, &so);
	if (status)
		return status;
	r->from = (struct fs_explain_from){ .snapshot = r->snapshot, .shares = r->shares, .prios = r->prios,
					    .queue = r->queue, .accrue = r->accrue, .holds = r->holds,
					    .windows = r->windows, .viewer = viewer };
	r->view.from = &r->from;
	r->view.other = r->other;
	r->view.position = r->input.position;
	r->view.usage = r->usage;
	return fs_explain_new(&r->view.x, &r->from, &err) ? report(r->inv, &err) : 0;
}

/* ---- output */

static bool has_less(void)
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

/* The page on standard output, through a pager if that is a terminal. */
static int print_page(const struct explain_run *r, const struct page *p)
{
	const char *pager = getenv("PAGER");
	FILE *out = NULL;

	if (p->failed) {
		complain(r->inv, "out of memory");
		return EXIT_FAILED;
	}
	if (!r->no_pager && !r->markdown && isatty(STDOUT_FILENO) && isatty(STDIN_FILENO)) {
		if (!(pager && *pager))
			pager = has_less() ? "less -FRX" : NULL;
		out = pager ? popen(pager, "w") : NULL;
	}
	page_print(p, out ? out : stdout, r->colour && !r->markdown);
	if (out)
		pclose(out);
	return EXIT_DONE;
}

static int out_of_memory(const struct explain_run *r)
{
	complain(r->inv, "out of memory");
	return EXIT_FAILED;
}

static int show_jobs(const struct explain_run *r, struct page *p, const struct subject *a, const struct subject *b)
{
	struct fs_explain_job first, second;
	struct fs_error err;

	if (fs_explain_job(r->view.x, a->row, &first, &err) || (b && fs_explain_job(r->view.x, b->row, &second, &err)))
		return report(r->inv, &err);
	if (r->json)
		return b ? explain_jobs_versus_json(&r->view, &first, &second) : explain_job_json(&r->view, &first);
	if (b)
		explain_jobs_versus_text(p, &r->view, &first, &second);
	else
		explain_job_text(p, &r->view, &first, r->ahead);
	return print_page(r, p);
}

/* All associations of the user, or those in the account asked for. */
static int user_json(const struct explain_run *r, uint32_t row)
{
	const char *user = fs_shares_row(r->shares, row)->user;
	const size_t all = fs_shares_count(r->shares);
	uint32_t *rows = malloc((all + 1) * sizeof(*rows));
	size_t n = 0;
	int status;

	if (!rows)
		return out_of_memory(r);
	for (uint32_t i = 0; i < all; i++) {
		const struct fs_share_row *s = fs_shares_row(r->shares, i);

		if (s->visible && !strcmp(s->user, user) && (!r->account || !strcmp(s->account, r->account)))
			rows[n++] = i;
	}
	status = explain_rows_json(&r->view, "user", rows, n);
	free(rows);
	return status;
}

static int show_rows(const struct explain_run *r, struct page *p, const struct subject *a, const struct subject *b)
{
	int rc;

	if (r->json)
		return b			? explain_rows_versus_json(&r->view, a->row, b->row)
		       : a->kind == ACCOUNT ? explain_rows_json(&r->view, "account", &a->row, 1)
					    : user_json(r, a->row);
	if (b)
		rc = explain_rows_versus_text(p, &r->view, a->row, b->row);
	else if (a->kind == ACCOUNT)
		rc = explain_account_text(p, &r->view, a->row);
	else
		rc = explain_user_text(p, &r->view, fs_shares_row(r->shares, a->row)->user, r->account);
	return rc ? out_of_memory(r) : print_page(r, p);
}

static int show_credential(const struct explain_run *r, struct page *p, uint32_t row)
{
	if (r->json)
		return explain_credential_json(&r->view, row);
	explain_credential_text(p, &r->view, row);
	return print_page(r, p);
}

static int explain(const struct explain_run *r)
{
	const bool utf8 = !strcmp(nl_langinfo(CODESET), "UTF-8");
	struct subject a, b;
	struct page p;
	int status = find_subject(r, &a);

	if (!status && r->versus && a.kind != CREDENTIAL)
		status = find_other(r, &a, &b);
	if (!status && r->versus && a.kind == CREDENTIAL) {
		complain(r->inv, "--versus compares jobs here: Maui's credentials have no order");
		status = EXIT_USAGE;
	}
	if (!status && r->ahead && a.kind != JOB) {
		complain(r->inv, "--ahead is for jobs");
		status = EXIT_USAGE;
	}
	if (status)
		return status;
	page_init(&p, r->markdown ? PAGE_MARKDOWN : PAGE_TEXT, 80, utf8);
	if (a.kind == CREDENTIAL)
		status = show_credential(r, &p, a.row);
	else if (a.kind == JOB)
		status = show_jobs(r, &p, &a, r->versus ? &b : NULL);
	else
		status = show_rows(r, &p, &a, r->versus ? &b : NULL);
	page_free(&p);
	return status;
}

static int run(const struct invocation *inv, int argc, char **argv)
{
	struct explain_run r = { .inv = inv, .input.recorded = true };
	int status = parse(&r, argc, argv);

	if (status < 0)
		status = input_open(inv, &r.input, &r.snapshot);
	else
		return status;
	if (!status)
		status = compute(&r);
	if (!status)
		status = explain(&r);
	fs_explain_free(r.view.x);
	fs_shares_free(r.other);
	fs_windows_free(r.windows);
	fs_holds_free(r.holds);
	fs_accrue_free(r.accrue);
	fs_queue_free(r.queue);
	fs_prios_free(r.prios);
	fs_shares_free(r.shares);
	fs_usage_free(r.usage);
	input_release(&r.input);
	fs_snapshot_free(r.snapshot);
	return status;
}

const struct command explain_command = { "fs-explain", NULL, "why a job, user or account stands where it does", run };
