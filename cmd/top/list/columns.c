#include "top/list/columns.h"

#include "dialect/dialect.h"
#include "top/views/ops.h"

#include <limits.h>

size_t view_columns(const struct view_ops *ops, const struct data *d)
{
	return ops->columns + (ops->terms && d->eval.prios ? fs_prios_terms(d->eval.prios) : 0);
}

void view_column_get(const struct view_ops *ops, const struct data *d, size_t i, struct view_column *out)
{
	const struct nouns *nouns = &dialect_of(d->snapshot)->nouns;
	const size_t term = i - ops->columns;

	if (i < ops->columns) {
		*out = ops->column[i];
		if (out->noun)
			out->name = *(const char *const *)(const void *)((const char *)nouns + out->noun);
		out->name = out->name ? out->name : out->of->name;
		out->help = out->help ? out->help : out->of->help;
		return;
	}
	*out = (struct view_column){ .name = fs_prios_weights(d->eval.prios)[term].name,
				     .kind = CELL_WHOLE,
				     .width = 10,
				     .from_cols = UINT_MAX,
				     .help = "what this factor adds to the priority",
				     .term = term + 1 };
}

unsigned view_column_from(const struct data *d, const struct view_column *c)
{
	enum { BESIDE_RANGES = 130 };
	const bool ranges = d->eval.shares && fs_shares_has_ranges(d->eval.shares);

	return c->yields && ranges ? BESIDE_RANGES : c->from_cols;
}
