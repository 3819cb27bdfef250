/* fs-share --spent */
#include "share/share.h"

#include "render/emit.h"
#include "render/format.h"
#include "render/text.h"

#include <math.h>
#include <string.h>

enum { HALF_LIVES = 3 };
static const double half_lives[HALF_LIVES] = { 1, 2, 4 };

/* A line of the page: of an association, of one of its jobs, of the sum. */
struct line {
	const char *user, *account, *rate;
	double tres_s, part; /* part: of all; NAN not told */
	double after[HALF_LIVES];
};

enum { USER, ACCOUNT, PAGE_COLUMN_COUNT = 8 };

COLUMN_CELL(part_cell, void, struct line,
	    if (isnan(row->part)) *buf = '\0';
	    else format_text(buf, COLUMN_TEXT, "%.2f%%", row->part * 100))

#define LINE(m) COLUMN_MEMBER(struct line, m)

static const struct column page_columns[PAGE_COLUMN_COUNT] = {
	[USER] = { "User", NULL, -12, LINE(user), .help = "user; below him jobs" },
	[ACCOUNT] = { "Account", NULL, -20, LINE(account), .help = "account; of a job its end" },
	{ "Rate", NULL, 10, LINE(rate), .help = "TRES seconds charged for a second; else how many runs" },
	{ "TRES seconds", NULL, 14, LINE(tres_s), .help = "what still counts" },
	{ "Share", NULL, 7, .text = part_cell, .help = "its part of all" },
	{ "in 1 half-life", NULL, 14, LINE(after[0]), .help = "what of it will still count then" },
	{ "in 2", NULL, 14, LINE(after[1]), .help = "then" },
	{ "in 4", NULL, 14, LINE(after[2]), .help = "and then" },
};

/* What is shown, and how wide its first columns are. */
struct sheet {
	const struct share_run *r;
	const fs_usage *u;
	const fs_spending *p;
	const fs_shares *shares; /* of the viewer: whose rows may be seen */
	double total;
	double recorded, covered; /* usage the scheduler recorded there, and what of it these rows are; NAN not known */
	int width[PAGE_COLUMN_COUNT];
};

static void print_line(const struct sheet *s, const char *user, const char *account, const char *rate,
		       double tres_s,
		       double part)
{
	const struct column_page page = { COLUMNS(page_columns), .width = s->width };
	struct line line = { .user = user, .account = account, .rate = rate, .tres_s = tres_s, .part = part };

	for (int k = 0; k < HALF_LIVES; k++)
		line.after[k] = tres_s * fs_usage_after(s->u, half_lives[k]);
	columns_row(&page, &line);
	putchar('\n');
}

static bool seen(const struct sheet *s, const struct fs_usage_by_assoc *row)
{
	return row->row == FS_NO_ROW || fs_shares_row(s->shares, row->row)->visible;
}

/* Returns how many of its jobs are listed: jobs of others only for viewers who may see them. */
static size_t shown(const struct sheet *s, const struct fs_usage_by_assoc *row)
{
	return fs_snapshot_shows_jobs_of(s->r->snapshot, input_viewer(&s->r->input), row->user, row->account)
		       ? row->listed
		       : 0;
}

static void print_job(const struct sheet *s, const struct fs_spent_job *job)
{
	char when[FS_TIME_TEXT] = "running", id[32], rate[400];

	if (!job->running)
		fs_time_format(s->r->snapshot, job->end_time, when);
	snprintf(id, sizeof(id), "  %llu", (unsigned long long)job->job);
	format_text(rate, sizeof(rate), "%.4f", job->rate * job->factor);
	print_line(s, id, when, rate, job->tres_s, (double)NAN);
}

/* "alice", "alice/gpu" where the association holds in one partition only. */
static const char *who(const struct fs_usage_by_assoc *row, char *buf, size_t size)
{
	char name[128];

	text_visible(buf, size, *row->user ? row->user : "(left)");
	if (*row->partition) {
		strncat(buf, "/", size - strlen(buf) - 1);
		strncat(buf, text_visible(name, sizeof(name), row->partition), size - strlen(buf) - 1);
	}
	return buf;
}

/* Prints the sum of the runs that have no line of their own. */
static void print_others(const struct sheet *s, uint64_t jobs, double tres_s)
{
	char n[32];

	snprintf(n, sizeof(n), "%llu", (unsigned long long)jobs);
	print_line(s, "  others", "", n, tres_s, (double)NAN);
}

