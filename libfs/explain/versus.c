/* Two jobs compared: the line in which both stand, and the first key of the order in which they differ. */
#include "explain/explain.h"

#include <math.h>
#include <string.h>

/* The term with the greatest lead of the job that goes first. */
static size_t deciding_term(const struct fs_explain_comparison *v, size_t nterms)
{
	size_t best = FS_NO_ROW;
	double max = 0;

	for (size_t t = 0; v->differences && t < nterms; t++) {
		const double lead = v->first < 0 ? v->differences[t] : -v->differences[t];

		if (lead > max) {
			max = lead;
			best = t;
		}
	}
	return best;
}

/* Does the order come to a priority, and one that is not known, before it comes to that key? Then the key says
 * nothing. */
static bool rests_on_unknown(const fs_queue *q, enum fs_queue_key key, const struct fs_explain_sum *a,
			     const struct fs_explain_sum *b)
{
	enum fs_queue_key k;

	if (!isnan(a->queue_priority) && !isnan(b->queue_priority))
		return false;
	for (size_t i = 0; (k = fs_queue_order(q, i)) != FS_QUEUE_KEY_NONE && k != FS_QUEUE_KEY_PRIORITY; i++)
		if (k == key)
			return false;
	return k == FS_QUEUE_KEY_PRIORITY;
}

static int sums_versus(fs_explain *x, const struct fs_explain_sum *a,
		       const struct fs_explain_sum *b, struct fs_explain_comparison *out)
{
	double *d;

	out->total = a->total - b->total;
	out->queue_difference = a->queue_priority - b->queue_priority;
	if (a->nterms && a->nterms == b->nterms) {
		d = fsi_arena_array(&x->arena, a->nterms, sizeof(*d));
		if (!d)
			return -1;
		for (size_t t = 0; t < a->nterms; t++)
			d[t] = a->terms[t].points - b->terms[t].points;
		out->differences = d;
	}
	if (!a->position || !b->position || a->queue_row == b->queue_row)
		return 0;
	out->key = fs_queue_deciding_key(x->from.queue, a->queue_row, b->queue_row);
	if (rests_on_unknown(x->from.queue, out->key, a, b)) {
		out->key = FS_QUEUE_KEY_PRIORITY;
		return 0;
	}
	out->first = a->queue_row < b->queue_row ? -1 : 1;
	if (out->key == FS_QUEUE_KEY_PRIORITY && !a->direct && !b->direct)
		out->term = deciding_term(out, a->nterms);
	return 0;
}

/* The pair of sums to compare: of the lines in which both jobs stand, the one that is tried first. */
static bool common_sums(const fs_explain *x, const struct fs_explain_job *a,
			const struct fs_explain_job *b, struct fs_explain_comparison *out)
{
	const bool one_line = x->from.queue && fs_queue_one_line(x->from.queue);

	for (int eligible = 1; eligible >= 0; eligible--)
		for (size_t i = 0; i < a->nsums; i++)
			for (size_t k = 0; k < b->nsums; k++) {
				const bool both = a->sums[i].position && b->sums[k].position;

				if ((strcmp(a->sums[i].partition, b->sums[k].partition) != 0 &&
				     !one_line) ||
				    (eligible && !both))
					continue;
				out->sum_a = i;
				out->sum_b = k;
				return true;
			}
	return false;
}

static int share_nodes(fs_explain *x, const char *a, const char *b, struct fs_explain_comparison *out)
{
	const fs_snapshot *m = x->m;
	const struct fsi_partition *p = fsi_partition_find(m, fsi_name_find(m, a));
	const struct fsi_partition *q = fsi_partition_find(m, fsi_name_find(m, b));
	const bool *overlaps;

	if (!p || !q)
		return 0;
	overlaps = fsi_explain_overlaps(x, (uint32_t)(p - m->partition.v));
	if (!overlaps)
		return -1;
	out->overlap = overlaps[q - m->partition.v];
	out->nodes_known = fsi_explain_nodes_known(m, (uint32_t)(p - m->partition.v)) &&
			   fsi_explain_nodes_known(m, (uint32_t)(q - m->partition.v));
	return 0;
}

int fs_explain_compare_jobs(fs_explain *x, const struct fs_explain_job *a,
			   const struct fs_explain_job *b, struct fs_explain_comparison *out)
{
	*out = (struct fs_explain_comparison){
		.sum_a = FS_NO_ROW, .sum_b = FS_NO_ROW, .term = FS_NO_ROW, .total = NAN, .queue_difference = NAN
	};
	if (!a->nsums || !b->nsums)
		return 0;
	out->same_line = common_sums(x, a, b, out);
	if (!out->same_line) {
		out->sum_a = out->sum_b = 0;
		if (share_nodes(x, a->sums[0].partition, b->sums[0].partition, out))
			return FS_ENOMEM;
	}
	return sums_versus(x, &a->sums[out->sum_a], &b->sums[out->sum_b], out) ? FS_ENOMEM : 0;
}
