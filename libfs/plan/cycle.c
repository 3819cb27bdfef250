#include "base/num.h"
#include "base/text.h"
#include "base/vec.h"
#include "model/find.h"
#include "plan/bits.h"
#include "plan/node.h"
#include "plan/oversubscribe.h"
#include "plan/plan.h"
#include "plan/run.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* The components of a het job start together: a cycle tries each by itself, but not before the start that it found for
 * those tried already, keeps nodes for each from its own start on, and starts them when the last of them may
 * (src/plugins/sched/backfill/backfill.c: _het_job_start_set, _het_job_start_find, _het_job_start_test). The start
 * noted is the earliest that any try of the cycle found, even where it turned out to hit what is planned. One that has
 * none stands a year ahead, behind every window, and those after it are not tried. */

static const int64_t year_s = 365 * INT64_C(86400);

struct component {
	uint64_t het;
	uint32_t row;
};

static int by_het_job(const void *x, const void *y)
{
	const struct component *a = x, *b = y;

	if (a->het != b->het)
		return a->het < b->het ? -1 : 1;
	return (a->row > b->row) - (a->row < b->row);
}

static bool is_component(const fs_snapshot *m, const struct fsi_job *j)
{
	return fsi_job_rare(m, j)->het_job_id && j->state == FSI_STATE_PENDING;
}

/* Counts the partitions that components ask for. */
static size_t count_places(const fs_snapshot *m)
{
	size_t sum = 0, n;

	for (size_t i = 0; i < m->job.n; i++)
		if (is_component(m, &m->job.v[i])) {
			fsi_list(m, m->job.v[i].partitions, &n);
			sum += n ? n : 1;
		}
	return sum;
}

int fsi_plan_het_room(struct fsi_backfill *bf)
{
	struct fsi_plan_het *h = &bf->het;
	const size_t room = h->n ? count_places(bf->cluster.m) : 0;
	struct fsi_plan_het_in *in;

	if (room <= h->room)
		return 0;
	in = fsi_arena_array(&bf->cluster.arena, room, sizeof(*in));
	if (!in)
		return -1;
	if (h->nin)
		memcpy(in, h->in, h->nin * sizeof(*in));
	h->in = in;
	h->room = room;
	return 0;
}

int fsi_plan_het_init(struct fsi_backfill *bf)
{
	const fs_snapshot *m = bf->cluster.m;
	struct component *v;
	size_t n = 0;

	for (size_t i = 0; i < m->job.n; i++)
		n += is_component(m, &m->job.v[i]);
	if (!n)
		return 0;
	v = malloc(n * sizeof(*v));
	bf->het.row = fsi_arena_array(&bf->cluster.arena, n, sizeof(*bf->het.row));
	bf->het.start = fsi_arena_array(&bf->cluster.arena, m->job.n, sizeof(*bf->het.start));
	if (v && bf->het.row && bf->het.start) {
		for (uint32_t i = 0; i < m->job.n; i++)
			if (is_component(m, &m->job.v[i]))
				v[bf->het.n++] = (struct component){ fsi_job_rare(m, &m->job.v[i])->het_job_id, i };
		qsort(v, n, sizeof(*v), by_het_job);
		for (size_t i = 0; i < n; i++)
			bf->het.row[i] = v[i].row;
	}
	free(v);
	return bf->het.n ? fsi_plan_het_room(bf) : -1;
}

static uint64_t het_at(const struct fsi_backfill *bf, size_t i)
{
	return fsi_plan_het_job(bf->cluster.m, bf->het.row[i]);
}

/* The first component of that het job, or of those behind it. */
static size_t first_of(const struct fsi_backfill *bf, uint64_t het)
{
	size_t lo = 0;

	for (size_t n = bf->het.n; lo < n;) {
		const size_t mid = lo + (n - lo) / 2;

		if (het_at(bf, mid) < het)
			lo = mid + 1;
		else
			n = mid;
	}
	return lo;
}

int64_t fsi_plan_het_from(const struct fsi_backfill *bf, uint32_t job)
{
	const uint64_t het = fsi_plan_het_job(bf->cluster.m, job);
	int64_t from = bf->cluster.now;

	for (size_t i = het ? first_of(bf, het) : bf->het.n; i < bf->het.n && het_at(bf, i) == het; i++)
		if (bf->het.row[i] != job && bf->het.start[bf->het.row[i]] > from)
			from = bf->het.start[bf->het.row[i]];
	return from;
}

bool fsi_plan_het_may(struct fsi_backfill *bf, uint32_t job)
{
	if (!is_component(bf->cluster.m, &bf->cluster.m->job.v[job]))
		return true;
	if (!bf->het.start[job])
		bf->het.start[job] = bf->cluster.now + year_s;
	return bf->plan->mode == FS_PLAN_BACKFILL
		       ? fsi_plan_het_from(bf, job) <= bf->cluster.now + bf->params.window_s
		       : fsi_plan_het_from(bf, job) < bf->cluster.now + year_s;
}

void fsi_plan_het_found(struct fsi_backfill *bf, uint32_t job, int64_t start)
{
	if (is_component(bf->cluster.m, &bf->cluster.m->job.v[job]) && (!bf->het.start[job] || start < bf->het.start[job]))
		bf->het.start[job] = start;
}

/* ---- het jobs that would wait for each other (_het_job_deadlock_test): one that starts before another in this
 * partition and behind it in another one */

static struct fsi_plan_het_in *find_in(struct fsi_plan_het *h, uint64_t het, uint32_t partition)
{
	for (size_t i = 0; i < h->nin; i++)
		if (h->in[i].het == het && h->in[i].partition == partition)
			return &h->in[i];
	return NULL;
}

bool fsi_plan_het_would_block(struct fsi_backfill *bf, const struct fsi_plan_request *q)
{
	struct fsi_plan_het *h = &bf->het;
	const struct fsi_job *j = &bf->cluster.m->job.v[q->job];
	struct fsi_plan_het_in *here;

	if (!is_component(bf->cluster.m, j))
		return false;
	here = find_in(h, fsi_plan_het_job(bf->cluster.m, q->job), q->partition);
	if (!here) {
		here = &h->in[h->nin++];
		*here = (struct fsi_plan_het_in){ fsi_plan_het_job(bf->cluster.m, q->job), bf->select.found.start, q->partition };
	}
	if (here->start < bf->select.found.start)
		here->start = bf->select.found.start;
	for (size_t i = 0; i < h->nin; i++) {
		const struct fsi_plan_het_in *after = &h->in[i], *other;

		if (after->partition != q->partition || after->start <= here->start)
			continue;
		for (size_t k = 0; k < h->nin; k++) {
			if (h->in[k].het != here->het || h->in[k].partition == q->partition)
				continue;
			other = find_in(h, after->het, h->in[k].partition);
			if (other && other->start < here->start)
				return true;
		}
	}
	return false;
}

/* ---- when all have been tried */

static struct fsi_plan_row *row_at(struct fsi_backfill *bf, size_t i)
{
	const uint32_t row = bf->plan->row_of[bf->het.row[i]];

	return row ? &bf->plan->row[row - 1] : NULL;
}

static bool has_start(const struct fsi_plan_row *r)
{
	return r->start != FS_UNKNOWN;
}

/* Does a keep the others back more than b? Of two without a start, the one that lacks it for good, then the one that
 * was tried first; of two with a start, the one with the later. */
/* A row without a start comes before one that is blocked, whether the cycle came to it or not. */
static enum fs_plan_state state_of(const struct fsi_plan_row *r)
{
	return r->state == FS_PLAN_NO_START ? FS_PLAN_NOT_REACHED : r->state;
}

