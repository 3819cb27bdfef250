/* fs-prio --openmetrics */
#include "prio/prio.h"

#include "render/metrics.h"

#include <stdlib.h>

static const struct metric_family of_priority[] = {
	{ "fs_prio_jobs", "fs-prio: jobs that have a priority, by partition and account.", { "partition", "account" }, METRIC_COUNT },
	{ "fs_prio_highest_priority", "fs-prio: the highest priority among them.", { "partition", "account" }, MAX_METRIC },
	{ "fs_prio_lowest_priority", "fs-prio: the lowest priority among them.", { "partition", "account" }, MIN_METRIC },
};
static const struct metric_family weights = {
	"fs_prio_weight", "fs-prio: the weight of a factor.", { "factor" }, METRIC_SUM
};
static const struct metric_family points = {
	"fs_prio_mean_points", "fs-prio: points of a factor, mean over the jobs of a partition.", { "partition", "factor" }, METRIC_MEAN
};

static int write_priorities(const struct prio_run *r, struct metric_record *v)
{
	struct fs_prio_row row;
	int status = EXIT_DONE;

	for (size_t i = 0; i < r->n; i++) {
		fs_prios_row(r->prios, r->rows[i], &row);
		v[i] = (struct metric_record){ { row.partition, row.account }, row.priority };
	}
	for (size_t i = 0; i < sizeof(of_priority) / sizeof(*of_priority) && !status; i++)
		status = metrics_family(r->snapshot, &of_priority[i], v, r->n);
	return status;
}

static int write_weights(const struct prio_run *r, struct metric_record *v)
{
	const struct fs_prio_term *term = fs_prios_weights(r->prios);
	const size_t n = fs_prios_terms(r->prios);

	for (size_t i = 0; i < n; i++)
		v[i] = (struct metric_record){ { term[i].name }, term[i].weight };
	return metrics_family(r->snapshot, &weights, v, n);
}

/* Of jobs whose priority an administrator set the terms do not count. */
static int write_points(const struct prio_run *r, struct metric_record *v)
{
	const size_t nterms = fs_prios_terms(r->prios);
	struct fs_prio_row row;
	size_t m = 0;

	for (size_t i = 0; i < r->n; i++) {
		fs_prios_row(r->prios, r->rows[i], &row);
		for (size_t t = 0; t < nterms && !row.direct; t++)
			v[m++] = (struct metric_record){ { row.partition, row.terms[t].name }, row.terms[t].points };
	}
	return metrics_family(r->snapshot, &points, v, m);
}

int prio_metrics(const struct prio_run *r)
{
	struct metric_record *v = calloc((r->n + 1) * (fs_prios_terms(r->prios) + 1), sizeof(*v));
	int status = v ? EXIT_DONE : EXIT_FAILED;

	if (v)
		metrics_begin(r->snapshot, "fs_prio");
	if (!status)
		status = write_priorities(r, v);
	if (!status)
		status = write_weights(r, v);
	if (!status)
		status = write_points(r, v);
	free(v);
	return status ? no_memory(r->inv) : metrics_end();
}
