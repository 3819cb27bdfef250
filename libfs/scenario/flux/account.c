/* flux account edit-bank, edit-user, edit-queue and edit-factor (flux-accounting, src/cmd/flux-account.py). */
#include "base/num.h"
#include "model/flux/flux.h"
#include "scenario/flux/flux.h"

#include <math.h>
#include <string.h>

void fsi_flux_only_owner(struct fsi_scenario *s)
{
	if (!fsi_scenario_may(s, FSI_OPERATOR, 0, 0))
		fsi_scenario_note(s, "only the instance owner may");
}

/* update-fshare and priority-update are taken to have run behind the command. The factor of one that is not counted
 * stays as it is (src/fairness/writer/data_writer_db.cpp writes those that were read). */
static void forget_all_recorded(struct fsi_scenario *s)
{
	fsi_scenario_forget(s, 0);
	s->m->updated = true;
	for (size_t i = 0; i < s->m->association.n; i++)
		if (!s->m->tree[i].uncounted)
			FSI_FORGET(&s->m->association.v[i], ASSOCIATION, fairshare);
	for (size_t i = 0; i < s->m->job.n; i++) {
		FSI_CLEAR_RARE(s->m, &s->m->job.v[i], fairshare_ppm);
		if (s->m->job.v[i].state == FSI_STATE_PENDING)
			FSI_FORGET(&s->m->job.v[i], JOB, priority);
	}
	fsi_flux_only_owner(s);
	fsi_scenario_note(s, "it tells once flux account update-fshare and priority-update have run");
}

static bool is_number(const char *text, double *d)
{
	return text && !fsi_parse_double(text, strlen(text), d) && isfinite(*d);
}

static FSI_SETTER(set_weight)
{
	struct fsi_config_entry *e;
	double d;

	if (!is_number(v.text, &d))
		return fsi_scenario_refuse(s, "edit-factor --weight: expected a number");
	(void)rec;
	e = fsi_config_entry(s->m, w->field);
	if (!e)
		return fsi_nomem(s->err);
	*e = (struct fsi_config_entry){ .name = e->name, .kind = FSI_CONFIG_DOUBLE, .d = d };
	return 0;
}

/* Flux takes the priority of a queue, and of a bank, when a job is submitted, and keeps it for all jobs of the user
 * there (src/plugins/mf_priority.cpp: new_cb; rec_q_cb and rec_bank_cb do not touch it): those who wait have what they
 * had. */
static void note_from_next(struct fsi_scenario *s, const char *what)
{
	fsi_scenario_note(s, "the %s's priority counts for a user's jobs from the next one on that he submits there",
			  what);
}

static FSI_SETTER(set_queue_priority)
{
	fs_snapshot *m = s->m;
	const uint32_t *last = fsi_flux_last_jobs_of(m, &s->arena);

	if (!last)
		return fsi_nomem(s->err);
	for (uint32_t i = 0; i < m->association.n; i++) {
		struct fsi_association *a = &m->association.v[i];
		const struct fsi_job *job = last[i] == FSI_NO_INDEX ? NULL : &m->job.v[last[i]];
		const struct fsi_flux_counts_queue c = fsi_flux_latest_queue(m, last, i, job);

		if ((job || FSI_HAS(a, ASSOCIATION, last_job)) && !isnan(c.priority))
			FSI_PUT(a, ASSOCIATION, queue_factor, (int32_t)c.priority);
	}
	note_from_next(s, "queue");
	return fsi_scenario_set(s, FSI_RECORD_PARTITION, rec, w->word, "priority", v);
}

static FSI_SETTER(set_bank_priority)
{
	struct fsi_association *bank = (struct fsi_association *)(void *)rec;
	double d;

	if (!is_number(v.text, &d))
		return fsi_scenario_refuse(s, "%s: expected a number", w->word);
	for (size_t i = 0; FSI_HAS(bank, ASSOCIATION, bank_priority) && i < s->m->association.n; i++) {
		struct fsi_association *a = &s->m->association.v[i];

		if (a->user && a->account == bank->account && !FSI_HAS(a, ASSOCIATION, bank_factor))
			FSI_PUT(a, ASSOCIATION, bank_factor, bank->bank_priority);
	}
	note_from_next(s, "bank");
	FSI_PUT(bank, ASSOCIATION, bank_priority, d);
	return 0;
}

