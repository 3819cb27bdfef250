/* The command scontrol update job (src/scontrol/update_job.c; src/slurmctld/job_mgr.c: _update_job): the keyword table,
 * and the functions that set each keyword's field. */
#include "base/hostlist.h"
#include "base/num.h"
#include "model/find.h"
#include "model/jobs.h"
#include "model/slurm.h"
#include "scenario/slurm/slurm.h"

#include <stdio.h>
#include <string.h>

static int set_job_contiguous(FSI_SETTER_ARGS);
static int set_job_core_spec(FSI_SETTER_ARGS);
static int set_job_cpus(FSI_SETTER_ARGS);
static int set_job_dependency(FSI_SETTER_ARGS);
static int set_job_features(FSI_SETTER_ARGS);
static int set_job_licenses(FSI_SETTER_ARGS);
static int set_job_node_names(FSI_SETTER_ARGS);
static int set_job_prefer(FSI_SETTER_ARGS);
static int set_job_switch_wait(FSI_SETTER_ARGS);
static int set_job_switches(FSI_SETTER_ARGS);
static int set_job_throttle(FSI_SETTER_ARGS);

/* ---- job size: nodes, tasks, CPUs, memory and generic resources */

/* Parses the keyword's value as a whole number from min to max. Returns FS_EUSAGE for any other value. */
static int parse_limited_number(struct fsi_scenario *s, const struct fsi_edit_keyword *w, const char *text, int64_t min,
				int64_t max, int64_t *out)
{
	if (text && !fsi_parse_i64(text, strlen(text), out) && *out >= min && *out <= max)
		return 0;
	return fsi_scenario_refuse(s, "%s: expected a whole number from %lld to %lld, got \"%.60s\"", w->keyword,
				   (long long)min, (long long)max, text ? text : "");
}

static int set_job_nodes(FSI_SETTER_ARGS)
{
	const struct fsi_job *j = fsi_rec_to_job(rec);
	const char *dash = v.text ? strchr(v.text, '-') : NULL;
	const bool keep = !dash && !fs_slurm_has(s->m->info.version, FS_SLURM_NODES_SET_MOST);
	char min[32];
	int64_t nodes, max;

	snprintf(min, sizeof(min), "%.*s", dash ? (int)(dash - v.text) : 31, v.text ? v.text : "");
	if (parse_limited_number(s, w, min, 1, INT32_MAX, &nodes))
		return FS_EUSAGE;
	max = nodes;
	if (dash && (parse_limited_number(s, w, dash + 1, nodes, INT32_MAX, &max)))
		return FS_EUSAGE;
	if (keep && FSI_HAS(j, JOB, max_nodes) && j->max_nodes && j->max_nodes < nodes)
		return fsi_scenario_refuse(s, "%s: %lld is above the job's maximum number of nodes, %u", w->keyword,
					   (long long)nodes, j->max_nodes);
	s->size->nodes = (uint32_t)nodes;
	s->size->max_nodes = keep ? 0 : (uint32_t)max;
	return 0;
}

static int parse_count_keyword(struct fsi_scenario *s, const struct fsi_edit_keyword *w, const char *text, int64_t max,
			       uint32_t *out)
{
	int64_t n;
	const int rc = parse_limited_number(s, w, text, 1, max, &n);

	if (!rc)
		*out = (uint32_t)n;
	return rc;
}

/* The setters in this section only store values in s->size. After the last keyword, the collected size is applied to
 * the job. */
static int set_job_ntasks(FSI_SETTER_ARGS)
{
	(void)rec;
	return parse_count_keyword(s, w, v.text, INT32_MAX, &s->size->tasks);
}

static int set_job_cpus_per_task(FSI_SETTER_ARGS)
{
	(void)rec;
	return parse_count_keyword(s, w, v.text, UINT16_MAX - 2, &s->size->cpus_per_task);
}

static int set_job_cpus(FSI_SETTER_ARGS)
{
	char min[32];

	(void)rec;
	snprintf(min, sizeof(min), "%.*s", v.text ? (int)strcspn(v.text, "-") : 0, v.text ? v.text : "");
	return parse_count_keyword(s, w, min, INT32_MAX, &s->size->cpus);
}

static int set_job_min_cpus(FSI_SETTER_ARGS)
{
	int64_t min;

	(void)rec;
	if (parse_limited_number(s, w, v.text, 0, UINT16_MAX - 2, &min))
		return FS_EUSAGE;
	s->size->min_cpus_per_node = (uint32_t)min;
	s->size->has_min_cpus = true;
	return 0;
}

static int parse_memory_keyword(struct fsi_scenario *s, const struct fsi_edit_keyword *w, const char *text,
				bool by_node)
{
	int64_t mb;

	if (!text || fsi_parse_mem_mb(text, strlen(text), &mb) || mb < 0 || mb > UINT32_MAX)
		return fsi_scenario_refuse(s, "%s: expected MiB, or an amount such as 4G, got \"%.60s\"", w->keyword,
					   text ? text : "");
	s->size->mem_mb = (uint32_t)mb;
	s->size->has_mem = true;
	s->size->mem_by_node = by_node;
	return 0;
}

static int set_job_mem_per_cpu(FSI_SETTER_ARGS)
{
	(void)rec;
	return parse_memory_keyword(s, w, v.text, false);
}

static int set_job_mem_per_node(FSI_SETTER_ARGS)
{
	(void)rec;
	return parse_memory_keyword(s, w, v.text, true);
}

/* Stores a request for generic resources, or for CPUs or memory per GPU, in s->size. Before 23.11, keywords of scontrol
 * other than Gres accept only items such as "gres:gpu:2". */
static int set_job_gres(FSI_SETTER_ARGS)
{
	static const struct {
		const char *word;
		enum fsi_gres_by by;
	} by[] = { { "TresPerJob", FSI_GRES_BY_JOB }, { "TresPerTask", FSI_GRES_BY_TASK }, { "TresPerSocket", FSI_GRES_BY_SOCKET } };
	const bool plain = s->size->submitted || !strcmp(w->keyword, "Gres"), slash = fs_slurm_has(s->m->info.version, FS_SLURM_TRES_SLASH);
	const char *text = v.text ? v.text : "", **to = &s->size->gres[FSI_GRES_BY_NODE];

	(void)rec;
	if (s->size->submitted && fsi_is_same_ignoring_case(text, strlen(text), "none"))
		return 0;
	for (const char *p = text; *p && !plain && !slash; p += strspn(p, ",")) {
		if (strncmp(p, "gres:", 5) != 0)
			return fsi_scenario_refuse(s, "%s: expected items such as gres:gpu:2, got \"%.60s\"",
						   w->keyword, p);
		p += strcspn(p, ",");
	}
	for (size_t i = 0; i < sizeof(by) / sizeof(*by); i++)
		to = strcmp(w->keyword, by[i].word) ? to : &s->size->gres[by[i].by];
	if (!strcmp(w->keyword, "CpusPerTres"))
		to = &s->size->cpus_per_gpu;
	else if (!strcmp(w->keyword, "MemPerTres"))
		to = &s->size->mem_per_gpu;
	else
		s->size->has_gres = s->size->has_gres || *text;
	*to = text;
	return 0;
}

