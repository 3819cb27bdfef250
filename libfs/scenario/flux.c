/* Flux commands: flux account edit-*, flux job urgency, flux update and flux cancel. */
#include "base/num.h"
#include "model/find.h"
#include "model/flux.h"
#include "model/scheduler.h"
#include "scenario/edit.h"
#include "scenario/grammar.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- flux account edit-bank, edit-user, edit-queue, edit-factor (flux-accounting, src/cmd/flux-account.py) */

/* Notes that only the instance owner may run the command, unless the viewer is the instance owner. */
static void flux_only_owner(struct fsi_scenario *s)
{
	if (!fsi_scenario_may(s, FSI_OPERATOR, 0, 0))
		fsi_scenario_note(s, "only the instance owner may");
}

/* Clears all recorded values. `flux account-update-fshare` and `flux account-priority-update` are assumed to have run
 * after the command. An uncounted association keeps its factor: src/fairness/writer/data_writer_db.cpp writes only the
 * associations that were read. */
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
	flux_only_owner(s);
	fsi_scenario_note(s, "it tells once flux account update-fshare and priority-update have run");
}

static bool is_number(const char *text, double *d)
{
	return text && !fsi_parse_double(text, strlen(text), d) && isfinite(*d);
}

static int set_weight(FSI_SETTER_ARGS)
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

/* Notes that pending jobs keep their priority. The plugin reads the priority of a queue or bank when a job is submitted
 * and then uses it for all jobs of that user there (src/plugins/mf_priority.cpp: new_cb). rec_q_cb and rec_bank_cb do
 * not update it. */
static void note_from_next(struct fsi_scenario *s, const char *what)
{
	fsi_scenario_note(s, "the %s's priority counts for a user's jobs from the next one on that he submits there",
			  what);
}

static int set_queue_priority(FSI_SETTER_ARGS)
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

static int set_bank_priority(FSI_SETTER_ARGS)
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

/* Refuses 0 shares. A user may have 0 shares, but a bank may not (fluxacct/accounting/bank_subcommands.py:
 * edit_bank). */
static int set_bank_shares(FSI_SETTER_ARGS)
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

/* A subcommand of flux account: its options "--key=value" or "--key value" set fields of one record type. */
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

/* Changes the user's association in each of their banks, or only in the bank of --bank. */
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

/* Parses "--factor=NAME --weight=NUMBER". */
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
		return fsi_scenario_refuse(s, "edit-factor: there is no factor \"%.60s\", the nearest is %s", value[0],
			fsi_scenario_nearest(factor_words, 4, sizeof(*factor_words), value[0], strlen(value[0])));
	forget_all_recorded(s);
	return factor_words[i].set(s, NULL, &factor_words[i], (struct fsi_operand){ '=', value[1] });
}

/* Runs the subcommand of `flux account` at word `at`. */
static int flux_account(struct fsi_scenario *s, size_t at)
{
	static const struct fsi_verb verbs[] = {
		{ "edit-bank", edit_bank }, { "edit-factor", edit_factor }, { "edit-queue", edit_queue }, { "edit-user", edit_user },
	};

	return fsi_scenario_verb(s, verbs, sizeof(verbs) / sizeof(*verbs), "flux account", at);
}

/* ---- commands on jobs (src/cmd/flux-update.py; src/modules/job-manager/urgency.c, update.c) */

enum { HOLD = 0, DEFAULT_URGENCY = 16, EXPEDITE = 31 };

static void only_own(struct fsi_scenario *s, const struct fsi_job *j)
{
	if (!fsi_scenario_may(s, FSI_OWNER, j->user, 0))
		fsi_scenario_note(s, "only %s or the instance owner may", fsi_str(s->m, j->user));
}

