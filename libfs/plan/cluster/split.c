/* How much a job that runs on several nodes holds on each. A snapshot tells the job's amounts in all, what is in use on
 * each node, and maybe what the job has on each (told). Where all jobs of a node but one are known, the rest is that
 * one's; where all nodes of a job but one are known, so is the last. When neither helps, the jobs go one after the
 * other as they started, and CPUs fill a job's first nodes, but for a core for each of its others (select/cons_tres:
 * _cpus_to_use); of other resources, and where a node does not tell what is in use, the next node gets an even part.
 * Memory goes with the CPUs, or evenly if it was asked for by node. Resources that are no TRES of the cluster stay as
 * they are (libfs/plan/cluster/gres.c). One resource at a time. */
#include "plan/plan.h"

#include <stdlib.h>

struct job_left {
	uint32_t first, n; /* its pieces */
	uint32_t open;     /* pieces of them not yet known */
	int64_t left;      /* amount not yet given to one of them */
};

struct node_left {
	uint32_t first; /* a piece that was open, or FSI_NO_INDEX */
	uint32_t open;
	bool tells;   /* what is in use there */
	int64_t left; /* in use by what is not yet known */
};

struct splitting {
	const struct fsi_plan_cluster *c;
	struct fsi_plan_piece *piece;
	uint32_t npieces, njobs, norder, r;
	uint32_t *order; /* jobs of several pieces, those that started first before the others */
	uint32_t *job_of, *next; /* by piece: its job, the next piece on its node */
	bool *known;
	struct job_left *job;
	struct node_left *node;
	uint32_t *ready, nready; /* pieces whose amounts follow from the others' */
};

static void propagate(struct splitting *s, const struct job_left *j, const struct node_left *n)
{
	for (uint32_t k = n->open == 1 && n->tells ? n->first : FSI_NO_INDEX; k != FSI_NO_INDEX;
	     k = s->next[k])
		if (!s->known[k])
			s->ready[s->nready++] = k;
	for (uint32_t k = j->first; j->open == 1 && k < j->first + j->n; k++)
		if (!s->known[k])
			s->ready[s->nready++] = k;
}

static void assign(struct splitting *s, uint32_t k, int64_t amount)
{
	struct job_left *j = &s->job[s->job_of[k]];
	struct node_left *n = &s->node[s->piece[k].node];

	if (amount > j->left)
		amount = j->left;
	if (amount < 0)
		amount = 0;
	s->known[k] = true;
	s->piece[k].amount[s->r] = amount;
	j->left -= amount;
	n->left -= amount;
	j->open--;
	n->open--;
	propagate(s, j, n);
}

static void follow(struct splitting *s)
{
	while (s->nready) {
		const uint32_t k = s->ready[--s->nready];
		const struct job_left *j = &s->job[s->job_of[k]];

		if (!s->known[k])
			assign(s, k, j->open == 1 ? j->left : s->node[s->piece[k].node].left);
	}
}

static int64_t even_part(const struct job_left *j)
{
	return j->left / j->open + (j->left % j->open != 0);
}

static int64_t fill_piece(const struct splitting *s, uint32_t k)
{
	const struct job_left *j = &s->job[s->job_of[k]];
	const struct node_left *n = &s->node[s->piece[k].node];
	const int64_t others = (int64_t)s->c->node[s->piece[k].node].threads * (j->open - 1);
	const int64_t room = n->left - (int64_t)(n->open - 1);
	const int64_t max = room < j->left - others ? room : j->left - others;

	return !n->tells ? even_part(j) : max > 0 ? max : 1;
}

static void split_job(struct splitting *s, const struct job_left *j)
{
	for (uint32_t k = j->first; k < j->first + j->n; k++) {
		if (s->known[k])
			continue;
		assign(s, k, s->r == FSI_RES_CPU ? fill_piece(s, k) : even_part(j));
		follow(s);
	}
}

static void split_resource(struct splitting *s)
{
	for (uint32_t k = 0; k < s->npieces; k++) {
		const struct node_left *n = &s->node[s->piece[k].node];

		if (!s->known[k] && n->tells && n->open == 1)
			s->ready[s->nready++] = k;
		follow(s);
	}
	for (uint32_t i = 0; i < s->norder; i++)
		split_job(s, &s->job[s->order[i]]);
}

/* The memory of a piece whose CPUs are known. */
static int64_t memory_of(const struct splitting *s, uint32_t k, int64_t all)
{
	const struct job_left *j = &s->job[s->job_of[k]];
	int64_t cpus = 0;

	if (!s->c->m->job.v[s->piece[k].job].mem_per_cpu_mb)
		return all / j->n + (k - j->first < all % j->n);
	for (uint32_t i = j->first; i < j->first + j->n; i++)
		cpus += s->piece[i].amount[FSI_RES_CPU];
	return cpus ? all / cpus * s->piece[k].amount[FSI_RES_CPU] : 0;
}

