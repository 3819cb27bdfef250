/* Compares two evaluated snapshots (fs_compare): pending jobs with their priority terms, accounts and users with their
 * shares. Also finds the causes of changed fair-share factors and ranks.
 *
 * struct fs_comparison borrows both evaluations. Its arena owns the terms and causes, until fs_comparison_free. In both
 * states, jobs are sorted by id and shares by name, so one pass compares them. Internal functions return -1 only if out
 * of memory, unless their comment says otherwise. */
#include "base/error.h"
#include "base/memory.h"
#include "model/find.h"
#include "plan/plan.h"
#include "priority/priority.h"
#include "queue/queue.h"

#include "fs/compare.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct fs_comparison;

/* A comparison of two states. Arrays with two elements have one element for each state: FS_BEFORE is the index of the
 * earlier state, FS_AFTER the index of the later state. */
struct fs_comparison {
	struct fs_compared side[2];
	/* fraction of the earlier state's usage that is left after decay until the time of the later state
	 * (fs_comparison_left) */
	double decay_left;
	FSI_VEC(struct fs_compared_job) job;
	const struct fs_compared_job **order; /* the jobs in display order */
	size_t pending;
	size_t prio_index[2]; /* index in each state's priorities at which the search for the current job begins */
	size_t prio_guess[2]; /* index after the row that the last search found in each state's priorities */
	FSI_VEC(struct fs_compared_share) share;
	struct fsi_arena arena; /* owns the terms, the causes and the sorted share trees */
	/* A priority term that at least one of the states has: its name, and its index among the terms of each state.
	 * FS_NO_ROW: the state does not have the term. */
	struct compared_term {
		const char *name;
		size_t at[2];
	} *term;
	size_t nterms;
	/* The siblings in each state's share tree. All members are NULL before they are first needed. */
	struct compared_tree {
		const uint32_t *below; /* indexed by share row: number of ranked users in the row's subtree */
		/* the share rows that are ranked among siblings, sorted by parent and name */
		const struct fs_share_row **row;
		/* Indexed by the share row of a parent. Its children in `row` begin at first[parent] and end before
		 * first[parent + 1]. */
		const uint32_t *first;
	} tree[2];
};

/* Maximum number of causes that are listed for a changed fair-share factor of the classic algorithm. */
enum { MAX_CLASSIC_CAUSES = 5 };

/* Returns true if the numbers are equal or both are NAN. */
static inline bool is_same_number(double a, double b)
{
	return a == b || (a != a && b != b);
}

/* ---- display order of jobs */

static double get_priority_change(const struct fs_compared_job *r)
{
	const double d = fabs(r->priority[1] - r->priority[0]);

	return isnan(d) ? 0 : d;
}

static uint32_t get_position_change(const struct fs_compared_job *r)
{
	const uint32_t a = r->partition_position[0], b = r->partition_position[1];

	return a > b ? a - b : b - a;
}

static int compare_by_change(const void *x, const void *y, const void *ctx)
{
	const struct fs_compared_job *a = *(const struct fs_compared_job *const *)x,
				     *b = *(const struct fs_compared_job *const *)y;
	const double p = get_priority_change(a), q = get_priority_change(b);
	const uint32_t m = get_position_change(a), n = get_position_change(b);

	(void)ctx;
	if (a->fate != b->fate)
		return a->fate < b->fate ? -1 : 1;
	if (p != q)
		return p > q ? -1 : 1;
	if (m != n)
		return m > n ? -1 : 1;
	if (a->job != b->job)
		return a->job < b->job ? -1 : 1;
	return strcmp(a->partition[FS_AFTER], b->partition[FS_AFTER]);
}

/* Sets c->order to the jobs, sorted by what happened to them (enum fs_fate). Jobs with the same fate are sorted by the
 * size of the change of priority, then by the size of the change of position, largest change first. Returns -1 if out
 * of memory. */
static int sort_compared_jobs(struct fs_comparison *c)
{
	const size_t n = c->job.n;

	c->order = malloc((n + 1) * sizeof(*c->order));
	if (!c->order)
		return -1;
	for (size_t i = 0; i < n; i++)
		c->order[i] = &c->job.v[i];
	return fs_sort(c->order, n, sizeof(*c->order), compare_by_change, NULL) ? -1 : 0;
}

/* ---- priority terms, matched by name because the two states may have different terms */

static const fs_prios *get_side_priorities(const struct fs_comparison *c, int side)
{
	return c->side[side].prios ? c->side[side].prios : c->side[side].eval->prios;
}

static struct compared_term *find_or_add_term(struct fs_comparison *c, const char *name)
{
	struct compared_term *t = c->term;

	while (t < c->term + c->nterms && strcmp(t->name, name) != 0)
		t++;
	if (t == c->term + c->nterms) {
		*t = (struct compared_term){ name, { FS_NO_ROW, FS_NO_ROW } };
		c->nterms++;
	}
	return t;
}

static int init_term_table(struct fs_comparison *c)
{
	size_t n = 1;

	for (int k = 0; k < 2; k++)
		n += get_side_priorities(c, k) ? fs_prios_terms(get_side_priorities(c, k)) : 0;
	c->term = fsi_arena_array(&c->arena, n, sizeof(*c->term));
	if (!c->term)
		return -1;
	for (int k = 0; k < 2; k++) {
		const fs_prios *p = get_side_priorities(c, k);

		for (size_t t = 0; p && t < fs_prios_terms(p); t++)
			find_or_add_term(c, fs_prios_weights(p)[t].name)->at[k] = t;
	}
	return 0;
}

