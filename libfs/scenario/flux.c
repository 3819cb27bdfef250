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

/* Adds a note that only the instance owner may run the command, unless the viewer is the instance owner. */
static void note_only_instance_owner(struct fsi_scenario *s)
{
	if (!fsi_scenario_viewer_may(s, FSI_OPERATOR, 0, 0))
		fsi_scenario_note(s, "only the instance owner may do this");
}

/* Clears all recorded values, because `flux account-update-fshare` and `flux account-priority-update` are assumed to
 * run after the command. Keeps the recorded factors of `uncounted` associations: these associations have no fair share,
 * so src/fairness/writer/data_writer_db.cpp writes no new factors for them. */
static void drop_all_flux_values(struct fsi_scenario *s)
{
	fsi_scenario_drop_recorded(s, 0);
	s->m->priorities_updated = true;
	for (size_t i = 0; i < s->m->association.n; i++)
		if (!s->m->tree[i].uncounted)
			FSI_CLEAR_FIELD(&s->m->association.v[i], ASSOCIATION, fairshare);
	for (size_t i = 0; i < s->m->job.n; i++) {
		FSI_CLEAR_JOB_EXT(s->m, &s->m->job.v[i], fairshare_ppm);
		if (s->m->job.v[i].state == FSI_STATE_PENDING)
			FSI_CLEAR_FIELD(&s->m->job.v[i], JOB, priority);
	}
	note_only_instance_owner(s);
	fsi_scenario_note(s, "the change takes effect after flux account-update-fshare and flux account-priority-update");
}

static bool parse_finite_number(const char *text, double *d)
{
	return text && !fsi_parse_double(text, strlen(text), d) && isfinite(*d);
}

static int set_factor_weight(FSI_SETTER_ARGS)
{
	struct fsi_config_entry *e;
	double d;

	if (!parse_finite_number(v.text, &d))
		return fsi_scenario_refuse(s, "edit-factor --weight: expected a number, got \"%.60s\"",
					   v.text ? v.text : "");
	(void)rec;
	e = fsi_config_find_or_add(s->m, w->field);
	if (!e)
		return fsi_fail_no_memory(s->err);
	*e = (struct fsi_config_entry){ .name = e->name, .kind = FSI_CONFIG_DOUBLE, .d = d };
	return 0;
}

/* Adds a note that pending jobs keep their priority. When a user submits a job, the plugin stores the priorities of its
 * queue and bank. It uses the stored priorities for all jobs of the user in that bank (src/plugins/mf_priority.cpp:
 * new_cb). A later change of the queue or bank does not change the stored priorities (rec_q_cb, rec_bank_cb). */
static void note_next_submission_only(struct fsi_scenario *s, const char *what)
{
	fsi_scenario_note(
		s, "the new %s priority applies to a user's jobs only after the user submits another job to this %s",
		what, what);
}

static int set_queue_priority(FSI_SETTER_ARGS)
{
	fs_snapshot *m = s->m;
	struct fsi_flux_queues queues;

	if (fsi_flux_read_queues(&queues, m, &s->arena))
		return fsi_fail_no_memory(s->err);
	for (uint32_t i = 0; i < m->association.n; i++) {
		struct fsi_association *a = &m->association.v[i];
		const struct fsi_job *job = queues.last_job[i] == FSI_NO_INDEX ? NULL : &m->job.v[queues.last_job[i]];
		const struct fsi_flux_applied_queue c = fsi_flux_find_applied_queue(m, &queues, i, job);

		if ((job || FSI_HAS(a, ASSOCIATION, last_job)) && !isnan(c.priority))
			FSI_PUT(a, ASSOCIATION, queue_factor, (int32_t)c.priority);
	}
	note_next_submission_only(s, "queue");
	return fsi_scenario_set_field(s, FSI_RECORD_PARTITION, rec, w->keyword, "priority", v);
}

static int set_bank_priority(FSI_SETTER_ARGS)
{
	struct fsi_association *bank = (struct fsi_association *)(void *)rec;
	double d;

	if (!parse_finite_number(v.text, &d))
		return fsi_scenario_refuse(s, "edit-bank %s: expected a number, got \"%.60s\"", w->keyword,
					   v.text ? v.text : "");
	for (size_t i = 0; FSI_HAS(bank, ASSOCIATION, bank_priority) && i < s->m->association.n; i++) {
		struct fsi_association *a = &s->m->association.v[i];

		if (a->user && a->account == bank->account && !FSI_HAS(a, ASSOCIATION, bank_factor))
			FSI_PUT(a, ASSOCIATION, bank_factor, bank->bank_priority);
	}
	note_next_submission_only(s, "bank");
	FSI_PUT(bank, ASSOCIATION, bank_priority, d);
	return 0;
}

