#include "cmd.h"
#include "explain/explain.h"
#include "files/files.h"
#include "input/input.h"
#include "render/json.h"
#include "snap/snap.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* fs-snap ticket: writes an archive with a snapshot and the page of one job. Another person can then print the same
 * page from the snapshot. */

struct ticket {
	struct ustar_file files[USTAR_MEMBERS];
	int64_t time;
};

static int write_ticket_archive(const void *what, fs_write_fn write, void *ctx, struct fs_error *err)
{
	const struct ticket *t = what;

	*err = (struct fs_error){ .code = FS_EIO, .message = "cannot write the ticket" };
	return ustar_write_ticket(t->files, t->time, write, ctx) ? FS_EIO : 0;
}

static int write_plain_ticket(const void *what, FILE *to, struct fs_error *err)
{
	return write_ticket_archive(what, stream_write_bytes, to, err);
}

static int write_compressed_ticket(const void *what, FILE *to, struct fs_error *err)
{
	return pack_write_compressed(write_ticket_archive, what, to, err);
}

/* ---- members of the archive */

/* A member of the archive while it is written to a memory stream. The caller frees `bytes`. */
struct memory_file {
	FILE *stream;
	char *bytes;
	size_t size;
};

static bool open_memory_file(struct memory_file *g)
{
	*g = (struct memory_file){ 0 };
	g->stream = open_memstream(&g->bytes, &g->size);
	return g->stream != NULL;
}

/* Completes a member of the archive. Returns false if memory ran out. Also returns false for an empty member: glibc
 * 2.36 does not report all failures of memory streams, and no valid member is empty. */
static bool finish_memory_file(struct memory_file *g, struct ustar_file *out)
{
	const bool failed = ferror(g->stream) != 0;

	if (fclose(g->stream) || failed || !g->bytes || !g->size) {
		free(g->bytes);
		return false;
	}
	*out = (struct ustar_file){ g->bytes, g->size };
	return true;
}

static int make_snapshot_member(const struct invocation *inv, const fs_snapshot *s, struct ustar_file *out)
{
	struct memory_file g;
	struct fs_error error; /* not read, because writing to memory can only fail with FS_ENOMEM */

	if (!open_memory_file(&g))
		return cmd_report_no_memory(inv);
	const bool failed = fs_snapshot_write(s, stream_write_bytes, g.stream, &error) != 0;

	return finish_memory_file(&g, out) && !failed ? 0 : cmd_report_no_memory(inv);
}

struct member_reader {
	const struct ustar_file *member;
	size_t at;
};

static ptrdiff_t read_member_bytes(void *ctx, void *buf, size_t size)
{
	struct member_reader *b = ctx;
	const size_t left = b->member->size - b->at, n = left < size ? left : size;

	memcpy(buf, b->member->bytes + b->at, n);
	b->at += n;
	return (ptrdiff_t)n;
}

/* Makes the Markdown page and the HTML page of the job. Reads the snapshot from the archive, which already contains it.
 * The pages show `name`, the name of the ticket, as the file name of the snapshot. */
static int make_page_members(const struct invocation *inv, const char *name, const char *job, const char *viewer,
			     struct ticket *t)
{
	const struct fs_read_options o = { .without_usage = true };
	struct member_reader b = { &t->files[USTAR_SNAPSHOT], 0 };
	struct memory_file page, html;
	struct fs_error err;
	fs_snapshot *s = NULL;
	int status;

	if (fs_snapshot_read_with(&s, read_member_bytes, &b, name, &o, &err))
		return cmd_report_error(inv, &err);
	if (!open_memory_file(&page)) {
		fs_snapshot_free(s);
		return cmd_report_no_memory(inv);
	}
	status = open_memory_file(&html) ? explain_write_ticket_pages(inv, s, job, viewer, page.stream, html.stream)
					 : cmd_report_no_memory(inv);
	fs_snapshot_free(s);
	if (html.stream && !finish_memory_file(&html, &t->files[USTAR_HTML]) && !status)
		status = cmd_report_no_memory(inv);
	return finish_memory_file(&page, &t->files[USTAR_PAGE]) || status ? status : cmd_report_no_memory(inv);
}

