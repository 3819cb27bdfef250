#include "top/load.h"

#include "render/emit.h"
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

static void *run_detached_task(void *arg)
{
	struct worker_task *e = arg;

	e->run(e->ctx);
	free(e);
	return NULL;
}

void worker_run_detached(void (*run)(void *), void *ctx)
{
	struct worker_task *e = malloc(sizeof(*e));
	sigset_t all, before;
	pthread_t thread;
	bool left = false;

	if (e) {
		*e = (struct worker_task){ run, ctx };
		sigfillset(&all);
		pthread_sigmask(SIG_SETMASK, &all, &before);
		left = !pthread_create(&thread, NULL, run_detached_task, e);
		pthread_sigmask(SIG_SETMASK, &before, NULL);
	}
	if (left) {
		pthread_detach(thread);
		return;
	}
	free(e);
	run(ctx);
}

/* Opens the pipe that signals the end of a task. Returns -1 with errno set on error. */
static int open_worker_pipe(struct worker *w)
{
	*w = (struct worker){ .busy = false };
	if (pipe(w->ends))
		return -1;
	fcntl(w->ends[0], F_SETFD, FD_CLOEXEC);
	fcntl(w->ends[1], F_SETFD, FD_CLOEXEC);
	return 0;
}

static void close_worker_pipe(struct worker *w)
{
	close(w->ends[0]);
	close(w->ends[1]);
}

static void *run_task_in_worker(void *arg)
{
	struct worker *w = arg;
	ssize_t n;

	w->run(w->ctx);
	do
		n = write(w->ends[1], "", 1);
	while (n < 0 && errno == EINTR);
	return NULL;
}

/* Starts run(ctx) in a thread in which all signals are blocked. Returns false if no thread could be started. */
static bool start_worker_task(struct worker *w, void (*run)(void *), void *ctx)
{
	sigset_t all, before;

	w->run = run;
	w->ctx = ctx;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	w->busy = !pthread_create(&w->thread, NULL, run_task_in_worker, w);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return w->busy;
}

/* Waits until the task ends and its thread writes a byte to the pipe w->ends. */
static void join_worker_thread(struct worker *w)
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

/* ---- snapshot files: detecting changes, and reading the files */

struct stamp stamp_read_file(const char *file)
{
	struct stat st;

	if (stat(file, &st))
		return (struct stamp){ .exists = false };
	return (struct stamp){ st.st_dev, st.st_ino, st.st_size, st.st_mtim, true };
}

bool stamp_is_same(const struct stamp *a, const struct stamp *b)
{
	return a->exists == b->exists && a->dev == b->dev && a->ino == b->ino && a->size == b->size &&
	       a->changed.tv_sec == b->changed.tv_sec && a->changed.tv_nsec == b->changed.tv_nsec;
}

static int set_source_load_error(struct source *s, const struct fs_error *err)
{
	fs_error_format(err, s->error, sizeof(s->error));
	return 1;
}

/* Returns true if a new live capture could not read the jobs although the old data has jobs. fs-top then continues to
 * show the old data. */
static bool has_lost_job_records(const struct source *s, const struct data *old, const fs_snapshot *snapshot)
{
	return s->live && old && fs_snapshot_hidden(snapshot, "job") && !fs_snapshot_hidden(old->snapshot, "job");
}

/* Returns true if reading the file may wait for another process or a user. */
static bool may_block_reader(const char *file)
{
	struct stat st;

	return !stat(file, &st) && (S_ISFIFO(st.st_mode) || S_ISCHR(st.st_mode));
}

/* `old`: NULL for the first load, which may wait for a pipe. */
static int load_data_from_file(struct source *s, const char *file, const struct data *old, struct data **out)
{
	struct data_options o = s->options;
	fs_snapshot *snapshot = NULL;
	fs_usage *usage = NULL;
	struct fs_error err;

	if (old && file && may_block_reader(file)) {
		snprintf(s->error, sizeof(s->error), "%s: not a regular file", file);
		return 1;
	}
	o.view.algorithm = old ? old->requested_algorithm : o.view.algorithm;
	if (input_try_file(s->input, file, &snapshot, &err))
		return set_source_load_error(s, &err);
	if (has_lost_job_records(s, old, snapshot)) {
		fs_snapshot_free(snapshot);
		snprintf(s->error, sizeof(s->error), "the jobs are hidden in the new capture");
		return 1;
	}
	if (usage_is_computation_requested(s->input) && usage_try_load(s->input, file, snapshot, &usage, &err)) {
		fs_usage_free(usage);
		fs_snapshot_free(snapshot);
		return set_source_load_error(s, &err);
	}
	return data_make_from_snapshot(out, snapshot, usage, &o, old, &err) ? set_source_load_error(s, &err) : 0;
}