/* Sets the shares of a bank. Refuses 0 and negative numbers (fluxacct/accounting/bank_subcommands.py: edit_bank).
 * Users, unlike banks, may have 0 shares. */
static int set_bank_shares(FSI_SETTER_ARGS)
{
	double d;

	if (parse_finite_number(v.text, &d) && d <= 0)
		return fsi_scenario_refuse(s, "edit-bank %s: expected a number above 0, got \"%.60s\"", w->keyword,
					   v.text);
	return fsi_scenario_set_field(s, FSI_RECORD_ASSOCIATION, rec, w->keyword, "shares", v);
}

static const struct fsi_edit_keyword bank_keywords[] = {
	{ "--priority", NULL, FSI_OPERATOR, set_bank_priority, 0 },
	{ "--shares", NULL, FSI_OPERATOR, set_bank_shares, 0 },
};
static const struct fsi_edit_keyword flux_user_keywords[] = {
	{ "--max-active-jobs", "max_submit_jobs", FSI_OPERATOR, NULL, 0 },
	{ "--max-cores", "max_cores", FSI_OPERATOR, NULL, 0 },
	{ "--max-nodes", "max_nodes", FSI_OPERATOR, NULL, 0 },
	{ "--max-running-jobs", "max_jobs", FSI_OPERATOR, NULL, 0 },
	{ "--max-sched-jobs", "max_sched_jobs", FSI_OPERATOR, NULL, 0 },
	{ "--queues", "queues", FSI_OPERATOR, NULL, 0 },
	{ "--shares", "shares", FSI_OPERATOR, NULL, 0 },
};
static const struct fsi_edit_keyword queue_keywords[] = {
	{ "--max-nodes-per-assoc", "max_nodes_per_assoc", FSI_OPERATOR, NULL, 0 },
	{ "--max-nodes-per-job", "max_nodes", FSI_OPERATOR, NULL, 0 },
	{ "--max-running-jobs", "max_jobs_per_assoc", FSI_OPERATOR, NULL, 0 },
	{ "--max-sched-jobs", "max_sched_jobs", FSI_OPERATOR, NULL, 0 },
	{ "--min-nodes-per-job", "min_nodes", FSI_OPERATOR, NULL, 0 },
	{ "--priority", NULL, FSI_OPERATOR, set_queue_priority, 0 },
};
static const struct fsi_edit_keyword factor_keywords[] = {
	{ "bank", "weight_bank", FSI_OPERATOR, set_factor_weight, 0 },
	{ "fairshare", "weight_fairshare", FSI_OPERATOR, set_factor_weight, 0 },
	{ "queue", "weight_queue", FSI_OPERATOR, set_factor_weight, 0 },
	{ "urgency", "weight_urgency", FSI_OPERATOR, set_factor_weight, 0 },
};

/* A subcommand of flux account. Its options, "--key=value" or "--key value", set fields of records of one type. */
struct account_subcommand {
	const char *name;
	enum fsi_record_type type;
	const struct fsi_edit_keyword *keywords;
	size_t nkeywords;
};

static int parse_account_option(struct fsi_scenario *s, const struct account_subcommand *e, size_t *at,
				const struct fsi_edit_keyword **w, struct fsi_operand *v)
{
	const int rc = fsi_scenario_parse_keyword(s, e->keywords, e->nkeywords, e->name, s->words[*at], w, v);

	if (!rc && !v->text && *at + 1 < s->n)
		v->text = s->words[++*at];
	return rc;
}

static int apply_account_options(struct fsi_scenario *s, const struct account_subcommand *e, struct fsi_rec *rec,
				 size_t at)
{
	int rc = at < s->n ? 0
			   : fsi_scenario_refuse(s, "%s: expected a setting to change, such as %s=VALUE", e->name,
						 e->keywords[e->nkeywords - 1].keyword);

	for (; at < s->n && !rc; at++) {
		const struct fsi_edit_keyword *w;
		struct fsi_operand v;

		rc = parse_account_option(s, e, &at, &w, &v);
		if (!rc)
			rc = fsi_scenario_apply_keyword(s, e->type, rec, w, v);
	}
	return rc;
}

