#include "top/terminal.h"

#include "top/ops.h"

#include <curses.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <term.h>
#include <termios.h>
#include <unistd.h>

/* ---- keys and the mouse */

/* ---- escape sequences that terminfo lacks for this terminal. Keys that have the same sequence on all terminals
 * (ECMA-48, xterm's ctlseqs) are recognized. All other sequences are skipped to their end, so that none of their bytes
 * is read as a typed letter. */

struct escape_sequence {
	char text[24]; /* the first 24 characters after the escape character */
	unsigned n;
};

enum {
	ESCAPE_MORE = -1, /* the escape sequence is incomplete */
	ESCAPE_NONE = -2  /* the escape character begins no sequence: the Escape key was pressed */
};

static const struct {
	const char *text;
	int code;
} escape_sequences[] = {
	{ "[A", CODE_UP },	   { "OA", CODE_UP },	     { "[B", CODE_DOWN },   { "OB", CODE_DOWN },
	{ "[C", CODE_RIGHT },	   { "OC", CODE_RIGHT },     { "[D", CODE_LEFT },   { "OD", CODE_LEFT },
	{ "[H", CODE_HOME },	   { "OH", CODE_HOME },	     { "[1~", CODE_HOME },  { "[7~", CODE_HOME },
	{ "[F", CODE_END_KEY },	   { "OF", CODE_END_KEY },   { "[4~", CODE_END_KEY }, { "[8~", CODE_END_KEY },
	{ "[5~", CODE_PAGE_UP },   { "[6~", CODE_PAGE_DOWN }, { "[Z", CODE_BACKTAB }, { "OM", CODE_ENTER },
	{ "OP", CODE_F1 },	   { "[11~", CODE_F1 },	     { "[[A", CODE_F1 },    { "OQ", CODE_F2 },
	{ "[12~", CODE_F2 },	   { "[[B", CODE_F2 },	     { "OR", CODE_F3 },	    { "[13~", CODE_F3 },
	{ "[[C", CODE_F3 },	   { "OS", CODE_F4 },	     { "[14~", CODE_F4 },   { "[[D", CODE_F4 },
	{ "[15~", CODE_F5 },	   { "[[E", CODE_F5 },	     { "[17~", CODE_F6 },   { "[21~", CODE_F10 },
};

static int find_sequence_code(const struct escape_sequence *e)
{
	for (size_t i = 0; i < sizeof(escape_sequences) / sizeof(*escape_sequences); i++)
		if (strlen(escape_sequences[i].text) == e->n && !memcmp(escape_sequences[i].text, e->text, e->n))
			return escape_sequences[i].code;
	return 0;
}

/* Returns true if c ends a control sequence (CSI). The last byte is in the range from @ to ~, with two exceptions:
 * function keys of the Linux console have a second [ and a letter; mouse reports in the oldest format have an M and
 * three more bytes. */
static bool is_control_sequence_end(const struct escape_sequence *e, uint32_t c)
{
	if (e->n == 2)
		return c >= '@' && c <= '~' && c != '[' && c != 'M';
	if (e->text[1] == 'M')
		return e->n == 5;
	return e->text[1] == '[' || (c >= '@' && c <= '~');
}

/* Returns true if c ends a sequence that begins with O (SS3). Some terminals put the digits of modifiers between the O
 * and the letter. */
static bool is_single_shift_end(const struct escape_sequence *e, uint32_t c)
{
	return e->n > 1 && !((c >= '0' && c <= '9') || c == ';');
}

/* Appends the next character to the sequence. The sequence is initialized with zeros when the escape character is read.
 * Returns the key code (cmd/top/ops.h), ESCAPE_MORE, ESCAPE_NONE, or 0 at the end of a sequence that is not a known
 * key. */
static int add_escape_character(struct escape_sequence *e, uint32_t c)
{
	bool ends;

	if (!e->n && c != '[' && c != 'O')
		return ESCAPE_NONE;
	if (e->n < sizeof(e->text))
		e->text[e->n++] = c < 0x80 ? (char)c : '?';
	if (e->n == 1)
		return ESCAPE_MORE;
	ends = *e->text == 'O' ? is_single_shift_end(e, c) : is_control_sequence_end(e, c);
	return ends ? find_sequence_code(e) : ESCAPE_MORE;
}

/* ---- input from curses */

