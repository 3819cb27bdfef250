#include "model/maui_tables.h"
#include "scenario/edit.h"

#include "base/num.h"
#include "import/maui/maui.h"
#include "model/find.h"
#include "model/maui.h"
#include "scenario/grammar.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { MAX_PRIORITY = 1000, MAX_PRIO_VAL = 1000000000 };

static void note_only_admin(struct fsi_scenario *s)
{
	if (!fsi_scenario_viewer_may(s, FSI_OPERATOR, 0, 0))
		fsi_scenario_note(s, "only an administrator (ADMIN1, ADMIN2) may do this");
}

static int find_maui_job(struct fsi_scenario *s, const char *text, struct fsi_job **out)
{
	uint64_t id;
	uint32_t row;

	if (fsi_parse_u64(text, strlen(text), &id))
		return fsi_scenario_refuse(s, "invalid job id \"%.60s\"", text);
	row = fsi_scenario_find_job(s, id);
	if (row == FSI_NO_INDEX || s->m->job.v[row].state == FSI_STATE_FUTURE)
		return fsi_scenario_refuse(s, "job %.60s is not in the snapshot", text);
	*out = &s->m->job.v[row];
	return fsi_job_has_ended(*out) ? fsi_scenario_refuse(s, "job %.60s has ended and cannot be changed", text)
					: 0;
}

/* Runs the command setspri. "setspri 500 12" puts job 12 above all jobs whose priority is not set. "setspri -r 500 12"
 * adds 500 to the computed priority of job 12. */
static int run_set_priority(struct fsi_scenario *s, size_t at)
{
	const bool more = at < s->n && !strcmp(s->words[at], "-r");
	struct fsi_job *j;
	uint64_t p = 0;

	at += more;
	if (at + 2 != s->n)
		return fsi_scenario_refuse(s, "setspri: expected [-r] PRIORITY JOB");
	if (fsi_parse_u64(s->words[at], strlen(s->words[at]), &p) || p > MAX_PRIORITY)
		return fsi_scenario_refuse(s, "setspri: expected a priority from 0 to %d, got \"%.60s\"", MAX_PRIORITY, s->words[at]);
	if (find_maui_job(s, s->words[at + 1], &j))
		return FS_EUSAGE;
	note_only_admin(s);
	fsi_scenario_drop_priority(s, j);
	FSI_CLEAR_FIELD(j, JOB, priority_set);
	if (!p)
		return 0;
	j->priority_set = (uint32_t)p + (more ? 2u * MAX_PRIO_VAL : 0);
	FSI_SET(j, JOB, priority_set);
	return 0;
}

/* ---- holds */

static const struct maui_hold {
	const char *letter, *reason;
} maui_holds[] = { { "-a", "SystemHold" }, { "-b", "BatchHold" }, { "-s", "SystemHold" }, { "-u", "UserHold" } };

/* Parses the hold option in s->words[*at]. No option means -a: sethold then sets a system hold, and releasehold
 * releases a hold of any kind. */
static int parse_hold_option(struct fsi_scenario *s, size_t *at, const struct maui_hold **out)
{
	*out = &maui_holds[0];
	if (*at >= s->n || s->words[*at][0] != '-')
		return *at < s->n ? 0 : fsi_scenario_refuse(s, "expected a job id");
	for (size_t i = 0; i < sizeof(maui_holds) / sizeof(*maui_holds); i++)
		if (!strcmp(s->words[*at], maui_holds[i].letter)) {
			*out = &maui_holds[i];
			++*at;
			return *at < s->n ? 0 : fsi_scenario_refuse(s, "expected a job id");
		}
	return fsi_scenario_refuse(s, "unknown hold option \"%.60s\"; known: -a, -b, -s, -u", s->words[*at]);
}

static void note_hold_privilege(struct fsi_scenario *s, const struct fsi_job *j, const char *reason)
{
	if (strcmp(reason, "UserHold") != 0)
		note_only_admin(s);
	else if (!fsi_scenario_viewer_may(s, FSI_OWNER, j->user, 0))
		fsi_scenario_note(s, "only %s or an administrator may do this", fsi_name_text(s->m, j->user));
}

static int run_set_hold(struct fsi_scenario *s, size_t at)
{
	const struct maui_hold *h;
	int rc = parse_hold_option(s, &at, &h);

	for (; !rc && at < s->n; at++) {
		struct fsi_job *j;

		rc = find_maui_job(s, s->words[at], &j);
		if (!rc && j->state != FSI_STATE_PENDING)
			rc = fsi_scenario_refuse(s, "job %.60s is not pending, so it cannot be held", s->words[at]);
		if (rc)
			break;
		note_hold_privilege(s, j, h->reason);
		j->reason = fsi_name_intern(s->m, h->reason);
		if (j->reason == FSI_INTERN_FAILED)
			return fsi_fail_no_memory(s->err);
		FSI_SET(j, JOB, reason);
		fsi_scenario_drop_priority(s, j);
	}
	return rc;
}

