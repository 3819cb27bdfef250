/* Pairs whose order changes are counted as Knight counts them for Kendall's tau: rows sorted by one sum, inversions of
 * the other by merging, and those that are equal in either apart. */
#include "base/error.h"
#include "priority/lines.h"

#include <fs/weights.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct fs_weights {
	struct fs_weight_row *row;
	size_t n;
	uint64_t rows, pairs;
};

/* A row's sum with and without the term at hand, in millionths of a point, as terms have them. */
struct entry {
	uint64_t line; /* rows of the same are pairs */
	double with, without;
	size_t first; /* where the row's points begin */
};

struct work {
	fs_weights *w;
	struct entry *entry, *merged;
	double *points;
	uint32_t *line; /* by partition */
	size_t n, terms;
};

static double millionths(double v)
{
	return nearbyint(v * 1e6);
}

static int cmp(double a, double b)
{
	return (a > b) - (a < b);
}

static int cmp_both(const void *x, const void *y)
{
	const struct entry *a = x, *b = y;
	const int c = (a->line > b->line) - (a->line < b->line);

	return c ? c : a->with != b->with ? cmp(a->with, b->with) : cmp(a->without, b->without);
}

/* Sorts by the sum without the term, and counts the pairs that stood the other way round. */
static uint64_t inversions(struct entry *v, struct entry *spare, size_t n)
{
	const size_t half = n / 2;
	uint64_t count;
	size_t i = 0, k = half, out = 0;

	if (n < 2)
		return 0;
	count = inversions(v, spare, half) + inversions(v + half, spare, n - half);
	while (i < half || k < n) {
		if (k == n || (i < half && v[i].without <= v[k].without)) {
			spare[out++] = v[i++];
		} else {
			count += half - i;
			spare[out++] = v[k++];
		}
	}
	memcpy(v, spare, n * sizeof(*v));
	return count;
}

static uint64_t pairs_of(uint64_t n)
{
	return n * (n - 1) / 2;
}

/* Counts pairs of neighbours that are equal in `with` and, if both is set, in `without` too; or in the latter alone. */
static uint64_t equal_pairs(const struct entry *v, size_t n, bool with, bool without)
{
	uint64_t count = 0;
	size_t first = 0;

	for (size_t i = 1; i <= n; i++)
		if (i == n || (with && cmp(v[i].with, v[first].with)) ||
		    (without && cmp(v[i].without, v[first].without))) {
			count += pairs_of(i - first);
			first = i;
		}
	return count;
}

/* Counts pairs whose order changes, in the rows of one line, sorted by cmp_both. */
static uint64_t flips(const struct work *x, struct entry *v, size_t n)
{
	const uint64_t with = equal_pairs(v, n, true, false), both = equal_pairs(v, n, true, true);
	const uint64_t turned = inversions(v, x->merged, n);

	return turned + with - both + equal_pairs(v, n, false, true) - both;
}

static size_t same_line(const struct work *x, size_t from)
{
	size_t to = from + 1;

	while (to < x->n && x->entry[to].line == x->entry[from].line)
		to++;
	return to;
}

static int cmp_double(const void *x, const void *y)
{
	return cmp(*(const double *)x, *(const double *)y);
}

/* Is the least difference between two of its values greater than all that the rest can differ by? */
static int outweighs(const struct work *x, size_t t, bool *alone)
{
	double *v = malloc((x->n + 1) * sizeof(*v)), min = INFINITY, low = INFINITY, high = -INFINITY;

	if (!v)
		return -1;
	for (size_t i = 0; i < x->n; i++) {
		const struct entry *e = &x->entry[i];

		v[i] = millionths(x->points[e->first + t]);
		low = e->without < low ? e->without : low;
		high = e->without > high ? e->without : high;
	}
	qsort(v, x->n, sizeof(*v), cmp_double);
	for (size_t i = 1; i < x->n; i++)
		if (v[i] > v[i - 1] && v[i] - v[i - 1] < min)
			min = v[i] - v[i - 1];
	*alone = isfinite(min) && min > high - low;
	free(v);
	return 0;
}

static int measure(struct work *x, size_t t)
{
	struct fs_weight_row *row = &x->w->row[t];

	for (size_t i = 0; i < x->n; i++) {
		struct entry *e = &x->entry[i];
		const double *points = x->points + e->first;
		double without = 0;

		for (size_t k = 0; k < x->terms; k++)
			without += k == t ? 0 : points[k];
		e->without = millionths(without);
		e->with = millionths(without + points[t]);
		row->min_points = !(points[t] >= row->min_points) ? points[t] : row->min_points;
		row->max_points = !(points[t] <= row->max_points) ? points[t] : row->max_points;
	}
	qsort(x->entry, x->n, sizeof(*x->entry), cmp_both);
	for (size_t i = 0, to; i < x->n; i = to) {
		to = same_line(x, i);
		row->flips += flips(x, x->entry + i, to - i);
	}
	return outweighs(x, t, &row->alone);
}

static void take_row(struct work *x, const struct fs_prio_row *row, uint64_t line)
{
	struct entry *e = &x->entry[x->n];

	e->line = line;
	e->first = x->n++ * x->terms;
	for (size_t t = 0; t < x->terms; t++) {
		x->points[e->first + t] = row->terms[t].points;
		x->w->row[t].full += row->terms[t].value >= 1;
		x->w->row[t].none += row->terms[t].value == 0;
	}
}

static int compute(struct work *x, const fs_prios *p)
{
	fsi_prio_lines(p->m, x->line);
	for (size_t i = 0; i < fs_prios_count(p); i++) {
		struct fs_prio_row row;

		fs_prios_row(p, i, &row);
		if (row.visible && !row.direct && !isnan(row.sum))
			take_row(x, &row, fsi_prio_line(p->m, x->line, &p->row.v[i]));
	}
	for (size_t t = 0; t < x->terms; t++)
		if (measure(x, t))
			return -1;
	for (size_t i = 0, to; i < x->n; i = to) {
		to = same_line(x, i);
		x->w->pairs += pairs_of(to - i);
	}
	x->w->rows = x->n;
	return 0;
}

int fs_weights_compute(fs_weights **out, const fs_prios *p, struct fs_error *err)
{
	const size_t n = fs_prios_count(p), terms = fs_prios_terms(p);
	fs_weights *w = calloc(1, sizeof(*w));
	struct work x = { .w = w, .terms = terms };
	int rc = -1;

	x.entry = malloc((n + 1) * sizeof(*x.entry));
	x.merged = malloc((n + 1) * sizeof(*x.merged));
	x.points = malloc((n * terms + 1) * sizeof(*x.points));
	x.line = malloc((p->m->partition.n + 1) * sizeof(*x.line));
	if (w)
		w->row = calloc(terms + 1, sizeof(*w->row));
	if (w && w->row && x.entry && x.merged && x.points && x.line) {
		w->n = terms;
		for (size_t t = 0; t < terms; t++)
			w->row[t] = (struct fs_weight_row){ .name = fs_prios_weights(p)[t].name,
							    .weight = fs_prios_weights(p)[t].weight,
							    .min_points = NAN,
							    .max_points = NAN };
		rc = compute(&x, p);
	}
	free(x.entry);
	free(x.merged);
	free(x.points);
	free(x.line);
	if (!rc)
		*out = w;
	else
		fs_weights_free(w);
	return rc ? fsi_nomem(err) : 0;
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
