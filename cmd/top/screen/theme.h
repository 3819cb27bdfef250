/* How things look: for the terminal and for the text dump alike. */
#ifndef TOP_SCREEN_THEME_H
#define TOP_SCREEN_THEME_H

/* Each has a sign beside its colour: a letter, a mark or its place. */
enum attr {
	ATTR_PLAIN,
	ATTR_TITLE,
	ATTR_HEADING,
	ATTR_SELECTED,
	ATTR_DIM,
	ATTR_STRONG,
	ATTR_WARN,
	ATTR_UP,
	ATTR_DOWN,
	ATTR_LABEL,  /* of a function key */
	ATTR_FACTOR, /* the first of FACTOR_ATTRS */
	ATTR_COUNT = ATTR_FACTOR + 8
};
enum { FACTOR_ATTRS = ATTR_COUNT - ATTR_FACTOR };

/* Those of the set-up and of --theme; THEME_AUTO: what the terminal can, of the text dump THEME_16. */
#define THEME_LIST(X)                                                                                                  \
	X(AUTO, "auto", "what the terminal can show") X(16, "16", "the 16 colours of every terminal")                 \
	X(256, "256", "of 256 colours, for dark screens") X(TRUE, "true", "of all colours, for dark screens")         \
	X(LIGHT, "light", "of 256 colours, for light screens") X(MONO, "mono", "no colours: letters, bold and reverse")
#define THEME_ENUM(tag, name, help) THEME_##tag,
enum theme { THEME_LIST(THEME_ENUM) THEMES };
#undef THEME_ENUM

const char *theme_name(enum theme t);
const char *theme_help(enum theme t);
enum theme theme_named(const char *name); /* THEMES: none */

/* A colour: -1 the screen's own, one of 256, or THEME_RGB and red, green and blue in a byte each. */
enum { THEME_RGB = 0x1000000 };
enum { LOOK_BOLD = 1, LOOK_DIM = 2, LOOK_REVERSE = 4 };
struct look {
	int fore, back;
	unsigned weight;
};
struct look theme_look(enum theme t, unsigned attr);

int theme_rgb(int color);	/* of one of 256 too */
int theme_nearest(int color); /* of 256 */

/* As the parameters of an SGR sequence: "0;1;38;5;77"; behind: the attribute whose colour is behind it, ATTR_PLAIN
 * none. */
const char *theme_sgr(char buf[64], enum theme t, unsigned attr, unsigned behind);

#endif
