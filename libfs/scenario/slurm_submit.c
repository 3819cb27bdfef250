/* sbatch: a job of the viewer, submitted at the snapshot's clock (src/common/slurm_opt.c: its options;
 * src/slurmctld/job_mgr.c: _job_create, job_submit). */
#include "base/num.h"
#include "scenario/slurm.h"

#include <string.h>

/* Options that need more than a word of scontrol update job. */
enum own {
	ACCOUNT,
	PARTITION,
	QOS,
	NODES,
	TASKS,
	CPUS_PER_TASK,
	TASKS_PER_NODE,
	TIME,
	MEM,
	MEM_PER_CPU,
	GPUS_PER_NODE,
	HOLD,
	ARRAY,
	EXCLUSIVE,
	CONTIGUOUS,
	OWN
};

static const struct option {
	const char *name;
	char letter;	  /* 0: none */
	bool bare;	  /* takes no value, or may be without */
	int own;	  /* OWN: a word alone */
	const char *word; /* of scontrol update job; NULL: it changes nothing that is computed */
} options[] = {
	{ "account", 'A', false, ACCOUNT, NULL },
	{ "array", 'a', false, ARRAY, NULL },
	{ "begin", 'b', false, OWN, "StartTime" },
	{ "comment", 0, false, OWN, "Comment" },
	{ "constraint", 'C', false, OWN, "Features" },
	{ "contiguous", 0, true, CONTIGUOUS, NULL },
	{ "cpus-per-task", 'c', false, CPUS_PER_TASK, NULL },
	{ "deadline", 0, false, OWN, "Deadline" },
	{ "dependency", 'd', false, OWN, "Dependency" },
	{ "error", 'e', false, OWN, NULL },
	{ "exclude", 'x', false, OWN, "ExcNodeList" },
	{ "exclusive", 0, true, EXCLUSIVE, NULL },
	{ "gpus-per-node", 0, false, GPUS_PER_NODE, NULL },
	{ "gres", 0, false, OWN, "Gres" },
	{ "hold", 'H', true, HOLD, NULL },
	{ "job-name", 'J', false, OWN, "JobName" },
	{ "licenses", 'L', false, OWN, "Licenses" },
	{ "mem", 0, false, MEM, NULL },
	{ "mem-per-cpu", 0, false, MEM_PER_CPU, NULL },
	{ "nice", 0, true, OWN, "Nice" },
	{ "nodelist", 'w', false, OWN, "ReqNodeList" },
	{ "nodes", 'N', false, NODES, NULL },
	{ "ntasks", 'n', false, TASKS, NULL },
	{ "ntasks-per-node", 0, false, TASKS_PER_NODE, NULL },
	{ "output", 'o', false, OWN, NULL },
	{ "partition", 'p', false, PARTITION, NULL },
	{ "qos", 'q', false, QOS, NULL },
	{ "reservation", 0, false, OWN, "ReservationName" },
	{ "time", 't', false, TIME, NULL },
	{ "time-min", 0, false, OWN, "TimeMin" },
	{ "wrap", 0, false, OWN, NULL },
};

enum { OPTIONS = sizeof(options) / sizeof(*options) };

struct submission {
	const char *value[OPTIONS]; /* NULL: not given; "" without a value */
};

/* ---- the command line */

static int by_name(struct fsi_scenario *s, const char *name, size_t len, size_t *out)
{
	*out = fsi_scenario_find(options, OPTIONS, sizeof(*options), name, len);
	if (*out < OPTIONS)
		return 0;
	return fsi_scenario_refuse(s, "sbatch: there is no option --%.*s here, the nearest is --%s", (int)(len < 60 ? len : 60), name,
				   fsi_scenario_nearest(options, OPTIONS, sizeof(*options), name, len));
}

static int by_letter(struct fsi_scenario *s, char letter, size_t *out)
{
	for (*out = 0; *out < OPTIONS; (*out)++)
		if (options[*out].letter && options[*out].letter == letter)
			return 0;
	return fsi_scenario_refuse(s, "sbatch: there is no option -%c here", letter);
}