static void split_memory(struct splitting *s)
{
	for (uint32_t i = 0; i < s->njobs; i++) {
		const struct job_left *j = &s->job[i];
		int64_t all = 0;

		for (uint32_t k = j->first; k < j->first + j->n; k++)
			all += s->piece[k].amount[FSI_RES_MEM];
		for (uint32_t k = j->first; j->n > 1 && k < j->first + j->n; k++)
			if (!(s->piece[k].told >> FSI_RES_MEM & 1))
				s->piece[k].amount[FSI_RES_MEM] = memory_of(s, k, all);
	}
}

/* A node that has none of a generic resource gives none: the others have the job's. */
static void leave_out(struct splitting *s, struct job_left *j, uint32_t k)
{
	int64_t *amount = &s->piece[k].amount[s->r];

	if (s->r < FSI_RES_GRES || s->c->node[s->piece[k].node].total[s->r])
		return;
	s->known[k] = true;
	j->left += *amount;
	*amount = 0;
	j->open--;
}

/* Pieces that are the only ones of their job are known as they are, and so are CPUs that were told. */
static void begin_resource(struct splitting *s, uint32_t r, bool complete)
{
	s->r = r;
	for (uint32_t i = 0; i < s->c->nnodes; i++) {
		s->node[i] = (struct node_left){ .first = FSI_NO_INDEX };
		s->node[i].tells = complete && fsi_plan_used(s->c, i, r, &s->node[i].left);
	}
	for (uint32_t j = 0; j < s->njobs; j++) {
		s->job[j].open = s->job[j].n;
		s->job[j].left = 0;
	}
	for (uint32_t k = 0; k < s->npieces; k++) {
		struct job_left *j = &s->job[s->job_of[k]];
		struct node_left *n = &s->node[s->piece[k].node];

		s->known[k] = j->n == 1 || s->piece[k].told >> r & 1;
		if (!s->known[k])
			leave_out(s, j, k);
		if (s->known[k]) {
			n->left -= s->piece[k].amount[r];
			continue;
		}
		j->left += s->piece[k].amount[r];
		s->next[k] = n->first;
		n->first = k;
		n->open++;
	}
}

static void number_jobs(struct splitting *s)
{
	for (uint32_t k = 0; k < s->npieces; k++) {
		if (!k || s->piece[k].job != s->piece[k - 1].job)
			s->job[s->njobs++] = (struct job_left){ .first = k };
		s->job_of[k] = s->njobs - 1;
		s->job[s->njobs - 1].n++;
	}
}

static int by_start(const void *x, const void *y, const void *ctx)
{
	const struct splitting *s = ctx;
	const uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
	const struct fsi_job *i = &s->c->m->job.v[s->piece[s->job[a].first].job],
			     *j = &s->c->m->job.v[s->piece[s->job[b].first].job];

	if (i->start_time != j->start_time)
		return i->start_time < j->start_time ? -1 : 1;
	return (i->id > j->id) - (i->id < j->id);
}

static int sort_jobs(struct splitting *s)
{
	for (uint32_t i = 0; i < s->njobs; i++)
		if (s->job[i].n > 1)
			s->order[s->norder++] = i;
	return fs_sort(s->order, s->norder, sizeof(*s->order), by_start, s);
}

static int split_all(struct splitting *s)
{
	number_jobs(s);
	if (sort_jobs(s))
		return -1;
	for (uint32_t r = 0; r < s->c->ncounted; r++) {
		if (r == FSI_RES_MEM) {
			split_memory(s);
			continue;
		}
		begin_resource(s, r, !fsi_hidden(s->c->m, "job"));
		split_resource(s);
	}
	return 0;
}

int fsi_plan_split(const struct fsi_plan_cluster *c, struct fsi_plan_piece *piece, uint32_t n)
{
	const size_t room = (size_t)n + 1;
	struct splitting s = { .c = c,
			       .piece = piece,
			       .npieces = n,
			       .job_of = calloc(room, sizeof(*s.job_of)),
			       .next = calloc(room, sizeof(*s.next)),
			       .known = calloc(room, sizeof(*s.known)),
			       .job = calloc(room, sizeof(*s.job)),
			       .order = calloc(room, sizeof(*s.order)),
			       .node = calloc((size_t)c->nnodes + 1, sizeof(*s.node)),
			       .ready = calloc(3 * room, sizeof(*s.ready)) };
	const int rc = s.job_of && s.next && s.known && s.job && s.order && s.node && s.ready ? split_all(&s)
											   : -1;

	free(s.order);
	free(s.job_of);
	free(s.next);
	free(s.known);
	free(s.job);
	free(s.node);
	free(s.ready);
	return rc;
}
