/* Finds the start of one request: which running jobs it may preempt, and the search through the times to try. */
#include "backfill/backfill.h"

#include "base/vec.h"
#include "model/find.h"

#include <string.h>
#include <strings.h>

/* ---- preemption
 *
 * A job may preempt the running jobs that have a node of its partition, if its QOS or partition may preempt theirs and
 * their preempt mode is not OFF (src/slurmctld/preempt.c: slurm_find_preemptable_jobs). A suspended job releases its
 * CPUs, and keeps its memory and generic resources. A job that is requeued or cancelled releases everything
 * (select/cons_common/job_test.c: _build_cr_job_list; the same in cons_tres of 24.11). */

/* Returns the preempt mode of the running job's QOS or partition, else that of the cluster (src/slurmctld/preempt.c:
 * slurm_job_preempt_mode). */
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

/* Returns a queue record for a running job, with what preemption compares. */
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

/* Returns true if the job may not be preempted yet, because it started only recently (src/slurmctld/acct_policy.c:
 * acct_policy_is_job_preempt_exempt). */
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
				     !is_exempt(&bf->cluster, e->job) &&
				     fsi_plan_ends_on(e, bf->cluster.part[r->partition].has);
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

/* ---- the search for a start (src/plugins/sched/backfill/backfill.c: _attempt_backfill, from TRY_LATER on)
 *
 * Each try is for one time:
 *
 * 1. narrow_nodes() determines the candidate nodes. These are the nodes of the partition that are up, not excluded, and
 * have the features; that reservations leave to the job; and that are free in node_space for the whole run time. It
 * also determines the next time to try, at which node_space gains such a node.
 *
 * 2. If there are too few candidates, the search goes on at the next time. Else the select plugin returns a start and
 * nodes (fsi_plan_will_run).
 *
 * 3. takes_start() accepts or rejects that start. A start after the next time to try is rejected, since the next time
 * comes first. A start that overlaps planned jobs is rejected, and is the next time to try.
 *
 * From 24.11 the overlap is tested first (b65719d1c2). A try after the end of the window ends the search (from 23.11.2:
 * c5fed32cbf).
 *
 * A try that is sure to fail is skipped if that does not change the result of the search. It is sure to fail if too few
 * nodes are free in node_space or have capacity at the time (select/avail_index.h), or if it failed in an earlier
 * search for an identical request. */

struct trying {
	struct fsi_backfill *bf;
	const struct fsi_plan_request *q;
	struct fsi_plan_request open; /* the request with the CPUs that core reservations leave to it at `start` */
	int64_t start, later; /* start: the time to try; later: the next time to try, 0: none */
	/* The run time for which reservations must leave the nodes: the controller's time_limit. It is reset to the
	 * full limit after a failed select call, from 24.11 also after a try with too few nodes (f3b128a3f2). */
	int64_t for_s;
	uint64_t *nodes;	 /* candidates at `start` */
	struct fsi_map_want lic; /* licenses that must be free in node_space */
	bool short_of_lic;	 /* too few licenses are free during a run from `start` */
	/* Only the result of the search matters. So tries that are sure to fail may be skipped. */
	bool of_many;
	int64_t vain_until; /* each try whose next time to try is not after this time fails */
	uint32_t reach;	    /* number of slots of node_space that are tested together to set vain_until */
	bool rests;	    /* the next try is tested alone */
	struct fsi_plan_alike *alike; /* cached results of identical requests; NULL: not cacheable */
	/* With a cache: the nodes that the request may use at any time. NULL: reservations change them. */
	const uint64_t *mine;
	struct fsi_plan_tries tries; /* failed tries of this search, for the cache */
	size_t known;		     /* position in the failed tries in the cache */
	const struct fsi_plan_tried *before; /* the failed try in the cache that covers `start`; NULL: none */
	bool vain; /* the try is sure to fail and is skipped */
};

/* Slots that are tested together: at first, and at most. */
enum { FIRST_REACH = 2, MAX_REACH = 256 };

/* Returns the end of the window, rounded down to bf_resolution. */
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

/* Narrows `set` to the nodes that are free in node_space for all of `look` and have capacity for the request at `when`.
 * Returns true if they are too few; `set` is then only partly narrowed. Overwrites select.may[1]. */
static bool too_few(const struct trying *t, const struct fsi_fits *fits, struct fsi_plan_moment when,
		    struct fsi_map_look look, uint64_t *set)
{
	struct fsi_backfill *bf = t->bf;

	look.min = fsi_fits_least(fits, t->q);
	return !fsi_fits_any(fits, &bf->cluster, t->q, when, set, bf->select.may[1]) ||
	       fsi_map_narrow(&bf->map, &look, set) < look.min ||
	       !fsi_fits_enough(fits, &bf->cluster, t->q, when, set, bf->select.may[1]);
}

/* Returns true if too few nodes that the request may use are free for all of `look` and have capacity by `until`.
 * Overwrites select.may. */
static bool too_few_open(const struct trying *t, const struct fsi_fits *fits, struct fsi_map_look look, int64_t until)
{
	const struct fsi_plan_moment when = { until, UINT64_MAX };

	fsi_plan_open_nodes(&t->bf->cluster, t->q, t->bf->select.may[0]);
	return too_few(t, fits, when, look, t->bf->select.may[0]);
}