/* The option of s->word[*at], which may take the next word too. */
static int take_option(struct fsi_scenario *s, struct submission *b, size_t *at)
{
	const char *word = s->word[*at], *value = NULL;
	const bool is_long = word[1] == '-';
	const size_t len = is_long ? strcspn(word + 2, "=") : 1;
	size_t i;
	const int rc = is_long ? by_name(s, word + 2, len, &i) : by_letter(s, word[1], &i);

	if (rc)
		return rc;
	if (is_long && word[2 + len])
		value = word + 2 + len + 1;
	else if (!is_long && word[2] && !options[i].bare)
		value = word + 2;
	else if (!options[i].bare)
		value = s->word[*at + 1] ? s->word[++*at] : NULL;
	if (!value && !options[i].bare)
		return fsi_scenario_refuse(s, "sbatch: --%s takes a value", options[i].name);
	b->value[i] = value ? value : "";
	return 0;
}

/* Up to the script, whose own words follow. */
static int take_options(struct fsi_scenario *s, struct submission *b, size_t at)
{
	int rc = 0;

	for (; at < s->n && !rc && s->word[at][0] == '-' && s->word[at][1] && strcmp(s->word[at], "--") != 0; at++)
		rc = take_option(s, b, &at);
	return rc;
}

static const char *given(const struct submission *b, enum own what)
{
	for (size_t i = 0; i < OPTIONS; i++)
		if (options[i].own == (int)what)
			return b->value[i];
	return NULL;
}

/* A whole number of at least 1; 0 if it is not given. */
static int number(struct fsi_scenario *s, const struct submission *b, enum own what, const char *name, uint32_t *out)
{
	const char *text = given(b, what);
	uint64_t n = 0;

	if (text && (fsi_parse_u64(text, strlen(text), &n) || !n || n > INT32_MAX))
		return fsi_scenario_refuse(s, "sbatch: --%s: expected a whole number, got \"%.60s\"", name, text);
	*out = (uint32_t)n;
	return 0;
}

/* ---- the job */

static const struct fsi_user *user_of(const fs_snapshot *m, uint32_t name)
{
	for (size_t i = 0; i < m->user.n; i++)
		if (m->user.v[i].name == name)
			return &m->user.v[i];
	return NULL;
}

/* What other jobs of the user tell of him. */
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

