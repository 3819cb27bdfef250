/* The terminal. A process has only one terminal, so there is no handle for it. Only cmd/top/terminal.c uses curses. */
#ifndef TOP_TERMINAL_H
#define TOP_TERMINAL_H

#include "top/model.h"
#include "top/screen.h"

/* Opens the terminal. Keys are read from standard input, or from /dev/tty if standard input is not a terminal. `color`:
 * use colors. Returns NULL, or the reason of the failure. */
const char *term_open_screen(bool color);
void term_close_screen(void);
bool term_has_colors(void); /* returns true if colors were requested and the terminal has colors */

int term_get_input_fd(void);  /* returns the descriptor to poll for keys */
int term_get_signal_fd(void); /* returns the descriptor to poll for signals */

/* Draws the cells that have changed since the last call. If no cell has changed, sends nothing to the terminal.
 * `whole`: draw all cells. */
void term_draw_grid(const struct grid *g, bool whole);

/* Maximum time to wait for the next character of an escape sequence, in milliseconds. */
enum { ESCAPE_WAIT_MS = 25 };

/* Sets *e to the next key, mouse click or wheel movement. Returns false if no event is available. */
bool term_read_event(struct event *e);

/* Handles the signals that have arrived. Sets *changed after a suspension or a change of the terminal's size; the
 * caller must then draw all cells. Returns the number of a signal that ends the program, or 0. */
int term_read_signal(bool *changed);
void term_suspend_program(void);
void term_get_size(unsigned *cols, unsigned *rows);

#endif
