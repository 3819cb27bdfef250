#include "top/load/ask.h"

#include <poll.h>

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

/* Waits a moment for the explanation: most take less time than anybody notices. */
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