void source_set_what_ifs(struct source *s, const struct what_ifs *w)
{
	for (s->edits->n = s->ncommand_line_edits;
	     s->edits->n < MAX_EDITS && s->edits->n - s->ncommand_line_edits < w->n; s->edits->n++)
		s->edits->command[s->edits->n] = w->text[s->edits->n - s->ncommand_line_edits];
}

/* ---- captures: fs-snap runs in a separate process, whose output does not reach the screen */

static pid_t spawn_capture_process(const char *errors, const char *file)
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
static void read_capture_error_line(const char *errors, char *buf, size_t size)
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

/* Runs a capture and waits for its end. Returns true if the capture succeeded. */
static bool run_capture_process(struct source *s, const char *errors, const char *file)
{
	const pid_t pid = spawn_capture_process(errors, file);
	int status = -1;

	if (pid < 0)
		return false;
	atomic_store(&s->capture, pid);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	atomic_store(&s->capture, 0);
	return WIFEXITED(status) && !WEXITSTATUS(status);
}

static int load_data_from_capture(struct source *s, const struct data *old, struct data **out)
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
	if (run_capture_process(s, errors, file))
		rc = load_data_from_file(s, file, old, out);
	else
		read_capture_error_line(errors, s->error, sizeof(s->error));
	unlink(file);
	unlink(errors);
	rmdir(dir);
	return rc;
}

int source_load_data(struct source *s, const struct data *old, struct data **out)
{
	if (s->live)
		return load_data_from_capture(s, old, out);
	if (s->file || s->input->demo)
		return load_data_from_file(s, s->file, old, out);
	snprintf(s->error, sizeof(s->error), "this snapshot cannot be read again");
	return 1;
}

/* ---- computing the shares with another algorithm */

static size_t find_index_of_algorithm(const char *algorithm, size_t *n)
{
	const char *name;
	size_t at = 0;

	for (*n = 0; (name = fs_algorithm_name(*n)); ++*n)
		if (!strcmp(name, algorithm))
			at = *n;
	return at;
}

int source_load_next_algorithm(struct source *s, const struct data *old, struct data **out)
{
	struct data_options o = s->options;
	size_t n, at = find_index_of_algorithm(old->algorithm, &n);
	struct fs_error err = { .code = FS_ENODATA,
				.message = "no other algorithm works with this snapshot" };

	o.borrow = true;
	for (size_t i = 1; i < n; i++) {
		struct data *d;

		o.view.algorithm = fs_algorithm_name((at + i) % n);
		if (data_make_from_snapshot(&d, old->snapshot, old->usage, &o, old, &err))
			continue;
		if (d->eval.shares && strcmp(d->algorithm, old->algorithm) != 0) {
			*out = d;
			return 0;
		}
		err = d->eval.shares ? err : d->eval.shares_error;
		data_free_results(d);
	}
	return set_source_load_error(s, &err);
}

