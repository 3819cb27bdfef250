#include "top/load/load.h"

#include "input/usage.h"
#include "top/data/chart.h"
#include "top/load/worker.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* ---- files */

struct stamp stamp_of(const char *file)
{
	struct stat st;

	if (stat(file, &st))
		return (struct stamp){ .there = false };
	return (struct stamp){ st.st_dev, st.st_ino, st.st_size, st.st_mtim, true };
}

bool stamp_same(const struct stamp *a, const struct stamp *b)
{
	return a->there == b->there && a->dev == b->dev && a->ino == b->ino && a->size == b->size &&
	       a->changed.tv_sec == b->changed.tv_sec && a->changed.tv_nsec == b->changed.tv_nsec;
}

static int fail(struct source *s, const struct fs_error *err)
{
	fs_error_format(err, s->error, sizeof(s->error));
	return 1;
}

/* Returns whether a new capture lacks the jobs that the old one had: the old one is kept then. */
static bool lacks_jobs(const struct source *s, const struct data *old, const fs_snapshot *snapshot)
{
	return s->live && old && fs_snapshot_hidden(snapshot, "job") &&
	       !fs_snapshot_hidden(old->snapshot, "job");
}

static int load_file(struct source *s, const char *file, const struct data *old, struct data **out)
{
	struct data_options o = s->options;
	fs_snapshot *snapshot = NULL;
	fs_usage *usage = NULL;
	struct fs_error err;

	o.view.algorithm = old ? old->chosen : o.view.algorithm;
	if (input_try(s->input, file, &snapshot, &err))
		return fail(s, &err);
	if (lacks_jobs(s, old, snapshot)) {
		fs_snapshot_free(snapshot);
		snprintf(s->error, sizeof(s->error), "the capture could not see the jobs");
		return 1;
	}
	if (usage_wanted(s->input) && usage_try(s->input, file, snapshot, &usage, &err)) {
		fs_usage_free(usage);
		fs_snapshot_free(snapshot);
		return fail(s, &err);
	}
	return data_make(out, snapshot, usage, &o, old, &err) ? fail(s, &err) : 0;
}

void source_suppose(struct source *s, const struct what_ifs *w)
{
	for (s->edits->n = s->given; s->edits->n < MAX_EDITS && s->edits->n - s->given < w->n; s->edits->n++)
		s->edits->command[s->edits->n] = w->text[s->edits->n - s->given];
}

/* ---- captures: by fs-snap in a process of its own, which cannot disturb the screen */

