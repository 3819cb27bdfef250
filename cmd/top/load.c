#include "top/load.h"

#include "render/emit.h"
#include "render/format.h"
#include "render/text.h"
#include "top/data.h"
#include "top/run.h"
#include "top/terminal.h"
#include "top/ops.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

struct worker_task {
	void (*run)(void *);
	void *ctx;
};

static void *worker_run_task(void *arg)
{
	struct worker_task *e = arg;

	e->run(e->ctx);
	free(e);
	return NULL;
}

void worker_leave_to(void (*run)(void *), void *ctx)
{
	struct worker_task *e = malloc(sizeof(*e));
	sigset_t all, before;
	pthread_t thread;
	bool left = false;

	if (e) {
		*e = (struct worker_task){ run, ctx };
		sigfillset(&all);
		pthread_sigmask(SIG_SETMASK, &all, &before);
		left = !pthread_create(&thread, NULL, worker_run_task, e);
		pthread_sigmask(SIG_SETMASK, &before, NULL);
	}
	if (left) {
		pthread_detach(thread);
		return;
	}
	free(e);
	run(ctx);
}

/* Returns -1 with errno set on error. */
static int worker_open(struct worker *w)
{
	*w = (struct worker){ .busy = false };
	if (pipe(w->ends))
		return -1;
	fcntl(w->ends[0], F_SETFD, FD_CLOEXEC);
	fcntl(w->ends[1], F_SETFD, FD_CLOEXEC);
	return 0;
}

static void worker_close(struct worker *w)
{
	close(w->ends[0]);
	close(w->ends[1]);
}

static void *work(void *arg)
{
	struct worker *w = arg;
	ssize_t n;

	w->run(w->ctx);
	do
		n = write(w->ends[1], "", 1);
	while (n < 0 && errno == EINTR);
	return NULL;
}

/* Starts the task. Signals stay blocked in its thread. Returns false if no thread could be started. */
static bool worker_start(struct worker *w, void (*run)(void *), void *ctx)
{
	sigset_t all, before;

	w->run = run;
	w->ctx = ctx;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	w->busy = !pthread_create(&w->thread, NULL, work, w);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return w->busy;
}

/* Waits for the end of the task; returns at once if ends[0] is readable. */
static void worker_join(struct worker *w)
{
	char byte;
	ssize_t n;

	do
		n = read(w->ends[0], &byte, 1);
	while (n < 0 && errno == EINTR);
	pthread_join(w->thread, NULL);
	w->busy = false;
}

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

