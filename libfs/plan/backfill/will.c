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
#include "base/sort.h"
#include "plan/bits.h"
#include "plan/oversubscribe/steps.h"

#include <stdlib.h>

enum { FIRST_WINDOW_S = 30, MAX_JOBS = 200 };

struct willing {
	struct fs_plan *p;
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
	const struct fsi_plan_cluster *c = &v->p->c;

	return fits && fits->room && !v->q->open
		       ? (struct fsi_plan_room){ .cpus = fsi_fits_room(fits, c, v->q, i, when) }
		       : fsi_plan_room_at(c, i, v->q, when);
}

/* Is the running job one of those that are taken off? */
static bool counts(const struct willing *v, const struct fsi_plan_end *e)
{
	const fs_snapshot *m = v->p->c.m;

	return fsi_plan_ends_on(e, v->w->nodes) ||
	       (v->licenses && fs_slurm_has(v->p->compat, FS_SLURM_LICENSES_ANYWHERE) &&
		fsi_licenses_meet(&v->p->licenses, m, &m->job.v[e->job]));
}

/* What may be preempted went before (_build_cr_job_list). */
static bool is_preempted(const struct willing *v, size_t i)
{
	return v->q->preempts && v->q->preempts[v->p->c.end.v[i].job];
}

/* Are there licences when the jobs that count and end by then are off? */
static bool licenses_at(const struct willing *v, struct fsi_plan_moment when)
{
	const struct fsi_plan_cluster *c = &v->p->c;
	int64_t until;

	if (!v->licenses || fsi_plan_licenses_open(v->p, v->q, c->now, c->now + v->q->limit_s, &until))
		return true;
	for (size_t i = 0; i < c->end.n; i++) {
		const struct fsi_plan_end *e = &c->end.v[i];
		const bool off = !fsi_plan_before(when, (struct fsi_plan_moment){ e->when, e->id });

		if ((off || is_preempted(v, i)) && counts(v, e))
			fsi_licenses_free(&v->p->licenses, c->m, &c->m->job.v[e->job]);
	}
	return fsi_licenses_left(&v->p->licenses);
}

/* The plugin looks at the nodes first as if nobody had CPUs of theirs (_job_test, test 0). */
static void mark_all(const struct willing *v, const uint64_t *nodes, struct fsi_plan_moment when)
{
	const struct fsi_plan_cluster *c = &v->p->c;

	FSI_BITS_EACH(i, nodes, c->words)
		fsi_plan_weigh_unused(v->s, c, v->q, i, when);
}

static bool choose_at(struct willing *v, struct fsi_plan_moment when, bool busy_first)
{
	const struct fsi_plan_cluster *c = &v->p->c;
	uint64_t *const *may = v->p->may;
	const uint64_t *nodes = v->w->nodes;
	const struct fsi_fits *fits;

	if (!licenses_at(v, when))
		return false;
	v->s->busy_first = busy_first;
	if (fsi_plan_by_steps(v->p, v->q))
		return fsi_plan_choose_by_steps(v->p, v->q, nodes, when, v->s);
	v->s->n = 0;
	if (fsi_plan_marks(v->p, v->q))
		mark_all(v, nodes, when);
	fits = fsi_plan_marks(v->p, v->q) ? NULL : fsi_fits_of(&v->p->fits, c, v->q);
	if (fits) {
		memcpy(may[0], nodes, c->words * sizeof(*nodes));
		nodes = may[0];
		if (!fsi_fits_suffice(fits, c, v->q, when, may[0], may[1]))
			return false;
	}
	FSI_BITS_EACH(i, nodes, c->words)
	{
		const struct fsi_plan_room room = room_at(v, fits, i, when);

		if (room.cpus <= 0 && v->q->required && fsi_bit(v->q->required, i))
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
	while (v->next < v->p->c.end.n && is_preempted(v, v->next))
		v->next++;
}

/* The window begins at the end that the job was told, also if that is past. */
static int64_t begin_window(const struct willing *v, const struct fsi_plan_end *e)
{
	const struct fsi_job *j = &v->p->c.m->job.v[e->job];
	const bool past = e->when == v->p->c.now + 1 && FSI_HAS(j, JOB, end_time) && j->end_time < e->when;
	const int64_t end = past ? j->end_time : e->when;

	return end + v->window_s - end % v->window_s;
}

/* Takes jobs off until the window is over; false when there was none. *try_it: is it tried then? */
static bool take_off(struct willing *v, bool *try_it)
{
	const struct fsi_plan_cluster *c = &v->p->c;
	uint32_t count = 0;
	bool any = false;

	*try_it = true;
	skip_preempted(v);
	while (v->next < c->end.n) {
		const struct fsi_plan_end *e = &c->end.v[v->next];

		if (v->p->params.looks_on && !c->requests.linear && v->w->until && e->when > v->w->until) {
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
	const struct fsi_plan_cluster *c = &v->p->c;
	const int64_t more = v->p->params.window_grows_s;

	do
		v->window_s += more ? more : v->window_s;
	while (v->next < c->end.n && c->end.v[v->next].when > v->anchor + v->window_s);
}

/* Jobs that end before the start tried, or by then, are taken off. */
static void skip_ended(struct willing *v, int64_t from)
{
	const struct fsi_plan_moment by = { v->p->params.ended_by_start ? from : from - 1, UINT64_MAX };

	v->next = first_after(&v->p->c, by);
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
	const struct fsi_plan_cluster *c = &v->p->c;

	for (size_t i = first_after(c, v->off); v->p->params.last_on_nodes && !c->requests.linear && i-- > v->first;)
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
			if (choose_at(v, v->off, v->p->params.busy_nodes)) {
				found->start = start_found(v);
				return true;
			}
		}
		if (v->next == v->p->c.end.n)
			return false;
	}
	return false;
}

bool fsi_plan_will_run_nodes(struct fs_plan *p, const struct fsi_plan_request *q,
			     const struct fsi_plan_will *w, struct fsi_plan_found *found)
{
	struct fsi_plan_request now = *q;
	struct willing v = { .p = p,
			     .q = &now,
			     .w = w,
			     .s = &found->choice,
			     .window_s = FIRST_WINDOW_S,
			     .off = { p->c.now, UINT64_MAX },
			     .last = w->stops && w->until ? w->until : INT64_MAX,
			     .licenses = p->map.lics.n && fs_slurm_has(p->compat, FS_SLURM_COUNTS_LICENSES) &&
					 fsi_plan_wants(p, q).amount };
	const bool later = p->params.looks_on && w->from > p->c.now && !p->c.requests.linear;

	now.preempts = NULL;
	now.forgets = false;
	found->pretends = false;
	found->start = p->c.now;
	if (!later && choose_at(&v, v.off, false))
		return true;
	v.q = q;
	if (w->now_only && !q->preempts)
		return false;
	if (later)
		skip_ended(&v, w->from);
	if ((later || q->preempts || (q->forgets && p->params.looks_on)) && choose_at(&v, v.off, false)) {
		found->pretends = !later && q->forgets && !q->preempts;
		return true;
	}
	return !w->now_only && !w->once && will_run_later(&v, found);
}
