/* The words of sacctmgr modify, in its own order and with as many letters as it asks for
 * (src/sacctmgr/association_functions.c: sacctmgr_set_assoc_rec; qos_functions.c: _set_rec; RawUsage:
 * account_functions.c, user_functions.c). Of limits of single TRES those of their own words are older. */
#include "scenario/slurm/slurm.h"

#include <stdio.h>
#include <string.h>

static struct fsi_association *assoc_of(struct fsi_rec *rec)
{
	return (struct fsi_association *)(void *)rec;
}

static bool is_zero(const struct fsi_operand *v)
{
	return v->text && !strcmp(v->text, "0") && v->op == '=';
}

/* Usage of an account holds only what no association below has: its descendants' is a part of what is reset. */
static void forget_usage(struct fsi_association *a)
{
	a->usage_tres_s = 0;
	a->usage_wall_s = 0;
	FSI_SET(a, ASSOCIATION, usage_tres_s);
	FSI_SET(a, ASSOCIATION, usage_wall_s);
	FSI_FORGET(a, ASSOCIATION, usage_by_tres_s);
	FSI_FORGET(a, ASSOCIATION, usage_by_tres_min);
	FSI_FORGET(a, ASSOCIATION, usage_wall_min);
	FSI_UNSET(a, ASSOCIATION, fairshare);
}

static FSI_SETTER(reset_usage)
{
	fs_snapshot *m = s->m;
	const uint32_t row = (uint32_t)(assoc_of(rec) - m->association.v);

	if (!is_zero(&v))
		return fsi_scenario_refuse(s, "%s can only be set to 0", w->word);
	for (uint32_t i = row; i < m->tree[row].end; i++)
		forget_usage(&m->association.v[i]);
	for (uint32_t i = m->tree[row].parent; i != FSI_NO_INDEX; i = m->tree[i].parent) {
		FSI_FORGET(&m->association.v[i], ASSOCIATION, usage_by_tres_min);
		FSI_FORGET(&m->association.v[i], ASSOCIATION, usage_wall_min);
	}
	return 0;
}

static FSI_SETTER(move_account)
{
	(void)rec;
	(void)v;
	return fsi_scenario_refuse(s, "%s: accounts are not moved here", w->word);
}

/* ---- the user of an association */

static struct fsi_user *user_of(struct fsi_scenario *s, struct fsi_rec *rec, const struct fsi_edit_word *w)
{
	for (size_t i = 0; i < s->m->user.n; i++)
		if (s->m->user.v[i].name == assoc_of(rec)->user)
			return &s->m->user.v[i];
	fsi_scenario_refuse(s, "%s: the snapshot tells nothing of user %.60s", w->word, fsi_str(s->m, assoc_of(rec)->user));
	return NULL;
}

/* The first letter tells (src/common/slurmdb_defs.c: str_2_slurmdb_admin_level). */
static FSI_SETTER(set_admin)
{
	static const char letters[] = "noas", *const levels[] = { "none", "operator", "administrator", "administrator" };
	const char *at = v.text && *v.text ? strchr(letters, fsi_lower(*v.text)) : NULL;
	struct fsi_user *u = user_of(s, rec, w);

	if (!u)
		return FS_EUSAGE;
	if (!at)
		return fsi_scenario_refuse(s, "%s: expected None, Operator or Admin, got \"%.60s\"", w->word, v.text ? v.text : "");
	return fsi_scenario_set(s, FSI_RECORD_USER, &u->rec, w->word, "admin", (struct fsi_operand){ '=', levels[at - letters] });
}

static FSI_SETTER(set_default_account)
{
	const uint32_t account = v.text ? fsi_name_find(s->m, v.text) : 0;
	struct fsi_user *u = user_of(s, rec, w);

	if (!u)
		return FS_EUSAGE;
	if (!account || fsi_assoc_find(s->m, account, u->name, 0) == FSI_NO_INDEX)
		return fsi_scenario_refuse(s, "%s: %s has no association with account %.60s", w->word, fsi_str(s->m, u->name),
					   v.text ? v.text : "");
	return fsi_scenario_set(s, FSI_RECORD_USER, &u->rec, w->word, "default_account", v);
}

/* Usage of a QOS counts for limits alone (src/slurmctld/acct_policy.c: usage_tres_raw). */
static FSI_SETTER(reset_qos)
{
	struct fsi_qos *q = (struct fsi_qos *)(void *)rec;

	if (!is_zero(&v))
		return fsi_scenario_refuse(s, "%s can only be set to 0 here", w->word);
	q->usage_by_tres_min = 0;
	q->usage_wall_min = 0;
	FSI_SET(q, QOS, usage_by_tres_min);
	FSI_SET(q, QOS, usage_wall_min);
	return 0;
}

