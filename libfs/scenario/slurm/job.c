/* scontrol update job (src/scontrol/update_job.c; what the controller makes of it: src/slurmctld/job_mgr.c:
 * _update_job). */
#include "model/job/size.h"
#include "scenario/slurm/slurm.h"

#include <stdio.h>
#include <string.h>

static void only(struct fsi_scenario *s, const struct fsi_job *j, enum fsi_who who, const char *word)
{
	char what[96];

	snprintf(what, sizeof(what), "%s%s: ", fsi_scenario_of_job(s, j), word);
	fsi_scenario_note_who(s, who, j->user, j->account, what);
}

/* ---- time */

/* Is the limit above that of the partition in which the job was last tried? Which one of a list that was is not
 * known: the first is taken. */
static bool above_max_time(const fs_snapshot *m, const struct fsi_job *j)
{
	const struct fsi_partition *p = fsi_first_partition(m, j);

	if (!p || !FSI_HAS(p, PARTITION, max_time_s) || FSI_SPECIAL(p, PARTITION, max_time_s))
		return false;
	return FSI_SPECIAL(j, JOB, time_limit_s) || j->time_limit_s > p->max_time_s;
}

/* The CPUs that the size factor tells stay what they are: priority_multifactor.c:set_priority_factors divides by the
 * limit alone. */
static void divide_size(fs_snapshot *m, const struct fsi_job *was, struct fsi_job *j)
{
	const bool timed = FSI_HAS(was, JOB, time_limit_s) && !FSI_SPECIAL(was, JOB, time_limit_s) &&
			   !FSI_SPECIAL(j, JOB, time_limit_s);
	struct fsi_job_size s = { .minutes = (double)(was->time_limit_s / 60), .by_time = true,
				  .small = fsi_config_yes(m, "PriorityFavorSmall") };

	fsi_job_size_of_cluster(m, &s);
	s.cpus = timed && FSI_HAS(j, JOB, size_factor) ? fsi_job_size_cpus(&s, fsi_job_rare(m, j)->size_factor) : 0;
	s.minutes = (double)(j->time_limit_s / 60);
	if (s.cpus > 0 && s.minutes > 0)
		fsi_job_rare_own(m, j)->size_factor = fsi_job_size_factor(&s);
	else
		FSI_CLEAR_RARE(m, j, size_factor);
}

static void limit_moved(struct fsi_scenario *s, const struct fsi_job *was, struct fsi_job *j)
{
	const bool runs = j->state != FSI_STATE_PENDING, unlimited = FSI_SPECIAL(j, JOB, time_limit_s);
	const bool raised = !FSI_SPECIAL(was, JOB, time_limit_s) &&
			    (unlimited || j->time_limit_s > was->time_limit_s);

	if (raised && (runs || above_max_time(s->m, j)))
		only(s, j, FSI_OPERATOR, runs ? "a longer limit once it runs" : "a limit above its partition's");
	if (fsi_config_lists(s->m, "PriorityFlags", "SMALL_RELATIVE_TO_TIME"))
		divide_size(s->m, was, j);
	if (runs && FSI_HAS(j, JOB, start_time) && !unlimited)
		j->end_time = j->start_time + j->time_limit_s;
	else if (runs)
		FSI_FORGET(j, JOB, end_time);
}

static FSI_SETTER(set_time_limit)
{
	struct fsi_job *j = fsi_edited_job(rec);
	const struct fsi_job was = *j;
	const bool longer = v.op == '+';
	int64_t by;

	if (v.op != '=') {
		if (!v.text || fsi_scenario_minutes(v.text, &by) || by == FS_UNLIMITED)
			return fsi_scenario_refuse(s, "TimeLimit: expected a time, got \"%.60s\"", v.text ? v.text : "");
		if (FSI_SPECIAL(j, JOB, time_limit_s) || !FSI_HAS(j, JOB, time_limit_s) ||
		    (!longer && by >= j->time_limit_s))
			return fsi_scenario_refuse(s, "TimeLimit: the job has no limit that could be changed by %s", v.text);
		j->time_limit_s += longer ? by : -by;
	} else {
		const int rc = fsi_scenario_set(s, FSI_RECORD_JOB, rec, w->word, "time_limit_s", v);

		if (rc)
			return rc;
	}
	if (FSI_HAS(j, JOB, time_min_s) && !FSI_SPECIAL(j, JOB, time_limit_s) &&
	    j->time_limit_s < fsi_job_rare(s->m, j)->time_min_s)
		return fsi_scenario_refuse(s, "TimeLimit: the job's TimeMin is longer");
	limit_moved(s, &was, j);
	return 0;
}