/* Returns the index of the job's first row in the priorities of one state. Priorities are sorted by job row. Must be
 * called with ascending job rows, because each search continues where the previous one ended. */
static size_t find_first_priority(struct fs_comparison *c, int side, uint32_t job_row)
{
	const fs_prios *p = get_side_priorities(c, side);
	size_t i = c->prio_index[side];

	while (p && i < p->row.n && p->row.v[i].job < job_row)
		i++;
	c->prio_index[side] = i;
	return i;
}

/* Returns true if row i of the priorities of one state is the row of the job's queue record `as`. */
static bool is_priority_row(struct fs_comparison *c, int side, size_t i, uint32_t job_row,
			    const struct fs_compared_job *as)
{
	const fs_prios *p = get_side_priorities(c, side);
	const struct fsi_prio_row *r = p && i < p->row.n ? &p->row.v[i] : NULL;

	return r && r->job == job_row && !strcmp(fsi_name_text(p->m, r->partition_name), as->partition[side]) &&
	       (!*as->qos[side] || !strcmp(fsi_name_text(p->m, r->qos), as->qos[side]));
}

static bool find_priority_row(struct fs_comparison *c, int side, uint32_t job_row, const struct fs_compared_job *as,
			      struct fs_prio_row *row)
{
	const fs_prios *p = get_side_priorities(c, side);
	size_t i = c->prio_guess[side];

	if (!is_priority_row(c, side, i, job_row, as)) {
		i = find_first_priority(c, side, job_row);
		while (p && i < p->row.n && p->row.v[i].job == job_row && !is_priority_row(c, side, i, job_row, as))
			i++;
	}
	if (!p || i >= p->row.n || p->row.v[i].job != job_row)
		return false;
	c->prio_guess[side] = i + 1;
	return fs_prios_brief(p, i, row);
}

static double get_term_points(const struct fs_prio_row *row, size_t at)
{
	return at == FS_NO_ROW || row->set_directly ? 0 : row->terms[at].points;
}

/* Returns the priority that an administrator set; 0 if the priority is computed from its terms. */
static double get_direct_priority(const struct fs_prio_row *row)
{
	return row->set_directly ? row->sum : 0;
}

static void add_term_change(struct fs_compared_job *row, struct fs_term_change *v, const char *name, double change)
{
	if (change == 0)
		return;
	v[row->nterms++] = (struct fs_term_change){ name, change };
	row->sum_change += change;
}

/* Sets priorities and term changes of a job that has a row in the priorities of both states. Uses the computed
 * priorities, because a recorded priority may be older than the state. Must be called for jobs in ascending order of
 * their ids. Returns -1 if out of memory. */
static int compare_job_terms(struct fs_comparison *c, const uint32_t job_row[2], struct fs_compared_job *row)
{
	struct fs_prio_row of[2];
	struct fs_term_change *v;

	if (!find_priority_row(c, FS_BEFORE, job_row[0], row, &of[0]) ||
	    !find_priority_row(c, FS_AFTER, job_row[1], row, &of[1]))
		return 0;
	row->priority[0] = of[0].priority;
	row->priority[1] = of[1].priority;
	if (of[0].priority == of[1].priority || isnan(of[0].priority) || isnan(of[1].priority))
		return 0;
	v = fsi_arena_array(&c->arena, c->nterms + 2, sizeof(*v));
	if (!v)
		return -1;
	row->terms = v;
	row->sum_change = 0;
	for (size_t t = 0; t < c->nterms; t++)
		add_term_change(row, v, c->term[t].name,
				get_term_points(&of[1], c->term[t].at[1]) - get_term_points(&of[0], c->term[t].at[0]));
	add_term_change(row, v, "direct", get_direct_priority(&of[1]) - get_direct_priority(&of[0]));
	add_term_change(row, v, "unexplained", of[1].unexplained - of[0].unexplained);
	row->rest_change = row->priority[1] - row->priority[0] - row->sum_change;
	return 0;
}

/* ---- pending jobs, matched by id, partition and QOS */

/* Index of one queue record; the record itself is read only when its job is compared. */
struct visible_record {
	uint32_t job_row;
	uint32_t at; /* index of the record in the queue */
};

/* A queue record of the job that is being compared. */
struct queue_record {
	struct fs_queue_row row;
	bool matched;
};

struct queue_list {
	const fs_queue *queue;
	const fs_snapshot *snapshot;
	struct visible_record *visible;
	const fs_plan *plan; /* computed plan of the state; NULL: none */
	size_t n;
	FSI_VEC(struct queue_record) record;
};

/* Sets l->visible to the queue records that the viewer may see, sorted by job and then by queue order. `first`: a
 * zeroed array for a counting sort by job row, with space for 2 entries more than there are jobs. */
static void sort_visible_records(struct queue_list *l, uint32_t *first, size_t jobs)
{
	struct fs_queue_place p;

	for (size_t i = 0; i < fs_queue_count(l->queue); i++) {
		fs_queue_place(l->queue, i, &p);
		first[p.job_row + 1] += p.visible;
		l->n += p.visible;
	}
	for (size_t i = 0; i < jobs; i++)
		first[i + 1] += first[i];
	for (size_t i = 0; i < fs_queue_count(l->queue); i++) {
		fs_queue_place(l->queue, i, &p);
		if (p.visible)
			l->visible[first[p.job_row]++] = (struct visible_record){ p.job_row, (uint32_t)i };
	}
}

