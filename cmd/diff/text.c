/* The page of fs-diff, as text or Markdown. */
#include "diff/columns.h"
#include "diff/table.h"
#include "page/what_if.h"
#include "render/digits.h"
#include "render/emit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { CELL = 160 };

static int64_t clock_of(const struct diff_side *s)
{
	struct fs_usage_info usage;

	if (!s->usage)
		return fs_snapshot_info(s->snapshot)->time;
	fs_usage_info(s->usage, &usage);
	return usage.at;
}

static void put_state(const char *label, const struct diff_side *s)
{
	char when[FS_TIME_TEXT];

	fs_time_format(s->snapshot, clock_of(s), when);
	emit("%s %s, %s", label, fs_snapshot_info(s->snapshot)->file, when);
	if (s->eval.shares)
		emit(", %s", fs_shares_algorithm(s->eval.shares));
	emit("\n");
}

static void put_heading(const struct diff_run *r)
{
	what_if_print(r->side[FS_AFTER].snapshot);
	put_state("before", &r->side[FS_BEFORE]);
	put_state("after ", &r->side[FS_AFTER]);
}

static void heading(const struct diff_run *r, const char *title)
{
	emit(r->markdown ? "\n## %s\n\n" : "\n%s\n", title);
}

/* ---- cells: "before -> after", or one where both are the same */

static const char *change(char buf[CELL], const char *before, const char *after)
{
	static const char arrow[] = " -> ";
	const size_t max = 75, len = strnlen(before, max), more = strnlen(after, max);

	if (!strcmp(before, after))
		return after;
	memcpy(buf, before, len);
	memcpy(buf + len, arrow, sizeof(arrow) - 1);
	memcpy(buf + len + sizeof(arrow) - 1, after, more);
	buf[len + sizeof(arrow) - 1 + more] = '\0';
	return buf;
}

static const char *start(char *buf, const struct diff_side *s, int64_t t)
{
	if (t == FS_UNKNOWN)
		return "-";
	if (t <= fs_snapshot_info(s->snapshot)->time)
		return "now";
	fs_time_format(s->snapshot, t, buf);
	return buf;
}

static const char *value_text(char buf[CELL], const struct diff_side *s, const struct value *v, bool whole,
			      bool time)
{
	double n;

	if (v->type == VALUE_TEXT)
		return v->text;
	n = value_number(v);
	if (time && v->type == VALUE_INTEGER)
		return start(buf, s, v->integer);
	else if (isnan(n))
		return "-";
	else if (isinf(n) && !whole)
		return "inf";
	else
		digits_fixed(buf, n, whole ? 0 : 6, false);
	return buf;
}

static const char *job_text(char buf[FS_JOB_ID_TEXT], const struct diff_run *r, uint64_t id)
{
	return fs_job_id_format(r->side[FS_AFTER].snapshot, id, false, buf);
}

/* A name that users chose is cut to so many bytes in a cell. */
enum { NAME_MAX = 60 };
#define NAME "%.60s"

/* ---- jobs */

/* The names of terms as sprio's columns have them: "FAIRSHARE", "TRES/cpu" as it is. */
static void upper(char *to, size_t size, const char *name)
{
	const bool as_it_is = strchr(name, '/') != NULL;
	size_t i = 0;

	for (; name[i] && i + 1 < size; i++)
		to[i] = name[i] >= 'a' && name[i] <= 'z' && !as_it_is ? (char)(name[i] - 'a' + 'A') : name[i];
	to[i] = '\0';
}

/* ", FAIRSHARE +3.500", as much of it as there is room for; how long it is. */
static size_t term_text(char *buf, size_t size, const struct fs_term_change *term, bool first)
{
	char text[2 * CELL] = ", ";
	const size_t from = first ? 2 : 0;
	size_t len = 2, whole;

	upper(text + len, 64, term->name);
	len += strlen(text + len);
	text[len++] = ' ';
	whole = len + digits_fixed(text + len, term->change, 3, true) - from;
	if (whole < size)
		memcpy(buf, text + from, whole + 1);
	else
		buf[0] = '\0';
	return whole;
}

/* Names the terms that changed, the greatest first; a cell of the table has room for about twenty. */
static void terms_text(char *buf, size_t size, const struct fs_compared_job *j)
{
	size_t len = 0;
	double above = INFINITY;

	*buf = '\0';
	for (size_t told = 0; told < j->nterms && len < size;) {
		double next = -1;

		for (size_t i = 0; i < j->nterms; i++)
			if (fabs(j->terms[i].change) < above && fabs(j->terms[i].change) > next)
				next = fabs(j->terms[i].change);
		if (next < 0)
			return;
		for (size_t i = 0; i < j->nterms && len < size; i++) {
			if (fabs(j->terms[i].change) != next)
				continue;
			len += term_text(buf + len, size - len, &j->terms[i], told++ == 0);
		}
		above = next;
	}
}