/* Runs "releasehold". The release of a user hold restarts the queue time of the job; the release of any other hold does
 * not (src/MRM.c: MRMJobPostUpdate). */
static int run_release_hold(struct fsi_scenario *s, size_t at)
{
	const struct maui_hold *h;
	int rc = parse_hold_option(s, &at, &h);

	for (; !rc && at < s->n; at++) {
		struct fsi_job *j;
		const char *reason;

		rc = find_maui_job(s, s->words[at], &j);
		if (rc)
			break;
		reason = fsi_name_text(s->m, j->reason);
		if (!strstr(reason, "Hold") || (h != &maui_holds[0] && strcmp(reason, h->reason) != 0)) {
			fsi_scenario_note(s, "job %s has no %s to release", s->words[at],
					  h == &maui_holds[0] ? "hold" : h->reason);
			continue;
		}
		note_hold_privilege(s, j, reason);
		if (!strcmp(reason, "UserHold")) {
			fsi_scenario_note(s, "%sits queue time starts again at 0", fsi_scenario_job_prefix(s, j));
			j->eligible_time = s->m->info.time;
			FSI_SET(j, JOB, eligible_time);
		}
		FSI_CLEAR_FIELD(j, JOB, reason);
		fsi_scenario_drop_priority(s, j);
	}
	return rc;
}

static int run_cancel_job(struct fsi_scenario *s, size_t at)
{
	int rc = at < s->n ? 0 : fsi_scenario_refuse(s, "expected a job id");

	for (; !rc && at < s->n; at++) {
		struct fsi_job *j;

		rc = find_maui_job(s, s->words[at], &j);
		if (rc)
			break;
		note_hold_privilege(s, j, "UserHold");
		rc = fsi_scenario_cancel_job(s, j);
		fsi_scenario_remove_cancelled(s);
	}
	return rc;
}

/* Runs "releaseres maint.0" (src/UserI.c: UIResDestroy). */
static int run_release_reservation(struct fsi_scenario *s, size_t at)
{
	if (at == s->n)
		return fsi_scenario_refuse(s, "expected the name of a reservation");
	for (size_t i = 0; i < s->m->reservation.n; i++) {
		struct fsi_reservation *r = &s->m->reservation.v[i];

		if (strcmp(fsi_name_text(s->m, r->name), s->words[at]) != 0)
			continue;
		note_only_admin(s);
		memmove(r, r + 1, (s->m->reservation.n - i - 1) * sizeof(*r));
		s->m->reservation.n--;
		return 0;
	}
	return fsi_scenario_refuse(s, "no reservation '%s' in the snapshot", s->words[at]);
}

/* ---- Maui's commands setqos and qalter */

static int change_job_qos(struct fsi_scenario *s, struct fsi_job *j, const char *text)
{
	const uint32_t name = fsi_name_find(s->m, text);
	struct fsi_creds creds;
	bool may;

	if (!*text || !name || fsi_creds_init(&creds, s->m))
		return *text && name ? fsi_fail_no_memory(s->err)
				     : fsi_scenario_refuse(s, "there is no QOS \"%.60s\"", text);
	may = fsi_maui_may_use_qos(s->m, &creds, j, name);
	fsi_creds_release(&creds);
	if (!may)
		return fsi_scenario_refuse(s, "QOS %.60s is in no QLIST of the job's user, group, account or class", text);
	j->qos = fsi_intern_add(&s->m->sets, &name, sizeof(name));
	FSI_SET(j, JOB, qos);
	fsi_scenario_drop_priority(s, j);
	return j->qos == FSI_INTERN_FAILED ? fsi_fail_no_memory(s->err) : 0;
}

/* Applies a command such as "setqos high 12". */
static int run_set_qos(struct fsi_scenario *s, size_t at)
{
	struct fsi_job *j;

	if (at + 2 != s->n)
		return fsi_scenario_refuse(s, "setqos: expected QOS JOB");
	if (find_maui_job(s, s->words[at + 1], &j))
		return FS_EUSAGE;
	note_hold_privilege(s, j, "UserHold");
	return change_job_qos(s, j, s->words[at]);
}

