#include "model/jobs.h"

#include "base/hostlist.h"
#include "base/num.h"
#include "base/text.h"
#include "model/find.h"
#include "model/model.h"
#include "model/scheduler.h"

#include "fs/job.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct fsi_partition_request compute_partition_request(const struct fsi_request_settings *r,
							      const struct fsi_job *j, uint32_t partition,
							      uint64_t nodes, const struct fsi_request_traits *own);

/* ---- job ids on a command line (Slurm: src/common/proc_args.c, slurm_parse_array_tok and unfmt_job_id_string: "28_3"
 * is a task, "31+1" a component) */

int fsi_job_ref_parse(const fs_snapshot *m, const char *s, struct fsi_job_ref *w)
{
	const char *end = s + strcspn(s, "_+");

	*w = (struct fsi_job_ref){ .of_array = *end == '_' };
	if (m->scheduler->parse_job_id && !m->scheduler->parse_job_id(s, &w->id))
		return 0;
	if (fsi_parse_u64(s, (size_t)(end - s), &w->id))
		return -1;
	w->has_offset = *end == '+';
	w->has_task = *end == '_' && end[1] != '[' && end[1] != '*';
	if (w->has_offset)
		return fsi_parse_u64(end + 1, strlen(end + 1), &w->offset);
	return w->has_task ? fsi_parse_u64(end + 1, strlen(end + 1), &w->task) : 0;
}

static int match_array_task(const fs_snapshot *m, const struct fsi_job *j, const struct fsi_job_ref *w)
{
	if (j->array_job_id != w->id)
		return 0;
	if (FSI_HAS(j, JOB, array_task_id))
		return j->array_task_id == w->task ? 3 : 0;
	return fsi_is_task_listed(fsi_name_text(m, j->array_tasks), w->task) ? 2 : 0;
}

int fsi_job_ref_match(const fs_snapshot *m, const struct fsi_job *j, const struct fsi_job_ref *w)
{
	const struct fsi_job_ext *ext = fsi_job_ext(m, j);
	const bool split = FSI_HAS(j, JOB, array_task_id);

	if (j->state == FSI_STATE_FUTURE)
		return 0;
	if (w->has_offset)
		return ext->het_job_id == w->id && FSI_HAS(j, JOB, het_offset) && ext->het_offset == w->offset ? 3
														 : 0;
	if (w->has_task)
		return match_array_task(m, j, w);
	if (j->id == w->id && (!w->of_array || !split))
		return 3;
	return w->id && j->array_job_id == w->id ? (split ? 1 : 2) : 0;
}

uint32_t fsi_job_ref_row_by_id(const fs_snapshot *m, const struct fsi_job_ref *w)
{
	const uint32_t row = w->has_task || w->has_offset ? FSI_NO_INDEX : fsi_job_find_row(m, w->id);

	return row != FSI_NO_INDEX && fsi_job_ref_match(m, &m->job.v[row], w) == 3 ? row : FSI_NO_INDEX;
}

uint32_t fsi_job_ref_find(const fs_snapshot *m, const struct fsi_job_ref *w)
{
	uint32_t best_row = fsi_job_ref_row_by_id(m, w);
	int best = best_row == FSI_NO_INDEX ? 0 : 3;

	for (uint32_t i = 0; i < m->job.n && best < 3; i++) {
		const int f = fsi_job_ref_match(m, &m->job.v[i], w);

		if (f > best) {
			best = f;
			best_row = i;
		}
	}
	return best_row;
}

/* ---- jobs, partitions and reservations of the public interface */

#define KNOWN_VALUE(r, TAG, member) (FSI_HAS(r, TAG, member) ? (int64_t)(r)->member : FS_UNKNOWN)

static int64_t to_duration_or_special(int64_t value, bool known, bool unlimited)
{
	return unlimited ? FS_UNLIMITED : known ? value : FS_UNKNOWN;
}

/* Reproduces the RunTime that src/api/job_info.c prints. */
int64_t fsi_job_run_time_s(const fs_snapshot *m, const struct fsi_job *j)
{
	const struct fsi_job_ext *ext = fsi_job_ext(m, j);
	const bool moved = FSI_HAS(j, JOB, suspend_time), counted = FSI_HAS(j, JOB, pre_suspend_s);
	const bool ended = j->state != FSI_STATE_RUNNING && FSI_HAS(j, JOB, end_time) && j->end_time <= m->info.time;
	const int64_t from = moved ? ext->suspend_time : j->start_time;
	const int64_t to = j->state == FSI_STATE_RUNNING ? m->info.time : j->end_time;

	if (j->state == FSI_STATE_SUSPENDED)
		return counted ? (int64_t)ext->pre_suspend_s : FS_UNKNOWN;
	if (j->state == FSI_STATE_PENDING || (j->state != FSI_STATE_RUNNING && !ended) ||
	    !FSI_HAS(j, JOB, start_time) || moved != counted || to < from)
		return FS_UNKNOWN;
	return to - from + (counted ? (int64_t)ext->pre_suspend_s : 0);
}