/* Returns true if a new capture lacks jobs although the old one had them. The old data is then kept. */
static bool lacks_jobs(const struct source *s, const struct data *old, const fs_snapshot *snapshot)
{
	return s->live && old && fs_snapshot_hidden(snapshot, "job") && !fs_snapshot_hidden(old->snapshot, "job");
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
	if (usage_wanted(s->input) && usage_try_load(s->input, file, snapshot, &usage, &err)) {
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

/* ---- captures, by fs-snap in a process of its own, which cannot disturb the screen */

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

/* Sets buf to the last line of the capture's error output. */
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

/* Runs a capture and waits for its end. Returns true if it succeeded. */
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

/* Computes the data of the same snapshot with its queue, which old lacks. Borrows the snapshot. */
static int source_order(struct source *s, const struct data *old, struct data **out)
{
	struct data_options o = s->options;
	struct fs_error err;

	o.borrow = true;
	return data_make(out, old->snapshot, old->usage, &o, NULL, &err) ? fail(s, &err) : 0;
}

/* ---- loading in the background */

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

static void send_message(struct run *r, enum event_kind kind, const char *name, const char *what)
{
	char text[PROMPT_SIZE + 200];

	if (kind == EV_SAID)
		snprintf(text, sizeof(text), "%s %s", what, name);
	else
		snprintf(text, sizeof(text), "%s: %s", name, what);
	model_update(&r->model, &(struct event){ .kind = kind, .text = text });
}

bool write_begin(struct run *r, struct writing *w)
{
	*w = (struct writing){ .asks = false };
	snprintf(w->name, sizeof(w->name), "%s", r->model.prompt);
	if (!access(w->name, F_OK)) {
		send_message(r, EV_WARNED, w->name, "it is there already; choose another name");
		return false;
	}
	w->asks = model_words_to_write(&r->model, &w->request);
	return true;
}

static void write_lines(const struct lines *l, FILE *out)
{
	char clean[1200];

	for (size_t i = 0; i < l->n; i++)
		emit_to(out, "%s\n", text_visible(clean, sizeof(clean), l->v[i].text));
}

static void write_screen(const struct model *m, FILE *out)
{
	struct lines l = { 0 };

	model_explain(m, &l, WORDS_WIDTH);
	write_lines(&l, out);
	lines_free(&l);
}

/* Writes a new file. Fails if the file exists. Removes it if it cannot be completed. */
static int write_file(const struct model *m, const char *name, const struct lines *words)
{
	const int fd = open(name, O_WRONLY | O_CREAT | O_EXCL, 0666);
	FILE *out = fd < 0 ? NULL : fdopen(fd, "w");
	bool failed;
	int why;

	if (!out)
		return -1;
	if (words)
		write_lines(words, out);
	else
		write_screen(m, out);
	failed = ferror(out);
	failed = fclose(out) || failed;
	if (!failed)
		return 0;
	why = errno;
	unlink(name);
	errno = why;
	return -1;
}

void write_end(struct run *r, const struct writing *w, const struct lines *words)
{
	if (words && words->failed)
		send_message(r, EV_WARNED, w->name, "out of memory");
	else if (write_file(&r->model, w->name, words))
		send_message(r, EV_WARNED, w->name, strerror(errno));
	else
		send_message(r, EV_SAID, w->name, "written to");
}

int ask_open(struct asking *a, struct run *r)
{
	*a = (struct asking){ .run = r };
	return worker_open(&a->worker);
}

static void make(void *ctx)
{
	struct asking *a = ctx;

	words_make(&a->words, a->run->model.data, &a->request);
}

static void deliver(struct asking *a)
{
	const struct event e = { .kind = EV_WORDS, .request = &a->request, .words = &a->words };

	if (a->for_file)
		write_end(a->run, &a->file, &a->words);
	else
		model_update(&a->run->model, &e);
	lines_free(&a->words);
	a->for_file = false;
}

static bool next(struct asking *a)
{
	if (!a->waits)
		return model_words_wanted(&a->run->model, &a->request);
	a->waits = false;
	a->for_file = true;
	a->request = a->file.request;
	return true;
}

/* Waits up to SOON_MS for the explanation, because most are ready before the user notices a delay. */
void ask_go_on(struct asking *a)
{
	enum { SOON_MS = 8 };

	while (!a->worker.busy && next(a)) {
		struct pollfd done = { .fd = a->worker.ends[0], .events = POLLIN };

		if (!worker_start(&a->worker, make, a)) {
			make(a);
			deliver(a);
		} else if (poll(&done, 1, SOON_MS) == 1) {
			worker_join(&a->worker);
			deliver(a);
		}
	}
}

void ask_write(struct asking *a)
{
	if (a->waits || a->for_file) {
		model_update(&a->run->model,
			     &(struct event){ .kind = EV_WARNED,
					      .text = "the file before is not written yet" });
		return;
	}
	if (!write_begin(a->run, &a->file))
		return;
	if (!a->file.asks) {
		write_end(a->run, &a->file, NULL);
		return;
	}
	a->waits = true;
	model_update(&a->run->model,
		     &(struct event){ .kind = EV_SAID,
				      .text = "working: the file is written when it is done" });
}

bool ask_busy(const struct asking *a)
{
	return a->worker.busy || a->waits;
}

int ask_fd(const struct asking *a)
{
	return a->worker.ends[0];
}

void ask_take(struct asking *a)
{
	worker_join(&a->worker);
	deliver(a);
	ask_go_on(a);
}

bool ask_end(struct asking *a)
{
	while (ask_busy(a) && (a->waits || a->for_file))
		if (a->worker.busy)
			ask_take(a);
		else
			ask_go_on(a);
	if (a->worker.busy)
		return false;
	worker_close(&a->worker);
	return true;
}

struct loading_task {
	int (*load)(void *ctx);
	void *ctx;
	int status;
};

static void loading_run_task(void *ctx)
{
	struct loading_task *e = ctx;

	e->status = e->load(e->ctx);
}

static double seconds_since(const struct timespec *then)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)(now.tv_sec - then->tv_sec) + (double)(now.tv_nsec - then->tv_nsec) / 1e9;
}

/* ---- standard error during the load */

static void put_aside(struct loading *l)
{
	l->said = tmpfile();
	if (!l->said)
		return;
	fflush(stderr);
	l->stderr_before = dup(STDERR_FILENO);
	if (l->stderr_before >= 0)
		dup2(fileno(l->said), STDERR_FILENO);
}

