/* How a cycle of the backfill scheduler finds a job's start (src/plugins/sched/backfill/backfill.c: _attempt_backfill,
 * from TRY_LATER on).
 *
 * Nodes that can be had at all: of the partition, up, not excluded, with the features, left by reservations, and free
 * on the map all the time. Too few, and it is tried at the next time that brings some; else the select plugin says when
 * and where. A start behind the next time is not taken before that has been tried; one that hits what is planned is
 * tried where it was found. From 24.11 hits are tested first (b65719d1c2), and a start tried behind the window ends it
 * (from 23.11.2: c5fed32cbf). */
#include "plan/bits.h"
#include "plan/oversubscribe/steps.h"

struct trying {
	struct fs_plan *p;
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

static int64_t window_end(const struct fs_plan *p)
{
	const int64_t end = p->c.now + p->params.window_s;

	return end - end % p->params.resolution_s;
}

int64_t fsi_plan_slot(const struct fs_plan *p, int64_t start, int64_t limit_s, int64_t *end)
{
	const int64_t step = p->params.resolution_s;
	const int64_t e = start + limit_s + (p->params.looks_on ? step - 1 : 0);

	*end = e - e % step;
	return start - start % step;
}

void fsi_plan_found_set(const struct fs_plan *p, const struct fsi_plan_found *f, uint64_t *set)
{
	memset(set, 0, p->c.words * sizeof(*set));
	for (uint32_t k = 0; k < f->choice.nnodes; k++)
		fsi_bit_set(set, f->choice.node[k]);
}

void fsi_plan_open_nodes(const struct fs_plan *p, const struct fsi_plan_request *q, uint64_t *set)
{
	memcpy(set, p->c.part[q->partition].has, p->c.words * sizeof(*set));
	fsi_bits_and(set, p->c.up, p->c.words);
	if (q->allowed)
		fsi_bits_and(set, q->allowed, p->c.words);
}

/* Are too few of the nodes in `set`, which is changed, free for all of that time and have room by the moment? */
static bool too_few(const struct trying *t, const struct fsi_fits *fits, struct fsi_plan_moment when,
		    struct fsi_map_look look, uint64_t *set)
{
	struct fs_plan *p = t->p;

