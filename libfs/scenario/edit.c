/* fs_snapshot_edit, notes and checks of the viewer's privileges, removal of invalid recorded values, and removal of
 * jobs. */
#include "scenario/edit.h"

#include "base/error.h"
#include "base/hostlist.h"
#include "base/num.h"
#include "base/memory.h"
#include "model/find.h"
#include "model/model.h"
#include "model/scheduler.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool fsi_scenario_viewer_may(const struct fsi_scenario *s, enum fsi_privilege who, uint32_t user, uint32_t account)
{
	const struct fsi_viewer *v = &s->viewer;
	const char *admin = v->record ? fsi_name_text(s->m, v->record->admin) : "";
	size_t n;
	const uint32_t *coordinated = fsi_list_items(s->m, v->record ? v->record->coordinates : 0, &n);

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

uint32_t fsi_scenario_find_job(const struct fsi_scenario *s, uint64_t id)
{
	const uint32_t row = fsi_job_find_row(s->m, id);

	return row != FSI_NO_INDEX && fsi_viewer_may_see_job(&s->viewer, &s->m->job.v[row]) ? row : FSI_NO_INDEX;
}

uint32_t fsi_scenario_find_account(const struct fsi_scenario *s, const char *name)
{
	return fs_snapshot_has_account(s->m, s->o->viewer, name) ? fsi_name_find(s->m, name) : 0;
}

const char *fsi_scenario_job_prefix(struct fsi_scenario *s, const struct fsi_job *job)
{
	char text[48];
	const int len = snprintf(text, sizeof(text), "job %" PRIu64 ": ", job->id);
	const char *copy = job->id == s->o->about_job ? "" : fsi_arena_strndup(&s->arena, text, (size_t)len);

	return copy ? copy : "";
}

void fsi_scenario_note_privilege(const struct fsi_scenario *s, enum fsi_privilege who, uint32_t user, uint32_t account,
				 const char *what)
{
	const char *of = fsi_name_text(s->m, account);

	if (fsi_scenario_viewer_may(s, who, user, account))
		return;
	if (who == FSI_ADMINISTRATOR)
		fsi_scenario_note(s, "%sonly an administrator may do this", what);
	else if (who == FSI_OPERATOR)
		fsi_scenario_note(s, "%sonly an operator may do this", what);
	else if (who == FSI_COORDINATOR)
		fsi_scenario_note(s, "%sonly a coordinator of %s or an operator may do this", what, of);
	else
		fsi_scenario_note(s, "%sonly %s, a coordinator of %s or an operator may do this", what,
				  fsi_name_text(s->m, user), of);
}

void fsi_scenario_drop_recorded(struct fsi_scenario *s, uint64_t job)
{
	if (FSI_VEC_RESERVE(&s->dropped_jobs))
		s->out_of_memory = true;
	else
		s->dropped_jobs.v[s->dropped_jobs.n++] = job;
}

void fsi_scenario_drop_priority(struct fsi_scenario *s, struct fsi_job *job)
{
	fsi_scenario_drop_recorded(s, job->id);
	FSI_CLEAR_FIELD(job, JOB, priority);
}

/* Removes the recorded values of the n jobs in one pass. If one of the job ids is 0, removes all recorded values. */
static void remove_recorded_values(fs_snapshot *m, uint64_t *jobs, size_t n)
{
	size_t remaining = 0;

	if (!n)
		return;
	qsort(jobs, n, sizeof(*jobs), fsi_compare_rising_u64);
	for (size_t i = 0; i < m->recorded.n && jobs[0]; i++) {
		const struct fsi_recorded *r = &m->recorded.v[i];

		if (!FSI_HAS(r, RECORDED, job) || !bsearch(&r->job, jobs, n, sizeof(*jobs), fsi_compare_rising_u64))
			m->recorded.v[remaining++] = *r;
	}
	m->recorded.n = remaining;
}

bool fs_command_begins(const fs_snapshot *m, const char *word)
{
	return m->scheduler->begins_command && m->scheduler->begins_command(word);
}

const char *fs_snapshot_command(const fs_snapshot *m, size_t i)
{
	size_t n;
	const uint32_t *edits = fsi_list_items(m, m->edits, &n);

	return i < n ? fsi_name_text(m, edits[i]) : NULL;
}

/* Appends the command to the snapshot's list of commands (fs_snapshot_command). Leaves the list unchanged if the list
 * is full. */
static int append_edit_command(fs_snapshot *m, const char *command)
{
	return fsi_list_append_name(m, &m->edits, SIZE_MAX, fsi_name_intern(m, command)) < 0 ? -1 : 0;
}

int fs_snapshot_edit(fs_snapshot *m, const char *command, const struct fs_edit_options *options, struct fs_error *err)
{
	struct fsi_scenario *s = malloc(sizeof(*s));
	struct fs_edit_options o;
	int rc;

	if (!s || fsi_model_own_tables(m)) {
		free(s);
		return fsi_fail_no_memory(err);
	}
	*s = (struct fsi_scenario){ .m = m, .o = FSI_OPTIONS(o, options), .err = err };
	fsi_viewer_init(&s->viewer, m, s->o->viewer);
	rc = fsi_scenario_split_words(s, command);
	if (!rc && !m->scheduler->apply_command)
		rc = fsi_fail_with_code(err, FS_ENODATA, "%s: cannot apply the command: commands are not modelled for scheduler \"%s\"",
					m->file, m->info.scheduler);
	if (!rc)
		rc = m->scheduler->apply_command(s);
	if (!rc && (s->out_of_memory || append_edit_command(m, command)))
		rc = fsi_fail_no_memory(err);
	remove_recorded_values(m, s->dropped_jobs.v, s->dropped_jobs.n);
	FSI_VEC_FREE(&s->dropped_jobs);
	free(s->cancelled_rows);
	fsi_arena_release(&s->arena);
	free(s);
	return rc;
}

/* ---- removing a job and freeing its nodes */

struct node_usage_change {
	struct fsi_scenario *s;
	const struct fsi_job *job;
	uint32_t node_count, node_index;
	/* `only_cpus`: change only the allocated CPUs of the nodes; `add_back`: true: add the amounts, false: subtract
	 * them */
	bool only_cpus, add_back;
	bool failed;
};

static int64_t get_node_part(const struct node_usage_change *f, int64_t all)
{
	const int64_t part = fsi_compute_even_part(all, f->node_count, f->node_index);

	return f->add_back ? part : -part;
}

static uint64_t add_not_below_zero(uint64_t have, int64_t by)
{
	if (by >= 0)
		return have + (uint64_t)by;
	return have > (uint64_t)-by ? have - (uint64_t)-by : 0;
}

static void add_amount_to_node(struct node_usage_change *f, struct fsi_node *node, const struct fsi_amount *a)
{
	fs_snapshot *m = f->s->m;
	const char *tres = fsi_name_text(m, a->tres);
	const int64_t by = get_node_part(f, a->n);

	if (f->only_cpus && strcmp(tres, "cpu") != 0)
		return;
	if (!strcmp(tres, "cpu"))
		node->alloc_cpus = (uint32_t)add_not_below_zero(node->alloc_cpus, by);
	if (!strcmp(tres, "mem"))
		node->alloc_mem_mb = add_not_below_zero(node->alloc_mem_mb, by);
	if (FSI_HAS(node, NODE, alloc_tres)) {
		const int64_t amount =
			(int64_t)add_not_below_zero((uint64_t)fsi_amount_of_tres(m, node->alloc_tres, a->tres), by);
		const uint32_t set = fsi_scenario_set_amount(m, node->alloc_tres, a->tres, amount);

		f->failed = f->failed || set == FSI_INTERN_FAILED;
		node->alloc_tres = set == FSI_INTERN_FAILED ? 0 : set;
	}
}

/* Subtracts the job's resources on one node from the allocated resources of the node, or adds them if f->add_back is
 * true. The job's resources are assumed to be spread evenly over its nodes. */
static int change_usage_on_node(void *ctx, const char *name, size_t len)
{
	struct node_usage_change *f = ctx;
	fs_snapshot *m = f->s->m;
	const uint32_t id = fsi_intern_find_id(&m->names, name, len);
	size_t row = 0, n;

	while (row < m->node.n && m->node.v[row].name != id)
		row++;
	for (size_t k = 0; id && row < m->node.n; k++) {
		const struct fsi_amount *a = fsi_amount_items(m, f->job->tres_alloc, &n);

		if (k == n)
			break;
		/* the value is copied, because add_amount_to_node may reallocate the array `a` */
		const struct fsi_amount own = a[k];

		add_amount_to_node(f, &m->node.v[row], &own);
	}
	f->node_index++;
	return 0;
}

static int change_node_usage(struct node_usage_change *f)
{
	const char *list = fsi_name_text(f->s->m, f->job->node_list);
	const int64_t n = *list ? fsi_hostlist_count_names(list, f->s->m->node.n + 1) : 0;

	f->node_count = n > 0 ? (uint32_t)n : 0;
	if (n > 0)
		fsi_hostlist_expand_each(list, (uint64_t)n, change_usage_on_node, f);
	return f->failed ? fsi_fail_no_memory(f->s->err) : 0;
}

int fsi_scenario_free_nodes(struct fsi_scenario *s, const struct fsi_job *j)
{
	struct node_usage_change f = { .s = s, .job = j };

	return change_node_usage(&f);
}

int fsi_scenario_change_node_cpus(struct fsi_scenario *s, const struct fsi_job *j, bool back)
{
	struct node_usage_change f = { .s = s, .job = j, .only_cpus = true, .add_back = back };

	return change_node_usage(&f);
}

int fsi_scenario_cancel_job(struct fsi_scenario *s, struct fsi_job *j)
{
	if (!s->cancelled_rows)
		s->cancelled_rows = calloc(s->m->job.n, sizeof(*s->cancelled_rows));
	if (!s->cancelled_rows)
		return fsi_fail_no_memory(s->err);
	if (j->state != FSI_STATE_PENDING && fsi_scenario_free_nodes(s, j))
		return FS_ENOMEM;
	fsi_scenario_drop_recorded(s, j->id);
	s->cancelled_rows[j - s->m->job.v] = true;
	return 0;
}

void fsi_scenario_remove_cancelled(struct fsi_scenario *s)
{
	fs_snapshot *m = s->m;
	size_t remaining = 0;

	for (size_t i = 0; s->cancelled_rows && i < m->job.n; i++)
		if (!s->cancelled_rows[i])
			m->job.v[remaining++] = m->job.v[i];
	if (s->cancelled_rows)
		m->info.jobs = m->job.n = remaining;
	free(s->cancelled_rows);
	s->cancelled_rows = NULL;
}