static void bring_back(struct loading *l)
{
	char line[1024];

	if (!l->said)
		return;
	fflush(stderr);
	if (l->stderr_before >= 0) {
		dup2(l->stderr_before, STDERR_FILENO);
		close(l->stderr_before);
	}
	rewind(l->said);
	while (fgets(line, sizeof(line), l->said)) {
		line[strcspn(line, "\n")] = '\0';
		emit_to(stderr, "%s\n", line);
	}
	fclose(l->said);
	l->said = NULL;
}

void loading_close(struct run *r)
{
	if (r->loading.open)
		term_close();
	r->loading.open = false;
	bring_back(&r->loading);
}

/* ---- the loading screen */

static void draw(struct grid *g, const char *what, double seconds)
{
	struct progress_get_seen seen = progress_get_seen();
	const double part = seen.size ? (double)seen.done / (double)seen.size : 0;
	struct grid_part bar = { part < 1 ? part : 1, ATTR_FACTOR, '=' };
	char text[400];
	unsigned cols, rows;

	term_size(&cols, &rows);
	if (grid_size(g, cols, rows))
		return;
	snprintf(text, sizeof(text), " fs-top  reading %.300s", what);
	grid_text(g, 0, 0, cols, text, ATTR_TITLE);
	if (seen.size && seen.done < seen.size)
		format_text(text, sizeof(text), "%.0f of %.0f MB, %.0f %%, %.0f s", (double)seen.done / 1e6, (double)seen.size / 1e6,
			 part * 100, seconds);
	else if (seen.size)
		format_text(text, sizeof(text), "all of %.0f MB read; computing, %.0f s", (double)seen.size / 1e6, seconds);
	else
		format_text(text, sizeof(text), "working, %.0f s", seconds);
	grid_text(g, 1, 2, cols, text, ATTR_PLAIN);
	if (seen.size && cols > 4) {
		grid_text(g, 1, 3, 1, "[", ATTR_PLAIN);
		grid_bar(g, 2, 3, cols - 4, &bar, 1);
		grid_text(g, cols - 2, 3, 1, "]", ATTR_PLAIN);
	}
	if (rows)
		grid_text(g, 0, rows - 1, cols, "q quit; other keys count when the screen is there", ATTR_DIM);
	term_draw(g, false);
}

static bool quits(const struct event *e)
{
	return e->kind == EV_KEY && (e->key == 'q' || e->key == CODE_F10 || e->key == CONTROL('c'));
}

static void take_events(struct loading *l)
{
	const size_t room = sizeof(l->kept) / sizeof(*l->kept);
	struct event e;

	while (term_event(&e)) {
		l->ends = l->ends || quits(&e);
		if (e.kind == EV_KEY && l->n < room)
			l->kept[l->n++] = e;
	}
}

/* Shows the progress until the task is done, the user quits, or a signal arrives. */
static void watch(struct run *r, const struct worker *w, const char *what)
{
	struct loading *l = &r->loading;
	struct pollfd fds[] = { { .fd = w->ends[0], .events = POLLIN },
				{ .fd = term_input(), .events = POLLIN },
				{ .fd = term_signals(), .events = POLLIN } };
	struct grid g = { .utf8 = l->utf8 };
	struct timespec begun;
	bool changed = false;

	clock_gettime(CLOCK_MONOTONIC, &begun);
	do {
		draw(&g, what, seconds_since(&begun));
		poll(fds, sizeof(fds) / sizeof(*fds), 200);
		if (fds[2].revents)
			r->signal = term_signal(&changed);
		if (fds[1].revents & POLLIN)
			take_events(l);
		l->ends = l->ends || r->signal || fds[1].revents & (POLLHUP | POLLERR | POLLNVAL);
	} while (!l->ends && !(fds[0].revents & POLLIN));
	grid_free(&g);
}

int loading_run(struct run *r, int (*load)(void *ctx), void *ctx, const char *what)
{
	enum { UNSEEN_MS = 80 };
	struct loading_task e = { load, ctx, EXIT_DONE };
	struct worker w;
	struct pollfd done;

	if (worker_open(&w))
		return load(ctx);
	if (!worker_start(&w, loading_run_task, &e)) {
		worker_close(&w);
		return load(ctx);
	}
	done = (struct pollfd){ .fd = w.ends[0], .events = POLLIN };
	if (poll(&done, 1, UNSEEN_MS) != 1 && !term_open(r->color)) {
		r->loading.open = true;
		put_aside(&r->loading);
		watch(r, &w, what);
	}
	if (r->loading.ends)
		return EXIT_DONE;
	worker_join(&w);
	worker_close(&w);
	return e.status;
}
