/* Lists the constraints that may delay a job, with the commands that remove them, and tries each one. */
#include "cause/cause.h"

#include "base/error.h"
#include "base/hostlist.h"
#include "base/text.h"
#include "model/find.h"
#include "model/scheduler.h"
#include "scenario/edit.h"
#include "scenario/grammar.h"

#include "fs/explain.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- trials of one constraint */

static const struct fsi_job *get_job(const struct fs_causes *c)
{
	return &c->m->job.v[c->job_row];
}

static const struct fsi_commands *get_commands(const struct fs_causes *c)
{
	return c->m->scheduler->commands;
}

/* Tries the command, and adds a cause if the job starts earlier. Sets *gained (gained may be NULL) to true in that
 * case. */
static int try_constraint(struct fs_causes *c, enum fs_cause_kind kind, const char *const *by, size_t nnames,
			  const char *command, bool *gained)
{
	const struct fsi_cause_change change = { .command = { command } };
	struct fs_cause x = { .kind = kind, .names = by, .nnames = nnames, .remove = command };
	struct fsi_cause_trial t;
	const int rc = fsi_cause_try(c, &change, &t);

	if (gained)
		*gained = !rc && t.gains;
	x.start_without = t.start;
	return rc || !t.gains ? rc : fsi_cause_add(c, &x);
}

/* Tries an update command that changes one value of the job. */
static int try_job_change(struct fs_causes *c, enum fs_cause_kind kind, const char *by, enum fsi_change what,
			  const char *value)
{
	struct fsi_command command;

	fsi_command_begin_update(&command, c->m, c->job);
	fsi_command_add_change(&command, c->m, what, "%s", value);
	return command.len ? try_constraint(c, kind, &by, *by != 0, command.text, NULL) : 0;
}

/* Writes a command with one name in it. `format`: the command, with "%s" in place of the name. */
static void write_named(struct fsi_command *command, const char *format, const char *name)
{
	const char *at = strstr(format, "%s");

	fsi_command_set_text(command, "%.*s%s%s", (int)(at - format), format, name, at + strlen("%s"));
}

/* Tries a command with one name in it. `format`: as in write_named; NULL: the scheduler has no such command. */
static int try_named(struct fs_causes *c, enum fs_cause_kind kind, const char *format, const char *name)
{
	struct fsi_command command = { .len = 0 };

	if (!format || !*name)
		return 0;
	write_named(&command, format, name);
	return command.len ? try_constraint(c, kind, &name, 1, command.text, NULL) : 0;
}

/* ---- sets of names: nodes or jobs */

/* Names of nodes, or ids of jobs in the form of the scheduler's commands. */
struct name_set {
	const char **v;
	size_t n;
	char command[FSI_COMMAND_MAX]; /* command that acts on all names */
	size_t len;		       /* length of `command` */
	bool cut;		       /* true: the command does not fit */
};

static int begin_names(struct fs_causes *c, struct name_set *s, size_t max, const char *command)
{
	*s = (struct name_set){ .v = fsi_arena_array(&c->arena, max + 1, sizeof(*s->v)) };
	s->len = (size_t)snprintf(s->command, sizeof(s->command), "%s", command);
	return s->v ? 0 : fsi_fail_no_memory(c->err);
}

static void append_word(struct name_set *s, const char *word)
{
	const int n = snprintf(s->command + s->len, sizeof(s->command) - s->len, " %s", word);

	s->cut = s->cut || n < 0 || (size_t)n >= sizeof(s->command) - s->len;
	s->len += s->cut ? 0 : (size_t)n;
}

static int add_job_name(struct fs_causes *c, struct name_set *s, uint64_t job)
{
	char id[FS_JOB_ID_TEXT];
	const char *copy;

	fs_job_id_format(c->m, job, true, id);
	copy = fsi_arena_strndup(&c->arena, id, strlen(id));
	if (!copy)
		return fsi_fail_no_memory(c->err);
	append_word(s, copy);
	s->v[s->n++] = copy;
	return 0;
}