static int curses_key_to_code(int key)
{
	static const struct {
		int key, code;
	} keys[] = {
		{ KEY_UP, CODE_UP },
		{ KEY_DOWN, CODE_DOWN },
		{ KEY_LEFT, CODE_LEFT },
		{ KEY_RIGHT, CODE_RIGHT },
		{ KEY_PPAGE, CODE_PAGE_UP },
		{ KEY_NPAGE, CODE_PAGE_DOWN },
		{ KEY_HOME, CODE_HOME },
		{ KEY_END, CODE_END_KEY },
		{ KEY_BTAB, CODE_BACKTAB },
		{ KEY_ENTER, CODE_ENTER },
		{ KEY_BACKSPACE, CODE_BACKSPACE },
		{ KEY_DC, CODE_BACKSPACE },
		{ KEY_F(1), CODE_F1 },
		{ KEY_F(2), CODE_F2 },
		{ KEY_F(3), CODE_F3 },
		{ KEY_F(4), CODE_F4 },
		{ KEY_F(5), CODE_F5 },
		{ KEY_F(6), CODE_F6 },
		{ KEY_F(10), CODE_F10 },
	};

	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		if (keys[i].key == key)
			return keys[i].code;
	return 0;
}

static int character_to_code(wint_t c)
{
	switch (c) {
	case '\r':
	case '\n':
		return CODE_ENTER;
	case '\t':
		return CODE_TAB;
	case 127:
	case '\b':
		return CODE_BACKSPACE;
	default:
		return (int)c;
	}
}

/* Reads a click or a turn of the wheel. Returns false for other events. */
static bool read_mouse_event(struct event *e)
{
	MEVENT mouse;

	if (getmouse(&mouse) != OK ||
	    !(mouse.bstate &
	      (BUTTON1_PRESSED | BUTTON1_CLICKED | BUTTON1_DOUBLE_CLICKED | BUTTON4_PRESSED | BUTTON5_PRESSED)))
		return false;
	*e = (struct event){ .kind = EV_MOUSE, .x = (unsigned)mouse.x, .y = (unsigned)mouse.y };
	e->key = mouse.bstate & BUTTON4_PRESSED   ? CODE_UP
		 : mouse.bstate & BUTTON5_PRESSED ? CODE_DOWN
						  : CODE_ENTER;
	return true;
}

/* Reads the characters after an escape character if terminfo has no key for this escape sequence. Returns the code of
 * the key; 0 for a sequence that is not a known key. Characters that do not belong to the sequence are pushed back. */
static int read_escape_sequence(void)
{
	struct escape_sequence sequence = { .n = 0 };
	int code = ESCAPE_MORE;
	wint_t c;

	timeout(ESCAPE_WAIT_MS);
	while (code == ESCAPE_MORE) {
		const int kind = get_wch(&c);

		if (kind == OK)
			code = add_escape_character(&sequence, (uint32_t)c);
		else
			code = sequence.n ? 0 : ESCAPE_NONE;
		if (kind == KEY_CODE_YES)
			ungetch((int)c);
		else if (kind == OK && code == ESCAPE_NONE)
			unget_wch((wchar_t)c);
	}
	nodelay(stdscr, TRUE);
	return code == ESCAPE_NONE ? CODE_ESC : code;
}

static int input_to_key_code(int kind, wint_t c)
{
	return kind == KEY_CODE_YES ? curses_key_to_code((int)c)
	       : c == 27            ? read_escape_sequence()
				    : character_to_code(c);
}

bool term_read_event(struct event *e)
{
	wint_t c;

	for (;;) {
		const int kind = get_wch(&c);

		if (kind == ERR)
			return false;
		if (kind == KEY_CODE_YES && c == KEY_MOUSE) {
			if (read_mouse_event(e))
				return true;
			continue;
		}
		*e = (struct event){ .kind = EV_KEY, .key = input_to_key_code(kind, c) };
		if (e->key)
			return true;
	}
}

static SCREEN *screen;
static FILE *keyboard; /* the open /dev/tty; NULL: keys are read from standard input */
static struct cell *drawn_cells;
static unsigned drawn_cols, drawn_rows;
static attr_t attr_styles[ATTR_COUNT];
static int attr_pairs[ATTR_COUNT];
static enum theme term_theme;
static bool has_factor_pairs;   /* there is a color pair for each combination of two colors of priority factors */
static bool uses_colors; /* colors were requested, and the terminal has colors */
static int signal_pipe[2] = { -1, -1 };
static struct termios saved_modes;
static char restore_bytes[256]; /* bytes that the crash handler writes to restore the terminal */
static size_t restore_length;