/* Computes the data again from the snapshot of `old`, including the queue, which `old` lacks. Borrows the snapshot. */
static int load_data_with_queue(struct source *s, const struct data *old, struct data **out)
{
	struct data_options o = s->options;
	struct fs_error err;

	o.borrow = true;
	return data_make_from_snapshot(out, old->snapshot, old->usage, &o, NULL, &err) ? set_source_load_error(s, &err)
										       : 0;
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

static void run_loader_task(void *arg)
{
	struct loader *l = arg;

	l->result = NULL;
	if (l->kind == LOAD_PLAN)
		l->chart = chart_make_planned(l->old);
	else if (l->kind == LOAD_ALGORITHM)
		source_load_next_algorithm(l->source, l->old, &l->result);
	else if (l->kind == LOAD_ORDER)
		load_data_with_queue(l->source, l->old, &l->result);
	else
		source_load_data(l->source, l->old, &l->result);
}

struct loader *loader_create_for(struct source *s)
{
	struct loader *l = calloc(1, sizeof(*l));

	if (l && open_worker_pipe(&l->worker)) {
		free(l);
		return NULL;
	}
	if (l)
		l->source = s;
	return l;
}

int loader_get_fd(const struct loader *l)
{
	return l->worker.ends[0];
}

bool loader_is_busy(const struct loader *l)
{
	return l->worker.busy;
}

bool loader_start_load(struct loader *l, enum load_kind kind, const struct data *old, size_t sorted_by)
{
	if (l->worker.busy)
		return false;
	l->kind = kind;
	l->old = old;
	l->source->options.sorted_by = sorted_by;
	return start_worker_task(&l->worker, run_loader_task, l);
}

struct data *loader_take_data(struct loader *l)
{
	join_worker_thread(&l->worker);
	return l->result;
}

enum load_kind loader_get_kind(const struct loader *l)
{
	return l->kind;
}

struct chart *loader_take_chart(struct loader *l)
{
	join_worker_thread(&l->worker);
	return l->chart;
}

bool loader_end_load(struct loader *l)
{
	const pid_t capture = l ? atomic_load(&l->source->capture) : 0;

	if (!l)
		return true;
	if (l->worker.busy && (!l->source->live || l->kind == LOAD_PLAN || l->kind == LOAD_ORDER))
		return false;
	if (l->worker.busy) {
		if (capture)
			kill(capture, SIGTERM);
		data_free_results(loader_take_data(l));
	}
	close_worker_pipe(&l->worker);
	free(l);
	return true;
}

static void send_file_message(struct top_run *r, enum event_kind kind, const char *name, const char *what)
{
	char text[PROMPT_SIZE + 200];

	if (kind == EV_REPORTED)
		snprintf(text, sizeof(text), "%s %s", what, name);
	else
		snprintf(text, sizeof(text), "%s: %s", name, what);
	model_update_on_event(&r->model, &(struct event){ .kind = kind, .text = text });
}

bool write_begin_file(struct top_run *r, struct file_request *w)
{
	*w = (struct file_request){ .needs_words = false };
	snprintf(w->name, sizeof(w->name), "%s", r->model.prompt.text);
	if (!access(w->name, F_OK)) {
		send_file_message(r, EV_WARNED, w->name, "the file exists; choose another name");
		return false;
	}
	w->needs_words = model_get_file_request(&r->model, &w->request);
	return true;
}

static void write_visible_lines(const struct lines *l, FILE *out)
{
	char clean[1200];

	for (size_t i = 0; i < l->n; i++)
		emit_to_stream(out, "%s\n", text_make_visible(clean, sizeof(clean), l->v[i].text));
}

static void write_pane_text_file(const struct model *m, FILE *out)
{
	struct lines l = { 0 };

	model_explain_selected(m, &l, WORDS_WIDTH);
	write_visible_lines(&l, out);
	lines_free_all(&l);
}

/* Writes the new file `name` with the explanation `words`, or with the text of the pane if `words` is NULL. Fails if
 * the file exists. Removes the file if it cannot be completed. */
static int write_new_explanation_file(const struct model *m, const char *name, const struct lines *words)
{
	const int fd = open(name, O_WRONLY | O_CREAT | O_EXCL, 0666);
	FILE *out = fd < 0 ? NULL : fdopen(fd, "w");
	bool failed;
	int why;

	if (!out)
		return -1;
	if (words)
		write_visible_lines(words, out);
	else
		write_pane_text_file(m, out);
	failed = ferror(out);
	failed = fclose(out) || failed;
	if (!failed)
		return 0;
	why = errno;
	unlink(name);
	errno = why;
	return -1;
}

void write_finish_file(struct top_run *r, const struct file_request *w, const struct lines *words)
{
	if (words && words->failed)
		send_file_message(r, EV_WARNED, w->name, "out of memory");
	else if (write_new_explanation_file(&r->model, w->name, words))
		send_file_message(r, EV_WARNED, w->name, strerror(errno));
	else
		send_file_message(r, EV_REPORTED, w->name, "written to");
}

int ask_open_worker(struct explanation_queue *a, struct top_run *r)
{
	*a = (struct explanation_queue){ .run = r };
	return open_worker_pipe(&a->worker);
}

static void make_requested_explanation(void *ctx)
{
	struct explanation_queue *a = ctx;

	words_make_explanation(&a->words, a->run->model.data, &a->request);
}

static void deliver_made_explanation(struct explanation_queue *a)
{
	const struct event e = { .kind = EV_WORDS, .request = &a->request, .words = &a->words };

	if (a->for_file)
		write_finish_file(a->run, &a->file, &a->words);
	else
		model_update_on_event(&a->run->model, &e);
	lines_free_all(&a->words);
	a->for_file = false;
}

static bool take_next_request(struct explanation_queue *a)
{
	if (!a->file_waiting)
		return model_needs_explanation(&a->run->model, &a->request);
	a->file_waiting = false;
	a->for_file = true;
	a->request = a->file.request;
	return true;
}

/* Makes the requested explanations one by one. Returns as soon as an explanation takes longer than SOON_MS; the worker
 * thread completes that explanation later. Most explanations take less time. */
void ask_start_next_request(struct explanation_queue *a)
{
	enum { SOON_MS = 8 };

	while (!a->worker.busy && take_next_request(a)) {
		struct pollfd done = { .fd = a->worker.ends[0], .events = POLLIN };

		if (!start_worker_task(&a->worker, make_requested_explanation, a)) {
			make_requested_explanation(a);
			deliver_made_explanation(a);
		} else if (poll(&done, 1, SOON_MS) == 1) {
			join_worker_thread(&a->worker);
			deliver_made_explanation(a);
		}
	}
}

void ask_write_file(struct explanation_queue *a)
{
	if (a->file_waiting || a->for_file) {
		model_update_on_event(&a->run->model, &(struct event){ .kind = EV_WARNED,
								  .text = "the previous file is not written yet" });
		return;
	}
	if (!write_begin_file(a->run, &a->file))
		return;
	if (!a->file.needs_words) {
		write_finish_file(a->run, &a->file, NULL);
		return;
	}
	a->file_waiting = true;
	model_update_on_event(
		&a->run->model,
		&(struct event){ .kind = EV_REPORTED, .text = "working: the file is being prepared" });
}

bool ask_is_busy(const struct explanation_queue *a)
{
	return a->worker.busy || a->file_waiting;
}

int ask_get_fd(const struct explanation_queue *a)
{
	return a->worker.ends[0];
}

void ask_deliver_result(struct explanation_queue *a)
{
	join_worker_thread(&a->worker);
	deliver_made_explanation(a);
	ask_start_next_request(a);
}

bool ask_end_requests(struct explanation_queue *a)
{
	while (ask_is_busy(a) && (a->file_waiting || a->for_file))
		if (a->worker.busy)
			ask_deliver_result(a);
		else
			ask_start_next_request(a);
	if (a->worker.busy)
		return false;
	close_worker_pipe(&a->worker);
	return true;
}

struct loading_task {
	int (*load)(void *ctx);
	void *ctx;
	int status;
};

static void run_loading_task(void *ctx)
{
	struct loading_task *e = ctx;

	e->status = e->load(e->ctx);
}

static double get_seconds_since_start(const struct timespec *then)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)(now.tv_sec - then->tv_sec) + (double)(now.tv_nsec - then->tv_nsec) / 1e9;
}

