/* Jobs: scontrol -o show job. */
#include "base/num.h"
#include "import/import.h"
#include "import/keyed.h"
#include "import/rejoin.h"
#include "import/slurm/details.h"
#include "import/slurm/gres.h"
#include "import/whole.h"

#include <stdlib.h>
#include <string.h>

#define COUNT(a) (sizeof(a) / sizeof(*(a)))

/* Keys of fields; the first four stand before the name. */
#define FIELDS(X) \
	X(id, "JobId") X(array_job_id, "ArrayJobId") X(het_job_id, "HetJobId") X(het_offset, "HetJobOffset") \
	X(submit_time, "SubmitTime") X(eligible_time, "EligibleTime") X(accrue_time, "AccrueTime") \
	X(start_time, "StartTime") X(end_time, "EndTime") X(suspend_time, "SuspendTime") X(deadline, "Deadline") \
	X(preemptable_time, "PreemptEligibleTime") X(last_sched_eval, "LastSchedEval") \
	X(looked_at_by, "Scheduler") X(time_min_s, "TimeMin") \
	X(account, "Account") X(partitions, "Partition") X(qos, "QOS") X(reason, "Reason") \
	X(priority, "Priority") X(nice, "Nice") X(cpus_per_task, "CPUs/Task") X(features, "Features") X(prefer, "Prefer") \
	X(licenses, "Licenses") X(dependency, "Dependency") X(reservation, "Reservation") \
	X(req_nodes, "ReqNodeList") X(exc_nodes, "ExcNodeList") X(sched_nodes, "SchedNodeList") \
	X(node_list, "NodeList") X(oversubscribe, "OverSubscribe") X(contiguous, "Contiguous") \
	X(restarts, "Restarts") X(comment, "Comment")

/* Other keys; MinMemoryNode is read only where it stands for itself. */
#define OTHERS(X) \
	X(array_task, "ArrayTaskId") X(owner, "UserId") X(group, "GroupId") X(state, "JobState") \
	X(time_limit, "TimeLimit") X(tres, "TRES") X(tres_req, "ReqTRES") X(tres_alloc, "AllocTRES") \
	X(cpus, "NumCPUs") X(min_cpus, "MinCPUsNode") X(tasks, "NumTasks") X(nodes, "NumNodes") \
	X(switches, "Switches") X(memory, "MinMemoryCPU") X(node_memory, "MinMemoryNode") X(tres_memory, "MinMemoryTRES") \
	X(exclusive, "Exclusive") X(of_cores, "NtasksPerN:B:S:C") X(of_threads, "ReqB:S:C:T") X(per_job, "TresPerJob") \
	X(per_node, "TresPerNode") X(per_task, "TresPerTask") X(per_socket, "TresPerSocket") \
	X(cpus_per, "CpusPerTres") X(memory_per, "MemPerTres") X(sockets, "Socks/Node") X(disk, "MinTmpDiskNode") \
	X(pre_suspend, "SecsPreSuspend")

/* Keys that nothing is read from: they are told from free text sooner when they are known. */
#define UNREAD(X) \
	X(mcs, "MCS_label") X(requeue, "Requeue") X(batch, "BatchFlag") X(reboot, "Reboot") X(exit_code, "ExitCode") \
	X(run_time, "RunTime") X(sid, "AllocNode:Sid") \
	X(batch_host, "BatchHost") X(specialized, "CoreSpec") \
	X(delay, "DelayBoot") X(network, "Network") X(command, "Command") X(submitted, "SubmitLine") \
	X(folder, "WorkDir") X(errors, "StdErr") X(input, "StdIn") X(output, "StdOut") X(power, "Power") \
	X(preempted, "PreemptTime") X(licenses_held, "LicensesAlloc")

#define KEY_ENUM(tag, name) KEY_##tag,
#define KEY_NAME(tag, name) name,
#define KEY_MAP(tag, name) { name, FSI_JOB_##tag },

enum key { FIELDS(KEY_ENUM) OTHERS(KEY_ENUM) UNREAD(KEY_ENUM) KEYS, KEYS_READ = KEY_mcs };
enum { KEYS_BEFORE_NAME = 4 };

static const char *const key_names[] = { FIELDS(KEY_NAME) OTHERS(KEY_NAME) UNREAD(KEY_NAME) };
static const struct fsi_import_map fields[] = { FIELDS(KEY_MAP) };

