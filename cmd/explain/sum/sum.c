/* The sum of a job: factor times weight, term by term, in decimals that add up as they stand. */
#include "explain/parts.h"
#include "render/format.h"
#include "words/decimals.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Terms without weight, and of what the job does not ask for, are left out. */
static bool shown(const struct fs_prio_term *t)
{
	if (t->factor == FS_FACTOR_SITE || t->factor == FS_FACTOR_NICE || t->factor == FS_FACTOR_TRES)
		return t->value != 0;
	return t->weight != 0;
}

/* ---- the table */

static const struct page_column columns[] = { { "factor", ALIGN_LEFT },
					      { "value", ALIGN_POINT },
					      { "weight", ALIGN_POINT },
					      { "points", ALIGN_POINT },
					      { "", ALIGN_LEFT } };

static void print_terms(struct page *p, const struct explain_view *v,
			const struct fs_explain_job *job, const struct fs_explain_sum *s,
			const struct sheet *d)
{
	char a[WORDS];

	for (size_t t = 0; t < s->nterms; t++) {
		const struct fs_prio_term *term = &s->terms[t];

		if (!shown(term))
			continue;
		explain_points_row(p, factor_words(a, term->name), term, d,
				   d->fits && !isnan(term->points) ? decimal_units(d, term->points)
								   : 0);
		explain_inputs(p, v, job, term, &s->inputs[t], s);
		page_row(p, TONE_PLAIN);
	}
}

static void print_line(struct page *p, const char *name, const char *points, const char *note,
		       enum page_tone tone)
{
	page_cell(p, "%s", name);
	page_cell(p, "%s", "");
	page_cell(p, "%s", "");
	page_cell(p, "%s", points);
	page_cell(p, "%s", note);
	page_row(p, tone);
}

static const char *adjustment(const struct fs_explain_sum *s, const struct sheet *d)
{
	if (d->sum < d->total)
		return s->total <= 1 ? "raised to 1, the least" : "rounding, and fraction dropped";
	if (s->total >= UINT32_MAX)
		return "cut to 4294967295, the most";
	return sheet_truncates(d) ? "fraction dropped by Slurm" : "rounding, and fraction dropped";
}

/* Names the priorities in the other partitions, for the line of the total. */
static void others(char *buf, size_t size, const struct fs_explain_job *job)
{
	size_t n = 0;

	*buf = '\0';
	for (size_t i = 1; i < job->nsums && n < size; i++) {
		const struct fs_explain_sum *s = &job->sums[i];
		const bool qos = !strcmp(s->partition, job->sums[0].partition);

		if (isnan(s->total))
			n += (size_t)snprintf(buf + n, size - n, "%s%s unknown", n ? " · " : "",
					      qos ? s->qos : s->partition);
		else
			n += (size_t)format_text(buf + n, size - n, "%s%s %.0f", n ? " · " : "",
					      qos ? s->qos : s->partition, s->total);
	}
}

/* Flux and Maui: each step from the sum to the priority that changes it. */
static void print_steps(struct page *p, const struct fs_explain_sum *s, const struct sheet *d)
{
	static const char *const words[FS_STEPS] = {
		[FS_STEP_ROUNDED] = "rounded, half away from 0", [FS_STEP_CLAMPED] = "raised to 0, the least",
		[FS_STEP_RAISED] = "raised to 1, the least",	 [FS_STEP_CUT] = "cut to 1000000000, the most",
		[FS_STEP_SYSTEM] = "system priority",		 [FS_STEP_FRACTION] = "fraction dropped",
	};
	int64_t at = d->sum;
	char a[WORDS];

	for (size_t i = 0; i < s->nsteps; i++) {
		const int64_t after =
			i + 1 == s->nsteps ? d->total : decimal_units(d, s->steps[i].value);

		if (after != at)
			print_line(p, words[s->steps[i].step],
				   decimal_words(a, after - at, d->digits), "", TONE_PLAIN);
		at = after;
	}
	if (at != d->total)
		print_line(p, "rounding of these decimals",
			   decimal_words(a, d->total - at, d->digits), "", TONE_PLAIN);
}

