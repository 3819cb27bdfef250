/* Jobs, partitions and reservations as commands see them. */
#include "base/hostlist.h"
#include "base/num.h"
#include "base/tasks.h"
#include "model/job/word.h"
#include "model/scheduler.h"
#include "model/viewer.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define TIME_OF(r, TAG, member) (FSI_HAS(r, TAG, member) ? (int64_t)(r)->member : FS_UNKNOWN)

static int64_t duration(int64_t value, bool known, bool unlimited)
{
	return unlimited ? FS_UNLIMITED : known ? value : FS_UNKNOWN;
}

/* Returns the run time as src/api/job_info.c prints RunTime. */
int64_t fsi_job_ran_s(const fs_snapshot *m, const struct fsi_job *j)
{
	const struct fsi_job_rare *rare = fsi_job_rare(m, j);
	const bool moved = FSI_HAS(j, JOB, suspend_time), counted = FSI_HAS(j, JOB, pre_suspend_s);
	const bool ended = j->state != FSI_STATE_RUNNING && FSI_HAS(j, JOB, end_time) && j->end_time <= m->info.time;
	const int64_t from = moved ? rare->suspend_time : j->start_time;
	const int64_t to = j->state == FSI_STATE_RUNNING ? m->info.time : j->end_time;

	if (j->state == FSI_STATE_SUSPENDED)
		return counted ? (int64_t)rare->pre_suspend_s : FS_UNKNOWN;
	if (j->state == FSI_STATE_PENDING || (j->state != FSI_STATE_RUNNING && !ended) ||
	    !FSI_HAS(j, JOB, start_time) || moved != counted || to < from)
		return FS_UNKNOWN;
	return to - from + (counted ? (int64_t)rare->pre_suspend_s : 0);
}

bool fs_snapshot_job(const fs_snapshot *m, size_t i, struct fs_job *out)
{
	const struct fsi_job *j;
	const struct fsi_job_rare *rare;

	if (i >= m->job.n)
		return false;
	j = &m->job.v[i];
	rare = fsi_job_rare(m, j);
	*out = (struct fs_job){
		.id = j->id,
		.array_job = j->array_job_id,
		.het_job = rare->het_job_id,
		.name = fsi_str(m, j->name),
		.user = fsi_str(m, j->user),
		.account = fsi_str(m, j->account),
		.group = fsi_str(m, j->group),
		.state = fsi_job_state_name(j->state),
		.reason = fsi_str(m, j->reason),
		.array_tasks = fsi_str(m, j->array_tasks),
		.task = j->array_task_id,
		.has_task = FSI_HAS(j, JOB, array_task_id),
		.node_list = fsi_str(m, j->node_list),
		.sched_nodes = fsi_str(m, j->sched_nodes),
		.reservation = fsi_str(m, j->reservation),
		.dependency = fsi_str(m, j->dependency),
		.features = fsi_str(m, j->features),
		.licenses = fsi_str(m, rare->licenses),
		.uid = j->uid,
		.has_uid = FSI_HAS(j, JOB, uid),
		.has_name = FSI_HAS(j, JOB, name),
		.priority = TIME_OF(j, JOB, priority),
		.nodes = TIME_OF(j, JOB, nodes),
		.cpus = TIME_OF(j, JOB, cpus),
		.time_limit_s =
			duration(j->time_limit_s, FSI_HAS(j, JOB, time_limit_s), FSI_SPECIAL(j, JOB, time_limit_s)),
		.submit_time = TIME_OF(j, JOB, submit_time),
		.eligible_time = TIME_OF(j, JOB, eligible_time),
		.start_time = TIME_OF(j, JOB, start_time),
		.end_time = TIME_OF(j, JOB, end_time),
		.maui_partition = fsi_str(m, rare->maui_partition),
		.looked_at_by = fsi_str(m, j->looked_at_by),
		.last_sched_eval = TIME_OF(j, JOB, last_sched_eval),
		.tasks = TIME_OF(j, JOB, tasks),
		.table_place = FSI_HAS(j, JOB, position) ? (int64_t)rare->position : FS_UNKNOWN,
		.active_place = FSI_HAS(j, JOB, active_place) ? (int64_t)rare->active_place : FS_UNKNOWN,
		.efficiency = FSI_HAS(j, JOB, efficiency) ? rare->efficiency : (double)NAN,
		.suspend_time = FSI_HAS(j, JOB, suspend_time) ? rare->suspend_time : FS_UNKNOWN,
		.ran_s = fsi_job_ran_s(m, j),
	};
	return true;
}