static bool holds_more(const struct fsi_plan_row *a, const struct fsi_plan_row *b)
{
	if (has_start(a) != has_start(b))
		return has_start(b);
	if (has_start(a))
		return a->start > b->start;
	return a->state != b->state ? state_of(a) > state_of(b) : a < b;
}

/* Only backfill shows a start. */
static void wait_for(const struct fs_plan *p, struct fsi_plan_row *r, const struct fsi_plan_row *last)
{
	if (has_start(r) && p->mode == FS_PLAN_BACKFILL)
		r->shown = r->start;
	r->wait = FS_PLAN_WAIT_COMPONENT;
	r->blocked_by = last->job;
	r->frees = FSI_NO_INDEX;
	r->start = r->last_start = last->start;
	if (has_start(last)) {
		r->state = last->state;
		return;
	}
	r->state = last->state == FS_PLAN_NO_START ? FS_PLAN_NO_START : FS_PLAN_BLOCKED;
	r->cycle.reached = last->cycle.reached;
	r->cycle.searched = last->cycle.searched;
	r->cycle.limit = last->cycle.limit;
	r->limit_s = FS_UNKNOWN;
	r->array.planned = 0;
	r->nnodes = 0;
}

static void start_together(struct fsi_backfill *bf, size_t first, size_t end)
{
	const struct fsi_plan_row *last = NULL;

	for (size_t i = first; i < end; i++) {
		const struct fsi_plan_row *r = row_at(bf, i);

		if (r && (!last || holds_more(r, last)))
			last = r;
	}
	for (size_t i = first; i < end; i++) {
		struct fsi_plan_row *r = row_at(bf, i);

		if (r && r != last &&
		    (has_start(last) ? r->start != last->start
				     : has_start(r) || r->state == FS_PLAN_NO_START))
			wait_for(bf->plan, r, last);
	}
}

void fsi_plan_het_start(struct fsi_backfill *bf)
{
	for (size_t i = 0, end; i < bf->het.n; i = end) {
		for (end = i + 1; end < bf->het.n && het_at(bf, end) == het_at(bf, i);)
			end++;
		start_together(bf, i, end);
	}
}

/* When and on which nodes the select plugin would start a job (select/cons_common/job_test.c: _will_run_test; from
 * 24.11 select/cons_tres/job_test.c: _will_run_test, _future_run_test).
 *
 * Now, if the nodes suffice as they are; also once all that it may preempt is gone. Else running jobs are taken off in
 * the order of their ends. Only those on one of the nodes count, and a job that ends in the same window is taken off
 * before the next try; whether it is is asked of the next job of all, so a job elsewhere that ends inside the window
 * makes the one behind it go too. What it may preempt is no such job. The window begins at the end of the first, on the
 * next multiple of 30 s, and doubles with each try, past the next job's end. More than 200 jobs in one window cost a
 * try. The start is the end of the job taken off last; from 25.05.1 on of those on the nodes that were found
 * (_get_last_relevant_job).
 *
 * The copy of the nodes' state on which jobs are taken off does not tell which jobs share CPUs, from 23.11.7 on: they
 * keep nobody from a node there (node_data_dup_use leaves the list out that _is_node_busy looks at; so seen with a
 * 24.11.5). From 24.11 such a start may be told for now, and fails.
 *
 * From 23.11 on there must be licences, too, beside those of jobs that are not taken off: before 24.11.2 such as run on
 * other nodes keep them for ever (license_job_test_with_list).
 *
 * From 24.11 jobs that end before the start tried are off from the beginning, and it gives up at the next start that
 * would be tried. With select/linear in all versions each job that is taken off is followed by a try, and both do not
 * count (src/plugins/select/linear/select_linear.c: _will_run_test). */

enum { FIRST_WINDOW_S = 30, MAX_JOBS = 200 };

struct willing {
	struct fsi_select *sel;
	const struct fsi_plan_request *q;
	const struct fsi_plan_will *w;
	struct fsi_plan_choice *s;
	size_t next;    /* the next running job */
	size_t first;   /* the first one that is taken off one after the other */
	int64_t anchor; /* the window is counted from there; 0: not known yet */
	int64_t window_s;
	struct fsi_plan_moment off;
	int64_t last; /* a start behind it is not wanted */
	bool licenses; /* does it want some that running jobs may have? */
};

/* The first job to end after that. */
static size_t first_after(const struct fsi_plan_cluster *c, struct fsi_plan_moment m)
{
	size_t lo = 0, hi = c->end.n;

	while (lo < hi) {
		const size_t mid = lo + (hi - lo) / 2;

		if (fsi_plan_before(m, (struct fsi_plan_moment){ c->end.v[mid].when, c->end.v[mid].id }))
			hi = mid;
		else
			lo = mid + 1;
	}
	return lo;
}

/* What node i gives at that moment. */
static struct fsi_plan_room room_at(const struct willing *v, const struct fsi_fits *fits, uint32_t i,
				    struct fsi_plan_moment when)
{
	const struct fsi_plan_cluster *c = v->sel->cluster;

	return fits && fits->room && !v->q->open
		       ? (struct fsi_plan_room){ .cpus = fsi_fits_room(fits, c, v->q, i, when) }
		       : fsi_plan_room_at(c, i, v->q, when);
}

/* Is the running job one of those that are taken off? */
static bool counts(const struct willing *v, const struct fsi_plan_end *e)
{
	const fs_snapshot *m = v->sel->cluster->m;

	return fsi_plan_ends_on(e, v->w->nodes) ||
	       (v->licenses && fs_slurm_has(v->sel->cluster->compat, FS_SLURM_LICENSES_ANYWHERE) &&
		fsi_licenses_meet(&v->sel->licenses, m, &m->job.v[e->job]));
}

/* What may be preempted went before (_build_cr_job_list). */
static bool is_preempted(const struct willing *v, size_t i)
{
	return v->q->preempt.jobs && v->q->preempt.jobs[v->sel->cluster->end.v[i].job];
}

/* Are there licences when the jobs that count and end by then are off? */
static bool licenses_at(const struct willing *v, struct fsi_plan_moment when)
{
	const struct fsi_plan_cluster *c = v->sel->cluster;
	int64_t until;

	if (!v->licenses || fsi_plan_licenses_open(v->sel, v->q, c->now, c->now + v->q->limit_s, &until))
		return true;
	for (size_t i = 0; i < c->end.n; i++) {
		const struct fsi_plan_end *e = &c->end.v[i];
		const bool off = !fsi_plan_before(when, (struct fsi_plan_moment){ e->when, e->id });

		if ((off || is_preempted(v, i)) && counts(v, e))
			fsi_licenses_free(&v->sel->licenses, c->m, &c->m->job.v[e->job]);
	}
	return fsi_licenses_left(&v->sel->licenses);
}

/* The plugin looks at the nodes first as if nobody had CPUs of theirs (_job_test, test 0). */
static void mark_all(const struct willing *v, const uint64_t *nodes, struct fsi_plan_moment when)
{
	const struct fsi_plan_cluster *c = v->sel->cluster;

	FSI_BITS_EACH(i, nodes, c->words)
		fsi_plan_weigh_unused(v->s, c, v->q, i, when);
}