/* Tries to cancel the jobs of the set together. */
static int try_cancel(struct fs_causes *c, enum fs_cause_kind kind, const struct name_set *s, bool *gained)
{
	*gained = false;
	return !s->n || s->cut ? 0 : try_constraint(c, kind, s->v, s->n, s->command, gained);
}

static int try_cancel_one(struct fs_causes *c, enum fs_cause_kind kind, uint64_t job, bool *gained)
{
	struct name_set s;

	*gained = false;
	if (!job || !get_commands(c)->cancel)
		return 0;
	if (begin_names(c, &s, 1, get_commands(c)->cancel) || add_job_name(c, &s, job))
		return FS_ENOMEM;
	return try_cancel(c, kind, &s, gained);
}

/* ---- constraints of the job itself */

static int try_release(struct fs_causes *c)
{
	struct fsi_command command;

	fsi_command_write_release(&command, c->m, c->job, c->verdict.cause == FS_VERDICT_CAUSE_OWNER);
	return command.len ? try_constraint(c, FS_CAUSE_HELD, NULL, 0, command.text, NULL) : 0;
}

static int try_dependency(struct fs_causes *c)
{
	char id[FS_JOB_ID_TEXT] = "";

	if (c->verdict.nneeds && c->verdict.needs[0].job)
		fs_job_id_format(c->m, c->verdict.needs[0].job, true, id);
	return try_job_change(c, FS_CAUSE_DEPENDENCY, id, FSI_CHANGE_DEPENDENCY, "");
}

void fsi_cause_write_removal(struct fsi_command *command, const fs_snapshot *m, const struct fsi_job *j,
			     const struct fs_explain_limit *l)
{
	const struct fsi_limit_change change = { .scope = l->scope,
						 .of = l->set_by,
						 .user = fsi_name_text(m, j->user),
						 .account = fsi_name_text(m, j->account),
						 .credential = l->counted_for,
						 .name = l->name,
						 .tres = l->tres,
						 .amount = -1 };

	fsi_command_write_limit(command, m, &change);
}

/* Tries without the limit. */
static int try_limit(struct fs_causes *c, const struct fs_explain_limit *l)
{
	struct fsi_command command;

	fsi_cause_write_removal(&command, c->m, get_job(c), l);
	return command.len ? try_constraint(c, FS_CAUSE_LIMIT, &l->set_by, 1, command.text, NULL) : 0;
}

/* Tries with jobs of negative priority allowed, if the priority of the job blocks it. */
static int try_negative_priority(struct fs_causes *c)
{
	static const char parameter[] = "REJECTNEGPRIOJOBS";
	const char *command = get_commands(c)->allow_negative_priority, *name = parameter;

	if (!command || !c->verdict.reason || strcmp(c->verdict.reason->name, "NegativePriority") != 0)
		return 0;
	return try_constraint(c, FS_CAUSE_LIMIT, &name, 1, command, NULL);
}

/* ---- partitions, reservations and nodes */

static bool is_in_own_partitions(const struct fs_causes *c, uint32_t partition_name)
{
	return fsi_list_has_word(c->m, get_job(c)->partitions, fsi_name_text(c->m, partition_name));
}

static int try_closed_partitions(struct fs_causes *c)
{
	int rc = 0;

	for (size_t i = 0; i < c->m->partition.n && !rc; i++) {
		const struct fsi_partition *p = &c->m->partition.v[i];
		const char *state = fsi_name_text(c->m, p->state);

		if (*state && strcmp(state, "UP") != 0 && is_in_own_partitions(c, p->name))
			rc = try_named(c, FS_CAUSE_PARTITION, get_commands(c)->open_partition,
				       fsi_name_text(c->m, p->name));
	}
	return rc;
}

