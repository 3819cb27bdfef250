#include "input.h"

#include "capture/capture.h"
#include "capture/folder.h"
#include "demo.h"
#include "index.h"
#include "missing.h"
#include "options.h"
#include "progress.h"
#include "render/emit.h"
#include "stream.h"
#include "threads.h"
#include "unpack.h"
#include "ustar.h"

#include <errno.h>
#include <math.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char site_snapshot[] = "/var/lib/fs-tools/snapshot.jsonl";

static FILE *open_file(const struct invocation *inv, const char *file)
{
	FILE *stream = fopen(file, "rb");

	if (!stream)
		complain(inv, "%s: %s", file, strerror(errno));
	return stream;
}

static const struct fs_read_options whole = { 0 };

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

static int read_stream(fs_snapshot **out, fs_read_fn read, void *ctx, const char *name,
		       struct fs_read_options o, struct fs_error *err)
{
	struct unpack u = UNPACK(read, ctx);
	struct ustar t = USTAR(unpack_read, &u);

	o.threads = threads_wanted();
	o.parallel = threads_run;
	return unpack_end(&u, ustar_end(&t, fs_snapshot_read_with(out, ustar_read, &t, name, &o, err), name, err), name,
			  err);
}

static int no_file(const char *file, struct fs_error *err)
{
	*err = (struct fs_error){ .code = FS_EIO };
	snprintf(err->file, sizeof(err->file), "%s", file);
	snprintf(err->message, sizeof(err->message), "%s", strerror(errno));
	return FS_EIO;
}

static bool by_index(FILE *stream, const char *file, struct fs_read_options o, fs_snapshot **out)
{
	char why[INDEX_WHY];

	return !index_open(stream, file, &o, out, why);
}

static int read_and_tell(FILE *stream, const char *name, struct fs_read_options o, bool told, fs_snapshot **out,
			 struct fs_error *err)
{
	struct progress p;
	int rc;

	progress_begin(&p, stream, told);
	rc = read_stream(out, progress_read, &p, name, o, err);
	progress_end(&p);
	return rc;
}

/* Where a file is read for its own sake, its index is left alone. told: how far it has come. */
static int try_file(const char *file, struct fs_read_options o, bool indexed, bool told, fs_snapshot **out,
		    struct fs_error *err)
{
	const bool standard = !strcmp(file, "-");
	FILE *stream = standard ? stdin : fopen(file, "rb");
	int rc = 0;

	if (!stream)
		return no_file(file, err);
	if (standard || !indexed || !by_index(stream, file, o, out))
		rc = read_and_tell(stream, standard ? "standard input" : file, o, told, out, err);
	if (!standard)
		fclose(stream);
	return rc;
}

static int read_records(fs_usage *usage, FILE *stream, const char *name, struct fs_error *err)
{
	struct unpack u = UNPACK(stream_read, stream);
	struct ustar t = USTAR(unpack_read, &u);

	return unpack_end(&u, ustar_end(&t, fs_usage_read(usage, ustar_read, &t, name, err), name, err), name, err);
}

int input_try_records(const char *file, fs_usage *usage, struct fs_error *err)
{
	FILE *stream = fopen(file, "rb");
	int rc;

	if (!stream)
		return no_file(file, err);
	rc = read_records(usage, stream, file, err);
	fclose(stream);
	return rc;
}

static int read_file(const struct invocation *inv, const char *file, struct fs_read_options o,
		     bool indexed, fs_snapshot **out)
{
	struct fs_error err;

	return try_file(file, o, indexed, !inv->emulated, out, &err) ? report(inv, &err) : 0;
}

int input_read_file(const struct invocation *inv, const char *file, fs_snapshot **out)
{
	return read_file(inv, file, whole, false, out);
}

struct copier {
	FILE *from, *to;
};

/* A pipe passes by once: what comes is written down for the second reading. */
static ptrdiff_t read_and_keep(void *ctx, void *buf, size_t size)
{
	const struct copier *c = ctx;
	const ptrdiff_t n = stream_read(c->from, buf, size);

	return n > 0 && stream_write(c->to, buf, (size_t)n) ? -1 : n;
}

