/* fs-explain: why a job, user or account stands where it does, in words and in sums that add up. */
#include "explain/json/json.h"
#include "explain/list/list.h"
#include "explain/past/past.h"
#include "explain/run.h"
#include "page/what_if.h"
#include "render/text.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

	if (p->failed)
		return no_memory(r->inv);
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

/* Turns the result of writing a document into an exit status: negative is no memory. */
static int document(const struct explain_run *r, int status)
{
	return status < 0 ? no_memory(r->inv) : status;
}

/* All the groups of those ahead are told of when they are asked for, and in documents. */
static int read_job(const struct explain_run *r, uint32_t row, struct fs_explain_job *out, struct fs_error *err)
{
	return r->json || r->html || r->ahead ? fs_explain_job(r->view.x, row, out, err)
					      : fs_explain_job_heads(r->view.x, row, out, err);
}

static int show_jobs(const struct explain_run *r, struct page *p, const struct subject *a, const struct subject *b)
{
	struct fs_explain_job first, second;
	struct fs_error err;

	if (read_job(r, a->row, &first, &err) || (b && read_job(r, b->row, &second, &err)))
		return report(r->inv, &err);
	if (r->json)
		return document(r, b ? explain_jobs_versus_json(&r->view, &first, &second)
				     : explain_job_json(&r->view, &first));
	if (r->html)
		return explain_job_html(&r->view, r->inv, input_viewer(&r->input), &first, r->html);
	if (r->svg)
		return explain_forecast_picture(&r->view, r->inv, FS_NO_ROW, a->row, r->svg);
	if (r->forecast && explain_job_forecast_text(p, &r->view, a->row))
		return no_memory(r->inv);
	if (r->forecast)
		return print_page(r, p);
	if (b)
		explain_jobs_versus_text(p, &r->view, &first, &second);
	else if (r->brief)
		explain_brief_text(p, &r->view, &first);
	else
		explain_job_text(p, &r->view, &first, r->ahead);
	return print_page(r, p);
}

/* Returns the rows of all associations of the user, or of those in the account asked for; an account has one row.
 * NULL without memory. */
static uint32_t *rows_of(const struct explain_run *r, const struct subject *a, size_t *n)
{
	const char *user = fs_shares_row(r->from.shares, a->row)->user;
	const size_t all = fs_shares_count(r->from.shares);
	uint32_t *rows = malloc((all + 1) * sizeof(*rows));

	*n = 0;
	for (uint32_t i = 0; rows && i < all; i++) {
		const struct fs_share_row *s = fs_shares_row(r->from.shares, i);

		if (a->kind == ACCOUNT
			    ? i == a->row
			    : s->visible && !strcmp(s->user, user) && (!r->account || !strcmp(s->account, r->account)))
			rows[(*n)++] = i;
	}
	return rows;
}

static int rows_json(const struct explain_run *r, const struct subject *a)
{
	size_t n;
	uint32_t *rows = rows_of(r, a, &n);
	const int status =
		rows ? explain_rows_json(&r->view, a->kind == ACCOUNT ? "account" : "user", rows, n) : FS_ENOMEM;

	free(rows);
	return status;
}

static int rows_forecast(const struct explain_run *r, struct page *p, const struct subject *a)
{
	size_t n;
	uint32_t *rows = rows_of(r, a, &n);
	const int rc = rows ? explain_rows_forecast_text(p, &r->view, rows, n) : -1;

	free(rows);
	return rc;
}

static int rows_picture(const struct explain_run *r, const struct subject *a)
{
	size_t n;
	uint32_t *rows = rows_of(r, a, &n);
	int status;

	if (!rows)
		return no_memory(r->inv);
	if (n == 1) {
		status = explain_forecast_picture(&r->view, r->inv, rows[0], FS_NO_ROW, r->svg);
	} else {
		complain(r->inv, "--svg: a picture is of one association, and there are %zu; name the account too", n);
		status = EXIT_USAGE;
	}
	free(rows);
	return status;
}

static int show_rows(const struct explain_run *r, struct page *p, const struct subject *a, const struct subject *b)
{
	int rc;

	if (r->json)
		return document(r, b ? explain_rows_versus_json(&r->view, a->row, b->row) : rows_json(r, a));
	if (r->svg)
		return rows_picture(r, a);
	if (r->forecast)
		rc = rows_forecast(r, p, a);
	else if (b)
		rc = explain_rows_versus_text(p, &r->view, a->row, b->row);
	else if (a->kind == ACCOUNT)
		rc = explain_account_text(p, &r->view, a->row);
	else
		rc = explain_user_text(p, &r->view, fs_shares_row(r->from.shares, a->row)->user, r->account);
	return rc ? no_memory(r->inv) : print_page(r, p);
}

static int show_credentials(const struct explain_run *r, struct page *p, const struct subject *a,
			    const struct subject *b)
{
	if (r->json)
		return document(r, b ? explain_credentials_versus_json(&r->view, a->row, b->row)
				     : explain_credential_json(&r->view, a->row));
	if (r->svg)
		return explain_forecast_picture(&r->view, r->inv, explain_credential_row(&r->view, a->row), FS_NO_ROW,
						r->svg);
	if (r->forecast && explain_credential_forecast_text(p, &r->view, a->row))
		return no_memory(r->inv);
	if (r->forecast)
		return print_page(r, p);
	if (b)
		explain_credentials_versus_text(p, &r->view, a->row, b->row);
	else
		explain_credential_text(p, &r->view, a->row);
	return print_page(r, p);
}

