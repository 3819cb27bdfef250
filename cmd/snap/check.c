/* fs-snap check: reads a snapshot and tells what is odd about it. */
#include "input/input.h"

#include "dialect/dialect.h"
#include "input/index.h"
#include "render/emit.h"
#include "render/format.h"
#include "snap/snap.h"

#include <stdarg.h>
#include <string.h>

enum { SENTENCE = 9000 }; /* two paths */

/* A sentence is put together of parts; said, it is noted and empty again. */
struct findings {
	struct snap_notes notes;
	char text[SENTENCE];
};

__attribute__((format(printf, 2, 3))) static void say(struct findings *f, const char *fmt, ...)
{
	const size_t len = strlen(f->text);
	va_list ap;

	va_start(ap, fmt);
	format_args(f->text + len, sizeof(f->text) - len, fmt, ap);
	va_end(ap);
}

static void said(struct findings *f)
{
	if (!*f->text)
		return;
	if (f->notes.keep)
		snap_note(&f->notes, f->text);
	else
		emit("%s%s\n", f->notes.begin, f->text);
	*f->text = '\0';
}

static void find_hidden(struct findings *f, const fs_snapshot *s)
{
	const char *type;

	for (size_t i = 0; fs_format_type(i, &type); i++)
		if (fs_snapshot_hidden(s, type)) {
			say(f, "%s records are missing or incomplete in this capture", type);
			said(f);
		}
	if (fs_snapshot_hidden(s, "config")) {
		say(f, "the configuration is missing or incomplete in this capture");
		said(f);
	}
}

static void say_error(struct findings *f, const char *how, const struct fs_snapshot_info *info)
{
	if (info->priority_time_error_s > 0)
		say(f, "%s, to within %lld s", how, (long long)info->priority_time_error_s);
	else
		say(f, "%s, to the second", how);
}

/* Says when priorities were computed last, how that is known and how exactly. */
static void find_last_run(struct findings *f, const fs_snapshot *s)
{
	const struct fs_snapshot_info *info = fs_snapshot_info(s);
	char at[FS_TIME_TEXT];

	if (!dialect_of(s)->runs)
		return;
	if (!info->priority_time_known) {
		say(f, "when priorities were last computed is not known");
		return;
	}
	fs_time_format(s, info->priority_time, at);
	say(f, "priorities were last computed at %s", at);
	if (!strcmp(info->priority_time_from, "start"))
		say(f, ", counted from the controller's start: the seconds are a guess");
	else if (!strcmp(info->priority_time_from, "no ages"))
		say(f, " or earlier: nothing had aged, and the controller's start is not known");
	else if (!strcmp(info->priority_time_from, "ages"))
		say_error(f, ", by the ages of jobs", info);
	else if (!strcmp(info->priority_time_from, "promises"))
		say_error(f, ", by the minutes promised to running jobs", info);
	else if (!strcmp(info->priority_time_from, "shares"))
		say_error(f, ", by the shares that were printed", info);
	else
		say(f, ", as the snapshot says");
}

/* Says of which moments classic factors are: those of accounts, and of users without jobs, may be older. */
static void find_moments(struct findings *f, const fs_snapshot *s, const fs_shares *shares)
{
	const struct fs_snapshot_info *info = fs_snapshot_info(s);
	char before[FS_TIME_TEXT], asked[FS_TIME_TEXT];

	if (!fs_shares_mix_moments(shares))
		return;
	fs_time_format(s, info->priority_time_before, before);
	say(f, "classic shares of accounts lack what jobs used from %s on, when priorities were computed before", before);
	if (strcmp(info->priority_time_before_from, "shares") != 0)
		say(f, ", if that was a PriorityCalcPeriod earlier: no printed share tells");
	else if (info->priority_time_before_error_s > 0)
		say(f, ", by the shares that were printed, to within %lld s", (long long)info->priority_time_before_error_s);
	else
		say(f, ", by the shares that were printed, to the second");
	said(f);
	if (!strcmp(fs_shares_algorithm(shares), "depth_oblivious"))
		say(f, "DEPTH_OBLIVIOUS weighs siblings by their shares of the calculation before as well, which are lost: "
		     "effective usage and factors may be off");
	said(f);
	fs_time_format(s, info->shares_time, asked);
	if (info->shares_time != info->time)
		say(f, "classic shares of users without a pending job are of %s or a little later, by those that were printed",
		     asked);
	said(f);
}