int fs_job_id_parse(const fs_snapshot *m, const char *text, uint64_t *id)
{
	if (m->scheduler->parse_job_id && !m->scheduler->parse_job_id(text, id))
		return 0;
	return fsi_parse_u64(text, strlen(text), id) ? FS_EUSAGE : 0;
}

int fs_job_find(const fs_snapshot *m, const char *text, uint32_t *row)
{
	struct fsi_job_word w;

	*row = FSI_NO_INDEX;
	if (fsi_job_word_parse(m, text, &w))
		return FS_EUSAGE;
	*row = fsi_job_word_find(m, &w);
	return 0;
}

const char *fs_job_id_format(const fs_snapshot *m, uint64_t id, bool ascii, char buf[FS_JOB_ID_TEXT])
{
	if (m->scheduler->format_job_id)
		return m->scheduler->format_job_id(id, ascii, buf);
	snprintf(buf, FS_JOB_ID_TEXT, "%" PRIu64, id);
	return buf;
}

static const char *item(const fs_snapshot *m, uint32_t set, size_t k)
{
	size_t n;
	const uint32_t *list = fsi_list(m, set, &n);

	return k < n ? fsi_str(m, list[k]) : NULL;
}

static bool tres_item(const fs_snapshot *m, uint32_t set, size_t k, struct fs_tres *out)
{
	size_t n;
	const struct fsi_amount *a = fsi_amounts(m, set, &n);

	if (k >= n)
		return false;
	*out = (struct fs_tres){ fsi_str(m, a[k].tres), a[k].n };
	return true;
}

const char *fs_job_partition(const fs_snapshot *m, size_t i, size_t k)
{
	return i < m->job.n ? item(m, m->job.v[i].partitions, k) : NULL;
}

const char *fs_job_qos(const fs_snapshot *m, size_t i, size_t k)
{
	return i < m->job.n ? item(m, m->job.v[i].qos, k) : NULL;
}

bool fs_job_flag(const fs_snapshot *m, size_t i, const char *flag)
{
	return i < m->job.n && fsi_list_has(m, fsi_job_rare(m, &m->job.v[i])->flags, flag);
}

bool fs_job_tres(const fs_snapshot *m, size_t i, size_t k, struct fs_tres *out)
{
	return i < m->job.n && tres_item(m, m->job.v[i].tres_req, k, out);
}

static const struct fsi_partition *partition_named(const fs_snapshot *m, const char *name)
{
	const uint32_t id = fsi_name_find(m, name);

	return id ? fsi_partition_find(m, id) : NULL;
}

bool fs_snapshot_partition(const fs_snapshot *m, const char *name, struct fs_partition *out)
{
	const struct fsi_partition *p = partition_named(m, name);

	if (!p)
		return false;
	*out = (struct fs_partition){ fsi_str(m, p->name), TIME_OF(p, PARTITION, total_cpus),
				      TIME_OF(p, PARTITION, total_nodes), fsi_str(m, p->state) };
	return true;
}

bool fs_partition_tres(const fs_snapshot *m, const char *name, size_t k, struct fs_tres *out)
{
	const struct fsi_partition *p = partition_named(m, name);

	return p && tres_item(m, p->tres, k, out);
}

bool fs_snapshot_reservation(const fs_snapshot *m, size_t i, struct fs_reservation *out)
{
	const struct fsi_reservation *r;

	if (i >= m->reservation.n)
		return false;
	r = &m->reservation.v[i];
	*out = (struct fs_reservation){ fsi_str(m, r->name), fsi_str(m, r->nodes), TIME_OF(r, RESERVATION, start_time),
					TIME_OF(r, RESERVATION, end_time),
					FSI_HAS(r, RESERVATION, admits_told) && r->admits_told };
	return true;
}