/* ---- standard error during the load */

static void redirect_standard_error(struct loading *l)
{
	l->messages = tmpfile();
	if (!l->messages)
		return;
	fflush(stderr);
	l->stderr_before = dup(STDERR_FILENO);
	if (l->stderr_before >= 0)
		dup2(fileno(l->messages), STDERR_FILENO);
}

static void restore_standard_error(struct loading *l)
{
	char line[1024];

	if (!l->messages)
		return;
	fflush(stderr);
	if (l->stderr_before >= 0) {
		dup2(l->stderr_before, STDERR_FILENO);
		close(l->stderr_before);
	}
	rewind(l->messages);
	while (fgets(line, sizeof(line), l->messages)) {
		line[strcspn(line, "\n")] = '\0';
		emit_to_stream(stderr, "%s\n", line);
	}
	fclose(l->messages);
	l->messages = NULL;
}

void loading_close_screen(struct top_run *r)
{
	if (r->loading.open)
		term_close_screen();
	r->loading.open = false;
	restore_standard_error(&r->loading);
}

/* ---- the loading screen */

static void draw_loading_progress_screen(struct grid *g, const char *what, double seconds)
{
	struct progress_counts seen = progress_get_seen();
	const double part = seen.size ? (double)seen.done / (double)seen.size : 0;
	struct grid_part bar = { part < 1 ? part : 1, ATTR_FACTOR, '=' };
	char text[400];
	unsigned cols, rows;

	term_get_size(&cols, &rows);
	if (grid_set_size(g, cols, rows))
		return;
	snprintf(text, sizeof(text), " fs-top  reading %.300s", what);
	grid_write_text(g, 0, 0, cols, text, ATTR_TITLE);
	if (seen.size && seen.done < seen.size)
		format_text(text, sizeof(text), "%.0f of %.0f MB, %.0f %%, %.0f s", (double)seen.done / 1e6, (double)seen.size / 1e6,
			 part * 100, seconds);
	else if (seen.size)
		format_text(text, sizeof(text), "read %.0f MB; computing, %.0f s", (double)seen.size / 1e6, seconds);
	else
		format_text(text, sizeof(text), "working, %.0f s", seconds);
	grid_write_text(g, 1, 2, cols, text, ATTR_PLAIN);
	if (seen.size && cols > 4) {
		grid_write_text(g, 1, 3, 1, "[", ATTR_PLAIN);
		grid_draw_bar(g, 2, 3, cols - 4, &bar, 1);
		grid_write_text(g, cols - 2, 3, 1, "]", ATTR_PLAIN);
	}
	if (rows)
		grid_write_text(g, 0, rows - 1, cols, "q quit; other keys take effect after loading", ATTR_DIM);
	term_draw_grid(g, false);
}

