#include "queue/bars.h"

static int fill_choices(const struct fsi_bars_from *x, const struct fsi_job *j,
			struct fsi_bars *out, struct fs_explain_choice **choices, size_t *nqos)
{
	size_t np, nq;
	const uint32_t *partitions = fsi_list(x->m, j->partitions, &np),
		       *qos = fsi_list(x->m, j->qos, &nq);

	*nqos = nq ? nq : 1;
	out->nchoices = (np ? np : 1) * *nqos;
	*choices = fsi_arena_array(x->arena, out->nchoices, sizeof(**choices));
	if (!*choices)
		return -1;
	for (size_t i = 0; i < out->nchoices; i++)
		(*choices)[i] =
			(struct fs_explain_choice){ .partition = fsi_str(x->m, np ? partitions[i / *nqos] : 0),
						    .qos = fsi_str(x->m, nq ? qos[i % *nqos] : 0) };
	out->choices = *choices;
	return 0;
}

int fsi_bars(struct fsi_bars *out, const struct fsi_bars_from *from, uint32_t job_row,
	     const struct fs_reason *reason)
{
	const struct fsi_job *j = &from->m->job.v[job_row];
	struct fs_explain_choice *choices;
	size_t nqos;

	*out = (struct fsi_bars){ .job_row = job_row, .reason = reason };
	if (j->state != FSI_STATE_PENDING)
		return 0;
	return fill_choices(from, j, out, &choices, &nqos) ||
			       fsi_bars_limits(from, out, choices, nqos) ||
			       fsi_bars_obstacles(from, out, choices)
		       ? -1
		       : 0;
}

bool fsi_bars_unknown_limit(const struct fsi_bars *b)
{
	for (size_t i = 0; i < b->nlimits; i++)
		if (b->limits[i].named)
			return false;
	return true;
}
