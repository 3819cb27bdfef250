#include "top/list/sorter.h"

#include "top/views/ops.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RUN = 8192, MERGED_AT_ONCE = 4 * RUN };

struct key {
	const char *text;
	double number;
	uint32_t row;
};

/* First runs of rows are read and sorted, then pairs of runs are merged, from one array into the other. */
struct sorter {
	const struct view_ops *ops;
	const struct data *d;
	struct view_column column;
	const uint32_t *rows;
	size_t n;
	struct key *key, *other;
	size_t filled;
	size_t width;	  /* of the runs being merged */
	size_t left, right, out; /* next of each run of the pair at hand, and where it goes */
	bool failed;
};

static int compare_text(const char *a, const char *b)
{
	return a == b ? 0 : strcmp(a, b);
}

static int compare_keys(const void *x, const void *y, const void *ctx)
{
	const struct key *a = x, *b = y;

	(void)ctx;
	if (a->text && b->text)
		return compare_text(a->text, b->text);
	if (a->text || b->text)
		return a->text ? 1 : -1;
	if (isnan(a->number) || isnan(b->number))
		return !!isnan(a->number) - !!isnan(b->number);
	return (b->number > a->number) - (b->number < a->number);
}

static bool no_value(const struct key *k)
{
	return k->text ? !*k->text : isnan(k->number);
}

struct sorter *sorter_begin(const struct view_ops *ops, const struct data *d, size_t column,
			    const uint32_t *rows, size_t n)
{
	struct sorter *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	*s = (struct sorter){ .ops = ops, .d = d, .rows = rows, .n = n, .width = RUN };
	view_column_get(ops, d, column, &s->column);
	s->key = malloc((n + 1) * sizeof(*s->key));
	s->other = malloc((n + 1) * sizeof(*s->other));
	if (s->key && s->other)
		return s;
	sorter_free(s);
	return NULL;
}

void sorter_free(struct sorter *s)
{
	if (!s)
		return;
	free(s->key);
	free(s->other);
	free(s);
}

static void fill_run(struct sorter *s)
{
	const size_t start = s->filled, end = s->n - start > RUN ? start + RUN : s->n;
	struct value v;

	for (; s->filled < end; s->filled++) {
		s->ops->value(s->d, s->rows[s->filled], &s->column, &v);
		s->key[s->filled] =
			(struct key){ v.type == VALUE_TEXT ? v.text : NULL, value_number(&v), s->rows[s->filled] };
	}
	s->failed = fs_sort(s->key + start, end - start, sizeof(*s->key), compare_keys, NULL) != 0;
	if (end == s->n)
		s->right = s->width < s->n ? s->width : s->n;
}

static size_t at_most(size_t i, size_t n)
{
	return i < n ? i : n;
}

/* Goes to the next pair of runs, or to the first pair of twice the width. */
static void next_pair(struct sorter *s)
{
	struct key *merged = s->other;

	if (s->out == s->n) {
		s->other = s->key;
		s->key = merged;
		s->width *= 2;
		s->out = 0;
	}
	s->left = s->out;
	s->right = at_most(s->left + s->width, s->n);
}

static void merge(struct sorter *s)
{
	const size_t first = s->out / (2 * s->width) * 2 * s->width;
	const size_t middle = at_most(first + s->width, s->n),
		     end = at_most(middle + s->width, s->n);
	const size_t until = at_most(s->out + MERGED_AT_ONCE, end);

	for (; s->out < until; s->out++) {
		const bool left = s->right == end ||
				  (s->left < middle &&
				   compare_keys(&s->key[s->left], &s->key[s->right], NULL) <= 0);

		s->other[s->out] = s->key[left ? s->left++ : s->right++];
	}
	if (s->out == end)
		next_pair(s);
}

bool sorter_work(struct sorter *s)
{
	if (s->failed)
		return false;
	if (s->filled < s->n)
		fill_run(s);
	else if (s->width < s->n)
		merge(s);
	return !s->failed && (s->filled < s->n || s->width < s->n);
}

int sorter_take(struct sorter *s, struct sorted *out)
{
	uint32_t *row = s->failed ? NULL : malloc((s->n + 1) * sizeof(*row));
	size_t unknown = 0;

	for (size_t i = 0; row && i < s->n; i++)
		row[i] = s->key[i].row;
	while (row && unknown < s->n && no_value(&s->key[s->n - 1 - unknown]))
		unknown++;
	*out = (struct sorted){ row, unknown, false };
	sorter_free(s);
	return row ? 0 : -1;
}

int sort_rows(const struct view_ops *ops, const struct data *d, size_t column, const uint32_t *rows, size_t n,
	      struct sorted *out)
{
	struct sorter *s = sorter_begin(ops, d, column, rows, n);

	if (!s)
		return -1;
	while (sorter_work(s))
		;
	return sorter_take(s, out);
}