/* ---- signals: the handlers only write to a pipe, except after a crash */

static void write_signal_byte(int sig)
{
	const int error = errno;
	const unsigned char byte = (unsigned char)sig;

	if (write(signal_pipe[1], &byte, 1) < 0)
		errno = error; /* if the write fails, the pipe is full, so its reader wakes up in any case */
	errno = error;
}

static void restore_after_crash(int sig)
{
	if (write(STDOUT_FILENO, restore_bytes, restore_length) < 0)
		restore_length = 0;
	tcsetattr(STDOUT_FILENO, TCSANOW, &saved_modes);
	signal(sig, SIG_DFL);
	raise(sig);
}

/* Signals that cannot be handled, whose default action is to do nothing, or which stop a background process. The
 * handler of every other signal writes to the pipe, except for crash_signals. */
static const int unhandled_signals[] = { SIGKILL, SIGSTOP, SIGCHLD, SIGURG, SIGTTIN, SIGTTOU };
static const int crash_signals[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGSYS, SIGTRAP };

static void set_signal_handler(int sig, void (*handler)(int))
{
	struct sigaction act = { .sa_handler = handler };

	sigemptyset(&act.sa_mask);
	sigaction(sig, &act, NULL);
}

static bool is_signal_listed(const int *signals, size_t n, int sig)
{
	for (size_t i = 0; i < n; i++)
		if (signals[i] == sig)
			return true;
	return false;
}

static void set_terminal_signals(bool on)
{
	for (int sig = 1; sig <= SIGRTMAX; sig++) {
		if (is_signal_listed(crash_signals, sizeof(crash_signals) / sizeof(*crash_signals), sig))
			set_signal_handler(sig, on ? restore_after_crash : SIG_DFL);
		else if (!is_signal_listed(unhandled_signals, sizeof(unhandled_signals) / sizeof(*unhandled_signals),
					   sig))
			set_signal_handler(sig, on ? write_signal_byte : SIG_DFL);
	}
}

/* Appends the bytes of a terminfo capability to `restore_bytes`, without the delays. */
static void add_restore_capability(const char *name)
{
	const char *s = tigetstr(name);

	if (!s || s == (const char *)-1)
		return;
	while (*s && restore_length < sizeof(restore_bytes)) {
		if (s[0] == '$' && s[1] == '<' && strchr(s, '>'))
			s = strchr(s, '>') + 1;
		else
			restore_bytes[restore_length++] = *s++;
	}
}

/* ---- opening and closing the terminal */

/* Returns the color pair for a cell with the foreground color of `attr` and the background color of `back`. Both are
 * attributes of priority factors. */
static int get_factor_pair(unsigned attr, unsigned back)
{
	return (int)(ATTR_COUNT + 1 + (attr - ATTR_FACTOR) * FACTOR_ATTRS + (back - ATTR_FACTOR));
}

/* Returns the curses number of a color on this terminal. */
static int get_terminal_color(int color)
{
	if (color < 8)
		return color;
	if (COLORS >= THEME_RGB)
		return theme_color_to_rgb(color);
	return COLORS < 16 ? color % 8 : theme_find_nearest_color(color);
}

/* Returns the requested theme if the terminal can show it, else a theme with fewer colors. For THEME_AUTO, selects a
 * theme by the number of colors and by the background color in $COLORFGBG. */
static enum theme choose_fitting_theme(enum theme t)
{
	const char *value = getenv("COLORFGBG");
	const size_t n = value ? strlen(value) : 0;
	const bool light = n > 2 && (!strcmp(value + n - 3, ";15") || !strcmp(value + n - 2, ";7"));

	if (!uses_colors)
		return THEME_MONO;
	if (t == THEME_MONO)
		return t;
	if (COLORS < 256)
		return THEME_16;
	if (t != THEME_AUTO)
		return t;
	return light ? THEME_LIGHT : COLORS >= THEME_RGB ? THEME_TRUE : THEME_256;
}

