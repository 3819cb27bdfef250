/* The viewer in a terminal: waits for keys, the clock, a changed file, signals and the loader. */
#include "top/load/ask.h"
#include "top/load/loading.h"
#include "top/setup.h"
#include "top/terminal/term.h"
#include "top/update/keys.h"
#include "top/views/view.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct loop {
	struct run *run;
	struct loader *loader;
	struct asking asking;
	struct grid grid;
	struct stamp read;  /* of the file when it was last read, with success or not */
	int64_t next_ms;    /* when to look for something new */
	int64_t started_ms; /* the load under way */
	int64_t drawn_ms;
	int64_t age_min; /* the snapshot's age in minutes as the model knows it */
	bool dirty, whole, pending, ends;
};

static int64_t uptime_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void feed(struct loop *p, const struct event *e);

static void start(struct loop *p, enum load_kind kind)
{
	const struct source *s = &p->run->source;

	if (kind == LOAD_SNAPSHOT && s->file)
		p->read = stamp_of(s->file);
	p->started_ms = uptime_ms();
	if (!loader_busy(p->loader))
		source_suppose(&p->run->source, &p->run->model.what_if);
	if (loader_start(p->loader, kind, p->run->model.data, p->run->model.list[VIEW_QUEUE].sort))
		feed(p, &(struct event){ .kind = EV_LOADING });
}

static void react(struct loop *p, unsigned reaction)
{
	p->ends = p->ends || reaction & REACT_QUIT;
	p->whole = p->whole || reaction & REACT_REDRAW;
	if (reaction & REACT_WRITE)
		ask_write(&p->asking);
	if (reaction & (REACT_WRITE | REACT_WORDS))
		ask_go_on(&p->asking);
	if (reaction & REACT_RELOAD)
		start(p, LOAD_SNAPSHOT);
	if (reaction & REACT_ALGORITHM)
		start(p, LOAD_ALGORITHM);
	if (reaction & REACT_PLAN && !loader_busy(p->loader))
		start(p, LOAD_PLAN);
}

static void feed(struct loop *p, const struct event *e)
{
	p->dirty = p->pending = true;
	react(p, model_update(&p->run->model, e));
}

/* Keys that were typed before there was a queue are for it. */
static void take_kept_keys(struct loop *p)
{
	struct loading *l = &p->run->loading;
	const size_t n = p->run->model.data->unordered ? 0 : l->n;

	for (size_t i = 0; i < n && !p->ends; i++)
		feed(p, &l->kept[i]);
	l->n -= n;
}

/* Tells the model the time when the minute changes, which is all that the screen shows. */
static void send_clock(struct loop *p)
{
	if (p->run->clock_set)
		return;

	const int64_t now = time(NULL),
		      age_min = (now - fs_snapshot_info(p->run->model.data->snapshot)->time) / 60;

	if (age_min == p->age_min)
		return;
	p->age_min = age_min;
	feed(p, &(struct event){ .kind = EV_CLOCK, .time = now });
}

/* A capture costs the controller something: the next one waits at least four times as long as the last one took. */
static void plan_next(struct loop *p)
{
	const int64_t now = uptime_ms(), every = (int64_t)p->run->every_s * 1000,
		      took = now - p->started_ms;

	if (!p->run->source.live)
		p->next_ms = now + (every ? every : 1000);
	else
		p->next_ms = !every ? INT64_MAX : now + (every > 4 * took ? every : 4 * took);
}

static void look_for_news(struct loop *p)
{
	const struct source *s = &p->run->source;
	struct stamp stamp;

	if (uptime_ms() < p->next_ms || loader_busy(p->loader))
		return;
	if (s->live) {
		start(p, LOAD_SNAPSHOT);
	} else if (s->file) {
		stamp = stamp_of(s->file);
		if (!stamp_same(&stamp, &p->read))
			start(p, LOAD_SNAPSHOT);
	}
	plan_next(p);
}

/* Frees old data in a thread: with a million jobs that takes noticeable time. */
static void free_data(void *data)
{
	data_free(data);
}

static void take_load(struct loop *p)
{
	struct data *data;

	if (loader_kind(p->loader) == LOAD_PLAN) {
		feed(p, &(struct event){ .kind = EV_PLANNED, .chart = loader_take_chart(p->loader) });
		return;
	}
	data = loader_take(p->loader);
	p->age_min = INT64_MIN;
	feed(p, &(struct event){ .kind = data ? EV_DATA : EV_FAILED,
				 .data = data,
				 .text = p->run->source.error });
	worker_leave_to(free_data, model_retired(&p->run->model));
	take_kept_keys(p);
	plan_next(p);
}