static bool choose_at(struct willing *v, struct fsi_plan_moment when, bool busy_first)
{
	const struct fsi_plan_cluster *c = v->sel->cluster;
	uint64_t *const *may = v->sel->may;
	const uint64_t *nodes = v->w->nodes;
	const struct fsi_fits *fits;

	if (!licenses_at(v, when))
		return false;
	v->s->busy_first = busy_first;
	if (fsi_plan_by_steps(v->sel, v->q))
		return fsi_plan_choose_by_steps(v->sel, v->q, nodes, when, v->s);
	v->s->n = 0;
	if (fsi_plan_marks(v->sel, v->q))
		mark_all(v, nodes, when);
	fits = fsi_plan_marks(v->sel, v->q) ? NULL : fsi_fits_of(&v->sel->fits, c, v->q);
	if (fits) {
		memcpy(may[0], nodes, c->words * sizeof(*nodes));
		nodes = may[0];
		if (!fsi_fits_suffice(fits, c, v->q, when, may[0], may[1]))
			return false;
	}
	FSI_BITS_EACH(i, nodes, c->words)
	{
		const struct fsi_plan_room room = room_at(v, fits, i, when);

		if (room.cpus <= 0 && v->q->set.required && fsi_bit(v->q->set.required, i))
			return false;
		if (room.cpus <= 0)
			continue;
		v->s->cpus[i] = room.cpus;
		v->s->gpus[i] = room.gpus;
		v->s->candidate[v->s->n++] = i;
	}
	return fsi_plan_choose(v->s, c, v->q);
}

static void skip_preempted(struct willing *v)
{
	while (v->next < v->sel->cluster->end.n && is_preempted(v, v->next))
		v->next++;
}

/* The window begins at the end that the job was told, also if that is past. */
static int64_t begin_window(const struct willing *v, const struct fsi_plan_end *e)
{
	const struct fsi_job *j = &v->sel->cluster->m->job.v[e->job];
	const bool past = e->when == v->sel->cluster->now + 1 && FSI_HAS(j, JOB, end_time) && j->end_time < e->when;
	const int64_t end = past ? j->end_time : e->when;

	return end + v->window_s - end % v->window_s;
}

/* Takes jobs off until the window is over; false when there was none. *try_it: is it tried then? */
static bool take_off(struct willing *v, bool *try_it)
{
	const struct fsi_plan_cluster *c = v->sel->cluster;
	uint32_t count = 0;
	bool any = false;

	*try_it = true;
	skip_preempted(v);
	while (v->next < c->end.n) {
		const struct fsi_plan_end *e = &c->end.v[v->next];

		if (v->sel->params->looks_on && !c->requests.linear && v->w->until && e->when > v->w->until) {
			v->next = c->end.n;
			break;
		}
		v->next++;
		skip_preempted(v);
		if (!counts(v, e))
			continue;
		if (!v->anchor)
			v->anchor = begin_window(v, e);
		v->off = (struct fsi_plan_moment){ e->when, e->id };
		any = true;
		if (e->when > v->last || c->requests.linear || v->next == c->end.n ||
		    c->end.v[v->next].when > v->anchor + v->window_s)
			break;
		if (count++ > MAX_JOBS) {
			*try_it = false;
			break;
		}
	}
	return any;
}

static void widen(struct willing *v)
{
	const struct fsi_plan_cluster *c = v->sel->cluster;
	const int64_t more = v->sel->params->window_grows_s;

	do
		v->window_s += more ? more : v->window_s;
	while (v->next < c->end.n && c->end.v[v->next].when > v->anchor + v->window_s);
}

/* Jobs that end before the start tried, or by then, are taken off. */
static void skip_ended(struct willing *v, int64_t from)
{
	const struct fsi_plan_moment by = { v->sel->params->ended_by_start ? from : from - 1, UINT64_MAX };

	v->next = first_after(v->sel->cluster, by);
	if (by.when > v->off.when)
		v->off = by;
}

static bool on_nodes_found(const struct fsi_plan_end *e, const struct fsi_plan_choice *s)
{
	for (uint32_t k = 0; k < e->n; k++)
		if (bsearch(&e->node[k], s->node, s->nnodes, sizeof(*s->node), fsi_rising_u32))
			return true;
	return false;
}

static int64_t start_found(const struct willing *v)
{
	const struct fsi_plan_cluster *c = v->sel->cluster;

	for (size_t i = first_after(c, v->off); v->sel->params->last_on_nodes && !c->requests.linear && i-- > v->first;)
		if (!is_preempted(v, i) && on_nodes_found(&c->end.v[i], v->s))
			return c->end.v[i].when;
	return v->off.when;
}

static bool will_run_later(struct willing *v, struct fsi_plan_found *found)
{
	bool try_it;

	v->first = v->next;
	while (take_off(v, &try_it) && v->off.when <= v->last) {
		if (try_it) {
			widen(v);
			if (choose_at(v, v->off, v->sel->params->busy_nodes)) {
				found->start = start_found(v);
				return true;
			}
		}
		if (v->next == v->sel->cluster->end.n)
			return false;
	}
	return false;
}

/* When the select plugin would start the request on `nodes`. */
static bool plan_will_run_nodes(struct fsi_select *sel, const struct fsi_plan_request *q,
				const struct fsi_plan_will *w, struct fsi_plan_found *found)
{
	struct fsi_plan_request now = *q;
	struct willing v = { .sel = sel,
			     .q = &now,
			     .w = w,
			     .s = &found->choice,
			     .window_s = FIRST_WINDOW_S,
			     .off = { sel->cluster->now, UINT64_MAX },
			     .last = w->stops && w->until ? w->until : INT64_MAX,
			     .licenses = sel->params->licenses && sel->licenses.n && fs_slurm_has(sel->cluster->compat, FS_SLURM_COUNTS_LICENSES) &&
					 fsi_plan_wants(sel, q).amount };
	const bool later = sel->params->looks_on && w->from > sel->cluster->now && !sel->cluster->requests.linear;

	now.preempt.jobs = NULL;
	now.sharing.ignores_shared_cpus = false;
	found->pretends = false;
	found->start = sel->cluster->now;
	if (!later && choose_at(&v, v.off, false))
		return true;
	v.q = q;
	if (w->now_only && !q->preempt.jobs)
		return false;
	if (later)
		skip_ended(&v, w->from);
	if ((later || q->preempt.jobs || (q->sharing.ignores_shared_cpus && sel->params->looks_on)) && choose_at(&v, v.off, false)) {
		found->pretends = !later && q->sharing.ignores_shared_cpus && !q->preempt.jobs;
		return true;
	}
	return !w->now_only && !w->once && will_run_later(&v, found);
}

/* Jobs whose features are tried part by part (src/plugins/sched/backfill/backfill.c: _try_sched). Of one kind: the part
 * that can start first, of equals the one named first. Of each kind: the parts one after the other, each on nodes that
 * those before it did not take, then what is missing to the nodes wanted on any others; it starts with the last of the
 * parts. That a part fails is forgotten where nodes are missing and the others suffice.
 *
 * Other jobs are tried twice: first as if their nodes were shared with nobody, when it does not count how many tasks
 * they have on a node (select/cons_tres/job_test.c: _allocate_sc, of share_res); what is found so for now, or with all
 * gone who end before the start tried, is taken. */

static bool run_part(struct fsi_select *sel, const struct fsi_plan_request *q, const struct fsi_plan_will *w,
		     const uint64_t *nodes, struct fsi_plan_found *found)
{
	struct fsi_plan_will part = *w;

	if (fsi_bits_count(nodes, sel->cluster->words) < q->nodes.min)
		return false;
	part.nodes = nodes;
	return plan_will_run_nodes(sel, q, &part, found);
}

static bool run_kind(struct fsi_select *sel, const struct fsi_plan_request *q,
		     const struct fsi_plan_will *w, uint32_t k, struct fsi_plan_found *found)
{
	uint64_t *nodes = sel->kinds.nodes;

	memcpy(nodes, w->nodes, sel->cluster->words * sizeof(*nodes));
	fsi_bits_and(nodes, q->features.set[k].nodes, sel->cluster->words);
	return run_part(sel, q, w, nodes, found);
}

