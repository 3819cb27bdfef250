/* Names that a mistyped one may stand for. */
#include "explain/list/list.h"

#include <string.h>

enum { LONGEST = 64 };

static size_t least(size_t a, size_t b, size_t c)
{
	const size_t ab = a < b ? a : b;

	return ab < c ? ab : c;
}

/* Letters to add, drop or change. Names longer than that are far from all. */
static size_t distance(const char *a, const char *b)
{
	const size_t n = strlen(b);
	size_t row[LONGEST + 1];

	if (n > LONGEST || strlen(a) > LONGEST)
		return LONGEST + 1;
	for (size_t k = 0; k <= n; k++)
		row[k] = k;
	for (size_t i = 0; a[i]; i++) {
		size_t corner = row[0];

		row[0] = i + 1;
		for (size_t k = 0; k < n; k++) {
			const size_t above = row[k + 1];

			row[k + 1] = least(above + 1, row[k] + 1, corner + (a[i] != b[k]));
			corner = above;
		}
	}
	return row[n];
}

const char *explain_near(const struct explain_view *v, const char *word)
{
	const size_t n = v->from->shares ? fs_shares_count(v->from->shares) : 0;
	size_t nearest = strlen(word) > 5 ? 6 : 4; /* in half letters: a wrong first one counts for more */
	const char *found = NULL;

	for (size_t i = 0; i < n; i++) {
		const struct fs_share_row *r = fs_shares_row(v->from->shares, i);
		const char *name = *r->user ? r->user : r->account;
		const size_t d = r->visible ? distance(word, name) : LONGEST + 1;

		if (d > LONGEST || 2 * d + (*name != *word) >= nearest)
			continue;
		nearest = 2 * d + (*name != *word);
		found = name;
	}
	return found;
}
