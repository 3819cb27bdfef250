/* The reports that fs-share prints instead of its rows: --bill, --usage=compare, --forecast, --grants, --history and
 * --spent. */
#include "cmd.h"
#include "dialect/dialect.h"
#include "history/history.h"
#include "page/page.h"
#include "picture/picture.h"
#include "render/emit.h"
#include "render/text.h"
#include "share/share.h"

#include <math.h>
#include <string.h>

/* ---- fs-share --bill */

/* A row of the report: a partition, and the cost of the requested TRES in it. */
struct bill_row {
	const char *partition;
	/* TRES seconds that are charged for the requested TRES: `rate` per second, `hour` per hour */
	double rate, hour;
	const struct fs_bill *bill;
};

#define TERM(m) COLUMN_MEMBER(struct fs_bill_term, m)

static const struct column bill_term_columns[] = {
	{ NULL, "tres", TERM(tres), .help = "name of the TRES" },
	{ NULL, "amount", TERM(amount), .help = "amount of the TRES" },
	{ NULL, "weight", TERM(weight), .help = "weight from TRESBillingWeights" },
	{ NULL, "points", TERM(points), .help = "amount * weight" },
	{ NULL, "counts", TERM(counts), .help = "true: the term is charged; false: only a greater term is charged" },
};

COLUMN_WRITE_JSON(write_bill_terms, void, struct bill_row,
		  columns_write_list(j, COLUMNS(bill_term_columns), of, row->bill->term, row->bill->n,
				     sizeof(*row->bill->term)))
COLUMN_FORMAT_CELL(format_rate_cell, void, struct bill_row, format_text(buf, COLUMN_TEXT_SIZE, "%.6f", row->rate))

#define BILL(m) COLUMN_MEMBER(struct bill_row, m)

static const struct column bill_columns[] = {
	{ "Partition", "partition", -20, BILL(partition), .help = "partition whose weights apply" },
	{ "a second", "rate", 12, BILL(rate), .format_cell = format_rate_cell,
	  .help = "TRES seconds charged per second" },
	{ "an hour", NULL, 14, BILL(hour), .help = "TRES seconds charged per hour" },
	{ " amount * weight", NULL, 0, .help = "terms that add up to the rate" },
	{ NULL, "terms", .write_json = write_bill_terms, .help = "terms that add up to the rate" },
};

static void print_bill_row(const struct bill_row *row)
{
	const struct fs_bill *b = row->bill;
	const char *before = "";
	const struct column_page page = { COLUMNS(bill_columns), .width_in_characters = true };
	char name[160], weight[160];

	columns_print_row(&page, row);
	emit("  ");
	for (size_t i = 0; i < b->n; i++)
		if (b->term[i].amount > 0) {
			const struct fs_bill_term *t = &b->term[i];

			text_make_visible(name, sizeof(name), t->tres);
			emit(t->counts ? "%s%s %.0f * %s" : "%s(%s %.0f * %s)", before, name,
			       t->amount, text_format_number(weight, sizeof(weight), t->weight, 30));
			before = " + ";
		}
	emit_safe_line(b->by_cpus ? "  (no weights: charged by CPUs)" : "");
}

static int print_bills_by_partition(const struct share_run *r, const struct fs_tres *tres, size_t n, struct fs_json *j)
{
	struct fs_error err;
	struct fs_bill bill;
	struct bill_row row;
	const char *name;

	for (size_t i = 0; (name = fs_snapshot_partition_name(r->snapshot, i)); i++) {
		if (fs_bill_tres(r->snapshot, name, tres, n, &bill, &err))
			return cmd_report_error(r->inv, &err);
		row = (struct bill_row){ name, bill.rate, bill.rate * 3600, &bill };
		if (!j) {
			print_bill_row(&row);
			continue;
		}
		columns_write_object(j, COLUMNS(bill_columns), NULL, &row);
		json_end_row(j);
	}
	return EXIT_DONE;
}

int share_print_bill_report(const struct share_run *r)
{
	struct fs_tres tres[FS_BILL_MAX];
	const struct column_page page = { COLUMNS(bill_columns), .width_in_characters = true };
	struct fs_error err;
	struct fs_json j;
	const int n = fs_tres_parse(r->snapshot, r->report_argument, tres, FS_BILL_MAX, &err);
	int status;

	if (n < 0)
		return cmd_report_error(r->inv, &err);
	if (!fs_snapshot_partition_name(r->snapshot, 0)) {
		cmd_print_message(r->inv, "--bill: cannot compute a rate: the snapshot has no partitions");
		return EXIT_FAILED;
	}
	if (!r->json) {
		if (!r->no_header)
			columns_print_heading(&page);
		return print_bills_by_partition(r, tres, (size_t)n, NULL);
	}
	json_begin_document(&j, "fs-usage/2", r->snapshot, r->json);
	json_write_text(&j, "report", "bill");
	json_begin_rows(&j);
	status = print_bills_by_partition(r, tres, (size_t)n, &j);
	json_end_rows(&j);
	return json_end_document(&j) ? EXIT_FAILED : status;
}

/* ---- fs-share --usage=compare */

/* A row of the comparison of recorded and computed usage. All usage is in TRES seconds. */
struct compared_row {
	const char *account, *user, *partition;
	unsigned indent; /* number of blanks before the account name in the table */
	double recorded, computed, difference;
};
enum { COMPARE_ACCOUNT, COMPARE_USER, COMPARE_COLUMNS = 6 };

static void format_account_cell(char buf[COLUMN_TEXT_SIZE], const void *of, const void *row)
{
	const struct compared_row *c = row;
	const unsigned indent = c->indent < COLUMN_TEXT_SIZE / 2 ? c->indent : COLUMN_TEXT_SIZE / 2;

	(void)of;
	memset(buf, ' ', indent);
	text_make_visible(buf + indent, COLUMN_TEXT_SIZE - indent, c->account);
}

#define COMPARED_ROW(m) COLUMN_MEMBER(struct compared_row, m)