/* Tries without the rule of the partition that refuses the job. */
static int try_partition_rule(struct fs_causes *c, const struct fs_explain_obstacle *o)
{
	const struct fsi_commands *x = get_commands(c);

	return try_named(c, FS_CAUSE_PARTITION, x->remove_rule ? x->remove_rule(o->what) : NULL, o->partition);
}

static int is_same_name(void *ctx, const char *name, size_t len)
{
	return strlen(ctx) == len && !memcmp(ctx, name, len);
}

bool fsi_cause_is_node_in_partition(const fs_snapshot *m, const struct fsi_node *n, size_t partition)
{
	const struct fsi_partition *p = &m->partition.v[partition];
	char name[FSI_HOST_NAME_MAX + 1];

	snprintf(name, sizeof(name), "%s", fsi_name_text(m, n->name));
	return fsi_node_is_in_partition(m, n, (uint32_t)partition) ||
	       fsi_hostlist_expand_each(fsi_name_text(m, p->nodes), FSI_MAX_HOSTS, is_same_name, name) == 1;
}

/* Returns true if one of the job's partitions has the node. */
static bool is_in_own_node_set(const struct fs_causes *c, const struct fsi_node *n)
{
	for (size_t i = 0; i < c->m->partition.n; i++)
		if (is_in_own_partitions(c, c->m->partition.v[i].name) && fsi_cause_is_node_in_partition(c->m, n, i))
			return true;
	return false;
}

/* Returns 1 if one of the job's partitions has the node with this name. */
static int is_own_node_name(void *ctx, const char *name, size_t len)
{
	const struct fs_causes *c = ctx;
	const struct fsi_node *n = fsi_node_find(c->m, fsi_intern_find_id(&c->m->names, name, len));

	return n && is_in_own_node_set(c, n);
}

/* Returns true if a node of the list may run the job. Any node may, if the list is empty or if the partitions of the
 * job or of the nodes are not known. */
static bool may_use_nodes(struct fs_causes *c, const char *nodes)
{
	return !*nodes || !c->m->node.n || !c->m->partition.n || !fsi_list_first_item(c->m, get_job(c)->partitions) ||
	       fsi_hostlist_expand_each(nodes, FSI_MAX_HOSTS, is_own_node_name, c) != 0;
}

/* Returns true if the reservation may delay the job: it is not the job's own, and it begins no later than the planned
 * start. */
static bool may_delay_job(const struct fs_causes *c, const struct fsi_reservation *r)
{
	return r->name != get_job(c)->reservation &&
	       (!FSI_HAS(r, RESERVATION, start_time) || c->row.start_time == FS_UNKNOWN ||
		r->start_time <= c->row.start_time);
}

static int try_reservations(struct fs_causes *c)
{
	int rc = 0;

	for (size_t i = 0; i < c->m->reservation.n && !rc; i++) {
		const struct fsi_reservation *r = &c->m->reservation.v[i];

		if (may_delay_job(c, r) && may_use_nodes(c, fsi_name_text(c->m, r->nodes)))
			rc = try_named(c, FS_CAUSE_RESERVATION, get_commands(c)->delete_reservation,
				       fsi_name_text(c->m, r->name));
	}
	return rc;
}

/* The nodes of the job's partitions that take no jobs until an administrator acts. */
struct unavailable_nodes {
	const char **name;
	size_t n;
	char list[FSI_COMMAND_TEXT / 2]; /* node list expression with all names */
	bool cut; /* `list` is incomplete */
};

bool fsi_cause_is_node_unavailable(const fs_snapshot *m, const struct fsi_node *n)
{
	static const char *const states[] = { "DOWN", "DRAIN", "DRAINED", "DRAINING", "FAIL" };
	const char *state = fsi_name_text(m, n->state);

	return fsi_node_state_has(state, states, sizeof(states) / sizeof(*states)) || fsi_node_is_unresponsive(state);
}