static bool is_regular(FILE *stream)
{
	struct stat st;

	return !fstat(fileno(stream), &st) && S_ISREG(st.st_mode);
}

/* A file that will be read again for its usage records. */
static int read_twice(const struct invocation *inv, struct input *in, const char *file,
		      fs_snapshot **out)
{
	const bool standard = !strcmp(file, "-");
	struct copier c = { .from = standard ? stdin : open_file(inv, file) };
	struct fs_error err;
	int rc = 0;

	if (!c.from)
		return EXIT_FAILED;
	const bool piped = !is_regular(c.from);
	const bool indexed = !piped && !standard && by_index(c.from, file, needed(in), out);
	if (piped)
		c.to = in->spool = tmpfile();
	if (piped && !c.to) {
		complain(inv, "temporary file: %s", strerror(errno));
		rc = EXIT_FAILED;
	} else if (!indexed && read_stream(out, piped ? read_and_keep : stream_read,
			       piped ? (void *)&c : c.from, standard ? "standard input" : file,
			       needed(in), &err)) {
		rc = report(inv, &err);
	} else if (piped && fflush(c.to)) {
		complain(inv, "temporary file: %s", strerror(errno));
		rc = EXIT_FAILED;
	}
	if (!standard)
		fclose(c.from);
	return rc;
}

struct demo_stream {
	size_t at;
};

static ptrdiff_t demo_read(void *ctx, void *buf, size_t size)
{
	struct demo_stream *d = ctx;
	const size_t left = demo_snapshot_size - d->at, n = left < size ? left : size;

	memcpy(buf, demo_snapshot + d->at, n);
	d->at += n;
	return (ptrdiff_t)n;
}

static int try_demo(fs_snapshot **out, struct fs_error *err)
{
	struct demo_stream stream = { 0 };
	const struct fs_read_options o = { .without_usage = true, .without_recorded = true };

	return fs_snapshot_read_with(out, demo_read, &stream, "demo", &o, err);
}

static int read_demo(const struct invocation *inv, fs_snapshot **out)
{
	struct fs_error err;

	return try_demo(out, &err) ? report(inv, &err) : 0;
}

int input_try(const struct input *in, const char *file, fs_snapshot **out, struct fs_error *err)
{
	int rc = file ? try_file(file, needed(in), true, false, out, err) : try_demo(out, err);

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

/* The file to read: as given, of the environment, the site's; NULL if there is none. */
static const char *source_file(const struct input *in)
{
	const char *env = getenv("FS_SNAPSHOT");

	if (in->file)
		return in->file;
	if (env && *env)
		return env;
	return access(site_snapshot, R_OK) ? NULL : site_snapshot;
}

/* The timer's period, and what a capture may take: older than that it has stopped. */
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

/* A tree's algorithm for credentials, or the other way round: nothing could come of it. */
static int check_algorithm(const struct invocation *inv, const struct input *in,
			   const fs_snapshot *s)
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

/* Whose eyes nobody has may be those of a stranger: what they see is shown. */
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
				 : read_twice(inv, in, file, out);
		break;
	case INPUT_PASTE:
		status = capture_read_text(inv, in->text, NULL, true, out);
		break;
	case INPUT_LIVE:
		status = capture_live(inv, in->fresh || inv->emulated, in->shares && needed(in).without_jobs, out);
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
}

static int feed_demo(fs_usage *usage, struct fs_error *err)
{
	struct demo_stream stream = { 0 };

	return fs_usage_read(usage, demo_read, &stream, "demo", err);
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
		return feed_demo(usage, &err) ? report(inv, &err) : 0;
	if (!file) /* captured just now: the snapshot holds its records itself */
		return 0;
	if (!stream)
		stream = standard ? stdin : open_file(inv, file);
	if (!stream)
		return EXIT_FAILED;
	rewind(stream);
	rc = read_records(usage, stream, standard ? "standard input" : file, &err);
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
	if (env && *env)
		return env;
	pw = getpwuid(getuid());
	return pw ? pw->pw_name : "";
}

struct fs_view input_view(const struct input *in)
{
	return (struct fs_view){ .viewer = input_viewer(in),
				 .algorithm = in->algorithm,
				 .position = in->position,
				 .compat = in->compat,
				 .maui_dialect = in->maui_dialect };
}
