#include "top/explain.h"

#include "dialect/dialect.h"
#include "render/verdict.h"
#include "top/columns.h"

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

/* The term that does most for the one ahead. */
struct lead {
	const char *name; /* NULL: the terms are not known, or none of them does anything */
	double ahead, own; /* its factors */
	double points;
};

static void widest_lead(const struct data *d, const struct fs_queue_row *a,
			const struct fs_queue_row *b, struct lead *out)
{
	double points[MAX_TERMS], values[MAX_TERMS];
	struct fs_prio_row prio;
	size_t n;

	*out = (struct lead){ .name = NULL };
	if (!data_prio(d, a, &prio) || prio.direct)
		return;
	n = fs_prios_terms(d->eval.prios) < MAX_TERMS ? fs_prios_terms(d->eval.prios) : MAX_TERMS;
	for (size_t i = 0; i < n; i++) {
		points[i] = prio.terms[i].points;
		values[i] = prio.terms[i].value;
	}
	if (!data_prio(d, b, &prio) || prio.direct)
		return;
	for (size_t i = 0; i < n; i++)
		if (points[i] - prio.terms[i].points > fmax(out->points, 0.5))
			*out = (struct lead){ prio.terms[i].name, values[i], prio.terms[i].value,
					      points[i] - prio.terms[i].points };
}

/* Decimals by which two factors differ, two of them at least. */
static int decimals_between(double a, double b)
{
	int n = 2;

	while (n < 7 && fabs(a - b) < 0.5 * pow(10, -n))
		n++;
	return n;
}

static void tell_lead(const struct lead *lead, double points, char *buf, size_t size)
{
	const int n = decimals_between(lead->ahead, lead->own);
	char name[WORDS];

	if (lead->name)
		snprintf(buf, size, "by %s (%.*f against %.*f: %.0f points; %.0f in all)",
			 factor_words(name, lead->name), n, lead->ahead, n, lead->own, lead->points,
			 points);
	else
		snprintf(buf, size, "by %.0f point%s", points, points == 1 ? "" : "s");
}

/* " Behind 812190 of anna by FAIRSHARE (0.91 against 0.75: 3200 points; 3150 in all)." */
static void tell_predecessor(const struct data *d, uint32_t i, const struct fs_queue_row *row,
			     char *buf, size_t size)
{
	const bool one_line = fs_queue_one_line(d->eval.queue);
	const enum fs_queue_key key = one_line ? row->key : row->partition_key;
	struct fs_queue_place place;
	struct fs_queue_row ahead;
	struct lead lead;
	char why[300], id[FS_JOB_ID_TEXT];

	*buf = '\0';
	fs_queue_place(d->eval.queue, i, &place);
	if (one_line ? !i : place.before == FS_NO_ROW)
		return;
	fs_queue_row(d->eval.queue, one_line ? i - 1 : place.before, &ahead);
	if (!ahead.visible)
		return;
	if (key == FS_QUEUE_KEY_PRIORITY) {
		widest_lead(d, &ahead, row, &lead);
		tell_lead(&lead, ahead.priority - row->priority, why, sizeof(why));
		snprintf(buf, size, " Behind %s of %s %s.", fs_job_id_format(id, d->snapshot, ahead.job, true),
			 ahead.user, why);
	} else {
		snprintf(buf, size, " Behind %s of %s: %s.", fs_job_id_format(id, d->snapshot, ahead.job, true),
			 ahead.user, fs_queue_key_text(key));
	}
}

/* A sentence; "" of a job whose place alone says why it waits. Does it tell the place of the row? */
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

/* Of an eligible one. */
static void tell_reason(struct lines *l, const struct data *d, const struct fs_queue_row *row,
			unsigned width)
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