/* A user may have 0 shares, a bank may not (fluxacct/accounting/bank_subcommands.py: edit_bank). */
static FSI_SETTER(set_bank_shares)
{
	double d;

	if (is_number(v.text, &d) && d <= 0)
		return fsi_scenario_refuse(s, "edit-bank %s: a bank has more than 0", w->word);
	return fsi_scenario_set(s, FSI_RECORD_ASSOCIATION, rec, w->word, "shares", v);
}

static const struct fsi_edit_word bank_words[] = {
	{ "--priority", NULL, FSI_OPERATOR, set_bank_priority, 0 },
	{ "--shares", NULL, FSI_OPERATOR, set_bank_shares, 0 },
};
static const struct fsi_edit_word user_words[] = {
	{ "--max-active-jobs", "max_submit_jobs", FSI_OPERATOR, NULL, 0 },
	{ "--max-cores", "max_cores", FSI_OPERATOR, NULL, 0 },
	{ "--max-nodes", "max_nodes", FSI_OPERATOR, NULL, 0 },
	{ "--max-running-jobs", "max_jobs", FSI_OPERATOR, NULL, 0 },
	{ "--max-sched-jobs", "max_sched_jobs", FSI_OPERATOR, NULL, 0 },
	{ "--queues", "queues", FSI_OPERATOR, NULL, 0 },
	{ "--shares", "shares", FSI_OPERATOR, NULL, 0 },
};
static const struct fsi_edit_word queue_words[] = {
	{ "--max-nodes-per-assoc", "max_nodes_per_assoc", FSI_OPERATOR, NULL, 0 },
	{ "--max-nodes-per-job", "max_nodes", FSI_OPERATOR, NULL, 0 },
	{ "--max-running-jobs", "max_jobs_per_assoc", FSI_OPERATOR, NULL, 0 },
	{ "--max-sched-jobs", "max_sched_jobs", FSI_OPERATOR, NULL, 0 },
	{ "--min-nodes-per-job", "min_nodes", FSI_OPERATOR, NULL, 0 },
	{ "--priority", NULL, FSI_OPERATOR, set_queue_priority, 0 },
};
static const struct fsi_edit_word factor_words[] = {
	{ "bank", "weight_bank", FSI_OPERATOR, set_weight, 0 },
	{ "fairshare", "weight_fairshare", FSI_OPERATOR, set_weight, 0 },
	{ "queue", "weight_queue", FSI_OPERATOR, set_weight, 0 },
	{ "urgency", "weight_urgency", FSI_OPERATOR, set_weight, 0 },
};

/* Puts "--word=value" and "--word value" from s->word[at] on into each record that `next` gives. */
struct account_edit {
	const char *name;
	enum fsi_record_type type;
	const struct fsi_edit_word *words;
	size_t nwords;
};

static int option(struct fsi_scenario *s, const struct account_edit *e, size_t *at, const struct fsi_edit_word **w,
		  struct fsi_operand *v)
{
	const int rc = fsi_scenario_word(s, e->words, e->nwords, e->name, s->word[*at], w, v);

	if (!rc && !v->text && *at + 1 < s->n)
		v->text = s->word[++*at];
	return rc;
}

static int apply_all(struct fsi_scenario *s, const struct account_edit *e, struct fsi_rec *rec, size_t at)
{
	int rc = at < s->n ? 0 : fsi_scenario_refuse(s, "%s: nothing to change is named", e->name);

	for (; at < s->n && !rc; at++) {
		const struct fsi_edit_word *w;
		struct fsi_operand v;

		rc = option(s, e, &at, &w, &v);
		if (!rc)
			rc = fsi_scenario_apply(s, e->type, rec, w, v);
	}
	return rc;
}

static int edit_bank(struct fsi_scenario *s, size_t at)
{
	static const struct account_edit e = { "edit-bank", FSI_RECORD_ASSOCIATION, bank_words, sizeof(bank_words) / sizeof(*bank_words) };
	const uint32_t name = at < s->n ? fsi_name_find(s->m, s->word[at]) : 0;
	const uint32_t row = name ? fsi_assoc_find(s->m, name, 0, 0) : FSI_NO_INDEX;

	if (row == FSI_NO_INDEX)
		return fsi_scenario_refuse(s, "there is no bank \"%.60s\"", at < s->n ? s->word[at] : "");
	forget_all_recorded(s);
	return apply_all(s, &e, &s->m->association.v[row].rec, at + 1);
}

