/* The priority sum of a job: a table of the terms, with notes on the inputs of each term. */
#include "explain/explain.h"
#include "render/text.h"
#include "words/words.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- notes on a term: the inputs from which its value was computed */

static void add_age_note(struct page *p, const struct explain_view *v, const struct fs_prio_inputs *in)
{
	const fs_snapshot *s = v->snapshot;

	if (in->since == FS_UNKNOWN) {
		page_add_cell(p, "it does not age now");
		return;
	}
	if (in->have >= in->of)
		page_add_cell(p, "full: PriorityMaxAge %s reached; aging since %s", format_time_span(BUF, in->of),
			      format_short_time(BUF, s, in->since));
	else
		page_add_cell(p, "waited %s of PriorityMaxAge %s; aging since %s, full at %s",
			      format_time_span(BUF, in->have), format_time_span(BUF, in->of),
			      format_short_time(BUF, s, in->since),
			      format_short_time((char[WORDS]){ 0 }, s, in->since + (int64_t)in->of));
}

/* Formats the reason why the job gets more CPUs than it requests: "; it requests 3 CPUs, but it gets whole nodes".
 * Writes "" if it gets no more than it requests. */
static void format_growth_cause(char out[WORDS], const struct fs_prio_inputs *in)
{
	static const char *const why[] = { "", "it gets whole nodes", "its memory requires more", "it gets whole cores",
					   "it gets CPUs for each GPU" };

	*out = '\0';
	if (in->grows)
		snprintf(out, WORDS, "; it requests %s, but %s",
			 format_counted_term(BUF, (uint64_t)in->asked_cpus, "CPU", "CPUs"), why[in->grows]);
}

static void add_size_note(struct page *p, const struct fs_prio_inputs *in)
{
	char more[WORDS];

	format_growth_cause(more, in);
	if (in->by_time)
		page_add_cell(p, "%s%.0f of %.0f nodes, %.0f of %.0f CPUs, for %.0f %s (SMALL_RELATIVE_TO_TIME)%s",
			      in->small ? "small jobs first: " : "", in->have, in->of, in->cpus, in->of_cpus,
			      in->minutes, in->minutes == 1 ? "minute" : "minutes", more);
	else if (in->small)
		page_add_cell(p, "small jobs first: mean of %.0f/%.0f nodes and %.0f/%.0f CPUs not requested%s",
			      in->of > in->have ? in->of - in->have : 0, in->of,
			      in->of_cpus > in->cpus ? in->of_cpus - in->cpus : 0, in->of_cpus, more);
	else if (in->cpus > 0)
		page_add_cell(p, "mean of %.0f/%.0f nodes and %.0f/%.0f CPUs%s", in->have, in->of, in->cpus,
			      in->of_cpus, more);
	else
		page_add_cell(p, "%.0f/%.0f nodes", in->have, in->of);
}

static void add_ratio_note(struct page *p, const char *what, const struct fs_prio_inputs *in, const char *flag)
{
	if (in->rule == FS_INPUTS_PLAIN)
		page_add_cell(p, "%s %.0f, not divided by the highest (%s)", what, in->have, flag);
	else if (in->of == 0)
		page_add_cell(p, "%s %.0f, the same for all", what, in->have);
	else
		page_add_cell(p, "%s %.0f, highest is %.0f", what, in->have, in->of);
}

static void add_tres_note(struct page *p, const char *tres, const struct fs_prio_inputs *in)
{
	if (in->rule == FS_INPUTS_PLAIN)
		page_add_cell(p, "%s, not divided by the partition's total (NO_NORMAL_TRES)",
			      format_tres_amount(BUF, tres, in->have));
	else if (!strcmp(tres, "mem"))
		page_add_cell(p, "%.0fM of %.0fM", in->have, in->of);
	else
		page_add_cell(p, "%.0f of the partition's %.0f", in->have, in->of);
}

