#include "share/share.h"

#include "render/emit.h"
#include "render/format.h"
#include "render/text.h"

#include <stdlib.h>
#include <string.h>

/* What Maui's `diagnose -f` prints. The layout is that of src/moab/MFS.c:MFSShow, its cut targets and vanishing empty
 * windows included. */

static const char *const headings[FS_CRED_KINDS] = { "USER", "GROUP", "ACCT", "QOS", "CLASS" };

bool share_is_credential_kind(const char *word)
{
	for (int k = 0; k < FS_CRED_KINDS; k++)
		if (!strcmp(fs_cred_kind_name((enum fs_cred_kind)k), word))
			return true;
	return false;
}

/* A window in which nothing at all was used has no column. */
static bool shown(const struct fs_windows_info *w, uint32_t i)
{
	return w->total_usage_s[i] > 0;
}

/* The first columns of a line; those of the windows follow. */
static void put_first(const char *label, const char *percent, const char *target)
{
	emit("%-14s %7s %7.7s", label, percent, target);
}

static void print_windows_header(const struct fs_windows_info *w)
{
	char depth[16] = "?", length[32] = "?";

	if (w->has_depth)
		snprintf(depth, sizeof(depth), "%u", w->depth);
	if (w->has_interval)
		text_colon_duration(length, sizeof(length), w->interval_s);
	emit("FairShare Information\n\nDepth: %s intervals   Interval Length: %s   Decay Rate: %.2f\n\n", depth, length,
	     w->decay);
	emit("FS Policy: %s\nSystem FS Settings:  Target Usage: 0.00    Flags: 0\n\n", w->policy);
	put_first("FSInterval", "  %   ", "Target");
	for (uint32_t i = 0; i < w->depth; i++)
		if (shown(w, i))
			emit(" %7u", i);
	putchar('\n');
	put_first("FSWeight", "-------", "-------");
	for (uint32_t i = 0; i < w->depth; i++)
		if (shown(w, i))
			emit(" %7.4f", w->weight[i]);
	putchar('\n');
	put_first("TotalUsage", "100.00", "-------");
	for (uint32_t i = 0; i < w->depth; i++)
		if (shown(w, i))
			emit(" %7.1f", w->total_usage_s[i] / 3600.0);
	putchar('\n');
}

static void print_window_row(const struct fs_windows_info *w, const struct fs_window_row *r)
{
	static const char marks[] = { [FS_TARGET_EXACT] = ' ',
				      [FS_TARGET_FLOOR] = '+',
				      [FS_TARGET_CEILING] = '-',
				      [FS_TARGET_CAP_REL] = '%',
				      [FS_TARGET_CAP_ABS] = '^' };
	char name[400], percent[40], target[40] = "-------";

	text_visible(name, sizeof(name) - 1, r->name);
	if (r->off_target)
		strcat(name, "*");
	if (r->target > 0)
		format_text(target, sizeof(target), "%.2f%c", r->target, marks[r->mode]);
	format_text(percent, sizeof(percent), "%.2f", r->percent);
	put_first(name, percent, target);
	for (uint32_t i = 0; i < w->depth; i++) {
		if (!shown(w, i))
			continue;
		if (r->window_usage_s[i] > 0)
			emit(" %7.2f", r->window_usage_s[i] / w->total_usage_s[i] * 100.0);
		else
			emit(" -------");
	}
	putchar('\n');
}

static int by_name(const void *x, const void *y, const void *ctx)
{
	const struct fs_window_row *a = *(const struct fs_window_row *const *)x;
	const struct fs_window_row *b = *(const struct fs_window_row *const *)y;

	(void)ctx;
	if (a->kind != b->kind)
		return (a->kind > b->kind) - (a->kind < b->kind);
	return strcmp(a->name, b->name);
}

/* The QOS that all may use is not in Maui's list of QOS, and [ALL] of any kind is no credential. */
static bool listed(const struct share_run *r, const struct fs_window_row *row)
{
	if ((row->kind == FS_CRED_QOS && !strcmp(row->name, "DEFAULT")) || !strcmp(row->name, "[ALL]"))
		return false;
	return (r->verbose || !row->empty) && (!r->kind || !strcmp(r->kind, fs_cred_kind_name(row->kind)));
}

static int print_window_rows(const struct share_run *r, const fs_windows *w)
{
	const struct fs_window_row **rows = calloc(fs_windows_count(w) + 1, sizeof(*rows));
	size_t n = 0;
	int kind = -1, rc;

	if (!rows)
		return -1;
	for (size_t i = 0; i < fs_windows_count(w); i++)
		if (listed(r, fs_windows_row(w, i)))
			rows[n++] = fs_windows_row(w, i);
	rc = r->sort ? fs_sort(rows, n, sizeof(*rows), by_name, NULL) : 0;
	for (size_t i = 0; i < n && !rc; i++) {
		if ((int)rows[i]->kind != kind)
			emit("\n%s\n-------------\n", headings[rows[i]->kind]);
		kind = (int)rows[i]->kind;
		print_window_row(fs_windows_info(w), rows[i]);
	}
	free(rows);
	return rc;
}

static int check(const struct share_run *r)
{
	if (r->sort && strcmp(r->sort, "User") != 0) {
		complain(r->inv, "--sort: rows of this layout can be sorted by User, not by \"%s\"", r->sort);
		return usage_status(r->inv);
	}
	if (r->kind && !share_is_credential_kind(r->kind)) {
		complain(r->inv, "--kind: no kind \"%s\"; there are: user, group, acct, qos, class", r->kind);
		return usage_status(r->inv);
	}
	return 0;
}

int share_windows(const struct share_run *r)
{
	fs_windows *w;
	struct fs_error err;
	int rc = check(r);

	if (rc)
		return rc;
	if (fs_windows_compute(&w, r->snapshot, &err))
		return report(r->inv, &err);
	print_windows_header(fs_windows_info(w));
	rc = print_window_rows(r, w);
	putchar('\n');
	fs_windows_free(w);
	return rc ? no_memory(r->inv) : EXIT_DONE;
}
