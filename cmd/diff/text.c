/* The page of fs-diff, as text or Markdown. */
#include "diff/diff.h"
#include "diff/table.h"
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
	put_state("before", &r->side[FS_BEFORE]);
	put_state("after ", &r->side[FS_AFTER]);
	for (size_t i = 0; i < r->input.edits.n; i++)
		emit("   if  %s\n", r->input.edits.command[i]);
}

static void heading(const struct diff_run *r, const char *title)
{
	emit(r->markdown ? "\n## %s\n\n" : "\n%s\n", title);
}

/* ---- cells: "before -> after", or one where both are the same */

static const char *change(char buf[CELL], const char *before, const char *after)
{
	if (!strcmp(before, after))
		snprintf(buf, CELL, "%.150s", after);
	else
		snprintf(buf, CELL, "%.75s -> %.75s", before, after);
	return buf;
}

static const char *whole(char buf[32], double v)
{
	if (isnan(v))
		return "-";
	snprintf(buf, 32, "%.0f", v);
	return buf;
}

static const char *fraction(char buf[32], double v)
{
	if (isnan(v))
		return "-";
	if (isinf(v))
		return "inf";
	snprintf(buf, 32, "%.6f", v);
	return buf;
}

static const char *place(char buf[32], uint32_t v)
{
	return whole(buf, v ? v : (double)NAN);
}

static const char *start(char buf[FS_TIME_TEXT], const struct diff_side *s, int64_t t)
{
	if (t == FS_UNKNOWN)
		return "-";
	if (t <= fs_snapshot_info(s->snapshot)->time)
		return "now";
	fs_time_format(s->snapshot, t, buf);
	return buf;
}

static const char *job_text(char buf[FS_JOB_ID_TEXT], const struct diff_run *r, uint64_t id)
{
	return fs_job_id_format(buf, r->side[FS_AFTER].snapshot, id, false);
}

/* A text of users in a cell: there is room for so much of it. */
#define NAME "%.60s"

/* ---- jobs */

/* The names of terms as sprio's columns have them: "FAIRSHARE", "TRES/cpu" as it is. */
static void upper(char *to, size_t size, const char *name)
{
	size_t i = 0;

	for (; name[i] && i + 1 < size; i++)
		to[i] = name[i] >= 'a' && name[i] <= 'z' && !strchr(name, '/') ? (char)(name[i] - 'a' + 'A') : name[i];
	to[i] = '\0';
}

/* The terms, the greatest first; the table's cell holds some twenty of them. */
static void because(char *buf, size_t size, const struct fs_compared_job *j)
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
			char name[64];

			if (fabs(j->terms[i].change) != next)
				continue;
			upper(name, sizeof(name), j->terms[i].name);
			len += (size_t)snprintf(buf + len, size - len, "%s%s %+.3f", told++ ? ", " : "", name,
						j->terms[i].change);
		}
		above = next;
	}
}

static void add_pending(struct table *t, const struct diff_run *r, const struct fs_compared_job *j)
{
	char a[FS_TIME_TEXT], b[FS_TIME_TEXT], id[FS_JOB_ID_TEXT], cell[CELL], why[TABLE_CELL];
	const double moved = j->priority[1] - j->priority[0];

	table_add(t, "%s", job_text(id, r, j->job));
	table_add(t, "%s", change(cell, j->partition[0], j->partition[1]));
	table_add(t, NAME, j->user);
	table_add(t, "%s", change(cell, whole(a, j->priority[0]), whole(b, j->priority[1])));
	if (moved == 0 || isnan(moved))
		table_add(t, "%s", isnan(moved) ? "-" : "0");
	else
		table_add(t, "%+.0f", moved);
	table_add(t, "%s", change(cell, place(a, j->partition_position[0]), place(b, j->partition_position[1])));
	table_add(t, "%s", change(cell, start(a, &r->side[0], j->start_time[0]), start(b, &r->side[1], j->start_time[1])));
	because(why, sizeof(why), j);
	table_add(t, "%s", why);
}

static void put_pending(const struct diff_run *r)
{
	static const char *const heads[] = { "JOBID", "PARTITION", "USER", ">PRIORITY", ">CHANGE", "PLACE", "START",
					     "TERMS", NULL };
	struct table t = { .heads = heads };
	size_t n = 0;
	char title[80];

	for (size_t i = 0; i < fs_comparison_jobs(r->compared); i++) {
		const struct fs_compared_job *j = fs_comparison_job(r->compared, i);

		if (j->fate != FS_FATE_PENDING || !diff_wants_job(r, j))
			continue;
		add_pending(&t, r, j);
		n++;
	}
	snprintf(title, sizeof(title), "PENDING JOBS: %zu of %zu rows differ", n, fs_comparison_pending(r->compared));
	heading(r, title);
	table_print(&t, r->markdown);
}