static bool one_kind(struct fsi_select *sel, const struct fsi_plan_request *q,
		     const struct fsi_plan_will *w, struct fsi_plan_found *found)
{
	uint32_t best = FSI_NO_INDEX;
	int64_t start = 0;

	for (uint32_t k = 0; k < q->features.n; k++)
		if (run_kind(sel, q, w, k, found) && (best == FSI_NO_INDEX || found->start < start)) {
			best = k;
			start = found->start;
		}
	return best != FSI_NO_INDEX && (best + 1 == q->features.n || run_kind(sel, q, w, best, found));
}

/* ---- of each kind */

struct taken {
	uint64_t *set;
	int64_t *units; /* by node */
	int64_t start;
	uint32_t n;
};

static void add_taken(struct taken *t, const struct fsi_plan_choice *s)
{
	for (uint32_t k = 0; k < s->nnodes; k++) {
		t->n += !fsi_bit(t->set, s->node[k]);
		fsi_bit_set(t->set, s->node[k]);
		t->units[s->node[k]] = s->units[k];
	}
}

static void keep_taken(const struct fsi_plan_cluster *c, const struct taken *t, struct fsi_plan_found *found)
{
	struct fsi_plan_choice *s = &found->choice;

	found->start = t->start;
	s->nnodes = 0;
	FSI_BITS_EACH(i, t->set, c->words)
	{
		s->node[s->nnodes] = i;
		s->units[s->nnodes++] = t->units[i];
	}
}

static uint32_t less(uint32_t n, uint32_t by)
{
	return n > by ? n - by : 0;
}

/* Takes what is missing to the nodes wanted. */
static bool rest(struct fsi_select *sel, const struct fsi_plan_request *q, const struct fsi_plan_will *w,
		 const uint64_t *nodes, struct taken *t, struct fsi_plan_found *found)
{
	struct fsi_plan_request missing = *q;

	missing.nodes.min = less(q->nodes.min, t->n);
	missing.nodes.want = less(q->nodes.want, t->n);
	missing.nodes.max = less(q->nodes.max, t->n);
	if (!run_part(sel, &missing, w, nodes, found))
		return false;
	add_taken(t, &found->choice);
	return true;
}

static bool each_kind(struct fsi_select *sel, const struct fsi_plan_request *q,
		      const struct fsi_plan_will *w, struct fsi_plan_found *found)
{
	struct taken t = { .set = sel->kinds.taken, .units = sel->kinds.units };
	struct fsi_plan_will left = *w;
	uint64_t *others = sel->kinds.others;
	bool ok = true;

	memset(t.set, 0, sel->cluster->words * sizeof(*t.set));
	memcpy(others, w->nodes, sel->cluster->words * sizeof(*others));
	left.nodes = others;
	for (uint32_t k = 0; ok && k < q->features.n; k++) {
		struct fsi_plan_request part = *q;

		part.nodes.min = part.nodes.want = q->features.set[k].count ? q->features.set[k].count : 1;
		ok = run_kind(sel, &part, &left, k, found);
		if (!ok)
			break;
		t.start = found->start > t.start ? found->start : t.start;
		add_taken(&t, &found->choice);
		fsi_bits_and_not(others, t.set, sel->cluster->words);
	}
	if (t.n < (q->nodes.want > q->nodes.min ? q->nodes.want : q->nodes.min))
		ok = rest(sel, q, w, others, &t, found);
	if (!ok || !t.start)
		return false;
	keep_taken(sel->cluster, &t, found);
	return true;
}

/* ---- of any */

/* Gives those of the nodes found the CPUs of its tasks, if that can be: it starts with no others. */
static bool fit_tasks(struct fsi_select *sel, const struct fsi_plan_request *q, const struct fsi_plan_will *w,
		      struct fsi_plan_found *found)
{
	struct fsi_plan_will part = *w;
	uint64_t *nodes = sel->kinds.nodes;

	memset(nodes, 0, sel->cluster->words * sizeof(*nodes));
	for (uint32_t k = 0; k < found->choice.nnodes; k++)
		fsi_bit_set(nodes, found->choice.node[k]);
	part.nodes = nodes;
	part.once = true;
	return plan_will_run_nodes(sel, q, &part, found);
}

static bool without_tasks(struct fsi_select *sel, const struct fsi_plan_request *q, const struct fsi_plan_will *w,
			  struct fsi_plan_found *found)
{
	struct fsi_plan_request alone = *q;
	struct fsi_plan_will part = *w;

	alone.cpu.max_for_tasks = 0;
	part.once = true;
	return plan_will_run_nodes(sel, &alone, &part, found) && fit_tasks(sel, q, w, found);
}

bool fsi_plan_will_run(struct fsi_select *sel, const struct fsi_plan_request *q,
		       const struct fsi_plan_will *w, struct fsi_plan_found *found)
{
	if (!q->features.n)
		return (q->cpu.max_for_tasks && without_tasks(sel, q, w, found)) || plan_will_run_nodes(sel, q, w, found);
	return q->features.each ? each_kind(sel, q, w, found) : one_kind(sel, q, w, found);
}

int fsi_plan_kinds_init(struct fsi_select *sel)
{
	struct fsi_plan_kinds *k = &sel->kinds;

	k->nodes = fsi_arena_array(&sel->cluster->arena, sel->cluster->words, sizeof(*k->nodes));
	k->taken = fsi_arena_array(&sel->cluster->arena, sel->cluster->words, sizeof(*k->taken));
	k->others = fsi_arena_array(&sel->cluster->arena, sel->cluster->words, sizeof(*k->others));
	k->units = fsi_arena_array(&sel->cluster->arena, (size_t)sel->cluster->nnodes + 1, sizeof(*k->units));
	return k->nodes && k->taken && k->others && k->units ? 0 : -1;
}

/* How a cycle of the backfill scheduler finds a job's start (src/plugins/sched/backfill/backfill.c: _attempt_backfill,
 * from TRY_LATER on).
 *
 * Nodes that can be had at all: of the partition, up, not excluded, with the features, left by reservations, and free
 * on the map all the time. Too few, and it is tried at the next time that brings some; else the select plugin says when
 * and where. A start behind the next time is not taken before that has been tried; one that hits what is planned is
 * tried where it was found. From 24.11 hits are tested first (b65719d1c2), and a start tried behind the window ends it
 * (from 23.11.2: c5fed32cbf). */

struct trying {
	struct fsi_backfill *bf;
	const struct fsi_plan_request *q;
	struct fsi_plan_request open; /* the same, with what reservations of cores leave it at the start tried */
	int64_t start, later; /* when it is tried; when it is to be tried next, 0: never */
	int64_t for_s;	      /* how long reservations must leave it: the controller's time_limit, set back after a vain
			       * try, from 24.11 on (f3b128a3f2) also where too few nodes were left */
	uint64_t *nodes;
	struct fsi_map_want lic; /* licences wanted on the map */
	bool short_of_lic;
	bool of_many; /* it is one of many like it: of a try only its start and where that is matters */
	int64_t vain_until; /* tries whose next one is not behind this moment are in vain */
	uint32_t reach;	    /* how many slots of the map are looked at together for that */
	bool rests;	    /* the next try is looked at by itself */
	struct fsi_plan_alike *alike; /* NULL: not kept */
	const uint64_t *mine;	      /* then the nodes that can be had whenever it starts; NULL: reservations decide */
	struct fsi_plan_tries tries;  /* of this search */
	size_t known;		      /* place in those of the one before */
	const struct fsi_plan_tried *before; /* what is known of this start, NULL: nothing */
	bool vain;			     /* it need not be made */
};

enum { FIRST_REACH = 2, MAX_REACH = 256 };

