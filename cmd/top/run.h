/* The three ways to run fs-top: in a terminal, with a script, or once. Each returns an exit status. */
#ifndef TOP_RUN_H
#define TOP_RUN_H

#include "top/load.h"
#include "top/model.h"

/* State of the loading screen. Keys and messages that arrive while the snapshot is read are stored here. */
struct loading {
	struct event kept[256]; /* keys typed while loading */
	size_t n;
	FILE *said; /* text written to standard error meanwhile */
	int stderr_before;
	bool utf8, open, ends;
};

struct run {
	const struct invocation *inv;
	struct source source;
	struct stamp stamp; /* the file's state before it was read */
	struct model model;
	unsigned every_s;	  /* seconds between captures or checks of the file; 0: check each second, capture only
				   * on request */
	bool color, color_always; /* use colours on a terminal; use them in any output */
	struct loading loading;
	bool themed;		  /* --theme was given */
	bool clock_set;		  /* --at was given: the clock does not advance */
	bool abandoned;		  /* a thread still uses the data: exit without freeing anything */
	int signal;		  /* signal that ended fs-top; 0: none */
};

/* ---- the loading screen, before there is data */

/* Runs load(ctx) in a thread and returns its status. If the load takes longer than UNSEEN_MS, opens the terminal, shows
 * the progress and sets r->loading: the keys typed meanwhile, and standard error, which is held back until
 * loading_close. If the user quits, sets r->loading.ends: the thread is still running, so the caller must exit without
 * freeing anything. */
int loading_run(struct run *r, int (*load)(void *ctx), void *ctx, const char *what);

/* Closes the terminal if it is open, and prints the messages held back. */
void loading_close(struct run *r);

/* ---- the explanation as a plain text file, like the output of fs-explain */

struct writing {
	char name[PROMPT_SIZE];
	bool asks; /* needs the text of `request`; false: the text on the screen is all there is */
	struct words_request request;
};

/* Sets w->name to the file name in the prompt. Returns false if the file exists already; the model then shows a
 * warning. */
bool write_begin(struct run *r, struct writing *w);

/* Writes the explanation to the file and reports the result to the model. words: NULL if w->asks is false. */
void write_end(struct run *r, const struct writing *w, const struct lines *words);

/* ---- making explanations in the background */

struct asking {
	struct run *run;
	struct worker worker;
	struct words_request request; /* current request */
	struct lines words;
	struct writing file; /* file to be written next, or with the current explanation */
	bool waits;	     /* the request for the file has not been started */
	bool for_file;	     /* the current explanation is for the file */
};

int ask_open(struct asking *a, struct run *r); /* -1: error in errno */

/* Requests the explanation for the file named in the prompt. */
void ask_write(struct asking *a);

/* Starts the next request if none is running. Requests that are answered quickly are delivered at once. */
void ask_go_on(struct asking *a);

/* Returns true if a request uses or will use the data, which must not be freed then. */
bool ask_busy(const struct asking *a);

int ask_fd(const struct asking *a); /* when readable, call ask_take */
void ask_take(struct asking *a);

/* Completes pending files and frees the struct. Returns false if an explanation for the screen is still being made: the
 * data must then not be freed. */
bool ask_end(struct asking *a);

#endif
