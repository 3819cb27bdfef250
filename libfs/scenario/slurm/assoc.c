/* sacctmgr modify account, user and qos (src/sacctmgr/account_functions.c, user_functions.c, qos_functions.c;
 * permission: src/plugins/accounting_storage/mysql/as_mysql_assoc.c). */
#include "model/find.h"
#include "scenario/slurm/slurm.h"

#include "fs/job.h"

#include <stdio.h>
#include <string.h>

/* Conditions that select the records to change, from the words after "where" or before "set". Each condition is a
 * comma-separated list of names. NULL: the records may have any name. */
struct record_conditions {
	const char *names, *accounts, *partitions;
	const char *clusters;
};

static bool is_in_text_list(const char *list, const char *name)
{
	for (; list && *list; list += strspn(list, ",")) {
		const size_t len = strcspn(list, ",");

		if (len && fsi_is_same_ignoring_case(list, len, name))
			return true;
		list += len;
	}
	return false;
}

static int parse_condition_word(struct fsi_scenario *s, const char *word, const char *entity,
				struct record_conditions *c)
{
	static const struct {
		const char *name;
		size_t member;
	} keys[] = {
		{ "Accounts", offsetof(struct record_conditions, accounts) },
		{ "Clusters", offsetof(struct record_conditions, clusters) },
		{ "Names", offsetof(struct record_conditions, names) },
		{ "Partitions", offsetof(struct record_conditions, partitions) },
		{ "Users", offsetof(struct record_conditions, names) },
	};
	const size_t n = sizeof(keys) / sizeof(*keys), len = strcspn(word, "=");
	const size_t i = fsi_scenario_find_name(keys, n, sizeof(*keys), word, len);
	size_t member;

	if (!word[len]) {
		c->names = word;
		return 0;
	}
	if (i == n)
		return fsi_scenario_refuse(s, "sacctmgr: unknown condition \"%.*s\"; the nearest is %s",
					   (int)(len < 60 ? len : 60), word,
					   fsi_scenario_nearest_name(keys, n, sizeof(*keys), word, len));
	member = !strcmp(entity, "account") && keys[i].member == offsetof(struct record_conditions, accounts)
			 ? offsetof(struct record_conditions, names)
			 : keys[i].member;
	word += len + 1;
	memcpy((char *)c + member, &word, sizeof(word));
	return 0;
}

struct sacctmgr_changes {
	const struct fsi_edit_keyword *word[FSI_COMMAND_WORDS];
	struct fsi_operand v[FSI_COMMAND_WORDS];
	size_t n;
};

/* Fields that an account or user inherits from its parent account if it has no value of its own. */
static const char *const inherited_fields[] = { "default_qos", "max_jobs",     "max_jobs_accrue", "max_submit_jobs",
						"max_tres",    "max_tres_min", "max_wall_s",      "max_tres_per_node",
						"priority",    "qos" };

static bool is_inherited_field(const char *field)
{
	for (size_t i = 0; field && i < sizeof(inherited_fields) / sizeof(*inherited_fields); i++)
		if (!strcmp(field, inherited_fields[i]))
			return true;
	return false;
}

/* Copies a changed field from the account to its descendants that inherit the field. The snapshot does not show which
 * descendants inherit it. A descendant is assumed to inherit the field if it has the old value. All accounts between
 * the descendant and the changed account must have the old value too. */
static int copy_inherited_field(struct fsi_scenario *s, uint32_t row, const struct fsi_association *was,
				 const char *field)
{
	const fs_snapshot *m = s->m;
	const uint32_t end = m->tree[row].end;
	bool *has_it = fsi_arena_array(&s->arena, end - row, sizeof(*has_it));

	if (!has_it)
		return fsi_fail_no_memory(s->err);
	has_it[0] = true;
	for (uint32_t i = row + 1; i < end; i++) {
		struct fsi_association *a = &m->association.v[i];

		has_it[i - row] = has_it[m->tree[i].parent - row] &&
				  fsi_scenario_is_same_field(FSI_RECORD_ASSOCIATION, &a->rec, &was->rec, field);
		if (has_it[i - row])
			fsi_scenario_copy_field(FSI_RECORD_ASSOCIATION, &a->rec, &m->association.v[row].rec, field);
	}
	return 0;
}

