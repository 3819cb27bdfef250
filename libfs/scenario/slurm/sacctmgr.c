/* sacctmgr modify account, user and qos (src/sacctmgr/account_functions.c, user_functions.c, qos_functions.c; who may:
 * src/plugins/accounting_storage/mysql/as_mysql_assoc.c). */
#include "scenario/slurm/slurm.h"

#include <string.h>

/* The records that "where", or the words before "set", choose; each a list by commas, NULL for any. */
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

/* Fields that a user or account takes from the account above where it has none of its own. */
static const char *const inherited[] = { "default_qos",  "max_jobs", "max_jobs_accrue",   "max_submit_jobs", "max_tres",
					 "max_tres_min", "max_wall_s", "max_tres_per_node", "priority",	"qos" };

static bool inherits(const char *field)
{
	for (size_t i = 0; field && i < sizeof(inherited) / sizeof(*inherited); i++)
		if (!strcmp(field, inherited[i]))
			return true;
	return false;
}

/* Records below with the same value as the account are taken to have it from there, and get the new one. */
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

		/* A coordinator may change the users in the account only. */
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

static const struct entity {
	const char *name;
	const struct fsi_edit_words *own, *words; /* own: looked for first */
	bool users;
	int (*change)(struct fsi_scenario *s, const struct chosen *c, bool users, const struct changes *all);
} entities[] = {
	{ "account", &fsi_account_words, &fsi_assoc_words, false, change_accounts },
	{ "qos", &fsi_qos_words, &fsi_qos_words, false, change_qos },
	{ "user", &fsi_user_words, &fsi_assoc_words, true, change_accounts },
};
enum { ENTITIES = sizeof(entities) / sizeof(*entities) };

/* "[where] CONDITION... set KEY=VALUE...", the two parts in any order (src/sacctmgr/user_functions.c:
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

/* "modify ENTITY ..." */
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
