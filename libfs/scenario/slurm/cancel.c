/* scancel and scontrol requeue (src/slurmctld/job_mgr.c: job_signal_id, _job_requeue_op, batch_requeue_fini). */
#include "scenario/slurm/slurm.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Which jobs scancel's options leave (src/scancel/opt.c; scancel.c: _filter_job_records). NULL: any. */
struct chosen {
	const char *account, *name, *partition, *state, *user;
};

static const struct {
	const char *letter, *word;
	size_t at;
} options[] = {
	{ "-A", "--account", offsetof(struct chosen, account) },     { "-n", "--name", offsetof(struct chosen, name) },
	{ "-p", "--partition", offsetof(struct chosen, partition) }, { "-t", "--state", offsetof(struct chosen, state) },
	{ "-u", "--user", offsetof(struct chosen, user) },
};

static bool has_state(const struct fsi_job *j, const char *state)
{
	static const struct {
		const char *brief, *word;
		enum fsi_job_state state;
	} states[] = { { "PD", "PENDING", FSI_STATE_PENDING },
		       { "R", "RUNNING", FSI_STATE_RUNNING },
		       { "S", "SUSPENDED", FSI_STATE_SUSPENDED } };

	for (size_t i = 0; i < sizeof(states) / sizeof(*states); i++)
		if (j->state == states[i].state && (fsi_same_any_case(state, strlen(state), states[i].brief) ||
						    fsi_same_any_case(state, strlen(state), states[i].word)))
			return true;
	return false;
}

static bool is_chosen(const fs_snapshot *m, const struct fsi_job *j, const struct chosen *c)
{
	return (!c->account || !strcmp(fsi_str(m, j->account), c->account)) &&
	       (!c->name || !strcmp(fsi_str(m, j->name), c->name)) &&
	       (!c->partition || fsi_list_has(m, j->partitions, c->partition)) &&
	       (!c->state || has_state(j, c->state)) &&
	       (!c->user || !strcmp(fsi_str(m, j->user), c->user));
}

static int cancel_job(struct fsi_scenario *s, struct fsi_job *j, void *ctx)
{
	if (fsi_job_finished(j) || !is_chosen(s->m, j, ctx))
		return 0;
	fsi_scenario_note_who(s, FSI_OWNER, j->user, j->account, fsi_scenario_of_job(s, j));
	return fsi_scenario_cancel(s, j);
}

/* Reads "-u dana", "--user=dana" or "--me", and goes on behind it. */
static int read_option(struct fsi_scenario *s, size_t *at, struct chosen *c)
{
	const char *word = s->word[*at], *value = NULL;

	if (!strcmp(word, "--me")) {
		c->user = s->o->viewer ? s->o->viewer : "root";
		++*at;
		return 0;
	}
	for (size_t i = 0; i < sizeof(options) / sizeof(*options); i++) {
		const size_t len = strlen(options[i].word);
		const bool alone = !strcmp(word, options[i].letter) || !strcmp(word, options[i].word);

		if (!alone && (strncmp(word, options[i].word, len) != 0 || word[len] != '='))
			continue;
		value = alone ? (*at + 1 < s->n ? s->word[++*at] : "") : word + len + 1;
		if (!*value)
			return fsi_scenario_refuse(s, "scancel: %s names nothing", options[i].word);
		memcpy((char *)c + options[i].at, &value, sizeof(value));
		++*at;
		return 0;
	}
	return fsi_scenario_refuse(s, "scancel: of the options -A, -n, -p, -t, -u and --me are known here, not %.60s", word);
}

int fsi_slurm_scancel(struct fsi_scenario *s, size_t at)
{
	const size_t first = at;
	struct chosen c = { 0 };
	int rc = 0;

	while (at < s->n && s->word[at][0] == '-' && !rc)
		rc = read_option(s, &at, &c);
	if (rc || at < s->n || at == first)
		return rc ? rc : fsi_slurm_each_word(s, at, FSI_TASKS_APART, cancel_job, &c);
	for (size_t i = 0; i < s->m->job.n && !rc; i++)
		rc = cancel_job(s, &s->m->job.v[i], &c);
	fsi_scenario_close_up(s);
	return rc;
}

/* ---- scontrol requeue */

/* How long a job that is requeued waits at least: until the credentials of its last run are void
 * (src/slurmctld/job_mgr.c: batch_requeue_fini; src/common/slurm_cred.c), unless requeue_delay says it, from 25.11. */
static int64_t requeue_delay(const fs_snapshot *m)
{
	static const char key[] = "requeue_delay=";
	const int64_t credential_s = 120;
	const char *params = fs_snapshot_config_text(m, "SchedulerParameters");
	const char *told = params && fs_slurm_has(m->info.version, FS_SLURM_REQUEUE_DELAY) ? strstr(params, key) : NULL;

	return told ? strtol(told + strlen(key), NULL, 10) : credential_s + 1;
}

/* ctx is a bool: is it held then? */
static int requeue_job(struct fsi_scenario *s, struct fsi_job *j, void *ctx)
{
	const uint32_t held = fsi_name(s->m, "JobHeldUser");

	if (held == FSI_INTERN_FAILED)
		return fsi_nomem(s->err);
	if (j->state == FSI_STATE_PENDING)
		return fsi_scenario_refuse(s, "job %llu is pending already", (unsigned long long)j->id);
	if (fsi_job_finished(j))
		return fsi_scenario_refuse(s, "job %llu has ended: what it asked for is not known any more", (unsigned long long)j->id);
	fsi_scenario_note_who(s, FSI_OWNER, j->user, j->account, fsi_scenario_of_job(s, j));
	fsi_scenario_note(s, "%sit must be a batch job that may be requeued, which is not known here", fsi_scenario_of_job(s, j));
	if (fsi_scenario_free_nodes(s, j))
		return FS_ENOMEM;
	j->state = FSI_STATE_PENDING;
	j->submit_time = s->m->info.time;
	j->eligible_time = s->m->info.time + requeue_delay(s->m);
	j->restarts++;
	FSI_SET(j, JOB, submit_time);
	FSI_SET(j, JOB, eligible_time);
	FSI_SET(j, JOB, restarts);
	FSI_FORGET(j, JOB, accrue_time);
	FSI_FORGET(j, JOB, accruing);
	FSI_FORGET(j, JOB, tres_alloc);
	FSI_FORGET(j, JOB, node_list);
	FSI_FORGET(j, JOB, looked_at_by);
	if (*(const bool *)ctx)
		fsi_slurm_hold_for(s, j, held);
	fsi_slurm_forget_recorded(s, j);
	return 0;
}

int fsi_slurm_requeue(struct fsi_scenario *s, size_t at)
{
	bool hold = false;

	return fsi_slurm_each_word(s, at, FSI_TASKS_APART, requeue_job, &hold);
}

/* "requeuehold [State=SpecialExit] 12" (src/scontrol/info_job.c: scontrol_requeue_hold) holds the job under that
 * name or the other. */
int fsi_slurm_requeuehold(struct fsi_scenario *s, size_t at)
{
	static const char state[] = "State=SpecialExit";
	bool hold = true;

	if (at < s->n && fsi_same_any_case(s->word[at], strlen(s->word[at]), state))
		at++;
	return fsi_slurm_each_word(s, at, FSI_TASKS_APART, requeue_job, &hold);
}
