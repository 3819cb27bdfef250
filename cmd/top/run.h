/* The three ways to run: in a terminal, by a script, once. Each returns an exit status. */
#ifndef TOP_RUN_H
#define TOP_RUN_H

#include "top/load.h"
#include "top/model.h"

/* What a terminal does while a snapshot is read: it stores keys and messages. */
struct loading {
	struct event kept[256]; /* typed meanwhile */
	size_t n;
	FILE *said; /* on standard error */
	int stderr_before;
	bool utf8, open, ends;
};

struct run {
	const struct invocation *inv;
	struct source source;
	struct stamp stamp; /* of the file before it was read */
	struct model model;
	unsigned every_s;	  /* 0: look at the file each second, capture only when asked to */
	bool color, color_always; /* may it be coloured; also when it goes to no terminal */
	struct loading loading;
	bool themed;		  /* --theme */
	bool clock_set;		  /* --at: time stands still */
	bool abandoned;		  /* a thread still uses all of this: end without freeing it */
	int signal;		  /* that ended it, 0 none */
};

/* Before there is anything to show: the terminal is taken over, says how far the reading is, and keeps what is
 * typed. */

/* Runs `load` with ctx in a thread of its own and returns its status. What takes no longer than one sees leaves the
 * terminal alone. Else *seen has it afterwards: it is open, if it can be, with the keys typed meanwhile, and what was
 * said on standard error waits until loading_close. When somebody quits, seen->ends is set: the thread goes on, end
 * without freeing anything. */
int loading_run(struct run *r, int (*load)(void *ctx), void *ctx, const char *what);

/* Gives the terminal back if it is open, and prints what was said. */
void loading_close(struct run *r);

/* The explanation as a file of plain text, the same as fs-explain prints. */

struct writing {
	char name[PROMPT_SIZE];
	bool asks; /* for these words; else what the screen has is all there is */
	struct words_request request;
};

/* Takes the name from the prompt. False: the file is there already, which the model has been told. */
bool write_begin(struct run *r, struct writing *w);

/* Writes the words, NULL if w asks for none, and tells the model how that went. */
void write_end(struct run *r, const struct writing *w, const struct lines *words);

/* Asking fs-explain for its words while the screen stays alive. */

struct asking {
	struct run *run;
	struct worker worker;
	struct words_request request; /* the request under way */
	struct lines words;
	struct writing file; /* to be written next, or with what comes */
	bool waits;	     /* the file has not been begun */
	bool for_file;	     /* what comes is for the file */
};

int ask_open(struct asking *a, struct run *r); /* -1: errno says why */

/* The prompt names a file: its turn comes next. */
void ask_write(struct asking *a);

/* Begins the next request if none is under way; what takes no time is finished at once. */
void ask_go_on(struct asking *a);

/* Returns whether a request uses or will use the data, which must not be freed then. */
bool ask_busy(const struct asking *a);

int ask_fd(const struct asking *a); /* readable: call ask_take */
void ask_take(struct asking *a);

/* Finishes the files and frees it; false: the data are still used for words on the screen and must not be freed. */
bool ask_end(struct asking *a);

#endif
