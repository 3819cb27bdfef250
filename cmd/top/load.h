/* Loads data from a file, from the demo or by a live capture. The loads run in threads, so that the screen stays
 * responsive. */
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
	/* hypothetical commands, stored in input->edits; the first `ncommand_line_edits` are from --if */
	struct edits *edits;
	size_t ncommand_line_edits;
	const char *file; /* file that is loaded again when it changes; NULL: there is no such file */
	bool live;	  /* new data is captured from the live cluster */
	struct data_options options;
	char error[800]; /* error message of the last failed load */
	atomic_int capture; /* process id of the running capture; 0: no capture is running */
};

/* Sets the hypothetical commands that the next loads apply to the snapshot: the commands of --if, followed by the
 * commands in `w`. Borrows the strings in `w`. No load may be running. */
void source_set_what_ifs(struct source *s, const struct what_ifs *w);

/* Loads new data into *out. `old`: the data shown now. Returns 0, or 1 after setting s->error. */
int source_load_data(struct source *s, const struct data *old, struct data **out);

/* Computes data from the snapshot of `old` with another fair-share algorithm. Tries the algorithms in the order of
 * fs_algorithm_name, starting after the algorithm of `old`, until a computation succeeds. Borrows the snapshot. Returns
 * 0, or 1 after setting s->error. */
int source_load_next_algorithm(struct source *s, const struct data *old, struct data **out);

/* Identifies the content of a file. If two stamps of a file are equal, the content has not changed. */
struct stamp {
	dev_t dev;
	ino_t ino;
	off_t size;
	struct timespec changed;
	bool exists;
};
struct stamp stamp_read_file(const char *file);
bool stamp_is_same(const struct stamp *a, const struct stamp *b);

/* ---- loading in the background: one load at a time, in a thread of its own */
struct loader;
struct loader *loader_create_for(struct source *s); /* returns NULL with errno set on error */
/* returns a descriptor that becomes readable when the load is done */
int loader_get_fd(const struct loader *l);
bool loader_is_busy(const struct loader *l);

/* Kinds of loads. LOAD_ORDER computes the data on the screen again, together with the queue. LOAD_PLAN computes the
 * chart of planned starts from the data on the screen. */
enum load_kind { LOAD_SNAPSHOT, LOAD_ALGORITHM, LOAD_ORDER, LOAD_PLAN };

/* Starts a load. `old`: the data shown now. `sorted_by`: column of the queue view by which the new rows will be sorted;
 * SIZE_MAX: none. Returns false if a load is already running or no thread can be started. */
bool loader_start_load(struct loader *l, enum load_kind kind, const struct data *old, size_t sorted_by);

/* Stops and frees the loader (may be NULL). Returns false if a load is running that cannot be interrupted. The caller
 * must then not free the loader, the source or the data, because the load uses them until the process ends. */
bool loader_end_load(struct loader *l);

/* These functions may be called once loader_get_fd is readable. loader_get_kind returns the kind of the completed load.
 * loader_take_data returns the new data, or NULL if the load failed; source->error is then the reason.
 * loader_take_chart returns the chart, or NULL if out of memory. */
enum load_kind loader_get_kind(const struct loader *l);
struct data *loader_take_data(struct loader *l);
struct chart *loader_take_chart(struct loader *l);

/* A thread that runs one task at a time. */

struct worker {
	pthread_t thread;
	void (*run)(void *);
	void *ctx;
	int ends[2]; /* ends of a pipe; ends[0] is readable when the task is done */
	bool busy;
};

/* Runs run(ctx) in a detached thread, or in the calling thread if no thread can be started. */
void worker_run_detached(void (*run)(void *), void *ctx);

#endif