static FSI_SETTER(set_time_min)
{
	struct fsi_job *j = fsi_edited_job(rec);
	const int rc = fsi_scenario_set(s, FSI_RECORD_JOB, rec, w->word, "time_min_s", v);

	if (!rc && FSI_HAS(j, JOB, time_limit_s) && !FSI_SPECIAL(j, JOB, time_limit_s) &&
	    (FSI_SPECIAL(j, JOB, time_min_s) || fsi_job_rare(s->m, j)->time_min_s > j->time_limit_s))
		return fsi_scenario_refuse(s, "TimeMin: longer than the job's TimeLimit");
	return rc;
}

static FSI_SETTER(set_start_time)
{
	struct fsi_job *j = fsi_edited_job(rec);
	struct fsi_job at = *j;
	const int rc = fsi_scenario_set(s, FSI_RECORD_JOB, &at.rec, w->word, "eligible_time", v);

	if (rc)
		return rc;
	j->eligible_time = at.eligible_time > s->m->info.time ? at.eligible_time : s->m->info.time;
	FSI_SET(j, JOB, eligible_time);
	fsi_slurm_age(s, j, FSI_AGE_LOST);
	return 0;
}

/* Of a job that runs: its limit follows, in whole minutes. */
static FSI_SETTER(set_end_time)
{
	struct fsi_job *j = fsi_edited_job(rec);
	const bool known = FSI_HAS(j, JOB, end_time);
	const int64_t was = j->end_time;

	if (j->state != FSI_STATE_RUNNING)
		return fsi_scenario_refuse(s, "%s: job %llu does not run", w->word, (unsigned long long)j->id);
	if (fsi_scenario_set(s, FSI_RECORD_JOB, rec, w->word, "end_time", v))
		return FS_EUSAGE;
	if (j->end_time < s->m->info.time)
		return fsi_scenario_refuse(s, "%s: that is in the past", w->word);
	if (!known || j->end_time >= was)
		only(s, j, FSI_OPERATOR, "a later end");
	if (known && FSI_HAS(j, JOB, time_limit_s) && !FSI_SPECIAL(j, JOB, time_limit_s))
		j->time_limit_s += (j->end_time - was + 30) / 60 * 60;
	return 0;
}

static FSI_SETTER(reset_age)
{
	(void)w;
	if (v.text)
		return fsi_scenario_refuse(s, "ResetAccrueTime takes no value");
	fsi_edited_job(rec)->accrue_time = s->m->info.time;
	FSI_SET(fsi_edited_job(rec), JOB, accrue_time);
	return 0;
}

/* ---- whose it is */

/* CPUs for each GPU that are the default of the partition before are told no more. */
static FSI_SETTER(set_partition)
{
	struct fsi_job *j = fsi_edited_job(rec);

	(void)w;
	if (fsi_slurm_keep_gpu_cpus(s, j))
		return FS_ENOMEM;
	if (fsi_job_rare(s->m, j)->cpus_per_gpu_default) {
		FSI_CLEAR_RARE(s->m, j, cpus_per_gpu);
		FSI_CLEAR_RARE(s->m, j, cpus_per_gpu_default);
	}
	if (fsi_slurm_partition(s, j, v.text ? v.text : ""))
		return FS_EUSAGE;
	fsi_slurm_age(s, j, FSI_AGE_DIPS);
	return 0;
}