static void print_usage_of(const struct sheet *s, const struct fs_usage_by_assoc *row)
{
	const double part = s->total > 0 ? row->tres_s / s->total : 0;
	char user[256], runs[32];
	double listed = 0;

	snprintf(runs, sizeof(runs), "%llu run%s", (unsigned long long)row->jobs, row->jobs == 1 ? "" : "s");
	print_line(s, who(row, user, sizeof(user)), row->account, runs, row->tres_s, part);
	for (size_t i = 0; i < shown(s, row); i++) {
		print_job(s, &row->job[i]);
		listed += row->job[i].tres_s;
	}
	if (row->jobs > shown(s, row))
		print_others(s, row->jobs - shown(s, row), row->tres_s - listed);
}

static void widen(int *width, int n)
{
	*width = n > *width ? n : *width;
}

static void print_text(struct sheet *s)
{
	const struct column_page page = { COLUMNS(page_columns), .width = s->width };
	char user[256];

	s->width[USER] = -page_columns[USER].width;
	s->width[ACCOUNT] = -page_columns[ACCOUNT].width;
	for (size_t i = 0; i < fs_spending_count(s->p); i++) {
		const struct fs_usage_by_assoc *row = fs_spending_row(s->p, i);

		if (!seen(s, row))
			continue;
		widen(&s->width[USER], (int)strlen(who(row, user, sizeof(user))));
		widen(&s->width[ACCOUNT], text_width(row->account));
	}
	if (!s->r->no_header)
		columns_heading(&page);
	for (size_t i = 0; i < fs_spending_count(s->p); i++)
		if (seen(s, fs_spending_row(s->p, i)))
			print_usage_of(s, fs_spending_row(s->p, i));
	print_line(s, "sum", "", "", s->total, s->total > 0 ? 1.0 : 0.0);
}

static bool lists_departed(const struct sheet *s)
{
	for (size_t i = 0; i < fs_spending_count(s->p); i++) {
		const struct fs_usage_by_assoc *row = fs_spending_row(s->p, i);

		if (!*row->user && seen(s, row))
			return true;
	}
	return false;
}

static void print_coverage(const struct sheet *s)
{
	char percent[160];

	if (lists_departed(s))
		emit("(left): users who are no longer in the account; their usage stays with it.\n");
	if (isnan(s->recorded))
		emit("How much of the recorded usage these records are is not known.\n");
	else if (s->recorded > 0)
		emit("These records are %s %% of the recorded usage, %.2f.\n",
		     text_number(percent, sizeof(percent), s->covered / s->recorded * 100, 1), s->recorded);
	else
		emit("No usage is recorded.\n");
}

/* A job that runs on without a limit has no end. */
COLUMN_KNOWN(has_end, void, struct fs_spent_job, row->end_time != FS_UNLIMITED)

#define JOB(m) COLUMN_MEMBER(struct fs_spent_job, m)

static const struct column job_columns[] = {
	{ NULL, "jobid", JOB(job), .help = "job id" },
	{ NULL, "start_time", JOB(start_time), .unit = UNIT_TIME, .help = "start" },
	{ NULL, "end_time", JOB(end_time), .known = has_end, .unit = UNIT_TIME, .help = "end; of a running job that of its limit" },
	{ NULL, "running", JOB(running), .help = "does it run at the snapshot's time" },
	{ NULL, "rate", JOB(rate), .help = "TRES seconds a second" },
	{ NULL, "usage_factor", JOB(factor), .help = "UsageFactor of its QOS" },
	{ NULL, "seconds", JOB(seconds), .unit = UNIT_SECONDS, .help = "seconds that still count" },
	{ NULL, "tres_s", JOB(tres_s), .help = "rate * usage_factor * seconds" },
};

static void write_after(struct fs_json *j, const void *of, const void *row)
{
	const struct sheet *s = of;

	fs_json_object(j);
	for (int k = 0; k < HALF_LIVES; k++) {
		char key[16];

		format_text(key, sizeof(key), "%.0f", half_lives[k]);
		json_number(j, key,
			    ((const struct fs_usage_by_assoc *)row)->tres_s *
				    fs_usage_after(s->u, half_lives[k]));
	}
	fs_json_end_object(j);
}

COLUMN_JSON(write_jobs, struct sheet, struct fs_usage_by_assoc,
	    columns_list(j, COLUMNS(job_columns), of, row->job, shown(of, row), sizeof(*row->job)))

