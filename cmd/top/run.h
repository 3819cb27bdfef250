/* The three ways to run fs-top: in a terminal, with a script, or once. Each returns an exit status. */
#ifndef TOP_RUN_H
#define TOP_RUN_H

#include "top/load.h"
#include "top/model.h"

/* State of the loading screen. Keys and messages that arrive while the snapshot is read are stored here. */
struct loading {
	struct event keys[256]; /* keys typed while loading */
	size_t n;
	FILE *messages; /* text written to standard error meanwhile */
	int stderr_before;
	bool utf8, open, quit;
};

struct top_run {
	const struct invocation *inv;
	struct source source;
	struct stamp stamp; /* state of the snapshot file before it was read */
	struct model model;
	unsigned every_s;	  /* seconds between captures or checks of the file; 0: check each second, capture only
				   * on request */
	bool color, color_always; /* use colours on a terminal; use them in any output */
	struct loading loading;
	bool theme_given;		  /* --theme was given */
	bool clock_set;		  /* --at was given: the clock does not advance */
	bool abandoned;		  /* a thread still uses the data: exit without freeing anything */
	int signal;		  /* signal that ended fs-top; 0: none */
};

/* ---- the loading screen, before there is data */

/* Runs load(ctx) in a thread and returns its status. If the load takes longer than UNSEEN_MS, opens the terminal, shows
 * the progress and sets r->loading: the keys typed meanwhile, and standard error, which is held back until
 * loading_close_screen. If the user quits, sets r->loading.quit: the thread is still running, so the caller must exit
 * without freeing anything. */
int loading_run_with_screen(struct top_run *r, int (*load)(void *ctx), void *ctx, const char *what);

/* Closes the terminal if it is open, and prints the messages held back. */
void loading_close_screen(struct top_run *r);

/* ---- the explanation as a plain text file, like the output of fs-explain */

struct file_request {
	char name[PROMPT_SIZE];
	bool needs_words; /* needs the text of `request`; false: the text on the screen is all there is */
	struct explanation_request request;
};

/* Sets w->name to the file name in the prompt. Returns false if the file exists already; the model then shows a
 * warning. */
bool write_begin_file(struct top_run *r, struct file_request *w);

/* Writes the explanation to the file and reports the result to the model. words: NULL if w->needs_words is false. */
void write_finish_file(struct top_run *r, const struct file_request *w, const struct lines *words);

/* ---- making explanations in the background */

struct explanation_queue {
	struct top_run *run;
	struct worker worker;
	struct explanation_request request; /* current request */
	struct lines words;
	struct file_request file; /* file to be written next, or with the current explanation */
	bool file_waiting;	     /* the request for the file has not been started */
	bool for_file;	     /* the current explanation is for the file */
};

int ask_open_worker(struct explanation_queue *a, struct top_run *r); /* returns -1 with errno set on error */

/* Requests the explanation for the file named in the prompt. */
void ask_write_file(struct explanation_queue *a);

/* Starts the next request if none is running. Requests that are answered quickly are delivered at once. */
void ask_start_next_request(struct explanation_queue *a);

/* Returns true if a request uses or will use the data, which must not be freed then. */
bool ask_is_busy(const struct explanation_queue *a);

int ask_get_fd(const struct explanation_queue *a); /* returns a descriptor; when it is readable, call ask_deliver_result
						    */
void ask_deliver_result(struct explanation_queue *a);

/* Completes pending files and frees the struct. Returns false if an explanation for the screen is still being made: the
 * data must then not be freed. */
bool ask_end_requests(struct explanation_queue *a);

#endif