/* Lists the unavailable nodes that respond, or all unavailable nodes (`silent`). */
static int list_unavailable_nodes(struct fs_causes *c, bool silent, struct unavailable_nodes *out)
{
	struct fsi_hostlist_fold f;

	*out = (struct unavailable_nodes){ .name = fsi_arena_array(&c->arena, c->m->node.n + 1, sizeof(*out->name)) };
	if (!out->name)
		return fsi_fail_no_memory(c->err);
	fsi_hostlist_fold_begin(&f, out->list, sizeof(out->list));
	for (size_t i = 0; i < c->m->node.n; i++) {
		const struct fsi_node *n = &c->m->node.v[i];

		if (!fsi_cause_is_node_unavailable(c->m, n) || !is_in_own_node_set(c, n) ||
		    (!silent && fsi_node_is_unresponsive(fsi_name_text(c->m, n->state))))
			continue;
		out->name[out->n++] = fsi_name_text(c->m, n->name);
		fsi_hostlist_fold_add(&f, out->name[out->n - 1]);
	}
	fsi_hostlist_fold_end(&f);
	out->cut = f.cut;
	return 0;
}

/* Makes the nodes idle or allocated, as if they had never failed. */
static void make_nodes_available(fs_snapshot *copy, void *ctx)
{
	const struct unavailable_nodes *u = ctx;

	for (size_t i = 0; i < u->n; i++) {
		const struct fsi_node *n = fsi_node_find(copy, fsi_name_find(copy, u->name[i]));
		const uint32_t state = fsi_name_intern(copy, FSI_HAS(n, NODE, alloc_cpus) && n->alloc_cpus ? "MIXED" : "IDLE");

		if (state != FSI_INTERN_FAILED)
			copy->node.v[n - copy->node.v].state = state;
	}
}

/* Tries with the nodes that respond available, then with all nodes available. No command makes a node available that
 * does not respond. */
static int try_unavailable_nodes(struct fs_causes *c)
{
	struct unavailable_nodes u;
	struct fsi_cause_change change = { .edit = make_nodes_available, .ctx = &u };
	struct fs_cause x = { .kind = FS_CAUSE_NODES,
			      .why_not = "some of the nodes do not respond; they must be repaired first" };
	struct fsi_cause_trial t;
	struct fsi_command command = { .len = 0 };
	bool gained = false;
	int rc = list_unavailable_nodes(c, false, &u);
	const size_t first_count = u.n;

	if (!rc && u.n && !u.cut && get_commands(c)->resume_nodes) {
		write_named(&command, get_commands(c)->resume_nodes, u.list);
		rc = try_constraint(c, FS_CAUSE_NODES, u.name, u.n, command.text, &gained);
	}
	if (!rc && !gained)
		rc = list_unavailable_nodes(c, true, &u);
	if (rc || gained || (u.n == first_count && command.len))
		return rc;
	x.names = u.name;
	x.nnames = u.n;
	rc = u.n ? fsi_cause_try(c, &change, &t) : 0;
	x.start_without = u.n && !rc ? t.start : FS_UNKNOWN;
	return rc || !u.n || !t.gains ? rc : fsi_cause_add(c, &x);
}

/* ---- settings of slurm.conf: licenses, and the scheduler's own limits of search */

/* Writes to `out` the comma-separated list with the item `name` set to `value`; `separator` is between name and value.
 * Returns false if the result does not fit. */
static bool set_list_item(char *out, size_t size, const char *list, const char *name, char separator, int64_t value)
{
	const size_t name_len = strlen(name);
	size_t len = 0;

	for (const char *at = list; *at && len < size;) {
		const size_t n = strcspn(at, ",");

		if (n && !(n > name_len && at[name_len] == separator && !strncmp(at, name, name_len)))
			len += (size_t)snprintf(out + len, size - len, "%.*s,", (int)n, at);
		at += n + (at[n] == ',');
	}
	if (len < size)
		len += (size_t)snprintf(out + len, size - len, "%s%c%" PRId64, name, separator, value);
	return len < size;
}

