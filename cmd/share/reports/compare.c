/* fs-share --usage=compare */
#include "share/share.h"

#include "render/emit.h"
#include "render/text.h"

#include <string.h>

struct row {
	const char *account, *user, *partition;
	unsigned indent; /* of the account, on the page */
	double recorded, computed, difference;
};
enum { ACCOUNT, USER, COLUMN_COUNT = 6 };

static void account_cell(char buf[COLUMN_TEXT], const void *of, const void *row)
{
	const struct row *c = row;
	const unsigned indent = c->indent < COLUMN_TEXT / 2 ? c->indent : COLUMN_TEXT / 2;

	(void)of;
	memset(buf, ' ', indent);
	text_visible(buf + indent, COLUMN_TEXT - indent, c->account);
}

#define ROW(m) COLUMN_MEMBER(struct row, m)

static const struct column columns[COLUMN_COUNT] = {
	[ACCOUNT] = { "Account", "account", -20, ROW(account), .text = account_cell,
			      .help = "account" },
	[USER] = { "User", "user", -10, ROW(user), .help = "user" },
	{ NULL, "partition", ROW(partition), .help = "the partition alone in which the association holds" },
	{ "Recorded", "recorded", 16, ROW(recorded), .help = "usage that the scheduler recorded, TRES seconds" },
	{ "Computed", "computed", 16, ROW(computed), .help = "usage computed from job records" },
	{ "Difference", "difference", 16, ROW(difference), .help = "computed minus recorded" },
};

static struct row row_of(const fs_usage *u, const struct fs_share_row *s, unsigned indent)
{
	const double computed = fs_usage_total(u, s->row);

	return (struct row){
		s->account, s->user, s->partition, indent, s->raw_usage, computed, computed - s->raw_usage
	};
}

static void print_rows(const struct share_run *r)
{
	const struct share_rows *rows = &r->rows;
	int width[COLUMN_COUNT] = { -columns[ACCOUNT].width, -columns[USER].width };
	int *const account = &width[ACCOUNT], *const user = &width[USER];
	const struct column_page page = { COLUMNS(columns), .width = width };

	for (size_t i = 0; i < rows->n; i++) {
		const struct fs_share_row *row = rows->v[i];
		const int a = (int)rows->indent[row->row] + text_width(row->account),
			  b = text_width(row->user);

		*account = a > *account ? a : *account;
		*user = b > *user ? b : *user;
	}
	if (!r->no_header)
		columns_heading(&page);
	for (size_t i = 0; i < rows->n; i++) {
		const struct row c = row_of(r->computed, rows->v[i], rows->indent[rows->v[i]->row]);

		columns_row(&page, &c);
		putchar('\n');
	}
}

static const char *plural(size_t n)
{
	return n == 1 ? "" : "s";
}

static void print_notes(const struct share_run *r, const struct fs_usage_info *n)
{
	char when[FS_TIME_TEXT];

	fs_time_format(r->snapshot, n->decay == FS_DECAY_SLURM ? n->last_run : n->at, when);
	emit("\nComputed from %zu job record%s and %zu running job%s, as of %s%s.\n", n->records,
	       plural(n->records), n->running, plural(n->running),
	       n->decay == FS_DECAY_SLURM ? "the decay run of " : "", when);
	if (n->oldest != FS_UNKNOWN && n->oldest < n->reset_time) {
		fs_time_format(r->snapshot, n->oldest, when);
		emit("The records begin %s, before the last reset: nothing is missing.\n", when);
	} else if (n->oldest != FS_UNKNOWN) {
		fs_time_format(r->snapshot, n->oldest, when);
		emit("The records begin %s; a second used before that counts at most %.6f now.\n",
		       when, n->before_oldest);
	} else {
		emit("There are no job records: what finished jobs used cannot be known.\n");
	}
	if (n->deleted_user_jobs)
		emit("%zu job%s of users who have left: %.2f TRES seconds, borne by their accounts.\n",
		       n->deleted_user_jobs, plural(n->deleted_user_jobs), n->deleted_user_tres_s);
	if (n->unknown_account_jobs)
		emit("%zu job%s of accounts that are no longer there: %.2f TRES seconds, charged to none.\n",
		       n->unknown_account_jobs, plural(n->unknown_account_jobs), n->unknown_account_tres_s);
	if (n->other_flag_jobs)
		emit("%zu job%s began when PriorityFlags were others, and keep their rate.\n",
		       n->other_flag_jobs, plural(n->other_flag_jobs));
	if (n->recorded_rate_jobs)
		emit("%zu job%s billed as recorded, in whole units: the partition or its weights have changed since.\n",
		       n->recorded_rate_jobs, plural(n->recorded_rate_jobs));
	if (n->unbilled)
		emit("%zu record%s of unknown partitions, without recorded billing: not charged.\n",
		       n->unbilled, plural(n->unbilled));
	if (n->reset_time != INT64_MIN) {
		fs_time_format(r->snapshot, n->reset_time, when);
		emit("All usage was reset at %s.\n", when);
	}
}

