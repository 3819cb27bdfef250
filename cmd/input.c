#include "input.h"

#include "capture.h"
#include "demo.h"
#include "options.h"

#include <errno.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char site_snapshot[] = "/var/lib/fs-tools/snapshot.jsonl";

static int parse_compat(const struct invocation *inv, const char *arg, unsigned *out)
{
	unsigned major, minor;
	char rest;

	if (sscanf(arg, "%2u.%2u%c", &major, &minor, &rest) != 2 || major < 17 || minor > 12) {
		complain(inv, "--compat: expected a Slurm version such as 22.05, got \"%s\"", arg);
		return -1;
	}
	*out = FS_SLURM_VERSION(major, minor);
	return 1;
}

static int parse_algorithm(const struct invocation *inv, const char *arg, const char **out)
{
	const char *name;

	for (size_t i = 0; (name = fs_algorithm_name(i)); i++)
		if (!strcmp(name, arg)) {
			*out = name;
			return 1;
		}
	complain(inv, "--algorithm: no algorithm \"%s\"", arg);
	return -1;
}

static int parse_style(const struct invocation *inv, const char *arg, enum style *out)
{
	static const struct {
		const char *name;
		enum style style;
	} styles[] = { { "slurm", STYLE_SLURM } };

	for (size_t i = 0; i < sizeof(styles) / sizeof(*styles); i++)
		if (!strcmp(styles[i].name, arg)) {
			*out = styles[i].style;
			return 1;
		}
	complain(inv, "--style: no style \"%s\"", arg);
	return -1;
}

int input_option(const struct invocation *inv, struct input *in, int id, const char *arg)
{
	switch (id) {
	case 'f':
		in->file = arg;
		return 1;
	case OPT_DEMO:
		in->demo = true;
		return 1;
	case OPT_AS:
		in->as = arg;
		return 1;
	case OPT_ALGORITHM:
		return parse_algorithm(inv, arg, &in->algorithm);
	case OPT_COMPAT:
		return parse_compat(inv, arg, &in->compat);
	case OPT_STYLE:
		return parse_style(inv, arg, &in->style);
	default:
		return 0;
	}
}

ptrdiff_t input_read(void *stream, void *buf, size_t size)
{
	const size_t n = fread(buf, 1, size, stream);

	return n || !ferror((FILE *)stream) ? (ptrdiff_t)n : -1;
}

int output_write(void *stream, const void *data, size_t size)
{
	return fwrite(data, 1, size, stream) == size ? 0 : -1;
}

/* whole: with the records that only fs-snap needs. */
static int read_file(const struct invocation *inv, const char *file, bool whole, fs_snapshot **out)
{
	int (*const reader)(fs_snapshot **, fs_read_fn, void *, const char *, struct fs_error *) =
		whole ? fs_snapshot_read : fs_snapshot_read_state;
	const bool standard = !strcmp(file, "-");
	FILE *stream = standard ? stdin : fopen(file, "rb");
	struct fs_error err;
	int rc;

	if (!stream) {
		complain(inv, "%s: %s", file, strerror(errno));
		return EXIT_FAILED;
	}
	rc = reader(out, input_read, stream, standard ? "standard input" : file, &err);
	if (!standard)
		fclose(stream);
	return rc ? report(inv, &err) : 0;
}

int input_read_file(const struct invocation *inv, const char *file, fs_snapshot **out)
{
	return read_file(inv, file, true, out);
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

static int read_demo(const struct invocation *inv, fs_snapshot **out)
{
	struct demo_stream stream = { 0 };
	struct fs_error err;

	return fs_snapshot_read(out, demo_read, &stream, "demo", &err) ? report(inv, &err) : 0;
}

static int no_source(const struct invocation *inv)
{
	complain(inv,
		 "no snapshot: give -f FILE, set FS_SNAPSHOT, install %s, or try --demo "
		 "(fs-snap import makes a snapshot)",
		 site_snapshot);
	return EXIT_FAILED;
}

int input_open(const struct invocation *inv, const struct input *in, fs_snapshot **out)
{
	const char *env = getenv("FS_SNAPSHOT");
	int status;

	if (in->demo)
		status = read_demo(inv, out);
	else if (in->file)
		status = read_file(inv, in->file, false, out);
	else if (env && *env)
		status = read_file(inv, env, false, out);
	else if (!access(site_snapshot, R_OK))
		status = read_file(inv, site_snapshot, false, out);
	else if (capture_possible())
		status = capture_live(inv, out);
	else
		status = no_source(inv);
	for (size_t i = 0; !status && i < fs_snapshot_warnings(*out); i++)
		complain(inv, "warning: %s", fs_snapshot_warning(*out, i));
	return status;
}

void input_slurm_version(const fs_snapshot *s)
{
	const char *plugins = fs_snapshot_config_text(s, "PluginDir");
	const char *scheduler = fs_snapshot_info(s)->scheduler;

	if (plugins && strstr(plugins, "/slurm-wlm") && !strncmp(scheduler, "slurm ", 6))
		printf("slurm-wlm %s\n", scheduler + 6);
	else
		puts(scheduler);
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
