/* fs-tools --complete KIND: prints names from the current snapshot, one per line, for shell completion. The command
 * only reads a file and never calls the scheduler. It prints nothing on errors, and ends silently after TIME_LIMIT_S
 * seconds. Names that a shell would not read as one word are left out, because the completed name becomes part of a
 * command line. */
#include "cmd.h"

#include "fs/job.h"
#include "fs/shares.h"
#include "input/input.h"
#include "render/emit.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TIME_LIMIT_S = 1 };

struct completions {
	struct names names;
	bool out_of_memory;
};

static bool is_shell_word(const char *s)
{
	static const char word_characters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.@%+-";

	return *s && *s != '-' && s[strspn(s, word_characters)] == '\0';
}

static void add_completion_name(struct completions *completions, const char *name)
{
	if (name && is_shell_word(name))
		completions->out_of_memory |= names_add_owned_text(&completions->names, strdup(name)) != 0;
}

/* ---- names of each kind: jobs, users, accounts and others */

struct name_source {
	const fs_snapshot *s;
	const bool *seen; /* indexed by job row; true: the viewer may see the job */
	/* share rows; NULL: not computed, because the requested kind of name does not need them */
	const fs_shares *shares;
	size_t jobs;
};

static void add_visible_jobs(struct completions *completions, const struct name_source *from)
{
	struct fs_job job;
	char id[FS_JOB_ID_TEXT];

	for (size_t i = 0; i < from->jobs; i++) {
		if (!from->seen[i])
			continue;
		fs_snapshot_job(from->s, i, &job);
		add_completion_name(completions, fs_job_id_format(from->s, job.id, true, id));
	}
}

/* Adds names to the completions: one string member of each visible job, and one of each visible share row. in_job is
 * the offset of the member in struct fs_job, in_row the offset of the member in struct fs_share_row. */
static void add_string_members(struct completions *completions, const struct name_source *from, size_t in_job,
			       size_t in_row)
{
	struct fs_job job;

	for (size_t i = 0; i < from->jobs; i++) {
		if (!from->seen[i])
			continue;
		fs_snapshot_job(from->s, i, &job);
		add_completion_name(completions, *(const char *const *)((const char *)&job + in_job));
	}
	for (size_t i = 0; from->shares && i < fs_shares_count(from->shares); i++) {
		const struct fs_share_row *row = fs_shares_row(from->shares, i);

		if (row->visible)
			add_completion_name(completions, *(const char *const *)((const char *)row + in_row));
	}
}

static void add_user_names(struct completions *completions, const struct name_source *from)
{
	add_string_members(completions, from, offsetof(struct fs_job, user), offsetof(struct fs_share_row, user));
}

static void add_account_names(struct completions *completions, const struct name_source *from)
{
	add_string_members(completions, from, offsetof(struct fs_job, account), offsetof(struct fs_share_row, account));
}

static void add_partition_names(struct completions *completions, const struct name_source *from)
{
	const char *name;

	for (size_t i = 0; (name = fs_snapshot_partition_name(from->s, i)); i++)
		add_completion_name(completions, name);
}

static void add_qos_names(struct completions *completions, const struct name_source *from)
{
	for (size_t i = 0; i < from->jobs; i++)
		for (size_t k = 0; from->seen[i] && fs_job_qos(from->s, i, k); k++)
			add_completion_name(completions, fs_job_qos(from->s, i, k));
}

static const struct {
	const char *name;
	void (*add_names)(struct completions *completions, const struct name_source *from);
	bool shares;
} completion_kinds[] = {
	{ "jobs", add_visible_jobs, false },     { "users", add_user_names, true },
	{ "accounts", add_account_names, true }, { "partitions", add_partition_names, false },
	{ "qos", add_qos_names, false },
};
enum { COMPLETION_KINDS = sizeof(completion_kinds) / sizeof(*completion_kinds) };

/* ---- the command fs-tools --complete */

static void print_completion_names(struct completions *completions)
{
	const struct names *names = &completions->names;

	names_sort_by_bytes(&completions->names);
	for (size_t i = 0; i < names->n && !completions->out_of_memory; i++)
		if (!i || strcmp(names->v[i], names->v[i - 1]) != 0)
			emit_safe_line(names->v[i]);
}

static void show_kind_names(size_t kind, const struct input *in, const fs_snapshot *s)
{
	const size_t jobs = fs_snapshot_info(s)->jobs;
	bool *seen = calloc(jobs + 1, sizeof(*seen));
	struct completions completions = { 0 };
	const struct fs_view view = input_get_view(in);
	fs_shares *shares = NULL;
	struct fs_error err;

	if (seen) {
		fs_snapshot_visible_jobs(s, input_get_viewer_name(in), seen);
		if (completion_kinds[kind].shares && fs_shares_compute(&shares, s, &view, &err))
			shares = NULL;
		completion_kinds[kind].add_names(&completions, &(struct name_source){ s, seen, shares, jobs });
		print_completion_names(&completions);
	}
	fs_shares_free(shares);
	names_free_all(&completions.names);
	free(seen);
}

static void end_on_alarm(int signal)
{
	(void)signal;
	_exit(EXIT_DONE);
}

/* Reads -f FILE and --demo from the command line. Ignores all other arguments. */
static void parse_source_options(struct input *in, int argc, char **argv)
{
	for (int i = 3; i < argc; i++) {
		if (!strcmp(argv[i], "-f") && i + 1 < argc)
			in->file = argv[i + 1];
		in->demo |= !strcmp(argv[i], "--demo");
	}
}

static bool open_complete_source(const struct invocation *inv, struct input *in, fs_snapshot **out)
{
	struct fs_error err;
	const char *file;

	if (clusters_choose_one(inv, in))
		return false;
	switch (input_find_source(in, &file)) {
	case INPUT_DEMO:
		return !input_open_snapshot(inv, in, out);
	case INPUT_FILE:
		return strcmp(file, "-") != 0 && !input_try_file(in, file, out, &err);
	default:
		return false;
	}
}

int complete_print_kind_names(const struct invocation *inv, int argc, char **argv)
{
	struct input in = { 0 };
	fs_snapshot *s = NULL;
	size_t kind = 0;

	while (kind < COMPLETION_KINDS && (argc < 3 || strcmp(argv[2], completion_kinds[kind].name) != 0))
		kind++;
	if (kind == COMPLETION_KINDS) {
		cmd_print_message(inv, "--complete: expected options, jobs, users, accounts, partitions or qos");
		return EXIT_USAGE;
	}
	parse_source_options(&in, argc, argv);
	signal(SIGALRM, end_on_alarm);
	alarm(TIME_LIMIT_S);
	if (open_complete_source(inv, &in, &s)) {
		show_kind_names(kind, &in, s);
		fs_snapshot_free(s);
	}
	input_release_resources(&in);
	return EXIT_DONE;
}