/* Returns true if only an operator may make the change of a user's association, because the change raises a limit. */
static bool needs_operator(const fs_snapshot *m, const struct fsi_rec *was, const struct fsi_rec *now,
			   const char *field)
{
	return field && fs_slurm_has(m->info.version, FS_SLURM_COORDINATORS_LOWER) &&
	       fsi_scenario_is_limit_raised(m, FSI_RECORD_ASSOCIATION, was, now, field);
}

/* Applies the changes to a record, and notes who may make each of them. A coordinator may change only the users of an
 * account. `account`: account of the changed user; 0: an account or a QOS is changed. */
static int apply_sacctmgr_changes(struct fsi_scenario *s, enum fsi_record_type type, struct fsi_rec *rec,
				  uint32_t account, const char *what, const struct sacctmgr_changes *all)
{
	int rc = 0;

	for (size_t i = 0; i < all->n && !rc; i++) {
		enum fsi_privilege who = all->word[i]->who;
		struct fsi_association was = { 0 };

		if (type == FSI_RECORD_ASSOCIATION)
			memcpy(&was, rec, sizeof(was));
		rc = fsi_scenario_apply_keyword(s, type, rec, all->word[i], all->v[i]);
		if (who == FSI_COORDINATOR && (!account || needs_operator(s->m, &was.rec, rec, all->word[i]->field)))
			who = FSI_OPERATOR;
		fsi_scenario_note_privilege(s, who, 0, account, what);
	}
	return rc;
}

/* Refuses the command because no record meets the conditions. `what`: kind of the records that the command changes. */
static int refuse_unmatched(struct fsi_scenario *s, const struct record_conditions *c, const char *what)
{
	if (!c->names)
		return fsi_scenario_refuse(s, "sacctmgr: expected the name of the %s to change, as in where name=NAME", what);
	if (c->accounts || c->partitions)
		return fsi_scenario_refuse(s, "no association of %s \"%.60s\" meets the other conditions", what, c->names);
	return fsi_scenario_refuse(s, "there is no %s \"%.60s\"", what, c->names);
}

/* Returns true if the viewer may see a user's association, or the name of an account. */
static bool may_see_association(const struct fsi_scenario *s, const struct fsi_association *a)
{
	return a->user ? fsi_viewer_may_see_usage(&s->viewer, a)
		       : fsi_scenario_find_account(s, fsi_name_text(s->m, a->account)) != 0;
}

static int change_associations(struct fsi_scenario *s, const struct record_conditions *c, bool users,
			       const struct sacctmgr_changes *all)
{
	fs_snapshot *m = s->m;
	size_t matches = 0;
	int rc = 0;

	for (size_t i = 0; i < m->association.n && !rc; i++) {
		struct fsi_association *a = &m->association.v[i];
		const char *account = fsi_name_text(m, a->account);

		if (users != (a->user != 0) ||
		    !is_in_text_list(c->names, users ? fsi_name_text(m, a->user) : account) ||
		    (c->accounts && !is_in_text_list(c->accounts, account)) ||
		    (c->partitions && !is_in_text_list(c->partitions, fsi_name_text(m, a->partition))) ||
		    !may_see_association(s, a))
			continue;
		matches++;
		const struct fsi_association was = *a;

		/* A coordinator may change only the users of an account, not the account itself. */
		rc = apply_sacctmgr_changes(s, FSI_RECORD_ASSOCIATION, &a->rec, users ? a->account : 0,
					    "sacctmgr: ", all);
		for (size_t k = 0; k < all->n && !users && !rc; k++)
			if (is_inherited_field(all->word[k]->field))
				rc = copy_inherited_field(s, (uint32_t)i, &was, all->word[k]->field);
	}
	return rc || matches ? rc : refuse_unmatched(s, c, users ? "user" : "account");
}