static int list_queue_records(struct queue_list *l, const struct fs_compared *side)
{
	const fs_queue *q = side->eval->queue;
	const size_t n = q ? fs_queue_count(q) : 0, jobs = fs_snapshot_info(side->eval->snapshot)->jobs;
	uint32_t *first = calloc(jobs + 2, sizeof(*first));

	l->queue = q;
	l->snapshot = side->eval->snapshot;
	l->visible = malloc((n + 1) * sizeof(*l->visible));
	if (q && first && l->visible)
		sort_visible_records(l, first, jobs);
	free(first);
	l->plan = side->plan;
	return first && l->visible ? 0 : -1;
}

/* Reads the queue records of one job, l->visible[i] to l->visible[end - 1], into l->record. Returns -1 if out of
 * memory. */
static int read_job_records(struct queue_list *l, size_t i, size_t end)
{
	for (l->record.n = 0; i < end; i++) {
		if (FSI_VEC_RESERVE(&l->record))
			return -1;
		struct queue_record *r = &l->record.v[l->record.n++];

		r->matched = false;
		fs_queue_row(l->queue, l->visible[i].at, &r->row);
	}
	return 0;
}

static size_t find_job_end(const struct queue_list *l, size_t i)
{
	size_t end = i;

	while (end < l->n && l->visible[end].job_row == l->visible[i].job_row)
		end++;
	return end;
}

static bool is_job_running(const struct fs_eval *e, uint64_t job)
{
	const uint32_t row = fsi_job_find_row(e->snapshot, job);

	return row != FSI_NO_INDEX && fs_job_is_running(e->snapshot, row);
}

static void fill_compared_side(struct fs_compared_job *out, const struct queue_record *r, int side)
{
	out->partition[side] = r->row.partition;
	out->qos[side] = r->row.qos;
	out->priority[side] = r->row.priority;
	out->position[side] = r->row.position;
	out->partition_position[side] = r->row.partition_position;
}

/* Returns the comparison of a queue record of the earlier state (`a`) with its counterpart in the later state (`b`). If
 * only one state has the record, the other argument is NULL. */
static struct fs_compared_job make_compared_row(const struct queue_record *a, const struct queue_record *b)
{
	const struct queue_record *r = b ? b : a;
	struct fs_compared_job out = { .job = r->row.job,
				       .partition = { "", "" },
				       .qos = { "", "" },
				       .user = r->row.user,
				       .account = r->row.account,
				       .priority = { NAN, NAN },
				       .start_time = { FS_UNKNOWN, FS_UNKNOWN },
				       .sum_change = NAN,
				       .rest_change = NAN };

	if (a)
		fill_compared_side(&out, a, FS_BEFORE);
	if (b)
		fill_compared_side(&out, b, FS_AFTER);
	return out;
}

static int append_job_row(struct fs_comparison *c, const struct fs_compared_job *row)
{
	if (FSI_VEC_RESERVE(&c->job))
		return -1;
	c->job.v[c->job.n++] = *row;
	return 0;
}

static bool is_job_changed(const struct fs_compared_job *r)
{
	return strcmp(r->partition[0], r->partition[1]) != 0 || strcmp(r->qos[0], r->qos[1]) != 0 ||
	       !is_same_number(r->priority[0], r->priority[1]) || r->position[0] != r->position[1] ||
	       r->partition_position[0] != r->partition_position[1] || r->start_time[0] != r->start_time[1];
}

struct job_comparison {
	struct fs_comparison *c;
	struct queue_list l[2];
};

static int add_paired_row(struct job_comparison *p, const struct queue_record *a, const struct queue_record *b,
			  bool first)
{
	struct fs_compared_job row = make_compared_row(a, b);
	const uint32_t job_row[2] = { a->row.job_row, b->row.job_row };

	p->c->pending++;
	for (int k = 0; k < 2 && first; k++)
		row.start_time[k] = fsi_plan_get_start(p->l[k].plan, job_row[k]);
	if (compare_job_terms(p->c, job_row, &row))
		return -1;
	return is_job_changed(&row) ? append_job_row(p->c, &row) : 0;
}

static int add_single_row(struct job_comparison *p, const struct queue_record *r, int side, bool first, bool job_stays)
{
	struct fs_compared_job row = side == FS_BEFORE ? make_compared_row(r, NULL) : make_compared_row(NULL, r);

	if (first)
		row.start_time[side] = fsi_plan_get_start(p->l[side].plan, r->row.job_row);
	p->c->pending += job_stays;
	if (job_stays)
		row.fate = FS_FATE_PENDING;
	else if (side == FS_AFTER)
		row.fate = FS_FATE_NEW;
	else
		row.fate = is_job_running(p->c->side[FS_AFTER].eval, row.job) ? FS_FATE_STARTED : FS_FATE_GONE;
	return append_job_row(p->c, &row);
}

static bool is_same_record(const struct queue_record *a, const struct queue_record *b)
{
	return !strcmp(a->row.partition, b->row.partition) && !strcmp(a->row.qos, b->row.qos);
}

/* Returns the first record of list l that has no counterpart yet; NULL if there is none. If `same_records` is true,
 * the record must have the same partition and QOS as record `a`. */
static struct queue_record *find_matching_record(const struct queue_record *a, struct queue_list *l, bool same_records)
{
	for (size_t k = 0; k < l->record.n; k++)
		if (!l->record.v[k].matched && (!same_records || is_same_record(a, &l->record.v[k])))
			return &l->record.v[k];
	return NULL;
}

static int pair_job_records(struct job_comparison *p, bool same_records)
{
	for (size_t i = 0; i < p->l[0].record.n; i++) {
		struct queue_record *a = &p->l[0].record.v[i],
				    *b = a->matched ? NULL : find_matching_record(a, &p->l[1], same_records);

		if (!b)
			continue;
		a->matched = b->matched = true;
		if (add_paired_row(p, a, b, i == 0))
			return -1;
	}
	return 0;
}