static int find_job(struct fsi_scenario *s, size_t at, struct fsi_job **out)
{
	const char *text = at < s->n ? s->word[at] : "";
	uint64_t id;
	uint32_t row;

	if (fs_job_id_parse(s->m, text, &id))
		return fsi_scenario_refuse(s, "\"%.60s\" is no job id", text);
	row = fsi_job_row(s->m, id);
	if (row == FSI_NO_INDEX)
		return fsi_scenario_refuse(s, "job %.60s is not in the snapshot", text);
	*out = &s->m->job.v[row];
	return fsi_job_finished(*out) ? fsi_scenario_refuse(s, "job %.60s is inactive", text) : 0;
}

/* ---- flux job urgency */

static int urgency_of(struct fsi_scenario *s, const char *text, uint32_t *out)
{
	static const struct {
		const char *name;
		uint32_t urgency;
	} names[] = { { "default", DEFAULT_URGENCY }, { "expedite", EXPEDITE }, { "hold", HOLD } };
	const size_t n = sizeof(names) / sizeof(*names),
		     i = fsi_scenario_find(names, n, sizeof(*names), text, strlen(text));
	uint64_t number = 0;

	if (i == n && (fsi_parse_u64(text, strlen(text), &number) || number > EXPEDITE))
		return fsi_scenario_refuse(s, "flux job urgency: expected 0 to 31, hold, default or expedite, got \"%.60s\"", text);
	*out = i == n ? (uint32_t)number : names[i].urgency;
	return 0;
}

static int run_flux_urgency(struct fsi_scenario *s, size_t at)
{
	uint32_t to = 0, max = DEFAULT_URGENCY;
	struct fsi_job *j;
	int rc = find_job(s, at, &j);

	if (!rc)
		rc = urgency_of(s, at + 1 < s->n ? s->word[at + 1] : "", &to);
	if (rc)
		return rc;
	if (j->state != FSI_STATE_PENDING)
		return fsi_scenario_refuse(s, "urgency cannot be changed once the job has its resources");
	if (FSI_HAS(j, JOB, urgency) && fsi_job_rare(s->m, j)->urgency > max)
		max = fsi_job_rare(s->m, j)->urgency;
	only_own(s, j);
	if (to > max)
		flux_only_owner(s);
	if (FSI_SET_RARE(s->m, j, urgency, to))
		return fsi_nomem(s->err);
	fsi_scenario_forget_priority(s, j);
	return 0;
}

static int run_flux_job(struct fsi_scenario *s, size_t at)
{
	static const struct fsi_verb verbs[] = { { "urgency", run_flux_urgency } };

	return fsi_scenario_verb(s, verbs, 1, "flux job", at);
}

static int cancel(struct fsi_scenario *s, size_t at)
{
	int rc = at < s->n ? 0 : fsi_scenario_refuse(s, "a job id is expected");

	for (; at < s->n && !rc; at++) {
		struct fsi_job *j;

		rc = find_job(s, at, &j);
		if (rc)
			break;
		only_own(s, j);
		rc = fsi_scenario_cancel(s, j);
		fsi_scenario_close_up(s);
	}
	return rc;
}

/* ---- flux update */

/* Parses a Flux standard duration (RFC 23): "90s", "1.5h", "30" (seconds). "infinity" sets INFINITY. 0 means no limit,
 * too. */
static int duration(const char *text, double *seconds)
{
	static const struct {
		const char *name;
		double s;
	} units[] = { { "", 1 }, { "ms", .001 }, { "s", 1 }, { "m", 60 }, { "h", 3600 }, { "d", 86400 } };
	const size_t digits = strspn(text, "0123456789.");

	*seconds = INFINITY;
	if (!strcmp(text, "infinity") || !strcmp(text, "inf"))
		return 0;
	if (!digits || fsi_parse_double(text, digits, seconds))
		return -1;
	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++)
		if (!strcmp(text + digits, units[i].name)) {
			*seconds *= units[i].s;
			return *seconds < 1e12 ? 0 : -1;
		}
	return -1;
}