/* What is of those whom a viewer may not see is known to viewers who see all: of. */
COLUMN_KNOWN(sees_others, bool, void, *of)
COLUMN_KNOWN(has_records, void, struct fs_usage_info, row->oldest != FS_UNKNOWN)
COLUMN_KNOWN(was_reset, void, struct fs_usage_info, row->reset_time != INT64_MIN)

static const char *decay_name(uint32_t decay)
{
	return decay == FS_DECAY_SLURM ? "slurm" : "exact";
}

#define INFO(m) COLUMN_MEMBER(struct fs_usage_info, m)

static const struct column info_columns[] = {
	{ NULL, "at", INFO(at), .unit = UNIT_TIME, .help = "the time of the usage" },
	{ NULL, "last_run", INFO(last_run), .unit = UNIT_TIME, .help = "the last decay run before it" },
	{ NULL, "records", INFO(records), .help = "job records that count" },
	{ NULL, "running", INFO(running), .help = "running jobs that count" },
	{ NULL, "deleted_user_jobs", INFO(deleted_user_jobs), .known = sees_others, .help = "of users who have left" },
	{ NULL, "deleted_user_tres_s", INFO(deleted_user_tres_s), .known = sees_others, .help = "what these used" },
	{ NULL, "unknown_account_jobs", INFO(unknown_account_jobs), .known = sees_others,
	  .help = "of accounts that are no longer there" },
	{ NULL, "unknown_account_tres_s", INFO(unknown_account_tres_s), .known = sees_others, .help = "what these used" },
	{ NULL, "other_flag_jobs", INFO(other_flag_jobs), .help = "began when PriorityFlags were others" },
	{ NULL, "recorded_rate_jobs", INFO(recorded_rate_jobs), .help = "billed as recorded" },
	{ NULL, "unbilled", INFO(unbilled), .help = "not charged" },
	{ NULL, "oldest", INFO(oldest), .known = has_records, .unit = UNIT_TIME, .help = "when the records begin" },
	{ NULL, "before_oldest", INFO(before_oldest), .known = has_records, .unit = UNIT_FRACTION,
	  .help = "what a second before that counts now at most" },
	{ NULL, "reset_time", INFO(reset_time), .known = was_reset, .unit = UNIT_TIME, .help = "the last reset" },
	{ NULL, "decay", INFO(decay), .word = decay_name, .help = "how usage decays" },
	{ NULL, "half_life_s", INFO(half_life_s), .unit = UNIT_SECONDS, .help = "of usage" },
	{ NULL, "period_s", INFO(period_s), .unit = UNIT_SECONDS, .help = "between decay runs" },
};

static int print_json(const struct share_run *r, const struct fs_usage_info *n, bool all)
{
	struct fs_json j;

	json_begin(&j, "fs-usage/2", r->snapshot, r->json);
	json_text(&j, "report", "compare");
	columns_json(&j, COLUMNS(info_columns), &all, n);
	json_rows(&j);
	for (size_t i = 0; i < r->rows.n; i++) {
		const struct row row = row_of(r->computed, r->rows.v[i], 0);

		columns_object(&j, COLUMNS(columns), NULL, &row);
		json_row_done(&j);
	}
	json_end_rows(&j);
	return json_end(&j);
}

/* The usage of others may be shown only to viewers who see everybody's. */
static bool sees_all(const fs_shares *shares)
{
	for (size_t i = 0; i < fs_shares_count(shares); i++)
		if (!fs_shares_row(shares, i)->visible)
			return false;
	return true;
}

int share_compare(const struct share_run *r)
{
	struct fs_usage_info n;

	fs_usage_info(r->computed, &n);
	if (r->json)
		return print_json(r, &n, sees_all(r->shares));
	if (!sees_all(r->shares))
		n.deleted_user_jobs = n.unknown_account_jobs = 0;
	print_rows(r);
	print_notes(r, &n);
	return EXIT_DONE;
}