static bool has_known_inputs(const struct fs_prio_inputs *in)
{
	return !isnan(in->have) && (in->rule == FS_INPUTS_PLAIN || !isnan(in->of)) &&
	       (in->rule != FS_INPUTS_SIZE || (!isnan(in->cpus) && !isnan(in->of_cpus)));
}

static void add_fairshare_note(struct page *p, const struct explain_view *v, const struct fs_explain_job *job,
			       const struct fs_prio_term *t)
{
	const struct fs_explain_path *path = &job->path;

	if (isnan(t->value) && t->recorded)
		page_add_cell(p, "whole points, as the scheduler printed them");
	else if (isnan(t->value))
		page_add_cell(p, "unknown: %s", explain_is_paste(v) ? "not in the text" : "hidden from the capture");
	else if (job->share_row == FS_NO_ROW && !isnan(t->value) && v->dialect->explain->no_association_note)
		page_add_cell(p, "%s", v->dialect->explain->no_association_note);
	else if (job->share_row == FS_NO_ROW)
		page_add_cell(p, "no association, so no shares");
	else if (path->recorded_factor_used)
		page_add_cell(p, "as the scheduler printed it: its inputs %s",
			      explain_is_paste(v) ? "are not in the text" : "were hidden");
	else if (isnan(path->factor))
		page_add_cell(p, "as the scheduler stored it for this job; see below");
	/* 5e-7: maximum rounding error of a factor that the scheduler stores with six decimals */
	else if (path->rank && fabs(t->value - path->factor) > 5e-7)
		page_add_cell(p, "as the plugin stored it for this job; now %.6f, see below", path->factor);
	else if (path->hidden)
		page_add_cell(p, "see below");
	else if (path->rank_known && !path->has_ranges)
		page_add_cell(p, "better than %s, see below", format_worse_users(BUF, path));
	else
		page_add_cell(p, "%s, see below", path->algorithm ? path->algorithm : "");
}

static void add_qos_note(struct page *p, const struct fs_explain_job *job, const struct fs_explain_sum *s,
			 const struct fs_prio_inputs *in)
{
	const bool ended = job->state == FS_EXPLAIN_ENDED;
	char what[3 * WORDS];

	snprintf(what, sizeof(what), "%s",
		 *s->qos ? format_cell_name(BUF, s->qos)
		 : ended ? "no QOS (job ended):"
			 : "no QOS:");
	if (in->of_qos)
		snprintf(what, sizeof(what), "%s has 0 and uses that of %s:", format_cell_name(BUF, s->qos),
			 format_cell_name(BUF, in->of_qos));
	add_ratio_note(p, what, in, "NO_NORMAL_QOS");
}

static void add_queue_note(struct page *p, const struct fs_prio_term *t, const struct fs_prio_inputs *in,
			   const struct fs_explain_sum *s)
{
	const char *queue = in->of_qos ? in->of_qos : s->partition;
	const char *unless = in->last_job == FS_LAST_JOB_ACTIVE ? ", unless a later job of its owner has ended" : "";

	if (in->last_job == FS_LAST_JOB_UNKNOWN)
		page_add_cell(p, "unknown: its owner's last job, which may have ended, was not captured");
	else if (in->last_job == FS_LAST_JOB_HELD)
		page_add_cell(
			p, "queue priority that Flux stored at its owner's last job; no queue has this priority now");
	else if (!in->of_qos && isnan(t->value))
		page_add_cell(p, "unknown: queues were not captured");
	else if (in->of_qos)
		page_add_cell(p, "priority of %s%s (from its owner's last job)%s", *queue ? "queue " : "no queue",
			      format_cell_name(BUF, queue), unless);
	else
		page_add_cell(p, "priority of %s%s%s", *queue ? "queue " : "no queue", format_cell_name(BUF, queue),
			      unless);
}

