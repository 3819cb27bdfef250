/* sacctmgr modify account, user and qos (src/sacctmgr/account_functions.c, user_functions.c, qos_functions.c;
 * permission: src/plugins/accounting_storage/mysql/as_mysql_assoc.c). */
#include "model/find.h"
#include "scenario/slurm/slurm.h"

#include <stdio.h>
#include <string.h>

/* Conditions on the records to change, from the words after "where" or before "set": comma-separated lists; NULL:
 * any. */
struct chosen {
	const char *names, *accounts, *partitions;
	const char *clusters;
};

static bool listed(const char *list, const char *name)
{
	for (; list && *list; list += strspn(list, ",")) {
		const size_t len = strcspn(list, ",");

		if (len && fsi_same_any_case(list, len, name))
			return true;
		list += len;
	}
	return false;
}

static int condition(struct fsi_scenario *s, const char *word, const char *entity, struct chosen *c)
{
	static const struct {
		const char *name;
		size_t member;
	} keys[] = {
		{ "Accounts", offsetof(struct chosen, accounts) },
		{ "Clusters", offsetof(struct chosen, clusters) },
		{ "Names", offsetof(struct chosen, names) },
		{ "Partitions", offsetof(struct chosen, partitions) },
		{ "Users", offsetof(struct chosen, names) },
	};
	const size_t n = sizeof(keys) / sizeof(*keys), len = strcspn(word, "=");
	const size_t i = fsi_scenario_find(keys, n, sizeof(*keys), word, len);
	size_t member;

	if (!word[len]) {
		c->names = word;
		return 0;
	}
	if (i == n)
		return fsi_scenario_refuse(s, "sacctmgr knows no condition \"%.*s\"; the nearest word is %s",
					   (int)(len < 60 ? len : 60), word,
					   fsi_scenario_nearest(keys, n, sizeof(*keys), word, len));
	member = !strcmp(entity, "account") && keys[i].member == offsetof(struct chosen, accounts)
			 ? offsetof(struct chosen, names)
			 : keys[i].member;
	word += len + 1;
	memcpy((char *)c + member, &word, sizeof(word));
	return 0;
}

struct changes {
	const struct fsi_edit_word *word[FSI_COMMAND_WORDS];
	struct fsi_operand v[FSI_COMMAND_WORDS];
	size_t n;
};

/* Fields that an account or user inherits from its parent account unless it has its own value. */
static const char *const inherited[] = { "default_qos",  "max_jobs", "max_jobs_accrue",   "max_submit_jobs", "max_tres",
					 "max_tres_min", "max_wall_s", "max_tres_per_node", "priority",	"qos" };

static bool inherits(const char *field)
{
	for (size_t i = 0; field && i < sizeof(inherited) / sizeof(*inherited); i++)
		if (!strcmp(field, inherited[i]))
			return true;
	return false;
}

/* Passes a changed field on to the descendants. A descendant with the same old value is assumed to inherit it if all
 * accounts between do, too. */
static int hand_down(struct fsi_scenario *s, uint32_t row, const struct fsi_association *was, const char *field)
{
	const fs_snapshot *m = s->m;
	const uint32_t end = m->tree[row].end;
	bool *has_it = fsi_arena_array(&s->arena, end - row, sizeof(*has_it));

	if (!has_it)
		return fsi_nomem(s->err);
	has_it[0] = true;
	for (uint32_t i = row + 1; i < end; i++) {
		struct fsi_association *a = &m->association.v[i];

		has_it[i - row] = has_it[m->tree[i].parent - row] &&
				  fsi_scenario_same_field(FSI_RECORD_ASSOCIATION, &a->rec, &was->rec, field);
		if (has_it[i - row])
			fsi_scenario_copy_field(FSI_RECORD_ASSOCIATION, &a->rec, &m->association.v[row].rec, field);
	}
	return 0;
}