static const struct column compare_columns[COMPARE_COLUMNS] = {
	[COMPARE_ACCOUNT] = { "Account", "account", -20, COMPARED_ROW(account), .format_cell = format_account_cell,
			      .help = "account" },
	[COMPARE_USER] = { "User", "user", -10, COMPARED_ROW(user), .help = "user" },
	{ NULL, "partition", COMPARED_ROW(partition), .help = "partition that the association is limited to" },
	{ "Recorded", "recorded", 16, COMPARED_ROW(recorded),
	  .help = "recorded usage, TRES seconds" },
	{ "Computed", "computed", 16, COMPARED_ROW(computed), .help = "usage computed from job records" },
	{ "Difference", "difference", 16, COMPARED_ROW(difference), .help = "computed minus recorded" },
};

static struct compared_row make_compared_row(const fs_usage *u, const struct fs_share_row *s, unsigned indent)
{
	const double computed = fs_usage_total(u, s->row);

	return (struct compared_row){
		s->account, s->user, s->partition, indent, s->raw_usage, computed, computed - s->raw_usage
	};
}

static void print_compared_rows(const struct share_run *r)
{
	const struct share_rows *rows = &r->rows;
	int width[COMPARE_COLUMNS] = { -compare_columns[COMPARE_ACCOUNT].width, -compare_columns[COMPARE_USER].width };
	int *const account = &width[COMPARE_ACCOUNT], *const user = &width[COMPARE_USER];
	const struct column_page page = { COLUMNS(compare_columns), .widths = width };

	for (size_t i = 0; i < rows->n; i++) {
		const struct fs_share_row *row = rows->v[i];
		const int a = (int)rows->indent[row->row] + text_get_width(row->account), b = text_get_width(row->user);

		*account = a > *account ? a : *account;
		*user = b > *user ? b : *user;
	}
	if (!r->no_header)
		columns_print_heading(&page);
	for (size_t i = 0; i < rows->n; i++) {
		const struct compared_row c =
			make_compared_row(r->computed_usage, rows->v[i], rows->indent[rows->v[i]->row]);

		columns_print_row(&page, &c);
		putchar('\n');
	}
}

static const char *get_plural_ending(size_t n)
{
	return n == 1 ? "" : "s";
}

static void print_computation_notes(const struct share_run *r, const struct fs_usage_info *n)
{
	char when[FS_TIME_TEXT];

	fs_time_format(r->snapshot, n->decay == FS_DECAY_SLURM ? n->last_run : n->at, when);
	emit("\nComputed from %zu job record%s and %zu running job%s, as of %s%s.\n", n->records,
	     get_plural_ending(n->records), n->running, get_plural_ending(n->running),
	     n->decay == FS_DECAY_SLURM ? "the decay run of " : "", when);
	if (n->oldest != FS_UNKNOWN && n->oldest < n->reset_time) {
		fs_time_format(r->snapshot, n->oldest, when);
		emit("The records begin %s, before the last reset: no usage is missing.\n", when);
	} else if (n->oldest != FS_UNKNOWN) {
		fs_time_format(r->snapshot, n->oldest, when);
		emit("The records begin %s; each earlier TRES second counts at most %.6f now.\n",
		       when, n->before_oldest);
	} else {
		emit("The snapshot has no job records: usage of finished jobs is unknown.\n");
	}
	if (n->deleted_user_jobs)
		emit("%zu job%s of users who have left: %.2f TRES seconds, charged to their accounts.\n",
		       n->deleted_user_jobs, get_plural_ending(n->deleted_user_jobs), n->deleted_user_tres_s);
	if (n->unknown_account_jobs)
		emit("%zu job%s of accounts that are not in the snapshot: %.2f TRES seconds, not charged.\n",
		       n->unknown_account_jobs, get_plural_ending(n->unknown_account_jobs), n->unknown_account_tres_s);
	if (n->other_flag_jobs)
		emit("%zu job%s began under other PriorityFlags: charged by those flags.\n",
		       n->other_flag_jobs, get_plural_ending(n->other_flag_jobs));
	if (n->recorded_rate_jobs)
		emit("%zu job%s billed as recorded, in whole units: "
		     "the partition is missing or its weights have changed.\n",
		       n->recorded_rate_jobs, get_plural_ending(n->recorded_rate_jobs));
	if (n->unbilled)
		emit("%zu job record%s without billing, of unknown partitions: not charged.\n",
		       n->unbilled, get_plural_ending(n->unbilled));
	if (n->reset_time != INT64_MIN) {
		fs_time_format(r->snapshot, n->reset_time, when);
		emit("All usage was reset at %s.\n", when);
	}
}

/* `of` points to a bool that is true if the viewer may see the usage of all users. If the bool is false, values that
 * include the usage of hidden users are omitted. */
COLUMN_HAS_VALUE(may_see_others, bool, void, *of)
COLUMN_HAS_VALUE(has_job_records, void, struct fs_usage_info, row->oldest != FS_UNKNOWN)
COLUMN_HAS_VALUE(has_reset_time, void, struct fs_usage_info, row->reset_time != INT64_MIN)

static const char *get_decay_name(uint32_t decay)
{
	return decay == FS_DECAY_SLURM ? "slurm" : "exact";
}

#define INFO(m) COLUMN_MEMBER(struct fs_usage_info, m)

