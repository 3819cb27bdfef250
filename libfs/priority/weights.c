/* Influence of priority weights: the number of pairs of jobs whose order changes if a term is left out of the priority.
 * The influence is computed by Knight's method for Kendall's tau. Rows are sorted by the priority with the term. Then a
 * merge sort by the priority without the term counts the inversions. Jobs of equal priority are ordered by submission
 * time, then by id, as in Slurm and Flux (src/slurmctld/job_scheduler.c: sort_job_queue2). Maui uses the order of the
 * previous iteration instead. */
#include "base/error.h"
#include "priority/priority.h"

#include "fs/weights.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct fs_weights {
	struct fs_weight_row *row;
	size_t n;
	uint64_t rows, pairs;
};

/* A row of fs_prios while the influence of one term, the measured term, is computed. `with`, `without`: priority of the
 * row with and without the measured term. */
struct weighed_row {
	uint64_t order; /* id of the row's scheduling order; only rows of the same order are compared */
	double with, without;
	/* sum of the points of all terms except the measured term, in millionths of a point */
	double rest_points;
	int64_t submit;
	size_t row; /* index of the row in `points`; rows of equal priority and submission time are in this order */
};

struct measurement {
	fs_weights *w;
	struct weighed_row *entry, *merged;
	double *points;	/* points[i * terms + t]: points of term t in row i */
	/* indexed by partition row: a number that identifies the scheduling order in which the partition's jobs
	 * compete */
	uint32_t *order;
	double (*stored_priority)(double sum);
	size_t n, terms;
};

static double round_to_millionths(double v)
{
	return nearbyint(v * 1e6);
}

static int compare_priority_values(double a, double b)
{
	return (a > b) - (a < b);
}

/* Compares rows a and b of one scheduling order by their priorities pa and pb, then by submission time, then by row.
 * Returns a negative number if a is ahead of b. */
static int compare_tried_rows(const struct weighed_row *a, double pa, const struct weighed_row *b, double pb)
{
	if (pa != pb)
		return compare_priority_values(pb, pa);
	if (a->submit != b->submit)
		return a->submit < b->submit ? -1 : 1;
	return (a->row > b->row) - (a->row < b->row);
}

static int compare_with_term(const void *x, const void *y)
{
	const struct weighed_row *a = x, *b = y;
	const int c = (a->order > b->order) - (a->order < b->order);

	return c ? c : compare_tried_rows(a, a->with, b, b->with);
}

/* Sorts the n rows of v by `without`. The rows must already be sorted by `with`. Returns the number of pairs of rows
 * whose order changes. `spare`: scratch memory for n rows. */
static uint64_t count_order_inversions(struct weighed_row *v, struct weighed_row *spare, size_t n)
{
	const size_t half = n / 2;
	uint64_t count;
	size_t i = 0, k = half, out = 0;

	if (n < 2)
		return 0;
	count = count_order_inversions(v, spare, half) + count_order_inversions(v + half, spare, n - half);
	while (i < half || k < n) {
		if (k == n || (i < half && compare_tried_rows(&v[i], v[i].without, &v[k], v[k].without) < 0)) {
			spare[out++] = v[i++];
		} else {
			count += half - i;
			spare[out++] = v[k++];
		}
	}
	memcpy(v, spare, n * sizeof(*v));
	return count;
}

static uint64_t count_row_pairs(uint64_t n)
{
	return n * (n - 1) / 2;
}

static size_t find_order_end(const struct measurement *x, size_t from)
{
	size_t to = from + 1;

	while (to < x->n && x->entry[to].order == x->entry[from].order)
		to++;
	return to;
}

static int compare_double_values(const void *x, const void *y)
{
	return compare_priority_values(*(const double *)x, *(const double *)y);
}

/* Sets *alone to true if term t alone decides the order of any two rows in which its points differ. Term t alone
 * decides if the smallest difference between its points exceeds the greatest difference between the sums of the other
 * terms. Returns -1 if out of memory. */
static int test_term_dominance(const struct measurement *x, size_t t, bool *alone)
{
	double *v = malloc((x->n + 1) * sizeof(*v)), min = INFINITY, low = INFINITY, high = -INFINITY;

	if (!v)
		return -1;
	for (size_t i = 0; i < x->n; i++) {
		const struct weighed_row *e = &x->entry[i];

		v[i] = round_to_millionths(x->points[e->row * x->terms + t]);
		low = fmin(low, e->rest_points);
		high = fmax(high, e->rest_points);
	}
	qsort(v, x->n, sizeof(*v), compare_double_values);
	for (size_t i = 1; i < x->n; i++)
		if (v[i] > v[i - 1] && v[i] - v[i - 1] < min)
			min = v[i] - v[i - 1];
	*alone = isfinite(min) && min > high - low;
	free(v);
	return 0;
}

