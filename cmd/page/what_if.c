#include "page/what_if.h"

#include "page/page.h"
#include "render/emit.h"

#include <limits.h>
#include <unistd.h>

void what_if_print(const fs_snapshot *s)
{
	const char *command;

	for (size_t i = 0; (command = fs_snapshot_command(s, i)); i++)
		emit("%s%s", i ? "; " : "WHAT IF: ", command);
	if (fs_snapshot_command(s, 0))
		emit("\n");
}

void what_if_table(const fs_snapshot *s)
{
	if (isatty(STDOUT_FILENO))
		what_if_print(s);
}

/* However long it is, it is one line: its beginning is what tells a hypothetical state. */
void what_if_page(struct page *p, const fs_snapshot *s)
{
	const int width = p->width;
	const char *command;

	for (size_t i = 0; (command = fs_snapshot_command(s, i)); i++) {
		if (i)
			page_join(p, ";");
		page_say(p, i ? "%s" : "WHAT IF: %s", command);
	}
	p->width = INT_MAX;
	page_end(p);
	p->width = width;
	page_gap(p);
}