static int64_t window_end(const struct fsi_select *sel)
{
	const int64_t end = sel->cluster->now + sel->params->window_s;

	return end - end % sel->params->resolution_s;
}

int64_t fsi_plan_slot(const struct fsi_select *sel, int64_t start, int64_t limit_s, int64_t *end)
{
	const int64_t step = sel->params->resolution_s;
	const int64_t e = start + limit_s + (sel->params->looks_on ? step - 1 : 0);

	*end = e - e % step;
	return start - start % step;
}

void fsi_plan_found_set(const struct fsi_plan_cluster *c, const struct fsi_plan_found *f, uint64_t *set)
{
	memset(set, 0, c->words * sizeof(*set));
	for (uint32_t k = 0; k < f->choice.nnodes; k++)
		fsi_bit_set(set, f->choice.node[k]);
}

void fsi_plan_open_nodes(const struct fsi_plan_cluster *c, const struct fsi_plan_request *q, uint64_t *set)
{
	memcpy(set, c->part[q->partition].has, c->words * sizeof(*set));
	fsi_bits_and(set, c->up, c->words);
	if (q->set.allowed)
		fsi_bits_and(set, q->set.allowed, c->words);
}

/* Are too few of the nodes in `set`, which is changed, free for all of that time and have room by the moment? */
static bool too_few(const struct trying *t, const struct fsi_fits *fits, struct fsi_plan_moment when,
		    struct fsi_map_look look, uint64_t *set)
{
	struct fsi_backfill *bf = t->bf;

	look.min = fsi_fits_least(fits, t->q);
	return !fsi_fits_any(fits, &bf->cluster, t->q, when, set, bf->select.may[1]) ||
	       fsi_map_narrow(&bf->map, &look, set) < look.min ||
	       !fsi_fits_enough(fits, &bf->cluster, t->q, when, set, bf->select.may[1]);
}

/* Likewise of all nodes that can be had, with the room that they have by `until`. */
static bool too_few_open(const struct trying *t, const struct fsi_fits *fits, struct fsi_map_look look, int64_t until)
{
	const struct fsi_plan_moment when = { until, UINT64_MAX };

	fsi_plan_open_nodes(&t->bf->cluster, t->q, t->bf->select.may[0]);
	return too_few(t, fits, when, look, t->bf->select.may[0]);
}

/* Likewise for all starts from this one to `until`: what they have in common is the time from the last of them to
 * the end of the first, and there is most room at the last. */
static bool too_few_until(const struct trying *t, const struct fsi_fits *fits, struct fsi_map_look look, int64_t until)
{
	if (until >= look.end)
		return false;
	look.start = until;
	return too_few_open(t, fits, look, until);
}

/* After a success it looks further ahead, and without one less often. */
static bool long_in_vain(struct trying *t, const struct fsi_fits *fits, struct fsi_map_look look)
{
	const int64_t until = fsi_map_ahead(&t->bf->map, t->start, t->reach);

	if (t->rests || t->later > until || !too_few_until(t, fits, look, until)) {
		if (!t->rests && t->reach > FIRST_REACH)
			t->reach /= 2;
		t->rests = !t->rests;
		return false;
	}
	t->vain_until = until;
	t->reach = t->reach < MAX_REACH ? 2 * t->reach : MAX_REACH;
	return true;
}

/* Is it certain that it finds no start until it would be tried next? Then the select plugin would be asked in vain,
 * or give a start that is not taken, and all that counts is that it was asked. */
static bool in_vain(struct trying *t, struct fsi_map_look look)
{
	struct fsi_backfill *bf = t->bf;
	const struct fsi_plan_moment next = { t->later, UINT64_MAX };
	const bool counts = !t->of_many || !bf->select.asked || !t->later;
	const struct fsi_fits *fits;

	if (!counts && t->later <= t->vain_until)
		return true;
	fits = counts || fsi_plan_by_steps(&bf->select, t->q) ? NULL : fsi_fits_of(&bf->select.fits, &bf->cluster, t->q);
	if (!fits)
		return false;
	if (long_in_vain(t, fits, look))
		return true;
	memcpy(bf->select.may[0], t->nodes, bf->cluster.words * sizeof(*t->nodes));
	return too_few(t, fits, next, look, bf->select.may[0]);
}

/* Are too few nodes left for any start from `from` on and before `until`, which is the end of a slot of the map, or
 * within one? `last` is where that slot begins, or `from`. */
static bool none_from(const struct trying *t, const struct fsi_fits *fits, int64_t from, int64_t last, int64_t until)
{
	struct fsi_map_look look = { .start = last };

	fsi_plan_slot(&t->bf->select, from, t->q->limit_s, &look.end);
	look.end--;
	return look.end >= last && too_few_open(t, fits, look, until);
}

bool fsi_plan_none_before(struct fsi_backfill *bf, const struct fsi_plan_request *q, int64_t start)
{
	const struct trying t = { .bf = bf, .q = q };
	const struct fsi_fits *fits = fsi_plan_by_steps(&bf->select, q) ? NULL : fsi_fits_of(&bf->select.fits, &bf->cluster, q);
	uint32_t slots = FIRST_REACH;

	for (int64_t from = bf->cluster.now; fits && from < start;) {
		const int64_t ahead = fsi_map_ahead(&bf->map, from, slots), until = ahead < start ? ahead : start;

		if (until <= from)
			return false;
		if (none_from(&t, fits, from, slots ? fsi_map_ahead(&bf->map, from, slots - 1) : from, until)) {
			slots = slots < MAX_REACH ? 2 * slots + 1 : MAX_REACH;
			from = until;
		} else if (slots) {
			slots /= 2;
		} else {
			return false;
		}
	}
	return fits != NULL;
}

static struct fsi_map_look look_of(const struct trying *t)
{
	const struct fsi_backfill *bf = t->bf;

	return (struct fsi_map_look){ .start = t->start,
				      .end = (t->start > bf->cluster.now ? t->start : bf->cluster.now) + t->q->limit_s,
				      .looks_on = bf->params.looks_on,
				      .min = t->q->nodes.min,
				      .lic = t->lic };
}

/* Was it in vain for one alike, and is it therefore still? */
static bool still_in_vain(const struct trying *t)
{
	const struct fsi_plan_tried *b = t->before;

	return b && (b->never || (t->bf->select.asked && t->later && t->later <= b->until));
}

/* From 24.11 all times at which nodes of its come free are tried. Of those that are in vain by then only the last
 * matters: what is tried next may be another by now. */
static bool skip_in_vain(struct trying *t, int64_t until)
{
	const int64_t last = t->mine && t->bf->params.looks_on
				     ? fsi_map_last_gain(&t->bf->map, t->mine, t->start, until)
				     : t->start;

	if (last == t->start)
		return false;
	t->later = last;
	return true;
}

/* Was the start tried for one alike, or one before it at which as many nodes were left? Then only when to try next is
 * looked for anew. */
static bool known_in_vain(struct trying *t)
{
	struct fsi_map_look look = look_of(t);

	t->before = t->alike ? fsi_plan_tried(&t->alike->tries, t->start, &t->known) : NULL;
	if (t->before && !t->mine && t->before->start != t->start)
		t->before = NULL;
	if (!t->before || !t->mine)
		return false;
	if ((t->bf->select.asked || t->before->never) && skip_in_vain(t, t->before->until))
		return true;
	fsi_map_next(&t->bf->map, &look, t->mine);
	t->later = look.later;
	return still_in_vain(t);
}

