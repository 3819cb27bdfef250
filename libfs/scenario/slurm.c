/* Slurm's commands by their first words. */
#include "scenario/slurm.h"

#include <string.h>

struct verb {
	const char *name;
	int (*run)(struct fsi_scenario *s, size_t at);
};

static int run(struct fsi_scenario *s, const struct verb *verbs, size_t n, const char *what, size_t at)
{
	const char *word = at < s->n ? s->word[at] : "";
	const size_t len = strlen(word), i = fsi_scenario_find(verbs, n, sizeof(*verbs), word, len);

	if (i == n)
		return fsi_scenario_refuse(s, "%s \"%.60s\" is not known here; the nearest is %s", what, word,
					   fsi_scenario_nearest(verbs, n, sizeof(*verbs), word, len));
	return verbs[i].run(s, at + 1);
}

/* "job 12 Key=value", "JobId=12 Key=value", "PartitionName=p Key=value", "NodeName=n[1-4] Key=value" */
static int update(struct fsi_scenario *s, size_t at)
{
	const char *word = at < s->n ? s->word[at] : "", *equals = strchr(word, '=');
	const size_t len = equals ? (size_t)(equals - word) : strlen(word);

	if (equals && fsi_scenario_same(word, len, "PartitionName"))
		return fsi_slurm_update_partition(s, equals + 1, at + 1);
	if (equals && fsi_scenario_same(word, len, "NodeName"))
		return fsi_slurm_update_nodes(s, equals + 1, at + 1);
	if (!fsi_scenario_same(word, len, "JobId") && !(fsi_scenario_same(word, len, "job") && !equals))
		return fsi_scenario_refuse(s, "scontrol update begins with job ID, JobId=ID, PartitionName=NAME or NodeName=LIST here, not \"%.60s\"", word);
	if (equals)
		return fsi_slurm_update_job(s, equals + 1, at + 1);
	return fsi_slurm_update_job(s, at + 1 < s->n ? s->word[at + 1] : "", at + 2);
}

static int scontrol(struct fsi_scenario *s, size_t at)
{
	static const struct verb verbs[] = {
		{ "hold", fsi_slurm_hold },
		{ "release", fsi_slurm_release },
		{ "requeue", fsi_slurm_requeue },
		{ "top", fsi_slurm_top },
		{ "uhold", fsi_slurm_uhold },
		{ "update", update },
	};

	return run(s, verbs, sizeof(verbs) / sizeof(*verbs), "scontrol", at);
}

int fsi_slurm_edit(struct fsi_scenario *s)
{
	static const struct verb verbs[] = {
		{ "sacctmgr", fsi_slurm_sacctmgr },
		{ "sbatch", fsi_slurm_sbatch },
		{ "scancel", fsi_slurm_scancel },
		{ "scontrol", scontrol },
	};

	if (strchr(s->word[0], '='))
		return fsi_slurm_setting(s);
	return run(s, verbs, sizeof(verbs) / sizeof(*verbs), "the command", 0);
}
