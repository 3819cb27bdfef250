/* A Maui snapshot as fs_shares: the total, the kinds below it, the credentials below those.
 *
 *   norm_shares      target / 100 (NAN: none, or a cap in seconds)
 *   raw_usage        decayed sum of the windows, seconds
 *   norm_usage, effective_usage   that over the total
 *   fairshare        the factor Maui's priority gets: how far below the target the usage is */
#include "fairshare/maui.h"

#include <math.h>
#include <stdlib.h>

static struct fs_share_row blank_row(uint32_t i, const char *account, uint32_t depth,
				     uint32_t parent)
{
	return (struct fs_share_row){
		.account = account,
		.parent = "",
		.user = "",
		.partition = "",
		.id = i + 1,
		.depth = depth,
		.row = i,
		.parent_row = parent,
		.norm_shares = NAN,
		.norm_usage = NAN,
		.effective_usage = NAN,
		.raw_usage = NAN,
		.late_usage = NAN,
		.fairshare = NAN,
		.level_fs = NAN,
		.low = NAN,
		.high = NAN,
		.position = NAN,
		.stored_fairshare = NAN,
		.listed_usage = NAN,
		.counted = true,
		.active = true,
		.visible = true,
	};
}

static void fill_row(struct fs_share_row *r, const struct fs_window_row *c, bool any)
{
	const bool user = c->kind == FS_CRED_USER;

	r->account = user ? r->parent : c->name;
	r->user = user ? c->name : "";
	if (c->target > 0 && c->mode != FS_TARGET_CAP_ABS)
		r->norm_shares = c->target / 100;
	r->raw_usage = c->usage_s;
	r->norm_usage = r->effective_usage = any ? c->percent / 100 : 0;
	if (c->target > 0 && c->mode != FS_TARGET_CAP_ABS && c->mode != FS_TARGET_CAP_REL)
		r->fairshare = c->factor;
}

static void make_rows(struct fs_shares *s, const fs_windows *w)
{
	const double total = fs_windows_info(w)->usage_s;
	uint32_t n = 0, above = 0;
	int kind = -1;

	s->rows[n] = blank_row(n, "root", 0, FS_NO_ROW);
	s->rows[n].raw_usage = total;
	s->rows[n++].effective_usage = 1;
	for (size_t i = 0; i < fs_windows_count(w); i++) {
		const struct fs_window_row *c = fs_windows_row(w, i);

		if (c->empty)
			continue;
		if ((int)c->kind != kind) {
			kind = (int)c->kind;
			above = n;
			s->rows[n] = blank_row(n, fs_cred_kind_name(c->kind), 1, 0);
			s->rows[n++].parent = "root";
		}
		s->rows[n] = blank_row(n, "", 2, above);
		s->rows[n].parent = fs_cred_kind_name(c->kind);
		s->f.users += c->kind == FS_CRED_USER;
		fill_row(&s->rows[n++], c, total > 0 || isnan(total));
	}
	s->f.n = n;
}

static int maui_shares(fs_shares **out, const fs_snapshot *m, const struct fs_view *o,
		       struct fs_error *err)
{
	fs_windows *w = NULL;
	struct fs_shares *s;
	int rc = fs_windows_compute(&w, m, o ? o->maui_dialect : FS_MAUI_CODE, err);

	if (rc)
		return rc;
	s = calloc(1, sizeof(*s));
	if (s)
		s->rows = fsi_arena_array(&s->arena, fs_windows_count(w) + FS_CRED_KINDS + 1,
					  sizeof(*s->rows));
	if (!s || !s->rows) {
		fs_shares_free(s);
		fs_windows_free(w);
		return fsi_nomem(err);
	}
	s->algorithm = &fsi_maui;
	s->f.m = m;
	make_rows(s, w);
	fs_windows_free(w);
	*out = s;
	return 0;
}

const struct fsi_algorithm fsi_maui = {
	.name = "maui",
	.summary = "targets against decaying windows",
	.own_rows = maui_shares,
};