/* Finds the nodes for a start at that time, and when to try next; false when the search is over. */
static bool narrow_nodes(struct trying *t)
{
	struct fsi_backfill *bf = t->bf;
	const struct fsi_plan_request *q = t->q;
	struct fsi_plan_left left = { .start = t->start, .for_s = t->for_s, .nodes = t->nodes, .open = bf->select.open };
	struct fsi_map_look look;
	struct fsi_plan_owned owned;

	if (!fsi_plan_unreserved(&bf->select, q, &left))
		return false;
	t->start = left.start;
	if (bf->cluster.reserved.any_cores) {
		t->open.open = left.opened ? bf->select.open : NULL;
		t->q = &t->open;
	}
	if (bf->params.stops_behind_window && t->start > window_end(&bf->select))
		return false;
	t->vain = known_in_vain(t);
	if (t->vain)
		return true;
	fsi_bits_and(t->nodes, bf->cluster.part[q->partition].has, bf->cluster.words);
	if (fsi_plan_owned(&bf->select, q, t->start, t->nodes, &owned))
		return false;
	fsi_bits_and(t->nodes, bf->cluster.up, bf->cluster.words);
	if (owned.delays) {
		memset(t->nodes, 0, bf->cluster.words * sizeof(*t->nodes));
		t->later = owned.until;
		return true;
	}
	look = look_of(t);
	fsi_map_next(&bf->map, &look, t->nodes);
	t->later = look.later;
	t->short_of_lic = look.short_of_lic;
	if (left.again && left.again < window_end(&bf->select) && (!t->later || left.again < t->later))
		t->later = left.again;
	if (!t->later)
		t->later = owned.until;
	if (t->q->set.allowed)
		fsi_bits_and(t->nodes, t->q->set.allowed, bf->cluster.words);
	if (!still_in_vain(t))
		t->before = NULL;
	t->vain = t->before || in_vain(t, look);
	if (!t->vain)
		fsi_map_narrow(&bf->map, &look, t->nodes);
	return true;
}

static bool enough(const struct trying *t)
{
	const struct fsi_plan_cluster *c = &t->bf->cluster;

	return !t->short_of_lic && fsi_bits_count(t->nodes, c->words) >= t->q->nodes.min &&
	       (!t->q->set.required || fsi_bits_within(t->q->set.required, t->nodes, c->words));
}

/* Does the start run into what is planned? */
static bool hits(const struct trying *t)
{
	int64_t end;
	const int64_t start = fsi_plan_slot(&t->bf->select, t->bf->select.found.start, t->q->limit_s, &end);

	fsi_plan_found_set(&t->bf->cluster, &t->bf->select.found, t->nodes);
	return fsi_map_overlaps(&t->bf->map, start, end, t->nodes, t->lic);
}

static bool completing(const struct fsi_select *sel)
{
	for (uint32_t k = 0; k < sel->found.choice.nnodes; k++)
		if (sel->cluster->node[sel->found.choice.node[k]].completing)
			return true;
	return false;
}

/* Takes the start found, or sets the next to try. */
static bool takes_start(struct trying *t, bool now_only)
{
	struct fsi_backfill *bf = t->bf;

	if (bf->select.found.start < t->start)
		bf->select.found.start = t->start;
	if (bf->params.looks_on && bf->select.found.start > bf->cluster.now && hits(t)) {
		t->later = bf->select.found.start;
		return false;
	}
	if (bf->select.found.start <= bf->cluster.now && completing(&bf->select)) {
		bf->select.found.start = bf->cluster.now + 1;
		t->later = 0;
	}
	fsi_plan_het_found(bf, t->q->job, bf->select.found.start);
	if (bf->select.found.start <= bf->cluster.now)
		return true;
	if (now_only)
		return true;
	if (t->later && bf->select.found.start > t->later)
		return false;
	if (bf->select.found.start > bf->cluster.now + bf->params.window_s || !hits(t))
		return true;
	t->later = bf->select.found.start;
	return false;
}

/* What is learnt of a start in vain. */
static struct fsi_plan_tried learnt(const struct trying *t, bool never)
{
	struct fsi_plan_tried tried = { .start = t->start, .until = t->later, .never = never };

	if (t->before) {
		tried.until = t->before->until;
		tried.never = t->before->never;
	} else if (t->vain && t->vain_until > t->later) {
		tried.until = t->vain_until;
	} else if (never && !t->mine) {
		tried.until = t->start + 1;
	}
	return tried;
}

static bool asked(struct trying *t, bool now_only)
{
	const struct fsi_plan_will w = { .nodes = t->nodes,
					 .from = t->start,
					 .until = t->later,
					 .now_only = now_only,
					 .stops = !t->bf->params.looks_on && t->of_many &&
						  t->q->limit_s == t->q->longest_s };

	t->bf->select.asked = true;
	if (fsi_plan_will_run(&t->bf->select, t->q, &w, &t->bf->select.found))
		return takes_start(t, now_only);
	t->for_s = t->q->longest_s;
	return false;
}

/* Is the start tried taken? */
static bool found(struct trying *t, bool now_only)
{
	const bool few = !t->vain && !enough(t);
	struct fsi_plan_tried tried;

	if (!t->vain && !few)
		return asked(t, now_only);
	if (t->bf->params.looks_on)
		t->for_s = t->q->longest_s;
	tried = learnt(t, few);
	if (!t->before && t->later)
		skip_in_vain(t, tried.until);
	if (t->alike)
		fsi_plan_note_tried(&t->tries, tried);
	return false;
}

static bool search(struct trying *t, bool now_only)
{
	while (narrow_nodes(t)) {
		if (found(t, now_only))
			return true;
		if (!t->later || now_only)
			break;
		t->start = t->later > t->start ? t->later : t->start + t->bf->params.resolution_s;
	}
	return false;
}

static struct trying trying_from(struct fsi_backfill *bf, const struct fsi_plan_request *q, int64_t start, bool alone)
{
	return (struct trying){ .bf = bf,
				.q = q,
				.open = *q,
				.start = start,
				.for_s = q->limit_s,
				.nodes = bf->select.set[0],
				.lic = fsi_plan_wants(&bf->select, q),
				.vain_until = INT64_MIN,
				.of_many = !alone && !q->features.n,
				.reach = FIRST_REACH };
}

bool fsi_plan_try(struct fsi_backfill *bf, const struct fsi_plan_request *q, bool now_only)
{
	const bool alone = now_only || fsi_plan_het_job(bf->cluster.m, q->job) || fsi_plan_marks(&bf->select, q);
	struct trying t = trying_from(bf, q, fsi_plan_het_from(bf, q->job), alone);
	bool taken;

	bf->select.asked = false;
	if (q->impossible || (q->nodes.max && q->nodes.min > q->nodes.max))
		return false;
	if (!t.lic.amount && !bf->cluster.users_own && !q->sharing.exclusive_user && !bf->cluster.topology.nswitches && !alone)
		t.alike = fsi_plan_alike(&bf->select.memo, q);
	if (t.alike && !bf->cluster.m->reservation.n) {
		fsi_plan_open_nodes(&bf->cluster, q, bf->select.set[2]);
		t.mine = bf->select.set[2];
	}
	taken = search(&t, now_only);
	if (taken)
		bf->next_try = t.later;
	if (t.alike) {
		FSI_VEC_FREE(&t.alike->tries);
		t.alike->tries = t.tries;
	}
	return taken;
}

bool fsi_plan_try_on(struct fsi_backfill *bf, const struct fsi_plan_request *q)
{
	struct trying t = trying_from(bf, q, bf->select.found.start, true);

	return !hits(&t) || search(&t, false);
}

/* Magnetic reservations: a job without a reservation of its own that one admits is queued a second time, to be tried
 * there (src/slurmctld/job_scheduler.c: _job_queue_append, sort_job_queue2; src/slurmctld/reservation.c:
 * job_resv_append_magnetic, _valid_job_access_resv). Such a record sorts as one with a reservation; of a job's, the
 * reservation that begins first goes first. Components of het jobs have none. */

