/* How a line of the four is put together. */
#include "explain/brief/parts.h"

#include "page/parts.h"
#include "render/format.h"

#include <stdarg.h>
#include <string.h>

void brief_add(char *line, const char *fmt, ...)
{
	const size_t len = strlen(line);
	va_list ap;

	va_start(ap, fmt);
	format_args(line + len, BRIEF_LINE - len, fmt, ap);
	va_end(ap);
}

void brief_sentence(char *line, const char *clause)
{
	const size_t at = strlen(line);

	brief_add(line, "%s.", clause);
	if (line[at] >= 'a' && line[at] <= 'z')
		line[at] = (char)(line[at] - 'a' + 'A');
}

bool brief_is_short(const char *text, const char *more)
{
	char all[2 * BRIEF_LINE], *at = all;

	snprintf(all, sizeof(all), "%s%s.", text, more);
	for (int lines = 0; lines < 2 && *at; lines++) {
		at += page_fitting(at, 80 - PAGE_LABEL);
		at += strspn(at, " ");
	}
	return !*at;
}

void brief_add_if_short(char *line, const char *more)
{
	if (brief_is_short(line, more))
		brief_add(line, "%s", more);
}
