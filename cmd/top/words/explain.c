/* The panes of a job and of a partition: its place, its factors, who is next. */
#include "top/words/explain.h"

#include "dialect/dialect.h"
#include "render/format.h"
#include "top/list/columns.h"
#include "top/words/words.h"
#include "words/verdict.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* ---- a job's place */

static uint32_t line_length(const struct data *d, const char *partition)
{
	for (size_t i = 0; i < d->partitions; i++)
		if (!strcmp(d->partition[i].name, partition))
			return d->partition[i].eligible;
	return 0;
}

/* "Ahead of it: 812190 of anna (lab), by 3150 points: FAIRSHARE 0.91 against 0.75." */
static void put_predecessor(struct words_source *s, const struct data *d, uint32_t i,
			    const struct fs_queue_row *row, char *buf, size_t size)
{
	const bool one_line = fs_queue_one_line(d->eval.queue);
	char next[BRIEF_LINE] = "";
	struct fs_queue_place place;
	struct fs_explain_job job;
	struct fs_queue_row ahead;
	uint32_t before;
	size_t at = 0;

	*buf = '\0';
	fs_queue_place(d->eval.queue, i, &place);
	before = !one_line ? place.before : i ? i - 1 : FS_NO_ROW;
	if (before == FS_NO_ROW)
		return;
	fs_queue_row(d->eval.queue, before, &ahead);
	if (!ahead.visible || fs_explain_job_brief(s->view.x, row->job_row, &job, NULL))
		return;
	while (at < job.nsums && job.sums[at].queue_row != i)
		at++;
	if (at < job.nsums && explain_next_words(next, &s->view, &job, at, before))
		snprintf(buf, size, " Ahead of it: %s.", next);
}

/* Writes the verdict as a sentence, or "" if the job's place alone says why it waits. Returns whether the sentence
 * names the row's place. */
static bool verdict_sentence(char text[VERDICT_TEXT + 2], struct lines *l, const struct data *d,
			     const struct fs_queue_row *row)
{
	struct fs_verdict v;
	bool of_row = false;

	*text = '\0';
	if (fs_queue_verdict(d->eval.queue, row->job_row, &v)) {
		l->failed = true;
		return false;
	}
	if (!row->eligible || v.kind != FS_VERDICT_BEHIND) {
		verdict_words(text, &dialect_of(d->snapshot)->nouns, d->snapshot, &v);
		*text = (char)(*text >= 'a' && *text <= 'z' ? *text - 'a' + 'A' : *text);
		strcat(text, ".");
		of_row = v.kind > FS_VERDICT_BEHIND && !strcmp(v.partition, row->partition);
	}
	fs_verdict_release(&v);
	return of_row;
}

/* Says what the recorded reason of an eligible job means. */
static void put_reason(struct lines *l, const struct data *d, const struct fs_queue_row *row, unsigned width)
{
	char text[800];

	if (!dialect_of(d->snapshot)->waiting_reasons || !row->reason ||
	    (row->section != FS_SECTION_ELIGIBLE && row->section != FS_SECTION_RESOURCES &&
	     row->section != FS_SECTION_NODES))
		return;
	snprintf(text, sizeof(text), "%s: %s. It ends when %s.", row->reason->name,
		 row->reason->meaning, row->reason->clears);
	lines_wrap(l, ATTR_PLAIN, width, 0, text);
}

/* "8th of 44 in all", where that is another order. */
static void put_overall(char buf[BRIEF_LINE], const struct data *d, const struct fs_queue_row *row, uint32_t of)
{
	char overall[WORDS];

	*buf = '\0';
	if (fs_queue_one_line(d->eval.queue) || (row->position == row->partition_position && of == d->eligible))
		return;
	if (row->position)
		snprintf(buf, BRIEF_LINE, "%s of %" PRIu32 " in all", ordinal_words(overall, row->position), d->eligible);
	else
		snprintf(buf, BRIEF_LINE, "another row of it is tried before");
}

static void put_not_eligible(struct lines *l, const struct data *d, const struct fs_queue_row *row,
			     const char *verdict, unsigned width)
{
	char text[BRIEF_LINE] = "It is not eligible: its priority does not matter now.";

	lines_wrap(l, ATTR_WARN, width, 0, verdict);
	if (fs_queue_verdict_kind(d->eval.queue, row->job_row) >= FS_VERDICT_NODES)
		snprintf(text, sizeof(text), "It is not eligible in %.600s.", row->partition);
	lines_wrap(l, ATTR_PLAIN, width, 0, text);
}