/* Tries with one item of a parameter of slurm.conf set to `value`. */
static int try_setting(struct fs_causes *c, enum fs_cause_kind kind, const char *parameter, const char *name,
		       char separator, int64_t value)
{
	const char *present = fs_snapshot_config_text(c->m, parameter);
	char command[FSI_COMMAND_MAX];
	const size_t len = (size_t)snprintf(command, sizeof(command), "%s=", parameter);

	if (!set_list_item(command + len, sizeof(command) - len, present ? present : "", name, separator, value))
		return 0;
	return try_constraint(c, kind, &name, 1, command, NULL);
}

enum { MAX_COUNT = 1000000, YEAR_MINUTES = 525600 };

static int try_search_limits(struct fs_causes *c)
{
	const char *parameter = get_commands(c)->search_parameter;

	/* the main scheduler tries the first job of a partition without these limits (job_scheduler.c: _schedule) */
	if (!parameter || c->verdict.kind == FS_VERDICT_FIRST)
		return 0;
	if (c->row.state == FS_PLAN_NOT_REACHED && *c->row.cycle_limit.name)
		return try_setting(c, FS_CAUSE_NOT_REACHED, parameter, c->row.cycle_limit.name, '=', MAX_COUNT);
	if (c->row.state == FS_PLAN_NO_START && c->row.window_s != FS_UNKNOWN)
		return try_setting(c, FS_CAUSE_NOT_REACHED, parameter, "bf_window", '=', YEAR_MINUTES);
	return 0;
}

/* Tries with a million of each license that the job needs and the cluster has. */
static int try_licenses(struct fs_causes *c)
{
	const char *at = fsi_name_text(c->m, fsi_job_ext(c->m, get_job(c))->licenses);
	const char *present = fs_snapshot_config_text(c->m, "Licenses");
	int rc = 0;

	while (*at && present && !rc) {
		char name[FSI_COMMAND_TEXT / 4];

		snprintf(name, sizeof(name), "%.*s", (int)strcspn(at, ":=*,|"), at);
		if (*name && strstr(present, name))
			rc = try_setting(c, FS_CAUSE_LICENSES, "Licenses", name, ':', MAX_COUNT);
		at += strcspn(at, ",|");
		at += *at != '\0';
	}
	return rc;
}

/* ---- running jobs */

static bool is_running_job(const struct fsi_job *j)
{
	return j->state == FSI_STATE_RUNNING || j->state == FSI_STATE_SUSPENDED;
}

/* Returns true if the job with this id runs. Returns false for 0. */
static bool is_running_id(const struct fs_causes *c, uint64_t job)
{
	const uint32_t row = job ? fsi_job_find_row(c->m, job) : FSI_NO_INDEX;

	return row != FSI_NO_INDEX && is_running_job(&c->m->job.v[row]);
}

/* The nodes on which the job is planned to start: name ids, sorted. */
struct planned_nodes {
	const fs_snapshot *m;
	uint32_t *name;
	size_t n;
};

static int list_planned_nodes(struct fs_causes *c, struct planned_nodes *out)
{
	*out = (struct planned_nodes){ c->m, fsi_arena_array(&c->arena, c->row.nodes + 1, sizeof(*out->name)), 0 };
	if (!out->name)
		return fsi_fail_no_memory(c->err);
	for (uint32_t k = 0; c->row_index != FS_NO_ROW && k < c->row.nodes; k++)
		out->name[out->n++] = fsi_name_find(c->m, fs_plan_node(c->plan, c->row_index, k));
	qsort(out->name, out->n, sizeof(*out->name), fsi_compare_rising_u32);
	return 0;
}

