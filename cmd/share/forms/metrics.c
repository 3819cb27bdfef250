/* fs-share --openmetrics */
#include "share/share.h"

#include "render/metrics.h"

#include <stdlib.h>

static int write_column(const struct share_source *of, const struct share_rows *rows, const struct column *c,
		       struct metric_record *v)
{
	char name[64], help[160];
	const struct metric_family family = { name, help, { "account", "user", "partition" }, METRIC_SUM };

	snprintf(name, sizeof(name), "fs_share_%s", c->key);
	snprintf(help, sizeof(help), "fs-share: %s.", c->help);
	for (size_t i = 0; i < rows->n; i++) {
		const struct fs_share_row *row = rows->v[i];
		struct value value;

		column_value(c, of, row, &value);
		v[i] = (struct metric_record){ { row->account, row->user, row->partition }, value_number(&value) };
	}
	return metrics_family(of->snapshot, &family, v, rows->n);
}

int share_metrics(const struct share_run *r)
{
	const struct share_source of = { r->snapshot, r->shares, NULL, 0 };
	struct metric_record *v = calloc(r->rows.n + 1, sizeof(*v));
	int status = v ? EXIT_DONE : -1;

	if (v)
		metrics_begin(r->snapshot, "fs_share");
	for (size_t i = 0; i < share_measures_count && !status; i++)
		status = write_column(&of, &r->rows, &share_columns[share_measures[i]], v);
	free(v);
	return status ? -1 : metrics_end();
}