static void begin_page(const struct explain_run *r, struct page *p)
{
	page_init(p, r->markdown ? PAGE_MARKDOWN : PAGE_TEXT, 80, text_utf8());
	if (r->snapshot)
		what_if_page(p, r->snapshot);
}

static int show_reason(const struct explain_run *r, struct page *p, const struct subject *a)
{
	if (r->json)
		return document(r, explain_reason_json(&r->view, a->reason));
	explain_reason_text(p, &r->view, a->reason);
	return print_page(r, p);
}

/* What a reason means is known without a snapshot; how many jobs show it is not, but nothing is captured just for
 * that. */
static const struct fs_reason *reason_alone(const struct explain_run *r)
{
	const bool more = r->versus || r->ahead || r->advise || r->brief || r->input.fresh || r->input.edits.n;
	const char *file;
	const enum input_source source = input_source(&r->input, &file);

	return r->word && !more && (source == INPUT_NONE || source == INPUT_LIVE) ? explain_find_reason(r->word) : NULL;
}

static int show_reason_alone(const struct explain_run *r, const struct fs_reason *reason)
{
	struct explain_view nothing = { .json = r->json };
	struct page p;
	int status;

	if (r->json)
		return document(r, explain_reason_json(&nothing, reason));
	begin_page(r, &p);
	explain_reason_text(&p, NULL, reason);
	status = print_page(r, &p);
	page_free(&p);
	return status;
}

static int show_past(const struct explain_run *r, struct page *p)
{
	if (r->json)
		return document(r, explain_past_json(&r->view));
	explain_past_text(p, &r->view);
	return print_page(r, p);
}

/* Reads what the job cost if it runs, has ended or waits again after a run, which only usage records tell. */
static int read_cost(struct explain_run *r, uint32_t row)
{
	struct fs_explain_job job;
	struct fs_error err;
	struct fs_job j;

	if (fs_explain_job_brief(r->view.x, row, &job, &err))
		return report(r->inv, &err);
	fs_snapshot_job(r->snapshot, row, &j);
	if (job.state != FS_EXPLAIN_RUNNING && job.state != FS_EXPLAIN_ENDED && !fs_snapshot_records(r->snapshot, "usage"))
		return 0;
	return explain_read_past(r, j.id);
}

static int list_jobs(struct explain_run *r)
{
	const char *viewer = input_viewer(&r->input);
	struct page p;
	int status = explain_plan(r);

	if (status)
		return status;
	if (r->json)
		return document(r, explain_list_json(&r->view, viewer));
	begin_page(r, &p);
	status = explain_list_text(&p, &r->view, viewer) ? no_memory(r->inv) : print_page(r, &p);
	page_free(&p);
	return status;
}

/* Options that say nothing of this kind of subject. 0, or the exit status (reported). */
static int check_kind(const struct explain_run *r, enum kind kind)
{
	const bool part = r->ahead || r->advise || r->brief;

	if (kind == REASON && (r->versus || part))
		complain(r->inv, "a reason is explained alone");
	else if (kind == PAST && (r->versus || r->forecast || r->html))
		complain(r->inv, "a job that only usage records tell of is explained alone");
	else if (part && kind != JOB && !(r->brief && kind == PAST))
		complain(r->inv, "--%s is for jobs", r->ahead ? "ahead" : r->brief ? "brief" : "advise");
	else if (r->html && kind != JOB)
		complain(r->inv, "--html is for jobs");
	else if (r->forecast && kind == REASON)
		complain(r->inv, "--forecast is for jobs, users and accounts");
	else
		return 0;
	return EXIT_USAGE;
}

/* What the page needs beyond the state. 0, or the exit status (reported). */
static int look_further(struct explain_run *r, const struct subject *a)
{
	int status;

	if (r->forecast)
		return explain_look_forward(r);
	if (a->kind != JOB || r->versus)
		return 0;
	status = explain_outlook(r, a->row);
	return status ? status : read_cost(r, a->row);
}

static int show(struct explain_run *r, struct page *p, const struct subject *a, const struct subject *b)
{
	switch (a->kind) {
	case REASON:
		return show_reason(r, p, a);
	case PAST:
		return show_past(r, p);
	case CREDENTIAL:
		return show_credentials(r, p, a, b);
	case JOB:
		return show_jobs(r, p, a, b);
	default:
		return show_rows(r, p, a, b);
	}
}

static int explain(struct explain_run *r)
{
	struct subject a, b;
	struct page p;
	int status = explain_find(r, &a);

	if (!status)
		status = check_kind(r, a.kind);
	if (!status && r->versus)
		status = explain_find_other(r, &a, &b);
	if (!status)
		status = look_further(r, &a);
	if (status)
		return status;
	begin_page(r, &p);
	status = show(r, &p, &a, r->versus ? &b : NULL);
	page_free(&p);
	return status;
}

static int run(const struct invocation *inv, int argc, char **argv)
{
	struct explain_run r = { .inv = inv, .input = { .recorded = true, .records_later = true } };
	const struct fs_reason *reason;
	int status = explain_parse(&r, argc, argv);

	if (status >= 0)
		return status;
	if ((reason = reason_alone(&r)))
		return show_reason_alone(&r, reason);
	status = input_open(inv, &r.input, &r.snapshot);
	if (!status)
		status = explain_compute(&r);
	if (!status)
		status = r.me ? list_jobs(&r) : explain(&r);
	explain_release(&r);
	return status;
}

const struct command explain_command = { "fs-explain", NULL,  "why a job, user or account stands where it does",
					 "",           false, run };