static int find_planned_node(void *ctx, const char *name, size_t len)
{
	const struct planned_nodes *p = ctx;
	const uint32_t id = fsi_intern_find_id(&p->m->names, name, len);

	return id && bsearch(&id, p->name, p->n, sizeof(id), fsi_compare_rising_u32);
}

/* Returns true if the running job ends no later than the planned start. */
static bool ends_before_start(const struct fs_causes *c, const struct fsi_job *j)
{
	return is_running_job(j) && (!FSI_HAS(j, JOB, end_time) || c->row.start_time == FS_UNKNOWN ||
				     j->end_time <= c->row.start_time);
}

/* A running job, and when it ends. */
struct ending_job {
	int64_t end; /* INT64_MAX: unknown */
	uint64_t id;
};

static int compare_ends(const void *a, const void *b)
{
	const struct ending_job *x = a, *y = b;

	if (x->end != y->end)
		return x->end < y->end ? -1 : 1;
	return fsi_compare_rising_u64(&x->id, &y->id);
}

/* Lists the running jobs that end before the planned start, in the order of their ends: jobs on the planned nodes if
 * `planned` is true, otherwise jobs on all nodes of the job's partitions. Without planned nodes, the list is empty. */
static int list_running_jobs(struct fs_causes *c, bool planned, struct name_set *s)
{
	struct ending_job *v = fsi_arena_array(&c->arena, c->m->job.n + 1, sizeof(*v));
	struct planned_nodes p;
	size_t n = 0;

	if (!v || list_planned_nodes(c, &p) || begin_names(c, s, c->m->job.n, get_commands(c)->cancel))
		return fsi_fail_no_memory(c->err);
	for (size_t i = 0; i < c->m->job.n && p.n; i++) {
		const struct fsi_job *j = &c->m->job.v[i];
		const char *nodes = fsi_name_text(c->m, j->node_list);

		if (ends_before_start(c, j) &&
		    (planned ? fsi_hostlist_expand_each(nodes, FSI_MAX_HOSTS, find_planned_node, &p) == 1
			     : may_use_nodes(c, nodes)))
			v[n++] = (struct ending_job){ FSI_HAS(j, JOB, end_time) ? j->end_time : INT64_MAX, j->id };
	}
	qsort(v, n, sizeof(*v), compare_ends);
	for (size_t i = 0; i < n && !s->cut; i++)
		if (add_job_name(c, s, v[i].id))
			return FS_ENOMEM;
	return 0;
}

/* Writes the command that cancels the jobs of the set, except the `n` jobs from `first` on. Returns false if the
 * command does not fit. */
static bool write_cancel(const struct fs_causes *c, struct name_set *s, size_t first, size_t n)
{
	s->len = (size_t)snprintf(s->command, sizeof(s->command), "%s", get_commands(c)->cancel);
	s->cut = false;
	for (size_t i = 0; i < s->n; i++)
		if (i < first || i - first >= n)
			append_word(s, s->v[i]);
	return !s->cut;
}

/* Drops `n` jobs from `first` on if the job starts by `latest` without the other jobs of the set. Sets *dropped to true
 * in that case. */
static int drop_range(struct fs_causes *c, struct name_set *s, size_t first, size_t n, int64_t latest, bool *dropped)
{
	const struct fsi_cause_change change = { .command = { s->command } };
	struct fsi_cause_trial t = { .start = FS_UNKNOWN };
	const int rc = n < s->n && write_cancel(c, s, first, n) ? fsi_cause_try(c, &change, &t) : 0;

	*dropped = !rc && t.start != FS_UNKNOWN && t.start <= latest;
	if (*dropped) {
		s->n -= n;
		memmove(s->v + first, s->v + first + n, (s->n - first) * sizeof(*s->v));
	}
	return rc;
}

/* Drops jobs that need not end for a start by `latest`, in ever smaller groups, beginning with the latest ends.
 * After the maximum number of trials, the set may still contain such jobs. */
