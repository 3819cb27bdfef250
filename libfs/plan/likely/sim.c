#include "plan/likely/sim.h"

#include "plan/bits.h"

#include <stdlib.h>
#include <string.h>

struct sim_hold {
	int64_t start, end;
	uint32_t reservation; /* row of the reservation; FSI_NO_INDEX: it is a job's */
	uint32_t partition;   /* row of the job's; FSI_NO_INDEX: none */
	int64_t amount[FSI_RES_MAX];
};

/* The answer of a node to what it was last asked, in that round. */
struct sim_node {
	FSI_VEC(struct sim_hold) hold;
	uint64_t round;
	int64_t cpus, next; /* cpus: what it gives; next: when the first of the jobs there ends */
	int64_t gpus;	    /* free, for a request for some */
	int64_t until;	    /* the answer holds for starts before this */
};

struct fsi_sim {
	const struct fs_plan *p;
	struct sim_node *node;
	struct fsi_plan_choice choice;
	struct fsi_plan_memo memo;
	uint64_t work, round; /* round: counted on with each request */
};

struct fsi_sim *fsi_sim_new(const struct fs_plan *p)
{
	struct fsi_sim *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->p = p;
	s->node = calloc((size_t)p->c.nnodes + 1, sizeof(*s->node));
	if (!s->node || fsi_plan_choice_init(&s->choice, &p->c)) {
		fsi_sim_free(s);
		return NULL;
	}
	return s;
}

void fsi_sim_free(struct fsi_sim *s)
{
	if (!s)
		return;
	for (uint32_t i = 0; s->node && i < s->p->c.nnodes; i++)
		FSI_VEC_FREE(&s->node[i].hold);
	free(s->node);
	fsi_plan_choice_release(&s->choice);
	fsi_plan_memo_release(&s->memo);
	free(s);
}

static int add_hold(struct sim_node *n, const struct sim_hold *h)
{
	if (FSI_VEC_ROOM(&n->hold))
		return -1;
	n->hold.v[n->hold.n++] = *h;
	return 0;
}

/* Does the job run? What the plan itself lets start now is no part of it. */
static bool runs(const struct fs_plan *p, const struct fsi_plan_alloc *a)
{
	return a->job == FSI_NO_INDEX || p->c.m->job.v[a->job].state != FSI_STATE_PENDING;
}

static int begin_node(struct fsi_sim *s, uint32_t i, const int64_t *end_of)
{
	const struct fsi_plan_node *n = &s->p->c.node[i];
	struct sim_hold h = { .start = INT64_MIN, .reservation = FSI_NO_INDEX };

	s->node[i].hold.n = 0;
	for (size_t k = 0; k < n->hold.n; k++) {
		const struct fsi_plan_alloc *a = &n->hold.v[k];

		if (!runs(s->p, a))
			continue;
		h.end = a->job == FSI_NO_INDEX ? a->end : end_of[a->job];
		h.partition = a->job == FSI_NO_INDEX ? FSI_NO_INDEX : a->partition;
		memcpy(h.amount, a->amount, sizeof(h.amount));
		if (add_hold(&s->node[i], &h))
			return -1;
	}
	for (size_t k = 0; k < n->block.n; k++) {
		const struct fsi_plan_block *b = &n->block.v[k];

		h.start = b->start;
		h.end = b->end;
		h.reservation = b->reservation;
		h.partition = FSI_NO_INDEX;
		memcpy(h.amount, n->total, sizeof(h.amount));
		if (b->cpus) {
			memset(h.amount, 0, sizeof(h.amount));
			h.amount[FSI_RES_CPU] = b->cpus;
		}
		if (b->job == FSI_NO_INDEX && add_hold(&s->node[i], &h))
			return -1;
	}
	return 0;
}

int fsi_sim_begin(struct fsi_sim *s, const int64_t *end_of)
{
	fsi_plan_memo_release(&s->memo);
	for (uint32_t i = 0; i < s->p->c.nnodes; i++)
		if (begin_node(s, i, end_of))
			return -1;
	return 0;
}

/* ---- when and where there is room */

struct asked {
	const struct fsi_plan_request *q;
	int64_t from, end; /* [from, end) */
};

static bool counts(const struct sim_hold *h, const struct asked *a)
{
	return h->end > a->from && h->start < a->end &&
	       (h->reservation == FSI_NO_INDEX || h->reservation != a->q->reservation);
}

/* Fills what is free at a time, and who is there then. */
static struct fsi_plan_there free_at(const struct fsi_sim *s, uint32_t i, const struct asked *a, int64_t at,
				     int64_t *free)
{
	const struct sim_node *n = &s->node[i];
	struct fsi_plan_there there = { .any = false };

	memcpy(free, s->p->c.node[i].total, FSI_RES_MAX * sizeof(*free));
	for (size_t k = 0; k < n->hold.n; k++) {
		const struct sim_hold *h = &n->hold.v[k];

		if (h->start > at || h->end <= at || !counts(h, a))
			continue;
		there.any = true;
		there.of_partition += h->partition == a->q->partition ? h->amount[FSI_RES_CPU] : 0;
		for (uint32_t r = 0; r < s->p->c.nres; r++)
			free[r] -= h->amount[r];
	}
	return there;
}