static int change_qos_records(struct fsi_scenario *s, const struct record_conditions *c, bool users,
			      const struct sacctmgr_changes *all)
{
	size_t matches = 0;
	int rc = 0;

	(void)users;
	for (size_t i = 0; i < s->m->qos.n && !rc; i++)
		if (is_in_text_list(c->names, fsi_name_text(s->m, s->m->qos.v[i].name))) {
			matches++;
			rc = apply_sacctmgr_changes(s, FSI_RECORD_QOS, &s->m->qos.v[i].rec, 0, "sacctmgr: ", all);
		}
	return rc || matches ? rc : refuse_unmatched(s, c, "QOS");
}

static const struct fsi_keyword_table assoc_keyword_table, account_keyword_table, user_keyword_table, qos_keyword_table;

static const struct sacctmgr_entity {
	const char *name;
	/* `own`: keywords that only this type of entity has, searched first; `words`: keywords that several types of
	 * entities have */
	const struct fsi_keyword_table *own, *words;
	bool users;
	enum fs_section limit_section; /* section of the jobs that a limit of the entity blocks */
	int (*change)(struct fsi_scenario *s, const struct record_conditions *c, bool users,
		      const struct sacctmgr_changes *all);
} entities[] = {
	{ "account", &account_keyword_table, &assoc_keyword_table, false, FS_SECTION_ASSOC_LIMIT, change_associations },
	{ "qos", &qos_keyword_table, &qos_keyword_table, false, FS_SECTION_QOS_LIMIT, change_qos_records },
	{ "user", &user_keyword_table, &assoc_keyword_table, true, FS_SECTION_ASSOC_LIMIT, change_associations },
};
enum { ENTITY_COUNT = sizeof(entities) / sizeof(*entities) };

/* Parses the words "[where] CONDITION... set KEY=VALUE...". The part with the conditions and the part with the changes
 * may be in any order (src/sacctmgr/user_functions.c: sacctmgr_modify_user). */
static int parse_modify_words(struct fsi_scenario *s, size_t at, const struct sacctmgr_entity *e,
			      struct record_conditions *c, struct sacctmgr_changes *all)
{
	bool sets = false;
	int rc = 0;

	for (all->n = 0; at < s->n && !rc; at++) {
		const char *word = s->words[at];
		const bool set = fsi_is_same_ignoring_case(word, strlen(word), "set");

		if (set || fsi_is_same_ignoring_case(word, strlen(word), "where")) {
			sets = set;
		} else if (sets) {
			const bool own = fsi_scenario_is_keyword(e->own->v, e->own->n, word, strcspn(word, "+-="));
			const struct fsi_keyword_table *table = own ? e->own : e->words;

			rc = fsi_scenario_parse_keyword(s, table->v, table->n, "sacctmgr", word, &all->word[all->n],
							&all->v[all->n]);
			all->n++;
		} else {
			rc = parse_condition_word(s, word, e->name, c);
		}
	}
	return rc;
}

/* Clears the recorded reasons that name the changed limit, because the scheduler evaluates the limit again. If a limit
 * blocks a job after the change, the limit is found without the recorded reason. `section`: section of the jobs that
 * the changed limit blocks; `field`: changed field of the association or QOS, NULL: the change sets no field. */
static void clear_limit_reasons(struct fsi_scenario *s, enum fs_section section, const char *field)
{
	for (size_t i = 0; i < s->m->job.n; i++) {
		struct fsi_job *j = &s->m->job.v[i];
		const struct fs_reason *reason =
			FSI_HAS(j, JOB, reason) ? fs_reason_find(fsi_name_text(s->m, j->reason)) : NULL;

		if (j->state == FSI_STATE_PENDING && reason && reason->section == section && field &&
		    fsi_slurm_is_limit_field(reason->limit, field))
			FSI_CLEAR_FIELD(j, JOB, reason);
	}
}