/* Adds the last cell of a term's table row: the note on the term's inputs. */
static void add_term_note(struct page *p, const struct explain_view *v, const struct fs_explain_job *job,
			  const struct fs_prio_term *t, const struct fs_prio_inputs *in, const struct fs_explain_sum *s)
{
	if (t->recorded && explain_has_job_started(job))
		page_add_cell(p, "as the scheduler printed it while the job ran");
	else if (t->factor == FS_FACTOR_FAIRSHARE)
		add_fairshare_note(p, v, job, t);
	else if (t->factor == FS_FACTOR_SITE)
		page_add_cell(p, "set by the site's plugin or an administrator");
	else if (t->factor == FS_FACTOR_NICE)
		page_add_cell(p, "nice is subtracted");
	else if (t->factor == FS_FACTOR_QUEUE)
		add_queue_note(p, t, in, s);
	else if (t->factor == FS_FACTOR_BANK)
		page_add_cell(p, isnan(t->value) ? "unknown: banks were not captured"
				 : in->last_job == FS_LAST_JOB_HELD
					 ? "bank priority that Flux stored at its owner's last job; the "
					   "bank has another priority now"
					 : "priority of the bank");
	else if (t->factor == FS_FACTOR_URGENCY)
		page_add_cell(p, isnan(s->urgency) ? "unknown: not captured" : "urgency %.0f minus 16, the default",
			      s->urgency);
	else if (t->recorded && isnan(t->value))
		page_add_cell(p, "whole points, as the scheduler printed them");
	else if (t->recorded)
		page_add_cell(p, "as the scheduler printed it: its inputs %s",
			      explain_is_paste(v) ? "are not in the text" : "were hidden");
	else if (!has_known_inputs(in))
		page_add_cell(p, "unknown: an input was not captured");
	else if (t->factor == FS_FACTOR_AGE)
		add_age_note(p, v, in);
	else if (t->factor == FS_FACTOR_JOBSIZE)
		add_size_note(p, in);
	else if (t->factor == FS_FACTOR_TRES)
		add_tres_note(p, t->name + strlen("tres/"), in);
	else if (t->factor == FS_FACTOR_ASSOC)
		add_ratio_note(p, "association priority", in, "NO_NORMAL_ASSOC");
	else if (t->factor == FS_FACTOR_PARTITION)
		add_ratio_note(p, format_cell_name(BUF, s->partition), in, "NO_NORMAL_PART");
	else if (t->factor == FS_FACTOR_QOS)
		add_qos_note(p, job, s, in);
	else
		page_add_cell(p, "%s", "");
}

/* ---- rows of the table of terms */

const char *explain_format_factor(char buf[WORDS], const struct fs_prio_term *t, int digits)
{
	const double unit = get_power_of_ten(digits);

	if (t->value == trunc(t->value) && fabs(t->value) > 1) {
		return format_words(buf, "%.0f", t->value);
	}
	for (int n = 7; n <= 17; n++) {
		format_text(buf, WORDS, "%.*f", n, t->value);
		if (isnan(t->points) || round(strtod(buf, NULL) * t->weight * unit) == round(t->points * unit))
			break;
	}
	return buf;
}

void explain_add_points_cells(struct page *p, const char *name, const struct fs_prio_term *t,
			      const struct sum_decimals *d, int64_t points)
{
	page_add_cell(p, "%s", name);
	page_add_cell(p, "%s", isnan(t->value) ? "unknown" : explain_format_factor(BUF, t, d->fits ? d->digits : 6));
	page_add_cell(p, "%s", format_config_number(BUF, t->weight));
	page_add_cell(p, "%s",
		      isnan(t->points) || !d->fits ? format_rounded_number(BUF, t->points, 0)
						   : format_decimal_units(BUF, points, d->digits));
}

/* Prints the terms of a priority sum if the weights of the terms are unknown: the points that the scheduler printed,
 * and the difference between the sum of the points and the priority. */