bool fs_snapshot_job(const fs_snapshot *m, size_t i, struct fs_job *out)
{
	const struct fsi_job *j;
	const struct fsi_job_ext *ext;

	if (i >= m->job.n)
		return false;
	j = &m->job.v[i];
	ext = fsi_job_ext(m, j);
	*out = (struct fs_job){
		.id = j->id,
		.het_job = ext->het_job_id,
		.name = fsi_name_text(m, j->name),
		.user = fsi_name_text(m, j->user),
		.group = fsi_name_text(m, j->group),
		.account = fsi_name_text(m, j->account),
		.state = fsi_job_state_name(j->state),
		.reason = fsi_name_text(m, j->reason),
		.wait_message = fsi_name_text(m, ext->wait_message),
		.array.job = j->array_job_id,
		.array.tasks = fsi_name_text(m, j->array_tasks),
		.array.task = j->array_task_id,
		.array.has_task = FSI_HAS(j, JOB, array_task_id),
		.node_list = fsi_name_text(m, j->node_list),
		.sched_nodes = fsi_name_text(m, j->sched_nodes),
		.uid = j->uid,
		.has_uid = FSI_HAS(j, JOB, uid),
		.has_name = FSI_HAS(j, JOB, name),
		.priority = KNOWN_VALUE(j, JOB, priority),
		.request.nodes = KNOWN_VALUE(j, JOB, nodes),
		.request.cpus = KNOWN_VALUE(j, JOB, cpus),
		.request.tasks = KNOWN_VALUE(j, JOB, tasks),
		.request.time_limit_s = to_duration_or_special(j->time_limit_s, FSI_HAS(j, JOB, time_limit_s),
							       FSI_SPECIAL(j, JOB, time_limit_s)),
		.request.features = fsi_name_text(m, j->features),
		.request.licenses = fsi_name_text(m, ext->licenses),
		.request.reservation = fsi_name_text(m, j->reservation),
		.request.dependency = fsi_name_text(m, j->dependency),
		.times.submit = KNOWN_VALUE(j, JOB, submit_time),
		.times.eligible = KNOWN_VALUE(j, JOB, eligible_time),
		.times.start = KNOWN_VALUE(j, JOB, start_time),
		.times.end = KNOWN_VALUE(j, JOB, end_time),
		.times.last_sched_eval = KNOWN_VALUE(j, JOB, last_sched_eval),
		.times.suspend = FSI_HAS(j, JOB, suspend_time) ? ext->suspend_time : FS_UNKNOWN,
		.position.table = FSI_HAS(j, JOB, position) ? (int64_t)ext->position : FS_UNKNOWN,
		.position.active = FSI_HAS(j, JOB, active_place) ? (int64_t)ext->active_place : FS_UNKNOWN,
		.maui_partition = fsi_name_text(m, ext->maui_partition),
		.efficiency = FSI_HAS(j, JOB, efficiency) ? ext->efficiency : (double)NAN,
		.evaluated_by = fsi_name_text(m, j->looked_at_by),
		.run_time_s = fsi_job_run_time_s(m, j),
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
	struct fsi_job_ref w;

	*row = FSI_NO_INDEX;
	if (fsi_job_ref_parse(m, text, &w))
		return FS_EUSAGE;
	*row = fsi_job_ref_find(m, &w);
	return 0;
}

const char *fs_job_id_format(const fs_snapshot *m, uint64_t id, bool ascii, char buf[FS_JOB_ID_TEXT])
{
	if (m->scheduler->format_job_id)
		return m->scheduler->format_job_id(id, ascii, buf);
	snprintf(buf, FS_JOB_ID_TEXT, "%" PRIu64, id);
	return buf;
}

static const char *find_list_item(const fs_snapshot *m, uint32_t set, size_t k)
{
	size_t n;
	const uint32_t *list = fsi_list_items(m, set, &n);

	return k < n ? fsi_name_text(m, list[k]) : NULL;
}

static bool find_tres_item(const fs_snapshot *m, uint32_t set, size_t k, struct fs_tres *out)
{
	size_t n;
	const struct fsi_amount *a = fsi_amount_items(m, set, &n);

	if (k >= n)
		return false;
	*out = (struct fs_tres){ fsi_name_text(m, a[k].tres), a[k].n };
	return true;
}

const char *fs_job_partition(const fs_snapshot *m, size_t i, size_t k)
{
	return i < m->job.n ? find_list_item(m, m->job.v[i].partitions, k) : NULL;
}

const char *fs_job_qos(const fs_snapshot *m, size_t i, size_t k)
{
	return i < m->job.n ? find_list_item(m, m->job.v[i].qos, k) : NULL;
}

bool fs_job_flag(const fs_snapshot *m, size_t i, const char *flag)
{
	return i < m->job.n && fsi_list_has_word(m, fsi_job_ext(m, &m->job.v[i])->flags, flag);
}

bool fs_job_tres(const fs_snapshot *m, size_t i, size_t k, struct fs_tres *out)
{
	return i < m->job.n && find_tres_item(m, m->job.v[i].tres_req, k, out);
}

static const struct fsi_partition *find_partition_by_name(const fs_snapshot *m, const char *name)
{
	const uint32_t id = fsi_name_find(m, name);

	return id ? fsi_partition_find(m, id) : NULL;
}

bool fs_snapshot_partition(const fs_snapshot *m, const char *name, struct fs_partition *out)
{
	const struct fsi_partition *p = find_partition_by_name(m, name);

	if (!p)
		return false;
	*out = (struct fs_partition){ fsi_name_text(m, p->name), KNOWN_VALUE(p, PARTITION, total_cpus),
				      KNOWN_VALUE(p, PARTITION, total_nodes), fsi_name_text(m, p->state) };
	return true;
}

bool fs_partition_tres(const fs_snapshot *m, const char *name, size_t k, struct fs_tres *out)
{
	const struct fsi_partition *p = find_partition_by_name(m, name);

	return p && find_tres_item(m, p->tres, k, out);
}

bool fs_snapshot_node(const fs_snapshot *m, const char *name, struct fs_node *out)
{
	const struct fsi_node *n = fsi_node_find(m, fsi_name_find(m, name));

	if (!n)
		return false;
	*out = (struct fs_node){ fsi_name_text(m, n->name), fsi_name_text(m, n->state), fsi_name_text(m, n->reason) };
	return true;
}

bool fs_snapshot_reservation(const fs_snapshot *m, size_t i, struct fs_reservation *out)
{
	const struct fsi_reservation *r;

	if (i >= m->reservation.n)
		return false;
	r = &m->reservation.v[i];
	*out = (struct fs_reservation){ fsi_name_text(m, r->name), fsi_name_text(m, r->nodes),
					KNOWN_VALUE(r, RESERVATION, start_time), KNOWN_VALUE(r, RESERVATION, end_time),
					FSI_HAS(r, RESERVATION, admits_told) && r->admits_told };
	return true;
}

void fs_snapshot_visible_jobs(const fs_snapshot *m, const char *viewer, bool *seen)
{
	struct fsi_viewer v;

	fsi_viewer_init(&v, m, viewer);
	for (size_t i = 0; i < m->job.n; i++)
		seen[i] = fsi_viewer_may_see_job(&v, &m->job.v[i]);
}

bool fs_snapshot_shows_jobs_of(const fs_snapshot *m, const char *viewer, const char *user, const char *account)
{
	const struct fsi_job job = { .user = fsi_name_find(m, user), .account = fsi_name_find(m, account) };
	struct fsi_viewer v;

	fsi_viewer_init(&v, m, viewer);
	return fsi_viewer_may_see_job(&v, &job);
}

static int intern_host_name(void *ctx, const char *name, size_t len)
{
	return fsi_intern_add(ctx, name, len) == FSI_INTERN_FAILED ? -2 : 0;
}

/* Set of different hosts, plus the number of nodes whose names are not known. */
struct host_count {
	const fs_snapshot *m;
	struct fsi_intern names;
	int64_t unnamed;
	int rc;
};

static void add_job_hosts(struct host_count *c, uint32_t list, bool numbered, uint32_t number)
{
	if (c->rc == -2)
		return;
	if (list)
		c->rc = fsi_hostlist_expand_each(fsi_name_text(c->m, list), FSI_MAX_HOSTS, intern_host_name, &c->names);
	else
		c->unnamed += numbered ? (int64_t)number : 0;
}

static int64_t finish_host_count(struct host_count *c)
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

		add_job_hosts(&c, j->node_list, FSI_HAS(j, JOB, nodes), j->nodes);
	}
	return finish_host_count(&c);
}

/* ---- resources of the cluster */

static bool accepts_no_jobs(const char *state)
{
	static const char *const words[] = { "DOWN", "DRAIN", "DRAINED", "DRAINING", "FAIL", "FAILING", "UNKNOWN", "FUTURE" };

	return fsi_node_state_has(state, words, sizeof(words) / sizeof(*words)) || fsi_node_is_unresponsive(state);
}

/* Adds an amount of one node. `used`: the part of the amount that jobs use, as recorded for the node. */
static void add_node_amount(struct fs_resource *r, int64_t total, int64_t used, bool down)
{
	r->total += total;
	r->used += used;
	if (down && total > used)
		r->down += total - used;
}

static void add_node_resources(struct fs_capacity *c, const fs_snapshot *m, const struct fsi_node *n, uint32_t gpu)
{
	const bool down = accepts_no_jobs(fsi_name_text(m, n->state));

	add_node_amount(&c->nodes, 1, n->alloc_cpus > 0, down);
	add_node_amount(&c->cpus, n->cpus, n->alloc_cpus, down);
	add_node_amount(&c->mem_mb, (int64_t)n->mem_mb, (int64_t)n->alloc_mem_mb, down);
	add_node_amount(&c->gpus, fsi_amount_of_tres(m, n->tres, gpu), fsi_amount_of_tres(m, n->alloc_tres, gpu), down);
}

/* Adds the resources that running jobs use to *c, and fills `rows` with the rows of the jobs. Returns the number of
 * running jobs. */
static size_t add_running_jobs(struct fs_capacity *c, const fs_snapshot *m, uint32_t gpu, uint32_t *rows)
{
	const uint32_t mem = fsi_name_find(m, "mem");
	size_t n = 0;

	for (struct fsi_active_jobs b = { 0 }; fsi_active_jobs_next(m, &b);) {
		const struct fsi_job *j = &m->job.v[b.row];
		const uint32_t tres = j->tres_alloc ? j->tres_alloc : j->tres_req;

		if (j->state != FSI_STATE_RUNNING)
			continue;
		c->cpus.used += j->cpus;
		c->mem_mb.used += fsi_amount_of_tres(m, tres, mem);
		c->gpus.used += fsi_amount_of_tres(m, tres, gpu);
		rows[n++] = b.row;
	}
	return n;
}

/* Replaces the recorded use by that of the running jobs. The recorded use does not include changes of the snapshot,
 * such as a job that was cancelled. */
static int use_running_jobs(struct fs_capacity *c, const fs_snapshot *m, uint32_t gpu)
{
	uint32_t *rows = malloc((m->job.n + 1) * sizeof(*rows));
	size_t n;

	if (!rows)
		return FS_ENOMEM;
	c->nodes.used = c->cpus.used = c->mem_mb.used = c->gpus.used = 0;
	n = add_running_jobs(c, m, gpu, rows);
	c->nodes.used = fs_snapshot_count_nodes(m, rows, n);
	free(rows);
	return c->nodes.used < 0 ? FS_ENOMEM : 0;
}