static int measure_term_influence(struct measurement *x, size_t t)
{
	struct fs_weight_row *row = &x->w->row[t];

	for (size_t i = 0; i < x->n; i++) {
		struct weighed_row *e = &x->entry[i];
		const double *points = x->points + e->row * x->terms;
		double with = 0, without = 0;

		for (size_t k = 0; k < x->terms; k++) {
			with += points[k];
			without += k == t ? 0 : points[k];
		}
		e->rest_points = round_to_millionths(without);
		e->with = x->stored_priority(with);
		e->without = x->stored_priority(without);
		row->min_points = !(points[t] >= row->min_points) ? points[t] : row->min_points;
		row->max_points = !(points[t] <= row->max_points) ? points[t] : row->max_points;
	}
	qsort(x->entry, x->n, sizeof(*x->entry), compare_with_term);
	for (size_t i = 0, to; i < x->n; i = to) {
		to = find_order_end(x, i);
		row->flips += count_order_inversions(x->entry + i, x->merged, to - i);
	}
	return test_term_dominance(x, t, &row->alone);
}

static void add_weighed_row(struct measurement *x, const struct fs_prio_row *row, uint64_t order, int64_t submit)
{
	double *points = x->points + x->n * x->terms;

	x->entry[x->n] = (struct weighed_row){ .order = order, .submit = submit, .row = x->n };
	x->n++;
	for (size_t t = 0; t < x->terms; t++) {
		points[t] = row->terms[t].points;
		x->w->row[t].full += row->terms[t].value >= 1;
		x->w->row[t].none += row->terms[t].value == 0;
	}
}

static int compute_term_weights(struct measurement *x, const fs_prios *p)
{
	fsi_prio_assign_orders(p->m, x->order);
	for (size_t i = 0; i < fs_prios_count(p); i++) {
		struct fs_prio_row row;

		fs_prios_row(p, i, &row);
		if (row.visible && !row.set_directly && !isnan(row.sum))
			add_weighed_row(x, &row, fsi_prio_order_of_row(p->m, x->order, &p->row.v[i]),
					p->m->job.v[row.job_row].submit_time);
	}
	for (size_t t = 0; t < x->terms; t++)
		if (measure_term_influence(x, t))
			return -1;
	for (size_t i = 0, to; i < x->n; i = to) {
		to = find_order_end(x, i);
		x->w->pairs += count_row_pairs(to - i);
	}
	x->w->rows = x->n;
	return 0;
}

int fs_weights_compute(fs_weights **out, const fs_prios *p, struct fs_error *err)
{
	const size_t n = fs_prios_count(p), terms = fs_prios_terms(p);
	fs_weights *w = calloc(1, sizeof(*w));
	struct measurement x = { .w = w,
				 .terms = terms,
				 .stored_priority = p->scheduler->stored_priority ? p->scheduler->stored_priority
										  : round_to_millionths };
	int rc = -1;

	x.entry = malloc((n + 1) * sizeof(*x.entry));
	x.merged = malloc((n + 1) * sizeof(*x.merged));
	x.points = malloc((n * terms + 1) * sizeof(*x.points));
	x.order = malloc((p->m->partition.n + 1) * sizeof(*x.order));
	if (w)
		w->row = calloc(terms + 1, sizeof(*w->row));
	if (w && w->row && x.entry && x.merged && x.points && x.order) {
		w->n = terms;
		for (size_t t = 0; t < terms; t++)
			w->row[t] = (struct fs_weight_row){ .name = fs_prios_weights(p)[t].name,
							    .weight = fs_prios_weights(p)[t].weight,
							    .min_points = NAN,
							    .max_points = NAN };
		rc = compute_term_weights(&x, p);
	}
	free(x.entry);
	free(x.merged);
	free(x.points);
	free(x.order);
	if (!rc)
		*out = w;
	else
		fs_weights_free(w);
	return rc ? fsi_fail_no_memory(err) : 0;
}

void fs_weights_free(fs_weights *w)
{
	if (w)
		free(w->row);
	free(w);
}

size_t fs_weights_count(const fs_weights *w)
{
	return w->n;
}

const struct fs_weight_row *fs_weights_row(const fs_weights *w, size_t i)
{
	return i < w->n ? &w->row[i] : NULL;
}

uint64_t fs_weights_rows(const fs_weights *w)
{
	return w->rows;
}

uint64_t fs_weights_pairs(const fs_weights *w)
{
	return w->pairs;
}
