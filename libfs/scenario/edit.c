/* One command: whose scheduler it is, what it does, and what the scheduler recorded that tells no longer. */
#include "base/sort.h"
#include "model/scheduler.h"
#include "base/options.h"
#include "scenario/scenario.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool fsi_scenario_may(const struct fsi_scenario *s, enum fsi_who who, uint32_t user, uint32_t account)
{
	const struct fsi_viewer *v = &s->viewer;
	const char *admin = v->record ? fsi_str(s->m, v->record->admin) : "";
	size_t n;
	const uint32_t *coordinated = fsi_list(s->m, v->record ? v->record->coordinates : 0, &n);

	if (!s->o->viewer || !strcmp(s->o->viewer, "root") || !strcmp(admin, "administrator"))
		return true;
	if (who == FSI_ADMINISTRATOR)
		return false;
	if (!strcmp(admin, "operator"))
		return true;
	for (size_t i = 0; i < n && who != FSI_OPERATOR; i++)
		if (account && coordinated[i] == account)
			return true;
	return who == FSI_OWNER && user && user == v->user;
}

const char *fsi_scenario_of_job(struct fsi_scenario *s, const struct fsi_job *job)
{
	char text[48];
	const int len = snprintf(text, sizeof(text), "job %" PRIu64 ": ", job->id);
	const char *copy = job->id == s->o->about_job ? "" : fsi_arena_strndup(&s->arena, text, (size_t)len);

	return copy ? copy : "";
}

void fsi_scenario_note_who(const struct fsi_scenario *s, enum fsi_who who, uint32_t user, uint32_t account,
			    const char *what)
{
	const char *of = fsi_str(s->m, account);

	if (fsi_scenario_may(s, who, user, account))
		return;
	if (who == FSI_ADMINISTRATOR)
		fsi_scenario_note(s, "%sonly an administrator may", what);
	else if (who == FSI_OPERATOR)
		fsi_scenario_note(s, "%sonly an operator may", what);
	else if (who == FSI_COORDINATOR)
		fsi_scenario_note(s, "%sonly a coordinator of %s or an operator may", what, of);
	else
		fsi_scenario_note(s, "%sonly %s, a coordinator of %s or an operator may", what,
				  fsi_str(s->m, user), of);
}

void fsi_scenario_forget(struct fsi_scenario *s, uint64_t job)
{
	if (FSI_VEC_ROOM(&s->forgotten))
		s->starved = true;
	else
		s->forgotten.v[s->forgotten.n++] = job;
}

void fsi_scenario_forget_priority(struct fsi_scenario *s, struct fsi_job *job)
{
	fsi_scenario_forget(s, job->id);
	FSI_FORGET(job, JOB, priority);
}

/* One pass, however many they are. */
static void forget(fs_snapshot *m, uint64_t *jobs, size_t n)
{
	size_t kept = 0;

	if (!n)
		return;
	qsort(jobs, n, sizeof(*jobs), fsi_rising_u64);
	for (size_t i = 0; i < m->recorded.n && jobs[0]; i++) {
		const struct fsi_recorded *r = &m->recorded.v[i];

		if (!FSI_HAS(r, RECORDED, job) || !bsearch(&r->job, jobs, n, sizeof(*jobs), fsi_rising_u64))
			m->recorded.v[kept++] = *r;
	}
	m->recorded.n = kept;
}

bool fs_command_begins(const fs_snapshot *m, const char *word)
{
	return m->scheduler->begins_command && m->scheduler->begins_command(word);
}

const char *fs_snapshot_command(const fs_snapshot *m, size_t i)
{
	size_t n;
	const uint32_t *edits = fsi_list(m, m->edits, &n);

	return i < n ? fsi_str(m, edits[i]) : NULL;
}

/* Notes that the state is no longer the one that was read; of too many commands the last are not named. */
static int note_command(fs_snapshot *m, const char *command)
{
	return fsi_list_add(m, &m->edits, SIZE_MAX, fsi_name(m, command)) < 0 ? -1 : 0;
}

int fs_snapshot_edit(fs_snapshot *m, const char *command, const struct fs_edit_options *options,
		     struct fs_error *err)
{
	struct fsi_scenario *s = malloc(sizeof(*s));
	struct fs_edit_options o;
	int rc;

	if (!s || fsi_model_own(m)) {
		free(s);
		return fsi_nomem(err);
	}
	*s = (struct fsi_scenario){ .m = m, .o = FSI_OPTIONS(o, options), .err = err };
	fsi_viewer_init(&s->viewer, m, s->o->viewer);
	rc = fsi_scenario_words(s, command);
	if (!rc && !m->scheduler->edit)
		rc = fsi_fail(err, FS_ENODATA, "%s: no commands are known of scheduler \"%s\"", m->file,
			      m->info.scheduler);
	if (!rc)
		rc = m->scheduler->edit(s);
	if (!rc && (s->starved || note_command(m, command)))
		rc = fsi_nomem(err);
	forget(m, s->forgotten.v, s->forgotten.n);
	FSI_VEC_FREE(&s->forgotten);
	free(s->gone);
	fsi_arena_release(&s->arena);
	free(s);
	return rc;
}