static int set_duration(FSI_SETTER_ARGS)
{
	struct fsi_job *j = fsi_edited_job(rec);
	const char *text = v.text ? v.text : "";
	const bool less = *text == '-', by = less || *text == '+',
		   limited = FSI_HAS(j, JOB, time_limit_s) && !FSI_SPECIAL(j, JOB, time_limit_s);
	double d;

	if (duration(text + by, &d) || (by && isinf(d)))
		return fsi_scenario_refuse(s, "%s: expected a duration such as 90m, 4h or infinity, got \"%.60s\"", w->word, text);
	if (by && !limited)
		return fsi_scenario_refuse(s, "%s: the job has no limit that could be changed by %s", w->word, text);
	if (by)
		d = (double)j->time_limit_s + (less ? -d : d);
	if (d < 0 || (by && d <= 0))
		return fsi_scenario_refuse(s, "%s: it cannot be reduced by that much", w->word);
	if (j->state != FSI_STATE_PENDING)
		flux_only_owner(s);
	FSI_FORGET(j, JOB, time_limit_s);
	FSI_SET(j, JOB, time_limit_s);
	if (isinf(d) || d == 0) {
		j->rec.special |= 1u << FSI_JOB_time_limit_s;
	} else {
		j->rec.special &= ~(1u << FSI_JOB_time_limit_s);
		j->time_limit_s = (int64_t)ceil(d);
	}
	if (j->state == FSI_STATE_PENDING || !FSI_HAS(j, JOB, start_time))
		return 0;
	j->end_time = j->start_time + j->time_limit_s;
	FSI_SET(j, JOB, end_time);
	if (isinf(d) || d == 0)
		FSI_FORGET(j, JOB, end_time);
	return 0;
}

static const struct fsi_association *assoc_of(const fs_snapshot *m, const struct fsi_job *j)
{
	const uint32_t i = m->scheduler->charged_to(m, j);

	return i == FSI_NO_INDEX ? NULL : &m->association.v[i];
}

static int still_pending(struct fsi_scenario *s, const struct fsi_job *j, const char *what)
{
	return j->state == FSI_STATE_PENDING ? 0 : fsi_scenario_refuse(s, "%s: the job runs", what);
}

/* Records the queue as the one that the owner submitted to last. The plugin uses its priority from now on
 * (flux-accounting: src/plugins/mf_priority.cpp, job_updated). */
static void submit_there(fs_snapshot *m, const struct fsi_job *j, uint32_t queue)
{
	const uint32_t i = m->scheduler->charged_to(m, j);
	struct fsi_association *a = i == FSI_NO_INDEX ? NULL : &m->association.v[i];
	const double priority = fsi_flux_queue_priority(m, queue);

	if (!a)
		return;
	for (size_t k = 0; k < m->job.n; k++)
		if (m->scheduler->charged_to(m, &m->job.v[k]) == i && m->job.v[k].id > a->last_job)
			a->last_job = m->job.v[k].id;
	a->last_queue = queue;
	FSI_SET(a, ASSOCIATION, last_job);
	FSI_SET(a, ASSOCIATION, last_queue);
	if (isnan(priority))
		FSI_FORGET(a, ASSOCIATION, queue_factor);
	else if (FSI_HAS(a, ASSOCIATION, queue_factor))
		a->queue_factor = (int32_t)priority;
}

static int set_queue(FSI_SETTER_ARGS)
{
	struct fsi_job *j = fsi_edited_job(rec);
	const struct fsi_association *a = assoc_of(s->m, j);
	const uint32_t name = v.text ? fsi_name_find(s->m, v.text) : 0;

	if (still_pending(s, j, w->word))
		return FS_EUSAGE;
	if (!name || !fsi_partition_find(s->m, name))
		return fsi_scenario_refuse(s, "there is no queue \"%.60s\"", v.text ? v.text : "");
	if (a && a->queues && !fsi_list_has(s->m, a->queues, v.text))
		return fsi_scenario_refuse(s, "queue %s is not among those of %s in bank %s", v.text, fsi_str(s->m, j->user),
					   fsi_str(s->m, a->account));
	submit_there(s->m, j, name);
	return fsi_scenario_set(s, FSI_RECORD_JOB, rec, w->word, "partitions", v);
}