static int set_job_sockets(FSI_SETTER_ARGS)
{
	const int rc = parse_count_keyword(s, w, v.text, UINT16_MAX - 2, &s->size->sockets);

	return rc ? rc : fsi_scenario_set_field(s, FSI_RECORD_JOB, rec, w->keyword, "sockets_per_node", v);
}

/* Applies the job size `z` to the job, including generic resources, CPUs per GPU and memory per GPU. The keywords of
 * the command have set `z`. */
static int apply_collected_size(struct fsi_scenario *s, struct fsi_job *j, const struct fsi_slurm_size *z)
{
	bool gpus = z->cpus_per_gpu || z->mem_per_gpu;
	int rc = 0;

	for (int i = 0; i < FSI_GRES_BY_COUNT; i++)
		gpus = gpus || z->gres[i];
	if (gpus)
		rc = fsi_slurm_save_gpu_cpus(s, j);
	if (!rc)
		rc = fsi_slurm_apply_size(s, j, z);
	for (enum fsi_gres_by i = 0; i < FSI_GRES_BY_COUNT && !rc; i++)
		if (z->gres[i])
			rc = fsi_slurm_request_gres(s, j, z->gres[i], i, z);
	return rc || !gpus ? rc : fsi_slurm_set_per_gpu(s, j, z);
}

/* ---- partition and QOS, also used by sbatch */

struct name_table {
	const void *first;
	size_t n, size, name_offset;
	bool hidden;
};

static bool has_table_name(const struct name_table *t, uint32_t name)
{
	for (size_t i = 0; i < t->n; i++) {
		uint32_t own;

		memcpy(&own, (const char *)t->first + i * t->size + t->name_offset, sizeof(own));
		if (own == name)
			return true;
	}
	return false;
}

/* Parses "a,b" to a list of names. Refuses a name that is not in the table; if the table is hidden or empty, accepts
 * every name. */
static int parse_name_list(struct fsi_scenario *s, const struct name_table *t, const char *what, const char *text,
			   uint32_t *out)
{
	const char *p = text;

	*out = 0;
	for (p += strspn(p, ","); *p; p += strspn(p, ",")) {
		const size_t len = strcspn(p, ",");
		const uint32_t name = fsi_intern_add(&s->m->names, p, len);

		if (name == FSI_INTERN_FAILED)
			return fsi_fail_no_memory(s->err);
		if (t->n && !t->hidden && !has_table_name(t, name))
			return fsi_scenario_refuse(s, "there is no %s \"%.*s\"", what, (int)(len < 60 ? len : 60), p);
		*out = fsi_scenario_change_list(s->m, *out, name, true);
		if (*out == FSI_INTERN_FAILED)
			return fsi_fail_no_memory(s->err);
		p += len;
	}
	return *out ? 0 : fsi_scenario_refuse(s, "expected the name of a %s", what);
}

static int check_partition_states(struct fsi_scenario *s, uint32_t list)
{
	size_t n;
	const uint32_t *names = fsi_list_items(s->m, list, &n);

	for (size_t i = 0; i < n; i++) {
		const struct fsi_partition *p = fsi_partition_find(s->m, names[i]);
		const char *state = p ? fsi_name_text(s->m, p->state) : "";

		if (!strcmp(state, "DRAIN") || !strcmp(state, "INACTIVE"))
			return fsi_scenario_refuse(s, "partition %s accepts no jobs: its state is %s",
						   fsi_name_text(s->m, names[i]), state);
	}
	return 0;
}

int fsi_slurm_set_partition(struct fsi_scenario *s, struct fsi_job *j, const char *text)
{
	const struct name_table t = { s->m->partition.v, s->m->partition.n, sizeof(struct fsi_partition),
				      offsetof(struct fsi_partition, name), fsi_is_type_hidden(s->m, "partition") };
	uint32_t list;
	int rc = parse_name_list(s, &t, "partition", text, &list);

	if (!rc)
		rc = check_partition_states(s, list);
	if (rc)
		return rc;
	j->partitions = list;
	FSI_SET(j, JOB, partitions);
	return fsi_slurm_charge_account(s, j, j->account);
}

/* Returns the QOS of a job that does not name one: the default QOS of its association or, without a default,
 * "normal". */
static uint32_t get_default_qos(const fs_snapshot *m, const struct fsi_job *j)
{
	const uint32_t i = fsi_job_find_assoc(m, j);

	return i != FSI_NO_INDEX && m->association.v[i].default_qos ? m->association.v[i].default_qos
								      : fsi_name_find(m, "normal");
}

/* Adds a note for each QOS in `list` that the job's association does not have, because only an operator may use that
 * QOS. */
static void note_qos_access(struct fsi_scenario *s, const struct fsi_job *j, uint32_t list)
{
	const uint32_t i = fsi_job_find_assoc(s->m, j);
	size_t n;
	const uint32_t *names = fsi_list_items(s->m, list, &n);
	char what[160];

	if (i == FSI_NO_INDEX || !FSI_HAS(&s->m->association.v[i], ASSOCIATION, qos))
		return;
	for (size_t k = 0; k < n; k++)
		if (!fsi_list_has_word(s->m, s->m->association.v[i].qos, fsi_name_text(s->m, names[k]))) {
			snprintf(what, sizeof(what),
				 "QOS %.60s is not allowed for account %.60s: ", fsi_name_text(s->m, names[k]),
				 fsi_name_text(s->m, j->account));
			fsi_scenario_note_privilege(s, FSI_OPERATOR, 0, 0, what);
		}
}

int fsi_slurm_set_qos(struct fsi_scenario *s, struct fsi_job *j, const char *text)
{
	const struct name_table t = { s->m->qos.v, s->m->qos.n, sizeof(struct fsi_qos), offsetof(struct fsi_qos, name),
				      fsi_is_type_hidden(s->m, "qos") };
	const uint32_t default_qos = get_default_qos(s->m, j);
	uint32_t list;
	int rc;

	if (strchr(text, ',') && !fs_slurm_has(s->m->info.version, FS_SLURM_SEVERAL_QOS))
		return fsi_scenario_refuse(s, "QOS: before Slurm 24.11, a job has only one QOS, got \"%.60s\"", text);
	rc = parse_name_list(s, &t, "QOS", *text || !default_qos ? text : fsi_name_text(s->m, default_qos), &list);
	if (rc)
		return rc;
	note_qos_access(s, j, list);
	j->qos = list;
	FSI_SET(j, JOB, qos);
	return 0;
}

