/* What a user's word means, and the object that keeps an explanation. */
#include "explain/explain.h"

#include "model/job/word.h"

#include <stdlib.h>
#include <string.h>

/* Rows are looked at backwards, so that the first one of each job is what stays. */
static int map_prios(fs_explain *x)
{
	const fs_prios *p = x->from.prios;

	if (!p)
		return 0;
	x->prio_row = fsi_arena_alloc(&x->arena, (x->m->job.n + 1) * sizeof(*x->prio_row));
	if (!x->prio_row)
		return -1;
	memset(x->prio_row, 0xff, (x->m->job.n + 1) * sizeof(*x->prio_row)); /* FSI_NO_INDEX */
	for (size_t i = p->row.n; i-- > 0;)
		x->prio_row[p->row.v[i].job] = (uint32_t)i;
	return 0;
}

int fs_explain_new(fs_explain **out, const struct fs_eval *from, struct fs_error *err)
{
	fs_explain *x = calloc(1, sizeof(*x));

	if (!x)
		return fsi_nomem(err);
	x->from = *from;
	x->m = from->snapshot;
	fsi_viewer_init(&x->viewer, x->m, from->viewer);
	if (map_prios(x)) {
		fs_explain_free(x);
		return fsi_nomem(err);
	}
	*out = x;
	return 0;
}

void fs_explain_free(fs_explain *x)
{
	if (!x)
		return;
	fsi_arena_release(&x->arena);
	free(x);
}

/* ---- jobs */

uint32_t fs_explain_find_job(const fs_explain *x, const char *word)
{
	struct fsi_job_word w;
	uint32_t found;
	int best = 0;

	if (fsi_job_word_parse(x->m, word, &w))
		return FSI_NO_INDEX;
	found = fsi_job_word_row(x->m, &w);
	if (found != FSI_NO_INDEX && fsi_viewer_sees_job(&x->viewer, &x->m->job.v[found]))
		return found;
	found = FSI_NO_INDEX;
	for (uint32_t i = 0; i < x->m->job.n && best < 3; i++) {
		const int f = fsi_job_word_fit(x->m, &x->m->job.v[i], &w);

		if (f > best && fsi_viewer_sees_job(&x->viewer, &x->m->job.v[i])) {
			best = f;
			found = i;
		}
	}
	return found;
}

/* ---- accounts and users */

static bool sees(const fs_explain *x, uint32_t row)
{
	return x->from.shares ? x->from.shares->rows[row].visible
			      : fsi_viewer_sees_usage(&x->viewer, &x->m->association.v[row]);
}

uint32_t fs_explain_find_row(const fs_explain *x, const char *account, const char *user)
{
	const fs_snapshot *m = x->m;
	const uint32_t a = *account ? fsi_name_find(m, account) : 0,
		       u = *user ? fsi_name_find(m, user) : 0;
	const struct fsi_user *record = u ? fsi_user_find(m, u) : NULL;
	uint32_t found = FSI_NO_INDEX;

	if ((*account && !a) || (*user && !u))
		return FSI_NO_INDEX;
	for (uint32_t i = 0; i < m->association.n; i++) {
		const struct fsi_association *s = &m->association.v[i];

		if (s->user != u || (a && s->account != a) || !sees(x, i))
			continue;
		if (a || !record || s->account == record->default_account)
			return i;
		if (found == FSI_NO_INDEX)
			found = i;
	}
	return found;
}

void fsi_explain_count_job(const fs_explain *x, uint32_t i, struct fs_explain_count *out)
{
	const struct fs_reason *reason;

	switch (fsi_explain_section(x, i, &reason)) {
	case FS_SECTION_RUNNING:
	case FS_SECTION_SUSPENDED:
		out->running++;
		break;
	case FS_SECTION_ENDED:
	case FS_SECTION_COMPLETING:
		break;
	case FS_SECTION_HELD:
		out->held++;
		out->pending++;
		break;
	default:
		out->pending++;
	}
}

void fs_explain_count(const fs_explain *x, uint32_t share_row, struct fs_explain_count *out)
{
	const fs_snapshot *m = x->m;
	const uint32_t end = m->tree[share_row].end;

	*out = (struct fs_explain_count){ .first = FSI_NO_INDEX };
	for (uint32_t i = 0; i < m->job.n; i++) {
		const uint32_t assoc = fsi_explain_charged(m, &m->job.v[i]);

		if (assoc != FSI_NO_INDEX && assoc >= share_row && assoc < end &&
		    fsi_viewer_sees_job(&x->viewer, &m->job.v[i]))
			fsi_explain_count_job(x, i, out);
	}
	for (size_t i = 0; x->from.queue && i < x->from.queue->record.n; i++) {
		const struct fsi_queue_record *r = &x->from.queue->record.v[i];
		const uint32_t assoc = fsi_explain_charged(m, &m->job.v[r->job]);

		if (!r->tried)
			break;
		if (!r->eligible || !r->position || assoc == FSI_NO_INDEX || assoc < share_row || assoc >= end ||
		    !fsi_viewer_sees_job(&x->viewer, &m->job.v[r->job]))
			continue;
		if (!out->eligible++)
			out->first = r->job;
	}
}