static FSI_SETTER(set_account)
{
	const uint32_t name = v.text ? fsi_name_find(s->m, v.text) : 0;
	int rc;

	if (!name)
		return fsi_scenario_refuse(s, "there is no account \"%.60s\"", v.text ? v.text : "");
	only(s, fsi_edited_job(rec), FSI_OWNER, w->word);
	rc = fsi_slurm_charge(s, fsi_edited_job(rec), name);
	if (!rc)
		fsi_slurm_age(s, fsi_edited_job(rec), FSI_AGE_DIPS);
	return rc;
}

static FSI_SETTER(set_qos)
{
	const int rc = fsi_slurm_qos(s, fsi_edited_job(rec), v.text ? v.text : "");

	(void)w;
	if (!rc)
		fsi_slurm_age(s, fsi_edited_job(rec), FSI_AGE_DIPS);
	return rc;
}

/* ---- priority */

static FSI_SETTER(set_nice)
{
	const int64_t max = INT64_C(2147483645); /* NICE_OFFSET - 3 */
	struct fsi_job *j = fsi_edited_job(rec);
	int64_t nice = 100;

	if (v.text && fsi_slurm_number(s, w, v.text, -max, max, &nice))
		return FS_EUSAGE;
	if (FSI_HAS(j, JOB, priority_set) && j->priority_set) {
		fsi_scenario_note(s, "%sNice is ignored while its priority is set", fsi_scenario_of_job(s, j));
		return 0;
	}
	if (nice < 0)
		only(s, j, FSI_OPERATOR, "Nice below 0");
	j->nice = (int32_t)nice;
	FSI_SET(j, JOB, nice);
	return 0;
}

static void clear_nice(struct fsi_scenario *s, struct fsi_job *j)
{
	if (j->nice && !fsi_scenario_may(s, FSI_OPERATOR, 0, 0))
		fsi_scenario_note(s, "%sPriority would be refused, but its nice of %d would become 0 all the same",
				  fsi_scenario_of_job(s, j), j->nice);
	j->nice = 0;
	FSI_SET(j, JOB, nice);
}

static FSI_SETTER(set_priority)
{
	struct fsi_job *j = fsi_edited_job(rec);
	int64_t priority;

	/* Only digits are taken (src/common/proc_args.c:parse_uint32), so that no word has the priority computed
	 * again. */
	if (fsi_slurm_number(s, w, v.text, 0, INT64_C(4294967293), &priority))
		return FS_EUSAGE;
	if (priority && fsi_slurm_held(j))
		return fsi_scenario_refuse(s, "%s: job %llu is held, and takes no priority before it is released", w->word,
					   (unsigned long long)j->id);
	only(s, j, priority ? FSI_OPERATOR : FSI_OWNER, w->word);
	clear_nice(s, j);
	FSI_FORGET(j, JOB, priority_set);
	FSI_FORGET(j, JOB, priority);
	j->priority = (uint32_t)priority;
	FSI_SET(j, JOB, priority);
	if (priority) {
		j->priority_set = (uint32_t)priority;
		FSI_SET(j, JOB, priority_set);
	}
	return 0;
}

/* ---- what else it asks for */

static FSI_SETTER(set_reservation)
{
	const uint32_t name = v.text ? fsi_name_find(s->m, v.text) : 0;
	bool there = !v.text || !*v.text;

	for (size_t i = 0; name && i < s->m->reservation.n; i++)
		there = there || s->m->reservation.v[i].name == name;
	if (!there && !fsi_hidden(s->m, "reservation"))
		return fsi_scenario_refuse(s, "there is no reservation \"%.60s\"", v.text);
	return fsi_scenario_set(s, FSI_RECORD_JOB, rec, w->word, "reservation", v);
}

static FSI_SETTER(refuse_burst_buffer)
{
	(void)rec;
	(void)v;
	return fsi_scenario_refuse(s, "%s: it cannot change while a job waits or runs", w->word);
}

