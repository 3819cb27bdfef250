/* Sorts rows by format letters, as sprio -S does. */
#include "prio/prio.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct key {
	const char *text; /* NULL: compare the number */
	double number;
	size_t row;
};

char prio_sort_check(const struct prio_run *r, unsigned version)
{
	const char *keys = r->sort ? r->sort : "";

	/* from the end, as the keys are sorted by */
	for (size_t i = strlen(keys); i-- > 0;) {
		const struct prio_column *c;

		if (strchr("+-,", keys[i]))
			continue;
		c = prio_letter_find(r->layout, keys[i], version);
		if (!c || c->sort == SORT_NEVER)
			return keys[i];
	}
	return 0;
}

static double number_of(const struct prio_run *r, const struct prio_column *c, const struct fs_prio_row *row,
			const struct value *v)
{
	/* Older versions compare the number as it is stored, offset by 2^31 and cleared in admin-set jobs. */
	if (c->of_term && c->factor == FS_FACTOR_NICE && row->direct &&
	    !fs_slurm_has(r->compat, FS_SLURM_ADMIN_SET_CLEARED))
		return -2147483648.0;
	if (c->sort == SORT_POINTS)
		return row->terms[fs_prios_find_term(r->prios, c->factor)].points;
	if (c->sort == SORT_SUM)
		return row->sum < 1 ? 1 : row->sum;
	return value_number(v);
}

static struct key key_of(const struct prio_run *r, const struct prio_column *c, size_t i)
{
	struct key k = { NULL, 0, i };
	struct fs_prio_row row;
	struct value v;

	if (c->sort == SORT_EQUAL)
		return k;
	fs_prios_row(r->prios, i, &row);
	prio_value(c, &r->source, &row, &v);
	if (v.type == VALUE_TEXT)
		k.text = v.text;
	else
		k.number = number_of(r, c, &row, &v);
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

static int by_place(const void *x, const void *y, const void *ctx)
{
	const struct prio_run *r = ctx;
	const uint64_t *place = r->place, a = place[fs_prios_job_row(r->prios, *(const size_t *)x)],
		       b = place[fs_prios_job_row(r->prios, *(const size_t *)y)];

	return (a > b) - (a < b);
}

/* As the controller sends them to sprio: what no key parts stays so. */
static int sort_as_listed(struct prio_run *r)
{
	int rc;

	r->place = malloc((fs_snapshot_info(r->snapshot)->jobs + 1) * sizeof(*r->place));
	rc = !r->place || fs_jobs_listed(r->snapshot, r->place) ||
	     fs_sort(r->rows, r->n, sizeof(*r->rows), by_place, r);
	free(r->place);
	r->place = NULL;
	return rc ? -1 : 0;
}

int prio_sort(struct prio_run *r)
{
	const char *keys = r->sort ? r->sort : "";
	struct key *k = malloc((r->n + 1) * sizeof(*k));
	int rc = k && (!*keys || !sort_as_listed(r)) ? 0 : -1;

	for (size_t at = strlen(keys); !rc && at-- > 0;) {
		const struct prio_column *c = prio_letter_find(r->layout, keys[at], (unsigned)-1);
		const int sign = at && keys[at - 1] == '-' ? -1 : 1;

		if (!c)
			continue;
		for (size_t i = 0; i < r->n; i++)
			k[i] = key_of(r, c, r->rows[i]);
		rc = fs_sort(k, r->n, sizeof(*k), compare, &sign);
		for (size_t i = 0; i < r->n; i++)
			r->rows[i] = k[i].row;
	}
	free(k);
	return rc ? no_memory(r->inv) : 0;
}
