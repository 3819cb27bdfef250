/* Flux's commands: flux job urgency (src/modules/job-manager/urgency.c), flux update (src/cmd/flux-update.py,
 * src/modules/job-manager/update.c), flux cancel; flux account stands in account.c. */
#include "base/num.h"
#include "model/flux/flux.h"
#include "model/scheduler.h"
#include "scenario/flux/flux.h"

#include <fs/queue.h>

#include <math.h>
#include <string.h>

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

static int urgency(struct fsi_scenario *s, size_t at)
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
		fsi_flux_only_owner(s);
	if (FSI_SET_RARE(s->m, j, urgency, to))
		return fsi_nomem(s->err);
	fsi_scenario_forget_priority(s, j);
	return 0;
}

static int job(struct fsi_scenario *s, size_t at)
{
	static const struct fsi_verb verbs[] = { { "urgency", urgency } };

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

/* "90s", "1.5h", "30": seconds; "infinity" and 0 are no limit (RFC 23). */
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

static FSI_SETTER(set_duration)
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
		fsi_flux_only_owner(s);
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

/* Flux counts the queue from now on as if the owner had submitted there (flux-accounting:
 * src/plugins/mf_priority.cpp, job_updated). */
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

static FSI_SETTER(set_queue)
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

static FSI_SETTER(set_bank)
{
	struct fsi_job *j = fsi_edited_job(rec);
	const uint32_t name = v.text ? fsi_name_find(s->m, v.text) : 0;
	const uint32_t to = name ? fsi_assoc_find(s->m, name, j->user, 0) : FSI_NO_INDEX;

	if (still_pending(s, j, w->word))
		return FS_EUSAGE;
	if (to == FSI_NO_INDEX)
		return fsi_scenario_refuse(s, "%s is not in bank \"%.60s\"", fsi_str(s->m, j->user), v.text ? v.text : "");
	FSI_FORGET(&s->m->association.v[to], ASSOCIATION, bank_factor); /* job_updated takes the bank's anew */
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
	static const struct fsi_verb verbs[] = { { "account", fsi_flux_account }, { "cancel", cancel }, { "job", job }, { "update", update } };

	if (!fsi_flux_begins_command(s->word[0]))
		return fsi_scenario_refuse(s, "the command \"%.60s\" is not known here; the nearest is flux", s->word[0]);
	return fsi_scenario_verb(s, verbs, sizeof(verbs) / sizeof(*verbs), "flux", 1);
}