/* Returns true if every start from look.start to `until` fails for lack of nodes. All these runs include the time from
 * `until` to look.end, and the nodes have the most capacity at `until`. */
static bool too_few_until(const struct trying *t, const struct fsi_fits *fits, struct fsi_map_look look, int64_t until)
{
	if (until >= look.end)
		return false;
	look.start = until;
	return too_few_open(t, fits, look, until);
}

/* Returns true if this try and all others within the next `reach` slots are sure to fail; then sets vain_until. The
 * number of slots doubles after each success. After a failure it halves, and the next try is tested alone. */
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

/* Returns true if the try is sure to give no start before the next time to try. The select plugin would then be called
 * without success, or return a start that is rejected. So the try may be skipped once the plugin was called in this
 * search: bf_max_job_test counts that only once. */
static bool in_vain(struct trying *t, struct fsi_map_look look)
{
	struct fsi_backfill *bf = t->bf;
	const struct fsi_plan_moment next = { t->later, UINT64_MAX };
	const bool counts = !t->of_many || !bf->select.asked || !t->later;
	const struct fsi_fits *fits;

	if (!counts && t->later <= t->vain_until)
		return true;
	fits = counts || fsi_plan_by_steps(&bf->select, t->q) ? NULL
							      : fsi_fits_of(&bf->select.fits, &bf->cluster, t->q);
	if (!fits)
		return false;
	if (long_in_vain(t, fits, look))
		return true;
	memcpy(bf->select.may[0], t->nodes, bf->cluster.words * sizeof(*t->nodes));
	return too_few(t, fits, next, look, bf->select.may[0]);
}

/* Returns true if too few nodes are left for every start from `from` up to, but not at, `until`. The time `until` is
 * the end of a slot of node_space, or within one. The time `last` is the begin of that slot, but not before `from`. */
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
	const struct fsi_fits *fits =
		fsi_plan_by_steps(&bf->select, q) ? NULL : fsi_fits_of(&bf->select.fits, &bf->cluster, q);
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

/* Returns the query of node_space for the time to try. */
static struct fsi_map_look look_of(const struct trying *t)
{
	const struct fsi_backfill *bf = t->bf;

	return (struct fsi_map_look){ .start = t->start,
				      .end = (t->start > bf->cluster.now ? t->start : bf->cluster.now) + t->q->limit_s,
				      .looks_on = bf->params.looks_on,
				      .min = t->q->nodes.min,
				      .lic = t->lic };
}

/* Returns true if the try failed for an identical request, and therefore fails now too. */
static bool still_in_vain(const struct trying *t)
{
	const struct fsi_plan_tried *b = t->before;

	return b && (b->never || (t->bf->select.asked && t->later && t->later <= b->until));
}

/* From 24.11 on, all times at which a usable node becomes free are tried. If all tries up to `until` fail, only the
 * last one matters: the time to try after it may have changed since it was cached. Makes that one the next time to try.
 * Returns false if there is none after the current time. */
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

/* Returns true if the start is known to fail from the search for an identical request. That search tried this time, or
 * an earlier one at which as many nodes were left. Sets only the next time to try. */
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

/* Sets the candidate nodes, the next time to try, and whether the try is sure to fail. Reservations may postpone the
 * time to try. Returns false if the search is over. */
static bool narrow_nodes(struct trying *t)
{
	struct fsi_backfill *bf = t->bf;
	const struct fsi_plan_request *q = t->q;
	struct fsi_plan_left left = {
		.start = t->start, .for_s = t->for_s, .nodes = t->nodes, .open = bf->select.open
	};
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

/* Returns true if the candidates include enough nodes and all required ones, and licenses are not short. */
static bool enough(const struct trying *t)
{
	const struct fsi_plan_cluster *c = &t->bf->cluster;

	return !t->short_of_lic && fsi_bits_count(t->nodes, c->words) >= t->q->nodes.min &&
	       (!t->q->set.required || fsi_bits_within(t->q->set.required, t->nodes, c->words));
}

/* Returns true if the start found overlaps planned jobs or reserved licenses. Overwrites t->nodes with the chosen
 * nodes. */
static bool hits(const struct trying *t)
{
	int64_t end;
	const int64_t start = fsi_plan_slot(&t->bf->select, t->bf->select.found.start, t->q->limit_s, &end);

	fsi_plan_found_set(&t->bf->cluster, &t->bf->select.found, t->nodes);
	return fsi_map_overlaps(&t->bf->map, start, end, t->nodes, t->lic);
}

/* Returns true if a job is still completing on a chosen node. */
static bool completing(const struct fsi_select *sel)
{
	for (uint32_t k = 0; k < sel->found.choice.nnodes; k++)
		if (sel->cluster->node[sel->found.choice.node[k]].completing)
			return true;
	return false;
}

/* Returns true if the start found is accepted. Else sets the next time to try, 0: none. */
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

/* Returns what the failed try shows for later identical requests. never: too few nodes were left. */
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

/* Calls the select plugin for the time to try. Returns true if it returns a start that is accepted. */
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

/* Makes the try, unless it is sure to fail. Returns true if its start is accepted. */
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

/* Tries one time after the other until a start is accepted. Returns false if there is none. */
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

/* Returns a search that begins at `start`. alone: each try must be made, even if it is sure to fail. */
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
	if (!t.lic.amount && !bf->cluster.users_own && !q->sharing.exclusive_user && !bf->cluster.topology.nswitches &&
	    !alone)
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
