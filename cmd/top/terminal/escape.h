/* Escape sequences that terminfo does not name for this terminal: the keys among them that every terminal agrees on
 * (ECMA-48, and xterm's ctlseqs), and the end of all others, so that no byte of them is taken for a typed letter. */
#ifndef TOP_TERMINAL_ESCAPE_H
#define TOP_TERMINAL_ESCAPE_H

#include <stdint.h>

/* How long what follows an escape character may take. */
enum { ESCAPE_WAIT_MS = 25 };

struct escape {
	char text[24]; /* what followed the escape character; longer ones keep their beginning */
	unsigned n;
};

enum {
	ESCAPE_MORE = -1, /* the sequence goes on */
	ESCAPE_NONE = -2  /* what follows begins no sequence: escape was a key of its own */
};

/* Adds the next character; e begins zeroed, after the escape character. A key's code (keys.h), 0 at the end of a
 * sequence that is no key here, ESCAPE_MORE or ESCAPE_NONE. */
int escape_next(struct escape *e, uint32_t c);

#endif