static int run_edit_bank(struct fsi_scenario *s, size_t at)
{
	static const struct account_subcommand e = { "edit-bank", FSI_RECORD_ASSOCIATION, bank_keywords,
						     sizeof(bank_keywords) / sizeof(*bank_keywords) };
	const uint32_t name = at < s->n ? fsi_scenario_find_account(s, s->words[at]) : 0;
	const uint32_t row = name ? fsi_assoc_find_by_names(s->m, name, 0, 0) : FSI_NO_INDEX;

	if (at == s->n)
		return fsi_scenario_refuse(s, "edit-bank: expected the name of a bank");
	if (row == FSI_NO_INDEX)
		return fsi_scenario_refuse(s, "there is no bank \"%.60s\"", s->words[at]);
	drop_all_flux_values(s);
	return apply_account_options(s, &e, &s->m->association.v[row].rec, at + 1);
}

/* Changes the user's association in every bank, or only in the bank that --bank names. */
static int run_edit_user(struct fsi_scenario *s, size_t at)
{
	static const struct account_subcommand e = { "edit-user", FSI_RECORD_ASSOCIATION, flux_user_keywords,
						     sizeof(flux_user_keywords) / sizeof(*flux_user_keywords) };
	static const char bank[] = "--bank=";
	const uint32_t name = at < s->n ? fsi_name_find(s->m, s->words[at]) : 0;
	const char *only = NULL;
	int rc = 0;
	size_t matches = 0, k = at + 1;

	if (at == s->n)
		return fsi_scenario_refuse(s, "edit-user: expected the name of a user");
	for (size_t i = at + 1; i < s->n; i++) {
		if (!strncmp(s->words[i], bank, strlen(bank)))
			only = s->words[i] + strlen(bank);
		else
			s->words[k++] = s->words[i];
	}
	s->n = k < s->n ? k : s->n;
	for (uint32_t i = 0; name && i < s->m->association.n && !rc; i++) {
		struct fsi_association *a = &s->m->association.v[i];

		if (a->user != name || !fsi_viewer_may_see_usage(&s->viewer, a) ||
		    (only && strcmp(only, fsi_name_text(s->m, a->account)) != 0))
			continue;
		matches++;
		rc = apply_account_options(s, &e, &a->rec, at + 1);
	}
	if (!rc && !matches)
		rc = fsi_scenario_refuse(s, "there is no user \"%.60s\"%s%s", s->words[at], only ? " in bank " : "", only ? only : "");
	if (!rc)
		drop_all_flux_values(s);
	return rc;
}

static int run_edit_queue(struct fsi_scenario *s, size_t at)
{
	static const struct account_subcommand e = { "edit-queue", FSI_RECORD_PARTITION, queue_keywords,
						     sizeof(queue_keywords) / sizeof(*queue_keywords) };
	const uint32_t name = at < s->n ? fsi_name_find(s->m, s->words[at]) : 0;

	for (size_t i = 0; name && i < s->m->partition.n; i++)
		if (s->m->partition.v[i].name == name) {
			drop_all_flux_values(s);
			return apply_account_options(s, &e, &s->m->partition.v[i].rec, at + 1);
		}
	return at == s->n ? fsi_scenario_refuse(s, "edit-queue: expected the name of a queue")
			  : fsi_scenario_refuse(s, "there is no queue \"%.60s\"", s->words[at]);
}

/* Runs "edit-factor --factor=NAME --weight=NUMBER". */
static int run_edit_factor(struct fsi_scenario *s, size_t at)
{
	static const struct fsi_edit_keyword words[] = { { "--factor", NULL, FSI_OPERATOR, NULL, 0 },
							 { "--weight", NULL, FSI_OPERATOR, NULL, 0 } };
	static const struct account_subcommand e = { "edit-factor", FSI_RECORD_PARTITION, words, 2 };
	const char *value[2] = { NULL, NULL };
	const struct fsi_edit_keyword *w;
	size_t i;

	for (; at < s->n; at++) {
		struct fsi_operand v;

		if (parse_account_option(s, &e, &at, &w, &v))
			return FS_EUSAGE;
		value[w - words] = v.text;
	}
	if (!value[0] || !value[1])
		return fsi_scenario_refuse(s, "edit-factor: expected --factor=NAME and --weight=NUMBER");
	i = fsi_scenario_find_name(factor_keywords, 4, sizeof(*factor_keywords), value[0], strlen(value[0]));
	if (i == 4)
		return fsi_scenario_refuse(s, "edit-factor: unknown factor \"%.60s\"; the nearest is %s", value[0],
					   fsi_scenario_nearest_name(factor_keywords, 4, sizeof(*factor_keywords),
								     value[0], strlen(value[0])));
	drop_all_flux_values(s);
	return factor_keywords[i].set(s, NULL, &factor_keywords[i], (struct fsi_operand){ '=', value[1] });
}