/* Runs "sacctmgr modify ENTITY ...". */
static int run_sacctmgr_modify(struct fsi_scenario *s, size_t at)
{
	struct record_conditions c = { 0 };
	struct sacctmgr_changes all;
	const char *name = at < s->n ? s->words[at++] : "";
	const size_t i = fsi_scenario_find_name(entities, ENTITY_COUNT, sizeof(*entities), name, strlen(name));
	int rc;

	if (i == ENTITY_COUNT)
		return fsi_scenario_refuse(s, "sacctmgr modify: expected account, user or qos, got \"%.60s\"", name);
	rc = parse_modify_words(s, at, &entities[i], &c, &all);
	if (!rc && c.clusters && !is_in_text_list(c.clusters, s->m->info.cluster))
		rc = fsi_scenario_refuse(s,
					 "sacctmgr: the snapshot's cluster is %s, but the command names another "
					 "cluster",
					 s->m->info.cluster);
	if (!rc && !all.n)
		rc = fsi_scenario_refuse(s, "sacctmgr: expected a setting to change, as in set Fairshare=10");
	if (rc)
		return rc;
	for (size_t k = 0; k < all.n; k++)
		if (fsi_slurm_changes_priorities(all.word[k]->keyword))
			fsi_slurm_drop_all_recorded(s);
		else
			clear_limit_reasons(s, entities[i].limit_section, all.word[k]->field);
	return entities[i].change(s, &c, entities[i].users, &all);
}

int fsi_slurm_run_sacctmgr(struct fsi_scenario *s, size_t at)
{
	while (at < s->n && s->words[at][0] == '-')
		at++;
	if (at < s->n && fsi_is_same_ignoring_case(s->words[at], strlen(s->words[at]), "modify"))
		return run_sacctmgr_modify(s, at + 1);
	return fsi_scenario_refuse(s, "sacctmgr: only modify is supported, not \"%.60s\"",
				   at < s->n ? s->words[at] : "");
}

/* ---- keywords of sacctmgr modify, in the order in which sacctmgr compares them and with its minimum abbreviations
 * (src/sacctmgr/association_functions.c: sacctmgr_set_assoc_rec; qos_functions.c: _set_rec; RawUsage:
 * account_functions.c, user_functions.c). Keywords for a single TRES, such as GrpCPUs, are older than the keywords for
 * all TRES. */

static struct fsi_association *rec_to_association(struct fsi_rec *rec)
{
	return (struct fsi_association *)(void *)rec;
}

static bool is_zero_operand(const struct fsi_operand *v)
{
	return v->text && !strcmp(v->text, "0") && v->op == '=';
}

/* Resets the usage of a single association, but not of its descendants. In the snapshot, the usage of an account does
 * not include the usage of its descendants. */
static void reset_association_usage(struct fsi_association *a)
{
	a->usage_tres_s = 0;
	a->usage_wall_s = 0;
	FSI_SET(a, ASSOCIATION, usage_tres_s);
	FSI_SET(a, ASSOCIATION, usage_wall_s);
	FSI_CLEAR_FIELD(a, ASSOCIATION, usage_by_tres_s);
	FSI_CLEAR_FIELD(a, ASSOCIATION, usage_by_tres_min);
	FSI_CLEAR_FIELD(a, ASSOCIATION, usage_wall_min);
	FSI_UNSET(a, ASSOCIATION, fairshare);
}

static int reset_subtree_usage(FSI_SETTER_ARGS)
{
	fs_snapshot *m = s->m;
	const uint32_t row = (uint32_t)(rec_to_association(rec) - m->association.v);

	if (!is_zero_operand(&v))
		return fsi_scenario_refuse(s, "%s can only be set to 0", w->keyword);
	for (uint32_t i = row; i < m->tree[row].end; i++)
		reset_association_usage(&m->association.v[i]);
	for (uint32_t i = m->tree[row].parent; i != FSI_NO_INDEX; i = m->tree[i].parent) {
		FSI_CLEAR_FIELD(&m->association.v[i], ASSOCIATION, usage_by_tres_min);
		FSI_CLEAR_FIELD(&m->association.v[i], ASSOCIATION, usage_wall_min);
	}
	return 0;
}

static int refuse_account_move(FSI_SETTER_ARGS)
{
	(void)rec;
	(void)v;
	return fsi_scenario_refuse(s, "%s: moving an account is not supported", w->keyword);
}

