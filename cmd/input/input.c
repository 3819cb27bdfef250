/* Opens the snapshot that a command is asked about, and warns of what is odd about the question. */
#include "input/input.h"

#include "capture/capture.h"
#include "capture/folder.h"
#include "input/missing.h"
#include "input/read.h"
#include "render/emit.h"

#include <math.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char site_snapshot[] = "/var/lib/fs-tools/snapshot.jsonl";

/* What the command needs of a snapshot. */
static struct fs_read_options needed(const struct input *in)
{
	const bool recorded = in->recorded && in->usage == USAGE_RECORDED;

	return (struct fs_read_options){
		.without_usage = true,
		.without_recorded = !recorded,
		.usage_follows = in->usage != USAGE_RECORDED,
		.without_jobs = in->without_jobs && !in->as && in->usage == USAGE_RECORDED && !in->edits.n,
	};
}

static int read_file(const struct invocation *inv, const char *file, struct fs_read_options o,
		     bool indexed, fs_snapshot **out)
{
	struct fs_error err;

	return input_file(file, o, indexed, !inv->emulated, out, &err) ? report(inv, &err) : 0;
}

int input_read_file(const struct invocation *inv, const char *file, fs_snapshot **out)
{
	return read_file(inv, file, (struct fs_read_options){ 0 }, false, out);
}

static int read_demo(const struct invocation *inv, fs_snapshot **out)
{
	struct fs_error err;

	return input_demo(out, &err) ? report(inv, &err) : 0;
}

int input_try(const struct input *in, const char *file, fs_snapshot **out, struct fs_error *err)
{
	int rc = file ? input_file(file, needed(in), true, false, out, err) : input_demo(out, err);

	if (!rc && (rc = edits_try(&in->edits, input_viewer(in), *out, err)))
		fs_snapshot_free(*out);
	return rc;
}

static int no_source(const struct invocation *inv)
{
	complain(inv,
		 "no snapshot: give -f FILE, set FS_SNAPSHOT, install %s, or try --demo "
		 "(fs-snap import makes a snapshot)",
		 site_snapshot);
	return EXIT_FAILED;
}

/* Returns the file to read: the one given, else that of the environment, else the site's; NULL if there is none. */
static const char *source_file(const struct input *in)
{
	const char *env = getenv("FS_SNAPSHOT");

	if (in->file)
		return in->file;
	if (env && *env)
		return env;
	return access(site_snapshot, R_OK) ? NULL : site_snapshot;
}

/* The site's timer captures every PERIOD_S, which takes CAPTURE_S at most: if the file is older, the timer has
 * stopped. */
static bool is_stale(const char *file)
{
	enum { PERIOD_S = 300, CAPTURE_S = 60 };
	struct stat st;

	return file == site_snapshot && !stat(file, &st) && time(NULL) - st.st_mtim.tv_sec > PERIOD_S + CAPTURE_S;
}

enum input_source input_source(const struct input *in, const char **file)
{
	*file = in->text ? NULL : source_file(in);
	if (in->text)
		return INPUT_PASTE;
	if (in->demo)
		return INPUT_DEMO;
	if (*file && !is_stale(*file))
		return INPUT_FILE;
	if (!capture_possible())
		return *file ? INPUT_FILE : INPUT_NONE;
	*file = NULL;
	return INPUT_LIVE;
}

/* An algorithm of trees cannot compute credentials, nor one of credentials a tree. */
static int check_algorithm(const struct invocation *inv, const struct input *in, const fs_snapshot *s)
{
	const struct fs_snapshot_info *info = fs_snapshot_info(s);
	const bool maui = fs_algorithm_of_credentials(in->algorithm);

	if (!in->algorithm || (maui ? info->credentials : info->associations))
		return 0;
	complain(inv, maui ? "--algorithm=%s: %s holds no credentials and windows: it is not one of Maui"
			   : "--algorithm=%s: %s holds no accounts and shares to compute it from",
		 in->algorithm, info->file);
	return EXIT_FAILED;
}

/* What every command of Slurm says on reading its configuration (src/common/read_config.c); TRES weights are not in
 * the sum. */
static void warn_of_weights(const struct invocation *inv, const fs_snapshot *s)
{
	static const char *const names[] = { "PriorityWeightAge",       "PriorityWeightAssoc",
					     "PriorityWeightFairShare", "PriorityWeightJobSize",
					     "PriorityWeightPartition", "PriorityWeightQOS" };
	double sum = 0;

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		const double weight = fs_snapshot_config_number(s, names[i]);

		sum += isnan(weight) ? 0 : weight;
	}
	if (sum > UINT32_MAX)
		complain(inv, "error: PriorityWeight values too high, job priority value may overflow");
}