/* Runs the subcommand of `flux account` in s->words[at]. */
static int run_flux_account(struct fsi_scenario *s, size_t at)
{
	static const struct fsi_verb verbs[] = {
		{ "edit-bank", run_edit_bank },
		{ "edit-factor", run_edit_factor },
		{ "edit-queue", run_edit_queue },
		{ "edit-user", run_edit_user },
	};

	return fsi_scenario_run_verb(s, verbs, sizeof(verbs) / sizeof(*verbs), "flux account", at);
}

/* ---- commands on jobs (src/cmd/flux-update.py; src/modules/job-manager/urgency.c, update.c) */

enum { URGENCY_HOLD = 0, URGENCY_DEFAULT = 16, URGENCY_EXPEDITE = 31 };

static void note_only_job_owner(struct fsi_scenario *s, const struct fsi_job *j)
{
	if (!fsi_scenario_viewer_may(s, FSI_OWNER, j->user, 0))
		fsi_scenario_note(s, "only %s or the instance owner may do this", fsi_name_text(s->m, j->user));
}

static int find_active_job(struct fsi_scenario *s, size_t at, struct fsi_job **out)
{
	const char *text = at < s->n ? s->words[at] : "";
	uint64_t id;
	uint32_t row;

	if (at >= s->n)
		return fsi_scenario_refuse(s, "expected a job id");
	if (fs_job_id_parse(s->m, text, &id))
		return fsi_scenario_refuse(s, "invalid job id \"%.60s\"", text);
	row = fsi_scenario_find_job(s, id);
	if (row == FSI_NO_INDEX)
		return fsi_scenario_refuse(s, "job %.60s is not in the snapshot", text);
	*out = &s->m->job.v[row];
	return fsi_job_has_ended(*out) ? fsi_scenario_refuse(s, "job %.60s is inactive and cannot be changed", text)
					: 0;
}

/* ---- flux job urgency */

static int parse_urgency_name(struct fsi_scenario *s, const char *text, uint32_t *out)
{
	static const struct {
		const char *name;
		uint32_t urgency;
	} names[] = { { "default", URGENCY_DEFAULT }, { "expedite", URGENCY_EXPEDITE }, { "hold", URGENCY_HOLD } };
	const size_t n = sizeof(names) / sizeof(*names),
		     i = fsi_scenario_find_name(names, n, sizeof(*names), text, strlen(text));
	uint64_t number = 0;

	if (i == n && (fsi_parse_u64(text, strlen(text), &number) || number > URGENCY_EXPEDITE))
		return fsi_scenario_refuse(s, "flux job urgency: expected 0 to 31, hold, default or expedite, got \"%.60s\"", text);
	*out = i == n ? (uint32_t)number : names[i].urgency;
	return 0;
}

static int run_flux_urgency(struct fsi_scenario *s, size_t at)
{
	uint32_t to = 0, max = URGENCY_DEFAULT;
	struct fsi_job *j;
	int rc = find_active_job(s, at, &j);

	if (!rc)
		rc = parse_urgency_name(s, at + 1 < s->n ? s->words[at + 1] : "", &to);
	if (rc)
		return rc;
	if (j->state != FSI_STATE_PENDING)
		return fsi_scenario_refuse(s, "the urgency of job %.60s cannot be changed once the job has its resources",
					   s->words[at]);
	if (FSI_HAS(j, JOB, urgency) && fsi_job_ext(s->m, j)->urgency > max)
		max = fsi_job_ext(s->m, j)->urgency;
	if (to > max)
		note_only_instance_owner(s);
	else
		note_only_job_owner(s, j);
	if (FSI_SET_JOB_EXT(s->m, j, urgency, to))
		return fsi_fail_no_memory(s->err);
	fsi_scenario_drop_priority(s, j);
	return 0;
}