static attr_t look_to_curses_attr(const struct look *l)
{
	attr_t a = A_NORMAL;

	a |= l->weight & LOOK_BOLD ? A_BOLD : 0;
	a |= l->weight & LOOK_DIM ? A_DIM : 0;
	a |= l->weight & LOOK_REVERSE ? A_REVERSE : 0;
	return a;
}

/* Sets the curses attributes and color pairs of a theme. If the terminal has no bright colors, bold replaces them. */
static void set_theme_attributes(enum theme asked)
{
	const enum theme t = choose_fitting_theme(asked);

	term_theme = asked;
	for (unsigned i = 0; i < ATTR_COUNT; i++) {
		const struct look l = theme_get_look(t, i);
		const bool pair = uses_colors && (l.fore >= 0 || l.back >= 0);

		if (pair)
			init_extended_pair((int)i + 1, get_terminal_color(l.fore), get_terminal_color(l.back));
		attr_styles[i] = look_to_curses_attr(&l) | (pair && l.fore >= 8 && COLORS < 16 ? A_BOLD : A_NORMAL);
		attr_pairs[i] = pair ? (int)i + 1 : 0;
	}
	has_factor_pairs =
		uses_colors && t != THEME_MONO && COLOR_PAIRS > get_factor_pair(ATTR_COUNT - 1, ATTR_COUNT - 1);
	for (unsigned i = ATTR_FACTOR; has_factor_pairs && i < ATTR_COUNT; i++)
		for (unsigned k = ATTR_FACTOR; k < ATTR_COUNT; k++)
			init_extended_pair(get_factor_pair(i, k), get_terminal_color(theme_get_look(t, i).fore),
					   get_terminal_color(theme_get_look(t, k).fore));
}

bool term_has_colors(void)
{
	return uses_colors;
}

/* Returns the name of the terminfo entry for direct (RGB) colors, such as xterm-direct for xterm-256color. Returns NULL
 * if the entry does not exist, or if $COLORTERM is neither "truecolor" nor "24bit". */
static const char *find_direct_entry(const char *name, char buf[64])
{
	static const char indexed[] = "-256color";
	const char *value = getenv("COLORTERM"), *end = name ? strstr(name, indexed) : NULL;
	int error;

	if (!value || (strcmp(value, "truecolor") != 0 && strcmp(value, "24bit") != 0) || !end || end[strlen(indexed)])
		return NULL;
	snprintf(buf, 64, "%.*s-direct", (int)(end - name), name);
	return setupterm(buf, STDOUT_FILENO, &error) == OK ? buf : NULL;
}

static const char *open_curses_screen(void)
{
	const char *name = getenv("TERM");
	char direct[64];

	keyboard = NULL;
	if (!isatty(STDOUT_FILENO))
		return "standard output is not a terminal; --once prints one screen";
	if (!isatty(STDIN_FILENO)) {
		keyboard = fopen("/dev/tty", "r");
		if (!keyboard)
			return "no terminal to read keys from; --once prints one screen";
	}
	if (!name || !*name)
		return "TERM is not set; --once prints one screen";
	screen = newterm(find_direct_entry(name, direct), stdout, keyboard ? keyboard : stdin);
	if (screen && !tigetstr("cup")) {
		endwin();
		delscreen(screen);
		screen = NULL;
	}
	return screen ? NULL : "the terminal type in TERM is unknown or too simple; --once prints one screen";
}

static void set_terminal_modes(void)
{
	raw();
	noecho();
	nonl();
	keypad(stdscr, TRUE);
	nodelay(stdscr, TRUE);
	intrflush(stdscr, FALSE);
	set_escdelay(ESCAPE_WAIT_MS);
	mouseinterval(0);
	/* get_wch does not return after an event outside of the mask, such as a release, even with nodelay */
	mousemask(ALL_MOUSE_EVENTS, NULL);
}

const char *term_open_screen(bool color)
{
	const char *why;

	tcgetattr(STDOUT_FILENO, &saved_modes);
	why = open_curses_screen();
	if (why) {
		if (keyboard)
			fclose(keyboard);
		return why;
	}
	if (pipe(signal_pipe)) {
		term_close_screen();
		return strerror(errno);
	}
	for (int i = 0; i < 2; i++) {
		fcntl(signal_pipe[i], F_SETFD, FD_CLOEXEC);
		fcntl(signal_pipe[i], F_SETFL, O_NONBLOCK);
	}
	restore_length = 0;
	add_restore_capability("sgr0");
	add_restore_capability("rmkx");
	add_restore_capability("cnorm");
	add_restore_capability("rmcup");
	set_terminal_modes();
	uses_colors = color && has_colors() && start_color() == OK && use_default_colors() == OK;
	set_theme_attributes(THEME_AUTO);
	set_terminal_signals(true);
	return NULL;
}

