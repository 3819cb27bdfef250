/* The explanation as a file of plain text, the same as fs-explain prints. */
#ifndef TOP_WRITE_H
#define TOP_WRITE_H

#include "top/run.h"

struct writing {
	char name[PROMPT_SIZE];
	bool asks; /* for these words; else what the screen has is all there is */
	struct words_request request;
};

/* Takes the name from the prompt. False: the file is there already, which the model has been told. */
bool write_begin(struct run *r, struct writing *w);

/* Writes the words, NULL if w asks for none, and tells the model how that went. */
void write_end(struct run *r, const struct writing *w, const struct lines *words);

#endif