/* A column that the page of jobs shows. */
struct shown {
	enum diff_job_column column;
	bool right;
};

static void add_change(struct table *t, double moved)
{
	char text[DIGITS_TEXT];

	if (moved == 0 || isnan(moved)) {
		table_text(t, isnan(moved) ? "-" : "0");
		return;
	}
	digits_fixed(text, moved, 0, true);
	table_text(t, text);
}

/* Which side a cell shows: 0 what was, 1 what is, or both. */
enum { BOTH = 2 };

static void add_cell(struct table *t, const struct diff_run *r, enum diff_job_column column,
		     const struct fs_compared_job *j, int side)
{
	const struct column *c = &diff_job_columns[column];
	char text[2][CELL], id[FS_JOB_ID_TEXT], cell[CELL], why[TABLE_CELL];
	const char *on[2];
	struct value v;

	if (column == DIFF_JOBID) {
		table_text(t, job_text(id, r, j->job));
		return;
	}
	if (column == DIFF_TERMS) {
		terms_text(why, sizeof(why), j);
		table_text(t, why);
		return;
	}
	for (int k = 0; k < 2; k++) {
		diff_job_value(c, j, k, &v);
		on[k] = value_text(text[k], &r->side[k], &v, true, c->unit == UNIT_TIME);
	}
	if (column == DIFF_CHANGE)
		add_change(t, v.number);
	else if (c->part == DIFF_EACH && side == BOTH)
		table_cut(t, change(cell, on[0], on[1]), CELL - 10);
	else
		table_cut(t, on[side % 2], NAME_MAX);
}

static void begin_jobs(struct table *t, const struct shown *shown, size_t n)
{
	for (size_t i = 0; i < n; i++)
		table_column(t, diff_job_columns[shown[i].column].name, shown[i].right);
}

static const struct shown of_pending[] = { { DIFF_JOBID, false }, { DIFF_PARTITIONS, false }, { DIFF_USER, false },
					   { DIFF_PRIORITY, true }, { DIFF_CHANGE, true },
					   { DIFF_PARTITION_POSITION, false }, { DIFF_START, false },
					   { DIFF_TERMS, false } };

static void add_pending(struct table *t, const void *of, size_t i)
{
	const struct diff_run *r = of;
	const struct fs_compared_job *j = fs_comparison_job(r->compared, i);

	if (j->fate != FS_FATE_PENDING || !diff_wants_job(r, j))
		return;
	for (size_t c = 0; c < t->columns; c++)
		add_cell(t, r, of_pending[c].column, j, BOTH);
}

static int put_pending(const struct diff_run *r)
{
	struct tables t = { 0 };
	char title[80];
	size_t n;

	begin_jobs(t.part, COLUMNS(of_pending));
	n = tables_fill(&t, fs_comparison_jobs(r->compared), add_pending, r);
	snprintf(title, sizeof(title), "PENDING JOBS: %zu of %zu rows differ", n, fs_comparison_pending(r->compared));
	heading(r, title);
	return tables_print(&t, r->markdown);
}

static const struct shown of_others[] = { { DIFF_JOBID, false }, { DIFF_FATE, false }, { DIFF_PARTITIONS, false },
					  { DIFF_USER, false }, { DIFF_ACCOUNT, false }, { DIFF_PRIORITY, true },
					  { DIFF_PARTITION_POSITION, true } };

static void add_other(struct table *t, const void *of, size_t i)
{
	const struct diff_run *r = of;
	const struct fs_compared_job *j = fs_comparison_job(r->compared, i);

	if (j->fate == FS_FATE_PENDING || !diff_wants_job(r, j))
		return;
	for (size_t c = 0; c < t->columns; c++)
		add_cell(t, r, of_others[c].column, j, j->fate == FS_FATE_NEW ? FS_AFTER : FS_BEFORE);
}

static int put_others(const struct diff_run *r)
{
	struct tables t = { 0 };

	begin_jobs(t.part, COLUMNS(of_others));
	if (tables_fill(&t, fs_comparison_jobs(r->compared), add_other, r))
		heading(r, "JOBS IN ONE OF THE TWO");
	return tables_print(&t, r->markdown);
}

/* ---- the sum of one job: in whole millionths, so that it adds up as printed */

static void add_units(struct table *t, const char *name, int64_t units)
{
	table_add(t, "%s", name);
	table_add(t, "%s%lld.%06lld", units < 0 ? "-" : "+", (long long)(units / 1000000 < 0 ? -(units / 1000000) : units / 1000000),
		  (long long)(units % 1000000 < 0 ? -(units % 1000000) : units % 1000000));
}