static void put_place(struct lines *l, struct words_source *s, const struct data *d, uint32_t i,
		      const struct fs_queue_row *row, unsigned width)
{
	const bool one_line = fs_queue_one_line(d->eval.queue);
	const uint32_t of = line_length(d, row->partition);
	const struct fs_explain_sum own = { .partition = row->partition,
					    .position = one_line ? row->position : row->partition_position,
					    .of = one_line ? d->eligible : of };
	char text[VERDICT_TEXT + 3 * BRIEF_LINE], behind[BRIEF_LINE + 20], verdict[VERDICT_TEXT + 2], place[BRIEF_LINE],
		all[BRIEF_LINE];
	const bool told = verdict_sentence(verdict, l, d, row);

	if (!row->eligible) {
		put_not_eligible(l, d, row, verdict, width);
		return;
	}
	if (fs_queue_verdict_kind(d->eval.queue, row->job_row) == FS_VERDICT_WAITS) {
		lines_wrap(l, ATTR_PLAIN, width, 0, verdict);
		return;
	}
	put_predecessor(s, d, i, row, behind, sizeof(behind));
	put_overall(all, d, row, of);
	if (told) /* the verdict has named the place in the partition */
		snprintf(text, sizeof(text), "%s%s%s%s%s", verdict, *all ? " " : "", all, *all ? "." : "", behind);
	else
		snprintf(text, sizeof(text), "%s%s%s%s%s.%s", verdict, *verdict ? " " : "",
			 explain_place_words(place, &s->view, &own, false), *all ? ", " : "", all, behind);
	lines_wrap(l, ATTR_STRONG, width, 0, text);
}

/* ---- factors */

enum { BESIDE_BAR = 56 }; /* columns; on narrower screens a factor has its name and points */

struct factor_line {
	const char *letter, *name, *value, *weight, *points, *bar;
};
#define CELL(m) COLUMN_MEMBER(struct factor_line, m)

enum { LETTER, NAME, VALUE, WEIGHT, POINTS, BAR, NARROW_POINTS, SUM, NARROW_SUM, FACTOR_COLUMNS };
static const struct column factor_columns[FACTOR_COLUMNS] = {
	[LETTER] = { "", .width = 1, CELL(letter), .help = "draws it in bars" },
	[NAME] = { "factor", .width = -13, .cut = true, CELL(name), .help = "its name" },
	[VALUE] = { "value", .width = 12, CELL(value), .help = "from 0 to 1" },
	[WEIGHT] = { "weight", .width = 8, CELL(weight), .before = " x ", .help = "as configured" },
	[POINTS] = { "points", .width = 12, CELL(points), .before = " = ", .help = "value times weight" },
	[BAR] = { "bar", .width = 0, CELL(bar), .before = " |", .help = "its part of the sum" },
	[NARROW_POINTS] = { "points", .width = 10, CELL(points), .help = "value times weight" },
	[SUM] = { "sum", .width = 39, CELL(points), .before = "", .help = "below the points" },
	[NARROW_SUM] = { "sum", .width = 11, CELL(points), .before = "", .help = "below the points" },
};

static void put_factor_line(struct lines *l, enum attr attr, const struct factor_line *row, unsigned width)
{
	static const unsigned char wide[] = { LETTER, NAME, VALUE, WEIGHT, POINTS, BAR },
				   narrow[] = { LETTER, NAME, NARROW_POINTS };
	const bool has_bar = width >= BESIDE_BAR;

	lines_row(l, attr,
		  &(struct column_page){ factor_columns, has_bar ? sizeof(wide) : sizeof(narrow),
					 .pick = has_bar ? wide : narrow, .characters = true },
		  row);
}

static void put_term(struct lines *l, const struct fs_prio_term *t, char letter, enum attr attr,
		      double max, unsigned width)
{
	const unsigned room = width > BESIDE_BAR ? width - BESIDE_BAR : 0;
	const double part = max > 0 && t->points > 0 ? t->points / max : 0;
	char name[WORDS], bar[768], points[40], value[40], weight[40];

	format_text(points, sizeof(points), isnan(t->points) ? "?" : "%.3f", t->points);
	format_text(value, sizeof(value), isnan(t->value) ? "?" : "%.7f", t->value);
	format_text(weight, sizeof(weight), "%.0f", t->weight);
	lines_bar(l, bar, sizeof(bar), part, room, letter);
	put_factor_line(l, attr,
			&(struct factor_line){ (const char[]){ letter, '\0' }, factor_words(name, t->name), value,
					       weight, points, bar },
			width);
}

