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
		c = prio_column_find(l, keys[i], version);
		if (!c || !c->sortable)
			return keys[i];
	}
	return 0;
}

static double tres_total(const fs_prios *p, const struct fs_prio_row *row)
{
	double sum = 0;

	for (size_t t = fs_prios_find_term(p, FS_FACTOR_TRES); t < fs_prios_terms(p); t++)
		sum += row->terms[t].points;
	return sum;
}

/* Older versions compare the number as it is stored, offset by 2^31 and cleared in admin-set jobs. */
static double nice_key(const fs_prios *p, const struct fs_prio_row *row, unsigned version)
{
	const double nice = prio_term(p, row, FS_FACTOR_NICE)->value;

	return row->direct && !fs_slurm_has(version, FS_SLURM_ADMIN_SET_CLEARED) ? -2147483648.0 : nice;
}

static struct key key_of(fs_prios *p, const struct prio_column *c, unsigned version, size_t i)
{
	struct fs_prio_row row;
	struct key k = { NULL, 0, i };

	fs_prios_row(p, i, &row);
	switch (c->kind) {
	case PRIO_JOBID:
	case PRIO_F58:
		k.number = (double)row.job;
		break;
	case PRIO_TEXT:
	case PRIO_NULLABLE:
		k.text = *(const char *const *)(const void *)((const char *)&row + c->offset);
		break;
	case PRIO_CLUSTER:
		break;
	case PRIO_TOTAL:
	case PRIO_TOTAL_NORM:
		k.number = row.sum < 1 ? 1 : row.sum;
		break;
	case PRIO_POINTS:
	case PRIO_NORM:
		k.number = prio_term(p, &row, c->factor)->points;
		break;
	case PRIO_VALUE:
		k.number = prio_term(p, &row, c->factor)->value;
		break;
	case PRIO_URGENCY:
		k.number = row.urgency;
		break;
	case PRIO_REASON:
		break;
	case PRIO_SITE:
		k.number = prio_term(p, &row, FS_FACTOR_SITE)->value;
		break;
	case PRIO_NICE:
		k.number = nice_key(p, &row, version);
		break;
	case PRIO_TRES:
	case PRIO_TRES_NORM:
		k.number = tres_total(p, &row);
		break;
	}
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
		const struct prio_column *c = prio_column_find(l, keys[at], (unsigned)-1);
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