static int make_versions_member(const struct invocation *inv, const fs_snapshot *s, const char *name, const char *job,
				const char *viewer, struct ustar_file *out)
{
	const char *const words[] = { "fs-explain", "-f", name, "--job", job, "--as", viewer, "--markdown" };
	const struct fs_snapshot_info *info = fs_snapshot_info(s);
	char when[FS_TIME_TEXT];
	struct json_out shown = { 0 };
	struct memory_file g;
	struct fs_json j;

	if (!open_memory_file(&g))
		return cmd_report_no_memory(inv);
	shown.file = g.stream;
	fs_time_format(s, info->time, when);
	fs_json_init(&j, json_write_escaped, &shown, true);
	fs_json_object(&j);
	json_write_text(&j, "fs_tools", FS_VERSION);
	json_write_text(&j, "cluster", info->cluster);
	json_write_text(&j, "scheduler", info->scheduler);
	json_write_integer(&j, "time", info->time);
	json_write_text(&j, "captured", when);
	json_begin_list(&j, "command");
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		fs_json_string(&j, words[i]);
	fs_json_end_array(&j);
	fs_json_end_object(&j);
	const bool failed = fs_json_finish(&j) != 0;

	return finish_memory_file(&g, out) && !failed ? 0 : cmd_report_no_memory(inv);
}

/* ---- writing the archive */

static const char *get_last_component(const char *file)
{
	const char *slash = strrchr(file, '/');

	return slash ? slash + 1 : file;
}

static int write_ticket_of_job(const struct invocation *inv, const fs_snapshot *s, const struct snap_options *o,
			       const char *job, uint32_t row)
{
	struct ticket t = { .time = fs_snapshot_info(s)->time };
	const char *name = get_last_component(o->output);
	struct fs_job j;
	int status;

	fs_snapshot_job(s, row, &j);
	const char *viewer = *j.user ? j.user : "root";

	status = make_snapshot_member(inv, s, &t.files[USTAR_SNAPSHOT]);
	if (!status)
		status = make_page_members(inv, name, job, viewer, &t);
	if (!status)
		status = make_versions_member(inv, s, name, job, viewer, &t.files[USTAR_VERSIONS]);
	if (!status)
		status = save_output_file(inv,
					  pack_is_zst_name(o->output) ? write_compressed_ticket : write_plain_ticket,
					  &t, o->output, o->mode ? o->mode : SNAP_MODE);
	for (int i = 0; i < USTAR_MEMBERS; i++)
		free((char *)t.files[i].bytes);
	return status;
}

/* Reads or captures the snapshot. Usage records are left out, because the page of a job does not need them. */
static int open_ticket_snapshot(const struct invocation *inv, const struct snap_options *o, int argc, char **argv,
				fs_snapshot **out)
{
	const struct input in = { .recorded = true };
	struct fs_error err;

	if (argc < 2)
		return snap_capture_cluster(inv, o, NULL, out);
	return input_try_file(&in, argv[1], out, &err) ? cmd_report_error(inv, &err) : 0;
}

int snap_run_ticket(const struct invocation *inv, const struct snap_options *o, int argc, char **argv)
{
	fs_snapshot *s = NULL, *renamed = NULL;
	uint32_t row = 0;
	size_t n;
	int status;

	if (argc < 1 || argc > 2 || !o->output || !strcmp(o->output, "-")) {
		cmd_print_message(inv,
				  "ticket: expected a job, optionally a snapshot, and an output file: "
				  "ticket JOB [FILE] -o FILE.tar");
		return EXIT_USAGE;
	}
	status = open_ticket_snapshot(inv, o, argc, argv, &s);
	if (!status)
		status = explain_find_ticket_job(inv, s, argv[0], &row);
	if (!status && (o->anonymise || o->key))
		status = snap_make_anonymised(inv, s, o->key, &renamed, &n);
	if (!status)
		status = write_ticket_of_job(inv, renamed ? renamed : s, o, argv[0], row);
	if (!status && renamed)
		snap_warn_of_identifiers(inv, n);
	fs_snapshot_free(renamed);
	fs_snapshot_free(s);
	return status;
}