#define USAGE(m) COLUMN_MEMBER(struct fs_usage_by_assoc, m)

static const struct column columns[] = {
	{ NULL, "account", USAGE(account), .help = "account" },
	{ NULL, "user", USAGE(user), .help = "user" },
	{ NULL, "partition", USAGE(partition), .help = "the partition alone in which the association holds" },
	{ NULL, "tres_s", USAGE(tres_s), .help = "TRES seconds that still count" },
	{ NULL, "jobs", USAGE(jobs), .help = "runs of jobs" },
	{ NULL, "after_half_lives", .json = write_after, .help = "what of it still counts after so many half-lives" },
	{ NULL, "top_jobs", .json = write_jobs, .help = "the most expensive jobs" },
};

static int print_json(const struct sheet *sheet)
{
	struct fs_json j;

	json_begin(&j, "fs-usage/2", sheet->r->snapshot, sheet->r->json);
	json_text(&j, "report", "spent");
	json_number(&j, "tres_s", sheet->total);
	json_number(&j, "recorded_tres_s", sheet->recorded);
	json_rows(&j);
	for (size_t i = 0; i < fs_spending_count(sheet->p); i++) {
		const struct fs_usage_by_assoc *s = fs_spending_row(sheet->p, i);

		if (!seen(sheet, s))
			continue;
		columns_object(&j, COLUMNS(columns), sheet, s);
		json_row_done(&j);
	}
	json_end_rows(&j);
	return json_end(&j);
}

/* Sums what the scheduler recorded at that time, in the account (NULL: in all). Jobs of deleted accounts are in no
 * recorded row. */
static void compare(struct sheet *s, const char *account)
{
	const struct fs_share_row *of = NULL;
	bool all = true;

	for (size_t i = 0; i < fs_shares_count(s->shares) && !of; i++) {
		const struct fs_share_row *row = fs_shares_row(s->shares, i);

		if (!*row->user && (!account || !strcmp(row->account, account)))
			of = row;
	}
	for (size_t i = 0; i < fs_spending_count(s->p); i++) {
		const struct fs_usage_by_assoc *row = fs_spending_row(s->p, i);

		all = all && seen(s, row);
		if (seen(s, row))
			s->total += row->tres_s;
		if (row->row != FS_NO_ROW)
			s->covered += row->tres_s;
	}
	s->recorded = of && of->visible && all ? of->raw_usage : (double)NAN;
}

/* Shares of the usage as recorded, carried to the time asked for. */
static int load_shares(const struct share_run *r, fs_shares **shares)
{
	struct fs_view o = { .viewer = input_viewer(&r->input) };
	struct input in = r->input;
	fs_usage *recorded = NULL;
	struct fs_error err;
	int status = 0;

	in.usage = USAGE_RECORDED;
	if (usage_wanted(&in))
		status = usage_load(r->inv, &in, r->snapshot, NULL, NULL, &recorded);
	o.usage = recorded;
	if (!status && fs_shares_compute(shares, r->snapshot, &o, &err))
		status = report(r->inv, &err);
	fs_usage_free(recorded);
	return status;
}

static int take_charge(void *ctx, const struct fs_charge *charge)
{
	return fs_spending_charge(ctx, charge);
}

int share_spent(const struct share_run *r)
{
	struct sheet s = { .r = r };
	fs_spending *p = NULL;
	fs_shares *shares = NULL;
	fs_usage *u = NULL;
	struct fs_error err;
	int status = 0;

	if (fs_spending_new(&p, r->snapshot, &err))
		status = report(r->inv, &err);
	if (!status)
		status = load_shares(r, &shares);
	if (!status)
		status = usage_load(r->inv, &r->input, r->snapshot, take_charge, p, &u);
	if (!status && fs_spending_rank(p, r->of, &err)) {
		status = report(r->inv, &err);
		status = err.code == FS_ENOMEM ? status : EXIT_NOTHING;
	}
	s.u = u;
	s.p = p;
	s.shares = shares;
	if (!status)
		compare(&s, r->of);
	if (!status && r->json)
		status = print_json(&s);
	else if (!status)
		print_text(&s);
	if (!status && !r->json && !r->no_header)
		print_coverage(&s);
	fs_usage_free(u);
	fs_shares_free(shares);
	fs_spending_free(p);
	return status;
}