static void print_sum(struct page *p, const struct explain_view *v, const struct fs_explain_sum *s,
		      const struct sheet *d, const char *note)
{
	char a[WORDS];

	page_rule(p, 3);
	if (isnan(s->sum)) {
		print_line(p, "sum", "unknown", "", TONE_PLAIN);
		const bool held = !isnan(s->recorded) && (isnan(s->total) || s->total == s->recorded);

		format_text(a, sizeof(a), isnan(s->total) && !held ? "unknown" : "%.0f", held ? s->recorded : s->total);
		print_line(p, "PRIORITY", a, held && !*note ? "as the scheduler holds it" : note, TONE_TOTAL);
		return;
	}
	if (d->fits) {
		print_line(p, "sum", decimal_words(a, d->sum, d->digits), "", TONE_PLAIN);
		if (isnan(s->total))
			; /* what makes the sum a priority is unknown too */
		else if (v->dialect->explain->sum_in_steps)
			print_steps(p, s, d);
		else if (d->total != d->sum)
			print_line(p, adjustment(s, d),
				   decimal_words(a, d->total - d->sum, d->digits), "", TONE_PLAIN);
	}
	format_text(a, sizeof(a), isnan(s->total) ? "unknown" : "%.0f", s->total);
	print_line(p, "PRIORITY", a, note, TONE_TOTAL);
}

/* ---- what the scheduler held instead */

static void say_recorded(struct page *p, const struct explain_view *v, const struct fs_explain_sum *s)
{
	char a[WORDS];
	size_t n = 0;

	if (isnan(s->recorded) || isnan(s->total) || fabs(s->recorded - s->total) < 1)
		return;
	page_say(p, "The scheduler itself held %.0f in %s when it was captured, not %.0f:",
		 s->recorded, s->partition, s->total);
	for (size_t t = 0; s->recorded_points && t < s->nterms; t++) {
		const double theirs = s->recorded_points[t], ours = s->terms[t].points;

		if (isnan(theirs) || isnan(ours) || fabs(theirs - ours) < 1)
			continue;
		page_say(p, "%s%s %.0f there, %.0f here", n++ ? "and " : "",
			 factor_words(a, s->terms[t].name), theirs, ours);
	}
	page_join(p, n ? "." : " its parts were not recorded.");
	if (v->dialect->explain->stored_sum)
		v->dialect->explain->stored_sum(p, s);
	page_say(
		p,
		"Its number is that of its last calculation or of the job's last change; the one here follows from "
		"the inputs in the snapshot.");
	page_end(p);
}

static void say_heading(struct page *p, const struct explain_view *v, const struct fs_explain_sum *s)
{
	page_gap(p);
	if (*s->partition && v->dialect->explain->sum_of_class)
		page_heading(p, "PRIORITY, class %s", s->partition);
	else if (*s->partition)
		page_heading(p, "PRIORITY in %s", s->partition);
	else
		page_heading(p, "PRIORITY");
}

/* A priority without terms: the snapshot does not have what it is made of. */
static void say_without_terms(struct page *p, const struct fs_explain_sum *s, const char *note)
{
	if (isnan(s->total))
		page_say(p,
			 "Unknown: the snapshot neither records it nor has what it is made of%s%s.",
			 *note ? "; " : "", note);
	else
		page_say(
			p,
			"%.0f, as the scheduler holds it%s%s. Of what factors it is made is not known.",
			s->total, *note ? "; " : "", note);
	page_end(p);
}

static void say_direct(struct page *p, const struct fs_explain_sum *s, const char *note)
{
	page_say(p, "%.0f, set by an administrator%s%s.", s->total, *note ? "; " : "",
		 note);
	page_say(
		p,
		"Age, fair share and all other factors do not count, and it stays until it is set anew or the "
		"job is released.");
	page_end(p);
}

static void print_table(struct page *p, const struct explain_view *v, const struct fs_explain_job *job,
			const char *note)
{
	const struct explain_dialect *own = v->dialect->explain;
	const struct fs_explain_sum *s = job->sums;
	struct sheet d = { 0 };

	if (!isnan(s->sum))
		d = choose_decimals(s, own->sum_in_steps);
	page_table(p, columns, sizeof(columns) / sizeof(*columns));
	if (own->terms)
		own->terms(p, v, job, s, &d);
	else
		print_terms(p, v, job, s, &d);
	print_sum(p, v, s, &d, note);
	page_table_end(p);
	if (own->weights)
		own->weights(p, s);
}

void explain_sum_text(struct page *p, const struct explain_view *v, const struct fs_explain_job *job)
{
	const struct explain_dialect *own = v->dialect->explain;
	const struct fs_explain_sum *s = job->sums;
	char note[512];

	if (!job->nsums)
		return;
	say_heading(p, v, s);
	others(note, sizeof(note), job);
	if (!s->nterms && s->nprinted)
		explain_printed_points(p, s, note);
	else if (!s->nterms)
		say_without_terms(p, s, note);
	else if (!s->direct || own->direct_is_a_step)
		print_table(p, v, job, note);
	else if (!own->direct || !own->direct(p, s))
		say_direct(p, s, note);
	for (size_t i = 0; !v->usage && i < job->nsums; i++)
		say_recorded(p, v, &job->sums[i]);
}