static void print_recorded_points(struct page *p, const struct fs_explain_sum *s, const char *note)
{
	double sum = 0;

	PAGE_BEGIN_TABLE(p, AT_LEFT("factor"), AT_POINT("points"), AT_LEFT(""));
	for (size_t t = 0; t < s->nprinted; t++) {
		const struct fs_prio_term *term = &s->printed[t];

		sum += term->points;
		if (term->points != 0)
			PAGE_ADD_ROW(p, TONE_PLAIN, format_factor_name(BUF, term->name),
				     format_rounded_number(BUF, term->points, 0));
	}
	page_add_rule(p, 1);
	PAGE_ADD_ROW(p, TONE_PLAIN, "sum", format_rounded_number(BUF, sum, 0),
		     "whole points, as the scheduler printed them");
	if (!isnan(s->total) && s->total != sum)
		PAGE_ADD_ROW(p, TONE_PLAIN, "fractions and terms not printed",
			     format_rounded_number(BUF, s->total - sum, 0));
	PAGE_ADD_ROW(p, TONE_TOTAL, "PRIORITY", format_rounded_number(BUF, s->total, 0), note);
	page_end_table(p);
	page_end_with(p, "The weights are not known, so the factors cannot be computed.");
}

/* ---- the priority sum as text: one row per term with value, weight and points; the printed points add up to the
 * priority */

/* Returns true if the table lists the term. Terms with weight 0 are omitted; SITE, NICE and TRES terms are omitted if
 * their value is 0. */
static bool is_sum_term_shown(const struct fs_prio_term *t)
{
	if (t->factor == FS_FACTOR_SITE || t->factor == FS_FACTOR_NICE || t->factor == FS_FACTOR_TRES)
		return t->value != 0;
	return t->weight != 0;
}

/* ---- the table of the terms of a priority sum */

static void print_sum_terms(struct page *p, const struct explain_view *v, const struct fs_explain_job *job,
			    const struct fs_explain_sum *s, const struct sum_decimals *d)
{
	for (size_t t = 0; t < s->nterms; t++) {
		const struct fs_prio_term *term = &s->terms[t];

		if (!is_sum_term_shown(term))
			continue;
		explain_add_points_cells(p, format_factor_name(BUF, term->name), term, d,
					 d->fits && !isnan(term->points) ? convert_to_units(d, term->points) : 0);
		add_term_note(p, v, job, term, &s->inputs[t], s);
		page_end_row(p, TONE_PLAIN);
	}
}

static const char *get_adjustment_text(const struct fs_explain_sum *s, const struct sum_decimals *d)
{
	if (d->sum < d->total)
		return s->total <= 1 ? "raised to 1, the minimum" : "rounding and dropped fraction";
	if (s->total >= UINT32_MAX)
		return "cut to 4294967295, the maximum";
	return has_truncated_total(d) ? "fraction dropped by Slurm" : "rounding and dropped fraction";
}

/* Formats the job's priorities in its other partitions or QOS: "gpu 1200 · long 900". The text is the note in the table
 * row with the total. */
static void format_other_priorities(char *buf, size_t size, const struct fs_explain_job *job)
{
	*buf = '\0';
	for (size_t i = 1; i < job->nsums; i++) {
		const struct fs_explain_sum *s = &job->sums[i];
		const bool qos = !strcmp(s->partition, job->sums[0].partition);

		append_text(buf, size, "%s%s %s", *buf ? " · " : "", qos ? s->qos : s->partition,
			    format_rounded_number(BUF, s->total, 0));
	}
}

/* Flux and Maui: prints a row for each step, such as rounding, that turns the sum into the priority. Omits steps that
 * do not change the value. */
