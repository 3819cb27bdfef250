/* The pane of a share: its way down the tree, or the windows of a credential. */
#include "render/words.h"
#include "top/explain.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* A number with four decimals, or blanks. */
static const char *number(double v, char *buf, size_t size)
{
	if (isnan(v))
		*buf = '\0';
	else
		snprintf(buf, size, "%.4f", v);
	return buf;
}

static void tell_level(struct lines *l, const struct data *d, const struct fs_explain_level *level)
{
	const struct fs_share_row *row = fs_shares_row(d->eval.shares, level->row);
	const char *name = *row->user ? row->user : row->account;
	char share[32], usage[32], value[32], place[WORDS], siblings[2 * WORDS] = "";

	if (level->place)
		snprintf(siblings, sizeof(siblings), "   %s of %" PRIu32,
			 ordinal_words(place, level->place), level->count);
	lines_add(l, ATTR_PLAIN, "  %-18.18s %8s %8s %10s%s", name,
		  number(row->norm_shares, share, sizeof(share)),
		  number(row->effective_usage, usage, sizeof(usage)),
		  number(level->place ? row->level_fs : (double)NAN, value, sizeof(value)),
		  siblings);
}

/* ---- Maui: windows */

uint32_t explain_window(const struct data *d, const struct fs_share_row *row)
{
	const size_t n = d->eval.windows ? fs_windows_count(d->eval.windows) : 0;
	const char *kind = *row->user ? row->account : row->parent,
		   *name = *row->user ? row->user : row->account;

	for (uint32_t i = 0; i < n; i++) {
		const struct fs_window_row *w = fs_windows_row(d->eval.windows, i);

		if (!strcmp(w->name, name) && !strcmp(fs_cred_kind_name(w->kind), kind))
			return i;
	}
	return FS_NO_ROW;
}

static void tell_window(struct lines *l, const struct fs_windows_info *info,
			const struct fs_window_row *w, uint32_t i, unsigned width)
{
	const unsigned room = width > 32 ? (width - 32 < 100 ? width - 32 : 100) : 0;
	const double part = info->total_usage_s[i] > 0
				    ? w->window_usage_s[i] / info->total_usage_s[i]
				    : (double)NAN;
	char bar[384] = "", percent[32] = "";

	if (!isnan(part)) {
		lines_bar(l, bar, sizeof(bar), part, room, '=');
		snprintf(percent, sizeof(percent), "%.2f", part * 100);
	}
	lines_add(l, ATTR_PLAIN, "  %6" PRIu32 " %9.4f %9s |%s", i, info->weight[i], percent, bar);
}

static void explain_windows(struct lines *l, const struct data *d, const struct fs_window_row *w,
			    unsigned width)
{
	const struct fs_windows_info *info = fs_windows_info(d->eval.windows);
	char text[300], target[100] = "it has no target";

	if (w->target != 0)
		snprintf(target, sizeof(target), "its %s is %.2f %s%s",
			 fs_target_mode_name(w->mode), w->target, w->mode == FS_TARGET_CAP_ABS ? "s" : "%",
			 w->inherited ? ", of DEFAULT" : "");
	snprintf(text, sizeof(text), "%s %s used %.2f %% of all in the windows; %s. Factor %.4f.",
		 fs_cred_kind_name(w->kind), w->name, w->percent, target, w->factor);
	lines_wrap(l, ATTR_STRONG, width, 0, text);
	lines_add(l, ATTR_DIM, "  window    weight   usage %%");
	for (uint32_t i = 0; i < info->depth; i++)
		tell_window(l, info, w, i, width);
}

/* ---- the way down the tree */

static void tell_factor(struct lines *l, const struct data *d, const struct fs_share_row *row,
			const struct fs_explain_path *path, unsigned width)
{
	char text[1000], place[WORDS], others[WORDS], tied[2 * WORDS] = "";

	if (path->tied)
		snprintf(tied, sizeof(tied), ", equal to %s",
			 count_words(others, path->tied, "other", "others"));
	if (isnan(row->fairshare))
		snprintf(text, sizeof(text), "An account has no factor of its own: %s ranks users.",
			 d->algorithm);
	else if (*row->user && path->stands)
		snprintf(text, sizeof(text),
			 "Better than %s by %s%s. Fair-share factor %.6f.",
			 standing_of(place, path), d->algorithm, tied, row->fairshare);
	else
		snprintf(text, sizeof(text), "Fair-share factor %.6f by %s.", row->fairshare,
			 d->algorithm);
	lines_wrap(l, ATTR_STRONG, width, 0, text);
	if (fs_shares_has_levels(d->eval.shares) && *row->user)
		lines_wrap(l, ATTR_PLAIN, width, 0,
			   "Two users are compared at the highest level where their accounts differ; what is below "
			   "that level does not count.");
}

static void tell_path(struct lines *l, const struct data *d, const struct fs_explain_path *path)
{
	const bool levels = fs_shares_has_levels(d->eval.shares);

	if (path->levels)
		lines_add(l, ATTR_DIM, "  %-18s %8s %8s %10s   %s", "level", "share", "usage",
			  levels ? "LevelFS" : "", levels ? "among those beside it" : "");
	for (size_t i = 0; i < path->levels; i++)
		tell_level(l, d, &path->level[i]);
}

void explain_share(struct lines *l, const struct data *d, uint32_t i, unsigned width)
{
	const struct fs_share_row *row = fs_shares_row(d->eval.shares, i);
	const uint32_t window = explain_window(d, row);
	struct fs_explain_path path;
	struct fs_error err;
	fs_explain *x;

	if (window != FS_NO_ROW) {
		explain_windows(l, d, fs_windows_row(d->eval.windows, window), width);
		return;
	}
	if (fs_algorithm_of_credentials(d->algorithm)) {
		lines_wrap(l, ATTR_PLAIN, width, 0,
			   "Credentials of one kind, each with its share or its target.");
		return;
	}
	if (fs_explain_new(&x, &d->eval, &err)) {
		l->failed = true;
		return;
	}
	if (fs_explain_path(x, i, &path, &err)) {
		l->failed = true;
	} else {
		tell_factor(l, d, row, &path, width);
		tell_path(l, d, &path);
	}
	fs_explain_free(x);
}