static bool is_quit_key_event(const struct event *e)
{
	return e->kind == EV_KEY && (e->key == 'q' || e->key == CODE_F10 || e->key == CONTROL('c'));
}

static void store_loading_events(struct loading *l)
{
	const size_t capacity = sizeof(l->keys) / sizeof(*l->keys);
	struct event e;

	while (term_read_event(&e)) {
		l->quit = l->quit || is_quit_key_event(&e);
		if (e.kind == EV_KEY && l->n < capacity)
			l->keys[l->n++] = e;
	}
}

/* Shows the progress of the load until the task is done, the user quits, or a signal arrives. */
static void watch_loading_task(struct top_run *r, const struct worker *w, const char *what)
{
	struct loading *l = &r->loading;
	struct pollfd fds[] = { { .fd = w->ends[0], .events = POLLIN },
				{ .fd = term_get_input_fd(), .events = POLLIN },
				{ .fd = term_get_signal_fd(), .events = POLLIN } };
	struct grid g = { .utf8 = l->utf8 };
	struct timespec start;
	bool changed = false;

	clock_gettime(CLOCK_MONOTONIC, &start);
	do {
		draw_loading_progress_screen(&g, what, get_seconds_since_start(&start));
		poll(fds, sizeof(fds) / sizeof(*fds), 200);
		if (fds[2].revents)
			r->signal = term_read_signal(&changed);
		if (fds[1].revents & POLLIN)
			store_loading_events(l);
		l->quit = l->quit || r->signal || fds[1].revents & (POLLHUP | POLLERR | POLLNVAL);
	} while (!l->quit && !(fds[0].revents & POLLIN));
	grid_free_cells(&g);
}

int loading_run_with_screen(struct top_run *r, int (*load)(void *ctx), void *ctx, const char *what)
{
	enum { UNSEEN_MS = 80 };
	struct loading_task e = { load, ctx, EXIT_DONE };
	struct worker w;
	struct pollfd done;

	if (open_worker_pipe(&w))
		return load(ctx);
	if (!start_worker_task(&w, run_loading_task, &e)) {
		close_worker_pipe(&w);
		return load(ctx);
	}
	done = (struct pollfd){ .fd = w.ends[0], .events = POLLIN };
	if (poll(&done, 1, UNSEEN_MS) != 1 && !term_open_screen(r->color)) {
		r->loading.open = true;
		redirect_standard_error(&r->loading);
		watch_loading_task(r, &w, what);
	}
	if (r->loading.quit)
		return EXIT_DONE;
	join_worker_thread(&w);
	close_worker_pipe(&w);
	return e.status;
}
