/* Maui: two credentials compared. */
#include "explain/parts.h"

#include <math.h>
#include <string.h>

/* Prints two numbers and the difference of what is printed. */
static void two_numbers(struct page *p, const char *name, int digits, double a, double b)
{
	const struct sheet d = { .digits = digits };
	const int64_t ua = decimal_units(&d, a), ub = decimal_units(&d, b);
	char buf[WORDS];

	page_cell(p, "%s", name);
	page_cell(p, "%s", decimal_words(buf, ua, digits));
	page_cell(p, "%s", decimal_words(buf, ub, digits));
	page_cell(p, "%s%s", ua >= ub ? "+" : "", decimal_words(buf, ua - ub, digits));
	page_row(p, TONE_PLAIN);
}

static void target_cell(struct page *p, const struct fs_window_row *r)
{
	char a[WORDS];

	if (r->target == 0)
		page_cell(p, "none");
	else
		page_cell(p, "%s%s", number_words(a, r->target), explain_mode_mark(r->mode));
}

/* Returns the decimals that a factor needs so that factor times weight gives the points to six decimals. */
static int factor_digits(const struct fs_prio_term *a, const struct fs_prio_term *b)
{
	const double weight = fmax(fabs(a->weight), fabs(b->weight));
	int digits = 6;

	while (digits < 12 && weight * 0.5 / power_of_ten(digits) > 0.5 / power_of_ten(7))
		digits++;
	return digits;
}

/* Usage that counts, window by window; the lines add up to the sums below them. */
static void print_usage(struct page *p, const struct explain_view *v,
			const struct fs_window_row *a, const struct fs_window_row *b)
{
	const struct fs_windows *w = v->from->windows;
	const struct sheet d = { .digits = 3 };
	int64_t sum_a = 0, sum_b = 0;
	char date[WORDS], buf[WORDS];

	for (uint32_t i = 0; i < fs_windows_info(w)->depth; i++) {
		const int64_t ua = decimal_units(&d, fs_windows_weighted_usage_s(w, a, i)),
			      ub = decimal_units(&d, fs_windows_weighted_usage_s(w, b, i));

		if (a->window_usage_s[i] == 0 && b->window_usage_s[i] == 0)
			continue;
		sum_a += ua;
		sum_b += ub;
		page_cell(p, "%s × %s",
			  date_words(date, v->from->snapshot, fs_windows_start(w, i)),
			  number_words(buf, fs_windows_info(w)->weight[i]));
		page_cell(p, "%s", decimal_words(buf, ua, d.digits));
		page_cell(p, "%s", decimal_words(buf, ub, d.digits));
		page_row(p, TONE_PLAIN);
	}
	page_rule(p, 1);
	two_numbers(p, "usage", d.digits, (double)sum_a / 1000, (double)sum_b / 1000);
}

static void print_points(struct page *p, const struct fs_explain_credentials *d)
{
	char name[WORDS], other[WORDS], points[3 * WORDS];

	page_cell(p, "weight");
	page_cell(p, "%s", number_words(name, d->a.weight));
	page_cell(p, "%s", number_words(name, d->b.weight));
	page_row(p, TONE_PLAIN);
	snprintf(points, sizeof(points), "points, %s%s%s", factor_words(name, d->a.name),
		 d->same_kind ? "" : " and ", d->same_kind ? "" : factor_words(other, d->b.name));
	two_numbers(p, points, 6, d->a.points, d->b.points);
}

static void print_both(struct page *p, const struct explain_view *v, const struct fs_window_row *a,
		       const struct fs_window_row *b, const struct fs_explain_credentials *d)
{
	char cut_a[WORDS], cut_b[WORDS];
	const struct page_column columns[] = { { "", ALIGN_LEFT },
					       { cell_words(cut_a, a->name), ALIGN_POINT },
					       { cell_words(cut_b, b->name), ALIGN_POINT },
					       { "difference", ALIGN_POINT } };

	page_table(p, columns, sizeof(columns) / sizeof(*columns));
	print_usage(p, v, a, b);
	two_numbers(p, "% of all", 6, a->percent, b->percent);
	page_cell(p, "target");
	target_cell(p, a);
	target_cell(p, b);
	page_row(p, TONE_PLAIN);
	two_numbers(p, "factor", d->weighted ? factor_digits(&d->a, &d->b) : 6, a->factor,
		    b->factor);
	if (d->weighted)
		print_points(p, d);
	page_table_end(p);
}

/* Says whose target counts, and why the factor may differ from what usage and target alone would give. */
static void say_special(struct page *p, const struct fs_window_row *r, const struct fs_prio_term *t)
{
	char a[WORDS];

	if (r->inherited)
		page_say(p, "The target of %s is that of DEFAULT.", r->name);
	if (r->target != 0 && (r->mode == FS_TARGET_CAP_REL || r->mode == FS_TARGET_CAP_ABS))
		page_say(
			p,
			"The target of %s is a cap: no part of the priority, but it can hold jobs back.",
			r->name);
	if (t->cut > 0)
		page_say(p, "The factor of %s is cut to its cap, %s.", r->name, number_words(a, t->value));
}

static void say_difference(struct page *p, const struct explain_view *v,
			   const struct fs_window_row *a, const struct fs_window_row *b,
			   const struct fs_explain_credentials *d)
{
	const struct fs_window_row *more = d->points > 0 ? a : b, *less = d->points > 0 ? b : a;

	explain_policy_text(p, fs_windows_info(v->from->windows));
	if (!d->weighted)
		page_say(
			p,
			"What that makes in points is not known: priorities cannot be computed from the snapshot.");
	else if (d->points != 0)
		page_say(p,
			 "With all else equal a job of %s goes before one of %s, by %.6f points.",
			 more->name, less->name, fabs(d->points));
	else if (d->a.weight == 0 && d->b.weight == 0)
		page_say(p, "Their fair share has no weight: it parts no jobs.");
	else
		page_say(p, "Their fair share gives both the same: it parts none of their jobs.");
	say_special(p, a, &d->a);
	say_special(p, b, &d->b);
}

void explain_credentials_versus_text(struct page *p, const struct explain_view *v, uint32_t row_a,
				     uint32_t row_b)
{
	const struct fs_window_row *a = fs_windows_row(v->from->windows, row_a);
	const struct fs_window_row *b = fs_windows_row(v->from->windows, row_b);
	struct fs_explain_credentials d;

	fs_explain_compare_credentials(v->x, row_a, row_b, &d);
	page_heading(p, "The %s %s against the %s %s", kind_noun(a->kind), a->name,
		     kind_noun(b->kind), b->name);
	page_gap(p);
	if (row_a == row_b) {
		page_say(p, "They are the same.");
		explain_source_text(p, v);
		return;
	}
	say_difference(p, v, a, b, &d);
	page_say(
		p,
		"Maui has no order of credentials: it ranks jobs by a sum over user, group, account, QOS and class, with "
		"targets and priorities of each, and over all other components. This is one term of it.");
	page_end(p);
	page_gap(p);
	print_both(p, v, a, b, &d);
	explain_windows_text(p, v);
	explain_source_text(p, v);
}