static int add_single_rows(struct job_comparison *p, int side, bool both)
{
	const struct queue_list *l = &p->l[side];

	for (size_t i = 0; i < l->record.n; i++)
		if (!l->record.v[i].matched && add_single_row(p, &l->record.v[i], side, i == 0, both))
			return -1;
	return 0;
}

/* Adds rows for the queue records of the current job: first for records that have a counterpart in the other state,
 * then for records without a counterpart. Returns -1 if out of memory. */
static int add_job_rows(struct job_comparison *p)
{
	const bool both = p->l[0].record.n && p->l[1].record.n;

	if (pair_job_records(p, true) || pair_job_records(p, false))
		return -1;
	return add_single_rows(p, FS_BEFORE, both) || add_single_rows(p, FS_AFTER, both) ? -1 : 0;
}

/* Returns the id of the job at l->visible[i]; UINT64_MAX if i is the number of visible records. */
static uint64_t get_record_job(const struct queue_list *l, size_t i)
{
	return i == l->n ? UINT64_MAX : l->snapshot->job.v[l->visible[i].job_row].id;
}

static int merge_pending_jobs(struct job_comparison *p)
{
	struct queue_list *a = &p->l[0], *b = &p->l[1];
	uint64_t left = get_record_job(a, 0), right = get_record_job(b, 0);
	size_t i = 0, k = 0;

	while (i < a->n || k < b->n) {
		const size_t a_end = i < a->n && left <= right ? find_job_end(a, i) : i,
			     b_end = k < b->n && right <= left ? find_job_end(b, k) : k;

		if (read_job_records(a, i, a_end) || read_job_records(b, k, b_end) || add_job_rows(p))
			return -1;
		left = a_end > i ? get_record_job(a, a_end) : left;
		right = b_end > k ? get_record_job(b, b_end) : right;
		i = a_end;
		k = b_end;
	}
	return 0;
}

/* Compares all pending jobs. Returns -1 if out of memory. */
static int compare_pending_jobs(struct fs_comparison *c)
{
	struct job_comparison p = { .c = c };
	int rc = list_queue_records(&p.l[0], &c->side[0]) || list_queue_records(&p.l[1], &c->side[1]) ||
				 merge_pending_jobs(&p)
			 ? -1
			 : 0;

	for (int k = 0; k < 2; k++) {
		free(p.l[k].visible);
		FSI_VEC_FREE(&p.l[k].record);
	}
	return rc ? rc : sort_compared_jobs(c);
}

/* ---- accounts and users, matched by account, user and partition */

struct share_rows {
	const struct fs_share_row **v;
	size_t n;
};

static int compare_share_names(const struct fs_share_row *a, const struct fs_share_row *b)
{
	int c = strcmp(a->account, b->account);

	if (!c)
		c = strcmp(a->user, b->user);
	return c ? c : strcmp(a->partition, b->partition);
}

static int compare_share_pointers(const void *x, const void *y)
{
	const struct fs_share_row *const *a = x, *const *b = y;

	return compare_share_names(*a, *b);
}

static int list_visible_shares(struct share_rows *r, const fs_shares *s)
{
	const size_t n = s ? fs_shares_count(s) : 0;

	r->v = malloc((n + 1) * sizeof(*r->v));
	for (size_t i = 0; r->v && i < n; i++)
		if (fs_shares_row(s, i)->visible)
			r->v[r->n++] = fs_shares_row(s, i);
	if (r->v)
		qsort(r->v, r->n, sizeof(*r->v), compare_share_pointers);
	return r->v ? 0 : -1;
}

static bool has_same_shares(const struct fs_share_row *a, const struct fs_share_row *b)
{
	return a->shares_kind == b->shares_kind && a->raw_shares == b->raw_shares && a->rank == b->rank &&
	       is_same_number(a->norm_shares, b->norm_shares) && is_same_number(a->raw_usage, b->raw_usage) &&
	       is_same_number(a->effective_usage, b->effective_usage) &&
	       is_same_number(a->fairshare, b->fairshare) && is_same_number(a->level_fs, b->level_fs);
}

static int append_share_row(struct fs_comparison *c, const struct fs_share_row *a, const struct fs_share_row *b)
{
	if (a && b && has_same_shares(a, b))
		return 0;
	if (FSI_VEC_RESERVE(&c->share))
		return -1;
	c->share.v[c->share.n++] = (struct fs_compared_share){ { a, b } };
	return 0;
}

/* Sorts rows in the order of the later state's share tree. Rows that exist only in the earlier state are last, in the
 * order of that state's tree. */
static int compare_by_tree(const void *x, const void *y)
{
	const struct fs_compared_share *a = x, *b = y;
	const bool a_missing = !a->row[1], b_missing = !b->row[1];
	const uint32_t i = a->row[a_missing ? 0 : 1]->row, k = b->row[b_missing ? 0 : 1]->row;

	if (a_missing != b_missing)
		return a_missing ? 1 : -1;
	return (i > k) - (i < k);
}

static int merge_share_rows(struct fs_comparison *c, const struct share_rows *a, const struct share_rows *b)
{
	size_t i = 0, k = 0;
	int rc = 0;

	while (!rc && (i < a->n || k < b->n)) {
		const int order = i == a->n ? 1 : k == b->n ? -1 : compare_share_names(a->v[i], b->v[k]);

		rc = append_share_row(c, order <= 0 ? a->v[i] : NULL, order >= 0 ? b->v[k] : NULL);
		i += order <= 0;
		k += order >= 0;
	}
	return rc;
}