static int set_place(struct fsi_scenario *s, const struct submission *b, struct fsi_job *j)
{
	const struct fsi_user *u = user_of(s->m, j->user);
	const char *account = given(b, ACCOUNT), *partition = given(b, PARTITION), *qos = given(b, QOS);
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

/* Tasks are one, or one on each node that is asked for. */
static int set_size(struct fsi_scenario *s, const struct submission *b, struct fsi_job *j)
{
	const char *nodes = given(b, NODES), *text;
	uint32_t tasks, each, per_node, n = 1;
	int rc = number(s, b, TASKS, "ntasks", &tasks);

	if (!rc)
		rc = number(s, b, CPUS_PER_TASK, "cpus-per-task", &each);
	if (!rc)
		rc = number(s, b, TASKS_PER_NODE, "ntasks-per-node", &per_node);
	if (!rc)
		rc = fsi_slurm_set_cpus(s, j, 1);
	if (!rc)
		rc = nodes ? fsi_slurm_set_job(s, j, "NumNodes", nodes) : fsi_slurm_set_nodes(s, j, 1);
	if (rc)
		return rc;
	n = j->nodes;
	j->tasks = tasks ? tasks : per_node ? n * per_node : n;
	j->cpus_per_task = each ? each : 1;
	FSI_SET(j, JOB, tasks);
	FSI_SET(j, JOB, cpus_per_task);
	rc = fsi_slurm_set_cpus(s, j, j->tasks * j->cpus_per_task > n ? j->tasks * j->cpus_per_task : n);
	if (!rc && (text = given(b, MEM)) != NULL)
		rc = fsi_slurm_set_job(s, j, "MinMemoryNode", text);
	if (!rc && (text = given(b, MEM_PER_CPU)) != NULL)
		rc = fsi_slurm_set_job(s, j, "MinMemoryCPU", text);
	return rc;
}

static int set_gpus(struct fsi_scenario *s, const struct submission *b, struct fsi_job *j)
{
	const char *gpus = given(b, GPUS_PER_NODE);
	char text[128] = "gpu:";

	if (!gpus)
		return 0;
	if (strlen(gpus) > sizeof(text) - sizeof("gpu:"))
		return fsi_scenario_refuse(s, "sbatch: --gpus-per-node: \"%.60s\" is no number", gpus);
	memcpy(text + strlen(text), gpus, strlen(gpus) + 1);
	return fsi_slurm_set_job(s, j, "Gres", text);
}

static int set_time(struct fsi_scenario *s, const struct submission *b, struct fsi_job *j)
{
	size_t n;
	const uint32_t *names = fsi_list(s->m, j->partitions, &n);
	const struct fsi_partition *p = n ? fsi_partition_find(s->m, names[0]) : NULL;

	if (given(b, TIME))
		return fsi_slurm_set_job(s, j, "TimeLimit", given(b, TIME));
	if (p && FSI_HAS(p, PARTITION, default_time_s) && !FSI_SPECIAL(p, PARTITION, default_time_s))
		j->time_limit_s = p->default_time_s;
	else if (p && FSI_HAS(p, PARTITION, max_time_s) && !FSI_SPECIAL(p, PARTITION, max_time_s))
		j->time_limit_s = p->max_time_s;
	else
		return fsi_slurm_set_job(s, j, "TimeLimit", "UNLIMITED");
	FSI_SET(j, JOB, time_limit_s);
	return 0;
}

static int set_rest(struct fsi_scenario *s, const struct submission *b, struct fsi_job *j)
{
	int rc = 0;

	for (size_t i = 0; i < OPTIONS && !rc; i++)
		if (options[i].own == OWN && options[i].word && b->value[i])
			rc = fsi_slurm_set_job(s, j, options[i].word, *b->value[i] ? b->value[i] : "100");
	if (!rc && given(b, CONTIGUOUS))
		rc = fsi_slurm_set_job(s, j, "Contiguous", "1");
	if (!rc && given(b, EXCLUSIVE))
		rc = fsi_slurm_set_job(s, j, "OverSubscribe", "EXCLUSIVE");
	if (!rc && given(b, HOLD))
		rc = fsi_slurm_set_job(s, j, "Priority", "0");
	if (rc || !given(b, ARRAY))
		return rc;
	if (!*given(b, ARRAY) || given(b, ARRAY)[strspn(given(b, ARRAY), "0123456789,-:%")])
		return fsi_scenario_refuse(s, "sbatch: --array: expected tasks such as 0-15%%4, got \"%.60s\"", given(b, ARRAY));
	j->array_tasks = fsi_name(s->m, given(b, ARRAY));
	if (j->array_tasks == FSI_INTERN_FAILED)
		return fsi_nomem(s->err);
	j->array_job_id = j->id;
	FSI_SET(j, JOB, array_tasks);
	FSI_SET(j, JOB, array_job_id);
	return 0;
}

static void set_times(const fs_snapshot *m, struct fsi_job *j)
{
	j->submit_time = j->eligible_time = j->accrue_time = m->info.time;
	FSI_SET(j, JOB, submit_time);
	FSI_SET(j, JOB, eligible_time);
	FSI_SET(j, JOB, accrue_time);
}

/* Jobs stand by id, and its is the next. */
static int new_job(struct fsi_scenario *s, struct fsi_job *j)
{
	fs_snapshot *m = s->m;

	*j = (struct fsi_job){ .state = FSI_STATE_PENDING };
	j->id = m->job.n ? m->job.v[m->job.n - 1].id + 1 : 1;
	j->user = s->viewer.user;
	FSI_SET(j, JOB, id);
	FSI_SET(j, JOB, state);
	FSI_SET(j, JOB, user);
	take_person(m, j);
	set_times(m, j);
	return 0;
}

int fsi_slurm_sbatch(struct fsi_scenario *s, size_t at)
{
	struct submission b = { { NULL } };
	struct fsi_job j;
	int rc = take_options(s, &b, at);

	if (!rc && (!s->o->viewer || !s->viewer.user))
		rc = fsi_scenario_refuse(s, "sbatch submits a job of the user whose eyes are looked through, who is not known here");
	if (rc)
		return rc;
	rc = new_job(s, &j);
	if (!rc)
		rc = set_place(s, &b, &j);
	if (!rc)
		rc = set_size(s, &b, &j);
	if (!rc)
		rc = set_gpus(s, &b, &j);
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
	fsi_scenario_note(s, "%sthe one that is submitted", fsi_slurm_of_job(s, &j));
	if (!given(&b, MEM) && !given(&b, MEM_PER_CPU))
		fsi_scenario_note(s, "%sit asks for no memory; what the site then gives is not known here", fsi_slurm_of_job(s, &j));
	return 0;
}