static const struct column usage_info_columns[] = {
	{ NULL, "at", INFO(at), .unit = UNIT_TIME, .help = "time for which the usage is computed" },
	{ NULL, "last_run", INFO(last_run), .unit = UNIT_TIME, .help = "last decay run before `at`" },
	{ NULL, "records", INFO(records), .help = "number of charged job runs that have ended" },
	{ NULL, "running", INFO(running), .help = "number of charged running jobs" },
	{ NULL, "deleted_user_jobs", INFO(deleted_user_jobs), .has_value = may_see_others,
	  .help = "number of job runs of users who have left" },
	{ NULL, "deleted_user_tres_s", INFO(deleted_user_tres_s), .has_value = may_see_others,
	  .help = "usage of users who have left, TRES seconds" },
	{ NULL, "unknown_account_jobs", INFO(unknown_account_jobs), .has_value = may_see_others,
	  .help = "number of job runs of accounts that are not in the snapshot" },
	{ NULL, "unknown_account_tres_s", INFO(unknown_account_tres_s), .has_value = may_see_others,
	  .help = "usage of accounts that are not in the snapshot, TRES seconds" },
	{ NULL, "other_flag_jobs", INFO(other_flag_jobs),
	  .help = "number of job runs that began under other PriorityFlags" },
	{ NULL, "recorded_rate_jobs", INFO(recorded_rate_jobs),
	  .help = "number of job runs that are charged at the recorded billing rate" },
	{ NULL, "unbilled", INFO(unbilled), .help = "number of job runs that are not charged" },
	{ NULL, "oldest", INFO(oldest), .has_value = has_job_records, .unit = UNIT_TIME,
	  .help = "earliest start of a recorded job run" },
	{ NULL, "before_oldest", INFO(before_oldest), .has_value = has_job_records, .unit = UNIT_FRACTION,
	  .help = "fraction of usage at `oldest` that still counts" },
	{ NULL, "reset_time", INFO(reset_time), .has_value = has_reset_time, .unit = UNIT_TIME,
	  .help = "time of the last usage reset" },
	{ NULL, "decay", INFO(decay), .enum_name = get_decay_name, .help = "how usage decays" },
	{ NULL, "half_life_s", INFO(half_life_s), .unit = UNIT_SECONDS, .help = "half-life of usage" },
	{ NULL, "period_s", INFO(period_s), .unit = UNIT_SECONDS, .help = "time between decay runs" },
};

static int print_comparison_json(const struct share_run *r, const struct fs_usage_info *n, bool all)
{
	struct fs_json j;

	json_begin_document(&j, "fs-usage/2", r->snapshot, r->json);
	json_write_text(&j, "report", "compare");
	columns_write_members(&j, COLUMNS(usage_info_columns), &all, n);
	json_begin_rows(&j);
	for (size_t i = 0; i < r->rows.n; i++) {
		const struct compared_row row = make_compared_row(r->computed_usage, r->rows.v[i], 0);

		columns_write_object(&j, COLUMNS(compare_columns), NULL, &row);
		json_end_row(&j);
	}
	json_end_rows(&j);
	return json_end_document(&j);
}

/* Returns true if the viewer may see all rows. If the result is false, sums must not include the usage of hidden
 * users. */
static bool may_see_all_rows(const fs_shares *shares)
{
	for (size_t i = 0; i < fs_shares_count(shares); i++)
		if (!fs_shares_row(shares, i)->visible)
			return false;
	return true;
}

int share_print_usage_comparison(const struct share_run *r)
{
	struct fs_usage_info n;

	fs_usage_info(r->computed_usage, &n);
	if (r->json)
		return print_comparison_json(r, &n, may_see_all_rows(r->shares));
	if (!may_see_all_rows(r->shares))
		n.deleted_user_jobs = n.unknown_account_jobs = 0;
	print_compared_rows(r);
	print_computation_notes(r, &n);
	return EXIT_DONE;
}

/* ---- fs-share --forecast */

/* The state of the report: the request, and the options and results that the forecasts of all rows have in common. */
struct forecast_report {
	const struct share_run *r;
	struct fs_eval eval;
	struct fs_forecast_options options;
	struct page page;
};

/* Returns true if the report contains a forecast of the row. The report contains forecasts of all visible users, and of
 * the accounts that the options name. */
static bool is_row_forecast(const struct fs_share_row *row, const struct names *accounts)
{
	if (*row->user)
		return row->visible;
	for (size_t i = 0; i < accounts->n; i++)
		if (!strcmp(accounts->v[i], row->account))
			return true;
	return false;
}

/* Formats the heading of the forecast of a row: the name of the row. */
static void format_forecast_heading(char *out, size_t size, const struct forecast_report *o,
				    const struct fs_share_row *row)
{
	if (o->eval.windows)
		snprintf(out, size, "%s %s", row->parent, *row->user ? row->user : row->account);
	else if (*row->user)
		snprintf(out, size, "%s in %s%s%s", row->user, row->account, *row->partition ? ", partition " : "", row->partition);
	else
		snprintf(out, size, "%s", row->account);
}

static int add_row_forecast(struct forecast_report *o, uint32_t row)
{
	const struct share_run *r = o->r;
	struct fs_error err;
	char name[256];
	fs_forecast *f;
	int status = EXIT_DONE;

	o->options.share_row = row;
	format_forecast_heading(name, sizeof(name), o, fs_shares_row(o->eval.shares, row));
	if (fs_forecast_compute(&f, r->snapshot, &o->options, &err))
		return forecast_report_error(r->inv, &err);
	if (r->svg) {
		status = forecast_save_picture(r->inv, r->snapshot, &o->eval, f, name, r->svg);
	} else {
		page_add_gap(&o->page);
		page_add_heading(&o->page, "%s", name);
		page_add_gap(&o->page);
		forecast_add_text(&o->page, r->snapshot, &o->eval, f,
				  find_scheduler_dialect(r->snapshot)->vocabulary.account);
	}
	fs_forecast_free(f);
	return status;
}

/* Writes a row with its forecast. Writes null as the forecast if data for the forecast are missing. Returns an exit
 * status. */
static int write_row_forecast(struct forecast_report *o, struct fs_json *j, const struct fs_share_row *row)
{
	struct fs_error err;
	fs_forecast *f = NULL;

	o->options.share_row = row->row;
	if (fs_forecast_compute(&f, o->r->snapshot, &o->options, &err) && err.code != FS_ENODATA)
		return cmd_report_error(o->r->inv, &err);
	fs_json_object(j);
	columns_write_members(j, share_columns + SHARE_ACCOUNT, 1, NULL, row);
	columns_write_members(j, share_columns + SHARE_PARENT, 1, NULL, row);
	columns_write_members(j, share_columns + SHARE_USER, 1, NULL, row);
	columns_write_members(j, share_columns + SHARE_PARTITION, 1, NULL, row);
	fs_json_key(j, "forecast");
	if (f)
		forecast_write_json(j, o->r->snapshot, &o->eval, f);
	else
		fs_json_null(j);
	fs_json_end_object(j);
	json_end_row(j);
	fs_forecast_free(f);
	return EXIT_DONE;
}