/* Says which ranks are uncertain under Fair Tree before 23.11: fs_share_row.other_rank. */
static void find_uncertain_ranks(struct findings *f, const fs_shares *shares)
{
	size_t n = 0;

	for (size_t i = 0; i < fs_shares_count(shares); i++)
		n += fs_shares_row(shares, i)->rank != fs_shares_row(shares, i)->other_rank;
	if (n)
		say(f, "the rank%s of %zu user%s hang%s on the order of equal accounts, which nothing captured tells: that of "
		     "the accounting database, or by name once an association has been changed",
		     n == 1 ? "" : "s", n, n == 1 ? "" : "s", n == 1 ? "s" : "");
	said(f);
}

static void find_index(struct findings *f, const char *file)
{
	const struct fs_read_options o = { 0 };
	FILE *stream = fopen(file, "rb");
	fs_snapshot *s = NULL;
	char why[INDEX_WHY];

	if (!stream)
		return;
	if (!index_open(stream, file, &o, &s, why))
		say(f, "read by its index, %s.fsx", file);
	else if (*why)
		say(f, "%s.fsx is not used: %s", file, why);
	fs_snapshot_free(s);
	fclose(stream);
}

static void find_all(struct findings *f, const fs_snapshot *s, const char *file)
{
	fs_shares *shares;
	struct fs_error err;

	find_hidden(f, s);
	find_last_run(f, s);
	said(f);
	if (!fs_shares_compute(&shares, s, NULL, &err)) {
		find_moments(f, s, shares);
		find_uncertain_ranks(f, shares);
		fs_shares_free(shares);
	}
	find_index(f, file);
	said(f);
	fs_snapshot_check(s, snap_note, &f->notes);
}

static void print_text(struct findings *f, const fs_snapshot *s, const char *file)
{
	for (size_t i = 0; i < fs_snapshot_warnings(s); i++)
		emit("warning: %s\n", fs_snapshot_warning(s, i));
	snap_print_sources(s);
	find_all(f, s, file);
	snap_notes_end(&f->notes);
}

static int print_json(struct findings *f, const fs_snapshot *s, const char *file, enum json_form form)
{
	const struct fs_snapshot_info *info = fs_snapshot_info(s);
	struct fs_json j;

	f->notes.keep = true;
	find_all(f, s, file);
	if (f->notes.failed)
		return FS_ENOMEM;
	json_begin(&j, "fs-check/1", s, form);
	json_text(&j, "file", file);
	json_whole(&j, "sharers", true, info->credentials + info->associations);
	json_whole(&j, "jobs", true, info->jobs);
	json_list(&j, "warnings");
	for (size_t i = 0; i < fs_snapshot_warnings(s); i++)
		fs_json_string(&j, fs_snapshot_warning(s, i));
	fs_json_end_array(&j);
	snap_notes_json(&f->notes, &j);
	snap_json_sources(s, &j);
	return json_end(&j);
}

/* Prints the page of a snapshot that every command accepts. */
static int print_valid(const fs_snapshot *s, const char *file)
{
	const struct fs_snapshot_info *info = fs_snapshot_info(s);

	emit("%s: valid: cluster %s, %s, %zu %s, %zu jobs\n", file, info->cluster,
	       info->scheduler, info->credentials + info->associations, dialect_of(s)->nouns.sharers, info->jobs);
	return EXIT_DONE;
}

int snap_check(const struct invocation *inv, const struct snap_options *o, int argc, char **argv)
{
	struct findings f = { .notes.begin = "note: " };
	fs_snapshot *s = NULL;
	struct fs_error err;
	int status;

	status = snap_read_one(inv, "check", argc, argv, &s);
	if (status)
		return status;
	if (!o->json)
		print_text(&f, s, argv[0]);
	if (snap_try_commands(s, &err))
		status = report(inv, &err);
	else
		status = o->json ? print_json(&f, s, argv[0], o->json) : print_valid(s, argv[0]);
	names_free(&f.notes.kept);
	fs_snapshot_free(s);
	return status < 0 ? no_memory(inv) : status;
}
