/* sbatch: a job of the viewer, submitted at the snapshot's clock (src/slurmctld/job_mgr.c: _job_create, job_submit). */
#include "base/num.h"
#include "base/tasks.h"
#include "scenario/sbatch/sbatch.h"

#include <string.h>

/* ---- the job */

static const struct fsi_user *user_of(const fs_snapshot *m, uint32_t name)
{
	for (size_t i = 0; i < m->user.n; i++)
		if (m->user.v[i].name == name)
			return &m->user.v[i];
	return NULL;
}

/* The user's other jobs tell his uid and his group. */
static void take_person(const fs_snapshot *m, struct fsi_job *j)
{
	for (size_t i = 0; i < m->job.n; i++) {
		const struct fsi_job *o = &m->job.v[i];

		if (o->user != j->user)
			continue;
		if (FSI_HAS(o, JOB, uid))
			fsi_scenario_copy_field(FSI_RECORD_JOB, &j->rec, &o->rec, "uid");
		if (FSI_HAS(o, JOB, group))
			fsi_scenario_copy_field(FSI_RECORD_JOB, &j->rec, &o->rec, "group");
	}
}

static int set_place(struct fsi_scenario *s, const struct fsi_submission *b, struct fsi_job *j)
{
	const struct fsi_user *u = user_of(s->m, j->user);
	const char *account = fsi_sbatch_given(b, FSI_SBATCH_ACCOUNT), *qos = fsi_sbatch_given(b, FSI_SBATCH_QOS),
		   *partition = fsi_sbatch_given(b, FSI_SBATCH_PARTITION);
	int rc;

	if (!account && u && u->default_account)
		account = fsi_str(s->m, u->default_account);
	for (size_t i = 0; !partition && i < s->m->partition.n; i++)
		if (s->m->partition.v[i].is_default)
			partition = fsi_str(s->m, s->m->partition.v[i].name);
	if (!account)
		return fsi_scenario_refuse(s, "sbatch: no default account of %s is known; name one with -A", fsi_str(s->m, j->user));
	if (!partition)
		return fsi_scenario_refuse(s, "sbatch: no default partition is known; name one with -p");
	j->account = fsi_name_find(s->m, account);
	if (!j->account)
		return fsi_scenario_refuse(s, "there is no account \"%.60s\"", account);
	FSI_SET(j, JOB, account);
	rc = fsi_slurm_partition(s, j, partition);
	if (!rc && (qos || s->m->qos.n))
		rc = fsi_slurm_qos(s, j, qos ? qos : "");
	return rc;
}

static int set_time(struct fsi_scenario *s, const struct fsi_submission *b, struct fsi_job *j)
{
	const struct fsi_partition *p = fsi_first_partition(s->m, j);

	if (fsi_sbatch_given(b, FSI_SBATCH_TIME))
		return fsi_slurm_set_job(s, j, "TimeLimit", fsi_sbatch_given(b, FSI_SBATCH_TIME));
	if (p && FSI_HAS(p, PARTITION, default_time_s) && !FSI_SPECIAL(p, PARTITION, default_time_s))
		j->time_limit_s = p->default_time_s;
	else if (p && FSI_HAS(p, PARTITION, max_time_s) && !FSI_SPECIAL(p, PARTITION, max_time_s))
		j->time_limit_s = p->max_time_s;
	else
		return fsi_slurm_set_job(s, j, "TimeLimit", "UNLIMITED");
	FSI_SET(j, JOB, time_limit_s);
	return 0;
}

/* "--exclusive", "--exclusive=user", "-s". */
static int set_sharing(struct fsi_scenario *s, const struct fsi_submission *b, struct fsi_job *j)
{
	static const struct {
		const char *value, *word;
	} kinds[] = { { "", "EXCLUSIVE" }, { "user", "USER" }, { "mcs", "MCS" }, { "topo", "TOPO" } };
	const char *value = fsi_sbatch_given(b, FSI_SBATCH_EXCLUSIVE), *word = NULL;

	if (fsi_sbatch_given(b, FSI_SBATCH_SHARE))
		word = "YES";
	for (size_t i = 0; value && i < sizeof(kinds) / sizeof(*kinds); i++)
		word = strcmp(value, kinds[i].value) ? word : kinds[i].word;
	if (value && !word)
		return fsi_scenario_refuse(s, "sbatch: --exclusive: expected user, mcs or topo, got \"%.60s\"", value);
	return word ? fsi_scenario_set(s, FSI_RECORD_JOB, &j->rec, "--exclusive", "oversubscribe", (struct fsi_operand){ '=', word }) : 0;
}

static int set_array(struct fsi_scenario *s, const char *tasks, struct fsi_job *j)
{
	struct fsi_tasks t;
	const char *at = tasks;
	int rc;

	while ((rc = fsi_tasks_next(&at, &t)) > 0)
		;
	if (rc || at == tasks || (*at && at[1 + strspn(at + 1, "0123456789")]))
		return fsi_scenario_refuse(s, "sbatch: --array: expected tasks such as 0-15%%4, got \"%.60s\"", tasks);
	j->array_tasks = fsi_name(s->m, tasks);
	if (j->array_tasks == FSI_INTERN_FAILED)
		return fsi_nomem(s->err);
	j->array_job_id = j->id;
	FSI_SET(j, JOB, array_tasks);
	FSI_SET(j, JOB, array_job_id);
	return 0;
}