static int run_flux_job(struct fsi_scenario *s, size_t at)
{
	static const struct fsi_verb verbs[] = { { "urgency", run_flux_urgency } };

	return fsi_scenario_run_verb(s, verbs, 1, "flux job", at);
}

static int run_flux_cancel(struct fsi_scenario *s, size_t at)
{
	int rc = at < s->n ? 0 : fsi_scenario_refuse(s, "expected a job id");

	for (; at < s->n && !rc; at++) {
		struct fsi_job *j;

		rc = find_active_job(s, at, &j);
		if (rc)
			break;
		note_only_job_owner(s, j);
		rc = fsi_scenario_cancel_job(s, j);
		fsi_scenario_remove_cancelled(s);
	}
	return rc;
}

/* ---- flux update */

/* Parses a duration of the Flux standard (RFC 23), such as "90s", "1.5h" or "30" (seconds). "infinity" sets *seconds to
 * INFINITY. The caller treats 0 seconds as no limit. */
static int parse_flux_duration(const char *text, double *seconds)
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

static int set_job_duration(FSI_SETTER_ARGS)
{
	struct fsi_job *j = fsi_rec_to_job(rec);
	const char *text = v.text ? v.text : "";
	const bool less = *text == '-', by = less || *text == '+',
		   limited = FSI_HAS(j, JOB, time_limit_s) && !FSI_SPECIAL(j, JOB, time_limit_s);
	double d;

	if (parse_flux_duration(text + by, &d) || (by && isinf(d)))
		return fsi_scenario_refuse(s, "%s: expected a duration such as 90m, 4h or infinity, got \"%.60s\"", w->keyword, text);
	if (by && !limited)
		return fsi_scenario_refuse(s, "%s: the job's time limit is %s, so it cannot be changed by %s", w->keyword,
					   FSI_HAS(j, JOB, time_limit_s) ? "unlimited" : "unknown", text);
	if (by)
		d = (double)j->time_limit_s + (less ? -d : d);
	if (d < 0 || (by && d <= 0))
		return fsi_scenario_refuse(s, "%s: the new time limit must be above 0", w->keyword);
	if (j->state != FSI_STATE_PENDING)
		note_only_instance_owner(s);
	FSI_CLEAR_FIELD(j, JOB, time_limit_s);
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
		FSI_CLEAR_FIELD(j, JOB, end_time);
	return 0;
}

static const struct fsi_association *find_charged_association(const fs_snapshot *m, const struct fsi_job *j)
{
	const uint32_t i = m->scheduler->charged_to(m, j);

	return i == FSI_NO_INDEX ? NULL : &m->association.v[i];
}

static int require_pending_job(struct fsi_scenario *s, const struct fsi_job *j, const char *what)
{
	return j->state == FSI_STATE_PENDING ? 0 : fsi_scenario_refuse(s, "%s: cannot be changed, because the job is not pending",
									  what);
}

/* Records `queue` as the queue that the job's association used last. From then on, the plugin uses the priority of this
 * queue for all jobs of the association (flux-accounting: src/plugins/mf_priority.cpp, job_updated). */
static void record_last_queue(fs_snapshot *m, const struct fsi_job *j, uint32_t queue)
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
		FSI_CLEAR_FIELD(a, ASSOCIATION, queue_factor);
	else if (FSI_HAS(a, ASSOCIATION, queue_factor))
		a->queue_factor = (int32_t)priority;
}

static int set_job_queue(FSI_SETTER_ARGS)
{
	struct fsi_job *j = fsi_rec_to_job(rec);
	const struct fsi_association *a = find_charged_association(s->m, j);
	const uint32_t name = v.text ? fsi_name_find(s->m, v.text) : 0;

	if (require_pending_job(s, j, w->keyword))
		return FS_EUSAGE;
	if (!name || !fsi_partition_find(s->m, name))
		return fsi_scenario_refuse(s, "there is no queue \"%.60s\"", v.text ? v.text : "");
	if (a && a->queues && !fsi_list_has_word(s->m, a->queues, v.text))
		return fsi_scenario_refuse(s, "queue %s is not open to user %s in bank %s", v.text,
					   fsi_name_text(s->m, j->user), fsi_name_text(s->m, a->account));
	record_last_queue(s->m, j, name);
	return fsi_scenario_set_field(s, FSI_RECORD_JOB, rec, w->keyword, "partitions", v);
}