void fs_snapshot_visible_jobs(const fs_snapshot *m, const char *viewer, bool *seen)
{
	struct fsi_viewer v;

	fsi_viewer_init(&v, m, viewer);
	for (size_t i = 0; i < m->job.n; i++)
		seen[i] = fsi_viewer_sees_job(&v, &m->job.v[i]);
}

bool fs_snapshot_shows_jobs_of(const fs_snapshot *m, const char *viewer, const char *user, const char *account)
{
	const struct fsi_job job = { .user = fsi_name_find(m, user), .account = fsi_name_find(m, account) };
	struct fsi_viewer v;

	fsi_viewer_init(&v, m, viewer);
	return fsi_viewer_sees_job(&v, &job);
}

static int intern_host(void *ctx, const char *name, size_t len)
{
	return fsi_intern(ctx, name, len) == FSI_INTERN_FAILED ? -2 : 0;
}

/* Nodes that several may have count once; those without names are added up. */
struct host_count {
	const fs_snapshot *m;
	struct fsi_intern names;
	int64_t unnamed;
	int rc;
};

static void add_hosts(struct host_count *c, uint32_t list, bool numbered, uint32_t number)
{
	if (c->rc == -2)
		return;
	if (list)
		c->rc = fsi_hostlist_each(fsi_str(c->m, list), FSI_MAX_HOSTS, intern_host, &c->names);
	else
		c->unnamed += numbered ? (int64_t)number : 0;
}

static int64_t end_count(struct host_count *c)
{
	const int64_t named = c->names.count ? (int64_t)c->names.count - 1 : 0;

	fsi_intern_release(&c->names);
	return c->rc == -2 ? FS_ENOMEM : named + c->unnamed;
}

int64_t fs_snapshot_count_nodes(const fs_snapshot *m, const uint32_t *rows, size_t n)
{
	struct host_count c = { .m = m };

	for (size_t i = 0; i < n; i++) {
		const struct fsi_job *j = &m->job.v[rows[i]];

		add_hosts(&c, j->node_list, FSI_HAS(j, JOB, nodes), j->nodes);
	}
	return end_count(&c);
}

int64_t fs_snapshot_count_partition_nodes(const fs_snapshot *m, const uint32_t *rows, size_t n)
{
	struct host_count c = { .m = m };

	for (size_t i = 0; i < n; i++) {
		const struct fsi_partition *p = &m->partition.v[rows[i]];

		add_hosts(&c, p->nodes, FSI_HAS(p, PARTITION, total_nodes), p->total_nodes);
	}
	return end_count(&c);
}

int fs_hostlist_each(const char *text, fs_host_fn fn, void *ctx)
{
	return fsi_hostlist_each(text, FSI_MAX_HOSTS, fn, ctx);
}

uint32_t fs_job_next_begun(const fs_snapshot *m, size_t *at)
{
	struct fsi_begun b = { .at = *at };
	const bool any = fsi_begun_next(m, &b);

	*at = b.at;
	return any ? b.row : FSI_NO_INDEX;
}

/* `1,3,5-9,20-40:4%2`; `...` where scontrol cut it. */
uint64_t fs_job_tasks(const fs_snapshot *m, size_t i, bool *exact)
{
	struct fsi_tasks t;
	const char *s;
	uint64_t n = 0;

	*exact = true;
	if (i >= m->job.n)
		return 0;
	s = fsi_str(m, m->job.v[i].array_tasks);
	/* sprio, and squeue -O JobID, do not tell an array from a job: in a paste scontrol alone does */
	*exact = *s || !m->scheduler->arrays || FSI_HAS(&m->job.v[i], JOB, restarts) ||
		 !fsi_hidden(m, FSI_HIDDEN_JOB_FIELDS);
	for (int rc = fsi_tasks_next(&s, &t); rc; rc = fsi_tasks_next(&s, &t)) {
		n += rc > 0 ? fsi_tasks_count(&t) : 0;
		*exact = *exact && rc > 0;
	}
	return n ? n : 1;
}