static void limit_to_total(struct fs_resource *r)
{
	r->used = r->used > r->total ? r->total : r->used;
	r->down = r->down > r->total - r->used ? r->total - r->used : r->down;
}

int fs_snapshot_capacity(const fs_snapshot *m, struct fs_capacity *out)
{
	const uint32_t gpu = fsi_name_find(m, "gres/gpu");
	int rc = 0;

	*out = (struct fs_capacity){ .nodes = { .total = 0 } };
	for (size_t i = 0; i < m->node.n; i++)
		add_node_resources(out, m, &m->node.v[i], gpu);
	if (m->node.n && !fs_snapshot_hidden(m, "job"))
		rc = use_running_jobs(out, m, gpu);
	limit_to_total(&out->nodes);
	limit_to_total(&out->cpus);
	limit_to_total(&out->mem_mb);
	limit_to_total(&out->gpus);
	return rc;
}

int fs_hostlist_each(const char *text, fs_host_fn fn, void *ctx)
{
	return fsi_hostlist_expand_each(text, FSI_MAX_HOSTS, fn, ctx);
}

uint32_t fs_job_next_active(const fs_snapshot *m, size_t *at)
{
	struct fsi_active_jobs b = { .at = *at };
	const bool any = fsi_active_jobs_next(m, &b);

	*at = b.at;
	return any ? b.row : FSI_NO_INDEX;
}

/* Parses a list of array tasks such as `1,3,5-9,20-40:4%2`. A list that scontrol cut ends with `...`. */
uint64_t fs_job_tasks(const fs_snapshot *m, size_t i, bool *exact)
{
	struct fsi_tasks t;
	const char *s;
	uint64_t n = 0;

	*exact = true;
	if (i >= m->job.n)
		return 0;
	s = fsi_name_text(m, m->job.v[i].array_tasks);
	/* in pasted text, only scontrol shows which jobs are arrays; sprio and squeue -O JobID do not */
	*exact = *s || !m->scheduler->has_job_arrays || FSI_HAS(&m->job.v[i], JOB, restarts) ||
		 !fsi_is_type_hidden(m, FSI_HIDDEN_JOB_FIELDS);
	for (int rc = fsi_tasks_parse_next(&s, &t); rc; rc = fsi_tasks_parse_next(&s, &t)) {
		n += rc > 0 ? fsi_tasks_count_range(&t) : 0;
		*exact = *exact && rc > 0;
	}
	return n ? n : 1;
}

/* ---- index of array jobs, for many lookups */

/* task number for a job record that represents all tasks that are not split off; this number sorts after all real task
 * numbers */
static const uint64_t rest_task_number = UINT64_MAX;

static int compare_array_jobs(const void *a, const void *b, const void *ctx)
{
	const struct fsi_job_array *x = a, *y = b;

	(void)ctx;
	if (x->id != y->id)
		return x->id < y->id ? -1 : 1;
	if (x->task != y->task)
		return x->task < y->task ? -1 : 1;
	return x->row < y->row ? -1 : x->row > y->row;
}

/* Sets `first` of each element to the lowest row of its array. */
static void set_first_rows(struct fsi_job_arrays *a)
{
	for (size_t i = 0, end; i < a->n; i = end) {
		uint32_t first = a->v[i].row;

		for (end = i; end < a->n && a->v[end].id == a->v[i].id; end++)
			if (a->v[end].row < first)
				first = a->v[end].row;
		for (size_t k = i; k < end; k++)
			a->v[k].first = first;
	}
}

int fsi_job_arrays_init(struct fsi_job_arrays *a, const fs_snapshot *m)
{
	size_t n = 0;

	for (size_t i = 0; i < m->job.n; i++)
		n += m->job.v[i].array_job_id != 0;
	*a = (struct fsi_job_arrays){ .v = calloc(n + 1, sizeof(*a->v)) };
	if (!a->v)
		return -1;
	for (uint32_t i = 0; i < m->job.n; i++) {
		const struct fsi_job *j = &m->job.v[i];

		if (j->array_job_id)
			a->v[a->n++] = (struct fsi_job_array){ j->array_job_id,
							       FSI_HAS(j, JOB, array_task_id) ? j->array_task_id
											      : rest_task_number,
							       i, 0 };
	}
	if (fs_sort(a->v, a->n, sizeof(*a->v), compare_array_jobs, NULL))
		return -1;
	set_first_rows(a);
	return 0;
}

void fsi_job_arrays_release(struct fsi_job_arrays *a)
{
	free(a->v);
	*a = (struct fsi_job_arrays){ 0 };
}

