#include "model/job/size.h"

#include <math.h>

double fsi_job_size_factor(const struct fsi_job_size *s)
{
	const double n = s->nodes, N = s->of_nodes, c = s->cpus, C = s->of_cpus;
	double size;

	if (isnan(C) || isnan(n) || isnan(c))
		return NAN;
	if (s->by_time) {
		size = fmax(n * C / N, c) / s->minutes / C;
		if (s->small)
			size = 1 - size;
	} else if (s->small) {
		size = N > n ? (N - n) / N : 0;
		if (c > 0)
			size = c > C ? 1 : (size + (C - c) / C) / 2; /* C - c wraps upstream */
	} else {
		size = n / N;
		if (c > 0)
			size = (size + c / C) / 2;
	}
	return isnan(size) ? NAN : size < 0 ? 0 : size > 1 ? 1 : size;
}

static bool gives(const struct fsi_job_size *s, double factor)
{
	const double half_digit = 0.5e-7 * (1 + 1e-6);

	return fabs(fsi_job_size_factor(s) - factor) <= half_digit;
}

double fsi_job_size_nodes(const struct fsi_job_size *s, double factor)
{
	struct fsi_job_size made = *s;

	for (made.nodes = 1; made.nodes <= s->nodes; made.nodes++)
		if (gives(&made, factor))
			return made.nodes;
	return 0;
}

double fsi_job_size_cpus(const struct fsi_job_size *s, double factor)
{
	const double n = s->nodes / s->of_nodes, C = s->of_cpus;
	struct fsi_job_size made = *s;

	if (s->by_time)
		made.cpus = (s->small ? 1 - factor : factor) * s->minutes * C;
	else if (s->small)
		made.cpus = C * (1 + (n < 1 ? 1 - n : 0) - 2 * factor);
	else
		made.cpus = C * (2 * factor - n);
	made.cpus = round(made.cpus);
	return made.cpus >= 1 && gives(&made, factor) ? made.cpus : 0;
}

void fsi_job_size_of_cluster(const fs_snapshot *m, struct fsi_job_size *s)
{
	s->of_nodes = s->of_cpus = NAN;
	if (!m->node.n || fsi_hidden(m, "node"))
		return;
	s->of_cpus = 0;
	s->of_nodes = (double)m->node.n;
	for (size_t i = 0; i < m->node.n; i++) {
		const struct fsi_node *n = &m->node.v[i];

		s->of_cpus += FSI_HAS(n, NODE, effective_cpus) ? (double)n->effective_cpus
			      : FSI_HAS(n, NODE, cpus)	       ? (double)n->cpus
							       : (double)NAN;
	}
}