/* ---- the keywords of scontrol update job */

static void note_job_privilege(struct fsi_scenario *s, const struct fsi_job *j, enum fsi_privilege who,
			       const char *word)
{
	char what[96];

	snprintf(what, sizeof(what), "%s%s: ", fsi_scenario_job_prefix(s, j), word);
	fsi_scenario_note_privilege(s, who, j->user, j->account, what);
}

/* ---- time limits, start time and end time */

/* Returns true if the job's time limit is above MaxTime of the job's first partition. The controller checks the
 * partition in which it last evaluated the job; the snapshot does not say which partition that was. */
static bool is_above_max_time(const fs_snapshot *m, const struct fsi_job *j)
{
	const struct fsi_partition *p = fsi_job_first_partition(m, j);

	if (!p || !FSI_HAS(p, PARTITION, max_time_s) || FSI_SPECIAL(p, PARTITION, max_time_s))
		return false;
	return FSI_SPECIAL(j, JOB, time_limit_s) || j->time_limit_s > p->max_time_s;
}

/* Adapts the captured size factor to a new time limit. With SMALL_RELATIVE_TO_TIME, the factor depends on the number of
 * CPUs divided by the time limit. The new time limit does not change this number of CPUs (priority_multifactor.c:
 * set_priority_factors). */
static void rescale_size_factor(fs_snapshot *m, const struct fsi_job *was, struct fsi_job *j)
{
	const bool timed = FSI_HAS(was, JOB, time_limit_s) && !FSI_SPECIAL(was, JOB, time_limit_s) &&
			   !FSI_SPECIAL(j, JOB, time_limit_s);
	struct fsi_job_size s = { .minutes = (double)(was->time_limit_s / 60), .by_time = true,
				  .small = fsi_config_is_true(m, "PriorityFavorSmall") };

	fsi_job_size_set_cluster(m, &s);
	s.cpus = timed && FSI_HAS(j, JOB, size_factor) ? fsi_job_size_cpus(&s, fsi_job_ext(m, j)->size_factor) : 0;
	s.minutes = (double)(j->time_limit_s / 60);
	if (s.cpus > 0 && s.minutes > 0)
		fsi_job_ext_writable(m, j)->size_factor = fsi_job_size_factor(&s);
	else
		FSI_CLEAR_JOB_EXT(m, j, size_factor);
}

static void apply_changed_limit(struct fsi_scenario *s, const struct fsi_job *was, struct fsi_job *j)
{
	const bool runs = j->state != FSI_STATE_PENDING, unlimited = FSI_SPECIAL(j, JOB, time_limit_s);
	const bool raised = !FSI_SPECIAL(was, JOB, time_limit_s) && (unlimited || j->time_limit_s > was->time_limit_s);

	if (raised && (runs || is_above_max_time(s->m, j)))
		note_job_privilege(s, j, FSI_OPERATOR,
				   runs ? "extending the time limit of a running job"
					: "a time limit above the partition's MaxTime");
	if (fsi_config_list_has(s->m, "PriorityFlags", "SMALL_RELATIVE_TO_TIME"))
		rescale_size_factor(s->m, was, j);
	if (runs && FSI_HAS(j, JOB, start_time) && !unlimited)
		j->end_time = j->start_time + j->time_limit_s;
	else if (runs)
		FSI_CLEAR_FIELD(j, JOB, end_time);
}

static int set_job_time_limit(FSI_SETTER_ARGS)
{
	struct fsi_job *j = fsi_rec_to_job(rec);
	const struct fsi_job was = *j;
	const bool longer = v.op == '+';
	int64_t by;

	if (v.op != '=') {
		if (!v.text || fsi_scenario_parse_minutes(v.text, &by) || by == FS_UNLIMITED)
			return fsi_scenario_refuse(s, "TimeLimit: expected a duration such as 90 or 1:30:00, got \"%.60s\"", v.text ? v.text : "");
		if (FSI_SPECIAL(j, JOB, time_limit_s) || !FSI_HAS(j, JOB, time_limit_s))
			return fsi_scenario_refuse(s, "TimeLimit: the job has no known time limit to change by %c%.60s",
						   v.op, v.text);
		if (!longer && by >= j->time_limit_s)
			return fsi_scenario_refuse(s, "TimeLimit: the job's time limit is not longer than %.60s", v.text);
		j->time_limit_s += longer ? by : -by;
	} else {
		const int rc = fsi_scenario_set_field(s, FSI_RECORD_JOB, rec, w->keyword, "time_limit_s", v);

		if (rc)
			return rc;
	}
	if (FSI_HAS(j, JOB, time_min_s) && !FSI_SPECIAL(j, JOB, time_limit_s) &&
	    j->time_limit_s < fsi_job_ext(s->m, j)->time_min_s)
		return fsi_scenario_refuse(s, "TimeLimit: the new limit is shorter than the job's TimeMin");
	apply_changed_limit(s, &was, j);
	return 0;
}

static int set_job_time_min(FSI_SETTER_ARGS)
{
	struct fsi_job *j = fsi_rec_to_job(rec);
	const int rc = fsi_scenario_set_field(s, FSI_RECORD_JOB, rec, w->keyword, "time_min_s", v);

	if (!rc && FSI_HAS(j, JOB, time_limit_s) && !FSI_SPECIAL(j, JOB, time_limit_s) &&
	    (FSI_SPECIAL(j, JOB, time_min_s) || fsi_job_ext(s->m, j)->time_min_s > j->time_limit_s))
		return fsi_scenario_refuse(s, "TimeMin: the new minimum is longer than the job's TimeLimit");
	return rc;
}

static int set_job_start_time(FSI_SETTER_ARGS)
{
	struct fsi_job *j = fsi_rec_to_job(rec);
	struct fsi_job at = *j;
	const int rc = fsi_scenario_set_field(s, FSI_RECORD_JOB, &at.rec, w->keyword, "eligible_time", v);

	if (rc)
		return rc;
	j->eligible_time = at.eligible_time > s->m->info.time ? at.eligible_time : s->m->info.time;
	FSI_SET(j, JOB, eligible_time);
	fsi_slurm_change_age(s, j, FSI_AGE_LOST);
	return 0;
}

