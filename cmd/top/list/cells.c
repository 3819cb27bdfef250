/* Values as text for cells, and the letters of bars. */
#include "picture/factor_colour.h"
#include "render/format.h"
#include "top/list/columns.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void duration_text(double s, char *buf, size_t size)
{
	if (isnan(s))
		*buf = '\0';
	else if (isinf(s))
		snprintf(buf, size, "none");
	else if (s < 60)
		format_text(buf, size, "%.0fs", floor(s));
	else if (s < 3600)
		format_text(buf, size, "%.0fm", floor(s / 60));
	else if (s < 86400)
		format_text(buf, size, "%.0fh%02.0f", floor(s / 3600), floor(fmod(s, 3600) / 60));
	else
		format_text(buf, size, "%.0fd%02.0fh", floor(s / 86400), floor(fmod(s, 86400) / 3600));
}

static void move_text(double n, char *buf, size_t size)
{
	if (isnan(n) || n == 0)
		*buf = '\0';
	else if (isinf(n))
		snprintf(buf, size, "new");
	else
		format_text(buf, size, "%c%.0f", n > 0 ? '^' : 'v', fabs(n));
}

void cell_format(const struct view_column *c, const struct value *v, char *buf, size_t size)
{
	const double number = value_number(v);

	if (v->type == VALUE_TEXT)
		snprintf(buf, size, "%s", v->text);
	else if (c->kind == CELL_MOVE)
		move_text(number, buf, size);
	else if (c->kind == CELL_SECONDS)
		duration_text(number, buf, size);
	else if (isnan(number))
		*buf = '\0';
	else if (c->kind == CELL_FRACTION)
		format_text(buf, size, number < 1e5 || isinf(number) ? "%.4f" : "%.2e", number);
	else
		format_text(buf, size, "%.0f", number);
}

/* ---- letters */

static size_t kind_length(const char *term)
{
	return strcspn(term, "/");
}

static bool same_kind(const char *a, const char *b)
{
	return kind_length(a) == kind_length(b) && !strncmp(a, b, kind_length(a));
}

/* Returns the first letter of the name that no kind before it has. */
static char free_letter(const char *name, const char *letters, size_t n)
{
	for (size_t k = 0; k < kind_length(name); k++) {
		const char upper =
			(char)(name[k] >= 'a' && name[k] <= 'z' ? name[k] - 'a' + 'A' : name[k]);

		if (!memchr(letters, upper, n))
			return upper;
	}
	return '*';
}

size_t term_letters(const struct data *d, char *letters, size_t max)
{
	const struct fs_prio_term *terms = d->eval.prios ? fs_prios_weights(d->eval.prios) : NULL;
	const size_t n = !d->eval.prios                        ? 0
			 : fs_prios_terms(d->eval.prios) < max ? fs_prios_terms(d->eval.prios)
							  : max;

	for (size_t i = 0; i < n; i++) {
		size_t first = 0;

		while (!same_kind(terms[first].name, terms[i].name))
			first++;
		letters[i] = first < i ? letters[first] : free_letter(terms[i].name, letters, i);
	}
	return n;
}

enum attr term_attr(const struct fs_prio_term *t)
{
	const size_t colour = factor_colour(t->name);

	return colour < FACTOR_ATTRS ? (enum attr)(ATTR_FACTOR + colour) : ATTR_PLAIN;
}
