#include "top/terminal/escape.h"

#include "top/update/keys.h"

#include <stdbool.h>
#include <string.h>

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

int escape_next(struct escape *e, uint32_t c)
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