/* Sets the end time of a running job, and changes its time limit by the same number of whole minutes. */
static int set_job_end_time(FSI_SETTER_ARGS)
{
	struct fsi_job *j = fsi_rec_to_job(rec);
	const bool known = FSI_HAS(j, JOB, end_time);
	const int64_t was = j->end_time;
	int rc;

	if (j->state != FSI_STATE_RUNNING)
		return fsi_scenario_refuse(s, "%s: job %llu is not running", w->keyword, (unsigned long long)j->id);
	rc = fsi_scenario_set_field(s, FSI_RECORD_JOB, rec, w->keyword, "end_time", v);
	if (rc)
		return rc;
	if (j->end_time < s->m->info.time)
		return fsi_scenario_refuse(s, "%s: the time is in the past", w->keyword);
	if (!known || j->end_time >= was)
		note_job_privilege(s, j, FSI_OPERATOR, "extending the time of a running job");
	if (known && FSI_HAS(j, JOB, time_limit_s) && !FSI_SPECIAL(j, JOB, time_limit_s))
		j->time_limit_s += (j->end_time - was + 30) / 60 * 60;
	return 0;
}

static int reset_accrue_time(FSI_SETTER_ARGS)
{
	(void)w;
	if (v.text)
		return fsi_scenario_refuse(s, "ResetAccrueTime takes no value");
	fsi_rec_to_job(rec)->accrue_time = s->m->info.time;
	FSI_SET(fsi_rec_to_job(rec), JOB, accrue_time);
	return 0;
}

/* ---- partition, account, QOS */

/* Sets the job's partition. Clears the CPUs per GPU if they are the default of the old partition. */
static int set_job_partition(FSI_SETTER_ARGS)
{
	struct fsi_job *j = fsi_rec_to_job(rec);
	int rc;

	(void)w;
	if (fsi_slurm_save_gpu_cpus(s, j))
		return FS_ENOMEM;
	if (fsi_job_ext(s->m, j)->cpus_per_gpu_default) {
		FSI_CLEAR_JOB_EXT(s->m, j, cpus_per_gpu);
		FSI_CLEAR_JOB_EXT(s->m, j, cpus_per_gpu_default);
	}
	rc = fsi_slurm_set_partition(s, j, v.text ? v.text : "");
	if (!rc)
		fsi_slurm_change_age(s, j, FSI_AGE_INTERRUPTED);
	return rc;
}

static int set_job_account(FSI_SETTER_ARGS)
{
	const uint32_t name = v.text ? fsi_scenario_find_account(s, v.text) : 0;
	int rc;

	if (!name)
		return fsi_scenario_refuse(s, "there is no account \"%.60s\"", v.text ? v.text : "");
	note_job_privilege(s, fsi_rec_to_job(rec), FSI_OWNER, w->keyword);
	rc = fsi_slurm_charge_account(s, fsi_rec_to_job(rec), name);
	if (!rc)
		fsi_slurm_change_age(s, fsi_rec_to_job(rec), FSI_AGE_INTERRUPTED);
	return rc;
}

static int set_job_qos(FSI_SETTER_ARGS)
{
	const int rc = fsi_slurm_set_qos(s, fsi_rec_to_job(rec), v.text ? v.text : "");

	(void)w;
	if (!rc)
		fsi_slurm_change_age(s, fsi_rec_to_job(rec), FSI_AGE_INTERRUPTED);
	return rc;
}

/* ---- priority */

static int set_job_nice(FSI_SETTER_ARGS)
{
	const int64_t max = INT64_C(2147483645); /* maximum nice value: NICE_OFFSET of Slurm's slurm.h, minus 3 */
	struct fsi_job *j = fsi_rec_to_job(rec);
	int64_t nice = 100;

	if (v.text && parse_limited_number(s, w, v.text, -max, max, &nice))
		return FS_EUSAGE;
	if (FSI_HAS(j, JOB, priority_set) && j->priority_set) {
		fsi_scenario_note(s, "%sNice is ignored, because the job's priority was set directly",
				  fsi_scenario_job_prefix(s, j));
		return 0;
	}
	if (nice < 0)
		note_job_privilege(s, j, FSI_OPERATOR, "setting Nice below 0");
	j->nice = (int32_t)nice;
	FSI_SET(j, JOB, nice);
	return 0;
}

static void clear_job_nice(struct fsi_scenario *s, struct fsi_job *j)
{
	if (j->nice && !fsi_scenario_viewer_may(s, FSI_OPERATOR, 0, 0))
		fsi_scenario_note(s,
				  "%sthe controller would refuse Priority, but would still change the nice value "
				  "from %d to 0",
				  fsi_scenario_job_prefix(s, j), j->nice);
	j->nice = 0;
	FSI_SET(j, JOB, nice);
}

static int set_job_priority(FSI_SETTER_ARGS)
{
	struct fsi_job *j = fsi_rec_to_job(rec);
	int64_t priority;

	/* The value of Priority may contain only digits (src/common/proc_args.c: parse_uint32). No accepted value makes
	 * the scheduler compute the priority again. */
	if (parse_limited_number(s, w, v.text, 0, INT64_C(4294967293), &priority))
		return FS_EUSAGE;
	if (priority && fsi_slurm_is_held(j))
		return fsi_scenario_refuse(s, "%s: job %llu is held; release it before you set its priority",
					   w->keyword, (unsigned long long)j->id);
	note_job_privilege(s, j, priority ? FSI_OPERATOR : FSI_OWNER, w->keyword);
	clear_job_nice(s, j);
	FSI_CLEAR_FIELD(j, JOB, priority_set);
	FSI_CLEAR_FIELD(j, JOB, priority);
	j->priority = (uint32_t)priority;
	FSI_SET(j, JOB, priority);
	if (priority) {
		j->priority_set = (uint32_t)priority;
		FSI_SET(j, JOB, priority_set);
	}
	return 0;
}

/* ---- reservation and burst buffer, and the table of keywords */

static int set_job_reservation(FSI_SETTER_ARGS)
{
	const uint32_t name = v.text ? fsi_name_find(s->m, v.text) : 0;
	bool exists = !v.text || !*v.text;

	for (size_t i = 0; name && i < s->m->reservation.n; i++)
		exists = exists || s->m->reservation.v[i].name == name;
	if (!exists && !fsi_is_type_hidden(s->m, "reservation"))
		return fsi_scenario_refuse(s, "there is no reservation \"%.60s\"", v.text);
	return fsi_scenario_set_field(s, FSI_RECORD_JOB, rec, w->keyword, "reservation", v);
}

static int refuse_burst_buffer(FSI_SETTER_ARGS)
{
	(void)rec;
	(void)v;
	return fsi_scenario_refuse(s, "%s: a pending or running job's burst buffer cannot change", w->keyword);
}

