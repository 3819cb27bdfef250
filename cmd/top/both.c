#include "top/both.h"

#include <pthread.h>
#include <stdbool.h>

struct errand {
	void (*run)(void *);
	void *ctx;
};

static void *run(void *arg)
{
	const struct errand *e = arg;

	e->run(e->ctx);
	return NULL;
}

void both(void (*there)(void *), void (*here)(void *), void *ctx)
{
	struct errand e = { there, ctx };
	pthread_t thread;
	const bool parallel = !pthread_create(&thread, NULL, run, &e);

	if (!parallel)
		there(ctx);
	here(ctx);
	if (parallel)
		pthread_join(thread, NULL);
}
