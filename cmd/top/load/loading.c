#include "top/load/loading.h"

#include "input/progress.h"
#include "render/emit.h"
#include "render/format.h"
#include "top/load/worker.h"
#include "top/terminal/term.h"
#include "top/update/keys.h"

#include <poll.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct task {
	int (*load)(void *ctx);
	void *ctx;
	int status;
};

static void run_task(void *ctx)
{
	struct task *e = ctx;

	e->status = e->load(e->ctx);
}

static double seconds_since(const struct timespec *then)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)(now.tv_sec - then->tv_sec) + (double)(now.tv_nsec - then->tv_nsec) / 1e9;
}

/* ---- standard error, aside */

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

/* ---- the screen meanwhile */

static void draw(struct grid *g, const char *what, double seconds)
{
	struct progress_seen seen = progress_seen();
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

/* Draws how far it is until the task is done, somebody quits, or a signal ends it. */
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
	struct task e = { load, ctx, EXIT_DONE };
	struct worker w;
	struct pollfd done;

	if (worker_open(&w))
		return load(ctx);
	if (!worker_start(&w, run_task, &e)) {
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
