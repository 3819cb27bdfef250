/* Keys and the mouse, as curses tells them. */
#include "top/terminal/escape.h"
#include "top/terminal/term.h"
#include "top/update/keys.h"

#include <curses.h>

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
