/* Keys and the mouse, as curses tells them. */
#include "top/terminal/term.h"
#include "top/update/keys.h"

#include <curses.h>
#include <stdbool.h>
#include <string.h>

/* ---- escape sequences that terminfo does not name for this terminal: the keys among them that every terminal agrees
 * on (ECMA-48, and xterm's ctlseqs), and the end of all others, so that no byte of them is taken for a typed letter */

struct escape {
	char text[24]; /* what followed the escape character; longer ones keep their beginning */
	unsigned n;
};

enum {
	ESCAPE_MORE = -1, /* the sequence goes on */
	ESCAPE_NONE = -2  /* what follows begins no sequence: escape was a key of its own */
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

/* A control sequence ends with a byte of @ to ~. Linux' console has a second [ and one letter in its function keys;
 * three bytes follow the M of the oldest mouse reports. */
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

/* Adds the next character; e begins zeroed, after the escape character. A key's code (keys.h), 0 at the end of a
 * sequence that is no key here, ESCAPE_MORE or ESCAPE_NONE. */
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

/* ---- what curses tells */

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