static int drop_other_jobs(struct fs_causes *c, struct name_set *s, int64_t latest)
{
	enum { MAX_TRIALS = 24 };
	const size_t last = c->trials + MAX_TRIALS;
	bool dropped;
	int rc = 0;

	for (size_t size = (s->n + 1) / 2; size && s->n > 1 && !rc; size = size == 1 ? 0 : (size + 1) / 2)
		for (size_t end = s->n; end && !rc && c->trials < last; end = end > size ? end - size : 0) {
			const size_t n = end < size ? end : size;

			rc = drop_range(c, s, end - n, n, latest, &dropped);
		}
	write_cancel(c, s, s->n, 0);
	return rc;
}

/* Tries without the running jobs of the set. If that is a gain, names the jobs that end first and give at least half of
 * the gain. Sets *gained. */
static int try_set_of_running_jobs(struct fs_causes *c, struct name_set *s, bool *gained)
{
	const struct fsi_cause_change change = { .command = { s->command } };
	struct fsi_cause_trial t;
	int64_t half; /* the latest start that gives half of the gain */
	int rc = s->n && !s->cut ? fsi_cause_try(c, &change, &t) : 0;

	*gained = false;
	if (rc || !s->n || s->cut || !t.gains)
		return rc;
	half = c->row.start_time == FS_UNKNOWN ? t.start : t.start + (c->row.start_time - t.start) / 2;
	rc = drop_other_jobs(c, s, half);
	return rc ? rc : try_cancel(c, FS_CAUSE_RUNNING, s, gained);
}

/* Tries without the running jobs on the nodes of the job's partitions. If that is no gain, or if their names do not fit
 * into a command, tries only without the jobs on the planned nodes, and then only without the job that the plan names.
 * On a large site, makes only the last attempt. */
static int try_running_jobs(struct fs_causes *c)
{
	enum { MANY_TRIALS = 32 };
	struct name_set s;
	bool gained = false;
	int rc = 0;

	if (!get_commands(c)->cancel)
		return 0;
	for (int planned = 0; planned < 2 && c->max_trials >= MANY_TRIALS && !gained && !rc; planned++) {
		rc = list_running_jobs(c, planned, &s);
		if (!rc)
			rc = try_set_of_running_jobs(c, &s, &gained);
	}
	if (rc || gained)
		return rc;
	return try_cancel_one(c, FS_CAUSE_RUNNING, is_running_id(c, c->row.frees) ? c->row.frees : 0, &gained);
}

/* ---- jobs ahead */

/* Writes the command that gives the job the highest priority. */
static void write_first_place(const struct fs_causes *c, struct fsi_command *command)
{
	fsi_command_write_first(command, c->m, c->job);
	if (command->len || !get_commands(c)->max_priority)
		return;
	fsi_command_begin_update(command, c->m, c->job);
	fsi_command_add_change(command, c->m, FSI_CHANGE_PRIORITY, "%s", get_commands(c)->max_priority);
}

/* Tries with the highest priority for the job. */
static int try_first_place(struct fs_causes *c)
{
	struct fsi_command command;

	write_first_place(c, &command);
	return command.len ? try_constraint(c, FS_CAUSE_AHEAD, NULL, 0, command.text, NULL) : 0;
}

/* Returns the pending job that the plan names: the job that is planned on the nodes, or the job that starts and ends on
 * them first; 0: none. */
static uint64_t get_rival(const struct fs_causes *c)
{
	if (c->row.blocked_by && c->row.wait != FS_PLAN_WAIT_COMPONENT)
		return c->row.blocked_by;
	return is_running_id(c, c->row.frees) ? 0 : c->row.frees;
}

/* Tries with the highest priority for the job, and if that is a gain, without the pending job that the plan names.
 * Names the other job if that alone gives at least half of the gain. */