/* Parses "[[D:]H:]M:S" or a number of seconds. Returns -1 if the text is not a time. */
static int parse_maui_seconds(const char *text, int64_t *out)
{
	static const int64_t unit[] = { 60, 60, 24 };
	int64_t total = 0;

	for (int part = 0; part < 4; part++) {
		const size_t len = strcspn(text, ":");
		size_t colons = 0;
		uint64_t n;

		if (fsi_parse_u64(text, len, &n) || n > INT32_MAX)
			return -1;
		for (const char *c = text; *c; c++)
			colons += *c == ':';
		total += (int64_t)n;
		if (!colons) {
			*out = total;
			return 0;
		}
		if (colons > 3)
			return -1;
		total *= unit[colons - 1];
		text += len + 1;
	}
	return -1;
}

static int change_job_walltime(struct fsi_scenario *s, struct fsi_job *j, const char *text)
{
	int64_t limit;

	if (parse_maui_seconds(text, &limit) || limit < 1)
		return fsi_scenario_refuse(s, "qalter: expected a walltime such as 4:00:00, got \"%.60s\"", text);
	if (j->state != FSI_STATE_PENDING && (!FSI_HAS(j, JOB, time_limit_s) || limit > j->time_limit_s))
		fsi_scenario_note(s,
				  "only a manager of the resource manager may lengthen the walltime of a running job");
	j->rec.special &= ~(1u << FSI_JOB_time_limit_s);
	j->time_limit_s = limit;
	FSI_SET(j, JOB, time_limit_s);
	if (j->state != FSI_STATE_PENDING && FSI_HAS(j, JOB, start_time)) {
		j->end_time = j->start_time + limit;
		FSI_SET(j, JOB, end_time);
	}
	fsi_scenario_drop_priority(s, j);
	return 0;
}

/* Applies one option of qalter: "-l walltime=4:00:00" or "-W x=QOS:high". Refuses all other options, which Maui does
 * not read. */
static int apply_qalter_option(struct fsi_scenario *s, struct fsi_job *j, const char *option, const char *text)
{
	static const char walltime[] = "walltime=", qos[] = "x=QOS:";

	if (!strcmp(option, "-l") && !strncmp(text, walltime, strlen(walltime)))
		return change_job_walltime(s, j, text + strlen(walltime));
	if (!strcmp(option, "-W") && !strncmp(text, qos, strlen(qos)))
		return change_job_qos(s, j, text + strlen(qos));
	return fsi_scenario_refuse(s, "qalter: expected -l walltime=TIME or -W x=QOS:NAME, got \"%.20s %.60s\"", option,
				   text);
}

static int run_qalter_command(struct fsi_scenario *s, size_t at)
{
	size_t jobs = at;
	int rc = 0;

	while (jobs + 1 < s->n && s->words[jobs][0] == '-')
		jobs += 2;
	if (jobs == at)
		return fsi_scenario_refuse(s, "qalter: expected -l walltime=TIME or -W x=QOS:NAME");
	if (jobs >= s->n)
		return fsi_scenario_refuse(s, "expected a job id");
	for (size_t i = jobs; i < s->n && !rc; i++) {
		struct fsi_job *j;

		rc = find_maui_job(s, s->words[i], &j);
		if (!rc)
			note_hold_privilege(s, j, "UserHold");
		for (size_t k = at; k < jobs && !rc; k += 2)
			rc = apply_qalter_option(s, j, s->words[k], s->words[k + 1]);
	}
	return rc;
}

/* ---- a command that is a line of maui.cfg */

static void drop_maui_priorities(struct fsi_scenario *s)
{
	fsi_scenario_drop_recorded(s, 0);
	for (size_t i = 0; i < s->m->job.n; i++)
		if (s->m->job.v[i].state == FSI_STATE_PENDING)
			FSI_CLEAR_FIELD(&s->m->job.v[i], JOB, priority);
}

/* Applies the line of maui.cfg that begins at s->words[at], such as "XFACTORWEIGHT 10", "XFACTORWEIGHT=10" or
 * "USERCFG[bob] FSTARGET=25". */
static int apply_config_line(struct fsi_scenario *s, size_t at)
{
	static const char ignored[] = ": the value is ignored";
	const char *name = s->words[at], *wrong, *note, *end;
	const size_t len = strcspn(name, "=[");
	size_t n, used;
	const char *const *names = fsi_maui_parameter_names(&n);
	const size_t i = fsi_scenario_find_name(names, n, sizeof(*names), name, len);
	char text[FSI_COMMAND_MAX + 2 * FSI_COMMAND_WORDS];
	bool changed;
	int rc;

	if (i == n)
		return fsi_scenario_refuse(s, "the snapshot's scheduler is Maui: unknown command or parameter \"%.*s\"; the nearest parameter is %s",
					   (int)(len < 60 ? len : 60), name,
					   fsi_scenario_nearest_name(names, n, sizeof(*names), name, len));
	used = (size_t)snprintf(text, sizeof(text), "%s%s", names[i], name + len);
	for (size_t k = at + 1; k < s->n && used < sizeof(text); k++)
		used += (size_t)snprintf(text + used, sizeof(text) - used, " %s", s->words[k]);
	rc = fsi_maui_apply_line(s->m, text, &wrong, &note, &changed, s->err);
	if (rc)
		return rc;
	end = wrong ? strstr(wrong, ignored) : NULL;
	if (wrong)
		return fsi_scenario_refuse(s, "%.*s", (int)(end ? (size_t)(end - wrong) : strlen(wrong)), wrong);
	note_only_admin(s);
	if (note)
		fsi_scenario_note(s, "%s", note);
	drop_maui_priorities(s);
	if (!changed)
		fsi_scenario_note(s, "%s with this value has no effect on computed values", names[i]);
	return 0;
}

