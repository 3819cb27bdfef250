/* What is in a job's way, by each partition and QOS it may use. */
#include "explain/explain.h"

static int fill_choices(fs_explain *x, const struct fsi_job *j, struct fs_explain_job *out,
			struct fs_explain_choice **choices, size_t *nqos)
{
	size_t np, nq;
	const uint32_t *partitions = fsi_list(x->m, j->partitions, &np),
		       *qos = fsi_list(x->m, j->qos, &nq);

	*nqos = nq ? nq : 1;
	out->nchoices = (np ? np : 1) * *nqos;
	*choices = fsi_arena_array(&x->arena, out->nchoices, sizeof(**choices));
	if (!*choices)
		return -1;
	for (size_t i = 0; i < out->nchoices; i++)
		(*choices)[i] =
			(struct fs_explain_choice){ fsi_str(x->m, np ? partitions[i / *nqos] : 0),
						    fsi_str(x->m, nq ? qos[i % *nqos] : 0), false,
						    false };
	out->choices = *choices;
	return 0;
}

int fsi_explain_choices(fs_explain *x, struct fs_explain_job *out)
{
	const struct fsi_job *j = &x->m->job.v[out->job_row];
	struct fs_explain_choice *choices;
	size_t nqos;

	if (j->state != FSI_STATE_PENDING)
		return 0;
	return fill_choices(x, j, out, &choices, &nqos) ||
			       fsi_explain_limits(x, out, choices, nqos) ||
			       fsi_explain_obstacles(x, out, choices)
		       ? -1
		       : 0;
}