/* Compares the visible share rows of both states. Returns -1 if out of memory. */
static int compare_share_rows(struct fs_comparison *c)
{
	struct share_rows a = { 0 }, b = { 0 };
	int rc = list_visible_shares(&a, c->side[0].eval->shares) || list_visible_shares(&b, c->side[1].eval->shares)
			 ? -1
			 : merge_share_rows(c, &a, &b);

	free(a.v);
	free(b.v);
	if (!rc && c->share.n)
		qsort(c->share.v, c->share.n, sizeof(*c->share.v), compare_by_tree);
	return rc;
}

const char *fs_fate_name(enum fs_fate fate)
{
	static const char *const names[] = { FS_FATES(FSI_NAME) };

	return names[fate];
}

static int64_t get_usage_time(const struct fs_compared *s)
{
	return s->usage_time ? s->usage_time : fs_snapshot_info(s->eval->snapshot)->priority_time;
}

static double compute_decay_left(const fs_comparison *c)
{
	const struct fs_usage_options o = { .size = 0 };
	const int64_t later = get_usage_time(&c->side[FS_AFTER]) - get_usage_time(&c->side[FS_BEFORE]);
	struct fs_usage_info info;
	double left = 1;
	fs_usage *u;

	if (later <= 0 || fs_usage_begin(&u, c->side[FS_BEFORE].eval->snapshot, &o, NULL))
		return 1;
	fs_usage_info(u, &info);
	if (info.half_life_s)
		left = fs_usage_after(u, (double)later / (double)info.half_life_s);
	fs_usage_free(u);
	return left;
}

int fs_compare(fs_comparison **out, const struct fs_compared *before, const struct fs_compared *after,
	       struct fs_error *err)
{
	struct fs_comparison *c = calloc(1, sizeof(*c));

	if (!c)
		return fsi_fail_no_memory(err);
	c->side[FS_BEFORE] = *before;
	c->side[FS_AFTER] = *after;
	c->decay_left = compute_decay_left(c);
	if (init_term_table(c) || compare_pending_jobs(c) || compare_share_rows(c)) {
		fs_comparison_free(c);
		return fsi_fail_no_memory(err);
	}
	*out = c;
	return 0;
}

void fs_comparison_free(fs_comparison *c)
{
	if (!c)
		return;
	FSI_VEC_FREE(&c->job);
	free(c->order);
	FSI_VEC_FREE(&c->share);
	fsi_arena_release(&c->arena);
	free(c);
}

double fs_comparison_left(const fs_comparison *c)
{
	return c->decay_left;
}

size_t fs_comparison_jobs(const fs_comparison *c)
{
	return c->job.n;
}

const struct fs_compared_job *fs_comparison_job(const fs_comparison *c, size_t i)
{
	return i < c->job.n ? c->order[i] : NULL;
}

size_t fs_comparison_pending(const fs_comparison *c)
{
	return c->pending;
}

size_t fs_comparison_shares(const fs_comparison *c)
{
	return c->share.n;
}

const struct fs_compared_share *fs_comparison_share(const fs_comparison *c, size_t i)
{
	return i < c->share.n ? &c->share.v[i] : NULL;
}

/* ---- causes of a changed factor (classic algorithm)
 *
 * The factor is 2^(-E / S / d), where S is the shares and d the dampening factor. E is computed along the path from the
 * root (priority_multifactor.c: _calc_fs_factor, set_assoc_usage_efctv):
 *
 * E = U + (E of the parent - U) * S / (S of the parent),  U = usage / usage of the root,  E of the first level = U
 *
 * Only ratios of usage matter, so decay of all usage by the same fraction changes no factor. To exclude decay from the
 * causes, the earlier usage is first decayed to the later time.
 *
 * Four causes remain: changed shares, new usage of the user, new usage of others in the same first-level account, and
 * new usage of everyone else. The effect of a cause depends on the order in which the causes are applied. Its part of
 * the change is therefore the mean of its effect in all orders (Shapley value). FS_RANK_REST is the part of the change
 * that the formula does not explain. */

enum { MAX_CLASSIC_LEVELS = 64, PLAYERS = 4 };

struct path_level {
	double usage[2]; /* in each state: usage of the account or user at this level */
	double shares[2];
};

struct classic_path {
	/* levels of the path, from the child of the root down to the user */
	struct path_level level[MAX_CLASSIC_LEVELS];
	size_t n;
	double all[2], dampening[2];
};

static bool is_classic_side(const struct fs_compared *s)
{
	return s->eval->shares && !strcmp(fs_shares_algorithm(s->eval->shares), "classic");
}

static const struct fs_share_row *get_parent_row(const fs_shares *s, const struct fs_share_row *r)
{
	return r->parent_row == FS_NO_ROW ? NULL : fs_shares_row(s, r->parent_row);
}

static bool has_parent_shares(const struct fs_share_row *r)
{
	return r->shares_kind == FS_SHARES_PARENT;
}

/* Sets *w to the path from the root to the user. Returns -1 if the path differs between the states, or if any number on
 * the path is unknown or 0. */
