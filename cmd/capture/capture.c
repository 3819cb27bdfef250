/* A capture: a folder, the outputs in it, and the snapshot made of them. */
#include "capture/capture.h"

#include "capture/folder.h"
#include "capture/kept.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct capture_tool tools[] = {
	{ "slurm", "Slurm", "scontrol", capture_slurm_steps, &capture_slurm_steps_count },
	{ "flux", "Flux", "flux", capture_flux_steps, &capture_flux_steps_count },
};

static bool is_empty(const char *dir)
{
	DIR *d = opendir(dir);
	const struct dirent *e;
	int n = 0;

	while (d && (e = readdir(d)))
		n += strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0;
	if (d)
		closedir(d);
	return d && !n;
}

static int make_folder(struct capture *c, const char *raw)
{
	const char *parent = getenv("TMPDIR");
	bool there;

	c->dir = raw ? strdup(raw)
		     : capture_path(parent && *parent ? parent : "/tmp", "fs-capture", ".XXXXXX");
	if (!c->dir)
		return no_memory(c->inv);
	c->made_dir = raw ? !mkdir(c->dir, 0700) : mkdtemp(c->dir) != NULL;
	if (c->made_dir)
		return 0;
	there = raw && errno == EEXIST;
	if (there && is_empty(raw))
		return 0;
	complain(c->inv, "%s: %s", c->dir,
		 there ? "is there already, and not an empty folder" : strerror(errno));
	return EXIT_FAILED;
}

static void remove_folder(const struct capture *c)
{
	for (size_t i = 0; i < *c->tool->count; i++) {
		char *path = capture_path(c->dir, c->tool->steps[i].file, "");

		if (path)
			unlink(path);
		free(path);
	}
	if (c->made_dir)
		rmdir(c->dir);
}

static int import(const struct capture *c, bool kept, const char *exact_usage, fs_snapshot **out)
{
	const bool flux = !strcmp(c->tool->name, "flux");
	const struct capture_bounds bounds = { .name = kept ? NULL : "capture", .file_max = c->limits.output };
	const int status = flux ? capture_read_flux(c->inv, c->dir, &bounds, out)
				: capture_read_slurm(c->inv, c->dir, &bounds, exact_usage, out);

	if (status && !kept)
		complain(c->inv, "fs-snap capture --raw DIR keeps the files for a closer look");
	return status;
}

int capture_run(struct capture c, const char *raw, const char *exact_usage, fs_snapshot **out)
{
	int status;

	capture_begin();
	status = make_folder(&c, raw);
	if (!status) {
		const bool done = !capture_outputs(&c);

		status = done ? import(&c, raw, exact_usage, out) : EXIT_FAILED;
		if (!done || !raw)
			remove_folder(&c);
	}
	free(c.dir);
	capture_end();
	return status;
}

const struct capture_limits capture_usual_limits = { .timeout_s = 30, .output = 1ull << 30 };

const struct capture_tool *capture_tool(const char *name)
{
	for (size_t i = 0; i < sizeof(tools) / sizeof(*tools); i++) {
		char *path = name ? NULL : capture_find(tools[i].program);
		const bool found = name ? !strcmp(name, tools[i].name) : path != NULL;

		free(path);
		if (found)
			return &tools[i];
	}
	return name ? NULL : &tools[0];
}

static enum fs_import_asked asked_by(const struct capture *c)
{
	return c->need == CAPTURE_SHARES ? FS_IMPORT_SHARES : FS_IMPORT_PRIORITIES;
}

/* Without Fair Tree factors depend on when they were computed last, which only the ages of jobs tell. */
static bool suits(struct capture *c)
{
	fs_snapshot *s = NULL;
	const int code = capture_read_asked(c->dir, c->limits.output, asked_by(c), &s);

	fs_snapshot_free(s);
	if (code == FS_EUSAGE)
		c->otherwise = CAPTURE_ALL;
	return !code;
}

enum outcome { TAKEN, TOO_LITTLE, NOBODY_THERE };

/* Asks a few commands instead of all. If anything is odd the whole capture is made, which complains of it. */
static enum outcome run_short(struct capture c, fs_snapshot **out, enum capture_need *otherwise)
{
	bool complete = true;

	c.otherwise = c.need == CAPTURE_SHARES ? CAPTURE_NO_JOBS : CAPTURE_ALL;
	c.silent = true;
	c.complete = &complete;
	c.suits = suits;
	capture_begin();
	if (!make_folder(&c, NULL)) {
		if (capture_outputs(&c) || !complete || capture_read_asked(c.dir, c.limits.output, asked_by(&c), out))
			*out = NULL;
		remove_folder(&c);
	}
	free(c.dir);
	capture_end();
	*otherwise = c.otherwise;
	if (*out &&
	    (fs_snapshot_warnings(*out) || (c.need == CAPTURE_SHARES && !fs_snapshot_info(*out)->associations))) {
		fs_snapshot_free(*out);
		*out = NULL;
	}
	return *out ? TAKEN : c.outputs ? TOO_LITTLE : NOBODY_THERE;
}

static int run_live(struct capture *c, fs_snapshot **out)
{
	const bool brief = c->need >= CAPTURE_SHARES && !strcmp(c->tool->name, "slurm");
	enum capture_need need = c->need == CAPTURE_SHARES ? CAPTURE_NO_JOBS : CAPTURE_ALL;
	const enum outcome outcome = brief ? run_short(*c, out, &need) : TOO_LITTLE;

	if (outcome != TOO_LITTLE)
		return outcome == TAKEN ? EXIT_DONE : EXIT_FAILED;
	if (c->need >= CAPTURE_SHARES)
		c->need = need;
	return capture_run(*c, NULL, NULL, out);
}

int capture_live(const struct invocation *inv, bool fresh, enum capture_need need, fs_snapshot **out)
{
	bool complete = true;
	struct capture c = { .inv = inv,
			     .tool = capture_tool(NULL),
			     .limits = capture_usual_limits,
			     .live = true,
			     .need = need,
			     .complete = &complete };
	int age_s = 0, status;

	*out = fresh ? NULL : kept_read(need, &age_s);
	if (*out) {
		if (isatty(STDERR_FILENO))
			complain(inv, "captured %d s ago; --fresh asks the scheduler again", age_s);
		return 0;
	}
	status = run_live(&c, out);
	if (!status && complete && !fs_snapshot_warnings(*out)) /* a warning holds for this capture alone */
		kept_write(*out, c.need);
	return status;
}

bool capture_possible(void)
{
	for (size_t i = 0; i < sizeof(tools) / sizeof(*tools); i++) {
		char *path = capture_find(tools[i].program);
		const bool found = path != NULL;

		free(path);
		if (found)
			return true;
	}
	return false;
}