/* A name that the snapshot does not know may be a user without jobs and shares: the page is shown all the same. */
static void warn_of_viewer(const struct invocation *inv, const struct input *in, const fs_snapshot *s)
{
	if (in->as && strcmp(in->as, "root") != 0 && missing_from(s, MISSING_USER, in->as))
		complain(inv, "--as: no user \"%s\" in the snapshot", in->as);
}

static bool is_pipe(const char *file)
{
	struct stat st;

	return !(strcmp(file, "-") ? stat(file, &st) : fstat(STDIN_FILENO, &st)) && !S_ISREG(st.st_mode);
}

static enum capture_need need_of(const struct input *in)
{
	const bool more = in->as || in->usage != USAGE_RECORDED || in->edits.n || in->at || in->algorithm || in->compat;

	return more ? CAPTURE_ALL : in->need;
}

int input_open(const struct invocation *inv, struct input *in, fs_snapshot **out)
{
	const char *file;
	int status;

	switch (input_source(in, &file)) {
	case INPUT_DEMO:
		status = read_demo(inv, out);
		break;
	case INPUT_FILE:
		status = in->usage == USAGE_RECORDED && !(in->records_later && is_pipe(file))
				 ? read_file(inv, file, needed(in), true, out)
				 : input_twice(inv, file, needed(in), &in->spool, out);
		break;
	case INPUT_PASTE:
		status = capture_read_text(inv, in->text, NULL, true, out);
		break;
	case INPUT_LIVE:
		status = capture_live(inv, in->fresh || inv->emulated, need_of(in), out);
		break;
	default:
		status = no_source(inv);
	}
	for (size_t i = 0; !status && i < fs_snapshot_warnings(*out); i++)
		complain(inv, "warning: %s", fs_snapshot_warning(*out, i));
	if (!status)
		status = edits_apply(inv, &in->edits, input_viewer(in), *out);
	if (!status && inv->emulated)
		warn_of_weights(inv, *out);
	else if (!status)
		warn_of_viewer(inv, in, *out);
	return status ? status : check_algorithm(inv, in, *out);
}

void input_release(struct input *in)
{
	if (in->spool)
		fclose(in->spool);
	free(in->login);
}

int input_usage_records(const struct invocation *inv, const struct input *in, fs_usage *usage)
{
	const char *file;
	const enum input_source source = input_source(in, &file);
	const bool standard = file && !strcmp(file, "-");
	FILE *stream = in->spool;
	struct fs_error err;
	int rc;

	if (source == INPUT_DEMO)
		return input_demo_records(usage, &err) ? report(inv, &err) : 0;
	if (!file) /* captured just now: the snapshot holds its records itself */
		return 0;
	if (!stream)
		stream = standard ? stdin : input_stream(inv, file);
	if (!stream)
		return EXIT_FAILED;
	rewind(stream);
	rc = input_stream_records(usage, stream, standard ? "standard input" : file, &err);
	if (stream != in->spool && !standard)
		fclose(stream);
	return rc ? report(inv, &err) : 0;
}

void input_slurm_version(const fs_snapshot *s)
{
	const char *plugins = fs_snapshot_config_text(s, "PluginDir");
	const char *scheduler = fs_snapshot_info(s)->scheduler;

	if (plugins && strstr(plugins, "/slurm-wlm") && !strncmp(scheduler, "slurm ", 6))
		emit("slurm-wlm %s\n", scheduler + 6);
	else
		emit_line(scheduler);
}

const char *input_viewer(const struct input *in)
{
	const char *env = getenv("FS_USER");
	const struct passwd *pw;

	if (in->as)
		return in->as;
	if (in->login)
		return in->login;
	if (env && *env)
		return env;
	pw = getpwuid(getuid());
	return pw ? pw->pw_name : "";
}

int input_know_login(const struct invocation *inv, struct input *in)
{
	in->login = strdup(input_viewer(in));
	return in->login ? 0 : no_memory(inv);
}

struct fs_view input_view(const struct input *in)
{
	return (struct fs_view){ .viewer = input_viewer(in),
				 .algorithm = in->algorithm,
				 .position = in->position,
				 .compat = in->compat,
				 .maui_dialect = in->maui_dialect };
}
