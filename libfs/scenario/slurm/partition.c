/* scontrol update PartitionName= (src/scontrol/update_part.c; who may: src/slurmctld/proc_req.c:
 * _slurm_rpc_update_partition). */
#include "model/job/settings.h"
#include "model/slurm/conf.h"
#include "scenario/slurm/slurm.h"

#include <string.h>

static FSI_SETTER(set_state)
{
	static const char *const states[] = { "UP", "DOWN", "DRAIN", "INACTIVE" };

	for (size_t i = 0; v.text && i < sizeof(states) / sizeof(*states); i++)
		if (fsi_same_any_case(v.text, strlen(v.text), states[i]))
			return fsi_scenario_set(s, FSI_RECORD_PARTITION, rec, w->word, "state",
						(struct fsi_operand){ '=', states[i] });
	return fsi_scenario_refuse(s, "State: expected UP, DOWN, DRAIN or INACTIVE, got \"%.60s\"", v.text ? v.text : "");
}

/* Priority= sets both (update_part.c). */
static FSI_SETTER(set_priority)
{
	const int rc = fsi_scenario_set(s, FSI_RECORD_PARTITION, rec, w->word, "job_factor", v);

	return rc ? rc : fsi_scenario_set(s, FSI_RECORD_PARTITION, rec, w->word, "tier", v);
}

/* Jobs of the partition are not billed by new weights until their TRES change. */
static FSI_SETTER(set_weights)
{
	struct fsi_tres_weight weights[FSI_TRES_WEIGHTS_MAX];

	if (v.text && fsi_tres_weights(s->m, v.text, weights) < 0)
		return fsi_scenario_refuse(s, "%s: expected weights of TRES that the cluster has, got \"%.60s\"", w->word, v.text);
	return fsi_scenario_set(s, FSI_RECORD_PARTITION, rec, w->word, "billing_weights", v);
}

static FSI_SETTER(set_default)
{
	const int rc = fsi_scenario_set(s, FSI_RECORD_PARTITION, rec, w->word, "is_default", v);
	struct fsi_partition *own = (struct fsi_partition *)(void *)rec;

	for (size_t i = 0; !rc && own->is_default && i < s->m->partition.n; i++)
		if (&s->m->partition.v[i] != own)
			s->m->partition.v[i].is_default = false;
	return rc;
}

/* "DefCpuPerGPU=4,DefMemPerGPU=12000" */
static FSI_SETTER(set_defaults)
{
	struct fsi_partition *p = (struct fsi_partition *)(void *)rec;
	struct fsi_job_defaults d;

	if (!v.text || fsi_slurm_job_defaults(v.text, strlen(v.text), &d))
		return fsi_scenario_refuse(s, "%s: expected " FSI_JOB_DEFAULTS ", got \"%.60s\"", w->word,
					   v.text ? v.text : "");
	p->cpus_per_gpu = d.cpus_per_gpu;
	p->mem_per_gpu_mb = d.mem_per_gpu_mb;
	FSI_SET(p, PARTITION, cpus_per_gpu);
	FSI_SET(p, PARTITION, mem_per_gpu_mb);
	return 0;
}

#define P(word, field, set, least) { word, field, FSI_ADMINISTRATOR, set, least }

/* In the order in which scontrol looks for them. */
static const struct fsi_edit_word words[] = {
	P("MaxTime", "max_time_s", NULL, 4),
	P("CpuBind", NULL, fsi_scenario_ignore, 7),
	P("DefaultTime", "default_time_s", NULL, 8),
	P("MaxCPUsPerNode", "max_cpus_per_node", NULL, 4),
	P("MaxCPUsPerSocket", NULL, fsi_scenario_unheeded, 4),
	P("MaxNodes", "max_nodes", NULL, 4),
	P("MinNodes", "min_nodes", NULL, 2),
	P("Default", NULL, set_default, 7),
	P("DisableRootJobs", NULL, fsi_scenario_ignore, 1),
	P("Exclusive", "oversubscribe", NULL, 9),
	P("ExclusiveUser", "exclusive_user", NULL, 1),
	P("ExclusiveTopo", NULL, fsi_scenario_unheeded, 1),
	P("Hidden", "is_hidden", NULL, 1),
	P("LLN", "least_loaded", NULL, 1),
	P("RootOnly", "root_only", NULL, 3),
	P("ReqResv", NULL, fsi_scenario_unheeded, 3),
	P("OverSubscribe", "oversubscribe", NULL, 5),
	P("Shared", "oversubscribe", NULL, 2),
	P("OverTimeLimit", NULL, fsi_scenario_ignore, 5),
	P("PowerDownOnIdle", NULL, fsi_scenario_ignore, 1),
	P("PreemptMode", "preempt_mode", NULL, 3),
	P("Priority", NULL, set_priority, 3),
	P("PriorityJobFactor", "job_factor", NULL, 9),
	P("PriorityTier", "tier", NULL, 9),
	P("State", NULL, set_state, 2),
	P("Nodes", NULL, fsi_slurm_partition_nodes, 1),
	P("AllowGroups", "allow_groups", NULL, 6),
	P("AllowAccounts", "allow_accounts", NULL, 6),
	P("AllowQos", "allow_qos", NULL, 6),
	P("DenyAccounts", "deny_accounts", NULL, 5),
	P("DenyQos", "deny_qos", NULL, 5),
	P("AllocNodes", NULL, fsi_scenario_ignore, 6),
	P("Alternate", NULL, fsi_scenario_ignore, 3),
	P("GraceTime", NULL, fsi_scenario_ignore, 5),
	P("DefMemPerCPU", NULL, fsi_scenario_ignore, 10),
	P("DefMemPerNode", NULL, fsi_scenario_ignore, 10),
	P("MaxMemPerCPU", "max_mem_per_cpu_mb", NULL, 10),
	P("MaxMemPerNode", NULL, fsi_scenario_unheeded, 10),
	P("QOS", "qos", NULL, 3),
	P("JobDefaults", NULL, set_defaults, 4),
	P("Topology", NULL, fsi_scenario_unheeded, 4),
	P("TRESBillingWeights", NULL, set_weights, 1),
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
	fsi_scenario_note_who(s, FSI_ADMINISTRATOR, 0, 0, "partition: ");
	fsi_slurm_forget_all_recorded(s);
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