/* Writes the forecasts of all rows as a JSON document, schema fs-forecast/1. Returns an exit status. */
static int write_forecasts_json(struct forecast_report *o)
{
	const struct share_rows *rows = &o->r->rows;
	struct fs_json j;
	int status = EXIT_DONE;

	json_begin_document(&j, "fs-forecast/1", o->r->snapshot, o->r->json);
	json_write_text(&j, "algorithm", fs_shares_algorithm(o->eval.shares));
	json_write_whole(&j, "ranked_users", true, fs_shares_users(o->eval.shares));
	json_begin_rows(&j);
	for (size_t i = 0; i < rows->n && status == EXIT_DONE; i++)
		if (is_row_forecast(rows->v[i], &o->r->accounts))
			status = write_row_forecast(o, &j, rows->v[i]);
	if (status != EXIT_DONE)
		return status;
	json_end_rows(&j);
	return json_end_document(&j);
}

static int show_row_forecasts(struct forecast_report *o)
{
	const struct share_rows *rows = &o->r->rows;
	const bool svg = o->r->svg;
	size_t n = 0;
	int status = EXIT_DONE;

	for (size_t i = 0; i < rows->n; i++)
		n += is_row_forecast(rows->v[i], &o->r->accounts);
	if (!n || (svg && n > 1)) {
		cmd_print_message(
			o->r->inv,
			n ? "--svg requires one row, but %zu are selected; name one user with -u or one account with -A"
			  : "--forecast: no user is selected; name a user with -u or an account with -A",
			n);
		return n ? EXIT_USAGE : EXIT_NOTHING;
	}
	if (o->r->json != JSON_NONE && !svg)
		return write_forecasts_json(o);
	for (size_t i = 0; i < rows->n && status == EXIT_DONE; i++)
		if (is_row_forecast(rows->v[i], &o->r->accounts))
			status = add_row_forecast(o, rows->v[i]->row);
	return status;
}

int share_print_forecast(const struct share_run *r)
{
	struct forecast_report o = { .r = r, .options = FS_FORECAST_OPTIONS_INIT };
	struct fs_error err;
	int status;

	o.options.view = input_get_view(&r->input);
	o.options.eval = &o.eval;
	o.options.points = FORECAST_POINTS;
	o.options.job_row = FS_NO_ROW;
	if (forecast_parse_until(r->snapshot, r->report_argument, &o.options.until, &err))
		return cmd_report_error(r->inv, &err);
	if (fs_eval_compute(r->snapshot, &o.options.view, &o.eval, &err))
		return cmd_report_error(r->inv, &err);
	page_init_form(&o.page, PAGE_TEXT, 80, text_has_utf8());
	page_add_what_if(&o.page, r->snapshot);
	status = o.eval.shares_error.code ? cmd_report_error(r->inv, &o.eval.shares_error) : show_row_forecasts(&o);
	if (status == EXIT_DONE && o.page.failed)
		status = cmd_report_no_memory(r->inv);
	if (status == EXIT_DONE && !r->svg && r->json == JSON_NONE)
		page_print_lines(&o.page, stdout, false);
	page_free_text(&o.page);
	fs_eval_release(&o.eval);
	return status;
}

/* ---- fs-share --grants */

/* A line of the table of an account: a grant (a `grant` record, which says why the account gets shares), the sum of the
 * grants, or the account's raw shares. */
struct grants_page_row {
	const char *label, *shares, *source;
};

#define GRANT(m) COLUMN_MEMBER(struct fs_grant_row, m)
#define GRANTS_PAGE(m) COLUMN_MEMBER(struct grants_page_row, m)

static const struct column grants_columns[] = {
	{ NULL, "kind", GRANT(kind), .help = "kind of grant: gratis, lab or communal" },
	{ NULL, "pool", GRANT(pool), .help = "shares of the pool" },
	{ NULL, "hardware", GRANT(hardware), .help = "TRES of the pool's partitions" },
	{ NULL, "partitions", GRANT(partitions), .help = "partitions of the pool" },
	{ NULL, "fraction", GRANT(fraction), .help = "granted fraction of the pool" },
	{ NULL, "accounts", GRANT(accounts), .zero_is_none = true,
	  .help = "number of accounts that share the pool equally" },
	{ NULL, "shares", GRANT(shares), .help = "shares granted" },
	{ NULL, "comment", GRANT(comment), .help = "origin of the grant" },
	{ NULL, "missing", GRANT(why), .help = "reason why the grant cannot be computed" },
};

static const struct column grants_page_columns[] = {
	{ "kind", NULL, -10, GRANTS_PAGE(label), .prefix = "  ", .help = "kind of grant: gratis, lab or communal" },
	{ "shares", NULL, 12, GRANTS_PAGE(shares), .help = "shares granted" },
	{ "source", NULL, 0, GRANTS_PAGE(source), .prefix = "", .help = "how the shares are computed" },
};

/* Returns the share row of an account; NULL if the account has none. */
static const struct fs_share_row *find_account_row(const fs_shares *shares, const char *account)
{
	for (size_t i = 0; i < fs_shares_count(shares); i++) {
		const struct fs_share_row *row = fs_shares_row(shares, i);

		if (!*row->user && !strcmp(row->account, account))
			return row;
	}
	return NULL;
}

static void print_grants_page_row(const char *label, const char *shares, const char *rest)
{
	const struct column_page page = { COLUMNS(grants_page_columns), .width_in_characters = true };

	columns_print_row(&page, &(struct grants_page_row){ label, shares, rest });
	putchar('\n');
}