/* An amount of the one TRES that the word is of. */
static int set_one(struct fsi_scenario *s, enum fsi_record_type type, struct fsi_rec *rec,
		   const struct fsi_edit_word *w, const struct fsi_operand *v, const char *tres)
{
	char text[96];

	if (!v->text || v->op != '=' || strlen(v->text) > 40 || strpbrk(v->text, ",="))
		return fsi_scenario_refuse(s, "%s: expected an amount, got \"%.60s\"", w->word, v->text ? v->text : "");
	snprintf(text, sizeof(text), "%s=%s", tres, v->text);
	return fsi_scenario_set(s, type, rec, w->word, w->field, (struct fsi_operand){ '=', text });
}

#define OF_ONE(name, type, tres)                                              \
	static FSI_SETTER(name)                                               \
	{                                                                     \
		return set_one(s, FSI_RECORD_##type, rec, w, &v, tres);       \
	}
OF_ONE(assoc_cpu, ASSOCIATION, "cpu")
OF_ONE(assoc_node, ASSOCIATION, "node")
OF_ONE(assoc_mem, ASSOCIATION, "mem")
OF_ONE(qos_cpu, QOS, "cpu")
OF_ONE(qos_node, QOS, "node")
OF_ONE(qos_mem, QOS, "mem")

#define A(word, field, set, least) { word, field, FSI_COORDINATOR, set, least }
#define U(word, set, least) { word, NULL, FSI_ADMINISTRATOR, set, least }
#define Q(word, field, set, least) { word, field, FSI_ADMINISTRATOR, set, least }

static const struct fsi_edit_word assoc_words[] = {
	A("Comment", NULL, fsi_scenario_ignore, 2),
	A("DefaultQOS", "default_qos", NULL, 8),
	A("Fairshare", "shares", NULL, 1),
	A("Shares", "shares", NULL, 1),
	A("GrpCPUMins", "grp_tres_min", assoc_cpu, 7),
	A("GrpCPURunMins", "grp_tres_run_min", assoc_cpu, 7),
	A("GrpCPUs", "grp_tres", assoc_cpu, 7),
	A("GrpJobs", "grp_jobs", NULL, 4),
	A("GrpJobsAccrue", "grp_jobs_accrue", NULL, 8),
	A("GrpMemory", "grp_tres", assoc_mem, 4),
	A("GrpNodes", "grp_tres", assoc_node, 4),
	A("GrpSubmitJobs", "grp_submit_jobs", NULL, 4),
	A("GrpTRES", "grp_tres", NULL, 7),
	A("GrpTRESMins", "grp_tres_min", NULL, 8),
	A("GrpTRESRunMins", "grp_tres_run_min", NULL, 8),
	A("GrpWall", "grp_wall_s", NULL, 4),
	A("MaxCPUMinsPerJob", "max_tres_min", assoc_cpu, 7),
	A("MaxCPURunMins", NULL, fsi_scenario_unheeded, 7),
	A("MaxCPUsPerJob", "max_tres", assoc_cpu, 7),
	A("MaxJobs", "max_jobs", NULL, 4),
	A("MaxJobsAccrue", "max_jobs_accrue", NULL, 8),
	A("MaxNodesPerJob", "max_tres", assoc_node, 4),
	A("MinPrioThresh", NULL, fsi_scenario_unheeded, 4),
	A("MaxSubmitJobs", "max_submit_jobs", NULL, 4),
	A("MaxTRES", "max_tres", NULL, 7),
	A("MaxTRESPJ", "max_tres", NULL, 9),
	A("MaxTRESPerJob", "max_tres", NULL, 11),
	A("MaxTRESPerNode", "max_tres_per_node", NULL, 11),
	A("MaxTRESPN", "max_tres_per_node", NULL, 9),
	A("MaxTRESMinsPerJob", "max_tres_min", NULL, 8),
	A("MaxTRESMinsPJ", "max_tres_min", NULL, 13),
	A("MaxTRESRunMins", NULL, fsi_scenario_unheeded, 8),
	A("MaxWallDurationPerJob", "max_wall_s", NULL, 4),
	A("Parent", NULL, move_account, 2),
	A("Priority", "priority", NULL, 2),
	A("QosLevel", "qos", NULL, 1),
};

static const struct fsi_edit_word account_words[] = {
	A("Description", NULL, fsi_scenario_ignore, 1),
	A("Flags", NULL, fsi_scenario_ignore, 2),
	A("Organization", NULL, fsi_scenario_ignore, 1),
	U("RawUsage", reset_usage, 7),
};

static const struct fsi_edit_word user_words[] = {
	U("AdminLevel", set_admin, 2),
	A("DefaultAccount", NULL, set_default_account, 8),
	A("DefaultWCKey", NULL, fsi_scenario_ignore, 8),
	U("NewName", fsi_scenario_ignore, 1),
	U("RawUsage", reset_usage, 7),
};

static const struct fsi_edit_word qos_words[] = {
	Q("Description", NULL, fsi_scenario_ignore, 1),
	Q("Flags", "flags", NULL, 2),
	Q("GraceTime", "grace_s", NULL, 3),
	Q("GrpCPUMins", "grp_tres_min", qos_cpu, 7),
	Q("GrpCPURunMins", "grp_tres_run_min", qos_cpu, 7),
	Q("GrpCPUs", "grp_tres", qos_cpu, 7),
	Q("GrpJobs", "grp_jobs", NULL, 4),
	Q("GrpJobsAccrue", "grp_jobs_accrue", NULL, 8),
	Q("GrpMemory", "grp_tres", qos_mem, 4),
	Q("GrpNodes", "grp_tres", qos_node, 4),
	Q("GrpSubmitJobs", "grp_submit_jobs", NULL, 4),
	Q("GrpTRES", "grp_tres", NULL, 7),
	Q("GrpTRESMins", "grp_tres_min", NULL, 8),
	Q("GrpTRESRunMins", "grp_tres_run_min", NULL, 8),
	Q("GrpWall", "grp_wall_s", NULL, 4),
	Q("LimitFactor", "limit_factor", NULL, 6),
	Q("MaxCPUMinsPerJob", "max_tres_min", qos_cpu, 7),
	Q("MaxCPUsPerJob", "max_tres", qos_cpu, 7),
	Q("MaxCPUsPerUser", "max_tres_per_user", qos_cpu, 11),
	Q("MaxCPUsPU", "max_tres_per_user", qos_cpu, 9),
	Q("MaxJobsAccruePerAccount", "max_jobs_accrue_per_account", NULL, 17),
	Q("MaxJobsAccruePA", "max_jobs_accrue_per_account", NULL, 15),
	Q("MaxJobsAccruePerUser", "max_jobs_accrue_per_user", NULL, 17),
	Q("MaxJobsAccruePU", "max_jobs_accrue_per_user", NULL, 15),
	Q("MaxJobsPerAccount", "max_jobs_per_account", NULL, 11),
	Q("MaxJobsPA", "max_jobs_per_account", NULL, 9),
	Q("MaxJobsPerUser", "max_jobs_per_user", NULL, 4),
	Q("MaxJobsPU", "max_jobs_per_user", NULL, 4),
	Q("MaxNodesPerJob", "max_tres", qos_node, 4),
	Q("MaxNodesPerUser", "max_tres_per_user", qos_node, 8),
	Q("MaxNodesPU", "max_tres_per_user", qos_node, 8),
	Q("MaxSubmitJobsPerAccount", "max_submit_jobs_per_account", NULL, 17),
	Q("MaxSubmitJobsPA", "max_submit_jobs_per_account", NULL, 15),
	Q("MaxSubmitJobsPerUser", "max_submit_jobs_per_user", NULL, 4),
	Q("MaxSubmitJobsPU", "max_submit_jobs_per_user", NULL, 4),
	Q("MaxTRESPerAccount", "max_tres_per_account", NULL, 11),
	Q("MaxTRESPA", "max_tres_per_account", NULL, 9),
	Q("MaxTRES", "max_tres", NULL, 7),
	Q("MaxTRESPJ", "max_tres", NULL, 9),
	Q("MaxTRESPerJob", "max_tres", NULL, 11),
	Q("MaxTRESPerNode", "max_tres_per_node", NULL, 11),
	Q("MaxTRESPN", "max_tres_per_node", NULL, 9),
	Q("MaxTRESPerUser", "max_tres_per_user", NULL, 11),
	Q("MaxTRESPU", "max_tres_per_user", NULL, 9),
	Q("MaxTRESMinsPerJob", "max_tres_min", NULL, 8),
	Q("MaxTRESMinsPJ", "max_tres_min", NULL, 13),
	Q("MaxTRESRunMinsPerAccount", "max_tres_run_min_per_account", NULL, 24),
	Q("MaxTRESRunMinsPerAcct", "max_tres_run_min_per_account", NULL, 20),
	Q("MaxTRESRunMinsPA", "max_tres_run_min_per_account", NULL, 16),
	Q("MaxTRESRunMinsPerUser", "max_tres_run_min_per_user", NULL, 20),
	Q("MaxTRESRunMinsPU", "max_tres_run_min_per_user", NULL, 8),
	Q("MaxWallDurationPerJob", "max_wall_s", NULL, 4),
	Q("MinCPUsPerJob", "min_tres", qos_cpu, 7),
	Q("MinPrioThresh", NULL, fsi_scenario_unheeded, 4),
	Q("MinTRESPerJob", "min_tres", NULL, 7),
	Q("PreemptMode", "preempt_mode", NULL, 8),
	Q("Preempt", "preempt", NULL, 7),
	Q("PreemptExemptTime", NULL, fsi_scenario_ignore, 8),
	Q("Priority", "priority", NULL, 3),
	Q("RawUsage", NULL, reset_qos, 7),
	Q("UsageFactor", "usage_factor", NULL, 6),
	Q("UsageThreshold", "usage_threshold", NULL, 6),
};

const struct fsi_edit_words fsi_assoc_words = { assoc_words, sizeof(assoc_words) / sizeof(*assoc_words) };
const struct fsi_edit_words fsi_account_words = { account_words, sizeof(account_words) / sizeof(*account_words) };
const struct fsi_edit_words fsi_user_words = { user_words, sizeof(user_words) / sizeof(*user_words) };
const struct fsi_edit_words fsi_qos_words = { qos_words, sizeof(qos_words) / sizeof(*qos_words) };