static void put_amount(struct lines *l, enum attr attr, const char *name, int decimals, double amount,
		       unsigned width)
{
	const unsigned char pick[] = { LETTER, NAME, width < BESIDE_BAR ? NARROW_SUM : SUM };
	char points[40];

	format_text(points, sizeof(points), "%.*f", decimals, amount);
	lines_row(l, attr, &(struct column_page){ factor_columns, sizeof(pick), .pick = pick },
		  &(struct factor_line){ .letter = "", .name = name, .points = points });
}

static void put_sum(struct lines *l, const struct fs_prio_row *prio, unsigned width)
{
	put_amount(l, ATTR_PLAIN, "sum", 3, prio->sum, width);
	if (prio->priority != prio->sum)
		put_amount(l, ATTR_PLAIN, prio->sum > prio->priority ? "dropped" : "raised", 3,
			   prio->priority - prio->sum, width);
	put_amount(l, ATTR_STRONG, "PRIORITY", 0, prio->priority, width);
}

static void put_factors(struct lines *l, const struct data *d, const struct fs_queue_row *row, unsigned width)
{
	char letters[MAX_TERMS];
	const size_t n = term_letters(d, letters, MAX_TERMS);
	struct fs_prio_row prio;

	if (!d->eval.prios) {
		lines_wrap(l, ATTR_WARN, width, 0, d->eval.prios_error.message);
		return;
	}
	if (!data_prio(d, row, &prio)) {
		lines_wrap(l, ATTR_PLAIN, width, 0,
			   "No factors: the scheduler computes none for a job in this state.");
		return;
	}
	if (prio.direct) {
		lines_add(l, ATTR_STRONG, "  PRIORITY %.0f, set by %s: no factor counts",
			  prio.priority,
			  dialect_of(d->snapshot)->nouns.direct_by);
		return;
	}
	for (size_t i = 0; i < n; i++)
		if (prio.terms[i].points != 0 || fabs(prio.terms[i].weight) > 1)
			put_term(l, &prio.terms[i], letters[i], term_attr(&prio.terms[i]), prio.sum, width);
	if (isnan(prio.sum))
		lines_add(l, ATTR_WARN, "  the sum is not known: the snapshot lacks an input");
	else
		put_sum(l, &prio, width);
}

void explain_job(struct lines *l, const struct data *d, uint32_t i, unsigned width)
{
	struct fs_queue_row row;
	struct words_source s;

	fs_queue_row(d->eval.queue, i, &row);
	if (words_open(&s, d)) {
		l->failed = true;
		return;
	}
	put_place(l, &s, d, i, &row, width);
	words_close(&s);
	put_factors(l, d, &row, width);
	if (row.eligible)
		put_reason(l, d, &row, width);
}

/* ---- a partition */

struct next_line {
	uint32_t position;
	const char *job, *user, *account, *priority, *key;
};
#define NEXT(m) COLUMN_MEMBER(struct next_line, m)

static const struct column next_columns[] = {
	{ "next", .width = 4, NEXT(position), .before = "  ", .help = "its place in the partition's order" },
	{ "job", .width = 12, NEXT(job), .help = "the job's id" },
	{ "user", .width = -10, .cut = true, NEXT(user), .help = "whose it is" },
	{ "account", .width = -12, .cut = true, NEXT(account), .help = "the account it is charged to" },
	{ "priority", .width = 12, NEXT(priority), .help = "its priority" },
	{ "why behind", .width = 0, NEXT(key), .before = "  ", .help = "what puts it behind the job before" },
};

void explain_partition(struct lines *l, const struct data *d, uint32_t i)
{
	const struct column_page page = { COLUMNS(next_columns), .characters = true };
	const struct partition_row *p = &d->partition[i];
	struct fs_queue_row row;
	char id[FS_JOB_ID_TEXT], priority[40];

	lines_add(l, ATTR_STRONG,
		  "%" PRIu32 " jobs run, %" PRIu32 " wait, %" PRIu32 " of them eligible.",
		  p->running, p->waiting, p->eligible);
	if (!p->nfirst)
		return;
	lines_heading(l, &page);
	for (uint32_t k = 0; k < p->nfirst; k++) {
		fs_queue_row(d->eval.queue, p->first[k], &row);
		format_text(priority, sizeof(priority), "%.0f", row.priority);
		lines_row(l, ATTR_PLAIN, &page,
			  &(struct next_line){ row.partition_position, fs_job_id_format(d->snapshot, row.job, true, id),
					       row.user, row.account, priority, fs_queue_key_name(row.partition_key) });
	}
}
