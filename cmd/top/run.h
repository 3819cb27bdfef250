/* The three ways to run fs-top: in a terminal, with a script, or once for one output. Each returns an exit status. */
#ifndef TOP_RUN_H
#define TOP_RUN_H

#include "top/load.h"
#include "top/model.h"

/* State of the loading screen. It stores keys and messages that arrive while the snapshot is read. */
struct loading {
	struct event keys[256]; /* keys typed while the snapshot is loaded */
	size_t n;
	FILE *messages; /* file that receives the text written to standard error while loading */
	int stderr_before;
	bool utf8, open, quit;
};

struct top_run {
	const struct invocation *inv;
	struct source source;
	struct stamp stamp; /* identity of the snapshot file and its content, read before the file was loaded */
	struct model model;
	/* number of seconds between two captures or between two checks of the file; 0: the file is checked each second,
	 * and a capture is made only on request */
	unsigned every_s;
	bool color, color_always; /* `color`: use colors on a terminal; `color_always`: use colors in any output */
	struct loading loading;
	bool theme_given;		  /* --theme is given */
	bool clock_set;		  /* --at is given, so the current time does not advance */
	bool abandoned;		  /* a thread still uses the data, so fs-top must exit without freeing anything */
	int signal;		  /* signal that ended fs-top; 0: none */
};

/* ---- the loading screen, before there is data */

/* Runs load(ctx) in a thread and returns its status. If the load takes longer than UNSEEN_MS, shows its progress in the
 * terminal. From then on, r->loading stores the typed keys and the text written to standard error. If the user quits or
 * a signal arrives, returns early with r->loading.quit set. The caller must then exit without freeing anything, because
 * the load may still run. */
int loading_run_with_screen(struct top_run *r, int (*load)(void *ctx), void *ctx, const char *what);

/* Closes the terminal if it is open, and prints the stored text of standard error. */
void loading_close_screen(struct top_run *r);

/* ---- the explanation as a plain text file, like the output of fs-explain */

struct file_request {
	char name[PROMPT_SIZE];
	/* true: the file gets the explanation that `request` describes; false: the file gets the text on the screen */
	bool needs_words;
	struct explanation_request request;
};

/* Sets *w to the request for the file named in the prompt. Returns false if the file exists already; the model then
 * shows a warning. */
bool write_begin_file(struct top_run *r, struct file_request *w);

/* Writes the explanation to the file and sends the result to the model. `words`: the explanation; NULL if
 * w->needs_words is false. */
void write_finish_file(struct top_run *r, const struct file_request *w, const struct lines *words);

/* ---- making explanations in the background */

struct explanation_queue {
	struct top_run *run;
	struct worker worker;
	struct explanation_request request; /* request whose explanation is being made */
	struct lines words;
	struct file_request file; /* request to write an explanation to the file that the user named */
	bool file_waiting;	     /* true: the explanation of the request `file` has not been started yet */
	bool for_file;	     /* true: the explanation in progress will be written to the file of the request `file` */
};

int ask_open_worker(struct explanation_queue *a, struct top_run *r); /* returns -1 with errno set on error */

/* Handles the request to write the file named in the prompt: writes the file at once if it needs no explanation.
 * Otherwise requests the explanation; the file is written when the explanation is ready. */
void ask_write_file(struct explanation_queue *a);

/* Starts the next request if no request is being answered. A request that is answered quickly is delivered at once. */
void ask_start_next_request(struct explanation_queue *a);

/* Returns true if a request uses or will use the data; the data must then not be freed. */
bool ask_is_busy(const struct explanation_queue *a);

int ask_get_fd(const struct explanation_queue *a); /* returns a descriptor; when it is readable, call ask_deliver_result
						    */
void ask_deliver_result(struct explanation_queue *a);

/* Completes the requested file, if there is one, and frees the contents of *a. Returns false if an explanation for the
 * screen is still being made; the data must then not be freed. */
bool ask_end_requests(struct explanation_queue *a);

#endif
