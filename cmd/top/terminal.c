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

/* ---- escape sequences that terminfo lacks for this terminal. Keys on which all terminals agree (ECMA-48, xterm's
 * ctlseqs) are recognised. All other sequences are skipped to their end, so that none of their bytes is read as a typed
 * letter. */

struct escape {
	char text[24]; /* characters after the escape character, at most the first 24 */
	unsigned n;
};

enum {
	ESCAPE_MORE = -1, /* the sequence is incomplete */
	ESCAPE_NONE = -2  /* no sequence follows: Escape was pressed */
};

static const struct {
	const char *text;
	int code;
} known[] = {
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

static int meaning(const struct escape *e)
{
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (strlen(known[i].text) == e->n && !memcmp(known[i].text, e->text, e->n))
			return known[i].code;
	return 0;
}

/* Returns true at the end of a control sequence, which is a byte from @ to ~. Function keys of the Linux console have a
 * second [ and a letter. After the M of the oldest mouse reports there are three bytes. */
static bool control_ends(const struct escape *e, uint32_t c)
{
	if (e->n == 2)
		return c >= '@' && c <= '~' && c != '[' && c != 'M';
	if (e->text[1] == 'M')
		return e->n == 5;
	return e->text[1] == '[' || (c >= '@' && c <= '~');
}

/* Some terminals put the digits of modifiers between O and the letter. */
static bool single_ends(const struct escape *e, uint32_t c)
{
	return e->n > 1 && !((c >= '0' && c <= '9') || c == ';');
}

/* Appends the next character to the sequence, which starts zeroed after the escape character. Returns the key code
 * (cmd/top/ops.h), 0 at the end of a sequence that is no known key, ESCAPE_MORE or ESCAPE_NONE. */
static int escape_next(struct escape *e, uint32_t c)
{
	bool ends;

	if (!e->n && c != '[' && c != 'O')
		return ESCAPE_NONE;
	if (e->n < sizeof(e->text))
		e->text[e->n++] = c < 0x80 ? (char)c : '?';
	if (e->n == 1)
		return ESCAPE_MORE;
	ends = *e->text == 'O' ? single_ends(e, c) : control_ends(e, c);
	return ends ? meaning(e) : ESCAPE_MORE;
}

/* ---- input from curses */

static int code_of(int key)
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

static int char_code(wint_t c)
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

static bool mouse_event(struct event *e)
{
	MEVENT mouse;

	if (getmouse(&mouse) != OK)
		return false;
	*e = (struct event){ .kind = EV_MOUSE, .x = (unsigned)mouse.x, .y = (unsigned)mouse.y };
	e->key = mouse.bstate & BUTTON4_PRESSED   ? CODE_UP
		 : mouse.bstate & BUTTON5_PRESSED ? CODE_DOWN
						  : CODE_ENTER;
	return true;
}

/* Reads on after an escape character that starts no key of terminfo. Returns the code of the key, or 0 for another
 * sequence. Characters that start no sequence remain to be read. */
static int escaped(void)
{
	struct escape sequence = { .n = 0 };
	int code = ESCAPE_MORE;
	wint_t c;

	timeout(ESCAPE_WAIT_MS);
	while (code == ESCAPE_MORE) {
		const int kind = get_wch(&c);

		if (kind == OK)
			code = escape_next(&sequence, (uint32_t)c);
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

static int key_of(int kind, wint_t c)
{
	return kind == KEY_CODE_YES ? code_of((int)c) : c == 27 ? escaped() : char_code(c);
}

bool term_event(struct event *e)
{
	wint_t c;

	for (;;) {
		const int kind = get_wch(&c);

		if (kind == ERR)
			return false;
		if (kind == KEY_CODE_YES && c == KEY_MOUSE) {
			if (mouse_event(e))
				return true;
			continue;
		}
		*e = (struct event){ .kind = EV_KEY, .key = key_of(kind, c) };
		if (e->key)
			return true;
	}
}

static SCREEN *screen;
static FILE *keyboard; /* /dev/tty; NULL: standard input is used */
static struct cell *shown;
static unsigned shown_cols, shown_rows;
static attr_t looks[ATTR_COUNT];
static int pairs[ATTR_COUNT];
static enum theme term_theme;
static bool paired;   /* colour pairs of two factors are defined */
static bool coloured; /* colours were requested and the terminal has them */
static int signal_pipe[2] = { -1, -1 };
static struct termios saved;
static char restore[256]; /* bytes that a crash handler writes to restore the terminal */
static size_t restore_len;

/* ---- signals: the handlers only write to a pipe, except after a crash */

static void note_signal(int sig)
{
	const int error = errno;
	const unsigned char byte = (unsigned char)sig;

	if (write(signal_pipe[1], &byte, 1) < 0)
		errno = error; /* the pipe is full, so the reader will wake up anyway */
	errno = error;
}

static void crash(int sig)
{
	if (write(STDOUT_FILENO, restore, restore_len) < 0)
		restore_len = 0;
	tcsetattr(STDOUT_FILENO, TCSANOW, &saved);
	signal(sig, SIG_DFL);
	raise(sig);
}

static const int told[] = { SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGTSTP, SIGWINCH };
static const int crashes[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT };

static void handle(int sig, void (*handler)(int))
{
	struct sigaction act = { .sa_handler = handler };

	sigemptyset(&act.sa_mask);
	sigaction(sig, &act, NULL);
}

static void take_signals(bool on)
{
	for (size_t i = 0; i < sizeof(told) / sizeof(*told); i++)
		handle(told[i], on ? note_signal : SIG_DFL);
	for (size_t i = 0; i < sizeof(crashes) / sizeof(*crashes); i++)
		handle(crashes[i], on ? crash : SIG_DFL);
}

/* Appends a terminfo capability to `restore`, without its delays. */
static void add_capability(const char *name)
{
	const char *s = tigetstr(name);

	if (!s || s == (const char *)-1)
		return;
	while (*s && restore_len < sizeof(restore)) {
		if (s[0] == '$' && s[1] == '<' && strchr(s, '>'))
			s = strchr(s, '>') + 1;
		else
			restore[restore_len++] = *s++;
	}
}

/* ---- opening and closing */

/* Returns the colour pair of one factor's colour on another's. */
static int pair_of(unsigned attr, unsigned back)
{
	return (int)(ATTR_COUNT + 1 + (attr - ATTR_FACTOR) * FACTOR_ATTRS + (back - ATTR_FACTOR));
}

/* Returns the terminal's number of a colour. */
static int number_of(int color)
{
	if (color < 8)
		return color;
	if (COLORS >= THEME_RGB)
		return theme_rgb(color);
	return COLORS < 16 ? color % 8 : theme_nearest(color);
}

/* Returns the theme to use: the requested one if the terminal can show it. A light background is recognised by
 * COLORFGBG. */
static enum theme fitting(enum theme t)
{
	const char *said = getenv("COLORFGBG");
	const size_t n = said ? strlen(said) : 0;
	const bool light = n > 2 && (!strcmp(said + n - 3, ";15") || !strcmp(said + n - 2, ";7"));

	if (!coloured)
		return THEME_MONO;
	if (t == THEME_MONO)
		return t;
	if (COLORS < 256)
		return THEME_16;
	if (t != THEME_AUTO)
		return t;
	return light ? THEME_LIGHT : COLORS >= THEME_RGB ? THEME_TRUE : THEME_256;
}

static attr_t weight_of(const struct look *l)
{
	attr_t a = A_NORMAL;

	a |= l->weight & LOOK_BOLD ? A_BOLD : 0;
	a |= l->weight & LOOK_DIM ? A_DIM : 0;
	a |= l->weight & LOOK_REVERSE ? A_REVERSE : 0;
	return a;
}

/* Sets the attributes of a theme. If the terminal has no bright colours, bold replaces them. */
static void choose_looks(enum theme asked)
{
	const enum theme t = fitting(asked);

	term_theme = asked;
	for (unsigned i = 0; i < ATTR_COUNT; i++) {
		const struct look l = theme_look(t, i);
		const bool pair = coloured && (l.fore >= 0 || l.back >= 0);

		if (pair)
			init_extended_pair((int)i + 1, number_of(l.fore), number_of(l.back));
		looks[i] = weight_of(&l) | (pair && l.fore >= 8 && COLORS < 16 ? A_BOLD : A_NORMAL);
		pairs[i] = pair ? (int)i + 1 : 0;
	}
	paired = coloured && t != THEME_MONO && COLOR_PAIRS > pair_of(ATTR_COUNT - 1, ATTR_COUNT - 1);
	for (unsigned i = ATTR_FACTOR; paired && i < ATTR_COUNT; i++)
		for (unsigned k = ATTR_FACTOR; k < ATTR_COUNT; k++)
			init_extended_pair(pair_of(i, k), number_of(theme_look(t, i).fore),
					   number_of(theme_look(t, k).fore));
}

bool term_has_colors(void)
{
	return coloured;
}

/* Returns the terminfo entry with direct colours if the terminal announces them (COLORTERM) and the entry exists; else
 * NULL. */
static const char *direct_name(const char *name, char buf[64])
{
	static const char indexed[] = "-256color";
	const char *said = getenv("COLORTERM"), *end = name ? strstr(name, indexed) : NULL;
	int error;

	if (!said || (strcmp(said, "truecolor") != 0 && strcmp(said, "24bit") != 0) || !end || end[strlen(indexed)])
		return NULL;
	snprintf(buf, 64, "%.*s-direct", (int)(end - name), name);
	return setupterm(buf, STDOUT_FILENO, &error) == OK ? buf : NULL;
}

static const char *open_screen(void)
{
	const char *name = getenv("TERM");
	char direct[64];

	keyboard = NULL;
	if (!isatty(STDOUT_FILENO))
		return "standard output is no terminal; --once prints one screen";
	if (!isatty(STDIN_FILENO)) {
		keyboard = fopen("/dev/tty", "r");
		if (!keyboard)
			return "there is no keyboard; --once prints one screen";
	}
	if (!name || !*name)
		return "TERM is not set; --once prints one screen";
	screen = newterm(direct_name(name, direct), stdout, keyboard ? keyboard : stdin);
	if (screen && !tigetstr("cup")) {
		endwin();
		delscreen(screen);
		screen = NULL;
	}
	return screen ? NULL : "this terminal cannot move its cursor; --once prints one screen";
}

static void set_modes(void)
{
	raw();
	noecho();
	nonl();
	keypad(stdscr, TRUE);
	nodelay(stdscr, TRUE);
	intrflush(stdscr, FALSE);
	set_escdelay(ESCAPE_WAIT_MS);
	mouseinterval(0);
	mousemask(BUTTON1_PRESSED | BUTTON4_PRESSED | BUTTON5_PRESSED, NULL);
}

const char *term_open(bool color)
{
	const char *why;

	tcgetattr(STDOUT_FILENO, &saved);
	why = open_screen();
	if (why) {
		if (keyboard)
			fclose(keyboard);
		return why;
	}
	if (pipe(signal_pipe)) {
		term_close();
		return strerror(errno);
	}
	for (int i = 0; i < 2; i++) {
		fcntl(signal_pipe[i], F_SETFD, FD_CLOEXEC);
		fcntl(signal_pipe[i], F_SETFL, O_NONBLOCK);
	}
	restore_len = 0;
	add_capability("sgr0");
	add_capability("rmkx");
	add_capability("cnorm");
	add_capability("rmcup");
	set_modes();
	coloured = color && has_colors() && start_color() == OK && use_default_colors() == OK;
	choose_looks(THEME_AUTO);
	take_signals(true);
	return NULL;
}

/* Clears the last row. On terminals without an alternate screen the bar of keys would remain in front of the shell
 * prompt. */
static void clear_last_row(void)
{
	move(LINES - 1, 0);
	clrtoeol();
	refresh();
}

void term_close(void)
{
	if (!screen)
		return;
	clear_last_row();
	endwin();
	take_signals(false);
	delscreen(screen);
	screen = NULL;
	if (keyboard)
		fclose(keyboard);
	for (int i = 0; i < 2; i++)
		if (signal_pipe[i] >= 0)
			close(signal_pipe[i]);
	free(shown);
	shown = NULL;
}

int term_input(void)
{
	return keyboard ? fileno(keyboard) : STDIN_FILENO;
}

int term_signals(void)
{
	return signal_pipe[0];
}

void term_size(unsigned *cols, unsigned *rows)
{
	*cols = (unsigned)COLS;
	*rows = (unsigned)LINES;
}

static void fit_size(void)
{
	struct winsize size;

	if (!ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) && size.ws_col && size.ws_row)
		resizeterm(size.ws_row, size.ws_col);
}

void term_suspend(void)
{
	clear_last_row();
	endwin();
	take_signals(false);
	raise(SIGTSTP);
	take_signals(true);
	set_modes();
	fit_size();
}

int term_signal(bool *changed)
{
	unsigned char byte;

	while (read(signal_pipe[0], &byte, 1) == 1) {
		if (byte == SIGTSTP)
			term_suspend();
		else if (byte == SIGWINCH)
			fit_size();
		else
			return byte;
		*changed = true;
	}
	return 0;
}

/* ---- drawing */

static void put_cell(unsigned x, unsigned y, const struct cell *c)
{
	const wchar_t text[3] = { (wchar_t)c->ch, (wchar_t)c->mark, 0 };
	const bool both = paired && c->attr >= ATTR_FACTOR && c->back >= ATTR_FACTOR;
	int pair = both ? pair_of(c->attr, c->back) : pairs[c->attr];
	cchar_t out;

	if (setcchar(&out, text, looks[c->attr], 0, &pair) == OK)
		mvadd_wch((int)y, (int)x, &out);
}

void term_draw(const struct grid *g, bool whole)
{
	const size_t n = (size_t)g->cols * g->rows;
	bool differs = false;

	if (g->theme != term_theme) {
		choose_looks((enum theme)g->theme);
		whole = true;
	}
	if (whole || !shown || g->cols != shown_cols || g->rows != shown_rows) {
		free(shown);
		shown = calloc(n + 1, sizeof(*shown));
		shown_cols = g->cols;
		shown_rows = g->rows;
		clearok(curscr, TRUE);
		erase();
		if (!shown)
			return;
	}
	for (unsigned y = 0; y < g->rows; y++) {
		const struct cell *row = g->cell + (size_t)y * g->cols;

		if (!memcmp(row, shown + (size_t)y * g->cols, g->cols * sizeof(*row)))
			continue;
		differs = true;
		for (unsigned x = 0; x < g->cols; x++)
			if (row[x].ch)
				put_cell(x, y, &row[x]);
	}
	memcpy(shown, g->cell, n * sizeof(*shown));
	move((int)g->cursor_y, (int)g->cursor_x);
	if (differs || getcury(curscr) != (int)g->cursor_y || getcurx(curscr) != (int)g->cursor_x)
		refresh();
}
