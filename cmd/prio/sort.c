/* Sorts rows by format letters, as sprio -S does. */
#include "prio/rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct key {
	const char *text; /* NULL: compare the number */
	double number;
	size_t row;
};

char prio_sort_check(const struct prio_layout *l, const char *keys, unsigned version)
{
	/* from the end, as the keys are sorted by */
	for (size_t i = strlen(keys); i-- > 0;) {
		const struct prio_column *c;

		if (strchr("+-,", keys[i]))
			continue;
		c = prio_letter_find(l, keys[i], version);
		if (!c || c->sort == SORT_NEVER)
			return keys[i];
	}
	return 0;
}

static double number_of(const fs_prios *p, const struct prio_column *c, unsigned version, const struct fs_prio_row *row,
			const struct value *v)
{
	/* Older versions compare the number as it is stored, offset by 2^31 and cleared in admin-set jobs. */
	if (c->of_term && c->factor == FS_FACTOR_NICE && row->direct &&
	    !fs_slurm_has(version, FS_SLURM_ADMIN_SET_CLEARED))
		return -2147483648.0;
	if (c->sort == SORT_POINTS)
		return row->terms[fs_prios_find_term(p, c->factor)].points;
	if (c->sort == SORT_SUM)
		return row->sum < 1 ? 1 : row->sum;
	return value_number(v);
}

static struct key key_of(const fs_prios *p, const struct prio_column *c, unsigned version, size_t i)
{
	const struct prio_source source = { .prios = p };
	struct key k = { NULL, 0, i };
	struct fs_prio_row row;
	struct value v;

	if (c->sort == SORT_EQUAL)
		return k;
	fs_prios_row(p, i, &row);
	prio_value(c, &source, &row, &v);
	if (v.type == VALUE_TEXT)
		k.text = v.text;
	else
		k.number = number_of(p, c, version, &row, &v);
	if (isnan(k.number)) /* an unknown number sorts below all others */
		k.number = -INFINITY;
	return k;
}

static int compare(const void *x, const void *y, const void *ctx)
{
	const struct key *a = x, *b = y;
	const int sign = *(const int *)ctx;

	if (a->text)
		return sign * strcmp(a->text, b->text);
	if (a->number == b->number ||
	    fabs(a->number - b->number) < 0.00001) /* fuzzy_equal, macros.h */
		return 0;
	return a->number > b->number ? sign : -sign;
}

int prio_sort(const fs_prios *p, const struct prio_layout *l, const char *keys, unsigned version,
	      size_t *rows, size_t n)
{
	struct key *k = malloc((n + 1) * sizeof(*k));
	int rc = k ? 0 : -1;

	for (size_t at = strlen(keys); !rc && at-- > 0;) {
		const struct prio_column *c = prio_letter_find(l, keys[at], (unsigned)-1);
		const int sign = at && keys[at - 1] == '-' ? -1 : 1;

		if (!c)
			continue;
		for (size_t i = 0; i < n; i++)
			k[i] = key_of(p, c, version, rows[i]);
		rc = fs_sort(k, n, sizeof(*k), compare, &sign);
		for (size_t i = 0; i < n; i++)
			rows[i] = k[i].row;
	}
	free(k);
	return rc;
}
