/* The change of a priority by its terms, matched by name: the two states need not have the same. */
#include "compare/compare.h"

#include "priority/priority.h"

#include <math.h>
#include <string.h>

static struct fsi_compared_term *term_named(struct fs_comparison *c, const char *name)
{
	struct fsi_compared_term *t = c->term;

	while (t < c->term + c->nterms && strcmp(t->name, name) != 0)
		t++;
	if (t == c->term + c->nterms) {
		*t = (struct fsi_compared_term){ name, { FS_NO_ROW, FS_NO_ROW } };
		c->nterms++;
	}
	return t;
}

int fsi_compare_terms_init(struct fs_comparison *c)
{
	size_t n = 1;

	for (int k = 0; k < 2; k++)
		n += c->side[k].eval->prios ? fs_prios_terms(c->side[k].eval->prios) : 0;
	c->term = fsi_arena_array(&c->arena, n, sizeof(*c->term));
	if (!c->term)
		return -1;
	for (int k = 0; k < 2; k++) {
		const fs_prios *p = c->side[k].eval->prios;

		for (size_t t = 0; p && t < fs_prios_terms(p); t++)
			term_named(c, fs_prios_weights(p)[t].name)->at[k] = t;
	}
	return 0;
}

/* Both the rows of the priorities and the jobs that are asked for rise, so that the search goes on from where the
 * last one ended. */
static size_t first_of(struct fsi_compared_part *part, int side, uint32_t job_row)
{
	const fs_prios *p = part->c->side[side].eval->prios;
	size_t i = part->prio_at[side];

	while (p && i < p->row.n && p->row.v[i].job < job_row)
		i++;
	part->prio_at[side] = i;
	return i;
}

static bool find_row(struct fsi_compared_part *part, int side, uint32_t job_row, const struct fs_compared_job *as,
		     struct fs_prio_row *row)
{
	const fs_prios *p = part->c->side[side].eval->prios;

	for (size_t i = first_of(part, side, job_row); p && i < p->row.n && p->row.v[i].job == job_row; i++) {
		const struct fsi_prio_row *r = &p->row.v[i];

		if (!strcmp(fsi_str(p->m, r->partition_name), as->partition[side]) &&
		    (!*as->qos[side] || !strcmp(fsi_str(p->m, r->qos), as->qos[side])))
			return fs_prios_brief(p, i, row);
	}
	return false;
}

static double points(const struct fs_prio_row *row, size_t at)
{
	return at == FS_NO_ROW || row->direct ? 0 : row->terms[at].points;
}

/* A priority that an administrator set has no terms: it is one itself. */
static double set(const struct fs_prio_row *row)
{
	return row->direct ? row->sum : 0;
}

static void add_change(struct fs_compared_job *row, struct fs_term_change *v, const char *name, double change)
{
	if (change == 0)
		return;
	v[row->nterms++] = (struct fs_term_change){ name, change };
	row->sum_change += change;
}

int fsi_compare_terms(struct fsi_compared_part *p, const uint32_t job_row[2], struct fs_compared_job *row)
{
	const struct fs_comparison *c = p->c;
	struct fs_prio_row of[2];
	struct fs_term_change *v;

	if (!find_row(p, FS_BEFORE, job_row[0], row, &of[0]) || !find_row(p, FS_AFTER, job_row[1], row, &of[1]))
		return 0;
	row->priority[0] = of[0].priority;
	row->priority[1] = of[1].priority;
	if (of[0].priority == of[1].priority || isnan(of[0].priority) || isnan(of[1].priority))
		return 0;
	v = fsi_arena_array(&p->arena, c->nterms + 1, sizeof(*v));
	if (!v)
		return -1;
	row->terms = v;
	row->sum_change = 0;
	for (size_t t = 0; t < c->nterms; t++)
		add_change(row, v, c->term[t].name,
			   points(&of[1], c->term[t].at[1]) - points(&of[0], c->term[t].at[0]));
	add_change(row, v, "direct", set(&of[1]) - set(&of[0]));
	row->rest_change = row->priority[1] - row->priority[0] - row->sum_change;
	return 0;
}
