/* scontrol update PartitionName= (src/scontrol/update_part.c; who may: src/slurmctld/proc_req.c:
 * _slurm_rpc_update_partition). */
#include "scenario/slurm.h"

#include <string.h>

static int set_state(struct fsi_scenario *s, struct fsi_rec *rec, const struct fsi_edit_word *w, struct fsi_operand v)
{
	static const char *const states[] = { "UP", "DOWN", "DRAIN", "INACTIVE" };

	for (size_t i = 0; v.text && i < sizeof(states) / sizeof(*states); i++)
		if (fsi_scenario_same(v.text, strlen(v.text), states[i]))
			return fsi_scenario_set(s, FSI_RECORD_PARTITION, rec, w->word, "state",
						(struct fsi_operand){ '=', states[i] });
	return fsi_scenario_refuse(s, "State: expected UP, DOWN, DRAIN or INACTIVE, got \"%.60s\"", v.text ? v.text : "");
}

static const struct fsi_edit_word words[] = {
	{ "AllowAccounts", "allow_accounts", FSI_ADMINISTRATOR, NULL },
	{ "AllowQos", "allow_qos", FSI_ADMINISTRATOR, NULL },
	{ "DefaultTime", "default_time_s", FSI_ADMINISTRATOR, NULL },
	{ "DenyAccounts", "deny_accounts", FSI_ADMINISTRATOR, NULL },
	{ "DenyQos", "deny_qos", FSI_ADMINISTRATOR, NULL },
	{ "ExclusiveUser", "exclusive_user", FSI_ADMINISTRATOR, NULL },
	{ "MaxNodes", "max_nodes", FSI_ADMINISTRATOR, NULL },
	{ "MaxTime", "max_time_s", FSI_ADMINISTRATOR, NULL },
	{ "MinNodes", "min_nodes", FSI_ADMINISTRATOR, NULL },
	{ "OverSubscribe", "oversubscribe", FSI_ADMINISTRATOR, NULL },
	{ "PriorityJobFactor", "job_factor", FSI_ADMINISTRATOR, NULL },
	{ "PriorityTier", "tier", FSI_ADMINISTRATOR, NULL },
	{ "QOS", "qos", FSI_ADMINISTRATOR, NULL },
	{ "State", NULL, FSI_ADMINISTRATOR, set_state },
};

static struct fsi_partition *find(fs_snapshot *m, const char *name)
{
	for (size_t i = 0; i < m->partition.n; i++)
		if (!strcmp(fsi_str(m, m->partition.v[i].name), name))
			return &m->partition.v[i];
	return NULL;
}

int fsi_slurm_update_partition(struct fsi_scenario *s, const char *name, size_t at)
{
	struct fsi_partition *p = find(s->m, name);
	int rc = 0;

	if (!p)
		return fsi_scenario_refuse(s, "there is no partition \"%.60s\"", name);
	if (at == s->n)
		return fsi_scenario_refuse(s, "scontrol update PartitionName: nothing to change is named");
	fsi_scenario_only(s, FSI_ADMINISTRATOR, 0, 0, "partition: ");
	fsi_slurm_all_untold(s);
	for (; at < s->n && !rc; at++) {
		const struct fsi_edit_word *w;
		struct fsi_operand v;

		rc = fsi_scenario_word(s, words, sizeof(words) / sizeof(*words), "scontrol update PartitionName",
				       s->word[at], &w, &v);
		if (!rc)
			rc = fsi_scenario_apply(s, FSI_RECORD_PARTITION, &p->rec, w, v);
	}
	return rc;
}
