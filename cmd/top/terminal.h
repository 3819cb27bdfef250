/* The terminal. There is only one at a time. Only cmd/top/terminal.c uses curses. */
#ifndef TOP_TERMINAL_H
#define TOP_TERMINAL_H

#include "top/model.h"
#include "top/screen.h"

/* Opens the terminal. Keys are read from standard input, or from /dev/tty if that is not a terminal. Returns NULL, or
 * the reason of the failure. */
const char *term_open_screen(bool color);
void term_close_screen(void);
bool term_has_colors(void); /* returns true if colours were requested and the terminal has them */

int term_get_input_fd(void);  /* returns the descriptor to poll for keys */
int term_get_signal_fd(void); /* returns the descriptor to poll for signals */

/* Draws the cells that have changed since the last call; sends nothing if none has. whole: redraw everything. */
void term_draw_grid(const struct grid *g, bool whole);

/* How long to wait for the rest of an escape sequence. */
enum { ESCAPE_WAIT_MS = 25 };

/* Sets *e to the next key, mouse click or wheel movement. Returns false if there is none. */
bool term_read_event(struct event *e);

/* Handles the signals that have arrived. Returns the number of a signal that ends the program, or 0. Suspends and
 * resizes the terminal itself and then sets *changed: everything must be redrawn and the size may differ. */
int term_read_signal(bool *changed);
void term_suspend_program(void);
void term_get_size(unsigned *cols, unsigned *rows);

#endif