/* The user's row in each of his banks is changed, or that in --bank alone. */
static int edit_user(struct fsi_scenario *s, size_t at)
{
	static const struct account_edit e = { "edit-user", FSI_RECORD_ASSOCIATION, user_words, sizeof(user_words) / sizeof(*user_words) };
	static const char bank[] = "--bank=";
	const uint32_t name = at < s->n ? fsi_name_find(s->m, s->word[at]) : 0;
	const char *only = NULL;
	int rc = 0;
	size_t found = 0, k = at + 1;

	for (size_t i = at + 1; i < s->n; i++) {
		if (!strncmp(s->word[i], bank, strlen(bank)))
			only = s->word[i] + strlen(bank);
		else
			s->word[k++] = s->word[i];
	}
	s->n = k < s->n ? k : s->n;
	for (uint32_t i = 0; name && i < s->m->association.n && !rc; i++) {
		struct fsi_association *a = &s->m->association.v[i];

		if (a->user != name || (only && strcmp(only, fsi_str(s->m, a->account)) != 0))
			continue;
		found++;
		rc = apply_all(s, &e, &a->rec, at + 1);
	}
	if (!rc && !found)
		rc = fsi_scenario_refuse(s, "there is no user \"%.60s\"%s%s", at < s->n ? s->word[at] : "", only ? " in bank " : "", only ? only : "");
	if (!rc)
		forget_all_recorded(s);
	return rc;
}

static int edit_queue(struct fsi_scenario *s, size_t at)
{
	static const struct account_edit e = { "edit-queue", FSI_RECORD_PARTITION, queue_words, sizeof(queue_words) / sizeof(*queue_words) };
	const uint32_t name = at < s->n ? fsi_name_find(s->m, s->word[at]) : 0;

	for (size_t i = 0; name && i < s->m->partition.n; i++)
		if (s->m->partition.v[i].name == name) {
			forget_all_recorded(s);
			return apply_all(s, &e, &s->m->partition.v[i].rec, at + 1);
		}
	return fsi_scenario_refuse(s, "there is no queue \"%.60s\"", at < s->n ? s->word[at] : "");
}

/* --factor=NAME --weight=NUMBER */
static int edit_factor(struct fsi_scenario *s, size_t at)
{
	static const struct fsi_edit_word words[] = { { "--factor", NULL, FSI_OPERATOR, NULL, 0 }, { "--weight", NULL, FSI_OPERATOR, NULL, 0 } };
	static const struct account_edit e = { "edit-factor", FSI_RECORD_PARTITION, words, 2 };
	const char *value[2] = { NULL, NULL };
	const struct fsi_edit_word *w;
	size_t i;

	for (; at < s->n; at++) {
		struct fsi_operand v;

		if (option(s, &e, &at, &w, &v))
			return FS_EUSAGE;
		value[w - words] = v.text;
	}
	if (!value[0] || !value[1])
		return fsi_scenario_refuse(s, "edit-factor takes --factor=NAME and --weight=NUMBER");
	i = fsi_scenario_find(factor_words, 4, sizeof(*factor_words), value[0], strlen(value[0]));
	if (i == 4)
		return fsi_scenario_refuse(
			s, "edit-factor: there is no factor \"%.60s\", the nearest is %s", value[0],
			fsi_scenario_nearest(factor_words, 4, sizeof(*factor_words), value[0], strlen(value[0])));
	forget_all_recorded(s);
	return factor_words[i].set(s, NULL, &factor_words[i], (struct fsi_operand){ '=', value[1] });
}

int fsi_flux_account(struct fsi_scenario *s, size_t at)
{
	static const struct fsi_verb verbs[] = {
		{ "edit-bank", edit_bank }, { "edit-factor", edit_factor }, { "edit-queue", edit_queue }, { "edit-user", edit_user },
	};

	return fsi_scenario_verb(s, verbs, sizeof(verbs) / sizeof(*verbs), "flux account", at);
}