static int run_change_param(struct fsi_scenario *s, size_t at)
{
	return at + 2 > s->n ? fsi_scenario_refuse(s, "changeparam: expected PARAMETER VALUE")
			     : apply_config_line(s, at);
}

static const struct fsi_verb maui_verbs[] = {
	{ "canceljob", run_cancel_job },     { "changeparam", run_change_param }, { "qalter", run_qalter_command },
	{ "releasehold", run_release_hold }, { "releaseres", run_release_reservation }, { "sethold", run_set_hold },
	{ "setqos", run_set_qos },           { "setspri", run_set_priority },
};
enum { MAUI_VERB_COUNT = sizeof(maui_verbs) / sizeof(*maui_verbs) };

static bool is_maui_verb(const char *word, size_t len)
{
	return fsi_scenario_find_name(maui_verbs, MAUI_VERB_COUNT, sizeof(*maui_verbs), word, len) < MAUI_VERB_COUNT;
}

static bool is_config_parameter(const char *word, size_t len)
{
	size_t n;
	const char *const *names = fsi_maui_parameter_names(&n);

	return fsi_scenario_find_name(names, n, sizeof(*names), word, len) < n;
}

/* Returns true if the command has the form of a line of maui.cfg. */
static bool is_config_line(const struct fsi_scenario *s)
{
	const char *name = s->words[0];
	const size_t len = strcspn(name, "=[");

	return !is_maui_verb(name, len) && (name[len] || s->n == 2 || is_config_parameter(name, len));
}

bool fsi_maui_begins_command(const char *word)
{
	const size_t len = strcspn(word, "=[");

	return is_maui_verb(word, len) || is_config_parameter(word, len);
}

int fsi_maui_edit(struct fsi_scenario *s)
{
	return is_config_line(s) ? apply_config_line(s, 0)
				 : fsi_scenario_run_verb(s, maui_verbs, MAUI_VERB_COUNT, "the snapshot's scheduler is Maui: command", 0);
}

/* ---- texts of Maui commands for advice */

static void format_maui_minutes(char *out, size_t size, int64_t minutes)
{
	snprintf(out, size, "%" PRId64 ":%02" PRId64 ":00", minutes / 60, minutes % 60);
}

/* Writes the line of maui.cfg that sets a limit of a credential, "USERCFG[bob] MAXIJOB=4". A limit on eligible jobs has
 * an I in its name. Writes nothing for other limits, such as a limit on each user of a class. */
static void write_maui_limit(struct fsi_command *c, const struct fsi_limit_change *l)
{
	static const char active[] = "active ", idle[] = "idle ";
	const bool is_idle = !strncmp(l->name, idle, strlen(idle));
	const char *measure = strstr(l->name, " MAX");
	char kind[32] = "";
	const double none = 1000000; /* larger than any use; 0 would select the limit of the DEFAULT credential */

	if ((!is_idle && strncmp(l->name, active, strlen(active)) != 0) || !measure)
		return;
	for (size_t i = 0; l->credential[i] && i < sizeof(kind) - 1; i++)
		kind[i] = (char)toupper((unsigned char)l->credential[i]);
	fsi_command_set_text(c, "%sCFG[%s] MAX%s%s=%.0f", kind, l->of, is_idle ? "I" : "", measure + strlen(" MAX"),
			     l->amount < 0 ? none : l->amount);
}

const struct fsi_commands fsi_maui_commands = {
	.update = "qalter %s",
	.job_last = true,
	.hold = "sethold -u %s",
	.release = "releasehold -a %s",
	.release_own = "releasehold -u %s",
	.cancel = "canceljob",
	.delete_reservation = "releaseres %s",
	.first = "setspri 1000 %s",
	.word = {
		[FSI_CHANGE_TIME_LIMIT] = " -l walltime=",
		[FSI_CHANGE_QOS] = " -W x=QOS:",
	},
	.minutes = format_maui_minutes,
	.limit = write_maui_limit,
	.allow_negative_priority = "REJECTNEGPRIOJOBS FALSE",
};
