#include "render/text.h"
#include "top/model.h"
#include "top/ops.h"

#include <stdarg.h>
#include <string.h>

const struct binding bindings[] = {
	{ ACT_UP, { CODE_UP, 'k' }, "Up Down k j", "move one row up or down", NULL, NULL },
	{ ACT_DOWN, { CODE_DOWN, 'j' }, NULL, NULL, NULL, NULL },
	{ ACT_PAGE_UP, { CODE_PAGE_UP, CONTROL('b') }, "PgUp PgDn", "move one page up or down", NULL, NULL },
	{ ACT_PAGE_DOWN, { CODE_PAGE_DOWN, CONTROL('f') }, NULL, NULL, NULL, NULL },
	{ ACT_HOME, { CODE_HOME, 'g' }, "Home End g G", "move to the first or last row", NULL, NULL },
	{ ACT_END, { CODE_END_KEY, 'G' }, NULL, NULL, NULL, NULL },
	{ ACT_LEFT, { CODE_LEFT }, "Left Right",
	  "scroll to columns that do not fit; in the tree: close or open an account", NULL, NULL },
	{ ACT_RIGHT, { CODE_RIGHT }, NULL, NULL, NULL, NULL },
	{ ACT_VIEW, { CODE_TAB }, "Tab", "show the next view: queue, shares, partitions, timeline, running jobs", NULL, NULL },
	{ ACT_VIEW_BACK, { CODE_BACKTAB }, NULL, NULL, NULL, NULL },
	{ ACT_HELP, { CODE_F1, '?', 'h' }, "F1 ? h",
	  "show this help; in the lists of F2 and F6: the column's meaning", "Help",
	  "F1" },
	{ ACT_SEARCH, { '/', CODE_F3 }, "/ F3 0-9",
	  "search as you type; Enter stays at the match, Esc returns", "Search", "/" },
	{ ACT_NEXT, { 'n' }, "n N", "move to the next or previous match", NULL, NULL },
	{ ACT_PREVIOUS, { 'N' }, NULL, NULL, NULL, NULL },
	{ ACT_FILTER, { '\\', CODE_F4 }, "\\ F4", "show only rows that contain a text", "Filter", "\\" },
	{ ACT_USER, { 'u' }, "u", "show only this user's jobs; empty: all", "User", "u" },
	{ ACT_ACCOUNT, { 'A' }, "A", "show only jobs of this account and accounts below it; empty: all", NULL, NULL },
	{ ACT_PARTITION, { 'P' }, "P", "show only this partition; empty: all", NULL, NULL },
	{ ACT_PARTITION_BACK, { '[' }, "[ ]", "show the previous or next partition", NULL, NULL },
	{ ACT_PARTITION_ON, { ']' }, NULL, NULL, NULL, NULL },
	{ ACT_TREE, { CODE_F5, 't' }, "F5 t",
	  "in the shares: switch between tree and list of users; in the queue: show the job's owner in the tree", "Tree", "F5" },
	{ ACT_SORT, { CODE_F6 }, "F6", "choose the column to sort by", "Sort", "F6" },
	{ ACT_SORT_LEFT, { '<', ',' }, "< >", "sort by the column left or right", NULL, NULL },
	{ ACT_SORT_RIGHT, { '>', '.' }, NULL, NULL, NULL, NULL },
	{ ACT_INVERT, { 'I' }, "I", "reverse the order", NULL, NULL },
	{ ACT_TAG, { ' ' }, "Space", "tag a job (two at most); in the tree: open or close an account", NULL, NULL },
	{ ACT_OPEN, { '+', '=' }, "+ -",
	  "in the tree: open or close an account; in the timeline: finer or coarser scale", NULL, NULL },
	{ ACT_CLOSE, { '-' }, NULL, NULL, NULL, NULL },
	{ ACT_COMPARE, { 'c' }, "c",
	  "compare the two tagged jobs, or the tagged job with the selected one", "Compare", "c" },
	{ ACT_EXPLAIN, { CODE_ENTER }, "Enter",
	  "explain this row; for a partition: its queue; for a node: its first planned job", "Explain", "Enter" },
	{ ACT_FORECAST, { 'f' }, "f", "forecast this job, user or account if nothing is submitted or changed", NULL, NULL },
	{ ACT_COLUMNS, { CODE_F2 }, "F2", "choose columns and the theme", NULL, NULL },
	{ ACT_ALGORITHM, { 'a' }, "a", "compute again with the next fair-share algorithm", "Algorithm", "a" },
	{ ACT_WRITE, { 'y' }, "y", "write the explanation to a file", NULL, NULL },
	{ ACT_FOLLOW, { 'F' }, "F", "when the snapshot changes: the selection follows its job, or stays at its row", NULL, NULL },
	{ ACT_IF, { 'i' }, "i",
	  "what if: apply a scheduler command; START shows each job's start without and with it; Up recalls a command",
	  "What if", "i" },
	{ ACT_UNDO, { 'U' }, "U", "undo the last what-if", NULL, NULL },
	{ ACT_RELOAD, { 'r', CONTROL('r') }, "r", "read the snapshot again, or capture a new one, now", NULL, NULL },
	{ ACT_REDRAW, { CONTROL('l') }, "Ctrl-L", "redraw the screen", NULL, NULL },
	{ ACT_BACK, { CODE_ESC }, "Esc", "back: close the open text or list; if none is open, remove filters, then tags", NULL, NULL },
	{ ACT_QUIT, { 'q', CODE_F10 }, "q F10", "quit", "Quit", "q" },
};
const size_t bindings_count = sizeof(bindings) / sizeof(*bindings);

enum action key_to_bound_action(int key)
{
	for (size_t i = 0; i < bindings_count; i++)
		for (size_t k = 0; k < sizeof(bindings[i].key) / sizeof(*bindings[i].key); k++)
			if (bindings[i].key[k] && bindings[i].key[k] == key)
				return bindings[i].action;
	return ACT_NONE;
}

int action_to_first_key(enum action a)
{
	for (size_t i = 0; i < bindings_count; i++)
		if (bindings[i].action == a)
			return bindings[i].key[0];
	return 0;
}

int key_find_by_name(const char *name)
{
#define KEY_NAME(tag, text) text,
	static const char *const names[] = { SPECIAL_KEYS(KEY_NAME) };
#undef KEY_NAME

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(names[i], name))
			return CODE_FIRST + 1 + (int)i;
	if (!strcmp(name, "Space"))
		return ' ';
	if (!strncmp(name, "ctrl-", 5) && name[5] >= 'a' && name[5] <= 'z' && !name[6])
		return CONTROL(name[5]);
	return *name > ' ' && !name[1] ? *name : 0;
}

/* ---- messages in the last line */

void model_set_message(struct model_status *s, bool is_warning, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	format_args(s->message, sizeof(s->message), fmt, ap);
	va_end(ap);
	s->is_warning = is_warning;
}

void model_report_no_memory(struct model_status *s)
{
	s->out_of_memory = true;
	model_set_message(s, true, "out of memory");
}