static int set_job_bank(FSI_SETTER_ARGS)
{
	struct fsi_job *j = fsi_rec_to_job(rec);
	const uint32_t name = v.text ? fsi_name_find(s->m, v.text) : 0;
	const uint32_t to = name ? fsi_assoc_find_by_names(s->m, name, j->user, 0) : FSI_NO_INDEX;

	if (require_pending_job(s, j, w->keyword))
		return FS_EUSAGE;
	if (to == FSI_NO_INDEX)
		return fsi_scenario_refuse(s, "user %s is not in bank \"%.60s\"", fsi_name_text(s->m, j->user),
					   v.text ? v.text : "");
	FSI_CLEAR_FIELD(&s->m->association.v[to], ASSOCIATION,
			bank_factor); /* the plugin's function job_updated reads the priority of the bank again */
	FSI_CLEAR_JOB_EXT(s->m, j, fairshare_ppm);
	return fsi_scenario_set_field(s, FSI_RECORD_JOB, rec, w->keyword, "account", v);
}

static const struct fsi_edit_keyword flux_job_keywords[] = {
	{ "bank", NULL, FSI_OWNER, set_job_bank, 0 },
	{ "duration", NULL, FSI_OWNER, set_job_duration, 0 },
	{ "name", "name", FSI_OWNER, NULL, 0 },
	{ "queue", NULL, FSI_OWNER, set_job_queue, 0 },
};

static int run_flux_update(struct fsi_scenario *s, size_t at)
{
	static const char prefix[] = "attributes.system.";
	struct fsi_job *j;
	int rc = find_active_job(s, at, &j);

	if (!rc && at + 1 >= s->n)
		rc = fsi_scenario_refuse(s, "flux update: expected a setting to change, such as duration=2h");
	if (rc)
		return rc;
	note_only_job_owner(s, j);
	for (at++; at < s->n && !rc; at++) {
		const char *word = s->words[at];
		const struct fsi_edit_keyword *w;
		struct fsi_operand v;

		if (!strncmp(word, prefix, strlen(prefix)))
			word += strlen(prefix);
		rc = fsi_scenario_parse_keyword(s, flux_job_keywords,
						sizeof(flux_job_keywords) / sizeof(*flux_job_keywords), "flux update",
						word, &w, &v);
		if (!rc)
			rc = fsi_scenario_apply_keyword(s, FSI_RECORD_JOB, &j->rec, w, v);
	}
	if (!rc)
		fsi_scenario_drop_priority(s, j);
	return rc;
}

bool fsi_flux_begins_command(const char *word)
{
	return !strcmp(word, "flux");
}

int fsi_flux_edit(struct fsi_scenario *s)
{
	static const struct fsi_verb verbs[] = { { "account", run_flux_account },
						 { "cancel", run_flux_cancel },
						 { "job", run_flux_job },
						 { "update", run_flux_update } };

	if (!fsi_flux_begins_command(s->words[0]))
		return fsi_scenario_refuse(s, "the snapshot's scheduler is Flux: expected a command that begins with flux, got \"%.60s\"",
					   s->words[0]);
	return fsi_scenario_run_verb(s, verbs, sizeof(verbs) / sizeof(*verbs), "flux", 1);
}

/* ---- texts of Flux commands for advice */

void fsi_flux_write_shares(struct fsi_command *c, const fs_snapshot *m, const struct fsi_association *a,
			   uint32_t shares)
{
	const char *bank = fsi_name_text(m, a->account);

	if (a->user)
		fsi_command_set_text(c, "flux account edit-user %s --bank=%s --shares=%" PRIu32,
				     fsi_name_text(m, a->user), bank, shares);
	else
		fsi_command_set_text(c, "flux account edit-bank %s --shares=%" PRIu32, bank, shares);
}

static void format_flux_minutes(char *out, size_t size, int64_t minutes)
{
	snprintf(out, size, "%" PRId64 "m", minutes);
}

const struct fsi_commands fsi_flux_commands = {
	.update = "flux update %s",
	.hold = "flux job urgency %s hold",
	.release = "flux job urgency %s default",
	.cancel = "flux cancel",
	.first = "flux job urgency %s expedite",
	.word = {
		[FSI_CHANGE_TIME_LIMIT] = " duration=",
		[FSI_CHANGE_PARTITIONS] = " queue=",
		[FSI_CHANGE_ACCOUNT] = " bank=",
	},
	.minutes = format_flux_minutes,
};