/* "4G", "500": of MiB. */
static int set_disk(struct fsi_scenario *s, const char *text, struct fsi_job *j)
{
	int64_t mb;

	if (!text)
		return 0;
	if (fsi_parse_mem_mb(text, strlen(text), &mb) || mb < 0 || mb > UINT32_MAX)
		return fsi_scenario_refuse(s, "sbatch: --tmp: expected MiB, or an amount such as 4G, got \"%.60s\"", text);
	return FSI_SET_RARE(s->m, j, tmp_disk_mb, (uint32_t)mb) ? fsi_nomem(s->err) : 0;
}

static int set_rest(struct fsi_scenario *s, const struct fsi_submission *b, struct fsi_job *j)
{
	const char *min = fsi_sbatch_given(b, FSI_SBATCH_MINCPUS), *tasks = fsi_sbatch_given(b, FSI_SBATCH_ARRAY);
	int rc = fsi_sbatch_words(s, b, j);

	if (!rc && min)
		rc = fsi_scenario_set(s, FSI_RECORD_JOB, &j->rec, "--mincpus", "min_cpus_per_node",
				      (struct fsi_operand){ '=', min });
	if (!rc)
		rc = set_disk(s, fsi_sbatch_given(b, FSI_SBATCH_TMP), j);
	if (!rc && fsi_sbatch_given(b, FSI_SBATCH_CONTIGUOUS))
		rc = fsi_slurm_set_job(s, j, "Contiguous", "1");
	if (!rc)
		rc = set_sharing(s, b, j);
	if (!rc && fsi_sbatch_given(b, FSI_SBATCH_HOLD))
		rc = fsi_slurm_set_job(s, j, "Priority", "0");
	return rc || !tasks ? rc : set_array(s, tasks, j);
}

static void set_times(const fs_snapshot *m, struct fsi_job *j)
{
	j->submit_time = j->eligible_time = j->accrue_time = m->info.time;
	FSI_SET(j, JOB, submit_time);
	FSI_SET(j, JOB, eligible_time);
	FSI_SET(j, JOB, accrue_time);
}

/* Jobs stand by id, so that the new one gets the next. */
static void new_job(fs_snapshot *m, struct fsi_job *j, uint32_t user)
{
	*j = (struct fsi_job){ .state = FSI_STATE_PENDING };
	j->id = m->job.n ? m->job.v[m->job.n - 1].id + 1 : 1;
	j->user = user;
	FSI_SET(j, JOB, id);
	FSI_SET(j, JOB, state);
	FSI_SET(j, JOB, user);
	take_person(m, j);
	set_times(m, j);
}

/* The job belongs to the viewer, or to whom root names with --uid. */
static int find_owner(struct fsi_scenario *s, const struct fsi_submission *b, uint32_t *user)
{
	const char *uid = fsi_sbatch_given(b, FSI_SBATCH_UID);
	uint64_t number;

	*user = s->o->viewer ? s->viewer.user : 0;
	if (!uid)
		return *user ? 0 : fsi_scenario_refuse(s, "sbatch submits a job of the user whose eyes are looked through, who is not known here");
	if (s->o->viewer && strcmp(s->o->viewer, "root") != 0)
		return fsi_scenario_refuse(s, "sbatch: only root may give --uid");
	*user = fsi_name_find(s->m, uid);
	for (size_t i = 0; i < s->m->user.n && !fsi_parse_u64(uid, strlen(uid), &number); i++)
		if (FSI_HAS(&s->m->user.v[i], USER, uid) && s->m->user.v[i].uid == number)
			*user = s->m->user.v[i].name;
	return *user ? 0 : fsi_scenario_refuse(s, "there is no user \"%.60s\"", uid);
}

/* Has the caller read the script. Without a name, or with "-", sbatch reads its standard input. */
static int read_script(const struct fsi_scenario *s, size_t at)
{
	if (!s->o->script || at >= s->n || !strcmp(s->word[at], "-"))
		return 0;
	return s->o->script(s->o->script_ctx, s->word[at], s->err);
}

int fsi_slurm_sbatch(struct fsi_scenario *s, size_t at)
{
	struct fsi_submission b = { { NULL } };
	struct fsi_sbatch_gpus g = { NULL, FSI_GRES_BY_JOB, 0, 0 };
	struct fsi_job j;
	uint32_t user;
	int rc = fsi_sbatch_options(s, &b, &at);

	if (!rc)
		rc = read_script(s, at);
	if (!rc)
		rc = find_owner(s, &b, &user);
	if (rc)
		return rc;
	new_job(s->m, &j, user);
	rc = set_place(s, &b, &j);
	if (!rc)
		rc = fsi_sbatch_size(s, &b, &j, &g);
	if (!rc)
		rc = fsi_sbatch_gpus(s, &j, &g);
	if (!rc)
		rc = set_time(s, &b, &j);
	if (!rc)
		rc = set_rest(s, &b, &j);
	if (rc)
		return rc;
	if (FSI_VEC_ROOM(&s->m->job))
		return fsi_nomem(s->err);
	s->m->job.v[s->m->job.n++] = j;
	s->m->info.jobs = s->m->job.n;
	fsi_scenario_note(s, "%sthe one that is submitted", fsi_scenario_of_job(s, &j));
	if (!fsi_sbatch_given(&b, FSI_SBATCH_MEM) && !fsi_sbatch_given(&b, FSI_SBATCH_MEM_PER_CPU) &&
	    !fsi_sbatch_given(&b, FSI_SBATCH_MEM_PER_GPU))
		fsi_scenario_note(s, "%sit asks for no memory; what the site then gives is not known here", fsi_scenario_of_job(s, &j));
	return 0;
}