static int apply(struct fsi_scenario *s, enum fsi_record_type type, struct fsi_rec *rec, uint32_t account,
		 const char *what, const struct changes *all)
{
	int rc = 0;

	for (size_t i = 0; i < all->n && !rc; i++) {
		fsi_scenario_note_who(s, account || all->word[i]->who != FSI_COORDINATOR
					      ? all->word[i]->who : FSI_OPERATOR,
				      0, account, what);
		rc = fsi_scenario_apply(s, type, rec, all->word[i], all->v[i]);
	}
	return rc;
}

static int change_accounts(struct fsi_scenario *s, const struct chosen *c, bool users, const struct changes *all)
{
	fs_snapshot *m = s->m;
	size_t found = 0;
	int rc = 0;

	for (size_t i = 0; i < m->association.n && !rc; i++) {
		struct fsi_association *a = &m->association.v[i];
		const char *account = fsi_str(m, a->account);

		if (users != (a->user != 0) || !listed(c->names, users ? fsi_str(m, a->user) : account) ||
		    (c->accounts && !listed(c->accounts, account)) ||
		    (c->partitions && !listed(c->partitions, fsi_str(m, a->partition))))
			continue;
		found++;
		const struct fsi_association was = *a;

		/* A coordinator may change only the users of the account, not the account. */
		rc = apply(s, FSI_RECORD_ASSOCIATION, &a->rec, users ? a->account : 0, "sacctmgr: ", all);
		for (size_t k = 0; k < all->n && !users && !rc; k++)
			if (inherits(all->word[k]->field))
				rc = hand_down(s, (uint32_t)i, &was, all->word[k]->field);
	}
	return rc || found ? rc
			   : fsi_scenario_refuse(s, "there is no such %s: %.60s", users ? "user" : "account",
						 c->names ? c->names : "");
}

static int change_qos(struct fsi_scenario *s, const struct chosen *c, bool users, const struct changes *all)
{
	size_t found = 0;
	int rc = 0;

	(void)users;
	for (size_t i = 0; i < s->m->qos.n && !rc; i++)
		if (listed(c->names, fsi_str(s->m, s->m->qos.v[i].name))) {
			found++;
			rc = apply(s, FSI_RECORD_QOS, &s->m->qos.v[i].rec, 0, "sacctmgr: ", all);
		}
	return rc || found ? rc : fsi_scenario_refuse(s, "there is no QOS %.60s", c->names ? c->names : "");
}

static const struct fsi_edit_words fsi_assoc_words, fsi_account_words, fsi_user_words, fsi_qos_words;

static const struct entity {
	const char *name;
	const struct fsi_edit_words *own, *words; /* own is searched first */
	bool users;
	int (*change)(struct fsi_scenario *s, const struct chosen *c, bool users, const struct changes *all);
} entities[] = {
	{ "account", &fsi_account_words, &fsi_assoc_words, false, change_accounts },
	{ "qos", &fsi_qos_words, &fsi_qos_words, false, change_qos },
	{ "user", &fsi_user_words, &fsi_assoc_words, true, change_accounts },
};
enum { ENTITIES = sizeof(entities) / sizeof(*entities) };

/* Reads "[where] CONDITION... set KEY=VALUE...", with the two parts in any order (src/sacctmgr/user_functions.c:
 * sacctmgr_modify_user). */
static int read_parts(struct fsi_scenario *s, size_t at, const struct entity *e, struct chosen *c, struct changes *all)
{
	bool sets = false;
	int rc = 0;

	for (all->n = 0; at < s->n && !rc; at++) {
		const char *word = s->word[at];
		const bool set = fsi_same_any_case(word, strlen(word), "set");

		if (set || fsi_same_any_case(word, strlen(word), "where")) {
			sets = set;
		} else if (sets) {
			const bool own = fsi_scenario_table_has(e->own->v, e->own->n, word, strcspn(word, "+-="));
			const struct fsi_edit_words *table = own ? e->own : e->words;

			rc = fsi_scenario_word(s, table->v, table->n, "sacctmgr", word, &all->word[all->n], &all->v[all->n]);
			all->n++;
		} else {
			rc = condition(s, word, e->name, c);
		}
	}
	return rc;
}

