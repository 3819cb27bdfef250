/* Maui's credentials: what a word means, which jobs a credential has, and one compared with another. */
#include "explain/explain.h"

#include "fairshare/maui.h"
#include "priority/priority.h"

#include <math.h>
#include <string.h>

static uint32_t named_credential(const fs_windows *w, const char *name, bool any, enum fs_cred_kind kind)
{
	for (uint32_t i = 0; i < fs_windows_count(w); i++) {
		const struct fs_window_row *r = fs_windows_row(w, i);

		if ((any || r->kind == kind) && !strcmp(r->name, name))
			return i;
	}
	return FSI_NO_INDEX;
}

uint32_t fs_explain_find_credential(const fs_explain *x, const char *word)
{
	const fs_windows *w = x->from.windows;
	const size_t len = strcspn(word, ":");

	if (!w || !*word)
		return FSI_NO_INDEX;
	for (int k = 0; word[len] && k < FS_CRED_KINDS; k++) {
		const char *kind = fs_cred_kind_name((enum fs_cred_kind)k);

		if (strlen(kind) == len && !strncmp(word, kind, len))
			return named_credential(w, word + len + 1, false, (enum fs_cred_kind)k);
	}
	return named_credential(w, word, true, FS_CRED_USER);
}

void fs_explain_count_credential(const fs_explain *x, uint32_t window_row, struct fs_explain_count *out)
{
	const fs_windows *w = x->from.windows;
	const enum fs_cred_kind kind = fs_windows_row(w, window_row)->kind;
	struct fs_cap_row cap;

	*out = (struct fs_explain_count){ .first = FSI_NO_INDEX };
	for (uint32_t i = 0; i < x->m->job.n; i++) {
		const struct fsi_job *j = &x->m->job.v[i];
		uint32_t creds[FS_CRED_KINDS];

		fsi_job_creds(x->m, &w->w.creds, j, creds);
		if (creds[kind] == FSI_NO_INDEX || w->row_of[creds[kind]] != window_row ||
		    !fsi_viewer_sees_job(&x->viewer, j))
			continue;
		fsi_explain_count_job(x, i, out);
		if (j->state == FSI_STATE_PENDING)
			out->blocked += fs_windows_capped(w, i, &cap);
	}
}

void fs_explain_compare_credentials(const fs_explain *x, uint32_t window_row_a,
				   uint32_t window_row_b, struct fs_explain_credentials *out)
{
	const struct fs_window_row *a = fs_windows_row(x->from.windows, window_row_a);
	const struct fs_window_row *b = fs_windows_row(x->from.windows, window_row_b);
	const fs_prios *p = x->from.prios;

	*out = (struct fs_explain_credentials){ .same_kind = a->kind == b->kind, .points = NAN };
	out->weighted = p && fsi_prio_maui_fairshare(p, a->kind, a->factor, &out->a) &&
			fsi_prio_maui_fairshare(p, b->kind, b->factor, &out->b);
	out->factor = a->factor - b->factor;
	out->percent = a->percent - b->percent;
	out->usage_s = a->usage_s - b->usage_s;
	if (out->weighted)
		out->points = out->a.points - out->b.points;
}