static void draw(struct loop *p)
{
	if (!p->dirty && !p->whole)
		return;
	if (!view_draw(&p->run->model, &p->grid))
		term_draw(&p->grid, p->whole);
	p->dirty = p->whole = false;
	p->drawn_ms = uptime_ms();
}

static void take_signal(struct loop *p)
{
	struct event e = { .kind = EV_RESIZE };
	bool changed = false;

	p->run->signal = term_signal(&changed);
	p->ends = p->ends || p->run->signal;
	if (!changed)
		return;
	term_size(&e.x, &e.y);
	feed(p, &e);
	p->whole = true;
}

static void take_keys(struct loop *p)
{
	struct event e;

	while (!p->ends && term_event(&e)) {
		if (e.kind == EV_KEY && e.key == CONTROL('z')) {
			term_suspend();
			term_size(&e.x, &e.y);
			e.kind = EV_RESIZE;
			p->whole = true;
		}
		feed(p, &e);
	}
}

/* Waits for something to happen, not at all if there is work to go on with. */
static void wait_for(struct loop *p)
{
	struct pollfd fds[] = { { .fd = term_input(), .events = POLLIN },
				{ .fd = term_signals(), .events = POLLIN },
				{ .fd = ask_fd(&p->asking), .events = POLLIN },
				{ .fd = ask_busy(&p->asking) ? -1 : loader_fd(p->loader), .events = POLLIN } };
	const int64_t left = p->next_ms - uptime_ms();
	const int timeout = p->pending ? 0 : left < 0 ? 0 : left < 1000 ? (int)left : 1000;

	if (poll(fds, sizeof(fds) / sizeof(*fds), timeout) < 0 && errno != EINTR)
		p->ends = true;
	if (fds[1].revents)
		take_signal(p);
	if (fds[2].revents & POLLIN) {
		ask_take(&p->asking);
		p->dirty = true;
	}
	if (!p->ends && fds[3].revents & POLLIN && !ask_busy(&p->asking))
		take_load(p);
	if (!p->ends && fds[0].revents & POLLIN)
		take_keys(p);
	if (fds[0].revents & (POLLHUP | POLLERR | POLLNVAL))
		p->ends = true; /* the terminal is gone */
}

/* Goes on with sorting and filtering between keys; the screen is drawn about ten times a second meanwhile. */
static void work(struct loop *p)
{
	const int64_t slice_ms = 4, redraw_ms = 100, until = uptime_ms() + slice_ms;

	while (p->pending && uptime_ms() < until)
		p->pending = model_work(&p->run->model);
	p->dirty = p->dirty || !p->pending || uptime_ms() - p->drawn_ms > redraw_ms;
}

static int loop(struct loop *p)
{
	struct event size = { .kind = EV_RESIZE };

	term_size(&size.x, &size.y);
	feed(p, &size);
	take_kept_keys(p);
	p->started_ms = uptime_ms();
	if (p->run->model.data->unordered)
		start(p, LOAD_ORDER);
	plan_next(p);
	while (!p->ends) {
		send_clock(p);
		draw(p);
		if (p->pending)
			work(p);
		draw(p);
		wait_for(p);
		if (!p->ends)
			look_for_news(p);
	}
	return EXIT_DONE;
}

int run_terminal(struct run *r)
{
	struct loop p = {
		.run = r, .loader = loader_new(&r->source), .read = r->stamp, .age_min = INT64_MIN
	};
	const bool ready = p.loader && !ask_open(&p.asking, r);
	const char *why = !ready ? strerror(errno) : r->loading.open ? NULL : term_open(r->color);
	struct setup setup;
	int status = EXIT_FAILED;

	if (why) {
		loading_close(r);
		complain(r->inv, "%s", why);
	} else {
		model_use_blocks(&r->model, r->model.blocks && term_has_colors());
		r->loading.open = true;
		setup_load(&setup, &r->model, r->themed);
		status = loop(&p);
		loading_close(r);
		setup_save(&setup, r->inv, &r->model);
	}
	if (ready)
		r->abandoned = !ask_end(&p.asking);
	r->abandoned = !loader_end(p.loader) || r->abandoned;
	grid_free(&p.grid);
	return status;
}