/* ---- settings of the user to whom an association belongs */

static struct fsi_user *find_association_user(struct fsi_scenario *s, struct fsi_rec *rec,
					      const struct fsi_edit_keyword *w)
{
	for (size_t i = 0; i < s->m->user.n; i++)
		if (s->m->user.v[i].name == rec_to_association(rec)->user)
			return &s->m->user.v[i];
	fsi_scenario_refuse(s, "%s: the snapshot has no record of user %.60s", w->keyword,
			    fsi_name_text(s->m, rec_to_association(rec)->user));
	return NULL;
}

/* Sets the user's admin level. Only the first letter of the value is compared (src/common/slurmdb_defs.c:
 * str_2_slurmdb_admin_level). */
static int set_admin_level(FSI_SETTER_ARGS)
{
	static const char letters[] = "noas", *const levels[] = { "none", "operator", "administrator", "administrator" };
	const char *at = v.text && *v.text ? strchr(letters, fsi_char_to_lower(*v.text)) : NULL;
	struct fsi_user *u = find_association_user(s, rec, w);

	if (!u)
		return FS_EUSAGE;
	if (!at)
		return fsi_scenario_refuse(s, "%s: expected None, Operator or Admin, got \"%.60s\"", w->keyword, v.text ? v.text : "");
	return fsi_scenario_set_field(s, FSI_RECORD_USER, &u->rec, w->keyword, "admin",
				      (struct fsi_operand){ '=', levels[at - letters] });
}

static int set_default_account(FSI_SETTER_ARGS)
{
	const uint32_t account = v.text ? fsi_name_find(s->m, v.text) : 0;
	struct fsi_user *u = find_association_user(s, rec, w);

	if (!u)
		return FS_EUSAGE;
	if (!account || fsi_assoc_find_by_names(s->m, account, u->name, 0) == FSI_NO_INDEX)
		return fsi_scenario_refuse(s, "%s: user %s has no association with account %.60s", w->keyword,
					   fsi_name_text(s->m, u->name), v.text ? v.text : "");
	return fsi_scenario_set_field(s, FSI_RECORD_USER, &u->rec, w->keyword, "default_account", v);
}

/* Resets the usage of a QOS. Slurm uses the usage of a QOS only for limits (src/slurmctld/acct_policy.c:
 * usage_tres_raw). */
static int reset_qos_usage(FSI_SETTER_ARGS)
{
	struct fsi_qos *q = (struct fsi_qos *)(void *)rec;

	if (!is_zero_operand(&v))
		return fsi_scenario_refuse(s, "%s can only be set to 0", w->keyword);
	q->usage_by_tres_min = 0;
	q->usage_wall_min = 0;
	FSI_SET(q, QOS, usage_by_tres_min);
	FSI_SET(q, QOS, usage_wall_min);
	return 0;
}

/* Sets the amount of a single TRES in the TRES set that the keyword changes. */
static int set_single_tres(struct fsi_scenario *s, enum fsi_record_type type, struct fsi_rec *rec,
			   const struct fsi_edit_keyword *w, const struct fsi_operand *v, const char *tres)
{
	char text[96];

	if (!v->text || v->op != '=' || strlen(v->text) > 40 || strpbrk(v->text, ",="))
		return fsi_scenario_refuse(s, "%s: expected one amount, such as 16, got \"%.60s\"", w->keyword, v->text ? v->text : "");
	snprintf(text, sizeof(text), "%s=%s", tres, v->text);
	return fsi_scenario_set_field(s, type, rec, w->keyword, w->field, (struct fsi_operand){ '=', text });
}