/* ---- whom a reservation admits */

static bool listed(const fs_snapshot *m, uint32_t set, uint32_t name, bool *denies)
{
	size_t n;
	const uint32_t *v = fsi_list(m, set, &n);
	bool any = false;

	*denies = n && *fsi_str(m, v[0]) == '-';
	for (size_t i = 0; i < n; i++) {
		const char *word = fsi_str(m, v[i]);

		any = any || !strcmp(word + (*word == '-'), fsi_str(m, name));
	}
	return any;
}

/* Where associations are enforced, an account stands for those below it too. */
static bool account_listed(const fs_snapshot *m, const struct fsi_reservation *r, const struct fsi_job *j, bool exact,
			   bool *denies)
{
	const bool below = !exact && fsi_config_lists(m, "AccountingStorageEnforce", "associations");
	bool any = listed(m, r->accounts, j->account, denies);

	for (uint32_t i = below ? fsi_job_assoc(m, j) : FSI_NO_INDEX; !any && i != FSI_NO_INDEX; i = m->tree[i].parent)
		any = listed(m, r->accounts, m->association.v[i].account, denies);
	return any;
}

/* Of a group's members only jobs that run with it tell (src/slurmctld/groups.c: get_groups_members). With users and
 * accounts both admitted it takes the users in those very accounts. */
bool fsi_plan_admits(const fs_snapshot *m, const struct fsi_reservation *r, const struct fsi_job *j)
{
	bool no_user, no_account;
	const uint32_t users = r->groups ? r->groups : r->users;
	const bool user = listed(m, users, r->groups ? j->group : j->user, &no_user),
		   account = account_listed(m, r, j, users && !no_user, &no_account);

	return (users || r->accounts) && (!users || user != no_user) && (!r->accounts || account != no_account);
}

/* ---- the records */

struct magnets {
	uint32_t *row; /* of reservations, by their start */
	size_t n;
};

static bool is_magnet(const struct fsi_plan_cluster *c, const struct fsi_reservation *r)
{
	return fsi_list_has(c->m, r->flags, "MAGNETIC") && !fsi_list_has(c->m, r->flags, "TIME_FLOAT") &&
	       (!FSI_HAS(r, RESERVATION, end_time) || r->end_time > c->now);
}

static int find_magnets(const struct fsi_plan_cluster *c, struct magnets *g)
{
	const struct fsi_reservation *r = c->m->reservation.v;

	g->row = calloc(c->m->reservation.n + 1, sizeof(*g->row));
	g->n = 0;
	for (uint32_t i = 0; g->row && i < c->m->reservation.n; i++) {
		size_t k = g->n;

		if (!is_magnet(c, &r[i]))
			continue;
		for (; k && r[g->row[k - 1]].start_time > r[i].start_time; k--)
			g->row[k] = g->row[k - 1];
		g->row[k] = i;
		g->n++;
	}
	return g->row ? 0 : -1;
}

static bool attracted(const fs_snapshot *m, const struct fsi_queue_record *r)
{
	return r->tried && !m->job.v[r->job].reservation && !fsi_plan_het_job(m, r->job);
}

/* `next` and `before` of a copy say what it is of: the record, and as fsi_plan_place says the reservation. */
static int add_copy(struct fs_queue *all, const struct fsi_queue_record *r, size_t of, uint32_t magnet,
		    uint32_t listed_at)
{
	struct fsi_queue_record copy = *r;

	if (FSI_VEC_ROOM(&all->record))
		return -1;
	copy.next = (uint32_t)of;
	copy.before = magnet;
	copy.reserved = r->reserved || magnet;
	copy.listed = listed_at;
	all->record.v[all->record.n++] = copy;
	return 0;
}

static int add_copies(const struct fs_plan *p, const struct magnets *g, struct fs_queue *all)
{
	const fs_snapshot *m = p->m;

	for (size_t i = 0; i < p->queue->record.n; i++) {
		const struct fsi_queue_record *r = &p->queue->record.v[i];
		uint32_t at = r->listed * (uint32_t)(g->n + 1);

		if (add_copy(all, r, i, 0, at))
			return -1;
		for (size_t k = 0; k < g->n && attracted(p->m, r); k++)
			if (fsi_plan_admits(m, &m->reservation.v[g->row[k]], &m->job.v[r->job]) &&
			    add_copy(all, r, i, g->row[k] + 1, ++at))
				return -1;
	}
	return 0;
}

static int sort_with(const struct fs_plan *p, const struct magnets *g, struct fsi_plan_place **out, size_t *n)
{
	struct fs_queue all = *p->queue;
	int rc;

	all.record.v = NULL;
	all.record.n = all.record.cap = 0;
	rc = add_copies(p, g, &all) || fsi_queue_sort(&all) ? -1 : 0;
	*n = all.record.n;
	*out = rc ? NULL : calloc(*n + 1, sizeof(**out));
	for (size_t i = 0; *out && i < *n; i++)
		(*out)[i] = (struct fsi_plan_place){ all.record.v[i].next, all.record.v[i].before };
	FSI_VEC_FREE(&all.record);
	return *out ? 0 : -1;
}

static int as_they_stand(const struct fs_plan *p, struct fsi_plan_place **out, size_t *n)
{
	*n = p->queue->record.n;
	*out = calloc(*n + 1, sizeof(**out));
	for (uint32_t i = 0; *out && i < *n; i++)
		(*out)[i].record = i;
	return *out ? 0 : -1;
}

bool fsi_plan_of_groups(const struct fsi_backfill *bf)
{
	const struct fsi_reservation *r = bf->cluster.m->reservation.v;

	for (size_t i = 0; bf->plan->mode == FS_PLAN_BACKFILL && i < bf->cluster.m->reservation.n; i++)
		if (is_magnet(&bf->cluster, &r[i]) && r[i].groups)
			return true;
	return false;
}

int fsi_plan_places(const struct fsi_backfill *bf, struct fsi_plan_place **out, size_t *n)
{
	struct magnets g;
	int rc;

	if (find_magnets(&bf->cluster, &g))
		return -1;
	rc = g.n && bf->plan->mode == FS_PLAN_BACKFILL ? sort_with(bf->plan, &g, out, n) : as_they_stand(bf->plan, out, n);
	free(g.row);
	return rc;
}

/* Parameters of the backfill scheduler (src/plugins/sched/backfill/backfill.c:_load_config): found anywhere in
 * SchedulerParameters, capitals do not matter, a value out of range means the default. */

static bool same(const char *s, const char *word, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (fsi_lower(s[i]) != word[i])
			return false;
	return true;
}

/* The text behind `name` up to the next comma; NULL if it is not there. name ends with = if it has a value. */
static const char *find(const char *text, const char *name, size_t *len)
{
	const size_t n = strlen(name);

	for (const char *s = text; *s; s += strcspn(s, ","), s += *s == ',') {
		const size_t item = strcspn(s, ",");

		if (item < n || !same(s, name, n) || (name[n - 1] != '=' && item != n))
			continue;
		*len = item - n;
		return s + n;
	}
	return NULL;
}

static int64_t number(const char *text, const char *name, int64_t otherwise, int64_t min, int64_t max)
{
	size_t len;
	const char *s = find(text, name, &len);
	int64_t n;

	if (!s || fsi_parse_i64(s, len, &n) || n < min || n > max)
		return otherwise;
	return n;
}

/* Is it given, and with a value if its name ends with =? */
static bool flag(const char *text, const char *name)
{
	size_t len;

	return find(text, name, &len) != NULL;
}

