/* fs-snap check: reads a snapshot and tells what is odd about it. */
#include "input.h"

#include "dialect/dialect.h"
#include "index.h"
#include "render/emit.h"
#include "snap/snap.h"

#include <string.h>

static void print_hidden(const fs_snapshot *s)
{
	const char *type;

	for (size_t i = 0; fs_format_type(i, &type); i++)
		if (fs_snapshot_hidden(s, type))
			emit("note: %s records are missing or incomplete in this capture\n",
			       type);
	if (fs_snapshot_hidden(s, "config"))
		emit("note: the configuration is missing or incomplete in this capture\n");
}

/* What a command would refuse is not valid, though it can be read: weights below zero, a TRES twice. All commands begin
 * with one of these. */
static int try_commands(const fs_snapshot *s, struct fs_error *err)
{
	fs_shares *shares = NULL;
	fs_prios *prios = NULL;
	fs_queue *queue = NULL;
	fs_windows *windows = NULL;
	int rc = fs_shares_compute(&shares, s, NULL, err);

	if (rc == 0 || rc == FS_ENODATA || rc == FS_EUSAGE)
		rc = fs_prios_compute(&prios, s, NULL, err);
	if (rc == 0 || rc == FS_ENODATA || rc == FS_EUSAGE)
		rc = fs_queue_compute(&queue, s, NULL, err);
	if (rc == 0 || rc == FS_ENODATA || rc == FS_EUSAGE)
		rc = fs_windows_compute(&windows, s, FS_MAUI_CODE, err);
	fs_windows_free(windows);
	fs_queue_free(queue);
	fs_prios_free(prios);
	fs_shares_free(shares);
	return rc == FS_EDATA || rc == FS_ENOMEM ? rc : 0;
}

static void say_error(const char *how, const struct fs_snapshot_info *info)
{
	emit_text(how);
	if (info->priority_time_error_s > 0)
		emit(", to within %lld s\n", (long long)info->priority_time_error_s);
	else
		emit(", to the second\n");
}

/* When priorities were computed, how that is known and how well. */
static void print_last_run(const fs_snapshot *s)
{
	const struct fs_snapshot_info *info = fs_snapshot_info(s);
	char at[FS_TIME_TEXT];

	if (!dialect_of(s)->runs)
		return;
	if (!info->priority_time_known) {
		emit("note: when priorities were last computed is not known\n");
		return;
	}
	fs_time_format(s, info->priority_time, at);
	emit("note: priorities were last computed at %s", at);
	if (!strcmp(info->priority_time_from, "start"))
		emit(", counted from the controller's start: the seconds are a guess\n");
	else if (!strcmp(info->priority_time_from, "no ages"))
		emit(" or earlier: nothing had aged, and the controller's start is not known\n");
	else if (!strcmp(info->priority_time_from, "ages"))
		say_error(", by the ages of jobs", info);
	else if (!strcmp(info->priority_time_from, "promises"))
		say_error(", by the minutes promised to running jobs", info);
	else if (!strcmp(info->priority_time_from, "shares"))
		say_error(", by the shares that were printed", info);
	else
		emit(", as the snapshot says\n");
}

/* What classic shares of accounts, and of users nobody computed for a job, are of. */
static void print_moments(const fs_snapshot *s)
{
	const struct fs_snapshot_info *info = fs_snapshot_info(s);
	char before[FS_TIME_TEXT], asked[FS_TIME_TEXT];
	fs_shares *shares;
	struct fs_error err;

	if (fs_shares_compute(&shares, s, NULL, &err))
		return;
	if (fs_shares_mix_moments(shares)) {
		fs_time_format(s, info->priority_time_before, before);
		emit("note: classic shares of accounts lack what jobs used from %s on, when priorities were computed before",
		     before);
		if (strcmp(info->priority_time_before_from, "shares") != 0)
			emit(", if that was a PriorityCalcPeriod earlier: no printed share tells\n");
		else if (info->priority_time_before_error_s > 0)
			emit(", by the shares that were printed, to within %lld s\n",
			     (long long)info->priority_time_before_error_s);
		else
			emit(", by the shares that were printed, to the second\n");
		if (!strcmp(fs_shares_algorithm(shares), "depth_oblivious"))
			emit("note: DEPTH_OBLIVIOUS weighs siblings by their shares of the calculation before as well, which are lost: "
			     "effective usage and factors may be off\n");
		fs_time_format(s, info->shares_time, asked);
		if (info->shares_time != info->time)
			emit("note: classic shares of users without a pending job are of %s or a little later, by those that were printed\n",
			     asked);
	}
	fs_shares_free(shares);
}

/* Of Fair Tree before 23.11: fs_share_row.other_rank. */
static void print_uncertain_ranks(const fs_snapshot *s)
{
	fs_shares *shares;
	struct fs_error err;
	size_t n = 0;

	if (fs_shares_compute(&shares, s, NULL, &err))
		return;
	for (size_t i = 0; i < fs_shares_count(shares); i++)
		n += fs_shares_row(shares, i)->rank != fs_shares_row(shares, i)->other_rank;
	if (n)
		emit("note: the rank%s of %zu user%s hang%s on the order of equal accounts, which nothing captured tells: that of "
		     "the accounting database, or by name once an association has been changed\n",
		     n == 1 ? "" : "s", n, n == 1 ? "" : "s", n == 1 ? "s" : "");
	fs_shares_free(shares);
}

static void print_index(const char *file)
{
	const struct fs_read_options o = { 0 };
	FILE *stream = fopen(file, "rb");
	fs_snapshot *s = NULL;
	char why[INDEX_WHY];

	if (!stream)
		return;
	if (!index_open(stream, file, &o, &s, why))
		emit("note: read by its index, %s.fsx\n", file);
	else if (*why)
		emit("note: %s.fsx is not used: %s\n", file, why);
	fs_snapshot_free(s);
	fclose(stream);
}

int snap_check(const struct invocation *inv, const struct snap_options *o, int argc, char **argv)
{
	const struct fs_snapshot_info *info;
	struct snap_notes notes = { .begin = "note: " };
	fs_snapshot *s = NULL;
	struct fs_error err;
	int status;

	(void)o;
	status = snap_read_one(inv, "check", argc, argv, &s);
	if (status)
		return status;
	for (size_t i = 0; i < fs_snapshot_warnings(s); i++)
		emit("warning: %s\n", fs_snapshot_warning(s, i));
	snap_print_sources(s);
	print_hidden(s);
	print_last_run(s);
	print_moments(s);
	print_uncertain_ranks(s);
	print_index(argv[0]);
	fs_snapshot_check(s, snap_note, &notes);
	snap_notes_end(&notes);
	if (try_commands(s, &err)) {
		status = report(inv, &err);
		fs_snapshot_free(s);
		return status;
	}
	info = fs_snapshot_info(s);
	emit("%s: valid: cluster %s, %s, %zu %s, %zu jobs\n", argv[0], info->cluster,
	       info->scheduler, info->credentials + info->associations, dialect_of(s)->nouns.sharers, info->jobs);
	fs_snapshot_free(s);
	return EXIT_DONE;
}