static void print_sum_steps(struct page *p, const struct fs_explain_sum *s, const struct sum_decimals *d)
{
	static const char *const words[FS_STEPS] = {
		[FS_STEP_ROUNDED] = "rounded, half away from 0",
		[FS_STEP_CLAMPED] = "raised to 0, the minimum",
		[FS_STEP_RAISED] = "raised to 1, the minimum",
		[FS_STEP_CUT] = "cut to 1000000000, the maximum",
		[FS_STEP_SYSTEM] = "system priority",
		[FS_STEP_FRACTION] = "fraction dropped",
	};
	int64_t at = d->sum;

	for (size_t i = 0; i < s->nsteps; i++) {
		const int64_t after = i + 1 == s->nsteps ? d->total : convert_to_units(d, s->steps[i].value);

		/* the sum of the terms is just below a whole number, and its decimals are rounded up */
		const bool just_below =
			s->steps[i].step == FS_STEP_FRACTION && at - after == (int64_t)get_power_of_ten(d->digits);

		if (after != at)
			PAGE_ADD_ROW(p, TONE_PLAIN, words[s->steps[i].step], "", "",
				     format_decimal_units(BUF, after - at, d->digits),
				     just_below ? "the sum is less than its printed decimals show" : "");
		at = after;
	}
	if (at != d->total)
		PAGE_ADD_ROW(p, TONE_PLAIN, "rounding of the decimals", "", "",
			     format_decimal_units(BUF, d->total - at, d->digits));
}

static void print_sum_total(struct page *p, const struct explain_view *v, const struct fs_explain_sum *s,
			    const struct sum_decimals *d, const char *note)
{
	const bool held = isnan(s->sum) && !isnan(s->recorded) && (isnan(s->total) || s->total == s->recorded);

	page_add_rule(p, 3);
	if (isnan(s->sum)) {
		PAGE_ADD_ROW(p, TONE_PLAIN, "sum", "", "", "unknown");
	} else if (d->fits) {
		PAGE_ADD_ROW(p, TONE_PLAIN, "sum", "", "", format_decimal_units(BUF, d->sum, d->digits));
		if (isnan(s->total))
			; /* the priority is unknown, so the steps from the sum to the priority are not printed */
		else if (v->dialect->explain->sum_in_steps)
			print_sum_steps(p, s, d);
		else if (d->total != d->sum)
			PAGE_ADD_ROW(p, TONE_PLAIN, get_adjustment_text(s, d), "", "",
				     format_decimal_units(BUF, d->total - d->sum, d->digits));
	}
	if (!isnan(s->sum) && s->unexplained != 0)
		PAGE_ADD_ROW(p, TONE_PLAIN, "unexplained", "", "", format_words(BUF, "%+.0f", s->unexplained),
			     "not explained by the inputs");
	PAGE_ADD_ROW(p, TONE_TOTAL, "PRIORITY", "", "", format_rounded_number(BUF, held ? s->recorded : s->total, 0),
		     held && !*note ? "as recorded by the scheduler" : note);
}

/* ---- the priority that the scheduler recorded, if it differs from the computed priority */

/* Returns a possible reason for a difference between the recorded and the computed points of a term; "": none is
 * known. `more`: more points were recorded than computed. */
static const char *get_difference_reason(const struct explain_view *v, enum fs_factor factor, bool more)
{
	switch (factor) {
	case FS_FACTOR_AGE:
		return more ? "the job was updated after the last priority calculation" : "";
	case FS_FACTOR_FAIRSHARE:
		return v->algorithm->uses_earlier_usage
			       ? "the scheduler computes these factors with usage of earlier calculations, which it does not show"
			       : "usage has changed since the scheduler's last calculation";
	case FS_FACTOR_JOBSIZE:
		return "the scheduler counts the CPUs of the nodes on which it last tested the job";
	default:
		return "";
	}
}