const char *fsi_plan_left_out(const fs_snapshot *m, size_t i)
{
	static const char *const names[] = { "bf_hetjob_immediate", "bf_topopt_enable",
					     "time_min_as_soft_limit" };
	const char *given = fs_snapshot_config_text(m, "SchedulerParameters");

	for (size_t k = 0; given && k < sizeof(names) / sizeof(*names); k++)
		if (flag(given, names[k]) && !i--)
			return names[k];
	return NULL;
}

void fsi_plan_params(const fs_snapshot *m, unsigned version, struct fsi_plan_params *p)
{
	const bool ahead = fs_slurm_has(version, FS_SLURM_BACKFILL_LOOKS_AHEAD);
	const char *given = fs_snapshot_config_text(m, "SchedulerParameters"),
		   *s = given ? given : "";

	*p = (struct fsi_plan_params){
		.window_s = number(s, "bf_window=", 1440, 1, 43200) * 60,
		.resolution_s = number(s, "bf_resolution=", 60, 1, 3600),
		.interval_s = number(s, "bf_interval=", 30, 1, 10800),
		.main_interval_s = number(s, "sched_interval=", 60, 1, 10800),
		.max_test = (uint32_t)number(s, flag(s, "bf_max_job_test=") ? "bf_max_job_test=" : "max_job_bf=",
					     500, 1, 1000000),
		.max_start = (uint32_t)number(s, "bf_max_job_start=", 0, 0, 10000),
		.max_slots = (uint32_t)number(s, "bf_node_space_size=", 0, 2, 2000000),
		.max_user = (uint32_t)number(s, "bf_max_job_user=", 0, 0, 1000000),
		.max_part = (uint32_t)number(s, "bf_max_job_part=", 0, 0, 1000000),
		.max_assoc = (uint32_t)number(s, "bf_max_job_assoc=", 0, 0, 1000000),
		.max_user_part = (uint32_t)number(s, "bf_max_job_user_part=", 0, 0, 1000000),
		.max_array_resv = (uint32_t)number(s, "bf_max_job_array_resv=", 20, 0, 1000),
		.part_reserve = (uint32_t)number(s, "bf_job_part_count_reserve=", 0, 0, 100000),
		.min_age_reserve_s = number(s, "bf_min_age_reserve=", 0, 0, 30 * 86400),
		.min_prio_reserve = (double)number(s, "bf_min_prio_reserve=", 0, 0, UINT32_MAX),
		.one_resv = flag(s, "bf_one_resv_per_job"),
		.assoc_limit_stop = flag(s, "assoc_limit_stop"),
		.window_grows_s = number(s, "bf_window_linear=", 0, 0, 3600),
		.busy_nodes = flag(s, "bf_busy_nodes"),
		.licenses = flag(s, "bf_licenses"),
		.running_reserve = flag(s, "bf_running_job_reserve") || flag(s, "bf_licenses"),
		.serial_at_end = flag(s, "pack_serial_at_end"),
		.forgets = fs_slurm_has(version, FS_SLURM_SHARING_FORGOTTEN),
		.last_on_nodes = fs_slurm_has(version, FS_SLURM_LAST_ON_NODES),
		.ended_by_start = fs_slurm_has(version, FS_SLURM_ENDED_BY_START),
		.magnetic_slot = flag(s, "bf_allow_magnetic_slot") && fs_slurm_has(version, FS_SLURM_MAGNETIC_SLOT),
		.looks_on = ahead,
		.stops_behind_window = ahead,
	};
	if (!p->max_slots)
		p->max_slots = p->max_test;
}

/* Who gives way to a job (src/slurmctld/preempt.c: slurm_find_preemptable_jobs): what runs on a node of its partition
 * and may be preempted by it, unless its mode is OFF. What is suspended gives its CPUs and keeps memory and generic
 * resources; what is requeued or cancelled gives all (select/cons_common/job_test.c: _build_cr_job_list; 24.11
 * cons_tres alike). */

/* The job's own mode, else the cluster's (src/slurmctld/preempt.c: slurm_job_preempt_mode). */
static const char *mode_of(const struct fs_plan *p, const struct fsi_queue_record *r)
{
	const struct fsi_qos *qos = fsi_qos_find(p->m, r->qos);
	const uint32_t mode = p->queue->preempt_by_tier
				      ? (r->partition == FSI_NO_INDEX
						 ? 0
						 : p->m->partition.v[r->partition].preempt_mode)
				      : (qos ? qos->preempt_mode : 0);
	const char *own = fsi_str(p->m, mode), *all = fs_snapshot_config_text(p->m, "PreemptMode");

	return *own && strcasecmp(own, "cluster") != 0 ? own : all ? all : "";
}

static bool is_off(const char *mode)
{
	return !strcasecmp(mode, "off");
}

static bool is_suspend(const char *mode)
{
	return !strncasecmp(mode, "suspend", strlen("suspend")) || !strcasecmp(mode, "gang,suspend");
}

/* A running job as the queue's record that it would be. */
static struct fsi_queue_record as_record(const struct fs_plan *p, uint32_t row)
{
	const struct fsi_job *j = &p->m->job.v[row];
	struct fsi_queue_record r = { .priority = j->priority,
				      .job = row,
				      .partition = FSI_NO_INDEX,
				      .preemptor = FSI_NO_INDEX };
	const struct fsi_partition *part = fsi_first_partition(p->m, j);
	const struct fsi_qos *qos;

	if (part)
		r.partition = (uint32_t)(part - p->m->partition.v);
	r.qos = fsi_list_first(p->m, j->qos);
	qos = fsi_qos_find(p->m, r.qos);
	if (p->queue->preempt_by_tier)
		r.preemptor = r.partition;
	else if (qos)
		r.preemptor = (uint32_t)(qos - p->m->qos.v);
	return r;
}

/* Is it safe for some time after its start (src/slurmctld/acct_policy.c: acct_policy_is_job_preempt_exempt)? */
static bool is_exempt(const struct fsi_plan_cluster *c, uint32_t job)
{
	const struct fsi_job *j = &c->m->job.v[job];

	return FSI_HAS(j, JOB, preemptable_time) && fsi_job_rare(c->m, j)->preemptable_time > c->now;
}

const bool *fsi_plan_pushed(struct fsi_backfill *bf, const struct fsi_queue_record *r)
{
	bool any = false;

	if (!bf->plan->queue->preempts || r->partition == FSI_NO_INDEX)
		return NULL;
	for (size_t i = 0; i < bf->cluster.end.n; i++) {
		const struct fsi_plan_end *e = &bf->cluster.end.v[i];
		const struct fsi_queue_record other = as_record(bf->plan, e->job);

		const char *mode = mode_of(bf->plan, &other);

		bf->pushed[e->job] = fsi_preempts(bf->plan->queue, r, &other) && !is_off(mode) &&
				    !is_exempt(&bf->cluster, e->job) && fsi_plan_ends_on(e, bf->cluster.part[r->partition].has);
		bf->suspended[e->job] = is_suspend(mode);
		any = any || bf->pushed[e->job];
	}
	return any ? bf->pushed : NULL;
}

bool fsi_plan_pushes(const struct fsi_select *sel, const struct fsi_plan_request *q)
{
	const struct fsi_plan_moment now = { sel->cluster->now, UINT64_MAX };
	struct fsi_plan_request alone = *q;

	alone.preempt.jobs = NULL;
	for (uint32_t k = 0; q->preempt.jobs && k < sel->found.choice.nnodes; k++)
		if (fsi_plan_room(sel->cluster, sel->found.choice.node[k], &alone, now) < sel->found.choice.units[k])
			return true;
	return false;
}