/* Formats how the shares that a `grant` record gives to an account are computed, with the record's comment in
 * parentheses: "  = 128.0000 TRES of gpu / 10 accounts  (public GPU nodes)". Here gpu is a partition. */
static void format_grant_source(char *buf, size_t size, const struct fs_grant_row *g)
{
	char text[160], pool[240] = "", part[80] = "";

	if (!isnan(g->hardware))
		format_text(pool, sizeof(pool), "  = %.4f TRES of %s", g->pool,
			    text_make_visible(text, sizeof(text), g->partitions));
	else if (g->fraction != 1)
		format_text(pool, sizeof(pool), "  = %.4f", g->pool);
	if (g->accounts)
		snprintf(part, sizeof(part), " / %zu accounts", g->accounts);
	else if (g->fraction != 1)
		snprintf(part, sizeof(part), " * %s", text_format_number(text, sizeof(text), g->fraction, 9));
	text_make_visible(text, sizeof(text), g->comment);
	snprintf(buf, size, *text ? "%s%s  (%s)" : "%s%s", pool, part, text);
}

static void print_grant_row(const struct fs_grant_row *g)
{
	char shares[40], rest[COLUMN_TEXT_SIZE];

	if (g->why) {
		snprintf(rest, sizeof(rest), "  %s", g->why);
		print_grants_page_row(g->kind, "unknown", rest);
		return;
	}
	format_text(shares, sizeof(shares), "%.4f", g->shares);
	format_grant_source(rest, sizeof(rest), g);
	print_grants_page_row(g->kind, shares, rest);
}

/* Compares the raw shares of an account with `sum`, the shares that its `grant` records give. Returns "as granted",
 * "NOT as granted" or "unknown". Raw shares are whole numbers, so a difference below 1 is ignored. */
static const char *get_grants_verdict(double sum, const struct fs_share_row *row)
{
	if (!row || row->shares_kind != FS_SHARES_NUMBER || isnan(sum))
		return "unknown";
	return fabs(sum - row->raw_shares) < 1 ? "as granted" : "NOT as granted";
}

static void print_raw_shares_row(const struct fs_share_row *row, double sum)
{
	char number[16];

	if (row && row->shares_kind == FS_SHARES_NUMBER) {
		snprintf(number, sizeof(number), "%u", row->raw_shares);
		print_grants_page_row("RawShares", number,
				      isnan(sum)                        ? "  "
				      : fabs(sum - row->raw_shares) < 1 ? "  as granted"
									: "  NOT as granted");
	} else {
		print_grants_page_row("RawShares", row && row->shares_kind == FS_SHARES_PARENT ? "parent" : "unknown",
				      "");
	}
}

static void print_account_grants(const fs_grants *g, const fs_shares *shares, const char *account, double sum)
{
	const struct fs_share_row *row = find_account_row(shares, account);
	char text[160];

	emit_safe_line(text_make_visible(text, sizeof(text), account));
	for (size_t i = 0; i < fs_grants_count(g); i++)
		if (!strcmp(fs_grants_row(g, i)->account, account))
			print_grant_row(fs_grants_row(g, i));
	format_text(text, sizeof(text), isnan(sum) ? "unknown" : "%.4f", sum);
	print_grants_page_row("sum", text, "");
	print_raw_shares_row(row, sum);
}

static double sum_account_grants(const fs_grants *g, const char *account)
{
	double sum = 0;

	for (size_t i = 0; i < fs_grants_count(g); i++)
		if (!strcmp(fs_grants_row(g, i)->account, account))
			sum += fs_grants_row(g, i)->shares;
	return sum;
}

static void write_account_grants(struct fs_json *j, const fs_grants *g, const fs_shares *shares, const char *account,
				 double sum)
{
	const struct fs_share_row *row = find_account_row(shares, account);

	fs_json_object(j);
	json_write_text(j, "account", account);
	json_write_number(j, "sum", sum);
	json_write_whole(j, "raw_shares", row && row->shares_kind == FS_SHARES_NUMBER, row ? row->raw_shares : 0);
	json_write_text(j, "verdict", get_grants_verdict(sum, row));
	json_begin_list(j, "grants");
	for (size_t i = 0; i < fs_grants_count(g); i++) {
		const struct fs_grant_row *r = fs_grants_row(g, i);

		if (strcmp(r->account, account) != 0)
			continue;
		columns_write_object(j, COLUMNS(grants_columns), NULL, r);
	}
	fs_json_end_array(j);
	fs_json_end_object(j);
	json_end_row(j);
}

/* Returns true if `grant` record number i (0-based) is the first record that gives shares to its account. */
static bool is_first_of_account(const fs_grants *g, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (!strcmp(fs_grants_row(g, k)->account, fs_grants_row(g, i)->account))
			return false;
	return true;
}

static int print_grants_of_accounts(const struct share_run *r, const fs_grants *g, const fs_shares *shares)
{
	const char *account = r->report_argument;
	struct fs_json j;
	size_t found = 0;
	int status = EXIT_DONE;

	if (r->json) {
		json_begin_document(&j, "fs-usage/2", r->snapshot, r->json);
		json_write_text(&j, "report", "grants");
		json_begin_rows(&j);
	}
	for (size_t i = 0; i < fs_grants_count(g); i++) {
		const char *name = fs_grants_row(g, i)->account;

		if ((account && strcmp(account, name) != 0) || !is_first_of_account(g, i))
			continue;
		if (r->json)
			write_account_grants(&j, g, shares, name, sum_account_grants(g, name));
		else
			print_account_grants(g, shares, name, sum_account_grants(g, name));
		found++;
	}
	if (r->json) {
		json_end_rows(&j);
		status = json_end_document(&j);
	}
	if (!found)
		cmd_print_message(r->inv, "cannot find grants for account \"%s\"", account ? account : "");
	return found ? status : EXIT_NOTHING;
}