/* `1-4`: the least of a range. */
static const struct {
	enum key key;
	unsigned bit;
} ranges[] = {
	{ KEY_cpus, FSI_JOB_cpus },
	{ KEY_min_cpus, FSI_JOB_min_cpus_per_node },
	{ KEY_tasks, FSI_JOB_tasks },
};

/* `2`, `2-4`, and from 24.05 on as they were asked for `2,4` and `2-8:2`: the first number is the least, the last one
 * before a step the most; what is left out between them is not kept. A plain number sets none. */
static int set_nodes(struct fsi_import *imp, struct fsi_job *job, struct fsi_span sizes)
{
	const char *step = memchr(sizes.s ? sizes.s : "", ':', sizes.len);
	struct fsi_span min = { sizes.s, 0 }, max;
	size_t end = step ? (size_t)(step - sizes.s) : sizes.len, begin = end;
	int rc;

	if (!sizes.len)
		return 0;
	while (min.len < end && min.s[min.len] != '-' && min.s[min.len] != ',')
		min.len++;
	while (begin && sizes.s[begin - 1] != '-' && sizes.s[begin - 1] != ',')
		begin--;
	max = (struct fsi_span){ sizes.s + begin, end - begin };
	rc = FSI_IMPORT_SET(imp, JOB, job, nodes, min);
	if (!rc && begin)
		rc = FSI_IMPORT_SET(imp, JOB, job, max_nodes, max);
	return rc;
}

/* `2@00:05:00` */
static int set_switches(struct fsi_import *imp, struct fsi_job *job, struct fsi_span v)
{
	struct fsi_span most;
	int64_t wait;
	int rc = fsi_span_cut(&v, '@', &most) ? FSI_IMPORT_SET(imp, JOB, job, switches, most) : 0;

	if (!rc && v.len && !fsi_parse_duration(v.s, v.len, &wait) && wait <= UINT32_MAX &&
	    FSI_SET_RARE(imp->m, job, switches_wait_s, (uint32_t)wait))
		rc = fsi_nomem(imp->err);
	return rc;
}

/* `MinMemoryCPU=1000M` in MiB, 0 for none; `MinMemoryNode=0` is all where memory is given out, and so is what hides
 * behind the memory of GPUs, `MinMemoryTRES=9000M`; elsewhere none (src/slurmctld/job_mgr.c: job_get_tres_mem). */
static int set_memory(struct fsi_import *imp, struct fsi_job *job, const struct fsi_keyed *kv)
{
	const char *select = fs_snapshot_config_text(imp->m, "SelectTypeParameters");
	const bool zero = fsi_span_is(kv->value[KEY_node_memory], "0") || kv->value[KEY_tres_memory].len,
		   given = select && strstr(select, "MEMORY");
	const struct fsi_span mem = kv->value[KEY_memory];
	int64_t mb;

	if (mem.len && !fsi_parse_mem_mb(mem.s, mem.len, &mb) && mb > 0 && mb <= UINT32_MAX)
		FSI_PUT(job, JOB, mem_per_cpu_mb, (uint32_t)mb);
	if (zero && (given ? FSI_SET_RARE(imp->m, job, all_memory, true) : FSI_SET_RARE(imp->m, job, no_memory, true)))
		return fsi_nomem(imp->err);
	return 0;
}

/* `MinTmpDiskNode=2000M` in MiB, 0 for none. */
static int set_disk(struct fsi_import *imp, struct fsi_job *job, const struct fsi_keyed *kv)
{
	const struct fsi_span disk = kv->value[KEY_disk];
	int64_t mb;

	if (disk.len && !fsi_parse_mem_mb(disk.s, disk.len, &mb) && mb > 0 && mb <= UINT32_MAX &&
	    FSI_SET_RARE(imp->m, job, tmp_disk_mb, (uint32_t)mb))
		return fsi_nomem(imp->err);
	return 0;
}

/* `0:0:*:1`: one of the parts; `*` and 0 set none. */
static int set_part(struct fsi_import *imp, struct fsi_span v, int which, unsigned bit, struct fsi_rec *rec)
{
	struct fsi_span part = { NULL, 0 };
	bool there = true;

	for (int k = 0; there && k <= which; k++)
		there = fsi_span_cut(&v, ':', &part);
	if (!there || !part.len || fsi_span_is(part, "*") || fsi_span_is(part, "0"))
		return 0;
	return fsi_import_set(imp, fsi_record_table(FSI_RECORD_JOB), bit, rec, part);
}