static int fill_classic_path(const struct fs_comparison *c, const struct fs_compared_share *s, struct classic_path *w)
{
	const fs_shares *shares[2] = { c->side[0].eval->shares, c->side[1].eval->shares };
	const struct fs_share_row *a = s->row[0], *b = s->row[1];

	for (w->n = 0; a && b && a->parent_row != FS_NO_ROW && b->parent_row != FS_NO_ROW;
	     a = get_parent_row(shares[0], a), b = get_parent_row(shares[1], b)) {
		if (strcmp(a->account, b->account) != 0 || has_parent_shares(a) != has_parent_shares(b) ||
		    w->n == MAX_CLASSIC_LEVELS)
			return -1;
		if (has_parent_shares(a))
			continue;
		w->level[w->n++] =
			(struct path_level){ { a->raw_usage, b->raw_usage }, { a->norm_shares, b->norm_shares } };
		if (!(a->norm_shares > 0 && b->norm_shares > 0))
			return -1;
	}
	if (!a || !b || a->parent_row != b->parent_row || !w->n)
		return -1;
	w->all[0] = a->raw_usage;
	w->all[1] = b->raw_usage;
	for (size_t i = 0; i < w->n / 2; i++) {
		const struct path_level t = w->level[i];

		w->level[i] = w->level[w->n - 1 - i];
		w->level[w->n - 1 - i] = t;
	}
	return w->all[0] > 0 && w->all[1] > 0 ? 0 : -1;
}

/* Computes the factor from four inputs and returns it. Each input is taken from the earlier or the later state. Bit k
 * of `from` is 1 if input k is taken from the later state. Input 0 is the user's own usage, 1 the usage of others in
 * the first-level account, 2 the usage of everyone else, 3 the shares and the dampening factor. `left`: fraction of the
 * earlier usage that remains after decay. */
static double compute_classic_factor(const struct classic_path *w, unsigned from, double left)
{
	const struct path_level *user = &w->level[w->n - 1], *first = &w->level[0];
	const unsigned own = from & 1, siblings = from >> 1 & 1, others = from >> 2 & 1, shares = from >> 3 & 1;
	const double scale[2] = { left, 1 };
	const double own_usage = user->usage[own] * scale[own];
	const double top = own_usage + (first->usage[siblings] - user->usage[siblings]) * scale[siblings];
	const double all = top + (w->all[others] - first->usage[others]) * scale[others];
	double e = 0;

	for (size_t i = 0; i < w->n; i++) {
		const double u =
			(own_usage + (w->level[i].usage[siblings] - user->usage[siblings]) * scale[siblings]) / all;

		e = i ? u + (e - u) * w->level[i].shares[shares] / w->level[i - 1].shares[shares] : u;
	}
	return all > 0 ? exp2(-e / user->shares[shares] / w->dampening[shares]) : (double)NAN;
}

static double compute_shapley_value(const double value[1 << PLAYERS], unsigned player)
{
	/* weight[k]: weight of the effect of changing one input to its later value, if k of the other three inputs
	 * already have their later values. */
	static const double weight[PLAYERS] = { 1.0 / 4, 1.0 / 12, 1.0 / 12, 1.0 / 4 };
	double sum = 0;

	for (unsigned set = 0; set < 1 << PLAYERS; set++) {
		unsigned earlier = 0;

		if (set >> player & 1)
			continue;
		for (unsigned k = 0; k < PLAYERS; k++)
			earlier += set >> k & 1;
		sum += weight[earlier] * (value[set | 1u << player] - value[set]);
	}
	return sum;
}

/* Fills `out` with the causes of a changed factor of the classic algorithm, and returns their number. Returns 0 if a
 * state has another algorithm, or if the formula cannot be evaluated. */
static size_t find_classic_causes(const struct fs_comparison *c, const struct fs_compared_share *s,
				  struct fs_rank_cause out[MAX_CLASSIC_CAUSES])
{
	static const enum fs_rank_cause_kind kinds[] = { FS_RANK_OWN_USE, FS_RANK_SIBLINGS_USE, FS_RANK_OTHERS_USE,
							 FS_RANK_SHARES };
	const double noise = 1e-12;
	double value[1 << PLAYERS], rest = s->row[1]->fairshare - s->row[0]->fairshare;
	struct classic_path w;
	size_t n = 0;

	if (!is_classic_side(&c->side[0]) || !is_classic_side(&c->side[1]) || isnan(rest) ||
	    fill_classic_path(c, s, &w))
		return 0;
	for (int k = 0; k < 2; k++)
		w.dampening[k] =
			fmax(1, (double)fsi_config_get_int(c->side[k].eval->snapshot, "FairShareDampeningFactor", 1));
	for (unsigned set = 0; set < 1 << PLAYERS; set++)
		value[set] = compute_classic_factor(&w, set, c->decay_left);
	for (unsigned k = 0; k < PLAYERS; k++) {
		const double change = compute_shapley_value(value, k);

		if (!isfinite(change))
			return 0;
		rest -= change;
		if (fabs(change) > noise)
			out[n++] = (struct fs_rank_cause){ .kind = kinds[k], .change = change };
	}
	if (fabs(rest) > noise)
		out[n++] = (struct fs_rank_cause){ .kind = FS_RANK_REST, .change = rest };
	return n;
}

/* ---- causes of a changed rank
 *
 * If N users are ranked and b users are ahead, the factor is the rank divided by N:
 *
 * factor = (N - b) / N,  b = users in the subtrees of the siblings ahead, summed over the levels of the path
 *
 * The formula ignores ties; FS_RANK_TIES accounts for them. The number b changes if siblings move ahead or behind, or
 * if subtrees ahead gain or lose users. The effect of a change of b on the factor is computed with the mean of 1 / N in
 * both states. The effect of a change of N is computed with the mean of b in both states. The causes then add up to the
 * change of the factor. */

enum { MAX_RANK_LEVELS = 64 };