static int set_bank(FSI_SETTER_ARGS)
{
	struct fsi_job *j = fsi_edited_job(rec);
	const uint32_t name = v.text ? fsi_name_find(s->m, v.text) : 0;
	const uint32_t to = name ? fsi_assoc_find(s->m, name, j->user, 0) : FSI_NO_INDEX;

	if (still_pending(s, j, w->word))
		return FS_EUSAGE;
	if (to == FSI_NO_INDEX)
		return fsi_scenario_refuse(s, "%s is not in bank \"%.60s\"", fsi_str(s->m, j->user), v.text ? v.text : "");
	FSI_FORGET(&s->m->association.v[to], ASSOCIATION, bank_factor); /* job_updated reads the bank's factor again */
	FSI_CLEAR_RARE(s->m, j, fairshare_ppm);
	return fsi_scenario_set(s, FSI_RECORD_JOB, rec, w->word, "account", v);
}

static const struct fsi_edit_word job_words[] = {
	{ "bank", NULL, FSI_OWNER, set_bank, 0 },
	{ "duration", NULL, FSI_OWNER, set_duration, 0 },
	{ "name", "name", FSI_OWNER, NULL, 0 },
	{ "queue", NULL, FSI_OWNER, set_queue, 0 },
};

static int update(struct fsi_scenario *s, size_t at)
{
	static const char prefix[] = "attributes.system.";
	struct fsi_job *j;
	int rc = find_job(s, at, &j);

	if (!rc && at + 1 >= s->n)
		rc = fsi_scenario_refuse(s, "flux update: nothing to change is named");
	if (rc)
		return rc;
	only_own(s, j);
	for (at++; at < s->n && !rc; at++) {
		const char *word = s->word[at];
		const struct fsi_edit_word *w;
		struct fsi_operand v;

		if (!strncmp(word, prefix, strlen(prefix)))
			word += strlen(prefix);
		rc = fsi_scenario_word(s, job_words, sizeof(job_words) / sizeof(*job_words), "flux update", word, &w, &v);
		if (!rc)
			rc = fsi_scenario_apply(s, FSI_RECORD_JOB, &j->rec, w, v);
	}
	if (!rc)
		fsi_scenario_forget_priority(s, j);
	return rc;
}

bool fsi_flux_begins_command(const char *word)
{
	return !strcmp(word, "flux");
}

int fsi_flux_edit(struct fsi_scenario *s)
{
	static const struct fsi_verb verbs[] = { { "account", flux_account }, { "cancel", cancel }, { "job", run_flux_job }, { "update", update } };

	if (!fsi_flux_begins_command(s->word[0]))
		return fsi_scenario_refuse(s, "the command \"%.60s\" is not known here; the nearest is flux", s->word[0]);
	return fsi_scenario_verb(s, verbs, sizeof(verbs) / sizeof(*verbs), "flux", 1);
}

/* ---- commands for advice */

void fsi_flux_write_shares(struct fsi_command *c, const fs_snapshot *m, const struct fsi_association *a,
			   uint32_t shares)
{
	const char *bank = fsi_str(m, a->account);

	if (a->user)
		fsi_command_put(c, "flux account edit-user %s --bank=%s --shares=%" PRIu32, fsi_str(m, a->user), bank, shares);
	else
		fsi_command_put(c, "flux account edit-bank %s --shares=%" PRIu32, bank, shares);
}

static void write_minutes(char *out, size_t size, int64_t minutes)
{
	snprintf(out, size, "%" PRId64 "m", minutes);
}

const struct fsi_commands fsi_flux_commands = {
	.update = "flux update %s",
	.hold = "flux job urgency %s hold",
	.release = "flux job urgency %s default",
	.first = "flux job urgency %s expedite",
	.word = {
		[FSI_CHANGE_TIME_LIMIT] = " duration=",
		[FSI_CHANGE_PARTITIONS] = " queue=",
		[FSI_CHANGE_ACCOUNT] = " bank=",
	},
	.minutes = write_minutes,
};