int fsi_slurm_exclusive(struct fsi_import *imp, struct fsi_span exclusive, enum fsi_record_type type,
			unsigned bit, struct fsi_rec *rec)
{
	return !exclusive.len || fsi_span_is(exclusive, "NO") ||
			       !fs_slurm_has(imp->m->info.version, FS_SLURM_EXCLUSIVE_FIELD)
		       ? 0
		       : fsi_import_set(imp, fsi_record_table(type), bit, rec, exclusive);
}

static int set_cores(struct fsi_import *imp, struct fsi_job *job, const struct fsi_keyed *kv)
{
	enum { NODE, SOCKET = 2, LAST };
	int rc = set_part(imp, kv->value[KEY_of_cores], NODE, FSI_JOB_ntasks_per_node, &job->rec);

	if (!rc)
		rc = set_part(imp, kv->value[KEY_of_cores], SOCKET, FSI_JOB_ntasks_per_socket, &job->rec);
	if (!rc)
		rc = set_part(imp, kv->value[KEY_of_cores], LAST, FSI_JOB_ntasks_per_core, &job->rec);
	if (!rc)
		rc = set_part(imp, kv->value[KEY_sockets], NODE, FSI_JOB_sockets_per_node, &job->rec);
	if (!rc)
		rc = set_part(imp, kv->value[KEY_of_threads], SOCKET, FSI_JOB_cores_per_socket, &job->rec);
	return rc ? rc : set_part(imp, kv->value[KEY_of_threads], LAST, FSI_JOB_threads_per_core, &job->rec);
}

static const char *last_of(struct fsi_span in, const char *word)
{
	const char *end = in.s + in.len, *last = NULL;

	for (const char *p = fsi_span_find(in, word, 1); p; p = fsi_span_find(in, word, 1)) {
		last = p;
		in = (struct fsi_span){ p + 1, (size_t)(end - p - 1) };
	}
	return last;
}

/* A job's name is free text and may itself hold ` Key=`: it ends at the last ` UserId=` before the
 * first ` Network=`, behind which only other free text (Command, SubmitLine, Comment) follows.
 * Cuts the name out: head is what stands before it, tail what follows. */
static struct fsi_span cut_name(struct fsi_span line, struct fsi_span *head, struct fsi_span *tail)
{
	static const char key[] = "JobName=";
	const char *end = line.s + line.len, *name = fsi_span_find(line, key, 3), *limit, *stop = NULL;

	*head = line;
	*tail = (struct fsi_span){ end, 0 };
	if (!name)
		return (struct fsi_span){ NULL, 0 };
	head->len = (size_t)(name - line.s);
	name += sizeof(key) - 1;
	for (const char *from = name; !stop && from; from = limit ? limit + 1 : NULL) {
		/* one in the name has no UserId before it */
		limit = fsi_span_find((struct fsi_span){ from, (size_t)(end - from) }, " Network=", 4);
		stop = last_of((struct fsi_span){ name, (size_t)((limit ? limit : end) - name) }, " UserId=");
	}
	if (!stop)
		return (struct fsi_span){ name, (size_t)(end - name) };
	*tail = (struct fsi_span){ stop + 1, (size_t)(end - stop - 1) };
	return (struct fsi_span){ name, (size_t)(stop - name) };
}

/* For a component scontrol puts the ids of all, which have no blank, between name and owner. */
static struct fsi_span cut_set(struct fsi_span name, const struct fsi_keyed *kv)
{
	const char *last = kv->value[KEY_het_job_id].len && name.s ? last_of(name, " HetJobIdSet=") : NULL;

	if (last)
		name.len = (size_t)(last - name.s);
	return name;
}

static int set_owner(struct fsi_import *imp, struct fsi_job *job, const struct fsi_keyed *kv)
{
	struct fsi_span user = kv->value[KEY_owner], group = kv->value[KEY_group];
	struct fsi_span part = { NULL, 0 }, uid;
	int rc;

	fsi_span_cut(&user, '(', &part);
	uid = user;
	uid.len -= uid.len && uid.s[uid.len - 1] == ')';
	rc = FSI_IMPORT_SET(imp, JOB, job, user, part);
	if (!rc)
		rc = FSI_IMPORT_SET(imp, JOB, job, uid, uid);
	if (!rc && fsi_span_cut(&group, '(', &part))
		rc = FSI_IMPORT_SET(imp, JOB, job, group, part);
	return rc;
}