struct rank_split {
	struct fs_comparison *c;
	const fs_shares *shares[2];
	const struct compared_tree *tree;
	/* mean over both states of 1 / (number of users): the factor decreases by this amount for each further user
	 * ahead */
	double weight;
	/* change in the number of users ahead that the causes found so far explain: sum of the members `users` in
	 * `cause` */
	int64_t explained;
	FSI_VEC(struct fs_rank_cause) cause;
};

const char *fs_rank_cause_name(enum fs_rank_cause_kind kind)
{
	static const char *const names[] = { FS_RANK_CAUSES(FSI_NAME) };

	return names[kind];
}

static int count_subtree_users(struct fs_comparison *c, int side)
{
	const fs_shares *s = c->side[side].eval->shares;
	const size_t n = fs_shares_count(s);
	uint32_t *v = fsi_arena_array(&c->arena, n + 1, sizeof(*v));

	if (!v)
		return -1;
	memset(v, 0, (n + 1) * sizeof(*v));
	for (size_t i = 0; i < n; i++) {
		const struct fs_share_row *r = fs_shares_row(s, i);

		if (!*r->user || !r->rank)
			continue;
		for (size_t k = i; k != FS_NO_ROW; k = fs_shares_row(s, k)->parent_row)
			v[k]++;
	}
	c->tree[side].below = v;
	return 0;
}

static int compare_row_names(const struct fs_share_row *a, const struct fs_share_row *b)
{
	int c = strcmp(a->user, b->user);

	if (!c)
		c = strcmp(a->account, b->account);
	return c ? c : strcmp(a->partition, b->partition);
}

static int compare_name_pointers(const void *x, const void *y)
{
	const struct fs_share_row *const *a = x, *const *b = y;

	return compare_row_names(*a, *b);
}

/* Returns true if the row is an account that uses its parent's shares. Such an account is not a sibling itself; its
 * children are among the siblings instead. */
static bool is_parent_shares_account(const struct fs_share_row *r)
{
	return r->shares_kind == FS_SHARES_PARENT && !*r->user && r->parent_row != FS_NO_ROW;
}

static uint32_t find_ranking_parent(const fs_shares *s, const struct fs_share_row *r)
{
	uint32_t p = r->parent_row;

	while (p != FS_NO_ROW && is_parent_shares_account(fs_shares_row(s, p)))
		p = fs_shares_row(s, p)->parent_row;
	return p;
}

/* Returns the nearest ancestor of row i that is not an account with `parent` shares; FS_NO_ROW: row i is not ranked
 * among siblings. */
static uint32_t get_ranked_parent(const fs_shares *s, size_t i)
{
	const struct fs_share_row *r = fs_shares_row(s, i);

	return r->counted && !is_parent_shares_account(r) ? find_ranking_parent(s, r) : FS_NO_ROW;
}

static int sort_tree_siblings(struct fs_comparison *c, int side)
{
	const fs_shares *s = c->side[side].eval->shares;
	const size_t n = fs_shares_count(s);
	const struct fs_share_row **row = fsi_arena_array(&c->arena, n + 1, sizeof(*row));
	uint32_t *first = fsi_arena_array(&c->arena, n + 2, sizeof(*first));

	if (!row || !first)
		return -1;
	memset(first, 0, (n + 2) * sizeof(*first));
	for (size_t i = 0; i < n; i++)
		if (get_ranked_parent(s, i) != FS_NO_ROW)
			first[get_ranked_parent(s, i) + 2]++;
	for (size_t i = 2; i < n + 2; i++)
		first[i] += first[i - 1];
	for (size_t i = 0; i < n; i++)
		if (get_ranked_parent(s, i) != FS_NO_ROW)
			row[first[get_ranked_parent(s, i) + 1]++] = fs_shares_row(s, i);
	for (size_t i = 0; i < n; i++)
		if (first[i + 1] - first[i] > 1)
			qsort(row + first[i], first[i + 1] - first[i], sizeof(*row), compare_name_pointers);
	c->tree[side].row = row;
	c->tree[side].first = first;
	return 0;
}

static int add_rank_cause(struct rank_split *p, enum fs_rank_cause_kind kind, const struct fs_share_row *const own[2],
			  const struct fs_share_row *a, const struct fs_share_row *b, int64_t users)
{
	if (!users)
		return 0;
	if (FSI_VEC_RESERVE(&p->cause))
		return -1;
	p->cause.v[p->cause.n++] = (struct fs_rank_cause){ .kind = kind,
							   .own = { own[0], own[1] },
							   .other = { a, b },
							   .users = users,
							   .change = -(double)users * p->weight };
	p->explained += users;
	return 0;
}

static bool is_sibling_ahead(const struct fs_share_row *sibling, const struct fs_share_row *own)
{
	return sibling && sibling->level_fs > own->level_fs;
}

/* Counts, in each state, the users in the subtree of one sibling; in a state in which the sibling is not ahead, the
 * count is 0. Adds a cause if the two counts differ. `own`: in each state, the row that is compared with the sibling.
 * `a`, `b`: row of the sibling in the earlier and in the later state; NULL: the state has no such row. Returns -1 if
 * out of memory. */
static int compare_one_sibling(struct rank_split *p, const struct fs_share_row *const own[2],
			       const struct fs_share_row *a, const struct fs_share_row *b)
{
	const bool was = is_sibling_ahead(a, own[0]), is = is_sibling_ahead(b, own[1]);
	const int64_t before = was ? p->tree[0].below[a->row] : 0, after = is ? p->tree[1].below[b->row] : 0;

	if (!a || !b || was == is)
		return add_rank_cause(p, FS_RANK_MEMBERS, own, a, b, after - before);
	return add_rank_cause(p, is ? FS_RANK_PASSED : FS_RANK_PASSES, own, a, b, after - before);
}