static int try_jobs_ahead(struct fs_causes *c)
{
	const size_t first = c->cause.n;
	bool gained;
	int rc;

	/* no job is ahead of the first job, although the scheduler's limits of search end before they reach it */
	if (c->verdict.kind == FS_VERDICT_FIRST && c->row.state == FS_PLAN_NOT_REACHED)
		return 0;
	rc = try_first_place(c);

	if (rc || c->cause.n == first)
		return rc;
	rc = try_cancel_one(c, FS_CAUSE_AHEAD, get_rival(c), &gained);
	if (rc || !gained)
		return rc;
	const int64_t all = fsi_cause_get_gain(c, c->cause.v[first].start_without),
		      one = fsi_cause_get_gain(c, c->cause.v[first + 1].start_without);

	if (one >= all / 2)
		c->cause.v[first] = c->cause.v[first + 1];
	c->cause.n--;
	return 0;
}

/* Tries without the running jobs that must end first, and with the highest priority for the job at the same time. */
static int try_running_and_ahead(struct fs_causes *c)
{
	struct fs_cause x = { .kind = FS_CAUSE_RUNNING,
			      .why_not = "this helps only together with a higher priority of the job" };
	struct fsi_cause_change change = { .edit = NULL };
	struct fsi_command first;
	struct fsi_cause_trial t;
	struct name_set s;
	int rc;

	write_first_place(c, &first);
	if (!first.len || !get_commands(c)->cancel)
		return 0;
	rc = list_running_jobs(c, true, &s);
	if (rc || !s.n || s.cut)
		return rc;
	change.command[0] = first.text;
	change.command[1] = s.command;
	rc = fsi_cause_try(c, &change, &t);
	x.names = s.v;
	x.nnames = s.n;
	x.start_without = t.start;
	return rc || !t.gains ? rc : fsi_cause_add(c, &x);
}

/* ---- all constraints */

/* Tries the constraint that the verdict names, for a job that is not eligible. */
static int try_verdict(struct fs_causes *c)
{
	const struct fs_verdict *v = &c->verdict;

	if (v->limit && (v->kind == FS_VERDICT_LIMIT || v->kind == FS_VERDICT_NEVER))
		return try_limit(c, v->limit);
	if (v->obstacle && v->kind == FS_VERDICT_NEVER)
		return try_partition_rule(c, v->obstacle);
	switch (v->kind) {
	case FS_VERDICT_LIMIT:
		return try_negative_priority(c);
	case FS_VERDICT_HELD:
		return try_release(c);
	case FS_VERDICT_BEGIN:
		return try_job_change(c, FS_CAUSE_BEGIN, "", FSI_CHANGE_BEGIN, "now");
	case FS_VERDICT_DEPENDENCY:
		return try_dependency(c);
	case FS_VERDICT_ARRAY_LIMIT:
		return try_job_change(c, FS_CAUSE_ARRAY_LIMIT, "", FSI_CHANGE_THROTTLE, "0");
	case FS_VERDICT_RESERVATION:
		return get_job(c)->reservation
			       ? try_job_change(c, FS_CAUSE_RESERVATION,
						fsi_name_text(c->m, get_job(c)->reservation), FSI_CHANGE_RESERVATION, "")
			       : 0;
	default:
		return 0;
	}
}

int fsi_cause_add_candidates(struct fs_causes *c)
{
	static int (*const tries[])(struct fs_causes *) = { try_closed_partitions, try_reservations,
							    try_unavailable_nodes, try_search_limits,
							    try_licenses,	   try_running_jobs,
							    try_jobs_ahead };
	int rc = get_commands(c) ? try_verdict(c) : 0;

	if (rc || !get_commands(c) || (c->verdict.kind < FS_VERDICT_UNKNOWN && c->cause.n))
		return rc;
	for (size_t i = 0; i < sizeof(tries) / sizeof(*tries) && !rc; i++)
		rc = tries[i](c);
	return rc || c->cause.n ? rc : try_running_and_ahead(c);
}
