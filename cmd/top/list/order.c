/* Lists of few rows, which are made whole each time; and whether a text contains a word. */
#include "top/list/list.h"
#include "top/list/parts.h"
#include "top/list/sorter.h"

#include <stdlib.h>
#include <string.h>

static char lower(char c)
{
	return (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

bool text_contains(const char *text, const char *word)
{
	for (; *text; text++) {
		size_t i = 0;

		while (word[i] && lower(text[i]) == lower(word[i]))
			i++;
		if (!word[i])
			return true;
	}
	return !*word;
}

bool filter_active(const struct filter *f)
{
	return *f->text || *f->user || *f->account || *f->partition;
}

static void reverse(uint32_t *v, size_t n)
{
	for (size_t i = 0; i < n / 2; i++) {
		const uint32_t t = v[i];

		v[i] = v[n - 1 - i];
		v[n - 1 - i] = t;
	}
}

int list_arrange(const struct list *l, const struct data *d, const uint32_t *rows, size_t n, uint32_t **out)
{
	struct sorted sorted = { 0 };

	if (l->sort != SIZE_MAX) {
		if (sort_rows(l->ops, d, l->sort, rows, n, &sorted))
			return -1;
	} else {
		sorted.row = malloc((n + 1) * sizeof(*rows));
		if (!sorted.row)
			return -1;
		memcpy(sorted.row, rows, n * sizeof(*rows));
	}
	if (l->inverted)
		reverse(sorted.row, n - sorted.unknown);
	*out = sorted.row;
	return 0;
}

void list_take(struct list *l, uint32_t *rows, size_t n)
{
	free(l->own);
	l->own = rows;
	l->order = rows;
	l->n = n;
	l->unknown = 0;
}

bool list_passes(const struct list *l, const struct data *d, uint32_t row)
{
	if (l->ops->passes)
		return l->ops->passes(l, d, row);
	return !*l->filter.text || l->ops->contains(d, row, l->filter.text);
}

int list_order_passing(struct list *l, const struct data *d)
{
	const uint32_t count = l->ops->trouble(d) ? 0 : l->ops->count(d);
	uint32_t *rows = malloc(((size_t)count + 1) * sizeof(*rows)), *arranged;
	size_t n = 0;
	int rc;

	if (!rows)
		return -1;
	for (uint32_t i = 0; i < count; i++)
		if (list_passes(l, d, i))
			rows[n++] = i;
	rc = list_arrange(l, d, rows, n, &arranged);
	free(rows);
	if (!rc)
		list_take(l, arranged, n);
	return rc;
}