static const struct fsi_edit_keyword job_keywords[] = {
	{ "Account", NULL, FSI_OWNER, set_job_account, 1 },
	{ "AdminComment", NULL, FSI_ADMINISTRATOR, fsi_scenario_note_no_effect, 6 },
	{ "ArrayTaskThrottle", NULL, FSI_OWNER, set_job_throttle, 10 },
	{ "BurstBuffer", NULL, FSI_OWNER, refuse_burst_buffer, 1 },
	{ "CPUsPerTask", NULL, FSI_OWNER, set_job_cpus_per_task, 9 },
	{ "ClusterFeatures", NULL, FSI_OWNER, fsi_scenario_note_no_effect, 8 },
	{ "Clusters", NULL, FSI_OWNER, fsi_scenario_note_no_effect, 8 },
	{ "Comment", "comment", FSI_OWNER, NULL, 3 },
	{ "Contiguous", NULL, FSI_OWNER, set_job_contiguous, 3 },
	{ "CoreSpec", NULL, FSI_OPERATOR, set_job_core_spec, 4 },
	{ "CpusPerTres", NULL, FSI_OWNER, set_job_gres, 9 },
	{ "Deadline", "deadline", FSI_OPERATOR, NULL, 3 },
	{ "DelayBoot", NULL, FSI_OWNER, fsi_scenario_note_no_effect, 5 },
	{ "Dependency", NULL, FSI_OWNER, set_job_dependency, 1 },
	{ "EligibleTime", NULL, FSI_OWNER, set_job_start_time, 2 },
	{ "EndTime", NULL, FSI_OWNER, set_job_end_time, 2 },
	{ "ExcNodeList", NULL, FSI_OWNER, set_job_node_names, 3 },
	{ "Extra", NULL, FSI_OWNER, fsi_scenario_note_no_effect, 3 },
	{ "Features", NULL, FSI_OWNER, set_job_features, 1 },
	{ "Gres", NULL, FSI_OWNER, set_job_gres, 2 },
	{ "JobName", "name", FSI_OWNER, NULL, 4 },
	{ "Licenses", NULL, FSI_OWNER, set_job_licenses, 1 },
	{ "MCSLabel", NULL, FSI_OWNER, fsi_scenario_note_no_effect, 4 },
	{ "MailType", NULL, FSI_OWNER, fsi_scenario_note_no_effect, 5 },
	{ "MailUser", NULL, FSI_OWNER, fsi_scenario_note_no_effect, 5 },
	{ "MemPerTres", NULL, FSI_OWNER, set_job_gres, 5 },
	{ "MinCPUsNode", NULL, FSI_OWNER, set_job_min_cpus, 4 },
	{ "MinMemoryCPU", NULL, FSI_OWNER, set_job_mem_per_cpu, 10 },
	{ "MinMemoryNode", NULL, FSI_OWNER, set_job_mem_per_node, 10 },
	{ "MinTmpDiskNode", "tmp_disk_mb", FSI_OWNER, NULL, 5 },
	{ "Name", "name", FSI_OWNER, NULL, 2 },
	{ "Nice", NULL, FSI_OWNER, set_job_nice, 2 },
	{ "NodeList", NULL, FSI_OWNER, set_job_node_names, 8 },
	{ "NumCPUs", NULL, FSI_OWNER, set_job_cpus, 6 },
	{ "NumNodes", NULL, FSI_OWNER, set_job_nodes, 8 },
	{ "NumTasks", NULL, FSI_OWNER, set_job_ntasks, 8 },
	{ "OverSubscribe", "oversubscribe", FSI_OPERATOR, NULL, 2 },
	{ "Partition", NULL, FSI_OWNER, set_job_partition, 2 },
	{ "Prefer", NULL, FSI_OWNER, set_job_prefer, 3 },
	{ "Priority", NULL, FSI_OWNER, set_job_priority, 2 },
	{ "QOS", NULL, FSI_OWNER, set_job_qos, 2 },
	{ "Reboot", NULL, FSI_ADMINISTRATOR, fsi_scenario_note_no_effect, 3 },
	{ "ReqCores", "cores_per_socket", FSI_OWNER, NULL, 4 },
	{ "ReqNodeList", NULL, FSI_OWNER, set_job_node_names, 8 },
	{ "ReqNodes", NULL, FSI_OWNER, set_job_nodes, 8 },
	{ "ReqProcs", NULL, FSI_OWNER, set_job_ntasks, 8 },
	{ "ReqSockets", NULL, FSI_OWNER, set_job_sockets, 4 },
	{ "ReqThreads", "threads_per_core", FSI_OWNER, NULL, 4 },
	{ "Requeue", NULL, FSI_OWNER, fsi_scenario_note_no_effect, 4 },
	{ "ReservationName", NULL, FSI_OWNER, set_job_reservation, 3 },
	{ "ResetAccrueTime", NULL, FSI_OWNER, reset_accrue_time, 3 },
	{ "Shared", "oversubscribe", FSI_OPERATOR, NULL, 2 },
	{ "SiteFactor", "site_factor", FSI_OPERATOR, NULL, 5 },
	{ "StartTime", NULL, FSI_OWNER, set_job_start_time, 2 },
	{ "StdErr", NULL, FSI_OWNER, fsi_scenario_note_no_effect, 6 },
	{ "StdIn", NULL, FSI_OWNER, fsi_scenario_note_no_effect, 5 },
	{ "StdOut", NULL, FSI_OWNER, fsi_scenario_note_no_effect, 6 },
	{ "Switches", NULL, FSI_OWNER, set_job_switches, 5 },
	{ "TasksPerNode", "ntasks_per_node", FSI_OPERATOR, NULL, 2 },
	{ "ThreadSpec", NULL, FSI_OPERATOR, set_job_core_spec, 4 },
	{ "TimeLimit", NULL, FSI_OWNER, set_job_time_limit, 5 },
	{ "TimeMin", NULL, FSI_OWNER, set_job_time_min, 5 },
	{ "TresBind", NULL, FSI_OWNER, fsi_scenario_note_no_effect, 5 },
	{ "TresFreq", NULL, FSI_OWNER, fsi_scenario_note_no_effect, 5 },
	{ "TresPerJob", NULL, FSI_OWNER, set_job_gres, 8 },
	{ "TresPerNode", NULL, FSI_OWNER, set_job_gres, 8 },
	{ "TresPerSocket", NULL, FSI_OWNER, set_job_gres, 8 },
	{ "TresPerTask", NULL, FSI_OWNER, set_job_gres, 8 },
	{ "UserID", NULL, FSI_OWNER, fsi_scenario_note_no_effect, 3 },
	{ "WCKey", NULL, FSI_OWNER, fsi_scenario_note_no_effect, 1 },
	{ "WorkDir", NULL, FSI_OWNER, fsi_scenario_note_no_effect, 2 },
	{ "wait-for-switch", NULL, FSI_OWNER, set_job_switch_wait, 5 },
};