static void tell_place(struct lines *l, const struct data *d, uint32_t i,
		       const struct fs_queue_row *row, unsigned width)
{
	const uint32_t of = line_length(d, row->partition);
	char text[VERDICT_TEXT + 900], behind[600], verdict[VERDICT_TEXT + 2], place[WORDS], overall[WORDS],
		all[200] = "another row of it is tried before";

	const bool told = verdict_sentence(verdict, l, d, row);

	if (!row->eligible) {
		lines_wrap(l, ATTR_WARN, width, 0, verdict);
		if (fs_queue_verdict_kind(d->eval.queue, row->job_row) < FS_VERDICT_NODES)
			snprintf(text, sizeof(text), "It is not eligible: its priority does not matter now.");
		else
			snprintf(text, sizeof(text), "It is not eligible in %s.",
				 row->partition);
		lines_wrap(l, ATTR_PLAIN, width, 0, text);
		return;
	}
	if (fs_queue_verdict_kind(d->eval.queue, row->job_row) == FS_VERDICT_WAITS) {
		lines_wrap(l, ATTR_PLAIN, width, 0, verdict);
		return;
	}
	tell_predecessor(d, i, row, behind, sizeof(behind));
	if (row->position)
		snprintf(all, sizeof(all), "%s of %" PRIu32 " in all",
			 ordinal_words(overall, row->position), d->eligible);
	if (row->position == row->partition_position && of == d->eligible)
		*all = '\0';
	if (told)
		snprintf(text, sizeof(text), "%s%s%s%s%s", verdict, *all ? " " : "", all,
			 *all ? "." : "", behind);
	else if (fs_queue_one_line(d->eval.queue) && row->position)
		snprintf(text, sizeof(text), "%s%s%s of %" PRIu32 ".%s", verdict,
			 *verdict ? " " : "", ordinal_words(place, row->position), d->eligible,
			 behind);
	else
		snprintf(text, sizeof(text), "%s%s%s of %" PRIu32 "%s%s%s%s.%s", verdict,
			 *verdict ? " " : "", ordinal_words(place, row->partition_position), of,
			 *row->partition ? " in " : "", row->partition, *all ? ", " : "", all,
			 behind);
	*text = (char)(*text >= 'a' && *text <= 'z' ? *text - 'a' + 'A' : *text);
	lines_wrap(l, ATTR_STRONG, width, 0, text);
}

/* ---- factors */

enum { BESIDE_BAR = 56 }; /* columns; on narrower screens a factor has its name and points */

static void tell_term(struct lines *l, const struct fs_prio_term *t, char letter, enum attr attr,
		      double max, unsigned width)
{
	const unsigned room = width > BESIDE_BAR ? width - BESIDE_BAR : 0;
	const double part = max > 0 && t->points > 0 ? t->points / max : 0;
	char name[WORDS], bar[768], points[40], value[40];

	factor_words(name, t->name);
	snprintf(points, sizeof(points), isnan(t->points) ? "?" : "%.3f", t->points);
	snprintf(value, sizeof(value), isnan(t->value) ? "?" : "%.7f", t->value);
	if (width < BESIDE_BAR)
		lines_add(l, attr, "%c %-13.13s %10s", letter, name, points);
	else
		lines_add(l, attr, "%c %-13.13s %12s x %8.0f = %12s |%s", letter, name, value,
			  t->weight, points, lines_bar(l, bar, sizeof(bar), part, room, letter));
}

static void tell_sum(struct lines *l, const struct fs_prio_row *prio, unsigned width)
{
	const int left = width < BESIDE_BAR ? 15 : 39, number = width < BESIDE_BAR ? 11 : 15;

	lines_add(l, ATTR_PLAIN, "%-*s%*.3f", left, "  sum", number, prio->sum);
	if (prio->priority != prio->sum)
		lines_add(l, ATTR_PLAIN, "%-*s%*.3f", left,
			  prio->sum > prio->priority ? "  dropped" : "  raised", number,
			  prio->priority - prio->sum);
	lines_add(l, ATTR_STRONG, "%-*s%*.0f", left, "  PRIORITY", number, prio->priority);
}

static void tell_factors(struct lines *l, const struct data *d, const struct fs_queue_row *row,
			 unsigned width)
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
			tell_term(l, &prio.terms[i], letters[i], term_attr(&prio.terms[i]), prio.sum,
				  width);
	if (isnan(prio.sum))
		lines_add(l, ATTR_WARN, "  the sum is not known: the snapshot lacks an input");
	else
		tell_sum(l, &prio, width);
}

void explain_job(struct lines *l, const struct data *d, uint32_t i, unsigned width)
{
	struct fs_queue_row row;

	fs_queue_row(d->eval.queue, i, &row);
	tell_place(l, d, i, &row, width);
	tell_factors(l, d, &row, width);
	if (row.eligible)
		tell_reason(l, d, &row, width);
}

void explain_partition(struct lines *l, const struct data *d, uint32_t i)
{
	const struct partition_row *p = &d->partition[i];
	struct fs_queue_row row;
	char id[FS_JOB_ID_TEXT];

	lines_add(l, ATTR_STRONG,
		  "%" PRIu32 " jobs run, %" PRIu32 " wait, %" PRIu32 " of them eligible.",
		  p->running, p->waiting, p->eligible);
	if (!p->nfirst)
		return;
	lines_add(l, ATTR_DIM, "  next %12s %-10s %-12s %12s  %s", "job", "user", "account",
		  "priority", "why behind");
	for (uint32_t k = 0; k < p->nfirst; k++) {
		fs_queue_row(d->eval.queue, p->first[k], &row);
		lines_add(l, ATTR_PLAIN, "  %4" PRIu32 " %12s %-10.10s %-12.12s %12.0f  %s",
			  row.partition_position, fs_job_id_format(id, d->snapshot, row.job, true), row.user,
			  row.account, row.priority, fs_queue_key_name(row.partition_key));
	}
}