/* Runs "modify ENTITY ...". */
static int modify(struct fsi_scenario *s, size_t at)
{
	struct chosen c = { 0 };
	struct changes all;
	const char *name = at < s->n ? s->word[at++] : "";
	const size_t i = fsi_scenario_find(entities, ENTITIES, sizeof(*entities), name, strlen(name));
	int rc;

	if (i == ENTITIES)
		return fsi_scenario_refuse(s, "sacctmgr modify knows account, user and qos here, not \"%.60s\"", name);
	rc = read_parts(s, at, &entities[i], &c, &all);
	if (!rc && c.clusters && !listed(c.clusters, s->m->info.cluster))
		rc = fsi_scenario_refuse(s, "the snapshot is of cluster %s", s->m->info.cluster);
	if (!rc && !all.n)
		rc = fsi_scenario_refuse(s, "sacctmgr: nothing to set is named");
	if (rc)
		return rc;
	fsi_slurm_forget_all_recorded(s);
	return entities[i].change(s, &c, entities[i].users, &all);
}

int fsi_slurm_sacctmgr(struct fsi_scenario *s, size_t at)
{
	while (at < s->n && s->word[at][0] == '-')
		at++;
	if (at < s->n && fsi_same_any_case(s->word[at], strlen(s->word[at]), "modify"))
		return modify(s, at + 1);
	return fsi_scenario_refuse(s, "of sacctmgr only modify is known here, not \"%.60s\"",
				   at < s->n ? s->word[at] : "");
}

/* ---- keywords of sacctmgr modify, in its order and with its minimum abbreviations
 * (src/sacctmgr/association_functions.c: sacctmgr_set_assoc_rec; qos_functions.c: _set_rec; RawUsage:
 * account_functions.c, user_functions.c). Keywords for a single TRES, such as GrpCPUs, are older than those for all
 * TRES. */

static struct fsi_association *assoc_of(struct fsi_rec *rec)
{
	return (struct fsi_association *)(void *)rec;
}

static bool is_zero(const struct fsi_operand *v)
{
	return v->text && !strcmp(v->text, "0") && v->op == '=';
}

/* Resets the usage of an association. An account's usage holds only what its descendants do not have, so each
 * descendant is reset separately. */
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

static int reset_usage(FSI_SETTER_ARGS)
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

static int move_account(FSI_SETTER_ARGS)
{
	(void)rec;
	(void)v;
	return fsi_scenario_refuse(s, "%s: accounts are not moved here", w->word);
}

/* ---- fields of the association's user */

static struct fsi_user *user_of(struct fsi_scenario *s, struct fsi_rec *rec, const struct fsi_edit_word *w)
{
	for (size_t i = 0; i < s->m->user.n; i++)
		if (s->m->user.v[i].name == assoc_of(rec)->user)
			return &s->m->user.v[i];
	fsi_scenario_refuse(s, "%s: the snapshot tells nothing of user %.60s", w->word, fsi_str(s->m, assoc_of(rec)->user));
	return NULL;
}

/* Only the first letter counts (src/common/slurmdb_defs.c: str_2_slurmdb_admin_level). */
static int set_admin(FSI_SETTER_ARGS)
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

static int set_default_account(FSI_SETTER_ARGS)
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

/* Resets the usage of a QOS, which counts only for limits (src/slurmctld/acct_policy.c: usage_tres_raw). */
static int reset_qos(FSI_SETTER_ARGS)
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

/* Sets the amount of a single TRES in the field of the keyword. */
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
	static int name(FSI_SETTER_ARGS)                                               \
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

static const struct fsi_edit_words fsi_assoc_words = { assoc_words, sizeof(assoc_words) / sizeof(*assoc_words) };
static const struct fsi_edit_words fsi_account_words = { account_words,
							 sizeof(account_words) / sizeof(*account_words) };
static const struct fsi_edit_words fsi_user_words = { user_words, sizeof(user_words) / sizeof(*user_words) };
static const struct fsi_edit_words fsi_qos_words = { qos_words, sizeof(qos_words) / sizeof(*qos_words) };
