/* Room for a choice of nodes. */
#include "plan/plan.h"

#include <stdlib.h>

int fsi_plan_choice_init(struct fsi_plan_choice *s, const struct fsi_plan_cluster *c)
{
	const size_t n = (size_t)c->nnodes + 1;

	*s = (struct fsi_plan_choice){
		.candidate = calloc(n, sizeof(*s->candidate)),
		.cpus = calloc(n, sizeof(*s->cpus)),
		.gpus = calloc(n, sizeof(*s->gpus)),
		.left = calloc(n, sizeof(*s->left)),
		.given = malloc(n * sizeof(*s->given)),
		.taken = calloc(n, sizeof(*s->taken)),
		.run = calloc(n, sizeof(*s->run)),
		.kept = calloc(n, sizeof(*s->kept)),
		.of_cpus = calloc(FSI_PLAN_COUNTED + 1, sizeof(*s->of_cpus)),
		.node = calloc(n, sizeof(*s->node)),
		.units = calloc(n, sizeof(*s->units)),
	};
	if (!s->candidate || !s->cpus || !s->gpus || !s->left || !s->given || !s->taken || !s->run || !s->kept ||
	    !s->of_cpus || !s->node || !s->units)
		return -1;
	for (size_t i = 0; i < n; i++)
		s->given[i] = -1;
	return 0;
}

void fsi_plan_choice_release(struct fsi_plan_choice *s)
{
	free(s->candidate);
	free(s->cpus);
	free(s->gpus);
	free(s->left);
	free(s->given);
	free(s->taken);
	free(s->run);
	free(s->kept);
	free(s->of_cpus);
	free(s->node);
	free(s->units);
}