static pid_t spawn_capture(const char *errors, const char *file)
{
	static const char self[] = "/proc/self/exe";
	const char *const argv[] = { "fs-snap", "capture", "-o", file, NULL };
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attr;
	sigset_t none;
	pid_t pid = -1;
	int rc;

	sigemptyset(&none);
	posix_spawn_file_actions_init(&actions);
	posix_spawnattr_init(&attr);
	posix_spawnattr_setsigmask(&attr, &none);
	posix_spawnattr_setpgroup(&attr, 0);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
	posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
	posix_spawn_file_actions_addopen(&actions, 2, errors, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	rc = access(self, X_OK)
		     ? posix_spawnp(&pid, argv[0], &actions, &attr, (char *const *)argv, environ)
		     : posix_spawn(&pid, self, &actions, &attr, (char *const *)argv, environ);
	posix_spawnattr_destroy(&attr);
	posix_spawn_file_actions_destroy(&actions);
	errno = rc;
	return rc ? -1 : pid;
}

/* The last line of what the capture said. */
static void read_reason(const char *errors, char *buf, size_t size)
{
	FILE *f = fopen(errors, "r");
	char line[400];

	snprintf(buf, size, "the capture failed");
	while (f && fgets(line, sizeof(line), f)) {
		line[strcspn(line, "\n")] = '\0';
		if (*line)
			snprintf(buf, size, "%s", line);
	}
	if (f)
		fclose(f);
}

/* Waits for the capture to end; true if it worked. */
static bool run_capture(struct source *s, const char *errors, const char *file)
{
	const pid_t pid = spawn_capture(errors, file);
	int status = -1;

	if (pid < 0)
		return false;
	atomic_store(&s->capture, pid);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	atomic_store(&s->capture, 0);
	return WIFEXITED(status) && !WEXITSTATUS(status);
}

static int load_live(struct source *s, const struct data *old, struct data **out)
{
	const char *parent = getenv("TMPDIR");
	char dir[400], file[440], errors[440];
	int rc = 1;

	snprintf(dir, sizeof(dir), "%s/fs-top.XXXXXX", parent && *parent ? parent : "/tmp");
	if (!mkdtemp(dir)) {
		snprintf(s->error, sizeof(s->error), "%s: %s", dir, strerror(errno));
		return 1;
	}
	snprintf(file, sizeof(file), "%s/snapshot.jsonl", dir);
	snprintf(errors, sizeof(errors), "%s/errors", dir);
	if (run_capture(s, errors, file))
		rc = load_file(s, file, old, out);
	else
		read_reason(errors, s->error, sizeof(s->error));
	unlink(file);
	unlink(errors);
	rmdir(dir);
	return rc;
}

int source_load(struct source *s, const struct data *old, struct data **out)
{
	if (s->live)
		return load_live(s, old, out);
	if (s->file || s->input->demo)
		return load_file(s, s->file, old, out);
	snprintf(s->error, sizeof(s->error), "this snapshot cannot be read again");
	return 1;
}

/* ---- algorithms */

static size_t place_of(const char *algorithm, size_t *n)
{
	const char *name;
	size_t at = 0;

	for (*n = 0; (name = fs_algorithm_name(*n)); ++*n)
		if (!strcmp(name, algorithm))
			at = *n;
	return at;
}

int source_next_algorithm(struct source *s, const struct data *old, struct data **out)
{
	struct data_options o = s->options;
	size_t n, at = place_of(old->algorithm, &n);
	struct fs_error err = { .code = FS_ENODATA,
				.message = "there is no other algorithm for this snapshot" };

	o.borrow = true;
	for (size_t i = 1; i < n; i++) {
		struct data *d;

		o.view.algorithm = fs_algorithm_name((at + i) % n);
		if (data_make(&d, old->snapshot, old->usage, &o, old, &err))
			continue;
		if (d->eval.shares && strcmp(d->algorithm, old->algorithm) != 0) {
			*out = d;
			return 0;
		}
		err = d->eval.shares ? err : d->eval.shares_error;
		data_free(d);
	}
	return fail(s, &err);
}

int source_order(struct source *s, const struct data *old, struct data **out)
{
	struct data_options o = s->options;
	struct fs_error err;

	o.borrow = true;
	return data_make(out, old->snapshot, old->usage, &o, NULL, &err) ? fail(s, &err) : 0;
}

/* ---- in the background */

struct loader {
	struct worker worker;
	struct source *source;
	const struct data *old;
	struct data *result;
	struct chart *chart;
	enum load_kind kind;
};

static void load_snapshot(void *arg)
{
	struct loader *l = arg;

	l->result = NULL;
	if (l->kind == LOAD_PLAN)
		l->chart = chart_make(l->old);
	else if (l->kind == LOAD_ALGORITHM)
		source_next_algorithm(l->source, l->old, &l->result);
	else if (l->kind == LOAD_ORDER)
		source_order(l->source, l->old, &l->result);
	else
		source_load(l->source, l->old, &l->result);
}

struct loader *loader_new(struct source *s)
{
	struct loader *l = calloc(1, sizeof(*l));

	if (l && worker_open(&l->worker)) {
		free(l);
		return NULL;
	}
	if (l)
		l->source = s;
	return l;
}

int loader_fd(const struct loader *l)
{
	return l->worker.ends[0];
}

bool loader_busy(const struct loader *l)
{
	return l->worker.busy;
}

bool loader_start(struct loader *l, enum load_kind kind, const struct data *old, size_t sorted_by)
{
	if (l->worker.busy)
		return false;
	l->kind = kind;
	l->old = old;
	l->source->options.sorted_by = sorted_by;
	return worker_start(&l->worker, load_snapshot, l);
}

struct data *loader_take(struct loader *l)
{
	worker_join(&l->worker);
	return l->result;
}

enum load_kind loader_kind(const struct loader *l)
{
	return l->kind;
}

struct chart *loader_take_chart(struct loader *l)
{
	worker_join(&l->worker);
	return l->chart;
}

bool loader_end(struct loader *l)
{
	const pid_t capture = l ? atomic_load(&l->source->capture) : 0;

	if (!l)
		return true;
	if (l->worker.busy && (!l->source->live || l->kind == LOAD_PLAN || l->kind == LOAD_ORDER))
		return false;
	if (l->worker.busy) {
		if (capture)
			kill(capture, SIGTERM);
		data_free(loader_take(l));
	}
	worker_close(&l->worker);
	free(l);
	return true;
}
