/* Where the data comes from, and getting more of it while the screen stays alive. */
#ifndef TOP_LOAD_H
#define TOP_LOAD_H

#include "input/input.h"
#include "top/model.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/types.h>
#include <time.h>

struct source {
	const struct invocation *inv;
	const struct input *input;
	struct edits *edits; /* of the input; the first `given` are of the command line */
	size_t given;
	const char *file; /* NULL: it does not come from a file that could change */
	bool live;	  /* a capture */
	struct data_options options;
	char error[800]; /* of the last load */
	atomic_int capture; /* process id of the one that runs, 0 none */
};

/* The commands of --if, and these after them, hold from the next load on. They are borrowed: no load may go on while
 * they change. */
void source_suppose(struct source *s, const struct what_ifs *w);

/* New data into *out, or 1 and source->error. old is what is shown now. */
int source_load(struct source *s, const struct data *old, struct data **out);

/* The same snapshot by the algorithm after old's that works for it; borrows it. */
int source_next_algorithm(struct source *s, const struct data *old, struct data **out);

/* What tells one state of a file from the next. */
struct stamp {
	dev_t dev;
	ino_t ino;
	off_t size;
	struct timespec changed;
	bool there;
};
struct stamp stamp_of(const char *file);
bool stamp_same(const struct stamp *a, const struct stamp *b);

/* One load at a time, in a thread of its own. */
struct loader;
struct loader *loader_new(struct source *s); /* NULL: error in errno */
int loader_fd(const struct loader *l);	     /* readable when it is done */
bool loader_busy(const struct loader *l);

enum load_kind { LOAD_SNAPSHOT, LOAD_ALGORITHM, LOAD_ORDER, LOAD_PLAN /* for old */ };

/* sorted_by: column of the queue that the new rows will be shown by, SIZE_MAX none. False: it is busy. */
bool loader_start(struct loader *l, enum load_kind kind, const struct data *old, size_t sorted_by);

/* Frees it, NULL is fine. False if it is in the middle of reading a file: it, the source and the data then stay in
 * use until the process ends. */
bool loader_end(struct loader *l);

/* After loader_fd was readable: what was loaded; new data, or NULL and the source's error; or the chart, NULL without
 * memory. */
enum load_kind loader_kind(const struct loader *l);
struct data *loader_take(struct loader *l);
struct chart *loader_take_chart(struct loader *l);

/* A thread that does one task at a time. */

struct worker {
	pthread_t thread;
	void (*run)(void *);
	void *ctx;
	int ends[2]; /* ends[0] can be read when the task is done */
	bool busy;
};

/* Runs it with ctx in a thread that nobody waits for, or in this one if there can be no other. */
void worker_leave_to(void (*run)(void *), void *ctx);

#endif
