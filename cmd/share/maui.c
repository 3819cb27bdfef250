/* The page of Maui's `diagnose -f`. */
#include "share/share.h"

#include "render/emit.h"
#include "render/text.h"

#include <stdlib.h>
#include <string.h>

/* ---- the page of Maui's `diagnose -f`
 *
 * The layout follows src/moab/MFS.c:MFSShow. Targets are cut to 7 characters. Windows without usage are left out. */

static const char *const maui_kind_headings[FS_CRED_KINDS] = { "USER", "GROUP", "ACCT", "QOS", "CLASS" };

bool share_is_credential_kind(const char *word)
{
	for (int k = 0; k < FS_CRED_KINDS; k++)
		if (!strcmp(fs_cred_kind_name((enum fs_cred_kind)k), word))
			return true;
	return false;
}

/* Returns true if window i contains usage. Only such a window has a column on the page. */
static bool has_window_column(const struct fs_windows_info *w, uint32_t i)
{
	return w->total_usage_s[i] > 0;
}

/* Prints the first three columns of a line. The caller prints the columns of the windows after them. */
static void print_maui_first_columns(const char *heading, const char *percent, const char *target)
{
	emit("%-14s %7s %7.7s", heading, percent, target);
}

static void print_maui_windows_header(const struct fs_windows_info *w)
{
	char depth[16] = "?", interval[32] = "?";

	if (w->has_depth)
		snprintf(depth, sizeof(depth), "%u", w->depth);
	if (w->has_interval)
		text_colon_duration(interval, sizeof(interval), w->interval_s);
	emit("FairShare Information\n\nDepth: %s intervals   Interval Length: %s   Decay Rate: %.2f\n\n", depth, interval,
	     w->decay);
	emit("FS Policy: %s\nSystem FS Settings:  Target Usage: 0.00    Flags: 0\n\n", w->policy);
	print_maui_first_columns("FSInterval", "  %   ", "Target");
	for (uint32_t i = 0; i < w->depth; i++)
		if (has_window_column(w, i))
			emit(" %7u", i);
	putchar('\n');
	print_maui_first_columns("FSWeight", "-------", "-------");
	for (uint32_t i = 0; i < w->depth; i++)
		if (has_window_column(w, i))
			emit(" %7.4f", w->weight[i]);
	putchar('\n');
	print_maui_first_columns("TotalUsage", "100.00", "-------");
	for (uint32_t i = 0; i < w->depth; i++)
		if (has_window_column(w, i))
			emit(" %7.1f", w->total_usage_s[i] / 3600.0);
	putchar('\n');
}

static void print_maui_credential(const struct fs_windows_info *w, const struct fs_window_row *r)
{
	static const char marks[] = { [FS_TARGET_EXACT] = ' ',
				      [FS_TARGET_FLOOR] = '+',
				      [FS_TARGET_CEILING] = '-',
				      [FS_TARGET_CAP_REL] = '%',
				      [FS_TARGET_CAP_ABS] = '^' };
	char name[400], percent[40], target[40] = "-------";

	text_make_visible(name, sizeof(name) - 1, r->name);
	if (r->off_target)
		strcat(name, "*");
	if (r->target > 0)
		format_text(target, sizeof(target), "%.2f%c", r->target, marks[r->mode]);
	format_text(percent, sizeof(percent), "%.2f", r->percent);
	print_maui_first_columns(name, percent, target);
	for (uint32_t i = 0; i < w->depth; i++) {
		if (!has_window_column(w, i))
			continue;
		if (r->window_usage_s[i] > 0)
			emit(" %7.2f", r->window_usage_s[i] / w->total_usage_s[i] * 100.0);
		else
			emit(" -------");
	}
	putchar('\n');
}

static int compare_credential_names(const void *x, const void *y, const void *ctx)
{
	const struct fs_window_row *a = *(const struct fs_window_row *const *)x;
	const struct fs_window_row *b = *(const struct fs_window_row *const *)y;

	(void)ctx;
	if (a->kind != b->kind)
		return (a->kind > b->kind) - (a->kind < b->kind);
	return strcmp(a->name, b->name);
}

/* Returns true if the page has a line for the credential. The page has no line for the QOS DEFAULT and none for [ALL].
 * All jobs may use the QOS DEFAULT, which is not in Maui's list of QOS. [ALL] is not a credential. */
static bool is_credential_listed(const struct share_run *r, const struct fs_window_row *row)
{
	if ((row->kind == FS_CRED_QOS && !strcmp(row->name, "DEFAULT")) || !strcmp(row->name, "[ALL]"))
		return false;
	return (r->verbose || !row->empty) && (!r->kind || !strcmp(r->kind, fs_cred_kind_name(row->kind)));
}

static int print_maui_credentials(const struct share_run *r, const fs_windows *w)
{
	const struct fs_window_row **rows = calloc(fs_windows_count(w) + 1, sizeof(*rows));
	size_t n = 0;
	int kind = -1, rc;

	if (!rows)
		return -1;
	for (size_t i = 0; i < fs_windows_count(w); i++)
		if (is_credential_listed(r, fs_windows_row(w, i)))
			rows[n++] = fs_windows_row(w, i);
	rc = r->sort ? fs_sort(rows, n, sizeof(*rows), compare_credential_names, NULL) : 0;
	for (size_t i = 0; i < n && !rc; i++) {
		if ((int)rows[i]->kind != kind)
			emit("\n%s\n-------------\n", maui_kind_headings[rows[i]->kind]);
		kind = (int)rows[i]->kind;
		print_maui_credential(fs_windows_info(w), rows[i]);
	}
	free(rows);
	return rc;
}

static int check_maui_options(const struct share_run *r)
{
	if (r->sort && strcmp(r->sort, "User") != 0) {
		cmd_print_message(r->inv, "--sort: the layout of Maui can be sorted by User, not by \"%s\"", r->sort);
		return cmd_get_usage_status(r->inv);
	}
	if (r->kind && !share_is_credential_kind(r->kind)) {
		cmd_print_message(r->inv, "--kind: unknown kind \"%s\"; known: user, group, acct, qos, class", r->kind);
		return cmd_get_usage_status(r->inv);
	}
	return 0;
}

int share_print_windows_page(const struct share_run *r)
{
	fs_windows *w;
	struct fs_error err;
	int rc = check_maui_options(r);

	if (rc)
		return rc;
	if (fs_windows_compute(&w, r->snapshot, &err))
		return cmd_report_error(r->inv, &err);
	print_maui_windows_header(fs_windows_info(w));
	rc = print_maui_credentials(r, w);
	putchar('\n');
	fs_windows_free(w);
	return rc ? cmd_report_no_memory(r->inv) : EXIT_DONE;
}