static const struct fsi_edit_word words[] = {
	{ "Account", NULL, FSI_OWNER, set_account, 1 },
	{ "AdminComment", NULL, FSI_ADMINISTRATOR, fsi_scenario_ignore, 6 },
	{ "ArrayTaskThrottle", NULL, FSI_OWNER, fsi_slurm_edit_throttle, 10 },
	{ "BurstBuffer", NULL, FSI_OWNER, refuse_burst_buffer, 1 },
	{ "CPUsPerTask", NULL, FSI_OWNER, fsi_slurm_edit_cpus_per_task, 9 },
	{ "ClusterFeatures", NULL, FSI_OWNER, fsi_scenario_ignore, 8 },
	{ "Clusters", NULL, FSI_OWNER, fsi_scenario_ignore, 8 },
	{ "Comment", "comment", FSI_OWNER, NULL, 3 },
	{ "Contiguous", NULL, FSI_OWNER, fsi_slurm_edit_contiguous, 3 },
	{ "CoreSpec", NULL, FSI_OPERATOR, fsi_slurm_edit_core_spec, 4 },
	{ "CpusPerTres", NULL, FSI_OWNER, fsi_slurm_edit_gres, 9 },
	{ "Deadline", "deadline", FSI_OPERATOR, NULL, 3 },
	{ "DelayBoot", NULL, FSI_OWNER, fsi_scenario_ignore, 5 },
	{ "Dependency", NULL, FSI_OWNER, fsi_slurm_edit_dependency, 1 },
	{ "EligibleTime", NULL, FSI_OWNER, set_start_time, 2 },
	{ "EndTime", NULL, FSI_OWNER, set_end_time, 2 },
	{ "ExcNodeList", NULL, FSI_OWNER, fsi_slurm_edit_nodes_by_name, 3 },
	{ "Extra", NULL, FSI_OWNER, fsi_scenario_ignore, 3 },
	{ "Features", NULL, FSI_OWNER, fsi_slurm_edit_features, 1 },
	{ "Gres", NULL, FSI_OWNER, fsi_slurm_edit_gres, 2 },
	{ "JobName", "name", FSI_OWNER, NULL, 4 },
	{ "Licenses", NULL, FSI_OWNER, fsi_slurm_edit_licenses, 1 },
	{ "MCSLabel", NULL, FSI_OWNER, fsi_scenario_ignore, 4 },
	{ "MailType", NULL, FSI_OWNER, fsi_scenario_ignore, 5 },
	{ "MailUser", NULL, FSI_OWNER, fsi_scenario_ignore, 5 },
	{ "MemPerTres", NULL, FSI_OWNER, fsi_slurm_edit_gres, 5 },
	{ "MinCPUsNode", NULL, FSI_OWNER, fsi_slurm_edit_min_cpus, 4 },
	{ "MinMemoryCPU", NULL, FSI_OWNER, fsi_slurm_edit_mem_per_cpu, 10 },
	{ "MinMemoryNode", NULL, FSI_OWNER, fsi_slurm_edit_mem_per_node, 10 },
	{ "MinTmpDiskNode", "tmp_disk_mb", FSI_OWNER, NULL, 5 },
	{ "Name", "name", FSI_OWNER, NULL, 2 },
	{ "Nice", NULL, FSI_OWNER, set_nice, 2 },
	{ "NodeList", NULL, FSI_OWNER, fsi_slurm_edit_nodes_by_name, 8 },
	{ "NumCPUs", NULL, FSI_OWNER, fsi_slurm_edit_cpus, 6 },
	{ "NumNodes", NULL, FSI_OWNER, fsi_slurm_edit_nodes, 8 },
	{ "NumTasks", NULL, FSI_OWNER, fsi_slurm_edit_tasks, 8 },
	{ "OverSubscribe", "oversubscribe", FSI_OPERATOR, NULL, 2 },
	{ "Partition", NULL, FSI_OWNER, set_partition, 2 },
	{ "Prefer", NULL, FSI_OWNER, fsi_slurm_edit_prefer, 3 },
	{ "Priority", NULL, FSI_OWNER, set_priority, 2 },
	{ "QOS", NULL, FSI_OWNER, set_qos, 2 },
	{ "Reboot", NULL, FSI_ADMINISTRATOR, fsi_scenario_ignore, 3 },
	{ "ReqCores", "cores_per_socket", FSI_OWNER, NULL, 4 },
	{ "ReqNodeList", NULL, FSI_OWNER, fsi_slurm_edit_nodes_by_name, 8 },
	{ "ReqNodes", NULL, FSI_OWNER, fsi_slurm_edit_nodes, 8 },
	{ "ReqProcs", NULL, FSI_OWNER, fsi_slurm_edit_tasks, 8 },
	{ "ReqSockets", NULL, FSI_OWNER, fsi_slurm_edit_sockets, 4 },
	{ "ReqThreads", "threads_per_core", FSI_OWNER, NULL, 4 },
	{ "Requeue", NULL, FSI_OWNER, fsi_scenario_ignore, 4 },
	{ "ReservationName", NULL, FSI_OWNER, set_reservation, 3 },
	{ "ResetAccrueTime", NULL, FSI_OWNER, reset_age, 3 },
	{ "Shared", "oversubscribe", FSI_OPERATOR, NULL, 2 },
	{ "SiteFactor", "site_factor", FSI_OPERATOR, NULL, 5 },
	{ "StartTime", NULL, FSI_OWNER, set_start_time, 2 },
	{ "StdErr", NULL, FSI_OWNER, fsi_scenario_ignore, 6 },
	{ "StdIn", NULL, FSI_OWNER, fsi_scenario_ignore, 5 },
	{ "StdOut", NULL, FSI_OWNER, fsi_scenario_ignore, 6 },
	{ "Switches", NULL, FSI_OWNER, fsi_slurm_edit_switches, 5 },
	{ "TasksPerNode", "ntasks_per_node", FSI_OPERATOR, NULL, 2 },
	{ "ThreadSpec", NULL, FSI_OPERATOR, fsi_slurm_edit_core_spec, 4 },
	{ "TimeLimit", NULL, FSI_OWNER, set_time_limit, 5 },
	{ "TimeMin", NULL, FSI_OWNER, set_time_min, 5 },
	{ "TresBind", NULL, FSI_OWNER, fsi_scenario_ignore, 5 },
	{ "TresFreq", NULL, FSI_OWNER, fsi_scenario_ignore, 5 },
	{ "TresPerJob", NULL, FSI_OWNER, fsi_slurm_edit_gres, 8 },
	{ "TresPerNode", NULL, FSI_OWNER, fsi_slurm_edit_gres, 8 },
	{ "TresPerSocket", NULL, FSI_OWNER, fsi_slurm_edit_gres, 8 },
	{ "TresPerTask", NULL, FSI_OWNER, fsi_slurm_edit_gres, 8 },
	{ "UserID", NULL, FSI_OWNER, fsi_scenario_ignore, 3 },
	{ "WCKey", NULL, FSI_OWNER, fsi_scenario_ignore, 1 },
	{ "WorkDir", NULL, FSI_OWNER, fsi_scenario_ignore, 2 },
	{ "wait-for-switch", NULL, FSI_OWNER, fsi_slurm_edit_switch_wait, 5 },
};

