/* Asking fs-explain for its words while the screen stays alive. */
#ifndef TOP_LOAD_ASK_H
#define TOP_LOAD_ASK_H

#include "top/load/worker.h"
#include "top/write.h"

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
