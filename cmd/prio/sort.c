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
		const struct prio_letter *c;

		if (strchr("+-,", keys[i]))
			continue;
		c = prio_letter_find(l, keys[i], version);
		if (!c || c->unsortable)
			return keys[i];
	}
	return 0;
}

/* The tool sorts factors by their points, and priorities by the sum that they are cut from. */
static const struct column *sorted_by(const struct column *c)
{
	return c == &prio_term_columns[TERM_SHARE]   ? &prio_term_columns[TERM_POINTS]
	       : c == &prio_columns[PRIO_PRIORITY] ? &prio_columns[PRIO_SUM]
						     : c;
}

static struct key key_of(fs_prios *p, const struct prio_letter *l, unsigned version, size_t i)
{
	const struct prio_source source = { .prios = p };
	struct prio_letter by = *l;
	struct key k = { NULL, 0, i };
	struct fs_prio_row row;
	struct value v;

	fs_prios_row(p, i, &row);
	if (l->form == FORM_NULL)
		return k;
	by.column = sorted_by(l->column);
	prio_value(&by, &source, &row, &v);
	if (v.type == VALUE_TEXT)
		k.text = v.text;
	else
		k.number = value_number(&v);
	if (by.column == &prio_columns[PRIO_SUM] && k.number < 1)
		k.number = 1;
	/* Older versions compare the number as it is stored, offset by 2^31 and cleared in admin-set jobs. */
	if (l->of_term && l->factor == FS_FACTOR_NICE && row.direct && !fs_slurm_has(version, FS_SLURM_ADMIN_SET_CLEARED))
		k.number = -2147483648.0;
	if (isnan(k.number)) /* unknown: below all numbers */
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

int prio_sort(fs_prios *p, const struct prio_layout *l, const char *keys, unsigned version,
	      size_t *rows, size_t n)
{
	struct key *k = malloc((n + 1) * sizeof(*k));
	int rc = k ? 0 : -1;

	for (size_t at = strlen(keys); !rc && at-- > 0;) {
		const struct prio_letter *c = prio_letter_find(l, keys[at], (unsigned)-1);
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