struct reader {
	struct fsi_keyed values;
	struct fsi_look *look;
	struct fsi_intern tres_texts; /* many jobs have the same */
	FSI_VEC(uint32_t) tres_sets; /* by text */
};

static int set_tres(struct fsi_import *imp, struct reader *r, struct fsi_job *job, unsigned bit, struct fsi_span v)
{
	const struct fsi_record_table *t = fsi_record_table(FSI_RECORD_JOB);
	uint32_t *const set = fsi_field_own(imp->m, &t->fields[bit], &job->rec), text;
	int rc;

	if (fsi_span_none(v))
		return 0;
	text = fsi_intern(&r->tres_texts, v.s, v.len);
	if (text == FSI_INTERN_FAILED)
		return fsi_nomem(imp->err);
	if (text <= r->tres_sets.n) {
		*set = r->tres_sets.v[text - 1];
		fsi_mark_known(&job->rec, bit);
		return 0;
	}
	rc = fsi_import_set(imp, t, bit, &job->rec, v);
	if (!rc && FSI_VEC_ROOM(&r->tres_sets))
		return fsi_nomem(imp->err);
	if (!rc)
		r->tres_sets.v[r->tres_sets.n++] = *set;
	return rc;
}

/* One TRES= before 24.11: what is asked for while pending, what is held afterwards. */
static int set_both_tres(struct fsi_import *imp, struct reader *r, struct fsi_job *job)
{
	const struct fsi_span *v = r->values.value, one = v[KEY_tres], held = v[KEY_tres_alloc];
	const int rc = set_tres(imp, r, job, FSI_JOB_tres_req, one.len ? one : v[KEY_tres_req]);

	return rc ? rc
		  : set_tres(imp, r, job, FSI_JOB_tres_alloc, one.len && job->state != FSI_STATE_PENDING ? one : held);
}

static int set_state(struct fsi_import *imp, struct fsi_job *job, const struct fsi_keyed *kv)
{
	const struct fsi_span v = kv->value[KEY_state];
	enum fsi_job_state state = fsi_job_state_parse(v.s, (uint32_t)v.len);

	if (state == FSI_STATE_COUNT) {
		state = FSI_STATE_UNKNOWN;
		if (fsi_warn(imp->m, "job %llu: unknown state \"%.*s\"",
			     (unsigned long long)job->id, (int)(v.len < 40 ? v.len : 40), v.s))
			return fsi_nomem(imp->err);
	}
	FSI_PUT(job, JOB, state, (uint8_t)state);
	return 0;
}

static int set_array(struct fsi_import *imp, struct fsi_job *job, const struct fsi_keyed *kv)
{
	const struct fsi_span v = kv->value[KEY_array_task];
	uint64_t n;

	if (!fsi_parse_u64(v.s, v.len, &n))
		return FSI_IMPORT_SET(imp, JOB, job, array_task_id, v);
	return FSI_IMPORT_SET(imp, JOB, job, array_tasks, v);
}

static int set_ranges(struct fsi_import *imp, struct fsi_job *job, const struct fsi_keyed *kv)
{
	const struct fsi_record_table *t = fsi_record_table(FSI_RECORD_JOB);
	struct fsi_span part;
	int rc = 0;

	for (size_t i = 0; i < COUNT(ranges) && !rc; i++) {
		struct fsi_span v = kv->value[ranges[i].key];

		if (fsi_span_cut(&v, '-', &part))
			rc = fsi_import_set(imp, t, ranges[i].bit, &job->rec, part);
	}
	return rc;
}

/* Sets the fields behind the name, some of which need more than their text. */
/* `SecsPreSuspend=6`; 0 for a job that was never suspended. */
static int set_pre_suspend(struct fsi_import *imp, struct fsi_job *job, struct fsi_span v)
{
	uint64_t ran;

	if (!FSI_HAS(job, JOB, suspend_time) || fsi_parse_u64(v.s ? v.s : "", v.len, &ran) || ran > UINT32_MAX)
		return 0;
	return FSI_SET_RARE(imp->m, job, pre_suspend_s, (uint32_t)ran) ? fsi_nomem(imp->err) : 0;
}