static int put_sum(const struct diff_run *r, const struct fs_compared_job *j)
{
	struct table t = { 0 };
	const double moved = j->priority[1] - j->priority[0];
	int64_t sum = 0;
	char title[CELL], name[64], id[FS_JOB_ID_TEXT], where[CELL];

	if (isnan(j->sum_change) || fabs(moved) > 1e12)
		return 0;
	snprintf(title, sizeof(title), "SUM of %s in %.100s", job_text(id, r, j->job),
		 change(where, j->partition[0], j->partition[1]));
	heading(r, title);
	table_column(&t, "FACTOR", false);
	table_column(&t, "CHANGE", true);
	for (size_t i = 0; i < j->nterms; i++) {
		const int64_t units = llround(j->terms[i].change * 1e6);

		upper(name, sizeof(name), j->terms[i].name);
		add_units(&t, name, units);
		sum += units;
	}
	add_units(&t, "sum", sum);
	if (llround(moved) * 1000000 != sum)
		add_units(&t, "dropped or rounded", llround(moved) * 1000000 - sum);
	table_add(&t, "PRIORITY");
	table_add(&t, "%+.0f", moved);
	return table_print(&t, r->markdown);
}

/* ---- shares */

/* Of a share in both states: what a cell of the page says. */
static void share_texts(const char *on[2], char text[2][CELL], const struct diff_run *r,
			const struct diff_share_column *c, const struct fs_compared_share *s)
{
	struct value v;

	for (int k = 0; k < 2; k++) {
		diff_share_value(c, s, k, &v);
		on[k] = value_text(text[k], &r->side[k], &v, c->whole, false);
		on[k] = *on[k] ? on[k] : "-";
	}
}

/* Has the page the column? */
static bool shows(const struct diff_run *r, const struct diff_share_column *c)
{
	char text[2][CELL];
	const char *on[2];

	for (size_t i = 0; c->name && c->if_moved && i < fs_comparison_shares(r->compared); i++) {
		const struct fs_compared_share *s = fs_comparison_share(r->compared, i);

		if (!diff_wants_share(r, s) || !s->row[0] || !s->row[1])
			continue;
		share_texts(on, text, r, c, s);
		if (strcmp(on[0], on[1]) != 0)
			return true;
	}
	return c->name && !c->if_moved;
}

static void add_share(struct table *t, const struct diff_run *r, const struct fs_compared_share *s,
		      const bool has[DIFF_SHARE_COLUMNS])
{
	const struct fs_share_row *row = s->row[1] ? s->row[1] : s->row[0];
	char text[2][CELL], cell[CELL];
	const char *on[2];

	table_add(t, NAME, row->account);
	table_add(t, *row->partition ? NAME " (" NAME ")" : NAME "%s", row->user, row->partition);
	for (size_t i = 0; i < DIFF_SHARE_COLUMNS; i++) {
		if (!has[i])
			continue;
		share_texts(on, text, r, &diff_share_columns[i], s);
		table_add(t, "%s", change(cell, on[0], on[1]));
	}
}

static int put_shares(const struct diff_run *r)
{
	struct table t = { 0 };
	bool has[DIFF_SHARE_COLUMNS];
	char title[64];
	size_t n = 0;

	if (r->job)
		return 0;
	table_column(&t, "ACCOUNT", false);
	table_column(&t, "USER", false);
	for (size_t i = 0; i < DIFF_SHARE_COLUMNS; i++) {
		has[i] = shows(r, &diff_share_columns[i]);
		if (has[i])
			table_column(&t, diff_share_columns[i].name, false);
	}
	for (size_t i = 0; i < fs_comparison_shares(r->compared); i++)
		if (diff_wants_share(r, fs_comparison_share(r->compared, i))) {
			add_share(&t, r, fs_comparison_share(r->compared, i), has);
			n++;
		}
	snprintf(title, sizeof(title), "SHARES: %zu row%s", n, n == 1 ? " differs" : "s differ");
	heading(r, title);
	return table_print(&t, r->markdown);
}

static int put_ranks(const struct diff_run *r)
{
	struct table t = { 0 };

	table_column(&t, "USER", false);
	table_column(&t, "ACCOUNT", false);
	table_column(&t, "FACTOR", true);
	table_column(&t, "WHY", false);
	if (diff_ranks(r, &t))
		t.failed = true;
	if (!t.n)
		return t.failed ? -1 : 0;
	heading(r, fs_shares_has_levels(r->side[FS_AFTER].eval.shares) ? "WHY RANKS MOVED: what each adds to the factor" :
									 "WHY FACTORS MOVED: what each adds");
	return table_print(&t, r->markdown);
}

int diff_text(const struct diff_run *r)
{
	int rc;

	put_heading(r);
	rc = put_pending(r);
	if (!rc)
		rc = put_others(r);
	for (size_t i = 0; !rc && r->job && i < fs_comparison_jobs(r->compared); i++)
		if (diff_wants_job(r, fs_comparison_job(r->compared, i)))
			rc = put_sum(r, fs_comparison_job(r->compared, i));
	if (!rc)
		rc = put_shares(r);
	return rc ? rc : put_ranks(r);
}