bool fsi_slurm_is_job_keyword(const char *word, size_t len)
{
	return fsi_scenario_is_keyword(job_keywords, sizeof(job_keywords) / sizeof(*job_keywords), word, len);
}

struct keyword_change {
	const struct fsi_edit_keyword *keyword;
	struct fsi_operand v;
};

struct job_changes {
	struct keyword_change v[FSI_COMMAND_WORDS];
	size_t n;
	/* `changed`: number of job records that the command changed; `refused`: number of job records that the command
	 * may not change, because the job runs or has ended */
	size_t changed, refused;
};

/* Returns true if the keyword may be changed while the job runs. ArrayTaskThrottle may be changed, because it belongs
 * to the whole array. */
static bool can_change_running(const struct fsi_edit_keyword *w)
{
	static const char *const names[] = { "AdminComment", "ArrayTaskThrottle", "Comment", "EndTime",
					     "Extra",	     "JobName",		  "MailType", "MailUser",
					     "Name",	     "Requeue",		  "TimeLimit" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(w->keyword, names[i]))
			return true;
	return false;
}

/* Returns the first change of the command that is refused because the job runs; NULL if there is none. */
static const struct keyword_change *find_refused_change(const struct fsi_job *j, const struct job_changes *all)
{
	for (size_t i = 0; i < all->n && j->state == FSI_STATE_RUNNING; i++)
		if (!can_change_running(all->v[i].keyword))
			return &all->v[i];
	return NULL;
}

static int apply_job_changes(struct fsi_scenario *s, struct fsi_job *j, const struct job_changes *all)
{
	int rc = 0;

	for (size_t i = 0; i < all->n && !rc; i++) {
		const struct keyword_change *c = &all->v[i];

		if (c->keyword->who != FSI_OWNER)
			note_job_privilege(s, j, c->keyword->who, c->keyword->keyword);
		rc = fsi_scenario_apply_keyword(s, FSI_RECORD_JOB, &j->rec, c->keyword, c->v);
	}
	return rc;
}

/* Returns true if the command changes only values of the whole array. */
static bool is_change_of_array(const struct job_changes *all)
{
	return all->n == 1 && !strcmp(all->v[0].keyword->keyword, "ArrayTaskThrottle");
}

static bool has_keyword(const struct job_changes *all, const char *keyword)
{
	for (size_t i = 0; i < all->n; i++)
		if (!strcmp(all->v[i].keyword->keyword, keyword))
			return true;
	return false;
}

/* In some releases, a command that sets QOS but not TimeLimit also sets the job's time limit to MaxWall of the new QOS,
 * or to UNLIMITED (fsi_slurm_qos_sets_time_limit). */
static int apply_qos_time_limit(struct fsi_scenario *s, struct fsi_job *j, const struct job_changes *all)
{
	const struct fsi_qos *qos = fsi_job_first_qos(s->m, j);
	const struct fsi_job was = *j;
	char minutes[24] = "UNLIMITED";
	int rc;

	if (!fsi_slurm_qos_sets_time_limit(s->m->info.version) || !has_keyword(all, "QOS") ||
	    has_keyword(all, "TimeLimit") || !qos)
		return 0;
	if (FSI_HAS(qos, QOS, max_wall_s) && !FSI_SPECIAL(qos, QOS, max_wall_s))
		snprintf(minutes, sizeof(minutes), "%lld", (long long)(qos->max_wall_s / 60));
	rc = fsi_scenario_set_field(s, FSI_RECORD_JOB, &j->rec, "TimeLimit", "time_limit_s",
				    (struct fsi_operand){ '=', minutes });
	if (rc || (was.time_limit_s == j->time_limit_s &&
		   FSI_SPECIAL(&was, JOB, time_limit_s) == FSI_SPECIAL(j, JOB, time_limit_s)))
		return rc;
	fsi_scenario_note(s, "%sQOS also sets the time limit to MaxWall of the new QOS in this release of Slurm; TimeLimit in the "
			  "same command keeps the time limit",
			  fsi_scenario_job_prefix(s, j));
	apply_changed_limit(s, &was, j);
	return 0;
}

/* Changes one job or array task. The controller handles each array task separately: if one task has ended, the command
 * still changes the other tasks (src/slurmctld/job_mgr.c: update_job_str). */
static int change_one_job(struct fsi_scenario *s, struct fsi_job *j, void *ctx)
{
	struct job_changes *all = ctx;
	const struct keyword_change *late = find_refused_change(j, all);
	struct fsi_slurm_size size = { 0 };
	int rc;

	if (fsi_job_has_ended(j) && is_change_of_array(all))
		return 0;
	if (fsi_job_has_ended(j) || late) {
		all->refused++;
		if (late)
			fsi_scenario_refuse(s, "job %llu is running: its %s can no longer change",
					    (unsigned long long)j->id, late->keyword->keyword);
		else
			fsi_scenario_refuse(s, "job %llu has ended and cannot be changed",
					    (unsigned long long)j->id);
		return 0;
	}
	all->changed++;
	note_job_privilege(s, j, FSI_OWNER, "update");
	s->size = &size;
	rc = apply_job_changes(s, j, all);
	if (!rc)
		rc = apply_qos_time_limit(s, j, all);
	s->size = NULL;
	if (!rc)
		rc = apply_collected_size(s, j, &size);
	if (!rc)
		fsi_slurm_drop_recorded(s, j);
	return rc;
}

/* Parses "Key=value" or "Key value". The keywords Nice and ResetAccrueTime need no value. */
static int parse_job_keyword(struct fsi_scenario *s, size_t *at, struct keyword_change *c)
{
	static const struct fsi_edit_keyword valueless[] = { { "Nice", NULL, FSI_OWNER, set_job_nice, 2 },
							 { "ResetAccrueTime", NULL, FSI_OWNER, reset_accrue_time, 3 } };
	enum { VALUELESS_COUNT = sizeof(valueless) / sizeof(*valueless) };
	const char *word = s->words[*at];
	const bool is_valueless = fsi_scenario_is_keyword(valueless, VALUELESS_COUNT, word, strlen(word));
	const size_t n = is_valueless ? VALUELESS_COUNT : sizeof(job_keywords) / sizeof(*job_keywords);
	const int rc = fsi_scenario_parse_keyword(s, is_valueless ? valueless : job_keywords, n, "scontrol update job",
						  word, &c->keyword, &c->v);

	if (!rc && !is_valueless && !c->v.text && *at + 1 < s->n)
		c->v.text = s->words[++*at];
	return rc;
}