/* Clears the last screen row. On terminals without an alternate screen the key hints would otherwise remain in front of
 * the shell prompt. */
static void clear_last_screen_row(void)
{
	move(LINES - 1, 0);
	clrtoeol();
	refresh();
}

void term_close_screen(void)
{
	if (!screen)
		return;
	clear_last_screen_row();
	endwin();
	set_terminal_signals(false);
	delscreen(screen);
	screen = NULL;
	if (keyboard)
		fclose(keyboard);
	for (int i = 0; i < 2; i++)
		if (signal_pipe[i] >= 0)
			close(signal_pipe[i]);
	free(drawn_cells);
	drawn_cells = NULL;
}

int term_get_input_fd(void)
{
	return keyboard ? fileno(keyboard) : STDIN_FILENO;
}

int term_get_signal_fd(void)
{
	return signal_pipe[0];
}

void term_get_size(unsigned *cols, unsigned *rows)
{
	*cols = (unsigned)COLS;
	*rows = (unsigned)LINES;
}

static void update_screen_size(void)
{
	struct winsize size;

	if (!ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) && size.ws_col && size.ws_row)
		resizeterm(size.ws_row, size.ws_col);
}

/* Sets the modes again that a shell has changed while the program was stopped. */
static void resume_terminal(void)
{
	endwin();
	set_terminal_modes();
	update_screen_size();
}

void term_suspend_program(void)
{
	clear_last_screen_row();
	endwin();
	set_terminal_signals(false);
	raise(SIGTSTP);
	set_terminal_signals(true);
	resume_terminal();
}

int term_read_signal(bool *changed)
{
	unsigned char byte;

	while (read(signal_pipe[0], &byte, 1) == 1) {
		if (byte == SIGTSTP)
			term_suspend_program();
		else if (byte == SIGCONT)
			resume_terminal();
		else if (byte == SIGWINCH)
			update_screen_size();
		else
			return byte;
		*changed = true;
	}
	return 0;
}

/* ---- drawing the grid on the terminal */

static void draw_cell_of_grid(unsigned x, unsigned y, const struct cell *c)
{
	const wchar_t text[3] = { (wchar_t)c->ch, (wchar_t)c->mark, 0 };
	const bool both = has_factor_pairs && c->attr >= ATTR_FACTOR && c->back >= ATTR_FACTOR;
	int pair = both ? get_factor_pair(c->attr, c->back) : attr_pairs[c->attr];
	cchar_t out;

	if (setcchar(&out, text, attr_styles[c->attr], 0, &pair) == OK)
		mvadd_wch((int)y, (int)x, &out);
}

void term_draw_grid(const struct grid *g, bool whole)
{
	const size_t n = (size_t)g->cols * g->rows;
	bool differs = false;

	if (g->theme != term_theme) {
		set_theme_attributes((enum theme)g->theme);
		whole = true;
	}
	if (whole || !drawn_cells || g->cols != drawn_cols || g->rows != drawn_rows) {
		free(drawn_cells);
		drawn_cells = calloc(n + 1, sizeof(*drawn_cells));
		drawn_cols = g->cols;
		drawn_rows = g->rows;
		clearok(curscr, TRUE);
		erase();
		if (!drawn_cells)
			return;
	}
	for (unsigned y = 0; y < g->rows; y++) {
		const struct cell *row = g->cell + (size_t)y * g->cols;

		if (!memcmp(row, drawn_cells + (size_t)y * g->cols, g->cols * sizeof(*row)))
			continue;
		differs = true;
		for (unsigned x = 0; x < g->cols; x++)
			if (row[x].ch)
				draw_cell_of_grid(x, y, &row[x]);
	}
	memcpy(drawn_cells, g->cell, n * sizeof(*drawn_cells));
	move((int)g->cursor_y, (int)g->cursor_x);
	if (differs || getcury(curscr) != (int)g->cursor_y || getcurx(curscr) != (int)g->cursor_x)
		refresh();
}