bool fsi_slurm_job_word(const char *word, size_t len)
{
	return fsi_scenario_table_has(words, sizeof(words) / sizeof(*words), word, len);
}

struct change {
	const struct fsi_edit_word *word;
	struct fsi_operand v;
};

struct changes {
	struct change v[FSI_COMMAND_WORDS];
	size_t n;
	size_t changed, refused; /* records that were changed; records in a state that refuses the change */
};

/* Returns true if the word changes a job that runs. The throttle is that of the whole array. */
static bool while_running(const struct fsi_edit_word *w)
{
	static const char *const names[] = { "AdminComment", "ArrayTaskThrottle", "Comment", "EndTime",
					     "Extra",	     "JobName",		  "MailType", "MailUser",
					     "Name",	     "Requeue",		  "TimeLimit" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(w->word, names[i]))
			return true;
	return false;
}

/* Returns the first change that a job that runs does not take; NULL: it takes them all. */
static const struct change *too_late(const struct fsi_job *j, const struct changes *all)
{
	for (size_t i = 0; i < all->n && j->state == FSI_STATE_RUNNING; i++)
		if (!while_running(all->v[i].word))
			return &all->v[i];
	return NULL;
}

static int apply_words(struct fsi_scenario *s, struct fsi_job *j, const struct changes *all)
{
	int rc = 0;

	for (size_t i = 0; i < all->n && !rc; i++) {
		const struct change *c = &all->v[i];

		if (c->word->who != FSI_OWNER)
			only(s, j, c->word->who, c->word->word);
		rc = fsi_scenario_apply(s, FSI_RECORD_JOB, &j->rec, c->word, c->v);
	}
	return rc;
}