int share_print_grants_report(const struct share_run *r)
{
	fs_grants *g = NULL;
	fs_shares *shares = NULL;
	struct fs_error err;
	int status;

	if (fs_grants_compute(&g, r->snapshot, &err) || fs_shares_compute(&shares, r->snapshot, NULL, &err))
		status = cmd_report_error(r->inv, &err);
	else
		status = print_grants_of_accounts(r, g, shares);
	fs_shares_free(shares);
	fs_grants_free(g);
	return status;
}

/* ---- fs-share --history */

static struct history_requested_formats get_share_history_forms(const struct share_run *r)
{
	return (struct history_requested_formats){ .json = r->output_form == OUTPUT_OWN_JSON,
						   .csv = r->csv,
						   .plot = r->plot,
						   .svg = r->svg != NULL,
						   .unsupported = r->output_form != OUTPUT_TEXT &&
								  r->output_form != OUTPUT_OWN_JSON };
}

/* Returns the error message if --history is combined with an option that it does not support; otherwise NULL. */
static const char *find_history_conflict(const struct share_run *r)
{
	if (r->report_kind != REPORT_NONE || usage_is_computation_requested(&r->input) || r->ranges || r->kind ||
	    r->input.clusters)
		return "--history cannot be combined with --spent, --grants, --bill, --forecast, --solve, --usage, "
		       "--at, --decay, --decay-runs, --ranges, --kind or -M";
	if (r->format_list || r->wide || r->with_partition || r->layout != LAYOUT_ALIGNED || r->sort || r->concise)
		return "--history cannot be combined with -l, -m, -o, -p, -P, -c or --sort";
	if (r->users_only || r->subtree)
		return "--history cannot be combined with -U or --subtree; use -u, -A, --me or -a";
	return NULL;
}

int share_check_history_options(const struct share_run *r)
{
	const struct history_requested_formats forms = get_share_history_forms(r);

	if (!r->history && !forms.csv && !forms.plot)
		return -1;
	return history_check_options(r->inv, &r->input, r->history, &forms, find_history_conflict(r));
}

int share_show_history(const struct share_run *r)
{
	const struct history_requested_formats forms = get_share_history_forms(r);
	const struct history_query c = {
		.inv = r->inv,
		.input = &r->input,
		.folder = r->history,
		.users = &r->users,
		.accounts = &r->accounts,
		.all = r->all && !r->me,
		.form = history_select_format(&forms),
		.svg = r->svg,
		.json = r->json,
		.no_header = r->no_header,
	};

	return history_print_query(&c);
}

/* ---- fs-share --spent */

enum { HALF_LIVES = 3 };
static const double half_lives[HALF_LIVES] = { 1, 2, 4 };

/* A line of the table: an association, one of its jobs, or the sum of all associations. */
struct spent_page_row {
	const char *user, *account, *rate;
	/* `tres_s`: usage after decay, in TRES seconds. `fraction`: usage of the line divided by the usage of the whole
	 * report; NAN: the cell is empty */
	double tres_s, fraction;
	double after[HALF_LIVES];
};

enum { SPENT_USER, SPENT_ACCOUNT, SPENT_PAGE_COLUMNS = 8 };

COLUMN_FORMAT_CELL(format_fraction_cell, void, struct spent_page_row, if (isnan(row->fraction)) *buf = '\0';
		   else format_text(buf, COLUMN_TEXT_SIZE, "%.2f%%", row->fraction * 100))

#define SPENT_PAGE(m) COLUMN_MEMBER(struct spent_page_row, m)

static const struct column spent_page_columns[SPENT_PAGE_COLUMNS] = {
	[SPENT_USER] = { "User", NULL, -12, SPENT_PAGE(user), .help = "user; in the row of a job, the job id" },
	[SPENT_ACCOUNT] = { "Account", NULL, -20, SPENT_PAGE(account),
			    .help = "account; in the row of a job, the end time" },
	{ "Rate", NULL, 10, SPENT_PAGE(rate),
	  .help = "number of runs; in the row of a job, TRES seconds charged per second" },
	{ "TRES seconds", NULL, 14, SPENT_PAGE(tres_s), .help = "usage after decay" },
	{ "Share", NULL, 7, .format_cell = format_fraction_cell, .help = "fraction of the total usage in the report" },
	{ "in 1 half-life", NULL, 14, SPENT_PAGE(after[0]), .help = "usage that still counts after 1 half-life" },
	{ "in 2", NULL, 14, SPENT_PAGE(after[1]), .help = "usage that still counts after 2 half-lives" },
	{ "in 4", NULL, 14, SPENT_PAGE(after[2]), .help = "usage that still counts after 4 half-lives" },
};

/* The data of the report, and the widths of its columns. */
struct spent_report {
	const struct share_run *r;
	const fs_usage *usage;
	const fs_spending *spending;
	const fs_shares *shares; /* share rows with the recorded usage; `visible` of a row: the viewer may see the row */
	double total; /* sum of the TRES seconds of all visible rows */
	/* `recorded`: usage that the scheduler recorded for the account; NAN: unknown. `covered`: TRES seconds of all
	 * associations that are in the snapshot */
	double recorded, covered;
	int width[SPENT_PAGE_COLUMNS];
};

static void print_spent_page_row(const struct spent_report *s, const char *user, const char *account, const char *rate,
				 double tres_s, double part)
{
	const struct column_page page = { COLUMNS(spent_page_columns), .widths = s->width };
	struct spent_page_row line = {
		.user = user, .account = account, .rate = rate, .tres_s = tres_s, .fraction = part
	};

	for (int k = 0; k < HALF_LIVES; k++)
		line.after[k] = tres_s * fs_usage_after(s->usage, half_lives[k]);
	columns_print_row(&page, &line);
	putchar('\n');
}

static bool is_spending_visible(const struct spent_report *s, const struct fs_usage_by_assoc *row)
{
	return row->row == FS_NO_ROW || fs_shares_row(s->shares, row->row)->visible;
}

