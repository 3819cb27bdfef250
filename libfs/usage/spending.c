/* Sums of charges by association, each with its most expensive jobs. */
#include "model/model.h"

#include <stdlib.h>

struct spent {
	long double tres_s;
	uint64_t jobs;
	struct fs_spent_job *job; /* by falling charge; there is room for FS_SPENDING_JOBS */
	size_t listed;
};

struct fs_spending {
	struct fsi_arena arena;
	const fs_snapshot *m;
	struct spent *by_row; /* by association, with one more for those that are not there */
	struct fs_usage_by_assoc *row;
	size_t n;
};

int fs_spending_new(fs_spending **out, const fs_snapshot *m, struct fs_error *err)
{
	fs_spending *p = calloc(1, sizeof(*p));

	if (!p)
		return fsi_nomem(err);
	p->m = m;
	p->by_row = fsi_arena_array(&p->arena, m->association.n + 1, sizeof(*p->by_row));
	p->row = fsi_arena_array(&p->arena, m->association.n + 1, sizeof(*p->row));
	if (!p->by_row || !p->row) {
		fs_spending_free(p);
		return fsi_nomem(err);
	}
	*out = p;
	return 0;
}

/* The more expensive job goes first; of equal ones the lower id, then the earlier run. */
static bool before(const struct fs_spent_job *a, const struct fs_spent_job *b)
{
	if (a->tres_s != b->tres_s)
		return a->tres_s > b->tres_s;
	return a->job != b->job ? a->job < b->job : a->start_time < b->start_time;
}

int fs_spending_charge(fs_spending *p, const struct fs_charge *c)
{
	struct spent *s = &p->by_row[c->row == FS_NO_ROW ? p->m->association.n : c->row];
	const struct fs_spent_job job = { c->job,    c->start_time, c->end_time, c->running,
					  c->rate,   c->factor,	    c->seconds,	 c->tres_s };
	size_t at;

	if (!s->job)
		s->job = fsi_arena_array(&p->arena, FS_SPENDING_JOBS, sizeof(*s->job));
	if (!s->job)
		return FS_ENOMEM;
	s->tres_s += c->tres_s;
	s->jobs++;
	at = s->listed;
	if (at == FS_SPENDING_JOBS && !before(&job, &s->job[at - 1]))
		return 0;
	at -= at == FS_SPENDING_JOBS;
	for (; at && before(&job, &s->job[at - 1]); at--)
		s->job[at] = s->job[at - 1];
	s->job[at] = job;
	s->listed += s->listed < FS_SPENDING_JOBS;
	return 0;
}

void fs_spending_free(fs_spending *p)
{
	if (!p)
		return;
	fsi_arena_release(&p->arena);
	free(p);
}

static void add_row(fs_spending *p, size_t i)
{
	const fs_snapshot *m = p->m;
	const struct spent *s = &p->by_row[i];
	const bool there = i < m->association.n;

	p->row[p->n++] = (struct fs_usage_by_assoc){
		.account = there ? fsi_str(m, m->association.v[i].account) : "",
		.user = there ? fsi_str(m, m->association.v[i].user) : "",
		.partition = there ? fsi_str(m, m->association.v[i].partition) : "",
		.row = there ? (uint32_t)i : FS_NO_ROW,
		.tres_s = (double)s->tres_s,
		.jobs = s->jobs,
		.job = s->job,
		.listed = s->listed,
	};
}

/* Rows come in the order of the tree, which decides between equals. */
static int by_charge(const void *x, const void *y, const void *ctx)
{
	const struct fs_usage_by_assoc *a = x, *b = y;

	(void)ctx;
	if (!*a->account != !*b->account)
		return *a->account ? -1 : 1;
	return (a->tres_s < b->tres_s) - (a->tres_s > b->tres_s);
}

int fs_spending_rank(fs_spending *p, const char *account, struct fs_error *err)
{
	const fs_snapshot *m = p->m;
	const uint32_t name = account ? fsi_name_find(m, account) : 0;
	const uint32_t top = name ? fsi_assoc_find(m, name, 0, 0) : account ? FSI_NO_INDEX : 0;
	const size_t end = top == FSI_NO_INDEX || !m->association.n ? 0
			   : account                                ? m->tree[top].end
								    : m->association.n;

	if (top == FSI_NO_INDEX)
		return fsi_fail(err, FS_EUSAGE, "no account \"%.100s\"", account);
	p->n = 0;
	for (size_t i = top; i < end; i++)
		if (p->by_row[i].jobs)
			add_row(p, i);
	if (!account && p->by_row[m->association.n].jobs)
		add_row(p, m->association.n);
	return fs_sort(p->row, p->n, sizeof(*p->row), by_charge, NULL) ? fsi_nomem(err) : 0;
}

size_t fs_spending_count(const fs_spending *p)
{
	return p->n;
}

const struct fs_usage_by_assoc *fs_spending_row(const fs_spending *p, size_t i)
{
	return i < p->n ? &p->row[i] : NULL;
}