int fsi_slurm_update_job(struct fsi_scenario *s, const char *jobs, size_t at)
{
	struct job_changes all = { .n = 0 };
	int rc = 0;

	for (; at < s->n && !rc; at++, all.n++)
		rc = parse_job_keyword(s, &at, &all.v[all.n]);
	if (!rc && !all.n)
		rc = fsi_scenario_refuse(s, "scontrol update job: expected a setting to change, such as TimeLimit=60");
	if (!rc)
		rc = fsi_slurm_each_job(s, jobs, FSI_TASKS_SPLIT_OFF, change_one_job, &all);
	if (!rc && all.refused && !all.changed)
		return FS_EUSAGE;
	if (!rc && all.refused)
		fsi_scenario_note(s, "job %.60s: %zu task%s not changed, because %s running or ended", jobs, all.refused,
				  all.refused == 1 ? " is" : "s are", all.refused == 1 ? "it is" : "they are");
	return rc;
}

int fsi_slurm_set_keyword(struct fsi_scenario *s, struct fsi_job *j, const char *word, const char *value)
{
	const size_t n = sizeof(job_keywords) / sizeof(*job_keywords),
		     i = fsi_scenario_find_name(job_keywords, n, sizeof(*job_keywords), word, strlen(word));
	struct fsi_slurm_size size = { .submitted = true };

	s->size = &size;
	const int rc = fsi_scenario_apply_keyword(s, FSI_RECORD_JOB, &j->rec, &job_keywords[i],
						  (struct fsi_operand){ '=', value });

	s->size = NULL;
	return rc ? rc : apply_collected_size(s, j, &size);
}

/* ---- restrictions on nodes, and the task limit of an array */

/* Changes the limit after "%" in the job's task list, such as "1,3,5-9%2". Does not change a record without a task
 * list. */
static int set_job_throttle(FSI_SETTER_ARGS)
{
	struct fsi_job *j = fsi_rec_to_job(rec);
	const char *tasks = fsi_name_text(s->m, j->array_tasks);
	char text[1024];
	int64_t max;

	if (parse_limited_number(s, w, v.text, 0, INT32_MAX, &max))
		return FS_EUSAGE;
	if (!*tasks)
		return 0;
	if (snprintf(text, sizeof(text), max ? "%.*s%%%lld" : "%.*s", (int)strcspn(tasks, "%"), tasks,
		     (long long)max) >= (int)sizeof(text))
		return fsi_scenario_refuse(s, "ArrayTaskThrottle: the array's list of tasks is too long");
	return fsi_scenario_set_field(s, FSI_RECORD_JOB, rec, w->keyword, "array_tasks",
				      (struct fsi_operand){ '=', text });
}

/* Parses "2@1:00:00" as a maximum number of switches and a maximum wait for them. */
static int set_job_switches(FSI_SETTER_ARGS)
{
	struct fsi_job *j = fsi_rec_to_job(rec);
	const char *at = v.text ? strchr(v.text, '@') : NULL;
	int64_t switches, wait_s;
	char text[32];

	snprintf(text, sizeof(text), "%.*s", at ? (int)(at - v.text) : 31, v.text ? v.text : "");
	if (parse_limited_number(s, w, text, 0, INT32_MAX, &switches))
		return FS_EUSAGE;
	if (at && (fsi_scenario_parse_minutes(at + 1, &wait_s) || wait_s == FS_UNLIMITED))
		return fsi_scenario_refuse(
			s, "%s: expected a number, or a number and a time such as 1@30:00, got \"%.60s\"", w->keyword,
			v.text);
	FSI_CLEAR_JOB_EXT(s->m, j, switches);
	if ((switches && FSI_SET_JOB_EXT(s->m, j, switches, (uint32_t)switches)) ||
	    (at && FSI_SET_JOB_EXT(s->m, j, switches_wait_s, (uint32_t)wait_s)))
		return fsi_fail_no_memory(s->err);
	return 0;
}

static int set_job_switch_wait(FSI_SETTER_ARGS)
{
	struct fsi_job *j = fsi_rec_to_job(rec);
	int64_t wait_s;

	if (parse_limited_number(s, w, v.text, 0, INT32_MAX, &wait_s))
		return FS_EUSAGE;
	return FSI_SET_JOB_EXT(s->m, j, switches_wait_s, (uint32_t)wait_s) ? fsi_fail_no_memory(s->err) : 0;
}

/* Sets CoreSpec. A number makes the job use its nodes exclusively. "-1" and "*" change nothing, and do not undo the
 * effect of a number. */
static int set_job_core_spec(FSI_SETTER_ARGS)
{
	const bool none = v.text && (!strcmp(v.text, "-1") || !strcmp(v.text, "*"));
	const char *exclusive = fs_slurm_has(s->m->info.version, FS_SLURM_EXCLUSIVE_FIELD) ? "NODE" : "NO";
	int64_t n;

	if (!none && parse_limited_number(s, w, v.text, 0, UINT16_MAX - 2, &n))
		return FS_EUSAGE;
	fsi_scenario_note(s, "%s is accepted only with AllowSpecResourcesUsage=YES in slurm.conf", w->keyword);
	if (none)
		return 0;
	FSI_CLEAR_JOB_EXT(s->m, fsi_rec_to_job(rec), size_factor);
	return fsi_scenario_set_field(s, FSI_RECORD_JOB, rec, w->keyword, "oversubscribe",
				      (struct fsi_operand){ '=', exclusive });
}

static bool is_node_feature(const fs_snapshot *m, const char *name, size_t len)
{
	const uint32_t id = fsi_intern_find_id(&m->names, name, len);
	size_t n;

	for (size_t i = 0; id && i < m->node.n; i++) {
		const uint32_t *list = fsi_list_items(m, m->node.v[i].features, &n);

		while (n--)
			if (list[n] == id)
				return true;
	}
	return false;
}

/* Refuses a feature expression, such as "a&[b*2|c]", if it names a feature that no node has
 * (src/slurmctld/job_scheduler.c: build_feature_list, _valid_feature_list). Accepts every expression if the snapshot
 * has no node features. */
static int check_node_features(struct fsi_scenario *s, const char *text)
{
	static const char between[] = "&|()[],*!";

	size_t first_known = 0;

	while (first_known < s->m->node.n && !FSI_HAS(&s->m->node.v[first_known], NODE, features))
		first_known++;
	if (first_known == s->m->node.n || fsi_is_type_hidden(s->m, "node"))
		return 0;
	for (const char *p = text + strspn(text, between); *p; p += strspn(p, between)) {
		const size_t len = strcspn(p, between);

		if (!is_node_feature(s->m, p, len) && !(p > text && p[-1] == '*' && strspn(p, "0123456789") == len))
			return fsi_scenario_refuse(s, "no node has the feature \"%.*s\"", (int)(len < 60 ? len : 60), p);
		p += len;
	}
	return 0;
}