/* Returns the number of jobs that are listed below the row; 0 if the viewer may not see the jobs. */
static size_t count_listed_jobs(const struct spent_report *s, const struct fs_usage_by_assoc *row)
{
	return fs_snapshot_shows_jobs_of(s->r->snapshot, input_get_viewer_name(&s->r->input), row->user, row->account)
		       ? row->listed
		       : 0;
}

static void print_spent_job(const struct spent_report *s, const struct fs_spent_job *job)
{
	char when[FS_TIME_TEXT] = "running", id[32], rate[400];

	if (!job->running)
		fs_time_format(s->r->snapshot, job->end_time, when);
	snprintf(id, sizeof(id), "  %llu", (unsigned long long)job->job);
	format_text(rate, sizeof(rate), "%.4f", job->rate * job->factor);
	print_spent_page_row(s, id, when, rate, job->tres_s, (double)NAN);
}

/* Formats the user of a row: "alice"; "alice/gpu" if the association is for the partition gpu only. */
static const char *format_spending_user(const struct fs_usage_by_assoc *row, char *buf, size_t size)
{
	char name[128];

	text_make_visible(buf, size, *row->user ? row->user : "(left)");
	if (*row->partition) {
		strncat(buf, "/", size - strlen(buf) - 1);
		strncat(buf, text_make_visible(name, sizeof(name), row->partition), size - strlen(buf) - 1);
	}
	return buf;
}

/* Prints the line "others" of an association: the sum of its jobs that are not listed. */
static void print_other_jobs(const struct spent_report *s, uint64_t jobs, double tres_s)
{
	char n[32];

	snprintf(n, sizeof(n), "%llu", (unsigned long long)jobs);
	print_spent_page_row(s, "  others", "", n, tres_s, (double)NAN);
}

static void print_association_spending(const struct spent_report *s, const struct fs_usage_by_assoc *row)
{
	const double part = s->total > 0 ? row->tres_s / s->total : 0;
	char user[256], runs[32];
	double listed = 0;

	snprintf(runs, sizeof(runs), "%llu run%s", (unsigned long long)row->jobs, row->jobs == 1 ? "" : "s");
	print_spent_page_row(s, format_spending_user(row, user, sizeof(user)), row->account, runs, row->tres_s, part);
	for (size_t i = 0; i < count_listed_jobs(s, row); i++) {
		print_spent_job(s, &row->job[i]);
		listed += row->job[i].tres_s;
	}
	if (row->jobs > count_listed_jobs(s, row))
		print_other_jobs(s, row->jobs - count_listed_jobs(s, row), row->tres_s - listed);
}

static void widen_column_to(int *width, int n)
{
	*width = n > *width ? n : *width;
}

static void print_spent_table(struct spent_report *s)
{
	const struct column_page page = { COLUMNS(spent_page_columns), .widths = s->width };
	char user[256];

	s->width[SPENT_USER] = -spent_page_columns[SPENT_USER].width;
	s->width[SPENT_ACCOUNT] = -spent_page_columns[SPENT_ACCOUNT].width;
	for (size_t i = 0; i < fs_spending_count(s->spending); i++) {
		const struct fs_usage_by_assoc *row = fs_spending_row(s->spending, i);

		if (!is_spending_visible(s, row))
			continue;
		widen_column_to(&s->width[SPENT_USER], (int)strlen(format_spending_user(row, user, sizeof(user))));
		widen_column_to(&s->width[SPENT_ACCOUNT], text_get_width(row->account));
	}
	if (!s->r->no_header)
		columns_print_heading(&page);
	for (size_t i = 0; i < fs_spending_count(s->spending); i++)
		if (is_spending_visible(s, fs_spending_row(s->spending, i)))
			print_association_spending(s, fs_spending_row(s->spending, i));
	print_spent_page_row(s, "sum", "", "", s->total, s->total > 0 ? 1.0 : 0.0);
}

/* Returns true if a visible row has no user. Such a row contains the usage of users who have left the account, or of an
 * account that is not in the snapshot. */
static bool lists_departed_users(const struct spent_report *s)
{
	for (size_t i = 0; i < fs_spending_count(s->spending); i++) {
		const struct fs_usage_by_assoc *row = fs_spending_row(s->spending, i);

		if (!*row->user && is_spending_visible(s, row))
			return true;
	}
	return false;
}

static void print_recorded_coverage(const struct spent_report *s)
{
	char percent[160];

	if (lists_departed_users(s))
		emit("(left): users who have left, or accounts that are not in the snapshot.\n");
	if (isnan(s->recorded))
		emit("It is unknown how much of the recorded usage these records cover.\n");
	else if (s->recorded > 0)
		emit("These records are %s %% of the recorded usage of %.2f TRES seconds.\n",
		     text_format_number(percent, sizeof(percent), s->covered / s->recorded * 100, 1), s->recorded);
	else
		emit("No usage is recorded.\n");
}

/* Returns true if the job has an end time. A running job without a time limit has no end time. */
COLUMN_HAS_VALUE(has_end_time, void, struct fs_spent_job, row->end_time != FS_UNLIMITED)

#define SPENT_JOB(m) COLUMN_MEMBER(struct fs_spent_job, m)

static const struct column spent_job_columns[] = {
	{ NULL, "jobid", SPENT_JOB(job), .help = "job id" },
	{ NULL, "start_time", SPENT_JOB(start_time), .unit = UNIT_TIME, .help = "start" },
	{ NULL, "end_time", SPENT_JOB(end_time), .has_value = has_end_time, .unit = UNIT_TIME,
	  .help = "end; for a running job the end of its time limit" },
	{ NULL, "running", SPENT_JOB(running), .help = "true: runs at the snapshot's time" },
	{ NULL, "rate", SPENT_JOB(rate), .help = "TRES seconds charged per second" },
	{ NULL, "usage_factor", SPENT_JOB(factor), .help = "UsageFactor of the job's QOS" },
	{ NULL, "seconds", SPENT_JOB(seconds), .unit = UNIT_SECONDS, .help = "run seconds that count after decay" },
	{ NULL, "tres_s", SPENT_JOB(tres_s), .help = "rate * usage_factor * seconds" },
};

