/* Memory for a choice of nodes. */
#include "plan/plan.h"

#include <stdlib.h>

/* All sets are in one piece, the first switch's first. */
static int init_switches(struct fsi_plan_choice *s, const struct fsi_plan_cluster *c)
{
	const size_t sets = (size_t)c->nswitches + sizeof(s->set) / sizeof(*s->set);
	uint64_t *room = calloc(sets * c->words, sizeof(*room));

	s->at = calloc(c->nswitches, sizeof(*s->at));
	if (!s->at || !room) {
		free(room);
		return -1;
	}
	for (uint32_t i = 0; i < c->nswitches; i++, room += c->words)
		s->at[i].nodes = room;
	for (size_t i = 0; i < sizeof(s->set) / sizeof(*s->set); i++, room += c->words)
		s->set[i] = room;
	return 0;
}

int fsi_plan_choice_init(struct fsi_plan_choice *s, const struct fsi_plan_cluster *c)
{
	const size_t n = (size_t)c->nnodes + 1;

	*s = (struct fsi_plan_choice){
		.candidate = calloc(n, sizeof(*s->candidate)),
		.cpus = calloc(n, sizeof(*s->cpus)),
		.gpus = calloc(n, sizeof(*s->gpus)),
		.size = calloc(n, sizeof(*s->size)),
		.left = calloc(n, sizeof(*s->left)),
		.weight = calloc(n, sizeof(*s->weight)),
		.given = malloc(n * sizeof(*s->given)),
		.taken = calloc(n, sizeof(*s->taken)),
		.run = calloc(n, sizeof(*s->run)),
		.parted = calloc(n, sizeof(*s->parted)),
		.kept = calloc(n, sizeof(*s->kept)),
		.before = calloc(n, sizeof(*s->before)),
		.same = calloc(n, sizeof(*s->same)),
		.of_cpus = calloc(FSI_PLAN_COUNTED + 1, sizeof(*s->of_cpus)),
		.node = calloc(n, sizeof(*s->node)),
		.units = calloc(n, sizeof(*s->units)),
	};
	if (!s->candidate || !s->cpus || !s->gpus || !s->size || !s->left || !s->weight || !s->given || !s->taken ||
	    !s->run || !s->parted || !s->kept || !s->before || !s->same || !s->of_cpus || !s->node || !s->units)
		return -1;
	for (size_t i = 0; i < n; i++)
		s->given[i] = -1;
	for (uint32_t i = 0; i < c->nnodes; i++)
		s->weight[i] = c->node[i].weight << 8 | FSI_PLAN_NO_GPUS;
	return c->nswitches ? init_switches(s, c) : 0;
}

void fsi_plan_choice_release(struct fsi_plan_choice *s)
{
	if (s->at)
		free(s->at[0].nodes);
	free(s->at);
	free(s->candidate);
	free(s->cpus);
	free(s->gpus);
	free(s->size);
	free(s->left);
	free(s->weight);
	free(s->given);
	free(s->taken);
	free(s->run);
	free(s->parted);
	free(s->kept);
	free(s->before);
	free(s->same);
	free(s->of_cpus);
	free(s->node);
	free(s->units);
}
