/* Keys and the mouse, as curses tells them. */
#include "top/terminal/escape.h"
#include "top/terminal/term.h"
#include "top/update/keys.h"

#include <curses.h>

static int code_of(int key)
{
	switch (key) {
	case KEY_UP:
		return CODE_UP;
	case KEY_DOWN:
		return CODE_DOWN;
	case KEY_LEFT:
		return CODE_LEFT;
	case KEY_RIGHT:
		return CODE_RIGHT;
	case KEY_PPAGE:
		return CODE_PAGE_UP;
	case KEY_NPAGE:
		return CODE_PAGE_DOWN;
	case KEY_HOME:
		return CODE_HOME;
	case KEY_END:
		return CODE_END_KEY;
	case KEY_BTAB:
		return CODE_BACKTAB;
	case KEY_ENTER:
		return CODE_ENTER;
	case KEY_BACKSPACE:
	case KEY_DC:
		return CODE_BACKSPACE;
	case KEY_F(1):
		return CODE_F1;
	case KEY_F(2):
		return CODE_F2;
	case KEY_F(3):
		return CODE_F3;
	case KEY_F(4):
		return CODE_F4;
	case KEY_F(5):
		return CODE_F5;
	case KEY_F(6):
		return CODE_F6;
	case KEY_F(10):
		return CODE_F10;
	default:
		return 0;
	}
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

/* Reads on after an escape character that begins no key of terminfo: returns the key's code, 0 if it was another
 * sequence. What begins no sequence stays to be read. */
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