static void write_usage_after_decay(struct fs_json *j, const void *of, const void *row)
{
	const struct spent_report *s = of;

	fs_json_object(j);
	for (int k = 0; k < HALF_LIVES; k++) {
		char key[16];

		format_text(key, sizeof(key), "%.0f", half_lives[k]);
		json_write_number(j, key,
				  ((const struct fs_usage_by_assoc *)row)->tres_s *
					  fs_usage_after(s->usage, half_lives[k]));
	}
	fs_json_end_object(j);
}

COLUMN_WRITE_JSON(write_top_jobs, struct spent_report, struct fs_usage_by_assoc,
		  columns_write_list(j, COLUMNS(spent_job_columns), of, row->job, count_listed_jobs(of, row),
				     sizeof(*row->job)))

#define USAGE(m) COLUMN_MEMBER(struct fs_usage_by_assoc, m)

static const struct column spent_columns[] = {
	{ NULL, "account", USAGE(account), .help = "account" },
	{ NULL, "user", USAGE(user), .help = "user" },
	{ NULL, "partition", USAGE(partition), .help = "partition that the association is limited to" },
	{ NULL, "tres_s", USAGE(tres_s), .help = "usage after decay, TRES seconds" },
	{ NULL, "jobs", USAGE(jobs), .help = "number of job runs" },
	{ NULL, "after_half_lives", .write_json = write_usage_after_decay,
	  .help = "usage that still counts after this number of half-lives" },
	{ NULL, "top_jobs", .write_json = write_top_jobs, .help = "the most expensive jobs" },
};

static int print_spent_json(const struct spent_report *spent)
{
	struct fs_json j;

	json_begin_document(&j, "fs-usage/2", spent->r->snapshot, spent->r->json);
	json_write_text(&j, "report", "spent");
	json_write_number(&j, "tres_s", spent->total);
	json_write_number(&j, "recorded_tres_s", spent->recorded);
	json_begin_rows(&j);
	for (size_t i = 0; i < fs_spending_count(spent->spending); i++) {
		const struct fs_usage_by_assoc *s = fs_spending_row(spent->spending, i);

		if (!is_spending_visible(spent, s))
			continue;
		columns_write_object(&j, COLUMNS(spent_columns), spent, s);
		json_end_row(&j);
	}
	json_end_rows(&j);
	return json_end_document(&j);
}

/* Sets `total`, `covered` and `recorded` for the account (NULL: the root). `covered` is compared with `recorded`, so it
 * excludes the usage of deleted accounts, which `recorded` does not contain. `recorded` is unknown if the viewer may
 * not see all rows. */
static void sum_recorded_usage(struct spent_report *s, const char *account)
{
	const struct fs_share_row *of = NULL;
	bool all = true;

	for (size_t i = 0; i < fs_shares_count(s->shares) && !of; i++) {
		const struct fs_share_row *row = fs_shares_row(s->shares, i);

		if (!*row->user && (!account || !strcmp(row->account, account)))
			of = row;
	}
	for (size_t i = 0; i < fs_spending_count(s->spending); i++) {
		const struct fs_usage_by_assoc *row = fs_spending_row(s->spending, i);

		all = all && is_spending_visible(s, row);
		if (is_spending_visible(s, row))
			s->total += row->tres_s;
		if (row->row != FS_NO_ROW)
			s->covered += row->tres_s;
	}
	s->recorded = of && of->visible && all ? of->raw_usage : (double)NAN;
}

/* Computes share rows from the usage that the scheduler recorded, decayed to the requested time. Returns 0 or an exit
 * status. */
static int load_recorded_shares(const struct share_run *r, fs_shares **shares)
{
	struct fs_view o = { .viewer = input_get_viewer_name(&r->input) };
	struct input in = r->input;
	fs_usage *recorded = NULL;
	struct fs_error err;
	int status = 0;

	in.usage = USAGE_RECORDED;
	if (usage_is_computation_requested(&in))
		status = usage_load_with_options(r->inv, &in, r->snapshot, NULL, NULL, &recorded);
	o.usage = recorded;
	if (!status && fs_shares_compute(shares, r->snapshot, &o, &err))
		status = cmd_report_error(r->inv, &err);
	fs_usage_free(recorded);
	return status;
}

/* Adds the charge for one run (execution) of a job to the fs_spending in `ctx`; a callback of type fs_charge_fn. */
static int add_job_charge(void *ctx, const struct fs_charge *charge)
{
	return fs_spending_charge(ctx, charge);
}

int share_print_spent_report(const struct share_run *r)
{
	struct spent_report s = { .r = r };
	fs_spending *p = NULL;
	fs_shares *shares = NULL;
	fs_usage *u = NULL;
	struct fs_error err;
	int status = 0;

	if (missing_report_unknown_name(r->inv, r->snapshot, input_get_viewer_name(&r->input), MISSING_ACCOUNT,
					r->report_argument))
		return EXIT_NOTHING;
	if (fs_spending_new(&p, r->snapshot, &err))
		status = cmd_report_error(r->inv, &err);
	if (!status)
		status = load_recorded_shares(r, &shares);
	if (!status)
		status = usage_load_with_options(r->inv, &r->input, r->snapshot, add_job_charge, p, &u);
	if (!status && fs_spending_rank(p, r->report_argument, &err)) {
		status = cmd_report_error(r->inv, &err);
		status = err.code == FS_ENOMEM ? status : EXIT_NOTHING;
	}
	s.usage = u;
	s.spending = p;
	s.shares = shares;
	if (!status)
		sum_recorded_usage(&s, r->report_argument);
	if (!status && r->json)
		status = print_spent_json(&s);
	else if (!status)
		print_spent_table(&s);
	if (!status && !r->json && !r->no_header)
		print_recorded_coverage(&s);
	fs_usage_free(u);
	fs_shares_free(shares);
	fs_spending_free(p);
	return status;
}