/* The least that is free at the beginning and whenever somebody else comes. */
static int64_t room(const struct fsi_sim *s, uint32_t i, const struct asked *a, int64_t *gpus)
{
	const struct fsi_plan_cluster *c = &s->p->c;
	const struct sim_node *n = &s->node[i];
	int64_t min[FSI_RES_MAX], free[FSI_RES_MAX];
	struct fsi_plan_there there = free_at(s, i, a, a->from, min), then;

	if (!fsi_plan_room_of(c, &c->node[i], a->q, min, &there))
		return 0;
	for (size_t k = 0; k < n->hold.n; k++) {
		const int64_t at = n->hold.v[k].start;

		if (at <= a->from || !counts(&n->hold.v[k], a))
			continue;
		then = free_at(s, i, a, at, free);
		there.any = there.any || then.any;
		there.of_partition = then.of_partition > there.of_partition ? then.of_partition : there.of_partition;
		for (uint32_t r = 0; r < c->nres; r++)
			min[r] = free[r] < min[r] ? free[r] : min[r];
	}
	*gpus = a->q->gpus ? fsi_plan_free_gpus(c, a->q, min) : 0;
	return fsi_plan_room_of(c, &c->node[i], a->q, min, &there);
}

/* Notes the first start after that of `a` for which another one of the jobs on the node counts. */
static void note_ends(struct sim_node *n, const struct asked *a)
{
	const int64_t run_s = a->end - a->from;

	n->next = INT64_MAX;
	n->until = INT64_MAX;
	for (size_t k = 0; k < n->hold.n; k++) {
		const struct sim_hold *h = &n->hold.v[k];
		const int64_t meets = h->start == INT64_MIN ? h->start : h->start - run_s + 1;

		if (h->end > a->from && h->end < n->next)
			n->next = h->end;
		if (meets > a->from && meets < n->until)
			n->until = meets;
	}
	if (n->next < n->until)
		n->until = n->next;
}

static const struct sim_node *ask(struct fsi_sim *s, uint32_t i, const struct asked *a)
{
	struct sim_node *n = &s->node[i];

	if (n->round != s->round || a->from >= n->until) {
		n->round = s->round;
		note_ends(n, a);
		n->cpus = room(s, i, a, &n->gpus);
	}
	return n;
}

static bool usable(const struct fsi_plan_cluster *c, const struct fsi_plan_request *q, uint32_t i)
{
	return c->node[i].up && (!q->allowed || fsi_bit(q->allowed, i));
}

/* Chooses nodes for that time; *next: when somebody on a node of the partition ends. */
static bool fits(struct fsi_sim *s, const struct asked *a, int64_t *next)
{
	const struct fsi_plan_cluster *c = &s->p->c;
	const struct fsi_plan_part *part = &c->part[a->q->partition];

	s->work += part->n;
	s->choice.n = 0;
	s->choice.busy_first = false;
	*next = INT64_MAX;
	for (uint32_t k = 0; k < part->n; k++) {
		const uint32_t i = part->node[k];
		const struct sim_node *n;

		if (!usable(c, a->q, i))
			continue;
		n = ask(s, i, a);
		*next = n->next < *next ? n->next : *next;
		if (n->cpus <= 0)
			continue;
		s->choice.cpus[i] = n->cpus;
		s->choice.gpus[i] = n->gpus;
		s->choice.candidate[s->choice.n++] = i;
	}
	return fsi_plan_choose(&s->choice, c, a->q);
}

int64_t fsi_sim_find(struct fsi_sim *s, const struct fsi_plan_request *q, int64_t from, int64_t run_s)
{
	struct fsi_plan_request key = *q;
	struct fsi_plan_alike *alike;
	struct asked a = { .q = q, .from = from };
	bool all;
	int64_t next;

	s->round++;
	key.limit_s = run_s;
	alike = fsi_plan_alike(&s->memo, &key);
	if (alike && alike->from > a.from)
		a.from = alike->from;
	all = alike && (from <= s->p->c.now || from <= alike->from);
	for (; a.from != INT64_MAX; a.from = next) {
		a.end = a.from + run_s;
		if (fits(s, &a, &next))
			break;
	}
	if (all)
		alike->from = a.from;
	return a.from;
}

int fsi_sim_take(struct fsi_sim *s, const struct fsi_plan_request *q, int64_t start, int64_t run_s)
{
	struct sim_hold h = { .start = start, .end = start + run_s, .reservation = FSI_NO_INDEX,
			      .partition = q->partition };

	for (uint32_t k = 0; k < s->choice.nnodes; k++) {
		const uint32_t i = s->choice.node[k];

		fsi_plan_amounts_chosen(&s->p->c, q, &s->choice, k, start, h.amount);
		if (add_hold(&s->node[i], &h))
			return -1;
	}
	return 0;
}

uint64_t fsi_sim_work(const struct fsi_sim *s)
{
	return s->work;
}
