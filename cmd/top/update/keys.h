/* Keys as numbers, and what they do: one table for the update, the help and the function bar. */
#ifndef TOP_UPDATE_KEYS_H
#define TOP_UPDATE_KEYS_H

#include <stddef.h>

/* Codes above those of characters. */
#define SPECIAL_KEYS(X)                                                                            \
	X(UP, "Up") X(DOWN, "Down") X(LEFT, "Left") X(RIGHT, "Right") X(PAGE_UP, "PgUp")           \
	X(PAGE_DOWN, "PgDn") X(HOME, "Home") X(END_KEY, "End") X(TAB, "Tab") X(BACKTAB, "BackTab")     \
	X(ENTER, "Enter") X(ESC, "Esc") X(BACKSPACE, "Backspace") X(F1, "F1") X(F2, "F2")          \
	X(F3, "F3") X(F4, "F4") X(F5, "F5") X(F6, "F6") X(F10, "F10")
#define SPECIAL_KEY_ENUM(tag, name) CODE_##tag,
enum { CODE_FIRST = 0x110000 - 1, SPECIAL_KEYS(SPECIAL_KEY_ENUM) CODE_END };
#undef SPECIAL_KEY_ENUM

#define CONTROL(letter) ((letter) & 0x1f)

enum action {
	ACT_NONE, ACT_UP, ACT_DOWN, ACT_LEFT, ACT_RIGHT, ACT_PAGE_UP, ACT_PAGE_DOWN, ACT_HOME, ACT_END,
	ACT_VIEW, ACT_VIEW_BACK, ACT_SEARCH, ACT_NEXT, ACT_PREVIOUS, ACT_FILTER, ACT_USER, ACT_ACCOUNT,
	ACT_PARTITION, ACT_PARTITION_BACK, ACT_PARTITION_ON, ACT_SORT, ACT_SORT_LEFT, ACT_SORT_RIGHT, ACT_INVERT,
	ACT_TREE, ACT_OPEN, ACT_CLOSE, ACT_TAG, ACT_COMPARE, ACT_EXPLAIN, ACT_FORECAST, ACT_COLUMNS, ACT_ALGORITHM,
	ACT_WRITE,
	ACT_FOLLOW, ACT_IF, ACT_UNDO, ACT_RELOAD, ACT_REDRAW, ACT_HELP, ACT_BACK, ACT_QUIT, ACTIONS
};

struct binding {
	enum action action;
	int key[5];
	const char *shown; /* keys as people write them; NULL: not listed by itself */
	const char *help;
	const char *label; /* in the function bar, behind `bar`; NULL: not there */
	const char *bar;
};

extern const struct binding bindings[];
extern const size_t bindings_count;

enum action action_of(int key);
int key_for(enum action a); /* the first that does it, 0 none */

/* "Down", "F6", "Space", "ctrl-l", or one character; 0 if it is no key. */
int key_named(const char *name);

#endif