	look.min = fsi_fits_least(fits, t->q);
	return !fsi_fits_any(fits, &p->c, t->q, when, set, p->may[1]) ||
	       fsi_map_narrow(&p->map, &look, set) < look.min ||
	       !fsi_fits_enough(fits, &p->c, t->q, when, set, p->may[1]);
}

/* Likewise of all nodes that can be had, with the room that they have by `until`. */
static bool too_few_open(const struct trying *t, const struct fsi_fits *fits, struct fsi_map_look look, int64_t until)
{
	const struct fsi_plan_moment when = { until, UINT64_MAX };

	fsi_plan_open_nodes(t->p, t->q, t->p->may[0]);
	return too_few(t, fits, when, look, t->p->may[0]);
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
	const int64_t until = fsi_map_ahead(&t->p->map, t->start, t->reach);

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
	struct fs_plan *p = t->p;
	const struct fsi_plan_moment next = { t->later, UINT64_MAX };
	const bool counts = !t->of_many || !p->asked || !t->later;
	const struct fsi_fits *fits;

	if (!counts && t->later <= t->vain_until)
		return true;
	fits = counts || fsi_plan_by_steps(p, t->q) ? NULL : fsi_fits_of(&p->fits, &p->c, t->q);
	if (!fits)
		return false;
	if (long_in_vain(t, fits, look))
		return true;
	memcpy(p->may[0], t->nodes, p->c.words * sizeof(*t->nodes));
	return too_few(t, fits, next, look, p->may[0]);
}

/* Are too few nodes left for any start from `from` on and before `until`, which is the end of a slot of the map, or
 * within one? `last` is where that slot begins, or `from`. */
static bool none_from(const struct trying *t, const struct fsi_fits *fits, int64_t from, int64_t last, int64_t until)
{
	struct fsi_map_look look = { .start = last };

	fsi_plan_slot(t->p, from, t->q->limit_s, &look.end);
	look.end--;
	return look.end >= last && too_few_open(t, fits, look, until);
}

bool fsi_plan_none_before(struct fs_plan *p, const struct fsi_plan_request *q, int64_t start)
{
	const struct trying t = { .p = p, .q = q };
	const struct fsi_fits *fits = fsi_plan_by_steps(p, q) ? NULL : fsi_fits_of(&p->fits, &p->c, q);
	uint32_t slots = FIRST_REACH;

	for (int64_t from = p->c.now; fits && from < start;) {
		const int64_t ahead = fsi_map_ahead(&p->map, from, slots), until = ahead < start ? ahead : start;

		if (until <= from)
			return false;
		if (none_from(&t, fits, from, slots ? fsi_map_ahead(&p->map, from, slots - 1) : from, until)) {
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
	const struct fs_plan *p = t->p;

	return (struct fsi_map_look){ .start = t->start,
				      .end = (t->start > p->c.now ? t->start : p->c.now) + t->q->limit_s,
				      .looks_on = p->params.looks_on,
				      .min = t->q->min_nodes,
				      .lic = t->lic };
}

/* Was it in vain for one alike, and is it therefore still? */
static bool still_in_vain(const struct trying *t)
{
	const struct fsi_plan_tried *b = t->before;

	return b && (b->never || (t->p->asked && t->later && t->later <= b->until));
}

/* From 24.11 all times at which nodes of its come free are tried. Of those that are in vain by then only the last
 * matters: what is tried next may be another by now. */
static bool skip_in_vain(struct trying *t, int64_t until)
{
	const int64_t last = t->mine && t->p->params.looks_on
				     ? fsi_map_last_gain(&t->p->map, t->mine, t->start, until)
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
	if ((t->p->asked || t->before->never) && skip_in_vain(t, t->before->until))
		return true;
	fsi_map_next(&t->p->map, &look, t->mine);
	t->later = look.later;
	return still_in_vain(t);
}

/* Finds the nodes for a start at that time, and when to try next; false when the search is over. */
static bool narrow_nodes(struct trying *t)
{
	struct fs_plan *p = t->p;
	const struct fsi_plan_request *q = t->q;
	struct fsi_plan_left left = { .start = t->start, .for_s = t->for_s, .nodes = t->nodes, .open = p->open };
	struct fsi_map_look look;
	struct fsi_plan_owned owned;

	if (!fsi_plan_unreserved(p, q, &left))
		return false;
	t->start = left.start;
	if (p->c.cores_reserved) {
		t->open.open = left.opened ? p->open : NULL;
		t->q = &t->open;
	}
	if (p->params.stops_behind_window && t->start > window_end(p))
		return false;
	t->vain = known_in_vain(t);
	if (t->vain)
		return true;
	fsi_bits_and(t->nodes, p->c.part[q->partition].has, p->c.words);
	if (fsi_plan_owned(p, q, t->start, t->nodes, &owned))
		return false;
	fsi_bits_and(t->nodes, p->c.up, p->c.words);
	if (owned.delays) {
		memset(t->nodes, 0, p->c.words * sizeof(*t->nodes));
		t->later = owned.until;
		return true;
	}
	look = look_of(t);
	fsi_map_next(&p->map, &look, t->nodes);
	t->later = look.later;
	t->short_of_lic = look.short_of_lic;
	if (left.again && left.again < window_end(p) && (!t->later || left.again < t->later))
		t->later = left.again;
	if (!t->later)
		t->later = owned.until;
	if (t->q->allowed)
		fsi_bits_and(t->nodes, t->q->allowed, p->c.words);
	if (!still_in_vain(t))
		t->before = NULL;
	t->vain = t->before || in_vain(t, look);
	if (!t->vain)
		fsi_map_narrow(&p->map, &look, t->nodes);
	return true;
}

static bool enough(const struct trying *t)
{
	const struct fsi_plan_cluster *c = &t->p->c;

	return !t->short_of_lic && fsi_bits_count(t->nodes, c->words) >= t->q->min_nodes &&
	       (!t->q->required || fsi_bits_within(t->q->required, t->nodes, c->words));
}

/* Does the start run into what is planned? */
static bool hits(const struct trying *t)
{
	int64_t end;
	const int64_t start = fsi_plan_slot(t->p, t->p->found.start, t->q->limit_s, &end);

	fsi_plan_found_set(t->p, &t->p->found, t->nodes);
	return fsi_map_overlaps(&t->p->map, start, end, t->nodes, t->lic);
}

static bool completing(const struct fs_plan *p)
{
	for (uint32_t k = 0; k < p->found.choice.nnodes; k++)
		if (p->c.node[p->found.choice.node[k]].completing)
			return true;
	return false;
}

/* Takes the start found, or sets the next to try. */
static bool takes_start(struct trying *t, bool now_only)
{
	struct fs_plan *p = t->p;

	if (p->found.start < t->start)
		p->found.start = t->start;
	if (p->params.looks_on && p->found.start > p->c.now && hits(t)) {
		t->later = p->found.start;
		return false;
	}
	if (p->found.start <= p->c.now && completing(p)) {
		p->found.start = p->c.now + 1;
		t->later = 0;
	}
	fsi_plan_het_found(p, t->q->job, p->found.start);
	if (p->found.start <= p->c.now)
		return true;
	if (now_only)
		return true;
	if (t->later && p->found.start > t->later)
		return false;
	if (p->found.start > p->c.now + p->params.window_s || !hits(t))
		return true;
	t->later = p->found.start;
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
					 .stops = !t->p->params.looks_on && t->of_many &&
						  t->q->limit_s == t->q->longest_s };

	t->p->asked = true;
	if (fsi_plan_will_run(t->p, t->q, &w, &t->p->found))
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
	if (t->p->params.looks_on)
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
		t->start = t->later > t->start ? t->later : t->start + t->p->params.resolution_s;
	}
	return false;
}

static struct trying trying_from(struct fs_plan *p, const struct fsi_plan_request *q, int64_t start, bool alone)
{
	return (struct trying){ .p = p,
				.q = q,
				.open = *q,
				.start = start,
				.for_s = q->limit_s,
				.nodes = p->set[0],
				.lic = fsi_plan_wants(p, q),
				.vain_until = INT64_MIN,
				.of_many = !alone && !q->nkinds,
				.reach = FIRST_REACH };
}

bool fsi_plan_try(struct fs_plan *p, const struct fsi_plan_request *q, bool now_only)
{
	const bool alone = now_only || fsi_plan_het_job(p, q->job) || fsi_plan_marks(p, q);
	struct trying t = trying_from(p, q, fsi_plan_het_from(p, q->job), alone);
	bool taken;

	p->asked = false;
	if (q->impossible || (q->max_nodes && q->min_nodes > q->max_nodes))
		return false;
	if (!t.lic.amount && !p->users_own && !q->own_user && !p->c.nswitches && !alone)
		t.alike = fsi_plan_alike(&p->memo, q);
	if (t.alike && !p->c.m->reservation.n) {
		fsi_plan_open_nodes(p, q, p->set[2]);
		t.mine = p->set[2];
	}
	taken = search(&t, now_only);
	if (taken)
		p->next_try = t.later;
	if (t.alike) {
		FSI_VEC_FREE(&t.alike->tries);
		t.alike->tries = t.tries;
	}
	return taken;
}

bool fsi_plan_try_on(struct fs_plan *p, const struct fsi_plan_request *q)
{
	struct trying t = trying_from(p, q, p->found.start, true);

	return !hits(&t) || search(&t, false);
}