/* Adds a sentence that lists the terms whose recorded and computed points differ, and possible reasons. */
static void add_recorded_priority(struct page *p, const struct explain_view *v, const struct fs_explain_sum *s)
{
	const double computed_total = s->total - s->unexplained;
	const char *reason = "";
	size_t n = 0;

	if (isnan(s->recorded) || isnan(s->total) || fabs(s->recorded - computed_total) < 1)
		return;
	page_add_sentence(p, "The scheduler recorded %.0f in %s; the inputs give %.0f:", s->recorded, s->partition,
			  computed_total);
	for (size_t t = 0; s->recorded_points && t < s->nterms; t++) {
		const double recorded = s->recorded_points[t], computed = s->terms[t].points;

		if (isnan(recorded) || isnan(computed) || fabs(recorded - computed) < 1)
			continue;
		page_add_sentence(p, "%s%s %.0f recorded, %.0f computed", n++ ? "and " : "",
				  format_factor_name(BUF, s->terms[t].name), recorded, computed);
		reason = *reason ? reason : get_difference_reason(v, s->terms[t].factor, recorded > computed);
	}
	page_append_text(p, n ? "." : " its terms were not recorded.");
	if (v->dialect->explain->stored_sum)
		v->dialect->explain->stored_sum(p, s);
	if (*reason)
		page_add_sentence(p, "Possible reason: %s.", reason);
	page_end_paragraph(p);
}

static void add_sum_heading(struct page *p, const struct explain_view *v, const struct fs_explain_sum *s)
{
	page_add_gap(p);
	if (*s->partition && v->dialect->explain->sum_of_class)
		page_add_heading(p, "PRIORITY, class %s", s->partition);
	else if (*s->partition)
		page_add_heading(p, "PRIORITY in %s", s->partition);
	else
		page_add_heading(p, "PRIORITY");
}

/* Adds the priority in a sentence, without a table of factors, because the factors are not in the snapshot. */
static void add_sum_without_terms(struct page *p, const struct fs_explain_sum *s, const char *note)
{
	if (isnan(s->total))
		page_add_sentence(p, "Unknown: the snapshot contains neither the priority nor its inputs%s%s.",
				  *note ? "; " : "", note);
	else
		page_add_sentence(p, "%.0f, as recorded by the scheduler%s%s. Its factors are not known.", s->total,
				  *note ? "; " : "", note);
	page_end_paragraph(p);
}

static void add_direct_priority(struct page *p, const struct fs_explain_sum *s, const char *note)
{
	page_add_sentence(p, "%.0f, set by an administrator%s%s.", s->total, *note ? "; " : "", note);
	page_add_sentence(
		p, "Age, fair share and all other factors do not count; the priority stays until it is set again "
		   "or the job is released.");
	page_end_paragraph(p);
}

static void print_sum_table(struct page *p, const struct explain_view *v, const struct fs_explain_job *job,
			    const char *note)
{
	const struct explain_dialect *own = v->dialect->explain;
	const struct fs_explain_sum *s = job->sums;
	struct sum_decimals d = { 0 };

	if (!isnan(s->sum))
		d = choose_sum_decimals(s, own->sum_in_steps);
	PAGE_BEGIN_TABLE(p, AT_LEFT("factor"), AT_POINT("value"), AT_POINT("weight"), AT_POINT("points"), AT_LEFT(""));
	if (own->terms)
		own->terms(p, v, job, s, &d);
	else
		print_sum_terms(p, v, job, s, &d);
	print_sum_total(p, v, s, &d, note);
	page_end_table(p);
	if (own->weights)
		own->weights(p, s);
}

void explain_add_priority_sum(struct page *p, const struct explain_view *v, const struct fs_explain_job *job)
{
	const struct explain_dialect *own = v->dialect->explain;
	const struct fs_explain_sum *s = job->sums;
	char note[512];

	if (!job->nsums)
		return;
	add_sum_heading(p, v, s);
	format_other_priorities(note, sizeof(note), job);
	if (!s->nterms && s->nprinted)
		print_recorded_points(p, s, note);
	else if (!s->nterms)
		add_sum_without_terms(p, s, note);
	else if (!s->direct || own->direct_is_step)
		print_sum_table(p, v, job, note);
	else if (!own->direct || !own->direct(p, s))
		add_direct_priority(p, s, note);
	for (size_t i = 0; !v->usage && i < job->nsums; i++)
		add_recorded_priority(p, v, &job->sums[i]);
}
