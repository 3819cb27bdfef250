/* Requests that are alike, in a table. In a cycle nodes are only taken: where too few were left to one too few are left
 * to all like it that follow, and where jobs give up too few by a moment, too few by then. But a start that the select
 * plugin gave and that was not taken may be taken then, when the next one to be tried has moved away: it is asked
 * again. */
#include "base/bytes.h"
#include "plan/room/memo.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_SIZE = 64, MAX_TRIES = 1024 };

static void read_fields(int64_t *f, const struct fsi_plan_request *q)
{
	memset(f, 0, sizeof(((struct fsi_plan_alike *)0)->field));
	f[0] = q->partition;
	f[1] = q->limit_s;
	f[2] = (int64_t)q->min_nodes << 32 | q->max_nodes;
	f[3] = (int64_t)q->share << 32 | q->want_nodes;
	f[4] = q->cpus;
	f[5] = q->step;
	f[6] = q->min;
	f[7] = q->tasks;
	f[8] = q->cpus_per_node;
	f[9] = q->mem_per_cpu;
	memcpy(&f[10], &q->per_node[FSI_RES_MEM], (FSI_RES_MAX - 1) * sizeof(*f));
	f[17] = q->whole | q->contiguous << 1 | q->least_loaded << 2 | q->own_cores << 3 | q->all_memory << 4 |
		q->uncut << 5 | q->core_threads << 6;
	f[18] = (int64_t)q->gpus_in_all << 32 | q->gpus_per_task;
	f[19] = (int64_t)q->cpus_per_gpu << 1 | q->asked_per_gpu;
	f[20] = q->mem_per_gpu;
	f[21] = q->cpus_of_gpus;
	f[22] = q->on_socket;
	f[23] = q->on_node;
	f[24] = q->longest_s;
}

/* The place where an entry with these fields stands, or would stand. */
static struct fsi_plan_alike *find_place(const struct fsi_plan_memo *m, const int64_t *f)
{
	const size_t n = sizeof(m->v->field) / sizeof(*f);

	for (uint64_t i = fsi_hash_fields(f, n);; i++) {
		struct fsi_plan_alike *a = &m->v[i & (m->size - 1)];

		if (!a->used || !memcmp(a->field, f, sizeof(a->field)))
			return a;
	}
}

static int grow(struct fsi_plan_memo *m)
{
	struct fsi_plan_memo bigger = *m;

	bigger.size = m->size ? 2 * m->size : FIRST_SIZE;
	bigger.v = calloc(bigger.size, sizeof(*bigger.v));
	if (!bigger.v)
		return -1;
	for (uint32_t i = 0; i < m->size; i++)
		if (m->v[i].used)
			*find_place(&bigger, m->v[i].field) = m->v[i];
	free(m->v);
	*m = bigger;
	return 0;
}

struct fsi_plan_alike *fsi_plan_alike(struct fsi_plan_memo *m, const struct fsi_plan_request *q)
{
	int64_t f[sizeof(m->v->field) / sizeof(*m->v->field)];
	struct fsi_plan_alike *a;

	if (q->allowed || q->required || q->preempts || q->own_user || q->max_switches ||
	    q->reservation != FSI_NO_INDEX || (2 * (m->n + 1) > m->size && grow(m)))
		return NULL;
	read_fields(f, q);
	a = find_place(m, f);
	if (!a->used) {
		m->n++;
		a->used = true;
		a->round = a->wait_round = UINT32_MAX;
		memcpy(a->field, f, sizeof(f));
	}
	return a;
}

void fsi_plan_note_tried(struct fsi_plan_tries *t, struct fsi_plan_tried tried)
{
	struct fsi_plan_tried *last = t->n ? &t->v[t->n - 1] : NULL;

	if (last && last->never && tried.never && tried.start <= last->until)
		last->until = tried.until > last->until ? tried.until : last->until;
	else if (t->n < MAX_TRIES && !FSI_VEC_ROOM(t))
		t->v[t->n++] = tried;
}

const struct fsi_plan_tried *fsi_plan_tried(const struct fsi_plan_tries *t, int64_t start, size_t *at)
{
	while (*at + 1 < t->n && t->v[*at + 1].start <= start)
		++*at;
	return *at < t->n && t->v[*at].start <= start && t->v[*at].until > start ? &t->v[*at] : NULL;
}

int fsi_plan_memo_copy(struct fsi_plan_memo *to, const struct fsi_plan_memo *m)
{
	*to = *m;
	to->v = malloc(m->size * sizeof(*to->v) + 1);
	if (!to->v) {
		*to = (struct fsi_plan_memo){ 0 };
		return -1;
	}
	if (m->size)
		memcpy(to->v, m->v, m->size * sizeof(*to->v));
	for (uint32_t i = 0; i < m->size; i++) {
		to->v[i].node = NULL;
		to->v[i].tries = (struct fsi_plan_tries){ 0 };
		to->v[i].round = to->v[i].wait_round = UINT32_MAX;
	}
	return 0;
}

void fsi_plan_memo_release(struct fsi_plan_memo *m)
{
	for (uint32_t i = 0; i < m->size; i++) {
		free(m->v[i].node);
		FSI_VEC_FREE(&m->v[i].tries);
	}
	free(m->v);
	*m = (struct fsi_plan_memo){ 0 };
}