static void put_others(const struct diff_run *r)
{
	static const char *const heads[] = { "JOBID", "WHAT", "PARTITION", "USER", "ACCOUNT", ">PRIORITY", ">PLACE", NULL };
	struct table t = { .heads = heads };

	for (size_t i = 0; i < fs_comparison_jobs(r->compared); i++) {
		const struct fs_compared_job *j = fs_comparison_job(r->compared, i);
		const int side = j->fate == FS_FATE_NEW ? FS_AFTER : FS_BEFORE;
		char id[FS_JOB_ID_TEXT], a[32];

		if (j->fate == FS_FATE_PENDING || !diff_wants_job(r, j))
			continue;
		table_add(&t, "%s", job_text(id, r, j->job));
		table_add(&t, "%s", fs_fate_name(j->fate));
		table_add(&t, NAME, j->partition[side]);
		table_add(&t, NAME, j->user);
		table_add(&t, NAME, j->account);
		table_add(&t, "%s", whole(a, j->priority[side]));
		table_add(&t, "%s", place(a, j->partition_position[side]));
	}
	if (!t.n)
		return;
	heading(r, "JOBS IN ONE OF THE TWO");
	table_print(&t, r->markdown);
}

/* ---- the sum of one job: in whole millionths, so that it adds up as printed */

static void add_units(struct table *t, const char *name, int64_t units)
{
	table_add(t, "%s", name);
	table_add(t, "%s%lld.%06lld", units < 0 ? "-" : "+", (long long)(units / 1000000 < 0 ? -(units / 1000000) : units / 1000000),
		  (long long)(units % 1000000 < 0 ? -(units % 1000000) : units % 1000000));
}

static void put_sum(const struct diff_run *r, const struct fs_compared_job *j)
{
	static const char *const heads[] = { "FACTOR", ">CHANGE", NULL };
	struct table t = { .heads = heads };
	const double moved = j->priority[1] - j->priority[0];
	int64_t sum = 0;
	char title[CELL], name[64], id[FS_JOB_ID_TEXT], where[CELL];

	if (isnan(j->sum_change) || fabs(moved) > 1e12)
		return;
	snprintf(title, sizeof(title), "SUM of %s in %.100s", job_text(id, r, j->job),
		 change(where, j->partition[0], j->partition[1]));
	heading(r, title);
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
	table_print(&t, r->markdown);
}

/* ---- shares */

static const char *raw_shares(char buf[32], const struct fs_share_row *s)
{
	if (!s || s->shares_kind == FS_SHARES_UNSET)
		return "-";
	if (s->shares_kind == FS_SHARES_PARENT)
		return "parent";
	return whole(buf, s->raw_shares);
}

static void add_share(struct table *t, const struct fs_compared_share *s)
{
	const struct fs_share_row *x = s->row[0], *y = s->row[1], *row = y ? y : x;
	char a[32], b[32], cell[CELL];

	table_add(t, NAME, row->account);
	table_add(t, *row->partition ? NAME " (" NAME ")" : NAME "%s", row->user, row->partition);
	table_add(t, "%s", change(cell, raw_shares(a, x), raw_shares(b, y)));
	table_add(t, "%s", change(cell, whole(a, x ? x->raw_usage : (double)NAN), whole(b, y ? y->raw_usage : (double)NAN)));
	table_add(t, "%s", change(cell, fraction(a, x ? x->effective_usage : (double)NAN),
				  fraction(b, y ? y->effective_usage : (double)NAN)));
	table_add(t, "%s", change(cell, fraction(a, x ? x->fairshare : (double)NAN),
				  fraction(b, y ? y->fairshare : (double)NAN)));
	table_add(t, "%s", change(cell, place(a, x ? x->rank : 0), place(b, y ? y->rank : 0)));
}

static void put_shares(const struct diff_run *r)
{
	static const char *const heads[] = { "ACCOUNT", "USER", "SHARES", "RAWUSAGE", "EFFECTVUSAGE", "FAIRSHARE", "RANK",
					     NULL };
	struct table t = { .heads = heads };
	char title[64];
	size_t n = 0;

	for (size_t i = 0; i < fs_comparison_shares(r->compared); i++)
		if (diff_wants_share(r, fs_comparison_share(r->compared, i))) {
			add_share(&t, fs_comparison_share(r->compared, i));
			n++;
		}
	if (r->job)
		return;
	snprintf(title, sizeof(title), "SHARES: %zu rows differ", n);
	heading(r, title);
	table_print(&t, r->markdown);
}

static void put_ranks(const struct diff_run *r)
{
	static const char *const heads[] = { "USER", "ACCOUNT", ">FACTOR", "WHY", NULL };
	struct table t = { .heads = heads };

	if (diff_ranks(r, &t))
		t.failed = true;
	if (!t.n && !t.failed)
		return;
	heading(r, "WHY RANKS MOVED: what each adds to the factor");
	table_print(&t, r->markdown);
}

void diff_text(const struct diff_run *r)
{
	put_heading(r);
	put_pending(r);
	put_others(r);
	for (size_t i = 0; r->job && i < fs_comparison_jobs(r->compared); i++)
		if (diff_wants_job(r, fs_comparison_job(r->compared, i)))
			put_sum(r, fs_comparison_job(r->compared, i));
	put_shares(r);
	put_ranks(r);
}