static size_t find_first_entry(const struct fsi_job_arrays *a, uint64_t id, uint64_t task)
{
	size_t lo = 0, hi = a->n;

	while (lo < hi) {
		const size_t mid = lo + (hi - lo) / 2;

		if (a->v[mid].id < id || (a->v[mid].id == id && a->v[mid].task < task))
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* Returns the row of the first job that is in the array of the parsed id `w`, has the task number `task`, and matches
 * `w`; FSI_NO_INDEX: none. */
static uint32_t find_matching_row(const struct fsi_job_arrays *a, const fs_snapshot *m, const struct fsi_job_ref *w,
				  uint64_t task)
{
	for (size_t i = find_first_entry(a, w->id, task); i < a->n && a->v[i].id == w->id && a->v[i].task == task; i++)
		if (fsi_job_ref_match(m, &m->job.v[a->v[i].row], w))
			return a->v[i].row;
	return FSI_NO_INDEX;
}

uint32_t fsi_job_arrays_find(const struct fsi_job_arrays *a, const fs_snapshot *m, const struct fsi_job_ref *w)
{
	uint32_t row = fsi_job_ref_row_by_id(m, w);
	size_t at;

	if (row == FSI_NO_INDEX && w->has_task)
		row = find_matching_row(a, m, w, w->task);
	if (row == FSI_NO_INDEX)
		row = find_matching_row(a, m, w, rest_task_number);
	if (row != FSI_NO_INDEX || w->has_task || !a->n)
		return row;
	at = find_first_entry(a, w->id, 0);
	return at < a->n && a->v[at].id == w->id ? a->v[at].first : FSI_NO_INDEX;
}

/* ---- order of the controller's job list
 *
 * The list is sorted by id, except for arrays. A task that is split off an array gets a new id and takes the array's
 * position. The job that represents the remaining tasks keeps the old id and moves to the end of the list
 * (src/slurmctld/job_mgr.c: job_array_split). A job submitted at that time would also go to the end, and would have
 * about the same id as the task. The jobs of such an array are therefore sorted as if they had the following ids:
 *
 *   first task split off   id of the array
 *   later task split off   id of the task that was split off before it
 *   remaining tasks        id of the task that was split off last */

static int compare_listed_jobs(const void *x, const void *y, const void *ctx)
{
	const fs_snapshot *m = ctx;
	const struct fsi_job *a = &m->job.v[*(const uint32_t *)x], *b = &m->job.v[*(const uint32_t *)y];
	const bool rest = a->id == a->array_job_id;

	if (a->array_job_id != b->array_job_id)
		return a->array_job_id < b->array_job_id ? -1 : 1;
	if (rest != (b->id == b->array_job_id))
		return rest ? 1 : -1;
	return (a->id > b->id) - (a->id < b->id);
}

int fs_jobs_list_order(const fs_snapshot *m, uint64_t *order_key)
{
	uint32_t *of_arrays = malloc((m->job.n + 1) * sizeof(*of_arrays));
	uint64_t array = 0, before = 0;
	uint32_t n = 0;

	for (uint32_t i = 0; of_arrays && i < m->job.n; i++) {
		order_key[i] = m->job.v[i].id;
		if (m->job.v[i].array_job_id)
			of_arrays[n++] = i;
	}
	if (!of_arrays || fs_sort(of_arrays, n, sizeof(*of_arrays), compare_listed_jobs, m)) {
		free(of_arrays);
		return -1;
	}
	for (uint32_t i = 0; i < n; i++) {
		const struct fsi_job *j = &m->job.v[of_arrays[i]];

		order_key[of_arrays[i]] = j->array_job_id == array ? before : j->array_job_id;
		array = j->array_job_id;
		before = j->id;
	}
	free(of_arrays);
	return 0;
}

/* ---- JobDefaults */

static int parse_job_default(const char *word, size_t len, struct fsi_job_defaults *out)
{
	const char *const names[] = { "DefCpuPerGPU=", "DefMemPerGPU=" };
	uint32_t *const into[] = { &out->cpus_per_gpu, &out->mem_per_gpu_mb };
	uint64_t n;

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		const size_t name = strlen(names[i]);

		if (len <= name || !fsi_is_same_ignoring_case(word, name, names[i]))
			continue;
		if (fsi_parse_u64(word + name, len - name, &n) || n >= UINT32_MAX)
			return -1;
		*into[i] = (uint32_t)n;
		return 0;
	}
	return -1;
}

/* Reproduces Slurm's parser of JobDefaults (src/common/read_config.c: job_defaults_list). */
int fsi_slurm_parse_job_defaults(const char *text, size_t len, struct fsi_job_defaults *out)
{
	struct fsi_job_defaults d = { 0 };

	*out = d;
	for (size_t at = 0, end; at < len; at = end + 1) {
		for (end = at; end < len && text[end] != ','; end++)
			;
		if (end > at && parse_job_default(text + at, end - at, &d))
			return -1;
	}
	*out = d;
	return 0;
}

/* ---- nodes */

/* Extends the ranges in `s` to include the CPUs and threads of node `n`. */
static void extend_node_span(struct fsi_node_span *s, const struct fsi_node *n)
{
	const uint32_t cpus = FSI_HAS(n, NODE, effective_cpus) ? n->effective_cpus : n->cpus;
	const uint32_t threads = n->threads_per_core ? n->threads_per_core : 1;

	if (!s->nodes || cpus < s->min_cpus)
		s->min_cpus = cpus;
	if (!s->nodes || threads < s->min_threads)
		s->min_threads = threads;
	if (cpus > s->max_cpus)
		s->max_cpus = cpus;
	if (threads > s->max_threads)
		s->max_threads = threads;
	s->nodes++;
}

static int index_node_rows(struct fsi_request_settings *r, struct fsi_arena *arena)
{
	const fs_snapshot *m = r->m;
	uint32_t *part = fsi_arena_array(arena, (size_t)m->names.count + 1, sizeof(*part));

	r->node_row = fsi_arena_array(arena, (size_t)m->names.count + 1, sizeof(*r->node_row));
	r->span_of_partition = fsi_arena_array(arena, m->partition.n + 1, sizeof(*r->span_of_partition));
	if (!part || !r->node_row || !r->span_of_partition)
		return -1;
	for (uint32_t i = 0; i < m->partition.n; i++)
		part[m->partition.v[i].name] = i + 1;
	for (uint32_t i = 0; i < m->node.n; i++) {
		size_t n;
		const uint32_t *in = fsi_list_items(m, m->node.v[i].partitions, &n);

		r->node_row[m->node.v[i].name] = i + 1;
		for (size_t k = 0; k < n; k++)
			if (part[in[k]])
				extend_node_span(&r->span_of_partition[part[in[k]] - 1], &m->node.v[i]);
	}
	return 0;
}

/* ---- settings */

/* Returns true if SelectTypeParameters contains the word as a substring, ignoring case: CR_CORE_MEMORY contains
 * CORE. */
static bool has_select_parameter(const fs_snapshot *m, const char *word)
{
	const char *recorded = fs_snapshot_config_text(m, "SelectTypeParameters"), *s = recorded ? recorded : "";
	const size_t len = strlen(word);

	for (; *s; s++) {
		size_t i = 0;

		while (i < len && (s[i] == word[i] || s[i] == word[i] + ('a' - 'A')))
			i++;
		if (i == len)
			return true;
	}
	return false;
}

int fsi_request_settings_init(struct fsi_request_settings *r, const fs_snapshot *m, struct fsi_arena *arena)
{
	const struct fsi_config_entry *type = fsi_config_find(m, "SelectType");
	const char *defaults = fs_snapshot_config_text(m, "JobDefaults");

	*r = (struct fsi_request_settings){ .m = m,
					    .node = fsi_name_find(m, "node"),
					    .mem = fsi_name_find(m, "mem"),
					    .cpu = fsi_name_find(m, "cpu"),
					    .gpu = fsi_name_find(m, "gres/gpu") };
	r->whole_sockets = has_select_parameter(m, "CR_SOCKET");
	r->whole_cores = r->whole_sockets || has_select_parameter(m, "CR_CORE");
	r->task_per_core = has_select_parameter(m, "ONE_TASK_PER_CORE");
	r->linear =
		type && type->kind == FSI_CONFIG_STR && !strcmp(fsi_name_text(m, (uint32_t)type->i), "select/linear");
	/* libfs/model/finish.c has checked that JobDefaults can be parsed */
	if (defaults)
		fsi_slurm_parse_job_defaults(defaults, strlen(defaults), &r->defaults);
	r->default_mem_mb = fsi_config_get_int(m, "DefMemPerCPU", 0);
	r->max_mem_per_cpu_mb = fsi_config_get_int(m, "MaxMemPerCPU", 0);
	return index_node_rows(r, arena);
}

/* ---- reading the values in a job record */

/* Returns the number of CPUs in the job's record. */
static uint64_t recorded_job_cpus(const struct fsi_request_settings *r, const struct fsi_job *j)
{
	return FSI_HAS(j, JOB, cpus) || !r->cpu ? j->cpus : (uint64_t)fsi_amount_of_tres(r->m, j->tres_req, r->cpu);
}

static bool is_text_equal(const fs_snapshot *m, uint32_t text, const char *word)
{
	const char *s = fsi_name_text(m, text);

	return *s == *word && !strcmp(s, word);
}

/* Returns true if the word asks for exclusive use of nodes, or of a part of the topology (which consists of whole
 * nodes). */
static bool is_exclusive_node_word(const fs_snapshot *m, uint32_t text)
{
	return is_text_equal(m, text, "NODE") || is_text_equal(m, text, "TOPO");
}

bool fsi_request_uses_whole_nodes(const fs_snapshot *m, const struct fsi_job *j, const struct fsi_partition *p)
{
	const bool by_field = fs_slurm_has(m->info.version, FS_SLURM_EXCLUSIVE_FIELD);

	return fsi_job_ext(m, j)->whole_nodes || is_exclusive_node_word(m, j->oversubscribe) ||
	       (!by_field && is_text_equal(m, j->oversubscribe, "NO")) ||
	       (p && (is_exclusive_node_word(m, p->oversubscribe) || is_text_equal(m, p->oversubscribe, "EXCLUSIVE")));
}

bool fsi_request_excludes_other_users(const fs_snapshot *m, const struct fsi_job *j, const struct fsi_partition *p)
{
	return is_text_equal(m, j->oversubscribe, "USER") ||
	       (p && (p->exclusive_user || is_text_equal(m, p->oversubscribe, "USER")));
}

/* ---- memory */

static uint64_t memory_per_node(const struct fsi_request_settings *r, const struct fsi_job *j, uint64_t nodes)
{
	const int64_t all = r->mem ? fsi_amount_of_tres(r->m, j->tres_req, r->mem) : 0;

	return all > 0 && nodes ? (uint64_t)all / nodes : 0;
}

static void raise_for_memory(struct fsi_partition_request *w, const struct fsi_request_settings *r,
			     const struct fsi_job *j, uint64_t nodes, uint64_t limit_mb)
{
	if (w->mem_per_cpu_mb > limit_mb) {
		const uint64_t times = fsi_divide_rounding_up(w->mem_per_cpu_mb, limit_mb);

		w->cpus_per_task *= (uint32_t)times;
		w->mem_per_cpu_mb = (uint32_t)fsi_divide_rounding_up(w->mem_per_cpu_mb, times);
		if (j->tasks)
			w->cpus = (uint64_t)j->tasks * w->cpus_per_task;
		else if (w->cpus_per_task > w->min_cpus_on_node)
			w->min_cpus_on_node = w->cpus_per_task;
		w->raised_for_memory = true;
	} else if (!w->mem_per_cpu_mb) {
		const uint64_t need = fsi_divide_rounding_up(memory_per_node(r, j, nodes), limit_mb);

		if (need > w->min_cpus_on_node)
			w->min_cpus_on_node = need;
		w->raised_for_memory = w->min_cpus_on_node > 1 && need >= w->min_cpus_on_node;
	}
}

/* ---- GPUs */

static uint32_t default_cpus_per_gpu(const struct fsi_request_settings *r, const struct fsi_partition *p)
{
	return p->cpus_per_gpu ? p->cpus_per_gpu : r->defaults.cpus_per_gpu;
}

/* Returns the number of GPUs that each task asks for; 0: the job does not ask for GPUs by task. */
static uint32_t gpus_of_task(const struct fsi_request_settings *r, const struct fsi_job *j)
{
	const int64_t all = is_text_equal(r->m, fsi_job_ext(r->m, j)->gres_per, "task") && j->tasks
				    ? fsi_job_requested_amount(r->m, j, r->gpu)
				    : 0;

	return all > 0 && all / j->tasks <= UINT32_MAX ? (uint32_t)(all / j->tasks) : 0;
}

/* Returns true if the user asked for more than one CPU per task. Returns false if the number of CPUs per task may come
 * from the default CPUs per GPU of one of the job's partitions. */
static bool has_requested_cpus(const struct fsi_request_settings *r, const struct fsi_job *j)
{
	const uint64_t gpus = gpus_of_task(r, j);
	size_t n;
	const uint32_t *names = fsi_list_items(r->m, j->partitions, &n);

	for (size_t i = 0; gpus && i < n; i++) {
		const struct fsi_partition *p = fsi_partition_find(r->m, names[i]);

		if (p && gpus * default_cpus_per_gpu(r, p) == j->cpus_per_task)
			return false;
	}
	return j->cpus_per_task > 1;
}

/* Returns the number of CPUs per GPU. The default of the partition, or else of the cluster, is used if the job asks
 * neither for CPUs per GPU nor for CPUs per task (cons_common/job_test.c: _set_gpu_defaults). */
static uint32_t job_cpus_per_gpu(const struct fsi_request_settings *r, const struct fsi_job *j,
				 const struct fsi_partition *p, bool asks)
{
	const struct fsi_job_ext *ext = fsi_job_ext(r->m, j);

	return ext->cpus_per_gpu || asks ? ext->cpus_per_gpu : default_cpus_per_gpu(r, p);
}

/* Returns the number of CPUs per task. The default CPUs per GPU raise the CPUs of each task that asks for GPUs, whether
 * or not the job itself asks for CPUs per GPU (cons_common/gres_select_util.c: gres_select_util_job_set_defs). */
static uint32_t job_cpus_per_task(const struct fsi_request_settings *r, const struct fsi_job *j,
				  const struct fsi_partition *p, bool asks)
{
	const uint32_t asked = asks ? j->cpus_per_task : 1;
	const uint64_t by_gpus = asked > 1 ? 0 : (uint64_t)gpus_of_task(r, j) * default_cpus_per_gpu(r, p);

	return by_gpus > asked && by_gpus <= UINT32_MAX ? (uint32_t)by_gpus : asked;
}

static uint32_t default_mem_per_gpu(const struct fsi_request_settings *r, const struct fsi_partition *p)
{
	return p->mem_per_gpu_mb ? p->mem_per_gpu_mb : r->defaults.mem_per_gpu_mb;
}

/* Returns true if `mem` is the default memory for the job's GPUs in some partition of the job. The job's TRES may
 * contain that memory after the job was tested in that partition. */
static bool is_memory_of_gpus(const struct fsi_request_settings *r, const struct fsi_job *j, int64_t mem)
{
	const int64_t gpus = fsi_job_requested_amount(r->m, j, r->gpu);
	size_t n;
	const uint32_t *names = fsi_list_items(r->m, j->partitions, &n);

	for (size_t i = 0; gpus > 0 && i < n; i++) {
		const struct fsi_partition *p = fsi_partition_find(r->m, names[i]);

		if (p && default_mem_per_gpu(r, p) && mem % gpus == 0 && mem / gpus == default_mem_per_gpu(r, p))
			return true;
	}
	return false;
}

/* Returns true if the job appears to ask for memory. The snapshot does not contain the flag JOB_MEM_SET
 * (src/slurmctld/job_mgr.c: _job_create). If the memory per CPU equals the cluster's default, the job may or may not
 * have asked for this memory. */
static bool has_requested_memory(const struct fsi_request_settings *r, const struct fsi_job *j)
{
	const int64_t mem = r->mem ? fsi_amount_of_tres(r->m, j->tres_req, r->mem) : 0;

	if (FSI_HAS(j, JOB, mem_per_cpu_mb))
		return (int64_t)j->mem_per_cpu_mb != r->default_mem_mb;
	if (fsi_job_ext(r->m, j)->all_memory)
		return r->default_mem_mb && mem != r->default_mem_mb * (int64_t)recorded_job_cpus(r, j) &&
		       !is_memory_of_gpus(r, j, mem);
	return mem > 0;
}

/* Returns the memory per GPU. The default of the partition, or else of the cluster, is used if the job asks for no
 * memory (cons_common/job_test.c: _set_gpu_defaults, _verify_node_state). */
static uint32_t job_memory_per_gpu(const struct fsi_request_settings *r, const struct fsi_job *j,
				   const struct fsi_partition *p, bool asks)
{
	const struct fsi_job_ext *ext = fsi_job_ext(r->m, j);

	if (ext->mem_per_gpu_mb || asks)
		return ext->mem_per_gpu_mb;
	return default_mem_per_gpu(r, p);
}

/* Returns true if the job loses its default memory. A test in a partition clears the default memory if memory per GPU
 * applies there. The default memory stays cleared in the partitions that are tested later, and the job then gets all
 * memory of its nodes (cons_common/job_test.c: _verify_node_state). The controller restores the default whenever the
 * controller builds a queue (src/slurmctld/job_mgr.c: job_limits_check). */
static bool loses_default_memory(const struct fsi_request_settings *r, const struct fsi_job *j, bool asks)
{
	const uint32_t own = fsi_job_ext(r->m, j)->mem_per_gpu_mb;
	size_t n;
	const uint32_t *names = fsi_list_items(r->m, j->partitions, &n);

	for (size_t i = 0; i < n && (own || !asks); i++) {
		const struct fsi_partition *p = fsi_partition_find(r->m, names[i]);

		if (p && (own || default_mem_per_gpu(r, p)))
			return true;
	}
	return false;
}

/* Raises the CPUs and the memory of the request because the job asks for GPUs. If the job asks for a total number of
 * GPUs, the number on each node is not known, and the total is divided evenly among the nodes. */
static void raise_for_gpus(struct fsi_partition_request *w, const struct fsi_request_settings *r,
			   const struct fsi_job *j, const struct fsi_partition *p, uint64_t nodes,
			   const struct fsi_request_traits *own)
{
	const struct fsi_job_ext *ext = fsi_job_ext(r->m, j);
	const int64_t all = fsi_job_requested_amount(r->m, j, r->gpu);
	const uint64_t gpus = all > 0 && all < UINT32_MAX ? (uint64_t)all : 0,
		       here = gpus > nodes && nodes ? gpus / nodes : gpus > 0,
		       recorded = fsi_divide_rounding_up(ext->gpu_cpus, nodes),
		       cpus = FSI_HAS(j, JOB, gpu_cpus) ? recorded
							: here * job_cpus_per_gpu(r, j, p, own->asks_for_cpus);

	w->gpu_cpus = cpus;
	w->raised_for_gpus = cpus > w->min_cpus_on_node;
	w->asks_for_total_gpus = w->raised_for_gpus && is_text_equal(r->m, ext->gres_per, "job");
	w->min_cpus_on_node = w->raised_for_gpus ? cpus : w->min_cpus_on_node;
	w->mem_per_gpu_mb = gpus ? job_memory_per_gpu(r, j, p, own->asks_for_memory) : 0;
	w->lost_mem_mb = gpus && !w->mem_per_gpu_mb && own->loses_memory ? (uint32_t)r->default_mem_mb : 0;
	w->all_memory = !r->linear && !w->mem_per_gpu_mb &&
			(w->lost_mem_mb || (ext->all_memory && (!r->default_mem_mb || own->asks_for_memory)));
	if (w->mem_per_gpu_mb || w->all_memory)
		w->mem_per_cpu_mb = 0;
}

/* ---- cores */

static uint32_t max_tasks_per_core(const struct fsi_request_settings *r, const struct fsi_job *j)
{
	const uint32_t tasks = fsi_job_ext(r->m, j)->ntasks_per_core;

	return tasks ? tasks : r->task_per_core ? 1 : 0;
}

static uint32_t used_core_threads(const struct fsi_request_settings *r, const struct fsi_job *j,
				  const struct fsi_partition_request *w)
{
	const uint32_t by_task = j->tasks ? w->max_tasks_per_core * w->cpus_per_task : 0,
		       threads = fsi_job_ext(r->m, j)->threads_per_core;

	if (!r->whole_cores || (r->task_per_core && w->gpu_cpus))
		return 0;
	return threads && (!by_task || threads < by_task) ? threads : by_task;
}

/* ---- request in one partition */

/* Returns the part of a job's request that is the same in every partition. */
static struct fsi_request_traits find_request_traits(const struct fsi_request_settings *r, const struct fsi_job *j)
{
	const bool asks = has_requested_memory(r, j);

	return (struct fsi_request_traits){ has_requested_cpus(r, j), asks,
					    fsi_job_requested_amount(r->m, j, r->gpu) > 0 &&
						    loses_default_memory(r, j, asks) };
}

struct fsi_partition_request fsi_request_in_partition(const struct fsi_request_settings *r, const struct fsi_job *j,
						      uint32_t partition, uint64_t nodes)
{
	const struct fsi_request_traits own = find_request_traits(r, j);

	return compute_partition_request(r, j, partition, nodes, &own);
}

/* Returns the job's request in the partition if the job gets `nodes` nodes. `own` is the result of
 * find_request_traits. */
static struct fsi_partition_request compute_partition_request(const struct fsi_request_settings *r,
							      const struct fsi_job *j, uint32_t partition,
							      uint64_t nodes, const struct fsi_request_traits *own)
{
	const struct fsi_partition *p = &r->m->partition.v[partition];
	struct fsi_partition_request w = { .cpus = recorded_job_cpus(r, j),
					   .min_cpus_on_node = j->min_cpus_per_node ? j->min_cpus_per_node : 1,
					   .cpus_per_task = job_cpus_per_task(r, j, p, own->asks_for_cpus),
					   .mem_per_cpu_mb = j->mem_per_cpu_mb,
					   .max_tasks_per_core = max_tasks_per_core(r, j),
					   .whole_nodes = r->linear || fsi_request_uses_whole_nodes(r->m, j, p) };
	const uint64_t limit_mb = p->max_mem_per_cpu_mb ? p->max_mem_per_cpu_mb : (uint64_t)r->max_mem_per_cpu_mb;

	if (limit_mb)
		raise_for_memory(&w, r, j, nodes, limit_mb);
	raise_for_gpus(&w, r, j, p, nodes, own);
	w.max_threads_per_core = used_core_threads(r, j, &w);
	w.one_task_per_core = w.max_threads_per_core && j->tasks && w.max_tasks_per_core == 1;
	return w;
}

/* ---- planned nodes */

struct node_list_totals {
	const struct fsi_request_settings *r;
	struct fsi_node_span span;
	uint64_t cpus;
	uint32_t tres; /* name id of the TRES whose amounts are summed up in `amount`; 0: none */
	int64_t amount;
};

static int add_listed_node(void *ctx, const char *name, size_t len)
{
	struct node_list_totals *l = ctx;
	const uint32_t id = fsi_intern_find_id(&l->r->m->names, name, len);
	const uint32_t row = id ? l->r->node_row[id] : 0;
	const struct fsi_node *n;

	if (!row)
		return 1;
	n = &l->r->m->node.v[row - 1];
	extend_node_span(&l->span, n);
	l->cpus += FSI_HAS(n, NODE, effective_cpus) ? n->effective_cpus : n->cpus;
	l->amount += l->tres ? fsi_amount_of_tres(l->r->m, n->tres, l->tres) : 0;
	return 0;
}

/* Adds up the CPUs, and the amounts of the TRES, of all nodes that are planned for the job. Also finds their
 * smallest and largest numbers of CPUs and threads. All members are 0 if the controller planned no nodes, or if some
 * of the planned nodes are unknown. */
static struct node_list_totals sum_planned_nodes(const struct fsi_request_settings *r, const struct fsi_job *j,
						 uint32_t tres)
{
	struct node_list_totals l = { .r = r, .tres = tres };

	if (j->sched_nodes &&
	    fsi_hostlist_expand_each(fsi_name_text(r->m, j->sched_nodes), r->m->node.n, add_listed_node, &l))
		l = (struct node_list_totals){ .r = r };
	return l;
}

/* ---- CPUs */

/* Rounds the job's n CPUs up to whole cores, and returns the number of all CPUs of the cores. The job uses at most
 * `used` of the `threads` threads of each core. */
static uint64_t whole_core_cpus(uint64_t n, uint32_t used, uint32_t threads)
{
	return fsi_divide_rounding_up(n, used < threads ? used : threads) * threads;
}

/* Rounds the job's CPUs up to whole cores, and returns the number of all CPUs of the cores. Each core has `threads`
 * threads. The job occupies as few cores as its limits on the threads and tasks of a core allow. */
static uint64_t job_core_cpus(const struct fsi_request_settings *r, const struct fsi_job *j,
			      const struct fsi_partition_request *w, uint32_t threads)
{
	const uint32_t per_core = w->max_tasks_per_core, used = fsi_job_ext(r->m, j)->threads_per_core;
	uint64_t cores = fsi_divide_rounding_up(w->cpus, threads);

	if (used && used < threads)
		cores = fsi_divide_rounding_up(w->cpus, used);
	if (per_core && j->tasks) {
		const uint64_t by_task =
			fsi_divide_rounding_up(j->tasks, per_core) *
			fsi_divide_rounding_up((uint64_t)w->cpus_per_task * per_core, threads);

		cores = by_task > cores ? by_task : cores;
	}
	return cores * threads;
}

static void count_shared_node_cpus(struct fsi_counted_request *q, const struct fsi_request_settings *r,
				   const struct fsi_job *j, const struct fsi_partition_request *w,
				   const struct fsi_node_span *span)
{
	const bool one = q->nodes == 1 && (j->tasks <= 1 || j->max_nodes == 1 || span->nodes == 1);
	const uint64_t parts = one ? 1 : j->tasks > q->nodes ? j->tasks : q->nodes;
	uint64_t min = w->cpus, max = w->cpus, node_min = w->min_cpus_on_node, node_max = w->min_cpus_on_node;

	if (r->whole_cores) {
		const uint32_t used = w->max_threads_per_core ? w->max_threads_per_core : UINT32_MAX;
		const uint64_t few = job_core_cpus(r, j, w, span->min_threads),
			       many = job_core_cpus(r, j, w, span->max_threads);

		min = few < many ? few : many;
		max = few > many ? few : many;
		max += (parts - 1) * (span->max_threads - 1);
		node_min = whole_core_cpus(w->min_cpus_on_node, used, span->min_threads);
		node_max = whole_core_cpus(w->min_cpus_on_node, used, span->max_threads);
	}
	q->min_cpus = min > q->nodes * node_min ? min : q->nodes * node_min;
	q->max_cpus = max > parts * node_max ? max : parts * node_max;
	if (q->max_cpus < q->min_cpus)
		q->max_cpus = q->min_cpus;
	if (r->whole_sockets)
		q->max_cpus = UINT64_MAX;
}

/* Counts all CPUs of the nodes. The last test of the job may have selected more nodes than the job needs, up to the
 * maximum that it requests, and total_cpus is the number of their CPUs (src/plugins/select/cons_common/job_test.c:
 * _job_test). */
static void count_whole_node_cpus(struct fsi_counted_request *q, const struct fsi_job *j,
				  const struct fsi_partition_request *w, const struct fsi_node_span *span)
{
	const uint64_t few = fsi_divide_rounding_up(w->cpus, span->max_cpus),
		       many = fsi_divide_rounding_up(w->cpus, span->min_cpus);
	uint64_t most = j->max_nodes && j->max_nodes < span->nodes ? j->max_nodes : span->nodes;

	if (most < many)
		most = many;
	q->min_cpus = (few > q->nodes ? few : q->nodes) * span->min_cpus;
	q->max_cpus = (most > q->nodes ? most : q->nodes) * span->max_cpus;
	if (q->min_cpus < w->cpus)
		q->min_cpus = w->cpus;
}

static enum fs_cpu_growth find_growth_reason(const struct fsi_counted_request *q, const struct fsi_partition_request *w,
					     bool whole)
{
	if (q->min_cpus == q->asked_cpus && q->max_cpus == q->asked_cpus)
		return FS_CPU_GROWTH_NONE;
	return whole                  ? FS_CPU_GROWTH_NODES
	       : w->raised_for_gpus   ? FS_CPU_GROWTH_GPUS
	       : w->raised_for_memory ? FS_CPU_GROWTH_MEMORY
				      : FS_CPU_GROWTH_CORES;
}

static struct fsi_counted_request count_partition_cpus(const struct fsi_request_settings *r, const struct fsi_job *j,
						       uint32_t partition, bool as_planned,
						       const struct fsi_request_traits *own)
{
	const int64_t asked_nodes = r->node ? fsi_amount_of_tres(r->m, j->tres_req, r->node) : 0;
	const uint32_t nodes = asked_nodes > 0 ? (uint32_t)asked_nodes : 1;
	const struct fsi_partition_request w = compute_partition_request(r, j, partition, nodes, own);
	const bool whole = w.whole_nodes;
	const struct node_list_totals planned = as_planned && (whole || r->whole_cores)
						    ? sum_planned_nodes(r, j, 0)
						    : (struct node_list_totals){ 0 };
	const struct fsi_node_span *span = planned.span.nodes ? &planned.span : &r->span_of_partition[partition];
	struct fsi_counted_request q = { .nodes = nodes,
					 .asked_cpus = recorded_job_cpus(r, j),
					 .min_cpus = recorded_job_cpus(r, j),
					 .max_cpus = UINT64_MAX };

	/* if the job asks for a total number of GPUs, the CPUs for the GPUs do not grow with the number of nodes */
	if (planned.span.nodes > q.nodes && !w.asks_for_total_gpus)
		q.nodes = planned.span.nodes;
	if (span->nodes && whole)
		count_whole_node_cpus(&q, j, &w, span);
	else if (span->nodes)
		count_shared_node_cpus(&q, r, j, &w, span);
	else if (!whole && !r->whole_cores && !w.raised_for_memory && w.min_cpus_on_node * q.nodes <= q.asked_cpus)
		q.max_cpus = q.asked_cpus;
	if (whole && planned.cpus)
		q.min_cpus = q.max_cpus = planned.cpus;
	q.mem_per_cpu_mb = w.mem_per_cpu_mb;
	q.growth_reason = find_growth_reason(&q, &w, whole);
	return q;
}

struct fsi_counted_request fsi_request_count_cpus(const struct fsi_request_settings *r, const struct fsi_job *job,
						  uint32_t partition)
{
	const struct fsi_request_traits own = find_request_traits(r, job);
	const uint64_t asked = recorded_job_cpus(r, job);
	struct fsi_counted_request all = { .asked_cpus = asked, .min_cpus = asked, .max_cpus = asked };
	size_t n;
	const uint32_t *names = fsi_list_items(r->m, job->partitions, &n);
	bool any = false;

	if (partition != FSI_NO_INDEX)
		return count_partition_cpus(r, job, partition, true, &own);
	for (size_t i = 0; i < n; i++) {
		const struct fsi_partition *p = fsi_partition_find(r->m, names[i]);
		struct fsi_counted_request q;

		if (!p)
			continue;
		q = count_partition_cpus(r, job, (uint32_t)(p - r->m->partition.v), false, &own);
		if (any && q.min_cpus > all.min_cpus)
			q.min_cpus = all.min_cpus;
		if (any && q.max_cpus < all.max_cpus)
			q.max_cpus = all.max_cpus;
		if (any && all.growth_reason)
			q.growth_reason = all.growth_reason;
		all = q;
		any = true;
	}
	return all;
}

int64_t fsi_request_count_gres(const struct fsi_request_settings *r, const struct fsi_job *j, uint32_t partition,
			       uint32_t tres)
{
	const fs_snapshot *m = r->m;
	const int64_t nodes = r->node ? fsi_amount_of_tres(m, j->tres_req, r->node) : 0, many = nodes > 0 ? nodes : 1,
		      asked = fsi_amount_of_tres(m, j->tres_req, tres) / many;
	struct node_list_totals planned;
	int64_t min = INT64_MAX;

	if (!r->linear && !fsi_request_uses_whole_nodes(m, j, &m->partition.v[partition]))
		return 0;
	planned = sum_planned_nodes(r, j, tres);
	if (planned.span.nodes)
		return planned.amount;
	for (size_t i = 0; i < m->node.n; i++) {
		const int64_t has = fsi_amount_of_tres(m, m->node.v[i].tres, tres);

		if (has >= asked && has < min && fsi_node_is_in_partition(m, &m->node.v[i], partition))
			min = has;
	}
	return min == INT64_MAX ? 0 : min * many;
}

double fsi_job_size_factor(const struct fsi_job_size *s)
{
	const double n = s->nodes, N = s->of_nodes, c = s->cpus, C = s->of_cpus;
	double size;

	if (isnan(C) || isnan(n) || isnan(c))
		return NAN;
	if (s->by_time) {
		size = fmax(n * C / N, c) / s->minutes / C;
		if (s->small)
			size = 1 - size;
	} else if (s->small) {
		size = N > n ? (N - n) / N : 0;
		if (c > 0)
			/* Slurm subtracts the job's CPUs c from the cluster's CPUs C as unsigned numbers, which wraps
			 * around if c > C */
			size = c > C ? 1 : (size + (C - c) / C) / 2;
	} else {
		size = n / N;
		if (c > 0)
			size = (size + c / C) / 2;
	}
	return isnan(size) ? NAN : size < 0 ? 0 : size > 1 ? 1 : size;
}

static bool reproduces_size_factor(const struct fsi_job_size *s, double factor)
{
	const double half_digit = 0.5e-7 * (1 + 1e-6);

	return fabs(fsi_job_size_factor(s) - factor) <= half_digit;
}

double fsi_job_size_nodes(const struct fsi_job_size *s, double factor)
{
	struct fsi_job_size made = *s;

	for (made.nodes = 1; made.nodes <= s->nodes; made.nodes++)
		if (reproduces_size_factor(&made, factor))
			return made.nodes;
	return 0;
}

double fsi_job_size_cpus(const struct fsi_job_size *s, double factor)
{
	const double n = s->nodes / s->of_nodes, C = s->of_cpus;
	struct fsi_job_size made = *s;

	if (s->by_time)
		made.cpus = (s->small ? 1 - factor : factor) * s->minutes * C;
	else if (s->small)
		made.cpus = C * (1 + (n < 1 ? 1 - n : 0) - 2 * factor);
	else
		made.cpus = C * (2 * factor - n);
	made.cpus = round(made.cpus);
	return made.cpus >= 1 && reproduces_size_factor(&made, factor) ? made.cpus : 0;
}

void fsi_job_size_set_cluster(const fs_snapshot *m, struct fsi_job_size *s)
{
	s->of_nodes = s->of_cpus = NAN;
	if (!m->node.n || fsi_is_type_hidden(m, "node"))
		return;
	s->of_cpus = 0;
	s->of_nodes = (double)m->node.n;
	for (size_t i = 0; i < m->node.n; i++) {
		const struct fsi_node *n = &m->node.v[i];

		s->of_cpus += FSI_HAS(n, NODE, effective_cpus) ? (double)n->effective_cpus
			      : FSI_HAS(n, NODE, cpus)	       ? (double)n->cpus
							       : (double)NAN;
	}
}

/* ---- times of priority calculations
 *
 * Slurm's decay thread (src/plugins/priority/multifactor/priority_multifactor.c: _decay_thread) calculates priorities
 * when the thread starts, and then after each PriorityCalcPeriod. The period is counted from the start of the previous
 * calculation, not from its end. The thread starts slightly later than BOOT_TIME, because the controller first loads
 * its state. */

enum { DEFAULT_PERIOD_S = 300 };

int64_t fsi_priority_calc_period(const fs_snapshot *m)
{
	const int64_t period_s = fsi_config_get_int(m, "PriorityCalcPeriod", DEFAULT_PERIOD_S);

	return period_s > 0 ? period_s : DEFAULT_PERIOD_S;
}

int64_t fsi_priority_next_calculation(const fs_snapshot *m, int64_t after)
{
	const int64_t period = fsi_priority_calc_period(m), last = m->info.priority_time;

	if (!m->info.priority_time_known)
		return INT64_MAX;
	return last + ((after > last ? after - last : 0) / period + (after >= last)) * period;
}

bool fsi_controller_start_time(const fs_snapshot *m, int64_t *out)
{
	const struct fsi_config_entry *e = fsi_config_find(m, "BOOT_TIME");

	if (!e || e->kind != FSI_CONFIG_INT || e->i < 0 || e->i > m->head.time)
		return false;
	*out = e->i;
	return true;
}

bool fsi_last_calc_by_start(const fs_snapshot *m, int64_t *out)
{
	const int64_t period_s = fsi_priority_calc_period(m);
	int64_t start;

	if (!fsi_controller_start_time(m, &start))
		return false;
	*out = start + (m->head.time - start) / period_s * period_s;
	return true;
}

void fsi_set_calc_times(fs_snapshot *m)
{
	struct fs_snapshot_info *i = &m->info;
	const bool recorded = FSI_HAS(&m->head, SNAPSHOT, priority_time);
	const bool before = FSI_HAS(&m->head, SNAPSHOT, priority_time_before);

	i->priority_time = recorded ? m->head.priority_time : m->head.time;
	i->priority_time_known = recorded || fsi_last_calc_by_start(m, &i->priority_time);
	i->priority_time_from = recorded ? fsi_name_text(m, m->head.priority_time_from)
				: i->priority_time_known ? FSI_CALC_FROM_START
							 : "";
	i->priority_time_error_s = recorded && FSI_HAS(&m->head, SNAPSHOT, priority_time_error_s)
					   ? m->head.priority_time_error_s
					   : FS_UNKNOWN;
	i->priority_time_before =
		before ? m->head.priority_time_before : i->priority_time - fsi_priority_calc_period(m);
	i->priority_time_before_from =
		before ? fsi_name_text(m, m->head.priority_time_before_from) : FSI_CALC_FROM_PERIOD;
	i->priority_time_before_error_s =
		before && FSI_HAS(&m->head, SNAPSHOT, priority_time_before_error_s)
			? m->head.priority_time_before_error_s
			: FS_UNKNOWN;
	i->shares_time = FSI_HAS(&m->head, SNAPSHOT, shares_time) ? m->head.shares_time : m->head.time;
}

bool fsi_job_lost_qos(const fs_snapshot *m, const struct fsi_job *job)
{
	int64_t start;

	return fsi_job_has_ended(job) &&
	       (!fsi_controller_start_time(m, &start) || !FSI_HAS(job, JOB, end_time) || job->end_time <= start);
}

/* ---- times as users write them */

enum { MAX_ZONE_OFFSETS = 16 };

static int parse_later_duration(const char *s, int64_t *seconds)
{
	static const struct {
		char letter;
		int64_t s;
	} units[] = { { 's', 1 }, { 'm', 60 }, { 'h', 3600 }, { 'd', 86400 }, { 'w', 604800 } };
	const size_t len = strlen(s);
	uint64_t n;

	for (size_t i = 0; i < sizeof(units) / sizeof(*units) && len; i++)
		if (s[len - 1] == units[i].letter) {
			if (fsi_parse_u64(s, len - 1, &n) || n > (uint64_t)(FSI_SECONDS_MAX / units[i].s))
				return -1;
			*seconds = (int64_t)n * units[i].s;
			return 0;
		}
	if (!fsi_parse_u64(s, len, &n) && n <= (uint64_t)FSI_SECONDS_MAX) {
		*seconds = (int64_t)n;
		return 0;
	}
	return fsi_parse_duration(s, len, seconds);
}

/* Parses a local time. The text may lack the seconds, or the whole time of day. */
static int parse_local_time(const char *s, int64_t *seconds)
{
	static const char rest[] = "0000-00-00T00:00:00";
	char full[sizeof(rest)];
	const size_t len = strlen(s);

	if (len != strlen("YYYY-MM-DD") && len != strlen("YYYY-MM-DDTHH:MM") && len != sizeof(rest) - 1)
		return -1;
	strcpy(full, rest);
	memcpy(full, s, len);
	if (full[10] == ' ')
		full[10] = 'T';
	return fsi_parse_civil_time(full, sizeof(rest) - 1, seconds);
}

/* Reads the offsets of local time in the header into v, at most MAX_ZONE_OFFSETS. Returns their number, at least 1. If
 * the header lists none, v[0] is the offset at the time of the capture. */
static size_t read_zone_offsets(const fs_snapshot *m, struct fs_utc_offset v[MAX_ZONE_OFFSETS])
{
	size_t n, count = 0;
	const uint32_t *list = fsi_list_items(m, m->head.utc_offsets, &n);

	for (size_t i = 0; i < n && count < MAX_ZONE_OFFSETS; i++) {
		const char *text = fsi_name_text(m, list[i]);

		count += !fsi_zone_parse_offset(text, strlen(text), &v[count]);
	}
	if (!count)
		v[count++] = (struct fs_utc_offset){ m->info.time, m->info.utc_offset_s };
	return count;
}

int32_t fs_snapshot_utc_offset(const fs_snapshot *m, int64_t t)
{
	struct fs_utc_offset v[MAX_ZONE_OFFSETS];

	return fsi_zone_get_offset(v, read_zone_offsets(m, v), t);
}

static int64_t local_to_utc(const fs_snapshot *m, int64_t local)
{
	struct fs_utc_offset v[MAX_ZONE_OFFSETS];
	int64_t t = local;

	fsi_zone_local_to_utc(v, read_zone_offsets(m, v), local, &t);
	return t;
}

int fsi_zone_check_offsets(const fs_snapshot *m, struct fs_error *err)
{
	size_t n;
	const uint32_t *list = fsi_list_items(m, m->head.utc_offsets, &n);
	struct fs_utc_offset o, last = { INT64_MIN, 0 };

	for (size_t i = 0; i < n; i++) {
		const char *text = fsi_name_text(m, list[i]);

		if (i >= MAX_ZONE_OFFSETS || fsi_zone_parse_offset(text, strlen(text), &o) ||
		    (i && o.since <= last.since))
			return fsi_fail_at(err, (struct fsi_input_position){ m->file, 1, 0 }, "utc_offsets",
					   "expected at most %d \"SECONDS OFFSET\" entries in ascending order, got \"%.40s\"",
					   MAX_ZONE_OFFSETS, text);
		last = o;
	}
	return 0;
}

int fs_time_parse(const fs_snapshot *m, const char *text, int64_t *out, struct fs_error *err)
{
	uint64_t epoch;
	int64_t t;

	if (*text == '+' && !parse_later_duration(text + 1, &t) && t <= FSI_SECONDS_MAX - m->info.time)
		*out = m->info.time + t;
	else if (!fsi_parse_u64(text, strlen(text), &epoch) && epoch <= (uint64_t)FSI_SECONDS_MAX)
		*out = (int64_t)epoch;
	else if (!parse_local_time(text, &t))
		*out = local_to_utc(m, t);
	else
		return fsi_fail_with_code(
			err, FS_EUSAGE,
			"invalid time \"%.60s\"; expected seconds since 1970, YYYY-MM-DDTHH:MM:SS, or a delay: +2d, +12h, "
			"+30m",
			text);
	return 0;
}

const char *fs_time_format(const fs_snapshot *m, int64_t t, char buf[FS_TIME_TEXT])
{
	const int64_t local_s = t + fs_snapshot_utc_offset(m, t);
	const int64_t day = local_s / 86400 - (local_s % 86400 < 0), s = local_s - day * 86400;
	const int64_t month = fsi_month_of_day(day), year = month / 12 - (month % 12 < 0);

	snprintf(buf, FS_TIME_TEXT, "%04lld-%02d-%02dT%02d:%02d:%02d", (long long)(1970 + year),
		 (int)(month - year * 12) + 1, (int)(day - fsi_first_of_month(month)) + 1,
		 (int)(s / 3600), (int)(s / 60 % 60), (int)(s % 60));
	return buf;
}