static int set_rest(struct fsi_import *imp, struct reader *r, struct fsi_job *job)
{
	const struct fsi_keyed *kv = &r->values;
	const struct fsi_slurm_tres_per per = { kv->value[KEY_per_job], kv->value[KEY_per_node],
						kv->value[KEY_per_task], kv->value[KEY_per_socket] };
	const struct fsi_span limit = kv->value[KEY_time_limit];
	int rc = fsi_keyed_set_all(imp, kv, fields, KEYS_BEFORE_NAME, COUNT(fields), FSI_RECORD_JOB, &job->rec);

	if (!rc)
		rc = set_owner(imp, job, kv);
	if (!rc)
		rc = set_state(imp, job, kv);
	if (!rc)
		rc = set_both_tres(imp, r, job);
	if (!rc && !fsi_span_is(limit, "Partition_Limit"))
		rc = FSI_IMPORT_SET(imp, JOB, job, time_limit_s, limit);
	if (!rc)
		rc = set_ranges(imp, job, kv);
	if (!rc)
		rc = fsi_slurm_exclusive(imp, kv->value[KEY_exclusive], FSI_RECORD_JOB, FSI_JOB_oversubscribe,
					 &job->rec);
	if (!rc)
		rc = set_nodes(imp, job, kv->value[KEY_nodes]);
	if (!rc)
		rc = fsi_slurm_gres_asked(imp, job, &per);
	if (!rc)
		rc = set_switches(imp, job, kv->value[KEY_switches]);
	if (!rc)
		rc = set_memory(imp, job, kv);
	if (!rc)
		rc = set_disk(imp, job, kv);
	if (!rc)
		rc = set_pre_suspend(imp, job, kv->value[KEY_pre_suspend]);
	if (!rc)
		rc = fsi_slurm_per_gpu(imp, job, kv->value[KEY_cpus_per], kv->value[KEY_memory_per]);
	return rc ? rc : set_cores(imp, job, kv);
}

static int job_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	struct reader *r = ctx;
	struct fsi_keyed *kv = &r->values;
	struct fsi_span head, tail, name = cut_name(line, &head, &tail);
	struct fsi_job *job;
	int rc;

	fsi_keyed_clear(kv);
	fsi_keyed_line(kv, head);
	if (!kv->value[KEY_id].len || !fsi_span_begins(fsi_span_trim(line), "JobId="))
		return fsi_look_line(imp, r->look, line);
	job = FSI_VEC_ADD(&imp->m->job);
	if (!job)
		return fsi_nomem(imp->err);
	rc = fsi_keyed_set_all(imp, kv, fields, 0, KEYS_BEFORE_NAME, FSI_RECORD_JOB, &job->rec);
	if (!rc)
		rc = set_array(imp, job, kv);
	if (!rc)
		rc = FSI_IMPORT_SET(imp, JOB, job, name, cut_set(name, kv));
	fsi_keyed_line(kv, tail);
	if (!rc)
		rc = set_rest(imp, r, job);
	if (!rc)
		rc = fsi_look_keyed(imp, r->look, line, kv, name);
	return rc ? rc : fsi_import_complete(imp, FSI_RECORD_JOB, &job->rec);
}

int fsi_slurm_jobs(struct fsi_import *imp, struct fsi_look *look)
{
	struct reader r = { .look = look };
	struct fsi_id_index index = { 0 };
	int rc;

	fsi_look_at_jobs(look);
	fsi_keyed_init(&r.values, key_names, KEYS, KEYS_READ);
	rc = fsi_import_job_records(imp, job_line, &r);
	fsi_intern_release(&r.tres_texts);
	FSI_VEC_FREE(&r.tres_sets);
	look->read = !rc;
	if (rc)
		return rc > 0 ? fsi_import_hide(imp, "job") : rc;
	if (fsi_index_jobs(&index, imp->m))
		return fsi_nomem(imp->err);
	rc = fsi_slurm_squeue(imp, &index);
	if (rc >= 0)
		rc = fsi_slurm_details(imp, &index);
	free(index.v);
	return rc > 0 ? 0 : rc;
}