static int compare_level_siblings(struct rank_split *p, const struct fs_share_row *const own[2])
{
	const uint32_t a = find_ranking_parent(p->shares[0], own[0]), b = find_ranking_parent(p->shares[1], own[1]);
	const struct fs_share_row **v = p->tree[0].row, **w = p->tree[1].row;
	size_t i = p->tree[0].first[a], k = p->tree[1].first[b];
	const size_t n = p->tree[0].first[a + 1], m = p->tree[1].first[b + 1];
	int rc = 0;

	while (!rc && (i < n || k < m)) {
		const int order = i == n ? 1 : k == m ? -1 : compare_row_names(v[i], w[k]);
		const struct fs_share_row *x = order <= 0 ? v[i] : NULL, *y = order >= 0 ? w[k] : NULL;

		if (x != own[0] || y != own[1])
			rc = compare_one_sibling(p, own, x, y);
		i += order <= 0;
		k += order >= 0;
	}
	return rc;
}

/* Sets `path` to the share rows of both states, from the compared user or account up to the child of the root. Returns
 * the number of rows. Returns 0 if the row has different ancestors in the two states. */
static size_t fill_both_paths(const struct rank_split *p, const struct fs_compared_share *of,
			      const struct fs_share_row *path[][2])
{
	const struct fs_share_row *a = of->row[0], *b = of->row[1];
	size_t n = 0;

	while (a->parent_row != FS_NO_ROW && b->parent_row != FS_NO_ROW && n < MAX_RANK_LEVELS) {
		if (compare_row_names(a, b))
			return 0;
		path[n][0] = a;
		path[n++][1] = b;
		a = fs_shares_row(p->shares[0], find_ranking_parent(p->shares[0], a));
		b = fs_shares_row(p->shares[1], find_ranking_parent(p->shares[1], b));
	}
	return a->parent_row == FS_NO_ROW && b->parent_row == FS_NO_ROW ? n : 0;
}

/* Returns true if the factor equals the rank divided by the number of users, apart from rounding errors. */
static bool is_factor_by_rank(const fs_shares *s, const struct fs_share_row *r)
{
	const double users = fs_shares_users(s), noise = 1e-6;

	return users > 0 && r->rank && fs_shares_has_levels(s) && fabs(r->fairshare - r->rank / users) < noise;
}

static int compare_cause_size(const void *x, const void *y)
{
	const struct fs_rank_cause *a = x, *b = y;
	const double d = fabs(b->change) - fabs(a->change);

	if (d != 0)
		return d > 0 ? 1 : -1;
	return (a->kind > b->kind) - (a->kind < b->kind);
}

static int split_rank_change(struct rank_split *p, const struct fs_compared_share *s)
{
	static const struct fs_share_row *const no_rows[2] = { NULL, NULL };
	const struct fs_share_row *path[MAX_RANK_LEVELS][2];
	const double n0 = fs_shares_users(p->shares[0]), n1 = fs_shares_users(p->shares[1]);
	const double b0 = n0 - s->row[0]->rank, b1 = n1 - s->row[1]->rank;
	const size_t levels = fill_both_paths(p, s, path);
	int rc = 0;

	p->weight = (1 / n0 + 1 / n1) / 2;
	for (size_t k = levels; k-- && !rc;)
		rc = compare_level_siblings(p, path[k]);
	if (!rc)
		rc = add_rank_cause(p, levels ? FS_RANK_TIES : FS_RANK_TREE, no_rows, NULL, NULL,
				    (int64_t)(b1 - b0) - p->explained);
	if (!rc && n0 != n1) {
		rc = add_rank_cause(p, FS_RANK_POPULATION, no_rows, NULL, NULL, (int64_t)(n1 - n0));
		if (!rc)
			p->cause.v[p->cause.n - 1].change = -(b0 + b1) / 2 * (1 / n1 - 1 / n0);
	}
	if (p->cause.n)
		qsort(p->cause.v, p->cause.n, sizeof(*p->cause.v), compare_cause_size);
	return rc;
}

int fs_comparison_rank_causes(fs_comparison *c, size_t i, const struct fs_rank_cause **out, size_t *n)
{
	const struct fs_compared_share *s = fs_comparison_share(c, i);
	struct rank_split p = { .c = c };
	struct fs_rank_cause *copy;
	int rc;

	*out = NULL;
	*n = 0;
	if (!s || !s->row[0] || !s->row[1] || !*s->row[0]->user)
		return 0;
	copy = fsi_arena_array(&c->arena, MAX_CLASSIC_CAUSES, sizeof(*copy));
	if (!copy)
		return -1;
	*n = find_classic_causes(c, s, copy);
	*out = copy;
	if (*n) {
		qsort(copy, *n, sizeof(*copy), compare_cause_size);
		return 0;
	}
	for (int k = 0; k < 2; k++) {
		p.shares[k] = c->side[k].eval->shares;
		if (!is_factor_by_rank(p.shares[k], s->row[k]))
			return 0;
		if (!c->tree[k].first && (count_subtree_users(c, k) || sort_tree_siblings(c, k)))
			return -1;
	}
	p.tree = c->tree;
	rc = split_rank_change(&p, s);
	copy = rc ? NULL : fsi_arena_array(&c->arena, p.cause.n + 1, sizeof(*copy));
	if (copy && p.cause.n)
		memcpy(copy, p.cause.v, p.cause.n * sizeof(*copy));
	*out = copy;
	*n = copy ? p.cause.n : 0;
	FSI_VEC_FREE(&p.cause);
	return copy ? 0 : -1;
}