#define DEFINE_TRES_SETTER(name, type, tres)                                              \
	static int name(FSI_SETTER_ARGS)                                               \
	{                                                                     \
		return set_single_tres(s, FSI_RECORD_##type, rec, w, &v, tres);       \
	}
DEFINE_TRES_SETTER(set_assoc_cpu, ASSOCIATION, "cpu")
DEFINE_TRES_SETTER(set_assoc_node, ASSOCIATION, "node")
DEFINE_TRES_SETTER(set_assoc_mem, ASSOCIATION, "mem")
DEFINE_TRES_SETTER(set_qos_cpu, QOS, "cpu")
DEFINE_TRES_SETTER(set_qos_node, QOS, "node")
DEFINE_TRES_SETTER(set_qos_mem, QOS, "mem")

#define A(word, field, set, least) { word, field, FSI_COORDINATOR, set, least }
#define U(word, set, least) { word, NULL, FSI_ADMINISTRATOR, set, least }
#define Q(word, field, set, least) { word, field, FSI_ADMINISTRATOR, set, least }

static const struct fsi_edit_keyword assoc_keywords[] = {
	A("Comment", NULL, fsi_scenario_note_no_effect, 2),
	A("DefaultQOS", "default_qos", NULL, 8),
	A("Fairshare", "shares", NULL, 1),
	A("Shares", "shares", NULL, 1),
	A("GrpCPUMins", "grp_tres_min", set_assoc_cpu, 7),
	A("GrpCPURunMins", "grp_tres_run_min", set_assoc_cpu, 7),
	A("GrpCPUs", "grp_tres", set_assoc_cpu, 7),
	A("GrpJobs", "grp_jobs", NULL, 4),
	A("GrpJobsAccrue", "grp_jobs_accrue", NULL, 8),
	A("GrpMemory", "grp_tres", set_assoc_mem, 4),
	A("GrpNodes", "grp_tres", set_assoc_node, 4),
	A("GrpSubmitJobs", "grp_submit_jobs", NULL, 4),
	A("GrpTRES", "grp_tres", NULL, 7),
	A("GrpTRESMins", "grp_tres_min", NULL, 8),
	A("GrpTRESRunMins", "grp_tres_run_min", NULL, 8),
	A("GrpWall", "grp_wall_s", NULL, 4),
	A("MaxCPUMinsPerJob", "max_tres_min", set_assoc_cpu, 7),
	A("MaxCPURunMins", NULL, fsi_scenario_note_not_modelled, 7),
	A("MaxCPUsPerJob", "max_tres", set_assoc_cpu, 7),
	A("MaxJobs", "max_jobs", NULL, 4),
	A("MaxJobsAccrue", "max_jobs_accrue", NULL, 8),
	A("MaxNodesPerJob", "max_tres", set_assoc_node, 4),
	A("MinPrioThresh", NULL, fsi_scenario_note_not_modelled, 4),
	A("MaxSubmitJobs", "max_submit_jobs", NULL, 4),
	A("MaxTRES", "max_tres", NULL, 7),
	A("MaxTRESPJ", "max_tres", NULL, 9),
	A("MaxTRESPerJob", "max_tres", NULL, 11),
	A("MaxTRESPerNode", "max_tres_per_node", NULL, 11),
	A("MaxTRESPN", "max_tres_per_node", NULL, 9),
	A("MaxTRESMinsPerJob", "max_tres_min", NULL, 8),
	A("MaxTRESMinsPJ", "max_tres_min", NULL, 13),
	A("MaxTRESRunMins", NULL, fsi_scenario_note_not_modelled, 8),
	A("MaxWallDurationPerJob", "max_wall_s", NULL, 4),
	A("Parent", NULL, refuse_account_move, 2),
	A("Priority", "priority", NULL, 2),
	A("QosLevel", "qos", NULL, 1),
};

static const struct fsi_edit_keyword account_keywords[] = {
	A("Description", NULL, fsi_scenario_note_no_effect, 1),
	A("Flags", NULL, fsi_scenario_note_no_effect, 2),
	A("Organization", NULL, fsi_scenario_note_no_effect, 1),
	U("RawUsage", reset_subtree_usage, 7),
};

static const struct fsi_edit_keyword user_keywords[] = {
	U("AdminLevel", set_admin_level, 2),
	A("DefaultAccount", NULL, set_default_account, 8),
	A("DefaultWCKey", NULL, fsi_scenario_note_no_effect, 8),
	U("NewName", fsi_scenario_note_no_effect, 1),
	U("RawUsage", reset_subtree_usage, 7),
};

static const struct fsi_edit_keyword qos_keywords[] = {
	Q("Description", NULL, fsi_scenario_note_no_effect, 1),
	Q("Flags", "flags", NULL, 2),
	Q("GraceTime", "grace_s", NULL, 3),
	Q("GrpCPUMins", "grp_tres_min", set_qos_cpu, 7),
	Q("GrpCPURunMins", "grp_tres_run_min", set_qos_cpu, 7),
	Q("GrpCPUs", "grp_tres", set_qos_cpu, 7),
	Q("GrpJobs", "grp_jobs", NULL, 4),
	Q("GrpJobsAccrue", "grp_jobs_accrue", NULL, 8),
	Q("GrpMemory", "grp_tres", set_qos_mem, 4),
	Q("GrpNodes", "grp_tres", set_qos_node, 4),
	Q("GrpSubmitJobs", "grp_submit_jobs", NULL, 4),
	Q("GrpTRES", "grp_tres", NULL, 7),
	Q("GrpTRESMins", "grp_tres_min", NULL, 8),
	Q("GrpTRESRunMins", "grp_tres_run_min", NULL, 8),
	Q("GrpWall", "grp_wall_s", NULL, 4),
	Q("LimitFactor", "limit_factor", NULL, 6),
	Q("MaxCPUMinsPerJob", "max_tres_min", set_qos_cpu, 7),
	Q("MaxCPUsPerJob", "max_tres", set_qos_cpu, 7),
	Q("MaxCPUsPerUser", "max_tres_per_user", set_qos_cpu, 11),
	Q("MaxCPUsPU", "max_tres_per_user", set_qos_cpu, 9),
	Q("MaxJobsAccruePerAccount", "max_jobs_accrue_per_account", NULL, 17),
	Q("MaxJobsAccruePA", "max_jobs_accrue_per_account", NULL, 15),
	Q("MaxJobsAccruePerUser", "max_jobs_accrue_per_user", NULL, 17),
	Q("MaxJobsAccruePU", "max_jobs_accrue_per_user", NULL, 15),
	Q("MaxJobsPerAccount", "max_jobs_per_account", NULL, 11),
	Q("MaxJobsPA", "max_jobs_per_account", NULL, 9),
	Q("MaxJobsPerUser", "max_jobs_per_user", NULL, 4),
	Q("MaxJobsPU", "max_jobs_per_user", NULL, 4),
	Q("MaxNodesPerJob", "max_tres", set_qos_node, 4),
	Q("MaxNodesPerUser", "max_tres_per_user", set_qos_node, 8),
	Q("MaxNodesPU", "max_tres_per_user", set_qos_node, 8),
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
	Q("MinCPUsPerJob", "min_tres", set_qos_cpu, 7),
	Q("MinPrioThresh", NULL, fsi_scenario_note_not_modelled, 4),
	Q("MinTRESPerJob", "min_tres", NULL, 7),
	Q("PreemptMode", "preempt_mode", NULL, 8),
	Q("Preempt", "preempt", NULL, 7),
	Q("PreemptExemptTime", NULL, fsi_scenario_note_no_effect, 8),
	Q("Priority", "priority", NULL, 3),
	Q("RawUsage", NULL, reset_qos_usage, 7),
	Q("UsageFactor", "usage_factor", NULL, 6),
	Q("UsageThreshold", "usage_threshold", NULL, 6),
};

static const struct fsi_keyword_table assoc_keyword_table = { assoc_keywords,
							      sizeof(assoc_keywords) / sizeof(*assoc_keywords) };
static const struct fsi_keyword_table account_keyword_table = { account_keywords,
								sizeof(account_keywords) / sizeof(*account_keywords) };
static const struct fsi_keyword_table user_keyword_table = { user_keywords,
							     sizeof(user_keywords) / sizeof(*user_keywords) };
static const struct fsi_keyword_table qos_keyword_table = { qos_keywords,
							    sizeof(qos_keywords) / sizeof(*qos_keywords) };
