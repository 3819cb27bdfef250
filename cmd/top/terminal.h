/* The terminal. cmd/top/terminal.c alone uses curses. There is one terminal at a time. */
#ifndef TOP_TERMINAL_H
#define TOP_TERMINAL_H

#include "top/model.h"
#include "top/screen.h"

/* Takes the terminal over; keys come from standard input, or from /dev/tty if that is none. NULL, or why not. */
const char *term_open(bool color);
void term_close(void);
bool term_has_colors(void); /* of the one that is open, if colours were asked for */

int term_input(void); /* to poll */
int term_signals(void);

/* Draws what differs from the last time; nothing is sent if nothing does. whole: everything again. */
void term_draw(const struct grid *g, bool whole);

/* How long what follows an escape character may take. */
enum { ESCAPE_WAIT_MS = 25 };

/* The next key, mouse click or change of size that is waiting; false if there is none. */
bool term_event(struct event *e);

/* What has arrived since: the number of a signal that ends the program, or 0. Suspends and resizes by itself;
 * *changed: draw all again, the size may be another. */
int term_signal(bool *changed);
void term_suspend(void);
void term_size(unsigned *cols, unsigned *rows);

#endif