static int set_job_features(FSI_SETTER_ARGS)
{
	return check_node_features(s, v.text ? v.text : "")
		       ? FS_EUSAGE
		       : fsi_scenario_set_field(s, FSI_RECORD_JOB, rec, w->keyword, "features", v);
}

static int set_job_prefer(FSI_SETTER_ARGS)
{
	return check_node_features(s, v.text ? v.text : "")
		       ? FS_EUSAGE
		       : fsi_scenario_set_field(s, FSI_RECORD_JOB, rec, w->keyword, "prefer", v);
}

static int is_unknown_node(void *ctx, const char *name, size_t len)
{
	const fs_snapshot *m = ctx;
	const uint32_t id = fsi_intern_find_id(&m->names, name, len);
	size_t i = 0;

	while (i < m->node.n && m->node.v[i].name != id)
		i++;
	return !id || i == m->node.n;
}

static int set_job_node_names(FSI_SETTER_ARGS)
{
	const bool known = s->m->node.n && !fsi_is_type_hidden(s->m, "node");

	if (known && v.text && *v.text && fsi_hostlist_expand_each(v.text, s->m->node.n, is_unknown_node, s->m))
		return fsi_scenario_refuse(s, "%s: not all nodes in \"%.60s\" are nodes of the cluster", w->keyword, v.text);
	return fsi_scenario_set_field(s, FSI_RECORD_JOB, rec, w->keyword, *w->keyword == 'E' ? "exc_nodes" : "req_nodes", v);
}

/* Returns the number of licenses of one name in a list such as "a:2,b"; 0 if the list does not contain the name. */
static int64_t count_listed_licenses(const char *text, const char *name, size_t len)
{
	for (const char *p = text; *p; p += strspn(p, ",;")) {
		const size_t all = strcspn(p, ",;"), own = strcspn(p, ":=,;");
		int64_t n = 1;

		if (own == len && !strncmp(p, name, len))
			return own < all && fsi_parse_i64(p + own + 1, all - own - 1, &n) ? 0 : n;
		p += all;
	}
	return 0;
}

/* Sets the job's licenses. Refuses more licenses than the cluster has (src/slurmctld/licenses.c: license_validate).
 * Licenses with "@" or "|" are not checked, because licenses of the accounting database are not in the
 * configuration. */
static int set_job_licenses(FSI_SETTER_ARGS)
{
	const char *have = fs_snapshot_config_text(s->m, "Licenses"), *text = v.text ? v.text : "";

	for (const char *p = text; have && *have && *p; p += strspn(p, ",;")) {
		const size_t all = strcspn(p, ",;"), len = strcspn(p, ":=,;");

		if (!memchr(p, '@', all) && !memchr(p, '|', all) &&
		    count_listed_licenses(p, p, len) > count_listed_licenses(have, p, len))
			return fsi_scenario_refuse(s, "%s: the cluster has fewer licenses than \"%.*s\"", w->keyword,
						   (int)(all < 60 ? all : 60), p);
		p += all;
	}
	return fsi_scenario_set_field(s, FSI_RECORD_JOB, rec, w->keyword, "licenses", v);
}

/* Sets Contiguous to yes or no. Only an operator may set it to yes; the job's user may set it to no. */
static int set_job_contiguous(FSI_SETTER_ARGS)
{
	struct fsi_job *j = fsi_rec_to_job(rec);
	const bool was = j->contiguous;
	const int rc = fsi_scenario_set_field(s, FSI_RECORD_JOB, rec, w->keyword, "contiguous", v);
	char what[64];

	if (!rc && j->contiguous && !was) {
		snprintf(what, sizeof(what), "%s%s: ", fsi_scenario_job_prefix(s, j), w->keyword);
		fsi_scenario_note_privilege(s, FSI_OPERATOR, j->user, j->account, what);
	}
	return rc;
}

/* ---- dependency */

/* Returns true if one part of a dependency, such as "afterok:12:13", is met: all of its jobs have ended as required.
 * Returns false for dependencies of other kinds, and if any of the jobs is not in the snapshot. */
static bool is_dependency_part_met(const fs_snapshot *m, const char *part, size_t len)
{
	static const char any[] = "afterany:", ok[] = "afterok:";
	const bool by_ok = len > strlen(ok) && !strncmp(part, ok, strlen(ok));
	const char *end = part + len;

	if (!by_ok && !(len > strlen(any) && !strncmp(part, any, strlen(any))))
		return false;
	for (part += by_ok ? strlen(ok) : strlen(any); part < end; part++) {
		const size_t digits = strcspn(part, ":,");
		uint64_t id;
		uint32_t row;

		if (fsi_parse_u64(part, digits, &id))
			return false;
		row = fsi_job_find_row(m, id);
		if (row == FSI_NO_INDEX || !fsi_job_has_ended(&m->job.v[row]) ||
		    (by_ok && m->job.v[row].state != FSI_STATE_COMPLETED))
			return false;
		part += digits;
	}
	return true;
}

/* Returns true if every comma-separated part of the dependency is met. In that case the controller drops the dependency
 * (src/slurmctld/job_scheduler.c: update_job_dependency, test_job_dependency). */
static bool is_dependency_met(const fs_snapshot *m, const char *text)
{
	if (!*text)
		return false;
	for (const char *part = text; *part; part += part[strcspn(part, ",")] == ',') {
		const size_t len = strcspn(part, ",");

		if (!is_dependency_part_met(m, part, len))
			return false;
		part += len;
	}
	return true;
}

/* Sets the job's dependency. If the new dependency is empty or met, the job gets no dependency. If the job had no
 * dependency before the command, the job is then not changed. */
static int set_job_dependency(FSI_SETTER_ARGS)
{
	struct fsi_job *j = fsi_rec_to_job(rec);
	int rc;

	if (v.text && v.op == '=' && (!*v.text || is_dependency_met(s->m, v.text))) {
		if (!j->dependency)
			return 0;
		v.text = "";
	}
	rc = fsi_scenario_set_field(s, FSI_RECORD_JOB, rec, w->keyword, "dependency", v);
	if (rc)
		return rc;
	if (j->dependency) {
		FSI_CLEAR_FIELD(j, JOB, eligible_time);
	} else if (!FSI_HAS(j, JOB, eligible_time)) {
		j->eligible_time = s->m->info.time;
		FSI_SET(j, JOB, eligible_time);
	}
	fsi_slurm_change_age(s, j, FSI_AGE_LOST);
	return 0;
}