/* The controller answers for each job and each task of an array by itself: one that has ended does not keep the others
 * from being changed (src/slurmctld/job_mgr.c: update_job_str). */
static int change_job(struct fsi_scenario *s, struct fsi_job *j, void *ctx)
{
	struct changes *all = ctx;
	const struct change *late = too_late(j, all);
	struct fsi_slurm_size size = { 0 };
	int rc;

	if (fsi_job_finished(j) || late) {
		all->refused++;
		if (late)
			fsi_scenario_refuse(s, "job %llu runs: its %s can no longer change", (unsigned long long)j->id,
					    late->word->word);
		else
			fsi_scenario_refuse(s, "job %llu has ended", (unsigned long long)j->id);
		return 0;
	}
	all->changed++;
	only(s, j, FSI_OWNER, "update");
	s->size = &size;
	rc = apply_words(s, j, all);
	s->size = NULL;
	if (!rc)
		rc = fsi_slurm_take_size(s, j, &size);
	if (!rc)
		fsi_slurm_forget_recorded(s, j);
	return rc;
}

/* "Key=value", "Key value"; two words may stand alone. */
static int take_word(struct fsi_scenario *s, size_t *at, struct change *c)
{
	static const struct fsi_edit_word alone[] = { { "Nice", NULL, FSI_OWNER, set_nice, 2 },
						      { "ResetAccrueTime", NULL, FSI_OWNER, reset_age, 3 } };
	enum { ALONE = sizeof(alone) / sizeof(*alone) };
	const char *word = s->word[*at];
	const bool by_itself = fsi_scenario_table_has(alone, ALONE, word, strlen(word));
	const size_t n = by_itself ? ALONE : sizeof(words) / sizeof(*words);
	const int rc = fsi_scenario_word(s, by_itself ? alone : words, n, "scontrol update job", word, &c->word, &c->v);

	if (!rc && !by_itself && !c->v.text && *at + 1 < s->n)
		c->v.text = s->word[++*at];
	return rc;
}

int fsi_slurm_update_job(struct fsi_scenario *s, const char *jobs, size_t at)
{
	struct changes all = { .n = 0 };
	int rc = 0;

	for (; at < s->n && !rc; at++, all.n++)
		rc = take_word(s, &at, &all.v[all.n]);
	if (!rc && !all.n)
		rc = fsi_scenario_refuse(s, "scontrol update job: nothing to change is named");
	if (!rc)
		rc = fsi_slurm_each_job(s, jobs, FSI_TASKS_APART, change_job, &all);
	if (!rc && all.refused && !all.changed)
		return FS_EUSAGE;
	if (!rc && all.refused)
		fsi_scenario_note(s, "job %.60s: %zu running or ended tasks are not changed", jobs,
				  all.refused);
	return rc;
}

int fsi_slurm_set_job(struct fsi_scenario *s, struct fsi_job *j, const char *word, const char *value)
{
	const size_t n = sizeof(words) / sizeof(*words),
		     i = fsi_scenario_find(words, n, sizeof(*words), word, strlen(word));
	struct fsi_slurm_size size = { .submitted = true };

	s->size = &size;
	const int rc = fsi_scenario_apply(s, FSI_RECORD_JOB, &j->rec, &words[i], (struct fsi_operand){ '=', value });

	s->size = NULL;
	return rc ? rc : fsi_slurm_take_size(s, j, &size);
}
