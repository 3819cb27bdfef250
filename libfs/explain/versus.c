/* Two jobs against each other: where they meet, and the first key that parts them. */
#include "explain/explain.h"

#include <math.h>
#include <string.h>

/* The pair of sums to compare: in a partition that both want and stand in line, the one tried first. */
static bool common_sums(const struct fs_explain_job *a, const struct fs_explain_job *b, struct fs_explain_versus *out)
{
	for (int in_line = 1; in_line >= 0; in_line--)
		for (size_t i = 0; i < a->nsums; i++)
			for (size_t k = 0; k < b->nsums; k++) {
				const bool both = a->sums[i].position && b->sums[k].position;

				if (strcmp(a->sums[i].partition, b->sums[k].partition) != 0 || (in_line && !both))
					continue;
				out->sum_a = i;
				out->sum_b = k;
				return true;
			}
	return false;
}

static bool nodes_shared(fs_explain *x, const char *a, const char *b)
{
	const fs_snapshot *m = x->m;
	const struct fsi_partition *p = fsi_partition_find(m, fsi_name_find(m, a));
	const struct fsi_partition *q = fsi_partition_find(m, fsi_name_find(m, b));
	const bool *overlaps = p && q ? fsi_explain_overlaps(x, (uint32_t)(p - m->partition.v)) : NULL;

	return overlaps && overlaps[q - m->partition.v];
}

/* Of the one that goes first: the term with the greatest lead. */
static size_t deciding_term(const struct fs_explain_sum *first, const struct fs_explain_sum *second)
{
	size_t best = SIZE_MAX;

	for (size_t t = 0; !first->direct && !second->direct && t < first->nterms; t++) {
		const double lead = first->terms[t].points - second->terms[t].points;

		if (lead > 0 && (best == SIZE_MAX || lead > first->terms[best].points - second->terms[best].points))
			best = t;
	}
	return best;
}

int fs_explain_jobs_versus(fs_explain *x, const struct fs_explain_job *a, const struct fs_explain_job *b,
			   struct fs_explain_versus *out)
{
	const struct fs_explain_sum *s, *t;

	*out = (struct fs_explain_versus){ .sum_a = SIZE_MAX, .sum_b = SIZE_MAX, .term = SIZE_MAX };
	if (!a->nsums || !b->nsums)
		return 0;
	out->same_partition = out->overlap = common_sums(a, b, out);
	if (!out->same_partition) {
		out->sum_a = out->sum_b = 0;
		out->overlap = nodes_shared(x, a->sums[0].partition, b->sums[0].partition);
	}
	s = &a->sums[out->sum_a];
	t = &b->sums[out->sum_b];
	if (!s->position || !t->position || a->job_row == b->job_row)
		return 0;
	out->key = fs_queue_parts(x->from.queue, s->queue_row, t->queue_row);
	out->first = s->queue_row < t->queue_row ? -1 : 1;
	if (out->key == FS_KEY_PRIORITY)
		out->term = out->first < 0 ? deciding_term(s, t) : deciding_term(t, s);
	return 0;
}
